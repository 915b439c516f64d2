//! Why a move: the value of each, the line that gives it, the inputs that moved it most, and what it resembles.

use ludens_core::words::{Fate, How, Judge, Scale, Shows, What, Whose};
use ludens_core::{Bound, Explain, Game, Move, MoveValue, Ranking, Reason};

use super::heuristic::Heuristic;
use super::memory::{Memory, Near};
use super::node::Node;
use super::tree::{Found, Tree, bent};
use crate::without::Without;

/// Inputs that are named.
const NAMED_INPUTS: usize = 3;
/// Remembered positions that are shown.
const NAMED_POSITIONS: usize = 2;

/// The moves as the tree that was searched leaves them: the choice with its value, the others with what they are worth at most.
pub fn ranking<G: Game>(game: &G, tree: &Tree<G>, found: &Found) -> Ranking {
    let value = |child: usize| {
        let node = &tree.nodes[child];
        let fate = |value: f32| node.settled.then(|| Fate::by_sign(f64::from(value)));
        if node.mv == found.mv {
            return MoveValue { fate: fate(found.value), ..MoveValue::new(node.mv, f64::from(found.value)) };
        }
        // A refuted move must not stand above the choice.
        let seen = tree.seen(0, child, node.value).min(found.value);
        // What is worth a loss at most is one.
        let fate = fate(seen).filter(|_| seen <= -1.0);
        MoveValue { bound: Bound::AtMost, fate, ..MoveValue::new(node.mv, f64::from(seen)) }
    };
    let mut moves: Vec<MoveValue> = tree.children(0).map(value).collect();
    let mut legal = Vec::new();
    game.moves(&tree.nodes[0].state, &mut legal);
    // Where the budget did not even reach every move once.
    for mv in legal.into_iter().skip(moves.len()) {
        if moves.iter().all(|known| known.mv != mv) {
            let bound = if mv == found.mv { Bound::Exact } else { Bound::Unsettled };
            moves.push(MoveValue { bound, ..MoveValue::new(mv, 0.0) });
        }
    }
    Ranking { moves, preferred: Some(found.mv), ..Ranking::default() }
}

/// Reads the tree that chose; nothing is searched again.
pub fn explain<G: Game>(
    game: &G,
    tree: &Tree<G>,
    found: &Found,
    (heuristic, without): (Option<&Heuristic>, &Without),
    memory: &Memory,
    (ranking, explain): (&mut Ranking, Explain),
) {
    let judge = if heuristic.is_some() { Judge::Network } else { Judge::Untaught };
    ranking.how = How::LookAhead { plies: found.depth.max(1), states: tree.nodes.len() as u64 - 1, judge };
    ranking.scale = if heuristic.is_some() { Scale::Result } else { Scale::Judgement };
    let wanted: Vec<Move> = ranking.wanted(explain).into_iter().map(|at| ranking.moves[at].mv).collect();
    for child in tree.children(0) {
        let node = &tree.nodes[child];
        let Some(entry) = ranking.moves.iter_mut().find(|candidate| candidate.mv == node.mv) else {
            continue;
        };
        entry.prior = Some(f64::from(tree.seen(0, child, node.judged)));
        if !wanted.contains(&node.mv) {
            continue;
        }
        let chosen = node.mv == found.mv;
        let shows = if chosen { Shows::Best } else { Shows::Answer };
        let (line, end) = tree.line(child);
        entry.reasons.push(Reason::line(What::Play { shows }, entry.value, line));
        if let Some(heuristic) = heuristic
            && !tree.nodes[end].over
        {
            let leaf = Leaf::new(game, tree, end);
            let near = leaf.resemblances(memory);
            entry.reasons.extend(leaf.inputs_that_count(game, tree, (heuristic, without)));
            entry.reasons.extend(near);
        }
    }
}

/// The end of a line of play, where the heuristic judged.
struct Leaf {
    node: usize,
    inputs: Vec<f32>,
    /// Whether it is judged as the side to move at the root sees it, or as the other one does.
    sign: f64,
}

impl Leaf {
    fn new<G: Game>(game: &G, tree: &Tree<G>, node: usize) -> Leaf {
        let Node { state, view, .. } = &tree.nodes[node];
        let mut inputs = Vec::new();
        game.encode(state, *view, &mut inputs);
        Leaf { node, inputs, sign: if *view == tree.nodes[0].view { 1.0 } else { -1.0 } }
    }

    fn resemblances(&self, memory: &Memory) -> Vec<Reason> {
        let reason = |near: Near| {
            let value = self.sign as f32 * near.value;
            let what = What::Resembles { apart: near.distance as u32 };
            Reason::chunk(what, f64::from(value), Vec::new())
                .at_end()
                .noted(format!("{}, worth {value:+.2}", near.text))
        };
        memory.nearest(&self.inputs, NAMED_POSITIONS).into_iter().map(reason).collect()
    }

    /// What the judgement loses when an input is set to zero, the largest first; as the side to move sees it.
    fn inputs_that_count<G: Game>(
        self,
        game: &G,
        tree: &Tree<G>,
        (heuristic, without): (&Heuristic, &Without),
    ) -> Vec<Reason> {
        let Leaf { node, inputs: mut x, sign } = self;
        without.clear(x.len(), &mut x);
        let judged = |value: f64| f64::from(bent(value as f32));
        let whole = judged(heuristic.value(&x));
        let share = |(input, value): (usize, f64)| (input, sign * (whole - judged(value)));
        let mut shares: Vec<(usize, f64)> = heuristic.without_each(&mut x).into_iter().map(share).collect();
        shares.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
        shares.truncate(NAMED_INPUTS);
        let (board, mover) = (game.board(&tree.nodes[node].state), tree.nodes[0].view);
        let cellwise = board.squares.len() == x.len();
        let reason = |(input, share): (usize, f64)| {
            if !cellwise {
                let what = What::Input { number: input as u32 };
                return Reason::term(what, share, Vec::new()).of_input(input).at_end();
            }
            let whose = Whose::by_sign(f64::from(board.squares[input].signed(mover)));
            Reason::term(What::Stone { whose }, share, [input as u16].as_slice()).of_input(input).at_end()
        };
        shares.into_iter().map(reason).collect()
    }
}

//! Why a move: the value of each, the line that gives it, the inputs that moved it most, and what it resembles.

use ludens_core::{Bound, Game, MoveValue, Ranking, Reason};

use super::heuristic::Heuristic;
use super::memory::{Memory, Near};
use super::tree::{Found, Tree, bent};

/// Inputs that are named.
const NAMED_INPUTS: usize = 3;
/// Remembered positions that are shown.
const NAMED_POSITIONS: usize = 2;

/// The moves as the tree that was searched leaves them: the choice with its value, the others with what they are worth at most.
pub fn ranking<G: Game>(game: &G, tree: &Tree<G>, found: &Found) -> Ranking {
    let value = |child: usize| {
        let node = &tree.nodes[child];
        if node.mv == found.mv {
            return MoveValue::new(node.mv, f64::from(found.value));
        }
        // A refuted move must not stand above the choice.
        let seen = tree.seen(0, child, node.value).min(found.value);
        MoveValue { bound: Bound::AtMost, ..MoveValue::new(node.mv, f64::from(seen)) }
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
    heuristic: Option<&Heuristic>,
    memory: &Memory,
    ranking: &mut Ranking,
) {
    ranking.summary = format!(
        "Searched {} positions, {} plies deep, and judged the ends of the lines by what its own matches taught.",
        tree.nodes.len() - 1,
        found.depth.max(1)
    );
    ranking.unit = "expected result (−1 lost, 1 won)".into();
    for child in tree.children(0) {
        let node = &tree.nodes[child];
        let Some(entry) = ranking.moves.iter_mut().find(|candidate| candidate.mv == node.mv) else {
            continue;
        };
        entry.prior = Some(f64::from(tree.seen(0, child, node.judged)));
        entry.reasons.push(line(game, tree, child, node.mv == found.mv, entry.value as f32));
        if let Some(heuristic) = heuristic {
            entry.reasons.extend(inputs_that_count(game, tree, child, heuristic));
            entry.reasons.extend(resemblances(game, tree, child, memory));
        }
    }
}

fn line<G: Game>(game: &G, tree: &Tree<G>, child: usize, chosen: bool, value: f32) -> Reason {
    let (moves, end) = tree.line(child);
    let last = &tree.nodes[end];
    let fate = match (last.over, tree.nodes[child].settled) {
        (true, _) => "the game is over",
        (_, true) => "the result is certain",
        _ => "judged",
    };
    let bound = if chosen { "" } else { " at most" };
    let first = game.label(&tree.nodes[0].state, moves[0]);
    let text =
        format!("{first} and the best play of both for {} plies: {value:+.3}{bound}, {fate}", moves.len());
    Reason::line(text, f64::from(value), moves)
}

/// What the judgement at the end of the line loses when an input is set to zero, the largest first; as the side to move sees it.
fn inputs_that_count<G: Game>(game: &G, tree: &Tree<G>, child: usize, heuristic: &Heuristic) -> Vec<Reason> {
    let (_, end) = tree.line(child);
    let node = &tree.nodes[end];
    if node.over {
        return Vec::new();
    }
    let sign = if node.view == tree.nodes[0].view { 1.0 } else { -1.0 };
    let mut x = Vec::new();
    game.encode(&node.state, node.view, &mut x);
    let judged = |x: &[f32]| f64::from(bent(heuristic.value(x) as f32));
    let whole = judged(&x);
    let mut shares: Vec<(usize, f64)> = Vec::new();
    for input in 0..x.len() {
        let kept = std::mem::take(&mut x[input]);
        if kept != 0.0 {
            shares.push((input, sign * (whole - judged(&x))));
        }
        x[input] = kept;
    }
    shares.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
    shares.truncate(NAMED_INPUTS);
    let board = game.board(&node.state);
    let cellwise = board.squares.len() == x.len();
    let reason = |(input, share): (usize, f64)| {
        let name = if cellwise { board.cell_name(input) } else { format!("input {input}") };
        let cells = if cellwise { vec![input as u16] } else { Vec::new() };
        Reason::term(format!("{name} at the end of the line counts {share:+.3}"), share, cells)
            .of_input(input)
    };
    shares.into_iter().map(reason).collect()
}

fn resemblances<G: Game>(game: &G, tree: &Tree<G>, child: usize, memory: &Memory) -> Vec<Reason> {
    let (_, end) = tree.line(child);
    let node = &tree.nodes[end];
    if node.over {
        return Vec::new();
    }
    let mut x = Vec::new();
    game.encode(&node.state, node.view, &mut x);
    let reason = |near: Near| {
        let value = if node.view == tree.nodes[0].view { near.value } else { -near.value };
        let text = format!(
            "the line ends like a remembered position ({}, {} inputs away), which was worth {value:+.2}",
            near.text, near.distance
        );
        Reason::chunk(text, f64::from(value), Vec::new())
    };
    memory.nearest(&x, NAMED_POSITIONS).into_iter().map(reason).collect()
}

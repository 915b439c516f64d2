//! Why a move: the value of each, the line that gives it, the inputs that moved it most, and what it resembles.

use ludens_core::{Game, MoveValue, Reason, Why};

use super::heuristic::Heuristic;
use super::memory::{Memory, Near};
use super::tree::{Found, Tree, bent};

/// Inputs that are named.
const NAMED_INPUTS: usize = 3;
/// Remembered positions that are shown.
const NAMED_POSITIONS: usize = 2;

/// Reads the tree that chose; nothing is searched again.
pub fn explain<G: Game>(
    game: &G,
    tree: &Tree<G>,
    found: &Found,
    heuristic: Option<&Heuristic>,
    memory: &Memory,
    why: &mut Why,
) {
    why.summary = format!(
        "Searched {} positions, {} plies deep, and judged the ends of the lines by what its own matches taught.",
        tree.nodes.len() - 1,
        found.depth.max(1)
    );
    why.unit = "expected result (−1 lost, 1 won)".into();
    for child in tree.children(0) {
        let node = &tree.nodes[child];
        let chosen = node.mv == found.mv;
        let seen = tree.seen(0, child, node.value);
        // A refuted move is worth what is shown at most; it must not stand above the choice.
        let value = if chosen { found.value } else { seen.min(found.value) };
        let mut entry = MoveValue::new(node.mv, f64::from(value));
        entry.prior = Some(f64::from(tree.seen(0, child, node.judged)));
        entry.reasons.push(line(game, tree, child, chosen, value));
        if let Some(heuristic) = heuristic {
            entry.reasons.extend(inputs_that_count(game, tree, child, heuristic));
            entry.reasons.extend(resemblances(game, tree, child, memory));
        }
        why.moves.push(entry);
    }
    why.sort();
    why.lead_with(found.mv);
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

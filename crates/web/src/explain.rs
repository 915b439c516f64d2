//! A decision as a screen shows it: the ranking with labels and cells, the weightiest reasons, lines that can be followed on the board.

use std::collections::HashMap;
use std::time::Instant;

use ludens_core::words::{Claim, Voice, sentence};
use ludens_core::{
    Board, Bound, Combine, Cost, Decision, Move, MoveView, Ranking, Reason, ReasonKind, Rng, Table, math,
};
use serde::Serialize;

use crate::config::MOVES_RANKED;
use crate::error::ApiResult;
use crate::thinkers::Question;

/// One reason with its line in words.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ExplainedReason {
    pub(crate) kind: ReasonKind,
    pub(crate) text: String,
    pub(crate) worth: f64,
    pub(crate) cells: Vec<u16>,
    /// The line in words, beginning with the move itself.
    pub(crate) line: Vec<String>,
    /// The squares each move of the line speaks of.
    pub(crate) line_cells: Vec<Vec<u16>>,
}

/// One move of the ranking.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ExplainedMove {
    pub(crate) mv: Move,
    pub(crate) label: String,
    pub(crate) cells: Vec<u16>,
    pub(crate) value: f64,
    /// Absent where the value is one; else it is `at-most` this, or `unsettled`.
    #[serde(skip_serializing_if = "is_exact")]
    pub(crate) bound: Bound,
    pub(crate) prior: Option<f64>,
    pub(crate) visits: Option<u64>,
    pub(crate) reasons: Vec<ExplainedReason>,
    /// Its place in the ranking, where moves before it are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rank: Option<usize>,
}

/// A decision with everything a screen needs to show why.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Explained {
    pub(crate) ply: usize,
    pub(crate) mind: String,
    pub(crate) mv: Move,
    pub(crate) label: String,
    /// For everyone: one sentence that leads, and at most three more; none where nothing that people have words for decided.
    pub(crate) said: Vec<String>,
    pub(crate) summary: String,
    pub(crate) unit: String,
    pub(crate) combine: Combine,
    /// The first of the ranking, and the chosen one.
    pub(crate) moves: Vec<ExplainedMove>,
    /// How many moves were ranked.
    pub(crate) ranked: usize,
    /// The board the decision was made on; the cells of the reasons are its squares.
    pub(crate) board: Board,
    pub(crate) cost: Cost,
    pub(crate) ledger: Cost,
    /// The time the thinking took.
    pub(crate) ms: f64,
    /// Set when a temperature made it play something else than the first of its ranking.
    pub(crate) slipped: bool,
}

fn is_exact(bound: &Bound) -> bool {
    *bound == Bound::Exact
}

/// The moves shown with all their reasons; the rest of a long list keeps its values only.
const MOVES_WITH_REASONS: usize = 12;
const REASONS_SHOWN: usize = 12;
const LINE_SHOWN: usize = 16;

/// Sets the position up, asks the mind and puts its decision into words.
pub(crate) fn explain(table: &mut dyn Table, question: &Question) -> ApiResult<Explained> {
    table.restart(question.start.as_deref())?;
    for &mv in &question.history {
        table.play(mv)?;
    }
    let view = table.view();
    let mut rng = question.rng.clone();
    let begun = Instant::now();
    let decision = table.think(&question.mind, &mut rng, question.level.budget(), true)?;
    let ms = begun.elapsed().as_secs_f64() * 1000.0;
    let mut chosen = choose(&decision, question.level.temperature, &mut rng);
    if question.hint {
        chosen = safe(table, &decision, chosen);
    }
    let said = said(table, &decision, chosen, &view.board, question.voice);
    let why = decision.why;
    // A search for every move of the ranking would be quadratic: rules can have a hundred thousand moves.
    let legal: Legal<'_> = view.moves.iter().map(|view| (view.mv, view)).collect();
    let label = legal.get(&chosen).map_or(decision.label, |view| view.label.clone());
    let (moves, ranked) = explained_moves(table, &legal, &why, chosen);
    Ok(Explained {
        ply: question.history.len(),
        mind: question.mind.clone(),
        mv: chosen,
        label,
        said,
        moves,
        ranked,
        summary: why.summary,
        unit: why.unit,
        combine: why.combine,
        board: view.board,
        cost: decision.cost,
        ledger: decision.ledger,
        ms,
        slipped: chosen != decision.mv,
    })
}

/// The move itself, unless the other side wins at once after it and there is one after which it does not.
fn safe(table: &dyn Table, decision: &Decision, chosen: Move) -> Move {
    let loses = |mv: Move| table.claims(mv).iter().any(|claim| matches!(claim, Claim::LetsWin { .. }));
    let mut ranked = std::iter::once(chosen).chain(decision.why.moves.iter().map(|candidate| candidate.mv));
    ranked.find(|mv| !loses(*mv)).unwrap_or(chosen)
}

/// The sentences about the move. What the ranking bears out is said of the mind's own choice; of a move that was drawn instead, or put in
/// its place, only what is true of it.
fn said(table: &dyn Table, decision: &Decision, chosen: Move, board: &Board, voice: Voice) -> Vec<String> {
    let of_another;
    let claims = if chosen == decision.mv {
        &decision.claims
    } else {
        of_another = table.claims(chosen);
        &of_another
    };
    claims.iter().map(|claim| sentence(claim, board, voice)).collect()
}

/// With a temperature, a draw among the ranking by softmax; its unit is the spread of the values, so that it means the same
/// for winning chances, discs and log-odds.
fn choose(decision: &Decision, temperature: f64, rng: &mut Rng) -> Move {
    let why = &decision.why;
    // A search that leaves a worse move early gives only a bound for it, which may stand above a better move's
    // value: no move counts for more than those ranked before it.
    let values: Vec<f64> = why
        .moves
        .iter()
        .scan(f64::INFINITY, |cap, mv| {
            *cap = cap.min(mv.value);
            Some(*cap)
        })
        .collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let spread = (values.iter().map(|value| math::square(value - mean)).sum::<f64>() / count).sqrt();
    if temperature <= 0.0 || values.len() < 2 || !spread.is_finite() || spread <= 0.0 {
        return decision.mv;
    }
    let best = values.iter().copied().fold(f64::MIN, f64::max);
    let weights: Vec<f64> =
        values.iter().map(|value| math::exp((value - best) / (spread * temperature))).collect();
    rng.weighted(&weights).map_or(decision.mv, |index| why.moves[index].mv)
}

type Legal<'a> = HashMap<Move, &'a MoveView>;

/// The ranking as it is shown, and its whole length.
fn explained_moves(
    table: &mut dyn Table,
    legal: &Legal<'_>,
    why: &Ranking,
    chosen: Move,
) -> (Vec<ExplainedMove>, usize) {
    let known = why.moves.iter().filter_map(|value| Some((value, *legal.get(&value.mv)?)));
    let mut shown = Vec::new();
    let mut ranked = 0;
    for (value, view) in known {
        let rank = ranked;
        ranked += 1;
        if rank >= MOVES_RANKED && value.mv != chosen {
            continue;
        }
        let with_reasons = rank < MOVES_WITH_REASONS || value.mv == chosen;
        let reasons = if with_reasons { shorten(&value.reasons, why.combine) } else { Vec::new() };
        shown.push(ExplainedMove {
            mv: value.mv,
            label: view.label.clone(),
            cells: view.cells.clone(),
            value: value.value,
            bound: value.bound,
            prior: value.prior,
            visits: value.visits,
            reasons: reasons.iter().map(|reason| explained_reason(table, reason)).collect(),
            rank: (rank >= MOVES_RANKED).then_some(rank + 1),
        });
    }
    (shown, ranked)
}

/// The weightiest reasons; what is left out becomes one term, so that the shown ones still make up the value.
fn shorten(reasons: &[Reason], combine: Combine) -> Vec<Reason> {
    if reasons.len() <= REASONS_SHOWN {
        return reasons.to_vec();
    }
    let weight = |reason: &Reason| match combine {
        Combine::Product => math::ln(reason.worth.abs()).abs(),
        Combine::Sum | Combine::None => reason.worth.abs(),
    };
    let mut sorted = reasons.to_vec();
    sorted.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let rest = sorted.split_off(REASONS_SHOWN - 1);
    let worth = match combine {
        Combine::Sum => rest.iter().map(|reason| reason.worth).sum(),
        Combine::Product => rest.iter().map(|reason| reason.worth).product(),
        Combine::None => return sorted,
    };
    sorted.push(Reason::term(format!("{} smaller terms together", rest.len()), worth, Vec::new()));
    sorted
}

/// Plays a line as far as it is legal and takes it back.
fn follow(table: &mut dyn Table, line: &[Move]) -> (Vec<String>, Vec<Vec<u16>>) {
    let mut steps = Vec::new();
    for &mv in line.iter().take(LINE_SHOWN) {
        // Writing out every move of a crowded position, for each step of each line, would take longer than the thinking.
        let few = table.moves().len() <= MOVES_RANKED;
        let found = few.then(|| table.view().moves.into_iter().find(|known| known.mv == mv)).flatten();
        // Dice along a line are not among the moves of a player; they have no cells.
        let label = || table.line_labels(&[mv]).pop().unwrap_or_default();
        let step = found.map_or_else(|| (label(), Vec::new()), |known| (known.label, known.cells));
        if table.play(mv).is_err() {
            break;
        }
        steps.push(step);
    }
    for _ in 0..steps.len() {
        table.undo();
    }
    steps.into_iter().unzip()
}

fn explained_reason(table: &mut dyn Table, reason: &Reason) -> ExplainedReason {
    let (line, line_cells) = follow(table, &reason.line);
    ExplainedReason {
        kind: reason.kind,
        text: reason.text.clone(),
        worth: reason.worth,
        cells: reason.cells.clone(),
        line,
        line_cells,
    }
}

//! A decision as a screen shows it: the ranking with labels and cells, the weightiest reasons, lines that can be followed on the board.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use ludens_catalogue::advice::{advise, judge, safe};
use ludens_core::words::{Contrast, Difference, Fate, Lies, Mark, Scale, What, continuation, gather, ledger};
use ludens_core::{
    Board, Bound, Budget, Combine, Cost, Decision, Explain, Move, MoveValue, MoveView, Ranking, Reason,
    ReasonKind, Rng, Table, math,
};
use serde::Serialize;

use crate::config::MOVES_RANKED;
use crate::error::ApiResult;
use crate::thinkers::{HINT_TIME, Question};

/// One reason with its line in words.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ExplainedReason {
    pub(crate) kind: ReasonKind,
    pub(crate) text: String,
    pub(crate) worth: f64,
    /// What it adds, as people read it.
    pub(crate) shown: String,
    /// The same in the mind's own notation.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) notation: String,
    /// What lies where, for a pattern that has no name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) pattern: Vec<Lies>,
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
    /// How whoever moves stands after it, by this mind: 0 lost, 1 won.
    pub(crate) standing: Option<f64>,
    /// The value as people read it.
    pub(crate) shown: String,
    /// Absent where the value is one; else it is `at-most` this, or `unsettled`.
    #[serde(skip_serializing_if = "is_exact")]
    pub(crate) bound: Bound,
    pub(crate) prior: Option<f64>,
    pub(crate) visits: Option<u64>,
    pub(crate) reasons: Vec<ExplainedReason>,
    /// Why not this one: beside the move that was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why_not: Option<WhyNot>,
    /// Its place in the ranking, where moves before it are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rank: Option<usize>,
}

/// Why another move was not chosen, with its line in words.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct WhyNot {
    pub(crate) said: Vec<String>,
    /// The winning chance it loses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) loss: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mark: Option<Mark>,
    pub(crate) differences: Vec<Difference>,
    /// The play that shows it, beginning with the move.
    pub(crate) line: Vec<String>,
    pub(crate) line_cells: Vec<Vec<u16>>,
}

/// A decision with everything a screen needs to show why.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Explained {
    pub(crate) ply: usize,
    pub(crate) mind: String,
    pub(crate) mv: Move,
    pub(crate) label: String,
    /// For everyone: one sentence that leads, and at most three more.
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
    /// What the mind has gone through and what it keeps, in words.
    pub(crate) known: Vec<String>,
    /// The time the thinking took.
    pub(crate) ms: f64,
    /// Set when a temperature made it play something else than the first of its ranking.
    pub(crate) slipped: bool,
    /// Set when it was what it drew or ranked first that would have lost at once, and its level forbids that.
    pub(crate) spared: bool,
    /// How the sides stand by somebody else, where who was asked proves nothing and says nothing of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) opinion: Option<Opinion>,
}

/// How whoever moves stands, as somebody judges: 0 lost, 1 won.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Opinion {
    pub(crate) mind: String,
    pub(crate) standing: f64,
}

/// How whoever moves stands after a move: what is proved, else a winning chance, else the mind's own judgement between lost and won. None
/// where its values say nothing of that.
pub(crate) fn standing(why: &Ranking, value: &MoveValue) -> Option<f64> {
    let of_value = || match why.scale {
        Scale::Odds => Some(value.value / (1.0 + value.value)),
        Scale::Judgement => Some(f64::midpoint(value.value, 1.0).clamp(0.0, 1.0)),
        _ => why.scale.chance(value.value),
    };
    value.fate.map(Fate::chance).or_else(of_value).filter(|standing| standing.is_finite())
}

fn is_exact(bound: &Bound) -> bool {
    *bound == Bound::Exact
}

/// The moves shown with all their reasons; the rest of a long list keeps its values only.
const MOVES_WITH_REASONS: usize = 12;
const REASONS_SHOWN: usize = 12;
const LINE_SHOWN: usize = 16;
/// Plies of the play that shows what a move loses, where the mind has no line of its own.
const ANSWER_PLIES: usize = 5;
/// What a move of that play may take where somebody waits for a hint.
const ANSWER_TIME: Duration = Duration::from_millis(20);
/// A mind that took longer is not asked how the game would go on after every other move.
const QUICK_MS: f64 = 20.0;

/// Sets the position up, asks the mind and puts its decision into words.
pub(crate) fn explain(table: &mut dyn Table, question: &Question) -> ApiResult<Explained> {
    table.restart(question.start.as_deref())?;
    for &mv in &question.history {
        table.play(mv)?;
    }
    let view = table.view();
    let mut rng = question.rng.clone();
    let begun = Instant::now();
    let Thought { mind, mut decision, chosen, spared, judged, opinion } = think(table, question, &mut rng)?;
    let ms = begun.elapsed().as_secs_f64() * 1000.0;
    table.speak(&mut decision, question.voice);
    let said = table.tell(&decision, chosen, question.voice);
    // A search for every move of the ranking would be quadratic: rules can have a hundred thousand moves.
    let legal: Legal<'_> = view.moves.iter().map(|view| (view.mv, view)).collect();
    let label = legal.get(&chosen).map_or_else(|| decision.label.clone(), |view| view.label.clone());
    let (mut moves, ranked) = explained_moves(table, &legal, &decision.why, [Some(chosen), question.played]);
    let own = Decision { mv: chosen, label: label.clone(), ..decision.clone() };
    for candidate in moves.iter_mut().filter(|candidate| candidate.mv != chosen) {
        let contrast = match &judged {
            Some(judged) if judged.mv == candidate.mv => Some(judged.clone()),
            _ if candidate.reasons.is_empty() => None,
            _ => table.contrast(&own, candidate.mv, question.voice),
        };
        candidate.why_not = contrast.map(|contrast| why_not(table, question, contrast, ms < QUICK_MS));
    }
    Ok(Explained {
        ply: question.history.len(),
        mind,
        mv: chosen,
        label,
        said,
        moves,
        ranked,
        summary: decision.why.how.sentence(),
        unit: decision.why.scale.name().into(),
        combine: decision.why.combine,
        board: view.board,
        cost: decision.cost,
        ledger: decision.ledger,
        known: ledger(&decision.ledger),
        ms,
        slipped: chosen != decision.mv && !question.hint && !spared,
        spared,
        opinion,
    })
}

/// What was thought, and what was made of it.
struct Thought {
    mind: String,
    decision: Decision,
    chosen: Move,
    spared: bool,
    judged: Option<Contrast>,
    opinion: Option<Opinion>,
}

fn think(table: &mut dyn Table, question: &Question, rng: &mut Rng) -> ApiResult<Thought> {
    if !question.hint {
        // Who draws among its ranking may play any move of it.
        let drawn = question.level.temperature > 0.0;
        let explain = if drawn { Explain::EVERYTHING } else { Explain::best(MOVES_WITH_REASONS as u32) };
        let decision = table.think(&question.mind, rng, question.level.budget(), explain)?;
        let drawn = choose(&decision, question.level.temperature, rng);
        let chosen = if question.level.careful { safe(table, &decision, drawn) } else { drawn };
        let mind = question.mind.clone();
        return Ok(Thought { mind, decision, chosen, spared: chosen != drawn, judged: None, opinion: None });
    }
    // Asked before the one who may take all the time there is.
    let second = question.second.as_ref().and_then(|mind| opinion(table, mind, &mut rng.clone()));
    let mut advice = advise(table, &question.mind, rng, HINT_TIME)?;
    let opinion = second.filter(|_| !advice.is_proved());
    let judged = match question.played {
        Some(played) => judge(table, &mut advice, played, (rng, HINT_TIME / 2, question.voice))?,
        None => None,
    };
    Ok(Thought {
        mind: advice.mind,
        decision: advice.decision,
        chosen: advice.mv,
        spared: false,
        judged,
        opinion,
    })
}

/// How a trained player thinks that whoever moves stands here, which takes no time worth speaking of.
fn opinion(table: &mut dyn Table, mind: &str, rng: &mut Rng) -> Option<Opinion> {
    let decision = table.think(mind, rng, Budget::Unlimited, Explain::best(1)).ok()?;
    let standing = standing(&decision.why, decision.why.get(decision.mv)?)?;
    Some(Opinion { mind: mind.into(), standing })
}

fn why_not(table: &mut dyn Table, question: &Question, contrast: Contrast, quick: bool) -> WhyNot {
    let mut line = contrast.line;
    if line.is_empty() && quick {
        // Who gives hints may search without an end of its own; a line that cannot be had in time is left out.
        let budget = if question.hint { Budget::Time(ANSWER_TIME) } else { question.level.budget() };
        let asked = (&mut question.rng.clone(), budget);
        line = continuation(table, &question.mind, contrast.mv, ANSWER_PLIES, asked).unwrap_or_default();
    }
    let (line, line_cells) = follow(table, &line);
    WhyNot {
        said: contrast.said,
        loss: contrast.loss,
        mark: contrast.mark,
        differences: contrast.differences,
        line,
        line_cells,
    }
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
    wanted: [Option<Move>; 2],
) -> (Vec<ExplainedMove>, usize) {
    let known = why.moves.iter().filter_map(|value| Some((value, *legal.get(&value.mv)?)));
    let mut shown = Vec::new();
    let mut ranked = 0;
    for (value, view) in known {
        let rank = ranked;
        ranked += 1;
        let is_wanted = wanted.contains(&Some(value.mv));
        if rank >= MOVES_RANKED && !is_wanted {
            continue;
        }
        let with_reasons = rank < MOVES_WITH_REASONS || is_wanted;
        let reasons = if with_reasons { shorten(&value.reasons, why.combine) } else { Vec::new() };
        shown.push(ExplainedMove {
            mv: value.mv,
            label: view.label.clone(),
            cells: view.cells.clone(),
            value: value.value,
            standing: standing(why, value),
            shown: why.scale.shown(value),
            bound: if value.fate.is_some() { Bound::Exact } else { value.bound },
            prior: value.prior,
            visits: value.visits,
            reasons: reasons.iter().map(|reason| explained_reason(table, why, reason)).collect(),
            why_not: None,
            rank: (rank >= MOVES_RANKED).then_some(rank + 1),
        });
    }
    (shown, ranked)
}

/// The weightiest reasons, equal ones gathered; what is left out becomes one term, so that the shown ones still make up the value.
fn shorten(reasons: &[Reason], combine: Combine) -> Vec<Reason> {
    let mut sorted = gather(reasons, combine);
    if sorted.len() <= REASONS_SHOWN {
        return sorted;
    }
    let rest = sorted.split_off(REASONS_SHOWN - 1);
    let worth = match combine {
        Combine::Sum => rest.iter().map(|reason| reason.worth).sum(),
        Combine::Product => rest.iter().map(|reason| reason.worth).product(),
        Combine::None => return sorted,
    };
    let terms = What::Rest { terms: rest.len() as u32 };
    let mut last = Reason::term(terms, worth, Vec::new());
    last.text = format!("{} smaller things together", rest.len());
    sorted.push(last);
    sorted
}

/// Plays a line as far as it is legal and takes it back.
pub(crate) fn follow(table: &mut dyn Table, line: &[Move]) -> (Vec<String>, Vec<Vec<u16>>) {
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

fn explained_reason(table: &mut dyn Table, why: &Ranking, reason: &Reason) -> ExplainedReason {
    let (line, line_cells) = follow(table, &reason.line);
    let pattern = if let What::Pattern { pieces } = &reason.what { pieces.to_vec() } else { Vec::new() };
    ExplainedReason {
        kind: reason.kind,
        text: reason.text.clone(),
        worth: reason.worth,
        shown: if reason.line.is_empty() {
            why.scale.worth(why.combine, reason.worth)
        } else {
            String::new()
        },
        notation: reason.notation.to_string(),
        pattern,
        cells: reason.cells.to_vec(),
        line,
        line_cells,
    }
}

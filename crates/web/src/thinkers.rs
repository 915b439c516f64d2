//! Thinking, away from the threads that answer requests. A *desk* is a table with one mind at it, made ready; a decision takes a
//! desk, plays the game up to the position, asks the mind and puts the desk back. Few desks serve any number of games,
//! so that memory does not grow with them, and a mind that panics takes only its desk with it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ludens_core::{
    Board, Budget, Combine, Cost, Decision, Move, MoveView, Reason, ReasonKind, Rng, Table, Why, math,
};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use crate::catalog::Catalog;
use crate::config::Limits;
use crate::error::{ApiError, ApiResult};
use crate::shelf::Shelf;

/// How strong an opponent is asked to be.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Level {
    /// The states it may examine; none leaves it to the mind.
    pub states: Option<u64>,
    /// 0 plays the best move it sees; above, it draws among its ranking, more freely the higher.
    pub temperature: f64,
}

impl Level {
    pub fn checked(self) -> ApiResult<Level> {
        if self.states == Some(0) || self.states.is_some_and(|states| states > 100_000_000) {
            return Err(ApiError::bad("a level has from 1 to 100000000 states"));
        }
        if !(0.0..=10.0).contains(&self.temperature) {
            return Err(ApiError::bad("a temperature lies from 0 to 10"));
        }
        Ok(self)
    }

    fn budget(self) -> Budget {
        self.states.map_or(Budget::Unlimited, Budget::States)
    }
}

/// A question to a mind: what do you do here, and why?
#[derive(Clone, Debug)]
pub struct Question {
    pub game: String,
    /// The position text the game began from.
    pub start: Option<String>,
    pub history: Vec<Move>,
    pub mind: String,
    pub level: Level,
    pub rng: Rng,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExplainedReason {
    pub kind: ReasonKind,
    pub text: String,
    pub worth: f64,
    pub cells: Vec<u16>,
    /// The line in words, beginning with the move itself.
    pub line: Vec<String>,
    /// The squares each move of the line speaks of.
    pub line_cells: Vec<Vec<u16>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExplainedMove {
    pub mv: Move,
    pub label: String,
    pub cells: Vec<u16>,
    pub value: f64,
    pub prior: Option<f64>,
    pub visits: Option<u64>,
    pub reasons: Vec<ExplainedReason>,
}

/// A decision with everything a screen needs to show why.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Explained {
    pub ply: usize,
    pub mind: String,
    pub mv: Move,
    pub label: String,
    pub summary: String,
    pub unit: String,
    pub combine: Combine,
    pub moves: Vec<ExplainedMove>,
    /// The board the decision was made on; the cells of the reasons are its squares.
    pub board: Board,
    pub cost: Cost,
    pub ledger: Cost,
    /// The time the thinking took.
    pub ms: f64,
    /// Set when a temperature made it play something else than the first of its ranking.
    pub slipped: bool,
}

/// The moves shown with all their reasons; the rest of a long list keeps its values only.
const MOVES_WITH_REASONS: usize = 12;
const REASONS_SHOWN: usize = 12;
const LINE_SHOWN: usize = 16;

struct Desk {
    game: String,
    mind: String,
    version: u64,
    table: Box<dyn Table>,
}

pub struct Thinkers {
    permits: Semaphore,
    overdue: Overdue,
    idle: Mutex<Vec<Desk>>,
    catalog: Arc<Catalog>,
    shelf: Arc<Shelf>,
    limits: Limits,
}

impl std::fmt::Debug for Thinkers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Thinkers").field("free", &self.permits.available_permits()).finish()
    }
}

/// What a mind that does not watch the clock may take beyond its time.
const GRACE: Duration = Duration::from_secs(2);

#[derive(PartialEq, Debug)]
enum Stage {
    Thinking,
    /// Nobody waits any more, and it still thinks.
    Overdue,
    Done,
}

/// The minds that think on after everybody has left, each by name. Their places go to others: a slow oracle must not keep people
/// from playing, and is itself not asked again until it is done.
type Overdue = Arc<Mutex<Vec<String>>>;

fn names(overdue: &Overdue) -> MutexGuard<'_, Vec<String>> {
    overdue.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
struct Watch {
    mind: String,
    overdue: Overdue,
    stage: Mutex<Stage>,
}

impl Watch {
    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Dropped when the request leaves.
struct Leaving(Arc<Watch>);

impl Drop for Leaving {
    fn drop(&mut self) {
        let mut stage = self.0.stage();
        if *stage == Stage::Thinking {
            *stage = Stage::Overdue;
            names(&self.0.overdue).push(self.0.mind.clone());
        }
    }
}

/// Dropped when the thread has ended, by a panic too.
struct Done(Arc<Watch>);

impl Drop for Done {
    fn drop(&mut self) {
        let mut stage = self.0.stage();
        if *stage == Stage::Overdue {
            let mut overdue = names(&self.0.overdue);
            if let Some(index) = overdue.iter().position(|mind| *mind == self.0.mind) {
                overdue.swap_remove(index);
            }
        }
        *stage = Stage::Done;
    }
}

impl Thinkers {
    pub fn new(catalog: Arc<Catalog>, shelf: Arc<Shelf>, limits: &Limits) -> Thinkers {
        let permits = Semaphore::new(limits.thinkers.max(1));
        Thinkers {
            permits,
            overdue: Arc::default(),
            idle: Mutex::default(),
            catalog,
            shelf,
            limits: limits.clone(),
        }
    }

    pub async fn ask(self: &Arc<Self>, question: Question) -> ApiResult<Explained> {
        self.check_overdue(&question.mind)?;
        let permit = tokio::time::timeout(self.limits.think_queue, self.permits.acquire());
        let Ok(Ok(_permit)) = permit.await else {
            return Err(ApiError::busy("all thinkers are busy; ask again in a moment"));
        };
        // Also when the request itself is given up, what still runs stays counted.
        let watch = Arc::new(Watch {
            mind: question.mind.clone(),
            overdue: self.overdue.clone(),
            stage: Mutex::new(Stage::Thinking),
        });
        let _leaving = Leaving(watch.clone());
        let this = self.clone();
        let thinking = tokio::task::spawn_blocking(move || {
            let _done = Done(watch);
            this.think(question)
        });
        match tokio::time::timeout(self.limits.think_time + GRACE, thinking).await {
            Ok(Ok(explained)) => explained,
            Ok(Err(_)) => Err(ApiError::internal("this mind failed while thinking; choose another opponent")),
            Err(_) => Err(ApiError::new(
                axum::http::StatusCode::GATEWAY_TIMEOUT,
                "thinking",
                "this mind needs longer here than a page should wait; ask again later in the game",
            )),
        }
    }

    fn check_overdue(&self, mind: &str) -> ApiResult<()> {
        let overdue = names(&self.overdue);
        if overdue.iter().any(|other| other == mind) {
            return Err(ApiError::busy(
                "it is still thinking about an earlier question; ask again in a while",
            ));
        }
        if overdue.len() > self.limits.thinkers.max(1) {
            return Err(ApiError::busy(
                "some minds are still thinking long after their time; ask again later",
            ));
        }
        Ok(())
    }

    fn think(&self, mut question: Question) -> ApiResult<Explained> {
        let named = question.mind.clone();
        if question.level.temperature > 0.0 {
            question.mind = self.catalog.for_drawing(&named);
        }
        let mut desk = self.take_desk(&question)?;
        let explained =
            explain(&mut *desk.table, &question).map(|explained| Explained { mind: named, ..explained });
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(desk);
        if idle.len() > self.limits.desks {
            idle.remove(0);
        }
        explained
    }

    fn take_desk(&self, question: &Question) -> ApiResult<Desk> {
        let version = self.shelf.version(&question.mind);
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|desk| desk.mind != question.mind || desk.version == version);
        let fits = |desk: &Desk| desk.game == question.game && desk.mind == question.mind;
        if let Some(index) = idle.iter().position(fits) {
            return Ok(idle.remove(index));
        }
        drop(idle);
        let mut table = self.catalog.open(&question.game)?;
        table.limit_time(Some(self.limits.think_time));
        Ok(Desk { game: question.game.clone(), mind: question.mind.clone(), version, table })
    }
}

fn explain(table: &mut dyn Table, question: &Question) -> ApiResult<Explained> {
    table.restart(question.start.as_deref())?;
    for &mv in &question.history {
        table.play(mv)?;
    }
    let view = table.view();
    let mut rng = question.rng.clone();
    let begun = Instant::now();
    let decision = table.think(&question.mind, &mut rng, question.level.budget(), true)?;
    let ms = begun.elapsed().as_secs_f64() * 1000.0;
    let why = decision.why.clone().unwrap_or_default();
    let chosen = choose(&decision, &why, question.level.temperature, &mut rng);
    let label = view.moves.iter().find(|mv| mv.mv == chosen).map_or(decision.label, |mv| mv.label.clone());
    Ok(Explained {
        ply: question.history.len(),
        mind: question.mind.clone(),
        mv: chosen,
        label,
        moves: explained_moves(table, &view.moves, &why, chosen),
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

/// With a temperature, a draw among the ranking by softmax; its unit is the spread of the values, so that it means the same
/// for winning chances, discs and log-odds.
fn choose(decision: &Decision, why: &Why, temperature: f64, rng: &mut Rng) -> Move {
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

fn explained_moves(table: &mut dyn Table, legal: &[MoveView], why: &Why, chosen: Move) -> Vec<ExplainedMove> {
    let view_of = |mv: Move| legal.iter().find(|view| view.mv == mv);
    why.moves
        .iter()
        .enumerate()
        .filter_map(|(rank, value)| {
            let view = view_of(value.mv)?;
            let shown = rank < MOVES_WITH_REASONS || value.mv == chosen;
            let reasons = if shown { shorten(&value.reasons, why.combine) } else { Vec::new() };
            Some(ExplainedMove {
                mv: value.mv,
                label: view.label.clone(),
                cells: view.cells.clone(),
                value: value.value,
                prior: value.prior,
                visits: value.visits,
                reasons: reasons.iter().map(|reason| explained_reason(table, reason)).collect(),
            })
        })
        .collect()
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
        let view = table.view();
        let found = view.moves.into_iter().find(|known| known.mv == mv);
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

//! Positions without a game: any line of moves from any start, shown and judged. Variations, the editor, links and imports live on this;
//! nothing is kept.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use ludens_core::words::Voice;
use ludens_core::{Front, Move, MoveView, Next, Rng, Side, Table, View};
use serde::{Deserialize, Serialize};

use crate::App;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::sessions::{ask, blocking};
use crate::thinkers::{Level, Question};

/// A move as a client says it: by its number, or as people write it.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Said {
    Number(u32),
    Label(String),
}

/// The longest line that is followed; nobody gets there by playing.
const LONGEST: usize = 1_000;
const LONGEST_TEXT: usize = 20_000;

/// A position: a start and the moves from it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    game: String,
    #[serde(default)]
    start: Option<String>,
    #[serde(default)]
    moves: Vec<Said>,
    /// Where the dice are to fall, they fall by this seed; without it the position waits for them.
    #[serde(default)]
    roll: Option<u32>,
}

/// What a mind is asked of such a position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskMind {
    position: Ask,
    /// Who is asked; the one who gives hints when absent.
    #[serde(default)]
    mind: Option<String>,
    #[serde(default)]
    level: Option<Level>,
    /// A move made here, to be judged.
    #[serde(default)]
    played: Option<u32>,
}

/// One move of the line.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Step {
    pub(crate) mv: Move,
    pub(crate) label: String,
    pub(crate) cells: Vec<u16>,
    /// None: the dice.
    pub(crate) side: Option<Side>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Look {
    view: View,
    steps: Vec<Step>,
    /// The cells of the line that won, where a line wins.
    won: Vec<u16>,
}

/// Plays a move or a roll that was said, and tells what it was.
pub(crate) fn apply(table: &mut dyn Table, said: &Said) -> ApiResult<Step> {
    let before = table.view();
    match said {
        Said::Number(number) => table.play(Move(*number))?,
        Said::Label(label) if before.chance => roll_label(table, label)?,
        Said::Label(label) => table.play_label(label)?,
    }
    let mv = table.history().last().copied().unwrap_or(Move(0));
    let found = before.moves.iter().find(|known| known.mv == mv);
    let written = || table.view().history.pop().unwrap_or_default();
    let (label, cells) = found.map_or_else(
        || (written(), Vec::new()),
        |MoveView { label, cells, .. }| (label.clone(), cells.clone()),
    );
    Ok(Step { mv, label, cells, side: before.to_move })
}

/// The dice as people write them: 3-1 is 31, and a first roll may leave out who starts.
fn roll_label(table: &mut dyn Table, label: &str) -> ApiResult<()> {
    let plain = |text: &str| text.replace([' ', '-', '_'], "").to_ascii_lowercase();
    let (wanted, nexts) = (plain(label), table.nexts());
    let reversed: String = wanted.chars().rev().collect();
    let exact = nexts.iter().find(|next| plain(&next.label) == wanted || plain(&next.label) == reversed);
    let begins =
        |next: &&Next| plain(&next.label).starts_with(&wanted) || plain(&next.label).starts_with(&reversed);
    let found = exact.or_else(|| nexts.iter().find(begins).filter(|_| !wanted.is_empty()));
    let next = found
        .ok_or_else(|| ApiError::bad(format!("{label:?} is no roll of the dice here; write it as 31")))?;
    Ok(table.play(next.mv)?)
}

/// The position set up, and the moves that led there.
fn set_up(table: &mut dyn Table, ask: &Ask) -> ApiResult<Vec<Step>> {
    if ask.start.as_ref().is_some_and(|text| text.len() > LONGEST_TEXT) {
        return Err(ApiError::bad("this position text is too long"));
    }
    if ask.moves.len() > LONGEST {
        return Err(ApiError::bad(format!("a line has {LONGEST} moves at most")));
    }
    table.restart(ask.start.as_deref())?;
    let mut steps = Vec::with_capacity(ask.moves.len());
    for (index, said) in ask.moves.iter().enumerate() {
        let step = apply(table, said);
        steps.push(step.map_err(|error| ApiError {
            message: format!("move {}: {}", index + 1, error.message),
            ..error
        })?);
    }
    if let Some(seed) = ask.roll {
        let (before, mut dice) = (table.history().len(), Rng::stream(u64::from(seed), steps.len() as u64));
        table.roll(&mut dice);
        let labels = table.view().history;
        let rolled = table.history().iter().zip(labels).skip(before);
        steps.extend(rolled.map(|(&mv, label)| Step { mv, label, cells: Vec::new(), side: None }));
    }
    Ok(steps)
}

/// The cells of the lines that the winner has filled.
pub(crate) fn won(front: &dyn Front, view: &View) -> Vec<u16> {
    let winner = match view.score {
        Some(score) if score.0 > 0.0 => Side::First,
        Some(score) if score.0 < 0.0 => Side::Second,
        _ => return Vec::new(),
    };
    let owns = |cell: &u16| {
        view.board.squares.get(usize::from(*cell)).is_some_and(|square| square.side == Some(winner))
    };
    let lines = front.facts().lines;
    let mut cells: Vec<u16> = lines.iter().filter(|line| line.iter().all(owns)).flatten().copied().collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// A position and its legal moves.
pub(crate) async fn show(State(app): State<Arc<App>>, Body(ask): Body<Ask>) -> ApiResult<Response> {
    blocking(move || {
        let front = app.catalog.front(&ask.game)?;
        let mut table = front.table(app.catalog.models());
        let steps = set_up(&mut *table, &ask)?;
        let view = crate::session::listed(&*table, app.config.limits.moves_listed)?;
        let won = won(&*front, &view);
        Ok(Json(Look { view, steps, won }).into_response())
    })
    .await
}

/// The position set up, and what is asked of it.
pub(crate) fn question(app: &App, call: AskMind) -> ApiResult<(Box<dyn Table>, Question)> {
    let AskMind { position, mind, level, played } = call;
    let mut table = app.catalog.open(&position.game)?;
    let steps = set_up(&mut *table, &position)?;
    if table.to_move().is_none() {
        return Err(ApiError::conflict(
            "nobody is to move here: the game is over or the dice are to be rolled",
        ));
    }
    let hint = mind.is_none();
    let mind = mind.map_or_else(|| app.catalog.advisor(&position.game), Ok)?;
    app.catalog.check_mind(&position.game, &mind)?;
    let question = Question {
        rng: Rng::stream(0, steps.len() as u64),
        history: steps.iter().map(|step| step.mv).collect(),
        second: if hint { app.catalog.second_advisor(&position.game) } else { None },
        game: position.game,
        start: position.start,
        mind,
        level: level.unwrap_or_default().checked()?,
        voice: if hint { Voice::ToMover } else { Voice::ToOnlooker },
        hint,
        played: played.map(Move),
    };
    Ok((table, question))
}

/// What a mind thinks of a position.
pub(crate) async fn why(State(app): State<Arc<App>>, Body(call): Body<AskMind>) -> ApiResult<Response> {
    let asked = app.clone();
    let (_, question) = blocking(move || question(&asked, call)).await?;
    Ok(Json(ask(&app, question).await?).into_response())
}

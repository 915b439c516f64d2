//! A search watched while it thinks: lines of JSON, one below the other, from its first glimpse to its answer.
//!
//! A mind that can say in the middle what it thinks is asked once, and shows it (see [`ludens_core::Window`]). One that cannot is asked again
//! and again with twice the states, and the first line says so. The thought ends with the stream: who goes away stops it.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::body::{Body as AnswerBody, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use ludens_core::{Bound, Glimpse, Move, MoveView, Ranking, Table, Window};
use serde::Serialize;
use tokio::sync::mpsc;

use crate::App;
use crate::body::Body;
use crate::client::Client;
use crate::error::{ApiError, ApiResult};
use crate::explain::{Explained, follow, standing};
use crate::look::{AskMind, question};
use crate::sessions::{ask_seen, blocking};
use crate::thinkers::{Level, Question};

/// The shortest time between two glimpses.
const PACE: Duration = Duration::from_millis(120);
/// The states of the small thought that tells whether a mind shows anything before it is done.
const TRY: u64 = 512;
/// What a thought may look at where nobody says: its time ends it.
const MANY: u64 = 100_000_000;
/// The budgets of a mind that is asked again and again.
const AGAIN: std::ops::RangeInclusive<u32> = 4..=18;
/// A thought that took so long is the last of them.
const LONG: Duration = Duration::from_millis(1500);
/// The moves that are shown.
const MOVES: usize = 12;

/// What is seen of a move.
#[derive(Clone, Debug, Serialize)]
struct Seen {
    mv: Move,
    label: String,
    cells: Vec<u16>,
    /// How whoever moves stands after it, by this mind: 0 lost, 1 won.
    standing: Option<f64>,
    /// The value as people read it.
    shown: String,
    visits: Option<u64>,
    bound: Bound,
}

/// One line of the stream.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Line {
    /// Whether this is one thought, or many that each begin anew.
    Begins { live: bool },
    /// How far it has come.
    Count { states: u64, ms: f64 },
    /// What it thinks now: the first of its ranking, and the play it expects.
    Thought { states: u64, ms: f64, moves: Vec<Seen>, line: Vec<String>, line_cells: Vec<Vec<u16>> },
    /// It has decided.
    Answer { states: u64, ms: f64, mv: Move, label: String },
    /// It could not go on.
    Error { code: &'static str, message: String },
}

/// Says what is seen, in the words of the position.
struct Teller {
    table: Box<dyn Table>,
    moves: Vec<MoveView>,
    begun: Instant,
}

impl Teller {
    fn ms(&self) -> f64 {
        self.begun.elapsed().as_secs_f64() * 1000.0
    }

    fn glimpse(&mut self, glimpse: Glimpse) -> Line {
        let (states, ms) = (glimpse.states, self.ms());
        let Some(why) = glimpse.ranking else { return Line::Count { states, ms } };
        let line = why.moves.iter().take(1).flat_map(|best| &best.reasons).map(|reason| &reason.line);
        let line = line.into_iter().find(|line| !line.is_empty()).cloned().unwrap_or_default();
        let (line, line_cells) = follow(&mut *self.table, &line);
        Line::Thought { states, ms, moves: self.moves(&why), line, line_cells }
    }

    fn moves(&self, why: &Ranking) -> Vec<Seen> {
        let seen = |value: &ludens_core::MoveValue| {
            let known = self.moves.iter().find(|known| known.mv == value.mv)?;
            Some(Seen {
                mv: value.mv,
                label: known.label.clone(),
                cells: known.cells.clone(),
                standing: standing(why, value),
                shown: why.scale.shown(value),
                visits: value.visits,
                bound: value.bound,
            })
        };
        why.moves.iter().take(MOVES).filter_map(seen).collect()
    }

    /// A whole answer, as if it were a glimpse.
    fn answered(&self, explained: &Explained) -> Line {
        let chosen = explained.moves.iter().find(|candidate| candidate.mv == explained.mv);
        let line = chosen.and_then(|chosen| chosen.reasons.iter().find(|reason| !reason.line.is_empty()));
        let moves = explained.moves.iter().take(MOVES).map(|known| Seen {
            mv: known.mv,
            label: known.label.clone(),
            cells: known.cells.clone(),
            standing: known.standing,
            shown: known.shown.clone(),
            visits: known.visits,
            bound: known.bound,
        });
        Line::Thought {
            states: explained.cost.states,
            ms: self.ms(),
            moves: moves.collect(),
            line: line.map(|line| line.line.clone()).unwrap_or_default(),
            line_cells: line.map(|line| line.line_cells.clone()).unwrap_or_default(),
        }
    }

    fn answer(&self, explained: &Explained) -> Line {
        let (mv, label) = (explained.mv, explained.label.clone());
        Line::Answer { states: explained.cost.states, ms: self.ms(), mv, label }
    }
}

/// The same question with so many states.
fn within(question: &Question, states: u64) -> Question {
    Question { level: Level { states: Some(states), ..question.level }, ..question.clone() }
}

/// Watches a mind think about a position.
pub(crate) async fn think(State(app): State<Arc<App>>, Body(call): Body<AskMind>) -> ApiResult<Response> {
    let asked = app.clone();
    let (table, question) = blocking(move || question(&asked, call)).await?;
    let question = Question { hint: false, second: None, played: None, ..question };
    let watcher = app.streams.enter(Client::current());
    // What goes wrong at once is said as of any other call.
    let shows = Arc::new(AtomicBool::new(false));
    let told = shows.clone();
    let window = Window::new(Duration::ZERO, move |glimpse| {
        told.fetch_or(glimpse.ranking.is_some(), Ordering::Relaxed);
    });
    let most = question.level.states.unwrap_or(MANY);
    ask_seen(&app, within(&question, most.min(TRY)), Some(window)).await?;
    let live = shows.load(Ordering::Relaxed);
    let (lines, seen) = mpsc::channel(4);
    tokio::spawn(async move {
        let moves = table.view().moves;
        let teller = Teller { table, moves, begun: Instant::now() };
        tokio::select! {
            () = lines.closed() => {}
            () = watcher.wanted() => {}
            () = tell(&app, (within(&question, most), live), teller, &lines) => {}
        }
    });
    Ok(answer(seen))
}

fn answer(seen: mpsc::Receiver<Line>) -> Response {
    let stream = futures_util::stream::unfold(seen, |mut seen| async move {
        let line = seen.recv().await?;
        let text = serde_json::to_string(&line).unwrap_or_default() + "\n";
        Some((Ok::<_, Infallible>(Bytes::from(text)), seen))
    });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    (kind, AnswerBody::from_stream(stream)).into_response()
}

/// Everything there is to see, until it has decided or nobody looks any more.
async fn tell(app: &App, (question, live): (Question, bool), teller: Teller, lines: &mpsc::Sender<Line>) {
    let _ = lines.send(Line::Begins { live }).await;
    let told = if live {
        one_thought(app, question, teller, lines).await
    } else {
        many_thoughts(app, question, teller, lines).await
    };
    if let Err(ApiError { code, message, .. }) = told {
        let _ = lines.send(Line::Error { code, message }).await;
    }
}

async fn one_thought(
    app: &App,
    question: Question,
    mut teller: Teller,
    lines: &mpsc::Sender<Line>,
) -> ApiResult<()> {
    let (show, mut glimpses) = mpsc::channel(4);
    // Who thinks does not wait for who looks: what there is no room for is not seen.
    let window = Window::new(PACE, move |glimpse| drop(show.try_send(glimpse)));
    let thinking = ask_seen(app, question, Some(window));
    tokio::pin!(thinking);
    loop {
        tokio::select! {
            explained = &mut thinking => {
                let explained = explained?;
                let _ = lines.send(teller.answered(&explained)).await;
                let _ = lines.send(teller.answer(&explained)).await;
                return Ok(());
            }
            Some(glimpse) = glimpses.recv() => {
                let line;
                (teller, line) = blocking(move || {
                    let line = teller.glimpse(glimpse);
                    Ok((teller, line))
                })
                .await?;
                let _ = lines.send(line).await;
            }
        }
    }
}

async fn many_thoughts(
    app: &App,
    question: Question,
    teller: Teller,
    lines: &mpsc::Sender<Line>,
) -> ApiResult<()> {
    let most = question.level.states.unwrap_or(MANY);
    for states in AGAIN.map(|power| 1 << power) {
        let begun = Instant::now();
        let explained = ask_seen(app, within(&question, most.min(states)), None).await?;
        let _ = lines.send(teller.answered(&explained)).await;
        // It did not use what it had, or people would wait too long for the next.
        if explained.cost.states < states / 2
            || begun.elapsed() > LONG
            || states >= most
            || states >> AGAIN.end() > 0
        {
            let _ = lines.send(teller.answer(&explained)).await;
            break;
        }
    }
    Ok(())
}

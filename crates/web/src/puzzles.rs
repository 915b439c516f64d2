//! Puzzles, made where the truth is known: a position of which it is proved that just one move wins. How hard it is was measured: how
//! many of the trained players, each at every level of its past, miss that move.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use ludens_core::words::Fate;
use ludens_core::{Budget, Explain, Move, Rng, Stop, Table, View};
use serde::{Deserialize, Serialize};

use crate::App;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::look::{Said, Step, apply};
use crate::sessions::blocking;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPuzzle {
    game: String,
    /// The same seed makes the same puzzle.
    seed: u32,
}

/// A trained player at one level, and whether it finds the move.
#[derive(Clone, Debug, Serialize)]
struct Tried {
    name: String,
    title: String,
    level: usize,
    elo: Option<f64>,
    found: bool,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Puzzle {
    game: String,
    seed: u32,
    /// The moves that lead to the position.
    steps: Vec<Step>,
    view: View,
    answer: Move,
    label: String,
    /// The players that tried it, weakest first.
    tried: Vec<Tried>,
    /// How many of them missed it.
    missed: usize,
}

/// Who proves: the perfect player where there is one, else a search that judges by nothing and sees every end.
const PERFECT: &str = "solver";
const PROOF: &str = "alphabeta:depth=100,heuristic=zero,root=exact";
/// Games that are played to find one, and how far from its end a position lies.
const GAMES: u64 = 400;
const BACK: std::ops::RangeInclusive<usize> = 3..=11;
const LONGEST_GAME: usize = 300;
/// One part of so many of the board must be filled: near the start a proof takes long, and nobody sees that far.
const FILLED: usize = 4;
/// With fewer moves to choose from it is no puzzle.
const FEWEST_MOVES: usize = 3;
/// All of it, the proofs and the players that try.
const TIME: Duration = Duration::from_secs(6);
const PROOF_STATES: u64 = 300_000;

/// Two players that see one move ahead play a game to its end.
fn sensible_game(table: &mut dyn Table, rng: &mut Rng) -> ApiResult<usize> {
    table.restart(None)?;
    let mut plies = 0;
    while !table.is_over() && plies < LONGEST_GAME {
        if table.to_move().is_none() {
            return Err(ApiError::bad(
                "puzzles are made for games without dice: there nobody knows the truth",
            ));
        }
        let decision = table.think("depth1", rng, Budget::Unlimited, Explain::NOTHING)?;
        table.play(decision.mv)?;
        plies += 1;
    }
    Ok(plies)
}

/// The one move that wins here, where it is proved that there is just one.
fn only_win(table: &mut dyn Table, truth: &str, rng: &mut Rng) -> Option<Move> {
    let legal = table.moves();
    let squares = table.view().board.squares;
    let filled = squares.iter().filter(|square| square.count > 0).count();
    if legal.len() < FEWEST_MOVES || filled * FILLED < squares.len() {
        return None;
    }
    let proof = table.think(truth, rng, Budget::States(PROOF_STATES), Explain::NOTHING).ok()?;
    let fates: Option<Vec<(Move, Fate)>> =
        legal.iter().map(|mv| Some((*mv, proof.why.get(*mv)?.fate?))).collect();
    let mut wins = fates?.into_iter().filter(|(_, fate)| *fate == Fate::Won);
    let (only, second) = (wins.next(), wins.next());
    if second.is_none() { only.map(|(mv, _)| mv) } else { None }
}

/// Walks back from the ends of games until a position is one.
fn find(table: &mut dyn Table, truth: &str, seed: u32) -> ApiResult<Option<Move>> {
    for game in 0..GAMES {
        let mut rng = Rng::stream(u64::from(seed), game);
        let plies = sensible_game(table, &mut rng)?;
        // How far back is drawn, so that near and far ones come in turn.
        let back = BACK.start() + rng.below((BACK.end() - BACK.start()) as u32) as usize;
        for _ in 0..back.min(plies) {
            table.undo();
        }
        if let Some(answer) = only_win(table, truth, &mut rng) {
            return Ok(Some(answer));
        }
    }
    Ok(None)
}

/// Everybody who was trained on the game, at each level, weakest first.
fn try_players(app: &App, game: &str, table: &mut dyn Table, answer: Move) -> Vec<Tried> {
    let mut rungs: Vec<_> = app
        .shelf
        .minds_for(game)
        .into_iter()
        .filter(|mind| mind.name.starts_with("zoo:"))
        .flat_map(|mind| mind.levels.into_iter().map(move |level| (mind.title.clone(), level)))
        .collect();
    rungs.sort_by(|(_, a), (_, b)| a.elo.unwrap_or(0.0).total_cmp(&b.elo.unwrap_or(0.0)));
    let tried = rungs.into_iter().filter_map(|(title, level)| {
        let mut rng = Rng::stream(0, 0);
        let decision = table.think(&level.name, &mut rng, Budget::Unlimited, Explain::NOTHING).ok()?;
        Some(Tried {
            found: decision.mv == answer,
            name: level.name,
            title,
            level: level.level,
            elo: level.elo,
        })
    });
    tried.collect()
}

fn make(app: &App, new: &NewPuzzle) -> ApiResult<Puzzle> {
    let front = app.catalog.front(&new.game)?;
    let truth = if front.minds().iter().any(|mind| mind.name == PERFECT) { PERFECT } else { PROOF };
    let mut table = front.table(app.catalog.models());
    table.watched(Stop::new().within(TIME));
    let none = || ApiError::busy("no puzzle was found in time; ask for another one");
    let answer = find(&mut *table, truth, new.seed)?.ok_or_else(none)?;
    let tried = try_players(app, &new.game, &mut *table, answer);
    let view = crate::session::listed(&*table, app.config.limits.moves_listed)?;
    let label = view.moves.iter().find(|known| known.mv == answer).map(|known| known.label.clone());
    let moves = table.history().to_vec();
    table.restart(None)?;
    let steps = moves.iter().map(|mv| apply(&mut *table, &Said::Number(mv.0))).collect::<ApiResult<_>>()?;
    let missed = tried.iter().filter(|player| !player.found).count();
    let NewPuzzle { game, seed } = new.clone();
    Ok(Puzzle { game, seed, steps, view, answer, label: label.unwrap_or_default(), tried, missed })
}

pub(crate) async fn create(State(app): State<Arc<App>>, Body(new): Body<NewPuzzle>) -> ApiResult<Response> {
    // It is work like any thought: it waits for its place.
    let place = app.thinkers.place().await?;
    blocking(move || {
        let _place = place;
        Ok(Json(make(&app, &new)?).into_response())
    })
    .await
}

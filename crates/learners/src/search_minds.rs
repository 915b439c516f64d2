//! The searches as minds that can be named: which heuristic, how deep.

use std::sync::Arc;

use ludens_core::{Game, Mind, MindError, Spec, Turn};
use ludens_games::backgammon::Backgammon;
use ludens_games::connect_four::ConnectFour;
use ludens_search::hand::{ConnectFourLines, Lines, Pips, Weighted};
use ludens_search::{AlphaBeta, GuidedUct, Heuristic, Limits, Uct, UctSettings, Zero};

use crate::concepts::ConceptHeuristic;
use crate::nhb;
use crate::registry::{MindEntry, only_for};

type Made<G> = Result<Box<dyn Mind<G>>, MindError>;

const HEURISTICS: &str =
    "auto, zero, lines, pieces, positional, pips, concepts, learnt or a model file of nhb";

const GUIDES: &str = "concepts, learnt or a model file of nhb";

const HEURISTIC: &str = "auto, zero, lines, pieces, positional, pips, concepts (learnt on the spot), learnt (nhb's from the zoo) \
     or a model file of nhb (auto: the best hand-made one for the game)";

pub(crate) fn alphabeta<G: Game>() -> MindEntry<G> {
    MindEntry {
        name: "alphabeta",
        summary: "alpha-beta with iterative deepening and a heuristic, made by hand or learnt by nhb",
        settings: &[
            ("depth", "plies to look ahead (6; none when there is a budget)"),
            ("states", "states a move (no limit)"),
            ("heuristic", HEURISTIC),
            ("root", "best, or exact: every move of the position gets its exact value (best)"),
        ],
        make: |game, spec| {
            let limits = limits(spec, None)?;
            with_heuristic(game, spec, limits)
        },
    }
}

pub(crate) fn expectimax<G: Game>() -> MindEntry<G> {
    MindEntry {
        name: "expectimax",
        summary: "the same for games with dice: the mean over every throw",
        settings: &[
            ("depth", "moves to look ahead, dice not counted (2; none when there is a budget)"),
            ("states", "states a move (no limit)"),
            ("heuristic", HEURISTIC),
            ("root", "best, or exact: every move of the position gets its exact value (best)"),
        ],
        make: |game, spec| {
            let limits = limits(spec, Some(2))?;
            with_heuristic(game, spec, limits)
        },
    }
}

pub(crate) fn uct<G: Game>() -> MindEntry<G> {
    MindEntry {
        name: "uct",
        summary: "Monte Carlo tree search with random games, and with a heuristic that speaks first if one is named",
        settings: &[
            ("sims", "simulations a move (1000 when there is no budget)"),
            ("states", "states a move (no limit)"),
            ("c", "how much doubt counts (1)"),
            (
                "heuristic",
                "concepts (learnt on the spot), learnt (nhb's from the zoo) or a model file of nhb (none)",
            ),
            ("weight", "how many random games the word of the heuristic counts as (3)"),
        ],
        make: |game, spec| {
            let settings = UctSettings {
                c: spec.take_in("c", UctSettings::default().c, 0.0..=100.0)?,
                simulations: spec.take("sims", "a number of simulations")?,
                states: spec.take("states", "a number of states")?,
            };
            let weight = spec.take_in("weight", 3.0, 0.1..=10_000.0)?;
            let name: Option<String> = spec.take("heuristic", GUIDES)?;
            match name.as_deref() {
                None => Ok(Box::new(Uct::new(settings))),
                Some("concepts") => guided(ConceptHeuristic::learn(game.as_ref())?, settings, weight),
                Some("learnt") => guided(nhb::entries::learnt(&**game, None)?, settings, weight),
                Some(file) if file.ends_with(".safetensors") => {
                    guided(nhb::entries::learnt(&**game, Some(file))?, settings, weight)
                }
                Some(other) => Err(spec.wrong("heuristic", other, GUIDES).into()),
            }
        },
    }
}

fn guided<G: Game, H: Heuristic<G> + 'static>(heuristic: H, settings: UctSettings, weight: f32) -> Made<G> {
    Ok(Box::new(GuidedUct::new(settings, heuristic, weight)))
}

fn limits(spec: &mut Spec, default_depth: Option<u32>) -> Result<Limits, MindError> {
    let states: Option<u64> = spec.take("states", "a number of states")?;
    let deepest = ludens_search::alphabeta::MAX_DEPTH;
    let depth: Option<u32> = match spec.take::<u32>("depth", "a number of plies")? {
        Some(depth) if (1..=deepest).contains(&depth) => Some(depth),
        Some(depth) => {
            return Err(spec.wrong("depth", &depth.to_string(), &format!("from 1 to {deepest}")).into());
        }
        None if states.is_none() => default_depth,
        None => None,
    };
    let root: String = spec.take_or("root", "best".into(), "best or exact")?;
    let exact_root = match root.as_str() {
        "best" => false,
        "exact" => true,
        other => return Err(spec.wrong("root", other, "best or exact").into()),
    };
    Ok(Limits { depth, states, exact_root })
}

fn search<G: Game, H: Heuristic<G> + 'static>(heuristic: H, limits: Limits) -> Made<G> {
    Ok(Box::new(AlphaBeta::new(heuristic, limits)))
}

/// Each heuristic makes another type of search, so that nothing inside is behind a `dyn`.
fn with_heuristic<G: Game>(game: &Arc<G>, spec: &mut Spec, limits: Limits) -> Made<G> {
    let name: String = spec.take_or("heuristic", "auto".into(), HEURISTICS)?;
    let wanted = if name == "auto" { best_for(game.as_ref()) } else { name.as_str() };
    let wrong_game = |reason: &str| {
        Err(MindError::WrongGame {
            mind: format!("{}:heuristic={wanted}", spec.name),
            game: game.id(),
            reason: reason.into(),
        })
    };
    match wanted {
        "zero" => search(Zero, limits),
        "learnt" => search(nhb::entries::learnt(&**game, None)?, limits),
        file if file.ends_with(".safetensors") => search(nhb::entries::learnt(&**game, Some(file))?, limits),
        "lines" if game.id() == "connect-four" => {
            only_for(game, "lines", "it reads the board of connect-four", |_: Arc<ConnectFour>| {
                search(ConnectFourLines::default(), limits)
            })
        }
        "lines" => match Lines::for_game(game.as_ref()) {
            Some(lines) => search(lines, limits),
            None => wrong_game("it is not a game of k in a line"),
        },
        "pieces" => search(Weighted::pieces(game.encoding_len()), limits),
        "positional" if game.id() == "reversi" => search(Weighted::positional(), limits),
        "positional" => wrong_game("the table is for reversi"),
        "pips" => {
            only_for(game, "pips", "it counts pips of backgammon", |_: Arc<Backgammon>| search(Pips, limits))
        }
        "concepts" => search(ConceptHeuristic::learn(game.as_ref())?, limits),
        other => Err(spec.wrong("heuristic", other, HEURISTICS).into()),
    }
}

fn best_for<G: Game>(game: &G) -> &'static str {
    match game.id().as_str() {
        "reversi" => "positional",
        "backgammon" => "pips",
        _ if game.turn(&game.start()) != Turn::Chance && Lines::for_game(game).is_some() => "lines",
        _ => "zero",
    }
}

//! The backgammon players by name.

use std::sync::Arc;

use ludens_core::{Cost, Ctx, Game, Learner, Meter, Mind, MindError, Move, Rng, Spec};
use ludens_games::backgammon::{Backgammon, Position};

use super::gnubg::Gnubg;
use super::improved::Improved;
use super::lines::LineOdds;
use super::pubeval::Pubeval;
use super::published::ActR;
use super::{gnubg, hc, improved, lines, published, rehearsed, td};
use crate::registry::{LearnerEntry, MindEntry, learner_only_for, only_for};

/// Why these refuse other games.
const BACKGAMMON_ONLY: &str = "it was made for backgammon";

/// An entry for a learner that plays backgammon only and is made from its module's `Settings`.
macro_rules! learner {
    ($module:ident :: $player:ident, $summary:literal) => {
        LearnerEntry {
            name: $module::NAME,
            summary: $summary,
            settings: $module::SETTINGS,
            make: |game, spec| {
                let settings = $module::Settings::from_spec(spec)?;
                learner_only_for(game, $module::NAME, BACKGAMMON_ONLY, |_: Arc<Backgammon>| {
                    Ok(Box::new($module::$player::new(settings)))
                })
            },
            load: |game, model| {
                learner_only_for(game, $module::NAME, BACKGAMMON_ONLY, |game: Arc<Backgammon>| {
                    Ok(Box::new($module::$player::load(&game, model)?))
                })
            },
        }
    };
}

/// The settings of `actr` as a mind: who, and how he was taught.
const ACTR_SETTINGS: &[(&str, &str)] = &[
    ("variant", "published (default), literal or improved"),
    ("games", "games against pubeval it is taught in before it plays, about a second a thousand (1000)"),
    ("seed", "of the teaching (1)"),
];

/// A mind that is made when it is first asked: lists of minds make every one of them, and should not have to wait for a
/// training or start another program.
struct Late<F> {
    make: F,
    mind: Option<Box<dyn Mind<Backgammon>>>,
}

impl<F: FnMut() -> Box<dyn Mind<Backgammon>> + Send> Mind<Backgammon> for Late<F> {
    fn choose(&mut self, game: &Backgammon, state: &Position, ctx: &mut Ctx) -> Move {
        self.mind.get_or_insert_with(&mut self.make).choose(game, state, ctx)
    }

    fn new_game(&mut self) {
        if let Some(mind) = &mut self.mind {
            mind.new_game();
        }
    }

    fn ledger(&self) -> Cost {
        self.mind.as_ref().map(|mind| mind.ledger()).unwrap_or_default()
    }
}

/// A player fresh from its training.
fn taught<L: Learner<Backgammon> + 'static>(
    mut player: L,
    games: u64,
    seed: u64,
) -> Box<dyn Mind<Backgammon>> {
    for game in 0..games {
        let (mut rng, mut meter) = (Rng::stream(seed, game), Meter::unlimited());
        player.step(&Backgammon, &mut Ctx::new(&mut rng, &mut meter));
    }
    Box::new(player)
}

fn make_actr(spec: &mut Spec) -> Result<Box<dyn Mind<Backgammon>>, MindError> {
    let variant: String = spec.take_or("variant", "published".into(), "published, literal or improved")?;
    let games: u64 = spec.take_or("games", 1_000, "a whole number")?;
    let seed: u64 = spec.take_or("seed", 1, "a whole number")?;
    if !["published", "literal", "improved"].contains(&variant.as_str()) {
        return Err(spec.wrong("variant", &variant, "published, literal or improved").into());
    }
    let make = move || match variant.as_str() {
        "literal" => taught(ActR::new(published::Settings::literal()), games, seed),
        "improved" => {
            let settings = improved::Settings { games: games.max(1), ..improved::Settings::default() };
            taught(Improved::new(settings), games, seed)
        }
        _ => taught(ActR::new(published::Settings::published()), games, seed),
    };
    Ok(Box::new(Late { make, mind: None }))
}

fn make_gnubg(spec: &mut Spec) -> Result<Box<dyn Mind<Backgammon>>, MindError> {
    let plies: u8 = spec.take_or("plies", 0, "0 to 3")?;
    gnubg::find().map_err(|error| MindError::Other(error.to_string()))?;
    let make = move || -> Box<dyn Mind<Backgammon>> {
        match Gnubg::start(plies.min(3)) {
            Ok(gnubg) => Box::new(gnubg),
            Err(error) => {
                eprintln!("{error}; pubeval plays in its place");
                Box::<Pubeval>::default()
            }
        }
    };
    Ok(Box::new(Late { make, mind: None }))
}

pub fn minds<G: Game>() -> Vec<MindEntry<G>> {
    vec![
        MindEntry {
            name: published::NAME,
            summary: "backgammon: ACT-R-Gammon, taught on the spot; actr:improved is our best under 50 chunks",
            settings: ACTR_SETTINGS,
            make: |game, spec| only_for(game, published::NAME, BACKGAMMON_ONLY, |_| make_actr(spec)),
        },
        MindEntry {
            name: "pubeval",
            summary: "backgammon: Gerald Tesauro's linear benchmark player",
            settings: &[],
            make: |game, _| only_for(game, "pubeval", BACKGAMMON_ONLY, |_| Ok(Box::<Pubeval>::default())),
        },
        MindEntry {
            name: "gnubg",
            summary: "backgammon: GNU Backgammon, started and asked over its socket",
            settings: gnubg::SETTINGS,
            make: |game, spec| only_for(game, "gnubg", BACKGAMMON_ONLY, |_| make_gnubg(spec)),
        },
    ]
}

pub fn learners<G: Game>() -> Vec<LearnerEntry<G>> {
    vec![
        learner!(published::ActR, "backgammon: ACT-R-Gammon of paper 004, odds of attack, expose and block"),
        learner!(improved::Improved, "backgammon: our best with fewer than 50 chunks and 1,000 games"),
        learner!(rehearsed::Rehearsed, "backgammon: our best with 1,000 games, which it rehearses"),
        learner!(td::Td, "backgammon: a network trained by TD(λ) against itself"),
        learner!(hc::HillClimber, "backgammon: HC-Gammon, hill climbing from a network of zeros"),
        LearnerEntry {
            name: lines::NAME,
            summary: "the odds memory of actr over the lines of any board, or over concepts",
            settings: lines::SETTINGS,
            make: |game, spec| Ok(Box::new(LineOdds::new(&**game, lines::Settings::from_spec(spec)?)?)),
            load: |game, model| Ok(Box::new(LineOdds::load(&**game, model)?)),
        },
    ]
}

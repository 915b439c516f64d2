//! Who chooses a move, and who learns to choose better.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Cost, Game, Memory, Meter, Model, ModelError, Move, Ranking, Rng, SpecError, Stopped};

/// What a mind is given besides the position.
#[derive(Debug)]
pub struct Ctx<'a> {
    /// Derived from (seed, step): there is no other randomness anywhere.
    pub rng: &'a mut Rng,
    /// Budget in, cost out.
    pub meter: &'a mut Meter,
    /// Whose reasons are wanted; the values and the cost are the same without them.
    pub explain: Explain,
}

/// Of how many moves the reasons are wanted, the decision first, then the best of the others. Reasons can take longer than deciding: who
/// shows two moves need not pay for forty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Explain(u32);

impl Explain {
    /// No reasons.
    pub const NOTHING: Explain = Explain(0);
    /// Those of the decision and of its nearest rival: what one says of a move.
    pub const DECISION: Explain = Explain(2);
    /// Those of every move.
    pub const EVERYTHING: Explain = Explain(u32::MAX);

    /// Those of the decision and of the best others, so many in all.
    pub const fn best(moves: u32) -> Explain {
        Explain(moves)
    }

    /// Whether any reason is wanted.
    pub fn is_wanted(self) -> bool {
        self > Explain::NOTHING
    }

    pub(crate) fn moves(self) -> usize {
        self.0 as usize
    }
}

impl<'a> Ctx<'a> {
    /// A decision without reasons.
    pub fn new(rng: &'a mut Rng, meter: &'a mut Meter) -> Ctx<'a> {
        Ctx { rng, meter, explain: Explain::NOTHING }
    }

    /// A decision with the reasons of every move.
    pub fn explained(rng: &'a mut Rng, meter: &'a mut Meter) -> Ctx<'a> {
        Ctx { rng, meter, explain: Explain::EVERYTHING }
    }
}

/// Somebody who can be asked for a move.
pub trait Mind<G: Game>: Send {
    /// A value for every legal move in `state`, where a player is to move. Every state looked at is paid for with
    /// [`Meter::visit`] (or `add_states`). A mind that cannot go on says so: nobody stands in for it.
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError>;

    /// Forgets what was gathered during earlier games (hash tables, trees), never what was learnt: after
    /// this the ranking depends on nothing but the position and the `ctx`.
    fn new_game(&mut self) {}

    /// Judges from now on as if the inputs for which `muted` is true were not there (their numbers are those of
    /// [`crate::Reason::input`]); muting none gives back all. False: this mind has no such inputs. It is how the reasons of
    /// minds that search are put to the test.
    fn mute(&mut self, _muted: &dyn Fn(u32) -> bool) -> bool {
        false
    }

    /// What the mind has consumed to become what it is: games of experience, chunks of memory.
    fn ledger(&self) -> Cost {
        Cost::default()
    }
}

/// The move a mind decides on: the best of its ranking.
pub fn decide<G: Game>(
    mind: &mut (impl Mind<G> + ?Sized),
    game: &G,
    state: &G::State,
    ctx: &mut Ctx,
) -> Result<Move, MindError> {
    mind.rank(game, state, ctx)?.decide().ok_or(MindError::NoMove)
}

impl<G: Game> Mind<G> for Box<dyn Mind<G>> {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        (**self).rank(game, state, ctx)
    }
    fn new_game(&mut self) {
        (**self).new_game();
    }
    fn mute(&mut self, muted: &dyn Fn(u32) -> bool) -> bool {
        (**self).mute(muted)
    }
    fn ledger(&self) -> Cost {
        (**self).ledger()
    }
}

/// A number worth plotting while learning goes on: an error, a winning share, a pool size.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measure {
    /// What it is called on the curve.
    pub name: String,
    /// What was measured.
    pub value: f64,
}

impl Measure {
    /// A measure of this step.
    pub fn new(name: &str, value: f64) -> Measure {
        Measure { name: name.into(), value }
    }
}

/// A mind that improves by experience. Everything it needs to go on is in its model: a training that is
/// saved, loaded and continued gives the same bytes as one that was never interrupted.
pub trait Learner<G: Game>: Mind<G> {
    /// One unit of experience (a game, an epoch, a generation); what it was is the learner's to say. The measures go into the
    /// learning curve. A step that the meter's [`crate::Stop`] ends is an error, and the learner is of no use any more.
    fn step(&mut self, game: &G, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError>;

    /// How many steps a training takes when nobody says otherwise.
    fn default_steps(&self) -> u64;

    /// True once further steps would change nothing (a plateau, the end of a schedule).
    fn finished(&self) -> bool {
        false
    }

    /// The whole state of the learner: tensors, parameters, ledger.
    fn save(&self) -> Model;

    /// As [`Learner::save`], without what only further training needs: what is shipped to be played against.
    fn save_for_play(&self) -> Model {
        self.save()
    }

    /// What it remembers thing by thing, where it remembers so.
    fn memory(&self, _game: &G) -> Option<Memory> {
        None
    }

    /// The learner a model holds.
    fn load(game: &G, model: &Model) -> Result<Self, ModelError>
    where
        Self: Sized;
}

/// Why a mind could not be made, or could not go on.
#[derive(Debug, Error)]
pub enum MindError {
    /// Nobody of that name.
    #[error("there is no mind called {name:?}; `ludens minds` lists them{}", did_you_mean(.near))]
    Unknown {
        /// The name asked for.
        name: String,
        /// A name that differs by a slip of the finger.
        near: Option<String>,
    },
    /// The mind needs something the game does not have.
    #[error("{mind} does not play {game}: {reason}. `ludens minds --game {game}` lists those that do")]
    WrongGame {
        /// The mind asked for.
        mind: String,
        /// The game it was asked to play.
        game: String,
        /// What is missing.
        reason: String,
    },
    /// Settings that do not fit.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A model that does not load.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// It was ended before it was done.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A mind was asked where there is nothing to choose.
    #[error("there is no legal move to choose from")]
    NoMove,
    /// A mind that cannot go on: its program has gone, its file has vanished.
    #[error("{mind} cannot go on: {problem}")]
    Stuck {
        /// Who.
        mind: String,
        /// What happened, and what to do about it.
        problem: String,
    },
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
}

fn did_you_mean(near: &Option<String>) -> String {
    near.as_ref().map(|name| format!(" (did you mean {name:?}?)")).unwrap_or_default()
}

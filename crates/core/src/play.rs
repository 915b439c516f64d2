//! The one loop that plays a game, and the hall in which minds of any game meet.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Budget, Ctx, Game, Meter, Mind, MindError, Model, Move, Rng, Score, Side, Stop, Turn};

/// Plays on from `state` until the game is over or `longest` moves (dice included) were applied: dice come from `dice`, moves from
/// `choose`, and `applied` sees each before the next is asked for. None where the game was cut.
pub fn play_on<G: Game, E>(
    game: &G,
    state: &mut G::State,
    longest: u64,
    dice: &mut Rng,
    mut choose: impl FnMut(&G::State, Side) -> Result<Move, E>,
    mut applied: impl FnMut(Move, &G::State),
) -> Result<Option<Score>, E> {
    let mut outcomes = Vec::new();
    let mut plies = 0;
    loop {
        let mv = match game.turn(state) {
            Turn::Over(score) => return Ok(Some(score)),
            _ if plies >= longest => return Ok(None),
            Turn::Chance => {
                game.chance(state, &mut outcomes);
                dice.outcome(&outcomes)
            }
            Turn::Player(side) => choose(state, side)?,
        };
        game.apply(state, mv);
        plies += 1;
        applied(mv, state);
    }
}

/// Random moves after which the game is still going. Where games are too short for `plies`, fewer.
pub fn random_opening<G: Game>(game: &G, plies: u32, rng: &mut Rng) -> Vec<Move> {
    const ATTEMPTS: u32 = 100;
    for wanted in (1..=plies).rev() {
        for _ in 0..ATTEMPTS {
            if let Some(opening) = try_opening(game, wanted, rng) {
                return opening;
            }
        }
    }
    Vec::new()
}

fn try_opening<G: Game>(game: &G, plies: u32, rng: &mut Rng) -> Option<Vec<Move>> {
    let mut state = game.start();
    let mut opening = Vec::new();
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    let mut chosen = 0;
    while chosen < plies {
        let mv = match game.turn(&state) {
            Turn::Over(_) => return None,
            Turn::Chance => {
                game.chance(&state, &mut outcomes);
                rng.outcome(&outcomes)
            }
            Turn::Player(_) => {
                chosen += 1;
                game.moves(&state, &mut moves);
                moves[rng.below(moves.len() as u32) as usize]
            }
        };
        game.apply(&mut state, mv);
        opening.push(mv);
    }
    (!game.turn(&state).is_over()).then_some(opening)
}

/// Everything one game depends on besides the two minds.
#[derive(Clone, Debug)]
pub struct Setting<'a> {
    /// Moves applied before anybody is asked.
    pub opening: &'a [Move],
    /// Of the minds: decision number n draws from the stream (seed, n).
    pub seed: u64,
    /// The dice.
    pub dice: Rng,
    /// What a decision may cost.
    pub budget: Budget,
    /// A game still going after so many moves is cut.
    pub longest: u32,
    /// The share of decisions that are not asked for: any legal move is drawn instead, for both alike.
    pub random_moves: f64,
}

/// One game as it was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// Everything applied after the opening, dice included.
    pub moves: Vec<Move>,
    /// As the first player sees it; a draw where the game was cut.
    pub score: Score,
    /// Cut at the limit of moves.
    pub cut: bool,
    /// Decisions made, by the first and by the second player.
    pub decisions: [u64; 2],
    /// States they examined.
    pub states: [u64; 2],
}

/// Why a game ended without a result.
#[derive(Debug, Error)]
pub enum PlayError {
    /// A mind could not be made, or could not go on.
    #[error("{error}")]
    Mind {
        /// The number of the entrant.
        entrant: usize,
        /// What it said.
        error: MindError,
    },
    /// A mind chose what the rules forbid.
    #[error("it chose the illegal move {mv} in {position}: this is a bug in the mind")]
    Illegal {
        /// The number of the entrant.
        entrant: usize,
        /// The move.
        mv: u32,
        /// Where.
        position: String,
    },
}

/// Who takes part: a mind by its name, or a model at hand.
#[derive(Clone, Debug)]
pub enum Entrant {
    /// `name:key=value,…`, or a model file.
    Named(String),
    /// A trained player.
    Model(Arc<Model>),
}

/// Minds of one game, made when they are first needed, ready to meet each other. Each thread has a hall of its own.
pub trait Hall {
    /// A game between two entrants.
    fn play(&mut self, first: usize, second: usize, setting: Setting) -> Result<Played, PlayError>;
    /// A random opening.
    fn opening(&self, plies: u32, rng: &mut Rng) -> Vec<Move>;
    /// The moves of a game from its start as people write them.
    fn labels(&self, line: &[Move]) -> Vec<String>;
    /// Makes an entrant, to learn at once whether that can be done.
    fn prepare(&mut self, entrant: usize) -> Result<(), MindError>;
}

type MakeEntrant<G> = Box<dyn Fn() -> Result<Box<dyn Mind<G>>, MindError> + Send + Sync>;

/// The hall of a game, from closures that make the minds.
pub struct HallOf<G: Game> {
    game: Arc<G>,
    makers: Vec<MakeEntrant<G>>,
    minds: Vec<Option<Box<dyn Mind<G>>>>,
    stop: Stop,
}

impl<G: Game> std::fmt::Debug for HallOf<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HallOf").field("game", &self.game.id()).field("minds", &self.makers.len()).finish()
    }
}

impl<G: Game> HallOf<G> {
    /// An empty hall.
    pub fn new(game: Arc<G>) -> HallOf<G> {
        HallOf { game, makers: Vec::new(), minds: Vec::new(), stop: Stop::default() }
    }

    /// With somebody who may end its games.
    #[must_use]
    pub fn watched(mut self, stop: &Stop) -> HallOf<G> {
        self.stop = stop.clone();
        self
    }

    /// With one more entrant.
    #[must_use]
    pub fn with(
        mut self,
        make: impl Fn() -> Result<Box<dyn Mind<G>>, MindError> + Send + Sync + 'static,
    ) -> HallOf<G> {
        self.makers.push(Box::new(make));
        self.minds.push(None);
        self
    }

    fn take(&mut self, entrant: usize) -> Result<Box<dyn Mind<G>>, PlayError> {
        match self.minds[entrant].take() {
            Some(mind) => Ok(mind),
            None => (self.makers[entrant])().map_err(|error| PlayError::Mind { entrant, error }),
        }
    }
}

impl<G: Game> Hall for HallOf<G> {
    fn play(&mut self, first: usize, second: usize, setting: Setting) -> Result<Played, PlayError> {
        let entrants = [first, second];
        let mut minds = [self.take(first)?, self.take(second)?];
        let played = play_minds(&*self.game, &mut minds, entrants, setting, &self.stop);
        let [one, two] = minds;
        self.minds[first] = Some(one);
        self.minds[second] = Some(two);
        played
    }

    fn opening(&self, plies: u32, rng: &mut Rng) -> Vec<Move> {
        random_opening(&*self.game, plies, rng)
    }

    fn labels(&self, line: &[Move]) -> Vec<String> {
        let mut state = self.game.start();
        let mut label = |&mv: &Move| {
            let label = self.game.label(&state, mv);
            self.game.apply(&mut state, mv);
            label
        };
        line.iter().map(&mut label).collect()
    }

    fn prepare(&mut self, entrant: usize) -> Result<(), MindError> {
        if self.minds[entrant].is_none() {
            self.minds[entrant] = Some((self.makers[entrant])()?);
        }
        Ok(())
    }
}

/// Tells the stream of random moves from that of the minds.
const RANDOM_MOVES: u64 = 0x5a17_d0e5_91c3_42b7;

fn play_minds<G: Game>(
    game: &G,
    minds: &mut [Box<dyn Mind<G>>; 2],
    entrants: [usize; 2],
    setting: Setting,
    stop: &Stop,
) -> Result<Played, PlayError> {
    let mut state = game.start();
    for &mv in setting.opening {
        game.apply(&mut state, mv);
    }
    minds.iter_mut().for_each(|mind| mind.new_game());
    let (mut moves, mut legal) = (Vec::new(), Vec::new());
    let (mut decisions, mut states) = ([0; 2], [0; 2]);
    let mut dice = setting.dice;
    // `applied` counts the plies that `choose` needs for its stream.
    let plies = std::cell::Cell::new(0u64);
    let choose = |state: &G::State, side: Side| {
        let (who, entrant) = (side.index(), entrants[side.index()]);
        // Its own stream for every decision: a single one can be repeated without the game before it.
        let mut rng = Rng::stream(setting.seed, plies.get());
        if setting.random_moves > 0.0 {
            // A stream of its own: with no random moves the minds draw as they always did.
            let mut draws = Rng::stream(setting.seed ^ RANDOM_MOVES, plies.get());
            if draws.unit() < setting.random_moves {
                game.moves(state, &mut legal);
                return Ok(legal[draws.below(legal.len() as u32) as usize]);
            }
        }
        let mut meter = Meter::watched(setting.budget, stop.clone());
        let mv = crate::decide(&mut minds[who], game, state, &mut Ctx::new(&mut rng, &mut meter))
            .map_err(|error| PlayError::Mind { entrant, error })?;
        decisions[who] += 1;
        states[who] += meter.cost().states;
        // What was decided in haste is no part of a game.
        stop.check().map_err(|stopped| PlayError::Mind { entrant, error: stopped.into() })?;
        game.moves(state, &mut legal);
        if legal.contains(&mv) {
            return Ok(mv);
        }
        Err(PlayError::Illegal { entrant, mv: mv.0, position: game.text(state) })
    };
    let applied = |mv, _: &G::State| {
        moves.push(mv);
        plies.set(moves.len() as u64);
    };
    let score = play_on(game, &mut state, u64::from(setting.longest), &mut dice, choose, applied)?;
    Ok(Played { moves, score: score.unwrap_or(Score::DRAW), cut: score.is_none(), decisions, states })
}

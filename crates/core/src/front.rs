//! One front for a game: what everything above sees of it, whatever its type. Only whole decisions, games, steps of training and
//! counts pass through here; the nodes of a search never do.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::laws::{self, BrokenLaw};
use crate::{
    About, Around, Cost, Ctx, Entrant, Entries, Facts, Game, GameAbout, Hall, HallOf, Learner, Made,
    MadeLearner, Measure, Memory, MindError, Model, ModelError, Position, PositionError, PositionOf,
    Recorder, Rng, Seat, Spec, Stop, Table, TableOf, perft,
};

/// What is counted below a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Move sequences of this many plies, shorter finished games included.
    Sequences(u32),
    /// Distinct positions, ply by ply down to this one.
    Distinct(u32),
    /// Whole games, however long.
    Games,
}

/// The sum of many random games.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Playouts {
    /// How many.
    pub games: u64,
    /// Moves in all of them, dice included.
    pub plies: u64,
    /// Their scores as the first player sees them, added up.
    pub score: f64,
}

/// Models that somebody holds in memory under names of his own.
pub trait Models: Send + Sync {
    /// The model called so, if there is one.
    fn find(&self, name: &str) -> Option<Arc<Model>>;
    /// True: minds are found here and in the lists only, and no name is ever taken for a file.
    fn only_lists(&self) -> bool;
}

/// Nobody's models: names and files.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoModels;

impl Models for NoModels {
    fn find(&self, _: &str) -> Option<Arc<Model>> {
        None
    }

    fn only_lists(&self) -> bool {
        false
    }
}

/// A learner with its game, the type of which nobody needs to know.
pub trait Trainee: Send {
    /// One unit of experience, see [`Learner::step`].
    fn step(&mut self, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError>;
    /// How many steps a training takes when nobody says otherwise.
    fn default_steps(&self) -> u64;
    /// True once further steps would change nothing.
    fn finished(&self) -> bool;
    /// The whole state.
    fn save(&self) -> Model;
    /// What is shipped to be played against.
    fn save_for_play(&self) -> Model;
    /// What it has consumed.
    fn ledger(&self) -> Cost;
    /// What it remembers thing by thing, see [`Learner::memory`].
    fn memory(&self) -> Option<Memory>;
}

/// A game as everything above sees it: native, from rules, or a user's own.
pub trait Front: Send + Sync {
    /// The name by which models and tournaments know it.
    fn id(&self) -> String;
    /// What a list shows.
    fn about(&self) -> &GameAbout;
    /// What it states about itself.
    fn facts(&self) -> Facts;
    /// Everybody who may be able to play it at once.
    fn minds(&self) -> Vec<About>;
    /// Everybody who may be able to learn it.
    fn learners(&self) -> Vec<About>;
    /// Fails, with the reason, unless the mind can be made before `stop` ends it.
    fn check_mind(&self, text: &str, models: &Arc<dyn Models>, stop: &Stop) -> Result<(), MindError>;
    /// A table to play and think at.
    fn table(&self, models: Arc<dyn Models>) -> Box<dyn Table>;
    /// A hall in which these meet; `stop` may end the making of a mind and its decisions.
    fn hall(&self, entrants: &[Entrant], models: &Arc<dyn Models>, stop: &Stop) -> Box<dyn Hall>;
    /// A new learner.
    fn learner(&self, spec: Spec) -> Result<Box<dyn Trainee>, MindError>;
    /// The learner that a model holds.
    fn load(&self, model: &Model) -> Result<Box<dyn Trainee>, MindError>;
    /// Counts below a position, or below the start.
    fn count(&self, position: Option<&str>, what: Count) -> Result<Vec<u64>, PositionError>;
    /// So many random games in a row, all from this stream.
    fn playouts(&self, games: u64, rng: &mut Rng) -> Playouts;
    /// As many as there are places, from this stream: the score of each as the first player sees it, and its moves.
    fn playouts_into(&self, rng: &mut Rng, scores: &mut [f32], plies: &mut [u32]);
    /// Random games with all their positions.
    fn recorder(&self) -> &dyn Recorder;
    /// The start, or the position of a text, to step through move by move.
    fn position(&self, text: Option<&str>) -> Result<Box<dyn Position>, PositionError>;
    /// How many inputs a network has, see [`Game::encode`].
    fn encoding_len(&self) -> usize;
    /// What every number of a move is below, where the game says so, see [`Game::move_limit`].
    fn move_limit(&self) -> Option<u32>;
    /// An upper bound on the plies of a game, where there is one.
    fn max_plies(&self) -> Option<u32>;
    /// The laws of every game on these random games, see [`laws::check_games`].
    fn check_laws(&self, numbers: Range<u64>, seed: u64) -> Result<(), BrokenLaw>;
    /// Its own way of playing random games against the plain one, see [`laws::check_playouts`].
    fn check_playouts(&self, games: u64, seed: u64) -> Result<(), BrokenLaw>;
    /// The laws of positions on any text, see [`laws::check_text`].
    fn check_text(&self, text: &str) -> Result<(), BrokenLaw>;
}

impl fmt::Debug for dyn Front {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Front").field(&self.id()).finish()
    }
}

/// The front of any game.
pub struct FrontOf<G: Game>(Arc<Inside<G>>);

struct Inside<G: Game> {
    game: Arc<G>,
    about: GameAbout,
    entries: Arc<Entries<G>>,
    around: Arc<Around>,
}

impl<G: Game> FrontOf<G> {
    /// A game, who plays it, and what is around it.
    pub fn new(game: Arc<G>, entries: Arc<Entries<G>>, around: Arc<Around>) -> FrontOf<G> {
        FrontOf(Arc::new(Inside { about: game.about(), game, entries, around }))
    }
}

impl<G: Game> fmt::Debug for FrontOf<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FrontOf").field(&self.0.game.id()).finish()
    }
}

impl<G: Game> Inside<G> {
    fn seat<'a>(&'a self, stop: &'a Stop) -> Seat<'a, G> {
        Seat { game: &self.game, around: &self.around, stop }
    }

    /// The mind called `text`: a model held in memory, a mind or a learner of the lists, one of the zoo, or a model file.
    fn mind(&self, text: &str, models: &dyn Models, stop: &Stop) -> Made<G> {
        if let Some(model) = models.find(text) {
            return Ok(self.load(&model)?);
        }
        let path = Path::new(text);
        // A setting of a named mind may be a file too.
        let named = text.split_once(':').is_some_and(|(name, _)| self.knows(name));
        if !models.only_lists() && !named && (text.ends_with(".safetensors") || path.is_file()) {
            let in_file = |error| match error {
                MindError::Model(error) => error.in_file(path).into(),
                other => other,
            };
            return Ok(self.load(&Model::load(path)?).map_err(in_file)?);
        }
        let mut spec: Spec = text.parse()?;
        if spec.name == "zoo" {
            let model = self.around.zoo.named(&self.game.id(), &mut spec)?;
            spec.finish(&["variant", "level"])?;
            return Ok(self.load(&model)?);
        }
        if let Some(entry) = self.entries.find_mind(&spec.name) {
            return entry.make(&self.seat(stop), spec);
        }
        if self.entries.find_learner(&spec.name).is_some() {
            return self.trained(spec);
        }
        Err(self.unknown(spec.name))
    }

    fn knows(&self, name: &str) -> bool {
        name == "zoo" || self.entries.find_mind(name).is_some() || self.entries.find_learner(name).is_some()
    }

    /// A learner named as a mind is the trained one: the zoo's first model that it made of this game.
    fn trained(&self, mut spec: Spec) -> Made<G> {
        let game = self.game.id();
        let zoo = &self.around.zoo;
        let Some(animal) = zoo.trained_by(&spec.name, &game) else {
            // What cannot learn this game says so itself.
            self.learner(Spec::new(&spec.name))?;
            return Err(MindError::Other(format!(
                "{name} learns before it plays, and the zoo has no model of it for {game}: \
                 `ludens train {name} --game {named} --out MODEL.safetensors`, then name that file",
                name = spec.name,
                // The checksum in the name of a game from rules is none of the user's business: he has the file.
                named = game.split('@').next().unwrap_or(&game)
            )));
        };
        let model = zoo.level(animal, &mut spec)?;
        spec.finish(&["level"])?;
        Ok(self.load(&model)?)
    }

    fn learner(&self, spec: Spec) -> MadeLearner<G> {
        match self.entries.find_learner(&spec.name) {
            Some(entry) => entry.make(&self.seat(&Stop::default()), spec),
            None => Err(self.unknown(spec.name)),
        }
    }

    fn load(&self, model: &Model) -> MadeLearner<G> {
        let id = self.game.id();
        if model.game != id {
            return Err(ModelError::WrongGame { found: model.game.clone(), wanted: id }.into());
        }
        model.check_finite()?;
        match self.entries.find_learner(&model.learner) {
            Some(entry) => entry.load(&self.seat(&Stop::default()), model),
            None => Err(MindError::Unknown { name: model.learner.clone(), near: None }),
        }
    }

    /// Nobody of this name plays this game: somebody else's player, or a slip of the finger.
    fn unknown(&self, name: String) -> MindError {
        if let Some(needs) = self.around.needs_of(&name) {
            return MindError::WrongGame {
                mind: name,
                game: self.game.id(),
                reason: format!("it needs {needs}"),
            };
        }
        let minds = self.entries.minds.iter().map(|entry| entry.about.name.as_str());
        let learners = self.entries.learners.iter().map(|entry| entry.about.name.as_str());
        MindError::Unknown { near: nearest(&name, minds.chain(learners)), name }
    }
}

/// The name that differs least, if it is near enough to be a slip of the finger.
pub fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    const SLIP: usize = 2;
    names
        .map(|name| (strsim::levenshtein(wanted, name), name))
        .filter(|(distance, _)| *distance <= SLIP)
        .min()
        .map(|(_, name)| name.into())
}

impl<G: Game> Front for FrontOf<G> {
    fn id(&self) -> String {
        self.0.game.id()
    }

    fn about(&self) -> &GameAbout {
        &self.0.about
    }

    fn facts(&self) -> Facts {
        self.0.game.facts()
    }

    fn minds(&self) -> Vec<About> {
        self.0.entries.minds.iter().map(|entry| entry.about.clone()).collect()
    }

    fn learners(&self) -> Vec<About> {
        self.0.entries.learners.iter().map(|entry| entry.about.clone()).collect()
    }

    fn check_mind(&self, text: &str, models: &Arc<dyn Models>, stop: &Stop) -> Result<(), MindError> {
        self.0.mind(text, &**models, stop).map(|_| ())
    }

    fn table(&self, models: Arc<dyn Models>) -> Box<dyn Table> {
        let inside = self.0.clone();
        Box::new(TableOf::new(self.0.game.clone(), move |text, stop| inside.mind(text, &*models, stop)))
    }

    fn hall(&self, entrants: &[Entrant], models: &Arc<dyn Models>, stop: &Stop) -> Box<dyn Hall> {
        let mut hall = HallOf::new(self.0.game.clone()).watched(stop);
        for entrant in entrants {
            let (inside, models, stop) = (self.0.clone(), models.clone(), stop.clone());
            hall = match entrant.clone() {
                Entrant::Named(text) => hall.with(move || inside.mind(&text, &*models, &stop)),
                Entrant::Model(model) => hall.with(move || Ok(inside.load(&model)?)),
            };
        }
        Box::new(hall)
    }

    fn learner(&self, spec: Spec) -> Result<Box<dyn Trainee>, MindError> {
        let learner = self.0.learner(spec)?;
        Ok(Box::new(TraineeOf { game: self.0.game.clone(), learner }))
    }

    fn load(&self, model: &Model) -> Result<Box<dyn Trainee>, MindError> {
        let learner = self.0.load(model)?;
        Ok(Box::new(TraineeOf { game: self.0.game.clone(), learner }))
    }

    fn count(&self, position: Option<&str>, what: Count) -> Result<Vec<u64>, PositionError> {
        let game = &*self.0.game;
        let state = match position {
            Some(text) => game.parse(text)?,
            None => game.start(),
        };
        Ok(match what {
            Count::Sequences(depth) => vec![game.perft(&state, depth)],
            Count::Distinct(depth) => perft::distinct(game, &state, depth),
            Count::Games => vec![perft::games(game, &state)],
        })
    }

    fn playouts(&self, games: u64, rng: &mut Rng) -> Playouts {
        let start = self.0.game.start();
        let mut sum = Playouts { games, ..Playouts::default() };
        for _ in 0..games {
            let playout = self.0.game.playout(&mut start.clone(), rng);
            sum.plies += u64::from(playout.plies);
            sum.score += f64::from(playout.score.0);
        }
        sum
    }

    fn playouts_into(&self, rng: &mut Rng, scores: &mut [f32], plies: &mut [u32]) {
        let start = self.0.game.start();
        for (score, length) in scores.iter_mut().zip(plies) {
            let playout = self.0.game.playout(&mut start.clone(), rng);
            (*score, *length) = (playout.score.0, playout.plies);
        }
    }

    fn position(&self, text: Option<&str>) -> Result<Box<dyn Position>, PositionError> {
        let game = &self.0.game;
        let state = text.map_or_else(|| Ok(game.start()), |text| game.parse(text))?;
        Ok(Box::new(PositionOf::new(game.clone(), state)))
    }

    fn encoding_len(&self) -> usize {
        self.0.game.encoding_len()
    }

    fn move_limit(&self) -> Option<u32> {
        self.0.game.move_limit()
    }

    fn max_plies(&self) -> Option<u32> {
        self.0.game.max_plies()
    }

    fn recorder(&self) -> &dyn Recorder {
        &*self.0.game
    }

    fn check_laws(&self, numbers: Range<u64>, seed: u64) -> Result<(), BrokenLaw> {
        laws::check_games(&*self.0.game, numbers, seed)
    }

    fn check_playouts(&self, games: u64, seed: u64) -> Result<(), BrokenLaw> {
        laws::check_playouts(&*self.0.game, games, seed)
    }

    fn check_text(&self, text: &str) -> Result<(), BrokenLaw> {
        laws::check_text(&*self.0.game, text)
    }
}

struct TraineeOf<G: Game> {
    game: Arc<G>,
    learner: Box<dyn Learner<G>>,
}

impl<G: Game> Trainee for TraineeOf<G> {
    fn step(&mut self, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let measures = self.learner.step(&self.game, ctx)?;
        // A decision that was ended goes on with what it has; a step that held one is none.
        ctx.meter.check()?;
        Ok(measures)
    }
    fn default_steps(&self) -> u64 {
        self.learner.default_steps()
    }
    fn finished(&self) -> bool {
        self.learner.finished()
    }
    fn save(&self) -> Model {
        self.learner.save()
    }
    fn save_for_play(&self) -> Model {
        self.learner.save_for_play()
    }
    fn ledger(&self) -> Cost {
        self.learner.ledger()
    }
    fn memory(&self) -> Option<Memory> {
        self.learner.memory(&self.game)
    }
}

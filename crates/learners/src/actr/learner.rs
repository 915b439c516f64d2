//! ACT-R-Gammon, the player of the paper, as it learns: a step is one game against pubeval, and its outcome is counted for every feature
//! that was met in it.

use ludens_core::{Ctx, Game, Learner, Measure, Mind, MindError, Model, ModelError, Move, Side};
use ludens_games::backgammon::Backgammon;

use super::duel::play_game;
use super::features::{self};
use super::odds::{Feature, OddsMemory};
use super::reading::Twist;
use super::settings::{Settings, loaded_settings};

/// The name in the registry.
pub const NAME: &str = "actr";

/// The player. One step of learning is one game against pubeval.
#[derive(Clone, PartialEq, Debug)]
pub struct ActR {
    /// The reading of the text.
    pub settings: Settings,
    /// What it remembers.
    pub memory: OddsMemory,
    pub(super) games: u64,
    won: u64,
    pub(super) game: GameMemory,
    pub(super) plays: Vec<Move>,
    pub(super) found: Vec<Feature>,
    pub(super) utilities: Vec<f64>,
}

/// What is kept of the game in progress while learning.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct GameMemory {
    pub(super) learning: bool,
    pub(super) seat: Option<Side>,
    pub(super) own: Vec<Feature>,
    pub(super) other: Vec<Feature>,
    /// The exposed men of the position after our last play.
    pub(super) exposed: Vec<Feature>,
}

impl ActR {
    /// One that has met nothing yet.
    pub fn new(settings: Settings) -> ActR {
        let mut memory = OddsMemory::new(features::kinds(&settings), settings.prior, settings.capacity);
        memory.neutral = settings.reading.has(Twist::Neutral);
        memory.retrieval = settings.retrieval.0;
        ActR {
            settings,
            memory,
            games: 0,
            won: 0,
            game: GameMemory::default(),
            plays: Vec::new(),
            found: Vec::new(),
            utilities: Vec::new(),
        }
    }

    /// Games it learnt from.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Counts towards F(W) or F(L): a game, or the features met in it.
    fn count(&mut self, won: bool, features: usize) {
        let occurrences = self.settings.reading.has(Twist::Occurrences);
        self.memory.count(won, if occurrences { features as f64 } else { 1.0 });
    }

    /// Updates all features of the game with its outcome.
    fn learn(&mut self, won: bool) {
        let own = std::mem::take(&mut self.game.own);
        let other = std::mem::take(&mut self.game.other);
        self.count(won, own.len());
        for &feature in &own {
            self.memory.update(feature, won, 1.0);
        }
        if self.settings.observe {
            self.count(!won, other.len());
            for &feature in &other {
                self.memory.store_if_new(feature);
                self.memory.update(feature, !won, 1.0);
            }
        }
    }
}

impl Learner<Backgammon> for ActR {
    fn step(&mut self, _game: &Backgammon, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let (mut dice, mut rng) = (ctx.rng.split(), ctx.rng.split());
        let seat = if self.games.is_multiple_of(2) { Side::First } else { Side::Second };
        self.game = GameMemory { learning: true, seat: Some(seat), ..GameMemory::default() };
        let (mut opponent, start) = (self.settings.reading.pubeval(), self.settings.reading.start(seat));
        let winner = if seat == Side::First {
            play_game(start, self, &mut opponent, &mut dice, &mut rng)
        } else {
            play_game(start, &mut opponent, self, &mut dice, &mut rng)
        };
        let won = winner == Some(seat);
        self.learn(won);
        self.game.learning = false;
        self.games += 1;
        self.won += u64::from(won);
        ctx.meter.add_games(1);
        ctx.meter.set_chunks(self.memory.chunks().len() as u64);
        Ok(vec![
            Measure::new("won", f64::from(u8::from(won))),
            Measure::new("chunks", self.memory.chunks().len() as f64),
        ])
    }

    fn default_steps(&self) -> u64 {
        1_000
    }

    fn save(&self) -> Model {
        let mut model = Model::new(NAME, &Backgammon.id(), self.ledger());
        model.put_meta("settings", &self.settings);
        model.put_u64("won", &[1], &[self.won]);
        self.memory.save(&mut model);
        model
    }

    fn load(game: &Backgammon, model: &Model) -> Result<ActR, ModelError> {
        model.expect(NAME, &game.id())?;
        let mut player = ActR::new(loaded_settings(model)?);
        player.memory.load(model)?;
        player.games = model.ledger.games;
        player.won = model.u64s("won", 1)?[0];
        Ok(player)
    }
}

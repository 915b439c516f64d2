//! It learns: a game against itself, whose outcome is counted for the features of both sides.

use ludens_core::{Cost, Ctx, Game, Learner, Measure, MindError, Model, ModelError, Move, Side, Stop, Turn};

use super::concept_features::ConceptFeatures;
use super::lines::{kinds, lines};
use super::settings::{Features, Settings, loaded_settings};
use crate::actr::odds::{Feature, OddsMemory};

/// The name in the catalogue.
pub const NAME: &str = "odds";

/// The player.
#[derive(Clone, PartialEq, Debug)]
pub struct LineOdds {
    game: String,
    pub(super) settings: Settings,
    pub(super) memory: OddsMemory,
    /// The squares of every line of the board.
    pub(super) lines: Vec<Vec<u16>>,
    /// The concepts of the game, where they are the features.
    pub(super) concepts: Option<ConceptFeatures>,
    pub(super) games: u64,
    pub(super) moves: Vec<Move>,
    pub(super) utilities: Vec<f64>,
}

impl LineOdds {
    /// One that remembers nothing yet.
    pub fn new<G: Game>(game: &G, mut settings: Settings, stop: &Stop) -> Result<LineOdds, MindError> {
        let board = game.board(&game.start());
        if settings.length == 0 {
            settings.length = if board.width.max(board.height) <= 3 { 3 } else { 4 };
        }
        let concepts = match settings.features {
            Features::Lines => None,
            Features::Concepts => Some(ConceptFeatures::learn(game, stop)?),
        };
        let kinds = concepts.as_ref().map_or_else(|| kinds(settings.length), ConceptFeatures::kinds);
        let memory = OddsMemory::new(kinds, settings.prior, usize::MAX);
        let lines = lines(&board, settings.length);
        Ok(LineOdds {
            game: game.id(),
            settings,
            memory,
            lines,
            concepts,
            games: 0,
            moves: Vec::new(),
            utilities: Vec::new(),
        })
    }

    /// What it remembers.
    pub fn memory(&self) -> &OddsMemory {
        &self.memory
    }

    /// The features of the position that `side` reaches by a move, each with its cells.
    pub(super) fn after<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        side: Side,
        mv: Move,
    ) -> Vec<(Feature, Vec<u16>)> {
        let mut after = state.clone();
        game.apply(&mut after, mv);
        match &self.concepts {
            Some(concepts) => concepts.read(game, &after, side),
            None => self.read_lines(game, &after, side),
        }
    }
}

impl<G: Game> Learner<G> for LineOdds {
    /// One game against itself; both sides' lines are counted with their side's outcome.
    fn step(&mut self, game: &G, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let mut state = game.start();
        let mut met: [Vec<Feature>; 2] = Default::default();
        let mut outcomes = Vec::new();
        let score = loop {
            ctx.meter.check()?;
            let mv = match game.turn(&state) {
                Turn::Over(score) => break score,
                Turn::Chance => {
                    game.chance(&state, &mut outcomes);
                    ctx.rng.outcome(&outcomes)
                }
                Turn::Player(side) => {
                    self.weigh(game, &state, ctx, true);
                    let mv = self.draw(ctx.rng);
                    let found = self.after(game, &state, side, mv);
                    met[side.index()].extend(found.into_iter().map(|(feature, _)| feature));
                    mv
                }
            };
            game.apply(&mut state, mv);
        };
        for side in Side::BOTH {
            let result = score.of(side);
            if result != 0.0 {
                self.memory.count_game(result > 0.0);
                for &feature in &met[side.index()] {
                    self.memory.update(feature, result > 0.0, 1.0);
                }
            }
        }
        self.games += 1;
        ctx.meter.add_games(1);
        Ok(vec![Measure::new("chunks", self.memory.chunks().len() as f64)])
    }

    fn default_steps(&self) -> u64 {
        self.settings.games
    }

    fn save(&self) -> Model {
        let chunks = self.memory.chunks().len() as u64;
        let ledger = Cost { games: self.games, chunks, ..Cost::default() };
        let mut model = Model::new(NAME, &self.game, ledger);
        model.put_meta("settings", &self.settings);
        self.memory.save(&mut model);
        model
    }

    fn load(game: &G, model: &Model) -> Result<LineOdds, ModelError> {
        model.expect(NAME, &game.id())?;
        let mut player = LineOdds::new(game, loaded_settings(model)?, &Stop::default())
            .map_err(|error| ModelError::Missing { what: format!("its concepts: {error}") })?;
        player.memory.load(model)?;
        player.games = model.ledger.games;
        Ok(player)
    }
}

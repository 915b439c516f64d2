//! The odds memory on any board game: its features are the contexts of the board, as the player who has just moved sees them.
//!
//! A feature is line⟨own, other's, open⟩ for every row of `length` squares that holds a stone; open is how many of
//! its empty squares the other could fill at once, so that a threat which hangs in the air is told from one that strikes.
//! With `features=concepts` the features are instead the patterns of the concepts paper, chosen in random games of the very game.
//! Chunks, odds, their product and the Boltzmann choice are those of the backgammon player.

use ludens_core::{
    Board, Combine, Cost, Ctx, Game, Learner, Measure, Mind, MindError, Model, ModelError, Move, Ranking,
    Reason, Rng, Rule, Side, Turn, Words, math, settings, words,
};
use serde::{Deserialize, Serialize};

use super::concept_features::ConceptFeatures;
use super::memory::{Slot, boltzmann};
use super::odds::{Feature, Kind, OddsMemory};

pub const NAME: &str = "odds";
/// What the memory is about.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Features {
    #[default]
    Lines,
    Concepts,
}

words!(Features { Lines = "lines", Concepts = "concepts" });

settings! {
    /// What is remembered, and how it is used.
    pub struct Settings {
        /// Squares of a line; 0: 3 on boards up to 3×3, else 4.
        pub length: u16 = 0, 0..=64;
        /// Lines, or concepts: patterns chosen in random games of the game.
        pub features: Features = Features::Lines, Words("lines or concepts");
        /// Boltzmann temperature.
        pub temperature: f64 = 0.5, 0.0..=1e6;
        /// Added to both counts of a chunk.
        pub prior: f64 = 1.0, 0.0..=1e6;
        /// Games of a training.
        pub games: u64 = 1_000, 1..=1_000_000_000;
    }
}

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

#[derive(Clone, PartialEq, Debug)]
pub struct LineOdds {
    game: String,
    settings: Settings,
    memory: OddsMemory,
    /// The squares of every line of the board.
    lines: Vec<Vec<u16>>,
    /// The concepts of the game, where they are the features.
    concepts: Option<ConceptFeatures>,
    games: u64,
    moves: Vec<Move>,
    utilities: Vec<f64>,
}

fn kinds(length: u16) -> Vec<Kind> {
    let stones = |name| Slot::number(name, 0.0, f64::from(length.max(1)));
    let slots = vec![stones("own"), stones("other's"), stones("open")];
    // Below one stone in one slot: only equal lines match.
    vec![Kind { name: "line", slots, threshold: 0.01 }]
}

/// Every row of `length` squares of a board, in the four directions.
fn lines(board: &Board, length: u16) -> Vec<Vec<u16>> {
    let (width, height) = (i32::from(board.width), i32::from(board.height));
    let steps = i32::from(length) - 1;
    let mut found = Vec::new();
    for row in 0..height {
        for column in 0..width {
            for (right, up) in DIRECTIONS {
                let (end_column, end_row) = (column + right * steps, row + up * steps);
                if end_column < width && end_row < height && end_row >= 0 {
                    let square = |step: i32| ((row + up * step) * width + column + right * step) as u16;
                    found.push((0..=steps).map(square).collect());
                }
            }
        }
    }
    found
}

impl LineOdds {
    pub fn new<G: Game>(game: &G, mut settings: Settings) -> Result<LineOdds, MindError> {
        let board = game.board(&game.start());
        if settings.length == 0 {
            settings.length = if board.width.max(board.height) <= 3 { 3 } else { 4 };
        }
        let concepts = match settings.features {
            Features::Lines => None,
            Features::Concepts => Some(ConceptFeatures::learn(game)?),
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

    pub fn memory(&self) -> &OddsMemory {
        &self.memory
    }

    /// The features of the position that `side` reaches by a move, each with its cells.
    fn after<G: Game>(&self, game: &G, state: &G::State, side: Side, mv: Move) -> Vec<(Feature, Vec<u16>)> {
        let mut after = state.clone();
        game.apply(&mut after, mv);
        match &self.concepts {
            Some(concepts) => concepts.read(game, &after, side),
            None => self.read_lines(game, &after, side),
        }
    }

    fn read_lines<G: Game>(&self, game: &G, after: &G::State, side: Side) -> Vec<(Feature, Vec<u16>)> {
        let board = game.board(after);
        let mut open = vec![false; board.squares.len()];
        if let Turn::Player(_) = game.turn(after) {
            let mut replies = Vec::new();
            game.moves(after, &mut replies);
            for cell in replies.into_iter().flat_map(|reply| game.cells(after, reply)) {
                if let Some(open) = open.get_mut(usize::from(cell)) {
                    *open = true;
                }
            }
        }
        let mut found = Vec::with_capacity(self.lines.len());
        for line in &self.lines {
            let (mut own, mut other, mut fillable) = (0, 0, 0);
            for &at in line {
                match board.squares[usize::from(at)].side {
                    Some(owner) if owner == side => own += 1,
                    Some(_) => other += 1,
                    None => fillable += u8::from(open[usize::from(at)]),
                }
            }
            if own + other > 0 {
                found.push((Feature { kind: 0, slots: [own, other, fillable, 0] }, line.clone()));
            }
        }
        found
    }

    /// The logarithm of the odds of every move, in `self.utilities`.
    fn weigh<G: Game>(&mut self, game: &G, state: &G::State, ctx: &mut Ctx, learning: bool) {
        game.moves(state, &mut self.moves);
        self.utilities.clear();
        let Turn::Player(side) = game.turn(state) else { return };
        for index in 0..self.moves.len() {
            ctx.meter.add_states(1);
            let mut log_odds = 0.0;
            for (feature, _) in self.after(game, state, side, self.moves[index]) {
                if learning {
                    self.memory.store_if_new(feature);
                }
                log_odds += math::ln(self.memory.odds(feature));
            }
            self.utilities.push(log_odds);
        }
    }

    fn draw(&mut self, rng: &mut Rng) -> Move {
        let chosen = boltzmann(&mut self.utilities, self.settings.temperature, rng).unwrap_or(0);
        self.moves[chosen]
    }

    fn explain<G: Game>(&self, game: &G, state: &G::State, ranking: &mut Ranking) {
        let Turn::Player(side) = game.turn(state) else { return };
        let what = match self.settings.features {
            Features::Lines => "lines",
            Features::Concepts => "concepts",
        };
        ranking.summary =
            format!("the odds of all {what} after the move, multiplied, and a Boltzmann choice");
        ranking.unit = "odds of a win".into();
        ranking.combine = Combine::Product;
        for candidate in &mut ranking.moves {
            for (feature, cells) in self.after(game, state, side, candidate.mv) {
                let odds = self.memory.recollect(feature).odds;
                let [own, other, open, _] = feature.slots;
                let what = match &self.concepts {
                    Some(concepts) => concepts.words(feature),
                    None => format!("a line with {own} own, {other} of the other's and {open} open"),
                };
                candidate.reasons.push(Reason::chunk(format!("{what}: odds {odds:.2}"), odds, cells));
            }
        }
    }
}

impl<G: Game> Mind<G> for LineOdds {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        self.weigh(game, state, ctx, false);
        let odds = self.moves.iter().zip(&self.utilities).map(|(&mv, log_odds)| (mv, math::exp(*log_odds)));
        let mut ranking = Ranking { rule: Rule::Drawn, ..Ranking::of(odds) };
        ranking.preferred = Some(self.draw(ctx.rng));
        if ctx.explain {
            self.explain(game, state, &mut ranking);
        }
        Ok(ranking)
    }

    fn ledger(&self) -> Cost {
        Cost { states: 0, games: self.games, chunks: self.memory.chunks().len() as u64 }
    }
}

impl<G: Game> Learner<G> for LineOdds {
    /// One game against itself; both sides' lines are counted with their side's outcome.
    fn step(&mut self, game: &G, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let mut state = game.start();
        let mut met: [Vec<Feature>; 2] = Default::default();
        let mut outcomes = Vec::new();
        let score = loop {
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
        let ledger = Cost { states: 0, games: self.games, chunks: self.memory.chunks().len() as u64 };
        let mut model = Model::new(NAME, &self.game, ledger);
        model.put_meta("settings", &self.settings);
        self.memory.save(&mut model);
        model
    }

    fn load(game: &G, model: &Model) -> Result<LineOdds, ModelError> {
        model.expect(NAME, &game.id())?;
        let mut player = LineOdds::new(game, loaded_settings(model)?)
            .map_err(|error| ModelError::Missing { what: format!("its concepts: {error}") })?;
        player.memory.load(model)?;
        player.games = model.ledger.games;
        Ok(player)
    }
}

/// Those of a model, within the limits of those that are typed.
fn loaded_settings(model: &Model) -> Result<Settings, ModelError> {
    let settings: Settings = model.meta("settings")?;
    settings.check()?;
    Ok(settings)
}

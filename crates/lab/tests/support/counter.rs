//! The smallest learner: for every square of tic-tac-toe, how often it was in a won random game.

use ludens_core::{
    Cost, Ctx, Game, Learner, Measure, Mind, MindError, Model, ModelError, Move, Turn, uniform_playout,
};
use ludens_games::tictactoe::TicTacToe;
use ludens_lab::train::{Maker, Training};

#[derive(Default)]
pub struct Counter {
    counts: [f64; 9],
    games: u64,
}

impl Mind<TicTacToe> for Counter {
    fn choose(&mut self, game: &TicTacToe, state: &<TicTacToe as Game>::State, _: &mut Ctx) -> Move {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let worth = |mv: &Move| self.counts.get(mv.0 as usize).copied().unwrap_or(0.0);
        moves.iter().copied().max_by(|a, b| worth(a).total_cmp(&worth(b))).unwrap_or(Move(0))
    }
}

impl Learner<TicTacToe> for Counter {
    fn step(&mut self, game: &TicTacToe, ctx: &mut Ctx) -> Vec<Measure> {
        let mut state = game.start();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let first = moves[ctx.rng.below(9) as usize];
        game.apply(&mut state, first);
        let score = uniform_playout(game, &mut state, ctx.rng).score;
        assert!(matches!(game.turn(&state), Turn::Over(_)));
        self.counts[first.0 as usize] += f64::from(score.0) * ctx.rng.unit();
        self.games += 1;
        vec![Measure::new("score", f64::from(score.0)), Measure::new("games", self.games as f64)]
    }

    fn default_steps(&self) -> u64 {
        100
    }

    fn save(&self) -> Model {
        let mut model = Model::new("counter", "tic-tac-toe", Cost { games: self.games, ..Cost::default() });
        model.put_f64("counts", &[9], &self.counts);
        model
    }

    fn load(_: &TicTacToe, model: &Model) -> Result<Counter, ModelError> {
        let counts = model.f64s("counts", 9)?;
        Ok(Counter { counts: std::array::from_fn(|i| counts[i]), games: model.ledger.games })
    }
}

pub fn make() -> Result<Box<dyn Learner<TicTacToe>>, MindError> {
    Ok(Box::new(Counter::default()))
}

pub fn load(model: &Model) -> Result<Box<dyn Learner<TicTacToe>>, MindError> {
    Ok(Box::new(Counter::load(&TicTacToe, model)?))
}

pub fn maker() -> Maker<'static, TicTacToe> {
    Maker { make: &make, load: &load }
}

pub fn training(steps: u64) -> Training {
    Training { learner: "counter".into(), game: "tic-tac-toe".into(), steps: Some(steps), seed: 5 }
}

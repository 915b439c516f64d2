//! The smallest learner: for every square of tic-tac-toe, how often it was in a won random game.

use std::sync::Arc;

use ludens_core::{
    About, Cost, Ctx, Entries, FrontOf, Game, Learner, LearnerEntry, Measure, Mind, MindError, Model,
    ModelError, Move, Ranking, Turn, uniform_playout,
};
use ludens_games::tictactoe::TicTacToe;
use ludens_lab::train::Training;

#[derive(Default)]
pub struct Counter {
    counts: [f64; 9],
    games: u64,
}

impl Mind<TicTacToe> for Counter {
    fn rank(
        &mut self,
        game: &TicTacToe,
        state: &<TicTacToe as Game>::State,
        _: &mut Ctx,
    ) -> Result<Ranking, MindError> {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let worth = |mv: Move| self.counts.get(mv.0 as usize).copied().unwrap_or(0.0);
        Ok(Ranking::of(moves.into_iter().map(|mv| (mv, worth(mv)))))
    }
}

impl Learner<TicTacToe> for Counter {
    fn step(&mut self, game: &TicTacToe, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let mut state = game.start();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let first = moves[ctx.rng.below(9) as usize];
        game.apply(&mut state, first);
        let score = uniform_playout(game, &mut state, ctx.rng).score;
        assert!(matches!(game.turn(&state), Turn::Over(_)));
        self.counts[first.0 as usize] += f64::from(score.0) * ctx.rng.unit();
        self.games += 1;
        Ok(vec![Measure::new("score", f64::from(score.0)), Measure::new("games", self.games as f64)])
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

/// Tic-tac-toe with this learner alone.
pub fn front() -> FrontOf<TicTacToe> {
    let entry = LearnerEntry::new(
        About::new("counter", "Counter", "takes the square that won most often"),
        |_, _| Ok(Box::new(Counter::default())),
        |seat, model| Ok(Box::new(Counter::load(seat.game, model)?)),
    );
    FrontOf::new(Arc::new(TicTacToe), Arc::new(Entries::default().learner_entry(entry)), Arc::default())
}

pub fn training(steps: u64) -> Training {
    Training { learner: "counter".into(), game: "tic-tac-toe".into(), steps: Some(steps), seed: 5 }
}

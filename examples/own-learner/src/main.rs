//! A learner of one's own, for every game: it remembers how often each position it met was won by the one who made it.
//!
//!     cargo run --release -- train diary --game tic-tac-toe --steps 2000 --out diary.safetensors
//!     cargo run --release -- explain tic-tac-toe --mind diary.safetensors
//!     cargo run --release -- arena diary.safetensors random --game tic-tac-toe

use std::collections::BTreeMap;

use ludens::prelude::*;

settings! {
    /// What can be set.
    struct Settings {
        /// How often it tries any move instead of the best.
        curiosity: f64 = 0.2, 0.0..=1.0;
    }
}

struct Diary {
    game: String,
    settings: Settings,
    /// For each position: games, and points of the one who moved into it.
    met: BTreeMap<String, (u64, f64)>,
    games: u64,
}

impl Diary {
    /// The position after a move, and the share of points it has brought; a half where it was never met.
    fn judge<G: Game>(&self, game: &G, state: &G::State, mv: Move) -> (String, u64, f64) {
        let mut after = state.clone();
        game.apply(&mut after, mv);
        let text = game.text(&after);
        let (games, points) = self.met.get(&text).copied().unwrap_or_default();
        (text, games, (points + 1.0) / (games as f64 + 2.0))
    }
}

impl<G: Game> Mind<G> for Diary {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let mut ranking = Ranking::default();
        for mv in moves {
            ctx.meter.add_states(1);
            let (text, games, share) = self.judge(game, state, mv);
            let mut candidate = MoveValue::new(mv, share);
            if ctx.explain.is_wanted() {
                let reason = format!("{text} was met in {games} games");
                candidate.reasons.push(Reason::chunk(reason, share, game.cells(state, mv)));
            }
            ranking.moves.push(candidate);
        }
        if ctx.explain.is_wanted() {
            ranking.how = words::How::Own("It remembers how often each position was won by the one who made it.".into());
            ranking.scale = words::Scale::Own("share of points".into());
            ranking.combine = Combine::Sum;
        }
        Ok(ranking)
    }

    fn ledger(&self) -> Cost {
        Cost { games: self.games, chunks: self.met.len() as u64, ..Cost::default() }
    }
}

impl<G: Game> Learner<G> for Diary {
    /// One game against itself.
    fn step(&mut self, game: &G, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let mut written: Vec<(String, Side)> = Vec::new();
        let (mut dice, mut state, mut moves) = (ctx.rng.split(), game.start(), Vec::new());
        let choose = |state: &G::State, side: Side| {
            game.moves(state, &mut moves);
            let mv = if ctx.rng.chance(self.settings.curiosity) {
                moves[ctx.rng.below(moves.len() as u32) as usize]
            } else {
                decide(self, game, state, &mut Ctx::new(ctx.rng, ctx.meter))?
            };
            written.push((self.judge(game, state, mv).0, side));
            Ok::<Move, MindError>(mv)
        };
        let score = play_on(game, &mut state, 1_000, &mut dice, choose, |_, _| {})?;
        for (text, side) in written {
            let entry = self.met.entry(text).or_default();
            entry.0 += 1;
            entry.1 += f64::from(1.0 + score.unwrap_or(Score::DRAW).of(side)) / 2.0;
        }
        self.games += 1;
        Ok(vec![Measure::new("positions", self.met.len() as f64)])
    }

    fn default_steps(&self) -> u64 {
        1_000
    }

    fn save(&self) -> Model {
        let mut model = Model::new("diary", &self.game, Mind::<G>::ledger(self));
        model.put_meta("settings", &self.settings);
        model.put_meta("met", &self.met);
        model
    }

    fn load(game: &G, model: &Model) -> Result<Diary, ModelError> {
        model.expect("diary", &game.id())?;
        let settings: Settings = model.meta("settings")?;
        settings.check()?;
        Ok(Diary { game: game.id(), settings, met: model.meta("met")?, games: model.ledger.games })
    }
}

/// How the catalogue finds it.
#[derive(Clone)]
struct Diaries;

impl LearnerKind for Diaries {
    fn about(&self) -> About {
        About::new("diary", "Diary", "remembers every position it met").settings(Settings::default().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> MadeLearner<G> {
        let settings = Settings::read(spec, &Settings::default())?;
        Ok(Box::new(Diary { game: seat.game.id(), settings, met: BTreeMap::new(), games: 0 }))
    }

    fn load<G: Game>(&self, seat: &Seat<G>, model: &Model) -> MadeLearner<G> {
        Ok(Box::new(<Diary as Learner<G>>::load(seat.game, model)?))
    }
}

fn main() -> std::process::ExitCode {
    ludens::cli::main(Catalogue::standard().with_learner(Diaries))
}

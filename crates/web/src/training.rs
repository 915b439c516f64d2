//! Training a learner while people watch: the curve, the newest state on the shelf to be played, stop and resume.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::{
    Ctx, Game, GameVisitor, Learner, Measure, Meter, Mind, MindError, Model, Rng, Side, Spec, Turn,
};
use ludens_learners::registry;
use ludens_search::Random;
use serde::Serialize;

use crate::shelf::{Shelf, Shelved};
use crate::works::Work;

/// A point of the curve: the means of the measures since the point before.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    pub step: u64,
    pub values: BTreeMap<String, f64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Training {
    pub game: String,
    pub learner: String,
    pub seed: u32,
    pub step: u64,
    pub total: u64,
    pub curve: Vec<Point>,
    /// The name under which it can be played.
    pub mind: String,
    pub seconds: f64,
    pub finished: bool,
    pub error: Option<String>,
    #[serde(skip)]
    pub model: Option<Arc<Model>>,
}

/// The measure every learner gets, whatever its own are.
pub const AGAINST_RANDOM: &str = "wins against random";

const EVALUATION_GAMES: u32 = 20;
const LONGEST_GAME: u32 = 600;
const CURVE_POINTS: usize = 400;
/// Between two points of the curve.
const PACE: Duration = Duration::from_millis(200);
const QUICK_PACE: Duration = Duration::from_millis(12);

pub struct Train<'a> {
    pub work: &'a Work<Training>,
    pub shelf: &'a Shelf,
    /// The steps asked for; the learner's own number when none.
    pub steps: Option<u64>,
}

impl GameVisitor for Train<'_> {
    type Out = Result<(), MindError>;

    fn visit<G: Game>(self, game: Arc<G>) -> Result<(), MindError> {
        let (spec, model, seed, begun) = self
            .work
            .read(|state| (state.learner.clone(), state.model.clone(), u64::from(state.seed), state.step));
        let learner = match model {
            Some(model) => registry::load_learner(&game, &model)?,
            None => registry::make_learner(&game, spec.parse::<Spec>()?)?,
        };
        let total = self.steps.unwrap_or_else(|| learner.default_steps()).max(1);
        self.work.change(|state| state.total = total);
        let mut run = Run {
            train: self,
            game,
            learner,
            seed,
            gathered: BTreeMap::new(),
            shown: Instant::now(),
            evaluated: Instant::now(),
            evaluation_took: Duration::ZERO,
        };
        run.steps(begun, total)
    }
}

struct Run<'a, G: Game> {
    train: Train<'a>,
    game: Arc<G>,
    learner: Box<dyn Learner<G>>,
    seed: u64,
    /// Sum and number of each measure since the last point.
    gathered: BTreeMap<String, (f64, u32)>,
    shown: Instant,
    evaluated: Instant,
    evaluation_took: Duration,
}

impl<G: Game> Run<'_, G> {
    fn steps(&mut self, begun: u64, total: u64) -> Result<(), MindError> {
        self.keep(begun)?;
        if begun == 0 {
            self.evaluate()?;
            self.point(0);
        }
        let mut clock = Instant::now();
        for step in begun..total {
            if self.train.work.stopped() || self.learner.finished() {
                break;
            }
            let measures = self.step(step);
            self.gather(measures);
            let last = step + 1 == total || self.learner.finished();
            // A quick training still gets a curve, a slow one still moves.
            let quick = (step + 1).is_multiple_of((total / 80).max(1)) && self.shown.elapsed() >= QUICK_PACE;
            if last || quick || self.shown.elapsed() >= PACE {
                self.keep(step + 1)?;
                if last || self.evaluated.elapsed() > self.evaluation_took * 8 + PACE {
                    self.evaluate()?;
                }
                self.point(step + 1);
                let seconds = clock.elapsed().as_secs_f64();
                clock = Instant::now();
                self.train.work.change(|state| state.seconds += seconds);
            }
        }
        let done = self.train.work.read(|state| state.step);
        let finished = self.learner.finished() || done >= total;
        // What was learnt since the last point is kept too.
        self.keep(done)?;
        self.train.work.change(|state| state.finished = finished);
        Ok(())
    }

    /// Each step has its own random stream, so that a training that was stopped goes on as if it had not been.
    fn step(&mut self, step: u64) -> Vec<Measure> {
        let mut rng = Rng::stream(self.seed, step);
        let mut meter = Meter::unlimited();
        let measures = self.learner.step(&self.game, &mut Ctx::new(&mut rng, &mut meter));
        self.train.work.change(|state| state.step = step + 1);
        measures
    }

    fn gather(&mut self, measures: Vec<Measure>) {
        for measure in measures.into_iter().filter(|measure| measure.value.is_finite()) {
            let (sum, count) = self.gathered.entry(measure.name).or_default();
            *sum += measure.value;
            *count += 1;
        }
    }

    /// Puts the newest state where it can be played and resumed from.
    fn keep(&mut self, step: u64) -> Result<(), MindError> {
        let model = Arc::new(self.learner.save());
        let (mind, learner) = self.train.work.read(|state| (state.mind.clone(), state.learner.clone()));
        let name = crate::catalog::title(learner.split(':').next().unwrap_or(&learner));
        self.train.shelf.put(
            &mind,
            Shelved {
                model: model.clone(),
                title: format!("{name}, after {step} steps"),
                summary: "learning on this machine; what it knows now is what you play".into(),
                kind: "training",
                levels: Vec::new(),
                version: step + 1,
            },
        );
        self.train.work.change(|state| state.model = Some(model));
        Ok(())
    }

    fn point(&mut self, step: u64) {
        let values = std::mem::take(&mut self.gathered);
        let values = values.into_iter().map(|(name, (sum, count))| (name, sum / f64::from(count))).collect();
        self.shown = Instant::now();
        self.train.work.change(|state| {
            state.curve.push(Point { step, values });
            if state.curve.len() > CURVE_POINTS {
                thin(&mut state.curve);
            }
        });
    }

    /// A few games against the random mind, by a copy: measuring must not disturb the learning.
    fn evaluate(&mut self) -> Result<(), MindError> {
        let begun = Instant::now();
        let mut copy = registry::load_learner(&self.game, &self.learner.save())?;
        let points: f64 =
            (0..EVALUATION_GAMES).map(|number| play_random(&*self.game, &mut *copy, number)).sum();
        self.gather(vec![Measure::new(AGAINST_RANDOM, points / f64::from(EVALUATION_GAMES))]);
        self.evaluation_took = begun.elapsed();
        self.evaluated = Instant::now();
        Ok(())
    }
}

/// Every other point goes, the newest stays.
fn thin(curve: &mut Vec<Point>) {
    let mut index = 0;
    let last = curve.len() - 1;
    curve.retain(|_| {
        index += 1;
        index % 2 == 1 || index > last
    });
}

/// One game against the random mind: 1 won, ½ drawn, 0 lost.
fn play_random<G: Game>(game: &G, learner: &mut dyn Learner<G>, number: u32) -> f64 {
    let side = if number.is_multiple_of(2) { Side::First } else { Side::Second };
    let mut rng = Rng::stream(0x5eed, u64::from(number));
    let mut state = game.start();
    let mut outcomes = Vec::new();
    for _ in 0..LONGEST_GAME {
        let mv = match game.turn(&state) {
            Turn::Over(score) => return f64::from((1.0 + score.of(side)) / 2.0),
            Turn::Chance => {
                game.chance(&state, &mut outcomes);
                rng.outcome(&outcomes)
            }
            Turn::Player(mover) => {
                let mut meter = Meter::unlimited();
                let mut ctx = Ctx::new(&mut rng, &mut meter);
                if mover == side {
                    learner.choose(game, &state, &mut ctx)
                } else {
                    Mind::<G>::choose(&mut Random, game, &state, &mut ctx)
                }
            }
        };
        game.apply(&mut state, mv);
    }
    0.5
}

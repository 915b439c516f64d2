//! What the paper's features can reach at all: a plain sum of them whose weights are chosen for nothing but games won against pubeval, by an
//! evolution strategy. It begins with the odds that the published player learnt in its games.

use ludens_core::{Cost, Learner, Model};
use ludens_learners::actr::linear::{Linear, WEIGHTS, asked, log_odds};

use super::work::TEST_DICE;
use super::*;

/// Both ways of playing the races.
pub(super) const CEILINGS: [(&str, &str); 2] =
    [("features", "the features alone"), ("races", "with pubeval's play in races")];
/// The size of the mutations, which are normal.
const SIGMA: f64 = 0.3;
/// The first length of a step along the gradient; it falls to a tenth.
const RATE: f64 = 4.0;
/// How much of the last step goes on.
const MOMENTUM: f64 = 0.9;
/// Points of its curve.
const POINTS: u64 = 25;

/// How long it climbs.
#[derive(Clone, Copy)]
pub(super) struct Climb {
    pub(super) steps: u64,
    /// Mutations of a step, each tried with both signs on the same dice.
    pub(super) pairs: u64,
    /// Games of one trial.
    pub(super) games: u64,
    /// Games of the published player, and of the test.
    pub(super) training: u64,
    pub(super) test: u64,
}

/// What a climb leaves.
#[derive(Serialize, Deserialize)]
pub(super) struct Ceiling {
    pub(super) weights: u64,
    pub(super) games: u64,
    /// On the dice of the test, before it began.
    pub(super) start: Tally,
    /// On dice it was trained with.
    pub(super) trained: Tally,
    /// On dice that nothing was chosen by.
    pub(super) test: Tally,
    /// The mean share won by the mutants, part by part of the climb.
    pub(super) curve: Vec<f64>,
}

/// Where a climb stands.
struct State {
    weights: Vec<f64>,
    speed: Vec<f64>,
    /// The mean share of each step.
    shares: Vec<f64>,
}

impl State {
    fn save(&self) -> Model {
        let mut model = Model::new("ceiling", "backgammon", Cost::default());
        for (name, values) in [("weights", &self.weights), ("speed", &self.speed), ("shares", &self.shares)] {
            model.put_f64(name, &[values.len()], values);
        }
        model
    }

    fn load(model: &Model) -> Result<State, LabError> {
        let values = |name: &str, count: usize| model.f64s(name, count).map(<[f64]>::to_vec);
        Ok(State {
            weights: values("weights", WEIGHTS)?,
            speed: values("speed", WEIGHTS)?,
            shares: values("shares", model.len_of("shares"))?,
        })
    }

    /// One step: the gradient of the win rate from mutations in mirrored pairs on common dice.
    fn step(&mut self, seed: u64, climb: Climb, races: bool) {
        let step = self.shares.len() as u64;
        let mut rng = Rng::stream(seed, step);
        let mut gradient = vec![0.0; WEIGHTS];
        let mut share = 0.0;
        for _ in 0..climb.pairs {
            let mutation: Vec<f64> = (0..WEIGHTS).map(|_| rng.normal()).collect();
            let dice = rng.next_u64();
            let [up, down] = [SIGMA, -SIGMA].map(|length| {
                let moved = self.weights.iter().zip(&mutation).map(|(weight, part)| weight + length * part);
                won(moved, races, climb.games, dice).win_share()
            });
            share += (up + down) / 2.0;
            for (gradient, part) in gradient.iter_mut().zip(&mutation) {
                *gradient += (up - down) / (2.0 * SIGMA * climb.pairs as f64) * part;
            }
        }
        self.shares.push(share / climb.pairs as f64);
        let rate = RATE * (1.0 - 0.9 * step as f64 / climb.steps as f64);
        for ((weight, speed), gradient) in self.weights.iter_mut().zip(&mut self.speed).zip(gradient) {
            *speed = MOMENTUM * *speed + (1.0 - MOMENTUM) * gradient;
            *weight += rate * *speed;
        }
    }
}

fn won(weights: impl Iterator<Item = f64>, races: bool, games: u64, dice: u64) -> Tally {
    let mut player = Linear::new(weights.map(|weight| weight as f32).collect(), races);
    duel(&mut player, &mut Pubeval::default(), games, dice)
}

/// Climbs to the end; killed at any point, it goes on from its last checkpoint.
pub(super) fn climb(races: bool, climb: Climb, ctx: &UnitCtx) -> Result<Ceiling, LabError> {
    let mut player = ActR::new(Settings::default());
    for game in 0..climb.training {
        let (mut rng, mut meter) = (Rng::stream(ctx.seed(), game), Meter::unlimited());
        player.step(&Backgammon, &mut Ctx::new(&mut rng, &mut meter))?;
    }
    let start: Vec<f64> = log_odds(&player.memory).into_iter().map(f64::from).collect();
    let checkpoint = ctx.checkpoint("climb.safetensors")?;
    let mut state = match Model::load_checkpoint(&checkpoint) {
        Ok(model) => State::load(&model)?,
        Err(_) => State { weights: start.clone(), speed: vec![0.0; WEIGHTS], shares: Vec::new() },
    };
    let seed = ctx.rng().next_u64();
    while (state.shares.len() as u64) < climb.steps {
        ctx.go_on()?;
        ctx.progress(state.shares.len() as f64 / climb.steps as f64, "climbing");
        state.step(seed, climb, races);
        if (state.shares.len() as u64).is_multiple_of(20) {
            state.save().write_checkpoint(&checkpoint)?;
        }
    }
    let test = |weights: &[f64]| won(weights.iter().copied(), races, climb.test, ctx.seed() ^ TEST_DICE);
    let part = state.shares.len().div_ceil(POINTS as usize).max(1);
    Ok(Ceiling {
        weights: asked() as u64,
        games: 2 * climb.steps * climb.pairs * climb.games,
        start: test(&start),
        trained: on_trained_dice(&state.weights, races, climb, seed),
        test: test(&state.weights),
        curve: state.shares.chunks(part).map(|shares| mean(shares).mean).collect(),
    })
}

/// As many games as the test has, on dice of the climb's last steps.
fn on_trained_dice(weights: &[f64], races: bool, climb: Climb, seed: u64) -> Tally {
    let mut tally = Tally::default();
    for step in (0..climb.steps).rev() {
        let mut rng = Rng::stream(seed, step);
        for _ in 0..climb.pairs {
            if tally.games() >= climb.test {
                return tally;
            }
            // The dice come after the mutation in the stream of a step.
            for _ in 0..WEIGHTS {
                rng.normal();
            }
            let more = won(weights.iter().copied(), races, climb.games, rng.next_u64());
            tally.wins += more.wins;
            tally.draws += more.draws;
            tally.losses += more.losses;
        }
    }
    tally
}

pub(super) fn table(ceilings: &[Ceiling]) -> Table {
    let columns = ["weights", "games", "won before", "won, dice of its training", "won, fresh dice"];
    let title = "The ceiling of the features: a plain sum, its weights evolved for games won against pubeval";
    let mut table = Table::new("ceiling", title, &columns).beyond();
    for ((_, name), ceiling) in CEILINGS.iter().zip(ceilings) {
        let whole = |number: u64| Cell::exact(number as f64).decimals(0);
        let share = |tally: Tally| Cell::share(tally.wins, tally.games()).percent();
        let shares = [ceiling.start, ceiling.trained, ceiling.test].map(share);
        let cells = [whole(ceiling.weights), whole(ceiling.games)].into_iter().chain(shares);
        table = table.row(Row::new(*name, cells));
    }
    table.note(
        "Attack by point, expose by point and five classes of opponents ahead, block by point, class and size; the best play is taken. It \
         begins with the logarithms of the odds of the published player. What is found this way is a bound from below: another search may find more.",
    )
}

pub(super) fn figure(ceilings: &[Ceiling]) -> Figure {
    let series = CEILINGS.iter().zip(ceilings).map(|((_, name), ceiling)| {
        let step = ceiling.games as f64 / ceiling.curve.len().max(1) as f64;
        let points =
            ceiling.curve.iter().zip(1..).map(|(share, part)| Point::new(f64::from(part) * step, *share));
        Series::line(*name, points)
    });
    Figure {
        id: "ceiling".into(),
        title: "Games won by the mutants while the weights are evolved".into(),
        caption: "Mean of each part; the mutants play worse than the weights they are made from".into(),
        x_label: "games".into(),
        y_label: "share won".into(),
        log_x: false,
        log_y: false,
        kind: FigureKind::Plot(series.collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two climbs of one seed are the same, a checkpoint between them or not.
    #[test]
    fn a_climb_goes_on_where_it_stopped() {
        let climb = Climb { steps: 2, pairs: 1, games: 2, training: 0, test: 2 };
        let begin = || State { weights: vec![0.1; WEIGHTS], speed: vec![0.0; WEIGHTS], shares: Vec::new() };
        let mut whole = begin();
        whole.step(1, climb, true);
        whole.step(1, climb, true);
        let mut half = begin();
        half.step(1, climb, true);
        let mut half = State::load(&half.save()).unwrap();
        half.step(1, climb, true);
        assert_eq!((whole.weights, whole.shares), (half.weights, half.shares));
    }
}

//! The work of the units: trainings, tests against pubeval, games against gnubg.

use ludens_core::{Game, Model, Side, Turn};
use ludens_learners::registry::{load_learner, make_mind};

use super::*;

/// What one run of the paper's player leaves.
#[derive(Serialize, Deserialize)]
pub(super) struct Run {
    /// Games won in each bin of the training.
    pub(super) curve: Vec<u32>,
    pub(super) test: Tally,
    pub(super) chunks: usize,
    pub(super) most_states: u64,
    /// Odds by point, blended, `None` where nothing was ever met.
    pub(super) attack: Vec<Option<f64>>,
    /// `[ahead][point]`.
    pub(super) expose: Vec<Vec<Option<f64>>>,
    pub(super) experience: Vec<Vec<f64>>,
    pub(super) blocks: Vec<([u8; 3], f64)>,
}

/// A mind at the table of a duel, its states counted.
struct Seated<'a> {
    mind: &'a mut dyn Mind<Backgammon>,
    most_states: u64,
}

impl Picker for Seated<'_> {
    fn pick(&mut self, state: &Position, rng: &mut Rng) -> Move {
        let mut meter = Meter::unlimited();
        let mv = self.mind.choose(&Backgammon, state, &mut Ctx::new(rng, &mut meter));
        self.most_states = self.most_states.max(meter.cost().states);
        mv
    }
}

/// The odds of a feature where something like it was met.
fn met(memory: &OddsMemory, kind: u8, slots: [u8; 4]) -> Option<f64> {
    let recalled = memory.recollect(Feature { kind, slots });
    (!recalled.matches.is_empty()).then_some(recalled.odds)
}

fn experience(memory: &OddsMemory, slots: [u8; 4]) -> f64 {
    let feature = Feature { kind: EXPOSE, slots };
    let mut sum = 0.0;
    for (index, weight) in memory.matches(feature) {
        let chunk = &memory.chunks()[index];
        sum += weight * (chunk.wins + chunk.losses);
    }
    sum
}

pub(super) fn published_run(
    settings: Settings,
    training: u64,
    test_games: u64,
    ctx: &UnitCtx,
) -> Result<Run, LabError> {
    let mut player = ActR::new(settings);
    let mut curve = Vec::new();
    for game in 0..training {
        if game.is_multiple_of(BIN as u64) {
            ctx.go_on()?;
            ctx.progress(game as f64 / (training + test_games) as f64, "games");
            curve.push(0);
        }
        let (mut rng, mut meter) = (Rng::stream(ctx.seed(), game), Meter::unlimited());
        let measures =
            ludens_core::Learner::step(&mut player, &Backgammon, &mut Ctx::new(&mut rng, &mut meter));
        let won = measures.iter().any(|measure| measure.name == "won" && measure.value > 0.0);
        if let Some(bin) = curve.last_mut() {
            *bin += u32::from(won);
        }
    }
    let mut seat = Seated { mind: &mut player, most_states: 0 };
    let test = duel(&mut seat, &mut Pubeval::default(), test_games, ctx.seed() ^ TEST_DICE);
    let most_states = seat.most_states;
    let memory = &player.memory;
    let run = Run {
        curve,
        test,
        chunks: memory.chunks().len(),
        most_states,
        attack: (1..=24).map(|point| met(memory, ATTACK, [point, 0, 0, 0])).collect(),
        expose: surface(|point, ahead| met(memory, EXPOSE, [point, ahead, 0, 0])),
        experience: surface(|point, ahead| experience(memory, [point, ahead, 0, 0])),
        blocks: memory
            .chunks()
            .iter()
            .filter(|chunk| chunk.feature.kind == BLOCK)
            .map(|chunk| {
                let [point, ahead, length, _] = chunk.feature.slots;
                ([point, ahead, length], memory.chunk_odds(chunk))
            })
            .collect(),
    };
    Ok(run)
}

/// Kept apart from every stream used for training or tuning.
const TEST_DICE: u64 = 0x7e57_d1ce;

fn surface<T>(value: impl Fn(u8, u8) -> T) -> Vec<Vec<T>> {
    (0..=15).map(|ahead| (1..=24).map(|point| value(point, ahead)).collect()).collect()
}

/// Trains a learner to its end and tests it; killed at any point, the training goes on from its last checkpoint.
pub(super) fn trained(name: &str, test: u64, ctx: &UnitCtx) -> Result<Value, LabError> {
    let game = Arc::new(Backgammon);
    let checkpoint = ctx.checkpoint("training.safetensors")?;
    let (mut learner, mut step) = match Model::load_checkpoint(&checkpoint) {
        Ok(model) => (load_learner(&game, &model)?, model.meta("step")?),
        Err(_) => (make_learner(&game, name.parse::<Spec>().map_err(LabError::other)?)?, 0u64),
    };
    let steps = learner.default_steps();
    while step < steps {
        if step.is_multiple_of(16) {
            ctx.go_on()?;
            ctx.progress(step as f64 / steps as f64, "steps");
        }
        let (mut rng, mut meter) = (Rng::stream(ctx.seed(), step), Meter::unlimited());
        learner.step(&*game, &mut Ctx::new(&mut rng, &mut meter));
        step += 1;
        if step.is_multiple_of(steps.div_ceil(20)) {
            let mut model = learner.save();
            model.put_meta("step", &step);
            model.write_checkpoint(&checkpoint)?;
        }
    }
    learner.save().write(&ctx.artefact(&format!("{}.safetensors", ctx.unit.name.replace('/', "-"))))?;
    let ledger = learner.ledger();
    let mut seat = Seated { mind: &mut *learner, most_states: 0 };
    let tally = duel(&mut seat, &mut Pubeval::default(), test, ctx.seed() ^ TEST_DICE);
    Ok(
        json!({ "test": tally, "games": ledger.games, "chunks": ledger.chunks, "most_states": seat.most_states }),
    )
}

/// One of ours against gnubg 0-ply; `None` where gnubg is not installed.
pub(super) fn against_gnubg(name: &str, training: u64, games: u64, ctx: &UnitCtx) -> Result<Value, LabError> {
    let Ok(mut gnubg) = Gnubg::start(0) else { return Ok(json!({ "test": null })) };
    let mut learner = make_learner(&Arc::new(Backgammon), name.parse::<Spec>().map_err(LabError::other)?)?;
    for step in 0..learner.default_steps().min(training) {
        let (mut rng, mut meter) = (Rng::stream(ctx.seed(), step), Meter::unlimited());
        learner.step(&Backgammon, &mut Ctx::new(&mut rng, &mut meter));
    }
    ctx.go_on()?;
    let mut opponent = Seated { mind: &mut gnubg, most_states: 0 };
    let mut seat = Seated { mind: &mut *learner, most_states: 0 };
    let tally = duel(&mut seat, &mut opponent, games, ctx.seed() ^ TEST_DICE);
    if gnubg.failures > 0 {
        return Err(LabError::other(format!("gnubg gave no legal answer {} times", gnubg.failures)));
    }
    Ok(json!({ "test": tally }))
}

/// The odds memory on another game: its games against a random player and small searches.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct LineGames {
    /// Wins, draws and losses against each of [`LINE_OPPONENTS`].
    pub(super) results: Vec<[u64; 3]>,
    pub(super) chunks: u64,
    pub(super) games: u64,
}

pub(super) const LINE_OPPONENTS: [&str; 3] = ["random", "alphabeta:depth=1", "alphabeta:depth=2"];
/// Plies that are drawn at random before a game begins, the same ones for both seats.
const OPENING: u64 = 2;

/// Teaches `odds` in games against itself and tries it.
pub(super) fn line_games<G: Game>(
    game: G,
    training: u64,
    games: u64,
    ctx: &UnitCtx,
) -> Result<Value, LabError> {
    let game = Arc::new(game);
    let spec = format!("odds:games={training}").parse::<Spec>().map_err(LabError::other)?;
    let mut learner = make_learner(&game, spec)?;
    for step in 0..training {
        let (mut rng, mut meter) = (Rng::stream(ctx.seed(), step), Meter::unlimited());
        learner.step(&*game, &mut Ctx::new(&mut rng, &mut meter));
    }
    ctx.go_on()?;
    let ledger = learner.ledger();
    let mut outcome = LineGames { results: Vec::new(), chunks: ledger.chunks, games: ledger.games };
    for name in LINE_OPPONENTS {
        let mut opponent = make_mind(&game, name)?;
        let mut result = [0; 3];
        for number in 0..games {
            let seat = Side::BOTH[(number % 2) as usize];
            let mut opening = Rng::stream(ctx.seed() ^ TEST_DICE, number / 2);
            let mut rng = Rng::stream(ctx.seed() ^ TEST_DICE, u64::MAX - number);
            let score = one_game(&*game, [&mut *learner, &mut *opponent], seat, &mut opening, &mut rng);
            result[usize::from(score <= 0.0) + usize::from(score < 0.0)] += 1;
        }
        outcome.results.push(result);
    }
    Ok(json!(outcome))
}

/// The first mind's score, sitting in `seat`.
fn one_game<G: Game>(
    game: &G,
    minds: [&mut dyn Mind<G>; 2],
    seat: Side,
    opening: &mut Rng,
    rng: &mut Rng,
) -> f64 {
    let mut state = game.start();
    let mut moves = Vec::new();
    let mut ply = 0;
    loop {
        let side = match game.turn(&state) {
            Turn::Over(score) => return f64::from(score.of(seat)),
            Turn::Player(side) => side,
            Turn::Chance => return 0.0,
        };
        let mv = if ply < OPENING {
            game.moves(&state, &mut moves);
            moves[opening.below(moves.len() as u32) as usize]
        } else {
            let mut meter = Meter::unlimited();
            minds[usize::from(side != seat)].choose(game, &state, &mut Ctx::new(rng, &mut meter))
        };
        game.apply(&mut state, mv);
        ply += 1;
    }
}

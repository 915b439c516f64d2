//! The work of the units: trainings, tests against pubeval, games against gnubg.

use ludens_core::{Around, Game, Learner, LearnerEntry, MindError, Model, Seat, Side, Stop, decide, play_on};
use ludens_learners::actr::entry;
use ludens_learners::beyond;

use super::published::BLOCKS;
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
    /// Odds of the blocks of the paper's table 2, blended.
    pub(super) paper_blocks: Vec<Option<f64>>,
}

impl Run {
    /// The share won in the last half of the training: what a run or a reading may be chosen by.
    pub(super) fn training_share(&self) -> f64 {
        let half = &self.curve[self.curve.len() / 2..];
        f64::from(half.iter().sum::<u32>()) / (half.len().max(1) * BIN) as f64
    }
}

/// The published player at the table of its test, its plays counted.
struct Counted<'a> {
    player: &'a mut ActR,
    plays: Vec<Move>,
    most_states: u64,
}

impl Picker for Counted<'_> {
    fn pick(&mut self, state: &Position, rng: &mut Rng) -> Move {
        state.plays(&mut self.plays);
        self.most_states = self.most_states.max(self.plays.len() as u64);
        self.player.pick(state, rng)
    }
}

/// A mind at the table of a duel, its states counted.
struct Seated<'a> {
    mind: &'a mut dyn Mind<Backgammon>,
    most_states: u64,
    /// Why it could not go on; the games after that count for nothing.
    failed: Option<MindError>,
}

impl Seated<'_> {
    fn new(mind: &mut dyn Mind<Backgammon>) -> Seated<'_> {
        Seated { mind, most_states: 0, failed: None }
    }

    /// The states of its dearest decision, if it could make all of them.
    fn finish(self) -> Result<u64, LabError> {
        self.failed.map_or(Ok(self.most_states), |error| Err(error.into()))
    }
}

impl Picker for Seated<'_> {
    fn pick(&mut self, state: &Position, rng: &mut Rng) -> Move {
        let mut meter = Meter::unlimited();
        let decided = decide(self.mind, &Backgammon, state, &mut Ctx::new(rng, &mut meter));
        self.most_states = self.most_states.max(meter.cost().states);
        decided.unwrap_or_else(|error| {
            self.failed.get_or_insert(error);
            let mut plays = Vec::new();
            state.plays(&mut plays);
            plays[0]
        })
    }
}

/// The backgammon learner called so.
fn learner_called(name: &str) -> Result<LearnerEntry<Backgammon>, LabError> {
    let entries = beyond::backgammon(entry::add(Default::default()));
    let found = entries.learners.into_iter().find(|entry| entry.about.name == name);
    Ok(found.ok_or_else(|| MindError::Unknown { name: name.into(), near: None })?)
}

fn new_learner(text: &str) -> Result<Box<dyn Learner<Backgammon>>, LabError> {
    let spec: Spec = text.parse().map_err(MindError::from)?;
    let (game, around) = (Arc::new(Backgammon), Arc::new(Around::default()));
    Ok(learner_called(&spec.name)?
        .make(&Seat { game: &game, around: &around, stop: &Stop::default() }, spec)?)
}

fn loaded_learner(model: &Model) -> Result<Box<dyn Learner<Backgammon>>, LabError> {
    let (game, around) = (Arc::new(Backgammon), Arc::new(Around::default()));
    Ok(learner_called(&model.learner)?
        .load(&Seat { game: &game, around: &around, stop: &Stop::default() }, model)?)
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
    let reading = settings.reading.clone();
    let mut player = ActR::new(settings);
    let mut curve = Vec::new();
    for game in 0..training {
        if game.is_multiple_of(BIN as u64) {
            ctx.go_on()?;
            ctx.progress(game as f64 / (training + test_games) as f64, "games");
            curve.push(0);
        }
        let (mut rng, mut meter) = (Rng::stream(ctx.seed(), game), Meter::unlimited());
        let measures = player.step(&Backgammon, &mut Ctx::new(&mut rng, &mut meter))?;
        let won = measures.iter().any(|measure| measure.name == "won" && measure.value > 0.0);
        if let Some(bin) = curve.last_mut() {
            *bin += u32::from(won);
        }
    }
    let mut seat = Counted { player: &mut player, plays: Vec::new(), most_states: 0 };
    let dice = ctx.seed() ^ TEST_DICE;
    let test = duel_from(&mut seat, &mut reading.pubeval(), test_games, dice, |seat| reading.start(seat));
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
        paper_blocks: BLOCKS
            .map(|([point, ahead, size], _)| met(memory, BLOCK, [point, ahead, size, 0]))
            .to_vec(),
    };
    Ok(run)
}

/// Kept apart from every stream used for training or tuning.
pub(super) const TEST_DICE: u64 = 0x7e57_d1ce;

fn surface<T>(value: impl Fn(u8, u8) -> T) -> Vec<Vec<T>> {
    (0..=15).map(|ahead| (1..=24).map(|point| value(point, ahead)).collect()).collect()
}

/// Trains a learner to its end and tests it; killed at any point, the training goes on from its last checkpoint.
pub(super) fn trained(name: &str, test: u64, ctx: &UnitCtx) -> Result<Value, LabError> {
    let checkpoint = ctx.checkpoint("training.safetensors")?;
    let (mut learner, mut step) = match Model::load_checkpoint(&checkpoint) {
        Ok(model) => (loaded_learner(&model)?, model.meta("step")?),
        Err(_) => (new_learner(name)?, 0u64),
    };
    let steps = learner.default_steps();
    while step < steps {
        if step.is_multiple_of(16) {
            ctx.go_on()?;
            ctx.progress(step as f64 / steps as f64, "steps");
        }
        let (mut rng, mut meter) = (Rng::stream(ctx.seed(), step), Meter::unlimited());
        learner.step(&Backgammon, &mut Ctx::new(&mut rng, &mut meter))?;
        step += 1;
        if step.is_multiple_of(steps.div_ceil(20)) {
            let mut model = learner.save();
            model.put_meta("step", &step);
            model.write_checkpoint(&checkpoint)?;
        }
    }
    learner.save().write(&ctx.artefact(&format!("{}.safetensors", ctx.unit.name.replace('/', "-"))))?;
    let ledger = learner.ledger();
    let mut seat = Seated::new(&mut *learner);
    let tally = duel(&mut seat, &mut Pubeval::default(), test, ctx.seed() ^ TEST_DICE);
    let most_states = seat.finish()?;
    Ok(json!({ "test": tally, "games": ledger.games, "chunks": ledger.chunks, "most_states": most_states }))
}

/// One of ours against gnubg 0-ply; `None` where gnubg is not installed.
pub(super) fn against_gnubg(name: &str, training: u64, games: u64, ctx: &UnitCtx) -> Result<Value, LabError> {
    if gnubg::find().is_err() {
        return Ok(json!({ "test": null }));
    }
    let mut gnubg = GnubgMind::new(0);
    let mut learner = new_learner(name)?;
    for step in 0..learner.default_steps().min(training) {
        let (mut rng, mut meter) = (Rng::stream(ctx.seed(), step), Meter::unlimited());
        learner.step(&Backgammon, &mut Ctx::new(&mut rng, &mut meter))?;
    }
    ctx.go_on()?;
    let mut opponent = Seated::new(&mut gnubg);
    let mut seat = Seated::new(&mut *learner);
    let tally = duel(&mut seat, &mut opponent, games, ctx.seed() ^ TEST_DICE);
    opponent.finish()?;
    seat.finish()?;
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
/// Their plies.
const LINE_DEPTHS: [u32; 3] = [0, 1, 2];
/// Plies that are drawn at random before a game begins, the same ones for both seats.
const OPENING: u64 = 2;

/// Teaches `odds` in games against itself and tries it.
pub(super) fn line_games<G: Game>(
    game: &G,
    training: u64,
    games: u64,
    ctx: &UnitCtx,
) -> Result<Value, LabError> {
    let mut learner =
        LineOdds::new(game, odds::Settings { games: training, ..Default::default() }, ctx.stop())?;
    for step in 0..training {
        let (mut rng, mut meter) = (Rng::stream(ctx.seed(), step), Meter::unlimited());
        learner.step(game, &mut Ctx::new(&mut rng, &mut meter))?;
    }
    ctx.go_on()?;
    let ledger = Mind::<G>::ledger(&learner);
    let mut outcome = LineGames { results: Vec::new(), chunks: ledger.chunks, games: ledger.games };
    for depth in LINE_DEPTHS {
        let mut opponent = line_opponent(game, depth)?;
        let mut tally = Tally::default();
        for number in 0..games {
            let seat = Side::BOTH[(number % 2) as usize];
            let mut opening = Rng::stream(ctx.seed() ^ TEST_DICE, number / 2);
            let mut rng = Rng::stream(ctx.seed() ^ TEST_DICE, u64::MAX - number);
            tally.add(one_game(game, [&mut learner, &mut *opponent], seat, &mut opening, &mut rng)?);
        }
        outcome.results.push([tally.wins, tally.draws, tally.losses]);
    }
    Ok(json!(outcome))
}

/// Random where nothing is looked ahead, else alpha-beta with open lines.
fn line_opponent<G: Game>(game: &G, depth: u32) -> Result<Box<dyn Mind<G>>, LabError> {
    if depth == 0 {
        return Ok(Box::new(Random));
    }
    let lines = Lines::of(game).ok_or_else(|| LabError::other("it is not a game of lines"))?;
    Ok(Box::new(AlphaBeta::new(lines, Limits::depth(depth))))
}

/// The first mind's score, sitting in `seat`.
fn one_game<G: Game>(
    game: &G,
    minds: [&mut dyn Mind<G>; 2],
    seat: Side,
    opening: &mut Rng,
    rng: &mut Rng,
) -> Result<f32, MindError> {
    let mut moves = Vec::new();
    let mut ply = 0;
    let choose = |state: &G::State, side: Side| {
        ply += 1;
        if ply <= OPENING {
            game.moves(state, &mut moves);
            return Ok(moves[opening.below(moves.len() as u32) as usize]);
        }
        let mut meter = Meter::unlimited();
        decide(&mut *minds[usize::from(side != seat)], game, state, &mut Ctx::new(rng, &mut meter))
    };
    let score = play_on(game, &mut game.start(), u64::MAX, &mut Rng::new(0), choose, |_, _| {})?;
    Ok(score.map_or(0.0, |score| score.of(seat)))
}

//! Homo ludens: the player of the five papers together, against each of our single methods with as many games, against the truth of Connect Four,
//! against pubeval; how many games it needs, what it carries from game to game, and what it loses without each postulate.

mod tables;

use std::sync::Arc;

use ludens_arena::{Options, Tally, Tournament, run_with};
use ludens_core::{
    Budget, Ctx, Entrant, Front, Game, Games, Learner, Meter, Mind, Model, Models, NoModels, Rng, Spec, Stop,
    Trainee,
};
use ludens_games::connect_four::ConnectFour;
use ludens_learners::homo::Homo;
use ludens_search::connect_four_solver::{Position, Solver};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{About, Experiment, LabError, Outcomes, PaperResult, Plan, Unit, UnitCtx};

/// The games of the tables of rivals: native ones, and rules of this repository. Those from rules take most of the time, and are an experiment of
/// their own.
const GAMES: [(&str, Option<&str>); 6] = [
    ("tic-tac-toe", None),
    ("connect-four", None),
    ("four-in-a-row", None),
    ("reversi", None),
    ("breakthrough.kif", Some(include_str!("../../../../gdl/rules/breakthrough.kif"))),
    ("hex-7.kif", Some(include_str!("../../../../gdl/rules/hex-7.kif"))),
];
/// Our single methods, and whether each learns from games: then it gets as many as homo, else its own defaults.
const RIVALS: [(&str, bool); 4] = [
    ("nhb-improved:states=300,cycle=50", true),
    ("coevolution-improved", true),
    ("odds", true),
    ("concepts-selected", false),
];
/// States a move of everybody, and those of a UCT that may look at ten times as many.
const STATES: u64 = 300;
const UCT: [&str; 2] = ["uct:states=300", "uct:states=3000"];
/// Each postulate, and the setting that takes it away.
const POSTULATES: [(&str, &str); 9] = [
    ("P1, from the simple to the hard", "endings=0"),
    ("P2, what it knows from other games", "from"),
    ("P3, sets of cells of its own", "own=false"),
    ("P4, several levels of detail", "general=false"),
    ("P5, patterns: single cells only", "contexts=false"),
    ("P6, hierarchy: no pairs or triples of chunks", "pairs=0"),
    ("P7, symmetry", "symmetry=false"),
    ("the first inclination", "inclines=false"),
    ("what is decided before anything is moved", "foresees=false"),
];
/// The opponent that it is to beat after as few games as possible.
const FOUR_PLIES: &str = "alphabeta:depth=4";
/// The positions whose outcome is to be kept.
const POSITIONS: &str = include_str!("../../../../../oracles/connect_four/Test_L2_R2_middle-medium");

/// Games of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Whole {
    /// Games from rules, and nothing but rivals there; else the games that are built in.
    rules: bool,
}

/// On the games that are built in: rivals, what is known, the rise, and what each part is worth.
pub const BUILT_IN: Whole = Whole { rules: false };
/// Rivals on games from rules.
pub const FROM_RULES: Whole = Whole { rules: true };

impl Whole {
    fn games(self) -> impl Iterator<Item = &'static str> {
        GAMES.iter().filter(move |(_, rules)| rules.is_some() == self.rules).map(|(game, _)| *game)
    }
}

/// Matches of one training.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
struct Met {
    /// By opponent.
    tallies: Vec<(String, Tally)>,
    /// CPU time does not repeat; states do.
    states: u64,
    chunks: u64,
    /// Connect Four: the outcome kept without looking ahead, and with all states.
    kept: Option<[f64; 2]>,
}

/// Points against one opponent after so many games.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
struct Rise {
    points: Vec<(u64, f64)>,
}

/// How much work a scale is.
struct Size {
    seeds: u32,
    games: u32,
    /// Games of the trainings without a postulate, and of those beside them: there are many.
    fewer: u32,
    pairs: u32,
    /// How many of the rivals are met.
    rivals: usize,
    positions: usize,
}

fn size(plan: &Plan) -> Size {
    Size {
        seeds: plan.seeds_or(plan.scale.pick(1, 2, 5)),
        games: plan.scale.pick(12, 200, 1000),
        fewer: plan.scale.pick(12, 200, 300),
        pairs: plan.scale.pick(1, 20, 50),
        rivals: plan.scale.pick(0, RIVALS.len(), RIVALS.len()),
        positions: plan.scale.pick(10, 300, 1000),
    }
}

fn open(games: &Games, name: &str) -> Result<Arc<dyn Front>, LabError> {
    match GAMES.iter().find(|(listed, _)| *listed == name).and_then(|(_, rules)| *rules) {
        Some(rules) => Ok(games.open_text(name, rules, &Stop::default())?),
        None => Ok(games.open(name)?),
    }
}

/// The settings of homo for so many games.
fn homo(games: u32, more: &str) -> String {
    // Small scales watch fewer games and play shorter rounds.
    let (watched, round) = (games.div_ceil(10), (games / 20).clamp(1, 10));
    format!("homo:games={games},watched={watched},round={round}{more}")
}

/// Trains to the end, or so many games.
fn train(
    front: &dyn Front,
    spec: &str,
    games: Option<u32>,
    ctx: &UnitCtx,
) -> Result<Box<dyn Trainee>, LabError> {
    let spec: Spec = spec.parse().map_err(LabError::other)?;
    let mut learner = front.learner(spec)?;
    let mut meter = Meter::watched(Budget::Unlimited, ctx.stop().clone());
    let steps = learner.default_steps();
    let mut step = 0;
    loop {
        ctx.go_on()?;
        learner.step(&mut Ctx::new(&mut Rng::stream(ctx.seed(), step), &mut meter))?;
        step += 1;
        let done = games.map_or(step >= steps, |games| learner.ledger().games >= u64::from(games));
        if done || learner.finished() {
            return Ok(learner);
        }
    }
}

/// Pairs of games between two, with these states a move.
fn meet(
    front: &dyn Front,
    entrants: [Entrant; 2],
    pairs: u32,
    states: Option<u64>,
    ctx: &UnitCtx,
) -> Result<Tally, LabError> {
    let mut tournament =
        Tournament::new(&front.id(), &["homo", "the other"]).games(2 * pairs).opening_plies(4);
    tournament = tournament.seed(ctx.seed() ^ 0x7e57);
    tournament.max_plies = 300;
    if let Some(states) = states {
        tournament = tournament.states(states);
    }
    let models: Arc<dyn Models> = Arc::new(NoModels);
    let mut options = Options::threads(1);
    options.stop = ctx.stop().clone();
    let report = run_with(front, &entrants, &models, &tournament, &options, &|_| {})?;
    Ok(report.pairings.first().map(|pairing| pairing.tally).unwrap_or_default())
}

fn model(learner: &dyn Trainee) -> Entrant {
    Entrant::Model(Arc::new(learner.save_for_play()))
}

fn rivals(game: &str, size: &Size, ctx: &UnitCtx) -> Result<Met, LabError> {
    let front = open(ctx.games(), game)?;
    let own = train(&*front, &homo(size.games, ""), Some(size.games), ctx)?;
    let mut met = Met { states: own.ledger().states, chunks: own.ledger().chunks, ..Met::default() };
    let all = RIVALS.len() + UCT.len();
    for (number, (rival, games)) in RIVALS.iter().take(size.rivals).enumerate() {
        let trained = match train(&*front, rival, games.then_some(size.games), ctx) {
            Ok(trained) => trained,
            // Not everybody plays everything.
            Err(LabError::Mind(ludens_core::MindError::WrongGame { .. })) => continue,
            Err(error) => return Err(error),
        };
        let tally = meet(&*front, [model(&*own), model(&*trained)], size.pairs, Some(STATES), ctx)?;
        met.tallies.push((rival.split(':').next().unwrap_or(rival).into(), tally));
        ctx.progress((number + 1) as f64 / all as f64, "rivals");
    }
    for uct in UCT.into_iter().take(if size.rivals > 1 { UCT.len() } else { 1 }) {
        let entrants = [model(&*own), Entrant::Named(uct.into())];
        met.tallies.push((uct.into(), meet(&*front, entrants, size.pairs, None, ctx)?));
    }
    if game == "connect-four" {
        met.kept = Some(kept(&own.save_for_play(), size.positions)?);
    }
    Ok(met)
}

/// How often the outcome of a position that is not lost is kept, without looking ahead and with all states.
fn kept(model: &Model, positions: usize) -> Result<[f64; 2], LabError> {
    let mut homo = Homo::load(&ConnectFour, model)?;
    let mut solver = Solver::<7, 6>::with_table_bits(20);
    let (mut kept, mut all) = ([0u32; 2], 0u32);
    for line in POSITIONS.lines().take(positions) {
        let Some((moves, score)) = line.split_once(' ') else { continue };
        let score: i32 = score.parse().map_err(LabError::other)?;
        if score < 0 {
            continue;
        }
        all += 1;
        let state = ConnectFour.parse(moves).map_err(LabError::other)?;
        let scores = solver.move_scores(&Position::from_moves(moves).map_err(LabError::other)?);
        for (looks, kept) in [0, STATES].into_iter().zip(&mut kept) {
            homo.settings.looks = looks;
            let mut meter = Meter::unlimited();
            let ranking = homo.rank(&ConnectFour, &state, &mut Ctx::new(&mut Rng::new(1), &mut meter))?;
            let reached = ranking.decide().and_then(|mv| scores.get(mv.0 as usize).copied().flatten());
            *kept += u32::from(reached.is_some_and(|reached| reached.signum() >= score.signum()));
        }
    }
    Ok(kept.map(|kept| f64::from(kept) / f64::from(all.max(1))))
}

/// Points against alpha-beta after every tenth of a training at Connect Four; where `carried`, after tic-tac-toe and 4×9.
fn rise(carried: bool, size: &Size, ctx: &UnitCtx) -> Result<Rise, LabError> {
    let front = open(ctx.games(), "connect-four")?;
    let mut more = String::new();
    if carried {
        for game in ["tic-tac-toe", "four-in-a-row"] {
            let before = train(&*open(ctx.games(), game)?, &homo(size.games, &more), Some(size.games), ctx)?;
            let file = ctx.checkpoint(&format!("{game}.safetensors"))?;
            before.save_for_play().write(&file)?;
            more = format!(",from={}", file.display());
        }
    }
    let mut learner = front.learner(homo(size.games, &more).parse().map_err(LabError::other)?)?;
    let mut meter = Meter::watched(Budget::Unlimited, ctx.stop().clone());
    let mut rise = Rise::default();
    let mut step = 0;
    while !learner.finished() {
        ctx.go_on()?;
        learner.step(&mut Ctx::new(&mut Rng::stream(ctx.seed(), step), &mut meter))?;
        step += 1;
        let games = learner.ledger().games;
        if step.is_multiple_of(2) || learner.finished() {
            let entrants = [model(&*learner), Entrant::Named(FOUR_PLIES.into())];
            let points = meet(&*front, entrants, size.pairs / 2 + 1, None, ctx)?.score();
            rise.points.push((games, points));
            ctx.progress(games as f64 / f64::from(size.games), "games");
        }
    }
    Ok(rise)
}

/// The whole player against itself without a postulate, trained on the same seed.
fn without(switch: &str, size: &Size, ctx: &UnitCtx) -> Result<Met, LabError> {
    let front = open(ctx.games(), "connect-four")?;
    let mut more = String::new();
    if switch == "from" {
        // Here the whole is the one that has learnt other games before.
        let before =
            train(&*open(ctx.games(), "four-in-a-row")?, &homo(size.fewer, ""), Some(size.fewer), ctx)?;
        let file = ctx.checkpoint("before.safetensors")?;
        before.save_for_play().write(&file)?;
        more = format!(",from={}", file.display());
    }
    let own = train(&*front, &homo(size.fewer, &more), Some(size.fewer), ctx)?;
    let switch = if switch == "from" { String::new() } else { format!(",{switch}") };
    let less = train(&*front, &homo(size.fewer, &switch), Some(size.fewer), ctx)?;
    let tally = meet(&*front, [model(&*own), model(&*less)], size.pairs, Some(STATES), ctx)?;
    Ok(Met { tallies: vec![("without".into(), tally)], states: own.ledger().states, ..Met::default() })
}

/// Backgammon against pubeval, no lookahead.
fn backgammon(size: &Size, ctx: &UnitCtx) -> Result<Met, LabError> {
    let front = open(ctx.games(), "backgammon")?;
    let own = train(&*front, &homo(size.games, ",looks=0"), Some(size.games), ctx)?;
    let entrants = [model(&*own), Entrant::Named("pubeval".into())];
    let mut tournament =
        Tournament::new(&front.id(), &["homo", "pubeval"]).games(20 * size.pairs).opening_plies(0);
    tournament = tournament.seed(ctx.seed() ^ 0x7e57);
    let models: Arc<dyn Models> = Arc::new(NoModels);
    let mut options = Options::threads(1);
    options.stop = ctx.stop().clone();
    let report = run_with(&*front, &entrants, &models, &tournament, &options, &|_| {})?;
    let tally = report.pairings.first().map(|pairing| pairing.tally).unwrap_or_default();
    Ok(Met {
        tallies: vec![("pubeval".into(), tally)],
        states: own.ledger().states,
        chunks: own.ledger().chunks,
        kept: None,
    })
}

impl Experiment for Whole {
    fn about(&self) -> About {
        let citation = "Ludens, this repository";
        if self.rules {
            return About { id: "homo-rules", title: "Homo ludens on games from rules", citation };
        }
        let title = "Homo ludens: one player that learns as the five papers say together";
        About { id: "homo", title, citation }
    }

    fn units(&self, plan: &Plan) -> Vec<Unit> {
        let mut kinds: Vec<String> = self.games().map(|game| format!("rivals/{game}")).collect();
        if !self.rules {
            kinds.extend(["rise/fresh", "rise/carried", "backgammon"].map(String::from));
            kinds.extend((1..=POSTULATES.len()).map(|number| format!("without/{number}")));
        }
        let seeds = |kind: &String| {
            (0..size(plan).seeds).map(|seed| plan.unit(format!("{kind}/seed-{seed}"))).collect::<Vec<_>>()
        };
        kinds.iter().flat_map(seeds).collect()
    }

    fn run_unit(&self, plan: &Plan, unit: &Unit, ctx: &UnitCtx) -> Result<Value, LabError> {
        let size = size(plan);
        let wrong = || LabError::other(format!("no such unit: {}", unit.name));
        let parts: Vec<&str> = unit.name.split('/').collect();
        let value = match parts.as_slice() {
            ["rivals", game, _] => serde_json::to_value(rivals(game, &size, ctx)?),
            ["rise", how, _] => serde_json::to_value(rise(*how == "carried", &size, ctx)?),
            ["backgammon", _] => serde_json::to_value(backgammon(&size, ctx)?),
            ["without", number, _] => {
                let number: usize = number.parse().map_err(LabError::other)?;
                let (_, switch) =
                    number.checked_sub(1).and_then(|at| POSTULATES.get(at)).ok_or_else(wrong)?;
                serde_json::to_value(without(switch, &size, ctx)?)
            }
            _ => return Err(wrong()),
        };
        value.map_err(LabError::other)
    }

    fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
        tables::assemble(*self, plan, outcomes)
    }
}

//! Paper 004, section 3: the learning curve, table 1, the odds of attack, expose and block; and our players beside them.

mod figures;

use std::sync::Arc;

use ludens_core::{Ctx, Meter, Mind, Move, Rng, Spec};
use ludens_games::backgammon::{Backgammon, Position};
use ludens_learners::actr::duel::{Picker, Tally, duel};
use ludens_learners::actr::features::{ATTACK, BLOCK, EXPOSE};
use ludens_learners::actr::gnubg::Gnubg;
use ludens_learners::actr::odds::{Feature, OddsMemory};
use ludens_learners::actr::pubeval::Pubeval;
use ludens_learners::actr::published::{ActR, Settings};
use ludens_learners::registry::make_learner;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::figures::{attack_figure, expose_figure, learning_curve};
use crate::stats::mean;
use crate::{
    About, Cell, Experiment, Figure, FigureKind, Heat, LabError, Outcomes, PaperResult, Plan, Point, Role,
    Row, Series, Table, Unit, UnitCtx,
};

/// Games of one point of the learning curve.
const BIN: usize = 20;

#[derive(Debug)]
pub struct ActRGammon;

/// Sizes: training games, test games, runs of the paper's player, runs of ours, games against gnubg.
struct Size {
    training: u64,
    test: u64,
    runs: u32,
    our_test: u64,
    our_runs: u32,
    rehearsed_runs: u32,
    td: u64,
    hc: u64,
    gnubg: u64,
}

impl Size {
    fn of(plan: &Plan) -> Size {
        let pick = |smoke, quick, paper| plan.scale.pick(smoke, quick, paper);
        Size {
            training: pick(40, 1_000, 1_000),
            test: pick(40, 1_000, 5_000),
            runs: plan.seeds_or(plan.scale.pick(2, 5, 20)),
            our_test: pick(40, 2_000, 20_000),
            our_runs: plan.seeds_or(plan.scale.pick(1, 3, 20)),
            rehearsed_runs: plan.scale.pick(1, 1, 5),
            td: pick(1_000, 10_000, 1_000_000),
            hc: pick(200, 2_000, 100_000),
            gnubg: pick(4, 100, 1_000),
        }
    }
}

/// What one run of the paper's player leaves.
#[derive(Serialize, Deserialize)]
struct Run {
    /// Games won in each bin of the training.
    curve: Vec<u32>,
    test: Tally,
    chunks: usize,
    most_states: u64,
    /// Odds by point, blended, `None` where nothing was ever met.
    attack: Vec<Option<f64>>,
    /// `[ahead][point]`.
    expose: Vec<Vec<Option<f64>>>,
    experience: Vec<Vec<f64>>,
    blocks: Vec<([u8; 3], f64)>,
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

fn published_run(settings: Settings, size: &Size, ctx: &UnitCtx) -> Result<(Run, ActR), LabError> {
    let mut player = ActR::new(settings);
    let mut curve = Vec::new();
    for game in 0..size.training {
        if game.is_multiple_of(BIN as u64) {
            ctx.go_on()?;
            ctx.progress(game as f64 / (size.training + size.test) as f64, "games");
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
    let test = duel(&mut seat, &mut Pubeval::default(), size.test, ctx.seed() ^ TEST_DICE);
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
    Ok((run, player))
}

/// Kept apart from every stream used for training or tuning.
const TEST_DICE: u64 = 0x7e57_d1ce;

fn surface<T>(value: impl Fn(u8, u8) -> T) -> Vec<Vec<T>> {
    (0..=15).map(|ahead| (1..=24).map(|point| value(point, ahead)).collect()).collect()
}

/// Trains a learner to its end and tests it.
fn trained(name: &str, test: u64, ctx: &UnitCtx) -> Result<Value, LabError> {
    let mut learner = make_learner(&Arc::new(Backgammon), name.parse::<Spec>().map_err(LabError::other)?)?;
    let steps = learner.default_steps();
    for step in 0..steps {
        if step.is_multiple_of(16) {
            ctx.go_on()?;
            ctx.progress(step as f64 / steps as f64, "steps");
        }
        let (mut rng, mut meter) = (Rng::stream(ctx.seed(), step), Meter::unlimited());
        learner.step(&Backgammon, &mut Ctx::new(&mut rng, &mut meter));
    }
    let ledger = learner.ledger();
    let mut seat = Seated { mind: &mut *learner, most_states: 0 };
    let tally = duel(&mut seat, &mut Pubeval::default(), test, ctx.seed() ^ TEST_DICE);
    Ok(
        json!({ "test": tally, "games": ledger.games, "chunks": ledger.chunks, "most_states": seat.most_states }),
    )
}

/// One of ours against gnubg 0-ply; `None` where gnubg is not installed.
fn against_gnubg(name: &str, training: u64, games: u64, ctx: &UnitCtx) -> Result<Value, LabError> {
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

impl Experiment for ActRGammon {
    fn about(&self) -> About {
        About {
            id: "actr",
            title: "ACT-R-Gammon: backgammon from fewer than 50 chunks",
            citation: "Sanner, Anderson, Lebiere, Lovett: Achieving Efficient and Cognitively Plausible Learning in \
                       Backgammon (ICML 2000)",
        }
    }

    fn units(&self, plan: &Plan) -> Vec<Unit> {
        let size = Size::of(plan);
        let mut units: Vec<Unit> = (0..size.runs).map(|run| plan.unit(format!("published/{run}"))).collect();
        units.extend((0..size.our_runs.min(5)).map(|run| plan.unit(format!("literal/{run}"))));
        units.extend((0..size.our_runs).map(|run| plan.unit(format!("improved/{run}"))));
        units.extend((0..size.rehearsed_runs).map(|run| plan.unit(format!("rehearsed/{run}"))));
        units.extend(["gnubg/published", "gnubg/improved", "td", "hc"].map(|name| plan.unit(name)));
        units
    }

    fn run_unit(&self, plan: &Plan, unit: &Unit, ctx: &UnitCtx) -> Result<Value, LabError> {
        let size = Size::of(plan);
        let (group, which) = unit.name.split_once('/').unwrap_or((unit.name.as_str(), ""));
        let games = size.training;
        match (group, which) {
            ("published", _) => Ok(json!(published_run(Settings::published(), &size, ctx)?.0)),
            ("literal", _) => Ok(json!(published_run(Settings::literal(), &size, ctx)?.0)),
            ("improved", _) => trained(&format!("actr-improved:games={games}"), size.our_test, ctx),
            ("rehearsed", run) => {
                let last = plan.scale.pick(20, 10_000, 30_000);
                trained(&format!("actr-rehearsed:games={games},last={last},seed={run}"), size.our_test, ctx)
            }
            ("gnubg", "published") => against_gnubg("actr", games, size.gnubg, ctx),
            ("gnubg", _) => against_gnubg(&format!("actr-improved:games={games}"), games, size.gnubg, ctx),
            ("td", _) => trained(&format!("td:games={}", size.td), size.our_test, ctx),
            _ => trained(&format!("hc:generations={}", size.hc), size.our_test, ctx),
        }
    }

    fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
        let size = Size::of(plan);
        let runs = |group: &str, count: u32| -> Result<Vec<Run>, LabError> {
            (0..count).map(|run| outcomes.get(&format!("{group}/{run}"))).collect()
        };
        let published = runs("published", size.runs)?;
        let literal = runs("literal", size.our_runs.min(5))?;
        let mut result = PaperResult::new(self.about(), plan);
        result.tables.push(table_1(&size, &published, &literal, outcomes)?);
        result.tables.push(gnubg_table(outcomes)?);
        result.tables.push(block_table(&published));
        result.figures.push(learning_curve(&published));
        result.figures.push(attack_figure(&published));
        result.figures.push(expose_figure("4", "Experience of expose", "counts", &published, false));
        result.figures.push(expose_figure("5", "Odds of expose", "odds", &published, true));
        result.summary = summary(&published, &literal);
        result.deviations = DEVIATIONS.map(String::from).to_vec();
        result.commands = vec![
            "cargo run --release -p ludens-learners --example train_backgammon -- actr-improved 1 20000"
                .into(),
        ];
        Ok(result)
    }
}

const DEVIATIONS: [&str; 7] = [
    "Doubles are four moves of the die, as in the real game (the text says two).",
    "Opponents ahead of a point are those on higher points, and those on the bar.",
    "Every occurrence of a feature counts (the text could also mean one a game), and the opponent's features are learnt from as well, with his outcome; without both the player stays near 17 % (row “literal”).",
    "An exposed man that is hit counts as five losses of his feature; the paper gives no number.",
    "Races are played by a fixed rule; the features do not tell plays of a race apart. Worth two to three points.",
    "One is added to both counts of a chunk (eq. 4), so that a chunk met once does not decide everything.",
    "TD and HC are trained in the forward view with our step sizes; HC's matches grow with the share of the climb that is done.",
];

fn shares(runs: &[Run]) -> Vec<f64> {
    runs.iter().map(|run| run.test.share()).collect()
}

fn best(runs: &[Run]) -> Tally {
    let best = runs.iter().max_by(|a, b| a.test.share().total_cmp(&b.test.share()));
    best.map_or(Tally::default(), |run| run.test)
}

/// Table 1, with the paper's other rows and ours.
fn table_1(size: &Size, published: &[Run], literal: &[Run], outcomes: &Outcomes) -> Result<Table, LabError> {
    let tallies = |group: &str, count: u32| -> Result<Vec<f64>, LabError> {
        let tally = |run| outcomes.get_field::<Tally>(&format!("{group}/{run}"), "test");
        (0..count).map(|run| tally(run).map(|tally| tally.share())).collect()
    };
    let most = |runs: &[Run]| runs.iter().map(|run| run.chunks).max().unwrap_or(0) as f64;
    let states = published.iter().map(|run| run.most_states).max().unwrap_or(0) as f64;
    let one = |unit: &str| -> Result<Cell, LabError> {
        let tally: Tally = outcomes.get_field(unit, "test")?;
        Ok(Cell::share(tally.wins, tally.games))
    };
    let whole = |value: f64| Cell::exact(value).decimals(0);
    let experience = size.training as f64;
    let best = best(published);
    let mut table = Table::new(
        "1",
        "Share of games won against pubeval",
        &["won", "games of experience", "most chunks", "most states a move"],
    );
    table = table
        .row(Row::new(
            "ACT-R-Gammon, best run",
            [
                Cell::share(best.wins, best.games).paper(0.4523).percent(),
                whole(experience),
                whole(most(published)),
                whole(states),
            ],
        ))
        .row(Row::new(
            "ACT-R-Gammon, mean of the runs",
            [
                Cell::mean(&shares(published)).percent(),
                whole(experience),
                whole(most(published)),
                whole(states),
            ],
        ))
        .row(Row::new(
            "the text word for word",
            [
                Cell::mean(&shares(literal)).percent(),
                whole(experience),
                whole(most(literal)),
                Cell::text("–"),
            ],
        ))
        .row(Row::new(
            "ours, fewer than 50 chunks (actr-improved)",
            [
                Cell::mean(&tallies("improved", size.our_runs)?).percent(),
                whole(experience),
                whole(48.0),
                Cell::text("–"),
            ],
        ))
        .row(Row::new(
            "ours, 1,000 games rehearsed (actr-rehearsed)",
            [
                Cell::mean(&tallies("rehearsed", size.rehearsed_runs)?).percent(),
                whole(experience),
                Cell::text("a network"),
                Cell::text("–"),
            ],
        ))
        .row(Row::new(
            "TD(λ) network",
            [
                one("td")?.paper(0.5925).percent(),
                whole(size.td as f64),
                Cell::text("a network"),
                Cell::text("–"),
            ],
        ))
        .row(Row::new(
            "HC-Gammon",
            [
                one("hc")?.paper(0.4).percent(),
                whole(outcomes.get_field::<u64>("hc", "games")? as f64),
                Cell::text("a network"),
                Cell::text("–"),
            ],
        ));
    Ok(table)
}

fn gnubg_table(outcomes: &Outcomes) -> Result<Table, LabError> {
    let mut table = Table::new("gnubg", "Share of games won against gnubg 0-ply", &["won"]).beyond();
    for name in ["published", "improved"] {
        let tally: Option<Tally> = outcomes.get_field(&format!("gnubg/{name}"), "test")?;
        let cell = match tally {
            Some(tally) => Cell::share(tally.wins, tally.games).percent(),
            None => Cell::text("gnubg is not installed here"),
        };
        table = table.row(Row::new(name, [cell]));
    }
    Ok(table)
}

/// The paper's table 2: its chunks, with our odds of the same feature in the first run, as far as it met something like it.
fn block_table(runs: &[Run]) -> Table {
    let paper = [
        ([1, 10, 1], 0.17),
        ([4, 5, 1], 0.13),
        ([7, 9, 1], 0.63),
        ([12, 0, 1], 0.63),
        ([12, 7, 1], 1.79),
        ([16, 5, 2], 2.48),
        ([20, 3, 2], 2.54),
        ([21, 5, 1], 6.94),
        ([22, 4, 3], 3.86),
        ([24, 1, 5], 1.22),
        ([24, 3, 4], 3.79),
    ];
    let distance = |a: &[u8; 3], b: &[u8; 3]| {
        let [p, n, s] = [0, 1, 2].map(|slot| f64::from(a[slot].abs_diff(b[slot])));
        (p / 23.0 + n / 15.0 + s / 5.0) / 3.0
    };
    let mut table =
        Table::new("2", "Odds of blocks ⟨point, opponents ahead, size⟩", &["odds", "nearest chunk"]);
    for (block, odds) in paper {
        let chunks = runs.first().map_or(&[][..], |run| &run.blocks);
        let nearest = chunks.iter().min_by(|a, b| distance(&a.0, &block).total_cmp(&distance(&b.0, &block)));
        let cells = match nearest {
            Some((chunk, ours)) => {
                [Cell::exact(*ours).paper(odds).decimals(2), Cell::text(format!("{chunk:?}"))]
            }
            None => [Cell::paper_only(odds).decimals(2), Cell::text("–")],
        };
        table = table.row(Row::new(format!("{block:?}"), cells));
    }
    table.note("one run, as in the paper; ours is the chunk nearest to the paper's")
}

fn summary(published: &[Run], literal: &[Run]) -> Vec<String> {
    let level = mean(&shares(published));
    let bins = |run: &Run, from: usize, to: usize| -> f64 {
        let part = &run.curve[from.min(run.curve.len())..to.min(run.curve.len())];
        f64::from(part.iter().sum::<u32>()) / (part.len().max(1) * BIN) as f64
    };
    let early: Vec<f64> = published.iter().map(|run| bins(run, 1, 2)).collect();
    let hundred: Vec<f64> = published.iter().map(|run| bins(run, 4, 6)).collect();
    vec![
        format!(
            "The player as read here wins {:.1} % against pubeval (mean of {} runs, best {:.1} %), the text word for word {:.1} %; the paper reports 45.2 % for its best run.",
            100.0 * level.mean,
            published.len(),
            100.0 * best(published).share(),
            100.0 * mean(&shares(literal)).mean
        ),
        format!(
            "After 20 games it wins {:.0} % of its final level, around game 100 {:.0} % (paper: over 50 %, within 15 %).",
            100.0 * mean(&early).mean / level.mean,
            100.0 * mean(&hundred).mean / level.mean
        ),
        "The learnt odds have the paper's shape: long blocks on high points far above 1, early blocks and exposed men below.".into(),
    ]
}

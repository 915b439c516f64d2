//! Contexts (Mańdziuk): eight systems on disjoint sets of labelled positions, half for training, half for testing; the ranks of the best move.

use ludens_core::Rng;
use ludens_learners::beyond::ranker::{moves, postulates};
use ludens_learners::contexts::labels::with_noise;
use ludens_learners::contexts::train::{Ranks, System, Targets, Training, Ways, measure, ranks_of};
use ludens_learners::contexts::{RECONSTRUCTED, shipped};
use ludens_search::connect_four_labels::{self as labels, LabelSettings, Labelled};
use ludens_search::connect_four_solver::Position;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::published::systems;
use crate::stats::{mean, paired_t};
use crate::{
    About, Cell, Experiment, LabError, Outcomes, PaperClaim, PaperResult, Plan, Row, Scale, Table, Unit,
    UnitCtx,
};

mod claims;
mod long;
mod published;

/// Beyond the paper: the systems on labels that err, S4 told all best moves, with a second task, growing, all kinds of detectors together, two systems trained and tested on the positions
/// without a win in one move only; our own ranker, and what the paper's postulates bring to it.
const BEYOND: [&str; 15] = [
    "S1-noisy",
    "S2-noisy",
    "S3-noisy",
    "S4-noisy",
    "S4-all-best",
    "S4-outcome",
    "S4-grown",
    "D1234",
    "S4-quiet",
    "N40-quiet",
    "moves",
    "moves-simple-first",
    "moves-chunks",
    "moves-preselected",
    "moves-four",
];
/// The share of labels that err in the noisy rows: the paper's program plays 93 % of a test set right.
const NOISE: f64 = 0.07;
/// Times through the examples and first step of our own ranker.
const OWN_EPOCHS: u32 = 8;
const OWN_RATE: f32 = 0.03;
/// More chunks than it ever finds in a set of the paper's size.
const OWN_CHUNKS: usize = 1000;

/// The systems over contexts.
const OURS: [&str; 4] = ["S1", "S2", "S3", "S4"];
/// What the units on the positions of the program begin with, and how many shuffles of them there are.
const FEW: &str = "few-";
const FEW_SETS: usize = 3;

#[derive(Debug)]
pub struct Contexts;

/// A value for every column.
type Rank = Box<dyn FnMut(u64, u64) -> [f32; 7]>;

/// What one training finds.
#[derive(Serialize, Deserialize)]
struct Outcome {
    train: Ranks,
    test: Ranks,
    epochs: u32,
    /// For each reconstructed position the rank of every column.
    reconstructed: Vec<[usize; 7]>,
}

/// Training stops here if no plateau is reached before.
const MOST_EPOCHS: u32 = 400;

/// Sets, positions in each, most epochs.
fn size(plan: &Plan) -> (usize, usize, u32) {
    let (sets, each, epochs) = plan.scale.pick((2, 200, 3), (4, 500, 60), (10, 30_000, MOST_EPOCHS));
    // Below the paper's size there are no more positions than the program brings along.
    let most = if plan.scale == Scale::Paper { usize::MAX } else { 2000 / each };
    ((plan.seeds_or(sets) as usize).min(most), each, epochs)
}

impl Experiment for Contexts {
    fn about(&self) -> About {
        About {
            id: "contexts",
            title: "Search-free move ordering in Connect Four by a network over local contexts",
            citation: ludens_learners::citations::CONTEXTS,
        }
    }

    fn units(&self, plan: &Plan) -> Vec<Unit> {
        let (sets, ..) = size(plan);
        let mut units = vec![plan.unit("labels")];
        for set in 0..sets {
            for system in systems().chain(BEYOND) {
                units.push(plan.unit(format!("{system}/set-{set}")).needs("labels"));
            }
        }
        for set in 0..FEW_SETS {
            units.extend(OURS.map(|system| plan.unit(format!("{FEW}{system}/set-{set}"))));
        }
        for set in 0..long::size(plan, sets).0 {
            for system in OURS {
                units.push(plan.unit(format!("{}{system}/set-{set}", long::PREFIX)).needs("labels"));
            }
        }
        units
    }

    fn run_unit(&self, plan: &Plan, unit: &Unit, ctx: &UnitCtx) -> Result<Value, LabError> {
        let (sets, each, most) = size(plan);
        let path = ctx.artefact("labels.safetensors");
        let Some((system, set)) = unit.name.split_once("/set-") else {
            return label(plan, sets * each, &path, ctx);
        };
        let set: usize = set.parse().unwrap_or(0);
        let mut rng = ctx.rng();
        let (system, examples) = match system.strip_prefix(FEW) {
            Some(system) => (system, few(plan, set)?),
            None => (system, labels::load(&path).map_err(problem)?.1[set * each..(set + 1) * each].to_vec()),
        };
        let (train, test) = examples.split_at(examples.len() / 2);
        if let Some(system) = system.strip_prefix(long::PREFIX) {
            let looks = long::size(plan, sets).1;
            let found = long::run(system, (train, test), &looks, (&mut rng, ctx))?;
            return serde_json::to_value(found).map_err(problem);
        }
        let (system, train, test) = if let Some(system) = system.strip_suffix("-quiet") {
            (system, quiet(train), quiet(test))
        } else if let Some(system) = system.strip_suffix("-noisy") {
            // Every system meets the same errors.
            let mut errors = Rng::stream(plan.seed, set as u64);
            (system, with_noise(train, NOISE, &mut errors), with_noise(test, NOISE, &mut errors))
        } else {
            (system, train.to_vec(), test.to_vec())
        };
        let (epochs, mut rank): (u32, Rank) = if system.starts_with("moves") {
            let epochs = most.min(OWN_EPOCHS);
            (epochs, own_ranker(system, &train, epochs, &mut rng))
        } else {
            let (name, ways) = ways(system);
            let system = System::named(name).ok_or_else(|| problem(format!("no system {name}")))?;
            let mut training = Training::new(&system, &train, ways, &mut rng);
            while training.epochs < most && !training.on_plateau() {
                ctx.go_on()?;
                training.epoch(&mut rng);
                ctx.progress(f64::from(training.epochs) / f64::from(most), "epochs");
            }
            let mut ranker = training.ranker;
            (training.epochs, Box::new(move |act, pas| ranker.outputs(act, pas)))
        };
        let mut of = |set: &[Labelled]| measure(set, |e| rank(e.position.mine(), e.position.theirs()));
        let (train, test) = (of(&train), of(&test));
        let mut reconstructed = Vec::new();
        for (_, moves) in RECONSTRUCTED {
            let position = Position::<7, 6>::to_solve(moves).map_err(problem)?;
            let values = rank(position.mine(), position.theirs());
            reconstructed.push(ranks_of(&values, |column| position.play(column).is_some()));
        }
        serde_json::to_value(Outcome { train, test, epochs, reconstructed }).map_err(problem)
    }

    fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
        let (sets, each, _) = size(plan);
        let mut result = PaperResult::new(self.about(), plan);
        let of = |system: &str| -> Result<Vec<Outcome>, LabError> {
            (0..sets).map(|set| outcomes.get(&format!("{system}/set-{set}"))).collect()
        };
        let columns =
            ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "AvRank", "any best", "without wins in one"];
        let mut training = Table::new("1", "Training results", &columns[..8]);
        let mut testing = Table::new("2", "Testing results", &columns);
        let mut first = Vec::new();
        for system in systems() {
            let found = of(system)?;
            training = training.row(row(system, &found, |o| &o.train, false));
            testing = testing.row(row(system, &found, |o| &o.test, true));
            first.push((system, found.iter().map(|o| o.test.places[0]).collect::<Vec<_>>()));
        }
        let mut beyond = Table::new("beyond", "Beyond the paper", &columns).beyond().note(
            "noisy: 7 % of the labels, in training and test, are another move than the best; all-best: told every best move; outcome: the same network also learns how the game ends (P2); grown: begins as S1, the second kind of detectors comes at the plateau; D1234: all four kinds of detectors together; moves: our own ranker; \
             quiet: trained and tested on positions without a win in one move only; simple-first: quickly decided positions \
             first (P1); chunks: simple first, and pairs of tokens it errs about become tokens of their own (P3); preselected: three moves chosen by one ranker, ordered by another (P4); four: four rankers trained simple first, \
             from different first weights, added up.",
        );
        for system in BEYOND {
            beyond = beyond.row(row(system, &of(system)?, |o| &o.test, true));
        }
        let mut small = Table::new("few", "On the 2,000 positions that come with the program", &columns)
            .beyond()
            .note("Half for training, half for testing, shuffled anew three times: what can be had without labelling anything.");
        for system in OURS {
            let found = (0..FEW_SETS).map(|set| outcomes.get(&format!("{FEW}{system}/set-{set}")));
            small = small.row(row(system, &found.collect::<Result<Vec<_>, _>>()?, |o| &o.test, true));
        }
        let blind: f64 = outcomes.get_field("labels", "blind")?;
        result.tables = vec![training, testing, beyond, small];
        result.tables.extend(reconstructed(&of)?);
        let (long, curves) = long::shown(outcomes, &long::size(plan, sets))?;
        result.tables.push(long);
        result.figures.push(curves);
        let s4 = &first[3].1;
        let others = first.iter().filter(|(system, _)| *system != "S4");
        result.claim_family(others.filter_map(|(system, shares)| {
            Some((format!("S4 puts the best move first more often than {system}"), paired_t(s4, shares)?))
        }));
        result.summary = vec![
            format!("{sets} disjoint sets of {each} positions, half for training and half for testing."),
            format!(
                "The best move came first in {:.3} of the test positions with S4 (paper: 0.586).",
                mean(s4).mean
            ),
            format!("A blind choice has the mean rank {blind:.3} (paper: 3.961)."),
        ];
        result.deviations = DEVIATIONS.iter().map(|text| text.to_string()).collect();
        result.commands = vec!["ludens bench contexts".into(), "ludens bench solver".into()];
        Ok(result)
    }

    fn publish(&self, result: &mut PaperResult) {
        published::publish(result);
    }

    fn claims(&self, result: &PaperResult) -> Vec<PaperClaim> {
        claims::claims(result)
    }
}

/// The system of a unit, and how it learns.
fn ways(unit: &str) -> (&str, Ways) {
    let published = Ways::from(Targets::OneBest);
    match unit.split_once('-') {
        Some((system, "all-best")) => (system, Targets::AllBest.into()),
        Some((system, "outcome")) => (system, Ways { outcome: true, ..published }),
        Some((system, "grown")) => (system, Ways { grows: true, ..published }),
        _ => (unit, published),
    }
}

/// Our own ranker, plain or with one of the postulates.
fn own_ranker(system: &str, train: &[Labelled], epochs: u32, rng: &mut Rng) -> Rank {
    match system {
        "moves-simple-first" => {
            let ranker = postulates::train_simple_first(train, epochs, OWN_RATE, rng);
            Box::new(move |act, pas| ranker.values(act, pas))
        }
        "moves-chunks" => {
            let ranker = postulates::train_with_chunks(train, OWN_CHUNKS, epochs, OWN_RATE, rng);
            Box::new(move |act, pas| ranker.values(act, pas))
        }
        "moves-preselected" => {
            let ranker = postulates::Preselected::train(train, epochs, OWN_RATE, rng);
            Box::new(move |act, pas| ranker.values(act, pas))
        }
        "moves-four" => {
            let ranker = postulates::Several::train(4, train, epochs, OWN_RATE, rng);
            Box::new(move |act, pas| ranker.values(act, pas))
        }
        _ => {
            let ranker = moves::train(train, epochs, OWN_RATE, rng);
            Box::new(move |act, pas| ranker.values(act, pas))
        }
    }
}

/// The positions that come with the program, shuffled; as few as the plan's own sets, if those are fewer.
fn few(plan: &Plan, set: usize) -> Result<Vec<Labelled>, LabError> {
    let mut all = shipped::labelled().map_err(problem)?.to_vec();
    Rng::stream(plan.seed, set as u64).shuffle(&mut all);
    all.truncate(size(plan).1);
    Ok(all)
}

/// The positions without a win in one move.
fn quiet(set: &[Labelled]) -> Vec<Labelled> {
    set.iter().copied().filter(|l| i32::from(l.score) != l.position.score_of_win_now()).collect()
}

/// Tables 3–5: the mean rank of every column in the reconstructed positions.
fn reconstructed(of: &dyn Fn(&str) -> Result<Vec<Outcome>, LabError>) -> Result<Vec<Table>, LabError> {
    let columns: Vec<String> = (1..=7).map(|column| format!("move {column}")).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut tables = Vec::new();
    for (i, (figure, moves)) in RECONSTRUCTED.iter().enumerate() {
        let title = format!("Mean ranks in the position reconstructed for figure {figure}, {moves}");
        let mut table = Table::new(&(i + 3).to_string(), &title, &columns)
            .note("The paper's own position is not in its text, so its ranks cannot stand beside these.");
        for system in systems().chain(BEYOND) {
            let found = of(system)?;
            let cells = (0..7).map(|column| {
                let ranks: Vec<f64> = found.iter().map(|o| o.reconstructed[i][column] as f64).collect();
                if ranks.contains(&0.0) { Cell::text("full") } else { Cell::mean(&ranks).decimals(1) }
            });
            table = table.row(Row::new(system, cells));
        }
        tables.push(table);
    }
    Ok(tables)
}

const DEVIATIONS: [&str; 6] = [
    "The positions come from uniform random play at plies 12 to 16 (the paper does not say); their labels from our solver, which is perfect, while the paper's program is not.",
    "Of several best moves the label is the most central one, the left one of two.",
    "The tables stop at a plateau, ten epochs without the error falling by a thousandth, at most 400 epochs; the text says a few thousand: the table and the figure by epochs show what that changes.",
    "First weights are uniform in ±0.5; the order of the positions is drawn anew for every epoch.",
    "Figures 7–9 are reconstructions. In that of figure 7 column 3 is full; in that of figure 9 column 7 wins too, but only in the long run.",
    "Sizes below the paper's use the labelled positions that come with the program.",
];

fn problem(error: impl ToString) -> LabError {
    LabError::Other(error.to_string())
}

/// The labelled positions: labelled here at the paper's size, otherwise those that come with the program.
fn label(plan: &Plan, count: usize, path: &std::path::Path, ctx: &UnitCtx) -> Result<Value, LabError> {
    let labelled = if plan.scale == Scale::Paper {
        let settings = LabelSettings { count, seed: plan.seed, ..LabelSettings::default() };
        let go_on = |_: usize| ctx.go_on().is_ok();
        labels::label_file(&settings, path, &go_on).map_err(problem)?
    } else {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(problem)?;
        }
        let set = shipped::labelled().map_err(problem)?;
        let set = set[..count.min(set.len())].to_vec();
        let settings =
            LabelSettings { count: set.len(), seed: 2026, all_scores: true, ..LabelSettings::default() };
        labels::to_model(&settings, &set).write(path).map_err(problem)?;
        set
    };
    let legal: usize = labelled.iter().map(|l| l.position.children().count()).sum();
    Ok(
        json!({ "positions": labelled.len(), "blind": (legal as f64 / labelled.len().max(1) as f64 + 1.0) / 2.0 }),
    )
}

/// A row of shares.
fn row(system: &str, found: &[Outcome], of: impl Fn(&Outcome) -> &Ranks, more: bool) -> Row {
    let cell =
        |value: &dyn Fn(&Ranks) -> f64| Cell::mean(&found.iter().map(|o| value(of(o))).collect::<Vec<_>>());
    let mut cells: Vec<Cell> = (0..7).map(|i| cell(&|r: &Ranks| r.places[i])).collect();
    cells.push(cell(&|r: &Ranks| r.mean_rank));
    if more {
        cells.push(cell(&|r: &Ranks| r.any_best));
        cells.push(cell(&|r: &Ranks| r.without_wins_in_one));
    }
    Row::new(system, cells)
}

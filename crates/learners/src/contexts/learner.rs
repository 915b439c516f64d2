//! A system of the paper as a learner: a step is one epoch through the labelled positions that come with the program.

use ludens_core::{
    Combine, Cost, Ctx, Learner, Measure, Mind, Model, ModelError, Move, MoveValue, Reason, Rng, Side, Spec,
    SpecError,
};
use ludens_games::connect_four::{ConnectFour, State};

use super::detectors::Detectors;
use super::geometry::{CONTEXTS, Context};
use super::network::{Network, RATE};
use super::train::{Ranker, System, Targets, Training};

pub const NAME: &str = "contexts";
pub const SETTINGS: &[(&str, &str)] = &[
    ("variant", "S1, S2, S3 or S4 of the paper, or D1234 with all detectors; S4"),
    ("targets", "one (the labelled best move, as published) or all (every best move); one"),
    ("batch", "positions between two updates, 1 to 4096; 1, as published"),
    ("rate", "learning rate; 0.1 as published, in batches 0.1 times the square root of their size"),
    ("seed", "seed of the first weights; 1"),
];

/// What a new learner is.
#[derive(Debug, Clone)]
pub struct Settings {
    families: Vec<Detectors>,
    targets: Targets,
    batch: usize,
    rate: f32,
    seed: u64,
}

impl Settings {
    pub fn from_spec(spec: &mut Spec) -> Result<Settings, SpecError> {
        let expected = "S1, S2, S3, S4, D34, D134 or D1234";
        let name: String = spec.take_or("variant", "S4".into(), expected)?;
        let Some(System::Contexts(families)) = System::named(&name) else {
            return Err(spec.wrong("variant", &name, expected));
        };
        let targets: String = spec.take_or("targets", "one".into(), "one or all")?;
        let targets = match targets.as_str() {
            "one" => Targets::OneBest,
            "all" => Targets::AllBest,
            other => return Err(spec.wrong("targets", other, "one or all")),
        };
        let batch: usize = spec.take_or("batch", 1, "a number from 1 to 4096")?;
        if !(1..=4096).contains(&batch) {
            return Err(spec.wrong("batch", &batch.to_string(), "a number from 1 to 4096"));
        }
        let rate: f32 = spec.take_or("rate", RATE * (batch as f32).sqrt(), "a number above 0")?;
        if !(rate > 0.0 && rate <= 100.0) {
            return Err(spec.wrong("rate", &rate.to_string(), "a number above 0, at most 100"));
        }
        Ok(Settings { families, targets, batch, rate, seed: spec.take_or("seed", 1, "a number")? })
    }
}

/// The learner.
#[derive(Debug)]
pub struct ContextsLearner {
    targets: Targets,
    training: Training,
}

impl ContextsLearner {
    pub fn new(settings: &Settings) -> Result<ContextsLearner, ModelError> {
        let mut rng = Rng::stream(settings.seed, 0);
        let system = System::Contexts(settings.families.clone());
        let examples = super::shipped::labelled()?;
        let mut training = Training::new(&system, examples, settings.targets, &mut rng);
        training.batch = settings.batch;
        training.rate = settings.rate;
        Ok(ContextsLearner { targets: settings.targets, training })
    }

    fn network(&self) -> &Network {
        match &self.training.ranker {
            Ranker::Contexts(network) => network,
            // A learner is always made with context detectors.
            Ranker::Plain(_) => unreachable!("the learner trains context networks only"),
        }
    }
}

impl Mind<ConnectFour> for ContextsLearner {
    fn choose(&mut self, _game: &ConnectFour, state: &State, ctx: &mut Ctx) -> Move {
        choose_by_network(self.network(), state, ctx)
    }

    fn ledger(&self) -> Cost {
        let network = self.network();
        let seen = u64::from(self.training.epochs) * self.training.examples() as u64;
        Cost { states: seen, games: 0, chunks: network.parameters() as u64 }
    }
}

impl Learner<ConnectFour> for ContextsLearner {
    fn step(&mut self, _game: &ConnectFour, ctx: &mut Ctx) -> Vec<Measure> {
        let error = self.training.epoch(ctx.rng);
        vec![Measure::new("error", f64::from(error))]
    }

    fn default_steps(&self) -> u64 {
        200
    }

    fn finished(&self) -> bool {
        self.training.on_plateau()
    }

    fn save(&self) -> Model {
        let mut model = Model::new(NAME, "connect-four", self.ledger());
        self.network().put_into(&mut model);
        model.put_meta("targets", &self.targets);
        model.put_meta("epochs", &self.training.epochs);
        model.put_meta("batch", &self.training.batch);
        model.put_meta("rate", &self.training.rate);
        model.put_f32("errors", &[self.training.errors.len()], &self.training.errors);
        model
    }

    fn load(_game: &ConnectFour, model: &Model) -> Result<Self, ModelError> {
        model.expect(NAME, "connect-four")?;
        let network = Network::take_from(model)?;
        let targets = model.meta("targets")?;
        let (batch, rate) = (model.meta("batch").unwrap_or(1), model.meta("rate").unwrap_or(RATE));
        let settings = Settings { families: network.families.clone(), targets, batch, rate, seed: 1 };
        let mut learner = ContextsLearner::new(&settings)?;
        learner.training.ranker = Ranker::Contexts(Box::new(network));
        learner.training.epochs = model.meta("epochs")?;
        learner.training.errors = model.f32s("errors", model.len_of("errors"))?.to_vec();
        Ok(learner)
    }
}

/// How many contexts a reason names; the rest are one term together.
const NAMED: usize = 6;

/// The best legal column by the weighted sums before the outputs (the outputs rise with them); with `why`, what each context
/// adds: the sum less what it would be with that context's squares empty.
fn choose_by_network(network: &Network, state: &State, ctx: &mut Ctx) -> Move {
    let (act, pas) = (state.own(), state.other());
    let (sums, without) = network.to_reference().sums(act, pas);
    let legal = |column: usize| state.landing_cells() >> (7 * column) & 63 != 0;
    let best = [3, 2, 4, 1, 5, 0, 6]
        .into_iter()
        .filter(|&column| legal(column))
        .fold(
            None,
            |best: Option<usize>, c| if best.is_none_or(|b| sums[c] > sums[b]) { Some(c) } else { best },
        )
        .unwrap_or(3);
    if let Some(why) = ctx.why.as_deref_mut() {
        why.summary =
            "Looks at every four squares in a line and lets a network weigh them; it looks no move ahead. Red (x) began, Yellow is o."
                .into();
        why.unit = "weighted sum of the output".into();
        why.combine = Combine::Sum;
        why.moves = (0..7)
            .filter(|&column| legal(column))
            .map(|column| {
                let mut value = MoveValue::new(Move(column as u32), sums[column]);
                value.reasons = context_reasons(state, column, sums[column], &without);
                value
            })
            .collect();
        why.sort();
    }
    Move(best as u32)
}

fn context_reasons(state: &State, column: usize, sum: f64, without: &[[f64; 7]]) -> Vec<Reason> {
    let mut order: Vec<(usize, f64)> =
        without.iter().enumerate().map(|(k, w)| (k, sum - w[column])).collect();
    order.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
    let mut left = sum;
    let mut reasons = Vec::new();
    for &(k, worth) in order.iter().take(NAMED).filter(|(_, worth)| worth.abs() > 1e-9) {
        left -= worth;
        reasons.push(Reason::term(context_in_words(&CONTEXTS[k], state), worth, CONTEXTS[k].cells()));
    }
    reasons.push(Reason::term("all other contexts, and how they work together", left, Vec::new()));
    reasons
}

/// "Red holds three of this rising diagonal, columns 3–6; the empty square is two discs away"
pub fn context_in_words(context: &Context, state: &State) -> String {
    let (me, op) = names(state);
    let cells = context.cells_of(state.own(), state.other());
    let (mine, theirs) = (count(&cells, 1), count(&cells, -1));
    let number = |n: usize| ["none", "one", "two", "three", "four", "five", "six"][n.min(6)];
    let who = match (mine, theirs) {
        (0, 0) => return format!("nobody holds a square of {context}"),
        (m, 0) => format!("{me} holds {} of {context}", number(m)),
        (0, t) => format!("{op} holds {} of {context}", number(t)),
        _ => return format!("both have discs in {context}"),
    };
    let away = match context.depth(state.occupied()) {
        0 => return who,
        1 => "can be filled at once".into(),
        n => format!("{} {} discs away", if mine + theirs == 3 { "is" } else { "are up to" }, number(n)),
    };
    let squares = if mine + theirs == 3 { "the empty square" } else { "the empty squares" };
    format!("{who}; {squares} {away}")
}

fn count(cells: &[i8; 4], value: i8) -> usize {
    cells.iter().filter(|&&cell| cell == value).count()
}

/// The names of the side to move and of the other, as the paper calls them.
pub fn names(state: &State) -> (&'static str, &'static str) {
    match state.to_move() {
        Side::First => ("Red", "Yellow"),
        Side::Second => ("Yellow", "Red"),
    }
}

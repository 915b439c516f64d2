//! A system of the paper as a learner: a step is one epoch through the labelled positions that come with the program.

use ludens_core::{
    Combine, Cost, Ctx, Game, Learner, Maybe, Measure, Mind, MindError, Model, ModelError, Move, Ranking,
    Reason, Rng, Side, Spec, SpecError, Words, settings,
};
use ludens_games::connect_four::{ConnectFour, State};

use super::detectors::Detectors;
use super::geometry::{CONTEXTS, Context};
use super::network::{Network, RATE};
use super::reference::Shares;
use super::train::{Ranker, System, Targets, Training};

pub const NAME: &str = "contexts";
settings! {
    /// What a new learner is; the defaults are the paper's best system as published.
    pub struct Settings {
        /// Which system of the paper, or D1234 with all detectors.
        pub variant: String = "S4".into(), Words("S1, S2, S3, S4, D34, D134 or D1234");
        /// Towards one best move (the labelled one, as published) or all of them.
        pub targets: Targets = Targets::OneBest, Words("one or all");
        /// Positions between two updates.
        pub batch: usize = 1, 1..=4096;
        /// Learning rate; none: 0.1 as published, in batches times the square root of their size.
        pub rate: Maybe<f32> = Maybe(None), Words("a number above 0, at most 100");
        /// Seed of the first weights.
        pub seed: u64 = 1, 0..=u64::MAX;
    }
}

impl Settings {
    /// Reads what a name sets; what no limit says is checked here.
    pub fn from_spec(spec: &mut Spec) -> Result<Settings, SpecError> {
        let settings = Settings::read(spec, &Settings::default())?;
        let wrong = |key: &str, value: &str| {
            let list = Settings::default().list();
            let limits = list.iter().find(|about| about.key == key).map_or("", |about| &about.limits);
            Err(spec.wrong(key, value, limits))
        };
        if settings.families().is_none() {
            return wrong("variant", &settings.variant);
        }
        match settings.rate.0 {
            Some(rate) if !(rate > 0.0 && rate <= 100.0) => wrong("rate", &rate.to_string()),
            _ => Ok(settings),
        }
    }

    fn families(&self) -> Option<Vec<Detectors>> {
        match System::named(&self.variant) {
            Some(System::Contexts(families)) => Some(families),
            _ => None,
        }
    }

    fn first_rate(&self) -> f32 {
        self.rate.0.unwrap_or(RATE * (self.batch as f32).sqrt())
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
        let families = settings.families().unwrap_or_else(|| vec![Detectors::D1, Detectors::D4]);
        let mut learner = ContextsLearner::with(&families, settings.targets, settings.seed)?;
        learner.training.batch = settings.batch;
        learner.training.rate = settings.first_rate();
        Ok(learner)
    }

    fn with(families: &[Detectors], targets: Targets, seed: u64) -> Result<ContextsLearner, ModelError> {
        let system = System::Contexts(families.to_vec());
        let examples = super::shipped::labelled()?;
        let training = Training::new(&system, examples, targets, &mut Rng::stream(seed, 0));
        Ok(ContextsLearner { targets, training })
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
    fn rank(&mut self, _: &ConnectFour, state: &State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        Ok(rank_by_network(self.network(), state, ctx.explain))
    }

    fn ledger(&self) -> Cost {
        let network = self.network();
        let seen = u64::from(self.training.epochs) * self.training.examples() as u64;
        Cost { states: seen, games: 0, chunks: network.parameters() as u64 }
    }
}

impl Learner<ConnectFour> for ContextsLearner {
    fn step(&mut self, _game: &ConnectFour, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let error = self.training.epoch(ctx.rng);
        Ok(vec![Measure::new("error", f64::from(error))])
    }

    fn default_steps(&self) -> u64 {
        200
    }

    fn finished(&self) -> bool {
        self.training.on_plateau()
    }

    fn save(&self) -> Model {
        let mut model = Model::new(NAME, &ConnectFour.id(), self.ledger());
        self.network().put_into(&mut model);
        model.put_meta("targets", &self.targets);
        model.put_meta("epochs", &self.training.epochs);
        model.put_meta("batch", &self.training.batch);
        model.put_meta("rate", &self.training.rate);
        model.put_f32("errors", &[self.training.errors.len()], &self.training.errors);
        model
    }

    fn load(game: &ConnectFour, model: &Model) -> Result<Self, ModelError> {
        model.expect(NAME, &game.id())?;
        let network = Network::take_from(model)?;
        let targets = model.meta("targets")?;
        let mut learner = ContextsLearner::with(&network.families, targets, 1)?;
        learner.training.batch = model.meta("batch").unwrap_or(1);
        learner.training.rate = model.meta("rate").unwrap_or(RATE);
        if !(1..=4096).contains(&learner.training.batch) || !(0.0..=100.0).contains(&learner.training.rate) {
            return Err(ModelError::Damaged { problem: "its batch or its rate is beyond the limits".into() });
        }
        learner.training.ranker = Ranker::Contexts(Box::new(network));
        learner.training.epochs = model.meta("epochs")?;
        learner.training.errors = model.f32s("errors", model.len_of("errors"))?.to_vec();
        Ok(learner)
    }
}

/// How many contexts a reason names; the rest are one term together.
const NAMED: usize = 6;

/// The columns, the middle first: of equals that one is taken.
const COLUMNS: [usize; 7] = [3, 2, 4, 1, 5, 0, 6];

/// The legal columns by the weighted sums before the outputs (the outputs rise with them); with reasons, what each context adds
/// to them beside what the same context would add if it were empty.
fn rank_by_network(network: &Network, state: &State, explain: bool) -> Ranking {
    let (act, pas) = (state.own(), state.other());
    let reference = network.to_reference();
    let sums = reference.sums(act, pas);
    let legal = |column: &usize| state.landing_cells() >> (7 * column) & 63 != 0;
    let columns = COLUMNS.into_iter().filter(legal);
    let mut ranking = Ranking::of(columns.map(|column| (Move(column as u32), sums[column])));
    if explain {
        ranking.summary =
            "Looks at every four squares in a line and lets a network weigh them; it looks no move ahead. Red (x) began, Yellow is o."
                .into();
        ranking.unit = "weighted sum of the output".into();
        ranking.combine = Combine::Sum;
        let shares = reference.shares(act, pas);
        for candidate in &mut ranking.moves {
            candidate.reasons = context_reasons(state, candidate.mv.0 as usize, &shares);
        }
    }
    ranking
}

fn context_reasons(state: &State, column: usize, shares: &Shares) -> Vec<Reason> {
    let mut order: Vec<(usize, f64)> =
        shares.contexts.iter().enumerate().map(|(k, of_context)| (k, of_context[column])).collect();
    order.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
    let rest: f64 = order.drain(order.len().min(NAMED)..).map(|(_, worth)| worth).sum();
    let named = order.iter().filter(|(_, worth)| *worth != 0.0);
    let mut reasons: Vec<Reason> = named
        .map(|&(k, worth)| Reason::term(context_in_words(&CONTEXTS[k], state), worth, CONTEXTS[k].cells()))
        .collect();
    reasons.push(Reason::term("all other contexts", rest, Vec::new()));
    reasons.push(Reason::term(
        "what it thinks of this column on an empty board",
        shares.empty[column],
        Vec::new(),
    ));
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

//! Training to the plateau, and what a ranking is worth.

use ludens_core::Rng;
use ludens_games::connect_four::geometry::CENTRAL_FIRST;
use ludens_search::connect_four_labels::Labelled;
use serde::{Deserialize, Serialize};

use super::detectors::Detectors::{self, D1, D2, D3, D4};
use super::network::{Network, RATE};
use super::places::{Block, OUTCOME};
use super::plain::{Discs, Plain};
use super::reading::Readings;

/// The eight systems of the paper, and what we add to them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum System {
    /// Contexts, seen by these families of detectors.
    Contexts(Vec<Detectors>),
    /// The whole board, with so many hidden neurons.
    Whole(usize),
    /// Three frames of raw cells.
    Frames,
}

impl System {
    /// By the paper's name, S1 … C; `D1234` is all four families together.
    pub fn named(name: &str) -> Option<System> {
        Some(match name {
            "S1" => System::Contexts(vec![D1]),
            "S2" => System::Contexts(vec![D1, D2]),
            "S3" => System::Contexts(vec![D1, D3]),
            "S4" => System::Contexts(vec![D1, D4]),
            "D34" => System::Contexts(vec![D3, D4]),
            "D134" => System::Contexts(vec![D1, D3, D4]),
            "D1234" => System::Contexts(vec![D1, D2, D3, D4]),
            "N20" => System::Whole(20),
            "N40" => System::Whole(40),
            "N60" => System::Whole(60),
            "C" => System::Frames,
            _ => return None,
        })
    }

    /// The names of the paper's systems.
    pub const PUBLISHED: [&str; 8] = ["S1", "S2", "S3", "S4", "N20", "N40", "N60", "C"];
}

/// What the network is told of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Targets {
    /// 1 for the labelled move, as published.
    OneBest,
    /// 1 for every best move, which the paper asks for.
    AllBest,
}

ludens_core::words!(Targets { OneBest = "one", AllBest = "all" });

impl Targets {
    /// By column; in the last lane what the second task is told: 1 a win of the side to move, ½ a draw, 0 a loss.
    fn of(self, example: &Labelled) -> Block {
        std::array::from_fn(|c| match self {
            _ if c == OUTCOME => 0.5 + 0.5 * f32::from(example.score.signum()),
            Targets::OneBest => f32::from(u8::from(c == example.label())),
            Targets::AllBest => f32::from(u8::from(example.is_best(c))),
        })
    }
}

/// How a system learns; as published unless said otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ways {
    /// What it is told of a position.
    pub targets: Targets,
    /// Postulate P2: the same network also learns how the game ends.
    pub outcome: bool,
    /// It begins with its first family of detectors and gets the next one at each plateau.
    pub grows: bool,
}

impl From<Targets> for Ways {
    fn from(targets: Targets) -> Ways {
        Ways { targets, outcome: false, grows: false }
    }
}

/// A network of any of the systems.
#[derive(Debug, Clone, PartialEq)]
pub enum Ranker {
    /// One over contexts.
    Contexts(Box<Network>),
    /// One over raw cells.
    Plain(Box<Plain>),
}

/// Positions prepared for one of them.
#[derive(Debug, Clone)]
enum Inputs {
    Readings(Readings),
    Boards(Vec<Discs>),
}

impl Ranker {
    /// A system with drawn weights.
    pub fn new(system: &System, ways: Ways, rng: &mut Rng) -> Ranker {
        match system {
            System::Contexts(families) => {
                let first = if ways.grows { &families[..families.len().min(1)] } else { &families[..] };
                Ranker::Contexts(Box::new(Network::new(first, ways.outcome, rng)))
            }
            System::Whole(hidden) => Ranker::Plain(Box::new(Plain::whole(*hidden, rng))),
            System::Frames => Ranker::Plain(Box::new(Plain::frames(rng))),
        }
    }

    /// How many weights it has.
    pub fn parameters(&self) -> usize {
        match self {
            Ranker::Contexts(network) => network.parameters(),
            Ranker::Plain(plain) => plain.parameters(),
        }
    }

    fn prepare(&self, positions: impl Iterator<Item = (u64, u64)>) -> Inputs {
        match self {
            Ranker::Contexts(network) => Inputs::Readings(network.read(positions)),
            Ranker::Plain(_) => Inputs::Boards(positions.collect()),
        }
    }

    /// The seven outputs for a position.
    pub fn outputs(&mut self, act: u64, pas: u64) -> [f32; 7] {
        match self {
            Ranker::Contexts(network) => {
                let reading = network.read([(act, pas)]);
                network.outputs(reading.get(0))
            }
            Ranker::Plain(plain) => plain.outputs((act, pas)),
        }
    }
}

/// A training that can go on epoch by epoch.
#[derive(Debug)]
pub struct Training {
    /// What learns.
    pub ranker: Ranker,
    inputs: Inputs,
    positions: Vec<Discs>,
    targets: Vec<Block>,
    order: Vec<u32>,
    /// Positions between two updates; 1 is online, as published. More of them go down the mean of their gradients.
    pub batch: usize,
    /// The learning rate.
    pub rate: f32,
    /// Epochs so far.
    pub epochs: u32,
    /// The mean error of every epoch.
    pub errors: Vec<f32>,
    /// Families of detectors that are still to come, the next one last.
    pub(super) to_come: Vec<Detectors>,
    /// The epochs there were when the last one came.
    pub(super) grown: usize,
}

/// An epoch counts as progress if it lowers the error by this share; without any in so many epochs in a row the
/// curve is on its plateau.
pub(crate) const PLATEAU_SHARE: f32 = 1e-3;
pub(crate) const PLATEAU_EPOCHS: usize = 10;

impl Training {
    /// A system with drawn weights, and what it will learn from.
    pub fn new(system: &System, examples: &[Labelled], ways: impl Into<Ways>, rng: &mut Rng) -> Training {
        let ways = ways.into();
        let ranker = Ranker::new(system, ways, rng);
        let to_come = match system {
            System::Contexts(families) if ways.grows => families.iter().skip(1).rev().copied().collect(),
            _ => Vec::new(),
        };
        let mut training = Training {
            batch: 1,
            rate: RATE,
            inputs: ranker.prepare(std::iter::empty()),
            positions: Vec::new(),
            targets: Vec::new(),
            order: Vec::new(),
            ranker,
            epochs: 0,
            errors: Vec::new(),
            to_come,
            grown: 0,
        };
        training.learn_from(examples, ways.targets);
        training
    }

    /// From now on from these positions.
    pub fn learn_from(&mut self, examples: &[Labelled], targets: Targets) {
        self.positions = examples.iter().map(|e| (e.position.mine(), e.position.theirs())).collect();
        self.inputs = self.ranker.prepare(self.positions.iter().copied());
        self.targets = examples.iter().map(|e| targets.of(e)).collect();
        self.order = (0..examples.len() as u32).collect();
    }

    /// The next family of detectors, if one is still to come and the others have learnt what they can.
    fn grow(&mut self, rng: &mut Rng) {
        if !self.at_rest() {
            return;
        }
        if let (Ranker::Contexts(network), Some(family)) = (&mut self.ranker, self.to_come.pop()) {
            **network = network.grown(family, rng);
            self.grown = self.errors.len();
            self.inputs = self.ranker.prepare(self.positions.iter().copied());
        }
    }

    /// Once through all positions, in a new order, updating after each or after each batch.
    pub fn epoch(&mut self, rng: &mut Rng) -> f32 {
        self.grow(rng);
        // From the same order every time, so that a training that was interrupted goes on to the same bytes.
        self.order.iter_mut().zip(0..).for_each(|(place, i)| *place = i);
        rng.shuffle(&mut self.order);
        let (targets, rate) = (&self.targets, self.rate);
        let mut sum = 0.0;
        match (&mut self.ranker, &self.inputs) {
            (Ranker::Contexts(network), Inputs::Readings(readings)) if self.batch <= 1 => {
                let mut ahead = self.order[1.min(self.order.len())..].iter();
                for &i in &self.order {
                    std::hint::black_box(ahead.next().map(|&next| readings.touch(next as usize)));
                    sum += f64::from(network.learn(readings.get(i as usize), &targets[i as usize], rate));
                }
            }
            (Ranker::Contexts(network), Inputs::Readings(readings)) => {
                for batch in self.order.chunks(self.batch) {
                    let examples = batch.iter().map(|&i| (readings.get(i as usize), &targets[i as usize]));
                    sum += f64::from(network.learn_batch(examples, rate));
                }
            }
            (Ranker::Plain(plain), Inputs::Boards(boards)) if self.batch <= 1 => {
                for &i in &self.order {
                    sum += f64::from(plain.learn(boards[i as usize], columns(&targets[i as usize]), rate));
                }
            }
            (Ranker::Plain(plain), Inputs::Boards(boards)) => {
                for batch in self.order.chunks(self.batch) {
                    let examples = batch.iter().map(|&i| (boards[i as usize], columns(&targets[i as usize])));
                    sum += f64::from(plain.learn_batch(examples, rate));
                }
            }
            _ => (), // inputs are prepared by the same ranker
        }
        let error = (sum / self.order.len().max(1) as f64) as f32;
        self.epochs += 1;
        self.errors.push(error);
        error
    }

    /// Has the learning curve entered a plateau, and nothing is to come?
    pub fn on_plateau(&self) -> bool {
        self.to_come.is_empty() && self.at_rest()
    }

    /// A plateau since the network grew last.
    fn at_rest(&self) -> bool {
        let errors = self.errors.get(self.grown..).unwrap_or_default();
        if errors.len() <= PLATEAU_EPOCHS {
            return false;
        }
        let (before, last) = errors.split_at(errors.len() - PLATEAU_EPOCHS);
        let least = |errors: &[f32]| errors.iter().copied().fold(f32::INFINITY, f32::min);
        least(last) > least(before) * (1.0 - PLATEAU_SHARE)
    }

    /// Train until the plateau, at most so many epochs.
    pub fn run(&mut self, most: u32, rng: &mut Rng) {
        while self.epochs < most && !self.on_plateau() {
            self.epoch(rng);
        }
    }
}

/// The targets of the columns alone.
fn columns(targets: &Block) -> &[f32; 7] {
    targets.first_chunk().unwrap_or(&[0.0; 7])
}

/// How a ranking does on labelled positions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranks {
    /// How many positions.
    pub positions: usize,
    /// Share of positions whose labelled move came 1st … 7th among the legal ones.
    pub places: [f64; 7],
    /// The mean place of the labelled move.
    pub mean_rank: f64,
    /// Share whose first move is any best one.
    pub any_best: f64,
    /// Share whose first move keeps a win or a draw, of the positions that are not lost; only where every move's score is known.
    pub keeps_outcome: Option<f64>,
    /// Strict share without the positions that have a win in one move.
    pub without_wins_in_one: f64,
}

/// The rank of each legal column, 1 the best; equal values in the order from the middle. 0 for a full one.
pub fn ranks_of(values: &[f32; 7], playable: impl Fn(usize) -> bool) -> [usize; 7] {
    let mut columns: Vec<usize> =
        CENTRAL_FIRST.into_iter().map(|c| c as usize).filter(|&c| playable(c)).collect();
    columns.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    let mut ranks = [0; 7];
    for (i, &c) in columns.iter().enumerate() {
        ranks[c] = i + 1;
    }
    ranks
}

/// Rank all examples with `values` (a number for every column of a position).
pub fn measure(examples: &[Labelled], mut values: impl FnMut(&Labelled) -> [f32; 7]) -> Ranks {
    let mut places = [0u32; 7];
    let (mut any, mut kept, mut known, mut quiet, mut quiet_first) = (0u32, 0u32, 0u32, 0u32, 0u32);
    for example in examples {
        let ranks = ranks_of(&values(example), |c| example.position.play(c).is_some());
        let rank = ranks[example.label()];
        places[rank - 1] += 1;
        let first = (0..7).find(|&c| ranks[c] == 1).unwrap_or(3);
        any += u32::from(example.is_best(first));
        if let Some(scores) = example.scores
            && example.score >= 0
        {
            known += 1;
            kept += u32::from(scores[first].signum() == example.score.signum());
        }
        if i32::from(example.score) != example.position.score_of_win_now() {
            quiet += 1;
            quiet_first += u32::from(rank == 1);
        }
    }
    let n = examples.len().max(1) as f64;
    Ranks {
        positions: examples.len(),
        places: places.map(|p| f64::from(p) / n),
        mean_rank: places.iter().enumerate().map(|(i, &p)| (i + 1) as f64 * f64::from(p)).sum::<f64>() / n,
        any_best: f64::from(any) / n,
        keeps_outcome: (known > 0).then(|| f64::from(kept) / f64::from(known)),
        without_wins_in_one: f64::from(quiet_first) / f64::from(quiet.max(1)),
    }
}

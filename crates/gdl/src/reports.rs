//! What the `ludens gdl` commands tell, ready to be printed or written as JSON.

use crate::error::{GdlError, Limits};
use crate::game::GdlGame;
use crate::playouts::{PlayoutOptions, Tally, random_playouts};
use crate::reasoner::Description;
use crate::terms::TermId;
use cpu_time::ThreadTime;
use ludens_core::Stop;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A description and what it cost to load.
#[derive(Debug)]
pub struct Loaded {
    /// The game.
    pub description: Arc<Description>,
    /// CPU time of loading it.
    pub cpu_seconds: f64,
}

/// Loads rules and measures it.
pub fn load(text: &str, limits: &Limits) -> Result<Loaded, GdlError> {
    let clock = ThreadTime::now();
    let description = Arc::new(Description::load(text, limits)?);
    Ok(Loaded { description, cpu_seconds: clock.elapsed().as_secs_f64() })
}

/// A relation of the state, and the values of its arguments.
#[derive(Clone, Debug, Serialize)]
pub struct Domain {
    /// The name of the relation.
    pub relation: String,
    /// How many facts of it there may be.
    pub facts: usize,
    /// For each argument, the values it takes.
    pub arguments: Vec<Vec<String>>,
}

/// The board that was found.
#[derive(Clone, Debug, Serialize)]
pub struct BoardReport {
    /// The relation whose facts are squares.
    pub relation: String,
    /// Which argument (from 1) is the column.
    pub column_argument: usize,
    /// Which argument (from 1) is the row.
    pub row_argument: usize,
    /// The number of columns.
    pub width: usize,
    /// The number of rows.
    pub height: usize,
    /// How the squares lie.
    pub layout: ludens_core::Layout,
    /// What can stand on a square.
    pub pieces: Vec<ludens_core::Piece>,
    /// How many contexts of each size the rules have.
    pub contexts: BTreeMap<usize, usize>,
}

/// The size of the network.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkReport {
    /// Ground rule instances before they became gates.
    pub ground_rules: usize,
    /// Gates, without constant, facts and moves.
    pub gates: usize,
    /// Inputs of all gates together.
    pub wires: usize,
    /// How many groups of facts depend on themselves.
    pub loops: usize,
    /// Two-input operations, for one step of 512 playouts, that find out whether it is an end.
    pub terminal_ops: usize,
    /// Operations that find the legal moves.
    pub legal_ops: usize,
    /// Operations that find the next state.
    pub next_ops: usize,
    /// Operations that find the goals.
    pub goal_ops: usize,
}

/// `ludens gdl show`.
#[derive(Clone, Debug, Serialize)]
pub struct ShowReport {
    /// The names of the roles, in order.
    pub roles: Vec<String>,
    /// CPU time of loading it.
    pub load_cpu_seconds: f64,
    /// Why the lifted evaluator has to do it, if it has to.
    pub not_grounded: Option<String>,
    /// Facts that may hold in some state.
    pub facts: usize,
    /// For each role, how many different moves it may ever have.
    pub moves: Vec<usize>,
    /// The relations of the state.
    pub domains: Vec<Domain>,
    /// The size of the network, where there is one.
    pub network: Option<NetworkReport>,
    /// Why it is not a game for two in turn, if it is none.
    pub not_a_game_for_two: Option<String>,
    /// The board, where one was found.
    pub board: Option<BoardReport>,
}

/// Everything about a game that can be said without playing it.
pub fn show(loaded: &Loaded) -> ShowReport {
    let description = &loaded.description;
    let mut report = ShowReport {
        roles: description.role_names(),
        load_cpu_seconds: loaded.cpu_seconds,
        not_grounded: description.grounded().err().map(ToString::to_string),
        facts: 0,
        moves: Vec::new(),
        domains: Vec::new(),
        network: None,
        not_a_game_for_two: None,
        board: None,
    };
    let Ok(grounded) = description.grounded() else { return report };
    let network = &grounded.network;
    report.facts = network.facts.len();
    report.moves = network.first_move.windows(2).map(|w| (w[1] - w[0]) as usize).collect();
    report.domains = domains(description, &network.facts);
    report.network = Some(NetworkReport {
        ground_rules: grounded.instances,
        gates: network.gates.len() - network.gates.first_gate() as usize,
        wires: network.gates.wire_count(),
        loops: network.gates.loops.len(),
        terminal_ops: grounded.code.terminal.ops(),
        legal_ops: grounded.code.legal.ops(),
        next_ops: grounded.code.next.ops(),
        goal_ops: grounded.code.goals.ops(),
    });
    match GdlGame::new("this game", Arc::clone(description), &Stop::default()) {
        Ok(game) => report.board = board_report(&game),
        Err(e) => report.not_a_game_for_two = Some(e.to_string()),
    }
    report
}

fn domains(description: &Description, facts: &[TermId]) -> Vec<Domain> {
    let terms = description.terms();
    let mut by_relation: BTreeMap<(String, usize), Vec<TermId>> = BTreeMap::new();
    for &f in facts {
        let key = (terms.name(terms.functor(f)).to_string(), terms.args(f).len());
        by_relation.entry(key).or_default().push(f);
    }
    by_relation
        .into_iter()
        .map(|((relation, arity), list)| {
            let values = |i: usize| {
                let mut ids: Vec<TermId> = list.iter().map(|&f| terms.args(f)[i]).collect();
                ids.sort_unstable();
                ids.dedup();
                let mut names: Vec<String> = ids.into_iter().map(|t| terms.show(t)).collect();
                names.sort_by(|a, b| natural(a).cmp(&natural(b)));
                names
            };
            Domain { relation, facts: list.len(), arguments: (0..arity).map(values).collect() }
        })
        .collect()
}

/// People count 1, 2, 10 and c1, c2, c10.
fn natural(name: &str) -> (&str, u64, &str) {
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (word, name[word.len()..].parse().unwrap_or(0), name)
}

fn board_report(game: &GdlGame) -> Option<BoardReport> {
    let map = game.board_map()?;
    let mut contexts = BTreeMap::new();
    for c in game.contexts() {
        *contexts.entry(c.len()).or_default() += 1;
    }
    Some(BoardReport {
        relation: game.description().terms().name(map.relation.0).to_string(),
        column_argument: map.coordinates.0 + 1,
        row_argument: map.coordinates.1 + 1,
        width: map.columns.len(),
        height: map.rows.len(),
        layout: map.layout,
        pieces: map.pieces.clone(),
        contexts,
    })
}

/// A mean and where it lies with 95 % confidence.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Interval {
    fn new((mean, sd): (f64, f64), n: u64) -> Self {
        let half = if n > 0 { 1.96 * sd / (n as f64).sqrt() } else { 0.0 };
        Interval { mean, low: mean - half, high: mean + half }
    }

    /// Values between `least` and `most` have no mean beyond them.
    fn within(self, least: f64, most: f64) -> Self {
        Interval { low: self.low.max(least), high: self.high.min(most), ..self }
    }
}

/// What one role made of random games.
#[derive(Clone, Debug, Serialize)]
pub struct GoalReport {
    /// The name of the role.
    pub role: String,
    /// Its mean goal, 0 to 100.
    pub goal: Interval,
    /// How often each value came out.
    pub values: BTreeMap<usize, u64>,
    /// Ends where no goal value held, or several.
    pub undefined: u64,
}

/// `ludens gdl playouts`.
#[derive(Clone, Debug, Serialize)]
pub struct PlayoutReport {
    /// Which machine played: `bit-parallel` or `lifted`.
    pub machine: &'static str,
    /// All playouts follow from it.
    pub seed: u64,
    /// Playouts that came to an end.
    pub playouts: u64,
    /// Playouts cut at the step limit.
    pub capped: u64,
    /// Playouts in which some role had no move.
    pub stuck: u64,
    /// CPU time of all playouts.
    pub cpu_seconds: f64,
    /// Finished playouts a CPU-second.
    pub playouts_per_second: f64,
    /// Steps a CPU-second.
    pub state_changes_per_second: f64,
    /// The length of a game, in steps.
    pub length: Interval,
    /// The shortest game, in steps.
    pub shortest: Option<u32>,
    /// The longest game, in steps.
    pub longest: u32,
    /// One a role.
    pub goals: Vec<GoalReport>,
}

/// Plays random games and sums them up.
pub fn playouts(description: &Description, options: &PlayoutOptions) -> Result<PlayoutReport, GdlError> {
    let clock = ThreadTime::now();
    let tally = random_playouts(description, options)?;
    let seconds = clock.elapsed().as_secs_f64().max(1e-9);
    let machine = if description.grounded().is_ok() { "bit-parallel" } else { "lifted" };
    Ok(summary(description, &tally, options.seed, machine, seconds))
}

fn summary(
    description: &Description,
    tally: &Tally,
    seed: u64,
    machine: &'static str,
    cpu_seconds: f64,
) -> PlayoutReport {
    let goal = |(role, name): (usize, String)| {
        let counts = tally.goals[role].iter().enumerate().filter(|(_, n)| **n > 0);
        GoalReport {
            role: name,
            goal: Interval::new(tally.goal(role), tally.goals[role].iter().sum()).within(0.0, 100.0),
            values: counts.map(|(v, &n)| (v, n)).collect(),
            undefined: tally.goal_undefined[role],
        }
    };
    PlayoutReport {
        machine,
        seed,
        playouts: tally.finished,
        capped: tally.capped,
        stuck: tally.stuck,
        cpu_seconds,
        playouts_per_second: tally.finished as f64 / cpu_seconds,
        state_changes_per_second: tally.steps as f64 / cpu_seconds,
        length: Interval::new(tally.length(), tally.finished).within(0.0, f64::INFINITY),
        shortest: tally.shortest,
        longest: tally.longest,
        goals: description.role_names().into_iter().enumerate().map(goal).collect(),
    }
}

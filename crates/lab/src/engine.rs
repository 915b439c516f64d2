//! Units spread over threads and machines, kept one by one, and put together at the end.
//!
//! A reproduction's folder holds `plan.json`, one checksummed file a unit under `units/`, what units leave for others under
//! `artefacts/`, checkpoints of unfinished units under `work/`, the CPU time of each under `times/`, and at the end `result.json`, `report.html` and `report.md`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use ludens_core::{Games, Stop};

use crate::clock::Clock;
use crate::experiment::{complete, work_folder};
use crate::folder::{
    Header, compare_plans, copy_artefacts, load_outcomes, note_time, open_folder, read_plan, read_time,
    write_outcome,
};
use crate::sample::Sample;
use crate::train::RunLock;
use crate::{Experiment, LabError, Made, Outcomes, PaperResult, Plan, Unit, UnitCtx, report};

/// Part `index` of `count`: its units are every `count`-th one, and what they need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which part, from 1.
    pub index: u32,
    /// How many parts there are.
    pub count: u32,
}

impl FromStr for Shard {
    type Err = LabError;

    fn from_str(text: &str) -> Result<Shard, LabError> {
        let parsed = text.split_once('/').and_then(|(index, count)| {
            Some(Shard { index: index.trim().parse().ok()?, count: count.trim().parse().ok()? })
        });
        parsed
            .filter(|shard| shard.index >= 1 && shard.index <= shard.count)
            .ok_or_else(|| LabError::Shard { text: text.into() })
    }
}

/// What of an experiment is run; what it needs is run with it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Part {
    /// All of it.
    #[default]
    All,
    /// Every so-manieth unit.
    Shard(Shard),
    /// One unit, by its name.
    Unit(String),
}

/// How to run; nothing here changes the result.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// Threads, or as many as the machine has.
    pub threads: Option<usize>,
    /// What of it is run here; the rest runs elsewhere and is merged.
    pub part: Part,
    /// Ask it and the run ends as soon as the units in hand notice.
    pub stop: Stop,
}

/// Where a run stands, for progress bars.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Units done.
    pub done: usize,
    /// All units of this part.
    pub total: usize,
    /// Units that were found done at the start.
    pub resumed: usize,
    /// Units done plus the parts of those in hand.
    pub fraction: f64,
    /// The units in hand, with the last word of each.
    pub running: Vec<(String, String)>,
}

/// The end of a run.
#[derive(Debug)]
pub struct Finished {
    /// Present when the units of all parts are there.
    pub result: Option<PaperResult>,
    /// Units whose outcomes are there.
    pub units_done: usize,
    /// All units of the experiment.
    pub units_total: usize,
}

/// Runs what is not done yet of an experiment in `folder`, and writes result and reports once everything is there.
pub fn reproduce(
    experiment: &dyn Experiment,
    games: &Arc<Games>,
    plan: &Plan,
    folder: &Path,
    options: &Options,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Finished, LabError> {
    let units = experiment.units(plan);
    check_units(&units)?;
    open_folder(experiment, plan, folder)?;
    let _lock = RunLock::take(folder)?;
    let outcomes = load_outcomes(&units, folder)?;
    for unit in units.iter().filter(|unit| outcomes.contains(&unit.name)) {
        // Checkpoints that could not be taken away when the unit was done.
        let _ = std::fs::remove_dir_all(work_folder(folder, &unit.name));
    }
    let wanted = wanted_units(&units, &options.part)?;
    let pending: Vec<usize> =
        (0..units.len()).filter(|&i| wanted.contains(&i) && !outcomes.contains(&units[i].name)).collect();
    let resumed = wanted.len() - pending.len();
    let floor = Floor {
        experiment,
        games,
        plan,
        folder,
        units: &units,
        options,
        tell: progress,
        total: wanted.len(),
        resumed,
        alone: options.threads == Some(1),
        desk: Mutex::new(Desk {
            outcomes: Arc::new(outcomes),
            pending,
            running: BTreeMap::new(),
            failed: None,
        }),
        changed: Condvar::new(),
    };
    floor.work()?;
    finish(experiment, plan, folder, &units)
}

/// The units of an experiment, each with whether its outcome is in `folder`, which is made for this plan or belongs to it already.
pub fn units_in(
    experiment: &dyn Experiment,
    plan: &Plan,
    folder: &Path,
) -> Result<Vec<(Unit, bool)>, LabError> {
    let units = experiment.units(plan);
    check_units(&units)?;
    open_folder(experiment, plan, folder)?;
    let outcomes = load_outcomes(&units, folder)?;
    let done = |unit: Unit| {
        let done = outcomes.contains(&unit.name);
        (unit, done)
    };
    Ok(units.into_iter().map(done).collect())
}

/// Joins the folders of several parts into `out`, and finishes the reproduction if nothing is missing.
pub fn merge(
    experiment: &dyn Experiment,
    plan: &Plan,
    parts: &[PathBuf],
    out: &Path,
) -> Result<Finished, LabError> {
    let units = experiment.units(plan);
    check_units(&units)?;
    open_folder(experiment, plan, out)?;
    for part in parts {
        let found = read_plan(part)?;
        compare_plans(&found, &Header::new(experiment, plan), part)?;
        let theirs = load_outcomes(&units, part)?;
        let ours = load_outcomes(&units, out)?;
        for unit in &units {
            match (theirs.values.get(&unit.name), ours.values.get(&unit.name)) {
                (Some(value), None) => {
                    write_outcome(out, unit, value)?;
                    if let Some(seconds) = read_time(part, unit) {
                        note_time(out, unit, seconds);
                    }
                }
                (Some(value), Some(other)) if value != other => {
                    return Err(LabError::PartsDisagree { unit: unit.name.clone() });
                }
                _ => {}
            }
        }
        copy_artefacts(part, out)?;
    }
    finish(experiment, plan, out, &units)
}

/// The plan and paper of a reproduction's folder, for `ludens merge`.
pub fn plan_of(folder: &Path) -> Result<(String, Plan), LabError> {
    read_plan(folder).map(|header| (header.paper, header.plan))
}

fn finish(
    experiment: &dyn Experiment,
    plan: &Plan,
    folder: &Path,
    units: &[Unit],
) -> Result<Finished, LabError> {
    let outcomes = load_outcomes(units, folder)?;
    let units_done = outcomes.values.len();
    let mut finished = Finished { result: None, units_done, units_total: units.len() };
    if units_done == units.len() {
        let mut result = experiment.assemble(plan, &outcomes)?;
        complete(experiment, &mut result);
        result.made = Some(Made::here(&result, units, folder));
        report::write_all(&result, folder)?;
        if let Some(sample) = Sample::cheapest(experiment, plan, (units, &outcomes), folder) {
            sample.write(folder)?;
        }
        finished.result = Some(result);
    }
    Ok(finished)
}

fn check_units(units: &[Unit]) -> Result<(), LabError> {
    let mut seen = HashSet::new();
    for unit in units {
        let fail = |problem: &str| LabError::Unit { unit: unit.name.clone(), problem: problem.into() };
        let allowed = |c: char| c.is_ascii_alphanumeric() || "/._-=".contains(c);
        if unit.name.is_empty() || !unit.name.chars().all(allowed) {
            return Err(fail("a name is letters, digits and / . _ - ="));
        }
        if unit.needs.iter().any(|need| !seen.contains(need.as_str())) {
            return Err(fail("it needs a unit that is not listed before it"));
        }
        if !seen.insert(unit.name.as_str()) {
            return Err(fail("two units have this name"));
        }
    }
    Ok(())
}

/// The units of a part, and everything they need.
fn wanted_units(units: &[Unit], part: &Part) -> Result<HashSet<usize>, LabError> {
    let asked: Vec<usize> = match part {
        Part::All => (0..units.len()).collect(),
        Part::Shard(shard) => {
            (0..units.len()).filter(|i| (*i as u32) % shard.count == shard.index - 1).collect()
        }
        Part::Unit(name) => {
            let place = units.iter().position(|unit| unit.name == *name);
            let unknown = || LabError::UnknownUnit { name: name.clone() };
            vec![place.ok_or_else(unknown)?]
        }
    };
    Ok(with_needs(units, asked))
}

/// These units and everything they need.
pub(crate) fn with_needs(units: &[Unit], asked: Vec<usize>) -> HashSet<usize> {
    let by_name: HashMap<&str, usize> =
        units.iter().enumerate().map(|(index, unit)| (unit.name.as_str(), index)).collect();
    let (mut wanted, mut open) = (HashSet::new(), asked);
    while let Some(index) = open.pop() {
        if wanted.insert(index) {
            open.extend(units[index].needs.iter().filter_map(|need| by_name.get(need.as_str())));
        }
    }
    wanted
}

/// What the threads share under the lock.
struct Desk {
    outcomes: Arc<Outcomes>,
    /// Indices of units nobody has begun, in order.
    pending: Vec<usize>,
    running: BTreeMap<usize, (f64, String)>,
    failed: Option<LabError>,
}

struct Floor<'a> {
    experiment: &'a dyn Experiment,
    games: &'a Arc<Games>,
    plan: &'a Plan,
    folder: &'a Path,
    units: &'a [Unit],
    options: &'a Options,
    tell: &'a (dyn Fn(&Progress) + Sync),
    total: usize,
    resumed: usize,
    /// One unit at a time: all that the process spends, it spends on that unit.
    alone: bool,
    desk: Mutex<Desk>,
    changed: Condvar,
}

impl Floor<'_> {
    fn work(self) -> Result<(), LabError> {
        let machine = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.options.threads.unwrap_or(machine).clamp(1, self.total.max(1));
        self.report(&self.lock());
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some((index, outcomes)) = self.next() {
                        self.run(index, &outcomes);
                    }
                });
            }
        });
        match self.lock().failed.take() {
            Some(error) => Err(error),
            None if self.stopped() => Err(LabError::Stopped),
            None => Ok(()),
        }
    }

    fn stopped(&self) -> bool {
        self.options.stop.check().is_err()
    }

    fn lock(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next unit whose needs are met; waits while there may be one later.
    fn next(&self) -> Option<(usize, Arc<Outcomes>)> {
        let mut desk = self.lock();
        loop {
            if desk.failed.is_some() || self.stopped() || desk.pending.is_empty() {
                return None;
            }
            let ready = desk
                .pending
                .iter()
                .position(|&index| self.units[index].needs.iter().all(|need| desk.outcomes.contains(need)));
            if let Some(place) = ready {
                let index = desk.pending.remove(place);
                desk.running.insert(index, (0.0, String::new()));
                self.report(&desk);
                return Some((index, desk.outcomes.clone()));
            }
            desk = self.changed.wait(desk).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn run(&self, index: usize, outcomes: &Outcomes) {
        let unit = &self.units[index];
        let tell = |fraction: f64, word: &str| {
            let mut desk = self.lock();
            desk.running.insert(index, (fraction.clamp(0.0, 1.0), word.into()));
            self.report(&desk);
        };
        let (games, folder, stop) = (self.games, self.folder, &self.options.stop);
        let ctx = UnitCtx { games, unit, outcomes, folder, stop, tell: &tell };
        let begun = Clock::begin(self.alone);
        let done = self
            .experiment
            .run_unit(self.plan, unit, &ctx)
            .and_then(|value| write_outcome(self.folder, unit, &value).map(|()| value));
        if let Some(spent) = begun.and_then(Clock::spent) {
            // A unit that was stopped before has spent something already.
            let before = read_time(self.folder, unit).unwrap_or(0.0);
            note_time(self.folder, unit, before + spent);
        }
        let mut desk = self.lock();
        desk.running.remove(&index);
        match done {
            Ok(value) => {
                // The outcome is on the disk: its checkpoints have served.
                let _ = std::fs::remove_dir_all(work_folder(self.folder, &unit.name));
                Arc::make_mut(&mut desk.outcomes).values.insert(unit.name.clone(), value);
                self.report(&desk);
            }
            Err(error) => {
                desk.failed.get_or_insert(error);
            }
        }
        self.changed.notify_all();
    }

    fn report(&self, desk: &Desk) {
        let done = self.total - desk.pending.len() - desk.running.len();
        let parts: f64 = desk.running.values().map(|(fraction, _)| fraction).sum();
        (self.tell)(&Progress {
            done,
            total: self.total,
            resumed: self.resumed,
            fraction: (done as f64 + parts) / self.total.max(1) as f64,
            running: desk
                .running
                .iter()
                .map(|(&index, (_, word))| (self.units[index].name.clone(), word.clone()))
                .collect(),
        });
    }
}

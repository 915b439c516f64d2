//! What an experiment is: units of work with their own seeds, and a way to put their outcomes together.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use ludens_core::{Games, Rng, Stop};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{LabError, PaperClaim, PaperResult};

/// How large an experiment is run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// A few seconds: proves in every test run that the experiment works, says nothing about the paper.
    Smoke,
    /// At most five minutes on two cores, and the effect still shows.
    Quick,
    /// The published size.
    Paper,
}

impl Scale {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Smoke => "smoke",
            Scale::Quick => "quick",
            Scale::Paper => "paper",
        }
    }

    /// One of three values.
    pub fn pick<T>(self, smoke: T, quick: T, paper: T) -> T {
        match self {
            Scale::Smoke => smoke,
            Scale::Quick => quick,
            Scale::Paper => paper,
        }
    }
}

impl FromStr for Scale {
    type Err = String;

    fn from_str(text: &str) -> Result<Scale, String> {
        [Scale::Smoke, Scale::Quick, Scale::Paper].into_iter().find(|scale| scale.name() == text).ok_or_else(
            || {
                format!(
                    "{text:?} is not a scale: quick (minutes), paper (the published size), smoke (seconds)"
                )
            },
        )
    }
}

/// Everything a reproduction depends on besides the code.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// How large it is run.
    pub scale: Scale,
    /// Every seed of a unit follows from it.
    pub seed: u64,
    /// How many seeds (trials, runs); without it the experiment's own number.
    pub seeds: Option<u32>,
}

impl Plan {
    /// A plan with the experiment's own number of seeds.
    pub fn new(scale: Scale, seed: u64) -> Plan {
        Plan { scale, seed, seeds: None }
    }

    /// With so many seeds.
    #[must_use]
    pub fn with_seeds(mut self, seeds: u32) -> Plan {
        self.seeds = Some(seeds);
        self
    }

    /// How many seeds: what was asked for, or the experiment's own number, at least 1.
    pub fn seeds_or(&self, default: u32) -> u32 {
        self.seeds.unwrap_or(default).max(1)
    }

    /// The seed that belongs to a name. Use one name in several units where they must share something (the same data
    /// for every system of a trial).
    pub fn seed_of(&self, name: &str) -> u64 {
        // FNV-1a: stable for ever, unlike the hashers of the standard library.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Rng::stream(self.seed, hash).next_u64()
    }

    /// A unit called `name`, with the seed of its name.
    pub fn unit(&self, name: impl Into<String>) -> Unit {
        let name = name.into();
        Unit { seed: self.seed_of(&name), name, needs: Vec::new() }
    }
}

/// One piece of work that runs on one thread and is kept when it is done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// Unique; letters, digits and `/ . _ - =`, for example `s4/trial-3`.
    pub name: String,
    /// Everything random in it follows from this.
    pub seed: u64,
    /// Units that must be done before, listed before this one; their outcomes and artefacts are at hand.
    pub needs: Vec<String>,
}

impl Unit {
    /// Says that another unit must be done before.
    #[must_use]
    pub fn needs(mut self, unit: impl Into<String>) -> Unit {
        self.needs.push(unit.into());
        self
    }
}

/// Who wrote what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct About {
    /// The short name, as on the command line: `contexts`.
    pub id: &'static str,
    /// The title of the paper.
    pub title: &'static str,
    /// Authors, journal, year.
    pub citation: &'static str,
}

/// A paper's experiment section.
pub trait Experiment: Send + Sync {
    /// Which paper it is.
    fn about(&self) -> About;

    /// The pieces of work, in a fixed order.
    fn units(&self, plan: &Plan) -> Vec<Unit>;

    /// Runs one unit on the calling thread. The outcome depends on (plan, unit) and nothing else: no clock, no number
    /// of threads. Numbers must be finite (JSON knows no others).
    fn run_unit(&self, plan: &Plan, unit: &Unit, ctx: &UnitCtx) -> Result<Value, LabError>;

    /// Makes the tables and figures from the outcomes of all units.
    fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError>;

    /// Puts the paper's numbers beside ours in the tables, and says which cells follow from others. It is asked again
    /// whenever a kept result is shown, so that old results are judged as new ones are.
    fn publish(&self, _result: &mut PaperResult) {}

    /// What the paper says, judged by the numbers of a result and nothing else.
    fn claims(&self, _result: &PaperResult) -> Vec<PaperClaim> {
        Vec::new()
    }
}

/// Puts the paper's numbers beside ours and judges its claims.
pub(crate) fn complete(experiment: &dyn Experiment, result: &mut PaperResult) {
    experiment.publish(result);
    result.paper_claims = experiment.claims(result);
}

/// What a unit may use while it runs.
pub struct UnitCtx<'a> {
    pub(crate) games: &'a Arc<Games>,
    pub(crate) unit: &'a Unit,
    pub(crate) outcomes: &'a Outcomes,
    pub(crate) folder: &'a Path,
    pub(crate) stop: &'a Stop,
    pub(crate) tell: &'a (dyn Fn(f64, &str) + Sync),
}

impl std::fmt::Debug for UnitCtx<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UnitCtx").field("unit", &self.unit.name).finish_non_exhaustive()
    }
}

impl UnitCtx<'_> {
    /// The games of the catalogue.
    pub fn games(&self) -> &Arc<Games> {
        self.games
    }

    /// The seed that is this unit's own.
    pub fn seed(&self) -> u64 {
        self.unit.seed
    }

    /// A stream that begins at the unit's own seed.
    pub fn rng(&self) -> Rng {
        Rng::new(self.unit.seed)
    }

    /// The outcomes of the units this one needs.
    pub fn outcomes(&self) -> &Outcomes {
        self.outcomes
    }

    /// Where a large artefact that other units read belongs (labelled positions, a trained model). Write it whole
    /// (`ludens_core::store::write_atomic`, `Model::write`) and before the unit returns.
    pub fn artefact(&self, name: &str) -> PathBuf {
        self.folder.join("artefacts").join(name)
    }

    /// Where a long unit may keep checkpoints (`Model::write_checkpoint`). The folder goes when the unit is done.
    pub fn checkpoint(&self, name: &str) -> Result<PathBuf, LabError> {
        let folder = work_folder(self.folder, &self.unit.name);
        std::fs::create_dir_all(&folder).map_err(LabError::file(&folder))?;
        Ok(folder.join(name))
    }

    /// Ask now and then in a long unit: an error here means that the user wants to leave.
    pub fn go_on(&self) -> Result<(), LabError> {
        self.stop.check().map_err(|_| LabError::Stopped)
    }

    /// Who may end the unit: for work inside it that looks by itself.
    pub fn stop(&self) -> &Stop {
        self.stop
    }

    /// How far the unit is, 0 to 1, and a word for the progress bar.
    pub fn progress(&self, fraction: f64, word: &str) {
        (self.tell)(fraction, word);
    }
}

pub(crate) fn work_folder(folder: &Path, unit: &str) -> PathBuf {
    folder.join("work").join(file_name(unit))
}

/// A unit's name as the name of a file.
pub(crate) fn file_name(unit: &str) -> String {
    unit.replace('/', "~")
}

/// The outcomes of units, by name.
#[derive(Clone, Default, Debug)]
pub struct Outcomes {
    pub(crate) values: BTreeMap<String, Value>,
    pub(crate) folder: PathBuf,
}

impl Outcomes {
    /// A whole outcome as a value of yours.
    pub fn get<T: DeserializeOwned>(&self, unit: &str) -> Result<T, LabError> {
        let value = self.values.get(unit).ok_or_else(|| missing(unit, "outcome"))?;
        T::deserialize(value).map_err(|error| missing(unit, &error.to_string()))
    }

    /// One field of an outcome that is an object.
    pub fn get_field<T: DeserializeOwned>(&self, unit: &str, field: &str) -> Result<T, LabError> {
        let value = self.values.get(unit).and_then(|value| value.get(field));
        let value = value.ok_or_else(|| missing(unit, field))?;
        T::deserialize(value).map_err(|error| missing(unit, &format!("{field} ({error})")))
    }

    /// Whether the unit is done.
    pub fn contains(&self, unit: &str) -> bool {
        self.values.contains_key(unit)
    }

    /// An artefact written by a unit.
    pub fn artefact(&self, name: &str) -> PathBuf {
        self.folder.join("artefacts").join(name)
    }
}

fn missing(unit: &str, what: &str) -> LabError {
    LabError::Outcome { unit: unit.into(), what: what.into() }
}

//! Our figures again, on seeds that chose nothing: units of the papers' experiments, run at another seed, and what they give beside what is claimed.

mod figures;
mod shown;

use serde_json::Value;

use self::figures::{FIGURES, Figure, GROUPS, Group, LEAGUE};
use crate::engine::with_needs;
use crate::experiment::work_folder;
use crate::{
    About, Cell, Experiment, LabError, Outcomes, PaperResult, Plan, Row, Scale, Table, Unit, UnitCtx, papers,
};

pub(crate) use self::shown::{KIND, markdown};

/// The table of the result.
const TABLE: &str = "fresh";

/// Those of our figures that are measured together.
#[derive(Debug)]
pub struct Confirmations {
    id: &'static str,
    groups: &'static [Group],
}

/// All but the league.
pub const MOST: Confirmations = Confirmations { id: shown::RESULTS[0], groups: &GROUPS };
/// The league, which takes as long as the others together.
pub const OF_THE_LEAGUE: Confirmations = Confirmations { id: shown::RESULTS[1], groups: &LEAGUE };

/// A unit of another experiment under the name it has here.
struct Borrowed {
    group: &'static Group,
    plan: Plan,
    unit: Unit,
}

impl Borrowed {
    /// `nhb-league/2/strength/league/seed-0`: the group, the seed of the plan, the unit as its own experiment calls it.
    fn name(&self) -> String {
        format!("{}/{}/{}", self.group.id, self.plan.seed, self.unit.name)
    }

    fn here(&self, name: &str) -> String {
        format!("{}/{}/{name}", self.group.id, self.plan.seed)
    }
}

/// The experiment that a group takes its units from.
fn owner(group: &Group) -> Result<Box<dyn Experiment>, LabError> {
    papers::named(group.paper).map(|mut found| found.remove(0))
}

/// All units, each behind what it needs.
fn borrowed(groups: &'static [Group], plan: &Plan) -> Result<Vec<Borrowed>, LabError> {
    let mut all = Vec::new();
    for group in groups {
        let experiment = owner(group)?;
        let seeds = if plan.scale == Scale::Paper { group.seeds } else { Some(1) };
        let plan = Plan { scale: plan.scale, seed: plan.seed, seeds };
        let units = experiment.units(&plan);
        let asked = (0..units.len()).filter(|&at| group.takes(&units[at].name)).collect();
        let wanted = with_needs(&units, asked);
        let units = units.into_iter().enumerate().filter(|(at, _)| wanted.contains(at));
        all.extend(units.map(|(_, unit)| Borrowed { group, plan: plan.clone(), unit }));
    }
    Ok(all)
}

impl Experiment for Confirmations {
    fn about(&self) -> About {
        About { id: self.id, title: "Our figures on seeds that chose nothing", citation: "ours" }
    }

    fn units(&self, plan: &Plan) -> Vec<Unit> {
        let named = |one: Borrowed| {
            let needs = one.unit.needs.iter().map(|need| one.here(need)).collect();
            Unit { name: one.name(), seed: one.unit.seed, needs }
        };
        borrowed(self.groups, plan).unwrap_or_default().into_iter().map(named).collect()
    }

    fn run_unit(&self, plan: &Plan, unit: &Unit, ctx: &UnitCtx) -> Result<Value, LabError> {
        let all = borrowed(self.groups, plan)?;
        let one = all.iter().find(|one| one.name() == unit.name);
        let one = one.ok_or_else(|| LabError::UnknownUnit { name: unit.name.clone() })?;
        // It sees what it needs under the names that it knows.
        let known = one.unit.needs.iter().filter_map(|need| {
            let value = ctx.outcomes.values.get(&one.here(need))?;
            Some((need.clone(), value.clone()))
        });
        // A folder for each group: artefacts of one experiment have the same names at every seed.
        let folder = ctx.folder.join("artefacts").join(one.here("").trim_end_matches('/').replace('/', "-"));
        let artefacts = folder.join("artefacts");
        std::fs::create_dir_all(&artefacts).map_err(LabError::file(&artefacts))?;
        let outcomes = Outcomes { values: known.collect(), folder: folder.clone() };
        let inner = UnitCtx { unit: &one.unit, outcomes: &outcomes, folder: &folder, ..*ctx };
        let value = owner(one.group)?.run_unit(&one.plan, &one.unit, &inner)?;
        // The outcome is known: its checkpoints have served.
        let _ = std::fs::remove_dir_all(work_folder(&folder, &one.unit.name));
        Ok(value)
    }

    fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
        let mut result = PaperResult::new(self.about(), plan);
        let columns = ["fresh", "weakest", "strongest", "trained again"];
        let mut table = Table::new(TABLE, "Our figures on fresh seeds", &columns).beyond();
        let all = borrowed(self.groups, plan)?;
        let ours = |figure: &&Figure| self.groups.iter().any(|group| group.id == figure.group);
        for figure in FIGURES.iter().filter(ours) {
            table = table.row(row(figure, &all, outcomes)?);
        }
        let count = table.rows.len();
        result
            .tables
            .push(table.note("Mean over the trainings, Student's interval; one training: Wilson's."));
        result.summary = vec![format!(
            "{count} figures of ours were measured again with seed {}, which chose nothing.",
            plan.seed
        )];
        result.deviations = vec!["None: the units are those of the papers' experiments.".into()];
        Ok(result)
    }
}

/// A figure over the units that give it.
fn row(figure: &Figure, all: &[Borrowed], outcomes: &Outcomes) -> Result<Row, LabError> {
    let mut values = Vec::new();
    let mut last = Value::Null;
    for one in all.iter().filter(|one| one.group.id == figure.group && figure.is_of(&one.unit.name)) {
        last = outcomes.get(&one.name())?;
        let missing = || LabError::Outcome { unit: one.name(), what: figure.name.into() };
        values.push((figure.value)(&last).ok_or_else(missing)?);
    }
    let fresh = match (values.len(), figures::share_of(&last)) {
        (1, Some((won, games))) => Cell::share(won, games),
        _ => Cell::mean(&values),
    };
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let count = Cell::exact(values.len() as f64).decimals(0);
    Ok(Row::new(figure.name, [fresh, Cell::exact(least), Cell::exact(most), count]))
}

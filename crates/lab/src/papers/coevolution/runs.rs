//! Which runs there are, and with which settings.

use ludens_learners::coevolution::{Inputs, Settings};

use crate::{LabError, Plan, Scale};

/// Ours, which goes beyond the paper.
pub(super) const IMPROVED: &str = "improved";

/// How what the paper leaves open is read, in words; each with several seeds at depth 2.
pub(super) const READINGS: [(&str, &str); 3] =
    [("paper", "as read here"), ("fogel", "Fogel's settings"), ("literal", "the first reading")];

/// Seeds of every reading at depth 2, and of each switch.
const SEEDS: u32 = 10;
const SWITCH_SEEDS: u32 = 5;
/// Seeds whose players the solver judges: it is dear.
const JUDGED: u32 = 5;

/// What is beyond the paper, one switch at a time, against the reading in use, with the same seed and of the same length.
pub(super) const SWITCHES: [(&str, &str); 11] = [
    ("evaluate-copy", "a copy must beat whom it replaces"),
    ("evaluate-new", "a new player must be no worse than whom it replaces"),
    ("evaluate-publish", "the published must hold their own against the pool"),
    ("pairs", "20 pairs instead of 5"),
    ("hall-rivals", "hall of fame: two opponents drawn from all published"),
    ("pool-rivals", "two opponents drawn from the pool by their scores"),
    ("openings", "comparisons on 8 random openings instead of the start"),
    ("offspring", "64 offspring recombined, on 4 openings, a 25th of the generations"),
    ("lines", "the lines of four as inputs, all else as in the paper"),
    ("features", "counts of threats, open lines and stones as inputs, all else as in the paper"),
    ("rising-steps", "σ may rise up to 1"),
];

/// One run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Name {
    /// A reading, or the improved variant.
    pub(super) kind: &'static str,
    pub(super) depth: u32,
    pub(super) seed: u32,
}

impl Name {
    pub(super) fn unit(self) -> String {
        format!("{}/depth-{}/seed-{}", self.kind, self.depth, self.seed)
    }

    /// Runs that differ in their seeds alone.
    pub(super) fn level(self) -> String {
        let reading = READINGS.iter().find(|(kind, _)| *kind == self.kind);
        format!("{}, depth {}", reading.map_or("coevolution-improved", |(_, words)| words), self.depth)
    }

    pub(super) fn judged(self) -> bool {
        self.seed < JUDGED
    }
}

pub(super) fn all(plan: &Plan) -> Vec<Name> {
    let seeds = plan.seeds_or(plan.scale.pick(2, 3, SEEDS));
    let mut names = Vec::new();
    for kind in READINGS.map(|(kind, _)| kind).into_iter().chain([IMPROVED]) {
        names.extend((0..seeds).map(|seed| Name { kind, depth: 2, seed }));
        let others: &[u32] = match kind {
            "paper" => &[1, 3, 4],
            IMPROVED => &[1, 3],
            _ => &[],
        };
        names.extend(others.iter().map(|&depth| Name { kind, depth, seed: 0 }));
    }
    names
}

pub(super) fn switch_seeds(plan: &Plan) -> u32 {
    plan.seeds.unwrap_or(plan.scale.pick(1, 2, SWITCH_SEEDS)).clamp(1, SWITCH_SEEDS)
}

/// Of the run or switch that a unit is called after.
pub(super) fn settings(plan: &Plan, unit: &str) -> Result<Settings, LabError> {
    let mut words = unit.split('/');
    let (kind, which) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let depth = which.strip_prefix("depth-").and_then(|depth| depth.parse().ok()).unwrap_or(2);
    match kind {
        "paper" => Ok(as_long(plan, depth, Settings::default())),
        "fogel" => Ok(as_long(plan, depth, Settings::fogel())),
        "literal" => Ok(as_long(plan, depth, Settings::literal())),
        IMPROVED => Ok(improved(plan, depth)),
        "switch" => {
            // A tenth of the paper's length.
            let base = as_long(plan, 2, Settings::default());
            let intervals = (base.intervals / plan.scale.pick(1, 2, 10)).max(2);
            switched(which, Settings { intervals, ..base })
        }
        _ => Err(LabError::other(format!("no run is called {unit}"))),
    }
}

fn as_long(plan: &Plan, depth: u32, reading: Settings) -> Settings {
    let paper = Settings { depth, ..reading };
    match plan.scale {
        Scale::Smoke => Settings { interval: 10, intervals: 6, ..paper },
        Scale::Quick => Settings { interval: 200, intervals: 40, ..paper },
        Scale::Paper => paper,
    }
}

fn improved(plan: &Plan, depth: u32) -> Settings {
    let best = Settings { depth, ..Settings::improved() };
    match plan.scale {
        Scale::Smoke => Settings { interval: 2, intervals: 4, offspring: 6, ..best },
        Scale::Quick => Settings { intervals: 4, ..best },
        // Deeper games cost more: the number of generations pays for it.
        Scale::Paper => {
            Settings { intervals: if depth <= 2 { best.intervals } else { best.intervals / 4 }, ..best }
        }
    }
}

fn switched(name: &str, base: Settings) -> Result<Settings, LabError> {
    Ok(match name {
        "paper" => base,
        "evaluate-copy" => Settings { evaluate_copy: true, ..base },
        "evaluate-new" => Settings { evaluate_new: true, ..base },
        "evaluate-publish" => Settings { evaluate_publish: true, ..base },
        "pairs" => Settings { pairs: 20, ..base },
        "hall-rivals" => Settings { hall_rivals: 2, ..base },
        "pool-rivals" => Settings { pool_rivals: 2, ..base },
        "openings" => Settings { openings: 8, ..base },
        "offspring" => {
            let interval = (base.interval / 25).max(1);
            let Settings { step, largest_step, .. } = Settings::improved();
            Settings { offspring: 64, openings: 4, step, largest_step, shrink: 0.001, interval, ..base }
        }
        "lines" => Settings { inputs: Inputs::Lines, ..base },
        "features" => Settings { inputs: Inputs::Features, ..base },
        "rising-steps" => Settings { largest_step: 1.0, ..base },
        _ => return Err(LabError::other(format!("no switch is called {name}"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A switch or reading that changes nothing would be compared with itself.
    #[test]
    fn every_run_has_settings_of_its_own() {
        let plan = Plan::new(Scale::Paper, 1);
        let base = settings(&plan, "switch/paper/seed-0").unwrap();
        for (name, _) in SWITCHES {
            assert_ne!(settings(&plan, &format!("switch/{name}/seed-0")).unwrap(), base, "{name}");
        }
        let readings = READINGS.map(|(kind, _)| settings(&plan, &format!("{kind}/depth-2/seed-0")).unwrap());
        assert!(readings[0] != readings[1] && readings[1] != readings[2] && readings[0] != readings[2]);
        assert!(readings.iter().all(|reading| reading.generations() == 200_000));
        assert!(settings(&plan, "switch/none/seed-0").is_err());
        assert!(settings(&plan, "nobody/depth-2/seed-0").is_err());
    }
}

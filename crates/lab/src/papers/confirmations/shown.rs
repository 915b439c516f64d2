//! The table of confirmations for the docs: what is claimed, from the committed results, beside what fresh seeds give.

use std::fmt::Write;
use std::path::Path;

use ludens_arena::stats::Interval;

use super::TABLE;
use super::figures::{FIGURES, Figure, GROUPS, LEAGUE, NOT_CONFIRMED};
use crate::agreement::{ALPHA, Gap};
use crate::docs::read_result;
use crate::{Cell, LabError, PaperResult};

/// As the docs call the block.
pub const KIND: &str = "confirmations";
/// The experiments, and the folders of their results.
pub const RESULTS: [&str; 2] = ["confirmations", "confirmations-league"];
/// Freedom of a value whose error is that of its games.
const MANY: f64 = 1e7;

/// Fresh seeds must show a figure to be no further below the claim than this: a small sample is not worse than anything.
const NEAR: f64 = 0.05;

/// The block of a page; `folder` holds the committed results. What has not been run is said to be missing.
pub fn markdown(folder: &Path) -> Result<String, LabError> {
    let mut text = String::from(
        "| figure | claimed | chosen by | fresh | lowest | trainings | fresh − claimed, 99 % | |\n|---|---:|---|---:|---:|---:|---:|---|\n",
    );
    let mut below = String::from("\n| measured by | CPU time |\n|---|---:|\n");
    let mut made = String::new();
    for (id, groups) in RESULTS.into_iter().zip([&GROUPS[..], &LEAGUE[..]]) {
        let path = folder.join(id).join("paper.json");
        let fresh = path.exists().then(|| read_result(&path)).transpose()?;
        for group in groups {
            let claimed = read_result(&folder.join(group.paper).join("paper.json"))?;
            for figure in FIGURES.iter().filter(|figure| figure.group == group.id) {
                line(&mut text, figure, &claimed, fresh.as_ref())?;
            }
            if let Some(fresh) = &fresh {
                let spent = fresh.made.as_ref().and_then(|made| made.cpu_seconds.get(group.id));
                let spent = spent.map_or("not kept".into(), |seconds| format!("{seconds:.0} s"));
                let command = group.command(fresh.scale.name(), fresh.seed);
                let _ = writeln!(below, "| `{command}` | {spent} |");
            }
        }
        if let Some(fresh) = &fresh {
            made.push_str(&origin(fresh));
        }
    }
    for (figure, why) in NOT_CONFIRMED {
        let _ = writeln!(text, "| {figure} | – | – | – | – | – | – | not confirmed: {why} |");
    }
    Ok(format!("{text}{below}{made}"))
}

fn origin(fresh: &PaperResult) -> String {
    let made = fresh.made.as_ref();
    let commit = made.and_then(|made| made.commit.as_deref()).unwrap_or("a commit not kept");
    let processor = made.and_then(|made| made.processor.as_deref()).unwrap_or("a processor not kept");
    let commit = &commit[..commit.len().min(10)];
    format!("\nMade by `{}`, at {commit}, on {processor}.\n", fresh.command())
}

fn line(
    text: &mut String,
    figure: &Figure,
    claimed: &PaperResult,
    fresh: Option<&PaperResult>,
) -> Result<(), LabError> {
    let (table, row, column) = figure.claimed;
    let missing = |what: &str| LabError::other(format!("{what} has no cell for {}", figure.name));
    let claimed = claimed.cell(table, row, column).ok_or_else(|| missing("the claimed result"))?;
    let Some(fresh) = fresh else {
        let (name, chosen) = (figure.name, figure.chosen);
        let _ = writeln!(
            text,
            "| {name} | {} | {chosen} | – | – | – | – | not confirmed: not run yet |",
            shown(claimed)
        );
        return Ok(());
    };
    let of = |column| fresh.cell(TABLE, figure.name, column).ok_or_else(|| missing("the fresh result"));
    let (now, least, count) = (of(0)?, of(1)?, of(3)?);
    let number = |cell: &Cell| cell.ours.unwrap_or(f64::NAN);
    let gap = apart(now, claimed);
    let apart = gap.as_ref().map_or("–".into(), |gap| {
        let Interval { low, high } = gap.interval(1.0 - ALPHA);
        minus(&format!("{:+.3} [{low:+.3} – {high:+.3}]", gap.difference))
    });
    let _ = writeln!(
        text,
        "| {} | {} | {} | {} | {} | {:.0} | {apart} | {} |",
        figure.name,
        shown(claimed),
        figure.chosen,
        shown(now),
        minus(&format!("{:.3}", number(least))),
        number(count),
        verdict(figure, gap.as_ref(), now, number(least)),
    );
    Ok(())
}

/// Fresh minus claimed; trainings apart from each other.
fn apart(fresh: &Cell, claimed: &Cell) -> Option<Gap> {
    let of = |cell: &Cell| {
        let freedom = if cell.count.is_some() { MANY } else { cell.trials.saturating_sub(1) as f64 };
        Some((cell.ours?, cell.error?, freedom))
    };
    Some(Gap::welch(of(fresh)?, of(claimed)?))
}

/// Confirmed is what fresh seeds do not show to be lower, and what keeps the floor where there is one.
fn verdict(figure: &Figure, gap: Option<&Gap>, now: &Cell, least: f64) -> String {
    let Some(gap) = gap else { return "not confirmed: one training only".into() };
    // As if more were better.
    let gap = &if figure.less { gap.clone().turned() } else { gap.clone() };
    let (worse, better) = if figure.less { ("higher", "lower") } else { ("lower", "higher") };
    if 2.0 * gap.below(0.0) < ALPHA {
        return format!("**not confirmed**: {worse}");
    }
    if let Some((floor, none_under)) = figure.floor
        && (now.ours.is_none_or(|mean| mean < floor) || least < none_under)
    {
        return format!("the figure stands; **the floor does not** ({floor:.2}, none under {none_under:.2})");
    }
    if 2.0 * gap.above(-NEAR) >= ALPHA {
        return "not told apart: too few trainings to confirm it".into();
    }
    // A share of games is one training.
    let trainings = if now.count.is_some() { ", by one training" } else { "" };
    let better = if 2.0 * gap.above(0.0) < ALPHA { format!(": {better}") } else { String::new() };
    format!("confirmed{trainings}{better}")
}

fn shown(cell: &Cell) -> String {
    let value = cell.ours.unwrap_or(f64::NAN);
    let interval =
        cell.interval.map_or(String::new(), |found| format!(" [{:.3} – {:.3}]", found.low, found.high));
    minus(&format!("{value:.3}{interval}"))
}

/// The sign as it is printed.
fn minus(text: &str) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_the_league() -> &'static Figure {
        FIGURES.iter().find(|figure| figure.floor.is_some()).unwrap()
    }

    /// Other numbers, other verdicts.
    #[test]
    fn a_figure_is_confirmed_by_numbers_only() {
        let claimed = Cell::mean(&[0.78, 0.79, 0.77, 0.78, 0.80]);
        let said = |values: &[f64]| {
            let fresh = Cell::mean(values);
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            verdict(of_the_league(), apart(&fresh, &claimed).as_ref(), &fresh, least)
        };
        assert_eq!(said(&[0.79, 0.78, 0.80, 0.79, 0.78]), "confirmed");
        assert_eq!(said(&[0.69, 0.70, 0.68, 0.70, 0.69]), "**not confirmed**: lower");
        assert_eq!(said(&[0.89, 0.90, 0.88, 0.90, 0.89]), "confirmed: higher");
        assert!(said(&[0.79, 0.80, 0.65, 0.82, 0.78]).contains("the floor does not"));
        assert!(said(&[0.76, 0.90]).starts_with("not told apart"), "two trainings far apart show nothing");
        assert!(said(&[0.79]).starts_with("not confirmed"), "one training has no error");
    }

    /// Every figure has a group, and every group gives some figure.
    #[test]
    fn figures_and_groups_belong_together() {
        let groups = || GROUPS.iter().chain(&LEAGUE);
        for figure in &FIGURES {
            assert!(groups().any(|group| group.id == figure.group), "{}", figure.name);
        }
        for group in groups() {
            assert!(FIGURES.iter().any(|figure| figure.group == group.id), "{}", group.id);
        }
    }
}

//! The figures of the contexts paper: tables 1 and 2, every share with the standard deviation of its ten trials.

use crate::agreement::Published;
use crate::stats::mean;
use crate::{Cell, PaperResult, Row, Table};

/// A system, (share, standard deviation) of places 1 to 7, AvRank.
type Line = (&'static str, [(f64, f64); 7], f64);

/// The trials behind every mean.
const TRIALS: u64 = 10;

/// Table 1.
#[rustfmt::skip]
const TRAINING: [Line; 8] = [
    ("S1", [(0.55832, 0.00736), (0.18964, 0.00602), (0.10459, 0.00375), (0.06645, 0.00313), (0.04386, 0.00174), (0.02588, 0.00301), (0.01122, 0.00267)], 1.970),
    ("S2", [(0.59086, 0.00468), (0.17135, 0.00782), (0.09327, 0.00316), (0.06024, 0.00300), (0.04059, 0.00246), (0.02748, 0.00420), (0.01618, 0.00512)], 1.935),
    ("S3", [(0.60276, 0.00676), (0.16357, 0.00757), (0.0895, 0.00315), (0.05919, 0.00292), (0.04217, 0.00275), (0.02706, 0.00275), (0.01576, 0.00413)], 1.918),
    ("S4", [(0.63721, 0.00529), (0.15930, 0.00607), (0.08346, 0.00150), (0.05268, 0.00178), (0.03507, 0.00173), (0.02119, 0.00283), (0.01109, 0.00411)], 1.797),
    ("N20", [(0.48555, 0.00441), (0.19949, 0.00928), (0.12255, 0.00495), (0.08204, 0.00169), (0.05817, 0.00476), (0.03652, 0.00561), (0.01571, 0.00267)], 2.200),
    ("N40", [(0.55181, 0.00486), (0.18302, 0.00504), (0.10409, 0.00286), (0.06958, 0.00286), (0.04842, 0.00337), (0.02961, 0.00409), (0.01348, 0.00360)], 2.022),
    ("N60", [(0.59532, 0.00602), (0.15713, 0.00399), (0.08887, 0.00285), (0.06433, 0.00236), (0.04521, 0.00332), (0.02899, 0.00140), (0.02010, 0.00586)], 1.974),
    ("C", [(0.38428, 0.02457), (0.22982, 0.01564), (0.15566, 0.01069), (0.10365, 0.01153), (0.06787, 0.00913), (0.04050, 0.00831), (0.01819, 0.00826)], 2.435),
];

/// Table 2.
#[rustfmt::skip]
const TESTING: [Line; 8] = [
    ("S1", [(0.53211, 0.00962), (0.19894, 0.00619), (0.11193, 0.00444), (0.06955, 0.00396), (0.04555, 0.00252), (0.02942, 0.00309), (0.01248, 0.00405)], 2.035),
    ("S2", [(0.52837, 0.00616), (0.19634, 0.00495), (0.10889, 0.00298), (0.07053, 0.00317), (0.04768, 0.00172), (0.03048, 0.00294), (0.01768, 0.00460)], 2.074),
    ("S3", [(0.52796, 0.00556), (0.19409, 0.00497), (0.10943, 0.00553), (0.07092, 0.00265), (0.04864, 0.00339), (0.03174, 0.00341), (0.01720, 0.00465)], 2.082),
    ("S4", [(0.58621, 0.00930), (0.18107, 0.00536), (0.09746, 0.00240), (0.06171, 0.00284), (0.03780, 0.00154), (0.02349, 0.00332), (0.01223, 0.00475)], 1.903),
    ("N20", [(0.43894, 0.00816), (0.21677, 0.00936), (0.13356, 0.00754), (0.09102, 0.00510), (0.06340, 0.00447), (0.03913, 0.00506), (0.01716, 0.00294)], 2.309),
    ("N40", [(0.45198, 0.00831), (0.22054, 0.00558), (0.13598, 0.00378), (0.08671, 0.00227), (0.05723, 0.00372), (0.03268, 0.00379), (0.01490, 0.00261)], 2.234),
    ("N60", [(0.44537, 0.00514), (0.22343, 0.00508), (0.13725, 0.00334), (0.08516, 0.00218), (0.05407, 0.00406), (0.03247, 0.00257), (0.02228, 0.00489)], 2.265),
    ("C", [(0.37807, 0.02365), (0.22950, 0.01637), (0.15804, 0.01301), (0.10489, 0.00922), (0.06915, 0.00931), (0.04090, 0.00954), (0.01945, 0.00937)], 2.458),
];

/// The systems, in the order of the tables.
pub(super) fn systems() -> impl Iterator<Item = &'static str> {
    TESTING.iter().map(|line| line.0)
}

/// The paper's numbers beside ours. The places of a row sum to one and AvRank follows from them: the first place, "the most indicative",
/// is the one that counts.
pub(super) fn publish(result: &mut PaperResult) {
    for (id, lines) in [("1", TRAINING), ("2", TESTING)] {
        if let Some(table) = result.tables.iter_mut().find(|table| table.id == id) {
            publish_table(table, &lines);
            let spread = spread(table, &lines);
            result.tables.retain(|table| table.id != spread.id);
            result.tables.push(spread);
        }
    }
}

/// The standard deviations of the trials, beside the paper's.
fn spread(table: &Table, lines: &[Line]) -> Table {
    let places: Vec<&str> = table.columns.iter().take(7).map(String::as_str).collect();
    let title = format!("{}: the standard deviations of the trials", table.title);
    let mut spread = Table::new(&format!("{}-deviations", table.id), &title, &places)
        .note("Of the trials themselves, not of their mean; compared by the F-test of two variances.");
    for (system, theirs, _) in lines {
        let Some(row) = table.rows.iter().find(|row| row.label == *system) else { continue };
        let cells = row.cells.iter().zip(theirs).enumerate().map(|(column, (cell, (_, deviation)))| {
            let trials = cell.values.len() as u64;
            let ours = (trials > 1).then(|| mean(&cell.values).deviation);
            let cell = Cell { ours, trials, decimals: 4, ..Cell::default() }
                .paper_as(*deviation, Published::Deviation { trials: TRIALS });
            if column == 0 { cell } else { cell.dependent() }
        });
        spread.rows.push(Row::new(*system, cells.collect::<Vec<_>>()));
    }
    spread
}

fn publish_table(table: &mut Table, lines: &[Line]) {
    for (system, places, rank) in lines {
        for (column, (share, deviation)) in places.iter().enumerate() {
            table.set_paper(system, column, |mut cell| {
                cell.points = true;
                let cell = cell.paper_mean(*share, *deviation, TRIALS);
                if column == 0 { cell } else { cell.dependent() }
            });
        }
        table.set_paper(system, 7, |cell| cell.paper(*rank).dependent());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of a row sum to one, and AvRank is their mean: a mistyped digit would show.
    #[test]
    fn the_published_numbers_fit_together() {
        for (system, places, rank) in TRAINING.iter().chain(&TESTING) {
            let sum: f64 = places.iter().map(|place| place.0).sum();
            assert!((sum - 1.0).abs() < 6e-4, "{system}: {sum}");
            let mean: f64 = places.iter().zip(1..).map(|(place, rank)| place.0 * f64::from(rank)).sum();
            assert!((mean - rank).abs() < 6e-3, "{system}: {mean} {rank}");
        }
    }
}

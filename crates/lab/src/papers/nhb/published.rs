//! The figures of the NHB paper.

use crate::{PaperResult, Scale, Table};

/// Table 1: losses, draws and wins of 200 for each move time.
pub(super) const TABLE_1: [[(u32, u32, u32); 10]; 3] = [
    [
        (79, 11, 110),
        (53, 9, 138),
        (46, 13, 141),
        (68, 18, 114),
        (46, 12, 142),
        (42, 10, 148),
        (66, 11, 123),
        (59, 9, 132),
        (60, 14, 126),
        (47, 13, 140),
    ],
    [
        (54, 14, 132),
        (68, 12, 120),
        (88, 13, 99),
        (44, 12, 144),
        (43, 9, 148),
        (69, 13, 118),
        (50, 8, 142),
        (54, 13, 133),
        (58, 7, 135),
        (55, 11, 134),
    ],
    [
        (59, 18, 123),
        (64, 13, 123),
        (57, 13, 130),
        (69, 16, 115),
        (61, 19, 120),
        (47, 18, 135),
        (84, 18, 98),
        (77, 12, 111),
        (62, 14, 124),
        (61, 10, 129),
    ],
];

/// Table 2: training matches, then draws and wins of 100.
pub(super) const TABLE_2: [(u32, u32, u32); 10] = [
    (50, 5, 59),
    (100, 4, 72),
    (150, 2, 59),
    (200, 0, 64),
    (250, 6, 64),
    (300, 4, 55),
    (350, 5, 57),
    (400, 2, 56),
    (550, 2, 59),
    (600, 3, 61),
];

/// Hidden units of table 1 by move time.
const HIDDEN: [f64; 3] = [96.0, 112.0, 113.0];
/// Matches behind a cell of table 1, and of table 2.
const MATCHES: [u64; 2] = [200, 100];

/// The paper's numbers beside ours; they belong to its own size only. Draws follow from wins and losses and do not count.
pub(super) fn publish(result: &mut PaperResult) {
    if result.scale != Scale::Paper {
        return;
    }
    for table in &mut result.tables {
        match table.id.as_str() {
            "1" => publish_one(table),
            "2" => publish_two(table),
            _ => {}
        }
    }
}

fn share(table: &mut Table, row: &str, column: usize, (draws, wins): (u32, u32), matches: u64) {
    let of = |count: u32| f64::from(count) / matches as f64;
    table.set_paper(row, column, |cell| cell.paper_share(of(wins), matches));
    table.set_paper(row, column + 1, |cell| cell.paper_share(of(draws), matches).dependent());
}

fn publish_one(table: &mut Table) {
    let labels: Vec<String> = table.rows.iter().map(|row| row.label.clone()).collect();
    for (time, points) in TABLE_1.iter().enumerate() {
        for (label, (_, draws, wins)) in labels.iter().zip(points) {
            share(table, label, 2 * time, (*draws, *wins), MATCHES[0]);
        }
        table.set_paper("hidden units", 2 * time, |cell| cell.paper(HIDDEN[time]));
    }
}

fn publish_two(table: &mut Table) {
    for (matches, draws, wins) in TABLE_2 {
        share(table, &format!("NHB, {matches} matches"), 0, (draws, wins), MATCHES[1]);
    }
    share(table, "piece-advantage", 0, (3, 44), MATCHES[1]);
    share(table, "positional", 0, (2, 72), MATCHES[1]);
    table.set_paper("hidden units", 0, |cell| cell.paper(131.0));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_of_table_1_has_200_matches() {
        assert!(TABLE_1.iter().flatten().all(|(l, d, w)| l + d + w == 200));
    }
}

//! The figures of the concepts paper.

use ludens_core::Side;

use super::{CONNECT_FOUR, OPPONENTS, TIC_TAC_TOE};
use crate::{PaperResult, Table};

/// The paper's win, lose and draw shares for the first and the second player, in percent.
pub(super) type Published = [[f64; 3]; 2];

/// Tables 1 and 2.
pub(super) const STATISTICAL: [[(&str, &str, Published); 7]; 2] = [
    [
        (TIC_TAC_TOE, "0", [[80.73, 12.32, 6.95], [50.57, 40.69, 8.74]]),
        (TIC_TAC_TOE, "1", [[93.38, 4.53, 2.09], [65.64, 27.50, 6.86]]),
        (TIC_TAC_TOE, "2", [[90.17, 7.45, 2.38], [68.10, 28.11, 3.79]]),
        (TIC_TAC_TOE, "3", [[96.49, 2.76, 0.75], [73.65, 24.77, 1.58]]),
        (CONNECT_FOUR, "0", [[81.4, 18.6, 0.0], [71.3, 28.6, 0.1]]),
        (CONNECT_FOUR, "1", [[84.4, 15.6, 0.0], [70.4, 29.6, 0.0]]),
        (CONNECT_FOUR, "2", [[90.2, 9.8, 0.0], [77.4, 22.6, 0.0]]),
    ],
    [
        (TIC_TAC_TOE, "0", [[67.98, 27.51, 4.51], [27.00, 68.71, 4.29]]),
        (TIC_TAC_TOE, "1", [[85.81, 13.57, 0.62], [41.78, 55.40, 2.82]]),
        (TIC_TAC_TOE, "2", [[74.53, 25.47, 0.0], [41.95, 57.87, 0.18]]),
        (TIC_TAC_TOE, "3", [[91.42, 8.58, 0.0], [50.42, 49.58, 0.0]]),
        (CONNECT_FOUR, "0", [[57.4, 42.6, 0.0], [40.1, 59.9, 0.0]]),
        (CONNECT_FOUR, "1", [[62.2, 37.8, 0.0], [40.4, 59.6, 0.0]]),
        (CONNECT_FOUR, "2", [[79.7, 20.3, 0.0], [54.4, 45.6, 0.0]]),
    ],
];

/// Tables 3 and 4.
pub(super) const BINARY: [[(&str, &str, &str, Published); 3]; 2] = [
    [
        (TIC_TAC_TOE, "binary", "10,000 playouts", [[94.60, 3.77, 1.63], [56.91, 38.05, 5.04]]),
        (CONNECT_FOUR, "binary-10", "10 playouts", [[90.6, 9.4, 0.0], [61.8, 38.2, 0.0]]),
        (CONNECT_FOUR, "binary-100", "100 playouts", [[92.3, 7.7, 0.0], [69.4, 30.6, 0.0]]),
    ],
    [
        (TIC_TAC_TOE, "binary", "10,000 playouts", [[89.64, 10.36, 0.0], [39.16, 56.87, 3.97]]),
        (CONNECT_FOUR, "binary-10", "10 playouts", [[74.5, 25.5, 0.0], [29.5, 70.5, 0.0]]),
        (CONNECT_FOUR, "binary-100", "100 playouts", [[78.3, 21.7, 0.0], [44.3, 55.7, 0.0]]),
    ],
];

/// Tables 5 and 6.
pub(super) const TERNARY: [Published; 2] =
    [[[72.7, 27.3, 0.0], [71.7, 28.3, 0.0]], [[39.7, 60.3, 0.0], [37.8, 62.2, 0.0]]];

/// Games behind a share of the paper.
fn games(game: &str) -> u64 {
    if game == TIC_TAC_TOE { 10_000 } else { 1_000 }
}

/// The label of a row: game, colour, what plays.
pub(super) fn label(game: &str, side: Side, what: &str) -> String {
    let colour = match (game, side) {
        (TIC_TAC_TOE, Side::First) => "x",
        (TIC_TAC_TOE, Side::Second) => "o",
        (_, Side::First) => "white",
        (_, Side::Second) => "red",
    };
    format!("{game}, {colour}, {what}")
}

pub(super) fn opponent_name(opponent: &str) -> &'static str {
    if opponent == "random" { "random moves" } else { "a plain depth-1 player" }
}

/// The paper's numbers beside ours. Of wins, losses and draws the wins count: the others follow.
pub(super) fn publish(result: &mut PaperResult) {
    for index in 0..OPPONENTS.len() {
        let of = |number: usize| (number + index).to_string();
        for (game, cut_off, paper) in STATISTICAL[index] {
            both(result, &of(1), game, &format!("cut-off {cut_off}"), paper);
        }
        for (game, _, playouts, paper) in BINARY[index] {
            both(result, &of(3), game, playouts, paper);
        }
        both(result, &of(5), CONNECT_FOUR, "10 playouts", TERNARY[index]);
    }
}

fn both(result: &mut PaperResult, table: &str, game: &str, what: &str, paper: Published) {
    let Some(table) = result.tables.iter_mut().find(|one| one.id == table) else { return };
    for side in Side::BOTH {
        row(table, &label(game, side, what), paper[side.index()], games(game));
    }
}

fn row(table: &mut Table, label: &str, shares: [f64; 3], games: u64) {
    for (column, percent) in shares.into_iter().enumerate() {
        table.set_paper(label, column, |cell| {
            let cell = cell.paper_share(percent / 100.0, games);
            if column == 0 { cell } else { cell.dependent() }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_shares_sum_to_one() {
        let rows = STATISTICAL.iter().flatten().map(|row| row.2);
        let rows = rows.chain(BINARY.iter().flatten().map(|row| row.3)).chain(TERNARY);
        for shares in rows.flatten() {
            assert!((shares.iter().sum::<f64>() - 100.0).abs() < 0.02, "{shares:?}");
        }
    }
}

//! The tables of the concepts paper, made of the outcomes of all trials.

use ludens_core::Side;
use serde_json::Value;

use super::published::{BINARY, STATISTICAL, label, opponent_name};
use super::{CONNECT_FOUR, OPPONENTS, TIC_TAC_TOE};
use crate::stats::{Test, mean, paired_t};
use crate::{Cell, LabError, Outcomes, Row, Table, Unit};

/// The outcomes of all trials.
pub(super) struct Gathered<'a> {
    pub(super) units: Vec<Unit>,
    pub(super) outcomes: &'a Outcomes,
}

impl Gathered<'_> {
    /// The shares of wins, losses and draws of one player in every trial.
    fn shares(&self, game: &str, key: &str, side: Side, opponent: &str) -> Result<[Vec<f64>; 3], LabError> {
        let mut shares = [Vec::new(), Vec::new(), Vec::new()];
        for unit in self.units.iter().filter(|unit| unit.name.starts_with(game)) {
            let entry: Value = self.outcomes.get_field(&unit.name, key)?;
            let counts: [u64; 3] =
                serde_json::from_value(entry["counts"][format!("{side}-{opponent}")].clone())
                    .map_err(|_| LabError::Outcome { unit: unit.name.clone(), what: key.into() })?;
            let all = counts.iter().sum::<u64>().max(1) as f64;
            (0..3).for_each(|index| shares[index].push(counts[index] as f64 / all));
        }
        Ok(shares)
    }

    /// One row: wins, losses, draws.
    fn row(&self, game: &str, key: &str, label: &str, side: Side, opponent: &str) -> Result<Row, LabError> {
        let cells = self.shares(game, key, side, opponent)?.map(|values| Cell::mean(&values).percent());
        Ok(Row::new(label, cells))
    }

    fn both_sides(
        &self,
        mut table: Table,
        game: &str,
        key: &str,
        what: &str,
        opponent: &str,
    ) -> Result<Table, LabError> {
        for side in Side::BOTH {
            table = table.row(self.row(game, key, &label(game, side, what), side, opponent)?);
        }
        Ok(table)
    }

    pub(super) fn statistical_table(&self, index: usize, opponent: &str) -> Result<Table, LabError> {
        let mut table = Table::new(
            ["1", "2"][index],
            &format!("Heuristics of Algorithm 1 against {}", opponent_name(opponent)),
            &["wins", "losses", "draws"],
        );
        for (game, cut_off, _) in STATISTICAL[index] {
            table = self.both_sides(table, game, cut_off, &format!("cut-off {cut_off}"), opponent)?;
        }
        Ok(table)
    }

    pub(super) fn binary_table(&self, index: usize, opponent: &str) -> Result<Table, LabError> {
        let mut table = Table::new(
            ["3", "4"][index],
            &format!("Heuristics of binary concepts against {}", opponent_name(opponent)),
            &["wins", "losses", "draws"],
        );
        for (game, key, label, _) in BINARY[index] {
            table = self.both_sides(table, game, key, label, opponent)?;
        }
        Ok(table)
    }

    pub(super) fn ternary_table(&self, index: usize, opponent: &str) -> Result<Table, LabError> {
        let table = Table::new(
            ["5", "6"][index],
            &format!("Heuristics of ternary concepts against {}", opponent_name(opponent)),
            &["wins", "losses", "draws"],
        );
        self.both_sides(table, CONNECT_FOUR, "ternary-10", "10 playouts", opponent)
    }

    /// Concepts of three cells against those of two, made of the same number of playouts; the paper compares different numbers.
    pub(super) fn equal_playouts(&self) -> Result<Table, LabError> {
        let title = "Connect Four: three cells minus two, made of the same number of playouts";
        let mut table = Table::new("equal", title, &["wins", "p"]).beyond();
        for playouts in ["10", "100"] {
            for opponent in OPPONENTS {
                for side in Side::BOTH {
                    let wins = |kind: &str| {
                        let key = format!("{kind}-{playouts}");
                        Ok::<_, LabError>(self.shares(CONNECT_FOUR, &key, side, opponent)?[0].clone())
                    };
                    let (two, three) = (wins("binary")?, wins("ternary")?);
                    let difference: Vec<f64> =
                        three.iter().zip(&two).map(|(three, two)| three - two).collect();
                    let p = paired_t(&three, &two).map_or(f64::NAN, |test| test.p);
                    let what = format!("{playouts} playouts, {}", opponent_name(opponent));
                    let cells = [Cell::mean(&difference).percent(), Cell::exact(p)];
                    table = table.row(Row::new(label(CONNECT_FOUR, side, &what), cells));
                }
            }
        }
        Ok(table.note("Means over trials of learning and playing; p by the paired t-test."))
    }

    pub(super) fn beyond_table(&self) -> Result<Table, LabError> {
        let mut table = Table::new("selected", "Patterns chosen by what they say about winning", &["wins", "losses", "draws"])
            .beyond()
            .note("The same playouts as in tables 3 to 6, the relations of tic-tac-toe; the patterns are grown and chosen by likelihood and description length.");
        for (game, key) in
            [(TIC_TAC_TOE, "selected-100"), (CONNECT_FOUR, "selected-10"), (CONNECT_FOUR, "selected-100")]
        {
            for opponent in OPPONENTS {
                for side in Side::BOTH {
                    let label = format!(
                        "{game}, {side}, {} playouts, against {}",
                        &key[9..],
                        opponent_name(opponent)
                    );
                    table = table.row(self.row(game, key, &label, side, opponent)?);
                }
            }
        }
        Ok(table)
    }

    pub(super) fn claims(&self) -> Result<Vec<(String, Test)>, LabError> {
        let mut claims = Vec::new();
        for side in Side::BOTH {
            let wins =
                |key: &str| Ok::<_, LabError>(self.shares(CONNECT_FOUR, key, side, "random")?[0].clone());
            let (plain, binary) = (wins("0")?, wins("binary-100")?);
            let (ternary, selected) = (wins("ternary-10")?, wins("selected-100")?);
            let pairs = [
                (
                    "concepts of tic-tac-toe with 100 playouts win more Connect Four games than no heuristic",
                    &binary,
                    &plain,
                ),
                ("selected patterns win more than all ternary concepts", &selected, &ternary),
                (
                    "selected patterns win more than all binary concepts from the same 100 playouts",
                    &selected,
                    &binary,
                ),
            ];
            for (text, better, worse) in pairs {
                if let Some(test) = paired_t(better, worse) {
                    claims.push((format!("As the {side} player, {text}"), test));
                }
            }
        }
        Ok(claims)
    }

    pub(super) fn summary(&self) -> Result<Vec<String>, LabError> {
        let wins = |key: &str, side: Side| {
            Ok::<_, LabError>(100.0 * mean(&self.shares(CONNECT_FOUR, key, side, "random")?[0]).mean)
        };
        let mut summary = vec![format!(
            "Concepts of tic-tac-toe with 100 playouts of Connect Four win {:.1} % (white) and {:.1} % (red) against random moves; the paper 92.3 % and 69.4 %.",
            wins("binary-100", Side::First)?,
            wins("binary-100", Side::Second)?
        )];
        summary.push(format!(
            "Chosen by what they say about winning, patterns along the same relations win {:.1} % and {:.1} %.",
            wins("selected-100", Side::First)?,
            wins("selected-100", Side::Second)?
        ));
        if let Some(unit) = self.units.iter().find(|unit| unit.name.starts_with(CONNECT_FOUR)) {
            let entry: Value = self.outcomes.get_field(&unit.name, "selected-100")?;
            let patterns: Vec<String> = serde_json::from_value(entry["patterns"].clone()).unwrap_or_default();
            summary.push(format!("What it found in the first trial: {}.", patterns.join("; ")));
        }
        Ok(summary)
    }
}

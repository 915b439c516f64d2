//! The tables of the concepts paper, made of the outcomes of all trials.

use ludens_arena::stats::student_quantile;
use ludens_core::Side;
use serde_json::Value;

use super::published::{BINARY, Published, STATISTICAL, TERNARY};
use super::{CONNECT_FOUR, LAST, OPPONENTS, TIC_TAC_TOE};
use crate::stats::{Test, mean, normal_quantile, paired_t};
use crate::{Agreement, Cell, LabError, Outcomes, Row, Table, Unit};

/// The outcomes of all trials.
pub(super) struct Gathered<'a> {
    pub(super) units: Vec<Unit>,
    pub(super) outcomes: &'a Outcomes,
    pub(super) games_in_paper: [u64; 2],
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

    /// One row: wins, losses, draws, beside the paper's.
    fn row(
        &self,
        game: &str,
        key: &str,
        label: &str,
        side: Side,
        opponent: &str,
        paper: Option<[f64; 3]>,
    ) -> Result<Row, LabError> {
        let games = self.games_in_paper[usize::from(game == CONNECT_FOUR)] as f64;
        let cells = self.shares(game, key, side, opponent)?.into_iter().enumerate().map(|(index, values)| {
            let ours = mean(&values);
            let cell = Cell::of_mean(ours).percent();
            match paper.map(|shares| shares[index] / 100.0) {
                // One more trial of as many games: the spread between our trials holds that of their games. It is known from a few trials
                // only, so that its limit is Student's.
                Some(share) => {
                    let chance = (share * (1.0 - share)).max(0.5 / games) / games;
                    let freedom = ours.count.saturating_sub(1).max(1) as f64;
                    let wider = student_quantile(0.995, freedom) / normal_quantile(0.995);
                    cell.paper_mean(share, wider * chance.sqrt().max(ours.deviation), 1)
                }
                None => cell,
            }
        });
        Ok(Row::new(label, cells.collect::<Vec<Cell>>()))
    }

    fn both_sides(
        &self,
        mut table: Table,
        game: &str,
        key: &str,
        label: &str,
        opponent: &str,
        paper: Published,
    ) -> Result<Table, LabError> {
        for side in Side::BOTH {
            let colour = match (game, side) {
                (TIC_TAC_TOE, Side::First) => "x",
                (TIC_TAC_TOE, Side::Second) => "o",
                (_, Side::First) => "white",
                (_, Side::Second) => "red",
            };
            let label = format!("{game}, {colour}, {label}");
            table = table.row(self.row(game, key, &label, side, opponent, Some(paper[side.index()]))?);
        }
        Ok(table)
    }

    pub(super) fn statistical_table(&self, index: usize, opponent: &str) -> Result<Table, LabError> {
        let mut table = Table::new(
            ["1", "2"][index],
            &format!("Heuristics of Algorithm 1 against {}", opponent_name(opponent)),
            &["wins", "losses", "draws"],
        );
        for (game, cut_off, paper) in STATISTICAL[index] {
            table = self.both_sides(table, game, cut_off, &format!("cut-off {cut_off}"), opponent, paper)?;
        }
        Ok(table)
    }

    pub(super) fn binary_table(&self, index: usize, opponent: &str) -> Result<Table, LabError> {
        let mut table = Table::new(
            ["3", "4"][index],
            &format!("Heuristics of binary concepts against {}", opponent_name(opponent)),
            &["wins", "losses", "draws"],
        );
        for (game, key, label, paper) in BINARY[index] {
            table = self.both_sides(table, game, key, label, opponent, paper)?;
        }
        Ok(table)
    }

    pub(super) fn ternary_table(&self, index: usize, opponent: &str) -> Result<Table, LabError> {
        let table = Table::new(
            ["5", "6"][index],
            &format!("Heuristics of ternary concepts against {}", opponent_name(opponent)),
            &["wins", "losses", "draws"],
        );
        self.both_sides(table, CONNECT_FOUR, "ternary-10", "10 playouts", opponent, TERNARY[index])
    }

    /// Tables 3 to 6 again, by the second reading of Algorithm 3.
    pub(super) fn second_reading(&self) -> Result<Table, LabError> {
        let mut table = Table::new(
            "last",
            "Tables 3 to 6 read otherwise: empty cells are facts, only the last positions of playouts count",
            &["wins", "losses", "draws"],
        )
        .beyond();
        for (index, opponent) in OPPONENTS.iter().enumerate() {
            for (game, key, label, paper) in BINARY[index] {
                let (key, label) =
                    (format!("{key}{LAST}"), format!("two cells, {label}, {}", opponent_name(opponent)));
                table = self.both_sides(table, game, &key, &label, opponent, paper)?;
            }
            let (key, label) = (
                format!("ternary-10{LAST}"),
                format!("three cells, 10 playouts, {}", opponent_name(opponent)),
            );
            table = self.both_sides(table, CONNECT_FOUR, &key, &label, opponent, TERNARY[index])?;
        }
        Ok(table)
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
                    table = table.row(self.row(game, key, &label, side, opponent, None)?);
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
                    "concepts of tic-tac-toe help in Connect Four (100 playouts, against no heuristic)",
                    &binary,
                    &plain,
                ),
                (
                    "larger patterns help instead of harming when selected (against all ternary concepts)",
                    &selected,
                    &ternary,
                ),
                ("the selection beats all binary concepts from the same 100 playouts", &selected, &binary),
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

/// How many cells of tables 3 to 6 are met by one reading or the other.
pub(super) fn second_chance(tables: &[Table]) -> Option<String> {
    let cells = |wanted: &dyn Fn(&Table) -> bool| -> Vec<bool> {
        let rows = tables.iter().filter(|table| wanted(table)).flat_map(|table| &table.rows);
        rows.flat_map(|row| &row.cells).map(|cell| cell.agreement() == Agreement::Inside).collect()
    };
    let second = cells(&|table| table.id == "last");
    // The second table has the opponents in turn: tables 3 and 5, then 4 and 6.
    let first: Vec<bool> =
        ["3", "5", "4", "6"].iter().flat_map(|id| cells(&|table| table.id == *id)).collect();
    let count = |met: &dyn Fn(usize) -> bool| (0..second.len()).filter(|&cell| met(cell)).count();
    (first.len() == second.len()).then(|| {
        format!(
            "Of the {} cells of tables 3 to 6, {} are met by our reading, {} when empty cells are facts and only last positions count, {} by one of the two.",
            second.len(),
            count(&|cell| first[cell]),
            count(&|cell| second[cell]),
            count(&|cell| first[cell] || second[cell]),
        )
    })
}

fn opponent_name(opponent: &str) -> &'static str {
    if opponent == "random" { "random moves" } else { "a plain depth-1 player" }
}

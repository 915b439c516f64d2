//! What the concepts paper says, judged by tables 1 to 6.

use ludens_core::Side;

use super::published::label;
use super::{CONNECT_FOUR, TIC_TAC_TOE, readings};
use crate::claims::{Judge, Part, Says};
use crate::{PaperClaim, PaperResult, Row};

/// "Enough to compete": at most two points behind.
const COMPETES: f64 = 0.02;

/// The same value: the error of a share in the paper's one run of 10,000 playouts is near one point, twice that.
const NEAR: f64 = 0.02;

/// A player of the tables: table, game, side, what plays.
type Who<'a> = (&'a str, &'a str, Side, &'a str);

struct Players<'a> {
    judge: Judge<'a>,
}

impl Players<'_> {
    /// Wins of one minus wins of another.
    fn part(&self, one: Who, two: Who) -> Part {
        let cell = |(table, game, side, what): Who| self.judge.cell(table, &label(game, side, what), 0);
        let side = label(one.1, one.2, "").trim_end_matches(", ").to_string();
        let opponent = if ["1", "3", "5"].contains(&one.0) { "random" } else { "depth 1" };
        let name = format!("{side}: {} − {}, against {opponent}", one.3, two.3);
        Part::new(name, self.judge.together(cell(one), cell(two)))
    }
}

pub(super) fn claims(result: &PaperResult) -> Vec<PaperClaim> {
    let trials = result.cell("1", &label(TIC_TAC_TOE, Side::First, "cut-off 0"), 0).map_or(0, |c| c.trials);
    let seeds = format!("{trials} trials of learning and playing");
    let mut players = Players { judge: Judge::new(result) };
    for (table, opponent) in [("1", "random moves"), ("2", "a plain depth-1 player")] {
        let parts = rising(&players, table);
        let sentence = format!(
            "The share of wins against {opponent} rises with the cut-off: the largest beats cut-offs 0 and 1, in both games and colours"
        );
        players.judge.shares(&sentence, Says::Above(0.0), parts, &seeds);
    }
    quoted(&mut players.judge, result);
    tic_tac_toe(&mut players, &seeds);
    connect_four(&mut players, &seeds);
    players.judge.finish()
}

/// By our reading; beside it, which of the others keeps both.
fn quoted(judge: &mut Judge, result: &PaperResult) {
    const SENTENCE: &str = "Two quoted rules are in the heuristics of tic-tac-toe";
    let rows = result.tables.iter().filter(|table| table.id == readings::TABLE).flat_map(|table| &table.rows);
    let kept = |row: &Row| {
        readings::KEPT.map(|column| row.cells.get(column).and_then(|cell| cell.ours).unwrap_or(0.0))
    };
    let always = |row: &Row| kept(row).iter().all(|share| *share == 1.0);
    let Some(ours) = rows.clone().find(|row| row.label == readings::OURS) else {
        return judge.unjudged(SENTENCE, "which rules enter is not kept in the result");
    };
    let others: Vec<&str> = rows.filter(|row| always(row)).map(|row| row.label.as_str()).collect();
    let others = if others.is_empty() { "no reading".into() } else { others.join(", ") };
    let [two, three] = kept(ours);
    let figure = format!(
        "ours keeps them in {:.0} % and {:.0} % of the trials; always kept by {others}",
        100.0 * two,
        100.0 * three
    );
    let trials = ours.cells.get(readings::KEPT[0]).map_or(0, |cell| cell.trials);
    judge.counted(
        SENTENCE,
        "both are kept in every trial of our reading",
        always(ours),
        figure,
        &format!("{trials} trials"),
    );
    let parts = readings::VALUES.map(|(column, name, value)| {
        let cell = ours.cells.get(column);
        Part::new(format!("{name} − {value}"), judge.against(cell, value))
    });
    judge.numbers(
        "The values of the two quoted rules are .238 and .237",
        Says::Within(NEAR),
        parts.into(),
        &format!("{trials} trials"),
    );
}

/// The largest cut-off of each game against 0 and 1, as the paper's own numbers have it.
fn rising(players: &Players, table: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for (game, largest) in [(TIC_TAC_TOE, "cut-off 3"), (CONNECT_FOUR, "cut-off 2")] {
        for side in Side::BOTH {
            for smaller in ["cut-off 0", "cut-off 1"] {
                parts.push(players.part((table, game, side, largest), (table, game, side, smaller)));
            }
        }
    }
    parts
}

fn tic_tac_toe(players: &mut Players, seeds: &str) {
    let against = |players: &Players, cut_off: &str| -> Vec<Part> {
        let pairs = [("3", "1"), ("4", "2")].into_iter();
        pairs
            .flat_map(|(binary, plain)| Side::BOTH.map(|side| (binary, plain, side)))
            .map(|(binary, plain, side)| {
                players
                    .part((binary, TIC_TAC_TOE, side, "10,000 playouts"), (plain, TIC_TAC_TOE, side, cut_off))
            })
            .collect()
    };
    let parts = against(players, "cut-off 0");
    players.judge.shares(
        "Tic-tac-toe: heuristics of concepts win more than no heuristic, with both colours",
        Says::Above(0.0),
        parts,
        seeds,
    );
    let parts = against(players, "cut-off 3");
    players.judge.shares(
        "Tic-tac-toe: they win less than the heuristics of three facts (cut-off 3)",
        Says::Below(0.0),
        parts,
        seeds,
    );
}

fn connect_four(players: &mut Players, seeds: &str) {
    let pair = |players: &Players, side: Side, ours: (&str, &str), other: &str| -> Vec<Part> {
        let tables = if ours.0 == "binary" { [("3", "1"), ("4", "2")] } else { [("5", "1"), ("6", "2")] };
        tables
            .map(|(one, two)| {
                players.part((one, CONNECT_FOUR, side, ours.1), (two, CONNECT_FOUR, side, other))
            })
            .into()
    };
    let (white, red) = (Side::First, Side::Second);
    for (playouts, other, words) in
        [("10 playouts", "cut-off 1", "one fact"), ("100 playouts", "cut-off 2", "two facts")]
    {
        let parts = pair(players, white, ("binary", playouts), other);
        let sentence = format!(
            "Connect Four, white: concepts of tic-tac-toe and {playouts} compete with heuristics of {words} (at most two points behind)"
        );
        players.judge.shares(&sentence, Says::Above(-COMPETES), parts, seeds);
    }
    let parts = ["10 playouts", "100 playouts"]
        .map(|playouts| {
            let (one, two) = (("3", CONNECT_FOUR, red, playouts), ("1", CONNECT_FOUR, red, "cut-off 0"));
            players.part(one, two)
        })
        .into();
    players.judge.shares(
        "Connect Four, red: the result is not good, fewer wins against random moves than without a heuristic",
        Says::Below(0.0),
        parts,
        seeds,
    );
    let parts = pair(players, white, ("ternary", "10 playouts"), "cut-off 0");
    players.judge.shares(
        "Connect Four, white: ternary concepts win less than no heuristic",
        Says::Below(0.0),
        parts,
        seeds,
    );
}

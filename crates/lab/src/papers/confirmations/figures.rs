//! Which figures of ours there are, what they rest on, and which cannot be had again here.

use serde_json::Value;

use crate::stats::regression_in_time;

/// Units that belong together and are timed together.
#[derive(Debug)]
pub struct Group {
    pub id: &'static str,
    /// The experiment they are units of.
    pub paper: &'static str,
    /// What their names begin with.
    pub units: &'static [&'static str],
    /// How many seeds, where the experiment's own number would take too long.
    pub seeds: Option<u32>,
}

impl Group {
    pub fn takes(&self, unit: &str) -> bool {
        self.units.iter().any(|start| unit.starts_with(start))
    }

    /// The command that measures it by itself.
    pub fn command(&self, scale: &str, seed: u64) -> String {
        let seeds = self.seeds.map(|seeds| format!(" --seeds {seeds}")).unwrap_or_default();
        let units: Vec<String> = self.units.iter().map(|start| format!("{start}…")).collect();
        format!(
            "ludens reproduce {} --scale {scale} --seed {seed}{seeds} --unit {}",
            self.paper,
            units.join(", ")
        )
    }
}

const fn group(id: &'static str, paper: &'static str, units: &'static [&'static str]) -> Group {
    Group { id, paper, units, seeds: None }
}

/// Those that are measured together.
pub static GROUPS: [Group; 9] = [
    group("nhb-connect-four", "nhb", &["strength/connect-four/"]),
    group("actr", "actr", &["published/"]),
    group("actr-improved", "actr", &["improved/"]),
    group("actr-rehearsed", "actr", &["rehearsed/"]),
    group("td", "actr", &["td"]),
    group("concepts", "concepts", &["connect-four/trial-"]),
    group("coevolution-improved", "coevolution", &["improved/depth-2/"]),
    Group { seeds: Some(10), ..group("coevolution", "coevolution", &["paper/depth-2/"]) },
    Group { seeds: Some(2), ..group("contexts", "contexts", &["S4/set-", "moves-four/set-"]) },
];

/// As dear as all of the others together: a result of its own.
pub static LEAGUE: [Group; 1] = [group("nhb-league", "nhb", &["strength/league/"])];

/// A figure of ours.
#[derive(Debug)]
pub struct Figure {
    pub name: &'static str,
    pub group: &'static str,
    /// Which of its units, by what their names begin with.
    pub unit: &'static str,
    /// Where the claimed value stands: table, row, column of the paper's committed result.
    pub claimed: (&'static str, &'static str, usize),
    /// What chose the setting.
    pub chosen: &'static str,
    /// The mean that is asked for, and what no training may fall below.
    pub floor: Option<(f64, f64)>,
    /// Less of it is better.
    pub less: bool,
    pub value: fn(&Value) -> Option<f64>,
}

impl Figure {
    pub fn is_of(&self, unit: &str) -> bool {
        unit.starts_with(self.unit)
    }
}

/// What may have chosen a setting.
const PUBLISHED: &str = "nothing: as published";
const SEED_1: &str = "seed 1; claimed is seed 2";
const EARLIER: &str = "earlier trials, not kept";

pub static FIGURES: [Figure; 16] = [
    Figure {
        name: "nhb-improved, Connect Four: won against untrained opponents",
        group: "nhb-connect-four",
        unit: "strength/",
        claimed: ("strength", "Connect Four, wins against untrained opponents, 500 states", 0),
        chosen: EARLIER,
        floor: None,
        less: false,
        value: |value| share(last(value, "tallies")?),
    },
    Figure {
        name: "nhb-improved, Reversi: one-ply points against the standard weights",
        group: "nhb-league",
        unit: "strength/",
        claimed: ("league", "the league's standard weights", 0),
        chosen: "seeds 901 and after",
        floor: Some((0.78, 0.74)),
        less: false,
        value: |value| points(last(value, "tallies")?),
    },
    Figure {
        name: "contexts, S4 as published: best move first",
        group: "contexts",
        unit: "S4/",
        claimed: ("2", "S4", 0),
        chosen: PUBLISHED,
        floor: None,
        less: false,
        value: |value| value.pointer("/test/places/0")?.as_f64(),
    },
    Figure {
        name: "ranker, four added up: best move first",
        group: "contexts",
        unit: "moves-four/",
        claimed: ("beyond", "moves-four", 0),
        chosen: EARLIER,
        floor: None,
        less: false,
        value: |value| value.pointer("/test/places/0")?.as_f64(),
    },
    Figure {
        name: "ranker, four added up: any best move first",
        group: "contexts",
        unit: "moves-four/",
        claimed: ("beyond", "moves-four", 8),
        chosen: EARLIER,
        floor: None,
        less: false,
        value: |value| value.pointer("/test/any_best")?.as_f64(),
    },
    Figure {
        name: "ranker, four added up: best move last",
        group: "contexts",
        unit: "moves-four/",
        claimed: ("beyond", "moves-four", 6),
        chosen: EARLIER,
        floor: None,
        less: true,
        value: |value| value.pointer("/test/places/6")?.as_f64(),
    },
    Figure {
        name: "coevolution as read here: slope of points over publications",
        group: "coevolution",
        unit: "paper/",
        claimed: ("figure 5", "as read here, depth 2", 2),
        chosen: "seeds 100 and 101",
        floor: None,
        less: false,
        value: slope,
    },
    Figure {
        name: "coevolution-improved: points against alpha-beta of equal depth with the hand heuristic",
        group: "coevolution-improved",
        unit: "improved/",
        claimed: ("strength", "coevolution-improved, depth 2", 2),
        chosen: EARLIER,
        floor: None,
        less: false,
        value: |value| points(value.get("hand")?),
    },
    concepts(
        "concepts, Connect Four first, from tic-tac-toe, 100 playouts, against random: won",
        "3",
        FIRST.0,
        |value| won(value, "binary-100", "first-random"),
    ),
    concepts("concepts, Connect Four second, the same: won", "3", SECOND.0, |value| {
        won(value, "binary-100", "second-random")
    }),
    concepts("concepts-selected, Connect Four first, the same: won", "selected", FIRST.1, |value| {
        won(value, "selected-100", "first-random")
    }),
    concepts("concepts-selected, Connect Four second, the same: won", "selected", SECOND.1, |value| {
        won(value, "selected-100", "second-random")
    }),
    actr("actr as published: won against pubeval", "actr", "ACT-R-Gammon, mean of the runs", EARLIER),
    actr(
        "actr-improved, under 50 chunks: won against pubeval",
        "actr-improved",
        "ours, 48 expert features (actr-improved)",
        EARLIER,
    ),
    actr(
        "actr-rehearsed, 1,000 games: won against pubeval",
        "actr-rehearsed",
        "ours, 1,000 games rehearsed (actr-rehearsed)",
        EARLIER,
    ),
    actr("TD(λ): won against pubeval", "td", "TD(λ) network", EARLIER),
];

const FIRST: (&str, &str) =
    ("connect-four, white, 100 playouts", "connect-four, first, 100 playouts, against random moves");
const SECOND: (&str, &str) =
    ("connect-four, red, 100 playouts", "connect-four, second, 100 playouts, against random moves");

const fn concepts(
    name: &'static str,
    table: &'static str,
    row: &'static str,
    value: fn(&Value) -> Option<f64>,
) -> Figure {
    let claimed = (table, row, 0);
    Figure {
        name,
        group: "concepts",
        unit: "connect-four/",
        claimed,
        chosen: SEED_1,
        floor: None,
        less: false,
        value,
    }
}

const fn actr(name: &'static str, group: &'static str, row: &'static str, chosen: &'static str) -> Figure {
    let value = |value: &Value| share(value.get("test")?);
    Figure { name, group, unit: "", claimed: ("1", row, 0), chosen, floor: None, less: false, value }
}

/// Figures that no fresh seed can confirm here, and why.
pub const NOT_CONFIRMED: [(&str, &str); 4] = [
    (
        "the ranker as shipped, and the outcomes it keeps on published positions",
        "nothing is trained again: [measured](measured.md) on positions that nobody trained on, but one model of one training, which takes longer than the rest of this table",
    ),
    (
        "S1 to S4 trained as long as the text says",
        "three sets of positions in the committed result; ten need more than ten minutes of CPU time for the labels alone",
    ),
    (
        "the player of GDL games against Sancho",
        "a Java program of others, which is not in this repository; a match takes hours",
    ),
    (
        "foretelling people",
        "there are no other people in the published file; [measured](measured.md) from one half of them for the other",
    ),
];

fn last<'v>(value: &'v Value, list: &str) -> Option<&'v Value> {
    value.get(list)?.as_array()?.last()
}

fn counts(tally: &Value) -> Option<[f64; 3]> {
    let count = |name: &str| tally.get(name)?.as_f64();
    Some([count("wins")?, count("draws")?, count("losses")?])
}

/// The share won.
fn share(tally: &Value) -> Option<f64> {
    let [wins, draws, losses] = counts(tally)?;
    Some(wins / (wins + draws + losses))
}

/// A draw counts a half.
fn points(tally: &Value) -> Option<f64> {
    let [wins, draws, losses] = counts(tally)?;
    Some((wins + draws / 2.0) / (wins + draws + losses))
}

/// Where a single training stands for all: its games won, and all of them.
pub fn share_of(value: &Value) -> Option<(u64, u64)> {
    let [wins, draws, losses] = counts(value.get("test")?)?;
    Some((wins as u64, (wins + draws + losses) as u64))
}

fn won(value: &Value, player: &str, games: &str) -> Option<f64> {
    let counts = value.get(player)?.get("counts")?.get(games)?.as_array()?;
    let counts: Vec<f64> = counts.iter().filter_map(Value::as_f64).collect();
    Some(counts.first()? / counts.iter().sum::<f64>())
}

/// Of the line through the points of the published players, in the order of publication.
fn slope(value: &Value) -> Option<f64> {
    let points = value.get("points")?.as_array()?.iter().filter_map(Value::as_f64);
    let points: Vec<(f64, f64)> = (1..).map(f64::from).zip(points).collect();
    regression_in_time(&points).map(|line| line.slope)
}

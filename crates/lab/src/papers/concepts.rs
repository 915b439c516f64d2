//! Paper 003: explicit concepts from random playouts. Tables 1 to 6, and what a better selection makes of them.
//!
//! A unit learns everything anew from its own playouts and plays all the games of one game (tic-tac-toe or Connect Four): the
//! spread between units is the spread between trials, which the paper, with one trial, could not show.

use std::sync::Arc;

use ludens_core::{Ctx, Game, GameVisitor, Meter, Mind, Rng, Side, Turn};
use ludens_games::tictactoe::TicTacToe;
use ludens_learners::concepts::{
    Concept, ConceptPlayer, Kind, concepts_of_game, experience, learn, transferable,
};
use ludens_search::{DepthOne, Random};
use serde_json::{Map, Value, json};

use crate::stats::{Test, mean, paired_t};
use crate::{
    About, Cell, Experiment, LabError, Outcomes, PaperResult, Plan, Row, Scale, Table, Unit, UnitCtx,
};

#[derive(Debug)]
pub struct Concepts;

const TIC_TAC_TOE: &str = "tic-tac-toe";
const CONNECT_FOUR: &str = "connect-four";
const OPPONENTS: [&str; 2] = ["random", "depth1"];

/// A player of the tables: its kind, whose concepts, how many playouts; the key of its results.
#[derive(Clone, Copy)]
struct Entry {
    key: &'static str,
    kind: Kind,
    playouts: fn(Scale) -> usize,
}

fn fixed_10(_: Scale) -> usize {
    10
}

fn fixed_100(_: Scale) -> usize {
    100
}

/// Tic-tac-toe is played by players made from 10,000 playouts won by each side, Connect Four by players made from 1,000.
const TIC_TAC_TOE_ENTRIES: [Entry; 6] = [
    Entry { key: "0", kind: Kind::Plain, playouts: |_| 1 },
    Entry { key: "1", kind: Kind::Subsets(1), playouts: |scale| scale.pick(200, 10_000, 10_000) },
    Entry { key: "2", kind: Kind::Subsets(2), playouts: |scale| scale.pick(200, 10_000, 10_000) },
    Entry { key: "3", kind: Kind::Subsets(3), playouts: |scale| scale.pick(200, 10_000, 10_000) },
    Entry { key: "binary", kind: Kind::Binary, playouts: |scale| scale.pick(200, 10_000, 10_000) },
    Entry { key: "selected-100", kind: Kind::Selected, playouts: fixed_100 },
];

const CONNECT_FOUR_ENTRIES: [Entry; 8] = [
    Entry { key: "0", kind: Kind::Plain, playouts: |_| 1 },
    Entry { key: "1", kind: Kind::Subsets(1), playouts: |scale| scale.pick(50, 1_000, 1_000) },
    Entry { key: "2", kind: Kind::Subsets(2), playouts: |scale| scale.pick(50, 1_000, 1_000) },
    Entry { key: "binary-10", kind: Kind::Binary, playouts: fixed_10 },
    Entry { key: "binary-100", kind: Kind::Binary, playouts: fixed_100 },
    Entry { key: "ternary-10", kind: Kind::Ternary, playouts: fixed_10 },
    Entry { key: "selected-10", kind: Kind::Selected, playouts: fixed_10 },
    Entry { key: "selected-100", kind: Kind::Selected, playouts: fixed_100 },
];

fn entries(game: &str) -> &'static [Entry] {
    if game == TIC_TAC_TOE { &TIC_TAC_TOE_ENTRIES } else { &CONNECT_FOUR_ENTRIES }
}

impl Experiment for Concepts {
    fn about(&self) -> About {
        About {
            id: "concepts",
            title: "Explicit concepts from general games",
            citation: "Paper 003: automated extraction of explicit concepts from general games by playouts",
        }
    }

    fn units(&self, plan: &Plan) -> Vec<Unit> {
        let trials = plan.seeds_or(plan.scale.pick(1, 4, 10));
        (0..trials)
            .flat_map(|trial| {
                [TIC_TAC_TOE, CONNECT_FOUR].map(|game| plan.unit(format!("{game}/trial-{trial}")))
            })
            .collect()
    }

    fn run_unit(&self, plan: &Plan, unit: &Unit, ctx: &UnitCtx) -> Result<Value, LabError> {
        let game = if unit.name.starts_with(TIC_TAC_TOE) { TIC_TAC_TOE } else { CONNECT_FOUR };
        // Section 4: the concepts always come from tic-tac-toe; only the general ones mean something elsewhere.
        let source = plan.scale.pick(500, 10_000, 10_000);
        let (binary, vocabulary) = concepts_of_game(&TicTacToe, source, &mut Rng::stream(ctx.seed(), 0));
        let named = binary.len();
        let words: Vec<String> = binary.iter().map(|concept| concept.words(&vocabulary)).collect();
        let binary = if game == TIC_TAC_TOE { binary } else { transferable(&binary) };
        let games = match (plan.scale, game) {
            (Scale::Smoke, _) => 20,
            (Scale::Quick, TIC_TAC_TOE) => 2_000,
            (Scale::Quick, _) => 400,
            (Scale::Paper, TIC_TAC_TOE) => 10_000,
            (Scale::Paper, _) => 1_000,
        };
        let mut outcome = Map::new();
        for (index, entry) in entries(game).iter().enumerate() {
            ctx.go_on()?;
            ctx.progress(index as f64 / entries(game).len() as f64, entry.key);
            let trial = Trial { entry, plan, binary: &binary, seed: ctx.seed(), games };
            outcome.insert(entry.key.into(), ludens_learners::open::with_game(game, trial)?);
        }
        outcome.insert(
            "concepts".into(),
            json!({ "all": named, "general": transferable(&binary).len(), "words": words }),
        );
        Ok(Value::Object(outcome))
    }

    fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
        let gathered = Gathered { units: self.units(plan), outcomes, games_in_paper: [10_000, 1_000] };
        let mut result = PaperResult::new(self.about(), plan);
        for (index, opponent) in OPPONENTS.iter().enumerate() {
            result.tables.push(gathered.statistical_table(index, opponent)?);
        }
        for (index, opponent) in OPPONENTS.iter().enumerate() {
            result.tables.push(gathered.binary_table(index, opponent)?);
        }
        for (index, opponent) in OPPONENTS.iter().enumerate() {
            result.tables.push(gathered.ternary_table(index, opponent)?);
        }
        result.tables.push(gathered.beyond_table()?);
        result.claim_family(gathered.claims()?);
        result.summary = gathered.summary()?;
        result.deviations = DEVIATIONS.iter().map(|text| text.to_string()).collect();
        result.commands.push("ludens concepts connect-four --from tic-tac-toe --html concepts.html".into());
        Ok(result)
    }
}

const DEVIATIONS: [&str; 6] = [
    "Facts are the marked cells. Counting empty cells as facts as well gives Algorithm 1 a top tenth of nothing but emptiness, none of which is in the paper's quoted rules; we tried it and it plays worse than no heuristic at all.",
    "The top 10 % of Algorithm 1 are taken from the rules of all sizes up to the cut-off together, rounded up.",
    "The counter of Algorithm 1 runs over every position of a playout, the final one included; both quoted values come out so.",
    "Concepts (section 4) are made from the rules of cut-off 3 of both players.",
    "The paper shows one trial. Which rules enter the top tenth changes from trial to trial, so we repeat the learning in every trial and give the mean; a paper's cell counts as inside when it is within the joint 99 % interval of one more such trial.",
    "The native games are used; the machine made from our GDL rules of both games is equal move for move (tests of crates/gdl).",
];

/// Learns one player from its own playouts and plays both colours against both opponents.
struct Trial<'a> {
    entry: &'a Entry,
    plan: &'a Plan,
    binary: &'a [Concept],
    seed: u64,
    games: u64,
}

impl GameVisitor for Trial<'_> {
    type Out = Value;

    fn visit<G: Game>(self, game: Arc<G>) -> Value {
        let vocabulary = self.entry.kind.vocabulary(&*game);
        let playouts = (self.entry.playouts)(self.plan.scale);
        let seen = experience(&*game, &vocabulary, playouts, &mut Rng::stream(self.seed, 1));
        let learnt = learn(self.entry.kind, self.binary, &seen, &vocabulary);
        let mut player = learnt.player;
        let mut counts = Map::new();
        for (number, opponent) in OPPONENTS.iter().enumerate() {
            for side in Side::BOTH {
                let stream = 2 + 2 * number as u64 + side.index() as u64;
                let tally = match_up(
                    &*game,
                    &mut player,
                    side,
                    number == 1,
                    self.games,
                    Rng::stream(self.seed, stream),
                );
                counts.insert(format!("{side}-{opponent}"), json!(tally));
            }
        }
        let patterns: Vec<String> = learnt
            .chosen
            .iter()
            .map(|chosen| {
                format!("{:+.2} {} {}", chosen.weight, chosen.feature.picture(), chosen.feature.name())
            })
            .collect();
        json!({ "counts": counts, "rules": player.rules[0].rules().len(), "patterns": patterns })
    }
}

/// Wins, losses and draws of the player as `side`.
pub fn match_up<G: Game>(
    game: &G,
    player: &mut ConceptPlayer,
    side: Side,
    depth_one: bool,
    games: u64,
    mut rng: Rng,
) -> [u64; 3] {
    let mut tally = [0; 3];
    for _ in 0..games {
        let mut state = game.start();
        let score = loop {
            let mut meter = Meter::unlimited();
            match game.turn(&state) {
                Turn::Over(score) => break score.of(side),
                Turn::Chance => break 0.0,
                Turn::Player(mover) => {
                    let mut ctx = Ctx::new(&mut rng, &mut meter);
                    let mv = match (mover == side, depth_one) {
                        (true, _) => player.choose(game, &state, &mut ctx),
                        (false, true) => DepthOne.choose(game, &state, &mut ctx),
                        (false, false) => Random.choose(game, &state, &mut ctx),
                    };
                    game.apply(&mut state, mv);
                }
            }
        };
        tally[if score > 0.0 {
            0
        } else if score < 0.0 {
            1
        } else {
            2
        }] += 1;
    }
    tally
}

/// The outcomes of all trials.
struct Gathered<'a> {
    units: Vec<Unit>,
    outcomes: &'a Outcomes,
    games_in_paper: [u64; 2],
}

/// The paper's win, lose and draw shares for the first and the second player, in percent.
type Published = [[f64; 3]; 2];

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
                // One more trial: its own spread and that of its games.
                Some(share) => {
                    let chance = (share * (1.0 - share)).max(0.5 / games) / games;
                    cell.paper_mean(share, (chance + ours.deviation.powi(2)).sqrt(), 1)
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

    fn statistical_table(&self, index: usize, opponent: &str) -> Result<Table, LabError> {
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

    fn binary_table(&self, index: usize, opponent: &str) -> Result<Table, LabError> {
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

    fn ternary_table(&self, index: usize, opponent: &str) -> Result<Table, LabError> {
        let table = Table::new(
            ["5", "6"][index],
            &format!("Heuristics of ternary concepts against {}", opponent_name(opponent)),
            &["wins", "losses", "draws"],
        );
        self.both_sides(table, CONNECT_FOUR, "ternary-10", "10 playouts", opponent, TERNARY[index])
    }

    fn beyond_table(&self) -> Result<Table, LabError> {
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

    fn claims(&self) -> Result<Vec<(String, Test)>, LabError> {
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

    fn summary(&self) -> Result<Vec<String>, LabError> {
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

fn opponent_name(opponent: &str) -> &'static str {
    if opponent == "random" { "random moves" } else { "a plain depth-1 player" }
}

/// Tables 1 and 2.
const STATISTICAL: [[(&str, &str, Published); 7]; 2] = [
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
const BINARY: [[(&str, &str, &str, Published); 3]; 2] = [
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
const TERNARY: [Published; 2] =
    [[[72.7, 27.3, 0.0], [71.7, 28.3, 0.0]], [[39.7, 60.3, 0.0], [37.8, 62.2, 0.0]]];

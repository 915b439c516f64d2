//! Explicit concepts from random playouts. Tables 1 to 6, and what a better selection makes of them.
//!
//! A unit learns everything anew from its own playouts and plays all the games of one game (tic-tac-toe or Connect Four): the
//! spread between units is the spread between trials, which the paper, with one trial, could not show.

use ludens_core::{Ctx, Game, Meter, MindError, Rng, Side, Stop, Tally, decide, play_on};
use ludens_games::connect_four::ConnectFour;
use ludens_games::tictactoe::TicTacToe;
use ludens_learners::citations;
use ludens_learners::concepts::{
    Concept, ConceptPlayer, Kind, concepts_of_game, experience, learn, transferable, vocabulary,
};
use ludens_search::{DepthOne, Random};
use serde_json::{Map, Value, json};

use crate::{About, Experiment, LabError, Outcomes, PaperClaim, PaperResult, Plan, Scale, Unit, UnitCtx};

mod claims;
mod published;
mod readings;
mod tables;
use tables::Gathered;

/// The players of explicit concepts.
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

const CONNECT_FOUR_ENTRIES: [Entry; 9] = [
    Entry { key: "0", kind: Kind::Plain, playouts: |_| 1 },
    Entry { key: "1", kind: Kind::Subsets(1), playouts: |scale| scale.pick(50, 1_000, 1_000) },
    Entry { key: "2", kind: Kind::Subsets(2), playouts: |scale| scale.pick(50, 1_000, 1_000) },
    Entry { key: "binary-10", kind: Kind::Binary, playouts: fixed_10 },
    Entry { key: "binary-100", kind: Kind::Binary, playouts: fixed_100 },
    Entry { key: "ternary-10", kind: Kind::Ternary, playouts: fixed_10 },
    Entry { key: "ternary-100", kind: Kind::Ternary, playouts: fixed_100 },
    Entry { key: "selected-10", kind: Kind::Selected, playouts: fixed_10 },
    Entry { key: "selected-100", kind: Kind::Selected, playouts: fixed_100 },
];

fn entries(game: &str) -> &'static [Entry] {
    if game == TIC_TAC_TOE { &TIC_TAC_TOE_ENTRIES } else { &CONNECT_FOUR_ENTRIES }
}

impl Experiment for Concepts {
    fn about(&self) -> About {
        About { id: "concepts", title: "Explicit concepts from general games", citation: citations::CONCEPTS }
    }

    fn units(&self, plan: &Plan) -> Vec<Unit> {
        let mut units = trials_of_tables(plan);
        for (name, _) in readings::all() {
            let trials = 0..readings::trials(plan);
            units.extend(trials.map(|trial| plan.unit(format!("{}{name}/trial-{trial}", readings::PREFIX))));
        }
        units
    }

    fn run_unit(&self, plan: &Plan, unit: &Unit, ctx: &UnitCtx) -> Result<Value, LabError> {
        if let Some(name) = unit.name.strip_prefix(readings::PREFIX) {
            let of = |(known, _): &(String, _)| name.split('/').next() == Some(known.as_str());
            let (_, reading) = readings::all().find(of).ok_or_else(|| LabError::other("no such reading"))?;
            return serde_json::to_value(readings::run(reading, plan, ctx)?).map_err(LabError::other);
        }
        let game = if unit.name.starts_with(TIC_TAC_TOE) { TIC_TAC_TOE } else { CONNECT_FOUR };
        // Section 4: the concepts always come from tic-tac-toe; only the general ones mean something elsewhere.
        let source = plan.scale.pick(500, 10_000, 10_000);
        let of_source =
            |kind| concepts_of_game(&TicTacToe, kind, source, &mut Rng::stream(ctx.seed(), 0), ctx.stop());
        let (binary, vocabulary) = of_source(Kind::Binary)?;
        let (relations, _) = of_source(Kind::Selected)?;
        let named = binary.len();
        let words: Vec<String> = binary.iter().map(|concept| concept.words(&vocabulary)).collect();
        let usable = |concepts: Vec<_>| if game == TIC_TAC_TOE { concepts } else { transferable(&concepts) };
        let (binary, relations) = (usable(binary), usable(relations));
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
            let binary = if entry.kind == Kind::Selected { &relations } else { &binary };
            let trial = Trial { entry, plan, binary, seed: ctx.seed(), games, stop: ctx.stop() };
            let played =
                if game == TIC_TAC_TOE { trial.play(&TicTacToe)? } else { trial.play(&ConnectFour)? };
            outcome.insert(entry.key.into(), played);
        }
        outcome.insert(
            "concepts".into(),
            json!({ "all": named, "general": transferable(&binary).len(), "words": words }),
        );
        Ok(Value::Object(outcome))
    }

    fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
        let gathered = Gathered { units: trials_of_tables(plan), outcomes };
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
        result.tables.push(gathered.equal_playouts()?);
        result.tables.push(gathered.beyond_table()?);
        result.tables.push(readings::table(plan, outcomes)?);
        result.claim_family(gathered.claims()?);
        result.summary = gathered.summary()?;
        result.deviations = DEVIATIONS.iter().map(|text| text.to_string()).collect();
        result.commands.push("ludens concepts connect-four --from tic-tac-toe --html concepts.html".into());
        Ok(result)
    }

    fn publish(&self, result: &mut PaperResult) {
        published::publish(result);
    }

    fn claims(&self, result: &PaperResult) -> Vec<PaperClaim> {
        claims::claims(result)
    }
}

/// The units behind the tables of the paper.
fn trials_of_tables(plan: &Plan) -> Vec<Unit> {
    let trials = plan.seeds_or(plan.scale.pick(1, 4, 10));
    let of = |trial| [TIC_TAC_TOE, CONNECT_FOUR].map(|game| plan.unit(format!("{game}/trial-{trial}")));
    (0..trials).flat_map(of).collect()
}

const DEVIATIONS: [&str; 4] = [
    "Algorithm 1 is read so: an empty cell is a fact too, the last position of a playout is counted, and a tenth by number is kept of each size of subsets. Chosen among seventeen readings on seed 1: of those that keep both rules that the paper quotes it comes nearest to tables 1 and 2. What seed 1 shows of this reading was chosen by it; every other seed chose nothing.",
    "Algorithm 3 counts last positions, too. Concepts (section 4) are made from the subsets of up to three facts of both players.",
    "The paper shows one trial. Which rules enter changes from trial to trial, so we repeat the learning in every trial and give the mean. The paper's share is compared with the error of its games; how much its one trial could have differed is not known.",
    "The native games are used; the machine made from our GDL rules of both games is equal move for move (tests of crates/gdl).",
];

/// Learns one player from its own playouts and plays both colours against both opponents.
struct Trial<'a> {
    entry: &'a Entry,
    plan: &'a Plan,
    binary: &'a [Concept],
    seed: u64,
    games: u64,
    stop: &'a Stop,
}

impl Trial<'_> {
    fn play<G: Game>(self, game: &G) -> Result<Value, LabError> {
        let vocabulary = vocabulary(game);
        let playouts = (self.entry.playouts)(self.plan.scale);
        let seen = experience(game, &vocabulary, playouts, &mut Rng::stream(self.seed, 1), self.stop)?;
        let learnt = learn(self.entry.kind, self.binary, &seen, &vocabulary, self.stop)?;
        let mut player = learnt.player;
        let mut counts = Map::new();
        for (number, opponent) in OPPONENTS.iter().enumerate() {
            for side in Side::BOTH {
                let stream = 2 + 2 * number as u64 + side.index() as u64;
                let rng = Rng::stream(self.seed, stream);
                let Tally { wins, draws, losses } =
                    match_up(game, &mut player, side, number == 1, self.games, rng)?;
                counts.insert(format!("{side}-{opponent}"), json!([wins, losses, draws]));
            }
        }
        let patterns: Vec<String> = learnt
            .chosen
            .iter()
            .map(|chosen| {
                format!("{:+.2} {} {}", chosen.weight, chosen.feature.picture(), chosen.feature.name())
            })
            .collect();
        Ok(json!({ "counts": counts, "rules": player.rules[0].rules().len(), "patterns": patterns }))
    }
}

/// The games of the player as `side`.
pub fn match_up<G: Game>(
    game: &G,
    player: &mut ConceptPlayer,
    side: Side,
    depth_one: bool,
    games: u64,
    mut rng: Rng,
) -> Result<Tally, MindError> {
    let mut tally = Tally::default();
    for _ in 0..games {
        let choose = |state: &G::State, mover: Side| {
            let mut meter = Meter::unlimited();
            let mut ctx = Ctx::new(&mut rng, &mut meter);
            match (mover == side, depth_one) {
                (true, _) => decide(player, game, state, &mut ctx),
                (false, true) => decide(&mut DepthOne, game, state, &mut ctx),
                (false, false) => decide(&mut Random, game, state, &mut ctx),
            }
        };
        let score = play_on(game, &mut game.start(), u64::MAX, &mut Rng::new(0), choose, |_, _| {})?;
        tally.add(score.map_or(0.0, |score| score.of(side)));
    }
    Ok(tally)
}

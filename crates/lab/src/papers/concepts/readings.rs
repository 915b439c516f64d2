//! What Algorithm 1 leaves open, side by side: what is counted and what is kept. A reading that holds gives the two rules that the paper quotes
//! the values it quotes, keeps both, wins more with a larger cut-off, and comes near the shares of the tables.

use ludens_core::{Game, Rng, Side};
use ludens_games::connect_four::ConnectFour;
use ludens_games::tictactoe::TicTacToe;
use ludens_learners::concepts::{
    Concept, ConceptPlayer, Count, Cut, Experience, Reading, Rule, Vocabulary, count_subsets, experience,
    generate_new_concepts, join_concepts, make_statistical_heuristics, make_structured_heuristics,
    transferable,
};
use serde::{Deserialize, Serialize};

use super::published::{BINARY, STATISTICAL, TERNARY};
use super::{CONNECT_FOUR, OPPONENTS, TIC_TAC_TOE, match_up};
use crate::stats::mean;
use crate::{Cell, LabError, Outcomes, Plan, Row, Table, UnitCtx};

/// The table of all readings, the row of ours, and the columns that say in which share of the trials each quoted rule is kept.
pub(super) const TABLE: &str = "readings";
pub(super) const OURS: &str = "last-each-size-empty";
pub(super) const KEPT: [usize; 2] = [1, 3];
/// The columns of their values, and what the paper quotes.
pub(super) const VALUES: [(usize, &str, f64); 2] = [(0, "rule (2)", 0.238), (2, "rule (3)", 0.237)];

/// What the names of these units begin with.
pub(super) const PREFIX: &str = "reading/";

/// A reading of all four algorithms.
#[derive(Clone, Copy)]
pub(super) struct Whole {
    /// Of Algorithm 1.
    first: Reading,
    /// Algorithm 3 counts the last positions only, too.
    last: bool,
    /// Empty cells are facts, in all of them.
    empty: bool,
}

/// Every reading with its name.
pub(super) fn all() -> impl Iterator<Item = (String, Whole)> {
    let counts = [("positions", Count::Positions), ("own", Count::Own), ("last", Count::Last)];
    let cuts = [
        ("near", Cut::Near),
        ("number", Cut::Number),
        ("each-size", Cut::EachSize),
        ("every-size", Cut::EverySize),
    ];
    let of_first = counts.into_iter().flat_map(move |(counted, count)| {
        let whole = |cut| Whole { first: Reading { count, cut }, last: false, empty: false };
        cuts.map(|(kept, cut)| (format!("{counted}-{kept}"), whole(cut)))
    });
    let last = |cut, empty| Whole { first: Reading { count: Count::Last, cut }, last: true, empty };
    let throughout = ("last-every-size-throughout".into(), last(Cut::EverySize, false));
    let empty = cuts.map(|(kept, cut)| (format!("last-{kept}-empty"), last(cut, true)));
    of_first.chain([throughout]).chain(empty)
}

pub(super) fn trials(plan: &Plan) -> u32 {
    plan.scale.pick(1, 2, 5)
}

/// The rules that the paper quotes, as column and row from 1 and mark; x is 0, o is 1. Both speak for o.
const QUOTED: [&[(u16, u16, usize)]; 2] = [&[(3, 1, 1), (2, 2, 1)], &[(3, 3, 1), (2, 2, 1), (1, 3, 0)]];

/// What one reading finds in one trial.
#[derive(Serialize, Deserialize)]
pub(super) struct Outcome {
    /// Of each quoted rule the value among o's won playouts, and whether it is kept.
    quoted: Vec<(f64, bool)>,
    /// Wins of players of Algorithm 1 and of binary concepts: game, key, side, opponent, share.
    wins: Vec<(String, String, usize, usize, f64)>,
}

pub(super) fn run(whole: Whole, plan: &Plan, ctx: &UnitCtx) -> Result<Outcome, LabError> {
    let reading = whole.first;
    let vocabulary = whole.vocabulary(&TicTacToe);
    let playouts = plan.scale.pick(200, 10_000, 10_000);
    let seen = experience(&TicTacToe, &vocabulary, playouts, &mut Rng::stream(ctx.seed(), 1), ctx.stop())?;
    let mut found = Outcome { quoted: quoted(&vocabulary, &seen, reading, ctx)?, wins: Vec::new() };
    let games = plan.scale.pick(20, 500, 2_000);
    let mut of_tic_tac_toe = Vec::new();
    for cut_off in 1..=3 {
        let rules = both(&seen, cut_off, reading, ctx)?;
        if cut_off == 3 {
            of_tic_tac_toe = generate_new_concepts(&rules.concat(), &vocabulary);
        }
        let player = ConceptPlayer::new(vocabulary.clone(), rules);
        found.play((TIC_TAC_TOE, &TicTacToe), &cut_off.to_string(), player, games, ctx)?;
    }
    let player = whole.structured(&of_tic_tac_toe, &seen, &vocabulary, ctx)?;
    found.play((TIC_TAC_TOE, &TicTacToe), "binary", player, games, ctx)?;
    let games = plan.scale.pick(10, 100, 500);
    let vocabulary = whole.vocabulary(&ConnectFour);
    let drawn =
        |count| experience(&ConnectFour, &vocabulary, count, &mut Rng::stream(ctx.seed(), 2), ctx.stop());
    let seen = drawn(plan.scale.pick(50, 1_000, 1_000))?;
    for cut_off in 1..=2 {
        let player = ConceptPlayer::new(vocabulary.clone(), both(&seen, cut_off, reading, ctx)?);
        found.play((CONNECT_FOUR, &ConnectFour), &cut_off.to_string(), player, games, ctx)?;
    }
    let general: Vec<Concept> = transferable(&of_tic_tac_toe);
    let larger = join_concepts(&general, &general);
    for (concepts, key, count) in
        [(&general, "binary-10", 10), (&general, "binary-100", 100), (&larger, "ternary-10", 10)]
    {
        let player = whole.structured(concepts, &drawn(count)?, &vocabulary, ctx)?;
        found.play((CONNECT_FOUR, &ConnectFour), key, player, games, ctx)?;
    }
    Ok(found)
}

fn both(
    seen: &Experience,
    cut_off: usize,
    reading: Reading,
    ctx: &UnitCtx,
) -> Result<[Vec<Rule>; 2], LabError> {
    let of = |side: usize| make_statistical_heuristics(&seen[side], cut_off, reading, ctx.stop());
    Ok([of(0)?, of(1)?])
}

/// The value of each quoted rule, and whether it is kept where bodies of its size are allowed.
fn quoted(
    vocabulary: &Vocabulary,
    seen: &Experience,
    reading: Reading,
    ctx: &UnitCtx,
) -> Result<Vec<(f64, bool)>, LabError> {
    let won = &seen[Side::Second.index()];
    let counted = count_subsets(won, 3, reading.count, ctx.stop())?;
    let of = |rule: &&[(u16, u16, usize)]| {
        let mut body: Vec<_> =
            rule.iter().map(|&(column, row, mark)| vocabulary.id(column - 1, row - 1, mark)).collect();
        body.sort_unstable();
        let value = counted.iter().find(|rule| rule.body == body).map_or(0.0, |rule| rule.value);
        let kept = make_statistical_heuristics(won, body.len(), reading, ctx.stop())?;
        Ok((value, kept.iter().any(|rule| rule.body == body)))
    };
    QUOTED.iter().map(of).collect()
}

impl Whole {
    fn vocabulary<G: Game>(self, game: &G) -> Vocabulary {
        let marked = Vocabulary::of(&game.board(&game.start()));
        if self.empty { marked.with_empty() } else { marked }
    }

    /// A player of Algorithm 3.
    fn structured(
        self,
        concepts: &[Concept],
        seen: &Experience,
        vocabulary: &Vocabulary,
        ctx: &UnitCtx,
    ) -> Result<ConceptPlayer, LabError> {
        let count = if self.last { Count::Last } else { Count::Positions };
        let of =
            |side: usize| make_structured_heuristics(concepts, &seen[side], count, vocabulary, ctx.stop());
        Ok(ConceptPlayer::new(vocabulary.clone(), [of(0)?, of(1)?]))
    }
}

impl Outcome {
    fn play<G: Game>(
        &mut self,
        (name, game): (&str, &G),
        key: &str,
        mut player: ConceptPlayer,
        games: u64,
        ctx: &UnitCtx,
    ) -> Result<(), LabError> {
        for opponent in 0..OPPONENTS.len() {
            for side in Side::BOTH {
                ctx.go_on()?;
                let rng = Rng::stream(ctx.seed(), 3 + 2 * opponent as u64 + side.index() as u64);
                let tally = match_up(game, &mut player, side, opponent == 1, games, rng)?;
                let share = tally.wins as f64 / games as f64;
                self.wins.push((name.into(), key.into(), side.index(), opponent, share));
            }
        }
        Ok(())
    }

    fn share(&self, game: &str, key: &str, side: usize, opponent: usize) -> f64 {
        let of = |win: &&(String, String, usize, usize, f64)| {
            (win.0.as_str(), win.1.as_str(), win.2, win.3) == (game, key, side, opponent)
        };
        self.wins.iter().find(of).map_or(f64::NAN, |win| win.4)
    }
}

/// One row a reading: the quoted rules, how often more facts win more, and how far the wins are from the paper's.
pub(super) fn table(plan: &Plan, outcomes: &Outcomes) -> Result<Table, LabError> {
    let columns = [
        "value of rule (2)",
        "kept",
        "value of rule (3)",
        "kept",
        "wins rise with the cut-off, of 8",
        "tables 1 and 2, points away",
        "tables 3 and 4, points away",
        "tables 5 and 6, points away",
    ];
    let mut table = Table::new(TABLE, "Readings of Algorithm 1", &columns).beyond().note(
        "Counted: every position of a won playout, those that the winner has just made, or the last one. Kept: values within a tenth of the \
         highest of their size, a tenth by number, a tenth by number of each size, or a tenth by number of all subsets before the larger ones are cut off. throughout: Algorithm 3 counts last positions only, too; empty: and an empty cell is a fact, in all algorithms; last-each-size-empty is our reading. The paper quotes rule (2), cell(3,1,o), cell(2,2,o), with the \
         value 0.238, and rule (3), cell(3,3,o), cell(2,2,o), cell(1,3,x), with 0.237; both were in its heuristics. Wins rise when the largest \
         cut-off wins more than cut-off 1: by game, colour and opponent. Points away: the median difference from the paper's share of wins.",
    );
    for (name, _) in all() {
        let trials: Vec<Outcome> = (0..trials(plan))
            .map(|trial| outcomes.get(&format!("{PREFIX}{name}/trial-{trial}")))
            .collect::<Result<_, _>>()?;
        let wins = |game: &str, key: &str, side: usize, opponent: usize| {
            mean(&trials.iter().map(|trial| trial.share(game, key, side, opponent)).collect::<Vec<_>>()).mean
        };
        let mut cells = Vec::new();
        for rule in 0..QUOTED.len() {
            cells.push(Cell::mean(&trials.iter().map(|trial| trial.quoted[rule].0).collect::<Vec<_>>()));
            let kept = trials.iter().filter(|trial| trial.quoted[rule].1).count();
            cells.push(Cell::share(kept as u64, trials.len() as u64));
        }
        let mut rising = 0;
        for (game, largest) in [(TIC_TAC_TOE, "3"), (CONNECT_FOUR, "2")] {
            for (side, opponent) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                rising += u32::from(wins(game, largest, side, opponent) > wins(game, "1", side, opponent));
            }
        }
        cells.push(Cell::text(rising.to_string()));
        let (mut statistical, mut binary, mut ternary) = (Vec::new(), Vec::new(), Vec::new());
        for opponent in 0..OPPONENTS.len() {
            for (game, key, paper) in STATISTICAL[opponent].iter().filter(|(_, key, _)| *key != "0") {
                (0..2).for_each(|side| {
                    statistical.push(100.0 * wins(game, key, side, opponent) - paper[side][0])
                });
            }
            for (game, key, _, paper) in &BINARY[opponent] {
                (0..2).for_each(|side| binary.push(100.0 * wins(game, key, side, opponent) - paper[side][0]));
            }
            (0..2).for_each(|side| {
                let ours = 100.0 * wins(CONNECT_FOUR, "ternary-10", side, opponent);
                ternary.push(ours - TERNARY[opponent][side][0]);
            });
        }
        cells.extend(
            [statistical, binary, ternary].map(|away| Cell::text(format!("{:.1}", median_size(away)))),
        );
        table = table.row(Row::new(&name, cells));
    }
    Ok(table)
}

fn median_size(mut differences: Vec<f64>) -> f64 {
    differences.iter_mut().for_each(|difference| *difference = difference.abs());
    differences.sort_by(f64::total_cmp);
    differences.get(differences.len() / 2).copied().unwrap_or(f64::NAN)
}

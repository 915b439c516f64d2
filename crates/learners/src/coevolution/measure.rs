//! What section 4 of the paper measures, and what it does not: the final all-play-all, strength against outside
//! opponents, and whether a player blocks two adjacent stones.

use ludens_core::{Ctx, Game, Meter, Mind, MindError, Move, Rng, Side, Tally, decide, play_on};
use ludens_games::connect_four::{ConnectFour, State, geometry};
use ludens_search::connect_four_solver::{Position, Solver};
use serde::{Deserialize, Serialize};

use super::connect_four::{Board, Spent};
use super::contest::{self, Fighter, duel, opening, play};
use super::network::Player;

/// "The total points for each best player after playing against each of the other players when played as white and
/// black."
pub fn all_play_all<G: Game>(game: &G, players: &[&Player], depth: u32, spent: &mut Spent) -> Vec<i32> {
    let mut fighters: Vec<Fighter<G>> =
        players.iter().map(|player| Fighter::new(game, player, depth)).collect();
    let mut totals = vec![0; players.len()];
    let start = [game.start()];
    let mut dice = Rng::new(1);
    for two in 1..fighters.len() {
        let (before, from) = fighters.split_at_mut(two);
        for (one, fighter) in before.iter_mut().enumerate() {
            let points = duel(game, fighter, &mut from[0], &start, depth, &mut dice, spent);
            totals[one] += points[0];
            totals[two] += points[1];
        }
    }
    totals
}

/// Games of a player against any mind, from random openings of `plies`, each with both colours.
pub fn against(
    player: &Player,
    depth: u32,
    opponent: &mut dyn Mind<ConnectFour>,
    (pairs, plies): (u32, u32),
    seed: u64,
) -> Result<Tally, MindError> {
    let mut own = contest::mind(&ConnectFour, player, depth);
    let mut tally = Tally::default();
    for pair in 0..pairs {
        let mut rng = Rng::stream(seed, u64::from(pair));
        let start = opening(&ConnectFour, plies, &mut rng);
        for side in Side::BOTH {
            let choose = |state: &State, mover: Side| {
                let mut meter = Meter::unlimited();
                let mut ctx = Ctx::new(&mut rng, &mut meter);
                if mover == side {
                    decide(&mut own, &ConnectFour, state, &mut ctx)
                } else {
                    decide(opponent, &ConnectFour, state, &mut ctx)
                }
            };
            let score = play_on(&ConnectFour, &mut start.clone(), 42, &mut Rng::new(0), choose, |_, _| {})?;
            tally.add(score.map_or(0.0, |score| score.of(side)));
        }
    }
    Ok(tally)
}

/// Both games of one opening between two players, as the first sees them.
pub fn pair_score(
    one: &mut Fighter<ConnectFour>,
    two: &mut Fighter<ConnectFour>,
    depth: u32,
    rng: &mut Rng,
) -> [f32; 2] {
    let start = opening(&ConnectFour, 6, rng);
    let mut spent = Spent::default();
    let first = play(&ConnectFour, [one, two], &start, depth, rng, &mut spent);
    let second = -play(&ConnectFour, [two, one], &start, depth, rng, &mut spent);
    [first as f32, second as f32]
}

/// A position where the other side has two adjacent stones in a row and would win by a third, open at both ends; and
/// the landing cells that prevent it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blockable {
    /// The position.
    pub state: State,
    /// The landing cells that prevent it.
    pub blocks: u64,
}

/// Cells on which `side` would get two wins at once, next to a pair of its stones in the same row.
fn open_threes(board: &Board, side: usize) -> u64 {
    let stones = board.stones[side];
    let beside_a_pair = (stones << 7) & (stones << 14) | (stones >> 7) & (stones >> 14);
    let mut found = 0;
    let mut left = board.landing() & beside_a_pair;
    while left != 0 {
        let cell = left & left.wrapping_neg();
        left ^= cell;
        let mut after = *board;
        after.stones[side] |= cell;
        if after.wins(side).count_ones() >= 2 {
            found |= cell;
        }
    }
    found
}

/// Random positions of that kind, without a win or a threat in one, where some but not all moves block.
pub fn blockable_positions(count: usize, seed: u64) -> Vec<Blockable> {
    let mut rng = Rng::new(seed);
    let mut found: Vec<Blockable> = Vec::new();
    while found.len() < count {
        let plies = 4 + rng.below(10);
        let state = opening(&ConnectFour, plies, &mut rng);
        let board = Board::of(&ConnectFour, &state);
        let other = board.mover ^ 1;
        let quiet = board.wins(board.mover) | board.wins(other) == 0;
        if !quiet || open_threes(&board, other) == 0 {
            continue;
        }
        let mut blocks = 0;
        let mut left = board.landing();
        while left != 0 {
            let cell = left & left.wrapping_neg();
            left ^= cell;
            let after = board.after(cell);
            if after.wins(other) == 0 && open_threes(&after, other) == 0 {
                blocks |= cell;
            }
        }
        if blocks != 0 && blocks != board.landing() {
            found.push(Blockable { state, blocks });
        }
    }
    found
}

/// How many of the positions the player blocks.
pub fn blocked(player: &Player, depth: u32, positions: &[Blockable]) -> Result<u64, MindError> {
    let mut mind = contest::mind(&ConnectFour, player, depth);
    let mut blocked = 0;
    for position in positions {
        let (mut rng, mut meter) = (Rng::new(0), Meter::unlimited());
        let mut ctx = Ctx::new(&mut rng, &mut meter);
        let Move(column) = decide(&mut mind, &ConnectFour, &position.state, &mut ctx)?;
        blocked += u64::from(position.blocks & geometry::column(column) != 0);
    }
    Ok(blocked)
}

/// The share of legal moves that block, which a random player would get.
pub fn blocked_by_chance(positions: &[Blockable]) -> f64 {
    let share = |position: &Blockable| {
        let legal = Board::of(&ConnectFour, &position.state).landing();
        f64::from(position.blocks.count_ones()) / f64::from(legal.count_ones())
    };
    positions.iter().map(share).sum::<f64>() / positions.len().max(1) as f64
}

/// How many moves of a player the solver approves of.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Approved {
    /// How many positions were looked at.
    pub positions: u64,
    /// Fastest win or slowest loss.
    pub best: u64,
    /// Of the same outcome as the best move.
    pub same_outcome: u64,
}

/// The solver's judgement on random positions of 14 to 26 plies: of the player, and of a random one.
pub fn approved(
    player: &Player,
    depth: u32,
    count: u64,
    seed: u64,
) -> Result<(Approved, Approved), MindError> {
    let mut mind = contest::mind(&ConnectFour, player, depth);
    let mut solver = Solver::<7, 6>::with_table_bits(18);
    let (mut of_player, mut of_chance) = (Approved::default(), Approved::default());
    for number in 0..count {
        let mut rng = Rng::stream(seed, number);
        let plies = 14 + rng.below(13);
        let state = opening(&ConnectFour, plies, &mut rng);
        let Some(position) = Position::from_discs(state.own(), state.other()) else { continue };
        let scores = solver.move_scores(&position);
        let best = scores.iter().flatten().max().copied().unwrap_or(0);
        let mut meter = Meter::unlimited();
        let mut ctx = Ctx::new(&mut rng, &mut meter);
        let chosen = decide(&mut mind, &ConnectFour, &state, &mut ctx)?;
        let guessed = decide(&mut ludens_search::Random, &ConnectFour, &state, &mut ctx)?;
        for (tally, Move(column)) in [(&mut of_player, chosen), (&mut of_chance, guessed)] {
            let score = scores.get(column as usize).copied().flatten().unwrap_or(i32::MIN);
            tally.positions += 1;
            tally.best += u64::from(score == best);
            tally.same_outcome += u64::from(score.signum() == best.signum());
        }
    }
    Ok((of_player, of_chance))
}

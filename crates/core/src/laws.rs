//! The laws every game keeps, tried on random games. Native games, games loaded from GDL and games of your own go
//! through the same gate: `cargo xtask laws`, or [`check`] in a test.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::math;
use thiserror::Error;

use crate::{Game, Move, Rng, Side, Turn, perft, uniform_playout};

/// A law that does not hold, where, and how to see it again.
#[derive(Clone, PartialEq, Debug, Error)]
#[error("{game} breaks a law in game {number} of seed {seed}, at the position '{position}': {law}")]
pub struct BrokenLaw {
    /// The name of the game.
    pub game: String,
    /// The seed of the random games.
    pub seed: u64,
    /// Which of them it was, counted from 0.
    pub number: u64,
    /// Where it broke, as text.
    pub position: String,
    /// What should have held.
    pub law: String,
}

/// How many positions of each random game get the laws that look at every move; the cheap laws hold at all of them.
const CLOSE_LOOKS: usize = 3;
/// How many states are remembered, to meet them again on another way.
const REMEMBERED: usize = 20_000;
/// Games without a bound are left after so many plies.
const LONGEST: u32 = 5_000;

/// Plays `games` random games and checks every law along them; then the override of playouts, if any.
pub fn check<G: Game>(game: &G, games: u64, seed: u64) -> Result<(), BrokenLaw> {
    check_games(game, 0..games, seed)?;
    check_playouts(game, 20 * games.min(1_000), seed)
}

/// The games with these numbers: any part of a long run can be repeated alone, or given to another thread.
pub fn check_games<G: Game>(game: &G, numbers: Range<u64>, seed: u64) -> Result<(), BrokenLaw> {
    let mut seen = HashMap::new();
    for number in numbers {
        let mut trial = Trial { game, seed, number, seen: &mut seen };
        trial.run()?;
    }
    Ok(())
}

/// Whatever text a position is read from: what is written of it reads back as the same position, with the same answers,
/// and it can be played to its end. Text that is refused breaks no law.
pub fn check_text<G: Game>(game: &G, text: &str) -> Result<(), BrokenLaw> {
    let Ok(state) = game.parse(text) else { return Ok(()) };
    let mut trial = Trial { game, seed: 0, number: 0, seen: &mut HashMap::new() };
    trial.answers(&state)?;
    trial.text_round_trip(&state)?;
    trial.every_move(&state)?;
    let mut end = state.clone();
    let playout = game.playout(&mut end, &mut Rng::new(0));
    trial.hold(
        game.turn(&end) == Turn::Over(playout.score),
        &state,
        "a playout reaches the end, with its score",
    )
}

/// What a state answers; equal states must give equal answers.
#[derive(Clone, PartialEq, Debug)]
struct Answers {
    turn: Turn,
    moves: Vec<Move>,
    outcomes: Vec<(Move, f32)>,
    text: String,
    encoding: Vec<f32>,
}

struct Trial<'a, G: Game> {
    game: &'a G,
    seed: u64,
    number: u64,
    seen: &'a mut HashMap<G::State, Answers>,
}

impl<G: Game> Trial<'_, G> {
    fn broken(&self, state: &G::State, law: impl Into<String>) -> BrokenLaw {
        BrokenLaw {
            game: self.game.id(),
            seed: self.seed,
            number: self.number,
            position: self.game.text(state),
            law: law.into(),
        }
    }

    fn hold(&self, holds: bool, state: &G::State, law: &str) -> Result<(), BrokenLaw> {
        if holds { Ok(()) } else { Err(self.broken(state, law)) }
    }

    fn run(&mut self) -> Result<(), BrokenLaw> {
        let mut rng = Rng::stream(self.seed, self.number);
        let states = self.random_game(&mut rng)?;
        for _ in 0..CLOSE_LOOKS {
            let state = &states[rng.below(states.len() as u32) as usize];
            self.text_round_trip(state)?;
            self.every_move(state)?;
            self.refuses_the_rest(state, &mut rng)?;
            self.symmetries(state)?;
        }
        self.text_round_trip(&states[states.len() - 1])?;
        if self.number.is_multiple_of(50) {
            let state = &states[rng.below(states.len() as u32) as usize];
            let plain = perft::leaves_and_ends(self.game, state, 2);
            self.hold(
                self.game.perft(state, 2) == plain,
                state,
                "perft counts what the list of moves counts",
            )?;
        }
        Ok(())
    }

    /// One random game under the cheap laws; all its states.
    fn random_game(&mut self, rng: &mut Rng) -> Result<Vec<G::State>, BrokenLaw> {
        let game = self.game;
        let mut state = game.start();
        let mut states = vec![state.clone()];
        let longest = game.max_plies().unwrap_or(LONGEST);
        for ply in 0.. {
            let answers = self.answers(&state)?;
            let mv = match answers.turn {
                Turn::Over(_) => break,
                Turn::Player(_) => answers.moves[rng.below(answers.moves.len() as u32) as usize],
                Turn::Chance => rng.outcome(&answers.outcomes),
            };
            if ply >= longest {
                self.hold(game.max_plies().is_none(), &state, "a game ends within max_plies")?;
                break;
            }
            game.apply(&mut state, mv);
            states.push(state.clone());
        }
        Ok(states)
    }

    /// The answers of a state, checked on their own and against those of an equal state met before.
    fn answers(&mut self, state: &G::State) -> Result<Answers, BrokenLaw> {
        let answers = answers_of(self.game, state);
        let distinct: HashSet<Move> = answers.moves.iter().copied().collect();
        self.hold(distinct.len() == answers.moves.len(), state, "each move is listed once")?;
        let player = matches!(answers.turn, Turn::Player(_));
        self.hold(answers.moves.is_empty() != player, state, "a player to move has moves, nobody else has")?;
        let chance = answers.turn == Turn::Chance;
        self.hold(answers.outcomes.is_empty() != chance, state, "nature has outcomes where it moves only")?;
        if chance {
            let total: f64 = answers.outcomes.iter().map(|&(_, chance)| f64::from(chance)).sum();
            self.hold((total - 1.0).abs() < 1e-5, state, "the chances sum to 1")?;
            let positive = answers.outcomes.iter().all(|&(_, chance)| chance > 0.0);
            self.hold(positive, state, "every outcome listed can happen")?;
            let distinct: HashSet<Move> = answers.outcomes.iter().map(|&(mv, _)| mv).collect();
            self.hold(distinct.len() == answers.outcomes.len(), state, "each outcome is listed once")?;
        }
        self.whose_turn(state, &answers)?;
        if let Turn::Over(score) = answers.turn {
            self.hold((-1.0..=1.0).contains(&score.0), state, "a score is between -1 and 1")?;
        }
        let encoded = answers.encoding.len() == self.game.encoding_len()
            && answers.encoding.iter().all(|input| input.is_finite());
        self.hold(encoded, state, "an encoding has encoding_len finite numbers")?;
        if let Some(before) = self.seen.get(state) {
            self.hold(*before == answers, state, "equal states give equal answers")?;
        } else if self.seen.len() < REMEMBERED {
            self.seen.insert(state.clone(), answers.clone());
        }
        Ok(answers)
    }

    /// Whose turn is said to be is the one who moves, now or after the throw.
    fn whose_turn(&self, state: &G::State, answers: &Answers) -> Result<(), BrokenLaw> {
        let said = self.game.on_turn(state);
        let holds = match answers.turn {
            Turn::Player(side) => said == Some(side),
            Turn::Over(_) => said.is_none(),
            Turn::Chance => answers.outcomes.iter().all(|&(outcome, _)| {
                let mut after = state.clone();
                self.game.apply(&mut after, outcome);
                said.is_none() || self.game.turn(&after) == Turn::Player(said.unwrap_or(Side::First))
            }),
        };
        self.hold(holds, state, "whose turn it is said to be is who moves next")
    }

    fn text_round_trip(&self, state: &G::State) -> Result<(), BrokenLaw> {
        let text = self.game.text(state);
        let back = self.game.parse(&text).map_err(|error| self.broken(state, error.to_string()))?;
        self.hold(back == *state, state, "a position's text reads back as the same position")?;
        let same = answers_of(self.game, &back) == answers_of(self.game, state);
        self.hold(same, state, "a position read from its text gives the same answers")
    }

    fn every_move(&self, state: &G::State) -> Result<(), BrokenLaw> {
        let game = self.game;
        let squares = game.board(state).squares.len();
        let Answers { moves, outcomes, .. } = answers_of(game, state);
        let mut labels = HashSet::new();
        let below = |mv: &Move| game.move_limit().is_none_or(|limit| mv.0 < limit);
        self.hold(moves.iter().all(below), state, "the numbers of moves are below move_limit")?;
        for mv in moves.into_iter().chain(outcomes.iter().map(|&(mv, _)| mv)) {
            let [mut applied, mut played] = [state.clone(), state.clone()];
            game.apply(&mut applied, mv);
            let accepted = game.play(&mut played, mv).is_ok();
            self.hold(
                accepted && applied == played,
                state,
                "play accepts a listed move and does as apply does",
            )?;
            let label = game.label(state, mv);
            if outcomes.is_empty() {
                let found = game.find_move(state, &label) == Ok(mv);
                self.hold(found, state, &format!("the label {label:?} finds its move"))?;
            }
            self.hold(!label.is_empty() && labels.insert(label), state, "each move has a label of its own")?;
            let inside = game.cells(state, mv).iter().all(|&cell| usize::from(cell) < squares);
            self.hold(inside, state, "a move's cells are on the board")?;
        }
        let board = game.board(state);
        let known = board.squares.iter().all(|square| usize::from(square.piece) < board.pieces.len());
        let sized = squares == usize::from(board.width) * usize::from(board.height);
        self.hold(known && sized, state, "the board has its squares, and they hold listed pieces")
    }

    fn refuses_the_rest(&self, state: &G::State, rng: &mut Rng) -> Result<(), BrokenLaw> {
        let Answers { moves, outcomes, .. } = answers_of(self.game, state);
        let listed: HashSet<Move> = moves.into_iter().chain(outcomes.into_iter().map(|(mv, _)| mv)).collect();
        let tried =
            [rng.below(10), rng.below(100), rng.below(100), rng.below(5_000), rng.next_u32(), u32::MAX];
        for mv in tried.into_iter().map(Move).filter(|mv| !listed.contains(mv)) {
            let mut after = state.clone();
            let refused = self.game.play(&mut after, mv).is_err();
            self.hold(refused && after == *state, state, "an illegal move is refused and changes nothing")?;
        }
        let nonsense = self.game.find_move(state, "\u{1F3B2} no such move").is_err();
        self.hold(nonsense, state, "a label of no move is refused")
    }

    fn symmetries(&self, state: &G::State) -> Result<(), BrokenLaw> {
        let game = self.game;
        let images = game.mirrors(state);
        let here = answers_of(game, state);
        for (which, image) in images.iter().enumerate() {
            let there = answers_of(game, image);
            self.hold(there.turn == here.turn, state, &format!("symmetry {which} keeps the turn"))?;
            let mapped: HashSet<Move> =
                here.moves.iter().map(|&mv| game.mirror_move(state, mv, which)).collect();
            let listed: HashSet<Move> = there.moves.into_iter().collect();
            self.hold(mapped == listed, state, &format!("symmetry {which} maps the moves"))?;
            for &mv in &here.moves {
                let [mut plain, mut mirrored] = [state.clone(), image.clone()];
                game.apply(&mut plain, mv);
                game.apply(&mut mirrored, game.mirror_move(state, mv, which));
                let commutes = game.mirrors(&plain).get(which) == Some(&mirrored);
                self.hold(
                    commutes,
                    state,
                    &format!("symmetry {which} before a move is the same as after it"),
                )?;
            }
        }
        Ok(())
    }
}

fn answers_of<G: Game>(game: &G, state: &G::State) -> Answers {
    // What was in the buffers must not matter.
    let mut moves = vec![Move(7); 3];
    let mut outcomes = vec![(Move(7), 0.5)];
    let mut encoding = vec![0.5];
    game.moves(state, &mut moves);
    game.chance(state, &mut outcomes);
    game.encode(state, Side::First, &mut encoding);
    Answers { turn: game.turn(state), moves, outcomes, text: game.text(state), encoding }
}

/// Compares the game's own playout with the plain one by what can be seen at the end: score and length, and
/// what lies on each square. Two samples, χ² for each table, and a bound of five standard deviations.
pub fn check_playouts<G: Game>(game: &G, playouts: u64, seed: u64) -> Result<(), BrokenLaw> {
    type Counts = HashMap<(usize, i64), [f64; 2]>;
    let mut ends = Counts::new();
    let mut squares = Counts::new();
    for sample in 0..2usize {
        let mut rng = Rng::stream(seed, u64::MAX - sample as u64);
        for _ in 0..playouts {
            let mut state = game.start();
            let end = match sample {
                0 => game.playout(&mut state, &mut rng),
                _ => uniform_playout(game, &mut state, &mut rng),
            };
            let turn = game.turn(&state);
            if turn != Turn::Over(end.score) {
                return Err(playouts_broken(
                    game,
                    seed,
                    &state,
                    "a playout ends at the end of a game, with its score",
                ));
            }
            let ending = (end.score.0 * 100.0) as i64 * 100_000 + i64::from(end.plies);
            ends.entry((0, ending)).or_default()[sample] += 1.0;
            for (place, square) in game.board(&state).squares.iter().enumerate() {
                let content = i64::from(square.piece) << 8 | i64::from(square.count);
                squares.entry((place, content)).or_default()[sample] += 1.0;
            }
        }
    }
    let places = squares.keys().map(|&(place, _)| place).max().unwrap_or(0);
    let tables = (0..=places).map(|place| squares.iter().filter(move |(key, _)| key.0 == place));
    let worst = tables.map(|table| surprise(table.map(|(_, pair)| *pair))).fold(0.0, f64::max);
    let worst = worst.max(surprise(ends.values().copied()));
    if worst > 5.0 {
        let law =
            format!("the playout draws every move as often as the plain one does ({worst:.1} deviations)");
        return Err(playouts_broken(game, seed, &game.start(), &law));
    }
    Ok(())
}

fn playouts_broken<G: Game>(game: &G, seed: u64, state: &G::State, law: &str) -> BrokenLaw {
    BrokenLaw { game: game.id(), seed, number: 0, position: game.text(state), law: law.into() }
}

/// χ² of two samples of equal size over the same categories (the rare ones thrown together), in standard deviations
/// from what chance gives.
fn surprise(pairs: impl Iterator<Item = [f64; 2]>) -> f64 {
    let mut rare = [0.0; 2];
    let mut chi2 = 0.0;
    let mut categories = 0.0;
    let mut add = |[a, b]: [f64; 2]| {
        chi2 += math::square(a - b) / (a + b);
        categories += 1.0;
    };
    for [a, b] in pairs {
        if a + b < 10.0 {
            rare = [rare[0] + a, rare[1] + b];
        } else {
            add([a, b]);
        }
    }
    if rare[0] + rare[1] > 0.0 {
        add(rare);
    }
    let freedom: f64 = f64::max(categories - 1.0, 1.0);
    // χ² as a normal deviate, good in the tail for any number of categories (Wilson and Hilferty).
    let spread = 2.0 / (9.0 * freedom);
    (math::cbrt(chi2 / freedom) - (1.0 - spread)) / spread.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surprise_is_small_for_chance_and_large_for_bias() {
        let mut rng = Rng::new(1);
        let mut draw = |bias: f64| {
            let mut counts = [[0.0; 2]; 6];
            for _ in 0..20_000 {
                counts[rng.below(6) as usize][0] += 1.0;
                let loaded = rng.chance(bias);
                counts[if loaded { 0 } else { rng.below(6) as usize }][1] += 1.0;
            }
            surprise(counts.into_iter())
        };
        assert!((0..100).all(|_| draw(0.0) < 4.0));
        assert!(draw(0.03) > 5.0);
    }
}

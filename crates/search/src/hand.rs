//! Heuristics made by hand, for opponents and comparisons: what a person would count.

use ludens_core::{Game, Reason, Side};
use ludens_games::backgammon::{Backgammon, Position};
use ludens_games::connect_four::{ConnectFour, HEIGHT, State as ConnectFourState, WIDTH};

use crate::heuristic::Heuristic;

/// Any sum into (−1, 1); a sum of `half` becomes a half.
fn squash(sum: f32, half: f32) -> f32 {
    sum / (sum.abs() + half)
}

/// What a line with so many stones of one side and none of the other is worth: a person's rule of thumb.
const LINE_WORTH: [f32; 9] = [0.0, 1.0, 4.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];
/// The sum of lines that counts as half a win.
const HALF_WON: f32 = 64.0;

/// Every straight line of `k` squares as a set of bits; the bit of a square is column × `right` + row × `up`.
pub fn line_masks(width: u32, height: u32, k: u32, right: u32, up: u32) -> Vec<u64> {
    let [width, height, k, right, up] = [width, height, k, right, up].map(i64::from);
    let mut masks = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let (end_x, end_y) = (x + dx * (k - 1), y + dy * (k - 1));
            if (0..width).contains(&end_x) && (0..height).contains(&end_y) {
                masks.push((0..k).fold(0, |mask, i| mask | 1 << ((x + dx * i) * right + (y + dy * i) * up)));
            }
        }
    }
    masks
}

/// The worth of all lines that only one of the two can still complete.
#[inline]
fn worth_of_lines(lines: &[u64], own: u64, other: u64) -> f32 {
    let mut sum = 0.0;
    for line in lines {
        let (mine, theirs) = ((own & line).count_ones(), (other & line).count_ones());
        if theirs == 0 {
            sum += LINE_WORTH[mine as usize & 7];
        }
        if mine == 0 {
            sum -= LINE_WORTH[theirs as usize & 7];
        }
    }
    sum
}

/// Counts the lines that only one side can still complete, the fuller the better. For every game of k in a
/// line on a grid of at most 64 squares.
#[derive(Clone, Debug)]
pub struct Lines {
    /// A muted line has no squares.
    lines: Vec<u64>,
    inputs: Vec<f32>,
    unmuted: Vec<u64>,
}

/// The lines that are not muted; the others keep their place, empty, and are worth nothing.
fn unmuted(lines: &[u64], muted: &dyn Fn(u32) -> bool) -> Vec<u64> {
    (0..).zip(lines).map(|(input, &line)| if muted(input) { 0 } else { line }).collect()
}

impl Lines {
    pub fn new(width: u32, height: u32, k: u32) -> Lines {
        let lines = line_masks(width, height, k, 1, width);
        Lines { unmuted: lines.clone(), lines, inputs: Vec::new() }
    }

    /// For a game that is known to be about k in a line: by its name, or because its name ends in `x` and k.
    pub fn for_game<G: Game>(game: &G) -> Option<Lines> {
        let id = game.id();
        let k = match id.as_str() {
            "tic-tac-toe" => 3,
            "connect-four" | "four-in-a-row" => 4,
            _ => trailing_number(&id)?,
        };
        let board = game.board(&game.start());
        let (width, height) = (u32::from(board.width), u32::from(board.height));
        (width * height <= 64 && (2..=7).contains(&k)).then(|| Lines::new(width, height, k))
    }
}

/// The k of `line-9x4x4`.
fn trailing_number(id: &str) -> Option<u32> {
    let sizes: Vec<&str> = id.rsplit('-').find(|part| part.contains('x'))?.split('x').collect();
    if sizes.len() == 3 { sizes[2].parse().ok() } else { None }
}

impl<G: Game> Heuristic<G> for Lines {
    type Trace = ();

    fn name(&self) -> String {
        "open lines".into()
    }

    fn value(&mut self, game: &G, state: &G::State, (): &(), side: Side) -> f32 {
        game.encode(state, side, &mut self.inputs);
        let mut sets = [0; 2];
        for (square, &input) in self.inputs.iter().enumerate().take(64) {
            sets[0] |= u64::from(input > 0.0) << square;
            sets[1] |= u64::from(input < 0.0) << square;
        }
        squash(worth_of_lines(&self.lines, sets[0], sets[1]), HALF_WON)
    }

    fn mute(&mut self, muted: &dyn Fn(u32) -> bool) -> bool {
        self.lines = unmuted(&self.unmuted, muted);
        true
    }

    fn terms(&mut self, game: &G, state: &G::State, side: Side) -> Vec<Reason> {
        let board = game.board(state);
        let set = |whose| {
            let mine = |&(_, square): &(usize, &ludens_core::Square)| square.side == Some(whose);
            board.squares.iter().enumerate().filter(mine).fold(0u64, |set, (index, _)| set | 1 << index)
        };
        let (own, other) = (set(side), set(side.other()));
        let mut terms = Vec::new();
        for (input, line) in self.lines.iter().enumerate() {
            let (mine, theirs) = ((own & line).count_ones(), (other & line).count_ones());
            let cells = || (0..64).filter(|cell| line >> cell & 1 == 1).map(|cell| cell as u16).collect();
            if theirs == 0 && mine >= 2 {
                let text = format!("an open line with {mine} own stones");
                terms.push(
                    Reason::term(text, f64::from(LINE_WORTH[mine as usize & 7]), cells()).of_input(input),
                );
            } else if mine == 0 && theirs >= 2 {
                let text = format!("an open line with {theirs} stones of the other side");
                let worth = -f64::from(LINE_WORTH[theirs as usize & 7]);
                terms.push(Reason::term(text, worth, cells()).of_input(input));
            }
        }
        terms.sort_by(|a, b| b.worth.abs().total_cmp(&a.worth.abs()));
        terms.truncate(6);
        terms
    }
}

/// [`Lines`] for Connect Four, straight from its bitboards.
#[derive(Clone, Debug)]
pub struct ConnectFourLines {
    lines: Vec<u64>,
    in_words: Lines,
    unmuted: Vec<u64>,
}

impl Default for ConnectFourLines {
    fn default() -> ConnectFourLines {
        let lines = line_masks(WIDTH, HEIGHT, 4, HEIGHT + 1, 1);
        ConnectFourLines { unmuted: lines.clone(), lines, in_words: Lines::new(WIDTH, HEIGHT, 4) }
    }
}

impl Heuristic<ConnectFour> for ConnectFourLines {
    type Trace = ();

    fn name(&self) -> String {
        "open lines".into()
    }

    #[inline]
    fn value(&mut self, _: &ConnectFour, state: &ConnectFourState, (): &(), side: Side) -> f32 {
        let value = squash(worth_of_lines(&self.lines, state.own(), state.other()), HALF_WON);
        if side == state.to_move() { value } else { -value }
    }

    fn mute(&mut self, muted: &dyn Fn(u32) -> bool) -> bool {
        self.lines = unmuted(&self.unmuted, muted);
        Heuristic::<ConnectFour>::mute(&mut self.in_words, muted)
    }

    fn terms(&mut self, game: &ConnectFour, state: &ConnectFourState, side: Side) -> Vec<Reason> {
        Heuristic::<ConnectFour>::terms(&mut self.in_words, game, state, side)
    }
}

/// A weight for every square, own stones for, the other's against.
#[derive(Clone, Debug)]
pub struct Weighted {
    name: &'static str,
    weights: Vec<f32>,
    unmuted: Vec<f32>,
    half: f32,
    inputs: Vec<f32>,
}

/// The table of the old Microsoft Windows Reversi, as figure 2 of the NHB paper prints it; the one number that is
/// missing there follows from the symmetry of the others.
#[rustfmt::skip]
pub const POSITIONAL: [f32; 64] = [
    99.0,  -8.0,  8.0,  6.0,  6.0,  8.0,  -8.0, 99.0,
    -8.0, -24.0, -4.0, -3.0, -3.0, -4.0, -24.0, -8.0,
     8.0,  -4.0,  7.0,  4.0,  4.0,  7.0,  -4.0,  8.0,
     6.0,  -3.0,  4.0,  0.0,  0.0,  4.0,  -3.0,  6.0,
     6.0,  -3.0,  4.0,  0.0,  0.0,  4.0,  -3.0,  6.0,
     8.0,  -4.0,  7.0,  4.0,  4.0,  7.0,  -4.0,  8.0,
    -8.0, -24.0, -4.0, -3.0, -3.0, -4.0, -24.0, -8.0,
    99.0,  -8.0,  8.0,  6.0,  6.0,  8.0,  -8.0, 99.0,
];

impl Weighted {
    fn new(name: &'static str, weights: Vec<f32>, half: f32) -> Weighted {
        Weighted { name, unmuted: weights.clone(), weights, half, inputs: Vec::new() }
    }

    /// As many points as stones more.
    pub fn pieces(squares: usize) -> Weighted {
        Weighted::new("piece advantage", vec![1.0; squares], 16.0)
    }

    /// Reversi's table.
    pub fn positional() -> Weighted {
        Weighted::new("positional", POSITIONAL.to_vec(), 100.0)
    }
}

impl<G: Game> Heuristic<G> for Weighted {
    type Trace = ();

    fn name(&self) -> String {
        self.name.into()
    }

    fn value(&mut self, game: &G, state: &G::State, (): &(), side: Side) -> f32 {
        game.encode(state, side, &mut self.inputs);
        let sum = self.inputs.iter().zip(&self.weights).map(|(input, weight)| input * weight).sum();
        squash(sum, self.half)
    }

    fn mute(&mut self, muted: &dyn Fn(u32) -> bool) -> bool {
        let silenced = |(input, &weight): (u32, &f32)| if muted(input) { 0.0 } else { weight };
        self.weights = (0..).zip(&self.unmuted).map(silenced).collect();
        true
    }

    fn terms(&mut self, game: &G, state: &G::State, side: Side) -> Vec<Reason> {
        let board = game.board(state);
        let mut terms: Vec<Reason> = self
            .weights
            .iter()
            .zip(&board.squares)
            .enumerate()
            .map(|(cell, (weight, square))| (cell, weight * square.signed(side)))
            .filter(|(_, worth)| *worth != 0.0)
            .map(|(cell, worth)| {
                Reason::term(board.cell_name(cell), f64::from(worth), vec![cell as u16]).of_input(cell)
            })
            .collect();
        terms.sort_by(|a, b| b.worth.abs().total_cmp(&a.worth.abs()));
        terms.truncate(6);
        terms
    }
}

/// The race in backgammon: who has fewer pips to go.
#[derive(Clone, Copy, Default, Debug)]
pub struct Pips;

impl Heuristic<Backgammon> for Pips {
    type Trace = ();

    fn name(&self) -> String {
        "pips".into()
    }

    fn value(&mut self, _: &Backgammon, state: &Position, (): &(), side: Side) -> f32 {
        let [own, other] = [side, side.other()].map(|side| state.men(side).pips() as f32);
        squash(other - own, 50.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Move;

    #[test]
    fn connect_four_has_69_lines_and_both_ways_agree() {
        let (mut fast, mut plain) = (ConnectFourLines::default(), Lines::for_game(&ConnectFour).unwrap());
        assert_eq!((fast.lines.len(), plain.lines.len()), (69, 69));
        let mut rng = ludens_core::Rng::new(4);
        let (mut moves, mut compared) = (Vec::new(), 0);
        for _ in 0..200 {
            let mut state = ConnectFour.start();
            while !ConnectFour.turn(&state).is_over() {
                for side in Side::BOTH {
                    let value = fast.value(&ConnectFour, &state, &(), side);
                    assert_eq!(
                        value,
                        Heuristic::<ConnectFour>::value(&mut plain, &ConnectFour, &state, &(), side)
                    );
                    assert!(value.abs() < 1.0);
                    compared += 1;
                }
                ConnectFour.moves(&state, &mut moves);
                let mv: Move = moves[rng.below(moves.len() as u32) as usize];
                ConnectFour.apply(&mut state, mv);
            }
        }
        assert!(compared > 1000);
    }

    #[test]
    fn a_muted_line_is_worth_nothing_and_comes_back() {
        let state = ConnectFour.parse("4455").unwrap();
        let mut lines = ConnectFourLines::default();
        let whole = lines.value(&ConnectFour, &state, &(), Side::First);
        let terms = lines.terms(&ConnectFour, &state, Side::First);
        let cited = terms[0].input.unwrap();
        assert!(lines.mute(&|input| input == cited));
        assert_ne!(lines.value(&ConnectFour, &state, &(), Side::First), whole);
        assert!(lines.terms(&ConnectFour, &state, Side::First).iter().all(|term| term.input != Some(cited)));
        lines.mute(&|_| true);
        assert_eq!(lines.value(&ConnectFour, &state, &(), Side::First), 0.0);
        lines.mute(&|_| false);
        assert_eq!(lines.value(&ConnectFour, &state, &(), Side::First), whole);
    }

    #[test]
    fn the_game_of_4_by_9_is_about_lines_under_its_own_name() {
        let game = ludens_games::line::Line::new(9, 4, 4).unwrap();
        assert_eq!(game.id(), "four-in-a-row");
        let mut lines = Lines::for_game(&game).unwrap();
        // 6 in each of 4 rows, 1 in each of 9 columns, 6 slanting either way.
        assert_eq!(lines.lines.len(), 24 + 9 + 12);
        let mut state = game.start();
        game.apply(&mut state, Move(4));
        assert!(lines.value(&game, &state, &(), Side::First) > 0.0);
    }

    #[test]
    fn the_length_of_a_line_is_read_from_the_name() {
        assert_eq!(trailing_number("line-9x4x4"), Some(4));
        assert_eq!(trailing_number("line-7x6x4-gravity"), Some(4));
        assert_eq!(trailing_number("reversi"), None);
    }
}

//! Heuristics made by hand, for opponents and comparisons: what a person would count.

use ludens_core::words::{Judge, What, Whose};
use ludens_core::{Game, Hand, Reason, Side};

use crate::heuristic::{Heuristic, Zero};

/// Any sum into (−1, 1); a sum of `half` becomes a half.
fn squash(sum: f32, half: f32) -> f32 {
    sum / (sum.abs() + half)
}

/// What a line with so many stones of one side and none of the other is worth: a person's rule of thumb.
const LINE_WORTH: [f32; 9] = [0.0, 1.0, 4.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];
/// The sum of lines that counts as half a win.
const HALF_WON: f32 = 64.0;

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

/// Counts the lines that only one side can still complete, the fuller the better. For every game that states its lines and keeps
/// its stones as sets of bits.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Sets of the bits of [`Game::stones`]; a muted line has none.
    lines: Vec<u64>,
    unmuted: Vec<u64>,
    /// The same lines as cells of the board.
    cells: Vec<Vec<u16>>,
}

impl Lines {
    /// None where the game is not about lines.
    pub fn of<G: Game>(game: &G) -> Option<Lines> {
        let facts = game.facts();
        let lines = facts.line_sets()?;
        Some(Lines { unmuted: lines.clone(), lines, cells: facts.lines })
    }
}

impl<G: Game> Heuristic<G> for Lines {
    type Trace = ();

    fn name(&self) -> String {
        "open lines".into()
    }

    fn judge(&self) -> Judge {
        Judge::OpenLines
    }

    #[inline]
    fn value(&mut self, game: &G, state: &G::State, (): &(), side: Side) -> f32 {
        let stones = game.stones(state);
        let worth = worth_of_lines(&self.lines, stones[side.index()], stones[side.other().index()]);
        squash(worth, HALF_WON)
    }

    fn mute(&mut self, muted: &dyn Fn(u32) -> bool) -> bool {
        let silenced = |(input, &line): (u32, &u64)| if muted(input) { 0 } else { line };
        self.lines = (0..).zip(&self.unmuted).map(silenced).collect();
        true
    }

    fn terms(&mut self, game: &G, state: &G::State, side: Side) -> Vec<Reason> {
        let stones = game.stones(state);
        let (own, other) = (stones[side.index()], stones[side.other().index()]);
        let mut terms = Vec::new();
        for (input, (line, cells)) in self.lines.iter().zip(&self.cells).enumerate() {
            let (mine, theirs) = ((own & line).count_ones(), (other & line).count_ones());
            let worth = if theirs == 0 && mine >= 2 {
                LINE_WORTH[mine as usize & 7]
            } else if mine == 0 && theirs >= 2 {
                -LINE_WORTH[theirs as usize & 7]
            } else {
                continue;
            };
            let open = cells.len() as u8 - (mine + theirs) as u8;
            let line = What::Line { own: mine as u8, other: theirs as u8, open, wait: 0 };
            terms.push(Reason::term(line, f64::from(worth), cells.clone()).of_input(input).at_end());
        }
        terms.sort_by(|a, b| b.worth.abs().total_cmp(&a.worth.abs()));
        terms.truncate(6);
        terms
    }
}

const PIECES: &str = "piece advantage";

/// A weight for every square, own stones for, the other's against.
#[derive(Clone, Debug)]
pub struct Weighted {
    name: &'static str,
    weights: Vec<f32>,
    unmuted: Vec<f32>,
    half: f32,
    inputs: Vec<f32>,
}

impl Weighted {
    fn new(name: &'static str, weights: Vec<f32>, half: f32) -> Weighted {
        Weighted { name, unmuted: weights.clone(), weights, half, inputs: Vec::new() }
    }

    /// As many points as stones more.
    pub fn pieces(squares: usize) -> Weighted {
        Weighted::new(PIECES, vec![1.0; squares], 16.0)
    }

    /// The table a game states; none where it states none.
    pub fn positional<G: Game>(game: &G) -> Option<Weighted> {
        match game.facts().hand {
            Some(Hand::Squares { name, weights, half }) => Some(Weighted::new(name, weights, half)),
            _ => None,
        }
    }
}

impl<G: Game> Heuristic<G> for Weighted {
    type Trace = ();

    fn name(&self) -> String {
        self.name.into()
    }

    fn judge(&self) -> Judge {
        if self.name == PIECES { Judge::Pieces } else { Judge::Squares }
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
                let whose = Whose::by_sign(f64::from(board.squares[cell].signed(side)));
                Reason::term(What::Stone { whose }, f64::from(worth), vec![cell as u16])
                    .of_input(cell)
                    .at_end()
            })
            .collect();
        terms.sort_by(|a, b| b.worth.abs().total_cmp(&a.worth.abs()));
        terms.truncate(6);
        terms
    }
}

/// The race, in games that are one: who has fewer pips to go.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    half: f32,
}

impl Race {
    /// None where the game is no race.
    pub fn of<G: Game>(game: &G) -> Option<Race> {
        match game.facts().hand {
            Some(Hand::Race { half }) => Some(Race { half }),
            _ => None,
        }
    }
}

impl<G: Game> Heuristic<G> for Race {
    type Trace = ();

    fn name(&self) -> String {
        "pips".into()
    }

    fn judge(&self) -> Judge {
        Judge::Race
    }

    fn value(&mut self, game: &G, state: &G::State, (): &(), side: Side) -> f32 {
        squash(game.race(state, side), self.half)
    }
}

/// Any of them, or none: one type, so that a search is compiled once for all. Which one it is never changes during a search, so the
/// question costs nothing that can be measured.
#[derive(Clone, Debug)]
pub enum HandMade {
    /// Every unfinished position is even.
    Zero(Zero),
    /// Open lines.
    Lines(Lines),
    /// Weights of the cells.
    Squares(Weighted),
    /// Who leads the race.
    Race(Race),
}

macro_rules! of_each {
    ($this:expr, $hand:ident => $call:expr) => {
        match $this {
            HandMade::Zero($hand) => $call,
            HandMade::Lines($hand) => $call,
            HandMade::Squares($hand) => $call,
            HandMade::Race($hand) => $call,
        }
    };
}

impl<G: Game> Heuristic<G> for HandMade {
    type Trace = ();

    fn name(&self) -> String {
        of_each!(self, hand => Heuristic::<G>::name(hand))
    }

    fn judge(&self) -> Judge {
        of_each!(self, hand => Heuristic::<G>::judge(hand))
    }

    #[inline]
    fn value(&mut self, game: &G, state: &G::State, trace: &(), side: Side) -> f32 {
        of_each!(self, hand => hand.value(game, state, trace, side))
    }

    fn mute(&mut self, muted: &dyn Fn(u32) -> bool) -> bool {
        of_each!(self, hand => Heuristic::<G>::mute(hand, muted))
    }

    fn terms(&mut self, game: &G, state: &G::State, side: Side) -> Vec<Reason> {
        of_each!(self, hand => hand.terms(game, state, side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Move;
    use ludens_games::connect_four::ConnectFour;
    use ludens_games::line::{Gravity, Line};

    /// Connect Four keeps its stones in columns, the falling line game of the same size in rows.
    #[test]
    fn connect_four_has_69_lines_however_its_stones_are_kept() {
        let rows = Gravity::new(7, 6, 4).unwrap();
        let (mut lines, mut in_rows) = (Lines::of(&ConnectFour).unwrap(), Lines::of(&rows).unwrap());
        assert_eq!((lines.lines.len(), in_rows.lines.len()), (69, 69));
        let mut rng = ludens_core::Rng::new(4);
        let (mut moves, mut compared) = (Vec::new(), 0);
        for _ in 0..200 {
            let (mut state, mut twin) = (ConnectFour.start(), rows.start());
            while !ConnectFour.turn(&state).is_over() {
                for side in Side::BOTH {
                    let value = lines.value(&ConnectFour, &state, &(), side);
                    assert_eq!(value, in_rows.value(&rows, &twin, &(), side));
                    assert!(value.abs() < 1.0);
                    compared += 1;
                }
                ConnectFour.moves(&state, &mut moves);
                let mv: Move = moves[rng.below(moves.len() as u32) as usize];
                ConnectFour.apply(&mut state, mv);
                rows.apply(&mut twin, mv);
            }
        }
        assert!(compared > 1000);
    }

    #[test]
    fn a_muted_line_is_worth_nothing_and_comes_back() {
        let state = ConnectFour.parse("4455").unwrap();
        let mut lines = Lines::of(&ConnectFour).unwrap();
        let whole = lines.value(&ConnectFour, &state, &(), Side::First);
        let terms = lines.terms(&ConnectFour, &state, Side::First);
        let cited = terms[0].input.unwrap();
        let mute = |lines: &mut Lines, muted: &dyn Fn(u32) -> bool| {
            assert!(Heuristic::<ConnectFour>::mute(lines, muted));
        };
        mute(&mut lines, &|input| input == cited);
        assert_ne!(lines.value(&ConnectFour, &state, &(), Side::First), whole);
        assert!(lines.terms(&ConnectFour, &state, Side::First).iter().all(|term| term.input != Some(cited)));
        mute(&mut lines, &|_| true);
        assert_eq!(lines.value(&ConnectFour, &state, &(), Side::First), 0.0);
        mute(&mut lines, &|_| false);
        assert_eq!(lines.value(&ConnectFour, &state, &(), Side::First), whole);
    }

    #[test]
    fn games_without_lines_say_so() {
        assert!(Lines::of(&ludens_games::reversi::Reversi::default()).is_none());
        assert!(Race::of(&ludens_games::backgammon::Backgammon).is_some());
        let game = Line::new(9, 4, 4).unwrap();
        let mut lines = Lines::of(&game).unwrap();
        // 6 in each of 4 rows, 1 in each of 9 columns, 6 slanting either way.
        assert_eq!(lines.lines.len(), 24 + 9 + 12);
        let mut state = game.start();
        game.apply(&mut state, Move(4));
        assert!(lines.value(&game, &state, &(), Side::First) > 0.0);
    }
}

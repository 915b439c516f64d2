//! Backgammon: single games, a win is a win (no gammons, no cube).
//!
//! Each side counts the points from its own end, moves 24 → 1, and has its bar on 25. The dice are chance nodes.
//! The game opens with a roll of one die each, never equal: the higher starts and plays both. That roll is one
//! chance node of 30 outcomes, so neither seat is better than the other.

mod men;
mod plays;
mod text;

use ludens_core::{
    Board, Facts, Game, GameAbout, Hand, IllegalMove, Layout, Move, NO_CELL, Named, Piece, Playout,
    PositionError, Rng, Score, Side, Square, Turn,
};

pub use men::{BAR, MEN, Men, OFF};
pub use plays::{PASS, hops};

/// What the game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Roll {
    /// The roll that decides who starts.
    Opening,
    /// The mover is about to roll.
    Next,
    /// The mover has rolled, higher die first.
    Dice([u8; 2]),
}

/// A position with or without a roll of the dice.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Position {
    /// The men of the first and the second player, each as he counts.
    men: [Men; 2],
    mover: Side,
    roll: Roll,
}

/// Points, bar and tray of one side at the start.
const START: [u8; 26] = [0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0];

/// In chance moves: the second player has won the opening roll.
const SECOND_STARTS: u32 = 64;

impl Position {
    /// A position before or after a roll.
    pub fn new(men: [Men; 2], mover: Side, roll: Roll) -> Position {
        let roll = match roll {
            Roll::Dice([a, b]) => Roll::Dice([a.max(b), a.min(b)]),
            other => other,
        };
        Position { men, mover, roll }
    }

    /// The men of one side, as it counts the points.
    #[inline]
    pub fn men(&self, side: Side) -> &Men {
        &self.men[side.index()]
    }

    /// The side to roll or to play.
    #[inline]
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// What the game waits for.
    #[inline]
    pub fn roll(&self) -> Roll {
        self.roll
    }

    /// The dice, higher first, where the mover has rolled.
    #[inline]
    pub fn dice(&self) -> Option<[u8; 2]> {
        match self.roll {
            Roll::Dice(dice) => Some(dice),
            Roll::Opening | Roll::Next => None,
        }
    }

    /// The side that has borne off all its men, if any.
    #[inline]
    pub fn winner(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.men(side).all_off())
    }

    /// Whether men of the two sides can still meet.
    pub fn contact(&self) -> bool {
        self.men[0].rearmost() + self.men[1].rearmost() > BAR
    }

    /// The 26 numbers of gnubg and pubeval, as `side` sees them: \[0\] minus the other's men on the bar, 1–24 own men
    /// positive and the other's negative, \[25\] own men on the bar.
    pub fn signed(&self, side: Side) -> [i8; 26] {
        let own = self.men(side).counts();
        let other = self.men(side.other()).counts();
        let mut signed: [i8; 26] = std::array::from_fn(|point| own[point] as i8 - other[25 - point] as i8);
        signed[0] = -(other[usize::from(BAR)] as i8);
        signed[usize::from(BAR)] = own[usize::from(BAR)] as i8;
        signed
    }

    /// The position after a play of the mover; the other is about to roll.
    #[inline]
    pub fn after(&self, mv: Move) -> Position {
        let mut after = self.clone();
        after.apply_play(mv);
        after
    }

    #[inline]
    fn apply_play(&mut self, mv: Move) {
        let Roll::Dice(dice) = self.roll else { return };
        let mover = self.mover.index();
        let mut own = self.men[mover];
        let mut other = self.men[1 - mover];
        let mut blots = men::mirrored(other.single());
        for (from, to) in hops(mv, dice) {
            own.shift(from, to);
            let landing = 1u32 << to;
            if blots & landing != 0 {
                blots &= !landing;
                other.shift(BAR - to, BAR);
            }
        }
        self.men[mover] = own;
        self.men[1 - mover] = other;
        self.mover = self.mover.other();
        self.roll = Roll::Next;
    }

    #[inline]
    fn apply_roll(&mut self, mv: Move) {
        if mv.0 & SECOND_STARTS != 0 {
            self.mover = Side::Second;
        }
        self.roll = Roll::Dice([(mv.0 >> 3 & 7) as u8, (mv.0 & 7) as u8]);
    }

    /// Replaces `out` by the distinct plays of the roll, `[PASS]` where there is none; nothing without a roll.
    #[inline]
    pub fn plays(&self, out: &mut Vec<Move>) {
        self.plays_within(4, out);
    }

    /// As [`Position::plays`], with a double of at most so many moves; the rules allow four.
    #[inline]
    pub fn plays_within(&self, most: u32, out: &mut Vec<Move>) {
        match self.roll {
            Roll::Dice(dice) if self.winner().is_none() => {
                let mover = self.mover.index();
                plays::plays(&self.men[mover], &self.men[1 - mover], dice, most, out);
            }
            _ => out.clear(),
        }
    }

    /// Rolls the dice of a chance node.
    #[inline]
    pub fn roll_dice(&mut self, rng: &mut Rng) {
        let opening = self.roll == Roll::Opening;
        let (a, b) = loop {
            let (a, b) = (rng.below(6) + 1, rng.below(6) + 1);
            if !(opening && a == b) {
                break (a, b);
            }
        };
        let second = if opening && b > a { SECOND_STARTS } else { 0 };
        self.apply_roll(Move(second | a.max(b) << 3 | a.min(b)));
    }
}

/// The rules of backgammon.
#[derive(Clone, Copy, Default, Debug)]
pub struct Backgammon;

impl Game for Backgammon {
    type State = Position;

    fn id(&self) -> String {
        "backgammon".into()
    }

    fn about(&self) -> GameAbout {
        GameAbout::new(
            "backgammon",
            "Backgammon",
            "single games, no cube; the dice are chance",
            "a GNU position ID, with the roll after a colon: 4HPwATDgc/ABMA:31",
        )
    }

    fn start(&self) -> Position {
        let men = Men::from_counts(&START);
        Position { men: [men, men], mover: Side::First, roll: Roll::Opening }
    }

    #[inline]
    fn turn(&self, state: &Position) -> Turn {
        match state.roll {
            Roll::Dice(_) => Turn::Player(state.mover),
            // Only a play ends a game, and after a play the roll is still to come.
            Roll::Opening | Roll::Next => match state.winner() {
                Some(winner) => Turn::Over(Score::win_for(winner)),
                None => Turn::Chance,
            },
        }
    }

    fn on_turn(&self, state: &Position) -> Option<Side> {
        (state.roll != Roll::Opening && state.winner().is_none()).then_some(state.mover)
    }

    fn moves(&self, state: &Position, out: &mut Vec<Move>) {
        state.plays(out);
    }

    fn apply(&self, state: &mut Position, mv: Move) {
        match state.roll {
            Roll::Dice(_) => state.apply_play(mv),
            Roll::Opening | Roll::Next => state.apply_roll(mv),
        }
    }

    fn label(&self, state: &Position, mv: Move) -> String {
        match state.roll {
            Roll::Dice(dice) => text::play_label(state, mv, dice),
            Roll::Opening | Roll::Next => text::roll_label(state, mv),
        }
    }

    fn board(&self, state: &Position) -> Board {
        let mut board = board(state);
        self.squares(state, &mut board.squares);
        board
    }

    fn squares(&self, state: &Position, out: &mut Vec<Square>) {
        out.clear();
        out.resize(28, Square::EMPTY);
        for side in Side::BOTH {
            for (point, &count) in state.men(side).counts().iter().enumerate() {
                if count > 0 {
                    out[usize::from(cell(side, point as u8))] = Square { count, ..Square::stone(side) };
                }
            }
        }
    }

    /// Where men may go changes with every roll, and a play moves several: nothing to read off a position.
    fn ends(&self, _: &Position, moves: &[Move], out: &mut Vec<[u16; 2]>) {
        out.clear();
        out.resize(moves.len(), [NO_CELL; 2]);
    }

    fn cells(&self, state: &Position, mv: Move) -> Vec<u16> {
        let Some(dice) = state.dice() else { return Vec::new() };
        let mut cells: Vec<u16> =
            hops(mv, dice).flat_map(|(from, to)| [from, to].map(|point| cell(state.mover, point))).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    fn text(&self, state: &Position) -> String {
        text::write(state)
    }

    fn parse(&self, text: &str) -> Result<Position, PositionError> {
        text::read(text)
    }

    fn facts(&self) -> Facts {
        Facts { hand: Some(Hand::Race { half: 50.0 }), ..Facts::default() }
    }

    fn race(&self, state: &Position, side: Side) -> f32 {
        let [own, other] = [side, side.other()].map(|side| state.men(side).pips() as f32);
        other - own
    }

    fn chance(&self, state: &Position, out: &mut Vec<(Move, f32)>) {
        out.clear();
        if !matches!(self.turn(state), Turn::Chance) {
            return;
        }
        let opening = state.roll == Roll::Opening;
        for high in 1..=6u32 {
            for low in 1..=high {
                let roll = high << 3 | low;
                match (opening, high == low) {
                    (true, true) => {}
                    (true, false) => {
                        out.push((Move(roll), 1.0 / 30.0));
                        out.push((Move(roll | SECOND_STARTS), 1.0 / 30.0));
                    }
                    (false, true) => out.push((Move(roll), 1.0 / 36.0)),
                    (false, false) => out.push((Move(roll), 2.0 / 36.0)),
                }
            }
        }
    }

    /// The 198 inputs of TD-Gammon: for each side and point one, two, three men and half of those beyond; men on
    /// the bar / 2, men off / 15; and who is to move.
    fn encode(&self, state: &Position, side: Side, out: &mut Vec<f32>) {
        out.clear();
        for whose in [side, side.other()] {
            let counts = state.men(whose).counts();
            for &count in &counts[1..=24] {
                let units = [1, 2, 3].map(|level| f32::from(u8::from(count >= level)));
                out.extend(units);
                out.push(f32::from(count.saturating_sub(3)) / 2.0);
            }
            out.push(f32::from(counts[usize::from(BAR)]) / 2.0);
            out.push(f32::from(counts[usize::from(OFF)]) / 15.0);
        }
        let to_move = f32::from(u8::from(state.mover == side));
        out.extend([to_move, 1.0 - to_move]);
    }

    fn playout(&self, state: &mut Position, rng: &mut Rng) -> Playout {
        let mut moves = Vec::with_capacity(256);
        let mut plies = 0;
        loop {
            match self.turn(state) {
                Turn::Over(score) => return Playout { score, plies },
                Turn::Chance => state.roll_dice(rng),
                Turn::Player(_) => {
                    state.plays(&mut moves);
                    state.apply_play(moves[rng.below(moves.len() as u32) as usize]);
                }
            }
            plies += 1;
        }
    }

    fn move_limit(&self) -> Option<u32> {
        Some(plays::LIMIT)
    }

    fn find_move(&self, state: &Position, label: &str) -> Result<Move, IllegalMove> {
        text::find_play(state, label).ok_or_else(|| IllegalMove {
            game: self.id(),
            position: self.text(state),
            label: format!("{:?}", label.trim()),
        })
    }
}

impl Named for Backgammon {
    fn family() -> GameAbout {
        Backgammon.about()
    }

    fn from_name(name: &str) -> Option<Backgammon> {
        (name == "backgammon").then_some(Backgammon)
    }
}

/// The index of [`Board::squares`] of a point as `side` counts it.
fn cell(side: Side, point: u8) -> u16 {
    match (side, point) {
        (Side::First, BAR) => 24,
        (Side::First, OFF) => 25,
        (Side::Second, BAR) => 26,
        (Side::Second, OFF) => 27,
        (Side::First, point) => u16::from(point) - 1,
        (Side::Second, point) => 24 - u16::from(point),
    }
}

/// The picture without its men.
fn board(state: &Position) -> Board {
    let mut notes = vec![
        ("pips of the first".into(), state.men[0].pips().to_string()),
        ("pips of the second".into(), state.men[1].pips().to_string()),
    ];
    if let Some([high, low]) = state.dice() {
        notes.insert(0, ("dice".into(), format!("{high}-{low}")));
    }
    let mut column_names: Vec<String> = (1..=24).map(|point| point.to_string()).collect();
    column_names.extend(
        ["bar of the first", "off of the first", "bar of the second", "off of the second"].map(String::from),
    );
    Board {
        layout: Layout::Points,
        width: 28,
        height: 1,
        squares: Vec::new(),
        pieces: vec![
            Piece::new("empty", '.', None),
            Piece::new("white man", 'o', Some(Side::First)),
            Piece::new("black man", 'x', Some(Side::Second)),
        ],
        notes,
        column_names,
        row_names: vec![String::new()],
    }
}

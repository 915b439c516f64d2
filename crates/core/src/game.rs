//! The rules of a game, and nothing else.

use std::fmt::{self, Debug};
use std::hash::Hash;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Board, Facts, GameAbout, NO_CELL, RecordedGame, Rng, Square};

/// A move is a number that only its game can read; [`Game::label`] says it in words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Move(pub u32);

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Side {
    /// The one who moves first.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// Both players, the first one first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[inline]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first player, 1 for the second: an index for arrays of two.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::First => "first",
            Side::Second => "second",
        })
    }
}

/// The result of a game as the first player sees it: 1 a win, 0 a draw, −1 a loss. Games with graded
/// results (GDL goals) use the values between.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Serialize, Deserialize)]
pub struct Score(pub f32);

impl Score {
    /// The first player has won.
    pub const FIRST_WINS: Score = Score(1.0);
    /// Nobody has won.
    pub const DRAW: Score = Score(0.0);
    /// The second player has won.
    pub const SECOND_WINS: Score = Score(-1.0);

    /// The score of a game that `side` has won.
    #[inline]
    pub fn win_for(side: Side) -> Score {
        match side {
            Side::First => Score::FIRST_WINS,
            Side::Second => Score::SECOND_WINS,
        }
    }

    /// The same result as `side` sees it.
    #[inline]
    pub fn of(self, side: Side) -> f32 {
        match side {
            Side::First => self.0,
            Side::Second => -self.0,
        }
    }
}

/// What happens next in a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Turn {
    /// This player moves.
    Player(Side),
    /// Nature moves: dice. The outcomes are in [`Game::chance`].
    Chance,
    /// The game has ended with this result.
    Over(Score),
}

impl Turn {
    /// Whether the game has ended.
    #[inline]
    pub fn is_over(self) -> bool {
        matches!(self, Turn::Over(_))
    }
}

/// A move that the rules do not allow, and how to find those they do.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "{label} is not a legal move here; `ludens moves {game} --position '{position}'` lists the legal ones"
)]
pub struct IllegalMove {
    /// The name of the game.
    pub game: String,
    /// Where it was tried, as text.
    pub position: String,
    /// The move as it was given.
    pub label: String,
}

/// A position text that cannot be read, and what a readable one looks like.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("cannot read the position {text:?}: {problem}. A {game} position is {format}")]
pub struct PositionError {
    /// The name of the game.
    pub game: String,
    /// The text as it was given.
    pub text: String,
    /// What is wrong with it.
    pub problem: String,
    /// What a position text of the game looks like.
    pub format: String,
}

/// How a random game ended, and after how many applied moves (dice included).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Playout {
    /// The result.
    pub score: Score,
    /// The moves applied until then, dice included.
    pub plies: u32,
}

/// The rules: shared and immutable. A GDL game, loaded at run time, is one more value of this.
///
/// The inner loops of every search are generic over `Game`; none goes through a `dyn`.
pub trait Game: Send + Sync + 'static {
    /// Equal states have the same future.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// The name under which the catalogue knows the game, `connect-four`.
    fn id(&self) -> String;
    /// What a list of games says of it.
    fn about(&self) -> GameAbout {
        GameAbout::of(&self.id())
    }
    /// The position in which a game begins.
    fn start(&self) -> Self::State;
    /// Who moves, or how the game has ended.
    fn turn(&self, state: &Self::State) -> Turn;
    /// Replaces `out` by the legal moves, each once, in a fixed order. Empty only where the game is over
    /// or nature moves.
    fn moves(&self, state: &Self::State, out: &mut Vec<Move>);
    /// Plays a move or a chance outcome that is known to be legal; [`Game::play`] is the checked one.
    fn apply(&self, state: &mut Self::State, mv: Move);
    /// The move as people write it.
    fn label(&self, state: &Self::State, mv: Move) -> String;
    /// The position as people see it.
    fn board(&self, state: &Self::State) -> Board;
    /// The cells a move speaks of, as indices of [`Board::squares`]; the screens light them and click on them.
    fn cells(&self, state: &Self::State, mv: Move) -> Vec<u16>;

    /// Replaces `out` by what stands on the squares: [`Board::squares`] without the rest of the picture, for those who look often.
    fn squares(&self, state: &Self::State, out: &mut Vec<Square>) {
        out.clear();
        out.extend(self.board(state).squares);
    }

    /// Replaces `out` by the squares that each of these legal moves comes from and goes to, as far as that can be told without making it;
    /// [`NO_CELL`] stands for none.
    fn ends(&self, state: &Self::State, moves: &[Move], out: &mut Vec<[u16; 2]>) {
        out.clear();
        out.extend(moves.iter().map(|mv| match self.cells(state, *mv)[..] {
            [] => [NO_CELL; 2],
            [to] => [NO_CELL, to],
            [from, .., to] => [from, to],
        }));
    }

    /// The position as text, read back by [`Game::parse`].
    fn text(&self, state: &Self::State) -> String;
    /// Reads what [`Game::text`] wrote, or what a person did.
    fn parse(&self, text: &str) -> Result<Self::State, PositionError>;

    /// Whose turn it is, as far as the position says: at a throw of dice, who throws.
    fn on_turn(&self, state: &Self::State) -> Option<Side> {
        match self.turn(state) {
            Turn::Player(side) => Some(side),
            Turn::Chance | Turn::Over(_) => None,
        }
    }

    /// Replaces `out` by the outcomes of a chance node with their probabilities, which sum to 1.
    fn chance(&self, _state: &Self::State, out: &mut Vec<(Move, f32)>) {
        out.clear();
    }

    /// The inputs of a network, as `side` sees them: by convention 1 own, −1 the other's, 0 empty.
    /// The length is always [`Game::encoding_len`].
    fn encode(&self, state: &Self::State, side: Side, out: &mut Vec<f32>) {
        out.clear();
        out.extend(self.board(state).squares.iter().map(|square| square.signed(side)));
    }

    /// How many inputs [`Game::encode`] makes, the same number in every position.
    fn encoding_len(&self) -> usize {
        let mut inputs = Vec::new();
        self.encode(&self.start(), Side::First, &mut inputs);
        inputs.len()
    }

    /// What is known of the game beside its rules.
    fn facts(&self) -> Facts {
        Facts::default()
    }

    /// The stones of the first and of the second player as sets of bits, where [`Facts::bits`] says which cell a bit is.
    fn stones(&self, _state: &Self::State) -> [u64; 2] {
        [0; 2]
    }

    /// Connect Four on seven columns and six rows, its stones in columns of seven bits: what engines made for that very board need.
    fn is_connect_four(&self) -> bool {
        false
    }

    /// How far `side` is ahead in a race, where the game is one ([`crate::Hand::Race`]).
    fn race(&self, _state: &Self::State, _side: Side) -> f32 {
        0.0
    }

    /// Many uniformly random games with all their positions, where the game has a machine that plays many at once.
    fn recorded_games(&self, _longest: u32, _rng: &mut Rng) -> Option<Vec<RecordedGame>> {
        None
    }

    /// One uniformly random game to its end. `state` is left at the end. A game overrides this where it
    /// can draw a random move faster than by listing them all; the distribution must stay the same.
    fn playout(&self, state: &mut Self::State, rng: &mut Rng) -> Playout {
        uniform_playout(self, state, rng)
    }

    /// The leaves `depth` plies below a state, finished games included. A game overrides this where it can count
    /// faster than by listing; the count must stay the same.
    fn perft(&self, state: &Self::State, depth: u32) -> u64 {
        crate::perft::leaves_and_ends(self, state, depth)
    }

    /// The images of a state under the declared symmetries of the game (the identity left out), in a fixed
    /// order that [`Game::mirror_move`] follows.
    fn mirrors(&self, _state: &Self::State) -> Vec<Self::State> {
        Vec::new()
    }

    /// The image of a move under symmetry number `which` of [`Game::mirrors`].
    fn mirror_move(&self, _state: &Self::State, mv: Move, _which: usize) -> Move {
        mv
    }

    /// An upper bound on the plies of a game, where there is one; searches of games without a bound limit
    /// their depth themselves.
    fn max_plies(&self) -> Option<u32> {
        None
    }

    /// Every number of a player's move is below this, where the game says so: how many outputs a network needs that has one a move.
    fn move_limit(&self) -> Option<u32> {
        None
    }

    /// Plays a move after checking that it is legal.
    fn play(&self, state: &mut Self::State, mv: Move) -> Result<(), IllegalMove> {
        let legal = match self.turn(state) {
            Turn::Player(_) => {
                let mut moves = Vec::new();
                self.moves(state, &mut moves);
                moves.contains(&mv)
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.chance(state, &mut outcomes);
                outcomes.iter().any(|(outcome, _)| *outcome == mv)
            }
            Turn::Over(_) => false,
        };
        if !legal {
            return Err(IllegalMove {
                game: self.id(),
                position: self.text(state),
                label: format!("move number {}", mv.0),
            });
        }
        self.apply(state, mv);
        Ok(())
    }

    /// The legal move that people write as `label` (case and surrounding space do not matter).
    fn find_move(&self, state: &Self::State, label: &str) -> Result<Move, IllegalMove> {
        let wanted = label.trim();
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        moves.into_iter().find(|&mv| self.label(state, mv).eq_ignore_ascii_case(wanted)).ok_or_else(|| {
            IllegalMove { game: self.id(), position: self.text(state), label: format!("{wanted:?}") }
        })
    }
}

/// The playout every game has by default: list the moves, draw one, apply it.
pub fn uniform_playout<G: Game + ?Sized>(game: &G, state: &mut G::State, rng: &mut Rng) -> Playout {
    let mut moves = Vec::new();
    let mut outcomes = Vec::new();
    let mut plies = 0;
    loop {
        let mv = match game.turn(state) {
            Turn::Over(score) => return Playout { score, plies },
            Turn::Player(_) => {
                game.moves(state, &mut moves);
                moves[rng.below(moves.len() as u32) as usize]
            }
            Turn::Chance => {
                game.chance(state, &mut outcomes);
                rng.outcome(&outcomes)
            }
        };
        game.apply(state, mv);
        plies += 1;
    }
}

/// A game that can be made from its name: one name, or a family of sizes.
pub trait Named: Game + Sized {
    /// What a list of games says of it: the game itself, or a family by its usual member.
    fn family() -> GameAbout;

    /// The game called `name`, if it is this one or of this family.
    fn from_name(name: &str) -> Option<Self>;

    /// What such names may say of a size, in words; empty where they say none.
    fn sizes() -> &'static str {
        ""
    }
}

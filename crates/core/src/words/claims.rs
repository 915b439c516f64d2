//! What is true of a move, in the terms in which people think of it: it wins, it blocks, it makes two threats at once. A claim is read off
//! the rules (and, in games of lines, off the lines the game states), so that whatever is said of it can be checked.

use serde::{Deserialize, Serialize};

use crate::{Board, Facts, Game, Layout, Move, Side, Turn};

/// Something true of a move. Cells are indices of [`Board::squares`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Claim {
    /// The game is won with it; `line` is the line it completes, where the game is about lines.
    Wins {
        /// The completed line, or nothing.
        line: Vec<u16>,
    },
    /// It takes the last free cell of a line that the other side has otherwise filled.
    Blocks {
        /// The cells of the other side.
        held: Vec<u16>,
        /// The cell taken.
        at: u16,
    },
    /// Every other move lets the other side win at once; this one does not.
    OnlyMove,
    /// The other side wins at once after most other moves, not after this one.
    MostLose,
    /// Next it wins at any of these cells, and no answer stops them all.
    Fork {
        /// Where it would win.
        at: Vec<u16>,
    },
    /// Next it wins at this cell, unless that is answered.
    Threat {
        /// Where it would win.
        at: u16,
    },
    /// The other side wins at once, here.
    LetsWin {
        /// Where the other side would win.
        at: Vec<u16>,
    },
    /// The other side wins at once whatever is played; here, after this move.
    CannotStop {
        /// Where the other side would win.
        at: Vec<u16>,
    },
    /// Pieces of the other side become its own.
    Turns {
        /// How many.
        count: u32,
    },
    /// Pieces of the other side leave the board, or their place.
    Takes {
        /// Where they stood.
        at: Vec<u16>,
    },
    /// It occupies a corner of the board.
    Corner {
        /// Which.
        at: u16,
    },
    /// The other side can occupy a corner next, which another move would not have allowed.
    GivesCorner {
        /// Which.
        at: u16,
    },
    /// Men of the other side are sent to the bar.
    Hits {
        /// Where they stood.
        at: Vec<u16>,
    },
    /// Points get their second man.
    MakesPoint {
        /// Which.
        at: Vec<u16>,
    },
    /// Men that stood together or elsewhere stand alone now where the other side still comes by.
    LeavesBlot {
        /// Where.
        at: Vec<u16>,
    },
    /// Men leave the board.
    BearsOff {
        /// How many.
        count: u32,
    },
    /// There is no other move.
    Forced,
}

impl Claim {
    /// Whether it speaks against the move.
    pub fn is_bad(&self) -> bool {
        matches!(
            self,
            Claim::LetsWin { .. }
                | Claim::CannotStop { .. }
                | Claim::GivesCorner { .. }
                | Claim::LeavesBlot { .. }
        )
    }

    /// Whether the other side wins at once because of it.
    pub fn loses(&self) -> bool {
        matches!(self, Claim::LetsWin { .. } | Claim::CannotStop { .. })
    }

    /// Whether it says the same of another move.
    pub fn is_like(&self, other: &Claim) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// A position in which more moves than this are legal is not looked into: it would take too long for a word.
const MOST_MOVES: usize = 100;

/// A position with everything that can happen in two plies, from which the claims of every move are read.
pub struct Tactics<'g, G: Game> {
    game: &'g G,
    state: &'g G::State,
    side: Side,
    facts: Facts,
    board: Board,
    nexts: Vec<Next<G::State>>,
}

impl<G: Game> std::fmt::Debug for Tactics<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tactics").field("moves", &self.nexts.len()).finish_non_exhaustive()
    }
}

/// A move and what can follow it.
struct Next<S> {
    mv: Move,
    state: S,
    won: bool,
    /// The answers that win for the other side; none where it is not its turn.
    refutations: Vec<Move>,
}

impl<'g, G: Game> Tactics<'g, G> {
    /// Looks two plies ahead; none where nobody is to move or there is too much to look at.
    pub fn new(game: &'g G, state: &'g G::State) -> Option<Tactics<'g, G>> {
        let Turn::Player(side) = game.turn(state) else { return None };
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        if moves.len() > MOST_MOVES {
            return None;
        }
        let next = |mv: Move| {
            let after = applied(game, state, mv);
            let won = is_won(game, &after, side);
            let refutations = winning_moves(game, &after, side.other())?;
            Some(Next { mv, state: after, won, refutations })
        };
        let nexts = moves.into_iter().map(next).collect::<Option<Vec<_>>>()?;
        Some(Tactics { game, state, side, facts: game.facts(), board: game.board(state), nexts })
    }

    /// What is true of a legal move, the weightiest first.
    pub fn claims(&self, mv: Move) -> Vec<Claim> {
        let Some(next) = self.nexts.iter().find(|next| next.mv == mv) else { return Vec::new() };
        let after = self.game.board(&next.state);
        if next.won {
            return vec![Claim::Wins { line: self.completed(&after) }];
        }
        let mut claims = Vec::new();
        claims.extend(self.defence(next));
        claims.extend(self.attack(next));
        claims.extend(self.mistake(next));
        claims.extend(self.changes(&after, next));
        claims.extend(self.corners(next));
        if self.board.layout == Layout::Points {
            claims.extend(super::points::claims(&self.board, &after, self.side));
        }
        if self.nexts.len() == 1 {
            claims.push(Claim::Forced);
        }
        claims
    }

    /// The line of the mover's own stones that is full now.
    fn completed(&self, after: &Board) -> Vec<u16> {
        let own = |cell: &u16| after.squares[usize::from(*cell)].side == Some(self.side);
        self.facts.lines.iter().find(|line| line.iter().all(own)).cloned().unwrap_or_default()
    }

    /// The cell a move puts a stone on, where it puts one.
    fn cell(&self, state: &G::State, mv: Move) -> Option<u16> {
        self.game.cells(state, mv).last().copied()
    }

    fn defence(&self, next: &Next<G::State>) -> Option<Claim> {
        if !next.refutations.is_empty() {
            return None;
        }
        let at = self.cell(self.state, next.mv);
        let of = |cell: u16| self.board.squares[usize::from(cell)].side;
        let blocked = self.facts.lines.iter().find_map(|line| {
            let at = at.filter(|at| line.contains(at) && of(*at).is_none())?;
            let held: Vec<u16> = line.iter().copied().filter(|cell| *cell != at).collect();
            let theirs = held.iter().all(|cell| of(*cell) == Some(self.side.other()));
            theirs.then_some(Claim::Blocks { held, at })
        });
        let others = || self.nexts.iter().filter(|other| other.mv != next.mv);
        let lost = others().filter(|other| !other.refutations.is_empty()).count();
        match blocked {
            Some(block) => Some(block),
            None if lost > 0 && lost == others().count() => Some(Claim::OnlyMove),
            None if 2 * lost > others().count() => Some(Claim::MostLose),
            None => None,
        }
    }

    /// What it threatens: where it would win next, whatever the answer, or unless it is answered.
    fn attack(&self, next: &Next<G::State>) -> Option<Claim> {
        if !next.refutations.is_empty() || self.facts.lines.is_empty() {
            return None;
        }
        let mut at = self.open_wins(&next.state);
        at.sort_unstable();
        at.dedup();
        if at.len() > 1 && self.one_answer_stops_one(&next.state, &at) {
            return Some(Claim::Fork { at });
        }
        at.into_iter().find(|at| self.can_follow(&next.state, *at)).map(|at| Claim::Threat { at })
    }

    /// The cells on which the mover would complete a line with its next stone, as the board stands.
    fn open_wins(&self, after: &G::State) -> Vec<u16> {
        let board = self.game.board(after);
        let side = |cell: u16| board.squares[usize::from(cell)].side;
        let mut replies = Vec::new();
        self.game.moves(after, &mut replies);
        let playable: Vec<u16> =
            replies.iter().filter_map(|&reply| self.game.cells(after, reply).last().copied()).collect();
        let missing = |line: &Vec<u16>| {
            let mut open = line.iter().copied().filter(|cell| side(*cell) != Some(self.side));
            let one = open.next()?;
            (open.next().is_none() && side(one).is_none() && playable.contains(&one)).then_some(one)
        };
        self.facts.lines.iter().filter_map(missing).collect()
    }

    /// Whether there is an answer after which the mover wins on this cell: near the end the only answer may be there.
    fn can_follow(&self, after: &G::State, at: u16) -> bool {
        let mut replies = Vec::new();
        self.game.moves(after, &mut replies);
        replies.iter().any(|&reply| {
            let answered = applied(self.game, after, reply);
            let wins = winning_moves(self.game, &answered, self.side).unwrap_or_default();
            wins.iter().any(|&win| self.cell(&answered, win) == Some(at))
        })
    }

    /// Whether after every answer the mover still wins on all of these cells but one.
    fn one_answer_stops_one(&self, after: &G::State, at: &[u16]) -> bool {
        let Turn::Player(other) = self.game.turn(after) else { return false };
        let mut replies = Vec::new();
        self.game.moves(after, &mut replies);
        other != self.side
            && replies.iter().all(|&reply| {
                let answered = applied(self.game, after, reply);
                let wins = winning_moves(self.game, &answered, self.side).unwrap_or_default();
                let cells: Vec<u16> = wins.iter().filter_map(|&win| self.cell(&answered, win)).collect();
                at.iter().filter(|cell| cells.contains(cell)).count() + 1 >= at.len()
            })
    }

    fn mistake(&self, next: &Next<G::State>) -> Option<Claim> {
        if next.refutations.is_empty() {
            return None;
        }
        let other_holds = self.nexts.iter().any(|other| other.refutations.is_empty());
        let mut at: Vec<u16> =
            next.refutations.iter().filter_map(|&reply| self.cell(&next.state, reply)).collect();
        at.sort_unstable();
        at.dedup();
        Some(if other_holds { Claim::LetsWin { at } } else { Claim::CannotStop { at } })
    }

    /// What it does to the pieces of the other side.
    fn changes(&self, after: &Board, next: &Next<G::State>) -> Option<Claim> {
        if self.board.layout == Layout::Points {
            return None;
        }
        let (mut turned, mut gone, mut own) = (0u32, Vec::new(), [0u32; 2]);
        for (cell, (was, is)) in self.board.squares.iter().zip(&after.squares).enumerate() {
            own[0] += u32::from(was.side == Some(self.side));
            own[1] += u32::from(is.side == Some(self.side));
            if was.side == Some(self.side.other()) && is.side != was.side {
                turned += u32::from(is.side == Some(self.side));
                gone.push(cell as u16);
            }
        }
        // A stone was put down and others changed sides, or a piece moved and took one.
        let placed = turned > 0 && own[1] == own[0] + turned + 1;
        if gone.is_empty() {
            None
        } else if placed {
            Some(Claim::Turns { count: turned })
        } else if self.cell(self.state, next.mv).is_some() {
            Some(Claim::Takes { at: gone })
        } else {
            None
        }
    }

    /// Corners count where stones that lie there stay: on boards without lines and without falling stones.
    fn corners(&self, next: &Next<G::State>) -> Option<Claim> {
        if self.board.layout != Layout::Grid || !self.facts.lines.is_empty() || self.facts.hand.is_none() {
            return None;
        }
        let (width, height) = (self.board.width, self.board.height);
        let corners = [0, width - 1, (height - 1) * width, height * width - 1];
        if let Some(at) = self.cell(self.state, next.mv).filter(|at| corners.contains(at)) {
            return Some(Claim::Corner { at });
        }
        let open = |state: &G::State| -> Vec<u16> {
            let mut replies = Vec::new();
            if self.game.turn(state) == Turn::Player(self.side.other()) {
                self.game.moves(state, &mut replies);
            }
            replies.iter().filter_map(|&reply| self.cell(state, reply)).collect()
        };
        let given = open(&next.state);
        corners.into_iter().filter(|at| given.contains(at)).find_map(|at| {
            let avoidable = self.nexts.iter().any(|other| !open(&other.state).contains(&at));
            avoidable.then_some(Claim::GivesCorner { at })
        })
    }
}

fn applied<G: Game>(game: &G, state: &G::State, mv: Move) -> G::State {
    let mut after = state.clone();
    game.apply(&mut after, mv);
    after
}

fn is_won<G: Game>(game: &G, state: &G::State, side: Side) -> bool {
    matches!(game.turn(state), Turn::Over(score) if score.of(side) > 0.0)
}

/// The moves that win at once for `side`; nothing where it is not its turn, none where there are too many to try.
fn winning_moves<G: Game>(game: &G, state: &G::State, side: Side) -> Option<Vec<Move>> {
    if game.turn(state) != Turn::Player(side) {
        return Some(Vec::new());
    }
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    if moves.len() > MOST_MOVES {
        return None;
    }
    moves.retain(|&mv| is_won(game, &applied(game, state, mv), side));
    Some(moves)
}

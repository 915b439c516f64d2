//! What a reason speaks of, typed: a line of play, an open line, a blot, a concept. Minds say which; how it reads stands in [`super::say`].
//! The mover is the side whose move is explained, whoever is spoken to.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Whose something is, as the mover sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whose {
    /// The mover's.
    Own,
    /// The other side's.
    Theirs,
    /// Of both, or of nobody.
    Both,
}

impl Whose {
    /// By the sign of an input as the mover sees it.
    pub fn by_sign(input: f64) -> Whose {
        if input > 0.0 {
            Whose::Own
        } else if input < 0.0 {
            Whose::Theirs
        } else {
            Whose::Both
        }
    }
}

/// How a game ends for the mover.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// The mover wins.
    Won,
    /// Nobody wins.
    Drawn,
    /// The other side wins.
    Lost,
}

impl Fate {
    /// By the sign of a result.
    pub fn by_sign(result: f64) -> Fate {
        if result > 0.0 {
            Fate::Won
        } else if result < 0.0 {
            Fate::Lost
        } else {
            Fate::Drawn
        }
    }
}

/// What a line of play shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shows {
    /// The best play of both sides after the move.
    Best,
    /// The answer because of which the move is no better than this.
    Answer,
    /// What was tried most.
    Tried,
    /// Nothing: the budget was spent before the move was looked at.
    Unseen,
}

/// When something is so that a reason speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// In the position in which the move is made.
    Before,
    /// In the position after it.
    #[default]
    After,
    /// At the end of the line of play.
    End,
}

/// What lies on a cell in a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Lies {
    /// An index of [`crate::Board::squares`].
    pub cell: u16,
    /// An index of [`crate::Board::pieces`]; 0 is an empty cell.
    pub piece: u8,
}

/// What a reason speaks of. Its cells, where it has any, are those of the reason.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum What {
    /// A line of play; its moves are the reason's.
    Play {
        /// What it shows.
        shows: Shows,
    },
    /// Games played to the end with random moves.
    Trials {
        /// How many.
        games: u64,
    },
    /// What was thought of the move before anything was tried.
    Inclination,
    /// The end of the game with best play of both sides, as it was solved.
    Outlook {
        /// How it ends.
        fate: Fate,
        /// With which move of the winner's own, counted from now; 0 for a draw.
        moves: u32,
    },
    /// Ranked, not solved.
    Unsolved,
    /// The move wins the game.
    Win,
    /// A stone on the cell.
    Stone {
        /// Whose.
        whose: Whose,
    },
    /// The cell, whatever lies on it.
    Square,
    /// A line of cells that somebody may fill.
    Line {
        /// Stones of the mover in it.
        own: u8,
        /// Stones of the other side in it.
        other: u8,
        /// Empty cells of it.
        open: u8,
        /// Discs that must fall before its emptiest cell can be filled; 0 where that is not counted.
        wait: u8,
    },
    /// A line of the other side that the move takes a cell of.
    Spoils {
        /// Stones of the other side in it.
        other: u8,
    },
    /// Something about the cell above the disc.
    Above {
        /// What.
        what: Box<What>,
    },
    /// A cell that completes a line for somebody.
    WinningSquare {
        /// For whom.
        whose: Whose,
        /// Cells below it that must be filled first.
        wait: u8,
    },
    /// Pieces on certain cells.
    Pattern {
        /// What lies where.
        pieces: Arc<[Lies]>,
    },
    /// Moves that a side has.
    Moves {
        /// Which side.
        whose: Whose,
        /// How many.
        count: u32,
    },
    /// Something people have a name for.
    Notion {
        /// Which.
        notion: Notion,
        /// Whose.
        whose: Whose,
    },
    /// Two things at once.
    Pair {
        /// The one.
        first: Box<What>,
        /// The other.
        second: Box<What>,
    },
    /// A man of the other side is hit.
    Hit,
    /// A man that stands alone on its point.
    Blot {
        /// Whose.
        whose: Whose,
    },
    /// Men on a point.
    Men {
        /// Whose.
        whose: Whose,
        /// How many.
        count: u8,
    },
    /// Points held side by side.
    Block {
        /// How many points.
        size: u8,
    },
    /// Men on the bar.
    Bar {
        /// Whose.
        whose: Whose,
        /// How many.
        count: u8,
    },
    /// Men borne off.
    Off {
        /// Whose.
        whose: Whose,
        /// How many.
        count: u8,
    },
    /// No contact is left: who is quicker wins.
    Race,
    /// An input of a network that has no name.
    Input {
        /// Which.
        number: u32,
    },
    /// A remembered position that is like this one.
    Resembles {
        /// In how many inputs they differ.
        apart: u32,
    },
    /// All that is not said one by one.
    Rest {
        /// How many things; 0 where they were not counted.
        terms: u32,
    },
    /// What counts before the position is looked at.
    Start,
    /// A mind's own words.
    Words {
        /// The words.
        text: String,
    },
}

impl From<&str> for What {
    fn from(text: &str) -> What {
        What::Words { text: text.into() }
    }
}

impl From<String> for What {
    fn from(text: String) -> What {
        What::Words { text }
    }
}

/// Things with a name of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Notion {
    // Lines of falling discs.
    /// Cells in this row, counted from 1 at the bottom, that complete a line.
    WinsInRow(u8),
    /// Two winning cells, one above the other.
    WinsStacked,
    /// Winning cells that can be played now.
    WinsNow,
    /// Winning cells just above a playable one.
    WinsNext,
    /// Open lines that stand upright, with so many stones.
    Upright(u8),
    /// Open lines that lie flat, with so many stones.
    Flat(u8),
    /// Open lines that slant, with so many stones.
    Slanting(u8),
    /// Stones so many columns from the middle one.
    FromMiddle(u8),
    /// A winning cell in an odd row that the second player will have to make playable.
    OddZugzwang,
    /// A winning cell in an even row that the first player will have to make playable.
    EvenZugzwang,
    /// Only one side has such a cell.
    LoneZugzwang,
    /// A threat to win that must be answered.
    MustAnswer,
    /// Two threats at once can be made next.
    ForkNext,
    /// Nobody can make two threats at once next.
    NoForkNext,
    /// The next disc can win.
    WinNext,
    /// The cell above the disc wins.
    WinAbove,
    /// The next disc wins for nobody, nor does the cell above.
    QuietAbove,
    /// So many columns are open, so many of them with an odd number of cells left.
    OpenColumns(u8, u8),
    /// So many discs lie on the board.
    Discs(u8),
    /// The other side can still win if the mover only answers in the same column.
    FollowFails,
    /// Who always answers in the same column cannot lose.
    FollowHolds,
    /// Who always answers in the same column wins.
    FollowWins,
    // Backgammon.
    /// Pips to go.
    Pips,
    /// Rolls that hit a blot.
    Shots,
    /// What such a hit costs.
    HitCost,
    /// Points made at home.
    HomePoints,
    /// Shots at the blots, times the other side's points at home.
    Danger,
    /// The longest wall of points.
    Wall,
    /// Men held behind that wall.
    Trapped,
    /// Men on the bar.
    OnBar,
    /// Points made in the other side's home.
    Anchors,
    /// Men in the other side's home.
    Back,
    /// Men borne off.
    BorneOff,
    /// Men stacked beyond three.
    Stacked,
    /// Blots at home.
    HomeBlots,
    /// Blots outside.
    OuterBlots,
    /// The way ahead of the rearmost man is blocked.
    WayBlocked,
    /// Men still to come home.
    ToComeHome,
    /// Men on the bar before a closed home.
    ShutOut,
    /// Nobody can hit any more.
    RaceOn,
    /// The lead in the race.
    Lead,
    /// The lead in a race without contact.
    PureLead,
    /// The other side cannot come in from the bar.
    Dances,
    /// This point is made.
    MadePoint(u8),
    /// The position as such.
    AnyPosition,
}

impl Notion {
    /// Whether it counts good things of a side: more of them are better for it.
    pub(super) fn is_count(self) -> bool {
        matches!(
            self,
            Notion::WinsInRow(_)
                | Notion::WinsStacked
                | Notion::WinsNow
                | Notion::WinsNext
                | Notion::Upright(_)
                | Notion::Flat(_)
                | Notion::Slanting(_)
                | Notion::FromMiddle(_)
                | Notion::OddZugzwang
                | Notion::EvenZugzwang
                | Notion::LoneZugzwang
        )
    }

    /// The notion as a reason speaks of it.
    pub fn of(self, whose: Whose) -> What {
        What::Notion { notion: self, whose }
    }
}

//! What a game is made of: who sits where, what was played, how it ended early, and what is asked for when one begins.

use ludens_core::{Move, Side};
use serde::{Deserialize, Serialize};

use crate::error::ApiResult;
use crate::look::Said;
use crate::thinkers::Level;

/// Who sits on a side. `mind` is absent for a person.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Seat {
    Human {},
    Mind {
        mind: String,
        #[serde(default)]
        level: Level,
    },
}

impl Seat {
    pub(crate) fn name(&self) -> &str {
        match self {
            Seat::Human {} => "human",
            Seat::Mind { mind, .. } => mind,
        }
    }

    pub(crate) fn checked(self) -> ApiResult<Seat> {
        if let Seat::Mind { level, .. } = &self {
            level.checked()?;
        }
        Ok(self)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PlayedBy {
    Human,
    Mind,
    Chance,
}

/// One applied move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Ply {
    pub(crate) mv: Move,
    pub(crate) label: String,
    pub(crate) by: PlayedBy,
    pub(crate) side: Option<Side>,
    /// What the player took to decide.
    pub(crate) ms: f64,
    /// The cells the move speaks of, to be lit on the board.
    pub(crate) cells: Vec<u16>,
    /// Whether the mind's reasons are kept.
    pub(crate) explained: bool,
}

/// A game that ended before its rules ended it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Over {
    pub(crate) winner: Side,
    pub(crate) by: EndedBy,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EndedBy {
    /// A person gave up.
    Resignation,
    /// A person's clock ran out.
    Time,
}

/// What a client asks for when it begins a game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    pub(crate) game: String,
    pub(crate) seats: [Seat; 2],
    #[serde(default)]
    pub(crate) position: Option<String>,
    /// Decides the dice and every draw; the same seed and the same moves give the same game.
    #[serde(default)]
    pub(crate) seed: Option<u32>,
    /// Moves that were made already: a game that was brought along, or gone on with from a place in it.
    #[serde(default)]
    pub(crate) moves: Vec<Said>,
    /// A clock of so many minutes a side; none where nobody is timed.
    #[serde(default)]
    pub(crate) minutes: Option<f64>,
}

//! Everything a tournament's result depends on, as one value that can be written down.

use serde::{Deserialize, Serialize};

use ludens_core::Budget;

use crate::{ArenaError, sprt::Sprt};

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody; with two minds this is a match.
    #[default]
    RoundRobin,
    /// The first mind meets each of the others.
    Gauntlet,
}

/// A tournament. Two equal values give equal reports, whatever the machine and the number of threads
/// (unless thinking is limited by time).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tournament {
    /// The name of the game.
    pub game: String,
    /// The minds by their names, settings included.
    pub minds: Vec<String>,
    /// Who meets whom.
    #[serde(default)]
    pub format: Format,
    /// Pairs of games for each pairing of minds: games = 2 × pairs.
    pub pairs: u32,
    /// All openings, dice and choices of minds follow from it.
    #[serde(default)]
    pub seed: u64,
    /// Random moves at the beginning, the same in both games of a pair.
    #[serde(default)]
    pub opening_plies: u32,
    /// The two games of a pair see the same rolls of the dice.
    #[serde(default = "yes")]
    pub paired_dice: bool,
    /// States a mind may examine for one move; without it the mind's own settings decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Milliseconds for one move. Such results do not repeat exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<u64>,
    /// A game still going after so many applied moves is a draw.
    #[serde(default = "default_max_plies")]
    pub max_plies: u32,
    /// The share of decisions of both sides that are random legal moves: minds without chance then play many different games.
    #[serde(default, skip_serializing_if = "is_none")]
    pub random_moves: f64,
    /// A mind that fails loses that game, and how often is told; else the first failure ends the tournament.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forfeits: bool,
    /// Stop as soon as the first mind is shown to be better or not better than the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

fn is_none(share: &f64) -> bool {
    *share == 0.0
}

fn yes() -> bool {
    true
}

fn default_max_plies() -> u32 {
    5_000
}

/// The longest opening.
const LONGEST_OPENING: u32 = 1_000;

impl Tournament {
    /// 100 games a pairing from openings of two random plies.
    pub fn new(game: &str, minds: &[&str]) -> Tournament {
        Tournament {
            game: game.into(),
            minds: minds.iter().map(|mind| mind.to_string()).collect(),
            format: Format::RoundRobin,
            pairs: 50,
            seed: 0,
            opening_plies: 2,
            paired_dice: true,
            states: None,
            milliseconds: None,
            max_plies: default_max_plies(),
            random_moves: 0.0,
            forfeits: false,
            sprt: None,
        }
    }

    /// Games for each pairing, rounded up to whole pairs.
    #[must_use]
    pub fn games(mut self, games: u32) -> Tournament {
        self.pairs = games.div_ceil(2);
        self
    }

    /// With this seed.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Tournament {
        self.seed = seed;
        self
    }

    /// With so many random moves at the beginning.
    #[must_use]
    pub fn opening_plies(mut self, plies: u32) -> Tournament {
        self.opening_plies = plies;
        self
    }

    /// With these meetings.
    #[must_use]
    pub fn format(mut self, format: Format) -> Tournament {
        self.format = format;
        self
    }

    /// With so many states for one move.
    #[must_use]
    pub fn states(mut self, states: u64) -> Tournament {
        self.states = Some(states);
        self
    }

    /// With a sequential test between the two minds.
    #[must_use]
    pub fn sprt(mut self, sprt: Sprt) -> Tournament {
        self.sprt = Some(sprt);
        self
    }

    /// The pairings of minds, as indices; the report lists them in this order.
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        let count = self.minds.len();
        match self.format {
            Format::RoundRobin => (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect(),
            Format::Gauntlet => (1..count).map(|b| (0, b)).collect(),
        }
    }

    /// All games the tournament can have.
    pub fn total_games(&self) -> u64 {
        2 * u64::from(self.pairs) * self.pairings().len() as u64
    }

    pub(crate) fn budget(&self) -> Budget {
        match (self.states, self.milliseconds) {
            (Some(states), _) => Budget::States(states),
            (None, Some(time)) => Budget::Time(std::time::Duration::from_millis(time)),
            (None, None) => Budget::Unlimited,
        }
    }

    /// Refuses what cannot be played.
    pub fn check(&self) -> Result<(), ArenaError> {
        if self.minds.len() < 2 {
            return Err(ArenaError::TooFewMinds(self.minds.len()));
        }
        if self.pairs == 0 {
            return Err(ArenaError::Settings("there are no games to play: give --games 2 or more".into()));
        }
        // A game that is over before so many would be drawn again and again, one ply shorter each time.
        if self.opening_plies > LONGEST_OPENING {
            let problem = format!("an opening has from 0 to {LONGEST_OPENING} random plies");
            return Err(ArenaError::Settings(problem));
        }
        if self.max_plies == 0 {
            return Err(ArenaError::Settings("max_plies must be at least 1".into()));
        }
        if self.states.is_some() && self.milliseconds.is_some() {
            return Err(ArenaError::Settings(
                "give a limit on states or on time, not both: states repeat exactly".into(),
            ));
        }
        if let Some(sprt) = &self.sprt {
            if self.minds.len() != 2 {
                return Err(ArenaError::SprtNeedsTwo(self.minds.len()));
            }
            sprt.check().map_err(ArenaError::Settings)?;
        }
        Ok(())
    }
}

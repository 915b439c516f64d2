//! What a decision may cost, and what it did cost.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// How much thinking is allowed. Experiments use states: they repeat exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// The mind's own default (its `depth=` or `states=`) decides.
    Unlimited,
    /// So many states may be examined.
    States(u64),
    /// So much time may pass on the clock.
    Time(Duration),
}

/// What was spent: states examined (moves and dice applied to a position while thinking), games of
/// experience, chunks of memory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Cost {
    /// States examined.
    pub states: u64,
    /// Games of experience.
    pub games: u64,
    /// Chunks of memory held.
    pub chunks: u64,
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, more: Cost) {
        self.states += more.states;
        self.games += more.games;
        // Memory is held, not spent: the ledger keeps the most that was in use.
        self.chunks = self.chunks.max(more.chunks);
    }
}

/// A budget going in, a cost coming out.
///
/// Call [`Meter::visit`] before each `apply`: it grants the state or says that the budget is spent, so that a search
/// stops exactly at its budget.
#[derive(Clone, Debug)]
pub struct Meter {
    budget: Budget,
    limit: u64,
    deadline: Option<Instant>,
    cost: Cost,
}

/// How many states pass between two looks at the clock.
const CLOCK_INTERVAL: u64 = 256;

impl Meter {
    /// A meter that has counted nothing; a budget of time runs from here.
    pub fn new(budget: Budget) -> Meter {
        let limit = match budget {
            Budget::States(states) => states,
            Budget::Unlimited | Budget::Time(_) => u64::MAX,
        };
        let deadline = match budget {
            Budget::Time(time) => Some(Instant::now() + time),
            Budget::Unlimited | Budget::States(_) => None,
        };
        Meter { budget, limit, deadline, cost: Cost::default() }
    }

    /// A meter that only counts.
    pub fn unlimited() -> Meter {
        Meter::new(Budget::Unlimited)
    }

    /// The budget it was made with.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Lowers the limit to `states` for the rest of this decision, for minds that bring a budget of their own.
    pub fn limit_states(&mut self, states: u64) {
        self.limit = self.limit.min(self.cost.states.saturating_add(states));
    }

    /// Brings the deadline forward to `time` from now, beside whatever else limits the decision.
    pub fn limit_time(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        self.deadline = Some(self.deadline.map_or(deadline, |earlier| earlier.min(deadline)));
    }

    /// How long the decision may still take, where that is limited: for minds whose work is done in one piece.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Asks for one more state. `false`: the budget is spent, and nothing was counted.
    #[inline]
    #[must_use]
    pub fn visit(&mut self) -> bool {
        if self.cost.states >= self.limit {
            return false;
        }
        self.cost.states += 1;
        if self.cost.states.is_multiple_of(CLOCK_INTERVAL) {
            self.look_at_clock();
        }
        true
    }

    /// Counts states that were examined outside the meter's control (a playout).
    #[inline]
    pub fn add_states(&mut self, states: u64) {
        self.cost.states += states;
        self.look_at_clock();
    }

    /// Counts games of experience.
    pub fn add_games(&mut self, games: u64) {
        self.cost.games += games;
    }

    /// Says how many chunks of memory are held now.
    pub fn set_chunks(&mut self, chunks: u64) {
        self.cost.chunks = chunks;
    }

    /// The states that may still be examined.
    #[inline]
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.cost.states)
    }

    /// What was spent so far.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    #[inline]
    fn look_at_clock(&mut self) {
        if let Some(deadline) = self.deadline
            && Instant::now() >= deadline
        {
            self.limit = self.cost.states;
        }
    }
}

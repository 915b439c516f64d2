//! What a decision may cost, and what it did cost.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::window::Looking;
use crate::{Ranking, Stop, Stopped, Window};

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
    /// Positions with a label of somebody who knew.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub labels: u64,
    /// Weights of networks.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub weights: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, more: Cost) {
        self.states += more.states;
        self.games += more.games;
        // Memory is held, not spent: the ledger keeps the most that was in use.
        self.chunks = self.chunks.max(more.chunks);
        self.weights = self.weights.max(more.weights);
        self.labels = self.labels.max(more.labels);
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
    stop: Stop,
    cost: Cost,
    /// Somebody looks at the search.
    looking: Option<Box<Looking>>,
    /// And would like to see what it thinks now.
    due: bool,
}

/// How many states pass between two looks at the clock.
const CLOCK_INTERVAL: u64 = 256;

impl Meter {
    /// A meter that has counted nothing; a budget of time runs from here.
    pub fn new(budget: Budget) -> Meter {
        Meter::watched(budget, Stop::default())
    }

    /// The same for work that `stop` may end: then the budget is spent.
    pub fn watched(budget: Budget, stop: Stop) -> Meter {
        let limit = match budget {
            Budget::States(states) => states,
            Budget::Unlimited | Budget::Time(_) => u64::MAX,
        };
        let stop = match budget {
            Budget::Time(time) => stop.within(time),
            Budget::Unlimited | Budget::States(_) => stop,
        };
        let mut meter = Meter { budget, limit, stop, cost: Cost::default(), looking: None, due: false };
        // Work that was ended before it began looks at nothing.
        meter.look_at_clock();
        meter
    }

    /// With a window through which somebody looks at the search.
    #[must_use]
    pub fn seen_through(mut self, window: Option<Window>) -> Meter {
        self.due = window.is_some();
        self.looking = window.map(|window| Box::new(Looking::new(window)));
        self
    }

    /// Whether somebody looks who would like to see what is thought now.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.due
    }

    /// Shows them: the ranking as it would be if the search ended here.
    #[cold]
    pub fn show(&mut self, ranking: Ranking) {
        self.due = false;
        if let Some(looking) = &mut self.looking {
            looking.show(self.cost.states, ranking);
        }
    }

    /// A meter with a budget of its own for a part of the same work: whatever ends the whole ends the part.
    /// Nobody looks into it: what is thought there is about another position.
    #[must_use]
    pub fn part(&self, budget: Budget) -> Meter {
        Meter::watched(budget, self.stop.clone())
    }

    /// Who may end the work.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Fails once the work was ended: for learners, which have nothing to show for half a step.
    pub fn check(&self) -> Result<(), Stopped> {
        self.stop.check()
    }

    /// Whether the work may hold so many bytes; where not, the budget is spent. For trees that grow.
    #[inline]
    pub fn has_room(&mut self, bytes: u64) -> bool {
        let fits = self.stop.check_bytes(bytes).is_ok();
        if !fits {
            self.limit = self.limit.min(self.cost.states);
        }
        fits
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

    /// How long the decision may still take, where that is limited: for minds whose work is done in one piece.
    pub fn time_left(&self) -> Option<Duration> {
        self.stop.time_left()
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
        if self.stop.check().is_err() {
            self.limit = self.limit.min(self.cost.states);
        }
        if self.looking.is_some() {
            self.tick();
        }
    }

    /// Apart from the way that every search takes.
    #[cold]
    #[inline(never)]
    fn tick(&mut self) {
        if let Some(looking) = &mut self.looking {
            self.due |= looking.tick(self.cost.states);
        }
    }
}

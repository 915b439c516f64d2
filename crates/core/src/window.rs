//! Looking at a search while it goes on.
//!
//! Whoever wants to look opens a [`Window`] in the search's [`crate::Meter`]. The meter tells at a steady pace how many states were looked at;
//! a search that can say in the middle what it thinks shows its ranking when the window is due. Neither changes what is thought: a
//! search that is watched gives the same ranking at the same cost, and without a window all of it is one comparison.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::Ranking;

/// What is seen of a search that goes on.
#[derive(Clone, PartialEq, Debug)]
pub struct Glimpse {
    /// The states it has looked at so far.
    pub states: u64,
    /// What it would answer now; none where it only counts.
    pub ranking: Option<Ranking>,
}

/// Where somebody looks in.
#[derive(Clone)]
pub struct Window {
    pace: Duration,
    show: Arc<dyn Fn(Glimpse) + Send + Sync>,
}

impl std::fmt::Debug for Window {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Window").field("pace", &self.pace).finish_non_exhaustive()
    }
}

impl Window {
    /// `show` is called on the thread that thinks, with at least `pace` between two rankings: it has to be quick.
    pub fn new(pace: Duration, show: impl Fn(Glimpse) + Send + Sync + 'static) -> Window {
        Window { pace, show: Arc::new(show) }
    }
}

/// A window in a meter, and when somebody looks through it next.
#[derive(Clone, Debug)]
pub(crate) struct Looking {
    window: Window,
    next: Instant,
}

impl Looking {
    pub(crate) fn new(window: Window) -> Looking {
        Looking { window, next: Instant::now() }
    }

    /// Tells the count when it is time to; true if so.
    pub(crate) fn tick(&mut self, states: u64) -> bool {
        let now = Instant::now();
        if now < self.next {
            return false;
        }
        self.next = now + self.window.pace;
        (self.window.show)(Glimpse { states, ranking: None });
        true
    }

    pub(crate) fn show(&mut self, states: u64, mut ranking: Ranking) {
        ranking.sort();
        (self.window.show)(Glimpse { states, ranking: Some(ranking) });
        self.next = Instant::now() + self.window.pace;
    }
}

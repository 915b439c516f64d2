//! The clocks of a game. A person's runs on whether the page is open or not; a mind's counts what it thinks, so that nobody wins by pausing.

use ludens_core::Side;
use serde::{Deserialize, Serialize};

use crate::error::{ApiError, ApiResult};

/// The shortest clock, which is over in less than a second.
const SHORTEST: f64 = 0.01;
/// The longest; whoever wants more time wants none.
const LONGEST: f64 = 180.0;

/// What is kept of them.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Clock {
    /// What each side had at first.
    minutes: f64,
    /// What each has left, in milliseconds, without the turn that goes on.
    left: [f64; 2],
    /// When that turn began, in seconds since 1970; none while nobody's time runs.
    since: Option<f64>,
}

/// The clocks as a client sees them.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct ClockView {
    minutes: f64,
    /// Milliseconds, those of this turn taken off.
    left: [f64; 2],
    /// Whose runs.
    running: Option<Side>,
}

impl Clock {
    pub(crate) fn new(minutes: f64) -> ApiResult<Clock> {
        if !(SHORTEST..=LONGEST).contains(&minutes) {
            return Err(ApiError::bad(format!("a clock has {SHORTEST} to {LONGEST} minutes a side")));
        }
        Ok(Clock { minutes, left: [minutes * 60_000.0; 2], since: None })
    }

    /// A turn begins now, or nobody's does.
    pub(crate) fn turn(&mut self, runs: bool, now: f64) {
        self.since = runs.then_some(now);
    }

    /// The milliseconds of the turn that goes on.
    fn spent(&self, now: f64) -> f64 {
        self.since.map_or(0.0, |since| (now - since).max(0.0) * 1000.0)
    }

    /// A turn of a person ends.
    pub(crate) fn moved(&mut self, side: Side, now: f64) {
        let spent = self.spent(now);
        self.thought(side, spent);
    }

    /// A turn of a mind ends, which has thought for so many milliseconds.
    pub(crate) fn thought(&mut self, side: Side, ms: f64) {
        if self.since.is_some() {
            let left = &mut self.left[side.index()];
            *left = (*left - ms).max(0.0);
        }
    }

    /// Whether a thought of so many milliseconds is more than this side has left.
    pub(crate) fn ends_with(&self, side: Side, ms: f64) -> bool {
        self.since.is_some() && self.left[side.index()] <= ms
    }

    /// Whether this side has no time left.
    pub(crate) fn is_out(&self, side: Side, now: f64) -> bool {
        self.since.is_some() && self.left[side.index()] <= self.spent(now)
    }

    pub(crate) fn view(&self, to_move: Option<Side>, now: f64) -> ClockView {
        let running = to_move.filter(|_| self.since.is_some());
        let mut left = self.left;
        if let Some(side) = running {
            left[side.index()] = (left[side.index()] - self.spent(now)).max(0.0);
        }
        ClockView { minutes: self.minutes, left, running }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_time_of_ones_own_turns_is_lost() {
        let mut clock = Clock::new(1.0).unwrap();
        // Before the first move nobody's time runs.
        clock.moved(Side::First, 100.0);
        assert_eq!(clock.left, [60_000.0; 2]);
        clock.turn(true, 100.0);
        let view = clock.view(Some(Side::Second), 110.0);
        assert_eq!((view.left, view.running), ([60_000.0, 50_000.0], Some(Side::Second)));
        clock.moved(Side::Second, 130.0);
        clock.turn(true, 130.0);
        assert_eq!(clock.left, [60_000.0, 30_000.0]);
        assert!(!clock.is_out(Side::First, 189.9) && clock.is_out(Side::First, 190.0));
        clock.thought(Side::First, 500.0);
        assert_eq!(clock.left, [59_500.0, 30_000.0]);
        assert!(clock.ends_with(Side::Second, 30_000.0) && !clock.ends_with(Side::Second, 29_999.0));
        // A clock that was set back takes nothing.
        assert!(!clock.is_out(Side::First, 0.0));
    }

    #[test]
    fn a_clock_has_limits() {
        for wrong in [0.0, -1.0, 181.0, f64::NAN, f64::INFINITY] {
            assert!(Clock::new(wrong).is_err(), "{wrong}");
        }
        assert!(Clock::new(180.0).is_ok() && Clock::new(0.01).is_ok());
    }
}

//! How work is ended before it is done: because somebody asked, because its time is up, or because it needs too much memory. One
//! mechanism for all of it: reading rules, teaching a player, a step of a training, a decision of any depth.
//!
//! Whoever starts work gives it a [`Stop`]; the work looks at it now and then, and ends with what it has or with [`Stopped`].

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use thiserror::Error;

/// Why work ended before it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Stopped {
    /// Somebody asked.
    #[error("it was stopped")]
    Asked,
    /// Its time was up.
    #[error("it takes longer than it may here")]
    Time,
    /// It holds too much.
    #[error("it needs more than {} MB of memory", .0 >> 20)]
    Memory(u64),
}

/// What one piece of work may hold where nobody says otherwise: a tree, a table of counts. The same everywhere, so that a training that
/// reaches it gives the same bytes on the page and on the command line.
const USUAL_BYTES: u64 = 256 << 20;

/// Ends work. Clones end the same work; the default one never ends anything by itself.
#[derive(Clone, Debug)]
pub struct Stop {
    /// When somebody asked. None: nobody can.
    asked: Option<Arc<OnceLock<Instant>>>,
    /// How long work goes on after it was asked to end.
    patience: Duration,
    deadline: Option<Instant>,
    most_bytes: u64,
}

impl Default for Stop {
    fn default() -> Stop {
        Stop { asked: None, patience: Duration::ZERO, deadline: None, most_bytes: USUAL_BYTES }
    }
}

impl Stop {
    /// One that can be asked.
    pub fn new() -> Stop {
        Stop { asked: Some(Arc::default()), ..Stop::default() }
    }

    /// Asks the work of this and of all its clones to end; asking the default one does nothing.
    pub fn ask(&self) {
        if let Some(asked) = &self.asked {
            let _ = asked.set(Instant::now());
        }
    }

    /// Whether somebody asked, however patient this one is.
    pub fn is_asked(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.get().is_some())
    }

    /// Whether asking the one asks the other.
    pub fn is_same(&self, other: &Stop) -> bool {
        matches!((&self.asked, &other.asked), (Some(one), Some(other)) if Arc::ptr_eq(one, other))
    }

    /// The same, and the work ends so long from now at the latest.
    #[must_use]
    pub fn within(&self, time: Duration) -> Stop {
        let deadline = Instant::now().checked_add(time);
        let earlier = match (self.deadline, deadline) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Stop { deadline: earlier, ..self.clone() }
    }

    /// The same without a deadline: for what goes on after the work whose time was limited.
    #[must_use]
    pub fn untimed(&self) -> Stop {
        Stop { deadline: None, ..self.clone() }
    }

    /// The same for work that would rather come to its end: once asked, it has so long.
    #[must_use]
    pub fn patient(&self, patience: Duration) -> Stop {
        Stop { patience, ..self.clone() }
    }

    /// The same for work that may hold so many bytes.
    #[must_use]
    pub fn holding(&self, bytes: u64) -> Stop {
        Stop { most_bytes: bytes, ..self.clone() }
    }

    /// How long the work may still take, where that is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Fails once the work has to end.
    #[inline]
    pub fn check(&self) -> Result<(), Stopped> {
        if let Some(asked) = self.asked.as_ref().and_then(|asked| asked.get())
            && (self.patience.is_zero() || asked.elapsed() >= self.patience)
        {
            return Err(Stopped::Asked);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stopped::Time);
        }
        Ok(())
    }

    /// Fails where the work holds more than it may.
    #[inline]
    pub fn check_bytes(&self, held: u64) -> Result<(), Stopped> {
        if held > self.most_bytes { Err(Stopped::Memory(self.most_bytes)) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_when_asked_when_late_and_when_too_large() {
        let stop = Stop::new();
        let (late, patient) = (stop.within(Duration::ZERO), stop.patient(Duration::from_secs(3600)));
        assert_eq!((stop.check(), late.check()), (Ok(()), Err(Stopped::Time)));
        assert_eq!(
            late.within(Duration::from_secs(9)).check(),
            Err(Stopped::Time),
            "a limit is never extended"
        );
        stop.clone().ask();
        assert_eq!((stop.check(), patient.check()), (Err(Stopped::Asked), Ok(())));
        assert!(patient.is_asked());
        assert_eq!(stop.holding(1 << 20).check_bytes((1 << 20) + 1), Err(Stopped::Memory(1 << 20)));
        let never = Stop::default();
        never.ask();
        assert_eq!(never.within(Duration::MAX).check(), Ok(()));
    }
}

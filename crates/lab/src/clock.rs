//! What a unit's CPU time is taken by.

use cpu_time::{ProcessTime, ThreadTime};

/// The CPU time of a unit: of the whole process where it runs alone, with the threads that it hands work to; else of its own thread.
pub enum Clock {
    Process(ProcessTime),
    Thread(ThreadTime),
}

impl Clock {
    pub fn begin(alone: bool) -> Option<Clock> {
        if alone {
            ProcessTime::try_now().ok().map(Clock::Process)
        } else {
            ThreadTime::try_now().ok().map(Clock::Thread)
        }
    }

    pub fn spent(self) -> Option<f64> {
        let spent = match self {
            Clock::Process(begun) => begun.try_elapsed(),
            Clock::Thread(begun) => begun.try_elapsed(),
        };
        spent.ok().map(|spent| spent.as_secs_f64())
    }
}

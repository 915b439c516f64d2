//! Long work without the interpreter's lock. A thread of its own does it; the one that called looks for Ctrl-C, tells how far it is, and waits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ludens_core::Stop;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often Ctrl-C is looked for and progress is told. Each time the interpreter's lock is taken: more often, it is some thousandths of the work.
const LOOK: Duration = Duration::from_millis(200);
/// Searches go deep; the first thread of a process has as much.
const STACK: usize = 16 << 20;

/// What went wrong in code of the user's that was called from the middle of something that cannot fail. Whoever has it broken off answers
/// quickly and meaninglessly from then on, and the call that began it all raises what was kept.
#[derive(Default, Debug)]
pub struct Trouble {
    broken: AtomicBool,
    /// Nobody is there to raise it to: it is printed, and the next call is made as if nothing had been.
    printed: AtomicBool,
    first: Mutex<Option<PyErr>>,
    /// What is going on, which has no sense any more once something went wrong.
    work: Mutex<Option<Stop>>,
}

impl Trouble {
    /// Keeps an exception, unless there is one already, and breaks off.
    pub fn keep(&self, error: PyErr) {
        if self.printed.load(Ordering::Acquire) {
            return Python::attach(|py| error.print(py));
        }
        lock(&self.first).get_or_insert(error);
        self.break_off();
    }

    /// From now on exceptions are printed.
    pub fn print(&self) {
        self.printed.store(true, Ordering::Release);
    }

    /// No more calls into code of the user's.
    pub fn break_off(&self) {
        self.broken.store(true, Ordering::Release);
        if let Some(work) = &*lock(&self.work) {
            work.ask();
        }
    }

    /// From now on this work is asked to end when something goes wrong.
    pub fn watch(&self, work: Option<&Stop>) {
        *lock(&self.work) = work.cloned();
    }

    /// Whether it was broken off.
    pub fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Acquire)
    }

    /// What was kept; from now on calls are made again.
    pub fn raise(&self) -> PyResult<()> {
        if !self.is_broken() {
            return Ok(());
        }
        let first = lock(&self.first).take();
        self.broken.store(false, Ordering::Release);
        first.map_or(Ok(()), Err)
    }
}

pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is going on now, wherever it was begun.
static GOING_ON: Mutex<Vec<Stop>> = Mutex::new(Vec::new());

/// Asks everything that is going on to end: Ctrl-C reaches the first thread of Python alone, and others may be at work.
#[pyfunction]
pub fn stop_work() {
    for work in lock(&GOING_ON).drain(..) {
        work.ask();
    }
}

/// Does `work` on a thread of its own. Ctrl-C and whatever `tell` raises ask `stop`, and are raised once the work has ended.
pub fn watched<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    trouble: &Trouble,
    tell: &(dyn Fn(Python<'_>) -> PyResult<()> + Sync),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    trouble.watch(Some(stop));
    lock(&GOING_ON).push(stop.clone());
    let (ended, interrupted) = py.detach(|| {
        std::thread::scope(|scope| {
            let (done, wait) = sync_channel::<()>(1);
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let result = work();
                let _ = done.send(());
                result
            });
            let thread = match thread {
                Ok(thread) => thread,
                Err(error) => return (Err(error.to_string()), None),
            };
            let mut interrupted = None;
            while matches!(wait.recv_timeout(LOOK), Err(RecvTimeoutError::Timeout)) {
                if interrupted.is_none()
                    && let Err(error) = Python::attach(|py| py.check_signals().and_then(|()| tell(py)))
                {
                    stop.ask();
                    trouble.break_off();
                    interrupted = Some(error);
                }
            }
            let ended = thread.join().map_err(|panic| {
                let words = panic.downcast_ref::<String>().map(String::as_str);
                words
                    .or_else(|| panic.downcast_ref::<&str>().copied())
                    .unwrap_or("no reason given")
                    .to_string()
            });
            (ended, interrupted)
        })
    });
    trouble.watch(None);
    lock(&GOING_ON).retain(|other| !other.is_same(stop));
    let raised = trouble.raise();
    if let Some(error) = interrupted {
        return Err(error);
    }
    raised?;
    let ended = ended.map_err(|words| {
        PyRuntimeError::new_err(format!("Ludens failed ({words}): this is a bug of Ludens"))
    })?;
    tell(py)?;
    Ok(ended)
}

/// The same without anything to tell.
pub fn quiet<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    trouble: &Trouble,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    watched(py, stop, trouble, &|_| Ok(()), work)
}

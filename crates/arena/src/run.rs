//! The pairs of a tournament spread over threads, their results folded in order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ludens_core::{Game, GameVisitor, Mind, MindError};

use crate::play::PairOf;
use crate::report::{Fold, Status};
use crate::{ArenaError, PairRecord, RecordFile, Report, Sprt, Tally, Tournament, Verdict};

/// Where the games are kept.
#[derive(Clone, Debug)]
pub struct RecordTo {
    pub path: PathBuf,
    /// Go on with what the file holds; otherwise the file must not exist.
    pub resume: bool,
}

/// How to run; nothing here changes the result.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// Threads, or as many as the machine has.
    pub threads: Option<usize>,
    pub record: Option<RecordTo>,
    /// Set it (from a Ctrl-C handler, from another thread) and the run ends after the games in hand.
    pub stop: Option<Arc<AtomicBool>>,
    /// Where the report so far is put, a few times a second, for those who watch.
    pub live: Option<Arc<Mutex<Option<Report>>>>,
}

/// How often the report so far is made.
const LIVE_INTERVAL: Duration = Duration::from_millis(300);

impl Options {
    pub fn threads(count: usize) -> Options {
        Options { threads: Some(count), ..Options::default() }
    }

    #[must_use]
    pub fn record(mut self, path: &Path, resume: bool) -> Options {
        self.record = Some(RecordTo { path: path.into(), resume });
        self
    }
}

/// Where a run stands, for progress bars.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub games: u64,
    pub total: u64,
    /// Games that were found in the record and not played now.
    pub resumed: u64,
    /// The first pairing's results so far.
    pub first_pairing: Tally,
    /// The log-likelihood ratio and its bounds, where a sequential test runs.
    pub llr: Option<(f64, f64, f64)>,
}

/// A mind of the tournament: its name and how every thread gets its own.
pub struct Entrant<G: Game> {
    pub name: String,
    #[allow(clippy::type_complexity)]
    pub make: Box<dyn Fn() -> Result<Box<dyn Mind<G>>, MindError> + Send + Sync>,
}

impl<G: Game> std::fmt::Debug for Entrant<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entrant").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<G: Game> Entrant<G> {
    pub fn new(
        name: &str,
        make: impl Fn() -> Result<Box<dyn Mind<G>>, MindError> + Send + Sync + 'static,
    ) -> Entrant<G> {
        Entrant { name: name.into(), make: Box::new(make) }
    }
}

/// Runs a tournament of a game (native, or a file of rules) and registered minds, all by name.
pub fn run(
    tournament: &Tournament,
    options: &Options,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Report, ArenaError> {
    struct Visit<'a>(&'a Tournament, &'a Options, &'a (dyn Fn(&Progress) + Sync));
    impl GameVisitor for Visit<'_> {
        type Out = Result<Report, ArenaError>;
        fn visit<G: Game>(self, game: Arc<G>) -> Self::Out {
            run_named(&game, self.0, self.1, self.2)
        }
    }
    ludens_learners::open::with_game(&tournament.game, Visit(tournament, options, progress))?
}

/// As [`run`] for a game at hand (a GDL game is not in the registry).
pub fn run_named<G: Game>(
    game: &Arc<G>,
    tournament: &Tournament,
    options: &Options,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Report, ArenaError> {
    let entrants: Vec<Entrant<G>> = tournament
        .minds
        .iter()
        .map(|name| {
            let (game, text) = (game.clone(), name.clone());
            Entrant::new(name, move || ludens_learners::registry::make_mind(&game, &text))
        })
        .collect();
    run_entrants(game, &entrants, tournament, options, progress)
}

/// Runs a tournament of minds made by closures. The names in `tournament.minds` must be the entrants'.
pub fn run_entrants<G: Game>(
    game: &Arc<G>,
    entrants: &[Entrant<G>],
    tournament: &Tournament,
    options: &Options,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Report, ArenaError> {
    tournament.check()?;
    if tournament.minds.iter().ne(entrants.iter().map(|entrant| &entrant.name)) {
        return Err(ArenaError::Settings("the tournament names other minds than the entrants given".into()));
    }
    // Make each once before anything is written: a wrong name must not leave a record behind.
    for entrant in entrants {
        (entrant.make)()?;
    }
    let (record, done) = open_record(tournament, options)?;
    let mut collector = Collector::new(tournament, record, progress);
    collector.live = options.live.clone().map(|live| (live, Instant::now()));
    for pair in &done {
        collector.fold(pair);
    }
    collector.progress.resumed = collector.progress.games;
    let hall = Hall { game, entrants, tournament, pairings: tournament.pairings() };
    if !collector.complete() {
        hall.play_all(&mut collector, options)?;
    }
    collector.finish()
}

fn open_record(
    tournament: &Tournament,
    options: &Options,
) -> Result<(Option<RecordFile>, Vec<PairRecord>), ArenaError> {
    match &options.record {
        None => Ok((None, Vec::new())),
        Some(RecordTo { path, resume: false }) => {
            RecordFile::create(path, tournament).map(|record| (Some(record), Vec::new()))
        }
        Some(RecordTo { path, resume: true }) => {
            RecordFile::resume(path, tournament).map(|(record, pairs)| (Some(record), pairs))
        }
    }
}

/// What all threads share.
struct Hall<'a, G: Game> {
    game: &'a Arc<G>,
    entrants: &'a [Entrant<G>],
    tournament: &'a Tournament,
    pairings: Vec<(usize, usize)>,
}

impl<G: Game> Hall<'_, G> {
    fn play_all(&self, collector: &mut Collector, options: &Options) -> Result<(), ArenaError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.threads.unwrap_or(0))
            .build()
            .map_err(|error| ArenaError::Threads(error.to_string()))?;
        let next = AtomicU64::new(collector.next);
        let total = collector.total;
        let stopped = || options.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        let shared = Mutex::new(collector);
        pool.broadcast(|_| {
            let mut minds: Vec<Option<Box<dyn Mind<G>>>> = self.entrants.iter().map(|_| None).collect();
            while !stopped() && !lock(&shared).complete() {
                let unit = next.fetch_add(1, Ordering::Relaxed);
                if unit >= total {
                    break;
                }
                let played = self.play_unit(unit, &mut minds);
                lock(&shared).take(unit, played);
            }
        });
        let collector = lock(&shared);
        if stopped() && !collector.complete() {
            let mut collector = collector;
            collector.interrupted = true;
        }
        Ok(())
    }

    /// Units go through the pairings in turn, so that an unfinished tournament is still even.
    fn play_unit(&self, unit: u64, minds: &mut [Option<Box<dyn Mind<G>>>]) -> Result<PairRecord, ArenaError> {
        let pairing = (unit % self.pairings.len() as u64) as usize;
        let (a, b) = self.pairings[pairing];
        let pair = (unit / self.pairings.len() as u64) as u32;
        for index in [a, b] {
            if minds[index].is_none() {
                minds[index] = Some((self.entrants[index].make)()?);
            }
        }
        let (before, after) = minds.split_at_mut(b);
        let (Some(mind_a), Some(mind_b)) = (before[a].as_mut(), after[0].as_mut()) else {
            return Err(ArenaError::Settings("a pairing names a mind twice".into()));
        };
        let pair = PairOf { tournament: self.tournament, unit, pairing, pair, a, b };
        pair.play(&**self.game, &mut **mind_a, &mut **mind_b)
    }
}

/// Takes pairs in any order and folds them in theirs.
struct Collector<'a> {
    fold: Fold,
    sprt: Option<Sprt>,
    record: Option<RecordFile>,
    /// The next unit to be folded.
    next: u64,
    total: u64,
    early: BTreeMap<u64, Result<PairRecord, ArenaError>>,
    verdict: Verdict,
    failed: Option<ArenaError>,
    interrupted: bool,
    progress: Progress,
    tell: &'a (dyn Fn(&Progress) + Sync),
    live: Option<(Arc<Mutex<Option<Report>>>, Instant)>,
}

impl<'a> Collector<'a> {
    fn new(
        tournament: &Tournament,
        record: Option<RecordFile>,
        tell: &'a (dyn Fn(&Progress) + Sync),
    ) -> Collector<'a> {
        let total = tournament.total_games() / 2;
        Collector {
            fold: Fold::new(tournament),
            sprt: tournament.sprt,
            record,
            next: 0,
            total,
            early: BTreeMap::new(),
            verdict: Verdict::Undecided,
            failed: None,
            interrupted: false,
            progress: Progress {
                games: 0,
                total: 2 * total,
                resumed: 0,
                first_pairing: Tally::default(),
                llr: None,
            },
            tell,
            live: None,
        }
    }

    fn show(&mut self) {
        if let Some((live, last)) = &mut self.live
            && last.elapsed() >= LIVE_INTERVAL
        {
            *last = Instant::now();
            *lock(live) = Some(self.fold.clone().report(Status::Interrupted));
        }
    }

    fn complete(&self) -> bool {
        self.next >= self.total || self.verdict != Verdict::Undecided || self.failed.is_some()
    }

    fn take(&mut self, unit: u64, played: Result<PairRecord, ArenaError>) {
        self.early.insert(unit, played);
        while !self.complete() {
            let Some(played) = self.early.remove(&self.next) else { return };
            let written = played.and_then(|pair| {
                self.record.as_mut().map_or(Ok(()), |record| record.append_pair(&pair))?;
                Ok(pair)
            });
            match written {
                Ok(pair) => {
                    self.fold(&pair);
                    self.show();
                    (self.tell)(&self.progress);
                }
                Err(error) => self.failed = Some(error),
            }
        }
    }

    fn fold(&mut self, pair: &PairRecord) {
        if self.complete() {
            return;
        }
        self.fold.add(pair);
        self.next += 1;
        self.progress.games += 2;
        self.progress.first_pairing = self.fold.tallies[0];
        if let Some(sprt) = &self.sprt {
            let pentanomial = &self.fold.tallies[0].pentanomial;
            let (lower, upper) = sprt.bounds();
            self.progress.llr = Some((sprt.llr(pentanomial), lower, upper));
            self.verdict = sprt.verdict(pentanomial);
        }
    }

    fn finish(mut self) -> Result<Report, ArenaError> {
        if let Some(record) = &mut self.record {
            record.sync()?;
        }
        if let Some(error) = self.failed {
            return Err(error);
        }
        let status = match self.verdict {
            _ if self.interrupted => Status::Interrupted,
            Verdict::Undecided => Status::Finished,
            _ => Status::Decided,
        };
        Ok(self.fold.report(status))
    }
}

fn lock<'m, T>(mutex: &'m Mutex<T>) -> MutexGuard<'m, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! The pairs of a tournament spread over threads, their results folded in order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ludens_core::{Entrant, Front, Hall, Models, NoModels, Stop};

use crate::play::PairOf;
use crate::report::{Fold, Status};
use crate::{ArenaError, PairRecord, RecordFile, Report, Sprt, Tally, Tournament, Verdict};

/// Where the games are kept.
#[derive(Clone, Debug)]
pub struct RecordTo {
    /// The record file.
    pub path: PathBuf,
    /// Go on with what the file holds; otherwise the file must not exist.
    pub resume: bool,
}

/// How to run; nothing here changes the result.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// Threads, or as many as the machine has.
    pub threads: Option<usize>,
    /// Keep every game in a file.
    pub record: Option<RecordTo>,
    /// Ask it (from a Ctrl-C handler, from another thread) and the run ends, the pairs in hand unfinished.
    pub stop: Stop,
    /// Where the report so far is put, a few times a second, for those who watch.
    pub live: Option<Arc<Mutex<Option<Report>>>>,
}

/// How often the report so far is made.
const LIVE_INTERVAL: Duration = Duration::from_millis(300);

impl Options {
    /// So many threads and nothing else.
    pub fn threads(count: usize) -> Options {
        Options { threads: Some(count), ..Options::default() }
    }

    /// With the games kept in a file; `resume` goes on with what it holds.
    #[must_use]
    pub fn record(mut self, path: &Path, resume: bool) -> Options {
        self.record = Some(RecordTo { path: path.into(), resume });
        self
    }
}

/// Where a run stands, for progress bars.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Games finished.
    pub games: u64,
    /// All games the tournament can have.
    pub total: u64,
    /// Games that were found in the record and not played now.
    pub resumed: u64,
    /// The first pairing's results so far.
    pub first_pairing: Tally,
    /// The log-likelihood ratio and its bounds, where a sequential test runs.
    pub llr: Option<(f64, f64, f64)>,
}

/// Who watches a run.
pub type Watch<'a> = &'a (dyn Fn(&Progress) + Sync);

/// Runs a tournament of minds by their names.
pub fn run(
    front: &dyn Front,
    tournament: &Tournament,
    options: &Options,
    progress: Watch,
) -> Result<Report, ArenaError> {
    let entrants: Vec<Entrant> = tournament.minds.iter().cloned().map(Entrant::Named).collect();
    let models: Arc<dyn Models> = Arc::new(NoModels);
    run_with(front, &entrants, &models, tournament, options, progress)
}

/// Runs a tournament of these; `tournament.minds` are the names the report gives them.
pub fn run_with(
    front: &dyn Front,
    entrants: &[Entrant],
    models: &Arc<dyn Models>,
    tournament: &Tournament,
    options: &Options,
    progress: Watch,
) -> Result<Report, ArenaError> {
    if tournament.minds.len() != entrants.len() {
        return Err(ArenaError::Settings("the tournament names other minds than the entrants given".into()));
    }
    run_in(&|| front.hall(entrants, models, &options.stop), tournament, options, progress)
}

/// Runs a tournament of whoever is in the halls, one of which each thread has for itself.
pub fn run_in(
    halls: &(dyn Fn() -> Box<dyn Hall> + Sync),
    tournament: &Tournament,
    options: &Options,
    progress: Watch,
) -> Result<Report, ArenaError> {
    tournament.check()?;
    // Make each once before anything is written: a wrong name must not leave a record behind.
    let mut hall = halls();
    for entrant in 0..tournament.minds.len() {
        hall.prepare(entrant)?;
    }
    let (record, done) = open_record(tournament, options)?;
    let mut collector = Collector::new(tournament, record, progress);
    collector.live = options.live.clone().map(|live| (live, Instant::now()));
    for pair in &done {
        collector.fold(pair);
    }
    collector.progress.resumed = collector.progress.games;
    if !collector.complete() {
        Tables { halls, tournament, pairings: tournament.pairings() }.play_all(&mut collector, options)?;
    }
    collector.finish()
}

/// Plays some pairs of a tournament, by their places in the order of the whole: what is spread over machines.
pub fn play_pairs(
    front: &dyn Front,
    entrants: &[Entrant],
    models: &Arc<dyn Models>,
    tournament: &Tournament,
    units: Range<u64>,
    stop: &Stop,
) -> Result<Vec<PairRecord>, ArenaError> {
    tournament.check()?;
    if tournament.minds.len() != entrants.len() || units.end > tournament.total_games() / 2 {
        return Err(ArenaError::Settings(
            "the tournament has other minds or fewer pairs than asked for".into(),
        ));
    }
    let halls = || front.hall(entrants, models, stop);
    let tables = Tables { halls: &halls, tournament, pairings: tournament.pairings() };
    let mut hall = halls();
    units.map(|unit| tables.pair(unit).play(&mut *hall)).collect()
}

/// The report of all pairs of a tournament, wherever they were played.
pub fn report_pairs(tournament: &Tournament, pairs: &[PairRecord]) -> Result<Report, ArenaError> {
    tournament.check()?;
    let mut collector = Collector::new(tournament, None, &|_| {});
    for (place, pair) in pairs.iter().enumerate() {
        if pair.unit != place as u64 {
            return Err(ArenaError::Settings(format!("pair {place} of the tournament is missing")));
        }
        collector.fold(pair);
    }
    collector.interrupted = !collector.complete();
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
struct Tables<'a> {
    halls: &'a (dyn Fn() -> Box<dyn Hall> + Sync),
    tournament: &'a Tournament,
    pairings: Vec<(usize, usize)>,
}

impl Tables<'_> {
    fn play_all(&self, collector: &mut Collector, options: &Options) -> Result<(), ArenaError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.threads.unwrap_or(0))
            .build()
            .map_err(|error| ArenaError::Threads(error.to_string()))?;
        let next = AtomicU64::new(collector.next);
        let total = collector.total;
        let stopped = || options.stop.check().is_err();
        let recorded = options.record.is_some();
        let shared = Mutex::new(collector);
        pool.broadcast(|_| {
            let mut hall = (self.halls)();
            while !stopped() && !lock(&shared).complete() {
                let unit = next.fetch_add(1, Ordering::Relaxed);
                if unit >= total {
                    break;
                }
                let played = self.pair(unit).play(&mut *hall);
                let played = if recorded { played.map(|pair| pair.labelled(&*hall)) } else { played };
                // Half a pair says nothing: it is played again by whoever goes on.
                if stopped() && played.is_err() {
                    break;
                }
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
    fn pair(&self, unit: u64) -> PairOf<'_> {
        let pairing = (unit % self.pairings.len() as u64) as usize;
        let (a, b) = self.pairings[pairing];
        let pair = (unit / self.pairings.len() as u64) as u32;
        PairOf { tournament: self.tournament, unit, pairing, pair, a, b }
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

//! Every law of every parser on inputs that are nearly right. Input number n is the same for the same seed, on any machine.
//!
//!     cargo test --release --workspace --test fuzz -- --nocapture
//!
//! LUDENS_FUZZ_INPUTS   how many inputs over all laws
//! LUDENS_FUZZ_SEED     what they follow from (from the clock without it, and printed)
//! LUDENS_FUZZ_LAW      one law only
//! LUDENS_FUZZ_FILE     one input: a file of target/fuzz-failures, whose name begins with the law's
//! LUDENS_FUZZ_REPORT   where the counts go, as JSON

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ludens_fuzz_laws::{LAWS, Law, Verdict};
use ludens_mutate::{Dice, mutate};

/// About ten seconds on two cores.
const USUAL: u64 = 150_000;
const THREADS: usize = 2;
/// An input that takes longer is a failure: a parser is not a place to think.
const LONGEST: Duration = Duration::from_secs(5);
/// What the whole process may take.
const MOST_KILOBYTES: u64 = 1 << 20;
/// After so many failures of a law the others are no news.
const MOST_FAILURES: usize = 5;

/// What became of a law's inputs.
#[derive(Clone, Copy, Default)]
struct Count {
    inputs: u64,
    taken: u64,
    slowest: Duration,
    spent: Duration,
}

struct Failure {
    law: &'static str,
    problem: String,
    file: PathBuf,
}

/// What a thread is at, for the watchdog.
type Desk = Mutex<Option<(Instant, &'static Law, Vec<u8>)>>;

struct Fuzz {
    seed: u64,
    inputs: u64,
    laws: Vec<(&'static Law, Vec<Vec<u8>>)>,
    next: AtomicU64,
    desks: [Desk; THREADS],
    counts: Mutex<BTreeMap<&'static str, Count>>,
    failures: Mutex<Vec<Failure>>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

fn failures_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz-failures")
}

#[test]
fn every_parser_keeps_its_law() {
    if let Some(file) = std::env::var_os("LUDENS_FUZZ_FILE") {
        return again(Path::new(&file));
    }
    let clock = || {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64 % 1_000_000)
    };
    let seed = number("LUDENS_FUZZ_SEED").unwrap_or_else(clock);
    let inputs = number("LUDENS_FUZZ_INPUTS").unwrap_or(USUAL);
    println!("fuzz: LUDENS_FUZZ_SEED={seed} LUDENS_FUZZ_INPUTS={inputs}");
    let only = std::env::var("LUDENS_FUZZ_LAW").ok();
    let chosen = LAWS.iter().filter(|law| only.as_ref().is_none_or(|name| name == law.name));
    let fuzz = Fuzz {
        seed,
        inputs,
        laws: chosen.map(|law| (law, (law.seeds)())).collect(),
        next: AtomicU64::new(0),
        desks: Default::default(),
        counts: Mutex::default(),
        failures: Mutex::default(),
    };
    assert!(!fuzz.laws.is_empty(), "there is no law {only:?}");
    // A panic is shown with its input; a backtrace of each would hide the rest.
    std::panic::set_hook(Box::new(|_| {}));
    let began = Instant::now();
    std::thread::scope(|scope| {
        for desk in &fuzz.desks {
            scope.spawn(|| fuzz.work(desk));
        }
        fuzz.watch();
    });
    let _ = std::panic::take_hook();
    fuzz.report(began.elapsed());
}

/// One kept input again, with its panic shown.
fn again(path: &Path) {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let law = LAWS.iter().find(|law| name.starts_with(law.name)).expect("the file's name begins with a law");
    let bytes = std::fs::read(path).expect("the file can be read");
    println!("{}: {} on {:?}", law.name, law.says, String::from_utf8_lossy(&bytes));
    let began = Instant::now();
    let verdict = (law.check)(&bytes);
    println!("{verdict:?} after {:?}", began.elapsed());
    assert!(verdict.is_ok(), "the law does not hold");
}

impl Fuzz {
    fn work(&self, desk: &Desk) {
        let total: u32 = self.laws.iter().map(|(law, _)| law.weight).sum();
        let mut counts: BTreeMap<&'static str, Count> = BTreeMap::new();
        loop {
            let unit = self.next.fetch_add(1, Ordering::Relaxed);
            if unit >= self.inputs {
                break;
            }
            let mut dice = Dice::new(self.seed, unit);
            let (law, seeds) = self.drawn(dice.below(total as usize) as u32);
            let mut input = dice.pick(seeds).clone();
            // Some stay as they are: a parser that refuses everything keeps every law.
            if !dice.one_in(20) {
                mutate(&mut input, seeds, law.words, &mut dice);
            }
            *lock(desk) = Some((Instant::now(), law, input.clone()));
            let began = Instant::now();
            let verdict = verdict(law, &input);
            let took = began.elapsed();
            *lock(desk) = None;
            let count = counts.entry(law.name).or_default();
            count.inputs += 1;
            count.taken += u64::from(verdict == Ok(true));
            count.spent += took;
            count.slowest = count.slowest.max(took);
            if let Err(problem) = verdict {
                self.failed(law, input, problem);
            }
        }
        let mut all = lock(&self.counts);
        for (name, count) in counts {
            let sum = all.entry(name).or_default();
            sum.inputs += count.inputs;
            sum.taken += count.taken;
            sum.spent += count.spent;
            sum.slowest = sum.slowest.max(count.slowest);
        }
    }

    fn drawn(&self, mut ticket: u32) -> &(&'static Law, Vec<Vec<u8>>) {
        for drawn in &self.laws {
            if ticket < drawn.0.weight {
                return drawn;
            }
            ticket -= drawn.0.weight;
        }
        &self.laws[0]
    }

    fn failed(&self, law: &'static Law, input: Vec<u8>, problem: String) {
        let known = lock(&self.failures).iter().filter(|failure| failure.law == law.name).count();
        if known < MOST_FAILURES {
            let file = keep(law, &smaller(law, input));
            lock(&self.failures).push(Failure { law: law.name, problem, file });
        }
    }

    /// Ends the process when an input takes too long or too much: a thread cannot be ended from outside.
    fn watch(&self) {
        loop {
            std::thread::sleep(Duration::from_millis(100));
            for desk in &self.desks {
                if let Some((since, law, input)) = &*lock(desk)
                    && since.elapsed() > LONGEST
                {
                    give_up(law, input, &format!("took longer than {LONGEST:?}"));
                }
            }
            if peak_kilobytes() > MOST_KILOBYTES {
                for desk in &self.desks {
                    if let Some((_, law, input)) = &*lock(desk) {
                        println!("at work: {} in {}", law.name, keep(law, input).display());
                    }
                }
                println!("fuzz: more than {MOST_KILOBYTES} kB were taken");
                std::process::exit(101);
            }
            let idle = self.desks.iter().all(|desk| lock(desk).is_none());
            if idle && self.next.load(Ordering::Relaxed) >= self.inputs {
                return;
            }
        }
    }

    fn report(&self, took: Duration) {
        let counts = lock(&self.counts);
        println!("{:24} {:>10} {:>10} {:>10} {:>10}", "law", "inputs", "taken", "mean µs", "slowest ms");
        for (name, count) in counts.iter() {
            println!(
                "{name:24} {:>10} {:>10} {:>10.1} {:>10.1}",
                count.inputs,
                count.taken,
                count.spent.as_secs_f64() * 1e6 / count.inputs.max(1) as f64,
                count.slowest.as_secs_f64() * 1e3
            );
        }
        let inputs: u64 = counts.values().map(|count| count.inputs).sum();
        let rate = inputs as f64 / took.as_secs_f64();
        println!(
            "{inputs} inputs in {:.1} s, {rate:.0} a second; at most {} kB",
            took.as_secs_f64(),
            peak_kilobytes()
        );
        self.write_report(&counts, took);
        let failures = lock(&self.failures);
        for failure in failures.iter() {
            println!("{}: {}\n  LUDENS_FUZZ_FILE={}", failure.law, failure.problem, failure.file.display());
        }
        assert!(failures.is_empty(), "{} inputs broke a law (seed {})", failures.len(), self.seed);
        let deaf: Vec<_> =
            counts.iter().filter(|(_, count)| count.inputs > 500 && count.taken == 0).collect();
        assert!(
            deaf.is_empty(),
            "nothing was taken by {:?}: its seeds are stale",
            deaf.first().map(|(name, _)| name)
        );
    }

    fn write_report(&self, counts: &BTreeMap<&'static str, Count>, took: Duration) {
        let Some(path) = std::env::var_os("LUDENS_FUZZ_REPORT") else { return };
        let laws: BTreeMap<_, _> =
            counts.iter().map(|(name, count)| (name, (count.inputs, count.taken))).collect();
        let slowest = counts.values().map(|count| count.slowest).max().unwrap_or_default();
        let report = serde_json::json!({
            "inputs": counts.values().map(|count| count.inputs).sum::<u64>(),
            "failures": lock(&self.failures).len(),
            "seconds": took.as_secs_f64(),
            "slowest_ms": slowest.as_secs_f64() * 1e3,
            "peak_kb": peak_kilobytes(),
            "laws": laws,
        });
        std::fs::write(&path, report.to_string()).expect("the report can be written");
    }
}

fn verdict(law: &Law, input: &[u8]) -> Verdict {
    let tried = catch_unwind(AssertUnwindSafe(|| (law.check)(input)));
    tried.unwrap_or_else(|panic| {
        let words = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("it panicked: {}", words.unwrap_or("without a word")))
    })
}

/// Takes away what the failure does not need, for a while.
fn smaller(law: &Law, mut input: Vec<u8>) -> Vec<u8> {
    let mut step = input.len() / 2;
    let began = Instant::now();
    while step > 0 && began.elapsed() < Duration::from_secs(2) {
        let mut at = 0;
        while at < input.len() && began.elapsed() < Duration::from_secs(2) {
            let mut shorter = input.clone();
            drop(shorter.drain(at..(at + step).min(input.len())));
            if verdict(law, &shorter).is_err() {
                input = shorter;
            } else {
                at += step;
            }
        }
        step /= 2;
    }
    input
}

/// The input as a file, by which it can be tried again.
fn keep(law: &Law, input: &[u8]) -> PathBuf {
    let folder = failures_folder();
    let _ = std::fs::create_dir_all(&folder);
    let hash = input.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let path = folder.join(format!("{}-{hash:016x}", law.name));
    let _ = std::fs::write(&path, input);
    path
}

fn give_up(law: &Law, input: &[u8], problem: &str) -> ! {
    println!("fuzz: {} {problem}\n  LUDENS_FUZZ_FILE={}", law.name, keep(law, input).display());
    std::process::exit(101);
}

/// The most memory this process ever had; 0 where the system does not say.
fn peak_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// The same names in the list, in the folder of targets and in the fuzz world's manifest.
#[test]
fn every_law_has_its_target() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = std::fs::read_to_string(fuzz.join("Cargo.toml")).expect("the fuzz world has a manifest");
    let targets = std::fs::read_dir(fuzz.join("fuzz_targets")).expect("the folder of targets is there");
    let mut found: Vec<String> = targets
        .flatten()
        .filter_map(|entry| entry.path().file_stem().map(|name| name.to_string_lossy().into_owned()))
        .collect();
    found.sort();
    let mut laws: Vec<&str> = LAWS.iter().map(|law| law.name).collect();
    laws.sort_unstable();
    assert_eq!(found, laws);
    for law in laws {
        let target =
            std::fs::read_to_string(fuzz.join("fuzz_targets").join(format!("{law}.rs"))).unwrap_or_default();
        assert!(target.contains(&format!("hold(\"{law}\"")), "{law}: its target tries another law");
        assert!(
            manifest.contains(&format!("path = \"fuzz_targets/{law}.rs\"")),
            "{law} is not in fuzz/Cargo.toml"
        );
    }
}

//! `cargo xtask attack`: everything a machine or a stranger may do to the built program, done to it. It stands outside: what it
//! knows of the program it has from its output, its files and its ports.

mod arguments;
mod child;
mod exact;
pub mod figures;
mod fuzz;
mod http;
mod kills;
mod messages;
mod requests;
mod rules;
mod siege;
mod stores;
mod tally;
mod trainings;
mod works;

use std::path::PathBuf;
use std::process::Command;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use ludens_mutate::Dice;

use crate::steps::{cargo, root};
use tally::{Tally, table, write_json};

type Outcome = Result<(), String>;

/// What any process of the program may take.
pub const MOST_KILOBYTES: u64 = 1 << 20;

/// How much is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// In every test run: all kinds in about a minute.
    Small,
    /// By hand, before a release.
    Large,
}

impl Budget {
    /// The number for this budget.
    pub fn of(self, small: usize, large: usize) -> usize {
        match self {
            Budget::Small => small,
            Budget::Large => large,
        }
    }
}

/// What every kind of attack is given.
pub struct Ground {
    /// Everything drawn follows from it and from the name of the kind.
    pub seed: u64,
    pub budget: Budget,
    /// The program that is attacked.
    pub program: PathBuf,
    /// A folder of the kind's own, emptied before and left after a failure.
    pub folder: PathBuf,
}

impl Ground {
    pub fn dice(&self, name: &str) -> Dice {
        Dice::named(self.seed, name)
    }
}

struct Kind {
    name: &'static str,
    about: &'static str,
    run: fn(&Ground, &Tally) -> Outcome,
}

const KINDS: &[Kind] = &[
    Kind {
        name: "kills",
        about: "killed at random moments and on exact system calls, disks that fail; resumed, compared",
        run: kills::attack,
    },
    Kind {
        name: "stores",
        about: "damaged homes, records and models, read by every command",
        run: stores::attack,
    },
    Kind { name: "rules", about: "mutated rules and rule bombs", run: rules::attack },
    Kind {
        name: "messages",
        about: "the GGP player under fire, asked for INFO all the while",
        run: messages::attack,
    },
    Kind {
        name: "requests",
        about: "the page's server under fire, while somebody plays",
        run: requests::attack,
    },
    Kind { name: "arguments", about: "hostile numbers and files for every command", run: arguments::attack },
    Kind { name: "fuzz", about: "the laws of every parser, in process", run: fuzz::attack },
];

/// Names a program that is already built.
const PROGRAM: &str = "LUDENS_ATTACK_PROGRAM";

/// `cargo xtask attack [--seed N] [--budget small|large] [KIND …]`, or `keep`: the figures of the last one, which was large.
pub fn command(words: &[&str]) -> Outcome {
    if words == ["keep"] {
        return figures::keep();
    }
    let mut seed = None;
    let mut budget = Budget::Small;
    let mut names = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--seed" => {
                let number = words.next().and_then(|text| text.parse().ok());
                seed = Some(number.ok_or("--seed takes a number")?);
            }
            "--budget" => {
                budget = match words.next() {
                    Some(&"small") => Budget::Small,
                    Some(&"large") => Budget::Large,
                    _ => return Err("--budget is small or large".into()),
                }
            }
            name if KINDS.iter().any(|kind| kind.name == name) => names.push(name),
            name => {
                let known: Vec<_> =
                    KINDS.iter().map(|kind| format!("  {:10} {}", kind.name, kind.about)).collect();
                return Err(format!("there is no attack {name:?}; there are\n{}", known.join("\n")));
            }
        }
    }
    attack(seed.unwrap_or_else(clock), budget, &names)
}

/// The step of the test: a small budget, another seed every time.
pub fn small() -> Outcome {
    attack(clock(), Budget::Small, &[])
}

fn clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64 % 1_000_000)
}

fn attack(seed: u64, budget: Budget, names: &[&str]) -> Outcome {
    let size = if budget == Budget::Small { "small" } else { "large" };
    println!("attack: --seed {seed} --budget {size}");
    let program = program()?;
    let began = Instant::now();
    let mut tallies = Vec::new();
    for kind in KINDS.iter().filter(|kind| names.is_empty() || names.contains(&kind.name)) {
        println!("-- {}: {}", kind.name, kind.about);
        let folder = root().join("target/attack").join(kind.name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let ground = Ground { seed, budget, program: program.clone(), folder };
        let tally = Tally::new(kind.name);
        // What stops a kind is a failure of it; the others are still tried.
        if let Err(problem) = (kind.run)(&ground, &tally) {
            tally.fail(problem);
        }
        tally.end();
        if tally.failures().is_empty() {
            let _ = std::fs::remove_dir_all(&ground.folder);
        }
        tallies.push(tally);
    }
    println!("\n{}", table(&tallies));
    write_json(seed, size, &tallies, began.elapsed())?;
    verdict(seed, size, &tallies)
}

/// All that failed, with the command that shows it again.
fn verdict(seed: u64, size: &str, tallies: &[Tally]) -> Outcome {
    let mut said = String::new();
    for tally in tallies {
        let failures = tally.failures();
        for failure in &failures {
            said += &format!("{}: {failure}\n", tally.kind);
        }
        if !failures.is_empty() {
            said += &format!("again: cargo xtask attack --seed {seed} --budget {size} {}\n", tally.kind);
        }
    }
    if said.is_empty() { Ok(()) } else { Err(said) }
}

fn program() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os(PROGRAM) {
        return Ok(named.into());
    }
    // With every package, as the tests before are built: another choice would build everything again.
    cargo(&["test", "--quiet", "--release", "--workspace", "--no-run"])?;
    Ok(root().join("target/release").join(format!("ludens{}", std::env::consts::EXE_SUFFIX)))
}

/// The commit that is attacked, as well as git can say.
fn commit() -> String {
    let output = Command::new("git").args(["describe", "--always", "--dirty"]).current_dir(root()).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string()).unwrap_or_default()
}

/// Gives every item to the first of two threads that is free: the machines this runs on have two cores at least.
pub fn on_two_threads<T: Sync>(items: &[T], work: impl Fn(&T) -> Outcome + Sync) -> Outcome {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let worker = || -> Outcome {
        while let Some(item) = items.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            work(item)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let second = scope.spawn(worker);
        let first = worker();
        first.and(second.join().unwrap_or_else(|_| Err("the attack itself panicked".into())))
    })
}

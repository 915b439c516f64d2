//! Rules: bombs that ask for endless work in a few bytes, and rules that are nearly right.

use std::fs;
use std::path::{Path, PathBuf};

use ludens_mutate::{Dice, mutate};

use super::child::Run;
use super::{Budget, Ground, Outcome, Tally, on_two_threads};
use crate::steps::root;

/// Seconds of a processor that any command may take on any rules: the limits count work, and this is what the largest work may be.
const SECONDS: u64 = 30;

const WORDS: &[&str] = &[
    "role",
    "init",
    "true",
    "does",
    "next",
    "legal",
    "goal",
    "terminal",
    "base",
    "input",
    "distinct",
    "not",
    "or",
    "<=",
    "(",
    ")",
    "?x",
    "?y",
    "(f ?x ?x)",
    "(s ?n)",
    "(true ",
    "(does ?r ",
    "100",
    "(or ",
    "(not ",
];

pub fn attack(ground: &Ground, tally: &Tally) -> Outcome {
    let mut works: Vec<(PathBuf, Vec<Vec<&str>>)> = Vec::new();
    let mut bombs = bombs();
    if ground.budget == Budget::Large {
        bombs.extend(slow_bombs());
    }
    for (name, text) in &bombs {
        let path = ground.folder.join(format!("{name}.kif"));
        write(&path, text.as_bytes())?;
        let mut dice = ground.dice(name);
        let drawn = (0..2).map(|_| dice.pick(COMMANDS).to_vec()).collect();
        let every = COMMANDS.iter().map(|words| words.to_vec()).collect();
        works.push((path, if ground.budget == Budget::Small { drawn } else { every }));
    }
    tally.add("bombs", bombs.len() as u64);
    let seeds = seeds()?;
    let count = ground.budget.of(60, 1500);
    for number in 0..count {
        let mut dice = ground.dice(&format!("rules {number}"));
        let mut text = dice.pick(&seeds).clone();
        mutate(&mut text, &seeds, WORDS, &mut dice);
        let path = ground.folder.join(format!("mutated-{number}.kif"));
        write(&path, &text)?;
        works.push((path, (0..2).map(|_| dice.pick(COMMANDS).to_vec()).collect()));
    }
    tally.add("mutated rules", count as u64);
    on_two_threads(&works, |(path, commands)| {
        for words in commands {
            let run = words.iter().fold(Run::new::<&str>(&ground.program, &[]), |run, word| match *word {
                "FILE" => run.arg(path),
                word => run.arg(word),
            });
            run.within(SECONDS).end()?.judge(tally);
        }
        Ok(())
    })
}

/// Everything that reads rules. Little is asked for, so that what is slow is slow because of the rules.
const COMMANDS: &[&[&str]] = &[
    &["gdl", "check", "FILE"],
    &["gdl", "show", "FILE", "--json"],
    &["gdl", "perft", "FILE", "--depth", "1", "--state-limit", "10000"],
    &["gdl", "playouts", "FILE", "--count", "1", "--step-cap", "3"],
    &["moves", "FILE", "--json"],
    &["explain", "FILE", "--mind", "random"],
    &["minds", "FILE"],
];

fn write(path: &Path, text: &[u8]) -> Outcome {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The rules of the repository.
pub fn seeds() -> Result<Vec<Vec<u8>>, String> {
    let folder = root().join("crates/gdl/rules");
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    let kif = paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "kif"));
    kif.map(|path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()))).collect()
}

/// A whole game for two in turn, so that only what is added is wrong with it.
const FRAME: &str = "(role x) (role o) (init (turn x)) (<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (legal ?p go) (true (turn ?p))) (<= (next (turn o)) (true (turn x))) (<= (next (turn x)) (true (turn o)))
(<= terminal (true (turn o))) (goal x 50) (goal o 50)\n";

fn framed(more: &str) -> String {
    format!("{FRAME}{more}")
}

/// Facts `(name 0)` to `(name count-1)`.
fn numbers(name: &str, count: usize) -> String {
    (0..count).map(|number| format!("({name} {number})\n")).collect()
}

/// A term that doubles so many times.
pub fn doubling(times: usize) -> String {
    let steps: String = (0..times).map(|n| format!("(<= (d{} (f ?x ?x)) (d{n} ?x))\n", n + 1)).collect();
    framed(&format!("(d0 a)\n{steps}(<= (init ?x) (d{times} ?x))\n"))
}

fn bombs() -> Vec<(&'static str, String)> {
    let nested = |depth: usize| "(f ".repeat(depth) + "a" + &")".repeat(depth);
    let variables = |count: usize| (0..count).map(|n| format!(" ?v{n}")).collect::<String>();
    let ors = "(or (true (turn x)) (true (turn o)) (role x)) ".repeat(24);
    vec![
        ("doubling-30", doubling(30)),
        ("doubling-90", doubling(90)),
        ("doubling-moves", doubling(60).replace("(init ?x)", "(legal x ?x)")),
        ("deep", framed(&format!("(init {})\n", nested(150)))),
        ("deeper", framed(&format!("(init {})\n", nested(100_000)))),
        ("brackets", "(".repeat(4_000_000)),
        ("closing", ")".repeat(4_000_000)),
        ("endless", framed("(num 0)\n(<= (num (s ?x)) (num ?x))\n(<= (init ?x) (num ?x))\n")),
        (
            "growing",
            framed("(init (c 0))\n(<= (next (c (s ?x))) (true (c ?x)))\n")
                .replace("(<= terminal (true (turn o)))", "(<= terminal (true (c z)))"),
        ),
        (
            "wide-growing",
            framed("(init (c 0))\n(<= (next (c (s ?x ?x))) (true (c ?x)))\n")
                .replace("(<= terminal (true (turn o)))", "(<= terminal (true (c z)))"),
        ),
        ("unstratified", framed("(<= p (not q))\n(<= q (not p))\n(<= (init p) p)\n")),
        (
            "wide",
            framed(&format!(
                "(wide{})\n(<= (init (w{})) (wide{}))\n",
                " a".repeat(50_000),
                variables(120),
                variables(120)
            )),
        ),
        ("ors", framed(&format!("(<= (init many) {ors})\n"))),
        ("variables", framed(&format!("(<= (init (v{})) (v{}))\n", variables(20_000), variables(20_000)))),
        ("conditions", framed(&format!("(<= (init many) {})\n", "(role x) ".repeat(200_000)))),
        ("roles", numbers("role", 5_000) + &framed("")),
        ("facts-4mb", framed(&numbers("fact", 330_000))),
        ("comment-4mb", framed(&format!(";{}\n", "x".repeat(4_000_000)))),
        ("symbol-4mb", framed(&format!("(fact {})\n", "y".repeat(4_000_000)))),
        ("too-large", framed(&numbers("fact", 1_000_000))),
        ("closure", framed(&closure(16))),
        ("nulls", framed("(init \0\u{1b}[31m)\n")),
    ]
}

/// Bombs that burn for seconds until a limit is reached.
fn slow_bombs() -> Vec<(&'static str, String)> {
    let variables = |count: usize| (0..count).map(|n| format!(" ?v{n}")).collect::<String>();
    let joined: String = (0..9).map(|n| format!(" (n ?v{n})")).collect();
    let join = format!("(<= (big{}) {joined})\n(<= (init (p ?a)) (big ?a{}))\n", variables(9), variables(8));
    let moves = "(<= (legal x (m ?a ?b)) (n ?a) (n ?b) (true (turn x)))\n";
    vec![
        ("join", framed(&(numbers("n", 60) + &join))),
        ("moves-90000", framed(&(numbers("n", 300) + moves))),
        ("closure-60", framed(&closure(60))),
        ("closure-400", heavy()),
    ]
}

/// Rules that take half a minute to ground.
pub fn heavy() -> String {
    framed(&closure(400))
}

/// A chain and its transitive closure, which is quadratic, and a relation over pairs of pairs.
fn closure(length: usize) -> String {
    let chain: String = (0..length).map(|n| format!("(e {n} {})\n", n + 1)).collect();
    chain
        + "(<= (r ?a ?b) (e ?a ?b))\n(<= (r ?a ?c) (r ?a ?b) (r ?b ?c))\n(<= (init (q ?a ?b ?c ?d)) (r ?a ?b) (r ?c ?d))\n"
}

/// Rule bombs as somebody would send them to a server; those that burn for long by hand only.
pub fn bombs_for_servers(budget: Budget) -> Vec<String> {
    let wanted = ["doubling-90", "endless", "ors", "deep", "growing", "wide-growing", "closure", "roles"];
    let quick = bombs().into_iter().filter(|(name, _)| wanted.contains(name));
    let slow = if budget == Budget::Large { slow_bombs() } else { Vec::new() };
    quick.chain(slow).map(|(_, text)| text).collect()
}

/// A seed of the repository, changed.
pub fn mutated(seeds: &[Vec<u8>], dice: &mut Dice) -> String {
    let mut text = dice.pick(seeds).clone();
    mutate(&mut text, seeds, WORDS, dice);
    String::from_utf8_lossy(&text).into_owned()
}

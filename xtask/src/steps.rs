//! The steps of the test command, in the order in which they fail fastest.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::house;

type Outcome = Result<(), String>;

struct Step {
    name: &'static str,
    about: &'static str,
    run: fn() -> Outcome,
}

const STEPS: &[Step] = &[
    Step { name: "house", about: "file sizes, loose ends, names of hosts", run: house::check },
    Step {
        name: "supply",
        about: "licences, sources, checksums and doubles of what is built in",
        run: crate::supply::check,
    },
    Step { name: "fmt", about: "cargo fmt", run: || cargo(&["fmt", "--all", "--check"]) },
    Step { name: "clippy", about: "cargo clippy, warnings are errors", run: clippy },
    Step { name: "unit", about: "every Rust test, in release", run: unit },
    Step {
        name: "attack",
        about: "killed, damaged, bombed and flooded, with a small budget and a new seed",
        run: crate::attack::small,
    },
    Step {
        name: "examples",
        about: "a game and a learner from outside: built, played, trained, resumed, served",
        run: crate::examples::check,
    },
    Step {
        name: "python",
        about: "pip install ., the README's example, pytest, notebooks, types, a cluster that is killed",
        run: crate::python::check,
    },
    Step {
        name: "baseline",
        about: "a wheel for other machines: what it needs, and the same bytes learnt",
        run: crate::python::check_baseline,
    },
    Step { name: "page", about: "the page's built files are what its sources build", run: page },
    Step {
        name: "e2e",
        about: "the page in a real browser, played, scanned, watched",
        run: || browser(false),
    },
    Step { name: "deny", about: "advisories, where cargo-deny is installed", run: deny },
];

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

pub fn list() -> Outcome {
    for step in STEPS {
        println!("{:8} {}", step.name, step.about);
    }
    Ok(())
}

/// Runs the named steps, or all of them, and stops at the first that fails.
pub fn test(names: &[&str]) -> Outcome {
    if let Some(unknown) = names.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        return Err(format!("there is no step {unknown:?}; `cargo xtask steps` lists them"));
    }
    let began = Instant::now();
    for step in STEPS.iter().filter(|step| names.is_empty() || names.contains(&step.name)) {
        println!("\n== {}: {}", step.name, step.about);
        let step_began = Instant::now();
        (step.run)().map_err(|problem| {
            format!("\n{}: {problem}\nOnce it is mended: cargo xtask test {}", step.name, step.name)
        })?;
        println!("== {} passed in {:.0} s", step.name, step_began.elapsed().as_secs_f64());
    }
    println!("\nAll steps passed in {:.0} s", began.elapsed().as_secs_f64());
    Ok(())
}

fn clippy() -> Outcome {
    cargo(&["clippy", "--quiet", "--release", "--workspace", "--all-targets", "--", "-D", "warnings"])
}

fn unit() -> Outcome {
    // Said, so that nobody takes a comparison that was not made for one that held.
    if !root().join("../shared/data").is_dir() {
        println!(
            "../shared/data is not here: nothing is compared with the GDL corpus and the records of people \
             (with CI set those tests fail). Everything in oracles/ is compared."
        );
    }
    gnubg();
    cargo(&["test", "--release", "--workspace"])
}

/// Gets GNU Backgammon where it is missing. A machine that cannot have it goes on: the tests that need it say so,
/// and fail where CI is set.
fn gnubg() {
    if let Err(problem) = run(Command::new("bash").arg("xtask/gnubg.sh")) {
        println!("{problem}: nothing is compared with GNU Backgammon (with CI set those tests fail).");
    }
}

fn page() -> Outcome {
    run(Command::new("bash").arg("crates/web/setup.sh"))?;
    run(Command::new("node").arg("crates/web/page/check.mjs"))
}

/// Plays in a browser; with `pictures` those of the docs are made anew.
pub fn browser(pictures: bool) -> Outcome {
    // The program as the step before has built it: another choice of packages would build everything again.
    cargo(&["test", "--quiet", "--release", "--workspace", "--no-run"])?;
    let mut command = Command::new("bash");
    command.arg("crates/web/e2e/run.sh").env("LUDENS", root().join("target/release/ludens"));
    if pictures {
        command.env("PICTURES", "1");
    }
    run(&mut command)
}

fn deny() -> Outcome {
    let installed =
        Command::new("cargo").args(["deny", "--version"]).output().is_ok_and(|out| out.status.success());
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo")));
    let database = home.map(|home| home.join("advisory-dbs")).filter(|folder| folder.is_dir());
    if !installed || database.is_none() {
        println!("cargo-deny or its database is not here: `cargo install cargo-deny`, `cargo deny fetch`");
        return Ok(());
    }
    cargo(&["deny", "--offline", "check", "advisories"])
}

pub fn laws(games: &str) -> Outcome {
    run(Command::new(env!("CARGO")).env("LUDENS_LAW_GAMES", games).args([
        "test",
        "--release",
        "-p",
        "ludens-games",
        "--test",
        "laws",
        "--",
        "--nocapture",
    ]))
}

/// Makes the generated parts of the docs anew.
pub fn docs() -> Outcome {
    crate::attack::figures::write()?;
    run(Command::new(env!("CARGO")).env("LUDENS_MEND_DOCS", "1").args([
        "test",
        "--release",
        "-p",
        "ludens-lab",
        "--test",
        "docs",
    ]))
}

/// Measures every mind anew, from the start or from where it was stopped, and shows it in the docs. What an earlier program measured is not gone on with
/// unless it is asked for: the reasons may have changed.
pub fn faithfulness(resume: bool) -> Outcome {
    let out = root().join("target/faithfulness");
    if !resume {
        let _ = std::fs::remove_dir_all(&out);
    }
    let folder = out.display().to_string();
    let reproduce = ["reproduce", "faithfulness", "--scale", "quick", "--out", &folder, "--home", &folder];
    cargo(&[&["run", "--release", "-p", "ludens", "--"][..], &reproduce].concat())?;
    let (from, to) = (out.join("result.json"), root().join("results/faithfulness/quick.json"));
    std::fs::copy(&from, &to).map_err(|error| format!("cannot keep {}: {error}", from.display()))?;
    docs()
}

/// Trains the zoo anew: in its place, or elsewhere to compare the bytes.
pub fn zoo(check: bool) -> Outcome {
    let home = root().join("crates/learners/zoo");
    let out = if check { root().join("target/zoo-check") } else { home.clone() };
    if check {
        let _ = std::fs::remove_dir_all(&out);
    }
    std::fs::create_dir_all(&out).map_err(|error| format!("cannot make {}: {error}", out.display()))?;
    let manifest = home.join("zoo.toml").display().to_string();
    let folder = out.display().to_string();
    cargo(&["run", "--release", "-p", "ludens", "--", "zoo", "--rebuild", &manifest, "--out", &folder])?;
    if !check {
        return forget_unlisted(&home);
    }
    let kept: Vec<_> = files(&home)?.into_iter().filter(|(name, _)| name != "zoo.toml").collect();
    if kept == files(&out)? {
        println!("The zoo comes out of its seeds byte for byte: {} files", kept.len());
        return Ok(());
    }
    Err(format!("the rebuilt zoo in {} differs from the committed one", out.display()))
}

/// Levels that are no longer wanted must not stay in the program.
fn forget_unlisted(home: &Path) -> Outcome {
    let list = std::fs::read_to_string(home.join("zoo.json")).map_err(|error| error.to_string())?;
    for (name, _) in files(home)?.iter().filter(|(name, _)| name.ends_with(".safetensors")) {
        let animal = name.split('.').next().unwrap_or(name);
        if !list.contains(&format!("\"{animal}\"")) {
            std::fs::remove_file(home.join(name)).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// The names and contents of the files of a folder.
fn files(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let fail = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)?.flatten() {
        if entry.path().is_file() {
            let name = entry.file_name().to_string_lossy().into_owned();
            files.push((name, std::fs::read(entry.path()).map_err(fail)?));
        }
    }
    files.sort();
    Ok(files)
}

/// Every fuzz target, for so many seconds each.
pub fn fuzz(seconds: &str) -> Outcome {
    let targets = std::fs::read_dir(root().join("fuzz/fuzz_targets"))
        .map_err(|error| format!("cannot list the fuzz targets: {error}"))?;
    for target in targets.flatten() {
        let path = target.path();
        let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
        let limit = format!("-max_total_time={seconds}");
        run(Command::new("cargo").args(["+nightly", "fuzz", "run", name, "--", &limit]))?;
    }
    Ok(())
}

pub fn cargo(arguments: &[&str]) -> Outcome {
    run(Command::new(env!("CARGO")).args(arguments))
}

/// Runs a command in the root of the repository.
pub fn run(command: &mut Command) -> Outcome {
    let shown = format!("{command:?}").replace('"', "");
    let status =
        command.current_dir(root()).status().map_err(|error| format!("cannot start {shown}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{shown} failed")) }
}

//! The Python package as a stranger gets it: a fresh virtual environment, `pip install .`, the README's example, then every test in Python.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::steps::{root, run};

type Outcome = Result<(), String>;

/// The versions of everything that comes from the registry.
const CONSTRAINTS: &str = "python/constraints.txt";
/// The baseline of what is built once to run elsewhere.
const BASELINE: &str = "x86-64-v3";
/// What of it can be lacking, and is said then.
const BASELINE_NEEDS: &str = "sse3 ssse3 sse4.1 sse4.2 popcnt movbe avx f16c fma avx2 bmi1 bmi2 lzcnt";

/// The step of the test command.
pub fn check() -> Outcome {
    let began = Instant::now();
    let place = installed("python")?;
    let installed = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let home = place.join("home");
    run(Command::new(place.join("bin/python")).arg("-c").arg(example()?).env("LUDENS_HOME", home))?;
    println!(
        "installed in {installed:.0} s, the README's example ran in {:.1} s",
        began.elapsed().as_secs_f64()
    );
    pip(&place, &["install", "-r", "python/requirements.txt"])?;
    run(Command::new(place.join("bin/python")).args(["-m", "pytest"]))
}

/// The package, built for this machine, in an environment with nothing else.
fn installed(name: &str) -> Result<PathBuf, String> {
    let place = fresh(name)?;
    pip(&place, &["install", "."])?;
    Ok(place)
}

/// A virtual environment with nothing in it.
fn fresh(name: &str) -> Result<PathBuf, String> {
    let place = root().join("target/environments").join(name);
    let _ = fs::remove_dir_all(&place);
    run(Command::new("bash").arg("python/venv.sh").arg(&place))?;
    Ok(place)
}

/// pip, held to the versions of the constraints: also what builds the package.
fn pip(place: &Path, words: &[&str]) -> Outcome {
    let constraints = root().join(CONSTRAINTS);
    run(Command::new(place.join("bin/python"))
        .args(["-m", "pip", "--quiet", "--disable-pip-version-check"])
        .args(words)
        .env("PIP_CONSTRAINT", &constraints)
        .env("PIP_BUILD_CONSTRAINT", &constraints))
}

/// The README's Python.
fn example() -> Result<String, String> {
    let page =
        fs::read_to_string(root().join("README.md")).map_err(|error| format!("no README.md: {error}"))?;
    let code: Vec<&str> =
        page.split("```python\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    match code[..] {
        [] => Err("README.md has no example in Python".into()),
        _ => Ok(code.join("\n")),
    }
}

/// The wheel for the stated baseline, in `dist/`, and an environment with it and nothing else.
fn baseline_wheel() -> Result<(PathBuf, PathBuf), String> {
    let place = fresh("baseline")?;
    pip(&place, &["install", "maturin"])?;
    let out = root().join("dist");
    let _ = fs::remove_dir_all(&out);
    baseline(
        Command::new(place.join("bin/maturin")).args(["build", "--quiet", "--release", "--out"]).arg(&out),
    )?;
    let wheel = fs::read_dir(&out).into_iter().flatten().flatten().map(|entry| entry.path()).next();
    let wheel = wheel.ok_or("maturin left no wheel")?.display().to_string();
    pip(&place, &["install", &wheel])?;
    Ok((place, out))
}

/// Runs a build for the baseline, in a folder of its own: nothing of it can be shared with what is built for this processor.
fn baseline(command: &mut Command) -> Outcome {
    let flags = format!("-C target-cpu={BASELINE}");
    run(command.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", root().join("target/baseline")))
}

/// What is built once runs everywhere from its baseline on, and learns the same bytes as what is built for this processor.
pub fn check_baseline() -> Outcome {
    let (place, _) = baseline_wheel()?;
    let needs = Command::new(place.join("bin/python"))
        .args(["-c", "import ludens; print(*ludens._core.needs())"])
        .output()
        .map_err(|error| format!("cannot start Python: {error}"))?;
    let needs = String::from_utf8_lossy(&needs.stdout).trim().to_string();
    if needs != BASELINE_NEEDS {
        return Err(format!("the wheel for {BASELINE} needs {needs:?}, not {BASELINE_NEEDS:?}"));
    }
    // Built anew, which is soon done: an older one may learn otherwise.
    let native = installed("native")?;
    all_learners(&native)?;
    same_bytes(&[native.join("bin/ludens"), place.join("bin/ludens")])
}

/// The wheel and the program for the baseline, in `dist/`.
pub fn dist() -> Outcome {
    let (_, out) = baseline_wheel()?;
    baseline(Command::new(env!("CARGO")).args(["build", "--release", "-p", "ludens"]))?;
    fs::copy(root().join("target/baseline/release/ludens"), out.join("ludens"))
        .map_err(|error| format!("cannot copy the program: {error}"))?;
    println!("the wheel and the program for {BASELINE} are in {}", out.display());
    Ok(())
}

/// A short training of every learner: its game and its steps.
const TRAININGS: &[[&str; 3]] = &[
    ["nhb", "connect-four", "4"],
    ["nhb-improved", "connect-four", "2"],
    ["odds", "reversi", "60"],
    ["coevolution", "tic-tac-toe", "3"],
    ["coevolution-improved", "tic-tac-toe", "1"],
    ["concepts", "tic-tac-toe", "1"],
    ["concepts-selected", "tic-tac-toe", "1"],
    ["contexts", "connect-four", "2"],
    ["contexts-any", "tic-tac-toe", "1"],
    ["ranker", "connect-four", "1"],
    ["homo", "tic-tac-toe", "5"],
    ["homo", "backgammon", "1"],
    ["actr", "backgammon", "20"],
    ["actr-improved", "backgammon", "20"],
    ["actr-rehearsed", "backgammon", "20"],
    ["hc", "backgammon", "1"],
    ["td", "backgammon", "20"],
];

/// No learner is forgotten: those of every game, as the package tells them.
fn all_learners(place: &Path) -> Outcome {
    let code = "import ludens; print(*{one['name'] for game in ludens.games() for one in ludens.load_game(game['id']).learners()})";
    let told = Command::new(place.join("bin/python"))
        .args(["-c", code])
        .output()
        .map_err(|error| format!("cannot start Python: {error}"))?;
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    let missing: Vec<&str> = told
        .split_whitespace()
        .filter(|name| TRAININGS.iter().all(|[learner, ..]| learner != name))
        .collect();
    match (told.trim().is_empty(), missing.is_empty()) {
        (true, _) => Err("the package tells of no learner".into()),
        (_, false) => Err(format!("TRAININGS in xtask/src/python.rs lacks {}", missing.join(", "))),
        _ => Ok(()),
    }
}

/// Trainings on both: the same models, byte for byte.
fn same_bytes(programs: &[PathBuf; 2]) -> Outcome {
    let scratch = root().join("target/baseline-trainings");
    let _ = fs::remove_dir_all(&scratch);
    for [learner, game, steps] in TRAININGS {
        let mut models = Vec::new();
        for (number, program) in programs.iter().enumerate() {
            let (home, model) =
                (scratch.join(number.to_string()), scratch.join(format!("{learner}-{game}-{number}")));
            fs::create_dir_all(&home).map_err(|error| error.to_string())?;
            let words = ["train", learner, "--game", game, "--steps", steps, "--seed", "5"];
            run(Command::new(program).args(words).arg("--out").arg(&model).arg("--home").arg(&home))?;
            models.push(fs::read(&model).map_err(|error| format!("no {}: {error}", model.display()))?);
        }
        if models[0] != models[1] {
            return Err(format!(
                "{learner} learns other bytes on {BASELINE} than on this machine's own processor"
            ));
        }
    }
    println!("{} trainings: the same bytes on {BASELINE} and on this processor", TRAININGS.len());
    Ok(())
}

//! Nothing is lost: `train` and `reproduce` killed at random moments, resumed, compared with a run that was left alone.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::steps::{cargo, root};

type Outcome = Result<(), String>;

/// What is trained and reproduced. Long enough to be hit often, short enough to be done often.
const TRAINING: &[&str] = &["--game", "backgammon", "--seed", "3"];

/// Half of the kills hit trainings, half reproductions.
pub fn kill(kills: u32) -> Outcome {
    if std::env::var_os(PROGRAM).is_none() {
        cargo(&["build", "--release", "-p", "ludens"])?;
    }
    let folder = root().join("target/kill");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let setting = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.into());
    let training = Trial::training(
        &folder,
        &setting("LUDENS_KILL_LEARNER", "actr"),
        &setting("LUDENS_KILL_STEPS", "4000"),
    );
    let reproduction = Trial::reproduction(
        &folder,
        &setting("LUDENS_KILL_PAPER", "faithfulness"),
        &setting("LUDENS_KILL_SCALE", "quick"),
    );
    training.run(kills.div_ceil(2), &mut dice)?;
    reproduction.run(kills / 2, &mut dice)?;
    println!("{kills} kills: every run ended with the same bytes as the one left alone");
    Ok(())
}

/// One kind of work that is killed and resumed.
struct Trial {
    name: &'static str,
    folder: PathBuf,
    /// The first command, and the one that goes on; both with the home appended.
    begin: Vec<String>,
    go_on: Vec<String>,
    /// Folders and files in the home whose bytes must be the same.
    compared: &'static [&'static str],
}

impl Trial {
    fn training(folder: &Path, learner: &str, steps: &str) -> Trial {
        let mut begin: Vec<String> =
            ["train", learner, "--games", steps, "--checkpoint", "0.02"].map(String::from).into();
        begin.extend(TRAINING.iter().map(ToString::to_string));
        let go_on = ["resume", "1"].map(String::from).into();
        Trial { name: "train", folder: folder.join("train"), begin, go_on, compared: &["runs/1"] }
    }

    fn reproduction(folder: &Path, paper: &str, scale: &str) -> Trial {
        let begin: Vec<String> = ["reproduce", paper, "--scale", scale].map(String::from).into();
        Trial {
            name: "reproduce",
            folder: folder.join("reproduce"),
            go_on: begin.clone(),
            begin,
            compared: &["reproductions"],
        }
    }

    fn run(&self, kills: u32, dice: &mut Dice) -> Outcome {
        let alone = self.folder.join("alone");
        let began = std::time::Instant::now();
        run_to_end(&self.begin, &alone)?;
        let length = began.elapsed().as_millis().max(50) as u64;
        let expected = contents(&alone, self.compared)?;
        let curve = curve(&alone)?;
        let (mut done, mut rounds) = (0, 0);
        while done < kills {
            rounds += 1;
            let home = self.folder.join(format!("killed-{rounds}"));
            let mut command = &self.begin;
            // A kill early in the first command may come before the run is registered: then it is begun again.
            while done < kills {
                let killed = run_and_kill(command, &home, dice.below(length / 2 + 20))?;
                let registered = home.join("runs.sqlite").exists() && !listed(&home)?.is_empty();
                command = if registered { &self.go_on } else { &self.begin };
                if !killed {
                    break;
                }
                done += 1;
            }
            run_to_end(command, &home)?;
            if contents(&home, self.compared)? != expected {
                return Err(format!("{}: {} differs from {}", self.name, home.display(), alone.display()));
            }
            if self.name == "train" && self::curve(&home)? != curve {
                return Err(format!("train: the learning curve in {} is another", home.display()));
            }
            let _ = std::fs::remove_dir_all(&home);
            println!("{}: {done} of {kills} kills, {rounds} runs, the same bytes", self.name);
        }
        Ok(())
    }
}

/// Names a program that is already built.
const PROGRAM: &str = "LUDENS_KILL_PROGRAM";

fn program() -> PathBuf {
    if let Some(named) = std::env::var_os(PROGRAM) {
        return named.into();
    }
    root().join("target/release").join(format!("ludens{}", std::env::consts::EXE_SUFFIX))
}

fn ludens(words: &[String], home: &Path) -> Command {
    let mut command = Command::new(program());
    command
        .args(words)
        .arg("--home")
        .arg(home)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

fn run_to_end(words: &[String], home: &Path) -> Outcome {
    let output = ludens(words, home).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("ludens {} failed: {}", words.join(" "), String::from_utf8_lossy(&output.stderr)))
}

/// True if the process was still alive when it was killed.
fn run_and_kill(words: &[String], home: &Path, milliseconds: u64) -> Result<bool, String> {
    let mut child = ludens(words, home).stderr(Stdio::null()).spawn().map_err(|error| error.to_string())?;
    std::thread::sleep(Duration::from_millis(milliseconds));
    if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
        return if status.success() { Ok(false) } else { Err(format!("ludens {} failed", words.join(" "))) };
    }
    child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
    Ok(true)
}

/// The store opens after every kill, and lists its runs.
fn listed(home: &Path) -> Result<String, String> {
    let words: Vec<String> = ["runs", "export"].map(String::from).into();
    run_to_end(&words, home)?;
    let output = Command::new(program()).args(["runs", "--json", "--home"]).arg(home).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    text.map(|text| if text == "[]" { String::new() } else { text }).map_err(|error| error.to_string())
}

fn curve(home: &Path) -> Result<String, String> {
    let output = Command::new(program()).args(["runs", "export", "--home"]).arg(home).output();
    output
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .map_err(|error| error.to_string())
}

/// All files below the named places, with their bytes; locks and half-written temporaries aside.
fn contents(home: &Path, places: &[&str]) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = places.iter().map(|place| home.join(place)).collect();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).map_err(|error| error.to_string())?;
            open.extend(entries.flatten().map(|entry| entry.path()));
            continue;
        }
        let name = path.strip_prefix(home).unwrap_or(&path).display().to_string();
        if !name.ends_with(".tmp") && !name.ends_with("lock") {
            found.push((name, std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?));
        }
    }
    found.sort();
    Ok(found)
}

/// A small generator: the moments of the kills need no quality.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound.max(1)
    }
}

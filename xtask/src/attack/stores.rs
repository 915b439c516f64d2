//! Homes, records and models that something has damaged. Every command that reads them does its work or says a sentence; and while
//! the checkpoint before is whole, nothing is lost.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ludens_mutate::Dice;

use super::child::Run;
use super::{Ground, Outcome, Tally, on_two_threads};

const TRAINING: &[&str] =
    &["train", "odds", "--game", "tic-tac-toe", "--steps", "4000", "--seed", "3", "--checkpoint", "0.02"];

pub fn attack(ground: &Ground, tally: &Tally) -> Outcome {
    let template = ground.folder.join("whole");
    let expected = build(ground, &template)?;
    let homes: Vec<usize> = (0..ground.budget.of(40, 800)).collect();
    on_two_threads(&homes, |&number| {
        let mut dice = ground.dice(&format!("home {number}"));
        let home = ground.folder.join(format!("home-{number}"));
        copy(&template, &home)?;
        if number.is_multiple_of(8) {
            spare_wheel(ground, tally, &home, &expected, &mut dice)?;
        } else {
            damaged(ground, tally, &home, &mut dice)?;
        }
        if tally.failures().is_empty() {
            let _ = fs::remove_dir_all(&home);
        }
        Ok(())
    })
}

/// A home with a training that was killed, a finished one, a reproduction, a record and labels. Gives the finished model.
fn build(ground: &Ground, home: &Path) -> Result<Vec<u8>, String> {
    fs::create_dir_all(home).map_err(|error| format!("{}: {error}", home.display()))?;
    let run = |words: &[&str]| Run::new(&ground.program, words).within(60);
    let mut killed = run(TRAINING).home(home).spawn()?;
    // Two checkpoints are there when the one before is.
    for _ in 0..400 {
        std::thread::sleep(Duration::from_millis(5));
        if home.join("runs/1/checkpoint.safetensors.previous").exists() {
            break;
        }
    }
    killed.kill().and_then(|()| killed.wait()).map_err(|error| error.to_string())?;
    if !home.join("runs/1/checkpoint.safetensors").exists() {
        return Err("the training was over before it was killed; make TRAINING longer".into());
    }
    let works = [
        run(TRAINING).home(home),
        run(&["reproduce", "contexts", "--scale", "smoke"]).home(home),
        run(&["arena", "random", "depth1", "--game", "tic-tac-toe", "--games", "40", "--record"])
            .arg(home.join("games.jsonl")),
        run(&["label", "connect-four", "--count", "20", "--from-ply", "24", "--to-ply", "28", "--out"])
            .arg(home.join("labels.safetensors")),
    ];
    for work in works {
        let end = work.end()?;
        if !end.success() {
            return Err(format!("{} failed: {}", work.shown(), end.complained));
        }
    }
    fs::read(home.join("runs/2/model.safetensors")).map_err(|error| format!("the finished model: {error}"))
}

/// Only the newest checkpoint is damaged: the training goes on from the one before, to the same bytes.
fn spare_wheel(ground: &Ground, tally: &Tally, home: &Path, expected: &[u8], dice: &mut Dice) -> Outcome {
    let checkpoint = home.join("runs/1/checkpoint.safetensors");
    let how = spoil(&checkpoint, &checkpoint, BYTES, dice)?;
    let run = Run::new(&ground.program, &["resume", "1"]).home(home).within(60);
    let end = run.end()?;
    end.judge(tally);
    tally.add("homes", 1);
    let model = fs::read(home.join("runs/1/model.safetensors")).unwrap_or_default();
    // The two trainings have the same settings and differ in nothing that a model holds.
    if !end.success() || model != expected {
        let told = end.complained.trim();
        tally.fail(format!(
            "{} with its newest checkpoint {how} does not go on from the one before: {told}",
            run.shown()
        ));
    }
    Ok(())
}

fn damaged(ground: &Ground, tally: &Tally, home: &Path, dice: &mut Dice) -> Outcome {
    let files = files(home);
    let mut spoilt = Vec::new();
    for _ in 0..1 + dice.below(3) {
        let (victim, other) = (dice.pick(&files).clone(), dice.pick(&files).clone());
        let how = spoil(&victim, &other, ALL, dice)?;
        spoilt.push(format!("{} {how}", victim.strip_prefix(home).unwrap_or(&victim).display()));
    }
    tally.add("homes", 1);
    let commands = commands(home);
    let every = ground.budget.of(4, commands.len());
    for number in 0..every {
        let words = if every == commands.len() { &commands[number] } else { dice.pick(&commands) };
        let end = Run::new(&ground.program, words).within(30).end()?;
        end.judge(tally);
        if let Some(problem) = end.problem() {
            tally.fail(format!("… with {}: {problem}", spoilt.join(", ")));
        }
    }
    Ok(())
}

/// Every command that reads what is in a home.
fn commands(home: &Path) -> Vec<Vec<String>> {
    let at = |name: &str| home.join(name).display().to_string();
    let model = at("runs/2/model.safetensors");
    let level = at("runs/2/level-000000001000.safetensors");
    let (record, labels) = (at("games.jsonl"), at("labels.safetensors"));
    let (paper, result) =
        (at("reproductions/contexts-smoke-1"), at("reproductions/contexts-smoke-1/result.json"));
    let home = home.display().to_string();
    let list: Vec<Vec<&str>> = vec![
        vec!["runs", "--home", &home],
        vec!["runs", "--json", "--home", &home],
        vec!["runs", "show", "1", "--home", &home],
        vec!["runs", "show", "2", "--json", "--home", &home],
        vec!["runs", "compare", "1", "2", "--home", &home],
        vec!["runs", "export", "--home", &home],
        vec!["runs", "export", "2", "--format", "jsonl", "--home", &home],
        vec!["runs", "levels", "2", "--games", "2", "--home", &home],
        vec!["resume", "1", "--home", &home],
        vec!["resume", "2", "--home", &home],
        vec!["resume", "3", "--home", &home],
        vec!["explain", "tic-tac-toe", "--run", "2", "--home", &home],
        vec!["explain", "tic-tac-toe", "--mind", &model],
        vec!["explain", "tic-tac-toe", "--mind", &level, "--json"],
        vec!["play", "tic-tac-toe", "--against", &model, "--side", "second"],
        vec!["arena", &model, &level, "--game", "tic-tac-toe", "--games", "4"],
        vec![
            "arena",
            "random",
            "depth1",
            "--game",
            "tic-tac-toe",
            "--games",
            "40",
            "--resume",
            "--record",
            &record,
        ],
        vec!["describe", &model],
        vec!["describe", &labels, "--json"],
        vec!["replay", &record],
        vec!["replay", &record, "--number", "3", "--json"],
        vec!["reproduce", "contexts", "--scale", "smoke", "--home", &home],
        vec!["report", &result, "--markdown"],
        vec!["merge", &paper, "--out", &model],
        vec![
            "train",
            "ranker:epochs=1",
            "--set",
            &labels,
            "--game",
            "connect-four",
            "--games",
            "1",
            "--home",
            &home,
        ],
        vec!["train", "odds", "--game", "tic-tac-toe", "--steps", "20", "--home", &home],
    ];
    list.into_iter().map(|words| words.into_iter().map(String::from).collect()).collect()
}

/// How many ways there are to damage a file, and how many that leave it a file.
const ALL: usize = 9;
const BYTES: usize = 6;

/// Damages a file in one way, and says in which.
fn spoil(victim: &Path, other: &Path, ways: usize, dice: &mut Dice) -> Result<&'static str, String> {
    let mut bytes = fs::read(victim).unwrap_or_default();
    let len = bytes.len();
    let how = match dice.below(ways) {
        0 => {
            bytes.truncate(dice.below(len));
            "cut"
        }
        1 => {
            for _ in 0..1 + dice.below(8) {
                if let Some(byte) = bytes.get_mut(dice.below(len)) {
                    *byte ^= 1 << dice.below(8);
                }
            }
            "with flipped bits"
        }
        2 => {
            let begin = dice.below(len);
            let end = (begin + 1 + dice.below(4096)).min(len);
            bytes[begin..end].fill(0);
            "with zeros"
        }
        3 => {
            bytes.clear();
            "emptied"
        }
        4 => {
            bytes = (0..dice.below(5000)).map(|_| dice.next() as u8).collect();
            "overwritten"
        }
        5 => {
            bytes.extend((0..dice.below(5000)).map(|_| dice.next() as u8));
            "lengthened"
        }
        6 if victim != other => {
            bytes = fs::read(other).unwrap_or_default();
            "in the place of another"
        }
        7 => return replace(victim, |path| fs::create_dir(path)).map(|()| "a folder"),
        _ => {
            return replace(victim, |path| std::os::unix::fs::symlink(path, path))
                .map(|()| "a link to itself");
        }
    };
    // A file that was made a folder or a link before stays one.
    let _ = fs::write(victim, bytes);
    Ok(how)
}

fn replace(path: &Path, by: impl Fn(&Path) -> std::io::Result<()>) -> Outcome {
    let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
    by(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files.extend(self::files(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

fn copy(from: &Path, to: &Path) -> Outcome {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).unwrap_or(&file));
        let folder = target.parent().unwrap_or(to);
        let copied = fs::create_dir_all(folder).and_then(|()| fs::copy(&file, &target));
        copied.map_err(|error| format!("{}: {error}", target.display()))?;
    }
    Ok(())
}

//! Nothing is lost: trainings of every learner, reproductions, a tournament and a labelling are killed at random moments, gone on
//! with, and compared byte for byte with one that was left alone.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::exact::Tracer;
use super::trainings::{Trial, trials};
use super::{Ground, Outcome, Tally, on_two_threads};

pub fn attack(ground: &Ground, tally: &Tally) -> Outcome {
    let trials = trials(ground)?;
    let tracer = Tracer::find();
    if tracer.is_none() {
        tally.leave_out(
            "kills on exact system calls and failing disks: strace is not installed, or may not trace here",
        );
    }
    on_two_threads(&trials, |trial| {
        // A trial that fails ends there; the others are still tried.
        if let Err(problem) = one(ground, tally, trial, tracer.as_ref()) {
            tally.fail(format!("{}: {problem}", trial.name));
        }
        Ok(())
    })
}

/// What a work gives when nobody disturbs it.
pub struct Alone {
    pub result: Vec<(String, Vec<u8>)>,
    pub took: Duration,
}

fn one(ground: &Ground, tally: &Tally, trial: &Trial, tracer: Option<&Tracer>) -> Outcome {
    let folder = ground.folder.join(trial.name.replace(' ', "-"));
    let home = fresh(&folder, "alone")?;
    let began = Instant::now();
    tally.took_memory(finish(trial, &home)?);
    let alone = Alone { took: began.elapsed(), result: trial.result(&home)? };
    let kills = ground.budget.of(2, 45);
    let mut dice = ground.dice(&trial.name);
    let mut done = 0;
    for round in 0.. {
        if done >= kills {
            break;
        }
        let home = fresh(&folder, &format!("killed-{round}"))?;
        while done < kills {
            let moment = dice.below(alone.took.as_millis() as usize * 3 / 5 + 20);
            if !killed(trial, &home, Duration::from_millis(moment as u64))? {
                break;
            }
            done += 1;
            tally.add("kills at random moments", 1);
        }
        same(trial, &home, &alone)?;
        tally.add("works compared", 1);
    }
    if let Some(tracer) = tracer {
        tracer.attack(ground, tally, trial, &folder, &alone)?;
    }
    Ok(())
}

/// An empty home.
pub fn fresh(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let home = folder.join(name);
    let _ = std::fs::remove_dir_all(&home);
    std::fs::create_dir_all(&home).map_err(|error| format!("{}: {error}", home.display()))?;
    Ok(home)
}

/// Goes on to the end, and says how many kilobytes that took.
fn finish(trial: &Trial, home: &Path) -> Result<u64, String> {
    let run = trial.next(home)?;
    let end = run.end()?;
    match end.problem() {
        Some(problem) => Err(problem),
        None if end.success() => Ok(end.kilobytes),
        None => Err(format!("{} failed: {}", run.shown(), end.complained.trim())),
    }
}

/// Goes on to the end, and compares.
pub fn same(trial: &Trial, home: &Path, alone: &Alone) -> Outcome {
    finish(trial, home)?;
    let result = trial.result(home)?;
    if result == alone.result {
        let _ = std::fs::remove_dir_all(home);
        return Ok(());
    }
    let differs = alone.result.iter().find(|file| !result.contains(file)).map(|(name, _)| name.as_str());
    let added = result.iter().find(|(name, _)| alone.result.iter().all(|(known, _)| known != name));
    let which = differs.or_else(|| added.map(|(name, _)| name.as_str())).unwrap_or("something");
    Err(format!("in {} {which} is not what it is without a kill", home.display()))
}

/// True if the process was still alive when it was killed.
fn killed(trial: &Trial, home: &Path, moment: Duration) -> Result<bool, String> {
    let run = trial.next(home)?;
    let mut child = run.spawn()?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    std::thread::sleep(moment);
    let ended = child.try_wait().map_err(|error| error.to_string())?;
    child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
    drop((out, err));
    match ended {
        None => Ok(true),
        Some(status) if status.success() => Ok(false),
        Some(status) => Err(format!("{} failed by itself: {status}", run.shown())),
    }
}

//! Kills on exact system calls, and disks that are full or broken, by `strace`.

use std::path::Path;
use std::process::{Command, Stdio};

use ludens_mutate::Dice;

use super::child::Run;
use super::kills::{Alone, fresh, same};
use super::trainings::Trial;
use super::{Ground, Outcome, Tally};

/// Calls between which a file is not what it was and not yet what it will be.
const CALLS: &[&str] = &[
    "rename,renameat,renameat2",
    "fsync,fdatasync",
    "write",
    "pwrite64",
    "openat",
    "unlink,unlinkat",
    "link,linkat",
    "ftruncate",
];

/// What a disk says when it cannot.
const ERRORS: &[&str] = &["ENOSPC", "EIO", "EDQUOT", "EROFS"];

/// `strace`, where it is installed and may trace.
pub struct Tracer;

impl Tracer {
    pub fn find() -> Option<Tracer> {
        let tried = Command::new("strace")
            .args([
                "-f",
                "-qq",
                "-o",
                "/dev/null",
                "-e",
                "trace=write",
                "-e",
                "inject=write:error=EIO:when=9",
                "true",
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        tried.is_ok_and(|status| status.success()).then_some(Tracer)
    }

    /// Kills on calls and failing calls, one after the other in the same home, which is compared whenever the work got to its end.
    pub fn attack(
        &self,
        ground: &Ground,
        tally: &Tally,
        trial: &Trial,
        folder: &Path,
        alone: &Alone,
    ) -> Outcome {
        let mut dice = ground.dice(&format!("{} by calls", trial.name));
        let mut home = fresh(folder, "called-0")?;
        let mut done: Vec<String> = Vec::new();
        for round in 1..=ground.budget.of(3, 40) {
            let fails = round % 3 == 2;
            let calls = CALLS[(round + dice.below(CALLS.len())) % CALLS.len()];
            let what = if fails { format!("error={}", dice.pick(ERRORS)) } else { "signal=SIGKILL".into() };
            let injected = format!("inject={calls}:{what}:when={}", number(&mut dice));
            let end = self.run(trial, &home, &injected)?;
            done.push(injected);
            let killed = !fails && end.killed();
            let counted = match (fails, killed, end.success()) {
                (_, true, _) => "kills on exact calls",
                (true, _, true) => "failing calls borne",
                (true, ..) => "failing calls told",
                _ => "calls not reached",
            };
            tally.add(counted, 1);
            let after = |problem| format!("after strace -f -e {}: {problem}", done.join(", then "));
            match end.problem().filter(|_| !killed) {
                // Seen once in 1,300 kills: strace waits for a thread of a process that it has killed. What is in the home is compared.
                Some(problem) if !fails && problem.contains("goes on for more than") => {
                    tally.leave_out(&format!("{}: strace did not come back: {}", trial.name, after(problem)));
                }
                Some(problem) => tally.fail(format!("{} {}", trial.name, after(problem))),
                None => {}
            }
            if end.success() {
                same(trial, &home, alone).map_err(after)?;
                home = fresh(folder, &format!("called-{round}"))?;
                done.clear();
            }
        }
        same(trial, &home, alone)
            .map_err(|problem| format!("after strace -f -e {}: {problem}", done.join(", then ")))
    }

    fn run(&self, trial: &Trial, home: &Path, injected: &str) -> Result<super::child::End, String> {
        let calls = injected.trim_start_matches("inject=").split(':').next().unwrap_or_default();
        let traced = format!("trace={calls}");
        let words = ["-f", "-qq", "-o", "/dev/null", "-e", &traced, "-e", injected];
        let inner = trial.next(home)?;
        Run::new(Path::new("strace"), &words).followed_by(&inner).within(120).end()
    }
}

/// Early calls are the beginning of everything, later ones the middle of something.
fn number(dice: &mut Dice) -> usize {
    let reach = 1 << dice.below(7);
    1 + dice.below(reach)
}

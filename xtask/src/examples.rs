//! A game and a learner from outside are full citizens: the two example projects are built as a user would, and everything a
//! game or a learner of ours can do is done with theirs.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::steps::{root, run};

type Outcome = Result<(), String>;

/// What an example may take, so that it stays one.
const LONGEST: usize = 150;

pub fn check() -> Outcome {
    let game = Example::build("own-game")?;
    game.says(&["games"], "chomp")?;
    game.says(&["minds", "--game", "chomp"], "uct")?;
    game.says(&["moves", "chomp", "--position", "421 second"], "c1")?;
    game.says(&["perft", "chomp", "--depth", "3"], "3")?;
    game.says(&["arena", "uct:states=300", "random", "--game", "chomp", "--games", "20"], "uct:states=300")?;
    game.says(&["explain", "chomp", "--mind", "uct:states=300"], "trial games")?;
    game.trains(&["nhb:states=40,cycle=2", "--game", "chomp"])?;
    game.serves("chomp")?;
    let learner = Example::build("own-learner")?;
    for played in ["tic-tac-toe", "reversi"] {
        learner.trains(&["diary", "--game", played])?;
    }
    let model = learner.home.join("diary.safetensors").display().to_string();
    learner.says(&["train", "diary", "--game", "tic-tac-toe", "--steps", "300", "--out", &model], "diary")?;
    // A long path is cut in the table; its end stays.
    learner.says(&["arena", &model, "random", "--game", "tic-tac-toe", "--games", "100"], ".safetensors")?;
    learner.says(&["explain", "tic-tac-toe", "--mind", &model], "was met in")?;
    learner.serves("diary")
}

struct Example {
    program: PathBuf,
    home: PathBuf,
}

impl Example {
    /// Builds it into our own target folder: what is built once serves both.
    fn build(name: &str) -> Result<Example, String> {
        let folder = root().join("examples").join(name);
        let source = fs::read_to_string(folder.join("src/main.rs")).map_err(|error| error.to_string())?;
        let lines = source.lines().count();
        if lines > LONGEST {
            return Err(format!("{name} has {lines} lines; an example has at most {LONGEST}"));
        }
        // Their lock is ours: another version of a crate would be built again.
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).map_err(|error| error.to_string())?;
        let target = root().join("target");
        let manifest = folder.join("Cargo.toml");
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(["build", "--release", "--quiet", "--manifest-path"])
            .arg(&manifest)
            .arg("--target-dir")
            .arg(&target);
        run(&mut cargo)?;
        let home = target.join("examples-home").join(name);
        let _ = fs::remove_dir_all(&home);
        fs::create_dir_all(&home).map_err(|error| error.to_string())?;
        Ok(Example { program: target.join("release").join(name), home })
    }

    fn command(&self, words: &[&str], home: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words).env("LUDENS_HOME", home).stdin(Stdio::null());
        if matches!(words[0], "train" | "resume" | "serve") {
            command.arg("--home").arg(home);
        }
        command
    }

    fn says(&self, words: &[&str], expected: &str) -> Outcome {
        let output = self.command(words, &self.home).output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stdout);
        if output.status.success() && said.contains(expected) {
            return Ok(());
        }
        let complaint = String::from_utf8_lossy(&output.stderr);
        Err(format!(
            "{} {}: {expected:?} is not in\n{said}{complaint}",
            self.program.display(),
            words.join(" ")
        ))
    }

    /// A training in one piece, and one that is killed and resumed: the same model.
    fn trains(&self, words: &[&str]) -> Outcome {
        let train: Vec<&str> = ["train"].into_iter().chain(words.iter().copied()).collect();
        let model =
            |home: &Path| fs::read(home.join("runs/1/model.safetensors")).map_err(|error| error.to_string());
        let (whole, killed) = (self.home.join("whole"), self.home.join("killed"));
        for home in [&whole, &killed] {
            let _ = fs::remove_dir_all(home);
        }
        let long: Vec<&str> =
            train.iter().copied().chain(["--steps", "200", "--checkpoint", "0.01"]).collect();
        run(self.command(&long, &whole).stdout(Stdio::null()).stderr(Stdio::null()))?;
        let mut child = self
            .command(&long, &killed)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        // On a busy machine it may take long to begin; a run that never began cannot go on.
        let begun = killed.join("runs/1/level-000000000003.safetensors");
        for _ in 0..3000 {
            if begun.exists() || child.try_wait().map_err(|error| error.to_string())?.is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
        run(self.command(&["resume", "1"], &killed).stdout(Stdio::null()).stderr(Stdio::null()))?;
        if model(&whole)? != model(&killed)? {
            return Err(format!(
                "{} {}: resumed, it learns something else",
                self.program.display(),
                train.join(" ")
            ));
        }
        Ok(())
    }

    /// Its page knows the game or the learner.
    fn serves(&self, expected: &str) -> Outcome {
        let mut server = self
            .command(&["serve", "--port", "0"], &self.home)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let answer = server.stdout.take().ok_or("no output").map(BufReader::new).map(ask);
        let _ = server.kill().and_then(|()| server.wait());
        let answer = answer??;
        if answer.contains(expected) {
            Ok(())
        } else {
            Err(format!("the page does not know {expected}:\n{answer}"))
        }
    }
}

/// Finds the address in what the server prints, and asks it for its games.
fn ask(mut lines: impl BufRead) -> Result<String, String> {
    let mut said = String::new();
    let address = loop {
        let mut line = String::new();
        if lines.read_line(&mut line).map_err(|error| error.to_string())? == 0 {
            return Err(format!("the server names no address:\n{said}"));
        }
        said.push_str(&line);
        if let Some((_, rest)) = line.split_once("http://") {
            break rest.split(['/', ' ', '\n']).next().unwrap_or_default().to_string();
        }
    };
    let mut stream = TcpStream::connect(&address).map_err(|error| format!("{address}: {error}"))?;
    let request = format!("GET /api/catalog HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(|error| error.to_string())?;
    stream.set_read_timeout(Some(Duration::from_secs(60))).map_err(|error| error.to_string())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(|error| error.to_string())?;
    Ok(answer)
}

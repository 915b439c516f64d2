//! The long works that are killed: how each begins, how it goes on, and what must be the same in the end.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Ground;
use super::child::Run;

/// A training of every learner that takes about half a second. One that is not here fails the attack: nobody is left out.
const TRAININGS: &[(&str, &str, &str, u32)] = &[
    ("nhb", "nhb:states=60,cycle=4,backward=50", "tic-tac-toe", 120),
    ("concepts", "concepts:playouts=20", "tic-tac-toe", 20),
    ("coevolution", "coevolution:depth=1,interval=5,intervals=200,pairs=2", "tic-tac-toe", 1000),
    ("nhb-improved", "nhb-improved:states=60,cycle=8", "tic-tac-toe", 160),
    ("concepts-selected", "concepts-selected:playouts=10", "tic-tac-toe", 10),
    (
        "coevolution-improved",
        "coevolution-improved:depth=1,interval=2,intervals=100,offspring=4,openings=1",
        "tic-tac-toe",
        200,
    ),
    ("odds", "odds", "tic-tac-toe", 4000),
    ("contexts", "contexts", "connect-four", 60),
    ("ranker", "ranker:epochs=16", "connect-four", 16),
    ("contexts-any", "contexts-any:labels=100,states=100", "tic-tac-toe", 400),
    ("homo", "homo:watched=10,round=4,states=40,games=400", "tic-tac-toe", 60),
    ("actr", "actr", "backgammon", 1000),
    ("td", "td:games=4", "backgammon", 4),
    ("hc", "hc:generations=5", "backgammon", 5),
    ("actr-improved", "actr-improved:games=1500", "backgammon", 1500),
    ("actr-rehearsed", "actr-rehearsed:games=120,rehearsals=2,last=60,members=1", "backgammon", 120),
];

/// Reproductions of seconds; a small budget takes the first two.
const REPRODUCTIONS: &[&str] = &["contexts", "concepts", "faithfulness", "actr", "coevolution"];

/// One kind of work that is killed and resumed.
#[derive(Clone)]
pub struct Trial {
    pub name: String,
    program: PathBuf,
    begin: Vec<String>,
    /// The words that go on where they are others.
    go_on: Option<Vec<String>>,
    /// The file it is told to write, inside the home; without one it is told the home.
    out: Option<&'static str>,
    /// Folders and files in the home whose bytes must be the same.
    compared: &'static [&'static str],
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

impl Trial {
    fn training(program: &Path, learner: &str, game: &str, steps: u32) -> Trial {
        let steps = steps.to_string();
        let begin =
            ["train", learner, "--game", game, "--steps", &steps, "--seed", "3", "--checkpoint", "0.02"];
        let name = learner.split(':').next().unwrap_or(learner);
        Trial {
            name: format!("train {name}"),
            program: program.into(),
            begin: words(&begin),
            go_on: Some(words(&["resume", "1"])),
            out: None,
            compared: &["runs/1"],
        }
    }

    fn reproduction(program: &Path, paper: &str) -> Trial {
        Trial {
            name: format!("reproduce {paper}"),
            program: program.into(),
            begin: words(&["reproduce", paper, "--scale", "smoke", "--threads", "2"]),
            go_on: None,
            out: None,
            compared: &["reproductions"],
        }
    }

    fn tournament(program: &Path) -> Trial {
        let minds = ["arena", "uct:states=2000", "alphabeta:depth=4", "zoo"];
        let rest = [
            "--game",
            "connect-four",
            "--games",
            "400",
            "--threads",
            "2",
            "--seed",
            "5",
            "--resume",
            "--record",
        ];
        Trial {
            name: "arena".into(),
            program: program.into(),
            begin: words(&[minds.as_slice(), &rest].concat()),
            go_on: None,
            out: Some("games.jsonl"),
            compared: &["games.jsonl"],
        }
    }

    fn labels(program: &Path) -> Trial {
        let begin =
            ["label", "connect-four", "--count", "10000", "--from-ply", "18", "--to-ply", "22", "--out"];
        Trial {
            name: "label".into(),
            program: program.into(),
            begin: words(&begin),
            go_on: None,
            out: Some("labels.safetensors"),
            compared: &["labels.safetensors"],
        }
    }

    fn run(&self, command: &[String], home: &Path) -> Run {
        let run = Run::new(&self.program, command).within(120);
        match self.out {
            Some(name) => run.arg(home.join(name)),
            None => run.home(home),
        }
    }

    /// What to do in this home: begin, or go on with what is registered there.
    pub fn next(&self, home: &Path) -> Result<Run, String> {
        if let Some(go_on) = &self.go_on
            && self.registered(home)?
        {
            return Ok(self.run(go_on, home));
        }
        Ok(self.run(&self.begin, home))
    }

    /// A kill early in the first command may come before the run is registered. The store must open after every kill.
    fn registered(&self, home: &Path) -> Result<bool, String> {
        if !home.join("runs.sqlite").exists() {
            return Ok(false);
        }
        let listed = Run::new(&self.program, &["runs", "--json"]).home(home).end()?;
        if let Some(problem) =
            listed.problem().or_else(|| (!listed.success()).then(|| listed.complained.clone()))
        {
            return Err(format!("the store does not open after a kill: {problem}"));
        }
        Ok(listed.said.trim() != "[]")
    }

    /// Everything that a kill must not change: the bytes of the files, and the learning curve.
    pub fn result(&self, home: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
        let mut found = contents(home, self.compared)?;
        // No two runs take the same time.
        found.retain(|(name, _)| !name.contains("/times/") && !name.ends_with("/unit.json"));
        for (_, bytes) in found.iter_mut().filter(|(name, _)| name.ends_with("result.json")) {
            *bytes = without_making(bytes)?;
        }
        if self.go_on.is_some() {
            let curve = Run::new(&self.program, &["runs", "export"]).home(home).end()?;
            found.push(("the learning curve".into(), curve.said.into_bytes()));
        }
        Ok(found)
    }
}

/// A result without the processor time that it took, which no two runs share; all else is a function of the code and the seed.
fn without_making(result: &[u8]) -> Result<Vec<u8>, String> {
    let mut value: Value = serde_json::from_slice(result).map_err(|error| error.to_string())?;
    if let Some(fields) = value.as_object_mut() {
        fields.remove("made");
    }
    serde_json::to_vec(&value).map_err(|error| error.to_string())
}

/// Every learner the program names, the reproductions, a tournament and a labelling.
pub fn trials(ground: &Ground) -> Result<Vec<Trial>, String> {
    let program = &ground.program;
    let listed = Run::new(program, &["minds", "--json"]).end()?;
    // The list is longer than what is kept of the words of a program: it is asked for again, whole.
    let whole = std::process::Command::new(program).args(["minds", "--json"]).output();
    let text = whole.map(|output| output.stdout).map_err(|error| error.to_string())?;
    let list: Value =
        serde_json::from_slice(&text).map_err(|error| format!("{error}: {}", listed.complained))?;
    let learners = list.as_array().into_iter().flatten().filter(|entry| entry["kind"] == "learner");
    let mut trials = Vec::new();
    for learner in learners {
        let name = learner["name"].as_str().unwrap_or_default();
        let known = TRAININGS.iter().find(|(known, ..)| *known == name);
        let (_, spec, game, steps) = known.ok_or_else(|| {
            format!("the learner {name} has no training in xtask/src/attack/trainings.rs; add a line of half a second")
        })?;
        trials.push(Trial::training(program, spec, game, *steps));
    }
    trials.push(Trial::tournament(program));
    trials.push(Trial::labels(program));
    trials.extend(
        REPRODUCTIONS.iter().take(ground.budget.of(2, 5)).map(|paper| Trial::reproduction(program, paper)),
    );
    Ok(trials)
}

/// All files below the named places, with their bytes. Locks, half-written temporaries and checkpoints of what is finished are litter: a
/// kill, or a disk that does not let go of a file, may leave them, and nothing is lost by it.
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
        let litter = [".tmp", "lock", "checkpoint.safetensors", ".previous"];
        let of_a_unit = name.contains("/work/");
        if !of_a_unit && !litter.iter().any(|end| name.ends_with(end)) {
            found.push((name, std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?));
        }
    }
    found.sort();
    Ok(found)
}

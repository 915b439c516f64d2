//! Every command with arguments that nobody sane would give: a sentence and a code, within ten seconds and a gigabyte.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ludens_mutate::EDGES;

use super::child::Run;
use super::{Ground, Outcome, Tally, on_two_threads};
use crate::steps::root;

/// `N` is a hostile number, `F` a hostile file to read, `T` a hostile text, `O` and `W` places to write, all of them inside the attack's folder
/// (a test may run as root: the machine's own devices and folders are only ever read); `K` rules that are right, `M` a model that is
/// right, `H` an empty home. What asks for endless work honestly may go on, and is ended after a second.
const COMMANDS: &[(&str, bool)] = &[
    ("games --json", false),
    ("minds T", false),
    ("minds F", false),
    ("play tic-tac-toe --against T --seed N", false),
    ("play T --against random", false),
    ("play tic-tac-toe --position T --against random", false),
    ("play tic-tac-toe --against F", false),
    ("play tic-tac-toe --against uct:sims=50 --states N", true),
    ("moves T", false),
    ("moves F", false),
    ("moves connect-four --position T", false),
    ("perft tic-tac-toe --depth N", false),
    ("perft tic-tac-toe --depth N --distinct", false),
    ("perft F --depth 1", false),
    ("arena random depth1 --game tic-tac-toe --games N", true),
    ("arena random depth1 --game tic-tac-toe --games 4 --threads N", false),
    ("arena random depth1 --game tic-tac-toe --games 4 --opening N", false),
    ("arena random depth1 --game tic-tac-toe --games 4 --states N --seed N", false),
    ("arena random depth1 --game tic-tac-toe --games 4 --milliseconds N", false),
    ("arena random depth1 --game tic-tac-toe --games 4 --sprt --elo0 N --elo1 N", false),
    ("arena random depth1 --game tic-tac-toe --games 40 --sprt --alpha N --beta N", false),
    ("arena F random --game tic-tac-toe --games 2", false),
    ("arena random depth1 --game tic-tac-toe --games 4 --record W --resume", false),
    ("arena random T --game tic-tac-toe --games 2", false),
    ("replay F", false),
    ("replay F --number N", false),
    ("concepts tic-tac-toe --playouts N", true),
    ("concepts tic-tac-toe --playouts 5 --seed N --html O", false),
    ("concepts F --playouts 5", false),
    ("explain tic-tac-toe --mind T", false),
    ("explain tic-tac-toe --mind F", false),
    ("explain tic-tac-toe --mind M --seed N --states N", false),
    ("faithfulness tic-tac-toe depth1 --decisions N", true),
    ("faithfulness tic-tac-toe depth1 --decisions 5 --cited N --seed N --states N", false),
    ("faithfulness tic-tac-toe T --decisions 5", false),
    ("explain tic-tac-toe --run N --home H", false),
    ("train odds --game tic-tac-toe --steps 5 --checkpoint N --home H", false),
    ("train odds --game tic-tac-toe --steps N --home H", true),
    ("train odds --game tic-tac-toe --steps 5 --seed N --home H", false),
    ("train odds --game tic-tac-toe --steps 5 --home H --out O", false),
    ("train T --game tic-tac-toe --steps 1 --home H", true),
    ("train odds --set T --game tic-tac-toe --steps 1 --home H", false),
    ("train --config F --home H", false),
    ("train odds --game F --steps 1 --home H", false),
    ("train coevolution:pairs=N --game tic-tac-toe --steps 1 --home H", true),
    ("train nhb:members=N --game tic-tac-toe --steps 1 --home H", true),
    ("train td:games=N,rate=N --game backgammon --steps 0 --home H", false),
    ("train ranker:labels=T --game connect-four --steps 1 --home H", true),
    ("resume N --home H", false),
    ("runs --home W", false),
    ("runs show N --home H", false),
    ("runs compare N N --home H", false),
    ("runs levels N --games N --home H", false),
    ("runs export N --home H", false),
    ("zoo --json", false),
    ("humans F", false),
    ("humans F --shared N --personal N --patterns N", false),
    ("reproduce contexts --scale smoke --seeds N --home H", true),
    ("reproduce contexts --scale smoke --threads N --home H", true),
    ("reproduce contexts --scale smoke --shard T --home H", true),
    ("reproduce T --scale smoke --home H", false),
    ("reproduce contexts --scale smoke --out W --home H", true),
    ("merge F F --out O", false),
    ("report F", false),
    ("report F --out O", false),
    ("bench games --seconds N", true),
    ("bench solver --seconds 0.01 --file F", false),
    ("solve connect-four T", false),
    ("solve connect-four --file F", false),
    ("solve connect-four --openings N --out O", true),
    ("label connect-four --count N --out O", true),
    ("label connect-four --count 3 --from-ply N --to-ply N --out O", true),
    ("label connect-four --count 3 --from-ply 30 --to-ply 34 --out W", false),
    ("describe F", false),
    ("describe M --csv W", false),
    ("gdl check F", false),
    ("gdl show F", false),
    ("gdl perft F", false),
    ("gdl perft K --depth N --state-limit 1000", false),
    ("gdl perft K --depth 2 --state-limit N", false),
    ("gdl playouts K --count N", true),
    ("gdl playouts K --count 64 --step-cap N --seed N", false),
    ("ggp --port N", true),
    ("ggp --port 0 --think N", true),
    ("ggp --port 0 --host T", true),
    ("ggp --port 0 --name T --mind T", true),
    ("ggp-server F --players random random", false),
    ("ggp-server K --players T T --startclock 1 --playclock 1", false),
    ("ggp-server K --players 127.0.0.1:1 127.0.0.1:1 --startclock N --playclock N --step-cap N", false),
    ("serve --port N --home H", true),
    ("serve --port 0 --host T --home H", true),
    ("serve --port 0 --home W", true),
    ("completions T", false),
    // A text may be `--` alone: then there is no command, and the page is served.
    ("T", true),
];

/// What may go on is ended after so long: by then it has taken what it takes.
const GOING_ON: u64 = 1;

pub fn attack(ground: &Ground, tally: &Tally) -> Outcome {
    let arsenal = Arsenal::build(ground)?;
    let rounds: Vec<(usize, usize)> = (0..ground.budget.of(2, 40))
        .flat_map(|round| (0..COMMANDS.len()).map(move |command| (round, command)))
        .collect();
    on_two_threads(&rounds, |&(round, command)| one(ground, tally, &arsenal, round, command))?;
    // What is no file is nobody's to replace.
    for special in arsenal.places.iter().filter(|place| place.ends_with("device") || place.ends_with("pipe"))
    {
        if fs::metadata(special).is_ok_and(|found| found.is_file()) || !special.exists() {
            tally.fail(format!(
                "{} was a device or a pipe, and a command put a file in its place",
                special.display()
            ));
        }
    }
    Ok(())
}

fn one(ground: &Ground, tally: &Tally, arsenal: &Arsenal, round: usize, command: usize) -> Outcome {
    let (words, may_go_on) = COMMANDS[command];
    let mut dice = ground.dice(&format!("arguments {round} {words}"));
    let scratch = arsenal.folder.join(format!("scratch-{round}-{command}"));
    fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let mut run = Run::new::<&str>(&ground.program, &[]);
    for word in words.split(' ') {
        run = match word {
            "N" => run.arg(dice.pick(EDGES)),
            "F" => run.arg(dice.pick(&arsenal.files)),
            "T" => run.arg(dice.pick(&arsenal.texts)),
            "W" => run.arg(dice.pick(&arsenal.places)),
            "O" => run.arg(dice.pick(&[
                scratch.join("out"),
                scratch.clone(),
                scratch.join("no/such/folder/out"),
                scratch.join("empty/"),
            ])),
            "K" => run.arg(&arsenal.rules),
            "M" => run.arg(&arsenal.model),
            "H" => run.arg(scratch.join("home")),
            word if word.contains("=N") => run.arg(word.replace("=N", &format!("={}", dice.pick(EDGES)))),
            word if word.contains("=T") => run.arg(arsenal.assigned(word, dice.next())),
            word => run.arg(word),
        };
    }
    let end = run.inside(&scratch).within(if may_go_on { GOING_ON } else { 10 }).end()?;
    let went_on = may_go_on && end.status.is_none() && end.kilobytes <= super::MOST_KILOBYTES;
    if went_on {
        tally.add("going on, as asked", 1);
        tally.took_memory(end.kilobytes);
    } else {
        end.judge(tally);
    }
    let _ = fs::remove_dir_all(&scratch);
    Ok(())
}

/// What hostile arguments are made of.
struct Arsenal {
    folder: PathBuf,
    files: Vec<PathBuf>,
    places: Vec<PathBuf>,
    texts: Vec<OsString>,
    rules: PathBuf,
    model: PathBuf,
}

impl Arsenal {
    fn build(ground: &Ground) -> Result<Arsenal, String> {
        let folder = ground.folder.clone();
        let at = |name: &str| folder.join(name);
        let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(at("a-folder")).map_err(fail)?;
        fs::write(at("empty"), "").map_err(fail)?;
        fs::write(at("line"), "a".repeat(8 << 20)).map_err(fail)?;
        fs::write(at("text.kif"), "(role x) (role").map_err(fail)?;
        fs::write(at("not-text"), [0xff, 0xfe, 0, 1, 0xc3, 0x28]).map_err(fail)?;
        fs::write(at("lines"), "1 2 3,4\n{}\n".repeat(300_000)).map_err(fail)?;
        // A hole: it takes no room on the disk, and more than a gigabyte in a program that reads it whole.
        fs::File::create(at("hole.kif")).and_then(|file| file.set_len(3 << 30)).map_err(fail)?;
        let strange = folder.join(OsStr::from_bytes(b"na\xffme.kif"));
        fs::write(&strange, "(role x)").map_err(fail)?;
        let made = Command::new("mkfifo").args([at("pipe"), at("pipe.kif")]).status();
        if !made.is_ok_and(|status| status.success()) {
            return Err("mkfifo is not here; install coreutils".into());
        }
        let mut files: Vec<PathBuf> =
            ["empty", "line", "text.kif", "not-text", "lines", "hole.kif", "pipe", "pipe.kif", "missing.kif"]
                .map(at)
                .into();
        let mut places: Vec<PathBuf> =
            ["pipe", "not-text", "empty", "a-folder", "no/such/place"].map(at).into();
        places.extend(device(&at("device")));
        places.push(strange.clone());
        files.extend(["/dev/zero", "/dev/full", "/proc/self/mem", ""].map(PathBuf::from));
        files.extend([strange, folder.clone()]);
        Ok(Arsenal {
            texts: texts(),
            files,
            places,
            rules: root().join("crates/gdl/rules/tic-tac-toe.kif"),
            model: model()?,
            folder,
        })
    }

    /// A text, or a file, as the value of a setting.
    fn assigned(&self, word: &str, chance: u64) -> OsString {
        let file = self.files[chance as usize % self.files.len()].as_os_str();
        let (before, after) = word.split_once("=T").unwrap_or((word, ""));
        let mut whole = OsString::from(format!("{before}="));
        whole.push(file);
        whole.push(after);
        whole
    }
}

/// A device of our own that swallows everything, where we may make one: only root may.
fn device(path: &Path) -> Option<PathBuf> {
    let made = Command::new("mknod").arg(path).args(["c", "1", "3"]).stderr(Stdio::null()).status();
    made.is_ok_and(|status| status.success()).then(|| path.into())
}

fn texts() -> Vec<OsString> {
    let long = "x".repeat(100_000);
    let plain = [
        "",
        " ",
        "-",
        "--",
        "\u{1b}[31m",
        "\n",
        "名前",
        ":",
        "a:b=c",
        "uct:c=NaN",
        "uct:c=inf",
        "alphabeta:depth=-1",
        "line-255x255x255",
        "line-99999999x1x1",
        "gravity-0x0x0",
        "zoo:level=0",
        "odds:games=0",
        "concepts:from=concepts",
        "1/0",
        "0/0",
        "9/3",
        "localhost:99999",
        "127.0.0.1:0",
        "[::1]:1",
        "random",
        "labels=1",
        "=",
        "4444444",
        "x...o....",
        "4HPwATDgc/ABMA:31",
        "../../etc/passwd",
        "%s%n",
    ];
    let mut texts: Vec<OsString> = plain.iter().map(OsString::from).collect();
    texts.push(OsString::from(&long));
    texts.push(OsStr::from_bytes(b"\xff\xfe").to_os_string());
    texts
}

/// A model of the zoo.
fn model() -> Result<PathBuf, String> {
    let path: &Path = &root().join("crates/learners/zoo/odds-tic-tac-toe.1.safetensors");
    if path.is_file() { Ok(path.into()) } else { Err(format!("{} is not there", path.display())) }
}

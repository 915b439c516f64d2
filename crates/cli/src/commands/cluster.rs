//! `ludens reproduce --scheduler` and `ludens sweep`: work for more than one machine, which the Python package spreads by Dask.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::out::{Out, Stopped, Usage};

/// Train a learner with every setting and seed on every game, then measure it; the cores of this machine, or a Dask scheduler.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Needs the Python package: `pip install .` in the sources of Ludens (`pip install distributed` for --scheduler).
What is done is kept: the same command goes on after any stop, and gives the same bytes anywhere.

Examples:
  ludens sweep nhb --game connect-four --set depth=1,2 --seeds 3 --against alphabeta:depth=4 --out sweep.json
  ludens sweep odds --game tic-tac-toe --game reversi --steps 200 --scheduler tcp://host:8786")]
pub struct SweepArgs {
    /// The learner, `name` or `name:key=value,…`; `ludens minds` lists them
    learner: String,
    /// A game, native or a file of rules; may be given several times
    #[arg(long, required = true)]
    game: Vec<String>,
    /// A setting and the values to try; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE,VALUE")]
    set: Vec<String>,
    /// How many seeds
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    seeds: u32,
    /// How long to train, in the learner's own units
    #[arg(long)]
    steps: Option<u64>,
    /// Whom to play against; may be given several times [default: random]
    #[arg(long)]
    against: Vec<String>,
    /// Games against each
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the rows go, as JSON
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    place: Place,
    #[arg(long)]
    home: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Where the work is done.
#[derive(clap::Args, Debug, Default)]
pub struct Place {
    /// The address of a Dask scheduler, tcp://host:8786, whose workers have the Python package
    #[arg(long, value_name = "ADDRESS")]
    pub scheduler: Option<String>,
}

/// The words of a command of `python -m ludens.cluster`.
#[derive(Default)]
pub struct Words(Vec<OsString>);

impl Words {
    pub fn new(command: &str) -> Words {
        Words(vec![command.into()])
    }

    pub fn word(mut self, word: impl Into<OsString>) -> Words {
        self.0.push(word.into());
        self
    }

    pub fn option(self, name: &str, value: Option<impl Into<OsString>>) -> Words {
        match value {
            Some(value) => self.word(format!("--{name}")).word(value),
            None => self,
        }
    }

    pub fn flag(self, name: &str, is_set: bool) -> Words {
        if is_set { self.word(format!("--{name}")) } else { self }
    }

    /// Hands over to Python, which has the terminal from then on.
    pub fn run(self, out: &mut Out) -> anyhow::Result<()> {
        use std::io::Write;
        out.flush()?;
        let python = std::env::var_os("LUDENS_PYTHON").unwrap_or_else(|| "python3".into());
        let is_there = Command::new(&python)
            .args(["-c", "import ludens.cluster"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        if !is_there {
            return Err(Usage(format!(
                "this needs the Python package, which {} does not have: `pip install .` in the sources of Ludens (LUDENS_PYTHON names another Python)",
                python.display()
            ))
            .into());
        }
        let status = Command::new(&python).args(["-m", "ludens.cluster"]).args(self.0).status()?;
        match status.code() {
            Some(0) => Ok(()),
            Some(code) if code == i32::from(crate::interrupt::EXIT_CODE) => {
                Err(Stopped("what is done is kept: the same command goes on".into()).into())
            }
            _ => Err(anyhow::anyhow!("python -m ludens.cluster did not end well")),
        }
    }
}

pub fn sweep(args: &SweepArgs, out: &mut Out) -> anyhow::Result<()> {
    let mut words = Words::new("sweep").word(&args.learner);
    for (name, values) in [("game", &args.game), ("set", &args.set), ("against", &args.against)] {
        for value in values {
            words = words.option(name, Some(value));
        }
    }
    words
        .option("seeds", Some(args.seeds.to_string()))
        .option("steps", args.steps.map(|steps| steps.to_string()))
        .option("games", Some(args.games.to_string()))
        .option("seed", Some(args.seed.to_string()))
        .option("out", args.out.as_ref())
        .option("scheduler", args.place.scheduler.as_ref())
        .option("home", args.home.as_ref())
        .flag("json", args.json)
        .run(out)
}

//! `ludens resume`: go on with a training that was stopped.

use std::path::PathBuf;

use ludens_catalogue::House;
use ludens_lab::Home;
use ludens_lab::registered::Parameters;
use ludens_lab::runs::Store;

use super::train::tell;
use crate::out::{Out, Usage};
use crate::training::go;

/// Go on with a training after any stop, to the byte-identical model.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens runs
  ludens resume 3")]
pub struct Args {
    /// The number of the run; `ludens runs` lists them
    run: i64,
    #[arg(long)]
    home: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let home = Home::open(args.home.as_deref())?;
    let run = Store::open(&home)?.run(args.run)?;
    if run.kind != "train" {
        let again = run.parameters["command"].as_str().unwrap_or("the same command").to_string();
        return Err(Usage(format!("run {} is a reproduction: `{again}` goes on with it", run.id)).into());
    }
    let parameters = Parameters::of(&run)?;
    let ended = go(house, &home, &run, &parameters)?;
    tell(&ended, args.json, out)
}

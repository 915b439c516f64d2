//! `ludens zoo`: the trained models inside the program.

use std::io::Write;
use std::path::{Path, PathBuf};

use ludens_catalogue::House;
use ludens_core::shown::shown;
use ludens_core::{Animal, Level};
use ludens_lab::zoo::{build, entries, write_list};

use crate::draw;
use crate::out::Out;

/// List the trained models that ship with Ludens, with their levels and Elo.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
A level is the model's own past: a checkpoint of its training. Elo 0 is a random player.

Examples:
  ludens zoo
  ludens play connect-four --against zoo:NAME,level=beginner
  ludens arena zoo:NAME,level=1 zoo:NAME --game connect-four")]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Train and measure everything in this manifest anew (`cargo xtask zoo` does it)
    #[arg(long, value_name = "MANIFEST", requires = "out", hide = true)]
    rebuild: Option<PathBuf>,
    #[arg(long, hide = true)]
    out: Option<PathBuf>,
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let animals = match (&args.rebuild, &args.out) {
        (Some(manifest), Some(folder)) => rebuild(house, manifest, folder)?,
        _ => house.games.zoo().animals().to_vec(),
    };
    if args.json {
        return out.json(&animals);
    }
    if animals.is_empty() {
        writeln!(out, "The zoo is empty.")?;
    }
    for animal in &animals {
        let head = format!("zoo:{}", animal.name);
        writeln!(out, "{}  {}, {}", draw::styled(head, draw::STRONG), animal.game, animal.title)?;
        print_levels(&animal.levels, out)?;
    }
    Ok(())
}

pub fn print_levels(levels: &[Level], out: &mut Out) -> anyhow::Result<()> {
    for level in levels {
        writeln!(
            out,
            "    level={}  {:>8} steps  Elo {:+5.0} ± {:.0}",
            level.level, level.step, level.elo, level.elo_plus_minus
        )?;
    }
    Ok(())
}

fn rebuild(house: &House, manifest: &Path, folder: &Path) -> anyhow::Result<Vec<Animal>> {
    let mut animals = Vec::new();
    for entry in entries(manifest)? {
        let word = format!("training {} ({} on {})", entry.name, entry.learner, entry.game);
        crate::out::say(format_args!("{}", shown(&word)));
        animals.push(build(&*house.games.open(&entry.game)?, &entry, folder)?);
    }
    write_list(&animals, folder)?;
    Ok(animals)
}

//! `ludens games`

use std::io::Write;

use ludens_catalogue::House;

use crate::out::Out;

/// List the games.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  ludens games\n  ludens games --json")]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let games = house.games.list();
    if args.json {
        return out.json(&games);
    }
    let width = games.iter().map(|game| game.id.len()).max().unwrap_or(0);
    for game in games {
        writeln!(out, "{:width$}  {}", game.id, game.summary)?;
        writeln!(out, "{:width$}  position: {}", "", game.position_format)?;
    }
    writeln!(out, "\nA file of GDL rules is a game too: --game rules.kif")?;
    Ok(())
}

//! The commands, one module each.

mod completions;
mod games;
mod minds;
mod moves;
mod perft;
mod play;

use clap::Subcommand;

use crate::bench;
use crate::out::Out;

#[derive(Subcommand, Debug)]
pub enum Command {
    Games(games::Args),
    Minds(minds::Args),
    Play(play::Args),
    Moves(moves::Args),
    Perft(perft::Args),
    Bench(bench::Args),
    Completions(completions::Args),
}

impl Command {
    /// What plain `ludens` does.
    pub fn by_default() -> Command {
        Command::Play(play::Args::default())
    }

    pub fn run(self, out: &mut Out) -> anyhow::Result<()> {
        match self {
            Command::Games(args) => games::run(&args, out),
            Command::Minds(args) => minds::run(&args, out),
            Command::Play(args) => play::run(args, out),
            Command::Moves(args) => moves::run(&args, out),
            Command::Perft(args) => perft::run(&args, out),
            Command::Bench(args) => bench::run(&args, out),
            Command::Completions(args) => completions::run(&args, out),
        }
    }
}

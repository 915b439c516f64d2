//! The commands, one module each.

mod arena;
mod completions;
mod games;
mod minds;
mod moves;
mod perft;
mod play;
mod replay;
mod serve;

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
    Arena(arena::Args),
    Replay(replay::Args),
    Bench(bench::Args),
    Serve(serve::Args),
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
            Command::Arena(args) => arena::run(&args, out),
            Command::Replay(args) => replay::run(&args, out),
            Command::Bench(args) => bench::run(&args, out),
            Command::Serve(args) => serve::run(args, out),
            Command::Completions(args) => completions::run(&args, out),
        }
    }
}

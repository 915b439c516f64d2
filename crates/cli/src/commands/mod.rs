//! The commands, one module each.

mod answer;
mod arena;
mod cluster;
mod completions;
mod concepts;
mod explain;
mod faithfulness;
mod games;
mod gdl;
mod ggp;
mod humans;
mod label;
mod minds;
mod moves;
mod perft;
mod play;
mod replay;
mod report;
mod reproduce;
mod resume;
mod runs;
mod serve;
mod solve;
mod train;
mod zoo;

use clap::Subcommand;
use ludens_catalogue::House;

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
    Answer(answer::Args),
    Replay(replay::Args),
    Concepts(concepts::Args),
    Explain(explain::Args),
    Faithfulness(faithfulness::Args),
    Train(train::Args),
    Resume(resume::Args),
    Runs(runs::Args),
    Zoo(zoo::Args),
    Humans(humans::Args),
    Reproduce(reproduce::Args),
    Units(reproduce::UnitsArgs),
    Merge(reproduce::MergeArgs),
    Sweep(cluster::SweepArgs),
    Report(report::Args),
    Bench(bench::Args),
    Solve(solve::Args),
    Label(label::Args),
    Describe(label::DescribeArgs),
    Gdl(gdl::Args),
    Ggp(ggp::PlayerArgs),
    GgpServer(ggp::ServerArgs),
    Serve(serve::Args),
    Completions(completions::Args),
}

impl Command {
    /// What plain `ludens` does.
    pub fn by_default() -> Command {
        Command::Serve(serve::Args::default())
    }

    pub fn run(self, house: &House, out: &mut Out) -> anyhow::Result<()> {
        match self {
            Command::Games(args) => games::run(house, &args, out),
            Command::Minds(args) => minds::run(house, &args, out),
            Command::Play(args) => play::run(house, args, out),
            Command::Moves(args) => moves::run(house, &args, out),
            Command::Perft(args) => perft::run(house, &args, out),
            Command::Arena(args) => arena::run(house, &args, out),
            Command::Answer(args) => answer::run(house, &args, out),
            Command::Replay(args) => replay::run(house, &args, out),
            Command::Concepts(args) => concepts::run(house, &args, out),
            Command::Explain(args) => explain::run(house, &args, out),
            Command::Faithfulness(args) => faithfulness::run(house, &args, out),
            Command::Train(args) => train::run(house, &args, out),
            Command::Resume(args) => resume::run(house, &args, out),
            Command::Runs(args) => runs::run(house, &args, out),
            Command::Zoo(args) => zoo::run(house, &args, out),
            Command::Humans(args) => humans::run(&args, out),
            Command::Reproduce(args) => reproduce::run(house, &args, out),
            Command::Report(args) => report::run(&args, out),
            Command::Units(args) => reproduce::run_units(house, &args, out),
            Command::Merge(args) => reproduce::run_merge(house, &args, out),
            Command::Sweep(args) => cluster::sweep(&args, out),
            Command::Bench(args) => bench::run(house, &args, out),
            Command::Solve(args) => solve::run(&args, out),
            Command::Label(args) => label::run(&args, out),
            Command::Describe(args) => label::describe(&args, out),
            Command::Gdl(args) => gdl::run(&args, out),
            Command::Ggp(args) => ggp::run_player(house, &args, out),
            Command::GgpServer(args) => ggp::run_server(&args, out),
            Command::Serve(args) => serve::run(house, args, out),
            Command::Completions(args) => completions::run(&args, out),
        }
    }
}

/// For the commands that only Connect Four has an oracle for, which is called by its name or by one people use.
fn only_connect_four(game: &str) -> Result<(), crate::out::Usage> {
    use ludens_core::Named;
    if ludens_games::connect_four::ConnectFour::from_name(game).is_some() {
        return Ok(());
    }
    Err(crate::out::Usage(format!("there is no solver for {game:?}: name connect-four")))
}

//! `ludens arena`: minds against minds.

use std::io::Write;
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use ludens_arena::{ArenaError, Format, Options, Progress, RecordTo, Report, Sprt, Status, Tournament};
use ludens_catalogue::House;
use ludens_core::Front;

use crate::interrupt;
use crate::out::{Out, Stopped};

/// Let minds play each other: matches, gauntlets, round robins, sequential tests.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Games come in pairs that share their random opening and their dice and swap the seats. The result is the same for
any number of threads.

Examples:
  ludens arena random depth1 --game tic-tac-toe --games 1000
  ludens arena uct:states=2000 alphabeta:states=2000 depth1 --game connect-four
  ludens arena new.safetensors old.safetensors --game reversi --sprt --elo1 20 --games 20000
  ludens arena solver ranker --game connect-four --random-moves 0.1
  ludens arena pubeval random --game backgammon --record games.jsonl --resume")]
pub struct Args {
    /// Two minds or more; `ludens minds` lists them
    #[arg(required = true, num_args = 2..)]
    minds: Vec<String>,
    #[arg(long)]
    game: String,
    /// Games for each pairing (the most, with --sprt)
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// The first mind meets each of the others, instead of everybody everybody
    #[arg(long)]
    gauntlet: bool,
    /// Random plies at the beginning, the same in both games of a pair
    #[arg(long, default_value_t = 2)]
    opening: u32,
    /// States a mind may examine a move
    #[arg(long, conflicts_with = "milliseconds")]
    states: Option<u64>,
    /// Milliseconds a mind may think a move (such results do not repeat exactly)
    #[arg(long)]
    milliseconds: Option<u64>,
    /// The share of moves, of both sides, that are random: from 0 to 1
    #[arg(long, default_value_t = 0.0, value_parser = crate::input::share)]
    random_moves: f64,
    /// A mind that fails or chooses an illegal move loses that game; the report says how often
    #[arg(long)]
    forfeits: bool,
    /// Stop as soon as the first mind is shown to be better by elo1, or not better than elo0
    #[arg(long)]
    sprt: bool,
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
    elo0: f64,
    #[arg(long, default_value_t = 10.0, allow_hyphen_values = true)]
    elo1: f64,
    /// The chance of accepting elo1 when elo0 holds
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// The chance of accepting elo0 when elo1 holds
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Keep every game in this file
    #[arg(long)]
    record: Option<PathBuf>,
    /// Go on with the games in the record
    #[arg(long, requires = "record")]
    resume: bool,
    #[arg(long, value_parser = crate::input::threads)]
    threads: Option<usize>,
    /// Seed of openings, dice and minds
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn tournament(&self) -> Tournament {
        let minds: Vec<&str> = self.minds.iter().map(String::as_str).collect();
        let mut tournament = Tournament::new(&self.game, &minds)
            .games(self.games)
            .seed(self.seed)
            .opening_plies(self.opening)
            .format(if self.gauntlet { Format::Gauntlet } else { Format::RoundRobin });
        tournament.random_moves = self.random_moves;
        tournament.forfeits = self.forfeits;
        tournament.states = self.states;
        tournament.milliseconds = self.milliseconds;
        tournament.sprt = self.sprt.then(|| Sprt::new(self.elo0, self.elo1, self.alpha, self.beta));
        tournament
    }
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let tournament = args.tournament();
    tournament.check()?;
    let record = args.record.as_ref().map(|path| RecordTo { path: path.clone(), resume: args.resume });
    let options = Options { threads: args.threads, record, stop: interrupt::stop(), ..Options::default() };
    if args.record.is_some() {
        interrupt::advise("the games played are kept: give the same command with --resume to go on");
    }
    let report = play(&*house.games.open(&args.game)?, &tournament, &options)?;
    if args.json {
        out.json(&report)?;
    } else {
        writeln!(out, "{}", report.table())?;
    }
    if report.status == Status::Interrupted {
        let advice = match &args.record {
            Some(path) => format!("{} games are kept in {}: --resume goes on", report.games, path.display()),
            None => "with --record FILE a tournament can be resumed".into(),
        };
        return Err(Stopped(advice).into());
    }
    Ok(())
}

fn play(front: &dyn Front, tournament: &Tournament, options: &Options) -> Result<Report, ArenaError> {
    let bar = ProgressBar::new(tournament.total_games());
    bar.set_style(style());
    let report = ludens_arena::run(front, tournament, options, &|progress| {
        bar.set_position(progress.games);
        bar.set_message(standing(progress));
    });
    bar.finish_and_clear();
    report
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:30} {pos}/{len} games  {per_sec}  {eta} left  {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn standing(progress: &Progress) -> String {
    let score = format!("score {:.3}", progress.first_pairing.score());
    match progress.llr {
        Some((llr, lower, upper)) => format!("{score}  LLR {llr:+.2} ({lower:.2}, {upper:.2})"),
        None => score,
    }
}

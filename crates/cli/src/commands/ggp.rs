//! `ludens ggp` and `ludens ggp-server`: matches between programs over the GGP protocol.

use std::io::Write;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use ludens_catalogue::House;
use ludens_core::{MindError, Stop};
use ludens_gdl::ggp::{MatchOptions, MindMaker, Player, PlayerOptions, play_match};

use super::gdl;
use crate::out::{Out, Usage};
use crate::{pick, rules_mind};

/// Play any game for a GGP server.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens ggp --port 9147
  ludens ggp --port 9147 --mind alphabeta:depth=4
  ludens ggp --host 0.0.0.0 --port 9147     (reachable from other machines)")]
pub struct PlayerArgs {
    /// The address to listen on
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    #[arg(long, default_value_t = 9147)]
    port: u16,
    /// Who chooses: `uct` on joint moves for any game, or any mind for games of two in turn
    #[arg(long, default_value = "uct")]
    mind: String,
    /// The name given to servers
    #[arg(long, default_value = "ludens")]
    name: String,
    /// Think no longer than this many seconds a move
    #[arg(long)]
    think: Option<f64>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn run_player(house: &House, args: &PlayerArgs, out: &mut Out) -> anyhow::Result<()> {
    if args.name.is_empty() || !args.name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) {
        return Err(Usage("the name may hold letters, digits, '-', '_' and '.'".into()).into());
    }
    let think = match args.think {
        Some(t) if !(t.is_finite() && (0.001..=86_400.0).contains(&t)) => {
            return Err(Usage("--think takes seconds between 0.001 and 86400".into()).into());
        }
        other => other.map(Duration::from_secs_f64),
    };
    let options = PlayerOptions {
        name: args.name.clone(),
        seed: args.seed,
        think,
        mind: mind_maker(house, &args.mind)?,
        ..PlayerOptions::default()
    };
    let player = Player::bind((args.host.as_str(), args.port), options).map_err(|e| {
        Usage(format!("cannot listen on {}:{}: {e}; choose another --port", args.host, args.port))
    })?;
    writeln!(out, "{} listens on {} and plays by {}", args.name, player.address()?, args.mind)?;
    out.flush()?;
    player.run();
    Ok(())
}

/// The named mind, for the games it can play; the search does the others.
fn mind_maker(house: &House, name: &str) -> anyhow::Result<Option<MindMaker>> {
    if name == "uct" {
        return Ok(None);
    }
    // A wrong name should be told now, not in the middle of a match.
    let sample = house.open_rules(
        "tic-tac-toe.kif",
        include_str!("../../../gdl/rules/tic-tac-toe.kif"),
        &Stop::default(),
    )?;
    if let Err(e @ (MindError::Unknown { .. } | MindError::Spec(_))) =
        sample.check_mind(name, &pick::no_models(), &Stop::default())
    {
        return Err(e.into());
    }
    Ok(Some(rules_mind::maker(house, name)))
}

/// Play a match between GGP players and record it.
#[derive(clap::Args, Debug)]
#[command(
    name = "ggp-server",
    after_help = "\
Examples:
  ludens ggp-server rules.kif --players 127.0.0.1:9147 127.0.0.1:9148
  ludens ggp-server rules.kif --players 127.0.0.1:9147 127.0.0.1:9148 --playclock 5 --record match.json"
)]
pub struct ServerArgs {
    /// A file of rules
    file: PathBuf,
    /// One address a role, in the order of the roles (`random` is played by the server)
    #[arg(long, num_args = 1.., required = true)]
    players: Vec<String>,
    /// Seconds to get ready
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    startclock: u32,
    /// Seconds a move
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    playclock: u32,
    /// Seed of the moves that chance makes
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The name of the match
    #[arg(long, default_value = "ludens.1")]
    id: String,
    /// Write the whole match to this file, as JSON
    #[arg(long)]
    record: Option<PathBuf>,
    /// Stop after this many moves
    #[arg(long, default_value_t = 2_000)]
    step_cap: u32,
    #[arg(long)]
    json: bool,
}

pub fn run_server(args: &ServerArgs, out: &mut Out) -> anyhow::Result<()> {
    let text = gdl::read(&args.file)?;
    let loaded = gdl::load(&args.file)?;
    let options = MatchOptions {
        id: args.id.clone(),
        players: args.players.iter().map(|p| address(p)).collect::<anyhow::Result<_>>()?,
        start_clock: args.startclock,
        play_clock: args.playclock,
        seed: args.seed,
        step_cap: args.step_cap,
        broken: 0.0,
    };
    let record = play_match(&loaded.description, &text, &options)?;
    if let Some(path) = &args.record {
        let bytes = serde_json::to_vec_pretty(&record)?;
        ludens_core::store::write_atomic(path, &bytes)?;
    }
    if args.json {
        return out.json(&record);
    }
    for (step, (moves, errors)) in record.moves.iter().zip(&record.errors).enumerate() {
        let told: Vec<String> = errors.iter().filter(|e| !e.is_empty()).cloned().collect();
        let told = if told.is_empty() { String::new() } else { format!("   [{}]", told.join("; ")) };
        writeln!(out, "{:>4}  {}{told}", step + 1, moves.join("  "))?;
    }
    for (role, goal) in record.role_names.iter().zip(&record.goal_values) {
        writeln!(out, "{role}: {}", goal.map_or("no goal".into(), |g| g.to_string()))?;
    }
    if record.is_void {
        writeln!(out, "void: a player could not be reached or spoke no HTTP; nobody has won")?;
    }
    if !record.is_completed {
        writeln!(out, "the match was stopped after {} moves", record.moves.len())?;
    }
    Ok(())
}

fn address(text: &str) -> anyhow::Result<SocketAddr> {
    let found = text.to_socket_addrs().ok().and_then(|mut list| list.next());
    found.ok_or_else(|| {
        Usage(format!("{text:?} is no address; write HOST:PORT, such as 127.0.0.1:9147")).into()
    })
}

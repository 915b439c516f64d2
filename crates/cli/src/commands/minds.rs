//! `ludens minds`

use std::io::Write;
use std::sync::Arc;

use ludens_core::{Game, GameVisitor, MindError, Spec};
use ludens_learners::registry;
use serde::Serialize;

use crate::out::Out;
use crate::pick;

/// List the minds that play a game, with their settings.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens minds
  ludens minds --game backgammon

A mind is named name:key=value,… (alphabeta:depth=6, uct:states=1000), or by a model file.")]
pub struct Args {
    /// Only those that play this game
    #[arg(long)]
    game: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    summary: &'static str,
    settings: Vec<Setting>,
    games: Vec<String>,
}

#[derive(Serialize)]
struct Setting {
    key: &'static str,
    meaning: &'static str,
}

pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let games: Vec<String> = match &args.game {
        Some(game) => vec![game.clone()],
        None => ludens_games::all().iter().map(|game| game.id.to_string()).collect(),
    };
    let mut list: Vec<Listed> = Vec::new();
    for game in &games {
        for (index, mind) in pick::with_game(game, ListMinds)?.into_iter().enumerate() {
            match list.iter_mut().find(|listed| listed.name == mind.name) {
                Some(listed) => listed.games.extend(mind.games),
                None => list.insert(index.min(list.len()), mind),
            }
        }
    }
    list.retain(|mind| !mind.games.is_empty());
    if args.json {
        return out.json(&list);
    }
    let width = list.iter().map(|mind| mind.name.len()).max().unwrap_or(0);
    for mind in list {
        let games = if mind.games.len() == games.len() {
            String::new()
        } else {
            format!(" ({})", mind.games.join(", "))
        };
        writeln!(out, "{:width$}  {}{games}", mind.name, mind.summary)?;
        for Setting { key, meaning } in mind.settings {
            writeln!(out, "{:width$}    {key}: {meaning}", "")?;
        }
    }
    Ok(())
}

struct ListMinds;

impl GameVisitor for ListMinds {
    type Out = Vec<Listed>;

    fn visit<G: Game>(self, game: Arc<G>) -> Vec<Listed> {
        let listed = |entry: registry::MindEntry<G>| {
            let plays =
                !matches!((entry.make)(&game, &mut Spec::new(entry.name)), Err(MindError::WrongGame { .. }));
            Listed {
                name: entry.name,
                summary: entry.summary,
                settings: entry.settings.iter().map(|&(key, meaning)| Setting { key, meaning }).collect(),
                games: if plays { vec![game.id()] } else { Vec::new() },
            }
        };
        registry::minds::<G>().into_iter().map(listed).collect()
    }
}

/// The minds that play a game, with a word on each.
pub fn playing(game: &str) -> anyhow::Result<Vec<(&'static str, &'static str)>> {
    let list = pick::with_game(game, ListMinds)?;
    Ok(list.into_iter().filter(|mind| !mind.games.is_empty()).map(|mind| (mind.name, mind.summary)).collect())
}

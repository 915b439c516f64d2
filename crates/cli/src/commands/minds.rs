//! `ludens minds`

use std::io::Write;
use std::sync::Arc;

use ludens_core::{Game, GameVisitor, MindError, Spec};
use ludens_learners::registry;
use serde::Serialize;

use crate::out::Out;
use crate::pick;

/// List the minds that play a game and the learners that can be trained on it, with their settings.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens minds
  ludens minds backgammon
  ludens minds rules.kif

A mind is named name:key=value,… (alphabeta:depth=6, uct:states=1000), or by a model file.
A learner's name alone plays its model in the zoo, where there is one; `ludens train` makes others.")]
pub struct Args {
    /// Only those that play this game
    game: Option<String>,
    /// The same
    #[arg(long = "game", value_name = "GAME", conflicts_with = "game")]
    named_game: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    /// A mind plays at once, a learner is trained first. Some names are both.
    kind: Kind,
    summary: &'static str,
    settings: Vec<Setting>,
    games: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Mind,
    Learner,
}

#[derive(Serialize)]
struct Setting {
    key: &'static str,
    meaning: &'static str,
}

pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let games: Vec<String> = match args.game.as_ref().or(args.named_game.as_ref()) {
        Some(game) => vec![game.clone()],
        None => ludens_games::all().iter().map(|game| game.id.to_string()).collect(),
    };
    let mut list: Vec<Listed> = Vec::new();
    for game in &games {
        for (index, mind) in pick::with_game(game, ListMinds)?.into_iter().enumerate() {
            match list.iter_mut().find(|listed| (listed.name, listed.kind) == (mind.name, mind.kind)) {
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
    for (kind, heading) in
        [(Kind::Mind, "Minds that play at once"), (Kind::Learner, "Learners, for `ludens train`")]
    {
        writeln!(out, "{heading}")?;
        for mind in list.iter().filter(|mind| mind.kind == kind) {
            show(mind, width, games.len(), out)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn show(mind: &Listed, width: usize, games: usize, out: &mut Out) -> anyhow::Result<()> {
    let only =
        if mind.games.len() == games { String::new() } else { format!(" ({})", mind.games.join(", ")) };
    writeln!(out, "  {:width$}  {}{only}", mind.name, mind.summary)?;
    for Setting { key, meaning } in &mind.settings {
        writeln!(out, "  {:width$}    {key}: {meaning}", "")?;
    }
    Ok(())
}

/// Every mind and learner, with the game it was asked for if it plays it.
struct ListMinds;

impl GameVisitor for ListMinds {
    type Out = Vec<Listed>;

    fn visit<G: Game>(self, game: Arc<G>) -> Vec<Listed> {
        let listed = |name, kind, summary, settings: &'static [(&'static str, &'static str)], plays| Listed {
            name,
            kind,
            summary,
            settings: settings.iter().map(|&(key, meaning)| Setting { key, meaning }).collect(),
            games: if plays { vec![game.id()] } else { Vec::new() },
        };
        let minds = registry::minds::<G>().into_iter().map(|entry| {
            let plays = plays(&(entry.make)(&game, &mut Spec::new(entry.name)));
            listed(entry.name, Kind::Mind, entry.summary, entry.settings, plays)
        });
        let learners = registry::learners::<G>().into_iter().map(|entry| {
            let plays = plays(&(entry.make)(&game, &mut Spec::new(entry.name)));
            listed(entry.name, Kind::Learner, entry.summary, entry.settings, plays)
        });
        minds.chain(learners).collect()
    }
}

/// What was made may still lack a setting, but it is for this game.
fn plays<T>(made: &Result<T, MindError>) -> bool {
    !matches!(made, Err(MindError::WrongGame { .. }))
}

/// The minds that play a game, with a word on each.
pub fn playing(game: &str) -> anyhow::Result<Vec<(&'static str, &'static str)>> {
    let list = pick::with_game(game, ListMinds)?;
    let minds = list.into_iter().filter(|mind| mind.kind == Kind::Mind && !mind.games.is_empty());
    Ok(minds.map(|mind| (mind.name, mind.summary)).collect())
}

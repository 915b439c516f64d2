//! `ludens minds`: who plays a game and who learns it, with every setting; and of the others, why not.

use std::io::Write;

use ludens_catalogue::House;
use ludens_core::{About, Front, MindError, SettingAbout, Spec, Stop};
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
A learner's name alone plays its model in the zoo, where there is one; `ludens train` makes others.
With a game named, the list ends with those that do not play it, and why.")]
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
    /// A mind plays at once, a learner is trained first. Some names are both.
    kind: Kind,
    #[serde(flatten)]
    about: About,
    /// Those of the games asked for that it plays.
    games: Vec<String>,
    /// Those that it does not play.
    not: Vec<Refusal>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Mind,
    Learner,
}

#[derive(Serialize)]
struct Refusal {
    game: String,
    /// What the mind misses.
    why: String,
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let games: Vec<&str> = match args.game.as_ref().or(args.named_game.as_ref()) {
        Some(game) => vec![game],
        None => house.games.list().into_iter().map(|game| game.id.as_str()).collect(),
    };
    let all = house.everybody();
    let mut list: Vec<Listed> = Vec::new();
    for game in &games {
        for (index, mind) in everybody(&*house.games.open(game)?, &all).into_iter().enumerate() {
            let same =
                |listed: &&mut Listed| listed.kind == mind.kind && listed.about.name == mind.about.name;
            match list.iter_mut().find(same) {
                Some(listed) => {
                    listed.games.extend(mind.games);
                    listed.not.extend(mind.not);
                }
                None => list.insert(index.min(list.len()), mind),
            }
        }
    }
    if args.json {
        return out.json(&list);
    }
    show(&list, &games, out)
}

fn show(list: &[Listed], games: &[&str], out: &mut Out) -> anyhow::Result<()> {
    let width = list.iter().map(|mind| mind.about.name.len()).max().unwrap_or(0);
    for (kind, heading) in
        [(Kind::Mind, "Minds that play at once"), (Kind::Learner, "Learners, for `ludens train`")]
    {
        writeln!(out, "{heading}")?;
        for mind in list.iter().filter(|mind| mind.kind == kind && !mind.games.is_empty()) {
            show_one(mind, width, games.len(), out)?;
        }
        writeln!(out)?;
    }
    // Over all games the names of those it plays say enough.
    let [game] = games else { return Ok(()) };
    if list.iter().any(|mind| !mind.not.is_empty()) {
        writeln!(out, "Not for {game}")?;
    }
    for mind in list {
        for Refusal { why, .. } in &mind.not {
            writeln!(out, "  {:width$}  {why}", mind.about.name)?;
        }
    }
    Ok(())
}

fn show_one(mind: &Listed, width: usize, games: usize, out: &mut Out) -> anyhow::Result<()> {
    let About { name, summary, needs, settings, .. } = &mind.about;
    let everywhere = mind.games.len() == games;
    let only = if everywhere { String::new() } else { format!(" ({})", mind.games.join(", ")) };
    writeln!(out, "  {name:width$}  {summary}{only}")?;
    if !everywhere {
        writeln!(out, "  {:width$}    needs {needs}", "")?;
    }
    for SettingAbout { key, help, default, limits } in settings {
        let default = if default.is_empty() { "left open" } else { default };
        writeln!(out, "  {:width$}    {key}: {help} [default: {default}; {limits}]", "")?;
    }
    Ok(())
}

/// Every mind and learner of the game, with the game or the reason why it is not for it; then those of other games alone.
fn everybody(front: &dyn Front, (all_minds, all_learners): &(Vec<About>, Vec<About>)) -> Vec<Listed> {
    let game = front.id();
    let listed = |kind, about: &About, refusal: Option<String>| {
        let (games, not) = match refusal {
            None => (vec![game.clone()], Vec::new()),
            Some(why) => (Vec::new(), vec![Refusal { game: game.clone(), why }]),
        };
        Listed { kind, about: about.clone(), games, not }
    };
    let with_strangers = |kind, here: &[About], all: &[About], refused: &dyn Fn(&str) -> Option<String>| {
        let is_stranger = |about: &&About| here.iter().all(|known| known.name != about.name);
        let strangers = all.iter().filter(is_stranger);
        let here = here.iter().map(|about| listed(kind, about, refused(&about.name)));
        here.chain(strangers.map(|about| listed(kind, about, Some(format!("it needs {}", about.needs)))))
            .collect::<Vec<_>>()
    };
    let mut minds = front.minds();
    minds.push(zoo());
    let mut list = with_strangers(Kind::Mind, &minds, all_minds, &|name| {
        refusal(front.check_mind(name, &pick::no_models(), &Stop::default()))
    });
    list.extend(with_strangers(Kind::Learner, &front.learners(), all_learners, &|name| {
        refusal(front.learner(Spec::new(name)))
    }));
    list
}

/// Why the game is not for it. What could not be made because it lacks a setting is for this game all the same.
fn refusal<T>(made: Result<T, MindError>) -> Option<String> {
    match made {
        Err(MindError::WrongGame { reason, .. }) => Some(reason),
        _ => None,
    }
}

/// The minds that play a game at once.
pub fn playing(front: &dyn Front) -> Vec<About> {
    let plays = |mind: &Listed| mind.kind == Kind::Mind && !mind.games.is_empty();
    everybody(front, &Default::default()).into_iter().filter(plays).map(|mind| mind.about).collect()
}

/// The zoo is an entry of no game: every front finds its models by name.
fn zoo() -> About {
    let setting = |key: &str, help: &str, default: &str, limits: &str| SettingAbout {
        key: key.into(),
        help: help.into(),
        default: default.into(),
        limits: limits.into(),
    };
    let summary = "a trained model that ships with Ludens: zoo:NAME; `ludens zoo` lists them";
    About::new("zoo", "Zoo", summary).needs("a game that a model of the zoo was trained on").settings(vec![
        setting(
            "variant",
            "the name of the model",
            "the first of the game",
            "a name that `ludens zoo` lists",
        ),
        setting("level", "its own past, by checkpoints", "best", "from 1 (beginner) to best"),
    ])
}

//! `ludens train`: one way to train anything.

use std::io::Write;
use std::path::PathBuf;

use ludens_catalogue::House;
use ludens_core::store::{SETTINGS_BYTES, read_text_bounded};
use ludens_core::{Budget, Ctx, Meter, MindError, Rng, Spec};
use ludens_lab::Home;
use ludens_lab::registered::Parameters;
use ludens_lab::runs::Store;
use ludens_lab::train::Training;
use serde::Deserialize;

use crate::out::{Out, Usage};
use crate::training::{Ended, go};

/// Train a learner; every run is kept and can be resumed.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The final model is the same bytes for the same learner, settings, steps and seed, whether the training was interrupted or not.

Examples:
  ludens train nhb --game connect-four --games 2400 --out nhb.safetensors
  ludens train contexts --game connect-four --steps 50 --out contexts.safetensors
  ludens train coevolution --game connect-four --set depth=2 --seed 7 --out evolved.safetensors
  ludens train homo --game connect-four --from small.safetensors    begins with what a game of homo's before taught
  ludens train --config training.toml
  ludens play connect-four --against nhb.safetensors")]
pub struct Args {
    /// The learner, `name` or `name:key=value,…`; `ludens minds` lists them
    learner: Option<String>,
    /// The game, native or a file of rules
    #[arg(long)]
    game: Option<String>,
    /// A setting of the learner; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// A model, of any game, whose knowledge this one begins with (homo carries over what looks alike)
    #[arg(long, value_name = "MODEL")]
    from: Option<PathBuf>,
    /// A TOML file with learner, game, games or steps, seed, out and a table [set]; flags win over it
    #[arg(long)]
    config: Option<PathBuf>,
    /// How long to train, in games, whatever a step of the learner is
    #[arg(long, conflicts_with = "steps", allow_negative_numbers = true, value_parser = crate::input::games)]
    games: Option<u64>,
    /// How long to train, in the learner's own steps (games, cycles of matches, epochs, generations)
    #[arg(long, allow_negative_numbers = true)]
    steps: Option<u64>,
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Where the finished model goes (it is kept with the run in any case)
    #[arg(long)]
    out: Option<PathBuf>,
    /// Seconds between checkpoints
    #[arg(long, default_value_t = 20.0, value_parser = crate::input::seconds)]
    checkpoint: f64,
    /// The folder of all runs, instead of the platform's data folder
    #[arg(long)]
    home: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    learner: Option<String>,
    game: Option<String>,
    games: Option<u64>,
    steps: Option<u64>,
    seed: Option<u64>,
    out: Option<PathBuf>,
    #[serde(default)]
    set: toml::Table,
}

/// How long a training goes on.
#[derive(Clone, Copy)]
enum Length {
    Games(u64),
    Steps(u64),
}

impl Args {
    fn parameters(&self, house: &House) -> anyhow::Result<Parameters> {
        let config: Config = match &self.config {
            None => Config::default(),
            Some(path) => {
                let text = read_text_bounded(path, SETTINGS_BYTES)
                    .map_err(|error| crate::input::unreadable(path, &error))?;
                toml::from_str(&text).map_err(|error| Usage(format!("{}: {error}", path.display())))?
            }
        };
        let lacking = |what: &str, how: &str| Usage(format!("no {what} is named: {how}"));
        let learner = self.learner.clone().or(config.learner);
        let learner = learner.ok_or_else(|| lacking("learner", "`ludens minds` lists them"))?;
        let game = self.game.clone().or(config.game);
        let game = game.ok_or_else(|| lacking("game", "give --game; `ludens games` lists them"))?;
        let mut spec: Spec = learner.parse().map_err(MindError::from)?;
        for (key, value) in &config.set {
            let plain = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            spec = spec.with(key, plain);
        }
        for pair in &self.set {
            let Some((key, value)) =
                pair.split_once('=').filter(|(key, value)| !key.is_empty() && !value.is_empty())
            else {
                return Err(
                    Usage(format!("{pair:?} is not of the form key=value, as in --set depth=2")).into()
                );
            };
            spec = spec.with(key.trim(), value.trim());
        }
        if let Some(from) = &self.from {
            spec = spec.with("from", std::path::absolute(from)?.display());
        }
        let asked =
            |games: Option<u64>, steps: Option<u64>| steps.map(Length::Steps).or(games.map(Length::Games));
        let length = asked(self.games, self.steps).or(asked(config.games, config.steps));
        let (spec, steps) = match length {
            Some(Length::Games(games)) => in_steps(house, &game, spec, games)?,
            Some(Length::Steps(steps)) => (spec, Some(steps)),
            None => (spec, None),
        };
        let training =
            Training { learner: spec.to_string(), game, steps, seed: self.seed.or(config.seed).unwrap_or(1) };
        // Kept with the run, which may be resumed from another folder.
        let out = self.out.clone().or(config.out).map(std::path::absolute).transpose()?;
        out.as_deref().map(crate::input::check_name).transpose()?;
        Ok(Parameters { training, out, checkpoint: self.checkpoint })
    }
}

/// So many games in the learner's own steps. One whose schedule is counted in games gets that many; of any other, one step is tried and its
/// games are counted. Rounded up: a step is not cut in two.
fn in_steps(house: &House, game: &str, spec: Spec, games: u64) -> anyhow::Result<(Spec, Option<u64>)> {
    if games == 0 {
        // The flag says so by itself; a file of settings may ask for none, too.
        return Err(Usage("a training has 1 game or more".into()).into());
    }
    let front = house.games.open(game)?;
    let has_schedule =
        front.learners().iter().any(|about| about.name == spec.name && about.keys().contains(&"games"));
    if has_schedule {
        let spec = spec.with("games", games);
        let steps = front.learner(spec.clone())?.default_steps();
        return Ok((spec, Some(steps)));
    }
    let mut probe = front.learner(spec.clone())?;
    let (mut rng, mut meter) =
        (Rng::stream(1, 0), Meter::watched(Budget::Unlimited, crate::interrupt::stop()));
    probe.step(&mut Ctx::new(&mut rng, &mut meter))?;
    match probe.ledger().games {
        0 => Err(Usage(format!("{} does not learn from games: say how long with --steps", spec.name)).into()),
        each => Ok((spec, Some(games.div_ceil(each)))),
    }
}

/// Makes the learner once, so that a wrong name or setting leaves no run behind.
fn check(house: &House, training: &Training) -> anyhow::Result<u64> {
    let front = house.games.open(&training.game)?;
    let spec: Spec = training.learner.parse().map_err(MindError::from)?;
    let learner = front.learner(spec)?;
    Ok(training.steps.unwrap_or_else(|| learner.default_steps()))
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let parameters = args.parameters(house)?;
    let steps = check(house, &parameters.training)?;
    if let Some(folder) = parameters.out.as_ref().and_then(|path| path.parent())
        && !folder.is_dir()
    {
        return Err(Usage(format!("there is no folder {}: make it first", folder.display())).into());
    }
    let home = Home::open(args.home.as_deref())?;
    let registered = parameters.begin(&Store::open(&home)?, &home, steps)?;
    let ended = go(house, &home, &registered, &parameters)?;
    tell(&ended, args.json, out)
}

pub fn tell(ended: &Ended, json: bool, out: &mut Out) -> anyhow::Result<()> {
    if json {
        return out.json(ended);
    }
    let model = ended.model.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    writeln!(out, "run {}: {} after {} steps, model {model}", ended.run, ended.status.name(), ended.step)?;
    writeln!(out, "`ludens runs show {}` shows its learning curve", ended.run)?;
    Ok(())
}

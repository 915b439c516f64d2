//! `ludens explain`: the ranking of the moves and the reasons; when it was learnt.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use ludens_catalogue::House;
use ludens_core::words::{Voice, sentence};
use ludens_core::{Budget, Front, Model, ModelError, Rng};
use ludens_lab::Home;
use ludens_lab::explain::{PastView, over_training};
use ludens_lab::runs::Store;
use ludens_lab::train::Places;

use crate::out::{Out, Usage};
use crate::{draw, pick};

/// Show how a mind ranks the moves of a position, and why.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens explain connect-four --position 4455 --mind alphabeta:depth=6
  ludens explain connect-four --position 4455 --run 3        when did it learn this?")]
pub struct Args {
    /// The game, native or a file of rules
    game: String,
    /// A position text; the start without it
    #[arg(long)]
    position: Option<String>,
    /// A mind or a model file
    #[arg(long, required_unless_present = "run")]
    mind: Option<String>,
    /// The values of the moves over the training of a run
    #[arg(long)]
    run: Option<i64>,
    /// States the mind may examine
    #[arg(long)]
    states: Option<u64>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long)]
    home: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn budget(&self) -> Budget {
        self.states.map_or(Budget::Unlimited, Budget::States)
    }
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let front = house.games.open(&args.game)?;
    if let Some(run) = args.run {
        let views = past(&*front, args, run)?;
        return if args.json { out.json(&views) } else { write_past(&views, out) };
    }
    let mind = args.mind.as_deref().unwrap_or_default();
    let mut table = front.table(pick::no_models());
    table.restart(args.position.as_deref())?;
    let mut rng = Rng::new(args.seed);
    let decision = table.think(mind, &mut rng, args.budget(), true)?;
    if args.json {
        return out.json(&decision);
    }
    let view = table.view();
    write!(out, "{}", draw::board(&view.board, &[]))?;
    writeln!(out, "\n{} plays {}", mind, draw::styled(&decision.label, draw::STRONG))?;
    for claim in &decision.claims {
        writeln!(out, "  {}", sentence(claim, &view.board, Voice::ToOnlooker))?;
    }
    write!(out, "{}", draw::why(&decision.why, &|line| table.line_labels(line), 3))?;
    writeln!(out, "{}", draw::styled(format!("{} states examined", decision.cost.states), draw::FAINT))?;
    Ok(())
}

fn past(front: &dyn Front, args: &Args, run: i64) -> anyhow::Result<Vec<PastView>> {
    let store = Store::open(&Home::open(args.home.as_deref())?)?;
    let run = store.run(run)?;
    let ladder = Places::new(&run.folder).ladder();
    if ladder.is_empty() {
        return Err(Usage(format!("run {} has no ladder of models: name a training", run.id)).into());
    }
    let load = |(step, path): &(u64, PathBuf)| Ok((*step, Arc::new(Model::load(path)?)));
    let models: Result<Vec<(u64, Arc<Model>)>, ModelError> = ladder.iter().map(load).collect();
    Ok(over_training(front, args.position.as_deref(), &models?, args.seed, args.budget())?)
}

fn write_past(views: &[PastView], out: &mut Out) -> anyhow::Result<()> {
    let Some(last) = views.last() else { return Ok(()) };
    let labels: Vec<&String> = last.values.iter().map(|(label, _)| label).collect();
    let head: String = labels.iter().take(9).map(|label| format!(" {label:>9.9}")).collect();
    writeln!(out, "{}", draw::styled(format!("{:>10}  {:9}{head}", "step", "plays"), draw::FAINT))?;
    for view in views {
        let value =
            |label: &String| view.values.iter().find(|(name, _)| name == label).map(|(_, value)| *value);
        let row: String = labels
            .iter()
            .take(9)
            .map(|label| value(label).map_or(format!(" {:>9}", "–"), |value| format!(" {value:>9.3}")))
            .collect();
        writeln!(out, "{:>10}  {:9.9}{row}", view.step, view.chosen)?;
    }
    Ok(())
}

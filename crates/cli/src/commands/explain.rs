//! `ludens explain`: the ranking of the moves and the reasons; when it was learnt.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use ludens_catalogue::House;
use ludens_core::words::{Contrast, Voice, continuation, ledger};
use ludens_core::{Budget, Decision, Explain, Front, Model, ModelError, Move, Rng, Table};
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
  ludens explain connect-four --position 474737 --mind ranker --why-not 1
  ludens explain tic-tac-toe --mind concepts --rules         with the rules of the paper
  ludens explain connect-four --position 4455 --run 3        when did it learn this?")]
pub struct Args {
    /// The game, native or a file of rules
    #[arg(required_unless_present = "named", conflicts_with = "named")]
    game: Option<String>,
    /// The same, as other commands name it
    #[arg(long = "game", id = "named", value_name = "GAME")]
    named: Option<String>,
    /// A position text; the start without it
    #[arg(long)]
    position: Option<String>,
    /// A mind or a model file
    #[arg(long, required_unless_present = "run")]
    mind: Option<String>,
    /// A move it did not choose: what it loses, and the play that shows it
    #[arg(long, value_name = "MOVE", conflicts_with = "run")]
    why_not: Option<String>,
    /// Beside the words each mind's own notation: the rules of the paper, the chunks recalled, exact values
    #[arg(long)]
    rules: bool,
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
    // One of the two is there: the parser sees to that.
    let game = args.game.as_ref().or(args.named.as_ref()).map_or("", String::as_str);
    let front = house.games.open(game)?;
    if let Some(run) = args.run {
        let views = past(&*front, args, run)?;
        return if args.json { out.json(&views) } else { write_past(&views, out) };
    }
    let mind = args.mind.as_deref().unwrap_or_default();
    let mut table = front.table(pick::no_models());
    table.restart(args.position.as_deref())?;
    let mut rng = Rng::new(args.seed);
    let every = args.json || args.why_not.is_some();
    let explain = if every { Explain::EVERYTHING } else { Explain::best(SHOWN_MOVES) };
    let mut decision = table.think(mind, &mut rng, args.budget(), explain)?;
    table.speak(&mut decision, Voice::ToOnlooker);
    if let Some(label) = &args.why_not {
        return why_not(&mut *table, args, (&decision, mind, label), out);
    }
    if args.json {
        return out.json(&labelled(&*table, &decision)?);
    }
    let view = table.view();
    write!(out, "{}", draw::board(&view.board, &[]))?;
    writeln!(out, "\n{} plays {}", mind, draw::styled(&decision.label, draw::STRONG))?;
    for sentence in table.tell(&decision, decision.mv, Voice::ToOnlooker) {
        writeln!(out, "  {sentence}")?;
    }
    let detail = draw::Detail { moves: SHOWN_MOVES as usize, rules: args.rules };
    write!(out, "\n{}", draw::why(&decision.why, &|line| table.line_labels(line), detail))?;
    let mut cost = vec![format!("{} states examined", decision.cost.states)];
    cost.extend(ledger(&decision.ledger));
    writeln!(out, "{}", draw::styled(cost.join(", "), draw::FAINT))?;
    Ok(())
}

/// The decision with every move by its number and as people write it: a program may read either.
fn labelled(table: &dyn Table, decision: &Decision) -> anyhow::Result<serde_json::Value> {
    let mut json = serde_json::to_value(decision)?;
    let view = table.view();
    let label = |mv: Move| view.moves.iter().find(|known| known.mv == mv).map(|known| known.label.clone());
    if let Some(mv) = decision.why.preferred {
        json["why"]["preferred"] = serde_json::json!({ "mv": mv, "label": label(mv) });
    }
    let moves = json["why"]["moves"].as_array_mut().into_iter().flatten();
    for (shown, candidate) in moves.zip(&decision.why.moves) {
        shown["label"] = label(candidate.mv).into();
        let reasons = shown["reasons"].as_array_mut().into_iter().flatten();
        for (told, reason) in reasons.zip(&candidate.reasons).filter(|(_, reason)| !reason.line.is_empty()) {
            told["line_labels"] = table.line_labels(&reason.line).into();
        }
    }
    Ok(json)
}

/// Moves of the ranking that are shown with their reasons.
const SHOWN_MOVES: u32 = 3;
/// Plies of the play that shows what a move loses, where the mind has no line of its own.
const SHOWN_PLIES: usize = 5;

fn why_not(
    table: &mut dyn Table,
    args: &Args,
    (decision, mind, label): (&Decision, &str, &str),
    out: &mut Out,
) -> anyhow::Result<()> {
    let view = table.view();
    let Some(other) = view.moves.iter().find(|mv| mv.label == label) else {
        return Err(Usage(format!("{label:?} is no legal move here")).into());
    };
    let Some(mut contrast) = table.contrast(decision, other.mv, Voice::ToOnlooker) else {
        return Err(Usage(format!("{mind} did not rank {label}")).into());
    };
    if contrast.line.is_empty() && other.mv != decision.mv {
        let asked = (&mut Rng::new(args.seed), args.budget());
        contrast.line = continuation(table, mind, other.mv, SHOWN_PLIES, asked)?;
    }
    if args.json {
        let mut json = serde_json::to_value(&contrast)?;
        json["label"] = label.into();
        json["line_labels"] = table.line_labels(&contrast.line).into();
        return out.json(&json);
    }
    write!(out, "{}", draw::board(&view.board, &[]))?;
    write_contrast(table, decision, label, &contrast, out)
}

fn write_contrast(
    table: &dyn Table,
    decision: &Decision,
    label: &str,
    contrast: &Contrast,
    out: &mut Out,
) -> anyhow::Result<()> {
    if decision.label == label {
        writeln!(out, "\n{label} is its own choice.")?;
        return Ok(());
    }
    writeln!(
        out,
        "\nWhy {}, and not {}?",
        draw::styled(&decision.label, draw::STRONG),
        draw::styled(label, draw::STRONG)
    )?;
    for sentence in &contrast.said {
        writeln!(out, "  {sentence}")?;
    }
    if let Some(mark) = contrast.mark {
        writeln!(out, "  That would be {}.", mark.name())?;
    }
    if contrast.line.len() > 1 {
        writeln!(out, "  How it could go on: {}", table.line_labels(&contrast.line).join(" "))?;
    }
    for difference in &contrast.differences {
        writeln!(out, "  {:<8}{}", difference.worth, difference.text)?;
    }
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

//! `ludens faithfulness`: are the reasons of a mind its decision?

use std::io::Write;
use std::num::{NonZeroU64, NonZeroUsize};

use indicatif::{ProgressBar, ProgressStyle};
use ludens_catalogue::House;
use ludens_core::Budget;
use ludens_lab::LabError;
use ludens_lab::faithfulness::{Area, Estimate, Faithfulness, Protocol, SHOWN, Simulatability, faithfulness};

use crate::out::{Out, Stopped};
use crate::{draw, interrupt};

/// Measure whether the reasons of minds carry their decisions, and what they teach.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The mind plays a random player. Its decisions are taken apart into the terms of its reasons, terms are taken away, and the
preference for the chosen move is asked again: a mind whose reasons make up its values has them reckoned again, one that
searches is asked again with inputs muted. Students learn from the reasons of some games to foresee the moves of others.
docs/faithfulness.md explains the measures and their limits.

Examples:
  ludens faithfulness connect-four zoo:ranker-connect-four
  ludens faithfulness connect-four model.safetensors alphabeta:depth=3 --decisions 1000
  ludens faithfulness tic-tac-toe odds --json")]
pub struct Args {
    /// The game, native or a file of rules
    game: String,
    /// Minds or model files; `ludens minds` lists them
    #[arg(required = true)]
    minds: Vec<String>,
    /// Decisions to take apart; a quarter of them for minds that search
    #[arg(long, default_value = "300")]
    decisions: NonZeroU64,
    /// How many reasons of a move are shown to a person, or to a student
    #[arg(long, default_value = "3")]
    cited: NonZeroUsize,
    /// States the mind may examine for a decision
    #[arg(long)]
    states: Option<u64>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let front = house.games.open(&args.game)?;
    let stop = interrupt::stop();
    let protocol = Protocol {
        cited: args.cited.get(),
        budget: args.states.map_or(Budget::Unlimited, Budget::States),
        ..Protocol::new(args.decisions.get(), args.seed)
    };
    let bar = ProgressBar::new(1_000);
    bar.set_style(
        ProgressStyle::with_template("{bar:30} {percent} %  {eta} left  {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let mut all = Vec::new();
    for mind in &args.minds {
        bar.set_message(mind.clone());
        let found = faithfulness(&*front, mind, &protocol, &stop, &|done| {
            bar.set_position((1_000.0 * done) as u64);
        });
        // An error is not to be written over the bar.
        match found {
            Ok(found) => all.push(found),
            Err(error) => {
                bar.finish_and_clear();
                return Err(match error {
                    LabError::Stopped => Stopped("what was measured so far is not kept".into()).into(),
                    other => other.into(),
                });
            }
        }
    }
    bar.finish_and_clear();
    if args.json {
        return out.json(&all);
    }
    all.iter().try_for_each(|found| write_one(found, out))
}

fn write_one(found: &Faithfulness, out: &mut Out) -> anyhow::Result<()> {
    let title = format!("{} on {}", found.mind, found.game);
    writeln!(
        out,
        "{}: {} of {} decisions judged, {:.1} terms each",
        draw::styled(title, draw::STRONG),
        found.judged,
        found.looked_at,
        found.terms
    )?;
    if found.judged == 0 {
        writeln!(
            out,
            "  There is nothing to take away: it names no reasons, or they do not make up its values."
        )?;
    } else {
        write_areas(found, out)?;
        write_flips(found, out)?;
    }
    match &found.simulatability {
        Some(simulated) => write_students(simulated, out)?,
        None => writeln!(out, "  There are no reasons to show a student, or too few games.")?,
    }
    writeln!(out)?;
    Ok(())
}

fn interval(estimate: &Estimate, scale: f64) -> String {
    let Estimate { mean, interval, .. } = estimate;
    let digits = if scale > 1.0 { 1 } else { 3 };
    let show = |value: f64| format!("{:+.digits$}", scale * value);
    format!("{} [{} {}]", show(*mean), show(interval.low), show(interval.high))
}

/// Two digits, and no minus before zero.
fn plain(estimate: &Estimate) -> String {
    format!("{:.2}", (100.0 * estimate.mean).round() / 100.0 + 0.0)
}

fn write_areas(found: &Faithfulness, out: &mut Out) -> anyhow::Result<()> {
    let head = format!(
        "{:40} {:>6} {:>6} {:>7}  {:24} {}",
        "preference lost", "cited", "drawn", "Shapley", "cited against drawn", "against drawn of its own"
    );
    writeln!(out, "  {}", draw::styled(head, draw::FAINT))?;
    let areas: [(&str, &Area); 2] = [
        ("without the first terms (more is better)", &found.comprehensiveness),
        ("with these alone (less is better)", &found.sufficiency),
    ];
    for (text, area) in areas {
        let Area { cited, random, shapley, .. } = area;
        let favour = format!("{:24} {}", interval(&area.over_random, 1.0), interval(&area.over_own, 1.0));
        writeln!(
            out,
            "  {text:40} {:>6} {:>6} {:>7}  {favour}",
            plain(cited),
            plain(random),
            plain(shapley)
        )?;
    }
    let by = if found.exact == found.judged {
        "exact".into()
    } else {
        format!("{} exact, the others from {} drawn orders", found.exact, found.orders)
    };
    let alike = found.rank_correlation.mean;
    writeln!(out, "  rank correlation with the Shapley values {alike:+.2} ({by})")?;
    Ok(())
}

fn write_flips(found: &Faithfulness, out: &mut Out) -> anyhow::Result<()> {
    let lines = [
        ("without the cited reasons the move changes", &found.flips.changes_without_cited),
        ("without as many others it changes", &found.flips.changes_without_others),
        ("with the cited reasons alone it stays", &found.flips.stays_with_cited_only),
    ];
    for (text, share) in lines {
        let (low, high) = (100.0 * share.interval.low, 100.0 * share.interval.high);
        writeln!(out, "  {text:45} {:>5.1}% [{low:.1} {high:.1}]", 100.0 * share.share)?;
    }
    if found.by_muting {
        writeln!(out, "  It searches, and was asked again with inputs muted: its preference is 1 or 0.")?;
    } else {
        writeln!(out, "  largest gap between a value and its reasons, as a share {:.1e}", found.largest_gap)?;
    }
    Ok(())
}

fn write_students(simulated: &Simulatability, out: &mut Out) -> anyhow::Result<()> {
    let head = format!(
        "{:>9} {:>9} {:>9} {:>9} {:>7}  {:24} {}",
        "learnt", "patterns", "in place", "position", "counts", "in place − position", "in place − counts"
    );
    writeln!(
        out,
        "  students foresee, of {} moves, {:.1}% by chance:",
        simulated.tested,
        100.0 * simulated.chance
    )?;
    writeln!(out, "  {}", draw::styled(head, draw::FAINT))?;
    for taught in &simulated.sizes {
        let share = |index: usize| taught.agreement.get(index).map_or(0.0, |one| 100.0 * one.mean);
        let [patterns, placed, position, counts] = SHOWN.map(|shown| share(shown as usize));
        writeln!(
            out,
            "  {:>9} {patterns:>8.1}% {placed:>8.1}% {position:>8.1}% {counts:>6.1}%  {:24} {}",
            taught.decisions,
            interval(&taught.placed_over_position, 100.0),
            interval(&taught.placed_over_counts, 100.0)
        )?;
    }
    Ok(())
}

//! `ludens reproduce` and `ludens merge`: a paper's tables beside the paper's own figures.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressStyle};
use ludens_catalogue::House;
use ludens_lab::registered::Kept;
use ludens_lab::{
    Experiment, Finished, Home, LabError, Options, PaperResult, Part, Plan, Scale, Shard, merge, plan_of,
    report,
};
use serde::Serialize;

use super::cluster::{Place, Words};
use crate::input;
use crate::interrupt;
use crate::out::{Out, Stopped, Usage};

/// What makes a plan.
#[derive(clap::Args, Debug)]
struct PlanArgs {
    /// quick (minutes), paper (the published size) or smoke (seconds; proves that it runs)
    #[arg(long, default_value = "quick")]
    scale: Scale,
    /// How many seeds, trials or runs, instead of the experiment's own number
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    seeds: Option<u32>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl PlanArgs {
    fn plan(&self) -> Plan {
        Plan { scale: self.scale, seed: self.seed, seeds: self.seeds }
    }
}

/// Regenerate a paper's tables and figures.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The same command goes on after any stop. The result is the same bytes for any number of threads. Reports are written
as result.json, report.html (open it in a browser) and report.md.

Examples:
  ludens reproduce contexts --scale quick
  ludens reproduce all --scale quick --out reproduced
  ludens reproduce nhb --scale paper --shard 1/2 --out part1     on one machine
  ludens reproduce nhb --scale paper --shard 2/2 --out part2     on another
  ludens merge part1 part2 --out nhb
  ludens reproduce nhb --scale paper --scheduler tcp://host:8786    a Dask cluster, by the Python package")]
pub struct Args {
    /// contexts, nhb, coevolution, concepts, actr, faithfulness, homo, homo-rules, confirmations, confirmations-league or all
    paper: String,
    #[command(flatten)]
    plan: PlanArgs,
    /// The folder for units and reports, instead of one in the home of Ludens
    #[arg(long)]
    out: Option<PathBuf>,
    /// Run one part of several: 2/3
    #[arg(long)]
    shard: Option<Shard>,
    /// Run one unit and what it needs; `ludens units` lists them
    #[arg(long, value_name = "NAME", conflicts_with = "shard")]
    unit: Option<String>,
    #[arg(long, value_parser = crate::input::threads)]
    threads: Option<usize>,
    #[command(flatten)]
    place: Place,
    #[arg(long)]
    home: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// List the units of a reproduction: what can run on its own, and what each needs.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens units nhb --scale paper
  ludens units actr --json
  ludens reproduce actr --unit published/3 --out part3   one of them; `ludens merge` joins the folders")]
pub struct UnitsArgs {
    /// contexts, nhb, coevolution, concepts, actr, faithfulness, homo, homo-rules, confirmations or confirmations-league
    paper: String,
    #[command(flatten)]
    plan: PlanArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run_units(house: &House, args: &UnitsArgs, out: &mut Out) -> anyhow::Result<()> {
    #[derive(Serialize)]
    struct Listed {
        paper: &'static str,
        unit: String,
        needs: Vec<String>,
    }
    let plan = args.plan.plan();
    let mut all = Vec::new();
    for experiment in house.papers_named(&args.paper)? {
        let paper = experiment.about().id;
        let units = experiment.units(&plan).into_iter();
        all.extend(units.map(|unit| Listed { paper, unit: unit.name, needs: unit.needs }));
    }
    if args.json {
        return out.json(&all);
    }
    for Listed { unit, needs, .. } in all {
        let needs = if needs.is_empty() { String::new() } else { format!("  needs {}", needs.join(", ")) };
        writeln!(out, "{unit}{needs}")?;
    }
    Ok(())
}

/// Join the parts of a reproduction made with --shard.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens merge part1 part2 --out nhb")]
pub struct MergeArgs {
    /// The folders of the parts
    #[arg(required = true)]
    parts: Vec<PathBuf>,
    #[arg(long)]
    out: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Told {
    paper: String,
    folder: PathBuf,
    units_done: usize,
    units_total: usize,
    result: Option<PaperResult>,
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let experiments = house.papers_named(&args.paper)?;
    if args.place.scheduler.is_some() {
        return elsewhere(&experiments, args, out);
    }
    args.out.as_deref().map(input::check_name).transpose()?;
    let home = Home::open(args.home.as_deref())?;
    let mut all_told = Vec::new();
    for experiment in &experiments {
        let id = experiment.about().id;
        let folder = match &args.out {
            Some(folder) if args.paper == "all" => folder.join(id),
            Some(folder) => folder.clone(),
            None => home.reproduction(id, args.plan.scale.name(), args.plan.seed),
        };
        let finished = one(house, &**experiment, args, &home, &folder)?;
        let told = Told::new(id, &folder, finished);
        if !args.json {
            told.write(out)?;
        }
        all_told.push(told);
    }
    if args.json { out.json(&all_told) } else { Ok(()) }
}

/// Hands each experiment over to the Python package, which spreads its units.
fn elsewhere(experiments: &[Arc<dyn Experiment>], args: &Args, out: &mut Out) -> anyhow::Result<()> {
    if args.shard.is_some() || args.unit.is_some() {
        return Err(Usage("a scheduler takes all units: leave --shard and --unit out".into()).into());
    }
    for experiment in experiments {
        let id = experiment.about().id;
        let folder =
            args.out.as_ref().map(|out| if args.paper == "all" { out.join(id) } else { out.clone() });
        Words::new("reproduce")
            .word(id)
            .option("scale", Some(args.plan.scale.name()))
            .option("seed", Some(args.plan.seed.to_string()))
            .option("seeds", args.plan.seeds.map(|seeds| seeds.to_string()))
            .option("scheduler", args.place.scheduler.as_ref())
            .option("out", folder)
            .option("home", args.home.as_ref())
            .flag("json", args.json)
            .run(out)?;
    }
    Ok(())
}

fn one(
    house: &House,
    experiment: &dyn Experiment,
    args: &Args,
    home: &Home,
    folder: &Path,
) -> anyhow::Result<Finished> {
    interrupt::advise("the same command goes on where it was");
    let part = match (args.shard, &args.unit) {
        (Some(shard), _) => Part::Shard(shard),
        (None, Some(unit)) => Part::Unit(unit.clone()),
        (None, None) => Part::All,
    };
    let options = Options { threads: args.threads, part, stop: interrupt::stop() };
    let bar = ProgressBar::new(1_000);
    bar.set_style(
        ProgressStyle::with_template("{prefix} {bar:30} {percent:>3}%  {eta} left  {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar.set_prefix(experiment.about().id);
    let kept = Kept { plan: args.plan.plan(), home, folder, command: interrupt::command() };
    let outcome = kept.reproduce(experiment, &house.games, &options, &|progress| {
        bar.set_position((1_000.0 * progress.fraction) as u64);
        let running: Vec<String> =
            progress.running.iter().map(|(name, word)| format!("{name} {word}").trim().to_string()).collect();
        bar.set_message(format!("{}/{} units  {}", progress.done, progress.total, running.join(", ")));
    });
    bar.finish_and_clear();
    match outcome {
        Err(LabError::Stopped) => {
            Err(Stopped("what is done is kept: the same command goes on".into()).into())
        }
        outcome => Ok(outcome?),
    }
}

pub fn run_merge(house: &House, args: &MergeArgs, out: &mut Out) -> anyhow::Result<()> {
    input::check_name(&args.out)?;
    let (paper, plan) = plan_of(&args.parts[0])?;
    let experiments = house.papers_named(&paper)?;
    let finished = merge(&*experiments[0], &plan, &args.parts, &args.out)?;
    let told = Told::new(&paper, &args.out, finished);
    if args.json { out.json(&told) } else { told.write(out) }
}

impl Told {
    fn new(paper: &str, folder: &Path, finished: Finished) -> Told {
        Told {
            paper: paper.into(),
            folder: folder.into(),
            units_done: finished.units_done,
            units_total: finished.units_total,
            result: finished.result,
        }
    }

    fn write(&self, out: &mut Out) -> anyhow::Result<()> {
        match &self.result {
            Some(result) => {
                writeln!(out, "{}", report::markdown(result))?;
                writeln!(out, "The report: {}", self.folder.join("report.html").display())?;
            }
            None => writeln!(
                out,
                "{}: {} of {} units are done in {}; `ludens merge` joins the parts",
                self.paper,
                self.units_done,
                self.units_total,
                self.folder.display()
            )?,
        }
        Ok(())
    }
}

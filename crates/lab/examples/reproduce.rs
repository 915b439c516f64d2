//! Runs one paper's experiment without the command line's extras:
//! `cargo run --release -p ludens-lab --example reproduce -- coevolution quick FOLDER [seed [1/2]]`.

use std::path::Path;

use ludens_lab::{Options, Plan, papers, reproduce};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, paper, scale, folder, rest @ ..] = arguments.as_slice() else {
        return Err("give the paper, the scale and a folder".into());
    };
    let seed = rest.first().map_or(Ok(1), |seed| seed.parse())?;
    let shard = rest.get(1).map(|shard| shard.parse()).transpose()?;
    let plan = Plan::new(scale.parse()?, seed);
    for experiment in papers::named(paper)? {
        let options = Options { threads: Some(1), shard, ..Options::default() };
        let finished = reproduce(experiment.as_ref(), &plan, Path::new(folder), &options, &|progress| {
            if let Some((unit, word)) = progress.running.first() {
                eprintln!("{:5.1} % {unit} {word}", 100.0 * progress.fraction);
            }
        })?;
        println!("{} of {} units", finished.units_done, finished.units_total);
    }
    Ok(())
}

//! `ludens bench contexts`: online training of the context network and of its comparators, updates after each position.
//! `torch_context.py` of the shared benches measures the same network (S4) and the same comparator (42–60–7).

use ludens_core::Rng;
use ludens_learners::contexts::train::{System, Targets, Training};
use ludens_search::connect_four_labels::{LabelSettings, Labelled, sample};

use super::{Args, Row};

/// Floors and goals in positions per CPU-second.
const FIGURES: [(&str, Option<(f64, f64)>); 4] =
    [("S1", None), ("S4", Some((450e3, 1e6))), ("N60", Some((1e6, 2e6))), ("D1234", None)];

pub fn rows(args: &Args) -> anyhow::Result<Vec<Row>> {
    // The speed does not depend on the labels: any will do.
    let settings = LabelSettings { count: 4096, seed: args.seed, ..LabelSettings::default() };
    let examples: Vec<Labelled> = sample(&settings)
        .into_iter()
        .map(|position| Labelled { position, score: 0, best: 1 << (position.mine() % 7), scores: None })
        .collect();
    let rows = FIGURES.iter().filter_map(|(name, figures)| {
        let mut rng = Rng::new(args.seed);
        let mut training = Training::new(&System::named(name)?, &examples, Targets::OneBest, &mut rng);
        let name = format!("contexts {name}, online");
        let row = Row::measure(name, "positions", args.seconds, || {
            training.epoch(&mut rng);
            examples.len() as u64
        });
        Some(match figures {
            Some((floor, goal)) => row.against(*floor, *goal),
            None => row,
        })
    });
    Ok(rows.collect())
}

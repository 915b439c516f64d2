//! `ludens bench contexts`: training of the context network and of its comparators, online (updates after each position) and in
//! batches. `torch_context.py` of the shared benches measures the same network (S4) and the same comparator (42–60–7).

use ludens_core::Rng;
use ludens_learners::contexts::train::{System, Targets, Training};
use ludens_search::connect_four_labels::{LabelSettings, Labelled, sample};

use super::{Args, Row};

/// The floor and the goal of a row.
type Aims = Option<(f64, f64)>;

/// System, positions in a batch, floor and goal in positions per CPU-second. For S4 in batches they are 8 and 20 times what
/// torch.compile does (54,000).
const FIGURES: [(&str, usize, Aims); 7] = [
    ("S1", 1, None),
    ("S4", 1, Some((450e3, 1e6))),
    ("S4", 256, Some((8.0 * 54e3, 20.0 * 54e3))),
    ("D1234", 1, None),
    ("N60", 1, Some((1e6, 2e6))),
    ("N60", 256, Some((2.8e6, 5e6))),
    ("C", 1, None),
];

pub fn rows(args: &Args) -> anyhow::Result<Vec<Row>> {
    // The speed does not depend on the labels: any will do.
    let settings = LabelSettings { count: 4096, seed: args.seed, ..LabelSettings::default() };
    let examples: Vec<Labelled> = sample(&settings)
        .into_iter()
        .map(|position| Labelled { position, score: 0, best: 1 << (position.mine() % 7), scores: None })
        .collect();
    let rows = FIGURES.iter().filter_map(|&(name, batch, figures)| {
        let mut rng = Rng::new(args.seed);
        let mut training = Training::new(&System::named(name)?, &examples, Targets::OneBest, &mut rng);
        training.batch = batch;
        let how = if batch == 1 { "online".into() } else { format!("batches of {batch}") };
        let row = Row::measure(format!("contexts {name}, {how}"), "positions", args.seconds, || {
            training.epoch(&mut rng);
            examples.len() as u64
        });
        Some(match figures {
            Some((floor, goal)) => row.against(floor, goal),
            None => row,
        })
    });
    Ok(rows.collect())
}

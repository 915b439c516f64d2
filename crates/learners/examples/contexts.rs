//! Trains systems on a labelled file and prints their ranks; also the training speed.
//! `cargo run --release -p ludens-learners --example contexts -- FILE EPOCHS S4 N40 …`
//! With `NOISE=0.16 SET=3` before it a label is any legal move with this probability, as a program that is not perfect would label,
//! and the positions are the fourth 30,000 of the file.
use ludens_core::Rng;
use ludens_learners::contexts::train::{System, Targets, Training, measure};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut all = Vec::new();
    let path = std::path::Path::new(&args[1]);
    if path.is_dir() {
        for entry in std::fs::read_dir(path).expect("parts") {
            all.extend(
                ludens_search::connect_four_labels::load(&entry.expect("part").path()).expect("labels").1,
            );
        }
    } else {
        all = ludens_search::connect_four_labels::load(path).expect("labels").1;
    }
    let setting =
        |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    let (noise, set) = (setting("NOISE"), setting("SET") as usize);
    all.drain(..30_000 * set);
    all.truncate(30_000);
    let mut rng = Rng::new(7);
    for example in &mut all {
        if rng.uniform(0.0, 1.0) < noise {
            let legal: Vec<usize> = example.position.children().map(|(column, _)| column).collect();
            example.best = 1 << legal[rng.below(legal.len() as u32) as usize];
        }
    }
    let (train, test) = all.split_at(all.len() / 2);
    for name in &args[3..] {
        let mut rng = Rng::new(1);
        let mut training =
            Training::new(&System::named(name).expect(name), train, Targets::OneBest, &mut rng);
        let began = cpu_time::ThreadTime::now();
        training.run(args[2].parse().expect("epochs"), &mut rng);
        let speed = training.epochs as f64 * train.len() as f64 / began.elapsed().as_secs_f64();
        let mut ranks = |set: &[_]| {
            measure(set, |e: &ludens_search::connect_four_labels::Labelled| {
                training.ranker.outputs(e.position.mine(), e.position.theirs())
            })
        };
        let (a, b) = (ranks(train), ranks(test));
        println!(
            "{name}: {} positions, {} epochs, {speed:.0} samples/s; train {:.3} {:.3}; test {:.3} {:.3}, any {:.3}, without wins in one {:.3}, last {:.4}; error {:?}",
            all.len(),
            training.epochs,
            a.places[0],
            a.mean_rank,
            b.places[0],
            b.mean_rank,
            b.any_best,
            b.without_wins_in_one,
            b.places[6],
            training.errors.last()
        );
    }
}

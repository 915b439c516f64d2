//! Labels positions without the program: `label COUNT SEED OUT [all]`.
use ludens_search::connect_four_labels::{LabelSettings, label_file};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let settings = LabelSettings {
        count: args[1].parse().expect("count"),
        seed: args[2].parse().expect("seed"),
        all_scores: args.len() > 4,
        ..Default::default()
    };
    let began = std::time::Instant::now();
    let cpu = cpu_time::ProcessTime::now();
    label_file(&settings, std::path::Path::new(&args[3]), &|_| true).expect("labelled");
    println!("{} in {:?}, cpu {:?}", settings.count, began.elapsed(), cpu.elapsed());
}

//! Labels positions without the program: `label COUNT SEED OUT [FROM TO [all]]`.
use ludens_search::connect_four_labels::{LabelSettings, label_file};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let ply = |i: usize, default| args.get(i).map_or(default, |text| text.parse().expect("a ply"));
    let settings = LabelSettings {
        count: args[1].parse().expect("count"),
        seed: args[2].parse().expect("seed"),
        first_ply: ply(4, 12),
        last_ply: ply(5, 16),
        all_scores: args.len() > 6,
    };
    let (wall, cpu) = (std::time::Instant::now(), cpu_time::ProcessTime::now());
    label_file(&settings, std::path::Path::new(&args[3]), &|_| true).expect("labelled");
    println!("{} in {:?}, cpu {:?}", settings.count, wall.elapsed(), cpu.elapsed());
}

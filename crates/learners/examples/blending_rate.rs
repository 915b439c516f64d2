//! Blending queries per CPU-second: `cargo run --release -p ludens-learners --example blending_rate`.

use cpu_time::ThreadTime;
use ludens_core::Rng;
use ludens_learners::actr::memory::{Memory, Parameters, Slot};

fn main() {
    let mut rng = Rng::new(1);
    for (chunks, queries) in [(50, 1_000_000u32), (1_000, 100_000), (10_000, 8_000)] {
        let slots = vec![
            Slot::number("point", 0.0, 24.0),
            Slot::number("ahead", 0.0, 15.0),
            Slot::number("odds", 0.0, 1.0),
        ];
        let mut memory = Memory::new(slots, Parameters { temperature: Some(0.3), ..Parameters::default() });
        while memory.len() < chunks {
            memory.advance(memory.len() as f64).expect("time runs on");
            let chunk = [rng.uniform(1.0, 24.0), rng.uniform(0.0, 15.0), rng.unit()];
            memory.learn(&chunk).expect("three slots");
        }
        memory.advance(chunks as f64 + 1.0).expect("time runs on");
        let mut sum = 0.0;
        let clock = ThreadTime::now();
        for query in 0..queries {
            let query = [Some(f64::from(query % 24)), Some(f64::from(query % 15)), None];
            sum += memory.blend(&query, 2, &mut rng, None).unwrap_or(0.0);
        }
        let seconds = clock.elapsed().as_secs_f64();
        println!(
            "{chunks} chunks: {:.0} queries/s (mean blend {:.3})",
            f64::from(queries) / seconds,
            sum / f64::from(queries)
        );
    }
}

//! The declarative memory without any game: somebody looks for lunch.
//! `cargo run --release -p ludens-learners --example declarative_memory`
//!
//! First ACT-R's way (activation, blending), then the paper's (odds of a win), each with what came to mind and how strongly.

use ludens_core::Rng;
use ludens_learners::actr::memory::{Memory, MemoryError, Parameters, Penalty, Slot, Trace};
use ludens_learners::actr::odds::{Feature, Kind, OddsMemory};

fn main() -> Result<(), MemoryError> {
    blended_pleasure()?;
    odds_of_a_good_day();
    Ok(())
}

/// Meals by walk and price with the pleasure they gave; what is a new place likely to give?
fn blended_pleasure() -> Result<(), MemoryError> {
    let slots = vec![
        Slot::number("walk (minutes)", 0.0, 30.0),
        Slot::number("price", 5.0, 25.0),
        Slot::number("pleasure", 0.0, 10.0),
    ];
    let parameters = Parameters {
        mismatch_penalty: Some(2.0),     // mp
        penalty: Penalty::Mean,          // equation 1 of the paper; Sum is ACT-R's
        decay: Some(0.5),                // bll
        noise: None,                     // ans
        temperature: Some(0.4),          // tmp
        retrieval_threshold: Some(-3.0), // rt
        ..Parameters::default()
    };
    let mut memory = Memory::new(slots, parameters);
    let days = [[5.0, 8.0, 4.0], [12.0, 15.0, 8.0], [25.0, 9.0, 5.0], [12.0, 15.0, 8.0], [6.0, 8.5, 4.0]];
    for (day, meal) in days.iter().enumerate() {
        memory.advance(day as f64)?;
        // The last meal is so like the first that it strengthens that chunk instead of making a new one.
        memory.learn_if_new(meal, 0.05)?;
    }
    memory.advance(6.0)?;
    println!("{} meals, {} chunks", days.len(), memory.len());

    let mut rng = Rng::new(1);
    let mut trace = Trace::default();
    let query = [Some(10.0), Some(12.0), None];
    let pleasure = memory.blend(&query, memory.slot("pleasure")?, &mut rng, Some(&mut trace));
    println!("ten minutes, price 12: pleasure {pleasure:.2?}, from");
    print(&memory, &trace);
    let found = memory.retrieve(&query, &mut rng, Some(&mut trace));
    println!("the one meal that comes to mind: {:?}", found.map(|chunk| memory.chunk(chunk)));
    print(&memory, &trace);
    Ok(())
}

fn print(memory: &Memory, trace: &Trace) {
    for recall in &trace.recalls {
        println!(
            "  {:?}: base level {:+.2}, mismatch {:+.2}, noise {:+.2}, activation {:+.2}, share {:.2}",
            memory.chunk(recall.chunk),
            recall.base_level,
            recall.mismatch,
            recall.noise,
            recall.activation,
            recall.probability
        );
    }
}

/// The paper's memory: signs of the morning, the good and bad days they were part of, and the odds of a new morning.
fn odds_of_a_good_day() {
    let hour = Slot::number("hour", 5.0, 11.0);
    let kinds = vec![
        Kind { name: "woke", slots: vec![hour], threshold: 0.2 },
        Kind { name: "rain", slots: vec![Slot::symbol("rain")], threshold: 0.0 },
    ];
    let mut memory = OddsMemory::new(kinds, 1.0, 49);
    let woke = |hour| Feature { kind: 0, slots: [hour, 0, 0, 0] };
    let rain = |rain| Feature { kind: 1, slots: [rain, 0, 0, 0] };
    let days = [(6, 0, true), (7, 0, true), (10, 1, false), (6, 1, true), (9, 0, false), (10, 0, true)];
    for (hour, wet, good) in days {
        for feature in [woke(hour), rain(wet)] {
            memory.store_if_new(feature);
            memory.update(feature, good, 1.0);
        }
        memory.count_game(good);
    }
    println!("{}", memory.table());
    let mut odds = 1.0;
    for feature in [woke(8), rain(1)] {
        let recalled = memory.recollect(feature);
        odds *= recalled.odds;
        println!("{}: odds {:.2}", memory.feature_name(feature), recalled.odds);
        for (chunk, weight) in recalled.matches {
            let chunk = &memory.chunks()[chunk];
            println!(
                "  from {} {:.2} × {weight:.2}",
                memory.feature_name(chunk.feature),
                memory.chunk_odds(chunk)
            );
        }
    }
    println!("a wet morning, up at eight: odds of a good day {odds:.2}");
}

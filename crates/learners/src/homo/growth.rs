//! New chunks where the judgement errs: pairs of contents that are there together, and pairs with a third, after which games go better or worse than
//! was thought, beyond chance.

use rustc_hash::{FxHashMap, FxHashSet};

use super::active::{Active, Found};
use super::chunks::{Chunks, NONE};
use super::contents::Raw;
use super::eye::Eye;
use super::judgement::{Example, Judge, chance};
use super::settings::Settings;

/// Contents of a position, those that weigh most, of which pairs are tried, and triples with a pair that is known.
const STRONGEST: usize = 8;
/// Positions that are looked at.
const LOOKED_AT: usize = 4_000;
/// Times that they must be met together.
const MET: u32 = 25;
/// Standard errors that are no chance, with as many as are tried.
const BEYOND_CHANCE: f32 = 4.5;
/// Pairs and triples made at once.
const AT_ONCE: usize = 25;

#[derive(Default)]
struct Evidence {
    met: u32,
    error: f32,
    spread: f32,
}

impl Evidence {
    /// How many standard errors the judgement is off.
    fn beyond(&self) -> f32 {
        self.error.abs() / self.spread.max(1e-3).sqrt()
    }
}

/// What is there together in one position, as a key is looked for: the contents that weigh most two by two, and with each pair that is known.
fn candidates(chunks: &Chunks, judge: &Judge, active: &mut Active, into: &mut Vec<Together>) {
    let weight = |entry: &u32| {
        let chunk = chunks.chunk_of(*entry);
        judge.weights.get(chunk as usize).copied().unwrap_or(0.0).abs()
    };
    let mut strongest: Vec<u32> = active.found.iter().filter_map(Found::entry).collect();
    strongest.retain(|entry| chunks.chunk_of(*entry) != NONE);
    strongest.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(a.cmp(b)));
    strongest.truncate(STRONGEST);
    into.clear();
    for (place, &one) in strongest.iter().enumerate() {
        into.extend(strongest[place + 1..].iter().map(|&two| [one, two, NONE]));
    }
    chunks.each_together(active, |one, company| {
        if let [two, NONE] = company.others {
            let thirds = strongest.iter().filter(|third| **third != one && **third != two);
            into.extend(thirds.map(|&third| [one, two, third]));
        }
    });
}

/// Two or three entries; the third of two is [`NONE`].
type Together = [u32; 3];

fn entries(together: &Together) -> &[u32] {
    if together[2] == NONE { &together[..2] } else { together }
}

/// Makes new pairs and triples; how many.
pub fn grow(
    (eye, settings, chunks): (&Eye, &Settings, &mut Chunks),
    judge: &Judge,
    examples: &[Example],
    room: usize,
    round: u32,
) -> usize {
    let mut evidence: FxHashMap<[Raw; 3], (Evidence, Together)> = FxHashMap::default();
    let (mut active, mut tried, mut met) = (Active::default(), Vec::new(), FxHashSet::default());
    let step = (examples.len() / LOOKED_AT).max(1);
    for Example { seen, chance: target, .. } in examples.iter().step_by(step) {
        let thought = chance(judge.log_odds((eye, settings, chunks), seen, &mut active));
        let error = target - thought;
        candidates(chunks, judge, &mut active, &mut tried);
        met.clear();
        for together in &tried {
            let (key, sign) = chunks.together_key(eye, entries(together));
            // A triple may hold several pairs that are known: it is there once.
            if together[2] != NONE && !met.insert(key) {
                continue;
            }
            let (of, _) = evidence.entry(key).or_insert_with(|| (Evidence::default(), *together));
            of.met += 1;
            of.error += sign * error;
            of.spread += error * error;
        }
    }
    let mut found: Vec<([Raw; 3], (Evidence, Together))> = evidence
        .into_iter()
        .filter(|(key, (of, _))| of.met >= MET && of.beyond() > BEYOND_CHANCE && !chunks.knows_together(*key))
        .collect();
    found.sort_by(|(a, (one, _)), (b, (two, _))| two.beyond().total_cmp(&one.beyond()).then(a.cmp(b)));
    let made = found.iter().take(AT_ONCE.min(room));
    made.filter(|(_, (_, together))| chunks.put_together(eye, settings, entries(together), round)).count()
}

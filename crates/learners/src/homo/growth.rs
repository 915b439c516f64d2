//! New chunks where the judgement errs: pairs of contents that are there together, after which games go better or worse than was thought, beyond
//! chance.

use rustc_hash::FxHashMap;

use super::active::{Active, Found};
use super::chunks::{Chunks, NONE};
use super::eye::Eye;
use super::judgement::{Example, Judge, chance};
use super::settings::Settings;

/// Contents of a position, those that weigh most, of which pairs are tried.
const STRONGEST: usize = 8;
/// Positions that are looked at.
const LOOKED_AT: usize = 4_000;
/// Times that a pair must be met.
const MET: u32 = 25;
/// Standard errors that are no chance, with as many pairs as are tried.
const BEYOND_CHANCE: f32 = 4.5;
/// Pairs made at once.
const AT_ONCE: usize = 25;

#[derive(Default)]
struct Evidence {
    met: u32,
    error: f32,
    spread: f32,
    entries: (u32, u32),
}

/// Makes new pairs; how many.
pub fn grow(
    (eye, settings, chunks): (&Eye, &Settings, &mut Chunks),
    judge: &Judge,
    examples: &[Example],
    room: usize,
    round: u32,
) -> usize {
    let mut evidence: FxHashMap<(u64, u64), Evidence> = FxHashMap::default();
    let mut active = Active::default();
    let step = (examples.len() / LOOKED_AT).max(1);
    for Example { seen, chance: target, .. } in examples.iter().step_by(step) {
        let thought = chance(judge.log_odds((eye, settings, chunks), seen, &mut active));
        let (error, spread) = (target - thought, thought * (1.0 - thought));
        let weight =
            |entry: &u32| judge.weights.get(chunks.chunk_of(*entry) as usize).copied().unwrap_or(0.0).abs();
        let mut strongest: Vec<u32> = active.found.iter().filter_map(Found::entry).collect();
        strongest.retain(|entry| chunks.chunk_of(*entry) != NONE);
        strongest.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(a.cmp(b)));
        strongest.truncate(STRONGEST);
        for (place, &one) in strongest.iter().enumerate() {
            for &two in &strongest[place + 1..] {
                let (key, sign) = chunks.pair_key(eye, one, two);
                let of =
                    evidence.entry(key).or_insert(Evidence { entries: (one, two), ..Evidence::default() });
                of.met += 1;
                of.error += sign * error;
                of.spread += spread;
            }
        }
    }
    let standard = |of: &Evidence| of.error.abs() / of.spread.max(1e-3).sqrt();
    let mut found: Vec<((u64, u64), Evidence)> =
        evidence.into_iter().filter(|(_, of)| of.met >= MET && standard(of) > BEYOND_CHANCE).collect();
    found.sort_by(|a, b| standard(&b.1).total_cmp(&standard(&a.1)).then(a.0.cmp(&b.0)));
    let most = AT_ONCE.min(room);
    found.into_iter().take(most).filter(|(_, of)| chunks.pair(eye, settings, of.entries, round)).count()
}

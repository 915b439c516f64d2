//! The paper's memory: features met in games, with the wins and losses they were part of.
//!
//! Equation numbers are the paper's. A feature is a kind (attack, expose, block; or a context of any board game) and up to
//! four small whole numbers in its slots.

use ludens_core::{Model, ModelError};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::memory::Slot;

/// How many slots a feature has at most.
pub const SLOTS: usize = 4;

/// Something a position shows: of one kind, with values in its slots.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Feature {
    /// An index of the memory's kinds.
    pub kind: u8,
    /// The values, zeros where the kind has fewer slots.
    pub slots: [u8; SLOTS],
}

/// A type of feature: its name and its slots.
#[derive(Clone, PartialEq, Debug)]
pub struct Kind {
    /// What it is called.
    pub name: &'static str,
    /// Its slots.
    pub slots: Vec<Slot>,
    /// The largest mismatch at which a remembered feature still comes to mind.
    pub threshold: f64,
}

/// A remembered feature with what came of it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Chunk {
    /// The feature.
    pub feature: Feature,
    /// Won games with it.
    pub wins: f64,
    /// Lost games with it.
    pub losses: f64,
}

/// What a feature brought to mind.
#[derive(Clone, PartialEq, Debug)]
pub struct Recollection {
    /// The blended odds (equation 2 over equation 4).
    pub odds: f64,
    /// The chunks it rests on, each with its weight (1 − mismatch); none for a feature never met.
    pub matches: Vec<(usize, f64)>,
}

/// The memory of features with odds.
#[derive(Clone, PartialEq, Debug)]
pub struct OddsMemory {
    kinds: Vec<Kind>,
    chunks: Vec<Chunk>,
    /// Won games, F(W).
    pub wins: f64,
    /// Lost games, F(L).
    pub losses: f64,
    /// Added to every count of equation 4, so that a feature met once is not certain.
    pub prior: f64,
    /// The prior is in the ratio of games won to lost, so that a new chunk is neutral.
    pub neutral: bool,
    /// Where it is another than that of chunking: the largest mismatch at which a chunk comes to mind.
    pub retrieval: Option<f64>,
    /// Never more chunks than this.
    pub capacity: usize,
    /// Blended odds since the last change.
    known: FxHashMap<Feature, f64>,
}

impl OddsMemory {
    /// An empty memory for features of these kinds.
    pub fn new(kinds: Vec<Kind>, prior: f64, capacity: usize) -> OddsMemory {
        OddsMemory {
            kinds,
            chunks: Vec::new(),
            wins: 0.0,
            losses: 0.0,
            prior,
            neutral: false,
            retrieval: None,
            capacity,
            known: FxHashMap::default(),
        }
    }

    /// Everything it remembers.
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// Equation 1: the mean mismatch of the slots; features of different kinds do not match at all.
    pub fn penalty(&self, a: Feature, b: Feature) -> f64 {
        if a.kind != b.kind {
            return 1.0;
        }
        let slots = &self.kinds[usize::from(a.kind)].slots;
        let mut sum = 0.0;
        for (index, slot) in slots.iter().enumerate() {
            sum += slot.mismatch(f64::from(a.slots[index]), f64::from(b.slots[index]));
        }
        sum / slots.len().max(1) as f64
    }

    /// Equation 4: P(f|W) / P(f|L), with the prior.
    pub fn chunk_odds(&self, chunk: &Chunk) -> f64 {
        let prior = self.prior.max(1e-9);
        let base_rate = (self.losses + prior) / (self.wins + prior);
        let [for_wins, for_losses] = if self.neutral {
            let lost = base_rate / (1.0 + base_rate);
            [2.0 * prior * (1.0 - lost), 2.0 * prior * lost]
        } else {
            [prior, prior]
        };
        (chunk.wins + for_wins) / (chunk.losses + for_losses) * base_rate
    }

    /// The chunks that a feature brings to mind, each with its weight 1 − mismatch.
    pub fn matches(&self, feature: Feature) -> Vec<(usize, f64)> {
        self.within(feature, self.retrieval.unwrap_or(self.kinds[usize::from(feature.kind)].threshold))
    }

    fn within(&self, feature: Feature, threshold: f64) -> Vec<(usize, f64)> {
        let mut matches = Vec::new();
        for (index, chunk) in self.chunks.iter().enumerate() {
            if chunk.feature.kind == feature.kind {
                let penalty = self.penalty(feature, chunk.feature);
                if penalty <= threshold {
                    matches.push((index, 1.0 - penalty));
                }
            }
        }
        matches
    }

    /// Equation 2: the odds of the matching chunks, weighted by how well they match; neutral where nothing matches.
    pub fn recollect(&self, feature: Feature) -> Recollection {
        let matches = self.matches(feature);
        let (mut sum, mut weights) = (0.0, 0.0);
        for &(index, weight) in &matches {
            sum += weight * self.chunk_odds(&self.chunks[index]);
            weights += weight;
        }
        let odds = if weights > 0.0 { sum / weights } else { 1.0 };
        Recollection { odds, matches }
    }

    /// The odds alone, remembered until something is learnt.
    #[inline]
    pub fn odds(&mut self, feature: Feature) -> f64 {
        if let Some(&odds) = self.known.get(&feature) {
            return odds;
        }
        let odds = self.recollect(feature).odds;
        self.known.insert(feature, odds);
        odds
    }

    /// Chunks a feature unless one like it is already there or the memory is full.
    pub fn store_if_new(&mut self, feature: Feature) {
        let threshold = self.kinds[usize::from(feature.kind)].threshold;
        if self.chunks.len() < self.capacity && self.within(feature, threshold).is_empty() {
            self.chunks.push(Chunk { feature, wins: 0.0, losses: 0.0 });
            self.known.clear();
        }
    }

    /// Adds to the wins or losses of the matching chunks, in the degree of the match.
    pub fn update(&mut self, feature: Feature, won: bool, amount: f64) {
        for (index, weight) in self.matches(feature) {
            let chunk = &mut self.chunks[index];
            if won {
                chunk.wins += weight * amount;
            } else {
                chunk.losses += weight * amount;
            }
        }
        self.known.clear();
    }

    /// Counts a game towards F(W) or F(L).
    pub fn count_game(&mut self, won: bool) {
        self.count(won, 1.0);
    }

    /// Adds to F(W) or F(L).
    pub fn count(&mut self, won: bool, amount: f64) {
        if won {
            self.wins += amount;
        } else {
            self.losses += amount;
        }
        self.known.clear();
    }

    /// `block⟨19, 4, 2⟩`.
    pub fn feature_name(&self, feature: Feature) -> String {
        let kind = &self.kinds[usize::from(feature.kind)];
        let slots: Vec<String> =
            feature.slots[..kind.slots.len()].iter().map(|slot| slot.to_string()).collect();
        format!("{}⟨{}⟩", kind.name, slots.join(", "))
    }

    /// The chunks as a person reads them, one a line, by kind and slots.
    pub fn table(&self) -> String {
        let mut order: Vec<&Chunk> = self.chunks.iter().collect();
        order.sort_by_key(|chunk| chunk.feature);
        let mut text = format!("{:<24} {:>9} {:>9} {:>7}\n", "chunk", "in wins", "in losses", "odds");
        for chunk in order {
            let name = self.feature_name(chunk.feature);
            let odds = self.chunk_odds(chunk);
            text += &format!("{name:<24} {:>9.1} {:>9.1} {odds:>7.2}\n", chunk.wins, chunk.losses);
        }
        text
    }

    pub(crate) fn save(&self, model: &mut Model) {
        let features: Vec<u8> = self
            .chunks
            .iter()
            .flat_map(|chunk| [chunk.feature.kind].into_iter().chain(chunk.feature.slots))
            .collect();
        let counts: Vec<f64> = self.chunks.iter().flat_map(|chunk| [chunk.wins, chunk.losses]).collect();
        model.put_u8("chunks.features", &[self.chunks.len(), SLOTS + 1], &features);
        model.put_f64("chunks.counts", &[self.chunks.len(), 2], &counts);
        model.put_f64("games", &[2], &[self.wins, self.losses]);
    }

    pub(crate) fn load(&mut self, model: &Model) -> Result<(), ModelError> {
        let length = model.len_of("chunks.counts") / 2;
        let features = model.u8s("chunks.features", length * (SLOTS + 1))?;
        let counts = model.f64s("chunks.counts", length * 2)?;
        let games = model.f64s("games", 2)?;
        self.chunks.clear();
        for index in 0..length {
            let row = &features[index * (SLOTS + 1)..][..SLOTS + 1];
            if usize::from(row[0]) >= self.kinds.len() {
                return Err(ModelError::Missing { what: format!("the kind of chunk {index}") });
            }
            let feature = Feature { kind: row[0], slots: [row[1], row[2], row[3], row[4]] };
            self.chunks.push(Chunk { feature, wins: counts[2 * index], losses: counts[2 * index + 1] });
        }
        (self.wins, self.losses) = (games[0], games[1]);
        self.known.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> OddsMemory {
        let slots = vec![Slot::number("point", 1.0, 11.0)];
        OddsMemory::new(vec![Kind { name: "x", slots, threshold: 0.15 }], 1.0, 10)
    }

    fn at(point: u8) -> Feature {
        Feature { kind: 0, slots: [point, 0, 0, 0] }
    }

    /// After one win and nine losses one added to both counts makes a new chunk better than neutral; in their ratio it does not.
    #[test]
    fn a_new_chunk_is_neutral_where_the_prior_is() {
        let mut memory = memory();
        memory.store_if_new(at(3));
        memory.count(true, 1.0);
        memory.count(false, 9.0);
        assert!((memory.odds(at(3)) - 5.0).abs() < 1e-12);
        let mut neutral = OddsMemory { neutral: true, ..memory };
        neutral.count(false, 0.0);
        assert!((neutral.odds(at(3)) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_chunked_and_what_is_asked_may_lie_apart() {
        let mut memory = memory();
        memory.retrieval = Some(0.35);
        for point in [3, 5, 6] {
            memory.store_if_new(at(point));
        }
        // 6 is within .15 of 5 and not chunked, though 3 and 5 both come to mind for it.
        assert_eq!(memory.chunks().len(), 2);
        assert_eq!(memory.matches(at(6)).len(), 2);
        memory.retrieval = None;
        assert_eq!(memory.matches(at(6)).len(), 1);
    }
}

//! P3: chunks found by itself. A chunk is a pair of tokens that mean something else together than each of them alone.
//!
//! A trained ranker is asked where it errs. For every pair of tokens that some move has, its errors are added up: what it gave to such moves
//! too much, or too little. If it knew all about a pair they would cancel; where they do not, beyond what chance gives, the pair
//! becomes a token of its own.

use ludens_core::words::What;
use rustc_hash::FxHashMap;

use super::tokens::{self, TOKENS, Token};

/// Pairs of tokens, each with the number of a token of its own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chunks {
    pairs: Vec<[u16; 2]>,
    /// For the first token of a pair: the second ones and the chunks they make.
    partners: FxHashMap<u16, Vec<(u16, u16)>>,
}

/// How often a pair was met, and the errors there.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    times: u32,
    sum: f32,
    squares: f32,
}

impl Found {
    /// The sum of the errors in units of what chance gives.
    fn surprise(&self) -> f32 {
        self.sum.abs() / self.squares.sqrt().max(1e-6)
    }
}

/// A pair that is met more seldom says nothing.
const LEAST_TIMES: u32 = 30;
/// There are about a million pairs: what is below is chance.
const LEAST_SURPRISE: f32 = 5.0;

impl Chunks {
    /// The most surprising pairs, at most so many, of moves given as their tokens and the ranker's error.
    pub(crate) fn find<'a>(moves: impl Iterator<Item = (&'a [u16], f32)>, most: usize) -> Chunks {
        let mut found: FxHashMap<[u16; 2], Found> = FxHashMap::default();
        let mut pairs = Vec::new();
        for (ids, error) in moves {
            pairs.clear();
            let mut ids: Vec<u16> = ids.to_vec();
            ids.sort_unstable();
            for (i, &a) in ids.iter().enumerate() {
                pairs.extend(ids[i + 1..].iter().map(|&b| [a, b]));
            }
            pairs.dedup();
            for pair in &pairs {
                let entry = found.entry(*pair).or_default();
                entry.times += 1;
                entry.sum += error;
                entry.squares += error * error;
            }
        }
        let mut list: Vec<([u16; 2], f32)> = found
            .into_iter()
            .filter(|(_, f)| f.times >= LEAST_TIMES && f.surprise() >= LEAST_SURPRISE)
            .map(|(pair, f)| (pair, f.surprise()))
            .collect();
        list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        list.truncate(most);
        Chunks::of(list.into_iter().map(|(pair, _)| pair).collect())
    }

    pub(crate) fn of(pairs: Vec<[u16; 2]>) -> Chunks {
        let mut partners: FxHashMap<u16, Vec<(u16, u16)>> = FxHashMap::default();
        for (place, &[a, b]) in pairs.iter().enumerate() {
            partners.entry(a).or_default().push((b, (TOKENS + place) as u16));
        }
        Chunks { pairs, partners }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The pairs, in the order of their numbers.
    pub fn pairs(&self) -> &[[u16; 2]] {
        &self.pairs
    }

    /// What a token is, for a person; a chunk by its two parts, which are among these.
    pub(crate) fn what(&self, token: Token, among: impl Iterator<Item = Token> + Clone) -> What {
        let Some(place) = usize::from(token.id).checked_sub(TOKENS) else {
            return tokens::what(token);
        };
        let part = |id: u16| {
            let fits = |t: &Token| t.id == id && t.squares & !token.squares == 0;
            Box::new(among.clone().find(fits).map_or(What::Rest { terms: 0 }, tokens::what))
        };
        let [first, second] = self.pairs[place].map(part);
        What::Pair { first, second }
    }

    /// Adds the chunks that these tokens make.
    pub(crate) fn add_to(&self, list: &mut Vec<Token>) {
        if self.is_empty() {
            return;
        }
        list.sort_unstable_by_key(|token| token.id);
        let plain = list.len();
        for i in 0..plain {
            let first = list[i];
            if i > 0 && list[i - 1].id == first.id {
                continue;
            }
            let Some(partners) = self.partners.get(&first.id) else { continue };
            for &(second, id) in partners {
                let after = &list[i + 1..plain];
                if let Ok(at) = after.binary_search_by_key(&second, |token| token.id) {
                    let squares = first.squares | after[at].squares;
                    list.push(Token { id, squares });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Token 3 with token 7 means the contrary of what each means alone, and with any other nothing.
    #[test]
    fn a_pair_that_surprises_becomes_a_chunk() {
        let moves: Vec<(Vec<u16>, f32)> = (0..400u16)
            .map(|i| {
                let ids = vec![i % 5, 5 + i / 5 % 5, 20];
                let error = if ids[..2] == [3, 7] { -0.5 } else { [0.3, -0.3][usize::from(i) % 2] };
                (ids, error)
            })
            .flat_map(|one| std::iter::repeat_n(one, 3))
            .collect();
        let chunks = Chunks::find(moves.iter().map(|(ids, error)| (ids.as_slice(), *error)), 10);
        assert_eq!(chunks.pairs(), [[3, 7]]);
        let token = |id: u16, squares: u64| Token { id, squares };
        let mut list = vec![token(7, 1), token(20, 2), token(3, 4)];
        chunks.add_to(&mut list);
        assert_eq!(list.last(), Some(&token(TOKENS as u16, 5)));
        let [first, second] = [token(3, 4), token(7, 1)].map(|part| Box::new(tokens::what(part)));
        assert_eq!(chunks.what(list[3], list.iter().copied()), What::Pair { first, second });
        let mut without = vec![token(3, 4), token(20, 2)];
        chunks.add_to(&mut without);
        assert_eq!(without.len(), 2);
    }
}

//! Reproducible chance, and what it does to bytes. No dependencies: the attack and the fuzz laws both stand on it.

#![warn(missing_docs)]

/// A small generator: what it chooses needs no quality, only to be the same again for the same seed.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The stream of one unit of work: input `unit` is the same whatever came before it.
    pub fn new(seed: u64, unit: u64) -> Dice {
        let mut dice = Dice(seed ^ unit.wrapping_mul(0xd134_2543_de82_ef95));
        dice.next();
        dice
    }

    /// The stream of something that has a name.
    pub fn named(seed: u64, name: &str) -> Dice {
        let unit = name.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Dice::new(seed, unit)
    }

    /// Sixty-four bits (splitmix64).
    #[allow(clippy::should_implement_trait, reason = "dice have no end")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below `bound`; 0 where there is no room.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// True once in `of`.
    pub fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    /// One of a list that is not empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Numbers at which readers break.
pub const EDGES: &[&str] = &[
    "0",
    "-0",
    "-1",
    "1",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999",
    "1e308",
    "1e-320",
    "-1e999",
    "0.1",
    "inf",
    "-inf",
    "NaN",
    "1e3",
    "0x10",
    "٣",
];

/// Inputs grow no longer than this: what is longer is an attack on limits of size, which has its own rooms.
pub const LONGEST: usize = 1 << 15;

/// Changes an input in one to six places; `others` are whole inputs to take pieces of, `words` a dictionary.
pub fn mutate(bytes: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str], dice: &mut Dice) {
    let changes = 1 + dice.below(3) * dice.below(3);
    for _ in 0..changes.max(1) {
        change(bytes, others, words, dice);
        bytes.truncate(LONGEST);
    }
}

/// A part of the input, short ones more often than long ones.
fn part(len: usize, dice: &mut Dice) -> std::ops::Range<usize> {
    let begin = dice.below(len + 1);
    let room = len - begin;
    let most = if dice.one_in(3) { room } else { room.min(8) };
    begin..begin + dice.below(most + 1)
}

fn change(bytes: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str], dice: &mut Dice) {
    let len = bytes.len();
    match dice.below(12) {
        0 if len > 0 => bytes[dice.below(len)] ^= 1 << dice.below(8),
        1 if len > 0 => bytes[dice.below(len)] = dice.next() as u8,
        2 => drop(bytes.drain(part(len, dice))),
        3 => {
            let copied = bytes[part(len, dice)].to_vec();
            insert(bytes, &copied, dice);
        }
        // A piece many times over: this is how brackets become deep and lists wide.
        4 => {
            let copied = bytes[part(len.min(4096), dice)].to_vec();
            let times = 1 << dice.below(9);
            insert(bytes, &copied.repeat(times), dice);
        }
        5 | 6 if !words.is_empty() => insert(bytes, dice.pick(words).as_bytes(), dice),
        7 if !others.is_empty() => {
            let other = dice.pick(others);
            let piece = &other[part(other.len(), dice)];
            let place = part(len, dice);
            drop(bytes.splice(place, piece.iter().copied()));
        }
        8 => bytes.truncate(dice.below(len + 1)),
        9 | 10 => renumber(bytes, dice),
        _ => exchange(bytes, dice),
    }
}

fn insert(bytes: &mut Vec<u8>, piece: &[u8], dice: &mut Dice) {
    let place = dice.below(bytes.len() + 1);
    drop(bytes.splice(place..place, piece[..piece.len().min(LONGEST)].iter().copied()));
}

/// Puts an edge in the place of a number, or anywhere where there is none.
fn renumber(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let edge = dice.pick(EDGES).as_bytes();
    let begins: Vec<usize> = (0..bytes.len())
        .filter(|&at| bytes[at].is_ascii_digit() && (at == 0 || !bytes[at - 1].is_ascii_digit()))
        .collect();
    if begins.is_empty() {
        return insert(bytes, edge, dice);
    }
    let begin = *dice.pick(&begins);
    let digits = bytes[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    drop(bytes.splice(begin..begin + digits, edge.iter().copied()));
}

/// Two parts change places.
fn exchange(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let from = part(bytes.len(), dice);
    let moved: Vec<u8> = bytes.drain(from).collect();
    insert(bytes, &moved, dice);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_input_and_every_length_is_borne() {
        let others = vec![b"(role x)".to_vec(), Vec::new()];
        let made = |unit| {
            let mut bytes = others[unit as usize % 2].clone();
            mutate(&mut bytes, &others, &["(not ", "?x"], &mut Dice::new(7, unit));
            bytes
        };
        for unit in 0..20_000 {
            assert_eq!(made(unit), made(unit));
            assert!(made(unit).len() <= LONGEST);
        }
        assert!((0..100).filter(|&unit| made(unit) != others[unit as usize % 2]).count() > 50);
    }
}

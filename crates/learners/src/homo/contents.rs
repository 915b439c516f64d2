//! A context with its contents as a number; its images, the one that stands for all of them, and what it looks like wherever it lies.

use super::eye::{Eye, NEXT, NOBODY, REACHED};

/// Who moves, where that makes no difference.
const ANYBODY: u8 = 3;

/// A context with its contents, as a number: the context, who moves, the digits.
pub type Raw = u64;
/// No context.
pub const NOTHING: Raw = Raw::MAX;

const CODE_BITS: u32 = 44;
/// Forms of counts.
pub const COUNTS: u64 = 31;

pub fn raw(context: u32, mover: u8, code: u64) -> Raw {
    u64::from(context) << (CODE_BITS + 2) | u64::from(mover) << CODE_BITS | code
}

/// The context, who moves, the digits.
pub fn unpack(raw: Raw) -> (usize, u8, u64) {
    ((raw >> (CODE_BITS + 2)) as usize, (raw >> CODE_BITS) as u8 & 3, raw & ((1 << CODE_BITS) - 1))
}

/// Whom the form of a context speaks for where this player is to move.
pub fn side(mover: u8) -> f32 {
    if mover == NOBODY { 1.0 } else { tempo(mover) }
}

/// + for the first player to move, − for the second, 0 where dice are thrown.
pub fn tempo(mover: u8) -> f32 {
    match mover {
        0 => 1.0,
        1 => -1.0,
        _ => 0.0,
    }
}

/// The image of contents; image 0 is the identity. And whether the sides change places.
pub fn moved(eye: &Eye, key: Raw, image: usize, powers: &[u64]) -> Option<(Raw, bool)> {
    if image == 0 {
        return Some((key, false));
    }
    let (context, mover, code) = unpack(key);
    let swaps = eye.images[image - 1].swaps;
    let (to, places) = eye.moved[image - 1][context].as_ref()?;
    let base = powers[1];
    let code = places.iter().zip(powers).map(|(place, power)| {
        let digit = (code / power % base) as usize;
        let digit = if swaps { eye.swapped[digit] } else { digit as u8 };
        u64::from(digit) * powers[usize::from(*place)]
    });
    let mover = if swaps && mover < NOBODY { 1 - mover } else { mover };
    Some((raw(*to, mover, code.sum()), swaps))
}

/// The least image of contents, which stands for all of them, and the sign towards it. None where they are their own opposite: nobody's advantage.
pub fn home(eye: &Eye, context: usize, mover: u8, digits: &[u8], powers: &[u64]) -> Option<(Raw, f32)> {
    let digits: Vec<u8> = digits.iter().map(|digit| eye.coarse[usize::from(*digit)]).collect();
    let reached =
        digits.iter().any(|digit| eye.kinds.get(usize::from(*digit)).is_some_and(|kind| kind.near > 0));
    let mover = if reached || eye.dice { mover } else { ANYBODY };
    let code = digits.iter().zip(powers).map(|(digit, power)| u64::from(*digit) * power).sum();
    let key = raw(context as u32, mover, code);
    let images = || (0..=eye.images.len()).filter_map(|image| moved(eye, key, image, powers));
    let least = images().map(|(key, _)| key).min()?;
    let mut swaps = images().filter(|(key, _)| *key == least).map(|(_, swaps)| swaps);
    let first = swaps.next()?;
    if swaps.any(|other| other != first) {
        return None;
    }
    Some((least, if first { -1.0 } else { 1.0 }))
}

/// What contents look like to the player to move, wherever they lie. Decisive sets of any length look alike that miss as much.
pub fn form(eye: &Eye, context: usize, mover: u8, digits: &[u8]) -> u64 {
    let of = |digit: &u8| eye.kinds.get(usize::from(*digit));
    let context = &eye.contexts[context];
    if context.decisive {
        let count = |wanted: u8| {
            digits.iter().filter_map(of).filter(|kind| kind.relative(mover) == wanted).count() as u64
        };
        let reached = digits.iter().filter_map(of).filter(|kind| kind.near == REACHED).count() as u64;
        let next = digits.iter().filter_map(of).filter(|kind| kind.near == NEXT).count() as u64;
        let (empty, own, other) = (count(0), count(1), count(2));
        return match (own > 0, other > 0) {
            (true, true) => 1,
            (false, false) => 2 + empty * 16,
            (true, false) => 3 + empty * 16 + reached * 256 + next * 4096,
            (false, true) => 4 + empty * 16 + reached * 256 + next * 4096,
        };
    }
    // As the player to move sees it: a run in either direction, a block turned any way.
    let relative = |digit: &u8| u64::from(if mover == 1 { eye.swapped[usize::from(*digit)] } else { *digit });
    let mut seen: Vec<u64> = digits.iter().map(relative).collect();
    if context.block {
        seen.sort_unstable();
    }
    let base = eye.base();
    let forward = seen.iter().fold(0, |code, digit| code * base + digit);
    let backward = seen.iter().rev().fold(0, |code, digit| code * base + digit);
    if context.cells.iter().all(|cell| eye.place(*cell).is_none()) {
        // Counts of ways: the own first.
        let own = |at: usize| u64::from(digits[if mover == 1 { at ^ 1 } else { at }]);
        return 5 + 16 * (COUNTS + 32 * (0..digits.len()).fold(0, |code, at| code * base + own(at)));
    }
    let kind = 2 * seen.len() as u64 + u64::from(context.block);
    5 + 16 * (kind + 32 * forward.min(backward))
}

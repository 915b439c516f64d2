//! Discs that can never be turned over again: they bound what the other side can still win.

use std::sync::LazyLock;

const CENTRE: u64 = 0x007e_7e7e_7e7e_7e00;
const COLUMN_A: u64 = 0x0101_0101_0101_0101;

/// For the discs of one side and of the other on an edge, those of the first that no placement on that edge can turn.
static EDGES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut table = vec![0; 1 << 16];
    // Positions with fewer empty squares first, since every placement leads to one of them.
    for empties in 0..=8 {
        for own in 0..=255u8 {
            for other in (0..=255u8).filter(|other| own & other == 0) {
                if (own | other).count_zeros() == empties {
                    table[index(own, other)] = edge_stability(own, other, &table);
                }
            }
        }
    }
    table
});

fn index(own: u8, other: u8) -> usize {
    usize::from(own) << 8 | usize::from(other)
}

fn edge_stability(own: u8, other: u8, known: &[u8]) -> u8 {
    let mut stable = own;
    for square in (0..8).filter(|square| (own | other) >> square & 1 == 0) {
        // Either side may place a disc here, since it may turn discs elsewhere on the board.
        let turned = edge_flips(square, own, other);
        stable &= known[index(own | turned | 1 << square, other & !turned)];
        let lost = edge_flips(square, other, own);
        stable &= known[index(own & !lost, other | lost | 1 << square)];
    }
    stable
}

fn edge_flips(square: i32, own: u8, other: u8) -> u8 {
    let mut flips = 0;
    for step in [-1, 1] {
        let mut run = 0u8;
        let mut at = square + step;
        while (0..8).contains(&at) && other >> at & 1 == 1 {
            run |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && own >> at & 1 == 1 {
            flips |= run;
        }
    }
    flips
}

/// How many of `own`'s discs are certainly stable.
pub fn stable_discs(own: u64, other: u64) -> u32 {
    let edges = stable_edges(own, other);
    let filled = own | other;
    let [rows, columns, rising, falling] =
        [full_rows(filled), full_columns(filled), full_lines::<9>(filled), full_lines::<7>(filled)];
    let inner = own & CENTRE;
    let mut stable = edges | inner & rows & columns & rising & falling;
    if stable == 0 {
        return 0;
    }
    loop {
        // On each of the four axes the line is full, or a stable disc of the same side stands beside.
        let more = inner
            & (rows | stable << 1 | stable >> 1)
            & (columns | stable << 8 | stable >> 8)
            & (rising | stable << 9 | stable >> 9)
            & (falling | stable << 7 | stable >> 7)
            & !stable;
        if more == 0 {
            return stable.count_ones();
        }
        stable |= more;
    }
}

pub fn stable_edges(own: u64, other: u64) -> u64 {
    let edges = &*EDGES;
    let row = |shift: u32| u64::from(edges[index((own >> shift) as u8, (other >> shift) as u8)]) << shift;
    let column = |shift: u32| spread(edges[index(gather(own >> shift), gather(other >> shift))]) << shift;
    row(0) | row(56) | column(0) | column(7)
}

/// The squares of column a as one byte, row 1 in bit 0, and back.
fn gather(discs: u64) -> u8 {
    ((discs & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

fn spread(byte: u8) -> u64 {
    // Seven copies shifted so that bit k of one of them lands in bit 8k.
    let copies = u64::from(byte & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & COLUMN_A;
    copies | u64::from(byte >> 7) << 56
}

fn full_rows(filled: u64) -> u64 {
    let mut full = filled & filled >> 4 & 0x0f0f_0f0f_0f0f_0f0f;
    full &= full >> 2;
    full &= full >> 1;
    (full & COLUMN_A) * 0xff
}

fn full_columns(filled: u64) -> u64 {
    let mut full = filled & filled.rotate_left(8);
    full &= full.rotate_left(16);
    full & full.rotate_left(32)
}

/// The squares on diagonals without a gap. Looking 1, 2 and 4 steps back, and as far ahead; a step off the board
/// meets no gap.
fn full_lines<const STEP: u32>(filled: u64) -> u64 {
    const fn near(columns: u64, rows: u64) -> u64 {
        (columns * COLUMN_A) | rows
    }
    let low_rows = [0xff, 0xffff, 0xffff_ffff];
    let left = [0x01, 0x03, 0x0f];
    let right = [0x80, 0xc0, 0xf0];
    let (mut back, mut ahead) = (filled, filled);
    for k in 0..3 {
        let steps = STEP << k;
        let (behind, before) = if STEP == 9 { (left[k], right[k]) } else { (right[k], left[k]) };
        let high_rows = u64::swap_bytes(low_rows[k]);
        back &= back << steps | near(behind, low_rows[k]);
        ahead &= ahead >> steps | near(before, high_rows);
    }
    back & ahead
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Rng;

    /// The gaps of a line, square by square.
    fn slow_full(filled: u64, (dx, dy): (i32, i32)) -> u64 {
        (0..64)
            .filter(|square| {
                [1, -1].iter().all(|sign| {
                    let (mut x, mut y) = (square % 8, square / 8);
                    while (0..8).contains(&x) && (0..8).contains(&y) {
                        if filled >> (y * 8 + x) & 1 == 0 {
                            return false;
                        }
                        (x, y) = (x + dx * sign, y + dy * sign);
                    }
                    true
                })
            })
            .fold(0, |full, square| full | 1 << square)
    }

    #[test]
    fn full_lines_are_full() {
        let mut rng = Rng::new(1);
        for _ in 0..2_000 {
            let filled = rng.next_u64() | rng.next_u64() | rng.next_u64() | rng.next_u64();
            assert_eq!(full_rows(filled), slow_full(filled, (1, 0)));
            assert_eq!(full_columns(filled), slow_full(filled, (0, 1)));
            assert_eq!(full_lines::<9>(filled), slow_full(filled, (1, 1)));
            assert_eq!(full_lines::<7>(filled), slow_full(filled, (-1, 1)));
        }
    }

    #[test]
    fn a_column_is_gathered_and_spread() {
        for byte in 0..=255u8 {
            let column = (0..8).fold(0u64, |column, row| column | u64::from(byte >> row & 1) << (8 * row));
            assert_eq!(spread(byte), column);
            assert_eq!(gather(column | !COLUMN_A), byte);
        }
    }

    #[test]
    fn a_corner_is_stable_and_a_lone_edge_disc_is_not() {
        assert_eq!(stable_discs(1, 0), 1);
        assert_eq!(stable_discs(0b111, 0), 3);
        assert_eq!(stable_discs(0b1000, 0), 0);
        assert_eq!(stable_discs(u64::MAX, 0), 64);
    }
}

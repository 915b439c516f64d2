//! The last squares. With one square left nothing needs to be turned: it is enough to count what would be.

/// `LAST[c][line]`: how many discs of the other side turn when the one empty square of a line is column `c`, `line` has
/// own discs as ones, and everything else is the other's.
static LAST: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut square = 0;
    while square < 8 {
        let mut line = 0;
        while line < 256 {
            let mut count = 0;
            let mut run = 1;
            while square + run < 8 {
                if line >> (square + run) & 1 == 1 {
                    count += run - 1;
                    break;
                }
                run += 1;
            }
            run = 1;
            while run <= square {
                if line >> (square - run) & 1 == 1 {
                    count += run - 1;
                    break;
                }
                run += 1;
            }
            table[square][line] = count as u8;
            line += 1;
        }
        square += 1;
    }
    table
};

/// The diagonals through each square.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut table = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let (column, row) = (square % 8, square / 8);
        let mut x = 0;
        while x < 8 {
            let (rising, falling) = (row + x - column, row + column - x);
            if rising >= 0 && rising < 8 {
                table[square as usize][0] |= 1 << (rising * 8 + x);
            }
            if falling >= 0 && falling < 8 {
                table[square as usize][1] |= 1 << (falling * 8 + x);
            }
            x += 1;
        }
        square += 1;
    }
    table
};

/// How many discs turn when `own` fills the last empty square.
#[inline(always)]
pub fn last_flips(square: u32, own: u64) -> i32 {
    let (column, row) = ((square & 7) as usize, (square >> 3 & 7) as usize);
    let along = |line: u64| (line.wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize;
    let [rising, falling] = DIAGONALS[square as usize & 63];
    let upright =
        ((own >> column & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as usize;
    let counts = &LAST[column];
    i32::from(counts[(own >> (8 * row)) as usize & 255])
        + i32::from(LAST[row][upright & 255])
        + i32::from(counts[along(own & rising) & 255])
        + i32::from(counts[along(own & falling) & 255])
}

/// The result for `own`, to move with one square left.
#[inline(always)]
pub fn last_one(square: u32, own: u64) -> i32 {
    let discs = own.count_ones() as i32;
    let turned = last_flips(square, own);
    if turned > 0 {
        return 2 * (discs + turned) - 62;
    }
    let other = !own & !(1 << square);
    let lost = last_flips(square, other);
    if lost > 0 {
        return 2 * (discs - lost) - 64;
    }
    // Nobody can fill it: it goes to the winner.
    if discs >= 32 { 2 * discs - 62 } else { 2 * discs - 64 }
}

/// The result of a finished game: the disc difference, the empty squares given to the winner.
pub fn final_score(own: u64, other: u64) -> i32 {
    let [own, other] = [own, other].map(|discs| discs.count_ones() as i32);
    let empties = 64 - own - other;
    let difference = own - other;
    difference + empties * difference.signum()
}

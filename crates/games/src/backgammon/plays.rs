//! All distinct plays of a roll, without a table of seen positions.
//!
//! A play is the set of its hops, and a [`Move`] names only where each hop starts: five bits a hop, for two
//! different dice first the hop of the higher die and then that of the lower. The position it leads to is
//! −[i] +[i−a] −[j] +[j−b] for the mover, and for the other side the blots among the landing points {i−a, j−b}:
//! it does not depend on the order. So two different pairs (i, j) lead to the same position in two cases only:
//!
//! 1. one man makes both hops, s → s−a → s−a−b or s → s−b → s−a−b, and hits nobody on the way;
//! 2. both dice bear a man off, and either die could bear off either man.
//!
//! For doubles the hops are listed from the highest start down; any legal order can be sorted that way, and
//! different lists lead to different positions.

use ludens_core::Move;

use super::men::{BAR, HOME, Men, POINTS, bits, mirrored};

/// No legal play: the turn passes.
pub const PASS: Move = Move(0);

/// Above every play: four men of a double that enter from the bar.
pub(super) const LIMIT: u32 = 1 + (BAR as u32) * (1 | 1 << FIELD | 1 << (2 * FIELD) | 1 << (3 * FIELD));

const FIELD: u32 = 5;
const FIELD_MASK: u32 = (1 << FIELD) - 1;

#[inline]
fn pair(high_from: u8, low_from: u8) -> Move {
    Move(u32::from(high_from) | u32::from(low_from) << FIELD)
}

/// The hops of a play as (from, to), both as the mover counts: 25 is the bar, 0 is off.
#[inline]
pub fn hops(mv: Move, dice: [u8; 2]) -> impl Iterator<Item = (u8, u8)> {
    let double = dice[0] == dice[1];
    let fields = if double { 4 } else { 2 };
    (0..fields).filter_map(move |field| {
        let from = (mv.0 >> (field * FIELD) & FIELD_MASK) as u8;
        let die = if double { dice[0] } else { dice[field as usize] };
        (from != 0).then(|| (from, from.saturating_sub(die)))
    })
}

/// Replaces `out` by the distinct plays of a roll; `[PASS]` where there is none. `dice[0] >= dice[1]`; a double has at most
/// `most` hops.
pub(super) fn plays(own: &Men, other: &Men, dice: [u8; 2], most: u32, out: &mut Vec<Move>) {
    out.clear();
    let field = Field { open: POINTS & !mirrored(other.made()), blots: mirrored(other.single()) };
    let [high, low] = dice;
    if high == low {
        let mut doubles = Doubles { field, die: high, most, best: 0, out };
        doubles.descend(own, BAR, 0, 0);
    } else {
        match own.bar() {
            0 if may_bear_off(own) => field.bearing_off(own, high, low, out),
            0 => field.running(own, high, low, out),
            1 => field.one_entering(own, high, low, out),
            _ => field.two_entering(high, low, out),
        }
    }
    if out.is_empty() {
        out.push(PASS);
    }
}

/// Whether a man could be borne off within two hops: at most one is still outside the home board.
#[inline]
fn may_bear_off(own: &Men) -> bool {
    let outside = own.occupied() & POINTS & !HOME;
    outside & outside.wrapping_sub(1) == 0 && outside & own.made() == 0
}

/// What the mover finds of the other side, in the mover's numbering.
#[derive(Clone, Copy)]
struct Field {
    /// Points on which the mover may land.
    open: u32,
    /// Points on which he would hit.
    blots: u32,
}

impl Field {
    /// Where a hop of `die` may start; men on the bar come first, bearing off needs everybody at home, and a die
    /// higher than needed takes the rearmost man only.
    #[inline]
    fn starts(&self, own: &Men, die: u8) -> u32 {
        let men = own.occupied() & !1;
        if men >> BAR & 1 == 1 {
            return 1 << BAR & self.open << die;
        }
        let mut starts = men & self.open << die;
        if men & !HOME == 0 {
            let exact = men & 1 << die;
            starts |= exact;
            let rearmost = own.rearmost();
            if rearmost < die && rearmost > 0 {
                starts |= 1 << rearmost;
            }
        }
        starts
    }

    /// The starts from which one man may make both hops in either order with the same result: case 1 above. The
    /// order low die first is then left out.
    #[inline]
    fn twice_reached(&self, men: u32, high: u8, low: u8) -> u32 {
        let clear = self.open & !self.blots;
        men & clear << high & clear << low & self.open << (high + low)
    }

    /// Nobody on the bar, nobody can be borne off.
    fn running(&self, own: &Men, high: u8, low: u8, out: &mut Vec<Move>) {
        let men = own.occupied() & POINTS;
        let (to_high, to_low) = (self.open << high, self.open << low);
        let (high_starts, low_starts) = (men & to_high, men & to_low);
        let alone = own.single();
        let twice = self.twice_reached(men, high, low);
        for from in bits(high_starts) {
            let bit = 1u32 << from;
            let then = ((men & !(alone & bit)) | bit >> high) & to_low & !(bit << low & twice);
            out.extend(bits(then).map(|low_from| pair(from, low_from)));
        }
        // One man, low die first, over a point where nobody of ours stands (else the pair is already listed).
        let over = self.open & to_high & !men;
        let low_first = low_starts & over << low & !twice;
        out.extend(bits(low_first).map(|from| pair(from - low, from)));
        if out.is_empty() {
            one_die(high_starts, low_starts, out);
        }
    }

    /// One man on the bar: one die brings him in, the other is free.
    fn one_entering(&self, own: &Men, high: u8, low: u8, out: &mut Vec<Move>) {
        let men = own.occupied() & POINTS;
        let bar = 1u32 << BAR;
        let (to_high, to_low) = (self.open << high, self.open << low);
        let (enters_high, enters_low) = (to_high & bar, to_low & bar);
        if enters_high != 0 {
            let then = (men | bar >> high) & to_low;
            out.extend(bits(then).map(|from| pair(BAR, from)));
        }
        if enters_low != 0 {
            let twice = self.twice_reached(bar, high, low);
            let then = (men | bar >> low) & to_high & !(twice >> low);
            out.extend(bits(then).map(|from| pair(from, BAR)));
        }
        if out.is_empty() {
            one_die(enters_high, enters_low, out);
        }
    }

    /// Two or more on the bar.
    fn two_entering(&self, high: u8, low: u8, out: &mut Vec<Move>) {
        let bar = 1u32 << BAR;
        let enters = |die: u8| if self.open << die & bar != 0 { BAR } else { 0 };
        let play = pair(enters(high), enters(low));
        if play != PASS {
            out.push(play);
        }
    }

    /// At most one man outside the home board: a hop may bear a man off, or make that possible for the next.
    fn bearing_off(&self, own: &Men, high: u8, low: u8, out: &mut Vec<Move>) {
        // low_after[i]: the starts of the low die that go with a high die played from i.
        let mut low_after = [0u32; 26];
        let (high_starts, low_starts) = (self.starts(own, high), self.starts(own, low));
        for from in bits(high_starts) {
            let mut after = *own;
            after.shift(from, from.saturating_sub(high));
            low_after[usize::from(from)] |= self.starts(&after, low);
        }
        for low_from in bits(low_starts) {
            let mut after = *own;
            after.shift(low_from, low_from.saturating_sub(low));
            for from in bits(self.starts(&after, high)) {
                low_after[usize::from(from)] |= 1 << low_from;
            }
        }
        self.drop_doubly_reached(&mut low_after, high, low);
        for (from, &then) in low_after.iter().enumerate() {
            out.extend(bits(then).map(|low_from| pair(from as u8, low_from)));
        }
        if out.is_empty() {
            one_die(high_starts, low_starts, out);
        }
    }

    /// Cases 1 and 2 of the module's text, where the hops may end in the tray.
    fn drop_doubly_reached(&self, low_after: &mut [u32; 26], high: u8, low: u8) {
        for start in low + 1..BAR {
            let (over_low, over_high) = (start - low, start.saturating_sub(high));
            let high_first = over_high > 0 && low_after[usize::from(start)] >> over_high & 1 == 1;
            let hits = self.blots & (1 << over_low | 1 << over_high);
            if high_first && hits == 0 {
                low_after[usize::from(over_low)] &= !(1 << start);
            }
        }
        for from in 2..=low {
            for other in 1..from {
                let swapped = low_after[usize::from(other)] >> from & 1 == 1;
                if swapped && low_after[usize::from(from)] >> other & 1 == 1 {
                    low_after[usize::from(other)] &= !(1 << from);
                }
            }
        }
    }
}

/// Only one of the two dice can be played: the higher, where either could.
fn one_die(high_starts: u32, low_starts: u32, out: &mut Vec<Move>) {
    if high_starts != 0 {
        out.extend(bits(high_starts).map(|from| pair(from, 0)));
    } else {
        out.extend(bits(low_starts).map(|from| pair(0, from)));
    }
}

struct Doubles<'a> {
    field: Field,
    die: u8,
    /// No play has more hops.
    most: u32,
    /// The most hops any play so far could make; plays with fewer are not legal.
    best: u32,
    out: &'a mut Vec<Move>,
}

impl Doubles<'_> {
    /// Extends a play of `depth` hops by hops that start at `highest` or below.
    fn descend(&mut self, own: &Men, highest: u8, depth: u32, play: u32) {
        let starts = self.field.starts(own, self.die) & ((2u32 << highest) - 1);
        if starts == 0 {
            return;
        }
        let depth = depth + 1;
        if depth > self.best {
            self.best = depth;
            self.out.clear();
        }
        for from in bits(starts) {
            let longer = play | u32::from(from) << ((depth - 1) * FIELD);
            if depth == self.best {
                self.out.push(Move(longer));
            }
            if depth < self.most {
                let mut after = *own;
                after.shift(from, from.saturating_sub(self.die));
                self.descend(&after, from, depth, longer);
            }
        }
    }
}

//! What a practised player sees in a position after his play, as degrees between 0 and about 1.
//!
//! The paper's attack, expose and block count opponents; these count what opponents can do: the rolls that hit, the
//! points that close the way, the men held behind a wall, the race. Each is seen for both sides.

use ludens_core::math;
use ludens_core::words::{Notion, What, Whose};
use ludens_games::backgammon::{BAR, Men};

/// Points 1–24 of a mask.
const POINTS: u32 = 0x01ff_fffe;
const HOME: u32 = 0x7e;

/// How many degrees there are for one side.
pub(crate) const PER_SIDE: usize = 17;
/// Both sides, and those of the position as a whole.
pub(crate) const COUNT: usize = 2 * PER_SIDE + 4;

/// A side's degrees, for a person.
pub(crate) const SIDE: [Notion; PER_SIDE] = [
    Notion::Pips,
    Notion::Shots,
    Notion::HitCost,
    Notion::HomePoints,
    Notion::Danger,
    Notion::Wall,
    Notion::Trapped,
    Notion::OnBar,
    Notion::Anchors,
    Notion::Back,
    Notion::BorneOff,
    Notion::Stacked,
    Notion::HomeBlots,
    Notion::OuterBlots,
    Notion::WayBlocked,
    Notion::ToComeHome,
    Notion::ShutOut,
];

/// The degrees of the position as a whole, for a person.
pub(crate) const WHOLE: [Notion; 4] = [Notion::RaceOn, Notion::Lead, Notion::PureLead, Notion::Dances];

/// Which degree, and whose, for a person.
pub(crate) fn what(index: usize) -> What {
    match index {
        index if index < PER_SIDE => SIDE[index].of(Whose::Own),
        index if index < 2 * PER_SIDE => SIDE[index - PER_SIDE].of(Whose::Theirs),
        index => WHOLE[index - 2 * PER_SIDE].of(Whose::Both),
    }
}

/// The names of a side's degrees.
pub(crate) const SIDE_NAMES: [&str; PER_SIDE] = [
    "pips to go",
    "rolls that hit a blot",
    "pips such a hit costs",
    "made points at home",
    "danger: hits times the other's home points",
    "longest wall",
    "men held behind that wall",
    "men on the bar",
    "anchors in the other's home",
    "men in the other's home",
    "men off",
    "men stacked beyond three",
    "blots at home",
    "blots outside",
    "way ahead blocked for the rearmost man",
    "men still to come home",
    "men on the bar before a closed home",
];

/// The names of the degrees of the position as a whole.
pub(crate) const WHOLE_NAMES: [&str; 4] =
    ["race is on", "lead in the race", "lead in a pure race", "other dances on the bar"];

/// A side as masks and counts, and the other's men as this side counts.
struct View {
    counts: [u8; 26],
    occupied: u32,
    made: u32,
    single: u32,
    other_occupied: u32,
    other_made: u32,
}

fn mirrored(mask: u32) -> u32 {
    (mask & POINTS).reverse_bits() >> 6
}

impl View {
    fn new(own: &Men, other: &Men) -> View {
        View {
            counts: own.counts(),
            occupied: own.occupied(),
            made: own.made() & POINTS,
            single: own.single() & POINTS,
            other_occupied: mirrored(other.occupied()),
            other_made: mirrored(other.made()),
        }
    }

    fn men_in(&self, from: usize, to: usize) -> f32 {
        let mut men = 0;
        for point in from..=to {
            men += self.counts[point];
        }
        f32::from(men)
    }
}

/// The rolls, of 36, with which a side on roll hits a blot of the other's, and the pips the dearest such blot loses, summed
/// over the rolls. Both as the side on roll counts; hits by one die, both, or the hops of a double.
pub fn shots(on_roll: &Men, waiting: &Men) -> (u32, u32) {
    let blots = mirrored(waiting.single());
    if blots == 0 {
        return (0, 0);
    }
    let open = POINTS & !mirrored(waiting.made());
    let men = on_roll.occupied() & !1;
    let on_bar = on_roll.bar();
    let (mut rolls, mut pips) = (0, 0);
    for high in 1..=6u32 {
        for low in 1..=high {
            let reached = if high == low {
                reached_by_double(men, open, high, on_bar)
            } else {
                reached_by_two(men, open, high, low, on_bar)
            };
            let hit = reached & blots;
            if hit != 0 {
                let weight = if high == low { 1 } else { 2 };
                rolls += weight;
                // A man on the roller's point p stands on his own 25 − p and loses p pips less than 25: the highest p
                // costs its owner most.
                pips += weight * (31 - hit.leading_zeros());
            }
        }
    }
    (rolls, pips)
}

/// The rolls that [`degrees`] looks at to count hits: all 21 of a side that has something to hit, and those of the other.
pub(crate) fn rolls(own: &Men, other: &Men) -> u64 {
    [own, other].into_iter().map(|men| if men.single() & POINTS == 0 { 0 } else { 21 }).sum()
}

fn reached_by_two(men: u32, open: u32, a: u32, b: u32, on_bar: u8) -> u32 {
    let bar = 1u32 << BAR;
    let (by_a, by_b) = (|from: u32| from >> a & open, |from: u32| from >> b & open);
    match on_bar {
        0 => by_a(men) | by_b(men) | by_b(by_a(men)) | by_a(by_b(men)),
        1 => {
            let (in_a, in_b) = (by_a(bar), by_b(bar));
            let board = men & !bar;
            let then_b = if in_a != 0 { by_b(board | in_a) } else { 0 };
            let then_a = if in_b != 0 { by_a(board | in_b) } else { 0 };
            in_a | in_b | then_a | then_b
        }
        _ => by_a(bar) | by_b(bar),
    }
}

fn reached_by_double(men: u32, open: u32, die: u32, on_bar: u8) -> u32 {
    let bar = 1u32 << BAR;
    let mut hops_left = 4u32;
    let mut reached = 0;
    let mut from = men;
    if on_bar > 0 {
        reached = bar >> die & open;
        if reached == 0 {
            return 0;
        }
        hops_left = hops_left.saturating_sub(u32::from(on_bar));
        from = (men & !bar) | reached;
    }
    for _ in 0..hops_left {
        from = from >> die & open;
        reached |= from;
    }
    reached
}

/// The longest row of made points among 2–11 and beyond up to 18, its length (at most 6) and its highest point.
fn longest_wall(made: u32) -> (u32, u32) {
    let mut best = (0, 0);
    let mut run = 0;
    for point in 1..=18u32 {
        if made >> point & 1 == 1 {
            run += 1;
            if run > best.0 {
                best = (run, point);
            }
        } else {
            run = 0;
        }
    }
    (best.0.min(6), best.1)
}

fn side_degrees(own: &Men, other: &Men, hits: (u32, u32), out: &mut [f32]) {
    let view = View::new(own, other);
    let (length, top) = longest_wall(view.made);
    let mut held = 0;
    let mut behind = view.other_occupied & ((1u32 << top) - 1);
    let other_counts = other.counts();
    while behind != 0 && length > 1 {
        let point = behind.trailing_zeros() as usize;
        behind &= behind - 1;
        held += u32::from(other_counts[25 - point]);
    }
    held += if length > 1 { u32::from(other.bar()) } else { 0 };
    let rearmost = u32::from(own.rearmost());
    // The six points before the rearmost man; at home nothing holds him up.
    let ahead = if rearmost >= 7 {
        view.other_made & (((1u32 << rearmost) - 1) & !((1u32 << rearmost >> 7) - 1))
    } else {
        0
    };
    let mut stacked = 0;
    for &count in &view.counts[1..=24] {
        stacked += u32::from(count.saturating_sub(3));
    }
    let points = |mask: u32| mask.count_ones() as f32;
    out[0] = own.pips() as f32 / 167.0;
    out[1] = hits.0 as f32 / 36.0;
    out[2] = hits.1 as f32 / (36.0 * 24.0);
    out[3] = points(view.made & HOME) / 6.0;
    let shut = points(view.other_made & 0x01f8_0000) / 6.0;
    out[4] = hits.0 as f32 / 36.0 * shut;
    out[5] = math::square(length as f32 / 6.0);
    out[6] = math::square(length as f32 / 6.0) * held.min(4) as f32 / 4.0;
    out[7] = f32::from(view.counts[usize::from(BAR)]) / 2.0;
    out[8] = points(view.made & 0x01f8_0000) / 2.0;
    out[9] = view.men_in(19, 24) / 4.0;
    out[10] = f32::from(view.counts[0]) / 15.0;
    out[11] = stacked as f32 / 6.0;
    out[12] = points(view.single & HOME) / 3.0;
    out[13] = points(view.single & !HOME & POINTS) / 3.0;
    out[14] = if view.occupied & !(HOME | 1) == 0 { 0.0 } else { points(ahead) / 6.0 };
    out[15] = view.men_in(7, 25) / 10.0;
    out[16] = f32::from(view.counts[usize::from(BAR)].min(3)) * shut * shut;
}

/// All degrees of a position in which `own` has just played and `other` is to roll: own, the other's, the whole.
pub(crate) fn degrees(own: &Men, other: &Men) -> [f32; COUNT] {
    let mut out = [0f32; COUNT];
    let on_us = shots(other, own);
    // What we could hit if we were on roll: not now, but he must mind it.
    let on_him = shots(own, other);
    let (mine, rest) = out.split_at_mut(PER_SIDE);
    side_degrees(own, other, on_us, mine);
    side_degrees(other, own, on_him, &mut rest[..PER_SIDE]);
    let contact = own.rearmost() + other.rearmost() > BAR;
    let (mine, his) = (own.pips() as f32, other.pips() as f32);
    let lead = ((his - mine - 4.0) / (his + mine + 8.0) * 4.0).clamp(-1.5, 1.5);
    let whole = &mut rest[PER_SIDE..];
    whole[0] = f32::from(u8::from(!contact));
    whole[1] = lead;
    whole[2] = if contact { 0.0 } else { lead * 3.0 };
    let closed = mirrored(own.made()) >> 19 & 0x3f;
    let shut = closed.count_ones() as f32 / 6.0;
    whole[3] = if other.bar() > 0 { shut * shut } else { 0.0 };
    out
}

/// The name of a degree.
pub(crate) fn name(index: usize) -> String {
    match index {
        mine if mine < PER_SIDE => format!("own {}", SIDE_NAMES[mine]),
        his if his < 2 * PER_SIDE => format!("other's {}", SIDE_NAMES[his - PER_SIDE]),
        whole => WHOLE_NAMES[(whole - 2 * PER_SIDE).min(3)].to_string(),
    }
}

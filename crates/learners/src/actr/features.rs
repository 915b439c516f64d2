//! The three features of the paper, of the position after a play.
//!
//! Points are numbered as in the paper: the player moves upwards, his home is 19 to 24. So paper point p is 25 − p in
//! the numbering of the rules, and the opponent's men stand on paper points by his own numbering.

use ludens_core::Move;
use ludens_core::words::{What, Whose};
use ludens_games::backgammon::{BAR, Men, Position, hops};
use serde::{Deserialize, Serialize};

use super::memory::Slot;
use super::odds::{Feature, Kind};
use super::reading::Twist;
use super::settings::Settings;

/// A man of the other is hit.
pub const ATTACK: u8 = 0;
/// A man stands alone where it can be hit.
pub const EXPOSE: u8 = 1;
/// Points held side by side, which the other must jump.
pub const BLOCK: u8 = 2;

/// The kinds with their slots' ranges: points 1–24, opponents 0–15, size 1–6.
pub(super) fn kinds(settings: &Settings) -> Vec<Kind> {
    let point = || Slot::number("point", 1.0, 24.0);
    let ahead = || Slot::number("opponents ahead", 0.0, 15.0);
    let size = Slot::number("size", 1.0, 6.0);
    vec![
        Kind { name: "attack", slots: vec![point()], threshold: settings.threshold_of(ATTACK) },
        Kind { name: "expose", slots: vec![point(), ahead()], threshold: settings.threshold_of(EXPOSE) },
        Kind { name: "block", slots: vec![point(), ahead(), size], threshold: settings.threshold_of(BLOCK) },
    ]
}

/// The points, in the paper's numbering as the mover counts, on which a play hits.
pub(crate) fn hits(before: &Position, mv: Move) -> u32 {
    let Some(dice) = before.dice() else { return 0 };
    let other = before.men(before.mover().other()).single();
    let mut hit = 0;
    for (_, to) in hops(mv, dice) {
        let paper = 25 - u32::from(to);
        if to > 0 && other >> paper & 1 == 1 {
            hit |= 1 << paper;
        }
    }
    hit
}

/// Which opponents are ahead of a point.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ahead {
    /// Those beyond a block's last point when the play is over, so that men hit by it wait ahead on the bar.
    #[default]
    After,
    /// Those beyond a block's first point, men hit by the play still where they stood: a count that agrees with the numbers of the
    /// paper's example (section 2.2.2). Its features cannot all stand on one board: the man exposed on 12 lies within the block ⟨13, 6, 2⟩.
    Before,
}

ludens_core::words!(Ahead { After = "after", Before = "before" });

/// The features of the position that the mover of `before` reaches by `mv`.
pub(crate) fn features(
    before: &Position,
    mv: Move,
    after: &Position,
    settings: &Settings,
    out: &mut Vec<Feature>,
) {
    out.clear();
    let side = before.mover();
    let mut hit = hits(before, mv);
    while hit != 0 {
        out.push(Feature { kind: ATTACK, slots: [hit.trailing_zeros() as u8, 0, 0, 0] });
        hit &= hit - 1;
    }
    let others = if settings.ahead == Ahead::After { after } else { before };
    let men = [after.men(side), others.men(side.other())].map(Men::counts);
    standing(&men, settings, out);
    if settings.reading.has(Twist::Made) {
        keep_made(before, settings, out);
    }
}

/// Only those that the position before the play did not have.
pub(super) fn keep_made(before: &Position, settings: &Settings, features: &mut Vec<Feature>) {
    let side = before.mover();
    let men = [before.men(side), before.men(side.other())].map(Men::counts);
    let mut had = Vec::new();
    standing(&men, settings, &mut had);
    features.retain(|feature| !had.contains(feature));
}

/// The exposed men and the blocks of a position.
fn standing([own, other]: &[[u8; 26]; 2], settings: &Settings, out: &mut Vec<Feature>) {
    // Opponents ahead of a point: on higher points, or waiting on the bar to come in there.
    let mut ahead = [0u8; 26];
    let mut sum = other[usize::from(BAR)];
    for point in (1..=24).rev() {
        ahead[point] = sum;
        sum += other[point];
    }
    let (met, walls) = (settings.reading.has(Twist::Met), settings.reading.has(Twist::Walls));
    let mut size = 0u8;
    for point in 1..=25usize {
        let men = if point == 25 { 0 } else { own[25 - point] };
        if men >= 2 {
            size += 1;
        } else if size > 0 {
            let last = point - 1;
            let from = if settings.ahead == Ahead::After { last } else { point - usize::from(size) };
            if size > 1 || !walls {
                out.push(Feature { kind: BLOCK, slots: [last as u8, ahead[from], size.min(6), 0] });
            }
            size = 0;
        }
        if men == 1 && (ahead[point] > 0 || !met) {
            out.push(Feature { kind: EXPOSE, slots: [point as u8, ahead[point], 0, 0] });
        }
    }
}

/// What a feature is, for a person.
pub(crate) fn what(feature: Feature) -> What {
    match feature.kind {
        ATTACK => What::Hit,
        EXPOSE => What::Blot { whose: Whose::Own },
        _ => What::Block { size: feature.slots[2] },
    }
}

/// A feature in the words of the paper.
pub(crate) fn words(feature: Feature) -> String {
    let [a, b, c, _] = feature.slots;
    match feature.kind {
        ATTACK => format!("attack on {a}"),
        EXPOSE => format!("exposed man on {a} with {b} opponents ahead"),
        _ => format!("block of {c} up to {a} with {b} opponents ahead"),
    }
}

/// The squares a feature speaks of, as the rules' own points of the mover.
pub(crate) fn own_points(feature: Feature) -> Vec<u8> {
    let [last, _, size, _] = feature.slots;
    let length = if feature.kind == BLOCK { size } else { 1 };
    (0..length).map(|back| 25 - (last - back.min(last - 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Game;
    use ludens_games::backgammon::Backgammon;

    #[test]
    fn the_start_after_31_has_the_features_one_sees() {
        let state = Backgammon.parse("4HPwATDgc/ABMA:31").expect("a position");
        let mv = Backgammon.find_move(&state, "8/5 6/5").expect("a play");
        let mut found = Vec::new();
        features(&state, mv, &state.after(mv), &Settings::default(), &mut found);
        let named: Vec<(u8, [u8; 3])> =
            found.iter().map(|f| (f.kind, [f.slots[0], f.slots[1], f.slots[2]])).collect();
        // Men on paper points 1, 12, 17, 19, 20; opponents on 24, 13, 8, 6.
        assert_eq!(
            named,
            [(BLOCK, [1, 15, 1]), (BLOCK, [12, 7, 1]), (BLOCK, [17, 2, 1]), (BLOCK, [20, 2, 2])]
        );
    }

    #[test]
    fn attacks_and_exposed_men_are_seen_from_the_mover() {
        // The opponent has a blot on the mover's 5 point (paper point 20).
        let start = Backgammon.parse("4HPwATDgc/ABMA:43:second").expect("a position");
        let split = Backgammon.find_move(&start, "24/20 13/10").expect("a play");
        let mut state = start.after(split);
        Backgammon.apply(&mut state, Move(3 << 3 | 1));
        let mv = Backgammon.find_move(&state, "8/5* 24/23").expect("a play");
        let mut found = Vec::new();
        features(&state, mv, &state.after(mv), &Settings::default(), &mut found);
        let kinds: Vec<u8> = found.iter().map(|f| f.kind).collect();
        assert_eq!(found[0], Feature { kind: ATTACK, slots: [20, 0, 0, 0] });
        // Exposed: paper points 1, 2 and 20; the hit man on the bar lies ahead of all of them.
        let exposed: Vec<[u8; 2]> =
            found.iter().filter(|f| f.kind == EXPOSE).map(|f| [f.slots[0], f.slots[1]]).collect();
        assert_eq!(exposed, [[1, 15], [2, 15], [20, 2]]);
        assert_eq!(kinds.iter().filter(|&&kind| kind == BLOCK).count(), 3);
        let counted_before = Settings { ahead: Ahead::Before, ..Settings::default() };
        // Counted before the play, the man still stands on 20 and is ahead of 1 and 2, but not of 20.
        features(&state, mv, &state.after(mv), &counted_before, &mut found);
        let exposed: Vec<[u8; 2]> =
            found.iter().filter(|f| f.kind == EXPOSE).map(|f| [f.slots[0], f.slots[1]]).collect();
        assert_eq!(exposed, [[1, 15], [2, 15], [20, 1]]);
    }
    #[test]
    fn twists_of_the_reading_take_features_away() {
        let state = Backgammon.parse("4HPwATDgc/ABMA:31").expect("a position");
        let mv = Backgammon.find_move(&state, "8/5 6/5").expect("a play");
        let seen = |reading: &str| {
            let settings = Settings { reading: reading.parse().expect("a reading"), ..Settings::default() };
            let mut found = Vec::new();
            features(&state, mv, &state.after(mv), &settings, &mut found);
            let slots = found.iter().map(|feature| [feature.slots[0], feature.slots[1], feature.slots[2]]);
            slots.collect::<Vec<[u8; 3]>>()
        };
        assert_eq!(seen("walls"), [[20, 2, 2]]);
        // The points 1, 12 and 17 were made before.
        assert_eq!(seen("made"), [[20, 2, 2]]);
        assert_eq!(seen("met").len(), 4);
    }
}

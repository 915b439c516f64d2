//! The 48 chunks: which of the insights, seen how, and in what degree a position brings each to mind.

use ludens_games::backgammon::Men;

use super::insights::{self, PER_SIDE};

/// Fewer than 50.
pub const CHUNKS: usize = 48;
/// Degrees of the two sides that are seen apart; all others are seen as the difference of the sides.
pub(super) const APART: [usize; 2] = [1, 2];
/// Degrees that are worth something else to the one who leads the race; those of [`APART`] are the own ones.
pub(super) const LED: [usize; 8] = [1, 2, 3, 5, 6, 8, 9, 14];
/// The made points with a chunk of their own: both homes and what lies before them.
pub(super) const POINTS: [u8; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 17, 18, 19, 20, 21, 22, 23, 24];
pub(super) const WHOLE_FROM: usize = PER_SIDE + APART.len();
pub(super) const LED_FROM: usize = WHOLE_FROM + 4;
pub(super) const POINTS_FROM: usize = LED_FROM + LED.len();
const _: () = assert!(POINTS_FROM + POINTS.len() + 1 == CHUNKS);

/// In what degree each chunk comes to mind.
#[inline]
pub(super) fn degrees(own: &Men, other: &Men) -> [f32; CHUNKS] {
    let seen = insights::degrees(own, other);
    let mut out = [0f32; CHUNKS];
    let mut at = 0;
    for index in 0..PER_SIDE {
        if APART.contains(&index) {
            out[at] = seen[index];
            out[at + 1] = seen[PER_SIDE + index];
            at += 2;
        } else {
            out[at] = seen[index] - seen[PER_SIDE + index];
            at += 1;
        }
    }
    out[WHOLE_FROM..LED_FROM].copy_from_slice(&seen[2 * PER_SIDE..]);
    let lead = seen[2 * PER_SIDE + 1];
    for (led, &index) in out[LED_FROM..POINTS_FROM].iter_mut().zip(&LED) {
        let other = if APART.contains(&index) { 0.0 } else { seen[PER_SIDE + index] };
        *led = lead * (seen[index] - other);
    }
    let (mine, his) = (own.made(), other.made());
    for (made, point) in out[POINTS_FROM..].iter_mut().zip(POINTS) {
        *made = ((mine >> point & 1) as f32 - (his >> point & 1) as f32) * 0.5;
    }
    out[CHUNKS - 1] = 1.0;
    out
}

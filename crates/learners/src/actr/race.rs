//! A rule for races, where the features of the paper have nothing to say: men off first, then everybody home, then
//! few pips and no waste. A rule that prunes, not a chunk: nothing of it is learnt.

use ludens_core::words::{How, What};
use ludens_core::{Combine, Explain, Move, Ranking, Reason};
use ludens_games::backgammon::Position;

/// How good a play is in a race; larger is better.
pub fn worth(state: &Position, mv: Move) -> i32 {
    let after = state.after(mv);
    let counts = after.men(state.mover()).counts();
    let mut worth = 1000 * i32::from(counts[0]);
    for (point, &count) in counts.iter().enumerate().skip(1) {
        let (point, count) = (point as i32, i32::from(count));
        if point > 6 {
            worth -= count * (20 + point);
        } else {
            let stacked = (count - 3).max(0);
            worth -= count * point + stacked * stacked + 2 * i32::from(count == 0);
        }
    }
    worth
}

/// The best play of a race, the first of equals.
pub fn best(state: &Position, plays: &[Move]) -> Move {
    let mut best = (i32::MIN, plays[0]);
    for &mv in plays {
        let worth = worth(state, mv);
        if worth > best.0 {
            best = (worth, mv);
        }
    }
    best.1
}

/// The ranking of a race, which all players that have a racing rule share.
pub fn rank(state: &Position, plays: &[Move], explain: Explain) -> Ranking {
    let mut ranking = Ranking::of(plays.iter().map(|&mv| (mv, f64::from(worth(state, mv)))));
    if explain.is_wanted() {
        ranking.how = How::Racing;
        ranking.combine = Combine::Sum;
        for place in ranking.wanted(explain) {
            let candidate = &mut ranking.moves[place];
            candidate.reasons.push(Reason::rule(What::Race, candidate.value, vec![]));
        }
    }
    ranking
}

//! Why a play: its features, and the chunks each of them brought to mind.

use std::fmt::Write;

use ludens_core::words::{How, Scale};
use ludens_core::{Combine, Explain, Move, Ranking, Reason, Side};
use ludens_games::backgammon::Position;

use super::features::{self};
use super::learner::ActR;
use super::odds::{Feature, Recollection};

/// Plays whose reasons are also written in the paper's notation: the best ones, which somebody may want to check.
const NOTED: usize = 3;

/// The odds behind a ranking: of every play its features, and of each feature the chunks it brought to mind.
pub(super) fn explain(player: &mut ActR, state: &Position, ranking: &mut Ranking, explain: Explain) {
    ranking.how = How::Odds { drawn: true };
    ranking.scale = Scale::Odds;
    ranking.combine = Combine::Product;
    let mut values: Vec<f64> = ranking.moves.iter().map(|candidate| candidate.value).collect();
    values.sort_by(|a, b| b.total_cmp(a));
    let least = values.get(NOTED - 1).copied().unwrap_or(f64::NEG_INFINITY);
    for place in ranking.wanted(explain) {
        let candidate = &mut ranking.moves[place];
        let noted = candidate.value >= least || Some(candidate.mv) == ranking.preferred;
        let (reasons, evidence) = player.reasons(state, candidate.mv, noted);
        candidate.reasons = reasons;
        candidate.visits = Some(evidence);
    }
}

impl ActR {
    /// The chunks that each feature of a play brings to mind, and how many those are.
    fn reasons(&mut self, state: &Position, mv: Move, noted: bool) -> (Vec<Reason>, u64) {
        features::features(state, mv, &state.after(mv), &self.settings, &mut self.found);
        let mut evidence = 0;
        let reasons = self.found.iter().map(|&feature| {
            let recalled = self.memory.recollect(feature);
            evidence += recalled.matches.len() as u64;
            let reason = self.reason(state.mover(), feature, &recalled);
            if noted { reason.noted(self.notation(feature, &recalled)) } else { reason }
        });
        (reasons.collect(), evidence)
    }

    fn reason(&self, mover: Side, feature: Feature, recalled: &Recollection) -> Reason {
        let cells = cells(mover, &features::own_points(feature));
        Reason::chunk(features::what(feature), recalled.odds, cells)
    }

    /// The feature in the words of the paper, with the chunks it brought to mind.
    fn notation(&self, feature: Feature, recalled: &Recollection) -> String {
        let mut text = String::with_capacity(64 + 40 * recalled.matches.len());
        // Writing to a string cannot fail.
        let _ = write!(text, "{}: odds {:.2}, ", features::words(feature), recalled.odds);
        text += if recalled.matches.is_empty() { "never met" } else { "from " };
        for (place, &(index, weight)) in recalled.matches.iter().enumerate() {
            let chunk = &self.memory.chunks()[index];
            let name = self.memory.feature_name(chunk.feature);
            let comma = if place > 0 { ", " } else { "" };
            let _ = write!(text, "{comma}{name} {:.2} × {weight:.2}", self.memory.chunk_odds(chunk));
        }
        text
    }
}

/// The squares of the board of points as `mover` counts them.
pub(crate) fn cells(mover: Side, points: &[u8]) -> Vec<u16> {
    let cell = |&point: &u8| match mover {
        Side::First => u16::from(point) - 1,
        Side::Second => 24 - u16::from(point),
    };
    points.iter().filter(|point| (1..=24).contains(*point)).map(cell).collect()
}

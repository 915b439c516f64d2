//! Why a play: each chunk's part in the odds of the position it leads to.

use ludens_core::words::{How, Notion, Scale, What, Whose};
use ludens_core::{Combine, Move, Ranking, Reason, Side, math};

use super::chunks::{APART, CHUNKS, LED, LED_FROM, POINTS, POINTS_FROM};
use super::insights::{self, PER_SIDE};
use super::learner::Improved;
use crate::actr::reasons::cells;

/// The odds behind a ranking, chunk by chunk.
pub(super) fn explain(
    player: &Improved,
    degrees_after: &dyn Fn(Move) -> [f32; CHUNKS],
    side: Side,
    ranking: &mut Ranking,
) {
    ranking.how = How::Odds { drawn: false };
    ranking.scale = Scale::Odds;
    ranking.combine = Combine::Product;
    for candidate in &mut ranking.moves {
        candidate.reasons = player.reasons(&degrees_after(candidate.mv), side);
    }
}

/// What a chunk is, for a person.
fn what(chunk: usize) -> What {
    if chunk == CHUNKS - 1 {
        return Notion::AnyPosition.of(Whose::Both);
    }
    if chunk >= POINTS_FROM {
        return Notion::MadePoint(POINTS[chunk - POINTS_FROM]).of(Whose::Both);
    }
    if chunk >= LED_FROM {
        let index = LED[chunk - LED_FROM];
        let whose = if APART.contains(&index) { Whose::Own } else { Whose::Both };
        let first = Box::new(insights::SIDE[index].of(whose));
        return What::Pair { first, second: Box::new(Notion::Lead.of(Whose::Own)) };
    }
    let mut all: Vec<What> = Vec::with_capacity(LED_FROM);
    for (index, notion) in insights::SIDE.iter().enumerate() {
        if APART.contains(&index) {
            all.push(notion.of(Whose::Own));
            all.push(notion.of(Whose::Theirs));
        } else {
            all.push(notion.of(Whose::Both));
        }
    }
    all.extend(insights::WHOLE.map(|notion| notion.of(Whose::Both)));
    all.swap_remove(chunk)
}

/// The name of a chunk.
pub(crate) fn chunk_name(chunk: usize) -> String {
    if chunk == CHUNKS - 1 {
        return "any position".into();
    }
    if chunk >= POINTS_FROM {
        return format!("made point {}, against the other's", POINTS[chunk - POINTS_FROM]);
    }
    if chunk >= LED_FROM {
        let index = LED[chunk - LED_FROM];
        let whose = if APART.contains(&index) { "own " } else { "" };
        return format!("{whose}{} when ahead in the race", insights::SIDE_NAMES[index]);
    }
    let mut names: Vec<String> = Vec::with_capacity(LED_FROM);
    for index in 0..PER_SIDE {
        if APART.contains(&index) {
            names.push(insights::name(index));
            names.push(insights::name(PER_SIDE + index));
        } else {
            names.push(format!("{}, against the other's", insights::SIDE_NAMES[index]));
        }
    }
    names.extend(insights::WHOLE_NAMES.map(String::from));
    names.swap_remove(chunk)
}

impl Improved {
    /// Each chunk's part in the odds of a position, the strongest first.
    fn reasons(&self, degrees: &[f32; CHUNKS], side: Side) -> Vec<Reason> {
        let mut reasons = Vec::new();
        for (chunk, &degree) in degrees.iter().enumerate().filter(|(_, degree)| **degree != 0.0) {
            let log_odds = f64::from(self.log_odds[chunk]);
            let worth = math::exp(log_odds * f64::from(degree));
            let notation = format!(
                "{}: degree {degree:.2} of a chunk with odds {:.2}",
                chunk_name(chunk),
                math::exp(log_odds)
            );
            let point = POINTS.get(chunk.wrapping_sub(POINTS_FROM));
            let cells = point.map_or_else(Vec::new, |&point| cells(side, &[point]));
            reasons.push(Reason::chunk(what(chunk), worth, cells).noted(notation));
        }
        reasons.sort_by(|a, b| math::ln(b.worth).abs().total_cmp(&math::ln(a.worth).abs()));
        reasons
    }

    /// The chunks as a person reads them, the strongest first.
    pub fn table(&self) -> String {
        let mut order: Vec<usize> = (0..CHUNKS).collect();
        order.sort_by(|&a, &b| self.log_odds[b].abs().total_cmp(&self.log_odds[a].abs()).then(a.cmp(&b)));
        let mut text = format!("{:<58} {:>8}\n", "chunk", "odds");
        for chunk in order {
            text += &format!("{:<58} {:>8.2}\n", chunk_name(chunk), math::exp_f32(self.log_odds[chunk]));
        }
        text
    }
}

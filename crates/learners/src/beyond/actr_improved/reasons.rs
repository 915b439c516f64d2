//! Why a play: each chunk's part in the odds of the position it leads to.

use std::sync::LazyLock;

use ludens_core::words::{How, Notion, Scale, What, Whose};
use ludens_core::{Combine, Explain, Move, Ranking, Reason, Remembered, Side, math};

use super::chunks::{APART, CHUNKS, LED, POINTS, POINTS_FROM};
use super::insights::{self, PER_SIDE};
use super::learner::Improved;
use crate::actr::reasons::cells;

/// The odds behind a ranking, chunk by chunk.
pub(super) fn explain(
    player: &Improved,
    degrees_after: &dyn Fn(Move) -> [f32; CHUNKS],
    side: Side,
    (ranking, explain): (&mut Ranking, Explain),
) {
    ranking.how = How::Odds { drawn: false };
    ranking.scale = Scale::Odds;
    ranking.combine = Combine::Product;
    for place in ranking.wanted(explain) {
        let candidate = &mut ranking.moves[place];
        candidate.reasons = player.reasons(&degrees_after(candidate.mv), side);
    }
}

/// What each chunk is for a person, and what it is called: made once, for there are many plays to a roll.
static CHUNKS_NAMED: LazyLock<Vec<(What, String)>> = LazyLock::new(|| {
    let mut all: Vec<(What, String)> = Vec::with_capacity(CHUNKS);
    for (index, notion) in insights::SIDE.iter().enumerate() {
        if APART.contains(&index) {
            all.push((notion.of(Whose::Own), insights::name(index)));
            all.push((notion.of(Whose::Theirs), insights::name(PER_SIDE + index)));
        } else {
            all.push((
                notion.of(Whose::Both),
                format!("{}, against the other's", insights::SIDE_NAMES[index]),
            ));
        }
    }
    let whole = insights::WHOLE.into_iter().zip(insights::WHOLE_NAMES);
    all.extend(whole.map(|(notion, name)| (notion.of(Whose::Both), name.to_string())));
    all.extend(LED.map(|index| {
        let apart = APART.contains(&index);
        let whose = if apart { Whose::Own } else { Whose::Both };
        let what = What::Pair {
            first: Box::new(insights::SIDE[index].of(whose)),
            second: Box::new(Notion::Lead.of(Whose::Own)),
        };
        let own = if apart { "own " } else { "" };
        (what, format!("{own}{} when ahead in the race", insights::SIDE_NAMES[index]))
    }));
    all.extend(POINTS.map(|point| {
        (Notion::MadePoint(point).of(Whose::Both), format!("made point {point}, against the other's"))
    }));
    all.push((Notion::AnyPosition.of(Whose::Both), "any position".into()));
    all
});

/// The name of a chunk.
pub(crate) fn chunk_name(chunk: usize) -> &'static str {
    &CHUNKS_NAMED[chunk].1
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
            reasons.push(Reason::chunk(CHUNKS_NAMED[chunk].0.clone(), worth, cells).noted(notation));
        }
        reasons.sort_by(|a, b| math::ln(b.worth).abs().total_cmp(&math::ln(a.worth).abs()));
        reasons
    }

    /// The chunks one by one: every one of them is there from the beginning, and its odds are those of its full degree.
    pub(super) fn remembered(&self) -> Vec<Remembered> {
        let one = |(chunk, log_odds): (usize, &f32)| Remembered {
            said: Some(chunk_name(chunk).into()),
            log_odds: f64::from(*log_odds),
            ..Remembered::default()
        };
        self.log_odds.iter().enumerate().map(one).collect()
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

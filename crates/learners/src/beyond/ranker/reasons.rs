//! Why a column: the tokens that weighed most, in words.

use ludens_core::words::{How, Scale, What};
use ludens_core::{Combine, Ranking, Reason};
use ludens_games::connect_four::State;
use ludens_games::connect_four::geometry::{CELLS, bit_of_cell};

use super::moves::{Judgement, MoveRanker};

/// Reasons named for a move; the rest are one term together.
const NAMED: usize = 6;

/// The tokens behind a ranking.
pub(super) fn explain(ranker: &MoveRanker, state: &State, ranking: &mut Ranking) {
    ranking.how = How::Moves;
    ranking.scale = Scale::LogOdds;
    ranking.combine = Combine::Sum;
    for candidate in &mut ranking.moves {
        let judgement = ranker.judge(state.own(), state.other(), candidate.mv.0 as usize);
        candidate.reasons = reasons_of(ranker, &judgement);
    }
}

fn reasons_of(ranker: &MoveRanker, judgement: &Judgement) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = Vec::new();
    for (token, worth) in &judgement.terms {
        let among = judgement.terms.iter().map(|(token, _)| *token);
        let what = ranker.chunks.what(*token, among);
        // A square is a token by itself and together with its mirror image: one reason for people.
        let cells = cells(token.squares);
        match reasons.iter_mut().find(|reason| reason.what == what && reason.cells == cells) {
            Some(known) => known.worth += f64::from(*worth),
            None => reasons.push(Reason::term(what, f64::from(*worth), cells)),
        }
    }
    reasons.sort_by(|a, b| b.worth.abs().total_cmp(&a.worth.abs()));
    let terms = reasons.len().saturating_sub(NAMED) as u32;
    let rest: f64 = reasons.drain(reasons.len().min(NAMED)..).map(|reason| reason.worth).sum();
    reasons.push(Reason::term(What::Rest { terms }, rest + f64::from(judgement.start), Vec::new()));
    reasons
}

/// The squares as indices of the board people see.
fn cells(squares: u64) -> Vec<u16> {
    (0..CELLS as u16).filter(|&cell| squares & bit_of_cell(u32::from(cell)) != 0).collect()
}

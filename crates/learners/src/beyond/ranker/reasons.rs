//! Why a column: the tokens that weighed most, in words.

use ludens_core::words::{How, Scale, What};
use ludens_core::{Combine, Explain, Ranking, Reason};
use ludens_games::connect_four::State;
use ludens_games::connect_four::geometry::cell_at;

use super::moves::{Judgement, MoveRanker};
use super::tokens::{TOKENS, Token};

/// Reasons named for a move; the rest are one term together.
const NAMED: usize = 6;

/// The tokens behind a ranking.
pub(super) fn explain(ranker: &MoveRanker, state: &State, (ranking, explain): (&mut Ranking, Explain)) {
    ranking.how = How::Moves;
    ranking.scale = Scale::LogOdds;
    ranking.combine = Combine::Sum;
    for place in ranking.wanted(explain) {
        let candidate = &mut ranking.moves[place];
        let judgement = ranker.judge(state.own(), state.other(), candidate.mv.0 as usize);
        candidate.reasons = reasons_of(ranker, &judgement);
    }
}

fn reasons_of(ranker: &MoveRanker, judgement: &Judgement) -> Vec<Reason> {
    let what = |token: Token| ranker.chunks.what(token, judgement.terms.iter().map(|(token, _)| *token));
    let mut terms: Vec<(Token, f64)> = Vec::with_capacity(judgement.terms.len());
    for &(token, worth) in &judgement.terms {
        // A square is a token by itself and together with its mirror image: one reason for people.
        let is_plain = |token: &Token| usize::from(token.id) < TOKENS;
        let same = |known: &&mut (Token, f64)| {
            known.0.squares == token.squares
                && [known.0, token].iter().all(is_plain)
                && what(known.0) == what(token)
        };
        match terms.iter_mut().find(same) {
            Some(known) => known.1 += f64::from(worth),
            None => terms.push((token, f64::from(worth))),
        }
    }
    terms.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let (named, rest) = terms.split_at(terms.len().min(NAMED));
    let term = |&(token, worth): &(Token, f64)| Reason::term(what(token), worth, cells(token.squares));
    let mut reasons: Vec<Reason> = named.iter().map(term).collect();
    let sum = rest.iter().map(|(_, worth)| worth).sum::<f64>() + f64::from(judgement.start);
    reasons.push(Reason::term(What::Rest { terms: rest.len() as u32 }, sum, Vec::new()));
    reasons
}

/// The squares as indices of the board people see.
fn cells(squares: u64) -> Vec<u16> {
    let mut cells = Vec::with_capacity(squares.count_ones() as usize);
    let mut left = squares;
    while left != 0 {
        cells.extend(cell_at(left.trailing_zeros()).map(|cell| cell as u16));
        left &= left - 1;
    }
    cells.sort_unstable();
    cells
}

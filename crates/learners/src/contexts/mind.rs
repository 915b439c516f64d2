//! Our ranker as a player that says why, and as the orderer of the solver's moves.

use ludens_core::{Combine, Move, Ranking, Reason};
use ludens_games::connect_four::State;

use super::learner::names;
use super::moves::{Judgement, MoveRanker};

/// Reasons named for a move; the rest are one term together.
const NAMED: usize = 6;
/// The columns, the middle first: of equals that one is taken.
const COLUMNS: [usize; 7] = [3, 2, 4, 1, 5, 0, 6];

/// The legal columns by the forward pass; with reasons, the tokens that weighed most.
pub(super) fn rank_by_ranker(ranker: &MoveRanker, state: &State, explain: bool) -> Ranking {
    let values = ranker.values(state.own(), state.other());
    let legal = |column: &usize| state.landing_cells() >> (7 * column) & 63 != 0;
    let columns = COLUMNS.into_iter().filter(legal);
    let mut ranking = Ranking::of(columns.map(|column| (Move(column as u32), f64::from(values[column]))));
    if explain {
        ranking.summary =
            "Judges each move by the lines it touches and the threats it leaves; it looks no move ahead. Red (x) began, Yellow is o."
                .into();
        ranking.unit = "preference (natural logarithm of odds)".into();
        ranking.combine = Combine::Sum;
        for candidate in &mut ranking.moves {
            let judgement = ranker.judge(state.own(), state.other(), candidate.mv.0 as usize);
            candidate.reasons = reasons(ranker, &judgement, state);
        }
    }
    ranking
}

fn reasons(ranker: &MoveRanker, judgement: &Judgement, state: &State) -> Vec<Reason> {
    let (me, op) = names(state);
    let mut reasons: Vec<Reason> = Vec::new();
    for (token, worth) in &judgement.terms {
        let among = judgement.terms.iter().map(|(token, _)| *token);
        let text = ranker.chunks.in_words(*token, among, me, op);
        // A square is a token by itself and together with its mirror image: one reason for people.
        let cells = cells(token.squares);
        match reasons.iter_mut().find(|reason| reason.text == text && reason.cells == cells) {
            Some(known) => known.worth += f64::from(*worth),
            None => reasons.push(Reason::term(text, f64::from(*worth), cells)),
        }
    }
    reasons.sort_by(|a, b| b.worth.abs().total_cmp(&a.worth.abs()));
    let rest: f64 = reasons.drain(reasons.len().min(NAMED)..).map(|reason| reason.worth).sum();
    reasons.push(Reason::term("everything else", rest + f64::from(judgement.start), Vec::new()));
    reasons
}

/// The squares as indices of the board people see.
fn cells(squares: u64) -> Vec<u16> {
    (0..42).filter(|i| squares >> (i % 7 * 7 + i / 7) & 1 == 1).collect()
}

/// The ranker in front of the solver: a preference of one is worth so many of the solver's own points.
#[derive(Debug)]
pub struct SolverOrder {
    ranker: MoveRanker,
    points: f32,
}

impl SolverOrder {
    pub fn new(ranker: MoveRanker, points: f32) -> SolverOrder {
        SolverOrder { ranker, points }
    }
}

impl ludens_search::connect_four_solver::Ranker for SolverOrder {
    fn rank(&mut self, mine: u64, theirs: u64, ranks: &mut [i32]) {
        for (rank, value) in ranks.iter_mut().zip(self.ranker.values(mine, theirs)) {
            *rank = if value.is_finite() { (self.points * value) as i32 } else { 0 };
        }
    }
}

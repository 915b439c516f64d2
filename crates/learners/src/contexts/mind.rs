//! Our ranker as a player that says why, and as the orderer of the solver's moves.

use ludens_core::{Combine, Ctx, Mind, ModelError, Move, MoveValue, Reason};
use ludens_games::connect_four::{ConnectFour, State};

use super::learner::names;
use super::moves::{Judgement, MoveRanker};

/// Plays the move it ranks first. It never plays a move to see what happens.
#[derive(Debug)]
pub struct ContextsMind {
    ranker: MoveRanker,
}

impl ContextsMind {
    /// With the ranker that comes with the program.
    pub fn shipped() -> Result<ContextsMind, ModelError> {
        Ok(ContextsMind { ranker: super::shipped::move_ranker()? })
    }
}

/// Reasons named for a move; the rest are one term together.
const NAMED: usize = 6;

impl Mind<ConnectFour> for ContextsMind {
    fn choose(&mut self, _game: &ConnectFour, state: &State, ctx: &mut Ctx) -> Move {
        choose_by_ranker(&self.ranker, state, ctx)
    }
}

/// The move it ranks first; with `why`, the tokens that weighed most.
pub(super) fn choose_by_ranker(ranker: &MoveRanker, state: &State, ctx: &mut Ctx) -> Move {
    let judged: Vec<(usize, Judgement)> = [3, 2, 4, 1, 5, 0, 6]
        .into_iter()
        .filter(|&column| state.landing_cells() >> (7 * column) & 63 != 0)
        .map(|column| (column, ranker.judge(state.own(), state.other(), column)))
        .collect();
    let value =
        |j: &Judgement| f64::from(j.start) + j.terms.iter().map(|(_, worth)| f64::from(*worth)).sum::<f64>();
    let mut best = (3, f64::NEG_INFINITY);
    for (column, judgement) in &judged {
        if value(judgement) > best.1 {
            best = (*column, value(judgement));
        }
    }
    if let Some(why) = ctx.why.as_deref_mut() {
        why.summary =
            "Judges each move by the lines it touches and the threats it leaves; it looks no move ahead. Red (x) began, Yellow is o."
                .into();
        why.unit = "preference (natural logarithm of odds)".into();
        why.combine = Combine::Sum;
        why.moves = judged
            .iter()
            .map(|(column, judgement)| {
                let mut of_move = MoveValue::new(Move(*column as u32), value(judgement));
                of_move.reasons = reasons(ranker, judgement, state);
                of_move
            })
            .collect();
        why.sort();
    }
    Move(best.0 as u32)
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

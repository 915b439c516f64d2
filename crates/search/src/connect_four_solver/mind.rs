//! The solver as a player that says why.

use ludens_core::words::{Fate, How, Scale, What};
use ludens_core::{Bound, Combine, Ctx, Mind, MindError, Move, Ranking, Reason, Stop};
use ludens_games::connect_four::{ConnectFour, State, geometry};

use super::book::Book;
use super::{BestMoves, Position, Ranker, Solver};

/// Positions examined for a move before the solver gives up: a second or two.
pub const LIMIT: u64 = 20_000_000;

/// The perfect player: the fastest win, else a draw, else the slowest loss. Of several best moves it takes the
/// most central, the left one of two. Early in the game an answer can take longer than people wait: then it
/// plays what `opening` ranks first, and says so.
#[derive(Debug)]
pub struct SolverMind {
    solver: Solver<7, 6>,
    limit: u64,
    opening: Option<Box<dyn Ranker>>,
}

impl Default for SolverMind {
    /// Without a limit: always perfect.
    fn default() -> Self {
        SolverMind { solver: Solver::default(), limit: u64::MAX, opening: None }
    }
}

impl SolverMind {
    /// Gives up after `limit` positions and then plays what `opening` ranks first.
    pub fn limited(limit: u64, opening: Box<dyn Ranker>) -> SolverMind {
        SolverMind { solver: Solver::default(), limit, opening: Some(opening) }
    }

    /// Every move's score, else the best moves alone, each within half of the limit.
    fn solve(&mut self, position: &Position<7, 6>, stop: &Stop) -> Option<Solved> {
        if let Some(scores) = Book::shipped().move_scores(position) {
            return Some(Solved::All(scores));
        }
        let limit = self.limit / 2;
        let scores = self.solver.move_scores_within(position, limit, stop).map(Solved::All);
        scores.or_else(|| self.solver.best_moves_within(position, limit, stop).map(Solved::Best))
    }
}

impl Mind<ConnectFour> for SolverMind {
    fn rank(&mut self, _game: &ConnectFour, state: &State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        let before = self.solver.nodes();
        let solved = match Position::from_discs(state.own(), state.other()) {
            Some(position) => self.solve(&position, ctx.meter.stop()),
            None => None, // a state of the game always is a position
        };
        ctx.meter.add_states(self.solver.nodes() - before);
        let scores = match solved {
            Some(Solved::All(scores)) => scores,
            Some(Solved::Best(best)) => return Ok(best_alone(state, best, ctx.explain.is_wanted())),
            None => return Ok(self.open(state, ctx.explain.is_wanted())),
        };
        let mut ranking = most_central((0..7).filter_map(|column| Some((column, scores[column]?))));
        for candidate in &mut ranking.moves {
            candidate.fate = Some(Fate::by_sign(candidate.value));
        }
        if ctx.explain.is_wanted() {
            ranking.how = How::Solved;
            ranking.scale = Scale::DiscsLeft;
            ranking.combine = Combine::Sum;
            let discs = state.plies() as i32;
            for candidate in &mut ranking.moves {
                let Some(score) = scores[candidate.mv.0 as usize] else { continue };
                candidate.reasons.push(Reason::term(outlook(score, discs), f64::from(score), Vec::new()));
            }
        }
        Ok(ranking)
    }
}

/// What was solved in time.
enum Solved {
    All([Option<i32>; 7]),
    Best(BestMoves),
}

/// The best columns with their score; of the others it is only known that they are worth less.
fn best_alone(state: &State, best: BestMoves, explain: bool) -> Ranking {
    let legal = |&column: &usize| state.landing_cells() & geometry::column(column as u32) != 0;
    let is_best = |column: usize| best.columns >> column & 1 == 1;
    let valued = (0..7).filter(legal).map(|column| (column, best.score - i32::from(!is_best(column))));
    let mut ranking = most_central(valued);
    for candidate in &mut ranking.moves {
        let known = is_best(candidate.mv.0 as usize);
        candidate.bound = if known { Bound::Exact } else { Bound::AtMost };
        // What is worth less than a draw at most is lost.
        let fate = Fate::by_sign(candidate.value);
        candidate.fate = (known || fate == Fate::Lost).then_some(fate);
        if explain && known {
            let outlook = outlook(best.score, state.plies() as i32);
            candidate.reasons.push(Reason::term(outlook, candidate.value, Vec::new()));
        }
    }
    if explain {
        ranking.how = How::Solved;
        ranking.scale = Scale::DiscsLeft;
    }
    ranking
}

/// The columns with their scores; of equal ones the most central is preferred, the left one of two.
fn most_central(scores: impl Iterator<Item = (usize, i32)>) -> Ranking {
    let scores: Vec<(usize, i32)> = scores.collect();
    let best = scores.iter().max_by_key(|(column, score)| (*score, central(*column), 7 - column));
    let preferred = best.map(|(column, _)| Move(*column as u32));
    let valued = scores.iter().map(|(column, score)| (Move(*column as u32), f64::from(*score)));
    Ranking { preferred, ..Ranking::of(valued) }
}

impl SolverMind {
    /// Too early to be solved in time.
    fn open(&mut self, state: &State, explain: bool) -> Ranking {
        let mut ranks = [0; 7];
        if let Some(opening) = &mut self.opening {
            opening.rank(state.own(), state.other(), &mut ranks);
        }
        let legal = |&column: &usize| state.landing_cells() & geometry::column(column as u32) != 0;
        let mut ranking = most_central((0..7).filter(legal).map(|column| (column, ranks[column])));
        if explain {
            ranking.how = How::Unsolved;
            ranking.combine = Combine::Sum;
            for candidate in &mut ranking.moves {
                let reason = Reason::term(What::Unsolved, candidate.value, Vec::new());
                candidate.reasons.push(reason);
            }
        }
        ranking
    }
}

fn central(column: usize) -> usize {
    3 - column.abs_diff(3)
}

/// What a score means for the side to move when `discs` lie on the board.
fn outlook(score: i32, discs: i32) -> What {
    // The winner's last disc is the n-th of the game, n odd for the first player.
    let mover = discs % 2;
    let last = |winner: i32| if winner == 0 { 43 - 2 * score.abs() } else { 44 - 2 * score.abs() };
    let moves = match score {
        0 => 0,
        1.. => (last(mover) - discs + 1) / 2,
        _ => (last(1 - mover) - discs) / 2,
    };
    What::Outlook { fate: Fate::by_sign(f64::from(score)), moves: moves.unsigned_abs() }
}

use ludens_core::{Combine, Ctx, Mind, Move, MoveValue, Reason};
use ludens_games::connect_four::{ConnectFour, State};

use super::{Position, Solver};

/// The perfect player: the fastest win, else a draw, else the slowest loss. Of several best moves it takes the
/// most central, the left one of two.
#[derive(Debug, Default)]
pub struct SolverMind {
    solver: Solver<7, 6>,
}

impl Mind<ConnectFour> for SolverMind {
    fn choose(&mut self, _game: &ConnectFour, state: &State, ctx: &mut Ctx) -> Move {
        let before = self.solver.nodes();
        let scores = match Position::from_discs(state.own(), state.other()) {
            Some(position) => self.solver.move_scores(&position),
            None => [None; 7], // a state of the game always is a position
        };
        ctx.meter.add_states(self.solver.nodes() - before);
        let best = (0..7).max_by_key(|&column| (scores[column], central(column), 7 - column)).unwrap_or(3);
        if let Some(why) = ctx.why.as_deref_mut() {
            why.summary =
                "Solves the game to its end and takes the fastest win, else a draw, else the slowest loss."
                    .into();
            why.unit = "score: half the discs left at the end, minus when lost".into();
            why.combine = Combine::Sum;
            let discs = state.plies() as i32;
            why.moves = (0..7)
                .filter_map(|column| {
                    let score = scores[column]?;
                    let mut value = MoveValue::new(Move(column as u32), f64::from(score));
                    value.reasons.push(Reason::term(in_words(score, discs), f64::from(score), Vec::new()));
                    Some(value)
                })
                .collect();
            why.sort();
        }
        Move(best as u32)
    }
}

fn central(column: usize) -> usize {
    3 - column.abs_diff(3)
}

/// What a score means for the side to move when `discs` lie on the board.
fn in_words(score: i32, discs: i32) -> String {
    // The winner's last disc is the n-th of the game, n odd for the first player.
    let mover = discs % 2;
    let last = |winner: i32| if winner == 0 { 43 - 2 * score.abs() } else { 44 - 2 * score.abs() };
    match score {
        0 => "With best play of both sides the game is drawn.".into(),
        1.. => match (last(mover) - discs + 1) / 2 {
            1 => "Wins at once.".into(),
            moves => format!("Wins with its own {} disc from now, whatever the answer.", ordinal(moves)),
        },
        _ => match (last(1 - mover) - discs) / 2 {
            1 => "Loses to the next disc of the opponent.".into(),
            moves => format!(
                "Loses to the opponent's {} disc from now, with best play of both sides.",
                ordinal(moves)
            ),
        },
    }
}

fn ordinal(n: i32) -> String {
    match (n % 10, n % 100) {
        (1, r) if r != 11 => format!("{n}st"),
        (2, r) if r != 12 => format!("{n}nd"),
        (3, r) if r != 13 => format!("{n}rd"),
        _ => format!("{n}th"),
    }
}

//! The two simplest minds: one that knows nothing, one that takes a win in one move.

use ludens_core::{Combine, Ctx, Game, Meter, Mind, Move, MoveValue, Reason, Turn};

/// Any legal move, each as likely.
#[derive(Clone, Copy, Default, Debug)]
pub struct Random;

impl<G: Game> Mind<G> for Random {
    fn choose(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Move {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let chosen = moves[ctx.rng.below(moves.len() as u32) as usize];
        if let Some(why) = ctx.why.as_deref_mut() {
            why.summary = "Plays any legal move, each as likely as the next.".into();
            why.unit = "probability".into();
            let share = 1.0 / moves.len() as f64;
            why.moves = moves.iter().map(|&mv| MoveValue::new(mv, share)).collect();
            why.sort();
        }
        chosen
    }
}

/// A winning move if there is one, else any move.
#[derive(Clone, Copy, Default, Debug)]
pub struct DepthOne;

impl<G: Game> Mind<G> for DepthOne {
    fn choose(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Move {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let wins: Vec<Move> = moves.iter().copied().filter(|&mv| wins(game, state, mv, ctx.meter)).collect();
        let pool = if wins.is_empty() { &moves } else { &wins };
        let chosen = pool[ctx.rng.below(pool.len() as u32) as usize];
        if let Some(why) = ctx.why.as_deref_mut() {
            why.summary = "Takes a win in one move; otherwise plays any legal move.".into();
            why.unit = "win in one".into();
            why.combine = Combine::Sum;
            why.moves = moves
                .iter()
                .map(|mv| {
                    let won = wins.contains(mv);
                    let mut value = MoveValue::new(*mv, if won { 1.0 } else { 0.0 });
                    if won {
                        value.reasons.push(Reason::rule(
                            "This move wins at once.",
                            1.0,
                            game.cells(state, *mv),
                        ));
                    }
                    value
                })
                .collect();
            why.sort();
        }
        chosen
    }
}

fn wins<G: Game>(game: &G, state: &G::State, mv: Move, meter: &mut Meter) -> bool {
    let Turn::Player(side) = game.turn(state) else { return false };
    if !meter.visit() {
        return false;
    }
    let mut child = state.clone();
    game.apply(&mut child, mv);
    matches!(game.turn(&child), Turn::Over(score) if score.of(side) > 0.0)
}

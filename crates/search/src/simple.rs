//! The two simplest minds: one that knows nothing, one that takes a win in one move.

use ludens_core::words::{Fate, How, Scale, What};
use ludens_core::{Combine, Ctx, Game, Meter, Mind, MindError, Move, Ranking, Reason, Turn};

/// Any legal move, each as likely.
#[derive(Clone, Copy, Default, Debug)]
pub struct Random;

impl<G: Game> Mind<G> for Random {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let drawn = draw(&moves, ctx)?;
        let share = 1.0 / moves.len() as f64;
        let mut ranking = Ranking::of(moves.into_iter().map(|mv| (mv, share))).prefer(drawn);
        if ctx.explain.is_wanted() {
            ranking.how = How::AnyMove;
            ranking.scale = Scale::Draw;
        }
        Ok(ranking)
    }
}

/// A winning move if there is one, else any move.
#[derive(Clone, Copy, Default, Debug)]
pub struct DepthOne;

impl<G: Game> Mind<G> for DepthOne {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let wins: Vec<Move> = moves.iter().copied().filter(|&mv| wins(game, state, mv, ctx.meter)).collect();
        let drawn = draw(if wins.is_empty() { &moves } else { &wins }, ctx)?;
        let valued = moves.into_iter().map(|mv| (mv, f64::from(u8::from(wins.contains(&mv)))));
        let mut ranking = Ranking::of(valued).prefer(drawn);
        for candidate in ranking.moves.iter_mut().filter(|candidate| wins.contains(&candidate.mv)) {
            candidate.fate = Some(Fate::Won);
        }
        if ctx.explain.is_wanted() {
            ranking.how = How::WinInOne { found: !wins.is_empty() };
            ranking.combine = Combine::Sum;
            for candidate in ranking.moves.iter_mut().filter(|candidate| wins.contains(&candidate.mv)) {
                let cells = game.cells(state, candidate.mv);
                candidate.reasons.push(Reason::rule(What::Win, 1.0, cells));
            }
        }
        Ok(ranking)
    }
}

fn draw(moves: &[Move], ctx: &mut Ctx) -> Result<Move, MindError> {
    if moves.is_empty() {
        return Err(MindError::NoMove);
    }
    Ok(moves[ctx.rng.below(moves.len() as u32) as usize])
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

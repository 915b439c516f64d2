//! It decides: the move whose cells add up to most; and says which contexts weighed most.

use std::sync::Arc;

use ludens_core::words::{How, Lies, What};
use ludens_core::{Combine, Cost, Ctx, Explain, Game, Mind, MindError, Ranking, Reason, Turn};

use super::labels::{ends, seen};
use super::learner::ContextsAny;
use super::network::Trace;
use super::shapes::Shape;

/// How many contexts a reason names; the rest are one term together.
const NAMED: usize = 6;

impl ContextsAny {
    fn explain<G: Game>(
        &self,
        (game, state): (&G, &G::State),
        (trace, cells): (&Trace, &[i8]),
        (ranking, explain): (&mut Ranking, Explain),
    ) {
        ranking.how = How::Patterns;
        ranking.combine = Combine::Sum;
        let board = game.board(state);
        let what = |shape: &Shape| {
            let count = |value: i8| {
                shape.cells.iter().filter(|cell| cells[usize::from(**cell)] == value).count() as u8
            };
            let lies = |cell: &u16| Lies { cell: *cell, piece: board.squares[usize::from(*cell)].piece };
            match shape.straight {
                true => What::Line { own: count(1), other: count(-1), open: count(0), wait: 0 },
                false => What::Pattern { pieces: shape.cells.iter().map(lies).collect::<Arc<[Lies]>>() },
            }
        };
        for place in ranking.wanted(explain) {
            let candidate = &mut ranking.moves[place];
            let (shares, start) =
                self.net.shares(&self.shapes, trace, &ends(game, state, candidate.mv, cells.len()));
            let mut order: Vec<(usize, f64)> = shares.into_iter().enumerate().collect();
            order.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
            let others = order.len().saturating_sub(NAMED) as u32;
            let rest: f64 = order.drain(order.len().min(NAMED)..).map(|(_, share)| share).sum();
            for (k, share) in order.into_iter().filter(|(_, share)| *share != 0.0) {
                let shape = &self.shapes.all[k];
                candidate.reasons.push(Reason::term(what(shape), share, shape.cells.clone()).before());
            }
            candidate.reasons.push(Reason::term(What::Rest { terms: others }, rest, Vec::new()));
            candidate.reasons.push(Reason::term(What::Start, start, Vec::new()));
        }
    }
}

impl<G: Game> Mind<G> for ContextsAny {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        let Turn::Player(side) = game.turn(state) else { return Err(MindError::NoMove) };
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let cells = seen(game, state, side);
        let trace = self.net.forward(&self.shapes, &cells);
        let value = |mv| f64::from(self.net.value(&trace, &ends(game, state, mv, cells.len())));
        let mut ranking = Ranking::of(moves.into_iter().map(|mv| (mv, value(mv))));
        if ctx.explain.is_wanted() {
            self.explain((game, state), (&trace, &cells), (&mut ranking, ctx.explain));
        }
        Ok(ranking)
    }

    fn ledger(&self) -> Cost {
        self.ledger
    }
}

//! UCT that also asks a heuristic: the result of a simulation is partly the judgement of the position where it left the tree, partly
//! the end of its random game.

use ludens_core::{Ctx, Game, Mind, Move, Score, Side};

use crate::{Heuristic, Uct, UctSettings};

#[derive(Debug)]
pub struct GuidedUct<H> {
    uct: Uct,
    heuristic: H,
    /// The part of the judgement, from 0 (plain UCT) to 1 (the random game says nothing).
    weight: f32,
}

impl<H> GuidedUct<H> {
    pub fn new(settings: UctSettings, heuristic: H, weight: f32) -> GuidedUct<H> {
        GuidedUct { uct: Uct::new(settings), heuristic, weight }
    }
}

impl<G: Game, H: Heuristic<G>> Mind<G> for GuidedUct<H> {
    fn choose(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Move {
        let (heuristic, weight) = (&mut self.heuristic, self.weight);
        // The scale of a heuristic is its own: a win on it is a win of 1 here.
        let scale = heuristic.final_value(1.0).max(f32::MIN_POSITIVE);
        let mut judge = |game: &G, at: &G::State| {
            let mut trace = H::Trace::default();
            heuristic.begin(game, at, &mut trace);
            let worth = heuristic.value(game, at, &trace, Side::First) / scale;
            Some((Score(worth.clamp(-1.0, 1.0)), weight))
        };
        self.uct.search_with(game, state, ctx.rng, ctx.meter, &mut judge);
        let chosen = self.uct.decide(game, state, ctx);
        if let Some(why) = ctx.why.as_deref_mut() {
            let part = (100.0 * weight).round();
            why.summary +=
                &format!(" {part} % of each result is the judgement of \"{}\".", self.heuristic.name());
        }
        chosen
    }
}

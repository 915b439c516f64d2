//! Chance nodes: the worth of a throw of dice is the mean over its outcomes.
//!
//! The rest of expectimax is alpha-beta as it stands: a window cannot pass a chance node unharmed, so below
//! one every outcome is searched with an open window, and between two throws of dice the cuts are as
//! usual. Dice do not count as depth.

use ludens_core::{Game, Side};

use crate::heuristic::Heuristic;
use crate::node::{Found, Ply, Spent, Walk};

impl<G: Game, H: Heuristic<G>> Walk<'_, G, H> {
    /// Σ p·v over the outcomes, as `side` sees it.
    pub(crate) fn chance(
        &mut self,
        plies: &mut [Ply<G::State, H::Trace>],
        at: (&G::State, &H::Trace),
        side: Side,
        depth: u32,
    ) -> Result<Found, Spent> {
        let Some((here, below)) = plies.split_first_mut() else { return Err(Spent) };
        self.game.chance(at.0, &mut here.outcomes);
        let mut mean = 0.0;
        let mut complete = true;
        for place in 0..here.outcomes.len() {
            let (outcome, probability) = here.outcomes[place];
            self.make_child(here, 0, at, outcome)?;
            let child = &here.children[0];
            let below_at = (&child.state, &child.trace, child.turn);
            let found = self.value_for(below, below_at, side, depth, (f32::NEG_INFINITY, f32::INFINITY))?;
            mean += f64::from(probability) * f64::from(found.value);
            complete &= found.complete;
        }
        // No single line goes on past the dice.
        here.line.clear();
        if self.keep_leaf {
            here.leaf = Some(at.0.clone());
        }
        Ok(Found { value: mean as f32, complete })
    }
}

//! Concepts as the judgement of a search's leaves: the log-odds that the chosen concepts add up to, as a value from −1 to 1.

use std::sync::Arc;

use ludens_core::{Game, MindError, Reason, Recorder, Side, Spec, Stop, Turn, math};
use ludens_search::Heuristic;

use super::NAME;
use crate::concepts::{ConceptLearner, ConceptPlayer, Kind, Parameters};

/// A search with this in its leaves learnt its concepts from random games of the very game, before its first move.
#[derive(Clone, Debug)]
pub struct ConceptHeuristic {
    player: ConceptPlayer,
}

/// A position that is not over is never quite won.
const SUREST: f64 = 0.98;

impl ConceptHeuristic {
    /// The judgement of a player that has learnt.
    pub fn new(player: ConceptPlayer) -> ConceptHeuristic {
        ConceptHeuristic { player }
    }

    /// Learns as `concepts-selected:kind=wide` does.
    pub fn learn(game: &dyn Recorder, stop: &Stop) -> Result<ConceptHeuristic, MindError> {
        let wide = Parameters { kind: Kind::Wide, ..Parameters::default() };
        let mut spec = Spec::new(NAME);
        let mut learner = ConceptLearner::new(game, &Arc::default(), &mut spec, &wide)?;
        learner.advance(game, stop)?;
        Ok(ConceptHeuristic { player: learner.learnt().player.clone() })
    }
}

impl<G: Game> Heuristic<G> for ConceptHeuristic {
    type Trace = ();

    fn name(&self) -> String {
        "concepts".into()
    }

    fn value(&mut self, game: &G, state: &G::State, (): &(), side: Side) -> f32 {
        // The weights speak of positions after a move, for the one who made it.
        let mover = match game.turn(state) {
            Turn::Player(next) => next.other(),
            _ => side,
        };
        let worth = (SUREST * math::tanh(self.player.worth(game, state, mover) / 2.0)) as f32;
        if mover == side { worth } else { -worth }
    }

    fn terms(&mut self, game: &G, state: &G::State, side: Side) -> Vec<Reason> {
        self.player.matching_rules(game, state, side)
    }
}

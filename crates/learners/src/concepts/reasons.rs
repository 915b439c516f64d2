//! Why a move: the rules that hold after it, the weightiest one by one.

use ludens_core::words::{What, Whose};
use ludens_core::{Game, Reason, Side};

use super::player::{ConceptPlayer, WIN};
use super::rules::Rule;

/// Rules shown one by one for a move; the others are shown as one sum.
const SHOWN: usize = 8;

impl ConceptPlayer {
    /// The rules that hold in a position, for a person.
    pub(crate) fn matching_rules<G: Game>(&mut self, game: &G, state: &G::State, side: Side) -> Vec<Reason> {
        self.look(game, state);
        let replies = self.replies(game, state, side);
        self.reasons(side, false, replies, Vec::new())
    }

    /// The matching rules, the weightiest one by one.
    pub(super) fn reasons(&self, side: Side, won: bool, replies: usize, cells: Vec<u16>) -> Vec<Reason> {
        let mut matching: Vec<&Rule> = self.rules[side.index()].matching(&self.holding).collect();
        matching.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        let squares = |rule: &Rule| rule.body.iter().map(|&fact| self.vocabulary.square(fact)).collect();
        let mut reasons: Vec<Reason> = matching
            .iter()
            .take(SHOWN)
            .map(|rule| {
                let pieces = rule.body.iter().map(|&fact| self.vocabulary.lies(fact)).collect();
                let pattern = What::Pattern { pieces };
                Reason::rule(pattern, rule.value, squares(rule)).noted(rule.show(&self.vocabulary))
            })
            .collect();
        if matching.len() > SHOWN {
            let rest: f64 = matching[SHOWN..].iter().map(|rule| rule.value).sum();
            let terms = (matching.len() - SHOWN) as u32;
            reasons.push(Reason::rule(What::Rest { terms }, rest, Vec::new()));
        }
        if replies > 0 {
            let worth = self.mobility * replies as f64;
            let moves = What::Moves { whose: Whose::Theirs, count: replies as u32 };
            reasons.push(Reason::rule(moves, worth, Vec::new()));
        }
        if won {
            reasons.insert(0, Reason::rule(What::Win, WIN, cells));
        }
        reasons
    }
}

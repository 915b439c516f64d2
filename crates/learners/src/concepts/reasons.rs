//! Why a move: the rules that hold after it, the weightiest one by one.

use std::sync::OnceLock;

use ludens_core::words::{Fate, How, What, Whose};
use ludens_core::{Cells, Combine, Explain, Game, Move, Ranking, Reason, Side};

use super::facts::FactId;
use super::player::{ConceptPlayer, WIN};
use super::rules::Rule;

/// Rules shown one by one for a move; the others are shown as one sum.
const SHOWN: usize = 8;

impl ConceptPlayer {
    /// The rules behind a ranking; `seen` are the facts and the other side's moves after each of its moves.
    pub(super) fn explain(
        &mut self,
        side: Side,
        seen: &[(Vec<FactId>, usize)],
        cells: &dyn Fn(Move) -> Vec<u16>,
        (ranking, explain): (&mut Ranking, Explain),
    ) {
        let known = self.rules.iter().map(|rules| rules.rules().len() as u32).sum();
        ranking.how = How::Concepts { known };
        ranking.combine = Combine::Sum;
        for place in ranking.wanted(explain) {
            let candidate = &mut ranking.moves[place];
            // Where the budget ended, nothing was looked at.
            let Some((facts, replies)) = seen.get(place) else { continue };
            self.holding.set(facts, self.vocabulary.len());
            let won = candidate.fate == Some(Fate::Won);
            let cells = if won { cells(candidate.mv) } else { Vec::new() };
            candidate.reasons = self.reasons(side, won, *replies, cells);
        }
    }

    /// The rules that hold in a position, for a person.
    pub(crate) fn matching_rules<G: Game>(&mut self, game: &G, state: &G::State, side: Side) -> Vec<Reason> {
        self.look(game, state);
        let replies = self.replies(game, state, side);
        self.reasons(side, false, replies, Vec::new())
    }

    /// The matching rules, the weightiest one by one.
    pub(super) fn reasons(&mut self, side: Side, won: bool, replies: usize, cells: Vec<u16>) -> Vec<Reason> {
        let rules = self.rules[side.index()].rules();
        let told = &mut self.told[side.index()];
        told.resize(rules.len(), OnceLock::new());
        let mut matching: Vec<usize> = self.rules[side.index()].matching_places(&self.holding).collect();
        let value = |place: usize| rules[place].value;
        matching.sort_by(|a, b| value(*b).abs().total_cmp(&value(*a).abs()));
        let made = |rule: &Rule| {
            let pieces = rule.body.iter().map(|&fact| self.vocabulary.lies(fact)).collect();
            let squares: Cells = rule.body.iter().map(|&fact| self.vocabulary.square(fact)).collect();
            let pattern = What::Pattern { pieces };
            Reason::rule(pattern, rule.value, squares).noted(rule.show(&self.vocabulary))
        };
        let known = |&place: &usize| told[place].get_or_init(|| made(&rules[place])).clone();
        let mut reasons: Vec<Reason> = Vec::with_capacity(SHOWN + 3);
        reasons.extend(matching.iter().take(SHOWN).map(known));
        if matching.len() > SHOWN {
            let rest: f64 = matching[SHOWN..].iter().map(|&place| value(place)).sum();
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

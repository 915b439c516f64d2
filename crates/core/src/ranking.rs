//! The ranking of all legal moves: what a mind returns, and what the move is taken from.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::words::{Fate, How, Scale, What, When};
use crate::{Explain, Move};

/// How the worths of a move's reasons make up its value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum Combine {
    /// They add up to the value.
    Sum,
    /// They multiply to the value (odds).
    Product,
    /// They illustrate the value (a line of play, a share of visits).
    #[default]
    None,
}

/// What a mind shows for a move: a line of play, a term, a memory or a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ReasonKind {
    /// A line of play, best moves of both sides.
    Line,
    /// A named term of the value: a pattern, an input, a part of a heuristic.
    Term,
    /// Something remembered: a chunk, an example.
    Chunk,
    /// A rule or concept that matched.
    Rule,
}

/// The squares of a reason. Most speak of few, and a decision has many reasons: up to four need no memory of their own.
pub type Cells = SmallVec<[u16; 4]>;

fn is_empty(text: &Arc<str>) -> bool {
    text.is_empty()
}

/// One thing that speaks for or against a move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reason {
    /// What it is.
    pub kind: ReasonKind,
    /// What it speaks of.
    pub what: What,
    /// In words, once [`crate::Table::speak`] was called.
    #[serde(default)]
    pub text: String,
    /// The same in the mind's own notation, for those who want to check: a rule, the chunks that were recalled.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub notation: Arc<str>,
    /// When it is so.
    #[serde(default)]
    pub when: When,
    /// What it contributes, in the unit of the move's value.
    pub worth: f64,
    /// The squares it speaks of, as indices of `Board::squares` of the position before the move.
    pub cells: Cells,
    /// For a line: the moves, beginning with the move itself.
    pub line: Vec<Move>,
    /// The input of the mind's judgement that it speaks of: what [`crate::Mind::mute`] can take away.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<u32>,
}

impl Reason {
    fn new(kind: ReasonKind, what: What, worth: f64, cells: Cells) -> Reason {
        Reason {
            kind,
            what,
            text: String::new(),
            notation: Arc::default(),
            when: When::After,
            worth,
            cells,
            line: Vec::new(),
            input: None,
        }
    }

    /// A line of play, beginning with the move it speaks for.
    pub fn line(what: impl Into<What>, worth: f64, line: Vec<Move>) -> Reason {
        Reason { line, ..Reason::new(ReasonKind::Line, what.into(), worth, Cells::new()) }
    }

    /// A named part of the value.
    pub fn term(what: impl Into<What>, worth: f64, cells: impl Into<Cells>) -> Reason {
        Reason::new(ReasonKind::Term, what.into(), worth, cells.into())
    }

    /// Something remembered.
    pub fn chunk(what: impl Into<What>, worth: f64, cells: impl Into<Cells>) -> Reason {
        Reason::new(ReasonKind::Chunk, what.into(), worth, cells.into())
    }

    /// A rule that matched.
    pub fn rule(what: impl Into<What>, worth: f64, cells: impl Into<Cells>) -> Reason {
        Reason::new(ReasonKind::Rule, what.into(), worth, cells.into())
    }

    /// Says which input it speaks of.
    #[must_use]
    pub fn of_input(self, input: usize) -> Reason {
        Reason { input: u32::try_from(input).ok(), ..self }
    }

    /// Says that it is so at the end of the line of play.
    #[must_use]
    pub fn at_end(self) -> Reason {
        Reason { when: When::End, ..self }
    }

    /// Says that it is so before the move.
    #[must_use]
    pub fn before(self) -> Reason {
        Reason { when: When::Before, ..self }
    }

    /// Adds the mind's own notation.
    #[must_use]
    pub fn noted(self, notation: impl Into<Arc<str>>) -> Reason {
        Reason { notation: notation.into(), ..self }
    }

    /// What it moves, on a scale on which 0 is nothing: odds count by their logarithm.
    pub fn weight(&self, combine: Combine) -> f64 {
        if combine == Combine::Product { crate::math::ln(self.worth.max(1e-12)) } else { self.worth }
    }
}

/// What a value says about a move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// The move is worth this.
    #[default]
    Exact,
    /// The move is worth this at most: the search left it when it could no longer be the best.
    AtMost,
    /// A value of an earlier, shallower look, or none: the budget ended before the move could be compared with the others.
    Unsettled,
}

impl Bound {
    fn is_exact(&self) -> bool {
        *self == Bound::Exact
    }
}

/// What the mind thinks of one move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveValue {
    /// The move.
    pub mv: Move,
    /// As the player to move sees it: higher is better.
    pub value: f64,
    /// Whether the value is one, or only a bound.
    #[serde(skip_serializing_if = "Bound::is_exact", default)]
    pub bound: Bound,
    /// How the game ends after it, where the mind knows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fate: Option<Fate>,
    /// The mind's first inclination, where it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub prior: Option<f64>,
    /// How much evidence: visits of a tree search, matches of a memory.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub visits: Option<u64>,
    /// What the value rests on; filled only where reasons were asked for.
    pub reasons: Vec<Reason>,
}

impl MoveValue {
    /// A move with its exact value, and no more.
    pub fn new(mv: Move, value: f64) -> MoveValue {
        MoveValue {
            mv,
            value,
            bound: Bound::Exact,
            fate: None,
            prior: None,
            visits: None,
            reasons: Vec::new(),
        }
    }
}

/// What makes a move the best.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The highest value.
    #[default]
    Value,
    /// The most visits: a tree search trusts what it has looked at most.
    Visits,
    /// A draw in which better values are likelier; [`Ranking::preferred`] is what was drawn.
    Drawn,
}

impl Rule {
    fn key(self, candidate: &MoveValue) -> f64 {
        match self {
            Rule::Value | Rule::Drawn => candidate.value,
            Rule::Visits => candidate.visits.unwrap_or(0) as f64,
        }
    }
}

/// A value for every legal move. The decision is taken from it by [`Ranking::decide`] and by nothing else.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Ranking {
    /// How this mind came to it. Said only where reasons were asked for.
    #[serde(default)]
    pub how: How,
    /// What a value means.
    #[serde(default)]
    pub scale: Scale,
    /// How reasons make up a value.
    pub combine: Combine,
    /// What makes a move the best.
    #[serde(default)]
    pub rule: Rule,
    /// Every legal move; best first once [`Ranking::sort`] was called.
    pub moves: Vec<MoveValue>,
    /// Among equals this one: the mind's draw, or what held out longest.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub preferred: Option<Move>,
}

impl Ranking {
    /// The plain ranking of a mind that values every move.
    pub fn of(moves: impl IntoIterator<Item = (Move, f64)>) -> Ranking {
        Ranking {
            moves: moves.into_iter().map(|(mv, value)| MoveValue::new(mv, value)).collect(),
            ..Ranking::default()
        }
    }

    /// Says which of equals is taken.
    #[must_use]
    pub fn prefer(mut self, mv: Move) -> Ranking {
        self.preferred = Some(mv);
        self
    }

    /// The one rule by which a move is taken: of the moves whose value is known (of all, where none is), the best; among equals the
    /// preferred one, else the first. What a mind draws, it draws. None where there is no move.
    pub fn decide(&self) -> Option<Move> {
        if self.rule == Rule::Drawn
            && let Some(drawn) = self.preferred.filter(|drawn| self.get(*drawn).is_some())
        {
            return Some(drawn);
        }
        let exact = self.moves.iter().any(|candidate| candidate.bound.is_exact());
        let fits = |candidate: &&MoveValue| !exact || candidate.bound.is_exact();
        let mut best: Option<&MoveValue> = None;
        for candidate in self.moves.iter().filter(fits) {
            let Some(so_far) = best else {
                best = Some(candidate);
                continue;
            };
            let (key, highest) = (self.rule.key(candidate), self.rule.key(so_far));
            if key > highest || key == highest && Some(candidate.mv) == self.preferred {
                best = Some(candidate);
            }
        }
        best.map(|best| best.mv)
    }

    /// Best first, by the rule that decides; equals in the order of the move numbers, so that the text repeats exactly, the decision
    /// before all that are worth no more.
    pub fn sort(&mut self) {
        let decision = self.decide();
        let rule = self.rule;
        self.moves.sort_by(|a, b| rule.key(b).total_cmp(&rule.key(a)).then_with(|| a.mv.cmp(&b.mv)));
        if let Some(at) = self.moves.iter().position(|candidate| Some(candidate.mv) == decision)
            && rule != Rule::Drawn
        {
            self.moves[..=at].rotate_right(1);
        }
    }

    /// The places in `moves` whose reasons are wanted: the decision, then the others as [`Ranking::sort`] orders them.
    pub fn wanted(&self, explain: Explain) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.moves.len()).collect();
        if explain.moves() >= places.len() {
            return places;
        }
        let decision = self.decide();
        let key = |place: &usize| {
            let candidate = &self.moves[*place];
            (Some(candidate.mv) != decision, -self.rule.key(candidate), candidate.mv)
        };
        places.sort_by(|a, b| {
            let (a, b) = (key(a), key(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
        });
        places.truncate(explain.moves());
        places
    }

    /// What was thought of a move.
    pub fn get(&self, mv: Move) -> Option<&MoveValue> {
        self.moves.iter().find(|candidate| candidate.mv == mv)
    }

    /// The largest gap between a value and what its reasons make up; none where they only illustrate it.
    pub fn gap(&self) -> Option<f64> {
        let whole = |candidate: &MoveValue| -> f64 {
            let worths = candidate.reasons.iter().map(|reason| reason.worth);
            if self.combine == Combine::Product { worths.product() } else { worths.sum() }
        };
        let gaps = self.moves.iter().map(|candidate| (whole(candidate) - candidate.value).abs());
        (self.combine != Combine::None).then(|| gaps.fold(0.0, f64::max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking() -> Ranking {
        Ranking::of([(4, 1.0), (1, 2.0), (3, 2.0), (2, 2.0)].map(|(mv, value)| (Move(mv), value)))
    }

    #[test]
    fn the_best_is_taken_and_the_preferred_of_equals() {
        assert_eq!(ranking().decide(), Some(Move(1)));
        assert_eq!(ranking().prefer(Move(3)).decide(), Some(Move(3)));
        for worse in [4, 9] {
            assert_eq!(ranking().prefer(Move(worse)).decide(), Some(Move(1)), "{worse} is no equal");
        }
        assert_eq!(Ranking::default().decide(), None);
    }

    #[test]
    fn a_bound_is_never_taken_for_a_value() {
        let mut ranking = ranking();
        ranking.moves[0] = MoveValue { bound: Bound::AtMost, ..MoveValue::new(Move(4), 5.0) };
        assert_eq!(ranking.decide(), Some(Move(1)));
        for candidate in &mut ranking.moves {
            candidate.bound = Bound::Unsettled;
        }
        assert_eq!(ranking.decide(), Some(Move(4)), "where nothing is known, the best guess");
    }

    #[test]
    fn a_tree_search_goes_by_its_visits() {
        let mut ranking = ranking();
        ranking.rule = Rule::Visits;
        for (candidate, visits) in ranking.moves.iter_mut().zip([9, 3, 3, 4]) {
            candidate.visits = Some(visits);
        }
        assert_eq!(ranking.decide(), Some(Move(4)));
    }

    #[test]
    fn reasons_are_wanted_of_the_decision_and_the_best_others() {
        let ranking = ranking().prefer(Move(3));
        let moves = |explain| ranking.wanted(explain).into_iter().map(|at| ranking.moves[at].mv.0).collect();
        let asked: [Vec<u32>; 4] =
            [Explain::NOTHING, Explain::DECISION, Explain::best(3), Explain::EVERYTHING].map(moves);
        assert_eq!(asked, [vec![], vec![3, 1], vec![3, 1, 2], vec![4, 1, 3, 2]]);
    }

    #[test]
    fn the_decision_leads() {
        let mut ranking = ranking().prefer(Move(3));
        ranking.sort();
        let order = |ranking: &Ranking| ranking.moves.iter().map(|m| m.mv.0).collect::<Vec<_>>();
        assert_eq!(order(&ranking), [3, 1, 2, 4]);
        ranking.sort();
        assert_eq!(order(&ranking), [3, 1, 2, 4]);
    }
}

//! The players of the paper: depth 1, a win if there is one, otherwise the move of the highest summed evaluation.

use std::sync::OnceLock;

use ludens_core::words::Fate;
use ludens_core::{Bound, Cost, Ctx, Game, Mind, MindError, Move, MoveValue, Ranking, Reason, Side, Turn};

use super::facts::{FactId, FactSet, Vocabulary};
use super::learner::ConceptLearner;
use super::rules::{Evaluation, Rule};

/// What a winning move is worth beside the rules: more than they can add up to.
pub(super) const WIN: f64 = 1e6;

/// Evaluates the position after each move by the rules of the side that moves.
#[derive(Clone, Debug)]
pub struct ConceptPlayer {
    /// The facts its rules speak of.
    pub vocabulary: Vocabulary,
    /// The rules of the first and of the second player.
    pub rules: [Evaluation; 2],
    /// What each move of the other side is worth.
    pub mobility: f64,
    facts: Vec<FactId>,
    moves: Vec<Move>,
    pub(super) holding: FactSet,
    /// Each rule as a reason, made when it is first given.
    pub(super) told: [Vec<OnceLock<Reason>>; 2],
}

impl ConceptPlayer {
    /// A player by the rules of either side.
    pub fn new(vocabulary: Vocabulary, rules: [Vec<Rule>; 2]) -> ConceptPlayer {
        let rules = rules.map(|rules| Evaluation::new(rules, &vocabulary));
        ConceptPlayer {
            vocabulary,
            rules,
            mobility: 0.0,
            facts: Vec::new(),
            moves: Vec::new(),
            holding: FactSet::default(),
            told: Default::default(),
        }
    }

    pub(super) fn look<G: Game>(&mut self, game: &G, state: &G::State) {
        self.vocabulary.read(&game.board(state), &mut self.facts);
        self.holding.set(&self.facts, self.vocabulary.len());
    }

    /// The moves the other side has now, where they count.
    pub(super) fn replies<G: Game>(&mut self, game: &G, state: &G::State, side: Side) -> usize {
        if self.mobility == 0.0 || game.turn(state) != Turn::Player(side.other()) {
            return 0;
        }
        game.moves(state, &mut self.moves);
        self.moves.len()
    }

    /// The worth of an unfinished position for `side`, who has just moved: the sum of its rules.
    pub fn worth<G: Game>(&mut self, game: &G, state: &G::State, side: Side) -> f64 {
        self.look(game, state);
        let replies = self.replies(game, state, side);
        self.rules[side.index()].value(&self.holding) + self.mobility * replies as f64
    }
}

impl<G: Game> Mind<G> for ConceptPlayer {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let Turn::Player(side) = game.turn(state) else { return Err(MindError::NoMove) };
        let mut ranking = Ranking::default();
        // What was seen after each move, for the reasons: nothing is looked at twice.
        let mut seen = Vec::new();
        for &mv in &moves {
            if !ctx.meter.visit() {
                ranking.moves.push(MoveValue { bound: Bound::Unsettled, ..MoveValue::new(mv, 0.0) });
                continue;
            }
            let mut child = state.clone();
            game.apply(&mut child, mv);
            let won = matches!(game.turn(&child), Turn::Over(score) if score.of(side) > 0.0);
            let value = self.worth(game, &child, side) + if won { WIN } else { 0.0 };
            ranking.moves.push(MoveValue { fate: won.then_some(Fate::Won), ..MoveValue::new(mv, value) });
            if ctx.explain.is_wanted() {
                seen.push((self.facts.clone(), self.replies(game, &child, side)));
            }
        }
        // Of equal moves any: the draw is the player's own.
        let best = ranking.decide().and_then(|mv| ranking.get(mv)).ok_or(MindError::NoMove)?;
        let equal = |candidate: &&MoveValue| {
            candidate.bound == best.bound && (candidate.value == best.value || best.bound != Bound::Exact)
        };
        let equals: Vec<Move> = ranking.moves.iter().filter(equal).map(|candidate| candidate.mv).collect();
        ranking.preferred = Some(equals[ctx.rng.below(equals.len() as u32) as usize]);
        if ctx.explain.is_wanted() {
            let cells = |mv| game.cells(state, mv);
            self.explain(side, &seen, &cells, (&mut ranking, ctx.explain));
        }
        Ok(ranking)
    }
}

impl<G: Game> Mind<G> for ConceptLearner {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        self.learnt.player.rank(game, state, ctx)
    }

    fn ledger(&self) -> Cost {
        let rules = self.learnt.player.rules.iter().map(|rules| rules.rules().len() as u64).sum();
        Cost { games: self.games, chunks: rules, ..Cost::default() }
    }
}

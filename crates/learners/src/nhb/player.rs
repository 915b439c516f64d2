//! It decides: alpha-beta on a tree that is kept, judged by what was learnt.

use ludens_core::words::How;
use ludens_core::{Budget, Cost, Ctx, Game, Mind, MindError, Ranking, Rule};

use super::judge::Judge;
use super::learner::Nhb;
use super::matches::Player;
use super::memory::Memory;
use super::reasons;
use crate::without::Without;

impl<G: Game> Mind<G> for Nhb<G> {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        if ctx.meter.budget() == Budget::Unlimited {
            ctx.meter.limit_states(self.settings.states);
        }
        self.tree.lines = ctx.explain.is_wanted().then(Vec::new);
        let found = self.tree.search(game, state, &mut self.judge, ctx.meter);
        let mut ranking = reasons::ranking(game, &self.tree, &found);
        if ctx.explain.is_wanted() {
            let judged_by = (self.heuristic(), &self.settings.without);
            reasons::explain(game, &self.tree, &found, judged_by, &self.memory, (&mut ranking, ctx.explain));
        }
        Ok(ranking)
    }

    fn mute(&mut self, muted: &dyn Fn(u32) -> bool) -> bool {
        self.judge_by_what_was_learnt();
        self.judge.mute(muted);
        self.heuristic().is_some()
    }

    fn ledger(&self) -> Cost {
        self.ledger
    }
}

/// A mind that searches as NHB does, with a judge that learns nothing: the paper's opponents and baselines.
#[derive(Debug)]
pub struct Judged<G: Game> {
    player: Player<G>,
}

impl<G: Game> Judged<G> {
    /// This judge, with so many states a move.
    pub fn new(judge: Judge, states: u64) -> Judged<G> {
        Judged { player: Player::new(judge, states) }
    }

    /// This judge one ply ahead, a coin among equals: as the Othello League plays.
    pub fn one_ply(judge: Judge) -> Judged<G> {
        Judged { player: Player::one_ply(judge) }
    }
}

impl<G: Game> Mind<G> for Judged<G> {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        if ctx.meter.budget() == Budget::Unlimited {
            ctx.meter.limit_states(self.player.states);
        }
        self.player.tree.lines = ctx.explain.is_wanted().then(Vec::new);
        let found = self.player.tree.search(game, state, &mut self.player.judge, ctx.meter);
        let mut ranking = reasons::ranking(game, &self.player.tree, &found);
        let within = self.player.lots.within(u32::MAX);
        if within > 0.0 {
            ranking.rule = Rule::Drawn;
            ranking.preferred = Some(self.player.among_near(found.mv, within, ctx.rng));
        }
        if ctx.explain.is_wanted() {
            let nothing_learnt = (None, &Without::default());
            reasons::explain(
                game,
                &self.player.tree,
                &found,
                nothing_learnt,
                &Memory::default(),
                (&mut ranking, ctx.explain),
            );
            if let How::LookAhead { judge, .. } = &mut ranking.how {
                *judge = self.player.judge.named();
            }
        }
        Ok(ranking)
    }
}

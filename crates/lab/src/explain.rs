//! Are the reasons the decision? Measured: take the cited reasons away and see whether the move changes; take all the others
//! away and see whether it stays. And: when did it learn this? A move's value over the ladder of a training.

use std::sync::Arc;

use ludens_arena::Share;
use ludens_core::{
    Budget, Combine, Decision, Front, Model, Models, Move, MoveValue, NoModels, Ranking, Reason, Rng, Table,
    math,
};
use serde::{Deserialize, Serialize};

use crate::LabError;

/// How well a mind's reasons carry its decisions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Faithfulness {
    /// The name of the game.
    pub game: String,
    /// The name of the mind, settings included.
    pub mind: String,
    /// Decisions with more than one legal move that were looked at.
    pub positions: u64,
    /// Those whose reasons add up (or multiply) to the value and rank the chosen move first, or whose reasons are inputs that can
    /// be muted: only these can be judged.
    pub judged: u64,
    /// The mind was asked again with inputs muted, rather than its values reckoned again.
    #[serde(default)]
    pub by_muting: bool,
    /// How many reasons of a move are cited at most.
    pub cited: usize,
    /// Without the cited reasons the choice is another.
    pub changes_without_cited: Share,
    /// Without as many reasons drawn from the uncited ones, for comparison.
    pub changes_without_others: Share,
    /// With each move's cited reasons alone the choice is the same.
    pub stays_with_cited_only: Share,
    /// Decisions that changed without the cited reasons and not without the others.
    pub only_without_cited: u64,
    /// Decisions that changed without the others and not without the cited reasons.
    pub only_without_others: u64,
    /// The largest gap between a value and what its reasons make up.
    pub largest_gap: f64,
}

/// Reasons and values may differ by rounding, not by more.
const TOLERANCE: f64 = 1e-6;

/// Measures `positions` decisions in games of the mind against a random player.
pub fn faithfulness(
    front: &dyn Front,
    mind: &str,
    positions: u64,
    cited: usize,
    seed: u64,
    budget: Budget,
) -> Result<Faithfulness, LabError> {
    let mut question = Question { table: front.table(Arc::new(NoModels)), mind, budget, cited };
    let mut count = Count::default();
    let mut game_number = 0;
    while count.positions < positions {
        let mut rng = Rng::stream(seed, game_number);
        question.play_one(&mut rng, positions, &mut count)?;
        game_number += 1;
        if game_number > 4 * positions + 16 {
            break;
        }
    }
    Ok(Faithfulness {
        game: front.id(),
        mind: mind.into(),
        positions: count.positions,
        judged: count.judged,
        by_muting: count.by_muting,
        cited,
        changes_without_cited: Share::of(count.changed, count.judged),
        changes_without_others: Share::of(count.changed_by_others, count.judged),
        stays_with_cited_only: Share::of(count.stayed, count.judged),
        only_without_cited: count.only_cited,
        only_without_others: count.only_others,
        largest_gap: count.gap,
    })
}

#[derive(Default)]
struct Count {
    positions: u64,
    judged: u64,
    by_muting: bool,
    changed: u64,
    changed_by_others: u64,
    stayed: u64,
    only_cited: u64,
    only_others: u64,
    gap: f64,
}

impl Count {
    fn record(&mut self, changed: bool, changed_by_others: bool, stayed: bool) {
        self.changed += u64::from(changed);
        self.changed_by_others += u64::from(changed_by_others);
        self.stayed += u64::from(stayed);
        self.only_cited += u64::from(changed && !changed_by_others);
        self.only_others += u64::from(changed_by_others && !changed);
    }
}

/// A mind at a table, asked any number of times about a position by the same dice and within the same budget.
struct Question<'a> {
    table: Box<dyn Table>,
    mind: &'a str,
    budget: Budget,
    cited: usize,
}

impl Question<'_> {
    fn play_one(&mut self, rng: &mut Rng, positions: u64, count: &mut Count) -> Result<(), LabError> {
        const LONGEST: u32 = 2_000;
        self.table.restart(None)?;
        self.table.new_game(self.mind)?;
        let ours = if rng.chance(0.5) { 0 } else { 1 };
        for _ in 0..LONGEST {
            let Some(side) = self.table.to_move() else {
                if self.table.is_over() {
                    return Ok(());
                }
                self.table.roll(rng);
                continue;
            };
            let moves = self.table.moves();
            // The first moves are random for both, so that the positions differ.
            let mv = if side.index() != ours || rng.chance(0.15) {
                moves[rng.below(moves.len() as u32) as usize]
            } else {
                let dice = rng.split();
                let Decision { mv, why, .. } = self.ask(&dice, true)?;
                if moves.len() > 1 && why.combine == Combine::None {
                    self.judge_by_muting(&dice, &why, mv, rng, count)?;
                } else if moves.len() > 1 {
                    judge(&why, mv, self.cited, rng, count);
                }
                if count.positions >= positions {
                    return Ok(());
                }
                mv
            };
            self.table.play(mv)?;
        }
        Ok(())
    }

    fn ask(&mut self, dice: &Rng, explain: bool) -> Result<Decision, LabError> {
        Ok(self.table.think(self.mind, &mut dice.clone(), self.budget, explain)?)
    }

    fn ask_without(&mut self, dice: &Rng, muted: &dyn Fn(u32) -> bool) -> Result<Move, LabError> {
        self.table.mute(self.mind, muted)?;
        self.table.new_game(self.mind)?;
        let mv = self.ask(dice, false)?.mv;
        self.table.mute(self.mind, &|_| false)?;
        Ok(mv)
    }

    /// A mind that searches: its reasons are inputs of its judgement at the end of a line. It is asked again, the whole search,
    /// with those inputs muted wherever it looks.
    fn judge_by_muting(
        &mut self,
        dice: &Rng,
        why: &Ranking,
        chosen: Move,
        rng: &mut Rng,
        count: &mut Count,
    ) -> Result<(), LabError> {
        count.positions += 1;
        let cited = self.cited;
        let inputs = |candidate: &MoveValue, only_for: bool| -> Vec<u32> {
            let terms = candidate.reasons.iter().filter(|reason| reason.input.is_some()).cloned().collect();
            let terms = MoveValue { reasons: terms, ..MoveValue::new(candidate.mv, candidate.value) };
            let cited = cited_reasons(Combine::None, &terms, cited, only_for);
            cited.iter().filter_map(|reason| reason.input).collect()
        };
        let Some(best) = why.get(chosen) else { return Ok(()) };
        let top = inputs(best, true);
        if top.is_empty() || !self.table.mute(self.mind, &|_| false)? {
            return Ok(());
        }
        count.judged += 1;
        count.by_muting = true;
        let changed = self.ask_without(dice, &|input| top.contains(&input))? != chosen;
        let shown: Vec<u32> = why.moves.iter().flat_map(|candidate| inputs(candidate, false)).collect();
        let stayed = self.ask_without(dice, &|input| !shown.contains(&input))? == chosen;
        // As many others that were named for any of the moves, as there are.
        let every = why.moves.iter().flat_map(|candidate| &candidate.reasons);
        let mut others: Vec<u32> =
            every.filter_map(|reason| reason.input).filter(|input| !top.contains(input)).collect();
        others.sort_unstable();
        others.dedup();
        rng.shuffle(&mut others);
        others.truncate(top.len());
        let changed_by_others = self.ask_without(dice, &|input| others.contains(&input))? != chosen;
        count.record(changed, changed_by_others, stayed);
        Ok(())
    }
}

fn judge(why: &Ranking, chosen: Move, cited: usize, rng: &mut Rng, count: &mut Count) {
    count.positions += 1;
    let Some(best) = why.moves.iter().find(|candidate| candidate.mv == chosen) else { return };
    if why.combine == Combine::None || best.reasons.is_empty() || lead(why, chosen, |_, _| true) < -TOLERANCE
    {
        return;
    }
    let gap = why.gap().unwrap_or(0.0);
    count.gap = count.gap.max(gap);
    let scale = why.moves.iter().map(|candidate| candidate.value.abs()).fold(1.0, f64::max);
    if gap > TOLERANCE * scale {
        return;
    }
    count.judged += 1;
    let top = cited_reasons(why.combine, best, cited, true);
    let named = |reason: &Reason| top.iter().any(|cited| same(cited, reason));
    // A move that is no longer strictly the best has lost its reason: a tie may go either way.
    let changed = lead(why, chosen, |_, reason| !named(reason)) <= TOLERANCE;
    let shown_alone = lead(why, chosen, |candidate, reason| {
        cited_reasons(why.combine, candidate, cited, false).iter().any(|cited| same(cited, reason))
    });
    let mut others: Vec<&Reason> = best.reasons.iter().filter(|reason| !named(reason)).collect();
    rng.shuffle(&mut others);
    others.truncate(top.len());
    let other = |reason: &Reason| others.iter().any(|cited| same(cited, reason));
    let changed_by_others = lead(why, chosen, |_, reason| !other(reason)) <= TOLERANCE;
    count.record(changed, changed_by_others, shown_alone > TOLERANCE);
}

/// The same pattern, remembered chunk or rule, wherever it is cited.
fn same(a: &Reason, b: &Reason) -> bool {
    a.kind == b.kind && a.what == b.what && a.cells == b.cells
}

/// How much a reason moves the value: odds count by their logarithm.
fn weight(combine: Combine, worth: f64) -> f64 {
    if combine == Combine::Product { math::ln(worth.max(1e-12)) } else { worth }
}

/// The reasons a person is shown: the strongest ones; for a chosen move those that speak for it.
fn cited_reasons(combine: Combine, candidate: &MoveValue, cited: usize, only_for: bool) -> Vec<&Reason> {
    let mut reasons: Vec<&Reason> =
        candidate.reasons.iter().filter(|reason| !only_for || weight(combine, reason.worth) > 0.0).collect();
    if reasons.is_empty() {
        reasons = candidate.reasons.iter().collect();
    }
    reasons.sort_by(|a, b| weight(combine, b.worth).abs().total_cmp(&weight(combine, a.worth).abs()));
    reasons.truncate(cited);
    reasons
}

/// How far the move stands above the best other one when only the reasons that `keep` allows count.
fn lead(why: &Ranking, chosen: Move, keep: impl Fn(&MoveValue, &Reason) -> bool) -> f64 {
    let value = |candidate: &MoveValue| -> f64 {
        let kept = candidate.reasons.iter().filter(|reason| keep(candidate, reason));
        kept.map(|reason| weight(why.combine, reason.worth)).sum()
    };
    let (mut own, mut other) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for candidate in &why.moves {
        let best = if candidate.mv == chosen { &mut own } else { &mut other };
        *best = best.max(value(candidate));
    }
    own - other
}

/// What a learner thought of a position at one step of its training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PastView {
    /// After how many steps.
    pub step: u64,
    /// The label of the move it chose.
    pub chosen: String,
    /// The label and value of every legal move, best first.
    pub values: Vec<(String, f64)>,
}

/// "When did it learn this?": the values of the moves over a ladder of models.
pub fn over_training(
    front: &dyn Front,
    position: Option<&str>,
    ladder: &[(u64, Arc<Model>)],
    seed: u64,
    budget: Budget,
) -> Result<Vec<PastView>, LabError> {
    /// The models of the ladder by the number of their step.
    struct Ladder(Vec<(u64, Arc<Model>)>);
    impl Models for Ladder {
        fn find(&self, name: &str) -> Option<Arc<Model>> {
            let step = name.parse::<u64>().ok()?;
            self.0.iter().find(|(of, _)| *of == step).map(|(_, model)| model.clone())
        }
        fn only_lists(&self) -> bool {
            true
        }
    }
    let mut table = front.table(Arc::new(Ladder(ladder.to_vec())));
    table.restart(position)?;
    let view = |(step, _): &(u64, Arc<Model>)| {
        let Decision { mv, why, .. } = table.think(&step.to_string(), &mut Rng::new(seed), budget, true)?;
        let label = |mv: Move| table.line_labels(&[mv]).pop().unwrap_or_default();
        let values = why.moves.iter().map(|candidate| (label(candidate.mv), candidate.value)).collect();
        Ok(PastView { step: *step, chosen: label(mv), values })
    };
    ladder.iter().map(view).collect()
}

#[cfg(test)]
mod tests {
    use ludens_core::Games;
    use ludens_learners::standard::{Standard, zoo};

    use super::*;

    fn front(name: &str) -> Arc<dyn Front> {
        Games::new(Standard::new().close(), zoo()).open(name).unwrap()
    }

    fn reasons(worths: &[(&str, f64)]) -> Vec<Reason> {
        worths.iter().map(|(text, worth)| Reason::term(*text, *worth, Vec::new())).collect()
    }

    fn example(combine: Combine) -> Ranking {
        let candidate = |mv, worths: &[(&str, f64)]| {
            let value = match combine {
                Combine::Product => worths.iter().map(|(_, worth)| worth).product(),
                _ => worths.iter().map(|(_, worth)| worth).sum(),
            };
            MoveValue { reasons: reasons(worths), ..MoveValue::new(Move(mv), value) }
        };
        let mut why = Ranking { combine, ..Ranking::default() };
        why.moves = vec![
            candidate(1, &[("three in a row", 4.0), ("centre", 1.5), ("far", 1.1)]),
            candidate(2, &[("two in a row", 2.0), ("centre", 1.5), ("far", 1.0)]),
        ];
        why.sort();
        why
    }

    #[test]
    fn taking_the_cited_reason_away_changes_the_move() {
        for combine in [Combine::Sum, Combine::Product] {
            let mut count = Count::default();
            judge(&example(combine), Move(1), 1, &mut Rng::new(1), &mut count);
            assert_eq!((count.judged, count.changed, count.stayed, count.changed_by_others), (1, 1, 1, 0));
        }
    }

    #[test]
    fn reasons_that_do_not_add_up_are_not_judged() {
        let mut why = example(Combine::Sum);
        why.moves[0].value += 0.5;
        let mut count = Count::default();
        judge(&why, Move(1), 1, &mut Rng::new(1), &mut count);
        judge(&example(Combine::None), Move(1), 1, &mut Rng::new(1), &mut count);
        judge(&example(Combine::Sum), Move(2), 1, &mut Rng::new(1), &mut count);
        assert_eq!((count.positions, count.judged), (3, 0));
        assert_eq!(count.gap, 0.5);
    }

    #[test]
    fn a_mind_that_searches_is_asked_again_without_its_inputs() {
        let game = front("connect-four");
        let found = faithfulness(&*game, "alphabeta:depth=2", 150, 3, 3, Budget::Unlimited).unwrap();
        assert!(found.by_muting && found.judged > 50, "{found:?}");
        assert!(found.only_without_cited > found.only_without_others, "{found:?}");
        // Without a heuristic there is nothing to mute.
        let blind =
            faithfulness(&*game, "alphabeta:depth=2,heuristic=zero", 20, 3, 3, Budget::Unlimited).unwrap();
        assert_eq!((blind.judged, blind.by_muting), (0, false));
    }

    #[test]
    fn depth_one_moves_for_its_reason() {
        let game = front("tic-tac-toe");
        let found = faithfulness(&*game, "depth1", 200, 1, 3, Budget::Unlimited).unwrap();
        assert!(found.positions == 200 && found.judged > 10, "{found:?}");
        // A win in one is its only reason: without it nothing is left, with it alone the move stays (unless two moves win).
        assert_eq!(found.changes_without_cited.share, 1.0, "{found:?}");
        assert!(found.stays_with_cited_only.share > 0.5, "{found:?}");
        assert!(faithfulness(&*game, "nobody", 1, 1, 3, Budget::Unlimited).is_err());
    }
}

//! Are the reasons the decision? A protocol with five answers, for any mind of the catalogue; `docs/faithfulness.md` says it in plain words.
//!
//! Every decision is taken apart into *terms*: where the reasons make up the values, the distinct reasons of all its moves; where a mind searches, the
//! inputs of its judgement that its reasons name. The *preference* for the chosen move can be asked with any of them left out.
//!
//! * **Comprehensiveness**: what the preference loses without the first k terms, by the mind's own worths; **sufficiency**: what it loses with these alone.
//!   Each as the area over its curve, beside as many drawn terms, and beside the terms as their Shapley values rank them.
//! * **Flips**: how often the move changes without the cited reasons.
//! * **Simulatability**: whether a student who sees the reasons foresees the moves better than one who sees the positions.
//! * **Retraining** ([`retrain`]): what a learner loses that never had the inputs it cites.

mod clusters;
mod curves;
mod flips;
mod key;
pub mod retrain;
mod sample;
mod shapley;
mod simulate;
mod student;
mod terms;

pub use clusters::Estimate;
pub use curves::STEPS;
pub use flips::Flips;
pub use key::{Key, key};
pub use shapley::EXACT;
pub use simulate::{SHOWN, Shown, Simulatability, Taught};

use ludens_core::{Budget, Front, Stop};
use serde::{Deserialize, Serialize};

use crate::LabError;
use curves::Curves;
use sample::{Judged, Sample, Session};

/// How much is done for the curves of one kind of mind.
#[derive(Clone, PartialEq, Debug)]
pub struct Effort {
    /// Decisions taken apart.
    pub decisions: u64,
    /// Drawn orders of the terms of a decision.
    pub draws: u32,
    /// Pairs of orders for the Shapley values where there are more than [`EXACT`] terms.
    pub orders: u32,
}

/// Everything the measures depend on besides the mind.
#[derive(Clone, PartialEq, Debug)]
pub struct Protocol {
    /// For minds whose reasons make up the values.
    pub summed: Effort,
    /// For minds that search: every question is a whole search.
    pub searched: Effort,
    /// Reasons of a move that are shown to a person, or to a student.
    pub cited: usize,
    /// Decisions the students learn from, in several sizes; none, no students.
    pub taught: Vec<usize>,
    /// Decisions of later games they are tested on.
    pub tested: usize,
    /// All that is drawn follows from it.
    pub seed: u64,
    /// What the mind may spend on a decision.
    pub budget: Budget,
}

impl Protocol {
    /// So many decisions taken apart (a quarter of them for minds that search), the students taught by three times as many at most.
    pub fn new(decisions: u64, seed: u64) -> Protocol {
        let most = usize::try_from(decisions).unwrap_or(usize::MAX).saturating_mul(3);
        let taught = [50, 100, 300, 1000].into_iter().filter(|size| *size <= most.max(50)).collect();
        Protocol {
            summed: Effort { decisions, draws: 8, orders: 16 },
            searched: Effort { decisions: decisions.div_ceil(4), draws: 4, orders: 5 },
            cited: 3,
            taught,
            tested: most.clamp(50, 500),
            seed,
            budget: Budget::Unlimited,
        }
    }

    /// Decisions that are looked at, for all measures together.
    fn positions(&self) -> u64 {
        let students = self.taught.iter().max().map_or(0, |most| most + self.tested) as u64;
        self.summed.decisions.max(self.searched.decisions).max(students)
    }
}

/// How well a mind's reasons carry its decisions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Faithfulness {
    /// The name of the game.
    pub game: String,
    /// The name of the mind, settings included.
    pub mind: String,
    /// Decisions with more than one legal move that were met, in all games.
    pub positions: u64,
    /// The games they come from.
    pub games: u64,
    /// Decisions that were to be taken apart.
    pub looked_at: u64,
    /// Those that could be: their reasons make up the value and rank the chosen move first, or name inputs that can be muted.
    pub judged: u64,
    /// The mind was asked again with inputs muted, rather than its values reckoned again.
    pub by_muting: bool,
    /// How many reasons of a move are cited at most.
    pub cited: usize,
    /// Terms of a decision, on average.
    pub terms: f64,
    /// What the preference loses without the first terms.
    pub comprehensiveness: Area,
    /// What it loses with the first terms alone.
    pub sufficiency: Area,
    /// The mean rank correlation of the mind's own order with that of the Shapley values, of decisions with three terms or more.
    pub rank_correlation: Estimate,
    /// Decisions whose Shapley values are exact; the others are from drawn orders.
    pub exact: u64,
    /// How many orders were drawn for each of those.
    pub orders: u32,
    /// How often the move changes or stays.
    pub flips: Flips,
    /// The largest gap between a value and what its reasons make up, as a share of the largest value where that is above 1.
    pub largest_gap: f64,
    /// What students foresee; none where there is nothing to show them.
    pub simulatability: Option<Simulatability>,
}

/// The area over one of the two curves, by three orders of the same terms. A difference is positive where the mind's own order is the better one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Area {
    /// By the mind's own worths.
    pub cited: Estimate,
    /// By drawn orders.
    pub random: Estimate,
    /// By the Shapley values.
    pub shapley: Estimate,
    /// The mind's own order against drawn ones, decision by decision.
    pub over_random: Estimate,
    /// The mind's own order against drawn orders of the terms that speak for the move: whether their worths rank them, not only whose they are.
    pub over_own: Estimate,
    /// The mind's own order against the Shapley values.
    pub over_shapley: Estimate,
    /// The means of the curves.
    pub curve: Vec<Step>,
}

/// One step of the mean curves.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// How many terms; none for all of them.
    pub terms: Option<u64>,
    /// By the mind's own worths.
    pub cited: f64,
    /// By drawn orders.
    pub random: f64,
    /// By the Shapley values.
    pub shapley: f64,
}

/// Measures a mind in games against a random player. `tell` hears how far it is, 0 to 1.
pub fn faithfulness(
    front: &dyn Front,
    mind: &str,
    protocol: &Protocol,
    stop: &Stop,
    tell: &dyn Fn(f64),
) -> Result<Faithfulness, LabError> {
    let mut session = Session::new(front, mind, protocol, stop);
    session.run(stop, tell)?;
    Ok(summary(front.id(), mind, protocol, &session.sample))
}

fn summary(game: String, mind: &str, protocol: &Protocol, sample: &Sample) -> Faithfulness {
    let (judged, seed) = (&sample.judged, protocol.seed);
    let correlations: Vec<(u32, f64)> =
        judged.iter().filter_map(|one| Some((one.game, one.correlation?))).collect();
    let effort = if sample.by_muting { &protocol.searched } else { &protocol.summed };
    Faithfulness {
        game,
        mind: mind.into(),
        positions: sample.positions,
        games: u64::from(sample.games),
        looked_at: sample.looked_at,
        judged: judged.len() as u64,
        by_muting: sample.by_muting,
        cited: protocol.cited,
        terms: judged.iter().map(|one| one.terms).sum::<usize>() as f64 / judged.len().max(1) as f64,
        comprehensiveness: area(judged, seed, 1.0, &|curves| (curves.areas().0, &curves.comprehensiveness)),
        // Here less is better.
        sufficiency: area(judged, seed, -1.0, &|curves| (curves.areas().1, &curves.sufficiency)),
        rank_correlation: Estimate::of(&correlations, seed),
        exact: judged.iter().filter(|one| one.exact).count() as u64,
        orders: 2 * effort.orders,
        flips: Flips::of(&sample.flips),
        largest_gap: sample.gap,
        simulatability: sample.lessons.measure(&protocol.taught, protocol.cited, seed),
    }
}

type Read = dyn Fn(&Curves) -> (f64, &[f64; STEPS.len()]);

fn area(judged: &[Judged], seed: u64, sign: f64, read: &Read) -> Area {
    let estimate = |value: &dyn Fn(&Judged) -> f64| {
        let values: Vec<(u32, f64)> = judged.iter().map(|one| (one.game, value(one))).collect();
        Estimate::of(&values, seed)
    };
    let step = |index: usize| {
        let mean = |of: &dyn Fn(&Judged) -> Curves| {
            let sum: f64 = judged.iter().map(|one| read(&of(one)).1[index]).sum();
            sum / judged.len().max(1) as f64
        };
        let terms = (STEPS[index] != usize::MAX).then_some(STEPS[index] as u64);
        let (cited, random) = (mean(&|one| one.own), mean(&|one| one.random));
        Step { terms, cited, random, shapley: mean(&|one| one.by_shapley) }
    };
    Area {
        cited: estimate(&|one| read(&one.own).0),
        random: estimate(&|one| read(&one.random).0),
        shapley: estimate(&|one| read(&one.by_shapley).0),
        over_random: estimate(&|one| sign * (read(&one.own).0 - read(&one.random).0)),
        over_own: estimate(&|one| sign * (read(&one.own).0 - read(&one.random_own).0)),
        over_shapley: estimate(&|one| sign * (read(&one.own).0 - read(&one.by_shapley).0)),
        curve: (0..STEPS.len()).map(step).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ludens_core::Games;
    use ludens_learners::standard::{Standard, zoo};

    use super::*;

    fn measure(game: &str, mind: &str, protocol: &Protocol) -> Result<Faithfulness, LabError> {
        let front: Arc<dyn Front> = Games::new(Standard::new().close(), zoo()).open(game).unwrap();
        faithfulness(&*front, mind, protocol, &Stop::default(), &|_| {})
    }

    fn short(decisions: u64) -> Protocol {
        Protocol { taught: Vec::new(), ..Protocol::new(decisions, 3) }
    }

    #[test]
    fn depth_one_moves_for_its_reason() {
        let found = measure("tic-tac-toe", "depth1", &Protocol { cited: 1, ..short(200) }).unwrap();
        assert!(found.looked_at == 200 && found.judged > 10, "{found:?}");
        // A win in one is its only reason: without it nothing is left, with it alone the move stays (unless two moves win).
        assert_eq!(found.flips.changes_without_cited.share, 1.0, "{found:?}");
        assert!(found.flips.stays_with_cited_only.share > 0.5, "{found:?}");
        assert!(found.comprehensiveness.cited.mean > 0.3, "{found:?}");
        assert!(measure("tic-tac-toe", "nobody", &short(1)).is_err());
    }

    #[test]
    fn a_mind_that_searches_is_asked_again_without_its_inputs() {
        let found = measure("connect-four", "alphabeta:depth=2", &short(160)).unwrap();
        assert!(found.by_muting && found.judged == 40, "{found:?}");
        assert!(found.comprehensiveness.over_random.is_above_zero(), "{found:?}");
        assert!(found.flips.only_without_cited > found.flips.only_without_others, "{found:?}");
        // Without a heuristic there is nothing to mute.
        let blind = measure("connect-four", "alphabeta:depth=2,heuristic=zero", &short(20)).unwrap();
        assert_eq!((blind.judged, blind.by_muting), (0, false));
    }

    /// A mind whose reasons add up: the sums give its own order the advantage, and the Shapley values no less.
    #[test]
    fn reasons_that_add_up_carry_the_decision() {
        let found = measure("connect-four", "zoo:ranker-connect-four", &short(60)).unwrap();
        assert_eq!((found.judged, found.by_muting), (60, false), "{found:?}");
        assert!(found.comprehensiveness.over_random.is_above_zero(), "{found:?}");
        assert!(found.sufficiency.over_random.is_above_zero(), "{found:?}");
        assert!(
            found.comprehensiveness.shapley.mean >= found.comprehensiveness.cited.mean - 0.01,
            "{found:?}"
        );
        assert!(found.simulatability.is_none());
    }

    #[test]
    fn students_are_taught_and_the_same_seed_gives_the_same_numbers() {
        let protocol = Protocol { taught: vec![20, 40], tested: 30, ..Protocol::new(5, 7) };
        let found = measure("tic-tac-toe", "zoo:odds-tic-tac-toe", &protocol).unwrap();
        let simulated = found.simulatability.as_ref().unwrap();
        assert_eq!(simulated.sizes.len(), 2);
        assert!(simulated.tested >= 20 && (0.1..0.5).contains(&simulated.chance), "{simulated:?}");
        assert_eq!(found, measure("tic-tac-toe", "zoo:odds-tic-tac-toe", &protocol).unwrap());
        let random = measure("tic-tac-toe", "random", &protocol).unwrap();
        assert_eq!((random.judged, random.simulatability), (0, None));
    }
}

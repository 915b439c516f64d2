//! Social learning (section 3.2): the winners meet, the best is published to the central pool, the poor copy from it or
//! start anew.

use ludens_core::{Game, Rng};

use super::connect_four::Spent;
use super::contest::{Fighter, duel, starts};
use super::individual::Pair;
use super::network::Player;
use super::settings::Settings;

/// A player in the central pool.
#[derive(Clone, PartialEq, Debug)]
pub struct Published {
    /// The player.
    pub player: Player,
    /// B: how likely it is to be copied.
    pub score: f64,
    /// The generation after which it was published.
    pub generation: u64,
}

/// The central pool.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Pool {
    /// All that were published, the oldest first.
    pub players: Vec<Published>,
}

const FIRST_SCORE: f64 = 1.0;
const NOT_COPIED: f64 = 0.1;
const COPIED_AND_BEST: f64 = 1.0;
/// The score of an "old player".
const OLD: f64 = 0.01;
/// A player with this normalised value or more keeps its strategy.
const REMAINS: f64 = 0.9;
/// Openings of the trials beyond the paper, both colours each.
const TRIAL_OPENINGS: u32 = 10;
/// The published players a candidate must hold its own against.
const TRIAL_OPPONENTS: usize = 5;

impl Pool {
    /// Opponents for individual learning, beyond the paper.
    pub(crate) fn rivals(&self, settings: &Settings, rng: &mut Rng) -> Vec<&Player> {
        let mut rivals = Vec::new();
        if self.players.is_empty() || settings.pool_rivals + settings.hall_rivals == 0 {
            return rivals;
        }
        for _ in 0..settings.pool_rivals {
            if let Some(index) = self.roulette(rng) {
                rivals.push(&self.players[index].player);
            }
        }
        for _ in 0..settings.hall_rivals {
            rivals.push(&self.players[rng.below(self.players.len() as u32) as usize].player);
        }
        rivals
    }

    /// "Roulette wheel selection is used to choose a player."
    fn roulette(&self, rng: &mut Rng) -> Option<usize> {
        let scores: Vec<f64> = self.players.iter().map(|published| published.score).collect();
        rng.weighted(&scores)
    }

    fn position(&self, player: &Player) -> Option<usize> {
        self.players.iter().position(|published| published.player.weights == player.weights)
    }
}

/// What one round of social learning did.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Round {
    /// Players that were published.
    pub published: u32,
    /// Players that took their strategy from the pool.
    pub copied: u32,
    /// Players that began anew.
    pub renewed: u32,
}

/// A candidate for the place of a weak player, from the pool (which of it) or new; none where it failed its trial.
fn another<G: Game>(
    game: &G,
    settings: &Settings,
    weak: &Player,
    pool: &Pool,
    inputs: usize,
    rng: &mut Rng,
    spent: &mut Spent,
) -> Option<(Player, Option<usize>)> {
    let copied = if rng.chance(settings.copy) { pool.roulette(rng) } else { None };
    let (candidate, must_win) = match copied {
        Some(chosen) => (pool.players[chosen].player.clone(), settings.evaluate_copy),
        None => {
            let new = Player::random(inputs, settings.spread, settings.step, rng);
            (new.without(&settings.without), false)
        }
    };
    let accepted = match (copied, must_win, settings.evaluate_new) {
        (Some(_), true, _) => trial(game, settings, &candidate, weak, rng, spent) > 0,
        (None, _, true) => trial(game, settings, &candidate, weak, rng, spent) >= 0,
        _ => true,
    };
    accepted.then_some((candidate, copied))
}

/// One round. `inputs` is the number of inputs of a new network, `generation` the one just finished.
pub(crate) fn social_learning<G: Game>(
    game: &G,
    settings: &Settings,
    (pairs, pool): (&mut [Pair], &mut Pool),
    (inputs, generation): (usize, u64),
    rng: &mut Rng,
    spent: &mut Spent,
) -> Round {
    let values = normalised(&round_robin(game, settings, pairs, rng, spent));
    let mut ranked: Vec<usize> = (0..pairs.len()).collect();
    ranked.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    let known = pool.players.len();
    let mut selected = vec![false; known];
    let mut credited = vec![false; known];
    let mut round = Round::default();
    for index in ranked {
        let pair = &mut pairs[index];
        if values[index] >= 1.0 {
            if let Some(origin) = pair.origin.filter(|&origin| origin < known) {
                credited[origin] = true;
            }
            if !settings.credit_again {
                pair.origin = None;
            }
            let never_published = pool.position(&pair.parent).is_none();
            if never_published && worth_publishing(game, settings, &pair.parent, pool, rng, spent) {
                let player = pair.parent.clone();
                pool.players.push(Published { player, score: FIRST_SCORE, generation });
                round.published += 1;
            }
        } else if values[index] < REMAINS {
            let another = another(game, settings, &pair.parent, pool, inputs, rng, spent);
            if let Some((candidate, copied)) = another {
                if let Some(chosen) = copied {
                    if let Some(selected) = selected.get_mut(chosen) {
                        *selected = true;
                    }
                    round.copied += 1;
                } else {
                    round.renewed += 1;
                }
                *pair = Pair::of(candidate, settings, copied, rng);
            }
        }
    }
    update_scores(pool, &selected, &credited);
    if settings.fresh_steps {
        for pair in pairs {
            pair.parent.steps.fill(settings.step);
            *pair = Pair::of(pair.parent.clone(), settings, pair.origin, rng);
        }
    }
    round
}

/// B of every player that was in the pool before this round.
fn update_scores(pool: &mut Pool, selected: &[bool], credited: &[bool]) {
    for (index, published) in pool.players.iter_mut().take(selected.len()).enumerate() {
        if credited[index] {
            published.score += COPIED_AND_BEST;
        } else if !selected[index] {
            published.score =
                if published.score < NOT_COPIED { OLD } else { (published.score - NOT_COPIED).max(OLD) };
        }
    }
}

/// Everybody against everybody, both colours.
fn round_robin<G: Game>(
    game: &G,
    settings: &Settings,
    pairs: &[Pair],
    rng: &mut Rng,
    spent: &mut Spent,
) -> Vec<i32> {
    let mut fighters: Vec<Fighter<G>> =
        pairs.iter().map(|pair| Fighter::new(game, &pair.parent, settings.depth)).collect();
    let starts = starts(game, settings.openings, settings.opening_plies, rng);
    let mut totals = vec![0; pairs.len()];
    for two in 1..fighters.len() {
        let (before, from) = fighters.split_at_mut(two);
        for (one, fighter) in before.iter_mut().enumerate() {
            if spent.stop.check().is_err() {
                return totals;
            }
            let [for_one, for_two] = duel(game, fighter, &mut from[0], &starts, settings.depth, rng, spent);
            totals[one] += for_one;
            totals[two] += for_two;
        }
    }
    totals
}

/// From 0 for the lowest to 1 for the highest; all 1 where all are equal.
fn normalised(totals: &[i32]) -> Vec<f64> {
    let (Some(&low), Some(&high)) = (totals.iter().min(), totals.iter().max()) else { return Vec::new() };
    let value = |&total: &i32| if high == low { 1.0 } else { f64::from(total - low) / f64::from(high - low) };
    totals.iter().map(value).collect()
}

/// The points of a candidate less those of the player it may replace.
fn trial<G: Game>(
    game: &G,
    settings: &Settings,
    candidate: &Player,
    current: &Player,
    rng: &mut Rng,
    spent: &mut Spent,
) -> i32 {
    let starts = starts(game, TRIAL_OPENINGS, settings.opening_plies.max(4), rng);
    let mut one = Fighter::new(game, candidate, settings.depth);
    let mut two = Fighter::new(game, current, settings.depth);
    let [for_one, for_two] = duel(game, &mut one, &mut two, &starts, settings.depth, rng, spent);
    for_one - for_two
}

/// Beyond the paper: at least as many points as the last published together.
fn worth_publishing<G: Game>(
    game: &G,
    settings: &Settings,
    player: &Player,
    pool: &Pool,
    rng: &mut Rng,
    spent: &mut Spent,
) -> bool {
    if !settings.evaluate_publish || pool.players.is_empty() {
        return true;
    }
    let lead: i32 = pool
        .players
        .iter()
        .rev()
        .take(TRIAL_OPPONENTS)
        .map(|published| trial(game, settings, player, &published.player, rng, spent))
        .sum();
    lead >= 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_normalised_as_the_paper_says() {
        assert_eq!(normalised(&[-4, 2, 8]), [0.0, 0.5, 1.0]);
        assert_eq!(normalised(&[3, 3]), [1.0, 1.0]);
    }

    #[test]
    fn scores_rise_and_fall_as_the_paper_says() {
        let player = Player { weights: vec![0.0; 28], steps: vec![0.1; 28] };
        let with = |score| Published { player: player.clone(), score, generation: 1 };
        let mut pool = Pool { players: vec![with(1.0), with(1.0), with(1.0), with(0.05), with(0.1)] };
        update_scores(&mut pool, &[false, true, false, false, false], &[false, false, true, false, false]);
        let scores: Vec<f64> = pool.players.iter().map(|published| published.score).collect();
        assert_eq!(scores, [0.9, 1.0, 2.0, OLD, OLD]);
    }
}

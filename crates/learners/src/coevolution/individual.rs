//! Individual learning (section 3.1): a parent and its mutated copy play for survival.

use ludens_core::math::quick::ln;
use ludens_core::{Game, Rng};
use rayon::prelude::*;

use super::connect_four::Spent;
use super::contest::{Fighter, duel, starts};
use super::network::Player;
use super::numeric::normal_pair;
use super::settings::Settings;
use super::social::Pool;

/// "In fact, player 2 is just a copy of player 1 with some mutation."
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// Player 1.
    pub parent: Player,
    /// Player 2.
    pub offspring: Player,
    /// The pool player the parent's line was copied from.
    pub origin: Option<usize>,
}

impl Pair {
    pub(crate) fn of(parent: Player, settings: &Settings, origin: Option<usize>, rng: &mut Rng) -> Pair {
        let offspring = mutant(&parent, settings, rng);
        Pair { parent, offspring, origin }
    }
}

fn mutant(parent: &Player, settings: &Settings, rng: &mut Rng) -> Player {
    parent.mutated((settings.smallest_step, settings.largest_step), rng).without(&settings.without)
}

/// One generation of one pair: the games, then a mutant of the winner in the place of the loser. True where the
/// points differed. `rate` is how far a parent moves where offspring are recombined.
pub fn generation<G: Game>(
    game: &G,
    (settings, rate): (&Settings, f32),
    pair: &mut Pair,
    pool: &Pool,
    rng: &mut Rng,
    spent: &mut Spent,
) -> bool {
    if settings.offspring > 1 {
        return recombination(game, (settings, rate), pair, pool, rng, spent);
    }
    let depth = settings.depth;
    let starts = starts(game, settings.openings, settings.opening_plies, rng);
    let mut parent = Fighter::new(game, &pair.parent, depth);
    let mut offspring = Fighter::new(game, &pair.offspring, depth);
    let [mut for_parent, mut for_offspring] =
        duel(game, &mut parent, &mut offspring, &starts, depth, rng, spent);
    for rival in pool.rivals(settings, rng) {
        // Both meet the same rivals on the same openings with the same dice.
        let mut rival = Fighter::new(game, rival, depth);
        let dice = rng.split();
        for (player, total) in [(&mut parent, &mut for_parent), (&mut offspring, &mut for_offspring)] {
            *total += duel(game, player, &mut rival, &starts, depth, &mut dice.clone(), spent)[0];
        }
    }
    let decided = for_parent != for_offspring;
    let offspring_wins =
        if decided { for_offspring > for_parent } else { !settings.keep_parent && rng.chance(0.5) };
    if offspring_wins {
        std::mem::swap(&mut pair.parent, &mut pair.offspring);
    }
    pair.offspring = mutant(&pair.parent, settings, rng);
    decided
}

/// Beyond the paper: many offspring, mutated in mirrored pairs, meet the parent and the same rivals on the same openings; the
/// next parent is the parent moved by the mean of the better half's mutations, the best weighing most. True where the
/// best was better than the worst.
fn recombination<G: Game>(
    game: &G,
    (settings, rate): (&Settings, f32),
    pair: &mut Pair,
    pool: &Pool,
    rng: &mut Rng,
    spent: &mut Spent,
) -> bool {
    let starts = starts(game, settings.openings, settings.opening_plies, rng);
    let mut rivals = vec![&pair.parent];
    rivals.extend(pool.rivals(settings, rng));
    let dice = rng.split();
    let mutations: Vec<Vec<f32>> =
        (0..settings.offspring.div_ceil(2)).flat_map(|_| mirrored_mutations(&pair.parent, rng)).collect();
    let stop = &spent.stop;
    let judged: Vec<(i32, Spent)> = mutations
        .par_iter()
        .map(|mutation| {
            let mut spent = Spent::watched(stop);
            if stop.check().is_err() {
                return (0, spent);
            }
            let moved = pair.parent.moved(mutation, 1.0).without(&settings.without);
            let mut offspring = Fighter::new(game, &moved, settings.depth);
            let total = rivals.iter().map(|rival| {
                let mut rival = Fighter::new(game, rival, settings.depth);
                let mut dice = dice.clone();
                duel(game, &mut offspring, &mut rival, &starts, settings.depth, &mut dice, &mut spent)[0]
            });
            (total.sum(), spent)
        })
        .collect();
    for (_, more) in &judged {
        spent.add(more);
    }
    let mut ranked: Vec<usize> = (0..judged.len()).collect();
    ranked.sort_by(|&a, &b| judged[b].0.cmp(&judged[a].0).then(a.cmp(&b)));
    let decided = judged[ranked[0]].0 > judged[ranked[ranked.len() - 1]].0;
    if decided {
        let better = ranked.len() / 2;
        let weight = |rank: usize| ln((better as f64 + 0.5) / (rank as f64 + 1.0));
        let total: f64 = (0..better).map(weight).sum();
        let mut parent = pair.parent.clone();
        for (rank, &index) in ranked[..better].iter().enumerate() {
            parent = parent.moved(&mutations[index], rate * (weight(rank) / total) as f32);
        }
        for weight in &mut parent.weights {
            *weight *= 1.0 - rate * settings.shrink;
        }
        pair.parent = parent.without(&settings.without);
    }
    pair.offspring = pair.parent.clone();
    decided
}

/// σ·N and its negative.
fn mirrored_mutations(parent: &Player, rng: &mut Rng) -> [Vec<f32>; 2] {
    let mut mutation = Vec::with_capacity(parent.steps.len() + 1);
    while mutation.len() < parent.steps.len() {
        let (a, b) = normal_pair(rng);
        mutation.extend([a as f32, b as f32]);
    }
    mutation.truncate(parent.steps.len());
    for (change, step) in mutation.iter_mut().zip(&parent.steps) {
        *change *= step;
    }
    let negative = mutation.iter().map(|change| -change).collect();
    [mutation, negative]
}

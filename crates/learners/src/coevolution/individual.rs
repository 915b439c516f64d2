//! Individual learning (section 3.1): a parent and its mutated copy play for survival.

use ludens_core::{Game, Rng};

use super::connect_four::Spent;
use super::contest::{Fighter, duel, starts};
use super::network::Player;
use super::settings::Settings;
use super::social::Pool;

/// "In fact, player 2 is just a copy of player 1 with some mutation."
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    pub parent: Player,
    pub offspring: Player,
    /// The pool player the parent's line was copied from.
    pub origin: Option<usize>,
}

impl Pair {
    pub fn of(parent: Player, settings: &Settings, origin: Option<usize>, rng: &mut Rng) -> Pair {
        let offspring = parent.mutated(settings.smallest_step, rng);
        Pair { parent, offspring, origin }
    }
}

/// One generation of one pair: the games, then a mutant of the winner in the place of the loser. True where the
/// points differed.
pub fn generation<G: Game>(
    game: &G,
    settings: &Settings,
    pair: &mut Pair,
    pool: &Pool,
    rng: &mut Rng,
    spent: &mut Spent,
) -> bool {
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
    pair.offspring = pair.parent.mutated(settings.smallest_step, rng);
    decided
}

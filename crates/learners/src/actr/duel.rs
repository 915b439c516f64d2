//! Whole games between two players that are known by their types: the inner loop of every training and every test
//! here. The arena does the same for minds known by name.

use ludens_core::{Game, Move, Rng, Side};
use ludens_games::backgammon::{Backgammon, Position};
use serde::{Deserialize, Serialize};

/// Somebody who picks a play.
pub trait Picker {
    /// A legal play of the roll on the table. `rng` is the picker's own stream, apart from the dice.
    fn pick(&mut self, state: &Position, rng: &mut Rng) -> Move;

    /// What the table looks like after any play, the picker's own or the other's.
    fn observe(&mut self, _before: &Position, _mv: Move, _after: &Position) {}
}

impl Picker for super::pubeval::Pubeval {
    #[inline]
    fn pick(&mut self, state: &Position, _rng: &mut Rng) -> Move {
        self.best(state).0
    }
}

/// Games between sensible players end within 300 plays; two that only run in circles are stopped.
pub const LONGEST: usize = 2_000;

/// One game; `first` sits in the first seat. The dice depend on `dice` alone, not on what the players draw. `None`: the game
/// was stopped after [`LONGEST`] plays.
pub fn play_game(
    first: &mut dyn Picker,
    second: &mut dyn Picker,
    dice: &mut Rng,
    rng: &mut Rng,
) -> Option<Side> {
    let mut state = Backgammon.start();
    for _ in 0..LONGEST {
        state.roll_dice(dice);
        let picker: &mut dyn Picker = if state.mover() == Side::First { first } else { second };
        let mv = picker.pick(&state, rng);
        let after = state.after(mv);
        first.observe(&state, mv, &after);
        second.observe(&state, mv, &after);
        state = after;
        if let Some(winner) = state.winner() {
            return Some(winner);
        }
    }
    None
}

/// Games won of games played, with the 95 % interval of Wilson.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Tally {
    pub games: u64,
    pub wins: u64,
}

impl Tally {
    pub fn share(&self) -> f64 {
        self.wins as f64 / self.games.max(1) as f64
    }

    pub fn interval(&self) -> (f64, f64) {
        let (n, p, z) = (self.games.max(1) as f64, self.share(), 1.959_964);
        let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        (centre - half, centre + half)
    }
}

/// `player` against `opponent`, seats swapped from game to game; game number g of a seed has its own dice.
pub fn duel(player: &mut dyn Picker, opponent: &mut dyn Picker, games: u64, seed: u64) -> Tally {
    let mut tally = Tally::default();
    for game in 0..games {
        let mut dice = Rng::stream(seed, 2 * game);
        let mut rng = Rng::stream(seed, 2 * game + 1);
        let won = if game % 2 == 0 {
            play_game(player, opponent, &mut dice, &mut rng) == Some(Side::First)
        } else {
            play_game(opponent, player, &mut dice, &mut rng) == Some(Side::Second)
        };
        tally.games += 1;
        tally.wins += u64::from(won);
    }
    tally
}

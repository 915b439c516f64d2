//! Whole games between two players that are known by their types: the inner loop of every training and every test
//! here. The arena does the same for minds known by name.
//!
//! It is separate from `ludens_core::play_on` for speed: a play here is picked from the position alone, without a ranking, a meter or a list of
//! candidates, and a training plays a million games.

pub use ludens_core::Tally;
use ludens_core::{Game, Move, Rng, Score, Side};
use ludens_games::backgammon::{Backgammon, Position};

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

/// One game from `start`; `first` sits in the first seat. The dice depend on `dice` alone, not on what the players draw. `None`: the game
/// was stopped after [`LONGEST`] plays.
pub fn play_game(
    start: Position,
    first: &mut dyn Picker,
    second: &mut dyn Picker,
    dice: &mut Rng,
    rng: &mut Rng,
) -> Option<Side> {
    let mut state = start;
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

/// `player` against `opponent`, seats swapped from game to game; game number g of a seed has its own dice.
pub fn duel(player: &mut dyn Picker, opponent: &mut dyn Picker, games: u64, seed: u64) -> Tally {
    duel_from(player, opponent, games, seed, |_| Backgammon.start())
}

/// As [`duel`], from a start that may depend on the player's seat.
pub fn duel_from(
    player: &mut dyn Picker,
    opponent: &mut dyn Picker,
    games: u64,
    seed: u64,
    start: impl Fn(Side) -> Position,
) -> Tally {
    let mut tally = Tally::default();
    for game in 0..games {
        let mut dice = Rng::stream(seed, 2 * game);
        let mut rng = Rng::stream(seed, 2 * game + 1);
        let (seat, winner) = if game % 2 == 0 {
            (Side::First, play_game(start(Side::First), player, opponent, &mut dice, &mut rng))
        } else {
            (Side::Second, play_game(start(Side::Second), opponent, player, &mut dice, &mut rng))
        };
        tally.add(winner.map_or(0.0, |winner| Score::win_for(winner).of(seat)));
    }
    tally
}

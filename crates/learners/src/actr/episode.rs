//! A game as a learner remembers it: the position after each play, whose it was, and who won.

use ludens_core::{Model, ModelError, Rng, Side};
use ludens_games::backgammon::{Backgammon, Men};

use super::duel::{LONGEST, Picker};
use ludens_core::Game;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Who had just played.
    pub side: Side,
    pub own: Men,
    pub other: Men,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Episode {
    pub moments: Vec<Moment>,
    pub winner: Side,
}

/// Plays one game and remembers it; the last position, which is decided, is left out. A game that only runs in circles is
/// given to the side that has fewer pips to go.
pub fn record(first: &mut dyn Picker, second: &mut dyn Picker, dice: &mut Rng, rng: &mut Rng) -> Episode {
    let mut state = Backgammon.start();
    let mut moments = Vec::with_capacity(96);
    while moments.len() < LONGEST {
        state.roll_dice(dice);
        let side = state.mover();
        let picker: &mut dyn Picker = if side == Side::First { &mut *first } else { &mut *second };
        state = state.after(picker.pick(&state, rng));
        if let Some(winner) = state.winner() {
            return Episode { moments, winner };
        }
        moments.push(Moment { side, own: *state.men(side), other: *state.men(side.other()) });
    }
    let ahead = state.men(Side::First).pips() <= state.men(Side::Second).pips();
    Episode { moments, winner: if ahead { Side::First } else { Side::Second } }
}

/// Something that estimates how likely the player who has just moved wins, and can be taught.
pub trait Estimator {
    /// Moves the estimate of a moment towards `target(estimate)`, and gives the estimate before that.
    fn teach(&mut self, moment: &Moment, target: f32, rate: f32) -> f32;
}

/// One pass of TD(λ) in the forward view, from the end of the game backwards: the target of a position mixes the estimate of
/// the next one with the next one's own target.
pub fn rehearse(estimator: &mut impl Estimator, episode: &Episode, lambda: f32, rate: f32) {
    // All in terms of the first player's chances.
    let outcome = if episode.winner == Side::First { 1.0f32 } else { 0.0 };
    let (mut target, mut next) = (outcome, outcome);
    for moment in episode.moments.iter().rev() {
        target = (1.0 - lambda) * next + lambda * target;
        let of_first = moment.side == Side::First;
        let estimate = estimator.teach(moment, if of_first { target } else { 1.0 - target }, rate);
        next = if of_first { estimate } else { 1.0 - estimate };
    }
}

/// The episodes as tensors: the counts of every moment, and where each game ends.
pub fn save(episodes: &[Episode], model: &mut Model) {
    let mut moments: Vec<u8> = Vec::new();
    let mut ends: Vec<u64> = Vec::new();
    for episode in episodes {
        for moment in &episode.moments {
            moments.push(moment.side as u8);
            moments.extend(moment.own.counts());
            moments.extend(moment.other.counts());
        }
        ends.push(episode.moments.len() as u64);
        ends.push(episode.winner as u64);
    }
    model.put_u8("episodes.moments", &[moments.len() / ROW, ROW], &moments);
    model.put_u64("episodes.ends", &[episodes.len(), 2], &ends);
}

const ROW: usize = 53;

pub fn load(model: &Model) -> Result<Vec<Episode>, ModelError> {
    let damaged = || ModelError::Missing { what: "the remembered games".into() };
    let games = model.len_of("episodes.ends") / 2;
    let ends = model.u64s("episodes.ends", games * 2)?;
    let rows = model.len_of("episodes.moments");
    let mut moments = model.u8s("episodes.moments", rows)?.chunks_exact(ROW);
    let side_of = |number: u64| match number {
        0 => Ok(Side::First),
        1 => Ok(Side::Second),
        _ => Err(damaged()),
    };
    let mut episodes = Vec::with_capacity(games);
    for end in ends.chunks_exact(2) {
        let mut episode = Episode { moments: Vec::new(), winner: side_of(end[1])? };
        for _ in 0..end[0] {
            let row = moments.next().ok_or_else(damaged)?;
            let counts = |from: usize| -> [u8; 26] { std::array::from_fn(|point| row[from + point]) };
            let (own, other) = (Men::from_counts(&counts(1)), Men::from_counts(&counts(27)));
            episode.moments.push(Moment { side: side_of(u64::from(row[0]))?, own, other });
        }
        episodes.push(episode);
    }
    Ok(episodes)
}

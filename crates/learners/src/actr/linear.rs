//! The paper's features as a plain sum: a weight for every attack, exposed man and block, with no memory, no matching and no odds behind it. It
//! learns nothing by itself; whoever sets its weights finds out what the features can reach.

use ludens_core::{Move, Rng, math};
use ludens_games::backgammon::Position;

use super::duel::Picker;
use super::features::{self, ATTACK, BLOCK, EXPOSE};
use super::odds::{Feature, OddsMemory};
use super::pubeval::Pubeval;
use super::settings::Settings;

/// Opponents ahead in classes: none, 1–2, 3–5, 6–9, 10–15; each stands for the number in the middle.
const MIDDLES: [u8; CLASSES] = [0, 2, 4, 8, 12];
const CLASSES: usize = 5;
const POINTS: usize = 24;
const SIZES: usize = 6;
const EXPOSES: usize = POINTS;
const BLOCKS: usize = EXPOSES + POINTS * CLASSES;
/// Weights, those of blocks that no board can have included.
pub const WEIGHTS: usize = BLOCKS + POINTS * CLASSES * SIZES;

fn class(ahead: u8) -> usize {
    match ahead {
        0 => 0,
        1..=2 => 1,
        3..=5 => 2,
        6..=9 => 3,
        _ => 4,
    }
}

#[inline]
fn index(feature: Feature) -> usize {
    let [point, ahead, size, _] = feature.slots;
    let point = usize::from(point) - 1;
    match feature.kind {
        ATTACK => point,
        EXPOSE => EXPOSES + point * CLASSES + class(ahead),
        _ => BLOCKS + (point * CLASSES + class(ahead)) * SIZES + usize::from(size) - 1,
    }
}

/// One feature for every weight that a board can ask for.
fn all() -> impl Iterator<Item = Feature> {
    let points = || 1..=POINTS as u8;
    let attacks = points().map(|point| Feature { kind: ATTACK, slots: [point, 0, 0, 0] });
    let exposes =
        points().flat_map(|point| MIDDLES.map(|ahead| Feature { kind: EXPOSE, slots: [point, ahead, 0, 0] }));
    let blocks = points().flat_map(|point| {
        let sizes = 1..=point.min(SIZES as u8);
        sizes.flat_map(move |size| {
            MIDDLES.map(|ahead| Feature { kind: BLOCK, slots: [point, ahead, size, 0] })
        })
    });
    attacks.chain(exposes).chain(blocks)
}

/// Weights that some board asks for.
pub fn asked() -> usize {
    all().count()
}

/// The logarithms of the odds of a memory, as weights.
pub fn log_odds(memory: &OddsMemory) -> Vec<f32> {
    let mut weights = vec![0.0; WEIGHTS];
    for feature in all() {
        weights[index(feature)] = math::ln(memory.recollect(feature).odds) as f32;
    }
    weights
}

/// The player: the play with the largest sum, the first listed of equals.
#[derive(Clone, Debug)]
pub struct Linear {
    /// [`WEIGHTS`] of them.
    pub weights: Vec<f32>,
    /// Who plays the races; without him the features do, which tell few of their plays apart.
    races: Option<Pubeval>,
    settings: Settings,
    plays: Vec<Move>,
    found: Vec<Feature>,
}

impl Linear {
    /// One with these weights; with `races`, pubeval plays its races.
    pub fn new(weights: Vec<f32>, races: bool) -> Linear {
        Linear {
            weights,
            races: races.then(Pubeval::default),
            settings: Settings::default(),
            plays: Vec::new(),
            found: Vec::new(),
        }
    }
}

impl Picker for Linear {
    fn pick(&mut self, state: &Position, _: &mut Rng) -> Move {
        if let Some(pubeval) = self.races.as_mut().filter(|_| !state.contact()) {
            return pubeval.best(state).0;
        }
        state.plays(&mut self.plays);
        let mut best = (f32::NEG_INFINITY, self.plays[0]);
        for &mv in self.plays.iter().filter(|_| self.plays.len() > 1) {
            features::features(state, mv, &state.after(mv), &self.settings, &mut self.found);
            let sum = self.found.iter().map(|&feature| self.weights[index(feature)]).sum();
            if sum > best.0 {
                best = (sum, mv);
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Game;
    use ludens_games::backgammon::Backgammon;

    #[test]
    fn every_feature_has_a_weight_of_its_own() {
        let mut indices: Vec<usize> = all().map(index).collect();
        assert!(indices.iter().all(|&index| index < WEIGHTS));
        indices.sort_unstable();
        indices.dedup();
        assert_eq!(indices.len(), asked());
    }

    /// A weight on blocks of two up to point 20 makes it play 8/5 6/5.
    #[test]
    fn it_plays_for_what_weighs() {
        let state = Backgammon.parse("4HPwATDgc/ABMA:31").expect("a position");
        let mut player = Linear::new(vec![0.0; WEIGHTS], false);
        player.weights[index(Feature { kind: BLOCK, slots: [20, 2, 2, 0] })] = 1.0;
        let mv = player.pick(&state, &mut Rng::new(0));
        assert_eq!(mv, Backgammon.find_move(&state, "8/5 6/5").expect("a play"));
    }
}

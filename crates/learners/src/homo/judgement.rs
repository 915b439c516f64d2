//! The judgement: the log odds of winning are the sum of the weights of what is there. It learns from positions with a winning chance, one
//! after the other, each weight by its share; weights that were right long move little.

use ludens_core::{Rng, math};

use super::active::Active;
use super::chunks::Chunks;
use super::eye::{Eye, Seen};
use super::settings::Settings;
use super::whole::{Glance, Whole};

/// A position and how likely the first player wins it.
#[derive(Clone, PartialEq, Debug)]
pub struct Example {
    /// As it was seen.
    pub seen: Seen,
    /// From 0 to 1.
    pub chance: f32,
    /// The round it is from.
    pub round: u32,
    /// Where its chance comes from.
    pub by: By,
}

/// Where the chance of an example comes from when it is thought of anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// It stays as it is.
    Kept,
    /// From the example remembered before it, which came after it in its game.
    Before,
    /// From the judgement itself: the game went no further in its head. Nothing is learnt from it, but from those that lead to it.
    Judged,
}

impl By {
    /// In the order of their numbers in a file.
    pub const ALL: [By; 3] = [By::Kept, By::Before, By::Judged];
}

/// The weights of one sibling.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Weights {
    /// By chunk.
    pub of: Vec<f32>,
    /// The squares of the gradients so far, by chunk.
    pub steps: Vec<f32>,
    /// The view of the whole.
    pub whole: Whole,
}

/// No judgement is surer than this, in log odds.
pub const SUREST: f32 = 12.0;
/// What a gradient of the past still counts after a round.
const FADE: f32 = 0.9;

/// The chance for log odds.
pub fn chance(log_odds: f32) -> f32 {
    1.0 / (1.0 + math::exp_f32(-log_odds.clamp(-SUREST, SUREST)))
}

/// The log odds for a chance.
pub fn log_odds(chance: f32) -> f32 {
    let chance = chance.clamp(1e-4, 1.0 - 1e-4);
    math::ln_f32(chance / (1.0 - chance))
}

impl Weights {
    /// As many as there are chunks; new ones begin where their like began (`start`).
    pub fn grow(&mut self, chunks: &Chunks, start: &dyn Fn(usize) -> f32) {
        for number in self.of.len()..chunks.list.len() {
            self.of.push(start(number));
            self.steps.push(0.0);
        }
    }

    /// What past gradients count fades.
    pub fn fade(&mut self) {
        self.steps.iter_mut().for_each(|steps| *steps *= FADE);
    }

    /// One pass through the examples in a drawn order; the mean of the squared errors before.
    pub fn learn(
        &mut self,
        (eye, settings, chunks): (&Eye, &Settings, &Chunks),
        examples: &[Example],
        rng: &mut Rng,
    ) -> f64 {
        let mut order: Vec<u32> = (0..examples.len() as u32).collect();
        rng.shuffle(&mut order);
        let (mut active, mut terms) = (Active::default(), Vec::new());
        let mut squares = 0.0;
        let mut glance = Glance::default();
        for place in order {
            let Example { seen, chance: target, .. } = &examples[place as usize];
            chunks.activate(eye, settings, seen, &mut active);
            terms.clear();
            chunks.each(seen, &mut active, |chunk, sign| terms.push((chunk, sign)));
            let sum: f32 = terms.iter().map(|(chunk, sign)| sign * self.of[*chunk as usize]).sum();
            let image =
                if self.whole.rows.is_empty() { 0 } else { rng.below(eye.turns(seen) as u32) as usize };
            let sum = sum + self.whole.look(eye, seen, image, &mut glance);
            let error = target - chance(sum);
            squares += f64::from(error * error);
            for &(chunk, sign) in &terms {
                let (weight, steps) = (&mut self.of[chunk as usize], &mut self.steps[chunk as usize]);
                let slope = error * sign - settings.pull * *weight;
                *steps += slope * slope;
                *weight += settings.rate * slope / (1.0 + *steps).sqrt();
            }
            self.whole.learn(&glance, error, settings.whole_rate);
        }
        squares / examples.len().max(1) as f64
    }

    /// Towards others by a share.
    pub fn approach(&mut self, other: &Weights, share: f32) {
        for (own, other) in self.of.iter_mut().zip(&other.of) {
            *own += share * (other - *own);
        }
        self.whole.approach(&other.whole, share);
    }
}

/// Weights laid out for play.
#[derive(Clone, Default, Debug)]
pub struct Judge {
    /// By chunk.
    pub weights: Vec<f32>,
    worths: Vec<f32>,
    /// The view of the whole.
    pub whole: Whole,
}

impl Judge {
    /// By these weights.
    pub fn new(chunks: &Chunks, weights: Vec<f32>, whole: Whole) -> Judge {
        Judge { worths: chunks.worths(&weights), weights, whole }
    }

    /// The log odds of the first player.
    pub fn log_odds(
        &self,
        (eye, settings, chunks): (&Eye, &Settings, &Chunks),
        seen: &Seen,
        active: &mut Active,
    ) -> f32 {
        chunks.activate(eye, settings, seen, active);
        let sum = chunks.sum(&self.weights, &self.worths, seen, active);
        sum + self.whole.look(eye, seen, 0, &mut active.glance)
    }
}

//! The first inclination: what a move looks like, before it is made. A move is judged by the contexts through the cells it goes to and comes
//! from, with their contents; what a search preferred in such contexts it inclines to. It costs no state and says where to look first.

use ludens_core::{Model, ModelError, NO_CELL, Rng, math};
use rustc_hash::FxHashMap;

use super::chunks::NONE;
use super::contents::{form, moved, raw};
use super::eye::{Eye, Seen};
use super::settings::Settings;

/// Features at most.
const MOST: usize = 60_000;
/// Contents whose features are kept at hand.
const MOST_KNOWN: usize = 1 << 20;
/// A feature of the place begins after the form.
const PLACE: u64 = 1 << 63;
/// A move comes from a cell, goes to one, or opens one.
const FROM: u8 = 1;
const TO: u8 = 0;
const OPENS: u8 = 2;

/// A decision to learn from.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The position.
    pub seen: Seen,
    /// Where each move comes from and goes to.
    pub ends: Vec<[u16; 2]>,
    /// What share of the search went to it.
    pub shares: Vec<f32>,
    /// The round it is from.
    pub round: u32,
}

/// What it inclines to.
#[derive(Default, Debug)]
pub struct Inclination {
    numbers: FxHashMap<u64, u32>,
    keys: Vec<u64>,
    weights: Vec<f32>,
    steps: Vec<f32>,
    /// The features of contents at a place, looked up once; forgotten when there are new ones.
    known: FxHashMap<(u64, u8), [u32; 2]>,
    powers: Vec<u64>,
}

/// Room for a look.
#[derive(Default, Debug)]
pub struct Urge {
    features: Vec<u32>,
    ends: Vec<usize>,
    /// How likely it would play each move.
    pub shares: Vec<f32>,
}

impl Inclination {
    /// None yet.
    pub fn new(eye: &Eye) -> Inclination {
        Inclination { powers: (0..8).map(|i| eye.base().pow(i)).collect(), ..Inclination::default() }
    }

    /// How many features it has.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The form and the place of contents around a cell.
    fn keys_of(&self, eye: &Eye, (context, at, role): (u32, u8, u8), mover: u8, code: u64) -> [u64; 2] {
        let cells = eye.contexts[context as usize].cells.len();
        let digits: Vec<u8> =
            self.powers[..cells].iter().map(|power| (code / power % self.powers[1]) as u8).collect();
        // Where in a run the move is matters, for decisive sets it does not.
        let place =
            if eye.contexts[context as usize].decisive { 0 } else { u64::from(at.min(cells as u8 - 1 - at)) };
        let form = form(eye, context as usize, mover, &digits) * 32 + place * 4 + u64::from(role) + 1;
        let key = raw(context, mover, code);
        let image = |image: usize| {
            let (key, _) = moved(eye, key, image, &self.powers)?;
            let at = if image == 0 {
                at
            } else {
                eye.moved[image - 1][context as usize].as_ref()?.1[usize::from(at)]
            };
            Some(key << 5 | u64::from(at) << 2 | u64::from(role))
        };
        let place = (0..=eye.images.len()).filter_map(image).min().unwrap_or(0);
        [form & !PLACE, place | PLACE]
    }

    fn number(&mut self, key: u64) -> u32 {
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        if self.keys.len() >= MOST {
            return NONE;
        }
        self.keys.push(key);
        self.weights.push(0.0);
        self.steps.push(0.0);
        self.numbers.insert(key, self.keys.len() as u32 - 1);
        self.keys.len() as u32 - 1
    }

    /// The features of every move, in `urge`; new ones are added where it learns.
    fn features(
        &mut self,
        eye: &Eye,
        settings: &Settings,
        seen: &Seen,
        ends: &[[u16; 2]],
        urge: &mut Urge,
        learns: bool,
    ) {
        urge.features.clear();
        urge.ends.clear();
        for pair in ends {
            let opened = eye.opens.get(usize::from(pair[1])).copied().unwrap_or(NO_CELL);
            for (cell, role) in [(pair[0], FROM), (pair[1], TO), (opened, OPENS)]
                .into_iter()
                .filter(|(cell, _)| *cell != NO_CELL)
            {
                for &(context, at) in &eye.through[usize::from(cell)] {
                    let cells = &eye.contexts[context as usize].cells;
                    let code = cells
                        .iter()
                        .zip(&self.powers)
                        .map(|(cell, power)| u64::from(seen.digits[usize::from(*cell)]) * power)
                        .sum();
                    let key = (raw(context, seen.mover, code), at << 2 | role);
                    let found = match self.known.get(&key) {
                        Some(found) if !learns || !found.contains(&NONE) => *found,
                        _ => {
                            let keys = self.keys_of(eye, (context, at, role), seen.mover, code);
                            let found = keys.map(|key| {
                                if learns {
                                    self.number(key)
                                } else {
                                    self.numbers.get(&key).copied().unwrap_or(NONE)
                                }
                            });
                            self.known.insert(key, found);
                            found
                        }
                    };
                    urge.features.extend(
                        found[usize::from(!settings.general)..].iter().filter(|number| **number != NONE),
                    );
                }
            }
            urge.ends.push(urge.features.len());
        }
    }

    /// How likely it would play each move, before any is made.
    pub fn incline(
        &mut self,
        eye: &Eye,
        settings: &Settings,
        seen: &Seen,
        ends: &[[u16; 2]],
        urge: &mut Urge,
    ) {
        if self.known.len() > MOST_KNOWN {
            self.known.clear();
        }
        self.features(eye, settings, seen, ends, urge, false);
        self.shares(urge);
    }

    fn shares(&self, urge: &mut Urge) {
        let mut from = 0;
        urge.shares.clear();
        for &end in &urge.ends {
            let sum =
                urge.features[from..end].iter().map(|feature| self.weights[*feature as usize]).sum::<f32>();
            urge.shares.push(sum);
            from = end;
        }
        let most = urge.shares.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        urge.shares.iter_mut().for_each(|share| *share = math::exp_f32((*share - most).max(-30.0)));
        let sum: f32 = urge.shares.iter().sum();
        urge.shares.iter_mut().for_each(|share| *share /= sum);
    }

    /// One pass through the choices in a drawn order.
    pub fn learn(&mut self, eye: &Eye, settings: &Settings, choices: &[Choice], rng: &mut Rng) {
        let mut order: Vec<u32> = (0..choices.len() as u32).collect();
        rng.shuffle(&mut order);
        let mut urge = Urge::default();
        let before = self.keys.len();
        for place in order {
            let choice = &choices[place as usize];
            self.features(eye, settings, &choice.seen, &choice.ends, &mut urge, true);
            self.shares(&mut urge);
            let mut from = 0;
            for (move_at, &end) in urge.ends.iter().enumerate() {
                let error = choice.shares[move_at] - urge.shares[move_at];
                for &feature in &urge.features[from..end] {
                    let (weight, steps) =
                        (&mut self.weights[feature as usize], &mut self.steps[feature as usize]);
                    let slope = error - settings.pull * *weight;
                    *steps += slope * slope;
                    *weight += settings.rate * slope / (1.0 + *steps).sqrt();
                }
                from = end;
            }
        }
        if self.keys.len() != before || self.known.len() > MOST_KNOWN {
            self.known.clear();
        }
    }

    /// Into a model.
    pub fn save(&self, model: &mut Model, whole: bool) {
        let count = self.keys.len();
        model.put_u64("inclination.keys", &[count], &self.keys);
        model.put_f32("inclination.weights", &[count], &self.weights);
        if whole {
            model.put_f32("inclination.steps", &[count], &self.steps);
        }
    }

    /// From a model.
    pub fn load(eye: &Eye, model: &Model) -> Result<Inclination, ModelError> {
        let count = model.len_of("inclination.keys");
        let mut inclination = Inclination::new(eye);
        for key in model.u64s("inclination.keys", count)? {
            inclination.number(*key);
        }
        let wrong = || ModelError::Missing { what: "inclinations, each once".into() };
        if inclination.keys.len() != count {
            return Err(wrong());
        }
        inclination.weights = model.f32s("inclination.weights", count)?.to_vec();
        if let Ok(steps) = model.f32s("inclination.steps", count) {
            inclination.steps = steps.to_vec();
        }
        if inclination.weights.iter().chain(&inclination.steps).any(|value| !value.is_finite()) {
            return Err(wrong());
        }
        Ok(inclination)
    }
}

//! The view of the whole: a hidden layer over everything that is seen, beside the sum of the chunks. What lies on a cell is a row of numbers; the
//! rows of a position are added up, each sum is squashed and weighed, and what comes of it is a correction of the log odds. It is learnt from the same
//! errors as the weights of the chunks, by the position as who moves sees it, where an image of the board exchanges the sides.

use ludens_core::{Rng, math};

use super::eye::{Eye, NOBODY, Seen};

/// Hidden units.
pub const WIDTH: usize = 64;
/// How far from nothing weights begin.
const FIRST_WEIGHTS: f64 = 0.1;

/// The numbers of one row.
pub type Row = [f32; WIDTH];

/// The layer.
#[derive(Clone, PartialEq, Debug)]
pub struct Whole {
    /// By cell and digit; then who moves. None where it does not look at the whole.
    pub rows: Vec<Row>,
    /// What each hidden unit counts.
    pub out: Row,
}

impl Default for Whole {
    fn default() -> Whole {
        Whole { rows: Vec::new(), out: [0.0; WIDTH] }
    }
}

/// Room for a look.
#[derive(Debug)]
pub struct Glance {
    rows: Vec<u32>,
    hidden: Row,
    sign: f32,
}

impl Default for Glance {
    fn default() -> Glance {
        Glance { rows: Vec::new(), hidden: [0.0; WIDTH], sign: 1.0 }
    }
}

impl Whole {
    /// One that has learnt nothing: its correction is small.
    pub fn new(eye: &Eye) -> Whole {
        let count = eye.digits() * eye.base() as usize + 2;
        let drawn = |unit: u64| {
            let mut rng = Rng::stream(0x3017, unit);
            std::array::from_fn(|_| ((2.0 * rng.unit() - 1.0) * FIRST_WEIGHTS) as f32)
        };
        Whole { rows: (0..count as u64).map(drawn).collect(), out: drawn(u64::MAX) }
    }

    /// The log odds that it adds for the first player; `image` is how the position is turned (0: not at all).
    pub fn look(&self, eye: &Eye, seen: &Seen, image: usize, glance: &mut Glance) -> f32 {
        if self.rows.is_empty() {
            return 0.0;
        }
        glance.sign = eye.whole(seen, image, &mut glance.rows);
        let mut sum = [0.0; WIDTH];
        for row in &glance.rows {
            sum.iter_mut().zip(&self.rows[*row as usize]).for_each(|(sum, value)| *sum += value);
        }
        let mut all = 0.0;
        for (sum, out) in sum.iter_mut().zip(&self.out) {
            *sum = 1.0 / (1.0 + math::exp_f32(-*sum));
            all += *sum * out;
        }
        glance.hidden = sum;
        glance.sign * all
    }

    /// Learns from an error of the chance, after a look.
    pub fn learn(&mut self, glance: &Glance, error: f32, rate: f32) {
        if self.rows.is_empty() {
            return;
        }
        let error = rate * error * glance.sign;
        let mut slopes = [0.0; WIDTH];
        for ((slope, hidden), out) in slopes.iter_mut().zip(&glance.hidden).zip(&mut self.out) {
            *slope = error * *out * hidden * (1.0 - hidden);
            *out += error * hidden;
        }
        for row in &glance.rows {
            self.rows[*row as usize].iter_mut().zip(&slopes).for_each(|(value, slope)| *value += slope);
        }
    }

    /// Towards another by a share.
    pub fn approach(&mut self, other: &Whole, share: f32) {
        let towards = |own: &mut f32, other: &f32| *own += share * (other - *own);
        for (own, other) in self.rows.iter_mut().zip(&other.rows) {
            own.iter_mut().zip(other).for_each(|(own, other)| towards(own, other));
        }
        self.out.iter_mut().zip(&other.out).for_each(|(own, other)| towards(own, other));
    }
}

impl Eye {
    /// The rows of a position, as who moves sees it where an image exchanges the sides; + where that is the first player.
    fn whole(&self, seen: &Seen, image: usize, rows: &mut Vec<u32>) -> f32 {
        rows.clear();
        let turned = self.views[usize::from(seen.mover == 1)].get(image).copied().flatten();
        let (cells, base) = (self.cells, self.base() as u32);
        for (at, &digit) in seen.digits.iter().enumerate() {
            let (at, digit) = match turned.map(|image| &self.images[image as usize]) {
                None => (at, digit),
                Some(image) => {
                    let digit = if image.swaps { self.swapped[usize::from(digit)] } else { digit };
                    let at = match at {
                        _ if at < cells => usize::from(image.cells[at]),
                        _ if at < 2 * cells => usize::from(image.cells[at - cells]) + cells,
                        _ if image.swaps => 2 * cells + ((at - 2 * cells) ^ 1),
                        _ => at,
                    };
                    (at, digit)
                }
            };
            let first = at as u32 * base;
            rows.extend(self.atleast[usize::from(digit)].iter().map(|digit| first + u32::from(*digit)));
        }
        let swaps = turned.is_some_and(|image| self.images[image as usize].swaps);
        if seen.mover != NOBODY {
            let mover = u32::from(seen.mover == 1) ^ u32::from(swaps);
            rows.push(self.digits() as u32 * base + mover);
        }
        if swaps { -1.0 } else { 1.0 }
    }

    /// In how many ways a position can be turned for who moves.
    pub fn turns(&self, seen: &Seen) -> usize {
        self.views[usize::from(seen.mover == 1)].len()
    }

    /// The images by which each player sees the board as the first one does, and for each digit those of as many pieces or fewer.
    pub(super) fn make_views(&mut self) {
        let of = |swaps: bool| -> Vec<Option<u32>> {
            let images = self.images.iter().zip(0..).filter(|(image, _)| image.swaps == swaps);
            images.map(|(_, number)| Some(number)).collect()
        };
        let mut first = vec![None];
        first.extend(of(false));
        let second = of(true);
        self.views = [first.clone(), if second.is_empty() { first } else { second }];
        let digits = 0..=self.kinds.len() as u8;
        let at_least = |digit: u8| -> Vec<u8> {
            let Some(kind) =
                self.kinds.get(usize::from(digit)).filter(|_| self.ripe.is_none_or(|first| digit < first))
            else {
                return vec![digit];
            };
            let less = |other: &super::eye::Kind| {
                super::eye::Kind { count: 0, ..*other } == super::eye::Kind { count: 0, ..*kind }
                    && other.count <= kind.count
                    && (other.count > 0 || kind.count == 0)
            };
            (0u8..).zip(self.met()).filter(|(_, other)| less(other)).map(|(number, _)| number).collect()
        };
        self.atleast = digits.map(at_least).collect();
    }
}

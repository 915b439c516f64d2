//! The colours of a heat map.

use ludens_core::math;
use maud::{Markup, html};

use super::plot::short;
use crate::Heat;

/// Colours of a surface: one way from dark blue to yellow, or two ways from a neutral middle to blue and
/// orange. Both are read right by colour-blind people.
pub(super) struct Shade {
    low: f64,
    high: f64,
    middle: Option<f64>,
    log: bool,
}

const ONE_WAY: [[f64; 3]; 5] =
    [[0., 32., 76.], [66., 77., 108.], [124., 123., 120.], [188., 175., 111.], [255., 234., 70.]];
const TWO_WAYS: [[f64; 3]; 5] =
    [[33., 102., 172.], [146., 190., 218.], [236., 236., 232.], [244., 178., 110.], [191., 91., 23.]];

impl Shade {
    pub fn over(heat: &Heat) -> Shade {
        let view = |value: f64| if heat.log { math::ln(value.max(1e-9)) } else { value };
        let seen = heat.values.iter().flatten().copied().flatten().map(view);
        let (low, high) = seen.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = if low < high { (low, high) } else { (low - 0.5, low + 0.5) };
        Shade { low, high, middle: heat.middle.map(view), log: heat.log }
    }

    pub fn of(&self, value: f64) -> (String, &'static str) {
        let value = if self.log { math::ln(value.max(1e-9)) } else { value };
        let (share, colours) = match self.middle {
            Some(middle) => {
                let reach = (self.high - middle).abs().max((middle - self.low).abs()).max(1e-12);
                (0.5 + 0.5 * (value - middle) / reach, TWO_WAYS)
            }
            None => ((value - self.low) / (self.high - self.low), ONE_WAY),
        };
        let at = share.clamp(0.0, 1.0) * 4.0;
        let index = (at as usize).min(3);
        let part = at - index as f64;
        let [r, g, b] =
            std::array::from_fn(|i| colours[index][i] * (1.0 - part) + colours[index + 1][i] * part);
        let bright = 0.299 * r + 0.587 * g + 0.114 * b > 140.0;
        (format!("#{:02x}{:02x}{:02x}", r as u8, g as u8, b as u8), if bright { "#111" } else { "#fff" })
    }

    pub fn key(&self, unit: &str) -> Markup {
        let back = |value: f64| if self.log { math::exp(value) } else { value };
        let (low, high) = match self.middle {
            Some(middle) => {
                let reach = (self.high - middle).abs().max((middle - self.low).abs());
                (middle - reach, middle + reach)
            }
            None => (self.low, self.high),
        };
        html! {
            p.heat-key {
                (short(back(low))) " "
                @for step in 0..9 {
                    @let value = back(low + (high - low) * f64::from(step) / 8.0);
                    i style={ "background:" (self.of(value).0) } {}
                }
                " " (short(back(high))) " \u{a0}" (unit)
            }
        }
    }
}

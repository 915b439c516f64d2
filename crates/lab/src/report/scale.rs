//! Axes: from values to places, and where the ticks go.

/// One axis of a plot.
use ludens_core::math;

#[derive(Clone, Debug)]
pub struct Axis {
    low: f64,
    high: f64,
    log: bool,
    start: f64,
    end: f64,
}

impl Axis {
    /// An axis that shows all `values`, drawn from pixel `start` to pixel `end`.
    pub fn over(values: impl Iterator<Item = f64>, log: bool, start: f64, end: f64) -> Axis {
        let usable = values.filter(|value| value.is_finite() && (!log || *value > 0.0));
        let (low, high) = usable
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = match (low.is_finite(), log) {
            (false, true) => (1.0, 10.0),
            (false, false) => (0.0, 1.0),
            (true, true) if low == high => (low / 2.0, high * 2.0),
            (true, true) => (low, high),
            (true, false) if low == high => (low - 0.5, high + 0.5),
            (true, false) => (low, high),
        };
        Axis { low, high, log, start, end }
    }

    /// Moves the ends out to ticks, and to zero where that costs little.
    #[must_use]
    pub fn rounded(mut self) -> Axis {
        if self.log {
            return self;
        }
        if self.low > 0.0 && self.low < 0.35 * self.high {
            self.low = 0.0;
        }
        let step = self.step();
        self.low = (self.low / step + 1e-9).floor() * step;
        self.high = (self.high / step - 1e-9).ceil() * step;
        self
    }

    pub fn place(&self, value: f64) -> f64 {
        let share = if self.log {
            (math::ln(value.max(1e-300)) - math::ln(self.low)) / (math::ln(self.high) - math::ln(self.low))
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.start + share.clamp(-0.02, 1.02) * (self.end - self.start)
    }

    pub fn base(&self) -> f64 {
        self.place(if self.log { self.low } else { self.low.max(0.0).min(self.high) })
    }

    fn step(&self) -> f64 {
        let rough = (self.high - self.low) / 5.0;
        let power = math::powf(10.0, math::log10(rough).floor());
        let factor = rough / power;
        let nice = if factor < 1.5 {
            1.0
        } else if factor < 3.5 {
            2.0
        } else if factor < 7.5 {
            5.0
        } else {
            10.0
        };
        nice * power
    }

    /// The ticks as values with their texts.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        if self.log {
            return self.log_ticks();
        }
        let step = self.step();
        let digits = (-math::log10(step).floor()).max(0.0) as usize;
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last)
            .map(|number| {
                let value = number as f64 * step;
                (value, tick_text(value, digits))
            })
            .collect()
    }

    fn log_ticks(&self) -> Vec<(f64, String)> {
        let decades = math::log10(self.high / self.low);
        let factors: &[f64] = if decades < 1.5 {
            &[1.0, 2.0, 5.0]
        } else if decades < 3.0 {
            &[1.0, 3.0]
        } else {
            &[1.0]
        };
        let first = math::log10(self.low).floor() as i32;
        let last = math::log10(self.high).ceil() as i32;
        (first..=last)
            .flat_map(|power| factors.iter().map(move |factor| factor * math::powi(10.0, power)))
            .filter(|value| *value >= self.low * 0.999 && *value <= self.high * 1.001)
            .map(|value| (value, tick_text(value, (-math::log10(value).floor()).max(0.0) as usize)))
            .collect()
    }
}

fn tick_text(value: f64, digits: usize) -> String {
    let magnitude = value.abs();
    let text = if magnitude >= 1e6 {
        format!("{} M", trimmed(value / 1e6))
    } else if magnitude >= 1e4 {
        format!("{} k", trimmed(value / 1e3))
    } else {
        format!("{value:.digits$}")
    };
    text.replace('-', "−")
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis) -> Vec<String> {
        axis.ticks().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        let axis = Axis::over([0.03, 0.97].into_iter(), false, 0.0, 100.0).rounded();
        assert_eq!(texts(&axis), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(axis.place(0.5), 50.0);
        let axis = Axis::over([3.0, 200_000.0].into_iter(), false, 0.0, 1.0).rounded();
        assert_eq!(texts(&axis), ["0", "50 k", "100 k", "150 k", "200 k"]);
        let axis = Axis::over([1.0, 1000.0].into_iter(), true, 0.0, 300.0);
        assert_eq!(texts(&axis), ["1", "10", "100", "1000"]);
        assert!((axis.place(10.0) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn odd_data_gives_an_axis_all_the_same() {
        for values in [vec![], vec![5.0], vec![f64::NAN], vec![0.0, 0.0], vec![-3.0, -1.0]] {
            for log in [false, true] {
                let axis = Axis::over(values.iter().copied(), log, 0.0, 10.0).rounded();
                assert!(axis.place(1.0).is_finite() && axis.base().is_finite() && axis.ticks().len() < 30);
            }
        }
    }
}

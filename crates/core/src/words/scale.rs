//! What a value means, and numbers as people read them: chances in per cent, two digits, no sign that says nothing.

use serde::{Deserialize, Serialize};

use super::Fate;
use crate::{Combine, MoveValue};

/// What the value of a move means.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// The mind's own points: more is better, and that is all.
    #[default]
    Points,
    /// The chance to win, from 0 to 1.
    Chance,
    /// The result that is expected, from −1 (lost) to 1 (won).
    Result,
    /// The mean result of games that were played to the end by chance, from −1 to 1.
    Trials,
    /// Odds of winning: 1 is even.
    Odds,
    /// The natural logarithm of odds.
    LogOdds,
    /// A judgement between −1 (lost) and 1 (won) that counts something and is no chance.
    Judgement,
    /// Half the discs left when the game ends, minus where it is lost: the sooner the larger.
    DiscsLeft,
    /// How likely it is to be played.
    Draw,
    /// What an outside mind says it is.
    Own(String),
}

impl Scale {
    /// What stands above a column of values.
    pub fn name(&self) -> &str {
        match self {
            Scale::Points => "points",
            Scale::Chance => "winning chance",
            Scale::Result => "winning chance, a draw counts half",
            Scale::Trials => "share of its trial games, a draw counts half",
            Scale::Odds => "odds of winning (1 is even)",
            Scale::LogOdds => "preference, a logarithm of odds",
            Scale::Judgement => "its judgement (−1 lost, 1 won)",
            Scale::DiscsLeft => "half the discs left at the end",
            Scale::Draw => "how likely it plays it",
            Scale::Own(words) => words,
        }
    }

    /// The winning chance a value stands for, a draw counting half; none where it is not one.
    pub fn chance(&self, value: f64) -> Option<f64> {
        let chance = match self {
            Scale::Chance => value,
            Scale::Result | Scale::Trials => f64::midpoint(value, 1.0),
            _ => return None,
        };
        Some(chance.clamp(0.0, 1.0))
    }

    /// A move's value in words and figures: "wins", "62 %", "+0.4".
    pub fn shown(&self, candidate: &MoveValue) -> String {
        match (candidate.fate, self) {
            (Some(fate), _) => fate.verb().into(),
            (None, Scale::Draw) => percent(candidate.value),
            (None, Scale::Odds) => unsigned(candidate.value),
            (None, _) => self.chance(candidate.value).map_or_else(|| signed(candidate.value), percent),
        }
    }

    /// What a reason adds, as it stands beside it; where reasons only illustrate, whether it speaks for or against.
    pub fn worth(&self, combine: Combine, worth: f64) -> String {
        match combine {
            Combine::None if worth > 0.0 => "+".into(),
            Combine::None if worth < 0.0 => "−".into(),
            Combine::None => String::new(),
            Combine::Product => format!("× {}", unsigned(worth)),
            // More than any sum of judgements: a win that was put on the same scale.
            Combine::Sum if worth.abs() >= SURE => "decides".into(),
            // A change of an expected result by 2 is a change of the chance by 1.
            Combine::Sum if matches!(self, Scale::Result | Scale::Trials) => points(worth / 2.0),
            Combine::Sum if *self == Scale::Chance => points(worth),
            Combine::Sum => signed(worth),
        }
    }
}

/// No sum of judgements comes near this.
const SURE: f64 = 1e5;

impl Fate {
    /// What a move with this end does.
    pub fn verb(self) -> &'static str {
        match self {
            Fate::Won => "wins",
            Fate::Drawn => "draws",
            Fate::Lost => "loses",
        }
    }

    /// The winning chance it stands for.
    pub fn chance(self) -> f64 {
        match self {
            Fate::Won => 1.0,
            Fate::Drawn => 0.5,
            Fate::Lost => 0.0,
        }
    }
}

/// "62 %"; only what is certain is 0 or 100.
pub fn percent(share: f64) -> String {
    let rounded = (100.0 * share).round();
    if rounded <= 0.0 && share > 0.0 {
        "under 1 %".into()
    } else if rounded >= 100.0 && share < 1.0 {
        "over 99 %".into()
    } else {
        format!("{rounded:.0} %")
    }
}

/// A difference of chances: "+3 points".
fn points(difference: f64) -> String {
    let rounded = (100.0 * difference).round();
    if rounded == 0.0 {
        return "±0 %".into();
    }
    format!("{}{:.0} %", if rounded < 0.0 { '−' } else { '+' }, rounded.abs())
}

/// Two digits that count, with a sign: "+0.34", "−12", "0".
pub fn signed(value: f64) -> String {
    let digits = unsigned(value.abs());
    match value {
        _ if digits == "0" => digits,
        value if value < 0.0 => format!("−{digits}"),
        _ => format!("+{digits}"),
    }
}

/// Two digits that count, none of them for less than a thousandth.
pub fn unsigned(value: f64) -> String {
    let size = value.abs();
    let text = match size {
        _ if !size.is_finite() => return "∞".into(),
        _ if size < 0.0005 => return "0".into(),
        _ if size < 0.0995 => format!("{size:.3}"),
        _ if size < 0.995 => format!("{size:.2}"),
        _ if size < 9.95 => format!("{size:.1}"),
        _ => format!("{size:.0}"),
    };
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if value < 0.0 { format!("−{text}") } else { text.into() }
}

/// "1,234": a count with its thousands apart.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Move;

    #[test]
    fn numbers_are_as_people_read_them() {
        let cases = [(0.0, "0"), (-0.0001, "0"), (0.3449, "+0.34"), (-1.26, "−1.3"), (999_997.4, "+999997")];
        for (value, text) in cases {
            assert_eq!(signed(value), text);
        }
        assert_eq!(unsigned(1.0), "1");
        assert_eq!(unsigned(0.04), "0.04");
        assert_eq!(
            [percent(0.624), percent(0.001), percent(0.999), percent(1.0)],
            ["62 %", "under 1 %", "over 99 %", "100 %"]
        );
        assert_eq!([count(7), count(1_234), count(1_234_567)], ["7", "1,234", "1,234,567"]);
    }

    #[test]
    fn a_win_is_a_word_and_a_chance_is_in_per_cent() {
        let value = |value, fate| MoveValue { fate, ..MoveValue::new(Move(0), value) };
        assert_eq!(Scale::Points.shown(&value(999_997.0, Some(Fate::Won))), "wins");
        assert_eq!(Scale::Result.shown(&value(0.24, None)), "62 %");
        assert_eq!(Scale::Points.shown(&value(0.24, None)), "+0.24");
        assert_eq!(Scale::Points.worth(Combine::Sum, 1e6), "decides");
        assert_eq!(Scale::Chance.worth(Combine::Sum, -0.031), "−3 %");
        assert_eq!(Scale::Odds.worth(Combine::Product, 1.07), "× 1.1");
    }
}

//! "Why not that move?": what another move loses, by the same ranking, and what a person's move is worth beside the best one.

use serde::{Deserialize, Serialize};

use super::What;
use super::claims::Claim;
use super::say::sentence;
use super::scale::percent;
use super::things::{Scene, thing};
use super::told::gather;
use crate::{Bound, Budget, Combine, Explain, Move, MoveValue, Ranking, Reason, Rng, Table, TableError};

/// How bad a move is that loses winning chances. Less than an inaccuracy gets no mark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// At least 10 points of a hundred.
    Inaccuracy,
    /// At least 20.
    Mistake,
    /// At least 30.
    Blunder,
}

impl Mark {
    /// The mark for a loss of winning chances, from 0 to 1.
    pub fn of(loss: f64) -> Option<Mark> {
        // A loss of exactly the limit counts, whatever rounding did to it.
        let loss = loss + 1e-9;
        [(0.3, Mark::Blunder), (0.2, Mark::Mistake), (0.1, Mark::Inaccuracy)]
            .into_iter()
            .find(|(limit, _)| loss >= *limit)
            .map(|(_, mark)| mark)
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "an inaccuracy",
            Mark::Mistake => "a mistake",
            Mark::Blunder => "a blunder",
        }
    }
}

/// A term that differs between two moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Difference {
    /// What it speaks of.
    pub text: String,
    /// What it adds to the chosen move beyond the other, as it is shown.
    pub worth: String,
    /// The cells it speaks of.
    pub cells: Vec<u16>,
}

/// Another move beside the chosen one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contrast {
    /// The other move.
    pub mv: Move,
    /// What it loses, in sentences.
    pub said: Vec<String>,
    /// The winning chance it loses, where the mind speaks of chances.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub loss: Option<f64>,
    /// The mark of that loss.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mark: Option<Mark>,
    /// The terms that differ most.
    pub differences: Vec<Difference>,
    /// The play that shows it, beginning with the move; the mind's own, where it has one.
    pub line: Vec<Move>,
}

/// Differences that are shown.
const SHOWN: usize = 4;

/// A move that a ranking did not choose, beside the one it did. `claims` are those of the two moves, the chosen one's first.
pub fn contrast(
    why: &Ranking,
    moves: [Move; 2],
    claims: [&[Claim]; 2],
    labels: [&str; 2],
    scene: &Scene,
) -> Option<Contrast> {
    let [chosen, other] = [why.get(moves[0])?, why.get(moves[1])?];
    let loss = chance(why, chosen).zip(chance(why, other)).map(|(best, this)| (best - this).max(0.0));
    let mut said = Vec::new();
    for claim in claims[1].iter().filter(|claim| claim.is_bad()) {
        said.push(about(&sentence(claim, scene), labels[1]));
    }
    for claim in
        claims[0].iter().filter(|claim| !claim.is_bad() && !claims[1].iter().any(|of| of.is_like(claim)))
    {
        let text = about(&sentence(claim, scene), labels[0]);
        said.push(format!("{}; {} does not.", text.trim_end_matches('.'), labels[1]));
    }
    said.truncate(3);
    said.push(values(why, chosen, other, labels));
    let line = other
        .reasons
        .iter()
        .map(|reason| &reason.line)
        .find(|line| line.len() > 1)
        .cloned()
        .unwrap_or_default();
    Some(Contrast {
        mv: other.mv,
        said,
        loss,
        mark: loss.and_then(Mark::of),
        differences: differences(why, chosen, other, scene),
        line,
    })
}

/// The winning chance of a move: its fate where that is known.
fn chance(why: &Ranking, candidate: &MoveValue) -> Option<f64> {
    candidate.fate.map(super::Fate::chance).or_else(|| why.scale.chance(candidate.value))
}

/// "It blocks …" with the name of the move.
fn about(sentence: &str, label: &str) -> String {
    sentence.strip_prefix("It ").map_or_else(|| sentence.to_string(), |rest| format!("{label} {rest}"))
}

fn values(why: &Ranking, chosen: &MoveValue, other: &MoveValue, labels: [&str; 2]) -> String {
    let at_most = if other.bound == Bound::AtMost { "at most " } else { "" };
    match (other.fate, chosen.fate) {
        (Some(fate), Some(best)) if fate == best => format!("{} {} too.", labels[1], fate.verb()),
        (Some(fate), _) => format!("{} {}.", labels[1], fate.verb()),
        _ if other.value == chosen.value && other.bound == Bound::Exact => {
            format!("It finds {} just as good.", labels[1])
        }
        _ => match (why.scale.chance(chosen.value), why.scale.chance(other.value)) {
            (Some(best), Some(this)) => {
                format!("It gives {} {at_most}{}, {} {}.", labels[1], percent(this), labels[0], percent(best))
            }
            _ => {
                let shown = |candidate: &MoveValue| why.scale.shown(candidate);
                format!(
                    "It values {} at {at_most}{}, {} at {} ({}).",
                    labels[1],
                    shown(other),
                    labels[0],
                    shown(chosen),
                    why.scale.name()
                )
            }
        },
    }
}

fn differences(why: &Ranking, chosen: &MoveValue, other: &MoveValue, scene: &Scene) -> Vec<Difference> {
    let terms = |candidate: &MoveValue| -> Vec<Reason> {
        gather(&candidate.reasons, why.combine).into_iter().filter(|reason| reason.line.is_empty()).collect()
    };
    let (mine, theirs) = (terms(chosen), terms(other));
    let same = |a: &Reason, b: &Reason| a.what == b.what && a.when == b.when;
    let weight = |list: &[Reason], reason: &Reason| {
        list.iter().filter(|of| same(of, reason)).map(|of| of.weight(why.combine)).sum::<f64>()
    };
    let mut found: Vec<(f64, &Reason)> =
        mine.iter().map(|reason| (reason.weight(why.combine) - weight(&theirs, reason), reason)).collect();
    let only = theirs.iter().filter(|reason| !mine.iter().any(|of| same(of, reason)));
    found.extend(only.map(|reason| (-reason.weight(why.combine), reason)));
    // What is said of the ends already, and what has no name, are no terms to point at.
    let unnamed =
        |what: &What| matches!(what, What::Rest { .. } | What::Outlook { .. } | What::Unsolved | What::Win);
    found.retain(|(by, reason)| by.abs() > 1e-9 && !unnamed(&reason.what));
    found.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    found.truncate(SHOWN);
    let worth = |by: f64| match why.combine {
        Combine::Product => why.scale.worth(Combine::Product, crate::math::exp(by)),
        _ => why.scale.worth(Combine::Sum, by),
    };
    let shown = |(by, reason): (f64, &Reason)| Difference {
        text: thing(&reason.what, &reason.cells, scene),
        worth: worth(by),
        cells: reason.cells.to_vec(),
    };
    found.into_iter().map(shown).collect()
}

/// A move and how the game goes on after it when this mind plays both sides, for a few plies: a line one can play through.
pub fn continuation(
    table: &mut dyn Table,
    mind: &str,
    mv: Move,
    plies: usize,
    (rng, budget): (&mut Rng, Budget),
) -> Result<Vec<Move>, TableError> {
    table.play(mv)?;
    let mut line = vec![mv];
    let mut problem = None;
    // Dice end it: what falls is nobody's choice.
    while line.len() < plies && table.to_move().is_some() {
        let next = table.think(mind, rng, budget, Explain::NOTHING).and_then(|decision| {
            table.play(decision.mv)?;
            Ok(decision.mv)
        });
        match next {
            Ok(next) => line.push(next),
            Err(error) => {
                problem = Some(error);
                break;
            }
        }
    }
    for _ in 0..line.len() {
        table.undo();
    }
    problem.map_or(Ok(line), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_only_where_it_matters() {
        assert_eq!(Mark::of(0.09), None);
        assert_eq!(Mark::of(0.1), Some(Mark::Inaccuracy));
        assert_eq!(Mark::of(0.8 - 0.6), Some(Mark::Mistake));
        assert_eq!(Mark::of(0.5), Some(Mark::Blunder));
    }
}

//! What a paper says, as a list of its own: each sentence that can be true or false, with its test and its verdict.
//!
//! A claim has parts, each a difference with its error ([`Gap`]). It **holds** when every part is shown at the 99 % level (which needs no
//! correction: all must be shown), **fails** when the contrary of one part is shown (corrected by Holm: one is enough), and **cannot be
//! judged** when the data show neither. A result that merely misses the paper's significance does not fail.

use serde::{Deserialize, Serialize};

use crate::agreement::{ALPHA, Gap};
use crate::stats::holm;
use crate::{Cell, PaperResult};

/// What became of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Shown.
    Holds,
    /// The contrary is shown.
    Fails,
    /// Neither is shown, or there are no data: the figure says why.
    CannotBeJudged,
}

impl Verdict {
    /// As tables show it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Fails => "fails",
            Verdict::CannotBeJudged => "cannot be judged",
        }
    }
}

/// A sentence of a paper with its verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PaperClaim {
    /// The short name of the paper.
    pub paper: String,
    /// The sentence, in our words.
    pub sentence: String,
    /// How it was tested.
    pub test: String,
    /// What became of it.
    pub verdict: Verdict,
    /// The number that decides: the part that is hardest to show. Where nothing can be judged, why.
    pub figure: String,
    /// What it rests on: trials, runs, games.
    pub seeds: String,
}

/// One comparison of a claim: what minus what.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// "S1 − N40".
    pub name: String,
    /// None where the result does not hold the numbers.
    pub gap: Option<Gap>,
}

impl Part {
    /// A part with its difference.
    pub fn new(name: impl Into<String>, gap: Option<Gap>) -> Part {
        Part { name: name.into(), gap }
    }
}

/// What a claim says of its parts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Says {
    /// Every difference is above this.
    Above(f64),
    /// Every difference is below this.
    Below(f64),
    /// Every difference lies within ± this: "the same as".
    Within(f64),
}

impl Says {
    /// The two-sided p of what is said and of its contrary.
    fn p(self, gap: &Gap) -> (f64, f64) {
        let (shown, contrary) = match self {
            Says::Above(limit) => (gap.above(limit), gap.below(limit)),
            Says::Below(limit) => (gap.below(limit), gap.above(limit)),
            Says::Within(delta) => (gap.within(delta), gap.above(delta).min(gap.below(-delta))),
        };
        ((2.0 * shown).min(1.0), (2.0 * contrary).min(1.0))
    }

    fn words(self, points: bool) -> String {
        let number =
            |limit: f64| if points { format!("{:.1} points", 100.0 * limit) } else { format!("{limit}") };
        match self {
            Says::Above(0.0) => "above 0".into(),
            Says::Above(limit) => format!("above {}", number(limit)).replace('-', "−"),
            Says::Below(0.0) => "below 0".into(),
            Says::Below(limit) => format!("below {}", number(limit)).replace('-', "−"),
            Says::Within(delta) => format!("within ±{} (two one-sided tests)", number(delta)),
        }
    }
}

/// The verdict on parts, and the index of the part that decides.
pub fn judge(says: Says, gaps: &[&Gap]) -> (Verdict, usize) {
    let (shown, contrary): (Vec<f64>, Vec<f64>) = gaps.iter().map(|gap| says.p(gap)).unzip();
    // The hardest to show; of several for certain, the smallest difference.
    let hardest = (0..gaps.len())
        .max_by(|&i, &j| shown[i].total_cmp(&shown[j]).then(contrary[j].total_cmp(&contrary[i])))
        .unwrap_or(0);
    let verdict = if gaps.is_empty() {
        Verdict::CannotBeJudged
    } else if shown.iter().all(|p| *p < ALPHA) {
        Verdict::Holds
    } else if holm(&contrary).iter().any(|p| *p < ALPHA) {
        Verdict::Fails
    } else {
        Verdict::CannotBeJudged
    };
    (verdict, hardest)
}

/// Collects the claims of one paper.
#[derive(Debug)]
pub struct Judge<'a> {
    result: &'a PaperResult,
    claims: Vec<PaperClaim>,
}

impl<'a> Judge<'a> {
    /// Nothing said yet.
    pub fn new(result: &'a PaperResult) -> Judge<'a> {
        Judge { result, claims: Vec::new() }
    }

    /// All claims, in the order in which they were made.
    pub fn finish(self) -> Vec<PaperClaim> {
        self.claims
    }

    /// The cell of a table; columns count from 0.
    pub fn cell(&self, table: &str, row: &str, column: usize) -> Option<&'a Cell> {
        self.result.cell(table, row, column)
    }

    /// A cell minus another, measured on different trials.
    pub fn apart(&self, one: Option<&Cell>, two: Option<&Cell>) -> Option<Gap> {
        Some(Gap::welch(moments(one?)?, moments(two?)?))
    }

    /// A cell minus another, measured on the same trials: paired where the result keeps the trials.
    pub fn together(&self, one: Option<&Cell>, two: Option<&Cell>) -> Option<Gap> {
        let (one, two) = (one?, two?);
        if one.values.len() == two.values.len() && one.values.len() > 1 {
            return Gap::paired(&one.values, &two.values);
        }
        self.apart(Some(one), Some(two))
    }

    /// A cell minus a number that is known exactly.
    pub fn against(&self, one: Option<&Cell>, number: f64) -> Option<Gap> {
        let (ours, error, freedom) = moments(one?)?;
        Some(Gap::new(ours - number, error, freedom, "Student's t-test of one sample"))
    }

    /// Adds a claim about shares: differences are shown in points.
    pub fn shares(&mut self, sentence: &str, says: Says, parts: Vec<Part>, seeds: &str) {
        self.add(sentence, says, &parts, seeds, true);
    }

    /// Adds a claim about other numbers.
    pub fn numbers(&mut self, sentence: &str, says: Says, parts: Vec<Part>, seeds: &str) {
        self.add(sentence, says, &parts, seeds, false);
    }

    fn add(&mut self, sentence: &str, says: Says, parts: &[Part], seeds: &str, points: bool) {
        let found: Option<Vec<&Gap>> = parts.iter().map(|part| part.gap.as_ref()).collect();
        let Some(gaps) = found.filter(|gaps| !gaps.is_empty()) else {
            let missing: Vec<&str> =
                parts.iter().filter(|part| part.gap.is_none()).map(|part| part.name.as_str()).collect();
            self.unjudged(sentence, &format!("the result does not hold {}", missing.join(", ")));
            return;
        };
        let (verdict, which) = judge(says, &gaps);
        let count =
            if parts.len() > 1 { format!(", each of {} differences", parts.len()) } else { String::new() };
        self.push(PaperClaim {
            paper: self.result.paper.clone(),
            sentence: sentence.into(),
            test: format!("{}{count}: {}", gaps[which].test, says.words(points)),
            verdict,
            figure: format!("{}: {}", parts[which].name, figure(gaps[which], points)),
            seeds: seeds.into(),
        });
    }

    /// Adds a claim that is decided by counting: nothing random is left in it, or no error is known.
    pub fn counted(&mut self, sentence: &str, test: &str, holds: bool, figure: String, seeds: &str) {
        self.push(PaperClaim {
            paper: self.result.paper.clone(),
            sentence: sentence.into(),
            test: test.into(),
            verdict: if holds { Verdict::Holds } else { Verdict::Fails },
            figure,
            seeds: seeds.into(),
        });
    }

    /// Adds a claim that the data cannot judge.
    pub fn unjudged(&mut self, sentence: &str, reason: &str) {
        self.push(PaperClaim {
            paper: self.result.paper.clone(),
            sentence: sentence.into(),
            test: "none".into(),
            verdict: Verdict::CannotBeJudged,
            figure: reason.into(),
            seeds: "–".into(),
        });
    }

    fn push(&mut self, claim: PaperClaim) {
        self.claims.push(claim);
    }
}

/// Mean, error and degrees of freedom.
fn moments(cell: &Cell) -> Option<(f64, f64, f64)> {
    Some((cell.ours?, cell.error?, cell.trials.saturating_sub(1) as f64))
}

/// A difference with its 99 % interval.
fn figure(gap: &Gap, points: bool) -> String {
    let range = gap.interval(1.0 - ALPHA);
    let (scale, unit) = if points { (100.0, " points") } else { (1.0, "") };
    let digits = if points || gap.difference.abs() >= 10.0 { 1 } else { 3 };
    let number = |value: f64| format!("{:+.digits$}", scale * value).replace('-', "−");
    format!("{}{unit} [{} – {}]", number(gap.difference), number(range.low), number(range.high))
}

/// All claims as a table for the docs.
pub fn markdown<'a>(claims: impl IntoIterator<Item = &'a PaperClaim>, with_paper: bool) -> String {
    let head = if with_paper { "| paper " } else { "" };
    let rule = if with_paper { "|---" } else { "" };
    let mut text = format!(
        "{head}| claim | verdict | figure [99 % interval] | test | rests on |\n{rule}|---|---|---|---|---|\n"
    );
    let clean = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    for claim in claims {
        if with_paper {
            text += &format!("| {} ", claim.paper);
        }
        text += &format!(
            "| {} | **{}** | {} | {} | {} |\n",
            clean(&claim.sentence),
            claim.verdict.word(),
            clean(&claim.figure),
            clean(&claim.test),
            clean(&claim.seeds)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(difference: f64) -> Gap {
        Gap::new(difference, 0.01, 9.0, "t")
    }

    #[test]
    fn verdicts_follow_the_data() {
        // 99 % of Student's t with 9 degrees: 3.25 errors.
        let judged = |says, values: &[f64]| {
            let gaps: Vec<Gap> = values.iter().map(|value| gap(*value)).collect();
            judge(says, &gaps.iter().collect::<Vec<_>>())
        };
        let above = Says::Above(0.0);
        assert_eq!(judged(above, &[0.05, 0.04]), (Verdict::Holds, 1));
        assert_eq!(judged(above, &[0.05, 0.03]), (Verdict::CannotBeJudged, 1));
        assert_eq!(judged(above, &[0.05, -0.05]), (Verdict::Fails, 1));
        assert_eq!(judged(above, &[-0.034]).0, Verdict::Fails);
        // One contrary of two must survive Holm.
        assert_eq!(judged(above, &[-0.034, 0.0]).0, Verdict::CannotBeJudged);
        assert_eq!(judged(Says::Below(0.0), &[-0.05]).0, Verdict::Holds);
        let within = Says::Within(0.05);
        assert_eq!(judged(within, &[0.01, -0.01]).0, Verdict::Holds);
        assert_eq!(judged(within, &[0.04]).0, Verdict::CannotBeJudged);
        assert_eq!(judged(within, &[0.09]).0, Verdict::Fails);
        assert_eq!(judge(above, &[]).0, Verdict::CannotBeJudged);
    }
}

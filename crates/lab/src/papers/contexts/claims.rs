//! What the contexts paper says, judged by tables 1 and 2.

use super::OURS;
use crate::agreement::Gap;
use crate::claims::{Judge, Part, Says};
use crate::{PaperClaim, PaperResult};

const RIVALS: [&str; 4] = ["N20", "N40", "N60", "C"];
/// "Comparable" here: within two points. The paper's own three differ by half a point.
const COMPARABLE: f64 = 0.02;

pub(super) fn claims(result: &PaperResult) -> Vec<PaperClaim> {
    let sets = result.cell("2", "S4", 0).map_or(0, |cell| cell.trials);
    let seeds = format!("{sets} disjoint sets of positions");
    let mut judge = Judge::new(result);
    let first = |table: &str, system: &str| result.cell(table, system, 0);
    // Results of earlier versions keep no trials, but the paired tests of S4.
    let kept = |one: &str, two: &str| -> Option<Gap> {
        let text = format!("{one} puts the best move first more often than {two}");
        let claim = result.claims.iter().find(|claim| claim.text == text)?;
        Some(Gap::of_test(&claim.test, sets as f64 - 1.0))
    };
    let test = |judge: &Judge, one: &str, two: &str| {
        let gap = kept(one, two).or_else(|| judge.together(first("2", one), first("2", two)));
        Part::new(format!("{one} − {two}"), gap)
    };

    let pairs = OURS.iter().flat_map(|one| RIVALS.iter().map(move |two| (*one, *two)));
    let parts = pairs.map(|(one, two)| test(&judge, one, two)).collect();
    judge.shares(
        "S1 to S4 each put the best move first more often than N20, N40, N60 and C",
        Says::Above(0.0),
        parts,
        &seeds,
    );
    let parts = OURS[..3].iter().map(|two| test(&judge, "S4", two)).collect();
    judge.shares("S4 is the best: more often first than S1, S2 and S3", Says::Above(0.0), parts, &seeds);
    let parts = [("S2", "S1"), ("S3", "S1"), ("S3", "S2")].map(|(one, two)| test(&judge, one, two)).into();
    judge.shares("S1, S2 and S3 perform comparably", Says::Within(COMPARABLE), parts, &seeds);
    long(&mut judge, result);
    levels(&mut judge, result, &seeds);
    training(&mut judge, result, &seeds);
    judge.unjudged(
        "S4 finds the winning move of figure 7 nine times of ten, figure 8 misleads all, figure 9 all but N40 and C solve",
        "the positions are not in the text: ours are reconstructions",
    );
    judge.finish()
}

/// The same trained as long as the text says, where the result has it.
fn long(judge: &mut Judge, result: &PaperResult) {
    let Some(table) = result.tables.iter().find(|table| table.id == "long") else { return };
    let last = table.columns.len().saturating_sub(1);
    let at_last = |system: &str| result.cell("long", system, last);
    let part = |judge: &Judge, one: &str, two: &str| {
        Part::new(format!("{one} − {two}"), judge.together(at_last(one), at_last(two)))
    };
    let sets = at_last("S4").map_or(0, |cell| cell.trials);
    let epochs = table.columns.last().map_or("", String::as_str);
    let seeds = format!("{sets} disjoint sets of positions");
    let parts = [("S2", "S1"), ("S3", "S1"), ("S3", "S2")].map(|(one, two)| part(judge, one, two)).into();
    let sentence =
        format!("Trained as long as the text says ({epochs} epochs), S1, S2 and S3 perform comparably");
    judge.shares(&sentence, Says::Within(COMPARABLE), parts, &seeds);
    let parts = OURS[..3].iter().map(|two| part(judge, "S4", two)).collect();
    let sentence = format!("Trained as long as the text says ({epochs} epochs), S4 is the best");
    judge.shares(&sentence, Says::Above(0.0), parts, &seeds);
}

/// The numbers the text itself quotes.
fn levels(judge: &mut Judge, result: &PaperResult, seeds: &str) {
    let first = |system: &str| result.cell("2", system, 0);
    let parts = OURS
        .iter()
        .map(|one| Part::new(format!("{one} − 52.7 %"), judge.against(first(one), 0.527)))
        .collect();
    judge.shares(
        "S1 to S4 all find the best move in over 52.7 % of test positions",
        Says::Above(0.0),
        parts,
        seeds,
    );
    let parts = RIVALS
        .iter()
        .map(|one| Part::new(format!("{one} − 45.2 %"), judge.against(first(one), 0.452)))
        .collect();
    judge.shares("N20, N40, N60 and C find it in 45.2 % at most", Says::Below(0.0), parts, seeds);
    // "Around 1 %": what rounds to 1 %.
    let last = |table: &str| judge.against(result.cell(table, "S4", 6), 0.01);
    let parts =
        vec![Part::new("S4 in training − 1 %", last("1")), Part::new("S4 in the test − 1 %", last("2"))];
    judge.shares("The best move is put last in around 1 % of positions", Says::Within(0.005), parts, seeds);
}

fn training(judge: &mut Judge, result: &PaperResult, seeds: &str) {
    let first = |table: &str, system: &str| result.cell(table, system, 0);
    let parts = OURS
        .iter()
        .map(|two| Part::new(format!("N60 − {two}"), judge.together(first("1", "N60"), first("1", two))))
        .collect();
    // In the paper N60 lies between S1 (3.7 points below it) and S4 (4.2 above).
    judge.shares("On the training positions N60 is comparable to S1 to S4", Says::Within(0.05), parts, seeds);
    let lost = |judge: &Judge, system: &str| judge.together(first("1", system), first("2", system));
    let mut parts = Vec::new();
    for one in ["N40", "N60"] {
        for two in OURS {
            let gap = lost(judge, one).zip(lost(judge, two)).map(|(one, two)| {
                Gap::welch((one.difference, one.error, one.freedom), (two.difference, two.error, two.freedom))
            });
            parts.push(Part::new(format!("loss from training to test, {one} − {two}"), gap));
        }
    }
    judge.shares("N40 and N60 are overfitted, more than S1 to S4", Says::Above(0.0), parts, seeds);
}

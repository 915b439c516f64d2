//! What was found, as tables, figures and claims.

use ludens_arena::Share;

use super::TAUGHT;
use super::retraining::Retrained;
use crate::faithfulness::{Area, Estimate, Faithfulness, SHOWN, Shown, Taught};
use crate::stats::{Test, mean};
use crate::{Cell, Claim, Figure, FigureKind, PaperResult, Point, Role, Row, Series, Table};

/// How a table calls a mind; ✻ marks those that search.
pub fn label(found: &Faithfulness) -> String {
    format!("{} on {}{}", found.mind, found.game, if found.by_muting { " ✻" } else { "" })
}

/// The students after [`TAUGHT`] decisions, or after the most there are.
pub fn taught(found: &Faithfulness) -> Option<&Taught> {
    let sizes = &found.simulatability.as_ref()?.sizes;
    sizes.iter().find(|taught| taught.decisions == TAUGHT).or(sizes.last())
}

fn plain(estimate: &Estimate) -> Cell {
    Cell::exact(estimate.mean).trials(estimate.decisions).decimals(2)
}

fn area_cells(area: &Area) -> [Cell; 5] {
    let difference = |estimate: &Estimate| estimate.cell().decimals(3);
    [
        plain(&area.cited),
        plain(&area.random),
        difference(&area.over_random),
        difference(&area.over_own),
        plain(&area.shapley),
    ]
}

/// The areas over one of the two curves.
fn areas(minds: &[Faithfulness], table: Table, area: &dyn Fn(&Faithfulness) -> &Area) -> Table {
    let mut table = table.beyond();
    for found in minds.iter().filter(|found| found.judged > 0) {
        let mut cells = vec![
            Cell::text(format!("{} of {}", found.judged, found.looked_at)),
            Cell::exact(found.terms).trials(found.judged).decimals(1),
        ];
        cells.extend(area_cells(area(found)));
        let known = found.rank_correlation.decisions > 0;
        cells.push(if known { plain(&found.rank_correlation) } else { Cell::text("–") });
        table = table.row(Row::new(label(found), cells));
    }
    table
}

/// What is lost without the first terms.
pub fn comprehensiveness(minds: &[Faithfulness]) -> Table {
    let columns = [
        "judged",
        "terms",
        "cited first",
        "drawn",
        "cited less drawn",
        "cited less drawn of the move's own",
        "by Shapley values",
        "rank correlation",
    ];
    let title = "Comprehensiveness: what the preference for the chosen move loses without the first terms (more is better)";
    let table = Table::new("comprehensiveness", title, &columns).note(
        "Areas over the curve at 1, 2, 3, 5, 8 and all terms. Drawn are orders of all terms of the decision, or of those that speak for the chosen move. A \
         difference above zero speaks for the mind's own order; intervals are 95 %, by drawing games again. Minds that search (✻) are asked again with inputs \
         muted: their preference is 1 or 0, their decisions are fewer, and their Shapley values rougher. The rank correlation is that of the mind's own order \
         with the Shapley values.",
    );
    areas(minds, table, &|found| &found.comprehensiveness)
}

/// What is lost with the first terms alone.
pub fn sufficiency(minds: &[Faithfulness]) -> Table {
    let columns = [
        "judged",
        "terms",
        "cited first",
        "drawn",
        "drawn less cited",
        "drawn of the move's own less cited",
        "by Shapley values",
        "rank correlation",
    ];
    let title = "Sufficiency: what the preference loses with the first terms alone (less is better)";
    let table = Table::new("sufficiency", title, &columns).note(
        "As above. A loss below zero means that the first terms alone prefer the move more than all terms together do.",
    );
    areas(minds, table, &|found| &found.sufficiency)
}

/// What the students foresee.
pub fn students(minds: &[Faithfulness]) -> Table {
    let columns = [
        "tested",
        "by chance",
        "sees patterns",
        "patterns in place",
        "positions",
        "counts alone",
        "patterns less positions",
        "in place less positions",
        "in place less counts",
    ];
    let mut table =
        Table::new("simulatability", "Moves that a student foresees in games it has not seen", &columns)
            .note(
                "Every student learns from 300 decisions. One sees of each legal move the patterns of its three strongest reasons, one the patterns and their \
                 cells, one the position after the move, and one only how many reasons of each kind there are. Differences are of the same decisions; \
                 intervals are 95 %, by drawing games again.",
            )
            .beyond();
    for found in minds {
        let (Some(simulated), Some(taught)) = (&found.simulatability, taught(found)) else { continue };
        let share = |shown: Shown| plain(&taught.agreement[shown as usize]).percent();
        let cells = [
            Cell::text(simulated.tested.to_string()),
            Cell::exact(simulated.chance).percent(),
            share(Shown::Patterns),
            share(Shown::Placed),
            share(Shown::Position),
            share(Shown::Counts),
            taught.patterns_over_position.cell().percent(),
            taught.placed_over_position.cell().percent(),
            taught.placed_over_counts.cell().percent(),
        ];
        table = table.row(Row::new(label(found), cells));
    }
    table
}

/// The plainest measure.
pub fn flips(minds: &[Faithfulness]) -> Table {
    let columns = [
        "judged",
        "changes without the cited",
        "changes without as many others",
        "stays with the cited alone",
    ];
    let mut table =
        Table::new("flips", "Decisions that change or stay when three reasons are taken away", &columns)
            .note(
                "A move that only ties with another without its cited reasons counts as changed. Minds that search (✻) are asked again with the cited inputs \
                 of their judgement muted; decisions whose line ends the game rest on no judgement and are not judged. Wilson's intervals take decisions \
                 for independent.",
            )
            .beyond();
    for found in minds.iter().filter(|found| found.judged > 0) {
        let share = |share: &Share| Cell::share(share.count, found.judged).percent();
        let cells = [
            Cell::text(format!("{} of {}", found.judged, found.looked_at)),
            share(&found.flips.changes_without_cited),
            share(&found.flips.changes_without_others),
            share(&found.flips.stays_with_cited_only),
        ];
        table = table.row(Row::new(label(found), cells));
    }
    table
}

/// The claims of each family, in the order of the minds they are about.
pub struct Families {
    pub comprehensive: Vec<(String, Claim)>,
    pub within_own: Vec<(String, Claim)>,
    pub sufficient: Vec<(String, Claim)>,
    pub over_position: Vec<(String, Claim)>,
    pub over_counts: Vec<(String, Claim)>,
    pub retrained: Vec<(String, Claim)>,
}

/// Adds the claims, one family a measure, and hands them back by mind.
pub fn claims(minds: &[Faithfulness], retrained: &[Retrained], result: &mut PaperResult) -> Families {
    let mut family = |text: &str, test: &dyn Fn(&Faithfulness) -> Option<Estimate>| {
        let tested = |found| Some((label(found), test(found)?.test()?));
        add_family(result, text, minds.iter().filter_map(tested))
    };
    let judged = |found: &Faithfulness, area: &Area| (found.judged > 0).then_some(area.over_random);
    Families {
        comprehensive: family(
            "without the terms cited first more is lost than without drawn ones",
            &|found| judged(found, &found.comprehensiveness),
        ),
        within_own: family(
            "without the terms cited first more is lost than without drawn ones that speak for the move too",
            &|found| (found.judged > 0).then_some(found.comprehensiveness.over_own),
        ),
        sufficient: family("with the terms cited first alone less is lost than with drawn ones", &|found| {
            judged(found, &found.sufficiency)
        }),
        over_position: family("a student foresees more by the reasons than by the positions", &|found| {
            taught(found).map(|taught| taught.placed_over_position)
        }),
        over_counts: family("a student foresees more by the reasons than by their number", &|found| {
            taught(found).map(|taught| taught.placed_over_counts)
        }),
        retrained: add_family(
            result,
            "trained without those cited most it scores less than without drawn ones",
            retrained.iter().filter_map(|one| Some((one.label.clone(), one.test()?))),
        ),
    }
}

fn add_family(
    result: &mut PaperResult,
    text: &str,
    tests: impl Iterator<Item = (String, Test)>,
) -> Vec<(String, Claim)> {
    let (labels, tests): (Vec<String>, Vec<Test>) = tests.unzip();
    let before = result.claims.len();
    result.claim_family(labels.iter().map(|label| format!("{label}: {text}")).zip(tests));
    labels.into_iter().zip(result.claims[before..].to_vec()).collect()
}

/// The mean curves over the minds.
pub fn figures(minds: &[Faithfulness]) -> Vec<Figure> {
    let figure = |id: &str, title: &str, caption: &str, labels: (&str, &str), series: Vec<Series>| Figure {
        id: id.into(),
        title: title.into(),
        caption: caption.into(),
        x_label: labels.0.into(),
        y_label: labels.1.into(),
        log_x: true,
        log_y: false,
        kind: FigureKind::Plot(series),
    };
    let caption = "The mean over the minds, with the interval over them; the step with all terms is the same for every order.";
    let labels = ("terms", "preference lost");
    let comprehensiveness = curves(minds, &|found| &found.comprehensiveness);
    let sufficiency = curves(minds, &|found| &found.sufficiency);
    vec![
        figure("comprehensiveness", "Without the first terms", caption, labels, comprehensiveness),
        figure("sufficiency", "With the first terms alone", caption, labels, sufficiency),
        figure(
            "students",
            "What a student foresees",
            "The mean over the minds, with the interval over them.",
            ("decisions learnt from", "moves foreseen"),
            learning(minds),
        ),
    ]
}

fn curves(minds: &[Faithfulness], area: &dyn Fn(&Faithfulness) -> &Area) -> Vec<Series> {
    let judged: Vec<&Area> = minds.iter().filter(|found| found.judged > 0).map(area).collect();
    let point = |index: usize, read: &dyn Fn(&Area, usize) -> f64| {
        let terms = judged.first()?.curve.get(index)?.terms?;
        let values: Vec<f64> = judged.iter().map(|area| read(area, index)).collect();
        Some(Point::of_mean(terms as f64, &mean(&values)))
    };
    let line = |name: &str, read: &dyn Fn(&Area, usize) -> f64| {
        Series::line(name, (0..crate::faithfulness::STEPS.len()).filter_map(|index| point(index, read)))
    };
    vec![
        line("the mind's own order", &|area, index| area.curve[index].cited),
        line("drawn orders", &|area, index| area.curve[index].random).role(Role::Reference),
        line("by Shapley values", &|area, index| area.curve[index].shapley),
    ]
}

fn learning(minds: &[Faithfulness]) -> Vec<Series> {
    let simulated: Vec<_> = minds.iter().filter_map(|found| found.simulatability.as_ref()).collect();
    let mut sizes: Vec<usize> =
        simulated.iter().flat_map(|one| one.sizes.iter().map(|taught| taught.decisions)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    // Only sizes that every mind reached.
    sizes.retain(|size| simulated.iter().all(|one| one.sizes.iter().any(|taught| taught.decisions == *size)));
    let words = ["sees patterns", "patterns in place", "positions", "counts alone"];
    let series = |(shown, word): (Shown, &str)| {
        let point = |&size: &usize| {
            let of =
                simulated.iter().flat_map(|one| one.sizes.iter().filter(|taught| taught.decisions == size));
            let values: Vec<f64> = of.map(|taught| taught.agreement[shown as usize].mean).collect();
            Point::of_mean(size as f64, &mean(&values))
        };
        let role = if shown == Shown::Counts { Role::Reference } else { Role::Ours };
        Series::line(word, sizes.iter().map(point)).role(role)
    };
    SHOWN.into_iter().zip(words).map(series).collect()
}

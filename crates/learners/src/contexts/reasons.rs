//! Why a column: the contexts that weighed most, in words.

use ludens_core::{Combine, Ranking, Reason, Side};
use ludens_games::connect_four::State;

use super::geometry::{CONTEXTS, Context};
use super::reference::{Reference, Shares};

/// How many contexts a reason names; the rest are one term together.
const NAMED: usize = 6;

/// What each context adds to the sums behind a ranking, beside what the same context would add if it were empty.
pub(super) fn explain(reference: &Reference, state: &State, ranking: &mut Ranking) {
    ranking.summary =
        "Looks at every four squares in a line and lets a network weigh them; it looks no move ahead. Red (x) began, Yellow is o."
            .into();
    ranking.unit = "weighted sum of the output".into();
    ranking.combine = Combine::Sum;
    let (act, pas) = (state.own(), state.other());
    let shares = reference.shares(act, pas);
    for candidate in &mut ranking.moves {
        candidate.reasons = context_reasons(state, candidate.mv.0 as usize, &shares);
    }
}

fn context_reasons(state: &State, column: usize, shares: &Shares) -> Vec<Reason> {
    let mut order: Vec<(usize, f64)> =
        shares.contexts.iter().enumerate().map(|(k, of_context)| (k, of_context[column])).collect();
    order.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
    let rest: f64 = order.drain(order.len().min(NAMED)..).map(|(_, worth)| worth).sum();
    let named = order.iter().filter(|(_, worth)| *worth != 0.0);
    let mut reasons: Vec<Reason> = named
        .map(|&(k, worth)| Reason::term(context_in_words(&CONTEXTS[k], state), worth, CONTEXTS[k].cells()))
        .collect();
    reasons.push(Reason::term("all other contexts", rest, Vec::new()));
    reasons.push(Reason::term(
        "what it thinks of this column on an empty board",
        shares.empty[column],
        Vec::new(),
    ));
    reasons
}

/// "Red holds three of this rising diagonal, columns 3–6; the empty square is two discs away"
pub(crate) fn context_in_words(context: &Context, state: &State) -> String {
    let (me, op) = names(state);
    let cells = context.cells_of(state.own(), state.other());
    let (mine, theirs) = (count(&cells, 1), count(&cells, -1));
    let number = |n: usize| ["none", "one", "two", "three", "four", "five", "six"][n.min(6)];
    let who = match (mine, theirs) {
        (0, 0) => return format!("nobody holds a square of {context}"),
        (m, 0) => format!("{me} holds {} of {context}", number(m)),
        (0, t) => format!("{op} holds {} of {context}", number(t)),
        _ => return format!("both have discs in {context}"),
    };
    let away = match context.depth(state.occupied()) {
        0 => return who,
        1 => "can be filled at once".into(),
        n => format!("{} {} discs away", if mine + theirs == 3 { "is" } else { "are up to" }, number(n)),
    };
    let squares = if mine + theirs == 3 { "the empty square" } else { "the empty squares" };
    format!("{who}; {squares} {away}")
}

fn count(cells: &[i8; 4], value: i8) -> usize {
    cells.iter().filter(|&&cell| cell == value).count()
}

/// The names of the side to move and of the other, as the paper calls them.
pub(crate) fn names(state: &State) -> (&'static str, &'static str) {
    match state.to_move() {
        Side::First => ("Red", "Yellow"),
        Side::Second => ("Yellow", "Red"),
    }
}

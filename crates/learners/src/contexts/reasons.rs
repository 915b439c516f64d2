//! Why a column: the contexts that weighed most, in words.

use ludens_core::words::{How, What};
use ludens_core::{Combine, Explain, Ranking, Reason};
use ludens_games::connect_four::State;

use super::geometry::{CONTEXTS, Context};
use super::reference::{Reference, Shares, Trace};

/// How many contexts a reason names; the rest are one term together.
const NAMED: usize = 6;

/// What each context adds to the sums behind a ranking, beside what the same context would add if it were empty.
pub(super) fn explain(
    (reference, trace): (&Reference, &Trace),
    state: &State,
    (ranking, explain): (&mut Ranking, Explain),
) {
    ranking.how = How::Patterns;
    ranking.combine = Combine::Sum;
    let (act, pas) = (state.own(), state.other());
    let shares = reference.shares(act, pas, trace);
    for place in ranking.wanted(explain) {
        let candidate = &mut ranking.moves[place];
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
        .map(|&(k, worth)| Reason::term(line(&CONTEXTS[k], state), worth, CONTEXTS[k].cells()).before())
        .collect();
    let others = CONTEXTS.len().saturating_sub(NAMED) as u32;
    reasons.push(Reason::term(What::Rest { terms: others }, rest, Vec::new()));
    reasons.push(Reason::term(What::Start, shares.empty[column], Vec::new()));
    reasons
}

/// A context as a line: how many discs of either side lie in it.
fn line(context: &Context, state: &State) -> What {
    let cells = context.cells_of(state.own(), state.other());
    let count = |value: i8| cells.iter().filter(|&&cell| cell == value).count() as u8;
    What::Line {
        own: count(1),
        other: count(-1),
        open: count(0),
        wait: context.depth(state.occupied()) as u8,
    }
}

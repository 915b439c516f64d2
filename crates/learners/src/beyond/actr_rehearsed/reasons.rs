//! Why a play: the chances its networks would lose without an insight.

use ludens_core::Reason;

use crate::actr::net::{INPUTS, Inputs};
use crate::actr::value_player::ValuePlayer;
use crate::beyond::actr_improved::insights;

/// The three insights whose absence would change the chances most.
pub(crate) fn without<const K: usize>(player: &ValuePlayer<K>, inputs: &Inputs, chances: f32) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for &(index, degree) in inputs.active() {
        if usize::from(index) < INPUTS {
            continue;
        }
        let mut rest = Inputs::default();
        for &(other, value) in inputs.active() {
            if other != index {
                rest.push(usize::from(other), value);
            }
        }
        let worth = f64::from(chances - player.evaluate(&rest));
        let insight = usize::from(index) - INPUTS;
        let notation = format!("{} {degree:.2}", insights::name(insight));
        reasons.push(Reason::term(insights::what(insight), worth, vec![]).noted(notation));
    }
    reasons.sort_by(|a, b| b.worth.abs().total_cmp(&a.worth.abs()));
    reasons.truncate(3);
    reasons
}

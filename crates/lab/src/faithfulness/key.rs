//! When are two reasons the same one? Asked here and nowhere else.

use ludens_core::words::{Lies, What};
use ludens_core::{Reason, ReasonKind};

/// What a reason speaks of, without its worth.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    what: String,
    shape: String,
    cells: Vec<u16>,
}

/// The same pattern, remembered chunk or rule has the same key wherever it is cited.
pub fn key(reason: &Reason) -> Key {
    let name = |what: &What| format!("{:?} {:?} {what:?}", reason.kind, reason.when);
    let what = uncounted(&reason.what);
    Key { shape: name(&wherever(what.clone())), what: name(&what), cells: reason.cells.to_vec() }
}

/// All that is not said one by one is the same thing in every move, however much it is.
fn uncounted(what: &What) -> What {
    if matches!(what, What::Rest { .. }) { What::Rest { terms: 0 } } else { what.clone() }
}

/// A pattern without its place on the board.
fn wherever(what: What) -> What {
    let What::Pattern { pieces } = what else { return what };
    let from = pieces.iter().map(|lies| lies.cell).min().unwrap_or(0);
    let moved = |lies: &Lies| Lies { cell: lies.cell - from, piece: lies.piece };
    What::Pattern { pieces: pieces.iter().map(moved).collect() }
}

/// Whether a reason is something that can be taken away: a line of play is a proof, not a part, and what was solved or tried is the value itself.
pub(crate) fn is_term(reason: &Reason) -> bool {
    let is_value = matches!(
        reason.what,
        What::Outlook { .. } | What::Trials { .. } | What::Inclination | What::Unsolved
    );
    reason.kind != ReasonKind::Line && !is_value
}

impl Key {
    /// What kind of thing is there, wherever it is.
    pub fn pattern(&self) -> String {
        self.shape.clone()
    }

    /// The same, and where.
    pub fn in_place(&self) -> String {
        format!("{} @ {:?}", self.what, self.cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_one_thing_and_a_pattern_is_the_same_wherever_it_lies() {
        let rest = |terms| key(&Reason::term(What::Rest { terms }, 1.0, Vec::new()));
        assert_eq!(rest(3), rest(8));
        let pattern = |cell: u16| {
            let pieces = [Lies { cell, piece: 1 }, Lies { cell: cell + 1, piece: 0 }].into();
            key(&Reason::rule(What::Pattern { pieces }, 1.0, vec![cell, cell + 1]))
        };
        assert_eq!(pattern(3).pattern(), pattern(5).pattern());
        assert_ne!(pattern(3), pattern(5));
    }

    #[test]
    fn the_worth_is_no_part_of_a_key() {
        let reason = |worth, cells: &[u16]| Reason::term("centre", worth, cells.to_vec());
        assert_eq!(key(&reason(1.0, &[3])), key(&reason(-2.0, &[3])));
        let (here, there) = (key(&reason(1.0, &[3])), key(&reason(1.0, &[4])));
        assert_eq!(here.pattern(), there.pattern());
        assert_ne!(here.in_place(), there.in_place());
    }
}

//! When are two reasons the same one? Asked here and nowhere else.

use ludens_core::{Reason, ReasonKind};

/// What a reason speaks of, without its worth.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    kind: u8,
    what: String,
    cells: Vec<u16>,
}

/// The same pattern, remembered chunk or rule has the same key wherever it is cited.
pub fn key(reason: &Reason) -> Key {
    Key { kind: reason.kind as u8, what: reason.text.clone(), cells: reason.cells.clone() }
}

/// Whether a reason is something that can be taken away. A line of play is a proof, not a part.
pub(crate) fn is_term(reason: &Reason) -> bool {
    reason.kind != ReasonKind::Line
}

impl Key {
    /// What kind of thing is there, wherever it is, without any number that could be its worth.
    pub fn pattern(&self) -> String {
        format!("{} {}", self.kind, without_worths(&self.what))
    }

    /// The pattern and the cells it lies on.
    pub fn in_place(&self) -> String {
        format!("{} @ {:?}", self.pattern(), self.cells)
    }
}

/// Numbers with a sign or a point are worths: a student who saw them would be told the values. Whole numbers stay, "3 own stones" is what the
/// reason speaks of.
fn without_worths(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut kept = String::new();
    let mut at = 0;
    while at < letters.len() {
        let signed = matches!(letters[at], '+' | '-' | '−')
            && letters.get(at + 1).is_some_and(char::is_ascii_digit)
            && (at == 0 || !letters[at - 1].is_alphanumeric());
        let begin = at + usize::from(signed);
        let mut end = begin;
        while end < letters.len()
            && (letters[end].is_ascii_digit()
                || letters[end] == '.' && letters.get(end + 1).is_some_and(char::is_ascii_digit))
        {
            end += 1;
        }
        let number = &letters[begin..end];
        if number.is_empty() {
            kept.push(letters[at]);
            at += 1;
            continue;
        }
        if !signed && !number.contains(&'.') {
            kept.extend(number);
        }
        at = end;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_worth_is_left_in_a_pattern() {
        for (text, left) in [
            ("a1 at the end of the line counts -0.013", "a1 at the end of the line counts "),
            ("a line with 2 own and 1 open: odds 1.29", "a line with 2 own and 1 open: odds "),
            ("evaluation(0.477) :- cell(2,1,nothing).", "evaluation() :- cell(2,1,nothing)."),
            ("column 4, rows 1–4", "column 4, rows 1–4"),
            ("worth −1 or +20", "worth  or "),
        ] {
            assert_eq!(without_worths(text), left);
        }
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

//! Reads KIF: nested lists of words, with the position of each.

use crate::error::{GdlError, Limits, Position};
use ludens_core::shown::is_hidden;

/// A word or a list, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Where it begins.
    pub at: Position,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A name, a variable, a number: anything without brackets.
    Word(String),
    /// What stands between two brackets.
    List(Vec<Expr>),
}

impl Expr {
    /// The word, if this is one.
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Word(w) => Some(w),
            ExprKind::List(_) => None,
        }
    }

    /// The members, if this is a list.
    pub fn list(&self) -> Option<&[Expr]> {
        match &self.kind {
            ExprKind::Word(_) => None,
            ExprKind::List(items) => Some(items),
        }
    }
}

impl std::fmt::Display for Expr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.kind {
            ExprKind::Word(w) => f.write_str(w),
            ExprKind::List(items) => {
                f.write_str("(")?;
                for item in items {
                    write!(f, " {item}")?;
                }
                f.write_str(" )")
            }
        }
    }
}

/// All expressions of a text. Comments run from `;` to the end of the line.
pub fn read_all(text: &str, limits: &Limits) -> Result<Vec<Expr>, GdlError> {
    if text.len() > limits.text_bytes {
        return Err(GdlError::TooLarge {
            what: "bytes of text",
            limit: limits.text_bytes as u64,
            knob: "text_bytes",
        });
    }
    let mut open: Vec<(Position, Vec<Expr>)> = Vec::new();
    let mut done = Vec::new();
    for (at, token) in Tokens::new(text) {
        match token {
            "(" => {
                if open.len() >= limits.depth {
                    return Err(GdlError::TooLarge {
                        what: "nested brackets",
                        limit: limits.depth as u64,
                        knob: "depth",
                    });
                }
                open.push((at, Vec::new()));
            }
            ")" => {
                let Some((start, items)) = open.pop() else {
                    return Err(GdlError::Syntax {
                        at,
                        what: "a bracket is closed that was never opened".into(),
                    });
                };
                let list = Expr { at: start, kind: ExprKind::List(items) };
                open.last_mut().map_or(&mut done, |o| &mut o.1).push(list);
            }
            word => {
                if let Some(hidden) = word.chars().find(|c| is_hidden(*c)) {
                    let what = format!("a character that nobody sees ({})", hidden.escape_unicode());
                    return Err(GdlError::Syntax { at, what });
                }
                let kind = ExprKind::Word(word.to_string());
                let expr = Expr { at, kind };
                open.last_mut().map_or(&mut done, |o| &mut o.1).push(expr);
            }
        }
    }
    match open.pop() {
        Some((at, _)) => Err(GdlError::Syntax { at, what: "this bracket is never closed".into() }),
        None => Ok(done),
    }
}

/// Splits a text into brackets and words.
struct Tokens<'a> {
    text: &'a str,
    next: usize,
    at: Position,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str) -> Self {
        Tokens { text, next: 0, at: Position { line: 1, column: 1 } }
    }

    fn advance(&mut self, c: char) {
        self.next += c.len_utf8();
        if c == '\n' {
            self.at.line += 1;
            self.at.column = 1;
        } else {
            self.at.column += 1;
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.next..].chars().next()
    }

    fn skip_blank(&mut self) {
        while let Some(c) = self.peek() {
            if c == ';' {
                while let Some(c) = self.peek().filter(|&c| c != '\n') {
                    self.advance(c);
                }
            } else if c.is_whitespace() || c == '\u{feff}' {
                self.advance(c);
            } else {
                break;
            }
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (Position, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blank();
        let at = self.at;
        let start = self.next;
        let first = self.peek()?;
        self.advance(first);
        if first != '(' && first != ')' {
            while let Some(c) = self.peek() {
                if c.is_whitespace() || matches!(c, '(' | ')' | ';') {
                    break;
                }
                self.advance(c);
            }
        }
        Some((at, &self.text[start..self.next]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_lists_keep_their_places() {
        let got = read_all("; hi\n (a (b c))\nd", &Limits::default()).unwrap();
        assert_eq!(got.len(), 2);
        assert_eq!(got[0].to_string(), "( a ( b c ) )");
        assert_eq!(got[0].at, Position { line: 2, column: 2 });
        assert_eq!(got[1].at, Position { line: 3, column: 1 });
    }

    #[test]
    fn brackets_that_do_not_match_are_pointed_at() {
        let open = read_all("(a\n (b c)", &Limits::default()).unwrap_err();
        assert!(open.to_string().starts_with("line 1, column 1"), "{open}");
        let hidden = read_all("(a\n b\u{1b}[2J)", &Limits::default()).unwrap_err();
        assert!(hidden.to_string().starts_with("line 2, column 2: a character"), "{hidden}");
        let close = read_all("(a))", &Limits::default()).unwrap_err();
        assert!(close.to_string().starts_with("line 1, column 4"), "{close}");
    }

    #[test]
    fn depth_is_limited() {
        let deep = "(".repeat(100_000);
        assert!(matches!(
            read_all(&deep, &Limits::default()),
            Err(GdlError::TooLarge { what: "nested brackets", .. })
        ));
    }
}

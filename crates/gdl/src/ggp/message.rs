//! Messages of the protocol.

use crate::error::{GdlError, Limits, Position};
use crate::sexpr::{Expr, read_all};

/// What a game server says to a player.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Asks who the player is and whether it is free.
    Info,
    /// Announces a game beforehand.
    Preview,
    /// A match begins.
    Start {
        /// The name of the match.
        id: String,
        /// The role to play.
        role: String,
        /// The rules of the game.
        rules: Vec<Expr>,
        /// Seconds until the answer.
        start_clock: u32,
        /// Seconds for each move.
        play_clock: u32,
    },
    /// The previous joint move in the order of the roles; none for the first.
    Play {
        /// The name of the match.
        id: String,
        /// One move a role.
        moves: Option<Vec<Expr>>,
    },
    /// The match has ended with this joint move.
    Stop {
        /// The name of the match.
        id: String,
        /// One move a role.
        moves: Option<Vec<Expr>>,
    },
    /// The match is broken off.
    Abort {
        /// The name of the match.
        id: String,
    },
}

impl Message {
    /// Reads a message as it comes in the body of a request.
    pub fn parse(text: &str, limits: &Limits) -> Result<Message, GdlError> {
        let exprs = read_all(text, limits)?;
        let wrong = |at: Position, what: &str| GdlError::Syntax { at, what: what.into() };
        let start = Position { line: 1, column: 1 };
        let (name, args) = match exprs.as_slice() {
            [one] => match one.list() {
                Some([name, args @ ..]) => (name.word(), args),
                _ => (one.word(), &[][..]),
            },
            _ => return Err(wrong(start, "a message is exactly one list")),
        };
        let word = |i: usize| args.get(i).and_then(|e| e.word()).map(str::to_string);
        let id = || word(0).ok_or_else(|| wrong(start, "the match has no name"));
        match name.map(str::to_ascii_uppercase).as_deref() {
            Some("INFO") => Ok(Message::Info),
            Some("PREVIEW") => Ok(Message::Preview),
            Some("START") => {
                let clock = |i: usize| word(i).and_then(|w| w.parse::<u32>().ok()).filter(|c| *c <= 86_400);
                let (Some(role), Some(rules), Some(start_clock), Some(play_clock)) =
                    (word(1), args.get(2).and_then(|e| e.list()), clock(3), clock(4))
                else {
                    return Err(wrong(start, "START takes a name, a role, rules and two clocks"));
                };
                Ok(Message::Start { id: id()?, role, rules: rules.to_vec(), start_clock, play_clock })
            }
            Some("PLAY") => Ok(Message::Play { id: id()?, moves: moves(args)? }),
            Some("STOP") => Ok(Message::Stop { id: id()?, moves: moves(args)? }),
            Some("ABORT") => Ok(Message::Abort { id: id()? }),
            _ => Err(wrong(start, "no such message; there are INFO, PREVIEW, START, PLAY, STOP and ABORT")),
        }
    }
}

fn moves(args: &[Expr]) -> Result<Option<Vec<Expr>>, GdlError> {
    match args.get(1) {
        Some(e) if e.word().is_some_and(|w| w.eq_ignore_ascii_case("nil")) => Ok(None),
        Some(e) if e.list().is_some() => Ok(e.list().map(<[Expr]>::to_vec)),
        _ => Err(GdlError::Syntax {
            at: args.first().map_or_else(Position::default, |e| e.at),
            what: "the joint move must be NIL or a list".into(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Message, GdlError> {
        Message::parse(text, &Limits::default())
    }

    #[test]
    fn messages_are_read() {
        assert_eq!(parse("( INFO )"), Ok(Message::Info));
        assert!(matches!(
            parse("(start m1 white ((role white) (role black)) 30 5)"),
            Ok(Message::Start { start_clock: 30, play_clock: 5, .. })
        ));
        assert!(matches!(parse("(PLAY m1 NIL)"), Ok(Message::Play { moves: None, .. })));
        match parse("(PLAY m1 (noop (mark 1 2)))") {
            Ok(Message::Play { moves: Some(m), .. }) => assert_eq!(m.len(), 2),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn malformed_messages_are_refused() {
        for text in
            ["", "(", "(PLAY)", "(PLAY m1)", "(START m1 white)", "(START a b (c) x 5)", "(DANCE)", "a b"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}

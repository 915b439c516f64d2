//! Text from outside (names in files, models and rules, arguments) as a person may be shown it: nothing in it steers a terminal or
//! hides what it says, and a long text is cut.

use std::borrow::Cow;

/// The most characters that an error repeats of what was given.
pub const ECHO: usize = 120;
/// How many of them are its end, which tells files of one folder apart.
const ECHO_END: usize = 30;
/// The most characters of a whole error.
const SENTENCE: usize = 4_000;

/// Whether a terminal would obey the character, or hide it, instead of showing it: control characters, those that turn the direction of
/// writing, and those without a width. Ends of lines and tabs are not among them.
pub fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        c if c.is_control() => true,
        // Soft hyphen, marks and changes of direction, zero width, line and paragraph separators.
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' => true,
        // Tags, which nobody sees, and what is no character.
        '\u{e0000}'..='\u{e007f}' | '\u{fdd0}'..='\u{fdef}' => true,
        _ => false,
    }
}

/// The text with every hidden character written out, as `\u{1b}`.
pub fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_hidden(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    shown.into()
}

/// The beginning and the end of a long text.
pub fn cut(text: &str) -> Cow<'_, str> {
    cut_to(text, ECHO)
}

/// As [`cut`], to this many characters or [`ECHO`], whichever is less.
pub fn cut_to(text: &str, most: usize) -> Cow<'_, str> {
    let most = most.min(ECHO);
    // Fewer bytes are fewer characters.
    let length = if text.len() <= most { 0 } else { text.chars().count() };
    if length <= most {
        return text.into();
    }
    let end = (most / 4).min(ECHO_END);
    let place = |characters: usize| text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    format!("{}…{}", &text[..place(most - end - 1)], &text[place(length - end)..]).into()
}

/// An error as a person is told it. Errors repeat what was given, and it may be anything: hidden characters are written out, and of a
/// long quotation or a long word only the beginning and the end stay.
pub fn sentence(text: &str) -> String {
    let text = shown(text);
    let mut told = String::new();
    let mut rest = &*text;
    while !rest.is_empty() {
        let length = quotation(rest).unwrap_or_else(|| word(rest));
        let (part, after) = rest.split_at(length);
        told.push_str(&cut(part));
        rest = after;
    }
    if told.chars().count() <= SENTENCE {
        return told;
    }
    let place = |characters: usize| told.char_indices().nth(characters).map_or(told.len(), |(at, _)| at);
    let (begin, end) = (place(SENTENCE / 2), place(told.chars().count() - SENTENCE / 2));
    format!("{} … {}", &told[..begin], &told[end..])
}

/// The length of the quotation that the text begins with, as `{:?}` writes it.
fn quotation(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('"')?;
    let mut escaped = false;
    let end = inner.char_indices().find(|&(_, c)| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map(|(at, _)| at + 2)
}

/// The length of the text up to where the next word or quotation begins; never nothing.
fn word(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    characters.find(|&(_, c)| c.is_whitespace() || c == '"').map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        assert!(matches!(shown("plain – ünïcode 象 🎲\n\tx"), Cow::Borrowed(_)));
        assert_eq!(shown("a\u{1b}[2J\u{7}\r\u{9b}\u{202e}b"), "a\\u{1b}[2J\\u{7}\\u{d}\\u{9b}\\u{202e}b");
    }

    #[test]
    fn long_texts_keep_their_ends() {
        let long = format!("begin{}end", "é".repeat(66_000));
        let short = cut(&long);
        assert_eq!(short.chars().count(), ECHO);
        assert!(short.starts_with("begin") && short.ends_with("end"));
        assert_eq!(cut(&"x".repeat(ECHO)), "x".repeat(ECHO));
        assert_eq!(cut_to("abcdefgh", 4), "ab…h");
    }

    #[test]
    fn an_error_says_what_to_do_whatever_it_repeats() {
        let letters = "l".repeat(66_000);
        for given in [letters.clone(), format!("{:?}", "a \"b ".repeat(20_000)), "\u{1b}".repeat(10_000)] {
            let told = sentence(&format!("no game called {given}; `ludens games` lists them"));
            assert!(told.chars().count() < 200, "{}", told.len());
            assert!(told.starts_with("no game called ") && told.ends_with(" lists them"), "{told}");
        }
        let spaced = sentence(&format!("no {}; try", "l ".repeat(60_000)));
        assert!(spaced.chars().count() < 4_100 && spaced.ends_with("; try"));
        let usual = "there is no \"x\" in it; say \"y\"";
        assert_eq!(sentence(usual), usual);
    }
}

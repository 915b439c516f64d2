//! The one door to the terminal. Names come from files, models, rules and arguments, and may hold what a terminal obeys: whatever is written
//! passes here, and only our own styles pass unchanged.

use std::io::{self, Write};

use ludens_core::shown::{is_hidden, shown};

/// Stands before each of our own styles and never reaches the terminal. Unicode promises that it is nobody's character.
const OURS: char = '\u{fdd0}';

/// A style's code, so that the screen knows it for ours.
pub fn ours(code: impl std::fmt::Display) -> String {
    code.to_string().replace('\u{1b}', &format!("{OURS}\u{1b}"))
}

/// JSON in which hidden characters are escaped, as JSON allows: it reads as the same document.
pub fn json(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                clean.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            clean.push(c);
        }
    }
    clean
}

/// A writer that writes out what a terminal would obey.
#[derive(Debug)]
pub struct Screen<W: Write> {
    inner: W,
    /// The first bytes of a character whose rest is still to come.
    torn: Vec<u8>,
    /// A style of ours of which this much has come.
    style: Option<String>,
}

impl<W: Write> Screen<W> {
    pub fn new(inner: W) -> Screen<W> {
        Screen { inner, torn: Vec::new(), style: None }
    }

    fn put(&mut self, text: &str) -> io::Result<()> {
        if self.style.is_none() && !text.contains(is_hidden) {
            return self.inner.write_all(text.as_bytes());
        }
        let mut clean = String::with_capacity(text.len());
        for c in text.chars() {
            match self.style.take() {
                Some(mut style) => {
                    style.push(c);
                    match of_style(&style) {
                        Some(true) => clean.push_str(&style),
                        Some(false) => self.style = Some(style),
                        // Somebody else's: it only begins as ours do.
                        None => clean.push_str(&shown(&style)),
                    }
                }
                None if c == OURS => self.style = Some(String::new()),
                None if is_hidden(c) => clean.extend(c.escape_unicode()),
                None => clean.push(c),
            }
        }
        self.inner.write_all(clean.as_bytes())
    }
}

/// Whether the text is a whole style, `ESC [ 1 ; 31 m`, or the beginning of one; none if it is neither.
fn of_style(text: &str) -> Option<bool> {
    let mut characters = text.chars();
    if characters.next()? != '\u{1b}' {
        return None;
    }
    match characters.next() {
        None => return Some(false),
        Some('[') => {}
        Some(_) => return None,
    }
    let rest = characters.as_str();
    let numbers = rest.trim_end_matches('m');
    let whole = rest.len() == numbers.len() + 1;
    let fits = numbers.chars().all(|c| c.is_ascii_digit() || c == ';') && rest.len() < 20;
    (fits && rest.len() <= numbers.len() + 1).then_some(whole)
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let joined;
        let mut rest = bytes;
        if !self.torn.is_empty() {
            joined = [std::mem::take(&mut self.torn).as_slice(), bytes].concat();
            rest = &joined;
        }
        for chunk in rest.utf8_chunks() {
            self.put(chunk.valid())?;
            let last = chunk.valid().len() + chunk.invalid().len() == rest.len();
            if last && std::str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none()) {
                self.torn = chunk.invalid().to_vec();
            } else if !chunk.invalid().is_empty() {
                self.put("\u{fffd}")?;
            }
            rest = &rest[chunk.valid().len() + chunk.invalid().len()..];
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screened(parts: &[&[u8]]) -> String {
        let mut screen = Screen::new(Vec::new());
        for part in parts {
            screen.write_all(part).unwrap();
        }
        String::from_utf8(screen.inner).unwrap()
    }

    #[test]
    fn our_styles_pass_and_nobody_elses() {
        let bold = anstyle::Style::new().bold().fg_color(Some(anstyle::AnsiColor::Red.into()));
        let text = format!("{}name{}\n", ours(bold.render()), ours(bold.render_reset()));
        assert_eq!(screened(&[text.as_bytes()]), format!("{}name{}\n", bold.render(), bold.render_reset()));
        let hostile = "\u{1b}[31mred\u{1b}]0;title\u{7}\r\u{9b}2J\u{202e}";
        assert!(!screened(&[hostile.as_bytes()]).contains(is_hidden));
        for forged in
            ["\u{fdd0}\u{1b}[2J", "\u{fdd0}\u{1b}]0;x\u{7}", "\u{fdd0}\u{7}", "\u{fdd0}\u{1b}[?1049h"]
        {
            assert!(!screened(&[forged.as_bytes()]).contains(is_hidden), "{forged:?}");
        }
    }

    /// However the bytes are cut into writes, the same comes out.
    #[test]
    fn writes_may_be_torn_anywhere() {
        let text = format!("a象{}é\u{1b}[2J🎲{}z", ours("\u{1b}[1m"), ours("\u{1b}[0m"));
        let whole = screened(&[text.as_bytes()]);
        assert_eq!(whole, "a象\u{1b}[1mé\\u{1b}[2J🎲\u{1b}[0mz");
        for at in 0..text.len() {
            let (first, second) = text.as_bytes().split_at(at);
            assert_eq!(screened(&[first, second]), whole, "cut at {at}");
        }
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(screened(&bytes), whole);
        assert_eq!(screened(&[b"a\xffb", b"\xe8c"]), "a\u{fffd}b\u{fffd}c");
    }

    #[test]
    fn json_stays_the_same_document() {
        let value = serde_json::json!({ "name\u{202e}": ["\u{9b}\u{7f}\u{e0041}", "é\n\u{1b}"] });
        let text = json(&serde_json::to_string_pretty(&value).unwrap());
        assert!(!text.contains(is_hidden), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}

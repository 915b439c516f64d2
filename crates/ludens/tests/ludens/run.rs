//! Running the program and saying what is expected of it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

pub struct Ran {
    command: String,
    output: Output,
}

/// Runs `ludens` with the words of `line` (no quoting: none of the tests needs it).
pub fn ludens(line: &str) -> Ran {
    ludens_answering(line, "")
}

/// Runs `ludens` and types `input`.
pub fn ludens_answering(line: &str, input: &str) -> Ran {
    ludens_with(&line.split_whitespace().collect::<Vec<_>>(), input)
}

/// Runs `ludens` with these arguments, which may hold anything, and types `input`.
pub fn ludens_with(arguments: &[impl AsRef<std::ffi::OsStr>], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludens"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // It may have ended without reading everything: that is for the assertions to judge.
    let _ = child.stdin.take().expect("its input is ours").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let words: Vec<_> = arguments.iter().map(|word| word.as_ref().to_string_lossy()).collect();
    Ran::new(&words.join(" "), output)
}

impl Ran {
    pub fn new(line: &str, output: Output) -> Ran {
        Ran { command: format!("ludens {}", line.chars().take(300).collect::<String>()), output }
    }

    pub fn code(&self) -> Option<i32> {
        self.output.status.code()
    }

    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    pub fn json(&self) -> serde_json::Value {
        self.succeeds();
        serde_json::from_str(&self.stdout()).unwrap_or_else(|error| panic!("{}: {error}", self.command))
    }

    pub fn succeeds(&self) -> &Ran {
        assert!(self.output.status.success(), "{} failed:\n{}", self.command, self.stderr());
        self
    }

    pub fn fails_with(&self, code: i32) -> &Ran {
        assert_eq!(self.output.status.code(), Some(code), "{}:\n{}", self.command, self.stderr());
        assert!(!self.stderr().contains("panicked"), "{} panicked:\n{}", self.command, self.stderr());
        self
    }

    pub fn printing(&self, text: &str) -> &Ran {
        assert!(self.stdout().contains(text), "{} did not print {text:?}:\n{}", self.command, self.stdout());
        self
    }

    pub fn saying(&self, text: &str) -> &Ran {
        assert!(self.stderr().contains(text), "{} did not say {text:?}:\n{}", self.command, self.stderr());
        self
    }
}

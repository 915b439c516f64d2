//! What comes from outside, whatever it is: endless files, forged models, names that steer a terminal.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ludens::prelude::{Cost, Model};

use crate::run::{Ran, ludens, ludens_answering, ludens_with};

/// What no terminal is to be sent: control characters but ends of lines and tabs, and what turns the writing round.
fn steers(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && c != '\n' && c != '\t' || ('\u{202a}'..='\u{202e}').contains(&c))
}

fn assert_harmless(ran: &Ran) {
    assert!(!steers(&ran.stdout()) && !steers(&ran.stderr()), "{:?} {:?}", ran.stdout(), ran.stderr());
    assert!(!ran.stderr().contains("panicked"), "{}", ran.stderr());
}

const HOSTILE: &str = "a\u{1b}]0;title\u{7}\u{1b}[2J\r\u{9b}31m\u{202e}b";

/// Commands that read a file, with FILE in its place.
const READERS: [&str; 13] = [
    "describe FILE",
    "play tic-tac-toe --against FILE",
    "arena FILE random --game tic-tac-toe --games 2",
    "explain tic-tac-toe --mind FILE",
    "train ranker --game connect-four --set labels=FILE --home HOME",
    "train --config FILE --home HOME",
    "report FILE",
    "replay FILE",
    "humans FILE",
    "solve connect-four --file FILE",
    "bench solver --file FILE",
    "arena random depth1 --game tic-tac-toe --games 2 --record FILE --resume",
    "solve connect-four --openings 0 --out FILE",
];

/// A device without end and a pipe that nobody writes to: a sentence, at once.
#[cfg(unix)]
#[test]
fn devices_and_named_pipes_are_refused_by_every_command_that_reads() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.safetensors");
    let zero = folder.path().join("zero.safetensors");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", &zero).unwrap();
    for reader in READERS {
        for file in [&pipe, &zero] {
            let line = reader.replace("FILE", &file.display().to_string());
            let line = line.replace("HOME", &folder.path().join("home").display().to_string());
            let ran = within(Duration::from_secs(20), &line);
            assert!(ran.code().is_some_and(|code| code == 1 || code == 2), "{line}: {:?}", ran.code());
            ran.saying("not a file").saying(&file.display().to_string());
            assert_harmless(&ran);
        }
    }
}

/// Runs it, and ends it if it does not end by itself.
fn within(limit: Duration, line: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludens"))
        .args(line.split_whitespace())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() && began.elapsed() < limit {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    Ran::new(line, child.wait_with_output().unwrap())
}

/// What shells make of `<(command)` is read like a file.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_of_the_shell_is_read() {
    let program = env!("CARGO_BIN_EXE_ludens");
    let script = format!("{program} solve connect-four --file <(echo 4455)");
    let ran = Command::new("bash").args(["-c", &script]).output().expect("bash is there");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(String::from_utf8_lossy(&ran.stdout).starts_with("4455 "));
}

#[test]
fn a_line_without_end_is_refused() {
    let endless = "4".repeat(1 << 20);
    ludens_answering("solve connect-four --file -", &endless)
        .fails_with(2)
        .saying("a line has more than 65536 bytes");
    ludens_answering("play tic-tac-toe --against random", &endless)
        .fails_with(1)
        .saying("a line has more than");
}

#[test]
fn a_model_that_claims_a_huge_header_is_refused_unread() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huge.safetensors");
    let file = fs::File::create(&path).unwrap();
    // Within the limit of a model, and sparse: only whoever believes the header asks for the memory.
    file.set_len(500 << 20).unwrap();
    std::io::Write::write_all(&mut &file, &(99u64 << 20).to_le_bytes()).unwrap();
    let ran = ludens(&format!("describe {}", path.display()));
    ran.fails_with(1).saying("huge.safetensors").saying("claims a header of");
    file.set_len(1 << 40).unwrap();
    ludens(&format!("describe {}", path.display())).fails_with(1).saying("which is the limit");
}

/// Names in models and rules, of files and from the command line.
#[test]
fn no_name_steers_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model.safetensors");
    let mut forged = Model::new("nhb", "tic-tac-toe", Cost::default());
    forged.put_meta("note", &HOSTILE);
    forged.meta.insert("raw".into(), HOSTILE.into());
    forged.write(&model).unwrap();
    let file = model.display().to_string();
    assert_harmless(ludens(&format!("describe {file}")).succeeds().printing("\\u{1b}]0;title"));
    let card = ludens(&format!("describe {file} --json"));
    assert_harmless(&card);
    assert_eq!(card.json()["meta"]["raw"], HOSTILE, "the document is the same");
    for [learner, game] in [[HOSTILE, "tic-tac-toe"], ["nhb", HOSTILE]] {
        Model::new(learner, game, Cost::default()).write(&model).unwrap();
        for line in [format!("describe {file}"), format!("play tic-tac-toe --against {file}")] {
            let ran = ludens(&line);
            assert_harmless(ran.saying("not a whole Ludens model").saying("\\u{1b}"));
        }
    }
    for arguments in [
        ["moves", HOSTILE, "--json"],
        ["describe", HOSTILE, "--json"],
        ["perft", "tic-tac-toe", HOSTILE],
        [HOSTILE, "x", "y"],
        ["moves", "tic-tac-toe", &format!("--position={HOSTILE}")],
        ["explain", "tic-tac-toe", &format!("--mind={HOSTILE}")],
        ["explain", "tic-tac-toe", &format!("--mind=uct:{HOSTILE}=1")],
        ["runs", "show", HOSTILE],
        ["train", "nhb", &format!("--game={HOSTILE}")],
        ["gdl", "check", HOSTILE],
        ["replay", HOSTILE, "--json"],
    ] {
        let ran = ludens_with(&arguments, "");
        assert_ne!(ran.code(), Some(0), "{arguments:?}");
        assert_harmless(&ran);
    }
}

#[test]
fn no_symbol_of_rules_steers_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rules.kif");
    let rules = include_str!("../../../gdl/rules/tic-tac-toe.kif");
    fs::write(&path, rules.replace("cross", "cr\u{1b}[2J\u{9b}\u{202e}oss")).unwrap();
    for command in ["gdl check", "gdl show", "moves", "explain --mind random"] {
        assert_harmless(&ludens(&format!("{command} {}", path.display())));
    }
}

#[test]
fn what_a_player_types_is_shown_harmlessly() {
    let game = ludens_answering("play tic-tac-toe --against random --seed 1", &format!("{HOSTILE}\nquit\n"));
    assert_harmless(game.succeeds().printing("is not a move here"));
}

/// 66,000 letters: more than a width of the formatter, a name of a file or a reader's patience.
#[test]
fn echoes_are_cut_and_long_names_listed() {
    let long = "l".repeat(66_000);
    for line in [
        format!("moves {long}"),
        format!("moves tic-tac-toe --position {long}"),
        format!("play tic-tac-toe --against {long}"),
        format!("explain tic-tac-toe --mind uct:{long}=1"),
        format!("explain tic-tac-toe --mind uct:states={long}"),
        format!("train ranker:labels={long} --game connect-four --home /tmp"),
        format!("train ranker --game {long}"),
        format!("solve connect-four {long}"),
        format!("describe {long}"),
        format!("perft tic-tac-toe --depth {long}"),
        format!("runs show {long}"),
        format!("reproduce {long}"),
        format!("reproduce nhb --shard {long}"),
        format!("{long} x"),
    ] {
        let ran = ludens(&line);
        let code = ran.code();
        assert!(code == Some(2) || code == Some(1), "{code:?} {}", &line[..30]);
        let said = ran.stderr();
        assert!(
            !said.contains("panicked") && said.len() < 1_500,
            "{}… says {} bytes",
            &line[..30],
            said.len()
        );
        assert!(!said.contains(&"l".repeat(140)), "{said}");
    }
}

/// Names longer than the widest column: a number may have as many noughts before it as one likes.
#[test]
fn a_list_of_long_names_has_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let home = format!("--home {}", folder.path().display());
    let long = format!("{:0>60000}{:0>6000}", 0, 2);
    ludens(&format!("train coevolution --game tic-tac-toe --set depth={long} --steps 0 {home}")).succeeds();
    let short = |ran: Ran| assert!(ran.succeeds().stdout().lines().all(|line| line.chars().count() < 300));
    short(ludens(&format!("runs {home}")));
    short(ludens(&format!("arena uct:states={long} random --game tic-tac-toe --games 2")));
}

//! Records: of the arena, and of people.

use std::cell::RefCell;
use std::path::Path;

use ludens_arena::{read_record, replay};
use ludens_lab::humans;

use crate::seeds::{open, texts};
use crate::{Law, Verdict, ensure};

/// Hands the bytes over as a file: these readers read files only.
fn in_file<T>(bytes: &[u8], read: impl FnOnce(&Path) -> T) -> Result<T, String> {
    thread_local! {
        /// One folder a thread, in memory where the machine has such a place.
        static FOLDER: RefCell<Option<tempfile::TempDir>> = const { RefCell::new(None) };
    }
    FOLDER.with_borrow_mut(|folder| {
        if folder.is_none() {
            let memory = Path::new("/dev/shm");
            let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
            *folder = Some(made.map_err(|error| error.to_string())?);
        }
        let path = folder.as_ref().map(|folder| folder.path().join("input")).unwrap_or_default();
        std::fs::write(&path, bytes).map_err(|error| error.to_string())?;
        Ok(read(&path))
    })
}

const RECORD: &[&str] = &[
    r#"{"game":"tic-tac-toe","minds":["random","depth1"],"format":"round-robin","pairs":2,"seed":2,"opening_plies":2,"paired_dice":true,"max_plies":5000}
{"unit":0,"pairing":0,"pair":0,"opening":[5,8],"games":[{"first":0,"second":1,"moves":[4,7,6,1,2],"score":1.0,"decisions":[3,2],"states":[0,10]},{"first":1,"second":0,"moves":[1,7,4,0,3],"score":1.0,"decisions":[3,2],"states":[15,0]}]}
{"unit":1,"pairing":0,"pair":1,"opening":[0,6],"games":[{"first":0,"second":1,"moves":[1,7,4,8],"score":-1.0,"decisions":[2,2],"states":[0,10]},{"first":1,"second":0,"moves":[7,8,5,2,4,1,3],"score":1.0,"decisions":[4,3],"states":[16,0]}]}
"#,
    r#"{"game":"connect-four","minds":["a","b","c"],"format":"gauntlet","pairs":1,"seed":0,"opening_plies":0,"paired_dice":true,"states":9,"max_plies":3,"sprt":{"elo0":0.0,"elo1":10.0,"alpha":0.05,"beta":0.05}}
{"unit":0,"pairing":0,"pair":0,"opening":[],"games":[{"first":0,"second":1,"moves":[3,3,3],"score":0.0,"cut":true,"decisions":[2,1],"states":[0,1]},{"first":1,"second":0,"moves":[3,3,3],"score":0.0,"cut":true,"decisions":[2,1],"states":[1,0]}]}
"#,
];

pub(crate) const ARENA: Law = Law {
    name: "arena_record",
    says: "a file is refused, or its pairs are numbered, its tournament is checked and its games replayed or refused",
    weight: 30,
    words: &[
        "\n",
        "{",
        "}",
        "[",
        "]",
        "\"moves\":[",
        "\"unit\":",
        "null",
        "-1.0",
        "\"sprt\":",
        "\"pairs\":",
        "reversi",
        "backgammon",
    ],
    seeds: || texts(RECORD),
    check: arena,
};

/// Puts the right checksum before every line: without it no change gets past the first check.
fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    let mut record = Vec::new();
    for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        record.extend(format!("{:08x} ", crc32fast::hash(line)).into_bytes());
        record.extend(line);
        record.push(b'\n');
    }
    record
}

fn arena(bytes: &[u8]) -> Verdict {
    let _ = in_file(bytes, read_record)?;
    let Ok((tournament, pairs)) = in_file(&with_checksums(bytes), read_record)? else { return Ok(false) };
    let checked = tournament.check().is_ok();
    if checked {
        let _ = tournament.total_games();
    }
    ensure(pairs.iter().zip(0..).all(|(pair, unit)| pair.unit == unit), "pairs are numbered in their order")?;
    // A name of a game may be a file; only those that are always there are opened.
    if !["tic-tac-toe", "connect-four", "reversi", "backgammon"].contains(&tournament.game.as_str()) {
        return Ok(true);
    }
    let front = open(&tournament.game)?;
    for pair in &pairs {
        for game in &pair.games {
            let _ = replay(&*front, &pair.opening, game);
        }
    }
    Ok(true)
}

const PEOPLE: &str = "game,ply,colour,black,white,move,response_ms,player,fold
0,0,black,000000000000000000000000000000000000,000000000000000000000000000000000000,11,7223,0,5
0,1,white,000000000001000000000000000000000000,000000000000000000000000000000000000,24,5141,1,5
1,0,black,000000000000000000000000000000000000,000000000000000000000000000000000000,3,1000,2,1
";

pub(crate) const HUMANS: Law = Law {
    name: "human_records",
    says: "a file is refused, or every move of it is on an empty square, whose patterns are known",
    weight: 30,
    words: &["\n", ",", "black", "white", "\"", "999", "1000", "35", "36", "0000"],
    seeds: || texts(&[PEOPLE]),
    check: |bytes| {
        let Ok(choices) = in_file(bytes, humans::read)? else { return Ok(false) };
        let empty =
            |choice: &humans::Choice| choice.taken < choice.squares.len() && choice.squares.len() <= 36;
        ensure(choices.iter().all(empty), "a move is on an empty square")?;
        let patterns = choices.iter().flat_map(|choice| choice.squares.iter().flatten());
        ensure(
            patterns.clone().all(|(pattern, count)| *pattern < humans::PATTERNS && count.is_finite()),
            "a square has patterns that are known",
        )?;
        Ok(true)
    },
};

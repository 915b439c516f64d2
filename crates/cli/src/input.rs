//! Files that commands read; `-` is the standard input.

use std::io::{BufRead, BufReader};
use std::path::Path;

use ludens_core::store::{TEXT_BYTES, open_to_read, read_rest, read_text_bounded};
use ludens_search::connect_four_solver::Position;

use crate::out::Usage;

/// A number of seconds that a clock can wait: not endless, not less than none.
pub fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.ok_or_else(|| "give seconds from 0 to 86400".into())
}

/// A number of games to learn from.
pub fn games(text: &str) -> Result<u64, String> {
    let games = text.parse::<u64>().ok().filter(|games| *games > 0);
    games.ok_or_else(|| "give a whole number of games, 1 or more".into())
}

/// A number of threads that a machine can start.
pub fn threads(text: &str) -> Result<usize, String> {
    let threads = text.parse::<usize>().ok().filter(|threads| (1..=512).contains(threads));
    threads.ok_or_else(|| "give threads from 1 to 512".into())
}

/// A part of all, from none to all.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "give a share from 0 to 1".into())
}

/// True for the standard input, whose asker may wait for each answer.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

pub fn open(path: &Path) -> Result<Box<dyn BufRead>, Usage> {
    if is_stdin(path) {
        return Ok(Box::new(BufReader::new(std::io::stdin())));
    }
    let file = open_to_read(path).map_err(|error| unreadable(path, &error))?;
    Ok(Box::new(BufReader::new(file)))
}

pub fn text(path: &Path) -> Result<String, Usage> {
    if !is_stdin(path) {
        return read_text_bounded(path, TEXT_BYTES).map_err(|error| unreadable(path, &error));
    }
    let bytes = read_rest(std::io::stdin(), TEXT_BYTES).map_err(|error| unreadable(path, &error))?;
    String::from_utf8(bytes).map_err(|_| Usage("the standard input is not UTF-8 text".into()))
}

/// Fails for a path that cannot be kept as text with a run.
pub fn check_name(path: &Path) -> Result<(), Usage> {
    match path.to_str() {
        Some(_) => Ok(()),
        None => Err(Usage(format!(
            "the name {} is not UTF-8 text, which the store of runs needs: choose another",
            path.display()
        ))),
    }
}

pub fn unreadable(path: &Path, error: &std::io::Error) -> Usage {
    Usage(format!("cannot read {}: {error}", path.display()))
}

/// The moves of every position of such a file, as they are written.
pub fn move_texts(path: &Path) -> Result<Vec<String>, Usage> {
    let first = |line: &str| line.split_whitespace().next().map(str::to_string);
    Ok(text(path)?.lines().filter_map(first).collect())
}

/// Connect Four positions, one a line: the moves, and behind them the score where it is known. Empty lines are passed over.
pub fn positions(path: &Path) -> Result<Vec<(Position<7, 6>, Option<i32>)>, Usage> {
    let mut positions = Vec::new();
    for (number, line) in text(path)?.lines().enumerate() {
        let mut words = line.split_whitespace();
        let Some(moves) = words.next() else { continue };
        let position = Position::to_solve(moves)
            .map_err(|error| Usage(format!("{}, line {}: {error}", path.display(), number + 1)))?;
        positions.push((position, words.next().and_then(|score| score.parse().ok())));
    }
    if positions.is_empty() {
        return Err(Usage(format!(
            "{} holds no position: write the moves of one on each line",
            path.display()
        )));
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_positions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("positions");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            positions(&path)
        };
        let found = read("44 -2\r\n\n 4455\n").unwrap();
        assert_eq!(
            found.iter().map(|(p, score)| (p.discs(), *score)).collect::<Vec<_>>(),
            [(2, Some(-2)), (4, None)]
        );
        for (text, said) in
            [("", "holds no position"), ("44\n\n9", "line 3: move 1 is '9'"), ("1212121", "over")]
        {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(said) && error.contains("positions"), "{error}");
        }
        assert!(positions(folder.path()).unwrap_err().to_string().starts_with("cannot read"));
    }
}

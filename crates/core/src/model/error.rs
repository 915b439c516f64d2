//! What can be wrong with a model.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::FORMAT;

/// A model that cannot be read, written or used.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {path}: {source}. The file that was there before is untouched")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The bytes are not those of a whole model.
    #[error("not a whole Ludens model: {problem}. Train it again, or use the `.previous` file beside it")]
    Damaged {
        /// What is wrong with them.
        problem: String,
    },
    /// What is wrong with this file.
    #[error("{path}: {problem}")]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: Box<ModelError>,
    },
    /// The layout is of a version this program does not know.
    #[error("the model has format {found}, this program reads {FORMAT}: use a newer Ludens")]
    Format {
        /// The version in the file.
        found: String,
    },
    /// Weights that have left the numbers.
    #[error(
        "the tensor {tensor} holds numbers that are none: the step size of its training was too large. Train with a smaller one"
    )]
    NotFinite {
        /// Which.
        tensor: String,
    },
    /// The model plays another game.
    #[error("the model is for {found}, not for {wanted}: {}", how_to_name(found))]
    WrongGame {
        /// The game it plays.
        found: String,
        /// The game that was asked for.
        wanted: String,
    },
    /// The model is another learner's.
    #[error("the model was made by the learner {found}, not by {wanted}")]
    WrongLearner {
        /// The learner that made it.
        found: String,
        /// The learner that was asked for.
        wanted: String,
    },
    /// A tensor or a parameter is not there, or of another size or type.
    #[error(
        "the model lacks {what} or has it in another form; it was made by another version: train it again"
    )]
    Missing {
        /// Its name, and the size that was asked for.
        what: String,
    },
}

/// How a game is named on the command line: rules by their file, of which a model knows the name and the checksum only.
fn how_to_name(game: &str) -> String {
    match game.rsplit_once('@') {
        Some((file, checksum)) => format!("give --game the file {file} of these rules (checksum {checksum})"),
        None => format!("name that game with --game {game}"),
    }
}

impl ModelError {
    /// The same, naming the file it is about.
    #[must_use]
    pub fn in_file(self, path: &Path) -> ModelError {
        match self {
            named @ (ModelError::Read { .. } | ModelError::Write { .. } | ModelError::InFile { .. }) => named,
            problem => ModelError::InFile { path: path.into(), problem: Box::new(problem) },
        }
    }

    /// True if the bytes are not those of a whole model: nothing can be read from them, now or later, by this program or another.
    pub fn is_damage(&self) -> bool {
        match self {
            ModelError::Damaged { .. } => true,
            ModelError::InFile { problem, .. } => problem.is_damage(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_what_can_be_typed() {
        let wrong =
            |found: &str| ModelError::WrongGame { found: found.into(), wanted: "reversi".into() }.to_string();
        assert!(wrong("hex").ends_with("name that game with --game hex"));
        assert!(
            wrong("hex.kif@12ab").ends_with("give --game the file hex.kif of these rules (checksum 12ab)")
        );
    }
}

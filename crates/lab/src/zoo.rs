//! Building the zoo: every model trained from its seed, its levels measured against each other.

use std::path::Path;
use std::time::Duration;

use ludens_core::store::{MODEL_BYTES, SETTINGS_BYTES, read_bounded, read_text_bounded, write_atomic};
use ludens_core::{Animal, Front, Measure, Model, level_file};
use serde::Deserialize;

use crate::LabError;
use crate::levels::{self, Rung};
use crate::train::{Places, Training, Watcher, train};

/// An entry of `zoo.toml`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name of the model in the zoo.
    pub name: String,
    /// What lists call it.
    pub title: String,
    /// The learner, settings included.
    pub learner: String,
    /// The name of the game.
    pub game: String,
    /// How long it is trained.
    pub steps: u64,
    /// The seed of its training.
    pub seed: u64,
    /// Rungs of the ladder that are kept.
    pub levels: usize,
    /// Arena games for each pairing of levels.
    pub games: u32,
    /// Not trained anew: what it learnt from is too much to ship. Its levels are taken as they are, and measured.
    #[serde(default)]
    pub kept: Vec<Kept>,
}

/// A level that is not trained anew.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// Where it lies, from the root of the project.
    pub file: String,
    /// The steps it was trained for.
    pub step: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    #[serde(default)]
    model: Vec<Entry>,
}

/// The entries of a manifest.
pub fn entries(manifest: &Path) -> Result<Vec<Entry>, LabError> {
    let text = read_text_bounded(manifest, SETTINGS_BYTES).map_err(LabError::file(manifest))?;
    let manifest: Manifest = toml::from_str(&text)
        .map_err(|error| LabError::Damaged { path: manifest.into(), problem: error.to_string() })?;
    Ok(manifest.model)
}

/// Trains one entry, writes its levels into `folder`, and measures them.
pub fn build(front: &dyn Front, entry: &Entry, folder: &Path) -> Result<Animal, LabError> {
    let models = if entry.kept.is_empty() {
        trained(front, entry, folder)?
    } else {
        let kept = (1..).zip(&entry.kept).map(|(level, Kept { file, step })| {
            let bytes =
                read_bounded(Path::new(file), MODEL_BYTES).map_err(LabError::file(Path::new(file)))?;
            ship(front, entry, folder, (level, *step), &bytes)
        });
        kept.collect::<Result<Vec<_>, _>>()?
    };
    let levels = levels::measure(front, &models, (entry.games, entry.seed), &|_| {})?;
    Ok(Animal {
        name: entry.name.clone(),
        title: entry.title.clone(),
        game: entry.game.clone(),
        learner: entry.learner.clone(),
        steps: entry.steps,
        seed: entry.seed,
        levels,
    })
}

/// Writes a level as it is shipped.
fn ship(
    front: &dyn Front,
    entry: &Entry,
    folder: &Path,
    (level, step): (usize, u64),
    kept: &[u8],
) -> Result<Rung, LabError> {
    let bytes = front.load(&Model::from_bytes(kept)?)?.save_for_play().to_bytes();
    let out = folder.join(format!("{}.safetensors", level_file(&entry.name, level)));
    write_atomic(&out, &bytes).map_err(LabError::file(&out))?;
    Rung::new(step, &bytes)
}

/// Trains an entry from its seed; the rungs that are kept of it.
fn trained(front: &dyn Front, entry: &Entry, folder: &Path) -> Result<Vec<Rung>, LabError> {
    let work = folder.join(format!(".{}.work", entry.name));
    std::fs::create_dir_all(&work).map_err(LabError::file(&work))?;
    let training = Training {
        learner: entry.learner.clone(),
        game: entry.game.clone(),
        steps: Some(entry.steps),
        seed: entry.seed,
    };
    train(front, &training, &work, Duration::from_secs(20), &mut Alone)?;
    let chosen = choose_rungs(&Places::new(&work).ladder(), entry.levels);
    let rungs = chosen.iter().enumerate().map(|(index, (step, path))| {
        let kept = read_bounded(path, MODEL_BYTES).map_err(LabError::file(path))?;
        ship(front, entry, folder, (index + 1, *step), &kept)
    });
    let rungs = rungs.collect::<Result<Vec<_>, _>>()?;
    std::fs::remove_dir_all(&work).map_err(LabError::file(&work))?;
    Ok(rungs)
}

/// `count` rungs spread over the whole ladder, from the untrained beginner to the finished model.
fn choose_rungs<T: Clone>(ladder: &[T], count: usize) -> Vec<T> {
    let (last, count) = (ladder.len().saturating_sub(1), count.clamp(1, ladder.len().max(1)));
    if count == 1 {
        return ladder[last..].to_vec();
    }
    (0..count).map(|index| ladder[(index * last + (count - 1) / 2) / (count - 1)].clone()).collect()
}

/// Writes the list of all models.
pub fn write_list(animals: &[Animal], folder: &Path) -> Result<(), LabError> {
    let path = folder.join("zoo.json");
    let mut json = serde_json::to_vec_pretty(animals).map_err(LabError::other)?;
    json.push(b'\n');
    write_atomic(&path, &json).map_err(LabError::file(&path))
}

/// A training that nobody watches.
struct Alone;

impl Watcher for Alone {
    fn begin(&mut self, _: u64, _: u64) -> Result<(), LabError> {
        Ok(())
    }
    fn keep(&mut self, _: u64, _: u64, _: &[(u64, Measure)]) -> Result<(), LabError> {
        Ok(())
    }
    fn progress(&mut self, _: u64, _: u64, _: &[Measure]) {}
    fn go_on(&mut self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_reach_from_the_beginner_to_the_best() {
        let ladder: Vec<u32> = (0..10).collect();
        assert_eq!(choose_rungs(&ladder, 6), [0, 2, 4, 5, 7, 9]);
        assert_eq!(choose_rungs(&ladder, 10), ladder);
        assert_eq!(choose_rungs(&ladder, 99), ladder);
        assert_eq!(choose_rungs(&ladder, 1), [9]);
        assert_eq!(choose_rungs(&ladder, 2), [0, 9]);
        assert_eq!(choose_rungs(&[7], 3), [7]);
    }
}

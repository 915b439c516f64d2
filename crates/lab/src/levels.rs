//! The levels of a player are its own past: the models of its ladder, from the untrained beginner to the best, measured against each
//! other in the arena.

use std::path::Path;
use std::sync::Arc;

use ludens_arena::{Format, Options, Progress, Tournament, run_with};
use ludens_core::store::{MODEL_BYTES, SETTINGS_BYTES, read_bounded, write_atomic};
use ludens_core::{Entrant, Front, Level, Model, Models, NoModels};

use crate::LabError;
use crate::runs::Run;
use crate::train::Places;

/// A model that was kept on the way.
#[derive(Clone, Debug)]
pub struct Rung {
    /// After how many steps of training.
    pub step: u64,
    /// The model itself.
    pub model: Model,
    /// CRC-32 of its file.
    pub checksum: String,
}

impl Rung {
    /// Reads the file of a model.
    pub fn new(step: u64, bytes: &[u8]) -> Result<Rung, LabError> {
        let checksum = format!("{:08x}", crc32fast::hash(bytes));
        Ok(Rung { step, model: Model::from_bytes(bytes)?, checksum })
    }
}

/// All levels and two simple minds against each other; a random player has Elo 0.
pub fn measure(
    front: &dyn Front,
    rungs: &[Rung],
    (games, seed): (u32, u64),
    watch: &(dyn Fn(&Progress) + Sync),
) -> Result<Vec<Level>, LabError> {
    const SIMPLE: [&str; 2] = ["random", "depth1"];
    let name = |index: usize| format!("level {}", index + 1);
    let of_rung = |rung: &Rung| Entrant::Model(Arc::new(rung.model.clone()));
    let simple = SIMPLE.map(|name| Entrant::Named(name.into()));
    let entrants: Vec<Entrant> = rungs.iter().map(of_rung).chain(simple).collect();
    let mut names: Vec<String> = (0..rungs.len()).map(name).collect();
    names.extend(SIMPLE.map(String::from));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let tournament = Tournament::new(&front.id(), &names).games(games).seed(seed).format(Format::RoundRobin);
    let models: Arc<dyn Models> = Arc::new(NoModels);
    let report = run_with(front, &entrants, &models, &tournament, &Options::default(), watch)?;
    let standing = |name: &str| report.standings.iter().find(|standing| standing.mind == name);
    let zero = standing("random").map_or(0.0, |random| random.elo);
    // A tenth of a point is more than the arena can tell.
    let tenths = |elo: f64| (10.0 * elo).round() / 10.0;
    let measured = rungs.iter().enumerate().filter_map(|(index, rung)| {
        let found = standing(&name(index))?;
        Some(Level {
            level: index + 1,
            step: rung.step,
            elo: tenths(found.elo - zero),
            elo_plus_minus: tenths(found.elo_plus_minus),
            games: found.games,
            checksum: rung.checksum.clone(),
        })
    });
    Ok(measured.collect())
}

const FILE: &str = "levels.json";

/// Measures the ladder of a run and keeps the result beside it.
pub fn measure_run(
    front: &dyn Front,
    run: &Run,
    games: u32,
    watch: &(dyn Fn(&Progress) + Sync),
) -> Result<Vec<Level>, LabError> {
    let read = |(step, path): (u64, std::path::PathBuf)| {
        let bytes = read_bounded(&path, MODEL_BYTES).map_err(LabError::file(&path))?;
        Rung::new(step, &bytes).map_err(|error| match error {
            LabError::Model(error) => error.in_file(&path).into(),
            other => other,
        })
    };
    let rungs = Places::new(&run.folder).ladder().into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
    if rungs.is_empty() {
        return Err(LabError::NoLadder { run: run.id });
    }
    let levels = measure(front, &rungs, (games, run.seed), watch)?;
    let path = run.folder.join(FILE);
    let json = serde_json::to_vec_pretty(&levels).map_err(LabError::other)?;
    write_atomic(&path, &json).map_err(LabError::file(&path))?;
    Ok(levels)
}

/// What was measured of a run, if anything was and it can be read.
pub fn of_run(folder: &Path) -> Vec<Level> {
    let text = read_bounded(&folder.join(FILE), SETTINGS_BYTES).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

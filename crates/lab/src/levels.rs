//! The levels of a player are its own past: the models of its ladder, from the untrained beginner to the best, measured against each
//! other in the arena.

use std::path::Path;
use std::sync::Arc;

use ludens_arena::{Entrant, Format, Options, Progress, Tournament, run_entrants};
use ludens_core::{Game, Model, store::write_atomic};
use ludens_learners::registry;
use ludens_learners::zoo::Level;

use crate::LabError;
use crate::runs::Run;
use crate::train::Places;

/// A model that was kept on the way.
#[derive(Clone, Debug)]
pub struct Rung {
    pub step: u64,
    pub model: Model,
    /// CRC-32 of its file.
    pub checksum: String,
}

impl Rung {
    pub fn new(step: u64, bytes: &[u8]) -> Result<Rung, LabError> {
        let checksum = format!("{:08x}", crc32fast::hash(bytes));
        Ok(Rung { step, model: Model::from_bytes(bytes)?, checksum })
    }
}

/// All levels and two simple minds against each other; a random player has Elo 0.
pub fn measure<G: Game>(
    (game, game_name): (&Arc<G>, &str),
    rungs: &[Rung],
    (games, seed): (u32, u64),
    watch: &(dyn Fn(&Progress) + Sync),
) -> Result<Vec<Level>, LabError> {
    let name = |index: usize| format!("level {}", index + 1);
    let level = |(index, rung): (usize, &Rung)| {
        let (game, model) = (game.clone(), rung.model.clone());
        Entrant::new(&name(index), move || Ok(registry::load_learner(&game, &model)?))
    };
    let mut entrants: Vec<Entrant<G>> = rungs.iter().enumerate().map(level).collect();
    for name in ["random", "depth1"] {
        let game = game.clone();
        entrants.push(Entrant::new(name, move || registry::make_mind(&game, name)));
    }
    let names: Vec<&str> = entrants.iter().map(|entrant| entrant.name.as_str()).collect();
    let tournament = Tournament::new(game_name, &names).games(games).seed(seed).format(Format::RoundRobin);
    let report = run_entrants(game, &entrants, &tournament, &Options::default(), watch)?;
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
pub fn measure_run<G: Game>(
    game: &Arc<G>,
    run: &Run,
    games: u32,
    watch: &(dyn Fn(&Progress) + Sync),
) -> Result<Vec<Level>, LabError> {
    let read = |(step, path): (u64, std::path::PathBuf)| {
        Rung::new(step, &std::fs::read(&path).map_err(LabError::file(&path))?)
    };
    let rungs = Places::new(&run.folder).ladder().into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
    if rungs.is_empty() {
        return Err(LabError::NoLadder { run: run.id });
    }
    let levels = measure((game, &run.game), &rungs, (games, run.seed), watch)?;
    let path = run.folder.join(FILE);
    let json = serde_json::to_vec_pretty(&levels).map_err(LabError::other)?;
    write_atomic(&path, &json).map_err(LabError::file(&path))?;
    Ok(levels)
}

/// What was measured of a run, if anything was and it can be read.
pub fn of_run(folder: &Path) -> Vec<Level> {
    let text = std::fs::read(folder.join(FILE)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

//! Labelled Connect Four positions: boards from random play with their exact score and all their best moves.
//!
//! Sampling, as the papers' page says: a ply drawn uniformly from 12 to 16, uniform random play up to it; games that end
//! earlier are drawn again; a position is taken once (its mirror image is another one). The n-th position depends on
//! the seed and n alone, and the labels are exact, so the file is the same for any number of threads.
//!
//! The file is a safetensors file of these arrays, position by position:
//!
//! | array    | type and shape | what                                                                        |
//! |----------|----------------|-----------------------------------------------------------------------------|
//! | `boards` | i8 `[n, 6, 7]` | +1 the side to move, −1 the other, 0 empty; bottom row first                |
//! | `score`  | i8 `[n]`       | of the position: half the discs left at the end, positive for a win         |
//! | `best`   | u8 `[n, 7]`    | 1 for every best move                                                       |
//! | `label`  | u8 `[n]`       | one of them, 0–6: the most central, the left one of two                     |
//! | `scores` | i8 `[n, 7]`    | with `--all-scores`: of every move, −128 where the column is full           |
//!
//! The seed and the rest are in its metadata. In Python: `safetensors.numpy.load_file(name)`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use ludens_core::{Cost, Model, ModelError, Rng, Stop, Stopped};
use ludens_games::connect_four::geometry::{CENTRAL_FIRST, bit_of_cell};
use rayon::prelude::*;

use crate::connect_four_solver::{Position, Solver};

type Board = Position<7, 6>;

/// The name in a file's header, in the place of a learner.
const KIND: &str = "labels";
const GAME: &str = "connect-four";
/// Positions a part file holds while labelling goes on: a second or two of work, which is what a kill costs and how evenly threads share.
const PART: usize = 250;
/// In place of the score of a move that is not there.
pub const FULL_COLUMN: i8 = -128;

/// What to label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LabelSettings {
    /// How many positions.
    pub count: usize,
    /// The random games they are taken from follow from it.
    pub seed: u64,
    /// The fewest discs on the board.
    pub first_ply: u32,
    /// The most discs on the board.
    pub last_ply: u32,
    /// Whether the score of every move is wanted, not only of the best.
    pub all_scores: bool,
}

impl Default for LabelSettings {
    fn default() -> Self {
        LabelSettings { count: 1000, seed: 1, first_ply: 12, last_ply: 16, all_scores: false }
    }
}

/// One position and what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Labelled {
    /// The position.
    pub position: Board,
    /// The score of the side to move under best play, as the solver counts.
    pub score: i8,
    /// Bit `c` is set if column `c` is a best move.
    pub best: u8,
    /// The score of every move, where they were asked for.
    pub scores: Option<[i8; 7]>,
}

impl Labelled {
    /// The best move a program would name: the most central, the left one of two.
    pub fn label(&self) -> usize {
        CENTRAL_FIRST
            .into_iter()
            .map(|column| column as usize)
            .find(|&column| self.is_best(column))
            .unwrap_or(3)
    }

    /// Whether a column, counted from 0, is a best move.
    pub fn is_best(&self, column: usize) -> bool {
        self.best >> column & 1 == 1
    }
}

/// The positions to label: the first `count` distinct ones.
pub fn sample(settings: &LabelSettings) -> Vec<Board> {
    sample_until(settings, &Stop::new()).unwrap_or_default()
}

/// The same, unless `stop` ends it: a million take seconds.
fn sample_until(settings: &LabelSettings, stop: &Stop) -> Result<Vec<Board>, Stopped> {
    let mut seen = HashSet::with_capacity(settings.count);
    let mut positions = Vec::with_capacity(settings.count);
    let mut unit = 0;
    // A short range of plies has few positions; stop when nothing new turns up.
    let mut in_vain = 0;
    while positions.len() < settings.count && in_vain < 100_000 {
        let position = random_position(&mut Rng::stream(settings.seed, unit), settings);
        if unit.is_multiple_of(4096) {
            stop.check()?;
        }
        unit += 1;
        in_vain += 1;
        if seen.insert(position) {
            positions.push(position);
            in_vain = 0;
        }
    }
    Ok(positions)
}

fn random_position(rng: &mut Rng, settings: &LabelSettings) -> Board {
    let plies = settings.first_ply + rng.below(settings.last_ply - settings.first_ply + 1);
    'game: loop {
        let mut position = Board::default();
        for _ in 0..plies {
            let legal: Vec<Board> = position.children().map(|(_, child)| child).collect();
            position = legal[rng.below(legal.len() as u32) as usize];
            if position.ended_by_last_move() {
                continue 'game;
            }
        }
        return position;
    }
}

/// Solve one position.
pub fn label_one(solver: &mut Solver<7, 6>, position: Board, all_scores: bool) -> Labelled {
    if !all_scores {
        let best = solver.best_moves(&position);
        return Labelled { position, score: best.score as i8, best: best.columns as u8, scores: None };
    }
    let scores = solver.move_scores(&position);
    let score = scores.iter().flatten().copied().max().unwrap_or(0);
    let best =
        (0..7).filter(|&column| scores[column] == Some(score)).fold(0, |set, column| set | 1 << column);
    let scores = scores.map(|s| s.map_or(FULL_COLUMN, |s| s as i8));
    Labelled { position, score: score as i8, best, scores: Some(scores) }
}

/// Some of the positions, by their places in the whole: what is spread over machines. `done` is told of each.
pub fn label_part(
    settings: &LabelSettings,
    places: std::ops::Range<usize>,
    stop: &Stop,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Labelled>, LabelError> {
    let stopped = |_: Stopped| LabelError::Stopped;
    let positions = sample_until(settings, stop).map_err(stopped)?;
    let wanted = positions.get(places).filter(|_| positions.len() == settings.count);
    let wanted = wanted.ok_or(LabelError::TooFew { found: positions.len(), wanted: settings.count })?;
    let parts = wanted.par_chunks(PART).map_init(Solver::<7, 6>::default, |solver, chunk| {
        let mut labelled = Vec::with_capacity(chunk.len());
        for &position in chunk {
            stop.check().map_err(stopped)?;
            labelled.push(label_one(solver, position, settings.all_scores));
            done();
        }
        Ok::<_, LabelError>(labelled)
    });
    let parts: Vec<Vec<Labelled>> = parts.collect::<Result<_, _>>()?;
    Ok(parts.concat())
}

/// Label all positions on all threads of the pool, keeping finished parts beside `out` so that a run that was
/// stopped goes on where it was, then write the whole file and take the parts away. A file that is already there and holds just
/// this is taken as it is. `progress` hears how many positions were finished and may stop the run by answering `false`.
pub fn label_file(
    settings: &LabelSettings,
    out: &Path,
    progress: &(dyn Fn(usize) -> bool + Sync),
) -> Result<Vec<Labelled>, LabelError> {
    let positions = sample(settings);
    if positions.len() < settings.count {
        return Err(LabelError::TooFew { found: positions.len(), wanted: settings.count });
    }
    if let Ok((found, labelled)) = load(out)
        && found == *settings
        && labelled.iter().map(|l| &l.position).eq(&positions)
    {
        progress(labelled.len());
        return Ok(labelled); // it is done already
    }
    let folder = parts_folder(out);
    std::fs::create_dir_all(&folder).map_err(|source| LabelError::Folder { path: folder.clone(), source })?;
    let parts: Vec<Result<Vec<Labelled>, LabelError>> = positions
        .par_chunks(PART)
        .enumerate()
        .map_init(Solver::<7, 6>::default, |solver, (number, chunk)| {
            let path = folder.join(format!("{number:06}"));
            if let Ok(model) = Model::load(&path)
                && let Ok((found, labelled)) = from_model(&model)
                && found == *settings
                && labelled.iter().map(|l| &l.position).eq(chunk)
            {
                progress(chunk.len());
                return Ok(labelled);
            }
            let mut labelled = Vec::with_capacity(chunk.len());
            for &position in chunk {
                labelled.push(label_one(solver, position, settings.all_scores));
                if !progress(1) {
                    return Err(LabelError::Stopped);
                }
            }
            to_model(settings, &labelled).write(&path)?;
            Ok(labelled)
        })
        .collect();
    let mut labelled = Vec::with_capacity(positions.len());
    for part in parts {
        labelled.extend(part?);
    }
    to_model(settings, &labelled).write(out)?;
    std::fs::remove_dir_all(&folder).map_err(|source| LabelError::Folder { path: folder, source })?;
    Ok(labelled)
}

fn parts_folder(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_os_string();
    name.push(".parts");
    name.into()
}

/// Read a labelled file back.
pub fn load(path: &Path) -> Result<(LabelSettings, Vec<Labelled>), LabelError> {
    Ok(from_model(&Model::load(path)?)?)
}

/// The arrays of the table above.
pub fn to_model(settings: &LabelSettings, labelled: &[Labelled]) -> Model {
    let n = labelled.len();
    let mut model = Model::new(KIND, GAME, Cost::default());
    model.put_meta("settings", settings);
    model.put_meta("made_by", &concat!("ludens ", env!("CARGO_PKG_VERSION")));
    let cell = |l: &Labelled, i: usize| {
        i8::from(l.position.mine() & bit_of_cell(i as u32) != 0)
            - i8::from(l.position.theirs() & bit_of_cell(i as u32) != 0)
    };
    let boards: Vec<i8> = labelled.iter().flat_map(|l| (0..42).map(move |i| cell(l, i))).collect();
    model.put_i8("boards", &[n, 6, 7], &boards);
    model.put_i8("score", &[n], &labelled.iter().map(|l| l.score).collect::<Vec<_>>());
    let best: Vec<u8> = labelled.iter().flat_map(|l| (0..7).map(|c| u8::from(l.is_best(c)))).collect();
    model.put_u8("best", &[n, 7], &best);
    model.put_u8("label", &[n], &labelled.iter().map(|l| l.label() as u8).collect::<Vec<_>>());
    let scores: Vec<i8> = labelled.iter().filter_map(|l| l.scores).flatten().collect();
    if scores.len() == 7 * n {
        model.put_i8("scores", &[n, 7], &scores);
    }
    model
}

/// The other way round; everything is checked but the scores themselves.
pub fn from_model(model: &Model) -> Result<(LabelSettings, Vec<Labelled>), ModelError> {
    model.expect(KIND, GAME)?;
    let settings: LabelSettings = model.meta("settings")?;
    let n = model.len_of("score");
    let boards = model.i8s("boards", 42 * n)?;
    let (score, best) = (model.i8s("score", n)?, model.u8s("best", 7 * n)?);
    let scores = if settings.all_scores { Some(model.i8s("scores", 7 * n)?) } else { None };
    let mut labelled = Vec::with_capacity(n);
    for i in 0..n {
        let cells = &boards[42 * i..42 * (i + 1)];
        let discs =
            |owner: i8| (0..42).filter(|&c| cells[c] == owner).fold(0, |set, c| set | bit_of_cell(c as u32));
        let position = Board::from_discs(discs(1), discs(-1))
            .ok_or_else(|| ModelError::Damaged { problem: format!("position {i} is none") })?;
        labelled.push(Labelled {
            position,
            score: score[i],
            best: (0..7).filter(|&c| best[7 * i + c] != 0).fold(0, |set, c| set | 1 << c),
            scores: scores.map(|s| std::array::from_fn(|c| s[7 * i + c])),
        });
    }
    Ok((settings, labelled))
}

/// What can go wrong with a labelled file.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] ModelError),
    /// The folder of the finished parts cannot be used.
    #[error(
        "cannot use the folder {path} for the finished parts: {source}. Choose --out where you may write"
    )]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// There are not so many positions.
    #[error(
        "only {found} different positions were found, not {wanted}: ask for fewer or for a wider range of plies"
    )]
    TooFew {
        /// How many there are.
        found: usize,
        /// How many were asked for.
        wanted: usize,
    },
    /// The caller stopped it.
    #[error("stopped; the finished parts are kept, the same command goes on from there")]
    Stopped,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const LATE: LabelSettings =
        LabelSettings { count: 2500, seed: 3, first_ply: 24, last_ply: 28, all_scores: true };

    #[test]
    fn a_stopped_run_goes_on_to_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let (whole, stopped) = (folder.path().join("whole"), folder.path().join("stopped"));
        label_file(&LATE, &whole, &|_| true).unwrap();
        let done = AtomicUsize::new(0);
        let stop = |n| done.fetch_add(n, Ordering::Relaxed) < 1500;
        assert!(matches!(label_file(&LATE, &stopped, &stop), Err(LabelError::Stopped)));
        assert!(!stopped.exists());
        label_file(&LATE, &stopped, &|_| true).unwrap();
        assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&stopped).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "no part stays");
        let calls = AtomicUsize::new(0);
        label_file(&LATE, &whole, &|_| calls.fetch_add(1, Ordering::Relaxed) < 9).unwrap();
        assert_eq!(calls.into_inner(), 1, "a finished file is not labelled again");
        let (settings, labelled) = load(&whole).unwrap();
        assert_eq!((settings, labelled.len()), (LATE, 2500));
    }

    #[test]
    fn parts_put_together_are_the_whole() {
        let settings = LabelSettings { count: 600, ..LATE };
        let part = |places| label_part(&settings, places, &Stop::new(), &|| ());
        let whole = part(0..600).unwrap();
        assert_eq!([part(0..130).unwrap(), part(130..600).unwrap()].concat(), whole);
        assert!(matches!(part(599..601), Err(LabelError::TooFew { .. })));
        let stop = Stop::new();
        stop.ask();
        assert!(matches!(label_part(&settings, 0..600, &stop, &|| ()), Err(LabelError::Stopped)));
        // Even before there is anything to label.
        let many = LabelSettings { count: 1_000_000, ..settings };
        assert!(matches!(label_part(&many, 0..1, &stop, &|| ()), Err(LabelError::Stopped)));
    }

    #[test]
    fn best_moves_are_those_of_the_highest_score() {
        let mut solver = Solver::default();
        for position in sample(&LabelSettings { count: 200, ..LATE }) {
            let (few, all) =
                (label_one(&mut solver, position, false), label_one(&mut solver, position, true));
            assert_eq!((few.score, few.best), (all.score, all.best));
            assert!(few.is_best(few.label()));
        }
    }

    #[test]
    fn samples_are_distinct_unfinished_and_spread_over_the_plies() {
        let settings = LabelSettings { count: 5000, ..LabelSettings::default() };
        let positions = sample(&settings);
        assert_eq!(positions.iter().collect::<HashSet<_>>().len(), 5000);
        let mut plies = [0; 43];
        let mut legal = 0;
        for position in &positions {
            assert!(!position.ended_by_last_move());
            plies[position.discs() as usize] += 1;
            legal += position.children().count();
        }
        assert!((12..=16).all(|ply| (900..1100).contains(&plies[ply])), "{plies:?}");
        // Blind choice has rank 3.961 in the paper: the mean of (legal + 1) / 2.
        let blind = (legal as f64 / 5000.0 + 1.0) / 2.0;
        assert!((blind - 3.961).abs() < 0.006, "{blind}");
    }
}

//! `Game`: rules, random games and positions in bulk.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ludens_core::{Count, Front, MindError, Position, Rng, Side, Spec, Stop, Turn};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::errors::{said, wrong};
use crate::house::{self, Opened, Origin, standard};
use crate::own_game::OwnGame;
use crate::state::{State, to_python};
use crate::work::{Trouble, quiet, watched};

/// Games that draw from one stream: the same whatever the number of threads.
const CHUNK: usize = 1024;
/// More would not fit into memory.
const MOST_GAMES: usize = 1 << 30;

/// A game: native, from rules, or written in Python.
#[pyclass(module = "ludens", frozen)]
#[derive(Debug)]
pub struct Game {
    pub origin: Origin,
    pub opened: Opened,
    is_own: bool,
}

impl Game {
    fn open(origin: Origin) -> PyResult<Game> {
        let opened = house::open(&origin, &[])?;
        Ok(Game { is_own: matches!(origin, Origin::Own(_)), origin, opened })
    }

    /// The game of a front that is open already.
    pub fn known(front: Arc<dyn Front>) -> Game {
        let origin = Origin::Named(front.id());
        Game {
            origin,
            opened: Opened { front, games: standard().games.clone(), trouble: Arc::default() },
            is_own: false,
        }
    }

    pub fn front(&self) -> &Arc<dyn Front> {
        &self.opened.front
    }

    pub fn trouble(&self) -> &Arc<Trouble> {
        &self.opened.trouble
    }

    fn state(slf: &Bound<'_, Game>, text: Option<&str>) -> PyResult<State> {
        let game = slf.get();
        let position = game.front().position(text).map_err(said)?;
        let trouble = game.is_own.then(|| game.trouble().clone());
        let state = State::new(position, Some(slf.clone().unbind()), trouble);
        game.trouble().raise()?;
        Ok(state)
    }
}

/// The game called `name` (`connect_four` is `connect-four`), one whose name says its size, or a file of rules (.kif).
#[pyfunction]
pub fn load_game(name: String) -> PyResult<Game> {
    let path = Path::new(&name);
    if !ludens_gdl::is_rule_file(&name) || !path.is_file() {
        return Game::open(Origin::Named(name));
    }
    // The rules themselves are kept: the game may be needed where the file is not.
    let text = ludens_gdl::read_rules(path).map_err(said)?;
    let called = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let file = std::path::absolute(path)?.to_str().map(String::from);
    Game::open(Origin::Rules { name: called, text, file })
}

/// The game of a text of rules in GDL.
#[pyfunction]
#[pyo3(signature = (text, name="rules"))]
pub fn load_rules(text: String, name: &str) -> PyResult<Game> {
    Game::open(Origin::Rules { name: name.into(), text, file: None })
}

/// A game written in Python: an object with new_initial_state, current_player, legal_actions, apply_action and returns.
#[pyfunction]
pub fn own_game(object: &Bound<'_, PyAny>) -> PyResult<Game> {
    let game = Arc::new(OwnGame::new(object)?);
    let trouble = game.trouble.clone();
    let game = Game::open(Origin::Own(game))?;
    trouble.raise()?;
    Ok(game)
}

/// The games of the catalogue: name, title, summary and form of a position of each.
#[pyfunction]
#[pyo3(signature = () -> "list[dict[str, Any]]")]
pub fn games(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &standard().games.list())
}

#[pymethods]
impl Game {
    /// The name by which models and tournaments know it.
    #[getter]
    fn name(&self) -> String {
        self.front().id()
    }

    /// As people write it.
    #[getter]
    fn title(&self) -> &str {
        &self.front().about().title
    }

    /// One line about it.
    #[getter]
    fn summary(&self) -> &str {
        &self.front().about().summary
    }

    /// What the text of a position looks like.
    #[getter]
    fn position_format(&self) -> &str {
        &self.front().about().position_format
    }

    /// The position in which a game begins, or the one of a text.
    #[pyo3(signature = (text=None))]
    fn new_initial_state(slf: &Bound<'_, Game>, text: Option<&str>) -> PyResult<State> {
        Game::state(slf, text)
    }

    /// The state that `serialize` wrote, or that a person did.
    fn deserialize_state(slf: &Bound<'_, Game>, text: &str) -> PyResult<State> {
        Game::state(slf, Some(text))
    }

    /// Every number of a move is below this.
    fn num_distinct_actions(&self) -> PyResult<u32> {
        self.front()
            .move_limit()
            .ok_or_else(|| wrong(format!("{} does not say how many moves there are", self.front().id())))
    }

    /// Two play.
    fn num_players(&self) -> u32 {
        2
    }

    /// The shape of `observation_tensor`.
    fn observation_tensor_shape(&self) -> PyResult<[usize; 1]> {
        let length = self.front().encoding_len();
        self.trouble().raise()?;
        Ok([length])
    }

    /// The length of `observation_tensor`.
    fn observation_tensor_size(&self) -> PyResult<usize> {
        Ok(self.observation_tensor_shape()?[0])
    }

    /// An upper bound on the moves of a game, where there is one.
    fn max_game_length(&self) -> Option<u32> {
        self.front().max_plies()
    }

    /// What a list says of the minds that may play it: names, how they decide, settings.
    #[pyo3(signature = () -> "list[dict[str, Any]]")]
    fn minds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.front().minds())
    }

    /// What a list says of the learners that may learn it.
    #[pyo3(signature = () -> "list[dict[str, Any]]")]
    fn learners<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.front().learners())
    }

    /// Fails, with the reason, unless the learner (`name:key=value,…`) can learn this game.
    fn check_learner(&self, learner: &str) -> PyResult<()> {
        let spec: Spec = learner.parse().map_err(MindError::from).map_err(said)?;
        let made = self.front().learner(spec).map(|_| ());
        self.trouble().raise()?;
        made.map_err(said)
    }

    /// So many uniformly random games: what the first player won in each, and how many moves it had, dice included. The same seed gives the same
    /// games, on one thread or eight.
    #[pyo3(signature = (games, seed=0, threads=None, progress: "Callable[[int, int], object] | None"=None) -> "tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]")]
    #[allow(clippy::type_complexity)]
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        games: usize,
        seed: u64,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<u32>>)> {
        if games > MOST_GAMES {
            return Err(wrong(format!("{games} games are too many for one array: at most {MOST_GAMES}")));
        }
        let (mut scores, mut plies) = (vec![0f32; games], vec![0u32; games]);
        let (stop, done) = (Stop::new(), AtomicU64::new(0));
        let tell = |py: Python<'_>| match &progress {
            Some(progress) => progress.call1(py, (done.load(Ordering::Relaxed), games)).map(|_| ()),
            None => Ok(()),
        };
        let front = &**self.front();
        watched(py, &stop, self.trouble(), &tell, || {
            in_pool(threads, || {
                let chunks = scores.par_chunks_mut(CHUNK).zip(plies.par_chunks_mut(CHUNK)).enumerate();
                chunks.for_each(|(number, (scores, plies))| {
                    if stop.is_asked() {
                        return;
                    }
                    let mut rng = Rng::stream(seed, number as u64);
                    front.playouts_into(&mut rng, scores, plies);
                    done.fetch_add(scores.len() as u64, Ordering::Relaxed);
                });
            })
        })?
        .map_err(wrong)?;
        Ok((scores.into_pyarray(py), plies.into_pyarray(py)))
    }

    /// The inputs of many positions as rows of one array: of states, or of their texts; as one player sees them, or as whoever is to move does.
    #[pyo3(signature = (states: "Sequence[State | str]", player=None) -> "npt.NDArray[np.float32]")]
    fn encode_batch<'py>(
        &self,
        py: Python<'py>,
        states: Vec<Bound<'py, PyAny>>,
        player: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let side = match player {
            None => None,
            Some(0) => Some(Side::First),
            Some(1) => Some(Side::Second),
            Some(other) => {
                return Err(PyIndexError::new_err(format!("there is no player {other}: 0 and 1 play")));
            }
        };
        let (id, mut positions) = (self.front().id(), Vec::with_capacity(states.len()));
        for state in &states {
            let position = match state.cast::<State>() {
                Ok(state) => state.try_borrow()?.position().duplicate(),
                Err(_) => self.front().position(Some(&state.extract::<String>()?)).map_err(said)?,
            };
            if position.game_id() != id {
                return Err(wrong(format!("a state of {} is no state of {id}", position.game_id())));
            }
            positions.push(position);
        }
        let length = self.front().encoding_len();
        self.trouble().raise()?;
        let rows = positions.len();
        let all = quiet(py, &Stop::new(), self.trouble(), || encode_all(&positions, length, side))?;
        all.map_err(wrong)?.into_pyarray(py).reshape([rows, length])
    }

    /// How many move sequences of so many plies there are from the start, or from a position.
    #[pyo3(signature = (depth, position=None))]
    fn perft(&self, py: Python<'_>, depth: u32, position: Option<&str>) -> PyResult<u64> {
        let front = &**self.front();
        let counted =
            quiet(py, &Stop::new(), self.trouble(), || front.count(position, Count::Sequences(depth)))?;
        Ok(counted.map_err(said)?.into_iter().sum())
    }

    fn __repr__(&self) -> String {
        format!("ludens.load_game({:?})", self.front().id())
    }

    fn __str__(&self) -> String {
        self.front().id()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| other.get().front().id() == self.front().id())
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.front().id().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let module = py.import("ludens._core")?;
        let pair = |function: &str, arguments: Bound<'py, PyAny>| Ok((module.getattr(function)?, arguments));
        match &self.origin {
            Origin::Named(name) => pair("load_game", (name,).into_pyobject(py)?.into_any()),
            Origin::Rules { name, text, .. } => {
                pair("load_rules", (text, name).into_pyobject(py)?.into_any())
            }
            Origin::Own(game) => pair("own_game", (game.object.clone_ref(py),).into_pyobject(py)?.into_any()),
        }
    }
}

/// Row by row. The length is the game's word, which a game written in Python may not keep.
fn encode_all(
    positions: &[Box<dyn Position>],
    length: usize,
    side: Option<Side>,
) -> Result<Vec<f32>, String> {
    let mut all = vec![0f32; positions.len() * length];
    let encode = |row: &mut [f32], position: &dyn Position| {
        let mover = if let Turn::Player(side) = position.turn() { side } else { Side::First };
        let mut inputs = Vec::with_capacity(length);
        position.encode(side.unwrap_or(mover), &mut inputs);
        if inputs.len() != length {
            return Err(format!("a position has {} inputs, another {length}", inputs.len()));
        }
        row.copy_from_slice(&inputs);
        Ok(())
    };
    let rows = all.par_chunks_mut(length.max(1)).zip(positions.par_iter());
    rows.try_for_each(|(row, position)| encode(row, &**position))?;
    Ok(all)
}

/// On so many threads, or on all.
fn in_pool(threads: Option<usize>, work: impl FnOnce() + Send) -> Result<(), String> {
    const MOST_THREADS: usize = 1024;
    match threads {
        None => work(),
        Some(threads) => {
            if !(1..=MOST_THREADS).contains(&threads) {
                return Err(format!("{threads} threads are none: from 1 to {MOST_THREADS}"));
            }
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.map_err(|error| format!("cannot start the threads: {error}"))?.install(work);
        }
    }
    Ok(())
}

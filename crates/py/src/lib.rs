//! The Python package: the module `ludens._core`. What people use is in `python/ludens`; here is what must be fast or must be Rust.
//!
//! | module     | what lives there                                                        |
//! |------------|-------------------------------------------------------------------------|
//! | `errors`   | exceptions with the program's own words                                 |
//! | `work`     | long work without the interpreter's lock, ended by Ctrl-C               |
//! | `house`    | games opened with guests: minds and games written in Python             |
//! | `game`     | `Game`: rules, random games and positions in bulk                       |
//! | `state`    | `State`: one position, move by move                                     |
//! | `own_game` | a Python class as a game                                                |
//! | `own_mind` | a Python object as a mind                                               |
//! | `mind`     | `Mind`: think and say why                                               |
//! | `model`    | `Model`: trained players as arrays                                      |
//! | `matches`  | the arena                                                               |
//! | `training` | `Training`: steps as an iterator                                        |
//! | `labels`   | positions with the solver's word                                        |
//! | `lab`      | units of experiments, results                                           |
//! | `serve`    | the page                                                                |

mod errors;
mod game;
mod house;
mod lab;
mod labels;
mod matches;
mod mind;
mod model;
mod own_game;
mod own_mind;
mod serve;
mod state;
mod training;
mod work;

/// What must be true of the processor, kept in the file where `ludens/_processor.py` finds it.
#[used]
static NEEDS: &str = ludens_core::machine::MARK;

/// The Rust half of the package `ludens`.
#[pyo3::pymodule]
mod _core {
    use std::ffi::OsString;

    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::errors::LudensError;
    #[pymodule_export]
    use crate::game::{Game, games, load_game, load_rules, own_game};
    #[pymodule_export]
    use crate::lab::{
        home, metrics, open_reproduction, papers, reproduce, reproduction_folder, run_unit, runs, units,
    };
    #[pymodule_export]
    use crate::labels::{collect_labels, label, solve};
    #[pymodule_export]
    use crate::matches::{arena, collect_pairs, pairs};
    #[pymodule_export]
    use crate::mind::Mind;
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::serve::Server;
    #[pymodule_export]
    use crate::state::State;
    #[pymodule_export]
    use crate::training::Training;
    #[pymodule_export]
    use crate::work::stop_work;

    /// The whole program on these words, the name of the program first; returns the code to exit with.
    #[pyfunction]
    fn main(py: Python<'_>, words: Vec<OsString>) -> u8 {
        py.detach(|| ludens_cli::run_from(ludens_catalogue::Catalogue::standard(), words))
    }

    /// The extensions of the instruction set that this build uses.
    #[pyfunction]
    fn needs() -> Vec<&'static str> {
        ludens_core::machine::needed()
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

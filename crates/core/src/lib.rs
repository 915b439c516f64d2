//! The small interface everything in Ludens stands on.
//!
//! | module    | what lives there                                                        |
//! |-----------|-------------------------------------------------------------------------|
//! | `game`    | [`Game`], [`Move`], [`Side`], [`Turn`], [`Score`]: the rules            |
//! | `board`   | [`Board`]: the 2-D view that contexts, concepts and the screens share   |
//! | `mind`    | [`Mind`], [`Learner`], [`Ctx`]: who chooses and who learns              |
//! | `meter`   | [`Budget`], [`Cost`], [`Meter`]: what a decision may cost and did cost  |
//! | `why`     | [`Why`], [`Reason`]: the ranking of all moves and what it rests on      |
//! | `rng`     | [`Rng`]: random streams derived from (seed, unit)                       |
//! | `spec`    | [`Spec`]: `name:key=value,…`, how minds are named                       |
//! | `model`   | [`Model`]: tensors and metadata, as checksummed safetensors             |
//! | `math`    | exp, ln and the like, the same bits on every machine                    |
//! | `store`   | atomic files                                                            |
//! | `table`   | [`Table`]: a whole session behind an erased front                       |
//! | `audit`   | [`Audited`]: a game that counts, so that cost is never merely claimed   |
//! | `perft`   | counting game trees                                                     |
//! | `laws`    | what every game must keep, tried on random games                        |

mod audit;
mod board;
mod entry;
mod facts;
mod front;
mod game;
mod games;
pub mod laws;
pub mod math;
mod meter;
mod mind;
mod model;
pub mod perft;
mod play;
mod ranking;
mod rng;
#[doc(hidden)]
pub mod settings;
mod spec;
pub mod store;
mod table;
mod tally;
mod zoo;

pub use audit::Audited;
pub use board::{Board, Cell, Layout, Piece, Square};
pub use entry::{
    About, Around, Entries, LearnerEntry, LearnerKind, Made, MadeLearner, MindEntry, MindKind, Origin, Seat,
};
pub use facts::{Facts, GameAbout, Hand, NO_CELL, RecordedGame, Recorder, straight_lines};
pub use front::{Count, Front, FrontOf, Models, NoModels, Playouts, Trainee, nearest};
pub use game::{Game, IllegalMove, Move, Named, Playout, PositionError, Score, Side, Turn, uniform_playout};
pub use games::{AnyFamily, Family, Games, OpenError, Opened};
pub use meter::{Budget, Cost, Meter};
pub use mind::{Ctx, Learner, Measure, Mind, MindError, decide};
pub use model::{Model, ModelCard, ModelError, Tensor};
pub use play::{Entrant, Hall, HallOf, PlayError, Played, Setting, play_on, random_opening};
pub use ranking::{Bound, Combine, MoveValue, Ranking, Reason, ReasonKind, Rule};
pub use rng::Rng;
pub use settings::{Limit, Maybe, SettingAbout, Words};
pub use spec::{Spec, SpecError};
pub use table::{Decision, MindFactory, MoveView, Next, Table, TableError, TableOf, View};
pub use tally::{Interval, Tally, Z95, wilson};
pub use zoo::{Animal, Level, Zoo, level_file};

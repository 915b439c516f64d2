//! The small interface everything in Ludens stands on.
//!
//! | module    | what lives there                                                                     |
//! |-----------|--------------------------------------------------------------------------------------|
//! | `game`    | [`Game`], [`Move`], [`Side`], [`Turn`], [`Score`]: the rules                         |
//! | `facts`   | [`Facts`]: what a game states beside its rules; random games with all positions      |
//! | `board`   | [`Board`]: the 2-D view that contexts, concepts and the screens share                |
//! | `mind`    | [`Mind`], [`Learner`], [`Ctx`]: who chooses and who learns                           |
//! | `ranking` | [`Ranking`], [`Reason`]: a value for every move, what it rests on, the rule that decides |
//! | `memory`  | [`Memory`]: what a learner remembers, for people to look at                          |
//! | `meter`   | [`Budget`], [`Cost`], [`Meter`]: what a decision may cost and did cost               |
//! | `window`  | [`Window`]: looking at a search while it goes on                                      |
//! | `settings`| [`settings!`]: what can be set, said once                                            |
//! | `spec`    | [`Spec`]: `name:key=value,…`, how minds are named                                    |
//! | `entry`   | [`MindKind`], [`LearnerKind`], [`Entries`]: how they are registered                  |
//! | `front`   | [`Front`]: a game whose type nobody needs to know                                    |
//! | `games`   | [`Games`], [`Family`]: all games, by name                                            |
//! | `table`   | [`Table`]: a whole session of one game                                               |
//! | `position`| [`Position`]: one position, whatever its game                                     |
//! | `play`    | [`play_on`], [`Hall`]: the one loop that plays a game                                |
//! | `tally`   | [`Tally`], [`wilson`]: counting results                                              |
//! | `zoo`     | [`Zoo`]: trained models inside the program                                           |
//! | `model`   | [`Model`]: tensors and metadata, as checksummed safetensors                          |
//! | `store`   | atomic files, reads that end                                                         |
//! | `shown`   | text from outside, shown harmlessly and cut                                          |
//! | `rng`     | [`Rng`]: random streams derived from (seed, unit)                                    |
//! | `math`    | functions whose bits are the same on every machine                                   |
//! | `machine` | whether this machine has what the program was built for                              |
//! | `audit`   | [`Audited`]: a game that counts, so that cost is never merely claimed                |
//! | `perft`   | counting game trees                                                                  |
//! | `laws`    | what every game must keep, tried on random games                                     |

#![warn(missing_docs)]

mod audit;
mod board;
mod entry;
mod facts;
mod front;
mod game;
mod games;
pub mod laws;
pub mod machine;
pub mod math;
mod memory;
mod meter;
mod mind;
mod model;
pub mod perft;
mod play;
mod position;
mod ranking;
mod rng;
#[doc(hidden)]
pub mod settings;
pub mod shown;
mod spec;
mod stop;
pub mod store;
mod table;
mod tally;
mod window;
pub mod words;
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
pub use memory::{Memory, Near, Remembered, Spot};
pub use meter::{Budget, Cost, Meter};
pub use mind::{Ctx, Explain, Learner, Measure, Mind, MindError, decide};
pub use model::{Model, ModelCard, ModelError, Tensor};
pub use play::{Entrant, Hall, HallOf, PlayError, Played, Setting, play_on, random_opening};
pub use position::{Position, PositionOf};
pub use ranking::{Bound, Cells, Combine, MoveValue, Ranking, Reason, ReasonKind, Rule};
pub use rng::Rng;
pub use settings::{Limit, Maybe, SettingAbout, Words};
pub use spec::{Spec, SpecError};
pub use stop::{Stop, Stopped};
pub use table::{Decision, MindFactory, MoveView, Next, Table, TableError, TableOf, View};
pub use tally::{Interval, Tally, Z95, wilson};
pub use window::{Glimpse, Window};
pub use zoo::{Animal, Level, Zoo, level_file};

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
mod game;
pub mod laws;
pub mod math;
mod meter;
mod mind;
mod model;
pub mod perft;
mod rng;
mod spec;
pub mod store;
mod table;
mod why;

pub use audit::Audited;
pub use board::{Board, Cell, Layout, Piece, Square};
pub use game::{
    Game, GameVisitor, IllegalMove, Move, Playout, PositionError, Score, Side, Turn, uniform_playout,
};
pub use meter::{Budget, Cost, Meter};
pub use mind::{Ctx, Learner, Measure, Mind, MindError};
pub use model::{Model, ModelCard, ModelError, Tensor};
pub use rng::Rng;
pub use spec::{Spec, SpecError};
pub use table::{Decision, MindFactory, MoveView, Table, TableError, TableOf, View};
pub use why::{Combine, MoveValue, Reason, ReasonKind, Why};

//! **Contexts** (Mańdziuk): ranking Connect Four moves without search, by a network over local contexts.
//!
//! | module      | the paper                                                                       |
//! |-------------|---------------------------------------------------------------------------------|
//! | `entry`     | how the catalogue finds it, and the perfect player of the same board            |
//! | `settings`  | which system, towards which targets                                             |
//! | `learner`   | learning: a system that learns an epoch a step                                  |
//! | `player`    | deciding: the column with the highest sum                                       |
//! | `reasons`   | explaining: the contexts that weighed most                                      |
//! | `geometry`  | contexts, features F1–F4, attributes A1–A4, frames (IV.B.1–2)                   |
//! | `detectors` | the feature detectors D1–D4 (IV.B.3)                                            |
//! | `reference` | the network of figure 6, plainly; its gradient (IV.B.4)                         |
//! | `reading`   | a position as distinct (detector, pattern) pairs                                |
//! | `network`   | the same network, fast                                                          |
//! | `kernel`    | its weights and passes; `places` its second layer, `lanes` what they compute on |
//! | `plain`     | the comparators N20, N40, N60 and C (IV.C.1)                                    |
//! | `train`     | systems S1–S4, online training to the plateau, ranks (IV.C)                     |
//! | `labels`    | labelled positions: from files, with errors                                     |
//! | `shipped`   | those that come with the program                                                |
//!
//! What goes beyond the paper is in `beyond::ranker`.

pub mod detectors;
pub mod entry;
pub(crate) mod geometry;
mod kernel;
pub mod labels;
mod lanes;
mod learner;
pub mod network;
mod places;
pub mod plain;
mod player;
mod reading;
pub(crate) mod reasons;
pub mod reference;
mod settings;
pub mod shipped;
pub mod train;

pub use learner::{ContextsLearner, NAME};
pub use settings::Settings;

/// Positions that stand in for figures 7, 8 and 9, which the paper's text only describes: found by planting the discs the
/// text needs and filling the rest at random; a test proves with the solver what the text says of each.
pub const RECONSTRUCTED: [(&str, &str); 3] =
    [("7", "67754555544333363432222114"), ("8", "66675342223227111113"), ("9", "66444222231311")];

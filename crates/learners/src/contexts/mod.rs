//! **Contexts** (Mańdziuk): ranking Connect Four moves without search, by a network over local contexts.
//!
//! | module      | the paper                                                                       |
//! |-------------|---------------------------------------------------------------------------------|
//! | `geometry`  | contexts, features F1–F4, attributes A1–A4, frames (IV.B.1–2)                   |
//! | `detectors` | the feature detectors D1–D4 (IV.B.3)                                            |
//! | `reference` | the network of figure 6, plainly; its gradient (IV.B.4)                         |
//! | `reading`   | a position as distinct (detector, pattern) pairs                                |
//! | `network`   | the same network, fast                                                          |
//! | `kernel`    | its weights and passes; `places` its second layer, `lanes` what they compute on |
//! | `plain`     | the comparators N20, N40, N60 and C (IV.C.1)                                    |
//! | `train`     | systems S1–S4, online training to the plateau, ranks (IV.C)                     |
//! | `learner`   | a system that learns step by step and says which contexts weighed most          |
//! | `tokens`    | beyond the paper: second-level contexts of a move, in words                     |
//! | `moves`     | beyond the paper: our own ranker on them                                        |
//! | `postulates` | beyond the paper: what P1 and P4 bring to it                                   |
//! | `ranker`    | that ranker as a learner                                                        |
//! | `mind`      | that ranker as a player, and as the orderer of the solver's moves               |
//! | `shipped`   | the labelled positions and models that come with the program                    |

pub mod chunks;
pub mod detectors;
pub mod entry;
pub mod geometry;
mod kernel;
mod lanes;
pub mod learner;
pub mod mind;
pub mod moves;
pub mod network;
mod places;
pub mod plain;
pub mod postulates;
pub mod ranker;
pub mod reading;
pub mod reference;
pub mod shipped;
pub mod tokens;
pub mod train;

/// Positions that stand in for figures 7, 8 and 9, which the paper's text only describes: found by planting the discs the
/// text needs and filling the rest at random; a test proves with the solver what the text says of each.
pub const RECONSTRUCTED: [(&str, &str); 3] =
    [("7", "67754555544333363432222114"), ("8", "66675342223227111113"), ("9", "66444222231311")];

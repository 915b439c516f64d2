//! Game players that learn the way people do, and can say why they moved.
//!
//! A [`Catalogue`] holds games, minds, learners and papers; opened it is a [`House`], in which every game is found by its
//! name and plays like every other, whatever its type:
//!
//! ```
//! use ludens::prelude::*;
//!
//! let house = House::from(Catalogue::standard());
//! let front = house.games.open("connect-four").unwrap();
//! let mut table = front.table(Arc::new(NoModels));
//! table.restart(Some("445")).unwrap();
//! let decision = table.think("alphabeta:depth=4", &mut Rng::new(1), Budget::Unlimited, Explain::DECISION).unwrap();
//! println!("it plays {}: {}", decision.label, decision.why.how.sentence());
//! for candidate in &decision.why.moves {
//!     println!("{:?} is worth {:+.3}", candidate.mv, candidate.value);
//! }
//! # assert_eq!(decision.why.moves.len(), 7);
//! ```
//!
//! A catalogue of your own is the standard one with more in it, and the whole program with it is three lines:
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     ludens::cli::main(ludens::Catalogue::standard())
//! }
//! ```
//!
//! | module        | what is there                                                                     |
//! |---------------|-----------------------------------------------------------------------------------|
//! | [`core`]      | what a game, a mind and a learner are; rankings, reasons, costs, random streams    |
//! | [`games`]     | the native games                                                                  |
//! | [`gdl`]       | games from rules                                                                  |
//! | [`search`]    | alpha-beta, expectimax, UCT, the solver of Connect Four                           |
//! | [`learners`]  | the published methods, and what goes beyond them                                  |
//! | [`arena`]     | matches, tournaments, ratings, sequential tests                                   |
//! | [`lab`]       | training, runs, the papers' experiments                                           |
//! | [`web`]       | the server and its page                                                           |
//! | [`cli`]       | the command line                                                                  |

#![warn(missing_docs)]

pub use ludens_arena as arena;
pub use ludens_catalogue::{Catalogue, House};
pub use ludens_cli as cli;
pub use ludens_core as core;
pub use ludens_games as games;
pub use ludens_gdl as gdl;
pub use ludens_lab as lab;
pub use ludens_learners as learners;
pub use ludens_search as search;
pub use ludens_web as web;

/// What a program needs that plays, or that brings a game, a mind or a learner of its own.
pub mod prelude {
    pub use std::sync::Arc;

    pub use ludens_catalogue::{Catalogue, House};
    pub use ludens_core::{
        About, Board, Bound, Budget, Combine, Cost, Ctx, Decision, Entrant, Entries, Explain, Facts, Family,
        Front, Game, GameAbout, Games, Hand, Layout, Learner, LearnerEntry, LearnerKind, Made, MadeLearner,
        Maybe, Measure, Meter, Mind, MindEntry, MindError, MindKind, Model, ModelError, Move, MoveValue,
        NoModels, OpenError, Piece, PositionError, Ranking, Reason, Rng, Rule, Score, Seat, Side, Spec,
        Square, Table, Tally, Turn, Words, decide, play_on, settings, straight_lines, words,
    };
}

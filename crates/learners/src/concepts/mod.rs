//! Explicit concepts from random playouts of general games.
//!
//! | module       | paper                                                                  |
//! |--------------|------------------------------------------------------------------------|
//! | `entry`      | how the catalogue finds it                                             |
//! | `settings`   | where the concepts come from                                           |
//! | `learner`    | learning: random games, and everything learnt anew from all of them    |
//! | `player`     | deciding: the depth-1 players                                          |
//! | `reasons`    | explaining: the rules that hold after a move                           |
//! | `facts`      | positions as facts, random playouts                                    |
//! | `rules`      | Algorithm 1: `evaluation(v) :- subset`                                 |
//! | `concept`    | Algorithm 2: binary concepts; Algorithm 4: larger ones by unification  |
//! | `structured` | Algorithm 3: heuristics from concepts                                  |
//! | `learn`      | from playouts to a player                                              |
//! | `words`      | concepts as rules, words and pictures                                  |
//!
//! What goes beyond the paper is in `beyond::selected_concepts`.

mod concept;
pub mod entry;
mod facts;
mod learn;
mod learner;
mod player;
mod reasons;
mod rules;
mod settings;
mod structured;
mod words;

pub use concept::{Concept, Mark, Place, generate_new_concepts, join_concepts};
pub use facts::{FactId, FactSet, MarkName, Seen, Vocabulary};
pub use learn::{Experience, Kind, Learnt, concepts_of_game, experience, learn, transferable, vocabulary};
pub use learner::{ConceptLearner, NAME};
pub use player::ConceptPlayer;
pub use rules::{Count, Cut, Evaluation, Reading, Rule, TOP, count_subsets, make_statistical_heuristics};
pub use settings::Parameters;
pub use structured::make_structured_heuristics;

//! Explicit concepts from random playouts of general games.
//!
//! | module       | paper                                                                  |
//! |--------------|------------------------------------------------------------------------|
//! | `facts`      | positions as facts, random playouts                                    |
//! | `rules`      | Algorithm 1: `evaluation(v) :- subset`                                 |
//! | `concept`    | Algorithm 2: binary concepts; Algorithm 4: larger ones by unification  |
//! | `structured` | Algorithm 3: heuristics from concepts                                  |
//! | `learn`      | from playouts to a player                                              |
//! | `learner`    | the player as a [`ludens_core::Learner`]                               |
//! | `player`     | the depth-1 players                                                    |
//! | `feature`    | beyond: patterns in a line and their names                             |
//! | `ideas`      | beyond: material, places and mobility as concepts                      |
//! | `select`     | beyond: few concepts, chosen by what they say about winning            |
//! | `words`      | concepts as rules, words and pictures                                  |

mod concept;
pub mod entry;
mod facts;
mod feature;
mod heuristic;
mod ideas;
mod learn;
mod learner;
mod player;
mod rules;
mod select;
mod structured;
mod words;

pub use concept::{Concept, Mark, Place, generate_new_concepts, join_concepts};
pub use facts::{FactId, FactSet, MarkName, Seen, Vocabulary, games_won_by, random_game};
pub use feature::{Feature, Hold};
pub use heuristic::ConceptHeuristic;
pub use ideas::Idea;
pub use learn::{Experience, Kind, Learnt, concepts_of_game, experience, learn, transferable};
pub use learner::{ConceptLearner, NAME, Parameters, SELECTED};
pub use player::ConceptPlayer;
pub use rules::{Evaluation, Rule, TOP, count_subsets, make_statistical_heuristics, most_frequent_subsets};
pub use select::{Chosen, Settings, concepts_of, rules_for, select};
pub use structured::make_structured_heuristics;

//! Beyond contexts: the network of the paper on any board. Its contexts are the sets of cells that the rules make decisive: lines of the
//! line games, and what is read from rules written in GDL. Detectors are shared by all contexts of a length and of a shape, as the paper
//! shares them; instead of a column an output stands for a cell that a move goes to or comes from. Its labels are what a search thinks best.
//!
//! | module     | what lives there                                             |
//! |------------|--------------------------------------------------------------|
//! | `entry`    | how the catalogue finds it                                   |
//! | `settings` | how many labels, of how deep a search                        |
//! | `shapes`   | the contexts of a board and who looks at them                |
//! | `network`  | forwards, backwards, and what each context adds              |
//! | `labels`   | positions of random games and the move that a search prefers |
//! | `learner`  | learning: labels first, then an epoch a step                 |
//! | `player`   | deciding and explaining                                      |

pub mod entry;
mod labels;
mod learner;
mod network;
mod player;
mod settings;
mod shapes;

pub use learner::{ContextsAny, NAME};
pub use network::Net;
pub use settings::Settings;
pub use shapes::Shapes;

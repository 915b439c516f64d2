//! What we invented, each with a name of its own and a word about what it goes beyond. One folder each,
//! of the shape of all learners; what a folder shares with the method it goes beyond, its `mod.rs` says.
//!
//! | name                   | folder                 | beyond       | how                                                                     |
//! |------------------------|------------------------|--------------|-------------------------------------------------------------------------|
//! | `nhb-improved`         | `nhb_improved`         | nhb          | straight runs of cells, self-play with drawn moves, members             |
//! | `concepts-selected`    | `selected_concepts`    | concepts     | few concepts, chosen by what they say about winning                     |
//! | `coevolution-improved` | `coevolution_improved` | coevolution  | counts as inputs, recombination, openings, comparisons before copying   |
//! | `contexts-any`         | `contexts_any`         | contexts     | its network over the lines of any line game, or over contexts from GDL  |
//! | `odds`                 | `odds`                 | actr         | its memory over the lines, or the concepts, of any board                |
//! | `ranker`               | `ranker`               | contexts     | second-level contexts of a move, and a network that learns to order     |
//! | `actr-improved`        | `actr_improved`        | actr         | 48 chunks a practised player has, matched by degree                     |
//! | `actr-rehearsed`       | `actr_rehearsed`       | actr         | networks that rehearse remembered games                                 |

pub mod actr_improved;
pub mod actr_rehearsed;
pub mod coevolution_improved;
pub mod contexts_any;
pub mod nhb_improved;
pub mod odds;
pub mod ranker;
pub mod selected_concepts;

use ludens_core::Entries;
use ludens_games::backgammon::Backgammon;
use ludens_games::connect_four::ConnectFour;

/// With ours that play Connect Four only.
pub fn connect_four(entries: Entries<ConnectFour>) -> Entries<ConnectFour> {
    ranker::entry::add(entries)
}

/// With ours that play backgammon only.
pub fn backgammon(entries: Entries<Backgammon>) -> Entries<Backgammon> {
    actr_rehearsed::entry::add(actr_improved::entry::add(entries))
}

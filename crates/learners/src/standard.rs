//! The standard families: every native game and the games from rules, each with everybody who plays it. What is generic over the
//! game is compiled here, once for each, however many crates use it.

use ludens_core::{Animal, AnyFamily, Entries, Family, LearnerEntry, LearnerKind, MindEntry, MindKind, Zoo};
use ludens_gdl::GdlGame;

use crate::{actr, beyond, contexts, nhb, registry, rules};

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/zoo_files.rs"));
}

/// The trained models inside the program. `cargo xtask zoo` rebuilds all of them from the seeds in `zoo/zoo.toml`, byte for byte, and
/// measures their Elo in the arena.
pub fn zoo() -> Zoo {
    let animals: Vec<Animal> = serde_json::from_str(include_str!("../zoo/zoo.json")).unwrap_or_default();
    Zoo::new(animals, embedded::FILES.to_vec())
}

macro_rules! standard {
    ($($game:ty as $name:ident),* $(,)?) => {
        /// The families of the program, their types still known.
        #[derive(Debug)]
        pub struct Standard {
            $($name: Family<$game>,)*
            rules: Family<GdlGame>,
        }

        impl Standard {
            /// Everybody on every game.
            pub fn new() -> Standard {
                let mut standard = Standard {
                    $($name: Family::named(registry::general()),)*
                    rules: rules::family(registry::general()),
                };
                standard.add_specialists();
                standard
            }

            /// One more kind of learner for every game.
            pub fn add_learner(&mut self, kind: &impl LearnerKind) {
                $(add_learner(&mut self.$name, LearnerEntry::of(kind.clone()));)*
                add_learner(&mut self.rules, LearnerEntry::of(kind.clone()));
            }

            /// One more kind of mind for every game.
            pub fn add_mind(&mut self, kind: &(impl MindKind + Clone)) {
                $(add_mind(&mut self.$name, MindEntry::of(kind.clone()));)*
                add_mind(&mut self.rules, MindEntry::of(kind.clone()));
            }

            /// The families, their types forgotten.
            pub fn close(self) -> Vec<Box<dyn AnyFamily>> {
                vec![$(self.$name.close(),)* self.rules.close()]
            }
        }
    };
}

ludens_games::each_game!(standard);

impl Default for Standard {
    fn default() -> Standard {
        Standard::new()
    }
}

impl Standard {
    /// Those who play one game only.
    fn add_specialists(&mut self) {
        let take = std::mem::take::<Entries<_>>;
        self.connect_four.entries =
            beyond::connect_four(contexts::entry::add(take(&mut self.connect_four.entries)));
        let take = std::mem::take::<Entries<_>>;
        self.backgammon.entries = beyond::backgammon(actr::entry::add(take(&mut self.backgammon.entries)));
        let take = std::mem::take::<Entries<_>>;
        self.reversi.entries = nhb::league::add(take(&mut self.reversi.entries));
    }
}

fn add_learner<G: ludens_core::Game>(family: &mut Family<G>, entry: LearnerEntry<G>) {
    family.entries = std::mem::take(&mut family.entries).learner_entry(entry);
}

fn add_mind<G: ludens_core::Game>(family: &mut Family<G>, entry: MindEntry<G>) {
    family.entries = std::mem::take(&mut family.entries).mind_entry(entry);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ludens_core::{Games, Models, NoModels, Stop};

    use super::*;

    #[test]
    fn every_level_plays_its_game_and_no_other() {
        let games = Games::new(Standard::new().close(), zoo());
        let models: Arc<dyn Models> = Arc::new(NoModels);
        for animal in games.zoo().animals() {
            let game = games.open(&animal.game).unwrap();
            let plays = |name: &str| game.check_mind(name, &models, &Stop::default());
            let name = format!("zoo:{}", animal.name);
            for level in 1..=animal.levels.len() {
                plays(&format!("{name},level={level}")).unwrap();
            }
            plays(&format!("{name},level=beginner")).unwrap();
            plays(animal.learner_name()).unwrap();
            for wrong in ["level=0", "level=99", "level=x"] {
                assert!(plays(&format!("{name},{wrong}")).is_err(), "{wrong}");
            }
            let other = if animal.game == "tic-tac-toe" { "reversi" } else { "tic-tac-toe" };
            assert!(games.open(other).unwrap().check_mind(&name, &models, &Stop::default()).is_err());
        }
    }

    /// Every level the list names is inside the program, whole, and of the game it says.
    #[test]
    fn the_zoo_is_complete() {
        let zoo = zoo();
        let listed: usize = zoo.animals().iter().map(|animal| animal.levels.len()).sum();
        assert_eq!(listed, zoo.file_count(), "zoo.json and the files differ: run `cargo xtask zoo`");
        for animal in zoo.animals() {
            for level in &animal.levels {
                let model = zoo.model(&animal.name, level.level).unwrap().unwrap();
                assert_eq!(model.game, animal.game);
                let checksum = format!("{:08x}", crc32fast::hash(&model.to_bytes()));
                assert_eq!(checksum, level.checksum, "{} level {}", animal.name, level.level);
            }
            assert!(animal.levels.windows(2).all(|two| two[0].step < two[1].step));
        }
    }
}

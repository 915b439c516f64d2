//! The catalogue: games, minds, learners and papers as one value. The standard one is what the program uses; a user's is the
//! standard one with more in it.
//!
//! ```
//! use ludens_catalogue::{Catalogue, House};
//! use ludens_core::{Entries, Family};
//! use ludens_games::line::Line;
//!
//! // Any `Game`: here one of ours under a name of its own.
//! let board = Line::new(5, 5, 4).unwrap();
//! let house = House::from(Catalogue::standard().with_game(board));
//! let game = house.games.open("line-5x5x4").unwrap();
//! assert!(game.minds().iter().any(|mind| mind.name == "uct"));
//! assert!(game.learners().iter().any(|learner| learner.name == "nhb"));
//! ```
//!
//! # How it holds together
//!
//! A general learner is generic over the game, and a front is made from one type of game: the code for a pair of them has to be
//! compiled where both types are known. So a catalogue carries the types of the games and learners that were added in its own
//! type, and [`House`] is what is left when they are forgotten: everything above the catalogue sees only that.

#![warn(missing_docs)]

pub mod advice;
pub mod pipe;

use std::fmt;
use std::sync::Arc;

use ludens_core::{
    About, AnyFamily, Entries, Family, Front, Game, Games, LearnerEntry, LearnerKind, MindEntry, MindKind,
    OpenError, Stop, Zoo,
};
use ludens_lab::{Experiment, LabError, papers};
use ludens_learners::registry;
use ludens_learners::standard::{Standard, zoo};

/// Families whose types are still known, so that a learner that comes later can be compiled for them.
pub trait Shelf {
    /// One more kind of learner for all of them.
    fn add_learner(&mut self, kind: &impl LearnerKind);
    /// One more kind of mind for all of them.
    fn add_mind(&mut self, kind: &(impl MindKind + Clone));
    /// The families, their types forgotten.
    fn close(self) -> Vec<Box<dyn AnyFamily>>;
}

impl Shelf for Standard {
    fn add_learner(&mut self, kind: &impl LearnerKind) {
        Standard::add_learner(self, kind);
    }
    fn add_mind(&mut self, kind: &(impl MindKind + Clone)) {
        Standard::add_mind(self, kind);
    }
    fn close(self) -> Vec<Box<dyn AnyFamily>> {
        Standard::close(self)
    }
}

/// A family after the others.
#[derive(Debug)]
pub struct Added<S, G: Game> {
    before: S,
    family: Family<G>,
}

impl<S: Shelf, G: Game> Shelf for Added<S, G> {
    fn add_learner(&mut self, kind: &impl LearnerKind) {
        self.before.add_learner(kind);
        let entries = std::mem::take(&mut self.family.entries);
        self.family.entries = entries.learner_entry(LearnerEntry::of(kind.clone()));
    }
    fn add_mind(&mut self, kind: &(impl MindKind + Clone)) {
        self.before.add_mind(kind);
        let entries = std::mem::take(&mut self.family.entries);
        self.family.entries = entries.mind_entry(MindEntry::of(kind.clone()));
    }
    fn close(self) -> Vec<Box<dyn AnyFamily>> {
        let mut families = self.before.close();
        families.push(self.family.close());
        families
    }
}

/// Kinds whose types are still known, so that they can be compiled for a game that comes later.
pub trait Kinds {
    /// These kinds after the others, for one game.
    fn add_to<G: Game>(&self, entries: Entries<G>) -> Entries<G>;
}

/// Nobody beside the standard ones.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl Kinds for Nobody {
    fn add_to<G: Game>(&self, entries: Entries<G>) -> Entries<G> {
        entries
    }
}

/// A kind of learner after the others.
#[derive(Clone, Debug)]
pub struct AndLearner<K, L>(K, L);

impl<K: Kinds, L: LearnerKind> Kinds for AndLearner<K, L> {
    fn add_to<G: Game>(&self, entries: Entries<G>) -> Entries<G> {
        self.0.add_to(entries).learner(self.1.clone())
    }
}

/// A kind of mind after the others.
#[derive(Clone, Debug)]
pub struct AndMind<K, M>(K, M);

impl<K: Kinds, M: MindKind + Clone> Kinds for AndMind<K, M> {
    fn add_to<G: Game>(&self, entries: Entries<G>) -> Entries<G> {
        self.0.add_to(entries).mind(self.1.clone())
    }
}

/// Games, minds, learners and papers.
pub struct Catalogue<S: Shelf = Standard, K: Kinds = Nobody> {
    shelf: S,
    kinds: K,
    zoo: Zoo,
    papers: Vec<Arc<dyn Experiment>>,
}

impl<S: Shelf, K: Kinds> fmt::Debug for Catalogue<S, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalogue").field("papers", &self.papers.len()).finish_non_exhaustive()
    }
}

impl Catalogue {
    /// What the program uses.
    pub fn standard() -> Catalogue {
        let mut shelf = Standard::new();
        shelf.add_mind(&pipe::Pipe);
        Catalogue {
            shelf,
            kinds: Nobody,
            zoo: zoo(),
            papers: papers::all().into_iter().map(Arc::from).collect(),
        }
    }
}

impl<S: Shelf, K: Kinds> Catalogue<S, K> {
    /// With a game of one's own: it has every general mind and learner.
    pub fn with_game<G: Game>(self, game: G) -> Catalogue<Added<S, G>, K> {
        self.with_family(Family::single(game, Entries::default()))
    }

    /// With a family of games, or a game that brings minds and learners made for it alone.
    pub fn with_family<G: Game>(self, mut family: Family<G>) -> Catalogue<Added<S, G>, K> {
        let own = std::mem::take(&mut family.entries);
        let mut entries = self.kinds.add_to(registry::general().mind(pipe::Pipe));
        for mind in own.minds {
            entries = entries.mind_entry(mind);
        }
        for learner in own.learners {
            entries = entries.learner_entry(learner);
        }
        family.entries = entries;
        let Catalogue { shelf, kinds, zoo, papers } = self;
        Catalogue { shelf: Added { before: shelf, family }, kinds, zoo, papers }
    }

    /// With a learner of one's own: it learns every game, those added later included.
    pub fn with_learner<L: LearnerKind>(self, kind: L) -> Catalogue<S, AndLearner<K, L>> {
        let Catalogue { mut shelf, kinds, zoo, papers } = self;
        shelf.add_learner(&kind);
        Catalogue { shelf, kinds: AndLearner(kinds, kind), zoo, papers }
    }

    /// With a mind of one's own: it plays every game, those added later included.
    pub fn with_mind<M: MindKind + Clone>(self, kind: M) -> Catalogue<S, AndMind<K, M>> {
        let Catalogue { mut shelf, kinds, zoo, papers } = self;
        shelf.add_mind(&kind);
        Catalogue { shelf, kinds: AndMind(kinds, kind), zoo, papers }
    }

    /// With an experiment of one's own.
    #[must_use]
    pub fn with_paper(mut self, paper: impl Experiment + 'static) -> Catalogue<S, K> {
        self.papers.push(Arc::new(paper));
        self
    }
}

/// A catalogue with its doors open: what the page, the command line and Python see. No type of a game or a learner is left in it.
#[derive(Clone)]
pub struct House {
    /// Every game, by name.
    pub games: Arc<Games>,
    /// Every experiment.
    pub papers: Vec<Arc<dyn Experiment>>,
}

impl fmt::Debug for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("House").field("games", &self.games).field("papers", &self.papers.len()).finish()
    }
}

impl<S: Shelf, K: Kinds> From<Catalogue<S, K>> for House {
    fn from(catalogue: Catalogue<S, K>) -> House {
        House { games: Games::new(catalogue.shelf.close(), catalogue.zoo), papers: catalogue.papers }
    }
}

impl House {
    /// The game of a text of rules, called `name`; `stop` may end the reading.
    pub fn open_rules(&self, name: &str, text: &str, stop: &Stop) -> Result<Arc<dyn Front>, OpenError> {
        self.games.open_text(name, text, stop)
    }

    /// The experiments called `name`; `all` means every one.
    pub fn papers_named(&self, name: &str) -> Result<Vec<Arc<dyn Experiment>>, LabError> {
        if name == "all" {
            return Ok(self.papers.clone());
        }
        let found: Vec<_> = self.papers.iter().filter(|paper| paper.about().id == name).cloned().collect();
        if found.is_empty() {
            let known: Vec<&str> = self.papers.iter().map(|paper| paper.about().id).collect();
            let known = format!("{} and all", known.join(", "));
            return Err(LabError::UnknownPaper { name: name.into(), known });
        }
        Ok(found)
    }

    /// Every mind and every learner of any game, each once: what a list says of one that a certain game does not have.
    pub fn everybody(&self) -> (Vec<About>, Vec<About>) {
        let (mut minds, mut learners): (Vec<About>, Vec<About>) = Default::default();
        let add = |list: &mut Vec<About>, more: Vec<About>| {
            for about in more {
                if list.iter().all(|known| known.name != about.name) {
                    list.push(about);
                }
            }
        };
        for about in self.games.list() {
            if let Ok(front) = self.games.open(&about.id) {
                add(&mut minds, front.minds());
                add(&mut learners, front.learners());
            }
        }
        (minds, learners)
    }
}

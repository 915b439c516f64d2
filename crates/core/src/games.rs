//! The games of a catalogue, found by name: each family makes the fronts of its games.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::{Around, Entries, Front, FrontOf, Game, GameAbout, Named, Stop, Zoo, nearest};

/// Why a game could not be opened.
#[derive(Clone, Debug, Error)]
pub enum OpenError {
    /// Nobody knows the name.
    #[error(
        "there is no game called {name:?}; `ludens games` lists them, and a file of GDL rules (.kif) is a game too{sizes}"
    )]
    Unknown {
        /// The name asked for.
        name: String,
        /// What names that say a size may say; empty where there are none.
        sizes: String,
    },
    /// Rules that cannot be played.
    #[error("{name}: {error}")]
    Rules {
        /// The name of the rules.
        name: String,
        /// What is wrong with them.
        error: Arc<dyn std::error::Error + Send + Sync>,
    },
}

/// A game made from a name, or why not; none where the name is not of this family.
pub type Opened<G> = Option<Result<Arc<G>, OpenError>>;

/// Games of one type: a single one, or those whose names say their size, or those read from files.
pub struct Family<G: Game> {
    /// What a list says of it.
    pub about: GameAbout,
    /// Whether a list of games shows it.
    pub listed: bool,
    sizes: &'static str,
    open: OpenByName<G>,
    open_text: Option<OpenText<G>>,
    /// Who plays and learns it.
    pub entries: Entries<G>,
}

type OpenByName<G> = Box<dyn Fn(&str) -> Opened<G> + Send + Sync>;
type OpenText<G> = Box<dyn Fn(&str, &str, &Stop) -> Result<Arc<G>, OpenError> + Send + Sync>;

impl<G: Game> fmt::Debug for Family<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Family").field(&self.about.id).finish()
    }
}

impl<G: Game> Family<G> {
    /// Those that `open` makes from their names.
    pub fn new(
        about: GameAbout,
        entries: Entries<G>,
        open: impl Fn(&str) -> Opened<G> + Send + Sync + 'static,
    ) -> Family<G> {
        Family { about, listed: true, sizes: "", open: Box::new(open), open_text: None, entries }
    }

    /// One game, known by its id.
    pub fn single(game: G, entries: Entries<G>) -> Family<G> {
        let (about, id, game) = (game.about(), game.id(), Arc::new(game));
        Family::new(about, entries, move |name| (name == id).then(|| Ok(game.clone())))
    }

    /// Those that know their own names.
    pub fn named(entries: Entries<G>) -> Family<G>
    where
        G: Named,
    {
        let family =
            Family::new(G::family(), entries, |name| G::from_name(name).map(|game| Ok(Arc::new(game))));
        Family { sizes: G::sizes(), ..family }
    }

    /// Whose games can also be made from the text of their rules.
    #[must_use]
    pub fn from_text(
        mut self,
        open: impl Fn(&str, &str, &Stop) -> Result<Arc<G>, OpenError> + Send + Sync + 'static,
    ) -> Family<G> {
        self.open_text = Some(Box::new(open));
        self
    }

    /// Not in the list: a family of files.
    #[must_use]
    pub fn unlisted(mut self) -> Family<G> {
        self.listed = false;
        self
    }

    /// Its type forgotten.
    pub fn close(self) -> Box<dyn AnyFamily> {
        let Family { about, listed, sizes, open, open_text, entries } = self;
        Box::new(Closed { about, listed, sizes, open, open_text, entries: Arc::new(entries) })
    }
}

/// A family whose type nobody needs to know.
pub trait AnyFamily: Send + Sync {
    /// What a list says of it.
    fn about(&self) -> &GameAbout;
    /// Whether a list shows it.
    fn listed(&self) -> bool;
    /// What its names may say of a size; empty where they say none.
    fn sizes(&self) -> &'static str;
    /// What its mind or learner of this name needs of a game.
    fn needs_of(&self, mind: &str) -> Option<String>;
    /// The front of the game called `name`, if it is of this family.
    fn open(&self, name: &str, around: &Arc<Around>) -> Option<Result<Arc<dyn Front>, OpenError>>;
    /// The front of the game of a text of rules, if this family reads rules.
    fn open_text(
        &self,
        name: &str,
        text: &str,
        stop: &Stop,
        around: &Arc<Around>,
    ) -> Option<Result<Arc<dyn Front>, OpenError>>;
}

struct Closed<G: Game> {
    about: GameAbout,
    listed: bool,
    sizes: &'static str,
    open: OpenByName<G>,
    open_text: Option<OpenText<G>>,
    entries: Arc<Entries<G>>,
}

impl<G: Game> Closed<G> {
    fn front(&self, game: Arc<G>, around: &Arc<Around>) -> Arc<dyn Front> {
        Arc::new(FrontOf::new(game, self.entries.clone(), around.clone()))
    }
}

impl<G: Game> AnyFamily for Closed<G> {
    fn about(&self) -> &GameAbout {
        &self.about
    }

    fn listed(&self) -> bool {
        self.listed
    }

    fn sizes(&self) -> &'static str {
        self.sizes
    }

    fn needs_of(&self, mind: &str) -> Option<String> {
        let of_mind = self.entries.find_mind(mind).map(|entry| &entry.about);
        let about = of_mind.or_else(|| self.entries.find_learner(mind).map(|entry| &entry.about));
        about.map(|about| about.needs.clone())
    }

    fn open(&self, name: &str, around: &Arc<Around>) -> Option<Result<Arc<dyn Front>, OpenError>> {
        (self.open)(name).map(|opened| opened.map(|game| self.front(game, around)))
    }

    fn open_text(
        &self,
        name: &str,
        text: &str,
        stop: &Stop,
        around: &Arc<Around>,
    ) -> Option<Result<Arc<dyn Front>, OpenError>> {
        self.open_text.as_ref().map(|open| open(name, text, stop).map(|game| self.front(game, around)))
    }
}

/// All games of a catalogue.
pub struct Games {
    families: Vec<Box<dyn AnyFamily>>,
    around: Arc<Around>,
}

impl fmt::Debug for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.families.iter().map(|family| &family.about().id)).finish()
    }
}

impl Games {
    /// These families with this zoo. A later family of the same id takes the place of an earlier one.
    pub fn new(families: Vec<Box<dyn AnyFamily>>, zoo: Zoo) -> Arc<Games> {
        let around = Arc::new(Around::new(zoo));
        let games = Arc::new(Games { families, around: around.clone() });
        around.settle(&games);
        games
    }

    /// What the list of games shows, in the order in which they were added.
    pub fn list(&self) -> Vec<&GameAbout> {
        self.families.iter().filter(|family| family.listed()).map(|family| family.about()).collect()
    }

    /// The game of a text of rules, called `name`.
    pub fn open_text(&self, name: &str, text: &str, stop: &Stop) -> Result<Arc<dyn Front>, OpenError> {
        let found =
            self.families.iter().rev().find_map(|family| family.open_text(name, text, stop, &self.around));
        found.unwrap_or_else(|| Err(self.unknown(name)))
    }

    fn unknown(&self, name: &str) -> OpenError {
        let sizes = self.families.iter().map(|family| family.sizes()).filter(|sizes| !sizes.is_empty());
        OpenError::Unknown { name: name.into(), sizes: sizes.map(|sizes| format!("; {sizes}")).collect() }
    }

    /// What is around every game.
    pub fn around(&self) -> &Arc<Around> {
        &self.around
    }

    /// What a mind or a learner of another game needs, where there is one of this name.
    pub(crate) fn needs_of(&self, mind: &str) -> Option<String> {
        self.families.iter().find_map(|family| family.needs_of(mind))
    }

    /// The trained models.
    pub fn zoo(&self) -> &Zoo {
        &self.around.zoo
    }

    /// The game called `name`: one of the list, one whose name says its size, or a file of rules.
    pub fn open(&self, name: &str) -> Result<Arc<dyn Front>, OpenError> {
        let found = self.families.iter().rev().find_map(|family| family.open(name, &self.around));
        found.unwrap_or_else(|| Err(self.unknown(name)))
    }

    /// A name of the list that differs by a slip of the finger.
    pub fn near(&self, name: &str) -> Option<String> {
        nearest(name, self.list().into_iter().map(|about| about.id.as_str()))
    }
}

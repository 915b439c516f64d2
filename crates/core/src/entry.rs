//! How minds and learners are registered: what a list shows of them, and how one is made for a game.

use std::fmt;
use std::sync::{Arc, OnceLock, Weak};

use serde::{Deserialize, Serialize};

use crate::{Front, Game, Games, Learner, Mind, MindError, Model, OpenError, SettingAbout, Spec, Stop, Zoo};

/// Where a mind comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A published learning method; its authors and title.
    Published(String),
    /// Ours; what it goes beyond, and how.
    Beyond(String),
    /// Known to everybody: searches, benchmarks, the perfect player.
    Classical,
}

/// What a list shows of a mind or a learner.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct About {
    /// How it is called on the command line.
    pub name: String,
    /// As people write it.
    pub title: String,
    /// One line: how it decides.
    pub summary: String,
    /// What it needs of a game, in a few words.
    pub needs: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Its settings with their defaults.
    pub settings: Vec<SettingAbout>,
}

impl About {
    /// Something that plays every game and has no settings.
    pub fn new(name: &str, title: &str, summary: &str) -> About {
        About {
            name: name.into(),
            title: title.into(),
            summary: summary.into(),
            needs: "any game".into(),
            origin: Origin::Classical,
            settings: Vec::new(),
        }
    }

    /// Says what it needs of a game.
    #[must_use]
    pub fn needs(mut self, needs: &str) -> About {
        self.needs = needs.into();
        self
    }

    /// Says whose method it is.
    #[must_use]
    pub fn published(mut self, citation: &str) -> About {
        self.origin = Origin::Published(citation.into());
        self
    }

    /// Says what it goes beyond.
    #[must_use]
    pub fn beyond(mut self, what: &str) -> About {
        self.origin = Origin::Beyond(what.into());
        self
    }

    /// Says which settings it takes.
    #[must_use]
    pub fn settings(mut self, settings: Vec<SettingAbout>) -> About {
        self.settings = settings;
        self
    }

    /// The names of its settings.
    pub fn keys(&self) -> Vec<&str> {
        self.settings.iter().map(|setting| setting.key.as_str()).collect()
    }
}

/// What is around a game: the zoo, and the other games of the catalogue.
#[derive(Default, Debug)]
pub struct Around {
    /// Trained models.
    pub zoo: Zoo,
    games: OnceLock<Weak<Games>>,
}

impl Around {
    /// Surroundings with a zoo and, until a catalogue is made, no other games.
    pub fn new(zoo: Zoo) -> Around {
        Around { zoo, games: OnceLock::new() }
    }

    pub(crate) fn settle(&self, games: &Arc<Games>) {
        let _ = self.games.set(Arc::downgrade(games));
    }

    /// What a mind of another game needs, where there is one of this name.
    pub(crate) fn needs_of(&self, mind: &str) -> Option<String> {
        self.games.get().and_then(Weak::upgrade)?.needs_of(mind)
    }

    /// Another game of the catalogue.
    pub fn open(&self, name: &str) -> Result<Arc<dyn Front>, OpenError> {
        let games = self.games.get().and_then(Weak::upgrade);
        games.ok_or_else(|| OpenError::Unknown { name: name.into(), sizes: String::new() })?.open(name)
    }
}

/// Where a mind is to sit: the game, and what is around it.
#[derive(Debug)]
pub struct Seat<'a, G: Game> {
    /// The game.
    pub game: &'a Arc<G>,
    /// The zoo and the other games.
    pub around: &'a Arc<Around>,
    /// Who may end the making, where a mind is taught on the spot.
    pub stop: &'a Stop,
}

impl<G: Game> Clone for Seat<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Seat<'_, G> {}

impl<G: Game> Seat<'_, G> {
    /// The error of a mind that needs something this game has not.
    pub fn lacks(&self, mind: &str, reason: &str) -> MindError {
        MindError::WrongGame { mind: mind.into(), game: self.game.id(), reason: reason.into() }
    }
}

/// A mind, or why there is none.
pub type Made<G> = Result<Box<dyn Mind<G>>, MindError>;
/// A learner, or why there is none.
pub type MadeLearner<G> = Result<Box<dyn Learner<G>>, MindError>;

/// A kind of mind for every game; it says when it is made what it misses.
pub trait MindKind: Send + Sync + 'static {
    /// What a list shows.
    fn about(&self) -> About;
    /// The mind that `spec` describes. What it does not take out of `spec` is an error of the user's.
    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> Made<G>;
}

/// A kind of learner for every game.
pub trait LearnerKind: Clone + Send + Sync + 'static {
    /// What a list shows.
    fn about(&self) -> About;
    /// A new learner, before its first step.
    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> MadeLearner<G>;
    /// The learner that a model of it holds.
    fn load<G: Game>(&self, seat: &Seat<G>, model: &Model) -> MadeLearner<G>;
}

type MakeMind<G> = Box<dyn Fn(&Seat<G>, &mut Spec) -> Made<G> + Send + Sync>;
type MakeLearner<G> = Box<dyn Fn(&Seat<G>, &mut Spec) -> MadeLearner<G> + Send + Sync>;
type LoadLearner<G> = Box<dyn Fn(&Seat<G>, &Model) -> MadeLearner<G> + Send + Sync>;

/// A mind that can be named for this game.
pub struct MindEntry<G: Game> {
    /// What a list shows.
    pub about: About,
    make: MakeMind<G>,
}

/// A learner that can be trained on this game.
pub struct LearnerEntry<G: Game> {
    /// What a list shows.
    pub about: About,
    make: MakeLearner<G>,
    load: LoadLearner<G>,
}

impl<G: Game> MindEntry<G> {
    /// A mind made for this game alone.
    pub fn new(
        about: About,
        make: impl Fn(&Seat<G>, &mut Spec) -> Made<G> + Send + Sync + 'static,
    ) -> MindEntry<G> {
        MindEntry { about, make: Box::new(make) }
    }

    /// The mind that `spec` describes; a setting it does not know is an error.
    pub fn make(&self, seat: &Seat<G>, mut spec: Spec) -> Made<G> {
        let mind = (self.make)(seat, &mut spec)?;
        spec.finish(&self.about.keys())?;
        Ok(mind)
    }

    /// A kind of mind, for this game.
    pub fn of(kind: impl MindKind) -> MindEntry<G> {
        MindEntry::new(kind.about(), move |seat, spec| kind.make(seat, spec))
    }
}

impl<G: Game> LearnerEntry<G> {
    /// A learner made for this game alone.
    pub fn new(
        about: About,
        make: impl Fn(&Seat<G>, &mut Spec) -> MadeLearner<G> + Send + Sync + 'static,
        load: impl Fn(&Seat<G>, &Model) -> MadeLearner<G> + Send + Sync + 'static,
    ) -> LearnerEntry<G> {
        LearnerEntry { about, make: Box::new(make), load: Box::new(load) }
    }

    /// A new learner that `spec` describes; a setting it does not know is an error.
    pub fn make(&self, seat: &Seat<G>, mut spec: Spec) -> MadeLearner<G> {
        let learner = (self.make)(seat, &mut spec)?;
        spec.finish(&self.about.keys())?;
        Ok(learner)
    }

    /// The learner that a model holds.
    pub fn load(&self, seat: &Seat<G>, model: &Model) -> MadeLearner<G> {
        (self.load)(seat, model)
    }

    /// A kind of learner, for this game.
    pub fn of(kind: impl LearnerKind) -> LearnerEntry<G> {
        let (about, loader) = (kind.about(), kind.clone());
        LearnerEntry::new(
            about,
            move |seat, spec| kind.make(seat, spec),
            move |seat, model| loader.load(seat, model),
        )
    }
}

impl<G: Game> fmt::Debug for MindEntry<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MindEntry").field(&self.about.name).finish()
    }
}

impl<G: Game> fmt::Debug for LearnerEntry<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LearnerEntry").field(&self.about.name).finish()
    }
}

/// Everybody who can be asked to play or to learn a game of this type.
#[derive(Debug)]
pub struct Entries<G: Game> {
    /// Those who play at once, simple ones first.
    pub minds: Vec<MindEntry<G>>,
    /// Those who learn first.
    pub learners: Vec<LearnerEntry<G>>,
}

impl<G: Game> Default for Entries<G> {
    fn default() -> Entries<G> {
        Entries { minds: Vec::new(), learners: Vec::new() }
    }
}

impl<G: Game> Entries<G> {
    /// The learner of this name.
    pub fn find_learner(&self, name: &str) -> Option<&LearnerEntry<G>> {
        self.learners.iter().find(|entry| entry.about.name == name)
    }

    /// The mind of this name.
    pub fn find_mind(&self, name: &str) -> Option<&MindEntry<G>> {
        self.minds.iter().find(|entry| entry.about.name == name)
    }

    /// With one more kind of mind.
    #[must_use]
    pub fn mind(self, kind: impl MindKind) -> Entries<G> {
        self.mind_entry(MindEntry::of(kind))
    }

    /// With one more kind of learner.
    #[must_use]
    pub fn learner(self, kind: impl LearnerKind) -> Entries<G> {
        self.learner_entry(LearnerEntry::of(kind))
    }

    /// With a mind for this game alone; it takes the place of one of the same name.
    #[must_use]
    pub fn mind_entry(mut self, entry: MindEntry<G>) -> Entries<G> {
        match self.minds.iter_mut().find(|known| known.about.name == entry.about.name) {
            Some(known) => *known = entry,
            None => self.minds.push(entry),
        }
        self
    }

    /// With a learner for this game alone; it takes the place of one of the same name.
    #[must_use]
    pub fn learner_entry(mut self, entry: LearnerEntry<G>) -> Entries<G> {
        match self.learners.iter_mut().find(|known| known.about.name == entry.about.name) {
            Some(known) => *known = entry,
            None => self.learners.push(entry),
        }
        self
    }
}

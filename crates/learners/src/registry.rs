//! Every mind and every learner by name. Adding one is a folder and an entry here.

use std::any::{Any, TypeId};
use std::path::Path;
use std::sync::Arc;

use ludens_core::{Game, Learner, Mind, MindError, Model, ModelError, Spec};
use ludens_games::TypeVisitor;
use ludens_search::{DepthOne, Random};

use crate::{actr, coevolution, concepts, contexts, search_minds};

type Made<G> = Result<Box<dyn Mind<G>>, MindError>;
type MadeLearner<G> = Result<Box<dyn Learner<G>>, MindError>;

/// A mind that can be named on the command line.
#[derive(Debug)]
pub struct MindEntry<G: Game> {
    pub name: &'static str,
    pub summary: &'static str,
    /// The settings it takes, each with what it means and its default.
    pub settings: &'static [(&'static str, &'static str)],
    pub make: fn(&Arc<G>, &mut Spec) -> Made<G>,
}

/// A learner that can be trained: made new, or from a model.
#[derive(Debug)]
pub struct LearnerEntry<G: Game> {
    pub name: &'static str,
    pub summary: &'static str,
    pub settings: &'static [(&'static str, &'static str)],
    pub make: fn(&Arc<G>, &mut Spec) -> MadeLearner<G>,
    pub load: fn(&Arc<G>, &Model) -> MadeLearner<G>,
}

/// The minds, simple ones first. A mind that does not play `G` says so when it is made.
pub fn minds<G: Game>() -> Vec<MindEntry<G>> {
    entries(TypeId::of::<G>(), Wanted::Minds)
}

/// The learners.
pub fn learners<G: Game>() -> Vec<LearnerEntry<G>> {
    entries(TypeId::of::<G>(), Wanted::Learners)
}

/// What [`compiled_here`] is asked for.
#[derive(Clone, Copy)]
enum Wanted {
    Minds,
    Learners,
}

fn entries<T: 'static>(game: TypeId, wanted: Wanted) -> Vec<T> {
    let entries = compiled_here(game, wanted).and_then(|entries| entries.downcast::<Vec<T>>().ok());
    entries.map(|entries| *entries).unwrap_or_default()
}

/// The entries for a registered game, erased. This function is not generic, so every mind is compiled for every game
/// once, in this crate, and not again in each crate that asks for it (which took minutes).
fn compiled_here(game: TypeId, wanted: Wanted) -> Option<Box<dyn Any>> {
    struct Entries(Wanted);
    impl TypeVisitor for Entries {
        type Out = Box<dyn Any>;
        fn visit<G: Game>(self) -> Box<dyn Any> {
            match self.0 {
                Wanted::Minds => Box::new(minds_of::<G>()),
                Wanted::Learners => Box::new(learners_of::<G>()),
            }
        }
    }
    // Games from rules are all of one type, which the registry of native games cannot know.
    if game == TypeId::of::<ludens_gdl::GdlGame>() {
        return Some(Entries(wanted).visit::<ludens_gdl::GdlGame>());
    }
    ludens_games::with_type(game, Entries(wanted))
}

fn minds_of<G: Game>() -> Vec<MindEntry<G>> {
    let mut minds = vec![
        MindEntry {
            name: "random",
            summary: "any legal move",
            settings: &[],
            make: |_, _| Ok(Box::new(Random)),
        },
        MindEntry {
            name: "depth1",
            summary: "a win in one move, else any legal move",
            settings: &[],
            make: |_, _| Ok(Box::new(DepthOne)),
        },
        search_minds::alphabeta(),
        search_minds::expectimax(),
        search_minds::uct(),
        concepts::registry::mind(),
        MindEntry {
            name: "zoo",
            summary: "a trained model that ships with Ludens: zoo:NAME; `ludens zoo` lists them",
            settings: &[
                ("variant", "the name of the model"),
                ("level", "from 1 or beginner to best, the default: its own past, by checkpoints"),
            ],
            make: |game, spec| Ok(crate::zoo::make(game, spec)?),
        },
    ];
    minds.extend(crate::nhb::entries::minds());
    minds.extend(actr::registry::minds());
    minds.extend(contexts::registry::minds());
    minds
}

fn learners_of<G: Game>() -> Vec<LearnerEntry<G>> {
    let mut learners = vec![crate::nhb::entries::learner(), concepts::registry::learner()];
    learners.extend(actr::registry::learners());
    learners.push(coevolution::entry());
    learners.extend(contexts::registry::learners());
    learners
}

/// The mind called `text`: `name:key=value,…`, or a model file.
pub fn make_mind<G: Game>(game: &Arc<G>, text: &str) -> Made<G> {
    let path = Path::new(text);
    // A setting of a named mind may be a file too.
    let named =
        text.split_once(':').is_some_and(|(name, _)| minds::<G>().iter().any(|entry| entry.name == name));
    if !named && (text.ends_with(".safetensors") || path.is_file()) {
        return Ok(load_learner(game, &Model::load(path)?)?);
    }
    let mut spec: Spec = text.parse()?;
    let entries = minds::<G>();
    let Some(entry) = entries.iter().find(|entry| entry.name == spec.name) else {
        if learners::<G>().iter().any(|entry| entry.name == spec.name) {
            return Ok(crate::zoo::trained_by(game, spec)?);
        }
        let names = entries.iter().map(|entry| entry.name);
        return Err(MindError::Unknown { near: nearest(&spec.name, names), name: spec.name });
    };
    let mind = (entry.make)(game, &mut spec)?;
    spec.finish(&keys(entry.settings))?;
    Ok(mind)
}

/// A new learner called `spec`.
pub fn make_learner<G: Game>(game: &Arc<G>, mut spec: Spec) -> MadeLearner<G> {
    let entries = learners::<G>();
    let Some(entry) = entries.iter().find(|entry| entry.name == spec.name) else {
        let names = entries.iter().map(|entry| entry.name);
        return Err(MindError::Unknown { near: nearest(&spec.name, names), name: spec.name });
    };
    let learner = (entry.make)(game, &mut spec)?;
    spec.finish(&keys(entry.settings))?;
    Ok(learner)
}

/// The learner a model holds.
pub fn load_learner<G: Game>(game: &Arc<G>, model: &Model) -> MadeLearner<G> {
    if model.game != game.id() {
        return Err(ModelError::WrongGame { found: model.game.clone(), wanted: game.id() }.into());
    }
    match learners::<G>().iter().find(|entry| entry.name == model.learner) {
        Some(entry) => (entry.load)(game, model),
        None => Err(MindError::Unknown { name: model.learner.clone(), near: None }),
    }
}

/// For minds that play one game only: runs `make` if `G` is that game `H`.
pub fn only_for<G: Game, H: Game>(
    game: &Arc<G>,
    mind: &str,
    reason: &str,
    make: impl FnOnce(Arc<H>) -> Result<Box<dyn Mind<H>>, MindError>,
) -> Made<G> {
    only(game, mind, reason, make)
}

/// As [`only_for`], for learners.
pub fn learner_only_for<G: Game, H: Game>(
    game: &Arc<G>,
    learner: &str,
    reason: &str,
    make: impl FnOnce(Arc<H>) -> Result<Box<dyn Learner<H>>, MindError>,
) -> MadeLearner<G> {
    only(game, learner, reason, make)
}

/// `Box<dyn Mind<H>>` and `Box<dyn Mind<G>>` are one type when H is G; `Any` is how safe Rust says so.
fn only<G: Game, H: Game, A: 'static, B: 'static>(
    game: &Arc<G>,
    name: &str,
    reason: &str,
    make: impl FnOnce(Arc<H>) -> Result<A, MindError>,
) -> Result<B, MindError> {
    let wrong_game = || MindError::WrongGame { mind: name.into(), game: game.id(), reason: reason.into() };
    let erased: Arc<dyn Any + Send + Sync> = game.clone();
    let concrete = erased.downcast::<H>().map_err(|_| wrong_game())?;
    let made: Box<dyn Any> = Box::new(make(concrete)?);
    made.downcast::<B>().map(|made| *made).map_err(|_| wrong_game())
}

fn keys(settings: &'static [(&'static str, &'static str)]) -> Vec<&'static str> {
    settings.iter().map(|(key, _)| *key).collect()
}

/// The name that differs least, if it is near enough to be a slip of the finger.
fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    names
        .map(|name| (edit_distance(wanted, name), name))
        .filter(|(distance, _)| *distance <= 2)
        .min()
        .map(|(_, name)| name.into())
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

//! Games opened by name, with guests: minds and games written in Python.

use std::sync::{Arc, OnceLock};

use ludens_catalogue::{Catalogue, House};
use ludens_core::{Entries, Family, Front, Games, Stop};
use ludens_learners::registry;
use ludens_learners::standard::{Standard, zoo};
use pyo3::prelude::*;

use crate::errors::said;
use crate::own_game::OwnGame;
use crate::own_mind::OwnMind;
use crate::work::Trouble;

/// What the program has.
pub fn standard() -> &'static House {
    static HOUSE: OnceLock<House> = OnceLock::new();
    HOUSE.get_or_init(|| House::from(Catalogue::standard()))
}

/// Where a game comes from, so that it can be opened again with other guests.
#[derive(Clone, Debug)]
pub enum Origin {
    /// A name, or a file of rules.
    Named(String),
    /// The text of rules, what they are called, and the file they come from, where there is one.
    Rules { name: String, text: String, file: Option<String> },
    /// A Python class.
    Own(Arc<OwnGame>),
}

/// An open game and what must live as long as it.
#[derive(Clone, Debug)]
pub struct Opened {
    pub front: Arc<dyn Front>,
    pub games: Arc<Games>,
    pub trouble: Arc<Trouble>,
}

/// Opens a game in a house with these minds beside the standard ones.
pub fn open(origin: &Origin, minds: &[OwnMind]) -> PyResult<Opened> {
    let trouble = match (origin, minds.first()) {
        (Origin::Own(game), _) => game.trouble.clone(),
        (_, Some(mind)) => mind.trouble.clone(),
        _ => Arc::default(),
    };
    let games = match origin {
        Origin::Named(_) | Origin::Rules { .. } if minds.is_empty() => standard().games.clone(),
        Origin::Named(_) | Origin::Rules { .. } => with_guests(minds, &[]),
        Origin::Own(game) => with_guests(minds, std::slice::from_ref(game)),
    };
    let front = match origin {
        Origin::Named(name) => named(&games, name)?,
        Origin::Rules { name, text, .. } => games.open_text(name, text, &Stop::default()).map_err(said)?,
        Origin::Own(game) => games.open(&game.name).map_err(said)?,
    };
    Ok(Opened { front, games, trouble })
}

/// `connect_four` is how others write `connect-four`.
fn named(games: &Games, name: &str) -> PyResult<Arc<dyn Front>> {
    games.open(name).or_else(|error| games.open(&name.replace('_', "-")).map_err(|_| said(error)))
}

/// The standard families with more in them.
pub fn with_guests(minds: &[OwnMind], own: &[Arc<OwnGame>]) -> Arc<Games> {
    let mut standard = Standard::new();
    for mind in minds {
        standard.add_mind(mind);
    }
    let mut families = standard.close();
    for game in own {
        let mut entries: Entries<OwnGame> = registry::general();
        for mind in minds {
            entries = entries.mind(mind.clone());
        }
        let (id, shared) = (game.name.clone(), game.clone());
        let family = Family::new(ludens_core::Game::about(&**game), entries, move |name| {
            (name == id).then(|| Ok(shared.clone()))
        });
        families.push(family.close());
    }
    Games::new(families, zoo())
}

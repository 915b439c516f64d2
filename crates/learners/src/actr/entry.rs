//! How the catalogue finds the backgammon players.

use ludens_core::{About, Entries, Learner, LearnerEntry, MindEntry, MindError, settings};
use ludens_games::backgammon::Backgammon;

use super::gnubg::{self, GnubgMind};
use super::pubeval::Pubeval;
use super::{ActR, NAME, Settings, hc, td};
use crate::citations;

/// What these need of a game.
pub(crate) const NEEDS: &str = "backgammon";

settings! {
    /// Of GNU Backgammon.
    struct Asking {
        /// Plies of lookahead.
        plies: u8 = 0, 0..=3;
    }
}

/// A learner of backgammon, made from the `Settings` of its module.
macro_rules! learner {
    ($module:ident :: $player:ident, $about:expr) => {
        LearnerEntry::new(
            $about.needs($crate::actr::entry::NEEDS).settings($module::Settings::default().list()),
            |_, spec| {
                let settings = $module::Settings::read(spec, &$module::Settings::default())?;
                Ok(Box::new($module::$player::new(settings)))
            },
            |seat, model| Ok(Box::new($module::$player::load(seat.game, model)?)),
        )
    };
}
pub(crate) use learner;

/// With the player of the paper, its opponent and its comparators.
pub fn add(entries: Entries<Backgammon>) -> Entries<Backgammon> {
    entries
        .mind_entry(pubeval())
        .mind_entry(gnu())
        .learner_entry(actr())
        .learner_entry(td_gammon())
        .learner_entry(hc_gammon())
}

fn actr() -> LearnerEntry<Backgammon> {
    let about = About::new(NAME, "ACT-R", "odds of attack, expose and block from fewer than 50 chunks");
    let variants = "published, or literal: the text word for word";
    let mut settings = Settings::default().list();
    settings.insert(
        0,
        ludens_core::SettingAbout {
            key: "variant".into(),
            help: "Which reading of the text; the other settings change single points of it.".into(),
            default: "published".into(),
            limits: variants.into(),
        },
    );
    LearnerEntry::new(
        about.needs(NEEDS).published(citations::ACTR).settings(settings),
        move |_, spec| {
            let base = match spec.take_or("variant", "published".to_string(), variants)?.as_str() {
                "published" => Settings::default(),
                "literal" => Settings::literal(),
                other => return Err(spec.wrong("variant", other, variants).into()),
            };
            Ok(Box::new(ActR::new(Settings::read(spec, &base)?)))
        },
        |seat, model| Ok(Box::new(ActR::load(seat.game, model)?)),
    )
}

fn td_gammon() -> LearnerEntry<Backgammon> {
    let about = About::new(td::NAME, "TD(λ)", "a network trained by TD(λ) in games against itself");
    learner!(td::Td, about.published("G. Tesauro, Practical Issues in Temporal Difference Learning"))
}

fn hc_gammon() -> LearnerEntry<Backgammon> {
    let about = About::new(hc::NAME, "HC-Gammon", "hill climbing from a network of zeros");
    let citation = "J. B. Pollack, A. D. Blair and M. Land, Coevolution of a Backgammon Player";
    learner!(hc::HillClimber, about.published(citation))
}

fn pubeval() -> MindEntry<Backgammon> {
    let about = About::new("pubeval", "Pubeval", "Gerald Tesauro's linear benchmark player").needs(NEEDS);
    MindEntry::new(about, |_, _| Ok(Box::<Pubeval>::default()))
}

fn gnu() -> MindEntry<Backgammon> {
    let about = About::new("gnubg", "GNU Backgammon", "another program, started and asked over its socket")
        .needs("backgammon, and gnubg installed")
        .settings(Asking::default().list());
    MindEntry::new(about, |_, spec| {
        let Asking { plies } = Asking::read(spec, &Asking::default())?;
        gnubg::find().map_err(|error| MindError::Other(error.to_string()))?;
        Ok(Box::new(GnubgMind::new(plies)))
    })
}

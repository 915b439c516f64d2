//! How the catalogue finds NHB, and the opponents of its paper.

use std::path::Path;

use ludens_core::{
    About, Game, Learner, LearnerKind, Made, MadeLearner, MindError, MindKind, Model, Rng, Seat, Spec,
    settings,
};

use super::judge::Judge;
use super::leaf::Leaf;
use super::learner::{NAME, Nhb};
use super::player::Judged;
use super::settings::Settings;
use crate::beyond::nhb_improved;
use crate::citations;

/// NHB as published.
#[derive(Clone, Copy, Debug)]
pub struct Published;

impl LearnerKind for Published {
    fn about(&self) -> About {
        About::new(NAME, "NHB", "search with a heuristic learnt online from its own matches")
            .published(citations::NHB)
            .settings(Settings::default().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> MadeLearner<G> {
        Ok(Box::new(Nhb::new(&**seat.game, Settings::read(spec, &Settings::default())?)))
    }

    fn load<G: Game>(&self, seat: &Seat<G>, model: &Model) -> MadeLearner<G> {
        Ok(Box::new(Nhb::load(&**seat.game, model)?))
    }
}

/// What a model learnt, for the leaves of the common alpha-beta: of a file, or of the zoo's best for the game.
pub fn learnt<G: Game>(seat: &Seat<G>, file: Option<&str>) -> Result<Leaf<G::State>, MindError> {
    let game = &**seat.game;
    let zoo = &seat.around.zoo;
    let (name, model) = match file {
        Some(file) => (file.to_string(), Model::load(Path::new(file))?),
        None => {
            let trained =
                zoo.trained_by(nhb_improved::NAME, &game.id()).or_else(|| zoo.trained_by(NAME, &game.id()));
            let lacks = || {
                seat.lacks(
                    "heuristic=learnt",
                    "the zoo has no model of nhb for it; train one and give its file",
                )
            };
            let animal = trained.ok_or_else(lacks)?;
            (animal.name.clone(), zoo.model(&animal.name, animal.levels.len()).ok_or_else(lacks)??)
        }
    };
    Ok(Leaf::new(name, Nhb::load(game, &model)?.judge().clone()))
}

settings! {
    /// Of an opponent that learns nothing.
    struct Judging {
        /// States a move.
        states: u64 = 500, 1..=100_000_000;
        /// Hidden units, where there is a network.
        hidden: usize = 64, 1..=4096;
        /// Seed of what it judges by.
        seed: u64 = 0, 0..=u64::MAX;
    }
}

/// An opponent of the paper's experiments: NHB's search with random values for a heuristic.
#[derive(Clone, Copy, Debug)]
pub struct RandomJudge;

impl MindKind for RandomJudge {
    fn about(&self) -> About {
        About::new("nhb-random", "NHB, random", "NHB's search with random values for a heuristic")
            .settings(Judging::default().list())
    }

    fn make<G: Game>(&self, _: &Seat<G>, spec: &mut Spec) -> Made<G> {
        let Judging { states, seed, .. } = Judging::read(spec, &Judging::default())?;
        Ok(Box::new(Judged::new(Judge::Random { seed }, states)))
    }
}

/// An opponent of the paper's experiments: NHB's search with a network that has learnt nothing.
#[derive(Clone, Copy, Debug)]
pub struct UntrainedJudge;

impl MindKind for UntrainedJudge {
    fn about(&self) -> About {
        About::new("nhb-untrained", "NHB, untrained", "NHB's search with a randomly initialised network")
            .settings(Judging::default().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> Made<G> {
        let Judging { states, hidden, seed } = Judging::read(spec, &Judging::default())?;
        let judge = Judge::untrained(seat.game.encoding_len(), hidden, &mut Rng::new(seed));
        Ok(Box::new(Judged::new(judge, states)))
    }
}

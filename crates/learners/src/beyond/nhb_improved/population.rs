//! The heuristics in training. Several of one kind play each other and judge together, by the mean of their weights: what one network does not
//! see in itself the others punish.

use ludens_core::{Game, Model, ModelError};

use crate::nhb::heuristic::Heuristic;
use crate::nhb::judge::Judge;

#[derive(Clone, Default, Debug)]
pub struct Population {
    members: Vec<Heuristic>,
    /// Where there are several.
    mean: Option<Heuristic>,
}

impl Population {
    /// As many as are to be, all with the features of the first.
    pub fn begin(&mut self, first: Heuristic, count: usize) {
        self.members = vec![first.blank(); count];
        self.members[0] = first;
    }

    /// What judges: the only member, or the mean of all.
    pub fn heuristic(&self) -> Option<&Heuristic> {
        self.mean.as_ref().or(self.members.first())
    }

    pub fn member(&mut self, number: usize) -> Option<&mut Heuristic> {
        self.members.get_mut(number)
    }

    pub fn judges(&self) -> Vec<Judge> {
        self.members.iter().map(Heuristic::judge).collect()
    }

    /// To be called when members have learnt.
    pub fn average(&mut self) {
        if let [first, others @ ..] = &self.members[..]
            && !others.is_empty()
        {
            self.mean = Some(first.mean(others));
        }
    }

    /// `whole`: every member, and the sums that further training needs.
    pub fn save(&self, model: &mut Model, whole: bool) {
        if let Some(judging) = self.heuristic() {
            judging.save(model, "", whole && self.mean.is_none());
        }
        if whole && self.mean.is_some() {
            for (number, member) in self.members.iter().enumerate() {
                member.save(model, &prefix(number), true);
            }
        }
    }

    /// A file for play goes on with members that are all what was played with.
    pub fn load<G: Game>(game: &G, model: &Model, count: usize) -> Result<Population, ModelError> {
        let judging = Heuristic::load(game, model, "")?;
        if count == 1 {
            return Ok(Population { members: vec![judging], mean: None });
        }
        let members: Vec<Heuristic> = if Heuristic::is_in(model, &prefix(0)) {
            (0..count)
                .map(|number| Heuristic::load(game, model, &prefix(number)))
                .collect::<Result<_, _>>()?
        } else {
            vec![judging.clone(); count]
        };
        Ok(Population { members, mean: Some(judging) })
    }
}

fn prefix(number: usize) -> String {
    format!("member.{number}.")
}

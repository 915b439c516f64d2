//! The heuristics in training. Several of one kind play each other and judge together, by the mean of their weights: what one network does not
//! see in itself the others punish. What none of a kind sees another kind may: sparring partners see less, play otherwise, and do not judge.

use ludens_core::{Game, Model, ModelError};

use crate::nhb::heuristic::Heuristic;
use crate::nhb::judge::Judge;

#[derive(Clone, Default, Debug)]
pub struct Population {
    members: Vec<Heuristic>,
    /// Where there are several.
    mean: Option<Heuristic>,
    /// They learn and play as members do.
    sparring: Vec<Heuristic>,
}

impl Population {
    /// As many as are to be, all with the features of the first; and the sparring partners.
    pub fn begin(&mut self, first: Heuristic, count: usize, sparring: Vec<Heuristic>) {
        self.members = vec![first.blank(); count];
        self.members[0] = first;
        self.sparring = sparring;
    }

    /// What judges: the only member, or the mean of all.
    pub fn heuristic(&self) -> Option<&Heuristic> {
        self.mean.as_ref().or(self.members.first())
    }

    /// Of those that learn: the members, then the sparring partners.
    pub fn learning(&mut self, number: usize) -> Option<&mut Heuristic> {
        self.members.iter_mut().chain(&mut self.sparring).nth(number)
    }

    pub fn judges(&self) -> Vec<Judge> {
        self.members.iter().chain(&self.sparring).map(Heuristic::judge).collect()
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
        if whole {
            for (number, partner) in self.sparring.iter().enumerate() {
                partner.save(model, &sparring_prefix(number), true);
            }
        }
    }

    /// A file for play goes on with members that are all what was played with.
    pub fn load<G: Game>(game: &G, model: &Model, count: usize) -> Result<Population, ModelError> {
        let judging = Heuristic::load(game, model, "")?;
        if count == 1 {
            return Ok(Population { members: vec![judging], ..Population::default() });
        }
        let members: Vec<Heuristic> = if Heuristic::is_in(model, &prefix(0)) {
            (0..count)
                .map(|number| Heuristic::load(game, model, &prefix(number)))
                .collect::<Result<_, _>>()?
        } else {
            vec![judging.clone(); count]
        };
        Ok(Population { members, mean: Some(judging), ..Population::default() })
    }

    /// As many as there are `blank` ones, which a file for play leaves as they are: they begin anew.
    pub fn load_sparring<G: Game>(
        &mut self,
        game: &G,
        model: &Model,
        blank: Vec<Heuristic>,
    ) -> Result<(), ModelError> {
        self.sparring = blank;
        if Heuristic::is_in(model, &sparring_prefix(0)) {
            for (number, partner) in self.sparring.iter_mut().enumerate() {
                *partner = Heuristic::load(game, model, &sparring_prefix(number))?;
            }
        }
        Ok(())
    }
}

fn sparring_prefix(number: usize) -> String {
    format!("sparring.{number}.")
}

fn prefix(number: usize) -> String {
    format!("member.{number}.")
}

//! A mind of the house for the GGP player, which knows its game only from the rules it was sent. The house opens the same rules, and
//! the mind thinks there, at a table.

use std::collections::HashMap;

use ludens_catalogue::House;
use ludens_core::{Ctx, Game, Mind, MindError, Move, MoveValue, Ranking, Table, TableError};
use ludens_gdl::GdlGame;
use ludens_gdl::ggp::MindMaker;
use ludens_gdl::syntax::{Condition, Rule, Rules};
use ludens_gdl::terms::Terms;

use crate::pick;

/// Makes the mind called `mind` for the games it can play.
pub fn maker(house: &House, mind: &str) -> MindMaker {
    let (house, mind) = (house.clone(), mind.to_string());
    std::sync::Arc::new(move |game, stop| {
        let text = text_of(game.description().rules());
        let front = house.open_rules("match.kif", &text, stop).ok()?;
        let mut table = front.table(pick::no_models());
        table.watched(stop.clone());
        // Some learn before they play: now, while the start clock runs.
        table.new_game(&mind).ok()?;
        Some(Box::new(AtTable { table, mind: mind.clone() }))
    })
}

struct AtTable {
    table: Box<dyn Table>,
    mind: String,
}

impl AtTable {
    fn stuck(&self, error: TableError) -> MindError {
        match error {
            TableError::Mind(error) => error,
            other => MindError::Stuck { mind: self.mind.clone(), problem: other.to_string() },
        }
    }
}

impl Mind<GdlGame> for AtTable {
    fn rank(
        &mut self,
        game: &GdlGame,
        state: &<GdlGame as Game>::State,
        ctx: &mut Ctx,
    ) -> Result<Ranking, MindError> {
        self.table.restart(Some(&game.text(state))).map_err(|error| self.stuck(error))?;
        self.table.watched(ctx.meter.stop().clone());
        let thought = self.table.think(&self.mind, ctx.rng, ctx.meter.budget(), ctx.explain);
        let decision = thought.map_err(|error| self.stuck(error))?;
        ctx.meter.add_states(decision.cost.states);
        // The same rules in another house: the words of a move are the same, its number need not be.
        let mut legal = Vec::new();
        game.moves(state, &mut legal);
        let numbers: HashMap<String, Move> =
            legal.into_iter().map(|mv| (game.label(state, mv), mv)).collect();
        let words: HashMap<Move, String> =
            self.table.view().moves.into_iter().map(|view| (view.mv, view.label)).collect();
        let here = |candidate: &MoveValue| {
            let mv = *numbers.get(words.get(&candidate.mv)?)?;
            Some(MoveValue { mv, ..candidate.clone() })
        };
        let preferred = numbers.get(&decision.label).copied();
        let moves = decision.why.moves.iter().filter_map(here).collect();
        Ok(Ranking { moves, preferred, ..decision.why })
    }
}

/// Rules as a text that reads as the same rules.
fn text_of(rules: &Rules) -> String {
    let line = |rule: &Rule| {
        let head = rule.head.show(&rules.terms, &rule.variables);
        if rule.body.is_empty() {
            return head;
        }
        let body: Vec<String> =
            rule.body.iter().map(|condition| condition_text(condition, rule, &rules.terms)).collect();
        format!("(<= {head} {})", body.join(" "))
    };
    rules.rules.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn condition_text(condition: &Condition, rule: &Rule, terms: &Terms) -> String {
    let all = |word: &str, parts: &[Condition]| {
        let parts: Vec<String> = parts.iter().map(|part| condition_text(part, rule, terms)).collect();
        format!("({word} {})", parts.join(" "))
    };
    match condition {
        Condition::Atom(atom) => atom.show(terms, &rule.variables),
        Condition::Not(part) => format!("(not {})", condition_text(part, rule, terms)),
        Condition::Or(parts) => all("or", parts),
        Condition::And(parts) => all("and", parts),
        Condition::Distinct(one, other) => {
            format!("(distinct {} {})", one.show(terms, &rule.variables), other.show(terms, &rule.variables))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ludens_catalogue::Catalogue;
    use ludens_core::{Meter, Rng, Stop};
    use ludens_gdl::{Description, Limits};

    use super::*;

    fn description(name: &str) -> Description {
        let path = format!("{}/../gdl/rules/{name}.kif", env!("CARGO_MANIFEST_DIR"));
        Description::load(&std::fs::read_to_string(path).unwrap(), &Limits::default()).unwrap()
    }

    #[test]
    fn the_text_reads_as_the_same_rules() {
        for name in ["tic-tac-toe", "connect-four", "reversi", "breakthrough", "hex-7", "chase"] {
            let rules = description(name).rules().clone();
            let text = text_of(&rules);
            let again = Rules::parse(&text, &Limits::default()).unwrap();
            assert_eq!(again.rules.len(), rules.rules.len(), "{name}");
            assert_eq!(text_of(&again), text, "{name}");
        }
    }

    #[test]
    fn a_mind_of_the_house_plays_the_rules_that_were_sent() {
        let house = House::from(Catalogue::standard());
        let game =
            Arc::new(GdlGame::new("match", Arc::new(description("tic-tac-toe")), &Stop::default()).unwrap());
        assert!(maker(&house, "nobody")(&game, &Stop::default()).is_none());
        let mut mind = maker(&house, "depth1")(&game, &Stop::default()).unwrap();
        let (mut state, mut moves) = (game.start(), Vec::new());
        for _ in 0..4 {
            game.moves(&state, &mut moves);
            game.apply(&mut state, moves[0]);
        }
        game.moves(&state, &mut moves);
        let (mut rng, mut meter) = (Rng::new(1), Meter::unlimited());
        let ranking = mind.rank(&game, &state, &mut Ctx::new(&mut rng, &mut meter)).unwrap();
        assert_eq!(ranking.moves.len(), moves.len());
        assert!(moves.contains(&ranking.decide().unwrap()));
        assert!(meter.cost().states > 0);
    }
}

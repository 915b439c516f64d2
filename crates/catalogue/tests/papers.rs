//! An experiment from outside is found, run and assembled like ours.

use ludens_catalogue::{Catalogue, House};
use ludens_lab::{About, Experiment, LabError, Outcomes, PaperResult, Plan, Scale, Unit, UnitCtx, reproduce};
use serde_json::{Value, json};

/// Counts the games of the catalogue.
struct Census;

impl Experiment for Census {
    fn about(&self) -> About {
        About { id: "census", title: "A census", citation: "nobody" }
    }

    fn units(&self, plan: &Plan) -> Vec<Unit> {
        vec![plan.unit("count")]
    }

    fn run_unit(&self, _: &Plan, _: &Unit, ctx: &UnitCtx) -> Result<Value, LabError> {
        Ok(json!({ "games": ctx.games().list().len() }))
    }

    fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
        let games: usize = outcomes.get_field("count", "games")?;
        let mut result = PaperResult::new(self.about(), plan);
        result.summary.push(format!("{games} games"));
        Ok(result)
    }
}

#[test]
fn an_experiment_from_outside_is_one_of_the_papers() {
    let plain = House::from(Catalogue::standard());
    assert!(plain.papers_named("census").is_err());
    let house = House::from(Catalogue::standard().with_paper(Census));
    assert_eq!(house.papers_named("all").unwrap().len(), plain.papers.len() + 1);
    let census = house.papers_named("census").unwrap().remove(0);
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan::new(Scale::Smoke, 1);
    let done = reproduce(&*census, &house.games, &plan, folder.path(), &Default::default(), &|_| {}).unwrap();
    assert_eq!(done.result.unwrap().summary, [format!("{} games", house.games.list().len())]);
}

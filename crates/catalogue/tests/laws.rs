//! One law test over every mind and every learner of the catalogue, on every game it plays.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ludens_catalogue::{Catalogue, House};
use ludens_core::{
    Audited, Budget, Combine, Ctx, Decision, Explain, Front, Game, Glimpse, Meter, MindError, Model, Models,
    NoModels, Ranking, Rng, Rule, Spec, Stop, Table, Trainee, Window,
};
use ludens_games::line::Line;

/// Positions a mind is asked about, a game.
const POSITIONS: u64 = 6;
const BUDGET: Budget = Budget::States(300);
/// Steps after which a learner is saved, loaded and gone on with.
const STEPS: u64 = 2;

/// Settings under which a learner still does all it does, in milliseconds a step.
const SMALL: &[(&str, &str)] = &[
    ("nhb", "nhb:states=40,cycle=1,backward=20"),
    ("nhb-improved", "nhb-improved:states=40,cycle=2,members=2"),
    ("coevolution", "coevolution:depth=1,interval=1,pairs=2"),
    ("coevolution-improved", "coevolution-improved:depth=1,interval=1,offspring=2,openings=1"),
    ("concepts", "concepts:playouts=20,source=20"),
    ("concepts-selected", "concepts-selected:playouts=20,source=20"),
    ("contexts", "contexts:batch=256"),
    ("contexts-any", "contexts-any:labels=10,states=10"),
    ("homo", "homo:watched=4,round=2,states=30,games=8,siblings=2"),
    ("actr-rehearsed", "actr-rehearsed:rehearsals=1,last=1,games=3"),
    ("hc", "hc:generations=100"),
    ("td", "td:games=500"),
];

fn small(name: &str) -> Spec {
    let text = SMALL.iter().find(|(known, _)| *known == name).map_or(name, |(_, text)| text);
    text.parse().unwrap()
}

fn nobody() -> Arc<dyn Models> {
    Arc::new(NoModels)
}

/// Games at many stages: the first position, and those after ever longer random play.
fn positions(front: &dyn Front) -> Vec<String> {
    let position = |number: u64| {
        let mut table = front.table(nobody());
        let mut rng = Rng::stream(11, number);
        for _ in 0..3 * number {
            table.roll(&mut rng);
            let before = table.view().text;
            let moves = table.moves();
            table.play(moves[rng.below(moves.len() as u32) as usize]).unwrap();
            if table.is_over() {
                return before;
            }
        }
        table.view().text
    };
    (0..POSITIONS).map(position).collect()
}

fn at(table: &mut dyn Table, position: &str) {
    table.restart(Some(position)).unwrap();
    table.roll(&mut Rng::new(5));
}

/// Legal, one value for every legal move, the decision taken from them by the shared rule.
fn whole(table: &dyn Table, decision: &Decision, what: &str) {
    let mut legal = table.moves();
    let mut ranked: Vec<_> = decision.why.moves.iter().map(|candidate| candidate.mv).collect();
    legal.sort();
    ranked.sort();
    assert_eq!(ranked, legal, "{what}: a value for every legal move, each once");
    assert_eq!(decision.why.decide(), Some(decision.mv), "{what}: the ranking is the decision");
    assert!(decision.why.moves.iter().all(|candidate| candidate.value.is_finite()), "{what}: finite values");
}

/// What must not depend on whether reasons were asked for.
fn values(ranking: &Ranking) -> Vec<(u32, u64)> {
    let value = |candidate: &ludens_core::MoveValue| (candidate.mv.0, candidate.value.to_bits());
    let mut values: Vec<_> = ranking.moves.iter().map(value).collect();
    values.sort_unstable();
    values
}

/// The terms make up the value, which was computed on another path. Single precision leaves a hundred-thousandth of the scale.
fn terms_hold(why: &Ranking, what: &str) {
    let Some(gap) = why.gap() else { return };
    let scale = why.moves.iter().map(|candidate| candidate.value.abs()).fold(1.0, f64::max);
    assert!(gap <= 2e-5 * scale, "{what}: terms and values differ by {gap}");
    let explained = why.moves.iter().any(|candidate| !candidate.reasons.is_empty());
    let plain = |value: f64| value == 0.0 || value == 1.0;
    assert!(explained || why.moves.iter().all(|candidate| plain(candidate.value)), "{what}: no reasons");
}

/// How many decisions were looked at, and how many of them had terms that make up the value.
#[derive(Default, Debug)]
struct Seen {
    decisions: u64,
    with_terms: u64,
    /// Who shows what it thinks before it is done.
    shown: BTreeSet<String>,
}

fn mind_keeps_the_laws(front: &dyn Front, mind: &str, models: &Arc<dyn Models>, seen: &mut Seen) {
    let mut table = front.table(models.clone());
    let mut another = front.table(models.clone());
    for position in positions(front) {
        let what = format!("{mind} on {} at {position}", front.id());
        at(&mut *table, &position);
        at(&mut *another, &position);
        let ask = |table: &mut dyn Table, explain| {
            table.new_game(mind).unwrap();
            let decision = table.think(mind, &mut Rng::new(3), BUDGET, explain);
            decision.unwrap_or_else(|error| panic!("{what}: {error}"))
        };
        let silent = ask(&mut *table, Explain::NOTHING);
        let said = ask(&mut *table, Explain::EVERYTHING);
        let briefly = ask(&mut *table, Explain::DECISION);
        brief(&briefly, &said, &what);
        let again = ask(&mut *another, Explain::EVERYTHING);
        whole(&*table, &silent, &what);
        whole(&*table, &said, &what);
        assert_eq!((silent.mv, silent.cost), (said.mv, said.cost), "{what}: the same without reasons");
        assert_eq!(values(&silent.why), values(&said.why), "{what}: the same values without reasons");
        assert_eq!(said, again, "{what}: the same answer to the same question");
        assert!(!said.why.how.sentence().is_empty(), "{what}: it says how it decides");
        terms_hold(&said.why, &what);
        if watched(&mut *table, mind, &silent, &what) {
            seen.shown.insert(mind.split(':').next().unwrap_or(mind).into());
        }
        seen.decisions += 1;
        seen.with_terms += u64::from(said.why.combine != Combine::None);
    }
}

/// Looking changes nothing, and what is shown on the way is what a search that ends there would answer. Whether anything was shown.
fn watched(table: &mut dyn Table, mind: &str, unseen: &Decision, what: &str) -> bool {
    let glimpses = Arc::new(Mutex::new(Vec::<Glimpse>::new()));
    let kept = glimpses.clone();
    table.seen_through(Window::new(Duration::ZERO, move |glimpse| kept.lock().unwrap().push(glimpse)));
    let mut ask = |budget| {
        table.new_game(mind).unwrap();
        let decision = table.think(mind, &mut Rng::new(3), budget, Explain::NOTHING);
        decision.unwrap_or_else(|error| panic!("{what}: {error}"))
    };
    assert_eq!(&ask(BUDGET), unseen, "{what}: the same while somebody looks");
    let glimpses = glimpses.lock().unwrap();
    assert!(glimpses.is_sorted_by_key(|glimpse| glimpse.states), "{what}: the count only grows");
    assert!(glimpses.iter().all(|glimpse| glimpse.states <= unseen.cost.states), "{what}: more than it cost");
    let shown = glimpses.iter().filter_map(|glimpse| Some((glimpse.states, glimpse.ranking.as_ref()?)));
    let shown: Vec<(u64, &Ranking)> = shown.collect();
    let Some(&(states, last)) = shown.last() else { return false };
    // Near its budget UCT plays its random games otherwise: only what was shown at its end is its answer.
    if last.rule != Rule::Visits {
        assert_eq!(
            values(last),
            values(&ask(Budget::States(states)).why),
            "{what}: shown after {states} states"
        );
    } else if states == unseen.cost.states {
        assert_eq!(last.decide(), Some(unseen.mv), "{what}: what is shown at the end is the answer");
    }
    let mut legal = table.moves();
    legal.sort();
    for (_, ranking) in shown {
        let mut moves: Vec<_> = ranking.moves.iter().map(|candidate| candidate.mv).collect();
        assert!(
            ranking.rule == Rule::Drawn || ranking.decide() == moves.first().copied(),
            "{what}: its choice first"
        );
        moves.sort();
        assert_eq!(moves, legal, "{what}: every legal move in every glimpse");
    }
    true
}

/// The decision alone explained: the same ranking, with the same reasons of it and of its rival.
fn brief(briefly: &Decision, said: &Decision, what: &str) {
    assert_eq!(values(&briefly.why), values(&said.why), "{what}: the same values with fewer reasons");
    let told = |decision: &Decision| {
        let rival = decision.why.moves.iter().map(|candidate| candidate.mv).find(|mv| *mv != decision.mv);
        [Some(decision.mv), rival].map(|mv| mv.and_then(|mv| decision.why.get(mv).cloned()))
    };
    assert_eq!(told(briefly), told(said), "{what}: the same reasons of the decision and its rival");
}

/// A model held in memory, called `trained`.
struct Trained(Arc<Model>);

impl Models for Trained {
    fn find(&self, name: &str) -> Option<Arc<Model>> {
        (name == "trained").then(|| self.0.clone())
    }
    fn only_lists(&self) -> bool {
        true
    }
}

fn step(learner: &mut dyn Trainee, number: u64, what: &str) {
    let (mut rng, mut meter) = (Rng::stream(7, number), Meter::unlimited());
    learner.step(&mut Ctx::new(&mut rng, &mut meter)).unwrap_or_else(|error| panic!("{what}: {error}"));
}

/// Trains, saves, loads, goes on: the same bytes as without a stop. The model after that.
fn learner_keeps_the_laws(front: &dyn Front, name: &str) -> Option<Model> {
    let what = format!("{name} on {}", front.id());
    let mut learner = match front.learner(small(name)) {
        Err(MindError::WrongGame { reason, .. }) => {
            println!("{what}: {reason}");
            return None;
        }
        made => made.unwrap_or_else(|error| panic!("{what}: {error}")),
    };
    for number in 0..STEPS {
        step(&mut *learner, number, &what);
    }
    let saved = learner.save();
    assert_eq!((saved.learner.as_str(), saved.game), (name, front.id()), "{what}: it knows its names");
    let mut loaded = front.load(&learner.save()).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(loaded.save().to_bytes() == learner.save().to_bytes(), "{what}: loading changes nothing");
    assert_eq!(loaded.ledger(), learner.ledger(), "{what}: the ledger is kept");
    if !learner.finished() {
        step(&mut *learner, STEPS, &what);
        step(&mut *loaded, STEPS, &what);
    }
    assert!(loaded.save().to_bytes() == learner.save().to_bytes(), "{what}: going on gives the same bytes");
    front.load(&learner.save_for_play()).unwrap_or_else(|error| panic!("{what}: as shipped: {error}"));
    Some(learner.save())
}

/// gnubg is another program: the test command installs it, so where tests are run for good it is there.
fn can_be_asked(mind: &str) -> bool {
    mind != "gnubg" || std::env::var_os("CI").is_some() || ludens_learners::actr::gnubg::find().is_ok()
}

#[test]
fn every_mind_and_every_learner_keeps_the_laws_on_every_game() {
    let house = House::from(Catalogue::standard());
    let rules = format!("{}/../gdl/rules/breakthrough.kif", env!("CARGO_MANIFEST_DIR"));
    let mut seen = Seen::default();
    let names: Vec<String> = house.games.list().iter().map(|about| about.id.clone()).chain([rules]).collect();
    for name in &names {
        let front = house.games.open(name).unwrap();
        for about in front.minds() {
            match front.check_mind(&about.name, &nobody(), &Stop::default()) {
                Err(MindError::WrongGame { .. }) => continue,
                _ if !can_be_asked(&about.name) => println!("gnubg is not installed: it was not asked"),
                _ => mind_keeps_the_laws(&*front, &about.name, &nobody(), &mut seen),
            }
        }
        for about in front.learners() {
            if let Some(model) = learner_keeps_the_laws(&*front, &about.name) {
                let trained: Arc<dyn Models> = Arc::new(Trained(Arc::new(model)));
                mind_keeps_the_laws(&*front, "trained", &trained, &mut seen);
            }
        }
    }
    println!("{seen:?} on {} games", names.len());
    assert!(seen.decisions > 300 && seen.with_terms > 100, "{seen:?}");
    for search in ["uct", "alphabeta", "expectimax"] {
        assert!(seen.shown.contains(search), "{search} shows nothing while it thinks: {:?}", seen.shown);
    }
}

/// Every trained model of the zoo, as it is shipped.
#[test]
fn every_animal_of_the_zoo_keeps_the_laws() {
    let house = House::from(Catalogue::standard());
    let mut seen = Seen::default();
    for animal in house.games.zoo().animals() {
        let front = house.games.open(&animal.game).unwrap();
        mind_keeps_the_laws(&*front, &format!("zoo:{}", animal.name), &nobody(), &mut seen);
        // The learner's name means its trained model.
        mind_keeps_the_laws(&*front, animal.learner_name(), &nobody(), &mut seen);
    }
    assert!(seen.decisions > 100, "{seen:?}");
}

/// States counted are states looked at: on a game that counts what is applied to it, every general mind pays for it.
fn audit<G: Game>(game: G) {
    let audited = Audited::new(game);
    let (counter, id) = (audited.counter(), audited.id());
    let house = House::from(Catalogue::standard().with_game(audited));
    let front = house.games.open(&id).unwrap();
    let asked = |mind: &str, models: &Arc<dyn Models>| {
        let mut table = front.table(models.clone());
        for position in positions(&*front) {
            at(&mut *table, &position);
            table.new_game(mind).unwrap();
            counter.store(0, Ordering::Relaxed);
            let decision = table.think(mind, &mut Rng::new(3), BUDGET, Explain::NOTHING).unwrap();
            let looked_at = counter.swap(0, Ordering::Relaxed);
            assert_eq!(decision.cost.states, looked_at, "{mind} on {id} at {position}");
        }
    };
    for about in front.minds() {
        match front.check_mind(&about.name, &nobody(), &Stop::default()) {
            Err(MindError::WrongGame { .. }) => {}
            _ => asked(&about.name, &nobody()),
        }
    }
    for about in front.learners() {
        let Ok(mut learner) = front.learner(small(&about.name)) else { continue };
        step(&mut *learner, 0, &about.name);
        let trained: Arc<dyn Models> = Arc::new(Trained(Arc::new(learner.save())));
        asked("trained", &trained);
    }
}

/// A board of lines, and one with dice. Those who play one game only look at its positions on paths of their own, which no
/// counting game sees: their tests are beside them.
#[test]
fn states_counted_are_states_looked_at() {
    audit(Line::new(4, 4, 3).unwrap());
    audit(ludens_games::backgammon::Backgammon);
}

//! Names: of games, of minds and learners with their settings.

use std::sync::{Arc, LazyLock};

use ludens_core::{Games, Model, Models, NoModels, Spec, Stop};

use crate::seeds::{HOUSE, open, texts};
use crate::{Law, Verdict, ensure, text};

static GAMES: LazyLock<Arc<Games>> = LazyLock::new(ludens_games::bare);

pub(crate) const GAME: Law = Law {
    name: "game_name",
    says: "a name is refused, or its game is named again by its own id",
    weight: 100,
    words: &["line-", "gravity-", "x", "-", "3x3x3", "tic-tac-toe", "reversi"],
    seeds: || {
        texts(&[
            "tic-tac-toe",
            "connect-four",
            "reversi",
            "backgammon",
            "four-in-a-row",
            "line-9x4x4",
            "gravity-7x6x4",
            "line-19x19x5",
        ])
    },
    check: |bytes| {
        let Ok(game) = GAMES.open(&text(bytes)) else { return Ok(false) };
        let again = GAMES.open(&game.id()).map_err(|error| format!("{}: {error}", game.id()))?;
        ensure(again.id() == game.id(), "a game's id names it")?;
        Ok(true)
    },
};

const SPEC_WORDS: &[&str] = &[
    ":", ",", "=", "depth=", "states=", "seed=", "games=", "members=", "pairs=", "rate=", "none", "true",
    "-", "_",
];

pub(crate) const SPEC: Law = Law {
    name: "mind_spec",
    says: "what is read as the name of a mind can be written and read back as the same name",
    weight: 100,
    words: SPEC_WORDS,
    seeds: || [mind_seeds(), learner_seeds()].concat(),
    check: |bytes| {
        let Ok(spec) = text(bytes).parse::<Spec>() else { return Ok(false) };
        ensure(spec.to_string().parse::<Spec>().as_ref() == Ok(&spec), "a name reads back as itself")?;
        Ok(true)
    },
};

/// Minds that are ready at once. The others learn on the spot, which takes the time that their settings say.
const READY: &[&str] =
    &["random", "depth1", "alphabeta", "expectimax", "uct", "nhb-random", "nhb-untrained", "pubeval"];

fn mind_seeds() -> Vec<Vec<u8>> {
    texts(&[
        "random",
        "depth1",
        "alphabeta:depth=6,states=1000",
        "expectimax:depth=2",
        "uct:sims=100,states=1000,c=1.4",
        "nhb-random:states=40,hidden=8,seed=3",
        "nhb-untrained:states=40,hidden=8,seed=3",
        "pubeval",
    ])
}

pub(crate) const MIND: Law = Law {
    name: "mind_settings",
    says: "a name is refused with a reason, or makes a mind, and so does the same name written again",
    weight: 60,
    words: SPEC_WORDS,
    seeds: mind_seeds,
    check: |bytes| {
        let name = text(bytes);
        let Ok(spec) = name.parse::<Spec>() else { return Ok(false) };
        if !READY.contains(&spec.name.as_str()) || name.contains("heuristic") {
            return Ok(false);
        }
        let models: Arc<dyn Models> = Arc::new(NoModels);
        let front = open(if spec.name == "pubeval" { "backgammon" } else { "tic-tac-toe" })?;
        let made = front.check_mind(&name, &models, &Stop::default()).is_ok();
        let again = front.check_mind(&spec.to_string(), &models, &Stop::default()).is_ok();
        ensure(made == again, "a name and the same name written again make the same")?;
        Ok(made)
    },
};

/// Learners that need no labelled positions to begin with, and a game of each.
const LEARNERS: &[(&str, &str)] = &[
    ("nhb", "tic-tac-toe"),
    ("nhb-improved", "tic-tac-toe"),
    ("concepts", "tic-tac-toe"),
    ("concepts-selected", "tic-tac-toe"),
    ("coevolution", "tic-tac-toe"),
    ("coevolution-improved", "tic-tac-toe"),
    ("odds", "tic-tac-toe"),
    ("actr", "backgammon"),
    ("td", "backgammon"),
    ("hc", "backgammon"),
    ("actr-improved", "backgammon"),
    ("actr-rehearsed", "backgammon"),
];

/// Every learner with every one of its settings.
fn learner_seeds() -> Vec<Vec<u8>> {
    let (_, learners) = HOUSE.everybody();
    let mut seeds = Vec::new();
    for learner in learners.iter().filter(|learner| LEARNERS.iter().any(|(name, _)| *name == learner.name)) {
        let settings: Vec<String> = learner
            .settings
            .iter()
            .filter(|setting| !setting.default.is_empty())
            .map(|setting| format!("{}={}", setting.key, setting.default))
            .collect();
        seeds.push(format!("{}:{}", learner.name, settings.join(",")).into_bytes());
        seeds.extend(settings.iter().map(|setting| format!("{}:{setting}", learner.name).into_bytes()));
    }
    seeds
}

pub(crate) const LEARNER: Law = Law {
    name: "learner_settings",
    says: "settings are refused with a reason, or make a learner that can be saved and loaded again",
    weight: 30,
    words: SPEC_WORDS,
    seeds: learner_seeds,
    check: learner,
};

fn learner(bytes: &[u8]) -> Verdict {
    let Ok(spec) = text(bytes).parse::<Spec>() else { return Ok(false) };
    let Some((_, game)) = LEARNERS.iter().find(|(name, _)| *name == spec.name) else { return Ok(false) };
    let front = open(game)?;
    let Ok(learner) = front.learner(spec) else { return Ok(false) };
    let saved = learner.save().to_bytes();
    let model = Model::from_bytes(&saved).map_err(|error| format!("what it saves is refused: {error}"))?;
    let loaded = front.load(&model).map_err(|error| format!("what it saves cannot be loaded: {error}"))?;
    ensure(loaded.save().to_bytes() == saved, "a learner saved and loaded is the same learner")?;
    Ok(true)
}

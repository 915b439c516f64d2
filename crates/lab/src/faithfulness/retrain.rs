//! A player whose inputs are muted sees positions it was never taught on: what it loses then may be the surprise, not the input. So the learner is trained
//! again from the start, the inputs absent all the time, and its strength is compared: without those that its reasons cite most, and without as many drawn
//! ones.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

use ludens_arena::{Options, Tournament};
use ludens_core::{Budget, Ctx, Front, Meter, MindError, Model, NoModels, Rng, Spec, Stop};
use ludens_learners::without::Without;
use serde::{Deserialize, Serialize};

use super::sample::Session;
use super::{Effort, Protocol};
use crate::LabError;

/// How the inputs that go were chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Taken {
    /// Those that the reasons cite most.
    Cited,
    /// Drawn among all.
    Random,
}

/// The strength of a player, in points per game of pairs that share their opening.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Strength {
    /// Points per game, a draw one half.
    pub score: f64,
    /// Its standard error, from the spread of the pairs.
    pub error: f64,
    /// The games.
    pub games: u64,
}

/// A learner trained from the start without some inputs.
pub fn train_without(
    front: &dyn Front,
    learner: &str,
    (steps, seed): (u64, u64),
    without: &Without,
    stop: &Stop,
) -> Result<Model, LabError> {
    let joint = if learner.contains(':') { ',' } else { ':' };
    let text = if without.is_empty() { learner.into() } else { format!("{learner}{joint}without={without}") };
    let spec: Spec = text.parse().map_err(MindError::from)?;
    let mut trainee = front.learner(spec)?;
    for step in 0..steps {
        if trainee.finished() {
            break;
        }
        stop.check()?;
        let (mut rng, mut meter) = (Rng::stream(seed, step), Meter::watched(Budget::Unlimited, stop.clone()));
        trainee.step(&mut Ctx::new(&mut rng, &mut meter))?;
    }
    Ok(trainee.save_for_play())
}

/// How many inputs a mind has: those it is asked about when it is to mute some. None where it cannot.
pub fn inputs_of(front: &dyn Front, mind: &str) -> Result<Option<u32>, LabError> {
    let most = Cell::new(None);
    let mut table = front.table(Arc::new(NoModels));
    let count = |input: u32| {
        most.set(most.get().max(Some(input)));
        false
    };
    let can = table.mute(mind, &count)?;
    Ok(most.get().filter(|_| can).map(|last| last + 1))
}

/// The inputs that the reasons of a mind cite for its moves, the most often cited first, over so many decisions.
pub fn most_cited(
    front: &dyn Front,
    mind: &str,
    decisions: u64,
    seed: u64,
    stop: &Stop,
) -> Result<Vec<u32>, LabError> {
    let nothing = Effort { decisions: 0, draws: 0, orders: 0 };
    let look = Effort { decisions, ..nothing.clone() };
    let protocol =
        Protocol { summed: look, searched: nothing, taught: Vec::new(), ..Protocol::new(decisions, seed) };
    let mut session = Session::new(front, mind, &protocol, stop);
    session.run(stop, &|_| {})?;
    let mut cited: Vec<(u32, u64)> = session.sample.inputs.into_iter().collect();
    cited.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    Ok(cited.into_iter().map(|(input, _)| input).collect())
}

/// Which inputs go: the given share of all, the first of `cited` or drawn ones.
pub fn taken(inputs: u32, share: f64, how: Taken, cited: &[u32], rng: &mut Rng) -> Without {
    let count = (f64::from(inputs) * share).round().max(1.0) as usize;
    let mut order = cited.to_vec();
    if how == Taken::Random {
        order = (0..inputs).collect();
        rng.shuffle(&mut order);
    }
    Without::new(order.into_iter().take(count))
}

/// The strength of a mind against another, from drawn openings, with either colour.
pub fn strength(
    front: &dyn Front,
    (mind, opponent): (&str, &str),
    games: u32,
    seed: u64,
    stop: &Stop,
) -> Result<Strength, LabError> {
    let tournament = Tournament::new(&front.id(), &[mind, opponent]).games(games).opening_plies(4).seed(seed);
    let options = Options { stop: stop.clone(), ..Options::threads(1) };
    let report = ludens_arena::run(front, &tournament, &options, &|_| {})?;
    stop.check()?;
    let tally = &report.pairings[0].tally;
    Ok(Strength { score: tally.score(), error: tally.standard_error(), games: tally.games() })
}

/// A path as the name of a mind.
pub fn mind_of(path: &Path) -> Result<String, LabError> {
    let name = path.to_str().ok_or_else(|| LabError::HomeName { path: path.into() })?;
    Ok(name.into())
}

#[cfg(test)]
mod tests {
    use ludens_core::Games;
    use ludens_learners::standard::{Standard, zoo};

    use super::*;
    use ludens_core::Explain;

    /// What is taken away from the start leaves no trace in what was learnt: muting it changes no move.
    #[test]
    fn a_player_never_misses_what_it_never_had() {
        let games = Games::new(Standard::new().close(), zoo());
        let front = games.open("tic-tac-toe").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let stop = Stop::default();
        for learner in ["nhb:states=60,cycle=5", "nhb-improved:states=60,cycle=20", "coevolution:interval=5"]
        {
            let without = Without::new([0, 4]);
            let model = train_without(&*front, learner, (2, 1), &without, &stop).unwrap();
            let path = folder.path().join("model.safetensors");
            model.write(&path).unwrap();
            let mind = mind_of(&path).unwrap();
            assert_eq!(inputs_of(&*front, &mind).unwrap(), Some(9), "{learner}");
            let mut table = front.table(Arc::new(NoModels));
            let mut values = |muted: &dyn Fn(u32) -> bool| {
                table.restart(Some("x.o.x...o")).unwrap();
                assert!(table.mute(&mind, muted).unwrap());
                table.new_game(&mind).unwrap();
                let decision =
                    table.think(&mind, &mut Rng::new(1), Budget::Unlimited, Explain::NOTHING).unwrap();
                decision.why.moves.iter().map(|one| (one.mv, one.value)).collect::<Vec<_>>()
            };
            assert_eq!(values(&|_| false), values(&|input| input == 0 || input == 4), "{learner}");
            let full = train_without(&*front, learner, (2, 1), &Without::default(), &stop).unwrap();
            assert_ne!(model.to_bytes(), full.to_bytes());
        }
    }

    #[test]
    fn as_many_are_drawn_as_are_cited() {
        let mut rng = Rng::new(1);
        let cited = [5, 3, 9, 1];
        assert_eq!(taken(20, 0.1, Taken::Cited, &cited, &mut rng), Without::new([5, 3]));
        let drawn = taken(20, 0.1, Taken::Random, &cited, &mut rng);
        assert_eq!(drawn.places(20).len(), 2);
    }
}

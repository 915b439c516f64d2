//! What the tests of the learners share.

#![allow(dead_code)]

use std::sync::Arc;

use ludens_core::{
    Around, Budget, Cost, Ctx, Explain, Game, Games, Learner, Measure, Meter, Mind, Move, MoveValue, Ranking,
    Rng, Rule, decide,
};
use ludens_learners::standard::{Standard, zoo};

/// Every game of the program, with the zoo.
pub fn games() -> Arc<Games> {
    Games::new(Standard::new().close(), zoo())
}

/// No zoo and no other games.
pub fn nothing_around() -> Arc<Around> {
    Arc::default()
}

/// One step of a training that draws from the stream (seed, number).
pub fn step<G: Game>(
    learner: &mut (impl Learner<G> + ?Sized),
    game: &G,
    seed: u64,
    number: u64,
) -> Vec<Measure> {
    let (mut rng, mut meter) = (Rng::stream(seed, number), Meter::unlimited());
    learner.step(game, &mut Ctx::new(&mut rng, &mut meter)).unwrap()
}

/// The move a mind decides on, whatever it costs.
pub fn choice<G: Game>(
    mind: &mut (impl Mind<G> + ?Sized),
    game: &G,
    state: &G::State,
    rng: &mut Rng,
) -> Move {
    decide(mind, game, state, &mut Ctx::new(rng, &mut Meter::unlimited())).unwrap()
}

/// What decides: a ranking without its reasons, first inclinations and counts of evidence, unless these decide.
pub fn bare(ranking: &Ranking) -> Ranking {
    let of_move = |candidate: &MoveValue| MoveValue {
        prior: None,
        visits: candidate.visits.filter(|_| ranking.rule == Rule::Visits),
        reasons: Vec::new(),
        ..candidate.clone()
    };
    Ranking {
        rule: ranking.rule,
        preferred: ranking.preferred,
        moves: ranking.moves.iter().map(of_move).collect(),
        ..Ranking::default()
    }
}

/// Asks twice, with reasons and without: every value, the draw, the cost and what is left of the random numbers must be the
/// same. The ranking with its reasons, best first.
pub fn explained<G: Game>(
    mind: &mut (impl Mind<G> + ?Sized),
    game: &G,
    state: &G::State,
    budget: Budget,
) -> (Ranking, Cost) {
    let mut ask = |explain| {
        let (mut rng, mut meter) = (Rng::new(3), Meter::new(budget));
        let ranking = mind.rank(game, state, &mut Ctx { rng: &mut rng, meter: &mut meter, explain }).unwrap();
        (ranking, meter.cost(), rng)
    };
    let (silent, cost, left) = ask(Explain::NOTHING);
    let (mut spoken, same_cost, same_left) = ask(Explain::EVERYTHING);
    assert!(silent.moves.iter().all(|candidate| candidate.reasons.is_empty()), "nobody asked for reasons");
    assert_eq!((bare(&silent), cost, left), (bare(&spoken), same_cost, same_left), "{}", game.text(state));
    let mut legal = Vec::new();
    game.moves(state, &mut legal);
    let mut ranked: Vec<Move> = spoken.moves.iter().map(|candidate| candidate.mv).collect();
    legal.sort_unstable();
    ranked.sort_unstable();
    assert_eq!(ranked, legal, "every legal move is ranked once");
    spoken.sort();
    if spoken.rule != Rule::Drawn {
        assert_eq!(spoken.decide(), Some(spoken.moves[0].mv), "the best is taken");
    }
    (spoken, cost)
}

/// The largest value, at least 1: what errors are measured against.
pub fn size(ranking: &Ranking) -> f64 {
    ranking.moves.iter().map(|candidate| candidate.value.abs()).fold(1.0, f64::max)
}

//! Which of several judges of one training is the best in the Othello League, and does a pool of opponents made in training tell?
//! `nhb_league SPEC STEPS SEED FROM EVERY MATCHES POOL_MATCHES`: after `FROM` steps and every so many later ones the members and their mean are kept;
//! at the end all of them, and the mean over time, play the pool (each other, and what the game itself states) and the league's standard weights.
use ludens_core::{Ctx, Facts, Game, Hand, Learner, Meter, MindError, Rng, Spec};
use ludens_games::reversi::Reversi;
use ludens_learners::nhb::Nhb;
use ludens_learners::nhb::heuristic::Heuristic;
use ludens_learners::nhb::judge::Judge;
use ludens_learners::nhb::matches::{Disturbance, Player, test_matches};
use ludens_learners::nhb::settings::Settings;

struct Candidate {
    name: String,
    judge: Judge,
}

fn points(game: &Reversi, mut player: Player<Reversi>, other: &Judge, matches: u32, seed: u64) -> f64 {
    let noise = Disturbance { opening: 0, epsilon: 0.1 };
    let opponent = |_: &mut Rng| Player::one_ply(other.clone());
    test_matches(game, &mut player, matches, noise, seed, &mut Meter::unlimited(), opponent).points()
}

/// Counting discs, and the table that the game states.
fn of_the_game(game: &Reversi) -> Vec<Candidate> {
    let mut found =
        vec![Candidate { name: "discs".into(), judge: Judge::piece_advantage(game.encoding_len()) }];
    let Facts { hand, .. } = game.facts();
    if let Some(Hand::Squares { name, weights, half }) = hand {
        let weights = weights.iter().map(|weight| weight / (4.0 * half)).collect();
        found.push(Candidate { name: name.into(), judge: Judge::Weighted { name: name.into(), weights } });
    }
    found
}

fn main() -> Result<(), MindError> {
    let args: Vec<String> = std::env::args().collect();
    let number =
        |place: usize, default: u64| args.get(place).and_then(|text| text.parse().ok()).unwrap_or(default);
    let usage = || MindError::Other("usage: nhb_league SPEC [STEPS SEED FROM EVERY MATCHES POOL]".into());
    let mut spec: Spec = args.get(1).ok_or_else(usage)?.parse()?;
    let settings = Settings::read(&mut spec, &Settings::improved())?;
    let (steps, seed, from, every) = (number(2, 500), number(3, 1), number(4, 300), number(5, 100));
    let (matches, pool_matches) = (number(6, 1000) as u32, number(7, 20) as u32);
    let game = Reversi::default();
    let mut nhb = Nhb::new(&game, settings);
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut means: Vec<Heuristic> = Vec::new();
    for step in 0..steps {
        nhb.step(&game, &mut Ctx::new(&mut Rng::stream(seed, step), &mut Meter::unlimited()))?;
        let done = step + 1;
        if done < from || (done - from) % every != 0 {
            continue;
        }
        let several = nhb.judges().len() > 1;
        for (member, judge) in nhb.judges().into_iter().enumerate().filter(|_| several) {
            candidates.push(Candidate { name: format!("{done}/{member}"), judge });
        }
        candidates.push(Candidate { name: format!("{done}/mean"), judge: nhb.judge().clone() });
        means.extend(nhb.heuristic().cloned());
    }
    if let [first, others @ ..] = &means[..] {
        candidates.push(Candidate { name: "over-time".into(), judge: first.mean(others).judge() });
    }
    let known = of_the_game(&game);
    for (at, one) in candidates.iter().enumerate() {
        let against = |other: &Judge, number: usize, count: u32| {
            let player = Player { judge: one.judge.clone(), ..nhb.one_ply() };
            points(&game, player, other, count, seed * 100_000 + (at * 100 + number) as u64)
        };
        let own: Vec<f64> = candidates
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at && pool_matches > 0)
            .map(|(number, other)| against(&other.judge, number, pool_matches))
            .collect();
        let least = own.iter().copied().fold(f64::INFINITY, f64::min);
        let mean = own.iter().sum::<f64>() / own.len().max(1) as f64;
        let others: Vec<String> = (90..)
            .zip(&known)
            .map(|(number, other)| format!("{} {:.3}", other.name, against(&other.judge, number, matches)))
            .collect();
        let league = against(&Judge::othello_league(), 99, matches);
        println!(
            "seed {seed} {}: league {league:.3} pool {mean:.3} least {least:.3} {}",
            one.name,
            others.join(" ")
        );
    }
    Ok(())
}

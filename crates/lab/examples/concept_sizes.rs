//! Do larger concepts help when they are chosen by likelihood? Players whose concepts have at most 2, 3, 4 … cells, from the same
//! playouts, meet in a sequential test:
//!
//!     cargo run --release -p ludens-lab --example concept_sizes -- [PLAYOUTS]
//!
//! The paper's player with all ternary concepts was weaker than its player with the binary ones.

use std::sync::Arc;

use ludens_arena::{Options, Sprt, Tournament, Verdict, run_in};
use ludens_core::{Game, HallOf, Rng, Side, Stop};
use ludens_games::connect_four::ConnectFour;
use ludens_games::tictactoe::TicTacToe;
use ludens_learners::beyond::selected_concepts::{Settings, rules_for, select};
use ludens_learners::concepts::{ConceptPlayer, Kind, Seen, concepts_of_game, experience, vocabulary};

type Failure = Box<dyn std::error::Error>;

/// So many players are learnt of each size, each from its own playouts; each pair of them has its own test.
const PLAYERS: u64 = 5;
const MOST_PAIRS: u32 = 1_000;

/// A player whose chosen patterns have at most `size` cells.
fn player<G: Game>(game: &G, size: usize, playouts: usize, seed: u64) -> ConceptPlayer {
    let vocabulary = vocabulary(game);
    let (binary, _) =
        concepts_of_game(&TicTacToe, Kind::Selected, 10_000, &mut Rng::stream(seed, 0), &Stop::default())
            .expect("nobody ends it");
    let seen: Vec<Seen> =
        experience(game, &vocabulary, playouts, &mut Rng::stream(seed, 1), &Stop::default())
            .expect("nobody ends it")
            .into_iter()
            .flatten()
            .collect();
    let settings = Settings { first_look: size.min(4), largest: size, ..Settings::default() };
    let chosen = select(&binary, &seen, &vocabulary, &settings, &Stop::default()).expect("nobody ends it");
    let rules = Side::BOTH.map(|side| rules_for(&chosen, side, &binary, &vocabulary));
    ConceptPlayer::new(vocabulary, rules)
}

/// One line of the table: the larger size against the smaller, learnt from the same playouts.
fn compare<G: Game>(game: &Arc<G>, sizes: [usize; 2], playouts: usize) -> Result<(), Failure> {
    let names = sizes.map(|size| format!("at most {size} cells"));
    let (mut words, mut scores, mut games) = (Vec::new(), Vec::new(), 0);
    for seed in 0..PLAYERS {
        let players = sizes.map(|size| player(&**game, size, playouts, seed));
        let hall = || {
            let [larger, smaller] = players.clone();
            let hall = HallOf::new(game.clone()).with(move || Ok(Box::new(larger.clone())));
            Box::new(hall.with(move || Ok(Box::new(smaller.clone())))) as _
        };
        let mut tournament = Tournament::new(&game.id(), &names.each_ref().map(String::as_str));
        tournament.seed = seed;
        tournament.pairs = MOST_PAIRS;
        tournament.sprt = Some(Sprt { elo0: 0.0, elo1: 50.0, ..Sprt::default() });
        let report = run_in(&hall, &tournament, &Options::threads(1), &|_| {})?;
        let (Some(pairing), Some(sprt)) = (report.pairings.first(), &report.sprt) else {
            return Err("no game was played".into());
        };
        games += pairing.tally.games();
        scores.push(format!("{:.3}", pairing.score));
        words.push(match sprt.verdict {
            Verdict::AcceptH1 => "better",
            Verdict::AcceptH0 => "not better",
            _ => "open",
        });
    }
    println!(
        "| {} | {} | {} | {games} | {} | {} |",
        game.id(),
        names[0],
        names[1],
        scores.join(", "),
        words.join(", ")
    );
    Ok(())
}

fn main() -> Result<(), Failure> {
    let playouts = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(100);
    println!(
        "| game | concepts of | against | games | scores of five seeds | tests |\n|---|---|---|---:|---|---|"
    );
    for sizes in [[3, 2], [4, 2], [4, 3], [6, 4]] {
        compare(&Arc::new(ConnectFour), sizes, playouts)?;
    }
    compare(&Arc::new(TicTacToe), [3, 2], playouts)
}

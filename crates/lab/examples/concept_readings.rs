//! Readings of paper 003 that its text leaves open, each with what it does to the cells of tables 1 to 6 in a small run:
//!
//!     cargo run --release -p ludens-lab --example concept_readings -- [TRIALS] [GAMES]
//!
//! Wins against random moves / against a plain depth-1 player, in percent, first and second player, beside the paper's.

use ludens_core::{Game, Rng, Side};
use ludens_games::connect_four::ConnectFour;
use ludens_games::tictactoe::TicTacToe;
use ludens_lab::papers::concepts::match_up;
use ludens_learners::concepts::{
    Concept, ConceptPlayer, Experience, Rule, TOP, Vocabulary, concepts_of_game, count_subsets, experience,
    join_concepts, make_structured_heuristics, transferable,
};

/// Which rules of Algorithm 1 stay.
#[derive(Clone, Copy)]
enum Keep {
    /// The tenth of all rules up to the cut-off that has the highest values: our reading.
    Tenth,
    /// A tenth of the rules of each size.
    TenthOfEachSize,
    /// "Top 10 % of its evaluation value": values of at least nine tenths of the highest.
    NearTheHighest,
    /// A tenth of the subsets of every size, of which the larger ones are cut off afterwards.
    CutAfterwards,
}

fn keep(won: &[ludens_learners::concepts::Seen], cut_off: usize, how: Keep) -> Vec<Rule> {
    const EVERY_SIZE: usize = 9;
    let counted = if matches!(how, Keep::CutAfterwards) { EVERY_SIZE } else { cut_off };
    let mut rules = count_subsets(won, counted);
    rules.sort_by(|a, b| b.value.total_cmp(&a.value).then_with(|| a.body.cmp(&b.body)));
    let tenth = |count: usize| (count as f64 * TOP).ceil() as usize;
    match how {
        Keep::Tenth => rules.truncate(tenth(rules.len())),
        Keep::TenthOfEachSize => {
            let sizes: Vec<Vec<Rule>> = (1..=cut_off)
                .map(|size| rules.iter().filter(|r| r.body.len() == size).cloned().collect())
                .collect();
            rules = sizes.into_iter().flat_map(|list| list[..tenth(list.len())].to_vec()).collect();
        }
        Keep::NearTheHighest => {
            let least = rules.first().map_or(0.0, |best| best.value * (1.0 - TOP));
            rules.retain(|rule| rule.value >= least);
        }
        Keep::CutAfterwards => {
            rules.truncate(tenth(rules.len()));
            rules.retain(|rule| rule.body.len() <= cut_off);
        }
    }
    rules
}

/// The shares of wins against both opponents, as either side.
fn wins<G: Game>(
    game: &G,
    vocabulary: &Vocabulary,
    rules: [Vec<Rule>; 2],
    games: u64,
    seed: u64,
) -> [f64; 4] {
    let mut player = ConceptPlayer::new(vocabulary.clone(), rules, "");
    let mut out = [0.0; 4];
    for (number, side) in Side::BOTH.into_iter().enumerate() {
        for (opponent, depth_one) in [false, true].into_iter().enumerate() {
            let rng = Rng::stream(seed, (2 * number + opponent) as u64);
            let tally = match_up(game, &mut player, side, depth_one, games, rng);
            out[2 * number + opponent] = 100.0 * tally[0] as f64 / games as f64;
        }
    }
    out
}

struct Study {
    trials: u64,
    games: u64,
}

impl Study {
    /// One line: the mean of the trials and its standard error.
    fn line<G: Game>(
        &self,
        name: &str,
        paper: [f64; 4],
        (game, vocabulary): (&G, &Vocabulary),
        rules: impl Fn(u64) -> [Vec<Rule>; 2],
    ) {
        let trials: Vec<[f64; 4]> = (0..self.trials)
            .map(|trial| wins(game, vocabulary, rules(trial), self.games, 100 + trial))
            .collect();
        let cells: Vec<String> = (0..4)
            .map(|cell| {
                let values: Vec<f64> = trials.iter().map(|trial| trial[cell]).collect();
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
                let error = (spread / (values.len().max(2) - 1) as f64 / values.len() as f64).sqrt();
                format!("{mean:.1} ± {error:.1} ({})", paper[cell])
            })
            .collect();
        println!("| {name} | {} |", cells.join(" | "));
    }

    fn statistical<G: Game>(&self, game: &G, playouts: usize, cells: &[(usize, [f64; 4])]) {
        let vocabulary = Vocabulary::of(&game.board(&game.start()));
        let seen: Vec<Experience> = (0..self.trials)
            .map(|trial| experience(game, &vocabulary, playouts, &mut Rng::stream(trial, 1)))
            .collect();
        for &(cut_off, paper) in cells {
            for (how, words) in [
                (Keep::Tenth, "a tenth of the rules (ours)"),
                (Keep::TenthOfEachSize, "a tenth of each size"),
                (Keep::NearTheHighest, "values within a tenth of the highest"),
                (Keep::CutAfterwards, "a tenth of all sizes, then cut off"),
            ] {
                // All subsets of a position of Connect Four are too many.
                if matches!(how, Keep::CutAfterwards) && vocabulary.width > 3 {
                    continue;
                }
                let name = format!("{}, cut-off {cut_off}: {words}", game.id());
                self.line(&name, paper, (game, &vocabulary), |trial| {
                    [0, 1].map(|side| keep(&seen[trial as usize][side], cut_off, how))
                });
            }
        }
    }

    fn structured<G: Game>(&self, game: &G, playouts: usize, size: usize, paper: [f64; 4]) {
        for (with_empty, words) in [(false, "marks only (ours)"), (true, "empty cells are facts as well")] {
            let vocabulary = Vocabulary::of(&game.board(&game.start()));
            let vocabulary = if with_empty { vocabulary.with_empty() } else { vocabulary };
            let name = format!("{}, concepts of {size} cells, {playouts} playouts: {words}", game.id());
            self.line(&name, paper, (game, &vocabulary), |trial| {
                let mut rng = Rng::stream(trial, 2);
                let (binary, _) = concepts_of_game(&TicTacToe, 2_000, &mut rng);
                let binary = if game.id() == "tic-tac-toe" { binary } else { transferable(&binary) };
                let concepts: Vec<Concept> = if size == 2 { binary } else { join_concepts(&binary, &binary) };
                let seen = experience(game, &vocabulary, playouts, &mut Rng::stream(trial, 3));
                [0, 1].map(|side| make_structured_heuristics(&concepts, &seen[side], &vocabulary))
            });
        }
    }
}

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|word| word.parse::<u64>().ok());
    let (trials, games) = (numbers.next().unwrap_or(4).max(1), numbers.next().unwrap_or(1_000).max(1));
    let study = Study { trials, games };
    println!(
        "| reading | first, random | first, depth 1 | second, random | second, depth 1 |\n|---|---:|---:|---:|---:|"
    );
    let cells = [(1, [93.4, 85.8, 65.6, 41.8]), (2, [90.2, 74.5, 68.1, 42.0]), (3, [96.5, 91.4, 73.7, 50.4])];
    study.statistical(&TicTacToe, 2_000, &cells);
    study.statistical(&ConnectFour, 500, &[(1, [84.4, 62.2, 70.4, 40.4]), (2, [90.2, 79.7, 77.4, 54.4])]);
    study.structured(&TicTacToe, 2_000, 2, [94.6, 89.6, 56.9, 39.2]);
    study.structured(&ConnectFour, 10, 2, [90.6, 74.5, 61.8, 29.5]);
    study.structured(&ConnectFour, 100, 2, [92.3, 78.3, 69.4, 44.3]);
    study.structured(&ConnectFour, 10, 3, [72.7, 39.7, 71.7, 37.8]);
}

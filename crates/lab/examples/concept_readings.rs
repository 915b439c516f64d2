//! Readings of the concepts paper that its text leaves open, each with what it does to the cells of tables 1 to 6 in a small run:
//!
//!     cargo run --release -p ludens-lab --example concept_readings -- [TRIALS] [GAMES]
//!
//! Wins against random moves / against a plain depth-1 player, in percent, first and second player, beside the paper's.

use ludens_arena::stats::student_quantile;
use ludens_core::{Game, MindError, Rng, Side, Stop, math};
use ludens_games::connect_four::ConnectFour;
use ludens_games::tictactoe::TicTacToe;
use ludens_lab::papers::concepts::match_up;
use ludens_learners::concepts::{
    Concept, ConceptPlayer, Experience, Rule, TOP, Vocabulary, count_subsets, experience,
    generate_new_concepts, join_concepts, make_statistical_heuristics, make_structured_heuristics,
    most_frequent_subsets, transferable,
};

/// Which rules of Algorithm 1 stay.
#[derive(Clone, Copy)]
enum Keep {
    /// The tenth of all rules up to the cut-off that has the highest values.
    Tenth,
    /// A tenth of the rules of each size.
    TenthOfEachSize,
    /// "Top 10 % of its evaluation value": values of at least nine tenths of the highest.
    NearTheHighest,
    /// The same for the rules of each size by themselves: our reading.
    NearTheHighestOfEachSize,
    /// At least nine tenths of the highest value of the largest bodies.
    NearTheLargest,
    /// A tenth of the subsets of every size, of which the larger ones are cut off afterwards.
    CutAfterwards,
}

/// `counted` are the subsets of every size that was counted, the highest value first.
fn keep(counted: &[Rule], cut_off: usize, how: Keep) -> Vec<Rule> {
    let all_sizes = matches!(how, Keep::CutAfterwards);
    let mut rules: Vec<Rule> =
        counted.iter().filter(|rule| all_sizes || rule.body.len() <= cut_off).cloned().collect();
    let tenth = |count: usize| (count as f64 * TOP).ceil() as usize;
    let highest: Vec<f64> = (0..=cut_off)
        .map(|size| rules.iter().find(|r| r.body.len() == size).map_or(0.0, |r| r.value))
        .collect();
    let near = |size: usize| highest[size] * (1.0 - TOP);
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
        Keep::NearTheHighestOfEachSize => rules.retain(|rule| rule.value >= near(rule.body.len())),
        Keep::NearTheLargest => rules.retain(|rule| rule.value >= near(cut_off)),
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
) -> Result<[f64; 4], MindError> {
    let mut player = ConceptPlayer::new(vocabulary.clone(), rules);
    let mut out = [0.0; 4];
    for (number, side) in Side::BOTH.into_iter().enumerate() {
        for (opponent, depth_one) in [false, true].into_iter().enumerate() {
            let rng = Rng::stream(seed, (2 * number + opponent) as u64);
            let tally = match_up(game, &mut player, side, depth_one, games, rng)?;
            out[2 * number + opponent] = 100.0 * tally.win_share();
        }
    }
    Ok(out)
}

struct Study {
    trials: u64,
    games: u64,
}

impl Study {
    /// One line: the mean of the trials and the spread of a single one, and whether the paper's may be one of them (99 %).
    fn line<G: Game>(
        &self,
        name: &str,
        paper: [f64; 4],
        (game, vocabulary): (&G, &Vocabulary),
        rules: impl Fn(u64) -> [Vec<Rule>; 2],
    ) -> Result<(), MindError> {
        let trials: Vec<[f64; 4]> = (0..self.trials)
            .map(|trial| wins(game, vocabulary, rules(trial), self.games, 100 + trial))
            .collect::<Result<_, _>>()?;
        let games_in_paper = if game.id() == "tic-tac-toe" { 10_000.0 } else { 1_000.0 };
        let cells: Vec<String> = (0..4)
            .map(|cell| {
                let values: Vec<f64> = trials.iter().map(|trial| trial[cell]).collect();
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                let spread = values.iter().map(|v| math::square(v - mean)).sum::<f64>();
                let variance = spread / (values.len().max(2) - 1) as f64;
                // The paper's figure is one more trial: the spread of the learning, and that of its own number of games.
                let share = paper[cell] / 100.0;
                let chance = 1e4 * (share * (1.0 - share)).max(5e-5);
                let learning = (variance - chance / self.games as f64).max(0.0);
                let one_more = learning + chance / games_in_paper + variance / values.len() as f64;
                let limit = student_quantile(0.995, (values.len().max(2) - 1) as f64) * one_more.sqrt();
                let inside = if (mean - paper[cell]).abs() <= limit { '●' } else { '▲' };
                format!("{mean:.1} ± {:.1} ({} {inside})", variance.sqrt(), paper[cell])
            })
            .collect();
        println!("| {name} | {} |", cells.join(" | "));
        Ok(())
    }

    fn statistical<G: Game>(
        &self,
        game: &G,
        playouts: usize,
        cells: &[(usize, [f64; 4])],
    ) -> Result<(), MindError> {
        let vocabulary = Vocabulary::of(&game.board(&game.start()));
        // All subsets of a position of Connect Four are too many.
        let (is_small, largest) = (vocabulary.width == 3, if vocabulary.width == 3 { 9 } else { 2 });
        let counted: Vec<[Vec<Rule>; 2]> = (0..self.trials)
            .map(|trial| {
                let seen: Experience =
                    experience(game, &vocabulary, playouts, &mut Rng::stream(trial, 1), &Stop::default())
                        .expect("nobody ends it");
                seen.map(|won| {
                    let mut rules = count_subsets(&won, largest, &Stop::default()).expect("nobody ends it");
                    rules.sort_by(|a, b| b.value.total_cmp(&a.value).then_with(|| a.body.cmp(&b.body)));
                    rules
                })
            })
            .collect();
        for &(cut_off, paper) in cells {
            for (how, words) in [
                (Keep::Tenth, "a tenth of the rules by number"),
                (Keep::TenthOfEachSize, "a tenth of each size"),
                (Keep::NearTheHighest, "values within a tenth of the highest"),
                (Keep::NearTheHighestOfEachSize, "values within a tenth of the highest of their size (ours)"),
                (
                    Keep::NearTheLargest,
                    "values within a tenth of the highest of the largest bodies, or above",
                ),
                (Keep::CutAfterwards, "a tenth of all sizes, then cut off"),
            ] {
                if matches!(how, Keep::CutAfterwards) && !is_small {
                    continue;
                }
                let name = format!("{}, cut-off {cut_off}: {words}", game.id());
                self.line(&name, paper, (game, &vocabulary), |trial| {
                    [0, 1].map(|side| keep(&counted[trial as usize][side], cut_off, how))
                })?;
            }
        }
        Ok(())
    }

    fn structured<G: Game>(
        &self,
        game: &G,
        playouts: usize,
        size: usize,
        paper: [f64; 4],
    ) -> Result<(), MindError> {
        for (words, near, with_empty, last_only) in [
            ("marks only (ours)", false, false, false),
            ("concepts of the rules near the highest", true, false, false),
            ("empty cells are facts as well", false, true, false),
            ("last positions only", false, false, true),
            ("empty cells as well, last positions only", false, true, true),
            ("the same with concepts near the highest", true, true, true),
        ] {
            let vocabulary = Vocabulary::of(&game.board(&game.start()));
            let vocabulary = if with_empty { vocabulary.with_empty() } else { vocabulary };
            let name = format!("{}, concepts of {size} cells, {playouts} playouts: {words}", game.id());
            self.line(&name, paper, (game, &vocabulary), |trial| {
                let mut rng = Rng::stream(trial, 2);
                let binary = concepts(near, &mut rng);
                let binary = if game.id() == "tic-tac-toe" { binary } else { transferable(&binary) };
                let concepts: Vec<Concept> = if size == 2 { binary } else { join_concepts(&binary, &binary) };
                let mut seen =
                    experience(game, &vocabulary, playouts, &mut Rng::stream(trial, 3), &Stop::default())
                        .expect("nobody ends it");
                if last_only {
                    for won in seen.iter_mut().flatten() {
                        won.positions = won.positions.split_off(won.positions.len() - 1);
                    }
                }
                [0, 1].map(|side| {
                    make_structured_heuristics(&concepts, &seen[side], &vocabulary, &Stop::default())
                        .expect("nobody ends it")
                })
            })?;
        }
        Ok(())
    }
}

/// The binary concepts of tic-tac-toe, from the most frequent subsets or from those near the highest of their size.
fn concepts(near: bool, rng: &mut Rng) -> Vec<Concept> {
    let vocabulary = Vocabulary::of(&TicTacToe.board(&TicTacToe.start()));
    let seen = experience(&TicTacToe, &vocabulary, 10_000, rng, &Stop::default()).expect("nobody ends it");
    let keep = if near { make_statistical_heuristics } else { most_frequent_subsets };
    let rules: Vec<Rule> =
        seen.iter().flat_map(|won| keep(won, 3, &Stop::default()).expect("nobody ends it")).collect();
    generate_new_concepts(&rules, &vocabulary)
}

fn main() -> Result<(), MindError> {
    let mut numbers = std::env::args().skip(1).filter_map(|word| word.parse::<u64>().ok());
    let (trials, games) = (numbers.next().unwrap_or(4).max(1), numbers.next().unwrap_or(1_000).max(1));
    let study = Study { trials, games };
    println!(
        "| reading | first, random | first, depth 1 | second, random | second, depth 1 |\n|---|---:|---:|---:|---:|"
    );
    let cells = [(1, [93.4, 85.8, 65.6, 41.8]), (2, [90.2, 74.5, 68.1, 42.0]), (3, [96.5, 91.4, 73.7, 50.4])];
    study.statistical(&TicTacToe, 10_000, &cells)?;
    study.statistical(
        &ConnectFour,
        1_000,
        &[(1, [84.4, 62.2, 70.4, 40.4]), (2, [90.2, 79.7, 77.4, 54.4])],
    )?;
    study.structured(&TicTacToe, 10_000, 2, [94.6, 89.6, 56.9, 39.2])?;
    study.structured(&ConnectFour, 10, 2, [90.6, 74.5, 61.8, 29.5])?;
    study.structured(&ConnectFour, 100, 2, [92.3, 78.3, 69.4, 44.3])?;
    study.structured(&ConnectFour, 10, 3, [72.7, 39.7, 71.7, 37.8])
}

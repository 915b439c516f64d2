//! The concepts paper worked out exactly: tic-tac-toe is small enough to sum over every game of a player of rules.

use std::collections::HashMap;

use ludens_core::{Game, Move, Side, Turn, math};
use ludens_games::tictactoe::TicTacToe;
use ludens_learners::concepts::{ConceptPlayer, FactId, Rule, Vocabulary};

/// Wins, losses and draws, in percent.
type Shares = [f64; 3];

struct Exact<'a> {
    player: &'a mut ConceptPlayer,
    side: Side,
    /// Whether the opponent takes a win in one.
    depth_one: bool,
    known: HashMap<String, Shares>,
}

impl Exact<'_> {
    fn shares(&mut self, state: &<TicTacToe as Game>::State) -> Shares {
        let mover = match TicTacToe.turn(state) {
            Turn::Over(score) => {
                let score = score.of(self.side);
                return [score > 0.0, score < 0.0, score == 0.0].map(|is| if is { 100.0 } else { 0.0 });
            }
            Turn::Player(mover) => mover,
            Turn::Chance => unreachable!("no dice"),
        };
        let key = format!("{state:?}");
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let moves = self.choices(state, mover);
        let mut sum = [0.0; 3];
        for &mv in &moves {
            let mut child = *state;
            TicTacToe.apply(&mut child, mv);
            let shares = self.shares(&child);
            (0..3).for_each(|i| sum[i] += shares[i] / moves.len() as f64);
        }
        self.known.insert(key, sum);
        sum
    }

    /// The moves that are equally likely.
    fn choices(&mut self, state: &<TicTacToe as Game>::State, mover: Side) -> Vec<Move> {
        let mut moves = Vec::new();
        TicTacToe.moves(state, &mut moves);
        let mut best = (f64::NEG_INFINITY, Vec::new());
        for &mv in &moves {
            let mut child = *state;
            TicTacToe.apply(&mut child, mv);
            let wins = matches!(TicTacToe.turn(&child), Turn::Over(score) if score.of(mover) > 0.0);
            let value = match (mover == self.side, wins && (self.depth_one || mover == self.side)) {
                (_, true) => f64::INFINITY,
                (true, false) => self.player.worth(&TicTacToe, &child, mover),
                (false, false) => 0.0,
            };
            if value > best.0 {
                best = (value, Vec::new());
            }
            if value == best.0 {
                best.1.push(mv);
            }
        }
        best.1
    }
}

/// Against random moves and against the plain depth-1 player, of a side that has rules for these of its cells, the first the best.
fn exactly(side: Side, cells: &[(u16, u16)]) -> [Shares; 2] {
    let vocabulary = Vocabulary::of(&TicTacToe.board(&TicTacToe.start()));
    let rule = |(rank, &(column, row)): (usize, &(u16, u16))| Rule {
        body: vec![vocabulary.id(column, row, side.index()) as FactId],
        value: math::powi(2.0, -(rank as i32)),
    };
    let mut rules = [Vec::new(), Vec::new()];
    rules[side.index()] = cells.iter().enumerate().map(rule).collect();
    let mut player = ConceptPlayer::new(vocabulary.clone(), rules);
    [false, true].map(|depth_one| {
        Exact { player: &mut player, side, depth_one, known: HashMap::new() }.shares(&TicTacToe.start())
    })
}

/// Four standard errors of a share of 10,000 games.
fn met(paper: [Shares; 2], ours: [Shares; 2]) -> bool {
    paper.iter().flatten().zip(ours.iter().flatten()).all(|(paper, ours)| {
        let share = paper / 100.0;
        (paper - ours).abs() < 400.0 * (share * (1.0 - share) / 10_000.0).sqrt()
    })
}

/// The published figures of cut-off 1 are those of an x that has rules for the centre and two neighbouring corners, and of an o that has one for
/// the centre: just what stays of the single facts near the highest value. The two best or all nine cells of x, or the best two
/// facts of o's wins (both of x, so none of o), give other figures.
#[test]
fn cut_off_one_is_the_rules_near_the_highest_value() {
    let (centre, corners) = ((1, 1), [(2, 2), (2, 0), (0, 0), (0, 2)]);
    let of_x = [[93.38, 4.53, 2.09], [85.81, 13.57, 0.62]];
    assert!(met(of_x, exactly(Side::First, &[centre, corners[0], corners[1]])));
    assert!(!met(of_x, exactly(Side::First, &[centre, corners[0]])));
    assert!(!met(of_x, exactly(Side::First, &[centre])));
    let all = [centre, corners[0], corners[1], corners[2], corners[3], (1, 0), (0, 1), (2, 1), (1, 2)];
    assert!(!met(of_x, exactly(Side::First, &all)));
    let of_o = [[65.64, 27.50, 6.86], [41.78, 55.40, 2.82]];
    assert!(met(of_o, exactly(Side::Second, &[centre])));
    assert!(!met(of_o, exactly(Side::Second, &[])));
    assert!(!met(of_o, exactly(Side::Second, &[centre, corners[0]])));
    // Without rules: the paper's cut-off 0.
    assert!(met([[80.73, 12.32, 6.95], [67.98, 27.51, 4.51]], exactly(Side::First, &[])));
}

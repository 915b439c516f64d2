//! Positions: whatever text is read as one can be written, read back as the same position, and played to its end.

use std::sync::{Arc, LazyLock};

use ludens_core::{Front, Game, Stop, laws};
use ludens_games::line::{Gravity, Line};
use ludens_search::connect_four_solver::Position;

use crate::seeds::{self, HOUSE, open};
use crate::{Law, Verdict, text};

const SAYS: &str =
    "a text is refused, or it is a position that can be written, read back and played to its end";

/// The position laws of one game; `true` where its text was read.
fn check<G: Game>(game: &G, text: &str) -> Verdict {
    laws::check_text(game, text).map_err(|broken| broken.to_string())?;
    Ok(game.parse(text).is_ok())
}

fn seeds_of(name: &str) -> Vec<Vec<u8>> {
    open(name).map(|front| seeds::positions(&*front)).unwrap_or_default()
}

pub(crate) const TIC_TAC_TOE: Law = Law {
    name: "tic_tac_toe_position",
    says: SAYS,
    weight: 60,
    words: &["x", "o", ".", "xo", "xxx", " "],
    seeds: || seeds_of("tic-tac-toe"),
    check: |bytes| check(&ludens_games::tictactoe::TicTacToe, &text(bytes)),
};

pub(crate) const CONNECT_FOUR: Law = Law {
    name: "connect_four_position",
    says: SAYS,
    weight: 60,
    words: &["1", "4", "7", "8", "x", "o", ".", "......."],
    seeds: || seeds_of("connect-four"),
    check: |bytes| check(&ludens_games::connect_four::ConnectFour, &text(bytes)),
};

pub(crate) const REVERSI: Law = Law {
    name: "reversi_position",
    says: SAYS,
    weight: 30,
    words: &["X", "O", "-", " X", " O", "--------"],
    seeds: || seeds_of("reversi"),
    check: |bytes| check(&ludens_games::reversi::Reversi::default(), &text(bytes)),
};

pub(crate) const BACKGAMMON: Law = Law {
    name: "backgammon_position",
    says: SAYS,
    weight: 30,
    words: &[":", ":31", ":66", "/", "+", "=", "AAAA"],
    seeds: || seeds_of("backgammon"),
    check: |bytes| check(&ludens_games::backgammon::Backgammon, &text(bytes)),
};

pub(crate) const LINE: Law = Law {
    name: "line_position",
    says: "on any board a text is refused, or it is a position that can be written, read back and played to its end",
    weight: 30,
    words: &["x", "o", ".", "xo", "....", "\u{3}\u{3}\u{3}"],
    seeds: line_seeds,
    check: line,
};

/// Boards of several sizes; the three first bytes are width, height and length.
fn line_seeds() -> Vec<Vec<u8>> {
    let boards = [
        ("line", 9, 4, 4),
        ("line", 3, 3, 3),
        ("gravity", 7, 6, 4),
        ("gravity", 5, 4, 3),
        ("line", 16, 16, 5),
    ];
    let mut seeds = Vec::new();
    for (kind, width, height, length) in boards {
        for position in seeds_of(&format!("{kind}-{width}x{height}x{length}")) {
            seeds.push([&[width, height, length], position.as_slice()].concat());
        }
    }
    seeds
}

fn line(bytes: &[u8]) -> Verdict {
    let [width, height, length, position @ ..] = bytes else { return Ok(false) };
    let [width, height, length] = [width, height, length].map(|&number| u32::from(number));
    let position = text(position);
    let free = Line::new(width, height, length).map_or(Ok(false), |game| check(&game, &position))?;
    let falling = Gravity::new(width, height, length).map_or(Ok(false), |game| check(&game, &position))?;
    Ok(free || falling)
}

const CHASE: &str = include_str!("../../../crates/gdl/rules/chase.kif");
const CONNECT: &str = include_str!("../../../crates/gdl/rules/tic-tac-toe.kif");

/// Games from rules, whose positions are the facts that hold.
static FROM_RULES: LazyLock<Vec<Arc<dyn Front>>> = LazyLock::new(|| {
    let rules = [("tic-tac-toe.kif", CONNECT), ("chase.kif", CHASE)];
    rules.iter().filter_map(|(name, rules)| HOUSE.open_rules(name, rules, &Stop::default()).ok()).collect()
});

pub(crate) const RULES: Law = Law {
    name: "rules_position",
    says: "a text of facts is refused, or it is a position that can be written, read back and played to its end",
    weight: 20,
    words: &["(", ")", "(true ", "cell", "mark", "control", "1", "b", "?x", "x"],
    seeds: || FROM_RULES.iter().flat_map(|front| seeds::positions(&**front)).collect(),
    check: |bytes| {
        let position = text(bytes);
        let mut read = false;
        for front in FROM_RULES.iter() {
            front.check_text(&position).map_err(|broken| broken.to_string())?;
            read |= front.table(Arc::new(ludens_core::NoModels)).restart(Some(&position)).is_ok();
        }
        Ok(read)
    },
};

pub(crate) const SOLVER: Law = Law {
    name: "solver_position",
    says: "what is read as moves is a position that is not over, with as many discs as moves",
    weight: 60,
    words: &["1", "4", "7", "8", " "],
    seeds: || seeds_of("connect-four"),
    check: |bytes| {
        let moves = text(bytes);
        let Ok(position) = Position::<7, 6>::to_solve(&moves) else { return Ok(false) };
        crate::ensure(position.discs() as usize == moves.trim().len(), "a disc for every move")?;
        Ok(true)
    },
};

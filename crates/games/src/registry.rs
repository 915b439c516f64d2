//! Every native game. Adding one is a file and a line here.

use ludens_core::{AnyFamily, Entries, Family, Games, Zoo};
use std::sync::Arc;

/// Hands the list of native games to a macro of the caller's: `each_game!(with)` becomes `with! { TicTacToe, … }`, so that what is
/// compiled for every game is compiled where it is needed, from one list.
#[macro_export]
macro_rules! each_game {
    ($with:ident) => {
        $with! {
            $crate::tictactoe::TicTacToe as tic_tac_toe,
            $crate::connect_four::ConnectFour as connect_four,
            $crate::reversi::Reversi as reversi,
            $crate::backgammon::Backgammon as backgammon,
            $crate::line::Line as line,
            $crate::line::Gravity as gravity,
        }
    };
}

macro_rules! families {
    ($($game:ty as $name:ident),* $(,)?) => {
        fn families() -> Vec<Box<dyn AnyFamily>> {
            vec![$(Family::<$game>::named(Entries::default()).close()),*]
        }
    };
}

each_game!(families);

/// The games alone, with nobody to play them: for tests of the rules.
pub fn bare() -> Arc<Games> {
    Games::new(families(), Zoo::default())
}

//! Finding games and minds by the names users give.

use std::sync::Arc;

use ludens_core::{Game, GameVisitor, Table, TableOf};
use ludens_learners::registry;

/// Runs a visitor on any game: a native one by name, or a file of GDL rules.
pub fn with_game<V: GameVisitor>(name: &str, visitor: V) -> anyhow::Result<V::Out> {
    Ok(ludens_learners::open::with_game(name, visitor)?)
}

/// A session of the game called `name`, with every registered mind at hand.
pub fn open_table(name: &str) -> anyhow::Result<Box<dyn Table>> {
    struct Open;
    impl GameVisitor for Open {
        type Out = Box<dyn Table>;
        fn visit<G: Game>(self, game: Arc<G>) -> Box<dyn Table> {
            Box::new(TableOf::new(game, registry::make_mind::<G>))
        }
    }
    with_game(name, Open)
}

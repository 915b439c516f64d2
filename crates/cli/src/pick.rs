//! Finding games and minds by the names users give.

use std::sync::Arc;

use ludens_core::{Game, GameVisitor, Table, TableOf};
use ludens_learners::registry;

use crate::out::Usage;

/// Runs a visitor on any game: a native one by name, or a file of GDL rules.
pub fn with_game<V: GameVisitor>(name: &str, visitor: V) -> anyhow::Result<V::Out> {
    if ludens_gdl::is_rule_file(name) {
        return ludens_gdl::with_rule_file(name, visitor).map_err(|e| Usage(format!("{name}: {e}")).into());
    }
    Ok(ludens_games::with_game(name, visitor)?)
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

//! Sitting down at a game by the name the user gives.

use std::sync::Arc;

use ludens_catalogue::House;
use ludens_core::{Models, NoModels, OpenError, Table};

/// On the command line minds are names and model files; nobody holds models in memory.
pub fn no_models() -> Arc<dyn Models> {
    Arc::new(NoModels)
}

/// A session of the game called `name`.
pub fn table(house: &House, name: &str) -> Result<Box<dyn Table>, OpenError> {
    Ok(house.games.open(name)?.table(no_models()))
}

//! Inputs that parsers take, made by the program itself.

use std::sync::{Arc, LazyLock};

use ludens_catalogue::{Catalogue, House};
use ludens_core::{Front, NoModels, Rng};

/// Everything the program has.
pub(crate) static HOUSE: LazyLock<House> = LazyLock::new(|| House::from(Catalogue::standard()));

/// A game of the house.
pub(crate) fn open(name: &str) -> Result<Arc<dyn Front>, String> {
    HOUSE.games.open(name).map_err(|error| error.to_string())
}

/// Texts of positions after ever longer random play.
pub(crate) fn positions(front: &dyn Front) -> Vec<Vec<u8>> {
    let position = |number: u64| {
        let mut table = front.table(Arc::new(NoModels));
        let mut rng = Rng::stream(17, number);
        for _ in 0..2 * number {
            table.roll(&mut rng);
            let moves = table.moves();
            if moves.is_empty() || table.play(moves[rng.below(moves.len() as u32) as usize]).is_err() {
                break;
            }
        }
        table.view().text.into_bytes()
    };
    (0..24).map(position).collect()
}

/// A list of texts as inputs.
pub(crate) fn texts(list: &[&str]) -> Vec<Vec<u8>> {
    list.iter().map(|text| text.as_bytes().to_vec()).collect()
}

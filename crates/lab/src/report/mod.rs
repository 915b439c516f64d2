//! The files people read: JSON, a self-contained page, Markdown.

mod html;
mod markdown;
mod plot;
mod scale;
mod shade;

use std::path::Path;

use ludens_core::store::write_atomic;

use crate::papers::completed;
use crate::{LabError, PaperResult};

pub use html::page;
pub use markdown::{markdown, table as markdown_table};

/// Writes `result.json`, `report.html` and `report.md`.
pub fn write_all(result: &PaperResult, folder: &Path) -> Result<(), LabError> {
    let mut json = serde_json::to_vec_pretty(result).map_err(LabError::other)?;
    json.push(b'\n');
    for (name, bytes) in [
        ("result.json", json),
        ("report.html", page(result).into_bytes()),
        ("report.md", markdown(result).into_bytes()),
    ] {
        let path = folder.join(name);
        write_atomic(&path, &bytes).map_err(LabError::file(&path))?;
    }
    Ok(())
}

/// How many independent cells cannot be told from the paper's, and how many can be compared.
pub fn agreement(result: &PaperResult) -> (usize, usize) {
    let count = crate::agreement::of_result(&completed(result));
    (count.inside, count.cells)
}

/// A p value as people write it.
pub(crate) fn p_text(p: f64) -> String {
    if p < 0.0001 { "p < .0001".into() } else { format!("p = {p:.4}").replace("0.", ".") }
}

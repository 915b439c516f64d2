//! Where runs live: the platform's data folder, or the one the user names.

use std::path::{Path, PathBuf};

use crate::LabError;

/// The folder of all runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Home {
    root: PathBuf,
}

impl Home {
    /// `named` (from `--home`), else `LUDENS_HOME`, else the platform's data folder. The folder is made.
    pub fn open(named: Option<&Path>) -> Result<Home, LabError> {
        let from_environment = || std::env::var_os("LUDENS_HOME").filter(|value| !value.is_empty());
        let root = match (named, from_environment()) {
            (Some(named), _) => named.to_path_buf(),
            (None, Some(named)) => PathBuf::from(named),
            (None, None) => directories::ProjectDirs::from("", "", "ludens")
                .map(|folders| folders.data_dir().to_path_buf())
                .ok_or(LabError::NoHome)?,
        };
        // Runs remember their folders: a relative name would be lost with the folder it was given in.
        let root = std::path::absolute(&root).map_err(LabError::file(&root))?;
        // The store keeps paths as text, and lists and JSON show them.
        if root.to_str().is_none() {
            return Err(LabError::HomeName { path: root });
        }
        std::fs::create_dir_all(&root).map_err(LabError::file(&root))?;
        Ok(Home { root })
    }

    /// The folder of everything.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The database of runs.
    pub fn database(&self) -> PathBuf {
        self.root.join("runs.sqlite")
    }

    /// The folder of one run: checkpoints, ladder, model.
    pub fn run_folder(&self, id: i64) -> PathBuf {
        self.root.join("runs").join(id.to_string())
    }

    /// Where a reproduction goes when nobody says otherwise.
    pub fn reproduction(&self, paper: &str, scale: &str, seed: u64) -> PathBuf {
        self.root.join("reproductions").join(format!("{paper}-{scale}-{seed}"))
    }
}

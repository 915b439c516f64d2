//! Games written in GDL, dropped on the page. They are read from the text that was sent, never from a file a client names, and kept
//! as files beside the runs, so that games and trainings outlive the server and the command line can open them too.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::Json;
use axum::extract::{Query, State};
use ludens_catalogue::House;
use ludens_core::store::{read_text_bounded, write_atomic};
use ludens_core::{Front, GameAbout, NoModels, Stop};
use ludens_learners::rules::rules_id;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Deserialize;

use crate::App;
use crate::body::Text;
use crate::catalog::GameInfo;
use crate::error::{ApiError, ApiResult};
use crate::lock;
use crate::sessions::blocking;
use crate::thinkers::Leaving;

/// The rules of one game.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// The id of the game, which holds a checksum of the text.
    pub(crate) id: String,
    title: String,
    /// The name of its file, without folders.
    file: String,
    text: Arc<str>,
    /// Where the text is kept.
    pub(crate) path: Option<PathBuf>,
}

/// The rules that were sent, the oldest first.
#[derive(Debug)]
pub(crate) struct Rules {
    house: House,
    known: Mutex<Vec<Written>>,
    /// Games opened last, the newest at the end: grounding one may take seconds.
    fronts: Mutex<Vec<(String, Arc<dyn Front>)>>,
    /// Grounds rules, one after another. A thread of its own: the allocator keeps memory for each thread that ever needed it, and a
    /// grounding needs hundreds of megabytes.
    grounding: ThreadPool,
    folder: Option<PathBuf>,
    most: usize,
}

/// What reading rules may take here, less than on the command line.
const READING_TIME: Duration = Duration::from_secs(20);
const READING_BYTES: u64 = 256 << 20;
const MOST_OPEN: usize = 8;

/// `Tic Tac-Toe (1).kif` → `tic-tac-toe-1.kif`.
fn file_name(name: &str) -> String {
    let lower =
        name.chars().take(60).map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' });
    let words = lower.collect::<String>().split_whitespace().collect::<Vec<_>>().join("-");
    format!("{}.kif", if words.is_empty() { "a-game-of-yours" } else { &words })
}

impl Rules {
    /// With those that were kept in `folder`.
    pub(crate) fn new(house: House, folder: Option<PathBuf>, most: usize, bytes: usize) -> Rules {
        let rules = Rules {
            house,
            known: Mutex::default(),
            fronts: Mutex::default(),
            grounding: one_thread(),
            folder,
            most: most.max(1),
        };
        let folders = rules.folder.iter().filter_map(|folder| std::fs::read_dir(folder).ok());
        let mut files: Vec<PathBuf> = folders
            .flat_map(|entries| entries.flatten())
            .filter_map(|entry| std::fs::read_dir(entry.path()).ok())
            .flat_map(|entries| entries.flatten().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
            .collect();
        files.sort_by_key(|path| (path.metadata().and_then(|data| data.modified()).ok(), path.clone()));
        for path in files.iter().rev().take(rules.most).rev() {
            if reading(path).exists() {
                // Whatever it was, the next start must not die of it too.
                let _ = writeln!(
                    std::io::stderr(),
                    "{} is left out: reading it did not come to an end last time; delete {} to try again",
                    path.display(),
                    reading(path).display()
                );
                continue;
            }
            let text = read_text_bounded(path, bytes as u64).ok();
            if let (Some(text), Some(name)) = (text, path.file_name()) {
                let written = Written::new(&name.to_string_lossy(), text, Some(path.clone()));
                rules.lock().push(written);
            }
        }
        rules
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Written>> {
        lock(&self.known)
    }

    pub(crate) fn all(&self) -> Vec<Written> {
        self.lock().clone()
    }

    pub(crate) fn find(&self, id: &str) -> Option<Written> {
        self.lock().iter().find(|written| written.id == id).cloned()
    }

    /// The game of a file of ours, by the path under which the lab knows it.
    pub(crate) fn at(&self, path: &str) -> Option<Written> {
        self.lock().iter().find(|written| written.path.as_deref() == Some(Path::new(path))).cloned()
    }

    /// Does `work` on a kept file with a mark beside it, so that a server which dies of it leaves it out at its next start.
    pub(crate) fn marked<T>(&self, written: &Written, work: impl FnOnce() -> T) -> T {
        let mark = written.path.as_deref().map(reading);
        if let Some(mark) = &mark {
            let _ = std::fs::write(mark, b"");
        }
        let done = work();
        if let Some(mark) = &mark {
            let _ = std::fs::remove_file(mark);
        }
        done
    }

    /// The game itself; grounded again where it was put aside.
    pub(crate) fn open(&self, written: &Written) -> ApiResult<Arc<dyn Front>> {
        self.open_until(written, &Stop::default())
    }

    fn open_until(&self, written: &Written, stop: &Stop) -> ApiResult<Arc<dyn Front>> {
        if let Some(front) = self.opened(&written.id) {
            return Ok(front);
        }
        self.grounding.install(|| self.ground(written, stop))
    }

    fn ground(&self, written: &Written, stop: &Stop) -> ApiResult<Arc<dyn Front>> {
        // Somebody else may have waited for the same.
        if let Some(front) = self.opened(&written.id) {
            return Ok(front);
        }
        let stop = stop.within(READING_TIME).holding(READING_BYTES);
        let front = self.house.open_rules(&written.file, &written.text, &stop)?;
        let mut fronts = lock(&self.fronts);
        if fronts.len() >= MOST_OPEN {
            fronts.remove(0);
        }
        fronts.push((written.id.clone(), front.clone()));
        Ok(front)
    }

    fn opened(&self, id: &str) -> Option<Arc<dyn Front>> {
        let mut fronts = lock(&self.fronts);
        let at = fronts.iter().position(|(known, _)| known == id)?;
        let opened = fronts.remove(at);
        fronts.push(opened.clone());
        Some(opened.1)
    }

    fn add(&self, name: &str, text: String, stop: &Stop) -> ApiResult<Written> {
        let mut written = Written::new(&file_name(name), text, None);
        if let Some(known) = self.find(&written.id) {
            return Ok(known);
        }
        if self.lock().len() >= self.most {
            let place =
                self.folder.as_ref().map_or_else(|| "this server".into(), |f| f.display().to_string());
            return Err(ApiError::full(format!(
                "{} games of rules are kept already; delete some in {place} and start the server again",
                self.most
            )));
        }
        let front = self.open_until(&written, stop)?;
        written.id = front.id();
        // Kept only once it could be shown: a file that cannot be must not come back at every start.
        front.table(Arc::new(NoModels)).view();
        if let Some(folder) = &self.folder {
            let inner = folder.join(written.checksum());
            let path = inner.join(&written.file);
            // A full disk costs the game after a restart, not now.
            let kept =
                std::fs::create_dir_all(&inner).and_then(|()| write_atomic(&path, written.text.as_bytes()));
            written.path = kept.ok().map(|()| path);
        }
        self.lock().push(written.clone());
        Ok(written)
    }
}

fn one_thread() -> ThreadPool {
    let pool = ThreadPoolBuilder::new().num_threads(1).thread_name(|_| "rules".into());
    pool.build().expect("a server has a thread to spare")
}

/// The mark beside a file of rules that is being read.
fn reading(path: &Path) -> PathBuf {
    path.with_extension("reading")
}

impl Written {
    fn new(file: &str, text: String, path: Option<PathBuf>) -> Written {
        let stem = file.trim_end_matches(".kif");
        Written {
            id: rules_id(file, &text),
            title: GameAbout::of(stem).title,
            file: file.into(),
            text: text.into(),
            path,
        }
    }

    /// What the list of games says of it.
    pub(crate) fn about(&self) -> GameAbout {
        GameAbout {
            id: self.id.clone(),
            title: self.title.clone(),
            summary: "your own rules, in GDL".into(),
            position_format: "the facts that hold, in brackets".into(),
        }
    }

    fn checksum(&self) -> &str {
        self.id.rsplit('@').next().unwrap_or(&self.id)
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Named {
    #[serde(default)]
    name: String,
}

/// Reads rules that were sent, and answers with the game they make.
pub(crate) async fn add(
    State(app): State<Arc<App>>,
    Query(named): Query<Named>,
    Text(text): Text,
) -> ApiResult<Json<GameInfo>> {
    let permit = app.loading.clone().try_acquire_owned();
    let permit = permit.map_err(|_| ApiError::busy("another file of rules is being read; try again"))?;
    let stop = Stop::new();
    let _leaving = Leaving(stop.clone());
    blocking(move || {
        // Held by the thread: reading rules may outlast the request.
        let _permit = permit;
        let written = app.catalog.rules().add(&named.name, text, &stop)?;
        Ok(Json(app.catalog.written(&written)?))
    })
    .await
}

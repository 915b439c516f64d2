//! How many games are kept, and which are forgotten first.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::config::Quota;
use crate::gamelog::{GameLine, GameLog, GameRecord, Page, now};

/// A game that was not finished and that nobody has touched for so long does not go on.
const ABANDONED: Duration = Duration::from_secs(7 * 24 * 3600);

/// A game nobody has moved in for so long was not wanted. Before that it may be a person's who thinks about the first move, and whoever
/// begins many must not push it out at once: so those without a move have half of the places while they are young.
const UNWANTED: Duration = Duration::from_secs(3600);

/// What a log holds.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Held {
    pub(crate) games: usize,
    pub(crate) bytes: u64,
}

impl Quota {
    pub(crate) fn is_kept(self, held: Held) -> bool {
        held.games <= self.games && held.bytes <= self.bytes
    }

    /// Forgetting looks through all games: it makes room for some more at once.
    pub(crate) fn with_room(self) -> Quota {
        Quota { games: self.games - self.games / 20, bytes: self.bytes - self.bytes / 20 }
    }
}

pub(crate) const FULL: &str = "the games that go on fill the log; finish some";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    Unmoved,
    Unfinished,
    Finished,
}

/// What has to be known of a game to forget it.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) id: String,
    pub(crate) stage: Stage,
    pub(crate) updated: f64,
    pub(crate) bytes: u64,
}

impl From<&GameRecord> for Kept {
    fn from(record: &GameRecord) -> Kept {
        let stage = if record.plies.iter().all(|ply| ply.side.is_none()) {
            Stage::Unmoved
        } else if record.result.is_some() {
            Stage::Finished
        } else {
            Stage::Unfinished
        };
        Kept { id: record.id.clone(), stage, updated: record.updated, bytes: size(record) }
    }
}

/// The games to forget, all but the game `spared`, until `held` is within `quota` or only games are left that go on.
pub(crate) fn forgotten(mut kept: Vec<Kept>, mut held: Held, quota: Quota, spared: &str) -> Vec<Kept> {
    kept.sort_by(|a, b| a.updated.total_cmp(&b.updated));
    let now = now();
    let is_old = |game: &Kept, age: Duration| game.updated < now - age.as_secs_f64();
    let unmoved = || kept.iter().filter(|game| game.stage == Stage::Unmoved);
    let unwanted = unmoved().filter(|game| is_old(game, UNWANTED)).count();
    let mut first = unwanted.max(unmoved().count().saturating_sub(quota.games / 2));
    let mut kinds: [Vec<Kept>; 4] = Default::default();
    for game in kept.into_iter().filter(|game| game.id != spared) {
        let kind = match game.stage {
            Stage::Unmoved if first > 0 => {
                first -= 1;
                0
            }
            Stage::Finished => 1,
            Stage::Unfinished if is_old(&game, ABANDONED) => 2,
            Stage::Unmoved => 3,
            Stage::Unfinished => continue,
        };
        kinds[kind].push(game);
    }
    let mut gone = Vec::new();
    for game in kinds.into_iter().flatten() {
        if quota.is_kept(held) {
            break;
        }
        held.games = held.games.saturating_sub(1);
        held.bytes = held.bytes.saturating_sub(game.bytes);
        gone.push(game);
    }
    gone
}

/// What a record takes in memory, nearly.
fn size(record: &GameRecord) -> u64 {
    let plies: usize =
        record.plies.iter().map(|ply| size_of_val(ply) + ply.label.len() + 2 * ply.cells.len()).sum();
    let names: usize = record.seats.iter().map(|seat| seat.name().len()).sum();
    let start = record.start.as_ref().map_or(0, String::len);
    (size_of_val(record) + record.id.len() + record.game.len() + names + start + plies) as u64
}

/// Keeps games as long as the program runs.
#[derive(Debug)]
pub(crate) struct MemoryLog {
    quota: Quota,
    games: Mutex<Games>,
}

#[derive(Default, Debug)]
struct Games {
    records: BTreeMap<String, GameRecord>,
    bytes: u64,
}

impl Games {
    fn held(&self) -> Held {
        Held { games: self.records.len(), bytes: self.bytes }
    }

    fn insert(&mut self, record: GameRecord) -> bool {
        self.bytes += size(&record);
        let before = self.records.insert(record.id.clone(), record);
        self.bytes -= before.as_ref().map_or(0, size);
        before.is_none()
    }

    fn remove(&mut self, id: &str) {
        if let Some(record) = self.records.remove(id) {
            self.bytes -= size(&record);
        }
    }
}

impl MemoryLog {
    pub(crate) fn new(quota: Quota) -> MemoryLog {
        MemoryLog { quota, games: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl GameLog for MemoryLog {
    fn put(&self, record: GameRecord) -> Result<(), String> {
        let mut games = self.lock();
        let id = record.id.clone();
        let is_new = games.insert(record);
        if self.quota.is_kept(games.held()) {
            return Ok(());
        }
        let kept = games.records.values().map(Kept::from).collect();
        for game in forgotten(kept, games.held(), self.quota.with_room(), &id) {
            games.remove(&game.id);
        }
        if is_new && !self.quota.is_kept(games.held()) {
            games.remove(&id);
            return Err(FULL.into());
        }
        Ok(())
    }

    fn get(&self, id: &str) -> Result<Option<GameRecord>, String> {
        Ok(self.lock().records.get(id).cloned())
    }

    fn list(&self, limit: usize) -> Result<Vec<GameLine>, String> {
        let games = self.lock();
        let mut newest: Vec<&GameRecord> = games.records.values().collect();
        newest.sort_by(|a, b| b.updated.total_cmp(&a.updated));
        Ok(newest.into_iter().take(limit).map(GameLine::from).collect())
    }

    fn page(&self, after: &str, limit: usize) -> Result<Page, String> {
        let games = self.lock();
        let following = games.records.range::<str, _>((Bound::Excluded(after), Bound::Unbounded));
        let found: Vec<GameRecord> = following.take(limit).map(|(_, record)| record.clone()).collect();
        let next = found.last().filter(|_| found.len() == limit).map(|record| record.id.clone());
        Ok(Page { games: found, next })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use ludens_core::{Move, Side};

    use super::*;
    use crate::session::{PlayedBy, Ply, Seat};

    fn game(id: &str, moves: usize, result: Option<f32>, age: Duration) -> GameRecord {
        let ply = Ply {
            mv: Move(0),
            label: "a1".into(),
            by: PlayedBy::Human,
            side: Some(Side::First),
            ms: 1.0,
            cells: vec![0],
            explained: false,
        };
        let updated = now() - age.as_secs_f64();
        let seats = [Seat::Human {}, Seat::Human {}];
        let plies = vec![ply; moves];
        let game = "tic-tac-toe".into();
        GameRecord {
            over: None,
            clock: None,
            id: id.into(),
            game,
            seats,
            seed: 1,
            start: None,
            plies,
            result,
            created: updated,
            updated,
        }
    }

    fn ids(log: &dyn GameLog) -> Vec<String> {
        let mut ids = Vec::new();
        let mut after = Some(String::new());
        while let Some(from) = after {
            let page = log.page(&from, 2).unwrap();
            ids.extend(page.games.into_iter().map(|game| game.id));
            after = page.next;
        }
        ids
    }

    /// The law both logs keep; `open` makes an empty one with a quota.
    pub(crate) fn what_goes_on_is_never_forgotten(open: &dyn Fn(Quota) -> Box<dyn GameLog>) {
        let hour = Duration::from_secs(3600);
        let log = open(Quota { games: 6, bytes: 1 << 20 });
        for record in [
            game("a going on", 3, None, 40 * hour),
            game("b abandoned", 3, None, 200 * hour),
            game("c finished", 5, Some(1.0), hour),
            game("d finished long ago", 5, Some(0.5), 30 * hour),
            game("e without a move", 0, None, 2 * hour),
            game("f going on", 1, None, hour),
        ] {
            log.put(record).unwrap();
        }
        let letters = || ids(&*log).iter().map(|id| id[..1].to_string()).collect::<String>();
        assert_eq!(letters(), "abcdef");
        for (new, left) in [("g", "abcdfg"), ("h", "abcfgh"), ("i", "abfghi"), ("j", "afghij")] {
            log.put(game(new, 1, None, Duration::ZERO)).unwrap();
            assert_eq!(letters(), left);
        }
        assert!(log.put(game("k", 1, None, Duration::ZERO)).is_err(), "all six go on");
        assert_eq!(letters(), "afghij");
        log.put(game("f going on", 9, Some(0.0), Duration::ZERO)).unwrap();
        log.put(game("k", 1, None, Duration::ZERO)).unwrap();
        assert_eq!(letters(), "aghijk");
    }

    /// Whoever begins many games pushes out neither those of others who have not moved yet, at once, nor what was played to the end.
    pub(crate) fn a_flood_has_half(open: &dyn Fn(Quota) -> Box<dyn GameLog>) {
        let second = Duration::from_secs(1);
        let log = open(Quota { games: 100, bytes: 1 << 20 });
        for number in 0..100 {
            log.put(game(&format!("finished {number:03}"), 5, Some(1.0), (900 - number) * second)).unwrap();
        }
        log.put(game("a person's", 0, None, 400 * second)).unwrap();
        for number in 0..40 {
            log.put(game(&format!("flood {number:03}"), 0, None, (300 - number) * second)).unwrap();
        }
        assert!(log.get("a person's").unwrap().is_some());
        for number in 40..240 {
            log.put(game(&format!("flood {number:03}"), 0, None, (300 - number) * second)).unwrap();
        }
        let finished = ids(&*log).iter().filter(|id| id.starts_with("finished")).count();
        assert!((45..=55).contains(&finished), "{finished} are left");
    }

    /// The same by bytes: `record` is the size of a game of 100 moves.
    pub(crate) fn bytes_count_too(open: &dyn Fn(Quota) -> Box<dyn GameLog>, record: u64) {
        let log = open(Quota { games: 1_000, bytes: 10 * record });
        for number in 0..50 {
            let old = Duration::from_secs(100 - number);
            log.put(game(&format!("{number:02}"), 100, Some(1.0), old)).unwrap();
        }
        let left = ids(&*log);
        assert!((5..=10).contains(&left.len()), "{left:?}");
        assert_eq!(left.last().unwrap(), "49", "the newest stay");
    }

    #[test]
    fn memory_has_a_quota() {
        let open = |quota| -> Box<dyn GameLog> { Box::new(MemoryLog::new(quota)) };
        what_goes_on_is_never_forgotten(&open);
        a_flood_has_half(&open);
        bytes_count_too(&open, size(&game("00", 100, Some(1.0), Duration::ZERO)));
    }

    #[test]
    fn the_disk_has_a_quota() {
        let folder = tempfile::tempdir().unwrap();
        let number = std::sync::atomic::AtomicU32::new(0);
        let open = |quota| -> Box<dyn GameLog> {
            let number = number.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let path = folder.path().join(format!("{number}.sqlite"));
            Box::new(crate::sqlite_log::SqliteLog::open(&path, quota).unwrap())
        };
        what_goes_on_is_never_forgotten(&open);
        a_flood_has_half(&open);
        let written = serde_json::to_string(&game("00", 100, Some(1.0), Duration::ZERO)).unwrap();
        bytes_count_too(&open, written.len() as u64);
    }
}

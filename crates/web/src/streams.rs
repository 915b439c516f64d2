//! Places for those who watch. Nobody is sent away: one more ends the oldest stream of whoever has most, and a browser whose stream has
//! ended asks again by itself.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::client::Client;
use crate::config::Limits;

#[derive(Default, Debug)]
struct Open {
    next: u64,
    watchers: BTreeMap<u64, (Client, Arc<Notify>)>,
}

/// The open streams by age.
#[derive(Debug)]
pub(crate) struct Streams {
    open: Mutex<Open>,
    limits: Limits,
}

/// One stream, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Watcher {
    id: u64,
    leave: Arc<Notify>,
    streams: Arc<Streams>,
}

impl Watcher {
    /// Done when another needs this stream's place.
    pub(crate) async fn wanted(&self) {
        self.leave.notified().await;
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.streams.lock().watchers.remove(&self.id);
    }
}

impl Streams {
    pub(crate) fn new(limits: Limits) -> Streams {
        Streams { open: Mutex::default(), limits }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn enter(self: &Arc<Self>, client: Client) -> Watcher {
        let mut open = self.lock();
        let mut counts: HashMap<Client, usize> = HashMap::new();
        for (other, _) in open.watchers.values() {
            *counts.entry(*other).or_default() += 1;
        }
        let own = counts.get(&client).copied().unwrap_or(0);
        let greediest = if own >= client.share(&self.limits, self.limits.streams) {
            Some(client)
        } else if open.watchers.len() >= self.limits.streams.max(1) {
            // Two who have equally many are told apart by their addresses: any rule that does not depend on luck will do.
            counts.iter().max_by_key(|(client, count)| (**count, **client)).map(|(client, _)| *client)
        } else {
            None
        };
        let oldest =
            open.watchers.iter().find(|(_, (other, _))| Some(*other) == greediest).map(|(id, _)| *id);
        if let Some((_, leave)) = oldest.and_then(|id| open.watchers.remove(&id)) {
            leave.notify_one();
        }
        let id = open.next;
        open.next += 1;
        let leave = Arc::new(Notify::new());
        open.watchers.insert(id, (client, leave.clone()));
        Watcher { id, leave, streams: self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(last: u8) -> Client {
        Client::of(([192, 0, 2, last], 1).into())
    }

    #[test]
    fn the_greediest_ends_its_oldest() {
        let limits = Limits { streams: 4, address_share: 1, ..Limits::default() };
        let streams = Arc::new(Streams::new(limits));
        let is_open = |watcher: &Watcher| streams.lock().watchers.contains_key(&watcher.id);
        let modest = streams.enter(client(1));
        let many: Vec<Watcher> = (0..3).map(|_| streams.enter(client(2))).collect();
        let late = streams.enter(client(3));
        assert_eq!([&modest, &late].map(is_open), [true, true]);
        assert_eq!(many.iter().map(is_open).collect::<Vec<_>>(), [false, true, true]);
        let more = streams.enter(client(2));
        assert_eq!(many.iter().map(is_open).collect::<Vec<_>>(), [false, false, true]);
        drop((modest, late, more));
        assert_eq!(streams.lock().watchers.len(), 1);
    }

    #[test]
    fn an_address_has_its_share() {
        let limits = Limits { streams: 8, address_share: 4, ..Limits::default() };
        let streams = Arc::new(Streams::new(limits));
        let held: Vec<Watcher> = (0..5).map(|_| streams.enter(client(1))).collect();
        assert_eq!(streams.lock().watchers.len(), 2);
        assert!(streams.lock().watchers.contains_key(&held[4].id));
    }
}

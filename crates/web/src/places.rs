//! Who holds a place among the connections, and who gives way when all are taken.
//!
//! A connection is somebody's as long as the server owes it something: a request that is being answered is never cut off for a
//! newcomer. What waits for its *client* gives way, the oldest of each kind first:
//!
//! 1. those that have said nothing for a second,
//! 2. those whose client has owed us the rest of a request, or has not taken its answer, a second after it asked,
//! 3. those that were served and are idle (a browser opens another without a word),
//! 4. then the young ones: those that are idle, those that have said nothing (they are told so), those whose client is waited for.
//!
//! The second of grace is for people: without it the newest of a flood would push out the last comer before its request arrives. Each
//! of a flood lives as long as it takes to fill all places, which is enough for a request and its answer.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::client::Client;
use crate::config::Limits;
use crate::lock;

const GRACE: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// No whole request has come in yet.
    Silent,
    /// A request is being answered.
    Asked,
    /// Everything that was asked is answered.
    Idle,
}

/// One connection.
#[derive(Debug)]
pub(crate) struct Place {
    client: Client,
    phase: Mutex<(Phase, Instant)>,
    /// The client has not sent the rest of its request.
    owing: AtomicBool,
    /// The client does not take its answer.
    stuck: AtomicBool,
    leave: Notify,
}

impl Place {
    fn new(client: Client) -> Place {
        Place {
            client,
            phase: Mutex::new((Phase::Silent, Instant::now())),
            owing: AtomicBool::new(false),
            stuck: AtomicBool::new(false),
            leave: Notify::new(),
        }
    }

    pub(crate) fn client(&self) -> Client {
        self.client
    }

    pub(crate) fn asked(&self) {
        *lock(&self.phase) = (Phase::Asked, Instant::now());
    }

    pub(crate) fn answered(&self) {
        self.owing.store(false, Ordering::Relaxed);
        *lock(&self.phase) = (Phase::Idle, Instant::now());
    }

    pub(crate) fn set_owing(&self, owing: bool) {
        self.owing.store(owing, Ordering::Relaxed);
    }

    pub(crate) fn set_stuck(&self, stuck: bool) {
        self.stuck.store(stuck, Ordering::Relaxed);
    }

    /// Done when another needs this place.
    pub(crate) async fn wanted(&self) {
        self.leave.notified().await;
    }

    /// Whether no request has come in yet.
    pub(crate) fn is_silent(&self) -> bool {
        lock(&self.phase).0 == Phase::Silent
    }

    /// Whether the server owes it an answer that its client would take.
    pub(crate) fn is_at_work(&self) -> bool {
        self.rank(Instant::now()).is_none()
    }

    /// The lowest gives way first; none does not give way. A client that takes a byte now and then is as old as its request.
    fn rank(&self, now: Instant) -> Option<(u8, Instant)> {
        let (phase, since) = *lock(&self.phase);
        let old = now.duration_since(since) > GRACE;
        let waits = self.owing.load(Ordering::Relaxed) || self.stuck.load(Ordering::Relaxed);
        let rank = match phase {
            Phase::Silent if old => 0,
            _ if waits && old => 1,
            _ if waits => 5,
            Phase::Idle if old => 2,
            Phase::Idle => 3,
            Phase::Silent => 4,
            Phase::Asked => return None,
        };
        Some((rank, since))
    }
}

#[derive(Default, Debug)]
struct Open {
    next: u64,
    places: BTreeMap<u64, Arc<Place>>,
}

/// The open connections by age.
#[derive(Debug)]
pub(crate) struct Places {
    open: Mutex<Open>,
    limits: Limits,
}

/// A place that is given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Seat {
    id: u64,
    pub(crate) place: Arc<Place>,
    places: Arc<Places>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        lock(&self.places.open).places.remove(&self.id);
    }
}

impl Places {
    pub(crate) fn new(limits: Limits) -> Places {
        Places { open: Mutex::default(), limits }
    }

    /// A place for a new connection; none when the server owes all others something. A client that has its share makes room among
    /// its own.
    pub(crate) fn take(self: &Arc<Self>, client: Client) -> Option<Seat> {
        let mut open = lock(&self.open);
        let own = open.places.values().filter(|place| place.client == client).count();
        let greedy = own >= client.share(&self.limits, self.limits.connections);
        if greedy || open.places.len() >= self.limits.connections {
            let now = Instant::now();
            let may = open.places.iter().filter(|(_, place)| !greedy || place.client == client);
            let first = may.filter_map(|(id, place)| Some((place.rank(now)?, *id))).min();
            let (_, id) = first?;
            if let Some(place) = open.places.remove(&id) {
                place.leave.notify_one();
            }
        }
        let id = open.next;
        open.next += 1;
        let place = Arc::new(Place::new(client));
        open.places.insert(id, place.clone());
        Some(Seat { id, place, places: self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(last: u8) -> Client {
        Client::of(([192, 0, 2, last], 1).into())
    }

    fn places(connections: usize, address_share: usize) -> Arc<Places> {
        Arc::new(Places::new(Limits { connections, address_share, ..Limits::default() }))
    }

    fn is_open(seat: &Seat) -> bool {
        lock(&seat.places.open).places.contains_key(&seat.id)
    }

    /// As if it had happened two seconds ago.
    fn age(seat: &Seat) {
        lock(&seat.place.phase).1 -= 2 * GRACE;
    }

    #[test]
    fn what_waits_for_its_client_gives_way_in_order() {
        let places = places(8, 1);
        let seats: Vec<Seat> = (0..8).map(|_| places.take(client(1)).unwrap()).collect();
        let [asked, reading, idle, stuck, owing, silent, young, served] = &seats[..] else { panic!() };
        for seat in [asked, reading, stuck, owing] {
            seat.place.asked();
        }
        reading.place.set_stuck(true);
        idle.place.answered();
        served.place.answered();
        stuck.place.set_stuck(true);
        owing.place.set_owing(true);
        for (ago, seat) in [stuck, owing, idle, silent, asked].into_iter().enumerate() {
            lock(&seat.place.phase).1 -= (10 - ago as u32) * GRACE;
        }
        let mut newcomers = Vec::new();
        for (gone, next) in [silent, stuck, owing, idle, served, young, reading].into_iter().zip(1..) {
            assert!(is_open(gone));
            newcomers.push(places.take(client(1)).unwrap());
            newcomers.last().unwrap().place.asked();
            assert!(!is_open(gone), "number {next}");
        }
        assert!(is_open(asked));
        assert!(places.take(client(1)).is_none(), "eight requests are being answered");
        newcomers.pop();
        assert!(places.take(client(1)).is_some());
    }

    #[test]
    fn a_greedy_address_makes_room_among_its_own() {
        let places = places(8, 4);
        let other = places.take(client(2)).unwrap();
        age(&other);
        let first = places.take(client(1)).unwrap();
        let second = places.take(client(1)).unwrap();
        assert!(is_open(&first) && is_open(&second));
        let third = places.take(client(1)).unwrap();
        assert!(!is_open(&first) && is_open(&other), "its own goes, though another's is older");
        for seat in [&second, &third] {
            seat.place.asked();
        }
        assert!(places.take(client(1)).is_none(), "its share is two");
        assert!(places.take(client(3)).is_some(), "the others have theirs");
    }
}

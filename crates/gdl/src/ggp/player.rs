//! A player: answers a game server, always before the clock, whatever it is sent.
//!
//! Each match has threads of its own that own the search and think; the threads that talk to the
//! server only wait for them until the clock is nearly up, and then take the best answer so far.

use super::http::{self, Request};
use super::message::Message;
use super::thinker::{Hand, Order, Part, lock, think_beside};
use crate::error::Limits;
use crate::game::GdlGame;
use crate::sexpr::Expr;
use ludens_core::{Mind, Stop};
use std::collections::BTreeMap;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Makes a mind for a two-player alternating game, until the match is over; none leaves the game to the search.
pub type MindMaker = Arc<dyn Fn(&Arc<GdlGame>, &Stop) -> Option<Box<dyn Mind<GdlGame>>> + Send + Sync>;

/// How a player behaves.
#[derive(Clone)]
pub struct PlayerOptions {
    /// How it calls itself in answers to INFO.
    pub name: String,
    /// Its chance follows from it.
    pub seed: u64,
    /// Think no longer than this for a move, even if the clock allows it.
    pub think: Option<Duration>,
    /// Plays games for two in turn; without it the search plays every game.
    pub mind: Option<MindMaker>,
    /// How large the rules may be.
    pub limits: Limits,
    /// How long after its last clock a silent server is still waited for, before another match may start.
    pub grace: Duration,
}

impl Default for PlayerOptions {
    fn default() -> Self {
        PlayerOptions {
            name: "ludens".into(),
            seed: 1,
            think: None,
            mind: None,
            limits: Limits::default(),
            grace: Duration::from_secs(10),
        }
    }
}

impl std::fmt::Debug for PlayerOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlayerOptions")
            .field("name", &self.name)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// A match of which nothing was heard for so long is over, whatever clocks it was begun with.
const LONGEST_SILENCE: Duration = Duration::from_secs(3600);
/// Conversations at one time; more are turned away.
const MOST_CONNECTIONS: usize = 32;

/// A player that listens.
#[derive(Debug)]
pub struct Player {
    listener: TcpListener,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    options: PlayerOptions,
    current: Mutex<Option<Match>>,
    connections: Mutex<Connections>,
    grounding: Arc<Mutex<()>>,
    stop: AtomicBool,
}

/// The conversations going on.
#[derive(Debug, Default)]
struct Connections {
    next: u64,
    /// Those whose request has not come in whole, the oldest first: when there are too many, they give way.
    silent: BTreeMap<u64, TcpStream>,
    /// All of them.
    open: usize,
}

impl Connections {
    /// A place for a new conversation; none where all have said what they want and wait for an answer.
    fn enter(&mut self, stream: &TcpStream) -> Option<u64> {
        if self.open >= MOST_CONNECTIONS {
            let (_, slow) = self.silent.pop_first()?;
            let _ = slow.shutdown(Shutdown::Both);
        }
        let number = self.next;
        self.next += 1;
        self.open += 1;
        // Without a handle of its own it cannot be made to give way, and ends by its time.
        if let Ok(handle) = stream.try_clone() {
            self.silent.insert(number, handle);
        }
        Some(number)
    }
}

/// The match that is being played, as the talking threads see it.
#[derive(Debug)]
struct Match {
    id: String,
    play_clock: u32,
    /// Thinks on the best machine, with the mind; may take long to get ready.
    lead: Hand,
    /// Thinks on the lifted evaluator, ready at once, until the lead is.
    understudy: Hand,
    /// How many PLAY messages were taken.
    turn: u64,
    /// A match of which nothing is heard for so long is over: its server is gone.
    heard: Instant,
    patience: Duration,
}

impl Player {
    /// Listens on an address; port 0 takes any free one.
    pub fn bind(address: impl ToSocketAddrs, options: PlayerOptions) -> std::io::Result<Player> {
        let shared = Shared {
            options,
            current: Mutex::new(None),
            connections: Mutex::default(),
            grounding: Arc::default(),
            stop: AtomicBool::new(false),
        };
        Ok(Player { listener: TcpListener::bind(address)?, shared: Arc::new(shared) })
    }

    /// Where it listens.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// A handle that ends [`Player::run`].
    pub fn stopper(&self) -> impl Fn() + Send + Sync + use<> {
        let shared = Arc::clone(&self.shared);
        let address = self.listener.local_addr();
        move || {
            shared.stop.store(true, Ordering::SeqCst);
            if let Ok(address) = address {
                // A last connection wakes the listener up.
                let _ = TcpStream::connect_timeout(&address, Duration::from_secs(1));
            }
        }
    }

    /// Answers until it is stopped.
    pub fn run(&self) {
        for stream in self.listener.incoming() {
            if self.shared.stop.load(Ordering::SeqCst) {
                break;
            }
            let Ok(stream) = stream else { continue };
            let shared = Arc::clone(&self.shared);
            let Some(number) = lock(&shared.connections).enter(&stream) else {
                let _ = http::respond(&stream, "503 Busy", "busy");
                continue;
            };
            let spawned = std::thread::Builder::new().spawn(move || {
                shared.converse(&stream, number);
                shared.leave(number);
            });
            if spawned.is_err() {
                self.shared.leave(number);
            }
        }
        if let Some(game) = lock(&self.shared.current).take() {
            game.end();
        }
    }
}

impl Match {
    fn end(&self) {
        self.lead.end();
        self.understudy.end();
    }

    fn is_stale(&self) -> bool {
        self.heard.elapsed() > self.patience
    }
}

impl Shared {
    fn leave(&self, number: u64) {
        let mut connections = lock(&self.connections);
        connections.silent.remove(&number);
        connections.open = connections.open.saturating_sub(1);
    }

    fn converse(&self, stream: &TcpStream, number: u64) {
        let _ = stream.set_nodelay(true);
        let read = http::read_request(stream, Duration::from_secs(10));
        lock(&self.connections).silent.remove(&number);
        let request = match read {
            Ok(request) => request,
            Err(e) => {
                let _ = http::respond(stream, e.status(), &e.to_string());
                return;
            }
        };
        let Request { method, path, body } = request;
        let text = match method.as_str() {
            "POST" => body,
            "GET" => http::decode(path.trim_start_matches('/')),
            _ => {
                let _ = http::respond(stream, "405 Method Not Allowed", "use POST");
                return;
            }
        };
        let reply = match Message::parse(&text, &self.options.limits) {
            Ok(message) => self.answer(message, Instant::now()),
            // A server that sends nonsense gets an answer it can read.
            Err(e) => format!("( error \"{}\" )", e.to_string().replace(['"', '(', ')'], "'")),
        };
        let _ = http::respond(stream, "200 OK", &reply);
    }

    fn answer(&self, message: Message, now: Instant) -> String {
        match message {
            Message::Info => {
                let busy = lock(&self.current).as_ref().is_some_and(|m| !m.is_stale());
                let status = if busy { "busy" } else { "available" };
                format!("( ( name {} ) ( status {status} ) )", self.options.name)
            }
            Message::Preview => "ready".into(),
            Message::Start { id, role, rules, start_clock, play_clock } => {
                self.start(id, role, rules, (start_clock, play_clock), now)
            }
            Message::Play { id, moves } => self.play(&id, moves, now),
            Message::Stop { id, .. } => self.end(&id, "done"),
            Message::Abort { id } => self.end(&id, "aborted"),
        }
    }

    fn start(&self, id: String, role: String, rules: Vec<Expr>, clocks: (u32, u32), now: Instant) -> String {
        let (start_clock, play_clock) = clocks;
        let mut current = lock(&self.current);
        if current.as_ref().is_some_and(|m| m.id != id && !m.is_stale()) {
            return "busy".into();
        }
        if let Some(old) = current.take() {
            old.end();
        }
        let (ready, is_ready) = channel();
        let rules: Arc<[Expr]> = rules.into();
        let understudy = think_beside(&self.options, &role, &rules, Part::Understudy, &self.grounding);
        let Ok(understudy) = understudy else { return "busy".into() };
        let relieves = understudy.stop.clone();
        let lead =
            think_beside(&self.options, &role, &rules, Part::Lead { ready, relieves }, &self.grounding);
        let Ok(lead) = lead else { return "busy".into() };
        // A server speaks to us at least once in a clock, whatever the other players do.
        let patience = Duration::from_secs(u64::from(start_clock) + 2 * u64::from(play_clock))
            .min(LONGEST_SILENCE)
            + self.options.grace;
        *current = Some(Match { id, play_clock, lead, understudy, turn: 0, heard: Instant::now(), patience });
        drop(current);
        let _ = is_ready.recv_timeout(until(start_clock, now));
        "ready".into()
    }

    fn play(&self, id: &str, moves: Option<Vec<Expr>>, now: Instant) -> String {
        let (answer, answers) = channel();
        let (lead, understudy, turn, wait) = {
            let mut current = lock(&self.current);
            let Some(game) = current.as_mut().filter(|m| m.id == id) else { return "busy".into() };
            game.turn += 1;
            game.heard = Instant::now();
            let wait = until(game.play_clock, now);
            let think = self.options.think.map_or(wait, |t| t.min(wait));
            let deadline = Instant::now() + think.mul_f64(0.9);
            let turn = game.turn;
            let order = Order::Play { turn, moves, deadline, answer };
            let heard = [game.lead.send(order.clone()), game.understudy.send(order)];
            if !heard.contains(&true) {
                // Both thinking threads are gone: the rules could not be loaded.
                return "noop".into();
            }
            (Arc::clone(&game.lead.best), Arc::clone(&game.understudy.best), turn, wait)
        };
        if let Ok(reply) = answers.recv_timeout(wait) {
            return reply;
        }
        let known = [lead, understudy].iter().find_map(|best| match &*lock(best) {
            Some((t, reply)) if *t == turn => Some(reply.clone()),
            _ => None,
        });
        known.unwrap_or_else(|| "noop".into())
    }

    fn end(&self, id: &str, word: &str) -> String {
        let mut current = lock(&self.current);
        if current.as_ref().is_some_and(|m| m.id == id) {
            if let Some(game) = current.take() {
                game.end();
            }
            return word.into();
        }
        "busy".into()
    }
}

/// The time until an answer is due, with something kept back for the way. A clock of 0 leaves a moment, for servers wait a
/// second longer than they say.
fn until(clock: u32, received: Instant) -> Duration {
    let clock = Duration::from_secs(clock.into()).max(Duration::from_millis(300));
    let kept = (clock / 10).clamp(Duration::from_millis(100), Duration::from_secs(2));
    clock.saturating_sub(kept).saturating_sub(received.elapsed())
}

//! A player: answers a game server, always before the clock, whatever it is sent.
//!
//! Each match has a thread of its own that owns the search and thinks; the threads that talk to the
//! server only wait for it until the clock is nearly up, and then take its best answer so far.

use super::http::{self, Request};
use super::message::Message;
use super::search::JointSearch;
use crate::error::{GdlError, Limits};
use crate::game::{GdlGame, GdlState};
use crate::perft::joint_moves;
use crate::reasoner::{Action, Description};
use crate::sexpr::Expr;
use ludens_core::{Budget, Ctx, Meter, Mind, Rng};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Makes a mind for a two-player alternating game; none leaves the game to the search.
pub type MindMaker = Arc<dyn Fn(&Arc<GdlGame>) -> Option<Box<dyn Mind<GdlGame>>> + Send + Sync>;

/// How a player behaves.
#[derive(Clone)]
pub struct PlayerOptions {
    pub name: String,
    pub seed: u64,
    /// Think no longer than this for a move, even if the clock allows it.
    pub think: Option<Duration>,
    pub mind: Option<MindMaker>,
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
    connections: AtomicUsize,
    stop: AtomicBool,
}

/// The match that is being played, as the talking threads see it.
#[derive(Debug)]
struct Match {
    id: String,
    play_clock: u32,
    orders: Sender<Order>,
    best: Arc<Mutex<Option<(u64, String)>>>,
    cancel: Arc<AtomicBool>,
    /// How many PLAY messages were taken.
    turn: u64,
    /// A match of which nothing is heard for so long is over: its server is gone.
    heard: Instant,
    patience: Duration,
}

enum Order {
    Play { turn: u64, moves: Option<Vec<Expr>>, deadline: Instant, answer: Sender<String> },
    End,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Player {
    /// Listens on an address; port 0 takes any free one.
    pub fn bind(address: impl ToSocketAddrs, options: PlayerOptions) -> std::io::Result<Player> {
        let shared = Shared {
            options,
            current: Mutex::new(None),
            connections: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
        };
        Ok(Player { listener: TcpListener::bind(address)?, shared: Arc::new(shared) })
    }

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
            if shared.connections.fetch_add(1, Ordering::SeqCst) >= MOST_CONNECTIONS {
                shared.connections.fetch_sub(1, Ordering::SeqCst);
                let _ = http::respond(&stream, "503 Busy", "busy");
                continue;
            }
            let spawned = std::thread::Builder::new().spawn(move || {
                shared.converse(&stream);
                shared.connections.fetch_sub(1, Ordering::SeqCst);
            });
            if spawned.is_err() {
                self.shared.connections.fetch_sub(1, Ordering::SeqCst);
            }
        }
        if let Some(game) = lock(&self.shared.current).take() {
            game.end();
        }
    }
}

impl Match {
    fn end(&self) {
        self.cancel.store(true, Ordering::SeqCst);
        let _ = self.orders.send(Order::End);
    }

    fn is_stale(&self) -> bool {
        self.heard.elapsed() > self.patience
    }
}

impl Shared {
    fn converse(&self, stream: &TcpStream) {
        let _ = stream.set_nodelay(true);
        let request = match http::read_request(stream, Duration::from_secs(10)) {
            Ok(request) => request,
            Err(e) => {
                let _ = http::respond(stream, "400 Bad Request", &e.to_string());
                return;
            }
        };
        let Request { method, path, body } = request;
        let text = match method.as_str() {
            "POST" => body,
            "GET" => http::decode(path.trim_start_matches('/')),
            "OPTIONS" => {
                let _ = http::respond(stream, "200 OK", "");
                return;
            }
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
        let (orders, inbox) = channel();
        let (ready, is_ready) = channel();
        let best = Arc::new(Mutex::new(None));
        let cancel = Arc::new(AtomicBool::new(false));
        let thinker = Thinker {
            options: self.options.clone(),
            role_name: role,
            best: Arc::clone(&best),
            cancel: Arc::clone(&cancel),
        };
        // Deep recursion of the lifted evaluator needs room.
        let builder = std::thread::Builder::new().stack_size(256 << 20);
        if builder.spawn(move || thinker.run(&rules, &inbox, &ready)).is_err() {
            return "busy".into();
        }
        // A server speaks to us at least once in a clock, whatever the other players do.
        let patience =
            Duration::from_secs(u64::from(start_clock) + 2 * u64::from(play_clock)) + self.options.grace;
        *current =
            Some(Match { id, play_clock, orders, best, cancel, turn: 0, heard: Instant::now(), patience });
        drop(current);
        let _ = is_ready.recv_timeout(until(start_clock, now));
        "ready".into()
    }

    fn play(&self, id: &str, moves: Option<Vec<Expr>>, now: Instant) -> String {
        let (answer, answers) = channel();
        let (best, turn, wait) = {
            let mut current = lock(&self.current);
            let Some(game) = current.as_mut().filter(|m| m.id == id) else { return "busy".into() };
            game.turn += 1;
            game.heard = Instant::now();
            let wait = until(game.play_clock, now);
            let think = self.options.think.map_or(wait, |t| t.min(wait));
            let deadline = Instant::now() + think.mul_f64(0.9);
            let turn = game.turn;
            if game.orders.send(Order::Play { turn, moves, deadline, answer }).is_err() {
                // The thinking thread is gone: the rules could not be loaded.
                return "noop".into();
            }
            (Arc::clone(&game.best), turn, wait)
        };
        if let Ok(reply) = answers.recv_timeout(wait) {
            return reply;
        }
        match &*lock(&best) {
            Some((t, reply)) if *t == turn => reply.clone(),
            _ => "noop".into(),
        }
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

/// The time until an answer is due, with something kept back for the way.
fn until(clock: u32, received: Instant) -> Duration {
    let clock = Duration::from_secs(clock.into());
    let kept = (clock / 10).clamp(Duration::from_millis(100), Duration::from_secs(2));
    clock.saturating_sub(kept).saturating_sub(received.elapsed())
}

/// The thinking side of a match.
struct Thinker {
    options: PlayerOptions,
    role_name: String,
    best: Arc<Mutex<Option<(u64, String)>>>,
    cancel: Arc<AtomicBool>,
}

/// What the thinking side knows of the game.
struct Brain {
    game: Arc<Description>,
    search: JointSearch,
    role: usize,
    mind: Option<(Arc<GdlGame>, Box<dyn Mind<GdlGame>>)>,
    /// What we answered last.
    answered: Option<Action>,
    /// The joint move that was told last.
    told: Option<Vec<Expr>>,
    rng: Rng,
}

impl Thinker {
    fn run(self, rules: &[Expr], inbox: &Receiver<Order>, ready: &Sender<()>) {
        let Ok(mut brain) = self.wake_up(rules) else { return };
        let _ = ready.send(());
        while let Ok(Order::Play { turn, moves, deadline, answer }) = inbox.recv() {
            if let Some(moves) = moves {
                brain.follow(&moves);
            }
            let reply = self.think(&mut brain, turn, deadline).unwrap_or_else(|_| "noop".into());
            let _ = answer.send(reply);
            if self.cancel.load(Ordering::SeqCst) {
                return;
            }
        }
    }

    fn wake_up(&self, rules: &[Expr]) -> Result<Brain, GdlError> {
        let game = Arc::new(Description::from_exprs(rules, &self.options.limits)?);
        let names = game.role_names();
        let role = names.iter().position(|n| *n == self.role_name);
        let role =
            role.ok_or_else(|| GdlError::Incomplete(format!("there is no role {}", self.role_name)))?;
        let nature = names.iter().position(|n| n == "random");
        let search = JointSearch::new(game.reasoner()?, nature);
        let mind = self.options.mind.as_ref().and_then(|maker| {
            let playable = Arc::new(GdlGame::new("match", Arc::clone(&game)).ok()?);
            let mind = maker(&playable)?;
            Some((playable, mind))
        });
        Ok(Brain { game, search, role, mind, answered: None, told: None, rng: Rng::new(self.options.seed) })
    }

    fn think(&self, brain: &mut Brain, turn: u64, deadline: Instant) -> Result<String, GdlError> {
        let mut legal = Vec::new();
        let role = brain.role;
        brain.search.reasoner().legal(role, &mut legal)?;
        let Some(&first) = legal.first() else { return Ok("noop".into()) };
        let note = |brain: &mut Brain, action: Action| {
            brain.answered = Some(action);
            let terms = Arc::clone(&brain.game);
            let text = brain.search.reasoner().show_action(action, terms.terms());
            *lock(&self.best) = Some((turn, text.clone()));
            text
        };
        let mut text = note(brain, first);
        if legal.len() == 1 {
            return Ok(text);
        }
        if let Some(action) = brain.ask_mind(deadline).filter(|a| legal.contains(a)) {
            return Ok(note(brain, action));
        }
        let mut since = Instant::now();
        while Instant::now() < deadline && !self.cancel.load(Ordering::Relaxed) {
            let mut rng = brain.rng.split();
            brain.search.simulate(&mut rng, Some(deadline))?;
            if since.elapsed() > Duration::from_millis(50) {
                since = Instant::now();
                if let Some(best) = brain.search.best(role) {
                    text = note(brain, best);
                }
            }
        }
        match brain.search.best(role) {
            Some(best) => Ok(note(brain, best)),
            None => Ok(text),
        }
    }
}

impl Brain {
    /// The mind's move, where there is a mind and it is its turn.
    fn ask_mind(&mut self, deadline: Instant) -> Option<Action> {
        let (game, mind) = self.mind.as_mut()?;
        let state = GdlState(self.search.reasoner().state().0);
        let turn = ludens_core::Game::turn(&**game, &state);
        if turn != ludens_core::Turn::Player(ludens_core::Side::BOTH[self.role.min(1)]) {
            return None;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let mut meter = Meter::new(Budget::Time(left));
        let mut rng = self.rng.split();
        Some(mind.choose(game, &state, &mut Ctx::new(&mut rng, &mut meter)).0)
    }

    /// Takes over a joint move. If it cannot have been made here, a message was lost: a move between
    /// is looked for after which it can.
    fn follow(&mut self, moves: &[Expr]) {
        if self.is_resent(moves) {
            return;
        }
        self.told = Some(moves.to_vec());
        if self.try_follow(moves) {
            return;
        }
        let Ok(candidates) = joint_moves(self.search.reasoner()) else { return };
        let role = self.role;
        let ours = self.answered;
        let (likely, others): (Vec<_>, Vec<_>) =
            candidates.into_iter().take(5_000).partition(|j| ours.is_none_or(|a| j[role] == a));
        for joint in likely.iter().chain(&others) {
            let start = self.search.reasoner().state();
            if self.search.reasoner().advance(joint).is_err() {
                continue;
            }
            let fits = matches!(self.read_joint(moves, false), Some(j) if !j.is_empty());
            self.search.reasoner_mut().set_state(&start);
            if fits && self.search.advance(joint).is_ok() && self.try_follow(moves) {
                return;
            }
        }
    }

    /// Whether this joint move was told before: the same words, in which our part is not what we answered since. A server
    /// that did not get our answer may ask again.
    fn is_resent(&mut self, moves: &[Expr]) -> bool {
        let same = |a: &Expr, b: &Expr| a.to_string() == b.to_string();
        let Some(told) = &self.told else { return false };
        if told.len() != moves.len() || !told.iter().zip(moves).all(|(a, b)| same(a, b)) {
            return false;
        }
        let (Some(answered), Some(ours)) = (self.answered, moves.get(self.role)) else { return false };
        let game = Arc::clone(&self.game);
        let now = self.search.reasoner().find_action(self.role, ours, game.terms());
        !matches!(now, Ok(Some(action)) if action == answered)
    }

    fn try_follow(&mut self, moves: &[Expr]) -> bool {
        match self.read_joint(moves, true) {
            Some(joint) => self.search.advance(&joint).is_ok(),
            None => false,
        }
    }

    /// The joint move as numbers, if every role may make its part at the reasoner's state.
    fn read_joint(&mut self, moves: &[Expr], at_root: bool) -> Option<Vec<Action>> {
        let game = Arc::clone(&self.game);
        let reasoner = if at_root { self.search.reasoner() } else { self.search.reasoner_mut() };
        if moves.len() != reasoner.role_count() || reasoner.is_terminal().unwrap_or(true) {
            return None;
        }
        moves.iter().enumerate().map(|(r, m)| reasoner.find_action(r, m, game.terms()).ok()?).collect()
    }
}

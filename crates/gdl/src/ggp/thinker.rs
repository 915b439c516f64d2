//! The thinking side of a match: threads that get orders, search, and note the best answer so far.

use super::player::PlayerOptions;
use super::search::JointSearch;
use crate::error::{GdlError, Limits};
use crate::game::{GdlGame, GdlState};
use crate::perft::joint_moves;
use crate::reasoner::{Action, Description, State};
use crate::sexpr::Expr;
use ludens_core::shown::sentence;
use ludens_core::{Budget, Ctx, Meter, Mind, Rng, Stop};
use rustc_hash::FxHashSet;
use std::io::Write;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The best move so far, and for which turn.
type Best = Arc<Mutex<Option<(u64, String)>>>;

/// What a thinking thread is told to do.
#[derive(Clone, Debug)]
pub(super) enum Order {
    Play { turn: u64, moves: Option<Vec<Expr>>, deadline: Instant, answer: Sender<String> },
    End,
}

/// The thinking threads of a match.
pub(super) enum Part {
    /// The best machine there is, and the mind. Grounding and learning may outlast the start clock.
    Lead { ready: Sender<()>, relieves: Stop },
    /// Answers by the rules alone until the lead is ready, so that there is a legal move even then.
    Understudy,
}

/// A thinking thread as the talking ones see it.
#[derive(Debug)]
pub(super) struct Hand {
    orders: Sender<Order>,
    pub(super) best: Best,
    pub(super) stop: Stop,
}

impl Hand {
    /// Whether there is still somebody to hear the order.
    pub(super) fn send(&self, order: Order) -> bool {
        self.orders.send(order).is_ok()
    }

    pub(super) fn end(&self) {
        self.stop.ask();
        self.send(Order::End);
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Starts a thinking thread.
pub(super) fn think_beside(
    options: &PlayerOptions,
    role: &str,
    rules: &Arc<[Expr]>,
    part: Part,
    grounding: &Arc<Mutex<()>>,
) -> std::io::Result<Hand> {
    let (orders, inbox) = channel();
    let hand = Hand { orders, best: Best::default(), stop: Stop::new().holding(MOST_BYTES) };
    let thinker = Thinker {
        options: options.clone(),
        role_name: role.into(),
        best: Arc::clone(&hand.best),
        stop: hand.stop.clone(),
        grounding: Arc::clone(grounding),
    };
    let rules = Arc::clone(rules);
    // Deep recursion of the lifted evaluator needs room.
    std::thread::Builder::new().stack_size(256 << 20).spawn(move || thinker.run(&rules, &inbox, &part))?;
    Ok(hand)
}

struct Thinker {
    options: PlayerOptions,
    role_name: String,
    best: Best,
    stop: Stop,
    /// Held by whoever grounds rules: one match after the other, so that matches that were started and ended do not add up.
    grounding: Arc<Mutex<()>>,
}

/// What the rules of a match may take when they are grounded; larger ones are played by the lifted evaluator.
const MOST_BYTES: u64 = 768 << 20;
/// Messages lost one after the other that are made up for.
const LOST_IN_A_ROW: usize = 2;
/// States between two joint moves that were told, looked at most.
const MOST_BETWEEN: usize = 5_000;
/// States the game may be in, kept at most.
const MOST_DOUBTS: usize = 1_000;

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
    /// Where else the game may be, since messages were lost.
    doubts: Vec<State>,
    rng: Rng,
}

impl Thinker {
    fn run(self, rules: &[Expr], inbox: &Receiver<Order>, part: &Part) {
        let Ok(mut brain) = self.wake_up(rules, part) else { return };
        if let Part::Lead { ready, relieves } = part {
            relieves.ask();
            let _ = ready.send(());
        }
        while let Ok(Order::Play { turn, moves, deadline, answer }) = inbox.recv() {
            if self.stop.is_asked() {
                return;
            }
            if let Some(moves) = moves {
                brain.follow(&moves, deadline);
            }
            let reply = self.think(&mut brain, turn, deadline).unwrap_or_else(|_| "noop".into());
            if self.stop.is_asked() {
                return;
            }
            let _ = answer.send(reply);
        }
    }

    fn wake_up(&self, rules: &[Expr], part: &Part) -> Result<Brain, GdlError> {
        let (load, mind): (fn(_, _) -> _, _) = match part {
            Part::Lead { .. } => (Description::from_exprs, self.options.mind.as_ref()),
            Part::Understudy => (Description::ungrounded, None),
        };
        let limits = Limits { stop: self.stop.clone(), ..self.options.limits.clone() };
        let turn = matches!(part, Part::Lead { .. }).then(|| lock(&self.grounding));
        let game = Arc::new(load(rules, &limits)?);
        drop(turn);
        let names = game.role_names();
        let role = names.iter().position(|n| *n == self.role_name);
        let role =
            role.ok_or_else(|| GdlError::Incomplete(format!("there is no role {}", self.role_name)))?;
        let nature = names.iter().position(|n| n == "random");
        let search = JointSearch::new(game.reasoner()?, nature);
        let mind = mind.and_then(|maker| {
            let playable = Arc::new(GdlGame::new("match", Arc::clone(&game), &self.stop).ok()?);
            let mind = maker(&playable, &self.stop)?;
            Some((playable, mind))
        });
        let rng = Rng::new(self.options.seed);
        Ok(Brain { game, search, role, mind, answered: None, told: None, doubts: Vec::new(), rng })
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
        if let Some(action) = brain.ask_mind(deadline, &self.stop).filter(|a| legal.contains(a)) {
            return Ok(note(brain, action));
        }
        let mut since = Instant::now();
        while Instant::now() < deadline && !self.stop.is_asked() {
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
    fn ask_mind(&mut self, deadline: Instant, stop: &Stop) -> Option<Action> {
        let (game, mind) = self.mind.as_mut()?;
        let state = GdlState(self.search.reasoner().state().0);
        let turn = ludens_core::Game::turn(&**game, &state);
        if turn != ludens_core::Turn::Player(ludens_core::Side::BOTH[self.role.min(1)]) {
            return None;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let mut meter = Meter::watched(Budget::Time(left), stop.clone());
        let mut rng = self.rng.split();
        match ludens_core::decide(mind, game, &state, &mut Ctx::new(&mut rng, &mut meter)) {
            Ok(mv) => Some(mv.0),
            Err(error) => {
                // The clock runs: a move by the rules' own search, and a word about it.
                let word = sentence(&error.to_string());
                let _ = writeln!(std::io::stderr(), "{word}; the search of the rules answers instead");
                None
            }
        }
    }

    /// Takes over a joint move. If it cannot have been made in any state the game may be in, messages were lost: every state after a
    /// joint move or two between in which it can is possible then, and what is told later decides among them.
    fn follow(&mut self, moves: &[Expr], deadline: Instant) {
        let enough = Instant::now() + deadline.saturating_duration_since(Instant::now()) / 2;
        let mut possible = vec![self.search.root().clone()];
        possible.append(&mut self.doubts);
        let is_resent = self.is_resent(moves);
        self.told = Some(moves.to_vec());
        // Either nothing was played since, or the same move was played again and the one between was not told.
        let mut after = if is_resent { possible.clone() } else { self.after(&possible, moves) };
        let mut lost = if is_resent { 1 } else { LOST_IN_A_ROW };
        while lost > 0 && (is_resent || after.is_empty()) {
            possible = self.after_anything(&possible, enough);
            after.extend(self.after(&possible, moves));
            lost -= 1;
        }
        let mut seen = FxHashSet::default();
        after.retain(|state| seen.insert(state.clone()));
        after.truncate(MOST_DOUBTS);
        let mut after = after.into_iter();
        if let Some(state) = after.next() {
            self.search.set_root(state);
            self.doubts = after.collect();
        }
    }

    /// The states after a joint move, from those in which it is legal.
    fn after(&mut self, states: &[State], moves: &[Expr]) -> Vec<State> {
        let mut after = Vec::new();
        for state in states {
            let Some(joint) = self.read_joint(moves, state) else { continue };
            let reasoner = self.search.reasoner();
            reasoner.set_state(state);
            if reasoner.advance(&joint).is_ok() {
                after.push(reasoner.state());
            }
        }
        after
    }

    /// The states after any joint move, those first in which we did what we answered.
    fn after_anything(&mut self, states: &[State], enough: Instant) -> Vec<State> {
        let (mut likely, mut others) = (Vec::new(), Vec::new());
        let (role, ours) = (self.role, self.answered);
        for state in states {
            let reasoner = self.search.reasoner();
            reasoner.set_state(state);
            if reasoner.is_terminal().unwrap_or(true) {
                continue;
            }
            for joint in joint_moves(reasoner).unwrap_or_default() {
                if Instant::now() > enough || likely.len() + others.len() >= MOST_BETWEEN {
                    break;
                }
                reasoner.set_state(state);
                if reasoner.advance(&joint).is_ok() {
                    let list = if ours.is_none_or(|a| joint[role] == a) { &mut likely } else { &mut others };
                    list.push(reasoner.state());
                }
            }
        }
        likely.append(&mut others);
        likely
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

    /// The joint move as numbers, if every role may make its part in this state.
    fn read_joint(&mut self, moves: &[Expr], state: &State) -> Option<Vec<Action>> {
        let game = Arc::clone(&self.game);
        let reasoner = self.search.reasoner();
        reasoner.set_state(state);
        if moves.len() != reasoner.role_count() || reasoner.is_terminal().unwrap_or(true) {
            return None;
        }
        moves.iter().enumerate().map(|(r, m)| reasoner.find_action(r, m, game.terms()).ok()?).collect()
    }
}

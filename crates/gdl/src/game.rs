//! Two-player alternating games as [`ludens_core::Game`]s, so that every mind, the arena, the screens
//! and the learners run on them.

use crate::board::{BoardMap, find_board};
use crate::contexts;
use crate::error::{GdlError, Limits};
use crate::game_network::GameNetwork;
use crate::machine::{Bits, Machine};
use crate::observe::{Step, TurnRule, holds, observe, turn_rule};
use crate::reasoner::{Description, plain};
use crate::sexpr::read_all;
use crate::terms::{TermId, Terms};
use crate::wiring::Wiring;
use ludens_core::store::read_text_bounded;
use ludens_core::{
    Board, Facts, Game, IllegalMove, Layout, Move, NO_CELL, Piece, Playout, PositionError, RecordedGame, Rng,
    Score, Side, Square, Stop, Turn,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A two-player alternating game made from rules.
#[derive(Debug)]
pub struct GdlGame {
    id: String,
    description: Arc<Description>,
    network: Arc<GameNetwork>,
    wiring: Arc<Wiring>,
    /// The roles of the two players, and the role `random` that throws the dice, if there is one.
    players: [usize; 2],
    nature: Option<usize>,
    turn_rule: TurnRule,
    map: Option<BoardMap>,
    contexts: Vec<Vec<u16>>,
    /// The moves as people write them.
    labels: Vec<String>,
    /// The squares that each move names first and last.
    ends: Vec<[u16; 2]>,
    /// Facts by how they are written.
    fact_numbers: FxHashMap<String, u32>,
    /// Tells the machines of different games apart.
    number: u64,
}

/// A state: the facts that hold.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GdlState(pub Bits);

thread_local! {
    /// Each thread keeps a machine for the games it works on, near the state it looked at last.
    static MACHINES: RefCell<Vec<(u64, Machine)>> = const { RefCell::new(Vec::new()) };
}

const MACHINES_KEPT: usize = 4;
static NEXT_NUMBER: AtomicU64 = AtomicU64::new(0);

/// Every move as people write it; where two would be written alike, as the rules write them.
fn labels(moves: &[TermId], map: Option<&BoardMap>, terms: &Terms) -> Vec<String> {
    let written: Vec<Option<String>> = moves.iter().map(|&term| map?.written(term, terms)).collect();
    let mut times: FxHashMap<&str, u32> = FxHashMap::default();
    for text in written.iter().flatten() {
        *times.entry(text).or_default() += 1;
    }
    let only = |text: &&String| times.get(text.as_str()) == Some(&1);
    let label = |(text, &term): (&Option<String>, &TermId)| {
        text.as_ref().filter(only).cloned().unwrap_or_else(|| terms.show(term))
    };
    written.iter().zip(moves).map(label).collect()
}

impl GdlGame {
    /// Reads a file of rules; the game is called by the file's path.
    pub fn open(path: &Path) -> Result<Self, GdlError> {
        let description = Description::load(&read_rules(path)?, &Limits::default())?;
        GdlGame::new(&path.display().to_string(), Arc::new(description), &Stop::default())
    }

    /// A game from rules that are loaded already; `stop` may end the looking at it.
    pub fn new(id: &str, description: Arc<Description>, stop: &Stop) -> Result<Self, GdlError> {
        let unsuitable = |what: &str| {
            GdlError::Unsuitable(format!(
                "{id} cannot be played by minds: {what}; `ludens ggp` plays any game"
            ))
        };
        let names = description.role_names();
        let nature = names.iter().position(|name| name == "random");
        let players: Vec<usize> = (0..names.len()).filter(|role| Some(*role) != nature).collect();
        let Ok(players) = <[usize; 2]>::try_from(players) else {
            return Err(unsuitable("it does not have exactly two players"));
        };
        let grounded = description.grounded().map_err(|_| unsuitable("it is too large to ground"))?;
        let steps = observe(grounded, 40, 2000, stop)?;
        let network = Arc::clone(&grounded.network);
        let at_once = |s: &Step| s.choices.iter().filter(|c| **c > 1).count() > 1;
        if steps.iter().any(at_once) {
            return Err(unsuitable("several roles choose at once"));
        }
        // Throws of the dice say nothing about whose turn it is.
        let steps: Vec<Step> =
            steps.into_iter().filter(|s| nature.is_none_or(|role| s.choices[role] <= 1)).collect();
        let rule = turn_rule(&steps, players, network.facts.len() as u32)
            .ok_or_else(|| unsuitable("both players move at once"))?;
        let mover = |s: &Step| mover_of(&rule, players, s);
        stop.check()?;
        let map = find_board(grounded, description.terms(), &steps, players, &mover);
        let contexts = map.as_ref().map(|m| contexts::contexts(&network, m)).unwrap_or_default();
        let terms = description.terms();
        let fact_numbers = (0..).zip(&network.facts).map(|(i, &f)| (terms.show(f), i)).collect();
        let labels = labels(&network.moves, map.as_ref(), terms);
        let named =
            |&action: &TermId| map.as_ref().map_or(Vec::new(), |map| map.named_squares(action, terms));
        let ends = network.moves.iter().map(|action| match named(action)[..] {
            [] => [NO_CELL; 2],
            [to] => [NO_CELL, to],
            [from, .., to] => [from, to],
        });
        let ends = ends.collect();
        Ok(GdlGame {
            id: id.to_string(),
            wiring: Arc::clone(&grounded.wiring),
            players,
            nature,
            turn_rule: rule,
            map,
            contexts,
            labels,
            ends,
            fact_numbers,
            number: NEXT_NUMBER.fetch_add(1, Ordering::Relaxed),
            network,
            description,
        })
    }

    /// The rules behind the game.
    pub fn description(&self) -> &Arc<Description> {
        &self.description
    }

    fn terms(&self) -> &Terms {
        self.description.terms()
    }

    /// The board that was found in the rules, if any.
    pub fn board_map(&self) -> Option<&BoardMap> {
        self.map.as_ref()
    }

    /// The sets of squares that jointly decide the end and the result, read off the rules.
    pub fn contexts(&self) -> &[Vec<u16>] {
        &self.contexts
    }

    /// How it is told whose turn it is.
    pub fn turn_rule(&self) -> &TurnRule {
        &self.turn_rule
    }

    /// The roles of the first and of the second player.
    pub fn players(&self) -> [usize; 2] {
        self.players
    }

    /// Runs `f` with this thread's machine, at the given state.
    pub fn with_machine<T>(&self, state: &GdlState, f: impl FnOnce(&mut Machine) -> T) -> T {
        let kept = MACHINES.with_borrow_mut(|list| {
            list.iter().position(|(n, _)| *n == self.number).map(|i| list.swap_remove(i).1)
        });
        let mut machine = kept.unwrap_or_else(|| Machine::new(Arc::clone(&self.wiring)));
        machine.set_state(&state.0);
        let result = f(&mut machine);
        MACHINES.with_borrow_mut(|list| {
            if list.len() >= MACHINES_KEPT {
                list.remove(0);
            }
            list.push((self.number, machine));
        });
        result
    }

    fn side_to_move(&self, machine: &Machine) -> usize {
        match &self.turn_rule {
            TurnRule::Facts(facts) => usize::from(!holds(machine.state(), facts[0])),
            TurnRule::Choices(waiting) => {
                let [first, second] = self.players;
                if machine.legal_count(first) > 1 {
                    return 0;
                }
                if machine.legal_count(second) > 1 {
                    return 1;
                }
                let mut only = Vec::new();
                machine.legal(first, &mut only);
                usize::from(only.first().is_none_or(|m| waiting[0].binary_search(m).is_ok()))
            }
        }
    }

    /// The joint move in which `mv` is made and every other role makes its only move.
    fn joint(&self, machine: &Machine, mv: u32) -> Vec<u32> {
        let mut only = Vec::new();
        let ranges = self.network.first_move.windows(2).enumerate();
        ranges
            .map(|(role, range)| {
                if (range[0]..range[1]).contains(&mv) {
                    return mv;
                }
                machine.legal(role, &mut only);
                only.first().copied().unwrap_or(range[0])
            })
            .collect()
    }

    /// The role whose choice comes next, and whose turn that is.
    fn chooser(&self, machine: &Machine) -> (usize, Turn) {
        if let Some(role) = self.nature.filter(|role| machine.legal_count(*role) > 1) {
            return (role, Turn::Chance);
        }
        let side = self.side_to_move(machine);
        (self.players[side], Turn::Player(Side::BOTH[side]))
    }

    fn score(&self, machine: &mut Machine) -> Score {
        let value = |g: Option<u8>| f32::from(g.unwrap_or(50));
        let [first, second] = self.players;
        Score((value(machine.goal(first)) - value(machine.goal(second))) / 100.0)
    }

    fn turn_of(&self, machine: &mut Machine) -> Turn {
        let (role, turn) = self.chooser(machine);
        if machine.is_terminal() || machine.legal_count(role) == 0 {
            return Turn::Over(self.score(machine));
        }
        turn
    }

    /// Facts that are not on the board, as notes.
    fn notes(&self, state: &GdlState, on_board: impl Fn(usize) -> bool) -> Vec<(String, String)> {
        let others = (0..self.network.facts.len()).filter(|&i| holds(&state.0, i as u32) && !on_board(i));
        others
            .take(12)
            .map(|i| {
                let fact = self.network.facts[i];
                let args: Vec<String> =
                    self.terms().args(fact).iter().map(|&a| self.terms().show(a)).collect();
                (self.terms().name(self.terms().functor(fact)).to_string(), args.join(" "))
            })
            .collect()
    }

    /// Where no board is found: one square a fact.
    fn list_board(&self, state: &GdlState) -> Board {
        let width = self.network.facts.len().clamp(1, 16);
        let height = self.network.facts.len().div_ceil(width).max(1);
        let mut board =
            Board::grid(Layout::Grid, width as u16, height as u16, [("first", 'x'), ("second", 'o')]);
        board.pieces.push(Piece::new("holds", '*', None));
        for i in (0..self.network.facts.len()).filter(|&i| holds(&state.0, i as u32)) {
            board.squares[i] = Square { piece: 3, count: 1, side: None };
        }
        board
    }
}

/// The side that chose in a step.
fn mover_of(rule: &TurnRule, players: [usize; 2], step: &Step) -> Option<usize> {
    match rule {
        TurnRule::Facts(facts) => Some(usize::from(!holds(&step.before, facts[0]))),
        TurnRule::Choices(_) => players.iter().position(|&role| step.choices[role] > 1),
    }
}

impl Game for GdlGame {
    type State = GdlState;

    fn facts(&self) -> Facts {
        Facts { sets: self.contexts.clone(), ..Facts::default() }
    }

    fn recorded_games(&self, longest: u32, rng: &mut Rng) -> Option<Vec<RecordedGame>> {
        self.record_lanes(longest, rng)
    }

    fn id(&self) -> String {
        self.id.clone()
    }

    fn start(&self) -> GdlState {
        GdlState(self.network.initial_bits())
    }

    fn turn(&self, state: &GdlState) -> Turn {
        self.with_machine(state, |m| self.turn_of(m))
    }

    fn moves(&self, state: &GdlState, out: &mut Vec<Move>) {
        out.clear();
        self.with_machine(state, |m| {
            if m.is_terminal() {
                return;
            }
            let (role, Turn::Player(_)) = self.chooser(m) else { return };
            let mut numbers = Vec::new();
            m.legal(role, &mut numbers);
            out.extend(numbers.into_iter().map(Move));
        });
    }

    fn chance(&self, state: &GdlState, out: &mut Vec<(Move, f32)>) {
        out.clear();
        self.with_machine(state, |m| {
            let (role, Turn::Chance) = self.chooser(m) else { return };
            let mut numbers = Vec::new();
            m.legal(role, &mut numbers);
            let share = 1.0 / numbers.len() as f32;
            out.extend(numbers.into_iter().map(|n| (Move(n), share)));
        });
    }

    fn apply(&self, state: &mut GdlState, mv: Move) {
        let next = self.with_machine(state, |m| {
            let joint = self.joint(m, mv.0);
            let mut next = state.0.clone();
            m.next_state(&joint, &mut next);
            next
        });
        state.0 = next;
    }

    fn label(&self, _: &GdlState, mv: Move) -> String {
        self.labels.get(mv.0 as usize).cloned().unwrap_or_else(|| "?".into())
    }

    fn find_move(&self, state: &GdlState, label: &str) -> Result<Move, IllegalMove> {
        // As people write it, or as the rules do; a hyphen is easier to type.
        let wanted = label.trim();
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        let is_meant = |mv: &Move| {
            let term = self.network.moves.get(mv.0 as usize).map(|&term| self.terms().show(term));
            let own = self.label(state, *mv);
            [own.replace('–', "-"), own].iter().chain(&term).any(|text| text.eq_ignore_ascii_case(wanted))
        };
        moves.into_iter().find(is_meant).ok_or_else(|| IllegalMove {
            game: self.id(),
            position: self.text(state),
            label: format!("{wanted:?}"),
        })
    }

    fn board(&self, state: &GdlState) -> Board {
        let Some(map) = &self.map else { return self.list_board(state) };
        let mut board = map.board(&state.0, self.terms());
        board.notes = self.notes(state, |i| map.squares[i].is_some());
        board
    }

    fn squares(&self, state: &GdlState, out: &mut Vec<Square>) {
        match &self.map {
            Some(map) => map.fill(&state.0, out),
            None => out.clone_from(&self.list_board(state).squares),
        }
    }

    /// What the moves name: a column alone is no square.
    fn ends(&self, _: &GdlState, moves: &[Move], out: &mut Vec<[u16; 2]>) {
        out.clear();
        out.extend(moves.iter().map(|mv| self.ends.get(mv.0 as usize).copied().unwrap_or([NO_CELL; 2])));
    }

    fn cells(&self, state: &GdlState, mv: Move) -> Vec<u16> {
        let (Some(map), Some(&action)) = (&self.map, self.network.moves.get(mv.0 as usize)) else {
            return Vec::new();
        };
        let named = map.named_squares(action, self.terms());
        if !named.is_empty() {
            return named;
        }
        let mut after = state.clone();
        self.apply(&mut after, mv);
        let (before, after) = (map.contents(&state.0), map.contents(&after.0));
        (0..before.len()).filter(|&i| before[i] != after[i]).map(|i| i as u16).collect()
    }

    fn text(&self, state: &GdlState) -> String {
        let mut facts: Vec<String> = (0..self.network.facts.len())
            .filter(|&i| holds(&state.0, i as u32))
            .map(|i| self.terms().show(self.network.facts[i]))
            .collect();
        facts.sort_unstable();
        facts.join(" ")
    }

    fn parse(&self, text: &str) -> Result<GdlState, PositionError> {
        let wrong = |problem: String| PositionError {
            game: self.id(),
            text: text.chars().take(200).collect(),
            problem,
            format: format!("its facts in KIF, such as `{}`", self.text(&self.start())),
        };
        let facts = read_all(text, &Limits::default()).map_err(|e| wrong(e.to_string()))?;
        let mut bits: Bits = vec![0; self.network.facts.len().div_ceil(64)].into();
        for fact in &facts {
            let written = plain(fact);
            let number = self
                .fact_numbers
                .get(&written)
                .ok_or_else(|| wrong(format!("there is no fact {written}")))?;
            bits[*number as usize / 64] |= 1 << (number % 64);
        }
        Ok(GdlState(bits))
    }

    fn move_limit(&self) -> Option<u32> {
        u32::try_from(self.network.moves.len()).ok()
    }

    fn playout(&self, state: &mut GdlState, rng: &mut Rng) -> Playout {
        self.with_machine(&state.clone(), |m| {
            let mut plies = 0;
            loop {
                if let Turn::Over(score) = self.turn_of(m) {
                    state.0.copy_from_slice(m.state());
                    return Playout { score, plies };
                }
                let Some(mv) = m.random_move(self.chooser(m).0, rng) else {
                    return Playout { score: self.score(m), plies };
                };
                let joint = self.joint(m, mv);
                m.advance(&joint);
                plies += 1;
            }
        })
    }
}

/// True for names that are files of rules.
pub fn is_rule_file(name: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("kif") || e.eq_ignore_ascii_case("gdl"))
}

/// The text of a file of rules, unless it is too long to be one.
pub fn read_rules(path: &Path) -> Result<String, GdlError> {
    let limit = Limits::default().text_bytes as u64;
    let unreadable = |e: std::io::Error| {
        GdlError::Unsuitable(format!("cannot read {}: {e}; give the path of a file of rules", path.display()))
    };
    read_text_bounded(path, limit).map_err(|error| match error.kind() {
        std::io::ErrorKind::FileTooLarge => {
            GdlError::TooLarge { what: "bytes of text", limit, knob: "text_bytes" }
        }
        _ => unreadable(error),
    })
}

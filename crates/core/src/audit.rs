//! A game that counts what is done with it, so that a reported cost can be checked against the real one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{
    Board, Facts, Game, GameAbout, Move, Playout, PositionError, RecordedGame, Rng, Side, Square, Turn,
};

/// Behaves as the game inside and counts every applied move.
#[derive(Debug)]
pub struct Audited<G> {
    inner: G,
    applied: Arc<AtomicU64>,
}

impl<G: Game> Audited<G> {
    /// The game `inner`, with its counter at 0.
    pub fn new(inner: G) -> Audited<G> {
        Audited { inner, applied: Arc::default() }
    }

    /// The counter itself, for those who will have given the game away by then.
    pub fn counter(&self) -> Arc<AtomicU64> {
        self.applied.clone()
    }

    /// The moves applied since the last call.
    pub fn take_count(&self) -> u64 {
        self.applied.swap(0, Ordering::Relaxed)
    }
}

impl<G: Game> Game for Audited<G> {
    type State = G::State;

    fn id(&self) -> String {
        self.inner.id()
    }
    fn about(&self) -> GameAbout {
        self.inner.about()
    }
    fn start(&self) -> G::State {
        self.inner.start()
    }
    fn turn(&self, state: &G::State) -> Turn {
        self.inner.turn(state)
    }
    fn moves(&self, state: &G::State, out: &mut Vec<Move>) {
        self.inner.moves(state, out);
    }
    fn apply(&self, state: &mut G::State, mv: Move) {
        self.applied.fetch_add(1, Ordering::Relaxed);
        self.inner.apply(state, mv);
    }
    fn label(&self, state: &G::State, mv: Move) -> String {
        self.inner.label(state, mv)
    }
    fn board(&self, state: &G::State) -> Board {
        self.inner.board(state)
    }
    fn cells(&self, state: &G::State, mv: Move) -> Vec<u16> {
        self.inner.cells(state, mv)
    }
    fn squares(&self, state: &G::State, out: &mut Vec<Square>) {
        self.inner.squares(state, out);
    }
    fn ends(&self, state: &G::State, moves: &[Move], out: &mut Vec<[u16; 2]>) {
        self.inner.ends(state, moves, out);
    }
    fn text(&self, state: &G::State) -> String {
        self.inner.text(state)
    }
    fn parse(&self, text: &str) -> Result<G::State, PositionError> {
        self.inner.parse(text)
    }
    fn chance(&self, state: &G::State, out: &mut Vec<(Move, f32)>) {
        self.inner.chance(state, out);
    }
    fn encode(&self, state: &G::State, side: Side, out: &mut Vec<f32>) {
        self.inner.encode(state, side, out);
    }
    fn playout(&self, state: &mut G::State, rng: &mut Rng) -> Playout {
        let playout = self.inner.playout(state, rng);
        self.applied.fetch_add(u64::from(playout.plies), Ordering::Relaxed);
        playout
    }
    fn facts(&self) -> Facts {
        self.inner.facts()
    }
    fn stones(&self, state: &G::State) -> [u64; 2] {
        self.inner.stones(state)
    }
    fn is_connect_four(&self) -> bool {
        self.inner.is_connect_four()
    }
    fn race(&self, state: &G::State, side: Side) -> f32 {
        self.inner.race(state, side)
    }
    fn recorded_games(&self, longest: u32, rng: &mut Rng) -> Option<Vec<RecordedGame>> {
        let games = self.inner.recorded_games(longest, rng)?;
        let moves: usize = games.iter().map(|game| game.boards.len() - 1).sum();
        self.applied.fetch_add(moves as u64, Ordering::Relaxed);
        Some(games)
    }
    fn mirrors(&self, state: &G::State) -> Vec<G::State> {
        self.inner.mirrors(state)
    }
    fn mirror_move(&self, state: &G::State, mv: Move, which: usize) -> Move {
        self.inner.mirror_move(state, mv, which)
    }
    fn move_limit(&self) -> Option<u32> {
        self.inner.move_limit()
    }
    fn on_turn(&self, state: &G::State) -> Option<Side> {
        self.inner.on_turn(state)
    }
    fn max_plies(&self) -> Option<u32> {
        self.inner.max_plies()
    }
}

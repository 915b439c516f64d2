//! The learnt judgement at the leaves of the common alpha-beta (`ludens_search::AlphaBeta`), beside NHB's own search.

use ludens_core::{Game, Side, Turn};
use ludens_search::{Child, Heuristic};

use super::judge::{Judge, Viewed};
use super::tree::bent;

/// A judge with the room it works in.
#[derive(Clone, Debug)]
pub struct Leaf<S> {
    /// Whose judgement it is.
    pub name: String,
    /// What judges.
    pub judge: Judge,
    open: Vec<Viewed<S>>,
    judged: Vec<f32>,
}

impl<S> Leaf<S> {
    /// This judge under this name.
    pub fn new(name: impl Into<String>, judge: Judge) -> Leaf<S> {
        Leaf { name: name.into(), judge, open: Vec::new(), judged: Vec::new() }
    }
}

/// The network was taught to look with the eyes of the side to move; what it says is turned round for the other.
fn viewer(turn: Turn, side: Side) -> Side {
    if let Turn::Player(mover) = turn { mover } else { side }
}

fn turned(value: f32, view: Side, side: Side) -> f32 {
    if view == side { bent(value) } else { -bent(value) }
}

impl<G: Game> Heuristic<G> for Leaf<G::State> {
    type Trace = ();

    /// Children of one node differ in few inputs: together they cost a fraction of what they cost one by one.
    const BATCH: bool = true;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn value(&mut self, game: &G, state: &G::State, (): &(), side: Side) -> f32 {
        let view = viewer(game.turn(state), side);
        turned(self.judge.value(game, state, view), view, side)
    }

    fn values(&mut self, game: &G, children: &[Child<G::State, ()>], side: Side, out: &mut Vec<f32>) {
        self.open.clear();
        let unfinished = children.iter().filter(|child| !child.turn.is_over());
        self.open.extend(unfinished.map(|child| (child.state.clone(), viewer(child.turn, side))));
        out.clear();
        self.judged.clear();
        if let Some((near, _)) = self.open.first() {
            // Any position near all of them will do for a parent.
            self.judge.values(game, &near.clone(), &self.open, &mut self.judged);
        }
        let mut judged = self.judged.iter();
        out.extend(children.iter().map(|child| match child.turn {
            Turn::Over(_) => 0.0,
            turn => judged.next().map_or(0.0, |&value| turned(value, viewer(turn, side), side)),
        }));
    }
}

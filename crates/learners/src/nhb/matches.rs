//! Matches between players that differ in their judge only.

pub use ludens_core::Tally;
use ludens_core::{Budget, Game, Meter, Move, Rng, Score, Side, Turn};
use rustc_hash::FxHashMap;

use super::examples::Played;
use super::judge::Judge;
use super::tree::Tree;

/// A game without a bound of its own ends as a draw after this many moves …
const MOST_PLIES: u32 = 400;
/// … or when a position comes up this often.
const MOST_REPETITIONS: u32 = 3;

/// A judge and how many states it may look at for a move.
#[derive(Debug)]
pub struct Player<G: Game> {
    /// What judges its positions.
    pub judge: Judge,
    /// How many states it may look at for a move.
    pub states: u64,
    /// The tree it keeps.
    pub tree: Tree<G>,
    /// One ply only: where a lot decides; else the first of the best moves is played.
    pub lots: Lots,
}

/// Among which moves a lot decides: those whose values are less than this below the best. 0: among none.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Lots {
    /// In the first moves of a match, …
    pub near: f32,
    /// … so many of them.
    pub early: u32,
    /// After them, and before where it is more.
    pub later: f32,
}

impl Lots {
    /// At this move of a match, the first being 1.
    pub(super) fn within(&self, decision: u32) -> f32 {
        if decision <= self.early { self.near.max(self.later) } else { self.later }
    }
}

/// The league takes values that differ by less for equal.
const EQUAL: f32 = 1e-6;

impl<G: Game> Player<G> {
    /// This judge, with so many states a move.
    pub fn new(judge: Judge, states: u64) -> Player<G> {
        Player { judge, states, tree: Tree::default(), lots: Lots::default() }
    }

    /// Looks at the positions after its moves and no further, and draws among equals, as in the Othello League.
    pub fn one_ply(judge: Judge) -> Player<G> {
        Player {
            judge,
            states: u64::MAX,
            tree: Tree::with_depth(1),
            lots: Lots { later: EQUAL, ..Lots::default() },
        }
    }

    /// One of the moves that the last search found as good as its best, or nearly.
    pub(super) fn among_near(&self, best: Move, within: f32, rng: &mut Rng) -> Move {
        let value = |child: usize| self.tree.seen(0, child, self.tree.nodes[child].value);
        let children = || self.tree.children(0);
        let most = children().map(value).fold(f32::NEG_INFINITY, f32::max);
        let equal: Vec<usize> = children().filter(|&child| most - value(child) < within).collect();
        if equal.len() < 2 { best } else { self.tree.nodes[equal[rng.below(equal.len() as u32) as usize]].mv }
    }
}

/// How a match departs from what its players choose.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Disturbance {
    /// The first moves are drawn, this many.
    pub opening: u32,
    /// Later ones with this probability.
    pub epsilon: f64,
}

/// Plays one match; `sides` may be one player twice. `after_search` sees every tree before it is cut down. The states go on `meter`'s cost.
pub fn play_match<G: Game>(
    game: &G,
    sides: &mut Sides<'_, G>,
    disturbance: Disturbance,
    rng: &mut Rng,
    meter: &mut Meter,
    mut after_search: impl FnMut(Side, &Tree<G>),
) -> Played<G::State> {
    let mut state = game.start();
    let mut played = Played {
        states: Vec::new(),
        moves: Vec::new(),
        values: Vec::new(),
        drawn: Vec::new(),
        score: Score::DRAW,
    };
    let bound = game.max_plies().unwrap_or(MOST_PLIES);
    let mut seen: FxHashMap<G::State, u32> = FxHashMap::default();
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    let mut decisions = 0;
    let mut last_view = Side::Second;
    loop {
        let mv = match game.turn(&state) {
            Turn::Over(score) => {
                played.score = score;
                break;
            }
            Turn::Chance => {
                game.chance(&state, &mut outcomes);
                rng.outcome(&outcomes)
            }
            // Half a match is nothing to learn from: whoever ended it throws it away.
            Turn::Player(_) if meter.check().is_err() => break,
            Turn::Player(side) => {
                let times = seen.entry(state.clone()).or_default();
                *times += 1;
                if decisions >= bound || *times >= MOST_REPETITIONS {
                    break;
                }
                decisions += 1;
                last_view = side;
                let player = sides.get(side);
                let mut own = meter.part(Budget::States(player.states));
                let found = player.tree.search(game, &state, &mut player.judge, &mut own);
                meter.add_states(own.cost().states);
                after_search(side, &player.tree);
                played.states.push((state.clone(), side));
                played.values.push(found.value);
                let drawn = decisions <= disturbance.opening || rng.chance(disturbance.epsilon);
                played.drawn.push(drawn);
                match drawn {
                    true => random_move(game, &state, &mut moves, rng),
                    false => {
                        let player = sides.get(side);
                        match player.lots.within(decisions) {
                            0.0 => found.mv,
                            within => player.among_near(found.mv, within, rng),
                        }
                    }
                }
            }
        };
        game.apply(&mut state, mv);
        played.moves.push(mv);
    }
    played.states.push((state, last_view.other()));
    played
}

fn random_move<G: Game>(game: &G, state: &G::State, moves: &mut Vec<Move>, rng: &mut Rng) -> Move {
    game.moves(state, moves);
    moves[rng.below(moves.len() as u32) as usize]
}

/// Who plays whom.
#[derive(Debug)]
pub enum Sides<'a, G: Game> {
    /// One against the other, the first player first.
    Two(&'a mut Player<G>, &'a mut Player<G>),
    /// One player for both sides.
    Itself(&'a mut Player<G>),
}

impl<G: Game> Sides<'_, G> {
    fn get(&mut self, side: Side) -> &mut Player<G> {
        match (self, side) {
            (Sides::Two(first, _), Side::First) => first,
            (Sides::Two(_, second), Side::Second) => second,
            (Sides::Itself(player), _) => player,
        }
    }
}

/// `count` matches of `player` against opponents that `opponent` makes anew for each pair of matches: one with either colour. Their states go
/// on `meter`'s cost.
pub fn test_matches<G: Game>(
    game: &G,
    player: &mut Player<G>,
    count: u32,
    disturbance: Disturbance,
    seed: u64,
    meter: &mut Meter,
    mut opponent: impl FnMut(&mut Rng) -> Player<G>,
) -> Tally {
    let mut tally = Tally::default();
    for unit in 0..count {
        let mut rng = Rng::stream(seed, u64::from(unit));
        let mut other = opponent(&mut Rng::stream(!seed, u64::from(unit / 2)));
        let own = if unit % 2 == 0 { Side::First } else { Side::Second };
        let mut sides = match own {
            Side::First => Sides::Two(player, &mut other),
            Side::Second => Sides::Two(&mut other, player),
        };
        let played = play_match(game, &mut sides, disturbance, &mut rng, meter, |_, _| {});
        tally.add(played.score.of(own));
    }
    tally
}

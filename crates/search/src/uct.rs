//! UCT: a tree of averages over random games, one random game a simulation.
//!
//! A simulation walks down the tree by the upper confidence bound, opens one move that was never tried, plays the rest of the game
//! at random and adds the result to every move it passed. The tree lives in one arena; the children of
//! a node lie side by side, and a node's children are listed when it is reached for the second time. Dice are
//! drawn, not averaged.

use ludens_core::math::quick;
use ludens_core::words::{How, Scale, Shows, What};
use ludens_core::{
    Bound, Budget, Ctx, Game, Meter, Mind, MindError, Move, MoveValue, Ranking, Reason, Rng, Rule, Score,
    Side, Turn,
};

/// How many simulations a decision takes where neither it nor the game has a limit.
pub const DEFAULT_SIMULATIONS: u64 = 1000;

/// A move in the tree and the node it leads to.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The mean result, as the side that makes the move sees it.
    mean: f32,
    /// 1 / √visits.
    doubt: f32,
    visits: u32,
    mv: Move,
    /// The children lie at `first .. first + count`; the first `opened` of them were tried.
    first: u32,
    count: u16,
    opened: u16,
}

impl Edge {
    fn new(mv: Move) -> Edge {
        Edge { mean: 0.0, doubt: 0.0, visits: 0, mv, first: 0, count: 0, opened: 0 }
    }

    #[inline]
    fn add(&mut self, result: f32) {
        self.visits += 1;
        let visits = self.visits as f32;
        self.mean += (result - self.mean) / visits;
        self.doubt = 1.0 / visits.sqrt();
    }
}

/// How a tree is grown, and for how long.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UctSettings {
    /// The weight of doubt.
    pub c: f32,
    /// Random games a move, besides the other limits.
    pub simulations: Option<u64>,
    /// States a move, besides the budget of the game.
    pub states: Option<u64>,
}

impl Default for UctSettings {
    fn default() -> UctSettings {
        UctSettings { c: 1.0, simulations: None, states: None }
    }
}

impl UctSettings {
    /// Limits the states of a decision and returns how many simulations it may take.
    pub(crate) fn limit(&self, meter: &mut Meter) -> u64 {
        if let Some(states) = self.states {
            meter.limit_states(states);
        }
        let free = self.states.is_some() || meter.budget() != Budget::Unlimited;
        self.simulations.unwrap_or(if free { u64::MAX } else { DEFAULT_SIMULATIONS })
    }
}

/// A tree of averages, one random game a simulation.
#[derive(Debug)]
pub struct Uct {
    /// How the tree is grown.
    pub settings: UctSettings,
    edges: Vec<Edge>,
    /// The moves made in the tree by the simulation at hand, and who made them.
    path: Vec<(u32, Side)>,
    moves: Vec<Move>,
    outcomes: Vec<(Move, f32)>,
    /// √ln n for small n.
    roots_of_logs: Vec<f32>,
    simulations: u64,
}

/// The budget of states ran out; the simulation at hand is abandoned.
pub(crate) struct Spent;

const ROOT: usize = 0;

impl Uct {
    /// A search without a tree; each decision grows its own.
    pub fn new(settings: UctSettings) -> Uct {
        Uct {
            settings,
            edges: Vec::new(),
            path: Vec::new(),
            moves: Vec::new(),
            outcomes: Vec::new(),
            roots_of_logs: (0..4096).map(|visits| quick::ln_whole(visits.max(1)).sqrt() as f32).collect(),
            simulations: 0,
        }
    }

    /// How many simulations the last decision finished.
    pub fn simulations(&self) -> u64 {
        self.simulations
    }

    /// Grows a new tree from `state`.
    pub fn search<G: Game>(&mut self, game: &G, state: &G::State, rng: &mut Rng, meter: &mut Meter) {
        self.edges.clear();
        self.edges.push(Edge::new(Move(u32::MAX)));
        self.simulations = 0;
        let most = self.settings.limit(meter);
        // The root counts as visited, so that its children are listed at once.
        self.edges[ROOT].visits = 1;
        let longest = game.max_plies().map_or(u64::MAX, u64::from);
        let mut at = state.clone();
        while self.simulations < most && meter.has_room((self.edges.len() * size_of::<Edge>()) as u64) {
            at.clone_from(state);
            match self.simulate(game, &mut at, rng, meter, longest) {
                Ok(score) => self.learn(score),
                Err(Spent) => break,
            }
            self.simulations += 1;
            if meter.is_due() {
                self.show(game, state, meter);
            }
        }
    }

    /// Lets whoever looks see what would be answered now.
    #[cold]
    fn show<G: Game>(&self, game: &G, state: &G::State, meter: &mut Meter) {
        let ranked = self.ranked(ROOT);
        let mut ranking = self.ranking(game, state, &ranked);
        self.explain(&ranked, &mut ranking);
        meter.show(ranking);
    }

    /// Down the tree, then at random to the end.
    #[inline]
    fn simulate<G: Game>(
        &mut self,
        game: &G,
        at: &mut G::State,
        rng: &mut Rng,
        meter: &mut Meter,
        longest: u64,
    ) -> Result<Score, Spent> {
        self.path.clear();
        let mut node = ROOT;
        loop {
            let turn = game.turn(at);
            if let Turn::Over(score) = turn {
                return Ok(score);
            }
            if self.edges[node].visits == 0 {
                return random_game(game, at, rng, meter, longest, &mut self.moves, &mut self.outcomes);
            }
            let (next, side) = match turn {
                Turn::Player(side) => (self.select(game, at, node, rng), side),
                _ => (self.sample(game, at, node, rng), Side::First),
            };
            if !meter.visit() {
                return Err(Spent);
            }
            game.apply(at, self.edges[next].mv);
            self.path.push((next as u32, side));
            node = next;
        }
    }

    /// The child with the highest upper bound, or one that was never tried.
    #[inline]
    fn select<G: Game>(&mut self, game: &G, at: &G::State, node: usize, rng: &mut Rng) -> usize {
        let mut parent = self.edges[node];
        if parent.count == 0 {
            game.moves(at, &mut self.moves);
            parent.first = self.edges.len() as u32;
            parent.count = self.moves.len().min(MOST_CHILDREN) as u16;
            self.edges.extend(self.moves.iter().take(MOST_CHILDREN).map(|&mv| Edge::new(mv)));
            self.edges[node] = parent;
        }
        let first = parent.first as usize;
        if parent.opened < parent.count {
            let place = first + usize::from(parent.opened);
            let drawn = place + rng.below(u32::from(parent.count - parent.opened)) as usize;
            self.edges.swap(place, drawn);
            self.edges[node].opened += 1;
            return place;
        }
        let spread = self.settings.c * self.root_of_log(parent.visits);
        let children = &self.edges[first..first + usize::from(parent.count)];
        let mut best = (f32::NEG_INFINITY, 0);
        for (place, child) in children.iter().enumerate() {
            let bound = child.mean + spread * child.doubt;
            best = if bound > best.0 { (bound, place) } else { best };
        }
        first + best.1
    }

    /// The child of a drawn outcome.
    fn sample<G: Game>(&mut self, game: &G, at: &G::State, node: usize, rng: &mut Rng) -> usize {
        game.chance(at, &mut self.outcomes);
        self.outcomes.truncate(MOST_CHILDREN);
        if self.edges[node].count == 0 {
            self.edges[node].first = self.edges.len() as u32;
            self.edges[node].count = self.outcomes.len() as u16;
            self.edges.extend(self.outcomes.iter().map(|&(mv, _)| Edge::new(mv)));
        }
        let drawn = rng.outcome(&self.outcomes);
        let place = self.outcomes.iter().position(|&(mv, _)| mv == drawn).unwrap_or(0);
        self.edges[node].first as usize + place
    }

    /// Adds a result to every move of the path.
    #[inline]
    fn learn(&mut self, score: Score) {
        self.edges[ROOT].visits += 1;
        for &(edge, side) in &self.path {
            self.edges[edge as usize].add(score.of(side));
        }
    }

    #[inline]
    fn root_of_log(&self, visits: u32) -> f32 {
        match self.roots_of_logs.get(visits as usize) {
            Some(&root) => root,
            None => quick::ln_whole(visits).sqrt() as f32,
        }
    }

    /// The children of a node, the most visited first; then by their mean, then by the number of the move.
    fn ranked(&self, node: usize) -> Vec<usize> {
        let edge = &self.edges[node];
        let first = edge.first as usize;
        let mut children: Vec<usize> = (first..first + usize::from(edge.count)).collect();
        children.sort_by(|&a, &b| {
            let (a, b) = (&self.edges[a], &self.edges[b]);
            b.visits.cmp(&a.visits).then(b.mean.total_cmp(&a.mean)).then(a.mv.cmp(&b.mv))
        });
        children
    }

    /// The line tried most that begins with this edge.
    fn line(&self, child: usize) -> Vec<Move> {
        let mut line = vec![self.edges[child].mv];
        let mut node = child;
        while let Some(&next) = self.ranked(node).first()
            && self.edges[next].visits > 0
        {
            line.push(self.edges[next].mv);
            node = next;
        }
        line
    }

    /// The moves of the root in this order.
    fn ranking<G: Game>(&self, game: &G, state: &G::State, ranked: &[usize]) -> Ranking {
        let value = |&child: &usize| {
            let edge = &self.edges[child];
            MoveValue {
                visits: Some(u64::from(edge.visits)),
                ..MoveValue::new(edge.mv, f64::from(edge.mean))
            }
        };
        let mut moves: Vec<MoveValue> = ranked.iter().map(value).collect();
        add_unlisted(game, state, &mut moves);
        let preferred = ranked.first().map(|&best| self.edges[best].mv);
        Ranking { rule: Rule::Visits, moves, preferred, ..Ranking::default() }
    }

    fn explain(&self, ranked: &[usize], ranking: &mut Ranking) {
        ranking.how = How::TrialGames { games: self.simulations, guide: None };
        ranking.scale = Scale::Trials;
        for (&child, candidate) in ranked.iter().zip(&mut ranking.moves) {
            let edge = &self.edges[child];
            let tried = What::Play { shows: Shows::Tried };
            candidate.reasons.push(Reason::line(tried, f64::from(edge.mean), self.line(child)));
        }
    }
}

impl<G: Game> Mind<G> for Uct {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        self.search(game, state, ctx.rng, ctx.meter);
        if self.edges[ROOT].count == 0 {
            // Not one state was granted: list the moves all the same.
            let _ = self.select(game, state, ROOT, ctx.rng);
        }
        let ranked = self.ranked(ROOT);
        let mut ranking = self.ranking(game, state, &ranked);
        if ctx.explain.is_wanted() {
            self.explain(&ranked, &mut ranking);
        }
        Ok(ranking)
    }
}

/// Moves of a position that a tree looks at; a position with more has its other moves in the ranking, unsettled.
pub(crate) const MOST_CHILDREN: usize = u16::MAX as usize;

/// The moves beyond those a tree has room for.
pub(crate) fn add_unlisted<G: Game>(game: &G, state: &G::State, ranked: &mut Vec<MoveValue>) {
    if ranked.len() < MOST_CHILDREN {
        return;
    }
    let mut legal = Vec::new();
    game.moves(state, &mut legal);
    ranked.extend(legal.into_iter().skip(MOST_CHILDREN).map(|mv| MoveValue {
        bound: Bound::Unsettled,
        visits: Some(0),
        ..MoveValue::new(mv, 0.0)
    }));
}

/// A random game to its end: at the game's own speed while the budget is sure to suffice, step by step near it.
#[inline]
pub(crate) fn random_game<G: Game>(
    game: &G,
    at: &mut G::State,
    rng: &mut Rng,
    meter: &mut Meter,
    longest: u64,
    moves: &mut Vec<Move>,
    outcomes: &mut Vec<(Move, f32)>,
) -> Result<Score, Spent> {
    if meter.left() >= longest {
        let playout = game.playout(at, rng);
        meter.add_states(u64::from(playout.plies));
        return Ok(playout.score);
    }
    loop {
        let mv = match game.turn(at) {
            Turn::Over(score) => return Ok(score),
            Turn::Player(_) => {
                game.moves(at, moves);
                moves[rng.below(moves.len() as u32) as usize]
            }
            Turn::Chance => {
                game.chance(at, outcomes);
                rng.outcome(outcomes)
            }
        };
        if !meter.visit() {
            return Err(Spent);
        }
        game.apply(at, mv);
    }
}

//! UCT that knows something beforehand: a heuristic judges every move when its position is opened, and that counts as so many random
//! games with that result. What is tried proves itself by random games as in plain UCT.

use ludens_core::words::{How, Scale, What};
use ludens_core::{
    Combine, Ctx, Game, Meter, Mind, MindError, Move, MoveValue, Ranking, Reason, Rng, Rule, Score, Side,
    Turn, math,
};

use crate::uct::{MOST_CHILDREN, Spent, add_unlisted, random_game};
use crate::{Heuristic, Random, UctSettings};

/// A move in the tree and the node it leads to.
#[derive(Clone, Copy, Debug)]
struct Edge {
    mv: Move,
    /// What the heuristic says of it, as the side that makes the move sees it.
    prior: f32,
    total: f32,
    visits: u32,
    /// The children lie at `first .. first + count`.
    first: u32,
    count: u16,
}

/// UCT in which a heuristic speaks first.
#[derive(Debug)]
pub struct GuidedUct<H> {
    settings: UctSettings,
    heuristic: H,
    /// How many random games the judgement is worth.
    weight: f32,
    edges: Vec<Edge>,
    path: Vec<(usize, Side)>,
    moves: Vec<Move>,
    outcomes: Vec<(Move, f32)>,
    simulations: u64,
}

const ROOT: usize = 0;

impl<H> GuidedUct<H> {
    /// `weight`: how many random games the judgement of the heuristic is worth.
    pub fn new(settings: UctSettings, heuristic: H, weight: f32) -> GuidedUct<H> {
        GuidedUct {
            settings,
            heuristic,
            weight,
            edges: Vec::new(),
            path: Vec::new(),
            moves: Vec::new(),
            outcomes: Vec::new(),
            simulations: 0,
        }
    }

    fn add_children(&mut self, node: usize, children: impl ExactSizeIterator<Item = (Move, f32)>) {
        (self.edges[node].first, self.edges[node].count) = (self.edges.len() as u32, children.len() as u16);
        let edge = |(mv, prior)| Edge { mv, prior, total: 0.0, visits: 0, first: 0, count: 0 };
        self.edges.extend(children.map(edge));
    }

    /// Lists the moves of a position and has them judged; each costs a state.
    fn open<G: Game>(
        &mut self,
        game: &G,
        at: &G::State,
        (node, side): (usize, Side),
        meter: &mut Meter,
    ) -> Result<(), Spent>
    where
        H: Heuristic<G>,
    {
        let mut moves = std::mem::take(&mut self.moves);
        game.moves(at, &mut moves);
        moves.truncate(MOST_CHILDREN);
        // The scale of a heuristic is its own: a win on it is a win of 1 here.
        let scale = self.heuristic.final_value(1.0).max(f32::MIN_POSITIVE);
        let mut priors = Vec::with_capacity(moves.len());
        for &mv in &moves {
            if !meter.visit() {
                break;
            }
            let mut child = at.clone();
            game.apply(&mut child, mv);
            priors.push(match game.turn(&child) {
                Turn::Over(score) => score.of(side),
                _ => {
                    let mut trace = H::Trace::default();
                    self.heuristic.begin(game, &child, &mut trace);
                    (self.heuristic.value(game, &child, &trace, side) / scale).clamp(-1.0, 1.0)
                }
            });
        }
        let judged = priors.len() == moves.len();
        if judged {
            self.add_children(node, moves.iter().copied().zip(priors));
        }
        self.moves = moves;
        if judged { Ok(()) } else { Err(Spent) }
    }

    /// The child with the highest upper bound; those not tried yet have what the heuristic says of them.
    fn select(&self, node: usize) -> usize {
        let parent = self.edges[node];
        let first = parent.first as usize;
        let spread = self.settings.c * math::ln(f64::from(parent.visits) + 1.0).sqrt() as f32;
        let mut best = (f32::NEG_INFINITY, first);
        for at in first..first + usize::from(parent.count) {
            let edge = &self.edges[at];
            let known = edge.visits as f32 + self.weight;
            let bound = (edge.total + self.weight * edge.prior) / known + spread / known.sqrt();
            best = if bound > best.0 { (bound, at) } else { best };
        }
        best.1
    }

    fn simulate<G: Game>(
        &mut self,
        game: &G,
        at: &mut G::State,
        rng: &mut Rng,
        meter: &mut Meter,
        longest: u64,
    ) -> Result<Score, Spent>
    where
        H: Heuristic<G>,
    {
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
            let unopened = self.edges[node].count == 0;
            let (next, side) = match turn {
                Turn::Player(side) => {
                    if unopened {
                        self.open(game, at, (node, side), meter)?;
                    }
                    (self.select(node), side)
                }
                _ => {
                    game.chance(at, &mut self.outcomes);
                    self.outcomes.truncate(MOST_CHILDREN);
                    if unopened {
                        let children: Vec<(Move, f32)> = self.outcomes.iter().map(|o| (o.0, 0.0)).collect();
                        self.add_children(node, children.into_iter());
                    }
                    let drawn = rng.outcome(&self.outcomes);
                    let place = self.outcomes.iter().position(|&(mv, _)| mv == drawn).unwrap_or(0);
                    (self.edges[node].first as usize + place, Side::First)
                }
            };
            if !meter.visit() {
                return Err(Spent);
            }
            game.apply(at, self.edges[next].mv);
            self.path.push((next, side));
            node = next;
        }
    }

    fn search<G: Game>(&mut self, game: &G, state: &G::State, rng: &mut Rng, meter: &mut Meter)
    where
        H: Heuristic<G>,
    {
        self.edges.clear();
        // The root counts as visited, so that its children are listed at once.
        let root = Edge { mv: Move(u32::MAX), prior: 0.0, total: 0.0, visits: 1, first: 0, count: 0 };
        self.edges.push(root);
        self.simulations = 0;
        let most = self.settings.limit(meter);
        let longest = game.max_plies().map_or(u64::MAX, u64::from);
        while self.simulations < most && meter.has_room((self.edges.len() * size_of::<Edge>()) as u64) {
            let Ok(score) = self.simulate(game, &mut state.clone(), rng, meter, longest) else { break };
            self.edges[ROOT].visits += 1;
            for &(edge, side) in &self.path {
                self.edges[edge].visits += 1;
                self.edges[edge].total += score.of(side);
            }
            self.simulations += 1;
            if meter.is_due() {
                let ranking = self.ranking(game, state, &self.ranked());
                meter.show(Ranking { scale: Scale::Trials, ..ranking });
            }
        }
    }

    /// The moves of the root, the most visited first; then by what is thought of them, then by their number.
    fn ranked(&self) -> Vec<Edge> {
        let root = self.edges[ROOT];
        let mut children = self.edges[root.first as usize..][..usize::from(root.count)].to_vec();
        children.sort_by(|a, b| {
            let by_mean = self.mean(b).total_cmp(&self.mean(a));
            b.visits.cmp(&a.visits).then(by_mean).then(a.mv.cmp(&b.mv))
        });
        children
    }

    fn ranking<G: Game>(&self, game: &G, state: &G::State, children: &[Edge]) -> Ranking {
        let value = |edge: &Edge| MoveValue {
            visits: Some(u64::from(edge.visits)),
            ..MoveValue::new(edge.mv, f64::from(self.mean(edge)))
        };
        let mut moves: Vec<MoveValue> = children.iter().map(value).collect();
        add_unlisted(game, state, &mut moves);
        let preferred = children.first().map(|best| best.mv);
        Ranking { rule: Rule::Visits, moves, preferred, ..Ranking::default() }
    }

    /// What is thought of a move, the judgement included.
    fn mean(&self, edge: &Edge) -> f32 {
        (edge.total + self.weight * edge.prior) / (edge.visits as f32 + self.weight)
    }
}

impl<G: Game, H: Heuristic<G>> Mind<G> for GuidedUct<H> {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        self.search(game, state, ctx.rng, ctx.meter);
        let children = self.ranked();
        if children.is_empty() {
            // Not enough states were granted to look at every move once.
            return Random.rank(game, state, ctx);
        }
        let mut ranking = self.ranking(game, state, &children);
        if ctx.explain.is_wanted() {
            let guide = Heuristic::<G>::judge(&self.heuristic);
            ranking.how = How::TrialGames { games: self.simulations, guide: Some(guide) };
            ranking.scale = Scale::Trials;
            ranking.combine = Combine::Sum;
            for (edge, candidate) in children.iter().zip(&mut ranking.moves) {
                candidate.reasons = self.reasons(edge, game.cells(state, edge.mv));
            }
        }
        Ok(ranking)
    }
}

impl<H> GuidedUct<H> {
    /// What the heuristic said and what the games said, each by its share in the mean.
    fn reasons(&self, edge: &Edge, cells: Vec<u16>) -> Vec<Reason> {
        let part = f64::from(self.weight) / (f64::from(edge.visits) + f64::from(self.weight));
        let mut reasons = vec![Reason::rule(What::Inclination, part * f64::from(edge.prior), cells)];
        if edge.visits > 0 {
            let mean = f64::from(edge.total) / f64::from(edge.visits);
            let games = u64::from(edge.visits);
            reasons.push(Reason::rule(What::Trials { games }, (1.0 - part) * mean, Vec::new()));
        }
        reasons
    }
}

//! The searches as minds that can be named: which heuristic, how deep.

use ludens_core::{About, Game, Made, Maybe, MindError, MindKind, Seat, Spec, Words, settings, words};
use ludens_search::alphabeta::MAX_DEPTH;
use ludens_search::hand::{HandMade, Lines, Race, Weighted};
use ludens_search::{AlphaBeta, DepthOne, GuidedUct, Heuristic, Limits, Random, Uct, UctSettings, Zero};

use crate::beyond::selected_concepts::ConceptHeuristic;
use crate::nhb::entry::learnt;

/// Any legal move.
#[derive(Clone, Copy, Debug)]
pub struct RandomKind;

impl MindKind for RandomKind {
    fn about(&self) -> About {
        About::new("random", "Random", "any legal move")
    }

    fn make<G: Game>(&self, _: &Seat<G>, _: &mut Spec) -> Made<G> {
        Ok(Box::new(Random))
    }
}

/// A win in one move.
#[derive(Clone, Copy, Debug)]
pub struct DepthOneKind;

impl MindKind for DepthOneKind {
    fn about(&self) -> About {
        About::new("depth1", "One move ahead", "a win in one move, else any legal move")
    }

    fn make<G: Game>(&self, _: &Seat<G>, _: &mut Spec) -> Made<G> {
        Ok(Box::new(DepthOne))
    }
}

/// What is known of the moves of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
enum RootValues {
    Best,
    Exact,
}

words!(RootValues { Best = "best", Exact = "exact" });

const HEURISTICS: Words =
    Words("auto, zero, lines, pieces, positional, pips, concepts, learnt or a model file of nhb");
const GUIDES: Words = Words("none, concepts, learnt or a model file of nhb");

settings! {
    /// Of alpha-beta and expectimax.
    struct Looking {
        /// Plies to look ahead, dice not counted; none: 6, with dice 2, and no limit where there is a budget.
        depth: Maybe<u32> = Maybe(None), Words("a number of plies");
        /// States a move; none: no limit.
        states: Maybe<u64> = Maybe(None), Words("a number of states");
        /// What judges the leaves: made by hand (auto takes the one the game states), concepts learnt on the spot, or what nhb learnt.
        heuristic: String = "auto".into(), HEURISTICS;
        /// Exact: every move of the position gets its exact value, not a bound.
        root: RootValues = RootValues::Best, Words("best or exact");
    }
}

impl Looking {
    fn limits(&self, spec: &Spec, default_depth: Option<u32>) -> Result<Limits, MindError> {
        if let Some(depth) = self.depth.0.filter(|depth| !(1..=MAX_DEPTH).contains(depth)) {
            return Err(spec.wrong("depth", &depth.to_string(), &format!("from 1 to {MAX_DEPTH}")).into());
        }
        let usual = if self.states.0.is_none() { default_depth } else { None };
        Ok(Limits {
            depth: self.depth.0.or(usual),
            states: self.states.0,
            exact_root: self.root == RootValues::Exact,
        })
    }
}

/// Alpha-beta with iterative deepening.
#[derive(Clone, Copy, Debug)]
pub struct AlphaBetaKind;

impl MindKind for AlphaBetaKind {
    fn about(&self) -> About {
        let summary = "looks ahead with iterative deepening and a heuristic, made by hand or learnt by nhb";
        About::new("alphabeta", "Alpha-beta", summary).settings(Looking::default().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> Made<G> {
        let looking = Looking::read(spec, &Looking::default())?;
        let limits = looking.limits(spec, None)?;
        with_heuristic(seat, spec, &looking.heuristic, limits)
    }
}

/// The same for games with dice.
#[derive(Clone, Copy, Debug)]
pub struct ExpectimaxKind;

impl MindKind for ExpectimaxKind {
    fn about(&self) -> About {
        About::new("expectimax", "Expectimax", "the same for games with dice: the mean over every throw")
            .settings(Looking::default().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> Made<G> {
        let looking = Looking::read(spec, &Looking::default())?;
        let limits = looking.limits(spec, Some(2))?;
        with_heuristic(seat, spec, &looking.heuristic, limits)
    }
}

settings! {
    /// Of UCT.
    struct Sampling {
        /// Simulations a move; none: 1000 when there is no budget.
        sims: Maybe<u64> = Maybe(None), Words("a number of simulations");
        /// States a move; none: no limit.
        states: Maybe<u64> = Maybe(None), Words("a number of states");
        /// How much doubt counts.
        c: f32 = UctSettings::default().c, 0.0..=100.0;
        /// What speaks first: concepts learnt on the spot, or what nhb learnt.
        heuristic: String = "none".into(), GUIDES;
        /// How many random games the word of the heuristic counts as.
        weight: f32 = 3.0, 0.1..=10_000.0;
    }
}

/// Monte Carlo tree search.
#[derive(Clone, Copy, Debug)]
pub struct UctKind;

impl MindKind for UctKind {
    fn about(&self) -> About {
        let summary = "Monte Carlo tree search with random games, and with a heuristic that speaks first if one is named";
        About::new("uct", "UCT", summary).settings(Sampling::default().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> Made<G> {
        let Sampling { sims, states, c, heuristic, weight } = Sampling::read(spec, &Sampling::default())?;
        let settings = UctSettings { c, simulations: sims.0, states: states.0 };
        match heuristic.as_str() {
            "none" => Ok(Box::new(Uct::new(settings))),
            "concepts" => guided(ConceptHeuristic::learn(&**seat.game, seat.stop)?, settings, weight),
            "learnt" => guided(learnt(seat, None)?, settings, weight),
            file if file.ends_with(".safetensors") => guided(learnt(seat, Some(file))?, settings, weight),
            other => Err(spec.wrong("heuristic", other, GUIDES.0).into()),
        }
    }
}

fn guided<G: Game, H: Heuristic<G> + 'static>(heuristic: H, settings: UctSettings, weight: f32) -> Made<G> {
    Ok(Box::new(GuidedUct::new(settings, heuristic, weight)))
}

fn search<G: Game, H: Heuristic<G> + 'static>(heuristic: H, limits: Limits) -> Made<G> {
    Ok(Box::new(AlphaBeta::new(heuristic, limits)))
}

/// Each kind of heuristic makes another type of search, so that nothing inside is behind a `dyn`.
fn with_heuristic<G: Game>(seat: &Seat<G>, spec: &Spec, name: &str, limits: Limits) -> Made<G> {
    let game = &**seat.game;
    let stated = || game.facts().hand.map_or("zero", |hand| hand.name());
    let wanted = if name == "auto" { stated() } else { name };
    match wanted {
        "learnt" => search(learnt(seat, None)?, limits),
        file if file.ends_with(".safetensors") => search(learnt(seat, Some(file))?, limits),
        "concepts" => search(ConceptHeuristic::learn(game, seat.stop)?, limits),
        _ => search(hand_made(seat, spec, wanted)?, limits),
    }
}

fn hand_made<G: Game>(seat: &Seat<G>, spec: &Spec, name: &str) -> Result<HandMade, MindError> {
    let game = &**seat.game;
    let (made, reason) = match name {
        "zero" => (Some(HandMade::Zero(Zero)), ""),
        "pieces" => (Some(HandMade::Squares(Weighted::pieces(game.encoding_len()))), ""),
        "lines" => (Lines::of(game).map(HandMade::Lines), "it is not a game of k in a line"),
        "positional" => {
            (Weighted::positional(game).map(HandMade::Squares), "it states no table of its squares")
        }
        "pips" => (Race::of(game).map(HandMade::Race), "it is no race"),
        other => return Err(spec.wrong("heuristic", other, HEURISTICS.0).into()),
    };
    made.ok_or_else(|| seat.lacks(&format!("{}:heuristic={name}", spec.name), reason))
}

//! Every search against brute force on random game trees, and the laws of the house for every mind here.

use ludens_core::{Audited, Budget, Ctx, Explain, Game, Meter, Mind, Move, Ranking, Rng, Side, Turn, decide};
use ludens_search::{
    AlphaBeta, Child, DepthOne, Heuristic, Limits, Random, RandomNode, RandomTree, Uct, UctSettings, Zero,
};

/// A number drawn for each node; its trace counts the plies since the root, and is checked at every leaf.
#[derive(Clone, Copy, Debug)]
struct DrawnHeuristic {
    tree: RandomTree,
}

fn drawn_value(tree: &RandomTree, node: &RandomNode, side: Side) -> f32 {
    let value = (tree.draw(node, 9) % 1001) as f32 / 1001.0 * 1.9 - 0.95;
    if side == Side::First { value } else { -value }
}

impl Heuristic<RandomTree> for DrawnHeuristic {
    type Trace = u32;

    fn name(&self) -> String {
        "a drawn number".into()
    }
    fn begin(&mut self, _: &RandomTree, state: &RandomNode, trace: &mut u32) {
        *trace = state.ply * 7 + state.place;
    }
    fn advance(
        &mut self,
        _: &RandomTree,
        before: (&RandomNode, &u32),
        _: Move,
        after: &RandomNode,
        trace: &mut u32,
    ) {
        *trace = before.1 + 7 + after.place - before.0.place;
    }
    fn value(&mut self, _: &RandomTree, state: &RandomNode, trace: &u32, side: Side) -> f32 {
        assert_eq!(*trace, state.ply * 7 + state.place, "the trace belongs to another state");
        drawn_value(&self.tree, state, side)
    }
}

/// The same, asked for in batches.
struct Batched(DrawnHeuristic);

impl Heuristic<RandomTree> for Batched {
    type Trace = ();
    const BATCH: bool = true;

    fn name(&self) -> String {
        "drawn numbers".into()
    }
    fn value(&mut self, _: &RandomTree, state: &RandomNode, (): &(), side: Side) -> f32 {
        drawn_value(&self.0.tree, state, side)
    }
    fn values(&mut self, _: &RandomTree, children: &[Child<RandomNode, ()>], side: Side, out: &mut Vec<f32>) {
        out.clear();
        out.extend(children.iter().map(|child| drawn_value(&self.0.tree, &child.state, side)));
    }
}

/// Minimax as the textbook has it.
fn brute_force(tree: &RandomTree, node: &RandomNode, depth: u32, side: Side) -> f64 {
    let child = |mv: Move| {
        let mut child = *node;
        tree.apply(&mut child, mv);
        child
    };
    match tree.turn(node) {
        Turn::Over(score) => f64::from(score.of(side)),
        _ if depth == 0 => f64::from(drawn_value(tree, node, side)),
        Turn::Player(mover) => {
            let mut moves = Vec::new();
            tree.moves(node, &mut moves);
            let values = moves.iter().map(|&mv| brute_force(tree, &child(mv), depth - 1, mover));
            let best = values.fold(f64::NEG_INFINITY, f64::max);
            if mover == side { best } else { -best }
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            tree.chance(node, &mut outcomes);
            outcomes.iter().map(|&(mv, p)| f64::from(p) * brute_force(tree, &child(mv), depth, side)).sum()
        }
    }
}

fn random_trees(count: u64, chance: u8) -> impl Iterator<Item = RandomTree> {
    (0..count).map(move |seed| {
        let mut rng = Rng::stream(99, seed);
        RandomTree {
            seed: rng.next_u64(),
            plies: 3 + rng.below(6),
            branching: 1 + rng.below(5),
            width: 2 + rng.below(40),
            chance,
            again: [0, 60, 200][rng.below(3) as usize],
            ends: [0, 20, 60][rng.below(3) as usize],
        }
    })
}

fn compare<H: Heuristic<RandomTree>>(tree: &RandomTree, heuristic: H, depth: u32, exact_root: bool) {
    let mut mind = AlphaBeta::new(heuristic, Limits { depth: Some(depth), states: None, exact_root });
    let (mut rng, mut meter) = (Rng::new(1), Meter::unlimited());
    let start = tree.start();
    let ranked = mind.search(tree, &start, &mut Ctx::new(&mut rng, &mut meter));
    for candidate in ranked {
        let mut child = start;
        tree.apply(&mut child, candidate.mv);
        // An early certain result stops the deepening: compare at the depth that was searched.
        let truth = brute_force(tree, &child, candidate.depth - 1, Side::First);
        let value = f64::from(candidate.value);
        if candidate.exact {
            assert!((truth - value).abs() < 1e-5, "{tree:?} depth {depth}: {candidate:?}, truly {truth}");
        } else {
            assert!(truth < value + 1e-5, "{tree:?} depth {depth}: {candidate:?} bounds {truth}");
        }
    }
    let best = ranked.iter().map(|candidate| candidate.value).fold(f32::NEG_INFINITY, f32::max);
    assert_eq!(ranked[0].value, best, "the chosen move is not the best: {tree:?}");
    let certain = ranked[0].depth < depth;
    if certain {
        let far = brute_force(tree, &start, tree.plies, Side::First);
        assert!((far - f64::from(best)).abs() < 1e-5, "{tree:?}: stopped early at {best}, truly {far}");
    }
}

#[test]
fn alphabeta_equals_brute_force_on_thousands_of_trees() {
    for (number, tree) in random_trees(3000, 0).enumerate() {
        let depth = 1 + number as u32 % 7;
        compare(&tree, DrawnHeuristic { tree }, depth, number % 2 == 0);
        compare(&tree, Batched(DrawnHeuristic { tree }), depth, number % 3 == 0);
    }
}

#[test]
fn expectimax_equals_brute_force_on_thousands_of_trees() {
    for (number, tree) in random_trees(2000, 70).enumerate() {
        compare(&tree, DrawnHeuristic { tree }, 1 + number as u32 % 5, number % 2 == 0);
    }
}

type NamedMind = (&'static str, Box<dyn Mind<Audited<RandomTree>>>);

fn every_mind() -> Vec<NamedMind> {
    let uct = |settings| Box::new(Uct::new(settings));
    vec![
        ("random", Box::new(Random)),
        ("depth1", Box::new(DepthOne)),
        ("alphabeta", Box::new(AlphaBeta::new(Zero, Limits::depth(4)))),
        ("exact root", Box::new(AlphaBeta::new(Zero, Limits { exact_root: true, ..Limits::depth(4) }))),
        ("states", Box::new(AlphaBeta::new(Zero, Limits::states(50)))),
        ("uct", uct(UctSettings { simulations: Some(60), ..UctSettings::default() })),
        ("uct states", uct(UctSettings { states: Some(333), ..UctSettings::default() })),
    ]
}

/// Law 2 and law 3: reasons change neither the move nor the cost, and the cost is what was applied.
#[test]
fn reasons_change_nothing_and_cost_is_counted() {
    for (number, tree) in random_trees(200, 40).enumerate() {
        let game = Audited::new(tree);
        let budget = [Budget::Unlimited, Budget::States(7), Budget::States(100)][number % 3];
        for (name, mut mind) in every_mind() {
            let mut rank = |explain| -> (Ranking, _) {
                let (mut rng, mut meter) = (Rng::new(5), Meter::new(budget));
                mind.new_game();
                game.take_count();
                let mut ctx = Ctx { rng: &mut rng, meter: &mut meter, explain };
                let ranking = mind.rank(&game, &game.start(), &mut ctx).unwrap();
                assert_eq!(game.take_count(), meter.cost().states, "{name}: reported and counted");
                (ranking, meter.cost())
            };
            let (plain, cost) = rank(Explain::NOTHING);
            let (mut why, explained_cost) = rank(Explain::EVERYTHING);
            let values = |ranking: &Ranking| -> Vec<_> {
                ranking.moves.iter().map(|value| (value.mv, value.value, value.bound, value.visits)).collect()
            };
            assert_eq!((values(&plain), cost), (values(&why), explained_cost), "{name}");
            assert_eq!(plain.decide(), why.decide(), "{name}");
            why.sort();
            let mut legal = Vec::new();
            game.moves(&game.start(), &mut legal);
            let mut shown: Vec<Move> = why.moves.iter().map(|value| value.mv).collect();
            assert_eq!(Some(shown[0]), plain.decide(), "{name}: the chosen move comes first");
            shown.sort();
            assert_eq!(shown, legal, "{name}: a value for every legal move");
            assert!(why.gap().is_none_or(|gap| gap < 1e-6), "{name}");
        }
    }
}

#[test]
fn searches_stop_exactly_at_their_budget() {
    let tree =
        RandomTree { seed: 3, plies: 40, branching: 6, width: 1 << 20, chance: 20, again: 30, ends: 0 };
    for states in [0, 1, 2, 3, 10, 99, 1000, 12_345] {
        let limits = Limits::states(states);
        let minds: [Box<dyn Mind<RandomTree>>; 3] = [
            Box::new(AlphaBeta::new(DrawnHeuristic { tree }, limits)),
            Box::new(AlphaBeta::new(Batched(DrawnHeuristic { tree }), limits)),
            Box::new(Uct::new(UctSettings { states: Some(states), ..UctSettings::default() })),
        ];
        for mut mind in minds {
            let (mut rng, mut meter) = (Rng::new(1), Meter::unlimited());
            mind.rank(&tree, &tree.start(), &mut Ctx::new(&mut rng, &mut meter)).unwrap();
            assert_eq!(meter.cost().states, states);
        }
    }
}

/// With enough simulations UCT finds the move that brute force finds, on most trees.
#[test]
fn uct_finds_the_best_move() {
    let mut right = 0;
    let mut trees = 0;
    for tree in random_trees(150, 40) {
        let start = tree.start();
        let mut uct = Uct::new(UctSettings { simulations: Some(3000), ..UctSettings::default() });
        let (mut rng, mut meter) = (Rng::new(1), Meter::unlimited());
        let mv = decide(&mut uct, &tree, &start, &mut Ctx::new(&mut rng, &mut meter)).unwrap();
        let mut child = start;
        tree.apply(&mut child, mv);
        let best = brute_force(&tree, &start, 99, Side::First);
        trees += 1;
        right += u32::from(brute_force(&tree, &child, 99, Side::First) > best - 0.02);
    }
    assert!(right * 100 >= trees * 93, "{right} of {trees}");
}

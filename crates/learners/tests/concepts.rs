//! The concepts paper against its own words.

use std::sync::Arc;

use ludens_core::{Around, Audited, Budget, Game, Learner, Mind, Recorder, Rng, Side, Spec, Stop, Turn};
use ludens_games::connect_four::ConnectFour;
use ludens_games::tictactoe::TicTacToe;
use ludens_learners::concepts::{
    Concept, ConceptLearner, Count, Cut, Kind, Mark, Parameters, Place, Reading, Rule, Vocabulary,
    concepts_of_game, count_subsets, experience, join_concepts, learn, make_statistical_heuristics,
    transferable, vocabulary,
};
use ludens_learners::rules::Kept;

mod support;
use support::{choice, explained, nothing_around};

/// A learner of our own kind, as `concepts-selected` makes it.
fn learner(game: &dyn Recorder, around: &Arc<Around>, spec: &str) -> Result<ConceptLearner, String> {
    let made = ConceptLearner::new(game, around, &mut spec.parse().unwrap(), &Parameters::selected());
    made.map_err(|error| error.to_string())
}

fn tic_tac_toe() -> Vocabulary {
    Vocabulary::of(&TicTacToe.board(&TicTacToe.start()))
}

fn binary(up: i16, right: i16) -> Concept {
    let place = |up, right| Place { up, right, mark: Mark::Any };
    Concept::new(vec![place(0, 0), place(up, right)]).unwrap()
}

/// "evaluation(0.238…) :- cell(3,1,o), cell(2,2,o)" over x's wins and "evaluation(0.237…) :- cell(3,3,o), cell(2,2,o), cell(1,3,x)"
/// over o's, from 10,000 playouts each: their standard error is about 0.006.
#[test]
fn the_two_quoted_rules_have_their_values() {
    let vocabulary = tic_tac_toe();
    let [x_wins, o_wins] =
        experience(&TicTacToe, &vocabulary, 10_000, &mut Rng::new(3), &Stop::default()).unwrap();
    let (x, o) = (0, 1);
    let (x_rules, o_rules) = (
        count_subsets(&x_wins, 2, Count::Positions, &Stop::default()).unwrap(),
        count_subsets(&o_wins, 3, Count::Positions, &Stop::default()).unwrap(),
    );
    let value = |rules: &[Rule], mut body: Vec<u32>| {
        body.sort_unstable();
        rules.iter().find(|rule| rule.body == body).map_or(0.0, |rule| rule.value)
    };
    let cell = |column: u16, row: u16, mark| vocabulary.id(column - 1, row - 1, mark);
    // The board's symmetries give each rule four or eight twins: their mean has less noise.
    let corners = [(1, 1), (1, 3), (3, 1), (3, 3)];
    let two = corners.map(|(column, row)| value(&x_rules, vec![cell(column, row, o), cell(2, 2, o)]));
    let two = two.iter().sum::<f64>() / 4.0;
    assert!((two - 0.238).abs() < 0.015, "{two}");
    let three = corners.map(|(column, row)| {
        value(&o_rules, vec![cell(column, row, o), cell(2, 2, o), cell(4 - column, row, x)])
    });
    let three = three.iter().sum::<f64>() / 4.0;
    assert!((three - 0.237).abs() < 0.015, "{three}");
}

/// The rules that the paper quotes were in its heuristics. They are kept where the tenth is taken of each size and empty cells are facts, and
/// the first has the paper's value, .238, where the last positions are counted.
#[test]
fn both_quoted_rules_are_kept_by_our_reading() {
    let vocabulary = tic_tac_toe().with_empty();
    let seen = experience(&TicTacToe, &vocabulary, 10_000, &mut Rng::new(7), &Stop::default()).unwrap();
    let body = |cells: &[(u16, u16, usize)]| {
        let mut body: Vec<u32> =
            cells.iter().map(|&(c, r, mark)| vocabulary.id(c - 1, r - 1, mark)).collect();
        body.sort_unstable();
        body
    };
    let quoted = [body(&[(3, 1, 1), (2, 2, 1)]), body(&[(3, 3, 1), (2, 2, 1), (1, 3, 0)])];
    let kept = |reading: Reading| {
        let rules = make_statistical_heuristics(&seen[1], 3, reading, &Stop::default()).unwrap();
        assert!(rules.iter().all(|rule| rule.body.len() <= 3));
        quoted.clone().map(|body| rules.iter().find(|rule| rule.body == body).map(|rule| rule.value))
    };
    let [pair, triple] = kept(Reading::PAPER);
    assert!((0.22..0.25).contains(&pair.unwrap()) && triple.is_some(), "{pair:?} {triple:?}");
    assert_eq!(kept(Reading { cut: Cut::Near, ..Reading::PAPER }), [None, None]);
}

/// Equations 4 to 6: neighbours with the same mark, and a cell with x whose diagonal neighbour has o.
#[test]
fn the_typical_concepts_are_found_and_said_in_words() {
    let (concepts, vocabulary) =
        concepts_of_game(&TicTacToe, Kind::Binary, 3_000, &mut Rng::new(1), &Stop::default()).unwrap();
    assert!(concepts.contains(&binary(0, 1)) && concepts.contains(&binary(1, 0)));
    assert_eq!(binary(0, 1).words(&vocabulary), "a cell and the next cell to the right hold the same mark");
    assert_eq!(binary(0, 1).rule("concept1", &vocabulary), "concept1(X,Y,M) :- cell(X,Y,M), cell(X+1,Y,M).");
    assert!(concepts.iter().any(|concept| !concept.is_general()), "some name their marks");
    assert!(transferable(&concepts).iter().all(Concept::is_general));
}

/// Equations 7 and 8: three in a line, by unification of two binary concepts.
#[test]
fn ternary_concepts_hold_the_line() {
    let joined = join_concepts(&[binary(0, 1)], &[binary(0, 1)]);
    let place = |right| Place { up: 0, right, mark: Mark::Any };
    let line = Concept::new(vec![place(0), place(1), place(2)]).unwrap();
    assert_eq!(joined, std::slice::from_ref(&line));
    assert_eq!(line.words(&tic_tac_toe()), "three in a row hold the same mark");
    assert_eq!(line.picture(&tic_tac_toe()), ["●●●"]);
}

/// A variable that meets a name takes it everywhere in its concept; two different names do not unify.
#[test]
fn unification_binds_marks() {
    let named = |first, second| {
        let place = |right, mark| Place { up: 0, right, mark: Mark::Named(mark) };
        Concept::new(vec![place(0, first), place(1, second)]).unwrap()
    };
    let joined = join_concepts(&[named(0, 1)], &[binary(1, 0)]);
    assert_eq!(joined.len(), 4, "each cell of the first with each of the second");
    assert!(joined.iter().all(|concept| concept.places().iter().all(|place| place.mark != Mark::Any)));
    assert!(join_concepts(&[named(0, 0)], &[named(1, 1)]).is_empty());
}

#[test]
fn instances_stay_on_the_board() {
    let vocabulary = tic_tac_toe();
    // Two cells side by side: 6 places for each of two marks.
    assert_eq!(binary(0, 1).instances(&vocabulary).len(), 12);
    assert_eq!(binary(2, 2).instances(&vocabulary).len(), 2);
    assert!(binary(3, 0).instances(&vocabulary).is_empty());
}

/// The share of games a mind wins as `side` against random moves.
fn wins_against_random<G: Game>(game: &G, mind: &mut impl Mind<G>, side: Side, games: u64) -> f64 {
    let won = (0..games).filter(|&number| {
        let mut rng = Rng::stream(11, number);
        let mut state = game.start();
        let mut moves = Vec::new();
        loop {
            match game.turn(&state) {
                Turn::Over(score) => return score.of(side) > 0.0,
                Turn::Player(mover) => {
                    game.moves(&state, &mut moves);
                    let mv = if mover == side {
                        choice(mind, game, &state, &mut rng)
                    } else {
                        moves[rng.below(moves.len() as u32) as usize]
                    };
                    game.apply(&mut state, mv);
                }
                Turn::Chance => unreachable!("no dice here"),
            }
        }
    });
    won.count() as f64 / games as f64
}

/// Near the paper's 92.3 % and 69.4 % with its own algorithm; the goal, 97 % and 90 %, with the selection.
#[test]
fn concepts_of_tic_tac_toe_play_connect_four() {
    let game = ConnectFour;
    let share = |kind: Kind| {
        let of_source = concepts_of_game(&TicTacToe, kind, 3_000, &mut Rng::new(2), &Stop::default());
        let binary = transferable(&of_source.unwrap().0);
        let vocabulary = vocabulary(&game);
        let seen = experience(&game, &vocabulary, 100, &mut Rng::new(5), &Stop::default()).unwrap();
        let mut player = learn(kind, &binary, &seen, &vocabulary, &Stop::default()).unwrap().player;
        Side::BOTH.map(|side| wins_against_random(&game, &mut player, side, 300))
    };
    let [white, red] = share(Kind::Binary);
    assert!(white > 0.8 && red > 0.5, "binary {white} {red}");
    let [white, red] = share(Kind::Selected);
    assert!(white > 0.95 && red > 0.88, "selected {white} {red}");
}

#[test]
fn the_reasons_are_the_decision() {
    let game = Audited::new(ConnectFour);
    let mut learner = learner(&game, &nothing_around(), "concepts-selected:playouts=30,source=300").unwrap();
    support::step(&mut learner, &game, 1, 0);
    let mut rng = Rng::new(1);
    for number in 0..50 {
        let mut state = game.start();
        let mut moves = Vec::new();
        for _ in 0..number % 12 {
            game.moves(&state, &mut moves);
            if moves.is_empty() {
                break;
            }
            game.apply(&mut state, moves[rng.below(moves.len() as u32) as usize]);
        }
        if game.turn(&state).is_over() {
            continue;
        }
        game.take_count();
        let (ranking, cost) = explained(&mut learner, &game, &state, Budget::Unlimited);
        assert_eq!(game.take_count(), 2 * cost.states, "counted is reported, with reasons and without");
        let gap = ranking.gap().expect("the terms add up");
        assert!(gap < 1e-6, "{gap}");
    }
}

#[test]
fn a_training_goes_on_after_a_stop_to_the_same_bytes() {
    let steps = |learner: &mut ConceptLearner, count: u64| {
        (0..count).for_each(|_| drop(support::step(learner, &TicTacToe, 0, 0)));
    };
    for kind in ["selected", "wide", "binary", "subsets2"] {
        let make = || {
            let spec = format!("concepts:kind={kind},playouts=40,source=200");
            learner(&TicTacToe, &nothing_around(), &spec).unwrap()
        };
        let mut whole = make();
        steps(&mut whole, 4);
        let mut first = make();
        steps(&mut first, 2);
        let saved = Learner::<TicTacToe>::save(&first);
        let mut second = <ConceptLearner as Learner<TicTacToe>>::load(&TicTacToe, &saved).unwrap();
        assert_eq!(Learner::<TicTacToe>::save(&second), saved, "loading changes nothing");
        steps(&mut second, 2);
        assert_eq!(
            Learner::<TicTacToe>::save(&second).to_bytes(),
            Learner::<TicTacToe>::save(&whole).to_bytes(),
            "{kind}"
        );
    }
}

/// The rules with every name of their own replaced.
fn scrambled(text: &str) -> String {
    let bare: String =
        text.lines().map(|line| line.split(';').next().unwrap_or("").to_string() + "\n").collect();
    let spaced = bare.replace('(', " ( ").replace(')', " ) ");
    let keep = [
        "(", ")", "<=", "role", "init", "true", "does", "next", "legal", "goal", "terminal", "not",
        "distinct", "or", "0", "50", "100",
    ];
    let rename = |word: &str| match word {
        _ if keep.contains(&word) || word.starts_with('?') => word.to_string(),
        _ => format!("q{:x}", word.bytes().fold(77u32, |h, b| h.wrapping_mul(31).wrapping_add(u32::from(b)))),
    };
    spaced.split_whitespace().map(rename).collect::<Vec<_>>().join(" ")
}

/// The names of the chosen concepts with their weights.
fn concepts_in(text: &str) -> Vec<(String, f64)> {
    let game = Kept::default().open("some.kif", text, &Default::default()).unwrap();
    let mut learner = learner(&*game, &nothing_around(), "concepts:kind=wide,source=100").unwrap();
    learner.advance(&*game, &Stop::default()).unwrap();
    learner.learnt().chosen.iter().map(|c| (c.feature.name(), c.weight)).collect()
}

/// Rules with every name replaced: the same games come out of the bit-parallel machine, and the same concepts, with their names.
#[test]
fn concepts_of_scrambled_rules_are_the_same() {
    let text = include_str!("../../gdl/rules/connect-four.kif");
    let plain = concepts_in(text);
    assert_eq!(plain, concepts_in(&scrambled(text)));
}

/// Four in a row on 7 × 7 cells, each open to both.
const FOUR: &str = "(role red) (role blue) (init (control red)) (other red blue) (other blue red)
    (up 1 2) (up 2 3) (up 3 4) (up 4 5) (up 5 6) (up 6 7)
    (number 1) (number 2) (number 3) (number 4) (number 5) (number 6) (number 7)
    (<= (init (cell ?x ?y empty)) (number ?x) (number ?y))
    (<= (legal ?p (put ?x ?y)) (true (control ?p)) (true (cell ?x ?y empty)))
    (<= (legal ?p pass) (true (control ?q)) (other ?p ?q))
    (<= (next (cell ?x ?y ?p)) (does ?p (put ?x ?y)))
    (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (distinct ?c empty))
    (<= (next (cell ?x ?y empty)) (true (cell ?x ?y empty)) (does ?p (put ?a ?b))
        (or (distinct ?x ?a) (distinct ?y ?b)))
    (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
    (<= (same ?a ?a) (number ?a))
    (<= (step ?a ?b ?e ?f) (up ?a ?b) (same ?e ?f)) (<= (step ?a ?b ?e ?f) (same ?a ?b) (up ?e ?f))
    (<= (row ?a ?e ?b ?e) (up ?a ?b) (number ?e)) (<= (column ?a ?e ?a ?f) (number ?a) (up ?e ?f))
    (<= (rise ?a ?e ?b ?f) (up ?a ?b) (up ?e ?f)) (<= (fall ?a ?e ?b ?f) (up ?a ?b) (up ?f ?e))
    (<= (four ?p) (role ?p) (true (cell ?a ?e ?p)) (row ?a ?e ?b ?f) (true (cell ?b ?f ?p))
        (row ?b ?f ?c ?g) (true (cell ?c ?g ?p)) (row ?c ?g ?d ?h) (true (cell ?d ?h ?p)))
    (<= (four ?p) (role ?p) (true (cell ?a ?e ?p)) (column ?a ?e ?b ?f) (true (cell ?b ?f ?p))
        (column ?b ?f ?c ?g) (true (cell ?c ?g ?p)) (column ?c ?g ?d ?h) (true (cell ?d ?h ?p)))
    (<= (four ?p) (role ?p) (true (cell ?a ?e ?p)) (rise ?a ?e ?b ?f) (true (cell ?b ?f ?p))
        (rise ?b ?f ?c ?g) (true (cell ?c ?g ?p)) (rise ?c ?g ?d ?h) (true (cell ?d ?h ?p)))
    (<= (four ?p) (role ?p) (true (cell ?a ?e ?p)) (fall ?a ?e ?b ?f) (true (cell ?b ?f ?p))
        (fall ?b ?f ?c ?g) (true (cell ?c ?g ?p)) (fall ?c ?g ?d ?h) (true (cell ?d ?h ?p)))
    (<= open (true (cell ?x ?y empty)))
    (<= terminal (four ?p)) (<= terminal (not open))
    (<= (goal ?p 100) (four ?p)) (<= (goal ?p 0) (other ?p ?q) (four ?q))
    (<= (goal ?p 50) (role ?p) (not (four red)) (not (four blue)))";

/// A token each, which may step onto cells where nobody was; who cannot move loses.
const LAST_STEP: &str = "(role red) (role blue) (init (control red)) (other red blue) (other blue red)
    (up 1 2) (up 2 3) (up 3 4) (up 4 5) (number 1) (number 2) (number 3) (number 4) (number 5)
    (init (cell 1 3 red)) (init (cell 5 3 blue))
    (<= (step ?a ?b) (up ?a ?b)) (<= (step ?a ?b) (up ?b ?a)) (<= (step ?a ?a) (number ?a))
    (<= (taken ?x ?y) (true (cell ?x ?y ?c)))
    (<= (way ?p ?x ?y) (true (cell ?a ?b ?p)) (role ?p) (step ?a ?x) (step ?b ?y) (not (taken ?x ?y)))
    (<= (legal ?p (go ?x ?y)) (true (control ?p)) (way ?p ?x ?y))
    (<= (legal ?p pass) (true (control ?q)) (other ?p ?q))
    (<= (next (cell ?x ?y ?p)) (does ?p (go ?x ?y)))
    (<= (next (cell ?x ?y used)) (does ?p (go ?a ?b)) (true (cell ?x ?y ?p)))
    (<= (next (cell ?x ?y used)) (true (cell ?x ?y used)))
    (<= (next (cell ?x ?y ?q)) (does ?p (go ?a ?b)) (true (cell ?x ?y ?q)) (other ?p ?q))
    (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
    (<= (can ?p) (way ?p ?x ?y)) (<= stuck (true (control ?p)) (not (can ?p)))
    (<= terminal stuck)
    (<= (goal ?q 100) (true (control ?p)) (other ?p ?q) stuck) (<= (goal ?p 0) (true (control ?p)) stuck)
    (<= (goal ?p 50) (role ?p) (not stuck))";

/// Each of the five ideas comes out of scrambled rules under the name people have for it, and with the right sign.
#[test]
fn the_five_ideas_are_found_in_scrambled_rules_and_named() {
    let (three, four) =
        (include_str!("../../gdl/rules/tic-tac-toe.kif"), include_str!("../../gdl/rules/connect-four.kif"));
    for (text, ideas) in [
        (FOUR, &["threat: 3 of own", "double threat: 3 of own"][..]),
        (four, &["line: 4 of own", "line: 4 of the other's"]),
        (three, &["connection: two of the other's"]),
        (LAST_STEP, &["mobility"]),
    ] {
        let found = concepts_in(&scrambled(text));
        for idea in ideas {
            let weight = found.iter().find(|(words, _)| words.starts_with(idea)).map(|concept| concept.1);
            // What is ours is good, what is the other's is bad.
            assert!(weight.is_some_and(|w| (w > 0.0) == idea.contains("own")), "{idea} in {found:?}");
        }
    }
}

/// A source that is no game, or none on a grid, is refused and not silently replaced by the game itself.
#[test]
fn concepts_come_from_games_on_a_grid_only() {
    let games = support::games();
    let connect_four = games.open("connect-four").unwrap();
    let from = |source: &str| {
        let spec = Spec::new("concepts-selected").with("from", source);
        connect_four.learner(spec).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(from("tic-tac-toe"), Ok(()));
    assert!(from("no-such-game").unwrap_err().contains("no game called"));
    assert!(from("backgammon").unwrap_err().contains("cells on a grid"));
    let nowhere = learner(&ConnectFour, &nothing_around(), "concepts:from=tic-tac-toe");
    assert!(nowhere.unwrap_err().contains("no game called"), "without a catalogue there is no other game");
}

//! Small games for the odd corners of the language. Each is counted by hand, so that the three machines are held against the
//! meaning of the rules and not only against each other.

use ludens_gdl::agreement::{Replays, disagreement, same_distribution};
use ludens_gdl::playouts::{PlayoutOptions, one_by_one, random_playouts};
use ludens_gdl::{Description, GdlError, Limits, Reasoner, perft};

fn load(text: &str) -> Description {
    Description::load(text, &Limits::default()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn lifted(game: &Description) -> Reasoner {
    Reasoner::Lifted(Box::new(game.lifted().unwrap()))
}

/// Checks that the machines agree, and that there are so many sequences of joint moves of length 1, 2, …
fn agree(text: &str, paths: &[u64]) -> Description {
    let game = load(text);
    assert!(game.grounded().is_ok(), "{:?}", game.grounded().err());
    let depth = paths.len() as u32;
    let levels = perft(&mut game.reasoner().unwrap(), depth, 100_000).unwrap();
    assert_eq!(levels.iter().map(|l| l.paths).collect::<Vec<_>>(), paths, "incremental: {text}");
    assert_eq!(perft(&mut lifted(&game), depth, 100_000).unwrap(), levels, "lifted: {text}");
    let replays = Replays {
        incremental: 128,
        incremental_seconds: f64::INFINITY,
        lifted_before: 0,
        lifted_plies: 2_000,
        lifted_seconds: f64::INFINITY,
    };
    let done = disagreement(&game, 5, replays).unwrap().unwrap_or_else(|what| panic!("{what}: {text}"));
    assert_eq!(done.incremental, 128);
    assert!(done.lifted > 20);
    let same = same_distribution(game.grounded().unwrap(), 3, 2_000, 1.0).unwrap();
    assert!(same.z < 5.0, "bit-parallel playouts end otherwise: {same:?}");
    game
}

/// The goals of every role after some joint moves, each machine asked.
fn goals_after(game: &Description, steps: &[&[&str]]) -> Vec<Option<u8>> {
    let mut found = Vec::new();
    for mut reasoner in [game.reasoner().unwrap(), lifted(game)] {
        for step in steps {
            let joint: Vec<u32> = step
                .iter()
                .enumerate()
                .map(|(role, text)| {
                    let written = &ludens_gdl::sexpr::read_all(text, &Limits::default()).unwrap()[0];
                    reasoner.find_action(role, written, game.terms()).unwrap().expect("a legal move")
                })
                .collect();
            reasoner.advance(&joint).unwrap();
        }
        found.push((0..reasoner.role_count()).map(|r| reasoner.goal(r).unwrap()).collect::<Vec<_>>());
    }
    assert_eq!(found[0], found[1]);
    found.remove(0)
}

#[test]
fn nested_terms_in_facts_and_moves() {
    let text = "(role r) (init (holds (hand left) (card (suit red) (rank 1)))) (init (holds (hand right) nothing))
        (init (left 2)) (succ 0 1) (succ 1 2) (up (rank 1) (rank 2)) (up (rank 2) (rank 3))
        (other (hand left) (hand right)) (other (hand right) (hand left))
        (<= (legal r (give (from ?h) (card ?s ?n))) (true (holds ?h (card ?s ?n))))
        (<= (legal r (raise (hand ?which) by one)) (true (holds (hand ?which) (card ?s ?n))) (up ?n ?m))
        (<= (next (holds ?o ?card)) (does r (give (from ?h) ?card)) (other ?h ?o))
        (<= (next (holds ?h nothing)) (does r (give (from ?h) ?any)))
        (<= (next (holds ?h (card ?s ?m))) (does r (raise ?h by one)) (true (holds ?h (card ?s ?n))) (up ?n ?m))
        (<= (next (holds ?o nothing)) (does r (raise ?h by one)) (other ?h ?o))
        (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))
        (<= terminal (true (left 0)))
        (<= (goal r 100) (true (holds (hand right) (card (suit ?any) (rank 2)))))
        (<= (goal r 40) (not (true (holds (hand right) (card (suit red) (rank 2))))))";
    let game = agree(text, &[2, 4]);
    let steps =
        [&["(raise (hand left) by one)"][..], &["(give (from (hand left)) (card (suit red) (rank 2)))"]];
    assert_eq!(goals_after(&game, &steps), [Some(100)]);
}

/// Stacks of blocks as nested terms: for the rules alone they could grow for ever, so that the lifted machine plays.
#[test]
fn terms_that_could_grow_for_ever() {
    let text = "(role r) (init (tower (on a (on b (on c table))))) (init (tower table)) (init (left 3))
        (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal r (move ?x ?from ?to)) (true (tower (on ?x ?from))) (true (tower ?to))
            (distinct (on ?x ?from) ?to))
        (<= (next (tower ?from)) (does r (move ?x ?from ?to)))
        (<= (next (tower (on ?x ?to))) (does r (move ?x ?from ?to)))
        (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))
        (<= terminal (true (left 0)))
        (<= (goal r 100) (true (tower (on c (on b (on a ?rest))))))
        (<= (goal r 1) (not (true (tower (on c (on b (on a table)))))))";
    let game = Description::load(text, &Limits { terms: 100_000, ..Limits::default() }).unwrap();
    assert!(matches!(game.grounded(), Err(GdlError::TooLarge { .. })));
    // One tower's top can go onto the other; from the second step on there are two towers.
    let levels = perft(&mut game.reasoner().unwrap(), 3, 1_000).unwrap();
    assert_eq!(levels.iter().map(|l| l.paths).collect::<Vec<_>>(), [1, 2, 3]);
    let steps = [
        &["(move a (on b (on c table)) table)"][..],
        &["(move b (on c table) (on a table))"],
        &["(move c table (on b (on a table)))"],
    ];
    assert_eq!(goals_after(&game, &steps), [Some(100)]);
}

#[test]
fn or_within_not_and_not_within_or() {
    let text = "(role r) (init (n 0)) (d 0) (d 1) (d 2) (d 3) (succ 0 1) (succ 1 2) (succ 2 3)
        (odd 1) (odd 3) (big 2) (big 3) (lucky 2)
        (<= (legal r (say ?x)) (d ?x) (not (or (odd ?x) (not (big ?x)))))
        (<= (legal r (shout ?x)) (d ?x) (or (not (or (odd ?x) (big ?x))) (not (not (lucky ?x)))))
        (<= (legal r (sing ?x ?y)) (d ?x) (d ?y) (or (and (odd ?x) (big ?y)) (and (big ?x) (not (big ?y)) (distinct ?y 0)) (lucky ?x))
            (or (distinct ?x ?y) (not (odd ?x))) (or (true (n 0)) (true (n 1)) (true (n 9))))
        (<= (next (n ?m)) (true (n ?k)) (succ ?k ?m))
        (<= terminal (true (n 2)))
        (<= (goal r 100) (not (or (true (n 0)) (not (true (n 2))))))
        (<= (goal r 0) (or (true (n 0)) (true (n 1))))";
    // say: 2. shout: 0, 2. sing: pairs (1,2) (1,3) (3,2) by the first, (2,1) (3,1) by the second, (2,0) (2,1) (2,2)
    // (2,3) by the third, all distinct or with an even first: 3 + 1 (3,1) + 4 with (2,1) = 8.
    let each = 1 + 2 + 8;
    let game = agree(text, &[each, each * each]);
    assert_eq!(goals_after(&game, &[&["(say 2)"], &["(shout 0)"]]), [Some(100)]);
}

#[test]
fn facts_and_relations_without_arguments_bare_heads_and_capitals() {
    let text = "(<= (ROLE Red)) (role red) (Init Ready) (init ready) (<= always) (INIT (count x))
        (<= (LEGAL ?R Go) (Role ?R) Always) (<= (legal ?r go) (role ?r) always)
        (<= (legal Red (GO ?R)) (true ready) (true Ready) (role ?r) (role ?R))
        (<= (Next Ready) (Does Red Go))
        (<= (NEXT done) (does red go)) (<= (next step) (true Ready) (true ready))
        (<= Terminal (true step)) (<= (GOAL Red 100) (TRUE done)) (<= (goal Red 0) (Not (true done)))
        (<= (goal red 50) (or always never))";
    // Red and red are two roles, Go and go two moves, ?R and ?r two variables; Always is nothing.
    let game = agree(text, &[3]);
    assert_eq!(game.role_names(), ["Red", "red"]);
    assert_eq!(goals_after(&game, &[&["(GO red)", "go"]]), [Some(100), Some(50)]);
}

#[test]
fn goals_that_are_no_numbers_missing_or_two() {
    let text = "(role a) (role b) (role c) (role d) (role e) (init s)
        (<= (legal ?r go) (role ?r)) (<= (legal a stay) (true s))
        (<= (next moved) (does a go)) (<= terminal (not (true s)))
        (<= (goal a 37) (true moved)) (<= (goal a 7) (not (true moved)))
        (goal b 101) (goal c high) (goal d 10) (<= (goal d 20) (true moved)) (goal e 100) (goal e 101)";
    // What is no number from 0 to 100 is no goal, also beside one that is (found by fuzzing).
    let game = agree(text, &[2]);
    let go: &[&str] = &["go"; 5];
    assert_eq!(goals_after(&game, &[go]), [Some(37), None, None, None, Some(100)]);
    let stay: &[&str] = &["stay", "go", "go", "go", "go"];
    assert_eq!(goals_after(&game, &[stay]), [Some(7), None, None, Some(10), Some(100)]);
    // A playout whose end has no goal for somebody still counts as finished.
    let tally = random_playouts(&game, &PlayoutOptions { count: 100, seed: 1, step_cap: 9 }).unwrap();
    assert_eq!((tally.finished, tally.stuck), (100, 0));
}

#[test]
fn three_roles_at_once_and_nature() {
    let text = "(role x) (role random) (role y) (role z) (init (round 0)) (succ 0 1) (succ 1 2)
        (hand rock) (hand paper) (die 1) (die 2) (die 3) (die 4)
        (<= (legal ?p (show ?h)) (hand ?h) (role ?p) (distinct ?p random))
        (<= (legal random (roll ?d)) (die ?d))
        (<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
        (<= (next (all ?h)) (does x (show ?h)) (does y (show ?h)) (does z (show ?h)))
        (<= (next (six ?p)) (does random (roll 4)) (does ?p (show rock)))
        (<= (next (six ?p)) (true (six ?p)))
        (<= terminal (true (round 2))) (<= terminal (true (all ?h)))
        (<= (goal ?p 100) (true (six ?p))) (<= (goal ?p 10) (role ?p) (not (true (six ?p))))";
    // 2·4·2·2 joint moves; a quarter of them show the same three hands and end it.
    agree(text, &[32, 24 * 32]);
}

#[test]
fn recursion_through_the_state_with_negation_on_top() {
    // Lights on a ring of five are toggled; who is connected to 0 through lit ones, and who is not.
    let text = "(role r) (init (lit 1)) (init (t 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (next-to 0 1) (next-to 1 2) (next-to 2 3) (next-to 3 4) (next-to 4 0)
        (<= (near ?x ?y) (or (next-to ?x ?y) (next-to ?y ?x)))
        (<= (node ?x) (next-to ?x ?y))
        (<= (joined 0) always) (<= always)
        (<= (joined ?y) (joined ?x) (near ?x ?y) (true (lit ?y)))
        (<= (alone ?x) (node ?x) (not (joined ?x)))
        (<= (pair ?x ?y) (alone ?x) (alone ?y) (near ?x ?y))
        (<= (legal r (light ?x)) (alone ?x))
        (<= (legal r rest) (not (pair 2 3)))
        (<= (next (lit ?x)) (true (lit ?x))) (<= (next (lit ?x)) (does r (light ?x)))
        (<= (next (t ?m)) (true (t ?n)) (succ ?n ?m))
        (<= terminal (true (t 3)))
        (<= some-alone (alone ?x))
        (<= (goal r 100) (not some-alone)) (<= (goal r 30) some-alone)";
    // At first 2, 3 and 4 are alone. Light 2: {3,4}, and rest. Light 3: 3 is not joined: 2, 3, 4 again, no rest.
    // Light 4: {2,3}, no rest. So 3, then 3 + 3 + 2.
    let game = agree(text, &[3, 8]);
    let all = [&["(light 2)"][..], &["(light 3)"], &["(light 4)"]];
    assert_eq!(goals_after(&game, &all), [Some(100)]);
}

/// The numbers are odd and even by turns, though `odd` is defined by its own negation: no number is by its own.
#[test]
fn numbers_defined_by_the_negation_of_the_one_before() {
    let text = "(role a) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
        (<= (odd ?x) (succ ?y ?x) (not (odd ?y)))
        (init (at 0))
        (<= (legal a (go ?x)) (succ ?y ?x) (odd ?x)) (<= (next (at ?x)) (does a (go ?x)))
        (<= terminal (true (at 3))) (<= (goal a 100) (true (at 3))) (<= (goal a 0) (not (true (at 3))))";
    agree(text, &[2, 2, 2]);
    let refuse = |text: &str| Description::load(text, &Limits::default()).unwrap_err().to_string();
    let cyclic = text.replace("(succ 3 4)", "(succ 3 4) (succ 4 4)");
    assert!(refuse(&cyclic).starts_with("(odd 4) depends on its own negation"), "{}", refuse(&cyclic));
    let start = text.replace("(init (at 0))", "(<= (init (at ?x)) (odd ?x))");
    assert!(refuse(&start).starts_with("init depends on its own negation"), "{}", refuse(&start));
}

#[test]
fn odd_characters_comments_and_line_ends() {
    let text = "\u{feff}; ((( \"unclosed ' | ü λ 中 \u{0} \r\n(role |a|);right behind\r\n(role \"b\")\t(init (ü 中\u{a0}λ))\n\
        (init (p 1)) (init (p 01)) (init (p -1)) (init (p 1.0))\r(<= (legal ?r 100%) (role ?r)) ;;; (legal x y)\n\
        (<= (legal |a| (?odd)) (true (never)))\n(<= (legal |a| ?p)(true(p ?p)))\n\
        (<= (next (p ?x)) (true (p ?x)) (not (does |a| ?x))) (<= terminal (not (true (p 1))))\n\
        (<= (goal ?r 50) (role ?r)) ; the end, without a line end";
    // A variable cannot be the name of a function.
    assert!(matches!(Description::load(text, &Limits::default()), Err(GdlError::Rule { .. })));
    let text = text.replace("(<= (legal |a| (?odd)) (true (never)))", "");
    // 1, 01, -1 and 1.0 are four things.
    let game = agree(&text, &[5, 5 + 3 * 4]);
    assert_eq!(game.role_names(), ["|a|", "\"b\""]);
}

#[test]
fn a_first_state_made_by_rules() {
    let text = "(role r) (i 1) (i 2) (i 3) (succ 1 2) (succ 2 3)
        (less 1 ?unused) ";
    assert!(Description::load(text, &Limits::default()).is_err(), "a fact with a variable");
    let text = "(role r) (i 1) (i 2) (i 3) (succ 1 2) (succ 2 3)
        (<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))
        (<= (init (cell ?x ?y)) (less ?x ?y))
        (<= (init (cell ?x ?x)) (i ?x) (not (less ?x 3)))
        (<= (init all) (less 1 3))
        (<= (legal r (take ?x ?y)) (true (cell ?x ?y)))
        (<= (next (cell ?x ?y)) (true (cell ?x ?y)) (not (does r (take ?x ?y))))
        (<= some (true (cell ?x ?y)))
        (<= terminal (not some)) (<= (goal r 100) (not some)) (<= (goal r 0) some)";
    agree(text, &[4, 12, 24, 24]);
}

#[test]
fn one_name_for_relations_functions_and_constants() {
    let text = "(role p) (init p) (init (p p)) (init (p p p)) (p p) (p (p p) p)
        (<= (legal p (p ?x)) (true (p ?x))) (<= (legal p p) (p p)) (<= (legal p (p ?x ?y)) (p ?x ?y))
        (<= (next (p ?x ?y)) (true (p ?x ?y)) (does p (p ?x))) (<= (next (p p)) (does p p))
        (<= (next q) (does p (p (p p) p)))
        (<= terminal (not (true (p p p)))) (<= (goal p 100) (true (p p))) (<= (goal p 0) (true q))";
    let game = agree(text, &[3, 2]);
    assert_eq!(goals_after(&game, &[&["p"]]), [Some(100)]);
    assert_eq!(goals_after(&game, &[&["(p (p p) p)"]]), [Some(0)]);
}

#[test]
fn distinct_of_terms_and_its_negation() {
    let text = "(role r) (init (at (c 1 1))) (init (t 0)) (succ 0 1) (succ 1 2) (d 1) (d 2) (d 3)
        (<= (legal r (go (c ?x ?y))) (d ?x) (d ?y) (true (at ?here)) (distinct (c ?x ?y) ?here)
            (or (not (distinct ?x ?y)) (not (distinct (c ?x 2) (c 1 ?y)))))
        (<= (legal r (name ?x)) (d ?x) (not (distinct ?x 2)))
        (<= (legal r never) (d ?x) (not (distinct ?x 7)))
        (<= (legal r (pair ?x ?y)) (d ?x) (d ?y) (not (distinct (f ?x b) (f ?y ?z))) (letter ?z))
        (letter a) (letter b)
        (<= (next (at ?c)) (does r (go ?c)))
        (<= (next (at ?c)) (true (at ?c)) (does r (name ?x)))
        (<= (next (at ?c)) (true (at ?c)) (does r (pair ?x ?y)))
        (<= (next (t ?m)) (true (t ?n)) (succ ?n ?m))
        (<= terminal (true (t 2))) (<= (goal r 100) (true (at (c 1 2)))) (<= (goal r 0) (not (true (at (c 1 2)))))";
    // go: the diagonal and (1,2), without the cell it stands on: 3; name 2; pairs (x,x): 3.
    agree(text, &[7, 49]);
}

#[test]
fn facts_that_are_asked_for_and_never_made_and_an_end_at_the_start() {
    let text = "(role r) (init a) (<= (legal r (x ?y)) (true (ghost ?y))) (<= (legal r go) (not (true (ghost 1))))
        (<= (next a) (true a)) (<= (next b) (does r (x 1)) (base-like ?z)) (<= terminal (true a) (not (true b)))
        (<= (goal r 100) (true a)) (<= (goal r 0) (true b))";
    let game = agree(text, &[0]);
    assert!(game.reasoner().unwrap().is_terminal().unwrap());
    assert_eq!(goals_after(&game, &[]), [Some(100)]);
}

#[test]
fn a_role_without_a_move_is_told() {
    let text = "(role a) (role b) (init (n 0)) (legal a go) (<= (legal b go) (true (n 0))) (<= (next (n 1)) (true (n 0)))
        (<= terminal (true (n 2))) (goal a 50) (goal b 50)";
    let game = load(text);
    let tally = random_playouts(&game, &PlayoutOptions { count: 64, seed: 1, step_cap: 9 }).unwrap();
    assert_eq!((tally.finished, tally.stuck), (0, 64));
    let options = PlayoutOptions { count: 4, seed: 1, step_cap: 9 };
    let tally = one_by_one(&mut lifted(&game), &options).unwrap();
    assert_eq!((tally.finished, tally.stuck), (0, 4));
}

/// Counters up to a million squared: far too many facts to list, but only two hold at a time.
#[test]
fn huge_domains_are_played_by_the_lifted_machine() {
    let digits: String = (0..10).map(|d| format!("(d {d})")).collect();
    let next: String = (0..9).map(|d| format!("(succ {d} {})", d + 1)).collect();
    let text = format!(
        "(role r) {digits} {next} (init (n 0 0 0 0 0 0)) (init (m 0 0 0 0 0 0)) (init (t 0))
        (<= (legal r (set ?a ?b ?c ?x ?y ?z)) (d ?a) (d ?b) (true (t ?c)) (true (n ?x ?y ?z ?u ?v ?w)))
        (<= (next (n ?a ?b ?c ?x ?y ?z)) (does r (set ?a ?b ?c ?x ?y ?z)))
        (<= (next (m ?x ?y ?z ?a ?b ?c)) (does r (set ?a ?b ?c ?x ?y ?z)) (true (m ?p ?q ?r ?s ?t ?o)))
        (<= (next (t ?b)) (true (t ?a)) (succ ?a ?b))
        (<= terminal (true (t 5))) (<= (goal r 100) (true (n ?x ?y ?z ?x ?y ?z))) (<= (goal r 0) (not (true (n 0 0 0 0 0 0))))"
    );
    let small = Limits { terms: 100_000, ground_work: 2_000_000, ..Limits::default() };
    let game = Description::load(&text, &small).unwrap();
    assert!(matches!(game.grounded(), Err(GdlError::TooLarge { .. })));
    let levels = perft(&mut game.reasoner().unwrap(), 1, 1_000).unwrap();
    assert_eq!((levels[0].paths, levels[0].distinct_states), (100, 100));
    let tally = random_playouts(&game, &PlayoutOptions { count: 3, seed: 1, step_cap: 20 }).unwrap();
    assert_eq!((tally.finished, tally.length().0), (3, 5.0));
}

/// `(f ?x ?x)` ninety times: three kilobytes of rules whose term would be 2⁹⁰ symbols long.
#[test]
fn a_term_that_doubles_is_refused_with_the_limit() {
    let mut text = String::from("(role a) (role b) (init (cell t0)) (<= (d0 z))");
    text.push_str(" (d0 z)");
    for n in 0..90 {
        text.push_str(&format!(" (<= (d{} (f ?x ?x)) (d{n} ?x))", n + 1));
    }
    text.push_str(
        " (<= (init (big ?x)) (d90 ?x)) (<= (next (big ?x)) (true (big ?x))) \
         (legal a noop) (legal b noop) (<= terminal (true (cell t0))) (goal a 50) (goal b 50)",
    );
    let text = text.replace(" (<= (d0 z))", "");
    let error = Description::load(&text, &Limits::default()).unwrap_err();
    assert!(matches!(error, GdlError::TooLarge { knob: "term_bytes", limit: 4096, .. }), "{error}");
    assert!(error.to_string().contains("4096 bytes to write out one term"), "{error}");
}

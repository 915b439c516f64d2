//! The laws every player of the folder keeps: reasons change nothing, trainings resume to the byte, memories stay
//! within their limits; and the socket of gnubg.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;

use ludens_core::{Budget, Entries, Game, Learner, Mind, Model, Move, Rng, Rule, Seat, Stop, Turn};
use ludens_games::backgammon::{Backgammon, Position};
use ludens_games::tictactoe::TicTacToe;
use ludens_learners::actr;
use ludens_learners::actr::duel::{Picker, duel};
use ludens_learners::actr::gnubg::{GnubgMind, answer, find, read_request, request};
use ludens_learners::actr::pubeval::Pubeval;
use ludens_learners::beyond::actr_improved::insights::shots;
use ludens_learners::beyond::actr_improved::{self, Improved};
use ludens_learners::{beyond, registry};

mod support;
use support::{choice, explained, nothing_around, size, step};

/// Of values that are reckoned in single precision.
const PRECISION: f64 = 1e-6;

const LEARNERS: [&str; 5] = [
    "actr",
    "actr-improved:games=60",
    "actr-rehearsed:games=12,last=20",
    "td:games=1000",
    "hc:generations=400",
];

/// Made and loaded by the entries of its game, as the catalogue does.
fn make<G: Game>(entries: &Entries<G>, game: G, name: &str) -> Box<dyn Learner<G>> {
    let entry = entries.find_learner(name.split(':').next().unwrap_or(name)).expect("an entry");
    let (game, around) = (Arc::new(game), nothing_around());
    entry
        .make(&Seat { game: &game, around: &around, stop: &Stop::default() }, name.parse().expect("a name"))
        .expect("a learner")
}

fn load<G: Game>(entries: &Entries<G>, game: G, model: &Model) -> Option<Box<dyn Learner<G>>> {
    let (game, around) = (Arc::new(game), nothing_around());
    entries
        .find_learner(&model.learner)?
        .load(&Seat { game: &game, around: &around, stop: &Stop::default() }, model)
        .ok()
}

fn entries() -> Entries<Backgammon> {
    beyond::backgammon(actr::entry::add(Entries::default()))
}

fn train(learner: &mut dyn Learner<Backgammon>, steps: std::ops::Range<u64>) {
    steps.for_each(|number| drop(step(learner, &Backgammon, 7, number)));
}

#[test]
fn a_training_goes_on_where_it_stopped() {
    let entries = entries();
    let make = |name: &str| make(&entries, Backgammon, name);
    let load = |model: &Model| load(&entries, Backgammon, model);
    for name in LEARNERS {
        let steps = if name.starts_with("td") || name.starts_with("hc") { 2 } else { 12 };
        let mut whole = make(name);
        train(&mut *whole, 0..steps);
        let mut half = make(name);
        train(&mut *half, 0..steps / 2);
        let model = half.save();
        let mut other = load(&model).expect("its own model");
        train(&mut *other, steps / 2..steps);
        assert_eq!(whole.save().to_bytes(), other.save().to_bytes(), "{name}");
        for tensor in model.tensors.keys().filter(|tensor| !tensor.starts_with("episodes")) {
            let mut broken = model.clone();
            broken.tensors.remove(tensor);
            assert!(load(&broken).is_none(), "{name} without {tensor}");
        }
    }
}

#[test]
fn reasons_change_nothing_and_make_up_the_value() {
    let texts = ["4HPwATDgc/ABMA:31", "4HPwATDgc/ABMA:66", "NndDAAPvbgYAIA:52", "+Z+AgBA/PgBFEA:62:second"];
    for name in LEARNERS {
        let mut learner = make(&entries(), Backgammon, name);
        train(&mut *learner, 0..if name.starts_with("td") { 1 } else { 3 });
        for text in texts {
            let state = Backgammon.parse(text).expect("a position");
            let (ranking, cost) = explained(&mut *learner, &Backgammon, &state, Budget::Unlimited);
            // Who counts the rolls that hit looks at them as well, and pays.
            let rolls = name.starts_with("actr-") && state.contact();
            assert!(cost.states >= ranking.moves.len() as u64, "{name} {text}");
            assert_eq!(cost.states > ranking.moves.len() as u64, rolls, "{name} {text}");
            // The networks show what they would lose without an input; the memories' odds and sums make up the value.
            let gap = ranking.gap().unwrap_or(0.0);
            assert!(gap <= PRECISION * size(&ranking), "{name} {text}: {gap}");
            assert_eq!(ranking.rule == Rule::Drawn, name == "actr" && cost.states > 1, "{name} {text}");
        }
    }
}

#[test]
fn sixty_games_teach_the_improved_player_something() {
    let mut player =
        Improved::new(actr_improved::Settings { games: 60, ..actr_improved::Settings::default() });
    (0..60).for_each(|number| drop(step(&mut player, &Backgammon, 1, number)));
    let share = duel(&mut player, &mut Pubeval::default(), 400, 5).win_share();
    assert!(share > 0.2, "{share}");
    assert!(player.ledger().chunks < 50 && player.ledger().games == 60);
    assert_eq!(player.table().lines().count(), actr_improved::CHUNKS + 1);
}

/// The rolls that hit, counted by playing them all.
#[test]
fn shots_are_the_rolls_that_hit() {
    let mut rng = Rng::new(11);
    let mut plays = Vec::new();
    let (mut seen, mut exact) = (0, 0);
    for unit in 0..40 {
        let mut dice = Rng::stream(12, unit);
        let mut state = Backgammon.start();
        while state.winner().is_none() {
            state.roll_dice(&mut dice);
            state.plays(&mut plays);
            let mv = plays[rng.below(plays.len() as u32) as usize];
            Backgammon.apply(&mut state, mv);
            let (on_roll, waiting) = (state.mover(), state.mover().other());
            let (rolls, _) = shots(state.men(on_roll), state.men(waiting));
            let mut counted = 0;
            let mut outcomes = Vec::new();
            Backgammon.chance(&state, &mut outcomes);
            for &(roll, probability) in &outcomes {
                let mut rolled = state.clone();
                Backgammon.apply(&mut rolled, roll);
                rolled.plays(&mut plays);
                let before = state.men(waiting).bar();
                if plays.iter().any(|&mv| rolled.after(mv).men(waiting).bar() > before) {
                    counted += (probability * 36.0).round() as u32;
                }
            }
            seen += 1;
            exact += u32::from(counted == rolls);
            // The rule of most dice and men left on the bar can forbid a hit that the reach of the dice allows.
            assert!(counted <= rolls, "{} {counted} {rolls}", Backgammon.text(&state));
        }
    }
    assert!(exact * 100 > seen * 95, "{exact} of {seen}");
}

struct Seated(GnubgMind);

impl Picker for Seated {
    fn pick(&mut self, state: &Position, rng: &mut Rng) -> Move {
        choice(&mut self.0, &Backgammon, state, rng)
    }
}

#[test]
fn requests_to_gnubg_and_from_it() {
    let state = Backgammon.parse("4HPwATDgc/ABMA:31").expect("a position");
    let line = request(&state);
    assert_eq!(line.trim().split(':').count(), 53);
    assert_eq!(read_request(&line), Some(state));
    // gnubg draws from its own side and says turn −1 when we are to move.
    let board = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0";
    let asked = read_request(&format!("board:gnubg:us:1:0:0:{board}:-1:0:0:3:1:1:1:1:0\n\0"));
    assert_eq!(asked, Backgammon.parse("4HPwATDgc/ABMA:31").ok());
    for bad in ["", "board:", "board:a:b:1:0:0:1:2:3", "board:a:b:1:0:0:x"] {
        assert_eq!(read_request(bad), None, "{bad}");
    }
}

#[test]
fn our_minds_answer_as_external_players() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let server = std::thread::spawn(move || {
        let (stream, _) = listener.accept().expect("a caller");
        answer(stream, &mut Pubeval::default(), &mut Rng::new(1)).expect("a conversation")
    });
    let mut stream = TcpStream::connect(address).expect("the server");
    let state = Backgammon.parse("4HPwATDgc/ABMA:31").expect("a position");
    let mut reader = BufReader::new(stream.try_clone().expect("two ends"));
    let mut reply = String::new();
    for (line, wanted) in
        [(request(&state), "8/5 6/5\n"), ("\0board:nonsense\n".into(), "Error: no board with a roll\n")]
    {
        stream.write_all(line.as_bytes()).expect("sent");
        reply.clear();
        reader.read_line(&mut reply).expect("a reply");
        assert_eq!(reply, wanted);
    }
    stream.shutdown(Shutdown::Both).expect("closed");
    assert_eq!(server.join().expect("no panic"), 2);
}

/// `cargo xtask test` installs gnubg: CI must have it, elsewhere its absence is said.
fn gnubg_is_here() -> bool {
    let found = find();
    if let Err(error) = &found {
        assert!(std::env::var_os("CI").is_none(), "{error}");
        println!("NOTHING WAS COMPARED: {error}");
    }
    found.is_ok()
}

#[test]
fn gnubg_plays_whole_games_where_it_is_installed() {
    if !gnubg_is_here() {
        return;
    }
    let mut seated = Seated(GnubgMind::new(0));
    let tally = duel(&mut seated, &mut Pubeval::default(), 10, 3);
    assert_eq!(tally.games(), 10);
    let state = Backgammon.parse("4HPwATDgc/ABMA:31").expect("a position");
    let (ranking, _) = explained(&mut seated.0, &Backgammon, &state, Budget::Unlimited);
    assert_eq!(Backgammon.label(&state, ranking.moves[0].mv), "8/5 6/5");
}

/// The other way round: gnubg owns the game and asks one of our minds for every play.
#[test]
fn gnubg_asks_our_minds_where_it_is_installed() {
    if !gnubg_is_here() {
        return;
    }
    let gnubg = find().expect("gnubg");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let server = std::thread::spawn(move || {
        let (stream, _) = listener.accept().expect("a caller");
        answer(stream, &mut Pubeval::default(), &mut Rng::new(1))
    });
    let home = std::env::temp_dir().join(format!("ludens-external-{}", std::process::id()));
    std::fs::create_dir_all(&home).expect("a folder");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/gnubg_external.py");
    let output = std::process::Command::new(gnubg)
        .args(["-t", "-q", "-r", "-p", script])
        .env("HOME", &home)
        .env("LUDENS_PORT", address.port().to_string())
        .env("LUDENS_GAMES", "3")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("gnubg runs");
    std::fs::remove_dir_all(&home).expect("the folder goes");
    // Frees the server if gnubg never called.
    let _ = TcpStream::connect(address);
    let asked = server.join().expect("no panic").unwrap_or(0);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(said.lines().filter(|line| line.contains("WINNER")).count(), 3, "{said}");
    assert!(asked > 30, "{asked}");
}

/// The odds memory on another game, tic-tac-toe, against a random player: over lines, and over concepts.
#[test]
fn lines_and_odds_learn_tic_tac_toe() {
    odds_learn_tic_tac_toe("odds");
}

#[test]
fn concepts_and_odds_learn_tic_tac_toe() {
    odds_learn_tic_tac_toe("odds:features=concepts");
}

fn odds_learn_tic_tac_toe(name: &str) {
    let (game, entries) = (TicTacToe, registry::general());
    let mut learner = make(&entries, game, name);
    let mut won = [0u32; 2];
    (0..400).for_each(|number| drop(step(&mut *learner, &game, 2, number)));
    let again = load(&entries, game, &learner.save()).expect("its own model");
    assert_eq!(again.save().to_bytes(), learner.save().to_bytes());
    let mut moves = Vec::new();
    for unit in 0..400 {
        let mut rng = Rng::stream(3, unit);
        let mut state = game.start();
        let score = loop {
            match game.turn(&state) {
                Turn::Over(score) => break score,
                Turn::Player(side) => {
                    let mv = if side.index() as u64 == unit % 2 {
                        choice(&mut *learner, &game, &state, &mut rng)
                    } else {
                        game.moves(&state, &mut moves);
                        moves[rng.below(moves.len() as u32) as usize]
                    };
                    game.apply(&mut state, mv);
                }
                Turn::Chance => unreachable!("tic-tac-toe has no dice"),
            }
        };
        let ours = if unit % 2 == 0 { score.0 } else { -score.0 };
        won[0] += u32::from(ours > 0.0);
        won[1] += u32::from(ours < 0.0);
    }
    assert!(won[0] > 4 * won[1], "{won:?}");
    for text in ["x...o....", "xo..x....", "x.o.x...o"] {
        let state = game.parse(text).expect("a position");
        let (ranking, _) = explained(&mut *learner, &game, &state, Budget::Unlimited);
        let gap = ranking.gap().expect("the odds multiply");
        assert!(gap <= PRECISION * size(&ranking), "{name} {text}: {gap}");
    }
}

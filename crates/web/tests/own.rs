//! A user's own game and own minds: what is in the catalogue is on the page, and what fails there fails alone.

mod common;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use common::{PANICS, Served, start_house};
use ludens_catalogue::Catalogue;
use ludens_core::{
    About, Board, Ctx, Game, GameAbout, Layout, Made, Mind, MindError, MindKind, Move, PositionError,
    Ranking, Reason, Score, Seat, SettingAbout, Side, Spec, Square, Turn,
};
use ludens_web::{Config, Limits};
use serde_json::{Value, json};

/// Seven matches; a player takes one or two, and whoever takes the last one wins.
#[derive(Clone, Copy, Debug)]
struct Matches;

const PILE: u8 = 7;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Pile {
    left: u8,
    to_move: Side,
}

impl Game for Matches {
    type State = Pile;

    fn id(&self) -> String {
        "matches".into()
    }

    fn about(&self) -> GameAbout {
        GameAbout::new(
            "matches",
            "Seven matches",
            "who takes the last one wins",
            "a number and a side: 5 first",
        )
    }

    fn start(&self) -> Pile {
        Pile { left: PILE, to_move: Side::First }
    }

    fn turn(&self, state: &Pile) -> Turn {
        match state.left {
            0 => Turn::Over(Score::win_for(state.to_move.other())),
            _ => Turn::Player(state.to_move),
        }
    }

    fn moves(&self, state: &Pile, out: &mut Vec<Move>) {
        out.clear();
        out.extend((1..=u32::from(state.left.min(2))).map(Move));
    }

    fn apply(&self, state: &mut Pile, mv: Move) {
        *state = Pile { left: state.left - mv.0 as u8, to_move: state.to_move.other() };
    }

    fn label(&self, _: &Pile, mv: Move) -> String {
        format!("take {}", mv.0)
    }

    fn board(&self, state: &Pile) -> Board {
        let mut board = Board::grid(Layout::Grid, u16::from(PILE), 1, [("match", 'i'), ("taken", '.')]);
        for cell in 0..usize::from(state.left) {
            board.squares[cell] = Square::stone(Side::First);
        }
        board
    }

    fn cells(&self, state: &Pile, mv: Move) -> Vec<u16> {
        (u16::from(state.left).saturating_sub(mv.0 as u16)..u16::from(state.left)).collect()
    }

    fn text(&self, state: &Pile) -> String {
        format!("{} {}", state.left, state.to_move)
    }

    fn parse(&self, text: &str) -> Result<Pile, PositionError> {
        let read = || {
            let (left, side) = text.split_once(' ')?;
            let to_move = Side::BOTH.into_iter().find(|known| known.to_string() == side)?;
            Some(Pile { left: left.parse().ok().filter(|left| *left <= PILE)?, to_move })
        };
        read().ok_or_else(|| PositionError {
            game: self.id(),
            text: text.into(),
            problem: "it is no pile".into(),
            format: self.about().position_format,
        })
    }
}

/// Gives every move its number, and says so.
#[derive(Clone, Copy, Debug)]
struct Greedy;

impl MindKind for Greedy {
    fn about(&self) -> About {
        About::new("greedy", "The greedy one", "takes what has the highest number")
    }

    fn make<G: Game>(&self, _: &Seat<G>, _: &mut Spec) -> Made<G> {
        Ok(Box::new(Greedy))
    }
}

impl<G: Game> Mind<G> for Greedy {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let mut ranking = Ranking::of(moves.into_iter().map(|mv| (mv, f64::from(mv.0))));
        if ctx.explain.is_wanted() {
            ranking.how = ludens_core::words::How::Own("It takes what it can.".into());
            for value in &mut ranking.moves {
                value.reasons.push(Reason::term("so many", value.value, game.cells(state, value.mv)));
            }
        }
        Ok(ranking)
    }
}

/// Can be made for every game, and never goes on.
#[derive(Clone, Copy, Debug)]
struct Moody;

const WORDS: &str = "moody cannot go on: the program it asks has gone; start it again";

impl MindKind for Moody {
    fn about(&self) -> About {
        About::new("moody", "The moody one", "gives up")
    }

    fn make<G: Game>(&self, _: &Seat<G>, _: &mut Spec) -> Made<G> {
        Ok(Box::new(Moody))
    }
}

impl<G: Game> Mind<G> for Moody {
    fn rank(&mut self, _: &G, _: &G::State, _: &mut Ctx) -> Result<Ranking, MindError> {
        let problem = "the program it asks has gone; start it again".into();
        Err(MindError::Stuck { mind: "moody".into(), problem })
    }
}

/// Takes settings that no client may set, and counts those that got through.
#[derive(Clone, Copy, Debug)]
struct Reader;

static READ: AtomicU64 = AtomicU64::new(0);

impl MindKind for Reader {
    fn about(&self) -> About {
        let setting = |key: &str, limits: &str| SettingAbout {
            key: key.into(),
            help: "what it reads".into(),
            default: "none".into(),
            limits: limits.into(),
        };
        About::new("reader", "The reader", "reads a file before it moves")
            .settings(vec![setting("path", "a file"), setting("from", "a name or a file")])
    }

    fn make<G: Game>(&self, _: &Seat<G>, spec: &mut Spec) -> Made<G> {
        for key in ["path", "from"] {
            let read: Option<String> = spec.take(key, "a file")?;
            READ.fetch_add(u64::from(read.is_some()), Ordering::SeqCst);
        }
        Ok(Box::new(Greedy))
    }
}

fn serve(home: Option<&std::path::Path>) -> Served {
    let house = Catalogue::standard().with_game(Matches).with_mind(Greedy).with_mind(Moody).with_mind(Reader);
    let config =
        Config { port: 0, home: home.map(Into::into), limits: Limits::default(), ..Config::default() };
    start_house(house, config)
}

fn find<'a>(list: &'a Value, key: &str, name: &str) -> &'a Value {
    let found = list.as_array().unwrap().iter().find(|entry| entry[key] == name);
    found.unwrap_or_else(|| panic!("{name} is not among {list}"))
}

fn wait(server: &Served, path: &str) -> Value {
    let begun = Instant::now();
    loop {
        let state = server.get(path).json();
        if state["running"] == false {
            return state;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{path} stays {state}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn an_own_game_is_listed_played_and_explained() {
    let server = serve(None);
    let catalog = server.get("/api/catalog").json();
    let game = find(&catalog["games"], "id", "matches");
    assert_eq!(game["title"], "Seven matches");
    assert_eq!(game["start"]["text"], "7 first");
    assert_eq!(find(&game["minds"], "name", "greedy")["title"], "The greedy one");
    let settings = &find(&game["minds"], "name", "reader")["settings"];
    let path = json!({ "key": "path", "meaning": "what it reads", "default": "none", "limits": "a file" });
    assert_eq!(settings[0], path);
    find(&find(&catalog["games"], "id", "tic-tac-toe")["minds"], "name", "greedy");

    let session = server.begin("matches", "greedy", 1);
    let call = |name: &str| format!("/api/sessions/{}/{name}", session["id"].as_str().unwrap());
    server.call(&call("move"), &json!({ "mv": 1 }));
    let replied = server.call(&call("reply"), &json!({}));
    assert_eq!(replied["view"]["text"], "4 first");
    let decision = &replied["last_decision"];
    assert_eq!(decision["summary"], "It takes what it can.");
    assert_eq!(decision["moves"][0]["label"], "take 2");
    assert_eq!(decision["moves"][0]["reasons"][0]["cells"], json!([4, 5]));
    let asked = server.call(&call("why"), &json!({ "mind": "alphabeta", "ply": 0 }));
    assert_eq!(asked["label"], "take 1", "one match leaves six, a lost pile: {asked}");
}

#[test]
fn an_own_game_is_trained_on_and_own_minds_are_compared() {
    let home = tempfile::tempdir().unwrap();
    let server = serve(Some(home.path()));
    let new = json!({ "game": "matches", "minds": ["alphabeta", "greedy", "random"], "games": 40 });
    let begun = server.call("/api/matches", &new);
    let state = wait(&server, &format!("/api/matches/{}", begun["id"].as_str().unwrap()));
    assert_eq!(state["error"], Value::Null);
    assert_eq!(state["report"]["standings"][0]["mind"], "alphabeta", "{state}");

    let catalog = server.get("/api/catalog").json();
    let learners = &find(&catalog["games"], "id", "matches")["learners"];
    let learner = find(learners, "name", "nhb");
    let new = json!({ "game": "matches", "learner": "nhb", "steps": 3, "seed": 1 });
    let begun = server.call("/api/trainings", &new);
    let state = wait(&server, &format!("/api/trainings/{}", begun["id"].as_str().unwrap()));
    assert_eq!([&state["error"], &state["finished"]], [&Value::Null, &json!(true)]);
    assert!(state["curve"][0]["values"]["wins against random"].is_number(), "{state}");
    let mind = state["mind"].as_str().unwrap();
    let catalog = server.get("/api/catalog").json();
    let listed = find(&find(&catalog["games"], "id", "matches")["minds"], "name", mind)["title"].clone();
    assert_eq!(listed, format!("{}, run 1", learner["title"].as_str().unwrap()));
    let session = server.begin("matches", mind, 1);
    let call = |name: &str| format!("/api/sessions/{}/{name}", session["id"].as_str().unwrap());
    server.call(&call("move"), &json!({ "mv": 1 }));
    server.call(&call("reply"), &json!({}));
}

#[test]
fn a_mind_that_gives_up_says_why_and_the_game_stays_as_it_was() {
    let server = serve(None);
    for game in ["matches", "tic-tac-toe"] {
        let session = server.begin(game, "moody", 1);
        let call = |name: &str| format!("/api/sessions/{}/{name}", session["id"].as_str().unwrap());
        let before = server.call(&call("move"), &json!({ "mv": session["view"]["moves"][0]["mv"] }));
        for _ in 0..2 {
            let answer = server.post(&call("reply"), &json!({}));
            assert_eq!(answer.status, 502, "{}", answer.text());
            assert_eq!(answer.json()["error"]["message"], WORDS);
        }
        let asked = server.post(&call("why"), &json!({ "mind": "moody" }));
        assert_eq!(asked.json()["error"]["message"], WORDS);
        let after = server.get(call("").trim_end_matches('/')).json();
        assert_eq!(after, before);
        let hint = server.call(&call("why"), &json!({ "mind": "greedy" }));
        assert_eq!(hint["ply"], 1, "others can still be asked");
        server.call(&call("undo"), &json!({}));
    }
    let new = json!({ "game": "matches", "minds": ["moody", "greedy"], "games": 4 });
    let begun = server.call("/api/matches", &new);
    let state = wait(&server, &format!("/api/matches/{}", begun["id"].as_str().unwrap()));
    assert!(state["error"].as_str().is_some_and(|error| error.contains(WORDS)), "{state}");
    assert_eq!(PANICS.load(Ordering::SeqCst), 0, "something panicked");
}

/// Every call that names a mind or a learner, with names that would reach the disk.
#[test]
fn private_settings_are_refused_before_anything_is_made() {
    let home = tempfile::tempdir().unwrap();
    let server = serve(Some(home.path()));
    let session = server.begin("matches", "greedy", 1);
    let why = format!("/api/sessions/{}/why", session["id"].as_str().unwrap());
    for wrong in ["reader:path=secret", "reader:from=rules.kif", "reader:x=1,path=y", "reader:from=a..b"] {
        let seats = json!([{ "kind": "human" }, { "kind": "mind", "mind": wrong }]);
        for (path, body) in [
            ("/api/sessions", json!({ "game": "matches", "seats": seats })),
            (why.as_str(), json!({ "mind": wrong })),
            ("/api/matches", json!({ "game": "matches", "minds": ["greedy", wrong], "games": 2 })),
            ("/api/trainings", json!({ "game": "matches", "learner": wrong })),
        ] {
            let answer = server.post(path, &body);
            assert_eq!(answer.status, 400, "{path} {wrong}: {}", answer.text());
            assert!(answer.text().contains("cannot be"), "{path} {wrong}: {}", answer.text());
        }
    }
    assert_eq!(READ.load(Ordering::SeqCst), 0, "a private setting got through");
    server.begin("matches", "reader:from=matches", 1);
    assert_eq!(READ.load(Ordering::SeqCst), 1, "a name that is no file is allowed");
}

//! A mind that is another program, asked over a pipe: its standard input and output. A small JSON protocol for every game, one line a
//! question and one line an answer; GTP where programs speak it, in Connect Four and Reversi.
//!
//! JSON: `{"game":"connect-four","position":"4433","side":"first","moves":[{"mv":0,"label":"1"},…]}` is answered by `{"label":"4"}` or
//! `{"mv":3}`. GTP: `clear_board`, `play b d1`, `genmove w`.

use std::collections::{HashSet, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use ludens_core::words::How;
use ludens_core::{
    About, Ctx, Game, Layout, Made, Mind, MindError, MindKind, Move, Ranking, Seat, SettingAbout, Side, Spec,
    Turn,
};
use serde_json::{Value, json};

/// What a list calls it.
pub const NAME: &str = "pipe";
const KEYS: [&str; 3] = ["command", "protocol", "seconds"];

/// Another program as a mind for every game.
#[derive(Clone, Copy, Debug)]
pub struct Pipe;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Protocol {
    Json,
    Gtp,
}

impl MindKind for Pipe {
    fn about(&self) -> About {
        let setting = |key: &str, help: &str, default: &str, limits: &str| SettingAbout {
            key: key.into(),
            help: help.into(),
            default: default.into(),
            limits: limits.into(),
        };
        About::new(NAME, "Another program", "a program of yours, asked over its standard input and output")
            .needs("the command of a program: pipe:command=./engine")
            .settings(vec![
                setting("command", "the program and its arguments, separated by spaces", "none", "a command"),
                setting(
                    "protocol",
                    "json for every game, gtp for Connect Four and Reversi",
                    "json",
                    "json or gtp",
                ),
                setting("seconds", "how long an answer may take", "10", "from 0.01 to 3600"),
            ])
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> Made<G> {
        let Some(command) = spec.take::<String>("command", "a command")? else {
            return Err(seat.lacks(NAME, "it needs the command of a program: pipe:command=./engine"));
        };
        let protocol = match spec.take_or("protocol", "json".to_string(), "json or gtp")?.as_str() {
            "json" => Protocol::Json,
            "gtp" => Protocol::Gtp,
            other => {
                return Err(MindError::Other(format!("{other:?} is no protocol of a pipe: json or gtp")));
            }
        };
        let seconds = spec.take_in("seconds", 10.0, 0.01..=3600.0)?;
        std::mem::replace(spec, Spec::new(NAME)).finish(&KEYS)?;
        let game: &G = seat.game;
        let board = game.board(&game.start());
        if protocol == Protocol::Gtp && board.layout == Layout::Points {
            return Err(seat.lacks(NAME, "GTP has no dice; use protocol=json"));
        }
        let mut program = Program::start(&command, Duration::from_secs_f64(seconds))?;
        if protocol == Protocol::Gtp {
            program.gtp(&format!("boardsize {}", board.width.max(board.height)))?;
        }
        Ok(Box::new(Asked { program, protocol, known: None::<G::State> }))
    }
}

/// A running program. It ends with this value.
#[derive(Debug)]
struct Program {
    command: String,
    process: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    patience: Duration,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Program {
    fn start(command: &str, patience: Duration) -> Result<Program, MindError> {
        let mut words = command.split_whitespace();
        let name = words.next().unwrap_or_default();
        let started = Command::new(name).args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = started.map_err(|error| MindError::Stuck {
            mind: NAME.into(),
            problem: format!("cannot start {name:?}: {error}. Give the whole path of the program"),
        })?;
        let missing = || MindError::Other("the program has no standard input or output".into());
        let (input, output) =
            (process.stdin.take().ok_or_else(missing)?, process.stdout.take().ok_or_else(missing)?);
        let (send, lines) = channel();
        // A program that hangs must not hang us: its lines are read beside the game.
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { break };
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Program { command: command.into(), process, input, lines, patience })
    }

    fn stuck(&self, problem: impl std::fmt::Display) -> MindError {
        MindError::Stuck { mind: format!("{NAME} ({})", self.command), problem: problem.to_string() }
    }

    fn write(&mut self, line: &str) -> Result<(), MindError> {
        let written = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        written.map_err(|error| self.stuck(format!("it does not read: {error}")))
    }

    fn read(&mut self) -> Result<String, MindError> {
        self.lines.recv_timeout(self.patience).map_err(|error| match error {
            RecvTimeoutError::Timeout => self.stuck(format!("no answer within {:?}", self.patience)),
            RecvTimeoutError::Disconnected => self.stuck("it has ended"),
        })
    }

    /// One command of GTP; what it answers behind the equals sign.
    fn gtp(&mut self, command: &str) -> Result<String, MindError> {
        self.write(command)?;
        let mut answer = String::new();
        loop {
            let line = self.read()?;
            if line.trim().is_empty() {
                if answer.is_empty() {
                    continue;
                }
                break;
            }
            if answer.is_empty() {
                answer = line.trim().to_string();
            }
        }
        match answer.strip_prefix('=') {
            Some(rest) => Ok(rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_string()),
            None => Err(self.stuck(format!("it answered {answer:?} to {command:?}"))),
        }
    }
}

struct Asked<S> {
    program: Program,
    protocol: Protocol,
    /// The position the program has on its board.
    known: Option<S>,
}

impl<G: Game> Mind<G> for Asked<G::State> {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        let mut legal = Vec::new();
        game.moves(state, &mut legal);
        ctx.meter.add_states(1);
        let Turn::Player(side) = game.turn(state) else { return Err(MindError::NoMove) };
        let chosen = match self.protocol {
            Protocol::Json => self.ask_json(game, state, side, &legal)?,
            Protocol::Gtp => self.ask_gtp(game, state, side, &legal)?,
        };
        let mut ranking =
            Ranking::of(legal.iter().map(|&mv| (mv, f64::from(u8::from(mv == chosen))))).prefer(chosen);
        ranking.how = How::OtherProgram(self.program.command.clone());
        Ok(ranking)
    }

    fn new_game(&mut self) {
        self.known = None;
    }
}

fn names(side: Side) -> [&'static str; 2] {
    // As JSON and as GTP say it.
    match side {
        Side::First => ["first", "b"],
        Side::Second => ["second", "w"],
    }
}

/// A move as GTP writes it: a letter and a row, or `pass`.
pub fn vertex<G: Game>(game: &G, state: &G::State, mv: Move) -> String {
    let board = game.board(state);
    match game.cells(state, mv).last() {
        None => "pass".into(),
        Some(&cell) if board.layout == Layout::Gravity => {
            let cell = board.cell(usize::from(cell));
            format!("{}{}", char::from(b'a' + cell.column as u8), cell.row + 1)
        }
        Some(_) => game.label(state, mv).to_lowercase(),
    }
}

impl<S: Clone> Asked<S> {
    fn ask_json<G: Game<State = S>>(
        &mut self,
        game: &G,
        state: &S,
        side: Side,
        legal: &[Move],
    ) -> Result<Move, MindError> {
        let moves: Vec<Value> =
            legal.iter().map(|&mv| json!({ "mv": mv.0, "label": game.label(state, mv) })).collect();
        let question = json!({ "game": game.id(), "position": game.text(state), "side": names(side)[0], "moves": moves });
        self.program.write(&question.to_string())?;
        let line = self.program.read()?;
        let wrong =
            |program: &Program| program.stuck(format!("it answered {line:?}; write {{\"label\":\"…\"}}"));
        let answer: Value = serde_json::from_str(&line).map_err(|_| wrong(&self.program))?;
        let by_number = answer["mv"].as_u64().and_then(|mv| u32::try_from(mv).ok()).map(Move);
        let by_label = || answer["label"].as_str().and_then(|label| game.find_move(state, label).ok());
        let found = by_number.or_else(by_label).filter(|mv| legal.contains(mv));
        found.ok_or_else(|| wrong(&self.program))
    }

    fn ask_gtp<G: Game<State = S>>(
        &mut self,
        game: &G,
        state: &S,
        side: Side,
        legal: &[Move],
    ) -> Result<Move, MindError> {
        self.catch_up(game, state)?;
        let answer = self.program.gtp(&format!("genmove {}", names(side)[1]))?.to_lowercase();
        let found = legal.iter().copied().find(|&mv| vertex(game, state, mv) == answer);
        let mv = found
            .ok_or_else(|| self.program.stuck(format!("it answered {answer:?}, which is no legal move")))?;
        let mut after = state.clone();
        game.apply(&mut after, mv);
        self.known = Some(after);
        Ok(mv)
    }

    /// Tells the program the moves since it was last asked: GTP has no way to set up a position.
    fn catch_up<G: Game<State = S>>(&mut self, game: &G, state: &S) -> Result<(), MindError> {
        let wanted = game.text(state);
        let from_known = self.known.as_ref().and_then(|known| path(game, known, &wanted));
        let moves = match from_known {
            Some(moves) => moves,
            None => {
                self.program.gtp("clear_board")?;
                let far =
                    || self.program.stuck("GTP cannot set up this position: it is too far from the start");
                path(game, &game.start(), &wanted).ok_or_else(far)?
            }
        };
        for (side, vertex) in moves {
            self.program.gtp(&format!("play {} {vertex}", names(side)[1]))?;
        }
        Ok(())
    }
}

/// How many positions are looked at for the way from one to another: some plies of the games GTP is for.
const MOST_LOOKED_AT: usize = 60_000;

/// The shortest way to the position that is written so.
fn path<G: Game>(game: &G, from: &G::State, wanted: &str) -> Option<Vec<(Side, String)>> {
    let mut queue = VecDeque::from([(from.clone(), Vec::new())]);
    let mut seen = HashSet::new();
    let mut moves = Vec::new();
    while let Some((state, way)) = queue.pop_front() {
        let text = game.text(&state);
        if text == wanted {
            return Some(way);
        }
        let Turn::Player(side) = game.turn(&state) else { continue };
        if !seen.insert(text) || seen.len() > MOST_LOOKED_AT {
            continue;
        }
        game.moves(&state, &mut moves);
        for &mv in &moves {
            let mut next = state.clone();
            game.apply(&mut next, mv);
            let mut longer = way.clone();
            longer.push((side, vertex(game, &state, mv)));
            queue.push_back((next, longer));
        }
    }
    None
}

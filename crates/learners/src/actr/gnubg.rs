//! GNU Backgammon as an opponent, over its external socket: we own the dice and the rules, it picks the plays.
//!
//! `gnubg` is started in a scratch home folder with a file of commands that makes it listen; each decision is one line to
//! it and one line back. [`answer`] is the other way round: gnubg asks one of our minds.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ludens_core::words::How;
use ludens_core::{Ctx, Game, Meter, Mind, MindError, Move, Ranking, Rng, Side};
use ludens_games::backgammon::{Backgammon, Men, PASS, Position, Roll};
use thiserror::Error;

/// Why gnubg did not play.
#[derive(Debug, Error)]
pub enum GnubgError {
    /// It is not there, or not allowed to run.
    #[error("cannot start gnubg: {0}. Install it (`apt-get install gnubg`) or set LUDENS_GNUBG to its path")]
    Start(std::io::Error),
    /// It runs, and cannot be reached.
    #[error("gnubg does not listen on port {port}: {problem}. Try it by hand: `gnubg -t -q -r`")]
    Listen {
        /// Where it was to listen.
        port: u16,
        /// What went wrong.
        problem: String,
    },
    /// The connection broke.
    #[error("gnubg broke off: {0}")]
    Talk(std::io::Error),
    /// It answered, and not with a legal play.
    #[error("gnubg answered {answer:?}, which is no legal play here")]
    Answer {
        /// What it said.
        answer: String,
    },
}

/// A running gnubg. It ends with this value.
#[derive(Debug)]
pub struct Gnubg {
    process: Child,
    home: PathBuf,
    stream: BufReader<TcpStream>,
}

impl Gnubg {
    pub(crate) fn start(plies: u8) -> Result<Gnubg, GnubgError> {
        // A port that is free now; gnubg takes it a moment later.
        let probe = TcpListener::bind("127.0.0.1:0").map_err(GnubgError::Start)?;
        let port = probe.local_addr().map_err(GnubgError::Start)?.port();
        drop(probe);
        let home = std::env::temp_dir().join(format!("ludens-gnubg-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&home).map_err(GnubgError::Start)?;
        let commands = home.join("commands.txt");
        std::fs::write(&commands, start_commands(plies, port)).map_err(GnubgError::Start)?;
        let process = Command::new(find()?)
            .args(["-t", "-q", "-r", "-c"])
            .arg(&commands)
            .env("HOME", &home)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(GnubgError::Start)?;
        let mut process = process;
        match connect(port) {
            Ok(stream) => Ok(Gnubg { process, home, stream: BufReader::new(stream) }),
            Err(error) => {
                end(&mut process, &home);
                Err(error)
            }
        }
    }

    /// What gnubg plays in a position with a roll and more than one legal play.
    pub fn ask(&mut self, state: &Position) -> Result<Move, GnubgError> {
        let request = request(state);
        self.stream.get_mut().write_all(request.as_bytes()).map_err(GnubgError::Talk)?;
        let mut answer = String::new();
        self.stream.read_line(&mut answer).map_err(GnubgError::Talk)?;
        let play = answer.trim_matches(['\0', ' ', '\n', '\r']);
        Backgammon.find_move(state, play).map_err(|_| GnubgError::Answer { answer: play.into() })
    }
}

impl Drop for Gnubg {
    fn drop(&mut self) {
        // It is going away anyhow: nothing is left to be done about an error.
        let _ = self.stream.get_mut().shutdown(Shutdown::Both);
        end(&mut self.process, &self.home);
    }
}

fn end(process: &mut Child, home: &PathBuf) {
    let _ = process.kill();
    let _ = process.wait();
    let _ = std::fs::remove_dir_all(home);
}

/// The program: LUDENS_GNUBG, or where Debian puts it, or what the path finds.
pub fn find() -> Result<PathBuf, GnubgError> {
    let named = std::env::var_os("LUDENS_GNUBG").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join("gnubg"));
    let mut candidates = named.into_iter().chain([PathBuf::from("/usr/games/gnubg")]).chain(found);
    let missing = || GnubgError::Start(std::io::Error::from(std::io::ErrorKind::NotFound));
    candidates.find(|candidate| candidate.is_file()).ok_or_else(missing)
}

fn start_commands(plies: u8, port: u16) -> String {
    format!(
        "set threads 1\n\
         set evaluation chequerplay evaluation plies {plies}\n\
         set evaluation chequerplay evaluation cubeful off\n\
         set evaluation chequerplay evaluation prune off\n\
         set evaluation cubedecision evaluation plies 0\n\
         external 127.0.0.1:{port}\n"
    )
}

fn connect(port: u16) -> Result<TcpStream, GnubgError> {
    let started = Instant::now();
    loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(stream) => {
                let timeout = Some(Duration::from_secs(60));
                let ready = stream.set_nodelay(true).and_then(|()| stream.set_read_timeout(timeout));
                return ready.map(|()| stream).map_err(GnubgError::Talk);
            }
            Err(error) if started.elapsed() > Duration::from_secs(60) => {
                return Err(GnubgError::Listen { port, problem: error.to_string() });
            }
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// A position as gnubg's socket takes it, for a single game (a match to one point).
pub fn request(state: &Position) -> String {
    let side = state.mover();
    let board: Vec<String> = state.signed(side).iter().map(|men| men.to_string()).collect();
    let [high, low] = state.dice().unwrap_or([0, 0]);
    let (own, other) = (state.men(side).off(), state.men(side.other()).off());
    format!(
        "board:me:opp:1:0:0:{}:1:{high}:{low}:0:0:1:1:1:0:1:-1:0:25:{own}:{other}:0:0:0:0:0:0\n",
        board.join(":")
    )
}

/// The position in a request of gnubg to an external player, the player asked being the first. gnubg draws the
/// board from its own side; `turn` is −1 when the other, that is we, must move.
pub fn read_request(line: &str) -> Option<Position> {
    let line = line.trim_matches(['\0', ' ', '\n', '\r']);
    let fields: Vec<&str> = line.strip_prefix("board:")?.split(':').collect();
    let numbers: Vec<i32> = fields.iter().skip(2).filter_map(|field| field.parse().ok()).collect();
    // match length, two scores, 26 of the board, turn, four dice …
    let mut board: [i32; 26] = numbers.get(3..29)?.try_into().ok()?;
    let turn = *numbers.get(29)?;
    let dice = numbers.get(30..34)?;
    let dice = if dice[0] > 0 { [dice[0], dice[1]] } else { [dice[2], dice[3]] };
    if turn < 0 {
        board.reverse();
        board = board.map(|men| -men);
    }
    let mut sides = [[0u8; 26]; 2];
    for point in 1..=24 {
        let men = board[point];
        let count = u8::try_from(men.abs()).ok().filter(|&count| count <= 15)?;
        if men > 0 { sides[0][point] = count } else { sides[1][25 - point] = count }
    }
    sides[0][25] = u8::try_from(board[25].abs()).ok()?;
    sides[1][25] = u8::try_from(board[0].abs()).ok()?;
    for counts in &mut sides {
        let on_board: u32 = counts.iter().map(|&count| u32::from(count)).sum();
        counts[0] = u8::try_from(15u32.checked_sub(on_board)?).ok()?;
    }
    let dice = dice.map(|die| u8::try_from(die).ok().filter(|die| (1..=6).contains(die)));
    let [Some(a), Some(b)] = dice else { return None };
    let men = sides.map(|counts| Men::from_counts(&counts));
    Some(Position::new(men, Side::First, Roll::Dice([a, b])))
}

/// Serves one connection of gnubg: every request is put to `mind`, until gnubg hangs up. How many plays were asked for.
pub fn answer(
    stream: TcpStream,
    mind: &mut dyn Mind<Backgammon>,
    rng: &mut Rng,
) -> Result<u64, std::io::Error> {
    let mut reader = BufReader::new(stream);
    let mut asked = 0;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 {
        if line.contains("board:") {
            let start = line.find("board:").unwrap_or(0);
            let reply = read_request(&line[start..]).map(|state| {
                let mut meter = Meter::unlimited();
                match ludens_core::decide(mind, &Backgammon, &state, &mut Ctx::new(rng, &mut meter)) {
                    Ok(PASS) => String::new(),
                    Ok(mv) => Backgammon.label(&state, mv).replace('*', ""),
                    Err(error) => format!("Error: {error}"),
                }
            });
            asked += 1;
            let reply = reply.unwrap_or_else(|| "Error: no board with a roll".into());
            reader.get_mut().write_all(format!("{reply}\n").as_bytes())?;
        }
        line.clear();
    }
    Ok(asked)
}

/// gnubg as a mind: started when it is first asked, since lists of minds make every one of them.
#[derive(Debug)]
pub struct GnubgMind {
    plies: u8,
    running: Option<Gnubg>,
    plays: Vec<Move>,
}

impl GnubgMind {
    /// With so many plies of lookahead.
    pub fn new(plies: u8) -> GnubgMind {
        GnubgMind { plies, running: None, plays: Vec::new() }
    }

    fn ask(&mut self, state: &Position) -> Result<Move, GnubgError> {
        if self.running.is_none() {
            self.running = Some(Gnubg::start(self.plies)?);
        }
        match &mut self.running {
            Some(gnubg) => gnubg.ask(state),
            None => Err(GnubgError::Talk(std::io::ErrorKind::NotConnected.into())),
        }
    }
}

impl Mind<Backgammon> for GnubgMind {
    fn rank(&mut self, _: &Backgammon, state: &Position, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        state.plays(&mut self.plays);
        let chosen = match self.plays[..] {
            [only] => only,
            _ => self
                .ask(state)
                .map_err(|error| MindError::Stuck { mind: "gnubg".into(), problem: error.to_string() })?,
        };
        ctx.meter.add_states(self.plays.len() as u64);
        let valued = self.plays.iter().map(|&play| (play, f64::from(u8::from(play == chosen))));
        let mut ranking = Ranking::of(valued);
        if ctx.explain.is_wanted() {
            ranking.how = How::OtherProgram("GNU Backgammon".into());
        }
        Ok(ranking)
    }
}

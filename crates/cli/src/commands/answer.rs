//! `ludens answer`: a mind that other programs ask over a pipe.

use std::io::Write;

use ludens_catalogue::House;
use ludens_core::store::read_line_bounded;
use ludens_core::{Budget, Explain, Layout, Rng, Side, Table, View};
use serde_json::{Value, json};

use crate::out::{Out, Usage};
use crate::pick;

/// Let other programs ask a mind over the standard input and output.
///
/// JSON, one line a question: {"position":"4433"} is answered by {"mv":4,"label":"5","ranking":[…]}; {"moves":["4","4"]} may stand
/// instead of a position. GTP for games of stones on a board: name, boardsize, clear_board, play, genmove, undo, showboard, quit.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  echo '{\"position\":\"4433\"}' | ludens answer connect-four --mind ranker
  ludens answer reversi --mind nhb-improved --protocol gtp
  ludens arena random \"pipe:command=ludens answer connect-four --mind depth1\" --game connect-four")]
pub struct Args {
    /// The game, native or a file of rules
    game: String,
    /// Who answers: a mind or a model file
    #[arg(long)]
    mind: String,
    #[arg(long, value_enum, default_value_t = Protocol::Json)]
    protocol: Protocol,
    /// States the mind may examine a move
    #[arg(long)]
    states: Option<u64>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Protocol {
    Json,
    Gtp,
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let mut desk = Desk { table: pick::table(house, &args.game)?, args, asked: 0 };
    if args.protocol == Protocol::Gtp && desk.table.view().board.layout == Layout::Points {
        return Err(Usage("GTP is for games of stones on a board; ask for --protocol json".into()).into());
    }
    desk.table.new_game(&args.mind)?;
    let mut lines = std::io::stdin().lock();
    while let Some(line) = read_line_bounded(&mut lines)? {
        if line.trim().is_empty() {
            continue;
        }
        let done = match args.protocol {
            Protocol::Json => desk.json(&line, out)?,
            Protocol::Gtp => desk.gtp(&line, out)?,
        };
        out.flush()?;
        if done {
            break;
        }
    }
    Ok(())
}

/// What GTP may ask.
const COMMANDS: [&str; 13] = [
    "boardsize",
    "clear_board",
    "genmove",
    "known_command",
    "komi",
    "list_commands",
    "name",
    "play",
    "protocol_version",
    "quit",
    "showboard",
    "undo",
    "version",
];

struct Desk<'a> {
    table: Box<dyn Table>,
    args: &'a Args,
    asked: u64,
}

impl Desk<'_> {
    fn think(&mut self) -> anyhow::Result<ludens_core::Decision> {
        let mut rng = Rng::stream(self.args.seed, self.asked);
        self.asked += 1;
        let budget = self.args.states.map_or(Budget::Unlimited, Budget::States);
        Ok(self.table.think(&self.args.mind, &mut rng, budget, Explain::NOTHING)?)
    }

    /// What is wrong with a question is an answer too: the next one may be right.
    fn json(&mut self, line: &str, out: &mut Out) -> anyhow::Result<bool> {
        let answer = self.answer(line).unwrap_or_else(|error| json!({ "error": error.to_string() }));
        out.json_line(&answer)?;
        Ok(false)
    }

    fn answer(&mut self, line: &str) -> anyhow::Result<Value> {
        let question: Value = serde_json::from_str(line).map_err(|_| {
            anyhow::anyhow!(r#"that is no JSON; ask {{"position":"4433"}} or {{"moves":["4","4"]}}"#)
        })?;
        self.table.restart(question["position"].as_str())?;
        // Another program lists the legal moves; those that lead to the position are told as labels alone.
        for label in question["moves"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            self.table.play_label(label)?;
        }
        let decision = self.think()?;
        let view = self.table.view();
        let label = |mv| view.moves.iter().find(|known| known.mv == mv).map(|known| known.label.clone());
        let ranking = decision.why.moves.iter().map(|candidate| json!({ "mv": candidate.mv.0, "label": label(candidate.mv), "value": candidate.value }));
        Ok(json!({ "mv": decision.mv.0, "label": decision.label, "ranking": ranking.collect::<Vec<_>>() }))
    }

    fn gtp(&mut self, line: &str, out: &mut Out) -> anyhow::Result<bool> {
        let mut words = line.split_whitespace().peekable();
        let id = words.next_if(|word| word.parse::<u64>().is_ok()).unwrap_or_default().to_string();
        let words: Vec<&str> = words.collect();
        let (sign, text) = match self.command(&words) {
            Ok(text) => ('=', text),
            Err(problem) => ('?', problem),
        };
        writeln!(out, "{sign}{id} {text}\n")?;
        Ok(words.first() == Some(&"quit"))
    }

    fn command(&mut self, words: &[&str]) -> Result<String, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        match words {
            ["protocol_version"] => Ok("2".into()),
            ["name"] => Ok(format!("Ludens {}", self.args.mind)),
            ["version"] => Ok(env!("CARGO_PKG_VERSION").into()),
            ["list_commands"] => Ok(COMMANDS.join("\n")),
            ["known_command", name] => Ok(COMMANDS.contains(name).to_string()),
            ["boardsize", size] => self.is_size(size),
            ["komi", _] | ["quit"] => Ok(String::new()),
            ["clear_board"] => self.table.restart(None).map(|()| String::new()).map_err(|error| text(&error)),
            ["undo"] => {
                if self.table.undo() {
                    Ok(String::new())
                } else {
                    Err("cannot undo".into())
                }
            }
            ["play", colour, vertex] => self.play(colour, vertex).map(|()| String::new()),
            ["genmove", colour] => {
                self.check_turn(colour)?;
                let decision = self.think().map_err(|error| text(&error))?;
                let written = vertex(&self.table.view(), decision.mv);
                self.table.play(decision.mv).map_err(|error| text(&error))?;
                Ok(written)
            }
            ["showboard"] => Ok(self.table.view().text),
            _ => Err("unknown command".into()),
        }
    }

    /// The board has the size it has.
    fn is_size(&self, size: &str) -> Result<String, String> {
        let board = self.table.view().board;
        if size.parse() == Ok(board.width.max(board.height)) {
            Ok(String::new())
        } else {
            Err("unacceptable size".into())
        }
    }

    fn check_turn(&self, colour: &str) -> Result<(), String> {
        let side = if colour.to_lowercase().starts_with('b') { Side::First } else { Side::Second };
        match self.table.to_move() {
            Some(to_move) if to_move == side => Ok(()),
            Some(_) => Err("it is the other side's turn".into()),
            None => Err("the game is over".into()),
        }
    }

    fn play(&mut self, colour: &str, wanted: &str) -> Result<(), String> {
        self.check_turn(colour)?;
        let view = self.table.view();
        let found = view.moves.iter().find(|known| vertex(&view, known.mv) == wanted.to_lowercase());
        let mv = found.ok_or("illegal move")?.mv;
        self.table.play(mv).map_err(|error| error.to_string())
    }
}

/// A move as GTP writes it: a letter and a row, or `pass`.
fn vertex(view: &View, mv: ludens_core::Move) -> String {
    let Some(known) = view.moves.iter().find(|known| known.mv == mv) else { return "resign".into() };
    match known.cells.last() {
        None => "pass".into(),
        Some(&cell) if view.board.layout == Layout::Gravity => {
            let cell = view.board.cell(usize::from(cell));
            format!("{}{}", char::from(b'a' + cell.column as u8), cell.row + 1)
        }
        Some(_) => known.label.to_lowercase(),
    }
}

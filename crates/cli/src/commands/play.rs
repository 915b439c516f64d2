//! `ludens play`: a game against a mind in the terminal.

use std::io::{IsTerminal, Write, stdin};
use std::time::Duration;

use ludens_catalogue::House;
use ludens_catalogue::advice::{advise, advisor, judge};
use ludens_core::shown::cut;
use ludens_core::store::read_line_bounded;
use ludens_core::words::{Voice, count, ledger};
use ludens_core::{Budget, Decision, Explain, Move, Rng, Side, Table, View};

use crate::draw::{self, styled};
use crate::out::{Out, Usage};
use crate::pick;

/// Play against a mind in the terminal, and ask it why.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens play                                   asks for the game and the opponent
  ludens play connect-four --against alphabeta:depth=6
  ludens play reversi --against uct:states=20000 --side second --why
  ludens play tic-tac-toe --position x...o....")]
pub struct Args {
    /// The game; `ludens games` lists them
    game: Option<String>,
    /// The opponent; `ludens minds` lists them
    #[arg(long)]
    against: Option<String>,
    /// Your side
    #[arg(long, default_value = "first", value_parser = ["first", "second", "random"])]
    side: String,
    /// Begin from this position
    #[arg(long)]
    position: Option<String>,
    /// States the opponent may examine a move (its own setting if left out)
    #[arg(long)]
    states: Option<u64>,
    /// Show the opponent's reasons after every move
    #[arg(long)]
    why: bool,
    /// Seed of dice and of the opponent (taken from the clock if left out)
    #[arg(long)]
    seed: Option<u64>,
}

impl Default for Args {
    fn default() -> Args {
        Args {
            game: None,
            against: None,
            side: "first".into(),
            position: None,
            states: None,
            why: false,
            seed: None,
        }
    }
}

/// How long somebody waits for a hint.
const HINT_TIME: Duration = Duration::from_secs(1);

const HELP: &str = "\
a move as listed by `moves`, or one of
  moves   the legal moves        why     the opponent's reasons for its last move
  hint    a good move            judge   what your last move was worth
  undo    take it back           new     begin again
  quit    leave";

pub fn run(house: &House, args: Args, out: &mut Out) -> anyhow::Result<()> {
    let seed = args.seed.unwrap_or_else(clock_seed);
    let game = match &args.game {
        Some(game) => game.clone(),
        None => choose_game(house, out)?,
    };
    let against = match &args.against {
        Some(mind) => mind.clone(),
        None if args.game.is_none() => choose_opponent(house, &game, out)?,
        None => "uct:states=20000".into(),
    };
    let mut rng = Rng::stream(seed, 0);
    let human = match args.side.as_str() {
        "second" => Side::Second,
        "random" if rng.chance(0.5) => Side::Second,
        _ => Side::First,
    };
    let mut table = pick::table(house, &game)?;
    table.restart(args.position.as_deref())?;
    let budget = args.states.map_or(Budget::Unlimited, Budget::States);
    let advisor = advisor(&*house.games.open(&game)?, house.games.zoo());
    let mut session =
        Session { table, human, against, advisor, budget, rng, always_why: args.why, last: None };
    // A mind that cannot be made should say so before the first move.
    session.check_opponent()?;
    session.run(out)
}

/// Moves of the ranking that `why` shows with their reasons.
const SHOWN_MOVES: u32 = 3;

struct Session {
    table: Box<dyn Table>,
    human: Side,
    against: String,
    /// Who gives hints and judges moves.
    advisor: String,
    budget: Budget,
    rng: Rng,
    always_why: bool,
    /// The opponent's last decision and the text of its reasons.
    last: Option<(Decision, String)>,
}

impl Session {
    fn check_opponent(&mut self) -> anyhow::Result<()> {
        self.table.roll(&mut self.rng);
        if self.table.view().to_move.is_some() {
            self.table.think(&self.against, &mut Rng::new(0), Budget::States(1), Explain::NOTHING)?;
        }
        Ok(())
    }

    fn run(&mut self, out: &mut Out) -> anyhow::Result<()> {
        writeln!(
            out,
            "You are {}; type help for the commands.\n",
            draw::side_name(&self.table.view().board, self.human)
        )?;
        loop {
            self.table.roll(&mut self.rng);
            let view = self.table.view();
            if let Some(score) = view.score {
                show(&view, &[], out)?;
                let result = match score.of(self.human) {
                    s if s > 0.0 => "You win.",
                    s if s < 0.0 => "You lose.",
                    _ => "A draw.",
                };
                writeln!(out, "{}", styled(result, draw::STRONG))?;
                return Ok(());
            }
            if view.to_move == Some(self.human) {
                if !self.ask(&view, out)? {
                    return Ok(());
                }
            } else {
                self.answer(out)?;
            }
        }
    }

    /// The opponent's move.
    fn answer(&mut self, out: &mut Out) -> anyhow::Result<()> {
        let mut decision =
            self.table.think(&self.against, &mut self.rng, self.budget, Explain::best(SHOWN_MOVES))?;
        self.table.speak(&mut decision, Voice::ToOpponent);
        let text = self.reasons(&decision);
        let said = self.table.tell(&decision, decision.mv, Voice::ToOpponent);
        self.table.play(decision.mv)?;
        writeln!(
            out,
            "{} plays {} {}",
            self.against,
            styled(&decision.label, draw::STRONG),
            styled(cost_line(&decision), draw::FAINT)
        )?;
        for sentence in said {
            writeln!(out, "  {sentence}")?;
        }
        if self.always_why {
            writeln!(out, "{text}")?;
        }
        self.last = Some((decision, text));
        Ok(())
    }

    fn reasons(&self, decision: &Decision) -> String {
        let label = |line: &[Move]| self.table.line_labels(line);
        draw::why(&decision.why, &label, draw::Detail { moves: SHOWN_MOVES as usize, rules: false })
    }

    /// Takes commands until a move is made; false: the player leaves.
    fn ask(&mut self, view: &View, out: &mut Out) -> anyhow::Result<bool> {
        let lit: Vec<u16> = Vec::new();
        show(view, &lit, out)?;
        loop {
            let Some(line) = prompt("your move> ", out)? else { return Ok(false) };
            match line.as_str() {
                "" => {}
                "help" | "?" => writeln!(out, "{HELP}")?,
                "quit" | "exit" | "q" => return Ok(false),
                "moves" => {
                    let labels: Vec<&str> = view.moves.iter().map(|mv| mv.label.as_str()).collect();
                    writeln!(out, "{}", labels.join("  "))?;
                }
                "why" => match &self.last {
                    Some((_, text)) => writeln!(out, "{text}")?,
                    None => writeln!(out, "It has not moved yet.")?,
                },
                "hint" => self.hint(out)?,
                "judge" => self.judge(out)?,
                "undo" => {
                    self.take_back();
                    return Ok(true);
                }
                "new" => {
                    self.table.restart(None)?;
                    self.last = None;
                    return Ok(true);
                }
                label => match self.table.play_label(label) {
                    Ok(()) => return Ok(true),
                    Err(_) => writeln!(
                        out,
                        "{:?} is not a move here; `moves` lists them, `help` the rest.",
                        cut(label)
                    )?,
                },
            }
        }
    }

    fn hint(&mut self, out: &mut Out) -> anyhow::Result<()> {
        let advice = advise(&mut *self.table, &self.advisor, &mut self.rng.clone(), HINT_TIME)?;
        let label = self.table.line_labels(&[advice.mv]).pop().unwrap_or_default();
        writeln!(out, "Try {}.", styled(label, draw::STRONG))?;
        for sentence in self.table.tell(&advice.decision, advice.mv, Voice::ToMover) {
            writeln!(out, "  {sentence}")?;
        }
        Ok(())
    }

    /// What the player's last move was worth.
    fn judge(&mut self, out: &mut Out) -> anyhow::Result<()> {
        let mut undone = Vec::new();
        while let Some(&mv) = self.table.history().last() {
            self.table.undo();
            undone.push(mv);
            if self.table.to_move() == Some(self.human) {
                break;
            }
        }
        let judged = match undone.last() {
            Some(&played) if self.table.to_move() == Some(self.human) => self.judgement(played, out),
            _ => writeln!(out, "You have not moved yet.").map_err(Into::into),
        };
        for mv in undone.into_iter().rev() {
            self.table.play(mv)?;
        }
        judged
    }

    fn judgement(&mut self, played: Move, out: &mut Out) -> anyhow::Result<()> {
        let mut rng = self.rng.clone();
        let mut advice = advise(&mut *self.table, &self.advisor, &mut rng, HINT_TIME)?;
        let [best, yours] =
            [advice.mv, played].map(|mv| self.table.line_labels(&[mv]).pop().unwrap_or_default());
        let voice = Voice::ToMover;
        let contrast = judge(&mut *self.table, &mut advice, played, (&mut rng, HINT_TIME, voice))?;
        let Some(contrast) = contrast.filter(|_| played != advice.mv) else {
            writeln!(out, "{} was the best move.", styled(yours, draw::STRONG))?;
            return Ok(());
        };
        let mark = contrast.mark.map_or("fine".into(), |mark| mark.name().to_string());
        writeln!(
            out,
            "{} was {mark}; {} is what {} would play.",
            styled(yours, draw::STRONG),
            styled(best, draw::STRONG),
            advice.mind
        )?;
        for sentence in &contrast.said {
            writeln!(out, "  {sentence}")?;
        }
        if contrast.line.len() > 1 {
            writeln!(out, "  How it could go on: {}", self.table.line_labels(&contrast.line).join(" "))?;
        }
        Ok(())
    }

    /// Back to the player's decision before this one, dice included.
    fn take_back(&mut self) {
        while self.table.undo() {
            if self.table.view().to_move == Some(self.human) {
                return;
            }
        }
    }
}

fn show(view: &View, lit: &[u16], out: &mut Out) -> anyhow::Result<()> {
    writeln!(out, "\n{}", draw::board(&view.board, lit))?;
    Ok(())
}

fn cost_line(decision: &Decision) -> String {
    let mut parts = vec![format!("{} states", count(decision.cost.states))];
    parts.extend(ledger(&decision.ledger));
    format!("({})", parts.join(", "))
}

/// A line typed by the player; none at the end of the input.
fn prompt(text: &str, out: &mut Out) -> anyhow::Result<Option<String>> {
    write!(out, "{}", styled(text, draw::STRONG))?;
    out.flush()?;
    let Some(line) = read_line_bounded(&mut stdin().lock())? else {
        writeln!(out)?;
        return Ok(None);
    };
    if !stdin().is_terminal() {
        writeln!(out, "{}", line.trim())?;
    }
    Ok(Some(line.trim().to_string()))
}

fn choose_game(house: &House, out: &mut Out) -> anyhow::Result<String> {
    let games = house.games.list();
    let titles: Vec<String> = games.iter().map(|game| format!("{}: {}", game.title, game.summary)).collect();
    let chosen = choose("Which game?", &titles, out)?;
    Ok(games[chosen].id.clone())
}

fn choose_opponent(house: &House, game: &str, out: &mut Out) -> anyhow::Result<String> {
    let minds = super::minds::playing(&*house.games.open(game)?);
    let titles: Vec<String> = minds.iter().map(|mind| format!("{}: {}", mind.name, mind.summary)).collect();
    let chosen = choose("Against whom?", &titles, out)?;
    Ok(minds[chosen].name.clone())
}

/// A numbered question; an empty answer takes the first.
fn choose(question: &str, answers: &[String], out: &mut Out) -> anyhow::Result<usize> {
    writeln!(out, "{}", styled(question, draw::STRONG))?;
    for (number, answer) in (1..).zip(answers) {
        writeln!(out, "  {number}  {answer}")?;
    }
    loop {
        let Some(line) = prompt("number> ", out)? else {
            return Err(Usage("no answer: name the game, as in `ludens play connect-four`".into()).into());
        };
        match line.parse::<usize>() {
            _ if line.is_empty() => return Ok(0),
            Ok(number) if (1..=answers.len()).contains(&number) => return Ok(number - 1),
            _ => writeln!(out, "a number from 1 to {}", answers.len())?,
        }
    }
}

fn clock_seed() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64)
}

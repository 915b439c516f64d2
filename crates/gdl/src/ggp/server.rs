//! Plays a match between players over HTTP and records it.

use super::http;
use crate::error::GdlError;
use crate::reasoner::{Action, Description, Reasoner};
use crate::sexpr::read_all;
use ludens_core::Rng;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;
use std::time::Duration;

/// How a match is played.
#[derive(Clone, Debug)]
pub struct MatchOptions {
    /// The name of the match.
    pub id: String,
    /// One address a role, in the order of the roles, the role `random` left out.
    pub players: Vec<SocketAddr>,
    /// Seconds until the first move.
    pub start_clock: u32,
    /// Seconds for each move.
    pub play_clock: u32,
    /// The moves of nature, and those chance makes for a silent player, follow from it.
    pub seed: u64,
    /// A match still going after so many steps is broken off.
    pub step_cap: u32,
    /// The share of messages that are sent broken, to try players out.
    pub broken: f64,
}

/// A match as it went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchRecord {
    /// The name of the match.
    pub match_id: String,
    /// Seconds until the first move.
    pub start_clock: u32,
    /// Seconds for each move.
    pub play_clock: u32,
    /// In the order of joint moves.
    pub role_names: Vec<String>,
    /// The address of each role's player, or `random`.
    pub player_names_from_host: Vec<String>,
    /// The facts of each state.
    pub states: Vec<Vec<String>>,
    /// The joint moves.
    pub moves: Vec<Vec<String>>,
    /// For each step and role: empty, or `IL …` (illegal), `TO` (no answer in time), `CE` (no connection).
    pub errors: Vec<Vec<String>>,
    /// One a role, if the game came to its end.
    pub goal_values: Vec<Option<u8>>,
    /// Whether the game came to its end.
    pub is_completed: bool,
    /// A player could not be reached, or spoke no HTTP: chance moved for it, and nobody has won or lost.
    #[serde(default)]
    pub is_void: bool,
    /// Messages that were sent broken on purpose.
    pub broken_messages: u32,
}

/// How the protocol calls it.
const NO_CONNECTION: &str = "CE";

struct Table<'a> {
    game: &'a Description,
    options: &'a MatchOptions,
    /// The address of each role's player; none for nature.
    seats: Vec<Option<SocketAddr>>,
    rng: Rng,
    broken: u32,
}

/// Plays one match to its end. Players that fail are replaced, move by move, by chance.
pub fn play_match(game: &Description, rules: &str, options: &MatchOptions) -> Result<MatchRecord, GdlError> {
    let roles = game.role_names();
    let wanted = roles.iter().filter(|r| *r != "random").count();
    if options.players.len() != wanted {
        return Err(GdlError::Unsuitable(format!(
            "the game has {wanted} roles to fill and {} players were given; give one address a role",
            options.players.len()
        )));
    }
    let mut addresses = options.players.iter().copied();
    let seats = roles.iter().map(|r| if r == "random" { None } else { addresses.next() }).collect();
    let rng = Rng::stream(options.seed, 0);
    let mut table = Table { game, options, seats, rng, broken: 0 };
    let mut record = MatchRecord {
        match_id: options.id.clone(),
        start_clock: options.start_clock,
        play_clock: options.play_clock,
        player_names_from_host: table
            .seats
            .iter()
            .map(|s| s.map_or("random".into(), |a| a.to_string()))
            .collect(),
        role_names: roles.clone(),
        ..MatchRecord::default()
    };
    let limits = crate::error::Limits::default();
    let flat: Vec<String> = read_all(rules, &limits)?.iter().map(ToString::to_string).collect();
    let clocks = format!("{} {}", options.start_clock, options.play_clock);
    let start =
        |role: usize| format!("( START {} {} ( {} ) {clocks} )", options.id, roles[role], flat.join(" "));
    table.tell_all(&start, Duration::from_secs(options.start_clock.into()), false);
    let mut reasoner = game.reasoner()?;
    table.play(&mut reasoner, &mut record)?;
    let last = record.moves.last().map_or("NIL".to_string(), |m| format!("( {} )", m.join(" ")));
    let word = if record.is_completed { "STOP" } else { "ABORT" };
    let end = |_: usize| format!("( {word} {} {last} )", options.id);
    table.tell_all(&end, Duration::from_secs(options.play_clock.max(1).into()), false);
    record.broken_messages = table.broken;
    // What we broke ourselves, to try players out, is no fault of the line.
    record.is_void =
        options.broken == 0.0 && record.errors.iter().flatten().any(|error| error == NO_CONNECTION);
    if record.is_void {
        record.goal_values.fill(None);
    }
    Ok(record)
}

/// What came back from a player.
type Reply = Result<String, http::HttpError>;

impl Table<'_> {
    fn play(&mut self, reasoner: &mut Reasoner, record: &mut MatchRecord) -> Result<(), GdlError> {
        let terms = self.game.terms();
        record.states.push(reasoner.facts(terms));
        for _ in 0..self.options.step_cap {
            if reasoner.is_terminal()? {
                record.is_completed = true;
                record.goal_values =
                    (0..reasoner.role_count()).map(|r| reasoner.goal(r)).collect::<Result<_, _>>()?;
                return Ok(());
            }
            let moves = record.moves.last().map_or("NIL".to_string(), |m| format!("( {} )", m.join(" ")));
            let message = |_: usize| format!("( PLAY {} {moves} )", self.options.id);
            let message = message(0);
            // The protocol grants one second for the way.
            let wait = Duration::from_millis(u64::from(self.options.play_clock) * 1000 + 1000);
            let replies = self.tell_all(&|_| message.clone(), wait, true);
            let (mut joint, mut errors) = (Vec::new(), Vec::new());
            for (role, reply) in replies.into_iter().enumerate() {
                let (action, error) = self.judge(reasoner, role, reply)?;
                joint.push(action);
                errors.push(error);
            }
            record.moves.push(joint.iter().map(|&a| reasoner.show_action(a, terms)).collect());
            record.errors.push(errors);
            reasoner.advance(&joint)?;
            record.states.push(reasoner.facts(terms));
        }
        Ok(())
    }

    /// The move of a role: what its player said, or chance.
    fn judge(
        &mut self,
        reasoner: &mut Reasoner,
        role: usize,
        reply: Option<Reply>,
    ) -> Result<(Action, String), GdlError> {
        let terms = self.game.terms();
        let error = match reply {
            None => String::new(),
            Some(Ok(text)) => {
                let written = read_all(&text, &crate::error::Limits::default()).unwrap_or_default();
                if let [one] = &written[..]
                    && let Some(action) = reasoner.find_action(role, one, terms)?
                {
                    return Ok((action, String::new()));
                }
                format!("IL {}", text.chars().take(200).collect::<String>())
            }
            Some(Err(http::HttpError::TimedOut)) => "TO".into(),
            Some(Err(_)) => NO_CONNECTION.into(),
        };
        let action = reasoner.random_move(role, &mut self.rng)?;
        let none = || GdlError::NoMove { role: terms.show(self.game.roles()[role]) };
        Ok((action.ok_or_else(none)?, error))
    }

    /// Sends everybody a message at the same time and collects the answers.
    fn tell_all(
        &mut self,
        message: &dyn Fn(usize) -> String,
        wait: Duration,
        breakable: bool,
    ) -> Vec<Option<Reply>> {
        let mut requests = Vec::new();
        for (role, seat) in self.seats.iter().enumerate() {
            let request = seat.map(|address| {
                let mut bytes = http::post(&address.to_string(), &message(role));
                if breakable && self.rng.chance(self.options.broken) {
                    self.broken += 1;
                    break_message(&mut bytes, &mut self.rng);
                }
                (address, bytes)
            });
            requests.push(request);
        }
        std::thread::scope(|scope| {
            let talks: Vec<_> = requests
                .iter()
                .map(|r| {
                    r.as_ref()
                        .map(|(address, bytes)| scope.spawn(move || http::exchange(*address, bytes, wait)))
                })
                .collect();
            let lost = || Err(http::HttpError::Malformed("the conversation broke off"));
            talks.into_iter().map(|t| t.map(|t| t.join().unwrap_or_else(|_| lost()))).collect()
        })
    }
}

/// Spoils a message in one of four ways.
fn break_message(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let body = bytes.windows(4).position(|w| w == b"\r\n\r\n").map_or(0, |i| i + 4);
    match rng.below(4) {
        // The body stops short: the player waits for the rest until we hang up.
        0 => {
            let length = bytes.len() - body;
            let text = String::from_utf8_lossy(&bytes[..body]).replace(&format!(": {length}"), ": 7");
            let rest = bytes[body..body + 7.min(length)].to_vec();
            *bytes = text.into_bytes();
            bytes.extend(rest);
        }
        1 => bytes[body..].iter_mut().filter(|b| **b == b'(').for_each(|b| *b = b'['),
        2 => *bytes = b"\x00\xff\xfe not http at all\r\n\r\n".to_vec(),
        _ => bytes[body..].iter_mut().for_each(|b| *b = b.wrapping_add(100)),
    }
}

//! One game and one pair of games, played from streams that belong to the pair alone.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use ludens_core::{
    Front, Hall, MindError, Move, NoModels, PlayError, Played, Rng, Score, Setting, Side, Stopped,
};

use crate::{ArenaError, Tournament};

/// One game as it was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Index of the mind that moved first.
    pub first: usize,
    /// Index of the mind that moved second.
    pub second: usize,
    /// Everything applied after the opening, dice included.
    pub moves: Vec<Move>,
    /// The same as people write them; in a file of games only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// As the first player sees it.
    pub score: Score,
    /// Cut at the tournament's limit of plies and counted as a draw.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// Index of the mind that could not go on and lost by that, where the tournament goes on then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<usize>,
    /// Decisions made by the first and by the second player.
    pub decisions: [u64; 2],
    /// States examined by the first and by the second player.
    pub states: [u64; 2],
}

/// Two games with the same opening and dice and the seats swapped.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairRecord {
    /// Place in the order of the whole tournament.
    pub unit: u64,
    /// Index of the pairing in [`Tournament::pairings`].
    pub pairing: usize,
    /// The number of the pair within its pairing.
    pub pair: u32,
    /// The random moves both games begin with.
    pub opening: Vec<Move>,
    /// The same as people write them; in a file of games only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening_labels: Vec<String>,
    /// The two games.
    pub games: [GameRecord; 2],
}

/// The pair number `pair` of `pairing` between minds `a` and `b` (indices, for the record).
pub(crate) struct PairOf<'t> {
    pub tournament: &'t Tournament,
    pub unit: u64,
    pub pairing: usize,
    pub pair: u32,
    pub a: usize,
    pub b: usize,
}

/// What a pair's streams are for. Openings and dice depend on (seed, pair) only, so that all pairings of a
/// tournament meet the same luck; the minds' own randomness depends on the pairing too.
const OPENING: u64 = 0;
const DICE: u64 = 1;
const MINDS: u64 = 2;

impl PairOf<'_> {
    fn stream(&self, purpose: u64, salt: u64) -> Rng {
        Rng::stream(
            self.tournament.seed ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            3 * u64::from(self.pair) + purpose,
        )
    }

    pub fn play(&self, hall: &mut dyn Hall) -> Result<PairRecord, ArenaError> {
        let opening = hall.opening(self.tournament.opening_plies, &mut self.stream(OPENING, 0));
        let minds = self.stream(MINDS, 1 + self.pairing as u64).next_u64();
        let mut game = |[first, second]: [usize; 2], seed, dice| {
            let setting = Setting {
                opening: &opening,
                seed,
                dice,
                budget: self.tournament.budget(),
                longest: self.tournament.max_plies,
                random_moves: self.tournament.random_moves,
            };
            match hall.play(first, second, setting) {
                Ok(played) => Ok::<_, ArenaError>(GameRecord::of([first, second], played)),
                Err(error) => match forfeit(&error).filter(|_| self.tournament.forfeits) {
                    Some(loser) => Ok(GameRecord::lost([first, second], loser)),
                    None => Err(self.failed(error)),
                },
            }
        };
        let other_dice = self.stream(DICE, u64::from(!self.tournament.paired_dice));
        let games = [
            game([self.a, self.b], minds, self.stream(DICE, 0))?,
            game([self.b, self.a], minds ^ 1, other_dice)?,
        ];
        let (unit, pairing, pair, opening_labels) = (self.unit, self.pairing, self.pair, Vec::new());
        Ok(PairRecord { unit, pairing, pair, opening, opening_labels, games })
    }

    fn failed(&self, error: PlayError) -> ArenaError {
        let (PlayError::Mind { entrant, .. } | PlayError::Illegal { entrant, .. }) = &error;
        let mind = self.tournament.minds.get(*entrant).cloned().unwrap_or_default();
        match error {
            PlayError::Mind { error, .. } => {
                ArenaError::Failed { mind, error: Box::new(error), pair: self.pair }
            }
            PlayError::Illegal { mv, position, .. } => {
                ArenaError::IllegalChoice { mind, mv, position, pair: self.pair }
            }
        }
    }
}

/// Who loses by this error; nobody where the work was ended from outside.
fn forfeit(error: &PlayError) -> Option<usize> {
    match error {
        PlayError::Mind { error: MindError::Stopped(Stopped::Asked), .. } => None,
        PlayError::Mind { entrant, .. } | PlayError::Illegal { entrant, .. } => Some(*entrant),
    }
}

impl PairRecord {
    /// With its moves also as people write them.
    pub(crate) fn labelled(mut self, hall: &dyn Hall) -> PairRecord {
        self.opening_labels = hall.labels(&self.opening);
        for game in &mut self.games {
            let line: Vec<Move> = self.opening.iter().chain(&game.moves).copied().collect();
            game.labels = hall.labels(&line).split_off(self.opening.len());
        }
        self
    }
}

impl GameRecord {
    /// A game that ended because `loser` could not go on.
    fn lost([first, second]: [usize; 2], loser: usize) -> GameRecord {
        let score = if loser == first { Score(-1.0) } else { Score(1.0) };
        let (moves, labels, failed) = (Vec::new(), Vec::new(), Some(loser));
        GameRecord {
            first,
            second,
            moves,
            labels,
            score,
            cut: false,
            failed,
            decisions: [0; 2],
            states: [0; 2],
        }
    }

    fn of([first, second]: [usize; 2], played: Played) -> GameRecord {
        let Played { moves, score, cut, decisions, states } = played;
        let labels = Vec::new();
        GameRecord { first, second, moves, labels, score, cut, failed: None, decisions, states }
    }
}

/// One step of a replayed game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReplayedMove {
    /// The move.
    pub mv: Move,
    /// As people write it.
    pub label: String,
    /// Who moved; none for the dice.
    pub side: Option<Side>,
    /// The position after the move.
    pub position: String,
}

/// Plays a recorded game again, checking every move and the result.
pub fn replay(
    front: &dyn Front,
    opening: &[Move],
    record: &GameRecord,
) -> Result<Vec<ReplayedMove>, ArenaError> {
    let mut table = front.table(Arc::new(NoModels));
    let mut replayed = Vec::new();
    let mut before = table.view();
    for &mv in opening.iter().chain(&record.moves) {
        table.play(mv).map_err(|illegal| ArenaError::Replay(illegal.to_string()))?;
        let after = table.view();
        let label = after.history.last().cloned().unwrap_or_default();
        replayed.push(ReplayedMove { mv, label, side: before.to_move, position: after.text.clone() });
        before = after;
    }
    match before.score {
        Some(score) if score == record.score && !record.cut => Ok(replayed),
        None if record.cut || record.failed.is_some() => Ok(replayed),
        _ => Err(ArenaError::Replay("the moves lead to another result than the record says".into())),
    }
}

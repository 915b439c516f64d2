//! One game and one pair of games, played from streams that belong to the pair alone.

use serde::{Deserialize, Serialize};

use ludens_core::{Ctx, Game, Meter, Mind, Move, Rng, Score, Side, Turn};

use crate::{ArenaError, Tournament};

/// One game as it was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Index of the mind that moved first.
    pub first: usize,
    pub second: usize,
    /// Everything applied after the opening, dice included.
    pub moves: Vec<Move>,
    /// As the first player sees it.
    pub score: Score,
    /// Cut at the tournament's limit of plies and counted as a draw.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// Decisions made and states examined, by the first and by the second player.
    pub decisions: [u64; 2],
    pub states: [u64; 2],
}

/// Two games with the same opening and dice and the seats swapped.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairRecord {
    /// Place in the order of the whole tournament.
    pub unit: u64,
    pub pairing: usize,
    pub pair: u32,
    pub opening: Vec<Move>,
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

    pub fn play<G: Game>(
        &self,
        game: &G,
        mind_a: &mut dyn Mind<G>,
        mind_b: &mut dyn Mind<G>,
    ) -> Result<PairRecord, ArenaError> {
        let opening = random_opening(game, self.tournament.opening_plies, &mut self.stream(OPENING, 0));
        let minds = self.stream(MINDS, 1 + self.pairing as u64).next_u64();
        let dice = [self.stream(DICE, 0), self.stream(DICE, u64::from(!self.tournament.paired_dice))];
        let [dice_of_game_0, dice_of_game_1] = dice;
        let seat = |index, seed, dice| Seat { pair: self, first: index, opening: &opening, seed, dice };
        let game_0 = seat(0, minds, dice_of_game_0).play(game, [&mut *mind_a, &mut *mind_b])?;
        let game_1 = seat(1, minds ^ 1, dice_of_game_1).play(game, [&mut *mind_b, &mut *mind_a])?;
        Ok(PairRecord {
            unit: self.unit,
            pairing: self.pairing,
            pair: self.pair,
            opening,
            games: [game_0, game_1],
        })
    }
}

/// One game of a pair.
struct Seat<'a> {
    pair: &'a PairOf<'a>,
    /// 0: mind `a` moves first, 1: mind `b`.
    first: usize,
    opening: &'a [Move],
    seed: u64,
    dice: Rng,
}

impl Seat<'_> {
    fn play<G: Game>(mut self, game: &G, minds: [&mut dyn Mind<G>; 2]) -> Result<GameRecord, ArenaError> {
        let mut indices = [self.pair.a, self.pair.b];
        indices.rotate_left(self.first);
        let [first, second] = indices;
        let mut record = GameRecord {
            first,
            second,
            moves: Vec::new(),
            score: Score::DRAW,
            cut: false,
            decisions: [0; 2],
            states: [0; 2],
        };
        let mut state = game.start();
        for &mv in self.opening {
            game.apply(&mut state, mv);
        }
        let [one, two] = minds;
        one.new_game();
        two.new_game();
        let minds = [one, two];
        let mut outcomes = Vec::new();
        loop {
            let mv = match game.turn(&state) {
                Turn::Over(score) => {
                    record.score = score;
                    return Ok(record);
                }
                _ if record.moves.len() as u64 >= u64::from(self.pair.tournament.max_plies) => {
                    record.cut = true;
                    return Ok(record);
                }
                Turn::Chance => {
                    game.chance(&state, &mut outcomes);
                    let outcome = self.dice.outcome(&outcomes);
                    game.apply(&mut state, outcome);
                    outcome
                }
                Turn::Player(side) => {
                    let mv = self.decide(game, &state, side, minds[side.index()], &mut record);
                    self.apply(game, &mut state, mv, indices[side.index()])?;
                    mv
                }
            };
            record.moves.push(mv);
        }
    }

    fn decide<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        side: Side,
        mind: &mut dyn Mind<G>,
        record: &mut GameRecord,
    ) -> Move {
        // Its own stream for every decision: a single one can be repeated without the game before it.
        let mut rng = Rng::stream(self.seed, record.moves.len() as u64);
        let mut meter = Meter::new(self.pair.tournament.budget());
        let mv = mind.choose(game, state, &mut Ctx::new(&mut rng, &mut meter));
        record.decisions[side.index()] += 1;
        record.states[side.index()] += meter.cost().states;
        mv
    }

    fn apply<G: Game>(
        &self,
        game: &G,
        state: &mut G::State,
        mv: Move,
        mind: usize,
    ) -> Result<(), ArenaError> {
        game.play(state, mv).map_err(|illegal| ArenaError::IllegalChoice {
            mind: self.pair.tournament.minds[mind].clone(),
            mv: mv.0,
            position: illegal.position,
            pair: self.pair.pair,
        })
    }
}

/// Random moves after which the game is still going. Where games are too short for `plies`, fewer.
fn random_opening<G: Game>(game: &G, plies: u32, rng: &mut Rng) -> Vec<Move> {
    const ATTEMPTS: u32 = 100;
    for wanted in (1..=plies).rev() {
        for _ in 0..ATTEMPTS {
            if let Some(opening) = try_opening(game, wanted, rng) {
                return opening;
            }
        }
    }
    Vec::new()
}

fn try_opening<G: Game>(game: &G, plies: u32, rng: &mut Rng) -> Option<Vec<Move>> {
    let mut state = game.start();
    let mut opening = Vec::new();
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    let mut chosen = 0;
    while chosen < plies {
        let mv = match game.turn(&state) {
            Turn::Over(_) => return None,
            Turn::Chance => {
                game.chance(&state, &mut outcomes);
                rng.outcome(&outcomes)
            }
            Turn::Player(_) => {
                chosen += 1;
                game.moves(&state, &mut moves);
                moves[rng.below(moves.len() as u32) as usize]
            }
        };
        game.apply(&mut state, mv);
        opening.push(mv);
    }
    (!game.turn(&state).is_over()).then_some(opening)
}

/// One step of a replayed game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReplayedMove {
    pub mv: Move,
    pub label: String,
    /// Who moved; none for the dice.
    pub side: Option<Side>,
    /// The position after the move.
    pub position: String,
}

/// Plays a recorded game again, checking every move and the result.
pub fn replay<G: Game>(
    game: &G,
    opening: &[Move],
    record: &GameRecord,
) -> Result<Vec<ReplayedMove>, ArenaError> {
    let mut state = game.start();
    let mut replayed = Vec::new();
    for &mv in opening.iter().chain(&record.moves) {
        let side = if let Turn::Player(side) = game.turn(&state) { Some(side) } else { None };
        let before = state.clone();
        game.play(&mut state, mv).map_err(|illegal| ArenaError::Replay(illegal.to_string()))?;
        let label = game.label(&before, mv);
        replayed.push(ReplayedMove { mv, label, side, position: game.text(&state) });
    }
    match game.turn(&state) {
        Turn::Over(score) if score == record.score && !record.cut => Ok(replayed),
        Turn::Player(_) | Turn::Chance if record.cut => Ok(replayed),
        _ => Err(ArenaError::Replay("the moves lead to another result than the record says".into())),
    }
}

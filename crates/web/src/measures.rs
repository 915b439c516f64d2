//! What a training is measured by while people watch: its strength against fixed players and against its own past, and positions that
//! it never learns from. Everything is played by copies, so that measuring never disturbs the learning.

use std::sync::Arc;

use ludens_arena::elo::{Pairing, bradley_terry};
use ludens_core::words::Fate;
use ludens_core::{
    Budget, Entrant, Explain, Front, Hall, Measure, MindError, Model, Models, Move, PlayError, Rng, Setting,
    Side, Stop, Table, math,
};

use crate::explain::standing;

/// Points against the random mind, of all games.
pub(crate) const AGAINST_RANDOM: &str = "wins against random";
/// Elo, the random mind at 0, and half of its 95 % interval.
pub(crate) const STRENGTH: &str = "strength (Elo)";
pub(crate) const STRENGTH_PLUS_MINUS: &str = "strength (Elo) ±";
/// Where the perfect player knows: the share of its moves that give nothing away.
pub(crate) const PERFECT_MOVES: &str = "perfect moves";
/// The mean square of what its judgement misses the truth by; where nobody knows the truth, the end of the game the position is from.
pub(crate) const HELD_OUT: &str = "error on positions it never saw";

/// The players that never change.
const FIXED: [&str; 3] = ["random", "depth1", "uct:states=100"];
/// Games against each of them and against each of the past.
const GAMES: u32 = 12;
const LONGEST_GAME: u32 = 600;
/// Positions that are held out, and how far from the end of a game they lie.
const POSITIONS: u64 = 40;
const NEAREST: usize = 2;
const FURTHEST: u32 = 16;
const PERFECT: &str = "solver";
const PROOF_STATES: u64 = 200_000;

/// One position, and what is true of it.
struct Held {
    moves: Vec<Move>,
    /// The chance of whoever is to move: of a proof, or of the game as it ended.
    truth: f64,
    /// The moves that keep it, where they were proved.
    best: Vec<Move>,
}

/// Somebody who was met: a fixed player, or the learner as it was once.
struct Player {
    entrant: Entrant,
    /// Its points against each of the fixed players, and the games.
    met: [(f64, f64); FIXED.len()],
}

pub(crate) struct Measures {
    fixed: Vec<Player>,
    /// The learner before its first step, and when it was last measured.
    past: Vec<Player>,
    held: Option<Vec<Held>>,
}

impl Measures {
    pub(crate) fn new() -> Measures {
        let fixed =
            FIXED.map(|name| Player { entrant: Entrant::Named(name.into()), met: Default::default() });
        Measures { fixed: fixed.into(), past: Vec::new(), held: None }
    }

    /// Keeps only the beginner of the past: what comes next is not the learner's future.
    pub(crate) fn forget_past(&mut self) {
        self.past.truncate(1);
    }

    /// What the model is worth now; `mind` is its name on the shelf. Empty where there was no time.
    pub(crate) fn take(
        &mut self,
        front: &dyn Front,
        models: &Arc<dyn Models>,
        (model, mind): (Arc<Model>, &str),
        stop: &Stop,
    ) -> Result<Vec<Measure>, MindError> {
        let mut found = self.strength(front, models, &model, stop)?;
        let mut table = front.table(models.clone());
        table.watched(stop.clone());
        if self.held.is_none() {
            self.held = hold_out(front, &mut *table);
        }
        let held = self.held.as_deref().unwrap_or_default();
        found.extend(on_held_out(&mut *table, mind, held));
        Ok(found)
    }

    /// Rounds of games against everybody, until there is no more time.
    fn strength(
        &mut self,
        front: &dyn Front,
        models: &Arc<dyn Models>,
        model: &Arc<Model>,
        stop: &Stop,
    ) -> Result<Vec<Measure>, MindError> {
        let rivals = self.fixed.len() + self.past.len();
        let everybody = self.fixed.iter().chain(&self.past).map(|player| player.entrant.clone());
        let entrants: Vec<Entrant> = everybody.chain([Entrant::Model(model.clone())]).collect();
        let mut hall = front.hall(&entrants, models, stop);
        if self.fixed[0].met[1].1 == 0.0 && (0..FIXED.len()).any(|rival| hall.prepare(rival).is_err()) {
            // A house without these players has nobody to measure by; the training goes on.
            return Ok(Vec::new());
        }
        self.meet_each_other(&mut *hall)?;
        let mut points = vec![(0.0, 0.0); rivals];
        'rounds: for round in 0..GAMES {
            for (rival, score) in points.iter_mut().enumerate() {
                match game(&mut *hall, (rivals, rival), round) {
                    Ok(won) => *score = (score.0 + won, score.1 + 1.0),
                    // A player too slow to be measured is still one that learns.
                    Err(PlayError::Mind { error: MindError::Stopped(_), .. }) => break 'rounds,
                    Err(PlayError::Mind { error, .. }) => return Err(error),
                    Err(error) => return Err(MindError::Other(error.to_string())),
                }
            }
        }
        let measured = self.rated(&points);
        let mut met = [(0.0, 0.0); FIXED.len()];
        met.copy_from_slice(&points[..FIXED.len()]);
        self.past.truncate(1);
        self.past.push(Player { entrant: Entrant::Model(model.clone()), met });
        Ok(measured)
    }

    /// The fixed players' games among themselves, once.
    fn meet_each_other(&mut self, hall: &mut dyn Hall) -> Result<(), MindError> {
        for one in 1..FIXED.len() {
            for other in 0..one {
                for round in (self.fixed[one].met[other].1 as u32)..GAMES {
                    match game(hall, (one, other), round) {
                        Ok(won) => {
                            let score = &mut self.fixed[one].met[other];
                            *score = (score.0 + won, score.1 + 1.0);
                        }
                        Err(PlayError::Mind { error: MindError::Stopped(_), .. }) => return Ok(()),
                        Err(error) => return Err(MindError::Other(error.to_string())),
                    }
                }
            }
        }
        Ok(())
    }

    /// The ratings under which all these results are most likely.
    fn rated(&self, points: &[(f64, f64)]) -> Vec<Measure> {
        let learner = points.len();
        let mut pairings = Vec::new();
        for (a, player) in self.fixed.iter().chain(&self.past).enumerate() {
            let met = player.met.iter().enumerate().filter(|(b, _)| *b < a);
            pairings.extend(met.map(|(b, &(points, games))| Pairing { a, b, games, points }));
        }
        pairings.extend(points.iter().enumerate().map(|(b, &(points, games))| Pairing {
            a: learner,
            b,
            games,
            points,
        }));
        if points.iter().all(|(_, games)| *games == 0.0) {
            return Vec::new();
        }
        let ratings = bradley_terry(learner + 1, &pairings);
        let mut measures = vec![
            Measure::new(STRENGTH, ratings[learner].elo - ratings[0].elo),
            Measure::new(STRENGTH_PLUS_MINUS, ratings[learner].plus_minus),
        ];
        if points[0].1 > 0.0 {
            measures.push(Measure::new(AGAINST_RANDOM, points[0].0 / points[0].1));
        }
        measures
    }
}

/// One game: 1 won by the first named, ½ drawn, 0 lost. They take turns to begin.
fn game(hall: &mut dyn Hall, (one, other): (usize, usize), round: u32) -> Result<f64, PlayError> {
    // The same openings and dice at every measurement, so that a step of the curve is the learner's own.
    let mut draws = Rng::stream(0x5eed, u64::from(round / 2));
    let opening = hall.opening(2, &mut draws);
    let setting = Setting {
        opening: &opening,
        seed: draws.next_u64(),
        dice: draws,
        budget: Budget::Unlimited,
        longest: LONGEST_GAME,
        random_moves: 0.0,
    };
    let (first, second, side) =
        if round.is_multiple_of(2) { (one, other, Side::First) } else { (other, one, Side::Second) };
    let played = hall.play(first, second, setting)?;
    Ok(f64::from((1.0 + played.score.of(side)) / 2.0))
}

/// Positions of games between players that see one move ahead; none where that cannot be done in time.
fn hold_out(front: &dyn Front, table: &mut dyn Table) -> Option<Vec<Held>> {
    let perfect = front.minds().iter().any(|mind| mind.name == PERFECT);
    (0..POSITIONS).map(|number| hold(table, perfect, &mut Rng::stream(0x4e1d, number))).collect()
}

fn hold(table: &mut dyn Table, perfect: bool, rng: &mut Rng) -> Option<Held> {
    table.restart(None).ok()?;
    for _ in 0..LONGEST_GAME {
        table.roll(rng);
        if table.is_over() {
            break;
        }
        let decision = table.think("depth1", rng, Budget::Unlimited, Explain::NOTHING).ok()?;
        table.play(decision.mv).ok()?;
    }
    let score = table.view().score?;
    let back = NEAREST + rng.below(FURTHEST) as usize;
    for _ in 0..back {
        table.undo();
    }
    while table.to_move().is_none() && table.undo() {}
    let side = table.to_move()?;
    let moves = table.history().to_vec();
    let mut held = Held { moves, truth: f64::from((1.0 + score.of(side)) / 2.0), best: Vec::new() };
    if perfect && let Ok(proof) = table.think(PERFECT, rng, Budget::States(PROOF_STATES), Explain::NOTHING) {
        let fates: Vec<(Move, Fate)> =
            proof.why.moves.iter().filter_map(|candidate| Some((candidate.mv, candidate.fate?))).collect();
        // What gave up before it knew of every move proves nothing.
        if fates.len() == table.moves().len() {
            held.truth = fates.iter().map(|(_, fate)| fate.chance()).fold(0.0, f64::max);
            held.best =
                fates.iter().filter(|(_, fate)| fate.chance() >= held.truth).map(|(mv, _)| *mv).collect();
        }
    }
    Some(held)
}

/// How often the player keeps what can be kept, and how far its judgement is from the truth.
fn on_held_out(table: &mut dyn Table, mind: &str, held: &[Held]) -> Vec<Measure> {
    let (mut kept, mut proved, mut error, mut judged) = (0.0, 0.0, 0.0, 0.0);
    for (number, position) in held.iter().enumerate() {
        let set_up =
            table.restart(None).and_then(|()| position.moves.iter().try_for_each(|mv| table.play(*mv)));
        let mut rng = Rng::stream(0x4e1d, number as u64);
        // Asked for reasons, a mind says what its values mean.
        let decision =
            set_up.and_then(|()| table.think(mind, &mut rng, Budget::Unlimited, Explain::DECISION));
        // Out of time, or a player that cannot go on: what it did not answer is not counted for all either.
        let Ok(decision) = decision else { return Vec::new() };
        if !position.best.is_empty() {
            proved += 1.0;
            kept += f64::from(u8::from(position.best.contains(&decision.mv)));
        }
        if let Some(standing) = decision.why.get(decision.mv).and_then(|best| standing(&decision.why, best)) {
            judged += 1.0;
            error += math::square(standing - position.truth);
        }
    }
    let mut measures = Vec::new();
    if proved > 0.0 {
        measures.push(Measure::new(PERFECT_MOVES, kept / proved));
    }
    if judged > 0.0 {
        measures.push(Measure::new(HELD_OUT, error / judged));
    }
    measures
}

//! The smallest game with dice that is worth playing: roll, then keep the roll or throw it away; 21 exactly or
//! beyond wins, but a roll taken beyond 21 counts backwards.

use ludens_core::{Board, Ctx, Game, Mind, MindError, Move, PositionError, Ranking, Score, Side, Turn};

#[derive(Clone, Copy, Debug)]
pub struct DiceRace;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Race {
    points: [u32; 2],
    side: Side,
    roll: Option<u32>,
}

const GOAL: u32 = 21;
/// Rolls are the moves 1 to 6; choices are these.
const PASS: Move = Move(10);
const KEEP: Move = Move(11);

impl DiceRace {
    pub fn rolls(moves: &[Move]) -> Vec<u32> {
        moves.iter().map(|mv| mv.0).filter(|number| *number <= 6).collect()
    }
}

impl Game for DiceRace {
    type State = Race;

    fn id(&self) -> String {
        "dice-race".into()
    }
    fn start(&self) -> Race {
        Race { points: [0, 0], side: Side::First, roll: None }
    }
    fn turn(&self, race: &Race) -> Turn {
        match race.points.iter().position(|points| *points == GOAL) {
            Some(winner) => Turn::Over(Score::win_for(Side::BOTH[winner])),
            None if race.roll.is_none() => Turn::Chance,
            None => Turn::Player(race.side),
        }
    }
    fn moves(&self, race: &Race, out: &mut Vec<Move>) {
        out.clear();
        if let Turn::Player(_) = self.turn(race) {
            out.extend([PASS, KEEP]);
        }
    }
    fn apply(&self, race: &mut Race, mv: Move) {
        if mv.0 <= 6 {
            race.roll = Some(mv.0);
            return;
        }
        let points = &mut race.points[race.side.index()];
        if let (KEEP, Some(roll)) = (mv, race.roll) {
            *points = if *points + roll > GOAL { 2 * GOAL - *points - roll } else { *points + roll };
        }
        race.roll = None;
        race.side = race.side.other();
    }
    fn label(&self, _: &Race, mv: Move) -> String {
        mv.0.to_string()
    }
    fn board(&self, _: &Race) -> Board {
        unreachable!("nobody draws the race")
    }
    fn cells(&self, _: &Race, _: Move) -> Vec<u16> {
        Vec::new()
    }
    fn text(&self, race: &Race) -> String {
        format!("{race:?}")
    }
    fn parse(&self, text: &str) -> Result<Race, PositionError> {
        Err(PositionError {
            game: self.id(),
            text: text.into(),
            problem: "races are not read".into(),
            format: "nothing".into(),
        })
    }
    fn chance(&self, _: &Race, out: &mut Vec<(Move, f32)>) {
        out.clear();
        out.extend((1..=6).map(|roll| (Move(roll), 1.0 / 6.0)));
    }
}

/// Keeps what brings it nearer to the goal.
pub struct Greedy;

impl Mind<DiceRace> for Greedy {
    fn rank(&mut self, _: &DiceRace, race: &Race, _: &mut Ctx) -> Result<Ranking, MindError> {
        let points = race.points[race.side.index()];
        let keeps = points + race.roll.unwrap_or(0) <= GOAL;
        Ok(Ranking::of([(KEEP, f64::from(u8::from(keeps))), (PASS, f64::from(u8::from(!keeps)))]))
    }
}

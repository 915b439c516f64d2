//! What a handful of random games shows about a game: whose turn it is when, and which pieces whose
//! moves bring.

use crate::machine::{Bits, Machine};
use crate::reasoner::Grounded;
use ludens_core::{Rng, Stop, Stopped};
use std::sync::Arc;

/// One step of an observed game.
#[derive(Clone, Debug)]
pub struct Step {
    /// The state in which the moves were made.
    pub before: Bits,
    /// The state they led to.
    pub after: Bits,
    /// How many legal moves each role had.
    pub choices: Vec<u32>,
    /// The move of each role.
    pub joint: Vec<u32>,
}

/// Steps of random games, the same ones every time.
pub fn observe(
    grounded: &Grounded,
    games: u64,
    most_steps: usize,
    stop: &Stop,
) -> Result<Vec<Step>, Stopped> {
    let mut machine = Machine::new(Arc::clone(&grounded.wiring));
    let roles = grounded.network.roles.len();
    let start = grounded.network.initial_bits();
    let mut steps = Vec::new();
    for game in 0..games {
        let mut rng = Rng::stream(0x0b5e_57e5, game);
        machine.set_state(&start);
        for _ in 0..2000 {
            stop.check()?;
            if machine.is_terminal() || steps.len() >= most_steps {
                break;
            }
            let joint: Vec<u32> = (0..roles).filter_map(|r| machine.random_move(r, &mut rng)).collect();
            if joint.len() < roles {
                break;
            }
            let choices = (0..roles).map(|r| machine.legal_count(r)).collect();
            let before: Bits = machine.state().into();
            machine.advance(&joint);
            steps.push(Step { before, after: machine.state().into(), choices, joint });
        }
    }
    Ok(steps)
}

pub(crate) fn holds(bits: &[u64], fact: u32) -> bool {
    bits[fact as usize / 64] >> (fact % 64) & 1 == 1
}

/// How to tell whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnRule {
    /// By a fact for each role, exactly one of which always holds.
    Facts([u32; 2]),
    /// Who has more than one move; else who does not have a move that is for waiting.
    Choices([Vec<u32>; 2]),
}

/// The turn rule of two alternating players; none if both choose at once somewhere.
pub fn turn_rule(steps: &[Step], players: [usize; 2], facts: u32) -> Option<TurnRule> {
    let choices = |s: &Step, side: usize| s.choices[players[side]];
    if steps.iter().any(|s| choices(s, 0) > 1 && choices(s, 1) > 1) {
        return None;
    }
    let marks = |side: usize| -> Vec<u32> {
        let fits = |f: &u32| {
            steps.iter().all(|s| {
                let on = holds(&s.before, *f);
                (choices(s, side) <= 1 || on) && (choices(s, 1 - side) <= 1 || !on)
            })
        };
        (0..facts).filter(fits).collect()
    };
    let (first, second) = (marks(0), marks(1));
    let exclusive = |a: u32, b: u32| steps.iter().all(|s| holds(&s.before, a) != holds(&s.before, b));
    for &a in first.iter().take(64) {
        if let Some(&b) = second.iter().take(64).find(|&&b| exclusive(a, b)) {
            return Some(TurnRule::Facts([a, b]));
        }
    }
    let waiting = |side: usize| -> Vec<u32> {
        let mut moves: Vec<u32> =
            steps.iter().filter(|s| choices(s, 1 - side) > 1).map(|s| s.joint[players[side]]).collect();
        moves.sort_unstable();
        moves.dedup();
        moves
    };
    Some(TurnRule::Choices([waiting(0), waiting(1)]))
}

//! The matches of a training step: members against each other, with drawn moves.

use ludens_core::{Game, Meter, Rng, Side};

use crate::nhb::Nhb;
use crate::nhb::examples::{Example, Examples, Played, Trust};
use crate::nhb::judge::Judge;
use crate::nhb::matches::{Disturbance, Lots, Player, Sides, play_match};
use crate::nhb::settings::Settings;

/// Where several learn side by side, the share of matches against another. Against themselves alone trainings that differ in random numbers only
/// end far apart (docs/notebook/nhb.md).
const AGAINST_OTHERS: f64 = 0.8;

impl<G: Game> Nhb<G> {
    /// Its lots are for variety, so the whole match through. Deeper searches know the value of their best move only: none there.
    fn trainee(&self, judge: Judge) -> Player<G> {
        let Settings { depth, near, .. } = self.settings;
        let near = if depth == 1 { near } else { 0.0 };
        Player { lots: Lots { near, early: u32::MAX, later: 0.0 }, ..self.player(judge) }
    }

    /// Ours: matches of one member against the others and itself, with drawn moves; a state's target is what the search says there, mixed with
    /// what came of it. `judges` are those of all members; there are none at first.
    pub(crate) fn improved_cycle(
        &self,
        game: &G,
        member: usize,
        judges: &[Judge],
        rng: &mut Rng,
        meter: &mut Meter,
    ) -> Examples<G> {
        let mut examples = Examples::default();
        for number in 0..self.settings.cycle {
            if meter.check().is_err() {
                break;
            }
            let mut rng = rng.split();
            let (judge, lambda) = match judges.get(member) {
                Some(own) => (own.clone(), self.settings.lambda),
                None => (Judge::random(&mut rng), 1.0),
            };
            let mut own = self.trainee(judge);
            let mut other = rival(member, judges, &mut rng).map(|judge| self.trainee(judge.clone()));
            let opening = rng.below(self.settings.opening + 1);
            let disturbance = Disturbance { opening, epsilon: self.settings.explore };
            let mut sides = match &mut other {
                None => Sides::Itself(&mut own),
                Some(other) if number % 2 == 0 => Sides::Two(&mut own, other),
                Some(other) => Sides::Two(other, &mut own),
            };
            let played = play_match(game, &mut sides, disturbance, &mut rng, meter, |_, _| {});
            let cut = if self.settings.slips { opening as usize } else { usize::MAX };
            let targets = mixed_targets(&played, lambda, cut);
            for ((state, view), value) in played.states.iter().zip(targets) {
                examples.add(Example { state: state.clone(), view: *view, value, trust: Trust::Played });
            }
            self.look_back(game, &played, &mut examples, meter);
        }
        examples
    }
}

/// Another member or a sparring partner to play against; none for a match against itself.
fn rival<'j>(member: usize, judges: &'j [Judge], rng: &mut Rng) -> Option<&'j Judge> {
    if judges.len() < 2 || !rng.chance(AGAINST_OTHERS) {
        return None;
    }
    let other = rng.below(judges.len() as u32 - 1) as usize;
    judges.get(if other < member { other } else { other + 1 })
}

/// The mix of search and outcome, backwards from the end; a drawn move says nothing of the position it left, if it is among the first `cut`.
/// After them it is a slip, and what it costs belongs to the value of positions in which one may slip.
fn mixed_targets<S>(played: &Played<S>, lambda: f32, cut: usize) -> Vec<f32> {
    let mut ahead = played.score.0;
    let mut targets = vec![0.0; played.values.len()];
    for place in (0..played.values.len()).rev() {
        let sign = if played.states[place].1 == Side::First { 1.0 } else { -1.0 };
        let searched = sign * played.values[place];
        let certain = searched.abs() >= 1.0;
        ahead = if certain || (played.drawn[place] && place < cut && lambda < 1.0) {
            searched
        } else {
            (1.0 - lambda) * searched + lambda * ahead
        };
        targets[place] = sign * ahead;
    }
    targets
}

#[cfg(test)]
mod tests {
    use ludens_core::Score;

    use super::*;

    /// Three positions of the first player, who wins; the moves of the first two were drawn.
    #[test]
    fn what_came_of_a_slip_counts_where_slips_do() {
        let played = Played {
            states: vec![((), Side::First); 4],
            moves: Vec::new(),
            values: vec![0.2, 0.4, 0.0],
            drawn: vec![true, true, false],
            score: Score(1.0),
        };
        assert_eq!(mixed_targets(&played, 0.5, usize::MAX), [0.2, 0.4, 0.5]);
        assert_eq!(mixed_targets(&played, 0.5, 1), [0.2, 0.45, 0.5]);
        assert_eq!(mixed_targets(&played, 0.5, 0), [0.325, 0.45, 0.5]);
    }
}

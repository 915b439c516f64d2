//! The matches of a training step as published (section 4.2), and what is learnt from them; ours are in `beyond::nhb_improved`.

use ludens_core::{Budget, Game, Meter, Rng, Side};
use ludens_search::backward_deepening;

use super::examples::{Examples, Played};
use super::judge::Judge;
use super::learner::Nhb;
use super::matches::{Disturbance, Sides, play_match};

/// Hidden units of an opponent made before the own size is known.
const OPPONENT_HIDDEN: usize = 64;

impl<G: Game> Nhb<G> {
    /// The paper's cycle: at first random heuristics against each other; later against randomly initialised networks, and once
    /// against itself.
    pub(super) fn published_cycle(
        &self,
        game: &G,
        own: Option<&Judge>,
        rng: &mut Rng,
        meter: &mut Meter,
    ) -> Examples<G> {
        let mut examples = Examples::default();
        let inputs = game.encoding_len();
        let epsilon = (self.steps > 1 && self.settings.epsilon > 0.0).then_some(self.settings.epsilon);
        for number in 0..self.settings.cycle {
            if meter.check().is_err() {
                break;
            }
            let mut rng = rng.split();
            let itself = own.is_some() && number == 0;
            let both = itself || own.is_none();
            let (judge, opponent) = match own {
                None => (Judge::random(&mut rng), Judge::random(&mut rng)),
                Some(own) => (own.clone(), Judge::untrained(inputs, OPPONENT_HIDDEN, &mut rng)),
            };
            let (mut own, mut other) = (self.player(judge), self.player(opponent));
            let mut sides = match (itself, number % 2) {
                (true, _) => Sides::Itself(&mut own),
                (_, 0) => Sides::Two(&mut own, &mut other),
                _ => Sides::Two(&mut other, &mut own),
            };
            let own_side = if number % 2 == 0 { Side::First } else { Side::Second };
            let played =
                play_match(game, &mut sides, Disturbance::default(), &mut rng, meter, |side, tree| {
                    // The opponent's heuristic means nothing: its nodes are consistent by accident only.
                    let trusted = epsilon.filter(|_| both || side == own_side);
                    examples.add_tree(tree, trusted);
                });
            examples.add_ramp(&played.states, played.score);
            self.look_back(game, &played, &mut examples, meter);
        }
        examples
    }

    pub(crate) fn look_back(
        &self,
        game: &G,
        played: &Played<G::State>,
        examples: &mut Examples<G>,
        meter: &mut Meter,
    ) {
        if self.settings.backward == 0 {
            return;
        }
        let mut own = meter.part(Budget::States(self.settings.backward));
        backward_deepening(
            game,
            &game.start(),
            &played.moves,
            &mut own,
            |_| None,
            |state, backed| {
                examples.add_backed(game, state, backed);
            },
        );
        meter.add_states(own.cost().states);
    }
}

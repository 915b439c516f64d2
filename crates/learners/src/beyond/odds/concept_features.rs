//! Concepts as the features of the odds memory: how often each chosen pattern of the concepts paper holds after a move. The memory then learns
//! by itself, in its own games, what "two threats at once" is worth; the weights of the concepts are not used.

use std::sync::Arc;

use ludens_core::{Game, MindError, Recorder, Side, Spec, Stop, Turn};

use crate::actr::memory::Slot;
use crate::actr::odds::{Feature, Kind};
use crate::beyond::selected_concepts::{self, rules_for};
use crate::concepts::{ConceptLearner, Evaluation, FactId, FactSet, Parameters, Vocabulary};

/// Matches beyond this many are not told apart.
const MOST: u8 = 12;

#[derive(Clone, PartialEq, Debug)]
pub struct ConceptFeatures {
    vocabulary: Vocabulary,
    /// Each concept: its name, and the rules that match it for a mover of either side.
    concepts: Vec<(String, [Evaluation; 2])>,
}

impl ConceptFeatures {
    /// Learns the concepts from random games of the game; the same game has always the same ones.
    pub fn learn(game: &dyn Recorder, stop: &Stop) -> Result<ConceptFeatures, MindError> {
        let mut spec = Spec::new(selected_concepts::NAME);
        let mut learner = ConceptLearner::new(game, &Arc::default(), &mut spec, &Parameters::selected())?;
        learner.advance(game, stop)?;
        let vocabulary = learner.vocabulary().clone();
        let concepts = learner.learnt().chosen.iter().map(|chosen| {
            let rules = Side::BOTH.map(|side| {
                let rules = rules_for(std::slice::from_ref(chosen), side, learner.binary(), &vocabulary);
                Evaluation::new(rules, &vocabulary)
            });
            (format!("{} {}", chosen.feature.picture(), chosen.feature.name()), rules)
        });
        let concepts = concepts.collect();
        Ok(ConceptFeatures { vocabulary, concepts })
    }

    /// The one kind of feature: which concept, how often.
    pub fn kinds(&self) -> Vec<Kind> {
        let which = Slot::number("concept", 0.0, self.concepts.len() as f64 + 1.0);
        let slots = vec![which, Slot::number("times", 0.0, f64::from(MOST))];
        vec![Kind { name: "concept", slots, threshold: 0.01 }]
    }

    /// What holds in a position for `side`, who has just moved: each concept with how often, those that do not hold at all included,
    /// and whether the game is won. The concepts speak of games that go on, and the memory does not look ahead.
    pub fn read<G: Game>(&self, game: &G, state: &G::State, side: Side) -> Vec<(Feature, Vec<u16>)> {
        let mut facts: Vec<FactId> = Vec::new();
        self.vocabulary.read(&game.board(state), &mut facts);
        let mut holding = FactSet::default();
        holding.set(&facts, self.vocabulary.len());
        let feature = |(which, (_, rules)): (usize, &(String, [Evaluation; 2]))| {
            let (mut times, mut cells) = (0, Vec::new());
            for rule in rules[side.index()].matching(&holding) {
                times += 1;
                cells.extend(rule.body.iter().map(|&fact| self.vocabulary.square(fact)));
            }
            cells.sort_unstable();
            cells.dedup();
            (Feature { kind: 0, slots: [which as u8, times.min(MOST), 0, 0] }, cells)
        };
        let won = matches!(game.turn(state), Turn::Over(score) if score.of(side) > 0.0);
        let won = Feature { kind: 0, slots: [self.concepts.len() as u8, u8::from(won), 0, 0] };
        self.concepts.iter().enumerate().map(feature).chain([(won, Vec::new())]).collect()
    }

    pub fn words(&self, feature: Feature) -> String {
        let name =
            self.concepts.get(usize::from(feature.slots[0])).map_or("the game is won", |concept| &concept.0);
        format!("{} × {name}", feature.slots[1])
    }
}

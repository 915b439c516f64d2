//! The decisions that are looked at: games of the mind against a random player, in which now and then the mind's move is random as well, so that the
//! positions differ.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use ludens_core::{
    Combine, Decision, Explain, Front, Move, MoveValue, NoModels, Ranking, Rng, Side, Stop, Table,
};

use super::curves::{Curves, curves, random_curves};
use super::flips::{Flip, cited_reasons, flip_of_sums};
use super::shapley::{EXACT, Preference, rank_correlation, shapley};
use super::simulate::Lessons;
use super::terms::Terms;
use super::{Effort, Protocol};
use crate::LabError;

/// Everything that was seen of a mind.
#[derive(Default, Debug)]
pub(crate) struct Sample {
    pub positions: u64,
    pub looked_at: u64,
    pub games: u32,
    pub by_muting: bool,
    pub judged: Vec<Judged>,
    pub flips: Vec<Flip>,
    pub gap: f64,
    pub lessons: Lessons,
    /// How often each input was cited for the chosen move.
    pub inputs: BTreeMap<u32, u64>,
}

/// One decision, taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    pub game: u32,
    pub terms: usize,
    pub own: Curves,
    pub random: Curves,
    /// By drawn orders of the terms that speak for the move, the others after them.
    pub random_own: Curves,
    pub by_shapley: Curves,
    pub correlation: Option<f64>,
    pub exact: bool,
}

/// A mind at a table, asked any number of times about a position by the same dice and within the same budget.
pub(crate) struct Session<'a> {
    table: Box<dyn Table>,
    mind: &'a str,
    protocol: &'a Protocol,
    pub sample: Sample,
}

impl<'a> Session<'a> {
    pub fn new(front: &dyn Front, mind: &'a str, protocol: &'a Protocol, stop: &Stop) -> Session<'a> {
        let mut table = front.table(Arc::new(NoModels));
        table.watched(stop.clone());
        Session { table, mind, protocol, sample: Sample::default() }
    }

    /// Plays games until there are decisions enough, or it is clear that there will not be.
    pub fn run(&mut self, stop: &Stop, tell: &dyn Fn(f64)) -> Result<(), LabError> {
        let wanted = self.protocol.positions();
        let most_games = u32::try_from(wanted.saturating_mul(4)).unwrap_or(u32::MAX).saturating_add(16);
        while !self.is_done() && self.sample.games < most_games {
            stop.check()?;
            let mut rng = Rng::stream(self.protocol.seed, u64::from(self.sample.games));
            self.play_one(&mut rng)?;
            self.sample.games += 1;
            tell(self.sample.positions as f64 / wanted as f64);
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.sample.positions >= self.protocol.positions()
    }

    fn play_one(&mut self, rng: &mut Rng) -> Result<(), LabError> {
        const LONGEST: u32 = 2_000;
        self.table.restart(None)?;
        self.table.new_game(self.mind)?;
        let ours = if rng.chance(0.5) { Side::First } else { Side::Second };
        for _ in 0..LONGEST {
            let Some(side) = self.table.to_move() else {
                if self.table.is_over() {
                    return Ok(());
                }
                self.table.roll(rng);
                continue;
            };
            let moves = self.table.moves();
            let mv = if side != ours || rng.chance(0.15) {
                moves[rng.below(moves.len() as u32) as usize]
            } else {
                let dice = rng.split();
                let Decision { mv, why, .. } = self.ask(&dice, Explain::EVERYTHING)?;
                if moves.len() > 1 {
                    self.look(&dice, side, &why, mv, rng)?;
                }
                if self.is_done() {
                    return Ok(());
                }
                mv
            };
            self.table.play(mv)?;
        }
        Ok(())
    }

    fn look(
        &mut self,
        dice: &Rng,
        side: Side,
        why: &Ranking,
        mv: Move,
        rng: &mut Rng,
    ) -> Result<(), LabError> {
        self.sample.positions += 1;
        let game = self.sample.games;
        if !self.protocol.taught.is_empty() {
            let (lessons, reasons) = (&mut self.sample.lessons, self.protocol.cited);
            lessons.add(&mut *self.table, (game, side), why, mv, reasons)?;
        }
        if let Some(best) = why.get(mv) {
            for input in self.cited_inputs(best, true) {
                *self.sample.inputs.entry(input).or_default() += 1;
            }
        }
        let (judged, summed) = (self.sample.judged.len() as u64, why.combine != Combine::None);
        let effort = if summed { &self.protocol.summed } else { &self.protocol.searched };
        if judged >= effort.decisions || self.sample.looked_at >= self.protocol.positions() {
            return Ok(());
        }
        self.sample.looked_at += 1;
        // What is drawn to judge a decision does not touch the game.
        let mut rng = rng.clone().split();
        if summed {
            self.judge_sums(why, mv, &mut rng)
        } else {
            self.judge_by_muting(dice, why, mv, &mut rng)
        }
    }

    fn judge_sums(&mut self, why: &Ranking, chosen: Move, rng: &mut Rng) -> Result<(), LabError> {
        let scale = why.moves.iter().map(|candidate| candidate.value.abs()).fold(1.0, f64::max);
        self.sample.gap = self.sample.gap.max(why.gap().unwrap_or(0.0) / scale);
        let (Some(terms), Some(best)) = (Terms::of_sums(why, chosen), why.get(chosen)) else { return Ok(()) };
        self.sample.flips.push(flip_of_sums(why, best, self.protocol.cited, rng));
        let temperature = terms.temperature();
        let mut preference = |kept: &[bool]| Ok(terms.preference(kept, temperature));
        let order = terms.own_order();
        let judged = judge(
            self.sample.games,
            (&order, terms.speaking_for()),
            order.len(),
            &mut preference,
            &self.protocol.summed,
            rng,
        )?;
        self.sample.judged.push(judged);
        Ok(())
    }

    fn ask(&mut self, dice: &Rng, explain: Explain) -> Result<Decision, LabError> {
        Ok(self.table.think(self.mind, &mut dice.clone(), self.protocol.budget, explain)?)
    }

    fn ask_without(&mut self, dice: &Rng, muted: &dyn Fn(u32) -> bool) -> Result<Move, LabError> {
        self.table.mute(self.mind, muted)?;
        self.table.new_game(self.mind)?;
        let mv = self.ask(dice, Explain::NOTHING)?.mv;
        self.table.mute(self.mind, &|_| false)?;
        self.table.new_game(self.mind)?;
        Ok(mv)
    }

    /// A mind that searches: its reasons are inputs of its judgement at the end of a line. It is asked again, the whole search, with inputs muted wherever
    /// it looks; the preference is 1 where the move is chosen still, else 0, for the values of the other moves are bounds. What no reason names is one
    /// term more, the last.
    fn judge_by_muting(
        &mut self,
        dice: &Rng,
        why: &Ranking,
        chosen: Move,
        rng: &mut Rng,
    ) -> Result<(), LabError> {
        let (Some(terms), Some(best)) = (Terms::of_inputs(why, chosen), why.get(chosen)) else {
            return Ok(());
        };
        if !self.table.mute(self.mind, &|_| false)? {
            return Ok(());
        }
        self.sample.by_muting = true;
        let flip = self.flip_by_muting(dice, why, best, rng)?;
        self.sample.flips.push(flip);
        let order = terms.own_order();
        let (game, effort) = (self.sample.games, &self.protocol.searched);
        let mut known: HashMap<Vec<bool>, f64> = HashMap::new();
        let mut preference = |kept: &[bool]| {
            if let Some(known) = known.get(kept) {
                return Ok(*known);
            }
            let place = |input: u32| terms.keys.iter().position(|key| *key == input);
            let unnamed = terms.keys.len();
            let mv = self.ask_without(dice, &|input| !kept[place(input).unwrap_or(unnamed)])?;
            let found = if mv == chosen { 1.0 } else { 0.0 };
            known.insert(kept.to_vec(), found);
            Ok(found)
        };
        let judged =
            judge(game, (&order, terms.speaking_for()), order.len() + 1, &mut preference, effort, rng)?;
        self.sample.judged.push(judged);
        Ok(())
    }

    fn cited_inputs(&self, candidate: &MoveValue, only_for: bool) -> Vec<u32> {
        let reasons = candidate.reasons.iter().filter(|reason| reason.input.is_some()).cloned().collect();
        let terms = MoveValue { reasons, ..MoveValue::new(candidate.mv, candidate.value) };
        let cited = cited_reasons(Combine::None, &terms, self.protocol.cited, only_for);
        cited.iter().filter_map(|reason| reason.input).collect()
    }

    fn flip_by_muting(
        &mut self,
        dice: &Rng,
        why: &Ranking,
        best: &MoveValue,
        rng: &mut Rng,
    ) -> Result<Flip, LabError> {
        let top = self.cited_inputs(best, true);
        let shown: Vec<u32> = why.moves.iter().flat_map(|one| self.cited_inputs(one, false)).collect();
        // As many others that were named for any of the moves, as there are.
        let every = why.moves.iter().flat_map(|candidate| &candidate.reasons);
        let mut others: Vec<u32> =
            every.filter_map(|reason| reason.input).filter(|input| !top.contains(input)).collect();
        others.sort_unstable();
        others.dedup();
        rng.shuffle(&mut others);
        others.truncate(top.len());
        Ok(Flip {
            changed: self.ask_without(dice, &|input| top.contains(&input))? != best.mv,
            changed_by_others: self.ask_without(dice, &|input| others.contains(&input))? != best.mv,
            stayed: self.ask_without(dice, &|input| !shown.contains(&input))? == best.mv,
        })
    }
}

/// The curves of the mind's own order, of drawn orders and of the order of the Shapley values, over the same terms.
fn judge(
    game: u32,
    (order, speaking_for): (&[usize], usize),
    terms: usize,
    preference: &mut Preference,
    effort: &Effort,
    rng: &mut Rng,
) -> Result<Judged, LabError> {
    let own = curves(order, terms, preference)?;
    let random = random_curves(order, terms, preference, (effort.draws, order.len()), rng)?;
    let random_own = random_curves(order, terms, preference, (effort.draws, speaking_for), rng)?;
    let values = shapley(terms, preference, effort.orders, rng)?;
    let mut by_value = order.to_vec();
    by_value.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    Ok(Judged {
        game,
        terms: order.len(),
        own,
        random,
        random_own,
        by_shapley: curves(&by_value, terms, preference)?,
        correlation: rank_correlation(order, &by_value),
        exact: terms <= EXACT,
    })
}

//! pubeval, Gerald Tesauro's benchmark player: one linear sum for contact, one for races, no lookahead.
//!
//! The sum has a term for each point, so the score of a play is that of the position before it plus the change on
//! the two to eight points it touches. All weights have five decimals and all inputs are multiples of 1/2 or
//! 1/15: in units of 1/3,000,000 everything is a whole number, and the sum is exact in any order.

use ludens_core::words::{Fate, How, What, Whose};
use ludens_core::{Combine, Ctx, Mind, MindError, Move, Ranking, Reason, Side};
use ludens_games::backgammon::{Backgammon, MEN, Position};

use super::pubeval_weights::{CONTACT, RACE};

/// Whole units to one point of pubeval's score: 5 decimals × 2 × 15.
const UNIT: f64 = 3_000_000.0;
/// A weight, in hundred-thousandths, times this is in units.
const PER_WEIGHT: i32 = 30;

/// The score pubeval gives a won position.
pub(crate) const WON: f32 = 99_999_999.0;

/// `TERMS[race][point][men + 1]` in units: the part of a point with `men` own men, −1 for a blot of the other's. Point 0 is
/// the tray, 25 the bar.
static TERMS: [[[i32; 17]; 26]; 2] = [terms(&CONTACT), terms(&RACE)];
/// What each man of the other's on the bar adds, in units.
const ON_BAR: [i32; 2] = [CONTACT[120] * PER_WEIGHT / 2, RACE[120] * PER_WEIGHT / 2];

const fn terms(weights: &[i32; 122]) -> [[i32; 17]; 26] {
    let mut terms = [[0; 17]; 26];
    let mut point = 1;
    while point <= 24 {
        let base = 5 * (24 - point);
        terms[point][0] = weights[base] * PER_WEIGHT;
        let mut men = 1;
        while men <= 15 {
            let mut term = if men == 1 { weights[base + 1] } else { weights[base + 2] } * PER_WEIGHT;
            if men == 3 {
                term += weights[base + 3] * PER_WEIGHT;
            }
            if men >= 4 {
                term += weights[base + 4] * (PER_WEIGHT / 2) * (men as i32 - 3);
            }
            terms[point][men + 1] = term;
            men += 1;
        }
        point += 1;
    }
    let mut men = 0;
    while men <= 15 {
        terms[0][men + 1] = weights[121] * (PER_WEIGHT / 15) * men as i32;
        men += 1;
    }
    terms
}

/// The score as Tesauro's C routine computes it, in single precision and in its order, so that it is the same number
/// bit for bit. `signed` is the position after the play as the player who made it sees it
/// ([`Position::signed`]), `off` the men he has borne off.
pub fn score(signed: &[i8; 26], off: u8, race: bool) -> f32 {
    if off == MEN {
        return WON;
    }
    let weights = if race { &RACE } else { &CONTACT };
    let weight = |index: usize| (f64::from(weights[index]) / 1e5) as f32;
    let mut inputs = [0f32; 122];
    for (group, input) in inputs[..120].chunks_mut(5).enumerate() {
        let men = signed[24 - group];
        input[0] = f32::from(u8::from(men == -1));
        input[1] = f32::from(u8::from(men == 1));
        input[2] = f32::from(u8::from(men >= 2));
        input[3] = f32::from(u8::from(men == 3));
        input[4] = if men >= 4 { f32::from(men - 3) / 2.0 } else { 0.0 };
    }
    inputs[120] = -f32::from(signed[0]) / 2.0;
    inputs[121] = f32::from(off) / 15.0;
    inputs.iter().enumerate().fold(0.0, |sum, (index, input)| sum + weight(index) * input)
}

/// The changes of the sum, in tables padded to 32 so that a masked index needs no check.
struct Changes {
    /// `leaving[point][code]`: one man less on a point; a code is the men there + 1, 0 for a blot of the other's.
    leaving: [[i32; 32]; 32],
    /// One man more, who hits if a blot was there.
    landing: [[i32; 32]; 32],
}

static CHANGES: [Changes; 2] = [changes(0), changes(1)];

const fn changes(race: usize) -> Changes {
    let mut changes = Changes { leaving: [[0; 32]; 32], landing: [[0; 32]; 32] };
    let terms = &TERMS[race];
    let mut point = 0;
    while point < 26 {
        let mut code = 0;
        while code < 16 {
            changes.leaving[point][code + 1] = terms[point][code] - terms[point][code + 1];
            changes.landing[point][code] = terms[point][code + 1] - terms[point][code];
            code += 1;
        }
        changes.landing[point][0] = terms[point][2] - terms[point][0] + ON_BAR[race];
        point += 1;
    }
    changes
}

/// Scores the plays of one roll by the change they make.
struct Scorer {
    changes: &'static Changes,
    dice: [u8; 2],
    /// For each point the men of the mover + 1, 0 for a blot of the other's.
    codes: [u8; 32],
    leaving: [i32; 32],
    landing: [i32; 32],
}

impl Scorer {
    #[inline]
    fn new(state: &Position, dice: [u8; 2]) -> Scorer {
        let own = state.men(state.mover()).counts();
        let other = state.men(state.mover().other()).counts();
        let changes = &CHANGES[usize::from(!state.contact())];
        let mut codes = [1u8; 32];
        for (code, men) in codes.iter_mut().zip(own) {
            *code += men;
        }
        for point in 1..=24 {
            codes[point] -= u8::from(other[25 - point] == 1);
        }
        let mut scorer = Scorer { changes, dice, codes, leaving: [0; 32], landing: [0; 32] };
        for (point, &code) in codes.iter().enumerate() {
            scorer.leaving[point] = changes.leaving[point][usize::from(code & 31)];
            scorer.landing[point] = changes.landing[point][usize::from(code & 31)];
        }
        scorer
    }

    /// By how much a play changes the sum; the greatest number for one that wins.
    #[inline]
    fn gain_or_win(&self, state: &Position, mv: Move) -> i32 {
        let mover = state.mover();
        if state.men(mover).off() >= 11 && state.after(mv).men(mover).all_off() {
            return i32::MAX;
        }
        self.gain(mv)
    }

    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        let (high, low) = (usize::from(self.dice[0]), usize::from(self.dice[1]));
        let (i, j) = ((mv.0 & 31) as usize, (mv.0 >> 5 & 31) as usize);
        if high == low {
            return self.gain_of_double(mv, high);
        }
        let (to_i, to_j) = (i.saturating_sub(high) & 31, j.saturating_sub(low) & 31);
        let apart = i != j && to_i != to_j && to_i != j && to_j != i;
        if apart && i != 0 && j != 0 {
            return self.leaving[i] + self.landing[to_i] + self.leaving[j] + self.landing[to_j];
        }
        let mut codes = self.codes;
        // A man who goes on from where nobody stood yet must first get there.
        let [first, second] = if codes[i] > 1 { [(i, to_i), (j, to_j)] } else { [(j, to_j), (i, to_i)] };
        self.hop(&mut codes, first) + self.hop(&mut codes, second)
    }

    #[inline]
    fn gain_of_double(&self, mv: Move, die: usize) -> i32 {
        let mut codes = self.codes;
        let mut gain = 0;
        let mut starts = mv.0;
        while starts != 0 {
            let from = (starts & 31) as usize;
            gain += self.hop(&mut codes, (from, from.saturating_sub(die)));
            starts >>= 5;
        }
        gain
    }

    #[inline]
    fn hop(&self, codes: &mut [u8; 32], (from, to): (usize, usize)) -> i32 {
        if from == 0 {
            return 0;
        }
        let (leaves, lands) = (codes[from & 31], codes[to & 31]);
        codes[from & 31] = leaves.wrapping_sub(1);
        codes[to & 31] = lands.max(1) + 1;
        self.changes.leaving[from & 31][usize::from(leaves & 31)]
            + self.changes.landing[to & 31][usize::from(lands & 31)]
    }
}

/// In what a port of pubeval, or the game it is put into, may differ.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Port {
    /// The weights of races are taken where the play ends in a race, not where it begins in one.
    pub race_after: bool,
    /// Men borne off are not counted.
    pub no_off: bool,
    /// A double is two moves.
    pub two_moves: bool,
}

/// The player. It holds nothing but room for the list of plays, and in what it is not Tesauro's.
#[derive(Clone, Default, Debug)]
pub struct Pubeval {
    plays: Vec<Move>,
    port: Port,
}

impl Pubeval {
    /// One that differs.
    pub fn port(port: Port) -> Pubeval {
        Pubeval { plays: Vec::new(), port }
    }

    /// The play with the largest score, the first listed of equals; and how many there were.
    #[inline]
    pub fn best(&mut self, state: &Position) -> (Move, usize) {
        state.plays_within(if self.port.two_moves { 2 } else { 4 }, &mut self.plays);
        let Some(dice) = state.dice() else { return (ludens_games::backgammon::PASS, 0) };
        if let [only] = self.plays[..] {
            return (only, 1);
        }
        if self.port.race_after || self.port.no_off {
            return (self.best_of_port(state), self.plays.len());
        }
        let scorer = Scorer::new(state, dice);
        let mut best = (i32::MIN, self.plays[0]);
        for &mv in &self.plays {
            let gain = scorer.gain_or_win(state, mv);
            if gain > best.0 {
                best = (gain, mv);
            }
        }
        (best.1, self.plays.len())
    }
}

impl Pubeval {
    /// The whole sum of each play, the first listed of equals.
    fn best_of_port(&self, state: &Position) -> Move {
        let side = state.mover();
        let score = |mv: Move| {
            let after = state.after(mv);
            let race = !if self.port.race_after { after.contact() } else { state.contact() };
            let off = after.men(side).off();
            if off == MEN {
                return i32::MAX;
            }
            let counted =
                if self.port.no_off { TERMS[usize::from(race)][0][usize::from(off) + 1] } else { 0 };
            units(&after, side, usize::from(race)) - counted
        };
        let mut best = (i32::MIN, self.plays[0]);
        for &mv in &self.plays {
            let score = score(mv);
            if score > best.0 {
                best = (score, mv);
            }
        }
        best.1
    }
}

/// The whole sum of a position in units, as `side` sees it.
fn units(state: &Position, side: Side, race: usize) -> i32 {
    let signed = state.signed(side);
    let point = |point: usize| match signed[point] {
        ..=-2 => 0,
        men => TERMS[race][point][(men + 1) as usize],
    };
    let points: i32 = (1..=24).map(point).sum();
    let off = usize::from(state.men(side).off());
    points + ON_BAR[race] * -i32::from(signed[0]) + TERMS[race][0][off + 1]
}

/// What the sum of a play is made of.
fn terms_of_play(state: &Position, mv: Move) -> Vec<Reason> {
    let side = state.mover();
    let after = state.after(mv);
    let signed = after.signed(side);
    let race = usize::from(!state.contact());
    if after.men(side).all_off() {
        return vec![Reason::rule(What::Win, f64::from(WON), vec![])];
    }
    let mut reasons = Vec::new();
    let mut add = |what: What, units: i32, cells: Vec<u16>| {
        if units != 0 {
            reasons.push(Reason::term(what, f64::from(units) / UNIT, cells));
        }
    };
    for point in (1..=24u8).rev() {
        let men = signed[usize::from(point)].max(-2);
        if men == -2 || men == 0 {
            continue;
        }
        let what = match men {
            -1 => What::Blot { whose: Whose::Theirs },
            men => What::Men { whose: Whose::Own, count: men as u8 },
        };
        let cell = if side == Side::First { u16::from(point) - 1 } else { 24 - u16::from(point) };
        add(what, TERMS[race][usize::from(point)][(men + 1) as usize], vec![cell]);
    }
    add(
        What::Bar { whose: Whose::Theirs, count: signed[0].unsigned_abs() },
        ON_BAR[race] * -i32::from(signed[0]),
        vec![],
    );
    let off = after.men(side).off();
    add(What::Off { whose: Whose::Own, count: off }, TERMS[race][0][usize::from(off) + 1], vec![]);
    reasons
}

impl Mind<Backgammon> for Pubeval {
    fn rank(&mut self, _: &Backgammon, state: &Position, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        state.plays(&mut self.plays);
        let dice = state.dice().ok_or(MindError::NoMove)?;
        ctx.meter.add_states(self.plays.len() as u64);
        let scorer = Scorer::new(state, dice);
        let before = units(state, state.mover(), usize::from(!state.contact()));
        let score = |mv: Move| match scorer.gain_or_win(state, mv) {
            i32::MAX => f64::from(WON),
            gain => f64::from(before + gain) / UNIT,
        };
        let mut ranking = Ranking::of(self.plays.iter().map(|&mv| (mv, score(mv))));
        for candidate in ranking.moves.iter_mut().filter(|candidate| candidate.value >= f64::from(WON)) {
            candidate.fate = Some(Fate::Won);
        }
        if ctx.explain.is_wanted() {
            ranking.how = How::MenOnPoints;
            ranking.combine = Combine::Sum;
            for place in ranking.wanted(ctx.explain) {
                let candidate = &mut ranking.moves[place];
                candidate.reasons = terms_of_play(state, candidate.mv);
            }
        }
        Ok(ranking)
    }
}

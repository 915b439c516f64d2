//! The truth beside a mind's own reasons: hints and judgements of a person's moves, from whoever cannot be wrong, else from the strongest
//! at hand.

use std::time::{Duration, Instant};

use ludens_core::words::{Claim, Contrast, Voice};
use ludens_core::{
    Animal, Bound, Budget, Decision, Explain, Front, Layout, Move, MoveValue, Ranking, Reason, Rng, Side,
    Table, TableError, Zoo,
};

/// The mind that plays a game perfectly, where one does.
const PERFECT: &str = "solver";
/// Searches that go on until their time is up: where the game says what to count, and where it does not.
const SEARCH: &str = "alphabeta:depth=100";
const SAMPLING: &str = "uct:sims=1000000";
/// A search that proves or gives up: judging by nothing, a value it returns is the end of the game.
const PROOF: &str = "alphabeta:depth=100,heuristic=zero";
/// The same with every move's own end, which takes longer.
const WHOLE_PROOF: &str = "alphabeta:depth=100,heuristic=zero,root=exact";
/// Empty cells with which there is time for that.
const VERY_FEW: usize = 9;
/// Empty cells with which a search may see every end of the game in its time.
const FEW: usize = 14;
/// The part of the time that goes to the proof.
const PROOF_SHARE: u32 = 2;

/// The strongest mind at hand for a game: the one that is perfect, else the trained player with the highest Elo, else a search.
pub fn advisor(front: &dyn Front, zoo: &Zoo) -> String {
    if front.minds().iter().any(|mind| mind.name == PERFECT) {
        return PERFECT.into();
    }
    match trained(front, zoo) {
        Some(best) => best,
        None if front.facts().hand.is_some() => SEARCH.into(),
        None => SAMPLING.into(),
    }
}

/// The trained player with the highest Elo.
fn trained(front: &dyn Front, zoo: &Zoo) -> Option<String> {
    let measured = zoo.animals().iter().filter(|animal| animal.game == front.id());
    let elo = |animal: &&Animal| animal.levels.last().map_or(f64::MIN, |level| level.elo);
    measured.max_by(|a, b| elo(a).total_cmp(&elo(b))).map(|best| format!("zoo:{}", best.name))
}

/// Who is asked where the perfect player cannot prove anything in time; nobody where another one is the strongest.
pub fn second(front: &dyn Front, zoo: &Zoo) -> Option<String> {
    if advisor(front, zoo) == PERFECT { trained(front, zoo) } else { None }
}

impl Advice {
    /// Whether the end of the game is known after its move.
    pub fn is_proved(&self) -> bool {
        self.decision.why.get(self.mv).is_some_and(|best| best.fate.is_some())
    }
}

/// What a person is told to play.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// Who says so.
    pub mind: String,
    /// What was thought.
    pub decision: Decision,
    /// The move: the decision's, unless that loses at once and another does not.
    pub mv: Move,
}

/// The best move here within the time: proved where few cells are empty, else by the `strongest` mind.
pub fn advise(
    table: &mut dyn Table,
    strongest: &str,
    rng: &mut Rng,
    time: Duration,
) -> Result<Advice, TableError> {
    let (mind, mut decision) = thought(table, strongest, rng, time)?;
    table.speak(&mut decision, Voice::ToMover);
    let mv = safe(table, &decision, decision.mv);
    Ok(Advice { mind, decision, mv })
}

fn thought(
    table: &mut dyn Table,
    strongest: &str,
    rng: &mut Rng,
    time: Duration,
) -> Result<(String, Decision), TableError> {
    let begun = Instant::now();
    let board = table.view().board;
    let empty = board.squares.iter().filter(|square| square.count == 0).count();
    if strongest != PERFECT && board.layout != Layout::Points && empty <= FEW {
        let mind = if empty <= VERY_FEW { WHOLE_PROOF } else { PROOF };
        let proof = table.think(mind, rng, Budget::Time(time / PROOF_SHARE), Explain::EVERYTHING);
        // What was not proved is thrown away: its values are no judgement.
        if let Ok(proof) = proof
            && proof.why.get(proof.mv).is_some_and(|best| best.fate.is_some())
        {
            return Ok((mind.into(), proof));
        }
    }
    // A trained player and the solver end by themselves; a search takes what it is given.
    let ends = strongest == PERFECT || strongest.starts_with("zoo:");
    let left = time.saturating_sub(begun.elapsed());
    let budget = if ends { Budget::Unlimited } else { Budget::Time(left) };
    let decision = table.think(strongest, rng, budget, Explain::EVERYTHING)?;
    Ok((strongest.into(), decision))
}

/// The move itself, unless the other side wins at once after it and there is one after which it does not: the first such of the ranking.
pub fn safe(table: &dyn Table, decision: &Decision, mv: Move) -> Move {
    let loses = |mv: Move| table.claims(mv).iter().any(|claim| matches!(claim, Claim::LetsWin { .. }));
    let mut ranked = std::iter::once(mv).chain(decision.why.moves.iter().map(|candidate| candidate.mv));
    ranked.find(|mv| !loses(*mv)).unwrap_or(mv)
}

/// What a person's move is worth beside the best one: a contrast with the advice. A search leaves worse moves early and knows only what they
/// are worth at most, so the position after the move is looked into for itself.
pub fn judge(
    table: &mut dyn Table,
    advice: &mut Advice,
    played: Move,
    (rng, time, voice): (&mut Rng, Duration, Voice),
) -> Result<Option<Contrast>, TableError> {
    let known = advice.decision.why.get(played);
    let unknown = known.is_some_and(|candidate| candidate.bound != Bound::Exact && candidate.fate.is_none());
    if played != advice.mv && unknown {
        let other = table.to_move().map(Side::other);
        table.play(played)?;
        // Only the other side's view can be turned round: not where dice fall or the same side moves again.
        let is_answered = other.is_some() && table.to_move() == other;
        let answer = if is_answered { thought(table, &advice.mind, rng, time).ok() } else { None };
        table.undo();
        if let Some((_, answer)) = answer {
            settle(&mut advice.decision.why, played, &answer);
        }
    }
    let mut decision = advice.decision.clone();
    decision.mv = advice.mv;
    Ok(table.contrast(&decision, played, voice))
}

/// Takes over what was found about the position after a move, seen from the other side.
fn settle(why: &mut Ranking, mv: Move, answer: &Decision) {
    use ludens_core::words::{Fate, Scale, Shows, What};
    let Some(best) = answer.why.get(answer.mv) else { return };
    let same_scale = answer.why.scale == why.scale;
    // A search that proved nothing has nothing to say about chances.
    if best.fate.is_none() && (!same_scale || why.scale.chance(best.value).is_none()) {
        return;
    }
    let turned = |value: f64| if why.scale == Scale::Chance { 1.0 - value } else { -value };
    let fate = best.fate.map(|fate| match fate {
        Fate::Won => Fate::Lost,
        Fate::Drawn => Fate::Drawn,
        Fate::Lost => Fate::Won,
    });
    let line = best.reasons.iter().map(|reason| &reason.line).find(|line| !line.is_empty());
    let mut whole = vec![mv];
    whole.extend(line.into_iter().flatten());
    let value = turned(best.value);
    for candidate in why.moves.iter_mut().filter(|candidate| candidate.mv == mv) {
        let rest = MoveValue::new(mv, if same_scale { value } else { candidate.value });
        let reasons = vec![Reason::line(What::Play { shows: Shows::Answer }, value, whole.clone())];
        *candidate = MoveValue {
            fate,
            bound: if same_scale { Bound::Exact } else { candidate.bound },
            reasons,
            ..rest
        };
    }
}

//! What is said of a decision: which of the true things and which of the mind's own reasons, in which order. How it reads stands elsewhere.

use super::claims::{Claim, Tactics};
use super::say::{capital, number, sentence};
use super::scale::percent;
use super::things::{Scene, thing};
use super::{Fate, Notion, Scale, Shows, Voice, What, When, Whose};
use crate::{Combine, Game, Move, MoveValue, Ranking, Reason};

/// Sentences for everyone are few: one that leads, and at most three more.
const MOST_SAID: usize = 4;

/// The claims of a move that the ranking itself bears out: whatever lacks one is worth less to this mind. What is true but made no
/// difference to it is no reason of its; what speaks against the move is said all the same.
pub fn borne_out<G: Game>(tactics: &Tactics<G>, ranking: &Ranking, mv: Move) -> Vec<Claim> {
    let Some(chosen) = ranking.get(mv) else { return Vec::new() };
    let mut claims = tactics.claims(mv);
    if claims.is_empty() {
        return claims;
    }
    let others: Vec<(f64, Vec<Claim>)> = ranking
        .moves
        .iter()
        .filter(|other| other.mv != mv)
        .map(|other| (other.value, tactics.claims(other.mv)))
        .collect();
    let made_a_difference = |claim: &Claim| {
        let mut without =
            others.iter().filter(|(_, claims)| !claims.iter().any(|other| other.is_like(claim)));
        let mut some = false;
        without.all(|(value, _)| {
            some = true;
            *value < chosen.value
        }) && some
    };
    // A win is said, even where every move wins.
    let always = |claim: &Claim| claim.is_bad() || matches!(claim, Claim::Forced | Claim::Wins { .. });
    claims.retain(|claim| always(claim) || made_a_difference(claim));
    claims.truncate(MOST_SAID);
    claims
}

/// Puts every reason of a ranking into words.
pub fn write(ranking: &mut Ranking, scene: &Scene) {
    for reason in ranking.moves.iter_mut().flat_map(|candidate| &mut candidate.reasons) {
        reason.text = match reason.what {
            What::Play { shows } if reason.line.len() < 2 => lone(shows).into(),
            _ => thing(&reason.what, &reason.cells, scene),
        };
        if reason.when == When::End {
            reason.text.insert_str(0, "then ");
        }
    }
}

/// The reasons with equal ones gathered into one: what they speak of, all their cells, what they make up together. The weightiest come
/// first, lines of play before them.
pub fn gather(reasons: &[Reason], combine: Combine) -> Vec<Reason> {
    let mut kinds: Vec<(Reason, usize)> = Vec::new();
    for reason in reasons {
        let same = |known: &&mut (Reason, usize)| {
            known.0.what == reason.what
                && known.0.when == reason.when
                && reason.line.is_empty()
                && !reason.cells.is_empty()
        };
        match kinds.iter_mut().find(same) {
            Some((known, times)) => {
                *times += 1;
                known.worth = if combine == Combine::Product {
                    known.worth * reason.worth
                } else {
                    known.worth + reason.worth
                };
                known.cells.extend_from_slice(&reason.cells);
                known.input = None;
            }
            None => kinds.push((reason.clone(), 1)),
        }
    }
    let mut gathered: Vec<Reason> = kinds
        .into_iter()
        .map(|(mut reason, times)| {
            if times > 1 {
                let more = if times == 2 { "one more".into() } else { format!("{} more", number(times - 1)) };
                reason.text += &format!(", and {more} like it");
            }
            reason
        })
        .collect();
    gathered.sort_by(|a, b| {
        let lines = a.line.is_empty().cmp(&b.line.is_empty());
        lines.then(b.weight(combine).abs().total_cmp(&a.weight(combine).abs()))
    });
    gathered
}

/// A decision as it is told.
#[derive(Clone, Copy, Debug)]
pub struct Told<'d> {
    /// What was ranked.
    pub why: &'d Ranking,
    /// The move that is told of.
    pub mv: Move,
    /// The cells it speaks of.
    pub cells: &'d [u16],
    /// What is true of it and worth saying.
    pub claims: &'d [Claim],
    /// Whether the other side is to move after it.
    pub is_answered: bool,
}

/// One sentence that leads and at most three more. Claims first; where they say little, what the mind's own terms, its line of play and its
/// chances say.
pub fn tell(told: &Told, scene: &Scene, label: &dyn Fn(&[Move]) -> Vec<String>) -> Vec<String> {
    let mut said: Vec<String> = told.claims.iter().map(|claim| sentence(claim, scene)).collect();
    let over = told.claims.iter().any(|claim| matches!(claim, Claim::Wins { .. }));
    let Some(chosen) = told.why.get(told.mv).filter(|_| !over) else {
        said.truncate(MOST_SAID);
        return said;
    };
    if let Some(fate) = chosen.fate {
        said.push(fate_in_words(fate, chosen, scene));
    } else if told.claims.iter().all(Claim::is_bad) {
        // What is only a drawback follows what speaks for the move; what loses leads.
        let at = if told.claims.iter().any(Claim::loses) { said.len() } else { 0 };
        said.splice(at..at, differences(told, chosen, scene));
    }
    if told.is_answered {
        said.extend(expectation(chosen, scene, label));
    }
    if chosen.fate.is_none() {
        said.extend(chances(&told.why.scale, chosen, scene.voice));
    }
    if said.is_empty() {
        said.extend(equals(told, chosen));
    }
    said.dedup();
    said.truncate(MOST_SAID);
    said
}

/// Where nothing speaks for the move: how many others would have done.
fn equals(told: &Told, chosen: &MoveValue) -> Option<String> {
    let equal =
        told.why.moves.iter().filter(|other| other.mv != told.mv && other.value == chosen.value).count();
    match (equal, told.why.moves.len() - 1) {
        (0, _) => None,
        (equal, others) if equal == others => Some("It finds every other move just as good.".into()),
        (1, _) => Some("It finds one other move just as good.".into()),
        (equal, _) => Some(format!("It finds {} other moves just as good.", number(equal))),
    }
}

/// A line of play that is no more than the move.
fn lone(shows: Shows) -> &'static str {
    match shows {
        Shows::Best => "as far as it looked",
        Shows::Answer => "no better as far as it looked",
        Shows::Tried => "tried without a sequel",
        Shows::Unseen => "it had no time to look at this move",
    }
}

/// Whether a term says something to a person: a thing on the board, and on the side one would expect.
fn is_telling(reason: &Reason, weight: f64, at: &[u16]) -> bool {
    let touches = || reason.when != When::Before || at.iter().any(|cell| reason.cells.contains(cell));
    match &reason.what {
        What::Stone { whose } => *whose == Whose::by_sign(weight),
        What::Line { own, other, .. } => (*own == 0) != (*other == 0) && touches(),
        What::Above { what } => matches!(**what, What::Line { own, other, .. } if (own == 0) != (other == 0)),
        What::Notion { notion, whose } if notion.is_count() => *whose == Whose::by_sign(weight),
        What::Start => weight > 0.0,
        What::Pair { first, second } => is_plain(first) && is_plain(second),
        what => is_plain(what),
    }
}

fn is_plain(what: &What) -> bool {
    !matches!(
        what,
        What::Play { .. }
            | What::Rest { .. }
            | What::Start
            | What::Input { .. }
            | What::Win
            | What::Unsolved
            | What::Inclination
            | What::Trials { .. }
            | What::Resembles { .. }
            | What::Race
            | What::Notion {
                notion: Notion::AnyPosition
                    | Notion::Discs(_)
                    | Notion::OpenColumns(..)
                    | Notion::Pips
                    | Notion::Shots
                    | Notion::HitCost
                    | Notion::ToComeHome,
                ..
            }
    )
}

fn fate_in_words(fate: Fate, chosen: &MoveValue, scene: &Scene) -> String {
    let solved = chosen.reasons.iter().find(|reason| matches!(reason.what, What::Outlook { .. }));
    if let Some(reason) = solved {
        return format!("{}.", capital(&thing(&reason.what, &reason.cells, scene)));
    }
    let (me, other) = (scene.voice.me(), scene.voice.other());
    let text = match fate {
        Fate::Won => format!(
            "{} {} whatever {} {}",
            me.name,
            me.verb("wins", "win"),
            other.name,
            other.verb("does", "do")
        ),
        Fate::Drawn => "with best play of both sides nobody wins".into(),
        Fate::Lost => format!("{} can win now, with best play", other.name),
    };
    format!("{}.", capital(&text))
}

/// The term that speaks most for the move against the next best, and one that speaks as clearly against it.
fn differences(told: &Told, chosen: &MoveValue, scene: &Scene) -> Vec<String> {
    let combine = told.why.combine;
    let rival = told.why.moves.iter().find(|other| other.mv != told.mv && !other.reasons.is_empty());
    let beside = |reason: &Reason| -> f64 {
        let same = |other: &&Reason| other.what == reason.what && other.cells == reason.cells;
        rival.and_then(|rival| rival.reasons.iter().find(same)).map_or(0.0, |other| other.weight(combine))
    };
    let mut terms: Vec<(f64, &Reason)> = chosen
        .reasons
        .iter()
        .map(|reason| (reason.weight(combine) - beside(reason), reason))
        .filter(|(weight, reason)| weight.abs() > 1e-9 && is_telling(reason, *weight, told.cells))
        .collect();
    terms.sort_by(|a, b| b.0.total_cmp(&a.0));
    let say = |lead: &str, reason: &Reason| {
        let lead = match (reason.when, &reason.what, lead) {
            (_, What::Start, _) => return "It likes this place even on an empty board.".to_string(),
            // What lies there already is nothing to hope for.
            (When::End, What::Stone { .. }, "best") if lies_there(reason, scene) => {
                "What counts most for it: ".to_string()
            }
            (When::End, _, "best") => "What it hopes for: ".to_string(),
            (When::End, ..) => "What it has to accept for that: ".to_string(),
            (When::Before, _, "best") => "What speaks for it: ".to_string(),
            (When::Before, ..) => "What speaks against it: ".to_string(),
            (When::After, What::Pattern { .. }, "best") => "What it has learnt to like: ".to_string(),
            (When::After, What::Pattern { .. }, _) => "What it has learnt to fear: ".to_string(),
            (When::After, _, lead) => format!("The {lead} thing about it: "),
        };
        format!("{lead}{}.", thing(&reason.what, &reason.cells, scene))
    };
    let best = terms.first().filter(|(weight, _)| *weight > 0.0);
    // A single stone that the network counts against it tells nobody anything.
    let worst =
        terms.last().filter(|(weight, reason)| *weight < 0.0 && !matches!(reason.what, What::Stone { .. }));
    let clear = |weight: f64| best.is_some_and(|(top, _)| weight.abs() > top / 2.0);
    let said = best.map(|(_, reason)| say("best", reason));
    said.into_iter()
        .chain(worst.filter(|(weight, _)| clear(*weight)).map(|(_, reason)| say("worst", reason)))
        .collect()
}

/// Whether the mover's stone of a reason lies on the board before the move.
fn lies_there(reason: &Reason, scene: &Scene) -> bool {
    let own = |cell: &u16| scene.board.squares.get(usize::from(*cell)).and_then(|square| square.side);
    reason.cells.iter().all(|cell| own(cell) == Some(scene.mover))
}

/// The answer it expects.
fn expectation(chosen: &MoveValue, scene: &Scene, label: &dyn Fn(&[Move]) -> Vec<String>) -> Option<String> {
    let expected = |reason: &&Reason| matches!(reason.what, What::Play { shows: Shows::Best | Shows::Tried });
    let line = &chosen.reasons.iter().find(expected)?.line;
    let answer = label(line).into_iter().nth(1)?;
    Some(match scene.voice {
        Voice::ToOpponent => format!("It expects you to answer {answer}."),
        Voice::ToMover => format!("The answer to expect is {answer}."),
        Voice::ToOnlooker => format!("It expects the answer {answer}."),
    })
}

fn chances(scale: &Scale, chosen: &MoveValue, voice: Voice) -> Option<String> {
    let chance = percent(scale.chance(chosen.value)?);
    let whose = voice.my();
    Some(match scale {
        Scale::Trials => format!("In its trial games this move scored {chance}."),
        _ => format!("It rates {whose} chances at {chance}."),
    })
}

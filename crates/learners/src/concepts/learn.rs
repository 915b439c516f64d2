//! From playouts to a player: which algorithm, how many playouts, whose concepts.

use std::fmt;
use std::str::FromStr;

use ludens_core::{Recorder, Rng, Side, Stop, Stopped};
use serde::{Deserialize, Serialize};

use super::concept::{Concept, generate_new_concepts, join_concepts};
use super::facts::{Seen, Vocabulary, games_won, games_won_by};
use super::player::ConceptPlayer;
use super::rules::{Reading, Rule, make_statistical_heuristics};
use super::structured::make_structured_heuristics;
use crate::beyond::selected_concepts::{Chosen, Settings, mobility_of, rules_for, select};

/// Where a player's rules come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// No rules: the plain depth-1 player.
    Plain,
    /// Algorithm 1 with this cut-off size.
    Subsets(usize),
    /// Algorithm 3 on the binary concepts of Algorithm 2.
    Binary,
    /// Algorithm 3 on the ternary concepts of Algorithm 4.
    Ternary,
    /// Ours: patterns chosen by what they say about winning.
    Selected,
    /// The same with material, places and mobility beside the patterns: for any game on a board.
    Wide,
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(text: &str) -> Result<Kind, ()> {
        Ok(match text {
            "plain" => Kind::Plain,
            "subsets1" => Kind::Subsets(1),
            "subsets2" => Kind::Subsets(2),
            "subsets3" => Kind::Subsets(3),
            "binary" => Kind::Binary,
            "ternary" => Kind::Ternary,
            "selected" => Kind::Selected,
            "wide" => Kind::Wide,
            _ => return Err(()),
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Plain => f.write_str("plain"),
            Kind::Subsets(size) => write!(f, "subsets{size}"),
            Kind::Binary => f.write_str("binary"),
            Kind::Ternary => f.write_str("ternary"),
            Kind::Selected => f.write_str("selected"),
            Kind::Wide => f.write_str("wide"),
        }
    }
}

impl Kind {
    /// Ours, not the paper's.
    pub(super) fn is_ours(self) -> bool {
        matches!(self, Kind::Selected | Kind::Wide)
    }
}

/// The facts that are counted: in the rules of the paper's games an empty cell is one too.
pub fn vocabulary(game: &dyn Recorder) -> Vocabulary {
    Vocabulary::of(&game.start_board()).with_empty()
}

/// Random games won by the first and by the second player.
pub type Experience = [Vec<Seen>; 2];

/// `count` games won by each side, each side from its own stream; those of a game written in GDL come from its bit-parallel machine.
pub fn experience(
    game: &dyn Recorder,
    vocabulary: &Vocabulary,
    count: usize,
    rng: &mut Rng,
    stop: &Stop,
) -> Result<Experience, Stopped> {
    if let Some(won) = games_won(game, vocabulary, count, rng, stop)? {
        return Ok(won);
    }
    let [first, second] =
        Side::BOTH.map(|side| games_won_by(game, vocabulary, side, count, &mut rng.split(), stop));
    Ok([first?, second?])
}

/// Cells of a board whose triples can be counted.
const SMALL_BOARD: u16 = 16;

/// The concepts of a game: Algorithm 1 for both players, then Algorithm 2 on all their rules.
pub fn concepts_of_game(
    game: &dyn Recorder,
    kind: Kind,
    playouts: usize,
    rng: &mut Rng,
    stop: &Stop,
) -> Result<(Vec<Concept>, Vocabulary), Stopped> {
    let (vocabulary, reading) = match kind.is_ours() {
        true => (Vocabulary::of(&game.start_board()), Reading::RELATIONS),
        false => (vocabulary(game), Reading::PAPER),
    };
    let seen = experience(game, &vocabulary, playouts, rng, stop)?;
    // On a board of nine cells pairs alone never reach the top tenth, so the paper's rules of three are needed; on larger ones
    // triples are too many and pairs are enough.
    let cut_off = if vocabulary.width * vocabulary.height <= SMALL_BOARD { 3 } else { 2 };
    let mut rules = Vec::new();
    for won in &seen {
        rules.extend(make_statistical_heuristics(won, cut_off, reading, stop)?);
    }
    Ok((generate_new_concepts(&rules, &vocabulary), vocabulary))
}

/// The concepts that mean something in another game: those that name no mark.
pub fn transferable(concepts: &[Concept]) -> Vec<Concept> {
    concepts.iter().filter(|concept| concept.is_general()).cloned().collect()
}

/// What was learnt, ready to play and to be read.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// Who plays by it.
    pub player: ConceptPlayer,
    /// The concepts behind the rules (none for plain subsets).
    pub concepts: Vec<Concept>,
    /// The patterns of [`Kind::Selected`].
    pub chosen: Vec<Chosen>,
}

/// Makes a player of one kind from experience of its game and, for the kinds that need them, binary concepts.
pub fn learn(
    kind: Kind,
    binary: &[Concept],
    seen: &Experience,
    vocabulary: &Vocabulary,
    stop: &Stop,
) -> Result<Learnt, Stopped> {
    let mut concepts = Vec::new();
    let mut chosen = Vec::new();
    let rules: [Vec<Rule>; 2] = match kind {
        Kind::Plain => [Vec::new(), Vec::new()],
        Kind::Subsets(size) => {
            both(|side| make_statistical_heuristics(&seen[side], size, Reading::PAPER, stop))?
        }
        Kind::Binary | Kind::Ternary => {
            concepts = if kind == Kind::Binary { binary.to_vec() } else { join_concepts(binary, binary) };
            both(|side| {
                make_structured_heuristics(&concepts, &seen[side], Reading::PAPER.count, vocabulary, stop)
            })?
        }
        Kind::Selected | Kind::Wide => {
            concepts = binary.to_vec();
            let games: Vec<Seen> = seen.iter().flatten().cloned().collect();
            let settings = Settings { wide: kind == Kind::Wide, ..Settings::default() };
            chosen = select(binary, &games, vocabulary, &settings, stop)?;
            Side::BOTH.map(|side| rules_for(&chosen, side, binary, vocabulary))
        }
    };
    let mut player = ConceptPlayer::new(vocabulary.clone(), rules);
    player.mobility = mobility_of(&chosen);
    Ok(Learnt { player, concepts, chosen })
}

/// The rules of the first and of the second player.
fn both(rules: impl Fn(usize) -> Result<Vec<Rule>, Stopped>) -> Result<[Vec<Rule>; 2], Stopped> {
    Ok([rules(0)?, rules(1)?])
}

//! What reasons speak of, as things one can point at: "three of your discs in an open line, 3a–6a". Nothing is decided here.

use super::say::{Named, listed, number};
use super::scale::count;
use super::{Fate, Lies, Notion, Shows, Voice, What, Whose};
use crate::{Board, Layout, Side};

/// The board in front of the person, who moves on it and who is spoken to.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'b> {
    /// The position before the move.
    pub board: &'b Board,
    /// Whose move is explained.
    pub mover: Side,
    /// Who is spoken to.
    pub voice: Voice,
}

impl Scene<'_> {
    /// "its", "your", "the other side's".
    pub(super) fn of(&self, whose: Whose) -> &'static str {
        match whose {
            Whose::Own => self.voice.my(),
            Whose::Theirs => self.voice.theirs(),
            Whose::Both => "both sides'",
        }
    }

    fn side(&self, whose: Whose) -> Named {
        match whose {
            Whose::Own => self.voice.me(),
            Whose::Theirs => self.voice.other(),
            Whose::Both => Named { name: "both sides", many: true },
        }
    }

    /// What people call a piece of this board.
    pub(super) fn piece(&self, many: bool) -> &'static str {
        match (self.board.layout, many) {
            (Layout::Gravity, false) => "disc",
            (Layout::Gravity, true) => "discs",
            (Layout::Grid, false) => "stone",
            (Layout::Grid, true) => "stones",
            (Layout::Points, false) => "man",
            (Layout::Points, true) => "men",
        }
    }

    /// The name of a cell; points are counted as the mover counts them, as his moves are written.
    pub(super) fn cell(&self, at: u16) -> String {
        match (self.board.layout, self.mover) {
            (Layout::Points, Side::Second) if at < 24 => (24 - at).to_string(),
            _ => self.board.cell_name(usize::from(at)),
        }
    }

    pub(super) fn cells(&self, at: &[u16]) -> String {
        listed(&at.iter().map(|&at| self.cell(at)).collect::<Vec<_>>())
    }

    /// "3a–6a": the two ends of a line, or all cells where they lie in no line.
    fn line(&self, at: &[u16]) -> String {
        match at {
            [] => String::new(),
            [first, .., last] => format!(" ({}–{})", self.cell(*first), self.cell(*last)),
            [one] => format!(" ({})", self.cell(*one)),
        }
    }

    fn on(&self, at: &[u16]) -> String {
        let place = if self.board.layout == Layout::Points { "point " } else { "" };
        if at.is_empty() { String::new() } else { format!(" on {place}{}", self.cells(at)) }
    }
}

/// What a reason speaks of.
pub fn thing(what: &What, at: &[u16], scene: &Scene) -> String {
    let (of, stone, stones) = (|whose| scene.of(whose), scene.piece(false), scene.piece(true));
    match what {
        What::Play { shows } => play(*shows).into(),
        What::Trials { games: 1 } => "the one trial game it played after this move".into(),
        What::Trials { games } => format!("the {} trial games it played after this move", count(*games)),
        What::Inclination => "its first judgement of the move".into(),
        What::Outlook { fate, moves } => outlook(*fate, *moves, scene),
        What::Unsolved => "not solved, only ranked".into(),
        What::Win => "it wins the game".into(),
        What::Stone { whose } => format!("{} {stone}{}", of(*whose), scene.on(at)),
        What::Square => format!("the square {}", scene.cells(at)),
        What::Line { own, other, open, wait } => {
            let reach = if *wait > 1 { ", not yet within reach" } else { "" };
            let held = |n: u8, whose| match n {
                1 => format!("one of {} {stones} in an open line{}{reach}", of(whose), scene.line(at)),
                n => format!(
                    "{} of {} {stones} in an open line{}{reach}",
                    number(usize::from(n)),
                    of(whose),
                    scene.line(at)
                ),
            };
            match (*own, *other, *open) {
                (0, 0, _) => format!("an empty line{}{reach}", scene.line(at)),
                (own, 0, 0) => {
                    format!("{} full line of {}{}", of(Whose::Own), number(usize::from(own)), scene.line(at))
                }
                (0, other, 0) => format!(
                    "{} full line of {}{}",
                    of(Whose::Theirs),
                    number(usize::from(other)),
                    scene.line(at)
                ),
                (own, 0, _) => held(own, Whose::Own),
                (0, other, _) => held(other, Whose::Theirs),
                _ => format!("a line that nobody can fill any more{}", scene.line(at)),
            }
        }
        What::Spoils { other } => {
            format!(
                "it takes a square of a line with {} of {} {stones}{}",
                number(usize::from(*other)),
                of(Whose::Theirs),
                scene.line(at)
            )
        }
        What::Above { what } => format!("{} (through the square above)", thing(what, at, scene)),
        What::WinningSquare { whose, wait } => {
            let when = match wait {
                0 => String::new(),
                1 => ", once the square below it is filled".into(),
                n => format!(", once the {} squares below it are filled", number(usize::from(*n))),
            };
            format!(
                "a square that wins for {}{}{when}",
                scene.side(*whose).name,
                scene.on(at).replace(" on ", ": ")
            )
        }
        What::Pattern { pieces } => pattern(pieces, scene),
        What::Moves { whose, count: moves } => {
            let side = scene.side(*whose);
            let left = if *moves == 1 { "one move".into() } else { format!("{moves} moves") };
            format!("{} {} {left}", side.name, side.verb("has", "have"))
        }
        What::Notion { notion, whose } => notion_in_words(*notion, *whose, at, scene),
        What::Pair { first, second } if first == second => format!("twice: {}", thing(first, at, scene)),
        What::Pair { first, second } => {
            format!("{} and {}", thing(first, &[], scene), thing(second, &[], scene))
        }
        What::Hit => format!("a hit{}", scene.on(at)),
        What::Blot { whose } => format!("{} blot{}", of(*whose), scene.on(at)),
        What::Men { whose, count: 1 } => format!("{} blot{}", of(*whose), scene.on(at)),
        What::Men { whose, count } => {
            format!("{} {} men{}", of(*whose), number(usize::from(*count)), scene.on(at))
        }
        What::Block { size: 1 } => format!("{} made point {}", of(Whose::Own), scene.cells(at)),
        What::Block { size } => {
            let (from, to) = (at.iter().min(), at.iter().max());
            let ends = from.zip(to).map_or_else(String::new, |(from, to)| {
                format!(", {} to {}", scene.cell(*from), scene.cell(*to))
            });
            format!("{} block of {} points{ends}", of(Whose::Own), number(usize::from(*size)))
        }
        What::Bar { whose, count } => format!("{} {} on the bar", of(*whose), men(*count)),
        What::Off { whose, count } => format!("{} {} borne off", of(*whose), men(*count)),
        What::Race => "nobody can hit any more, so only speed counts".into(),
        What::Input { number } => format!("input {number} of its network"),
        What::Resembles { apart: 0 } => "it remembers this very position".into(),
        What::Resembles { apart } => {
            format!("it remembers a position that differs in {} places", number(*apart as usize))
        }
        What::Rest { terms: 0 | 1 } => "everything else".into(),
        What::Rest { terms } => format!("everything else, {} smaller things", count(u64::from(*terms))),
        What::Start => "where it starts from, before it looks at the board".into(),
        What::Words { text } => text.clone(),
    }
}

fn men(count: u8) -> String {
    if count == 1 { "one man".into() } else { format!("{} men", number(usize::from(count))) }
}

fn play(shows: Shows) -> &'static str {
    match shows {
        Shows::Best => "how it expects the game to go on",
        Shows::Answer => "no better, because of this answer",
        Shows::Tried => "what it tried most from here",
        Shows::Unseen => "it had no time to look at this move",
    }
}

fn outlook(fate: Fate, moves: u32, scene: &Scene) -> String {
    let (me, other) = (scene.voice.me(), scene.voice.other());
    match (fate, moves) {
        (Fate::Drawn, _) => "with best play of both sides nobody wins".into(),
        (Fate::Won, 0 | 1) => format!("{} {} at once", me.name, me.verb("wins", "win")),
        (Fate::Won, n) => format!(
            "{} {} with {} {} move from now, whatever {} {}",
            me.name,
            me.verb("wins", "win"),
            scene.of(Whose::Own),
            ordinal(n),
            other.name,
            other.verb("does", "do")
        ),
        (Fate::Lost, 0 | 1) => format!("{} {} with the next move", other.name, other.verb("wins", "win")),
        (Fate::Lost, n) => {
            format!("{} can win with {} {} move from now", other.name, scene.of(Whose::Theirs), ordinal(n))
        }
    }
}

fn ordinal(n: u32) -> String {
    const WORDS: [&str; 10] =
        ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
    let ending = match (n % 10, n % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    WORDS
        .get(n as usize)
        .filter(|word| !word.is_empty())
        .map_or_else(|| format!("{n}{ending}"), ToString::to_string)
}

/// "its stones on b1 and c1, with a1 empty"
fn pattern(pieces: &[Lies], scene: &Scene) -> String {
    let stone = |many| scene.piece(many);
    let mut kinds: Vec<u8> = pieces.iter().map(|lies| lies.piece).filter(|piece| *piece != 0).collect();
    kinds.sort_unstable();
    kinds.dedup();
    // One kind of piece a side needs no name: it is "its stone".
    let of_side = |side: Option<Side>| scene.board.pieces.iter().filter(|piece| piece.side == side).count();
    let mut parts: Vec<String> = Vec::new();
    for kind in kinds {
        let at: Vec<u16> = pieces.iter().filter(|lies| lies.piece == kind).map(|lies| lies.cell).collect();
        let Some(piece) = scene.board.pieces.get(usize::from(kind)) else { continue };
        let many = at.len() > 1;
        let name = match piece.side {
            Some(side) if of_side(piece.side) == 1 => {
                let whose = if side == scene.mover { Whose::Own } else { Whose::Theirs };
                format!("{} {}", scene.of(whose), stone(many))
            }
            Some(side) => {
                let whose = if side == scene.mover { Whose::Own } else { Whose::Theirs };
                format!("{} {}", scene.of(whose), piece.name)
            }
            None => piece.name.clone(),
        };
        parts.push(format!("{name}{}", scene.on(&at)));
    }
    let empty: Vec<u16> = pieces.iter().filter(|lies| lies.piece == 0).map(|lies| lies.cell).collect();
    let is = if empty.len() > 1 { "are" } else { "is" };
    match (parts.is_empty(), empty.is_empty()) {
        (true, _) => format!("{} {is} empty", scene.cells(&empty)),
        (false, true) => listed(&parts),
        (false, false) => format!("{}, with {} empty", listed(&parts), scene.cells(&empty)),
    }
}

fn notion_in_words(notion: Notion, whose: Whose, at: &[u16], scene: &Scene) -> String {
    let side = scene.side(whose);
    let of = scene.of(whose);
    let (stones, name) = (scene.piece(true), side.name);
    let lines = |how: &str, n: u8| match n {
        1 => format!("{of} open {how} lines with one of the {stones}"),
        n => format!("{of} open {how} lines with {} of the {stones}", number(usize::from(n))),
    };
    match notion {
        Notion::WinsInRow(row) => format!("{of} winning squares in row {}", row_name(row, scene)),
        Notion::WinsStacked => format!("{of} winning squares, two of them one above the other"),
        Notion::WinsNow => format!("{of} winning squares that can be played now"),
        Notion::WinsNext => format!("{of} winning squares just above a free place"),
        Notion::Upright(n) => lines("upright", n),
        Notion::Flat(n) => lines("flat", n),
        Notion::Slanting(n) => lines("slanting", n),
        Notion::FromMiddle(0) => format!("{of} {stones} in the middle column"),
        Notion::FromMiddle(1) => format!("{of} {stones} next to the middle column"),
        Notion::FromMiddle(2) => format!("{of} {stones} two columns from the middle"),
        Notion::FromMiddle(_) => format!("{of} {stones} at the edge"),
        Notion::OddZugzwang => {
            format!("{of} winning squares in odd rows, which the other side will have to open")
        }
        Notion::EvenZugzwang => {
            format!("{of} winning squares in even rows, which the other side will have to open")
        }
        Notion::LoneZugzwang => format!(
            "{name} alone {} a square that the other side will have to open",
            side.verb("has", "have")
        ),
        Notion::MustAnswer => format!("{name} {} a threat that must be answered", side.verb("makes", "make")),
        Notion::ForkNext => format!("{name} could make two threats at once next"),
        Notion::NoForkNext => "nobody can make two threats at once next".into(),
        Notion::WinNext => format!("{name} can win with the next disc"),
        Notion::WinAbove => format!("the square above the disc wins for {name}"),
        Notion::QuietAbove => format!(
            "{} cannot win with the next disc, and the square above the disc wins for nobody",
            scene.side(Whose::Theirs).name
        ),
        Notion::OpenColumns(open, odd) => {
            format!("{open} columns still open, {odd} of them with an odd number of squares left")
        }
        Notion::Discs(n) => format!("{n} {stones} on the board"),
        Notion::FollowFails => format!(
            "{} could still win if {} only answered in the same column",
            scene.side(Whose::Theirs).name,
            scene.side(Whose::Own).name
        ),
        Notion::FollowHolds => format!("{name} cannot lose by always answering in the same column"),
        Notion::FollowWins => {
            format!("{name} {} by always answering in the same column", side.verb("wins", "win"))
        }
        Notion::MadePoint(point) => match whose {
            Whose::Both => format!("who has made point {point}"),
            _ => format!("{of} made point {point}"),
        },
        Notion::RaceOn => "nobody can hit any more".into(),
        Notion::Lead => "the lead in the race".into(),
        Notion::PureLead => "the lead, now that nobody can hit any more".into(),
        Notion::Dances => format!("{} cannot come in from the bar", scene.side(Whose::Theirs).name),
        Notion::AnyPosition => "what it thinks of any position".into(),
        _ if whose == Whose::Both => format!("{}, compared with the other side", backgammon(notion)),
        _ => format!("{of} {}{}", backgammon(notion), scene.on(at)),
    }
}

fn row_name(row: u8, scene: &Scene) -> String {
    let index = usize::from(row.saturating_sub(1));
    scene.board.row_names.get(index).cloned().unwrap_or_else(|| row.to_string())
}

/// What backgammon players say.
fn backgammon(notion: Notion) -> &'static str {
    match notion {
        Notion::Pips => "steps still to go",
        Notion::Shots => "rolls that hit a blot",
        Notion::HitCost => "steps such a hit costs",
        Notion::HomePoints => "made points at home",
        Notion::Danger => "danger of being hit and shut out",
        Notion::Wall => "longest wall of points",
        Notion::Trapped => "men held behind that wall",
        Notion::OnBar => "men on the bar",
        Notion::Anchors => "points held in the other home",
        Notion::Back => "men in the other home",
        Notion::BorneOff => "men borne off",
        Notion::Stacked => "men piled on one point",
        Notion::HomeBlots => "blots at home",
        Notion::OuterBlots => "blots outside",
        Notion::WayBlocked => "way home blocked for the last man",
        Notion::ToComeHome => "men still to come home",
        Notion::ShutOut => "men on the bar before a closed home",
        _ => "position",
    }
}

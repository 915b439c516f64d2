//! What it remembers, as a person may look at it: its chunks as boards and lines, each with its odds and its story.

use ludens_core::{Game, Memory, Near, Remembered, Side, Spot};

use super::chunks::{Chunk, Chunks, FIRST, Is};
use super::contents::{COUNTS, NOTHING, Raw, moved, unpack};
use super::eye::{Eye, Kind, NEXT, REACHED};
use super::learner::Homo;
use super::ripe;

/// Kinds of chunks, in the order of [`number`].
const KINDS: [&str; 5] = ["always there", "look", "place", "pair", "triple"];
/// The strongest that are shown, of all and of each round.
const OF_ALL: usize = 240;
const OF_A_ROUND: usize = 6;
/// What was met less often is not shown among the strongest: its worth is not known yet.
const MET: u32 = 8;

fn number(is: &Is) -> usize {
    match is {
        Is::Always(_) => 0,
        Is::Form(_) => 1,
        Is::Place(_) => 2,
        Is::Together([.., NOTHING]) => 3,
        Is::Together(_) => 4,
    }
}

fn side_of(owner: u8) -> Option<Side> {
    Side::BOTH.get(usize::from(owner)).copied()
}

fn near(near: u8) -> Option<Near> {
    match near {
        REACHED => Some(Near::Now),
        NEXT => Some(Near::Next),
        _ => None,
    }
}

/// What a digit stands for; nothing where it was never met.
fn spot(eye: &Eye, digit: u8) -> Spot {
    match eye.kinds.get(usize::from(digit)) {
        None => Spot::default(),
        Some(kind) if eye.ripe.is_some_and(|first| digit >= first) => second_look(kind),
        Some(kind) => Spot {
            cell: None,
            piece: Some(kind.piece),
            side: side_of(kind.owner),
            count: kind.count,
            near: near(kind.near),
            completes: None,
        },
    }
}

fn second_look(kind: &Kind) -> Spot {
    let completes = ripe::completes(kind);
    Spot { near: near(kind.near), completes, count: u8::from(completes.is_none()), ..Spot::default() }
}

/// A context with its contents, cell by cell.
fn place(eye: &Eye, chunks: &Chunks, key: Raw) -> Vec<Spot> {
    let (context, _, code) = unpack(key);
    let Some(context) = eye.contexts.get(context) else { return Vec::new() };
    let digits = chunks.digits(code, context.cells.len());
    let on = |(cell, digit): (&u16, u8)| Some(Spot { cell: Some(eye.place(*cell)?), ..spot(eye, digit) });
    context.cells.iter().zip(digits).filter_map(on).collect()
}

/// Counts of ways lie nowhere: they are said. In the order in which they are looked at: the one side and the other at even heights, then at odd ones.
fn counted(eye: &Eye, digits: &[u8], [one, other]: [&str; 2]) -> String {
    let count = |at: usize| {
        digits.get(at).and_then(|digit| eye.kinds.get(usize::from(*digit))).map_or(0, |kind| kind.count)
    };
    let many = |at: usize| {
        if count(at) < ripe::LANES { count(at).to_string() } else { format!("{} or more", count(at)) }
    };
    format!(
        "of the cells that wait to be reached and complete a line, {one} has {} in the first, third, … row and {} in the second, fourth, …; {other} has {} and {}",
        many(0),
        many(2),
        many(1),
        many(3)
    )
}

/// The counts that are part of a chunk, in words.
fn counts_of(eye: &Eye, chunks: &Chunks, key: Raw) -> Option<String> {
    let (context, _, code) = unpack(key);
    let cells = &eye.contexts.get(context)?.cells;
    let is_count = cells.iter().all(|cell| eye.place(*cell).is_none());
    is_count
        .then(|| counted(eye, &chunks.digits(code, cells.len()), ["the first player", "the second player"]))
}

/// On how many places of the board the same lies, the symmetries counted.
fn places(eye: &Eye, chunks: &Chunks, key: Raw) -> usize {
    let mut images: Vec<Raw> = (0..=eye.images.len())
        .filter_map(|image| moved(eye, key, image, &chunks.powers))
        .map(|(key, _)| unpack(key))
        .map(|(context, _, code)| (context as u64) << 44 | code)
        .collect();
    images.sort_unstable();
    images.dedup();
    images.len()
}

/// What something looks like wherever it lies. A decisive set is counted, not drawn cell by cell: what is missing of it, and how near that is.
fn form(eye: &Eye, form: u64, longest: usize) -> (Vec<Spot>, Option<String>) {
    let (kind, empty) = (form % 16, (form / 16 % 16) as usize);
    let (reached, next) = ((form / 256 % 16) as usize, (form / 4096) as usize);
    let owner = match kind {
        1 => {
            return (Vec::new(), Some("a line that nobody can fill any more: both have stones in it".into()));
        }
        2 => None,
        3 => Some(Side::First),
        4 => Some(Side::Second),
        _ if form / 16 % 32 == COUNTS => {
            let digits = digits_of(eye, form, ripe::BALANCE);
            return (Vec::new(), Some(counted(eye, &digits, ["who is to move", "the other"])));
        }
        _ => return (anywhere(eye, form), None),
    };
    let stones = if owner.is_some() { longest.saturating_sub(empty) } else { 0 };
    let stone = Spot { side: owner, count: 1, ..Spot::default() };
    let said = owner.filter(|_| longest == 0).map(|owner| {
        let whose = if owner == Side::First { "its own" } else { "the other's" };
        format!("cells that decide the game together: only {whose} stones lie there")
    });
    let gap = |at: usize| Spot {
        piece: Some(0),
        near: if at < reached { Some(Near::Now) } else { (at < reached + next).then_some(Near::Next) },
        ..Spot::default()
    };
    (std::iter::repeat_n(stone, stones).chain((0..empty).map(gap)).collect(), said)
}

/// A run or a block as the player to move sees it, taken for the first.
fn anywhere(eye: &Eye, form: u64) -> Vec<Spot> {
    digits_of(eye, form, (form / 16 % 32 / 2) as usize).into_iter().map(|digit| spot(eye, digit)).collect()
}

fn digits_of(eye: &Eye, form: u64, length: usize) -> Vec<u8> {
    let mut code = form / 16 / 32;
    let mut digits = vec![0; length];
    for digit in digits.iter_mut().rev() {
        *digit = (code % eye.base()) as u8;
        code /= eye.base();
    }
    digits
}

impl<G: Game> Homo<G> {
    /// Its chunks: how many of each kind it made in every round, and the strongest of them.
    pub(super) fn remembered(&self, game: &G) -> Memory {
        let list = &self.chunks.list;
        let mut made = vec![vec![0; KINDS.len()]; self.rounds as usize + 1];
        for chunk in list {
            let round = (chunk.born as usize).min(made.len() - 1);
            made[round][number(&chunk.is)] += 1;
        }
        while made.len() > 1 && made.last().is_some_and(|of| of.iter().all(|count| *count == 0)) {
            made.pop();
        }
        let weight = |at: &usize| self.judge.weights.get(*at).copied().unwrap_or(0.0).abs();
        let mut order: Vec<usize> =
            (0..list.len()).filter(|at| list[*at].met >= MET && weight(at) > 0.0).collect();
        order.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(a.cmp(b)));
        let mut of_round = vec![0; made.len()];
        let shown = order.iter().enumerate().filter(|(rank, at)| {
            let round = &mut of_round[(list[**at].born as usize).min(made.len() - 1)];
            *round += 1;
            *rank < OF_ALL || *round <= OF_A_ROUND
        });
        let longest = game.facts().lines.iter().map(Vec::len).max().unwrap_or(0);
        let strongest = shown.map(|(_, at)| self.one(*at, longest)).collect();
        Memory { kinds: KINDS.to_vec(), made, games: u64::from(self.games), strongest }
    }

    fn one(&self, at: usize, longest: usize) -> Remembered {
        let (eye, chunks) = (&self.eye, &self.chunks);
        let told = match chunks.list[at].is {
            Is::Always(FIRST) => (Vec::new(), Some("being the first player".into()), Some(Side::First), 1),
            Is::Always(_) => (Vec::new(), Some("being the one to move".into()), None, 1),
            Is::Form(code) => {
                let (spots, said) = form(eye, code, longest);
                (vec![spots], said, None, 0)
            }
            Is::Place(key) => {
                let said = counts_of(eye, chunks, key);
                (vec![place(eye, chunks, key)], said, Some(Side::First), places(eye, chunks, key))
            }
            Is::Together(raws) => {
                let raws = || raws.into_iter().filter(|raw| *raw != NOTHING);
                let parts = raws().map(|key| place(eye, chunks, key)).collect();
                let said = raws().find_map(|key| counts_of(eye, chunks, key));
                let count = raws().map(|key| places(eye, chunks, key)).max().unwrap_or(0);
                (parts, said, Some(Side::First), count)
            }
        };
        self.told(at, told)
    }

    fn told(
        &self,
        at: usize,
        (parts, said, side, places): (Vec<Vec<Spot>>, Option<String>, Option<Side>, usize),
    ) -> Remembered {
        let Chunk { is, met, won, born, used } = self.chunks.list[at];
        Remembered {
            kind: number(&is),
            parts,
            said,
            log_odds: f64::from(self.judge.weights[at]),
            side,
            met: u64::from(met),
            won: f64::from(won) / f64::from(met.max(1)),
            born: u64::from(born),
            used: u64::from(used),
            places,
        }
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::{Ctx, Learner, Meter, Rng};
    use ludens_games::connect_four::ConnectFour;
    use ludens_games::tictactoe::TicTacToe;

    use super::super::Settings;
    use super::*;

    fn trained<G: Game>(game: &G) -> Homo<G> {
        let settings = Settings { games: 60, watched: 20, round: 10, states: 30, ..Settings::default() };
        let mut homo = Homo::new(game, settings);
        for step in 0..homo.default_steps() {
            homo.step(game, &mut Ctx::new(&mut Rng::stream(3, step), &mut Meter::unlimited())).unwrap();
        }
        homo
    }

    /// Every chunk is counted once, in the round in which it was made, and what is shown of it is what is kept.
    #[test]
    fn every_chunk_is_in_its_round() {
        let homo = trained(&ConnectFour);
        let memory = homo.memory(&ConnectFour).unwrap();
        assert_eq!(memory.made.iter().flatten().sum::<usize>(), homo.chunks.list.len());
        assert_eq!(memory.games, 60);
        for shown in &memory.strongest {
            assert!(shown.born < memory.made.len() as u64 && shown.used >= shown.born);
            assert!((0.0..=1.0).contains(&shown.won) && shown.met >= u64::from(MET), "{shown:?}");
            let cells = shown.parts.iter().flatten();
            assert!(cells.clone().all(|spot| spot.cell.is_none_or(|cell| cell < 42)), "{shown:?}");
            let lies = cells.clone().any(|spot| spot.cell.is_some());
            assert!(lies == (shown.kind >= 2) || shown.kind >= 2 && shown.said.is_some(), "{shown:?}");
        }
        let kept = Homo::load(&ConnectFour, &homo.save_for_play()).unwrap();
        assert_eq!(kept.memory(&ConnectFour).unwrap(), memory);
    }

    /// Three of one's own in a line of tic-tac-toe are met only by who has lost; two with the third free are good for who is to move.
    #[test]
    fn a_line_that_lacks_one_cell_is_shown_as_such_and_is_good() {
        let memory = trained(&TicTacToe).memory(&TicTacToe).unwrap();
        let is_open_two = |shown: &&Remembered| {
            let [spots] = &shown.parts[..] else { return false };
            shown.kind == 1
                && spots.len() == 3
                && spots[..2].iter().all(|spot| spot.side == Some(Side::First))
                && spots[2].near == Some(Near::Now)
        };
        let two = memory.strongest.iter().find(is_open_two).expect("two in a line are worth remembering");
        assert!(two.log_odds > 0.0 && two.side.is_none() && two.won > 0.5, "{two:?}");
    }
}

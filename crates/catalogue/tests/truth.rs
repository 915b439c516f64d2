//! Every sentence said to a person is true: what it claims is checked against the rules, by playing it out at a table, which is other code
//! than that which makes the claim.

use std::collections::BTreeMap;
use std::sync::Arc;

use ludens_catalogue::{Catalogue, House};
use ludens_core::words::{Claim, Voice, sentence};
use ludens_core::{Board, Budget, Front, Move, NoModels, Rng, Side, Table};

/// Sentences to check; `LUDENS_TRUTH_SENTENCES=100000` is the run by hand.
fn wanted() -> usize {
    std::env::var("LUDENS_TRUTH_SENTENCES").ok().and_then(|text| text.parse().ok()).unwrap_or(2_500)
}

/// A position that is looked into by playing moves and taking them back.
struct Look<'t> {
    table: &'t mut dyn Table,
    side: Side,
}

impl Look<'_> {
    fn after<T>(&mut self, mv: Move, look: impl FnOnce(&mut Self) -> T) -> T {
        self.table.play(mv).unwrap();
        let seen = look(self);
        self.table.undo();
        seen
    }

    fn moves(&self) -> Vec<(Move, Option<u16>)> {
        self.table.view().moves.iter().map(|mv| (mv.mv, mv.cells.last().copied())).collect()
    }

    fn is_won_by(&self, side: Side) -> bool {
        self.table.view().score.is_some_and(|score| score.of(side) > 0.0)
    }

    fn board(&self) -> Board {
        self.table.view().board
    }

    /// The cells of the moves with which `side` wins at once, where it is its turn; one entry a move.
    fn wins(&mut self, side: Side) -> Vec<Option<u16>> {
        if self.table.to_move() != Some(side) {
            return Vec::new();
        }
        let moves = self.moves();
        moves
            .into_iter()
            .filter(|(mv, _)| self.after(*mv, |look| look.is_won_by(side)))
            .map(|(_, cell)| cell)
            .collect()
    }

    fn loses_at_once(&mut self, mv: Move) -> bool {
        let other = self.side.other();
        self.after(mv, |look| !look.wins(other).is_empty())
    }

    fn others(&self, mv: Move) -> Vec<Move> {
        self.moves().into_iter().map(|(other, _)| other).filter(|other| *other != mv).collect()
    }

    /// After `mv` and some answer the mover wins on this cell.
    fn threatens(&mut self, mv: Move, at: u16) -> bool {
        let side = self.side;
        self.after(mv, |look| {
            let replies = look.moves();
            replies
                .into_iter()
                .any(|(reply, _)| look.after(reply, |look| look.wins(side).contains(&Some(at))))
        })
    }

    /// Whether a claim about a move is true.
    fn holds(&mut self, mv: Move, claim: &Claim, lines: &[Vec<u16>]) -> bool {
        let (side, other, before) = (self.side, self.side.other(), self.board());
        let of = |board: &Board, cell: u16| board.squares[usize::from(cell)].side;
        let after = self.after(mv, |look| look.board());
        let is_line = |cells: &[u16]| {
            let mut cells = cells.to_vec();
            cells.sort_unstable();
            lines.iter().any(|line| {
                let mut line = line.clone();
                line.sort_unstable();
                line == cells
            })
        };
        match claim {
            Claim::Wins { line } => {
                let full = line.iter().all(|cell| of(&after, *cell) == Some(side));
                self.after(mv, |look| look.is_won_by(side)) && full && (line.is_empty() || is_line(line))
            }
            Claim::Blocks { held, at } => {
                let whole: Vec<u16> = held.iter().chain([at]).copied().collect();
                let theirs = held.iter().all(|cell| of(&before, *cell) == Some(other));
                theirs && of(&before, *at).is_none() && of(&after, *at) == Some(side) && is_line(&whole)
            }
            Claim::OnlyMove => {
                let others = self.others(mv);
                !self.loses_at_once(mv)
                    && !others.is_empty()
                    && others.iter().all(|&other| self.loses_at_once(other))
            }
            Claim::StopsWin => {
                let others = self.others(mv);
                !self.loses_at_once(mv) && others.iter().any(|&other| self.loses_at_once(other))
            }
            Claim::Threat { at } => !self.loses_at_once(mv) && self.threatens(mv, *at),
            Claim::Fork { at } => self.after(mv, |look| {
                let replies = look.moves();
                let stands = |look: &mut Self| {
                    let wins = look.wins(side);
                    at.iter().filter(|cell| wins.contains(&Some(**cell))).count() + 1 >= at.len()
                };
                at.len() >= 2 && replies.into_iter().all(|(reply, _)| look.after(reply, stands))
            }),
            Claim::LetsWin { at } => {
                let wins = self.after(mv, |look| look.wins(other));
                !wins.is_empty() && at.iter().all(|cell| wins.contains(&Some(*cell)))
            }
            Claim::Turns { count } => {
                let cells = 0..before.squares.len() as u16;
                let turned =
                    cells.filter(|&cell| of(&before, cell) == Some(other) && of(&after, cell) == Some(side));
                turned.count() == *count as usize
            }
            Claim::Takes { at } => {
                !at.is_empty()
                    && at
                        .iter()
                        .all(|&cell| of(&before, cell) == Some(other) && of(&after, cell) != Some(other))
            }
            Claim::Corner { at } => is_corner(&after, *at) && of(&after, *at) == Some(side),
            Claim::GivesCorner { at } => {
                let open = |look: &mut Self| look.moves().iter().any(|(_, cell)| *cell == Some(*at));
                let others = self.others(mv);
                is_corner(&after, *at)
                    && self.after(mv, open)
                    && others.into_iter().any(|other| !self.after(other, open))
            }
            Claim::Forced => self.moves().len() == 1,
        }
    }
}

fn is_corner(board: &Board, cell: u16) -> bool {
    let cell = board.cell(usize::from(cell));
    [0, board.width - 1].contains(&cell.column) && [0, board.height - 1].contains(&cell.row)
}

/// The names of cells that a sentence speaks of are those of the claim, and it reads like a sentence.
fn reads_well(text: &str, claim: &Claim, board: &Board) {
    assert!(text.ends_with('.') && text.len() < 140 && text.starts_with(char::is_uppercase), "{text}");
    let named: &[u16] = match claim {
        Claim::Fork { at } | Claim::LetsWin { at } | Claim::Takes { at } => at,
        Claim::Threat { at }
        | Claim::Blocks { at, .. }
        | Claim::Corner { at }
        | Claim::GivesCorner { at } => std::slice::from_ref(at),
        _ => &[],
    };
    for cell in named {
        let name = board.cell_name(usize::from(*cell));
        assert!(text.contains(&name), "{text} does not name {name}");
    }
}

fn games(house: &House) -> Vec<Arc<dyn Front>> {
    let rules = ["breakthrough", "hex-7"]
        .map(|name| format!("{}/../gdl/rules/{name}.kif", env!("CARGO_MANIFEST_DIR")));
    let names = house.games.list().into_iter().map(|about| about.id.clone()).chain(rules);
    names.map(|name| house.games.open(&name).unwrap()).collect()
}

/// A random position of a game; some near its end, where most happens.
fn somewhere(table: &mut dyn Table, rng: &mut Rng) {
    table.restart(None).unwrap();
    let plies = rng.below(60);
    for _ in 0..plies {
        table.roll(rng);
        let moves = table.moves();
        if moves.is_empty() {
            break;
        }
        table.play(moves[rng.below(moves.len() as u32) as usize]).unwrap();
    }
    while table.is_over() {
        table.undo();
    }
    table.roll(rng);
}

const VOICES: [Voice; 3] = [Voice::ToOpponent, Voice::ToMover, Voice::ToOnlooker];
/// Minds whose decisions are explained.
const MINDS: [&str; 3] = ["alphabeta:depth=3", "uct:sims=60", "depth1"];

#[test]
fn every_sentence_is_true() {
    let house = House::from(Catalogue::standard());
    let games = games(&house);
    let (mut said, mut kinds) = (0, BTreeMap::<String, u32>::new());
    let mut rng = Rng::new(31);
    let mut round = 0;
    while said < wanted() {
        round += 1;
        assert!(round < 2_000_000, "only {said} sentences were said: {kinds:?}");
        for front in &games {
            let mut table = front.table(Arc::new(NoModels));
            somewhere(&mut *table, &mut rng);
            let Some(side) = table.to_move() else { continue };
            let mind = MINDS[rng.below(MINDS.len() as u32) as usize];
            let decision = table.think(mind, &mut Rng::new(round), Budget::States(600), true).unwrap();
            let own = table.claims(decision.mv);
            assert!(decision.claims.iter().all(|claim| own.contains(claim)), "a reason is true of the move");
            let (board, lines) = (table.view().board, front.facts().lines);
            for mv in table.moves() {
                for claim in table.claims(mv) {
                    let text = sentence(&claim, &board, VOICES[said % VOICES.len()]);
                    let mut look = Look { table: &mut *table, side };
                    let holds = look.holds(mv, &claim, &lines);
                    assert!(holds, "{} at {}, {mv:?}: {text} ({claim:?})", front.id(), table.view().text);
                    reads_well(&text, &claim, &board);
                    let kind = format!("{claim:?}");
                    *kinds.entry(kind.split([' ', '{']).next().unwrap().into()).or_default() += 1;
                    said += 1;
                }
            }
        }
    }
    println!("{said} sentences, none of them false: {kinds:?}");
    for kind in ["Wins", "Blocks", "Fork", "Threat", "Turns", "Takes", "Corner", "GivesCorner", "LetsWin"] {
        assert!(kinds.contains_key(kind), "nothing was said of {kind}: {kinds:?}");
    }
}

//! Why a move: the chunks at the end of the line it expects, which multiply to the odds.

use std::sync::Arc;

use ludens_core::words::{How, Judge as Judged, Lies, Scale, Shows, What, Whose};
use ludens_core::{Board, Combine, Explain, Game, Layout, Ranking, Reason, Side, math};

use super::eye::{Context, Eye, Seen, Sight};
use super::learner::Homo;
use super::look::{DECIDED, Tree};
use super::ripe;

/// How many chunks a move names; the others are one term together.
const NAMED: usize = 6;

/// A part of the log odds of the side that moves.
struct Term {
    what: What,
    cells: Vec<u16>,
    log_odds: f64,
}

/// The reasons behind a ranking.
pub(super) fn explain<G: Game>(
    homo: &Homo<G>,
    game: &G,
    (tree, side, states): (&Tree<G::State>, Side, u64),
    ranking: &mut Ranking,
    explain: Explain,
) {
    let deepest = tree.children(0).map(|child| tree.line(child).len()).max().unwrap_or(0) as u32;
    ranking.how = match deepest {
        0 | 1 => How::Odds { drawn: false },
        plies => How::LookAhead { plies, states, judge: Judged::Own("the chunks it has learnt".into()) },
    };
    ranking.scale = Scale::Odds;
    ranking.combine = Combine::Product;
    for place in ranking.wanted(explain) {
        let Some(child) = tree.child(place) else { continue };
        let candidate = &mut ranking.moves[place];
        let line = tree.line(child);
        let from = std::iter::once(0).chain(line.iter().copied());
        let moves = from.zip(&line).filter_map(|(at, child)| tree.move_to(at, *child)).collect();
        let end = line.last().copied().unwrap_or(child);
        let value = tree.seen_by(child, side);
        let is_end = tree.nodes[end].side.is_none() && tree.nodes[end].solved;
        let play = What::Play { shows: Shows::Best };
        if value.abs() > DECIDED || is_end {
            candidate.reasons.push(Reason::line(play, candidate.value, moves));
            continue;
        }
        candidate.reasons.push(Reason::line(play, 1.0, moves));
        if tree.is_first_sight() && homo.settings.heeds > 0.0 {
            let urge = f64::from(homo.settings.heeds * tree.urge(place));
            candidate.reasons.push(Reason::chunk(What::Inclination, math::exp(urge), Vec::new()));
        }
        let mut terms = homo.terms(game, &tree.nodes[end].state, side);
        terms.sort_by(|a, b| b.log_odds.abs().total_cmp(&a.log_odds.abs()));
        let rest = terms.split_off(terms.len().min(NAMED));
        for term in terms {
            let reason = Reason::chunk(term.what, math::exp(term.log_odds), term.cells);
            candidate.reasons.push(if line.len() > 1 { reason.at_end() } else { reason });
        }
        let named: f64 = candidate.reasons.iter().map(|reason| math::ln(reason.worth)).sum();
        // What is left to the value, which is bounded where the chunks add up to more.
        let left = math::ln(candidate.value) - named;
        candidate.reasons.push(Reason::chunk(
            What::Rest { terms: rest.len() as u32 },
            math::exp(left),
            Vec::new(),
        ));
    }
}

impl<G: Game> Homo<G> {
    /// What every context, pair and triple adds to the log odds of `side`, and what is always there.
    fn terms(&self, game: &G, state: &G::State, side: Side) -> Vec<Term> {
        let (mut moves, mut seen, mut sight) = (Vec::new(), Seen::default(), Sight::default());
        game.moves(state, &mut moves);
        self.eye.look(game, state, &moves, &mut sight, &mut seen);
        let board = game.board(state);
        let scene =
            Scene { eye: &self.eye, board: &board, seen: &seen, lines: !game.facts().lines.is_empty(), side };
        let sign = if side == Side::First { 1.0 } else { -1.0 };
        let parts = self.chunks.parts(&self.eye, &self.settings, &self.judge.weights, &seen);
        let alone = parts.by_context.iter().map(|&(context, sum)| Term {
            what: scene.what(context),
            cells: scene.cells(&[context]),
            log_odds: sign * sum,
        });
        let together = parts.together.iter().filter_map(|(contexts, sum)| {
            let what = contexts.iter().map(|context| scene.what(*context)).reduce(both)?;
            Some(Term { what, cells: scene.cells(contexts), log_odds: sign * sum })
        });
        let mut glance = Default::default();
        let whole = f64::from(self.judge.whole.look(&self.eye, &seen, 0, &mut glance));
        let text = "how everything on the board lies together".into();
        let whole = Term { what: What::Words { text }, cells: Vec::new(), log_odds: sign * whole };
        let always = Term { what: What::Start, cells: Vec::new(), log_odds: sign * parts.always };
        alone.chain(together).chain([always, whole]).filter(|term| term.log_odds != 0.0).collect()
    }
}

fn both(first: What, second: What) -> What {
    What::Pair { first: Box::new(first), second: Box::new(second) }
}

/// A position, as reasons speak of it.
struct Scene<'a> {
    eye: &'a Eye,
    board: &'a Board,
    seen: &'a Seen,
    /// The decisive sets are lines.
    lines: bool,
    side: Side,
}

impl Scene<'_> {
    /// Where contexts lie on the board, each cell once.
    fn cells(&self, contexts: &[usize]) -> Vec<u16> {
        let mut cells = Vec::new();
        for cell in contexts.iter().flat_map(|context| &self.eye.contexts[*context].cells) {
            let Some(cell) = self.eye.place(*cell) else { continue };
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        cells
    }

    /// What lies in a context, in the words of reasons.
    fn what(&self, context: usize) -> What {
        let Scene { eye, board, side, .. } = *self;
        let context = &eye.contexts[context];
        match context.cells[..] {
            [first, ..] if eye.place(first).is_none() => What::Words {
                text: "how the squares that wait for a side to complete something are shared out".into(),
            },
            [cell] if eye.ripe.is_some() && usize::from(cell) >= eye.cells => self.completes(cell),
            [cell, above] if eye.ripe.is_some() && usize::from(cell) >= eye.cells => {
                both(self.completes(cell), self.completes(above))
            }
            _ => what(eye, context, board, side, self.lines),
        }
    }

    /// For whom a cell would complete a line, where that can be said; else what lies there.
    fn completes(&self, cell: u16) -> What {
        let place = (usize::from(cell) % self.eye.cells) as u16;
        let lies = Lies { cell: place, piece: self.board.squares[usize::from(place)].piece };
        let wait = self.eye.wait(self.seen, place).filter(|_| self.lines);
        match (ripe::for_whom(self.eye, self.seen, cell), wait) {
            (Some(owner), Some(wait)) => {
                let own = owner.is_none_or(|owner| owner == self.side);
                What::WinningSquare { whose: if own { Whose::Own } else { Whose::Theirs }, wait }
            }
            _ => What::Pattern { pieces: Arc::from([lies]) },
        }
    }
}

/// What lies in a context, in the words of reasons.
fn what(eye: &Eye, context: &Context, board: &Board, side: Side, lines: bool) -> What {
    let square = |cell: &u16| board.squares[usize::from(*cell) % eye.cells];
    let count =
        |wanted: Option<Side>| context.cells.iter().filter(|cell| square(cell).side == wanted).count() as u8;
    if context.decisive && lines {
        return What::Line {
            own: count(Some(side)),
            other: count(Some(side.other())),
            open: count(None),
            wait: 0,
        };
    }
    if let [cell] = context.cells[..]
        && board.layout == Layout::Points
    {
        let square = square(&cell);
        let owner = square.side.unwrap_or(side);
        let whose = if owner == side { Whose::Own } else { Whose::Theirs };
        return match cell {
            24 | 26 => What::Bar { whose, count: square.count },
            25 | 27 => What::Off { whose, count: square.count },
            _ if square.count > 0 => What::Men { whose, count: square.count },
            _ => What::Pattern { pieces: Arc::from([Lies { cell, piece: 0 }]) },
        };
    }
    let lies = |cell: &u16| Lies { cell: *cell % eye.cells as u16, piece: square(cell).piece };
    What::Pattern { pieces: context.cells.iter().map(lies).collect::<Arc<[Lies]>>() }
}

//! What it sees of a board, from the rules alone: what lies on a cell and whether a move goes there, the contexts, and which images of the
//! board are the same to it.

use ludens_core::{Board, Facts, Game, Layout, Move, NO_CELL, Side, Square, straight_lines};
use rustc_hash::FxHashMap;

use super::ripe;
use super::settings::Settings;
use crate::beyond::nhb_improved::patterns::grid_symmetries;

/// Nobody to move: dice are thrown next.
pub const NOBODY: u8 = 2;
/// A move goes there.
pub const REACHED: u8 = 1;
/// A move to a cell that is reached opens it.
pub const NEXT: u8 = 2;
/// More men than this on a cell look the same.
const MANY: u8 = 15;
/// The longest decisive set that is a context.
const LONGEST: usize = 8;
/// Contents that a context of its own may have.
const MOST_CONTENTS: usize = 700;
/// Contexts that it looks at.
const MOST_CONTEXTS: usize = 1_500;

/// A position as it sees it: a digit a cell, and who is to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// An index of [`Eye::kinds`] a cell; then that of a second look: for whom a cell would complete something; then how many ways wait
    /// for each side.
    pub digits: Vec<u8>,
    /// Who moves, or throws: 0 the first player, 1 the second, [`NOBODY`].
    pub mover: u8,
}

/// What can be seen on one cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kind {
    /// A number of [`Board::pieces`].
    pub piece: u8,
    /// Whose: 0 the first player's, 1 the second's, [`NOBODY`]'s.
    pub owner: u8,
    /// How many, up to [`MANY`].
    pub count: u8,
    /// [`REACHED`] where a move of the player to move goes there, [`NEXT`] where one will after such a move, else 0.
    pub near: u8,
}

impl Kind {
    fn of(square: &Square, near: u8) -> Kind {
        let owner = square.side.map_or(NOBODY, |side| side.index() as u8);
        Kind { piece: square.piece, owner, count: square.count.min(MANY), near }
    }

    /// Whose it is, as the player to move sees it: 0 empty or nobody's, 1 own, 2 the other's.
    pub fn relative(&self, mover: u8) -> u8 {
        match self.owner {
            NOBODY => 0,
            owner if owner == if mover == NOBODY { 0 } else { mover } => 1,
            _ => 2,
        }
    }
}

/// Some cells that are looked at together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Context {
    /// In order.
    pub cells: Vec<u16>,
    /// The rules make it decisive: a line, or what was read from GDL.
    pub decisive: bool,
    /// Its cells lie in no line: their order says nothing.
    pub block: bool,
}

/// An image of the board under which chunks share their weight.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    /// Where each cell goes.
    pub cells: Vec<u16>,
    /// Whether the sides change places.
    pub swaps: bool,
}

/// A context under an image: which context it becomes, and where each of its cells goes in it.
pub type Moved = Option<(u32, Vec<u8>)>;

/// How it sees.
#[derive(Clone, Debug)]
pub struct Eye {
    /// Cells of the board.
    pub cells: usize,
    /// The number of the first kind of a ripe cell; none where they are not looked at.
    pub ripe: Option<u8>,
    /// The game says that its decisive sets are lines that win.
    pub lines: bool,
    /// Completing a decisive set wins: what is decided is seen before anything is moved.
    pub foresees: bool,
    /// Dice are thrown: who throws next is part of everything that is seen.
    pub dice: bool,
    /// Everything it has met on a cell; the last digit stands for anything else.
    pub kinds: Vec<Kind>,
    numbers: FxHashMap<Kind, u8>,
    /// Each digit with the sides changed.
    pub swapped: Vec<u8>,
    /// Cells first, then decisive sets, then its own.
    pub contexts: Vec<Context>,
    /// Each digit with [`NEXT`] left out: for chunks of a place that would be too fine.
    pub coarse: Vec<u8>,
    /// By cell: the cell that a move there opens, or [`NO_CELL`].
    pub opens: Vec<u16>,
    /// Ways up that cells open one after the other.
    pub ways: Vec<Vec<u16>>,
    /// By cell: the contexts through it or through what it would complete, and where in each it is.
    pub through: Vec<Vec<(u32, u8)>>,
    /// The identity left out.
    pub images: Vec<Image>,
    /// By image and context.
    pub moved: Vec<Vec<Moved>>,
    /// By who moves: the images by which the board looks as it does to the first player.
    pub(super) views: [Vec<Option<u32>>; 2],
    /// By digit: those of as many pieces or fewer.
    pub(super) atleast: Vec<Vec<u8>>,
}

/// Room for a look.
#[derive(Default, Debug)]
pub struct Sight {
    pub(super) squares: Vec<Square>,
    pub(super) near: Vec<u8>,
    pub(super) completes: Vec<u8>,
    /// By move: it does not lose at once.
    pub(super) keeps: Vec<bool>,
    /// Where each move comes from and goes to.
    pub ends: Vec<[u16; 2]>,
}

impl Eye {
    /// The eye for a board on which these kinds were met; those of ripe cells are added where there is something to complete.
    pub fn new(
        board: &Board,
        facts: &Facts,
        mut kinds: Vec<Kind>,
        opens: Vec<u16>,
        dice: bool,
        settings: &Settings,
    ) -> Eye {
        let plain = kinds.len();
        let ripe = ripe::are_seen(plain, facts, settings).then_some(plain as u8);
        if ripe.is_some() {
            kinds.extend(ripe::kinds());
        }
        let swapped = swapped(&kinds, board);
        let coarse = |kind: &Kind| {
            let wanted = Kind { near: if kind.near == NEXT { 0 } else { kind.near }, ..*kind };
            kinds.iter().position(|kind| *kind == wanted).unwrap_or(kinds.len()) as u8
        };
        let coarse = kinds.iter().map(coarse).chain([kinds.len() as u8]).collect();
        let numbers = kinds.iter().zip(0..).map(|(kind, number)| (*kind, number)).collect();
        let cells = board.squares.len();
        let mut contexts = contexts(board, facts, plain, settings);
        if ripe.is_some() {
            contexts.extend(ripe::contexts(cells, &opens));
        }
        let mut through = vec![Vec::new(); cells];
        for (context, number) in contexts.iter().zip(0..) {
            for (cell, at) in
                context.cells.iter().zip(0..).filter(|(cell, _)| usize::from(**cell) < 2 * cells)
            {
                through[usize::from(*cell) % cells].push((number, at));
            }
        }
        let mut eye = Eye {
            cells,
            ripe,
            lines: !facts.lines.is_empty(),
            foresees: false,
            dice,
            kinds,
            numbers,
            swapped,
            contexts,
            coarse,
            ways: ripe::ways(&opens),
            opens,
            through,
            images: Vec::new(),
            moved: Vec::new(),
            views: Default::default(),
            atleast: Vec::new(),
        };
        eye.make_views();
        eye
    }

    /// Digits there are, the unknown one among them.
    pub fn base(&self) -> u64 {
        self.kinds.len() as u64 + 1
    }

    /// Digits of a position.
    pub fn digits(&self) -> usize {
        if self.ripe.is_some() { 2 * self.cells + ripe::BALANCE } else { self.cells }
    }

    /// The kinds that were met, without those of ripe cells.
    pub fn met(&self) -> &[Kind] {
        &self.kinds[..self.ripe.map_or(self.kinds.len(), usize::from)]
    }

    /// Where a cell of a context lies on the board; a count lies nowhere.
    pub fn place(&self, cell: u16) -> Option<u16> {
        (usize::from(cell) < 2 * self.cells).then_some((usize::from(cell) % self.cells) as u16)
    }

    /// Looks at a position. `moves` are its legal ones.
    pub fn look<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        moves: &[Move],
        sight: &mut Sight,
        seen: &mut Seen,
    ) {
        sense(game, state, moves, &self.opens, sight, |kinds, mover| {
            let unknown = self.kinds.len() as u8;
            seen.mover = mover;
            seen.digits.clear();
            seen.digits.extend(kinds.map(|kind| self.numbers.get(&kind).copied().unwrap_or(unknown)));
        });
        if let Some(first) = self.ripe {
            ripe::look(self, first, sight, &mut seen.digits);
        }
    }

    /// Takes these images of the board for the same, and all that follow from them.
    pub fn share(&mut self, images: &[Image]) {
        self.images = closure(images);
        let places: FxHashMap<Vec<u16>, u32> =
            self.contexts.iter().zip(0..).map(|(context, number)| (sorted(&context.cells), number)).collect();
        let moved = |image: &Image| -> Vec<Moved> {
            let of = |context: &Context| {
                let goes = |cell: &u16| match self.place(*cell) {
                    Some(place) => image.cells[usize::from(place)] + (cell - place),
                    // The counts of the one side come beside those of the other.
                    None if image.swaps => 2 * self.cells as u16 + ((cell - 2 * self.cells as u16) ^ 1),
                    None => *cell,
                };
                let to: Vec<u16> = context.cells.iter().map(goes).collect();
                let number = *places.get(&sorted(&to))?;
                let target = &self.contexts[number as usize].cells;
                let place = |cell: &u16| target.iter().position(|other| other == cell).map(|at| at as u8);
                Some((number, to.iter().map(place).collect::<Option<Vec<u8>>>()?))
            };
            self.contexts.iter().map(of).collect()
        };
        self.moved = self.images.iter().map(moved).collect();
        self.make_views();
    }
}

/// Hands what lies on every cell, and who is to move, to `f`.
pub fn sense<G: Game>(
    game: &G,
    state: &G::State,
    moves: &[Move],
    opens: &[u16],
    sight: &mut Sight,
    f: impl FnOnce(&mut dyn Iterator<Item = Kind>, u8),
) {
    game.squares(state, &mut sight.squares);
    let mover = game.on_turn(state).map_or(NOBODY, |side| side.index() as u8);
    game.ends(state, moves, &mut sight.ends);
    sight.near.clear();
    sight.near.resize(sight.squares.len(), 0);
    for [_, to] in &sight.ends {
        if let Some(near) = sight.near.get_mut(usize::from(*to)) {
            *near = REACHED;
        }
    }
    for [_, to] in &sight.ends {
        let opened = opens.get(usize::from(*to)).copied().unwrap_or(NO_CELL);
        if let Some(near) = sight.near.get_mut(usize::from(opened)).filter(|near| **near == 0) {
            *near = NEXT;
        }
    }
    let mut kinds = sight.squares.iter().zip(&sight.near).map(|(square, near)| Kind::of(square, *near));
    f(&mut kinds, mover);
}

fn sorted(cells: &[u16]) -> Vec<u16> {
    let mut cells = cells.to_vec();
    cells.sort_unstable();
    cells
}

/// The n-th piece of one side stands for the n-th of the other.
fn swapped(kinds: &[Kind], board: &Board) -> Vec<u8> {
    let of = |side: Side| -> Vec<u8> {
        board.pieces.iter().zip(0..).filter(|(piece, _)| piece.side == Some(side)).map(|(_, at)| at).collect()
    };
    let [first, second] = Side::BOTH.map(of);
    let other = |piece: u8, of: &[u8], to: &[u8]| {
        of.iter().position(|one| *one == piece).and_then(|at| to.get(at)).copied().unwrap_or(piece)
    };
    let unknown = kinds.len() as u8;
    let swap = |kind: &Kind| {
        let (piece, owner) = match kind.owner {
            0 => (other(kind.piece, &first, &second), 1),
            1 => (other(kind.piece, &second, &first), 0),
            owner => (kind.piece, owner),
        };
        let wanted = Kind { piece, owner, ..*kind };
        kinds.iter().position(|kind| *kind == wanted).map_or(unknown, |at| at as u8)
    };
    kinds.iter().map(swap).chain([unknown]).collect()
}

fn contexts(board: &Board, facts: &Facts, kinds: usize, settings: &Settings) -> Vec<Context> {
    let cells = board.squares.len() as u16;
    let mut known = rustc_hash::FxHashSet::default();
    let mut all = Vec::new();
    let mut add = |cells: Vec<u16>, decisive: bool, block: bool| {
        if all.len() < MOST_CONTEXTS && known.insert(sorted(&cells)) {
            all.push(Context { cells, decisive, block });
        }
    };
    (0..cells).for_each(|cell| add(vec![cell], false, false));
    if !settings.contexts {
        return all;
    }
    let fits = |set: &&Vec<u16>| (2..=LONGEST).contains(&set.len()) && set.iter().all(|cell| *cell < cells);
    facts.contexts().iter().filter(fits).for_each(|set| add(set.clone(), true, false));
    if settings.own {
        for (set, block) in own_sets(board, kinds) {
            add(set, false, block);
        }
    }
    all
}

/// Straight runs as long as their contents can be remembered, and blocks of two by two. None on a track: points side by side taught less than
/// they cost.
fn own_sets(board: &Board, kinds: usize) -> Vec<(Vec<u16>, bool)> {
    if board.layout == Layout::Points {
        return Vec::new();
    }
    let (width, height) = (i32::from(board.width), i32::from(board.height));
    let length = (2..=4).rev().find(|length| kinds.pow(*length) <= MOST_CONTENTS).unwrap_or(2) as u16;
    let runs = straight_lines(board.width, board.height, length);
    let mut sets: Vec<(Vec<u16>, bool)> = runs.into_iter().map(|run| (run, false)).collect();
    if kinds.pow(4) <= MOST_CONTENTS {
        for (x, y) in (0..height - 1).flat_map(|y| (0..width - 1).map(move |x| (x, y))) {
            let corners = [(0, 0), (1, 0), (0, 1), (1, 1)];
            sets.push((corners.map(|(i, j)| ((y + j) * width + x + i) as u16).to_vec(), true));
        }
    }
    sets
}

/// The images that a board of this form may have: those of a rectangle or a square, each with the sides as they are and changed.
pub fn candidates(board: &Board) -> Vec<Image> {
    let (width, height) = (usize::from(board.width), usize::from(board.height));
    if board.layout == Layout::Points {
        // Each side counts the points from its own end; bar and tray come in pairs after them.
        let turned = (0..24).rev().chain([26, 27, 24, 25]).collect();
        return vec![Image { cells: turned, swaps: true }];
    }
    let identity = (0..board.squares.len() as u16).collect();
    let plain = grid_symmetries(width, height);
    let changed = std::iter::once(identity).chain(plain.clone());
    let plain = plain.into_iter().map(|cells| Image { cells, swaps: false });
    plain.chain(changed.map(|cells| Image { cells, swaps: true })).collect()
}

/// Everything that repeated images lead to, the identity left out.
fn closure(images: &[Image]) -> Vec<Image> {
    let mut all: Vec<Image> = images.to_vec();
    let mut at = 0;
    while at < all.len() && all.len() < 32 {
        for by in images {
            let cells = all[at].cells.iter().map(|cell| by.cells[usize::from(*cell)]).collect();
            let next = Image { cells, swaps: all[at].swaps != by.swaps };
            let identity = !next.swaps && next.cells.iter().zip(0..).all(|(cell, at)| *cell == at);
            if !identity && !all.contains(&next) {
                all.push(next);
            }
        }
        at += 1;
    }
    all
}

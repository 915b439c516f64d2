//! Relations as flat tables. Each shape of atom that a rule asks for, such as
//! `(true (cell ? ? ?))`, is a view with one column a question mark, so that joins only ever
//! compare numbers.

use crate::error::GdlError;
use crate::syntax::{Pat, Predicate};
use crate::terms::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// The number of a view.
pub type ViewId = usize;
const NONE: u32 = u32::MAX;

/// What a column of a literal holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// A variable of the rule, by its number.
    Var(u32),
    /// A term that must stand here.
    Const(TermId),
}

/// A literal against a view: one cell a column.
#[derive(Clone, Debug)]
pub struct FlatLiteral {
    /// The view it is asked of.
    pub view: ViewId,
    /// What each column must hold.
    pub cells: Box<[Cell]>,
}

/// An index over some columns of a view: rows with equal hash are chained, newest first.
#[derive(Clone, Debug)]
struct Index {
    columns: Box<[usize]>,
    heads: FxHashMap<u64, u32>,
    chain: Vec<u32>,
}

/// The atoms of one shape, as rows of what stands at its question marks.
#[derive(Clone, Debug)]
pub struct View {
    shape: Pat,
    width: usize,
    cells: Vec<TermId>,
    atoms: Vec<TermId>,
    indexes: Vec<Index>,
}

fn hash_cells(cells: impl Iterator<Item = TermId>) -> u64 {
    let mut h = FxHasher::default();
    for c in cells {
        h.write_u32(c);
    }
    h.finish()
}

impl View {
    /// The cells of a row.
    pub fn row(&self, r: u32) -> &[TermId] {
        &self.cells[r as usize * self.width..(r as usize + 1) * self.width]
    }

    /// The whole atom of a row.
    pub fn atom(&self, r: u32) -> TermId {
        self.atoms[r as usize]
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    fn push(&mut self, atom: TermId, cells: &[TermId]) -> u32 {
        let r = self.atoms.len() as u32;
        self.cells.extend_from_slice(cells);
        self.atoms.push(atom);
        for index in &mut self.indexes {
            let key = hash_cells(index.columns.iter().map(|&c| cells[c]));
            let old = index.heads.insert(key, r);
            index.chain.push(old.unwrap_or(NONE));
        }
        r
    }

    fn clear(&mut self) {
        self.cells.clear();
        self.atoms.clear();
        for index in &mut self.indexes {
            index.heads.clear();
            index.chain.clear();
        }
    }

    /// The number of the index over these columns, built now if it is new.
    pub fn index(&mut self, columns: &[usize]) -> usize {
        if let Some(found) = self.indexes.iter().position(|i| *i.columns == *columns) {
            return found;
        }
        let mut index = Index {
            columns: columns.into(),
            heads: FxHashMap::default(),
            chain: Vec::with_capacity(self.atoms.len()),
        };
        for r in 0..self.atoms.len() as u32 {
            let row = self.row(r);
            let key = hash_cells(columns.iter().map(|&c| row[c]));
            let old = index.heads.insert(key, r);
            index.chain.push(old.unwrap_or(NONE));
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// How many different keys an index has.
    pub fn keys(&self, index: usize) -> usize {
        self.indexes[index].heads.len()
    }

    /// The newest row whose key may be this one; its cells must still be compared.
    pub fn first(&self, index: usize, key: impl Iterator<Item = TermId>) -> Option<u32> {
        self.indexes[index].heads.get(&hash_cells(key)).copied()
    }

    /// The next older row of the same chain.
    pub fn older(&self, index: usize, r: u32) -> Option<u32> {
        Some(self.indexes[index].chain[r as usize]).filter(|&n| n != NONE)
    }
}

/// All relations: which atoms are known, and the views over them.
#[derive(Clone, Debug, Default)]
pub struct Relations {
    views: Vec<View>,
    by_shape: FxHashMap<Pat, ViewId>,
    by_predicate: FxHashMap<Predicate, Vec<ViewId>>,
    by_atom: FxHashMap<TermId, ViewId>,
    known: Vec<bool>,
}

impl Relations {
    /// The view of this number.
    pub fn view(&self, id: ViewId) -> &View {
        &self.views[id]
    }

    /// The view of this number, to add an index.
    pub fn view_mut(&mut self, id: ViewId) -> &mut View {
        &mut self.views[id]
    }

    /// Whether an atom is known.
    pub fn knows(&self, atom: TermId) -> bool {
        self.known.get(atom as usize).copied().unwrap_or(false)
    }

    /// Marks an atom as known; says whether it was new.
    pub fn learn(&mut self, atom: TermId) -> bool {
        let i = atom as usize;
        if i >= self.known.len() {
            self.known.resize((i + 1).max(self.known.len() * 2), false);
        }
        !std::mem::replace(&mut self.known[i], true)
    }

    /// Makes an atom unknown again; its rows stay.
    pub fn forget(&mut self, atom: TermId) {
        if let Some(k) = self.known.get_mut(atom as usize) {
            *k = false;
        }
    }

    /// Takes all rows out of a view.
    pub fn clear_view(&mut self, id: ViewId) {
        self.views[id].clear();
    }

    /// The views that hold atoms of a relation.
    pub fn views_of(&self, p: Predicate) -> &[ViewId] {
        self.by_predicate.get(&p).map_or(&[], Vec::as_slice)
    }

    /// The literal as cells of a view, which is made if it is new.
    pub fn flatten(&mut self, literal: &Pat, terms: &Terms) -> Result<FlatLiteral, GdlError> {
        let mut cells = Vec::new();
        let shape = match literal {
            Pat::Ground(_) => literal.clone(),
            _ => shape_of(literal, true, &mut cells),
        };
        if cells.len() > MAX_COLUMNS {
            return Err(GdlError::TooLarge {
                what: "places in one atom",
                limit: MAX_COLUMNS as u64,
                knob: crate::error::FIXED,
            });
        }
        let view = match self.by_shape.get(&shape) {
            Some(&v) => v,
            None => self.add_view(shape, cells.len(), terms),
        };
        Ok(FlatLiteral { view, cells: cells.into() })
    }

    fn add_view(&mut self, shape: Pat, width: usize, terms: &Terms) -> ViewId {
        let id = self.views.len();
        self.by_shape.insert(shape.clone(), id);
        match (&shape, shape.predicate(terms)) {
            (Pat::Ground(atom), _) => {
                self.by_atom.insert(*atom, id);
            }
            (_, Some(p)) => self.by_predicate.entry(p).or_default().push(id),
            _ => {}
        }
        self.views.push(View { shape, width, cells: Vec::new(), atoms: Vec::new(), indexes: Vec::new() });
        id
    }

    /// Adds an atom to every view it fits and lists the new rows.
    pub fn insert(&mut self, atom: TermId, terms: &Terms, rows: &mut Vec<(ViewId, u32)>) {
        rows.clear();
        if let Some(&v) = self.by_atom.get(&atom) {
            rows.push((v, self.views[v].push(atom, &[])));
        }
        let p = (terms.functor(atom), terms.args(atom).len() as u32);
        let mut cells = [0; 32];
        for &v in self.by_predicate.get(&p).into_iter().flatten() {
            let mut n = 0;
            if fit(&self.views[v].shape, atom, terms, &mut cells, &mut n) {
                rows.push((v, self.views[v].push(atom, &cells[..n])));
            }
        }
    }
}

/// Views hold at most this many columns.
pub const MAX_COLUMNS: usize = 32;

/// The shape of a literal (`Var(i)` is column i) and its cells.
fn shape_of(p: &Pat, top: bool, cells: &mut Vec<Cell>) -> Pat {
    match p {
        Pat::Fn(f, args) => Pat::Fn(*f, args.iter().map(|a| shape_of(a, false, cells)).collect()),
        Pat::Ground(_) if top => p.clone(),
        Pat::Ground(t) => {
            cells.push(Cell::Const(*t));
            Pat::Var(cells.len() as u32 - 1)
        }
        Pat::Var(v) => {
            cells.push(Cell::Var(*v));
            Pat::Var(cells.len() as u32 - 1)
        }
    }
}

fn fit(shape: &Pat, t: TermId, terms: &Terms, cells: &mut [TermId; MAX_COLUMNS], n: &mut usize) -> bool {
    match shape {
        Pat::Var(_) => {
            if *n == MAX_COLUMNS {
                return false;
            }
            cells[*n] = t;
            *n += 1;
            true
        }
        Pat::Ground(g) => *g == t,
        Pat::Fn(f, shapes) => {
            let args = terms.args(t);
            terms.functor(t) == *f
                && args.len() == shapes.len()
                && shapes.iter().zip(args).all(|(s, &a)| fit(s, a, terms, cells, n))
        }
    }
}

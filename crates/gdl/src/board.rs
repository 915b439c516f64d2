//! The board of a game, found in its rules: which facts are squares, which of their arguments are
//! coordinates and in which order, and whose the pieces are. Names are never looked at.
//!
//! Coordinates are the arguments whose values some static relation steps through, one after the
//! other (`(succ 1 2)`, `(add 3 p1 4)`, …). Where no relation does, the order in which the rules
//! first mention the values is taken.

use crate::observe::{Step, holds};
use crate::reasoner::Grounded;
use crate::syntax::Predicate;
use crate::terms::{TermId, Terms};
use ludens_core::{Board, Layout, Piece, Side, Square, math};
use rustc_hash::{FxHashMap, FxHashSet};

/// How facts lie on a board.
#[derive(Clone, Debug)]
pub struct BoardMap {
    /// The relation whose facts are squares.
    pub relation: Predicate,
    /// Its arguments that are column and row.
    pub coordinates: (usize, usize),
    /// The values of the first coordinate, in order.
    pub columns: Vec<TermId>,
    /// The values of the second coordinate, in order.
    pub rows: Vec<TermId>,
    /// For each fact its square and its piece (0 is empty).
    pub squares: Vec<Option<(u16, u8)>>,
    /// What can stand on a square; the first is "empty".
    pub pieces: Vec<Piece>,
    /// How the squares lie.
    pub layout: Layout,
}

/// The roles of the two sides, and which side moved in a step.
type Movers<'a> = ([usize; 2], &'a dyn Fn(&Step) -> Option<usize>);

/// Values in the order in which some relation steps through them.
struct Chain {
    order: Vec<TermId>,
    is_circle: bool,
}

/// Finds the board; `players` are the roles of the two sides and `mover` says which side moved in a step.
pub fn find_board(
    grounded: &Grounded,
    terms: &Terms,
    steps: &[Step],
    players: [usize; 2],
    mover: &dyn Fn(&Step) -> Option<usize>,
) -> Option<BoardMap> {
    let chains = chains(&grounded.statics, terms);
    let network = &grounded.network;
    let mut by_relation: FxHashMap<Predicate, Vec<u32>> = FxHashMap::default();
    for (i, &f) in network.facts.iter().enumerate() {
        let arity = terms.args(f).len() as u32;
        if (2..=6).contains(&arity) {
            by_relation.entry((terms.functor(f), arity)).or_default().push(i as u32);
        }
    }
    let mut relations: Vec<(Predicate, Vec<u32>)> = by_relation.into_iter().collect();
    relations.sort_unstable();
    let candidates = relations.iter().flat_map(|(relation, facts)| {
        let arity = relation.1 as usize;
        let pairs = (0..arity).flat_map(move |x| (x + 1..arity).map(move |y| (x, y)));
        let mut found: Vec<_> = pairs
            .filter_map(|pair| Some((score(facts, pair, &network.facts, terms, &chains, steps)?, pair)))
            .collect();
        // Where the rules step through both arguments of a pair, those are the coordinates, however many pieces have a
        // name of their own and however few squares there are in comparison.
        if found.iter().any(|(s, _)| s.stepped == 2) {
            found.retain(|(s, _)| s.stepped == 2);
        }
        found.into_iter().map(move |(s, pair)| (s.value, *relation, facts, pair))
    });
    let best = candidates.max_by(|a, b| a.0.total_cmp(&b.0).then(b.3.cmp(&a.3)).then(b.1.cmp(&a.1)))?;
    let (_, relation, facts, pair) = best;
    let values = |place: usize| -> Vec<TermId> {
        ordered(facts.iter().map(|&f| terms.args(network.facts[f as usize])[place]), &chains)
    };
    let mut map = BoardMap {
        relation,
        coordinates: pair,
        columns: values(pair.0),
        rows: values(pair.1),
        squares: vec![None; network.facts.len()],
        pieces: Vec::new(),
        layout: Layout::Grid,
    };
    place_pieces(&mut map, grounded, terms, facts, steps, (players, mover));
    if falls(&map, terms, grounded, steps, (players, mover)) {
        map.layout = Layout::Gravity;
    }
    Some(map)
}

/// How much a pair of arguments looks like coordinates, and how many of them the rules step through.
struct Score {
    value: f64,
    stepped: usize,
}

/// How much a pair of arguments looks like the coordinates of a board; none if they cannot be.
fn score(
    facts: &[u32],
    (x, y): (usize, usize),
    all: &[TermId],
    terms: &Terms,
    chains: &[Chain],
    steps: &[Step],
) -> Option<Score> {
    let args = |f: u32| terms.args(all[f as usize]);
    let distinct = |place: usize| facts.iter().map(|&f| args(f)[place]).collect::<FxHashSet<_>>();
    let (xs, ys) = (distinct(x), distinct(y));
    if xs.len() < 2 || ys.len() < 2 || xs.len() > 64 || ys.len() > 64 {
        return None;
    }
    let cells: FxHashSet<(TermId, TermId)> = facts.iter().map(|&f| (args(f)[x], args(f)[y])).collect();
    // At most one piece a square, in every state that was seen.
    for step in steps.iter().step_by(1 + steps.len() / 50) {
        let mut taken = FxHashSet::default();
        let on = facts.iter().filter(|&&f| holds(&step.before, f));
        if !on.into_iter().all(|&f| taken.insert((args(f)[x], args(f)[y]))) {
            return None;
        }
    }
    let contents = facts.len() as f64 / cells.len() as f64;
    let covered = cells.len() as f64 / (xs.len() * ys.len()) as f64;
    let stepped = [&xs, &ys].into_iter().filter(|values| chain_for(values, chains).is_some()).count();
    let few = if contents <= 1.0 { 0.5 } else { 1.0 / (1.0 + math::square(contents / 16.0)) };
    let value = cells.len() as f64 * covered * few * math::powi(0.4, 2 - stepped as i32);
    Some(Score { value, stepped })
}

/// The shortest chain through all the values.
fn chain_for<'a>(values: &FxHashSet<TermId>, chains: &'a [Chain]) -> Option<&'a Chain> {
    let fits = |c: &&Chain| {
        let places: Vec<usize> = (0..c.order.len()).filter(|&i| values.contains(&c.order[i])).collect();
        let span = places.last().map_or(0, |l| l - places[0] + 1);
        places.len() == values.len() && (span == values.len() || c.is_circle)
    };
    chains.iter().filter(fits).min_by_key(|c| c.order.len())
}

fn ordered(values: impl Iterator<Item = TermId>, chains: &[Chain]) -> Vec<TermId> {
    let values: FxHashSet<TermId> = values.collect();
    if let Some(chain) = chain_for(&values, chains) {
        return chain.order.iter().copied().filter(|t| values.contains(t)).collect();
    }
    let mut list: Vec<TermId> = values.into_iter().collect();
    list.sort_unstable();
    list
}

/// All static relations that lead from one value to the next.
fn chains(statics: &[TermId], terms: &Terms) -> Vec<Chain> {
    // A relation of three places is one of two for each value of the third.
    let mut steps: FxHashMap<(Predicate, usize, TermId), Vec<(TermId, TermId)>> = FxHashMap::default();
    let mut keys = Vec::new();
    for &atom in statics {
        let args = terms.args(atom);
        let relation = (terms.functor(atom), args.len() as u32);
        let mut add = |key, pair| {
            steps
                .entry(key)
                .or_insert_with(|| {
                    keys.push(key);
                    Vec::new()
                })
                .push(pair);
        };
        match *args {
            [a, b] => add((relation, 3, 0), (a, b)),
            [a, b, c] => {
                add((relation, 0, a), (b, c));
                add((relation, 1, b), (a, c));
                add((relation, 2, c), (a, b));
            }
            _ => {}
        }
    }
    keys.iter().flat_map(|k| paths(&steps[k])).collect()
}

/// The paths and circles of pairs, if every value has at most one next and one previous.
fn paths(pairs: &[(TermId, TermId)]) -> Vec<Chain> {
    let mut next: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut has_previous: FxHashSet<TermId> = FxHashSet::default();
    for &(a, b) in pairs {
        if a == b || next.insert(a, b).is_some() || !has_previous.insert(b) {
            return Vec::new();
        }
    }
    let mut starts: Vec<TermId> = next.keys().copied().filter(|a| !has_previous.contains(a)).collect();
    starts.sort_unstable();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut out = Vec::new();
    let mut rest: Vec<TermId> = next.keys().copied().collect();
    rest.sort_unstable();
    for start in starts.into_iter().chain(rest) {
        if seen.contains(&start) {
            continue;
        }
        let mut order = Vec::new();
        let mut at = Some(start);
        while let Some(t) = at.filter(|t| seen.insert(*t)) {
            order.push(t);
            at = next.get(&t).copied();
        }
        out.push(Chain { is_circle: at.is_some(), order });
    }
    out
}

/// The different contents of squares (what is left of a fact without its coordinates), and which of them each fact has.
fn contents_of(
    facts: &[u32],
    all: &[TermId],
    coordinates: (usize, usize),
    terms: &Terms,
) -> (Vec<Vec<TermId>>, FxHashMap<u32, usize>) {
    let mut contents: Vec<Vec<TermId>> = Vec::new();
    let mut content_of: FxHashMap<u32, usize> = FxHashMap::default();
    for &f in facts {
        let args = terms.args(all[f as usize]);
        let rest: Vec<TermId> =
            (0..args.len()).filter(|i| *i != coordinates.0 && *i != coordinates.1).map(|i| args[i]).collect();
        let n = contents.iter().position(|c| *c == rest).unwrap_or_else(|| {
            contents.push(rest);
            contents.len() - 1
        });
        content_of.insert(f, n);
    }
    (contents, content_of)
}

/// Gives every square fact its square, its piece and its owner.
fn place_pieces(
    map: &mut BoardMap,
    grounded: &Grounded,
    terms: &Terms,
    facts: &[u32],
    steps: &[Step],
    (players, mover): Movers<'_>,
) {
    let network = &grounded.network;
    let (contents, content_of) = contents_of(facts, &network.facts, map.coordinates, terms);
    let mut votes = vec![[0u32; 2]; contents.len()];
    for step in steps {
        let Some(side) = mover(step) else { continue };
        for &f in facts.iter().filter(|&&f| holds(&step.after, f) && !holds(&step.before, f)) {
            votes[content_of[&f]][side] += 1;
        }
    }
    let owner = |n: usize| {
        let named = contents[n].iter().find_map(|t| players.iter().position(|&r| network.roles[r] == *t));
        let [a, b] = votes[n];
        match named {
            Some(0) => Some(Side::First),
            Some(_) => Some(Side::Second),
            None if a > 9 * b => Some(Side::First),
            None if b > 9 * a => Some(Side::Second),
            None => None,
        }
    };
    let first: Vec<usize> = network.init.iter().filter_map(|f| content_of.get(f).copied()).collect();
    let at_first = |n: usize| first.iter().filter(|&&m| m == n).count();
    let area = map.columns.len() * map.rows.len();
    let blank = (0..contents.len())
        .filter(|&n| owner(n).is_none() && first.len() * 2 > area && at_first(n) * 4 > area)
        .max_by_key(|&n| at_first(n));
    map.pieces.push(Piece::new("empty", '.', None));
    let mut number = vec![0u8; contents.len()];
    for (n, content) in contents.iter().enumerate() {
        if Some(n) == blank || map.pieces.len() == 255 {
            continue;
        }
        let name: Vec<String> = content.iter().map(|&t| terms.show(t)).collect();
        let name = if name.is_empty() { "stone".to_string() } else { name.join(" ") };
        number[n] = map.pieces.len() as u8;
        let glyph = glyph_for(&name, owner(n), &map.pieces);
        map.pieces.push(Piece::new(&name, glyph, owner(n)));
    }
    for &f in facts {
        let args = terms.args(network.facts[f as usize]);
        let column = map.columns.iter().position(|&t| t == args[map.coordinates.0]);
        let row = map.rows.iter().position(|&t| t == args[map.coordinates.1]);
        if let (Some(c), Some(r)) = (column, row) {
            let square = (r * map.columns.len() + c) as u16;
            map.squares[f as usize] = Some((square, number[content_of[&f]]));
        }
    }
}

/// A character for a piece that no other piece has.
fn glyph_for(name: &str, side: Option<Side>, others: &[Piece]) -> char {
    let usual = match side {
        Some(Side::First) if others.iter().all(|p| p.side != side) => Some('x'),
        Some(Side::Second) if others.iter().all(|p| p.side != side) => Some('o'),
        _ => None,
    };
    let letters = name.chars().filter(|c| c.is_ascii_alphanumeric());
    let rest = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    usual.into_iter().chain(letters).chain(rest).find(|g| others.iter().all(|p| p.glyph != *g)).unwrap_or('?')
}

/// Whether moves name a column only and their piece comes to lie on the lowest free square of it.
fn falls(
    map: &BoardMap,
    terms: &Terms,
    grounded: &Grounded,
    steps: &[Step],
    (players, mover): Movers<'_>,
) -> bool {
    let mut seen = 0;
    for step in steps.iter().take(400) {
        let Some(side) = mover(step) else { continue };
        let args = terms.args(grounded.network.moves[step.joint[players[side]] as usize]);
        let named: Vec<usize> = args.iter().filter_map(|a| map.columns.iter().position(|c| c == a)).collect();
        let ([column], before, after) = (&named[..], map.contents(&step.before), map.contents(&step.after))
        else {
            return false;
        };
        let width = map.columns.len();
        let changed: Vec<usize> = (0..before.len()).filter(|&i| before[i] != after[i]).collect();
        let lowest = (0..map.rows.len()).map(|r| r * width + column).find(|&s| before[s] == 0);
        if changed.len() != 1 || lowest != Some(changed[0]) {
            return false;
        }
        seen += 1;
    }
    seen > 0
}

impl BoardMap {
    /// The piece on every square.
    pub fn contents(&self, bits: &[u64]) -> Vec<u8> {
        let mut out = vec![0; self.columns.len() * self.rows.len()];
        for (f, place) in self.squares.iter().enumerate() {
            if let Some((square, piece)) = place
                && holds(bits, f as u32)
            {
                out[usize::from(*square)] = *piece;
            }
        }
        out
    }

    fn square(&self, piece: u8) -> Square {
        Square { piece, count: u8::from(piece != 0), side: self.pieces[usize::from(piece)].side }
    }

    /// What stands on every square; looks at the facts that hold only.
    pub fn fill(&self, bits: &[u64], out: &mut Vec<Square>) {
        out.clear();
        out.resize(self.columns.len() * self.rows.len(), Square::EMPTY);
        for (word, &bits) in bits.iter().enumerate() {
            let mut left = bits;
            while left != 0 {
                let fact = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                if let Some(Some((square, piece))) = self.squares.get(fact) {
                    out[usize::from(*square)] = self.square(*piece);
                }
            }
        }
    }

    /// The 2-D view of a state.
    pub fn board(&self, bits: &[u64], terms: &Terms) -> Board {
        let mut squares = Vec::new();
        self.fill(bits, &mut squares);
        Board {
            layout: self.layout,
            width: self.columns.len() as u16,
            height: self.rows.len() as u16,
            squares,
            pieces: self.pieces.clone(),
            notes: Vec::new(),
            column_names: self.column_names(terms),
            row_names: self.rows.iter().map(|&t| terms.show(t)).collect(),
        }
    }

    /// As people write them: where the rules number columns and rows alike, the columns of a plain board get letters.
    fn column_names(&self, terms: &Terms) -> Vec<String> {
        let names = |list: &[TermId]| list.iter().map(|&term| terms.show(term)).collect::<Vec<_>>();
        let (columns, rows) = (names(&self.columns), names(&self.rows));
        let numbered = |list: &[String]| list.iter().all(|name| name.parse::<u32>().is_ok());
        let letters =
            self.layout == Layout::Grid && columns.len() <= 26 && numbered(&columns) && numbered(&rows);
        if letters {
            (b'a'..).take(columns.len()).map(|letter| char::from(letter).to_string()).collect()
        } else {
            columns
        }
    }

    /// A move as people write it, "b2–b3": the cells it names, where it names nothing else.
    pub fn written(&self, action: TermId, terms: &Terms) -> Option<String> {
        let cells = self.named_squares(action, terms);
        if cells.is_empty() || 2 * cells.len() != terms.args(action).len() {
            return None;
        }
        let columns = self.column_names(terms);
        let width = self.columns.len();
        let name = |cell: &u16| {
            let cell = usize::from(*cell);
            format!("{}{}", columns[cell % width], terms.show(self.rows[cell / width]))
        };
        Some(cells.iter().map(name).collect::<Vec<_>>().join("–"))
    }

    /// The squares that a move's arguments name: pairs of a column and a row.
    pub fn named_squares(&self, action: TermId, terms: &Terms) -> Vec<u16> {
        let args = terms.args(action);
        let place = |list: &[TermId], t: TermId| list.iter().position(|&x| x == t);
        let mut out = Vec::new();
        let mut i = 0;
        while i + 1 < args.len() {
            match (place(&self.columns, args[i]), place(&self.rows, args[i + 1])) {
                (Some(c), Some(r)) => {
                    out.push((r * self.columns.len() + c) as u16);
                    i += 2;
                }
                _ => i += 1,
            }
        }
        out
    }
}

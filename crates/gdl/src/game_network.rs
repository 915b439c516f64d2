//! From ground rules to the network of a game, with its parts for legal, next, goal and terminal.

use crate::error::GdlError;
use crate::ground::{Ground, Instance};
use crate::network::{Builder, FALSE, Gates, Wire, wire};
use crate::scc;
use crate::terms::{TermId, Terms, sym};
use rustc_hash::{FxHashMap, FxHashSet};

/// The network of a game and what its outputs mean.
#[derive(Clone, Debug)]
pub struct GameNetwork {
    /// The gates that compute everything.
    pub gates: Gates,
    /// In the order of joint moves.
    pub roles: Vec<TermId>,
    /// Facts in the order of their bits.
    pub facts: Vec<TermId>,
    /// The first state, by fact number.
    pub init: Vec<u32>,
    /// Moves of all roles, role by role: the number of a move is its place here.
    pub moves: Vec<TermId>,
    /// `moves[first_move[r]..first_move[r + 1]]` are the moves of role r.
    pub first_move: Vec<u32>,
    /// Whether the state is an end.
    pub terminal: Wire,
    /// For each move.
    pub legal: Vec<Wire>,
    /// For each fact.
    pub next: Vec<Wire>,
    /// For each role, its goal values.
    pub goals: Vec<Vec<(u8, Wire)>>,
}

impl GameNetwork {
    /// The first state as bits.
    pub fn initial_bits(&self) -> Box<[u64]> {
        let mut bits = vec![0; self.facts.len().div_ceil(64)];
        for &i in &self.init {
            bits[i as usize / 64] |= 1 << (i % 64);
        }
        bits.into()
    }

    /// The number of a role's move, by its term.
    pub fn find_move(&self, role: usize, action: TermId) -> Option<u32> {
        let (from, to) = (self.first_move[role], self.first_move[role + 1]);
        let place = self.moves[from as usize..to as usize].binary_search(&action).ok()?;
        Some(from + place as u32)
    }
}

/// Numbers of the ground atoms that rules derive.
struct Atoms {
    number: FxHashMap<TermId, u32>,
    atoms: Vec<TermId>,
}

/// Makes the network of a grounded game.
pub fn build(ground: &Ground, roles: &[TermId], terms: &Terms) -> Result<GameNetwork, GdlError> {
    let (moves, first_move) = order_moves(ground, roles, terms);
    let role_of_move =
        (0..roles.len()).flat_map(|r| (first_move[r]..first_move[r + 1]).map(move |_| r as u32));
    let mut facts = ground.facts.clone();
    facts.sort_unstable();
    let mut build = Build {
        builder: Builder::new(facts.len() as u32, role_of_move.collect()),
        wires: FxHashMap::default(),
    };
    for (i, &f) in facts.iter().enumerate() {
        if let Some(atom) = terms.find(sym::TRUE, &[f]) {
            build.wires.insert(atom, wire(1 + i as u32));
        }
    }
    for (r, &role) in roles.iter().enumerate() {
        for m in first_move[r]..first_move[r + 1] {
            if let Some(atom) = terms.find(sym::DOES, &[role, moves[m as usize]]) {
                build.wires.insert(atom, wire(1 + facts.len() as u32 + m));
            }
        }
    }
    build.derive_all(ground, terms)?;
    let output = |functor, args: &[TermId]| {
        terms.find(functor, args).and_then(|t| build.wires.get(&t).copied()).unwrap_or(FALSE)
    };
    let legal = (0..roles.len())
        .flat_map(|r| (first_move[r]..first_move[r + 1]).map(move |m| (r, m)))
        .map(|(r, m)| output(sym::LEGAL, &[roles[r], moves[m as usize]]))
        .collect();
    let next = facts.iter().map(|&f| output(sym::NEXT, &[f])).collect();
    let terminal = output(sym::TERMINAL, &[]);
    let goals = roles.iter().map(|&r| goals_of(r, ground, terms, &build.wires)).collect();
    let init = ground.init.iter().filter_map(|f| facts.binary_search(f).ok()).map(|i| i as u32);
    Ok(GameNetwork {
        roles: roles.to_vec(),
        init: init.collect(),
        facts,
        moves,
        first_move,
        terminal,
        legal,
        next,
        goals,
        gates: build.builder.finish(),
    })
}

fn order_moves(ground: &Ground, roles: &[TermId], terms: &Terms) -> (Vec<TermId>, Vec<u32>) {
    let mut lists = vec![Vec::new(); roles.len()];
    for &d in &ground.does {
        let args = terms.args(d);
        if let Some(r) = roles.iter().position(|&r| r == args[0]) {
            lists[r].push(args[1]);
        }
    }
    let mut moves = Vec::new();
    let mut first_move = vec![0];
    for mut list in lists {
        list.sort_unstable();
        moves.append(&mut list);
        first_move.push(moves.len() as u32);
    }
    (moves, first_move)
}

/// Goal values 0 to 100; others cannot be counted and are left out.
fn goals_of(
    role: TermId,
    ground: &Ground,
    terms: &Terms,
    wires: &FxHashMap<TermId, Wire>,
) -> Vec<(u8, Wire)> {
    let mut goals: Vec<(u8, Wire)> = Vec::new();
    let mut seen = FxHashSet::default();
    for i in 0..ground.instances.len() {
        let head = ground.instances.get(i).head;
        let args = terms.args(head);
        if terms.functor(head) == sym::GOAL
            && args.len() == 2
            && args[0] == role
            && let Ok(value) = terms.name(terms.functor(args[1])).parse::<u8>()
            && value <= 100
            && seen.insert(head)
        {
            goals.push((value, wires.get(&head).copied().unwrap_or(FALSE)));
        }
    }
    goals.sort_unstable();
    goals
}

struct Build {
    builder: Builder,
    wires: FxHashMap<TermId, Wire>,
}

impl Build {
    /// Makes the wires of all derived atoms, in an order in which each needs only earlier ones.
    fn derive_all(&mut self, ground: &Ground, terms: &Terms) -> Result<(), GdlError> {
        let mut atoms = Atoms { number: FxHashMap::default(), atoms: Vec::new() };
        let mut rules: Vec<Vec<u32>> = Vec::new();
        for i in 0..ground.instances.len() {
            let head = ground.instances.get(i).head;
            let n = *atoms.number.entry(head).or_insert_with(|| {
                atoms.atoms.push(head);
                rules.push(Vec::new());
                atoms.atoms.len() as u32 - 1
            });
            rules[n as usize].push(i as u32);
        }
        let edges: Vec<Vec<u32>> = rules
            .iter()
            .map(|list| {
                let body = list.iter().flat_map(|&i| {
                    let inst = ground.instances.get(i as usize);
                    inst.pos.iter().chain(inst.neg)
                });
                let mut out: Vec<u32> = body.filter_map(|t| atoms.number.get(t).copied()).collect();
                out.sort_unstable();
                out.dedup();
                out
            })
            .collect();
        for group in scc::components(rules.len(), |i| &edges[i]) {
            match group[..] {
                [one] if edges[one as usize].binary_search(&one).is_err() => {
                    let w = self.definition(ground, &rules[one as usize]);
                    self.wires.insert(atoms.atoms[one as usize], w);
                }
                _ => self.recursive(ground, terms, &atoms, &rules, &group)?,
            }
        }
        Ok(())
    }

    fn definition(&mut self, ground: &Ground, rules: &[u32]) -> Wire {
        let cubes: Vec<Vec<Wire>> =
            rules.iter().filter_map(|&i| self.cube(ground.instances.get(i as usize))).collect();
        self.builder.or_of_ands(cubes)
    }

    /// The conditions of an instance as wires; none if it can never hold.
    fn cube(&self, instance: Instance) -> Option<Vec<Wire>> {
        let mut cube = Vec::with_capacity(instance.pos.len() + instance.neg.len());
        for t in instance.pos {
            match self.wires.get(t).copied().unwrap_or(FALSE) {
                FALSE => return None,
                w => cube.push(w),
            }
        }
        for t in instance.neg {
            // An atom that nothing derives is false, so its negation asks for nothing.
            match self.wires.get(t).copied().unwrap_or(FALSE) ^ 1 {
                FALSE => return None,
                w => cube.push(w),
            }
        }
        cube.retain(|&w| w != crate::network::TRUE);
        Some(cube)
    }

    fn recursive(
        &mut self,
        ground: &Ground,
        terms: &Terms,
        atoms: &Atoms,
        rules: &[Vec<u32>],
        group: &[u32],
    ) -> Result<(), GdlError> {
        let mut group = group.to_vec();
        group.sort_unstable();
        for &i in group.iter().flat_map(|&n| &rules[n as usize]) {
            let instance = ground.instances.get(i as usize);
            let inside = |t: &&TermId| atoms.number.get(*t).is_some_and(|n| group.binary_search(n).is_ok());
            if let Some(t) = instance.neg.iter().find(inside) {
                return Err(GdlError::Unstratified { atom: terms.show(*t) });
            }
        }
        let variables = self.builder.variables(group.len());
        for (v, &n) in variables.clone().zip(&group) {
            self.wires.insert(atoms.atoms[n as usize], wire(v));
        }
        let definitions = group.iter().map(|&n| self.definition(ground, &rules[n as usize])).collect();
        self.builder.close_loop(variables, definitions);
        Ok(())
    }
}

//! The incremental machine: one state, and after every change only the gates it touches.

use crate::agenda::Agenda;
use crate::lanes::{Word, read};
use crate::network::{Node, Wire, is_negated, node_of};
use crate::wiring::{NONE, Wiring};
use ludens_core::Rng;
use std::sync::Arc;

/// A set of facts, one bit each.
pub type Bits = Box<[u64]>;

/// A machine at one state.
#[derive(Clone, Debug)]
pub struct Machine {
    wiring: Arc<Wiring>,
    /// Values of facts, moves, variables and gates.
    value: Vec<bool>,
    /// For a gate, how many inputs are false.
    waiting_for: Vec<u32>,
    output: Vec<u64>,
    facts: Bits,
    moves: Vec<u32>,
    agenda: Agenda,
    scratch: Vec<Word<1>>,
}

impl Machine {
    /// A machine at the first state.
    pub fn new(wiring: Arc<Wiring>) -> Self {
        let network = &wiring.network;
        let gates = &network.gates;
        let words = wiring.outputs.first_word.last().copied().unwrap_or(0);
        let mut machine = Machine {
            value: vec![false; gates.len()],
            waiting_for: vec![0; gates.len()],
            output: vec![0; words],
            facts: vec![0; network.facts.len().div_ceil(64)].into(),
            moves: Vec::new(),
            agenda: Agenda::new(gates.len()),
            scratch: Vec::new(),
            wiring: Arc::clone(&wiring),
        };
        machine.settle_everything();
        let init = network.initial_bits();
        machine.set_state(&init);
        machine
    }

    /// Computes all values from the inputs, which are all false.
    fn settle_everything(&mut self) {
        let wiring = Arc::clone(&self.wiring);
        let gates = &wiring.network.gates;
        let mut node = gates.first_gate();
        while (node as usize) < gates.len() {
            match wiring.loop_of[node as usize] {
                NONE => {
                    self.waiting_for[node as usize] = self.count_false(node);
                    self.value[node as usize] = self.waiting_for[node as usize] == 0;
                    node += 1;
                }
                l => {
                    self.settle_loop(l as usize);
                    node = gates.loops[l as usize].gates.end;
                }
            }
        }
        // Bits follow the wire, not the node; from here on they flip when the node does.
        let network = &wiring.network;
        let first = &wiring.outputs.first_word;
        for (role, range) in network.first_move.windows(2).enumerate() {
            for m in range[0]..range[1] {
                let w = network.legal[m as usize];
                let (bit, value) = (first[role] as u32 * 64 + m - range[0], self.wire(w));
                set_bit(&mut self.output, bit, value);
            }
        }
        for (i, &w) in network.next.iter().enumerate() {
            let (bit, value) = (first[network.roles.len()] as u32 * 64 + i as u32, self.wire(w));
            set_bit(&mut self.output, bit, value);
        }
    }

    fn wire(&self, w: Wire) -> bool {
        self.value[node_of(w) as usize] != is_negated(w)
    }

    fn count_false(&self, gate: Node) -> u32 {
        let inputs = self.wiring.network.gates.inputs(gate);
        inputs.iter().filter(|&&w| !self.wire(w)).count() as u32
    }

    /// Fixpoint of a loop from all variables false.
    fn settle_loop(&mut self, l: usize) {
        let wiring = Arc::clone(&self.wiring);
        let lp = &wiring.network.gates.loops[l];
        lp.variables.clone().for_each(|v| self.value[v as usize] = false);
        loop {
            for g in lp.gates.clone() {
                self.waiting_for[g as usize] = self.count_false(g);
                self.value[g as usize] = self.waiting_for[g as usize] == 0;
            }
            let mut changed = false;
            for (v, &w) in lp.variables.clone().zip(&lp.definitions) {
                let new = self.wire(w);
                changed |= new != self.value[v as usize];
                self.value[v as usize] = new;
            }
            if !changed {
                return;
            }
        }
    }

    /// Flips a node whose value changed and tells its listeners.
    fn flip(&mut self, n: Node) {
        self.value[n as usize] = !self.value[n as usize];
        self.tell(n, NONE);
    }

    /// Tells the listeners of a node outside the given loop that its value has changed.
    fn tell(&mut self, n: Node, inside: u32) {
        let now = self.value[n as usize];
        let wiring = &self.wiring;
        for &bit in wiring.output_bits(n) {
            self.output[bit as usize / 64] ^= 1 << (bit % 64);
        }
        for &listener in wiring.listeners(n) {
            let gate = listener >> 1;
            let l = wiring.loop_of[gate as usize];
            if l != NONE {
                if l != inside {
                    self.agenda.add(wiring.network.gates.loops[l as usize].variables.start);
                }
                continue;
            }
            let count = &mut self.waiting_for[gate as usize];
            if now != (listener & 1 == 1) {
                *count -= 1;
                if *count == 0 {
                    self.agenda.add(gate);
                }
            } else {
                *count += 1;
                if *count == 1 {
                    self.agenda.add(gate);
                }
            }
        }
    }

    /// Lets all changes run their course, each gate after its inputs.
    fn propagate(&mut self) {
        while let Some(n) = self.agenda.take_first() {
            match self.wiring.loop_of[n as usize] {
                NONE => {
                    if self.value[n as usize] != (self.waiting_for[n as usize] == 0) {
                        self.flip(n);
                    }
                }
                l => self.redo_loop(l),
            }
        }
    }

    fn redo_loop(&mut self, l: u32) {
        let lp = &self.wiring.network.gates.loops[l as usize];
        let range = lp.variables.start..lp.gates.end;
        let before = self.value[range.start as usize..range.end as usize].to_vec();
        self.settle_loop(l as usize);
        for (n, old) in range.zip(before) {
            if self.value[n as usize] != old {
                self.tell(n, l);
            }
        }
    }

    /// Goes to any state.
    pub fn set_state(&mut self, facts: &[u64]) {
        for (w, &new) in facts.iter().enumerate().take(self.facts.len()) {
            let mut diff = self.facts[w] ^ new;
            self.facts[w] = new;
            while diff != 0 {
                let i = w as u32 * 64 + diff.trailing_zeros();
                diff &= diff - 1;
                if (i as usize) < self.wiring.network.facts.len() {
                    self.flip(1 + i);
                }
            }
        }
        self.propagate();
    }

    /// The facts that hold.
    pub fn state(&self) -> &[u64] {
        &self.facts
    }

    /// Whether the state is an end.
    pub fn is_terminal(&self) -> bool {
        self.wire(self.wiring.network.terminal)
    }

    fn legal_words(&self, role: usize) -> &[u64] {
        let first = &self.wiring.outputs.first_word;
        &self.output[first[role]..first[role + 1]]
    }

    /// Replaces `out` by the numbers of a role's legal moves, in order.
    pub fn legal(&self, role: usize, out: &mut Vec<u32>) {
        out.clear();
        let first = self.wiring.network.first_move[role];
        for (w, &word) in self.legal_words(role).iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                out.push(first + w as u32 * 64 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }

    /// How many legal moves a role has.
    pub fn legal_count(&self, role: usize) -> u32 {
        self.legal_words(role).iter().map(|w| w.count_ones()).sum()
    }

    /// Whether a move, by its number, is a legal one of this role.
    pub fn is_legal(&self, role: usize, action: u32) -> bool {
        let range = &self.wiring.network.first_move[role..role + 2];
        if action < range[0] || action >= range[1] {
            return false;
        }
        let bit = action - range[0];
        self.legal_words(role)[bit as usize / 64] >> (bit % 64) & 1 == 1
    }

    /// A uniformly random legal move of a role, if it has any.
    pub fn random_move(&self, role: usize, rng: &mut Rng) -> Option<u32> {
        let count = self.legal_count(role);
        let mut rank = match count {
            0 => return None,
            1 => 0,
            n => rng.below(n),
        };
        for (w, &word) in self.legal_words(role).iter().enumerate() {
            let here = word.count_ones();
            if rank >= here {
                rank -= here;
                continue;
            }
            let mut bits = word;
            (0..rank).for_each(|_| bits &= bits - 1);
            return Some(self.wiring.network.first_move[role] + w as u32 * 64 + bits.trailing_zeros());
        }
        None
    }

    /// Computes the state after a joint move (one legal move number a role) into `out`.
    pub fn next_state(&mut self, joint: &[u32], out: &mut Bits) {
        self.set_moves(joint);
        let first = self.wiring.outputs.first_word[self.wiring.network.roles.len()];
        out.copy_from_slice(&self.output[first..]);
    }

    /// Plays a joint move.
    pub fn advance(&mut self, joint: &[u32]) {
        self.set_moves(joint);
        let first = self.wiring.outputs.first_word[self.wiring.network.roles.len()];
        for w in 0..self.facts.len() {
            let new = self.output[first + w];
            let mut diff = self.facts[w] ^ new;
            // Outputs change as facts do, so the flips wait until all words are read.
            self.facts[w] = new;
            while diff != 0 {
                let i = w as u32 * 64 + diff.trailing_zeros();
                diff &= diff - 1;
                self.agenda.pending.push(1 + i);
            }
        }
        while let Some(n) = self.agenda.pending.pop() {
            self.flip(n);
        }
        self.propagate();
    }

    fn set_moves(&mut self, joint: &[u32]) {
        let first = self.wiring.network.gates.action(0);
        if self.moves == joint {
            return;
        }
        for i in 0..self.moves.len() {
            if !joint.contains(&self.moves[i]) {
                self.flip(first + self.moves[i]);
            }
        }
        for &m in joint {
            if !self.moves.contains(&m) {
                self.flip(first + m);
            }
        }
        self.moves.clear();
        self.moves.extend_from_slice(joint);
        self.propagate();
    }

    /// The goal value of a role, if exactly one holds.
    pub fn goal(&mut self, role: usize) -> Option<u8> {
        self.settle_goals();
        let network = &self.wiring.network;
        let mut holding = network.goals[role].iter().filter(|g| read(&self.scratch, g.1)[0] & 1 == 1);
        match (holding.next(), holding.next()) {
            (Some(g), None) => Some(g.0),
            _ => None,
        }
    }

    /// The goal values of all roles.
    pub fn goals(&mut self) -> Vec<Option<u8>> {
        (0..self.wiring.network.roles.len()).map(|r| self.goal(r)).collect()
    }

    fn settle_goals(&mut self) {
        let gates = &self.wiring.network.gates;
        self.scratch.resize(gates.len(), [0]);
        for i in 0..gates.facts {
            self.scratch[1 + i as usize] = [u64::from(self.value[1 + i as usize])];
        }
        self.wiring.goals.run(&mut self.scratch);
    }
}

fn set_bit(words: &mut [u64], bit: u32, value: bool) {
    let (w, b) = (bit as usize / 64, bit % 64);
    words[w] = words[w] & !(1 << b) | u64::from(value) << b;
}

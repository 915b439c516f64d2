//! The bit-parallel machine: one bit a playout, 64 to a word, `L` words to a lane group, so that one
//! instruction of the processor works on hundreds of playouts at once.

// Loops over the words of a lane group are written by index: the compiler makes vector code of them.
#![allow(clippy::needless_range_loop)]

use crate::game_network::GameNetwork;
use crate::network::{Gates, Node, Wire, is_negated, node_of};

/// The same bit of `64 * L` playouts.
pub type Word<const L: usize> = [u64; L];

pub(crate) fn any<const L: usize>(w: &Word<L>) -> bool {
    w.iter().fold(0, |a, b| a | b) != 0
}

/// One two-input AND; wires carry their negation in the lowest bit. Where `b` is [`WIDE`], it is an AND of
/// many: `a` is the place of their number and the wires among the wide inputs.
#[derive(Clone, Copy, Debug)]
struct Op {
    to: u32,
    a: Wire,
    b: Wire,
}

const WIDE: Wire = Wire::MAX;
/// From so many inputs on, keeping the result in a register pays for the loop.
const WIDE_FROM: usize = 5;

/// Operations in order, and the inputs of the wide ones.
#[derive(Clone, Debug, Default)]
struct Code {
    ops: Vec<Op>,
    wide: Vec<Wire>,
}

#[derive(Clone, Debug)]
enum Block {
    Straight(Code),
    Loop { code: Code, variables: Vec<(Node, Wire)> },
}

/// A part of the network as straight code.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    blocks: Vec<Block>,
}

impl Segment {
    /// Two-input operations, those of loops counted once.
    pub fn ops(&self) -> usize {
        let size = |b: &Block| match b {
            Block::Straight(code) | Block::Loop { code, .. } => code.size(),
        };
        self.blocks.iter().map(size).sum()
    }

    /// Computes this part in place.
    pub fn run<const L: usize>(&self, values: &mut [Word<L>]) {
        for block in &self.blocks {
            match block {
                Block::Straight(code) => code.run(values),
                Block::Loop { code, variables } => {
                    for (v, _) in variables {
                        values[*v as usize] = [0; L];
                    }
                    loop {
                        code.run(values);
                        let mut changed = [0; L];
                        for &(v, definition) in variables {
                            let new = read(values, definition);
                            let old = &mut values[v as usize];
                            for i in 0..L {
                                changed[i] |= new[i] ^ old[i];
                            }
                            *old = new;
                        }
                        if !any(&changed) {
                            break;
                        }
                    }
                }
            }
        }
    }
}

impl Code {
    /// Two-input operations.
    fn size(&self) -> usize {
        let wide = self.ops.iter().filter(|op| op.b == WIDE).map(|op| self.wide[op.a as usize] as usize - 2);
        self.ops.len() + wide.sum::<usize>()
    }

    fn run<const L: usize>(&self, values: &mut [Word<L>]) {
        for op in &self.ops {
            if op.b == WIDE {
                let start = op.a as usize + 1;
                let inputs = &self.wide[start..start + self.wide[op.a as usize] as usize];
                let mut all = [!0; L];
                for &w in inputs {
                    let value = read(values, w);
                    for i in 0..L {
                        all[i] &= value[i];
                    }
                }
                values[op.to as usize] = all;
                continue;
            }
            let a = read(values, op.a);
            let b = read(values, op.b);
            let to = &mut values[op.to as usize];
            for i in 0..L {
                to[i] = a[i] & b[i];
            }
        }
    }

    fn push(&mut self, node: Node, inputs: &[Wire]) {
        let [a, b, rest @ ..] = inputs else { return };
        if inputs.len() >= WIDE_FROM {
            self.ops.push(Op { to: node, a: self.wide.len() as u32, b: WIDE });
            self.wide.push(inputs.len() as u32);
            self.wide.extend_from_slice(inputs);
            return;
        }
        self.ops.push(Op { to: node, a: *a, b: *b });
        self.ops.extend(rest.iter().map(|&c| Op { to: node, a: crate::network::wire(node), b: c }));
    }
}

/// The value of a wire.
#[inline(always)]
pub(crate) fn read<const L: usize>(values: &[Word<L>], w: Wire) -> Word<L> {
    let mut value = values[node_of(w) as usize];
    let mask = 0u64.wrapping_sub(u64::from(is_negated(w)));
    value.iter_mut().for_each(|v| *v ^= mask);
    value
}

/// The network as code, split into the parts a playout needs one after the other.
#[derive(Clone, Debug)]
pub struct LaneCode {
    /// How many words the values take.
    pub slots: usize,
    /// Comes first: which lanes are at an end.
    pub terminal: Segment,
    /// Needs `terminal`.
    pub goals: Segment,
    /// Needs `terminal`.
    pub legal: Segment,
    /// Needs `terminal`, `legal` and the moves.
    pub next: Segment,
}

impl LaneCode {
    /// Compiles a network.
    pub fn new(network: &GameNetwork) -> Self {
        let gates = &network.gates;
        let mut compiler = Compiler { gates, done: vec![false; gates.len()] };
        for n in 0..gates.first_gate() {
            compiler.done[n as usize] = true;
        }
        let terminal = compiler.segment(&[network.terminal]);
        let after_terminal = compiler.done.clone();
        let goals: Vec<Wire> = network.goals.iter().flatten().map(|g| g.1).collect();
        let goals = compiler.segment(&goals);
        compiler.done = after_terminal;
        let legal = compiler.segment(&network.legal);
        let next = compiler.segment(&network.next);
        LaneCode { slots: gates.len(), terminal, goals, legal, next }
    }

    /// Operations for one step of a playout that goes on.
    pub fn ops_per_step(&self) -> usize {
        self.terminal.ops() + self.legal.ops() + self.next.ops()
    }
}

/// Which nodes the outputs depend on.
pub(crate) fn cone_of(gates: &Gates, outputs: &[Wire]) -> Vec<bool> {
    Compiler { gates, done: vec![false; gates.len()] }.cone(outputs)
}

/// Code for the goals from the facts alone.
pub(crate) fn goal_segment(network: &GameNetwork) -> Segment {
    let gates = &network.gates;
    let mut done = vec![false; gates.len()];
    done[..gates.first_gate() as usize].fill(true);
    let goals: Vec<Wire> = network.goals.iter().flatten().map(|g| g.1).collect();
    Compiler { gates, done }.segment(&goals)
}

struct Compiler<'a> {
    gates: &'a Gates,
    done: Vec<bool>,
}

impl Compiler<'_> {
    /// Code for everything the outputs need that was not computed before.
    fn segment(&mut self, outputs: &[Wire]) -> Segment {
        let needed = self.cone(outputs);
        let mut segment = Segment::default();
        let mut straight = Code::default();
        let mut loops = self.gates.loops.iter().peekable();
        let mut node = self.gates.first_gate();
        while (node as usize) < self.gates.len() {
            match loops.next_if(|l| l.variables.start == node) {
                Some(l) => {
                    let end = l.gates.end;
                    if needed[node as usize] {
                        segment.blocks.push(Block::Straight(std::mem::take(&mut straight)));
                        let mut code = Code::default();
                        (l.gates.start..end)
                            .filter(|&n| needed[n as usize])
                            .for_each(|n| code.push(n, self.gates.inputs(n)));
                        let variables = l.variables.clone().zip(l.definitions.iter().copied()).collect();
                        segment.blocks.push(Block::Loop { code, variables });
                    } else {
                        (l.gates.start..end)
                            .filter(|&n| needed[n as usize])
                            .for_each(|n| straight.push(n, self.gates.inputs(n)));
                    }
                    node = end;
                }
                None => {
                    if needed[node as usize] {
                        straight.push(node, self.gates.inputs(node));
                    }
                    node += 1;
                }
            }
        }
        segment.blocks.push(Block::Straight(straight));
        for (done, needed) in self.done.iter_mut().zip(needed) {
            *done |= needed;
        }
        segment
    }

    /// The nodes that outputs depend on and that are not done; a loop is needed as a whole.
    fn cone(&self, outputs: &[Wire]) -> Vec<bool> {
        let mut needed = vec![false; self.gates.len()];
        let mut todo: Vec<Node> = outputs.iter().map(|&w| node_of(w)).collect();
        while let Some(n) = todo.pop() {
            if self.done[n as usize] || std::mem::replace(&mut needed[n as usize], true) {
                continue;
            }
            todo.extend(self.gates.inputs(n).iter().map(|&w| node_of(w)));
            let at = self.gates.loops.partition_point(|l| l.variables.end <= n);
            if let Some(l) = self.gates.loops.get(at).filter(|l| l.variables.contains(&n)) {
                todo.extend(l.variables.clone());
                todo.extend(l.definitions.iter().map(|&w| node_of(w)));
            }
        }
        needed
    }
}

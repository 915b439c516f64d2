//! A game made of nothing but random numbers, to test searches on: every draw of the seed is another tree.

use ludens_core::{Board, Game, Layout, Move, PositionError, Score, Side, Turn};

/// A test double with chance nodes, draws, graded scores, sides that move twice, and transpositions (the
/// positions of a ply are few, so many lines meet).
#[derive(Clone, Copy, Debug)]
pub struct RandomTree {
    /// Which tree.
    pub seed: u64,
    /// No game is longer.
    pub plies: u32,
    /// Up to this many moves.
    pub branching: u32,
    /// Positions a ply.
    pub width: u32,
    /// The share, in 256, of chance nodes.
    pub chance: u8,
    /// The share, in 256, of positions where the same side moves again.
    pub again: u8,
    /// The share, in 256, of early ends.
    pub ends: u8,
}

/// A position: where it lies in the tree, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// The moves played so far.
    pub ply: u32,
    /// Its place among the positions of the ply.
    pub place: u32,
    /// Who moves here, where it is no chance node.
    pub side: Side,
}

/// The finaliser of MurmurHash3: every bit of the input reaches every bit of the output.
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ (x >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

impl RandomTree {
    /// A number that belongs to a node and a purpose.
    pub fn draw(&self, node: &Node, purpose: u64) -> u64 {
        let place = u64::from(node.ply) << 40 | u64::from(node.place) << 8 | node.side.index() as u64;
        mix(self.seed ^ mix(place ^ purpose << 56))
    }

    fn byte(&self, node: &Node, purpose: u64) -> u8 {
        (self.draw(node, purpose) >> 20) as u8
    }

    fn score(&self, node: &Node) -> Score {
        Score([-1.0, -0.5, 0.0, 0.0, 0.5, 1.0][(self.draw(node, 1) % 6) as usize])
    }
}

impl Game for RandomTree {
    type State = Node;

    fn id(&self) -> String {
        "random-tree".into()
    }

    fn start(&self) -> Node {
        Node { ply: 0, place: 0, side: Side::First }
    }

    fn turn(&self, node: &Node) -> Turn {
        if node.ply >= self.plies || (node.ply > 0 && self.byte(node, 2) < self.ends) {
            Turn::Over(self.score(node))
        } else if node.ply > 0 && self.byte(node, 3) < self.chance {
            Turn::Chance
        } else {
            Turn::Player(node.side)
        }
    }

    fn moves(&self, node: &Node, out: &mut Vec<Move>) {
        out.clear();
        if let Turn::Player(_) = self.turn(node) {
            out.extend((0..1 + (self.draw(node, 4) % u64::from(self.branching)) as u32).map(Move));
        }
    }

    fn apply(&self, node: &mut Node, mv: Move) {
        let drawn = self.draw(node, 16 + u64::from(mv.0));
        let again = self.byte(node, 5) < self.again;
        node.ply += 1;
        node.place = (drawn % u64::from(self.width)) as u32;
        node.side = if again { node.side } else { node.side.other() };
    }

    fn chance(&self, node: &Node, out: &mut Vec<(Move, f32)>) {
        out.clear();
        if self.turn(node) == Turn::Chance {
            out.extend([(Move(0), 0.5), (Move(1), 0.125), (Move(2), 0.375)]);
        }
    }

    fn label(&self, _: &Node, mv: Move) -> String {
        mv.0.to_string()
    }

    fn board(&self, _: &Node) -> Board {
        Board::grid(Layout::Grid, 1, 1, [("first", '1'), ("second", '2')])
    }

    fn cells(&self, _: &Node, _: Move) -> Vec<u16> {
        vec![0]
    }

    fn text(&self, node: &Node) -> String {
        format!("{} {} {}", node.ply, node.place, node.side)
    }

    fn parse(&self, text: &str) -> Result<Node, PositionError> {
        let parts: Vec<&str> = text.split(' ').collect();
        let read = || {
            let [ply, place, side] = parts.as_slice() else { return None };
            let side = if *side == "first" { Side::First } else { Side::Second };
            Some(Node { ply: ply.parse().ok()?, place: place.parse().ok()?, side })
        };
        read().ok_or_else(|| PositionError {
            game: self.id(),
            text: text.into(),
            problem: "it has not three parts".into(),
            format: "ply, place, side".into(),
        })
    }

    fn max_plies(&self) -> Option<u32> {
        Some(self.plies)
    }
}

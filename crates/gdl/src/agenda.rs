//! The gates that the incremental machine still has to look at.

use crate::network::Node;

/// Nodes to look at, smallest first: a bitmap with a summary of its words.
#[derive(Clone, Debug)]
pub(crate) struct Agenda {
    words: Vec<u64>,
    summary: Vec<u64>,
    from: usize,
    /// Facts that are to change, once all of them are known.
    pub(crate) pending: Vec<Node>,
}

impl Agenda {
    pub(crate) fn new(nodes: usize) -> Self {
        let words = nodes.div_ceil(64);
        Agenda {
            words: vec![0; words],
            summary: vec![0; words.div_ceil(64)],
            from: usize::MAX,
            pending: vec![],
        }
    }

    pub(crate) fn add(&mut self, n: Node) {
        let w = n as usize / 64;
        self.words[w] |= 1 << (n % 64);
        self.summary[w / 64] |= 1 << (w % 64);
        self.from = self.from.min(w / 64);
    }

    pub(crate) fn take_first(&mut self) -> Option<Node> {
        while self.from < self.summary.len() {
            let s = self.summary[self.from];
            if s == 0 {
                self.from += 1;
                continue;
            }
            let w = self.from * 64 + s.trailing_zeros() as usize;
            let bit = self.words[w].trailing_zeros();
            self.words[w] &= self.words[w] - 1;
            if self.words[w] == 0 {
                self.summary[self.from] &= s - 1;
            }
            return Some(w as Node * 64 + bit);
        }
        self.from = usize::MAX;
        None
    }
}

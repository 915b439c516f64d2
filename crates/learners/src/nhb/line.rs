//! The line behind the value of a move at the root.

use ludens_core::{Game, Move};

use super::tree::Tree;

impl<G: Game> Tree<G> {
    /// Notes the line of a child of the root whose search has just come to its end. A search that runs out of its budget leaves moves in the
    /// tree that belong to no value any more.
    pub(super) fn keep_line(&mut self, child: usize) {
        if self.lines.is_none() {
            return;
        }
        let mut line = vec![self.nodes[child].mv];
        let mut at = child;
        while let Some(next) = self.nodes[at].best.and_then(|mv| self.child_by(at, mv)) {
            line.push(self.nodes[next].mv);
            at = next;
        }
        let lines = self.lines.get_or_insert_default();
        lines.retain(|known| known[0] != line[0]);
        lines.push(line);
    }

    /// The best play of both sides below a child of the root, the move itself first, and the node it ends at; it ends at a chance node.
    pub fn line(&self, child: usize) -> (Vec<Move>, usize) {
        let first = self.nodes[child].mv;
        let kept = self.lines.iter().flatten().find(|line| line[0] == first);
        let (mut line, mut at) = (vec![first], child);
        for &mv in kept.iter().flat_map(|line| &line[1..]) {
            let Some(next) = self.child_by(at, mv) else { break };
            line.push(mv);
            at = next;
        }
        (line, at)
    }

    fn child_by(&self, node: usize, mv: Move) -> Option<usize> {
        self.children(node).find(|&child| self.nodes[child].mv == mv)
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::{Budget, Meter, Rng};
    use ludens_games::connect_four::ConnectFour;

    use super::*;
    use crate::nhb::judge::Judge;

    /// Wherever the budget ends, the value of the chosen move is that of the position at the end of its line.
    #[test]
    fn the_value_is_that_of_the_end_of_the_line() {
        let mut judge = Judge::untrained(42, 16, &mut Rng::new(3));
        let mut tree = Tree::default();
        tree.lines = Some(Vec::new());
        for text in ["", "44", "4532164", "121212", "4444432", "33334"] {
            let state = ConnectFour.parse(text).unwrap();
            for budget in (20..900).step_by(7) {
                let mut meter = Meter::new(Budget::States(budget));
                let found = tree.search(&ConnectFour, &state, &mut judge, &mut meter);
                let chosen = tree.child_by(0, found.mv).unwrap();
                let last = &tree.nodes[tree.line(chosen).1];
                let value = if last.over { last.value } else { last.judged };
                let seen = if last.view == tree.nodes[0].view { value } else { -value };
                assert!((seen - found.value).abs() < 1e-6, "{text} {budget}: {seen} {}", found.value);
            }
        }
    }
}

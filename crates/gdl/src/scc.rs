//! Strongly connected components of a graph, each after all that it points to.

/// Components of the graph in which node i points to `edges(i)` (Tarjan's algorithm without recursion).
pub fn components<'a>(n: usize, edges: impl Fn(usize) -> &'a [u32]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut order = vec![NEW; n];
    let mut low = vec![0u32; n];
    let mut on_stack = vec![false; n];
    let mut stack: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut counter = 0;
    let mut out = Vec::new();
    for root in 0..n {
        if order[root] != NEW {
            continue;
        }
        path.push((root as u32, 0));
        while let Some(&mut (node, ref mut next)) = path.last_mut() {
            let v = node as usize;
            if *next == 0 {
                order[v] = counter;
                low[v] = counter;
                counter += 1;
                stack.push(node);
                on_stack[v] = true;
            }
            if let Some(&w) = edges(v).get(*next) {
                *next += 1;
                let w = w as usize;
                if order[w] == NEW {
                    path.push((w as u32, 0));
                } else if on_stack[w] {
                    low[v] = low[v].min(order[w]);
                }
                // `next` is 1 or more from here on, so a node is only entered once.
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[v]);
            }
            if low[v] == order[v] {
                let mut component = Vec::new();
                while let Some(w) = stack.pop() {
                    on_stack[w as usize] = false;
                    component.push(w);
                    if w == node {
                        break;
                    }
                }
                out.push(component);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_after_what_they_need() {
        // 0 -> 1 <-> 2 -> 3, 4 -> 4
        let edges: [&[u32]; 5] = [&[1], &[2], &[1, 3], &[], &[4]];
        let mut got = components(5, |i| edges[i]);
        got.iter_mut().for_each(|c| c.sort());
        assert_eq!(got, [vec![3], vec![1, 2], vec![0], vec![4]]);
    }
}

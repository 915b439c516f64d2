//! The detectors of the first layer, D1–D4: which of the 35 perceptrons looks at a context, and how it reads it.

use super::geometry::{Context, Kind, code};

/// A family of detectors (section IV.B.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Detectors {
    /// One for all contexts (F1).
    D1,
    /// By type: rows, columns, diagonals (F2).
    D2,
    /// By type and column, mirrored columns together (F2, F3).
    D3,
    /// By type and depth (F2, F4).
    D4,
}

impl Detectors {
    /// How many perceptrons the family has.
    pub const fn count(self) -> usize {
        match self {
            Detectors::D1 => 1,
            Detectors::D2 => 3,
            Detectors::D3 => 10,
            Detectors::D4 => 21,
        }
    }

    /// The perceptron of the family that looks at this context.
    pub fn index(self, context: &Context, depth: usize) -> usize {
        let kind = match context.kind {
            Kind::Row => 0,
            Kind::Column => 1,
            Kind::Rising | Kind::Falling => 2, // the two diagonals share
        };
        match self {
            Detectors::D1 => 0,
            Detectors::D2 => kind,
            Detectors::D3 => match context.kind {
                Kind::Row => mirror_class(context) - 1,
                Kind::Column => 2 + mirror_class(context) - 1,
                Kind::Rising | Kind::Falling => 6 + mirror_class(context) - 1,
            },
            Detectors::D4 => 7 * kind + depth,
        }
    }

    /// What it sees: the cells as one number. D3 reads the right-hand one of two mirrored rows from the right
    /// (`\` is read from the right anyway, and columns from below).
    pub fn reading(self, context: &Context, mut cells: [i8; 4]) -> usize {
        if self.mirrors(context) {
            cells.reverse();
        }
        code(cells)
    }

    /// Does it read this context from the other end?
    pub fn mirrors(self, context: &Context) -> bool {
        self == Detectors::D3 && context.kind == Kind::Row && context.left > 2
    }
}

/// The x of the class {x, 8 − x}: rows by the outer end, 1 or 2; columns and diagonals by c-location, 1–4.
fn mirror_class(context: &Context) -> usize {
    let x = context.c_location;
    match context.kind {
        Kind::Row => x.min(5 - x),
        _ => x.min(8 - x),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contexts::geometry::CONTEXTS;

    #[test]
    fn thirty_five_detectors_and_each_has_contexts() {
        let families = [Detectors::D1, Detectors::D2, Detectors::D3, Detectors::D4];
        assert_eq!(families.iter().map(|d| d.count()).sum::<usize>(), 35);
        for family in families {
            let mut used = vec![false; family.count()];
            for context in CONTEXTS.iter() {
                for depth in 0..=6 {
                    used[family.index(context, depth)] = true;
                }
            }
            assert!(used.iter().all(|&u| u), "{family:?}");
        }
    }

    /// K of figure 3 goes to the diagonal detector, to the class {3, 5} and to depth 3.
    #[test]
    fn the_worked_example() {
        let k = CONTEXTS.iter().find(|c| c.kind == Kind::Rising && c.left == 3).expect("it is there");
        assert_eq!(Detectors::D2.index(k, 3), 2);
        assert_eq!(Detectors::D3.index(k, 3), 6 + 2);
        assert_eq!(Detectors::D4.index(k, 3), 14 + 3);
        // Its mirror image is a `\` with c-location 5, in the same class and read the same way.
        let mirrored = CONTEXTS.iter().find(|c| c.kind == Kind::Falling && c.c_location == 5).expect("there");
        assert_eq!(Detectors::D3.index(mirrored, 3), 6 + 2);
        assert_eq!(Detectors::D3.reading(mirrored, [1, 0, 0, -1]), Detectors::D3.reading(k, [1, 0, 0, -1]));
    }
}

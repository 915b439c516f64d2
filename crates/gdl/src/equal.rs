//! `(not (distinct a b))` says that two terms are equal: the variables it ties together become one.

use crate::error::GdlError;
use crate::normal::Clause;
use crate::syntax::Pat;
use crate::terms::Terms;
use rustc_hash::FxHashMap;

/// What each variable that was tied to something stands for.
type Ties = FxHashMap<u32, Pat>;

/// Makes pairs of terms equal throughout a clause; none if they cannot be, so that the clause never holds.
pub fn make_equal(
    mut clause: Clause,
    pairs: &[(Pat, Pat)],
    terms: &mut Terms,
) -> Result<Option<Clause>, GdlError> {
    let mut ties = Ties::default();
    for (a, b) in pairs {
        let (a, b) = (replace(a, &ties, terms)?, replace(b, &ties, terms)?);
        if !tie(&a, &b, &mut ties, terms)? {
            return Ok(None);
        }
    }
    let mut change = |p: &mut Pat| -> Result<(), GdlError> {
        *p = replace(p, &ties, terms)?;
        Ok(())
    };
    change(&mut clause.head)?;
    clause.pos.iter_mut().chain(&mut clause.neg).try_for_each(&mut change)?;
    for (a, b) in &mut clause.distinct {
        change(a)?;
        change(b)?;
    }
    Ok(Some(clause))
}

/// Ties what must be tied for two terms to be equal.
fn tie(a: &Pat, b: &Pat, ties: &mut Ties, terms: &mut Terms) -> Result<bool, GdlError> {
    Ok(match (a, b) {
        _ if a == b => true,
        (Pat::Var(v), other) | (other, Pat::Var(v)) => {
            if other.vars().contains(v) {
                return Ok(false);
            }
            ties.insert(*v, other.clone());
            // Earlier ties speak of the new one, too.
            let old: Vec<u32> = ties.keys().copied().collect();
            for key in old {
                let new = replace(&ties[&key].clone(), ties, terms)?;
                ties.insert(key, new);
            }
            true
        }
        (Pat::Ground(_), Pat::Ground(_)) => false,
        _ => {
            let (Some(x), Some(y)) = (parts(a, terms), parts(b, terms)) else { return Ok(false) };
            if x.0 != y.0 || x.1.len() != y.1.len() {
                return Ok(false);
            }
            for (p, q) in x.1.iter().zip(&y.1) {
                let (p, q) = (replace(p, ties, terms)?, replace(q, ties, terms)?);
                if !tie(&p, &q, ties, terms)? {
                    return Ok(false);
                }
            }
            true
        }
    })
}

/// The function and its arguments.
fn parts(p: &Pat, terms: &Terms) -> Option<(u32, Vec<Pat>)> {
    match p {
        Pat::Var(_) => None,
        Pat::Ground(t) => Some((terms.functor(*t), terms.args(*t).iter().map(|&a| Pat::Ground(a)).collect())),
        Pat::Fn(f, args) => Some((*f, args.to_vec())),
    }
}

fn replace(p: &Pat, ties: &Ties, terms: &mut Terms) -> Result<Pat, GdlError> {
    Ok(match p {
        Pat::Var(v) => ties.get(v).cloned().unwrap_or(Pat::Var(*v)),
        Pat::Ground(t) => Pat::Ground(*t),
        Pat::Fn(f, args) => {
            let args = args.iter().map(|a| replace(a, ties, terms)).collect::<Result<Vec<_>, _>>()?;
            let ground: Option<Vec<u32>> =
                args.iter().map(|a| if let Pat::Ground(t) = a { Some(*t) } else { None }).collect();
            match ground {
                Some(ids) => Pat::Ground(terms.make(*f, &ids)?),
                None => Pat::Fn(*f, args.into()),
            }
        }
    })
}

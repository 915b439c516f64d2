//! Rules as their author wrote them: heads, bodies, variables.

use crate::error::{GdlError, Limits, Position};
use crate::sexpr::{Expr, read_all};
use crate::terms::{SymId, TermId, Terms, sym};
use std::collections::BTreeSet;

/// A term that may hold variables. A pattern without any is always `Ground`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pat {
    /// A variable of the rule, by its number.
    Var(u32),
    /// A term without variables.
    Ground(TermId),
    /// A symbol and its arguments, some of them with variables.
    Fn(SymId, Box<[Pat]>),
}

/// The variables of something.
pub type Vars = BTreeSet<u32>;

impl Pat {
    /// Adds its variables to a set.
    pub fn add_vars(&self, out: &mut Vars) {
        match self {
            Pat::Var(v) => {
                out.insert(*v);
            }
            Pat::Ground(_) => {}
            Pat::Fn(_, args) => args.iter().for_each(|a| a.add_vars(out)),
        }
    }

    /// Its variables.
    pub fn vars(&self) -> Vars {
        let mut out = Vars::new();
        self.add_vars(&mut out);
        out
    }

    /// Name and number of arguments of an atom. A bare variable is no atom.
    pub fn predicate(&self, terms: &Terms) -> Option<Predicate> {
        match self {
            Pat::Var(_) => None,
            Pat::Ground(t) => Some((terms.functor(*t), terms.args(*t).len() as u32)),
            Pat::Fn(f, args) => Some((*f, args.len() as u32)),
        }
    }

    /// As KIF, with these names for the variables.
    pub fn show(&self, terms: &Terms, names: &[String]) -> String {
        match self {
            Pat::Var(v) => names.get(*v as usize).cloned().unwrap_or(format!("?{v}")),
            Pat::Ground(t) => terms.show(*t),
            Pat::Fn(f, args) => {
                let args: Vec<_> = args.iter().map(|a| a.show(terms, names)).collect();
                format!("({} {})", terms.name(*f), args.join(" "))
            }
        }
    }
}

/// A relation: its name and its number of arguments.
pub type Predicate = (SymId, u32);

/// A condition in the body of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// This must hold.
    Atom(Pat),
    /// This must not hold.
    Not(Box<Condition>),
    /// One of these must hold.
    Or(Vec<Condition>),
    /// All of these must hold.
    And(Vec<Condition>),
    /// These two must not be equal.
    Distinct(Pat, Pat),
}

/// A fact (empty body) or a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Where it begins.
    pub at: Position,
    /// What follows.
    pub head: Pat,
    /// What must hold, all of it.
    pub body: Vec<Condition>,
    /// The names of its variables, by number.
    pub variables: Vec<String>,
}

/// A parsed text.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The symbols and ground terms they are made of.
    pub terms: Terms,
    /// Facts and rules in the order of the text.
    pub rules: Vec<Rule>,
    /// Roles in the order of the text: the order of joint moves.
    pub roles: Vec<TermId>,
}

const CONNECTIVES: [SymId; 3] = [sym::NOT, sym::OR, sym::DISTINCT];

impl Rules {
    /// Reads rules; what they mean is checked by [`crate::check`].
    pub fn parse(text: &str, limits: &Limits) -> Result<Rules, GdlError> {
        let exprs = read_all(text, limits)?;
        Rules::from_exprs(&exprs, limits)
    }

    /// Rules already split into expressions, as the GGP protocol sends them.
    pub fn from_exprs(exprs: &[Expr], limits: &Limits) -> Result<Rules, GdlError> {
        if exprs.len() > limits.rules {
            return Err(too_many_rules(limits));
        }
        let mut reader = Reader {
            terms: Terms::new(limits),
            limits: limits.clone(),
            conditions: 0,
            variables: Vec::new(),
            and_is_connective: !exprs.iter().any(head_is_and),
        };
        let rules = exprs.iter().map(|e| reader.rule(e)).collect::<Result<Vec<_>, _>>()?;
        let mut roles = Vec::new();
        for rule in rules.iter().filter(|r| r.body.is_empty()) {
            if let Pat::Ground(t) = rule.head
                && reader.terms.functor(t) == sym::ROLE
                && let [role] = *reader.terms.args(t)
                && !roles.contains(&role)
            {
                roles.push(role);
            }
        }
        Ok(Rules { terms: reader.terms, rules, roles })
    }
}

pub(crate) fn too_many_rules(limits: &Limits) -> GdlError {
    GdlError::TooLarge { what: "rules", limit: limits.rules as u64, knob: "rules" }
}

/// Some games have a relation called `and`; then it is no connective.
fn head_is_and(e: &Expr) -> bool {
    let Some(list) = e.list() else { return false };
    let head = match list {
        [first, head, ..] if first.word() == Some("<=") => head,
        _ => e,
    };
    head.list().and_then(|l| l.first()?.word()) == Some("and")
}

struct Reader {
    terms: Terms,
    limits: Limits,
    /// Of the rule that is being read.
    conditions: usize,
    variables: Vec<String>,
    and_is_connective: bool,
}

impl Reader {
    fn rule(&mut self, e: &Expr) -> Result<Rule, GdlError> {
        self.variables.clear();
        self.conditions = 0;
        let (head, body) = match e.list() {
            Some([first, rest @ ..]) if first.word() == Some("<=") => rest
                .split_first()
                .ok_or_else(|| GdlError::Rule { at: e.at, what: "this rule has no head".into() })?,
            _ => (e, &[][..]),
        };
        let head_pat = self.atom(head)?;
        let head_symbol = head_pat.predicate(&self.terms).map(|p| p.0);
        if head_symbol.is_some_and(|s| CONNECTIVES.contains(&s) || s == sym::TRUE || s == sym::DOES) {
            return Err(GdlError::Rule {
                at: head.at,
                what: format!("`{head}` cannot be the head of a rule"),
            });
        }
        let body = body.iter().map(|b| self.condition(b)).collect::<Result<_, _>>()?;
        Ok(Rule { at: e.at, head: head_pat, body, variables: std::mem::take(&mut self.variables) })
    }

    fn condition(&mut self, e: &Expr) -> Result<Condition, GdlError> {
        let wrong = |what: &str| GdlError::Rule { at: e.at, what: what.into() };
        self.conditions += 1;
        if self.conditions > self.limits.conditions {
            let limit = self.limits.conditions as u64;
            return Err(GdlError::TooLarge { what: "conditions in one rule", limit, knob: "conditions" });
        }
        let Some([first, rest @ ..]) = e.list() else {
            return self.atom(e).map(Condition::Atom);
        };
        match first.word().map(str::to_ascii_lowercase).as_deref() {
            Some("not") => match rest {
                [inner] => Ok(Condition::Not(Box::new(self.condition(inner)?))),
                _ => Err(wrong("`not` takes exactly one condition")),
            },
            Some("or") => Ok(Condition::Or(self.conditions(rest)?)),
            Some("and") if self.and_is_connective => Ok(Condition::And(self.conditions(rest)?)),
            Some("distinct") => match rest {
                [a, b] => Ok(Condition::Distinct(self.term(a)?, self.term(b)?)),
                _ => Err(wrong("`distinct` takes exactly two terms")),
            },
            _ => self.atom(e).map(Condition::Atom),
        }
    }

    fn conditions(&mut self, list: &[Expr]) -> Result<Vec<Condition>, GdlError> {
        list.iter().map(|e| self.condition(e)).collect()
    }

    fn atom(&mut self, e: &Expr) -> Result<Pat, GdlError> {
        let pat = self.term(e)?;
        match pat {
            Pat::Var(_) => Err(GdlError::Rule {
                at: e.at,
                what: format!("the variable `{e}` stands where a relation must stand"),
            }),
            _ => Ok(pat),
        }
    }

    fn term(&mut self, e: &Expr) -> Result<Pat, GdlError> {
        match e.list() {
            None => self.word(e),
            Some([]) => Err(GdlError::Rule { at: e.at, what: "these brackets are empty".into() }),
            Some([name, args @ ..]) => {
                let Some(word) = name.word().filter(|w| !w.starts_with('?')) else {
                    return Err(GdlError::Rule {
                        at: name.at,
                        what: format!("`{name}` cannot be a name of a relation or function"),
                    });
                };
                let functor = self.symbol(word);
                let args = args.iter().map(|a| self.term(a)).collect::<Result<Vec<_>, _>>()?;
                self.build(functor, args)
            }
        }
    }

    fn build(&mut self, functor: SymId, args: Vec<Pat>) -> Result<Pat, GdlError> {
        let ground: Option<Vec<TermId>> =
            args.iter().map(|a| if let Pat::Ground(t) = a { Some(*t) } else { None }).collect();
        match ground {
            Some(ids) => Ok(Pat::Ground(self.terms.make(functor, &ids)?)),
            None => Ok(Pat::Fn(functor, args.into())),
        }
    }

    fn word(&mut self, e: &Expr) -> Result<Pat, GdlError> {
        let word = e.word().unwrap_or_default();
        if word.starts_with('?') {
            let known = self.variables.iter().position(|v| v == word);
            if known.is_none() && self.variables.len() >= self.limits.variables {
                let limit = self.limits.variables as u64;
                return Err(GdlError::TooLarge { what: "variables in one rule", limit, knob: "variables" });
            }
            let number = known.unwrap_or_else(|| {
                self.variables.push(word.to_string());
                self.variables.len() - 1
            });
            return Ok(Pat::Var(number as u32));
        }
        let s = self.symbol(word);
        Ok(Pat::Ground(self.terms.make(s, &[])?))
    }

    /// Keywords are the same in capitals; other symbols are not.
    fn symbol(&mut self, word: &str) -> SymId {
        let lower = word.to_ascii_lowercase();
        match self.terms.find_symbol(&lower) {
            Some(id) if id < sym::AND => id,
            _ => self.terms.symbol(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_ignore_case_and_other_words_do_not() {
        let rules =
            Rules::parse("(ROLE x) (role X) (<= (NEXT (p ?a)) (TRUE (p ?a)))", &Limits::default()).unwrap();
        assert_eq!(rules.roles.len(), 2);
        assert_eq!(rules.rules[2].head.predicate(&rules.terms), Some((sym::NEXT, 1)));
    }

    #[test]
    fn wrong_rules_are_pointed_at() {
        for (text, place) in [
            ("(<=)", "line 1, column 1"),
            ("(<= (p ?x)\n (not a b))", "line 2, column 2"),
            ("(<= (true x) y)", "line 1, column 5"),
            ("(<= ?x (q ?x))", "line 1, column 5"),
            ("(p ())", "line 1, column 4"),
            ("(<= p (distinct a))", "line 1, column 7"),
        ] {
            let err = Rules::parse(text, &Limits::default()).unwrap_err().to_string();
            assert!(err.starts_with(place), "{text}: {err}");
        }
    }
}

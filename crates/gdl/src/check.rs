//! Checks rules before they are used: arities, safety, stratification, and that nothing is missing.

use crate::error::{GdlError, Position};
use crate::syntax::{Condition, Pat, Predicate, Rule, Rules, Vars};
use crate::terms::{SymId, Terms, sym};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The rules cannot be played.
    Error,
    /// They can, but they are probably not meant so.
    Warning,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Where; none when something is missing altogether.
    pub at: Option<Position>,
    /// What is wrong, in words.
    pub what: String,
}

/// All that is wrong.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// In the order they were found.
    pub findings: Vec<Finding>,
}

impl Report {
    /// The first error as an error.
    pub fn first_error(&self) -> Option<GdlError> {
        let finding = self.findings.iter().find(|f| f.severity == Severity::Error)?;
        Some(match finding.at {
            Some(at) => GdlError::Rule { at, what: finding.what.clone() },
            None => GdlError::Incomplete(finding.what.clone()),
        })
    }

    fn error(&mut self, at: impl Into<Option<Position>>, what: String) {
        self.findings.push(Finding { severity: Severity::Error, at: at.into(), what });
    }

    fn warn(&mut self, at: impl Into<Option<Position>>, what: String) {
        self.findings.push(Finding { severity: Severity::Warning, at: at.into(), what });
    }
}

/// Relations with a fixed meaning and their number of arguments.
const ARITIES: [(SymId, u32); 10] = [
    (sym::ROLE, 1),
    (sym::INIT, 1),
    (sym::TRUE, 1),
    (sym::DOES, 2),
    (sym::NEXT, 1),
    (sym::LEGAL, 2),
    (sym::GOAL, 2),
    (sym::TERMINAL, 0),
    (sym::BASE, 1),
    (sym::INPUT, 2),
];

/// Checks everything that can be seen without grounding.
pub fn check(rules: &Rules) -> Report {
    let mut report = Report::default();
    missing(rules, &mut report);
    let mut arities: FxHashMap<SymId, u32> = FxHashMap::default();
    for rule in &rules.rules {
        check_arities(rule, &rules.terms, &mut arities, &mut report);
        check_safety(rule, &mut report);
    }
    check_dependencies(rules, &mut report);
    check_undefined(rules, &mut report);
    report
}

fn missing(rules: &Rules, report: &mut Report) {
    if rules.roles.is_empty() {
        report.error(None, "there is no `(role …)` fact".into());
    }
    let heads: FxHashSet<SymId> =
        rules.rules.iter().filter_map(|r| r.head.predicate(&rules.terms)).map(|p| p.0).collect();
    for (s, needed) in [(sym::LEGAL, true), (sym::TERMINAL, true), (sym::GOAL, true), (sym::NEXT, false)] {
        if !heads.contains(&s) {
            let what = format!("there is no `{}` rule", sym::NAMES[s as usize]);
            if needed { report.error(None, what) } else { report.warn(None, what) }
        }
    }
    if !heads.contains(&sym::INIT) {
        report.warn(None, "there is no `init` fact: the first state is empty".into());
    }
}

/// Calls `f` for every atom of a condition, with whether it is under an odd number of `not`s.
fn for_atoms<'a>(c: &'a Condition, negated: bool, f: &mut impl FnMut(&'a Pat, bool)) {
    match c {
        Condition::Atom(p) => f(p, negated),
        Condition::Not(inner) => for_atoms(inner, !negated, f),
        Condition::Or(list) | Condition::And(list) => {
            list.iter().for_each(|c| for_atoms(c, negated, f));
        }
        Condition::Distinct(..) => {}
    }
}

fn check_arities(rule: &Rule, terms: &Terms, arities: &mut FxHashMap<SymId, u32>, report: &mut Report) {
    let mut seen = vec![&rule.head];
    rule.body.iter().for_each(|c| for_atoms(c, false, &mut |p, _| seen.push(p)));
    for p in seen {
        let Some((name, arity)) = p.predicate(terms) else { continue };
        if let Some((_, fixed)) = ARITIES.iter().find(|a| a.0 == name) {
            if *fixed != arity {
                let what = format!("`{}` takes {fixed} arguments, not {arity}", terms.name(name));
                report.error(rule.at, what);
            }
            continue;
        }
        let known = *arities.entry(name).or_insert(arity);
        if known != arity {
            let what = format!("`{}` has {arity} arguments here and {known} elsewhere", terms.name(name));
            report.warn(rule.at, what);
        }
    }
}

fn check_safety(rule: &Rule, report: &mut Report) {
    let mut bound = Vars::new();
    rule.body.iter().for_each(|c| bind(c, &mut bound));
    let name = |v: &u32| rule.variables.get(*v as usize).cloned().unwrap_or_default();
    for v in rule.head.vars().difference(&bound) {
        report.error(rule.at, format!("{} of the head is bound by no positive condition", name(v)));
    }
    let mut loose = Vars::new();
    for c in &rule.body {
        loose_in(c, &mut bound.clone(), &mut loose);
    }
    for v in loose {
        report.error(rule.at, format!("{} of `distinct` is bound by no positive condition", name(&v)));
    }
    let mut negated = Vars::new();
    rule.body.iter().for_each(|c| {
        for_atoms(c, false, &mut |p, neg| {
            if neg {
                p.add_vars(&mut negated);
            }
        })
    });
    for v in negated.difference(&bound) {
        let what = format!("{} occurs only under `not`; it is read as \"there is none\"", name(v));
        report.warn(rule.at, what);
    }
}

/// Variables of `distinct` that neither the rule nor the alternative it stands in binds.
fn loose_in(c: &Condition, bound: &mut Vars, out: &mut Vars) {
    match c {
        Condition::Distinct(a, b) => {
            let mut vars = a.vars();
            b.add_vars(&mut vars);
            out.extend(vars.difference(bound));
        }
        Condition::Or(list) => {
            for c in list {
                let mut inner = bound.clone();
                bind(c, &mut inner);
                loose_in(c, &mut inner, out);
            }
        }
        Condition::And(list) => list.iter().for_each(|c| loose_in(c, bound, out)),
        Condition::Not(inner) => loose_in(inner, bound, out),
        Condition::Atom(_) => {}
    }
}

fn bind(c: &Condition, out: &mut Vars) {
    match c {
        Condition::Atom(p) => p.add_vars(out),
        Condition::And(list) => list.iter().for_each(|c| bind(c, out)),
        Condition::Or(list) => {
            let mut sets = list.iter().map(|c| {
                let mut vars = Vars::new();
                bind(c, &mut vars);
                vars
            });
            if let Some(first) = sets.next() {
                out.extend(sets.fold(first, |a, b| a.intersection(&b).copied().collect()));
            }
        }
        Condition::Not(_) | Condition::Distinct(..) => {}
    }
}

/// What each relation depends on, through any number of rules.
fn dependencies(rules: &Rules) -> FxHashMap<Predicate, FxHashSet<Predicate>> {
    let mut direct: FxHashMap<Predicate, FxHashSet<Predicate>> = FxHashMap::default();
    for rule in &rules.rules {
        let Some(head) = rule.head.predicate(&rules.terms) else { continue };
        let entry = direct.entry(head).or_default();
        rule.body.iter().for_each(|c| {
            for_atoms(c, false, &mut |p, _| {
                entry.extend(p.predicate(&rules.terms));
            })
        });
    }
    direct
}

fn reachable(from: Predicate, direct: &FxHashMap<Predicate, FxHashSet<Predicate>>) -> FxHashSet<Predicate> {
    let mut seen = FxHashSet::default();
    let mut todo = vec![from];
    while let Some(p) = todo.pop() {
        todo.extend(direct.get(&p).into_iter().flatten().filter(|q| seen.insert(**q)));
    }
    seen
}

/// `init`, `legal`, `goal` and `terminal` must not look at what is not known yet.
fn check_dependencies(rules: &Rules, report: &mut Report) {
    let direct = dependencies(rules);
    let forbidden: [(Predicate, &[Predicate]); 5] = [
        ((sym::INIT, 1), &[(sym::TRUE, 1), (sym::DOES, 2), (sym::NEXT, 1)]),
        ((sym::LEGAL, 2), &[(sym::DOES, 2), (sym::NEXT, 1)]),
        ((sym::GOAL, 2), &[(sym::DOES, 2), (sym::NEXT, 1)]),
        ((sym::TERMINAL, 0), &[(sym::DOES, 2), (sym::NEXT, 1)]),
        ((sym::ROLE, 1), &[(sym::TRUE, 1), (sym::DOES, 2)]),
    ];
    for (head, list) in forbidden {
        let seen = reachable(head, &direct);
        for p in list.iter().filter(|p| seen.contains(p)) {
            let (a, b) = (sym::NAMES[head.0 as usize], sym::NAMES[p.0 as usize]);
            report.error(None, format!("`{a}` depends on `{b}`, which is not known when it is asked"));
        }
    }
    for rule in &rules.rules {
        let Some(head) = rule.head.predicate(&rules.terms) else { continue };
        rule.body.iter().for_each(|c| {
            for_atoms(c, false, &mut |p, negated| {
                let Some(p) = p.predicate(&rules.terms).filter(|_| negated) else { return };
                if p == head || reachable(p, &direct).contains(&head) {
                    let what = format!(
                        "`{}` depends on its own negation; that is allowed only if no ground atom does",
                        rules.terms.name(head.0)
                    );
                    report.warn(rule.at, what);
                }
            })
        });
    }
}

/// Relations that are asked for and never defined.
fn check_undefined(rules: &Rules, report: &mut Report) {
    let heads: FxHashSet<Predicate> =
        rules.rules.iter().filter_map(|r| r.head.predicate(&rules.terms)).collect();
    let mut told: FxHashSet<Predicate> = FxHashSet::default();
    for rule in &rules.rules {
        rule.body.iter().for_each(|c| {
            for_atoms(c, false, &mut |p, _| {
                let Some(p) = p.predicate(&rules.terms) else { return };
                if p.0 != sym::TRUE && p.0 != sym::DOES && !heads.contains(&p) && told.insert(p) {
                    report.warn(
                        rule.at,
                        format!("`{}` is never defined, so it never holds", rules.terms.name(p.0)),
                    );
                }
            })
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Limits;

    const GAME: &str = "(role a) (init (n 0)) (legal a go) (<= (next (n 1)) (does a go)) \
                        (<= terminal (true (n 1))) (goal a 100)";

    fn findings(extra: &str) -> Vec<Finding> {
        let rules = Rules::parse(&format!("{GAME}\n{extra}"), &Limits::default()).unwrap();
        check(&rules).findings
    }

    #[test]
    fn a_sound_game_has_no_findings() {
        assert_eq!(findings(""), []);
    }

    #[test]
    fn each_kind_of_mistake_is_found_where_it_is() {
        for (text, severity, part) in [
            ("(legal a b c)", Severity::Error, "takes 2 arguments"),
            ("(<= (p ?x) (not (q ?x)) (q b)) (q b)", Severity::Error, "bound by no positive"),
            ("(<= p (distinct ?x a))", Severity::Error, "`distinct`"),
            ("(<= p (not (n ?x))) (n 1)", Severity::Warning, "there is none"),
            ("(<= (goal a 0) (does a go))", Severity::Error, "`goal` depends on `does`"),
            ("(<= p (not q)) (<= q p)", Severity::Warning, "its own negation"),
            ("(<= p nowhere)", Severity::Warning, "never defined"),
            ("(p 1) (p 1 2)", Severity::Warning, "elsewhere"),
        ] {
            let found = findings(text);
            let hit = found.iter().find(|f| f.severity == severity && f.what.contains(part));
            assert!(hit.is_some(), "{text}: {found:?}");
            if hit.is_some_and(|f| f.at.is_some()) {
                assert_eq!(hit.and_then(|f| f.at).map(|p| p.line), Some(2), "{text}");
            }
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let rules = Rules::parse("(init a)", &Limits::default()).unwrap();
        let text = format!("{:?}", check(&rules).findings);
        for part in ["role", "legal", "goal", "terminal", "next"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}

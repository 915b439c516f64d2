//! What is active in a position, and what it adds up to.

use rustc_hash::FxHashMap;

use super::chunks::{Chunks, Company, Entry, FIRST, MOST_GROUPS, NONE, TEMPO};
use super::contents::{Raw, home, raw, side, tempo, unpack};
use super::eye::{Eye, Seen};
use super::settings::Settings;
use super::whole::Glance;

/// The contents that are active in a position.
#[derive(Default, Debug)]
pub struct Active {
    /// Context by context.
    pub found: Vec<Found>,
    /// What was looked up of contents that were never met, and how old the memory was then.
    unmet: FxHashMap<Raw, Found>,
    age: u64,
    marks: Vec<u32>,
    epoch: u32,
    /// Room for the view of the whole.
    pub(super) glance: Glance,
}

/// The log odds of the first player, part by part.
#[derive(Default, Debug)]
pub struct Parts {
    /// What is always there.
    pub always: f64,
    /// By the number of the context.
    pub by_context: Vec<(usize, f64)>,
    /// Of two or three together, by the numbers of their contexts.
    pub together: Vec<(Vec<usize>, f64)>,
}

/// What is found in a context.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Found {
    /// Contents it has met.
    Entry(u32),
    /// Contents it never met as they are, which look like something it knows: their form, their chunk and its sign.
    Like(u32, u32, f32),
}

impl Found {
    /// Contents it knows.
    pub fn entry(&self) -> Option<u32> {
        match self {
            Found::Entry(number) => Some(*number),
            Found::Like(..) => None,
        }
    }
}

/// What contents add to the log odds of the first player: their form and their chunk.
fn worth(weights: &[f32], side: f32, form: u32, (chunk, sign): (u32, f32)) -> f32 {
    let of = |number: u32, sign: f32| weights.get(number as usize).map_or(0.0, |weight| sign * weight);
    of(form, side) + of(chunk, sign)
}

impl Chunks {
    /// What is active in a position, context by context: contents it knows, or for contents never met the form alone.
    pub fn activate(&self, eye: &Eye, settings: &Settings, seen: &Seen, active: &mut Active) {
        active.found.clear();
        if active.age != self.age || active.unmet.len() > MOST_GROUPS {
            active.unmet.clear();
            active.age = self.age;
        }
        for (context, number) in eye.contexts.iter().zip(0u32..) {
            let code = self.code(seen, &context.cells);
            let key = raw(number, seen.mover, code);
            let found = match self.entries.get(&key) {
                Some(&entry) => Found::Entry(entry),
                None => match active.unmet.get(&key) {
                    Some(found) => *found,
                    None => {
                        let found = self.like(eye, settings, key);
                        active.unmet.insert(key, found);
                        found
                    }
                },
            };
            active.found.push(found);
        }
    }

    /// What contents are like that were never met.
    fn like(&self, eye: &Eye, settings: &Settings, key: Raw) -> Found {
        let (context, mover, code) = unpack(key);
        let form = if settings.general { self.form(eye, context, mover, code) } else { NONE };
        let digits = self.digits(code, eye.contexts[context].cells.len());
        let home = home(eye, context, mover, &digits, &self.powers);
        let known = home.and_then(|(home, sign)| Some((*self.group_numbers.get(&home)?, sign)));
        let (chunk, sign) =
            known.map_or((NONE, 0.0), |(group, sign)| (self.groups[group as usize].chunk, sign));
        Found::Like(form, chunk, sign)
    }

    /// Calls `f` with every active chunk and its sign: + where its weight speaks for the first player.
    pub fn each(&self, seen: &Seen, active: &mut Active, mut f: impl FnMut(u32, f32)) {
        f(FIRST, 1.0);
        f(TEMPO, tempo(seen.mover));
        let side = side(seen.mover);
        let mut accompanied = false;
        for found in &active.found {
            let (form, chunk, sign) = match *found {
                Found::Like(form, chunk, sign) => (form, chunk, sign),
                Found::Entry(number) => {
                    let entry = &self.contents[number as usize];
                    accompanied |= entry.company != NONE;
                    (entry.form, self.chunk_of(number), entry.sign)
                }
            };
            if form != NONE {
                f(form, side);
            }
            if chunk != NONE {
                f(chunk, sign);
            }
        }
        if accompanied {
            self.each_together(active, |_, company| f(company.chunk, company.sign));
        }
    }

    /// Calls `f` with every active pair and triple: its first entry and the company of that.
    pub(super) fn each_together(&self, active: &mut Active, mut f: impl FnMut(u32, &Company)) {
        active.marks.resize(self.contents.len(), 0);
        active.epoch += 1;
        for number in active.found.iter().filter_map(Found::entry) {
            active.marks[number as usize] = active.epoch;
        }
        let there = |entry: &u32| active.marks.get(*entry as usize).is_none_or(|mark| *mark == active.epoch);
        for number in active.found.iter().filter_map(Found::entry) {
            let list = self.contents[number as usize].company;
            let companies = self.companies.get(list as usize).into_iter().flatten();
            companies
                .filter(|company| company.others.iter().all(there))
                .for_each(|company| f(number, company));
        }
    }

    /// What each entry adds by these weights, pairs and triples left out: for judging fast.
    pub fn worths(&self, weights: &[f32]) -> Vec<f32> {
        let of = |(entry, number): (&Entry, u32)| {
            let (_, mover, _) = unpack(entry.raw);
            worth(weights, side(mover), entry.form, (self.chunk_of(number), entry.sign))
        };
        self.contents.iter().zip(0..).map(of).collect()
    }

    /// The sum of the active weights: the log odds of the first player.
    pub fn sum(&self, weights: &[f32], worths: &[f32], seen: &Seen, active: &mut Active) -> f32 {
        let side = side(seen.mover);
        let mut sum = weights[FIRST as usize] + tempo(seen.mover) * weights[TEMPO as usize];
        let mut accompanied = false;
        for found in &active.found {
            match *found {
                Found::Like(form, chunk, sign) => sum += worth(weights, side, form, (chunk, sign)),
                Found::Entry(number) => {
                    sum += worths[number as usize];
                    accompanied |= self.contents[number as usize].company != NONE;
                }
            }
        }
        if accompanied {
            self.each_together(active, |_, company| sum += company.sign * weights[company.chunk as usize]);
        }
        sum
    }

    /// The same sum, part by part.
    pub fn parts(&self, eye: &Eye, settings: &Settings, weights: &[f32], seen: &Seen) -> Parts {
        let mut active = Active::default();
        let always =
            f64::from(weights[FIRST as usize]) + f64::from(tempo(seen.mover) * weights[TEMPO as usize]);
        let mut parts = Parts { always, ..Parts::default() };
        self.activate(eye, settings, seen, &mut active);
        for (found, context) in active.found.iter().zip(0..) {
            let (form, chunk) = match *found {
                Found::Entry(number) => {
                    let entry = &self.contents[number as usize];
                    (entry.form, (self.chunk_of(number), entry.sign))
                }
                Found::Like(form, chunk, sign) => (form, (chunk, sign)),
            };
            parts.by_context.push((context, f64::from(worth(weights, side(seen.mover), form, chunk))));
        }
        self.each_together(&mut active, |first, company| {
            let entries = std::iter::once(first).chain(company.others).filter(|entry| *entry != NONE);
            let contexts = entries.map(|entry| unpack(self.contents[entry as usize].raw).0).collect();
            parts.together.push((contexts, f64::from(company.sign * weights[company.chunk as usize])));
        });
        parts
    }
}

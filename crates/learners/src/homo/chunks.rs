//! The hierarchy: cells and contexts with their contents are seen, groups of them that are the same under the symmetries become chunks once they
//! were met often enough, forms are chunks wherever they lie, and pairs and triples of chunks are made where the judgement errs. Each has a
//! weight in the log odds of winning.

use rustc_hash::FxHashMap;

use super::contents::{NOTHING, Raw, form, home, moved, raw, unpack};
use super::eye::{Eye, Seen};
use super::settings::Settings;

/// No chunk, no group.
pub const NONE: u32 = u32::MAX;
/// The first player's advantage, and that of the player to move.
pub const FIRST: u32 = 0;
/// Being to move.
pub const TEMPO: u32 = 1;
/// Times that something must be met before it is remembered.
const WORTH_KEEPING: u32 = 4;
/// Chunks at most; memory is bounded.
pub const MOST_CHUNKS: usize = 60_000;
/// Contents at most that it tells apart, images counted once.
pub const MOST_GROUPS: usize = 300_000;
/// What a chunk is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Is {
    /// The advantage of the first player, or of the one to move.
    Always(u32),
    /// What a context looks like to the player to move, wherever it lies.
    Form(u64),
    /// A context with its contents, and all its images.
    Place(Raw),
    /// Two of these at once, or three; in their order, and the third of two is [`NOTHING`].
    Together([Raw; 3]),
}

/// What it knows of a chunk beside its weight.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chunk {
    /// What it is.
    pub is: Is,
    /// Positions in which it was met.
    pub met: u32,
    /// How those went, as the side that its weight speaks for sees it.
    pub won: f32,
    /// The round in which it was made.
    pub born: u32,
    /// The round in which it was met last.
    pub used: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub raw: Raw,
    pub form: u32,
    pub group: u32,
    pub sign: f32,
    /// Where its list of company is.
    pub company: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Group {
    pub key: Raw,
    pub chunk: u32,
    pub met: u32,
}

/// What makes a pair or a triple with a content: the others, [`NONE`] where there is one only; the chunk, and its sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Company {
    pub others: [u32; 2],
    pub chunk: u32,
    pub sign: f32,
}

/// Everything it remembers.
#[derive(Debug, Default)]
pub struct Chunks {
    /// By number.
    pub list: Vec<Chunk>,
    pub(super) numbers: FxHashMap<Is, u32>,
    pub(super) entries: FxHashMap<Raw, u32>,
    pub(super) contents: Vec<Entry>,
    /// What is or may become a chunk.
    pub groups: Vec<Group>,
    pub(super) group_numbers: FxHashMap<Raw, u32>,
    pub(super) companies: Vec<Vec<Company>>,
    /// Grows whenever a chunk is made.
    pub(super) age: u64,
    /// Entries without a form.
    formless: Vec<u32>,
    pub(super) powers: Vec<u64>,
}

impl Chunks {
    /// Nothing but the two that are always there.
    pub fn new(eye: &Eye) -> Chunks {
        let mut chunks = Chunks { powers: (0..8).map(|i| eye.base().pow(i)).collect(), ..Chunks::default() };
        chunks.add(Is::Always(FIRST), 0);
        chunks.add(Is::Always(TEMPO), 0);
        chunks
    }

    fn add(&mut self, is: Is, round: u32) -> u32 {
        if let Some(&known) = self.numbers.get(&is) {
            return known;
        }
        if self.list.len() >= MOST_CHUNKS {
            return NONE;
        }
        let number = self.list.len() as u32;
        self.age += 1;
        self.list.push(Chunk { is, met: 0, won: 0.0, born: round, used: round });
        self.numbers.insert(is, number);
        number
    }

    /// A chunk as it was kept.
    pub fn restore(&mut self, chunk: Chunk) {
        let number = self.add(chunk.is, chunk.born);
        let Some(place) = self.list.get_mut(number as usize) else { return };
        *place = chunk;
        if let Is::Place(key) = chunk.is {
            self.group(key).chunk = number;
        }
    }

    /// After all chunks were restored: where each of them is met.
    pub fn reconnect(&mut self, eye: &Eye, settings: &Settings) {
        for number in 0..self.list.len() as u32 {
            if let Is::Together(raws) = self.list[number as usize].is {
                self.join(eye, settings, raws, number);
            }
        }
    }

    /// Contents whose form was not known when they were connected may have got one since.
    pub fn resolve(&mut self, eye: &Eye, settings: &Settings) {
        if !settings.general {
            return;
        }
        let mut left = std::mem::take(&mut self.formless);
        left.retain(|&number| {
            let (context, mover, code) = unpack(self.contents[number as usize].raw);
            if self.contents[number as usize].form == NONE {
                self.contents[number as usize].form = self.form(eye, context, mover, code);
            }
            self.contents[number as usize].form == NONE
        });
        self.formless = left;
    }

    /// What is known of a group; met for the first time, nothing.
    pub fn group(&mut self, key: Raw) -> &mut Group {
        let number = *self.group_numbers.entry(key).or_insert_with(|| {
            self.groups.push(Group { key, chunk: NONE, met: 0 });
            self.groups.len() as u32 - 1
        });
        &mut self.groups[number as usize]
    }

    pub(super) fn code(&self, seen: &Seen, cells: &[u16]) -> u64 {
        cells
            .iter()
            .zip(&self.powers)
            .map(|(cell, power)| u64::from(seen.digits[usize::from(*cell)]) * power)
            .sum()
    }

    /// The digits of a code, for a context of so many cells.
    pub fn digits(&self, code: u64, cells: usize) -> Vec<u8> {
        self.powers.iter().take(cells).map(|power| (code / power % self.powers[1]) as u8).collect()
    }

    /// The chunk of the form of these contents, where it is known.
    pub(super) fn form(&self, eye: &Eye, context: usize, mover: u8, code: u64) -> u32 {
        let form = Is::Form(form(eye, context, mover, &self.digits(code, eye.contexts[context].cells.len())));
        self.numbers.get(&form).copied().unwrap_or(NONE)
    }

    /// Meets a position: what it sees often enough becomes a chunk.
    pub fn meet(&mut self, eye: &Eye, settings: &Settings, seen: &Seen, round: u32) {
        for number in 0..eye.contexts.len() as u32 {
            let code = self.code(seen, &eye.contexts[number as usize].cells);
            let key = raw(number, seen.mover, code);
            let entry = self.entry(eye, settings, key);
            if settings.general && self.contents[entry as usize].form == NONE {
                let digits = self.digits(code, eye.contexts[number as usize].cells.len());
                self.contents[entry as usize].form =
                    self.add(Is::Form(form(eye, number as usize, seen.mover, &digits)), round);
            }
            let group = self.contents[entry as usize].group;
            if let Some(group) = self.groups.get_mut(group as usize) {
                group.met += 1;
                if group.met == WORTH_KEEPING {
                    let key = group.key;
                    let chunk = self.add(Is::Place(key), round);
                    self.group(key).chunk = chunk;
                }
            }
        }
    }

    /// Contents that it has met, as they were kept.
    pub fn recall(&mut self, eye: &Eye, settings: &Settings, key: Raw) {
        self.entry(eye, settings, key);
    }

    /// The entry of these contents, made where there is none.
    fn entry(&mut self, eye: &Eye, settings: &Settings, key: Raw) -> u32 {
        if let Some(&entry) = self.entries.get(&key) {
            return entry;
        }
        let (context, mover, code) = unpack(key);
        let digits = self.digits(code, eye.contexts[context].cells.len());
        let form = if settings.general { self.form(eye, context, mover, code) } else { NONE };
        let (group, sign) = match home(eye, context, mover, &digits, &self.powers) {
            Some((home, sign))
                if self.groups.len() < MOST_GROUPS || self.group_numbers.contains_key(&home) =>
            {
                self.group(home);
                (self.group_numbers[&home], sign)
            }
            _ => (NONE, 0.0),
        };
        let number = self.contents.len() as u32;
        if form == NONE {
            self.formless.push(number);
        }
        self.contents.push(Entry { raw: key, form, group, sign, company: NONE });
        self.entries.insert(key, number);
        number
    }

    /// What stands for contents that are there together and all their images, and the sign towards it.
    pub fn together_key(&self, eye: &Eye, entries: &[u32]) -> ([Raw; 3], f32) {
        let mut raws = [NOTHING; 3];
        raws.iter_mut().zip(entries).for_each(|(raw, entry)| *raw = self.contents[*entry as usize].raw);
        let images = (0..=eye.images.len()).filter_map(|image| self.image_of(eye, raws, image));
        images.min_by_key(|(key, _)| *key).unwrap_or((raws, 1.0))
    }

    /// Contents that are there together, moved to an image of the board, in their order.
    fn image_of(&self, eye: &Eye, mut raws: [Raw; 3], image: usize) -> Option<([Raw; 3], f32)> {
        let mut sign = 1.0;
        for raw in raws.iter_mut().filter(|raw| **raw != NOTHING) {
            let (to, swaps) = moved(eye, *raw, image, &self.powers)?;
            *raw = to;
            sign = if swaps { -1.0 } else { 1.0 };
        }
        raws.sort_unstable();
        Some((raws, sign))
    }

    /// Makes a chunk of contents that were active together, with all its images; `false` where it is known, or memory is full.
    pub fn put_together(&mut self, eye: &Eye, settings: &Settings, entries: &[u32], round: u32) -> bool {
        let (raws, _) = self.together_key(eye, entries);
        let is = Is::Together(raws);
        if self.numbers.contains_key(&is) || self.list.len() >= MOST_CHUNKS {
            return false;
        }
        let number = self.add(is, round);
        self.join(eye, settings, raws, number);
        true
    }

    fn join(&mut self, eye: &Eye, settings: &Settings, raws: [Raw; 3], chunk: u32) {
        let mut known = Vec::new();
        for image in 0..=eye.images.len() {
            let Some((key, sign)) = self.image_of(eye, raws, image) else { continue };
            // Contents may be each other's images: once is enough.
            if known.contains(&key) {
                continue;
            }
            known.push(key);
            let [first, others @ ..] =
                key.map(|raw| if raw == NOTHING { NONE } else { self.entry(eye, settings, raw) });
            let list = &mut self.contents[first as usize].company;
            if *list == NONE {
                *list = self.companies.len() as u32;
                self.companies.push(Vec::new());
            }
            self.companies[*list as usize].push(Company { others, chunk, sign });
        }
    }

    /// Whether contents that are there together are a chunk.
    pub fn knows_together(&self, raws: [Raw; 3]) -> bool {
        self.numbers.contains_key(&Is::Together(raws))
    }

    /// Whether an entry is a chunk of its own, and which.
    pub fn chunk_of(&self, entry: u32) -> u32 {
        let group = self.contents[entry as usize].group;
        self.groups.get(group as usize).map_or(NONE, |group| group.chunk)
    }
}

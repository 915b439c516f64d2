//! Keeping what was learnt, and what is carried over to another game.

use ludens_core::{Game, Model, ModelError, NO_CELL};

use super::chunks::{Chunk, Chunks, Is, MOST_CHUNKS};
use super::contents::{NOTHING, unpack};
use super::eye::{Eye, Image, Kind, NOBODY, Seen};
use super::inclination::{Choice, Inclination};
use super::judgement::{By, Example, Weights};
use super::learner::{Homo, NAME};
use super::settings::Settings;
use super::whole::{WIDTH, Whole};

fn wrong(what: &str) -> ModelError {
    ModelError::Missing { what: what.into() }
}

/// Forms of decisive sets have numbers below this, the same in every game: what is carried over.
const CARRIED: u64 = 5;

fn is_carried(form: u64) -> bool {
    form % 16 < CARRIED
}

/// What a model of any game gives to one of another: its forms with their weights.
pub fn carried(model: &Model) -> Result<Vec<(u64, f32)>, ModelError> {
    let count = model.len_of("chunk.is");
    let (is, keys) = (model.u8s("chunk.is", count)?, model.u64s("chunk.keys", 2 * count)?);
    let weights = model.f32s("weights", count)?;
    let forms = is.iter().zip(keys.chunks_exact(2)).zip(weights);
    Ok(forms
        .filter(|((is, key), weight)| **is == 1 && is_carried(key[0]) && weight.is_finite())
        .map(|((_, key), weight)| (key[0], *weight))
        .collect())
}

impl<G: Game> Homo<G> {
    pub(super) fn model(&self, whole: bool) -> Model {
        let mut model = Model::new(NAME, &self.game, self.ledger);
        model.put_meta("settings", &self.settings);
        model.put_meta("rounds", &self.rounds);
        model.put_meta("games", &self.games);
        model.put_meta("dice", &self.eye.dice);
        model.put_meta("foresees", &self.eye.foresees);
        let (kinds, images) = (self.eye.met(), &self.eye.images);
        let flat: Vec<u8> =
            kinds.iter().flat_map(|kind| [kind.piece, kind.owner, kind.count, kind.near]).collect();
        model.put_u8("kinds", &[kinds.len(), 4], &flat);
        let swaps: Vec<u8> = images.iter().map(|image| u8::from(image.swaps)).collect();
        let cells: Vec<i32> =
            images.iter().flat_map(|image| image.cells.iter().map(|cell| i32::from(*cell))).collect();
        let opens: Vec<i32> = self.eye.opens.iter().map(|cell| i32::from(*cell)).collect();
        model.put_i32("opens", &[opens.len()], &opens);
        model.put_u8("images.swaps", &[swaps.len()], &swaps);
        model.put_i32("images.cells", &[cells.len()], &cells);
        self.put_chunks(&mut model);
        let count = self.chunks.list.len();
        model.put_f32("weights", &[count], &self.judge.weights);
        let (forms, worths): (Vec<u64>, Vec<f32>) = self.carried.iter().copied().unzip();
        model.put_u64("carried.forms", &[forms.len()], &forms);
        model.put_f32("carried.weights", &[worths.len()], &worths);
        put_view(&mut model, "whole", &self.settled_whole);
        self.inclination.save(&mut model, whole);
        if whole {
            self.put_rest(&mut model);
        }
        model
    }

    fn put_chunks(&self, model: &mut Model) {
        let list = &self.chunks.list;
        let count = list.len();
        let is: Vec<u8> = list.iter().map(|chunk| kind_of(&chunk.is).0).collect();
        let keys: Vec<u64> = list.iter().flat_map(|chunk| kind_of(&chunk.is).1).collect();
        let thirds: Vec<u64> = list.iter().filter_map(|chunk| third(&chunk.is)).collect();
        let met: Vec<u64> = list.iter().map(|chunk| u64::from(chunk.met)).collect();
        let won: Vec<f32> = list.iter().map(|chunk| chunk.won).collect();
        let rounds: Vec<u64> =
            list.iter().flat_map(|chunk| [chunk.born, chunk.used].map(u64::from)).collect();
        model.put_u8("chunk.is", &[count], &is);
        model.put_u64("chunk.keys", &[count, 2], &keys);
        model.put_u64("chunk.thirds", &[thirds.len()], &thirds);
        model.put_u64("chunk.met", &[count], &met);
        model.put_f32("chunk.won", &[count], &won);
        model.put_u64("chunk.rounds", &[count, 2], &rounds);
    }

    /// What only further training needs.
    fn put_rest(&self, model: &mut Model) {
        let count = self.chunks.list.len();
        for (number, sibling) in self.siblings.iter().enumerate() {
            model.put_f32(&format!("sibling.{number}.weights"), &[count], &sibling.of);
            model.put_f32(&format!("sibling.{number}.steps"), &[count], &sibling.steps);
            put_view(model, &format!("sibling.{number}.whole"), &sibling.whole);
        }
        let groups = &self.chunks.groups;
        let keys: Vec<u64> = groups.iter().map(|group| group.key).collect();
        let met: Vec<u64> = groups.iter().map(|group| u64::from(group.met)).collect();
        model.put_u64("groups.keys", &[keys.len()], &keys);
        model.put_u64("groups.met", &[met.len()], &met);
        // In their order: where it looks for pairs, of equals the first one met goes first.
        let contents: Vec<u64> = self.chunks.contents.iter().map(|entry| entry.raw).collect();
        model.put_u64("contents", &[contents.len()], &contents);
        // A pair that was just made has no judgement of the round before.
        model.put_u64("settled", &[1], &[self.settled.len() as u64]);
        let digits: Vec<u8> =
            self.memory.iter().flat_map(|example| example.seen.digits.iter().copied()).collect();
        let movers: Vec<u8> = self.memory.iter().map(|example| example.seen.mover).collect();
        let chances: Vec<f32> = self.memory.iter().map(|example| example.chance).collect();
        let rounds: Vec<u64> = self.memory.iter().map(|example| u64::from(example.round)).collect();
        model.put_u8("memory.digits", &[digits.len()], &digits);
        model.put_u8("memory.movers", &[movers.len()], &movers);
        model.put_f32("memory.chances", &[chances.len()], &chances);
        model.put_u64("memory.rounds", &[rounds.len()], &rounds);
        let by: Vec<u8> = self.memory.iter().map(|example| example.by as u8).collect();
        model.put_u8("memory.by", &[by.len()], &by);
        self.put_choices(model);
    }

    fn put_choices(&self, model: &mut Model) {
        let choices = &self.choices;
        let digits: Vec<u8> = choices.iter().flat_map(|choice| choice.seen.digits.iter().copied()).collect();
        let movers: Vec<u8> = choices.iter().map(|choice| choice.seen.mover).collect();
        let rounds: Vec<u64> =
            choices.iter().flat_map(|choice| [u64::from(choice.round), choice.ends.len() as u64]).collect();
        let ends: Vec<i32> = choices
            .iter()
            .flat_map(|choice| choice.ends.iter().flatten().map(|end| i32::from(*end)))
            .collect();
        let shares: Vec<f32> = choices.iter().flat_map(|choice| choice.shares.iter().copied()).collect();
        model.put_u8("choices.digits", &[digits.len()], &digits);
        model.put_u8("choices.movers", &[movers.len()], &movers);
        model.put_u64("choices.rounds", &[rounds.len()], &rounds);
        model.put_i32("choices.ends", &[ends.len()], &ends);
        model.put_f32("choices.shares", &[shares.len()], &shares);
    }

    pub(super) fn from_model(game: &G, model: &Model) -> Result<Homo<G>, ModelError> {
        model.expect(NAME, &game.id())?;
        let settings: Settings = model.meta("settings")?;
        settings.check()?;
        let mut homo = Homo::new(game, settings);
        homo.rounds = model.meta("rounds")?;
        homo.games = model.meta("games")?;
        homo.ledger = model.ledger;
        let forms = model.u64s("carried.forms", model.len_of("carried.forms"))?;
        homo.carried = forms.iter().copied().zip(finite(model, "carried.weights", forms.len())?).collect();
        if homo.rounds == 0 {
            return Ok(homo);
        }
        homo.eye = eye(game, model, &homo.settings)?;
        homo.chunks = chunks(&homo.eye, &homo.settings, model)?;
        homo.inclination = Inclination::load(&homo.eye, model)?;
        let count = homo.chunks.list.len();
        let judged = finite(model, "weights", count)?;
        let whole = model.tensors.contains_key("groups.keys");
        let settled = view(model, "whole", &homo.eye)?;
        for (number, sibling) in homo.siblings.iter_mut().enumerate() {
            *sibling = match whole {
                true => Weights {
                    of: finite(model, &format!("sibling.{number}.weights"), count)?,
                    steps: finite(model, &format!("sibling.{number}.steps"), count)?,
                    whole: view(model, &format!("sibling.{number}.whole"), &homo.eye)?,
                },
                false => Weights { of: judged.clone(), steps: vec![0.0; count], whole: settled.clone() },
            };
        }
        if whole {
            homo.memory = memory(model, &homo.eye)?;
            homo.choices = choices(model, &homo.eye)?;
        }
        let settled_before = model.u64s("settled", 1).map_or(count, |of| of[0] as usize);
        homo.settled = judged[..settled_before.min(count)].to_vec();
        homo.settled_whole = settled;
        homo.settle();
        Ok(homo)
    }
}

fn kind_of(is: &Is) -> (u8, [u64; 2]) {
    match *is {
        Is::Always(number) => (0, [u64::from(number), 0]),
        Is::Form(form) => (1, [form, 0]),
        Is::Place(key) => (2, [key, 0]),
        Is::Together([one, two, NOTHING]) => (3, [one, two]),
        Is::Together([one, two, _]) => (4, [one, two]),
    }
}

/// The third of a triple.
fn third(is: &Is) -> Option<u64> {
    if let Is::Together([.., third]) = is { Some(*third).filter(|third| *third != NOTHING) } else { None }
}

fn finite(model: &Model, name: &str, count: usize) -> Result<Vec<f32>, ModelError> {
    let values = model.f32s(name, count)?;
    if values.iter().any(|value| !value.is_finite()) {
        return Err(wrong(&format!("numbers in {name}")));
    }
    Ok(values.to_vec())
}

fn put_view(model: &mut Model, name: &str, whole: &Whole) {
    if !whole.rows.is_empty() {
        model.put_f32(&format!("{name}.rows"), &[whole.rows.len(), WIDTH], whole.rows.as_flattened());
        model.put_f32(&format!("{name}.out"), &[WIDTH], &whole.out);
    }
}

/// The view of the whole; none where the model has none.
fn view(model: &Model, name: &str, eye: &Eye) -> Result<Whole, ModelError> {
    let rows = format!("{name}.rows");
    if !model.tensors.contains_key(&rows) {
        return Ok(Whole::default());
    }
    let mut whole = Whole::new(eye);
    let values = finite(model, &rows, whole.rows.len() * WIDTH)?;
    whole.rows.as_flattened_mut().copy_from_slice(&values);
    whole.out.copy_from_slice(&finite(model, &format!("{name}.out"), WIDTH)?);
    Ok(whole)
}

fn eye<G: Game>(game: &G, model: &Model, settings: &Settings) -> Result<Eye, ModelError> {
    let flat = model.u8s("kinds", model.len_of("kinds"))?;
    let kinds: Vec<Kind> = flat
        .chunks_exact(4)
        .map(|kind| Kind { piece: kind[0], owner: kind[1], count: kind[2], near: kind[3] })
        .collect();
    let rising = kinds.windows(2).all(|two| two[0] < two[1]);
    if flat.len() % 4 != 0 || kinds.len() > 40 || !rising || kinds.iter().any(|kind| kind.owner > NOBODY) {
        return Err(wrong("kinds that can be"));
    }
    let board = game.board(&game.start());
    let squares = board.squares.len();
    let cell = |cell: &i32| {
        let cell = u16::try_from(*cell).ok().filter(|cell| *cell == NO_CELL || usize::from(*cell) < squares);
        cell.ok_or_else(|| wrong("cells that moves open"))
    };
    let opens = model.i32s("opens", squares)?.iter().map(cell).collect::<Result<Vec<u16>, _>>()?;
    let mut eye = Eye::new(&board, &game.facts(), kinds, opens, model.meta("dice")?, settings);
    let swaps = model.u8s("images.swaps", model.len_of("images.swaps"))?;
    let cells = model.i32s("images.cells", swaps.len() * squares)?;
    let mut images = Vec::new();
    for (swaps, cells) in swaps.iter().zip(cells.chunks_exact(squares.max(1))) {
        let cells: Vec<u16> = cells.iter().map(|cell| u16::try_from(*cell).unwrap_or(u16::MAX)).collect();
        let mut sorted = cells.clone();
        sorted.sort_unstable();
        if sorted.iter().zip(0u16..).any(|(cell, at)| *cell != at) {
            return Err(wrong("images of the board"));
        }
        images.push(Image { cells, swaps: *swaps > 0 });
    }
    if images.len() > 64 {
        return Err(wrong("images of the board"));
    }
    eye.share(&images);
    eye.foresees = model.meta("foresees")?;
    if eye.foresees && (eye.ripe.is_none() || eye.dice) {
        return Err(wrong("what can be foreseen"));
    }
    Ok(eye)
}

/// Whether contents can be those of this board.
fn is_content(eye: &Eye, key: u64) -> bool {
    let (context, _, code) = unpack(key);
    eye.contexts.get(context).is_some_and(|context| code < eye.base().pow(context.cells.len() as u32))
}

fn chunks(eye: &Eye, settings: &Settings, model: &Model) -> Result<Chunks, ModelError> {
    let count = model.len_of("chunk.is");
    let (is, keys) = (model.u8s("chunk.is", count)?, model.u64s("chunk.keys", 2 * count)?);
    let (met, won) = (model.u64s("chunk.met", count)?, finite(model, "chunk.won", count)?);
    let rounds = model.u64s("chunk.rounds", 2 * count)?;
    let mut chunks = Chunks::new(eye);
    if let Ok(groups) = model.u64s("groups.keys", model.len_of("groups.keys")) {
        let times = model.u64s("groups.met", groups.len())?;
        for (key, times) in groups.iter().zip(times) {
            if !is_content(eye, *key) {
                return Err(wrong("contents of contexts"));
            }
            chunks.group(*key).met = u32::try_from(*times).unwrap_or(u32::MAX - 1);
        }
    }
    let mut thirds = model.u64s("chunk.thirds", model.len_of("chunk.thirds"))?.iter().copied();
    let together = |raws: [u64; 3]| {
        let [one, two, third] = raws.map(|raw| is_content(eye, raw));
        (one && two && (third || raws[2] == NOTHING) && raws.is_sorted())
            .then_some(Is::Together(raws))
            .ok_or_else(|| wrong("pairs and triples"))
    };
    let number = |value: u64| u32::try_from(value).map_err(|_| wrong("numbers of chunks"));
    for at in 0..count {
        let [one, two] = [keys[2 * at], keys[2 * at + 1]];
        let is = match is[at] {
            0 => Is::Always(number(one)?),
            1 => Is::Form(one),
            2 if is_content(eye, one) => Is::Place(one),
            3 => together([one, two, NOTHING])?,
            4 => together([one, two, thirds.next().unwrap_or(0)])?,
            _ => return Err(wrong("chunks that can be")),
        };
        let [born, used] = [number(rounds[2 * at])?, number(rounds[2 * at + 1])?];
        chunks.restore(Chunk { is, met: number(met[at])?, won: won[at], born, used });
    }
    if chunks.list.len() != count || count > MOST_CHUNKS {
        return Err(wrong("chunks, each once"));
    }
    if let Ok(contents) = model.u64s("contents", model.len_of("contents")) {
        if !contents.iter().all(|key| is_content(eye, *key)) {
            return Err(wrong("contents of contexts"));
        }
        contents.iter().for_each(|key| chunks.recall(eye, settings, *key));
        if chunks.contents.len() != contents.len() {
            return Err(wrong("contents, each once"));
        }
    }
    chunks.reconnect(eye, settings);
    Ok(chunks)
}

fn memory(model: &Model, eye: &Eye) -> Result<Vec<Example>, ModelError> {
    let cells = eye.digits();
    let movers = model.u8s("memory.movers", model.len_of("memory.movers"))?;
    let digits = model.u8s("memory.digits", movers.len() * cells)?;
    let chances = finite(model, "memory.chances", movers.len())?;
    let rounds = model.u64s("memory.rounds", movers.len())?;
    let by = model.u8s("memory.by", movers.len())?;
    if movers.iter().any(|mover| *mover > NOBODY)
        || digits.iter().any(|digit| u64::from(*digit) >= eye.base())
        || by.iter().any(|by| usize::from(*by) >= By::ALL.len())
    {
        return Err(wrong("positions that can be"));
    }
    let example = |at: usize| Example {
        seen: Seen { digits: digits[at * cells..(at + 1) * cells].to_vec(), mover: movers[at] },
        chance: chances[at].clamp(0.0, 1.0),
        round: u32::try_from(rounds[at]).unwrap_or(0),
        by: By::ALL[usize::from(by[at])],
    };
    Ok((0..movers.len()).map(example).collect())
}

fn choices(model: &Model, eye: &Eye) -> Result<Vec<Choice>, ModelError> {
    let (cells, squares) = (eye.digits(), eye.cells);
    let movers = model.u8s("choices.movers", model.len_of("choices.movers"))?;
    let digits = model.u8s("choices.digits", movers.len() * cells)?;
    let rounds = model.u64s("choices.rounds", 2 * movers.len())?;
    let shares = finite(model, "choices.shares", model.len_of("choices.shares"))?;
    let ends = model.i32s("choices.ends", 2 * shares.len())?;
    let bad = || wrong("choices that can be");
    if movers.iter().any(|mover| *mover > NOBODY)
        || digits.iter().any(|digit| u64::from(*digit) >= eye.base())
    {
        return Err(bad());
    }
    let mut from = 0usize;
    let mut all = Vec::new();
    for (at, mover) in movers.iter().enumerate() {
        let count = usize::try_from(rounds[2 * at + 1]).map_err(|_| bad())?;
        let to = from.checked_add(count).filter(|to| *to <= shares.len()).ok_or_else(bad)?;
        let end = |end: i32| {
            u16::try_from(end)
                .ok()
                .filter(|end| *end == NO_CELL || usize::from(*end) < squares)
                .ok_or_else(bad)
        };
        let pairs = ends[2 * from..2 * to].chunks_exact(2).map(|pair| Ok([end(pair[0])?, end(pair[1])?]));
        all.push(Choice {
            seen: Seen { digits: digits[at * cells..(at + 1) * cells].to_vec(), mover: *mover },
            ends: pairs.collect::<Result<_, ModelError>>()?,
            shares: shares[from..to].to_vec(),
            round: u32::try_from(rounds[2 * at]).unwrap_or(0),
        });
        from = to;
    }
    Ok(all)
}

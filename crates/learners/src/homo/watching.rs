//! First it watches random games: what can lie on a cell, which images of the board make no difference, and how often what it sees is won.

use ludens_core::{Game, Meter, MindError, Move, NO_CELL, Rng, Score, Square, Turn};
use rustc_hash::{FxHashMap, FxHashSet};

use super::chunks::Chunks;
use super::eye::{Eye, Image, Kind, Sight, candidates, sense};
use super::foresight::is_law;
use super::judgement::{By, Example, Judge, Weights, chance};
use super::settings::Settings;

/// A game without a bound of its own ends as a draw after this many moves.
pub const MOST_PLIES: u32 = 1_000;
/// More kinds than this look like something unknown.
const MOST_KINDS: usize = 40;
/// An image is taken for the same if the judgement of games it has not learnt from does not get worse by more than this.
const NO_WORSE: f64 = 0.0005;
/// Times that a cell must have been opened, and the share of them with the same move, to be taken for its doing.
const OFTEN: u32 = 3;
const ALWAYS: f64 = 0.95;
/// Positions of watched games that are remembered, at most about as many.
const MOST_REMEMBERED: usize = 6_000;
/// Positions for trying out images.
const TRIED_ON: usize = 3_000;
/// Parts of the watched games, each held back once.
const PARTS: usize = 3;

/// A random game: its positions, and how it ended for the first player, from 0 to 1.
pub struct Watched<G: Game> {
    /// The start first; the end left out.
    pub states: Vec<G::State>,
    /// The move in each of them.
    pub moves: Vec<Move>,
    /// 1 won, 0 lost.
    pub chance: f32,
}

/// The first player's chance by a result.
pub fn won(score: Score) -> f32 {
    f32::midpoint(score.0.clamp(-1.0, 1.0), 1.0)
}

/// One uniformly random game from a state on.
pub fn random_game<G: Game>(game: &G, rng: &mut Rng, meter: &mut Meter) -> Watched<G> {
    let (mut state, mut moves, mut outcomes) = (game.start(), Vec::new(), Vec::new());
    let (mut states, mut played) = (Vec::new(), Vec::new());
    let mut chance = 0.5;
    for _ in 0..game.max_plies().unwrap_or(MOST_PLIES) + 1 {
        let mv = match game.turn(&state) {
            Turn::Over(score) => {
                chance = won(score);
                break;
            }
            Turn::Player(_) => {
                game.moves(&state, &mut moves);
                moves[rng.below(moves.len() as u32) as usize]
            }
            Turn::Chance => {
                game.chance(&state, &mut outcomes);
                rng.outcome(&outcomes)
            }
        };
        states.push(state.clone());
        played.push(mv);
        meter.add_states(1);
        game.apply(&mut state, mv);
    }
    Watched { states, moves: played, chance }
}

/// What it makes of the games it watched.
pub struct Impression {
    pub eye: Eye,
    pub examples: Vec<Example>,
}

/// Whether positions like this one are judged: in games of dice those before a throw, else all.
pub fn is_judged<G: Game>(game: &G, state: &G::State, dice: bool) -> bool {
    !dice || game.turn(state) == Turn::Chance
}

/// Watches random games.
pub fn watch<G: Game>(
    game: &G,
    settings: &Settings,
    rng: &mut Rng,
    meter: &mut Meter,
) -> Result<Impression, MindError> {
    let mut games = Vec::new();
    for _ in 0..settings.watched.min(settings.games) {
        meter.check()?;
        games.push(random_game(game, rng, meter));
    }
    let dice =
        games.iter().any(|watched| watched.states.iter().any(|state| game.turn(state) == Turn::Chance));
    let opens = what_opens(game, &games);
    let mut sight = Sight::default();
    let (mut kinds, mut moves) = (FxHashSet::default(), Vec::new());
    for watched in &games {
        for state in watched.states.iter().filter(|state| is_judged(game, state, dice)) {
            game.moves(state, &mut moves);
            sense(game, state, &moves, &opens, &mut sight, |seen: &mut dyn Iterator<Item = Kind>, _| {
                kinds.extend(seen)
            });
        }
    }
    let mut kinds: Vec<Kind> = kinds.into_iter().collect();
    kinds.sort_unstable();
    kinds.truncate(MOST_KINDS);
    let board = game.board(&game.start());
    let mut eye = Eye::new(&board, &game.facts(), kinds, opens, dice, settings);
    let mut examples = Vec::new();
    eye.foresees = settings.foresees && is_law(game, &eye, &games);
    let judged =
        |watched: &'_ Watched<G>| watched.states.iter().filter(|state| is_judged(game, state, dice)).count();
    // Long games would fill the memory with what random moves lead to.
    let each = (games.iter().map(judged).sum::<usize>() / MOST_REMEMBERED).max(1);
    for watched in &games {
        for state in watched.states.iter().filter(|state| is_judged(game, state, dice)).step_by(each) {
            game.moves(state, &mut moves);
            let mut example =
                Example { seen: Default::default(), chance: watched.chance, round: 0, by: By::Kept };
            eye.look(game, state, &moves, &mut sight, &mut example.seen);
            examples.push(example);
        }
    }
    if settings.symmetry {
        let declared = declared(game, &games, &candidates(&board));
        let images = find_images(&mut eye, settings, declared, candidates(&board), &examples, meter)?;
        eye.share(&images);
    }
    Ok(Impression { eye, examples })
}

/// For each cell the one that a move there opens: which moves go to from then on, and hardly ever without it.
fn what_opens<G: Game>(game: &G, games: &[Watched<G>]) -> Vec<u16> {
    let cells = game.board(&game.start()).squares.len();
    let (mut moves, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
    let mut opened = vec![0u32; cells];
    let mut together: FxHashMap<(u16, u16), u32> = FxHashMap::default();
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for watched in games {
        for two in watched.states.windows(2) {
            game.moves(&two[0], &mut moves);
            game.ends(&two[0], &moves, &mut before);
            game.moves(&two[1], &mut moves);
            game.ends(&two[1], &moves, &mut after);
            game.squares(&two[0], &mut old);
            game.squares(&two[1], &mut new);
            let was = |cell: u16| before.iter().any(|[_, to]| *to == cell);
            let filled = (0..cells as u16)
                .filter(|&cell| was(cell) && old[usize::from(cell)] != new[usize::from(cell)]);
            let filled: Vec<u16> = filled.collect();
            let mut fresh: Vec<u16> =
                after.iter().map(|[_, to]| *to).filter(|&to| to != NO_CELL && !was(to)).collect();
            fresh.sort_unstable();
            fresh.dedup();
            for cell in fresh {
                opened[usize::from(cell)] += 1;
                filled.iter().for_each(|by| *together.entry((*by, cell)).or_default() += 1);
            }
        }
    }
    let mut opens = vec![NO_CELL; cells];
    let mut pairs: Vec<(&(u16, u16), &u32)> = together.iter().collect();
    pairs.sort_unstable();
    for (&(by, cell), &times) in pairs {
        if times >= OFTEN && f64::from(times) >= ALWAYS * f64::from(opened[usize::from(cell)]) {
            opens[usize::from(by)] = cell;
        }
    }
    opens
}

/// The images of the board that the game itself says are the same.
fn declared<G: Game>(game: &G, games: &[Watched<G>], candidates: &[Image]) -> Vec<Image> {
    let (mut squares, mut image_squares) = (Vec::<Square>::new(), Vec::<Square>::new());
    let plain: Vec<&Image> = candidates.iter().filter(|image| !image.swaps).collect();
    let mut holds = vec![true; plain.len()];
    for state in games.iter().take(5).flat_map(|watched| &watched.states) {
        game.squares(state, &mut squares);
        let images: Vec<Vec<Square>> = game
            .mirrors(state)
            .iter()
            .map(|mirror| {
                game.squares(mirror, &mut image_squares);
                image_squares.clone()
            })
            .collect();
        for (image, holds) in plain.iter().zip(&mut holds) {
            let same = |other: &Vec<Square>| {
                image.cells.iter().zip(&squares).all(|(to, square)| other[usize::from(*to)] == *square)
            };
            *holds &= images.iter().any(same);
        }
    }
    plain.into_iter().zip(holds).filter(|(_, holds)| *holds).map(|(image, _)| image.clone()).collect()
}

/// Beside the declared images those with which games are judged as well that were not learnt from: fewer weights for the same is worth having.
fn find_images(
    eye: &mut Eye,
    settings: &Settings,
    declared: Vec<Image>,
    mut candidates: Vec<Image>,
    examples: &[Example],
    meter: &Meter,
) -> Result<Vec<Image>, MindError> {
    let step = (examples.len() / TRIED_ON).max(1);
    let tried: Vec<Example> = examples.iter().step_by(step).cloned().collect();
    let mut chosen = declared;
    eye.share(&chosen);
    let mut least = loss(eye, settings, &tried);
    loop {
        candidates.retain(|image| !eye.images.contains(image));
        let mut best: Option<(f64, Image)> = None;
        for image in &candidates {
            meter.check()?;
            let mut with = chosen.clone();
            with.push(image.clone());
            eye.share(&with);
            let loss = loss(eye, settings, &tried);
            if best.as_ref().is_none_or(|(other, _)| loss < *other) {
                best = Some((loss, image.clone()));
            }
        }
        eye.share(&chosen);
        match best {
            Some((loss, image)) if loss < least + NO_WORSE => {
                least = least.min(loss);
                chosen.push(image);
                eye.share(&chosen);
            }
            _ => return Ok(chosen),
        }
    }
}

/// How far off a judgement is that learnt from some games, on others; every third of the games is held back once.
fn loss(eye: &Eye, settings: &Settings, examples: &[Example]) -> f64 {
    let of = |part: usize| {
        let [from, to] = [part, part + 1].map(|part| examples.len() * part / PARTS);
        let learnt: Vec<Example> = [&examples[..from], &examples[to..]].concat();
        squares(eye, settings, &learnt, &examples[from..to])
    };
    (0..PARTS).map(of).sum::<f64>() / examples.len().max(1) as f64
}

/// The sum of squared errors on what was held back.
fn squares(eye: &Eye, settings: &Settings, learnt: &[Example], held_back: &[Example]) -> f64 {
    let mut chunks = Chunks::new(eye);
    learnt.iter().for_each(|example| chunks.meet(eye, settings, &example.seen, 0));
    let mut weights = Weights::default();
    weights.grow(&chunks, &|_| 0.0);
    for epoch in 0..2 {
        weights.learn((eye, settings, &chunks), learnt, &mut Rng::stream(0, epoch));
    }
    let judge = Judge::new(&chunks, weights.of, Default::default());
    let mut active = Default::default();
    let square = |example: &Example| {
        let thought = chance(judge.log_odds((eye, settings, &chunks), &example.seen, &mut active));
        f64::from(ludens_core::math::square(thought - example.chance))
    };
    held_back.iter().map(square).sum()
}

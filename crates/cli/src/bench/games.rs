//! `ludens bench games`: random playouts of every game of the list, Reversi's perft and endgames.

use std::path::Path;

use anyhow::Context;
use cpu_time::ThreadTime;
use ludens_catalogue::House;
use ludens_core::store::{TEXT_BYTES, read_text_bounded};
use ludens_core::{Front, Game, Rng};
use ludens_games::reversi::Reversi;
use ludens_search::reversi_endgame::Endgame;

use super::{Args, Row, Subject};

/// Floors and goals in playouts per CPU-second.
const FIGURES: [(&str, f64, f64); 4] = [
    ("tic-tac-toe", 7e6, 10e6),
    ("connect-four", 2.4e6, 4e6),
    ("reversi", 0.35e6, 0.8e6),
    ("backgammon", 5e3, 15e3),
];

pub fn rows(house: &House, args: &Args) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for about in house.games.list() {
        let row = playouts_row(&*house.games.open(&about.id)?, args);
        let figure = FIGURES.iter().find(|(game, ..)| *game == about.id);
        rows.push(match figure {
            Some(&(_, floor, goal)) => row.against(floor, goal),
            None => row,
        });
    }
    rows.push(perft_row(args));
    rows.push(endgame_row(args)?);
    Ok(rows)
}

fn playouts_row(front: &dyn Front, args: &Args) -> Row {
    /// Between two looks at the clock.
    const BATCH: u64 = 1_000;
    let mut rng = Rng::new(args.seed);
    Row::measure(format!("playouts, {}", front.id()), "playouts", args.seconds, || {
        front.playouts(BATCH, &mut rng).games
    })
}

/// The leaves of Reversi from its start, the last ply counted in bulk.
fn perft_row(args: &Args) -> Row {
    const DEPTH: u32 = 10;
    let reversi = Reversi::default();
    let start = reversi.start();
    Row::measure(format!("perft {DEPTH}, reversi"), "leaves", args.seconds, || reversi.perft(&start, DEPTH))
        .against(250e6, 600e6)
}

/// Endings of our own, for when no file of positions is given: from random games, so many squares left.
const OWN_ENDINGS: u64 = 20;
const OWN_EMPTIES: u32 = 18;

/// Solves every position of `--file`, or of every .obf file in that folder, and holds the results against the scores in
/// it; without one, endings of random games. A line is `POSITION SIDE; A1:+2; …`, as the FFO positions are published.
fn endgame_row(args: &Args) -> anyhow::Result<Row> {
    let reversi = Reversi::default();
    let given = args.file.as_ref().filter(|_| args.subject == Some(Subject::Games));
    let (lines, name) = match given {
        Some(path) => (published_endings(path)?, format!("endgames of {}", path.display())),
        None => (own_endings(&reversi, args.seed), format!("endgames, {OWN_EMPTIES} empty, random games")),
    };
    let mut solver = Endgame::default();
    let (mut nodes, mut seconds, mut solved, mut wrong) = (0, 0.0, 0, 0);
    for line in &lines {
        let mut fields = line.split(';');
        let state = reversi.parse(fields.next().unwrap_or_default())?;
        let began = ThreadTime::now();
        let solution = solver.solve(state.own(), state.other());
        seconds += began.elapsed().as_secs_f64();
        nodes += solution.nodes;
        solved += 1;
        let published = fields.filter_map(|field| field.split_once(':')?.1.trim().parse::<i32>().ok()).max();
        wrong += u32::from(published.is_some_and(|score| score != solution.score));
    }
    let mut row = Row::of(name, "nodes", nodes as f64 / f64::max(seconds, 1e-9), seconds);
    row.note = format!("{solved} solved in {seconds:.2} CPU-s, {wrong} unlike the published score");
    Ok(row)
}

fn published_endings(path: &Path) -> anyhow::Result<Vec<String>> {
    let help = || {
        format!(
            "cannot read {}; --file takes lines `64 SQUARES SIDE; MOVE:SCORE; …`, or a folder of .obf files",
            path.display()
        )
    };
    let mut files = vec![path.to_path_buf()];
    if path.is_dir() {
        files = std::fs::read_dir(path).with_context(help)?.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "obf"));
        files.sort();
    }
    let mut lines = Vec::new();
    for file in files {
        let text = read_text_bounded(&file, TEXT_BYTES).with_context(help)?;
        lines.extend(text.lines().filter(|line| !line.trim().is_empty()).map(String::from));
    }
    Ok(lines)
}

fn own_endings(reversi: &Reversi, seed: u64) -> Vec<String> {
    let mut endings = Vec::new();
    let mut moves = Vec::new();
    for unit in 0..OWN_ENDINGS {
        let mut rng = Rng::stream(seed, unit);
        let mut state = reversi.start();
        loop {
            if state.empties().count_ones() == OWN_EMPTIES {
                endings.push(reversi.text(&state));
                break;
            }
            reversi.moves(&state, &mut moves);
            if moves.is_empty() {
                break;
            }
            reversi.apply(&mut state, moves[rng.below(moves.len() as u32) as usize]);
        }
    }
    endings
}

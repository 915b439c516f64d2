//! `ludens bench gdl`: load times and random playouts of games from rules, on the bit-parallel and on the
//! incremental machine. `--file DIR` takes another folder of rules than our own; the figures of the project are for
//! `../shared/data/gdl/games`.

use std::path::{Path, PathBuf};

use cpu_time::ThreadTime;
use ludens_core::store::{TEXT_BYTES, read_text_bounded};
use ludens_gdl::playouts::{one_by_one, random_playouts};
use ludens_gdl::{Description, Limits, PlayoutOptions};

use super::{Args, Row};
use crate::out::Usage;

/// Playouts per CPU-second (floor, goal) and CPU-seconds to load (floor, goal), by file.
type Figures = (&'static str, Option<(f64, f64)>, Option<(f64, f64)>);
const FIGURES: [Figures; 7] = [
    ("ticTacToe", Some((311e3, 3e6)), None),
    ("connectFour", Some((90e3, 1e6)), Some((1.0, 0.1))),
    ("reversi", Some((1.3e3, 12e3)), Some((10.0, 1.0))),
    ("chess_200", Some((203.0, 1.1e3)), Some((30.0, 5.0))),
    ("hex", Some((426.0, 10e3)), None),
    ("skirmish", Some((596.0, 5e3)), None),
    ("breakthrough", Some((19e3, 150e3)), None),
];

pub fn rows(args: &Args) -> anyhow::Result<Vec<Row>> {
    let own = [
        ("tic-tac-toe", include_str!("../../../gdl/rules/tic-tac-toe.kif")),
        ("connect-four", include_str!("../../../gdl/rules/connect-four.kif")),
        ("reversi", include_str!("../../../gdl/rules/reversi.kif")),
        ("breakthrough", include_str!("../../../gdl/rules/breakthrough.kif")),
        ("hex-7", include_str!("../../../gdl/rules/hex-7.kif")),
    ];
    let mut games: Vec<(String, String)> = match &args.file {
        Some(path) => files(path)?,
        None => own.iter().map(|(n, t)| (format!("own {n}"), t.to_string())).collect(),
    };
    let shared = PathBuf::from("../shared/data/gdl/games");
    if args.file.is_none() && shared.is_dir() {
        for (name, ..) in FIGURES {
            if let Ok(text) = read_text_bounded(&shared.join(format!("{name}.kif")), TEXT_BYTES) {
                games.push((name.into(), text));
            }
        }
    }
    let mut rows = Vec::new();
    for (name, text) in games {
        rows.extend(game_rows(&name, &text, args)?);
    }
    Ok(rows)
}

fn files(path: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let wrong =
        |e: std::io::Error| Usage(format!("{}: {e}; give a rule file or a folder of them", path.display()));
    let mut list = vec![path.to_path_buf()];
    if path.is_dir() {
        list = std::fs::read_dir(path).map_err(wrong)?.filter_map(|e| Some(e.ok()?.path())).collect();
        list.retain(|p| ludens_gdl::is_rule_file(&p.display().to_string()));
        list.sort();
    }
    if list.is_empty() {
        return Err(Usage(format!("{} holds no rule file (.kif, .gdl)", path.display())).into());
    }
    list.iter()
        .map(|p| {
            let name = p.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
            Ok((name, read_text_bounded(p, TEXT_BYTES).map_err(wrong)?))
        })
        .collect()
}

fn game_rows(name: &str, text: &str, args: &Args) -> anyhow::Result<Vec<Row>> {
    let clock = ThreadTime::now();
    let game = Description::load(text, &Limits::default()).map_err(|e| Usage(format!("{name}: {e}")))?;
    let seconds = clock.elapsed().as_secs_f64();
    let figures = FIGURES.iter().find(|f| f.0 == name);
    let mut load = Row::of(format!("{name} load"), "load", 1.0 / seconds.max(1e-9), seconds);
    load.note = format!("{:.1} ms", seconds * 1e3);
    if let Some((floor, goal)) = figures.and_then(|f| f.2) {
        load = load.against(1.0 / floor, 1.0 / goal);
    }
    if game.grounded().is_err() {
        load.note += ", too large to ground";
        return Ok(vec![load]);
    }
    let mut rows = vec![load];
    rows.push(playout_row(name, "bit-parallel", args, |count, seed| {
        let options = PlayoutOptions { count, seed, step_cap: 2000 };
        Ok(random_playouts(&game, &options)?)
    })?);
    if let Some((floor, goal)) = figures.and_then(|f| f.1)
        && let Some(row) = rows.pop()
    {
        rows.push(row.against(floor, goal));
    }
    let mut reasoner = game.reasoner()?;
    let start = reasoner.state();
    rows.push(playout_row(name, "incremental", args, |count, seed| {
        reasoner.set_state(&start);
        let options = PlayoutOptions { count: count.div_ceil(256), seed, step_cap: 2000 };
        Ok(one_by_one(&mut reasoner, &options)?)
    })?);
    Ok(rows)
}

/// Doubles the number of playouts until they take long enough.
fn playout_row(
    name: &str,
    machine: &str,
    args: &Args,
    mut play: impl FnMut(u64, u64) -> anyhow::Result<ludens_gdl::Tally>,
) -> anyhow::Result<Row> {
    let mut count = 512;
    loop {
        let clock = ThreadTime::now();
        let tally = play(count, args.seed)?;
        let seconds = clock.elapsed().as_secs_f64();
        if seconds >= args.seconds || count >= 1 << 32 {
            let rate = tally.finished as f64 / seconds;
            let mut row = Row::of(format!("{name} {machine}"), "playouts", rate, seconds);
            row.note = format!("{:.2} M state changes/s", tally.steps as f64 / seconds / 1e6);
            return Ok(row);
        }
        let factor = (args.seconds / seconds.max(1e-4) * 1.1).clamp(2.0, 64.0);
        count = (count as f64 * factor) as u64;
    }
}

//! Concepts on a whole corpus of games: what is found, in words, and whether it helps.
//!
//!     cargo run --release -p ludens-lab --example concept_games -- ../shared/data/gdl/games games.jsonl [MODE] [--seconds N] [GAME…]
//!
//! MODE `depth1` (the default) lets the depth-1 player with concepts meet the one without, `alphabeta` a search of two plies with
//! concepts in its leaves one without a heuristic, `uct` a tree search to which concepts speak first plain UCT with as many
//! states, each by a sequential test. The file gets one line a game and mode; what it has is not done
//! again, but tests that stayed open are when they are given more seconds. MODE `table` prints the file as tables for docs/learners/concepts-tables.md.

use std::collections::BTreeSet;
use std::sync::Arc;

use ludens_arena::{ArenaError, Options, Report, Sprt, Tournament, Verdict, run_in};
use ludens_core::{Game, Hall, HallOf, Made, MindError, Seat, Stop};
use ludens_gdl::{GdlGame, Limits as RuleLimits, read_rules};
use ludens_learners::beyond::selected_concepts::ConceptHeuristic;
use ludens_learners::concepts::{ConceptLearner, ConceptPlayer, Parameters};
use ludens_learners::registry;
use ludens_learners::rules::Kept;
use ludens_search::{AlphaBeta, GuidedUct, Limits, UctSettings};
use serde::{Deserialize, Serialize};

type Failure = Box<dyn std::error::Error>;

const LEARNER: &str = "concepts-selected:kind=wide";
/// How many random games the word of the concepts counts as: the default of the mind, chosen on our own rules of Connect Four and breakthrough.
const WEIGHT: f32 = 3.0;
/// Seconds that the match on one game may take, about, unless told otherwise.
const SECONDS: f64 = 30.0;
/// Pairs of games at least, and for each of those seconds at most.
const LEAST_PAIRS: u32 = 40;
const MOST_PAIRS: f64 = 400.0;

#[derive(Serialize, Deserialize)]
struct Line {
    game: String,
    mode: String,
    /// Why there was no match, if there was none.
    skipped: Option<String>,
    board: String,
    /// The chosen concepts with their weights, the weightiest first.
    concepts: Vec<String>,
    games: u64,
    score: f64,
    low: f64,
    high: f64,
    llr: f64,
    verdict: Option<Verdict>,
}

struct Study<'a> {
    name: &'a str,
    mode: &'a str,
    seconds: f64,
}

impl Study<'_> {
    fn of(&self, game: &Arc<GdlGame>) -> Result<Line, Failure> {
        let board = game.board(&game.start());
        let mut line = Line::new(self.name, self.mode);
        line.board = format!("{} × {}", board.width, board.height);
        let (mut spec, around) = (LEARNER.parse()?, Arc::default());
        let mut learner = ConceptLearner::new(&**game, &around, &mut spec, &Parameters::selected())?;
        learner.advance(&**game, &Stop::default())?;
        let mut chosen: Vec<_> = learner.learnt().chosen.iter().collect();
        chosen.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        line.concepts = chosen
            .iter()
            .map(|c| format!("{:+.2} {} {}", c.weight, c.feature.picture(), c.feature.name()))
            .collect();
        if chosen.is_empty() {
            line.skipped = Some("no concept pays for its description".into());
            return Ok(line);
        }
        line.take(&self.matches(game, &learner.learnt().player)?);
        Ok(line)
    }

    /// As many games as there is time for.
    fn matches(&self, game: &Arc<GdlGame>, player: &ConceptPlayer) -> Result<Report, ArenaError> {
        let minds = match self.mode {
            "alphabeta" => ["alphabeta:depth=2,heuristic=concepts", "alphabeta:depth=2,heuristic=zero"],
            "uct" => ["uct:states=2000,heuristic=concepts", "uct:states=2000"],
            _ => [LEARNER, "depth1"],
        };
        let mut tournament = Tournament::new(&game.id(), &minds);
        tournament.seed = 7;
        tournament.max_plies = 400;
        let hall = || -> Box<dyn Hall> {
            let (player, rules, mode) = (player.clone(), game.clone(), self.mode.to_string());
            // What was learnt once is handed to every game.
            let hall = HallOf::new(game.clone()).with(move || Ok(with_concepts(&mode, &player)));
            Box::new(hall.with(move || without(&rules, minds[1])))
        };
        let play = |tournament: &Tournament| run_in(&hall, tournament, &Options::threads(1), &|_| {});
        tournament.pairs = 2;
        let clock = cpu_time::ThreadTime::now();
        play(&tournament)?;
        let pair = clock.elapsed().as_secs_f64() / 2.0;
        let most = (MOST_PAIRS * self.seconds / SECONDS) as u32;
        tournament.pairs = ((self.seconds / pair.max(1e-6)) as u32).clamp(LEAST_PAIRS, most.max(LEAST_PAIRS));
        tournament.seed = 1;
        tournament.sprt = Some(Sprt { elo0: 0.0, elo1: 50.0, ..Sprt::default() });
        play(&tournament)
    }
}

fn with_concepts(mode: &str, player: &ConceptPlayer) -> Box<dyn ludens_core::Mind<GdlGame>> {
    let heuristic = ConceptHeuristic::new(player.clone());
    match mode {
        "alphabeta" => Box::new(AlphaBeta::new(heuristic, Limits::depth(2))),
        "uct" => {
            let settings = UctSettings { states: Some(2_000), ..UctSettings::default() };
            Box::new(GuidedUct::new(settings, heuristic, WEIGHT))
        }
        _ => Box::new(player.clone()),
    }
}

/// A mind of the list.
fn without(game: &Arc<GdlGame>, text: &str) -> Made<GdlGame> {
    let spec: ludens_core::Spec = text.parse()?;
    let entries = registry::general();
    let missing = || MindError::Unknown { name: spec.name.clone(), near: None };
    let entry = entries.find_mind(&spec.name).ok_or_else(missing)?;
    entry.make(&Seat { game, around: &Arc::default(), stop: &Stop::default() }, spec)
}

impl Line {
    fn new(game: &str, mode: &str) -> Line {
        Line {
            game: game.into(),
            mode: mode.into(),
            skipped: None,
            board: String::new(),
            concepts: Vec::new(),
            games: 0,
            score: 0.0,
            low: 0.0,
            high: 0.0,
            llr: 0.0,
            verdict: None,
        }
    }

    fn take(&mut self, report: &Report) {
        if let Some(pairing) = report.pairings.first() {
            self.games = pairing.tally.games();
            self.score = pairing.score;
            (self.low, self.high) = (pairing.score_interval.low, pairing.score_interval.high);
        }
        if let Some(sprt) = &report.sprt {
            self.llr = sprt.llr;
            self.verdict = Some(sprt.verdict);
        }
    }

    /// What the sequential test says, in a word.
    fn outcome(&self) -> &'static str {
        match self.verdict {
            Some(Verdict::AcceptH1) => "better",
            Some(Verdict::AcceptH0) => "not better",
            _ => "open",
        }
    }
}

fn table(lines: &[Line]) {
    for mode in lines.iter().map(|l| l.mode.as_str()).collect::<BTreeSet<_>>() {
        println!("\n**{mode}**\n\n| game | board | concepts that say most | games | score | LLR | test |");
        println!("|---|---|---|---:|---:|---:|---|");
        for l in lines.iter().filter(|l| l.mode == mode && l.verdict.is_some()) {
            let concepts: Vec<&str> = l.concepts.iter().take(3).map(String::as_str).collect();
            println!(
                "| {} | {} | {} | {} | {:.3} [{:.3} – {:.3}] | {:+.2} | {} |",
                l.game,
                l.board,
                concepts.join("; "),
                l.games,
                l.score,
                l.low,
                l.high,
                l.llr,
                l.outcome()
            );
        }
        let count = |word: &str| {
            lines.iter().filter(|l| l.mode == mode && l.verdict.is_some() && l.outcome() == word).count()
        };
        println!("\n{} better, {} not better, {} open.", count("better"), count("not better"), count("open"));
        let without = lines.iter().filter(|l| l.mode == mode && l.skipped.is_some());
        let without: Vec<String> =
            without.map(|l| format!("{} ({})", l.game, l.skipped.as_deref().unwrap_or_default())).collect();
        println!("\nNot tried: {}.", without.join("; "));
    }
}

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let usage = "usage: concept_games DIR FILE [depth1 | alphabeta | uct | table] [--seconds N] [GAME…]";
    let (dir, file) = (args.next().ok_or(usage)?, args.next().ok_or(usage)?);
    let mode = args.next().unwrap_or_else(|| "depth1".into());
    let mut only: Vec<String> = args.collect();
    let mut seconds = SECONDS;
    if only.first().is_some_and(|word| word == "--seconds") {
        seconds = only.get(1).and_then(|word| word.parse().ok()).ok_or(usage)?;
        only.drain(..2);
    }
    let done = std::fs::read_to_string(&file).unwrap_or_default();
    let mut lines: Vec<Line> = done.lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
    if mode == "table" {
        table(&lines);
        return Ok(());
    }
    let mut names: Vec<String> = std::fs::read_dir(&dir)?
        .filter_map(|entry| entry.ok()?.path().file_stem().map(|stem| stem.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    let kept = Kept::default();
    for name in names {
        let settled = |l: &Line| {
            l.game == name
                && l.mode == mode
                && (seconds <= SECONDS || l.skipped.is_some() || l.outcome() != "open")
        };
        if (!only.is_empty() && !only.contains(&name)) || lines.iter().any(settled) {
            continue;
        }
        let clock = cpu_time::ThreadTime::now();
        // Games for one, for many, or at the same time have no place here.
        let Ok(text) = read_rules(format!("{dir}/{name}.kif").as_ref()) else { continue };
        let Ok(game) = kept.open(&name, &text, &RuleLimits::default().stop) else { continue };
        let study = Study { name: &name, mode: &mode, seconds };
        let line = match study.of(&game) {
            Ok(line) => line,
            Err(error) => Line { skipped: Some(error.to_string()), ..Line::new(&name, &mode) },
        };
        println!("{name}: {:.3} {} {:.0} s", line.score, line.outcome(), clock.elapsed().as_secs_f64());
        lines.retain(|l| l.game != name || l.mode != mode);
        lines.push(line);
        let text = lines.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?.join("\n") + "\n";
        ludens_core::store::write_atomic(std::path::Path::new(&file), text.as_bytes())?;
    }
    Ok(())
}

//! `ludens concepts`: what random games of a game teach, in rules, words and pictures.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use ludens_catalogue::House;
use ludens_core::{Spec, Stop, store};
use ludens_learners::beyond::selected_concepts::Feature;
use ludens_learners::concepts::{Concept, ConceptLearner, Parameters};
use serde::Serialize;

use crate::draw;
use crate::out::Out;

/// List the concepts a game teaches, with their worth.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens concepts tic-tac-toe
  ludens concepts tic-tac-toe --rules
  ludens concepts connect-four --from tic-tac-toe --playouts 100
  ludens concepts connect-four --html concepts.html
  ludens concepts rules/breakthrough.kif --kind wide")]
pub struct Args {
    /// The game, native or a file of rules
    game: String,
    /// Take the relations between cells from this game
    #[arg(long)]
    from: Option<String>,
    /// What may be chosen: selected (patterns in a line) or wide (also material, places and mobility)
    #[arg(long, default_value = "selected")]
    kind: String,
    /// Random games won by each side
    #[arg(long, default_value_t = 100)]
    playouts: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Beside the words the rules of the paper
    #[arg(long)]
    rules: bool,
    /// Write a page with pictures
    #[arg(long)]
    html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    from: String,
    /// Relations between two cells, found by Algorithms 1 and 2.
    concepts: Vec<Described>,
    /// Patterns along them, chosen by what they say about winning.
    patterns: Vec<Pattern>,
}

#[derive(Serialize)]
struct Described {
    rule: String,
    words: String,
    picture: Vec<String>,
    /// True when it names no mark, and so means something in any game.
    general: bool,
}

#[derive(Serialize)]
struct Pattern {
    name: String,
    picture: String,
    /// What one match adds to the log-odds of winning.
    worth: f64,
    /// What it added to the log-likelihood of the games, in nats.
    gain: f64,
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let report = study(house, args)?;
    if let Some(path) = &args.html {
        store::write_atomic(path, page(&report).as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if args.json {
        return out.json(&report);
    }
    writeln!(
        out,
        "{}",
        draw::styled("What tells won from lost games (worth in log-odds a match)", draw::STRONG)
    )?;
    for pattern in &report.patterns {
        writeln!(out, "  {:+.2}  {:8} {}", pattern.worth, pattern.picture, pattern.name)?;
    }
    if report.patterns.is_empty() {
        writeln!(out, "  nothing yet: give it more games with --playouts")?;
    }
    let title = format!("\nRelations between two cells that they are made of ({})", report.concepts.len());
    writeln!(out, "{}", draw::styled(title, draw::STRONG))?;
    for concept in &report.concepts {
        writeln!(out, "  {}", concept.words)?;
        if args.rules {
            writeln!(out, "    {}", draw::styled(&concept.rule, draw::FAINT))?;
        }
    }
    if let Some(path) = &args.html {
        writeln!(out, "\nThe page is {}", path.display())?;
    }
    Ok(())
}

fn study(house: &House, args: &Args) -> anyhow::Result<Report> {
    let front = house.games.open(&args.game)?;
    let mut spec = Spec::new("concepts").with("playouts", args.playouts).with("seed", args.seed);
    spec = spec.with("kind", &args.kind);
    if let Some(from) = &args.from {
        spec = spec.with("from", from);
    }
    let recorder = front.recorder();
    let mut learner =
        ConceptLearner::new(recorder, house.games.around(), &mut spec, &Parameters::selected())?;
    learner.advance(recorder, &Stop::default())?;
    let vocabulary = learner.vocabulary();
    let describe = |(number, concept): (usize, &Concept)| Described {
        rule: concept.rule(&format!("concept{}", number + 1), vocabulary),
        words: concept.words(vocabulary),
        picture: concept.picture(vocabulary),
        general: concept.is_general(),
    };
    let patterns = learner.learnt().chosen.iter().map(|chosen| Pattern {
        name: chosen.feature.name(),
        picture: picture(&chosen.feature),
        worth: chosen.weight,
        gain: chosen.gain,
    });
    Ok(Report {
        game: front.id(),
        from: args.from.clone().unwrap_or_else(|| front.id()),
        concepts: learner.binary().iter().enumerate().map(describe).collect(),
        patterns: patterns.collect(),
    })
}

/// Own stones are full, the other's hollow.
fn picture(feature: &Feature) -> String {
    let full = feature.picture();
    if feature.own { full } else { full.replace('●', "○") }
}

/// A self-contained page: each concept as a small board with its words.
fn page(report: &Report) -> String {
    let mut cards = String::new();
    for pattern in &report.patterns {
        let side = if pattern.worth > 0.0 { "for" } else { "against" };
        let _ = write!(
            cards,
            "<figure class={side}>{}<figcaption><b>{:+.2}</b> {}</figcaption></figure>",
            board(std::slice::from_ref(&pattern.picture)),
            pattern.worth,
            escape(&pattern.name)
        );
    }
    let mut relations = String::new();
    for concept in &report.concepts {
        let _ = write!(
            relations,
            "<figure>{}<figcaption>{}<code>{}</code></figcaption></figure>",
            board(&concept.picture),
            escape(&concept.words),
            escape(&concept.rule)
        );
    }
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\
         <title>Concepts of {game}</title><style>{STYLE}</style><h1>Concepts of {game}</h1>\
         <p>Relations found in random games of {from}; patterns along them chosen by what they say about winning {game}. \
         A worth is what one match adds to the log-odds of winning; own stones are full, the other's hollow.</p>\
         <h2>What tells won from lost games</h2><main>{cards}</main><h2>Relations</h2><main>{relations}</main></html>",
        game = escape(plain(&report.game)),
        from = escape(plain(&report.from)),
    )
}

/// A game's name as people write it: without the checksum of its rules, without folders.
fn plain(game: &str) -> &str {
    let name = game.split('@').next().unwrap_or(game);
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

const STYLE: &str = "\
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:60rem;margin:2rem auto;padding:0 1rem}\
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:1rem}\
figure{margin:0;padding:1rem;border:1px solid #8884;border-radius:8px}.for{border-left:4px solid #0072b2}\
.against{border-left:4px solid #d55e00}code{display:block;font-size:.75rem;opacity:.7;overflow-wrap:anywhere}svg{height:5rem;max-width:100%}";

/// The rows of a picture as squares with stones.
fn board(rows: &[String]) -> String {
    let width = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
    let mut svg =
        format!("<svg viewBox='0 0 {} {}' role=img aria-label='pattern'>", width * 10, rows.len() * 10);
    for (y, row) in rows.iter().enumerate() {
        for (x, mark) in row.chars().enumerate() {
            let (left, top) = (x * 10, y * 10);
            let _ = write!(
                svg,
                "<rect x='{left}' y='{top}' width='10' height='10' fill='none' stroke='#8888' stroke-width='.4'/>"
            );
            match mark {
                '·' => {}
                '●' => {
                    let _ =
                        write!(svg, "<circle cx='{}' cy='{}' r='3.6' fill='#0072b2'/>", left + 5, top + 5);
                }
                '○' => {
                    let (x, y) = (left + 5, top + 5);
                    let _ = write!(
                        svg,
                        "<circle cx='{x}' cy='{y}' r='3' fill='none' stroke='#d55e00' stroke-width='1.4'/>"
                    );
                }
                other => {
                    let _ = write!(
                        svg,
                        "<text x='{}' y='{}' font-size='6' text-anchor='middle' fill='currentColor'>{}</text>",
                        left + 5,
                        top + 7,
                        escape(&other.to_string())
                    );
                }
            }
        }
    }
    svg + "</svg>"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\'', "&#39;")
}

//! `ludens report`: a result file as a page or as Markdown.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use ludens_core::store::{TEXT_BYTES, read_bounded, write_atomic};
use ludens_lab::{PaperResult, report};

use crate::out::{Out, Usage};

/// Make the report of a result.json again, as a page or as Markdown.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens report results/contexts/paper.json --out contexts.html
  ludens report results/contexts/paper.json --markdown")]
pub struct Args {
    /// A result.json written by `ludens reproduce`
    result: PathBuf,
    /// Print Markdown instead of writing a page
    #[arg(long)]
    markdown: bool,
    /// Where the page goes; printed without it
    #[arg(long, conflicts_with = "markdown")]
    out: Option<PathBuf>,
}

pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let bytes = read_bounded(&args.result, TEXT_BYTES)
        .map_err(|error| crate::input::unreadable(&args.result, &error))?;
    let result: PaperResult = serde_json::from_slice(&bytes).map_err(|error| {
        Usage(format!("{} is not a result of `ludens reproduce`: {error}", args.result.display()))
    })?;
    match &args.out {
        Some(path) => {
            write_atomic(path, report::page(&result).as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
            writeln!(out, "{}", path.display())?;
        }
        None if args.markdown => write!(out, "{}", report::markdown(&result))?,
        None => write!(out, "{}", report::page(&result))?,
    }
    Ok(())
}

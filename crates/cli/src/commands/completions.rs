//! `ludens completions`

use std::io::Write;

use clap_complete::Shell;

use crate::out::Out;

/// Print a completion script for your shell.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example:\n  ludens completions bash > ~/.local/share/bash-completion/completions/ludens"
)]
pub struct Args {
    shell: Shell,
}

pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::parser(), "ludens", &mut script);
    out.write_all(&script)?;
    Ok(())
}

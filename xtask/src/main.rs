//! `cargo xtask …`: everything done with the project besides running it.

mod attack;
mod examples;
mod first_minutes;
mod house;
mod python;
mod steps;
mod supply;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask test [STEP …]   set up what is needed and run everything, or only the named steps
cargo xtask steps           list the steps of the test
cargo xtask laws [GAMES]    the laws of every game on GAMES random games each (a million by default)
cargo xtask docs            make the generated tables in docs/ anew from results/
cargo xtask faithfulness [--resume]
                            measure the minds anew, keep it as results/faithfulness/quick.json, and make the docs anew
cargo xtask dist            build the Python wheel and the program for x86-64-v3 into dist/
cargo xtask pictures        play in the browser and make the pictures of the docs anew
cargo xtask first-minutes   time a fresh clone and its build, for docs/first-minutes.md
cargo xtask zoo             train the models inside the program anew from their seeds
cargo xtask zoo --check     the same in another folder, compared byte for byte
cargo xtask attack [--seed N] [--budget small|large] [KIND …]
                            kills, failing disks, damaged stores, bombs, floods, hostile arguments, fuzz: docs/reliability.md
cargo xtask fuzz [SECONDS]  every fuzz target for a while (needs cargo-fuzz and a nightly toolchain)";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["test", names @ ..] => steps::test(names),
        ["steps"] => steps::list(),
        ["laws"] => steps::laws("1000000"),
        ["laws", games] => steps::laws(games),
        ["docs"] => steps::docs(),
        ["faithfulness"] => steps::faithfulness(false),
        ["faithfulness", "--resume"] => steps::faithfulness(true),
        ["dist"] => python::dist(),
        ["pictures"] => steps::browser(true),
        ["first-minutes"] => first_minutes::measure(),
        ["zoo"] => steps::zoo(false),
        ["zoo", "--check"] => steps::zoo(true),
        ["attack", words @ ..] => attack::command(words),
        ["fuzz"] => steps::fuzz("60"),
        ["fuzz", seconds] => steps::fuzz(seconds),
        _ => Err(USAGE.into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

//! The program: every command on the standard catalogue.

fn main() -> std::process::ExitCode {
    // Before anything else: what comes later may be an instruction that this processor does not have.
    if let Err(lacking) = ludens::core::machine::check() {
        eprintln!("error: {lacking}");
        return std::process::ExitCode::FAILURE;
    }
    ludens_cli::main(ludens::Catalogue::standard())
}

//! The program: every command on the standard catalogue.

fn main() -> std::process::ExitCode {
    ludens_cli::main(ludens::Catalogue::standard())
}

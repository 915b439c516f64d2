//! Lists the models of `zoo/` for embedding, so that adding one is adding a file.

use std::fmt::Write;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=zoo");
    // Asked when it runs: the folder in which it was compiled may be another one.
    let home = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the package");
    let folder = Path::new(&home).join("zoo");
    let entries = std::fs::read_dir(&folder).expect("the zoo is there").flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "safetensors"))
        .collect();
    files.sort();
    let mut table = String::from("pub static FILES: &[(&str, &[u8])] = &[\n");
    for file in files {
        let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let _ = writeln!(table, "    ({name:?}, include_bytes!({:?})),", file.display().to_string());
    }
    table.push_str("];\n");
    let out = std::env::var_os("OUT_DIR").expect("cargo names the folder");
    std::fs::write(Path::new(&out).join("zoo_files.rs"), table).expect("the folder can be written");
}

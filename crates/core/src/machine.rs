//! Whether this machine has what the program was built for. A program built with `target-cpu` ends with an illegal instruction on a machine that
//! lacks one; it can say so beforehand instead.

use std::fmt;

/// What a program was built for and this machine lacks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lacking(Vec<&'static str>);

impl fmt::Display for Lacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "this processor lacks {}, for which this program was built: build it here (`cargo build --release`, `pip install .`)",
            self.0.join(", ")
        )
    }
}

impl std::error::Error for Lacking {}

/// One name and its blank, or nothing: constants can be put together only from literals.
macro_rules! used {
    ($($name:literal => $mark:ident),* $(,)?) => {$(
        #[cfg(target_feature = $name)]
        macro_rules! $mark { () => { concat!($name, " ") }; }
        #[cfg(not(target_feature = $name))]
        macro_rules! $mark { () => { "" }; }
    )*};
}

used! {
    "sse3" => sse3, "ssse3" => ssse3, "sse4.1" => sse41, "sse4.2" => sse42, "popcnt" => popcnt, "movbe" => movbe,
    "avx" => avx, "f16c" => f16c, "fma" => fma, "avx2" => avx2, "bmi1" => bmi1, "bmi2" => bmi2, "lzcnt" => lzcnt,
    "adx" => adx, "sha" => sha, "avx512f" => avx512f, "avx512cd" => avx512cd, "avx512bw" => avx512bw,
    "avx512dq" => avx512dq, "avx512vl" => avx512vl, "avx512vbmi" => avx512vbmi, "gfni" => gfni, "vaes" => vaes,
}

/// The extensions of the instruction set that this build uses, between two marks: what looks for it in the file of a library can know before
/// anything of it runs.
pub const MARK: &str = concat!(
    "ludens-needs: ",
    sse3!(),
    ssse3!(),
    sse41!(),
    sse42!(),
    popcnt!(),
    movbe!(),
    avx!(),
    f16c!(),
    fma!(),
    avx2!(),
    bmi1!(),
    bmi2!(),
    lzcnt!(),
    adx!(),
    sha!(),
    avx512f!(),
    avx512cd!(),
    avx512bw!(),
    avx512dq!(),
    avx512vl!(),
    avx512vbmi!(),
    gfni!(),
    vaes!(),
    ";"
);

/// The names of the extensions that this build uses.
pub fn needed() -> Vec<&'static str> {
    MARK.trim_start_matches("ludens-needs:").trim_end_matches(';').split_whitespace().collect()
}

/// Fails where this machine lacks what the program was built for; to be asked before anything else.
pub fn check() -> Result<(), Lacking> {
    let lacking: Vec<&str> = needed().into_iter().filter(|name| !has(name)).collect();
    if lacking.is_empty() { Ok(()) } else { Err(Lacking(lacking)) }
}

/// What the processor says of itself: `is_x86_feature_detected!` takes what a build presupposes for given.
#[cfg(target_arch = "x86_64")]
fn has(name: &str) -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    let (basic, more, extended) = (__cpuid(1), __cpuid_count(7, 0), __cpuid(0x8000_0001));
    let bit = |register: u32, number: u32| register >> number & 1 == 1;
    match name {
        "sse3" => bit(basic.ecx, 0),
        "ssse3" => bit(basic.ecx, 9),
        "fma" => bit(basic.ecx, 12),
        "sse4.1" => bit(basic.ecx, 19),
        "sse4.2" => bit(basic.ecx, 20),
        "movbe" => bit(basic.ecx, 22),
        "popcnt" => bit(basic.ecx, 23),
        // The system must keep the wide registers, too.
        "avx" => bit(basic.ecx, 28) && bit(basic.ecx, 27),
        "f16c" => bit(basic.ecx, 29),
        "bmi1" => bit(more.ebx, 3),
        "avx2" => bit(more.ebx, 5),
        "bmi2" => bit(more.ebx, 8),
        "avx512f" => bit(more.ebx, 16),
        "avx512dq" => bit(more.ebx, 17),
        "adx" => bit(more.ebx, 19),
        "avx512cd" => bit(more.ebx, 28),
        "sha" => bit(more.ebx, 29),
        "avx512bw" => bit(more.ebx, 30),
        "avx512vl" => bit(more.ebx, 31),
        "avx512vbmi" => bit(more.ecx, 1),
        "gfni" => bit(more.ecx, 8),
        "vaes" => bit(more.ecx, 9),
        "lzcnt" => bit(extended.ecx, 5),
        _ => true,
    }
}

/// Other processors are not asked.
#[cfg(not(target_arch = "x86_64"))]
fn has(_: &str) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_built_here_runs_here() {
        assert_eq!(check(), Ok(()));
        assert!(MARK.starts_with("ludens-needs: ") && MARK.ends_with(';'));
        let message = Lacking(vec!["avx2", "bmi2"]).to_string();
        assert!(message.contains("lacks avx2, bmi2"), "{message}");
    }

    /// The names are the compiler's, so that a slip of the pen would be an extension nobody has.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_processor_and_the_library_say_the_same() {
        let detected = [
            ("avx", std::is_x86_feature_detected!("avx")),
            ("avx2", std::is_x86_feature_detected!("avx2")),
            ("bmi2", std::is_x86_feature_detected!("bmi2")),
            ("lzcnt", std::is_x86_feature_detected!("lzcnt")),
            ("avx512f", std::is_x86_feature_detected!("avx512f")),
            ("sha", std::is_x86_feature_detected!("sha")),
            ("popcnt", std::is_x86_feature_detected!("popcnt")),
        ];
        for (name, detected) in detected {
            assert_eq!(has(name), detected, "{name}");
        }
    }
}

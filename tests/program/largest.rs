//! The largest numbers that can be written, in every format and for every command: an answer or a clear error, no panic, and memory
//! in proportion to what was written.

use std::io::Write;
use std::process::{Command, Stdio};

/// What a format holds of the largest numbers, and more.
const TEXTS: &[(&str, &str)] = &[
    ("variable", "p cnf 2147483647 1\na 1 2 0\ne 3 2147483647 0\n1 3 0\n"),
    ("universal variable", "p cnf 2147483647 1\na 1 2147483647 0\ne 3 0\n1 2147483647 0\n"),
    ("variable beyond", "p cnf 2147483648 1\ne 2147483648 0\n2147483648 0\n"),
    ("clauses", "p cnf 2 9223372036854775807\n1 2 0\n"),
    ("header", "p cnf 2147483647 0\n"),
    (
        "gate",
        "#QCIR-14 2147483647\nforall(1, 2147483646)\nexists(2)\noutput(2147483647)\n2147483647 = or(1, 2147483646, 2)\n",
    ),
    ("element", "p gamesat cnf 2147483647 1\n1 2147483647 0\n"),
    ("mixed element", "p gamesat cnf 2147483647 2\n1 2147483647 0\n-1 -2147483647 0\n"),
    ("played element", "p gamesat dnf 2147483647 1\nplayed 2147483647 0\n1 2147483647 0\n"),
    ("elements beyond", "p gamesat cnf 2147483648 1\n1 0\n"),
    ("named element", "p gamesat cnf 2147483647 1\nname 2147483647 last\n1 2147483647 0\n"),
    ("element with colours", "p setcol cnf 999999 1 3\n1=1 999999=2 0\n"),
    ("colours", "p setcol cnf 999999 1 64\n1=1 999999=64 0\n"),
    ("colours beyond", "p setcol cnf 2 1 2147483647\n1=2147483647 0\n"),
    ("score", "p score dnf 2 1\n9223372036854775807 1 2 0\n"),
    ("element with a score", "p score dnf 999999 1\n3 1 999999 0\n"),
    ("vertex", "p shannon vertex 999999 1\nterminals 1 999999\ne 1 2\n"),
    ("vertex beyond", "p shannon vertex 2147483647 1\nterminals 1 2147483647\ne 1 2\n"),
    ("edges", "p shannon edge 3 2147483647\nterminals 1 3\ne 1 3\n"),
    ("string", "p coins 2147483647 1\n1 2147483647 0\n"),
    ("stars in settings", "stars 2147483647\nx | y\n"),
    ("board", "hex 2147483647\n"),
    ("large board", "hex 26\n"),
    ("rows", "line 2147483647x1 2147483647\n"),
    ("columns", "connect 2147483647x1 1\n"),
    ("triangle", "y 4294967296\n"),
    ("boxes", "dots 18446744073709551616x1\n"),
    ("animal", "harary 2147483647x2147483647 L4\n"),
    ("target", "dominoes\ntarget 2147483647\nfirst 11\nsecond 22\n"),
    ("game record", "(;GM[11]SZ[2147483647];B[a2147483647])"),
    ("plies", "#blackinitials\n#times\n2147483647\n#blackturns\n2147483647\n"),
];

/// Commands, and what follows on the line.
const COMMANDS: &[&[&str]] = &[
    &["solve"],
    &["solve", "-q", "--all-moves"],
    &["solve", "-q", "--all-models"],
    &["solve", "--qdo", "--json"],
    &["solve", "-q", "--trace", "--all-moves", "--order", "1,2*"],
    &["solve", "--stars", "2147483647"],
    &["solve", "-q", "--engine", "naive", "--order", "1000,1000*", "--all-moves"],
    &["solve", "--strategy", "/dev/null"],
    &["solve", "--certificate", "/dev/null"],
    &["solve", "--moves", "2147483647 2147483648"],
    &["simplify"],
    &["analyse"],
    &["analyse", "--set", "1,2147483647"],
    &["classify"],
    &["stats"],
    &["openings"],
    &["convert", "--to", "infix"],
    &["convert", "--to", "qcir"],
    &["convert", "--to", "gamesat-dnf"],
    &["encode", "--to", "qdimacs"],
    &["encode", "--to", "qcir", "--encoding", "lifted", "--depth", "18446744073709551615"],
    &["encode", "--to", "gamesat-cnf"],
    &["value", "--coinflip", "--samples", "18446744073709551615"],
    &["value", "--two-distance"],
];

/// Address space that each run may have, in kilobytes: a bit for each of the variables there can be would fit, a byte would not.
const MOST: u32 = 1_800_000;

#[test]
fn every_format_in_every_command() {
    let mut codes = std::collections::BTreeMap::new();
    for (name, text) in TEXTS {
        for words in COMMANDS {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("ulimit -v {MOST}; exec \"$@\""), "sh", env!("CARGO_BIN_EXE_gamesat")]);
            // What takes long is cut off: only that nothing breaks is of interest here.
            command.args(*words).args(["--time-limit", "0.5", "--table", "1"].iter().take(match words[0] {
                "solve" | "analyse" | "openings" => 4,
                _ => 2,
            }));
            let mut child =
                command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            // A command that refuses its options reads nothing.
            let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            let context = || format!("{name}: {words:?}: {} {said}", output.status);
            let code = output.status.code().unwrap_or_else(|| panic!("{}", context()));
            assert!([0, 1, 2, 10, 20, 30].contains(&code) && !said.contains("panicked"), "{}", context());
            assert!(!matches!(code, 1 | 2) || said.contains(": "), "{}", context());
            *codes.entry(code).or_insert(0) += 1;
        }
    }
    // Some are answered, and some refused.
    assert!([0, 1, 2, 10].iter().all(|code| codes[code] > 20), "{codes:?}");
}

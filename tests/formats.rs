//! Formats end to end: what is tolerated, what is refused and with which words, and that writing and reading agree.

use gamesat::format::{Format, Parsed, ReadError, ReadOptions, SyntaxError, read, sniff, write};
use gamesat::formula::{Lit, Problem};

fn parse(text: impl AsRef<[u8]>, strict: bool) -> Result<Parsed, Box<SyntaxError>> {
    parse_as(text, None, strict)
}

fn parse_as(text: impl AsRef<[u8]>, format: Option<Format>, strict: bool) -> Result<Parsed, Box<SyntaxError>> {
    match read(&mut text.as_ref(), "input", &ReadOptions { format, strict }) {
        Ok(parsed) => Ok(parsed),
        Err(ReadError::Syntax(error)) => Err(error),
        Err(error) => panic!("reading from memory failed: {error}"),
    }
}

fn print(problem: &Problem, format: Format) -> String {
    let mut out = Vec::new();
    write(problem, format, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Reads, writes and reads again.
fn round_trip(text: &str) -> Parsed {
    let first = parse(text, false).unwrap_or_else(|error| panic!("{error}"));
    let printed = print(&first.problem, first.format);
    let second = parse(&printed, false).unwrap_or_else(|error| panic!("{error} in {printed}"));
    assert_eq!(first.format, second.format);
    assert_eq!(first.problem, second.problem, "{printed}");
    first
}

#[test]
fn qdimacs_round_trips() {
    let parsed = round_trip("c comment \u{e9}\np cnf 4 2\na 1 2 0\ne 3 4 0\n-1  3 0\n 2 -3 4 0\n");
    let Problem::Qbf(qbf) = &parsed.problem else { panic!("not a QBF") };
    assert_eq!(qbf.header(), (4, 2));
    assert_eq!(qbf.prefix().len(), 2);
    assert_eq!(&qbf.matrix()[1], [2, -3, 4].map(Lit::from_dimacs));
    assert!(parsed.warnings.is_empty());
}

#[test]
fn gamesat_round_trips() {
    let text = "p gamesat dnf 5 3\nname 1 a1\nplayed 2 -4 0\nrule own\nturn min\n1 2 0\n-1 3 0\n-3 -4 0\n";
    let Problem::Game(game) = round_trip(text).problem else { panic!("not a game") };
    assert_eq!(game.elements(), 5);
    assert_eq!(game.uncoloured(), 3);
}

#[test]
fn infix_round_trips() {
    for text in [
        "x | y",
        "x == y",
        "(a == (b | c)) & (d | e)",
        "forall x exists y: x == y",
        "∀x∃y: ¬x ≡ (y ∧ true ∨ !false)",
        "a -> b -> c <-> d <-> e ^ f ^ g | h & i & !(j & (k & l))",
        "true",
        "forall x y exists z: (x | free) -> z ^ other",
        "!!!a # comment\n & \r\n\tb",
    ] {
        round_trip(text);
    }
}

#[test]
fn qcir_round_trips() {
    let text = "#QCIR-G14 7\n# comment\nfree(f)\nforall(x, 2)\nEXISTS(z)\noutput(-g3)\n\
                g1 = and(x, -2)\nempty = or()\ng2=xor(g1 ,-z)\ng3 = ite(f, g2, empty)\n";
    let Problem::Circuit(circuit) = round_trip(text).problem else { panic!("not a circuit") };
    assert_eq!(circuit.circuit().num_gates(), 4);
    assert_eq!(circuit.names.get(circuit.prefix().block(1).vars[1]), Some("2"));
}

#[test]
fn contents_tell_the_format() {
    for (text, format) in [
        ("p cnf 1 1\n1 0\n", Format::Qdimacs),
        ("c x\n\nc p gamesat\np  cnf 1 1\n1 0\n", Format::Qdimacs),
        ("p wcnf 1 1 1\n", Format::Qdimacs),
        ("p gamesat cnf 1 1\n1 0\n", Format::Gamesat),
        ("#QCIR-14\noutput(x)\n", Format::Qcir),
        ("# comment\n#QCIR-G14 3\noutput(x)\n", Format::Qcir),
        ("# comment\na & b", Format::Infix),
        ("c & d", Format::Infix),
        ("p & q", Format::Infix),
        ("c\n& p", Format::Infix),
        ("", Format::Infix),
        ("\u{0}\u{1}", Format::Infix),
    ] {
        assert_eq!(sniff(text.as_bytes()), format, "{text:?}");
    }
}

#[test]
fn errors_say_where_and_what() {
    let error = parse("p cnf 2 1\n1 -2 x12 0\n", false).unwrap_err();
    assert_eq!(error.to_string(), "input:2:6: 'x12' is not a number, expected a literal or 0");
    assert_eq!((error.snippet.as_str(), error.snippet_column, error.width), ("1 -2 x12 0", 5, 3));
}

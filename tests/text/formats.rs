//! Formats end to end: what is tolerated, what is refused and with which words, and that writing and reading agree.

use gamesat::Problem;
use gamesat::check::{evaluate_circuit, evaluate_game, evaluate_qbf};
use gamesat::control::{Control, Interrupt, Limits, StopReason, peak_memory, resident_memory};
use gamesat::format::{Format, Parsed, ReadError, ReadOptions, SyntaxError, WriteError, read, sniff, within, write};
use gamesat::formula::{ClauseArena, Game, GameMatrix, Lit, Player, Prefix, Qbf, Quantifier, Rule, Var};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::io::{self, Read};

fn parse(text: impl AsRef<[u8]>, strict: bool) -> Result<Parsed, Box<SyntaxError>> {
    parse_as(text, None, strict)
}

fn parse_as(text: impl AsRef<[u8]>, format: Option<Format>, strict: bool) -> Result<Parsed, Box<SyntaxError>> {
    match read(&mut text.as_ref(), "input", &ReadOptions { format, strict, ..ReadOptions::default() }) {
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

/// Names in comments survive; what is no name of a variable of the formula is a comment like others.
#[test]
fn names_stand_in_comments_of_qdimacs() {
    let long = "x".repeat(300);
    let text = format!(
        "c name 1 x\nc name 2 \u{e9}t\u{e9} \nc name 3 x\nc name 1 z\nc name 9 far\nc name 0 null\nc name 4\nc name 4 a b\n\
         c name 4 {long}\nc name -4 minus\nc named 4 other\nc {long}{long}{long}{long}\np cnf 4 2\na 1 0\ne 2 3 0\n1 2 0\n-3 4 0\n"
    );
    let Problem::Qbf(qbf) = round_trip(&text).problem else { panic!("not a QBF") };
    let names: Vec<(i32, &str)> = qbf.names.iter().map(|(var, name)| (var.to_dimacs(), name)).collect();
    assert_eq!(names, [(1, "x"), (2, "\u{e9}t\u{e9}")]);
    assert!(print(&Problem::Qbf(qbf), Format::Qdimacs).starts_with("c name 1 x\nc name 2 \u{e9}t\u{e9}\np cnf 4 2\n"));
    // A name on the free variable of a formula without a prefix.
    let Problem::Qbf(plain) = round_trip("c name 2 b\np cnf 2 1\n1 -2 0\n").problem else { panic!("not a QBF") };
    assert_eq!(plain.names.find("b"), Some(Var::from_dimacs(2)));
    // With the names a formula in infix comes back as it was.
    let Problem::Qbf(named) = parse("c name 1 u\nc name 2 e\np cnf 2 1\na 1 0\ne 2 0\n1 -2 0\n", true).unwrap().problem
    else {
        panic!("not a QBF")
    };
    assert_eq!(print(&Problem::Qbf(named), Format::Infix), "forall u exists e: u | !e\n");
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
        "(true)",
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
        ("Hex 3", Format::from_name("hex").unwrap()),
        ("BRIDGIT 3\n", Format::from_name("bridgit").unwrap()),
        ("hex | y", Format::Infix),
        ("#qcir-14", Format::Qcir),
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

// ---- meaning ----

/// The game's formula as a truth table over its elements, the first element changing fastest.
fn truth_table(text: &str) -> String {
    let parsed = parse_as(text, Some(Format::Infix), false).unwrap_or_else(|error| panic!("{error}"));
    let Problem::Game(game) = parsed.problem else { panic!("not a game") };
    let GameMatrix::Circuit(circuit) = game.matrix() else { panic!("not a circuit") };
    let values = |row: usize| (0..game.elements()).map(|bit| row >> bit & 1 != 0).collect::<Vec<_>>();
    (0..1 << game.elements()).map(|row| if circuit.evaluate(&values(row)) { '1' } else { '0' }).collect()
}

#[test]
fn infix_operators_mean_what_they_should() {
    for (text, table) in [
        ("a", "01"),
        ("!a", "10"),
        ("!!a", "01"),
        ("!!!a", "10"),
        ("a & b", "0001"),
        ("a | b", "0111"),
        ("a ^ b", "0110"),
        ("a -> b", "1011"),
        ("a <-> b", "1001"),
        ("a == b", "1001"),
        ("a & true", "01"),
        ("a | false", "01"),
        ("true", "1"),
        ("!true", "0"),
        ("a -> b -> c", "11101111"),
        ("(a -> b) -> c", "01001111"),
        ("a ^ b ^ c", "01101001"),
        ("a <-> b <-> c", "01101001"),
        ("a && b", "0001"),
        ("a || b", "0111"),
        ("a => b", "1011"),
        ("a <=> b", "1001"),
        ("a and b", "0001"),
        ("a or b", "0111"),
        ("not a", "10"),
        ("not not(a)or(not b)and!b", "1101"),
        ("\"a b\" & \"and\"", "0001"),
        ("a & \"a\"", "01"),
        ("elements b a: a -> b", "1101"),
        ("android & order | nothing", "00011111"),
        ("turn | rule", "0111"),
    ] {
        assert_eq!(truth_table(text), table, "{text}");
    }
}

#[test]
fn infix_precedence_is_not_and_or_xor_implies_equivalent() {
    for (text, explicit) in [
        ("!a & b", "(!a) & b"),
        ("!(a & b)", "(!(a & b))"),
        ("a & b | c", "(a & b) | c"),
        ("a | b & c", "a | (b & c)"),
        ("a | b ^ c", "(a | b) ^ c"),
        ("a ^ b | c", "a ^ (b | c)"),
        ("a ^ b -> c", "(a ^ b) -> c"),
        ("a -> b ^ c", "a -> (b ^ c)"),
        ("a -> b <-> c", "(a -> b) <-> c"),
        ("a <-> b -> c", "a <-> (b -> c)"),
        ("a -> b & c -> d | e", "a -> ((b & c) -> (d | e))"),
        ("!a & b | c ^ d -> e <-> f", "((((((!a) & b) | c) ^ d) -> e) <-> f)"),
    ] {
        assert_eq!(truth_table(text), truth_table(explicit), "{text}");
    }
    // The test can tell: the other reading differs.
    assert_ne!(truth_table("a | b ^ c"), truth_table("a | (b ^ c)"));
}

fn value(problem: &Problem) -> bool {
    let control = Control::default();
    match problem {
        Problem::Qbf(qbf) => evaluate_qbf(qbf, &control).unwrap().0,
        Problem::Circuit(circuit) => evaluate_circuit(circuit, &control).unwrap().0,
        Problem::Game(game) => evaluate_game(game, &control).unwrap().winner == Player::Max,
        _ => unreachable!(),
    }
}

/// A random QBF on at most six variables with names for some of them, odd ones among them.
fn random_qbf(rng: &mut ChaCha8Rng) -> Qbf {
    let mut prefix = Prefix::new();
    let vars = rng.random_range(0..=6);
    for number in 1..=vars {
        let quantifier = if rng.random() { Quantifier::Exists } else { Quantifier::Forall };
        prefix.push_var(quantifier, Var::from_dimacs(number));
    }
    let mut matrix = ClauseArena::new();
    for _ in 0..rng.random_range(0..6) {
        for _ in 0..rng.random_range(if vars == 0 { 0..1 } else { 0..4 }) {
            matrix.push_lit(Var::from_dimacs(rng.random_range(1..=vars)).lit(rng.random()));
        }
        matrix.finish();
    }
    let mut qbf = Qbf::new(&prefix, matrix).unwrap();
    for (number, name) in (1..=vars).zip(["a", "forall", "x5", "7", "é", "x 1"]) {
        if rng.random() {
            qbf.names.insert(Var::from_dimacs(number), name);
        }
    }
    qbf
}

#[test]
fn converting_keeps_the_value() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut both = [0, 0];
    for _ in 0..1500 {
        let problem = Problem::Qbf(random_qbf(&mut rng));
        let expected = value(&problem);
        both[usize::from(expected)] += 1;
        for first in [Format::Qdimacs, Format::Qcir, Format::Infix] {
            let text = print(&problem, first);
            let read = parse(&text, false).unwrap_or_else(|error| panic!("{error} in {text}"));
            assert_eq!(read.format, first, "{text}");
            assert_eq!(value(&read.problem), expected, "{text}");
            if let (Problem::Qbf(qbf), Problem::Circuit(circuit), Format::Infix) = (&problem, &read.problem, first) {
                // Variables are numbered in the order of the prefix, and keep their names.
                for (index, &var) in qbf.prefix().vars().iter().enumerate() {
                    let name = qbf.names.get(var);
                    assert!(name.is_none() || circuit.names.get(Var::from_index(index)) == name, "{text}");
                }
            }
            if first == Format::Qdimacs {
                continue;
            }
            // And once more, from circuit to circuit.
            for second in [Format::Qcir, Format::Infix] {
                let again = print(&read.problem, second);
                let reread = parse(&again, false).unwrap_or_else(|error| panic!("{error} in {again}"));
                assert_eq!(value(&reread.problem), expected, "{text} as {again}");
            }
        }
    }
    assert!(both.iter().all(|&count| count > 100), "{both:?}");
}

/// Whether the matrix is true under a colouring of all elements.
fn is_true(game: &Game, colours: &[bool]) -> bool {
    let holds = |lit: &Lit| colours[lit.var().index()] == lit.is_positive();
    match game.matrix() {
        GameMatrix::Cnf(rows) => rows.iter().all(|row| row.iter().any(holds)),
        GameMatrix::Dnf(rows) => rows.iter().any(|row| row.iter().all(holds)),
        GameMatrix::Circuit(circuit) => circuit.evaluate(colours),
    }
}

/// A random position on at most six elements, some of which occur nowhere, with names for some.
fn random_game(rng: &mut ChaCha8Rng) -> Game {
    let elements = rng.random_range(1..=6);
    let mut rows = ClauseArena::new();
    for _ in 0..rng.random_range(0..5) {
        for _ in 0..rng.random_range(0..4) {
            rows.push_lit(Var::from_dimacs(rng.random_range(1..=elements)).lit(rng.random()));
        }
        rows.finish();
    }
    let matrix = if rng.random() { GameMatrix::Cnf(rows) } else { GameMatrix::Dnf(rows) };
    let mut game = Game::new(elements as usize, matrix).unwrap();
    game.turn = if rng.random() { Player::Max } else { Player::Min };
    game.rule = if rng.random() { Rule::Any } else { Rule::Own };
    for number in 1..=elements {
        if rng.random_bool(0.2) {
            game.play(&[Var::from_dimacs(number).lit(rng.random())]).unwrap();
        }
    }
    let names = ["turn", "\"", "x5", "7", "\u{e9}", "a-\"b\"", "and", "elements", "c", "x1"];
    for number in 1..=elements {
        if rng.random_bool(0.3) {
            game.names.insert(Var::from_dimacs(number), names[rng.random_range(0..names.len())]);
        }
    }
    game
}

#[test]
fn games_are_the_same_through_every_writer() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut settings = [0; 5];
    for _ in 0..3000 {
        let before = random_game(&mut rng);
        let problem = Problem::Game(before.clone());
        let text = print(&problem, Format::Gamesat);
        assert_eq!(parse(&text, false).unwrap().problem, problem, "{text}");
        let text = print(&problem, Format::Infix);
        for (count, word) in settings.iter_mut().zip(["elements ", "stars ", "turn min", "rule own", "played "]) {
            *count += usize::from(text.contains(word));
        }
        let read = parse(&text, true).unwrap_or_else(|error| panic!("{error} in {text}"));
        let Problem::Game(after) = &read.problem else { panic!("not a game: {text}") };
        assert_eq!((after.elements(), after.turn, after.rule), (before.elements(), before.turn, before.rule), "{text}");
        assert_eq!(after.played(), before.played(), "{text}");
        for (var, name) in before.names.iter() {
            assert_eq!(after.names.get(var), Some(name), "{text}");
        }
        for row in 0..1usize << before.elements() {
            let colours: Vec<bool> = (0..before.elements()).map(|bit| row >> bit & 1 != 0).collect();
            assert_eq!(is_true(&before, &colours), is_true(after, &colours), "{text}");
        }
        assert_eq!(value(&read.problem), value(&problem), "{text}");
        // And once more, from circuit to circuit.
        let again = print(&read.problem, Format::Infix);
        assert_eq!(parse(&again, true).unwrap().problem, read.problem, "{text} as {again}");
    }
    assert!(settings.iter().all(|&count| count > 200), "{settings:?}");
}

#[test]
fn infix_refuses_games_that_it_cannot_say() {
    for (text, words) in [
        ("p gamesat cnf 2000000000 1\n2000000000 0\n", "would have to list 2000000000 elements"),
        ("p gamesat cnf 2000000000 1\n1 0\n", "has room for"),
    ] {
        let game = parse(text, false).unwrap().problem;
        let error = write(&game, Format::Infix, &mut Vec::new()).unwrap_err();
        assert!(matches!(error, WriteError::Unsupported(_)));
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn writers_say_what_a_format_cannot_hold() {
    let (qbf, game) = (parse("p cnf 1 1\n1 0\n", false).unwrap().problem, parse("a | b", false).unwrap().problem);
    let circuit = parse("exists a: a", false).unwrap().problem;
    for (problem, format, words) in [
        (&game, Format::Qdimacs, "is not one"),
        (&circuit, Format::Qdimacs, "is not one"),
        (&game, Format::Qcir, "a game has no prefix"),
        (&game, Format::Gamesat, "CNF or DNF first"),
        (&qbf, Format::Gamesat, "quantified formula"),
    ] {
        let error = write(problem, format, &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_circuit_that_would_explode_is_refused() {
    let mut text = "#QCIR-G14\nexists(x, y)\noutput(g99)\ng0 = xor(x, y)\n".to_owned();
    for i in 1..100 {
        text += &format!("g{i} = xor(g{0}, -g{0})\n", i - 1);
    }
    let problem = parse(text, false).unwrap().problem;
    let mut out = Vec::new();
    let error = write(&problem, Format::Infix, &mut out).unwrap_err();
    assert!(error.to_string().contains("write QCIR instead"), "{error}");
    assert!(out.is_empty());
    round_trip(&print(&problem, Format::Qcir));
}

#[test]
fn what_is_written_is_strict() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for text in [
        "c x\r\n\r\np cnf 3 1\r\ne 1 0 e 2 0\ta 3 0 e 4 0 1 2\n3 -4 0 -2 0",
        "p gamesat dnf 3 1\nplayed 1\n-2 0 rule any\n name 2 x\n\n1 2\n0 -3 0",
        "#QCIR-G14 1\n\n\nexists(a)exists(b) forall(c)\nx=xor(a,\n-b) output(x)",
        "exists a: exists b: a & b & c",
    ] {
        let parsed = parse(text, false).unwrap_or_else(|error| panic!("{error}"));
        parse(text, true).unwrap_err();
        let printed = print(&parsed.problem, parsed.format);
        let strict = parse(&printed, true).unwrap_or_else(|error| panic!("{error} in {printed}"));
        assert!(strict.warnings.is_empty());
    }
    for _ in 0..300 {
        let problem = Problem::Qbf(random_qbf(&mut rng));
        for format in [Format::Qcir, Format::Infix] {
            let printed = print(&problem, format);
            parse(&printed, true).unwrap_or_else(|error| panic!("{error} in {printed}"));
        }
    }
}

#[test]
fn wrong_headers_warn() {
    let parsed = parse("p cnf 2 1\n1 0\n-5 0\n", false).unwrap();
    let messages: Vec<&str> = parsed.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "wrong number of variables in the header: 2 announced, but here is 5",
            "more clauses than the header announces: 1 announced, 2 found",
        ]
    );
    assert_eq!(parsed.warnings[0].line, 3);
    let Problem::Qbf(qbf) = parsed.problem else { panic!("not a QBF") };
    assert_eq!((qbf.header(), qbf.num_vars()), ((2, 1), 5));
}

// ---- hostile input ----

/// Counts the bytes that are read from it.
struct Counting<R> {
    inner: R,
    bytes: u64,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.inner.read(buffer)?;
        self.bytes += bytes as u64;
        Ok(bytes)
    }
}

const GIGABYTE: u64 = 1 << 30;

#[test]
fn a_gigabyte_of_garbage_is_refused_in_its_first_kilobytes() {
    for pattern in
        ["\u{0}", "\u{7f}ELF", "a", "a ", "1", "-", "1 ", "(a b", "p cnf ", "p cnf 1 1 ", "#QCIR-G14 ", "&", ")"]
    {
        let pattern: Vec<u8> = pattern.bytes().cycle().take(1 << 16).collect();
        for format in [None].into_iter().chain(Format::all().iter().copied().map(Some)) {
            // A comment without an end is no garbage where '#' begins a comment.
            if pattern.starts_with(b"#") && !matches!(format, None | Some(Format::Qcir)) {
                continue;
            }
            let mut endless = Counting { inner: Repeat { pattern: &pattern, at: 0, left: GIGABYTE }, bytes: 0 };
            read(&mut endless, "garbage", &ReadOptions { format, ..ReadOptions::default() }).unwrap_err();
            assert!(endless.bytes <= 1 << 19, "{:?} as {format:?}: {} bytes", &pattern[..4], endless.bytes);
        }
    }
}

struct Repeat<'a> {
    pattern: &'a [u8],
    at: usize,
    left: u64,
}

impl Read for Repeat<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.pattern[self.at..];
        let bytes = rest.len().min(buffer.len()).min(self.left as usize);
        buffer[..bytes].copy_from_slice(&rest[..bytes]);
        self.at = (self.at + bytes) % self.pattern.len();
        self.left -= bytes as u64;
        Ok(bytes)
    }
}

#[test]
fn a_huge_header_allocates_nothing() {
    for text in [
        "p cnf 2000000000 1\n1 0\n",
        "p cnf 2000000000 9000000000000000000\n-2000000000 0\n",
        "p cnf 2000000000 1\na 2000000000 0\ne 1999999999 0\n-2000000000 1999999999 0\n",
        "p gamesat cnf 2000000000 1000000000000\nplayed 1999999999 0\nname 1500000000 x\n2000000000 0\n",
        "#QCIR-G14 18446744073709551614\nexists(x)\noutput(x)\n",
    ] {
        let before = peak_memory();
        let options = ReadOptions { tolerant: true, ..ReadOptions::default() };
        let parsed = read(&mut text.as_bytes(), "input", &options).unwrap_or_else(|error| panic!("{error}"));
        print(&parsed.problem, parsed.format);
        if let (Some(before), Some(after)) = (before, peak_memory()) {
            assert!(after < before + (200 << 20), "{text}: {before} to {after}");
        }
    }
}

#[test]
fn deep_nesting_needs_no_stack() {
    const DEPTH: usize = 1_000_000;
    let (open, close) = ("(".repeat(DEPTH), ")".repeat(DEPTH));
    round_trip(&format!("{open}a{close}"));
    round_trip(&format!("{}a", "!".repeat(DEPTH + 1)));
    round_trip(&format!("{}a{close}", "!(".repeat(DEPTH)));
    round_trip(&format!("{}a", "a->".repeat(DEPTH / 10)));
    round_trip(&format!("{}a", "a<->".repeat(DEPTH / 10)));
    round_trip(&format!("{}a", "a&".repeat(DEPTH)));
    round_trip(&format!("{}a{}", "(b | a & ".repeat(DEPTH / 10), ")".repeat(DEPTH / 10)));
    // Unclosed, it is an error and nothing else.
    let error = parse(format!("{open}a"), false).unwrap_err();
    assert_eq!(error.column, DEPTH as u64 + 2);
    assert!(error.snippet.len() < 200);
}

#[test]
fn a_long_preamble_does_not_hide_the_format() {
    let comments = "c a comment\n\n".repeat(100_000);
    let parsed = parse(format!("{comments}p gamesat cnf 1 1\n1 0\n"), false).unwrap();
    assert_eq!(parsed.format, Format::Gamesat);
    let parsed = parse(format!("{}a | b", "# a comment\n".repeat(100_000)), false).unwrap();
    assert_eq!(parsed.format, Format::Infix);
    // More of it than is kept in memory.
    let comments = "c a comment that goes on and on and on and on and on and on and on\n".repeat(300_000);
    let parsed = parse(format!("{comments}p gamesat cnf 1 1\n1 0\n"), false).unwrap();
    assert_eq!(parsed.format, Format::Gamesat);
    let error = parse(format!("{comments}p gamesat cnf 1 1\n1 x 0\n"), false).unwrap_err();
    assert_eq!((error.line, error.column), (300_002, 3));
    let error = parse(format!("{comments}& d"), false).unwrap_err();
    assert!(error.message.contains("neither a 'p' line nor a board"), "{error}");
    let parsed = parse(format!("{}a | b", comments.replace("c a", "# a")), false).unwrap();
    assert_eq!(parsed.format, Format::Infix);
    let parsed = parse(format!("{}\n{comments}hex 3\n", "c".repeat(20 << 20)), false).unwrap();
    assert_eq!(parsed.format.name(), "hex");
}

#[test]
fn long_prefixes_and_lines_are_read() {
    let mut text = "p cnf 200000 1\n".to_owned();
    for i in 1..=200_000 {
        text += &format!("{} {i} 0\n", if i % 2 == 0 { 'e' } else { 'a' });
    }
    text += &"1 ".repeat(300_000);
    round_trip(&(text + "0\n"));
}

#[test]
fn long_names_are_refused() {
    let long = "x".repeat(70_000);
    for text in [
        long.clone(),
        format!("forall {long}: a"),
        format!("#QCIR-G14\nexists({long})\noutput(x)\n"),
        format!("é{long}"),
    ] {
        let error = parse(text, false).unwrap_err();
        assert!(error.message.contains("is too long a name"), "{error}");
        assert!(error.to_string().len() < 200);
    }
    let error = parse(format!("p cnf 1 1\n{} 0\n", "0".repeat(70_000)), false).unwrap_err();
    assert!(error.message.contains("is not a number"), "{error}");
}

/// Gives the bytes one at a time, then fails.
struct Dripping<'a>(&'a [u8], Option<io::ErrorKind>);

impl Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match (self.0.split_first(), self.1) {
            (Some((&first, rest)), _) => {
                buffer[0] = first;
                self.0 = rest;
                Ok(1)
            }
            (None, Some(kind)) => Err(kind.into()),
            (None, None) => Ok(0),
        }
    }
}

#[test]
fn chunks_may_be_cut_anywhere() {
    for text in [
        "c x\np cnf 12 3\na 1 12 0\ne 3 0\n-1 12 0\nc y\n3 -12 0\n 3 0\n",
        "p gamesat dnf 2 1\nname 1 äö\nturn min\n1 2 0\n",
        "∀x∃y: x ≡ y -> (name'1 ∧ true)",
        "#QCIR-G14 3\nexists(a, bcd)\noutput(-g)\ng = ite(a, -bcd, a)\n",
        "p cnf 12 1\n1 x12 0\n",
        "∀x∃y: x ≡ y y",
    ] {
        let whole = parse(text, false);
        let dripped = read(&mut Dripping(text.as_bytes(), None), "input", &ReadOptions::default());
        match (whole, dripped) {
            (Ok(whole), Ok(dripped)) => assert_eq!(whole, dripped, "{text}"),
            (Err(whole), Err(ReadError::Syntax(dripped))) => assert_eq!(whole, dripped, "{text}"),
            (whole, dripped) => panic!("{whole:?} but {dripped:?}"),
        }
    }
}

#[test]
fn places_are_right_far_into_a_file() {
    let mut text = "p cnf 1000 100000\n".to_owned();
    for i in 1..=100_000 {
        text += &format!("{} -{} 0\n", i % 1000 + 1, i % 7 + 1);
    }
    let error = parse(format!("{text}1 2 3 x 0\n"), false).unwrap_err();
    assert_eq!((error.line, error.column, error.snippet.as_str()), (100_002, 7, "1 2 3 x 0"));
    // One line of a megabyte: only a window of it is shown.
    let error = parse(format!("p cnf 1 1\n{}é x", "1 ".repeat(500_000)), false).unwrap_err();
    assert_eq!((error.line, error.column), (2, 1_000_001));
    assert_eq!(error.snippet.chars().nth(error.snippet_column), Some('é'));
    assert!(error.snippet.chars().count() <= 120);
    // Columns count characters.
    let error = parse("∀x∃y: x ≡ y y", false).unwrap_err();
    assert_eq!((error.column, error.width), (13, 1));
}

#[test]
fn input_that_fails_is_an_error_with_a_line() {
    let text = b"p cnf 3 3\n1 2 0\n1 ";
    let mut source = Dripping(text, Some(io::ErrorKind::UnexpectedEof));
    let error = read(&mut source, "file.gz", &ReadOptions::default()).unwrap_err();
    assert!(matches!(&error, ReadError::Io { line: 3, source, .. } if source.kind() == io::ErrorKind::UnexpectedEof));
    assert!(error.to_string().starts_with("file.gz:3: "), "{error}");
}

/// Cries stop after so many bytes.
struct Stopping<R> {
    inner: R,
    left: usize,
    interrupt: Interrupt,
}

impl<R: Read> Read for Stopping<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.inner.read(buffer)?;
        self.left = self.left.saturating_sub(bytes);
        if self.left == 0 {
            self.interrupt.trigger();
        }
        Ok(bytes)
    }
}

#[test]
fn reading_ends_when_it_is_to_stop() {
    for (head, row, grows) in [
        ("p cnf 9 1\n", "1 -2 3 4 -5 6 7 8 9 0\n", true),
        ("p gamesat cnf 9 1\n", "1 -2 3 4 -5 6 7 8 9 0\n", true),
        ("a", " & (b | !c)", true),
        ("#QCIR-G14\nexists(a)\noutput(a)\n", "# comment\n", false),
        ("", "c comment\n", false),
        ("", " ", false),
    ] {
        let pattern: Vec<u8> = row.bytes().cycle().take(row.len() << 12).collect();
        let endless = || head.as_bytes().chain(Repeat { pattern: &pattern, at: 0, left: 64 * GIGABYTE });
        let interrupt = Interrupt::new();
        let control = Control::new(Limits::default(), interrupt.clone());
        let stopping = Stopping { inner: endless(), left: 3 << 20, interrupt };
        let mut counting = Counting { inner: stopping, bytes: 0 };
        let stopped = read(&mut within(&mut counting, &control), "endless", &ReadOptions::default());
        assert!(matches!(stopped, Err(ReadError::Stopped(StopReason::Interrupted))), "{row:?}: {stopped:?}");
        assert!(counting.bytes < 4 << 20, "{row:?}: {} bytes", counting.bytes);
        // What is kept grows, and the limit is noticed while it does.
        if let Some(now) = resident_memory().filter(|_| grows) {
            let limits = Limits { memory: Some(now + (64 << 20)), ..Limits::default() };
            let control = Control::new(limits, Interrupt::new());
            let mut counting = Counting { inner: endless(), bytes: 0 };
            let stopped = read(&mut within(&mut counting, &control), "endless", &ReadOptions::default());
            assert!(matches!(stopped, Err(ReadError::Stopped(StopReason::Memory))), "{row:?}: {stopped:?}");
            assert!(counting.bytes < GIGABYTE, "{row:?}: {} bytes", counting.bytes);
        }
    }
}

#[test]
fn formats_have_names() {
    for &format in Format::all() {
        assert_eq!(Format::from_name(format.name()), Some(format));
    }
    assert_eq!(Format::from_name("Qdimacs"), None);
}

//! What of a text that is not quite as it should be is refused, and what is read with a warning: counts in headers, single words, names of files that
//! say something else, free variables.

use gamesat::Problem;
use gamesat::format::{Format, Parsed, ReadError, ReadOptions, SyntaxError, read, sniff, to_string};

fn read_as(text: &str, format: Option<Format>, strict: bool) -> Result<Parsed, Box<SyntaxError>> {
    match read(&mut text.as_bytes(), "input", &ReadOptions { format, strict, ..ReadOptions::default() }) {
        Ok(parsed) => Ok(parsed),
        Err(ReadError::Syntax(error)) => Err(error),
        Err(error) => panic!("reading from memory failed: {error}"),
    }
}

/// Every format with a number of rows, edges or strings in its header: fewer are an error, more a warning, strictness makes errors of both and
/// tolerance warnings.
#[test]
fn files_that_were_cut_off_are_refused() {
    let headers = [
        ("p cnf 3 N\n", "1 0\n", "clause"),
        ("p cnf 3 N\na 1 0\ne 2 0\n", "1 -2 0\n", "clause"),
        ("p gamesat cnf 3 N\nturn min\n", "1 2 0\n", "clause"),
        ("p gamesat dnf 3 N\nonly max 2 0\n", "1 2 0\n", "term"),
        ("p setcol dnf 3 N 3\n", "1=1 2!=3 0\n", "term"),
        ("p score cnf 3 N\n", "5 1 2 0\n", "clause"),
        ("p shannon edge 4 N\nterminals 1 4\nplayed 1 0\n", "e 1 2\n", "edge"),
        ("p coins 2 N\ncut 1 0\n", "e 1 2\n", "string"),
    ];
    for (header, row, what) in headers {
        let said_of = |announced: usize, found: usize, strict: bool, tolerant: bool| {
            let text = header.replace('N', &announced.to_string()) + &row.repeat(found);
            let options = ReadOptions { strict, tolerant, ..ReadOptions::default() };
            match read(&mut text.as_bytes(), "input", &options) {
                Ok(parsed) => Ok(parsed.warnings.into_iter().map(|warning| warning.message).collect::<Vec<_>>()),
                Err(error) => Err(error.to_string()),
            }
        };
        let said = |announced: usize, found: usize| {
            let which = if found < announced { "fewer" } else { "more" };
            format!("{which} {what}s than the header announces: {announced} announced, {found} found")
        };
        for (strict, tolerant) in [(false, false), (true, false), (false, true)] {
            assert_eq!(said_of(2, 2, strict, tolerant), Ok(Vec::new()), "{header}");
            for (announced, found) in [(3, 2), (1, 2)] {
                let expected = said(announced, found);
                match said_of(announced, found, strict, tolerant) {
                    Ok(warnings) => {
                        assert_eq!(warnings, [expected], "{header}");
                        assert!(!strict && (tolerant || announced < found), "{header} {announced} {found}");
                    }
                    Err(message) => {
                        assert!(message.contains(&expected), "{header}: {message}");
                        assert!(strict || !tolerant && found < announced, "{header} {announced} {found}");
                    }
                }
            }
        }
    }
}

/// What is taken refers to edges and strings that are there, whatever the header announces.
#[test]
fn edges_beyond_the_last_cannot_be_taken() {
    let cases = [
        ("p shannon edge 3 1\nterminals 1 3\nplayed 1 -2 0\ne 1 2\n", Err("input:3:10: edge 2 is out of range")),
        ("p shannon edge 3 1\nterminals 1 3\nplayed 1 -2 0\ne 1 2\ne 2 3\n", Ok(())),
        ("p coins 2 1\ncut 2 0\ne 1 2\n", Err("input:2:5: string 2 is out of range")),
        ("p coins 2 1\ncut 2 0\ne 1 2\ne 1 0\n", Ok(())),
    ];
    for (text, expected) in cases {
        match (read_as(text, None, false), expected) {
            (Ok(parsed), Ok(())) => assert_eq!(parsed.warnings.len(), 1, "{text}"),
            (Err(error), Err(expected)) => assert!(error.to_string().starts_with(expected), "{error}"),
            (read, _) => panic!("{text}: {read:?}"),
        }
    }
}

/// A single word that nothing says to be a formula is what some command has left behind, not a game of one element.
#[test]
fn a_single_word_is_no_formula() {
    for word in ["timeout", "error", "c", "cnf", "elements", "true", "false", "é", "x'"] {
        for text in [word.to_owned(), format!("# nothing\n  {word} \n"), format!("{word}# x")] {
            let error = read_as(&text, None, false).unwrap_err();
            assert_eq!(error.message, format!("'{word}' is a single word"), "{text:?}");
            assert!(read_as(&text, Some(Format::Infix), false).is_ok(), "{text:?}");
        }
        let Problem::Game(game) = read_as(&format!("({word})"), None, false).unwrap().problem else {
            panic!("not a game")
        };
        assert_eq!(
            read_as(&to_string(&Problem::Game(game.clone()), Format::Infix).unwrap(), None, false).unwrap().problem,
            Problem::Game(game)
        );
    }
    for text in ["!x", "x & y", "elements x: x", "exists x: x", "\"x\"", "not x"] {
        assert!(read_as(text, None, false).is_ok(), "{text:?}");
    }
}

#[test]
fn names_of_files_do_not_contradict_their_content() {
    let read_named = |name: &str, text: &str, format: Option<Format>| {
        let options = ReadOptions { format, file_name: Some(name.to_owned()), ..ReadOptions::default() };
        read(&mut text.as_bytes(), name, &options).map(|parsed| parsed.format).map_err(|error| error.to_string())
    };
    let (qdimacs, game, formula) = ("p cnf 1 1\n1 0\n", "p gamesat cnf 1 1\n1 0\n", "a & b");
    for (name, text) in [
        ("x.qdimacs", qdimacs),
        ("x.dqdimacs", qdimacs),
        ("x.cnf", qdimacs),
        ("x.QDIMACS.gz", qdimacs),
        ("x.gsat", game),
        ("x.gamesat.xz", game),
        ("hex.5", formula),
        ("x.txt", qdimacs),
        ("qdimacs", formula),
        ("x.infix", formula),
        ("x.hex", "hex 3\n"),
    ] {
        assert_eq!(read_named(name, text, None), Ok(sniff(text.as_bytes())), "{name}");
    }
    for (name, text) in [
        ("x.qdimacs", formula),
        ("x.qdimacs", "timeout\n"),
        ("x.gsat", qdimacs),
        ("x.gsat.zst", "hex 3\n"),
        ("x.hex", "(;GM[11]SZ[3])"),
        ("x.sgf", "hex 3\n"),
        ("x.pg.bz2", formula),
        ("x.qcir", qdimacs),
        ("x.infix", qdimacs),
    ] {
        let message = read_named(name, text, None).unwrap_err();
        assert!(message.starts_with(&format!("{name}:1:1: by its name the file is in the format ")), "{message}");
        let format = sniff(text.as_bytes());
        assert_eq!(read_named(name, text, Some(format)), Ok(format), "{name}");
    }
    // A misspelt header says more.
    assert!(read_named("x.qdimacs", "P cnf 1 1\n1 0\n", None).unwrap_err().contains("is this to be 'p cnf 3 2'"));
    assert!(read_named("x.qdimacs", "", None).unwrap_err().contains("the input is empty"));
}

#[test]
fn free_variables_are_named() {
    let names = |text: &str| {
        let warnings = read_as(text, None, false).unwrap_or_else(|error| panic!("{error}")).warnings;
        warnings.into_iter().map(|warning| warning.message).collect::<Vec<_>>()
    };
    let said = |what: &str| vec![format!("{what} not quantified: existential and outermost")];
    assert_eq!(names("forall x: x | xx"), said("variable xx is"));
    assert_eq!(names("forall x: b | x | a & b"), said("variables b, a are"));
    assert_eq!(names("forall x: x | a | b | c | d | e | f | g"), said("variables a, b, c, d, e and 2 more are"));
    assert_eq!(names("forall x: x | !x"), Vec::<String>::new());
    assert_eq!(names("#QCIR-G14\nfree(f, g)\nforall(x)\noutput(a)\na = or(x, f)\n"), said("variables f, g are"));
    // What the definition of the format allows is no error in strict mode.
    assert!(read_as("#QCIR-G14\nfree(f)\noutput(f)\n", None, true).is_ok());
    assert!(read_as("forall x: x | f", None, true).is_err());
}

//! Boards on the command line: piped from `encode` to `solve`, and solved directly.
#![cfg(feature = "cli")]

use assert_cmd::Command;

fn gamesat(args: &[&str], input: &str) -> (i32, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_gamesat")).args(args).write_stdin(input).output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), text)
}

fn line<'a>(text: &'a str, start: &str) -> &'a str {
    text.lines().find(|line| line.starts_with(start)).unwrap_or_default()
}

#[test]
fn encoded_boards_can_be_piped() {
    for (target, encoding) in [
        ("gamesat-cnf", "explicit"),
        ("gamesat-dnf", "explicit"),
        ("qdimacs", "explicit"),
        ("qcir", "explicit"),
        ("qdimacs", "lifted"),
        ("qcir", "lifted"),
    ] {
        for (turn, code) in [("black", 10), ("white", 20)] {
            let mut args = vec!["encode", "hex", "2", "--turn", turn, "--to", target, "--encoding", encoding];
            let (status, formula) = gamesat(&args, "");
            assert_eq!(status, 0, "{formula}");
            assert_eq!(gamesat(&["solve", "-"], &formula).0, code, "{target} {encoding} {turn}");
            // With White as MAX the answer is the other one.
            args.extend(["--max", "white"]);
            let (_, formula) = gamesat(&args, "");
            assert_eq!(gamesat(&["solve", "-"], &formula).0, 30 - code, "{target} {encoding} {turn}");
        }
    }
}

#[test]
fn boards_are_solved_directly() {
    let (status, text) = gamesat(&["solve", "--all-moves"], "hex 3\n");
    assert_eq!(status, 10);
    assert_eq!(line(&text, "v "), "v 3 4 5 6 7 0");
    assert_eq!(line(&text, "c move"), "c move black c1");
    let (status, text) = gamesat(&[], "p shannon edge 2 2\nterminals 1 2\nturn cut\ne 1 2\ne 1 2\n");
    assert_eq!(status, 10);
    assert!(text.contains("c reason two edge-disjoint trees"), "{text}");
    let (status, text) = gamesat(&["--turn", "breaker"], "line 3x3 3\n");
    assert_eq!((status, line(&text, "s ")), (20, "s gamesat min"));
}

/// A bounded game is not the unbounded one, and a race is decided by its plies.
#[test]
fn bounded_games_and_races() {
    let bounded = |plies: &str, black: &str| {
        format!("#times\n{plies}\n#blackturns\n{black}\n#positions\na b c d\n#blackwins\na b\nc d\na c\nb d\n")
    };
    assert_eq!(gamesat(&[], &bounded("t1 t2", "t1")).0, 20);
    let (status, text) = gamesat(&[], &bounded("t1 t2 t3", "t1 t3"));
    assert_eq!(status, 10, "{text}");
    assert!(line(&text, "v ").ends_with(" 0"), "{text}");
    let race = bounded("t1 t2 t3 t4", "t2 t4") + "#whitewins\na b\nb c\n";
    let (status, text) = gamesat(&[], &race);
    assert_eq!(status, 20);
    // White moves and wins: b, which Black cannot answer twice.
    assert_eq!((line(&text, "v "), line(&text, "c move")), ("v -2 0", "c move white b"));
    // The plies say who moves; --moves uses them up.
    let (status, text) = gamesat(&["--turn", "black"], &race);
    assert_eq!(status, 2);
    assert!(text.contains("#blackturns"), "{text}");
    let (status, text) = gamesat(&["encode", "--to", "qdimacs", "--moves", "b c a"], &race);
    assert_eq!((status, line(&text, "p cnf")), (0, "p cnf 0 1"), "{text}");
    let (status, text) = gamesat(&["encode", "--to", "qdimacs", "--moves", "a b c d a"], &race);
    assert_eq!(status, 2, "{text}");
    assert_eq!(gamesat(&["--max", "white"], &race).0, 10);
    let (status, text) = gamesat(&["encode", "--to", "gamesat-dnf"], &race);
    assert_eq!(status, 2);
    assert!(text.contains("a race for winning sets: no set colouring game expresses that"), "{text}");
}

#[test]
fn positions_are_printed() {
    let (status, text) = gamesat(&["encode", "hex", "3x2", "--moves", "b2 c1", "--to", "board"], "");
    assert_eq!((status, text.as_str()), (0, "hex 3x2\nturn black\n. . W\n . B .\n"));
    let (status, sgf) = gamesat(&["encode", "--to", "sgf", "--turn", "white"], &text);
    assert_eq!((status, sgf.as_str()), (0, "(;FF[4]GM[11]SZ[3:2]AB[b2]AW[c1]PL[W])\n"));
    assert_eq!(gamesat(&["encode", "y", "3", "--to", "sgf"], "").0, 1);
    // A bounded game and the formula with that bound are the same.
    for (depth, code) in [("3", 20), ("5", 10)] {
        let (_, bounded) = gamesat(&["encode", "hex", "3", "--to", "pg", "--depth", depth], "");
        assert_eq!(gamesat(&[], &bounded).0, code, "{bounded}");
        let (_, formula) = gamesat(&["encode", "hex", "3", "--to", "qdimacs", "--depth", depth], "");
        assert_eq!(gamesat(&[], &formula).0, code);
    }
    assert_eq!(gamesat(&["encode", "hex", "3", "--to", "board", "--depth", "3"], "").0, 2);
    let (status, text) = gamesat(&["convert", "--to", "infix"], "hex 3\n");
    assert_eq!(status, 2);
    assert!(text.contains("this is a board"), "{text}");
}

#[test]
fn too_many_paths_are_refused_with_advice() {
    let (status, text) = gamesat(&["encode", "hex", "40", "--to", "gamesat-dnf"], "");
    assert_eq!(status, 1);
    assert!(text.contains("--to qdimacs"), "{text}");
    let (status, text) = gamesat(&["solve", "--engine", "alpha-beta"], "hex 40\n");
    assert_eq!((status, line(&text, "s ")), (0, "s gamesat unknown"));
    assert!(text.contains("too many to list winning sets"), "{text}");
    let (status, text) = gamesat(&["encode", "hexx", "4", "--to", "qdimacs"], "");
    assert_eq!(status, 2);
    assert!(text.contains("'hexx 4' is no board"), "{text}");
}

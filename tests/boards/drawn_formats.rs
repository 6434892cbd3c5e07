//! Board files: what they say, what is written back, and what is refused with its place.

use crate::support::boards::{scatter, small_boards};
use gamesat::Problem;
use gamesat::format::{Format, ReadError, ReadOptions, read, sniff, write};
use gamesat::rules::{Board, Goal, Grid, Hex, Positional, Side};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn parse(text: &str) -> Result<(Board, Format), String> {
    match read(&mut text.as_bytes(), "f", &ReadOptions::default()) {
        Ok(parsed) => match parsed.problem {
            Problem::Board(board) => Ok((board, parsed.format)),
            other => Err(format!("not a board: {other:?}")),
        },
        Err(ReadError::Syntax(error)) => Err(error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

fn print(board: &Board, format: Format) -> String {
    let mut out = Vec::new();
    write(&Problem::Board(board.clone()), format, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

const GOOD: &[(&str, &str)] = &[
    ("hex 5x4\nturn white\n. . B . .\n . W . . .\n  . . . . .\n   . . . . .\n", "hex"),
    ("# a comment\nc another\nhex 3\nbox\r\n\t...\nw.x\n", "hex"),
    ("hex 4\n", "hex"),
    ("hex 11", "hex"),
    ("y 3\n  .\n B W\n. . .\n", "y"),
    ("bridgit 3\nmax white\n. . .\n B .\n. W .\n . .\n. . .\n", "bridgit"),
    ("line 3x3 3\nX..\n.O.\n...\n", "line"),
    ("line 4x3 3 torus\nturn breaker\n", "line"),
    ("harary 4x4 L4\n", "harary"),
    ("harary 3 v3 torus\nX..\n...\n..O\n", "harary"),
    ("(;GM[11]SZ[5]AB[a1][b2]AW[c3]PL[W];W[d4];B[aa5x](;W[e1])(;W[e2]))", "sgf"),
    (
        "p shannon vertex 6 7\nterminals 1 6\nturn cut\nplayed 3 -4 0\ne 1 2\ne 1 3\ne 2 4\ne 3 4\ne 4 6\ne 5 6\ne 3 5\n",
        "shannon",
    ),
    ("c hello\np shannon edge 3 4\nterminals 1 3\nplayed -2 4 0\ne 1 2\ne 1 2\ne 2 3\ne 2 3\n", "shannon"),
    (
        "%\n% picture\n#blackinitials\na1\n#whiteinitials\nb1\n#times\nt1 t2 t3\n#blackturns\nt1 t3\n#positions\na1 a2 b1 b2\n#blackwins\n#neighbours\na1 a2 b1\na2 a1 b1 b2\nb1 a1 a2 b2\nb2 a2 b1\n#startboarder\na1 b1\n#endboarder\na2 b2\n",
        "pg",
    ),
    ("#times\nt1 t2 t3 t4\n#blackturns\nt1 t3\n#positions\na b c d\n#blackwins\na b\nc d\n#whitewins\na c\n", "pg"),
    ("#edges\ns a\na t\ns b\nb t\n#source\ns\n#target\nt\n", "pg"),
];

#[test]
fn what_is_written_reads_back_the_same() {
    for &(text, format) in GOOD {
        if text.contains("aa5x") {
            continue; // refused below
        }
        let format = Format::from_name(format).unwrap();
        let (board, read_as) = parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        assert_eq!(read_as, format, "{text}");
        assert_eq!(sniff(text.as_bytes()), format);
        let printed = print(&board, format);
        let (again, _) = parse(&printed).unwrap_or_else(|error| panic!("{printed}\n{error}"));
        if format == Format::Positional {
            // The board may be spelled in another way; the game is the same.
            assert_eq!(print(&again, format), printed);
        } else {
            assert_eq!(again, board, "{printed}");
        }
    }
}

/// Random positions of every kind of board, in every format that holds them.
#[test]
fn random_positions_read_back_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut written = vec![0; Format::all().len()];
    for _ in 0..60 {
        let mut boards = small_boards(&mut rng);
        for (columns, rows) in [(1, 1), (11, 3), (30, 2)] {
            boards.push(Board::new(Hex(Grid { columns, rows })));
        }
        let mut family = |count: usize| -> Vec<Vec<usize>> {
            (0..count).map(|_| (0..3).map(|_| rng.random_range(0..7)).collect()).collect()
        };
        for race in [None, Some(family(2))] {
            let names = (0..7).map(|i| format!("v{i}")).collect();
            boards.push(Board::new(Positional { names, goal: Goal::Sets(family(4)), race }));
        }
        for mut board in boards {
            scatter(&mut rng, &mut board, usize::MAX);
            let won = |side: Side| board.goal(side).is_some_and(|goal| goal.is_reached(|e| !board.is_free(e)));
            let race = board.is_race() && won(Side::Second);
            for (at, &format) in Format::all().iter().enumerate() {
                let mut text = Vec::new();
                if race || write(&Problem::Board(board.clone()), format, &mut text).is_err() {
                    assert!(text.is_empty(), "{} is written and refused", format.name());
                    continue;
                }
                written[at] += 1;
                let text = String::from_utf8(text).unwrap();
                let (again, read_as) = parse(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
                assert_eq!(read_as, format, "{text}");
                if matches!(format, Format::Positional | Format::Shannon) {
                    // All boards become elements with names, and graphs have several spellings.
                    assert_eq!(print(&again, format), text);
                } else {
                    assert_eq!(again, board, "{text}");
                }
            }
        }
    }
    // Shannon, five drawn boards, SGF, positional games; no formula.
    assert_eq!(written.iter().filter(|&&count| count > 50).count(), 8, "{written:?}");
}

#[test]
fn positions_are_what_the_text_shows() {
    let (board, _) = parse(GOOD[0].0).unwrap();
    assert_eq!(board.turn, Side::Second);
    assert_eq!(board.stone(board.find("c1").unwrap()), Some(Side::First));
    assert_eq!(board.stone(board.find("b2").unwrap()), Some(Side::Second));
    assert_eq!((0..20).filter(|&e| board.stone(e).is_some()).count(), 2);
    // Without a turn line the stones are counted.
    assert_eq!(parse("hex 2\nB.\n..\n").unwrap().0.turn, Side::Second);
    assert_eq!(parse("hex 2\nBW\n..\n").unwrap().0.turn, Side::First);

    let (board, _) = parse("(;FF[4]GM[11]SZ[5:4]C[not \\] a1]AB[c1];B[ab];W[b2](;B[e4])(;B[a1]))").unwrap();
    assert_eq!(board.rules_as::<Hex>(), Some(&Hex(Grid { columns: 5, rows: 4 })));
    let stones: Vec<(String, Side)> =
        (0..20).filter_map(|e| board.stone(e).map(|side| (board.name(e), side))).collect();
    let expected = [("c1", Side::First), ("a2", Side::First), ("b2", Side::Second), ("e4", Side::First)];
    assert_eq!(stones, expected.map(|(name, side)| (name.to_owned(), side)));
    assert_eq!(board.turn, Side::Second);
    let (swapped, _) = parse("(;GM[11]SZ[5];B[b4];W[swap-pieces])").unwrap();
    assert_eq!(swapped.stone(swapped.find("d2").unwrap()), Some(Side::Second));
    assert_eq!(swapped.turn, Side::First);

    let (board, _) = parse(GOOD[12].0).unwrap();
    assert_eq!(board.elements(), 4);
    assert_eq!(board.stone(1), Some(Side::Second));
    assert_eq!(board.stone(3), Some(Side::First));

    let (board, _) = parse(GOOD[13].0).unwrap();
    assert_eq!(board.schedule, None, "three plies fill the board");
    assert!(matches!(board.goal(Side::First), Some(Goal::Vertices { .. })));
    let (race, _) = parse(GOOD[14].0).unwrap();
    assert!(race.is_race());
    assert_eq!(race.goal(Side::Second), Some(&Goal::Sets(vec![vec![0, 2]])));
    assert_eq!(race.schedule.as_ref().map(|schedule| schedule.plies.len()), Some(4));
}

#[test]
fn bad_boards_are_refused_with_their_place() {
    for (text, message) in [
        ("hex 3\n...\n..\n...\n", "f:3:3: the row ends after 2 symbols, expected 3 symbols"),
        ("hex 3\n...\n....\n...\n", "f:3:4: the row is too long, expected 3 symbols"),
        ("hex 3\n...\n...\n", "f:4:1: the board ends after 2 rows, expected 3 rows"),
        ("hex 2\n..\n..\n..\n", "f:4:1: '..' is a row too many, expected 2 rows"),
        ("hex 2\n.q\n..\n", "f:2:2: 'q' is no stone"),
        ("hex 2\n.é\n..\n", "f:2:2: 'é' is no stone"),
        ("hex 0\n", "f:1:5: '0' is no possible size"),
        ("hex 3x\n", "f:1:5: '3x' is no size"),
        ("hex 100\n", "f:1:5: '100' is no possible size, expected sides from 1 to 99"),
        ("hex 99999999999999999999999\n", "f:1:5: '99999999999999999999999' is no possible size"),
        ("hex 3 4\n", "f:1:7: '4' is too much"),
        ("hex 2\nturn short\n", "f:2:6: 'short' is no side, expected black or white"),
        ("hex 2\nturn black\nturn black\n", "f:3:1: turn is given twice"),
        ("hex 2\n..\nturn black\n", "f:3:1: 'turn' stands after the first row"),
        ("y 2\n.\n.\n", "f:3:2: the row ends after 1 symbols, expected 2 symbols"),
        ("bridgit 2\n..\n..\n..\n", "f:3:2: the row is too long, expected 1 symbols"),
        ("line 3x3\n", "f:1:9: the line ends too early, expected how many in a row"),
        ("line 3x3 0\n", "f:1:10: '0' is no length"),
        ("harary 4x4 Q7\n", "f:1:12: 'Q7' is an unknown animal, expected one of monomino, domino"),
        ("harary 4x4 L4 round\n", "f:1:15: 'round' is too much"),
        ("(;GM[1]SZ[5])", "f:1:6: '1' is not Hex, expected 11"),
        ("(;GM[11];B[a1])", "f:1:12: a stone before the size of the board"),
        ("(;GM[11]SZ[3];B[d1])", "f:1:17: 'd1' lies outside the board, expected a cell of the 3x3 board"),
        ("(;GM[11]SZ[3];B[a1];W[a1])", "f:1:23: a1 is taken"),
        ("(;GM[11]SZ[3];B[a1", "the file ends inside a value"),
        ("(;GM[11]SZ[3];B[a1]", "the file ends inside a game tree"),
        (GOOD[10].0, "f:1:44: 'aa5x' is no cell"),
        ("p shannon vertex 3 2\nterminals 2 2\n", "f:2:13: the terminals are the same vertex"),
        ("p shannon vertex 3 2\nterminals 1 4\n", "f:2:13: vertex 4 is out of range"),
        ("p shannon vertex 3 2\nterminals 1 3\ne 1 2\ne 2 2\n", "f:4:5: the edge is a loop"),
        ("p shannon vertex 3 2\nterminals 1 3\ne 1 2\ne 2 1\n", "f:4:5: the edge is there already"),
        (
            "p shannon edge 3 2\nterminals 1 3\ne 1 2\n",
            "f:3:6: fewer edges than the header announces: 2 announced, 1 found",
        ),
        ("p shannon edge 3 1\ne 1 2\n", "f:3:1: the file names no terminals"),
        ("p shannon edge 3 1\nterminals 1 3\nplayed 2 0\ne 1 2\n", "f:3:8: edge 2 is out of range"),
        ("p shannon edge 3 1\nterminals 1 3\nplayed 1 -1 0\ne 1 2\n", "f:3:10: edge 1 is played twice"),
        ("p shannon vertex 3 1\nterminals 1 3\nplayed 3 0\ne 1 2\n", "f:3:8: 3 is a terminal"),
        ("p shannon vertex 3 1\nterminals 1 3\nplayed 2\ne 1 2\n", "f:3:9: the line 'played' has no final 0"),
        ("p shannon face 3 1\n", "f:1:11: 'face' is an unknown game"),
        ("#positions\na b\n#blackwins\na c\n", "f:4:3: 'c' is no position"),
        ("#positions\na b a\n", "f:2:5: 'a' is listed twice"),
        ("#positions\na b\n#blackinitials\na\n#whiteinitials\nb a\n", "f:6:3: a is taken"),
        ("#positions\na b\n#nonsense\n", "f:3:1: '#nonsense' is an unknown code word"),
        ("#positions\na b\n#positions\n", "f:3:1: #positions is given twice"),
        ("#times\nt1\n#blackturns\nt2\n#positions\na\n", "f:4:1: 't2' is no time"),
        ("#edges\ns a\na a\n#source\ns\n#target\nt\n", "f:3:3: the edge is a loop"),
        ("#edges\ns a\n#source\ns\n#target\ns\n", "a graph needs one source and another target"),
        (
            "#positions\na b\n#blackwins\na\n#whitewins\nb\n#blackinitials\na\n#whiteinitials\nb\n",
            "both sides have won already",
        ),
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.contains(message), "{text}\n{error}\n{message}");
    }
}

/// Mutated files are read or refused; they never panic.
#[test]
fn damaged_files_do_no_damage() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut refused = 0;
    for _ in 0..6_000 {
        let (text, _) = GOOD[rng.random_range(0..GOOD.len())];
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..rng.random_range(1..4) {
            let at = rng.random_range(0..bytes.len());
            match rng.random_range(0..3) {
                0 => bytes[at] = rng.random(),
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"\n .0-#(;[]x%9"[rng.random_range(0..13)]),
            }
            if bytes.is_empty() {
                break;
            }
        }
        match read(&mut &bytes[..], "f", &ReadOptions { strict: rng.random(), ..ReadOptions::default() }) {
            Ok(parsed) => {
                if let Problem::Board(board) = &parsed.problem {
                    let _ = board.winner();
                    let _ = write(&parsed.problem, parsed.format, &mut Vec::new());
                }
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 1_000);
}

/// Swaps, moves by number, and variations of a game record.
#[test]
fn game_records_are_read_up_to_a_move() {
    let at = |text: &str, ply: Option<usize>| {
        let options = ReadOptions { ply, ..ReadOptions::default() };
        match read(&mut text.as_bytes(), "f", &options) {
            Ok(parsed) => match parsed.problem {
                Problem::Board(board) => Ok(print(&board, Format::Sgf)),
                other => panic!("{other:?}"),
            },
            Err(error) => Err(error.to_string()),
        }
    };
    let text = "(;SZ[3]AB[c1];B[a1](;W[b2];B[a2](;W[a3])(;W[c3]))(;W[b1]))";
    for (ply, expected) in [
        (Some(0), "(;FF[4]GM[11]SZ[3]AB[c1]PL[B])\n"),
        (Some(1), "(;FF[4]GM[11]SZ[3]AB[a1][c1]PL[W])\n"),
        (Some(2), "(;FF[4]GM[11]SZ[3]AB[a1][c1]AW[b2]PL[B])\n"),
        (Some(4), "(;FF[4]GM[11]SZ[3]AB[a1][c1][a2]AW[b2][a3]PL[B])\n"),
        (None, "(;FF[4]GM[11]SZ[3]AB[a1][c1][a2]AW[b2][a3]PL[B])\n"),
    ] {
        assert_eq!(at(text, ply).as_deref(), Ok(expected), "{ply:?}");
    }
    assert_eq!(at(text, Some(5)).unwrap_err(), "f:1:59: the main line has 4 moves, expected at least 5 of them");
    assert!(at("hex 3\n", Some(0)).unwrap_err().contains("a game record in SGF"));
    // The players change places, or the stone does.
    for (swap, expected) in [
        ("swap", "(;FF[4]GM[11]SZ[3]AB[a2]PL[W])\n"),
        ("swap-sides", "(;FF[4]GM[11]SZ[3]AB[a2]PL[W])\n"),
        ("swap-pieces", "(;FF[4]GM[11]SZ[3]AW[b1]PL[B])\n"),
    ] {
        assert_eq!(at(&format!("(;SZ[3];B[a2];W[{swap}])"), None).as_deref(), Ok(expected));
        let error = at(&format!("(;SZ[3];B[a2];W[a1];B[{swap}])"), None).unwrap_err();
        assert!(error.contains("only the first stone can be swapped"), "{error}");
        assert!(at(&format!("(;B[{swap}])"), None).is_err());
    }
}

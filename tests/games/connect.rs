//! Connect-k: the search against the definition and against the selection library, with every switch on and off; the
//! published values; formats and their mistakes.

use crate::support::parse::parse;
use crate::support::switches::switches;
use gamesat::check::evaluate_sequential;
use gamesat::control::{Control, Interrupt, Limits, StopReason};
use gamesat::format::{Format, to_string};
use gamesat::options::SequentialOptions;
use gamesat::rules::Side;
use gamesat::rules::sequential::connect::{Columns, Stones};
use gamesat::rules::sequential::{Connect, Place, Rules, Sequential};
use gamesat::selection::{
    Play, max, min, parallel_tuple_max, parallel_tuple_min, play, play_after, tuple_max, tuple_min,
};
use gamesat::solve::{Solver, Verdict, Wanted};
use gamesat::{Problem, selection};
use gamesat_games::sequential::Session;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A position after random moves that leave at most so many cells empty, if the game lasts.
fn position(random: &mut ChaCha8Rng, left: usize) -> Connect {
    loop {
        let (columns, rows) = (random.random_range(1..=6), random.random_range(1..=5));
        let length = random.random_range(1..=5);
        let mut board = Connect::new(columns, rows, length).unwrap();
        while columns * rows - board.count() > left {
            let moves = board.moves();
            if moves.is_empty() {
                break;
            }
            board.play(moves[random.random_range(0..moves.len())]);
        }
        if board.mover().is_some() || random.random_bool(0.05) {
            return board;
        }
    }
}

fn after(columns: usize, rows: usize, length: usize, moves: &str) -> Connect {
    let mut board = Connect::new(columns, rows, length).unwrap();
    for digit in moves.bytes() {
        board.play(u16::from(digit - b'1'));
    }
    board
}

fn solved(board: &Connect, options: &SequentialOptions, threads: usize) -> (i64, Vec<(u16, i64)>, Vec<u16>) {
    let stones = Stones::<u64>::new(board);
    let session = Session::new(&stones, options, threads);
    let solved = session.solve(&stones, None, true, &Control::default()).unwrap();
    assert!(solved.exact);
    let mut moves: Vec<(u16, i64)> = solved.moves.iter().map(|&(mv, value)| (mv, value.into())).collect();
    moves.sort_unstable();
    (solved.value.into(), moves, solved.line)
}

#[test]
fn the_search_agrees_with_the_definition_under_every_subset_of_switches() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for round in 0..700 {
        let board = position(&mut random, 9);
        let right = evaluate_sequential(&Sequential::Connect(board.clone()), &Control::default()).unwrap();
        let options = switches(&mut random, round);
        let (value, moves, line) = solved(&board, &options, 1 + usize::from(round % 50 == 0));
        if board.mover().is_none() {
            continue;
        }
        assert_eq!((value, &moves), (right.value, &right.moves), "{}", board.draw());
        // The line keeps its promise.
        let (mut end, mut turns) = (board.clone(), 0);
        for &mv in &line {
            assert!(end.moves().contains(&mv));
            end.play(mv);
            turns += 1;
        }
        assert!(end.mover().is_none());
        let kept = if turns % 2 == 0 { end.end() } else { -end.end() };
        assert_eq!(i64::from(kept), value, "{}", board.draw());
    }
}

#[test]
fn the_search_agrees_with_the_selection_library() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..400 {
        let board = position(&mut random, 8);
        let Some(mover) = board.mover() else { continue };
        let reached = |history: &[u16]| {
            let mut reached = board.clone();
            history.iter().for_each(|&mv| reached.play(mv));
            reached
        };
        let plan = |history: &[u16]| {
            let reached = reached(history);
            let side = reached.mover()?;
            Some(if side == mover { max(reached.moves()) } else { min(reached.moves()) })
        };
        let outcome = |history: &[u16]| {
            let value = reached(history).end();
            if history.len().is_multiple_of(2) { value } else { -value }
        };
        let Play { value, .. } = play(&plan, &outcome);
        assert_eq!(solved(&board, &SequentialOptions::default(), 1).0, i64::from(value), "{}", board.draw());
    }
}

#[test]
fn wide_words_and_narrow_ones_agree() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    // Boards six high with lines of four have words of their own.
    for _ in 0..150 {
        let columns = random.random_range(2..=7);
        let mut board = Connect::new(columns, 6, 4).unwrap();
        while columns * 6 - board.count() > 9 && board.mover().is_some() {
            let moves = board.moves();
            board.play(moves[random.random_range(0..moves.len())]);
        }
        if board.mover().is_some() {
            let (known, any) = (Stones::<u64, 7, 4>::of_size(&board), Stones::<u64>::new(&board));
            let options = SequentialOptions::default();
            let one = Session::new(&known, &options, 1).solve(&known, None, true, &Control::default()).unwrap();
            let two = Session::new(&any, &options, 1).solve(&any, None, true, &Control::default()).unwrap();
            let right = evaluate_sequential(&Sequential::Connect(board), &Control::default()).unwrap();
            assert_eq!((one.value, &one.moves, &one.line), (two.value, &two.moves, &two.line));
            assert_eq!(i64::from(one.value), right.value);
        }
    }
    for _ in 0..200 {
        // The same position with empty columns that nobody can use would be another game: compare the words themselves.
        let board = position(&mut random, 7);
        let problem = Problem::Sequential(Sequential::Connect(board.clone()));
        let value = Solver::new(problem).solve().unwrap().verdict;
        let wide = Stones::<u128>::new(&board);
        if board.mover().is_some() {
            let session = Session::new(&wide, &SequentialOptions::default(), 1);
            assert_eq!(Verdict::Value(session.value(&wide, &Control::default()).unwrap().0.into()), value);
        }
    }
}

#[test]
fn boards_beyond_words_are_slower_and_not_different() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for round in 0..300 {
        // The same positions column by column as in a word.
        let board = position(&mut random, 9);
        if board.mover().is_none() {
            continue;
        }
        let right = evaluate_sequential(&Sequential::Connect(board.clone()), &Control::default()).unwrap();
        let options = switches(&mut random, round);
        let columns = Columns::new(&board);
        let solved = Session::new(&columns, &options, 1).solve(&columns, None, true, &Control::default()).unwrap();
        let mut moves: Vec<(u16, i64)> = solved.moves.iter().map(|&(mv, value)| (mv, value.into())).collect();
        moves.sort_unstable();
        assert_eq!((i64::from(solved.value), moves), (right.value, right.moves), "{}", board.draw());
    }
    // Boards of 900 and of 40,000 cells, nearly full: columns are filled so that no line of eight appears.
    for (columns, rows) in [(30, 30), (200, 200), (4000, 10)] {
        let mut board = Connect::new(columns, rows, 8).unwrap();
        for column in 0..columns {
            for row in 0..rows {
                if column < columns - 1 || row + 6 < rows {
                    board.drop_stone(column, if (column / 2 + row) % 2 == 0 { Side::First } else { Side::Second });
                }
            }
        }
        board.judge().unwrap();
        assert_eq!(board.moves(), [columns as u16 - 1]);
        let answer = Solver::new(Problem::Sequential(Sequential::Connect(board))).solve().unwrap();
        assert_eq!(answer.verdict, Verdict::Value(0));
    }
    // An empty board of 40,000 cells begins and can be stopped.
    let large = Problem::Sequential(Sequential::Connect(Connect::new(8000, 5, 3).unwrap()));
    let limits = Limits { nodes: Some(3), ..Limits::default() };
    assert_eq!(Solver::new(large).with_limits(limits).solve().unwrap().stop, Some(StopReason::Nodes));
    assert!(Connect::new(40_001, 1, 4).is_none() && Connect::new(usize::MAX, 2, 4).is_none());
}

/// What the value of a win with this stone is.
fn with_stone(cells: i64, stone: i64) -> i64 {
    (cells - stone) / 2 + 1
}

#[test]
fn connect_three_has_its_published_values() {
    // S2: all optima of 5x3.
    let (value, moves, line) = solved(&after(5, 3, 3, ""), &SequentialOptions::default(), 1);
    assert_eq!((value, line.len()), (with_stone(15, 9), 9));
    let lost = -with_stone(15, 12);
    assert_eq!(moves, [(0, lost), (1, value), (2, value), (3, value), (4, lost)]);

    // S3: the board of 4x3.
    let (value, moves, _) = solved(&after(4, 3, 3, ""), &SequentialOptions::default(), 1);
    let late = with_stone(12, 11);
    assert_eq!(value, with_stone(12, 9));
    assert_eq!(moves, [(0, late), (1, value), (2, value), (3, late)]);
}

#[test]
fn a_limited_depth_sees_no_further() {
    let stones = Stones::<u64>::new(&after(5, 3, 3, ""));
    for deepening in [false, true] {
        let mut options = SequentialOptions::default();
        (options.rule_bounds, options.deepening) = (false, deepening);
        let session = Session::new(&stones, &options, 1);
        let solve = |depth| session.solve(&stones, Some(depth), true, &Control::default()).unwrap();
        assert_eq!((solve(3).value, solve(3).exact), (0, false));
        // What is proven narrows down to the value, and the move that is sure of it is known before all others are.
        let nine = solve(9);
        assert_eq!((i64::from(nine.value), nine.exact, nine.line.len()), (with_stone(15, 9), true, 1));
        let (least, most) = solve(3).bounds;
        assert!(least < nine.value && nine.value <= most);
        let nine = session.values(&stones, 8, &Control::default()).unwrap();
        let value_of = |column| nine.iter().find(|&&(mv, _)| mv == column).map(|&(_, value)| i64::from(value));
        assert_eq!(
            [0, 1, 4].map(value_of),
            [Some(0), Some(with_stone(15, 9)), Some(0)],
            "the loss at ply 12 is out of sight"
        );
        assert!(solve(15).exact && solve(15).moves.len() == 5);
    }
}

#[test]
fn the_case_study_of_connect_three_is_played_as_published() {
    // Outcome and plies, nine plies ahead, X selecting the greatest and O the least.
    let reached = |history: &[u16]| {
        let mut board = Connect::new(5, 3, 3).unwrap();
        history.iter().for_each(|&column| board.play(column - 1));
        board
    };
    let candidates = |history: &[u16]| {
        let board = reached(history);
        let open = board.moves();
        (history.len() < 9 && !open.is_empty()).then(|| open.iter().map(|column| column + 1).collect::<Vec<u16>>())
    };
    let outcome = |history: &[u16]| {
        let board = reached(history);
        let won = |side| i32::from(board.has_line(side));
        (won(Side::First) - won(Side::Second), history.len() as u32)
    };
    // S1: from the empty board, one after the other; and from the third move on all at once.
    let published = [2, 4, 3, 1, 2, 2, 3, 5, 1];
    let plan = |history: &[u16]| {
        let columns = candidates(history)?;
        Some(if history.len().is_multiple_of(2) { tuple_max(columns) } else { tuple_min(columns) })
    };
    let parallel = |history: &[u16]| {
        let columns = candidates(history)?;
        Some(if history.len().is_multiple_of(2) { parallel_tuple_max(columns) } else { parallel_tuple_min(columns) })
    };
    let whole = play(&plan, &outcome);
    assert_eq!((whole.value, &whole.moves[..]), ((1, 9), &published[..]));
    let all = play_after(&published[..3], &parallel, &outcome);
    assert_eq!((all.value, &all.moves[..]), ((1, 9), &published[3..]));
}

#[test]
fn connect_four_is_won_with_the_forty_first_stone() {
    // S7. That the empty board is worth this is what the benchmark of these games computes and compares; here a line of best
    // play is followed from its twentieth stone on.
    let line = BEST_LINE;
    assert_eq!(line.len(), 41);
    for stones in 20..41 {
        let board = after(7, 6, 4, &line[..stones]);
        let value = Solver::new(Problem::Sequential(Sequential::Connect(board.clone()))).solve().unwrap().verdict;
        let right = with_stone(42, 41);
        assert_eq!(value, Verdict::Value(if stones % 2 == 0 { right } else { -right }), "{}", board.draw());
    }
    assert!(after(7, 6, 4, line).has_line(Side::First));
}

/// Best play of Connect Four, as the solver finds it: both play in the middle six times, and the win is the 41st stone.
const BEST_LINE: &str = "44444432655555367233322623526661117777711";

#[test]
fn proven_bounds_of_a_limited_depth_contain_the_value() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    let (mut exact, mut open) = (0, 0);
    for _ in 0..300 {
        let board = position(&mut random, 8);
        if board.mover().is_none() {
            continue;
        }
        let right = evaluate_sequential(&Sequential::Connect(board.clone()), &Control::default()).unwrap();
        let stones = Stones::<u64>::new(&board);
        for depth in 1..=4 {
            let session = Session::new(&stones, &SequentialOptions::default(), 1);
            let solved = session.solve(&stones, Some(depth), false, &Control::default()).unwrap();
            let (least, most) = solved.bounds;
            assert!((i64::from(least)..=i64::from(most)).contains(&right.value), "{}", board.draw());
            if solved.exact {
                assert_eq!(i64::from(solved.value), right.value);
                let first = solved.line[0];
                assert!(right.moves.contains(&(first, right.value)), "{first}: {}", board.draw());
                exact += 1;
            } else {
                open += 1;
            }
        }
    }
    assert!(exact > 100 && open > 100, "{exact} {open}");
}

#[test]
fn a_stopped_search_says_why() {
    let stones = Stones::<u64>::new(&Connect::new(7, 6, 4).unwrap());
    let mut options = SequentialOptions::default();
    options.sequential_table = 1;
    let session = Session::new(&stones, &options, 1);
    let limits = Limits { nodes: Some(1000), ..Limits::default() };
    let stopped = session.solve(&stones, None, false, &Control::new(limits, Interrupt::new()));
    assert_eq!(stopped.unwrap_err(), StopReason::Nodes);
    let interrupt = Interrupt::new();
    interrupt.trigger();
    for threads in [1, 2] {
        let session = Session::new(&stones, &options, threads);
        let control = Control::new(Limits::default(), interrupt.clone());
        assert_eq!(session.solve(&stones, None, false, &control).unwrap_err(), StopReason::Interrupted);
    }
}

#[test]
fn make_and_unmake_are_exact_and_mirror_images_share_a_key() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let mut seen = [0, 0];
    for _ in 0..500 {
        let moves: String =
            (0..random.random_range(0..12)).map(|_| char::from(b'1' + random.random_range(0..5))).collect();
        let image: String = moves.bytes().map(|digit| char::from(b'1' + b'5' - digit)).collect();
        let (board, mirrored) = (after(5, 12, 4, &moves), after(5, 12, 4, &image));
        let (mut one, two) = (Stones::<u128>::new(&board), Stones::<u128>::new(&mirrored));
        // Where a cell and its image belong to different sides no position behind is the image of another, and none is sought.
        let differ = |column, row| matches!((board.stone(column, row), board.stone(4 - column, row)), (Some(one), Some(two)) if one != two);
        let lopsided = (0..5).any(|column| (0..12).any(|row| differ(column, row)));
        seen[usize::from(lopsided)] += 1;
        assert!(lopsided || one.canonical().0 == two.canonical().0);
        assert_eq!(one.mover(), two.mover());
        check_places(&one);
        if one.mover().is_some() {
            let before = one.clone();
            let mut legal = Vec::new();
            one.moves(&mut legal);
            for mv in legal {
                let (_, undo) = one.make(mv);
                assert_ne!(one, before);
                one.unmake(mv, undo);
                assert_eq!(one, before);
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

/// The place behind a move is known before it is made.
fn check_places<R: Rules>(rules: &R) {
    let mut legal = Vec::new();
    if rules.mover().is_some() {
        rules.moves(&mut legal);
    }
    for mv in legal {
        let known = [false, true].map(|canonical| rules.place_behind(mv, canonical));
        let mut behind = rules.clone();
        behind.make(mv);
        if behind.mover().is_some() {
            let place = |key| Some(Place { key, near: behind.is_near() });
            assert_eq!(known, [place(behind.key()), place(behind.canonical().0)]);
        }
    }
}

#[test]
fn bounds_by_pairs_contain_the_value() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let mut proven = [0; 5];
    for _ in 0..1200 {
        let board = position(&mut random, 7);
        if board.mover().is_none() {
            continue;
        }
        let right = evaluate_sequential(&Sequential::Connect(board.clone()), &Control::default()).unwrap().value;
        let stones = Stones::<u64>::new(&board);
        let (least, most) = {
            let (least, most, _) = stones.survey(-1000, 1000);
            (i64::from(least), i64::from(most))
        };
        for alpha in -2..=2 {
            let (low, high, _) = stones.survey(alpha, alpha + 1);
            let (low, high) = (i64::from(low), i64::from(high));
            assert!((low..=high).contains(&right), "{right} not in {low} to {high}: {}", board.draw());
            // What pairs of cells prove beyond counting.
            if (low, high) != (least, most) {
                proven[(if low > least { low } else { high } + 2) as usize] += 1;
            }
        }
    }
    assert!(proven[2] > 100, "{proven:?}");
    // X gets one of the lower cells of two columns for each of O's upper ones, which complete a line.
    let board = after(4, 2, 3, "4242");
    let right = evaluate_sequential(&Sequential::Connect(board.clone()), &Control::default()).unwrap().value;
    assert_eq!((right, Stones::<u64>::new(&board).survey(-1, 0).1), (-1, -1));
}

#[test]
fn rows_and_moves_say_the_same() {
    let moves = parse("connect 7x6 4\nmoves 4453\n").unwrap();
    let rows = "connect 7x6 4\n.......\n.......\n.......\n.......\n...O...\n..OXX..\n";
    assert_eq!(moves, parse(rows).unwrap());
    assert_eq!(to_string(&moves, Format::Connect).unwrap(), rows);
    assert_eq!(moves, parse("Connect 7X6 4\nmoves 4 4 5 3").unwrap());
    assert_eq!(
        parse("connect 12x2 4\nmoves 12 1 12").unwrap(),
        parse("connect 12x2 4\n...........X\nO..........X").unwrap()
    );
}

#[test]
fn impossible_positions_are_refused_at_their_place() {
    for (text, words) in [
        ("connect 2x2 2\nX.\n..", "t:3:1: the stone above this cell floats"),
        ("connect 2x2 2\n..\nXX", "the players do not take turns"),
        ("connect 2x2 2\n..\nO.", "the players do not take turns"),
        ("connect 3x2 3\nOOO\nXXX", "both X and O have a line"),
        ("connect 4x2 3\nOO..\nXXXO", "X has a line, but"),
        ("connect 4x2 3\nOOX.\nXXXO", "no last stone completes all lines of X"),
        ("connect 3x2 3\n...\nXX", "t:3:3: the row ends after 2 symbols"),
        ("connect 3x2 3\n....", "t:2:4: the row is too long"),
        ("connect 3x2 3\n...", "the board ends after 1 rows"),
        ("connect 3x1 3\n...\n...", "t:3:1: '...' is a row too many"),
        ("connect 3x1 3\nmoves 4", "t:2:7: '4' is no column"),
        ("connect 3x1 3\nmoves 11", "t:2:8: '1' is a full column"),
        ("connect 3x2 1\nmoves 12", "is played after the end"),
        ("connect 3x1 3\nmoves 1\n...", "is too much"),
        ("connect 201x200 3", "t:1:9: '201x200' is no possible size"),
        ("connect 3 3", "is no possible size"),
        ("connect 3x3 0", "t:1:13: '0' is no possible length"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.contains(words), "{error}: {words}");
    }
}

#[test]
fn a_solver_follows_and_takes_back() {
    let mut solver = Solver::new(parse("connect 5x3 3").unwrap());
    assert_eq!(solver.solve().unwrap().verdict, Verdict::Value(4));
    solver.play_named("1").unwrap();
    assert_eq!(solver.solve().unwrap().verdict, Verdict::Value(2));
    assert!(solver.play_named("6").is_err());
    assert!(solver.undo());
    let answer = solver.ask(&Wanted::verdict().and_all_moves()).unwrap();
    assert_eq!(answer.moves.len(), 3);
    assert_eq!(answer.values.len(), 5);
    assert_eq!(answer.variation.len(), 9);
    assert!(solver.proof().is_err(), "nobody proves values");
}

#[test]
fn the_six_families_choose_as_described() {
    use selection::{Selection, any_false, any_true, three_max, three_min};
    let judge = |values: &[i32], at: usize| values[at];
    let pick = |values: &'static [i32], least: bool| {
        let all: Vec<usize> = (0..values.len()).collect();
        let judge = move |at: &usize| judge(values, *at);
        if least { three_min(all).select(&judge) } else { three_max(all).select(&judge) }
    };
    // S5: the least of three values, the first of several zeros, the last of several ones.
    assert_eq!(pick(&[1, 0, -1], true), (2, -1));
    assert_eq!(pick(&[1, 0, 0], true), (1, 0));
    assert_eq!(pick(&[1, 1], true), (1, 1));
    assert_eq!(pick(&[-1, 1, 1], false), (1, 1));
    // S4: strings of length three: the first of them, else the last of all.
    let strings = |all: &[&'static str]| any_true(all.to_vec()).select(&|text: &&str| text.len() == 3);
    assert_eq!(strings(&["a", "abc", "def"]), ("abc", true));
    assert_eq!(strings(&["a", "b"]), ("b", false));
    assert_eq!(any_false(vec![1, 2, 3]).select(&|&n: &i32| n < 2), (2, false));
    // S6: outcomes and plies.
    let tuples = |values: &'static [(i32, u32)]| {
        let all: Vec<usize> = (0..values.len()).collect();
        let one = tuple_min(all.clone()).select(&|at: &usize| values[*at]).1;
        assert_eq!(parallel_tuple_min(all).select(&|at: &usize| values[*at]).1, one);
        one
    };
    assert_eq!(tuples(&[(1, 5), (1, 9)]), (1, 9));
    assert_eq!(tuples(&[(-1, 7), (-1, 5), (0, 3)]), (-1, 5));
    assert_eq!(tuple_max(vec![(-1, 3), (-1, 8)]).select(&|&value: &(i32, u32)| value).1, (-1, 8));
    // By order: the first of the least, the last of the greatest.
    assert_eq!(min(vec![(0, 'a'), (0, 'b')]).select(&|pair: &(i32, char)| pair.0).0, (0, 'a'));
    assert_eq!(max(vec![(0, 'a'), (0, 'b')]).select(&|pair: &(i32, char)| pair.0).0, (0, 'b'));
}

#[test]
fn stopping_early_means_judging_no_more() {
    use selection::{Selection, any_true, three_max};
    use std::sync::atomic::{AtomicUsize, Ordering};
    let judged = AtomicUsize::new(0);
    let count = |&n: &i32| {
        judged.fetch_add(1, Ordering::Relaxed);
        n
    };
    assert_eq!(three_max(vec![0, 1, 1, 1]).quantify(&count), 1);
    assert_eq!(judged.load(Ordering::Relaxed), 2);
    assert!(any_true(vec![0, 1, 1]).quantify(&|n: &i32| count(n) == 1));
    assert_eq!(judged.load(Ordering::Relaxed), 4);
}

#[test]
fn units_maps_and_products_are_what_the_theory_says() {
    use selection::{Selection, mapped, product, unit};
    assert_eq!(unit::<_, i32>(3).select(&|&n: &i32| n * n), (3, 9));
    let doubled = mapped(max(vec![1, 2, 3]), |&n: &i32| 2 * n);
    assert_eq!(doubled.select(&|&n: &i32| (n - 4).abs()), (6, 2));
    // The greatest of the least.
    let matrix = [[3, 1], [2, 2]];
    let pair = product(max(vec![0, 1]), |_: &usize| min(vec![0, 1]));
    assert_eq!(pair.select(&|&(row, column): &(usize, usize)| matrix[row][column]), ((1, 0), 2));
}

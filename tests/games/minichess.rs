//! Mini-chess: the search against the definition and the selection library, and positions with known results.

use crate::support::parse::parse;
use crate::support::switches::switches;
use gamesat::Problem;
use gamesat::check::evaluate_sequential;
use gamesat::control::Control;
use gamesat::format::{Format, to_string};
use gamesat::options::SequentialOptions;
use gamesat::rules::Side;
use gamesat::rules::sequential::minichess::{Kind, Man, Pieces};
use gamesat::rules::sequential::{MiniChess, Sequential};
use gamesat::selection::{max, min, play};
use gamesat::solve::{Solver, Verdict};
use gamesat_games::sequential::Session;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Few men on a corner of the board, so that everything can be tried.
fn position(random: &mut ChaCha8Rng, plies: u64) -> MiniChess {
    loop {
        let mut squares = [None; 64];
        let mut put = |random: &mut ChaCha8Rng, man| {
            squares[random.random_range(0..3) * 8 + random.random_range(0..3)] = Some(man);
        };
        for side in [Side::First, Side::Second] {
            for _ in 0..random.random_range(0..2) {
                let kind = [Kind::Queen, Kind::Rook, Kind::Bishop][random.random_range(0..3)];
                put(random, Man { side, kind });
            }
            put(random, Man { side, kind: Kind::King });
        }
        let turn = if random.random() { Side::First } else { Side::Second };
        if let Ok(chess) = MiniChess::new(squares, turn, plies) {
            return chess;
        }
    }
}

fn solved(chess: &MiniChess, options: &SequentialOptions) -> (i64, Vec<(u16, i64)>, Vec<u16>) {
    let pieces = Pieces::new(chess);
    let solved = Session::new(&pieces, options, 1).solve(&pieces, None, true, &Control::default()).unwrap();
    let mut moves: Vec<(u16, i64)> = solved.moves.iter().map(|&(mv, value)| (mv, value.into())).collect();
    moves.sort_unstable();
    (solved.value.into(), moves, solved.line)
}

#[test]
fn the_search_agrees_with_the_definition_under_every_subset_of_switches() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut seen = [0; 3];
    for round in 0..1500 {
        let chess = position(&mut random, 1 + round % 3);
        let right = evaluate_sequential(&Sequential::MiniChess(chess.clone()), &Control::default()).unwrap();
        let options = switches(&mut random, round);
        let (value, moves, _) = solved(&chess, &options);
        assert_eq!((value, &moves), (right.value, &right.moves), "{}", chess.fen());
        seen[(value.signum() + 1) as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 2), "{seen:?}");
}

#[test]
fn longer_games_agree_without_what_the_rules_know() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut plain = SequentialOptions::default();
    plain.rule_bounds = false;
    plain.mirror_images = false;
    plain.sequential_table = 4;
    for _ in 0..40 {
        let chess = position(&mut random, 4);
        let both = [&plain, &SequentialOptions::default()].map(|options| {
            let pieces = Pieces::new(&chess);
            Session::new(&pieces, options, 1).value(&pieces, &Control::default()).unwrap().0
        });
        assert_eq!(both[0], both[1], "{}", chess.fen());
    }
}

/// The value by selection functions alone.
fn selected(chess: &MiniChess) -> i64 {
    let mover = chess.mover();
    let reached = |history: &[u16]| {
        let mut reached = chess.clone();
        history.iter().for_each(|&mv| reached.play(mv));
        reached
    };
    let plan = |history: &[u16]| {
        let reached = reached(history);
        let side = reached.mover()?;
        Some(if Some(side) == mover { max(reached.moves()) } else { min(reached.moves()) })
    };
    let outcome = |history: &[u16]| {
        let value = reached(history).end();
        if history.len().is_multiple_of(2) { value } else { -value }
    };
    play(&plan, &outcome).value.into()
}

#[test]
fn positions_have_their_known_results() {
    // Mate by the rook on the eighth row, and the king is taken two plies later.
    for (text, plies, confirmed) in [
        ("minichess 6k1/8/6K1/8/8/8/8/R7 w 1", 0, true),
        ("minichess 6k1/8/6K1/8/8/8/8/R7 w 3", 3, true),
        ("minichess R5k1/8/6K1/8/8/8/8/8 b 2", -2, true),
        ("minichess 6k1/8/6K1/8/8/8/8/6R1 w 2", 0, true),
        ("minichess 7k/8/8/8/8/8/8/K6R w 1", 1, true),
        ("minichess 7k/8/5K2/8/8/8/8/6R1 w 3", 3, true),
    ] {
        let problem = parse(text).unwrap();
        assert_eq!(Solver::new(problem.clone()).solve().unwrap().verdict, Verdict::Value(plies), "{text}");
        if let (true, Problem::Sequential(Sequential::MiniChess(chess))) = (confirmed, &problem) {
            assert_eq!(chess.plies_of(selected(chess)), plies, "{text}");
        }
        assert_eq!(to_string(&problem, Format::MiniChess).unwrap(), format!("{text}\n"));
    }
}

#[test]
fn mistakes_are_refused() {
    for (text, words) in [
        ("minichess 8/8/8/8/8/8/8/8 w", "white has 0 kings"),
        ("minichess kK6/8/8/8/8/8/8/k7 w", "black has 2 kings"),
        ("minichess kK6/8/8 w", "has not eight rows"),
        ("minichess kK5/8/8/8/8/8/8/8 w", "row 8 has 7 squares"),
        ("minichess kN6/8/8/8/8/8/8/8 w", "'N' is no man"),
        ("minichess kK6/8/8/8/8/8/8/8 x", "'x' is no side"),
        ("minichess kK6/8/8/8/8/8/8/8 w 61", "61 plies cannot be looked ahead"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.contains(words), "{error}: {words}");
    }
}

//! Verdicts without search: self-dual positions and unequal sides of Hex.

use crate::support::boards::max_wins;
use crate::support::graphs::{Case, Random, hex, random_case};
use gamesat::Problem;
use gamesat::check::{Judgement, verify};
use gamesat::control::{Control, Interrupt, Limits};
use gamesat::formula::Proof;
use gamesat::graph::Graph;
use gamesat::rules::{Board, Grid, Hex, Rules, Shannon, Side};
use gamesat::solve::{Answer, Options, Question, Trace, Verdict, Wanted, ask};
use gamesat_games::graph::{VertexGame, is_self_dual};

fn position(graph: Graph, short: &[usize], cut: &[usize], short_to_move: bool) -> Case {
    let terminals = [graph.vertices() - 2, graph.vertices() - 1];
    Case { graph, terminals: terminals.to_vec(), short: short.to_vec(), cut: cut.to_vec(), short_to_move }
}

#[test]
fn square_hex_is_self_dual_and_other_boards_are_not() {
    for side in [1, 2, 3, 4, 5, 8, 11] {
        let board = hex(side, side);
        let game = VertexGame {
            graph: &board,
            terminals: &[side * side, side * side + 1],
            short: &[],
            cut: &[],
            short_to_move: true,
        };
        assert!(is_self_dual(&game), "hex {side}");
    }
    for (columns, rows) in [(3, 4), (4, 3), (9, 8)] {
        assert!(!is_self_dual(&position(hex(columns, rows), &[], &[], true).game()));
    }
    // Black b3 and White c2 are images of each other; a stone more is not.
    assert!(is_self_dual(&position(hex(5, 5), &[11], &[7], false).game()));
    assert!(!is_self_dual(&position(hex(5, 5), &[11, 12], &[7], false).game()));
    assert!(!is_self_dual(&position(hex(1, 1), &[0], &[], false).game()), "the game is over");
}

#[test]
fn in_self_dual_positions_the_player_to_move_wins() {
    let mut random = Random(9);
    let mut seen = 0;
    for number in 0..1500 {
        let case = if number % 2 == 0 {
            random_case(&mut random, 9)
        } else {
            // Stones in symmetric pairs.
            let side = 3 + random.below(2);
            let mut case = position(hex(side, side), &[], &[], random.chance(50));
            for _ in 0..random.below(5) + side - 2 {
                let (x, y) = (random.below(side), random.below(side));
                let (cell, image) = (y * side + x, x * side + y);
                if x != y && [cell, image].iter().all(|stone| case.free().contains(stone)) {
                    case.short.push(cell);
                    case.cut.push(image);
                }
            }
            case
        };
        if case.free().len() <= 10 && is_self_dual(&case.game()) {
            seen += 1;
            assert_eq!(case.truth(), case.short_to_move, "{case:?}");
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn one_cell_of_every_pair_joins_the_shorter_sides() {
    assert_eq!(Hex(Grid { columns: 4, rows: 4 }).pairing(), None);
    for (columns, rows) in [(2, 1), (3, 2), (4, 3), (5, 4), (7, 3), (1, 2), (2, 3), (3, 4), (4, 5), (2, 5)] {
        let (side, pairs) = Hex(Grid { columns, rows }).pairing().unwrap();
        let mut different: Vec<usize> = pairs.iter().flatten().copied().collect();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), 2 * pairs.len());
        let wide = columns > rows;
        assert_eq!(side, if wide { Side::First } else { Side::Second });
        let everything: Vec<usize> = (0..columns * rows).collect();
        for choice in 0..1u32 << pairs.len() {
            let cells: Vec<usize> =
                pairs.iter().enumerate().map(|(at, two)| two[(choice >> at & 1) as usize]).collect();
            let others: Vec<usize> = everything.iter().copied().filter(|cell| !cells.contains(cell)).collect();
            let (short, cut) = if wide { (cells, others) } else { (others, cells) };
            assert_eq!(position(hex(columns, rows), &short, &cut, true).truth(), wide, "{columns}x{rows} {choice:b}");
        }
    }
}

fn solved(problem: &Problem, wanted: &Wanted, engine: Option<&str>, limits: Limits) -> Answer {
    let mut options = Options::default();
    options.engine = engine.map(str::to_owned);
    let control = Control::new(limits, Interrupt::new());
    ask(&Question { problem, wanted }, &options, &control).unwrap()
}

fn board(text: &str) -> Problem {
    gamesat::parse(text).unwrap()
}

#[test]
fn large_boards_answer_without_a_move() {
    for text in ["hex 11", "hex 30", "y 11", "y 40"] {
        let answer = solved(&board(text), &Wanted::default(), None, Limits::default());
        assert_eq!((answer.verdict, answer.moves.len()), (Verdict::True, 0), "{text}");
        assert!(answer.theorem.is_some_and(|theorem| theorem.starts_with("self-dual")), "{text}");
    }
    // Black b3 and White c2: whoever is to move wins.
    for (turn, verdict) in [("black", Verdict::True), ("white", Verdict::False)] {
        let text = format!("hex 5\nturn {turn}\n. . . . .\n. . W . .\n. B . . .\n. . . . .\n. . . . .\n");
        let answer = solved(&board(&text), &Wanted::default(), Some("theorem"), Limits::default());
        assert_eq!(answer.verdict, verdict);
        assert_eq!(solved(&board(&text), &Wanted::default(), None, Limits::default()).verdict, verdict);
    }
}

/// Where a search is within reach its move is named; a limit leaves the verdict.
#[test]
fn a_limit_leaves_the_verdict_of_the_theorem() {
    let found = solved(&board("hex 6"), &Wanted::default(), None, Limits::default());
    assert_eq!((found.verdict, found.moves.len(), found.theorem), (Verdict::True, 1, None));
    let one = Limits { nodes: Some(1), ..Limits::default() };
    for text in ["hex 8", "y 8", "p gamesat dnf 7 7\n1 2 4 0\n2 3 5 0\n3 4 6 0\n4 5 7 0\n5 6 1 0\n6 7 2 0\n7 1 3 0\n"] {
        let wanted = Wanted::default().and_all_moves();
        let answer = solved(&board(text), &wanted, None, one);
        assert_eq!(answer.verdict, Verdict::True, "{text}");
        assert!(answer.missing.is_some(), "{text} {answer:?}");
        // The engine names a first move that wins, and lacks the others; else the theorem says who wins.
        match answer.moves.first() {
            Some(mv) => {
                let all = solved(&board(text), &wanted, None, Limits::default());
                assert!(answer.moves.len() < all.moves.len() && all.moves.contains(mv), "{text} {mv}");
            }
            None => assert!(answer.theorem.is_some(), "{text} {answer:?}"),
        }
    }
    let rows = "........\n".repeat(7);
    let other = solved(&board(&format!("hex 8\nturn white\nB.......\n{rows}")), &Wanted::default(), None, one);
    assert_eq!((other.verdict, other.theorem), (Verdict::Unknown, None));
}

/// Random monotone formulas: a formula that is self-dual by its rows is won by whoever is to move.
#[test]
fn self_dual_formulas_are_won_by_the_mover() {
    let mut random = Random(17);
    let mut seen = 0;
    for number in 0..400 {
        // Of complementary sets one each, then everything above: self-dual functions; or any rows at all.
        let size = 3 + 2 * random.below(2);
        let wins: Vec<bool> = if number % 2 == 0 {
            let weights: Vec<usize> = (0..size).map(|_| 1 + random.below(4)).collect();
            let weight =
                |set: usize| -> usize { (0..size).filter(|at| set >> at & 1 == 1).map(|at| weights[at]).sum() };
            (0..1usize << size).map(|set| 2 * weight(set) > weights.iter().sum()).collect()
        } else {
            let rows: Vec<usize> = (0..3).map(|_| 1 + random.below((1 << size) - 1)).collect();
            (0..1usize << size).map(|set| rows.iter().any(|row| row & !set == 0)).collect()
        };
        let minimal = |set: &usize| wins[*set] && (0..size).all(|at| set >> at & 1 == 0 || !wins[set & !(1 << at)]);
        let rows: Vec<usize> = (0..1usize << size).filter(minimal).collect();
        let mut text = format!("p gamesat dnf {size} {}\n", rows.len());
        for row in &rows {
            (0..size).filter(|at| row >> at & 1 == 1).for_each(|at| text += &format!("{} ", at + 1));
            text += "0\n";
        }
        for turn in ["max", "min"] {
            let problem = board(&text.replacen('\n', &format!("\nturn {turn}\n"), 1));
            let stopped = Control::new(Limits::default(), Interrupt::new());
            let interrupted = Interrupt::new();
            interrupted.trigger();
            let control = stopped.with_interrupt(interrupted);
            let question = Question { problem: &problem, wanted: &Wanted::default() };
            let answer = ask(&question, &Options::default(), &control).unwrap();
            if answer.theorem.is_some() {
                seen += 1;
                let truth = solved(&problem, &Wanted::default(), Some("naive"), Limits::default());
                assert_eq!(answer.verdict, truth.verdict, "{text}");
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

/// The pairing with stones on the board, against minimax and before the judge.
#[test]
fn pairings_are_strategies() {
    let (mut seen, mut random) = (0, Random(23));
    for number in 0..400 {
        let (columns, rows) = [(3, 2), (2, 3), (4, 3), (3, 4), (5, 2), (2, 4)][number % 6];
        let mut position = Board::new(Hex(Grid { columns, rows }));
        for _ in 0..random.below(5) {
            let cell = random.below(columns * rows);
            let side = if random.chance(50) { Side::First } else { Side::Second };
            let _ = position.place(cell, side);
        }
        position.turn = if random.chance(50) { Side::First } else { Side::Second };
        position.max = if random.chance(50) { Side::First } else { Side::Second };
        let problem = Problem::Board(position.clone());
        let wanted = Wanted::default().and_proof().and_trace(Trace::Any);
        let question = Question { problem: &problem, wanted: &wanted };
        let mut options = Options::default();
        options.engine = Some("theorem".to_owned());
        let Ok(answer) = ask(&question, &options, &Control::default()) else { continue };
        seen += 1;
        assert_eq!(answer.verdict, Verdict::from(max_wins(&position)), "{position:?}");
        let proof = answer.proof.unwrap();
        let judged = verify(&problem, &proof, &Control::default()).unwrap();
        assert_eq!(judged, Judgement::Accepted(answer.verdict == Verdict::True), "{position:?} {proof:?}");
        if let Some(lit) = answer.moves.first() {
            let mut after = position.clone();
            after.play(lit.var().index()).unwrap();
            assert_eq!(Verdict::from(max_wins(&after)), answer.verdict);
        }
    }
    assert!(seen > 100, "{seen}");
    let large = board("hex 30x29\nturn white\n");
    let answer = solved(&large, &Wanted::default().and_proof(), None, Limits::default());
    let Some(Proof::Strategy(strategy)) = &answer.proof else { panic!("{answer:?}") };
    assert_eq!((answer.verdict, strategy.len()), (Verdict::True, 1));
}

/// Graphs of any size are decided where nothing joins the terminals; with a vertex more that does, Cut has to be shown where.
#[test]
fn terminals_that_are_apart_need_no_search() {
    let count = 10_000;
    for (missing, turn) in [(Some(5_000), Side::First), (Some(5_000), Side::Second), (None, Side::First)] {
        let mut graph = Graph::new(count);
        for vertex in (1..count).filter(|&vertex| Some(vertex) != missing) {
            graph.add_edge(vertex - 1, vertex);
        }
        let mut position = Board::new(Shannon { graph, terminals: vec![0, count - 1], edges: false });
        position.turn = turn;
        let answer = solved(&Problem::Board(position), &Wanted::default(), None, Limits::default());
        assert_eq!(answer.verdict, Verdict::False);
        assert_eq!(answer.theorem.is_some(), missing.is_some());
        assert_eq!(answer.moves.len(), usize::from(turn == Side::Second));
    }
}

//! The graph engine against plain minimax: verdicts, moves and traces, with every technique alone and in random subsets,
//! on boards with and without a dual.

use crate::support::graphs::{Case, Random, hex, planar_graph, random_case, random_graph, random_options};
use gamesat::Problem;
use gamesat::control::{Control, Interrupt, Limits, StopReason};
use gamesat::graph::Graph;
use gamesat::options::GraphOptions;
use gamesat::rules::{Board, Shannon, Y};
use gamesat::solve::{Options, Question, Wanted, ask};
use gamesat_check::steps::VertexMinimax;
use gamesat_games::graph::{Questions, Session, VertexGame, solve_vertex_game};

/// Verdict, moves and trace of one case.
fn compare(case: &Case, options: &GraphOptions) {
    let context = || format!("{case:?} with {options:?}");
    let solution = solve_vertex_game(
        &case.game(),
        Questions { all_moves: true, line: true, ..Questions::default() },
        options,
        &Control::default(),
    )
    .unwrap_or_else(|reason| panic!("{reason}: {}", context()));
    let mut judge = case.judge();
    let short_wins = judge.short_wins(&[], &[], case.short_to_move);
    assert_eq!(solution.short_wins, short_wins, "verdict of {}", context());
    let free = case.free();
    let wins = |vertex: usize, judge: &mut VertexMinimax| match case.short_to_move {
        true => judge.short_wins(&[vertex], &[], false),
        false => !judge.short_wins(&[], &[vertex], true),
    };
    let winning: Vec<usize> = if short_wins == case.short_to_move {
        free.iter().copied().filter(|&vertex| wins(vertex, &mut judge)).collect()
    } else {
        Vec::new()
    };
    assert_eq!(solution.moves, winning, "moves of {}", context());
    // Everything outside the trace goes to the loser.
    let given: Vec<usize> = free.iter().copied().filter(|vertex| !solution.trace.contains(vertex)).collect();
    let (short, cut): (&[usize], &[usize]) = if short_wins { (&[], &given) } else { (&given, &[]) };
    assert_eq!(
        judge.short_wins(short, cut, case.short_to_move),
        short_wins,
        "trace {:?} of {}",
        solution.trace,
        context()
    );
    assert!(solution.trace.iter().all(|vertex| free.contains(vertex)), "trace of {}", context());
    // The line of play is legal, and nobody throws the win away.
    let (mut short, mut cut) = (Vec::new(), Vec::new());
    let mut short_to_move = case.short_to_move;
    for &vertex in &solution.line {
        assert!(free.contains(&vertex) && !short.contains(&vertex) && !cut.contains(&vertex), "line of {}", context());
        if short_to_move {
            short.push(vertex)
        } else {
            cut.push(vertex)
        }
        short_to_move = !short_to_move;
        assert_eq!(judge.short_wins(&short, &cut, short_to_move), short_wins, "{:?} {}", solution.line, context());
    }
}

/// Hex of 4x4 to 6x6, planar graphs and any others, either player to move; every technique, each without and each alone,
/// and random subsets of them.
#[test]
fn random_positions_agree_with_minimax() {
    let mut random = Random(1);
    for _ in 0..20_000 {
        let options = random_options(&mut random);
        // Without connections large positions take long.
        let case = random_case(&mut random, if options.connections { 14 } else { 9 });
        compare(&case, &options);
    }
}

/// The smallest trace is one: without any cell of it the winner does not win.
#[test]
fn small_traces_cannot_be_made_smaller() {
    let mut random = Random(5);
    for _ in 0..300 {
        let case = random_case(&mut random, 11);
        let questions = Questions { small_trace: true, ..Questions::default() };
        let solution = solve_vertex_game(&case.game(), questions, &random_options(&mut random), &Control::default());
        let solution = solution.unwrap();
        let mut judge = case.judge();
        let mut wins_inside = |trace: &[usize]| {
            let given: Vec<usize> = case.free().into_iter().filter(|vertex| !trace.contains(vertex)).collect();
            let (short, cut): (&[usize], &[usize]) = if solution.short_wins { (&[], &given) } else { (&given, &[]) };
            judge.short_wins(short, cut, case.short_to_move) == solution.short_wins
        };
        assert!(wins_inside(&solution.trace), "{case:?}");
        for without in 0..solution.trace.len() {
            let mut fewer = solution.trace.clone();
            fewer.remove(without);
            assert!(!wins_inside(&fewer), "{case:?} {:?} without {without}", solution.trace);
        }
    }
}

/// What both engines can solve they solve alike.
#[test]
fn the_formula_engine_agrees() {
    let mut random = Random(11);
    for number in 0..50 {
        let graph = match number % 3 {
            0 => hex(4, 4),
            1 => planar_graph(&mut random, 4, 4),
            _ => random_graph(&mut random, 16),
        };
        let (vertices, edges) = (graph.vertices(), false);
        // Now and then the last cell is a terminal too.
        let terminals = (vertices - 2 - usize::from(number % 4 == 0)..vertices).collect();
        let mut board = match number % 5 {
            4 => Board::new(Y(4 + random.below(2))),
            _ => Board::new(Shannon { graph, terminals, edges }),
        };
        for _ in 0..random.below(4) {
            let _ = board.play(random.below(vertices));
        }
        let problem = Problem::Board(board);
        let wanted = Wanted::default().and_all_moves();
        let answers = ["graph", "alpha-beta"].map(|engine| {
            let mut options = Options::default();
            options.engine = Some(engine.to_owned());
            let answer = ask(&Question { problem: &problem, wanted: &wanted }, &options, &Control::default()).unwrap();
            (answer.verdict, answer.moves)
        });
        assert_eq!(answers[0], answers[1], "{problem:?}");
    }
}

/// Answers count their own work, not the session's.
#[test]
fn counters_are_of_one_answer() {
    let graph = hex(6, 6);
    let game = VertexGame { graph: &graph, terminals: &[36, 37], short: &[], cut: &[], short_to_move: true };
    let mut session = Session::new(&game, &GraphOptions::default()).unwrap();
    let nodes = |session: &mut Session| {
        session.solve(Questions::default(), &Control::default()).unwrap().statistics.get("nodes")
    };
    assert!(session.play(1));
    let (first, again) = (nodes(&mut session), nodes(&mut session));
    assert!(first > 5.0 && again < first, "{first} {again}");
}

/// Hex knows its answers: the openings that win on 4x4, 5x5 and 6x6, Black at the cell and White to move.
#[test]
fn openings_of_hex_are_the_known_ones() {
    let maps = [
        (4, "...B ..B. .B.. B..."),
        (5, "....B .BBBB .BBB. BBBB. B...."),
        (6, ".....B .BBBBB BBBBBB BBBBBB BBBBB. B....."),
    ];
    for (side, map) in maps {
        let graph = hex(side, side);
        let cells = side * side;
        let game =
            VertexGame { graph: &graph, terminals: &[cells, cells + 1], short: &[], cut: &[], short_to_move: true };
        let mut session = Session::new(&game, &GraphOptions::default()).unwrap();
        let mut found = String::new();
        for cell in 0..cells {
            assert!(session.play(cell) && !session.play(cell) && !session.short_to_move());
            let solution = session.solve(Questions::default(), &Control::default()).unwrap();
            found.push(if solution.short_wins { 'B' } else { '.' });
            assert!(session.undo());
        }
        assert!(!session.undo() && !session.play(cells), "terminals are nobody's");
        assert_eq!(found, map.replace(' ', ""));
        let all = session.solve(Questions { all_moves: true, ..Questions::default() }, &Control::default()).unwrap();
        let winning: Vec<usize> = (0..cells).filter(|&cell| found.as_bytes()[cell] == b'B').collect();
        assert_eq!(all.moves, winning);
    }
}

fn graph(vertices: usize, edges: &[(usize, usize)]) -> Graph {
    let mut graph = Graph::new(vertices);
    edges.iter().for_each(|&(u, v)| {
        graph.add_edge(u, v);
    });
    graph
}

/// A node that no simplicial test shows to be dead, and a win that the closure of connections does not see.
#[test]
fn what_single_techniques_miss_the_search_finds() {
    // Short wins moving first, by node 2 only.
    let edges = [
        (7, 0),
        (7, 3),
        (7, 6),
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 4),
        (1, 5),
        (2, 3),
        (2, 4),
        (2, 5),
        (4, 6),
        (1, 8),
        (5, 8),
    ];
    let missed = graph(9, &edges);
    let case = Case { graph: missed, terminals: vec![7, 8], short: vec![], cut: vec![], short_to_move: true };
    let all = Questions { all_moves: true, ..Questions::default() };
    let solution = solve_vertex_game(&case.game(), all, &GraphOptions::default(), &Control::default()).unwrap();
    assert_eq!((solution.short_wins, solution.moves), (true, vec![2]));
    let dead = graph(5, &[(3, 1), (3, 2), (4, 0), (4, 1), (4, 2), (0, 1), (0, 2)]);
    let case = Case { graph: dead, terminals: vec![3, 4], short: vec![], cut: vec![], short_to_move: false };
    let solution = solve_vertex_game(&case.game(), all, &GraphOptions::default(), &Control::default()).unwrap();
    assert!(solution.short_wins && !solution.trace.contains(&0), "{solution:?}");
}

#[test]
fn boards_without_a_game_are_decided() {
    let control = Control::default();
    let solve = |graph: &Graph, short_to_move: bool| {
        let game = VertexGame { graph, terminals: &[0, 1], short: &[], cut: &[], short_to_move };
        solve_vertex_game(
            &game,
            Questions { all_moves: true, strategy: true, ..Questions::default() },
            &GraphOptions::default(),
            &control,
        )
    };
    for short_to_move in [true, false] {
        let adjacent = solve(&graph(3, &[(0, 1), (0, 2)]), short_to_move).unwrap();
        assert!(adjacent.short_wins && adjacent.trace.is_empty());
        assert_eq!(adjacent.moves, if short_to_move { vec![2] } else { vec![] });
        let apart = solve(&graph(4, &[(0, 2), (1, 3)]), short_to_move).unwrap();
        assert!(!apart.short_wins && apart.trace.is_empty());
        let nothing = solve(&graph(2, &[]), short_to_move).unwrap();
        assert!(!nothing.short_wins && nothing.moves.is_empty());
    }
    // A long path is cut anywhere, whoever is to move.
    let path: Vec<(usize, usize)> = (1..9_999).map(|v| (v, v + 1)).chain([(0, 9_999)]).collect();
    let long = graph(10_000, &path);
    let cut = solve(&long, true).unwrap();
    assert!(!cut.short_wins && cut.trace.len() <= 2, "{:?}", cut.trace);
    let stones: Vec<usize> = (2..9_998).collect();
    let game = VertexGame { graph: &long, terminals: &[0, 1], short: &stones, cut: &[], short_to_move: false };
    let solution = solve_vertex_game(&game, Questions::default(), &GraphOptions::default(), &control).unwrap();
    assert_eq!((solution.short_wins, solution.moves.len()), (false, 1));
}

/// Boards of more than 256 cells: what a region decides, and what none does.
#[test]
fn large_boards_are_solved_by_regions() {
    let ask = |graph: &Graph, terminals: &[usize], short_to_move: bool, nodes: Option<u64>| {
        let game = VertexGame { graph, terminals, short: &[], cut: &[], short_to_move };
        let control = Control::new(Limits { nodes, ..Limits::default() }, Interrupt::new());
        let questions = Questions { strategy: true, ..Questions::default() };
        solve_vertex_game(&game, questions, &GraphOptions::default(), &control)
    };
    // A board of 20 columns and 16 rows, and with two rows between the terminals at its top.
    let wide = hex(20, 16);
    for short_to_move in [true, false] {
        let found = ask(&wide, &[320, 321], short_to_move, Some(2_000));
        assert!(found.is_err() || found.unwrap().short_wins, "more columns than rows");
    }
    // Two bridges away from each other, far from everything else: whoever is to move cannot help it.
    let mut near = Graph::new(1_202);
    (0..1_199).for_each(|v| {
        near.add_edge(v, v + 1);
    });
    for (terminal, ends) in [(1_200, [10, 12]), (1_201, [10, 12])] {
        ends.into_iter().for_each(|v| {
            near.add_edge(terminal, v);
        });
    }
    for short_to_move in [true, false] {
        let found = ask(&near, &[1_200, 1_201], short_to_move, None).unwrap();
        assert!(found.short_wins && found.trace.len() <= 2 && found.strategy.is_some(), "{:?}", found.trace);
    }
    // A torus of squares with its terminals at one corner apart: four moves surround either.
    let side = 40;
    let mut torus = Graph::new(side * side);
    for v in 0..side * side {
        torus.add_edge(v, v / side * side + (v + 1) % side);
        torus.add_edge(v, (v + side) % (side * side));
    }
    let far = ask(&torus, &[0, side * 20 + 20], false, Some(50));
    assert!(matches!(far, Ok(_) | Err(StopReason::Nodes | StopReason::Unsupported(_))));
}

/// Stopping leaves everything in order: asked again without a limit, the session goes on and answers.
#[test]
fn a_stopped_session_goes_on() {
    let graph = hex(6, 6);
    let game = VertexGame { graph: &graph, terminals: &[36, 37], short: &[], cut: &[], short_to_move: true };
    let mut session = Session::new(&game, &GraphOptions::default()).unwrap();
    assert!(session.play(1));
    let limited = Control::new(Limits { nodes: Some(10), ..Limits::default() }, Interrupt::new());
    assert_eq!(session.solve(Questions::default(), &limited).unwrap_err(), StopReason::Nodes);
    let solution = session.solve(Questions::default(), &Control::default()).unwrap();
    assert!(!solution.short_wins && solution.moves.len() == 1);
}

/// A table of one mebibyte is swept many times, and the answers stay the same.
#[test]
fn a_small_table_forgets_but_does_not_err() {
    let graph = hex(6, 6);
    let game = VertexGame { graph: &graph, terminals: &[36, 37], short: &[1], cut: &[], short_to_move: false };
    let mut options = GraphOptions::default();
    options.graph_table = 1;
    options.connections = false;
    let solution = solve_vertex_game(&game, Questions::default(), &options, &Control::default()).unwrap();
    assert!(!solution.short_wins);
    assert!(solution.statistics.get("table_sweeps") > 0.0);
}

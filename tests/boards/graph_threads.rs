//! Several threads on one position: verdict, winning moves, trace and strategy are as good as with one.

use crate::support::graphs::{Random, hex, random_case, random_options};
use gamesat::control::{Control, Interrupt, Limits, StopReason};
use gamesat::options::GraphOptions;
use gamesat_games::graph::{Questions, Session, VertexGame, solve_vertex_game};

/// Without connections and fill the search is long enough for threads to be called.
#[test]
fn threads_find_the_same_winners() {
    let mut random = Random(31);
    let mut long = 0;
    for number in 0..400 {
        let case = random_case(&mut random, 13);
        let mut options = if number % 3 == 0 { random_options(&mut random) } else { GraphOptions::none() };
        options.graph_threads = 2 + number % 3;
        options.graph_table = 1;
        let solution = solve_vertex_game(&case.game(), Questions::default(), &options, &Control::default()).unwrap();
        let mut judge = case.judge();
        let truth = judge.short_wins(&[], &[], case.short_to_move);
        assert_eq!(solution.short_wins, truth, "{case:?}");
        let given: Vec<usize> = case.free().into_iter().filter(|vertex| !solution.trace.contains(vertex)).collect();
        let (short, cut): (&[usize], &[usize]) = if truth { (&[], &given) } else { (&given, &[]) };
        assert_eq!(judge.short_wins(short, cut, case.short_to_move), truth, "{case:?} {:?}", solution.trace);
        long += usize::from(solution.statistics.get("nodes") > 256.0);
    }
    assert!(long > 5, "{long}");
}

#[test]
fn hex_with_threads() {
    let graph = hex(5, 5);
    let game = VertexGame { graph: &graph, terminals: &[25, 26], short: &[], cut: &[], short_to_move: true };
    let mut options = GraphOptions::default();
    options.connections = false;
    options.graph_threads = 3;
    let questions = Questions { all_moves: true, strategy: true, ..Questions::default() };
    let solution = Session::new(&game, &options).unwrap().solve(questions, &Control::default()).unwrap();
    assert_eq!((solution.short_wins, solution.moves.len()), (true, 13));
    assert!(solution.strategy.is_some());
}

#[test]
fn limits_stop_every_thread() {
    let graph = hex(8, 8);
    let game = VertexGame { graph: &graph, terminals: &[64, 65], short: &[1], cut: &[], short_to_move: false };
    let mut options = GraphOptions::default();
    options.graph_threads = 3;
    let limits = Limits { nodes: Some(700), ..Limits::default() };
    let stopped =
        Session::new(&game, &options).unwrap().solve(Questions::default(), &Control::new(limits, Interrupt::new()));
    assert_eq!(stopped.unwrap_err(), StopReason::Nodes);
}

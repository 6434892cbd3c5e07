//! Vertex games on any graph, as boards and through the graph engine, against plain minimax on the graph.

use super::Case;
use crate::support::ask;
use crate::support::graphs::{Case as Position, Random, random_case, random_options};
use gamesat::Problem;
use gamesat::control::Control;
use gamesat::formula::{Player, Var};
use gamesat::rules::{Board, Shannon, Side};
use gamesat::solve::{Answer, Options, Solver, Trace, Wanted};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

fn board(position: &Position, max: Side) -> Board {
    let mut board =
        Board::new(Shannon { graph: position.graph.clone(), terminals: position.terminals.clone(), edges: false });
    position.short.iter().for_each(|&vertex| board.place(vertex, Side::First).unwrap());
    position.cut.iter().for_each(|&vertex| board.place(vertex, Side::Second).unwrap());
    board.turn = if position.short_to_move { Side::First } else { Side::Second };
    board.max = max;
    board
}

/// The moves that win, if the player to move does.
fn winning(position: &Position) -> Vec<usize> {
    let truth = position.truth();
    let wins = |vertex: &usize| truth == position.short_to_move && position.after(*vertex).truth() == truth;
    position.free().into_iter().filter(wins).collect()
}

fn compare(position: &Position, max: Side, answer: &Answer, all: bool, context: &str) {
    let short_wins = position.truth();
    let winner = if short_wins == (max == Side::First) { Player::Max } else { Player::Min };
    assert_eq!(answer.verdict.winner(), Some(winner), "{position:?} {context}");
    let found: Vec<usize> = answer.moves.iter().map(|lit| lit.var().index()).collect();
    let winning = winning(position);
    if all {
        assert_eq!(found, winning, "{position:?} {context}");
    } else {
        assert!(found.iter().all(|vertex| winning.contains(vertex)), "{found:?}: {position:?} {context}");
        assert_eq!(found.is_empty(), winning.is_empty(), "{position:?} {context}");
    }
    if let Some(trace) = &answer.trace {
        // Everything outside it goes to the loser.
        let mut given = position.clone();
        for vertex in position.free() {
            if !trace.iter().any(|var| var.index() == vertex) {
                if short_wins { given.cut.push(vertex) } else { given.short.push(vertex) }
            }
        }
        assert_eq!(given.truth(), short_wins, "trace {trace:?}: {position:?} {context}");
    }
}

pub fn answers(random: &mut ChaCha8Rng, case: &mut Case) {
    let mut own = Random(random.random());
    let mut position = random_case(&mut own, 10);
    let max = if random.random() { Side::First } else { Side::Second };
    let problem = Problem::Board(board(&position, max));
    let mut options = Options::default();
    options.engine = Some("graph".to_owned());
    options.graph = random_options(&mut own);
    options.graph.graph_table = 1;
    case.problem(&problem, &options);
    let mut solver = Solver::new(problem.clone()).with_options(options.clone());
    let context = format!("{max:?} is MAX, from {problem:?}, {options:?}");
    let mut before = Vec::new();
    for round in 0..3 {
        let mut wanted = Wanted::default().and_trace(Trace::Any);
        wanted.all_moves = random.random();
        let answer = if round == 0 {
            ask::ask(&problem, &wanted, &options, &Control::default())
        } else {
            solver.ask(&wanted).unwrap()
        };
        compare(&position, max, &answer, wanted.all_moves, &context);
        case.count(if position.truth() { "short" } else { "cut" });
        let free = position.free();
        if !before.is_empty() && random.random_range(0..3) == 0 {
            assert!(solver.undo());
            position = before.pop().unwrap_or(position);
        } else if let Some(&vertex) = free.get(random.random_range(0..free.len().max(1))) {
            let Problem::Board(board) = solver.problem() else { unreachable!("it is a board") };
            let lit = Var::from_index(vertex).lit(board.turn == board.max);
            solver.play(lit).unwrap();
            let after = position.after(vertex);
            before.push(std::mem::replace(&mut position, after));
        }
    }
}

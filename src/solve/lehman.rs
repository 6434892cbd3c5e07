//! `--engine lehman`: edge games and Bridg-it in polynomial time, with two trees or two forests as the reason.

use super::{Control, Engine, Options, Outcome, StopReason, Verdict};
use crate::engine::graph::{EdgeGame, Reason, solve_edge_game};
use crate::formula::Var;
use crate::problem::Problem;
use crate::rules::{Board, Goal, Side};

pub(super) struct Lehman;

impl Engine for Lehman {
    fn name(&self) -> &'static str {
        "lehman"
    }

    fn about(&self) -> &'static str {
        "Shannon's edge game and Bridg-it, by two edge-disjoint trees"
    }

    fn handles(&self, problem: &Problem) -> bool {
        matches!(problem, Problem::Board(board) if board.schedule.is_none() && is_edge_game(board))
    }

    fn solve(&self, problem: &Problem, options: &Options, control: &Control) -> Outcome {
        let Problem::Board(board) = problem else {
            return Outcome::stopped(StopReason::Unsupported("only edge games".into()));
        };
        let Some(Goal::Edges { graph, terminals }) = board.goal(Side::First) else {
            return Outcome::stopped(StopReason::Unsupported("only edge games".into()));
        };
        let of = |side: Side| (0..board.elements()).filter(move |&e| board.stone(e) == Some(side)).collect::<Vec<_>>();
        let (short, cut) = (of(Side::First), of(Side::Second));
        let game = EdgeGame { graph, terminals: *terminals, short: &short, cut: &cut };
        let solution = match solve_edge_game(&game, board.turn == Side::First, options.all_moves, control) {
            Ok(solution) => solution,
            Err(reason) => return Outcome::stopped(reason),
        };
        let winner = if solution.short_wins { Side::First } else { Side::Second };
        let mut outcome = Outcome::new(Verdict::from(board.player(winner)));
        let colour = board.turn == board.max;
        let mut moves = solution.moves;
        moves.sort_unstable();
        outcome.moves = moves.into_iter().map(|edge| Var::from_index(edge).lit(colour)).collect();
        outcome.certificate = Some(certificate(board, &solution.reason, solution.key));
        outcome
    }
}

fn is_edge_game(board: &Board) -> bool {
    matches!(board.goal(Side::First), Some(Goal::Edges { .. }))
}

/// The reason as text: the move that it needs, then the two trees or forests.
fn certificate(board: &Board, reason: &Reason, key: Option<usize>) -> String {
    let line = |word: &str, edges: &[usize]| {
        edges.iter().fold(word.to_owned(), |text, &edge| format!("{text} {}", board.name(edge))) + "\n"
    };
    let mut text = key.map_or(String::new(), |edge| line("move", &[edge]));
    match reason {
        Reason::Joined => text.push_str("joined\n"),
        Reason::Trees(trees) => trees.iter().for_each(|tree| text.push_str(&line("tree", tree))),
        Reason::Forests(forests, inside) => {
            forests.iter().for_each(|forest| text.push_str(&line("forest", forest)));
            text.push_str(&line("contracted", inside));
        }
    }
    text
}

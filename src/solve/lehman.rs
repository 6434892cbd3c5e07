//! Edge games and Bridg-it in polynomial time, with two trees or two forests as the proof.

use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, StopReason, Trace, Verdict, Wanted};
use gamesat_core::formula::{Proof, Reason, Trees, Var};
use gamesat_core::graph::Goal;
use gamesat_core::problem::Problem;
use gamesat_core::rules::{Board, Side};
use gamesat_games::graph::{EdgeGame, solve_edge_game};

pub(super) struct Lehman;

impl Engine for Lehman {
    fn name(&self) -> &'static str {
        "lehman"
    }

    fn about(&self) -> &'static str {
        "Shannon's edge game and Bridg-it, by two edge-disjoint trees"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        match question.problem {
            Problem::Board(board) if !question.wanted.outer_model && is_edge_game(board) => Offer::direct(Fit::Theorem),
            _ => None,
        }
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        Box::new(Afresh { options: options.clone(), answer })
    }
}

fn is_edge_game(board: &Board) -> bool {
    !board.has_plies() && matches!(board.goal(Side::First), Some(Goal::Edges { .. }))
}

fn answer(problem: &Problem, wanted: &Wanted, _: &Options, control: &Control) -> Answer {
    match problem {
        Problem::Board(board) => match board.goal(Side::First) {
            Some(Goal::Edges { graph, terminals }) => {
                let of = |side: Side| (0..board.elements()).filter(|&e| board.stone(e) == Some(side)).collect();
                let (short, cut): (Vec<usize>, Vec<usize>) = (of(Side::First), of(Side::Second));
                let game = EdgeGame { graph, terminals: *terminals, short: &short, cut: &cut };
                solve(board, &game, wanted, control).unwrap_or_else(Answer::stopped)
            }
            _ => Answer::stopped(StopReason::Unsupported("this is not an edge game".to_owned())),
        },
        _ => Answer::stopped(StopReason::Unsupported("this is not a board".to_owned())),
    }
}

fn solve(board: &Board, game: &EdgeGame<'_>, wanted: &Wanted, control: &Control) -> Result<Answer, StopReason> {
    let mut solution = solve_edge_game(game, board.turn == Side::First, wanted.all_moves, control)?;
    let winner = board.player(if solution.short_wins { Side::First } else { Side::Second });
    let mut answer = Answer::new(Verdict::from(winner));
    answer.theorem = Some(match solution.reason {
        Reason::Joined => "Short's edges join the terminals",
        Reason::Trees(_) => "two edge-disjoint trees with both terminals (Lehman)",
        Reason::Forests(..) => "two forests that hold every edge between them (Lehman)",
    });
    let colour = board.turn == board.max;
    solution.moves.sort_unstable();
    answer.moves = solution.moves.into_iter().map(|edge| Var::from_index(edge).lit(colour)).collect();
    if wanted.trace != Trace::No {
        let mut edges: Vec<usize> = match &solution.reason {
            Reason::Joined => Vec::new(),
            Reason::Trees(two) | Reason::Forests(two, _) => two.concat(),
        };
        edges.extend(solution.key);
        edges.sort_unstable();
        edges.dedup();
        answer.trace = Some(edges.into_iter().map(Var::from_index).collect());
    }
    if wanted.proof {
        answer.proof = Some(Proof::Trees(Trees { key: solution.key, reason: solution.reason }));
    }
    Ok(answer)
}

//! Variants of games that `solve` knows: other orders of turns, and misère boards.

use super::args::SolveArgs;
use super::exit::Failure;
use gamesat::Problem;
use gamesat::encode;
use gamesat::formula::{ClauseArena, Game, GameMatrix};
use gamesat::solve::{Answer, Control, Verdict};

/// Gives a game or a board another order of turns.
pub fn in_order(problem: Problem, order: &str) -> Result<Problem, Failure> {
    problem.in_order(order).map_err(|error| Failure::usage(format!("--order {order}: {error}")))
}

/// Makes a board its misère game. An empty square board of Hex is answered by a theorem: the side that makes the last move loses.
pub fn misere(problem: &mut Problem, args: &SolveArgs, control: &Control) -> Result<Option<Answer>, Failure> {
    let Problem::Board(board) = &*problem else {
        return Err(Failure::usage("--misere is for boards; a formula can be negated"));
    };
    if board.has_plies() {
        return Err(Failure::usage("--misere: a race or a game of bounded length ends with the first goal"));
    }
    let plain = !(args.all_moves || args.trace || args.shrink_trace || args.strategy.is_some());
    let empty = board.free().count() == board.elements();
    if let (Some(name), true) = (board.rules().misere_theorem(), plain && empty) {
        let first = board.player(board.turn);
        let last = if board.elements() % 2 == 1 { first } else { !first };
        let mut answer = Answer::new(Verdict::from(!last));
        answer.theorem = Some(name);
        // The rows are not computed, as none is written down.
        let game = Game::new(board.elements(), GameMatrix::Cnf(ClauseArena::new()));
        *problem = Problem::Game(game.map_err(|error| Failure::input(error.to_string()))?);
        return Ok(Some(answer));
    }
    *problem = Problem::Game(encode::misere(board, control)?);
    Ok(None)
}

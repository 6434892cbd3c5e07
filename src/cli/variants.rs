//! Variants of games that `solve` knows: other orders of turns, and misère boards.

use super::args::SolveArgs;
use super::exit::Failure;
use gamesat::Problem;
use gamesat::analyse::{Schedule, solve_in_order};
use gamesat::encode::{self, Rows, Target, lower};
use gamesat::formula::{ClauseArena, Game, GameMatrix};
use gamesat::rules::Board;
use gamesat::solve::{Answer, Control, Verdict};

/// Solves a game in which a schedule says who moves.
pub fn in_order(problem: &Problem, order: &str, args: &SolveArgs, control: &Control) -> Result<Answer, Failure> {
    let turn = match problem {
        Problem::Game(game) => game.turn,
        Problem::Board(board) => board.player(board.turn),
        _ => return Err(Failure::usage("--order is for games and boards")),
    };
    let game = game_of(problem, "--order", control)?;
    let schedule = Schedule::parse(order, turn).map_err(|error| Failure::usage(format!("--order {order}: {error}")))?;
    let found = solve_in_order(&game, &schedule, args.all_moves, control).map_err(Failure::refused)?;
    let mut answer = Answer::new(Verdict::from(found.winner));
    answer.moves = found.moves;
    answer.trace = args.trace.then_some(found.trace);
    answer.statistics.engine = "order";
    answer.statistics.time = control.elapsed();
    answer.statistics.add("nodes", found.nodes);
    Ok(answer)
}

/// The set colouring game of a problem.
fn game_of(problem: &Problem, option: &str, control: &Control) -> Result<Game, Failure> {
    if let Problem::Board(board) = problem {
        refuse_plies(board, option)?;
    }
    match lower(problem, Target::Rows(Rows::default()), control)?.problem {
        Problem::Game(game) => Ok(game),
        _ => Err(Failure::usage(format!("{option} is for games and boards"))),
    }
}

/// Makes a board its misère game. An empty square board of Hex is answered by a theorem: whoever makes the last move loses.
pub fn misere(problem: &mut Problem, args: &SolveArgs, control: &Control) -> Result<Option<Answer>, Failure> {
    let Problem::Board(board) = &*problem else {
        return Err(Failure::usage("--misere is for boards; a formula can be negated"));
    };
    refuse_plies(board, "--misere")?;
    let plain = !(args.all_moves || args.trace || args.shrink_trace || args.strategy.is_some());
    let empty = board.free().count() == board.elements();
    if let (Some(name), true) = (board.rules().misere_theorem(), plain && empty) {
        let first = board.player(board.turn);
        let last = if board.elements() % 2 == 1 { first } else { !first };
        let mut answer = Answer::new(Verdict::from(!last));
        answer.theorem = Some(name);
        // The rows, which nobody needs to write down, are not computed.
        let game = Game::new(board.elements(), GameMatrix::Cnf(ClauseArena::new()));
        *problem = Problem::Game(game.map_err(|error| Failure::input(error.to_string()))?);
        return Ok(Some(answer));
    }
    *problem = Problem::Game(encode::misere(board, control)?);
    Ok(None)
}

/// A race, and a game of bounded length, ends with the first goal: it has no such variant.
fn refuse_plies(board: &Board, option: &str) -> Result<(), Failure> {
    if board.has_plies() {
        return Err(Failure::usage(format!("{option}: a race or a game of bounded length ends with the first goal")));
    }
    Ok(())
}

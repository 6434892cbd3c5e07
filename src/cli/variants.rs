//! Variants of games that `solve` knows: other orders of turns, and misère boards.

use super::args::SolveArgs;
use super::exit::Failure;
use gamesat::Problem;
use gamesat::analyse::{Schedule, solve_in_order};
use gamesat::encode::{Rows, Target, lower};
use gamesat::formula::{ClauseArena, Game, GameMatrix, Rule};
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
    if let Problem::Board(board) = problem
        && (board.has_plies() || board.is_race())
    {
        return Err(Failure::usage(format!("{option}: a race or a game of bounded length ends with the first goal")));
    }
    match lower(problem, Target::Rows(Rows::default()), control)?.problem {
        Problem::Game(game) => Ok(game),
        _ => Err(Failure::usage(format!("{option} is for games and boards"))),
    }
}

/// Makes a board the game in which MAX must own no winning set: every literal negated, and each player with the own
/// colour. An empty square board of Hex is answered by a theorem: whoever makes the last move loses.
pub fn misere(problem: &mut Problem, args: &SolveArgs, control: &Control) -> Result<Option<Answer>, Failure> {
    let Problem::Board(board) = &*problem else {
        return Err(Failure::usage("--misere is for boards; a formula can be negated"));
    };
    let mut theorem = None;
    let plain = !(args.all_moves || args.trace || args.shrink_trace || args.strategy.is_some());
    let empty = board.free().count() == board.elements();
    if let (Some(name), true) = (board.rules().misere_theorem(), plain && empty) {
        let first = board.player(board.turn);
        let last = if board.elements() % 2 == 1 { first } else { !first };
        let mut answer = Answer::new(Verdict::from(!last));
        answer.theorem = Some(name);
        theorem = Some(answer);
    }
    let turn = board.player(board.turn);
    let names = board.names();
    // What nobody needs to write down is not computed.
    let game = if theorem.is_some() {
        Game::new(board.elements(), GameMatrix::Cnf(ClauseArena::new()))
            .map_err(|error| Failure::input(error.to_string()))?
    } else {
        game_of(problem, "--misere", control)?
    };
    let negated = |rows: &ClauseArena| {
        let mut rows = rows.clone();
        rows.lits_mut().iter_mut().for_each(|lit| *lit = !*lit);
        rows
    };
    // MAX wants every set of MAX to be incomplete, that is: the formula false with colours as they are. Exchanging the roles
    // of TRUE and FALSE keeps MAX the one who colours TRUE.
    let matrix = match game.matrix() {
        GameMatrix::Cnf(rows) => GameMatrix::Dnf(negated(rows)),
        GameMatrix::Dnf(rows) => GameMatrix::Cnf(negated(rows)),
        GameMatrix::Circuit(_) => return Err(Failure::usage("--misere: this board has no rows")),
    };
    let mut reversed = game.with_matrix(matrix);
    (reversed.rule, reversed.turn) = (Rule::Own, turn);
    reversed.names = names;
    *problem = Problem::Game(reversed);
    Ok(theorem)
}

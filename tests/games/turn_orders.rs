//! Other orders of turns: known results, and random games and boards against plain minimax.

use crate::support::boards::{scatter, small_boards};
use gamesat::Problem;
use gamesat::formula::{Game, GameMatrix, Lit, Player, Rule};
use gamesat::problem::ReorderError;
use gamesat::solve::{Answer, Options, Refusal, Solver, SolverError, Trace, Verdict, Wanted};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn answer(problem: &Problem, order: &str, engine: &str, wanted: &Wanted) -> Answer {
    let mut options = Options::default();
    options.engine = Some(engine.to_owned());
    let problem = problem.clone().in_order(order).unwrap();
    Solver::new(problem).with_options(options).ask(wanted).unwrap()
}

fn openings(side: usize, order: &str) -> Vec<usize> {
    let board = gamesat::parse(&format!("hex {side}\n")).unwrap().in_order(order).unwrap();
    let mut solver = Solver::new(board);
    let verdict = solver.solve().unwrap().verdict;
    let moves = solver.moves().unwrap();
    assert_eq!(verdict == Verdict::True, !moves.is_empty());
    moves.iter().map(|lit| lit.var().index()).collect()
}

#[test]
fn equalised_hex() {
    assert_eq!(openings(1, "1,2*"), [0]);
    assert_eq!(openings(2, "1,2*"), [0usize; 0]);
    assert_eq!(openings(3, "1,2*"), [4]);
}

#[test]
fn taking_turns_gives_the_known_openings() {
    assert_eq!(openings(3, "1*"), [2, 3, 4, 5, 6]);
    assert_eq!(openings(3, "max,min*").len(), 0);
}

#[test]
fn what_has_no_other_order_is_refused() {
    let refused = |text: &str, order: &str| gamesat::parse(text).unwrap().in_order(order).unwrap_err();
    assert_eq!(refused("hex 3\n", "max,min"), ReorderError::TooShort(2, 9));
    assert_eq!(refused("p cnf 1 1\n1 0\n", "1*"), ReorderError::NotAGame);
    assert!(matches!(refused("hex 3\n", "nobody"), ReorderError::Order(_)));
    let bounded = match gamesat::parse("hex 3\n").unwrap() {
        Problem::Board(board) => Problem::Board(board.bounded(5)),
        _ => unreachable!(),
    };
    assert_eq!(bounded.in_order("1*").unwrap_err(), ReorderError::HasPlies);
    // Nobody proves anything here, and that is said before any search.
    let board = gamesat::parse("hex 9\n").unwrap().in_order("1*").unwrap();
    let refusal = Solver::new(board).ask(&Wanted::verdict().and_proof()).unwrap_err();
    assert!(matches!(refusal, SolverError::Refused(Refusal::Wish { wish: "proofs", .. })), "{refusal}");
}

const ORDERS: [&str; 6] = ["1,2*", "2,1*", "1*", "max,max,min*", "min,max,max,min,min,max,min", "3,1,2*"];

/// Both players' formulas, isotone and not, under both rules, with elements outside.
#[test]
fn random_games_by_definition() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut winners = [0, 0];
    for number in 0..240 {
        let lit = |rng: &mut ChaCha8Rng| {
            let var = rng.random_range(1..6);
            Lit::from_dimacs(if number % 3 == 0 && rng.random() { -var } else { var })
        };
        let rows: Vec<Vec<Lit>> =
            (0..rng.random_range(1..6)).map(|_| (0..rng.random_range(1..4)).map(|_| lit(&mut rng)).collect()).collect();
        let rows = rows.into_iter().collect();
        let matrix = if rng.random() { GameMatrix::Cnf(rows) } else { GameMatrix::Dnf(rows) };
        let mut game = Game::new(5 + number % 3, matrix).unwrap();
        game.turn = if rng.random() { Player::Max } else { Player::Min };
        game.rule = if rng.random_range(0..3) == 0 { Rule::Own } else { Rule::Any };
        let (game, order) = (Problem::Game(game), ORDERS[rng.random_range(0..6)]);
        let expected = answer(&game, order, "naive", &Wanted::verdict().and_all_moves());
        let found = answer(&game, order, "order", &Wanted::verdict().and_all_moves());
        assert_eq!((found.verdict, &found.moves), (expected.verdict, &expected.moves), "{order} {game:?}");
        // Of these one, if not all are asked for.
        let one = answer(&game, order, "order", &Wanted::verdict()).moves;
        assert_eq!(one.is_empty(), expected.moves.is_empty(), "{order} {game:?}");
        assert!(one.iter().all(|lit| expected.moves.contains(lit)), "{one:?}: {order} {game:?}");
        winners[usize::from(expected.verdict == Verdict::True)] += 1;
    }
    assert!(winners.iter().all(|&count| count > 40), "{winners:?}");
}

/// Boards by their own rules, ply by ply: verdicts, every winning move, and a trace that holds the first of them.
#[test]
fn random_boards_by_their_rules() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for number in 0..60 {
        let mut boards = small_boards(&mut rng);
        let mut board = boards.swap_remove(number % boards.len());
        scatter(&mut rng, &mut board, 7);
        if board.has_plies() {
            continue;
        }
        let (board, order) = (Problem::Board(board), ORDERS[rng.random_range(0..6)]);
        let wanted = Wanted::verdict().and_all_moves();
        let expected = answer(&board, order, "naive", &wanted);
        let found = answer(&board, order, "order", &wanted.clone().and_trace(Trace::Any));
        assert_eq!(found.verdict, expected.verdict, "{order} {board:?}");
        assert_eq!(found.moves, expected.moves, "{order} {board:?}");
        assert!(found.trace.is_some());
    }
}

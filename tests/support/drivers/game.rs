//! Set colouring games against their tabulation, and solvers that follow moves against fresh evaluation.

use super::{Case, random_options};
use crate::support::boards::random_positions;
use crate::support::game_case::{check, check_session, random_options as session_options, some_move};
use crate::support::games::{Kind, random_game, tabulate};
use gamesat::Problem;
use gamesat::check::{Judge, Judgement, evaluate_board, evaluate_game};
use gamesat::control::{Control, Interrupt, Limits};
use gamesat::formula::{Game, Player, Var};
use gamesat::rules::Ending;
use gamesat::solve::{Options, Question, Solver, Verdict, Wanted, ask};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A game of at most so many elements, stars among them.
fn any_game(random: &mut ChaCha8Rng, most: usize) -> Game {
    let kind = [Kind::Isotone, Kind::Unate, Kind::Mixed, Kind::Mixed][random.random_range(0..4)];
    let mut game = random_game(random, most, kind);
    game.add_stars(random.random_range(0..=most - game.elements()).min(2));
    game
}

/// More than any search of so small a game needs: what does not end is cut off here.
fn control() -> Control {
    Control::new(Limits { nodes: Some(1_000_000), ..Limits::default() }, Interrupt::new())
}

pub fn answers(random: &mut ChaCha8Rng, case: &mut Case) {
    let game = any_game(random, 7);
    let problem = Problem::Game(game.clone());
    let mut options = random_options(random);
    options.threads = if random.random_range(0..4) == 0 { 2 } else { 1 };
    options.game.threads = options.threads;
    options.game.proof_number = random.random_range(0..4) == 0;
    options.engine = Some(if options.game.proof_number { "proof-number" } else { "alpha-beta" }.to_owned());
    case.problem(&problem, &options);
    let judge = tabulate(&game);
    check(&game, &judge, &options.game);
    let winner = judge.winner(game.played(), game.turn);
    let wanted = Wanted::default().and_proof();
    let answer = ask(&Question { problem: &problem, wanted: &wanted }, &options, &control()).unwrap();
    assert_eq!(answer.verdict.winner(), Some(winner), "{game:?}\n{options:?}");
    let proof = answer.proof.unwrap_or_else(|| panic!("{:?}: {game:?}\n{options:?}", answer.missing));
    for &judge in Judge::ALL {
        let judgement = judge.verify(&problem, &proof, &Control::default()).unwrap();
        assert_eq!(judgement, Judgement::Accepted(winner == Player::Max), "{}: {game:?}\n{options:?}", judge.name());
    }
    case.count(if winner == Player::Max { "max" } else { "min" });
}

pub fn sessions(random: &mut ChaCha8Rng, case: &mut Case) {
    let game = any_game(random, 6);
    let switches = session_options(random);
    let mut options = Options::default();
    options.game = switches.clone();
    case.problem(&Problem::Game(game.clone()), &options);
    check_session(random, &game, &switches);
    case.count("right");
}

/// Verdict and best moves, by minimax.
fn value(problem: &Problem) -> (Verdict, Option<Vec<usize>>) {
    match problem {
        Problem::Game(game) => (Verdict::from(evaluate_game(game, &Control::default()).unwrap().winner), None),
        Problem::Board(board) => {
            let value = evaluate_board(board, &Control::default()).unwrap();
            let verdict = match value.ending {
                Ending::Win(side) => Verdict::from(board.player(side)),
                Ending::Draw => Verdict::Draw,
            };
            (verdict, board.ending().is_none().then_some(value.best_moves))
        }
        other => unreachable!("{other:?}"),
    }
}

pub fn solvers(random: &mut ChaCha8Rng, case: &mut Case) {
    let problem = if random.random() {
        Problem::Game(any_game(random, 5))
    } else {
        let mut boards = random_positions(random, 6);
        Problem::Board(boards.swap_remove(random.random_range(0..boards.len())))
    };
    let options = random_options(random);
    case.problem(&problem, &options);
    let mut solver = Solver::new(problem.clone()).with_options(options.clone());
    let mut before = Vec::new();
    for _ in 0..6 {
        if random.random_range(0..3) == 0 {
            let last = before.pop();
            assert_eq!(solver.undo(), last.is_some());
            if let Some(last) = last {
                assert_eq!(solver.problem(), &last, "undone from {problem:?}");
            }
        } else {
            let lit = match solver.problem() {
                Problem::Game(game) => some_move(random, game),
                Problem::Board(board) => {
                    let free: Vec<usize> = board.free().collect();
                    let open = !board.plies().is_empty();
                    let element = free.get(random.random_range(0..free.len().max(1))).filter(|_| open);
                    element.map(|&element| Var::from_index(element).lit(board.turn == board.max))
                }
                other => unreachable!("{other:?}"),
            };
            let Some(lit) = lit else { continue };
            let position = solver.problem().clone();
            if solver.play(lit).is_ok() {
                before.push(position);
            } else {
                assert_eq!(solver.problem(), &position, "{lit} is refused and leaves a trace");
            }
        }
        let (verdict, moves) = value(solver.problem());
        let mut wanted = Wanted::default();
        wanted.all_moves = random.random();
        let answer = solver.ask(&wanted).unwrap();
        let context = || format!("{:?}\nfrom {problem:?}\n{wanted:?} {options:?}", solver.problem());
        assert_eq!(answer.verdict, verdict, "{}", context());
        if let Some(best) = moves {
            let found: Vec<usize> = answer.moves.iter().map(|lit| lit.var().index()).collect();
            assert!(found.iter().all(|element| best.contains(element)), "{found:?} of {best:?}: {}", context());
            assert!(!wanted.all_moves || found == best, "{found:?}, not {best:?}: {}", context());
        }
        case.count(match verdict {
            Verdict::True => "max",
            Verdict::False => "min",
            _ => "draw",
        });
    }
}

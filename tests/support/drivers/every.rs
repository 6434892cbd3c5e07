//! All of what there are several of: every winning move in every variant of a game, and every model, against plain enumeration.

use super::formula::engines_of;
use super::{Case, flags, random_options};
use crate::support::boards::random_positions;
use crate::support::colourings;
use crate::support::cubes::compare;
use crate::support::games::{Kind, random_game};
use crate::support::random_qbf::random_qbf;
use gamesat::Problem;
use gamesat::check::evaluate_qbf;
use gamesat::control::Control;
use gamesat::encode::misere;
use gamesat::format;
use gamesat::formula::{Lit, Quantifier};
use gamesat::rules::Board;
use gamesat::solve::{Answer, Options, Question, Solver, Wanted, ask};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Orders that are long enough for the games here.
const ORDERS: [&str; 6] = ["1*", "1,2*", "2,1*", "max,max,min*", "min,max,max,min,min,max,min*", "3,1,2*"];

fn all_moves(problem: &Problem, options: &Options, engine: &str) -> Answer {
    let mut options = options.clone();
    options.engine = Some(engine.to_owned());
    let wanted = Wanted::default().and_all_moves();
    ask(&Question { problem, wanted: &wanted }, &options, &Control::default()).unwrap()
}

/// Every engine lists what the naive one does. What the command line says beside the file is told for the report.
fn moves(problem: &Problem, written: &Problem, words: &str, random: &mut ChaCha8Rng, case: &mut Case) {
    let options = random_options(random);
    let expected = all_moves(problem, &options, "naive");
    let wanted = Wanted::default().and_all_moves();
    for engine in engines_of(problem, &wanted) {
        let text = match format::to_string(written, super::own_format(written)) {
            Ok(text) => text,
            Err(_) => format!("{written:#?}\n"),
        };
        case.text(
            text.as_bytes(),
            &format!("gamesat solve FILE --all-moves{words} --engine {engine}{}", flags(&options)),
        );
        let found = all_moves(problem, &options, engine);
        let mut listed = found.moves.clone();
        listed.sort_unstable();
        let context = || format!("{engine}{words}: {problem:?}\n{options:?}");
        assert_eq!((found.verdict, found.missing), (expected.verdict, None), "{}", context());
        assert_eq!((listed, found.more_moves), (expected.moves.clone(), expected.more_moves), "{}", context());
    }
    case.count(if expected.moves.is_empty() { "no move" } else { "moves" });
}

/// A board on which a side is to move.
fn open_board(random: &mut ChaCha8Rng, fits: impl Fn(&Board) -> bool) -> Option<Board> {
    let mut boards = random_positions(random, 6);
    boards.retain(|board| board.ending().is_none() && fits(board));
    (!boards.is_empty()).then(|| boards.swap_remove(random.random_range(0..boards.len())))
}

fn game(random: &mut ChaCha8Rng) -> Problem {
    let kind = [Kind::Isotone, Kind::Isotone, Kind::Unate, Kind::Mixed][random.random_range(0..4)];
    let mut game = random_game(random, 5, kind);
    game.add_stars(random.random_range(0..3));
    Problem::Game(game)
}

pub fn moves_and_models(random: &mut ChaCha8Rng, case: &mut Case) {
    match random.random_range(0..6) {
        0 | 1 => {
            let problem = match open_board(random, |board| !board.has_plies()) {
                Some(board) if random.random_range(0..3) == 0 => Problem::Board(board),
                _ => game(random),
            };
            let order = ORDERS[random.random_range(0..ORDERS.len())];
            let reordered = problem.clone().in_order(order).unwrap();
            moves(&reordered, &problem, &format!(" --order '{order}'"), random, case);
        }
        2 => {
            let (elements, colours) = [(3, 3), (2, 4), (4, 2), (4, 3)][random.random_range(0..4)];
            let isotone = random.random();
            let mut game = colourings::random_game(random, elements, colours, isotone);
            if random.random() {
                game = colourings::vary(random, game);
            }
            let problem = Problem::Colouring(game);
            moves(&problem, &problem, "", random, case);
        }
        3 => {
            let Some(board) = open_board(random, |board| !board.has_plies()) else { return };
            let problem = Problem::Game(misere(&board, &Control::default()).unwrap());
            moves(&problem, &Problem::Board(board), " --misere", random, case);
        }
        4 => {
            let Some(board) = open_board(random, Board::has_plies) else { return };
            let problem = Problem::Board(board);
            moves(&problem, &problem, "", random, case);
        }
        _ => models(random, case),
    }
}

/// Every model that agrees with some assumptions.
fn models(random: &mut ChaCha8Rng, case: &mut Case) {
    let qbf = random_qbf(random.random());
    let options = random_options(random);
    case.problem(&Problem::Qbf(qbf.clone()), &options);
    let Some(block) = qbf.prefix().blocks().next() else { return };
    let is_existential = block.quantifier == Quantifier::Exists;
    let vars = block.vars.to_vec();
    let share = [0.0, 0.5, 1.0][random.random_range(0..3)];
    let assumed: Vec<Lit> = vars.iter().filter(|_| random.random_bool(share)).map(|var| var.lit(true)).collect();
    let wins = |model: &[Lit]| {
        let agrees = assumed.iter().all(|lit| model.contains(lit));
        agrees && evaluate_qbf(&qbf.substitute(model), &Control::default()).unwrap().0 == is_existential
    };
    let mut solver = Solver::from(qbf.clone()).with_options(options);
    solver.assume(&assumed).unwrap();
    let found = solver.outer_models().unwrap();
    let count = compare(&vars, &found, wins, &format!("{assumed:?} assumed in {qbf:?}"));
    case.count(if count > 0 { "models" } else { "no model" });
}

//! Games as quantified formulas, against minimax on the rules: every kind of board, both encodings, bounded and not;
//! games that are not isotone; races.

mod common;

use common::boards::{max_wins, plies, scatter, small_boards};
use gamesat::Problem;
use gamesat::check::evaluate_game;
use gamesat::control::Control;
use gamesat::encode::{Encoding, board_qbf, clausify, game_qbf};
use gamesat::formula::{CircuitBuilder, Game, GameMatrix, GateKind, Lit, Player, QuantifiedCircuit, Rule, Var};
use gamesat::rules::{Board, Goal, Positional, Shape, Side};
use gamesat::solve::{Options, Verdict, solve};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ENCODINGS: [Encoding; 2] = [Encoding::Explicit, Encoding::Lifted];

fn is_true(circuit: QuantifiedCircuit) -> bool {
    common::quantified::is_true(&clausify(&circuit))
}

#[test]
fn boards_keep_their_winner() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for round in 0..10 {
        // The evaluator guesses a lifted witness blindly, so those boards are smaller.
        let (encoding, free) = if round % 2 == 0 { (Encoding::Explicit, 5) } else { (Encoding::Lifted, 4) };
        for mut board in small_boards(&mut rng) {
            scatter(&mut rng, &mut board, free);
            let depth = rng.random::<bool>().then(|| rng.random_range(0..6));
            let expected = max_wins(&board, &plies(&board, depth));
            let circuit = board_qbf(&board, encoding, depth).unwrap();
            assert_eq!(is_true(circuit), expected, "{encoding:?} {depth:?} {board:?}");
        }
    }
}

/// Bounded games and races name the moves with which the player to move wins, whoever that is.
#[test]
fn winning_moves_of_bounded_games() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    let mut by = [0, 0];
    for round in 0..12 {
        for mut board in small_boards(&mut rng) {
            scatter(&mut rng, &mut board, 5);
            if round % 3 == 0 {
                // A race on the same cells.
                let size = board.elements();
                let mut family = || -> Vec<Vec<usize>> {
                    (0..3).map(|_| (0..2).map(|_| rng.random_range(0..size)).collect()).collect()
                };
                let (black, white) = (family(), family());
                let names = (0..size).map(|i| format!("max{i}")).collect();
                let race = Positional { names, goal: Goal::Sets(black), race: Some(white) };
                let mut next = Board::new(Shape::Positional(race));
                next.turn = board.turn;
                board = next;
                if size > 6 {
                    continue;
                }
            }
            let depth = rng.random_range(0..6);
            board.schedule = Some(plies(&board, Some(depth)));
            let schedule = board.schedule.clone().unwrap();
            let expected = max_wins(&board, &schedule);
            let mover_wins = !schedule.is_empty() && expected == (board.turn == board.max);
            let wins = |element: &usize| {
                let mut next = board.clone();
                next.play(*element).unwrap();
                max_wins(&next, &schedule[1..]) == expected
            };
            let all: Vec<usize> = board.free().filter(|element| mover_wins && wins(element)).collect();
            by[usize::from(expected)] += usize::from(!all.is_empty());
            let mut options = Options::default();
            for all_moves in [false, true] {
                options.all_moves = all_moves;
                let outcome = solve(&Problem::Board(board.clone()), &options, &Control::default());
                assert_eq!(outcome.verdict == Verdict::True, expected, "{board:?}");
                let moves: Vec<usize> = outcome.moves.iter().map(|lit| lit.var().index()).collect();
                assert!(outcome.moves.iter().all(|lit| lit.is_positive() == expected), "{board:?}");
                if all_moves {
                    assert_eq!(moves, all, "{board:?}");
                } else {
                    assert_eq!(moves.len(), usize::from(!all.is_empty()), "{board:?}");
                    assert!(moves.iter().all(|element| all.contains(element)), "{board:?} {moves:?} {all:?}");
                }
            }
        }
    }
    assert!(by.iter().all(|&count| count > 10), "{by:?}");
}

/// A random game on a few elements, isotone or not, some of them played.
fn random_game(rng: &mut impl Rng) -> Game {
    let elements = rng.random_range(1..6);
    let isotone = rng.random_range(0..3) == 0;
    let lit = |rng: &mut dyn FnMut() -> u32| {
        let var = Var::from_index(rng() as usize % elements);
        var.lit(isotone || rng().is_multiple_of(2))
    };
    let mut next = || rng.random::<u32>();
    let matrix = match next() % 3 {
        2 => {
            let mut b = CircuitBuilder::new(elements);
            let mut lits: Vec<Lit> = (0..elements).map(|i| b.input(i)).collect();
            for _ in 0..next() % 5 + 1 {
                let kinds = if isotone { 2 } else { 3 };
                let kind = [GateKind::And, GateKind::Or, GateKind::Xor][next() as usize % kinds];
                let mut operands = Vec::new();
                for _ in 0..next() % 3 + 1 {
                    let operand = lits[next() as usize % lits.len()];
                    operands.push(if isotone || next().is_multiple_of(2) { operand } else { !operand });
                }
                lits.push(b.gate(kind, &operands));
            }
            let output = lits[lits.len() - 1];
            GameMatrix::Circuit(b.finish(output))
        }
        form => {
            let rows =
                (0..next() % 5).map(|_| (0..next() % 3 + 1).map(|_| lit(&mut next)).collect::<Vec<_>>()).collect();
            if form == 0 { GameMatrix::Cnf(rows) } else { GameMatrix::Dnf(rows) }
        }
    };
    let mut game = Game::new(elements, matrix).unwrap();
    game.add_stars(next() as usize % 3);
    if next().is_multiple_of(2) {
        game.play(&[Var::from_index(next() as usize % elements).lit(next().is_multiple_of(2))]).unwrap();
    }
    game.rule = if next().is_multiple_of(2) { Rule::Any } else { Rule::Own };
    game.turn = if next().is_multiple_of(2) { Player::Max } else { Player::Min };
    game
}

#[test]
fn games_keep_their_winner() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    for _ in 0..500 {
        let game = random_game(&mut rng);
        let expected = evaluate_game(&game, &Control::default()).unwrap().winner == Player::Max;
        for encoding in ENCODINGS {
            assert_eq!(is_true(game_qbf(&game, encoding, None).unwrap()), expected, "{encoding:?} {game:?}");
        }
    }
}

/// Whether MAX makes the formula true within so many plies, whatever the rest becomes.
fn wins_within(game: &Game, colours: &mut Vec<Option<bool>>, turn: Player, plies: usize) -> bool {
    let open: Vec<usize> = (0..colours.len()).filter(|&e| colours[e].is_none()).collect();
    if plies == 0 || open.is_empty() {
        return (0u32..1 << open.len()).all(|bits| {
            let value =
                |e: usize| colours[e].unwrap_or_else(|| bits >> open.iter().position(|&o| o == e).unwrap() & 1 != 0);
            let holds = |lit: &Lit| value(lit.var().index()) == lit.is_positive();
            match game.matrix() {
                GameMatrix::Cnf(rows) => rows.iter().all(|row| row.iter().any(holds)),
                GameMatrix::Dnf(rows) => rows.iter().any(|row| row.iter().all(holds)),
                GameMatrix::Circuit(circuit) => circuit.evaluate(&(0..circuit.inputs()).map(value).collect::<Vec<_>>()),
            }
        });
    }
    let wanted = turn == Player::Max;
    let reached = open.iter().any(|&element| {
        [true, false].into_iter().filter(|&colour| game.rule.allows(turn, colour)).any(|colour| {
            colours[element] = Some(colour);
            let value = wins_within(game, colours, !turn, plies - 1);
            colours[element] = None;
            value == wanted
        })
    });
    reached == wanted
}

#[test]
fn bounded_games_end_in_time() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    for _ in 0..300 {
        let game = random_game(&mut rng);
        let depth = rng.random_range(0..5);
        let mut colours = vec![None; game.elements()];
        for lit in game.played() {
            colours[lit.var().index()] = Some(lit.is_positive());
        }
        let expected = wins_within(&game, &mut colours, game.turn, depth.min(game.uncoloured()));
        for encoding in ENCODINGS {
            let circuit = game_qbf(&game, encoding, Some(depth)).unwrap();
            assert_eq!(is_true(circuit), expected, "{encoding:?} {depth} {game:?}");
        }
    }
}

#[test]
fn races_are_won_by_the_faster() {
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    for _ in 0..150 {
        let size = rng.random_range(3..7);
        let mut family = |most: u32| -> Vec<Vec<usize>> {
            (0..rng.random_range(1..=most))
                .map(|_| (0..rng.random_range(1..4)).map(|_| rng.random_range(0..size)).collect())
                .collect()
        };
        let (black, white) = (family(4), family(3));
        let names = (0..size).map(|i| format!("v{i}")).collect();
        let mut board = Board::new(Shape::Positional(Positional { names, goal: Goal::Sets(black), race: Some(white) }));
        for element in 0..size {
            if rng.random_range(0..5) == 0 {
                board.place(element, if rng.random() { Side::First } else { Side::Second }).unwrap();
            }
        }
        let is = |side: Side| board.race().unwrap().iter().any(|set| set.iter().all(|&e| board.stone(e) == Some(side)));
        if is(Side::Second) && board.winner() == Some(Side::First) {
            continue; // impossible
        }
        let schedule: Vec<Side> =
            (0..rng.random_range(0..6)).map(|_| if rng.random() { Side::First } else { Side::Second }).collect();
        let plies: Vec<Side> = schedule.iter().copied().take(board.free().count()).collect();
        board.schedule = Some(schedule);
        let expected = max_wins(&board, &plies);
        assert_eq!(is_true(board_qbf(&board, Encoding::Explicit, None).unwrap()), expected, "{board:?}");
        assert!(board_qbf(&board, Encoding::Lifted, None).is_err());
    }
}

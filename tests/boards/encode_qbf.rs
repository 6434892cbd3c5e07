//! Games as quantified formulas, against minimax on the rules: every kind of board, both encodings, bounded and not, races
//! and all claimants; games that are not isotone.

use crate::support::boards::{random_positional, random_positions, scatter, value};
use gamesat::check::{evaluate_circuit, evaluate_game};
use gamesat::control::Control;
use gamesat::encode::Encoding;
use gamesat::formula::{CircuitBuilder, Game, GameMatrix, GateKind, Lit, Player, QuantifiedCircuit, Rule, Var};
use gamesat::rules::{Board, Ending, Schedule, Side};
use gamesat_encode::steps::{board_qbf, clausify, game_qbf};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ENCODINGS: [Encoding; 2] = [Encoding::Explicit, Encoding::Lifted];

fn is_true(circuit: QuantifiedCircuit) -> bool {
    crate::support::quantified::is_true(&clausify(&circuit))
}

#[test]
fn boards_keep_their_winner() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut seen = [[0; 2]; 2];
    for round in 0..40 {
        // The evaluators guess a lifted witness blindly, so those boards are smaller.
        let (encoding, free) = if round % 2 == 0 { (Encoding::Explicit, 4) } else { (Encoding::Lifted, 3) };
        for board in random_positions(&mut rng, free) {
            // Of a race the formula says whether the claimant wins.
            let claimant_wins = value(&board).ending == Ending::Win(board.claimant());
            let expected = claimant_wins == (board.claimant() == board.max);
            if board.is_race() && encoding == Encoding::Lifted {
                assert!(board_qbf(&board, encoding).is_err());
                continue;
            }
            let circuit = board_qbf(&board, encoding).unwrap();
            if circuit.circuit().inputs() <= 14 {
                let found = evaluate_circuit(&circuit, &Control::default()).unwrap().0;
                assert_eq!(found, expected, "{encoding:?} {board:?}");
            }
            // Where the claimant is MIN the witnesses are universal: the other evaluator takes the formula's negation.
            let negated = board.claimant() != board.max;
            let circuit = if negated { circuit.negated() } else { circuit };
            assert_eq!(is_true(circuit), expected != negated, "{encoding:?} {board:?}");
            seen[usize::from(board.claimant() == board.max)][usize::from(expected)] += 1;
        }
    }
    assert!(seen.iter().flatten().all(|&count| count > 50), "{seen:?}");
}

/// Whether MAX has won for certain after at most so many plies: by minimax, with no schedule but that of the game.
fn is_won_within(board: &mut Board, plies: usize) -> bool {
    if let Some(winner) = board.winner() {
        return winner == board.max;
    }
    if plies == 0 {
        return false;
    }
    let is_wanted = board.turn == board.max;
    let free: Vec<usize> = board.free().collect();
    // The board is full or the plies are over: nobody has won.
    let Some(is_over) = free.first().map(|_| board.plies().is_empty()) else { return false };
    if is_over {
        return false;
    }
    let reaches = |&element: &usize| {
        let played = board.play(element).unwrap();
        let value = is_won_within(board, plies - 1);
        board.undo(played);
        value == is_wanted
    };
    free.iter().any(reaches) == is_wanted
}

/// Positional games whose sides move in any order, with either side as MAX: within more plies MAX wins whatever it wins within fewer,
/// and all of that is what minimax says.
#[test]
fn more_plies_are_never_worse() {
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    let mut seen = [[0; 2]; 2];
    for round in 0..200 {
        let mut board = random_positional(&mut rng, round % 4 == 0);
        scatter(&mut rng, &mut board, 4);
        let side = |second: bool| if second { Side::Second } else { Side::First };
        let has = |side: Side| board.goal(side).is_some_and(|goal| goal.is_reached(|e| board.stone(e) == Some(side)));
        if board.is_race() && has(Side::First) && has(Side::Second) {
            continue; // no play leads there
        }
        let plies: Vec<Side> = (0..rng.random_range(1..6)).map(|_| side(rng.random())).collect();
        board.turn = plies[0];
        board.schedule = Some(Schedule { plies, claimant: Side::First });
        for max in [Side::First, Side::Second] {
            board.max = max;
            let mut before = false;
            for depth in 0..7 {
                let expected = is_won_within(&mut board.clone(), depth);
                assert!(expected || !before, "{depth} {board:?}");
                let bounded = board.clone().bounded(depth);
                let circuit = board_qbf(&bounded, Encoding::Explicit).unwrap();
                let negated = bounded.claimant() != max;
                let circuit = if negated { circuit.negated() } else { circuit };
                assert_eq!(is_true(circuit), expected != negated, "{depth} {board:?}");
                seen[usize::from(max == Side::Second)][usize::from(expected && !before)] += 1;
                before = expected;
            }
        }
    }
    assert!(seen.iter().flatten().all(|&count| count > 20), "{seen:?}");
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

//! Proofs of edge games: those of the engine are accepted, and whatever is accepted of slightly wrong ones is true.

use crate::support::boards::{random_graph, value};
use gamesat::format::{read_trees, write_trees};
use gamesat::formula::{Reason, Trees};
use gamesat::rules::{Board, Bridgit, Ending, Goal, Shannon, Side, Y};
use gamesat::solve::Control;
use gamesat_check::steps::check_trees;
use gamesat_games::graph::{EdgeGame, solve_edge_game};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn side(rng: &mut impl Rng) -> Side {
    if rng.random() { Side::First } else { Side::Second }
}

fn random_board(rng: &mut impl Rng) -> Board {
    let mut board = if rng.random_range(0..5) == 0 {
        Board::new(Bridgit(2))
    } else {
        let (vertices, edges) = (rng.random_range(2..6), rng.random_range(1..9));
        Board::new(Shannon { graph: random_graph(rng, vertices, edges), terminals: vec![0, vertices - 1], edges: true })
    };
    for element in 0..board.elements() {
        if rng.random_range(0..6) == 0 {
            board.place(element, side(rng)).unwrap();
        }
    }
    board.turn = side(rng);
    board.max = side(rng);
    board
}

/// The engine's proof.
fn proof(board: &Board) -> Trees {
    let Some(Goal::Edges { graph, terminals }) = board.goal(Side::First) else { unreachable!() };
    let of = |side: Side| (0..board.elements()).filter(|&e| board.stone(e) == Some(side)).collect::<Vec<_>>();
    let (short, cut) = (of(Side::First), of(Side::Second));
    let game = EdgeGame { graph, terminals: *terminals, short: &short, cut: &cut };
    let solution = solve_edge_game(&game, board.turn == Side::First, false, &Control::default()).unwrap();
    let reason = solution.reason;
    Trees { key: solution.key, reason }
}

/// The same board with something a little different, or the same proof with something a little different.
fn disturb(rng: &mut impl Rng, board: &mut Board, trees: &mut Trees) {
    let edges = board.elements() + 1;
    let any = rng.random_range(0..edges);
    match rng.random_range(0..7) {
        0 => board.turn = !board.turn,
        1 if any < board.elements() && board.is_free(any) => board.place(any, side(rng)).unwrap(),
        2 => trees.key = if trees.key.is_some() { None } else { Some(any) },
        3 => {
            trees.reason = match std::mem::replace(&mut trees.reason, Reason::Joined) {
                Reason::Trees(pair) => Reason::Forests(pair, vec![any]),
                Reason::Forests(pair, _) => Reason::Trees(pair),
                Reason::Joined => Reason::Trees([vec![], vec![]]),
            }
        }
        4 => {
            // Two edges change places on the board.
            let mut other = board.cleared();
            let swapped = (any + 1) % board.elements().max(1);
            for element in 0..board.elements() {
                let from = if element == any {
                    swapped
                } else if element == swapped {
                    any
                } else {
                    element
                };
                if let Some(side) = board.stones().get(from).copied().flatten() {
                    other.place(element, side).unwrap();
                }
            }
            (other.turn, other.max) = (board.turn, board.max);
            *board = other;
        }
        which => {
            let mut lists: Vec<&mut Vec<usize>> = match &mut trees.reason {
                Reason::Joined => return,
                Reason::Trees(pair) => pair.iter_mut().collect(),
                Reason::Forests(pair, inside) => pair.iter_mut().chain([inside]).collect(),
            };
            let chosen = rng.random_range(0..lists.len());
            if which == 5 && !lists[chosen].is_empty() {
                let at = rng.random_range(0..lists[chosen].len());
                lists[chosen].remove(at);
            } else {
                lists[chosen].push(any);
            }
        }
    }
}

#[test]
fn what_is_accepted_is_true() {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let (mut accepted, mut refused) = ([0; 2], 0);
    for _ in 0..4_000 {
        let mut board = random_board(&mut rng);
        let mut trees = proof(&board);
        let winner = check_trees(&board, &trees).unwrap_or_else(|flaw| panic!("{flaw}: {board:?} {trees:?}"));
        assert_eq!(Ending::Win(winner), value(&board).ending, "{board:?}");
        let mut text = Vec::new();
        write_trees(&trees, &mut text).unwrap();
        assert_eq!(read_trees(&mut &text[..], "proof").unwrap(), trees);
        for _ in 0..rng.random_range(1..3) {
            disturb(&mut rng, &mut board, &mut trees);
        }
        match check_trees(&board, &trees) {
            Ok(winner) => {
                assert_eq!(Ending::Win(winner), value(&board).ending, "{board:?} {trees:?}");
                accepted[winner as usize] += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(accepted.iter().all(|&count| count > 300) && refused > 1_000, "{accepted:?} {refused}");
}

#[test]
fn other_games_are_refused() {
    let trees = Trees { key: None, reason: Reason::Joined };
    assert!(check_trees(&Board::new(Y(2)), &trees).is_err());
    let mut board = Board::new(Bridgit(1));
    board.play(0).unwrap();
    assert_eq!(check_trees(&board, &trees), Ok(Side::First));
    assert!(check_trees(&board.bounded(1), &trees).is_err());
}

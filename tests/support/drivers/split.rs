//! Questions that are cut into few cubes or many: solved in any order until no cube is needed any longer, every proof judged on
//! its own cube, and the proofs joined to one of the whole.

use super::Case;
use crate::support::boards::{random_positions, scatter, small_boards};
use crate::support::certified::{random_circuit_qbf, random_qbf};
use crate::support::games::{Kind, random_game};
use crate::support::other_questions::random_quantified_circuit;
use gamesat::Problem;
use gamesat::check::{Judgement, verify};
use gamesat::control::Control;
use gamesat::formula::{Lit, Player, Proof, Var};
use gamesat::play::Position;
use gamesat::solve::{Answer, Options, Question, Trace, Wanted, ask};
use gamesat::split::{CutError, Cutting, Node, Tree, Won, assemble, cut, leaves};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// Something to play, small enough for the slow evaluators.
pub fn any_problem(random: &mut ChaCha8Rng) -> Problem {
    match random.random_range(0..6) {
        0 => Problem::Qbf(random_qbf(random.random())),
        1 => Problem::Qbf(random_circuit_qbf(random)),
        2 => Problem::Circuit(random_quantified_circuit(random)),
        3 => {
            let mut boards = random_positions(random, 6);
            Problem::Board(boards.swap_remove(random.random_range(0..boards.len())))
        }
        4 => Problem::Game(random_game(random, 6, Kind::Mixed)),
        _ => Problem::Game(random_game(random, 6, Kind::Isotone)),
    }
}

fn solve(problem: &Problem, wanted: &Wanted, options: &Options) -> Answer {
    ask(&Question { problem, wanted }, options, &Control::default()).unwrap()
}

/// The position behind some moves.
fn after(problem: &Problem, path: &[Lit]) -> Position {
    let mut position = Position::new(problem.clone());
    path.iter().for_each(|&lit| position.play(lit).unwrap());
    position
}

/// One question, cut, solved and joined.
pub fn joined(random: &mut ChaCha8Rng, case: &mut Case) {
    // Every sixth one is a board that is played until it is full, so that there are traces.
    let problem = if random.random_range(0..6) == 0 {
        let mut boards = small_boards(random);
        let mut board = boards.swap_remove(random.random_range(0..boards.len()));
        scatter(random, &mut board, 7);
        Problem::Board(board)
    } else {
        any_problem(random)
    };
    case.problem(&problem, &Options::default());
    let every_move = random.random();
    // Mostly without a look ahead, so that much is left, and often with more cubes than there are positions.
    let cutting = Cutting {
        cubes: [random.random_range(1..12), random.random_range(12..80)][random.random_range(0..2)],
        every_move,
        look_ahead: [0, 0, 0, 2][random.random_range(0..4)],
    };
    let tree = match cut(&problem, cutting, &Control::default()) {
        Ok(tree) => tree,
        Err(CutError::NotTwoValued) => return,
        Err(error) => panic!("{error}: {problem:?}"),
    };
    assert!(tree.is_sound(), "{tree:?}");
    each_cube_is_its_node(&problem, &tree);
    let naive = {
        let mut options = Options::default();
        options.engine = Some("naive".to_owned());
        options
    };
    let truth = solve(&problem, &Wanted::default(), &naive).verdict.winner().unwrap();
    // 1. Cubes are solved in any order, until no cube is needed any longer. Traces spare siblings where no proof needs them.
    let spares = !every_move && matches!(&problem, Problem::Board(board) if !board.has_plies());
    let mut found: Vec<Option<Won>> = vec![None; tree.cubes.len()];
    loop {
        let needed = tree.needed(&found);
        let winner = tree.outcomes(&found).last().cloned().flatten().map(|won| won.winner);
        assert_eq!(needed.is_empty(), winner.is_some(), "{tree:?} {found:?}");
        assert!(winner.is_none_or(|winner| winner == truth), "{problem:?}\n{tree:?}\n{found:?}");
        if needed.is_empty() {
            break;
        }
        let cube = needed[random.random_range(0..needed.len())];
        let wanted = if spares { Wanted::default().and_trace(Trace::Any) } else { Wanted::default() };
        let answer = solve(&after(&problem, &tree.cubes[cube]).problem(), &wanted, &Options::default());
        let winner = answer.verdict.winner().unwrap();
        found[cube] = Some(Won { winner, trace: answer.trace.filter(|_| spares) });
        case.count("cubes");
    }
    if tree.cubes.len() > 1 {
        case.count("cut");
    }
    let mut cubes: Vec<Option<Player>> = found.iter().map(|won| won.as_ref().map(|won| won.winner)).collect();
    if spares {
        // Without traces the rest is needed.
        for (winner, cube) in cubes.iter_mut().zip(&tree.cubes).filter(|(winner, _)| winner.is_none()) {
            case.count("spared");
            *winner = solve(&after(&problem, cube).problem(), &Wanted::default(), &Options::default()).verdict.winner();
        }
    }
    let winners = tree.winners(&cubes);
    let winner = winners.last().copied().flatten().unwrap();
    assert_eq!(winner, truth, "{problem:?}\n{tree:?}");
    // 2. One proof of all, where there are proofs.
    if matches!(&problem, Problem::Board(board) if board.has_plies() || !every_move) {
        return;
    }
    let paths = tree.paths();
    let mut proofs: BTreeMap<usize, Proof> = BTreeMap::new();
    for leaf in leaves(&tree, winner, &winners) {
        let path = match tree.nodes[leaf] {
            Node::Cube(cube) => &tree.cubes[cube],
            _ => &paths[leaf],
        };
        let rest = after(&problem, path).problem();
        let answer = solve(&rest, &Wanted::default().and_proof(), &Options::default());
        let proof = answer.proof.unwrap_or_else(|| panic!("{:?}: {problem:?}", answer.missing));
        let judgement = verify(&rest, &proof, &Control::default()).unwrap();
        assert_eq!(judgement, Judgement::Accepted(winners[leaf] == Some(Player::Max)), "{problem:?} {path:?}");
        proofs.insert(leaf, proof);
    }
    if proofs.values().any(|proof| matches!(proof, Proof::Trees(_))) {
        return; // proofs of Shannon's edge game are trees of the whole board
    }
    let inputs: Vec<Var> = match &problem {
        Problem::Qbf(qbf) => qbf.prefix().vars().to_vec(),
        Problem::Circuit(circuit) => circuit.prefix().vars().to_vec(),
        _ => Vec::new(),
    };
    let is_board = matches!(problem, Problem::Board(_));
    let proof = assemble(&tree, winner, &winners, &proofs, &inputs, is_board);
    let proof = proof.unwrap_or_else(|| panic!("{problem:?}\n{tree:?}\n{winners:?} {proofs:?}"));
    let judgement = verify(&problem, &proof, &Control::default()).unwrap();
    assert_eq!(judgement, Judgement::Accepted(winner == Player::Max), "{problem:?}\n{tree:?}\n{proof:?}");
    case.count("proven");
}

/// The moves of a cube lead to the position at which it stands in the tree.
fn each_cube_is_its_node(problem: &Problem, tree: &Tree) {
    let sorted = |path: &[Lit]| {
        let mut path = path.to_vec();
        path.sort_unstable();
        path
    };
    for (node, path) in tree.nodes.iter().zip(tree.paths()) {
        if let Node::Cube(cube) = node {
            assert_eq!(sorted(&tree.cubes[*cube]), sorted(&path), "cube {cube} of {problem:?}\n{tree:?}");
        }
    }
}

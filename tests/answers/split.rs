//! Questions that are cut, and answers that are joined: the same verdict, and a proof of it that the judge accepts.

use super::play::any_problem;
use crate::support::boards::{scatter, small_boards};
use gamesat::Problem;
use gamesat::check::{Judgement, verify};
use gamesat::control::Control;
use gamesat::formula::{Player, Proof, Var};
use gamesat::play::Position;
use gamesat::solve::{Options, Question, Trace, Wanted, ask};
use gamesat::split::{CutError, Cutting, Standing, Won, Worker, assemble, cut, leaves};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

fn solve(problem: &Problem, wanted: &Wanted) -> gamesat::solve::Answer {
    ask(&Question { problem, wanted }, &Options::default(), &Control::default()).unwrap()
}

#[test]
fn cut_solved_and_joined() {
    let random = &mut ChaCha8Rng::seed_from_u64(77);
    let (mut cut_ones, mut proven, mut cubes_seen, mut spared) = (0, 0, 0, 0);
    for round in 0..600 {
        // Every sixth one is a board that is played until it is full, so that there are traces.
        let problem = if round % 6 == 0 {
            let mut boards = small_boards(random);
            let mut board = boards.swap_remove(random.random_range(0..boards.len()));
            scatter(random, &mut board, 7);
            Problem::Board(board)
        } else {
            any_problem(random)
        };
        let every_move = random.random();
        let cutting = Cutting {
            cubes: random.random_range(1..12),
            every_move,
            look_ahead: [0, 0, 0, 2][random.random_range(0..4)],
        };
        let tree = match cut(&problem, cutting, &Control::default()) {
            Ok(tree) => tree,
            Err(CutError::NotTwoValued) => continue,
            Err(error) => panic!("{error}: {problem:?}"),
        };
        assert!(tree.is_sound(), "{tree:?}");
        let mut naive = Options::default();
        naive.engine = Some("naive".to_owned());
        let question = Question { problem: &problem, wanted: &Wanted::default() };
        let truth = ask(&question, &naive, &Control::default()).unwrap().verdict.winner().unwrap();
        // Cubes are solved in any order, until nothing is needed any more.
        let mut cubes: Vec<Option<Player>> = vec![None; tree.cubes.len()];
        let mut proofs: BTreeMap<usize, Proof> = BTreeMap::new();
        let rest = |path: &[gamesat::formula::Lit]| {
            let mut position = Position::new(problem.clone());
            path.iter().for_each(|&lit| position.play(lit).unwrap());
            position.problem()
        };
        // Traces spare siblings where no proof needs them.
        let mut found: Vec<Option<Won>> = vec![None; tree.cubes.len()];
        let spares = !every_move && matches!(&problem, Problem::Board(board) if !board.has_plies());
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
            let answer = solve(&rest(&tree.cubes[cube]), &wanted);
            let winner = answer.verdict.winner();
            cubes[cube] = winner;
            found[cube] = winner.map(|winner| Won { winner, trace: answer.trace.filter(|_| spares) });
            cubes_seen += 1;
        }
        if spares {
            spared += found.iter().filter(|found| found.is_none()).count();
            // Without traces the rest is needed.
            for (winner, cube) in cubes.iter_mut().zip(&tree.cubes) {
                *winner = winner.or_else(|| solve(&rest(cube), &Wanted::default()).verdict.winner());
            }
        }
        let winners = tree.winners(&cubes);
        let winner = winners.last().copied().flatten().unwrap();
        assert_eq!(winner, truth, "{problem:?}\n{tree:?}");
        cut_ones += usize::from(tree.cubes.len() > 1);
        // One proof of all, where there are proofs.
        if matches!(&problem, Problem::Board(board) if board.has_plies() || !every_move) {
            continue;
        }
        let paths = tree.paths();
        for leaf in leaves(&tree, winner, &winners) {
            let answer = solve(&rest(&paths[leaf]), &Wanted::default().and_proof());
            proofs.insert(leaf, answer.proof.unwrap_or_else(|| panic!("{:?}: {problem:?}", answer.missing)));
        }
        if proofs.values().any(|proof| matches!(proof, Proof::Trees(_))) {
            continue; // proofs of Shannon's edge game are trees of the whole board
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
        proven += 1;
    }
    assert!(cut_ones > 80 && proven > 200 && cubes_seen > 200, "{cut_ones} cut, {proven} proven, {cubes_seen} cubes");
    assert!(spared > 20, "{spared} spared");
}

/// Several workers in any order, who are told anything at all about each other: the verdict is that of the whole board.
#[test]
fn workers_agree_with_the_whole_board() {
    let random = &mut ChaCha8Rng::seed_from_u64(78);
    let (mut worked, mut solved) = (0, 0);
    for _ in 0..400 {
        let mut boards = small_boards(random);
        let mut board = boards.swap_remove(random.random_range(0..boards.len()));
        scatter(random, &mut board, 5);
        let problem = Problem::Board(board);
        let cutting = Cutting { cubes: random.random_range(1..20), every_move: random.random(), look_ahead: 0 };
        let Ok(tree) = cut(&problem, cutting, &Control::default()) else { continue };
        let Some(first) = Worker::new(&problem, &tree, &Options::default()).unwrap() else { continue };
        let mut crew = [first, Worker::new(&problem, &tree, &Options::default()).unwrap().unwrap()];
        let mut found: Vec<Option<Won>> = vec![None; tree.cubes.len()];
        let told: Vec<Standing> = (0..tree.cubes.len())
            .map(|_| Standing {
                work: random.random_range(0..3) * 1000,
                numbers: (random.random_range(1..9), random.random_range(1..9)),
                busy: random.random(),
            })
            .collect();
        while !tree.needed(&found).is_empty() {
            let at = random.random_range(0..crew.len());
            let cube = crew[at].choose(&found, &[&told]).or_else(|| crew[at].choose(&found, &[])).unwrap();
            assert!(tree.needed(&found).contains(&cube), "{tree:?} {found:?}");
            crew[at].begin(Some(cube));
            let won = crew[at].work(cube, false, &Control::default()).unwrap();
            found[cube] = won.map(|(won, _)| Won { trace: won.trace.filter(|_| !cutting.every_move), ..won });
            solved += usize::from(found[cube].is_some());
        }
        let winner = tree.outcomes(&found).last().cloned().flatten().map(|won| won.winner);
        assert_eq!(winner, solve(&problem, &Wanted::default()).verdict.winner(), "{problem:?}\n{tree:?}");
        worked += 1;
    }
    assert!(worked > 40 && solved > 80, "{worked} boards, {solved} cubes");
}

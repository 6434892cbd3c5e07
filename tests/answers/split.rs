//! Questions that are cut, and answers that are joined: the same verdict, and a proof of it that the judge accepts.

use crate::support::boards::{scatter, small_boards};
use crate::support::drivers::{Case, DRIVERS};
use crate::support::parse::parse;
use gamesat::Problem;
use gamesat::check::{Judgement, verify};
use gamesat::control::Control;
use gamesat::formula::{Player, Proof};
use gamesat::play::Position;
use gamesat::rules::{Board, Bridgit, Ending, Grid, Hex, Side};
use gamesat::solve::{Options, Question, Trace, Wanted, ask};
use gamesat::split::bulletin::{Reader, Writer};
use gamesat::split::{Cutting, Node, Won, Worker, assemble, cut};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

fn solve(problem: &Problem, wanted: &Wanted) -> gamesat::solve::Answer {
    ask(&Question { problem, wanted }, &Options::default(), &Control::default()).unwrap()
}

/// The driver, on seeds of its own, and that it has seen enough of everything.
#[test]
fn cut_solved_and_joined() {
    let driver = DRIVERS.iter().find(|driver| driver.name == "cubes").unwrap();
    let mut case = Case::default();
    for seed in 1000..3000 {
        driver.run(seed, &mut case).unwrap_or_else(|message| panic!("seed {seed}: {message}"));
    }
    let seen = |what: &str| case.counts().get(what).copied().unwrap_or(0);
    let enough = [("cut", 300), ("cubes", 800), ("proven", 800), ("spared", 250)];
    assert!(enough.iter().all(|&(what, least)| seen(what) > least), "{:?}", case.counts());
}

/// A sibling that wins makes a position superfluous, and another order of moves leads to it once more.
#[test]
fn a_position_that_was_dropped_is_found_again() {
    let mut met = 0;
    for text in [
        "p gamesat dnf 3 3\nturn max\nrule any\n1 2 0\n2 3 0\n1 3 2 0\n",
        "hex 3\nturn black\nB . .\n W . .\n  . . .\n",
    ] {
        let problem = parse(text).unwrap();
        let cutting = Cutting { cubes: 150, every_move: true, look_ahead: 0 };
        let tree = cut(&problem, cutting, &Control::default()).unwrap();
        assert!(tree.cubes.iter().all(|cube| !cube.is_empty()), "{tree:?}");
        met += tree.cubes.len();
    }
    assert!(met > 1, "there are cubes");
}

/// One of several workers, with the bytes that it has told and what it has read of the others'.
struct Member<'p> {
    worker: Worker<'p>,
    writer: Writer,
    told: Vec<u8>,
    readers: Vec<Reader>,
}

/// Several workers in any order, who read what the others have told, sometimes spoilt, and one of whom may be killed: the verdict is
/// that of the whole board, by the search and by cubes with their proofs, which the judge accepts as one.
#[test]
fn workers_agree_with_the_whole_board() {
    let random = &mut ChaCha8Rng::seed_from_u64(78);
    let control = Control::default();
    let (mut worked, mut solved, mut learnt, mut proven) = (0, 0, 0, 0);
    for round in 0..600 {
        let mut boards = small_boards(random);
        boards.push(Board::new(Hex(Grid { columns: 4, rows: 4 })));
        boards.push(Board::new(Hex(Grid { columns: 5, rows: 5 })));
        boards.push(Board::new(Bridgit(3)));
        let at = if round % 3 == 0 { boards.len() - 1 - round % 9 / 3 } else { random.random_range(0..boards.len()) };
        let mut board = boards.swap_remove(at);
        let free = if round % 3 == 0 { random.random_range(12..22) } else { random.random_range(5..12) };
        // Some with few stones or none, which take hundreds of expansions.
        if round % 12 == 0 {
            board = Board::new(Hex(Grid { columns: 5, rows: 5 }));
            let stones = random.random_range(0..4);
            let elements: Vec<usize> = (0..stones).map(|_| random.random_range(0..25)).collect();
            elements.iter().for_each(|&element| drop(board.place(element, Side::Second)));
        } else {
            scatter(random, &mut board, free);
        }
        let problem = Problem::Board(board);
        let cutting = Cutting { cubes: random.random_range(1..20), every_move: random.random(), look_ahead: 0 };
        let Ok(tree) = cut(&problem, cutting, &Control::default()) else { continue };
        // Half of them without connections, so that there is something to search for.
        let mut options = Options::default();
        options.graph.connections = round % 3 == 1;
        let count = random.random_range(1..4);
        let member = |_| {
            let worker = Worker::new(&problem, &tree, &options).unwrap()?;
            let readers = (0..count).map(|_| Reader::new(9)).collect();
            Some(Member { worker, writer: Writer::new(9), told: Vec::new(), readers })
        };
        let Some(mut crew) = (0..count).map(member).collect::<Option<Vec<Member<'_>>>>() else { continue };
        let truth = solve(&problem, &Wanted::default()).verdict.winner();
        let mut found: Vec<Option<Won>> = vec![None; tree.cubes.len()];
        // 1. The whole question.
        let won = loop {
            let at = random.random_range(0..crew.len());
            let (told, mut member): (Vec<Vec<u8>>, _) =
                (crew.iter().map(|member| member.told.clone()).collect(), &mut crew[at]);
            for (other, bytes) in told.into_iter().enumerate().filter(|&(other, _)| other != at) {
                let Member { worker, readers, .. } = &mut member;
                learnt += listen(worker, other as u64, &mut readers[other], bytes, random);
            }
            // Somebody has solved a cube alone.
            if random.random_range(0..20) == 0 && !tree.cubes.is_empty() {
                let cube = random.random_range(0..tree.cubes.len());
                let mut position = Position::new(problem.clone());
                tree.cubes[cube].iter().for_each(|&lit| position.play(lit).unwrap());
                let answer = solve(&position.problem(), &Wanted::default().and_trace(Trace::Any));
                let won = Won { winner: answer.verdict.winner().unwrap(), trace: answer.trace };
                assert!(member.worker.settle(cube, &won), "{problem:?}");
            }
            if let Some(won) = member.worker.search(&control).unwrap() {
                break won;
            }
            let bulletin = member.worker.tell();
            let bytes = member.writer.write(&bulletin);
            member.told.extend(bytes);
            if crew.len() > 1 && random.random_range(0..200) == 0 {
                // A killed one: what it has told is still there, and nothing is added.
                let at = random.random_range(0..crew.len());
                crew[at].worker = Worker::new(&problem, &tree, &options).unwrap().unwrap();
            }
        };
        assert_eq!(Some(won.winner), truth, "{problem:?}");
        let mut whole = found.clone();
        whole.push(Some(won));
        assert!(tree.needed(&whole).is_empty());
        // 2. What has come out about cubes on the way, and the cubes that a proof needs.
        let mut proofs: BTreeMap<usize, Proof> = BTreeMap::new();
        let places: BTreeMap<usize, usize> = tree
            .nodes
            .iter()
            .enumerate()
            .filter_map(|(place, node)| match node {
                Node::Cube(cube) => Some((*cube, place)),
                _ => None,
            })
            .collect();
        let Member { worker, .. } = &mut crew[0];
        for cube in 0..tree.cubes.len() {
            if let Some(won) = worker.settled(cube) {
                let mut position = Position::new(problem.clone());
                tree.cubes[cube].iter().for_each(|&lit| position.play(lit).unwrap());
                let Problem::Board(board) = position.problem() else { unreachable!() };
                assert!(is_trace(&board, &won), "{board:?} {won:?}");
                solved += 1;
            }
        }
        while let Some(cube) = worker.choose(&found) {
            assert!(tree.needed(&found).contains(&cube), "{tree:?} {found:?}");
            worker.begin(cube);
            if let Some((won, proof)) = worker.prove(cube, &control).unwrap() {
                found[cube] = Some(Won { trace: won.trace.filter(|_| !cutting.every_move), ..won });
                proofs.insert(places[&cube], proof.unwrap());
            }
        }
        let outcomes = tree.outcomes(&found);
        assert_eq!(outcomes.last().cloned().flatten().map(|won| won.winner), truth, "{problem:?}\n{tree:?}");
        if cutting.every_move && tree.nodes.iter().all(|node| !matches!(node, Node::Known(_))) && !proofs.is_empty() {
            let winners: Vec<Option<Player>> = outcomes.iter().map(|won| won.as_ref().map(|won| won.winner)).collect();
            let proof = assemble(&tree, truth.unwrap(), &winners, &proofs, &[], true).unwrap();
            let judgement = verify(&problem, &proof, &control).unwrap();
            assert_eq!(judgement, Judgement::Accepted(truth == Some(Player::Max)), "{problem:?}");
            proven += 1;
        }
        worked += 1;
    }
    assert!(worked > 100 && solved > 200 && learnt > 500 && proven > 20, "{worked} {solved} {learnt} {proven}");
}

/// Reads what another worker has told, perhaps spoilt at its end: how many positions there were.
fn listen(
    worker: &mut Worker<'_>,
    name: u64,
    reader: &mut Reader,
    mut bytes: Vec<u8>,
    random: &mut ChaCha8Rng,
) -> usize {
    match random.random_range(0..12) {
        0 => bytes.truncate(bytes.len() - bytes.len() / 7),
        1 if bytes.len() as u64 > reader.position() => {
            let at = random.random_range(reader.position() as usize..bytes.len());
            bytes[at] ^= 1 << random.random_range(0..8);
        }
        _ => {}
    }
    let mut count = 0;
    while let Some(told) = reader.read(bytes.get(reader.position() as usize..).unwrap_or_default()) {
        assert!(worker.learn(name, &told));
        count += told.news.facts.len();
    }
    count
}

/// Whether the winner still wins with every free element outside the trace in the loser's hands.
fn is_trace(board: &Board, won: &Won) -> bool {
    let side = if board.player(Side::First) == won.winner { Side::First } else { Side::Second };
    let mut given = board.clone();
    for element in board.free().collect::<Vec<_>>() {
        if !won.trace.iter().flatten().any(|var| var.index() == element) {
            given.place(element, !side).unwrap();
        }
    }
    match given.ending() {
        Some(ending) => ending == Ending::Win(side),
        None => solve(&Problem::Board(given), &Wanted::default()).verdict.winner() == Some(won.winner),
    }
}

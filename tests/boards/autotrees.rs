//! Strategies as trees that people can read: those of the engines are accepted, and a tree that is accepted wins against
//! every play.

use crate::support::graphs::{Case, Random, random_case};
use gamesat::Problem;
use gamesat::check::{Judgement, verify};
use gamesat::control::Control;
use gamesat::formula::{Autotree, AutotreePart, Player, Proof};
use gamesat::rules::{Board, Goal, Positional, Shannon, Side};
use gamesat::solve::{Solver, Wanted};

fn board(case: &Case) -> Board {
    let mut board = Board::new(Shannon { graph: case.graph.clone(), terminals: case.terminals.clone(), edges: false });
    for (side, stones) in [(Side::First, &case.short), (Side::Second, &case.cut)] {
        stones.iter().for_each(|&stone| board.place(stone, side).unwrap());
    }
    board.turn = if case.short_to_move { Side::First } else { Side::Second };
    board
}

fn tree_of(problem: &Problem) -> Autotree {
    match Solver::new(problem.clone()).proof().unwrap() {
        Some(Proof::Strategy(strategy)) => Autotree::unfold(&strategy, |lit| lit.var().to_string()).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// The tree that the graph engine writes itself.
fn written(problem: &Problem) -> Autotree {
    match Solver::new(problem.clone()).ask(&Wanted::default().and_tree()).unwrap().proof {
        Some(Proof::Autotree(tree)) => tree,
        other => panic!("{other:?}"),
    }
}

fn is_accepted(problem: &Problem, tree: &Autotree) -> bool {
    let judgement = verify(problem, &Proof::Autotree(tree.clone()), &Control::default()).unwrap();
    match judgement {
        Judgement::Accepted(max) => {
            assert_eq!(max, tree.winner() == Player::Max);
            true
        }
        Judgement::Rejected(_) => false,
    }
}

/// A plan: its move, and its choices.
#[derive(Clone, Debug)]
struct Plan {
    cell: Option<usize>,
    choices: Vec<Vec<Plan>>,
}

impl Plan {
    fn new(tree: &Autotree) -> Plan {
        let mut levels: Vec<Vec<Plan>> = vec![Vec::new()];
        for part in tree.parts() {
            let plan = |cell| Plan { cell, choices: Vec::new() };
            match part {
                AutotreePart::Play(label) => {
                    let number: usize = tree.labels()[*label as usize].parse().unwrap();
                    levels.last_mut().unwrap().push(plan(Some(number - 1)));
                }
                AutotreePart::Keep => levels.last_mut().unwrap().push(plan(None)),
                AutotreePart::Open => levels.push(Vec::new()),
                AutotreePart::Or => {}
                AutotreePart::Close => {
                    let choice = levels.pop().unwrap();
                    levels.last_mut().unwrap().last_mut().unwrap().choices.push(choice);
                }
            }
        }
        levels.pop().unwrap().pop().unwrap()
    }

    fn contains(&self, cell: usize) -> bool {
        self.cell == Some(cell) || self.choices.iter().flatten().any(|plan| plan.contains(cell))
    }
}

/// Whether the winner, who follows the tree, wins against everything. After the opponent's last move, if there was one.
fn wins(board: &Board, winner: Side, open: &[Vec<Plan>], last: Option<usize>) -> bool {
    if board.free().next().is_none() {
        return board.winner() == Some(winner);
    }
    if board.turn != winner {
        return board.free().collect::<Vec<_>>().into_iter().all(|cell| {
            let mut after = board.clone();
            after.play(cell).unwrap();
            wins(&after, winner, open, Some(cell))
        });
    }
    let mut open = open.to_vec();
    let mut last = last;
    loop {
        let met = open.iter().position(|choice| last.is_some_and(|cell| choice.iter().any(|plan| plan.contains(cell))));
        let Some(at) = met.or((!open.is_empty()).then_some(0)) else {
            // Nothing is open: any move.
            let mut after = board.clone();
            after.play(board.free().next().unwrap()).unwrap();
            return wins(&after, winner, &open, None);
        };
        let choice = open.remove(at);
        let Some(plan) = choice.into_iter().find(|plan| last.is_none_or(|cell| !plan.contains(cell))) else {
            return false;
        };
        last = None;
        open.extend(plan.choices);
        if let Some(cell) = plan.cell {
            let mut after = board.clone();
            if after.play(cell).is_err() {
                return false;
            }
            return wins(&after, winner, &open, None);
        }
    }
}

#[test]
fn trees_of_strategies_are_accepted_and_mutants_only_if_they_win() {
    let mut random = Random(41);
    let (mut accepted, mut rejected) = (0, 0);
    for _ in 0..250 {
        let case = random_case(&mut random, 7);
        let board = board(&case);
        let problem = Problem::Board(board.clone());
        let tree = tree_of(&problem);
        assert!(is_accepted(&problem, &tree), "{case:?} {tree:?}");
        let tree = written(&problem);
        assert!(is_accepted(&problem, &tree), "{case:?} {tree:?}");
        for _ in 0..6 {
            let (mut labels, mut parts) = (tree.labels().to_vec(), tree.parts().to_vec());
            match random.below(3) {
                0 if !labels.is_empty() => {
                    let (at, free) = (random.below(labels.len()), case.free());
                    labels[at] = (free[random.below(free.len())] + 1).to_string();
                }
                1 => {
                    let at = random.below(parts.len());
                    if let AutotreePart::Play(_) = parts[at] {
                        parts[at] = AutotreePart::Keep;
                    }
                }
                _ => {
                    // Take a choice away.
                    let opens = |part: &AutotreePart| *part == AutotreePart::Open;
                    if let Some(start) = parts.iter().position(opens) {
                        let mut depth = 0;
                        let length = parts[start..].iter().position(|part| {
                            depth += i32::from(*part == AutotreePart::Open) - i32::from(*part == AutotreePart::Close);
                            depth == 0
                        });
                        parts.drain(start..=start + length.unwrap());
                    }
                }
            }
            let winner = if random.chance(85) == (tree.winner() == Player::Max) { Player::Max } else { Player::Min };
            let Some(mutant) = Autotree::new(winner, labels, parts) else { continue };
            if is_accepted(&problem, &mutant) {
                accepted += 1;
                let side = if winner == Player::Max { Side::First } else { Side::Second };
                let root = Plan::new(&mutant);
                let open = if board.turn == side { vec![vec![root]] } else { root.choices };
                assert!(wins(&board, side, &open, None), "{case:?} {mutant:?}");
            } else {
                rejected += 1;
            }
        }
    }
    assert!(accepted > 100 && rejected > 100, "{accepted} {rejected}");
}

#[test]
fn formulas_have_trees_too() {
    for text in ["(a | b) & (c | d)", "a & b | c & (a | b)", "(a | b | c) & (d | e) & (a | e)", "a == b"] {
        for turn in ["max", "min"] {
            let problem = gamesat::parse(&format!("turn {turn}: {text}")).unwrap();
            let Some(Proof::Strategy(strategy)) = Solver::new(problem.clone()).proof().unwrap() else {
                panic!("{text}")
            };
            let own = strategy.winner() == Player::Max;
            let name = |lit: gamesat::formula::Lit| {
                format!("{}{}", if lit.is_positive() == own { "" } else { "-" }, lit.var())
            };
            let Some(tree) = Autotree::unfold(&strategy, name) else { continue };
            assert!(is_accepted(&problem, &tree), "{text} {turn} {tree:?}");
        }
    }
}

/// Trees of openings of Hex stay as small as they were when they were measured: moves and choices, the opening among them.
#[test]
fn trees_of_hex_are_small() {
    let sizes = [
        (4, "c2", 16),
        (4, "d1", 51),
        (4, "a4", 51),
        (5, "c3", 25),
        (5, "b4", 31),
        (5, "d3", 124),
        (5, "c2", 146),
        (5, "d2", 31),
    ];
    for (side, cell, most) in sizes {
        let mut solver = Solver::new(gamesat::parse(&format!("hex {side}")).unwrap());
        solver.play_named(cell).unwrap();
        let problem = solver.problem().clone();
        let tree = written(&problem);
        assert!(is_accepted(&problem, &tree), "{cell}");
        assert!(tree.size() <= most, "{cell}: {}", tree.size());
    }
}

/// Of the trees that can be had the smallest is given.
#[test]
fn trees_of_hex_are_no_larger_than_unfolded_strategies() {
    for cell in ["c2", "b3", "d1", "a4", "a1"] {
        let mut solver = Solver::new(gamesat::parse("hex 4").unwrap());
        solver.play_named(cell).unwrap();
        let problem = solver.problem().clone();
        let tree = written(&problem);
        assert!(is_accepted(&problem, &tree) && is_accepted(&problem, &tree_of(&problem)));
        assert!(tree.size() <= tree_of(&problem).size(), "{cell}: {tree:?}");
    }
}

/// Who only prevents sets must meet them all: one of two single elements is not enough.
#[test]
fn trees_of_those_who_prevent_sets() {
    let mut random = Random(77);
    let (mut accepted, mut rejected) = (0, 0);
    for _ in 0..300 {
        let size = 3 + random.below(3);
        let sets: Vec<Vec<usize>> =
            (0..1 + random.below(3)).map(|_| (0..1 + random.below(3)).map(|_| random.below(size)).collect()).collect();
        let names = (0..size).map(|element| format!("x{element}")).collect();
        let mut board = Board::new(Positional { names, goal: Goal::Sets(sets.clone()), race: None });
        board.turn = Side::Second;
        let problem = Problem::Board(board.clone());
        let maker_wins = gamesat::check::evaluate_board(&board, &Control::default()).unwrap().ending
            == gamesat::rules::Ending::Win(Side::First);
        // A move, and perhaps a pair.
        let mut cells: Vec<usize> = (0..size).collect();
        (1..size).rev().for_each(|at| cells.swap(at, random.below(at + 1)));
        let mut text = format!("p autotree min\nx{}", cells[0]);
        if random.chance(50) {
            text += &format!(" (x{} | x{})", cells[1], cells[2]);
        }
        let tree = gamesat::format::read_autotree(&mut text.as_bytes(), "t").unwrap();
        if is_accepted(&problem, &tree) {
            assert!(!maker_wins, "{sets:?} {text}");
            accepted += 1;
        } else {
            rejected += 1;
        }
    }
    assert!(accepted > 20 && rejected > 100, "{accepted} {rejected}");
}

//! What is known about set colouring games, as examples: the thesis's small games, the counterexamples that shaped the
//! rules, exhaustive counts of outcome classes, boards with known openings, and inputs at the edge.

use crate::support::ask;
use crate::support::ask::ask;
use crate::support::games;
use crate::support::games::Tabulated;
use crate::support::known_boards;
use gamesat::control::{Control, Interrupt, Limits, StopReason};
use gamesat::formula::{ClauseArena, Game, GameMatrix, Lit, Player, Rule, Var};
use gamesat::problem::Problem;
use gamesat::solve::{Answer, Options, Verdict, Wanted};
use std::time::Duration;

fn rows(list: &[&[i32]]) -> ClauseArena {
    list.iter().map(|row| row.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>()).collect()
}

fn cnf(elements: usize, list: &[&[i32]]) -> Game {
    Game::new(elements, GameMatrix::Cnf(rows(list))).unwrap()
}

fn run_with(game: &Game, options: &Options) -> Answer {
    ask::solve(&Problem::Game(game.clone()), options)
}

fn small() -> Options {
    let mut options = Options::default();
    options.game.table = 1;
    options
}

fn winner(game: &Game, turn: Player) -> Player {
    let mut game = game.clone();
    game.turn = turn;
    run_with(&game, &small()).verdict.winner().unwrap()
}

fn moves(game: &Game) -> Vec<i32> {
    let all = Wanted::default().and_all_moves();
    let answer = ask(&Problem::Game(game.clone()), &all, &small(), &Control::default());
    answer.moves.iter().map(|lit| lit.to_dimacs()).collect()
}

/// positive, negative, regular or misère, as an index.
fn class(max_first: Player, min_first: Player) -> usize {
    match (max_first, min_first) {
        (Player::Max, Player::Max) => 0,
        (Player::Min, Player::Min) => 1,
        (Player::Max, Player::Min) => 2,
        (Player::Min, Player::Max) => 3,
    }
}

#[test]
fn a_rational_move_is_not_always_best() {
    // (1 == (2 | 3)) & (4 | 5)
    let game = cnf(5, &[&[-1, 2, 3], &[1, -2], &[1, -3], &[4, 5]]);
    assert_eq!(moves(&game), [1, -2, -3]);
}

#[test]
fn capture_needs_the_right_parity() {
    let game = cnf(3, &[&[-1, -3, 2], &[3, 1, 2]]);
    for turn in [Player::Max, Player::Min] {
        for stars in 0..2 {
            let mut game = game.clone();
            game.add_stars(stars);
            let truth = games::truth(&game);
            let judge = Tabulated::new(game.elements(), game.rule, truth);
            assert_eq!(winner(&game, turn), judge.winner(&[], turn));
        }
    }
}

#[test]
fn two_lost_colours_leave_no_mustplay() {
    // 1 != 2 with a dead element: MAX wins by the dead move alone.
    let game = cnf(3, &[&[1, 2], &[-1, -2]]);
    assert_eq!(moves(&game), [3]);
}

#[test]
fn conjunctions_of_games_that_are_not_isotone_depend_on_parity() {
    // (1 | 2 | 3) & (4 == 5), MIN to move.
    let mut game = cnf(5, &[&[1, 2, 3], &[-4, 5], &[4, -5]]);
    assert_eq!(winner(&game, Player::Min), Player::Min);
    game.add_stars(1);
    assert_eq!(winner(&game, Player::Min), Player::Max);
}

#[test]
fn small_games_are_classified() {
    let classify = |game: &Game| class(winner(game, Player::Max), winner(game, Player::Min));
    assert_eq!(classify(&cnf(2, &[&[1, 2]])), 0);
    assert_eq!(classify(&cnf(2, &[&[1], &[2]])), 1);
    assert_eq!(classify(&cnf(1, &[&[1]])), 2);
    assert_eq!(classify(&cnf(3, &[&[1, 2], &[1, 3]])), 2);
    assert_eq!(classify(&cnf(2, &[&[1, -2], &[-1, 2]])), 3);
    assert_eq!(classify(&cnf(3, &[&[1, -2], &[-1, 2]])), 2);
    let mut division = cnf(1, &[&[-1]]);
    division.rule = Rule::Own;
    assert_eq!(classify(&division), 3);
}

/// The functions of `n` variables up to renaming (and, under rule `any`, negating) variables: one of each with the size of
/// its class.
fn representatives(n: usize, rule: Rule) -> Vec<(u32, usize)> {
    let size = 1usize << n;
    let swap = |i: usize, a: usize, b: usize| {
        let differ = (i >> a ^ i >> b) & 1;
        i ^ (differ << a | differ << b)
    };
    let mut actions: Vec<Vec<usize>> = (1..n).map(|a| (0..size).map(|i| swap(i, a - 1, a)).collect()).collect();
    if rule == Rule::Any {
        actions.push((0..size).map(|i| i ^ 1).collect());
    }
    let mut seen = vec![false; 1 << size];
    let mut found = Vec::new();
    for function in 0..1usize << size {
        if seen[function] {
            continue;
        }
        seen[function] = true;
        let (mut stack, mut count) = (vec![function], 0);
        while let Some(one) = stack.pop() {
            count += 1;
            for action in &actions {
                let image = (0..size).fold(0, |image, i| image | (one >> i & 1) << action[i]);
                if !seen[image] {
                    seen[image] = true;
                    stack.push(image);
                }
            }
        }
        found.push((function as u32, count));
    }
    found
}

#[test]
fn outcome_classes_of_all_small_functions() {
    let expected = [
        (Rule::Any, [[1, 1, 2, 0], [5, 5, 4, 2], [25, 25, 206, 0], [20249, 20249, 5032, 20006]]),
        (Rule::Own, [[1, 1, 1, 1], [4, 4, 8, 0], [64, 64, 64, 64], [10240, 10240, 45056, 0]]),
    ];
    for (rule, counts) in expected {
        for (n, expected) in (1..=4).zip(counts) {
            let (mut engine, mut judge) = ([0; 4], [0; 4]);
            for (function, count) in representatives(n, rule) {
                let truth: Vec<bool> = (0..1 << n).map(|i| function >> i & 1 != 0).collect();
                let clauses = (0..1usize << n).filter(|&i| !truth[i]);
                let clause = |i: usize| (0..n).map(|e| Var::from_index(e).lit(i >> e & 1 == 0)).collect::<Vec<_>>();
                let mut game = Game::new(n, GameMatrix::Cnf(clauses.map(clause).collect())).unwrap();
                game.rule = rule;
                engine[class(winner(&game, Player::Max), winner(&game, Player::Min))] += count;
                let table = Tabulated::new(n, rule, truth);
                judge[class(table.winner(&[], Player::Max), table.winner(&[], Player::Min))] += count;
            }
            assert_eq!(judge, expected, "{n} elements, rule {rule}");
            assert_eq!(engine, expected, "{n} elements, rule {rule}");
        }
    }
}

#[test]
fn openings_of_small_boards() {
    let openings = |n: usize| -> Vec<String> {
        let game = Game::new(n * n, GameMatrix::Dnf(known_boards::hex(n))).unwrap();
        let cell = |number: i32| {
            let cell = number as usize - 1;
            format!("{}{}", char::from(b'a' + (cell % n) as u8), cell / n + 1)
        };
        let mut cells: Vec<String> = moves(&game).into_iter().map(cell).collect();
        cells.sort();
        cells
    };
    assert_eq!(openings(1), ["a1"]);
    assert_eq!(openings(2), ["a2", "b1"]);
    assert_eq!(openings(3), ["a2", "a3", "b2", "c1", "c2"]);
    assert_eq!(openings(4), ["a4", "b3", "c2", "d1"]);
    let five = ["a4", "a5", "b2", "b3", "b4", "c2", "c3", "c4", "d2", "d3", "d4", "e1", "e2"];
    assert_eq!(openings(5), five);
    for (side, count) in (1..=4).zip([1, 3, 3, 7]) {
        let game = Game::new(side * (side + 1) / 2, GameMatrix::Dnf(known_boards::y(side))).unwrap();
        assert_eq!(moves(&game).len(), count, "Y of side {side}");
    }
}

#[test]
fn variations_alternate_and_start_with_the_winning_move() {
    let game = Game::new(16, GameMatrix::Dnf(known_boards::hex(4))).unwrap();
    let outcome = run_with(&game, &small());
    assert_eq!(outcome.variation.first(), outcome.moves.first());
    assert!(outcome.variation.len() > 1);
    let mut played = game.clone();
    played.play(&outcome.variation).unwrap();
    // On a board of stones every move has the mover's colour.
    for (ply, lit) in outcome.variation.iter().enumerate() {
        assert_eq!(lit.is_positive(), ply % 2 == 0);
    }
}

#[test]
fn decided_and_empty_games() {
    let verdict = |game: &Game| run_with(game, &small()).verdict;
    assert_eq!(verdict(&cnf(0, &[])), Verdict::True);
    assert_eq!(verdict(&cnf(3, &[])), Verdict::True);
    assert_eq!(moves(&cnf(3, &[])), [1, 2, 3]);
    assert_eq!(verdict(&cnf(3, &[&[]])), Verdict::False);
    assert_eq!(verdict(&cnf(3, &[&[1, -1]])), Verdict::True);
    assert_eq!(verdict(&Game::new(3, GameMatrix::Dnf(rows(&[]))).unwrap()), Verdict::False);
    assert_eq!(verdict(&Game::new(3, GameMatrix::Dnf(rows(&[&[]]))).unwrap()), Verdict::True);
    let mut played = cnf(2, &[&[1, 2]]);
    played.play(&[Lit::from_dimacs(-1), Lit::from_dimacs(-2)]).unwrap();
    assert_eq!(verdict(&played), Verdict::False);
}

#[test]
fn billions_of_dead_elements_count_by_parity() {
    for (stars, expected) in [(2_000_000_000, Player::Min), (2_000_000_001, Player::Max)] {
        let mut game = cnf(2, &[&[1, -2], &[-1, 2]]);
        game.add_stars(stars);
        assert_eq!(winner(&game, Player::Max), expected);
    }
}

#[test]
fn limits_give_unknown() {
    // With one cell gone no theorem decides it.
    let mut game = Game::new(36, GameMatrix::Dnf(known_boards::hex(6))).unwrap();
    game.play(&[Lit::from_dimacs(-1)]).unwrap();
    let hex = Problem::Game(game);
    for engine in ["alpha-beta", "proof-number"] {
        let mut options = small();
        options.engine = Some(engine.to_owned());
        let nodes = Control::new(Limits { nodes: Some(50), ..Limits::default() }, Interrupt::new());
        assert_eq!(ask(&hex, &Wanted::default(), &options, &nodes).stop, Some(StopReason::Nodes));
        let time = Control::new(Limits { time: Some(Duration::ZERO), ..Limits::default() }, Interrupt::new());
        assert_eq!(ask(&hex, &Wanted::default(), &options, &time).stop, Some(StopReason::Time));
        let interrupt = Interrupt::new();
        interrupt.trigger();
        let control = Control::new(Limits::default(), interrupt);
        assert_eq!(ask(&hex, &Wanted::default(), &options, &control).stop, Some(StopReason::Interrupted));
    }
}

#[test]
fn large_games_are_answered_or_given_up() {
    // A chain of 9,000 elements is won by a pairing of its first clauses or searched until time is up; either is fine, but
    // a wrong answer or a crash is not: MAX wins (1 | 2) (3 | 4) ... by pairing.
    let pairs: Vec<Vec<i32>> = (0..4500).map(|i| vec![2 * i + 1, 2 * i + 2]).collect();
    let list: Vec<&[i32]> = pairs.iter().map(Vec::as_slice).collect();
    assert_eq!(winner(&cnf(9000, &list), Player::Min), Player::Max);
    let triples: Vec<Vec<i32>> = (0..9998).map(|i| vec![i + 1, -(i + 2), i + 3]).collect();
    let list: Vec<&[i32]> = triples.iter().map(Vec::as_slice).collect();
    let limits = Limits { time: Some(Duration::from_millis(500)), ..Limits::default() };
    let control = Control::new(limits, Interrupt::new());
    let outcome = ask(&Problem::Game(cnf(10_000, &list)), &Wanted::default(), &small(), &control);
    assert_eq!(outcome.verdict, Verdict::Unknown);
    // Too many elements for bit masks: searched as it stands, within the limits.
    let triples: Vec<Vec<i32>> = (0..40_000).map(|i| vec![i + 1, i + 2, i + 3]).collect();
    let list: Vec<&[i32]> = triples.iter().map(Vec::as_slice).collect();
    let limits = Limits { nodes: Some(20), ..Limits::default() };
    let control = Control::new(limits, Interrupt::new());
    let outcome = ask(&Problem::Game(cnf(40_002, &list)), &Wanted::default(), &small(), &control);
    assert_eq!(outcome.stop, Some(StopReason::Nodes));
}

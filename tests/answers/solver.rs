//! The solver that library users hold: changed, asked again, interrupted.

use gamesat::check;
use gamesat::formula::{Lit, Player};
use gamesat::solve::{Limits, Options, Refusal, Solver, SolverError, StopReason, Verdict, Wanted};
use std::time::{Duration, Instant};

fn solver(text: &str) -> Solver {
    Solver::new(gamesat::parse(text).unwrap())
}

fn lit(number: i32) -> Lit {
    Lit::from_dimacs(number)
}

#[test]
fn clauses_come_and_go() {
    let mut solver = solver("p cnf 2 1\na 1 0\ne 2 0\n1 2 0\n");
    assert_eq!(solver.solve().unwrap().verdict, Verdict::True);
    solver.push().unwrap();
    solver.add_clause(&[lit(-2)]).unwrap();
    assert_eq!(solver.solve().unwrap().verdict, Verdict::False);
    solver.push().unwrap();
    solver.add_clause(&[lit(3)]).unwrap();
    assert_eq!(solver.solve().unwrap().verdict, Verdict::False);
    assert!(solver.pop() && solver.pop());
    assert_eq!(solver.solve().unwrap().verdict, Verdict::True);
    assert!(!solver.pop());
}

#[test]
fn assumptions_hold_once() {
    let mut solver = solver("p cnf 2 2\ne 1 0\na 2 0\n1 2 0\n1 -2 0\n");
    solver.assume(&[lit(-1)]).unwrap();
    assert_eq!(solver.solve().unwrap().verdict, Verdict::False);
    assert_eq!(solver.solve().unwrap().verdict, Verdict::True);
    assert_eq!(solver.assume(&[lit(2)]), Err(SolverError::NotOutermost(lit(2).var())));
}

#[test]
fn moves_are_played_and_taken_back() {
    for text in ["hex 4", "y 4", "bridgit 3", "line 3x3 3", "(a == (b | c)) & (d | e)"] {
        let mut solver = solver(text);
        let first = solver.solve().unwrap();
        let moves = solver.moves().unwrap();
        assert!(!moves.is_empty(), "{text}");
        for &winning in &moves {
            solver.play(winning).unwrap();
            let after = solver.solve().unwrap();
            assert_eq!(after.verdict, first.verdict, "{text} {winning}");
            assert!(solver.undo());
        }
        assert_eq!(solver.moves().unwrap(), moves, "{text}");
        assert!(!solver.undo());
    }
}

/// A question about the position after a move, and the same question again, cost less than from scratch.
#[test]
fn what_was_learnt_is_kept() {
    let nodes = |solver: &mut Solver| solver.solve().unwrap().statistics.get("nodes");
    let mut options = Options::default();
    options.engine = Some("alpha-beta".to_owned());
    let mut kept = solver("hex 5").with_options(options.clone());
    let first = nodes(&mut kept);
    assert!(nodes(&mut kept) < first);
    let mut fresh = solver("hex 5").with_options(options);
    for solver in [&mut kept, &mut fresh] {
        solver.play_named("c3").unwrap();
    }
    assert!(nodes(&mut kept) < nodes(&mut fresh));
}

#[test]
fn proofs_are_about_the_position_on_the_board() {
    let mut solver = solver("hex 3");
    for name in ["a1", "b2", "c1"] {
        solver.play_named(name).unwrap();
        let proof = solver.proof().unwrap().unwrap();
        let answer = solver.solve().unwrap();
        let judged = check::verify(solver.problem(), &proof, &Default::default()).unwrap();
        let max = answer.verdict.winner() == Some(Player::Max);
        assert_eq!(judged, check::Judgement::Accepted(max));
        assert!(solver.undo());
        let other = check::verify(solver.problem(), &proof, &Default::default()).unwrap();
        assert!(matches!(other, check::Judgement::Rejected(_)), "it is somebody else's turn");
        solver.play_named(name).unwrap();
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let mut game = solver("a & b");
    assert_eq!(game.add_clause(&[lit(1)]), Err(SolverError::NotAFormula("clauses")));
    assert_eq!(game.play_named("z"), Err(SolverError::NoSuchElement("z".to_owned())));
    let wanted = Wanted::default().and_outer_model();
    assert!(matches!(game.ask(&wanted), Err(SolverError::Refused(Refusal::Wish { .. }))));
    let mut board = solver("hex 3");
    assert!(matches!(board.play(lit(-1)), Err(SolverError::WrongColour(Player::Max, _))));
    board.play(lit(1)).unwrap();
    assert!(matches!(board.play(lit(-1)), Err(SolverError::Board(_))));
    let mut options = Options::default();
    options.engine = Some("lehman".to_owned());
    let mut wrong = solver("hex 3").with_options(options);
    assert!(matches!(wrong.solve(), Err(SolverError::Refused(Refusal::Problem { .. }))));
}

#[test]
fn another_thread_interrupts() {
    let mut solver = solver("hex 9");
    solver.play(lit(1)).unwrap(); // no theorem knows who wins then
    let handle = solver.interrupt_handle();
    let started = Instant::now();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        handle.trigger();
    });
    let answer = solver.solve().unwrap();
    thread.join().unwrap();
    assert_eq!((answer.verdict, answer.stop), (Verdict::Unknown, Some(StopReason::Interrupted)));
    assert!(started.elapsed() < Duration::from_secs(20));
    solver.resume();
    let limits = Limits { time: Some(Duration::from_millis(100)), ..Limits::default() };
    let mut solver = solver.with_limits(limits);
    assert_eq!(solver.solve().unwrap().stop, Some(StopReason::Time));
}

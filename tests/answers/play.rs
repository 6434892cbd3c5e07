//! Playing: whoever is bound to win, wins, against an opponent who plays anything; and nothing illegal is ever chosen.

use crate::support::drivers::split::any_problem;
use gamesat::Problem;
use gamesat::control::{Control, Interrupt};
use gamesat::formula::Player;
use gamesat::play::{Chooser, Outcome, PlayError, Round};
use gamesat::solve::{Options, Question, Verdict, Wanted, ask};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The verdict, by plain recursion.
fn truth(problem: &Problem) -> Verdict {
    let mut options = Options::default();
    options.engine = Some("naive".to_owned());
    ask(&Question { problem, wanted: &Wanted::default() }, &options, &Control::default()).unwrap().verdict
}

#[test]
fn whoever_is_bound_to_win_wins() {
    let random = &mut ChaCha8Rng::seed_from_u64(31);
    let (mut played, mut won) = (0, [0, 0]);
    for _ in 0..400 {
        let problem = any_problem(random);
        let mut round = Round::new(problem.clone());
        if round.position().turn().is_none() {
            continue;
        }
        let verdict = truth(&round.position().problem());
        let best = verdict.winner().unwrap_or(Player::Max);
        let mut chooser = Chooser::default();
        while let Some(turn) = round.position().turn() {
            let moves = round.position().moves();
            assert!(!moves.is_empty(), "{problem:?} after {:?}", round.moves());
            let name = if turn == best {
                let choice = chooser.choose(&round, None, &Interrupt::new()).unwrap();
                assert!(moves.contains(&choice.lit), "{choice:?} in {problem:?} after {:?}", round.moves());
                assert_eq!(round.position().parse(&choice.name), Ok(choice.lit));
                choice.name
            } else {
                round.position().name(moves[random.random_range(0..moves.len())])
            };
            round.play(&name).unwrap_or_else(|error| panic!("{error}: {name} in {problem:?}"));
            // Now and then a move is taken back, which changes nothing.
            if random.random_range(0..8) == 0 {
                assert!(round.undo() && round.redo());
            }
        }
        let outcome = round.position().outcome();
        match verdict {
            Verdict::Draw => assert_ne!(outcome, Some(Outcome::Win(!best)), "{problem:?} by {:?}", round.moves()),
            _ => assert_eq!(outcome, Some(Outcome::Win(best)), "{problem:?} by {:?}", round.moves()),
        }
        assert_eq!(round.play("anything"), Err(PlayError::Unknown("anything".to_owned())));
        played += 1;
        won[usize::from(best == Player::Min)] += 1;
    }
    assert!(played > 250 && won.iter().all(|&count| count > 60), "{played} games, {won:?}");
}

#[test]
fn moves_have_many_names_and_bad_ones_are_refused() {
    let mut round = Round::new(gamesat::parse("(a | b) & (a | c)").unwrap());
    for wrong in ["", "d", "a=", "a=maybe", "-a=TRUE", "a b", "0", "4", "99999999999999999999", "é"] {
        assert!(matches!(round.play(wrong), Err(PlayError::Unknown(_) | PlayError::Illegal(_))), "{wrong}");
    }
    assert_eq!(round.play("-b"), Ok("b=FALSE"));
    assert_eq!(round.play("c=TRUE"), Ok("c=TRUE"));
    assert_eq!(round.play("c"), Err(PlayError::Illegal("c".to_owned())));
    assert!(round.undo() && round.undo() && !round.undo());
    assert!(round.redo() && round.redo() && !round.redo());
    assert_eq!(round.moves(), ["b=FALSE", "c=TRUE"]);
}

#[test]
fn a_move_is_chosen_when_the_time_is_over() {
    let mut round = Round::new(gamesat::parse("hex 11\n").unwrap());
    let mut chooser = Chooser::default();
    for _ in 0..2 {
        let choice = chooser.choose(&round, Some(std::time::Duration::from_millis(50)), &Interrupt::new()).unwrap();
        round.play(&choice.name).unwrap();
    }
    let interrupt = Interrupt::new();
    interrupt.trigger();
    assert!(matches!(chooser.choose(&round, None, &interrupt), Err(PlayError::Interrupted)));
    assert_eq!(round.moves().len(), 2);
}

//! Sessions against exhaustive tabulation: after any moves and their undoing the answers are those of a fresh solver, and
//! what was found out before is not found out again.

use crate::support::game_case::{check_session, random_options};
use crate::support::games::{Kind, random_game};
use crate::support::known_boards;
use gamesat::control::{Control, Interrupt, Limits, StopReason};
use gamesat::formula::{Game, GameError, GameMatrix, Lit, Player, Rule, Var};
use gamesat::options::GameOptions;
use gamesat_games::colouring::{Question, Session, solve};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[test]
fn moves_and_their_undoing_leave_right_answers() {
    let mut random = ChaCha8Rng::seed_from_u64(31);
    for number in 0..3_000 {
        let kind = [Kind::Isotone, Kind::Unate, Kind::Mixed, Kind::Mixed][number % 4];
        let mut game = random_game(&mut random, 6, kind);
        if game.elements() < 6 {
            game.add_stars(random.random_range(0..=6 - game.elements()));
        }
        let options = random_options(&mut random);
        check_session(&mut random, &game, &options);
    }
}

#[test]
fn what_is_known_is_not_searched_again() {
    let game = Game::new(25, GameMatrix::Dnf(known_boards::hex(5))).unwrap();
    let options = GameOptions::default();
    let mut session = Session::new(&game, &options, &Control::default()).unwrap();
    let all = Question { all_moves: true, ..Question::default() };
    let nodes =
        |session: &mut Session, question| session.solve(question, &Control::default()).unwrap().statistics.get("nodes");
    let first = nodes(&mut session, all);
    assert_eq!(first, solve(&game, true, &options, &Control::default()).unwrap().statistics.get("nodes"));
    let again = nodes(&mut session, all);
    assert!(again < first / 10.0, "{again} of {first}");
    for lit in [Lit::from_dimacs(13), Lit::from_dimacs(-8), Lit::from_dimacs(1)] {
        session.play(lit).unwrap();
        let fresh = solve(session.game(), true, &options, &Control::default()).unwrap();
        let next = session.solve(all, &Control::default()).unwrap();
        assert_eq!((next.winner, &next.moves), (fresh.winner, &fresh.moves));
        let (next, fresh) = (next.statistics.get("nodes"), fresh.statistics.get("nodes"));
        assert!(next < fresh || fresh < 10.0, "{next}, without a session {fresh}");
    }
    while session.undo().is_some() {}
    assert_eq!(session.game(), &game);
}

#[test]
fn a_question_that_was_stopped_can_be_asked_again() {
    let game = Game::new(25, GameMatrix::Dnf(known_boards::hex(5))).unwrap();
    let mut session = Session::new(&game, &GameOptions::default(), &Control::default()).unwrap();
    let all = Question { all_moves: true, strategy: true, ..Question::default() };
    for nodes in [1, 5, 20] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let stopped = session.solve(all, &Control::new(limits, Interrupt::new()));
        assert_eq!(stopped.unwrap_err(), StopReason::Nodes);
    }
    assert_eq!(session.solve(all, &Control::default()).unwrap().winner, Player::Max);
}

#[test]
fn impossible_moves_are_refused() {
    let rows = [[1, 2].map(Lit::from_dimacs)].into_iter().collect();
    let mut game = Game::new(3, GameMatrix::Cnf(rows)).unwrap();
    game.rule = Rule::Own;
    let mut session = Session::new(&game, &GameOptions::default(), &Control::default()).unwrap();
    assert_eq!(session.undo(), None);
    assert_eq!(session.play(Lit::from_dimacs(-1)), Err(GameError::Forbidden(Lit::from_dimacs(-1), Player::Max)));
    assert_eq!(session.play(Lit::from_dimacs(4)), Err(GameError::OutOfRange(Var::from_dimacs(4), 3)));
    session.play(Lit::from_dimacs(3)).unwrap();
    assert_eq!(session.play(Lit::from_dimacs(-3)), Err(GameError::PlayedTwice(Var::from_dimacs(3))));
    assert_eq!(session.game().turn, Player::Min);
    assert_eq!(session.undo(), Some(Lit::from_dimacs(3)));
}

//! A game held to its tabulation: verdict, every winning move, the move that is played, the exact definition of a trace, and
//! a session in which moves are played and taken back.
//!
//! The parent module has `ask` and `game_support`.

use crate::support::ask::ask;
use crate::support::games::{Tabulated, tabulate};
use gamesat::Problem;
use gamesat::check::evaluate_game;
use gamesat::control::Control;
use gamesat::formula::{Game, Lit, Rule, Var};
use gamesat::options::GameOptions;
use gamesat::solve::{Answer, Options, Trace, Wanted};
use gamesat_check::steps::check_strategy;
use gamesat_games::colouring::{Question, Session};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Switches a technique by its number in the table; the number behind the last one is proof-number search.
pub fn switch(options: &mut GameOptions, number: usize, on: bool) {
    match GameOptions::TECHNIQUES.get(number) {
        Some(technique) => assert!(options.set(technique.name, on)),
        None => options.proof_number = on,
    }
}

/// The techniques, and proof-number search.
pub const SWITCHES: usize = GameOptions::TECHNIQUES.len() + 1;

fn run(game: &Game, options: &GameOptions, all_moves: bool) -> Answer {
    let mut all = Options::default();
    all.game = options.clone();
    all.threads = options.threads;
    all.engine = options.proof_number.then(|| "proof-number".to_owned());
    // Every table is zeroed memory; a small one keeps thousands of runs quick.
    all.game.table = all.game.table.min(1);
    let mut wanted = Wanted::default().and_trace(Trace::Any);
    wanted.all_moves = all_moves;
    ask(&Problem::Game(game.clone()), &wanted, &all, &Control::default())
}

/// Compares with the judge; returns how many captured sets of more than two elements were filled in.
pub fn check(game: &Game, judge: &Tabulated, options: &GameOptions) -> u64 {
    let mut sets = 0;
    let winner = judge.winner(game.played(), game.turn);
    let moves = judge.winning_moves(game.played(), game.turn);
    for all_moves in [true, false] {
        let outcome = run(game, options, all_moves);
        sets += outcome.statistics.get("captured_sets") as u64;
        assert_eq!(outcome.verdict.winner(), Some(winner), "{game:?}\n{options:?}");
        if all_moves {
            assert_eq!(outcome.moves, moves, "{game:?}\n{options:?}");
        } else if winner == game.turn && game.uncoloured() > 0 {
            assert_eq!(outcome.moves.len(), 1, "{game:?}\n{options:?}");
            let mut after = game.clone();
            after.play(&outcome.moves).unwrap();
            assert_eq!(judge.winner(after.played(), !game.turn), winner, "{:?}: {game:?}\n{options:?}", outcome.moves);
        } else {
            assert!(outcome.moves.is_empty());
        }
        let trace = outcome.trace.unwrap();
        assert!(
            judge.is_trace(&trace, game.played(), game.turn, winner),
            "{trace:?} is no trace for {winner}, all moves {all_moves}: {game:?}\n{options:?}"
        );
    }
    sets
}

/// All switches, or a random subset of them.
pub fn random_options(random: &mut ChaCha8Rng) -> GameOptions {
    let mut options = GameOptions::default();
    if random.random() {
        for technique in GameOptions::TECHNIQUES {
            options.set(technique.name, random.random());
        }
    }
    options.table = 1;
    options.proof_number = random.random_range(0..4) == 0;
    options.capture_size = random.random_range(2..=4);
    options
}

/// A move that the rules allow, in any uncoloured element.
pub fn some_move(random: &mut ChaCha8Rng, game: &Game) -> Option<Lit> {
    let free: Vec<Var> = (0..game.elements())
        .map(Var::from_index)
        .filter(|var| game.played().iter().all(|lit| lit.var() != *var))
        .collect();
    let element = *free.get(random.random_range(0..free.len().max(1)))?;
    let colour = if game.rule == Rule::Own { game.turn.colour() } else { random.random() };
    Some(element.lit(colour))
}

/// Plays, takes back and asks some eight times.
pub fn check_session(random: &mut ChaCha8Rng, game: &Game, options: &GameOptions) {
    let judge = tabulate(game);
    let mut session = Session::new(game, options, &Control::default()).unwrap();
    let mut played = Vec::new();
    for _ in 0..8 {
        if random.random_range(0..3) == 0 {
            assert_eq!(session.undo(), played.pop());
        } else if let Some(lit) = some_move(random, session.game()) {
            session.play(lit).unwrap();
            played.push(lit);
        }
        let question = Question {
            all_moves: random.random(),
            strategy: random.random_range(0..3) == 0,
            shrink_trace: random.random_range(0..8) == 0,
        };
        let answer = session.solve(question, &Control::default()).unwrap();
        let now = session.game();
        let winner = judge.winner(now.played(), now.turn);
        let context = || format!("{game:?}\nafter {played:?}: {question:?}\n{options:?}");
        assert_eq!(answer.winner, winner, "{}", context());
        if question.all_moves {
            assert_eq!(answer.moves, judge.winning_moves(now.played(), now.turn), "{}", context());
        } else if winner == now.turn && now.uncoloured() > 0 {
            let mut after = now.clone();
            after.play(&answer.moves).unwrap();
            assert_eq!(answer.moves.len(), 1, "{}", context());
            assert_eq!(judge.winner(after.played(), !now.turn), winner, "{:?} {}", answer.moves, context());
        }
        let trace = &answer.trace;
        assert!(judge.is_trace(trace, now.played(), now.turn, winner), "{trace:?} {}", context());
        if let Some(strategy) = answer.strategy {
            let checked = check_strategy(now, &strategy.unwrap(), &Control::default());
            checked.unwrap_or_else(|error| panic!("{error} {}", context()));
        }
        if random.random_range(0..8) == 0 {
            assert_eq!(evaluate_game(now, &Control::default()).unwrap().winner, winner, "{}", context());
        }
    }
}

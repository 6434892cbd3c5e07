//! Reduced games before the judge: strategies of what simplification leaves, as strategies of the game that it came from and of
//! slightly different ones: a star more, another turn, another rule, a colour played, a literal the other way round.

use super::Case;
use crate::support::games::{Kind, random_game, tabulate};
use crate::support::other_questions::{other_game, proof};
use crate::support::reductions::other_reduction;
use gamesat::Problem;
use gamesat::analyse::simplify_game;
use gamesat::check::{Judge, Judgement};
use gamesat::control::Control;
use gamesat::formula::{Player, Rule};
use gamesat::solve::Options;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

pub fn other_games(random: &mut ChaCha8Rng, case: &mut Case) {
    let kind = [Kind::Isotone, Kind::Unate, Kind::Mixed, Kind::Mixed][random.random_range(0..4)];
    let game = random_game(random, 7, kind);
    case.problem(&Problem::Game(game.clone()), &Options::default());
    let own = simplify_game(&game, random.random_range(2..=4), &Control::default()).unwrap().reduction();
    let mut reductions = vec![own.clone()];
    for _ in 0..3 {
        let previous = &reductions[random.random_range(0..reductions.len())];
        reductions.push(other_reduction(random, previous));
    }
    let mut games = vec![game.clone(), other_game(random, &game), other_game(random, &game)];
    let mut other_rule = game.clone();
    other_rule.rule = if game.rule == Rule::Any { Rule::Own } else { Rule::Any };
    games.push(other_rule);
    let mut star = game.clone();
    star.add_stars(1);
    games.push(star);
    for (at, reduction) in reductions.iter().enumerate() {
        let Some(strategy) = proof(&Problem::Game(reduction.game.clone())) else { continue };
        for (number, larger) in games.iter().enumerate() {
            let verdict = tabulate(larger).winner(larger.played(), larger.turn) == Player::Max;
            let problem = Problem::Game(larger.clone());
            match Judge::usual().unwrap().verify_reduced(&problem, reduction, &strategy, &Control::default()).unwrap() {
                Judgement::Accepted(found) => {
                    assert_eq!(found, verdict, "{reduction:?}\naccepted for {larger:?}");
                    case.count("accepted");
                }
                Judgement::Rejected(why) => {
                    assert!(at > 0 || number > 0, "{reduction:?}\nrejected: {why}");
                    case.count("rejected");
                }
            }
        }
    }
}

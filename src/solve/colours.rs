//! Games with more colours than two, with elements for one player alone, or with a score, see [`gamesat_games::colours`]. The
//! score of a two-coloured game is found by asking the engines of such games whether MAX reaches one amount after the other.

use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, StopReason, Trace, Verdict, Wanted, ask};
use gamesat_core::formula::{Colouring, Player, Proof, Rule};
use gamesat_core::problem::Problem;
use gamesat_encode::threshold_game;
use gamesat_games::colours::{Plain, Search};

pub(super) struct Colours;

impl Engine for Colours {
    fn name(&self) -> &'static str {
        "colours"
    }

    fn about(&self) -> &'static str {
        "games with more than two colours, with restricted elements, or with a score"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        let Problem::Colouring(game) = question.problem else { return None };
        let Wanted { trace, outer_model, proof, .. } = *question.wanted;
        let simple = is_plain(game) || (trace == Trace::No && !proof);
        Offer::direct(Fit::Fair).filter(|_| simple && !outer_model)
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        let answer = |problem: &Problem, wanted: &Wanted, options: &Options, control: &Control| {
            answer(problem, wanted, options, control).unwrap_or_else(Answer::stopped)
        };
        Box::new(Afresh { options: options.clone(), answer })
    }
}

/// Whether it is a set colouring game in the narrow sense: both players may colour everything, and one of them wins.
fn is_plain(game: &Colouring) -> bool {
    game.weights().is_none() && !game.is_restricted() && game.rule == Rule::Any
}

/// What MAX gets, as a verdict: of a score what the player to move gets.
pub(super) fn verdict(game: &Colouring, value: i64) -> Verdict {
    match (game.weights(), game.mover().unwrap_or(game.turn)) {
        (None, _) => Verdict::from(value > 0),
        (Some(_), Player::Max) => Verdict::Value(value),
        (Some(_), Player::Min) => Verdict::Value(-value),
    }
}

fn answer(problem: &Problem, wanted: &Wanted, options: &Options, control: &Control) -> Result<Answer, StopReason> {
    let Problem::Colouring(game) = problem else {
        return Err(StopReason::Unsupported("not a game with colours".to_owned()));
    };
    if is_plain(game) {
        return searched(game, wanted, control);
    }
    if game.weights().is_some() && game.has_truth_values() && !game.is_restricted() && game.domains().next().is_none() {
        return by_thresholds(game, wanted, options, control);
    }
    let mut plain = Plain::new(game, control)?;
    let found = plain.solve(wanted.all_moves)?;
    let mut answer = Answer::new(verdict(game, found.value));
    let kept = game.weights().is_some() || answer.verdict.winner() == game.mover();
    answer.moves = if kept { found.moves } else { Vec::new() };
    answer.statistics.add("nodes", plain.nodes());
    Ok(answer)
}

fn searched(game: &Colouring, wanted: &Wanted, control: &Control) -> Result<Answer, StopReason> {
    let mut search = Search::new(game, control)?;
    let found = search.solve(wanted.all_moves)?;
    let mut answer = Answer::new(found.winner.into());
    answer.moves = found.moves;
    answer.trace = (wanted.trace != Trace::No).then_some(found.trace);
    if let (Trace::Small, Some(trace)) = (wanted.trace, &mut answer.trace) {
        match search.shrink(found.winner, trace) {
            Ok(smaller) => *trace = smaller,
            Err(reason) => answer.missing = Some(reason),
        }
    }
    if wanted.proof {
        match search.strategy() {
            Ok(strategy) => answer.proof = Some(Proof::Strategy(strategy)),
            Err(reason) => answer.missing = Some(reason),
        }
    }
    answer.statistics.add("nodes", search.nodes());
    Ok(answer)
}

/// The score of a two-coloured game: for each amount a game with two outcomes.
fn by_thresholds(
    game: &Colouring,
    wanted: &Wanted,
    options: &Options,
    control: &Control,
) -> Result<Answer, StopReason> {
    let weights = game.weights().unwrap_or_default();
    let asked = Wanted { all_moves: wanted.all_moves, ..Wanted::default() };
    let mut questions = 0;
    let mut reaches = |amount: i64| -> Result<Answer, StopReason> {
        questions += 1;
        let problem = Problem::Game(threshold_game(game, amount)?);
        let options = Options { engine: None, ..options.clone() };
        let question = Question { problem: &problem, wanted: &asked };
        ask(&question, &options, control).map_err(|refusal| StopReason::Unsupported(refusal.to_string()))
    };
    let least: i64 = weights.iter().map(|&weight| weight.min(0)).sum();
    let most: i64 = weights.iter().map(|&weight| weight.max(0)).sum();
    // Everything up to `low` is reached, nothing from `high` on.
    let (mut low, mut high) = (least, most + 1);
    let (mut reached, mut missed): (Option<Answer>, Option<Answer>) = (None, None);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let found = reaches(middle)?;
        match found.verdict.winner() {
            Some(Player::Max) => (low, reached) = (middle, Some(found)),
            Some(Player::Min) => (high, missed) = (middle, Some(found)),
            None => return Err(found.stop.unwrap_or(StopReason::Interrupted)),
        }
    }
    let mut answer = Answer::new(verdict(game, low));
    // MAX keeps the score with moves that reach it, MIN with moves after which no more is reached. If a bound was never asked
    // for, every move will do.
    let keeper = if game.turn == Player::Max { reached } else { missed };
    answer.moves = match keeper {
        Some(found) => found.moves.iter().map(|lit| game.atom(lit.var(), usize::from(lit.is_negative()))).collect(),
        None => {
            let mut moves = game.moves();
            moves.truncate(if wanted.all_moves { usize::MAX } else { 1 });
            moves
        }
    };
    answer.statistics.add("thresholds", questions);
    Ok(answer)
}

//! Games with more colours than two, with elements for one player alone, or with a score, see [`gamesat_games::colours`]. The
//! score of a two-coloured game is found by asking the engines of such games whether MAX reaches one amount after the other.

use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, StopReason, Trace, Verdict, Wanted, ask};
use gamesat_core::formula::{Colouring, Lit, Player, Proof, Rule, Var};
use gamesat_core::problem::Problem;
use gamesat_encode::threshold_game;
use gamesat_games::colours::{Plain, Search};
use rustc_hash::FxHashSet;

/// Of elements on which nothing depends at most this many moves are added in other colours.
const LISTED: usize = 1 << 16;

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
    answer.missing = found.unlisted;
    answer.statistics.add("nodes", plain.nodes());
    Ok(answer)
}

fn searched(game: &Colouring, wanted: &Wanted, control: &Control) -> Result<Answer, StopReason> {
    let mut search = Search::new(game, control)?;
    let found = search.solve(wanted.all_moves)?;
    let mut answer = Answer::new(found.winner.into());
    (answer.moves, answer.more_moves, answer.missing) = (found.moves, found.omitted, found.unlisted);
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
    let options = Options { engine: None, ..options.clone() };
    let mut reaches = |game: &Colouring, amount: i64, wanted: &Wanted| -> Result<Answer, StopReason> {
        questions += 1;
        let problem = Problem::Game(threshold_game(game, amount)?);
        ask(&Question { problem: &problem, wanted }, &options, control)
            .map_err(|refusal| StopReason::Unsupported(refusal.to_string()))
    };
    let least: i64 = weights.iter().map(|&weight| weight.min(0)).sum();
    let most: i64 = weights.iter().map(|&weight| weight.max(0)).sum();
    // Everything up to `low` is reached, nothing from `high` on.
    let (mut low, mut high) = (least, most + 1);
    let (mut reached, mut missed): (Option<Answer>, Option<Answer>) = (None, None);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let found = reaches(game, middle, &asked)?;
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
    match keeper {
        Some(found) => {
            let atom = |lit: &Lit| game.atom(lit.var(), usize::from(lit.is_negative()));
            (answer.moves, answer.missing) = (found.moves.iter().map(atom).collect(), found.missing);
            if wanted.all_moves {
                let amount = if game.turn == Player::Max { low } else { high };
                let keeps = |after: &Colouring| winner_of(reaches(after, amount, &Wanted::default())?);
                in_every_colour(game, &mut answer, keeps);
            }
        }
        None => {
            answer.moves = game.moves();
            answer.moves.truncate(if wanted.all_moves { usize::MAX } else { 1 });
        }
    }
    answer.statistics.add("thresholds", questions);
    Ok(answer)
}

/// The winner that an answer names, or why it names none.
pub(super) fn winner_of(answer: Answer) -> Result<Player, StopReason> {
    answer.verdict.winner().ok_or_else(|| answer.stop.unwrap_or(StopReason::Interrupted))
}

/// Completes a list of winning moves that has one colour at least of each element in which some colour wins: every other colour
/// of these elements is tried, except where nothing depends on it. `winner` says who wins after a move.
pub(super) fn in_every_colour(
    game: &Colouring,
    answer: &mut Answer,
    mut winner: impl FnMut(&Colouring) -> Result<Player, StopReason>,
) {
    let Some(mover) = game.mover() else { return };
    let occurring: FxHashSet<Var> = game.rows().lits().iter().map(|&lit| game.element(lit)).collect();
    let listed: FxHashSet<Lit> = answer.moves.iter().copied().collect();
    let mut elements: Vec<Var> = answer.moves.iter().map(|&atom| game.element(atom)).collect();
    elements.sort_unstable();
    elements.dedup();
    let choices = |element: Var| {
        let mask = game.choices(mover, element);
        (0..game.colours()).filter(move |&colour| mask >> colour & 1 != 0)
    };
    if answer.more_moves > 0 {
        let left = game.free().filter(|var| !occurring.contains(var) && elements.binary_search(var).is_err());
        answer.more_moves = left.map(|var| choices(var).count()).sum();
    }
    let mut dead = 0;
    for element in elements {
        for atom in choices(element).map(|colour| game.atom(element, colour)) {
            if listed.contains(&atom) {
                continue;
            }
            if !occurring.contains(&element) {
                if dead < LISTED {
                    answer.moves.push(atom);
                } else {
                    answer.more_moves += 1;
                }
                dead += 1;
                continue;
            }
            let mut after = game.clone();
            after.make_move(atom).unwrap_or_else(|_| unreachable!("the mover may choose this colour"));
            match winner(&after) {
                Ok(winner) if winner == mover => answer.moves.push(atom),
                Ok(_) => {}
                Err(reason) => answer.missing = answer.missing.take().or(Some(reason)),
            }
        }
    }
    answer.moves.sort_unstable();
}

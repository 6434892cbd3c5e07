//! The class of a game: who wins whoever starts, without and with a dead element beside it, and by which forms.

use super::factor::{Found, canonical_form};
use crate::solve::{Options, Question, Wanted, ask};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Colouring, Game, Lit, Player, Rule, Var};
use gamesat_core::problem::Problem;
use gamesat_core::rules::Board;
use gamesat_encode::{Rows, Target, lower};
use gamesat_games::theory::canonical::{CanonicalForm, Outcome, coloured};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a game is.
#[derive(Clone, Debug)]
pub struct Classification {
    /// Who wins, as it stands.
    pub outcome: Result<Outcome, StopReason>,
    /// Who wins with one dead element more.
    pub with_star: Result<Outcome, StopReason>,
    /// Its canonical form.
    pub form: Found,
    /// The form after every move, if its own is known; one element stands for all that are outside the formula.
    pub options: Vec<(Lit, Found)>,
}

impl Classification {
    /// What a form says; without one nothing is known yet.
    fn of(form: Found) -> Self {
        let (outcome, with_star) = match form {
            Found::Form(form) => (Ok(form.outcome()), Ok(form.with_star().outcome())),
            _ => (Err(StopReason::Interrupted), Err(StopReason::Interrupted)),
        };
        Classification { outcome, with_star, form, options: Vec::new() }
    }
}

/// Classifies a game or a board. The player to move does not matter.
///
/// # Errors
/// The problem is no set colouring game (as text), or the run was to stop before anything was known.
pub fn classify(problem: &Problem, options: &Options, control: &Control) -> Result<Classification, StopReason> {
    let game = match problem {
        Problem::Game(game) => Some(game.clone()),
        Problem::Board(board) if board.has_plies() || board.is_race() => {
            return Err(unsupported("a race or a game of bounded length has no class: it ends with the first goal"));
        }
        Problem::Board(board) => {
            let few = board.free().count() <= gamesat_games::theory::canonical::MOST_ELEMENTS;
            few.then(|| rows_of(problem, control)).transpose()?
        }
        Problem::Colouring(game) => return classify_colouring(game, options, control),
        Problem::Sequential(_) => return Err(unsupported("a sequential game has no class")),
        _ => return Err(unsupported("a quantified formula is no game")),
    };
    let form = match &game {
        Some(game) => canonical_form(game, control)?,
        None => Found::TooLarge(match problem {
            Problem::Board(board) => board.free().count(),
            _ => 0,
        }),
    };
    let mut result = Classification::of(form);
    if let Found::Form(_) = form {
        if let Some(game) = &game {
            result.options = moves(game, control)?;
        }
        return Ok(result);
    }
    match problem {
        // On a board nobody is hurt by a stone: the star changes nothing.
        Problem::Board(board) => {
            result.outcome = board_outcome(board, options, control)?;
            result.with_star = result.outcome.clone();
        }
        _ => {
            let game = game.unwrap_or_else(|| unreachable!("formulas are games"));
            result.outcome = game_outcome(&game, 0, options, control)?;
            result.with_star = game_outcome(&game, 1, options, control)?;
        }
    }
    Ok(result)
}

/// Classifies a game with any number of colours: by its form, if all its positions can be tabulated, otherwise by search.
fn classify_colouring(game: &Colouring, options: &Options, control: &Control) -> Result<Classification, StopReason> {
    if game.weights().is_some() || game.is_restricted() || game.rule == Rule::Own {
        return Err(unsupported("a game with a score or restricted elements has no class"));
    }
    let form = match coloured_form(game, control)? {
        Some(form) => Found::Form(form),
        None => Found::TooLarge(game.uncoloured()),
    };
    let mut result = Classification::of(form);
    if let Found::Form(_) = form {
        return Ok(result);
    }
    let solved = |stars: usize| -> Solved {
        let first = |player: Player| {
            let mut game = game.clone();
            game.add_stars(stars).map_err(|error| StopReason::Unsupported(error.to_string()))?;
            game.turn = player;
            winner(&Problem::Colouring(game), options, control)
        };
        Ok(both([first(Player::Max)?, first(Player::Min)?]))
    };
    result.outcome = solved(0)?;
    result.with_star = solved(1)?;
    Ok(result)
}

/// The canonical form of a game with any number of colours, all positions tabulated; `None` if there are too many of them, or
/// the form is none of the sixteen.
fn coloured_form(game: &Colouring, control: &Control) -> Result<Option<CanonicalForm>, StopReason> {
    let played: FxHashMap<Var, usize> = game.played().iter().map(|&a| (game.element(a), game.colour(a))).collect();
    if game.uncoloured() > gamesat_games::theory::canonical::MOST_ELEMENTS {
        return Ok(None);
    }
    let free: Vec<Var> = game.free().collect();
    let colours: Vec<Vec<usize>> =
        free.iter().map(|&var| (0..game.colours()).filter(|&c| game.domain(var) >> c & 1 != 0).collect()).collect();
    let counts: Vec<usize> = colours.iter().map(Vec::len).collect();
    let worth = |colouring: &[usize]| {
        let colour = |var: Var| {
            let place = free.iter().position(|&other| other == var);
            place.map(|place| colours[place][colouring[place]]).or_else(|| played.get(&var).copied())
        };
        game.worth(colour) > 0
    };
    coloured(&counts, worth, control)
}

fn unsupported(why: &str) -> StopReason {
    StopReason::Unsupported(why.to_owned())
}

/// The board as a game.
pub(super) fn rows_of(problem: &Problem, control: &Control) -> Result<Game, StopReason> {
    let lowered = lower(problem, Target::Rows(Rows::default()), control).map_err(|error| match error {
        gamesat_encode::EncodeError::Stopped(reason) => reason,
        error => StopReason::Unsupported(error.to_string()),
    })?;
    match lowered.problem {
        Problem::Game(game) => Ok(game),
        _ => Err(unsupported("this is no set colouring game")),
    }
}

/// The winner of a problem, or why there is none.
fn winner(problem: &Problem, options: &Options, control: &Control) -> Result<Result<Player, StopReason>, StopReason> {
    let question = Question { problem, wanted: &Wanted::default() };
    let answer = ask(&question, options, control).map_err(|refusal| StopReason::Unsupported(refusal.to_string()))?;
    Ok(answer.verdict.winner().ok_or_else(|| answer.stop.unwrap_or(StopReason::Interrupted)))
}

fn both(winners: [Result<Player, StopReason>; 2]) -> Result<Outcome, StopReason> {
    let [max, min] = winners;
    Ok(Outcome::new(max?, min?))
}

type Solved = Result<Result<Outcome, StopReason>, StopReason>;

fn board_outcome(board: &Board, options: &Options, control: &Control) -> Solved {
    let first = |player: Player| {
        let mut board = board.clone();
        board.turn = if player == Player::Max { board.max } else { !board.max };
        winner(&Problem::Board(board), options, control)
    };
    Ok(both([first(Player::Max)?, first(Player::Min)?]))
}

fn game_outcome(game: &Game, stars: usize, options: &Options, control: &Control) -> Solved {
    let first = |player: Player| {
        let mut game = game.clone();
        game.add_stars(stars);
        game.turn = player;
        winner(&Problem::Game(game), options, control)
    };
    Ok(both([first(Player::Max)?, first(Player::Min)?]))
}

/// The form after each move that some player may make.
fn moves(game: &Game, control: &Control) -> Result<Vec<(Lit, Found)>, StopReason> {
    let mut occurring: FxHashSet<Var> = match game.matrix() {
        gamesat_core::formula::GameMatrix::Cnf(rows) | gamesat_core::formula::GameMatrix::Dnf(rows) => {
            rows.lits().iter().map(|lit| lit.var()).collect()
        }
        gamesat_core::formula::GameMatrix::Circuit(circuit) => (0..circuit.inputs()).map(Var::from_index).collect(),
    };
    game.played().iter().for_each(|lit| {
        occurring.remove(&lit.var());
    });
    let played: FxHashSet<Var> = game.played().iter().map(|lit| lit.var()).collect();
    let mut elements: Vec<Var> = occurring.iter().copied().collect();
    elements.sort_unstable();
    let star = (0..game.elements()).map(Var::from_index).find(|var| !occurring.contains(var) && !played.contains(var));
    let mut result = Vec::new();
    for var in elements.into_iter().chain(star) {
        for colour in [true, false] {
            let mut after = game.clone();
            if after.play(&[var.lit(colour)]).is_ok() {
                result.push((var.lit(colour), canonical_form(&after, control)?));
            }
        }
    }
    Ok(result)
}

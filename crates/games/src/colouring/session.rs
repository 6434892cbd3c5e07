//! A game that is asked about again and again: what was prepared and found out stays, moves are made and taken back.
//!
//! Preparation chooses the width of the masks once, so a session hides one of a few sizes behind a common face.

use super::circuit_search::CircuitSearch;
use super::knowledge::Knowledge;
use super::position::{Move, Position};
use super::prepare::Prepared;
use super::shrink::shrink_trace;
use super::threads::Place;
use crate::options::GameOptions;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Game, GameError, Lit, Player, Strategy, Var};
use gamesat_core::statistics::Statistics;
use std::fmt;

/// What is asked about a position. The default asks for the winner, one winning move and some trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// Every winning move, not just one.
    pub all_moves: bool,
    /// The winner's strategy.
    pub strategy: bool,
    /// A trace from which no element can be given away.
    pub shrink_trace: bool,
}

/// An answer about a position.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Who wins.
    pub winner: Player,
    /// Winning moves of the player to move: one, or all if they were asked for.
    pub moves: Vec<Lit>,
    /// How many winning moves are not listed, if all were asked for: in further elements outside the formula, in the
    /// mover's colour, each as good as those that are listed.
    pub omitted: usize,
    /// Why there may be more winning moves than these, though all were asked for.
    pub unlisted: Option<StopReason>,
    /// A line of best play.
    pub variation: Vec<Lit>,
    /// Elements that suffice for the winner.
    pub trace: Vec<Var>,
    /// The winner's strategy, if it was asked for, or the reason why it could not be completed.
    pub strategy: Option<Result<Strategy, StopReason>>,
    /// Why the trace is not as small as was asked for.
    pub unshrunk: Option<StopReason>,
    /// What was counted.
    pub statistics: Statistics,
}

/// A game with everything that was prepared and found out about it.
pub struct Session {
    /// The position, in the game's own literals.
    game: Game,
    /// Colours that were played before the session began.
    given: usize,
    options: GameOptions,
    kept: Box<dyn Kept>,
}

/// What is kept of a game, whatever the width of its masks.
pub(super) trait Kept: Send {
    fn play(&mut self, lit: Lit);
    fn undo(&mut self);
    fn answer(
        &mut self,
        game: &Game,
        question: Question,
        options: &GameOptions,
        control: &Control,
    ) -> Result<Answer, StopReason>;
}

impl Session {
    /// Prepares a game.
    ///
    /// # Errors
    /// The reason to stop before it was prepared.
    pub fn new(game: &Game, options: &GameOptions, control: &Control) -> Result<Self, StopReason> {
        let kept = match by_masks(game, options, control) {
            Err(StopReason::Unsupported(_)) => return Self::by_circuit(game, options),
            kept => kept?,
        };
        Ok(Self::with(game, options, kept))
    }

    /// A session that searches the formula as it stands: what [`new`](Self::new) does where rows are too many or too wide.
    ///
    /// # Errors
    /// The formula is too large.
    pub fn by_circuit(game: &Game, options: &GameOptions) -> Result<Self, StopReason> {
        Ok(Self::with(game, options, Box::new(CircuitSearch::new(game, options)?)))
    }

    fn with(game: &Game, options: &GameOptions, kept: Box<dyn Kept>) -> Self {
        Session { game: game.clone(), given: game.played().len(), options: options.clone(), kept }
    }

    /// The position.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The player to move colours an element, inside the formula or outside it.
    ///
    /// # Errors
    /// There is no such element, it is coloured already, or the rule forbids the colour.
    pub fn play(&mut self, lit: Lit) -> Result<(), GameError> {
        if !self.game.rule.allows(self.game.turn, lit.is_positive()) {
            return Err(GameError::Forbidden(lit, self.game.turn));
        }
        self.game.play(&[lit])?;
        self.game.turn = !self.game.turn;
        self.kept.play(lit);
        Ok(())
    }

    /// Takes the last move of the session back, and says which it was.
    pub fn undo(&mut self) -> Option<Lit> {
        if self.game.played().len() == self.given {
            return None;
        }
        self.kept.undo();
        self.game.turn = !self.game.turn;
        self.game.take_back()
    }

    /// Answers a question about the position.
    ///
    /// # Errors
    /// The reason why there is no answer.
    pub fn solve(&mut self, question: Question, control: &Control) -> Result<Answer, StopReason> {
        let mut answer = self.kept.answer(&self.game, question, &self.options, control)?;
        if question.shrink_trace {
            // Out of time for that is no reason to forget the winner.
            answer.unshrunk = shrink_trace(&self.game, &mut answer, &self.options, control).err();
        }
        Ok(answer)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("game", &self.game).finish_non_exhaustive()
    }
}

/// Solves a game once.
///
/// # Errors
/// The reason why there is no answer.
pub fn solve(game: &Game, all_moves: bool, options: &GameOptions, control: &Control) -> Result<Answer, StopReason> {
    Session::new(game, options, control)?.solve(Question { all_moves, ..Question::default() }, control)
}

/// Solves a game once and plays its winner's strategy out, or says why that could not be completed.
///
/// # Errors
/// The reason why there is no answer.
pub fn solve_with_strategy(
    game: &Game,
    all_moves: bool,
    options: &GameOptions,
    control: &Control,
) -> Result<(Answer, Result<Strategy, StopReason>), StopReason> {
    let question = Question { all_moves, strategy: true, ..Question::default() };
    let mut answer = Session::new(game, options, control)?.solve(question, control)?;
    let strategy = answer.strategy.take().unwrap_or_else(|| unreachable!("it was asked for"));
    Ok((answer, strategy))
}

/// A game whose rows are masks of `W` words.
struct Masks<const W: usize> {
    prepared: Prepared,
    position: Position<W>,
    known: Knowledge<W>,
}

/// Rows as masks of the width that they need.
fn by_masks(game: &Game, options: &GameOptions, control: &Control) -> Result<Box<dyn Kept>, StopReason> {
    let prepared = Prepared::new(game, options, control)?;
    match prepared.words() {
        0..=1 => masks::<1>(prepared, options, control),
        2 => masks::<2>(prepared, options, control),
        3..=8 => masks::<8>(prepared, options, control),
        9..=256 => masks::<256>(prepared, options, control),
        _ => {
            let what = format!("{} elements are too many for bit masks", prepared.elements.len());
            Err(StopReason::Unsupported(what))
        }
    }
}

fn masks<const W: usize>(
    prepared: Prepared,
    options: &GameOptions,
    control: &Control,
) -> Result<Box<dyn Kept>, StopReason> {
    let position = prepared.position::<W>(options, control)?;
    let known = Knowledge::new(&position, options);
    Ok(Box::new(Masks { prepared, position, known }))
}

impl<const W: usize> Kept for Masks<W> {
    fn play(&mut self, lit: Lit) {
        // An element outside the formula is as good as another.
        let choice = self.prepared.choice(lit).unwrap_or(Move::Pass);
        self.position.push();
        self.position.play(choice);
    }

    fn undo(&mut self) {
        self.position.pop();
    }

    fn answer(
        &mut self,
        game: &Game,
        question: Question,
        options: &GameOptions,
        control: &Control,
    ) -> Result<Answer, StopReason> {
        let place = Place { game, prepared: &self.prepared, question, options, control };
        place.answer(&mut self.position, &mut self.known)
    }
}

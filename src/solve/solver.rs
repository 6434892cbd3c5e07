//! A solver that people hold: a problem that can be changed, and answers about it as it is.
//!
//! Between questions it keeps the lowered problem and the engine at work, with its table and whatever it has learnt; a
//! move on a game or a board is followed by the engine where it can. Clauses and blocks that are added, assumptions and levels
//! of [`push`](Solver::push) are for quantified formulas. [With memory](Solver::with_memory), from the second question
//! about a formula on, a search that keeps what it has learnt tries first; what it does not decide at once is answered afresh.
//!
//! ```
//! use gamesat::Problem;
//! use gamesat::solve::{Solver, Verdict};
//!
//! let mut solver = Solver::new(gamesat::parse("hex 3\n")?);
//! assert_eq!(solver.solve()?.verdict, Verdict::True);
//! solver.play_named("a1")?;
//! assert_eq!(solver.solve()?.verdict, Verdict::False);
//! solver.undo();
//! assert_eq!(solver.moves()?.len(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::ask::{Work, stamped};
use super::assumptions::Assumptions;
use super::choose::{Refusal, choose};
use super::followed::Followed;
use super::{Answer, Control, Interrupt, Limits, Options, Question, StopReason, Wanted, theorem};
use gamesat_core::formula::{
    ColouringError, GameError, Lit, Player, PrefixError, Proof, Qbf, QuantifiedCircuit, Quantifier, Var,
};
use gamesat_core::problem::Problem;
use gamesat_core::rules::sequential::{MoveError, Sequential};
use gamesat_core::rules::{BoardError, Played};
use std::sync::Arc;

/// Why a solver's problem cannot be changed in this way, or a question cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// No engine answers the question.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// This is for quantified formulas in clauses.
    #[error("only a quantified formula in clauses has {0}")]
    NotAFormula(&'static str),
    /// This is for games and boards.
    #[error("only games and boards have moves")]
    NotAGame,
    /// There is no element of this name.
    #[error("there is no element '{0}'")]
    NoSuchElement(String),
    /// The rules do not allow the player to move to use this colour.
    #[error("{0} may not play {1}")]
    WrongColour(Player, Lit),
    /// The element cannot be coloured.
    #[error("{0}")]
    Game(#[from] GameError),
    /// The element cannot get this colour.
    #[error("{0}")]
    Colouring(#[from] ColouringError),
    /// The element cannot be taken.
    #[error("{0}")]
    Board(#[from] BoardError),
    /// The move cannot be made.
    #[error("{0}")]
    Move(#[from] MoveError),
    /// A limit was reached.
    #[error("{0}")]
    Stopped(StopReason),
    /// A variable cannot be bound.
    #[error("{0}")]
    Prefix(#[from] PrefixError),
    /// A literal of a variable that is not bound in the formula's outermost block.
    #[error("variable {0} is not in the outermost block")]
    NotOutermost(Var),
}

/// Whoever reads what the solver is doing.
type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// Holds a problem and answers questions about it.
pub struct Solver {
    problem: Problem,
    options: Options,
    limits: Limits,
    interrupt: Interrupt,
    log: Option<Log>,
    /// The engine at work, if the problem has not changed in a way that it could not follow.
    work: Option<Work>,
    /// What is kept between questions about a quantified formula.
    followed: Followed,
    /// Number of clauses at each open level.
    levels: Vec<usize>,
    assumptions: Vec<Lit>,
    /// How each move is taken back.
    moves: Vec<Taken>,
}

/// How a move is taken back.
enum Taken {
    /// A game knows it.
    Game,
    /// A game with colours knows it, but not whose turn it was.
    Colouring(Player),
    /// By what a board has noted.
    Board(Played),
    /// By the position before it.
    Sequential(Box<Sequential>),
}

impl Solver {
    /// A solver for this problem, with the usual options and no limits.
    pub fn new(problem: Problem) -> Self {
        Solver {
            problem,
            options: Options::default(),
            limits: Limits::default(),
            interrupt: Interrupt::new(),
            log: None,
            work: None,
            followed: Followed::default(),
            levels: Vec::new(),
            assumptions: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// The same solver with these options.
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self.work = None;
        self
    }

    /// The same solver with limits on each answer.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same solver, keeping what it learns about a quantified formula from one question to the next.
    pub fn with_memory(mut self) -> Self {
        self.followed.is_on = true;
        self
    }

    /// Changes the limits on each answer.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// The same solver, telling what it does, line by line.
    pub fn with_log(mut self, log: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.log = Some(Arc::new(log));
        self
    }

    /// The problem as it is now.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// A handle by which any thread can stop the answer that is under way. It stays triggered until
    /// [`resume`](Self::resume).
    pub fn interrupt_handle(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// Forgets an interrupt, so that questions are answered again. Handles given out before act no more.
    pub fn resume(&mut self) {
        self.interrupt = Interrupt::new();
    }

    /// The verdict.
    ///
    /// # Errors
    /// No engine treats the problem.
    pub fn solve(&mut self) -> Result<Answer, SolverError> {
        self.ask(&Wanted::default())
    }

    /// Every winning move of the player to move.
    ///
    /// # Errors
    /// The problem has no moves, or no engine lists them.
    pub fn moves(&mut self) -> Result<Vec<Lit>, SolverError> {
        Ok(self.ask(&Wanted::default().and_all_moves())?.moves)
    }

    /// Every winning choice of a quantified formula's outermost block, as cubes: all completions of a cube win, and no two cubes
    /// share one. If the block is existential these are its models, and there are none if the formula is false; if it is
    /// universal they are its countermodels, and there are none if the formula is true.
    ///
    /// # Errors
    /// The problem is no quantified formula, or a limit was reached before all were found.
    pub fn outer_models(&mut self) -> Result<Vec<Vec<Lit>>, SolverError> {
        let answer = self.ask(&Wanted::default().and_all_models())?;
        match answer.stop.or(answer.missing) {
            Some(reason) => Err(SolverError::Stopped(reason)),
            None => Ok(answer.outer_models.unwrap_or_default()),
        }
    }

    /// A proof of the verdict, for [`check::verify`](gamesat_check::verify); `None` if none was found within the limits.
    ///
    /// # Errors
    /// No engine proves verdicts of such a problem.
    pub fn proof(&mut self) -> Result<Option<Proof>, SolverError> {
        Ok(self.ask(&Wanted::default().and_proof())?.proof)
    }

    /// The verdict and what else is wanted. Assumptions hold for this one question.
    ///
    /// # Errors
    /// No engine answers such a question.
    pub fn ask(&mut self, wanted: &Wanted) -> Result<Answer, SolverError> {
        let mut control = Control::new(self.limits, self.interrupt.clone());
        if let Some(log) = self.log.clone() {
            control = control.with_log(move |line| log(line));
        }
        let assumptions = Assumptions::new(std::mem::take(&mut self.assumptions));
        if let Problem::Qbf(qbf) = &self.problem {
            let levels = &self.levels;
            if let Some(answer) = self.followed.answer(qbf, levels, &assumptions, wanted, &self.options, &control) {
                return Ok(assumptions.add_to(answer, qbf));
            }
            if !assumptions.is_empty() {
                let problem = Problem::Qbf(assumptions.fill_in(qbf));
                let answer = super::ask(&Question { problem: &problem, wanted }, &self.options, &control)?;
                return Ok(assumptions.add_to(answer, qbf));
            }
        }
        let question = Question { problem: &self.problem, wanted };
        let (engine, offer) = choose(&question, self.options.engine.as_deref())?;
        if !self.work.as_ref().is_some_and(|work| work.is(engine, offer)) {
            match Work::begin(&self.problem, engine, offer, &self.options, &control) {
                Ok(work) => self.work = Some(work),
                Err(reason) => {
                    let answer = theorem::instead(&self.problem, wanted, &self.options, Answer::stopped(reason));
                    return Ok(stamped(answer, engine, &control));
                }
            }
        }
        Ok(match &mut self.work {
            Some(work) => work.answer(&self.problem, wanted, &control),
            None => Answer::stopped(StopReason::Interrupted),
        })
    }

    /// Lets literals of the outermost block be true in the next answer and no longer. The numbering stays, and so does the
    /// block: its models have the assumed variables with their assumed values. Assumptions that contradict each other make
    /// the formula false, and no choice of the block agrees with them.
    ///
    /// # Errors
    /// The problem is no formula, or a variable is not in its outermost block.
    pub fn assume(&mut self, lits: &[Lit]) -> Result<(), SolverError> {
        if !matches!(self.problem, Problem::Qbf(_)) {
            return Err(SolverError::NotAFormula("assumptions"));
        }
        let outer = self.outermost();
        if let Some(lit) = lits.iter().find(|lit| !outer.contains(&lit.var())) {
            return Err(SolverError::NotOutermost(lit.var()));
        }
        self.assumptions.extend_from_slice(lits);
        Ok(())
    }

    /// The variables of a formula's outermost block.
    fn outermost(&self) -> Vec<Var> {
        match &self.problem {
            Problem::Qbf(qbf) => qbf.prefix().blocks().next().map_or(Vec::new(), |block| block.vars.to_vec()),
            _ => Vec::new(),
        }
    }

    /// Adds a clause to a quantified formula. Variables that the prefix does not bind become outermost existentials.
    ///
    /// # Errors
    /// The problem is no formula in clauses.
    pub fn add_clause(&mut self, clause: &[Lit]) -> Result<(), SolverError> {
        self.add_clauses([clause])
    }

    /// Adds clauses to a quantified formula, as [`add_clause`](Self::add_clause) does one.
    ///
    /// # Errors
    /// The problem is no formula in clauses.
    pub fn add_clauses<'a>(&mut self, clauses: impl IntoIterator<Item = &'a [Lit]>) -> Result<(), SolverError> {
        let Problem::Qbf(qbf) = &mut self.problem else { return Err(SolverError::NotAFormula("clauses")) };
        let before = qbf.matrix().len();
        qbf.add_clauses(clauses);
        (before..qbf.matrix().len()).for_each(|index| self.followed.add_clause(&qbf.matrix()[index]));
        self.work = None;
        Ok(())
    }

    /// Binds new variables of a quantified formula: in a new innermost block, or in the innermost one if that has the same
    /// quantifier.
    ///
    /// # Errors
    /// The problem is no formula in clauses, or a variable is bound already.
    pub fn add_block(&mut self, quantifier: Quantifier, vars: &[Var]) -> Result<(), SolverError> {
        let Problem::Qbf(qbf) = &mut self.problem else { return Err(SolverError::NotAFormula("blocks")) };
        qbf.add_block(quantifier, vars)?;
        self.followed.add_block(quantifier, vars);
        self.work = None;
        Ok(())
    }

    /// Opens a level: [`pop`](Self::pop) removes the clauses that are added from now on.
    ///
    /// # Errors
    /// The problem is no formula in clauses.
    pub fn push(&mut self) -> Result<(), SolverError> {
        let Problem::Qbf(qbf) = &self.problem else { return Err(SolverError::NotAFormula("levels")) };
        self.levels.push(qbf.matrix().len());
        self.followed.push();
        Ok(())
    }

    /// Closes the innermost level. False if none is open.
    pub fn pop(&mut self) -> bool {
        let (Some(clauses), Problem::Qbf(qbf)) = (self.levels.pop(), &mut self.problem) else { return false };
        qbf.truncate(clauses);
        self.followed.pop();
        self.work = None;
        true
    }

    /// Lets the player to move colour an element; on a board, take it.
    ///
    /// # Errors
    /// There are no moves, the element cannot be coloured, or not in this colour.
    pub fn play(&mut self, lit: Lit) -> Result<(), SolverError> {
        match &mut self.problem {
            Problem::Game(game) => {
                if !game.rule.allows(game.turn, lit.is_positive()) {
                    return Err(SolverError::WrongColour(game.turn, lit));
                }
                game.play(&[lit])?;
                game.turn = !game.turn;
                self.moves.push(Taken::Game);
            }
            Problem::Colouring(game) => {
                let turn = game.turn;
                game.make_move(lit)?;
                self.moves.push(Taken::Colouring(turn));
            }
            Problem::Board(board) => {
                let mover = board.player(board.turn);
                if (mover == Player::Max) != lit.is_positive() {
                    return Err(SolverError::WrongColour(mover, lit));
                }
                self.moves.push(Taken::Board(board.play(lit.var().index())?));
            }
            Problem::Sequential(game) => {
                let before = Box::new(game.clone());
                let mv = u16::try_from(lit.var().index()).unwrap_or(u16::MAX);
                if !game.moves().contains(&mv) {
                    return Err(MoveError::Illegal(lit.var().to_string()).into());
                }
                game.play(mv);
                self.moves.push(Taken::Sequential(before));
            }
            _ => return Err(SolverError::NotAGame),
        }
        if !self.work.as_mut().is_none_or(|work| work.play(lit)) {
            self.work = None;
        }
        Ok(())
    }

    /// [`play`](Self::play) with the name of an element in the mover's own colour, or `name=TRUE`, `name=FALSE`.
    ///
    /// # Errors
    /// There is no such element, or it cannot be coloured so.
    pub fn play_named(&mut self, text: &str) -> Result<(), SolverError> {
        let (name, colour) = match text.split_once('=') {
            Some((name, "TRUE")) => (name, Some(true)),
            Some((name, "FALSE")) => (name, Some(false)),
            _ => (text, None),
        };
        let missing = || SolverError::NoSuchElement(name.to_owned());
        if let Problem::Sequential(game) = &mut self.problem {
            let before = Box::new(game.clone());
            game.play_named(text)?;
            self.moves.push(Taken::Sequential(before));
            self.work = None;
            return Ok(());
        }
        if let Problem::Colouring(game) = &self.problem {
            let atom = game.named_atom(text).ok_or_else(missing)?;
            return self.play(atom);
        }
        let (var, own) = match &self.problem {
            Problem::Game(game) => {
                let numbered = || name.parse().ok().filter(|&number| number > 0).map(Var::from_dimacs);
                (game.names.find(name).or_else(numbered).ok_or_else(missing)?, game.turn.colour())
            }
            Problem::Board(board) => {
                let element = board.find(name).ok_or_else(missing)?;
                (Var::from_index(element), board.player(board.turn).colour())
            }
            _ => return Err(SolverError::NotAGame),
        };
        self.play(var.lit(colour.unwrap_or(own)))
    }

    /// Takes the last move back. False if none was played.
    pub fn undo(&mut self) -> bool {
        let Some(played) = self.moves.pop() else { return false };
        match (&mut self.problem, played) {
            (Problem::Game(game), Taken::Game) => {
                game.take_back();
                game.turn = !game.turn;
            }
            (Problem::Colouring(game), Taken::Colouring(turn)) => {
                game.take_back();
                game.turn = turn;
            }
            (Problem::Board(board), Taken::Board(played)) => board.undo(played),
            (Problem::Sequential(game), Taken::Sequential(before)) => *game = *before,
            _ => {}
        }
        if !self.work.as_mut().is_none_or(Work::undo) {
            self.work = None;
        }
        true
    }
}

impl From<Qbf> for Solver {
    fn from(qbf: Qbf) -> Self {
        Solver::new(Problem::Qbf(qbf))
    }
}

impl From<QuantifiedCircuit> for Solver {
    fn from(circuit: QuantifiedCircuit) -> Self {
        Solver::new(Problem::Circuit(circuit))
    }
}

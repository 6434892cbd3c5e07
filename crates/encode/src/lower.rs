//! The one way from a problem to a simpler one, and back.
//!
//! A board with its sides, plies and claims becomes a game or a quantified formula, a game becomes rows or a quantified
//! formula, a circuit becomes clauses. No other place translates. What is found out about the simpler problem comes back
//! through the [`Lowered`] that was made: values of the outermost block, the first move, and proofs. Elements keep their
//! numbers from boards to games, so moves, traces and strategies need no way back there.

use super::board::{DEFAULT_LITERALS, Form, board_game, natural_form};
use super::error::EncodeError;
use super::qbf::{BoardFormula, Encoding, board_formula, connect_qbf, dots_qbf, game_qbf};
use super::sudoku::sudoku_cnf;
use super::tseitin::clausify;
use super::two_colours::{TwoColours, other_kind, two_colours};
use gamesat_core::control::Control;
use gamesat_core::formula::{
    Aig, ClauseArena, Colouring, Game, GameMatrix, Lit, Player, Proof, Qbf, QuantifiedCircuit, Var,
};
use gamesat_core::problem::Problem;
use gamesat_core::rules::Board;
use gamesat_core::rules::sequential::Sequential;
use gamesat_rows::normal;
use rustc_hash::FxHashMap;

/// What a problem can be lowered to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A game with rows.
    Rows(Rows),
    /// A quantified circuit, which is true exactly if MAX wins.
    Circuit(Plies),
    /// A quantified formula in clauses.
    Clauses(Plies),
}

/// How the plies of a game are written into a quantified formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plies {
    /// The encoding.
    pub encoding: Encoding,
    /// MAX must have won within this many plies, both players counted; `None` for the game as it is.
    pub depth: Option<usize>,
    /// Whether the formula shall be true exactly if the claimant of the board wins, who may be MIN, instead of MAX: the
    /// claimant's victory is the easier question. [`Lowered::verdict`] turns the answer round.
    pub as_claimed: bool,
    /// Dots-and-Boxes: the player to move must get so many of the coins that are left; `None` for more than half.
    pub threshold: Option<usize>,
}

/// Which rows a game shall have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The normal form; `None` for the one that is there, or that is easiest to make.
    pub form: Option<Form>,
    /// Of a form that is there already: whether repeated literals, tautologies and rows that contain another shall go.
    pub minimise: bool,
    /// The most rows that a normal form of a formula may have. (That of a board is bounded by its literals.)
    pub limit: usize,
}

impl Default for Rows {
    fn default() -> Self {
        Rows { form: None, minimise: false, limit: 1_000_000 }
    }
}

/// Whether a game with colours is a two-coloured one in disguise whose strategies have a way back.
pub fn carries_strategies(game: &Colouring) -> bool {
    two_colours(game).is_some_and(|(game, colours)| colours.carries_strategies(&game))
}

/// The next simpler kind for engines that do not treat the problem's own: clauses of a circuit, rows of a board, and the
/// clauses of a board whose plies are bounded or that is a race. `None` if there is no simpler one.
pub fn simpler(problem: &Problem) -> Option<Target> {
    match problem {
        Problem::Qbf(_) | Problem::Game(_) | Problem::Sequential(_) | Problem::Sudoku(_) => None,
        Problem::Colouring(game) => two_colours(game).map(|_| Target::Rows(Rows::default())),
        Problem::Circuit(_) => Some(Target::Clauses(Plies::default())),
        Problem::Board(board) if board.has_plies() => {
            Some(Target::Clauses(Plies { as_claimed: true, ..Plies::default() }))
        }
        Problem::Board(_) | Problem::Reordered(_) => Some(Target::Rows(Rows::default())),
    }
}

/// A problem in a simpler kind, and the way back.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The simpler problem.
    pub problem: Problem,
    /// The circuit's inputs, if it became clauses: variables from here on are new.
    inputs: Option<usize>,
    /// How the first move of a board stands in its formula.
    first: Option<FirstMove>,
    /// Whether the simpler problem is about MIN's victory.
    reversed: bool,
    /// What TRUE and FALSE stand for, if there were more colours.
    colours: Option<TwoColours>,
}

/// Where a formula says the first move of its board.
#[derive(Clone, Debug)]
struct FirstMove {
    /// Binary digits of its number, lowest first.
    number: Vec<Lit>,
    /// The elements by their numbers.
    elements: Vec<usize>,
}

/// Lowers a problem.
///
/// # Errors
/// The target cannot hold the problem, or not within its limits; or the run was to stop.
pub fn lower(problem: &Problem, target: Target, control: &Control) -> Result<Lowered, EncodeError> {
    match (problem, target) {
        (Problem::Board(board), Target::Rows(rows)) => {
            let form = rows.form.unwrap_or_else(|| natural_form(board));
            Ok(plain(Problem::Game(board_game(board, form, DEFAULT_LITERALS, control)?)))
        }
        (Problem::Game(game), Target::Rows(rows)) => Ok(plain(Problem::Game(game_rows(game, rows, control)?))),
        (Problem::Reordered(reordered), target @ Target::Rows(_)) => {
            let lowered = lower(reordered.game(), target, control)?;
            Ok(plain(Problem::Reordered(reordered.of(lowered.problem))))
        }
        (Problem::Reordered(_), _) => Err(EncodeError::NoEncoding("a game in another order of turns")),
        (Problem::Colouring(game), target) => {
            let (game, colours) = two_colours(game).ok_or_else(|| EncodeError::NoEncoding(other_kind(game)))?;
            let lowered = lower(&Problem::Game(game), target, control)?;
            Ok(Lowered { colours: Some(colours), ..lowered })
        }
        (Problem::Board(board), Target::Circuit(plies) | Target::Clauses(plies)) => {
            let bounded = plies.depth.map(|depth| board.clone().bounded(depth));
            let formula = board_formula(bounded.as_ref().unwrap_or(board), plies.encoding)?;
            let BoardFormula { circuit, first, elements, claimant } = formula;
            let of_min = claimant == Player::Min;
            let circuit = if of_min && !plies.as_claimed { circuit.negated() } else { circuit };
            let mut lowered = quantified(circuit, target);
            lowered.first = Some(FirstMove { number: first, elements });
            lowered.reversed = of_min && plies.as_claimed;
            Ok(lowered)
        }
        (Problem::Game(game), Target::Circuit(plies) | Target::Clauses(plies)) => {
            Ok(quantified(game_qbf(game, plies.encoding, plies.depth)?, target))
        }
        (Problem::Circuit(circuit), Target::Circuit(_) | Target::Clauses(_)) => Ok(quantified(circuit.clone(), target)),
        (Problem::Qbf(qbf), Target::Clauses(_)) => Ok(plain(Problem::Qbf(qbf.clone()))),
        (Problem::Qbf(_) | Problem::Circuit(_), _) => Err(EncodeError::NotAGame("a quantified formula")),
        (Problem::Sequential(Sequential::Connect(board)), Target::Circuit(plies) | Target::Clauses(plies)) => {
            Ok(quantified(connect_qbf(board, plies.depth)?, target))
        }
        (Problem::Sequential(Sequential::Dots(dots)), Target::Circuit(plies) | Target::Clauses(plies)) => {
            let left = dots.coins() - dots.taken();
            Ok(quantified(dots_qbf(dots, plies.threshold.unwrap_or(left / 2 + 1))?, target))
        }
        (Problem::Sudoku(sudoku), Target::Clauses(_)) => Ok(plain(Problem::Qbf(sudoku_cnf(sudoku)))),
        (Problem::Sudoku(_), _) => Err(EncodeError::NoEncoding("a Sudoku is a formula in clauses")),
        (Problem::Sequential(_), Target::Circuit(_) | Target::Clauses(_)) => {
            Err(EncodeError::NoEncoding("this sequential game"))
        }
        (Problem::Sequential(_), Target::Rows(_)) => Err(EncodeError::NotAGame("a sequential game")),
    }
}

fn plain(problem: Problem) -> Lowered {
    Lowered { problem, inputs: None, first: None, reversed: false, colours: None }
}

fn quantified(circuit: QuantifiedCircuit, target: Target) -> Lowered {
    match target {
        Target::Clauses(_) => {
            let inputs = Some(circuit.circuit().inputs());
            Lowered { problem: Problem::Qbf(clausify(&circuit)), inputs, first: None, reversed: false, colours: None }
        }
        _ => plain(Problem::Circuit(circuit)),
    }
}

impl Lowered {
    /// What a value of the simpler problem says about the original one: whether it is true, or MAX wins.
    pub fn verdict(&self, value: bool) -> bool {
        value != self.reversed
    }

    /// Values of the outermost block of the original formula, from those of the simpler one.
    pub fn outer_model(&self, values: Vec<Lit>) -> Vec<Lit> {
        let inputs = self.inputs.unwrap_or(usize::MAX);
        values.into_iter().filter(|lit| lit.var().index() < inputs).collect()
    }

    /// The first move on a board that values of the outermost block mean, if they are the mover's. A number that names
    /// nothing is a pass, which is never better than a move: then it is any free element. `None` if a value is missing or
    /// there is nothing to play.
    pub fn first_move(&self, board: &Board, values: &[Lit]) -> Option<usize> {
        let FirstMove { number, elements } = self.first.as_ref()?;
        let mut index = 0;
        for (bit, &lit) in number.iter().enumerate() {
            let value = values.iter().find(|value| value.var() == lit.var())?;
            index |= usize::from(value.is_positive()) << bit;
        }
        let named = elements.get(index).copied().filter(|&element| board.is_free(element));
        named.or_else(|| board.free().next())
    }

    /// Whether moves of the original problem are others than those of the simpler one.
    pub fn has_colours(&self) -> bool {
        self.colours.is_some()
    }

    /// The move of the original problem that a move of the simpler one stands for.
    pub fn choice(&self, lit: Lit) -> Lit {
        self.colours.as_ref().map_or(lit, |colours| colours.choice(lit))
    }

    /// A proof about the original problem from one about the simpler problem; `None` if it says nothing there.
    pub fn proof(&self, proof: Proof) -> Option<Proof> {
        match (proof, self.inputs, &self.first) {
            // A board is not proved by functions of variables that it does not have.
            (Proof::Functions(_), _, Some(_)) => None,
            // The new variables are innermost and existential: no function of the others reads them.
            (Proof::Functions(functions), Some(inputs), None) => {
                Some(Proof::Functions(restricted(&functions, |var| var.index() < inputs)))
            }
            // The clauses that it speaks of are not the problem's.
            (Proof::Refutation(_) | Proof::Confirmation(_), _, _) => None,
            (Proof::Strategy(strategy), _, _) => Some(Proof::Strategy(match &self.colours {
                Some(colours) => colours.strategy(&strategy),
                None => strategy,
            })),
            (proof, _, _) => Some(proof).filter(|_| self.colours.is_none()),
        }
    }
}

/// The functions of some variables, none of which reads another one.
fn restricted(functions: &Aig, keep: impl Fn(Var) -> bool) -> Aig {
    let inputs: Vec<Var> = functions.inputs().iter().copied().filter(|&var| keep(var)).collect();
    let signals: FxHashMap<Var, Lit> =
        inputs.iter().enumerate().map(|(index, &var)| (var, Var::from_index(index + 1).positive())).collect();
    let mut rest = Aig::new(inputs);
    let outputs = rest.import(functions, |var| signals.get(&var).copied().unwrap_or(Aig::FALSE));
    for (&(var, _), signal) in functions.outputs().iter().zip(outputs).filter(|((var, _), _)| keep(*var)) {
        rest.output(var, signal);
    }
    rest.retain_used();
    rest
}

/// The game with rows of the wanted form. A form that it has already is kept as it is written, unless it is to be
/// minimised.
fn game_rows(game: &Game, rows: Rows, control: &Control) -> Result<Game, EncodeError> {
    let kept = |arena: &ClauseArena| -> Result<ClauseArena, EncodeError> {
        if rows.minimise { Ok(normal::irredundant(arena, control)?) } else { Ok(arena.clone()) }
    };
    let limited = |arena: Option<ClauseArena>| arena.ok_or(EncodeError::TooManyRows(rows.limit));
    let matrix = match (game.matrix(), rows.form) {
        (GameMatrix::Cnf(arena), None | Some(Form::Cnf)) => GameMatrix::Cnf(kept(arena)?),
        (GameMatrix::Dnf(arena), None | Some(Form::Dnf)) => GameMatrix::Dnf(kept(arena)?),
        (_, None | Some(Form::Cnf)) => GameMatrix::Cnf(limited(normal::game_cnf(game, rows.limit, control)?)?),
        (_, Some(Form::Dnf)) => GameMatrix::Dnf(limited(normal::game_dnf(game, rows.limit, control)?)?),
    };
    Ok(game.with_matrix(matrix))
}

/// The formula without repeated literals, tautologies and clauses that contain another.
///
/// # Errors
/// The run was to stop.
pub fn minimised(qbf: &Qbf, control: &Control) -> Result<Qbf, EncodeError> {
    Ok(qbf.with_matrix(normal::irredundant(qbf.matrix(), control)?))
}

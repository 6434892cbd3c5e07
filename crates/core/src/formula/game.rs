//! Set colouring games: a formula, a rule about colours, a player to move and the colours already played.

use super::{Circuit, ClauseArena, Lit, Names, Var};
use rustc_hash::FxHashMap;
use std::fmt;
use std::ops::Not;

/// A player. MAX wants the formula true, MIN false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Wants the formula true.
    Max,
    /// Wants the formula false.
    Min,
}

impl Not for Player {
    type Output = Player;

    fn not(self) -> Player {
        match self {
            Player::Max => Player::Min,
            Player::Min => Player::Max,
        }
    }
}

impl Player {
    /// The player's colour: what MAX wants the formula to be.
    pub fn colour(self) -> bool {
        self == Player::Max
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Max => "max",
            Player::Min => "min",
        })
    }
}

/// Which colours a player may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rule {
    /// GAME-SAT: either player may use either colour.
    #[default]
    Any,
    /// Division game: MAX colours only TRUE, MIN only FALSE.
    Own,
}

impl Rule {
    /// Whether the player may give an element this colour.
    pub fn allows(self, player: Player, colour: bool) -> bool {
        self == Rule::Any || player.colour() == colour
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Any => "any",
            Rule::Own => "own",
        })
    }
}

/// The formula of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameMatrix {
    /// Conjunction of clauses.
    Cnf(ClauseArena),
    /// Disjunction of terms.
    Dnf(ClauseArena),
    /// A circuit whose inputs are the elements. No variable may be added to a game, so it is never Tseitin-encoded.
    Circuit(Circuit),
}

impl GameMatrix {
    fn element_bound(&self) -> usize {
        match self {
            GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows) => rows.var_bound(),
            GameMatrix::Circuit(circuit) => circuit.inputs(),
        }
    }
}

/// Why a game cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// An element's number is larger than the number of elements.
    #[error("element {0} is out of range: there are {1} elements")]
    OutOfRange(Var, usize),
    /// An element is played twice.
    #[error("element {0} is played twice")]
    PlayedTwice(Var),
    /// The rule does not let the player use the colour.
    #[error("{1} may not play {0} under this rule")]
    Forbidden(Lit, Player),
}

/// A position of a set colouring game.
///
/// Elements that occur in no clause exist and count: in a game that is not isotone one of them can change the winner.
/// Their number may be far larger than memory, so nothing here is indexed by element.
#[derive(Clone, Debug)]
pub struct Game {
    elements: usize,
    matrix: GameMatrix,
    played: Vec<Lit>,
    /// Whether no row of the matrix contains another, or a literal twice, or a literal and its negation.
    irredundant: bool,
    /// Which colours a player may use.
    pub rule: Rule,
    /// Who moves next.
    pub turn: Player,
    /// Names of elements, where the input gave them.
    pub names: Names,
}

impl Game {
    /// An empty game on this many elements, MAX to move, under rule `any`.
    ///
    /// # Errors
    /// An element of the matrix is out of range.
    pub fn new(elements: usize, matrix: GameMatrix) -> Result<Self, GameError> {
        let bound = matrix.element_bound();
        if bound > elements {
            return Err(GameError::OutOfRange(Var::from_index(bound - 1), elements));
        }
        let (rule, turn) = (Rule::Any, Player::Max);
        Ok(Game { elements, matrix, played: Vec::new(), irredundant: false, rule, turn, names: Names::new() })
    }

    /// Colours elements: a positive literal TRUE, a negative one FALSE. The turn does not change.
    ///
    /// # Errors
    /// An element that is out of range or coloured already.
    pub fn play(&mut self, lits: &[Lit]) -> Result<(), GameError> {
        let mut all: FxHashMap<Var, bool> = self.played.iter().map(|lit| (lit.var(), lit.is_positive())).collect();
        for &lit in lits {
            if lit.var().index() >= self.elements {
                return Err(GameError::OutOfRange(lit.var(), self.elements));
            }
            if all.insert(lit.var(), lit.is_positive()).is_some() {
                return Err(GameError::PlayedTwice(lit.var()));
            }
        }
        self.played.extend_from_slice(lits);
        Ok(())
    }

    /// Takes back the colour that was played last, and says which. The turn does not change.
    pub fn take_back(&mut self) -> Option<Lit> {
        self.played.pop()
    }

    /// The same game with another way to write its formula, which must be about the same elements.
    ///
    /// # Panics
    /// If an element of the matrix is out of range.
    pub fn with_matrix(&self, matrix: GameMatrix) -> Self {
        assert!(matrix.element_bound() <= self.elements, "the matrix is about the game's elements");
        Game { matrix, played: self.played.clone(), names: self.names.clone(), ..*self }
    }

    /// Number of elements, coloured or not.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// Number of elements that are still to be coloured.
    pub fn uncoloured(&self) -> usize {
        self.elements - self.played.len()
    }

    /// The formula, over all elements, before the played colours are filled in.
    pub fn matrix(&self) -> &GameMatrix {
        &self.matrix
    }

    /// Says that the rows are known to be irredundant: none contains another, none a variable twice. Whoever prepares the
    /// game is spared looking. Nothing checks it, and rows that are not so give wrong answers.
    pub fn assume_irredundant(&mut self) {
        self.irredundant = true;
    }

    /// Whether the rows are known to be irredundant, before the played colours are filled in.
    pub fn is_irredundant(&self) -> bool {
        self.irredundant
    }

    /// The colours already played.
    pub fn played(&self) -> &[Lit] {
        &self.played
    }

    /// Adds elements that occur in no clause.
    pub fn add_stars(&mut self, stars: usize) {
        self.elements += stars;
    }

    /// Clauses or terms of a normal form, gates of a circuit.
    pub fn matrix_len(&self) -> usize {
        match &self.matrix {
            GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows) => rows.len(),
            GameMatrix::Circuit(circuit) => circuit.num_gates(),
        }
    }
}

/// What is known about the rows is no part of a game.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        let Game { elements, matrix, played, irredundant: _, rule, turn, names } = self;
        (elements, matrix, played, rule, turn, names)
            == (&other.elements, &other.matrix, &other.played, &other.rule, &other.turn, &other.names)
    }
}

impl Eq for Game {}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(elements: usize) -> Result<Game, GameError> {
        let rows = [[1, -2], [2, 3]].map(|row| row.map(Lit::from_dimacs));
        Game::new(elements, GameMatrix::Cnf(rows.into_iter().collect()))
    }

    #[test]
    fn elements_out_of_range_are_refused() {
        assert_eq!(game(2).unwrap_err(), GameError::OutOfRange(Var::from_dimacs(3), 2));
        let mut game = game(3).unwrap();
        assert_eq!(game.play(&[Lit::from_dimacs(4)]).unwrap_err(), GameError::OutOfRange(Var::from_dimacs(4), 3));
    }

    #[test]
    fn an_element_is_played_once() {
        let mut game = game(3).unwrap();
        game.play(&[Lit::from_dimacs(-2)]).unwrap();
        assert_eq!(game.play(&[Lit::from_dimacs(2)]).unwrap_err(), GameError::PlayedTwice(Var::from_dimacs(2)));
        assert_eq!(game.uncoloured(), 2);
        assert_eq!(game.played(), [Lit::from_dimacs(-2)]);
    }

    #[test]
    fn rules_say_who_may_use_which_colour() {
        assert!(Rule::Any.allows(Player::Min, true));
        assert!(!Rule::Own.allows(Player::Min, true));
        assert!(Rule::Own.allows(Player::Max, true));
    }
}

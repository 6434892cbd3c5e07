//! Set colouring games in their general shape: any number of colours, elements with colours of their own, elements that only
//! one player may colour, and rows that score instead of having to hold (*Set Colouring Games* 2.3, 4.8).
//!
//! The statement "element v has colour c" is an *atom*, and atoms are numbered like variables: v·k + c for k colours, both
//! counted from 0. So rows, moves and strategies are made of literals as elsewhere; a move is a positive atom. With two colours
//! the first one is TRUE.

use super::{ClauseArena, Lit, Names, Player, Rule, Var};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Why a colouring game cannot be built, or a move not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ColouringError {
    /// There are too many or too few colours.
    #[error("a game has 2 to {} colours", Colouring::MOST_COLOURS)]
    Colours,
    /// Elements times colours is too much.
    #[error("{0} elements are too many for {1} colours")]
    TooMany(usize, usize),
    /// An element's number is larger than the number of elements.
    #[error("element {0} is out of range: there are {1} elements")]
    OutOfRange(Var, usize),
    /// An element is played twice.
    #[error("element {0} is played twice")]
    PlayedTwice(Var),
    /// The element does not have this colour, or the player may not use it.
    #[error("element {0} cannot get colour {1}")]
    Forbidden(Var, usize),
}

/// A position of a set colouring game with any number of colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colouring {
    elements: usize,
    colours: usize,
    conjunction: bool,
    rows: ClauseArena,
    /// What each row scores; `None` if the formula has to be true.
    weights: Option<Vec<i64>>,
    /// The colours of elements that do not have all of them, bit `c` for colour `c`.
    domains: BTreeMap<Var, u64>,
    /// Who alone may colour an element.
    only: BTreeMap<Var, Player>,
    played: Vec<Lit>,
    /// With two colours: whether each player has one of them.
    pub rule: Rule,
    /// Who moves next.
    pub turn: Player,
    /// Names of elements, where the input gave them.
    pub names: Names,
}

impl Colouring {
    /// The most colours.
    pub const MOST_COLOURS: usize = 64;
    /// The most elements.
    pub const MOST_ELEMENTS: usize = 1_000_000;
    /// The largest weight of a row.
    pub const MOST_WEIGHT: i64 = 1_000_000;

    /// An empty game with MAX to move: of clauses, or of terms if it is no conjunction.
    ///
    /// # Errors
    /// Too many colours or elements, or an atom that is out of range.
    pub fn new(elements: usize, colours: usize, conjunction: bool, rows: ClauseArena) -> Result<Self, ColouringError> {
        if !(2..=Self::MOST_COLOURS).contains(&colours) {
            return Err(ColouringError::Colours);
        }
        if elements > Self::MOST_ELEMENTS {
            return Err(ColouringError::TooMany(elements, colours));
        }
        let bound = rows.var_bound();
        if bound > elements * colours {
            return Err(ColouringError::OutOfRange(Var::from_index((bound - 1) / colours), elements));
        }
        Ok(Colouring {
            elements,
            colours,
            conjunction,
            rows,
            weights: None,
            domains: BTreeMap::new(),
            only: BTreeMap::new(),
            played: Vec::new(),
            rule: Rule::Any,
            turn: Player::Max,
            names: Names::new(),
        })
    }

    /// The same game with a score: each row that holds in the end counts its weight for MAX.
    ///
    /// # Panics
    /// If there is not one weight for each row.
    #[must_use]
    pub fn with_weights(mut self, weights: Vec<i64>) -> Self {
        assert_eq!(weights.len(), self.rows.len(), "one weight for each row");
        self.weights = Some(weights);
        self
    }

    /// Adds elements that occur in no row.
    ///
    /// # Errors
    /// There would be too many.
    pub fn add_stars(&mut self, stars: usize) -> Result<(), ColouringError> {
        let elements = self.elements.saturating_add(stars);
        if elements > Self::MOST_ELEMENTS {
            return Err(ColouringError::TooMany(elements, self.colours));
        }
        self.elements = elements;
        Ok(())
    }

    /// Lets an element have these colours only, bit `c` for colour `c`; without any it has all of them.
    pub fn set_domain(&mut self, element: Var, colours: u64) {
        let colours = colours & self.all_colours();
        if colours == 0 || colours == self.all_colours() {
            self.domains.remove(&element);
        } else {
            self.domains.insert(element, colours);
        }
    }

    /// Lets only this player colour an element.
    pub fn restrict(&mut self, element: Var, player: Player) {
        self.only.insert(element, player);
    }

    /// The atom "this element has this colour".
    pub fn atom(&self, element: Var, colour: usize) -> Lit {
        Var::from_index(element.index() * self.colours + colour).positive()
    }

    /// The element of an atom.
    pub fn element(&self, atom: Lit) -> Var {
        Var::from_index(atom.var().index() / self.colours)
    }

    /// The colour of an atom, from 0.
    pub fn colour(&self, atom: Lit) -> usize {
        atom.var().index() % self.colours
    }

    /// The colours that make a literal true, bit `c` for colour `c`.
    pub fn mask(&self, lit: Lit) -> u64 {
        let bit = 1 << self.colour(lit);
        if lit.is_positive() { bit } else { self.all_colours() & !bit }
    }

    /// Number of elements, coloured or not.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// Number of elements that are still to be coloured.
    pub fn uncoloured(&self) -> usize {
        self.elements - self.played.len()
    }

    /// Number of colours.
    pub fn colours(&self) -> usize {
        self.colours
    }

    /// Whether the rows are clauses, not terms.
    pub fn is_conjunction(&self) -> bool {
        self.conjunction
    }

    /// Clauses or terms.
    pub fn rows(&self) -> &ClauseArena {
        &self.rows
    }

    /// What each row scores, if rows score.
    pub fn weights(&self) -> Option<&[i64]> {
        self.weights.as_deref()
    }

    /// The colours played, as atoms.
    pub fn played(&self) -> &[Lit] {
        &self.played
    }

    /// Elements with fewer colours than all, and which.
    pub fn domains(&self) -> impl Iterator<Item = (Var, u64)> + '_ {
        self.domains.iter().map(|(&var, &mask)| (var, mask))
    }

    /// Elements that only one player may colour, and who.
    pub fn restrictions(&self) -> impl Iterator<Item = (Var, Player)> + '_ {
        self.only.iter().map(|(&var, &player)| (var, player))
    }

    /// Whether some element is for one player alone.
    pub fn is_restricted(&self) -> bool {
        !self.only.is_empty()
    }

    fn all_colours(&self) -> u64 {
        u64::MAX >> (64 - self.colours)
    }

    /// The colours that an element can have.
    pub fn domain(&self, element: Var) -> u64 {
        self.domains.get(&element).copied().unwrap_or_else(|| self.all_colours())
    }

    /// The colours that a player may give an element.
    pub fn choices(&self, player: Player, element: Var) -> u64 {
        if self.only.get(&element).is_some_and(|&owner| owner != player) {
            return 0;
        }
        let own = match self.rule {
            Rule::Any => u64::MAX,
            Rule::Own => 1 << usize::from(player == Player::Min),
        };
        self.domain(element) & own
    }

    /// Colours elements, by atoms. The turn does not change.
    ///
    /// # Errors
    /// An element that is out of range or coloured already, or a colour that it cannot have.
    pub fn play(&mut self, atoms: &[Lit]) -> Result<(), ColouringError> {
        let mut coloured: FxHashSet<Var> = self.played.iter().map(|&atom| self.element(atom)).collect();
        for &atom in atoms {
            let element = self.element(atom);
            if element.index() >= self.elements {
                return Err(ColouringError::OutOfRange(element, self.elements));
            }
            if atom.is_negative() || self.domain(element) >> self.colour(atom) & 1 == 0 {
                return Err(ColouringError::Forbidden(element, self.colour(atom) + 1));
            }
            if !coloured.insert(element) {
                return Err(ColouringError::PlayedTwice(element));
            }
        }
        self.played.extend_from_slice(atoms);
        Ok(())
    }

    /// Takes back the colour that was played last. The turn does not change.
    pub fn take_back(&mut self) -> Option<Lit> {
        self.played.pop()
    }

    /// The elements that have no colour yet.
    pub fn free(&self) -> impl Iterator<Item = Var> + '_ {
        let coloured: FxHashSet<Var> = self.played.iter().map(|&atom| self.element(atom)).collect();
        (0..self.elements).map(Var::from_index).filter(move |var| !coloured.contains(var))
    }

    /// Who moves: whoever's turn it is, or the other player if that one may colour nothing that is left; `None` if nobody
    /// may. What nobody may colour stays without a colour, and makes no atom true.
    pub fn mover(&self) -> Option<Player> {
        let able = |player: Player| self.free().any(|element| self.choices(player, element) != 0);
        [self.turn, !self.turn].into_iter().find(|&player| able(player))
    }

    /// Every move of the player to move, as atoms.
    pub fn moves(&self) -> Vec<Lit> {
        let Some(mover) = self.mover() else { return Vec::new() };
        let of = |element: Var| {
            let mask = self.choices(mover, element);
            (0..self.colours).filter(move |&colour| mask >> colour & 1 != 0).map(move |colour| (element, colour))
        };
        self.free().flat_map(of).map(|(element, colour)| self.atom(element, colour)).collect()
    }

    /// Lets the player to move make a move.
    ///
    /// # Errors
    /// It is not allowed.
    pub fn make_move(&mut self, atom: Lit) -> Result<(), ColouringError> {
        let mover = self.mover().unwrap_or(self.turn);
        let element = self.element(atom);
        if element.index() < self.elements && self.choices(mover, element) >> self.colour(atom) & 1 == 0 {
            return Err(ColouringError::Forbidden(element, self.colour(atom) + 1));
        }
        self.play(&[atom])?;
        self.turn = !mover;
        Ok(())
    }

    /// What a complete colouring is worth to MAX: the score, or 1 if the formula is true and 0 if it is false. `colours` has
    /// the colour of every element; one that has none makes no atom true.
    pub fn worth(&self, colours: impl Fn(Var) -> Option<usize>) -> i64 {
        let holds = |lit: &Lit| (colours(self.element(*lit)) == Some(self.colour(*lit))) == lit.is_positive();
        let row_holds = |row: &[Lit]| {
            if self.conjunction { row.iter().any(holds) } else { row.iter().all(holds) }
        };
        match &self.weights {
            Some(weights) => self.rows.iter().zip(weights).filter(|(row, _)| row_holds(row)).map(|(_, &w)| w).sum(),
            None if self.conjunction => i64::from(self.rows.iter().all(row_holds)),
            None => i64::from(self.rows.iter().any(row_holds)),
        }
    }

    /// The move that a text means: `name=colour`, or the number of an element instead of its name; with two colours also
    /// `name=TRUE` and `name=FALSE`.
    pub fn named_atom(&self, text: &str) -> Option<Lit> {
        let (name, colour) = text.rsplit_once('=')?;
        let numbered = || name.parse::<usize>().ok().filter(|&number| (1..=self.elements).contains(&number));
        let element = self.names.find(name).or_else(|| numbered().map(|number| Var::from_index(number - 1)))?;
        let colour = match colour.to_ascii_lowercase().as_str() {
            "true" if self.has_truth_values() => 0,
            "false" if self.has_truth_values() => 1,
            number => number.parse::<usize>().ok().filter(|&number| (1..=self.colours).contains(&number))? - 1,
        };
        (element.index() < self.elements).then(|| self.atom(element, colour))
    }

    /// A move in words: `name=colour`; with two colours `name=TRUE` or `name=FALSE`.
    pub fn spoken(&self, atom: Lit) -> String {
        let name = self.names.display(self.element(atom));
        match (self.has_truth_values(), self.colour(atom)) {
            (true, 0) => format!("{name}=TRUE"),
            (true, _) => format!("{name}=FALSE"),
            (false, colour) => format!("{name}={}", colour + 1),
        }
    }

    /// Whether its two colours are TRUE and FALSE.
    pub fn has_truth_values(&self) -> bool {
        self.colours == 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_cannot_move_passes() {
        let mut game = Colouring::new(2, 3, true, ClauseArena::new()).unwrap();
        game.restrict(Var::from_index(0), Player::Min);
        game.restrict(Var::from_index(1), Player::Min);
        assert_eq!(game.mover(), Some(Player::Min));
        game.set_domain(Var::from_index(0), 0b100);
        assert_eq!(game.moves().len(), 4);
        game.make_move(game.atom(Var::from_index(0), 2)).unwrap();
        assert_eq!((game.turn, game.mover()), (Player::Max, Some(Player::Min)));
        assert!(game.make_move(game.atom(Var::from_index(0), 2)).is_err());
    }

    #[test]
    fn scores_count_the_rows_that_hold() {
        let mut rows = ClauseArena::new();
        let atom = |element: usize, colour: usize| Var::from_index(3 * element + colour).positive();
        rows.push(&[atom(0, 1), atom(1, 2)]);
        rows.push(&[!atom(0, 1)]);
        let game = Colouring::new(2, 3, false, rows).unwrap().with_weights(vec![5, -2]);
        assert_eq!(game.worth(|var| Some(var.index() + 1)), 5);
        assert_eq!(game.worth(|_| Some(0)), -2);
        assert_eq!(game.worth(|_| None), -2);
    }
}

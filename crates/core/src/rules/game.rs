//! What a game says about itself: its elements and their names, what the sides want, how it is drawn and written.
//!
//! A new board is one file with a type that implements [`Rules`]; if its text is a line of words and rows of symbols it also
//! has a [`Game`] in the list of [`games`](super::games), and then the drawn format, its recognition, the names of formats
//! and the help follow by themselves.

use super::header::{Header, Misfit};
use super::{Board, Goal, Grid, Side};
use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The rules of a game on a board of some size. `Debug` describes them in full: boards are equal if that is.
pub trait Rules: Any + fmt::Debug + Send + Sync {
    /// The word that names the format of the game's own text form.
    fn word(&self) -> &'static str;

    /// Number of elements: cells, vertices or edges.
    fn elements(&self) -> usize;

    /// What a side wants to own; see [`Board::goal`].
    fn goal(&self, side: Side) -> Option<Goal>;

    /// Whether it is a race: both sides have a goal, whoever reaches it first wins, and there may be draws.
    fn is_race(&self) -> bool {
        false
    }

    /// Whether nobody can take the element.
    fn is_terminal(&self, _element: usize) -> bool {
        false
    }

    /// The rectangle of cells that its elements are, if they are one: then they are called as its cells.
    fn grid(&self) -> Option<Grid> {
        None
    }

    /// The name of an element; its number from 1 if it has no other.
    fn name(&self, element: usize) -> String {
        self.grid().map_or_else(|| (element + 1).to_string(), |grid| grid.name(element))
    }

    /// The element of this name.
    fn find(&self, name: &str) -> Option<usize> {
        match self.grid() {
            Some(grid) => grid.find(name),
            None => name.parse::<usize>().ok()?.checked_sub(1).filter(|&element| element < self.elements()),
        }
    }

    /// Whether elements have names other than their numbers.
    fn has_names(&self) -> bool {
        true
    }

    /// What the sides are called.
    fn side_names(&self) -> [&'static str; 2] {
        ["black", "white"]
    }

    /// Whose turn it is with so many stones of each side, if nobody says so: the first side's unless it has more.
    fn turn(&self, first: usize, second: usize) -> Side {
        if first > second { Side::Second } else { Side::First }
    }

    /// Permutations of the elements that generate the symmetries of the empty board, the identity left out.
    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }

    /// Pairs of elements by which a side wins even moving second, answering in the same pair, and that side; `None` if none
    /// is known.
    fn pairing(&self) -> Option<(Side, Vec<[usize; 2]>)> {
        None
    }

    /// The theorem by which, of an empty board on which whoever reaches the own goal loses, the side that makes the last
    /// move is the loser; `None` if none is known.
    fn misere_theorem(&self) -> Option<&'static str> {
        None
    }

    /// The board as a triangle of the game of Y, as a side sees it: the cells row by row, from one cell at the top. `None` if
    /// it is no part of such a triangle.
    fn triangle(&self, _side: Side) -> Option<Vec<TriangleCell>> {
        None
    }

    /// Columns and rows in the Hex Text Protocol; `None` if that protocol is not about this game.
    fn protocol_size(&self) -> Option<Grid> {
        None
    }

    /// Borders in the colours of those who join them, for a drawing in hexagons: elements, whose border it is, and two sides of
    /// the hexagon, counted clockwise from the lower right one.
    fn rims(&self) -> Vec<(usize, Side, [usize; 2])> {
        Vec::new()
    }

    /// The first line of the text form, where that is a drawing.
    fn header(&self) -> Option<String> {
        None
    }

    /// The elements of each line of the drawing, with its indentation in half cells; empty without a drawing.
    fn lines(&self) -> Vec<(usize, Vec<usize>)> {
        Vec::new()
    }

    /// The letters of the two sides in drawings.
    fn symbols(&self) -> [char; 2] {
        ['B', 'W']
    }

    /// Whether the letters of the first line of the drawing name the columns of all of them.
    fn has_columns(&self) -> bool {
        true
    }
}

/// A symmetry of an empty board: if the sides keep or exchange their stones as it says, nothing else changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Where each element goes.
    pub map: Vec<usize>,
    /// Whether the two sides change places.
    pub exchanges: bool,
}

impl Symmetry {
    /// The permutation of so many elements that this function says.
    pub(super) fn new(elements: usize, exchanges: bool, to: impl Fn(usize) -> usize) -> Self {
        Symmetry { map: (0..elements).map(to).collect(), exchanges }
    }
}

/// A cell of a triangle that a board is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriangleCell {
    /// An element of the board.
    Element(usize),
    /// A cell outside, which belongs to this side.
    Of(Side),
}

/// What makes a family of instances of a game: empty boards, and what is known about who begins.
#[derive(Debug)]
pub struct Instances {
    /// What the instances say and what their answers are.
    pub about: &'static str,
    /// Where the family comes from.
    pub source: &'static str,
    /// The numbers that make a board: name, meaning, default and greatest value; the least is 1.
    pub sizes: &'static [(&'static str, &'static str, u64, u64)],
    /// The board with these numbers, and when whoever begins wins there.
    pub(super) board: fn(&[usize]) -> Instance,
}

impl Instances {
    /// The empty board with these numbers, and when whoever begins wins there.
    pub fn board(&self, sizes: &[usize]) -> (Board, Depths) {
        let (rules, depths) = (self.board)(sizes);
        (Board::of(rules), depths)
    }
}

/// A board of a family.
pub(super) type Instance = (Arc<dyn Rules>, Depths);

/// What is known about the plies, both players counted, in which the first side wins an empty board when it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depths {
    /// Stones that are needed at least; `None` if there is no way to win.
    pub stones: Option<usize>,
    /// A depth at which it wins.
    pub enough: Option<usize>,
    /// Whether no smaller depth will do.
    pub exact: bool,
}

impl Depths {
    /// Whether the first side wins within so many plies, if that is known.
    pub fn answer(&self, plies: usize) -> Option<bool> {
        match *self {
            Depths { stones, .. } if stones.is_none_or(|stones| plies.div_ceil(2) < stones) => Some(false),
            Depths { enough: Some(enough), .. } if plies >= enough => Some(true),
            Depths { exact, .. } => exact.then_some(false),
        }
    }
}

/// A game whose text is a line of words and rows of symbols.
pub struct Game {
    /// The word that begins the text.
    pub word: &'static str,
    /// The words after it, for a help text.
    pub words: &'static str,
    /// Reads these words.
    pub(super) read: fn(&mut Header<'_>) -> Result<Arc<dyn Rules>, Misfit>,
    /// The family of its empty boards, if there is one.
    pub instances: Option<Instances>,
    /// The board of this size, if the Hex Text Protocol is about this game.
    pub(super) protocol_board: Option<fn(Grid) -> Arc<dyn Rules>>,
}

impl Game {
    /// A game without instances and protocol.
    pub(super) const fn new(
        word: &'static str,
        words: &'static str,
        read: fn(&mut Header<'_>) -> Result<Arc<dyn Rules>, Misfit>,
    ) -> Self {
        Game { word, words, read, instances: None, protocol_board: None }
    }

    /// An empty board of this game, from the words after its first one.
    ///
    /// # Errors
    /// A word that does not fit, which is the last one that was asked for; or that error of `words` itself.
    pub fn board(&'static self, words: &mut dyn FnMut() -> Result<String, Misfit>) -> Result<Board, Misfit> {
        (self.read)(&mut Header { words }).map(Board::of)
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word)
    }
}

// A word begins one game only.
impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.word == other.word
    }
}

impl Eq for Game {}

impl Hash for Game {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.word.hash(state);
    }
}

//! Boards: what a position is, who has won, what its cells are called.
//!
//! Every game here has two sides: [`Side::First`] (Black, Short, Maker) wants to reach a [`Goal`], [`Side::Second`] (White,
//! Cut, Breaker) wants to make that impossible, so that there are no draws. Only a race is different: there both sides
//! have sets, whoever completes one first wins, and if nobody does it is a draw. A game may end before the board is full
//! ([`Schedule`]). Nothing here searches; `encode` makes formulas of boards and the engines solve those.
//!
//! ```
//! use gamesat::rules::{Board, Grid, Shape, Side};
//!
//! let mut board = Board::new(Shape::Hex(Grid { columns: 2, rows: 2 }));
//! for name in ["b1", "a1", "b2"] {
//!     board.play(board.find(name).unwrap())?;
//! }
//! assert_eq!(board.winner(), Some(Side::First));
//! # Ok::<(), gamesat::rules::BoardError>(())
//! ```

mod bridgit;
mod ending;
mod grid;
mod hex;
mod line;
mod y;

pub use crate::graph::Goal;
pub use ending::{Ending, Played, Schedule};
pub use grid::{Grid, MAX_SIDE, cell_name, parse_cell};
pub use line::{animal, animals};

use crate::formula::{Lit, Player, Var};
use crate::graph::Graph;
use std::fmt::Write;
use std::ops::Not;

/// One of the two sides of a board game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Black, Short or Maker: wants to reach the goal.
    First,
    /// White, Cut or Breaker: wants to prevent it.
    Second,
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// Which game, on which board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// Hex: Black joins top and bottom, White left and right.
    Hex(Grid),
    /// Y on a triangle with this side.
    Y(usize),
    /// Bridg-it of this size.
    Bridgit(usize),
    /// Shannon's game on the vertices or the edges of a graph; Short joins the terminals.
    Shannon {
        /// The board.
        graph: Graph,
        /// What Short joins; different vertices.
        terminals: [usize; 2],
        /// Whether the elements are edges.
        edges: bool,
    },
    /// Maker wants `length` cells in a row, straight or diagonal.
    Line {
        /// The board.
        grid: Grid,
        /// How many in a row.
        length: usize,
        /// Whether the board's edges are glued together.
        torus: bool,
    },
    /// Harary's game: Maker wants a copy of a polyomino.
    Harary {
        /// The board.
        grid: Grid,
        /// The polyomino's name, one of [`animals`].
        animal: &'static str,
        /// Whether the board's edges are glued together.
        torus: bool,
    },
    /// A positional game with named elements.
    Positional(Positional),
}

/// A positional game: named elements, what Black wants, and in a race what White wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Positional {
    /// The elements' names, all different.
    pub names: Vec<String>,
    /// What Black wants: sets, or a connection of vertices.
    pub goal: Goal,
    /// In a race: White wins by owning one of these sets first, and without a complete set it is a draw. No set colouring
    /// game expresses that.
    pub race: Option<Vec<Vec<usize>>>,
}

/// Why a stone cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// There is no such element.
    #[error("there is no element {0}")]
    NoSuchElement(usize),
    /// The element is taken.
    #[error("{0} is taken")]
    Taken(String),
    /// A terminal belongs to nobody.
    #[error("{0} is a terminal: nobody can take it")]
    Terminal(String),
    /// The game ends after a number of plies, and those are over.
    #[error("the game is over: its plies are all played")]
    Over,
    /// The race has been won.
    #[error("the game is over: the race is won")]
    Won,
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    shape: Shape,
    stones: Vec<Option<Side>>,
    /// Who moves next.
    pub turn: Side,
    /// Which side is MAX, the player who wants the formula true.
    pub max: Side,
    /// The plies that are left and who must have won by then, if the game ends before the board is full.
    pub schedule: Option<Schedule>,
}

impl Board {
    /// An empty board: the first side moves and is MAX.
    pub fn new(shape: Shape) -> Self {
        let elements = match &shape {
            Shape::Hex(grid) | Shape::Line { grid, .. } | Shape::Harary { grid, .. } => grid.cells(),
            Shape::Y(side) => y::cells(*side),
            Shape::Bridgit(size) => bridgit::elements(*size),
            Shape::Shannon { graph, edges, .. } => {
                if *edges {
                    graph.edges().len()
                } else {
                    graph.vertices()
                }
            }
            Shape::Positional(game) => game.names.len(),
        };
        Board { shape, stones: vec![None; elements], turn: Side::First, max: Side::First, schedule: None }
    }

    /// Which game, on which board.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Number of elements (cells, vertices or edges), taken or not; terminals of the vertex game count.
    pub fn elements(&self) -> usize {
        self.stones.len()
    }

    /// Who owns an element.
    pub fn stone(&self, element: usize) -> Option<Side> {
        self.stones[element]
    }

    /// Who owns each element.
    pub fn stones(&self) -> &[Option<Side>] {
        &self.stones
    }

    /// Whether nobody owns the element and somebody could.
    pub fn is_free(&self, element: usize) -> bool {
        self.stones[element].is_none() && !self.is_terminal(element)
    }

    /// The elements that can be taken.
    pub fn free(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.elements()).filter(|&element| self.is_free(element))
    }

    /// Whether the element is a terminal, which nobody takes.
    pub fn is_terminal(&self, element: usize) -> bool {
        matches!(&self.shape, Shape::Shannon { terminals, edges: false, .. } if terminals.contains(&element))
    }

    /// Gives an element to a side. The turn does not change.
    ///
    /// # Errors
    /// The element does not exist, is taken, or is a terminal.
    pub fn place(&mut self, element: usize, side: Side) -> Result<(), BoardError> {
        if element >= self.elements() {
            return Err(BoardError::NoSuchElement(element + 1));
        }
        if self.is_terminal(element) {
            return Err(BoardError::Terminal(self.name(element)));
        }
        if self.stones[element].is_some() {
            return Err(BoardError::Taken(self.name(element)));
        }
        self.stones[element] = Some(side);
        Ok(())
    }

    /// Lets the side to move take an element, which uses up a ply of the schedule if there is one.
    ///
    /// # Errors
    /// The element does not exist, is taken, or is a terminal; no ply is left; the race is won.
    pub fn play(&mut self, element: usize) -> Result<Played, BoardError> {
        if self.schedule.as_ref().is_some_and(|schedule| schedule.plies.is_empty()) {
            return Err(BoardError::Over);
        }
        if self.race().is_some() && self.winner().is_some() {
            return Err(BoardError::Won);
        }
        let side = self.turn;
        self.place(element, side)?;
        self.turn = !side;
        if let Some(Schedule { plies, .. }) = &mut self.schedule {
            plies.remove(0);
            self.turn = plies.first().copied().unwrap_or(self.turn);
        }
        Ok(Played { element, side, scheduled: self.schedule.is_some() })
    }

    /// Takes back the last move: the board is exactly as it was before [`play`](Self::play).
    ///
    /// # Panics
    /// If that side does not own the element.
    pub fn undo(&mut self, played: Played) {
        assert_eq!(self.stones[played.element], Some(played.side), "the last move is taken back");
        self.stones[played.element] = None;
        self.turn = played.side;
        if let Some(schedule) = self.schedule.as_mut().filter(|_| played.scheduled) {
            schedule.plies.insert(0, played.side);
        }
    }

    /// Who moves at each of the plies that are left: those of the schedule, or everybody in turn until the board is full.
    pub fn plies(&self) -> Vec<Side> {
        let free = self.free().count();
        match &self.schedule {
            Some(schedule) => schedule.plies.iter().copied().take(free).collect(),
            None => [self.turn, !self.turn].into_iter().cycle().take(free).collect(),
        }
    }

    /// The same position in a game that ends after `depth` plies at the latest. A schedule is cut; where there is none,
    /// the sides take turns and MAX is the claimant.
    pub fn bounded(mut self, depth: usize) -> Self {
        let schedule = Schedule { plies: self.plies(), claimant: self.max };
        self.schedule.get_or_insert(schedule).plies.truncate(depth);
        self
    }

    /// The same position with this side as the claimant, in a game of as many plies as before.
    ///
    /// Of a bounded game that makes another game: now this side must have won in time. Of a race it asks another question:
    /// [`board_qbf`](crate::encode::board_qbf) of `claim(side)` is about "does `side` win?", so that one formula says whether
    /// the first side wins, another whether the second does, and it is a draw if both say no. An unbounded game that is no
    /// race stays what it is: on a full board one side has won.
    pub fn claim(mut self, side: Side) -> Self {
        let plies = self.plies();
        self.schedule.get_or_insert(Schedule { plies, claimant: side }).claimant = side;
        self
    }

    /// Whether the game may end before the board is full: its plies are bounded, or it is a race.
    pub fn has_plies(&self) -> bool {
        self.schedule.is_some() || self.race().is_some()
    }

    /// Who must have won when the game is over, for the others win if it has not: the schedule's claimant, or MAX.
    pub fn claimant(&self) -> Side {
        self.schedule.as_ref().map_or(self.max, |schedule| schedule.claimant)
    }

    /// The name of an element: a cell such as `c3`, or its number from 1.
    pub fn name(&self, element: usize) -> String {
        match &self.shape {
            Shape::Hex(grid) | Shape::Line { grid, .. } | Shape::Harary { grid, .. } => {
                let (column, row) = grid.place(element);
                cell_name(column, row)
            }
            Shape::Y(_) => y::name(element),
            Shape::Bridgit(size) => bridgit::name(*size, element),
            Shape::Shannon { .. } => (element + 1).to_string(),
            Shape::Positional(game) => game.names[element].clone(),
        }
    }

    /// The element of this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        match &self.shape {
            Shape::Hex(grid) | Shape::Line { grid, .. } | Shape::Harary { grid, .. } => {
                let (column, row) = parse_cell(name)?;
                grid.cell(column as isize, row as isize)
            }
            Shape::Y(side) => parse_cell(name).and_then(|(column, row)| y::find(*side, column, row)),
            Shape::Bridgit(size) => parse_cell(name).and_then(|(at, line)| bridgit::find(*size, at, line)),
            Shape::Shannon { .. } => {
                name.parse::<usize>().ok()?.checked_sub(1).filter(|&element| element < self.elements())
            }
            Shape::Positional(game) => game.names.iter().position(|known| known == name),
        }
    }

    /// Whether elements have names other than their numbers.
    pub fn has_names(&self) -> bool {
        !matches!(self.shape, Shape::Shannon { .. })
    }

    /// What the sides of this game are called: `black` and `white`, `short` and `cut`, `maker` and `breaker`.
    pub fn side_name(&self, side: Side) -> &'static str {
        let (first, second) = match &self.shape {
            Shape::Hex(_) | Shape::Y(_) | Shape::Bridgit(_) | Shape::Positional(_) => ("black", "white"),
            Shape::Shannon { .. } => ("short", "cut"),
            Shape::Line { .. } | Shape::Harary { .. } => ("maker", "breaker"),
        };
        if side == Side::First { first } else { second }
    }

    /// The side of this name.
    pub fn find_side(&self, name: &str) -> Option<Side> {
        [Side::First, Side::Second].into_iter().find(|&side| self.side_name(side) == name)
    }

    /// The player that a side is in the formula's game.
    pub fn player(&self, side: Side) -> Player {
        if side == self.max { Player::Max } else { Player::Min }
    }

    /// What a side wants to own. `None` if the second side has no goal of its own shape: it wins when the first side's
    /// goal is out of reach. Outside of races, of two goals exactly one is reached on a full board.
    pub fn goal(&self, side: Side) -> Option<Goal> {
        match (&self.shape, side) {
            (Shape::Hex(grid), side) => Some(hex::goal(*grid, side)),
            (Shape::Y(length), _) => Some(y::goal(*length)),
            (Shape::Bridgit(size), side) => Some(bridgit::goal(*size, side)),
            (Shape::Positional(game), Side::Second) => game.race.clone().map(Goal::Sets),
            (_, Side::Second) => None,
            (Shape::Shannon { graph, terminals, edges }, Side::First) => Some(if *edges {
                Goal::Edges { graph: graph.clone(), terminals: *terminals }
            } else {
                Goal::Vertices { graph: graph.clone(), terminals: terminals.to_vec() }
            }),
            (Shape::Line { grid, length, torus }, Side::First) => Some(Goal::Sets(line::lines(*grid, *torus, *length))),
            (Shape::Harary { grid, animal: name, torus }, Side::First) => {
                let cells = animal(name).map_or(&[][..], |(_, cells)| cells);
                Some(Goal::Sets(line::copies(*grid, *torus, cells)))
            }
            (Shape::Positional(game), Side::First) => Some(game.goal.clone()),
        }
    }

    /// In a race, the sets by which the second side wins if it completes one first.
    pub fn race(&self) -> Option<&[Vec<usize>]> {
        match &self.shape {
            Shape::Positional(Positional { race: Some(sets), .. }) => Some(sets),
            _ => None,
        }
    }

    /// How the game has ended, or must end whatever follows; `None` if that is open.
    ///
    /// The first side has won if its goal is reached, the second if that is out of reach, the claimant's opponent if the
    /// plies are over and the claimant has not won. A race is won by whoever has a complete set, and drawn if nobody has one
    /// and no element or no ply is left or neither side can complete a set any more. If both sides of a race have one, which
    /// no play leads to, nobody can say who was first, and the first side is named.
    pub fn ending(&self) -> Option<Ending> {
        let first = self.goal(Side::First)?;
        let has = |goal: &Goal, side: Side| goal.is_reached(|element| self.stones[element] == Some(side));
        let can = |goal: &Goal, side: Side| goal.is_reached(|element| self.stones[element] != Some(!side));
        let is_over = self.schedule.as_ref().is_some_and(|schedule| schedule.plies.is_empty());
        if has(&first, Side::First) {
            return Some(Ending::Win(Side::First));
        }
        if let (Some(_), Some(second)) = (self.race(), self.goal(Side::Second)) {
            if has(&second, Side::Second) {
                return Some(Ending::Win(Side::Second));
            }
            let open = can(&first, Side::First) || can(&second, Side::Second);
            return (is_over || !open || self.free().next().is_none()).then_some(Ending::Draw);
        }
        if !can(&first, Side::First) {
            return Some(Ending::Win(Side::Second));
        }
        self.schedule.as_ref().filter(|_| is_over).map(|schedule| Ending::Win(!schedule.claimant))
    }

    /// Who has won, or must win whatever follows: [`ending`](Self::ending) without its draws.
    pub fn winner(&self) -> Option<Side> {
        self.ending().and_then(Ending::winner)
    }

    /// The colours of the formula's game that stand for the stones, TRUE for MAX. Terminals count as MAX's.
    pub fn played(&self) -> Vec<Lit> {
        let colour = |element: usize| match self.stones[element] {
            Some(side) => Some(side == self.max),
            None => self.is_terminal(element).then_some(true),
        };
        (0..self.elements()).filter_map(|e| colour(e).map(|colour| Var::from_index(e).lit(colour))).collect()
    }

    /// The elements of each line of the board as it is drawn, with the indentation of the line in half cells; empty for
    /// games without a drawing.
    pub fn lines(&self) -> Vec<(usize, Vec<usize>)> {
        let grid_lines = |grid: &Grid, shift: usize| {
            let row = |r: usize| (r * shift, (r * grid.columns..(r + 1) * grid.columns).collect());
            (0..grid.rows).map(row).collect()
        };
        match &self.shape {
            Shape::Hex(grid) => grid_lines(grid, 1),
            Shape::Line { grid, .. } | Shape::Harary { grid, .. } => grid_lines(grid, 0),
            Shape::Y(side) => (0..*side).map(|r| (side - 1 - r, (y::cells(r)..y::cells(r + 1)).collect())).collect(),
            Shape::Bridgit(size) => (0..2 * size - 1)
                .map(|line| (line % 2, (0..size - line % 2).filter_map(|at| bridgit::find(*size, at, line)).collect()))
                .collect(),
            Shape::Shannon { .. } | Shape::Positional(_) => Vec::new(),
        }
    }

    /// The letters of the two sides in drawings: `B` and `W`, or `X` and `O` in games on squares.
    pub fn symbols(&self) -> (char, char) {
        match self.shape {
            Shape::Line { .. } | Shape::Harary { .. } => ('X', 'O'),
            _ => ('B', 'W'),
        }
    }

    /// The [drawing](Self::draw) for a reader: with the rows' numbers, and the columns' letters above the first row where
    /// they stand in columns.
    pub fn picture(&self, marked: &[usize]) -> String {
        let drawing = self.draw(marked);
        let width = drawing.lines().count().to_string().len();
        let mut text = String::new();
        if let Some((_, first)) = self.lines().first()
            && !matches!(self.shape, Shape::Y(_))
        {
            let letters: Vec<String> = first.iter().map(|&element| self.name(element).replace('1', "")).collect();
            // Beyond z the letters would not fit above their columns.
            if letters.iter().all(|letter| letter.len() == 1) {
                let _ = writeln!(text, "{:width$} {}", "", letters.join(" "));
            }
        }
        for (row, line) in drawing.lines().enumerate() {
            let _ = writeln!(text, "{:>width$} {line}", row + 1);
        }
        text
    }

    /// The position as rows of symbols: `.` for a free cell, the sides' letters for stones, `*` for marked elements. Empty
    /// for games without a drawing.
    pub fn draw(&self, marked: &[usize]) -> String {
        let (first, second) = self.symbols();
        let mut text = String::new();
        for (indent, elements) in self.lines() {
            let _ = write!(text, "{:indent$}", "");
            let symbols: Vec<String> = elements
                .into_iter()
                .map(|element| match self.stones[element] {
                    Some(Side::First) => first,
                    Some(Side::Second) => second,
                    None if marked.contains(&element) => '*',
                    None => '.',
                })
                .map(String::from)
                .collect();
            text.push_str(&symbols.join(" "));
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes() -> Vec<Shape> {
        let grid = Grid { columns: 3, rows: 2 };
        let mut graph = Graph::new(4);
        for (u, v) in [(0, 1), (1, 2), (2, 3), (1, 3)] {
            graph.add_edge(u, v);
        }
        vec![
            Shape::Hex(grid),
            Shape::Y(3),
            Shape::Bridgit(2),
            Shape::Shannon { graph: graph.clone(), terminals: [0, 3], edges: false },
            Shape::Shannon { graph, terminals: [0, 3], edges: true },
            Shape::Line { grid, length: 2, torus: false },
            Shape::Harary { grid, animal: "V3", torus: false },
        ]
    }

    #[test]
    fn names_round_trip_on_every_board() {
        for shape in shapes() {
            let board = Board::new(shape);
            for element in 0..board.elements() {
                assert_eq!(board.find(&board.name(element)), Some(element));
            }
            assert_eq!(board.find("zz99"), None);
        }
    }

    /// Where both sides have a goal of their own, exactly one reaches it on every full board; and the winner never
    /// changes once it is known.
    #[test]
    fn every_full_board_has_one_winner() {
        for shape in shapes() {
            let empty = Board::new(shape);
            let free: Vec<usize> = empty.free().collect();
            for colours in 0u32..1 << free.len() {
                let mut board = empty.clone();
                let mut known = None;
                for (i, &element) in free.iter().enumerate() {
                    let side = if colours >> i & 1 != 0 { Side::First } else { Side::Second };
                    board.place(element, side).unwrap();
                    let winner = board.winner();
                    assert!(known.is_none() || winner == known);
                    known = winner;
                }
                let winner = known.unwrap();
                if let Some(goal) = board.goal(Side::Second) {
                    let reached = goal.is_reached(|element| board.stone(element) == Some(Side::Second));
                    assert_eq!(reached, winner == Side::Second, "{board:?}");
                }
            }
        }
    }

    #[test]
    fn drawings_have_the_shape_of_the_board() {
        let mut board = Board::new(Shape::Hex(Grid { columns: 3, rows: 2 }));
        board.play(1).unwrap();
        board.play(3).unwrap();
        assert_eq!(board.draw(&[5]), ". B .\n W . *\n");
        assert_eq!(board.picture(&[5]), "  a b c\n1 . B .\n2  W . *\n");
        assert_eq!(Board::new(Shape::Y(2)).draw(&[]), " .\n. .\n");
        assert_eq!(Board::new(Shape::Bridgit(2)).draw(&[]), ". .\n .\n. .\n");
    }

    #[test]
    fn plies_are_used_up() {
        let mut board = Board::new(Shape::Y(3));
        board.schedule = Some(Schedule { plies: vec![Side::First, Side::First, Side::Second], claimant: Side::First });
        let mut before = Vec::new();
        for (element, mover) in [(0, Side::First), (1, Side::First), (2, Side::Second)] {
            assert_eq!(board.turn, mover);
            before.push((board.clone(), board.play(element).unwrap()));
        }
        assert_eq!(board.play(3), Err(BoardError::Over));
        assert_eq!(board.stone(1), Some(Side::First));
        assert_eq!(board.ending(), Some(Ending::Win(Side::Second)), "Black has not won in time");
        assert_eq!(board.clone().claim(Side::Second).ending(), Some(Ending::Win(Side::First)));
        for (earlier, played) in before.into_iter().rev() {
            board.undo(played);
            assert_eq!(board, earlier);
        }
    }

    #[test]
    fn a_bound_is_for_max_and_cuts_what_is_there() {
        let mut board = Board::new(Shape::Y(2));
        board.max = Side::Second;
        let bounded = board.bounded(2);
        let schedule = Schedule { plies: vec![Side::First, Side::Second], claimant: Side::Second };
        assert_eq!(bounded.schedule, Some(schedule));
        let mut other = bounded.claim(Side::First).bounded(1);
        other.max = Side::Second;
        assert_eq!(other.schedule, Some(Schedule { plies: vec![Side::First], claimant: Side::First }));
        assert_eq!(other.bounded(5).plies(), [Side::First]);
    }

    #[test]
    fn a_race_may_be_drawn() {
        let names = ["a", "b", "c"].map(String::from).to_vec();
        let race = |first, second| {
            let game = Positional { names: names.clone(), goal: Goal::Sets(first), race: Some(second) };
            Board::new(Shape::Positional(game))
        };
        let mut board = race(vec![vec![0, 1]], vec![vec![1, 2]]);
        board.play(0).unwrap();
        assert_eq!(board.ending(), None);
        board.play(1).unwrap();
        assert_eq!(board.ending(), None, "White needs one more");
        board.play(2).unwrap();
        assert_eq!(board.ending(), Some(Ending::Draw));
        let mut board = race(vec![vec![0]], vec![vec![1]]);
        board.play(0).unwrap();
        assert_eq!(board.ending(), Some(Ending::Win(Side::First)));
        assert_eq!(board.play(1), Err(BoardError::Won));
    }

    #[test]
    fn stones_are_placed_once() {
        let mut board = Board::new(Shape::Y(2));
        board.place(1, Side::Second).unwrap();
        assert_eq!(board.place(1, Side::First), Err(BoardError::Taken("a2".into())));
        assert_eq!(board.place(3, Side::First), Err(BoardError::NoSuchElement(4)));
    }
}

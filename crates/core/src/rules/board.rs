//! A position on the board of any game: stones, whose turn it is, which side is MAX, which plies are left.

use super::{Ending, Goal, Played, Rules, Schedule, Side, Symmetry};
use crate::formula::{Lit, Names, Player, Var};
use std::any::Any;
use std::fmt::{self, Write};
use std::sync::{Arc, OnceLock};

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
    #[error("{0} is a terminal: it cannot be taken")]
    Terminal(String),
    /// The game ends after a number of plies, and those are over.
    #[error("the game is over: its plies are all played")]
    Over,
    /// The race has been won.
    #[error("the game is over: the race is won")]
    Won,
}

/// The rules of a game and what follows from them, once it was asked for. All positions of a game share it.
struct Set {
    rules: Arc<dyn Rules>,
    goals: [OnceLock<Option<Goal>>; 2],
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rules.fmt(f)
    }
}

impl PartialEq for Set {
    /// Rules are the same if they are described in the same words.
    fn eq(&self, other: &Set) -> bool {
        let same = Arc::ptr_eq(&self.rules, &other.rules);
        same || self.rules.word() == other.rules.word() && format!("{self:?}") == format!("{other:?}")
    }
}

impl Eq for Set {}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    set: Arc<Set>,
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
    pub fn new(rules: impl Rules) -> Self {
        Board::of(Arc::new(rules))
    }

    /// An empty board of a game that is shared.
    pub(super) fn of(rules: Arc<dyn Rules>) -> Self {
        let stones = vec![None; rules.elements()];
        let set = Arc::new(Set { rules, goals: [OnceLock::new(), OnceLock::new()] });
        Board { set, stones, turn: Side::First, max: Side::First, schedule: None }
    }

    /// The same board without stones, schedule and choice of sides.
    pub fn cleared(&self) -> Self {
        let stones = vec![None; self.elements()];
        Board { set: Arc::clone(&self.set), stones, turn: Side::First, max: Side::First, schedule: None }
    }

    /// Which game, on which board.
    pub fn rules(&self) -> &dyn Rules {
        &*self.set.rules
    }

    /// The rules, if they are of this type.
    pub fn rules_as<R: Rules>(&self) -> Option<&R> {
        let rules: &dyn Any = self.rules();
        rules.downcast_ref()
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
        self.rules().is_terminal(element)
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
        if self.is_race() && self.winner().is_some() {
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

    /// The same position in a game in which MAX must have won after `depth` plies: more plies are never worse for MAX.
    ///
    /// So MAX is the claimant of a game that is cut, even if the schedule names the other side; and of a race, where a draw is no win of MAX. A schedule
    /// that is over by then still says who wins at its end.
    pub fn bounded(mut self, depth: usize) -> Self {
        let plies = self.plies();
        let is_cut = depth < plies.len();
        let (max, is_race) = (self.max, self.is_race());
        let schedule = self.schedule.get_or_insert(Schedule { plies, claimant: max });
        schedule.plies.truncate(depth);
        if is_cut || is_race {
            schedule.claimant = max;
        }
        self
    }

    /// The same position with this side as the claimant, in a game of as many plies as before.
    ///
    /// Of a bounded game that makes another game: now this side must have won in time. Of a race it asks another question:
    /// the formula of `claim(side)` is about "does `side` win?", so that one formula says whether
    /// the first side wins, another whether the second does, and it is a draw if both say no. An unbounded game that is no
    /// race stays what it is: on a full board one side has won.
    pub fn claim(mut self, side: Side) -> Self {
        let plies = self.plies();
        self.schedule.get_or_insert(Schedule { plies, claimant: side }).claimant = side;
        self
    }

    /// Whether the game may end before the board is full: its plies are bounded, or it is a race.
    pub fn has_plies(&self) -> bool {
        self.schedule.is_some() || self.is_race()
    }

    /// Who must have won when the game is over, for the others win if it has not: the schedule's claimant, or MAX.
    pub fn claimant(&self) -> Side {
        self.schedule.as_ref().map_or(self.max, |schedule| schedule.claimant)
    }

    /// The name of an element: a cell such as `c3`, or its number from 1.
    pub fn name(&self, element: usize) -> String {
        self.rules().name(element)
    }

    /// The element of this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.rules().find(name)
    }

    /// Whether elements have names other than their numbers.
    pub fn has_names(&self) -> bool {
        self.rules().has_names()
    }

    /// The names of all elements; empty if they are but numbers.
    pub fn names(&self) -> Names {
        let mut names = Names::new();
        for element in (0..self.elements()).filter(|_| self.has_names()) {
            names.insert(Var::from_index(element), self.name(element));
        }
        names
    }

    /// What the sides of this game are called: `black` and `white`, `short` and `cut`, `maker` and `breaker`.
    pub fn side_name(&self, side: Side) -> &'static str {
        self.rules().side_names()[side as usize]
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
    pub fn goal(&self, side: Side) -> Option<&Goal> {
        self.set.goals[side as usize].get_or_init(|| self.rules().goal(side)).as_ref()
    }

    /// Whether it is a race: both sides have a goal, and whoever reaches it first wins.
    pub fn is_race(&self) -> bool {
        self.rules().is_race()
    }

    /// Permutations of the elements that generate the symmetries of the empty board.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        self.rules().symmetries()
    }

    /// Whose turn it is if nobody says so.
    pub fn turn_by_count(&self) -> Side {
        let count = |side: Side| self.stones.iter().filter(|&&stone| stone == Some(side)).count();
        self.rules().turn(count(Side::First), count(Side::Second))
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
        if has(first, Side::First) {
            return Some(Ending::Win(Side::First));
        }
        if let Some(second) = self.goal(Side::Second).filter(|_| self.is_race()) {
            if has(second, Side::Second) {
                return Some(Ending::Win(Side::Second));
            }
            let open = can(first, Side::First) || can(second, Side::Second);
            return (is_over || !open || self.free().next().is_none()).then_some(Ending::Draw);
        }
        if !can(first, Side::First) {
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
        self.rules().lines()
    }

    /// The letters of the two sides in drawings: `B` and `W`, or `X` and `O` in games on squares.
    pub fn symbols(&self) -> [char; 2] {
        self.rules().symbols()
    }

    /// The [drawing](Self::draw) for a reader: with the rows' numbers, and the columns' letters above the first row where
    /// they stand in columns.
    pub fn picture(&self, marked: &[usize]) -> String {
        let drawing = self.draw(marked);
        let width = drawing.lines().count().to_string().len();
        let mut text = String::new();
        if let Some((_, first)) = self.lines().first()
            && self.rules().has_columns()
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
        let [first, second] = self.symbols();
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
    use crate::graph::Graph;
    use crate::rules::{Bridgit, Grid, Harary, Hex, Line, Positional, Shannon, Y};

    fn boards() -> Vec<Board> {
        let grid = Grid { columns: 3, rows: 2 };
        let mut graph = Graph::new(4);
        for (u, v) in [(0, 1), (1, 2), (2, 3), (1, 3)] {
            graph.add_edge(u, v);
        }
        vec![
            Board::new(Hex(grid)),
            Board::new(Y(3)),
            Board::new(Bridgit(2)),
            Board::new(Shannon { graph: graph.clone(), terminals: vec![0, 3], edges: false }),
            Board::new(Shannon { graph, terminals: vec![0, 3], edges: true }),
            Board::new(Line { grid, length: 2, torus: false }),
            Board::new(Harary { grid, animal: "V3", torus: false }),
        ]
    }

    #[test]
    fn names_round_trip_on_every_board() {
        for board in boards() {
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
        for empty in boards() {
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
        let mut board = Board::new(Hex(Grid { columns: 3, rows: 2 }));
        board.play(1).unwrap();
        board.play(3).unwrap();
        assert_eq!(board.draw(&[5]), ". B .\n W . *\n");
        assert_eq!(board.picture(&[5]), "  a b c\n1 . B .\n2  W . *\n");
        assert_eq!(Board::new(Y(2)).draw(&[]), " .\n. .\n");
        assert_eq!(Board::new(Bridgit(2)).draw(&[]), ". .\n .\n. .\n");
    }

    #[test]
    fn plies_are_used_up() {
        let mut board = Board::new(Y(3));
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
        let mut board = Board::new(Y(2));
        board.max = Side::Second;
        let bounded = board.bounded(2);
        let schedule = Schedule { plies: vec![Side::First, Side::Second], claimant: Side::Second };
        assert_eq!(bounded.schedule, Some(schedule));
        let claimed = bounded.claim(Side::First);
        let cut = claimed.clone().bounded(1);
        assert_eq!(cut.schedule, Some(Schedule { plies: vec![Side::First], claimant: Side::Second }));
        assert_eq!(claimed.clone().bounded(2), claimed, "who wins at its end is as before");
        assert_eq!(claimed.bounded(5).plies(), [Side::First, Side::Second]);
    }

    #[test]
    fn a_race_may_be_drawn() {
        let names = ["a", "b", "c"].map(String::from).to_vec();
        let race = |first, second| {
            let game = Positional { names: names.clone(), goal: Goal::Sets(first), race: Some(second) };
            Board::new(game)
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
        let mut board = Board::new(Y(2));
        board.place(1, Side::Second).unwrap();
        assert_eq!(board.place(1, Side::First), Err(BoardError::Taken("a2".into())));
        assert_eq!(board.place(3, Side::First), Err(BoardError::NoSuchElement(4)));
    }

    /// A symmetry carries what one side has reached to what that side, or the other one, has reached.
    #[test]
    fn symmetries_keep_the_goals() {
        let grid = |columns, rows| Grid { columns, rows };
        let mut all = boards();
        all.extend([
            Board::new(Hex(grid(3, 3))),
            Board::new(Bridgit(1)),
            Board::new(Line { grid: grid(3, 3), length: 3, torus: true }),
            Board::new(Harary { grid: grid(4, 3), animal: "L4", torus: true }),
        ]);
        let mut exchanging = 0;
        for board in all {
            for symmetry in board.symmetries() {
                let mut sorted = symmetry.map.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..board.elements()), "{board:?}");
                exchanging += usize::from(symmetry.exchanges);
                for bits in 0u32..1 << board.elements() {
                    for side in [Side::First, Side::Second] {
                        let image = if symmetry.exchanges { !side } else { side };
                        let (Some(goal), Some(mapped)) = (board.goal(side), board.goal(image)) else { continue };
                        let owned = |element: usize| bits >> element & 1 != 0;
                        let moved: Vec<usize> =
                            (0..board.elements()).filter(|&e| owned(e)).map(|e| symmetry.map[e]).collect();
                        assert_eq!(goal.is_reached(owned), mapped.is_reached(|e| moved.contains(&e)), "{board:?}");
                    }
                }
            }
        }
        assert_eq!(exchanging, 4, "two of Bridg-it, one of Hex, one of Y");
    }
}

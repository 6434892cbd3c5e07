//! The door to the engine for vertex games: a position goes in, an answer comes out, and what was found out is kept for
//! the next question.

use super::board::{Board, CUT, Plan, SHORT};
use super::fill::State;
use super::news::{Fact, News};
use super::regions::solve_by_regions;
use super::search::{Search, Stand};
use super::strategy::Ground;
use crate::options::GraphOptions;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{AutotreePart, Strategy};
use gamesat_core::statistics::Statistics;
use gamesat_rows::mask::Mask;

/// A position of Shannon's game on vertices: Short wants a chain that touches all terminals, Cut to prevent it.
#[derive(Clone, Copy, Debug)]
pub struct VertexGame<'a> {
    /// The board. Any graph will do; if it is planar with an extra edge between two terminals, or an extra vertex next to
    /// three, Cut's connections count too.
    pub graph: &'a gamesat_core::graph::Graph,
    /// What Short joins: two or three different vertices that nobody can take.
    pub terminals: &'a [usize],
    /// Vertices that Short has.
    pub short: &'a [usize],
    /// Vertices that Cut has.
    pub cut: &'a [usize],
    /// Whether Short is to move.
    pub short_to_move: bool,
}

/// What is asked beside the verdict and one winning move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Questions {
    /// All winning moves.
    pub all_moves: bool,
    /// The winner's strategy.
    pub strategy: bool,
    /// The winner's strategy as a tree.
    pub tree: bool,
    /// A trace from which no vertex can be left out.
    pub small_trace: bool,
    /// A line of play.
    pub line: bool,
    /// Expansions after which the search for the winner gives up, with [`StopReason::Nodes`].
    pub expansions: Option<u64>,
}

/// The value of a vertex game.
#[derive(Clone, Debug)]
pub struct VertexSolution {
    /// Whether Short wins.
    pub short_wins: bool,
    /// Winning moves of the player to move, if it is the winner: one, or all if they were asked for.
    pub moves: Vec<usize>,
    /// Why there may be more winning moves than these, though all were asked for.
    pub unlisted: Option<StopReason>,
    /// Free vertices inside which the winner wins, even if all others go to the opponent; ascending.
    pub trace: Vec<usize>,
    /// Moves that both make under best play, as far as the search saw it, if they were asked for: the loser resists where
    /// it took most work to refute.
    pub line: Vec<usize>,
    /// The winner's strategy, if it was asked for. Its elements are the vertices, and Short is MAX.
    pub strategy: Option<Strategy>,
    /// The same as a tree, if that was asked for: its pieces, and the vertex of each label.
    pub tree: Option<(Vec<AutotreePart>, Vec<usize>)>,
    /// What was counted on the way.
    pub statistics: Statistics,
}

/// Solves one position. Boards of more than [`Session::MOST_CELLS`] free vertices and chains are looked at region by region.
///
/// # Errors
/// The reason to stop before the answer was known; [`StopReason::Unsupported`] if no region of a large board decides it.
///
/// # Panics
/// As [`Session::new`].
pub fn solve_vertex_game(
    game: &VertexGame<'_>,
    questions: Questions,
    options: &GraphOptions,
    control: &Control,
) -> Result<VertexSolution, StopReason> {
    match Session::new(game, options) {
        Ok(mut session) => session.solve(questions, control),
        Err(StopReason::Unsupported(_)) => solve_by_regions(game, questions, options, control),
        Err(reason) => Err(reason),
    }
}

/// A board with a position on it, and everything that was found out about the board.
#[derive(Debug)]
pub struct Session {
    engine: Box<dyn Engine>,
    /// The vertex of each cell.
    vertices: Vec<usize>,
    moves: Vec<(usize, usize)>,
    turn: usize,
    ground: Ground,
    /// The stones of both players when the session began.
    stones: [Vec<usize>; 2],
}

impl Session {
    /// The most free vertices and chains together.
    pub const MOST_CELLS: usize = 256;

    /// Begins with a position.
    ///
    /// # Errors
    /// [`StopReason::Unsupported`] for boards with more than [`Session::MOST_CELLS`] cells.
    ///
    /// # Panics
    /// If there are not two or three different terminals, or a stone is not on a vertex, on a terminal or on another player's stone.
    pub fn new(game: &VertexGame<'_>, options: &GraphOptions) -> Result<Self, StopReason> {
        let mut different = game.terminals.to_vec();
        different.sort_unstable();
        different.dedup();
        assert!(different.len() == game.terminals.len() && matches!(different.len(), 2 | 3), "two or three terminals");
        let mut owned = vec![false; game.graph.vertices()];
        game.short.iter().for_each(|&stone| owned[stone] = true);
        assert!(game.cut.iter().all(|&stone| !owned[stone]), "one owner a vertex");
        assert!(![game.short, game.cut].concat().iter().any(|stone| game.terminals.contains(stone)), "free terminals");
        let free = game.graph.vertices() - game.terminals.len() - game.short.len() - game.cut.len();
        let too_many = |count: usize| {
            Err(StopReason::Unsupported(format!("{count} cells on a graph, more than {}", Session::MOST_CELLS)))
        };
        if free > Session::MOST_CELLS {
            return too_many(free);
        }
        let plan = Plan::new(game, options.dual_graph);
        let engine: Box<dyn Engine> = match plan.cells() {
            0..=64 => Box::new(OfWidth::<1>::new(&plan, options)),
            65..=128 => Box::new(OfWidth::<2>::new(&plan, options)),
            129..=Session::MOST_CELLS => Box::new(OfWidth::<4>::new(&plan, options)),
            count => return too_many(count),
        };
        let turn = if game.short_to_move { SHORT } else { CUT };
        let ground = Ground::new(game.graph, game.terminals);
        let stones = [game.short.to_vec(), game.cut.to_vec()];
        Ok(Session { engine, vertices: plan.vertices, moves: Vec::new(), turn, ground, stones })
    }

    /// Whether Short is to move.
    pub fn short_to_move(&self) -> bool {
        self.turn == SHORT
    }

    /// Gives the move to Short or to Cut.
    pub fn set_turn(&mut self, short_to_move: bool) {
        self.turn = if short_to_move { SHORT } else { CUT };
    }

    /// The player to move takes a vertex. False if that is impossible.
    pub fn play(&mut self, vertex: usize) -> bool {
        let Ok(cell) = self.vertices.binary_search(&vertex) else { return false };
        if self.moves.iter().any(|&(_, taken)| taken == cell) {
            return false;
        }
        self.moves.push((self.turn, cell));
        self.turn = 1 - self.turn;
        true
    }

    /// Takes the last move back. False if there is none.
    pub fn undo(&mut self) -> bool {
        let Some((turn, _)) = self.moves.pop() else { return false };
        self.turn = turn;
        true
    }

    /// How the player to move stands by one look, without search, and moves that are worth a thought, the most promising
    /// first: whatever is left out loses, or is no better than one that is there.
    pub fn appraise(&mut self) -> (Stand, Vec<usize>) {
        let (stand, cells) = self.engine.appraise(&self.moves, self.turn);
        (stand, cells.into_iter().map(|cell| self.vertices[cell]).collect())
    }

    /// The moves that are worth a thought, in the order in which the search would try them by what it has found out so far;
    /// none where it is solved.
    pub fn promising(&mut self) -> Vec<usize> {
        let cells = self.engine.promising(&self.moves, self.turn);
        cells.into_iter().map(|cell| self.vertices[cell]).collect()
    }

    /// The proof numbers of a win and of a loss of the player to move, by what the search has found out so far: 1 and 1 of a
    /// position that it never met, `None` where it is solved.
    pub fn proof_numbers(&mut self) -> Option<(u32, u32)> {
        self.engine.proof_numbers(&self.moves, self.turn)
    }

    /// Who wins the position and inside which free vertices, if that was found out already: whether it is Short.
    pub fn settled(&mut self) -> Option<(bool, Vec<usize>)> {
        let (winner, cells) = self.engine.settled(&self.moves, self.turn)?;
        Some((winner == SHORT, cells.into_iter().map(|cell| self.vertices[cell]).collect()))
    }

    /// Takes in who wins the position, inside some free vertices. False if it was found out that the other one does.
    pub fn settle(&mut self, short_wins: bool, trace: &[usize]) -> bool {
        let cells: Vec<usize> = trace.iter().filter_map(|vertex| self.vertices.binary_search(vertex).ok()).collect();
        self.engine.settle(&self.moves, self.turn, if short_wins { SHORT } else { CUT }, &cells)
    }

    /// Goes on with the position for some expansions, where it was stopped the last time if that was for
    /// [`StopReason::Nodes`]: whether Short wins, and free vertices inside which the winner does.
    ///
    /// # Errors
    /// The reason to stop before the answer was known.
    pub fn go_on(&mut self, expansions: u64, control: &Control) -> Result<(bool, Vec<usize>), StopReason> {
        let (winner, cells) = self.engine.go_on(&self.moves, self.turn, expansions, control)?;
        Ok((winner == SHORT, cells.into_iter().map(|cell| self.vertices[cell]).collect()))
    }

    /// From now on it is noted what other sessions are to be told: what took so many expansions, or more.
    pub fn exchange(&mut self, least: u32) {
        self.engine.exchange(least);
    }

    /// What was found out since the last time.
    pub fn news(&mut self) -> News {
        self.engine.news()
    }

    /// Takes in what another session has found out about the same board. False if some of it cannot be, or says the opposite
    /// of what is known here.
    pub fn learn(&mut self, facts: &[Fact]) -> bool {
        self.engine.learn(facts)
    }

    /// Another session has gone from one way to another one.
    pub fn move_other(&mut self, from: &[u128], to: &[u128]) {
        self.engine.move_other(from, to);
    }

    /// Solves the position.
    ///
    /// # Errors
    /// The reason to stop before the answer was known. What was found out is kept, so asking again goes on from there.
    pub fn solve(&mut self, questions: Questions, control: &Control) -> Result<VertexSolution, StopReason> {
        let found = self.engine.answer(&self.moves, self.turn, questions, control)?;
        let strategy = if questions.strategy {
            let added = self.moves.iter().filter(|&&(player, _)| player == found.winner);
            let mut stones = self.stones[found.winner].clone();
            stones.extend(added.map(|&(_, cell)| self.vertices[cell]));
            let question =
                Writing { winner: found.winner, ground: &self.ground, vertices: &self.vertices, stones: &stones };
            Some(self.engine.strategy(&self.moves, self.turn, &question, control)?)
        } else {
            None
        };
        let tree = match questions.tree {
            true => Some(self.engine.tree(&self.moves, self.turn, found.winner, control)?),
            false => None,
        };
        let tree = tree.map(|(parts, cells)| (parts, cells.into_iter().map(|cell| self.vertices[cell]).collect()));
        let vertices = |cells: Vec<usize>| cells.into_iter().map(|cell| self.vertices[cell]).collect();
        let mut statistics = Statistics::default();
        (statistics.engine, statistics.time) = ("graph", control.elapsed());
        for (name, count) in self.engine.counts() {
            statistics.add(name, count);
        }
        Ok(VertexSolution {
            short_wins: found.winner == SHORT,
            moves: vertices(found.moves),
            unlisted: found.unlisted,
            trace: vertices(found.trace),
            line: vertices(found.line),
            strategy,
            tree,
            statistics,
        })
    }
}

/// An answer in cells.
struct Answer {
    winner: usize,
    moves: Vec<usize>,
    unlisted: Option<StopReason>,
    trace: Vec<usize>,
    line: Vec<usize>,
}

/// Whose strategy is wanted, and what its writer needs to know of the board.
struct Writing<'a> {
    winner: usize,
    ground: &'a Ground,
    vertices: &'a [usize],
    stones: &'a [usize],
}

/// The engine for boards of some size.
trait Engine: std::fmt::Debug + Send {
    fn answer(
        &mut self,
        moves: &[(usize, usize)],
        turn: usize,
        questions: Questions,
        control: &Control,
    ) -> Result<Answer, StopReason>;

    fn strategy(
        &mut self,
        moves: &[(usize, usize)],
        turn: usize,
        writing: &Writing<'_>,
        control: &Control,
    ) -> Result<Strategy, StopReason>;

    fn tree(
        &mut self,
        moves: &[(usize, usize)],
        turn: usize,
        winner: usize,
        control: &Control,
    ) -> Result<(Vec<AutotreePart>, Vec<usize>), StopReason>;

    fn appraise(&mut self, moves: &[(usize, usize)], turn: usize) -> (Stand, Vec<usize>);

    fn promising(&mut self, moves: &[(usize, usize)], turn: usize) -> Vec<usize>;

    fn proof_numbers(&mut self, moves: &[(usize, usize)], turn: usize) -> Option<(u32, u32)>;

    fn go_on(
        &mut self,
        moves: &[(usize, usize)],
        turn: usize,
        expansions: u64,
        control: &Control,
    ) -> Result<(usize, Vec<usize>), StopReason>;

    fn settled(&mut self, moves: &[(usize, usize)], turn: usize) -> Option<(usize, Vec<usize>)>;

    fn settle(&mut self, moves: &[(usize, usize)], turn: usize, winner: usize, trace: &[usize]) -> bool;

    fn exchange(&mut self, least: u32);

    fn news(&mut self) -> News;

    fn learn(&mut self, facts: &[Fact]) -> bool;

    fn move_other(&mut self, from: &[u128], to: &[u128]);

    fn counts(&self) -> Vec<(&'static str, u64)>;
}

#[derive(Debug)]
struct OfWidth<const W: usize> {
    search: Search<W>,
}

impl<const W: usize> OfWidth<W> {
    fn new(plan: &Plan, options: &GraphOptions) -> Self {
        OfWidth { search: Search::new(Board::new(plan), options) }
    }

    fn begin_answer(&mut self, control: &Control) {
        self.search.begin_answer();
        if let Some(bytes) = control.limits().memory {
            self.search.table.restrict(usize::try_from(bytes / 2).unwrap_or(usize::MAX));
        }
    }

    /// The position after these moves, not filled.
    fn root(&self, moves: &[(usize, usize)]) -> State<W> {
        let mut root = State::new(&self.search.board);
        moves.iter().for_each(|&(player, cell)| root.play(cell, player));
        root
    }
}

impl<const W: usize> Engine for OfWidth<W> {
    fn answer(
        &mut self,
        moves: &[(usize, usize)],
        turn: usize,
        questions: Questions,
        control: &Control,
    ) -> Result<Answer, StopReason> {
        self.begin_answer(control);
        let root = self.root(moves);
        let expansions = questions.expansions.unwrap_or(u64::MAX);
        let outcome = self.search.within(expansions, |search| search.solve_with_move(&root, turn, control))?;
        let (moves, unlisted) = match outcome.cell {
            Some(first) if questions.all_moves => self.search.all_moves(&root, turn, first, control),
            first => (first.into_iter().collect(), None),
        };
        let mut trace = outcome.trace & root.empty;
        if questions.small_trace {
            trace = self.search.shrink(&root, turn, outcome.winner, trace, control)?;
        }
        let trace = trace.iter().collect();
        let line = if questions.line { self.search.line(&root, turn, &outcome, control) } else { Vec::new() };
        Ok(Answer { winner: outcome.winner, moves, unlisted, trace, line })
    }

    fn strategy(
        &mut self,
        moves: &[(usize, usize)],
        turn: usize,
        writing: &Writing<'_>,
        control: &Control,
    ) -> Result<Strategy, StopReason> {
        let Writing { winner, ground, vertices, stones } = *writing;
        self.search.strategy(&self.root(moves), turn, winner, ground, vertices, stones, control)
    }

    fn tree(
        &mut self,
        moves: &[(usize, usize)],
        turn: usize,
        winner: usize,
        control: &Control,
    ) -> Result<(Vec<AutotreePart>, Vec<usize>), StopReason> {
        self.search.autotree(&self.root(moves), turn, winner, control)
    }

    fn appraise(&mut self, moves: &[(usize, usize)], turn: usize) -> (Stand, Vec<usize>) {
        self.search.appraise(&self.root(moves), turn)
    }

    fn promising(&mut self, moves: &[(usize, usize)], turn: usize) -> Vec<usize> {
        self.search.promising(&self.root(moves), turn)
    }

    fn proof_numbers(&mut self, moves: &[(usize, usize)], turn: usize) -> Option<(u32, u32)> {
        self.search.proof_numbers(&self.root(moves), turn)
    }

    fn go_on(
        &mut self,
        moves: &[(usize, usize)],
        turn: usize,
        expansions: u64,
        control: &Control,
    ) -> Result<(usize, Vec<usize>), StopReason> {
        self.begin_answer(control);
        let root = self.root(moves);
        let outcome = self.search.go_on(&root, turn, expansions, control)?;
        Ok((outcome.winner, (outcome.trace & root.empty).iter().collect()))
    }

    fn settled(&mut self, moves: &[(usize, usize)], turn: usize) -> Option<(usize, Vec<usize>)> {
        let (winner, trace) = self.search.settled(&self.root(moves), turn)?;
        Some((winner, trace.iter().collect()))
    }

    fn settle(&mut self, moves: &[(usize, usize)], turn: usize, winner: usize, trace: &[usize]) -> bool {
        let trace: Mask<W> = trace.iter().copied().collect();
        self.search.settle(&self.root(moves), turn, winner, trace)
    }

    fn exchange(&mut self, least: u32) {
        self.search.table.exchange(least);
    }

    fn news(&mut self) -> News {
        self.search.news()
    }

    fn learn(&mut self, facts: &[Fact]) -> bool {
        self.search.learn(facts)
    }

    fn move_other(&mut self, from: &[u128], to: &[u128]) {
        self.search.move_other(from, to);
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        self.search.counts()
    }
}

//! The winner's strategy, written down so that [`crate::check`] can judge it without knowing this engine.
//!
//! The same search plays it. Wherever the opponent is to move, the position is solved, and everything outside the winner's
//! trace goes to the opponent. Then the opponent is given a cell of the trace, the answer to it is worked out, and that
//! answer serves all replies which leave it the cells it needs; so the next reply is chosen among the cells that all
//! answers so far need, until there are none. Small rests in which the winner only has to get one cell of every pair
//! become leaves. The positions are not filled: captured cells have to be played out.
//!
//! Elements of the strategy are vertices, and Short is MAX. Of the stones a leaf names those of a shortest chain, or of
//! a cut next to what the first terminal can reach.

use super::board::{CUT, SHORT};
use super::fill::State;
use super::search::Search;
use crate::control::{Control, StopReason};
use crate::formula::{Lit, Player, Strategy, StrategyNode, Var};
use crate::graph::{Adjacency, Graph};
use crate::rows::mask::Mask;
use rustc_hash::FxHashMap;

/// The most cells that are tried as pairs: six have fifteen ways to pair them.
const MOST_PAIRED: usize = 6;

/// The board as the leaves of a strategy see it.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    adjacency: Adjacency,
    vertices: usize,
    terminals: Vec<usize>,
}

impl Ground {
    pub(super) fn new(graph: &Graph, terminals: &[usize]) -> Self {
        Ground { adjacency: graph.adjacency(), vertices: graph.vertices(), terminals: terminals.to_vec() }
    }

    /// Stones with which the winner has won, no matter who gets the rest; `None` if the winner has not.
    fn reason(&self, winner: usize, owns: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
        let [s, t] = self.terminals[..] else { return self.reason_of_three(winner, owns) };
        let mut before = vec![usize::MAX; self.vertices];
        before[s] = s;
        let mut queue = std::collections::VecDeque::from([s]);
        let mut cut = Vec::new();
        while let Some(vertex) = queue.pop_front() {
            for &(to, _) in self.adjacency.of(vertex) {
                let to = to as usize;
                if before[to] != usize::MAX {
                    continue;
                }
                before[to] = vertex;
                if winner == CUT && owns(to) {
                    cut.push(to);
                } else if winner == CUT || to == t || owns(to) {
                    queue.push_back(to);
                }
            }
        }
        // A vertex that is only touched, not passed, is not reached.
        let reached = before[t] != usize::MAX;
        if winner == CUT {
            return (!reached).then_some(cut);
        }
        let mut path = Vec::new();
        let mut vertex = t;
        while reached && before[vertex] != s {
            vertex = before[vertex];
            path.push(vertex);
        }
        reached.then_some(path)
    }

    /// The same for three terminals: stones of which none can be left out.
    fn reason_of_three(&self, winner: usize, owns: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
        let mut stones: Vec<usize> =
            (0..self.vertices).filter(|vertex| !self.terminals.contains(vertex) && owns(*vertex)).collect();
        let mut has = vec![false; self.vertices];
        stones.iter().for_each(|&stone| has[stone] = true);
        // Short needs a chain of its stones, Cut that there is none of what is not its own.
        let wins = |has: &[bool]| self.has_chain(|vertex| has[vertex] == (winner == SHORT)) == (winner == SHORT);
        if !wins(&has) {
            return None;
        }
        stones.retain(|&stone| {
            has[stone] = false;
            has[stone] = !wins(&has);
            has[stone]
        });
        Some(stones)
    }

    /// Whether a connected set of such vertices touches all terminals.
    fn has_chain(&self, owns: impl Fn(usize) -> bool) -> bool {
        let mut seen = vec![false; self.vertices];
        self.terminals.iter().for_each(|&terminal| seen[terminal] = true);
        let all = (1u8 << self.terminals.len()) - 1;
        for start in 0..self.vertices {
            if std::mem::replace(&mut seen[start], true) || !owns(start) {
                continue;
            }
            let (mut stack, mut touched) = (vec![start], 0u8);
            while let Some(vertex) = stack.pop() {
                for &(to, _) in self.adjacency.of(vertex) {
                    let to = to as usize;
                    if let Some(which) = self.terminals.iter().position(|&terminal| terminal == to) {
                        touched |= 1 << which;
                    } else if !seen[to] && owns(to) {
                        seen[to] = true;
                        stack.push(to);
                    }
                }
            }
            if touched == all {
                return true;
            }
        }
        false
    }
}

/// What has to be done after the node below is there.
enum Frame<const W: usize> {
    /// The winner's move.
    Move(usize),
    /// The opponent's replies.
    Replies {
        own: Mask<W>,
        trace: Mask<W>,
        /// Cells that all answers so far need.
        must: Mask<W>,
        any: Vec<u32>,
        open: Mask<W>,
    },
}

/// What to do next.
enum Step<const W: usize> {
    /// The winner, who has added `own`, is to move; what is outside the region is the opponent's.
    First(Mask<W>, Mask<W>),
    /// The same with the opponent to move.
    Second(Mask<W>, Mask<W>),
    /// A node is there, and needs these cells.
    Done(u32, Mask<W>),
}

struct Writer<'a, const W: usize> {
    search: &'a mut Search<W>,
    root: &'a State<W>,
    ground: &'a Ground,
    /// The vertex of each free cell.
    vertices: &'a [usize],
    /// The winner's stones on the board.
    stones: &'a [usize],
    winner: usize,
    strategy: Strategy,
    /// Nodes with the opponent to move, by what the winner has added and needs.
    known: FxHashMap<(Mask<W>, Mask<W>), (u32, Mask<W>)>,
}

impl<const W: usize> Search<W> {
    /// The winner's strategy in a position that is solved.
    ///
    /// # Errors
    /// The reason to stop before it is complete, and [`StopReason::Memory`] if it would be too large.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn strategy(
        &mut self,
        root: &State<W>,
        turn: usize,
        winner: usize,
        ground: &Ground,
        vertices: &[usize],
        stones: &[usize],
        control: &Control,
    ) -> Result<Strategy, StopReason> {
        let player = if winner == SHORT { Player::Max } else { Player::Min };
        let strategy = Strategy::new(player);
        let known = FxHashMap::default();
        let mut writer = Writer { search: self, root, ground, vertices, stones, winner, strategy, known };
        let all = root.empty;
        writer.write(
            if turn == winner { Step::First(Mask::default(), all) } else { Step::Second(Mask::default(), all) },
            control,
        )?;
        Ok(writer.strategy)
    }
}

impl<const W: usize> Writer<'_, W> {
    fn write(&mut self, mut step: Step<W>, control: &Control) -> Result<(), StopReason> {
        let mut frames: Vec<Frame<W>> = Vec::new();
        loop {
            step = match step {
                Step::First(own, region) => {
                    if let Some(leaf) = self.leaf(own, Mask::default()) {
                        Step::Done(leaf, Mask::default())
                    } else {
                        let state = self.state(own, region);
                        let outcome = self.search.solve_with_move(&state, self.winner, control)?;
                        let Some(cell) = outcome.cell.filter(|_| outcome.winner == self.winner) else {
                            return Err(contradiction());
                        };
                        let mut rest = region;
                        rest.remove(cell);
                        frames.push(Frame::Move(cell));
                        Step::Second(own | Mask::single(cell), rest)
                    }
                }
                Step::Second(own, region) => {
                    let state = self.state(own, region);
                    let outcome = self.search.solve(&state, 1 - self.winner, control)?;
                    if outcome.winner != self.winner {
                        return Err(contradiction());
                    }
                    let trace = self.shrink(own, outcome.trace & region, control)?;
                    if let Some(&(node, open)) = self.known.get(&(own, trace)) {
                        Step::Done(node, open)
                    } else if let Some(leaf) = self.leaf(own, trace) {
                        let open = if trace.len() <= MOST_PAIRED { trace } else { Mask::default() };
                        self.known.insert((own, trace), (leaf, open));
                        Step::Done(leaf, open)
                    } else {
                        let Some(reply) = trace.lowest() else { return Err(contradiction()) };
                        let (any, open) = (Vec::new(), Mask::default());
                        frames.push(Frame::Replies { own, trace, must: trace, any, open });
                        Step::First(own, trace.minus(Mask::single(reply)))
                    }
                }
                Step::Done(node, needed) => match frames.pop() {
                    None => return Ok(()),
                    Some(Frame::Move(cell)) => {
                        let number =
                            self.push(StrategyNode::Move { lit: self.lit(self.vertices[cell]), child: node })?;
                        Step::Done(number, needed | Mask::single(cell))
                    }
                    Some(Frame::Replies { own, trace, mut must, mut any, mut open }) => {
                        any.push(node);
                        must &= needed;
                        open |= needed;
                        if let Some(reply) = must.lowest() {
                            frames.push(Frame::Replies { own, trace, must, any, open });
                            Step::First(own, trace.minus(Mask::single(reply)))
                        } else {
                            let number = self.push(StrategyNode::Replies { any: &any, lits: &[], after: &[] })?;
                            self.known.insert((own, trace), (number, open));
                            Step::Done(number, open)
                        }
                    }
                },
            };
        }
    }

    /// Leaves out cells of a trace as long as the winner, who has added `own`, wins without them moving second.
    fn shrink(&mut self, own: Mask<W>, trace: Mask<W>, control: &Control) -> Result<Mask<W>, StopReason> {
        let state = self.state(own, trace);
        self.search.shrink(&state, 1 - self.winner, self.winner, trace, control)
    }

    fn push(&mut self, node: StrategyNode<'_>) -> Result<u32, StopReason> {
        if self.strategy.size() > Strategy::LIMIT / 2 || self.strategy.len() > Strategy::LIMIT / 2 {
            return Err(StopReason::Memory);
        }
        Ok(self.strategy.push(node))
    }

    fn lit(&self, vertex: usize) -> Lit {
        Var::from_index(vertex).lit(self.winner == SHORT)
    }

    /// The position in which the winner has added `own`, and the opponent has all but the region.
    fn state(&self, own: Mask<W>, region: Mask<W>) -> State<W> {
        let mut state = self.root.clone();
        own.iter().for_each(|cell| state.play(cell, self.winner));
        let given = self.root.empty.minus(own | region);
        given.iter().for_each(|cell| state.play(cell, 1 - self.winner));
        state
    }

    /// A leaf, if the winner has won, or has to get one cell of each of some pairs that make up `open`. It needs nothing
    /// or all of `open`.
    fn leaf(&mut self, own: Mask<W>, open: Mask<W>) -> Option<u32> {
        let reason = |more: &[usize]| {
            let has = |vertex: usize| {
                self.stones.contains(&vertex)
                    || self.vertices.binary_search(&vertex).is_ok_and(|cell| own.contains(cell) || more.contains(&cell))
            };
            self.ground.reason(self.winner, has)
        };
        if open.is_empty() || open.len() > MOST_PAIRED {
            let holds: Vec<Lit> = reason(&[])?.into_iter().map(|vertex| self.lit(vertex)).collect();
            return self.push(StrategyNode::Leaf { holds: &holds, pairs: &[] }).ok();
        }
        let cells: Vec<usize> = open.iter().collect();
        let pairs = pairings(&cells).into_iter().find(|pairs| {
            (0..1usize << (pairs.len() / 2)).all(|choice| {
                let chosen: Vec<usize> = pairs.chunks(2).enumerate().map(|(at, two)| two[choice >> at & 1]).collect();
                reason(&chosen).is_some()
            })
        })?;
        // Whatever the choice, its reason holds; what the reasons hold of the stones is needed.
        let mut holds: Vec<usize> = Vec::new();
        for choice in 0..1usize << (pairs.len() / 2) {
            let chosen: Vec<usize> = pairs.chunks(2).enumerate().map(|(at, two)| two[choice >> at & 1]).collect();
            holds.extend(reason(&chosen)?);
        }
        let paired: Vec<usize> = pairs.iter().map(|&cell| self.vertices[cell]).collect();
        holds.retain(|vertex| !paired.contains(vertex));
        holds.sort_unstable();
        holds.dedup();
        let lits = |vertices: &[usize]| vertices.iter().map(|&vertex| self.lit(vertex)).collect::<Vec<Lit>>();
        let (holds, paired) = (lits(&holds), lits(&paired));
        self.push(StrategyNode::Leaf { holds: &holds, pairs: &paired }).ok()
    }
}

fn contradiction() -> StopReason {
    StopReason::Contradiction("the winner of a position does not win it when its strategy is written".to_owned())
}

/// All ways to pair the cells, each as one list; none if their number is odd.
fn pairings(cells: &[usize]) -> Vec<Vec<usize>> {
    if cells.len() % 2 == 1 {
        return Vec::new();
    }
    let mut lists = vec![(Vec::new(), cells.to_vec())];
    while lists.first().is_some_and(|(_, rest)| !rest.is_empty()) {
        let mut longer = Vec::new();
        for (pairs, rest) in lists {
            for partner in 1..rest.len() {
                let mut pairs: Vec<usize> = pairs.clone();
                pairs.extend([rest[0], rest[partner]]);
                let others = rest[1..].iter().copied().filter(|&cell| cell != rest[partner]).collect();
                longer.push((pairs, others));
            }
        }
        lists = longer;
    }
    lists.into_iter().map(|(pairs, _)| pairs).collect()
}

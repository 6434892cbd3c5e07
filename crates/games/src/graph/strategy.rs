//! The winner's strategy, written down so that [`gamesat_check`] can judge it without knowing this engine.
//!
//! The same search plays it. Wherever the opponent is to move, the position is solved, and everything outside the winner's
//! trace goes to the opponent. Then the opponent is given a cell of the trace, the answer to it is worked out, and that
//! answer serves all replies which leave it the cells it needs; so the next reply is chosen among the cells that all
//! answers so far need, until there are none. Rests in which the winner only has to get one cell of every pair
//! become leaves. The positions are not filled: captured cells have to be played out.
//!
//! Small traces make small files, so cells are left out of them wherever a few expansions show that they are not needed.
//! What is written claims that the winner wins with some stones inside some cells, the opponent to move; it serves every
//! position with these stones and cells, and whenever a move leads to such a position no other one is looked for.
//!
//! Elements of the strategy are vertices, and Short is MAX. Of the stones a leaf names those of a shortest chain, or of
//! a cut next to what the first terminal can reach.

use super::board::{CUT, SHORT};
use super::fill::State;
use super::pairs::{Effort, is_blocked, pairing};
use super::search::Search;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Player, Strategy, StrategyNode, Var};
use gamesat_core::graph::{Adjacency, Graph};
use gamesat_rows::mask::Mask;

/// The most cells that are tried as pairs: six have fifteen ways to pair them.
const MOST_PAIRED: usize = 6;

/// Paths that are looked at for pairs among more cells.
const MOST_PATHS: usize = 60;

/// Expansions that may be spent on leaving a cell out of a trace.
const FEW: u64 = 8;

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
        claim: Claim<W>,
    },
}

/// What to do next.
enum Step<const W: usize> {
    /// The winner, who has added `own`, is to move; what is outside the region is the opponent's.
    First(Mask<W>, Mask<W>),
    /// The same with the opponent to move.
    Second(Mask<W>, Mask<W>),
    /// A node is there.
    Done(u32, Claim<W>),
}

/// What the winner needs, in cells of the board that are free at the root.
#[derive(Clone, Copy, Debug, Default)]
struct Claim<const W: usize> {
    /// Stones that it has added.
    holds: Mask<W>,
    /// Cells without stones.
    open: Mask<W>,
}

impl<const W: usize> Claim<W> {
    fn and(self, other: Self) -> Self {
        Claim { holds: self.holds | other.holds, open: self.open | other.open }
    }
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
    /// Nodes with the opponent to move.
    known: Vec<(Claim<W>, u32)>,
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
        let known = Vec::new();
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
                    if let Some((leaf, claim)) = self.leaf(own, Mask::default()) {
                        Step::Done(leaf, claim)
                    } else if let Some((cell, claim, node)) = self.known_move(own, region) {
                        frames.push(Frame::Move(cell));
                        Step::Done(node, claim)
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
                    if let Some((claim, node)) = self.known(own, region) {
                        step = Step::Done(node, claim);
                        continue;
                    }
                    let state = self.state(own, region);
                    let outcome = self.search.solve(&state, 1 - self.winner, control)?;
                    if outcome.winner != self.winner {
                        return Err(contradiction());
                    }
                    let trace = self.shrink(own, outcome.trace & region, control)?;
                    if let Some((claim, node)) = self.known(own, trace) {
                        Step::Done(node, claim)
                    } else if let Some((leaf, claim)) = self.leaf(own, trace) {
                        self.known.push((claim, leaf));
                        Step::Done(leaf, claim)
                    } else {
                        let Some(reply) = trace.lowest() else { return Err(contradiction()) };
                        let (any, claim) = (Vec::new(), Claim::default());
                        frames.push(Frame::Replies { own, trace, must: trace, any, claim });
                        Step::First(own, trace.minus(Mask::single(reply)))
                    }
                }
                Step::Done(node, needed) => match frames.pop() {
                    None => return Ok(()),
                    Some(Frame::Move(cell)) => {
                        let number =
                            self.push(StrategyNode::Move { lit: self.lit(self.vertices[cell]), child: node })?;
                        let taken = Mask::single(cell);
                        Step::Done(number, Claim { holds: needed.holds.minus(taken), open: needed.open | taken })
                    }
                    Some(Frame::Replies { own, trace, mut must, mut any, claim }) => {
                        any.push(node);
                        must &= needed.open;
                        let claim = claim.and(needed);
                        if let Some(reply) = must.lowest() {
                            frames.push(Frame::Replies { own, trace, must, any, claim });
                            Step::First(own, trace.minus(Mask::single(reply)))
                        } else {
                            let number = self.push(StrategyNode::Replies { any: &any, lits: &[], after: &[] })?;
                            self.known.push((claim, number));
                            Step::Done(number, claim)
                        }
                    }
                },
            };
        }
    }

    /// A node that serves the winner, who has added `own`, inside a region, the opponent to move: the one that needs least.
    fn known(&self, own: Mask<W>, region: Mask<W>) -> Option<(Claim<W>, u32)> {
        let fits = |claim: &Claim<W>| claim.open.is_subset(&region) && claim.holds.is_subset(&own);
        self.known.iter().filter(|(claim, _)| fits(claim)).min_by_key(|(claim, _)| claim.open.len()).copied()
    }

    /// A move to a position that a node serves.
    fn known_move(&self, own: Mask<W>, region: Mask<W>) -> Option<(usize, Claim<W>, u32)> {
        let cell = |claim: &Claim<W>| {
            let lacking = claim.holds.minus(own);
            let free = region.minus(claim.open);
            let cells = if lacking.is_empty() { free } else { free & lacking };
            let fits = claim.open.is_subset(&region) && (lacking.is_empty() || lacking.is_single());
            cells.lowest().filter(|_| fits)
        };
        let moves = self.known.iter().filter_map(|&(claim, node)| Some((cell(&claim)?, claim, node)));
        moves.min_by_key(|(_, claim, _)| claim.open.len())
    }

    /// Leaves out cells of a trace as long as the winner, who has added `own`, is soon seen to win without them moving second.
    fn shrink(&mut self, own: Mask<W>, mut trace: Mask<W>, control: &Control) -> Result<Mask<W>, StopReason> {
        for cell in trace.iter() {
            if !trace.contains(cell) {
                continue;
            }
            let without = trace.minus(Mask::single(cell));
            let state = self.state(own, without);
            match self.search.within(FEW, |search| search.solve(&state, 1 - self.winner, control)) {
                Ok(outcome) if outcome.winner == self.winner => trace = outcome.trace & without,
                Ok(_) | Err(StopReason::Nodes) => {}
                Err(reason) => return Err(reason),
            }
            // A limit of the user's is no reason to keep a cell.
            control.poller().poll(self.search.tally.expansions - self.search.before.expansions)?;
        }
        Ok(trace)
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

    /// A leaf, if the winner has won, or has to get one cell of each of some pairs in a region.
    fn leaf(&mut self, own: Mask<W>, region: Mask<W>) -> Option<(u32, Claim<W>)> {
        let (pairs, holds) = match self.reason(own, Mask::default()) {
            Some(holds) => (Vec::new(), holds),
            None => {
                let pairs = self.pairs(own, region)?;
                let holds = self.stones_with(own, &pairs)?;
                (pairs, holds)
            }
        };
        let open = pairs.iter().flatten().copied().collect();
        let added = holds.iter().filter_map(|vertex| self.vertices.binary_search(vertex).ok());
        let claim = Claim { holds: added.collect(), open };
        let paired: Vec<Lit> = pairs.iter().flatten().map(|&cell| self.lit(self.vertices[cell])).collect();
        let holds: Vec<Lit> = holds.into_iter().map(|vertex| self.lit(vertex)).collect();
        Some((self.push(StrategyNode::Leaf { holds: &holds, pairs: &paired }).ok()?, claim))
    }

    /// Pairs of which the winner needs one cell each: every way to pair few cells is tried, among more cells those on the
    /// opponent's paths.
    fn pairs(&self, own: Mask<W>, region: Mask<W>) -> Option<Vec<[usize; 2]>> {
        if region.len() <= MOST_PAIRED {
            let cells: Vec<usize> = region.iter().collect();
            let wins = |pairs: &Vec<[usize; 2]>| choices(pairs).all(|chosen| self.reason(own, chosen).is_some());
            return pairings(&cells).into_iter().find(wins);
        }
        let board = &self.search.board;
        let against = board.networks.get(1 - self.winner).filter(|_| board.terminals == 2)?;
        let stones = self.root.own[1 - self.winner] | self.root.empty.minus(own | region);
        pairing(against, stones, region, Effort { paths: MOST_PATHS, few: false })
    }

    /// Stones with which the winner has won, once it has `own` and `more`.
    fn reason(&self, own: Mask<W>, more: Mask<W>) -> Option<Vec<usize>> {
        let has = |vertex: usize| {
            self.stones.contains(&vertex)
                || self.vertices.binary_search(&vertex).is_ok_and(|cell| own.contains(cell) || more.contains(cell))
        };
        self.ground.reason(self.winner, has)
    }

    /// The winner's stones that count for some choice between the cells of each pair; if there are many choices, all on the
    /// board, and of those that were added the ones without which the opponent has a path that contains no pair.
    fn stones_with(&self, own: Mask<W>, pairs: &[[usize; 2]]) -> Option<Vec<usize>> {
        let mut holds: Vec<usize> = Vec::new();
        if pairs.len() <= MOST_PAIRED {
            for chosen in choices(pairs) {
                holds.extend(self.reason(own, chosen)?);
            }
            holds.retain(|vertex| !pairs.iter().flatten().any(|&cell| self.vertices[cell] == *vertex));
        } else {
            let against = self.search.board.networks.get(1 - self.winner)?;
            let open = pairs.iter().flatten().copied().collect();
            let mut needed = own;
            for stone in own.iter() {
                let fewer = needed.minus(Mask::single(stone));
                let stones = self.root.own[1 - self.winner] | self.root.empty.minus(fewer | open);
                if is_blocked(against, stones, open, pairs) {
                    needed = fewer;
                }
            }
            holds.extend(self.stones.iter().copied().chain(needed.iter().map(|cell| self.vertices[cell])));
        }
        holds.sort_unstable();
        holds.dedup();
        Some(holds)
    }
}

/// One cell of each pair, in every way.
fn choices<const W: usize>(pairs: &[[usize; 2]]) -> impl Iterator<Item = Mask<W>> + '_ {
    (0..1usize << pairs.len()).map(|choice| pairs.iter().enumerate().map(|(at, pair)| pair[choice >> at & 1]).collect())
}

fn contradiction() -> StopReason {
    StopReason::Contradiction("the winner of a position does not win it when its strategy is written".to_owned())
}

/// All ways to pair the cells; none if their number is odd.
fn pairings(cells: &[usize]) -> Vec<Vec<[usize; 2]>> {
    if cells.len() % 2 == 1 {
        return Vec::new();
    }
    let mut lists = vec![(Vec::new(), cells.to_vec())];
    while lists.first().is_some_and(|(_, rest)| !rest.is_empty()) {
        let mut longer = Vec::new();
        for (pairs, rest) in lists {
            for &partner in &rest[1..] {
                let mut pairs: Vec<[usize; 2]> = pairs.clone();
                pairs.push([rest[0], partner]);
                let others = rest[1..].iter().copied().filter(|&cell| cell != partner).collect();
                longer.push((pairs, others));
            }
        }
        lists = longer;
    }
    lists.into_iter().map(|(pairs, _)| pairs).collect()
}

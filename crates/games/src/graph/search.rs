//! The search: depth-first proof numbers (Nagai 2002) with virtual widening, on reduced positions.
//!
//! Step by step, for the position on top of the stack:
//! 1. *Expand* it, the first time: the opponent's connections decide it or leave a mustplay (`near_misses` looks one move
//!    further); at `cut_stones` it falls into two; dominated cells are dropped; the rest is ordered by resistance; every move is
//!    played and filled once, which gives the places of the children in the table (with a `mirror`, those of their images too).
//! 2. *Settle* what is known of the children: a won one wins; a lost one is struck off, and every move outside its trace
//!    with it.
//! 3. *Add up* the proof numbers, looking for a win among the first few moves only, more of them as earlier ones fail.
//! 4. *Ascend* if it is solved or not the
//!    most promising any more, else *descend* into the best child.
//!
//! A mover's own connections are not built: the position before had the same ones as the opponent's and found no way to
//! win there, so only one expansion in twenty-five would profit. The currents that order moves are inherited from there
//! too. On 6x6 Hex that takes two percent more expansions and little more than half the time.
//!
//! **Traces.** A solved position knows a set of empty cells inside which its winner wins, even if all others go to the
//! loser. Of connections it is the carrier; of a won position a winning child's and the move; of a lost one the union over
//! the refuted moves, with some semi connections that leave the mustplay, and for a dropped cell in it a cell that
//! dominates it. The winner's captured cells are added on the way up, never the loser's, never dead ones.
//!
//! What did not pay: weak proof numbers (the greatest instead of the sum; 8x8 took twice the nodes), sums over the widened
//! moves only,
//! widening by 10, 20 or 30 percent instead of 15, thresholds of 1/2 or 1/8 above the second best.

use super::board::{Board, CUT, SHORT};
use super::connections::{Connections, Goals, Until};
use super::cut_stones::{first_part, same_part};
use super::fill::State;
use super::mirror::{Mirror, Place};
use super::news::{Fact, Told};
use super::order::Currents;
use super::pause::Paused;
use super::table::{Edge, Known, Node, Table};
use crate::options::GraphOptions;
use gamesat_core::control::{Control, StopReason, cpu_time};
use gamesat_rows::mask::Mask;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Expansions before other threads are called: most questions take fewer.
const ALONE: u64 = 256;

/// A proof number that no threshold reaches.
pub(super) const INFINITE: u32 = u32::MAX / 4;

/// Who wins, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome<const W: usize> {
    pub(super) winner: usize,
    /// Empty cells inside which the winner wins.
    pub(super) trace: Mask<W>,
    /// A winning move of the player to move, if the search came across one.
    pub(super) cell: Option<usize>,
}

/// A position on the way from the root.
#[derive(Clone)]
pub(super) struct Frame<const W: usize> {
    pub(super) place: Place,
    turn: usize,
    /// Its node, once it is expanded.
    node: Option<Box<Node<W>>>,
    phi_limit: u32,
    delta_limit: u32,
    /// Expansions before it was entered.
    since: u64,
}

/// How the player to move stands, by one look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stand {
    /// It wins, by fill or by a connection.
    Won,
    /// It loses.
    Lost,
    /// The logarithm of the opponent's resistance over its own: positive is good.
    Open(f64),
}

/// What is known after a look at a position.
enum Look<const W: usize> {
    Solved(Outcome<W>),
    /// Go on with this edge, under these limits.
    Open(usize, u32, u32),
    /// Another position is more promising.
    Exceeded,
}

/// What the search keeps between questions about one board.
#[derive(Clone, Debug)]
pub(super) struct Search<const W: usize> {
    pub(super) board: Board<W>,
    pub(super) options: GraphOptions,
    pub(super) table: Arc<Table<W>>,
    /// Other searches that share the table.
    pub(super) crew: Vec<Search<W>>,
    connections: Connections<W>,
    circuit: Currents,
    /// A symmetry of the board.
    mirror: Option<Mirror>,
    /// What the mover captures with each cell.
    mover_captures: Vec<Mask<W>>,
    pub(super) states: Vec<State<W>>,
    pub(super) child: State<W>,
    pub(super) tally: Tally,
    /// What was counted before the present answer.
    pub(super) before: Tally,
    /// Expansions at which the search stops whatever the limits say.
    most_expansions: u64,
    /// Where the search goes on.
    pub(super) paused: Option<Box<Paused<W>>>,
    /// Moves of the position that is looked at: cell, proof numbers, threads at work.
    numbers: Vec<(u16, u32, u32, u32)>,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) expansions: u64,
    pub(super) by_connection: u64,
    pub(super) hits: u64,
}

impl<const W: usize> Search<W> {
    pub(super) fn new(board: Board<W>, options: &GraphOptions) -> Self {
        Search {
            table: Arc::new(Table::new(options.graph_table, options.graph_threads > 1)),
            crew: Vec::new(),
            connections: Connections::new(board.cells, board.terminals),
            circuit: Currents::default(),
            mirror: options.symmetric_positions.then(|| Mirror::new(&board)).flatten(),
            mover_captures: vec![Mask::default(); board.cells],
            states: Vec::new(),
            child: State::default(),
            tally: Tally::default(),
            before: Tally::default(),
            most_expansions: u64::MAX,
            paused: None,
            numbers: Vec::new(),
            options: options.clone(),
            board,
        }
    }

    /// From now on everything is counted anew.
    pub(super) fn begin_answer(&mut self) {
        self.before = self.tally;
        self.connections.added = [0; 2];
        self.crew.iter_mut().for_each(Search::begin_answer);
    }

    /// What was counted for the present answer, and the size of the table.
    pub(super) fn counts(&self) -> Vec<(&'static str, u64)> {
        let mut added = self.connections.added;
        for member in &self.crew {
            added.iter_mut().zip(member.connections.added).for_each(|(sum, more)| *sum += more);
        }
        let [fulls, semis] = added;
        vec![
            ("nodes", self.tally.expansions - self.before.expansions),
            ("solved_by_connection", self.tally.by_connection - self.before.by_connection),
            ("settled_children", self.tally.hits - self.before.hits),
            ("full_connections", fulls),
            ("semi_connections", semis),
            ("positions", self.table.len() as u64),
            ("table_sweeps", self.table.sweeps()),
        ]
    }

    /// Does something with at most so many expansions; it is stopped for [`StopReason::Nodes`] if it needs more.
    pub(super) fn within<T>(&mut self, expansions: u64, doing: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.most_expansions;
        self.most_expansions = outer.min(self.tally.expansions.saturating_add(expansions));
        let done = doing(self);
        self.most_expansions = outer;
        done
    }

    /// Solves a position, which need not be filled.
    ///
    /// # Errors
    /// The reason to stop before it is solved. What was found out is kept.
    pub(super) fn solve(&mut self, root: &State<W>, turn: usize, control: &Control) -> Result<Outcome<W>, StopReason> {
        let (place, captured) = match self.arrive(root, turn) {
            ControlFlow::Continue(arrived) => arrived,
            ControlFlow::Break(decided) => return Ok(decided),
        };
        let known =
            self.table.verdict(place.key).map(|found| (usize::from(found.winner), self.seen(place, found.trace)));
        // A verdict does not tell the move: whoever wins with the move has to look again.
        if let Some((winner, trace)) = known.filter(|&(winner, _)| winner != turn) {
            self.tally.hits += 1;
            return Ok(Outcome { winner, trace: trace | captured[winner], cell: None });
        }
        let result = self.work(place, turn, control);
        result.map(|outcome| Outcome { trace: outcome.trace | captured[outcome.winner], ..outcome })
    }

    /// Enters a position: its place and what is captured there, unless filling decides it.
    pub(super) fn arrive(&mut self, root: &State<W>, turn: usize) -> ControlFlow<Outcome<W>, (Place, [Mask<W>; 2])> {
        self.enter(0, root, None, turn);
        let filled = &self.states[0];
        let captured = filled.captured;
        match filled.winner {
            Some(winner) => ControlFlow::Break(Outcome { winner, trace: captured[winner], cell: None }),
            None => ControlFlow::Continue((self.place(filled, turn), captured)),
        }
    }

    /// Searches from the first state, which is filled and has this key.
    ///
    /// # Errors
    /// The reason to stop before it is solved.
    fn work(&mut self, place: Place, turn: usize, control: &Control) -> Result<Outcome<W>, StopReason> {
        if self.options.graph_threads <= 1 {
            return self.alone(place, turn, control);
        }
        let few = self.within(ALONE, |search| search.alone(place, turn, control));
        match few {
            Err(StopReason::Nodes) if self.most_expansions == u64::MAX => self.together(place, turn, control),
            decided => decided,
        }
    }

    /// The search of one thread.
    ///
    /// # Errors
    /// The reason to stop before the position is solved.
    pub(super) fn alone(&mut self, place: Place, turn: usize, control: &Control) -> Result<Outcome<W>, StopReason> {
        let mut frames = vec![self.first_frame(place, turn)];
        let result = self.run(&mut frames, control);
        // Keep what is known of the positions on the way.
        for frame in frames {
            self.leave(frame);
        }
        result
    }

    /// The root of a search.
    pub(super) fn first_frame(&self, place: Place, turn: usize) -> Frame<W> {
        let since = self.tally.expansions;
        Frame { place, turn, node: self.take(place), phi_limit: INFINITE, delta_limit: INFINITE, since }
    }

    /// How a position on the way stands.
    pub(super) fn stands(&self, frame: &Frame<W>) -> Fact {
        let numbers = frame.node.as_ref().map_or((1, 1, 0), |node| (node.phi, node.delta, node.work));
        let work = numbers.2.saturating_add((self.tally.expansions - frame.since) as u32);
        Fact { key: frame.place.key, work, told: Told::Open { phi: numbers.0, delta: numbers.1 } }
    }

    /// Where a position is found in the table.
    pub(super) fn place(&self, state: &State<W>, turn: usize) -> Place {
        match &self.mirror {
            Some(mirror) => mirror.place(state, turn),
            None => Place { key: state.key(turn), mirrored: false },
        }
    }

    /// Cells of the table's entry as they are in the position, and the other way round.
    pub(super) fn seen(&self, place: Place, cells: Mask<W>) -> Mask<W> {
        match &self.mirror {
            Some(mirror) if place.mirrored => mirror.mask(cells),
            _ => cells,
        }
    }

    fn seen_node(&self, place: Place, mut node: Box<Node<W>>) -> Box<Node<W>> {
        if let Some(mirror) = self.mirror.as_ref().filter(|_| place.mirrored) {
            mirror.turn(&mut node);
        }
        node
    }

    /// What is known of an open position, on which this search works from now on.
    fn take(&self, place: Place) -> Option<Box<Node<W>>> {
        self.table.take(place.key).map(|node| self.seen_node(place, node))
    }

    /// Sets the state at a depth to the one before with a move, or to the root, and fills it.
    pub(super) fn enter(&mut self, depth: usize, from: &State<W>, cell: Option<(usize, Mask<W>)>, turn: usize) {
        if self.states.len() == depth {
            self.states.push(State::default());
        }
        let state = &mut self.states[depth];
        state.copy_from(from);
        state.forget_captures();
        if let Some((cell, part)) = cell {
            state.play_in_part(cell, turn, part);
        }
        state.fill(&self.options);
    }

    pub(super) fn run(&mut self, frames: &mut Vec<Frame<W>>, control: &Control) -> Result<Outcome<W>, StopReason> {
        // Looking at the clock is cheap beside an expansion; memory is a file to read.
        let period = if self.board.cells > 64 { 1 } else { 16 };
        loop {
            let depth = frames.len() - 1;
            // 1. Expand.
            let look = if frames[depth].node.is_none() {
                let expansions = self.tally.expansions - self.before.expansions;
                if expansions.is_multiple_of(period) || control.limits().nodes.is_some() {
                    control.poller().poll(expansions * self.options.graph_threads as u64)?;
                }
                if self.tally.expansions >= self.most_expansions {
                    return Err(StopReason::Nodes);
                }
                let numbers = frames[0].node.as_ref().map_or((1, 1), |node| (node.phi, node.delta));
                if expansions.is_multiple_of(1 << 8) {
                    control.progress().set_proof_numbers(numbers.0.into(), numbers.1.into());
                }
                if expansions > 0 && expansions.is_multiple_of(1 << 14) {
                    let positions = self.table.len();
                    control.log(|| {
                        format!(
                            "proof numbers {} {}, {expansions} expansions, {positions} positions, {:.1} CPU s",
                            numbers.0,
                            numbers.1,
                            cpu_time().unwrap_or_default().as_secs_f64()
                        )
                    });
                }
                let state = std::mem::take(&mut self.states[depth]);
                let inherited =
                    depth.checked_sub(1).and_then(|above| frames[above].node.as_ref()).map(|node| &*node.currents);
                let expanded =
                    self.expand(&state, frames[depth].turn, inherited.filter(|currents| !currents.is_empty()));
                self.states[depth] = state;
                match expanded {
                    Ok(node) => {
                        if self.table.is_shared() {
                            let place = frames[depth].place;
                            self.table.publish(place.key, self.seen_node(place, node.clone()));
                        }
                        frames[depth].node = Some(node);
                        continue;
                    }
                    Err(outcome) => Look::Solved(outcome),
                }
            } else {
                // 2. and 3. Settle, add up.
                self.look(&mut frames[depth])
            };
            // 4. Ascend or descend.
            match look {
                Look::Solved(outcome) => {
                    let Some(frame) = frames.pop() else { return Ok(outcome) };
                    let before = frame.node.as_ref().map_or(0, |node| node.work);
                    let work = before.saturating_add((self.tally.expansions - frame.since) as u32);
                    let trace = self.seen(frame.place, outcome.trace);
                    self.table.solve(frame.place.key, outcome.winner, trace, work);
                    if frames.is_empty() {
                        return Ok(outcome);
                    }
                }
                Look::Exceeded => {
                    if frames.len() > 1
                        && let Some(frame) = frames.pop()
                    {
                        self.leave(frame);
                    }
                }
                Look::Open(edge, phi_limit, delta_limit) => {
                    let frame = &mut frames[depth];
                    let turn = frame.turn;
                    let Some(node) = frame.node.as_mut() else { continue };
                    let (edge, part) = (&mut node.edges[edge], node.part);
                    let cell = usize::from(edge.cell);
                    let above = std::mem::take(&mut self.states[depth]);
                    self.enter(depth + 1, &above, Some((cell, part)), turn);
                    self.states[depth] = above;
                    // The node may be that of another position with the same graph, which was filled in another order: from
                    // here on the move leads to where fill has led now, with the cells that were captured on this way.
                    let state = &self.states[depth + 1];
                    edge.captured = state.captured;
                    edge.winner = state.winner.map(|winner| winner as u8);
                    if edge.winner.is_some() {
                        continue;
                    }
                    edge.place = self.place(state, 1 - turn);
                    let place = edge.place;
                    let node = self.take(place);
                    let since = self.tally.expansions;
                    frames.push(Frame { place, turn: 1 - turn, node, phi_limit, delta_limit, since });
                }
            }
        }
    }

    /// Puts an open position back into the table.
    pub(super) fn leave(&mut self, frame: Frame<W>) {
        let mut node = frame.node;
        if let Some(node) = &mut node {
            node.work = node.work.saturating_add((self.tally.expansions - frame.since) as u32);
        }
        let node = node.map(|node| self.seen_node(frame.place, node));
        self.table.put(frame.place.key, node);
    }

    /// Settles what is known of the children, and adds up proof numbers.
    fn look(&mut self, frame: &mut Frame<W>) -> Look<W> {
        let Some(node) = frame.node.as_mut() else { return Look::Exceeded };
        let turn = frame.turn;
        let (mut mustplay, mut trace) = (node.mustplay, node.trace);
        let mut won = None;
        let (table, mirror, narrow) = (&self.table, self.mirror.as_ref(), self.options.refuted_traces);
        let part = node.part;
        let mut hits = 0;
        let numbers = &mut self.numbers;
        numbers.clear();
        node.edges.retain(|edge| {
            let known = match edge.winner {
                Some(winner) => Ok((usize::from(winner), Mask::default())),
                None => match table.known(edge.place.key) {
                    Known::Solved(verdict) => {
                        let mirror = mirror.filter(|_| edge.place.mirrored);
                        let trace = mirror.map_or(verdict.trace, |mirror| mirror.mask(verdict.trace));
                        Ok((usize::from(verdict.winner), trace))
                    }
                    Known::Open(phi, delta, busy) => Err((edge.cell, phi, delta, busy)),
                },
            };
            let (winner, inside) = match known {
                Ok(solved) => solved,
                Err(open) => {
                    numbers.push(open);
                    return true;
                }
            };
            hits += 1;
            let inside = inside | edge.captured[winner];
            if winner == turn {
                let cell = usize::from(edge.cell);
                won = Some(Outcome { winner, trace: inside | Mask::single(cell), cell: Some(cell) });
            } else {
                trace |= inside;
                if narrow {
                    // Of the other part it says nothing.
                    mustplay &= inside | !same_part(part, usize::from(edge.cell));
                }
            }
            false
        });
        self.tally.hits += hits;
        if let Some(outcome) = won {
            return Look::Solved(outcome);
        }
        node.edges.retain(|edge| mustplay.contains(usize::from(edge.cell)));
        numbers.retain(|&(cell, ..)| mustplay.contains(usize::from(cell)));
        (node.mustplay, node.trace) = (mustplay, trace);
        if node.edges.is_empty() {
            for &(cell, better) in &node.dropped {
                if trace.contains(usize::from(cell))
                    && !trace.intersects(&better)
                    && let Some(one) = better.lowest()
                {
                    trace.insert(one);
                }
            }
            return Look::Solved(Outcome { winner: 1 - turn, trace, cell: None });
        }
        let wide = wide(node.edges.len(), self.options.widening);
        let (mut best, mut best_phi, mut best_delta) = (0, 1, 1);
        let (mut phi, mut first, mut second, mut delta) = (u32::MAX, u32::MAX, u32::MAX, 0u32);
        for (at, &(_, child_phi, child_delta, busy)) in numbers.iter().enumerate() {
            delta = delta.saturating_add(child_phi);
            if at >= wide {
                continue;
            }
            phi = phi.min(child_delta);
            // Where other threads are at work it counts as a little harder than it seems.
            let seeming = child_delta.saturating_add(busy).min(INFINITE);
            if seeming < first {
                second = first;
                (first, best, best_phi, best_delta) = (seeming, at, child_phi, child_delta);
            } else {
                second = second.min(seeming);
            }
        }
        (node.phi, node.delta) = (phi.min(INFINITE - 1), delta.min(INFINITE - 1));
        if self.table.is_shared() {
            self.table.tell(frame.place.key, node.phi, node.delta);
        }
        if node.phi >= frame.phi_limit || node.delta >= frame.delta_limit {
            return Look::Exceeded;
        }
        let child_phi = (frame.delta_limit - node.delta).saturating_add(best_phi);
        // Where others are at work on the best one, the next one gets a chance as well.
        let child_delta = frame.phi_limit.min(second.saturating_add(1 + second / 4)).max(best_delta + 1);
        Look::Open(best, child_phi, child_delta)
    }

    /// Looks at a position for the first time.
    ///
    /// # Errors
    /// The verdict, if it is solved by connections.
    fn expand(&mut self, state: &State<W>, turn: usize, inherited: Option<&[f32]>) -> Result<Box<Node<W>>, Outcome<W>> {
        self.tally.expansions += 1;
        let (mut mustplay, mut trace) = (state.empty, Mask::default());
        let mut currents: [Box<[f32]>; 2] = Default::default();
        if self.options.connections {
            let inherited = inherited.filter(|_| self.options.inherited_order && self.board.has_dual());
            for player in [turn, 1 - turn] {
                if !self.board.has_dual() && player == CUT || player == turn && inherited.is_some() {
                    continue;
                }
                self.build_until(state, player, if player == turn { Until::Semi } else { Until::Full });
                let goals = self.connections.goals();
                if let Some(carrier) = decisive(&goals, player == turn) {
                    self.tally.by_connection += 1;
                    return Err(Outcome { winner: player, trace: carrier, cell: None });
                }
                if player != turn && !goals.semis.is_empty() {
                    (mustplay, trace) = goals.mustplay();
                    mustplay &= state.empty;
                }
                if self.options.resistance {
                    currents[player] = self.circuit.of(&self.connections, self.board.cells, player);
                }
            }
            if let Some(inherited) = inherited {
                currents[turn] = inherited.into();
            }
            if !self.board.has_dual() {
                currents[CUT] = currents[SHORT].clone();
                self.circuit.resistances[CUT] = 1.0;
            }
        }
        if self.options.near_misses
            && !trace.is_empty()
            && let Some(trace) = self.near_miss(state, turn, mustplay, trace)
        {
            self.tally.by_connection += 1;
            return Err(Outcome { winner: 1 - turn, trace, cell: None });
        }
        let part = self.options.cut_stones.then(|| first_part(&self.board, state, 1 - turn)).flatten();
        let part = part.unwrap_or_default();
        let mut dropped = Vec::new();
        let kept = self.drop_dominated(state, turn, mustplay, part, &mut dropped);
        let mut cells: Vec<usize> = (kept & mustplay).iter().collect();
        if !currents[0].is_empty() {
            let score = |cell: usize| 2.0 * currents[turn][cell] + currents[1 - turn][cell];
            cells.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        }
        let mut edges = Vec::with_capacity(cells.len());
        for cell in cells {
            self.child.copy_from(state);
            self.child.forget_captures();
            self.child.play_in_part(cell, turn, part);
            self.child.fill(&self.options);
            let winner = self.child.winner.map(|winner| winner as u8);
            let place = if winner.is_none() { self.place(&self.child, 1 - turn) } else { Place::default() };
            edges.push(Edge { cell: cell as u16, winner, place, captured: self.child.captured });
        }
        let currents = std::mem::take(&mut currents[1 - turn]);
        let dropped = dropped.into_boxed_slice();
        Ok(Box::new(Node { phi: 1, delta: 1, edges, mustplay, trace, part, dropped, currents, work: 0 }))
    }

    /// What one look at a position says: how the mover stands, and the moves that are worth a thought, the most promising
    /// first: inside the mustplay, and none for which there is a better one. All that are left where it is lost.
    pub(super) fn appraise(&mut self, root: &State<W>, turn: usize) -> (Stand, Vec<usize>) {
        let mut state = root.clone();
        state.fill(&self.options);
        let all = |cells: Mask<W>| cells.iter().collect();
        if let Some(winner) = state.winner {
            return (if winner == turn { Stand::Won } else { Stand::Lost }, all(root.empty));
        }
        match self.expand(&state, turn, None) {
            Ok(node) => {
                let [own, other] = [self.circuit.resistances[turn], self.circuit.resistances[1 - turn]];
                let cells = node.edges.iter().map(|edge| usize::from(edge.cell)).collect();
                (Stand::Open(f64::from(other / own).ln()), cells)
            }
            Err(outcome) if outcome.winner == turn => (Stand::Won, all(outcome.trace & root.empty)),
            Err(_) => (Stand::Lost, all(root.empty)),
        }
    }

    /// The moves of an open position in the order in which the search prefers them: those that it looks at first, the least
    /// disproof number first. None where the position is solved.
    pub(super) fn promising(&mut self, root: &State<W>, turn: usize) -> Vec<usize> {
        self.enter(0, root, None, turn);
        if self.states[0].winner.is_some() {
            return Vec::new();
        }
        let place = self.place(&self.states[0], turn);
        let Some(node) = self.take(place) else {
            return match self.appraise(root, turn) {
                (Stand::Open(_), cells) => cells,
                _ => Vec::new(),
            };
        };
        let wide = wide(node.edges.len(), self.options.widening);
        let number = |edge: &Edge<W>| match (edge.winner, self.table.known(edge.place.key)) {
            (None, Known::Open(_, delta, _)) => delta,
            _ => INFINITE,
        };
        let ranked = node.edges.iter().enumerate().map(|(at, edge)| (at >= wide, number(edge), usize::from(edge.cell)));
        let mut ranked: Vec<(bool, u32, usize)> = ranked.collect();
        ranked.sort_by_key(|&(late, number, _)| (late, number));
        self.table.put(place.key, Some(self.seen_node(place, node)));
        ranked.into_iter().map(|(_, _, cell)| cell).collect()
    }

    /// The proof numbers of a win and of a loss; `None` where the position is solved.
    pub(super) fn proof_numbers(&mut self, root: &State<W>, turn: usize) -> Option<(u32, u32)> {
        self.enter(0, root, None, turn);
        let filled = &self.states[0];
        if filled.winner.is_some() {
            return None;
        }
        match self.table.known(self.place(filled, turn).key) {
            Known::Open(phi, delta, _) => Some((phi, delta)),
            Known::Solved(_) => None,
        }
    }

    /// The connections of the goals that were built last.
    pub(super) fn goals(&self) -> Goals<'_, W> {
        self.connections.goals()
    }

    /// Builds the connections of a player in a filled position.
    pub(super) fn build_until(&mut self, state: &State<W>, player: usize, until: Until) {
        let captures = &mut self.connections.captured[..self.board.cells];
        if self.options.captured_carriers {
            state.captured_by(player, state.empty, captures);
        } else {
            captures.fill(Mask::default());
        }
        self.connections.build(&self.board, state, player, until);
    }

    /// The cells that are left when cells are dropped for better ones.
    fn drop_dominated(
        &mut self,
        state: &State<W>,
        turn: usize,
        mustplay: Mask<W>,
        part: Mask<W>,
        dropped: &mut Vec<(u16, Mask<W>)>,
    ) -> Mask<W> {
        let mut kept = state.empty;
        if self.options.killed_cells {
            for cell in state.empty.iter() {
                let mut better = (state.kills[SHORT][cell] | state.kills[CUT][cell]) & kept & same_part(part, cell);
                better.remove(cell);
                if !better.is_empty() {
                    kept.remove(cell);
                    dropped.push((cell as u16, better));
                }
            }
        }
        // A move that captures cells is at least as good as those cells are.
        if self.options.capturing_moves {
            state.captured_by(turn, kept & mustplay, &mut self.mover_captures);
            for cell in (kept & mustplay).iter() {
                if kept.contains(cell) {
                    for captured in (self.mover_captures[cell] & kept & same_part(part, cell)).iter() {
                        kept.remove(captured);
                        dropped.push((captured as u16, Mask::single(cell)));
                    }
                }
            }
        }
        kept
    }
}

/// How many of so many moves are looked at.
fn wide(live: usize, percent: usize) -> usize {
    (1 + (live * percent).div_ceil(100)).min(live)
}

/// The smallest carrier that decides: full, or semi too if its owner is to move.
pub(super) fn decisive<const W: usize>(goals: &Goals<'_, W>, mover: bool) -> Option<Mask<W>> {
    let semis = if mover { goals.semis } else { &[] };
    goals.fulls.iter().chain(semis).copied().min_by_key(Mask::len)
}

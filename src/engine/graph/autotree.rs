//! The winner's strategy as a tree for people, see [`crate::formula::Autotree`].
//!
//! As in [`strategy`](super::strategy), the opponent is given cells of the winner's trace, and an answer serves all replies
//! that leave it what it needs. What makes trees small is that they can say "at the same time". Let the trace fall into
//! components, each next to at most two of the winner's chains and terminals: then a component can do nothing but join these
//! two. Let the winner not have joined the terminals if all components but one are given, and let it win with the others given
//! if it moves second in the one: then it joins the two there. If that is so for each component, all of them together join
//! the terminals, each by its own strategy. A choice between single cells is a component of two.

use super::fill::State;
use super::search::Search;
use crate::control::{Control, StopReason};
use crate::formula::AutotreePart;
use crate::rows::mask::Mask;

/// The most plans and choices.
const LARGEST: usize = 1 << 20;

/// A plan or a choice; its parts are choices or plans.
struct Node {
    /// The cell that a plan takes.
    cell: Option<usize>,
    parts: Vec<u32>,
}

/// What has to be done after the node below is there.
enum Frame<const W: usize> {
    /// A plan that takes this cell.
    Move(usize),
    /// A choice among answers to replies in the region.
    Choice { own: Mask<W>, region: Mask<W>, must: Mask<W>, plans: Vec<u32>, needed: Mask<W> },
    /// Choices that are kept up together, with those that are not written yet.
    Parts { own: Mask<W>, left: Vec<Mask<W>>, all: Mask<W>, choices: Vec<u32> },
}

/// What to do next.
enum Step<const W: usize> {
    /// The winner, who has `own`, is to move; what is outside the region is the opponent's.
    First(Mask<W>, Mask<W>),
    /// The same with the opponent to move: the choices that the winner keeps up.
    Second(Mask<W>, Mask<W>),
    /// One choice, in a region that cannot be made smaller.
    Choice(Mask<W>, Mask<W>),
    /// Choices are there, and need these cells.
    Choices(Vec<u32>, Mask<W>),
    /// A plan is there.
    Plan(u32, Mask<W>),
}

impl<const W: usize> Search<W> {
    /// The winner's strategy in a position that is solved, in cells.
    ///
    /// # Errors
    /// The reason to stop before it is complete, and [`StopReason::Memory`] if it would be too large.
    pub(super) fn autotree(
        &mut self,
        root: &State<W>,
        turn: usize,
        winner: usize,
        control: &Control,
    ) -> Result<(Vec<AutotreePart>, Vec<usize>), StopReason> {
        let mut writer = Writer { search: self, root, winner, nodes: Vec::new() };
        let (own, all) = (Mask::default(), root.empty);
        let start = if turn == winner { Step::First(own, all) } else { Step::Second(own, all) };
        let top = writer.write(start, control)?;
        Ok(writer.in_order(top))
    }
}

struct Writer<'a, const W: usize> {
    search: &'a mut Search<W>,
    root: &'a State<W>,
    winner: usize,
    nodes: Vec<Node>,
}

impl<const W: usize> Writer<'_, W> {
    /// Writes the nodes; gives the first plan.
    fn write(&mut self, mut step: Step<W>, control: &Control) -> Result<u32, StopReason> {
        let mut frames: Vec<Frame<W>> = Vec::new();
        loop {
            step = match step {
                Step::First(own, region) => {
                    let state = self.state(own, region);
                    let outcome = self.search.solve_with_move(&state, self.winner, control)?;
                    if outcome.winner != self.winner {
                        return Err(contradiction());
                    }
                    match outcome.cell.filter(|_| !self.is_won(&state)) {
                        Some(cell) => {
                            frames.push(Frame::Move(cell));
                            Step::Second(own | Mask::single(cell), region.minus(Mask::single(cell)))
                        }
                        // The game is won, and there is nothing to do.
                        None => Step::Plan(self.push(None, Vec::new())?, Mask::default()),
                    }
                }
                Step::Second(own, region) => {
                    let state = self.state(own, region);
                    let outcome = self.search.solve(&state, 1 - self.winner, control)?;
                    if outcome.winner != self.winner {
                        return Err(contradiction());
                    }
                    let state = self.state(own, outcome.trace & region);
                    let trace =
                        self.search.shrink(&state, 1 - self.winner, self.winner, outcome.trace & region, control)?;
                    if trace.is_empty() {
                        Step::Choices(Vec::new(), trace)
                    } else {
                        let mut left = self.components(own, trace, control)?;
                        let first = left.pop().unwrap_or(trace);
                        frames.push(Frame::Parts { own, left, all: trace, choices: Vec::new() });
                        Step::Choice(own | trace.minus(first), first)
                    }
                }
                Step::Choice(own, region) => {
                    let Some(reply) = region.lowest() else { return Err(contradiction()) };
                    let (plans, needed) = (Vec::new(), Mask::default());
                    frames.push(Frame::Choice { own, region, must: region, plans, needed });
                    Step::First(own, region.minus(Mask::single(reply)))
                }
                Step::Plan(plan, needs) => match frames.pop() {
                    Some(Frame::Choice { own, region, must, mut plans, needed }) => {
                        plans.push(plan);
                        let (must, needed) = (must & needs, needed | needs);
                        match must.lowest() {
                            Some(reply) => {
                                frames.push(Frame::Choice { own, region, must, plans, needed });
                                Step::First(own, region.minus(Mask::single(reply)))
                            }
                            None => {
                                let choice = self.push(None, plans)?;
                                let Some(Frame::Parts { own, mut left, all, mut choices }) = frames.pop() else {
                                    return Err(contradiction());
                                };
                                choices.push(choice);
                                match left.pop() {
                                    Some(next) => {
                                        frames.push(Frame::Parts { own, left, all, choices });
                                        Step::Choice(own | all.minus(next), next)
                                    }
                                    None => Step::Choices(choices, all),
                                }
                            }
                        }
                    }
                    _ => return Ok(plan),
                },
                Step::Choices(choices, needs) => match frames.pop() {
                    Some(Frame::Move(cell)) => Step::Plan(self.push(Some(cell), choices)?, needs | Mask::single(cell)),
                    // The opponent is to move: a plan without a move.
                    _ => return self.push(None, choices),
                },
            };
        }
    }

    fn push(&mut self, cell: Option<usize>, parts: Vec<u32>) -> Result<u32, StopReason> {
        if self.nodes.len() >= LARGEST {
            return Err(StopReason::Memory);
        }
        self.nodes.push(Node { cell, parts });
        Ok(self.nodes.len() as u32 - 1)
    }

    fn is_won(&self, state: &State<W>) -> bool {
        let mut state = state.clone();
        state.empty.iter().for_each(|cell| state.play(cell, 1 - self.winner));
        state.fill(&self.search.options);
        state.winner == Some(self.winner)
    }

    /// The position in which the winner has added `own`, and the opponent has all but the region.
    fn state(&self, own: Mask<W>, region: Mask<W>) -> State<W> {
        let mut state = self.root.clone();
        let own = own & self.root.empty;
        own.iter().for_each(|cell| state.play(cell, self.winner));
        let given = self.root.empty.minus(own | region);
        given.iter().for_each(|cell| state.play(cell, 1 - self.winner));
        state
    }

    /// The parts of a trace that can be kept up on their own; the trace itself if it does not fall apart.
    fn components(&mut self, own: Mask<W>, trace: Mask<W>, control: &Control) -> Result<Vec<Mask<W>>, StopReason> {
        let whole = vec![trace];
        let Some(network) = self.search.board.networks.get(self.winner) else { return Ok(whole) };
        let stones = self.root.own[self.winner] | own;
        let flood = |from: usize, inside: Mask<W>| {
            let (mut seen, mut front) = (Mask::single(from), Mask::single(from));
            while let Some(cell) = front.pop() {
                let new = (network.rows[cell] & inside).minus(seen);
                seen |= new;
                front |= new;
            }
            seen
        };
        let mut parts = Vec::new();
        let mut left = trace;
        while let Some(first) = left.lowest() {
            let part = flood(first, trace);
            left = left.minus(part);
            // Chains and terminals beside it; a chain at a terminal is part of it.
            let mut terminals = [0, 1].map(|which: usize| part.intersects(&network.touching[which]));
            let mut beside = Mask::default();
            part.iter().for_each(|cell| beside |= network.rows[cell]);
            beside &= stones;
            let mut chains = 0;
            while let Some(stone) = beside.lowest() {
                let chain = flood(stone, stones);
                beside = beside.minus(chain);
                let touches = [0, 1].map(|which: usize| chain.intersects(&network.touching[which]));
                for (terminal, touches) in terminals.iter_mut().zip(touches) {
                    *terminal |= touches;
                }
                chains += usize::from(touches == [false, false]);
            }
            if chains + terminals.iter().filter(|&&touched| touched).count() > 2 {
                return Ok(whole);
            }
            parts.push(part);
        }
        for &part in &parts {
            let without = self.state(own | trace.minus(part), Mask::default());
            let state = self.state(own | trace.minus(part), part);
            if self.is_won(&without) || self.search.solve(&state, 1 - self.winner, control)?.winner != self.winner {
                return Ok(whole);
            }
        }
        Ok(parts)
    }

    /// The pieces from the first plan on, and the cells of the plans.
    fn in_order(&self, top: u32) -> (Vec<AutotreePart>, Vec<usize>) {
        enum Item {
            Plan(u32),
            Choice(u32),
            Piece(AutotreePart),
        }
        let (mut parts, mut cells) = (Vec::new(), Vec::new());
        let mut items = vec![Item::Plan(top)];
        while let Some(item) = items.pop() {
            match item {
                Item::Piece(part) => parts.push(part),
                Item::Plan(number) => {
                    let node = &self.nodes[number as usize];
                    parts.push(node.cell.map_or(AutotreePart::Keep, |cell| {
                        cells.push(cell);
                        AutotreePart::Play(cells.len() as u32 - 1)
                    }));
                    items.extend(node.parts.iter().rev().map(|&choice| Item::Choice(choice)));
                }
                Item::Choice(number) => {
                    parts.push(AutotreePart::Open);
                    items.push(Item::Piece(AutotreePart::Close));
                    for (at, &plan) in self.nodes[number as usize].parts.iter().enumerate().rev() {
                        items.push(Item::Plan(plan));
                        if at > 0 {
                            items.push(Item::Piece(AutotreePart::Or));
                        }
                    }
                }
            }
        }
        (parts, cells)
    }
}

fn contradiction() -> StopReason {
    StopReason::Contradiction("the winner of a position does not win it when its tree is written".to_owned())
}

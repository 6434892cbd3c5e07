//! The winner's strategy as a tree for people, see [`gamesat_core::formula::Autotree`].
//!
//! What makes trees small is that they can say "at the same time", and connections are what goes on at the same time: where
//! the winner is connected, the smallest [derivation](super::derivations) of the connection is the tree. Elsewhere moves are
//! tried.
//! - *The winner moves*: by a semi connection; otherwise moves that win are tried, those first that leave the winner
//!   connected, and the smallest tree is taken.
//! - *The opponent moves*: every semi connection is a plan. For replies that all plans so far depend on the answer is worked
//!   out, until no cell is in all plans; of all plans the cheapest choice without a common cell is taken.
//!
//! A [pairing strategy](super::pairs) is a tree of its own kind: a choice between two cells for every pair.
//!
//! After some hundred positions only the move that the search names is tried, and only replies that need an answer are
//! answered. A winner without a graph of its own, and three terminals, have no connections here: then the trace of the search
//! bounds what the opponent can do, and replies are answered one after the other.

use super::derivations::{Builder, Derivations};
use super::fill::State;
use super::pairs::{Effort, pairing};
use super::search::Search;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::AutotreePart;
use gamesat_rows::mask::Mask;
use rustc_hash::FxHashMap;

/// The most plans and choices.
const LARGEST: usize = 1 << 21;

/// Positions up to which several moves are tried, and every reply is answered.
const WIDE: usize = 400;

/// Moves that are tried one deeper if none leaves the winner connected.
const TRIED: usize = 3;

/// Paths that are looked at for a pairing strategy.
const MOST_PATHS: usize = 3_000;

/// Steps of the search for the cheapest choice.
const MOST_STEPS: usize = 20_000;

/// A plan or a choice; its parts are choices or plans.
#[derive(Debug)]
struct Node<const W: usize> {
    /// The cell that a plan takes.
    cell: Option<usize>,
    parts: Vec<u32>,
    /// Plans and choices in it.
    size: usize,
    /// Cells in it.
    cells: Mask<W>,
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
        let nodes = Nodes { list: Vec::new() };
        let (firsts, seconds) = (FxHashMap::default(), FxHashMap::default());
        let mut writer = Writer { search: self, root, winner, control, nodes, firsts, seconds, positions: 0 };
        let (own, all) = (Mask::default(), root.empty);
        let top = if turn == winner {
            writer.first(own, all)?
        } else {
            let choices = writer.second(own, all)?;
            writer.nodes.push(None, choices)
        };
        Ok(writer.in_order(top))
    }
}

#[derive(Debug)]
struct Nodes<const W: usize> {
    list: Vec<Node<W>>,
}

impl<const W: usize> Nodes<W> {
    fn push(&mut self, cell: Option<usize>, parts: Vec<u32>) -> u32 {
        let below = parts.iter().map(|&part| &self.list[part as usize]);
        let size = below.clone().fold(1, |sum: usize, part| sum.saturating_add(part.size));
        let cells = below.fold(cell.map_or(Mask::default(), Mask::single), |cells, part| cells | part.cells);
        self.list.push(Node { cell, parts, size, cells });
        self.list.len() as u32 - 1
    }

    fn total(&self, parts: &[u32]) -> usize {
        parts.iter().map(|&part| self.list[part as usize].size).sum()
    }
}

impl<const W: usize> Builder for Nodes<W> {
    fn plan(&mut self, cell: usize, choices: Vec<u32>) -> u32 {
        self.push(Some(cell), choices)
    }

    fn choice(&mut self, plans: Vec<u32>) -> u32 {
        self.push(None, plans)
    }
}

struct Writer<'a, const W: usize> {
    search: &'a mut Search<W>,
    root: &'a State<W>,
    winner: usize,
    control: &'a Control,
    nodes: Nodes<W>,
    /// Plans for positions with the winner to move, by its cells and the region.
    firsts: FxHashMap<[Mask<W>; 2], u32>,
    /// Choices for positions with the opponent to move.
    seconds: FxHashMap<[Mask<W>; 2], Vec<u32>>,
    positions: usize,
}

impl<const W: usize> Writer<'_, W> {
    /// The plan of the winner, who has added `own` and is to move; what is outside the region is the opponent's. As deep as
    /// there are cells, at most, like `second`.
    fn first(&mut self, own: Mask<W>, region: Mask<W>) -> Result<u32, StopReason> {
        if let Some(&known) = self.firsts.get(&[own, region]) {
            return Ok(known);
        }
        self.look()?;
        let state = self.state(own, region);
        let plan = if self.is_won(&state) {
            self.nodes.push(None, Vec::new())
        } else if let Some(plan) = self.connected_plan(own, region) {
            plan
        } else {
            let outcome = self.search.solve_with_move(&state, self.winner, self.control)?;
            let Some(cell) = outcome.cell.filter(|_| outcome.winner == self.winner) else {
                return Err(contradiction());
            };
            let mut cells = vec![cell];
            if self.positions < WIDE {
                cells = self.promising(own, region, &state, cell)?;
            }
            let mut best: Option<u32> = None;
            for cell in cells {
                let choices = self.second(own | Mask::single(cell), region.minus(Mask::single(cell)))?;
                let plan = self.nodes.push(Some(cell), choices);
                let size = |plan: u32| self.nodes.list[plan as usize].size;
                best = Some(best.filter(|&best| size(best) <= size(plan)).unwrap_or(plan));
            }
            best.ok_or_else(contradiction)?
        };
        self.firsts.insert([own, region], plan);
        Ok(plan)
    }

    /// The winning moves that leave the winner connected, or else those after which the opponent has fewest replies.
    fn promising(
        &mut self,
        own: Mask<W>,
        region: Mask<W>,
        state: &State<W>,
        first: usize,
    ) -> Result<Vec<usize>, StopReason> {
        let (moves, stopped) = self.search.all_moves(state, self.winner, first, self.control);
        if let Some(reason) = stopped {
            return Err(reason);
        }
        let (mut connected, mut others) = (Vec::new(), Vec::new());
        for cell in moves {
            let taken = Mask::single(cell);
            let Some(derivations) = self.derivations(own | taken, region.minus(taken)) else { return Ok(vec![first]) };
            let common = derivations.goals(false).fold(region, |common, (_, carrier, _)| common & carrier);
            let paired = self.paired(own | taken, region.minus(taken)).map(|pairs| 3 * pairs.len());
            let full = derivations.goals(true).next().map(|(_, _, size)| size as usize);
            match full.into_iter().chain(paired).min() {
                Some(size) => connected.push((size, cell)),
                None => others.push((common.len(), cell)),
            }
        }
        let list = if connected.is_empty() { &mut others } else { &mut connected };
        list.sort_unstable();
        list.truncate(TRIED);
        Ok(list.iter().map(|&(_, cell)| cell).collect())
    }

    /// The choices that the winner keeps up, the opponent being to move.
    fn second(&mut self, own: Mask<W>, region: Mask<W>) -> Result<Vec<u32>, StopReason> {
        if let Some(known) = self.seconds.get(&[own, region]) {
            return Ok(known.clone());
        }
        self.look()?;
        let state = self.state(own, region);
        let choices = if self.is_won(&state) {
            Vec::new()
        } else {
            let derivations = self.derivations(own, region);
            let mut known: Vec<Vec<u32>> = self.paired(own, region).into_iter().collect();
            known.extend(derivations.as_ref().and_then(|all| all.choices(all.goals(true).next()?.0, &mut self.nodes)));
            let size = |choices: &Vec<u32>| self.nodes.total(choices);
            // At the start of the game what is known may be beaten by what can be worked out.
            let known = known.into_iter().min_by_key(size);
            match known {
                Some(choices) if own != Mask::default() || self.positions >= WIDE => choices,
                known => {
                    let worked_out = vec![self.choice(own, region, &state, derivations)?];
                    let size = |choices: &Vec<u32>| self.nodes.total(choices);
                    known.into_iter().chain([worked_out]).min_by_key(size).unwrap_or_default()
                }
            }
        };
        self.seconds.insert([own, region], choices.clone());
        Ok(choices)
    }

    /// A pairing strategy, if one is found.
    fn paired(&mut self, own: Mask<W>, region: Mask<W>) -> Option<Vec<u32>> {
        let board = &self.search.board;
        let against = board.networks.get(1 - self.winner).filter(|_| board.terminals == 2)?;
        let stones = self.root.own[1 - self.winner] | self.root.empty.minus(own | region);
        let pairs = pairing(against, stones, region, Effort { paths: MOST_PATHS, few: own.len() <= 1 })?;
        let mut choice = |[a, b]: [usize; 2]| {
            let plans = [a, b].map(|cell| self.nodes.push(Some(cell), Vec::new()));
            self.nodes.push(None, plans.to_vec())
        };
        Some(pairs.into_iter().map(&mut choice).collect())
    }

    /// A choice that leaves the opponent no reply.
    fn choice(
        &mut self,
        own: Mask<W>,
        mut region: Mask<W>,
        state: &State<W>,
        derivations: Option<Derivations<W>>,
    ) -> Result<u32, StopReason> {
        let mut plans: Vec<u32> = Vec::new();
        if let Some(derivations) = derivations {
            let semis: Vec<u32> = derivations.goals(false).map(|(id, ..)| id).collect();
            plans.extend(semis.into_iter().filter_map(|id| derivations.plan(id, &mut self.nodes)));
        } else {
            let outcome = self.search.solve(state, 1 - self.winner, self.control)?;
            let given = self.state(own, outcome.trace & region);
            let (turn, trace) = (1 - self.winner, outcome.trace & region);
            region = self.search.shrink(&given, turn, self.winner, trace, self.control)?;
        }
        let cells = |nodes: &Nodes<W>, plans: &[u32]| {
            plans.iter().fold(region, |common, &plan| common & nodes.list[plan as usize].cells)
        };
        let mut replies = cells(&self.nodes, &plans);
        while let Some(reply) = replies.pop() {
            let plan = self.first(own, region.minus(Mask::single(reply)))?;
            plans.push(plan);
            if self.positions >= WIDE {
                replies &= self.nodes.list[plan as usize].cells;
            }
        }
        let chosen = self.cheapest(&plans, region).ok_or_else(contradiction)?;
        Ok(self.nodes.push(None, chosen))
    }

    /// The cheapest plans of which no cell is in all. Branch and bound over a cell that is in all so far.
    fn cheapest(&self, plans: &[u32], region: Mask<W>) -> Option<Vec<u32>> {
        struct Cover<'a, const W: usize> {
            /// Size and cells, the smallest first.
            plans: &'a [(usize, Mask<W>, u32)],
            best: Option<(usize, Vec<u32>)>,
            chosen: Vec<u32>,
            steps: usize,
        }
        impl<const W: usize> Cover<'_, W> {
            fn go(&mut self, common: Mask<W>, cost: usize) {
                self.steps += 1;
                if self.best.as_ref().is_some_and(|&(best, _)| cost >= best || self.steps > MOST_STEPS) {
                    return;
                }
                let without = |cell: usize| self.plans.iter().filter(move |plan| !plan.1.contains(cell)).count();
                let Some(cell) = common.iter().min_by_key(|&cell| without(cell)) else {
                    self.best = Some((cost, self.chosen.clone()));
                    return;
                };
                for &(size, cells, plan) in self.plans.iter().filter(|plan| !plan.1.contains(cell)) {
                    self.chosen.push(plan);
                    self.go(common & cells, cost + size);
                    self.chosen.pop();
                }
            }
        }
        let node = |plan: u32| &self.nodes.list[plan as usize];
        let mut sized: Vec<_> = plans.iter().map(|&plan| (node(plan).size, node(plan).cells, plan)).collect();
        sized.sort_by_key(|&(size, _, plan)| (size, plan));
        let mut cover = Cover { plans: &sized, best: None, chosen: Vec::new(), steps: 0 };
        cover.go(region, 0);
        cover.best.map(|(_, plans)| plans)
    }

    /// The smallest plan by a connection, if there is one: a move, or waiting.
    fn connected_plan(&mut self, own: Mask<W>, region: Mask<W>) -> Option<u32> {
        let derivations = self.derivations(own, region)?;
        if let Some((full, ..)) = derivations.goals(true).next() {
            let choices = derivations.choices(full, &mut self.nodes)?;
            return Some(self.nodes.push(None, choices));
        }
        let (semi, ..) = derivations.goals(false).next()?;
        derivations.plan(semi, &mut self.nodes)
    }

    fn derivations(&self, own: Mask<W>, region: Mask<W>) -> Option<Derivations<W>> {
        let board = &self.search.board;
        let network = board.networks.get(self.winner).filter(|_| board.terminals == 2)?;
        Some(Derivations::new(network, self.root.own[self.winner] | own, region))
    }

    /// Counts a position, and looks at the limits.
    fn look(&mut self) -> Result<(), StopReason> {
        self.positions += 1;
        self.control.poller().poll(self.positions as u64)?;
        if self.nodes.list.len() >= LARGEST { Err(StopReason::Memory) } else { Ok(()) }
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
                    let node = &self.nodes.list[number as usize];
                    parts.push(node.cell.map_or(AutotreePart::Keep, |cell| {
                        cells.push(cell);
                        AutotreePart::Play(cells.len() as u32 - 1)
                    }));
                    items.extend(node.parts.iter().rev().map(|&choice| Item::Choice(choice)));
                }
                Item::Choice(number) => {
                    parts.push(AutotreePart::Open);
                    items.push(Item::Piece(AutotreePart::Close));
                    for (at, &plan) in self.nodes.list[number as usize].parts.iter().enumerate().rev() {
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

//! Virtual connections with how they come about, the smallest ways first: what trees for people are made of.
//!
//! The rules are those of [`connections`](super::connections), without captured sets: neighbours are fully connected; AND at
//! an empty cell makes a semi connection, at a chain a full one; OR makes a full connection of semis without a common cell. A
//! derivation *is* a strategy that can be written down: a semi connection is a move and the two connections kept up after it,
//! a full one a choice among semis. Its size is the number of moves and choices. A part is never smaller than the parts it
//! is made of, so a queue by size meets every carrier first in its smallest derivation, and whatever contains the carrier
//! of one that was met before can be forgotten.

use super::board::Network;
use gamesat_rows::mask::Mask;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The most connections that are kept, in all and of one kind for two endpoints.
const MOST: usize = 20_000;
const MOST_OF_PAIR: usize = 48;

/// How a connection comes about.
#[derive(Clone, Debug)]
enum How {
    Near,
    /// AND over this endpoint.
    Over(usize, u32, u32),
    /// OR of semis.
    OneOf(Vec<u32>),
}

#[derive(Clone, Debug)]
struct Link<const W: usize> {
    ends: [usize; 2],
    full: bool,
    carrier: Mask<W>,
    size: u32,
    how: How,
}

/// The fulls and semis of two endpoints.
#[derive(Clone, Debug, Default)]
struct Lists {
    fulls: Vec<u32>,
    semis: Vec<u32>,
}

/// A strategy that is put together from derivations.
pub(super) trait Builder {
    /// A move with choices after it.
    fn plan(&mut self, cell: usize, choices: Vec<u32>) -> u32;
    /// A choice among plans.
    fn choice(&mut self, plans: Vec<u32>) -> u32;
}

/// The connections of one player in one position.
#[derive(Clone, Debug)]
pub(super) struct Derivations<const W: usize> {
    cells: usize,
    chains: Mask<W>,
    links: Vec<Link<W>>,
    pairs: FxHashMap<[usize; 2], Lists>,
    /// Endpoints that each is fully connected to.
    near: Vec<Vec<usize>>,
    waiting: Vec<Link<W>>,
    queue: BinaryHeap<Reverse<(u32, usize, usize)>>,
}

fn sorted(x: usize, y: usize) -> [usize; 2] {
    if x < y { [x, y] } else { [y, x] }
}

impl<const W: usize> Derivations<W> {
    /// Finds the connections of the player who has `own`, in a region of cells that are empty; all others are the
    /// opponent's. The board has two terminals.
    pub(super) fn new(network: &Network<W>, own: Mask<W>, region: Mask<W>) -> Self {
        let cells = network.rows.len();
        let mut all = Derivations {
            cells,
            chains: Mask::default(),
            links: Vec::new(),
            pairs: FxHashMap::default(),
            near: vec![Vec::new(); cells + 2],
            waiting: Vec::new(),
            queue: BinaryHeap::new(),
        };
        // Neighbours: of cells, of chains under their first stone, of terminals with the chains that touch them.
        let mut beside: Vec<(usize, Mask<W>)> = region.iter().map(|cell| (cell, network.rows[cell] & region)).collect();
        let mut at_terminal = [network.touching[0] & region, network.touching[1] & region];
        let mut left = own;
        while let Some(first) = left.pop() {
            let (mut chain, mut front) = (Mask::single(first), Mask::single(first));
            let mut near = Mask::default();
            while let Some(stone) = front.pop() {
                near |= network.rows[stone];
                let new = network.rows[stone] & left;
                left = left.minus(new);
                chain |= new;
                front |= new;
            }
            near &= region;
            let touched = [0, 1].map(|which: usize| network.touching[which].intersects(&chain));
            if touched == [false, false] {
                all.chains.insert(first);
                beside.push((first, near));
            }
            for (at_terminal, _) in at_terminal.iter_mut().zip(touched).filter(|&(_, touched)| touched) {
                *at_terminal |= near;
            }
        }
        beside.extend((cells..).zip(at_terminal));
        for (end, near) in beside {
            let once = all.is_chain(end);
            for other in near.iter().filter(|&other| once || other > end) {
                all.offer(Link { ends: [end, other], full: true, carrier: Mask::default(), size: 0, how: How::Near });
            }
        }
        all.run();
        all
    }

    fn is_chain(&self, end: usize) -> bool {
        end >= self.cells || self.chains.contains(end)
    }

    fn has_end(&self, carrier: Mask<W>, end: usize) -> bool {
        end < self.cells && carrier.contains(end)
    }

    fn lists(&self, x: usize, y: usize) -> Option<&Lists> {
        self.pairs.get(&sorted(x, y))
    }

    /// Whether a connection that is known makes this one superfluous.
    fn is_known(&self, link: &Link<W>) -> bool {
        let Some(lists) = self.lists(link.ends[0], link.ends[1]) else { return false };
        let within = |&id: &u32| self.links[id as usize].carrier.is_subset(&link.carrier);
        lists.fulls.iter().any(within)
            || !link.full && lists.semis.iter().any(within)
            || (if link.full { &lists.fulls } else { &lists.semis }).len() >= MOST_OF_PAIR
    }

    fn offer(&mut self, link: Link<W>) {
        if !self.is_known(&link) {
            self.queue.push(Reverse((link.size, link.carrier.len(), self.waiting.len())));
            self.waiting.push(link);
        }
    }

    fn run(&mut self) {
        while let Some(Reverse((_, _, at))) = self.queue.pop() {
            let link = self.waiting[at].clone();
            if self.is_known(&link) {
                continue;
            }
            if self.links.len() >= MOST || self.waiting.len() >= 8 * MOST {
                return;
            }
            let id = self.links.len() as u32;
            let [x, y] = link.ends;
            let is_full = link.full;
            self.links.push(link);
            let lists = self.pairs.entry(sorted(x, y)).or_default();
            if is_full {
                lists.fulls.push(id);
                if lists.fulls.len() == 1 {
                    self.near[x].push(y);
                    self.near[y].push(x);
                }
                self.join(id, x, y);
                self.join(id, y, x);
            } else {
                self.unite(id);
            }
        }
    }

    /// AND of a full connection of `x` and `z` with everything that `z` is connected to.
    fn join(&mut self, id: u32, x: usize, z: usize) {
        if z >= self.cells {
            return;
        }
        let (carrier, size) = (self.links[id as usize].carrier, self.links[id as usize].size);
        let is_chain = self.is_chain(z);
        for y in self.near[z].clone() {
            if y == x || self.has_end(carrier, y) {
                continue;
            }
            let others = self.lists(z, y).map_or(Vec::new(), |lists| lists.fulls.clone());
            for other in others {
                let Link { carrier: more, size: and, .. } = self.links[other as usize];
                if carrier.intersects(&more) || self.has_end(more, x) {
                    continue;
                }
                let union = carrier | more;
                let (carrier, size) =
                    if is_chain { (union, size + and) } else { (union | Mask::single(z), size + and + 1) };
                self.offer(Link { ends: [x, y], full: is_chain, carrier, size, how: How::Over(z, id, other) });
            }
        }
    }

    /// OR of a new semi connection with the others of its pair: with one, with two, or with as many as it takes.
    fn unite(&mut self, id: u32) {
        let [x, y] = self.links[id as usize].ends;
        let Some(lists) = self.pairs.get_mut(&sorted(x, y)) else { return };
        let others = lists.semis.clone();
        lists.semis.push(id);
        let carrier = |id: u32| self.links[id as usize].carrier;
        let mut found: Vec<Vec<u32>> = Vec::new();
        for (at, &other) in others.iter().enumerate() {
            let common = carrier(id) & carrier(other);
            if common.is_empty() {
                found.push(vec![other, id]);
                continue;
            }
            let third = others[..at].iter().find(|&&third| !carrier(third).intersects(&common));
            found.extend(third.map(|&third| vec![third, other, id]));
        }
        if found.is_empty() {
            let (mut common, mut used) = (carrier(id), vec![id]);
            for &other in &others {
                if !common.is_subset(&carrier(other)) {
                    common &= carrier(other);
                    used.push(other);
                }
            }
            found.extend(common.is_empty().then_some(used));
        }
        for used in found {
            let union = used.iter().fold(Mask::default(), |union, &id| union | self.links[id as usize].carrier);
            let size = 1 + used.iter().map(|&id| self.links[id as usize].size).sum::<u32>();
            self.offer(Link { ends: [x, y], full: true, carrier: union, size, how: How::OneOf(used) });
        }
    }

    /// The connections of the terminals: semi or full ones, the smallest first, with carrier and size.
    pub(super) fn goals(&self, full: bool) -> impl Iterator<Item = (u32, Mask<W>, u32)> + '_ {
        let lists = self.lists(self.cells, self.cells + 1);
        let list = lists.map_or(&[][..], |lists| if full { &lists.fulls[..] } else { &lists.semis[..] });
        list.iter().map(|&id| (id, self.links[id as usize].carrier, self.links[id as usize].size))
    }

    /// The plan that a semi connection is.
    pub(super) fn plan(&self, id: u32, builder: &mut impl Builder) -> Option<u32> {
        let How::Over(middle, one, other) = self.links[id as usize].how else { return None };
        let mut choices = self.choices(one, builder)?;
        choices.extend(self.choices(other, builder)?);
        Some(builder.plan(middle, choices))
    }

    /// The choices that a full connection is. As deep as a carrier has cells, at most.
    pub(super) fn choices(&self, id: u32, builder: &mut impl Builder) -> Option<Vec<u32>> {
        match &self.links[id as usize].how {
            How::Near => Some(Vec::new()),
            &How::Over(_, one, other) => {
                let mut choices = self.choices(one, builder)?;
                choices.extend(self.choices(other, builder)?);
                Some(choices)
            }
            How::OneOf(semis) => {
                let plans: Option<Vec<u32>> = semis.iter().map(|&semi| self.plan(semi, builder)).collect();
                Some(vec![builder.choice(plans?)])
            }
        }
    }
}

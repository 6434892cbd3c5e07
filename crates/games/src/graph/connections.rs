//! Virtual connections of one player, by the AND/OR closure of Anshelevich's H-search (*A hierarchical approach to
//! computer Hex*, 2002).
//!
//! Endpoints are empty cells, chains and the terminals. A *full* connection of two endpoints holds with the opponent
//! to move, a *semi* connection with the player to move, both inside a *carrier* of empty cells.
//! - Neighbours are fully connected, with an empty carrier.
//! - AND: `x-z` and `z-y` full, carriers disjoint, no endpoint in a carrier. If `z` is a chain, `x-y` is full with the
//!   union; if `z` is empty, `x-y` is semi with the union and `z`: the player begins at `z`.
//! - OR: semi connections of one pair without a common cell make a full one, whose carrier is the union of those used.
//! - Captured sets: if the carriers of an AND or OR meet only in cells that the player has captured once a stone lies on
//!   `x`, `y` or `z`, the connection holds all the same with the whole set in its carrier: whoever relies on a connection
//!   has its ends. An end that is an empty cell counts, because a connection is used only when its ends are taken.
//!
//! Between the goals: a semi connection of the player to move wins; a full one of the opponent loses; and the cells common
//! to the opponent's semi connections are the *mustplay*, outside which every move loses. Only minimal carriers are kept; a
//! full carrier also has to shrink the intersection of its pair, and a pair whose fulls have no common cell needs nothing
//! more. Discarding connections weakens the search, it never makes it wrong.
//!
//! Three terminals do not conduct, and one chain has to touch all of them: nothing is joined over them, and the goal is
//! reached over a middle, a cell or a chain that is fully connected with each of them, by carriers without a common cell
//! (see `three_ways`).
//!
//! What did not pay, on the openings of 6x6 Hex: AND over terminals (half the nodes, seven times the time), limits of fewer
//! than 16 carriers a pair (3: several times the nodes), leaving dominated cells out as endpoints (five times the nodes),
//! refusing semis that contain what the fulls have in common (next to none do, but the test is free).

mod three_ways;

use super::board::Board;
use super::fill::State;
use gamesat_rows::mask::Mask;

/// The most connections of one build: closures on boards of several hundred cells would take minutes.
const MOST_ADDED: u64 = 400_000;

/// Room for the full carriers of a pair. Each shrinks what they have in common, so there are few.
const FULLS: usize = 8;

/// Room for the semi carriers of a pair; 24 and any number need the same nodes, 16 a few more.
const SEMIS: usize = 32;

/// How many connections two endpoints have. The carriers lie in flat vectors, [`FULLS`] and [`SEMIS`] places a pair.
#[derive(Clone, Copy, Debug)]
struct Pair<const W: usize> {
    /// What all semis have in common.
    common: Mask<W>,
    fulls: u8,
    /// Fulls that took part in AND: they come first.
    joined: u8,
    semis: u8,
    /// Semis that took part in OR: they come first.
    tried: u8,
    /// Whether OR is to be tried.
    queued: bool,
}

impl<const W: usize> Pair<W> {
    fn new() -> Self {
        Pair { common: !Mask::default(), fulls: 0, joined: 0, semis: 0, tried: 0, queued: false }
    }
}

/// A set of endpoints.
#[derive(Clone, Copy, Debug, Default)]
struct Ends<const W: usize> {
    cells: Mask<W>,
    /// Bit `i`: terminal `i`.
    terminals: u8,
}

impl<const W: usize> Ends<W> {
    /// The endpoints on a board with so many cells.
    #[inline]
    fn iter(self, cells: usize) -> impl Iterator<Item = usize> {
        let terminals = self.terminals;
        self.cells.iter().chain((0..3).filter(move |which| terminals >> which & 1 != 0).map(move |which| cells + which))
    }
}

/// The closure for one player in one position. One value serves many positions, so that it need not ask for memory.
#[derive(Clone, Debug)]
pub(super) struct Connections<const W: usize> {
    /// Number of cells of the board; the terminals follow as endpoints.
    cells: usize,
    /// Number of terminals.
    terminals: usize,
    /// Full and semi connections of three terminals.
    ways: [Vec<Mask<W>>; 2],
    /// A dense number for every endpoint of this position.
    slots: Vec<u16>,
    /// Number of endpoints.
    ends: usize,
    /// The pairs of dense numbers `a < b` at `b * (b - 1) / 2 + a`.
    pairs: Vec<Pair<W>>,
    full_carriers: Vec<Mask<W>>,
    semi_carriers: Vec<Mask<W>>,
    /// What the fulls of two endpoints that took part in AND have in common, at `a * ends + b` and `b * ends + a`.
    common: Vec<Mask<W>>,
    /// What all fulls of two endpoints have in common, at the same places. A semi connection that contains it all cannot
    /// help to make a full one that is of use.
    needed: Vec<Mask<W>>,
    /// Endpoints that are stones: chains and terminals.
    chains: Mask<W>,
    /// Empty cells and chains that are endpoints.
    endpoints: Mask<W>,
    /// Endpoints fully connected to each.
    near: Vec<Ends<W>>,
    /// Endpoints with fulls that have no common cell.
    settled: Vec<Ends<W>>,
    /// What is captured once an endpoint is the player's.
    pub(super) captured: Vec<Mask<W>>,
    fulls: Vec<(u16, u16, Mask<W>)>,
    next_full: usize,
    pairs_to_try: Vec<(u16, u16)>,
    next_pair: usize,
    /// The most connections of one build.
    most_added: u64,
    buffer: Vec<Mask<W>>,
    /// Connections that were added, full and semi.
    pub(super) added: [u64; 2],
}

/// What a build has to find before it may stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// A full connection of the goals.
    Full,
    /// A semi connection of the goals, or a full one.
    Semi,
}

/// Connections of the goals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goals<'a, const W: usize> {
    /// Carriers of full connections.
    pub(super) fulls: &'a [Mask<W>],
    /// Carriers of semi connections.
    pub(super) semis: &'a [Mask<W>],
}

impl<const W: usize> Goals<'_, W> {
    /// What the semi connections have in common, and the union of some of them that have no more in common than all.
    pub(super) fn mustplay(&self) -> (Mask<W>, Mask<W>) {
        let (mut common, mut union) = (!Mask::default(), Mask::default());
        for &carrier in self.semis {
            if !common.is_subset(&carrier) {
                common &= carrier;
                union |= carrier;
            }
        }
        (common, union)
    }
}

fn common_of<const W: usize>(carriers: &[Mask<W>]) -> Mask<W> {
    carriers.iter().fold(!Mask::default(), |common, &carrier| common & carrier)
}

/// Removes the carriers that contain `least`, keeping the order. Returns how many are left; `old` counts how many of the
/// first ones are.
#[inline]
fn drop_above<const W: usize>(carriers: &mut [Mask<W>], old: &mut u8, least: Mask<W>) -> usize {
    let Some(first) = carriers.iter().position(|carrier| least.is_subset(carrier)) else { return carriers.len() };
    let (mut kept, mut kept_old) = (first, (first as u8).min(*old));
    for at in first + 1..carriers.len() {
        let carrier = carriers[at];
        if !least.is_subset(&carrier) {
            carriers[kept] = carrier;
            kept += 1;
            kept_old += u8::from(at < usize::from(*old));
        }
    }
    *old = kept_old;
    kept
}

impl<const W: usize> Connections<W> {
    pub(super) fn new(cells: usize, terminals: usize) -> Self {
        Connections {
            cells,
            terminals,
            ways: [Vec::new(), Vec::new()],
            slots: vec![0; cells + terminals],
            ends: 0,
            pairs: Vec::new(),
            full_carriers: Vec::new(),
            semi_carriers: Vec::new(),
            common: Vec::new(),
            needed: Vec::new(),
            chains: Mask::default(),
            endpoints: Mask::default(),
            near: vec![Ends::default(); cells + terminals],
            settled: vec![Ends::default(); cells + terminals],
            captured: vec![Mask::default(); cells + terminals],
            fulls: Vec::new(),
            next_full: 0,
            pairs_to_try: Vec::new(),
            next_pair: 0,
            most_added: MOST_ADDED,
            buffer: Vec::new(),
            added: [0; 2],
        }
    }

    #[inline]
    fn pair_at(&self, x: usize, y: usize) -> usize {
        let (a, b) = (usize::from(self.slots[x]), usize::from(self.slots[y]));
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        high * (high - 1) / 2 + low
    }

    #[inline]
    fn common_at(&self, x: usize, y: usize) -> usize {
        usize::from(self.slots[x]) * self.ends + usize::from(self.slots[y])
    }

    #[inline]
    fn is_stone(&self, end: usize) -> bool {
        end >= self.cells || self.chains.contains(end)
    }

    #[inline]
    fn bit(&self, end: usize) -> Mask<W> {
        if end < self.cells { Mask::single(end) } else { Mask::default() }
    }

    /// The connections of the terminals.
    pub(super) fn goals(&self) -> Goals<'_, W> {
        if self.terminals == 3 {
            return Goals { fulls: &self.ways[0], semis: &self.ways[1] };
        }
        let at = self.pair_at(self.cells, self.cells + 1);
        Goals { fulls: self.fulls_of(at), semis: self.semis_of(at) }
    }

    #[inline]
    fn fulls_of(&self, pair: usize) -> &[Mask<W>] {
        &self.full_carriers[pair * FULLS..][..usize::from(self.pairs[pair].fulls)]
    }

    #[inline]
    fn semis_of(&self, pair: usize) -> &[Mask<W>] {
        &self.semi_carriers[pair * SEMIS..][..usize::from(self.pairs[pair].semis)]
    }

    /// Number of terminals.
    pub(super) fn terminals(&self) -> usize {
        self.terminals
    }

    /// The endpoints, terminals last.
    pub(super) fn endpoints(&self) -> impl Iterator<Item = usize> + use<W> {
        self.endpoints.iter().chain(self.cells..self.cells + self.terminals)
    }

    /// The endpoints that `end` is fully connected to: each with whether it is a stone and with how many cells an
    /// opponent could put between them to some avail.
    pub(super) fn links(&self, end: usize) -> impl Iterator<Item = (usize, bool, usize)> + '_ {
        self.near[end].iter(self.cells).map(move |other| {
            let common = self.common[self.common_at(end, other)];
            (other, self.is_stone(other), common.len())
        })
    }

    /// Whether an endpoint is a chain or a terminal.
    pub(super) fn is_chain(&self, end: usize) -> bool {
        self.is_stone(end)
    }

    /// Finds the player's connections. `self.captured` must be set for the empty cells.
    pub(super) fn build(&mut self, board: &Board<W>, state: &State<W>, player: usize, until: Until) {
        let most = self.added[0] + self.added[1] + self.most_added;
        self.start(board, state, player);
        let goal = self.pair_at(self.cells, self.cells + 1);
        loop {
            let pair = &self.pairs[goal];
            let is_found = self.terminals == 2 && (pair.fulls > 0 || until == Until::Semi && pair.semis > 0);
            if is_found || self.added[0] + self.added[1] > most {
                break;
            }
            if let Some(&(x, y, carrier)) = self.fulls.get(self.next_full) {
                self.next_full += 1;
                self.join_both_ways(usize::from(x), usize::from(y), carrier);
            } else if let Some(&(x, y)) = self.pairs_to_try.get(self.next_pair) {
                self.next_pair += 1;
                self.unite(usize::from(x), usize::from(y));
            } else {
                break;
            }
        }
        if self.terminals == 3 {
            self.find_ways();
        }
    }

    /// Endpoints and neighbours.
    fn start(&mut self, board: &Board<W>, state: &State<W>, player: usize) {
        let network = &board.networks[player];
        let (own, empty) = (state.own[player], state.empty);
        let conducts = self.terminals == 2;
        self.near.fill(Ends::default());
        self.settled.fill(Ends::default());
        self.fulls.clear();
        self.pairs_to_try.clear();
        (self.next_full, self.next_pair) = (0, 0);
        self.chains = Mask::default();
        // Free neighbours of every chain, under its first cell, and of the terminals.
        let mut beside: Vec<(usize, Mask<W>)> = Vec::with_capacity(16);
        let mut at_terminal: Vec<Mask<W>> = network.touching.iter().map(|&touching| touching & empty).collect();
        let mut left = own;
        while let Some(first) = left.pop() {
            let mut near = network.rows[first];
            let mut chain = Mask::single(first);
            let mut front = near & left;
            while let Some(stone) = front.pop() {
                left.remove(stone);
                near |= network.rows[stone];
                front |= network.rows[stone] & left;
                chain.insert(stone);
            }
            near &= empty;
            let touches = network.touching.iter().map(|touching| touching.intersects(&chain));
            let touched = touches.clone().filter(|&touches| touches).count();
            if conducts && touched > 0 {
                for (at_terminal, _) in at_terminal.iter_mut().zip(touches).filter(|&(_, touches)| touches) {
                    *at_terminal |= near;
                }
            } else if near.len() + touched > 1 {
                self.chains.insert(first);
                self.captured[first] = Mask::default();
                for (at_terminal, _) in at_terminal.iter_mut().zip(touches).filter(|&(_, touches)| touches) {
                    at_terminal.insert(first);
                }
                beside.push((first, near));
            }
        }
        self.endpoints = empty | self.chains;
        self.ends = 0;
        for end in self.endpoints.iter().chain(self.cells..self.cells + self.terminals) {
            self.slots[end] = self.ends as u16;
            self.ends += 1;
        }
        let count = self.ends * (self.ends - 1) / 2;
        self.pairs.clear();
        self.pairs.resize(count, Pair::new());
        if self.full_carriers.len() < count * FULLS {
            self.full_carriers.resize(count * FULLS, Mask::default());
            self.semi_carriers.resize(count * SEMIS, Mask::default());
        }
        self.common.clear();
        self.common.resize(self.ends * self.ends, !Mask::default());
        self.needed.clear();
        self.needed.resize(self.ends * self.ends, !Mask::default());
        for (chain, near) in beside.into_iter().chain((self.cells..).zip(at_terminal)) {
            near.iter().for_each(|cell| self.add_full(chain, cell, Mask::default()));
        }
        for cell in empty.iter() {
            for other in (network.rows[cell] & empty).iter().filter(|&other| other > cell) {
                self.add_full(cell, other, Mask::default());
            }
        }
    }

    /// Adds a full connection, if it is of use.
    #[inline]
    fn add_full(&mut self, x: usize, y: usize, carrier: Mask<W>) {
        let at = self.pair_at(x, y);
        let places = [self.common_at(x, y), self.common_at(y, x)];
        let pair = &mut self.pairs[at];
        let needed = self.needed[places[0]];
        let fulls = &mut self.full_carriers[at * FULLS..][..FULLS];
        let count = usize::from(pair.fulls);
        if count > 0 {
            if fulls[..count].iter().any(|full| full.is_subset(&carrier)) {
                return;
            }
            let old = pair.joined;
            let left = drop_above(&mut fulls[..count], &mut pair.joined, carrier);
            if left == count && (needed.is_subset(&carrier) || count == FULLS) {
                return;
            }
            if pair.joined < old {
                let joined = common_of(&fulls[..usize::from(pair.joined)]);
                places.iter().for_each(|&at| self.common[at] = joined);
            }
            pair.fulls = left as u8;
        }
        fulls[usize::from(pair.fulls)] = carrier;
        pair.fulls += 1;
        let needed = needed & carrier;
        places.iter().for_each(|&at| self.needed[at] = needed);
        if pair.semis > 0 {
            let semis = &mut self.semi_carriers[at * SEMIS..][..usize::from(pair.semis)];
            let left = drop_above(semis, &mut pair.tried, needed);
            if left < semis.len() {
                pair.semis = left as u8;
                pair.common = common_of(&semis[..left]);
            }
        }
        self.added[0] += 1;
        if needed.is_empty() {
            for (one, other) in [(x, y), (y, x)] {
                let settled = &mut self.settled[one];
                if other < self.cells {
                    settled.cells.insert(other);
                } else {
                    settled.terminals |= 1 << (other - self.cells);
                }
            }
        }
        self.fulls.push((x as u16, y as u16, carrier));
    }

    /// Adds a semi connection, if it is minimal and can be of use.
    #[inline]
    fn add_semi(&mut self, at: usize, x: usize, y: usize, carrier: Mask<W>) {
        let pair = &mut self.pairs[at];
        let semis = &mut self.semi_carriers[at * SEMIS..][..SEMIS];
        let count = usize::from(pair.semis);
        let mut above = false;
        for semi in &semis[..count] {
            let both = *semi & carrier;
            if both == *semi {
                return;
            }
            above |= both == carrier;
        }
        if above {
            pair.semis = drop_above(&mut semis[..count], &mut pair.tried, carrier) as u8;
        } else if count == SEMIS {
            return;
        }
        semis[usize::from(pair.semis)] = carrier;
        pair.semis += 1;
        pair.common &= carrier;
        self.added[1] += 1;
        let captured = self.captured[x] | self.captured[y];
        let promising = pair.common.is_subset(&captured);
        if promising && !pair.queued {
            self.pairs_to_try.push((x as u16, y as u16));
        }
        pair.queued = promising;
    }

    /// AND with a full connection of `x` and `y` in the middle and at either end.
    fn join_both_ways(&mut self, x: usize, y: usize, carrier: Mask<W>) {
        let at = self.pair_at(x, y);
        let first = usize::from(self.pairs[at].joined);
        let fulls = &mut self.full_carriers[at * FULLS..][..usize::from(self.pairs[at].fulls)];
        // It may have been replaced in the meantime.
        let Some(place) = fulls[first..].iter().position(|&full| full == carrier) else { return };
        fulls.swap(first + place, first);
        self.pairs[at].joined += 1;
        for (one, other) in [(x, y), (y, x)] {
            let common = self.common_at(one, other);
            self.common[common] &= carrier;
            let near = &mut self.near[one];
            if other < self.cells {
                near.cells.insert(other);
            } else {
                near.terminals |= 1 << (other - self.cells);
            }
        }
        self.join(x, y, carrier);
        self.join(y, x, carrier);
    }

    /// AND: joins `x` over `z` with everything `z` is connected to.
    fn join(&mut self, x: usize, z: usize, carrier: Mask<W>) {
        if z >= self.cells {
            return;
        }
        let stone = self.is_stone(z);
        let with_z = if stone { carrier } else { carrier | Mask::single(z) };
        let x_bit = self.bit(x);
        let captured = self.captured[x] | self.captured[z];
        let mut targets = self.near[z];
        targets.cells = targets.cells.minus(with_z | x_bit);
        if x >= self.cells {
            targets.terminals &= if self.terminals == 2 { !(1 << (x - self.cells)) } else { 0 };
        }
        if !stone {
            targets.cells = targets.cells.minus(self.settled[x].cells);
            targets.terminals &= !self.settled[x].terminals;
        }
        if stone {
            let mut buffer = std::mem::take(&mut self.buffer);
            for y in targets.iter(self.cells) {
                buffer.clear();
                let at = self.pair_at(z, y);
                let fulls = &self.full_carriers[at * FULLS..][..usize::from(self.pairs[at].joined)];
                buffer.extend(fulls.iter().filter_map(|&full| self.both(full, with_z, [z, x, y])));
                buffer.iter().for_each(|&carrier| self.add_full(x, y, carrier));
            }
            self.buffer = buffer;
            return;
        }
        let row_z = usize::from(self.slots[z]) * self.ends;
        let row_x = usize::from(self.slots[x]) * self.ends;
        for y in targets.iter(self.cells) {
            let slot = usize::from(self.slots[y]);
            let captured = captured | self.captured[y];
            let needed = self.needed[row_x + slot];
            if !(self.common[row_z + slot] & with_z).is_subset(&captured) || needed.is_subset(&with_z) {
                continue;
            }
            let from = self.pair_at(z, y);
            let into = self.pair_at(x, y);
            for place in from * FULLS..from * FULLS + usize::from(self.pairs[from].joined) {
                if let Some(carrier) = self.both(self.full_carriers[place], with_z, [z, x, y])
                    && !needed.is_subset(&carrier)
                {
                    self.add_semi(into, x, y, carrier);
                }
            }
        }
    }

    /// The carrier of two connections over `z`, one with its `z`, if they do not get into each other's way.
    #[inline]
    fn both(&self, full: Mask<W>, with_z: Mask<W>, [z, x, y]: [usize; 3]) -> Option<Mask<W>> {
        if x < self.cells && full.contains(x) {
            return None;
        }
        let mut overlap = full & with_z;
        let mut carrier = full | with_z;
        if overlap.is_empty() {
            return Some(carrier);
        }
        for end in [z, x, y] {
            let captured = self.captured[end];
            if overlap.intersects(&captured) {
                carrier |= captured;
                overlap = overlap.minus(captured);
            }
        }
        (overlap.is_empty() && !carrier.intersects(&(self.bit(x) | self.bit(y)))).then_some(carrier)
    }

    /// OR: full connections from the semis of a pair.
    ///
    /// A new full carrier is of use if it leaves out a cell that all known ones have. So for one such cell after the
    /// other the semis without it are united, greedily, until they have nothing in common but what is captured.
    fn unite(&mut self, x: usize, y: usize) {
        let at = self.pair_at(x, y);
        let everything: Mask<W> = !Mask::default();
        let mut candidates = self.needed[self.common_at(x, y)];
        let pair = &mut self.pairs[at];
        pair.queued = false;
        let semis = &self.semi_carriers[at * SEMIS..][..usize::from(pair.semis)];
        let new = &semis[usize::from(pair.tried)..];
        pair.tried = pair.semis;
        self.buffer.clear();
        // What all the new semis have can be left out by old ones only, and those were united before.
        candidates = candidates.minus(common_of(new));
        let (by_x, by_y) = (self.captured[x], self.captured[y]);
        // Using captured cells whenever the semis without a cell fall short makes a third fewer nodes and takes half as long again.
        let with_captured = !pair.common.is_empty();
        while let Some(left_out) = candidates.pop() {
            let (mut union, mut common) = (Mask::default(), everything);
            for semi in semis.iter().filter(|semi| !semi.contains(left_out)) {
                if common.is_subset(semi) {
                    continue;
                }
                common &= *semi;
                union |= *semi;
                if common.is_empty() {
                    break;
                }
            }
            if !common.is_empty() {
                let captured = match common {
                    _ if !with_captured => continue,
                    _ if common.is_subset(&by_x) => by_x,
                    _ if common.is_subset(&by_y) => by_y,
                    _ if common.is_subset(&(by_x | by_y)) => by_x | by_y,
                    _ => continue,
                };
                if captured.contains(left_out) {
                    continue;
                }
                union |= captured;
            }
            self.buffer.push(union);
            candidates &= union;
        }
        let found = std::mem::take(&mut self.buffer);
        for &carrier in &found {
            // A set of captured cells may reach over an end.
            if !carrier.intersects(&(self.bit(x) | self.bit(y))) {
                self.add_full(x, y, carrier);
            }
        }
        self.buffer = found;
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{Random, position};
    use super::*;
    use crate::options::GraphOptions;

    /// Whether the player joins two endpoints inside the carrier, everything else empty being the opponent's, by plain
    /// minimax. The ends are the player's.
    struct Local<'a> {
        rows: &'a [Mask<1>],
        touching: &'a [Mask<1>],
        cells: usize,
    }

    type Test<'a> = &'a dyn Fn(&Local<'_>, Mask<1>) -> bool;

    impl Local<'_> {
        fn reach(&self, own: Mask<1>, end: usize) -> (Mask<1>, Vec<bool>) {
            let conducts = self.touching.len() == 2;
            let mut at: Vec<bool> = (0..self.touching.len()).map(|which| end == self.cells + which).collect();
            let mut seen = if end < self.cells { Mask::single(end) } else { self.touching[end - self.cells] & own };
            let mut front = seen;
            while let Some(cell) = front.pop() {
                for (at, touching) in at.iter_mut().zip(self.touching) {
                    // A chain at one of two terminals is part of it, and all that touches the terminal is next to the chain.
                    if touching.contains(cell) && !*at {
                        *at = true;
                        if conducts {
                            front |= (*touching & own).minus(seen);
                            seen |= *touching & own;
                        }
                    }
                }
                let new = (self.rows[cell] & own).minus(seen);
                seen |= new;
                front |= new;
            }
            (seen, at)
        }

        fn joined(&self, own: Mask<1>, x: usize, y: usize) -> bool {
            let (seen, at) = self.reach(own, x);
            if y < self.cells { seen.contains(y) } else { at[y - self.cells] }
        }

        /// Whether a chain touches all terminals.
        fn reaches_goal(&self, own: Mask<1>) -> bool {
            own.iter().any(|stone| self.reach(own, stone).1.iter().all(|&touched| touched))
        }

        fn holds(&self, own: Mask<1>, open: Mask<1>, test: Test<'_>, to_move: bool) -> bool {
            if test(self, own) {
                return true;
            }
            if open.is_empty() {
                return false;
            }
            let mut options = open.iter().map(|cell| {
                let mut rest = open;
                rest.remove(cell);
                self.holds(if to_move { own | Mask::single(cell) } else { own }, rest, test, !to_move)
            });
            if to_move { options.any(|holds| holds) } else { options.all(|holds| holds) }
        }
    }

    /// Every connection that is claimed without captured sets, between any endpoints, holds; also if a build stops early.
    #[test]
    fn connections_survive_every_defence() {
        let mut random = Random(5);
        let (mut fulls, mut semis, mut ways) = (0, 0, 0);
        for number in 0..420 {
            let position = position(&mut random, number, 18);
            let board = position.board(true);
            let mut state = State::new(&board);
            state.fill(&GraphOptions::default());
            if state.winner.is_some() {
                continue;
            }
            for player in 0..board.networks.len() {
                let mut connections = Connections::new(board.cells, board.terminals);
                if number % 5 == 0 {
                    connections.most_added = 1 + random.below(60) as u64;
                }
                connections.build(&board, &state, player, Until::Full);
                let network = &board.networks[player];
                let local = Local { rows: &network.rows, touching: &network.touching, cells: board.cells };
                let mut goals = vec![(connections.goals().fulls, false), (connections.goals().semis, true)];
                goals.retain(|_| board.terminals == 3);
                for (list, to_move) in goals {
                    for &carrier in list.iter().filter(|carrier| carrier.len() <= 8) {
                        let holds =
                            local.holds(state.own[player], carrier, &|local, own| local.reaches_goal(own), to_move);
                        assert!(holds, "{carrier:?} in {position:?}");
                        ways += 1;
                    }
                }
                let ends: Vec<usize> = connections.endpoints().collect();
                for (at, &y) in ends.iter().enumerate() {
                    for &x in &ends[..at] {
                        let own = state.own[player] | connections.bit(x) | connections.bit(y);
                        let pair = connections.pair_at(x, y);
                        for (list, to_move) in [(connections.fulls_of(pair), false), (connections.semis_of(pair), true)]
                        {
                            for &carrier in list.iter().filter(|carrier| carrier.len() <= 6) {
                                assert!(!carrier.intersects(&own), "ends and stones are outside");
                                assert!(
                                    local.holds(own, carrier, &|local, own| local.joined(own, x, y), to_move),
                                    "{x}-{y} {carrier:?} in {position:?}"
                                );
                                *(if to_move { &mut semis } else { &mut fulls }) += 1;
                            }
                        }
                    }
                }
            }
        }
        assert!(fulls > 5_000 && semis > 8_000 && ways > 40, "{fulls} {semis} {ways}");
    }

    /// With captured sets a connection of two cells holds as far as the game goes, not on its own: the opponent's captured
    /// stone is dead, not the player's. What is claimed of the goals wins the game inside the carrier and what fill has
    /// captured, everything else being the opponent's.
    #[test]
    fn connections_of_the_goals_win() {
        let mut random = Random(6);
        let (mut fulls, mut semis) = (0, 0);
        for number in 0..1500 {
            let position = position(&mut random, number, 11);
            let board = position.board(true);
            let mut state = State::new(&board);
            state.fill(&GraphOptions::default());
            if state.winner.is_some() {
                continue;
            }
            let mut judge = position.judge();
            for player in 0..board.networks.len() {
                let mut connections = Connections::new(board.cells, board.terminals);
                state.captured_by(player, state.empty, &mut connections.captured[..board.cells]);
                connections.build(&board, &state, player, Until::Full);
                let goals = connections.goals();
                for (list, to_move) in [(goals.fulls, false), (goals.semis, true)] {
                    for &carrier in list {
                        let mut own = [Mask::default(); 2];
                        own[1 - player] = board.free.minus(carrier | state.captured[player]);
                        let turn = if to_move { player } else { 1 - player };
                        assert_eq!(judge.winner(own, turn), player, "{carrier:?} in {position:?}");
                        *(if to_move { &mut semis } else { &mut fulls }) += 1;
                    }
                }
            }
        }
        assert!(fulls > 100 && semis > 500, "{fulls} {semis}");
    }
}

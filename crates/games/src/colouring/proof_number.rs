//! Depth-first proof-number search (df-pn, Nagai 2002) over the same positions as alpha-beta, with the same traces,
//! mustplay, reductions and table of solved positions; only the order of work differs.
//!
//! Each unsolved position has two numbers, seen by the player to move: `phi`, how many leaves it takes at least to prove a
//! win, and `delta`, how many to prove a loss. A position's phi is the least delta of its children, its delta the sum of
//! their phis, over the children that are still inside the mustplay. The search stays below a child while its numbers
//! are under thresholds that follow from those of its siblings.

use super::domination::Mark;
use super::entry::{Entry, Open};
use super::mustplay::Mustplay;
use super::position::Move;
use super::reduce::element;
use super::search::{Key, Search};
use super::table::Value;
use gamesat_core::control::StopReason;

/// Numbers of unsolved positions grow no further than this,
const GREATEST: u32 = u32::MAX / 4;
/// and the root has thresholds that none of them reaches, so it is never left unsolved. Where positions are told apart by
/// less than they differ in (dead elements in an isotone game), estimates can feed on each other up to the greatest number;
/// from there on every threshold lies above it, and the search goes straight down.
const BEYOND: u32 = u32::MAX;

/// Proof and disproof numbers of unsolved positions. Newer entries replace older ones.
pub(super) struct Bounds {
    checks: Vec<u64>,
    numbers: Vec<u64>,
}

impl Bounds {
    /// At most a quarter of this many MiB, but enough to make headway.
    pub(super) fn new(mebibytes: usize) -> Self {
        let entries: usize = 1 << ((mebibytes.max(1) << 20) / 64).ilog2();
        Bounds { checks: vec![0; entries], numbers: vec![0; entries] }
    }

    fn get(&self, (place, check): (u64, u64)) -> (u32, u32) {
        let at = place as usize & (self.checks.len() - 1);
        let numbers = self.numbers[at];
        if self.checks[at] == check && numbers != 0 { ((numbers >> 32) as u32, numbers as u32) } else { (1, 1) }
    }

    fn set(&mut self, (place, check): (u64, u64), (phi, delta): (u32, u32)) {
        let at = place as usize & (self.checks.len() - 1);
        self.checks[at] = check;
        self.numbers[at] = u64::from(phi) << 32 | u64::from(delta);
    }
}

/// A move and what is known about the position after it.
struct Child<const W: usize> {
    choice: Move,
    key: Option<Key>,
    phi: u32,
    delta: u32,
    value: Option<Value<W>>,
}

impl<const W: usize> Search<'_, W> {
    /// Solves the position on top of the stack, which it may change in place. See [`Search::arrive`] on `root`.
    pub(super) fn prove(&mut self, root: bool) -> Result<Value<W>, StopReason> {
        loop {
            self.position.push();
            let value = self.visit(root, BEYOND, BEYOND);
            self.position.pop();
            if let Some(value) = value? {
                return Ok(value);
            }
        }
    }

    /// Works on the position until it is solved or one of its numbers reaches a limit.
    fn visit(&mut self, root: bool, phi_limit: u32, delta_limit: u32) -> Result<Option<Value<W>>, StopReason> {
        // 1. Reduce; known, or known how to be won?
        let open = match self.enter(root)? {
            Entry::Solved(value) => return Ok(Some(value)),
            Entry::Open(open) => open,
        };

        // 2. Parts are solved one after the other, moves weighed against each other.
        let solved = match self.parts(&open) {
            Some((player, parts)) => Some(self.solve_parts(player, &parts)?),
            None => self.solve_factors(&open)?,
        };
        let value = match solved {
            Some(value) => Some(value),
            None => {
                let occurrence = &open.reduced.occurrence;
                let dropped = self.dropped.mark();
                let first = self.moves.len();
                let kept = if open.careful { self.position.live() } else { self.undominated(occurrence) };
                self.list_moves(kept, occurrence);
                let easy = if occurrence.isotone { self.outweighed() } else { None };
                let value = match easy {
                    Some(value) => Some(value),
                    None => self.weigh_moves(&open, first, dropped, (phi_limit, delta_limit))?,
                };
                self.moves.truncate(first);
                self.dropped.release(dropped);
                value
            }
        };

        // 3. Remember.
        Ok(value.map(|value| self.leave(&open, &value)))
    }

    /// Visits children, most promising first, until the position is solved or a limit is reached.
    fn weigh_moves(
        &mut self,
        open: &Open<W>,
        first: usize,
        dropped: Mark,
        (phi_limit, delta_limit): (u32, u32),
    ) -> Result<Option<Value<W>>, StopReason> {
        let mover = self.position.turn();
        let mut children = Vec::with_capacity(self.moves.len() - first);
        for at in first..self.moves.len() {
            let choice = self.moves[at].1;
            children.push(self.look_at(choice)?);
        }
        let mut mustplay = Mustplay::new(self.position.live(), self.options.mustplay);
        loop {
            // 1. Solved children: a win ends it, a loss narrows the mustplay.
            let won =
                children.iter().find_map(|child| Some((child.choice, child.value?)).filter(|v| v.1.winner == mover));
            if let Some((choice, value)) = won {
                return Ok(Some(Value { winner: mover, trace: value.trace | element(choice), choice: Some(choice) }));
            }
            children.retain(|child| {
                let Some(value) = child.value else { return true };
                mustplay.refute(child.choice, self.is_rational(child.choice, &open.reduced.occurrence), value.trace);
                false
            });
            children.retain(|child| mustplay.allows(child.choice));
            if children.is_empty() {
                return Ok(Some(self.lost(&mustplay, dropped)));
            }

            // 2. The numbers, and the best two children.
            let delta = children.iter().fold(0u32, |sum, child| sum.saturating_add(child.phi).min(GREATEST));
            let (best, phi) = children
                .iter()
                .enumerate()
                .map(|(at, child)| (at, child.delta))
                .min_by_key(|&(_, delta)| delta)
                .unwrap_or((0, GREATEST));
            if phi >= phi_limit || delta >= delta_limit {
                if let Some(bounds) = &mut self.known.bounds {
                    bounds.set(open.key.0, (phi, delta));
                }
                return Ok(None);
            }
            let others = children.iter().enumerate().filter(|&(at, _)| at != best);
            let second = others.map(|(_, child)| child.delta).min().unwrap_or(GREATEST);

            // 3. Visit the best one; a little more than the next best, lest the two take turns.
            let child = &children[best];
            let child_phi = (delta_limit - delta).saturating_add(child.phi);
            let child_delta = phi_limit.min(second.saturating_add(second / 4 + 1));
            let choice = child.choice;
            self.position.push();
            self.position.play(choice);
            let value = self.visit(false, child_phi, child_delta);
            self.position.pop();
            let child = &mut children[best];
            match value? {
                Some(value) => child.value = Some(value),
                None => {
                    let numbers = child.key.and_then(|key| Some(self.known.bounds.as_ref()?.get(key.0)));
                    // Should the entry be lost already, at least go on with what made the visit return.
                    let (phi, delta) = numbers.unwrap_or((1, 1));
                    let stale = phi < child_phi && delta < child_delta;
                    let (phi, delta) = if stale { (child_phi, child_delta) } else { (phi, delta) };
                    (child.phi, child.delta) = (phi.min(GREATEST), delta.min(GREATEST));
                }
            }
        }
    }

    /// What is known about the position after a move without searching it.
    fn look_at(&mut self, choice: Move) -> Result<Child<W>, StopReason> {
        self.position.push();
        self.position.play(choice);
        let entry = self.arrive(false);
        self.position.pop();
        Ok(match entry? {
            Entry::Solved(value) => Child { choice, key: None, phi: 1, delta: 1, value: Some(value) },
            Entry::Open(open) => {
                let (phi, delta) = self.known.bounds.as_ref().map_or((1, 1), |bounds| bounds.get(open.key.0));
                Child { choice, key: Some(open.key), phi, delta, value: None }
            }
        })
    }
}

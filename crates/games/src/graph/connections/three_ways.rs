//! The goal of three terminals, from the connections of single pairs.
//!
//! A *middle* that is fully connected with each terminal, by carriers without a common cell, joins all three: whichever
//! connection the opponent breaks into, the player restores that one. If the middle is a chain, they are joined with the
//! opponent to move, a full connection; if it is an empty cell, the player begins there, a semi one. The carriers may meet
//! in cells that the player has captured once the middle is its own; then the whole captured set belongs to the carrier.
//! OR makes full connections of semi ones, as for pairs.

use super::{Connections, drop_above};
use gamesat_rows::mask::Mask;

/// The most carriers of either kind.
const MOST: usize = 256;

impl<const W: usize> Connections<W> {
    /// Finds the connections of three terminals.
    pub(super) fn find_ways(&mut self) {
        let [mut fulls, mut semis] = std::mem::take(&mut self.ways);
        fulls.clear();
        semis.clear();
        for middle in self.endpoints.iter() {
            let [one, two, three] = [0, 1, 2].map(|which| self.fulls_of(self.pair_at(middle, self.cells + which)));
            let is_chain = self.is_stone(middle);
            let captured = if is_chain { Mask::default() } else { self.captured[middle] };
            let key = if is_chain { Mask::default() } else { Mask::single(middle) };
            let list = if is_chain { &mut fulls } else { &mut semis };
            for &first in one {
                for &second in two {
                    let Some(both) = united(first, second, captured) else { continue };
                    for &third in three {
                        if let Some(carrier) = united(both, third, captured) {
                            add(list, carrier | key);
                        }
                    }
                }
            }
        }
        // OR: for every cell the semis without it, until they have nothing in common.
        let (mut common, mut union) = (!Mask::default(), Mask::default());
        for &semi in &semis {
            if !common.is_subset(&semi) {
                common &= semi;
                union |= semi;
            }
        }
        if common.is_empty() {
            add(&mut fulls, union);
        }
        self.ways = [fulls, semis];
    }
}

/// The union, if the two meet in captured cells at most.
fn united<const W: usize>(one: Mask<W>, other: Mask<W>, captured: Mask<W>) -> Option<Mask<W>> {
    let overlap = one & other;
    if overlap.is_empty() {
        return Some(one | other);
    }
    overlap.is_subset(&captured).then_some(one | other | captured)
}

/// Adds a carrier, if it is minimal.
fn add<const W: usize>(list: &mut Vec<Mask<W>>, carrier: Mask<W>) {
    if list.iter().any(|known| known.is_subset(&carrier)) {
        return;
    }
    let left = drop_above(list, &mut 0, carrier);
    list.truncate(left);
    if left < MOST {
        list.push(carrier);
    }
}

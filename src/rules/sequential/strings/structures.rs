//! Chains, loops and joints of quiet positions, carried from one to the next.
//!
//! Between two quiet positions strings were cut, and whatever hung on its last string then is gone. So a row of coins with two
//! strings each is either untouched or gone as a whole, as a cut in it sets off all of it; and what is new goes through a coin
//! that had three strings or more and has two now. That coin touches a string that was cut. So the rows of the position before
//! are copied, but for those that are gone and those that end at such a coin, and the others are found by walking from these
//! coins. Components that are apart stay so: their strings leave the keys when they appear, and only how many there are of
//! each kind is part of them.

use super::super::Key;
use super::super::endgame::{self, Component};
use super::super::word::mixed;
use super::{MOST, Strings};

/// A maximal row of coins with two strings each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Structure {
    /// A component of its own, or one that ends at a joint.
    pub(super) apart: Option<Component>,
    pub(super) coins: u16,
    /// The string that opens it best.
    pub(super) opening: u16,
    /// What that is worth at most.
    pub(super) promise: i32,
    /// The coin with the least number, and what is at both ends: joints, or the ground.
    least: u16,
    ends: [u16; 2],
}

/// What is known of a quiet position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layer {
    /// Where its structures begin, how many strings were cut and how many hidden before.
    pub(super) from: u32,
    pub(super) trail: u32,
    hides: u32,
    pub(super) key: Key,
    pub(super) canonical: Key,
    pub(super) image: u8,
    /// The value, if there is no joint.
    pub(super) value: Option<i32>,
}

impl Strings {
    /// Finds the structures of the position that was just reached, if it is quiet.
    pub(super) fn reached(&mut self) {
        if self.coins > 0 && self.is_quiet() {
            self.find();
            #[cfg(debug_assertions)]
            self.compare_with_fresh();
        }
    }

    fn find(&mut self) {
        let (from, hides) = (self.structures.len(), self.hides.len() as u32);
        self.now += 1;
        match self.layers.last() {
            Some(&Layer { from: before, trail, .. }) => {
                for at in before as usize..from {
                    let structure = self.structures[at];
                    let gone = self.degree[usize::from(structure.least)] == 0;
                    // The ground has always enough strings.
                    if !gone && structure.ends.iter().all(|&end| self.degree[usize::from(end)] > 2) {
                        self.structures.push(structure);
                    }
                }
                for at in trail as usize..self.trail.len() {
                    for end in self.graph.ends[usize::from(self.trail[at])].map(usize::from) {
                        if self.degree[end] == 2 && self.seen[end] != self.now {
                            self.follow(end);
                        }
                    }
                }
            }
            None => {
                for coin in 0..self.graph.coins {
                    if self.degree[coin] == 2 && self.seen[coin] != self.now {
                        self.follow(coin);
                    }
                }
            }
        }
        // One order for all ways to this position.
        self.structures[from..].sort_unstable_by_key(|structure| structure.least);
        self.components.clear();
        self.components.extend(self.structures[from..].iter().filter_map(|structure| structure.apart));
        let value = if self.joints > 0 {
            None
        } else {
            self.components.sort_unstable();
            endgame::value(&self.components)
        };
        let mut counted = (0u64, 0u64);
        for component in &self.components {
            let code = match component {
                Component::Chain(coins) => u64::from(*coins) << 1,
                Component::Loop(coins) => u64::from(*coins) << 1 | 1,
            };
            let word = mixed(code.wrapping_mul(0xd134_2543_de82_ef95));
            counted = (counted.0.wrapping_add(word), counted.1.wrapping_add(mixed(word ^ 0x2545_f491_4f6c_dd1d)));
        }
        let counted = (mixed(counted.0), mixed(counted.1));
        let key = |sum: (u64, u64)| Key { place: sum.0 ^ counted.0, check: sum.1 ^ counted.1 };
        let image = (0..self.sums.len()).min_by_key(|&image| self.sums[image]).unwrap_or(0);
        let (key, canonical) = (key(self.sums[0]), key(self.sums[image]));
        let (from, trail) = (from as u32, self.trail.len() as u32);
        self.layers.push(Layer { from, trail, hides, key, canonical, image: image as u8, value });
    }

    /// Leaves the position of the layer behind so many others, if there is one, before its strings are joined again: what it
    /// hid is part of the keys again.
    pub(super) fn forget(&mut self, layers: u32) {
        let Some(&Layer { from, hides, .. }) = self.layers.get(layers as usize) else { return };
        while self.hides.len() > hides as usize {
            if let Some(string) = self.hides.pop() {
                self.hidden[usize::from(string)] = false;
                self.toggle(string);
            }
        }
        self.structures.truncate(from as usize);
        self.layers.truncate(layers as usize);
    }

    /// Follows the row of coins with two strings each through one of them, to both ends or round to the coin itself.
    fn follow(&mut self, start: usize) {
        let coins = self.graph.coins;
        self.row.clear();
        self.row.push(start as u16);
        self.seen[start] = self.now;
        let first = self.some_string(start);
        let second = self.around[start] ^ first;
        let (mut middle, mut round, mut ends) = (second, false, [coins; 2]);
        for (side, string) in [first, second].into_iter().enumerate() {
            let (mut coin, mut last) = (start, string);
            loop {
                let next = self.other_end(last, coin);
                if next == start {
                    round = true;
                    break;
                }
                if next == coins || self.degree[next] != 2 {
                    ends[side] = next;
                    break;
                }
                if string == first {
                    middle = first;
                }
                self.seen[next] = self.now;
                self.row.push(next as u16);
                (coin, last) = (next, self.around[next] ^ last);
            }
            if round {
                break;
            }
        }
        let length = self.row.len() as u16;
        let apart = match (round, ends == [coins; 2]) {
            (true, _) => Some(Component::Loop(length)),
            (false, true) => Some(Component::Chain(length)),
            (false, false) => None,
        };
        if apart.is_some() {
            self.hide_row();
        }
        let least = self.row.iter().copied().min().unwrap_or(0);
        let opening = if length == 2 { middle } else { self.some_string(least.into()) };
        let left = match apart {
            Some(component) => component.handout(),
            // One that returns to its joint may take more with it.
            None => (length > 2 && ends[0] != ends[1]).then_some(2),
        };
        let promise = left.map_or(MOST, |handout| handout - i32::from(length));
        let ends = ends.map(|end| end as u16);
        self.structures.push(Structure { apart, coins: length, opening, promise, least, ends });
    }

    /// Takes the strings of a component that is apart, whose coins are the row, out of the keys.
    fn hide_row(&mut self) {
        for at in 0..self.row.len() {
            let coin = usize::from(self.row[at]);
            for place in self.graph.begin[coin] as usize..self.graph.begin[coin + 1] as usize {
                let string = self.graph.at[place];
                if !self.cut[usize::from(string)] && !self.hidden[usize::from(string)] {
                    self.hidden[usize::from(string)] = true;
                    self.hides.push(string);
                    self.toggle(string);
                }
            }
        }
    }

    /// What was carried here is what would be found anew.
    #[cfg(debug_assertions)]
    fn compare_with_fresh(&self) {
        let mut fresh = self.clone();
        fresh.layers.clear();
        fresh.structures.clear();
        fresh.hides.clear();
        fresh.hidden.fill(false);
        fresh.sums.fill((0, 0));
        (0..self.cut.len()).filter(|&string| !self.cut[string]).for_each(|string| fresh.toggle(string as u16));
        fresh.find();
        let facts = |strings: &Strings| {
            let of = |structure: &Structure| {
                let [one, two] = structure.ends;
                let ends = (one.min(two), one.max(two));
                (format!("{:?}", structure.apart), structure.coins, structure.promise, ends)
            };
            let mut all: Vec<_> = strings.current().iter().map(of).collect();
            all.sort_unstable();
            let last = strings.layers.last().map(|layer| (layer.key, layer.canonical, layer.value));
            (all, last)
        };
        assert_eq!(facts(self), facts(&fresh), "structures are carried exactly");
    }
}

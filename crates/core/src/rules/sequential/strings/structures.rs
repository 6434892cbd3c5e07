//! Chains, loops and joints of quiet positions, carried from one to the next.
//!
//! Between two quiet positions strings were cut, and whatever hung on its last string then is gone. So a row of coins with two
//! strings each is either untouched or gone as a whole, as a cut in it sets off all of it; and what is new goes through a coin
//! that had three strings or more and has two now. That coin touches a string that was cut. So the rows of the position before
//! are copied, but for those that are gone and those that end at such a coin, and the others are found by walking from these
//! coins. The key changes with the rows (`keys.rs`).

use super::super::Key;
use super::super::endgame::{self, Component};
use super::keys::{Row, Sum};
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

impl Structure {
    /// Whether to open the shorter one of the two is at least as good: both are apart and of one kind, or lead from the same
    /// joint to the same other end, and leave as much in a double-deal.
    ///
    /// If a row of `n` coins becomes one of `m`, more, and leaves as much in a double-deal, no value changes by more than `m - n`:
    /// whoever plays as in the other position wins as much, but for the coins of that row. A row that is long stays so when it
    /// grows together with others. So of two rows between the same ends, of `n` and `m` coins, to open the first leaves the
    /// second, a difference of `m - n` at most, but it offers `m - n` coins less.
    pub(super) fn compares_with(&self, other: &Structure) -> bool {
        match (self.apart, other.apart) {
            (Some(one), Some(two)) => {
                matches!(one, Component::Loop(_)) == matches!(two, Component::Loop(_)) && one.handout() == two.handout()
            }
            (None, None) => {
                let [one, two] = self.ends;
                let same = other.ends == [one, two] || other.ends == [two, one];
                same && one != two && (self.coins == other.coins || self.coins.min(other.coins) > 2)
            }
            _ => false,
        }
    }

    /// What it counts in a key.
    fn row(&self) -> Row {
        let [one, two] = self.ends.map(usize::from);
        self.apart.map_or(Row::Between(one, two, self.coins), Row::Apart)
    }
}

/// What is known of a quiet position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layer {
    /// Where its structures begin, how many strings were cut and how many hidden before.
    pub(super) from: u32,
    pub(super) trail: u32,
    hides: u32,
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
        let mut sums = std::mem::take(&mut self.sums);
        let begin = sums.len();
        self.now += 1;
        match self.layers.last() {
            Some(&Layer { from: before, trail, .. }) => {
                sums.extend_from_within(begin - self.graph.images.len()..);
                let sums = &mut sums[begin..];
                for at in before as usize..from {
                    let structure = self.structures[at];
                    let gone = self.degree[usize::from(structure.least)] == 0;
                    // The ground has always enough strings.
                    if !gone && structure.ends.iter().all(|&end| self.degree[usize::from(end)] > 2) {
                        self.structures.push(structure);
                    } else {
                        self.subtract(sums, structure.row());
                    }
                }
                for at in trail as usize..self.trail.len() {
                    let string = self.trail[at];
                    if !self.hidden[usize::from(string)] {
                        self.subtract_string(sums, string);
                    }
                }
                for at in trail as usize..self.trail.len() {
                    for end in self.graph.ends[usize::from(self.trail[at])].map(usize::from) {
                        if self.degree[end] == 2 && self.seen[end] != self.now {
                            self.follow(end, sums);
                        }
                    }
                }
            }
            None => {
                sums.resize(begin + self.graph.images.len(), Sum::default());
                let sums = &mut sums[begin..];
                for string in (0..self.cut.len()).filter(|&string| !self.cut[string]) {
                    let [one, two] = self.graph.ends[string].map(usize::from);
                    self.add(sums, Row::Between(one, two, 0));
                }
                for coin in 0..self.graph.coins {
                    if self.degree[coin] == 2 && self.seen[coin] != self.now {
                        self.follow(coin, sums);
                    }
                }
            }
        }
        // One order for all ways to this position.
        self.structures[from..].sort_unstable_by_key(|structure| structure.least);
        let value = if self.joints > 0 {
            None
        } else {
            self.components.clear();
            self.components.extend(self.structures[from..].iter().filter_map(|structure| structure.apart));
            self.components.sort_unstable();
            endgame::value(&self.components)
        };
        let (canonical, image) = Self::least(&sums[begin..]);
        self.sums = sums;
        let (from, trail) = (from as u32, self.trail.len() as u32);
        self.layers.push(Layer { from, trail, hides, canonical, image, value });
    }

    /// Leaves the position of the layer behind so many others, if there is one, with what it knows.
    pub(super) fn forget(&mut self, layers: u32) {
        let Some(&Layer { from, hides, .. }) = self.layers.get(layers as usize) else { return };
        while self.hides.len() > hides as usize {
            if let Some(string) = self.hides.pop() {
                self.hidden[usize::from(string)] = false;
            }
        }
        self.structures.truncate(from as usize);
        self.layers.truncate(layers as usize);
        self.sums.truncate(layers as usize * self.graph.images.len());
    }

    /// Follows the row of coins with two strings each through one of them, to both ends or round to the coin itself.
    fn follow(&mut self, start: usize, sums: &mut [Sum]) {
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
        self.hide_row(sums);
        let least = self.row.iter().copied().min().unwrap_or(0);
        let opening = if length == 2 { middle } else { self.some_string(least.into()) };
        let left = match apart {
            Some(component) => component.handout(),
            // One that returns to its joint may take more with it.
            None => (length > 2 && ends[0] != ends[1]).then_some(2),
        };
        let promise = left.map_or(MOST, |handout| handout - i32::from(length));
        let ends = ends.map(|end| end as u16);
        let structure = Structure { apart, coins: length, opening, promise, least, ends };
        self.add(sums, structure.row());
        self.structures.push(structure);
    }

    /// Strings of the row that was followed are no rows by themselves any more.
    fn hide_row(&mut self, sums: &mut [Sum]) {
        for at in 0..self.row.len() {
            let coin = usize::from(self.row[at]);
            for place in self.graph.begin[coin] as usize..self.graph.begin[coin + 1] as usize {
                let string = self.graph.at[place];
                if !self.cut[usize::from(string)] && !self.hidden[usize::from(string)] {
                    self.hidden[usize::from(string)] = true;
                    self.hides.push(string);
                    self.subtract_string(sums, string);
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
        fresh.sums.clear();
        fresh.find();
        let facts = |strings: &Strings| {
            let of = |structure: &Structure| {
                let [one, two] = structure.ends;
                let ends = (one.min(two), one.max(two));
                (format!("{:?}", structure.apart), structure.coins, structure.promise, ends)
            };
            let mut all: Vec<_> = strings.current().iter().map(of).collect();
            all.sort_unstable();
            let last = strings.layers.last().map(|layer| (layer.canonical, layer.value));
            (all, last)
        };
        assert_eq!(facts(self), facts(&fresh), "structures are carried exactly");
    }
}

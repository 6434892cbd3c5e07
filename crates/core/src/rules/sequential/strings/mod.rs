//! Strings-and-Coins for the search: positions with coins on offer are passed through in one step, one opening stands for
//! all of a chain, and independent chains and loops are only counted.
//!
//! A position is *quiet* if no coin hangs on its last string. Where one does, taking such coins is never wrong, but for the
//! last two of a half-open part, or the last four of a part that is cut off, which may be left in a double-deal (Berlekamp;
//! J. Barker and R. Korf, *Solving Dots-And-Boxes*, 2012). Whatever is on offer is a forest, as its coins can be taken one by
//! one, each with its last string: a tree with one string to the rest or the ground lets its root and a neighbour be left, a
//! tree without such a string lets two pairs be left if some string joins two inner coins. The position behind is the same
//! in all cases, and the pairs that are left are taken at once. So two moves do for all: [`sweep`](Strings::sweep) takes
//! everything, the *deal* takes all but the least handout and lets the opponent have that.
//!
//! In a quiet position strings of the same chain open the same coins. The best to cut is one that allows no double-deal, the
//! middle one of two coins; otherwise any will do. To *open* a chain is a move of its own, which also sweeps it: what is
//! pending then is whether the opponent takes all or deals, and the position behind is known already.
//!
//! Chains, loops and joints are carried from one quiet position to the next (`structures.rs`), and so is the key, which knows
//! chains by their ends and their length only (`keys.rs`).

mod keys;
mod structures;

use super::dots::Dots;
use super::endgame::{self, Component};
use super::{Key, MOST, Move, Place, Rules};
use crate::rules::Side;
use keys::Sum;
use std::sync::Arc;
use structures::{Layer, Structure};

/// Whether a string between two inner coins was cut below a coin is the highest bit of what hangs there.
const INNER: u16 = 1 << 15;

/// A position with no more strings is near the end of its game.
const NEAR: u32 = 12;

/// What does not change.
#[derive(Debug, PartialEq, Eq)]
struct Graph {
    coins: usize,
    /// The two coins of a string; the ground is number `coins`.
    ends: Vec<[u16; 2]>,
    /// Coins and the ground by number, then for each symmetry: a random word of the image.
    words: Vec<u64>,
    /// The strings by number, then for each symmetry: what it counts in a key.
    codes: Vec<Sum>,
    images: Vec<Vec<Move>>,
    back: Vec<Vec<Move>>,
    /// The least image of every string.
    orbits: Vec<Move>,
    /// The next string that joins the same two ends, in a ring.
    parallel: Vec<u16>,
    /// The strings of all coins, one coin after the other, and where each one's begin.
    at: Vec<u16>,
    begin: Vec<u32>,
}

/// A position for the search.
#[derive(Clone, Debug)]
pub struct Strings {
    graph: Arc<Graph>,
    cut: Vec<bool>,
    /// Strings that are left at each coin; the ground, which is last, has always enough.
    degree: Vec<u16>,
    /// Exclusive or of the strings that are left at each coin: the last one by itself, and of two the other one.
    around: Vec<u16>,
    /// Coins that hang on their last string, and coins with three strings or more.
    free: u32,
    joints: u32,
    /// Coins that are not taken, and strings that are not cut.
    coins: u32,
    strings: u32,
    mover: Side,
    /// A chain was opened and is swept: how many coins that gives, and the least number that can be left in a double-deal.
    pending: Option<(i32, Option<i32>)>,
    /// Strings in the order in which they were cut.
    trail: Vec<u16>,
    layers: Vec<Layer>,
    structures: Vec<Structure>,
    /// Of every layer and every symmetry the key.
    sums: Vec<Sum>,
    /// Strings that are part of a structure, and in which order they became so.
    hidden: Vec<bool>,
    hides: Vec<u16>,
    /// Room to work in: coins that were met now, a row of them, coins that hang below one, whether one had more than one string
    /// when it was met, and components.
    seen: Vec<u64>,
    now: u64,
    row: Vec<u16>,
    below: Vec<u16>,
    inner: Vec<bool>,
    components: Vec<Component>,
}

impl PartialEq for Strings {
    fn eq(&self, other: &Self) -> bool {
        self.graph == other.graph
            && self.cut == other.cut
            && self.degree == other.degree
            && self.around == other.around
            && (self.free, self.joints, self.coins, self.strings, self.mover)
                == (other.free, other.joints, other.coins, other.strings, other.mover)
            && self.pending == other.pending
            && self.trail == other.trail
            && self.layers == other.layers
            && (&self.structures, &self.sums) == (&other.structures, &other.sums)
            && (&self.hidden, &self.hides) == (&other.hidden, &other.hides)
    }
}

/// What a move has changed.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    trail: u32,
    layers: u32,
    mover: Side,
    pending: Option<(i32, Option<i32>)>,
}

impl Strings {
    /// The position.
    pub fn new(dots: &Dots) -> Self {
        let coins = dots.coins();
        let ground = coins as u16;
        let ends: Vec<[u16; 2]> =
            dots.strings().iter().map(|ends| ends.map(|end| end.map_or(ground, |coin| coin as u16))).collect();
        let images = dots.symmetries();
        let back = images
            .iter()
            .map(|image| {
                let mut back = vec![0; image.len()];
                image.iter().enumerate().for_each(|(string, &to)| back[usize::from(to)] = string as Move);
                back
            })
            .collect();
        let orbits =
            (0..ends.len()).map(|string| images.iter().map(|image| image[string]).min().unwrap_or(0)).collect();
        // Strings by their ends: those side by side follow each other.
        let mut by_ends: Vec<u16> = (0..ends.len() as u16).collect();
        let joined = |string: u16| {
            let [one, two] = ends[usize::from(string)];
            (one.min(two), one.max(two))
        };
        by_ends.sort_by_key(|&string| joined(string));
        let mut parallel = vec![0; ends.len()];
        for alike in by_ends.chunk_by(|&one, &two| joined(one) == joined(two)) {
            let next = alike.iter().skip(1).chain(alike.first());
            alike.iter().zip(next).for_each(|(&string, &next)| parallel[usize::from(string)] = next);
        }
        let mut by_coin: Vec<(u16, u16)> =
            (0..ends.len() as u16).flat_map(|string| ends[usize::from(string)].map(|end| (end, string))).collect();
        by_coin.retain(|&(end, _)| end < ground);
        by_coin.sort_unstable();
        let at: Vec<u16> = by_coin.iter().map(|&(_, string)| string).collect();
        let begin: Vec<u32> = (0..=ground).map(|coin| by_coin.partition_point(|&(end, _)| end < coin) as u32).collect();
        let words = keys::words(coins, &ends, &images, |coin| &at[begin[coin] as usize..begin[coin + 1] as usize]);
        let codes = keys::codes(&ends, &words, images.len());
        let mut strings = Strings {
            cut: vec![false; ends.len()],
            degree: vec![0; coins + 1],
            around: vec![0; coins + 1],
            free: 0,
            joints: 0,
            coins: 0,
            strings: ends.len() as u32,
            mover: dots.turn(),
            pending: None,
            trail: Vec::with_capacity(ends.len()),
            layers: Vec::new(),
            structures: Vec::new(),
            sums: Vec::new(),
            hidden: vec![false; ends.len()],
            hides: Vec::new(),
            seen: vec![0; coins + 1],
            now: 0,
            row: Vec::new(),
            below: vec![0; coins + 1],
            inner: vec![false; coins + 1],
            components: Vec::new(),
            graph: Arc::new(Graph { coins, ends, words, codes, images, back, orbits, parallel, at, begin }),
        };
        strings.degree[coins] = u16::MAX;
        for string in 0..strings.cut.len() {
            for end in strings.graph.ends[string].map(usize::from) {
                if end < coins {
                    strings.degree[end] += 1;
                    strings.around[end] ^= string as u16;
                }
            }
        }
        strings.coins = strings.degree[..coins].iter().filter(|&&degree| degree > 0).count() as u32;
        strings.free = strings.degree[..coins].iter().filter(|&&degree| degree == 1).count() as u32;
        strings.joints = strings.degree[..coins].iter().filter(|&&degree| degree > 2).count() as u32;
        for string in 0..strings.cut.len() {
            if dots.is_cut(string) {
                strings.cut(string as u16);
            }
        }
        strings.trail.clear();
        strings.reached();
        strings
    }

    #[inline]
    fn is_quiet(&self) -> bool {
        self.free == 0
    }

    /// Cuts a string; returns how many coins that takes.
    #[inline]
    fn cut(&mut self, string: u16) -> i32 {
        self.cut[usize::from(string)] = true;
        self.strings -= 1;
        self.trail.push(string);
        let mut taken = 0;
        for end in self.graph.ends[usize::from(string)].map(usize::from) {
            if end == self.graph.coins {
                continue;
            }
            self.around[end] ^= string;
            self.degree[end] -= 1;
            match self.degree[end] {
                0 => {
                    taken += 1;
                    self.free -= 1;
                }
                1 => self.free += 1,
                2 => self.joints -= 1,
                _ => {}
            }
        }
        self.coins -= taken as u32;
        taken
    }

    /// Takes the last cut back.
    #[inline]
    fn join(&mut self, string: u16) {
        self.cut[usize::from(string)] = false;
        self.strings += 1;
        for end in self.graph.ends[usize::from(string)].map(usize::from) {
            if end == self.graph.coins {
                continue;
            }
            self.around[end] ^= string;
            match self.degree[end] {
                0 => {
                    self.coins += 1;
                    self.free += 1;
                }
                1 => self.free -= 1,
                2 => self.joints += 1,
                _ => {}
            }
            self.degree[end] += 1;
        }
    }

    #[inline]
    fn other_end(&self, string: u16, end: usize) -> usize {
        let [one, two] = self.graph.ends[usize::from(string)].map(usize::from);
        if one == end { two } else { one }
    }

    /// Takes every coin that can be taken. Returns how many, and the least number that could have been left in a double-deal.
    fn sweep(&mut self) -> (i32, Option<i32>) {
        let coins = self.graph.coins;
        let (mut taken, mut pairs) = (0, false);
        let from = self.trail.len();
        self.now += 1;
        // What hangs on its last string was touched by a cut since the last quiet position.
        match self.layers.last() {
            Some(&Layer { trail, .. }) => {
                for at in trail as usize..from {
                    for end in self.graph.ends[usize::from(self.trail[at])].map(usize::from) {
                        (taken, pairs) = self.sweep_from(end, taken, pairs);
                    }
                }
            }
            None => {
                for start in 0..coins {
                    (taken, pairs) = self.sweep_from(start, taken, pairs);
                }
            }
        }
        // A tree that ends at the rest or at the ground, and has two coins at least.
        let half_open = self.trail[from..].iter().any(|&string| {
            let [one, two] = self.graph.ends[usize::from(string)].map(usize::from);
            let stays = |end: usize| end == coins || self.degree[end] > 0;
            stays(one) && self.below[two] & !INNER > 1 || stays(two) && self.below[one] & !INNER > 1
        });
        let handout = if half_open { Some(2) } else { pairs.then_some(4) };
        (taken, handout)
    }

    /// Takes a coin if it hangs on its last string, then the next one, and so on.
    fn sweep_from(&mut self, start: usize, mut taken: i32, mut pairs: bool) -> (i32, bool) {
        let coins = self.graph.coins;
        let mut coin = start;
        while coin < coins && self.degree[coin] == 1 {
            self.meet(coin);
            let string = self.around[coin];
            let next = self.other_end(string, coin);
            let mut hangs = self.below[coin] + 1;
            if next < coins {
                self.meet(next);
                if self.inner[coin] && self.inner[next] {
                    hangs |= INNER;
                }
                if self.degree[next] == 1 {
                    // Nothing but this string was left: a part that is cut off.
                    pairs |= (hangs | self.below[next]) & INNER != 0;
                }
                self.below[next] =
                    ((self.below[next] & !INNER) + (hangs & !INNER)) | ((self.below[next] | hangs) & INNER);
            }
            self.below[coin] = hangs;
            taken += self.cut(string);
            coin = next;
        }
        (taken, pairs)
    }

    /// A coin is met in a sweep, perhaps for the first time.
    #[inline]
    fn meet(&mut self, coin: usize) {
        if self.seen[coin] != self.now {
            self.seen[coin] = self.now;
            self.below[coin] = 0;
            self.inner[coin] = self.degree[coin] > 1;
        }
    }

    /// The first string that is left among those side by side with this one, or this one if none is.
    fn first_alike(&self, string: u16) -> u16 {
        let (mut first, mut next) = (None, string);
        if self.graph.parallel[usize::from(string)] == string {
            return string;
        }
        loop {
            if !self.cut[usize::from(next)] {
                first = Some(first.map_or(next, |first: u16| first.min(next)));
            }
            next = self.graph.parallel[usize::from(next)];
            if next == string {
                return first.unwrap_or(string);
            }
        }
    }

    /// Any string that is left at a coin.
    fn some_string(&self, coin: usize) -> u16 {
        let Graph { at, begin, .. } = &*self.graph;
        let strings = &at[begin[coin] as usize..begin[coin + 1] as usize];
        strings.iter().copied().find(|&string| !self.cut[usize::from(string)]).unwrap_or(0)
    }

    /// The structures of this position, which is quiet.
    fn current(&self) -> &[Structure] {
        &self.structures[self.layers.last().map_or(0, |layer| layer.from as usize)..]
    }

    /// Takes everything that is on offer.
    fn sweeping(&self) -> Move {
        self.cut.len() as Move
    }

    /// Takes everything but the least handout, and lets the opponent take that; takes everything where nothing can be left.
    fn dealing(&self) -> Move {
        self.cut.len() as Move + 1
    }

    /// Cuts a string of a chain, and sweeps what that offers.
    fn opening(&self, string: u16) -> Move {
        self.cut.len() as Move + 2 + string
    }

    /// The string that a move cuts, unless it sweeps or deals.
    fn string_of(&self, mv: Move) -> Option<u16> {
        let all = self.cut.len() as Move;
        if mv < all { Some(mv) } else { mv.checked_sub(all + 2) }
    }

    /// The structure that a move opens.
    fn opened(&self, mv: Move) -> Option<&Structure> {
        let string = self.string_of(mv).filter(|_| usize::from(mv) >= self.cut.len())?;
        self.current().iter().find(|structure| structure.opening == string)
    }

    /// Where a move goes when its string goes there.
    fn moved(&self, mv: Move, to: &[Move]) -> Move {
        match self.string_of(mv) {
            Some(string) => mv - string + to[usize::from(string)],
            None => mv,
        }
    }
}

impl Rules for Strings {
    type Undo = Undo;
    type Insight = ();

    #[inline]
    fn mover(&self) -> Option<Side> {
        (self.strings > 0 || self.pending.is_some()).then_some(self.mover)
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        moves.extend((0..self.cut.len() as Move).filter(|&string| !self.cut[usize::from(string)]));
    }

    fn make(&mut self, mv: Move) -> (i32, Undo) {
        let undo = Undo {
            trail: self.trail.len() as u32,
            layers: self.layers.len() as u32,
            mover: self.mover,
            pending: self.pending,
        };
        let gain = match self.string_of(mv) {
            // A chain: its coins are for the opponent to take.
            Some(string) if mv != string => {
                self.cut(string);
                self.mover = !self.mover;
                self.pending = Some(self.sweep());
                0
            }
            Some(string) => {
                let taken = self.cut(string);
                if taken == 0 {
                    self.mover = !self.mover;
                }
                taken
            }
            None => {
                let known = self.pending.take();
                let (taken, handout) = known.unwrap_or_else(|| self.sweep());
                let dealt = handout.filter(|_| mv == self.dealing());
                if dealt.is_some() {
                    self.mover = !self.mover;
                }
                let gain = taken - 2 * dealt.unwrap_or(0);
                if known.is_some() {
                    return (gain, undo);
                }
                gain
            }
        };
        self.reached();
        (gain, undo)
    }

    fn unmake(&mut self, _mv: Move, undo: Undo) {
        self.forget(undo.layers);
        while self.trail.len() > undo.trail as usize {
            if let Some(string) = self.trail.pop() {
                self.join(string);
            }
        }
        (self.mover, self.pending) = (undo.mover, undo.pending);
    }

    fn end(&self) -> i32 {
        0
    }

    fn plies(&self) -> usize {
        self.strings as usize + usize::from(self.pending.is_some())
    }

    fn carried(&self) -> usize {
        size_of_val(&self.structures[..]) + size_of_val(&self.sums[..])
    }

    /// Neither side is much better off on most boards.
    fn guess(&self) -> Option<i32> {
        Some(0)
    }

    fn is_near(&self) -> bool {
        self.strings <= NEAR
    }

    fn place_behind(&self, mv: Move, canonical: bool) -> Option<Place> {
        let key = self.key_behind(mv, canonical)?;
        Some(Place { key, near: self.strings <= NEAR + 1 })
    }

    fn is_memorable(&self) -> bool {
        self.is_quiet() && self.pending.is_none()
    }

    fn key(&self) -> Key {
        self.plain_key(None)
    }

    fn canonical(&self) -> (Key, u8) {
        self.layers.last().map_or((Key { place: 0, check: 0 }, 0), |layer| (layer.canonical, layer.image))
    }

    fn image_move(&self, mv: Move, image: u8) -> Move {
        self.moved(mv, &self.graph.images[usize::from(image)])
    }

    fn own_move(&self, mv: Move, image: u8) -> Move {
        let mv = self.moved(mv, &self.graph.back[usize::from(image)]);
        match self.string_of(mv) {
            Some(string) => mv - string + self.first_alike(string),
            None => mv,
        }
    }

    fn survey(&self, _alpha: i32, _beta: i32) -> (i32, i32, ()) {
        let most = self.coins as i32;
        if !self.is_quiet() {
            return (-most, most, ());
        }
        // What the rest is worth to whoever moves there.
        let rest = if self.coins == 0 { Some(0) } else { self.layers.last().and_then(|layer| layer.value) };
        match (self.pending, rest) {
            (None, Some(value)) => (value, value, ()),
            (None, None) => (-most, most, ()),
            (Some((taken, handout)), Some(value)) => {
                let value = endgame::offered(taken, handout, value);
                (value, value, ())
            }
            (Some((taken, handout)), None) => {
                let (least, greatest) = self.possible(taken - handout.unwrap_or(most), taken + most);
                (least, greatest, ())
            }
        }
    }

    /// Every coin that is left is won by one or the other, so that the value is odd if their number is.
    fn possible(&self, least: i32, greatest: i32) -> (i32, i32) {
        let coins = self.coins as i32 + self.pending.map_or(0, |(taken, _)| taken);
        (least + ((least ^ coins) & 1), greatest - ((greatest ^ coins) & 1))
    }

    fn candidates(&self, (): (), moves: &mut Vec<Move>) {
        if !self.is_quiet() || self.pending.is_some() {
            moves.push(self.sweeping());
            if self.pending.is_none_or(|(_, handout)| handout.is_some()) {
                moves.push(self.dealing());
            }
            return;
        }
        let structures = self.current();
        for (at, structure) in structures.iter().enumerate() {
            // Of structures that are alike one is as good as another, and a shorter one is better.
            let better = |(other, one): (usize, &Structure)| {
                one.compares_with(structure) && (one.coins, other) < (structure.coins, at)
            };
            if !structures.iter().enumerate().any(better) {
                moves.push(self.opening(structure.opening));
            }
        }
        for (string, ends) in self.graph.ends.iter().enumerate() {
            if self.cut[string] || ends.iter().any(|&end| self.degree[usize::from(end)] == 2) {
                continue;
            }
            // Strings side by side are alike.
            if self.first_alike(string as u16) == string as u16 {
                moves.push(string as Move);
            }
        }
    }

    /// Moves that offer nothing first, then those that offer little.
    fn worth(&self, mv: Move) -> i32 {
        if let Some(structure) = self.opened(mv) {
            return -i32::from(structure.coins.min(100));
        }
        let string = usize::from(mv);
        if string >= self.cut.len() {
            return i32::from(mv == self.sweeping());
        }
        let ends = self.graph.ends[string].map(usize::from);
        if ends.iter().any(|&end| self.degree[end] == 1) {
            return 100;
        }
        if ends.iter().all(|&end| self.degree[end] != 2) {
            return 0;
        }
        -200
    }

    /// Of a long chain that is opened the opponent takes all but the last two, of a loop all but the last four, and after a
    /// double-deal the rest is worth at least as much to him as he leaves, or he takes these too.
    fn promise(&self, mv: Move) -> i32 {
        self.opened(mv).map_or(MOST, |structure| structure.promise)
    }

    fn step(&self, mv: Move) -> Move {
        if let Some(string) = self.string_of(mv) {
            return string;
        }
        let mut all = Vec::new();
        self.moves(&mut all);
        let takes =
            |&string: &Move| self.graph.ends[usize::from(string)].iter().any(|&end| self.degree[usize::from(end)] == 1);
        let after = |string: Move| {
            let mut next = self.clone();
            let taken = next.cut(string);
            (taken, next.sweep())
        };
        let handout = self.clone().sweep().1.filter(|_| mv == self.dealing());
        let Some(handout) = handout else { return all.iter().copied().find(takes).unwrap_or_default() };
        // Take what leaves the handout possible, and in the end leave nothing but the handout.
        let goes_on = |&string: &Move| takes(&string) && after(string).1.1 == Some(handout);
        let leaves = |&string: &Move| {
            let (taken, (offered, _)) = after(string);
            taken == 0 && offered == handout
        };
        let step = all.iter().copied().find(goes_on).or_else(|| all.iter().copied().find(leaves));
        step.or_else(|| all.iter().copied().find(takes)).unwrap_or_default()
    }

    /// As if every row of coins were a component of its own, and every safe string were cut before one is opened.
    fn estimate(&self) -> i32 {
        if !self.is_quiet() || self.coins == 0 {
            return 0;
        }
        let alone = |structure: &Structure| structure.apart.unwrap_or(Component::Chain(structure.coins));
        let mut components: Vec<Component> = self.current().iter().map(alone).collect();
        components.sort_unstable();
        let Some(value) = endgame::value(&components) else { return 0 };
        let ends = |string: usize| self.graph.ends[string].map(usize::from);
        let is_safe = |&string: &usize| !self.cut[string] && ends(string).iter().all(|&end| self.degree[end] != 2);
        let safe = (0..self.cut.len()).filter(is_safe).count();
        if safe % 2 == 0 { value } else { -value }
    }

    /// Strings that a symmetry of the board maps onto each other have their history in common.
    fn slot(&self, mv: Move) -> usize {
        usize::from(self.moved(mv, &self.graph.orbits))
    }

    fn slots(&self) -> usize {
        2 * self.cut.len() + 2
    }
}

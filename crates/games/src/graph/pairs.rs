//! Pairing strategies: disjoint pairs of empty cells such that whoever gets one of each wins, the opponent having the rest.
//!
//! Every path of the opponent must contain a pair. So: look for a shortest path that contains none of the pairs so far; if
//! there is none, the pairs win; otherwise one more pair has to lie on that path, and each is tried, neighbours first. Where few
//! pairs are wanted, fewer are then put in the place of two or three, as long as that can be done.

use super::board::Network;
use gamesat_rows::mask::Mask;

/// Steps of the search for one path.
const MOST_STEPS: usize = 4_000;

const NONE: usize = usize::MAX;

/// How much is done to find pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Paths after which the search gives up.
    pub(super) paths: usize,
    /// Whether few pairs are wanted.
    pub(super) few: bool,
}

/// Finds such pairs in a region. `against` is the opponent's graph with two terminals, `stones` are the opponent's cells.
/// What is found depends on the order of the cells: both ways are gone, and the fewer pairs are taken.
pub(super) fn pairing<const W: usize>(
    against: &Network<W>,
    stones: Mask<W>,
    region: Mask<W>,
    effort: Effort,
) -> Option<Vec<[usize; 2]>> {
    let image = |cell: usize| against.rows.len() - 1 - cell;
    let images = |cells: &Mask<W>| -> Mask<W> { cells.iter().map(image).collect() };
    let rows = against.rows.iter().rev().map(images).collect();
    let touching = against.touching.iter().rev().map(images).collect();
    let backwards = one_way(&Network { rows, touching }, images(&stones), images(&region), effort);
    let backwards = backwards.map(|pairs| pairs.into_iter().map(|pair| pair.map(image)).collect());
    one_way(against, stones, region, effort).into_iter().chain(backwards).min_by_key(Vec::len)
}

fn one_way<const W: usize>(
    against: &Network<W>,
    stones: Mask<W>,
    region: Mask<W>,
    effort: Effort,
) -> Option<Vec<[usize; 2]>> {
    let mut search = Pairing::new(against, stones, region, effort.paths)?;
    if !search.add() {
        return None;
    }
    search.drop_needless();
    if effort.few {
        search.exchange();
    }
    Some(search.pairs)
}

/// Whether every path of the opponent, who has these stones, through a region contains one of the pairs. A "no" may be wrong:
/// the search gives up early.
pub(super) fn is_blocked<const W: usize>(
    against: &Network<W>,
    stones: Mask<W>,
    region: Mask<W>,
    pairs: &[[usize; 2]],
) -> bool {
    let Some(mut search) = Pairing::new(against, stones, region, 1) else { return false };
    for &[a, b] in pairs {
        (search.partner[a], search.partner[b]) = (b, a);
    }
    search.path().is_ok_and(|path| path.is_none())
}

struct Pairing<const W: usize> {
    /// The opponent's neighbours of each cell.
    near: Vec<Mask<W>>,
    /// Cells next to the one terminal and to the other.
    starts: Mask<W>,
    ends: Mask<W>,
    /// Steps to the second terminal.
    distance: Vec<usize>,
    partner: Vec<usize>,
    pairs: Vec<[usize; 2]>,
    paths: usize,
    most_paths: usize,
    most_pairs: usize,
}

/// Too many steps.
struct TooLong;

impl<const W: usize> Pairing<W> {
    /// The paths through a region; `None` if stones join the terminals.
    fn new(against: &Network<W>, stones: Mask<W>, region: Mask<W>, most_paths: usize) -> Option<Self> {
        let cells = against.rows.len();
        let mut search = Pairing {
            near: vec![Mask::default(); cells],
            starts: Mask::default(),
            ends: Mask::default(),
            distance: vec![NONE; cells],
            partner: vec![NONE; cells],
            pairs: Vec::new(),
            paths: 0,
            most_paths,
            most_pairs: usize::MAX,
        };
        // Cells are next to each other, and to the terminals, also over stones.
        let over_stones = |cells: Mask<W>| {
            let (mut seen, mut front) = (cells, cells & stones);
            while let Some(stone) = front.pop() {
                let new = against.rows[stone].minus(seen);
                seen |= new;
                front |= new & stones;
            }
            seen
        };
        let first = over_stones(against.touching[0]);
        if (first & stones).intersects(&against.touching[1]) {
            return None;
        }
        search.starts = first & region;
        for cell in region.iter() {
            let near = over_stones(against.rows[cell]);
            search.near[cell] = near & region;
            if against.touching[1].contains(cell) || (near & stones).intersects(&against.touching[1]) {
                search.ends.insert(cell);
            }
        }
        let (mut front, mut length) = (search.ends, 0);
        while !front.is_empty() {
            front.iter().for_each(|cell| search.distance[cell] = length);
            length += 1;
            let around = front.iter().fold(Mask::default(), |around, cell| around | search.near[cell]);
            front = around.iter().filter(|&cell| search.distance[cell] == NONE).collect();
        }
        Some(search)
    }

    /// Adds pairs until the opponent has no path. As deep as there are pairs.
    fn add(&mut self) -> bool {
        self.paths += 1;
        let path = match self.path() {
            Ok(None) => return true,
            Ok(Some(path)) if self.paths <= self.most_paths && self.pairs.len() < self.most_pairs => path,
            _ => return false,
        };
        let free: Vec<usize> = path.iter().filter(|&cell| self.partner[cell] == NONE).collect();
        for neighbours in [true, false] {
            for (at, &a) in free.iter().enumerate() {
                for &b in free[at + 1..].iter().filter(|&&b| self.near[a].contains(b) == neighbours).collect::<Vec<_>>()
                {
                    (self.partner[a], self.partner[b]) = (b, a);
                    self.pairs.push([a, b]);
                    if self.add() {
                        return true;
                    }
                    self.pairs.pop();
                    (self.partner[a], self.partner[b]) = (NONE, NONE);
                    if self.paths > self.most_paths {
                        return false;
                    }
                }
            }
        }
        false
    }

    /// Drops pairs that turned out to be superfluous.
    fn drop_needless(&mut self) {
        let mut at = 0;
        while let Some(&[a, b]) = self.pairs.get(at) {
            (self.partner[a], self.partner[b]) = (NONE, NONE);
            if self.path().is_ok_and(|path| path.is_none()) {
                self.pairs.remove(at);
            } else {
                (self.partner[a], self.partner[b]) = (b, a);
                at += 1;
            }
        }
    }

    /// Puts fewer pairs in the place of two or three, as long as that can be done.
    fn exchange(&mut self) {
        let mut size = 2;
        while size <= 3 {
            let before = self.pairs.clone();
            let places = 0..before.len();
            let triples = places.clone().flat_map(|a| places.clone().map(move |b| (a, b)));
            let triples = triples.flat_map(|(a, b)| places.clone().map(move |c| [a, b, c]));
            let sets = triples.filter(|&[a, b, c]| a < b && (size == 3 && b < c || size == 2 && c == b));
            let improved = sets.into_iter().any(|set| {
                self.set(
                    before.iter().enumerate().filter(|(at, _)| !set.contains(at)).map(|(_, &pair)| pair).collect(),
                );
                (self.paths, self.most_pairs) = (0, before.len() - 1);
                self.add()
            });
            if improved {
                size = 2;
            } else {
                self.set(before);
                size += 1;
            }
        }
    }

    fn set(&mut self, pairs: Vec<[usize; 2]>) {
        self.partner.fill(NONE);
        for &[a, b] in &pairs {
            (self.partner[a], self.partner[b]) = (b, a);
        }
        self.pairs = pairs;
    }

    /// A shortest path of the opponent's that contains no pair. A path without detours is enough: it contains no more.
    fn path(&self) -> Result<Option<Mask<W>>, TooLong> {
        let mut steps = 0;
        for length in 0..self.near.len() {
            let mut cut_off = false;
            let mut stack = vec![(self.starts, Mask::default(), Mask::default())];
            while let Some((next, path, barred)) = stack.pop() {
                for cell in next.minus(barred).iter().filter(|&cell| self.distance[cell] != NONE) {
                    steps += 1;
                    if steps > MOST_STEPS {
                        return Err(TooLong);
                    }
                    if path.len() + self.distance[cell] > length {
                        cut_off = true;
                        continue;
                    }
                    let mut with = path;
                    with.insert(cell);
                    if self.ends.contains(cell) {
                        return Ok(Some(with));
                    }
                    let mut bars = barred | next | with;
                    if self.partner[cell] != NONE {
                        bars.insert(self.partner[cell]);
                    }
                    stack.push((self.near[cell], with, bars));
                }
            }
            if !cut_off {
                return Ok(None);
            }
        }
        Ok(None)
    }
}

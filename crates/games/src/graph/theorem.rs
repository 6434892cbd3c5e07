//! Verdicts that need no search.
//!
//! **Self-dual positions.** If Cut has a graph too, and a renaming of the cells turns Short's graph with Short's stones into
//! Cut's graph with Cut's stones and the other way round, then exchanging the roles turns the position with one player to
//! move into the position with the other to move. Either the player to move wins both or loses both; since a stone of one's
//! own never hurts, it wins (Nash's argument). Hex of equal sides, and many positions of it, are of this kind: the renaming
//! is looked for by refining colours and individualising, on the graphs alone. For a monotone formula the graphs are those
//! of the elements and the rows of its CNF and of its DNF.

use super::board::{CHAIN, CUT, Plan, SHORT};
use super::session::VertexGame;
use rustc_hash::FxHashMap;

/// Refinements before the search for a renaming gives up: symmetric boards need few.
const MOST_TRIES: usize = 64;

/// Whether a renaming of the cells exchanges the players, so that whoever is to move wins.
///
/// # Panics
/// As `Session::new`.
pub fn is_self_dual(game: &VertexGame<'_>) -> bool {
    let plan = Plan::new(game, true);
    let Some([short, cut]) = plan.both_graphs() else { return false };
    let mut tries = MOST_TRIES;
    orders(game.terminals.len()).iter().any(|&order| renames(&short, &cut, order, &mut tries))
}

/// The orders that terminals can be in.
pub(super) fn orders(terminals: usize) -> &'static [[usize; 3]] {
    const ALL: [[usize; 3]; 6] = [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 2, 0], [2, 0, 1]];
    if terminals == 2 { &ALL[..2] } else { &ALL }
}

/// Whether a renaming of the elements maps these sets onto those.
pub fn are_renamed(these: &[Vec<u32>], those: &[Vec<u32>]) -> bool {
    let lengths = |sets: &[Vec<u32>]| {
        let mut lengths: Vec<usize> = sets.iter().map(Vec::len).collect();
        lengths.sort_unstable();
        lengths
    };
    let mut tries = MOST_TRIES;
    lengths(these) == lengths(those) && renames(&incidence(these), &incidence(those), [0, 1, 2], &mut tries)
}

/// Elements and sets as vertices, each set next to its elements. Elements in no set are left out.
fn incidence(sets: &[Vec<u32>]) -> Coloured {
    let mut elements: Vec<u32> = sets.concat();
    elements.sort_unstable();
    elements.dedup();
    let mut lists = vec![Vec::new(); elements.len() + sets.len()];
    for (at, set) in sets.iter().enumerate() {
        let mut set: Vec<u32> =
            set.iter().map(|element| elements.binary_search(element).map_or(0, |at| at as u32)).collect();
        set.sort_unstable();
        let row = elements.len() + at;
        set.iter().for_each(|&element| lists[element as usize].push(row as u32));
        lists[row] = set;
    }
    let kinds = (0..lists.len()).map(|vertex| if vertex < elements.len() { 0 } else { CHAIN }).collect();
    Coloured { lists, kinds }
}

/// A graph with coloured vertices.
#[derive(Clone, Debug)]
pub(super) struct Coloured {
    /// Neighbours, without repetitions.
    pub(super) lists: Vec<Vec<u32>>,
    /// What a cell is: free, a chain, next to which terminals.
    pub(super) kinds: Vec<u8>,
}

/// Whether the two graphs are one, with the terminals of the second in this order.
pub(super) fn renames(one: &Coloured, two: &Coloured, order: [usize; 3], tries: &mut usize) -> bool {
    renaming(one, two, order, tries).is_some()
}

/// A renaming of the first graph into the second, with the terminals of the second in this order.
pub(super) fn renaming(one: &Coloured, two: &Coloured, order: [usize; 3], tries: &mut usize) -> Option<Vec<usize>> {
    let size = one.lists.len();
    if size != two.lists.len() {
        return None;
    }
    let reordered = |kind: u8| (0..3).fold(kind & !7, |sum, which| sum | (kind >> which & 1) << order[which]);
    // Both graphs side by side, so that equal colours mean the same in both.
    let mut colours: Vec<u32> = one.kinds.iter().map(|&kind| u32::from(kind)).collect();
    colours.extend(two.kinds.iter().map(|&kind| u32::from(reordered(kind))));
    let list = |vertex: usize| if vertex < size { &one.lists[vertex] } else { &two.lists[vertex - size] };
    loop {
        if *tries == 0 {
            return None;
        }
        *tries -= 1;
        refine(&mut colours, |vertex| (list(vertex), if vertex < size { 0 } else { size as u32 }));
        let mut members: FxHashMap<u32, (usize, usize, usize)> = FxHashMap::default();
        for (vertex, &colour) in colours.iter().enumerate() {
            let entry = members.entry(colour).or_insert((0, 0, vertex));
            if vertex < size {
                entry.0 += 1;
            } else {
                entry.1 += 1;
            }
        }
        if members.values().any(|&(left, right, _)| left != right) {
            return None;
        }
        let Some(first) = members.values().filter(|entry| entry.0 > 1).map(|entry| entry.2).min() else { break };
        // Single out a vertex, and the first of its colour on the other side. Should that be the wrong one, the search
        // gives up: the theorem is a service, not a duty.
        let partner = (size..2 * size).find(|&vertex| colours[vertex] == colours[first]);
        let fresh = colours.iter().max().map_or(0, |&most| most + 1);
        colours[first] = fresh;
        if let Some(partner) = partner {
            colours[partner] = fresh;
        }
    }
    // Every colour is on one vertex of each: check that renaming.
    let place: FxHashMap<u32, usize> = (0..size).map(|vertex| (colours[size + vertex], vertex)).collect();
    let image: Vec<usize> = (0..size).map(|vertex| place[&colours[vertex]]).collect();
    let fits = (0..size).all(|vertex| {
        let mut images: Vec<u32> = one.lists[vertex].iter().map(|&to| image[to as usize] as u32).collect();
        images.sort_unstable();
        images == two.lists[image[vertex]] && reordered(two.kinds[image[vertex]]) == one.kinds[vertex]
    });
    fits.then_some(image)
}

/// Splits colours by the colours of neighbours until nothing changes.
pub(super) fn refine<'a>(colours: &mut Vec<u32>, lists: impl Fn(usize) -> (&'a Vec<u32>, u32)) {
    let mut count = 0;
    loop {
        let mut names: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
        let next: Vec<u32> = (0..colours.len())
            .map(|vertex| {
                let (list, offset) = lists(vertex);
                let mut near: Vec<u32> = list.iter().map(|&to| colours[(to + offset) as usize]).collect();
                near.sort_unstable();
                let fresh = names.len() as u32;
                *names.entry((colours[vertex], near)).or_insert(fresh)
            })
            .collect();
        let different = names.len();
        *colours = next;
        if different == count {
            return;
        }
        count = different;
    }
}

impl Plan {
    /// Both graphs with the kinds of their cells, as seen by their owners; chains of the opponent are left out. `None` if
    /// there is one graph only, or nothing left to play for.
    fn both_graphs(&self) -> Option<[Coloured; 2]> {
        (self.has_dual() && !self.is_over()).then(|| [SHORT, CUT].map(|player| self.coloured(player)))
    }
}

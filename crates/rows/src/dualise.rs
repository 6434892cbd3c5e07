//! Dualisation: the minimal hitting sets of a set of rows, which turn a CNF without negations into the DNF and back.
//!
//! Shannon decomposition with memory: a minimal hitting set either does without element x, and then is one of the rows with
//! x struck out, or contains x, and then the rest is one of the rows without x that contains no set of the first kind.
//! Rows that are reached on different ways are recognised by their hash, and families of sets are kept as a
//! zero-suppressed decision diagram (Minato 1993; Knuth, TAOCP 4A, 7.1.4, exercise 204 on *nonsupersets*). For a board the
//! elements in reading order make few different rests: what counts is how the frontier is connected. Going from row to
//! row instead, as Berge's and Murakami and Uno's algorithms do, takes thousands of times as many steps there.

use super::form::Form;
use super::mask::Mask;
use gamesat_core::control::{Control, Poller, StopReason};
use rustc_hash::FxHashMap;

/// Different rests that are looked at, beyond a few for every row.
const RESTS: usize = 20_000;
/// Nodes of the diagram that are kept at most, and steps for every set that may be found.
const NODES: usize = 1 << 22;
const STEPS: usize = 32;
/// Elements up to which it is tried: the recursion is as deep.
const ELEMENTS: usize = 512;

/// The family without sets.
const NOTHING: u32 = 0;
/// The family of the empty set alone.
const EMPTY_SET: u32 = 1;

/// Why a family could not be computed.
enum Failure {
    TooLarge,
    Stopped(StopReason),
}

/// Sets that contain `element`, without it, are `with`; the others are `without`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    element: u32,
    without: u32,
    with: u32,
}

struct Dualiser<'a, const W: usize> {
    form: Form<W>,
    nodes: Vec<Node>,
    unique: FxHashMap<Node, u32>,
    rests: FxHashMap<(u64, u64), u32>,
    nonsupersets: FxHashMap<(u32, u32), u32>,
    most_rests: usize,
    /// Steps that are left.
    steps: usize,
    poller: Poller<'a>,
}

/// What the search for hitting sets gave.
#[derive(Debug, PartialEq)]
pub enum Hitting<T> {
    /// All of them.
    Sets(T),
    /// There are more than the limit.
    Many,
    /// They are too hard to find in this way.
    Hard,
}

/// The minimal hitting sets of irredundant rows.
///
/// # Errors
/// The reason to stop.
pub fn minimal_hitting_sets<const W: usize>(
    rows: &[Mask<W>],
    limit: usize,
    control: &Control,
) -> Result<Hitting<Vec<Mask<W>>>, StopReason> {
    let elements = rows.iter().fold(Mask::default(), |all, &row| all | row);
    if elements.len() > ELEMENTS {
        return Ok(Hitting::Hard);
    }
    let terminal = Node { element: u32::MAX, without: 0, with: 0 };
    let mut dualiser = Dualiser {
        form: Form::new(rows),
        nodes: vec![terminal; 2],
        unique: FxHashMap::default(),
        rests: FxHashMap::default(),
        nonsupersets: FxHashMap::default(),
        most_rests: RESTS + 4 * rows.len(),
        steps: STEPS.saturating_mul(limit),
        poller: control.poller(),
    };
    match dualiser.hitting_sets() {
        Err(Failure::Stopped(reason)) => Err(reason),
        Err(Failure::TooLarge) => Ok(Hitting::Hard),
        Ok(family) if dualiser.count(family) > limit as f64 => Ok(Hitting::Many),
        Ok(family) => {
            let mut sets = Vec::new();
            dualiser.list(family, Mask::default(), &mut sets);
            Ok(Hitting::Sets(sets))
        }
    }
}

impl<const W: usize> Dualiser<'_, W> {
    fn step(&mut self) -> Result<(), Failure> {
        self.steps = self.steps.checked_sub(1).ok_or(Failure::TooLarge)?;
        self.poller.poll(0).map_err(Failure::Stopped)
    }

    /// The minimal hitting sets of the form's rows.
    fn hitting_sets(&mut self) -> Result<u32, Failure> {
        self.step()?;
        if self.form.is_broken() {
            return Ok(NOTHING);
        }
        if self.form.is_empty() {
            return Ok(EMPTY_SET);
        }
        let key = self.form.hash();
        if let Some(&family) = self.rests.get(&key) {
            return Ok(family);
        }
        let Some(element) = self.form.scan().present.lowest() else { return Ok(NOTHING) };
        let one = Mask::single(element);
        self.form.push();
        self.form.assign(Mask::default(), one);
        let without = self.hitting_sets();
        self.form.pop();
        let without = without?;
        self.form.push();
        self.form.assign(one, Mask::default());
        let with = self.hitting_sets();
        self.form.pop();
        let with = self.nonsupersets(with?, without)?;
        let family = self.node(Node { element: element as u32, without, with })?;
        if self.rests.len() >= self.most_rests {
            return Err(Failure::TooLarge);
        }
        self.rests.insert(key, family);
        Ok(family)
    }

    fn node(&mut self, node: Node) -> Result<u32, Failure> {
        if node.with == NOTHING {
            return Ok(node.without);
        }
        if let Some(&known) = self.unique.get(&node) {
            return Ok(known);
        }
        if self.nodes.len() >= NODES {
            return Err(Failure::TooLarge);
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(node);
        self.unique.insert(node, number);
        Ok(number)
    }

    /// The sets of `family` that contain no set of `other`, in which no set contains another.
    fn nonsupersets(&mut self, family: u32, other: u32) -> Result<u32, Failure> {
        if other == NOTHING || family == NOTHING {
            return Ok(family);
        }
        if other == EMPTY_SET || family == other {
            return Ok(NOTHING);
        }
        if family == EMPTY_SET {
            return Ok(EMPTY_SET);
        }
        if let Some(&known) = self.nonsupersets.get(&(family, other)) {
            return Ok(known);
        }
        self.step()?;
        let (a, b) = (self.nodes[family as usize], self.nodes[other as usize]);
        let result = if a.element < b.element {
            let without = self.nonsupersets(a.without, other)?;
            let with = self.nonsupersets(a.with, other)?;
            self.node(Node { element: a.element, without, with })?
        } else if a.element > b.element {
            self.nonsupersets(family, b.without)?
        } else {
            let without = self.nonsupersets(a.without, b.without)?;
            let with = self.nonsupersets(a.with, b.without)?;
            let with = self.nonsupersets(with, b.with)?;
            self.node(Node { element: a.element, without, with })?
        };
        self.nonsupersets.insert((family, other), result);
        Ok(result)
    }

    /// Number of sets in a family.
    fn count(&self, family: u32) -> f64 {
        // Children have smaller numbers.
        let mut counts = vec![0.0; family as usize + 2];
        counts[EMPTY_SET as usize] = 1.0;
        for number in 2..=family as usize {
            let node = self.nodes[number];
            counts[number] = counts[node.without as usize] + counts[node.with as usize];
        }
        counts[family as usize]
    }

    fn list(&self, family: u32, mut chosen: Mask<W>, sets: &mut Vec<Mask<W>>) {
        if family == NOTHING {
            return;
        }
        if family == EMPTY_SET {
            sets.push(chosen);
            return;
        }
        let node = self.nodes[family as usize];
        self.list(node.without, chosen, sets);
        chosen.insert(node.element as usize);
        self.list(node.with, chosen, sets);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The definition: of all sets those that hit every row, and no other one inside them does.
    fn by_definition(rows: &[Mask<1>], elements: usize) -> Vec<Mask<1>> {
        let hits = |set: Mask<1>| rows.iter().all(|row| row.intersects(&set));
        let minimal = |set: Mask<1>| hits(set) && set.iter().all(|e| !hits(set.minus(Mask::single(e))));
        (0..1u64 << elements).map(|bits| Mask([bits])).filter(|&set| minimal(set)).collect()
    }

    #[test]
    fn agrees_with_the_definition() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..500 {
            let elements = random.random_range(1..10);
            let mut rows: Vec<Mask<1>> = Vec::new();
            for _ in 0..random.random_range(0..12) {
                let length = random.random_range(1..5);
                let row: Mask<1> = (0..length).map(|_| random.random_range(0..elements)).collect();
                if !rows.iter().any(|old| old.is_subset(&row)) {
                    rows.retain(|old| !row.is_subset(old));
                    rows.push(row);
                }
            }
            let found = minimal_hitting_sets(&rows, 100_000, &Control::default()).unwrap();
            let Hitting::Sets(mut found) = found else { panic!("{rows:?}: {found:?}") };
            found.sort_by_key(|row| row.0);
            assert_eq!(found, by_definition(&rows, elements));
        }
    }

    #[test]
    fn stops_beyond_the_limit() {
        let rows: Vec<Mask<1>> = (0..10).map(|i| Mask::single(2 * i) | Mask::single(2 * i + 1)).collect();
        assert_eq!(minimal_hitting_sets(&rows, 1000, &Control::default()).unwrap(), Hitting::Many);
        let Hitting::Sets(sets) = minimal_hitting_sets(&rows, 1024, &Control::default()).unwrap() else { panic!() };
        assert_eq!(sets.len(), 1024);
    }
}

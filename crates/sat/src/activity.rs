//! Which variable to decide next: a binary heap of variables, first by rank and then by activity (VSIDS; Moskewicz et al.
//! 2001, with the exponentially growing increment of Minisat). What the ranks are is said by whoever searches: preferences,
//! or blocks of a prefix.

use gamesat_core::formula::Var;

/// Variables that wait for a decision, those of the lowest rank first, and of these the most active one.
#[derive(Clone, Debug)]
pub struct ActivityOrder {
    heap: Vec<Var>,
    /// Place of each variable in the heap, or `ABSENT`.
    place: Vec<u32>,
    /// By variable: whose is the least comes first.
    keys: Vec<Key>,
    increment: f64,
}

/// A rank and an activity as one number: the rank, then all bits of the activity turned over. Floating-point numbers that are not
/// negative are in the order of their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u128);

impl Key {
    fn new(rank: u32, activity: f64) -> Self {
        Key(u128::from(rank) << 64 | u128::from(!activity.to_bits()))
    }

    fn rank(self) -> u32 {
        (self.0 >> 64) as u32
    }

    fn activity(self) -> f64 {
        f64::from_bits(!(self.0 as u64))
    }
}

const ABSENT: u32 = u32::MAX;
const DECAY: f64 = 0.95;
const RESCALE: f64 = 1e100;

impl ActivityOrder {
    /// An order of variables with these ranks, none of which waits yet.
    pub fn new(rank: Vec<u32>) -> Self {
        let vars = rank.len();
        let keys = rank.into_iter().map(|rank| Key::new(rank, 0.0)).collect();
        ActivityOrder { heap: Vec::new(), place: vec![ABSENT; vars], keys, increment: 1.0 }
    }

    /// One variable more, which waits.
    pub fn add_var(&mut self, rank: u32) {
        let var = Var::from_index(self.place.len());
        self.place.push(ABSENT);
        self.keys.push(Key::new(rank, 0.0));
        self.insert(var);
    }

    /// Lets a variable wait.
    pub fn insert(&mut self, var: Var) {
        if self.place[var.index()] == ABSENT {
            self.place[var.index()] = self.heap.len() as u32;
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    /// The first of those that wait, which waits no longer.
    pub fn pop(&mut self) -> Option<Var> {
        let top = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.place[top.index()] = ABSENT;
        if let Some(first) = self.heap.first_mut() {
            *first = last;
            self.place[last.index()] = 0;
            self.down(0);
        }
        Some(top)
    }

    /// A variable was active.
    pub fn bump(&mut self, var: Var) {
        let key = &mut self.keys[var.index()];
        let activity = key.activity() + self.increment;
        *key = Key::new(key.rank(), activity);
        if activity > RESCALE {
            self.keys.iter_mut().for_each(|key| *key = Key::new(key.rank(), key.activity() / RESCALE));
            self.increment /= RESCALE;
        }
        let place = self.place[var.index()];
        if place != ABSENT {
            self.up(place as usize);
        }
    }

    /// What was active so far matters less from now on.
    pub fn decay(&mut self) {
        self.increment /= DECAY;
    }

    /// Gives a variable a rank that is no higher than the one it has.
    pub fn promote(&mut self, var: Var, rank: u32) {
        let key = &mut self.keys[var.index()];
        debug_assert!(rank <= key.rank());
        *key = Key::new(rank, key.activity());
        let place = self.place[var.index()];
        if place != ABSENT {
            self.up(place as usize);
        }
    }

    fn before(&self, a: Var, b: Var) -> bool {
        self.keys[a.index()] < self.keys[b.index()]
    }

    fn up(&mut self, mut at: usize) {
        let var = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.before(var, self.heap[parent]) {
                break;
            }
            self.put(at, self.heap[parent]);
            at = parent;
        }
        self.put(at, var);
    }

    fn down(&mut self, mut at: usize) {
        let var = self.heap[at];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.before(self.heap[child], var) {
                break;
            }
            self.put(at, self.heap[child]);
            at = child;
        }
        self.put(at, var);
    }

    fn put(&mut self, at: usize, var: Var) {
        self.heap[at] = var;
        self.place[var.index()] = at as u32;
    }
}

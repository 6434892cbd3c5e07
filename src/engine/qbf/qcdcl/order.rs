//! Which variable to decide next: one of the outermost block that has open variables, and there the most active one
//! (VSIDS; Moskewicz et al. 2001). A binary heap.

use crate::formula::Var;

#[derive(Debug)]
pub(super) struct Order {
    heap: Vec<Var>,
    /// Place of each variable in the heap, or `ABSENT`.
    place: Vec<u32>,
    activity: Vec<f64>,
    block: Vec<u32>,
    increment: f64,
}

const ABSENT: u32 = u32::MAX;
const DECAY: f64 = 0.95;
const RESCALE: f64 = 1e100;

impl Order {
    /// No variable waits yet; `block` gives the block of each.
    pub(super) fn new(block: Vec<u32>) -> Self {
        let vars = block.len();
        Order { heap: Vec::new(), place: vec![ABSENT; vars], activity: vec![0.0; vars], block, increment: 1.0 }
    }

    pub(super) fn insert(&mut self, var: Var) {
        if self.place[var.index()] == ABSENT {
            self.place[var.index()] = self.heap.len() as u32;
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    pub(super) fn pop(&mut self) -> Option<Var> {
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

    pub(super) fn bump(&mut self, var: Var) {
        let activity = &mut self.activity[var.index()];
        *activity += self.increment;
        if *activity > RESCALE {
            self.activity.iter_mut().for_each(|a| *a /= RESCALE);
            self.increment /= RESCALE;
        }
        let place = self.place[var.index()];
        if place != ABSENT {
            self.up(place as usize);
        }
    }

    pub(super) fn decay(&mut self) {
        self.increment /= DECAY;
    }

    fn before(&self, a: Var, b: Var) -> bool {
        let (a, b) = (a.index(), b.index());
        self.block[a] < self.block[b] || (self.block[a] == self.block[b] && self.activity[a] > self.activity[b])
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

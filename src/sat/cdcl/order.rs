//! Which variable to decide next: a binary heap of variables by activity (VSIDS; Moskewicz et al. 2001, with the
//! exponentially growing increment of Minisat). Preferred literals come before all others: if a model is found after
//! every one of them got a value, those that are false follow from those that were decided true, so that no model makes
//! fewer of them false (Di Rosa, Giunchiglia, Maratea, "Solving satisfiability problems with preferences", 2010).

use crate::formula::{Lit, Var};

#[derive(Clone, Debug)]
pub(super) struct Order {
    heap: Vec<Var>,
    /// Place of each variable in the heap, or `ABSENT`.
    place: Vec<u32>,
    activity: Vec<f64>,
    preferences: Vec<Option<bool>>,
    increment: f64,
}

const ABSENT: u32 = u32::MAX;
const DECAY: f64 = 0.95;
const RESCALE: f64 = 1e100;

impl Order {
    pub(super) fn new() -> Self {
        Order { heap: Vec::new(), place: Vec::new(), activity: Vec::new(), preferences: Vec::new(), increment: 1.0 }
    }

    pub(super) fn add_var(&mut self, var: Var) {
        debug_assert_eq!(var.index(), self.place.len());
        self.place.push(ABSENT);
        self.activity.push(0.0);
        self.preferences.push(None);
        self.insert(var);
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

    /// Puts the variable before all that have no preference.
    pub(super) fn prefer(&mut self, lit: Lit) {
        self.preferences[lit.var().index()] = Some(lit.is_positive());
        let place = self.place[lit.var().index()];
        if place != ABSENT {
            self.up(place as usize);
        }
    }

    pub(super) fn preference(&self, var: Var) -> Option<bool> {
        self.preferences[var.index()]
    }

    fn before(&self, a: Var, b: Var) -> bool {
        let key = |var: Var| (self.preferences[var.index()].is_some(), self.activity[var.index()]);
        key(a) > key(b)
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

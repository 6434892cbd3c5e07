//! CaDiCaL as a backend, by the `cadical-sys` binding (a C++ compiler builds it; no libclang).
//!
//! The option `lucky` is off: guessing constant models first makes refinement loops many times longer in calls. Long
//! calls are driven in slices of conflicts, with a look at the control between two of them.

use super::{Capabilities, SatBackend};
use cadical_sys::{CaDiCal, Status};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Var};
use std::cell::RefCell;

pub(super) struct Cadical {
    /// Asking for a value needs `&mut`.
    solver: RefCell<CaDiCal>,
    vars: usize,
    failed: Vec<Lit>,
}

/// Conflicts between two looks at the control.
const SLICE: u64 = 2000;

impl Cadical {
    pub(super) fn new() -> Self {
        let mut solver = CaDiCal::new();
        solver.set("lucky", 0);
        solver.set("factor", 0);
        Cadical { solver: RefCell::new(solver), vars: 0, failed: Vec::new() }
    }
}

impl SatBackend for Cadical {
    fn capabilities(&self) -> Capabilities {
        Capabilities { conflict_limit: true, interrupt: true, phases: true, preferences: false }
    }

    fn new_var(&mut self) -> Var {
        self.vars += 1;
        Var::from_index(self.vars - 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let solver = self.solver.get_mut();
        clause.iter().for_each(|lit| solver.add(lit.to_dimacs()));
        solver.add(0);
    }

    fn solve_limited(
        &mut self,
        assumptions: &[Lit],
        conflicts: Option<u64>,
        control: &Control,
    ) -> Result<Option<bool>, StopReason> {
        self.failed.clear();
        let solver = self.solver.get_mut();
        let mut left = conflicts.unwrap_or(u64::MAX);
        loop {
            let slice = left.min(SLICE);
            assumptions.iter().for_each(|lit| solver.assume(lit.to_dimacs()));
            solver.limit("conflicts", slice as i32);
            match solver.solve() {
                Status::SATISFIABLE => return Ok(Some(true)),
                Status::UNSATISFIABLE => {
                    self.failed.extend(assumptions.iter().filter(|lit| solver.failed(lit.to_dimacs())));
                    return Ok(Some(false));
                }
                _ => {}
            }
            left -= slice;
            if let Some(reason) = control.stop_reason(0) {
                return Err(reason);
            }
            if left == 0 {
                return Ok(None);
            }
        }
    }

    fn value(&self, lit: Lit) -> bool {
        lit.var().index() < self.vars && self.solver.borrow_mut().val(lit.to_dimacs()) == lit.to_dimacs()
    }

    fn failed(&self) -> &[Lit] {
        &self.failed
    }

    fn set_phase(&mut self, lit: Lit) {
        self.solver.get_mut().phase(lit.to_dimacs());
    }
}

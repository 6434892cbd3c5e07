//! batsat, a port of Minisat. It asks a callback now and then whether to stop.

use super::SatSolver;
use batsat::{Callbacks, SolverInterface, lbool};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Var};
use std::cell::Cell;

/// What the running call is allowed; batsat holds it and asks.
struct Asked {
    control: Option<Control>,
    countdown: Cell<u32>,
    reason: Cell<Option<StopReason>>,
}

/// batsat asks often; looking at the clock each time would cost more than the search.
const PERIOD: u32 = 16;

impl Callbacks for Asked {
    fn stop(&self) -> bool {
        if self.countdown.get() > 0 {
            self.countdown.set(self.countdown.get() - 1);
            return false;
        }
        let reason = self.control.as_ref().and_then(|control| control.stop_reason(0));
        if reason.is_none() {
            self.countdown.set(PERIOD);
        }
        // It asks again on the way out, so that a reason must be given every time until the next call.
        self.reason.set(reason);
        self.countdown.get() == 0
    }
}

pub(crate) struct Batsat {
    solver: batsat::Solver<Asked>,
    theirs: Vec<batsat::Lit>,
}

impl Batsat {
    pub(crate) fn new() -> Self {
        let asked = Asked { control: None, countdown: Cell::new(PERIOD), reason: Cell::new(None) };
        let solver = batsat::Solver::new(batsat::SolverOpts::default(), asked);
        Batsat { solver, theirs: Vec::new() }
    }

    fn translate(&mut self, lits: &[Lit]) {
        self.theirs.clear();
        for lit in lits {
            let var = self.solver.var_of_int(lit.var().index() as u32);
            self.theirs.push(batsat::Lit::new(var, lit.is_positive()));
        }
    }
}

impl SatSolver for Batsat {
    fn new_var(&mut self) -> Var {
        Var::from_index(self.solver.new_var_default().idx() as usize)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.translate(clause);
        self.solver.add_clause_reuse(&mut self.theirs);
    }

    fn solve(&mut self, assumptions: &[Lit], control: &Control) -> Result<bool, StopReason> {
        self.translate(assumptions);
        self.solver.cb_mut().control = Some(control.clone());
        self.solver.cb().countdown.set(PERIOD);
        let answer = self.solver.solve_limited(&self.theirs);
        if answer == lbool::TRUE || answer == lbool::FALSE {
            return Ok(answer == lbool::TRUE);
        }
        Err(self.solver.cb().reason.take().unwrap_or(StopReason::Interrupted))
    }

    fn value(&self, lit: Lit) -> bool {
        let var = self.solver.get_model().get(lit.var().index()).copied().unwrap_or(lbool::UNDEF);
        var == if lit.is_positive() { lbool::TRUE } else { lbool::FALSE }
    }
}

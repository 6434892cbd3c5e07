//! varisat, which can check a proof of each of its own steps.
//!
//! varisat can neither be interrupted nor limited, so the solver lives in a thread of its own: clauses are sent in batches
//! with the next call, and the caller waits for the answer while looking at the control. If that says stop, the thread is
//! **abandoned**: it finishes its call unheard (or ends with the process) and the solver answers nothing more.

use super::SatSolver;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{ClauseArena, Lit, Var};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;
use varisat::{ExtendFormula, Solver};

/// What the thread is to do.
#[derive(Default)]
struct Request {
    vars: usize,
    clauses: ClauseArena,
    assumptions: Vec<Lit>,
}

enum Reply {
    /// Value of each variable.
    Satisfiable(Vec<bool>),
    Unsatisfiable,
    /// It found a mistake of its own.
    Broken(String),
}

/// How long to wait for an answer before looking at the control.
const PATIENCE: Duration = Duration::from_millis(20);

pub(crate) struct Varisat {
    requests: Sender<Request>,
    replies: Receiver<Reply>,
    /// What the thread was not told yet.
    pending: Request,
    vars: usize,
    model: Vec<bool>,
    abandoned: bool,
}

impl Varisat {
    /// A solver that checks a proof of each of its steps, or trusts itself.
    pub(crate) fn new(checked: bool) -> Self {
        let (requests, inbox) = channel();
        let (outbox, replies) = channel();
        thread::spawn(move || serve(&inbox, &outbox, checked));
        let pending = Request::default();
        Varisat { requests, replies, pending, vars: 0, model: Vec::new(), abandoned: false }
    }
}

/// The thread: ends when the solver is dropped.
fn serve(inbox: &Receiver<Request>, outbox: &Sender<Reply>, checked: bool) {
    let theirs = |lit: &Lit| varisat::Lit::from_dimacs(lit.to_dimacs() as isize);
    let mut solver = Solver::new();
    if checked {
        solver.enable_self_checking();
    }
    let mut vars = 0;
    while let Ok(request) = inbox.recv() {
        while vars < request.vars {
            solver.new_var();
            vars += 1;
        }
        for clause in &request.clauses {
            solver.add_clause(&clause.iter().map(theirs).collect::<Vec<_>>());
        }
        solver.assume(&request.assumptions.iter().map(theirs).collect::<Vec<_>>());
        // Errors come from interrupts, which we do not use, and from proofs that are none.
        let satisfiable = match solver.solve() {
            Ok(satisfiable) => satisfiable,
            Err(error) => {
                let _ = outbox.send(Reply::Broken(error.to_string()));
                return;
            }
        };
        let reply = if satisfiable {
            let mut model = vec![false; vars];
            for lit in solver.model().unwrap_or_default() {
                if lit.index() < vars {
                    model[lit.index()] = lit.is_positive();
                }
            }
            Reply::Satisfiable(model)
        } else {
            Reply::Unsatisfiable
        };
        if outbox.send(reply).is_err() {
            return;
        }
    }
}

impl SatSolver for Varisat {
    fn new_var(&mut self) -> Var {
        self.vars += 1;
        Var::from_index(self.vars - 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.pending.clauses.push(clause);
    }

    fn solve(&mut self, assumptions: &[Lit], control: &Control) -> Result<bool, StopReason> {
        if self.abandoned {
            return Err(control.stop_reason(0).unwrap_or(StopReason::Interrupted));
        }
        let mut request = std::mem::take(&mut self.pending);
        request.vars = self.vars;
        request.assumptions.extend_from_slice(assumptions);
        let lost = || StopReason::Unsupported("the SAT solver's thread ended unexpectedly".to_owned());
        self.requests.send(request).map_err(|_| lost())?;
        loop {
            match self.replies.recv_timeout(PATIENCE) {
                Ok(Reply::Satisfiable(model)) => {
                    self.model = model;
                    return Ok(true);
                }
                Ok(Reply::Unsatisfiable) => return Ok(false),
                Ok(Reply::Broken(what)) => {
                    self.abandoned = true;
                    return Err(StopReason::Contradiction(format!("varisat: {what}")));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(lost()),
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(reason) = control.stop_reason(0) {
                        self.abandoned = true;
                        return Err(reason);
                    }
                }
            }
        }
    }

    fn value(&self, lit: Lit) -> bool {
        self.model.get(lit.var().index()).is_some_and(|&value| value == lit.is_positive())
    }
}

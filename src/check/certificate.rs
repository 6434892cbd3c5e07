//! Certificates of QBFs: functions for the variables of one player that win against everything the other one does.
//!
//! Skolem functions of the existential variables show that a formula is true, Herbrand functions of the universal ones
//! that it is false. Three things are verified. Every function is for a variable of the formula, all of one quantifier.
//! Every function reads only variables that stand before its own in the prefix: outer blocks, or the same block further
//! left, so there is no cycle through which functions could demand the impossible. And with the functions in place of
//! their variables the matrix is valid (Skolem: no assignment falsifies a clause; a SAT call for each) or unsatisfiable
//! (Herbrand: one SAT call).
//!
//! A variable without a function is left open in these calls, which asks for more: the rest must win whatever its value.
//! What makes a certificate fail is found by a SAT call but judged by plain evaluation. What makes it succeed rests on
//! the SAT backend, which should therefore not be the one that made it: [`independent_backend`].

use crate::control::{Control, StopReason};
use crate::formula::{Aig, Lit, Qbf, Quantifier, Var};
use crate::sat::{Backend, SatBackend};
use rustc_hash::FxHashMap;
use std::fmt;

/// Why a certificate does not show anything about a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CertificateFlaw {
    /// An input or output belongs to a variable that the formula does not have.
    NotInFormula(Var),
    /// There are functions for variables of both players: one of each.
    BothPlayers {
        /// An existential variable with a function.
        existential: Var,
        /// A universal variable with a function.
        universal: Var,
    },
    /// The function of one variable reads another one that does not stand before it in the prefix.
    ReadsTooMuch {
        /// The variable whose function it is.
        function: Var,
        /// The variable that it reads.
        reads: Var,
    },
    /// The Skolem functions falsify a clause.
    ClauseFalsified {
        /// The clause's position, 0-based.
        clause: usize,
        /// Its literals.
        lits: Vec<Lit>,
        /// Values of all variables, in the order of the prefix, under which it is false.
        assignment: Vec<Lit>,
    },
    /// The functions let a circuit have the value that they should rule out.
    WrongValue {
        /// That value.
        value: bool,
        /// Values of all variables, in the order of the prefix, under which it has it.
        assignment: Vec<Lit>,
    },
    /// The Herbrand functions let all clauses hold.
    MatrixSatisfied {
        /// Values of all variables, in the order of the prefix, under which the matrix is true.
        assignment: Vec<Lit>,
    },
}

impl fmt::Display for CertificateFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertificateFlaw::NotInFormula(var) => write!(f, "variable {var} is not in the formula"),
            CertificateFlaw::BothPlayers { existential, universal } => write!(
                f,
                "there are functions for variables of both players, such as the existential {existential} and the \
                 universal {universal}"
            ),
            CertificateFlaw::ReadsTooMuch { function, reads } => {
                write!(
                    f,
                    "the function of variable {function} reads variable {reads}, which is not quantified before it"
                )
            }
            CertificateFlaw::ClauseFalsified { clause, lits, .. } => {
                write!(f, "the functions falsify clause {}:", clause + 1)?;
                lits.iter().try_for_each(|lit| write!(f, " {lit}"))
            }
            CertificateFlaw::WrongValue { value, .. } => write!(f, "the functions let the circuit be {value}"),
            CertificateFlaw::MatrixSatisfied { .. } => f.write_str("the functions let every clause hold"),
        }
    }
}

impl CertificateFlaw {
    /// The values under which the certificate fails, if it is its functions that fail.
    pub fn assignment(&self) -> Option<&[Lit]> {
        match self {
            CertificateFlaw::ClauseFalsified { assignment, .. }
            | CertificateFlaw::WrongValue { assignment, .. }
            | CertificateFlaw::MatrixSatisfied { assignment } => Some(assignment),
            _ => None,
        }
    }
}

/// The backend of this build that has least in common with the engines, which use our own; of several the best one for a
/// single hard question.
pub fn independent_backend() -> Backend {
    Backend::ALL.iter().rev().copied().find(|&backend| backend != Backend::default()).unwrap_or_default()
}

/// Checks a certificate: `Ok(Ok(true))` if it shows that the formula is true, `Ok(Ok(false))` if false.
///
/// A certificate without any function may show either: that the matrix is valid, or that it is unsatisfiable.
///
/// # Errors
/// The reason to stop before it was known.
pub fn check_certificate(
    qbf: &Qbf,
    certificate: &Aig,
    backend: Backend,
    control: &Control,
) -> Result<Result<bool, CertificateFlaw>, StopReason> {
    let prefix: Vec<(Quantifier, Var)> = qbf.prefix().quantified().collect();
    let places: FxHashMap<Var, usize> = prefix.iter().enumerate().map(|(at, &(_, var))| (var, at)).collect();
    if let Err(flaw) = check_reading(&prefix, &places, certificate) {
        return Ok(Err(flaw));
    }
    let check = Check { qbf, certificate, prefix: &prefix, places: &places, backend, control };
    match certificate.outputs().first().map(|(var, _)| prefix[places[var]].0) {
        Some(Quantifier::Exists) => Ok(check.skolem()?.map(|()| true)),
        Some(Quantifier::Forall) => Ok(check.herbrand()?.map(|()| false)),
        None => match check.skolem()? {
            Ok(()) => Ok(Ok(true)),
            Err(flaw) => Ok(check.herbrand()?.map(|()| false).map_err(|_| flaw)),
        },
    }
}

/// Whether all functions belong to one player and read only what stands before them.
fn check_reading(
    prefix: &[(Quantifier, Var)],
    places: &FxHashMap<Var, usize>,
    certificate: &Aig,
) -> Result<(), CertificateFlaw> {
    let place = |var: Var| places.get(&var).copied().ok_or(CertificateFlaw::NotInFormula(var));
    // For every node, one more than the last place in the prefix that it reads; 0 if it reads nothing.
    let mut reads = Vec::with_capacity(certificate.num_nodes());
    reads.push(0);
    for &var in certificate.inputs() {
        reads.push(place(var)? + 1);
    }
    for [left, right] in certificate.ands() {
        reads.push(reads[left.var().index()].max(reads[right.var().index()]));
    }
    let mut seen: [Option<Var>; 2] = [None, None];
    for &(var, signal) in certificate.outputs() {
        let own = place(var)?;
        let last = reads[signal.var().index()];
        if last > own {
            return Err(CertificateFlaw::ReadsTooMuch { function: var, reads: prefix[last - 1].1 });
        }
        seen[usize::from(prefix[own].0 == Quantifier::Forall)].get_or_insert(var);
    }
    match seen {
        [Some(existential), Some(universal)] => Err(CertificateFlaw::BothPlayers { existential, universal }),
        _ => Ok(()),
    }
}

struct Check<'a> {
    qbf: &'a Qbf,
    certificate: &'a Aig,
    prefix: &'a [(Quantifier, Var)],
    places: &'a FxHashMap<Var, usize>,
    backend: Backend,
    control: &'a Control,
}

impl Check<'_> {
    /// Whether no assignment that follows the functions falsifies a clause.
    fn skolem(&self) -> Result<Result<(), CertificateFlaw>, StopReason> {
        let mut sat = self.functions()?;
        let mut poller = self.control.poller();
        let mut falsified = Vec::new();
        let mut all_hold = true;
        // One question per clause: most need nothing but propagation, and each profits from what was learned before.
        for (index, clause) in self.qbf.matrix().iter().enumerate() {
            poller.poll(index as u64)?;
            falsified.clear();
            falsified.extend(clause.iter().map(|&lit| !self.local(lit)));
            if sat.solve(&falsified, self.control)? {
                all_hold = false;
                break;
            }
        }
        if all_hold {
            return Ok(Ok(()));
        }
        let values = self.values(&*sat);
        let holds = |lit: &Lit| values[self.places[&lit.var()]] == lit.is_positive();
        let clause = self.qbf.matrix().iter().position(|clause| !clause.iter().any(holds));
        let clause = clause.expect("the backend's model falsifies a clause");
        let lits = self.qbf.matrix()[clause].to_vec();
        Ok(Err(CertificateFlaw::ClauseFalsified { clause, lits, assignment: self.assignment(&values) }))
    }

    /// Whether no assignment that follows the functions satisfies the matrix.
    fn herbrand(&self) -> Result<Result<(), CertificateFlaw>, StopReason> {
        let mut sat = self.functions()?;
        let mut local = Vec::new();
        let mut poller = self.control.poller();
        for (index, clause) in self.qbf.matrix().iter().enumerate() {
            poller.poll(index as u64)?;
            local.clear();
            local.extend(clause.iter().map(|&lit| self.local(lit)));
            sat.add_clause(&local);
        }
        if !sat.solve(&[], self.control)? {
            return Ok(Ok(()));
        }
        let values = self.values(&*sat);
        let holds = |lit: &Lit| values[self.places[&lit.var()]] == lit.is_positive();
        let satisfied = self.qbf.matrix().iter().all(|clause| clause.iter().any(holds));
        assert!(satisfied, "the backend's model satisfies the matrix");
        Ok(Err(CertificateFlaw::MatrixSatisfied { assignment: self.assignment(&values) }))
    }

    /// The literal of the SAT call: variables are numbered by their places in the prefix.
    fn local(&self, lit: Lit) -> Lit {
        Var::from_index(self.places[&lit.var()]).lit(lit.is_positive())
    }

    /// A SAT solver that knows the certificate: its nodes, and that the variables are what their functions say.
    fn functions(&self) -> Result<Box<dyn SatBackend>, StopReason> {
        let mut sat = self.backend.create();
        for _ in self.prefix {
            sat.new_var();
        }
        let mut poller = self.control.poller();
        let constant = sat.new_var().positive();
        sat.add_clause(&[!constant]);
        let mut nodes = vec![constant];
        nodes.extend(self.certificate.inputs().iter().map(|&var| self.local(var.positive())));
        let signal = |nodes: &[Lit], lit: Lit| {
            let node = nodes[lit.var().index()];
            if lit.is_negative() { !node } else { node }
        };
        for (index, &[left, right]) in self.certificate.ands().iter().enumerate() {
            poller.poll(index as u64)?;
            let (left, right) = (signal(&nodes, left), signal(&nodes, right));
            let and = sat.new_var().positive();
            sat.add_clause(&[!and, left]);
            sat.add_clause(&[!and, right]);
            sat.add_clause(&[and, !left, !right]);
            nodes.push(and);
        }
        for &(var, function) in self.certificate.outputs() {
            let (var, function) = (self.local(var.positive()), signal(&nodes, function));
            sat.add_clause(&[!var, function]);
            sat.add_clause(&[var, !function]);
        }
        Ok(sat)
    }

    /// The values of a model by place in the prefix. Only the variables without functions are taken from the model; the
    /// others are computed from them, so a mistake of the backend cannot pass for one of the certificate.
    fn values(&self, sat: &dyn SatBackend) -> Vec<bool> {
        let mut values: Vec<bool> =
            (0..self.prefix.len()).map(|at| sat.value(Var::from_index(at).positive())).collect();
        let mut nodes: Vec<Option<bool>> = vec![None; self.certificate.num_nodes()];
        nodes[0] = Some(false);
        let mut functions: Vec<(usize, Lit)> =
            self.certificate.outputs().iter().map(|&(var, signal)| (self.places[&var], signal)).collect();
        functions.sort_unstable_by_key(|&(place, _)| place);
        let first_and = 1 + self.certificate.inputs().len();
        for (place, function) in functions {
            // Everything that this function reads stands before it and has its value.
            let mut open = vec![function.var().index()];
            while let Some(&node) = open.last() {
                if nodes[node].is_some() {
                    open.pop();
                } else if node < first_and {
                    nodes[node] = Some(values[self.places[&self.certificate.inputs()[node - 1]]]);
                } else {
                    let operands = self.certificate.ands()[node - first_and];
                    match operands.map(|lit| nodes[lit.var().index()].map(|value| value != lit.is_negative())) {
                        [Some(left), Some(right)] => nodes[node] = Some(left && right),
                        [None, _] => open.push(operands[0].var().index()),
                        [_, None] => open.push(operands[1].var().index()),
                    }
                }
            }
            values[place] = nodes[function.var().index()] == Some(!function.is_negative());
        }
        values
    }

    fn assignment(&self, values: &[bool]) -> Vec<Lit> {
        self.prefix.iter().zip(values).map(|(&(_, var), &value)| var.lit(value)).collect()
    }
}

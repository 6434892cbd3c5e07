//! Certificates of QBFs: functions for the variables of one player that win against everything the other one does.
//!
//! Skolem functions of the existential variables show that a formula is true, Herbrand functions of the universal ones
//! that it is false. Three things are verified. Every function is for a variable of the formula, all of one quantifier.
//! Every function reads only variables that stand before its own in the prefix: outer blocks, or the same block further
//! left, so there is no cycle through which functions could demand the impossible. And with the functions in place of
//! their variables no assignment falsifies a clause (Skolem), or none satisfies all clauses (Herbrand).
//!
//! That is asked of a SAT solver which no engine uses, a [`Judge`]. It is told the functions gate by gate, and asked for
//! all clauses at once, or, for Skolem functions, for one clause after the other, those that rest on little first: most are
//! shown by unit propagation, and each that holds helps the next. What makes a certificate fail is found by a SAT
//! call but judged by plain evaluation.
//!
//! Shared with the engines are the data types (formula, literals, the graph as a list of conjunctions and its reader) and
//! [`Control`].

use super::functions::{Functions, InPlace};
use super::judge::Judge;
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Aig, Lit, Qbf, Quantifier, Var};
use std::fmt;

/// Why a certificate does not show anything about a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Checks a certificate: `Ok(Ok(true))` if it shows that the formula is true, `Ok(Ok(false))` if false.
///
/// A certificate without any function may show either: that the matrix is valid, or that it is unsatisfiable.
///
/// # Errors
/// The reason to stop before it was known.
pub fn check_certificate(
    qbf: &Qbf,
    certificate: &Aig,
    judge: Judge,
    control: &Control,
) -> Result<Result<bool, CertificateFlaw>, StopReason> {
    let functions = match Functions::new(qbf.prefix(), certificate) {
        Ok(functions) => functions,
        Err(flaw) => return Ok(Err(flaw)),
    };
    let mut poller = control.poller();
    match functions.winner() {
        Some(Quantifier::Exists) => skolem(qbf, &functions, judge, control, &mut poller),
        Some(Quantifier::Forall) => herbrand(qbf, &functions, judge, control, &mut poller),
        None => match skolem(qbf, &functions, judge, control, &mut poller)? {
            Ok(verdict) => Ok(Ok(verdict)),
            Err(flaw) => Ok(herbrand(qbf, &functions, judge, control, &mut poller)?.map_err(|_| flaw)),
        },
    }
}

/// Whether no assignment that follows the functions falsifies a clause: then the formula is true.
fn skolem(
    qbf: &Qbf,
    functions: &Functions<'_>,
    judge: Judge,
    control: &Control,
    poller: &mut Poller<'_>,
) -> Result<Result<bool, CertificateFlaw>, StopReason> {
    let depth = |clause: &[Lit]| clause.iter().map(|&lit| functions.depth(lit)).max().unwrap_or(0);
    let mut clauses: Vec<(usize, &[Lit])> = qbf.matrix().iter().map(|clause| (depth(clause), clause)).collect();
    clauses.sort_unstable();
    clauses.dedup();
    let mut propagation = functions.propagation();
    let mut in_place = InPlace::new(functions, judge);
    // Of clauses that are asked for together: a variable that may be true only if the clause is false.
    let mut some = Vec::new();
    let mut asked = 0;
    for (depth, clause) in clauses {
        poller.poll(depth as u64)?;
        if propagation.shows_one_of(clause.iter().map(|&lit| functions.signal(lit))) {
            continue;
        }
        asked += 1;
        in_place.tell(depth, poller)?;
        let clause: Vec<Lit> = clause.iter().map(|&lit| in_place.lit(lit)).collect();
        if judge.takes_one_question() {
            let is_false = in_place.sat.new_var();
            clause.iter().for_each(|&lit| in_place.sat.add_clause(&[is_false.negative(), !lit]));
            some.push(is_false.positive());
            continue;
        }
        let falsified: Vec<Lit> = clause.iter().map(|&lit| !lit).collect();
        if in_place.sat.solve(&falsified, control)? {
            return falsifies(qbf, functions, &in_place, judge, control);
        }
        in_place.sat.add_clause(&clause);
    }
    if judge.takes_one_question() {
        in_place.sat.add_clause(&some);
        if in_place.sat.solve(&[], control)? {
            return falsifies(qbf, functions, &in_place, judge, control);
        }
    }
    control.log(|| {
        let (clauses, judge) = (qbf.matrix().len(), judge.name());
        format!("check {clauses} clauses, {asked} by {judge}, the others by propagation")
    });
    Ok(Ok(true))
}

/// The clause that is false in the solver's model.
fn falsifies(
    qbf: &Qbf,
    functions: &Functions<'_>,
    in_place: &InPlace<'_>,
    judge: Judge,
    control: &Control,
) -> Result<Result<bool, CertificateFlaw>, StopReason> {
    let assignment = functions.assignment(&*in_place.sat, control)?;
    let clause = qbf.matrix().iter().position(|clause| !functions.holds(clause, &assignment));
    let clause = clause.ok_or_else(|| wrong_model(judge))?;
    Ok(Err(CertificateFlaw::ClauseFalsified { clause, lits: qbf.matrix()[clause].to_vec(), assignment }))
}

/// Whether no assignment that follows the functions satisfies the matrix: then the formula is false.
fn herbrand(
    qbf: &Qbf,
    functions: &Functions<'_>,
    judge: Judge,
    control: &Control,
    poller: &mut Poller<'_>,
) -> Result<Result<bool, CertificateFlaw>, StopReason> {
    let mut in_place = InPlace::new(functions, judge);
    in_place.tell_all(poller)?;
    for clause in qbf.matrix() {
        poller.poll(0)?;
        let clause: Vec<Lit> = clause.iter().map(|&lit| in_place.lit(lit)).collect();
        in_place.sat.add_clause(&clause);
    }
    if !in_place.sat.solve(&[], control)? {
        return Ok(Ok(false));
    }
    let assignment = functions.assignment(&*in_place.sat, control)?;
    if !qbf.matrix().iter().all(|clause| functions.holds(clause, &assignment)) {
        return Err(wrong_model(judge));
    }
    Ok(Err(CertificateFlaw::MatrixSatisfied { assignment }))
}

/// The SAT solver has made a mistake.
pub(super) fn wrong_model(judge: Judge) -> StopReason {
    StopReason::Contradiction(format!("the model that {} found is none", judge.name()))
}

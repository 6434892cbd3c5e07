//! Certificates of QBFs: functions for the variables of one player that win against everything the other one does.
//!
//! Skolem functions of the existential variables show that a formula is true, Herbrand functions of the universal ones
//! that it is false. Three things are verified. Every function is for a variable of the formula, all of one quantifier.
//! Every function reads only variables that stand before its own in the prefix: outer blocks, or the same block further
//! left, so there is no cycle through which functions could demand the impossible. And with the functions in place of
//! their variables the matrix is valid (Skolem: no assignment falsifies a clause) or unsatisfiable (Herbrand: one SAT
//! call). Most clauses of a valid matrix need no SAT call: unit propagation in the [network] of functions
//! refutes their negation. Others rest on so few open variables that [all assignments](simulation) can be tried, or a
//! short case distinction in the network does it. What is left is asked for in the order of the network, and each clause that
//! holds may help the next; what is hard is shown with the certificate's [advice], if there is any. Functions
//! that look as if they had been decision diagrams are first [tried with such](elimination).
//!
//! A variable without a function is left open in these calls, which asks for more: the rest must win whatever its value.
//! What makes a certificate fail is found by a SAT call but judged by plain evaluation. What makes it succeed rests on
//! the SAT solver, therefore on one that no engine uses unless told to: a [`Judge`]. Or on decision diagrams, which are the judge's
//! own.
//!
//! Shared with the engines are the data types (formula, literals, the graph as a list of conjunctions and its reader) and
//! [`Control`]. Not shared are the rewriting of graphs, propagation, decision diagrams, and the SAT solver.

mod advice;
mod cases;
mod cover;
mod diagrams;
mod elimination;
mod encoded;
mod network;
mod placement;
mod points;
mod propagation;
mod simulation;
mod substitution;

use super::functions::Functions;
use super::judge::Judge;
use cases::Manner;
use encoded::{Encoded, Unsettled};
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Advice, Aig, Lit, Qbf, Quantifier, Var};
use network::Network;
use propagation::Propagation;
use rustc_hash::{FxHashMap, FxHashSet};
use simulation::Simulation;
use std::fmt;
use substitution::Question;

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
    let mut poller = control.poller();
    let functions = match Functions::new(qbf.prefix(), certificate) {
        Ok(functions) => functions,
        Err(flaw) => return Ok(Err(flaw)),
    };
    let (prefix, places) = (&functions.prefix[..], &functions.places);
    let network = Network::new(qbf.prefix().vars(), places, certificate, &mut poller)?;
    let check = Check { qbf, certificate, network: &network, prefix, places, judge, control };
    match functions.winner() {
        Some(Quantifier::Exists) => Ok(check.skolem(&mut poller)?.map(|()| true)),
        Some(Quantifier::Forall) => Ok(check.herbrand(&mut poller)?.map(|()| false)),
        None => match check.skolem(&mut poller)? {
            Ok(()) => Ok(Ok(true)),
            Err(flaw) => Ok(check.herbrand(&mut poller)?.map(|()| false).map_err(|_| flaw)),
        },
    }
}

struct Check<'a> {
    qbf: &'a Qbf,
    certificate: &'a Aig,
    network: &'a Network,
    prefix: &'a [(Quantifier, Var)],
    places: &'a FxHashMap<Var, usize>,
    judge: Judge,
    control: &'a Control,
}

/// Propagation that takes longer than this is left to the SAT solver.
const STEPS: usize = 20_000;
/// With advice a long clause may take more, for each of its literals.
const LITERAL_STEPS: usize = 2_000;

/// Networks of fewer nodes are no trouble for any SAT solver.
const SMALL: usize = 512;
/// Machine words for simulating all clauses together, and each of them.
const ALL_WORDS: u64 = 3 << 30;
const CLAUSE_WORDS: u64 = 1 << 21;
/// Steps of propagation in cases.
const SPLIT_STEPS: usize = 300_000_000;
/// Steps with decision diagrams, for Skolem and for Herbrand functions.
const SKOLEM_STEPS: u64 = 40_000_000;
const HERBRAND_STEPS: u64 = 8_000_000;

impl Check<'_> {
    /// Whether no assignment that follows the functions falsifies a clause.
    fn skolem(&self, poller: &mut Poller<'_>) -> Result<Result<(), CertificateFlaw>, StopReason> {
        let mut propagation = Propagation::new(self.network);
        let mut signals = Vec::new();
        let mut unsettled: Vec<Unsettled> = Vec::new();
        for (index, clause) in self.qbf.matrix().iter().enumerate() {
            poller.poll(index as u64)?;
            self.signals(clause, &mut signals);
            if Network::simplify(&mut signals).is_some() && !propagation.refutes(&signals, &mut STEPS.clone()) {
                unsettled.push((signals.last().copied().unwrap_or(Var::FIRST.positive()), signals.clone()));
            }
        }
        // Each question profits from what was learned before, so those that rest on little come first.
        unsettled.sort_unstable();
        unsettled.dedup();
        let propagated = self.qbf.matrix().len() - unsettled.len();
        self.settle_by_diagrams(&mut unsettled)?;
        let all = unsettled.len();
        if let Some(values) = self.simulate(&mut unsettled)? {
            return self.falsified(|node| values[node.index()]);
        }
        let simulated = all - unsettled.len();
        distinguish(&mut propagation, &mut unsettled, poller)?;
        self.control.log(|| {
            let [clauses, open] = [self.qbf.matrix().len(), unsettled.len()];
            let [shown, distinguished] = [clauses - propagated - all, all - simulated - open];
            let judge = self.judge.name();
            format!(
                "check {clauses} clauses, {propagated} by propagation, {shown} by diagrams, {simulated} by simulation, \
                 {distinguished} by cases, {open} by {judge}"
            )
        });
        let mut solver = Encoded::new(self.network, self.judge);
        let cases = self.network.advice().iter().rev().find_map(|advice| match advice {
            Advice::Cases(cases) => Some(cases),
            _ => None,
        });
        if let Some(cases) = cases.filter(|_| !self.judge.takes_one_question()) {
            // What is not seen at a glance needs advice, if it is much.
            if self.falsifies_within(GLANCE, &mut solver, &mut unsettled, poller)? {
                return self.falsified(|node| solver.value(node));
            }
            if unsettled.len() > FEW {
                self.follow_advice(&mut propagation, &mut solver, &mut unsettled, poller)?;
            }
            if self.falsifies_within(AT_ONCE, &mut solver, &mut unsettled, poller)? {
                return self.falsified(|node| solver.value(node));
            }
            self.split(cases, &mut propagation, &mut unsettled, poller)?;
        }
        drop(propagation);
        let group = if self.judge.takes_one_question() { unsettled.len().max(1) } else { 1 };
        for clauses in unsettled.chunks(group) {
            if !solver.falsifies_one_of(clauses, poller, self.control)? {
                continue;
            }
            return self.falsified(|node| solver.value(node));
        }
        Ok(Ok(()))
    }

    /// Follows the certificate's advice and settles the clauses that it shows.
    fn follow_advice(
        &self,
        propagation: &mut Propagation<'_>,
        solver: &mut Encoded<'_>,
        unsettled: &mut Vec<Unsettled>,
        poller: &mut Poller<'_>,
    ) -> Result<(), StopReason> {
        let followed = advice::follow(self.network, propagation, self.judge, poller, self.control)?;
        let all = unsettled.len();
        for clause in std::mem::take(unsettled) {
            poller.poll(unsettled.len() as u64)?;
            if !propagation.refutes(&clause.1, &mut (STEPS + LITERAL_STEPS * clause.1.len())) {
                unsettled.push(clause);
            }
        }
        for lemma in propagation.lemmas().filter(|_| !unsettled.is_empty()) {
            let lemma = solver.encode(lemma, poller)?;
            solver.sat.add_clause(&lemma);
        }
        self.control.log(|| {
            let (advice::Followed { shown, dropped, covers }, open) = (followed, unsettled.len());
            format!(
                "check {all} clauses with advice: {shown} lemmas shown, {dropped} not, {covers} lists of cases complete; \
                 {open} clauses left"
            )
        });
        Ok(())
    }

    /// Whether decision diagrams have a chance.
    fn suits_diagrams(&self) -> bool {
        substitution::is_promising(self.certificate, self.prefix.len(), self.qbf.matrix().num_lits())
    }

    /// What decision diagrams are asked.
    fn question<'b>(&'b self, clauses: &'b [&'b [Lit]]) -> Question<'b> {
        Question { certificate: self.certificate, prefix: self.prefix, places: self.places, clauses }
    }

    /// Settles clauses by decision diagrams.
    fn settle_by_diagrams(&self, unsettled: &mut Vec<Unsettled>) -> Result<(), StopReason> {
        if unsettled.is_empty() || !self.suits_diagrams() {
            return Ok(());
        }
        let clauses: Vec<&[Lit]> = self.qbf.matrix().iter().collect();
        let open: FxHashSet<&[Lit]> = unsettled.iter().map(|(_, clause)| &clause[..]).collect();
        let mut signals = Vec::new();
        let mut is_settled = |clause: &&[Lit]| {
            self.signals(clause, &mut signals);
            Network::simplify(&mut signals).is_none() || !open.contains(&signals[..])
        };
        let mut settled: Vec<bool> = clauses.iter().map(&mut is_settled).collect();
        substitution::settle(self.question(&clauses), &mut settled, SKOLEM_STEPS, self.control)?;
        // Clauses that became the same hold together.
        let mut shown = FxHashSet::default();
        for (clause, _) in clauses.iter().zip(settled).filter(|&(_, settled)| settled) {
            self.signals(clause, &mut signals);
            if Network::simplify(&mut signals).is_some() {
                shown.insert(signals.clone());
            }
        }
        unsettled.retain(|(_, clause)| !shown.contains(clause));
        Ok(())
    }

    /// Settles clauses that the SAT solver settles within some looks at the control, as long as there are enough of them; says whether one
    /// of them can be false.
    fn falsifies_within(
        &self,
        looks: u64,
        solver: &mut Encoded<'_>,
        unsettled: &mut Vec<Unsettled>,
        poller: &mut Poller<'_>,
    ) -> Result<bool, StopReason> {
        let (mut open, mut settled) = (Vec::new(), 0);
        for clause in std::mem::take(unsettled) {
            if open.len() > 4 + settled / 4 {
                open.push(clause);
                continue;
            }
            let one = std::slice::from_ref(&clause);
            match encoded::within(looks, self.control, |control| solver.falsifies_one_of(one, poller, control))? {
                Some(true) => return Ok(true),
                Some(false) => settled += 1,
                None => open.push(clause),
            }
        }
        *unsettled = open;
        Ok(false)
    }

    /// Settles clauses in each of the cases that the certificate names.
    fn split(
        &self,
        cases: &[Lit],
        propagation: &mut Propagation<'_>,
        unsettled: &mut Vec<Unsettled>,
        poller: &mut Poller<'_>,
    ) -> Result<(), StopReason> {
        let clauses = unsettled.len();
        let Some(&last) = cases.last().filter(|_| clauses > 0) else { return Ok(()) };
        let Some(mut left) =
            cases::split(propagation, cases, unsettled, Manner::Thorough, &mut SPLIT_STEPS.clone(), poller)?
        else {
            return Ok(());
        };
        let exhaustive =
            left.beyond.is_empty() || cover::is_valid(self.network, self.judge, last, poller, self.control)?;
        if !exhaustive {
            left.open.extend(left.beyond.iter().map(|&index| {
                let (key, mut clause) = unsettled[index].clone();
                clause.push(last);
                (index, (key, clause))
            }));
        }
        *unsettled = left.open.into_iter().map(|(_, clause)| clause).collect();
        self.control.log(|| {
            let (cases, open) = (cases.len(), unsettled.len());
            let all = if exhaustive { "all there are" } else { "not shown to be all there are" };
            format!("check {clauses} clauses in {cases} cases, {all}: {open} left")
        });
        Ok(())
    }

    /// Settles clauses by trying all assignments: all of them at once, or one by one, as long as that is cheap. Values of the
    /// open variables, by node, if one of them is falsified.
    fn simulate(&self, unsettled: &mut Vec<Unsettled>) -> Result<Option<Vec<bool>>, StopReason> {
        if self.network.num_nodes() < SMALL {
            return Ok(None);
        }
        let mut simulation = Simulation::new(self.network);
        let clauses: Vec<&[Lit]> = unsettled.iter().map(|(_, clause)| &clause[..]).collect();
        match simulation.falsifies_one_of(&clauses, ALL_WORDS, self.control)? {
            Some(Some(values)) => return Ok(Some(values)),
            Some(None) => {
                unsettled.clear();
                return Ok(None);
            }
            None => {}
        }
        let (mut open, mut settled) = (Vec::new(), 0);
        for (last, clause) in std::mem::take(unsettled) {
            // To find out that a clause rests on too much costs something, too.
            if open.len() > 64 + 4 * settled {
                open.push((last, clause));
                continue;
            }
            match simulation.falsifies_one_of(&[&clause], CLAUSE_WORDS, self.control)? {
                Some(Some(values)) => return Ok(Some(values)),
                Some(None) => settled += 1,
                None => open.push((last, clause)),
            }
        }
        *unsettled = open;
        Ok(None)
    }

    /// The clause that is falsified when the open variables have these values.
    fn falsified(&self, open: impl Fn(Var) -> bool) -> Result<Result<(), CertificateFlaw>, StopReason> {
        let values = self.network.evaluate(open);
        let holds = |lit: &Lit| values[self.places[&lit.var()]] == lit.is_positive();
        let Some(clause) = self.qbf.matrix().iter().position(|clause| !clause.iter().any(holds)) else {
            return Err(self.wrong_model());
        };
        let lits = self.qbf.matrix()[clause].to_vec();
        Ok(Err(CertificateFlaw::ClauseFalsified { clause, lits, assignment: self.assignment(&values) }))
    }

    /// Whether no assignment that follows the functions satisfies the matrix.
    fn herbrand(&self, poller: &mut Poller<'_>) -> Result<Result<(), CertificateFlaw>, StopReason> {
        if self.suits_diagrams() {
            let clauses: Vec<&[Lit]> = self.qbf.matrix().iter().collect();
            if elimination::is_refuted(self.question(&clauses), HERBRAND_STEPS, self.control)? {
                return Ok(Ok(()));
            }
        }
        let mut solver = Encoded::new(self.network, self.judge);
        let mut signals = Vec::new();
        for clause in self.qbf.matrix() {
            self.signals(clause, &mut signals);
            if Network::simplify(&mut signals).is_some() {
                let clause = solver.encode(&signals, poller)?;
                solver.sat.add_clause(&clause);
            }
        }
        if !solver.sat.solve(&[], self.control)? {
            return Ok(Ok(()));
        }
        let values = self.network.evaluate(|node| solver.value(node));
        let holds = |lit: &Lit| values[self.places[&lit.var()]] == lit.is_positive();
        if !self.qbf.matrix().iter().all(|clause| clause.iter().any(holds)) {
            return Err(self.wrong_model());
        }
        Ok(Err(CertificateFlaw::MatrixSatisfied { assignment: self.assignment(&values) }))
    }

    /// A clause with its variables replaced by their functions.
    fn signals(&self, clause: &[Lit], into: &mut Vec<Lit>) {
        into.clear();
        into.extend(clause.iter().map(|lit| self.network.signal(self.places[&lit.var()], lit.is_positive())));
    }

    fn wrong_model(&self) -> StopReason {
        StopReason::Contradiction(format!("the model that {} found is none", self.judge.name()))
    }

    fn assignment(&self, values: &[bool]) -> Vec<Lit> {
        self.prefix.iter().zip(values).map(|(&(_, var), &value)| var.lit(value)).collect()
    }
}

/// Looks at the control of a SAT solver that settles a clause at a glance, and at once.
const GLANCE: u64 = 12;
const AT_ONCE: u64 = 200;
/// So many clauses need no advice.
const FEW: usize = 32;

/// Steps of a case distinction for one clause.
const CASE_STEPS: usize = 40_000;

/// Settles clauses by case distinctions, as long as that pays.
fn distinguish(
    propagation: &mut Propagation<'_>,
    unsettled: &mut Vec<Unsettled>,
    poller: &mut Poller<'_>,
) -> Result<(), StopReason> {
    let (mut settled, mut open) = (0, Vec::new());
    for (last, clause) in std::mem::take(unsettled) {
        poller.poll(open.len() as u64)?;
        if open.len() <= 32 + 4 * settled && propagation.refutes_by_cases(&clause, &mut CASE_STEPS.clone()) {
            settled += 1;
        } else {
            open.push((last, clause));
        }
    }
    *unsettled = open;
    Ok(())
}

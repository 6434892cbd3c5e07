//! What is kept between questions about one quantified formula: a [session](gamesat_qbf::qcdcl::session) that learns.
//!
//! It is begun with the second question, so that whoever asks once pays nothing, and it gets a bounded amount of work for each.
//! Where it fails again and again the formula is left to the engines that begin afresh.

use super::assumptions::Assumptions;
use super::engine::engines;
use super::{Answer, Control, Options, Verdict, Wanted, ask};
use gamesat_core::formula::{Lit, Qbf, Quantifier, Var};
use gamesat_qbf::qcdcl::session::Session;

/// A session, once there is one.
#[derive(Default)]
pub(super) struct Followed {
    /// Whether anything is kept at all.
    pub(super) is_on: bool,
    session: Option<Session>,
    questions: u64,
    /// Failures in a row.
    failures: u32,
}

/// Work for one question: some ten milliseconds.
const WORK: u64 = 1 << 22;
/// After so many failures in a row nothing is expected of the session any more.
const PATIENCE: u32 = 4;

impl Followed {
    /// An answer about the formula as it is, if the session finds one at once. Levels are the numbers of clauses before each.
    pub(super) fn answer(
        &mut self,
        qbf: &Qbf,
        levels: &[usize],
        assumptions: &Assumptions,
        wanted: &Wanted,
        options: &Options,
        control: &Control,
    ) -> Option<Answer> {
        self.questions += 1;
        let outer = qbf.prefix().blocks().next().map(|block| block.quantifier);
        let unwanted =
            Wanted { outer_model: wanted.outer_model && outer != Some(Quantifier::Forall), ..Wanted::default() };
        // What is learnt takes the universal player's choice for granted.
        let fixes_universals = outer == Some(Quantifier::Forall) && !assumptions.is_empty();
        if !self.is_on
            || self.questions < 2
            || self.failures >= PATIENCE
            || options.engine.is_some()
            || *wanted != unwanted
            || assumptions.is_contradictory()
            || fixes_universals
        {
            return None;
        }
        let session = self.session.get_or_insert_with(|| Session::new(qbf, levels));
        // A limit that is reached here is reached by whoever answers instead.
        let Ok(Some(reply)) = session.solve(assumptions.lits(), WORK, control) else {
            self.failures += 1;
            return None;
        };
        self.failures = 0;
        let mut answer = Answer::new(Verdict::from(reply.verdict));
        answer.outer_model = wanted.outer_model.then_some(reply.outer_model);
        let engine = engines().iter().find(|engine| engine.name() == "qcdcl")?;
        Some(ask::stamped(answer, *engine, control))
    }

    pub(super) fn add_clause(&mut self, clause: &[Lit]) {
        self.session.iter_mut().for_each(|session| session.add_clause(clause));
    }

    pub(super) fn add_block(&mut self, quantifier: Quantifier, vars: &[Var]) {
        self.session.iter_mut().for_each(|session| session.add_block(quantifier, vars));
    }

    pub(super) fn push(&mut self) {
        self.session.iter_mut().for_each(Session::push);
    }

    pub(super) fn pop(&mut self) {
        self.session.iter_mut().for_each(Session::pop);
    }
}

//! The search among others: what it tells them of the outermost block, and what it hears.

use super::super::exchange::Exchange;
use super::{FALSE, Search, TRUE};
use gamesat_core::control::StopReason;
use gamesat_core::formula::{Lit, Quantifier};

/// What was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    Nothing,
    Something,
    /// The existential player has no first move.
    Refutation,
}

impl Search<'_> {
    /// Takes part in an exchange, if its clauses are of any use here.
    pub(super) fn meet(&mut self, exchange: &Exchange) {
        if self.matrix.quantifiers.first() == Some(&Quantifier::Exists) {
            self.member = exchange.join();
        }
    }

    /// Tells what was just learnt, if it is a clause about the outermost block alone.
    pub(super) fn tell(&mut self, owner: Quantifier) {
        let Search { member: Some(member), analysis, block, .. } = self else { return };
        if owner == Quantifier::Exists && analysis.learnt.iter().all(|lit| block[lit.var().index()] == 0) {
            member.tell(analysis.learnt.iter().copied());
        }
    }

    /// Adds the clauses of others to what was learnt, as long as nothing is decided. What has a value is known to all who watch it,
    /// so that only open literals are added. Who keeps a proof does not listen.
    pub(super) fn hear(&mut self) -> Result<News, StopReason> {
        let listens = self.decisions.is_empty() && self.trace.is_none();
        let Some(member) = self.member.as_mut().filter(|_| listens) else { return Ok(News::Nothing) };
        let mut heard: Vec<Vec<Lit>> = Vec::new();
        member.hear(|clause| heard.push(clause.to_vec()));
        let mut news = News::Nothing;
        for mut clause in heard {
            if clause.iter().any(|lit| self.values[lit.code()] == TRUE) {
                continue;
            }
            clause.retain(|lit| self.values[lit.code()] != FALSE);
            if !self.add_known(&clause, Quantifier::Exists)? {
                return Ok(News::Refutation);
            }
            news = News::Something;
        }
        Ok(news)
    }
}

//! What the diagrams that variables left say about the winner's functions.
//!
//! **True**: when an existential variable leaves, the conjunction of its diagrams can be satisfied by it or not, whatever is decided
//! before. It is made true exactly if the conjunction then holds. **False**: when a universal variable leaves, "for all" and "and"
//! change places. It is made true exactly if one of its diagrams then fails: if none does but the rest fails, then because one of
//! them fails with the variable false.
//!
//! Diagrams that a variable leaves have no variable of a block behind its own, since those left before. They may have others of
//! its own block that leave later; so functions are made in the opposite order, and each reads the functions that are there.

use super::super::engine::{Answer, Missing, Wish};
use super::super::matrix::Matrix;
use super::super::signals::Signals;
use super::Diagrams;
use crate::options::Functions;
use biodivine_lib_bdd::Bdd;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Aig, Lit, Quantifier, Var};

/// Nodes of diagrams that are kept at most.
const MAX_NODES: usize = 1_000_000;

/// Variables in the order in which they left, and the diagrams that they left: of an existential one their conjunction.
#[derive(Default)]
pub(super) struct Record {
    left: Vec<(usize, Vec<Bdd>)>,
    nodes: usize,
}

impl Record {
    /// A variable leaves its diagrams.
    pub(super) fn note(&mut self, var: usize, bdds: &[Bdd]) {
        self.nodes += bdds.iter().map(Bdd::size).sum::<usize>();
        if self.is_too_large() {
            self.left.clear();
        } else {
            self.left.push((var, bdds.to_vec()));
        }
    }

    fn is_too_large(&self) -> bool {
        self.nodes > MAX_NODES
    }
}

impl Diagrams {
    /// The verdict with all that is wished for.
    pub(super) fn answer(
        &mut self,
        matrix: &Matrix,
        verdict: bool,
        wish: Wish,
        control: &Control,
    ) -> Result<Answer, StopReason> {
        let mut answer = Answer::new(verdict, Vec::new(), Err(Missing::Unwanted));
        let Some(record) = self.record.take() else { return Ok(answer) };
        if record.is_too_large() {
            if wish.outer_model {
                return Err(StopReason::Unsupported("the decision diagrams of a model are too large".to_owned()));
            }
            answer.functions = Err(Missing::Lost);
            return Ok(answer);
        }
        let signals = match self.signals(matrix, verdict, &record, control) {
            Ok(signals) => signals,
            Err(reason) if wish.outer_model => return Err(reason),
            Err(reason) => {
                answer.functions = Err(Missing::Stopped(reason));
                return Ok(answer);
            }
        };
        if wish.outer_model {
            // What reads nothing is a constant.
            let values =
                (0..matrix.level_of.len()).map(|var| signals.get(Var::from_index(var).positive()) == Aig::TRUE);
            answer.outer_model = matrix.outer_model(verdict, &values.collect::<Vec<bool>>());
        }
        if wish.functions != Functions::None {
            answer.functions = Ok(signals.finish(matrix));
        }
        Ok(answer)
    }

    fn signals(
        &self,
        matrix: &Matrix,
        verdict: bool,
        record: &Record,
        control: &Control,
    ) -> Result<Signals, StopReason> {
        let mut signals = Signals::new(matrix, verdict);
        let mut left = record.left.iter().rev().peekable();
        for (level, &quantifier) in (0u32..).zip(&matrix.quantifiers) {
            while let Some((var, bdds)) = left.next_if(|(var, _)| matrix.level_of[*var] <= level) {
                if signals.wins(quantifier) {
                    control.stop_reason(self.eliminated).map_or(Ok(()), Err)?;
                    let mut holds: Vec<Lit> = bdds.iter().map(|bdd| self.signal(bdd, *var, &mut signals)).collect();
                    let holds = signals.all(&mut holds);
                    signals.set(Var::from_index(*var), if verdict { holds } else { !holds });
                }
            }
            if !verdict && quantifier == Quantifier::Forall {
                signals.falsify_reduced(matrix, level);
            }
        }
        if !verdict {
            signals.falsify_reduced(matrix, Matrix::ABSENT);
        }
        Ok(signals)
    }

    /// The signal of a diagram in which a variable is true: a choice for each node, the lower ones first.
    fn signal(&self, bdd: &Bdd, var: usize, signals: &mut Signals) -> Lit {
        let mut made = vec![Aig::FALSE, Aig::TRUE];
        for node in bdd.pointers().skip(made.len()) {
            let [low, high] = [bdd.low_link_of(node), bdd.high_link_of(node)].map(|link| made[link.to_index()]);
            let of = self.vars[bdd.var_of(node).to_index()];
            let decides = signals.get(Var::from_index(of).positive());
            made.push(if of == var { high } else { signals.aig.select(decides, high, low) });
        }
        made[bdd.root_pointer().to_index()]
    }
}

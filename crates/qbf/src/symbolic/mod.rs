//! Symbolic elimination: clauses become decision diagrams, and variables leave them one by one, the innermost block first.
//!
//! The formula is a conjunction of diagrams. An existential variable leaves by the conjunction of all diagrams that have it, of which
//! it is then projected away. A universal variable leaves each diagram by itself, since "for all" and "and" change places. What
//! is left at the end are constants. Within a block any order of elimination is right; the variable goes first whose diagrams are
//! small and have few variables together: of all variables, or, if that fails, of the last few, because encodings list first what the
//! rest is made of. Bryant, *Graph-based algorithms for Boolean function manipulation*, 1986; buckets for
//! quantified formulas after Pan and Vardi, *Symbolic decision procedures for QBF*, 2004. The [order](mod@order) of the
//! diagrams' variables brings those of a clause close to each other.
//!
//! It is for formulas of few variables with much structure, where diagrams stay small: counters, squarings, adders, small circuits. It ends
//! when [nodes](ATTEMPTS) become too many, which on other formulas is soon. The diagrams that a variable leaves say what its
//! [function](functions) is.

mod functions;
mod order;

use super::choice::VARIABLES;
use super::engine::{Answer, QbfEngine, Wish};
use super::matrix::Matrix;
use crate::options::Functions;
use biodivine_lib_bdd::{Bdd, BddPartialValuation, BddVariable, BddVariableSet, op_function};
use functions::Record;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Quantifier};
use gamesat_core::statistics::Statistics;
use order::order;
use std::collections::BTreeSet;

/// Attempts: the number of variables of a block, its last ones, among which the next is chosen; the nodes that all diagrams together
/// may have beyond those of the clauses; and how far apart a clause's first and last variable may be on average.
const ATTEMPTS: [(usize, usize, usize); 2] = [(usize::MAX, 30_000, VARIABLES), (8, 100_000, 40)];
/// Nodes that the operations of an attempt may go over, operands and results.
const MOST_WORK: usize = 15_000_000;
/// What a pair of variables in one diagram is worth in nodes.
const PAIR: usize = 10;

/// The engine: it decides formulas with few variables, if their diagrams stay small.
#[derive(Clone, Copy, Debug, Default)]
pub struct Symbolic;

impl QbfEngine for Symbolic {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn answers(&self, matrix: &Matrix, _: Wish) -> bool {
        matrix.level_of.iter().filter(|&&level| level != Matrix::ABSENT).count() <= VARIABLES
    }

    fn solve(
        &self,
        matrix: &Matrix,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Answer, StopReason> {
        if !self.answers(matrix, wish) {
            return Err(StopReason::Unsupported("too many variables for decision diagrams".to_owned()));
        }
        let wanted = wish.functions != Functions::None;
        if let Some(values) = matrix.refutation() {
            return Ok(Answer::of_constants(matrix, false, &values, wish));
        }
        let (length, order) = order(matrix);
        for (window, most, apart) in ATTEMPTS {
            if length > apart * matrix.clauses.len() {
                continue;
            }
            let mut diagrams = Diagrams::new(matrix, order.clone(), most);
            diagrams.record = (wanted || wish.outer_model).then(Record::default);
            let result = diagrams.eliminate_all(matrix, window, control);
            statistics.add("symbolic_eliminated", diagrams.eliminated);
            statistics.add("symbolic_nodes", diagrams.peak as u64);
            statistics.add("symbolic_work", diagrams.work as u64);
            match result? {
                Some(verdict) => return diagrams.answer(matrix, verdict, wish, control),
                None => control.log(|| format!("symbolic: too large after {} variables", diagrams.eliminated)),
            }
        }
        Err(StopReason::Unsupported("the decision diagrams are getting too large".to_owned()))
    }
}

/// A diagram and the variables it depends on, by their dense numbers.
struct Diagram {
    bdd: Bdd,
    vars: Vec<usize>,
}

/// A conjunction of diagrams.
struct Diagrams {
    all: Vec<Option<Diagram>>,
    /// By dense number: the diagrams that have this variable.
    having: Vec<BTreeSet<usize>>,
    /// By dense number: the variable of the diagrams; and back.
    places: Vec<BddVariable>,
    vars: Vec<usize>,
    nodes: usize,
    /// The most that there may be, and that there ever were.
    most: usize,
    peak: usize,
    eliminated: u64,
    /// Nodes that operations went over.
    work: usize,
    false_found: bool,
    /// What functions are made of, if they are wanted.
    record: Option<Record>,
}

impl Diagrams {
    fn new(matrix: &Matrix, order: Vec<usize>, most: usize) -> Self {
        let set = BddVariableSet::new_anonymous(order.len() as u16);
        let mut places = vec![BddVariable::from_index(0); matrix.level_of.len()];
        for (place, &var) in order.iter().enumerate() {
            places[var] = BddVariable::from_index(place);
        }
        let having = vec![BTreeSet::new(); matrix.level_of.len()];
        let mut diagrams = Diagrams {
            all: Vec::new(),
            having,
            places,
            vars: order,
            nodes: 0,
            most: 0,
            peak: 0,
            eliminated: 0,
            work: 0,
            false_found: false,
            record: None,
        };
        for clause in &matrix.clauses {
            let value = |lit: &Lit| (diagrams.places[lit.var().index()], lit.is_positive());
            let values: Vec<(BddVariable, bool)> = clause.iter().map(value).collect();
            diagrams.add(set.mk_disjunctive_clause(&BddPartialValuation::from_values(&values)));
        }
        diagrams.most = diagrams.nodes + most;
        diagrams
    }

    /// Takes a diagram in, unless it says nothing.
    fn add(&mut self, bdd: Bdd) {
        self.false_found |= bdd.is_false();
        if bdd.is_true() || bdd.is_false() {
            return;
        }
        let vars: Vec<usize> = bdd.support_set().into_iter().map(|var| self.vars[var.to_index()]).collect();
        for &var in &vars {
            self.having[var].insert(self.all.len());
        }
        self.nodes += bdd.size();
        self.peak = self.peak.max(self.nodes);
        self.all.push(Some(Diagram { bdd, vars }));
    }

    /// Takes out all diagrams that have a variable.
    fn take(&mut self, var: usize) -> Vec<Diagram> {
        let mut taken = Vec::new();
        for index in std::mem::take(&mut self.having[var]) {
            let Some(diagram) = self.all[index].take() else { continue };
            for &other in &diagram.vars {
                self.having[other].remove(&index);
            }
            self.nodes -= diagram.bdd.size();
            taken.push(diagram);
        }
        taken
    }

    /// Eliminates all variables; whether the formula is true, unless it takes too many nodes to say.
    fn eliminate_all(&mut self, matrix: &Matrix, window: usize, control: &Control) -> Result<Option<bool>, StopReason> {
        for (level, &quantifier) in matrix.quantifiers.iter().enumerate().rev() {
            let owns = |&var: &usize| matrix.level_of[var] == level as u32;
            let mut costs: Vec<Option<usize>> = vec![None; matrix.level_of.len()];
            let mut waiting: Vec<usize> = (0..costs.len()).filter(owns).collect();
            let mut queue = BTreeSet::new();
            loop {
                while queue.len() < window
                    && let Some(var) = waiting.pop()
                {
                    let cost = self.cost(var, quantifier);
                    costs[var] = Some(cost);
                    queue.insert((cost, var));
                }
                let Some((_, var)) = queue.pop_first() else { break };
                costs[var] = None;
                self.eliminated += 1;
                let Some(touched) = self.eliminate(var, quantifier, control)? else { return Ok(None) };
                if self.false_found {
                    return Ok(Some(false));
                }
                for other in touched {
                    if let Some(before) = costs[other] {
                        let cost = self.cost(other, quantifier);
                        queue.remove(&(before, other));
                        queue.insert((cost, other));
                        costs[other] = Some(cost);
                    }
                }
            }
        }
        Ok(Some(!self.false_found))
    }

    /// What the elimination of a variable promises to cost.
    fn cost(&self, var: usize, quantifier: Quantifier) -> usize {
        let diagrams = || self.having[var].iter().filter_map(|&index| self.all[index].as_ref());
        let nodes: usize = diagrams().map(|diagram| diagram.bdd.size()).sum();
        if quantifier == Quantifier::Forall || self.having[var].len() <= 1 {
            return nodes;
        }
        let together: BTreeSet<usize> = diagrams().flat_map(|diagram| diagram.vars.iter().copied()).collect();
        nodes + PAIR * together.len() * together.len()
    }

    /// Eliminates a variable; the other variables of its diagrams, unless these become too large.
    fn eliminate(
        &mut self,
        var: usize,
        quantifier: Quantifier,
        control: &Control,
    ) -> Result<Option<BTreeSet<usize>>, StopReason> {
        let taken = self.take(var);
        let touched = taken.iter().flat_map(|diagram| diagram.vars.iter().copied()).collect();
        let place = self.places[var];
        let mut bdds: Vec<Bdd> = taken.into_iter().map(|diagram| diagram.bdd).collect();
        if quantifier == Quantifier::Exists {
            // The smallest two first.
            while bdds.len() > 1 {
                bdds.sort_by_key(|bdd| std::cmp::Reverse(bdd.size()));
                if let (Some(left), Some(right)) = (bdds.pop(), bdds.pop()) {
                    control.stop_reason(self.eliminated).map_or(Ok(()), Err)?;
                    let both = Bdd::binary_op_with_limit(self.room(), &left, &right, op_function::and);
                    let Some(both) = both else { return Ok(None) };
                    self.work += left.size() + right.size() + both.size();
                    bdds.push(both);
                }
            }
        }
        if let Some(record) = &mut self.record {
            record.note(var, &bdds);
        }
        for bdd in bdds {
            control.stop_reason(self.eliminated).map_or(Ok(()), Err)?;
            let (once, flipped) = ((&bdd, None), (&bdd, Some(place)));
            let room = self.room();
            let rest = match quantifier {
                Quantifier::Exists => Bdd::fused_binary_flip_op_with_limit(room, once, flipped, None, op_function::or),
                Quantifier::Forall => Bdd::fused_binary_flip_op_with_limit(room, once, flipped, None, op_function::and),
            };
            let Some(rest) = rest else { return Ok(None) };
            self.work += 2 * bdd.size() + rest.size();
            if self.work > MOST_WORK {
                return Ok(None);
            }
            self.add(rest);
        }
        Ok(Some(touched))
    }

    /// Nodes that a new diagram may have.
    fn room(&self) -> usize {
        self.most.saturating_sub(self.nodes).max(2)
    }
}

//! The ground formula: every existential variable once for each assignment of the universal variables before it, and one
//! question to a SAT solver.
//!
//! With `k` universal variables before it a variable has 2^k copies, and a clause as many as its last variable, less those that its
//! universal literals satisfy. A choice of values for all copies is a choice of Skolem functions, so the ground formula is
//! satisfiable if and only if the formula is true, and a model is a table of these functions. That is the oldest way of all,
//! and where few universal variables are left nothing beats it, provided that the formula still has its definitions in full: unit
//! propagation then runs through each copy. It is for formulas that stay within a [budget](MOST_LITERALS); the engine takes no
//! others.

use super::engine::{Answer, Missing, QbfEngine, Wish};
use super::matrix::Matrix;
use super::signals::Signals;
use crate::control::{Control, StopReason};
use crate::formula::{Aig, Lit, Quantifier, Var};
use crate::options::Functions;
use crate::sat::{Backend, SatBackend};
use crate::statistics::Statistics;

/// Literals that a ground formula may have.
const MOST_LITERALS: u64 = 4_000_000;
/// Universal variables that a formula may have.
const MOST_UNIVERSALS: usize = 12;

/// Copies of clauses between two looks at the control.
const PERIOD: u64 = 1 << 12;

/// The engine: it decides formulas with few universal variables. A false one comes without the universal player's moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ground {
    /// The SAT solver.
    pub backend: Backend,
}

impl QbfEngine for Ground {
    fn name(&self) -> &'static str {
        "ground"
    }

    fn answers(&self, matrix: &Matrix, wish: Wish) -> bool {
        let moves_first = matrix.quantifiers().first() == Some(&Quantifier::Forall);
        wish.functions != Functions::Both && !(wish.outer_model && moves_first) && Copies::new(matrix).is_some()
    }

    fn solve(
        &self,
        matrix: &Matrix,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Answer, StopReason> {
        let Some(copies) = Copies::new(matrix) else {
            return Err(StopReason::Unsupported("the ground formula would be too large".to_owned()));
        };
        let mut solver = self.backend.create();
        statistics.add("ground_literals", copies.fill(&mut *solver, matrix, control)?);
        let verdict = solver.solve(&[], control)?;
        statistics.add("ground_conflicts", solver.effort().conflicts);
        let functions = match (wish.functions, verdict) {
            (Functions::None, _) => Err(Missing::Unwanted),
            (_, false) => Err(Missing::Lost),
            (_, true) => Ok(copies.functions(&*solver, matrix)),
        };
        let mut values = vec![false; matrix.level_of.len()];
        if verdict && wish.outer_model && matrix.quantifiers.first() == Some(&Quantifier::Exists) {
            let first = matrix.level_of.iter().take_while(|&&level| level == 0 || level == Matrix::ABSENT);
            for (index, _) in first.enumerate().filter(|&(_, &level)| level == 0) {
                values[index] = solver.value(copies.lit(index, 0));
            }
        }
        let outer_model = if wish.outer_model { matrix.outer_model(verdict, &values) } else { Vec::new() };
        Ok(Answer { verdict, outer_model, functions })
    }
}

/// Where the copies of each variable are.
struct Copies {
    /// Of a universal variable, its own place among the universal ones; of an existential one, how many of them come before it.
    universals_before: Vec<usize>,
    /// The number of an existential variable's first copy in the solver.
    first: Vec<usize>,
    /// Variables of the solver.
    total: usize,
}

impl Copies {
    /// Makes room, unless the ground formula would be too large.
    fn new(matrix: &Matrix) -> Option<Self> {
        let mut copies = Copies { universals_before: Vec::new(), first: Vec::new(), total: 0 };
        let mut universals = 0;
        for &level in &matrix.level_of {
            copies.universals_before.push(universals);
            copies.first.push(copies.total);
            match matrix.quantifiers.get(level as usize) {
                Some(Quantifier::Forall) => universals += 1,
                Some(Quantifier::Exists) => copies.total += 1 << universals,
                None => {}
            }
            if universals > MOST_UNIVERSALS || copies.total as u64 > MOST_LITERALS {
                return None;
            }
        }
        let mut literals = 0;
        for clause in &matrix.clauses {
            let (depth, fixed, _) = copies.shape(matrix, clause);
            literals += (clause.len() as u64) << (depth - fixed.count_ones() as usize);
        }
        (literals <= MOST_LITERALS).then_some(copies)
    }

    fn is_universal(matrix: &Matrix, lit: Lit) -> bool {
        matrix.quantifiers.get(matrix.level_of[lit.var().index()] as usize) == Some(&Quantifier::Forall)
    }

    /// How many universal variables the copies of a clause differ in, which of them the clause mentions, and the values of these that
    /// do not satisfy it.
    fn shape(&self, matrix: &Matrix, clause: &[Lit]) -> (usize, usize, usize) {
        let (mut depth, mut fixed, mut values) = (0, 0, 0);
        for &lit in clause {
            let place = self.universals_before[lit.var().index()];
            if Self::is_universal(matrix, lit) {
                fixed |= 1 << place;
                values |= usize::from(lit.is_negative()) << place;
            } else {
                depth = depth.max(place);
            }
        }
        (depth, fixed, values)
    }

    /// The copy of an existential variable for these values of the universal ones, the first one in the lowest bit.
    fn lit(&self, index: usize, values: usize) -> Lit {
        let own = values & ((1 << self.universals_before[index]) - 1);
        Var::from_index(self.first[index] + own).positive()
    }

    /// Gives the solver all copies of all clauses, and says how many literals they have.
    fn fill(&self, solver: &mut dyn SatBackend, matrix: &Matrix, control: &Control) -> Result<u64, StopReason> {
        for _ in 0..self.total {
            solver.new_var();
        }
        let (mut literals, mut made) = (0, 0);
        let mut copy = Vec::new();
        for clause in &matrix.clauses {
            let (depth, fixed, forced) = self.shape(matrix, clause);
            let free = ((1usize << depth) - 1) & !fixed;
            // All subsets of what is free, in ascending order.
            let mut subset = 0;
            loop {
                copy.clear();
                for &lit in clause.iter().filter(|&&lit| !Self::is_universal(matrix, lit)) {
                    let image = self.lit(lit.var().index(), subset | forced);
                    copy.push(if lit.is_negative() { !image } else { image });
                }
                literals += copy.len() as u64;
                solver.add_clause(&copy);
                made += 1;
                if made % PERIOD == 0 {
                    control.stop_reason(made).map_or(Ok(()), Err)?;
                }
                subset = subset.wrapping_sub(free) & free;
                if subset == 0 {
                    break;
                }
            }
        }
        Ok(literals)
    }

    /// The functions whose tables the model is.
    fn functions(&self, solver: &dyn SatBackend, matrix: &Matrix) -> Aig {
        let mut signals = Signals::new(matrix, true);
        let is_universal = |&index: &usize| Self::is_universal(matrix, Var::from_index(index).positive());
        let universals: Vec<usize> = (0..matrix.level_of.len()).filter(is_universal).collect();
        for (index, &level) in matrix.level_of.iter().enumerate() {
            if matrix.quantifiers.get(level as usize) != Some(&Quantifier::Exists) {
                continue;
            }
            let constant = |values| if solver.value(self.lit(index, values)) { Aig::TRUE } else { Aig::FALSE };
            let mut table: Vec<Lit> = (0..1 << self.universals_before[index]).map(constant).collect();
            // The first universal variable tells neighbours apart, the second one pairs of them, and so on.
            for &universal in &universals[..self.universals_before[index]] {
                let condition = signals.get(Var::from_index(universal).positive());
                table = table.chunks(2).map(|pair| signals.aig.select(condition, pair[1], pair[0])).collect();
            }
            signals.set(Var::from_index(index), table[0]);
        }
        signals.finish(matrix)
    }
}

//! The ground formula: every existential variable once for each assignment of the universal variables before it, and one
//! question to a SAT solver.
//!
//! With `k` universal variables before it a variable has 2^k copies, and a clause as many as its last variable, less those that its
//! universal literals satisfy. A choice of values for all copies is a choice of Skolem functions, so the ground formula is
//! satisfiable if and only if the formula is true, and a model is a table of these functions; a refutation says what the universal
//! player [answers](functions). That is the oldest way of all,
//! and where few universal variables are left nothing beats it, provided that the formula still has its definitions in full: unit
//! propagation then runs through each copy. It is for formulas that stay within a [budget](MOST_LITERALS); the engine takes no
//! others.

mod functions;

use super::engine::{Answer, Missing, QbfEngine, Wish};
use super::interpolate::is_tried;
use super::matrix::Matrix;
use crate::options::Functions;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Quantifier, Var};
use gamesat_core::statistics::Statistics;
use gamesat_sat::Backend;

/// Literals that a ground formula may have.
const MOST_LITERALS: u64 = 4_000_000;
/// Universal variables that a formula may have.
const MOST_UNIVERSALS: usize = 12;
/// Universal variables of a formula whose refutation is interpolated.
const MOST_ANSWERED: usize = 8;

/// Copies of clauses between two looks at the control.
const PERIOD: u64 = 1 << 12;

/// The engine: it decides formulas with few universal variables.
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
        // Variables that occur in no clause any more count, too.
        let moves_first = matrix.original.first().is_some_and(|(quantifier, _)| *quantifier == Quantifier::Forall);
        let can_answer = |copies: Copies| wish.functions != Functions::Both || copies.universals <= MOST_ANSWERED;
        !(wish.outer_model && moves_first) && Copies::new(matrix).is_some_and(can_answer)
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
        (0..copies.total).for_each(|_| {
            solver.new_var();
        });
        let mut add = |clause: &[Lit], _: Path| solver.add_clause(clause);
        let literals = copies.fill(matrix, control, &mut add)?;
        statistics.add("ground_literals", literals);
        let verdict = solver.solve(&[], control)?;
        statistics.add("ground_conflicts", solver.effort().conflicts);
        let functions = match (wish.functions, verdict) {
            (Functions::None, _) => Err(Missing::Unwanted),
            (Functions::Both, false) if is_tried(literals as usize, wish) => copies.herbrand(matrix, wish, control),
            (_, false) => Err(Missing::Lost),
            (_, true) => Ok(copies.skolem(&*solver, matrix)),
        };
        let mut values = vec![false; matrix.level_of.len()];
        if verdict && wish.outer_model && matrix.quantifiers.first() == Some(&Quantifier::Exists) {
            let first = matrix.level_of.iter().take_while(|&&level| level == 0 || level == Matrix::ABSENT);
            for (index, _) in first.enumerate().filter(|&(_, &level)| level == 0) {
                values[index] = solver.value(copies.lit(index, 0));
            }
        }
        let outer_model = if wish.outer_model { matrix.outer_model(verdict, &values) } else { Vec::new() };
        let plays = if verdict { Vec::new() } else { copies.plays(matrix) };
        Ok(Answer { plays, ..Answer::new(verdict, outer_model, functions) })
    }
}

/// Values of the first universal variables: how many of them, and the values, the first one's in the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Path {
    length: usize,
    values: usize,
}

/// Where the copies of each variable are.
struct Copies {
    /// Of a universal variable, its own place among the universal ones; of an existential one, how many of them come before it.
    universals_before: Vec<usize>,
    /// The number of an existential variable's first copy in the solver.
    first: Vec<usize>,
    /// Variables of the solver.
    total: usize,
    /// Universal variables.
    universals: usize,
}

impl Copies {
    /// Makes room, unless the ground formula would be too large.
    fn new(matrix: &Matrix) -> Option<Self> {
        let mut copies = Copies { universals_before: Vec::new(), first: Vec::new(), total: 0, universals: 0 };
        for &level in &matrix.level_of {
            copies.universals_before.push(copies.universals);
            copies.first.push(copies.total);
            match matrix.quantifiers.get(level as usize) {
                Some(Quantifier::Forall) => copies.universals += 1,
                Some(Quantifier::Exists) => copies.total += 1 << copies.universals,
                None => {}
            }
            if copies.universals > MOST_UNIVERSALS || copies.total as u64 > MOST_LITERALS {
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

    /// All moves of the universal player, in the variables of the formula.
    fn plays(&self, matrix: &Matrix) -> Vec<Vec<Lit>> {
        let universals = Self::universals(matrix);
        let play = |values: usize| {
            let lits = universals.iter().enumerate();
            lits.map(|(place, &var)| Var::from_index(var).lit(values >> place & 1 == 1)).collect::<Vec<Lit>>()
        };
        (0..1 << universals.len()).map(|values| matrix.original_lits(&play(values))).collect()
    }

    /// The copy of an existential variable for these values of the universal ones, the first one in the lowest bit.
    fn lit(&self, index: usize, values: usize) -> Lit {
        let own = values & ((1 << self.universals_before[index]) - 1);
        Var::from_index(self.first[index] + own).positive()
    }

    /// Makes all copies of all clauses, and says how many literals they have.
    fn fill(&self, matrix: &Matrix, control: &Control, add: &mut dyn FnMut(&[Lit], Path)) -> Result<u64, StopReason> {
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
                add(&copy, Path { length: depth, values: subset | forced });
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
}

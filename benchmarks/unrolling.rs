//! What it costs to ask after every step of an unrolling instead of once: `cargo run --release --example unrolling [steps] [bits]`.
//!
//! A counter of some bits is driven by a player who may let it stand or count; whatever value it starts with (the universal
//! block), can it be zero after k steps? Each step adds its variables and clauses to one solver, opens a level for the question,
//! asks, and closes it again. At the end the last question is asked once of a solver that knows nothing.

use gamesat::formula::{Lit, Quantifier, Var};
use gamesat::solve::{Solver, Verdict};
use std::time::{Duration, Instant};

/// The counter: the variables of a step and the clauses that lead to the next.
struct Counter {
    bits: usize,
}

impl Counter {
    /// Bit `bit` of the value at step `step`; the start is step 0.
    fn value(&self, step: usize, bit: usize) -> Var {
        Var::from_index(step * (2 * self.bits + 1) + bit)
    }

    /// Whether the counter counts in this step, and the carries.
    fn moves(&self, step: usize, bit: usize) -> Var {
        Var::from_index(step * (2 * self.bits + 1) + self.bits + bit)
    }

    /// All variables that step adds.
    fn vars(&self, step: usize) -> Vec<Var> {
        let moves = (0..=self.bits).map(|bit| self.moves(step - 1, bit));
        moves.chain((0..self.bits).map(|bit| self.value(step, bit))).collect()
    }

    /// value(step) is value(step - 1) plus the first carry.
    fn clauses(&self, step: usize) -> Vec<Vec<Lit>> {
        let mut clauses = Vec::new();
        for bit in 0..self.bits {
            let [old, new] = [self.value(step - 1, bit), self.value(step, bit)].map(Var::positive);
            let [carry, next] = [self.moves(step - 1, bit), self.moves(step - 1, bit + 1)].map(Var::positive);
            clauses.extend(
                [[!new, old, carry], [!new, !old, !carry], [new, !old, carry], [new, old, !carry]].map(Vec::from),
            );
            clauses.extend([vec![!next, old], vec![!next, carry], vec![next, !old, !carry]]);
        }
        clauses
    }

    /// The value is zero.
    fn question(&self, step: usize) -> Vec<Vec<Lit>> {
        (0..self.bits).map(|bit| vec![self.value(step, bit).negative()]).collect()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<usize>());
    let steps = numbers.next().transpose()?.unwrap_or(200);
    let counter = Counter { bits: numbers.next().transpose()?.unwrap_or(4) };
    let mut solver = Solver::new(gamesat::parse("p cnf 0 0\n")?).with_memory();
    let start: Vec<Var> = (0..counter.bits).map(|bit| counter.value(0, bit)).collect();
    solver.add_block(Quantifier::Forall, &start)?;
    let (mut first, mut kept, mut longest) = (None, 0, Duration::ZERO);
    let begun = Instant::now();
    for step in 1..=steps {
        let asked = Instant::now();
        solver.add_block(Quantifier::Exists, &counter.vars(step))?;
        solver.add_clauses(counter.clauses(step).iter().map(Vec::as_slice))?;
        solver.push()?;
        solver.add_clauses(counter.question(step).iter().map(Vec::as_slice))?;
        let answer = solver.solve()?;
        if answer.verdict == Verdict::True {
            first.get_or_insert(step);
        }
        kept += usize::from(answer.statistics.engine == "qcdcl");
        if step < steps {
            solver.pop();
        }
        longest = longest.max(asked.elapsed());
    }
    let all = begun.elapsed();
    let begun = Instant::now();
    let verdict = Solver::new(solver.problem().clone()).solve()?.verdict;
    let once = begun.elapsed();
    let first = first.map_or("never".to_owned(), |step| format!("from step {step} on"));
    println!("{} bits: zero can be reached {first}; at step {steps}: {verdict:?}", counter.bits);
    println!("{steps} questions: {all:.1?}, the longest {longest:.1?}, {kept} from what was kept");
    println!("the last one alone: {once:.1?}");
    let more = all.saturating_sub(once) / u32::try_from(steps)?;
    println!("more per step: {more:.2?}");
    Ok(())
}

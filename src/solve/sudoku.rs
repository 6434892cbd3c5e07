//! Puzzles by SAT: a solution, and whether there is another one.

use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, StopReason, Trace, Verdict, Wanted};
use gamesat_core::formula::{Lit, Var};
use gamesat_core::problem::Problem;
use gamesat_encode::{Plies, Target, lower};

pub(super) struct Filling;

impl Engine for Filling {
    fn name(&self) -> &'static str {
        "filling"
    }

    fn about(&self) -> &'static str {
        "puzzles: a SAT solver finds solutions one after the other"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        let Wanted { all_moves, trace, proof, .. } = *question.wanted;
        let fits = trace == Trace::No && !proof && !all_moves;
        Offer::direct(Fit::Good).filter(|_| fits && matches!(question.problem, Problem::Sudoku(_)))
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        let answer = |problem: &Problem, _: &Wanted, options: &Options, control: &Control| {
            answer(problem, options, control).unwrap_or_else(Answer::stopped)
        };
        Box::new(Afresh { options: options.clone(), answer })
    }
}

/// The first solution is the outer model; how many were found is a counter.
fn answer(problem: &Problem, options: &Options, control: &Control) -> Result<Answer, StopReason> {
    let Problem::Sudoku(sudoku) = problem else {
        return Err(StopReason::Unsupported("not a puzzle".to_owned()));
    };
    let lowered = lower(problem, Target::Clauses(Plies::default()), control);
    let Ok(Problem::Qbf(qbf)) = lowered.map(|lowered| lowered.problem) else {
        return Err(StopReason::Unsupported("the puzzle has no clauses".to_owned()));
    };
    let mut sat = options.abstraction.backend.create();
    let vars: Vec<Var> = (0..qbf.num_vars()).map(|_| sat.new_var()).collect();
    qbf.matrix().iter().for_each(|clause| sat.add_clause(clause));
    let (mut first, mut solutions) = (None, 0usize);
    while solutions < options.sequential.solutions.max(1) && sat.solve(&[], control)? {
        let chosen: Vec<Lit> = vars.iter().map(|var| var.positive()).filter(|&lit| sat.value(lit)).collect();
        let others: Vec<Lit> = chosen.iter().map(|&lit| !lit).collect();
        sat.add_clause(&others);
        first.get_or_insert(chosen);
        solutions += 1;
    }
    let mut answer = Answer::new(Verdict::from(first.is_some()));
    answer.outer_model = first;
    answer.statistics.add("solutions", solutions as u64);
    answer.statistics.add("conflicts", sat.effort().conflicts);
    answer.statistics.add("gaps", sudoku.cells().iter().filter(|&&cell| cell == 0).count() as u64);
    Ok(answer)
}

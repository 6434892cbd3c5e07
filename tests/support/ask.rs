//! One question, one answer, where a refusal is a mistake of the test.

use gamesat::Problem;
use gamesat::control::Control;
use gamesat::solve::{self, Answer, Options, Question, Wanted};

/// Answers a question.
pub fn ask(problem: &Problem, wanted: &Wanted, options: &Options, control: &Control) -> Answer {
    solve::ask(&Question { problem, wanted }, options, control).expect("some engine answers that")
}

/// The verdict alone, and whatever comes with it, without limits.
pub fn solve(problem: &Problem, options: &Options) -> Answer {
    ask(problem, &Wanted::default(), options, &Control::default())
}

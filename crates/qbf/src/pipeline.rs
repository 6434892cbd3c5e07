//! The way of a QBF: simplify, solve what is left, and carry the witness back to the original formula.
//!
//! A certificate costs a true formula nothing: every technique of the simplifier, and expansion in the engine, let Skolem
//! functions through. Herbrand functions get lost on some of these ways, and a trial may know the verdict without any functions:
//! the formula is then solved a second time by whoever gives them, and should that take too long the verdict of the first time
//! stands without certificate.

use super::abstraction::Abstraction;
use super::confirm;
use super::engine::{Answer, Form, Forms, Gentler, Missing, QbfEngine, Wish};
use super::lift::lift;
use super::matrix::Matrix;
use super::redefine::redefine;
use super::refute;
use super::simplify::{self, Circuits, Reconstruction, SimplifyOptions, Trial, simplify_keeping};
use crate::options::{Certificate, Functions};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Aig, Confirmation, Lit, Qbf, Quantifier, Refutation};
use gamesat_core::statistics::Statistics;
use std::cell::{LazyCell, RefCell};
use std::sync::Arc;

/// What is wanted, and how to get there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QbfOptions {
    /// Options of the simplifier, or `None` to leave the formula as it is.
    pub simplify: Option<SimplifyOptions>,
    /// Find values of the outermost block.
    pub outer_model: bool,
    /// Find what shows the verdict, if this is said.
    pub certificate: Option<Certificate>,
}

/// An answer in the variables of the original formula, and what went wrong with its outer model.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The verdict and what shows it.
    pub answer: Answer,
    /// Why the outer model is missing, if it was asked for and is.
    pub no_outer_model: Option<StopReason>,
    /// What shows that the formula is false, instead of functions or beside them.
    pub refutation: Option<Refutation>,
    /// What shows that the formula is true, instead of functions or beside them.
    pub confirmation: Option<Confirmation>,
    /// Whether it was an engine without rules that found the formula to be true.
    lacks_rules: bool,
}

impl Solution {
    fn new(answer: Answer) -> Self {
        Solution { answer, no_outer_model: None, refutation: None, confirmation: None, lacks_rules: false }
    }

    /// Why something that was asked for is missing.
    pub fn missing(&self) -> Option<StopReason> {
        match (&self.answer.functions, &self.no_outer_model) {
            (Err(Missing::Stopped(reason)), _) if self.refutation.is_none() && self.confirmation.is_none() => {
                Some(reason.clone())
            }
            (_, Some(reason)) => Some(reason.clone()),
            _ => None,
        }
    }
}

/// Solves a QBF by the first of these engines that answers what is left of it. What was counted is added to the statistics,
/// whether or not an answer was found.
///
/// # Errors
/// The reason to stop before the answer was known.
pub fn solve(
    qbf: &Qbf,
    engines: &[&dyn QbfEngine],
    options: &QbfOptions,
    control: &Control,
    statistics: &mut Statistics,
) -> Result<Solution, StopReason> {
    let functions = if options.certificate.is_some() { Functions::Skolem } else { Functions::None };
    let small = options.certificate != Some(Certificate::Functions);
    let mut way = Way {
        engines,
        simplify: options.simplify.clone(),
        wish: Wish { outer_model: options.outer_model, functions, small, ..Wish::default() },
        certificate: options.certificate,
        control,
        trial: control,
    };
    let mut solution = way.go(qbf, statistics)?;
    if refute::is_due(&solution.answer, options.certificate) {
        let insists = options.certificate == Some(Certificate::Steps);
        match refute::find(qbf, &solution.answer.plays, insists, control) {
            Ok(refutation) => solution.refutation = refutation,
            Err(reason) if solution.answer.functions.is_err() => {
                solution.answer.functions = Err(Missing::Stopped(reason));
            }
            Err(_) => {}
        }
    }
    let functions = solution.answer.functions.as_ref().ok();
    // Whoever found it has no rules: abstraction may have some. Functions that got lost are looked for first, unless rules are asked for.
    let is_first = functions.is_some() || options.certificate == Some(Certificate::Steps);
    if solution.answer.verdict
        && solution.lacks_rules
        && is_first
        && confirm::is_trial_due(functions, options.certificate)
    {
        let (trial, engine) = (confirm::trial(qbf, options.certificate, control), Abstraction::default());
        let alone = Way { engines: &[&engine], trial: &trial, ..way.clone() };
        control.log(|| "re-solving by abstraction to obtain a confirmation".to_owned());
        match alone.go(qbf, &mut Statistics::default()) {
            Ok(second) if !second.answer.verdict => {
                return Err(StopReason::Contradiction(
                    "the formula was found true, and false by abstraction".to_owned(),
                ));
            }
            Ok(second) => {
                let functions = second.answer.functions;
                let are_small =
                    functions.as_ref().is_ok_and(|it| !confirm::is_trial_due(Some(it), options.certificate));
                solution.confirmation = second.confirmation;
                if are_small {
                    solution.answer.functions = functions;
                }
            }
            Err(_) => {}
        }
    }
    let is_shown = solution.refutation.is_some() || solution.confirmation.is_some();
    if is_shown || solution.answer.functions != Err(Missing::Lost) {
        return Ok(solution);
    }
    // The functions got lost on the way: once more, without what loses them. Skolem functions survive every simplification.
    control.log(|| "re-solving without techniques that lose the certificate".to_owned());
    let verdict = solution.answer.verdict;
    if !verdict {
        way.simplify = way.simplify.map(SimplifyOptions::into_certifying);
        way.wish.functions = Functions::Both;
    }
    (way.wish.insists, way.wish.small) = (true, false);
    statistics.add("certificate_runs", 1);
    match way.go(qbf, statistics) {
        Ok(second) if second.answer.verdict == verdict => Ok(second),
        Ok(_) => {
            let what = format!("the formula was found {verdict}, and {} with fewer techniques", !verdict);
            Err(StopReason::Contradiction(what))
        }
        Err(reason) => {
            solution.answer.functions = Err(Missing::Stopped(reason));
            Ok(solution)
        }
    }
}

impl<'a> Gentler<'a> {
    fn new(circuits: &'a Circuits<'a>) -> Self {
        Gentler {
            blocks: circuits.blocks(),
            variables: circuits.variables(),
            literals: circuits.literals(),
            make: Box::new(move |control| {
                let (formula, reconstruction) = circuits.formula(control)?;
                Ok(Form { matrix: Matrix::new(&formula), reconstruction })
            }),
        }
    }
}

/// Once through the pipeline.
#[derive(Clone)]
struct Way<'a> {
    engines: &'a [&'a dyn QbfEngine],
    simplify: Option<SimplifyOptions>,
    wish: Wish,
    certificate: Option<Certificate>,
    control: &'a Control,
    /// What engines look at.
    trial: &'a Control,
}

impl Way<'_> {
    fn go(&self, qbf: &Qbf, statistics: &mut Statistics) -> Result<Solution, StopReason> {
        let Some(options) = &self.simplify else {
            let mut answer = self.decide(qbf, true, None, statistics)?.0;
            let matrix = LazyCell::new(|| Matrix::new(qbf));
            let is_due = answer.verdict && confirm::is_due(answer.functions.as_ref().ok(), self.certificate);
            let confirmation = if is_due { self.confirm(qbf, None, &matrix, Some(&answer)) } else { None };
            if confirmation.is_none() && answer.functions == Err(Missing::Deferred) {
                answer.make_deferred(&matrix);
            }
            return Ok(Solution { confirmation, lacks_rules: answer.book.is_none(), ..Solution::new(answer) });
        };
        let engine = self.engines.first();
        let first = engine.and_then(|engine| engine.try_first(qbf, self.wish, self.control, statistics));
        if let Some(answer) = first.filter(|answer| self.wish.is_granted_by(answer)) {
            return Ok(Solution { lacks_rules: true, ..Solution::new(answer) });
        }
        // 1. Simplify.
        let mut options = options.clone();
        if options.functions == Functions::None {
            options.functions = self.wish.functions;
        }
        let tried = RefCell::new((Statistics::default(), None));
        let mut trial = |circuits: &Circuits<'_>| {
            let (counted, found) = &mut *tried.borrow_mut();
            let tried = engine?.try_gentler(&Gentler::new(circuits), self.wish, self.control, counted);
            let (answer, form) = tried.filter(|(answer, _)| self.wish.is_granted_by(answer))?;
            Some(found.insert((answer, Arc::new(form))).0.verdict)
        };
        let trial = Some(&mut trial as &mut Trial<'_>);
        let (simplified, circuits) = simplify_keeping(qbf, &options, trial, self.control);
        let (counted, found) = &mut *tried.borrow_mut();
        statistics.absorb(counted);
        statistics.absorb(&simplified.statistics);
        if let Some(reason) = simplified.stop {
            return Err(reason);
        }
        // 2. Solve the rest.
        let (mut rest, form) = match (found.take(), simplified.verdict) {
            (Some((answer, form)), _) => (Some(answer), Some(form)),
            (None, Some(_)) => (None, None),
            (None, None) => {
                let keeps_herbrand = simplified.reconstruction.keeps_herbrand();
                let forms = Forms { original: qbf, gentler: circuits.as_ref().map(Gentler::new) };
                let (answer, form) = self.decide(&simplified.formula, keeps_herbrand, Some(&forms), statistics)?;
                (Some(answer), form)
            }
        };
        let verdict = match (&rest, simplified.verdict) {
            (Some(answer), _) => answer.verdict,
            (None, verdict) => verdict == Some(true),
        };
        // 3. Back to the original: steps, if there are many rules,
        let reconstruction = form.as_ref().map_or(&simplified.reconstruction, |form| &form.reconstruction);
        let left = LazyCell::new(|| Matrix::new(&simplified.formula));
        let matrix = || form.as_ref().map_or_else(|| &*left, |form| &form.matrix);
        let confirm = |rest: Option<&Answer>, functions: Option<&Aig>| {
            let is_due = verdict && confirm::is_due(functions, self.certificate);
            if is_due { self.confirm(qbf, Some(reconstruction), matrix(), rest) } else { None }
        };
        let lacks_rules = rest.as_ref().is_some_and(|answer| answer.book.is_none());
        let mut confirmation = None;
        let is_deferred = rest.as_ref().is_some_and(|rest| rest.functions == Err(Missing::Deferred));
        if let Some(rest) = rest.as_mut().filter(|_| is_deferred) {
            confirmation = confirm(Some(rest), None);
            if confirmation.is_none() {
                rest.make_deferred(matrix());
            }
        }
        // functions,
        let functions = match rest.as_ref().map(|answer| &answer.functions) {
            _ if self.wish.functions == Functions::None => Err(Missing::Unwanted),
            Some(Err(missing)) => Err(missing.clone()),
            _ if !verdict && !reconstruction.keeps_herbrand() => Err(Missing::Lost),
            functions => {
                let functions = functions.and_then(|functions| functions.as_ref().ok());
                let lifted = lift(functions, qbf, verdict, reconstruction, self.control).map_err(Missing::Stopped);
                // Skolem functions by definitions, where that helps.
                let functions =
                    lifted.map(|functions| if verdict { redefine(functions, &Matrix::new(qbf)) } else { functions });
                let large = functions.as_ref().ok().filter(|_| !is_deferred);
                confirmation = large.and_then(|functions| confirm(rest.as_ref(), Some(functions)));
                functions
            }
        };
        let mut answer = Answer::new(verdict, Vec::new(), functions);
        if !verdict {
            // Nothing was played if simplification alone has found out.
            answer.plays = rest.as_mut().map_or_else(|| vec![Vec::new()], |rest| std::mem::take(&mut rest.plays));
            // Moves that were never worse than others were made for good.
            let made = reconstruction.steps().filter_map(|step| match step {
                simplify::Step::Assign(lit) => Some(lit),
                _ => None,
            });
            let made: Vec<Lit> = made.collect();
            answer.plays.iter_mut().for_each(|play| play.extend(&made));
        }
        // and values of the outermost block.
        let mut no_outer_model = None;
        if self.wish.outer_model && outermost_wins(qbf, verdict) {
            let model = reconstruction.outer_model(&rest.map_or_else(Vec::new, |answer| answer.outer_model));
            let values = if model.exact { Ok(model.values) } else { self.repair(qbf, verdict, &model.values) };
            match values {
                Ok(values) => answer.outer_model = values,
                Err(reason) => no_outer_model = Some(reason),
            }
        }
        Ok(Solution { no_outer_model, confirmation, lacks_rules, ..Solution::new(answer) })
    }

    /// A confirmation, if there is one within reason. The verdict does not rest on it, and there are functions.
    fn confirm(
        &self,
        qbf: &Qbf,
        way: Option<&Reconstruction>,
        matrix: &Matrix,
        answer: Option<&Answer>,
    ) -> Option<Confirmation> {
        confirm::find(qbf, &confirm::Left { way, matrix, answer }, self.control).ok().flatten()
    }

    /// The first engine that answers decides.
    fn decide(
        &self,
        qbf: &Qbf,
        keeps_herbrand: bool,
        forms: Option<&Forms<'_>>,
        statistics: &mut Statistics,
    ) -> Result<(Answer, Option<Arc<Form>>), StopReason> {
        let matrix = Matrix::new(qbf);
        let wish = self.wish.of(keeps_herbrand, &matrix);
        let Some(engine) = self.engines.iter().find(|engine| engine.answers(&matrix, wish)) else {
            let names: Vec<&str> = self.engines.iter().map(|engine| engine.name()).collect();
            let blocks = matrix.quantifiers().len();
            return Err(StopReason::Unsupported(format!(
                "{} cannot answer this about a formula of {blocks} blocks",
                names.join(", ")
            )));
        };
        match forms {
            Some(forms) => engine.solve_either(&matrix, forms, wish, self.trial, statistics),
            None => Ok((engine.solve(&matrix, wish, self.trial, statistics)?, None)),
        }
    }

    /// Finds a witness where the simplifier knows no way back, by solving the formula again under parts of a guess.
    fn repair(&self, qbf: &Qbf, verdict: bool, guess: &[Lit]) -> Result<Vec<Lit>, StopReason> {
        let way = Way { simplify: self.simplify.clone(), wish: Wish::default(), ..*self };
        let solve = |rest: &Qbf| way.go(rest, &mut Statistics::default()).map(|solution| solution.answer.verdict);
        simplify::complete(qbf, verdict, guess, solve)
    }
}

/// Whether the outermost block belongs to the winner.
fn outermost_wins(qbf: &Qbf, verdict: bool) -> bool {
    qbf.prefix().blocks().next().is_some_and(|block| (block.quantifier == Quantifier::Exists) == verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::formula::{ClauseArena, Prefix};
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Says one thing first and the opposite the second time.
    struct Liar(AtomicBool);

    impl QbfEngine for Liar {
        fn name(&self) -> &'static str {
            "liar"
        }

        fn answers(&self, _: &Matrix, _: Wish) -> bool {
            true
        }

        fn solve(&self, _: &Matrix, _: Wish, _: &Control, _: &mut Statistics) -> Result<Answer, StopReason> {
            let verdict = self.0.fetch_xor(true, Ordering::Relaxed);
            Ok(Answer::new(verdict, Vec::new(), Err(Missing::Lost)))
        }
    }

    /// Abstraction that makes no functions until somebody asks.
    struct Deferring;

    impl QbfEngine for Deferring {
        fn name(&self) -> &'static str {
            "deferring"
        }

        fn answers(&self, _: &Matrix, _: Wish) -> bool {
            true
        }

        fn solve(
            &self,
            matrix: &Matrix,
            wish: Wish,
            control: &Control,
            all: &mut Statistics,
        ) -> Result<Answer, StopReason> {
            let mut answer = Abstraction::default().solve(matrix, wish, control, all)?;
            if answer.book.is_some() {
                answer.functions = Err(Missing::Deferred);
            }
            Ok(answer)
        }
    }

    /// Functions that were not made are made where steps are not wanted; otherwise there are steps. Both show the same.
    #[test]
    fn deferred_functions_are_replaced_or_made() {
        use gamesat_check::{Judgement, verify};
        use gamesat_core::formula::{Proof, Var};
        use gamesat_core::problem::Problem;
        use rand::{RngExt, SeedableRng};
        use rand_chacha::ChaCha8Rng;
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let (mut steps, mut made) = (0, 0);
        for round in 0..400 {
            let vars = rng.random_range(4..12);
            let mut prefix = Prefix::new();
            for var in 0..vars {
                let quantifier = if var / 2 % 2 == round % 2 { Quantifier::Forall } else { Quantifier::Exists };
                prefix.push_var(quantifier, Var::from_index(var));
            }
            let clause = |rng: &mut ChaCha8Rng| -> Vec<Lit> {
                (0..4).map(|_| Var::from_index(rng.random_range(0..vars)).lit(rng.random())).collect()
            };
            let clauses: ClauseArena = (0..rng.random_range(1..2 * vars)).map(|_| clause(&mut rng)).collect();
            let qbf = Qbf::new(&prefix, clauses).unwrap();
            let simplify = (round % 3 == 0).then(SimplifyOptions::default);
            for certificate in [Certificate::Any, Certificate::Functions] {
                let options =
                    QbfOptions { simplify: simplify.clone(), outer_model: false, certificate: Some(certificate) };
                let control = Control::default();
                let solution = solve(&qbf, &[&Deferring], &options, &control, &mut Statistics::default()).unwrap();
                if !solution.answer.verdict {
                    continue;
                }
                let proof = match solution.confirmation {
                    Some(confirmation) => {
                        assert_eq!(certificate, Certificate::Any);
                        steps += 1;
                        Proof::Confirmation(confirmation)
                    }
                    None => {
                        made += 1;
                        Proof::Functions(solution.answer.functions.unwrap())
                    }
                };
                let judged = verify(&Problem::Qbf(qbf.clone()), &proof, &Default::default()).unwrap();
                assert_eq!(judged, Judgement::Accepted(true), "round {round}");
            }
        }
        assert!(steps > 50 && made > 50, "{steps} {made}");
    }

    #[test]
    fn two_runs_that_contradict_each_other_are_an_error_of_their_own() {
        let mut prefix = Prefix::new();
        prefix.push_block(Quantifier::Exists, [gamesat_core::formula::Var::from_index(0)]);
        let clauses: ClauseArena = [vec![Lit::from_dimacs(1)]].into_iter().collect();
        let qbf = Qbf::new(&prefix, clauses).unwrap();
        let options = QbfOptions { certificate: Some(Certificate::Functions), ..QbfOptions::default() };
        let liar = Liar(AtomicBool::new(false));
        let told = solve(&qbf, &[&liar], &options, &Control::default(), &mut Statistics::default());
        assert!(matches!(told, Err(StopReason::Contradiction(_))), "{told:?}");
    }
}

//! `gamesat solve`: read, solve under limits, answer.

use super::answer::{Filed, Report, Subject, kind};
use super::args::{CertificateFormat, SolveArgs, StrategyFormat};
use super::door::{Passed, pass};
use super::exit::{Exit, Failure};
use super::input;
use super::lookup;
use super::models::{Stream, Style};
use super::output::{self, Sink};
use super::variants;
use super::{cube, worker};
use gamesat::Problem;
use gamesat::format;
use gamesat::formula::{Autotree, Proof};
use gamesat::rules::sequential::Sequential;
use gamesat::solve::{Answer, Control, Question, StopReason, Verdict, ask, peak_memory};
use std::fs;
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is known so far, for the case that the rest has to be abandoned.
#[derive(Default)]
struct Known {
    /// Filled in as soon as the input is read.
    subject: Subject,
    /// Filled in before the proof is written.
    answer: Option<Answer>,
    /// Filled in once the proof is written.
    filed: Option<Filed>,
}

/// Runs the command.
pub fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    match (args.cube, &args.manifest) {
        (Some(cube), Some(folder)) => return cube::run(args, cube, folder),
        (None, Some(folder)) => return worker::run(args, folder),
        _ => {}
    }
    // 1. Everything that can be written to is opened first.
    let sink = Sink::open(args.output.output.as_deref())?;
    let _guard = sink.guard();
    let proof_sink = args.proof_path().map(|path| Sink::open(Some(path))).transpose()?;
    let _proof_guard = proof_sink.as_ref().map(Sink::guard);
    if args.output.json && proof_sink.as_ref().is_some_and(Sink::is_stdout) && sink.is_stdout() {
        return Err(Failure::usage("the JSON object and the proof cannot both go to standard output"));
    }

    // 2. Read, solve, write the proof.
    let to_file = !sink.is_stdout();
    let stream = Arc::new(Stream::new(sink));
    let known = Arc::new(Mutex::new(Known::default()));
    let job = {
        let (args, known, stream) = (args.clone(), Arc::clone(&known), Arc::clone(&stream));
        move |control: &Control| work(&args, control, &known, &stream, proof_sink)
    };
    let (passed, control) = pass(&args.limits, args.output.manner(), job)?;
    let known = std::mem::take(&mut *lock(&known));
    let mut answer = match passed {
        Passed::Finished(Ok(()), told) => {
            let mut answer = known.answer.unwrap_or_else(|| unreachable!("a job that returns has answered"));
            // A limit that is noticed at the door reaches the engine as an interrupt: say which limit it was.
            for reason in [&mut answer.stop, &mut answer.missing] {
                if *reason == Some(StopReason::Interrupted) {
                    *reason = told.clone().or(reason.take());
                }
            }
            answer
        }
        Passed::Finished(Err(Failure::Stopped(reason)), told) => unfinished(told.unwrap_or(reason), &control),
        Passed::Finished(Err(failure), _) => return Err(failure),
        // The verdict may be known, only its proof is not on disk.
        Passed::Abandoned(reason) => match known.answer {
            Some(mut answer) => {
                answer.missing = Some(reason);
                answer
            }
            None => unfinished(reason, &control),
        },
    };
    if let Some(StopReason::Contradiction(_)) = &answer.stop {
        let reason = answer.stop.take().map_or(String::new(), |reason| reason.to_string());
        return Err(Failure::input(format!("CONTRADICTION: {reason}; please report this input")));
    }

    // 3. Answer.
    if args.proof_path().is_some()
        && let (Some(reason), true) = (&answer.missing, answer.verdict != Verdict::Unknown)
    {
        output::diagnose(&format!("c no proof written: {reason}"));
    }
    let Some(state) = stream.end() else {
        output::diagnose(&format!("c incomplete: {}", StopReason::Interrupted));
        return Ok(Exit::from(answer.verdict));
    };
    if let (Some(verdict), Verdict::Unknown) = (state.begun, answer.verdict) {
        (answer.verdict, answer.missing) = (verdict, answer.stop.take());
    }
    if let (Some(reason), true) = (&answer.missing, args.all_moves || args.all_models)
        && !(args.proof_path().is_some() && answer.proof.is_none())
        && !shows_comments(args)
    {
        output::diagnose(&format!("c incomplete: {reason}"));
    }
    let report = Report {
        args,
        subject: &known.subject,
        answer: &answer,
        filed: known.filed.as_ref(),
        begun: state.begun.is_some(),
    };
    let mut text = report.to_text();
    if let (Some(proof), true) = (&answer.proof, args.proof_path().is_some_and(|path| path.as_os_str() == "-")) {
        let mut bytes = Vec::new();
        format::write_proof(proof, false, &mut bytes)?;
        text += &String::from_utf8_lossy(&bytes);
    }
    let exit = Exit::from(answer.verdict);
    let written = match (state.failure, state.sink) {
        (Some(failure), _) => Err(failure),
        (None, Some(sink)) => sink.write_text(&text),
        (None, None) => Ok(()),
    };
    match written {
        // The process that closed the pipe can still see the exit code.
        Ok(()) | Err(Failure::BrokenPipe) => Ok(exit),
        // A verdict is never lost to a full disk.
        Err(failure) if to_file => {
            output::report(&failure);
            Sink::open(None)?.write_text(&Report { begun: false, ..report }.to_text())?;
            Ok(failure.exit())
        }
        Err(failure) => Err(failure),
    }
}

/// Whether the user reads the comments of the answer on the terminal.
fn shows_comments(args: &SolveArgs) -> bool {
    !args.output.quiet && !args.output.json && args.output.output.is_none() && io::stdout().is_terminal()
}

fn lock(known: &Mutex<Known>) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Everything between the first byte read and the last byte of the proof.
fn work(
    args: &SolveArgs,
    control: &Control,
    known: &Mutex<Known>,
    stream: &Arc<Stream>,
    proof: Option<Sink>,
) -> Result<(), Failure> {
    let mut input = input::read(&args.input, &args.game, args.output.quiet, control)?;
    // A misère board is another problem, and the same board to the user.
    let subject = Subject::of(&input.parsed);
    let drawn = match &input.parsed.problem {
        Problem::Board(board) => !board.lines().is_empty(),
        problem => matches!(problem, Problem::Sequential(_)),
    };
    let theorem = if args.misere { variants::misere(&mut input.parsed.problem, args, control)? } else { None };
    let problem = &input.parsed.problem;
    let is_formula = matches!(problem, Problem::Qbf(_) | Problem::Circuit(_));
    if args.certificate.is_some() && !is_formula {
        return Err(Failure::usage("--certificate is for quantified formulas; this is a game: --strategy"));
    }
    if args.certificate_format == CertificateFormat::Steps && matches!(problem, Problem::Circuit(_)) {
        return Err(Failure::usage("--certificate-format steps is for formulas in clauses; this is a circuit"));
    }
    if args.strategy_format == StrategyFormat::Autotree && matches!(problem, Problem::Colouring(_)) {
        return Err(Failure::usage("--strategy-format autotree is for boards and two-coloured games"));
    }
    if args.strategy.is_some() && is_formula {
        return Err(Failure::usage("--strategy is for games; this is a quantified formula: --certificate"));
    }
    if let Problem::Sequential(game) = problem
        && let Some(missing) = game.missing()
    {
        return Err(Failure::input(missing));
    }
    if args.depth.is_some() {
        match problem {
            Problem::Sequential(Sequential::MiniChess(_)) => {
                return Err(Failure::usage("a position of mini-chess says itself how many plies it is looked ahead"));
            }
            Problem::Sequential(_) => {}
            _ => return Err(Failure::usage("--depth is for sequential games; bounded boards: encode --depth")),
        }
    }
    if args.picture && !drawn {
        return Err(Failure::usage("--picture is for boards that can be drawn"));
    }
    control.log(|| format!("{}: {subject}", input.name));
    let style = Style::of(problem, !args.output.quiet, |verdict| subject.formula_line(verdict));
    let streaming = style.filter(|_| args.all_models && !args.output.json).map(|style| {
        let stream = Arc::clone(stream);
        control.with_models(move |cube| stream.write(&style, cube))
    });
    let control = streaming.as_ref().unwrap_or(control);
    lock(known).subject = subject;
    let looked_up =
        args.book.as_deref().map(|path| lookup::look_up(path, problem, args, control)).transpose()?.flatten();
    let reordered = args.order.as_ref().map(|order| variants::in_order(problem.clone(), order)).transpose()?;
    let problem = reordered.as_ref().unwrap_or(problem);
    let mut answer = match theorem.or(looked_up) {
        Some(answer) => answer,
        None => ask(&Question { problem, wanted: &args.wanted() }, &args.options(), control)?,
    };
    if let (StrategyFormat::Autotree, Some(Proof::Strategy(strategy))) = (args.strategy_format, &answer.proof) {
        let tree = Autotree::unfold(strategy, |lit| lock(known).subject.label(lit, strategy.winner()));
        if tree.is_none() {
            answer.missing = Some(StopReason::Unsupported("this strategy is no tree of reasonable size".to_owned()));
        }
        answer.proof = tree.map(Proof::Autotree);
    }
    if let (CertificateFormat::Steps, Some(Proof::Functions(_))) = (args.certificate_format, &answer.proof) {
        let steps = if answer.verdict == Verdict::True { "confirmation" } else { "refutation" };
        output::diagnose(&format!("c no {steps} in steps was found: the proof is functions (AIGER) instead"));
    }
    // On standard output the proof comes behind the answer, which takes it along.
    let file = proof.filter(|sink| !sink.is_stdout());
    let found = if file.is_some() { answer.proof.take() } else { None };
    lock(known).answer = Some(answer);
    if let (Some(mut sink), Some(found)) = (file, found) {
        let binary = args.proof_path().is_some_and(|path| path.extension().is_some_and(|end| end == "aig"));
        let written = format::write_proof(&found, binary, &mut sink).map_err(Failure::from);
        match written.and_then(|()| sink.finish()) {
            Ok(()) => {
                let length = args.proof_path().and_then(|path| fs::metadata(path).ok()).map_or(0, |data| data.len());
                lock(known).filed = Some(Filed { kind: kind(&found), bytes: length });
            }
            // The verdict stands without it.
            Err(failure) => output::report(&failure),
        }
    }
    Ok(())
}

/// The answer of a run that was abandoned.
fn unfinished(reason: StopReason, control: &Control) -> Answer {
    let mut answer = Answer::stopped(reason);
    answer.statistics.time = control.elapsed();
    answer.statistics.peak_memory = peak_memory();
    answer.statistics.add("nodes", control.progress().nodes());
    answer
}

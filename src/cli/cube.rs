//! `gamesat solve --cube`: one cube of a question that was cut; its result is filed, and the exit code is 0 once it is.

use super::args::SolveArgs;
use super::cubes::Manifest;
use super::exit::{Exit, Failure};
use super::output::{self, Sink};
use super::results::Found;
use super::{command, input};
use gamesat::Problem;
use gamesat::format::write_proof;
use gamesat::formula::Proof;
use gamesat::options::Certificate;
use gamesat::play::Position;
use gamesat::solve::{Control, Question, StopReason, Trace, Wanted, ask};
use gamesat::split::Won;
use std::path::Path;

/// Solves a cube.
pub fn run(args: &SolveArgs, cube: u32, folder: &Path) -> Result<Exit, Failure> {
    let (args, place) = (args.clone(), folder.to_owned());
    let ended = command::run(&args.limits.clone(), &args.output.clone(), move |control, sink| {
        solve(&args, cube, &place, control, sink)
    });
    match ended {
        // A job that is slow to notice its limit is abandoned, or stopped before it had read anything: that is a result, too.
        Err(Failure::Stopped(reason @ (StopReason::Time | StopReason::Cpu | StopReason::Memory))) => {
            let manifest = Manifest::open(folder)?;
            manifest.file(manifest.place(cube)?, &Found::Tried(reason.to_string()), None, 0.0, 0)?;
            output::diagnose(&format!("c cube {cube}: {reason}"));
            Ok(Exit::Success)
        }
        ended => ended,
    }
}

fn solve(args: &SolveArgs, cube: u32, folder: &Path, control: &Control, sink: Sink) -> Result<Exit, Failure> {
    // 1. The right question, and a cube of it.
    let manifest = Manifest::open(folder)?;
    let input = input::read(&args.input, &args.game, args.output.quiet, control)?;
    if !manifest.is_of(&input.parsed.problem) {
        return Err(Failure::input(format!("{}: this is the manifest of another question", folder.display())));
    }
    let place = manifest.place(cube)?;
    // 2. Nothing is done twice, or for nothing.
    let proofs = args.proofs || manifest.cutting.every_move;
    let found = manifest.all_believed()?;
    if let Found::Won(won) = &found[place]
        && (!proofs || manifest.is_proven(place)?)
    {
        sink.write_text(&format!("c cube {cube} is solved: {}\n", manifest.says(won.winner)))?;
        return Ok(Exit::Success);
    }
    if found[place].won().is_none() && !manifest.needed(&found).contains(&place) {
        sink.write_text(&format!("c cube {cube} is no longer needed\n"))?;
        return Ok(Exit::Success);
    }
    // 3. Solve it, and file what was found; a signal is no result.
    let share = Share { manifest: &manifest, proofs, control };
    let (found, proof) = answer(&input.parsed.problem, place, args, &share)?;
    if control.is_interrupted()
        && !matches!(found, Found::Won(_))
        && control.limits().time.is_none_or(|limit| control.elapsed() < limit)
    {
        return Err(Failure::Stopped(StopReason::Interrupted));
    }
    let text = share.file(place, &found, proof.as_ref(), control.progress().nodes())?;
    sink.write_text(&text)?;
    Ok(Exit::Success)
}

/// What a worker who solves cubes works on.
#[derive(Clone, Copy)]
pub struct Share<'a> {
    pub manifest: &'a Manifest,
    /// Whether every cube is to have its proof.
    pub proofs: bool,
    pub control: &'a Control,
}

impl Share<'_> {
    /// Files what was found about a cube: the line that says so.
    pub fn file(&self, place: usize, found: &Found, proof: Option<&Proof>, nodes: u64) -> Result<String, Failure> {
        let written = |proof: &Proof| {
            let mut bytes = Vec::new();
            write_proof(proof, false, &mut bytes).map(|()| bytes)
        };
        let proof = proof.map(written).transpose()?;
        if self.proofs && proof.is_none() && matches!(found, Found::Won(_)) {
            output::diagnose("c no proof of this cube was found");
        }
        self.manifest.file(place, found, proof.as_deref(), self.control.elapsed().as_secs_f64(), nodes)?;
        let cube = place + 1;
        Ok(match found {
            Found::Won(won) => format!("c cube {cube}: {}\n", self.manifest.says(won.winner)),
            Found::Tried(reason) => format!("c cube {cube}: {reason}\n"),
            Found::Open => String::new(),
        })
    }
}

/// Solves a cube by whatever engine fits.
pub fn answer(
    problem: &Problem,
    place: usize,
    args: &SolveArgs,
    share: &Share<'_>,
) -> Result<(Found, Option<Proof>), Failure> {
    let mut position = Position::new(problem.clone());
    for &lit in &share.manifest.tree.cubes[place] {
        position.play(lit).map_err(|error| Failure::input(error.to_string()))?;
    }
    let rest = position.problem();
    let mut wanted =
        if share.proofs { Wanted::default().and_certificate(Certificate::Functions) } else { Wanted::default() };
    if matches!(&rest, Problem::Board(board) if !board.has_plies()) {
        wanted.trace = Trace::Any;
    }
    let answer = ask(&Question { problem: &rest, wanted: &wanted }, &args.options(), share.control)?;
    let found = match (answer.verdict.winner(), &answer.stop) {
        (Some(winner), _) => Found::Won(Won { winner, trace: answer.trace.clone() }),
        (None, Some(reason)) => Found::Tried(reason.to_string()),
        (None, None) => Found::Tried("no answer".to_owned()),
    };
    Ok((found, answer.proof))
}

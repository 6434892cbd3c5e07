//! `gamesat solve --manifest` without `--cube`: a worker that goes from cube to cube until the answer is known.

use super::args::SolveArgs;
use super::cube::{self, Share};
use super::cubes::{Found, Manifest};
use super::exit::{Exit, Failure};
use super::output::Sink;
use super::standings::Notice;
use super::{command, input};
use gamesat::Problem;
use gamesat::solve::{Control, StopReason};
use gamesat::split::{Standing, Worker};
use std::path::Path;

/// Works on the cubes of a folder.
pub fn run(args: &SolveArgs, folder: &Path) -> Result<Exit, Failure> {
    let (args, folder) = (args.clone(), folder.to_owned());
    let (limits, output) = (args.limits.clone(), args.output.clone());
    match command::run(&limits, &output, move |control, sink| work(&args, &folder, control, sink)) {
        // Nobody waits for a worker that is slow to notice its limit: what it has solved is filed all the same.
        Err(Failure::Stopped(StopReason::Time | StopReason::Memory)) => Ok(Exit::Success),
        ended => ended,
    }
}

fn work(args: &SolveArgs, folder: &Path, control: &Control, sink: Sink) -> Result<Exit, Failure> {
    let manifest = Manifest::open(folder)?;
    let input = input::read(&args.input, &args.game, args.output.quiet, control)?;
    if !manifest.is_of(&input.parsed.problem) {
        return Err(Failure::input(format!("{}: this is the manifest of another question", folder.display())));
    }
    let problem = input.parsed.problem;
    let share = Share { manifest: &manifest, proofs: args.proofs || manifest.cutting.every_move, control };
    // 1. As long as something is needed and there is time.
    let mut text = String::new();
    let stopped = match Worker::new(&problem, &manifest.tree, &args.options()).map_err(Failure::Stopped)? {
        Some(worker) => on_board(worker, &share, &mut text)?,
        None => in_order(args, &problem, &share, &mut text)?,
    };
    // 2. A limit is no failure: what is solved is filed, and whoever comes next goes on.
    match stopped {
        Some(StopReason::Interrupted) => return Err(Failure::Stopped(StopReason::Interrupted)),
        Some(reason) => {
            let open = manifest.needed(&manifest.all_found()?).len();
            text += &format!("c {reason}: {open} cubes are open\n");
        }
        None => text += "c nothing is needed any more\n",
    }
    sink.write_text(&text)?;
    Ok(Exit::Success)
}

/// On a board the proof numbers say where to go on.
fn on_board(mut worker: Worker<'_>, share: &Share<'_>, text: &mut String) -> Result<Option<StopReason>, Failure> {
    let manifest = share.manifest;
    let notice = Notice::new(manifest)?;
    let mut filed = Vec::new();
    loop {
        let found = known(share, &filed)?;
        let won = manifest.won(&found);
        let told = notice.others(won.len());
        let others: Vec<&[Standing]> = told.iter().map(Vec::as_slice).collect();
        // Where somebody is at work at whatever is left, it may have been killed, or be slower.
        let Some(cube) = worker.choose(&won, &others).or_else(|| worker.choose(&won, &[])) else { return Ok(None) };
        let done = worker.standings().iter().map(|standing| standing.work).sum();
        if let Some(reason) = share.control.stop_reason(done) {
            return Ok(Some(reason));
        }
        worker.begin(Some(cube));
        notice.tell(worker.standings())?;
        match worker.work(cube, share.proofs, share.control) {
            Ok(None) => {}
            Ok(Some((won, proof))) => {
                *text += &share.file(cube, &Found::Won(won), proof.as_ref(), worker.standings()[cube].work)?;
                filed.push(cube);
            }
            Err(reason) => return Ok(Some(reason)),
        }
    }
}

/// Elsewhere one cube comes after the other.
fn in_order(
    args: &SolveArgs,
    problem: &Problem,
    share: &Share<'_>,
    text: &mut String,
) -> Result<Option<StopReason>, Failure> {
    let mut filed = Vec::new();
    loop {
        let Some(&cube) = share.manifest.needed(&known(share, &filed)?).first() else { return Ok(None) };
        if let Some(reason) = share.control.stop_reason(0) {
            return Ok(Some(reason));
        }
        let (found, proof) = cube::answer(problem, cube, args, share)?;
        if let Found::Tried(_) = found {
            return Ok(Some(share.control.stop_reason(0).unwrap_or(StopReason::Nodes)));
        }
        *text += &share.file(cube, &found, proof.as_ref(), share.control.progress().nodes())?;
        filed.push(cube);
    }
}

/// What is known about the cubes. Where proofs are wanted, a winner that a limit has left without one is none yet; what this
/// worker has filed itself is as good as it can make it.
fn known(share: &Share<'_>, filed: &[usize]) -> Result<Vec<Found>, Failure> {
    let mut found = share.manifest.all_found()?;
    for (cube, found) in found.iter_mut().enumerate().filter(|_| share.proofs) {
        if !filed.contains(&cube) && !share.manifest.proof_path(cube).exists() {
            *found = Found::Open;
        }
    }
    Ok(found)
}

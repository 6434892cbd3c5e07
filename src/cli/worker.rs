//! `gamesat solve --manifest` without `--cube`: a worker that goes on until the answer is known, together with others on the folder.

use super::args::SolveArgs;
use super::claims::{Claim, Claims, RENEWAL};
use super::cube::{self, Share};
use super::cubes::Manifest;
use super::exchange::Exchange;
use super::exit::{Exit, Failure};
use super::output::{self, Sink};
use super::results::Found;
use super::{command, input};
use gamesat::Problem;
use gamesat::formula::Proof;
use gamesat::solve::{Control, Interrupt, StopReason};
use gamesat::split::Worker;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Expansions between two looks at what is filed.
const LOOK: u64 = 2000;
/// How often a worker that is at a cube, or waits for one, looks whether others have settled it; rarer where a look takes long.
const PAUSE: Duration = Duration::from_millis(500);
/// The share of its time that such a worker may spend on looking: one part of so many.
const LOOKING: u32 = 20;

/// Works on the cubes of a folder.
pub fn run(args: &SolveArgs, folder: &Path) -> Result<Exit, Failure> {
    let (args, folder) = (args.clone(), folder.to_owned());
    let (limits, output) = (args.limits.clone(), args.output.clone());
    let (claims, _release) = Claims::new(&folder);
    match command::run(&limits, &output, move |control, sink| work(&args, &folder, claims, control, sink)) {
        // A worker that is slow to notice its limit is not waited for: what it has solved is filed all the same.
        Err(Failure::Stopped(StopReason::Time | StopReason::Cpu | StopReason::Memory)) => Ok(Exit::Success),
        ended => ended,
    }
}

fn work(args: &SolveArgs, folder: &Path, claims: Claims, control: &Control, sink: Sink) -> Result<Exit, Failure> {
    let manifest = Manifest::open(folder)?;
    let input = input::read(&args.input, &args.game, args.output.quiet, control)?;
    if !manifest.is_of(&input.parsed.problem) {
        return Err(Failure::input(format!("{}: this is the manifest of another question", folder.display())));
    }
    let problem = input.parsed.problem;
    let share = Share { manifest: &manifest, proofs: args.proofs || manifest.cutting.every_move, control };
    if share.proofs {
        manifest.set_aside_other_proofs()?;
    }
    // 1. As long as something is needed and there is time.
    let (stopped, mut text) = crew(args, &problem, &share, claims)?;
    // 2. A limit is no failure: what is solved is filed, and the next worker goes on.
    match stopped {
        Some(StopReason::Interrupted) => return Err(Failure::Stopped(StopReason::Interrupted)),
        Some(reason) => {
            let open = manifest.needed(&manifest.all_believed()?).len();
            text += &format!("c {reason}: {open} cubes are open\n");
        }
        None => text += "c nothing is needed any more\n",
    }
    sink.write_text(&text)?;
    Ok(Exit::Success)
}

/// Why a worker stopped before the answer was known, if it did, and what it has to say.
type Ended = Result<(Option<StopReason>, String), Failure>;

/// Each thread is a worker, on boards. Elsewhere all threads are at work on one cube after the other.
fn crew(args: &SolveArgs, problem: &Problem, share: &Share<'_>, claims: Claims) -> Ended {
    let worker = || Worker::new(problem, &share.manifest.tree, &args.options()).map_err(Failure::Stopped);
    let Some(first) = worker()? else { return in_order(args, problem, share, claims) };
    std::thread::scope(|scope| {
        let another = || worker()?.map_or(Ok((None, String::new())), |worker| on_board(worker, share));
        let others: Vec<_> = (1..args.search.threads).map(|_| scope.spawn(another)).collect();
        let (mut stopped, mut text) = on_board(first, share)?;
        for other in others {
            let (reason, more) = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            // If one has the answer, no other is needed.
            stopped = stopped.and(reason);
            text += &more;
        }
        Ok((stopped, text))
    })
}

/// On a board the whole question is searched, together with the other workers on the folder.
fn on_board(mut worker: Worker<'_>, share: &Share<'_>) -> Ended {
    let mut exchange = Exchange::new(share.manifest, &worker);
    let mut text = String::new();
    let stopped = together(&mut worker, &mut exchange, share, &mut text)?;
    match stopped {
        None => exchange.close(),
        // The next worker goes on from here.
        Some(_) => exchange.tell(&mut worker),
    }
    Ok((stopped, text))
}

fn together(
    worker: &mut Worker<'_>,
    exchange: &mut Exchange,
    share: &Share<'_>,
    text: &mut String,
) -> Result<Option<StopReason>, Failure> {
    let manifest = share.manifest;
    let (mut filed, mut next_look) = (Vec::new(), 0);
    // 1. The whole question, slice by slice. What is filed by now is looked at from time to time.
    loop {
        if worker.work() >= next_look {
            next_look = worker.work() + LOOK;
            if take_stock(worker, share, &mut filed, text)? {
                return Ok(None);
            }
        }
        if let Some(reason) = share.control.stop_reason(worker.work()) {
            return Ok(Some(reason));
        }
        exchange.listen(worker)?;
        match worker.search(share.control) {
            Ok(None) => exchange.tell(worker),
            Ok(Some(won)) if !share.proofs => {
                if !take_stock(worker, share, &mut filed, text)? {
                    share.file(manifest.whole(), &Found::Won(won), None, worker.work())?;
                }
                return Ok(None);
            }
            Ok(Some(_)) => break,
            Err(reason) => return Ok(Some(reason)),
        }
    }
    // 2. Where every cube needs a proof, the answer says which ones matter.
    loop {
        exchange.listen(worker)?;
        let won = manifest.won(&known(share, &filed)?);
        let Some(cube) = worker.choose(&won) else { return Ok(None) };
        if let Some(reason) = share.control.stop_reason(worker.work()) {
            return Ok(Some(reason));
        }
        worker.begin(cube);
        exchange.tell(worker);
        match worker.prove(cube, share.control) {
            Ok(None) => {}
            Ok(Some((won, proof))) => {
                *text += &share.file(cube, &Found::Won(won), proof.as_ref(), worker.work())?;
                filed.push(cube);
            }
            Err(reason) => return Ok(Some(reason)),
        }
    }
}

/// Takes in what others have filed, and files the cubes whose winner the search has come across. Whether the answer is known.
fn take_stock(
    worker: &mut Worker<'_>,
    share: &Share<'_>,
    filed: &mut Vec<usize>,
    text: &mut String,
) -> Result<bool, Failure> {
    let manifest = share.manifest;
    let found = known(share, filed)?;
    for (cube, won) in
        found[..manifest.whole()].iter().enumerate().filter_map(|(cube, found)| Some((cube, found.won()?)))
    {
        if !filed.contains(&cube) && !worker.settle(cube, won) {
            return Err(Failure::input(format!(
                "CONTRADICTION: cube {}: {} before, and now {}",
                cube + 1,
                manifest.says(won.winner),
                manifest.says(!won.winner)
            )));
        }
    }
    let needed = manifest.needed(&found);
    for &cube in needed.iter().filter(|_| !share.proofs) {
        if let Some(won) = worker.settled(cube) {
            *text += &share.file(cube, &Found::Won(won), None, worker.work())?;
            filed.push(cube);
        }
    }
    Ok(manifest.needed(&known(share, filed)?).is_empty())
}

/// Elsewhere one cube comes after the other, each solved by one of the workers on the folder.
fn in_order(args: &SolveArgs, problem: &Problem, share: &Share<'_>, mut claims: Claims) -> Ended {
    let (mut filed, mut text, mut is_waiting) = (Vec::new(), String::new(), false);
    let started = Instant::now();
    loop {
        let looked = Instant::now();
        let needed = share.manifest.needed(&known(share, &filed)?);
        if needed.is_empty() {
            return Ok((None, text));
        }
        if let Some(reason) = share.control.stop_reason(0) {
            return Ok((Some(reason), text));
        }
        let Some((cube, claim)) = claims.take(&needed, started.elapsed()) else {
            if !std::mem::replace(&mut is_waiting, true) {
                output::diagnose("c other workers are at every cube that is needed: waiting for them");
            }
            thread::sleep((looked.elapsed() * LOOKING).clamp(PAUSE, RENEWAL));
            continue;
        };
        is_waiting = false;
        // Its last owner may have filed it just before the claim was free.
        if !share.manifest.needed(&known(share, &filed)?).contains(&cube) {
            continue;
        }
        let Some((found, proof)) = while_needed(args, problem, share, &filed, (cube, &claim))? else { continue };
        if let Found::Tried(_) = found {
            return Ok((Some(share.control.stop_reason(0).unwrap_or(StopReason::Nodes)), text));
        }
        text += &share.file(cube, &found, proof.as_ref(), share.control.progress().nodes())?;
        filed.push(cube);
    }
}

/// Solves a cube that is claimed, and renews the claim meanwhile; nothing if other cubes have made it superfluous by then.
fn while_needed(
    args: &SolveArgs,
    problem: &Problem,
    share: &Share<'_>,
    filed: &[usize],
    (cube, claim): (usize, &Claim),
) -> Result<Option<(Found, Option<Proof>)>, Failure> {
    let dropped = Interrupt::new();
    let control = share.control.with_interrupt(dropped.clone());
    let (done, is_done) = channel::<()>();
    let answered = thread::scope(|scope| {
        let dropped = &dropped;
        scope.spawn(move || {
            let (mut pause, mut renewed) = (PAUSE, Instant::now());
            while is_done.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                if renewed.elapsed() >= RENEWAL {
                    claim.renew();
                    renewed = Instant::now();
                }
                let looked = Instant::now();
                // What cannot be read now is found out when the cube is filed.
                if known(share, filed).is_ok_and(|found| !share.manifest.needed(&found).contains(&cube)) {
                    dropped.trigger();
                }
                pause = (looked.elapsed() * LOOKING).clamp(PAUSE, RENEWAL);
            }
        });
        let answered = cube::answer(problem, cube, args, &Share { control: &control, ..*share });
        drop(done);
        answered
    });
    match answered {
        Err(Failure::Stopped(_)) | Ok((Found::Tried(_), _))
            if dropped.is_triggered() && !share.control.is_interrupted() =>
        {
            Ok(None)
        }
        answered => answered.map(Some),
    }
}

/// What is known about the cubes. Where proofs are wanted, a winner that a limit has left without one is none yet; what this
/// worker has filed itself is as good as it can make it.
fn known(share: &Share<'_>, filed: &[usize]) -> Result<Vec<Found>, Failure> {
    let mut found = share.manifest.all_believed()?;
    for (cube, found) in found.iter_mut().enumerate().filter(|_| share.proofs) {
        if !filed.contains(&cube) && !share.manifest.proof_path(cube).exists() {
            *found = Found::Open;
        }
    }
    Ok(found)
}

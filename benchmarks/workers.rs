//! Workers on the cubes of a board, as `gamesat solve --manifest` has them, simulated one slice after the other:
//!
//! `cargo run --release --example workers -- CUBES WORKERS,... FILE...` cuts each board, lets so many workers solve the cubes, and
//! prints a line of JSON a board. Every worker has a session of its own and sees what the others have told when it chooses a
//! cube. Times are CPU seconds: whoever is through with its slice first goes on first, and what nobody needs any more when the
//! answer is known is cut off there; proof numbers of a slice are seen when it begins, a little early. `benchmarks/cubes` makes a table and a plot of it.

use gamesat::Problem;
use gamesat::control::Control;
use gamesat::format::{ReadOptions, read};
use gamesat::formula::Player;
use gamesat::solve::{Options, Question, Wanted, ask};
use gamesat::split::{Cutting, Standing, Tree, Won, Worker, cut};
use serde_json::json;

/// Processor seconds of this thread.
fn clock() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells the time of a thread");
    text.split_ascii_whitespace().next().and_then(|time| time.parse::<f64>().ok()).expect("nanoseconds") / 1e9
}

/// A slice under way: when it ends, and what comes of it.
type Slice = (f64, usize, Option<Won>);

/// What a crew has done.
struct Done {
    winner: Player,
    /// When the answer was known.
    end: f64,
    /// What all of them spent until then.
    spent: f64,
    /// Cubes that were begun, and solved.
    cubes: (usize, usize),
    /// The most that was spent on a cube.
    longest: f64,
}

fn simulate(problem: &Problem, tree: &Tree, count: usize) -> Done {
    let control = Control::default();
    // More than one for each cube have nothing to do.
    let count = count.min(tree.cubes.len());
    let worker =
        |_| Worker::new(problem, tree, &Options::default()).expect("no limit").expect("a board of the graph engine");
    let mut crew: Vec<Worker<'_>> = (0..count).map(worker).collect();
    let mut slices: Vec<Option<Slice>> = vec![None; count];
    let mut found: Vec<Option<Won>> = vec![None; tree.cubes.len()];
    let mut costs = vec![0.0f64; tree.cubes.len()];
    let (mut now, mut spent) = (0.0, 0.0);
    loop {
        if let Some(won) = tree.outcomes(&found).last().cloned().flatten() {
            spent -= slices.iter().flatten().map(|&(end, ..)| end - now).sum::<f64>();
            let begun = costs.iter().filter(|&&cost| cost > 0.0).count();
            let longest = costs.iter().copied().fold(0.0, f64::max);
            return Done {
                winner: won.winner,
                end: now,
                spent,
                cubes: (begun, found.iter().flatten().count()),
                longest,
            };
        }
        for at in 0..count {
            if slices[at].is_some() {
                continue;
            }
            let others: Vec<&[Standing]> =
                (0..count).filter(|&other| other != at).map(|other| crew[other].standings()).collect();
            let start = clock();
            let chosen = crew[at].choose(&found, &others);
            crew[at].begin(chosen);
            let Some(cube) = chosen else { continue };
            let won = crew[at].work(cube, false, &control).expect("no limit");
            let took = clock() - start;
            spent += took;
            costs[cube] += took;
            slices[at] = Some((now + took, cube, won.map(|(won, _)| won)));
        }
        let end = |at: usize| slices[at].as_ref().map_or(f64::INFINITY, |slice| slice.0);
        let next = (0..count).min_by(|&a, &b| end(a).total_cmp(&end(b))).expect("somebody is at work");
        let (end, cube, won) = slices[next].take().expect("somebody is at work");
        now = end;
        crew[next].begin(None);
        found[cube] = won.or(found[cube].take());
    }
}

fn main() {
    let usage = "workers CUBES WORKERS,... FILE...";
    let mut args = std::env::args().skip(1);
    let cubes: usize = args.next().and_then(|word| word.parse().ok()).expect(usage);
    let counts: Vec<usize> = args.next().expect(usage).split(',').map(|word| word.parse().expect(usage)).collect();
    for path in args {
        let text = std::fs::read(&path).expect("a file");
        let problem = read(&mut &text[..], &path, &ReadOptions::default()).expect("a board").problem;
        let start = clock();
        let question = Question { problem: &problem, wanted: &Wanted::default() };
        let truth = ask(&question, &Options::default(), &Control::default()).expect("an answer").verdict.winner();
        let alone = clock() - start;
        let start = clock();
        let tree = cut(&problem, Cutting { cubes, ..Cutting::default() }, &Control::default()).expect("a tree");
        let cutting = clock() - start;
        let mut crews = Vec::new();
        for &count in &counts {
            let done = simulate(&problem, &tree, count);
            assert_eq!(Some(done.winner), truth, "{path}: {count} workers");
            crews.push(json!({ "workers": count, "end": done.end, "spent": done.spent, "begun": done.cubes.0,
                "solved": done.cubes.1, "longest": done.longest }));
        }
        println!(
            "{}",
            json!({ "file": path, "alone": alone, "cutting": cutting, "cubes": tree.cubes.len(), "crews": crews })
        );
    }
}

//! Workers on the cubes of a board, as `gamesat solve --manifest` has them, simulated one slice after the other:
//!
//! `cargo run --release --example workers -- CUBES WORKERS,... FILE...` cuts each board, lets so many workers search it, and
//! prints a line of JSON a board. Every worker has a session of its own and a file of its own in a temporary folder, in the format of
//! the real ones; when its slice begins it reads what the others have written by then, when it ends it writes what it has found out.
//! Times are CPU seconds, reading and writing included: whoever is through with its slice first goes on first, and what the
//! others have not done when the answer is known is cut off there. `benchmarks/cubes` makes a table and a plot of it.

use gamesat::Problem;
use gamesat::control::Control;
use gamesat::format::{ReadOptions, read};
use gamesat::formula::Player;
use gamesat::solve::{Options, Question, Wanted, ask};
use gamesat::split::bulletin::{Reader, Writer};
use gamesat::split::{Cutting, Tree, Won, Worker, cut};
use serde_json::json;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Processor seconds of this thread.
fn clock() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells the time of a thread");
    text.split_ascii_whitespace().next().and_then(|time| time.parse::<f64>().ok()).expect("nanoseconds") / 1e9
}

/// One of a crew.
struct Member<'p> {
    worker: Worker<'p>,
    path: PathBuf,
    writer: Writer,
    readers: Vec<Reader>,
    /// The slice under way: when it ends, and what comes of it.
    slice: Option<(f64, Option<Won>)>,
    /// CPU seconds of writing after the last slice.
    writing: f64,
}

impl Member<'_> {
    /// Reads what the others have written.
    fn listen(&mut self, own: usize, paths: &[PathBuf]) {
        for (number, (path, reader)) in paths.iter().zip(&mut self.readers).enumerate().filter(|&(at, _)| at != own) {
            if fs::metadata(path).is_ok_and(|metadata| metadata.len() <= reader.position()) {
                continue;
            }
            let Ok(mut file) = File::open(path) else { continue };
            let (start, mut bytes) = (reader.position(), Vec::new());
            file.seek(SeekFrom::Start(start)).expect("a file");
            file.read_to_end(&mut bytes).expect("a file");
            while let Some(told) = reader.read(bytes.get((reader.position() - start) as usize..).unwrap_or_default()) {
                assert!(self.worker.learn(number as u64, &told), "workers agree");
            }
        }
    }

    /// Writes what it has found out.
    fn tell(&mut self) -> u64 {
        let bytes = self.writer.write(&self.worker.tell());
        let mut file = OpenOptions::new().append(true).create(true).open(&self.path).expect("a file");
        file.write_all(&bytes).expect("a file");
        bytes.len() as u64
    }
}

/// What a crew has done.
struct Done {
    winner: Player,
    /// When the answer was known.
    end: f64,
    /// What all of them spent until then: CPU seconds, of which on reading and writing, and expansions.
    spent: f64,
    exchanging: f64,
    work: u64,
    /// Bytes that they have written.
    bytes: u64,
    /// Cubes whose winner was known to the one who was done first.
    solved: usize,
}

fn simulate(problem: &Problem, tree: &Tree, count: usize, folder: &Path) -> Done {
    let control = Control::default();
    let paths: Vec<PathBuf> = (0..count).map(|at| folder.join(format!("{count}-{at}.news"))).collect();
    let member = |at: usize| {
        let worker = Worker::new(problem, tree, &Options::default()).expect("no limit").expect("a board of the engine");
        let readers = (0..count).map(|_| Reader::new(1)).collect();
        Member { worker, path: paths[at].clone(), writer: Writer::new(1), readers, slice: None, writing: 0.0 }
    };
    let mut crew: Vec<Member<'_>> = (0..count).map(member).collect();
    let (mut now, mut spent, mut exchanging, mut bytes) = (0.0, 0.0, 0.0, 0);
    loop {
        for (at, member) in crew.iter_mut().enumerate().filter(|(_, member)| member.slice.is_none()) {
            let start = clock();
            member.listen(at, &paths);
            let listened = clock();
            let won = member.worker.search(&control).expect("no limit");
            let took = clock() - start + member.writing;
            exchanging += listened - start + member.writing;
            spent += took;
            member.slice = Some((now + took, won));
        }
        let end = |at: usize| crew[at].slice.as_ref().map_or(f64::INFINITY, |slice| slice.0);
        let next = (0..count).min_by(|&a, &b| end(a).total_cmp(&end(b))).expect("somebody is at work");
        let (end, won) = crew[next].slice.take().expect("somebody is at work");
        now = end;
        if let Some(won) = won {
            spent -= crew.iter().filter_map(|member| member.slice.as_ref()).map(|slice| slice.0 - now).sum::<f64>();
            let work = crew.iter().map(|member| member.worker.work()).sum();
            let worker = &mut crew[next].worker;
            let solved = (0..tree.cubes.len()).filter(|&cube| worker.settled(cube).is_some()).count();
            paths.iter().for_each(|path| drop(fs::remove_file(path)));
            return Done { winner: won.winner, end: now, spent, exchanging, work, bytes, solved };
        }
        let start = clock();
        bytes += crew[next].tell();
        crew[next].writing = clock() - start;
    }
}

fn main() {
    let usage = "workers CUBES WORKERS,... FILE...";
    let mut args = std::env::args().skip(1);
    let cubes: usize = args.next().and_then(|word| word.parse().ok()).expect(usage);
    let counts: Vec<usize> = args.next().expect(usage).split(',').map(|word| word.parse().expect(usage)).collect();
    let folder = std::env::temp_dir().join(format!("gamesat-workers-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    for path in args {
        let text = fs::read(&path).expect("a file");
        let problem = read(&mut &text[..], &path, &ReadOptions::default()).expect("a board").problem;
        let start = clock();
        let question = Question { problem: &problem, wanted: &Wanted::default() };
        let answer = ask(&question, &Options::default(), &Control::default()).expect("an answer");
        let (alone, truth) = (clock() - start, answer.verdict.winner());
        let start = clock();
        let tree = cut(&problem, Cutting { cubes, ..Cutting::default() }, &Control::default()).expect("a tree");
        let cutting = clock() - start;
        let mut crews = Vec::new();
        for &count in &counts {
            let done = simulate(&problem, &tree, count, &folder);
            assert_eq!(Some(done.winner), truth, "{path}: {count} workers");
            crews.push(json!({ "workers": count, "end": done.end, "spent": done.spent, "exchanging": done.exchanging,
                "work": done.work, "bytes": done.bytes, "solved": done.solved }));
        }
        println!(
            "{}",
            json!({ "file": path, "alone": alone, "nodes": answer.statistics.get("nodes"), "cutting": cutting,
                "cubes": tree.cubes.len(), "crews": crews })
        );
    }
    fs::remove_dir_all(&folder).expect("a temporary folder");
}

//! `gamesat solve a.cnf b.cnf folder`: several problems, one line for each.
//!
//! Each problem has a process of this program to itself, so that limits, processor time and peak memory are its own, and a
//! problem that takes all memory takes no other with it. The process gets the options of the user and answers with the JSON
//! object of a single problem. It is tethered: it stops when its standard input ends, and so it never outlives this process,
//! however that ends.

use super::args::{Cli, SolveArgs};
use super::door::interrupt_on_signals;
use super::exit::{Exit, Failure};
use super::output::{self, Sink};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory};
use gamesat::format::{self, Format};
use gamesat::solve::{Interrupt, StopReason};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a process that was told to stop may take to say what it knows.
const PATIENCE: Duration = Duration::from_millis(900);
/// How often a process is looked at, at most.
const TICK: Duration = Duration::from_millis(20);
/// The longest answer of a process that is read, in bytes.
const LONGEST: u64 = 64 << 20;
/// Arguments that are this process's business.
const OWN: &[&str] = &["words", "jobs", "json", "output", "quiet", "certificate", "strategy"];
/// Options whose answers do not fit into a line, or that are about one problem.
const ALONE: &[&str] = &[
    "all_models",
    "all_moves",
    "trace",
    "shrink_trace",
    "qdo",
    "picture",
    "stats",
    "cube",
    "manifest",
    "book",
    "expression",
];

/// Whether several problems are meant: two or more files, a folder, or `--jobs`. Words that are a board are one, unless each of
/// them is the name of a file.
pub fn is_meant(args: &SolveArgs) -> bool {
    let words = &args.input.words;
    match &words[..] {
        _ if args.jobs.is_some() => true,
        [] => false,
        [word] => Path::new(word).is_dir(),
        words => are_paths(words),
    }
}

/// Whether words are names of files, and no board.
fn are_paths(words: &[String]) -> bool {
    let exists = |word: &String| Path::new(word).exists();
    words.iter().all(exists) || words.iter().any(exists) && format::sniff(words.join(" ").as_bytes()) == Format::Infix
}

/// A problem as the command line of a process names it.
struct Problem {
    name: String,
    words: Vec<String>,
    /// Where its proof goes.
    proof: Option<PathBuf>,
}

/// Answers every problem. The exit code says whether all of them could be read.
pub fn run(args: &SolveArgs, given: &ArgMatches) -> Result<Exit, Failure> {
    let given = given.subcommand().map_or(given, |(_, inner)| inner);
    let options = options(args, given)?;
    let problems = problems(args)?;
    if let Some(folder) = args.proof_path() {
        fs::create_dir_all(folder).map_err(|error| Failure::input(format!("{}: {error}", folder.display())))?;
    }
    let program = std::env::current_exe()?;
    let interrupt = interrupt_on_signals()?;
    let sink = Sink::open(args.output.output.as_deref())?;
    let _guard = sink.guard();

    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    let jobs = usize::from(args.jobs.unwrap_or(1)).min(problems.len());
    let (answered, failed) = thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, job) = (sender.clone(), (&program, &options, &problems, &next, &interrupt));
            scope.spawn(move || {
                let (program, options, problems, next, interrupt) = job;
                take(problems, next, interrupt, &sender, |problem| attempt(program, options, problem, args, interrupt));
            });
        }
        drop(sender);
        let written = write(args, sink, &receiver);
        // Nothing more can be written: the processes that are at work stop.
        if written.is_err() {
            interrupt.trigger();
        }
        written
    })?;
    match answered < problems.len() {
        true => {
            output::diagnose(&format!("c {answered} of {} problems answered", problems.len()));
            Err(Failure::Stopped(StopReason::Interrupted))
        }
        false => Ok(if failed { Exit::BadInput } else { Exit::Success }),
    }
}

/// Answers problems until there are no more, or until the thread that writes the lines has stopped.
fn take(
    problems: &[Problem],
    next: &AtomicUsize,
    interrupt: &Interrupt,
    answers: &Sender<Line>,
    attempt: impl Fn(&Problem) -> Line,
) {
    while !interrupt.is_triggered()
        && let Some(problem) = problems.get(next.fetch_add(1, Ordering::Relaxed))
        && answers.send(attempt(problem)).is_ok()
    {}
}

/// Writes lines as they come: how many there were, and whether one of them is an error.
fn write(args: &SolveArgs, mut sink: Sink, lines: &Receiver<Line>) -> Result<(usize, bool), Failure> {
    let (mut answered, mut failed) = (0, false);
    if !args.output.json && !args.output.quiet {
        writeln!(
            sink,
            "c {:<10} {:>10} {:>10} {:>8}  {:<12} input",
            "verdict", "cpu_s", "wall_s", "peak_mb", "engine"
        )?;
    }
    for line in lines {
        answered += 1;
        failed |= line.error.is_some();
        writeln!(sink, "{}", if args.output.json { line.to_json().to_string() } else { line.to_text() })?;
        sink.flush()?;
    }
    sink.finish()?;
    Ok((answered, failed))
}

/// What the command line of a process has beside its problem.
fn options(args: &SolveArgs, given: &ArgMatches) -> Result<Vec<OsString>, Failure> {
    let mut options = Vec::new();
    for argument in Cli::command().get_arguments() {
        let id = argument.get_id().as_str();
        let is_given = given.try_contains_id(id).is_ok() && given.value_source(id) == Some(ValueSource::CommandLine);
        let Some(long) = argument.get_long().filter(|_| is_given) else { continue };
        if ALONE.contains(&id) {
            return Err(Failure::usage(format!("--{long} is for one problem, and several are given")));
        }
        if OWN.contains(&id) {
            continue;
        }
        if !argument.get_action().takes_values() {
            options.push(format!("--{long}").into());
            continue;
        }
        for value in given.get_raw(id).into_iter().flatten() {
            let mut option = OsString::from(format!("--{long}="));
            option.push(value);
            options.push(option);
        }
    }
    options.extend(["--json", "--tethered"].map(OsString::from));
    if !args.output.verbose {
        options.push("--quiet".into());
    }
    Ok(options)
}

/// The problems that the words name: files, and what is in folders.
fn problems(args: &SolveArgs) -> Result<Vec<Problem>, Failure> {
    let words = &args.input.words;
    if words.is_empty() || words.iter().any(|word| word == "-") {
        return Err(Failure::usage("several problems are files or folders; standard input is one problem"));
    }
    if words.len() == 1 && !Path::new(&words[0]).exists() || words.len() > 1 && !are_paths(words) {
        // A board, or what the process will say about it.
        let name = words.join(" ");
        return Ok(named(vec![(name, words.clone())], args));
    }
    let mut found = Vec::new();
    for word in words {
        match Path::new(word).is_dir() {
            true => found.extend(inside(Path::new(word))?.into_iter().map(|name| (name.clone(), vec![name]))),
            false => found.push((word.clone(), vec![word.clone()])),
        }
    }
    Ok(named(found, args))
}

/// Gives every problem a file for its proof, if proofs are wanted: in the folder that the option names, called like the problem.
fn named(found: Vec<(String, Vec<String>)>, args: &SolveArgs) -> Vec<Problem> {
    let end = if args.certificate.is_some() { "certificate" } else { "strategy" };
    let mut taken: HashMap<String, usize> = HashMap::new();
    let mut proof = |name: &str| {
        let folder = args.proof_path()?;
        let file = Path::new(name).file_name().map_or("problem".into(), |name| name.to_string_lossy().into_owned());
        let same = taken.entry(file.clone()).or_default();
        *same += 1;
        let number = if *same == 1 { String::new() } else { format!(".{same}") };
        Some(folder.join(format!("{file}{number}.{end}")))
    };
    found.into_iter().map(|(name, words)| Problem { proof: proof(&name), name, words }).collect()
}

/// The files of a folder and the folders in it whose names speak of a format, sorted. Hidden ones are passed over, and links to
/// folders, which may lead in a circle.
fn inside(folder: &Path) -> Result<Vec<String>, Failure> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let failed = |error: io::Error| Failure::input(format!("{}: {error}", folder.display()));
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let (name, path) = (entry.file_name().to_string_lossy().into_owned(), entry.path());
            if name.starts_with('.') {
                continue;
            }
            if entry.file_type().map_err(failed)?.is_dir() {
                folders.push(path);
            } else if Format::of_file_name(&name).is_some() && path.is_file() {
                files.extend(path.to_str().map(str::to_owned));
            }
        }
    }
    files.sort();
    match files.is_empty() {
        true => Err(Failure::input(format!(
            "{}: no file in it has the ending of a format, such as .qdimacs",
            folder.display()
        ))),
        false => Ok(files),
    }
}

/// What a process has used, as far as the system tells.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    cpu_seconds: Option<f64>,
    peak_bytes: Option<u64>,
}

impl Used {
    /// Looks at a process that has not been waited for. One that has ended still tells its processor time.
    fn look(&mut self, process: u32) {
        let read = |file: &str| fs::read_to_string(format!("/proc/{process}/{file}")).ok();
        let ticks = read("stat").and_then(|stat| {
            let mut fields = stat.rsplit(')').next()?.split_ascii_whitespace().skip(11);
            let mut ticks = || fields.next()?.parse::<u32>().ok();
            Some(f64::from(ticks()?) + f64::from(ticks()?))
        });
        let peak = read("status").and_then(|status| {
            let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
            Some(line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok()? << 10)
        });
        self.add(ticks.map(|ticks| ticks / 100.0), peak);
    }

    /// Both numbers only grow.
    fn add(&mut self, cpu_seconds: Option<f64>, peak_bytes: Option<u64>) {
        self.cpu_seconds = [self.cpu_seconds, cpu_seconds].into_iter().flatten().reduce(f64::max);
        self.peak_bytes = self.peak_bytes.max(peak_bytes);
    }
}

/// What is said about a problem.
struct Line {
    input: String,
    /// The object that the process has printed; empty if it has printed none.
    answer: Value,
    used: Used,
    wall: Duration,
    error: Option<String>,
}

/// Solves a problem in a process.
fn attempt(program: &Path, options: &[OsString], problem: &Problem, args: &SolveArgs, interrupt: &Interrupt) -> Line {
    let (began, mut used) = (Instant::now(), Used::default());
    let ended = follow(program, options, problem, args, interrupt, &mut used);
    let (answer, error) = match ended {
        Err(error) => (Value::Null, Some(format!("no process could be started: {error}"))),
        Ok((text, status)) => {
            let answer: Value = serde_json::from_slice(&text).unwrap_or_default();
            let error = match (answer["error"].as_str(), answer["verdict"].as_str()) {
                (Some(error), _) => Some(error.to_owned()),
                (None, Some(_)) => None,
                (None, None) if interrupt.is_triggered() => Some(StopReason::Interrupted.to_string()),
                (None, None) => Some(format!("the process ended without an answer ({status})")),
            };
            (answer, error)
        }
    };
    used.add(answer["cpu_seconds"].as_f64(), answer["peak_memory_bytes"].as_u64());
    Line { input: problem.name.clone(), answer, used, wall: began.elapsed(), error }
}

/// Starts a process and waits for it: what it has printed, and how it ended.
fn follow(
    program: &Path,
    options: &[OsString],
    problem: &Problem,
    args: &SolveArgs,
    interrupt: &Interrupt,
    used: &mut Used,
) -> io::Result<(Vec<u8>, ExitStatus)> {
    let mut command = Command::new(program);
    command.arg("solve").args(options);
    if let Some(path) = &problem.proof {
        command.arg(if args.certificate.is_some() { "--certificate" } else { "--strategy" }).arg(path);
    }
    command.arg("--").args(&problem.words).stdin(Stdio::piped()).stdout(Stdio::piped());
    if !args.output.verbose {
        command.stderr(Stdio::null());
    }
    let mut child = command.spawn()?;
    let mut tether = child.stdin.take();
    let printed = child.stdout.take();
    let reader = thread::spawn(move || {
        let mut text = Vec::new();
        let _ = printed.map(|printed| printed.take(LONGEST).read_to_end(&mut text));
        text
    });
    let (mut told, mut tick) = (None, Duration::from_millis(1));
    let status = loop {
        used.look(child.id());
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if interrupt.is_triggered() {
            drop(tether.take());
            if told.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
                child.kill()?;
            }
        }
        thread::sleep(tick);
        tick = TICK.min(tick * 2);
    };
    Ok((reader.join().unwrap_or_default(), status))
}

impl Line {
    fn to_json(&self) -> Value {
        let answer = &self.answer;
        let verdict = if self.error.is_some() { &Value::Null } else { &answer["verdict"] };
        json!({
            "input": self.input,
            "verdict": verdict,
            "value": answer["value"],
            "stop": answer["stop"],
            "cpu_seconds": self.used.cpu_seconds,
            "wall_seconds": (self.wall.as_secs_f64() * 1e3).round() / 1e3,
            "peak_mb": self.used.peak_bytes.map(|bytes| (bytes as f64 / f64::from(1 << 20) * 10.0).round() / 10.0),
            "engine": answer["engine"].as_str().filter(|engine| !engine.is_empty()),
            "certificate": answer["certificate"],
            "error": self.error,
        })
    }

    fn to_text(&self) -> String {
        let verdict = match (&self.error, self.answer["value"].as_i64()) {
            (Some(_), _) => "error".to_owned(),
            (None, Some(value)) => format!("value {value}"),
            (None, None) => self.answer["verdict"].as_str().unwrap_or_default().to_owned(),
        };
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let cpu = or_dash(self.used.cpu_seconds.map(|seconds| format!("{seconds:.2}")));
        let peak = or_dash(self.used.peak_bytes.map(|bytes| format!("{:.1}", bytes as f64 / f64::from(1 << 20))));
        let engine = self.answer["engine"].as_str().filter(|engine| !engine.is_empty()).unwrap_or("-");
        let why = self.error.as_deref().or(self.answer["stop"].as_str());
        let why = why.map(|why| format!(": {}", why.replace('\n', " "))).unwrap_or_default();
        let wall = self.wall.as_secs_f64();
        format!("  {verdict:<10} {cpu:>10} {wall:>10.2} {peak:>8}  {engine:<12} {}{why}", self.input)
    }
}

//! Games with an order and puzzles, in seconds of processor time:
//!
//! `cargo bench --bench sequential -- FILE...` solves boards of Connect-k and Dots-and-Boxes, positions of mini-chess and a
//! Sudoku with 17 clues, and lets players of dominoes and Dots-and-Boxes play. Files have lines `moves score` of Connect Four,
//! as Pascal Pons' test sets have them: every position is solved, with one table for all, and its score compared; a number
//! before them takes every so manieth line only. With files nothing else is done. Words instead of files choose what is done:
//! `boards`, `matches`, `dots4x4` and `connect4` (the empty board of Connect Four), the last two of which take minutes; without any
//! word it is the first two. Values that are known are compared, and a wrong one ends the run.

use gamesat::Problem;
use gamesat::control::{Control, peak_memory};
use gamesat::format::{ReadOptions, read};
use gamesat::options::SequentialOptions;
use gamesat::play::players::{Setting, find, run};
use gamesat::rules::sequential::connect::Stones;
use gamesat::rules::sequential::minichess::Pieces;
use gamesat::rules::sequential::strings::Strings;
use gamesat::rules::sequential::{Connect, Dots, Rules, Sequential};
use gamesat::solve::Solver;
use gamesat_games::sequential::Session;
use std::time::{Duration, Instant};

/// Processor time of this thread where the system tells it to the nanosecond, and wall-clock time elsewhere.
struct Clock(Option<u64>, Instant);

impl Clock {
    fn now() -> Option<u64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_ascii_whitespace().next()?.parse().ok()
    }

    fn start() -> Self {
        Clock(Self::now(), Instant::now())
    }

    fn seconds(&self) -> f64 {
        match (self.0, Self::now()) {
            (Some(start), Some(now)) => (now - start) as f64 / 1e9,
            _ => self.1.elapsed().as_secs_f64(),
        }
    }
}

fn board(columns: usize, rows: usize, length: usize, moves: &str) -> Connect {
    let mut board = Connect::new(columns, rows, length).expect("a possible size");
    for digit in moves.bytes() {
        board.play(u16::from(digit - b'1'));
    }
    board
}

/// A position of Connect Four itself.
fn four(moves: &str) -> Stones<u64, 7, 4> {
    Stones::of_size(&board(7, 6, 4, moves))
}

/// The value of a position, which must be the known one, the nodes and the time, with a new table of so many MiB.
fn solve<R: Rules>(name: &str, rules: &R, known: Option<i32>, mebibytes: usize) {
    let mut options = SequentialOptions::default();
    options.sequential_table = mebibytes;
    let clock = Clock::start();
    let session = Session::new(rules, &options, 1);
    let (value, nodes) = session.value(rules, &Control::default()).expect("no limit");
    let peak = peak_memory().unwrap_or(0) >> 20;
    assert!(known.is_none_or(|known| known == value), "{name} is worth {known:?} and not {value}");
    println!("{name}: value {value}, {nodes} nodes, {:.6} s, peak of the process {peak} MiB", clock.seconds());
}

/// The value of every first move.
fn openings(name: &str, rules: &Strings) {
    let clock = Clock::start();
    let session = Session::new(rules, &SequentialOptions::default(), 1);
    let solved = session.solve(rules, None, true, &Control::default()).expect("no limit");
    let nodes = solved.statistics.get("nodes");
    println!("{name}, all openings: value {}, {nodes} nodes, {:.6} s", solved.value, clock.seconds());
}

fn read_problem(text: &str) -> Problem {
    read(&mut text.as_bytes(), "text", &ReadOptions::default()).expect("a problem").problem
}

fn test_set(session: &Session, file: &str, every: usize) {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let (mut count, mut nodes) = (0, 0);
    let read = |line: &'_ str| {
        let (moves, score) = line.split_once(' ').expect("moves and score");
        (moves.to_owned(), four(moves), score.trim().parse::<i32>().expect("a score"))
    };
    let positions: Vec<_> = text.lines().step_by(every).map(read).collect();
    let clock = Clock::start();
    for (moves, rules, score) in &positions {
        assert!(rules.mover().is_some(), "somebody moves");
        let (value, visited) = session.value(rules, &Control::default()).expect("no limit");
        assert_eq!(value, *score, "{moves}");
        count += 1;
        nodes += visited;
    }
    let seconds = clock.seconds();
    println!(
        "{file}: {count} positions right, {nodes} nodes, {seconds:.3} s, mean {:.7} s, {:.0} nodes",
        seconds / f64::from(count),
        nodes as f64 / f64::from(count)
    );
}

fn play(one: &str, two: &str, game: &str, games: usize, time: f64) {
    let Problem::Sequential(position) = read_problem(game) else { return };
    let setting = Setting { seed: 1, time: Duration::from_secs_f64(time) };
    let entries = [one, two].map(|name| find(name).expect("a player"));
    let started = Instant::now();
    let tally = run(&position, entries, games, setting, 1, &Control::default()).expect("no limit");
    let (low, high) = tally.interval();
    println!(
        "{one} against {two}, {}: {:.1} % of {games} games ({low:.1} to {high:.1}), {:.3} ms a game (wall-clock)",
        game.trim(),
        tally.share(),
        started.elapsed().as_secs_f64() * 1000.0 / games as f64
    );
}

/// A puzzle with 17 clues (G. Royle's list).
const SEVENTEEN: &str = "sudoku 000000010400000000020000000000050407008000300001090000300400200050100000000806000";

/// Kings, queens, rooks and bishops of both sides.
const CHESS: &str = "minichess r1b1k1q1/8/8/8/8/8/8/R1B1K1Q1 w";

fn dots(across: usize, down: usize) -> Strings {
    Strings::new(&Dots::board(across, down).expect("a possible size"))
}

fn boards() {
    for (columns, rows, length, known) in [
        (5, 3, 3, Some(4)),
        (4, 3, 3, Some(2)),
        (4, 4, 4, Some(0)),
        (5, 4, 4, Some(0)),
        (5, 5, 4, None),
        (6, 5, 4, None),
    ] {
        let empty = Stones::<u64>::new(&board(columns, rows, length, ""));
        solve(&format!("connect {columns}x{rows} {length}"), &empty, known, 256);
    }
    for (across, down, known) in [(2, 4, 2), (3, 3, -3), (2, 5, -2), (3, 4, 0), (2, 6, 2)] {
        solve(&format!("dots {across}x{down}"), &dots(across, down), Some(known), 256);
    }
    openings("dots 3x3", &dots(3, 3));
    for plies in [6, 7, 10] {
        let Problem::Sequential(Sequential::MiniChess(chess)) = read_problem(&format!("{CHESS} {plies}")) else {
            return;
        };
        solve(&format!("{CHESS} {plies}"), &Pieces::new(&chess), None, 64);
    }
    let clock = Clock::start();
    let answer = Solver::new(read_problem(SEVENTEEN)).solve().expect("a puzzle");
    assert_eq!(answer.statistics.get("solutions"), 1.0);
    println!("17 clues: one solution, {:.6} s", clock.seconds());
}

fn matches() {
    for (one, two, games) in
        [("midway", "random", 2000), ("smart", "random", 6000), ("guesser", "random", 2000), ("guesser", "smart", 2000)]
    {
        play(one, two, "dominoes\n", games, 0.0);
    }
    for (one, two, games) in
        [("policy", "random", 1000), ("phases", "policy", 1000), ("search", "policy", 20), ("search", "phases", 20)]
    {
        play(one, two, "dots 5x5\n", games, 0.1);
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let known = |word: &String| ["boards", "matches", "dots4x4", "connect4"].contains(&word.as_str());
    let (chosen, files): (Vec<String>, Vec<String>) = words.into_iter().partition(known);
    if !files.is_empty() {
        let session = Session::new(&four(""), &SequentialOptions::default(), 1);
        let every = files[0].parse().unwrap_or(1);
        files.iter().filter(|file| file.parse::<usize>().is_err()).for_each(|file| test_set(&session, file, every));
        return;
    }
    let wants = |word: &str| chosen.iter().any(|other| other == word);
    if chosen.is_empty() || wants("boards") {
        boards();
    }
    if chosen.is_empty() || wants("matches") {
        matches();
    }
    if wants("dots4x4") {
        solve("dots 4x4", &dots(4, 4), Some(0), 1760);
    }
    if wants("connect4") {
        // The first player wins with the 41st stone.
        solve("connect 7x6 4", &four(""), Some(1), 1024);
    }
}

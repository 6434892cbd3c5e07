//! Games with an order, on positions that are given on the command line:
//!
//! `cargo bench --bench sequential -- FILE...` reads files of lines `moves score` of Connect Four, as Pascal Pons' test sets
//! have them, solves every position with one table for all, compares the scores, and prints for each file the number of
//! positions, nodes and seconds in all and on average. Without a file Connect Three on 5x3 and some boards are solved.

use gamesat::control::Control;
use gamesat::internals::sequential::Session;
use gamesat::options::SequentialOptions;
use gamesat::rules::sequential::{Connect, Rules, connect::Stones};
use std::time::Instant;

fn position(columns: usize, rows: usize, length: usize, moves: &str) -> Stones<u64> {
    let mut board = Connect::new(columns, rows, length).expect("a possible size");
    for digit in moves.bytes() {
        board.play(u16::from(digit - b'1'));
    }
    Stones::new(&board)
}

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let control = Control::default();
    for (columns, rows, length) in [(5, 3, 3), (4, 3, 3), (4, 4, 4), (5, 4, 4), (5, 5, 4), (6, 5, 4)] {
        let rules = position(columns, rows, length, "");
        let started = Instant::now();
        let session = Session::new(&rules, &SequentialOptions::default(), 1);
        let (value, nodes) = session.value(&rules, &control).expect("no limit");
        println!("{columns}x{rows} {length}: value {value}, {nodes} nodes, {:.6} s", started.elapsed().as_secs_f64());
    }
    let empty = position(7, 6, 4, "");
    let session = Session::new(&empty, &SequentialOptions::default(), 1);
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let (mut count, mut nodes, started) = (0, 0, Instant::now());
        for line in text.lines() {
            let (moves, score) = line.split_once(' ').expect("moves and score");
            let rules = position(7, 6, 4, moves);
            assert!(rules.mover().is_some(), "somebody moves");
            let (value, visited) = session.value(&rules, &control).expect("no limit");
            assert_eq!(value, score.trim().parse::<i32>().expect("a score"), "{moves}");
            count += 1;
            nodes += visited;
        }
        let seconds = started.elapsed().as_secs_f64();
        println!(
            "{file}: {count} positions right, {nodes} nodes, {seconds:.3} s, mean {:.7} s, {:.0} nodes",
            seconds / f64::from(count),
            nodes as f64 / f64::from(count)
        );
    }
}

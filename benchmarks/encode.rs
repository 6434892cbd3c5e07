//! Speed and size of the encoders: enumeration of paths, formulas of boards, Lehman's theorem.
//!
//! `cargo bench --bench encode` prints one line for each; times are CPU seconds of this process, so a busy machine does
//! not matter much. The counts of paths are checked against the literature on the way.

use gamesat::Problem;
use gamesat::control::{Control, peak_memory};
use gamesat::encode::{Encoding, Form, winning_sets};
use gamesat::format::{Format, write};
use gamesat::graph::Graph;
use gamesat::rules::{Board, Grid, Hex, Side};
use gamesat_encode::steps::{DEFAULT_LITERALS, board_game, board_qbf, clausify};
use gamesat_games::graph as shannon;
use std::fs::File;
use std::hint::black_box;

/// Induced paths of 8x8 Hex by length, from 8 cells on.
const PATHS_8X8: [usize; 23] = [
    576, 1602, 3087, 4854, 8801, 15558, 28694, 49148, 80013, 116054, 157291, 204192, 253332, 290992, 298526, 263852,
    197199, 127108, 63866, 23376, 6306, 1288, 115,
];

/// CPU seconds of this process so far, where the system tells them.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = |field: usize| after_name.split_whitespace().nth(field).and_then(|t| t.parse::<f64>().ok());
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}

fn measure<T>(name: &str, target: f64, work: impl FnOnce() -> T) -> T {
    let start = cpu_seconds();
    let result = work();
    println!("{name:<58} {:>7.2} s CPU (target {target} s)", cpu_seconds() - start);
    result
}

fn hex(size: usize) -> Board {
    Board::new(Hex(Grid { columns: size, rows: size }))
}

fn lengths(board: &Board) -> Vec<usize> {
    let mut counts = vec![0; board.elements() + 1];
    winning_sets(board, Side::First, &Control::default(), &mut |set| {
        counts[set.len()] += 1;
        Ok(())
    })
    .expect("no limit");
    counts
}

fn grid_graph(columns: usize, rows: usize) -> Graph {
    let mut graph = Graph::new(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            let here = row * columns + column;
            if column + 1 < columns {
                graph.add_edge(here, here + 1);
            }
            if row + 1 < rows {
                graph.add_edge(here, here + columns);
            }
        }
    }
    graph
}

fn main() {
    let seven = measure("paths of 7x7 Hex", 0.2, || lengths(&hex(7)));
    assert_eq!(seven.iter().sum::<usize>(), 68_914);
    let eight = measure("paths of 8x8 Hex", 5.0, || lengths(&hex(8)));
    assert_eq!(eight[8..=30], PATHS_8X8);

    let path = std::env::temp_dir().join(format!("gamesat-encode-{}.gsat", std::process::id()));
    measure("8x8 Hex to a GAME-SAT file", 10.0, || {
        let game = board_game(&hex(8), Form::Dnf, DEFAULT_LITERALS, &Control::default()).expect("it fits");
        let mut file = File::create(&path).expect("a temporary file");
        write(&Problem::Game(game), Format::Gamesat, &mut file).expect("it can be written");
    });
    let bytes = std::fs::metadata(&path).map_or(0, |data| data.len());
    println!("{:<58} {:>7} MB, peak memory {} MB", "", bytes >> 20, peak_memory().unwrap_or(0) >> 20);
    let _ = std::fs::remove_file(&path);

    for encoding in [Encoding::Explicit, Encoding::Lifted] {
        let qbf = measure(&format!("11x11 Hex to QDIMACS, {encoding:?}"), 1.0, || {
            let qbf = clausify(&board_qbf(&hex(11), encoding).expect("it fits"));
            let mut text = Vec::new();
            write(&Problem::Qbf(qbf.clone()), Format::Qdimacs, &mut text).expect("it can be written");
            black_box(text.len());
            qbf
        });
        println!("{:<58} {:>7} variables, {} clauses", "", qbf.num_vars(), qbf.matrix().len());
    }

    // 2 * 71 * 70 = 9,940 edges.
    let graph = grid_graph(71, 71);
    let game = shannon::EdgeGame { graph: &graph, terminals: [0, 71 * 71 - 1], short: &[], cut: &[] };
    for short_moves in [true, false] {
        let solution =
            measure(&format!("Lehman, {} edges, Short moves: {short_moves}", graph.edges().len()), 1.0, || {
                shannon::solve_edge_game(&game, short_moves, false, &Control::default()).expect("no limit")
            });
        println!("{:<58} Short wins: {}", "", solution.short_wins);
    }

    // Hein's second puzzle, bounded as in the QBF Gallery, where the file has 1,322 variables and 4,692 clauses.
    let mut puzzle = hex(5);
    for (cells, side) in [("a5 c3 e3", Side::First), ("b4 c2 c5", Side::Second)] {
        for name in cells.split(' ') {
            puzzle.place(puzzle.find(name).expect("a cell"), side).expect("a free cell");
        }
    }
    for encoding in [Encoding::Explicit, Encoding::Lifted] {
        let qbf = clausify(&board_qbf(&puzzle.clone().bounded(11), encoding).expect("it fits"));
        let name = format!("Hein 2, 5x5, depth 11, {encoding:?}");
        println!(
            "{name:<58} {:>7} variables, {} clauses, {} literals",
            qbf.num_vars(),
            qbf.matrix().len(),
            qbf.matrix().num_lits()
        );
    }
}

//! Node counts of a fixed set: a change that is meant to leave the search alone must leave these alone.
//!
//! The counts are in `benchmarks/signature.txt`. After a change that is meant to alter the search, write them anew by
//! `BLESS=1 cargo test --test signature`, and look at the difference before committing it.

use gamesat::Problem;
use gamesat::control::Control;
use gamesat::format::{ReadOptions, read};
use gamesat::generate::generate;
use gamesat::solve::{Options, Verdict, solve};
use std::path::Path;

/// What is solved: a board, or a family with its parameters and seed.
const BOARDS: &[&str] = &["hex 3\n", "hex 4\n", "y 4\n"];
const FAMILIES: &[(&str, &str, u64)] = &[
    ("game-random", "elements=20 rows=40 size=4 turn=min", 1),
    ("game-random", "elements=20 rows=40 size=4 turn=min", 2),
    ("game-random", "elements=14 rows=14 size=3 signs=mixed", 1),
    ("game-random", "elements=14 rows=28 size=3 signs=mixed", 2),
    ("game-parity", "n=8", 0),
];

fn set() -> Vec<(String, Problem)> {
    let board = |text: &&str| {
        let parsed = read(&mut text.as_bytes(), "board", &ReadOptions::default()).unwrap();
        (text.trim().to_owned(), parsed.problem)
    };
    let family = |&(name, parameters, seed): &(&str, &str, u64)| {
        let parameters: Vec<&str> = parameters.split_whitespace().collect();
        let instance = generate(name, &parameters, seed).unwrap();
        (instance.title, instance.problem)
    };
    BOARDS.iter().map(board).chain(FAMILIES.iter().map(family)).collect()
}

/// One line for each problem: verdict, engine, nodes, name.
fn signature() -> String {
    let line = |(name, problem): (String, Problem)| {
        let outcome = solve(&problem, &Options::default(), &Control::default());
        assert_ne!(outcome.verdict, Verdict::Unknown, "{name}");
        let winner = outcome.verdict.winner().unwrap();
        format!("{winner} {} {} {name}\n", outcome.statistics.engine, outcome.statistics.get("nodes"))
    };
    set().into_iter().map(line).collect()
}

#[test]
fn node_counts_are_the_signed_ones() {
    let now = signature();
    assert_eq!(now, signature(), "two runs differ: the search is not deterministic");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks/signature.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    match std::fs::read_to_string(&path) {
        Ok(signed) => assert_eq!(now, signed, "the search has changed; see the head of tests/signature.rs"),
        Err(_) => eprintln!("NOT COMPARED: there is no {}; BLESS=1 writes it:\n{now}", path.display()),
    }
}

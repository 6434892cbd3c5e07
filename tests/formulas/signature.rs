//! Refinements and SAT calls on a fixed set of QBFs, compared with `benchmarks/qbf_signature.txt`, so that a change of the
//! search is seen. A deliberate change is recorded with `GAMESAT_BLESS=1 cargo test --test qbf_signature`.

use gamesat::Problem;
use gamesat::control::Control;
use gamesat::generate::generate;
use gamesat::statistics::Statistics;
use gamesat_encode::steps::clausify;
use gamesat_qbf::abstraction::Abstraction;
use gamesat_qbf::engine::{QbfEngine, Wish};
use gamesat_qbf::expansion::Expansion;
use gamesat_qbf::matrix::Matrix;

const INSTANCES: &[&str] = &[
    "qparity 8",
    "equality 6",
    "cr 4",
    "pigeonhole 5 holes=3",
    "adder 3 inputs=3",
    "counter 3 squarings=3",
    "hex 3 depth=5",
    "line 3 depth=5",
    "random 90 blocks=3 vars=12",
    "random 80 blocks=4 vars=10",
];

#[test]
fn counts_are_as_recorded() {
    let engines: [&dyn QbfEngine; 2] = [&Abstraction::default(), &Expansion::default()];
    let mut found = String::new();
    for line in INSTANCES {
        let mut words = line.split(' ');
        let family = words.next().unwrap_or_default();
        let qbf = match generate(family, &words.collect::<Vec<_>>(), 1).unwrap().problem {
            Problem::Qbf(qbf) => qbf,
            Problem::Circuit(circuit) => clausify(&circuit),
            other => panic!("{line}: {other:?}"),
        };
        for engine in engines {
            let matrix = Matrix::new(&qbf);
            if !engine.answers(&matrix, Wish::default()) {
                continue;
            }
            let mut counted = Statistics::default();
            let answer = engine.solve(&matrix, Wish::default(), &Control::default(), &mut counted).unwrap();
            let names = ["refinements", "sat_calls", "expansion_outer_moves", "expansion_universal_moves"];
            let counts: Vec<String> = names.iter().map(|name| counted.get(name).to_string()).collect();
            found.push_str(&format!("{line}, {}: {} {}\n", engine.name(), answer.verdict, counts.join(" ")));
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/benchmarks/qbf_signature.txt");
    if std::env::var_os("GAMESAT_BLESS").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), found);
}

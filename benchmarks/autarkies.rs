//! How often do autarkies beyond pure literals occur in QBF instances, at which prefix level, and what do they save?
//!
//! `cargo run --release --example autarkies -- DIRECTORY` prints a table in Markdown for the QDIMACS files (compressed by
//! gzip or not) of a directory. Each formula is first brought to the fixpoint of universal reduction, unit propagation
//! and pure literals; then the largest autarky of existential variables that a SAT solver finds is measured. "After all"
//! is the same question after every other technique has run.

use flate2::read::MultiGzDecoder;
use gamesat::Problem;
use gamesat::control::{Control, Limits};
use gamesat::format::{self, ReadOptions};
use gamesat::formula::{Lit, Qbf};
use gamesat::options::SimplifyOptions;
use gamesat::solve::Interrupt;
use gamesat_qbf::simplify::{largest_autarky, simplify};
use std::error::Error;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("usage: autarkies DIRECTORY")?;
    let mut paths: Vec<_> =
        std::fs::read_dir(directory)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    paths.sort();
    println!(
        "| file | blocks | variables | clauses | in autarky: variables by level | clauses satisfied | after all: variables |"
    );
    println!("|---|---|---|---|---|---|---|");
    let (mut files, mut found, mut found_after) = (0, 0, 0);
    for path in paths.iter().filter(|path| path.to_string_lossy().contains(".qdimacs")) {
        let qbf = read(path)?;
        let mut plain = SimplifyOptions::none();
        (plain.universal_reduction, plain.unit_propagation, plain.pure_literals) = (true, true, true);
        let mut strong = SimplifyOptions::default();
        strong.autarkies = false;
        let start = simplify(&qbf, &plain, &control()).formula;
        let end = simplify(&qbf, &strong, &control()).formula;
        let autarky = largest_autarky(&start, &control()).unwrap_or_default();
        let after = largest_autarky(&end, &control()).unwrap_or_default();
        files += 1;
        found += usize::from(!autarky.is_empty());
        found_after += usize::from(!after.is_empty());
        if !autarky.is_empty() || !after.is_empty() {
            println!(
                "| {} | {} | {} | {} | {} | {} | {} of {} |",
                path.file_name().unwrap_or_default().to_string_lossy(),
                start.prefix().len(),
                start.prefix().vars().len(),
                start.matrix().len(),
                by_level(&start, &autarky),
                satisfied(&start, &autarky),
                after.len(),
                end.prefix().vars().len(),
            );
        }
    }
    println!("\n{found} of {files} files have an autarky after propagation, {found_after} after all other techniques.");
    Ok(())
}

fn control() -> Control {
    Control::new(Limits { time: Some(Duration::from_secs(10)), ..Limits::default() }, Interrupt::new())
}

fn read(path: &Path) -> Result<Qbf, Box<dyn Error>> {
    let file = BufReader::new(File::open(path)?);
    let mut source: Box<dyn Read> =
        if path.extension().is_some_and(|e| e == "gz") { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    match format::read(&mut source, &path.to_string_lossy(), &ReadOptions::default())?.problem {
        Problem::Qbf(qbf) => Ok(qbf),
        _ => Err("not a QBF".into()),
    }
}

/// How many variables of each block are in the autarky, `level:number` with 1 outermost.
fn by_level(qbf: &Qbf, autarky: &[Lit]) -> String {
    let mut parts = Vec::new();
    for (level, block) in qbf.prefix().blocks().enumerate() {
        let number = autarky.iter().filter(|lit| block.vars.contains(&lit.var())).count();
        if number > 0 {
            parts.push(format!("{}:{number} of {}", level + 1, block.vars.len()));
        }
    }
    parts.join(", ")
}

fn satisfied(qbf: &Qbf, autarky: &[Lit]) -> usize {
    let mut sorted = autarky.to_vec();
    sorted.sort_unstable();
    qbf.matrix().iter().filter(|clause| clause.iter().any(|lit| sorted.binary_search(lit).is_ok())).count()
}

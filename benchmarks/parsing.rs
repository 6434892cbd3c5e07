//! Parsing speed in bytes per second, and peak memory on a file of 100 MB.
//!
//! The large files are read first, in a fresh process and from disk, so that the peak is theirs; criterion then measures
//! every format on smaller text in memory. `cargo bench --bench parsing -- large` does the first part alone.

use criterion::{Criterion, Throughput};
use gamesat::control::peak_memory;
use gamesat::format::{Format, ReadOptions, read, write};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

const VARS: i32 = 1_000_000;

/// Writes about `size` bytes of random clauses, three to eight literals each, behind `head`.
fn generate(size: usize, head: &str, out: &mut dyn Write) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut line = head.to_owned();
    let mut written = 0;
    while written < size {
        for _ in 0..rng.random_range(3..=8) {
            let var = rng.random_range(1..=VARS);
            line.push_str(&(if rng.random() { var } else { -var }).to_string());
            line.push(' ');
        }
        line.push_str("0\n");
        written += line.len();
        out.write_all(line.as_bytes()).unwrap();
        line.clear();
    }
}

/// The header and prefix of a QDIMACS file with two blocks, or the header of a GAME-SAT file.
fn head(format: Format) -> String {
    match format {
        Format::Gamesat => format!("p gamesat cnf {VARS} 0\nturn min\nplayed 7 -9 0\n"),
        _ => {
            let block = |range: std::ops::RangeInclusive<i32>| range.map(|v| format!("{v} ")).collect::<String>();
            let (outer, inner) = (block(1..=VARS / 4), block(VARS / 4 + 1..=VARS));
            format!("p cnf {VARS} 0\na {outer}0\ne {inner}0\n")
        }
    }
}

/// Seconds of CPU time of this thread where the system tells it, else of wall-clock time.
fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let wall = START.get_or_init(Instant::now).elapsed().as_secs_f64();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: Option<f64> = text.split_ascii_whitespace().next().and_then(|word| word.parse().ok());
    nanoseconds.map_or(wall, |nanoseconds| nanoseconds * 1e-9)
}

/// Reads a generated file of 100 MB and prints speed and peak memory of this process.
fn large(format: Format) {
    const SIZE: usize = 100_000_000;
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("large.{}", format.name()));
    let mut file = BufWriter::new(File::create(&path).unwrap());
    generate(SIZE, &head(format), &mut file);
    file.into_inner().unwrap().sync_all().unwrap();
    let before = peak_memory();
    let start = clock();
    let parsed = read(&mut File::open(&path).unwrap(), "large", &ReadOptions::default()).unwrap();
    let seconds = clock() - start;
    let size = path.metadata().unwrap().len() as f64;
    println!("{}: {:.0} MB in {seconds:.3} s, {:.0} MB/s", format.name(), size / 1e6, size / 1e6 / seconds);
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        let (peak, ratio) = (after as f64 / 1e6, after as f64 / size);
        println!("{}: peak {peak:.0} MB, {ratio:.2} x the file ({:.0} MB before)", format.name(), before as f64 / 1e6);
    }
    drop(parsed);
    std::fs::remove_file(path).unwrap();
}

fn small(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parsing");
    group.sample_size(20);
    let mut measure = |format: Format, text: &[u8]| {
        group.throughput(Throughput::Bytes(text.len() as u64));
        let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
        group.bench_function(format.name(), |bencher| bencher.iter(|| read(&mut &*text, "small", &options).unwrap()));
    };
    let mut text = Vec::new();
    generate(4_000_000, &head(Format::Gamesat), &mut text);
    measure(Format::Gamesat, &text);
    text.clear();
    generate(4_000_000, &format!("p cnf {VARS} 0\n"), &mut text);
    measure(Format::Qdimacs, &text);
    let problem = read(&mut &text[..], "small", &ReadOptions::default()).unwrap().problem;
    for format in [Format::Qcir, Format::Infix] {
        text.clear();
        write(&problem, format, &mut text).unwrap();
        measure(format, &text);
    }
}

fn main() {
    large(Format::Qdimacs);
    large(Format::Gamesat);
    if std::env::args().any(|argument| argument == "large") {
        return;
    }
    let mut criterion = Criterion::default().configure_from_args();
    small(&mut criterion);
    criterion.final_summary();
}

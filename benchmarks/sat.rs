//! SAT backends where it counts: in the refinement loops of clausal abstraction, on real QDIMACS files.
//!
//! `cargo bench --bench sat -- [--seconds 4] [--backend NAME]... [--raw] [--without SWITCH]... [FILE]...`
//!
//! Each file is simplified once (not with `--raw`) and then solved with each backend. Without files it takes those of the
//! directory `qbf` in `$GAMESAT_DATA` (default: `../shared/data`) on which backends differ. Switches that `--without`
//! knows: expansion, minimise, prefer.

use gamesat::control::{Control, Interrupt, Limits};
use gamesat::format::{ReadOptions, read};
use gamesat::formula::Qbf;
use gamesat::options::{AbstractionOptions, SimplifyOptions};
use gamesat::problem::Problem;
use gamesat::statistics::Statistics;
use gamesat_qbf::abstraction::Abstraction;
use gamesat_qbf::engine::{QbfEngine, Wish};
use gamesat_qbf::matrix::Matrix;
use gamesat_qbf::simplify::simplify;
use gamesat_sat::Backend;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Solved by simplification and abstraction together, in neither no time nor too much.
const FILES: &[&str] = &[
    "5-5-3-6-3-28-EdAd",
    "5-5-4-6-3-13-EuAd",
    "W4-Umbrella_tbm_26.tex.moduleQ3.7S.000003",
    "browne_5x5_07.pg",
    "dungeon_i15-m75-u10-v0.pddl_planlen=4",
    "eequery_query42_1344",
    "hein_18_7x7-09.pg",
    "hex_4x4_d9",
    "klieber2017q-076-19-t1",
    "ltl2dba_C2-6_comp3_REAL.sat",
    "rnd_5b_20v_420c_3e2a_0",
    "sc-ungrounded-2x1X1x2_1",
    "shannon_7_14v24e_d9",
];

struct Arguments {
    seconds: f64,
    backends: Vec<Backend>,
    raw: bool,
    options: AbstractionOptions,
    files: Vec<PathBuf>,
}

fn arguments() -> Result<Arguments, String> {
    let mut parsed = Arguments {
        seconds: 4.0,
        backends: Vec::new(),
        raw: false,
        options: AbstractionOptions::default(),
        files: Vec::new(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} wants a value"));
        match argument.as_str() {
            "--bench" => {}
            "--raw" => parsed.raw = true,
            "--seconds" => parsed.seconds = value()?.parse().map_err(|e| format!("--seconds: {e}"))?,
            "--backend" => {
                let name = value()?;
                parsed.backends.push(Backend::from_name(&name).ok_or(format!("no backend {name} in this build"))?);
            }
            "--without" => {
                let name = value()?;
                if !parsed.options.set(&name, false) {
                    return Err(format!("no switch {name}"));
                }
            }
            file => parsed.files.push(file.into()),
        }
    }
    if parsed.backends.is_empty() {
        parsed.backends = Backend::ALL.to_vec();
    }
    if parsed.files.is_empty() {
        let data = std::env::var_os("GAMESAT_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
        parsed.files = FILES.iter().map(|name| data.join("qbf").join(format!("{name}.qdimacs.gz"))).collect();
    }
    Ok(parsed)
}

fn load(path: &Path) -> Option<Qbf> {
    let file = File::open(path).ok()?;
    let mut source: Box<dyn Read> = if path.extension().is_some_and(|extension| extension == "gz") {
        Box::new(flate2::read::MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    match read(&mut source, &path.to_string_lossy(), &ReadOptions::default()).ok()?.problem {
        Problem::Qbf(qbf) => Some(qbf),
        _ => None,
    }
}

/// CPU time of this process so far, threads included. Ticks are hundredths of a second.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn main() {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(2);
        }
    };
    println!("| file | backend | verdict | CPU s | calls | refinements | nodes per win |");
    println!("|---|---|---|---|---|---|---|");
    for path in &arguments.files {
        let Some(mut qbf) = load(path) else {
            eprintln!("skipped: {} is missing or not a QBF", path.display());
            continue;
        };
        if !arguments.raw {
            qbf = simplify(&qbf, &SimplifyOptions::default(), &Control::default()).formula;
        }
        for &backend in &arguments.backends {
            let mut options = arguments.options.clone();
            options.backend = backend;
            let limits = Limits { time: Some(Duration::from_secs_f64(arguments.seconds)), ..Limits::default() };
            let mut counted = Statistics::default();
            let before = cpu_seconds();
            let control = Control::new(limits, Interrupt::new());
            let answer = Abstraction { options }.solve(&Matrix::new(&qbf), Wish::default(), &control, &mut counted);
            let seconds = cpu_seconds() - before;
            let verdict = answer.map_or("-".to_owned(), |answer| answer.verdict.to_string());
            let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            let wins = counted.get("winning_nodes") / counted.get("refinements").max(1.0);
            println!(
                "| {} | {} | {verdict} | {seconds:.2} | {} | {} | {wins:.0} |",
                name.trim_end_matches(".gz").trim_end_matches(".qdimacs"),
                backend.name(),
                counted.get("sat_calls"),
                counted.get("refinements"),
            );
        }
    }
}

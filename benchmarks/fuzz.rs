//! The differential drivers of the test suite at length: `benchmarks/fuzz MINUTES`, see `--help`.
//!
//! A contradiction, a panic or a case that does not end leaves a file with the problem and a log with everything that is
//! known about it in `target/fuzz`, and gives exit status 3 in the end.

#[path = "../tests/support/mod.rs"]
mod support;

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use support::drivers::{Case, DRIVERS, Driver, Held};

/// Runs random cases through several ways to their answers, and stops where two of them differ
#[derive(Parser)]
#[command(name = "benchmarks/fuzz")]
struct Args {
    /// Time for all drivers together
    #[arg(default_value_t = 1.0)]
    minutes: f64,
    /// The first seed of each driver
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// At most this many seeds of each driver
    #[arg(long)]
    cases: Option<u64>,
    /// Only these drivers
    #[arg(long, value_delimiter = ',', value_name = "NAMES", value_parser = driver)]
    only: Vec<&'static Driver>,
    /// List the drivers
    #[arg(long)]
    list: bool,
    /// A case that takes longer than this many seconds counts as one that does not end
    #[arg(long, default_value_t = 120)]
    patience: u64,
}

fn driver(name: &str) -> Result<&'static Driver, String> {
    DRIVERS.iter().find(|driver| driver.name == name).ok_or_else(|| format!("there is no driver '{name}'"))
}

/// What is being run, for the watchdog.
type Now = Arc<Mutex<Option<(Instant, &'static str, u64, Arc<Mutex<Held>>)>>>;

fn main() -> ExitCode {
    let args = Args::parse();
    if args.list {
        DRIVERS.iter().for_each(|driver| println!("{:14}{}", driver.name, driver.about));
        return ExitCode::SUCCESS;
    }
    let drivers = if args.only.is_empty() { DRIVERS.iter().collect() } else { args.only.clone() };
    let now = Now::default();
    watch(Arc::clone(&now), Duration::from_secs(args.patience));
    // The message of a panic is reported with the case; what it lacks is the place.
    let place = Arc::new(Mutex::new(String::new()));
    let told = Arc::clone(&place);
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map_or_else(String::new, ToString::to_string);
        *told.lock().unwrap_or_else(PoisonError::into_inner) = place;
    }));
    let share = Duration::from_secs_f64(args.minutes * 60.0 / drivers.len() as f64);
    let mut contradictions = 0;
    for driver in drivers {
        let (start, mut case, mut seed) = (Instant::now(), Case::default(), args.seed);
        let last = args.cases.map_or(u64::MAX, |cases| args.seed.saturating_add(cases));
        while seed < last && start.elapsed() < share {
            *now.lock().unwrap_or_else(PoisonError::into_inner) =
                Some((Instant::now(), driver.name, seed, case.held()));
            if let Err(message) = driver.run(seed, &mut case) {
                let place = place.lock().unwrap_or_else(PoisonError::into_inner).clone();
                report(driver.name, seed, &held(&case.held()), &format!("{place}: {message}"));
                contradictions += 1;
                break;
            }
            seed += 1;
        }
        now.lock().unwrap_or_else(PoisonError::into_inner).take();
        let counts: Vec<String> = case.counts().iter().map(|(what, count)| format!("{what} {count}")).collect();
        let (cases, seconds) = (seed - args.seed, start.elapsed().as_secs_f64());
        println!("{:14}{cases:9} cases {seconds:8.1} s  {}", driver.name, counts.join(", "));
    }
    if contradictions > 0 { ExitCode::from(3) } else { ExitCode::SUCCESS }
}

fn held(shared: &Mutex<Held>) -> Held {
    shared.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Ends the program with a report if a case takes too long.
fn watch(now: Now, patience: Duration) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let running = now.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some((since, name, seed, shared)) = running.filter(|(since, ..)| since.elapsed() > patience) {
                report(name, seed, &held(&shared), &format!("no end after {} s", since.elapsed().as_secs()));
                std::process::exit(3);
            }
        }
    });
}

/// Says what went wrong and how to see it again.
fn report(name: &str, seed: u64, held: &Held, message: &str) {
    println!("CONTRADICTION in {name}, seed {seed}: {}", message.chars().take(400).collect::<String>());
    println!("  benchmarks/fuzz --only {name} --seed {seed} --cases 1");
    let directory = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/target/fuzz"));
    let path = |end: &str| directory.join(format!("{name}-{seed}.{end}"));
    let write = |path: PathBuf, contents: &[u8]| {
        let written = std::fs::create_dir_all(&directory).and_then(|()| std::fs::write(&path, contents));
        match written {
            Ok(()) => Some(path),
            Err(error) => {
                println!("  {}: {error}", path.display());
                None
            }
        }
    };
    if let Some((contents, end, command)) = held.file()
        && let Some(file) = write(path(end), &contents)
    {
        println!("  {}", command.replace("FILE", &file.display().to_string()));
    }
    if let Some(log) = write(path("log"), message.as_bytes()) {
        println!("  {}", log.display());
    }
}

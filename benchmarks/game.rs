//! Games solved from their formula alone: `cargo bench --bench game -- [FAMILY ...] [--all-moves] [--off NAME ...]`.
//!
//! Families: `hex5`, `hex6`, `hex7` (verdict of the empty board), `hex5-openings` ... (every opening), `y5`, `isotone30`,
//! `mixed18x18`, `mixed18x36`, `mixed18x72`. Without a family the short ones run. Prints CPU seconds, nodes and peak memory.
//! `--off NAME` switches a reduction off (units, capture, domination, mustplay, pairing, decompose, symmetry, order,
//! history, both_forms), `--capture-size N` looks for larger captured sets, `--engine NAME` chooses the engine,
//! `--seeds N` the number of random games.

#[path = "game_boards.rs"]
mod game_boards;

use gamesat::Problem;
use gamesat::control::{Control, peak_memory};
use gamesat::formula::{Game, GameMatrix, Player, Var};
use gamesat::solve::{Options, Question, Wanted, ask};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() {
    let mut families = Vec::new();
    let mut options = Options::default();
    let mut seeds = 10;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => {}
            "--engine" => options.engine = arguments.next(),
            "--capture-size" => {
                options.game.capture_size = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(2);
            }
            "--seeds" => seeds = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(seeds),
            "--off" => {
                let name = arguments.next().unwrap_or_default();
                assert!(options.game.set(&name, false), "no reduction '{name}'");
            }
            family => families.push(family.to_owned()),
        }
    }
    if families.is_empty() {
        let short = ["hex4", "hex5", "hex5-openings", "y5", "isotone30", "mixed18x18", "mixed18x36", "mixed18x72"];
        families = short.map(str::to_owned).to_vec();
    }
    println!("{:<16} {:>10} {:>12} {:>10} {:>9}  result", "family", "CPU s", "nodes", "us/node", "peak MiB");
    for family in families {
        run(&family, seeds, &options);
    }
}

fn run(family: &str, seeds: u64, options: &Options) {
    let number = |text: &str| text.parse::<usize>().unwrap_or_else(|_| panic!("unknown family '{family}'"));
    if let Some(rest) = family.strip_prefix("hex") {
        let (size, openings) = rest.strip_suffix("-openings").map_or((rest, false), |size| (size, true));
        let size = number(size);
        let mut game = Game::new(size * size, GameMatrix::Dnf(game_boards::hex(size))).unwrap();
        game.turn = Player::Max;
        let wanted = if openings { Wanted::default().and_all_moves() } else { Wanted::default() };
        report(family, &[game], options, &wanted);
    } else if let Some(size) = family.strip_prefix('y') {
        let size = number(size);
        let game = Game::new(size * (size + 1) / 2, GameMatrix::Dnf(game_boards::y(size))).unwrap();
        report(family, &[game], options, &Wanted::default());
    } else if let Some(elements) = family.strip_prefix("isotone") {
        let elements = number(elements);
        report(family, &random_games(seeds, elements, 2 * elements, 4, false), options, &Wanted::default());
    } else if let Some((elements, clauses)) = family.strip_prefix("mixed").and_then(|rest| rest.split_once('x')) {
        report(family, &random_games(seeds, number(elements), number(clauses), 3, true), options, &Wanted::default());
    } else {
        panic!("unknown family '{family}'");
    }
}

fn random_games(seeds: u64, elements: usize, clauses: usize, length: usize, signs: bool) -> Vec<Game> {
    (0..seeds)
        .map(|seed| {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let row = |random: &mut ChaCha8Rng| {
                let mut row = Vec::new();
                while row.len() < length {
                    let var = Var::from_index(random.random_range(0..elements));
                    if row.iter().all(|lit: &gamesat::formula::Lit| lit.var() != var) {
                        row.push(var.lit(!signs || random.random()));
                    }
                }
                row
            };
            let rows = (0..clauses).map(|_| row(&mut random)).collect();
            Game::new(elements, GameMatrix::Cnf(rows)).unwrap()
        })
        .collect()
}

fn report(family: &str, games: &[Game], options: &Options, wanted: &Wanted) {
    let (mut times, mut nodes, mut results) = (Vec::new(), 0.0, String::new());
    let mut moves = 0;
    let mut details = Vec::new();
    for game in games {
        let before = cpu_seconds();
        let problem = Problem::Game(game.clone());
        let question = Question { problem: &problem, wanted };
        let outcome = ask(&question, options, &Control::default()).expect("games are answered");
        times.push(cpu_seconds() - before);
        nodes += outcome.statistics.get("nodes");
        moves = outcome.moves.len();
        results.push_str(match outcome.verdict.winner() {
            Some(Player::Max) => "+",
            Some(Player::Min) => "-",
            None => "?",
        });
        details = outcome.statistics.entries().map(|(name, value)| format!("{name} {value}")).collect();
    }
    let total: f64 = times.iter().sum();
    times.sort_by(f64::total_cmp);
    let spread = if games.len() > 1 {
        format!(" median {:.3} s, worst {:.3} s", times[times.len() / 2], times[times.len() - 1])
    } else {
        format!(" {moves} winning moves listed; {}", details.join(", "))
    };
    let memory = peak_memory().map_or(0, |bytes| bytes >> 20);
    println!(
        "{family:<16} {total:>10.3} {nodes:>12} {:>10.2} {memory:>9}  {results}{spread}",
        1e6 * total / f64::max(nodes, 1.0)
    );
}

/// User and system time of this process.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let own: f64 = stat.split_ascii_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0.0);
    // The engine searches in a thread of its own: /proc/self/stat counts all threads, finished ones too.
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_ascii_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0);
    f64::max(own / 1e9, (ticks(11) + ticks(12)) / 100.0)
}

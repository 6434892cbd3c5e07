//! Node counts on a fixed set of games, compared with `benchmarks/signature.txt`, so that a change of the search is seen.
//! A deliberate change is recorded with `GAMESAT_BLESS=1 cargo test --test game_signature`.

use crate::support::ask::ask;
use crate::support::games::{Kind, random_rows};
use crate::support::known_boards;
use gamesat::Problem;
use gamesat::control::Control;
use gamesat::format::{ReadOptions, read};
use gamesat::formula::{Game, GameMatrix};
use gamesat::solve::{Options, Wanted};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[test]
fn node_counts_are_as_recorded() {
    let dnf = |elements, rows| Game::new(elements, GameMatrix::Dnf(rows)).unwrap();
    let random = |elements, clauses, kind| {
        let rows = random_rows(&mut ChaCha8Rng::seed_from_u64(7), elements, clauses, 4, kind);
        Game::new(elements, GameMatrix::Cnf(rows)).unwrap()
    };
    let games = [
        ("hex4", dnf(16, known_boards::hex(4)), false),
        ("hex4-openings", dnf(16, known_boards::hex(4)), true),
        ("hex5", dnf(25, known_boards::hex(5)), false),
        ("hex5-openings", dnf(25, known_boards::hex(5)), true),
        ("y4-openings", dnf(10, known_boards::y(4)), true),
        ("isotone16-openings", random(16, 24, Kind::Isotone), true),
        ("mixed10-openings", random(10, 14, Kind::Mixed), true),
    ];
    let mut found = String::new();
    for engine in ["alpha-beta", "proof-number"] {
        for (name, game, all_moves) in &games {
            let mut options = Options::default();
            options.engine = Some(engine.to_owned());
            let mut wanted = Wanted::default();
            wanted.all_moves = *all_moves;
            options.game.table = 16;
            let outcome = ask(&Problem::Game(game.clone()), &wanted, &options, &Control::default());
            found.push_str(&format!("{engine} {name} {}\n", outcome.statistics.get("nodes")));
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/benchmarks/signature.txt");
    if std::env::var_os("GAMESAT_BLESS").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), found);
}

/// The same for games with an order, in `benchmarks/sequential_signature.txt`.
#[test]
fn node_counts_of_games_with_an_order_are_as_recorded() {
    let mut found = String::new();
    for text in [
        "connect 5x3 3",
        "connect 5x4 4",
        "connect 7x6 4\nmoves 444444262626666222",
        "dots 2x3",
        "dots 3x3",
        "minichess r1b1k1q1/8/8/8/8/8/8/R1B1K1Q1 w 5",
        "dominoes\nfirst 65 43 11 20 66\nsecond 64 42 10 31 55\nrow 63",
    ] {
        let problem = read(&mut text.as_bytes(), "text", &ReadOptions::default()).unwrap().problem;
        let mut options = Options::default();
        options.sequential.sequential_table = 16;
        let outcome = ask(&problem, &Wanted::default(), &options, &Control::default());
        found.push_str(&format!("{} {}\n", text.replace('\n', " "), outcome.statistics.get("nodes")));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/benchmarks/sequential_signature.txt");
    if std::env::var_os("GAMESAT_BLESS").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), found);
}

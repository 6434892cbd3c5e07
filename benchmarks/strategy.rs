//! Winning strategies as proofs: `cargo bench --bench strategy -- [hexN | hexN-openings ...]`.
//!
//! For the empty board, or for every opening of it: nodes and bytes of the strategy, wall-clock seconds to find it (the
//! search included) and to check it.

#[path = "game_boards.rs"]
#[allow(dead_code)]
mod game_boards;

use gamesat::Problem;
use gamesat::check::{Judgement, verify};
use gamesat::control::{Control, peak_memory};
use gamesat::format::write_proof;
use gamesat::formula::{Game, GameMatrix, Player, Proof, Var};
use gamesat::solve::Solver;
use std::time::Instant;

fn main() {
    let mut families: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if families.is_empty() {
        families = ["hex4", "hex4-openings", "hex5", "hex5-openings"].map(str::to_owned).to_vec();
    }
    println!(
        "{:<14} {:>6} {:>10} {:>12} {:>9} {:>9} {:>9}",
        "family", "games", "nodes", "bytes", "solve s", "check s", "peak MiB"
    );
    for family in families {
        let (size, openings) =
            family.strip_suffix("-openings").map_or((family.as_str(), false), |family| (family, true));
        let size = size.strip_prefix("hex").and_then(|size| size.parse::<usize>().ok());
        let size = size.unwrap_or_else(|| panic!("unknown family '{family}'"));
        let empty = Game::new(size * size, GameMatrix::Dnf(game_boards::hex(size))).unwrap();
        let games: Vec<Game> = if openings {
            (0..size * size)
                .map(|cell| {
                    let mut game = empty.clone();
                    game.play(&[Var::from_index(cell).positive()]).unwrap();
                    game.turn = Player::Min;
                    game
                })
                .collect()
        } else {
            vec![empty]
        };
        report(&family, games);
    }
}

fn report(family: &str, games: Vec<Game>) {
    let (mut nodes, mut bytes, mut solving, mut checking) = (0, 0, 0.0, 0.0);
    let count = games.len();
    for game in games {
        let mut solver = Solver::new(Problem::Game(game));
        let started = Instant::now();
        let proof = solver.proof().expect("games have proofs").expect("no limit was set");
        solving += started.elapsed().as_secs_f64();
        let mut text = Vec::new();
        write_proof(&proof, false, &mut text).unwrap();
        let started = Instant::now();
        let judgement = verify(solver.problem(), &proof, &Control::default()).expect("there is a judge");
        assert!(matches!(judgement, Judgement::Accepted(_)), "{judgement:?}");
        checking += started.elapsed().as_secs_f64();
        let Proof::Strategy(strategy) = &proof else { unreachable!("games are proved by strategies") };
        nodes += strategy.len();
        bytes += text.len();
    }
    let peak = peak_memory().unwrap_or(0) >> 20;
    println!("{family:<14} {count:>6} {nodes:>10} {bytes:>12} {solving:>9.3} {checking:>9.3} {peak:>9}");
}

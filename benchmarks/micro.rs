//! The inner loops by themselves: `cargo bench --bench micro [FILTER]`.
//!
//! Minimisation of rows, making and taking back moves, probes of the transposition table, unit propagation of the SAT
//! solver and of the QBF simplifier. Criterion prints time and elements per second: rows, moves, probes, propagations.

#[path = "game_boards.rs"]
#[allow(dead_code)]
mod game_boards;

use criterion::{BatchSize, Criterion, Throughput};
use gamesat::control::Control;
use gamesat::formula::{ClauseArena, Game, GameMatrix, Lit, Prefix, Qbf, Quantifier, Var};
use gamesat::internals::colouring::bench::{Filled, Played};
use gamesat::internals::qbf::simplify::simplify;
use gamesat::internals::rows::normal;
use gamesat::internals::sat::SatBackend;
use gamesat::internals::sat::cdcl::Cdcl;
use gamesat::options::SimplifyOptions;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::hint::black_box;
use std::time::Duration;

/// The paths of 6x6 Hex and, for each, a row that contains it and one cell more.
fn redundant_rows() -> ClauseArena {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut rows = ClauseArena::new();
    for path in &game_boards::hex(6) {
        let mut wider = path.to_vec();
        let more = Var::from_index(rng.random_range(0..36)).positive();
        if !wider.contains(&more) {
            wider.push(more);
        }
        rows.push(&wider);
        rows.push(path);
    }
    rows
}

fn minimisation(criterion: &mut Criterion) {
    let rows = redundant_rows();
    assert_eq!(normal::irredundant(&rows).len(), 3_848);
    let mut group = criterion.benchmark_group("minimisation");
    group.throughput(Throughput::Elements(rows.len() as u64));
    group.bench_function("irredundant, 6x6 Hex with supersets", |b| b.iter(|| normal::irredundant(black_box(&rows))));
    let small = game_boards::hex(4);
    group.throughput(Throughput::Elements(small.len() as u64));
    group.bench_function("dual, 4x4 Hex", |b| b.iter(|| normal::dual(black_box(&small), 1 << 20)));
    group.finish();
}

fn moves(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("play and undo");
    // At the root most of a move is dropping the rows that contain others; after some stones there are fewer rows.
    for (size, stones) in [(5, &[][..]), (5, &[13, -9, 8, -12]), (6, &[16, -21, 15, -20, 22, -14])] {
        let mut game = Game::new(size * size, GameMatrix::Dnf(game_boards::hex(size))).unwrap();
        game.play(&stones.iter().map(|&number| Lit::from_dimacs(number)).collect::<Vec<_>>()).unwrap();
        let mut played = Played::new(&game).unwrap();
        group.throughput(Throughput::Elements(played.play_and_undo()));
        let name = format!("{size}x{size} Hex after {} stones, both forms", stones.len());
        group.bench_function(name, |b| b.iter(|| played.play_and_undo()));
    }
    group.finish();
}

fn probes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("table");
    for (mebibytes, entries) in [(1, 10_000), (256, 1_000_000)] {
        let mut filled = Filled::new(mebibytes, entries);
        assert!(filled.probe_all() > entries * 9 / 10);
        group.throughput(Throughput::Elements(2 * entries));
        group.bench_function(format!("probe, {mebibytes} MiB"), |b| b.iter(|| filled.probe_all()));
    }
    group.finish();
}

/// A random 3-SAT solver state at the threshold.
fn random_sat(seed: u64) -> Cdcl {
    let (mut solver, mut rng) = (Cdcl::new(), ChaCha8Rng::seed_from_u64(seed));
    let vars: Vec<Var> = (0..160).map(|_| solver.new_var()).collect();
    for _ in 0..680 {
        let clause: Vec<Lit> = (0..3).map(|_| vars[rng.random_range(0..vars.len())].lit(rng.random())).collect();
        solver.add_clause(&clause);
    }
    solver
}

/// A chain of implications over existential variables with universal ones in between, and the unit that starts it.
fn chain(length: usize) -> Qbf {
    let mut prefix = Prefix::new();
    prefix.push_block(Quantifier::Exists, (0..length).map(Var::from_index));
    prefix.push_block(Quantifier::Forall, (length..2 * length).map(Var::from_index));
    let mut rows = ClauseArena::new();
    rows.push(&[Var::from_index(0).positive()]);
    for i in 1..length {
        rows.push(&[
            Var::from_index(i - 1).negative(),
            Var::from_index(i).positive(),
            Var::from_index(length + i).positive(),
        ]);
    }
    Qbf::new(&prefix, rows).unwrap()
}

fn propagation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("propagation");
    let mut solver = random_sat(3);
    black_box(solver.solve(&[], &Control::default()).unwrap());
    group.throughput(Throughput::Elements(solver.propagations()));
    group.bench_function("SAT, random 3-SAT, 160 variables", |b| {
        b.iter_batched(
            || random_sat(3),
            |mut solver| solver.solve(&[], &Control::default()).unwrap(),
            BatchSize::SmallInput,
        );
    });
    let mut options = SimplifyOptions::none();
    options.unit_propagation = true;
    let length = 20_000;
    let qbf = chain(length);
    group.throughput(Throughput::Elements(length as u64));
    group.bench_function("QBF simplifier, a chain of 20,000 units", |b| {
        b.iter(|| simplify(black_box(&qbf), &options, &Control::default()));
    });
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    minimisation(&mut criterion);
    moves(&mut criterion);
    probes(&mut criterion);
    propagation(&mut criterion);
    criterion.final_summary();
}

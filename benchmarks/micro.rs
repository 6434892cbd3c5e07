//! The inner loops by themselves: `cargo bench --bench micro [FILTER]`.
//!
//! Minimisation of rows, making and taking back moves, probes of the transposition table, unit propagation of the SAT
//! solver and of the QBF simplifier. Criterion prints time and elements per second: rows, moves, probes, propagations.

#[path = "game_boards.rs"]
#[allow(dead_code)]
mod game_boards;

use criterion::{BatchSize, Criterion, Throughput};
use gamesat::control::Control;
use gamesat::formula::{ClauseArena, Game, GameMatrix, Lit, Player, Prefix, Qbf, Quantifier, Var};
use gamesat::options::{GameOptions, SimplifyOptions};
use gamesat_games::colouring::position::{Move, Position};
use gamesat_games::colouring::prepare::Prepared;
use gamesat_games::colouring::table::{Table, Value};
use gamesat_qbf::simplify::simplify;
use gamesat_rows::mask::Mask;
use gamesat_rows::normal;
use gamesat_sat::SatBackend;
use gamesat_sat::cdcl::Cdcl;
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
    let control = Control::default();
    assert_eq!(normal::irredundant(&rows, &control).unwrap().len(), 3_848);
    let mut group = criterion.benchmark_group("minimisation");
    group.throughput(Throughput::Elements(rows.len() as u64));
    group.bench_function("irredundant, 6x6 Hex with supersets", |b| {
        b.iter(|| normal::irredundant(black_box(&rows), &control))
    });
    let small = game_boards::hex(4);
    group.throughput(Throughput::Elements(small.len() as u64));
    group.bench_function("dual, 4x4 Hex", |b| b.iter(|| normal::dual(black_box(&small), 1 << 20, &control)));
    group.finish();
}

/// Makes and takes back every move once, a second move behind each; says how many moves that were.
fn play_and_undo(position: &mut Position<1>) -> u64 {
    let step = |position: &mut Position<1>, element: usize| {
        position.push();
        position.play(Move::Colour(element as u16, position.turn() == Player::Max));
    };
    let mut moves = 0;
    for first in position.live().iter() {
        step(position, first);
        for second in position.live().iter() {
            step(position, second);
            position.pop();
            moves += 1;
        }
        position.pop();
        moves += 1;
    }
    moves
}

fn moves(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("play and undo");
    // At the root most of a move is dropping the rows that contain others; after some stones there are fewer rows.
    for (size, stones) in [(5, &[][..]), (5, &[13, -9, 8, -12]), (6, &[16, -21, 15, -20, 22, -14])] {
        let mut game = Game::new(size * size, GameMatrix::Dnf(game_boards::hex(size))).unwrap();
        game.play(&stones.iter().map(|&number| Lit::from_dimacs(number)).collect::<Vec<_>>()).unwrap();
        let (options, control) = (GameOptions::default(), Control::default());
        let prepared = Prepared::new(&game, &options, &control).unwrap();
        let mut position = prepared.position::<1>(&options, &control).unwrap();
        group.throughput(Throughput::Elements(play_and_undo(&mut position)));
        let name = format!("{size}x{size} Hex after {} stones, both forms", stones.len());
        group.bench_function(name, |b| b.iter(|| play_and_undo(&mut position)));
    }
    group.finish();
}

/// Keys that look random.
fn keys(entries: u64) -> Vec<(u64, u64)> {
    let mix = |number: u64| number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    (0..entries).map(|number| (mix(number), mix(mix(number)))).collect()
}

/// Asks for every entry, and as often for one that is not there; says how many were found.
fn probe_all(table: &mut Table<1>, keys: &[(u64, u64)]) -> u64 {
    let mut found = |key| u64::from(table.probe(key).is_some());
    keys.iter().map(|&(at, check)| found((at, check)) + found((at, !check))).sum()
}

fn probes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("table");
    for (mebibytes, entries) in [(1, 10_000), (256, 1_000_000)] {
        let (mut table, keys) = (Table::new(mebibytes), keys(entries));
        for (number, &key) in keys.iter().enumerate() {
            table.store(key, &Value { winner: Player::Max, trace: Mask([number as u64]), choice: None }, 1);
        }
        assert!(probe_all(&mut table, &keys) > entries * 9 / 10);
        group.throughput(Throughput::Elements(2 * entries));
        group.bench_function(format!("probe, {mebibytes} MiB"), |b| b.iter(|| probe_all(&mut table, &keys)));
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

//! The differential drivers. Each makes one random case of a seed, and panics where two ways to an answer differ, or where
//! an answer differs from the slow evaluators of `crates/check/src/oracle`. `tests/answers/fuzz.rs` runs a few seeds of each, `benchmarks/fuzz`
//! as many as one likes.

mod board;
mod encoding;
mod every;
mod formula;
mod game;
mod proof;
mod reduced;
pub mod split;
mod text;
mod vertex_game;

use gamesat::Problem;
use gamesat::format::{self, Format};
use gamesat::formula::GameMatrix;
use gamesat::options::tables;
use gamesat::solve::Options;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// A function from seeds to checks.
pub struct Driver {
    pub name: &'static str,
    pub about: &'static str,
    /// How many seeds the test suite runs.
    pub cases: u64,
    run: fn(&mut ChaCha8Rng, &mut Case),
}

pub static DRIVERS: &[Driver] = &[
    Driver {
        name: "formulas",
        about: "QBFs and circuits, every engine: verdict, outer model, proof",
        cases: 300,
        run: formula::answers,
    },
    Driver {
        name: "simplified",
        about: "QBFs: what random techniques of the simplifier leave",
        cases: 500,
        run: formula::simplified,
    },
    Driver {
        name: "certificates",
        about: "QBFs: certificates by way of random techniques, by truth table",
        cases: 300,
        run: formula::certificates,
    },
    Driver {
        name: "steps",
        about: "QBFs: proofs step by step of what random techniques did",
        cases: 500,
        run: formula::steps,
    },
    Driver {
        name: "games",
        about: "games: verdict, moves, trace and strategy with random switches, one or two threads",
        cases: 300,
        run: game::answers,
    },
    Driver {
        name: "sessions",
        about: "games: moves played and taken back in the engine",
        cases: 100,
        run: game::sessions,
    },
    Driver {
        name: "solvers",
        about: "games and boards: moves played and taken back in a solver",
        cases: 100,
        run: game::solvers,
    },
    Driver {
        name: "boards",
        about: "boards, bounds, claimants and races: every engine, both sides as MAX",
        cases: 300,
        run: board::answers,
    },
    Driver {
        name: "every",
        about: "every winning move in other orders, colours, misère games and races, and every model under assumptions",
        cases: 300,
        run: every::moves_and_models,
    },
    Driver {
        name: "encodings",
        about: "boards and games as rows, circuits and clauses, bounded or not",
        cases: 200,
        run: encoding::all,
    },
    Driver {
        name: "vertex-games",
        about: "the graph engine on any graph: verdict, moves, trace, sessions",
        cases: 200,
        run: vertex_game::answers,
    },
    Driver {
        name: "proofs",
        about: "proofs, and proofs of slightly different questions, before every judge",
        cases: 300,
        run: proof::other_questions,
    },
    Driver {
        name: "reduced",
        about: "games: strategies of reduced games, as strategies of slightly different games",
        cases: 300,
        run: reduced::other_games,
    },
    Driver {
        name: "cubes",
        about: "questions cut into few cubes or many: verdict and proof of the whole from those of the cubes",
        cases: 300,
        run: split::joined,
    },
    Driver {
        name: "round-trips",
        about: "every writer and its reader: the same problem, or one with the same answer",
        cases: 300,
        run: text::round_trips,
    },
    Driver {
        name: "mutants",
        about: "damaged files: no panic, no hang, no memory out of proportion, no contradiction",
        cases: 1000,
        run: text::mutants,
    },
];

/// What a driver is at, for whoever has to tell about it.
#[derive(Default)]
pub struct Case {
    held: Arc<Mutex<Held>>,
    counts: BTreeMap<&'static str, u64>,
}

/// What a case can be reproduced from.
#[derive(Clone, Default)]
pub struct Held {
    problem: Option<Problem>,
    text: Option<Vec<u8>>,
    command: String,
}

impl Case {
    /// The case is about this problem, run with these options.
    pub fn problem(&mut self, problem: &Problem, options: &Options) {
        let command = format!("gamesat solve FILE{}", flags(options));
        self.hold(Held { problem: Some(problem.clone()), text: None, command });
    }

    /// The case is about this text, given to this command.
    pub fn text(&mut self, text: &[u8], command: &str) {
        self.hold(Held { problem: None, text: Some(text.to_vec()), command: command.to_owned() });
    }

    fn hold(&mut self, held: Held) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = held;
    }

    /// Something that was seen, for the tally.
    pub fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    /// Everything that was seen.
    pub fn counts(&self) -> &BTreeMap<&'static str, u64> {
        &self.counts
    }

    /// What the case is about at any moment, also for another thread.
    pub fn held(&self) -> Arc<Mutex<Held>> {
        Arc::clone(&self.held)
    }
}

impl Held {
    /// The contents of a file that shows the case, how its name ends, and the command that reads it. What no format holds is
    /// described instead.
    pub fn file(&self) -> Option<(Vec<u8>, &'static str, String)> {
        if let Some(text) = &self.text {
            return Some((text.clone(), "txt", self.command.clone()));
        }
        let problem = self.problem.as_ref()?;
        let format = own_format(problem);
        Some(match format::to_string(problem, format) {
            Ok(text) => (text.into_bytes(), format.name(), self.command.clone()),
            Err(_) => (format!("{problem:#?}\n").into_bytes(), "debug", self.command.clone()),
        })
    }
}

/// The format made for a problem.
pub fn own_format(problem: &Problem) -> Format {
    match problem {
        Problem::Qbf(_) => Format::Qdimacs,
        Problem::Circuit(_) => Format::Qcir,
        Problem::Game(game) if matches!(game.matrix(), GameMatrix::Circuit(_)) => Format::Infix,
        Problem::Game(_) => Format::Gamesat,
        Problem::Board(board) => Format::of_board(board),
        Problem::Colouring(game) => Format::of_colouring(game),
        other => unreachable!("another kind of problem: {other:?}"),
    }
}

/// What the command line says for these options.
fn flags(options: &Options) -> String {
    let mut flags = String::new();
    for table in tables() {
        let on: Vec<&str> =
            table.iter().map(|technique| technique.name).filter(|name| options.get(name) == Some(true)).collect();
        let is_default = table.iter().all(|technique| options.get(technique.name) == Some(technique.default));
        if !is_default && on.is_empty() {
            table.iter().for_each(|technique| flags += &format!(" --no-{}", technique.name.replace('_', "-")));
        } else if !is_default {
            flags += &format!(" --only {}", on.join(","));
        }
    }
    if let Some(engine) = &options.engine {
        flags += &format!(" --engine {engine}");
    }
    if options.threads > 1 {
        flags += &format!(" --threads {}", options.threads);
    }
    flags
}

impl Driver {
    /// Runs one seed.
    ///
    /// # Errors
    /// What the driver says about the contradiction.
    pub fn run(&self, seed: u64, case: &mut Case) -> Result<(), String> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        catch_unwind(AssertUnwindSafe(|| (self.run)(&mut random, case))).map_err(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned()
        })
    }
}

/// All techniques as usual, or a random subset of all of them, few or many; small tables, so that thousands of runs are
/// quick.
fn random_options(random: &mut ChaCha8Rng) -> Options {
    let mut options = Options::default();
    if random.random_range(0..4) > 0 {
        let share = [0.2, 0.5, 0.9][random.random_range(0..3)];
        for technique in Options::techniques() {
            assert!(options.set(technique.name, random.random_bool(share)));
        }
        options.game.capture_size = random.random_range(2..=6);
        options.graph.widening = [15, 0, 50, 100][random.random_range(0..4)];
    }
    options.game.table = random.random_range(0..2);
    options.graph.graph_table = 1;
    options
}

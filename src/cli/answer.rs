//! An outcome as the lines of the output contract, or as one JSON object.

use super::args::SolveArgs;
use super::exit::Exit;
use gamesat::Problem;
use gamesat::format::Parsed;
use gamesat::formula::{Lit, Names, Player, Var};
use gamesat::rules::Board;
use gamesat::solve::{Outcome, Verdict};
use serde_json::{Map, Value, json};
use std::fmt;
use std::fmt::Write;
use std::io::{self, IsTerminal};

/// What the answer needs to know of the problem.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Name of the format it was read from; empty if the run ended before that was known.
    format: &'static str,
    is_game: bool,
    vars: usize,
    clauses: usize,
    names: Names,
    /// The board, if it was one.
    board: Option<Board>,
}

impl Shape {
    /// The shape of what was read.
    pub fn of(parsed: &Parsed) -> Self {
        let format = parsed.format.name();
        match &parsed.problem {
            Problem::Qbf(qbf) => {
                let (vars, clauses) = qbf.header();
                Shape { format, is_game: false, vars, clauses, names: qbf.names.clone(), board: None }
            }
            Problem::Circuit(circuit) => Shape {
                format,
                is_game: false,
                vars: circuit.circuit().inputs(),
                clauses: circuit.circuit().num_gates(),
                names: circuit.names.clone(),
                board: None,
            },
            Problem::Game(game) => Shape {
                format,
                is_game: true,
                vars: game.elements(),
                clauses: game.matrix_len(),
                names: game.names.clone(),
                board: None,
            },
            Problem::Board(board) => {
                let mut names = Names::new();
                for element in (0..board.elements()).filter(|_| board.has_names()) {
                    names.insert(Var::from_index(element), board.name(element));
                }
                let board = Some(board.clone());
                Shape {
                    format,
                    is_game: true,
                    vars: board.as_ref().map_or(0, Board::elements),
                    clauses: 0,
                    names,
                    board,
                }
            }
            _ => Shape::default(),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (things, rows) =
            if self.is_game { ("elements", "rows or gates") } else { ("variables", "clauses or gates") };
        write!(f, "{}, {} {things}, {} {rows}", self.format, self.vars, self.clauses)
    }
}

/// An outcome on its way to the user.
pub struct Answer<'a> {
    pub args: &'a SolveArgs,
    pub shape: &'a Shape,
    pub outcome: &'a Outcome,
}

impl Answer<'_> {
    /// The whole output.
    pub fn to_text(&self) -> String {
        if self.args.json { format!("{:#}\n", self.to_json()) } else { self.to_lines() }
    }

    fn to_lines(&self) -> String {
        let mut text = String::new();
        if !self.args.output.quiet {
            self.comments(&mut text);
        }
        let outcome = self.outcome;
        if self.shape.is_game {
            let _ = writeln!(text, "s gamesat {}", self.verdict());
            if !outcome.moves.is_empty() {
                let _ = writeln!(text, "v {} 0", spaced(&outcome.moves));
            }
            if let Some(trace) = &outcome.trace {
                let _ = writeln!(text, "t {}0", trace.iter().map(|var| format!("{var} ")).collect::<String>());
            }
        } else {
            let value = match outcome.verdict {
                Verdict::True => "1",
                Verdict::False => "0",
                Verdict::Unknown => "-1",
            };
            let _ = writeln!(text, "s cnf {value} {} {}", self.shape.vars, self.shape.clauses);
            for lit in outcome.outer_model.iter().flatten() {
                let _ = writeln!(text, "V {lit} 0");
            }
        }
        text
    }

    fn comments(&self, text: &mut String) {
        let outcome = self.outcome;
        if let Some(reason) = &outcome.stop {
            let _ = writeln!(text, "c unknown: {reason}");
        }
        if self.args.stats {
            let statistics = &outcome.statistics;
            if !statistics.engine.is_empty() {
                let _ = writeln!(text, "c engine {}", statistics.engine);
            }
            for (name, value) in statistics.entries() {
                let _ = writeln!(text, "c {name} {value}");
            }
            let _ = writeln!(text, "c seconds {:.3}", statistics.time.as_secs_f64());
            if let Some(peak) = statistics.peak_memory {
                let _ = writeln!(text, "c peak_memory_mb {:.1}", peak as f64 / f64::from(1 << 20));
            }
        }
        if let Some(board) = &self.shape.board {
            self.picture(board, text);
        }
        if !self.shape.names.is_empty() {
            for lit in &outcome.moves {
                let _ = writeln!(text, "c move {}", self.colouring(*lit));
            }
            for lit in outcome.outer_model.iter().flatten() {
                let _ = writeln!(text, "c value {}", self.colouring(*lit));
            }
            if let Some(trace) = &outcome.trace {
                let names: Vec<String> = trace.iter().map(|&var| self.shape.names.display(var)).collect();
                let _ = writeln!(text, "c trace {}", names.join(" "));
            }
        }
    }

    /// On a terminal the board with the winning moves marked; and why an edge game is won.
    fn picture(&self, board: &Board, text: &mut String) {
        let outcome = self.outcome;
        if self.args.output.output.is_none() && io::stdout().is_terminal() {
            let moves: Vec<usize> = outcome.moves.iter().map(|lit| lit.var().index()).collect();
            for line in board.picture(&moves).lines() {
                let _ = writeln!(text, "c {line}");
            }
        }
        if let Some(winner) = outcome.verdict.winner() {
            let side = if winner == Player::Max { board.max } else { !board.max };
            let _ = writeln!(text, "c {} wins, {} to move", board.side_name(side), board.side_name(board.turn));
        }
        if outcome.statistics.engine == "lehman" {
            for line in outcome.certificate.iter().flat_map(|reason| reason.lines()) {
                let _ = writeln!(text, "c reason {line}");
            }
        }
    }

    fn verdict(&self) -> &'static str {
        match (self.outcome.verdict, self.shape.is_game) {
            (Verdict::True, true) => "max",
            (Verdict::False, true) => "min",
            (Verdict::True, false) => "true",
            (Verdict::False, false) => "false",
            (Verdict::Unknown, _) => "unknown",
        }
    }

    /// `name=TRUE` or `name=FALSE`.
    fn colouring(&self, lit: Lit) -> String {
        format!("{}={}", self.shape.names.display(lit.var()), if lit.is_positive() { "TRUE" } else { "FALSE" })
    }

    /// The object that `grammars/output.schema.json` describes.
    fn to_json(&self) -> Value {
        let outcome = self.outcome;
        let statistics = &outcome.statistics;
        let counters: Map<String, Value> =
            statistics.entries().map(|(name, value)| (name.to_owned(), number(value))).collect();
        let lits = |lits: &[Lit]| -> Value {
            lits.iter()
                .map(|lit| {
                    let mut object = self.element(lit.var());
                    object.insert("value".into(), json!(lit.is_positive()));
                    Value::Object(object)
                })
                .collect()
        };
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "problem": if self.shape.is_game { "game" } else { "qbf" },
            "format": self.shape.format,
            "variables": self.shape.vars,
            "clauses": self.shape.clauses,
            "verdict": self.verdict(),
            "exit_code": Exit::from(outcome.verdict).code(),
            "stop": outcome.stop.as_ref().map(ToString::to_string),
            "moves": lits(&outcome.moves),
            "variation": lits(&outcome.variation),
            "trace": outcome.trace.as_ref().map(|trace| -> Value {
                trace.iter().map(|&var| Value::Object(self.element(var))).collect()
            }),
            "outer_model": outcome.outer_model.as_deref().map(lits),
            "engine": statistics.engine,
            "seconds": statistics.time.as_secs_f64(),
            "peak_memory_bytes": statistics.peak_memory,
            "counters": counters,
            "options": {
                "engine": self.args.search.engine,
                "threads": self.args.search.threads,
                "seed": self.args.search.seed,
                "all_moves": self.args.all_moves,
                "qdo": self.args.qdo,
                "strict": self.args.input.strict,
                "time_limit_seconds": self.args.limits.time_limit.map(|limit| limit.as_secs_f64()),
                "memory_limit_mb": self.args.limits.memory_limit,
                "node_limit": self.args.limits.node_limit,
            },
        })
    }

    fn element(&self, var: Var) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("variable".into(), json!(var.to_dimacs()));
        if let Some(name) = self.shape.names.get(var) {
            object.insert("name".into(), json!(name));
        }
        object
    }
}

/// Counts as integers, times as fractions.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 { json!(value as i64) } else { json!(value) }
}

fn spaced(lits: &[Lit]) -> String {
    lits.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

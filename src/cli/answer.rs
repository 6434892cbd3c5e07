//! An answer as the lines of the output contract, or as one JSON object.

use super::args::SolveArgs;
use super::counters;
use super::exit::Exit;
use super::models;
use gamesat::Problem;
use gamesat::format::Parsed;
use gamesat::formula::{Autotree, Colouring, GameMatrix, Lit, Names, Player, Proof, Var};
use gamesat::rules::sequential::Sequential;
use gamesat::rules::{Board, Side, Sudoku};
use gamesat::solve::{Answer, Options, Verdict};
use gamesat_core::control::cpu_time;
use serde_json::{Map, Value, json};
use std::fmt;
use std::fmt::Write;
use std::io::{self, IsTerminal};

/// What a report needs to know of the problem.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// Name of the format it was read from; empty if the run ended before that was known.
    format: &'static str,
    is_game: bool,
    vars: usize,
    clauses: usize,
    /// What those are called.
    rows: &'static str,
    names: Names,
    /// Who moves, in a game.
    turn: Option<Player>,
    /// The board, if it was one.
    board: Option<Board>,
    /// The game, if it had colours or a score.
    colouring: Option<Colouring>,
    /// The position, if it was a sequential game.
    sequential: Option<Sequential>,
    /// The puzzle, if it was one.
    sudoku: Option<Sudoku>,
}

impl Subject {
    /// What was read.
    pub fn of(parsed: &Parsed) -> Self {
        let subject = Subject { format: parsed.format.name(), names: parsed.problem.names(), ..Subject::default() };
        match &parsed.problem {
            Problem::Qbf(qbf) => {
                let (vars, clauses) = qbf.header();
                Subject { vars, clauses, rows: "clauses", ..subject }
            }
            Problem::Circuit(circuit) => Subject {
                vars: circuit.circuit().inputs(),
                clauses: circuit.circuit().num_gates(),
                rows: "gates",
                ..subject
            },
            Problem::Game(game) => Subject {
                is_game: true,
                vars: game.elements(),
                clauses: game.matrix_len(),
                rows: match game.matrix() {
                    GameMatrix::Cnf(_) => "clauses",
                    GameMatrix::Dnf(_) => "terms",
                    GameMatrix::Circuit(_) => "gates",
                },
                turn: Some(game.turn),
                ..subject
            },
            Problem::Colouring(game) => Subject {
                is_game: true,
                vars: game.elements(),
                clauses: game.rows().len(),
                names: game.names.clone(),
                turn: Some(game.mover().unwrap_or(game.turn)),
                colouring: Some(game.clone()),
                ..subject
            },
            Problem::Board(board) => Subject {
                is_game: true,
                vars: board.elements(),
                turn: Some(board.player(board.turn)),
                board: Some(board.clone()),
                ..subject
            },
            Problem::Sequential(game) => {
                let player = |side| if side == Side::First { Player::Max } else { Player::Min };
                Subject {
                    is_game: true,
                    vars: game.move_count(),
                    turn: game.mover().map(player),
                    sequential: Some(game.clone()),
                    ..subject
                }
            }
            Problem::Sudoku(sudoku) => Subject { vars: sudoku.side().pow(3), sudoku: Some(sudoku.clone()), ..subject },
            _ => subject,
        }
    }
}

impl Subject {
    /// The numbers of variables and clauses that a formula announced; nothing for a game.
    pub fn header(&self) -> Option<(usize, usize)> {
        (!self.is_game).then_some((self.vars, self.clauses))
    }

    /// The line with the verdict on a formula.
    pub fn formula_line(&self, verdict: Verdict) -> String {
        formula_line(verdict, (self.vars, self.clauses))
    }

    /// An element as trees of moves call it: by its name if that is a plain word, else by its number; a minus before it is
    /// the colour of the winner's opponent.
    pub fn label(&self, lit: Lit, winner: Player) -> String {
        let name = self.names.get(lit.var()).unwrap_or_default();
        let sign = if lit.is_positive() == (winner == Player::Max) { "" } else { "-" };
        format!("{sign}{}", Autotree::word(name, lit.var().index()))
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let things = match (&self.sequential, self.is_game) {
            (Some(_), _) => "moves",
            (None, true) => "elements",
            (None, false) => "variables",
        };
        write!(f, "{}, {} {things}", self.format, self.vars)?;
        if self.rows.is_empty() { Ok(()) } else { write!(f, ", {} {}", self.clauses, self.rows) }
    }
}

/// A verdict in a word: of a formula whether it is true, of a game who wins.
pub fn word(verdict: Verdict, is_game: bool) -> &'static str {
    match (verdict, is_game) {
        (Verdict::True, true) => "max",
        (Verdict::False, true) => "min",
        (Verdict::Draw, _) => "draw",
        (Verdict::Value(_), _) => "value",
        (Verdict::True, false) => "true",
        (Verdict::False, false) => "false",
        _ => "unknown",
    }
}

/// The line that says whether a formula is true, with the numbers that its header announced.
pub fn formula_line(verdict: Verdict, (vars, clauses): (usize, usize)) -> String {
    let value = match verdict {
        Verdict::True => "1",
        Verdict::False => "0",
        _ => "-1",
    };
    format!("s cnf {value} {vars} {clauses}\n")
}

/// An answer on its way to the user.
pub struct Report<'a> {
    pub args: &'a SolveArgs,
    pub subject: &'a Subject,
    pub answer: &'a Answer,
    /// The proof that was written to a file of its own.
    pub filed: Option<&'a Filed>,
    /// Whether the verdict and some models were written already.
    pub begun: bool,
}

/// What answers instead of an engine where a book does.
pub const BOOK: &str = "book";

/// A proof on the disk.
#[derive(Clone, Debug)]
pub struct Filed {
    /// What kind of proof it is.
    pub kind: &'static str,
    /// How long it is.
    pub bytes: u64,
}

/// What kind of proof this is, in a word.
pub fn kind(proof: &Proof) -> &'static str {
    match proof {
        Proof::Functions(_) => "functions",
        Proof::Refutation(_) => "refutation",
        Proof::Confirmation(_) => "confirmation",
        Proof::Strategy(_) => "strategy",
        Proof::Autotree(_) => "autotree",
        Proof::Trees(_) => "trees",
    }
}

impl Report<'_> {
    /// The whole output.
    pub fn to_text(&self) -> String {
        if self.args.output.json { format!("{:#}\n", self.to_json()) } else { self.to_lines() }
    }

    fn to_lines(&self) -> String {
        let mut text = String::new();
        if !self.args.output.quiet {
            self.comments(&mut text);
        }
        let answer = self.answer;
        if self.subject.is_game {
            let ordered = self.subject.sequential.is_some();
            let _ = match answer.verdict {
                Verdict::Value(value) => writeln!(text, "s value {value}"),
                _ => writeln!(text, "s {} {}", if ordered { "value" } else { "gamesat" }, self.verdict()),
            };
            if !answer.moves.is_empty() {
                // A move of a sequential game has a name, and no colour but its player's.
                let spoken = |lit: &Lit| match &self.subject.colouring {
                    _ if ordered => self.subject.names.display(lit.var()),
                    Some(game) => numbered(game, *lit),
                    None => lit.to_string(),
                };
                let moves: Vec<String> = answer.moves.iter().map(spoken).collect();
                let _ = writeln!(text, "v {}{}", moves.join(" "), if ordered { "" } else { " 0" });
            }
            if let Some(trace) = &answer.trace {
                let _ = writeln!(text, "t {}0", trace.iter().map(|var| format!("{var} ")).collect::<String>());
            }
        } else if !self.begun {
            text += &self.subject.formula_line(answer.verdict);
            let shown = answer.outer_model.iter().flatten().filter(|_| self.args.qdo || self.subject.sudoku.is_none());
            for lit in shown {
                let _ = writeln!(text, "V {lit} 0");
            }
            for cube in answer.outer_models.iter().flatten() {
                text += &models::lines(cube, answer.verdict, &self.subject.names, !self.args.output.quiet);
            }
        }
        text
    }

    fn comments(&self, text: &mut String) {
        let answer = self.answer;
        if let Some(reason) = &answer.stop {
            let _ = writeln!(text, "c unknown: {reason}");
        }
        if let Some(reason) = &answer.missing {
            let _ = writeln!(text, "c incomplete: {reason}");
        }
        if self.args.stats {
            let statistics = &answer.statistics;
            if !statistics.engine.is_empty() {
                let _ = writeln!(text, "c engine {}", statistics.engine);
            }
            text.push_str(&counters::lines(statistics));
            let _ = writeln!(text, "c seconds {:.3}", statistics.time.as_secs_f64());
            if let Some(peak) = statistics.peak_memory {
                let _ = writeln!(text, "c peak_memory_mb {:.1}", peak as f64 / f64::from(1 << 20));
            }
        }
        if let Some(board) = &self.subject.board {
            self.board(board, text);
        }
        if let Some(game) = &self.subject.sequential {
            self.sequential(game, text);
        }
        if let Some(sudoku) = &self.subject.sudoku {
            self.sudoku(sudoku, text);
        }
        if let (Some(Player::Max | Player::Min), Some(_), Verdict::Value(value)) =
            (self.subject.turn, &self.subject.colouring, answer.verdict)
        {
            let of_max = if self.subject.turn == Some(Player::Max) { value } else { -value };
            let _ = writeln!(text, "c max gets {of_max}");
        }
        if answer.statistics.engine == BOOK {
            let _ = writeln!(text, "c source book");
        }
        if let Some(theorem) = answer.theorem {
            let _ = writeln!(text, "c reason {theorem}");
        }
        if self.subject.board.is_some() || !self.subject.names.is_empty() {
            for lit in answer.moves.iter().filter(|_| self.subject.sequential.is_none()) {
                let _ = writeln!(text, "c move {}", self.spoken(*lit));
            }
            for lit in answer.outer_model.iter().flatten() {
                let _ = writeln!(text, "c value {}", self.spoken(*lit));
            }
            if let Some(trace) = &answer.trace {
                let names: Vec<String> = trace.iter().map(|&var| self.subject.names.display(var)).collect();
                let _ = writeln!(text, "c trace {}", names.join(" "));
            }
        }
        if answer.more_moves > 0 {
            let _ = writeln!(
                text,
                "c and {} more moves win: elements outside the formula, each as good as another",
                answer.more_moves
            );
        }
    }

    /// The board with the winning moves marked, on a terminal or if it is asked for; who wins, and who moves.
    fn board(&self, board: &Board, text: &mut String) {
        let answer = self.answer;
        if self.args.picture || self.args.output.output.is_none() && io::stdout().is_terminal() {
            let moves: Vec<usize> = answer.moves.iter().map(|lit| lit.var().index()).collect();
            for line in board.picture(&moves).lines() {
                let _ = writeln!(text, "c {line}");
            }
        }
        let turn = board.side_name(board.turn);
        if let Some(winner) = answer.verdict.winner() {
            let _ = writeln!(text, "c {} wins, {turn} to move", board.side_name(side(board, winner)));
        } else if answer.verdict == Verdict::Draw {
            let _ = writeln!(text, "c a draw, {turn} to move");
        }
    }

    /// The position, on a terminal or if it is asked for; what the value means, and the line of best play.
    fn sequential(&self, game: &Sequential, text: &mut String) {
        let answer = self.answer;
        if self.args.picture || self.args.output.output.is_none() && io::stdout().is_terminal() {
            for line in game.picture().lines() {
                let _ = writeln!(text, "c {line}");
            }
        }
        if let Verdict::Value(value) = answer.verdict {
            let _ = writeln!(text, "c {}", game.in_words(value));
        }
        if let (Some(value), Some((least, most))) = (answer.estimate, answer.bounds) {
            let _ = writeln!(text, "c estimate {value}");
            let _ = writeln!(text, "c proven: at least {least}, at most {most}");
        }
        if !answer.variation.is_empty() {
            let line: Vec<String> = answer.variation.iter().map(|lit| self.subject.names.display(lit.var())).collect();
            let _ = writeln!(text, "c line {}", line.join(" "));
        }
        let word = if answer.estimate.is_some() { "estimate" } else { "value" };
        for (lit, value) in &answer.values {
            let _ = writeln!(text, "c move {} {word} {value}", self.subject.names.display(lit.var()));
        }
    }

    /// The solved grid, and how many solutions there are.
    fn sudoku(&self, sudoku: &Sudoku, text: &mut String) {
        let Some(solved) = self.solved(sudoku) else { return };
        for row in solved.draw().lines() {
            let _ = writeln!(text, "c {row}");
        }
        let found = self.answer.statistics.get("solutions") as u32;
        let _ = match found {
            0 | 1 if self.args.solutions == 1 => writeln!(text, "c a solution"),
            0 | 1 => writeln!(text, "c the only solution"),
            _ if found == self.args.solutions => writeln!(text, "c {found} solutions or more"),
            _ => writeln!(text, "c {found} solutions"),
        };
    }

    /// The grid with the digits of the answer.
    fn solved(&self, sudoku: &Sudoku) -> Option<Sudoku> {
        let mut cells = sudoku.cells().to_vec();
        for lit in self.answer.outer_model.as_ref()?.iter().filter(|lit| lit.is_positive()) {
            let index = lit.var().index();
            *cells.get_mut(index / sudoku.side())? = (index % sudoku.side()) as u8 + 1;
        }
        Sudoku::new(cells)
    }

    fn verdict(&self) -> &'static str {
        word(self.answer.verdict, self.subject.is_game)
    }

    /// `black c3` on a board; `name=TRUE` or `name=FALSE` in a formula.
    fn spoken(&self, lit: Lit) -> String {
        let name = self.subject.names.display(lit.var());
        if let Some(game) = &self.subject.colouring {
            return game.spoken(lit);
        }
        match &self.subject.board {
            Some(board) => {
                let player = if lit.is_positive() { Player::Max } else { Player::Min };
                format!("{} {name}", board.side_name(side(board, player)))
            }
            None => match &self.subject.sequential {
                Some(game) => {
                    let side = if lit.is_positive() { Side::First } else { Side::Second };
                    format!("{} {name}", game.side_name(side))
                }
                None => format!("{name}={}", if lit.is_positive() { "TRUE" } else { "FALSE" }),
            },
        }
    }

    /// The object that `grammars/output.schema.json` describes.
    fn to_json(&self) -> Value {
        let answer = self.answer;
        let statistics = &answer.statistics;
        let counters: Map<String, Value> =
            statistics.entries().map(|(name, value)| (name.to_owned(), number(value))).collect();
        let lits = |lits: &[Lit]| -> Value {
            lits.iter()
                .map(|lit| {
                    if let Some(game) = &self.subject.colouring {
                        let mut object = self.element(game.element(*lit));
                        object.insert("colour".into(), json!(game.colour(*lit) + 1));
                        object.insert("spoken".into(), json!(game.spoken(*lit)));
                        return Value::Object(object);
                    }
                    let mut object = self.element(lit.var());
                    object.insert("value".into(), json!(lit.is_positive()));
                    if self.subject.board.is_some() || self.subject.sequential.is_some() {
                        object.insert("spoken".into(), json!(self.spoken(*lit)));
                    }
                    Value::Object(object)
                })
                .collect()
        };
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "problem": if self.subject.is_game { "game" } else { "qbf" },
            "format": self.subject.format,
            "variables": self.subject.vars,
            "clauses": self.subject.clauses,
            "turn": self.subject.turn.map(|player| player.to_string()),
            "board": self.subject.board.as_ref().map(|board| json!({
                "first": board.side_name(Side::First),
                "second": board.side_name(Side::Second),
                "max": board.side_name(board.max),
                "turn": board.side_name(board.turn),
                "winner": answer.verdict.winner().map(|winner| board.side_name(side(board, winner))),
            })),
            "verdict": self.verdict(),
            "value": match answer.verdict {
                Verdict::Value(value) => json!(value),
                _ => Value::Null,
            },
            "estimate": answer.estimate,
            "bounds": answer.bounds.map(|(least, most)| [least, most]),
            "exit_code": Exit::from(answer.verdict).code(),
            "stop": answer.stop.as_ref().map(ToString::to_string),
            "missing": answer.missing.as_ref().map(ToString::to_string),
            "complete": answer.stop.is_none() && answer.missing.is_none(),
            "theorem": answer.theorem,
            "moves": lits(&answer.moves),
            "more_moves": answer.more_moves,
            "values": answer.values.iter().map(|(lit, value)| {
                let mut object = self.element(lit.var());
                object.insert("value".into(), json!(value));
                Value::Object(object)
            }).collect::<Value>(),
            "variation": lits(&answer.variation),
            "trace": answer.trace.as_ref().map(|trace| -> Value {
                trace.iter().map(|&var| Value::Object(self.element(var))).collect()
            }),
            "outer_model": answer.outer_model.as_deref().map(lits),
            "outer_models": answer.outer_models.as_ref().map(|cubes| -> Value { cubes.iter().map(|cube| lits(cube)).collect() }),
            "grid": self.subject.sudoku.as_ref().and_then(|sudoku| self.solved(sudoku)).map(|solved| {
                solved.draw().lines().map(str::to_owned).collect::<Vec<String>>()
            }),
            "engine": statistics.engine,
            "certificate": self.filed.map(|filed| json!({ "kind": filed.kind, "bytes": filed.bytes })),
            "seconds": statistics.time.as_secs_f64(),
            "cpu_seconds": cpu_time().map(|time| time.as_secs_f64()),
            "peak_memory_bytes": statistics.peak_memory,
            "counters": counters,
            "options": self.options(),
        })
    }

    /// What was in force: wishes, limits, and every technique.
    fn options(&self) -> Value {
        let args = self.args;
        let options = args.options();
        let techniques: Map<String, Value> = Options::techniques()
            .map(|technique| (technique.name.to_owned(), json!(options.get(technique.name))))
            .collect();
        json!({
            "engine": args.search.engine,
            "backend": options.abstraction.backend.name(),
            "threads": args.search.threads,
            "table_mb": options.game.table,
            "capture_size": options.game.capture_size,
            "depth": options.sequential.look_ahead,
            "all_moves": args.all_moves,
            "trace": args.trace || args.shrink_trace,
            "qdo": args.qdo,
            "all_models": args.all_models,
            "proof": args.proof_path().is_some(),
            "strict": args.input.tolerance.strict,
            "tolerant": args.input.tolerance.tolerant,
            "time_limit_seconds": args.limits.time_limit.map(|limit| limit.as_secs_f64()),
            "cpu_limit_seconds": args.limits.cpu_limit.map(|limit| limit.as_secs_f64()),
            "memory_limit_mb": args.limits.memory_limit,
            "node_limit": args.limits.node_limit,
            "techniques": techniques,
        })
    }

    fn element(&self, var: Var) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("variable".into(), json!(var.to_dimacs()));
        if let Some(name) = self.subject.names.get(var) {
            object.insert("name".into(), json!(name));
        }
        object
    }
}

/// The side that is this player.
fn side(board: &Board, player: Player) -> Side {
    if player == Player::Max { board.max } else { !board.max }
}

/// A move by numbers: `V=C`, or a literal if the colours are TRUE and FALSE.
fn numbered(game: &Colouring, atom: Lit) -> String {
    let (element, colour) = (game.element(atom), game.colour(atom));
    match game.has_truth_values() && game.domains().next().is_none() {
        true => element.lit(colour == 0).to_string(),
        false => format!("{element}={}", colour + 1),
    }
}

/// Counts as integers, times as fractions.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 { json!(value as i64) } else { json!(value) }
}

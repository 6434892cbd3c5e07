//! Writing: the circuit is walked with a stack of its own, and what a game is beside its formula stands before a colon.

use super::reader::Reader;
use super::tokens::{Operator, is_identifier, is_writable};
use crate::error::WriteError;
use crate::labels::Labels;
use gamesat_core::Problem;
use gamesat_core::formula::{
    Circuit, ClauseArena, Game, GameMatrix, GateKind, Lit, Names, Player, Prefix, Qbf, Quantifier, Rule, Var,
};
use std::io::{self, Write};

/// Writes whatever has a formula.
pub(super) fn write(problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
    match problem {
        Problem::Qbf(qbf) => write_qbf(qbf, out),
        Problem::Circuit(circuit) => {
            refuse_explosion(circuit.circuit())?;
            let labels = labels(&circuit.names);
            write_prefix(circuit.prefix(), &labels, out)?;
            write_circuit(circuit.circuit(), &mut |var, out| write_label(&labels, var, out), out)
        }
        Problem::Game(game) => write_game(game, out),
        Problem::Board(_)
        | Problem::Reordered(_)
        | Problem::Colouring(_)
        | Problem::Sequential(_)
        | Problem::Sudoku(_) => {
            Err(WriteError::Unsupported("infix holds formulas; this is a board, to be encoded first".to_owned()))
        }
    }
}

fn labels(names: &Names) -> Labels<'_> {
    Labels::new(names, is_writable, "x")
}

/// Writes what a variable is called.
fn write_label(labels: &Labels<'_>, var: Var, out: &mut dyn Write) -> io::Result<()> {
    let label = labels.get(var);
    if is_identifier(&label) {
        out.write_all(label.as_bytes())
    } else {
        write!(out, "\"{}\"", label.replace('"', "\"\""))
    }
}

/// How the name of a variable comes into the text.
type WriteName<'a> = &'a mut dyn FnMut(Var, &mut dyn Write) -> io::Result<()>;

fn write_prefix(prefix: &Prefix, labels: &Labels<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    if prefix.is_empty() {
        // Without a prefix it would be a game. An unused variable changes nothing in a quantified formula.
        write!(out, "exists ")?;
        write_label(labels, Var::from_index(0), out)?;
    }
    for (index, block) in prefix.blocks().enumerate() {
        let gap = if index == 0 { "" } else { " " };
        write!(out, "{gap}{}", if block.quantifier == Quantifier::Exists { "exists" } else { "forall" })?;
        for &var in block.vars {
            write!(out, " ")?;
            write_label(labels, var, out)?;
        }
    }
    write!(out, ": ")?;
    Ok(())
}

fn write_qbf(qbf: &Qbf, out: &mut dyn Write) -> Result<(), WriteError> {
    let labels = labels(&qbf.names);
    write_prefix(qbf.prefix(), &labels, out)?;
    write_rows(qbf.matrix(), true, &mut |var, out| write_label(&labels, var, out), out)
}

/// Writes a CNF, or a DNF with the operators exchanged.
fn write_rows(rows: &ClauseArena, cnf: bool, name: WriteName<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let (outer, inner): (&[u8], &[u8]) = if cnf { (b" & ", b" | ") } else { (b" | ", b" & ") };
    let constant = |empty_outer: bool| if empty_outer == cnf { "true" } else { "false" };
    if rows.is_empty() {
        write!(out, "{}", constant(true))?;
    }
    for (index, row) in rows.iter().enumerate() {
        let parentheses = row.len() > 1 && rows.len() > 1;
        out.write_all(if index == 0 { b"" } else { outer })?;
        out.write_all(if parentheses { b"(" } else { b"" })?;
        if row.is_empty() {
            write!(out, "{}", constant(false))?;
        }
        for (index, lit) in row.iter().enumerate() {
            out.write_all(if index == 0 { b"" } else { inner })?;
            out.write_all(if lit.is_negative() { b"!" } else { b"" })?;
            name(lit.var(), out)?;
        }
        out.write_all(if parentheses { b")" } else { b"" })?;
    }
    writeln!(out)?;
    Ok(())
}

fn write_game(game: &Game, out: &mut dyn Write) -> Result<(), WriteError> {
    let formula = |name: WriteName<'_>, out: &mut dyn Write| match game.matrix() {
        GameMatrix::Cnf(rows) => write_rows(rows, true, name, out),
        GameMatrix::Dnf(rows) => write_rows(rows, false, name, out),
        GameMatrix::Circuit(circuit) => write_circuit(circuit, name, out),
    };
    if let GameMatrix::Circuit(circuit) = game.matrix() {
        refuse_explosion(circuit)?;
    }
    // Elements are numbered by their first appearance. If they appear in order, the list goes without saying.
    let (mut met, mut named, mut in_order) = (0, 0, true);
    let mut meet = |var: Var| {
        in_order &= var.index() <= met;
        met += usize::from(var.index() == met);
        named = named.max(var.index() + 1);
    };
    game.played().iter().for_each(|lit| meet(lit.var()));
    let mut mentions = 0;
    formula(
        &mut |var, _| {
            mentions += 1;
            meet(var);
            Ok(())
        },
        &mut io::sink(),
    )?;
    game.names.iter().for_each(|(var, _)| named = named.max(var.index() + 1));
    named = named.min(game.elements());
    let listed = !in_order || met < named;
    refuse_emptiness(named, mentions + game.names.len() + game.played().len())?;
    let labels = labels(&game.names);
    let mut settings = Vec::new();
    if listed {
        settings.push(Setting::Elements(named));
    }
    if game.elements() > named {
        settings.push(Setting::Stars(game.elements() - named));
    }
    if game.turn != Player::Max {
        settings.push(Setting::Word("turn min"));
    }
    if game.rule != Rule::Any {
        settings.push(Setting::Word("rule own"));
    }
    if !game.played().is_empty() {
        settings.push(Setting::Played(game.played()));
    }
    for (index, setting) in settings.iter().enumerate() {
        out.write_all(if index == 0 { b"" } else { b"; " })?;
        setting.write(&labels, out)?;
    }
    out.write_all(if settings.is_empty() { b"" } else { b": " })?;
    let mut text = Vec::new();
    if settings.is_empty() && mentions <= 1 {
        // Short enough to be a single word, which is not recognised as a formula unless it stands in parentheses.
        formula(&mut |var, out| write_label(&labels, var, out), &mut text)?;
        let word = text.trim_ascii_end();
        if str::from_utf8(word).is_ok_and(|word| is_identifier(word) || matches!(word, "true" | "false")) {
            out.write_all(b"(")?;
            out.write_all(word)?;
            out.write_all(b")\n")?;
        } else {
            out.write_all(&text)?;
        }
        return Ok(());
    }
    formula(&mut |var, out| write_label(&labels, var, out), out)
}

/// What the writer says before a game's colon.
enum Setting<'a> {
    /// The first so many elements.
    Elements(usize),
    Stars(usize),
    Word(&'static str),
    Played(&'a [Lit]),
}

impl Setting<'_> {
    fn write(&self, labels: &Labels<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
        match *self {
            Setting::Elements(number) => {
                write!(out, "elements")?;
                for index in 0..number {
                    write!(out, " ")?;
                    write_label(labels, Var::from_index(index), out)?;
                }
            }
            Setting::Stars(number) if number > Reader::INPUTS => {
                let message = format!("an infix formula has room for {} dead elements; write GAME-SAT", Reader::INPUTS);
                return Err(WriteError::Unsupported(message));
            }
            Setting::Stars(number) => write!(out, "stars {number}")?,
            Setting::Word(words) => write!(out, "{words}")?,
            Setting::Played(lits) => {
                write!(out, "played")?;
                for lit in lits {
                    write!(out, "{}", if lit.is_negative() { " !" } else { " " })?;
                    write_label(labels, lit.var(), out)?;
                }
            }
        }
        Ok(())
    }
}

/// A list names every element up to the last that matters; a game on two billion elements may mention only that one.
fn refuse_emptiness(named: usize, mentions: usize) -> Result<(), WriteError> {
    const ALWAYS: usize = 1 << 20;
    if named > ALWAYS.max(16 * mentions) {
        return Err(WriteError::Unsupported(format!(
            "an infix formula would have to list {named} elements, nearly all of which occur nowhere; write GAME-SAT"
        )));
    }
    Ok(())
}

/// A piece of the text that is still to be written.
enum Piece {
    /// A subformula, in parentheses unless it binds more tightly than the operator around it.
    Formula(Lit, Operator),
    Text(&'static str),
}

fn write_circuit(circuit: &Circuit, name: WriteName<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut pieces = vec![Piece::Formula(circuit.output(), Operator::Open)];
    while let Some(piece) = pieces.pop() {
        let (lit, around) = match piece {
            Piece::Text(text) => {
                out.write_all(text.as_bytes())?;
                continue;
            }
            Piece::Formula(lit, around) => (lit, around),
        };
        let Some(gate) = lit.var().index().checked_sub(circuit.inputs()).map(|index| circuit.gate(index)) else {
            out.write_all(if lit.is_negative() { b"!" } else { b"" })?;
            name(lit.var(), out)?;
            continue;
        };
        let (operator, text) = match (gate.kind, gate.operands) {
            (kind, []) => {
                let value = kind == GateKind::And;
                write!(out, "{}{value}", if lit.is_negative() { "!" } else { "" })?;
                continue;
            }
            (_, &[only]) => {
                pieces.push(Piece::Formula(if lit.is_negative() { !only } else { only }, around));
                continue;
            }
            (GateKind::Xor, [_, _]) if lit.is_negative() => (Operator::Equivalent, " <-> "),
            (GateKind::And, _) => (Operator::And, " & "),
            (GateKind::Or | GateKind::Ite, _) => (Operator::Or, " | "),
            (GateKind::Xor, _) => (Operator::Xor, " ^ "),
        };
        let negated = lit.is_negative() && operator != Operator::Equivalent;
        let parentheses = negated || operator <= around;
        out.write_all(if negated { b"!" } else { b"" })?;
        out.write_all(if parentheses { b"(" } else { b"" })?;
        if parentheses {
            pieces.push(Piece::Text(")"));
        }
        if gate.kind == GateKind::Ite {
            let (condition, then, otherwise) = (gate.operands[0], gate.operands[1], gate.operands[2]);
            let and = |left, right| {
                [Piece::Formula(right, Operator::And), Piece::Text(" & "), Piece::Formula(left, Operator::And)]
            };
            pieces.extend(and(!condition, otherwise));
            pieces.push(Piece::Text(text));
            pieces.extend(and(condition, then));
            continue;
        }
        for (index, &operand) in gate.operands.iter().enumerate().rev() {
            pieces.push(Piece::Formula(operand, operator));
            if index > 0 {
                pieces.push(Piece::Text(text));
            }
        }
    }
    writeln!(out)?;
    Ok(())
}

/// Shared gates are written once for each use; a circuit may be exponentially smaller than its formula.
fn refuse_explosion(circuit: &Circuit) -> Result<(), WriteError> {
    const ALWAYS: u64 = 1 << 24;
    let mut sizes: Vec<u64> = Vec::with_capacity(circuit.num_gates());
    let size = |sizes: &[u64], lit: Lit| lit.var().index().checked_sub(circuit.inputs()).map_or(1, |gate| sizes[gate]);
    let mut wires = 0;
    for gate in circuit.gates() {
        let twice = gate.kind == GateKind::Ite;
        let operands = gate.operands.iter().chain(twice.then(|| &gate.operands[0]));
        sizes.push(operands.fold(1, |sum: u64, &lit| sum.saturating_add(size(&sizes, lit))));
        wires += 1 + gate.operands.len() as u64;
    }
    if size(&sizes, circuit.output()) > ALWAYS.max(4 * wires) {
        return Err(WriteError::Unsupported(
            "the circuit shares gates and would be too long as an infix formula; write QCIR instead".to_owned(),
        ));
    }
    Ok(())
}

//! ASCII AIGER (`aag`), as far as certificates need it: inputs, outputs and conjunctions, no latches. Grammar:
//! `grammars/aiger.ebnf`.
//!
//! The symbol of an input or output is the number of its variable: `i0 7`, `o2 12`. Conjunctions may come in any order;
//! they are sorted here, and a cycle is refused. Nothing is allocated for what the header merely announces.

use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use crate::formula::{Aig, Lit, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::io::{Read, Write};

const HEADER: &str = "the header 'aag M I L O A'";

/// Reads a certificate. `name` is what errors call the input.
///
/// # Errors
/// Text that is not a combinational ASCII AIGER circuit with a variable for every input and output, and input that cannot
/// be read.
pub fn read_aiger(source: &mut dyn Read, name: &str) -> Result<Aig, ReadError> {
    let mut lexer = Lexer::new(source, name, false);
    lexer.skip_byte_order_mark()?;
    let mut reader = Reader::default();
    let header = reader.header(&mut lexer)?;
    reader.definitions(&mut lexer, header)?;
    reader.symbols(&mut lexer)?;
    reader.finish(&mut lexer)
}

/// Writes a certificate.
///
/// # Errors
/// Output that fails.
pub fn write_aiger(graph: &Aig, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut out = std::io::BufWriter::new(out);
    let (inputs, outputs, ands) = (graph.inputs().len(), graph.outputs().len(), graph.ands().len());
    writeln!(out, "aag {} {inputs} 0 {outputs} {ands}", graph.num_nodes() - 1)?;
    for index in 0..inputs {
        writeln!(out, "{}", graph.input(index).code())?;
    }
    for (_, signal) in graph.outputs() {
        writeln!(out, "{}", signal.code())?;
    }
    for (index, [left, right]) in graph.ands().iter().enumerate() {
        writeln!(out, "{} {} {}", 2 * (1 + inputs + index), left.code(), right.code())?;
    }
    for (index, var) in graph.inputs().iter().enumerate() {
        writeln!(out, "i{index} {var}")?;
    }
    for (index, (var, _)) in graph.outputs().iter().enumerate() {
        writeln!(out, "o{index} {var}")?;
    }
    out.flush()?;
    Ok(())
}

/// The numbers of the header that matter.
#[derive(Clone, Copy)]
struct Header {
    largest: u64,
    inputs: u64,
    outputs: u64,
    ands: u64,
}

/// What a node is, under its number in the file.
#[derive(Clone, Copy)]
enum Node {
    Input(usize),
    And([u64; 2]),
}

#[derive(Default)]
struct Reader {
    nodes: FxHashMap<u64, Node>,
    inputs: Vec<Option<Var>>,
    outputs: Vec<(u64, Option<Var>)>,
    /// The conjunctions in the order of the file.
    order: Vec<u64>,
}

impl Reader {
    fn header(&mut self, lexer: &mut Lexer<'_>) -> Result<Header, ReadError> {
        lexer.mark();
        match lexer.word()? {
            b"aag" => {}
            b"aig" => {
                return Err(lexer.error("this is binary AIGER", "ASCII AIGER (aag); aigtoaig translates"));
            }
            _ => return Err(lexer.unexpected_token("is an unknown header", HEADER)),
        }
        let mut numbers = [0; 5];
        for (number, what) in numbers.iter_mut().zip(["M", "I", "L", "O", "A"]) {
            lexer.skip_blanks()?;
            *number = lexer.number(Var::LIMIT as u64 - 1, &format!("the number {what} of 'aag M I L O A'"))?;
            if what == "L" && *number > 0 {
                return Err(lexer.error("there are latches", "a combinational circuit"));
            }
        }
        let [largest, inputs, _, outputs, ands] = numbers;
        if inputs + ands > largest {
            return Err(
                lexer.error(format!("{inputs} inputs and {ands} conjunctions need more than {largest} nodes"), "")
            );
        }
        line_end(lexer)?;
        Ok(Header { largest, inputs, outputs, ands })
    }

    fn definitions(&mut self, lexer: &mut Lexer<'_>, header: Header) -> Result<(), ReadError> {
        for index in 0..header.inputs {
            let node = defined(lexer, header, "an input")?;
            self.define(lexer, node, Node::Input(index as usize))?;
            self.inputs.push(None);
            line_end(lexer)?;
        }
        for _ in 0..header.outputs {
            let signal = signal(lexer, header, "an output")?;
            self.outputs.push((signal, None));
            line_end(lexer)?;
        }
        for _ in 0..header.ands {
            let node = defined(lexer, header, "a conjunction")?;
            lexer.skip_blanks()?;
            // The definition is entered before its operands are read, so that errors point at the right word.
            self.define(lexer, node, Node::And([0; 2]))?;
            let left = signal(lexer, header, "an operand")?;
            lexer.skip_blanks()?;
            let right = signal(lexer, header, "an operand")?;
            self.nodes.insert(node, Node::And([left, right]));
            self.order.push(node);
            line_end(lexer)?;
        }
        Ok(())
    }

    fn define(&mut self, lexer: &mut Lexer<'_>, node: u64, as_what: Node) -> Result<(), ReadError> {
        match self.nodes.insert(node, as_what) {
            None => Ok(()),
            Some(_) => Err(lexer.error(format!("{} is defined twice", 2 * node), "")),
        }
    }

    /// The symbol table: every input and every output has its variable there, once. A comment section may follow.
    fn symbols(&mut self, lexer: &mut Lexer<'_>) -> Result<(), ReadError> {
        const SYMBOL: &str = "a symbol 'iK VARIABLE' or 'oK VARIABLE', or 'c'";
        let (mut read_by_inputs, mut made) = (FxHashSet::default(), FxHashSet::default());
        while lexer.peek()?.is_some() {
            lexer.mark();
            let word = lexer.word()?;
            if word == b"c" {
                return Ok(());
            }
            let (kind, digits) =
                word.split_first().map_or((0, ""), |(&kind, rest)| (kind, str::from_utf8(rest).unwrap_or("")));
            // A number too large for any place names nothing either.
            let numeric = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let index = numeric.then(|| digits.parse().unwrap_or(usize::MAX));
            let place = match (kind, index) {
                (b'i', Some(index)) => self.inputs.get_mut(index),
                (b'o', Some(index)) => self.outputs.get_mut(index).map(|(_, var)| var),
                _ => return Err(lexer.unexpected_token("is not a symbol", SYMBOL)),
            };
            let Some(place) = place else {
                return Err(lexer.unexpected_token("names nothing that is there", SYMBOL));
            };
            if place.is_some() {
                return Err(lexer.unexpected_token("is named twice", ""));
            }
            lexer.skip_blanks()?;
            let number = lexer.number(Var::LIMIT as u64, "the number of a variable")?;
            if number == 0 {
                return Err(lexer.unexpected_token("is not a variable", "the number of a variable"));
            }
            let var = Var::from_index(number as usize - 1);
            *place = Some(var);
            let (seen, what) =
                if kind == b'i' { (&mut read_by_inputs, "two inputs") } else { (&mut made, "two outputs") };
            if !seen.insert(var) {
                return Err(lexer.error(format!("{what} have the variable {var}"), ""));
            }
            line_end(lexer)?;
        }
        Ok(())
    }

    /// Sorts the conjunctions, operands first, without recursion.
    fn finish(self, lexer: &mut Lexer<'_>) -> Result<Aig, ReadError> {
        lexer.mark();
        let missing = |what: &str, index: usize| format!("{what}{index} has no symbol that names its variable");
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for (index, var) in self.inputs.iter().enumerate() {
            inputs.push(var.ok_or_else(|| lexer.error(missing("i", index), ""))?);
        }
        let mut graph = Aig::new(inputs);
        // Signals of nodes in the graph; a node that is being defined stands as `None`.
        let mut signals: FxHashMap<u64, Option<Lit>> = FxHashMap::default();
        signals.insert(0, Some(Aig::FALSE));
        for (&node, what) in &self.nodes {
            if let Node::Input(index) = *what {
                signals.insert(node, Some(graph.input(index)));
            }
        }
        let of = |signals: &FxHashMap<u64, Option<Lit>>, signal: u64| {
            signals[&(signal / 2)].map(|lit| if signal % 2 == 1 { !lit } else { lit })
        };
        let roots = self.order.iter().copied().chain(self.outputs.iter().map(|(signal, _)| signal / 2));
        for root in roots {
            let mut open = vec![root];
            while let Some(&node) = open.last() {
                if let Some(Some(_)) = signals.get(&node) {
                    open.pop();
                    continue;
                }
                let Some(&Node::And(operands)) = self.nodes.get(&node) else {
                    return Err(lexer.error(format!("{} is used but not defined", 2 * node), ""));
                };
                signals.insert(node, None);
                let ready = operands.map(|operand| signals.get(&(operand / 2)).copied());
                if let Some(at) = ready.iter().position(Option::is_none) {
                    open.push(operands[at] / 2);
                } else if let [Some(Some(_)), Some(Some(_))] = ready {
                    let [left, right] = operands.map(|operand| of(&signals, operand).unwrap_or(Aig::FALSE));
                    let signal = graph.and(left, right);
                    signals.insert(node, Some(signal));
                    open.pop();
                } else {
                    // An operand without a signal is below on the stack, so it waits for this node.
                    return Err(lexer.error(format!("{} depends on itself", 2 * node), ""));
                }
            }
        }
        for (index, &(signal, var)) in self.outputs.iter().enumerate() {
            let var = var.ok_or_else(|| lexer.error(missing("o", index), ""))?;
            graph.output(var, of(&signals, signal).unwrap_or(Aig::FALSE));
        }
        Ok(graph)
    }
}

/// A signal: a node number times two, plus one if it is negated.
fn signal(lexer: &mut Lexer<'_>, header: Header, what: &str) -> Result<u64, ReadError> {
    lexer.number(2 * header.largest + 1, what)
}

/// The node of a signal that is defined here: not negated, not a constant.
fn defined(lexer: &mut Lexer<'_>, header: Header, what: &str) -> Result<u64, ReadError> {
    match signal(lexer, header, what)? {
        signal if signal >= 2 && signal % 2 == 0 => Ok(signal / 2),
        _ => Err(lexer.unexpected_token("cannot be defined", "an even number from 2 on")),
    }
}

fn line_end(lexer: &mut Lexer<'_>) -> Result<(), ReadError> {
    lexer.skip_blanks()?;
    if lexer.peek()?.is_none() || lexer.line_end()? {
        Ok(())
    } else {
        Err(lexer.unexpected("is too much", "the end of the line"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Aig, String> {
        read_aiger(&mut text.as_bytes(), "t").map_err(|error| error.to_string())
    }

    #[test]
    fn gates_come_in_any_order() {
        let graph = read("aag 4 2 0 1 2\n2\n4\n9\n8 6 3\n6 4 2\ni0 5\ni1 9\no0 7\nc\nanything\n").unwrap();
        assert_eq!(graph.inputs(), [Var::from_dimacs(5), Var::from_dimacs(9)]);
        // not ((i1 and i0) and not i0) is always true.
        for bits in 0..4 {
            let values = graph.evaluate(|var| if var.to_dimacs() == 5 { bits & 1 != 0 } else { bits & 2 != 0 });
            assert_eq!(values, [true]);
        }
    }

    #[test]
    fn written_graphs_come_back() {
        let mut graph = Aig::new(vec![Var::from_dimacs(2), Var::from_dimacs(40)]);
        let (a, b) = (graph.input(0), graph.input(1));
        let one = graph.or(a, !b);
        let other = graph.and(one, b);
        graph.output(Var::from_dimacs(7), !other);
        graph.output(Var::from_dimacs(3), Aig::TRUE);
        let mut text = Vec::new();
        write_aiger(&graph, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text, "aag 4 2 0 2 2\n2\n4\n9\n1\n6 3 4\n8 7 4\ni0 2\ni1 40\no0 7\no1 3\n");
        assert_eq!(read(&text).unwrap(), graph);
    }

    #[test]
    fn wrong_circuits_are_explained() {
        let cases = [
            ("", "t:1:1: the file ends"),
            ("p cnf 1 1\n", "'p' is an unknown header"),
            ("aig 0 0 0 0 0\n", "this is binary AIGER"),
            ("aag 1 0 1 0 0\n2 0\n", "there are latches"),
            ("aag 1 1 0 0 1\n", "need more than 1 nodes"),
            ("aag 2 1 0 0 1\n2\n4 6 2\n", "'6' is too large"),
            ("aag 2 1 0 0 1\n2\n3 2 2\n", "'3' cannot be defined"),
            ("aag 2 1 0 0 1\n2\n2 1 0\n", "2 is defined twice"),
            ("aag 3 1 0 0 2\n2\n4 6 2\n6 4 2\ni0 1\n", "depends on itself"),
            ("aag 2 1 0 0 1\n2\n4 5 2\ni0 1\n", "4 depends on itself"),
            ("aag 3 1 0 0 1\n2\n4 6 2\ni0 1\n", "6 is used but not defined"),
            ("aag 1 1 0 1 0\n2\n2\ni0 1\n", "o0 has no symbol"),
            ("aag 1 1 0 1 0\n2\n2\ni0 x\n", "'x' is not a number"),
            ("aag 1 1 0 1 0\n2\n2\ni1 1\n", "'i1' names nothing that is there"),
            ("aag 2 2 0 0 0\n2\n4\ni0 1\ni1 1\n", "two inputs have the variable 1"),
            ("aag 1 1 0 1 0\n2\n", "the file ends"),
            ("aag 1 1 0 0 0\n2 4\n", "'4' is too much"),
            ("aag 2000000000 1000000000 0 0 1000000000\n", "the file ends"),
        ];
        for (text, message) in cases {
            let error = read(text).unwrap_err();
            assert!(error.contains(message), "{text:?}: {error}");
        }
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let n = 200_000u64;
        let mut text = format!("aag {} 1 0 1 {n}\n2\n{}\n", n + 1, 2 * (n + 1));
        for node in (2..n + 2).rev() {
            text += &format!("{} {} {}\n", 2 * node, 2 * (node - 1), 2 * (node - 1));
        }
        text += "i0 1\no0 2\n";
        let graph = read(&text).unwrap();
        assert_eq!(graph.evaluate(|_| true), [true]);
        assert_eq!(graph.evaluate(|_| false), [false]);
    }
}

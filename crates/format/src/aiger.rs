//! AIGER, as far as certificates need it: inputs, outputs and conjunctions, no latches. Both forms are read and written, the
//! ASCII one (`aag`) and the binary one (`aig`), which is about four times smaller. Grammar: `grammars/aiger.ebnf`.
//!
//! The symbol of an input or output is the number of its variable: `i0 7`, `o2 12`. In ASCII conjunctions may come in any
//! order; they are sorted here, and a cycle is refused. Beyond that the graph is what was written: nothing is simplified.
//! Nothing is allocated for what the header merely announces.
//!
//! What stands in the comment section is ignored.

use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use gamesat_core::formula::{Aig, Lit, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::io::{Read, Write};

/// The two forms of AIGER.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AigerForm {
    /// `aag`: one line per conjunction.
    #[default]
    Ascii,
    /// `aig`: a few bytes per conjunction.
    Binary,
}

/// Reads a certificate in either form. `name` is what errors call the input.
///
/// # Errors
/// Text that is not a combinational AIGER circuit with a variable for every input and output, and input that cannot be
/// read.
pub fn read_aiger(source: &mut dyn Read, name: &str) -> Result<Aig, ReadError> {
    let mut lexer = Lexer::new(source, name, false);
    lexer.skip_byte_order_mark()?;
    let mut reader = Reader::default();
    let header = reader.header(&mut lexer)?;
    reader.inputs(&mut lexer, header)?;
    reader.outputs(&mut lexer, header)?;
    match header.form {
        AigerForm::Ascii => reader.conjunctions(&mut lexer, header)?,
        AigerForm::Binary => reader.deltas(&mut lexer, header)?,
    }
    if reader.symbols(&mut lexer)? {
        comments(&mut lexer)?;
    }
    reader.finish(&mut lexer)
}

/// Writes a certificate.
///
/// # Errors
/// Output that fails.
pub fn write_aiger(graph: &Aig, form: AigerForm, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut out = std::io::BufWriter::new(out);
    let (inputs, outputs, ands) = (graph.inputs().len(), graph.outputs().len(), graph.ands().len());
    let word = if form == AigerForm::Ascii { "aag" } else { "aig" };
    writeln!(out, "{word} {} {inputs} 0 {outputs} {ands}", graph.num_nodes() - 1)?;
    if form == AigerForm::Ascii {
        for index in 0..inputs {
            writeln!(out, "{}", graph.input(index).code())?;
        }
    }
    for (_, signal) in graph.outputs() {
        writeln!(out, "{}", signal.code())?;
    }
    for (index, [left, right]) in graph.ands().iter().enumerate() {
        let own = 2 * (1 + inputs + index);
        match form {
            AigerForm::Ascii => writeln!(out, "{own} {} {}", left.code(), right.code())?,
            AigerForm::Binary => {
                write_delta(&mut out, own - left.code())?;
                write_delta(&mut out, left.code() - right.code())?;
            }
        }
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

/// Seven bits a byte, the lowest first; all bytes but the last have their highest bit set.
fn write_delta(out: &mut dyn Write, mut delta: usize) -> Result<(), WriteError> {
    while delta >= 0x80 {
        out.write_all(&[delta as u8 | 0x80])?;
        delta >>= 7;
    }
    out.write_all(&[delta as u8])?;
    Ok(())
}

/// The numbers of the header that matter.
#[derive(Clone, Copy)]
struct Header {
    form: AigerForm,
    largest: u64,
    inputs: u64,
    outputs: u64,
    ands: u64,
}

/// What a node is.
#[derive(Clone, Copy)]
enum Node {
    Input(usize),
    And([u64; 2]),
}

#[derive(Default)]
struct Reader {
    /// Inputs that are not written because the form is binary: the first nodes.
    implied: u64,
    /// The others, in the order of the file.
    nodes: Vec<Node>,
    /// The first of them have the numbers from `implied + 1` up to this one, as most files have it.
    dense: u64,
    /// Places of the rest.
    places: FxHashMap<u64, usize>,
    inputs: u64,
    input_names: FxHashMap<u64, Var>,
    outputs: Vec<(u64, Option<Var>)>,
}

impl Reader {
    fn header(&mut self, lexer: &mut Lexer<'_>) -> Result<Header, ReadError> {
        lexer.mark();
        let form = match lexer.word()? {
            b"aag" => AigerForm::Ascii,
            b"aig" => AigerForm::Binary,
            _ => {
                return Err(
                    lexer.unexpected_token("is an unknown header", "the header 'aag M I L O A' or 'aig M I L O A'")
                );
            }
        };
        let mut numbers = [0; 5];
        for (number, what) in numbers.iter_mut().zip(["M", "I", "L", "O", "A"]) {
            lexer.skip_blanks()?;
            *number = lexer.number(Var::LIMIT as u64 - 1, &format!("the number {what} of 'M I L O A'"))?;
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
        if form == AigerForm::Binary && inputs + ands < largest {
            return Err(lexer.error(format!("{inputs} inputs and {ands} conjunctions are not {largest} nodes"), ""));
        }
        line_end(lexer)?;
        Ok(Header { form, largest, inputs, outputs, ands })
    }

    /// In the binary form they are not written: they are the first nodes.
    fn inputs(&mut self, lexer: &mut Lexer<'_>, header: Header) -> Result<(), ReadError> {
        self.inputs = header.inputs;
        if header.form == AigerForm::Binary {
            self.implied = header.inputs;
            self.dense = header.inputs;
            return Ok(());
        }
        for index in 0..header.inputs {
            let node = defined(lexer, header, "an input")?;
            self.define(lexer, node, Node::Input(index as usize))?;
            line_end(lexer)?;
        }
        Ok(())
    }

    fn outputs(&mut self, lexer: &mut Lexer<'_>, header: Header) -> Result<(), ReadError> {
        for _ in 0..header.outputs {
            let signal = signal(lexer, header, "an output")?;
            self.outputs.push((signal, None));
            line_end(lexer)?;
        }
        Ok(())
    }

    fn conjunctions(&mut self, lexer: &mut Lexer<'_>, header: Header) -> Result<(), ReadError> {
        for _ in 0..header.ands {
            let node = defined(lexer, header, "a conjunction")?;
            lexer.skip_blanks()?;
            // The definition is entered before its operands are read, so that errors point at the right word.
            self.define(lexer, node, Node::And([0; 2]))?;
            let place = self.nodes.len() - 1;
            let left = signal(lexer, header, "an operand")?;
            lexer.skip_blanks()?;
            let right = signal(lexer, header, "an operand")?;
            self.nodes[place] = Node::And([left, right]);
            line_end(lexer)?;
        }
        Ok(())
    }

    /// The conjunctions of the binary form: what is subtracted from the own signal for the first operand, and from that
    /// for the second.
    fn deltas(&mut self, lexer: &mut Lexer<'_>, header: Header) -> Result<(), ReadError> {
        for index in 0..header.ands {
            let node = header.inputs + 1 + index;
            let (first, second) = (delta(lexer)?, delta(lexer)?);
            let left = (2 * node).checked_sub(first).filter(|_| first > 0);
            let Some((left, right)) = left.and_then(|left| left.checked_sub(second).map(|right| (left, right))) else {
                return Err(lexer.error(format!("the operands of {} do not come before it", 2 * node), ""));
            };
            self.define(lexer, node, Node::And([left, right]))?;
        }
        Ok(())
    }

    fn define(&mut self, lexer: &mut Lexer<'_>, node: u64, as_what: Node) -> Result<(), ReadError> {
        if self.place(node).is_some() {
            return Err(lexer.error(format!("{} is defined twice", 2 * node), ""));
        }
        if node == self.dense + 1 && self.dense - self.implied == self.nodes.len() as u64 {
            self.dense = node;
        } else {
            self.places.insert(node, self.nodes.len());
        }
        self.nodes.push(as_what);
        Ok(())
    }

    /// The place of a node's definition, if it has one.
    fn place(&self, node: u64) -> Option<usize> {
        if node > self.dense {
            return self.places.get(&node).copied();
        }
        node.checked_sub(self.implied + 1).map(|place| place as usize)
    }

    /// The symbol table: every input and every output has its variable there, once. Says whether a comment section follows.
    fn symbols(&mut self, lexer: &mut Lexer<'_>) -> Result<bool, ReadError> {
        const SYMBOL: &str = "a symbol 'iK VARIABLE' or 'oK VARIABLE', or 'c'";
        let (mut read_by_inputs, mut made) = (FxHashSet::default(), FxHashSet::default());
        while lexer.peek()?.is_some() {
            lexer.mark();
            let word = lexer.word()?;
            if word == b"c" {
                return Ok(true);
            }
            let (kind, digits) =
                word.split_first().map_or((0, ""), |(&kind, rest)| (kind, str::from_utf8(rest).unwrap_or("")));
            // A number too large for any place names nothing either.
            let numeric = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let index = numeric.then(|| digits.parse().unwrap_or(u64::MAX));
            let (index, count, named) = match (kind, index) {
                (b'i', Some(index)) => (index, self.inputs, self.input_names.contains_key(&index)),
                (b'o', Some(index)) => {
                    let named = self.outputs.get(index as usize).is_some_and(|(_, var)| var.is_some());
                    (index, self.outputs.len() as u64, named)
                }
                _ => return Err(lexer.unexpected_token("is not a symbol", SYMBOL)),
            };
            if index >= count {
                return Err(lexer.unexpected_token("names nothing that is there", SYMBOL));
            }
            if named {
                return Err(lexer.unexpected_token("is named twice", ""));
            }
            lexer.skip_blanks()?;
            let number = lexer.number(Var::LIMIT as u64, "the number of a variable")?;
            if number == 0 {
                return Err(lexer.unexpected_token("is not a variable", "the number of a variable"));
            }
            let var = Var::from_index(number as usize - 1);
            let (seen, what) = if kind == b'i' {
                self.input_names.insert(index, var);
                (&mut read_by_inputs, "two inputs")
            } else {
                self.outputs[index as usize].1 = Some(var);
                (&mut made, "two outputs")
            };
            if !seen.insert(var) {
                return Err(lexer.error(format!("{what} have the variable {var}"), ""));
            }
            line_end(lexer)?;
        }
        Ok(false)
    }

    /// Sorts the conjunctions, operands first, without recursion.
    fn finish(self, lexer: &mut Lexer<'_>) -> Result<Aig, ReadError> {
        lexer.mark();
        let missing = |what: &str, index: u64| format!("{what}{index} has no symbol that names its variable");
        let mut inputs = Vec::with_capacity(self.input_names.len());
        for index in 0..self.inputs {
            let var = self.input_names.get(&index).copied();
            inputs.push(var.ok_or_else(|| lexer.error(missing("i", index), ""))?);
        }
        let mut graph = Aig::new(inputs);
        let mut signals = vec![Signal::Unknown; self.nodes.len()];
        let mut open: Vec<usize> = Vec::new();
        for place in 0..self.nodes.len() {
            let mut next = Some(place);
            while let Some(place) = next {
                let waits = match (signals[place], self.nodes[place]) {
                    (Signal::Known(_), _) => None,
                    (_, Node::Input(index)) => {
                        signals[place] = Signal::Known(graph.input(index));
                        None
                    }
                    (_, Node::And(operands)) => {
                        signals[place] = Signal::Open;
                        match operands.map(|operand| self.known(&signals, operand)) {
                            [Some(left), Some(right)] => {
                                signals[place] = Signal::Known(graph.push_and(left, right));
                                None
                            }
                            [None, _] => Some(operands[0]),
                            [_, None] => Some(operands[1]),
                        }
                    }
                };
                next = match waits {
                    None => open.pop(),
                    Some(operand) => {
                        let Some(needed) = self.place(operand / 2) else {
                            return Err(lexer.error(format!("{} is used but not defined", operand & !1), ""));
                        };
                        // An open operand is below on the stack, so it waits for this node.
                        if matches!(signals[needed], Signal::Open) {
                            return Err(lexer.error(format!("{} depends on itself", operand & !1), ""));
                        }
                        open.push(place);
                        Some(needed)
                    }
                };
            }
        }
        for (index, &(signal, var)) in self.outputs.iter().enumerate() {
            let var = var.ok_or_else(|| lexer.error(missing("o", index as u64), ""))?;
            let Some(signal) = self.known(&signals, signal) else {
                return Err(lexer.error(format!("{} is used but not defined", signal & !1), ""));
            };
            graph.output(var, signal);
        }
        Ok(graph)
    }

    /// The signal in the graph, if its node is there already.
    fn known(&self, signals: &[Signal], signal: u64) -> Option<Lit> {
        let node = match signal / 2 {
            0 => Aig::FALSE,
            node if node <= self.implied => Var::from_index(node as usize).positive(),
            node => match signals[self.place(node)?] {
                Signal::Known(lit) => lit,
                Signal::Unknown | Signal::Open => return None,
            },
        };
        Some(if signal % 2 == 1 { !node } else { node })
    }
}

/// The comment section, which says nothing.
fn comments(lexer: &mut Lexer<'_>) -> Result<(), ReadError> {
    lexer.skip_line()?;
    while lexer.line_end()? && lexer.peek()?.is_some() {
        lexer.skip_line()?;
    }
    Ok(())
}

/// What is known of a node while the conjunctions are sorted.
#[derive(Clone, Copy)]
enum Signal {
    Unknown,
    /// It waits for an operand.
    Open,
    Known(Lit),
}

/// A number of the binary form.
fn delta(lexer: &mut Lexer<'_>) -> Result<u64, ReadError> {
    let mut delta = 0;
    for shift in (0..35).step_by(7) {
        lexer.mark();
        let Some(byte) = lexer.peek()? else { return Err(lexer.unexpected("", "a conjunction")) };
        lexer.advance(1);
        delta |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(delta);
        }
    }
    Err(lexer.error("a number of the binary part is too large", ""))
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
        let written = |form| {
            let mut text = Vec::new();
            write_aiger(&graph, form, &mut text).unwrap();
            String::from_utf8(text).unwrap()
        };
        let text = written(AigerForm::Ascii);
        assert_eq!(text, "aag 4 2 0 2 2\n2\n4\n9\n1\n6 4 3\n8 4 2\ni0 2\ni1 40\no0 7\no1 3\n");
        assert_eq!(read(&text).unwrap(), graph);
        let text = written(AigerForm::Binary);
        assert_eq!(text, "aig 4 2 0 2 2\n9\n1\n\x02\x01\x04\x02i0 2\ni1 40\no0 7\no1 3\n");
        assert_eq!(read(&text).unwrap(), graph);
    }

    #[test]
    fn comments_are_ignored() {
        let plain = "aag 3 2 0 1 1\n2\n4\n6\n6 4 2\ni0 1\ni1 2\no0 3\n";
        let graph = read(plain).unwrap();
        for comment in
            ["c", "c\n", "c\r\nmade by hand \r\n", "c\ncases 6 7\nclaim 2\n\nlemma 3 5\n", "c\ncases -99 x\no0 3\n"]
        {
            assert_eq!(read(&format!("{plain}{comment}")).unwrap(), graph, "{comment:?}");
        }
    }

    #[test]
    fn long_distances_need_more_bytes() {
        let mut graph = Aig::new((0..20_000).map(Var::from_index).collect());
        let (first, last) = (graph.input(0), graph.input(19_999));
        let and = graph.and(first, last);
        graph.output(Var::from_index(20_000), and);
        let mut text = Vec::new();
        write_aiger(&graph, AigerForm::Binary, &mut text).unwrap();
        assert_eq!(read_aiger(&mut &text[..], "t").unwrap(), graph);
    }

    #[test]
    fn wrong_circuits_are_explained() {
        let cases = [
            ("", "t:1:1: the file ends"),
            ("p cnf 1 1\n", "'p' is an unknown header"),
            ("aig 2 1 0 0 0\n", "are not 2 nodes"),
            ("aig 2 1 0 0 1\n\x02", "the file ends"),
            ("aig 2 1 0 0 1\n\x00\x00", "the operands of 4 do not come before it"),
            ("aig 2 1 0 0 1\n\x02\x03", "the operands of 4 do not come before it"),
            ("aig 1 1 0 0 0\n", "i0 has no symbol"),
            ("aig 2000000000 2000000000 0 0 0\ni1 7\n", "i0 has no symbol"),
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

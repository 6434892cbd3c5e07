//! Strategy files: how a player wins a game, for `gamesat check`. Grammar: `grammars/strategy.ebnf`.
//!
//! ```text
//! p strategy max 4          whose strategy, number of nodes
//! l 1 0 3 4 0               node 1, a leaf: 1 is TRUE, and of 3 and 4 one will be; that decides the game
//! l 2 0 0                   node 2, a leaf: 2 is TRUE
//! m 2 2                     node 3: play 2 TRUE, go on with node 2
//! r 3 0 -2 1 0              node 4, the opponent moved: node 3 for every reply that leaves it its elements, node 1 after -2
//! ```
//! With `s NODE` the player plays any element on which nothing rests. Nodes are numbered by their place, refer to earlier
//! ones only, and the last is the root. What they mean, and why that is a proof, is said in `crates/check/src/proof/strategy.rs`.

use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use super::proof::has_header;
use super::rows::{LITERAL, RowWriter};
use gamesat_core::formula::{Lit, Player, Strategy, StrategyNode};
use std::io::{Read, Write};

const HEADER: &str = "the header 'p strategy max|min NODES'";
const NODE: &str = "a node: l, m, s or r";

/// Whether a text that begins like this is a strategy file rather than something else.
pub fn is_strategy(first_bytes: &[u8]) -> bool {
    has_header(first_bytes, b"strategy")
}

/// Reads a strategy. `name` is what errors call the input.
///
/// # Errors
/// Text that is not in the format, and input that cannot be read.
pub fn read_strategy(source: &mut dyn Read, name: &str) -> Result<Strategy, ReadError> {
    let lexer = &mut Lexer::new(source, name, false);
    lexer.skip_byte_order_mark()?;
    lexer.preamble(HEADER)?;
    if lexer.header_word()? != b"strategy" {
        return Err(lexer.unexpected_token("is an unknown header", HEADER));
    }
    let winner = match lexer.header_word()? {
        b"max" => Player::Max,
        b"min" => Player::Min,
        _ => return Err(lexer.unexpected_token("is not a player", "max or min")),
    };
    let announced = lexer.header_number(i32::MAX as u64, "the number of nodes")?;
    lexer.expect_line_end()?;
    let mut reader = Reader { lexer, strategy: Strategy::new(winner), lits: Vec::new(), children: Vec::new() };
    while reader.node()? {}
    let Reader { lexer, strategy, .. } = reader;
    lexer.mark_end();
    if strategy.len() != announced {
        // Unlike a formula's, this number matters: a strategy that was cut off has another root.
        let message = format!("the header announces {announced} nodes, but there are {}", strategy.len());
        return Err(lexer.error(message, "as many nodes as announced"));
    }
    if strategy.is_empty() {
        return Err(lexer.error("there is no node", NODE));
    }
    Ok(strategy)
}

/// Writes a strategy.
///
/// # Errors
/// Output that fails.
pub fn write_strategy(strategy: &Strategy, out: &mut dyn Write) -> Result<(), WriteError> {
    writeln!(out, "p strategy {} {}", strategy.winner(), strategy.len())?;
    let mut writer = RowWriter::new(out);
    let number = |&child: &u32| child as i32 + 1;
    for node in strategy.nodes() {
        match node {
            StrategyNode::Leaf { holds, pairs } => {
                writer.word("l");
                let (holds, pairs) = (holds.iter().map(|lit| lit.to_dimacs()), pairs.iter().map(|lit| lit.to_dimacs()));
                writer.row(holds.chain([0]).chain(pairs))?;
            }
            StrategyNode::Move { lit, child } => writer.line(&format!("m {lit} {}", number(&child)))?,
            StrategyNode::Spare { child } => writer.line(&format!("s {}", number(&child)))?,
            StrategyNode::Replies { any, lits, after } => {
                writer.word("r");
                let after = lits.iter().zip(after).flat_map(|(lit, child)| [lit.to_dimacs(), number(child)]);
                writer.row(any.iter().map(number).chain([0]).chain(after))?;
            }
        }
    }
    writer.flush()
}

struct Reader<'a, 'b> {
    lexer: &'a mut Lexer<'b>,
    strategy: Strategy,
    /// Of the node that is being read.
    lits: Vec<Lit>,
    children: Vec<u32>,
}

impl Reader<'_, '_> {
    /// Reads a node. False at the end of the input.
    fn node(&mut self) -> Result<bool, ReadError> {
        if self.lexer.next_row()?.is_none() {
            return Ok(false);
        }
        self.lits.clear();
        self.children.clear();
        let kind = match self.lexer.word()? {
            &[kind @ (b'l' | b'm' | b's' | b'r')] => kind,
            _ => return Err(self.lexer.unexpected_token("is not a node", NODE)),
        };
        if self.strategy.len() >= i32::MAX as usize {
            return Err(self.lexer.error("there are too many nodes", format!("at most {}", i32::MAX)));
        }
        match kind {
            b'l' => {
                while let Some(lit) = self.literal_or_end()? {
                    self.lits.push(lit);
                }
                let split = self.lits.len();
                while let Some(lit) = self.literal_or_end()? {
                    self.lits.push(lit);
                }
                if (self.lits.len() - split) % 2 == 1 {
                    return Err(self.lexer.error("the last pair is incomplete", "a second literal"));
                }
                self.has_room()?;
                let (holds, pairs) = self.lits.split_at(split);
                self.strategy.push(StrategyNode::Leaf { holds, pairs });
            }
            b'm' => {
                let Some(lit) = self.literal_or_end()? else {
                    return Err(self.lexer.unexpected_token("is not a move", "a literal"));
                };
                let child = self.child()?;
                self.has_room()?;
                self.strategy.push(StrategyNode::Move { lit, child });
            }
            b's' => {
                let child = self.child()?;
                self.has_room()?;
                self.strategy.push(StrategyNode::Spare { child });
            }
            _ => {
                while let Some(child) = self.child_or_end()? {
                    self.children.push(child);
                }
                let split = self.children.len();
                while let Some(lit) = self.literal_or_end()? {
                    let child = self.child()?;
                    self.lits.push(lit);
                    self.children.push(child);
                }
                self.has_room()?;
                let (any, after) = self.children.split_at(split);
                self.strategy.push(StrategyNode::Replies { any, lits: &self.lits, after });
            }
        }
        Ok(true)
    }

    /// Makes sure that the node's numbers fit.
    fn has_room(&mut self) -> Result<(), ReadError> {
        if self.strategy.size() + self.lits.len() + self.children.len() + 1 > Strategy::LIMIT {
            return Err(self.lexer.error("the strategy is too large", format!("at most {} numbers", Strategy::LIMIT)));
        }
        Ok(())
    }

    /// The next number, which is part of a node.
    fn number(&mut self, expected: &str) -> Result<i32, ReadError> {
        if self.lexer.next_in_row()?.is_none() {
            self.lexer.mark_end();
            return Err(self.lexer.error("the last node is incomplete", expected));
        }
        self.lexer.literal(expected)
    }

    fn literal_or_end(&mut self) -> Result<Option<Lit>, ReadError> {
        let number = self.number(LITERAL)?;
        Ok((number != 0).then(|| Lit::from_dimacs(number)))
    }

    fn child_or_end(&mut self) -> Result<Option<u32>, ReadError> {
        match self.number("the number of a node, or 0")? {
            0 => Ok(None),
            number => self.earlier(number).map(Some),
        }
    }

    fn child(&mut self) -> Result<u32, ReadError> {
        let number = self.number("the number of a node")?;
        self.earlier(number)
    }

    fn earlier(&mut self, number: i32) -> Result<u32, ReadError> {
        if number < 1 || number as usize > self.strategy.len() {
            let expected = format!("the number of an earlier node, 1 to {}", self.strategy.len());
            return Err(self.lexer.unexpected_token("is not an earlier node", expected));
        }
        Ok(number as u32 - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Strategy, String> {
        read_strategy(&mut text.as_bytes(), "s").map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = "p strategy max 5\nl 1 0 3 4 0\nl 2 0 0\nm 2 2\ns 1\nr 3 4 0 -2 1 0\n";
        let strategy = read(text).unwrap();
        let mut written = Vec::new();
        write_strategy(&strategy, &mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), text);
        assert_eq!(read(&format!("c made by hand\n\n{}", text.replace('\n', "\r\n"))), Ok(strategy));
    }

    #[test]
    fn errors_say_where_and_what() {
        let message = |text: &str| read(text).unwrap_err();
        assert_eq!(message("p strategy you 1\n"), "s:1:12: 'you' is not a player, expected max or min");
        assert_eq!(
            message("p strategy min 1\nm 1 1\n"),
            "s:2:5: '1' is not an earlier node, expected the number of an earlier node, 1 to 0"
        );
        assert_eq!(
            message("p strategy min 1\nl 1 0 2 0\n"),
            "s:2:9: the last pair is incomplete, expected a second literal"
        );
        assert_eq!(
            message("p strategy min 1\nl 1 0 2 3\n"),
            "s:2:10: the last node is incomplete, expected a literal or 0"
        );
        assert_eq!(
            message("p strategy min 2000000000\nl 0 0\n"),
            "s:2:6: the header announces 2000000000 nodes, but there are 1, expected as many nodes as announced"
        );
        assert_eq!(message("p strategy min 0\n"), "s:1:17: there is no node, expected a node: l, m, s or r");
    }

    #[test]
    fn strategies_are_recognised() {
        assert!(is_strategy(b"c hello\n\np  strategy max 3\n"));
        assert!(!is_strategy(b"p cnf 3 3\n"));
        assert!(!is_strategy(b""));
    }
}

//! Shannon's games on graphs, in DIMACS style. Grammar: `grammars/shannon.ebnf`.

use super::drawn::{board_of, next_line, read_side_name, unbounded, unfit};
use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use super::rows::check_count;
use super::{Syntax, is_header};
use gamesat_core::Problem;
use gamesat_core::graph::Graph;
use gamesat_core::rules::{Board, SHANNON_SIDES, Shannon as Rules, Side};
use rustc_hash::FxHashSet;
use std::io::Write;

const HEADER: &str = "the header 'p shannon vertex|edge VERTICES EDGES'";
const LINE: &str = "terminals, turn, max, played or e";
/// More vertices or edges than this are refused: a header alone must not fill the memory.
const MOST: u64 = 1 << 22;

pub(super) struct Shannon;

/// A colour that was read before its element could be placed: element, owner, and where that stands.
type Played = Vec<(usize, Side, (u64, u64))>;

impl Syntax for Shannon {
    fn name(&self) -> &'static str {
        "shannon"
    }

    fn recognises(&self, line: &str) -> bool {
        is_header(line, self.name())
    }

    fn read(&self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        lexer.preamble(HEADER)?;
        if lexer.header_word()? != b"shannon" {
            return Err(lexer.unexpected_token("is an unknown header", HEADER));
        }
        let edges = match lexer.header_word()? {
            b"edge" => true,
            b"vertex" => false,
            _ => return Err(lexer.unexpected_token("is an unknown game", "vertex or edge")),
        };
        let vertices = lexer.header_number(MOST, "the number of vertices")?;
        let count = lexer.header_number(MOST, "the number of edges")?;
        lexer.expect_line_end()?;
        let mut reader = Reader { edges, vertices, count, graph: None, seen: FxHashSet::default() };
        reader.read(lexer)
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        let Some(board) = board_of(problem) else { return Err(unfit("shannon")) };
        let Some(Rules { graph, terminals, edges }) = board.rules_as() else { return Err(unfit("shannon")) };
        unbounded(board)?;
        let kind = if *edges { "edge" } else { "vertex" };
        // In the vertex game parallel edges say nothing, and are not read.
        let mut seen = FxHashSet::default();
        let mut listed: Vec<(u32, u32)> = graph.edges().to_vec();
        listed.retain(|&(u, v)| *edges || seen.insert((u.min(v), u.max(v))));
        writeln!(out, "p shannon {kind} {} {}", graph.vertices(), listed.len())?;
        write!(out, "terminals")?;
        terminals.iter().try_for_each(|terminal| write!(out, " {}", terminal + 1))?;
        writeln!(out)?;
        writeln!(out, "turn {}", board.side_name(board.turn))?;
        if board.max == Side::Second {
            writeln!(out, "max {}", board.side_name(board.max))?;
        }
        if (0..board.elements()).any(|element| board.stone(element).is_some()) {
            write!(out, "played ")?;
            for element in 0..board.elements() {
                match board.stone(element) {
                    Some(Side::First) => write!(out, "{} ", element + 1)?,
                    Some(Side::Second) => write!(out, "-{} ", element + 1)?,
                    None => {}
                }
            }
            writeln!(out, "0")?;
        }
        for (u, v) in listed {
            writeln!(out, "e {} {}", u + 1, v + 1)?;
        }
        Ok(())
    }
}

struct Reader {
    edges: bool,
    vertices: usize,
    /// Edges that the header announces.
    count: usize,
    /// The graph, once the first edge was read: a header alone allocates nothing.
    graph: Option<Graph>,
    /// Edges read, to refuse parallel ones where they make no sense.
    seen: FxHashSet<(usize, usize)>,
}

impl Reader {
    fn read(&mut self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        let (mut terminals, mut turn, mut max) = (None, None, None);
        let mut played: Option<Played> = None;
        while next_line(lexer)? {
            match lexer.word()? {
                b"terminals" if terminals.is_some() => return Err(lexer.error("terminals are given twice", "")),
                b"turn" if turn.is_some() => return Err(lexer.error("turn is given twice", "")),
                b"max" if max.is_some() => return Err(lexer.error("max is given twice", "")),
                b"played" if played.is_some() => return Err(lexer.error("played is given twice", "")),
                b"terminals" => terminals = Some(self.terminals(lexer)?),
                b"turn" => turn = Some(read_side_name(lexer, SHANNON_SIDES)?),
                b"max" => max = Some(read_side_name(lexer, SHANNON_SIDES)?),
                b"played" => played = Some(self.played(lexer, terminals.as_deref())?),
                b"e" => self.edge(lexer)?,
                _ => return Err(lexer.unexpected_token("begins no line of this format", LINE)),
            }
        }
        lexer.mark();
        let Some(terminals) = terminals else {
            return Err(lexer.error("the file names no terminals", "a line 'terminals S T'"));
        };
        let graph = self.graph.take().unwrap_or_else(|| Graph::new(self.vertices));
        let read = graph.edges().len();
        check_count(lexer, "edge", self.count, read)?;
        let mut board = Board::new(Rules { graph, terminals, edges: self.edges });
        for (element, side, place) in played.into_iter().flatten() {
            if self.edges && element >= read {
                let message = format!("edge {} is out of range", element + 1);
                return Err(lexer.error_at(place, &(element + 1).to_string(), message, &format!("1 to {read}")));
            }
            board.place(element, side).map_err(|error| lexer.error(error.to_string(), ""))?;
        }
        board.turn = turn.unwrap_or_else(|| board.turn_by_count());
        board.max = max.unwrap_or(Side::First);
        Ok(Problem::Board(board))
    }

    fn vertex(&self, lexer: &mut Lexer<'_>) -> Result<usize, ReadError> {
        lexer.skip_blanks()?;
        let number = lexer.number(MOST, "a vertex")? as usize;
        if (1..=self.vertices).contains(&number) {
            Ok(number - 1)
        } else {
            let expected = format!("a vertex from 1 to {}", self.vertices);
            Err(lexer.error(format!("vertex {number} is out of range"), expected))
        }
    }

    fn edge(&mut self, lexer: &mut Lexer<'_>) -> Result<(), ReadError> {
        let u = self.vertex(lexer)?;
        let v = self.vertex(lexer)?;
        if u == v {
            return Err(lexer.error("the edge is a loop", "two different vertices"));
        }
        if !self.edges && !self.seen.insert((u.min(v), u.max(v))) {
            return Err(lexer.error("the edge is there already", "each edge once in the vertex game"));
        }
        let graph = self.graph.get_or_insert_with(|| Graph::new(self.vertices));
        if graph.edges().len() as u64 == MOST {
            return Err(lexer.error("the graph is too large", format!("at most {MOST} edges")));
        }
        graph.add_edge(u, v);
        lexer.expect_line_end()
    }

    /// Two vertices, or three where vertices are taken.
    fn terminals(&self, lexer: &mut Lexer<'_>) -> Result<Vec<usize>, ReadError> {
        let mut terminals = Vec::new();
        loop {
            lexer.skip_blanks()?;
            if terminals.len() >= 2 && matches!(lexer.peek()?, None | Some(b'\n' | b'\r')) {
                break;
            }
            if terminals.len() == 3 {
                break;
            }
            let terminal = self.vertex(lexer)?;
            if terminals.contains(&terminal) {
                return Err(lexer.error("the terminals are the same vertex", "two different vertices"));
            }
            terminals.push(terminal);
            if self.edges && terminals.len() == 3 {
                return Err(lexer.error("three terminals in the edge game", "two terminals"));
            }
        }
        lexer.expect_line_end()?;
        Ok(terminals)
    }

    fn played(&self, lexer: &mut Lexer<'_>, terminals: Option<&[usize]>) -> Result<Played, ReadError> {
        // How many edges there are is known at the end.
        let (what, most) = if self.edges { ("edge", MOST as usize) } else { ("vertex", self.vertices) };
        let mut played = Played::new();
        let mut taken = FxHashSet::default();
        loop {
            lexer.skip_blanks()?;
            if matches!(lexer.peek()?, None | Some(b'\n' | b'\r')) {
                return Err(lexer.error("the line 'played' has no final 0", "a literal or 0"));
            }
            let literal = lexer.literal("a literal or 0")?;
            let number = literal.unsigned_abs() as usize;
            if literal == 0 {
                lexer.expect_line_end()?;
                return Ok(played);
            }
            if number > most {
                return Err(lexer.error(format!("{what} {number} is out of range"), format!("1 to {most}")));
            }
            if !taken.insert(number) {
                return Err(lexer.error(format!("{what} {number} is played twice"), ""));
            }
            if !self.edges && terminals.is_some_and(|terminals| terminals.contains(&(number - 1))) {
                return Err(lexer.error(format!("{number} is a terminal: it cannot be taken"), ""));
            }
            played.push((number - 1, if literal > 0 { Side::First } else { Side::Second }, lexer.token_place()));
        }
    }
}

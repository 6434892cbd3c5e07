//! Positional games (`.pg`), the files of the papers on QBF encodings of such games. Grammar: `grammars/pg.ebnf`.
//!
//! A file is a list of sections, each a code word and lines of names. Black's goal is a list of winning sets, or a
//! connection: neighbours and two borders, or edges, source and target. `#times` bounds the game, `#blackturns` says when
//! Black moves.

use super::Syntax;
use super::drawn::{board_of, unfit};
use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use crate::Problem;
use crate::graph::Graph;
use crate::rules::{Board, Goal, Positional, Schedule, Side};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::io::Write;

const NAME: &str = "a name or a code word";

pub(super) struct Pg;

/// The code words; the second spelling of a border is the one in use.
const SECTIONS: [&str; 17] = [
    "#version",
    "#times",
    "#blackturns",
    "#positions",
    "#blackwins",
    "#whitewins",
    "#blackinitials",
    "#whiteinitials",
    "#neighbours",
    "#startborder",
    "#startboarder",
    "#endborder",
    "#endboarder",
    "#edges",
    "#source",
    "#target",
    "#firstmoves",
];

impl Syntax for Pg {
    fn name(&self) -> &'static str {
        "pg"
    }

    fn recognises(&self, line: &str) -> bool {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        (rest.is_empty() || rest.starts_with('%')) && SECTIONS.contains(&word.to_ascii_lowercase().as_str())
    }

    fn read(&self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        let mut file = File::default();
        file.read(lexer)?;
        file.board(lexer).map(Problem::Board)
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        let Some(board) = board_of(problem) else { return Err(unfit("positional")) };
        write_board(board, out)
    }
}

/// A name and where it stands, so that an error can point at it.
#[derive(Clone)]
struct Name {
    text: String,
    place: (u64, u64),
}

/// The sections as they were read, line by line.
#[derive(Default)]
struct File {
    sections: FxHashMap<&'static str, Vec<Vec<Name>>>,
}

impl File {
    fn read(&mut self, lexer: &mut Lexer<'_>) -> Result<(), ReadError> {
        let mut section: Option<&'static str> = None;
        loop {
            let Some(words) = read_line(lexer, section.is_some())? else {
                lexer.mark();
                return match section {
                    Some(_) => Ok(()),
                    None => Err(lexer.error("the file has no section", "a code word such as #positions")),
                };
            };
            if words.is_empty() {
                continue;
            }
            if let Some(word) = words.first().filter(|word| word.text.starts_with('#')) {
                let lower = word.text.to_ascii_lowercase();
                let flaw = |message: String, expected: &str| lexer.error_at(word.place, &word.text, message, expected);
                let Some(&known) = SECTIONS.iter().find(|&&known| known == lower) else {
                    return Err(flaw(format!("'{}' is an unknown code word", word.text), &SECTIONS.join(", ")));
                };
                let known = match known {
                    "#startborder" => "#startboarder",
                    "#endborder" => "#endboarder",
                    other => other,
                };
                if words.len() > 1 {
                    return Err(flaw("a code word shares its line".to_owned(), "the code word alone"));
                }
                if self.sections.contains_key(known) {
                    return Err(flaw(format!("{known} is given twice"), ""));
                }
                self.sections.insert(known, Vec::new());
                section = Some(known);
                continue;
            }
            if let Some(word) = words.iter().find(|word| word.text.starts_with('#')) {
                let message = format!("'{}' is no name", word.text);
                return Err(lexer.error_at(word.place, &word.text, message, "a code word stands alone on its line"));
            }
            if let Some(section) = section {
                self.sections.entry(section).or_default().push(words);
            }
        }
    }

    fn lines(&self, section: &str) -> &[Vec<Name>] {
        self.sections.get(section).map_or(&[], Vec::as_slice)
    }

    fn words(&self, section: &str) -> impl Iterator<Item = &Name> {
        self.lines(section).iter().flatten()
    }

    fn board(&self, lexer: &mut Lexer<'_>) -> Result<Board, ReadError> {
        lexer.mark();
        self.game().map_err(|flaw| match flaw.at {
            Some(name) => lexer.error_at(name.place, &name.text, flaw.message, flaw.expected),
            None => lexer.error(flaw.message, flaw.expected),
        })
    }

    fn game(&self) -> Result<Board, Flaw<'_>> {
        if let Some(name) = self.words("#firstmoves").next() {
            return Err(Flaw::at(name, "#firstmoves restricts the first move, which no game here can", ""));
        }
        let elements = self.elements()?;
        let black = elements.sets(self.lines("#blackwins"))?;
        let goal = match self.connection(&elements)? {
            Some(_) if !black.is_empty() => {
                return Err(Flaw::of_file("Black has both winning sets and a graph", "one of them"));
            }
            Some(goal) => goal,
            None => Goal::Sets(black),
        };
        let race = Some(elements.sets(self.lines("#whitewins"))?).filter(|sets| !sets.is_empty());
        let mut board = Board::new(Positional { names: elements.names.clone(), goal, race });
        for (section, side) in [("#blackinitials", Side::First), ("#whiteinitials", Side::Second)] {
            for name in self.words(section) {
                let element = elements.find(name)?;
                board.place(element, side).map_err(|error| Flaw::at(name, error.to_string(), ""))?;
            }
        }
        let has_won = |side: Side| {
            board.goal(side).is_some_and(|goal| goal.is_reached(|element| board.stone(element) == Some(side)))
        };
        if board.is_race() && has_won(Side::First) && has_won(Side::Second) {
            return Err(Flaw::of_file("both sides have won already", "at most one winner"));
        }
        board.turn = board.turn_by_count();
        self.schedule(&mut board)?;
        Ok(board)
    }

    /// The elements: the positions, or the vertices of the edges that are neither source nor target.
    fn elements(&self) -> Result<Elements<'_>, Flaw<'_>> {
        let is_end = |name: &Name| self.words("#source").chain(self.words("#target")).any(|end| end.text == name.text);
        let mut elements = Elements { names: Vec::new(), numbers: FxHashMap::default() };
        let listed = self.sections.contains_key("#positions");
        for name in self.words(if listed { "#positions" } else { "#edges" }).filter(|name| !is_end(name)) {
            if !elements.numbers.contains_key(name.text.as_str()) {
                elements.numbers.insert(&name.text, elements.names.len());
                elements.names.push(name.text.clone());
            } else if listed {
                return Err(Flaw::at(name, format!("'{}' is listed twice", name.text), "each position once"));
            }
        }
        Ok(elements)
    }

    /// Black's connection, if the file describes one.
    fn connection<'a>(&'a self, elements: &Elements<'a>) -> Result<Option<Goal>, Flaw<'a>> {
        let size = elements.names.len();
        let terminals = vec![size, size + 1];
        // Sorted, so that one board has one spelling.
        let mut edges: BTreeSet<(usize, usize)> = BTreeSet::new();
        if self.sections.contains_key("#neighbours") {
            for line in self.lines("#neighbours") {
                let from = elements.find(&line[0])?;
                // `NA` stands for a neighbour beyond the edge in some files.
                for to in line[1..].iter().filter(|name| name.text != "NA") {
                    let to = elements.find(to)?;
                    if from != to {
                        edges.insert((from.min(to), from.max(to)));
                    }
                }
            }
            for (border, &terminal) in ["#startboarder", "#endboarder"].into_iter().zip(&terminals) {
                for name in self.words(border) {
                    edges.insert((elements.find(name)?, terminal));
                }
            }
        } else if self.sections.contains_key("#edges") {
            let ends: Vec<&Name> = self.words("#source").chain(self.words("#target")).collect();
            if self.words("#source").count() != 1 || ends.len() != 2 || ends[0].text == ends[1].text {
                return Err(Flaw::of_file("a graph needs one source and another target", "#source and #target"));
            }
            for line in self.lines("#edges") {
                let [first, second] = &line[..] else {
                    return Err(Flaw::at(&line[0], "an edge joins two vertices", "two names on the line"));
                };
                let vertex = |name: &'a Name| match ends.iter().position(|end| end.text == name.text) {
                    Some(which) => Ok(terminals[which]),
                    None => elements.find(name),
                };
                let (u, v) = (vertex(first)?, vertex(second)?);
                if u == v {
                    return Err(Flaw::at(second, "the edge is a loop", "two different vertices"));
                }
                edges.insert((u.min(v), u.max(v)));
            }
        } else {
            return Ok(None);
        }
        let mut graph = Graph::new(size + 2);
        for (u, v) in edges {
            graph.add_edge(u, v);
        }
        Ok(Some(Goal::Vertices { graph, terminals }))
    }

    /// Who moves when, unless that is simply everybody in turn until the board is full.
    fn schedule(&self, board: &mut Board) -> Result<(), Flaw<'_>> {
        if !self.sections.contains_key("#times") {
            return Ok(());
        }
        let times: FxHashSet<&str> = self.words("#times").map(|time| time.text.as_str()).collect();
        if let Some(stray) = self.words("#blackturns").find(|turn| !times.contains(turn.text.as_str())) {
            return Err(Flaw::at(stray, format!("'{}' is no time", stray.text), "a name from #times"));
        }
        let black: FxHashSet<&str> = self.words("#blackturns").map(|time| time.text.as_str()).collect();
        let side = |time: &Name| if black.contains(time.text.as_str()) { Side::First } else { Side::Second };
        let plies: Vec<Side> = self.words("#times").map(side).collect();
        if let Some(&first) = plies.first() {
            board.turn = first;
        }
        let alternates = plies.windows(2).all(|pair| pair[0] != pair[1]);
        let whole = alternates && plies.len() >= board.free().count() && !board.is_race();
        board.schedule = (!whole).then_some(Schedule { plies, claimant: Side::First });
        Ok(())
    }
}

/// The elements' names and their numbers.
struct Elements<'a> {
    names: Vec<String>,
    numbers: FxHashMap<&'a str, usize>,
}

impl Elements<'_> {
    fn find<'n>(&self, name: &'n Name) -> Result<usize, Flaw<'n>> {
        let found = self.numbers.get(name.text.as_str()).copied();
        found.ok_or_else(|| Flaw::at(name, format!("'{}' is no position", name.text), "a name from #positions"))
    }

    fn sets<'n>(&self, lines: &'n [Vec<Name>]) -> Result<Vec<Vec<usize>>, Flaw<'n>> {
        lines.iter().map(|line| line.iter().map(|name| self.find(name)).collect()).collect()
    }
}

/// What is wrong with the whole, and which name shows it.
struct Flaw<'a> {
    at: Option<&'a Name>,
    message: String,
    expected: &'static str,
}

impl<'a> Flaw<'a> {
    fn at(name: &'a Name, message: impl Into<String>, expected: &'static str) -> Self {
        Flaw { at: Some(name), message: message.into(), expected }
    }

    fn of_file(message: &str, expected: &'static str) -> Self {
        Flaw { at: None, message: message.to_owned(), expected }
    }
}

/// The words of the next line without its comment; `None` at the end. Before the first section a line is read only as far
/// as it takes to see that it is a code word.
fn read_line(lexer: &mut Lexer<'_>, in_section: bool) -> Result<Option<Vec<Name>>, ReadError> {
    let mut words = Vec::new();
    loop {
        lexer.skip_blanks()?;
        match lexer.peek()? {
            None if words.is_empty() => return Ok(None),
            None => return Ok(Some(words)),
            Some(b'%') => lexer.skip_line()?,
            Some(b'\n' | b'\r') => {
                if words.is_empty() {
                    lexer.line_end()?;
                    return Ok(Some(words));
                }
                // The line end is left for the next call, so that errors about this line point at it.
                return Ok(Some(words));
            }
            Some(_) => {
                lexer.mark();
                let Ok(text) = std::str::from_utf8(lexer.word()?).map(str::to_owned) else {
                    return Err(lexer.unexpected_token("is no name", NAME));
                };
                if text.len() > 255 || text.contains(|c: char| c.is_control() || c.is_whitespace()) {
                    return Err(lexer.unexpected_token("is no name", NAME));
                }
                if !in_section && !text.starts_with('#') && words.is_empty() {
                    return Err(lexer.unexpected_token("stands before any section", "a code word"));
                }
                words.push(Name { text, place: lexer.token_place() });
                // A code word stands alone: the caller refuses a second word, however many follow.
                if words.len() == 2 && words[0].text.starts_with('#') {
                    return Ok(Some(words));
                }
            }
        }
    }
}

fn write_board(board: &Board, out: &mut dyn Write) -> Result<(), WriteError> {
    if board.max == Side::Second {
        return Err(WriteError::Unsupported("positional games are about Black; White cannot be MAX".to_owned()));
    }
    if board.claimant() == Side::Second {
        return Err(WriteError::Unsupported("in positional games it is Black who must have won in time".to_owned()));
    }
    // Whatever cannot be written is refused before anything is.
    let goal = board.goal(Side::First);
    if goal.is_some_and(|goal| goal.links() > 20_000_000) {
        return Err(WriteError::Unsupported("the graph is too dense to be written by vertices".to_owned()));
    }
    let goal = goal.cloned().map(Goal::on_vertices);
    if let Some(Goal::Vertices { graph, terminals }) = &goal {
        let [s, t] = terminals[..] else {
            return Err(WriteError::Unsupported("positional files know two borders, not three".to_owned()));
        };
        if graph.adjacency().of(s).iter().any(|&(to, _)| to as usize == t) {
            return Err(WriteError::Unsupported("the terminals are neighbours: there is no game".to_owned()));
        }
    }
    let names: Vec<String> = (0..board.elements()).map(|element| board.name(element)).collect();
    let line = |set: &[usize]| set.iter().map(|&e| names[e].as_str()).collect::<Vec<_>>().join(" ");
    for (section, side) in [("#blackinitials", Side::First), ("#whiteinitials", Side::Second)] {
        writeln!(out, "{section}")?;
        for element in (0..board.elements()).filter(|&element| board.stone(element) == Some(side)) {
            writeln!(out, "{}", names[element])?;
        }
    }
    let turns = board.schedule.as_ref().map_or_else(|| board.plies(), |schedule| schedule.plies.clone());
    writeln!(out, "#times")?;
    let times: Vec<String> = (1..=turns.len()).map(|time| format!("t{time}")).collect();
    writeln!(out, "{}", times.join(" "))?;
    writeln!(out, "#blackturns")?;
    let black: Vec<&str> =
        times.iter().zip(&turns).filter(|(_, side)| **side == Side::First).map(|(time, _)| time.as_str()).collect();
    writeln!(out, "{}", black.join(" "))?;
    writeln!(out, "#positions")?;
    let all: Vec<usize> = (0..board.elements()).filter(|&element| !board.is_terminal(element)).collect();
    writeln!(out, "{}", line(&all))?;
    match goal {
        Some(Goal::Sets(sets)) => {
            writeln!(out, "#blackwins")?;
            for set in sets {
                writeln!(out, "{}", line(&set))?;
            }
        }
        Some(Goal::Vertices { graph, terminals }) => {
            let adjacency = graph.adjacency();
            let is_element = |vertex: usize| vertex < board.elements() && !terminals.contains(&vertex);
            let neighbours = |vertex: usize| -> Vec<usize> {
                // Sorted, so that one board has one spelling.
                let near: BTreeSet<usize> = adjacency.of(vertex).iter().map(|&(to, _)| to as usize).collect();
                near.into_iter().filter(|&to| is_element(to)).collect()
            };
            writeln!(out, "#neighbours")?;
            for vertex in (0..board.elements()).filter(|&vertex| is_element(vertex)) {
                let mut row = vec![vertex];
                row.extend(neighbours(vertex));
                writeln!(out, "{}", line(&row))?;
            }
            for (border, &terminal) in ["#startboarder", "#endboarder"].into_iter().zip(&terminals) {
                writeln!(out, "{border}")?;
                writeln!(out, "{}", line(&neighbours(terminal)))?;
            }
        }
        Some(Goal::Edges { .. }) | None => unreachable!("Black has a goal, on vertices or of sets"),
    }
    if let Some(Goal::Sets(sets)) = board.goal(Side::Second).filter(|_| board.is_race()) {
        writeln!(out, "#whitewins")?;
        for set in sets {
            writeln!(out, "{}", line(set))?;
        }
    }
    Ok(())
}

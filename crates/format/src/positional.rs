//! Positional games (`.pg`), the files of the papers on QBF encodings of such games. Grammar: `grammars/pg.ebnf`.
//!
//! A file is a list of sections, each a code word and lines of names. Black's goal is a list of winning sets, or a
//! connection: neighbours and two borders, or edges, source and target. `#times` bounds the game, `#blackturns` says when
//! Black moves.

use super::Syntax;
use super::drawn::{board_of, unfit};
use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use super::span::{self, Judged, Parsed, flaw, next_plain_word, wrong};
use gamesat_core::Problem;
use gamesat_core::graph::Graph;
use gamesat_core::rules::{Board, Goal, Positional, Schedule, Side};
use nom::Parser;
use nom::bytes::complete::take_while;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::io::Write;

const NAME: &str = "a name or a code word";
/// Names have at most so many bytes.
const LONGEST_NAME: usize = 255;

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
        // Only the whole file says what its names mean.
        let strict = lexer.is_strict();
        span::parse_whole(lexer, |text| File::syntax(text, strict), |text| File::board(text, strict))
            .map(Problem::Board)
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        let Some(board) = board_of(problem) else { return Err(unfit("positional")) };
        write_board(board, out)
    }
}

/// A name where it stands: its text, and the whole text from its beginning.
#[derive(Clone, Copy)]
struct Name<'t> {
    text: &'t str,
    at: &'t [u8],
}

impl<'t> Name<'t> {
    fn flaw<T>(self, message: impl Into<String>, expected: impl Into<String>) -> Judged<'t, T> {
        flaw(self.at, self.text.len(), message, expected)
    }
}

/// The sections as they were read, line by line.
struct File<'t> {
    sections: FxHashMap<&'static str, Vec<Vec<Name<'t>>>>,
    /// What is wrong with the whole is wrong at its end.
    end: &'t [u8],
}

impl<'t> File<'t> {
    fn sections(mut input: &'t [u8], strict: bool) -> Parsed<'t, Self> {
        let mut sections: FxHashMap<&'static str, Vec<Vec<Name>>> = FxHashMap::default();
        let mut section = None;
        loop {
            let (rest, words) = line(input, section.is_some(), strict)?;
            input = rest;
            match words[..] {
                [] => {}
                [word, ..] if word.text.starts_with('#') => {
                    let lower = word.text.to_ascii_lowercase();
                    let Some(&known) = SECTIONS.iter().find(|&&known| known == lower) else {
                        return word.flaw(format!("'{}' is an unknown code word", word.text), SECTIONS.join(", "));
                    };
                    let known = match known {
                        "#startborder" => "#startboarder",
                        "#endborder" => "#endboarder",
                        other => other,
                    };
                    if words.len() > 1 {
                        return word.flaw("a code word shares its line", "the code word alone");
                    }
                    if sections.insert(known, Vec::new()).is_some() {
                        return word.flaw(format!("{known} is given twice"), "");
                    }
                    section = Some(known);
                }
                _ => {
                    if let Some(word) = words.iter().find(|word| word.text.starts_with('#')) {
                        return word
                            .flaw(format!("'{}' is no name", word.text), "a code word stands alone on its line");
                    }
                    section.iter().for_each(|&section| sections.entry(section).or_default().push(words.clone()));
                }
            }
            match (input.first(), section) {
                (Some(_), _) => input = &input[1..], // the end of the line
                (None, Some(_)) => return Ok((input, File { sections, end: input })),
                (None, None) => return flaw(input, 0, "the file has no section", "a code word such as #positions"),
            }
        }
    }

    fn syntax(text: &'t [u8], strict: bool) -> Parsed<'t, ()> {
        let (rest, _) = File::sections(text, strict)?;
        Ok((rest, ()))
    }

    fn board(text: &'t [u8], strict: bool) -> Parsed<'t, Board> {
        let (rest, file) = File::sections(text, strict)?;
        Ok((rest, file.game()?))
    }

    fn lines(&self, section: &str) -> &[Vec<Name<'t>>] {
        self.sections.get(section).map_or(&[], Vec::as_slice)
    }

    fn words(&self, section: &str) -> impl Iterator<Item = Name<'t>> {
        self.lines(section).iter().flatten().copied()
    }

    fn game(&self) -> Judged<'t, Board> {
        if let Some(name) = self.words("#firstmoves").next() {
            return name.flaw("#firstmoves restricts the first move, which no game here can", "");
        }
        let elements = self.elements()?;
        let black = elements.sets(self.lines("#blackwins"))?;
        let goal = match self.connection(&elements)? {
            Some(_) if !black.is_empty() => {
                return flaw(self.end, 0, "Black has both winning sets and a graph", "one of them");
            }
            Some(goal) => goal,
            None => Goal::Sets(black),
        };
        let race = Some(elements.sets(self.lines("#whitewins"))?).filter(|sets| !sets.is_empty());
        let mut board = Board::new(Positional { names: elements.names.clone(), goal, race });
        for (section, side) in [("#blackinitials", Side::First), ("#whiteinitials", Side::Second)] {
            for name in self.words(section) {
                let element = elements.find(name)?;
                board.place(element, side).or_else(|error| name.flaw(error.to_string(), ""))?;
            }
        }
        let has_won = |side: Side| {
            board.goal(side).is_some_and(|goal| goal.is_reached(|element| board.stone(element) == Some(side)))
        };
        if board.is_race() && has_won(Side::First) && has_won(Side::Second) {
            return flaw(self.end, 0, "both sides have won already", "at most one winner");
        }
        board.turn = board.turn_by_count();
        self.schedule(&mut board)?;
        Ok(board)
    }

    /// The elements: the positions, or the vertices of the edges that are neither source nor target.
    fn elements(&self) -> Judged<'t, Elements<'t>> {
        let is_end =
            |name: &Name<'t>| self.words("#source").chain(self.words("#target")).any(|end| end.text == name.text);
        let mut elements = Elements { names: Vec::new(), numbers: FxHashMap::default() };
        let listed = self.sections.contains_key("#positions");
        for name in self.words(if listed { "#positions" } else { "#edges" }).filter(|name| !is_end(name)) {
            if !elements.numbers.contains_key(name.text) {
                elements.numbers.insert(name.text, elements.names.len());
                elements.names.push(name.text.to_owned());
            } else if listed {
                return name.flaw(format!("'{}' is listed twice", name.text), "each position once");
            }
        }
        Ok(elements)
    }

    /// Black's connection, if the file describes one.
    fn connection(&self, elements: &Elements<'t>) -> Judged<'t, Option<Goal>> {
        let size = elements.names.len();
        let terminals = vec![size, size + 1];
        // Sorted, so that one board has one spelling.
        let mut edges: BTreeSet<(usize, usize)> = BTreeSet::new();
        if self.sections.contains_key("#neighbours") {
            for line in self.lines("#neighbours") {
                let from = elements.find(line[0])?;
                // `NA` stands for a neighbour beyond the edge in some files.
                for to in line[1..].iter().filter(|name| name.text != "NA") {
                    let to = elements.find(*to)?;
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
            let ends: Vec<Name> = self.words("#source").chain(self.words("#target")).collect();
            if self.words("#source").count() != 1 || ends.len() != 2 || ends[0].text == ends[1].text {
                return flaw(self.end, 0, "a graph needs one source and another target", "#source and #target");
            }
            for line in self.lines("#edges") {
                let [first, second] = line[..] else {
                    return line[0].flaw("an edge joins two vertices", "two names on the line");
                };
                let vertex = |name: Name<'t>| match ends.iter().position(|end| end.text == name.text) {
                    Some(which) => Ok(terminals[which]),
                    None => elements.find(name),
                };
                let (u, v) = (vertex(first)?, vertex(second)?);
                if u == v {
                    return second.flaw("the edge is a loop", "two different vertices");
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
    fn schedule(&self, board: &mut Board) -> Judged<'t, ()> {
        if !self.sections.contains_key("#times") {
            return Ok(());
        }
        let times: FxHashSet<&str> = self.words("#times").map(|time| time.text).collect();
        if let Some(stray) = self.words("#blackturns").find(|turn| !times.contains(turn.text)) {
            return stray.flaw(format!("'{}' is no time", stray.text), "a name from #times");
        }
        let black: FxHashSet<&str> = self.words("#blackturns").map(|time| time.text).collect();
        let side = |time: Name| if black.contains(time.text) { Side::First } else { Side::Second };
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

impl<'t> Elements<'t> {
    fn find(&self, name: Name<'t>) -> Judged<'t, usize> {
        match self.numbers.get(name.text) {
            Some(&element) => Ok(element),
            None => name.flaw(format!("'{}' is no position", name.text), "a name from #positions"),
        }
    }

    fn sets(&self, lines: &[Vec<Name<'t>>]) -> Judged<'t, Vec<Vec<usize>>> {
        lines.iter().map(|line| line.iter().map(|&name| self.find(name)).collect()).collect()
    }
}

/// The words of a line without its comment, up to its end. Before the first section a line is read only as far as it takes to
/// see that it is a code word, and of a code word's line no more than a second word, which the caller refuses.
fn line(mut input: &[u8], in_section: bool, strict: bool) -> Parsed<'_, Vec<Name<'_>>> {
    let mut words: Vec<Name> = Vec::new();
    loop {
        let (rest, (word, at)) = next_plain_word(input, strict)?;
        if word.is_empty() || word.starts_with(b"%") {
            let (rest, _) = take_while(|byte| byte != b'\n').parse(at)?;
            return Ok((rest, words));
        }
        // So much of a word shows that it is none, however long it is.
        let shown = &word[..word.len().min(LONGEST_NAME + 1)];
        let Ok(text) = str::from_utf8(shown) else { return wrong(shown, at, "is no name", NAME) };
        if text.len() > LONGEST_NAME || text.contains(|c: char| c.is_control() || c.is_whitespace()) {
            return wrong(shown, at, "is no name", NAME);
        }
        if !in_section && !text.starts_with('#') && words.is_empty() {
            return wrong(word, at, "stands before any section", "a code word");
        }
        words.push(Name { text, at });
        input = rest;
        if words.len() == 2 && words[0].text.starts_with('#') {
            return Ok((rest, words));
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

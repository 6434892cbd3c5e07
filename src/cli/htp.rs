//! `gamesat htp`: the Hex Text Protocol, which HexGui speaks: GTP with the commands of Hex.
//!
//! A request is a line, perhaps with a number before it; an answer begins with `=` or `?` and that number, and ends with a
//! blank line. HexGui sets positions up by playing stones of any colour in any order, so whose turn it is follows from the
//! colour in each request, not from the moves before.

use super::args::HtpArgs;
use super::exit::{Exit, Failure};
use super::inferior::{inferior, look};
use super::lines::{Line, Lines, say};
use gamesat::Problem;
use gamesat::analyse::Sign;
use gamesat::play::{Chooser, PlayError, Round};
use gamesat::rules::{Board, Grid, MAX_SIDE, Side, protocol_board};
use gamesat::solve::{Answer, Interrupt, StopReason, Trace, Wanted};
use gamesat::theory::evaluate::resistance::{Flow, network, value};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// Every command, and what it is for in the words of HexGui's menu, if it is there: type and label.
const COMMANDS: &[(&str, Option<(&str, &str)>)] = &[
    ("all_legal_moves", None),
    ("boardsize", None),
    ("clear_board", None),
    ("dfpn-solve-state", Some(("string", "Winner"))),
    ("final_score", None),
    ("gamesat-captured", Some(("plist", "Captured Cells"))),
    ("gamesat-dead", Some(("plist", "Dead Cells"))),
    ("gamesat-dominated", Some(("plist", "Dominated Cells"))),
    ("gamesat-influence", Some(("gfx", "Influence"))),
    ("gamesat-line", Some(("var", "Line of Best Play"))),
    ("gamesat-mustplay", Some(("plist", "Mustplay"))),
    ("gamesat-resistance", Some(("pspairs", "Resistance"))),
    ("gamesat-trace", Some(("plist", "Trace"))),
    ("gamesat-winning-moves", Some(("plist", "Winning Moves"))),
    ("genmove", None),
    ("hexgui-analyze_commands", None),
    ("known_command", None),
    ("list_commands", None),
    ("name", None),
    ("param_dfpn", Some(("param", "Solver Parameters"))),
    ("param_game", Some(("param", "Game Parameters"))),
    ("param_player", Some(("param", "Player Parameters"))),
    ("play", None),
    ("protocol_version", None),
    ("quit", None),
    ("showboard", None),
    ("undo", None),
    ("vc-build", Some(("inferior", "Inferior Cells"))),
    ("version", None),
];

const NOT_FOUND: &str = "the winner is not found in this time";

/// Runs the command.
pub fn run(args: &HtpArgs) -> Result<Exit, Failure> {
    let mut player = Player {
        board: board(11, 11).map_err(Failure::usage)?,
        before: Vec::new(),
        chooser: Chooser::new(args.thinking.options(), args.thinking.memory()),
        seconds: args.thinking.seconds.unwrap_or(Duration::from_secs(10)),
        interrupt: args.thinking.interrupt()?,
        pictures: false,
    };
    let mut lines = Lines::open(false)?;
    loop {
        let line = match lines.next("", &player.interrupt) {
            Line::Text(line) => line,
            Line::Noise => {
                say("? the line is too long, or no text\n\n")?;
                continue;
            }
            Line::End => return Ok(Exit::Success),
            Line::Interrupted => return Err(Failure::Stopped(StopReason::Interrupted)),
        };
        // 1. What is left of the line: no comment, no control characters.
        let line: String = line.split('#').next().unwrap_or_default().replace('\t', " ");
        let line: String = line.chars().filter(|c| !c.is_control()).collect();
        let mut words = line.split(' ').filter(|word| !word.is_empty());
        let Some(mut command) = words.next() else { continue };
        // 2. Its number.
        let mut id = "";
        if command.bytes().all(|byte| byte.is_ascii_digit()) {
            id = command;
            command = match words.next() {
                Some(command) => command,
                None => {
                    say(&format!("?{id} a command is missing\n\n"))?;
                    continue;
                }
            };
        }
        // 3. The answer. A blank line would end it early.
        let arguments: Vec<&str> = words.collect();
        let (mark, text) = match player.answer(command, &arguments) {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let text = text.trim_end().lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
        say(&format!("{mark}{id} {text}\n\n"))?;
        if command == "quit" {
            return Ok(Exit::Success);
        }
    }
}

fn board(columns: usize, rows: usize) -> Result<Board, &'static str> {
    protocol_board(Grid { columns, rows }).ok_or("no game has this protocol")
}

struct Player {
    board: Board,
    /// The boards before each stone.
    before: Vec<Board>,
    chooser: Chooser,
    seconds: Duration,
    interrupt: Interrupt,
    /// Whether the solver draws what it has found on HexGui's board (`use_guifx`).
    pictures: bool,
}

/// An answer, or what is wrong.
type Answered = Result<String, String>;

impl Player {
    fn answer(&mut self, command: &str, arguments: &[&str]) -> Answered {
        match (command, arguments) {
            ("name", []) => Ok("gamesat".to_owned()),
            ("version", []) => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            ("protocol_version", []) => Ok("2".to_owned()),
            ("quit", []) => Ok(String::new()),
            ("list_commands", []) => Ok(COMMANDS.iter().map(|(name, _)| format!("{name}\n")).collect()),
            ("known_command", [name]) => Ok(COMMANDS.iter().any(|(known, _)| known == name).to_string()),
            ("hexgui-analyze_commands", []) => {
                let line = |(name, menu): &(&str, Option<(&str, &str)>)| {
                    let turn = if name.starts_with("param") { "" } else { " %m" };
                    menu.map(|(kind, label)| format!("{kind}/{label}/{name}{turn}\n"))
                };
                Ok(COMMANDS.iter().filter_map(line).collect())
            }
            ("boardsize", [columns, rest @ ..]) => {
                let rows = rest.first().unwrap_or(columns);
                let side = |text: &str| text.parse().ok().filter(|side| (1..=MAX_SIDE).contains(side));
                match (side(columns), side(rows), rest.len()) {
                    (Some(columns), Some(rows), 0 | 1) => {
                        self.board = board(columns, rows)?;
                        self.before.clear();
                        Ok(String::new())
                    }
                    _ => Err(format!("unacceptable size: one or two sides from 1 to {MAX_SIDE}")),
                }
            }
            ("clear_board", []) => {
                self.board = self.board.cleared();
                self.before.clear();
                Ok(String::new())
            }
            ("play", [colour, cell]) => {
                let side = self.side(colour)?;
                self.put(side, cell)
            }
            ("undo", []) => match self.before.pop() {
                Some(board) => {
                    self.board = board;
                    Ok(String::new())
                }
                None => Err("cannot undo".to_owned()),
            },
            ("genmove", [colour]) => self.genmove(colour),
            ("showboard", []) => Ok(self.board.picture(&[])),
            ("all_legal_moves", []) => {
                let free: &mut dyn Iterator<Item = usize> = &mut self.board.free();
                let names: Vec<String> =
                    if self.board.winner().is_some() { Vec::new() } else { free.map(|e| self.board.name(e)).collect() };
                Ok(names.join(" "))
            }
            ("final_score", []) => match self.board.winner() {
                Some(Side::First) => Ok("B+".to_owned()),
                Some(Side::Second) => Ok("W+".to_owned()),
                None => Err("cannot score: the game is not over".to_owned()),
            },
            ("dfpn-solve-state", [colour]) => {
                let answer = self.solve(colour, &Wanted::default())?;
                if self.pictures {
                    self.picture(colour, &answer)?;
                }
                Ok(self.winner(&answer).unwrap_or("unknown").to_owned())
            }
            ("gamesat-line", [colour]) => {
                let answer = self.solve(colour, &Wanted::default())?;
                self.winner(&answer).ok_or(NOT_FOUND)?;
                Ok(self.cells(answer.variation.iter().map(|lit| lit.var().index())))
            }
            // If the other side could move at once and win, that win's trace is where one has to play.
            ("gamesat-mustplay", [colour]) => {
                let side = self.side(colour)?;
                let answer = self.solve(self.board.side_name(!side), &Wanted::default().and_trace(Trace::Small))?;
                let winner = self.winner(&answer).ok_or(NOT_FOUND)?;
                if winner == self.board.side_name(side) {
                    return Ok(self.cells(self.board.free()));
                }
                Ok(self.cells(answer.trace.iter().flatten().map(|var| var.index())))
            }
            ("gamesat-influence", [colour]) => {
                let side = self.side(colour)?;
                let (own, other) = self.flows(side).ok_or("nothing is joined on this board")?;
                let most = own.currents.iter().zip(&other.currents).map(|(a, b)| a + b).fold(0.0, f64::max).max(1e-9);
                let mut text = "INFLUENCE".to_owned();
                for element in self.board.free() {
                    let share = (own.currents[element] + other.currents[element]) / most;
                    let _ = write!(text, " {} {share:.3}", self.board.name(element));
                }
                let _ = write!(text, "\nTEXT currents of both sides");
                Ok(text)
            }
            ("vc-build", [colour]) => {
                let side = self.side(colour)?;
                Ok(self.inferior(side))
            }
            ("gamesat-winning-moves", [colour]) => {
                let answer = self.solve(colour, &Wanted::default().and_all_moves())?;
                self.winner(&answer).ok_or(NOT_FOUND)?;
                Ok(self.cells(answer.moves.iter().map(|lit| lit.var().index())))
            }
            ("gamesat-trace", [colour]) => {
                let answer = self.solve(colour, &Wanted::default().and_trace(Trace::Any))?;
                self.winner(&answer).ok_or(NOT_FOUND)?;
                Ok(self.cells(answer.trace.iter().flatten().map(|var| var.index())))
            }
            ("gamesat-dead" | "gamesat-captured" | "gamesat-dominated", [colour]) => {
                let side = self.side(colour)?;
                let [dead, captured, dominated] = inferior(self.round(side).position(), self.seconds);
                Ok(match command {
                    "gamesat-dead" => dead,
                    "gamesat-captured" => captured,
                    _ => dominated,
                }
                .join(" "))
            }
            ("gamesat-resistance", [colour]) => {
                let side = self.side(colour)?;
                Ok(self.resistance(side))
            }
            ("param_player", []) => Ok(format!("[string] max_time {}", self.seconds.as_secs_f64())),
            ("param_player", ["max_time", text]) => {
                let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                match time.filter(|time| *time <= Duration::from_secs(86_400)) {
                    Some(time) => {
                        self.seconds = time;
                        Ok(String::new())
                    }
                    None => Err(format!("'{text}' is no number of seconds")),
                }
            }
            ("param_dfpn", []) => Ok(format!("[bool] use_guifx {}", u8::from(self.pictures))),
            ("param_dfpn", ["use_guifx", text @ ("0" | "1")]) => {
                self.pictures = *text == "1";
                Ok(String::new())
            }
            ("param_game", []) => Ok("[bool] allow_swap 0".to_owned()),
            ("param_game", ["allow_swap", "0"]) => Ok(String::new()),
            ("param_game", ["allow_swap", _]) => Err("the program does not swap".to_owned()),
            _ if COMMANDS.iter().any(|(known, _)| *known == command) => {
                Err(format!("the arguments of {command} are wrong"))
            }
            _ => Err(format!("unknown command: {}", command.chars().take(40).collect::<String>())),
        }
    }

    fn side(&self, colour: &str) -> Result<Side, String> {
        match colour.to_ascii_lowercase().as_str() {
            "b" | "black" => Ok(Side::First),
            "w" | "white" => Ok(Side::Second),
            _ => Err(format!("'{}' is no colour", colour.chars().take(40).collect::<String>())),
        }
    }

    fn put(&mut self, side: Side, cell: &str) -> Answered {
        let before = self.board.clone();
        match cell.to_ascii_lowercase().as_str() {
            // The players change places, or end the game: no stone moves.
            "resign" | "forfeit" | "pass" | "swap-sides" => {}
            "swap-pieces" => {
                let mut stones = (0..self.board.elements()).filter_map(|e| Some((e, self.board.stone(e)?)));
                let (Some((only, owner)), None) = (stones.next(), stones.next()) else {
                    return Err("only the first stone can be swapped".to_owned());
                };
                let symmetries = self.board.rules().symmetries();
                let mirror = symmetries.iter().find(|symmetry| symmetry.exchanges).ok_or("the board is not square")?;
                let mirrored = mirror.map[only];
                self.board = self.board.cleared();
                self.board.place(mirrored, !owner).map_err(|error| error.to_string())?;
            }
            name => {
                let element = self.board.find(name).ok_or_else(|| format!("'{cell}' is no cell of this board"))?;
                self.board.place(element, side).map_err(|error| error.to_string())?;
            }
        }
        self.board.turn = !side;
        self.before.push(before);
        Ok(String::new())
    }

    /// The game with this colour to move, with the moves behind it that led here if they alternate, so that the solver can
    /// follow.
    fn round(&self, side: Side) -> Round {
        let mut whole =
            Round::new(Problem::Board(self.before.first().map_or_else(|| self.board.clone(), Board::clone)));
        let mut reached = self.before.iter().skip(1).chain([&self.board]).take(self.before.len());
        let follows = reached.all(|board| {
            let Problem::Board(last) = whole.position().given() else { return false };
            let placed = (0..board.elements()).find(|&e| last.stone(e).is_none() && board.stone(e).is_some());
            placed.is_some_and(|e| whole.play(&board.name(e)).is_ok())
        });
        let mut board = self.board.clone();
        board.turn = side;
        match whole.position().given() {
            Problem::Board(last) if follows && last.stones() == board.stones() && last.turn == side => whole,
            _ => Round::new(Problem::Board(board)),
        }
    }

    fn genmove(&mut self, colour: &str) -> Answered {
        let side = self.side(colour)?;
        let round = self.round(side);
        let name = match self.chooser.choose(&round, Some(self.seconds), &self.interrupt) {
            Ok(choice) => choice.name,
            Err(PlayError::Over) => "resign".to_owned(),
            Err(error) => return Err(error.to_string()),
        };
        self.put(side, &name)?;
        Ok(name)
    }

    fn solve(&mut self, colour: &str, wanted: &Wanted) -> Result<Answer, String> {
        let side = self.side(colour)?;
        let round = self.round(side);
        self.chooser.ask(&round, wanted, Some(self.seconds), &self.interrupt).map_err(|error| error.to_string())
    }

    fn winner(&self, answer: &Answer) -> Option<&'static str> {
        let of = |side: Side| answer.verdict.winner() == Some(self.board.player(side));
        [Side::First, Side::Second].into_iter().find(|&side| of(side)).map(|side| self.board.side_name(side))
    }

    fn cells(&self, elements: impl Iterator<Item = usize>) -> String {
        elements.map(|element| self.board.name(element)).collect::<Vec<_>>().join(" ")
    }

    /// What HexGui draws while it waits for the winner: the line of best play, and winning moves as far as they are known.
    fn picture(&self, colour: &str, answer: &Answer) -> Result<(), String> {
        let mut side = self.side(colour)?;
        let mut text = "gogui-gfx:\ndfpn\nVAR".to_owned();
        for lit in &answer.variation {
            let letter = if side == Side::First { 'B' } else { 'W' };
            let _ = write!(text, " {letter} {}", self.board.name(lit.var().index()));
            side = !side;
        }
        text += "\nLABEL";
        for lit in &answer.moves {
            let _ = write!(text, " {} W", self.board.name(lit.var().index()));
        }
        let _ = write!(text, "\nTEXT {} nodes\n\n", answer.statistics.get("nodes"));
        say(&text).map_err(|error| error.to_string())
    }

    /// Cells in which neither player need play, as HexGui marks them: `fd` and `fc` with a colour are dead and captured cells that can
    /// be filled, `id[...]` a cell that others dominate.
    fn inferior(&self, side: Side) -> String {
        let round = self.round(side);
        let Some(analysis) = look(round.position(), self.seconds) else { return String::new() };
        let letter = |is_max: bool| if is_max == (self.board.max == Side::First) { 'b' } else { 'w' };
        let mut marks: BTreeMap<usize, String> = BTreeMap::new();
        let mine = analysis.dominated.iter().filter(|found| found.player == analysis.turn && !found.by.is_empty());
        for found in mine {
            let better: Vec<String> = found.by.iter().map(|lit| self.board.name(lit.var().index())).collect();
            marks.insert(found.element.index(), format!("id[{}]", better.join("-")));
        }
        for lit in analysis.fills.iter().flat_map(|fill| &fill.literals) {
            marks.insert(lit.var().index(), format!("fc{}", letter(lit.is_positive())));
        }
        for element in analysis.elements.iter().filter(|element| element.sign == Sign::Dead) {
            marks.insert(element.element.index(), "fdb".to_owned());
        }
        let marks = marks.into_iter().filter(|(element, _)| self.board.is_free(*element));
        marks.map(|(element, mark)| format!("{} {mark}", self.board.name(element))).collect::<Vec<_>>().join(" ")
    }

    /// The networks of a side and of the other one.
    fn flows(&self, side: Side) -> Option<(Flow, Flow)> {
        Some((network(&self.board, side)?, network(&self.board, !side)?))
    }

    /// For each free cell the part of both currents that passes it, in hundredths, and the resistances as HexGui shows them.
    fn resistance(&self, side: Side) -> String {
        let Some((own, other)) = self.flows(side) else { return String::new() };
        let (black, white) = if side == Side::First { (&own, &other) } else { (&other, &own) };
        let mut text = String::new();
        for element in self.board.free() {
            let share = 50.0 * (own.currents[element] + other.currents[element]);
            let _ = write!(text, "{} {share:.0} ", self.board.name(element));
        }
        let value = value(black.resistance, white.resistance);
        let _ = write!(text, "res {value:.3} rew {:.3} reb {:.3}", white.resistance, black.resistance);
        text
    }
}

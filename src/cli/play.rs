//! `gamesat play`: a game against the program, in a terminal or through a pipe.

use super::args::PlayArgs;
use super::exit::{Exit, Failure};
use super::inferior::reasons;
use super::input;
use super::lines::{Line, Lines, say};
use super::output;
use super::progress::Thinking;
use super::records::{self, Ended};
#[cfg(feature = "web")]
use super::web::{self, Session};
use gamesat::Problem;
use gamesat::format::Format;
use gamesat::formula::{Player, Var};
use gamesat::play::{Chooser, Outcome, PlayError, Position, Prospect, Round};
use gamesat::solve::{Control, Interrupt, Limits, Verdict, Wanted};
use std::fmt::Write as _;
use std::fs;
use std::sync::atomic::Ordering;
use std::time::Duration;

const HELP: &str = "\
MOVE             play it; 'moves' lists them
hint             a good move for you
why              why the side to move wins or loses: the cells that suffice
why MOVE         what there is to say about it: dead, captured or dominated, and how it is refuted
undo, redo       take a move back, or play it again
side PLAYER      the side you play; 'both' or 'none' to move for both sides yourself, or to let the program do so
level SECONDS    how long the program thinks about a move
board            draw the position
save FILE        the game, to be loaded again
load FILE        a game that was saved, or any position
resign, quit";

/// How long what needs no search is looked for.
const LOOK: Duration = Duration::from_secs(1);

/// Words that begin a line.
const COMMANDS: [&str; 13] =
    ["hint", "why", "undo", "redo", "side", "level", "board", "save", "load", "moves", "resign", "help", "quit"];

/// Runs the command.
pub fn run(args: &PlayArgs) -> Result<Exit, Failure> {
    let interrupt = args.thinking.interrupt()?;
    if args.input.is_standard_input() {
        return Err(Failure::usage("standard input is where the moves come from: name a file or a board"));
    }
    let control = Control::new(Limits::default(), interrupt.clone());
    let input = input::read(&args.input, &args.game, args.quiet, &control)?;
    if matches!(input.parsed.problem, Problem::Sudoku(_)) {
        return Err(Failure::usage("a Sudoku has one player: gamesat solve"));
    }
    let format = input.parsed.format;
    Position::fits(&input.parsed.problem)?;
    let round = Round::new(input.parsed.problem);
    let person = match &args.side {
        None => round.position().turn(),
        Some(name) => Seat::find(&round, name)?,
    };
    let mut sides: Vec<Player> = person.into_iter().collect();
    if args.side.as_deref() == Some("both") {
        sides = vec![Player::Max, Player::Min];
    }
    let chooser = Chooser::new(args.thinking.options(), args.thinking.memory());
    let seconds = args.thinking.seconds.unwrap_or(Duration::from_secs(5));
    #[cfg(feature = "web")]
    if args.web {
        let title = args.input.expression.clone().unwrap_or(input.name);
        let session = Session { title, round, person: sides, chooser, seconds };
        return web::serve(session, args.port, &interrupt);
    }
    let mut table = Table {
        round,
        format,
        person: sides,
        chooser,
        seconds,
        lines: Lines::open(true)?,
        interrupt,
        quiet: args.quiet,
    };
    table.play()
}

/// Who sits where.
struct Seat;

impl Seat {
    /// The player of this name; `None` for `none` and `both`, which the caller knows.
    fn find(round: &Round, name: &str) -> Result<Option<Player>, Failure> {
        if name == "none" || name == "both" {
            return Ok(None);
        }
        let position = round.position();
        position.find_player(name).map(Some).ok_or_else(|| {
            let [max, min] = [Player::Max, Player::Min].map(|player| position.player_name(player));
            Failure::usage(format!("'{name}' is no side of this game: {max}, {min}, both or none"))
        })
    }
}

struct Table {
    round: Round,
    /// How the game was written.
    format: Format,
    /// The sides that a person plays.
    person: Vec<Player>,
    chooser: Chooser,
    seconds: Duration,
    lines: Lines,
    interrupt: Interrupt,
    quiet: bool,
}

impl Table {
    fn play(&mut self) -> Result<Exit, Failure> {
        self.show()?;
        loop {
            // 1. Over?
            let Some(turn) = self.round.position().turn() else {
                say(&format!("{}\n", self.ending()))?;
                if !self.lines.is_terminal() {
                    return Ok(self.exit());
                }
                match self.command()? {
                    Some(exit) => return Ok(exit),
                    None => continue,
                }
            };
            // 2. The person's turn, or the program's.
            if self.person.contains(&turn) {
                if let Some(exit) = self.command()? {
                    return Ok(exit);
                }
            } else {
                match self.think() {
                    Ok(choice) => {
                        let name = self.round.position().player_name(turn);
                        say(&format!("{name} plays {}{}\n", choice.0, choice.1))?;
                        self.round.play(&choice.0).map_err(|error| Failure::input(error.to_string()))?;
                        self.show()?;
                    }
                    Err(PlayError::Interrupted) => {
                        if !self.lines.is_terminal() {
                            return Err(Failure::Stopped(gamesat::solve::StopReason::Interrupted));
                        }
                        say("interrupted; it is your turn to say what happens: MOVE, undo, side, level, quit\n")?;
                        self.calm();
                        if let Some(exit) = self.command()? {
                            return Ok(exit);
                        }
                    }
                    Err(error) => return Err(Failure::input(error.to_string())),
                }
            }
        }
    }

    /// Lets a signal that ended a thought be past.
    fn calm(&self) {
        self.interrupt.flag().store(false, Ordering::Relaxed);
    }

    /// The program's move and what it says about it.
    fn think(&mut self) -> Result<(String, String), PlayError> {
        let _shown = Thinking::show(!self.quiet, "thinking");
        let choice = self.chooser.choose(&self.round, Some(self.seconds), &self.interrupt)?;
        let remark = match choice.prospect {
            Prospect::Wins => ", and wins",
            Prospect::Loses => ", but should lose",
            Prospect::Draws => ", for a draw",
            Prospect::Scores(value) => {
                let forecast = self.round.position().forecast(value, self.only_person());
                return Ok((choice.name, forecast.map_or(String::new(), |forecast| format!(": {forecast}"))));
            }
            Prospect::Unknown => "",
        };
        Ok((choice.name, remark.to_owned()))
    }

    /// The side of a person who plays one side.
    fn only_person(&self) -> Option<Player> {
        if let [player] = self.person[..] { Some(player) } else { None }
    }

    fn show(&self) -> Result<(), Failure> {
        let mut text = self.round.position().to_string();
        if let Some(last) = self.round.moves().last() {
            let _ = writeln!(text, "last move: {last}");
        }
        Ok(say(&text)?)
    }

    /// How the game ended, in words.
    fn ending(&self) -> String {
        let position = self.round.position();
        match position.outcome() {
            Some(Outcome::Win(player)) if position.score().is_none() => {
                let name = position.player_name(player);
                let whose = if self.person == [player] { " (you)" } else { "" };
                format!("{name}{whose} wins")
            }
            _ => position.ending(self.only_person()).unwrap_or_default(),
        }
    }

    /// The exit code of a game that is over.
    fn exit(&self) -> Exit {
        match self.round.position().outcome() {
            Some(Outcome::Win(Player::Max)) => Exit::True,
            Some(Outcome::Win(Player::Min)) => Exit::False,
            Some(Outcome::Draw) => Exit::Draw,
            None => Exit::Success,
        }
    }

    /// One line of the person's. `Some` ends the program.
    fn command(&mut self) -> Result<Option<Exit>, Failure> {
        let position = self.round.position();
        let mut words: Vec<String> = COMMANDS.iter().map(|&word| word.to_owned()).collect();
        words.extend(position.moves().iter().map(|&lit| position.name(lit)));
        self.lines.complete(words);
        let prompt = match position.turn() {
            Some(turn) => format!("{}> ", position.player_name(turn)),
            None => "> ".to_owned(),
        };
        let line = match self.lines.next(&prompt, &self.interrupt) {
            Line::Text(line) => line,
            Line::Noise => {
                say("that is no text\n")?;
                return Ok(None);
            }
            Line::End => return Ok(Some(self.exit())),
            Line::Interrupted => return Ok(Some(Exit::Success)),
        };
        let mut words = line.split_whitespace();
        let (Some(word), rest) = (words.next(), words.collect::<Vec<_>>()) else { return Ok(None) };
        match (word, &rest[..]) {
            ("quit" | "exit", []) => return Ok(Some(self.exit())),
            ("help" | "?", []) => say(&format!("{HELP}\n"))?,
            ("board", []) => self.show()?,
            ("moves", []) => {
                let position = self.round.position();
                let names: Vec<String> = position.moves().iter().map(|&lit| position.name(lit)).collect();
                say(&format!("{}\n", names.join(" ")))?;
            }
            ("hint", []) => {
                let text = match self.think() {
                    Ok((name, remark)) => format!("{name}{remark}"),
                    Err(error) => error.to_string(),
                };
                self.calm();
                say(&format!("{text}\n"))?;
            }
            ("why", []) => {
                let text = self.why();
                self.calm();
                say(&format!("{text}\n"))?;
            }
            ("why", [text]) => {
                let text = self.why_move(text);
                self.calm();
                say(&format!("{text}\n"))?;
            }
            ("undo", []) => {
                // Back to the person's own turn.
                if !self.round.undo() {
                    say("there is no move to take back\n")?;
                } else {
                    while self.round.position().turn().is_some_and(|turn| !self.person.contains(&turn))
                        && self.round.undo()
                    {}
                    self.show()?;
                }
            }
            ("redo", []) => {
                if !self.round.redo() {
                    say("there is no move to play again\n")?;
                } else {
                    while self.round.position().turn().is_some_and(|turn| !self.person.contains(&turn))
                        && self.round.redo()
                    {}
                    self.show()?;
                }
            }
            ("side", ["both"]) => self.person = vec![Player::Max, Player::Min],
            ("side", [name]) => match Seat::find(&self.round, name) {
                Ok(player) => self.person = player.into_iter().collect(),
                Err(failure) => output::report(&failure),
            },
            ("level", [text]) => {
                match text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
                    Some(time) if time <= Duration::from_secs(86_400) => self.seconds = time,
                    _ => say(&format!("'{text}' is no number of seconds\n"))?,
                }
            }
            ("save", [path]) => match self.save(path) {
                Ok(()) => say(&format!("saved to {path}\n"))?,
                Err(failure) => output::report(&failure),
            },
            ("load", [path]) => match self.load(path) {
                Ok(()) => self.show()?,
                Err(failure) => output::report(&failure),
            },
            ("resign", []) => {
                let winner = self.round.position().turn().map(|turn| self.round.position().player_name(!turn));
                say(&format!("{} wins\n", winner.unwrap_or_default()))?;
                let exit = match self.round.position().turn() {
                    Some(Player::Max) => Exit::False,
                    Some(Player::Min) => Exit::True,
                    None => self.exit(),
                };
                return Ok(Some(exit));
            }
            (text, []) => match self.round.play(text) {
                Ok(_) => self.show()?,
                Err(error) => say(&format!("{error}; 'help' says what else can be said\n"))?,
            },
            _ => say(&format!("'{}' is not understood; 'help' says what can be said\n", word.escape_debug()))?,
        }
        Ok(None)
    }

    /// Why the side to move wins or loses.
    fn why(&mut self) -> String {
        let position = self.round.position();
        let Some(turn) = position.turn() else { return self.ending() };
        let _shown = Thinking::show(!self.quiet, "thinking");
        let wanted = if position.is_formula() { Wanted::default() } else { Wanted::default().and_all_moves() };
        let wanted = position.with_trace(&wanted);
        let answer = match self.chooser.ask(&self.round, &wanted, Some(self.seconds), &self.interrupt) {
            Ok(answer) => answer,
            Err(error) => return error.to_string(),
        };
        let Some(winner) = answer.verdict.winner() else {
            return match (answer.stop, answer.verdict) {
                (Some(reason), _) => format!("not known: {reason}"),
                (None, Verdict::Value(value)) => position.forecast(value, self.only_person()).unwrap_or_default(),
                (None, _) => "a draw".to_owned(),
            };
        };
        let mut text = format!("{} wins", position.player_name(winner));
        if winner == turn && !answer.moves.is_empty() {
            let names: Vec<String> = answer.moves.iter().map(|&lit| position.name(lit)).collect();
            let _ = write!(text, " by {}", names.join(", "));
        }
        if let Some(trace) = answer.trace.filter(|trace| !trace.is_empty()) {
            let names: Vec<String> = trace
                .iter()
                .map(|&var| position.name(var.positive()).split('=').next().unwrap_or_default().to_owned())
                .collect();
            let _ = write!(text, "; these suffice, whatever happens elsewhere: {}", names.join(" "));
        }
        text
    }

    /// What there is to say about a move: dead, captured or dominated, and what follows it.
    fn why_move(&mut self, text: &str) -> String {
        let position = self.round.position();
        let lit = match position.parse(text) {
            Ok(lit) => lit,
            Err(error) => return error.to_string(),
        };
        let name = position.name(lit);
        let mut after = self.round.clone();
        if let Err(error) = after.play(text) {
            return error.to_string();
        }
        let _shown = Thinking::show(!self.quiet, "thinking");
        // 1. What is seen without search.
        let mut lines: Vec<String> = reasons(position, lit.var(), self.seconds.min(LOOK));
        // 2. How it goes on.
        let mover = position.turn();
        let plain = |var: &Var| position.name(var.positive()).split('=').next().unwrap_or_default().to_owned();
        if let Some(ending) = after.position().ending(self.only_person()) {
            lines.push(format!("it ends the game: {ending}"));
        } else if after.position().turn().is_some() {
            let wanted = after.position().with_trace(&Wanted::default());
            match self.chooser.ask(&after, &wanted, Some(self.seconds), &self.interrupt) {
                Ok(answer) => match answer.verdict.winner() {
                    Some(winner) if Some(winner) == mover => lines.push("it wins".to_owned()),
                    Some(winner) => {
                        let mut line = format!("it loses: {}", position.player_name(winner));
                        let reply = answer.moves.first().map(|&lit| after.position().name(lit));
                        line += &reply.map_or(" wins".to_owned(), |reply| format!(" answers {reply}"));
                        if let Some(trace) = answer.trace.filter(|trace| !trace.is_empty()) {
                            let cells: Vec<String> = trace.iter().map(plain).collect();
                            let _ = write!(line, " and wins inside {}", cells.join(" "));
                        }
                        lines.push(line);
                    }
                    None if answer.verdict == Verdict::Draw => lines.push("it draws".to_owned()),
                    None => lines.push(match answer.verdict {
                        Verdict::Value(value) => {
                            after.position().forecast(value, self.only_person()).unwrap_or_default()
                        }
                        _ => "how it goes on is not found in this time".to_owned(),
                    }),
                },
                Err(error) => return error.to_string(),
            }
        }
        format!("{name}: {}", lines.join("; "))
    }

    fn save(&self, path: &str) -> Result<(), Failure> {
        let text = if path.to_ascii_lowercase().ends_with(".sgf") {
            records::sgf(&self.round, None, Ended::by_rules(&self.round))?
        } else {
            let result = Ended::by_rules(&self.round).map(|ended| ended.remark(&self.round));
            records::written(&self.round, self.format, result.as_slice())?
        };
        fs::write(path, text).map_err(|error| Failure::input(format!("{path}: {error}")))
    }

    fn load(&mut self, path: &str) -> Result<(), Failure> {
        let control = Control::new(Limits::default(), self.interrupt.clone());
        (self.round, self.format) = records::load(path, self.quiet, &control)?;
        Ok(())
    }
}

//! `gamesat serve`: the neutral protocol for any game, on standard input and output.

use super::args::{GameArgs, InputArgs, ServeArgs};
use super::exit::{Exit, Failure};
use super::input;
use super::lines::{Line, Lines, say};
use gamesat::formula::Player;
use gamesat::play::{Chooser, Outcome, PlayError, Position, Prospect, Request, Round};
use gamesat::solve::{Control, Interrupt, Limits, Verdict, Wanted};
use serde_json::{Value, json};
use std::time::Duration;

/// Runs the command.
pub fn run(args: &ServeArgs) -> Result<Exit, Failure> {
    let interrupt = args.thinking.interrupt()?;
    let mut lines = Lines::open(false)?;
    let mut server = Server {
        round: None,
        chooser: Chooser::new(args.thinking.options(), args.thinking.memory()),
        side: None,
        seconds: args.thinking.seconds,
        interrupt,
    };
    if !args.words.is_empty() {
        let round = load(&args.words, &server.interrupt)?;
        server.round = Some(round);
    }
    loop {
        let (answer, quit) = match lines.next("", &server.interrupt) {
            Line::End => return Ok(Exit::Success),
            Line::Interrupted => return Err(Failure::Stopped(gamesat::solve::StopReason::Interrupted)),
            Line::Noise => (Err("the line is too long, or no text".to_owned()), false),
            Line::Text(line) => match Request::read(&line) {
                Ok(None) => continue,
                Ok(Some(Request::Quit)) => (Ok((String::new(), json!({}))), true),
                Ok(Some(request)) => (server.answer(request), false),
                Err(error) => (Err(error.to_string()), false),
            },
        };
        let text = match (args.json, answer) {
            (false, Ok((text, _))) => format!("= {text}").trim_end().to_owned(),
            (false, Err(message)) => format!("? {message}"),
            (true, Ok((_, mut value))) => {
                value["ok"] = Value::Bool(true);
                value.to_string()
            }
            (true, Err(message)) => json!({ "ok": false, "error": message }).to_string(),
        };
        say(&format!("{text}\n"))?;
        if quit {
            return Ok(Exit::Success);
        }
    }
}

/// An answer in words and as an object, or what is wrong.
type Answered = Result<(String, Value), String>;

struct Server {
    round: Option<Round>,
    chooser: Chooser,
    side: Option<Player>,
    seconds: Option<Duration>,
    interrupt: Interrupt,
}

/// A game by the words of a file name or of a board.
pub fn load(words: &[String], interrupt: &Interrupt) -> Result<Round, Failure> {
    let args = InputArgs { words: words.to_vec(), ..InputArgs::default() };
    let control = Control::new(Limits::default(), interrupt.clone());
    let input = input::read(&args, &GameArgs::default(), true, &control)?;
    Position::fits(&input.parsed.problem)?;
    Ok(Round::new(input.parsed.problem))
}

impl Server {
    fn answer(&mut self, request: Request) -> Answered {
        let none = || "there is no game yet: game FILE".to_owned();
        let failed = |error: PlayError| error.to_string();
        match request {
            Request::Game(words) => {
                if words == ["-"] {
                    return Err("a game is read from a file, not from here".to_owned());
                }
                let round = load(&words, &self.interrupt).map_err(|failure| failure.message())?;
                let text = self.state(&round);
                self.round = Some(round);
                Ok(text)
            }
            Request::Side(player) => {
                self.side = Some(player);
                Ok((player.to_string(), json!({ "side": player.to_string() })))
            }
            Request::Play(text) => {
                let round = self.round.as_mut().ok_or_else(none)?;
                let played = round.play(&text).map_err(failed)?.to_owned();
                self.after(&played)
            }
            Request::Genmove(time) => {
                let round = self.round.as_mut().ok_or_else(none)?;
                let turn = round.position().turn().ok_or(PlayError::Over).map_err(failed)?;
                if self.side.is_some_and(|side| side != turn) {
                    return Err(format!("it is {}'s turn", round.position().player_name(turn)));
                }
                let choice = self.chooser.choose(round, time.or(self.seconds), &self.interrupt).map_err(failed)?;
                round.play(&choice.name).map_err(failed)?;
                let (text, mut value) = self.after(&choice.name)?;
                value["prospect"] = prospect(choice.prospect);
                Ok((text, value))
            }
            Request::Undo => {
                let round = self.round.as_mut().ok_or_else(none)?;
                if !round.undo() {
                    return Err("there is no move to take back".to_owned());
                }
                let round = round.clone();
                Ok(self.state(&round))
            }
            Request::Moves => {
                let position = self.round.as_ref().ok_or_else(none)?.position();
                let names: Vec<String> = position.moves().iter().map(|&lit| position.name(lit)).collect();
                Ok((names.join(" "), json!({ "moves": names })))
            }
            Request::Winner => self.analyse(&Wanted::default()),
            Request::Analyse => {
                let is_game = self.round.as_ref().is_some_and(|round| !round.position().is_formula());
                self.analyse(&if is_game { Wanted::default().and_all_moves() } else { Wanted::default() })
            }
            _ => Err("this request is not known".to_owned()),
        }
    }

    /// A move that was played, and how things stand after it.
    fn after(&self, name: &str) -> Answered {
        let round = self.round.as_ref().ok_or_else(String::new)?;
        let (state, mut value) = self.state(round);
        value["move"] = json!(name);
        let over = if round.position().turn().is_none() { format!(" {state}") } else { String::new() };
        Ok((format!("{name}{over}"), value))
    }

    /// Whose turn it is, or how the game ended.
    fn state(&self, round: &Round) -> (String, Value) {
        let position = round.position();
        match (position.turn(), position.outcome()) {
            (Some(turn), _) => {
                let name = position.player_name(turn);
                (format!("turn {name}"), json!({ "turn": name, "player": turn.to_string() }))
            }
            (None, Some(Outcome::Win(winner))) => {
                let name = position.player_name(winner);
                (format!("over {name}"), json!({ "over": true, "winner": winner.to_string(), "name": name }))
            }
            (None, _) => ("over draw".to_owned(), json!({ "over": true, "winner": null })),
        }
    }

    fn analyse(&mut self, wanted: &Wanted) -> Answered {
        let round = self.round.as_ref().ok_or("there is no game yet: game FILE")?;
        let position = round.position();
        if position.turn().is_none() {
            return Ok(self.state(round));
        }
        let wanted = if wanted.all_moves { position.with_trace(wanted) } else { wanted.clone() };
        let answer = match self.chooser.ask(round, &wanted, self.seconds, &self.interrupt) {
            Err(PlayError::Refused(_)) => {
                self.chooser.ask(round, &Wanted::default(), self.seconds, &self.interrupt).map_err(|e| e.to_string())?
            }
            answer => answer.map_err(|error| error.to_string())?,
        };
        let name = |player: Player| position.player_name(player);
        let (text, winner) = match answer.verdict {
            Verdict::Draw | Verdict::Value(0) => ("draw".to_owned(), json!("draw")),
            Verdict::Value(value) => (format!("value {value}"), json!(value)),
            verdict => match verdict.winner() {
                Some(player) => (name(player), json!(player.to_string())),
                None => ("unknown".to_owned(), Value::Null),
            },
        };
        let moves: Vec<String> = answer.moves.iter().map(|&lit| position.name(lit)).collect();
        let trace: Vec<String> =
            answer.trace.iter().flatten().map(|&var| position.name(var.positive())).map(plain).collect();
        let mut words = vec![text];
        let mut value = json!({ "winner": winner });
        if wanted.all_moves {
            value["moves"] = json!(moves);
            if !moves.is_empty() {
                words.push(format!("moves {}", moves.join(" ")));
            }
            if !trace.is_empty() {
                words.push(format!("trace {}", trace.join(" ")));
                value["trace"] = json!(trace);
            }
        }
        Ok((words.join("; "), value))
    }
}

/// An element's name without a value.
fn plain(name: String) -> String {
    name.split('=').next().unwrap_or_default().to_owned()
}

fn prospect(prospect: Prospect) -> Value {
    match prospect {
        Prospect::Wins => json!("wins"),
        Prospect::Draws => json!("draws"),
        Prospect::Loses => json!("loses"),
        Prospect::Scores(value) => json!(value),
        Prospect::Unknown => Value::Null,
    }
}

//! `gamesat play --web`: one game on one page, served on loopback only.
//!
//! The address holds a token that cannot be guessed, so no other page and no other user of the machine can drive the game;
//! besides, the Host header must be ours (no name that was bound to 127.0.0.1 from outside), and so must the origin of
//! the page that sends a request. A request is small, arrives soon, or is dropped.

use super::exit::{Exit, Failure};
use super::inferior::inferior;
use super::lines::say;
use gamesat::Problem;
use gamesat::formula::{Player, Var};
use gamesat::graph::Graph;
use gamesat::play::{Chooser, Outcome, PlayError, Position, Prospect, Round};
use gamesat::rules::{Board, Goal, Side};
use gamesat::solve::{Interrupt, Verdict, Wanted};
use serde_json::{Value, json};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

const PAGE: &str = include_str!("web/page.html");
/// The largest head of a request, and the largest body.
const HEAD: usize = 16 << 10;
const BODY: usize = 4 << 10;
/// A request that has not arrived by then is dropped.
const PATIENCE: Duration = Duration::from_secs(5);
/// Requests that are treated at once.
const CROWD: usize = 32;
/// Nothing comes from elsewhere, and no other page may hold this one.
const HEADERS: &str = "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\nX-Content-Type-Options: nosniff\r\n\
    Referrer-Policy: no-referrer\r\nCache-Control: no-store\r\nConnection: close\r\n";

/// A game on a page.
pub struct Session {
    /// What the page is called.
    pub title: String,
    /// The game.
    pub round: Round,
    /// The sides that a person plays.
    pub person: Vec<Player>,
    /// Who moves for the others.
    pub chooser: Chooser,
    /// Time for a move.
    pub seconds: Duration,
}

/// Serves the page until a signal comes.
pub fn serve(session: Session, port: u16, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let token = token();
    say(&format!("http://127.0.0.1:{port}/{token}/\n"))?;
    let server = Arc::new(Server { port, token, session: Mutex::new(session), interrupt: interrupt.clone() });
    let crowd = Arc::new(AtomicUsize::new(0));
    while !interrupt.is_triggered() {
        match listener.accept() {
            Ok((stream, _)) if crowd.load(Ordering::Relaxed) < CROWD => {
                let (server, crowd) = (Arc::clone(&server), Arc::clone(&crowd));
                crowd.fetch_add(1, Ordering::Relaxed);
                thread::spawn(move || {
                    let _ = server.treat(stream);
                    crowd.fetch_sub(1, Ordering::Relaxed);
                });
            }
            Ok((mut stream, _)) => {
                let _ = stream.write_all(b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n");
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(Duration::from_millis(20)),
            Err(_) => thread::sleep(Duration::from_millis(100)),
        }
    }
    Ok(Exit::Success)
}

/// 128 bits that cannot be guessed: the keys with which the standard library seeds its hash tables come from the system.
fn token() -> String {
    (0..2).map(|_| format!("{:016x}", RandomState::new().build_hasher().finish())).collect()
}

struct Server {
    port: u16,
    token: String,
    session: Mutex<Session>,
    interrupt: Interrupt,
}

/// What was asked for.
struct Request {
    method: String,
    path: String,
    host: Option<String>,
    origin: Option<String>,
    body: Vec<u8>,
}

/// A status and why.
type Refused = (u16, &'static str);

impl Server {
    fn treat(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(Duration::from_millis(500)))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let (status, kind, body) = match request(&mut stream).and_then(|request| self.admit(&request).map(|()| request))
        {
            Ok(request) => self.answer(&request),
            Err((status, reason)) => (status, "application/json", json!({ "error": reason }).to_string()),
        };
        let phrase = if status == 200 { "OK" } else { "Refused" };
        let head = format!(
            "HTTP/1.1 {status} {phrase}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n{HEADERS}\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(body.as_bytes())?;
        stream.shutdown(Shutdown::Write)
    }

    /// Is this request for us?
    fn admit(&self, request: &Request) -> Result<(), Refused> {
        let ours = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        if !request.host.as_ref().is_some_and(|host| ours.contains(host)) {
            return Err((403, "another host is meant"));
        }
        let is_ours = |origin: &String| ours.iter().any(|host| *origin == format!("http://{host}"));
        if !request.origin.as_ref().is_none_or(is_ours) {
            return Err((403, "another page asks"));
        }
        let token = request.path.split('/').nth(1).unwrap_or_default();
        // Every byte is compared, so that the time taken tells nothing.
        let differs = token.bytes().zip(self.token.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        if token.len() != self.token.len() || differs != 0 {
            return Err((404, "there is nothing here"));
        }
        Ok(())
    }

    fn answer(&self, request: &Request) -> (u16, &'static str, String) {
        let what = request.path.split('/').nth(2).unwrap_or_default();
        if (request.method.as_str(), what) == ("GET", "") {
            return (200, "text/html", PAGE.to_owned());
        }
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = match (request.method.as_str(), what) {
            ("GET", "state") => Ok(session.state()),
            ("POST", "play") => session.play(&request.body),
            ("POST", "undo") => session.undo(),
            ("POST", "genmove") => session.genmove(&self.interrupt),
            ("POST", "hint") => session.hint(&self.interrupt),
            ("POST", "analyse") => session.analyse(&self.interrupt),
            _ => return (404, "application/json", json!({ "error": "there is nothing here" }).to_string()),
        };
        match answer {
            Ok(value) => (200, "application/json", value.to_string()),
            Err(message) => (400, "application/json", json!({ "error": message }).to_string()),
        }
    }
}

/// Reads a request, within its limits.
fn request(stream: &mut TcpStream) -> Result<Request, Refused> {
    let began = Instant::now();
    let mut bytes = Vec::new();
    let mut more = |bytes: &mut Vec<u8>| -> Result<(), Refused> {
        let mut piece = [0; 4096];
        loop {
            if began.elapsed() > PATIENCE {
                return Err((408, "the request takes too long"));
            }
            match stream.read(&mut piece) {
                Ok(0) => return Err((400, "the request ends early")),
                Ok(length) => {
                    bytes.extend_from_slice(&piece[..length]);
                    return Ok(());
                }
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
                Err(_) => return Err((400, "the request cannot be read")),
            }
        }
    };
    loop {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut parsed = httparse::Request::new(&mut headers);
        match parsed.parse(&bytes) {
            Err(_) => return Err((400, "this is no HTTP")),
            Ok(httparse::Status::Partial) if bytes.len() > HEAD => return Err((431, "the head is too long")),
            Ok(httparse::Status::Partial) => more(&mut bytes)?,
            Ok(httparse::Status::Complete(head)) => {
                let header = |name: &str| {
                    let found = parsed.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
                    Some(String::from_utf8_lossy(found.value).trim().to_owned())
                };
                let length = match header("content-length").map(|text| text.parse::<usize>()) {
                    None => 0,
                    Some(Ok(length)) if length <= BODY => length,
                    Some(_) => return Err((413, "the body is too long")),
                };
                if header("transfer-encoding").is_some() {
                    return Err((411, "the body must say how long it is"));
                }
                let mut request = Request {
                    method: parsed.method.unwrap_or_default().to_owned(),
                    path: parsed.path.unwrap_or_default().to_owned(),
                    host: header("host"),
                    origin: header("origin"),
                    body: Vec::new(),
                };
                while bytes.len() < head + length {
                    more(&mut bytes)?;
                }
                request.body = bytes[head..head + length].to_vec();
                return Ok(request);
            }
        }
    }
}

/// An answer for the page, or what is wrong.
type Answered = Result<Value, String>;

fn failed(error: PlayError) -> String {
    error.to_string()
}

impl Session {
    fn play(&mut self, body: &[u8]) -> Answered {
        let value: Value = serde_json::from_slice(body).map_err(|error| error.to_string())?;
        let name = value["move"].as_str().ok_or("there is no move in the request")?;
        self.round.play(name).map_err(failed)?;
        Ok(self.state())
    }

    /// Back to the person's own turn.
    fn undo(&mut self) -> Answered {
        if !self.round.undo() {
            return Err("there is no move to take back".to_owned());
        }
        while self.round.position().turn().is_some_and(|turn| !self.person.contains(&turn)) && self.round.undo() {}
        Ok(self.state())
    }

    fn genmove(&mut self, interrupt: &Interrupt) -> Answered {
        let turn = self.round.position().turn().ok_or("the game is over")?;
        let choice = self.chooser.choose(&self.round, Some(self.seconds), interrupt).map_err(failed)?;
        let name = self.round.position().player_name(turn);
        let before = self.round.position().clone();
        self.round.play(&choice.name).map_err(failed)?;
        let mut state = self.state();
        let remark = match choice.prospect {
            Prospect::Wins => " and wins",
            Prospect::Loses => ", but should lose",
            Prospect::Draws => " for a draw",
            _ => "",
        };
        let remark = match choice.prospect {
            Prospect::Scores(value) => self.forecast(&before, value),
            _ => remark.to_owned(),
        };
        state["text"] = json!(format!("{name} plays {}{remark}", choice.name));
        Ok(state)
    }

    /// How the game goes on from a position with a score, behind a move.
    fn forecast(&self, position: &Position, value: i64) -> String {
        let person = if let [player] = self.person[..] { Some(player) } else { None };
        position.forecast(value, person).map_or(String::new(), |forecast| format!(": {forecast}"))
    }

    fn hint(&mut self, interrupt: &Interrupt) -> Answered {
        let choice = self.chooser.choose(&self.round, Some(self.seconds), interrupt).map_err(failed)?;
        let text = match choice.prospect {
            Prospect::Wins => format!("{} wins", choice.name),
            Prospect::Loses => format!("every move loses; {} lasts", choice.name),
            Prospect::Scores(value) => choice.name.clone() + &self.forecast(self.round.position(), value),
            _ => format!("{} looks good", choice.name),
        };
        let win = if choice.prospect == Prospect::Wins { vec![choice.name] } else { Vec::new() };
        Ok(json!({ "marks": { "win": win }, "text": text }))
    }

    /// Who wins, every winning move, the trace, a line of best play.
    fn analyse(&mut self, interrupt: &Interrupt) -> Answered {
        let position = self.round.position();
        position.turn().ok_or("the game is over")?;
        let wanted = if position.is_formula() { Wanted::default() } else { Wanted::default().and_all_moves() };
        let wanted = position.with_trace(&wanted);
        let answer = self.chooser.ask(&self.round, &wanted, Some(self.seconds), interrupt).map_err(failed)?;
        let position = self.round.position();
        let text = match answer.verdict {
            Verdict::Draw => "best play is a draw".to_owned(),
            Verdict::Value(value) => {
                let person = if let [player] = self.person[..] { Some(player) } else { None };
                position.forecast(value, person).unwrap_or_default()
            }
            verdict => match verdict.winner() {
                Some(winner) => format!("{} wins", position.player_name(winner)),
                None => "not found in this time".to_owned(),
            },
        };
        let names = |lits: &[gamesat::formula::Lit]| lits.iter().map(|&lit| position.name(lit)).collect::<Vec<_>>();
        let plain = |var: &Var| position.name(var.positive()).split('=').next().unwrap_or_default().to_owned();
        let trace: Vec<String> = answer.trace.iter().flatten().map(plain).collect();
        let [dead, captured, dominated] = inferior(position, self.seconds);
        let marks = json!({ "win": names(&answer.moves), "trace": trace, "line": names(&answer.variation), "dead": dead,
            "captured": captured, "dominated": dominated });
        Ok(json!({ "marks": marks, "text": text }))
    }

    fn state(&self) -> Value {
        let position = self.round.position();
        let outcome = position.outcome().map(|outcome| match outcome {
            Outcome::Win(player) => player.to_string(),
            Outcome::Draw => "draw".to_owned(),
        });
        let mut state = json!({
            "title": self.title,
            "kind": "table",
            "players": { "max": position.player_name(Player::Max), "min": position.player_name(Player::Min) },
            "turn": position.turn().map(|turn| turn.to_string()),
            "you": self.person.iter().map(Player::to_string).collect::<Vec<_>>(),
            "outcome": outcome,
            "history": self.round.moves(),
        });
        match position.given() {
            Problem::Board(board) => draw(board, &mut state),
            _ => {
                state["picture"] = json!(position.to_string());
                state["rows"] = rows(position);
            }
        }
        state
    }
}

/// Moves in a table: one row for each element or variable, with its values.
fn rows(position: &Position) -> Value {
    let mut rows: Vec<(Var, Vec<Value>, String)> = Vec::new();
    for lit in position.moves() {
        let name = position.name(lit);
        let is_value = matches!(
            position.given(),
            Problem::Game(_) | Problem::Colouring(_) | Problem::Qbf(_) | Problem::Circuit(_)
        );
        let text = if !is_value {
            &name
        } else if lit.is_positive() {
            "TRUE"
        } else {
            "FALSE"
        };
        let of = name.split('=').next().unwrap_or_default().to_owned();
        let entry = json!({ "name": name, "text": text });
        match rows.last_mut() {
            Some((var, moves, _)) if *var == lit.var() => moves.push(entry),
            _ => rows.push((lit.var(), vec![entry], of)),
        }
    }
    rows.into_iter().map(|(_, moves, name)| json!({ "name": name, "moves": moves })).collect()
}

/// Where the cells are, who owns them, and whose borders they touch.
fn draw(board: &Board, state: &mut Value) {
    let lines = board.lines();
    let player = |side: Side| board.player(side).to_string();
    let touches: Vec<(Side, Vec<usize>)> = [Side::First, Side::Second]
        .into_iter()
        .filter_map(|side| match board.goal(side) {
            Some(Goal::Vertices { graph, terminals }) => Some((side, neighbours(graph, terminals, board.elements()))),
            _ => None,
        })
        .collect();
    let cell = |element: usize, x: f64, y: f64| {
        let near: Vec<String> =
            touches.iter().filter(|(_, cells)| cells.contains(&element)).map(|&(side, _)| player(side)).collect();
        json!({ "id": board.name(element), "x": x, "y": y, "owner": board.stone(element).map(player), "touches": near,
            "terminal": board.is_terminal(element) })
    };
    let slanted = lines.iter().any(|&(indent, _)| indent > 0);
    let mut edges = Vec::new();
    let cells: Vec<Value> = if lines.is_empty() {
        if let Some(Goal::Vertices { graph, .. }) = board.goal(Side::First) {
            let shown = |vertex: u32| (vertex as usize) < board.elements();
            edges = graph.edges().iter().copied().filter(|&(u, v)| shown(u) && shown(v)).collect();
        }
        (0..board.elements()).map(|element| cell(element, 0.0, 0.0)).collect()
    } else {
        let line = |(y, (indent, elements)): (usize, &(usize, Vec<usize>))| {
            let place = |(x, &element): (usize, &usize)| cell(element, x as f64 + *indent as f64 / 2.0, y as f64);
            elements.iter().enumerate().map(place).collect::<Vec<_>>()
        };
        lines.iter().enumerate().flat_map(line).collect()
    };
    state["kind"] = json!("board");
    state["shape"] = json!(if lines.is_empty() {
        "graph"
    } else if slanted {
        "hexagons"
    } else {
        "square"
    });
    state["cells"] = Value::Array(cells);
    state["edges"] = json!(edges);
}

/// The elements next to a terminal.
fn neighbours(graph: &Graph, terminals: &[usize], elements: usize) -> Vec<usize> {
    let adjacency = graph.adjacency();
    terminals
        .iter()
        .flat_map(|&terminal| adjacency.of(terminal).iter().map(|&(vertex, _)| vertex as usize))
        .filter(|&vertex| vertex < elements)
        .collect()
}

//! The page in the browser, from the side of the server: what it serves, and what it refuses.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

struct Page {
    child: Child,
    port: u16,
    token: String,
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Page {
    fn open(game: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gamesat"));
        let mut child = command.arg("play").args(game).arg("--web").stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (port, token) = line.trim().strip_prefix("http://127.0.0.1:").unwrap().split_once('/').unwrap();
        Page { child, port: port.parse().unwrap(), token: token.trim_end_matches('/').to_owned() }
    }

    fn send(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let _ = stream.write_all(bytes); // the server may have refused already
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn request(&self, method: &str, path: &str, host: &str, body: &str) -> (u16, String) {
        let length = body.len();
        let answer = self.send(
            format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n{body}").as_bytes(),
        );
        let status = answer.split(' ').nth(1).unwrap_or("0").parse().unwrap_or(0);
        (status, answer.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned()))
    }

    fn ask(&self, what: &str, body: &str) -> (u16, Value) {
        let method = if what == "state" { "GET" } else { "POST" };
        let (status, text) =
            self.request(method, &format!("/{}/{what}", self.token), &format!("127.0.0.1:{}", self.port), body);
        (status, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
    }
}

#[test]
fn a_game_is_played_on_a_page() {
    let page = Page::open(&["hex", "3"]);
    let (status, html) = page.request("GET", &format!("/{}/", page.token), &format!("localhost:{}", page.port), "");
    assert_eq!(status, 200);
    assert!(html.starts_with("<!DOCTYPE html>") && !html.contains("http://") | html.contains("www.w3.org"), "{html}");
    let (_, state) = page.ask("state", "");
    assert_eq!((state["kind"].as_str(), state["turn"].as_str()), (Some("board"), Some("max")));
    assert_eq!(state["cells"].as_array().unwrap().len(), 9);
    let (_, marks) = page.ask("analyse", "{}");
    assert_eq!(marks["marks"]["win"].as_array().unwrap().len(), 5, "{marks}");
    let (status, state) = page.ask("play", "{\"move\": \"b2\"}");
    assert_eq!((status, state["history"].as_array().unwrap().len()), (200, 1));
    assert_eq!(page.ask("play", "{\"move\": \"b2\"}").0, 400);
    assert_eq!(page.ask("play", "{\"move\"").0, 400);
    let (_, state) = page.ask("genmove", "{}");
    assert_eq!(state["turn"], "max");
    let (_, state) = page.ask("undo", "{}");
    assert_eq!(state["history"].as_array().unwrap().len(), 0);
    assert_eq!(page.ask("undo", "{}").0, 400);
}

#[test]
fn formulas_are_tables() {
    let page = Page::open(&["-e", "forall x exists y: x == y", "--side", "forall"]);
    let (_, state) = page.ask("state", "");
    assert_eq!(state["rows"][0]["moves"].as_array().unwrap().len(), 2, "{state}");
    page.ask("play", "{\"move\": \"x=TRUE\"}");
    let (_, state) = page.ask("genmove", "{}");
    assert_eq!((&state["outcome"], &state["history"][1]), (&Value::from("max"), &Value::from("y=TRUE")), "{state}");
}

#[test]
fn what_is_not_ours_is_refused() {
    let page = Page::open(&["hex", "3"]);
    let host = format!("127.0.0.1:{}", page.port);
    let path = format!("/{}/state", page.token);
    assert_eq!(page.request("GET", "/", &host, "").0, 404);
    assert_eq!(page.request("GET", "/00000000000000000000000000000000/state", &host, "").0, 404);
    assert_eq!(page.request("GET", &path, "evil.example", "").0, 403);
    assert_eq!(page.request("GET", &format!("/{}/fly", page.token), &host, "").0, 404);
    assert_eq!(page.request("DELETE", &path, &host, "").0, 404);
    let foreign = format!(
        "POST /{}/undo HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\nContent-Length: 0\r\n\r\n",
        page.token
    );
    assert!(page.send(foreign.as_bytes()).starts_with("HTTP/1.1 403"));
    let long = format!("POST /{}/play HTTP/1.1\r\nHost: {host}\r\nContent-Length: 104857600\r\n\r\n", page.token);
    assert!(page.send(long.as_bytes()).starts_with("HTTP/1.1 413"));
    assert!(page.send(b"\0\0\0\r\n\r\n").starts_with("HTTP/1.1 400"));
    assert!(page.send(&vec![b'x'; 1 << 20]).starts_with("HTTP/1.1 4"));
    assert_eq!(page.ask("state", "").0, 200);
}

//! Lists that a limit cuts short: what was found is there, and that there may be more is said, whatever else is not.

use assert_cmd::Command;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

fn run(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gamesat"));
    let output = command.args(args).write_stdin(input).timeout(std::time::Duration::from_secs(60)).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Thirty parities: a billion models, and none of them leaves anything open.
fn many_models() -> String {
    let clauses = (1..=60).step_by(2).map(|n| format!("{n} {} 0\n-{n} -{} 0\n", n + 1, n + 1));
    format!("p cnf 60 60\n{}", clauses.collect::<String>())
}

#[test]
fn models_so_far() {
    let (code, text, said) = run(&["-q", "--all-models", "--node-limit", "300"], &many_models());
    assert_eq!(code, Some(10), "{said}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "s cnf 1 60 60");
    assert!(lines.len() > 10 && lines[1..].iter().all(|line| line.starts_with("V ") && line.ends_with(" 0")), "{text}");
    assert_eq!(said, "c incomplete: node limit\n");
    let (_, text, said) = run(&["--all-models", "--json", "--node-limit", "300"], &many_models());
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&answer["missing"], &answer["complete"]), (&Value::from("node limit"), &Value::from(false)));
    assert!(answer["outer_models"].as_array().unwrap().len() > 10);
    assert_eq!(said, "c incomplete: node limit\n");
    // Nothing is said of a list that is complete.
    let (_, text, said) = run(&["-q", "--all-models"], "p cnf 2 1\na 1 2 0\n1 2 0\n");
    assert_eq!((text.as_str(), said.as_str()), ("s cnf 0 2 1\nV -1 -2 0\n", ""));
    let (_, text, _) = run(&["--all-models", "--json"], "p cnf 2 1\na 1 2 0\n1 2 0\n");
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["complete"], Value::from(true));
}

/// The first model is there while the search for the others goes on.
#[test]
fn models_come_one_by_one() {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gamesat"));
    command.args(["-q", "--all-models", "--time-limit", "50"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), many_models().as_bytes()).unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "s cnf 1 60 60");
    assert!((0..100).all(|_| lines.next().unwrap().unwrap().starts_with("V ")));
    // A reader that goes away ends it quietly, and the verdict stands.
    drop(lines);
    assert_eq!(child.wait().unwrap().code(), Some(10));
}

/// A model with names: its comment is beside it.
#[test]
fn named_models() {
    let (code, text, _) = run(&["--all-models", "-e", "exists a b forall c: (a | c) & (a -> b)"], "");
    assert_eq!((code, text.lines().last()), (Some(10), Some("V 1 2 0")));
    assert!(text.contains("s cnf 1 3") && text.contains("\nc model a=TRUE b=TRUE\nV 1 2 0\n"), "{text}");
}

#[test]
fn winning_moves_so_far() {
    // By every engine that lists moves: the first is found long before the last.
    for (args, is_long) in [
        (&["hex", "5", "--engine", "graph"][..], true),
        (&["hex", "5", "--engine", "alpha-beta"], true),
        (&["connect", "4x4", "3"], true),
        (&["-e", "x1 | x2 | x3 | x4", "--order", "1*"], false),
    ] {
        let limited = |limit: u32| {
            let limit = limit.to_string();
            run(&[args, &["--all-moves", "-q", "--node-limit", &limit]].concat(), "")
        };
        let (code, all, said) = run(&[args, &["--all-moves", "-q"]].concat(), "");
        assert_eq!((code, said.as_str()), (Some(10), ""), "{args:?} {all}");
        let moves = |text: &str| -> Vec<String> {
            let line = text.lines().find(|line| line.starts_with("v ")).unwrap_or_default();
            line.split(' ').filter(|word| !matches!(*word, "v" | "0" | "")).map(str::to_owned).collect()
        };
        let all = moves(&all);
        let mut seen = false;
        for limit in (0..20).map(|power| 1 << power) {
            let (_, text, said) = limited(limit);
            let some = moves(&text);
            assert!(some.iter().all(|name| all.contains(name)), "{args:?} {some:?}");
            if said.is_empty() {
                assert!(some == all || text.contains(" unknown"), "{args:?} {limit}: {text}");
            } else {
                assert_eq!(said, "c incomplete: node limit\n", "{args:?}");
                // The value of a game with an order may be known before the first move of it.
                assert!(!some.is_empty() || text.starts_with("s value"), "{args:?} {limit}: {text}");
                seen = true;
            }
        }
        assert!(seen || !is_long, "{args:?}: no list was cut short");
    }
}

/// Memory that a run takes beyond its limit, at most: a tenth, and what the program itself needs.
fn stays_below(limit: u64, args: &[&str]) -> (Option<i32>, String) {
    let script = format!("exec \"$@\" --memory-limit {limit}");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_gamesat")]).args(args);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let peak = std::fs::read_to_string(&status).unwrap_or_default();
        let line = peak.lines().find(|line| line.starts_with("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok());
        most = most.max(kilobytes.unwrap_or(0) >> 10);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    assert!(most <= limit + limit / 10, "{args:?}: {most} MB of {limit}");
    (output.status.code(), text)
}

#[test]
fn memory_is_kept_within_its_limit() {
    let (code, text) = stays_below(80, &["encode", "hex", "30", "--to", "qdimacs", "-o", "/dev/null"]);
    assert_eq!((code, text.as_str()), (Some(1), "gamesat: not finished: memory limit\n"));
    // What was known by then is printed.
    let (code, text) = stays_below(60, &["analyse", "hex", "8", "--static"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("c missing: ") && text.contains("memory limit"), "{text}");
}

#[test]
fn an_analysis_so_far() {
    let (code, text, _) = run(&["analyse", "hex", "5", "--node-limit", "100"], "");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("c missing: the winning sets: node limit\n"), "{text}");
    assert!(text.contains("\nelement c3"), "{text}");
}

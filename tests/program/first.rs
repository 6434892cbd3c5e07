//! First contact with the command line: help, limits with units, objects instead of lines.

use assert_cmd::Command;
use serde_json::Value;
use std::io::Write;
use std::process;
use std::time::Duration;

fn gamesat() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gamesat"));
    command.timeout(Duration::from_secs(120));
    command
}

fn said(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = gamesat().args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The commands that the screen lists, in its order.
fn commands() -> Vec<String> {
    let (_, screen, _) = said(&["help"]);
    let rows = screen.lines().take_while(|line| !line.starts_with("Examples"));
    let rows = rows.filter_map(|line| line.strip_prefix("  ")).filter(|row| !row.starts_with(' '));
    rows.map(|row| row.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn the_program_is_on_one_screen() {
    let screens: Vec<_> = ["-h", "--help", "help"].iter().map(|word| said(&[word])).collect();
    assert!(screens.iter().all(|screen| screen == &screens[0]), "{screens:#?}");
    let (code, text, _) = &screens[0];
    assert_eq!(*code, Some(0));
    for group in ["Solve:", "Formulas:", "Boards and games:", "Proofs:", "Many machines:", "Tools:"] {
        assert!(text.lines().any(|line| line == group), "{group}: {text}");
    }
    assert!(commands().len() > 20 && !text.contains("--without"), "{text}");
}

#[test]
fn help_about_a_command_is_its_own_help() {
    for name in commands() {
        let (code, text, _) = said(&["help", &name]);
        assert_eq!((code, &text), (Some(0), &said(&[&name, "--help"]).1), "{name}");
        assert!(text.contains(&format!("Usage: gamesat {name}")), "{name}: {text}");
        // A switch for each technique is found under its topic only.
        assert!(!text.contains("--no-") && !text.contains("dead_cells"), "{name}: {text}");
    }
}

#[test]
fn switches_of_techniques_are_in_no_listing() {
    for arguments in [&["completions", "bash"][..], &["completions", "fish"], &["man"], &["man", "solve"]] {
        let (code, text, _) = said(arguments);
        assert_eq!(code, Some(0));
        assert!(
            text.contains("without") && !text.contains("no-capture") && !text.contains("no\\-capture"),
            "{arguments:?}"
        );
    }
}

/// `--no-X`, `--without X` and what `--with` gives back, as the JSON object says what was in force.
#[test]
fn techniques_are_switched_in_three_ways() {
    let technique = |arguments: &[&str], name: &str| {
        let (_, text, words) = said(&[&["-e", "x | y", "--json"], arguments].concat());
        let value: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{arguments:?}: {text}{words}"));
        value["options"]["techniques"][name].as_bool().unwrap()
    };
    assert!(technique(&[], "capture") && !technique(&[], "circuits"));
    for off in ["--no-capture", "--without=capture", "--only=units"] {
        assert!(!technique(&[off], "capture"), "{off}");
    }
    assert!(!technique(&["--no-both-forms"], "both_forms") && !technique(&["--one-form"], "both_forms"));
    assert!(technique(&["--with", "circuits"], "circuits"));
    assert!(technique(&["--only", "units", "--with", "capture"], "capture"));
    for both in [["--with", "--without"], ["--only", "--without"]] {
        let (code, _, words) = said(&["-e", "x", both[0], "capture", both[1], "capture"]);
        assert!(code == Some(2) && words.contains("to be used, and not to be used"), "{words}");
    }
}

/// A formula that no plain recursion finishes.
fn endless() -> String {
    let names: Vec<String> = (0..60).map(|number| format!("x{number}")).collect();
    format!("forall {} exists y: y", names.join(" "))
}

#[test]
fn limits_have_units() {
    let formula = endless();
    for (limit, reason) in [
        (["--time-limit", "300ms"], "time limit"),
        (["--time-limit", "0.005m"], "time limit"),
        (["--cpu-limit", "200ms"], "processor time limit"),
    ] {
        let (code, text, words) = said(&[&["--engine", "naive", "-e", &formula], &limit[..]].concat());
        assert_eq!(code, Some(0), "{limit:?}: {words}");
        assert!(text.starts_with(&format!("c unknown: {reason}\n")), "{limit:?}: {text}");
    }
    for command in ["classify", "openings", "play", "match"] {
        assert!(said(&["help", command]).1.contains("--cpu-limit <TIME>"), "{command}");
    }
    // A program that plays ends, too, though its input does not: it was not finished.
    let mut child = process::Command::new(env!("CARGO_BIN_EXE_gamesat"))
        .args(["serve", "--cpu-limit", "200ms"])
        .stdin(process::Stdio::piped())
        .stdout(process::Stdio::null())
        .stderr(process::Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"game hex 11\ngenmove 600\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    drop(input);
}

#[test]
fn every_command_takes_json() {
    for name in commands() {
        assert!(said(&["help", &name]).1.contains("--json"), "{name}");
    }
    for (arguments, code, field) in [
        (&["convert", "-e", "a & b", "--to", "gamesat-cnf"][..], 0, "text"),
        (&["encode", "hex", "2", "--to", "gamesat-cnf"], 0, "text"),
        (&["simplify", "-e", "exists x: x"], 10, "text"),
        (&["openings", "hex", "2"], 0, "text"),
        (&["book", "hex", "2"], 0, "text"),
        (&["generate"], 0, "text"),
        (&["man", "solve"], 0, "text"),
        (&["completions", "bash"], 0, "text"),
        (&["help", "engines"], 0, "text"),
        (&["classify", "-e", "x"], 0, "class"),
        (
            &["check", "grammars/examples/ok/copycat.qdimacs", "grammars/examples/ok/copycat.confirmation"],
            0,
            "judgement",
        ),
        (&["no/such/file"], 1, "error"),
        (&["convert", "no/such/file", "--to", "infix"], 1, "error"),
        (&["check", "-", "-"], 2, "error"),
        (&["play", "no/such/file"], 1, "error"),
        (&["join", "no/such/folder"], 1, "error"),
        (&["split"], 2, "error"),
        (&["-e", "x", "--engine", "nonsense"], 2, "error"),
        (&["-e", "(x"], 1, "column"),
    ] {
        let (status, text, words) = said(&[arguments, &["--json"]].concat());
        assert_eq!(status, Some(code), "{arguments:?}: {text}{words}");
        let value: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{arguments:?}: {text}{words}"));
        assert!(!value[field].is_null(), "{arguments:?}: {value}");
        assert!(field != "error" || value["exit_code"] == code, "{arguments:?}: {value}");
    }
}

/// Names of variables survive the way through QDIMACS and back.
#[test]
fn names_survive_qdimacs() {
    let (_, clauses, _) =
        said(&["convert", "-e", "forall you exists me: (you | me) & (!you | !me)", "--to", "qdimacs"]);
    assert!(clauses.starts_with("c name 1 you\nc name 2 me\np cnf "), "{clauses}");
    let output = gamesat().args(["convert", "--to", "infix"]).write_stdin(clauses).output().unwrap();
    let back = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(back.contains("forall you") && back.contains("exists me"), "{back}");
}

//! The program as its users see it: commands, output, exit codes, signals, pipes, compressed input.

use assert_cmd::Command;
use std::io::{Read, Write};
use std::process::{self, Stdio};
use std::time::{Duration, Instant};

fn gamesat() -> Command {
    Command::new(env!("CARGO_BIN_EXE_gamesat"))
}

fn raw() -> process::Command {
    process::Command::new(env!("CARGO_BIN_EXE_gamesat"))
}

/// Every `$ gamesat …` in README.md and tests/program/cli/ prints what stands below it.
#[test]
fn documented_commands_print_what_they_say() {
    trycmd::TestCases::new().case("README.md").case("tests/program/cli/*.trycmd");
}

const QDIMACS: &str = "p cnf 2 2\na 1 0\ne 2 0\n1 -2 0\n-1 2 0\n";
const GAMESAT: &str = "p gamesat cnf 2 1\n1 2 0\n";
const QCIR: &str = "#QCIR-G14\nforall(1)\nexists(2)\noutput(3)\n3 = xor(1, 2)\n";
const INFIX: &str = "forall x exists y: x == y\n";

#[test]
fn every_format_is_read_from_standard_input() {
    for text in [QDIMACS, GAMESAT, QCIR, INFIX] {
        gamesat().arg("-").write_stdin(text).assert().code(10);
        gamesat().arg("solve").write_stdin(text).assert().code(10);
    }
}

/// `QDIMACS`, compressed by the standard tools.
fn compressed() -> [(&'static str, Vec<u8>); 4] {
    let gz = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(QDIMACS.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let bz2 = {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        encoder.write_all(QDIMACS.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let xz = {
        let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::default()).unwrap();
        encoder.write_all(QDIMACS.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let zst = ruzstd::encoding::compress_to_vec(QDIMACS.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    [("gzip", gz), ("bzip2", bz2), ("xz", xz), ("zstd", zst)]
}

#[test]
fn compressed_input_is_recognised_by_its_magic_bytes() {
    for (name, bytes) in compressed() {
        let output = gamesat().write_stdin(bytes).output().unwrap();
        assert_eq!(output.status.code(), Some(10), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn truncated_compression_is_named() {
    for (name, bytes) in compressed() {
        for cut in [bytes.len() / 2, bytes.len() - 1] {
            let output = gamesat().write_stdin(&bytes[..cut]).output().unwrap();
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{name} cut at {cut}: {message}");
            assert!(message.contains(name) && message.contains("truncated"), "{name} cut at {cut}: {message}");
            assert!(output.stdout.is_empty());
        }
    }
}

#[test]
fn concatenated_streams_are_one_file() {
    for (name, bytes) in compressed() {
        if name == "xz" {
            continue; // the decoder reads one stream
        }
        let parts: Vec<u8> = match name {
            "gzip" | "bzip2" | "zstd" => [bytes.clone(), bytes].concat(),
            _ => unreachable!(),
        };
        // Twice the same file is a second header: an error that shows that the second part was read.
        let output = gamesat().write_stdin(parts).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(":6:"), "{name}");
    }
}

/// A formula that no plain recursion finishes: 60 universal variables, true.
fn long_formula() -> String {
    let vars: Vec<String> = (1..=60).map(|v| v.to_string()).collect();
    format!("p cnf 61 1\na {} 0\ne 61 0\n61 0\n", vars.join(" "))
}

#[test]
fn limits_end_in_a_clean_unknown() {
    for limit in [["--time-limit", "0.2"], ["--node-limit", "100"]] {
        let output = gamesat().args(["--engine", "naive"]).args(limit).write_stdin(long_formula()).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(lines(&output.stdout).contains(&"s cnf -1 61 1".to_owned()), "{limit:?}");
    }
}

#[test]
fn the_memory_limit_is_polled() {
    // A game of 40 elements whose plain minimax remembers far more positions than fit.
    let clauses: String = (1..40).map(|v| format!("{v} -{} 0\n", v + 1)).collect();
    let game = format!("p gamesat cnf 40 39\n{clauses}");
    let output = gamesat()
        .args(["--engine", "naive", "--memory-limit", "60", "--time-limit", "60"])
        .write_stdin(game)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(lines(&output.stdout), ["c unknown: memory limit", "s gamesat unknown"]);
}

/// A person at a terminal, which 'script' provides, is told how to end what is read.
#[test]
fn a_terminal_is_told_how_its_text_ends() {
    let program = format!("{} solve", env!("CARGO_BIN_EXE_gamesat"));
    let output = Command::new("script")
        .args(["-qec", &program, "/dev/null"])
        .write_stdin("p cnf 1 1\n1 0\n\u{4}")
        .timeout(Duration::from_secs(60))
        .output()
        .unwrap();
    let text = lines(&output.stdout);
    assert!(text.iter().any(|line| line.trim_end() == "c reading standard input, end with Ctrl-D"), "{text:?}");
    assert_eq!((output.status.code(), text.last().map(|line| line.trim_end())), (Some(10), Some("s cnf 1 1 1")));
}

fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect()
}

fn kill(child: &process::Child, signal: &str) {
    let status = process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn signals_end_a_long_run_within_a_second() {
    for signal in ["-TERM", "-INT", "-XCPU"] {
        let mut child = raw()
            .args(["--engine", "naive", "--stats", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(long_formula().as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(500));
        assert!(child.try_wait().unwrap().is_none(), "it should still be running");
        let sent = Instant::now();
        kill(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert!(sent.elapsed() < Duration::from_secs(5), "{signal}: {:?}", sent.elapsed());
        assert_eq!(output.status.code(), Some(0), "{signal}");
        let lines = lines(&output.stdout);
        assert!(lines.contains(&"c unknown: interrupted".to_owned()), "{signal}: {lines:?}");
        assert!(lines.contains(&"s cnf -1 61 1".to_owned()), "{signal}: {lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("c seconds ")), "{signal}: {lines:?}");
    }
}

#[test]
fn a_signal_ends_a_read_that_never_returns() {
    let mut child = raw().arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take();
    std::thread::sleep(Duration::from_millis(300));
    kill(&child, "-TERM");
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(text, "c unknown: interrupted\ns cnf -1 0 0\n");
    drop(stdin);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = raw()
        .args(["convert", "--to", "qdimacs", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let clauses = "1 2 0\n".repeat(200_000);
    let text = format!("p cnf 2 200000\n{clauses}");
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_exit_code_survives_a_closed_pipe() {
    let mut child = raw().arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(QDIMACS.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(10), 0));
}

#[test]
fn json_has_what_its_schema_requires() {
    let schema: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string("grammars/output.schema.json").unwrap()).unwrap();
    for (input, args) in [
        (QDIMACS, &["--qdo"][..]),
        (GAMESAT, &["--all-moves"]),
        (QCIR, &[]),
        ("exists x: x", &["--qdo"]),
        ("x | y", &["--turn", "min"]),
    ] {
        let output = gamesat().args(["--json", "-"]).args(args).write_stdin(input).output().unwrap();
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        conforms(&value, &schema, &schema, "$");
        assert_eq!(value["exit_code"].as_i64(), output.status.code().map(i64::from));
    }
}

#[test]
fn analyses_have_what_their_schema_requires() {
    let schema: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string("grammars/analyse.schema.json").unwrap()).unwrap();
    for args in [
        &["-e", "x & (y | z)"][..],
        &["-e", "(x == y) & (u | v)", "--rule", "own", "--static"],
        &["hex", "3", "--moves", "b2 a1"],
        &["hex", "4", "--static", "--set-size", "3"],
        &["-e", "x | y", "--stars", "1"],
    ] {
        let output = gamesat().args(["analyse", "--json"]).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        conforms(&value, &schema, &schema, "$");
    }
}

/// Pages and drawings are complete by themselves: nothing is fetched.
#[test]
fn pictures_need_no_network() {
    for (to, end) in [("svg", "</svg>\n"), ("html", "</html>\n")] {
        let output = gamesat().args(["analyse", "hex", "3", "--moves", "b2", "--to", to]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.ends_with(end) && text.contains("captured by black"), "{to}");
        let links = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!links.contains("http") && !links.contains("src=") && !links.contains("@import"), "{to}");
    }
}

/// Checks a value against the part of JSON Schema that our schema uses.
fn conforms(value: &serde_json::Value, schema: &serde_json::Value, root: &serde_json::Value, at: &str) {
    use serde_json::Value;
    if let Some(name) = schema["$ref"].as_str() {
        let target = root.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("{name}"));
        return conforms(value, target, root, at);
    }
    for keyword in schema.as_object().unwrap().keys() {
        let known = [
            "$schema",
            "$defs",
            "title",
            "description",
            "type",
            "enum",
            "properties",
            "required",
            "items",
            "minItems",
            "maxItems",
            "additionalProperties",
        ];
        assert!(known.contains(&keyword.as_str()), "the schema uses {keyword}, which this test does not check");
    }
    if let Some(options) = schema["enum"].as_array() {
        assert!(options.contains(value), "{at}: {value} is not one of {options:?}");
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => vec![],
    };
    let fits = |name: &str| match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => panic!("unknown type {name}"),
    };
    assert!(types.is_empty() || types.iter().any(|name| fits(name)), "{at}: {value} is not {types:?}");
    if let Some(object) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten() {
            assert!(object.contains_key(name.as_str().unwrap()), "{at}: {name} is missing");
        }
        for (name, inner) in object {
            let at = format!("{at}.{name}");
            match schema["properties"].get(name) {
                Some(property) => conforms(inner, property, root, &at),
                None => match &schema["additionalProperties"] {
                    Value::Bool(false) => panic!("{at} is not in the schema"),
                    Value::Null | Value::Bool(true) => {}
                    other => conforms(inner, other, root, &at),
                },
            }
        }
    }
    if let Some(list) = value.as_array() {
        let bound = |name: &str| schema[name].as_u64().map(|bound| bound as usize);
        assert!(bound("minItems").is_none_or(|least| list.len() >= least), "{at}: {value} is too short");
        assert!(bound("maxItems").is_none_or(|most| list.len() <= most), "{at}: {value} is too long");
    }
    for (index, inner) in value.as_array().into_iter().flatten().enumerate() {
        if !schema["items"].is_null() {
            conforms(inner, &schema["items"], root, &format!("{at}[{index}]"));
        }
    }
}

#[test]
fn a_header_of_two_billion_variables_costs_nothing() {
    let output = gamesat().args(["--json", "-"]).write_stdin("p cnf 2000000000 1\n1999999999 0\n").output().unwrap();
    assert_eq!(output.status.code(), Some(10));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["variables"], 2_000_000_000u64);
    if let Some(peak) = value["peak_memory_bytes"].as_u64() {
        assert!(peak < 200 << 20, "{peak} bytes");
    }
}

/// Whatever lists moves refuses; whatever need not list them answers.
#[test]
fn a_game_on_two_billion_elements_costs_nothing() {
    const GAME: &str = "p gamesat cnf 2147483647 1\n1 2 0\n";
    let folder = std::env::temp_dir().join(format!("gamesat-vast-{}", process::id()));
    let file = folder.with_extension("gsat");
    std::fs::write(&file, GAME).unwrap();
    let (file, folder) = (file.to_str().unwrap(), folder.to_str().unwrap());
    for (arguments, code) in [
        (vec!["solve", file], 10),
        (vec!["analyse", file], 0),
        (vec!["classify", file], 0),
        (vec!["stats", file], 0),
        (vec!["encode", file, "--to", "qdimacs"], 0),
        (vec!["convert", file, "--to", "infix"], 1),
        (vec!["play", file, "--side", "none"], 1),
        (vec!["split", file, "-o", folder], 1),
        (vec!["match", "random", "glance", file, "--games", "1"], 1),
    ] {
        let began = Instant::now();
        let output = gamesat().args(&arguments).timeout(Duration::from_secs(60)).output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {words} after {:?}", began.elapsed());
        assert!(code != 1 || words.contains("elements"), "{arguments:?}: {words}");
    }
    let requests = format!("game {file}\nquit\n");
    let output = gamesat().arg("serve").write_stdin(requests).timeout(Duration::from_secs(60)).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("too many"), "{output:?}");
    std::fs::remove_file(file).unwrap();
}

#[cfg(target_os = "linux")] // where there is a device that is always full
#[test]
fn what_cannot_be_written_is_said_with_its_name() {
    for arguments in [["convert", "-e", "a | b", "--to", "infix"], ["encode", "hex", "3", "--to", "qdimacs"]] {
        let output = gamesat().args(arguments).args(["-o", "/dev/full"]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(words.starts_with("gamesat: /dev/full: "), "{words}");
    }
}

#[test]
fn completions_and_manual_pages_are_made() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = gamesat().args(["completions", shell]).output().unwrap();
        assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("gamesat"), "{shell}");
    }
    for command in [None, Some("solve"), Some("convert")] {
        let output = gamesat().arg("man").args(command).output().unwrap();
        assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains(".TH"), "{command:?}");
    }
    gamesat().args(["man", "nonsense"]).assert().code(2);
}

/// What a command reads is never written over: not by mistake, and not when it fails.
#[test]
fn no_file_is_input_and_output() {
    let folder = std::env::temp_dir().join(format!("gamesat-same-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let (formula, board) = (path("f.qdimacs"), path("b.hex"));
    std::fs::write(&formula, QDIMACS).unwrap();
    std::fs::write(&board, "hex 2\n").unwrap();
    let around = path("./f.qdimacs");
    for words in [
        vec!["simplify", &formula, "-o", &formula],
        vec!["simplify", &formula, "-o", &around],
        vec!["convert", &formula, "--to", "qcir", "-o", &formula],
        vec!["encode", &board, "--to", "qdimacs", "-o", &board],
        vec![&formula, "--certificate", &formula],
        vec![&board, "--strategy", &board],
        vec!["check", &formula, &formula, "-o", &formula],
        vec!["openings", &board, "--record", &board],
    ] {
        let output = gamesat().args(&words).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("is to be read and to be written"), "{words:?}: {said}");
    }
    assert_eq!(std::fs::read_to_string(&formula).unwrap(), QDIMACS);
    let new = path("new");
    let output = gamesat().args([&board, "--strategy", &new, "-o", &new]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("written twice"));
    // A device may be named as often as one likes, and standard output, too.
    gamesat().args([&formula, "--certificate", "/dev/null", "-o", "/dev/null"]).assert().code(10);
    gamesat().args([&formula, "--certificate", "-", "-o", "-"]).assert().code(10);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A formula of more than three blocks has functions where a refutation was asked for; that is said, and only then.
#[test]
fn steps_that_were_not_found_are_named() {
    for (words, said) in [
        (&["kbkf", "3"][..], "c no refutation in steps was found: the proof is functions (AIGER) instead"),
        (&["random", "clauses=260", "vars=20", "exists=3", "forall=2", "--seed", "1"], ""),
    ] {
        let formula = gamesat().arg("generate").args(words).output().unwrap().stdout;
        let solve = |format: &str| {
            let words = ["-", "-q", "--certificate", "-", "--certificate-format", format];
            gamesat().args(words).write_stdin(formula.clone()).output().unwrap()
        };
        let output = solve("steps");
        assert_eq!(output.status.code(), Some(20), "{words:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).trim(), said, "{words:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout).contains("p refutation"), said.is_empty(), "{words:?}");
        assert!(solve("any").stderr.is_empty(), "{words:?}");
    }
}

/// What ends a search is named, whoever notices first that time is up.
#[test]
fn a_book_names_the_limit_that_ended_it() {
    let output = gamesat().args(["book", "hex", "7", "--plies", "2", "--time-limit", "0.3"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("c incomplete: time limit"), "{said}");
}

/// A device has no end, and is nothing to keep records in.
#[cfg(unix)]
#[test]
fn records_are_regular_files() {
    for words in [
        ["openings", "hex", "2", "--record", "/dev/full"],
        ["book", "hex", "2", "--record", "/dev/zero"],
        ["solve", "hex", "2", "--book", "/dev/zero"],
    ] {
        let output = gamesat().args(words).timeout(Duration::from_secs(20)).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{words:?}: {said}");
        assert!(said.contains("not a regular file"), "{words:?}: {said}");
    }
}

/// What some other command has left in a file is no game, whatever the file is called; a formula that was typed is one.
#[test]
fn a_single_word_is_answered_only_if_it_was_typed() {
    let folder = std::env::temp_dir().join(format!("gamesat-words-{}", process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (named, plain) = (file("x.qdimacs", "timeout\n"), file("x", "timeout\n"));
    let formula = file("formula.qdimacs", "a & b\n");
    let cut_off = file("cut.cnf", "p cnf 2 3\n1 0\n2 0\n");
    let said = |arguments: &[&str], input: &str| {
        let output = gamesat().args(arguments).write_stdin(input).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for (arguments, input, words) in [
        (&[&*named][..], "", "1:1: by its name the file is in the format qdimacs"),
        (&[&*plain], "", "1:1: 'timeout' is a single word"),
        (&["-"], "timeout\n", "<stdin>:1:1: 'timeout' is a single word"),
        (&["stats", &*plain], "", "'timeout' is a single word"),
        (&[&*formula], "", "by its name the file is in the format qdimacs"),
        (&[&*cut_off], "", "fewer clauses than the header announces: 3 announced, 2 found"),
        (&[&*cut_off, "--strict"], "", "fewer clauses than the header announces"),
        (&["check", &*cut_off, "-"], "", "fewer clauses than the header announces"),
        (&["compose", "and", &*cut_off], "", "fewer clauses than the header announces"),
        (&["match", "random", "solver", &*cut_off], "", "fewer clauses than the header announces"),
    ] {
        let (code, text) = said(arguments, input);
        assert!(code == Some(1) && text.contains(words), "{arguments:?}: {code:?} {text}");
    }
    for (arguments, input, exit, words) in [
        (&["-e", "timeout"][..], "", 10, ""),
        (&["-", "--format", "infix"], "timeout\n", 10, ""),
        (&["-"], "(timeout)\n", 10, ""),
        (&[&*formula, "--format", "infix"], "", 20, ""),
        (&[&*cut_off, "--tolerant"], "", 10, "c warning: "),
        (&["-"], "p cnf 2 1\n1 0\n2 0\n", 10, "c warning: <stdin>:3: more clauses than the header announces"),
        (&["-e", "forall x: x | y"], "", 10, "c warning: -e:1: variable y is not quantified"),
    ] {
        let (code, text) = said(arguments, input);
        assert!(code == Some(exit) && text.contains(words), "{arguments:?}: {code:?} {text}");
    }
    let both = said(&["-", "--strict", "--tolerant"], "");
    assert_eq!(both.0, Some(2), "{}", both.1);
    std::fs::remove_dir_all(&folder).unwrap();
}

//! Several problems in one run: a line for each, with its own process, limits and proof.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Output, Stdio};
use std::time::Duration;

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gamesat-batch-{name}-{}", process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const TRUE: &str = "p cnf 2 2\na 1 0\ne 2 0\n1 -2 0\n-1 2 0\n";
const FALSE: &str = "p cnf 2 2\ne 2 0\na 1 0\n1 -2 0\n-1 2 0\n";

/// A formula that plain recursion does not finish.
fn endless() -> String {
    let vars: Vec<String> = (1..=60).map(|v| v.to_string()).collect();
    format!("p cnf 61 1\na {} 0\ne 61 0\n61 0\n", vars.join(" "))
}

fn gamesat(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gamesat"));
    command.current_dir(folder).timeout(Duration::from_secs(120)).args(arguments).output().unwrap()
}

/// The lines of a run with `--json`, by the names of the problems.
fn objects(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let mut objects: Vec<Value> = text.lines().map(parse).collect();
    objects.sort_by_key(|object| object["input"].as_str().unwrap().to_owned());
    objects
}

fn filled(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("a.qdimacs", TRUE);
    folder.write("in/b.cnf", FALSE);
    folder.write("in/deep/c.hex", "hex 3\n");
    folder.write("in/notes.txt", "no problem\n");
    folder.write("in/.hidden.cnf", TRUE);
    folder.write("in/tie.dots", "dots 1x2\n");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, TRUE.as_bytes()).unwrap();
    folder.write("in/z.qdimacs.gz", encoder.finish().unwrap());
    folder
}

#[test]
fn files_and_folders_are_answered_line_by_line() {
    let folder = filled("lines");
    for jobs in ["1", "3"] {
        let output = gamesat(&folder.0, &["solve", "a.qdimacs", "in", "--json", "--jobs", jobs]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let found = objects(&output);
        let verdicts: Vec<(&str, &str)> =
            found.iter().map(|line| (line["input"].as_str().unwrap(), line["verdict"].as_str().unwrap())).collect();
        let expected = [
            ("a.qdimacs", "true"),
            ("in/b.cnf", "false"),
            ("in/deep/c.hex", "max"),
            ("in/tie.dots", "value"),
            ("in/z.qdimacs.gz", "true"),
        ];
        assert_eq!(verdicts, expected);
        for line in &found {
            let fields: Vec<&str> = line.as_object().unwrap().keys().map(String::as_str).collect();
            for field in ["cpu_seconds", "wall_seconds", "peak_mb", "engine", "certificate", "error"] {
                assert!(fields.contains(&field), "{line}");
            }
            assert!(line["wall_seconds"].is_number() && line["engine"].is_string(), "{line}");
            assert!(line["certificate"].is_null() && line["error"].is_null(), "{line}");
            if cfg!(target_os = "linux") {
                assert!(line["cpu_seconds"].is_number() && line["peak_mb"].as_f64().unwrap() > 1.0, "{line}");
            }
        }
    }
    let table = String::from_utf8(gamesat(&folder.0, &["a.qdimacs", "in/b.cnf", "-q"]).stdout).unwrap();
    let first: Vec<&str> = table.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(first, ["true", "false"], "{table}");
}

#[test]
fn an_error_is_a_line_and_an_exit_code() {
    let folder = filled("errors");
    folder.write("bad.cnf", "p cnf 1 1\n1 x 0\n");
    let output = gamesat(&folder.0, &["bad.cnf", "a.qdimacs", "missing.cnf", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let found = objects(&output);
    assert_eq!((&found[0]["verdict"], &found[0]["error"]), (&Value::from("true"), &Value::Null));
    assert!(found[1]["error"].as_str().unwrap().contains("bad.cnf:2:3"), "{}", found[1]);
    assert!(found[1]["verdict"].is_null() && found[2]["verdict"].is_null());
    assert!(found[2]["error"].as_str().unwrap().contains("missing.cnf: No such file"), "{}", found[2]);
}

/// The limits are those of each problem, and an unknown is an answer.
#[test]
fn options_and_limits_are_each_problems_own() {
    let folder = Folder::new("limits");
    folder.write("long.cnf", endless());
    folder.write("short.cnf", TRUE);
    let options = ["--engine", "naive", "--time-limit", "300ms", "--json"];
    let output = gamesat(&folder.0, &[&["long.cnf", "short.cnf", "long.cnf"], &options[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let found = objects(&output);
    assert_eq!(
        found.iter().map(|line| line["verdict"].as_str().unwrap()).collect::<Vec<_>>(),
        ["unknown", "unknown", "true"]
    );
    assert_eq!((&found[0]["stop"], &found[2]["engine"]), (&Value::from("time limit"), &Value::from("naive")));
    // One path keeps its exit code and its lines.
    assert_eq!(gamesat(&folder.0, &["short.cnf"]).status.code(), Some(10));
    let one = gamesat(&folder.0, &["short.cnf", "--jobs", "1", "-q"]);
    assert!(one.status.code() == Some(0) && one.stdout.starts_with(b"  true"), "{one:?}");
}

#[test]
fn proofs_go_into_a_folder() {
    let folder = filled("proofs");
    let output = gamesat(&folder.0, &["a.qdimacs", "in/b.cnf", "in/z.qdimacs.gz", "--certificate", "proofs", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for (line, file) in objects(&output).iter().zip(["a.qdimacs", "b.cnf", "z.qdimacs.gz"]) {
        let proof = format!("proofs/{file}.certificate");
        let bytes = fs::metadata(folder.0.join(&proof)).unwrap().len();
        assert_eq!(line["certificate"]["bytes"], bytes, "{line}");
        assert!(line["certificate"]["kind"].is_string(), "{line}");
        let checked = gamesat(&folder.0, &["check", line["input"].as_str().unwrap(), &proof]);
        assert_eq!(checked.status.code(), Some(0), "{checked:?}");
    }
}

#[test]
fn words_are_a_board_unless_they_are_all_files() {
    let folder = Folder::new("words");
    let output = gamesat(&folder.0, &["hex", "2", "-q"]);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    folder.write("hex", "hex 2\n");
    assert_eq!(gamesat(&folder.0, &["hex", "2", "-q"]).status.code(), Some(10));
    folder.write("2", TRUE);
    let both = gamesat(&folder.0, &["hex", "2", "--json"]);
    assert_eq!((both.status.code(), objects(&both).len()), (Some(0), 2), "{both:?}");
    let board = gamesat(&folder.0, &["hex", "3", "--jobs", "2", "--json"]);
    assert_eq!(objects(&board)[0]["input"], "hex 3");
}

#[test]
fn what_a_batch_cannot_do_is_refused() {
    let folder = filled("refusals");
    fs::create_dir(folder.0.join("empty")).unwrap();
    for (arguments, code, words) in [
        (&["a.qdimacs", "in/b.cnf", "--qdo"][..], 2, "--qdo is for one problem"),
        (&["a.qdimacs", "in", "--all-moves"], 2, "--all-moves is for one problem"),
        (&["-e", "x", "--jobs", "2"], 2, "--expression is for one problem"),
        (&["--jobs", "2"], 2, "standard input is one problem"),
        (&["a.qdimacs", "-", "--jobs", "2"], 2, "standard input is one problem"),
        (&["empty"], 1, "empty: no file in it has the ending of a format, such as .qdimacs"),
        (&["a.qdimacs", "--jobs", "0"], 2, "--jobs"),
    ] {
        let output = gamesat(&folder.0, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(code) && said.contains(words), "{arguments:?}: {output:?}");
    }
}

/// A signal to the batch alone ends its processes, which say what they know; so does its sudden death.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_the_batch_and_its_processes() {
    let folder = Folder::new("signals");
    for name in ["a.cnf", "b.cnf", "c.cnf"] {
        folder.write(name, endless());
    }
    for signal in ["-TERM", "-KILL"] {
        let child = process::Command::new(env!("CARGO_BIN_EXE_gamesat"))
            .current_dir(&folder.0)
            .args(["a.cnf", "b.cnf", "c.cnf", "--jobs", "2", "--json", "--engine", "naive"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let children = || -> Vec<String> {
            let found = process::Command::new("ps").args(["-o", "pid=", "--ppid", &child.id().to_string()]).output();
            String::from_utf8_lossy(&found.unwrap().stdout).split_whitespace().map(str::to_owned).collect()
        };
        let mut processes = children();
        while processes.len() < 2 {
            std::thread::sleep(Duration::from_millis(20));
            processes = children();
        }
        std::thread::sleep(Duration::from_millis(300));
        assert!(process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        if signal == "-TERM" {
            assert_eq!(output.status.code(), Some(1), "{output:?}");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(lines.len(), 3, "{text}");
            assert!(lines[..2].iter().all(|line| line["stop"] == "interrupted"), "{text}");
            assert_eq!(lines[2]["error"], "interrupted");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(said.contains("2 of 3 problems answered"), "{said}");
        }
        // None of them is left, whatever became of the batch.
        for process in processes {
            let mut patience = 500;
            while Path::new("/proc").join(&process).join("exe").read_link().is_ok() && patience > 0 {
                std::thread::sleep(Duration::from_millis(20));
                patience -= 1;
            }
            assert!(patience > 0, "{signal}: process {process} is still there");
        }
    }
}

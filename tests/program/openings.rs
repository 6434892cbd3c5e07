//! `gamesat openings`: the map, the record, and going on from it.
#![cfg(feature = "cli")]

use assert_cmd::Command;
use std::path::Path;

fn gamesat(args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_gamesat")).args(args).output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), text)
}

#[test]
fn a_record_is_kept_and_gone_on_from() {
    let path = std::env::temp_dir().join(format!("gamesat-openings-{}", std::process::id()));
    let record = path.to_str().unwrap();
    let (status, text) = gamesat(&["openings", "hex", "4", "--record", record]);
    assert_eq!(status, 0);
    assert!(text.contains("c - - - +\nc   - - + -\nc    - + - -\n") || text.contains(" - - - +\n"), "{text}");
    assert!(text.contains("c black wins with 4 openings, loses with 12, 0 unknown"), "{text}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    // A part of it is completed to the same; symmetric images are not asked for again.
    let part: String = text.lines().filter(|line| !line.contains("d1")).map(|line| format!("{line}\n")).collect();
    std::fs::write(&path, part).unwrap();
    let (_, again) = gamesat(&["openings", "hex", "4", "--record", record]);
    assert!(again.contains("\no d1 black 0\n"), "{again}");
    // Another position, and lines that say nothing.
    assert_eq!(gamesat(&["openings", "hex", "3", "--record", record]).0, 1);
    std::fs::write(&path, text.replacen("o a1 white", "o a1 green", 1)).unwrap();
    let (status, complaint) = gamesat(&["openings", "hex", "4", "--record", record]);
    assert!(status == 1 && complaint.contains("is no opening"), "{complaint}");
    std::fs::remove_file(Path::new(&path)).unwrap();
}

#[test]
fn a_limit_leaves_a_map_with_gaps() {
    let (status, text) = gamesat(&["openings", "hex", "9", "--time-limit", "0.3"]);
    assert_eq!(status, 0);
    assert!(text.contains('?') && text.contains("c incomplete: time limit"), "{text}");
    assert_eq!(gamesat(&["openings", "-e", "x & y"]).0, 2);
}

//! `split`, `solve --cube` and `join` by processes: in any order, twice, with some missing, and with files that were spoiled.

use assert_cmd::Command;
use std::fs;
use std::path::PathBuf;

fn gamesat(args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_gamesat")).args(args).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap())
}

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gamesat-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn cubes(folder: &str) -> usize {
    fs::read_to_string(format!("{folder}/cubes")).unwrap().lines().count()
}

#[test]
fn boards_and_formulas_are_cut_solved_and_joined() {
    let folder = Folder::new("split");
    let board = folder.path("board.hex");
    fs::write(&board, "hex 4\nturn white\nB . . .\n. . . .\n. . . .\n. . . .\n").unwrap();
    let formula = folder.path("formula.qdimacs");
    fs::write(&formula, gamesat(&["generate", "random", "vars=10", "clauses=45", "--seed", "5"]).1).unwrap();
    for (problem, proof) in [(&board, "whole.strategy"), (&formula, "whole.aag")] {
        let cut = folder.path("cut");
        let _ = fs::remove_dir_all(&cut);
        let (code, text) = gamesat(&[
            "split",
            problem,
            "--cubes",
            "6",
            "-o",
            &cut,
            "--slurm",
            "--parallel",
            "--proofs",
            "--look-ahead",
            "1",
        ]);
        assert_eq!(code, Some(0), "{text}");
        let count = cubes(&cut);
        assert!(count == 0 || text.contains("sbatch") && text.contains("parallel --joblog"), "{text}");
        let expected = gamesat(&["solve", problem]).0;
        if count > 0 {
            let (code, text) = gamesat(&["join", &cut]);
            assert_eq!(code, Some(0), "{text}");
            assert!(text.contains("c open 1"), "{text}");
        }
        // From the last to the first, one of them twice.
        for cube in (1..=count).rev().chain([1]).filter(|&cube| cube <= count) {
            let (code, text) =
                gamesat(&["solve", problem, "--cube", &cube.to_string(), "--manifest", &cut, "--proofs"]);
            assert_eq!(code, Some(0), "{text}");
        }
        let whole = folder.path(proof);
        let (code, text) = gamesat(&["join", &cut, "--proof", &whole]);
        assert_eq!(code, expected, "{text}");
        let (code, text) = gamesat(&["check", problem, &whole]);
        assert_eq!(code, Some(0), "{problem}: {text}");
        assert_eq!(gamesat(&["join", &cut, "--prune"]), (Some(0), String::new()));
    }
}

#[test]
fn what_is_spoiled_is_shouted_about() {
    let folder = Folder::new("spoiled");
    let cut = folder.path("cut");
    let words = ["hex", "5", "--moves", "a1"];
    let split = |more: &[&str]| {
        gamesat(&[&["split"][..], &words, &["--cubes", "4", "--look-ahead", "0", "-o", &cut], more].concat())
    };
    let solve = |cube: &str| gamesat(&[&["solve"][..], &words, &["--cube", cube, "--manifest", &cut]].concat());
    assert_eq!(split(&[]).0, Some(0));
    let count = cubes(&cut);
    assert!(count > 1);
    assert_eq!(solve("0").0, Some(2));
    assert_eq!(solve("99").0, Some(2));
    let (code, text) = gamesat(&["solve", "hex", "4", "--cube", "1", "--manifest", &cut]);
    assert_eq!(code, Some(1));
    assert!(text.contains("another question"), "{text}");
    assert_eq!(gamesat(&["solve", "hex", "4", "--cube", "1", "--manifest", "/nowhere"]).0, Some(1));
    // A cube that is cut again.
    let (code, text) = gamesat(&["split", "--again", "1", "--cubes", "3", "--look-ahead", "0", "-o", &cut]);
    assert_eq!(code, Some(0), "{text}");
    assert!(cubes(&cut) > count);
    assert_eq!(gamesat(&["split", "--again", "99", "-o", &cut]).0, Some(2));
    // A result that says something else.
    assert_eq!(solve("2").0, Some(0));
    let path = format!("{cut}/results/2.json");
    let result = fs::read_to_string(&path).unwrap();
    for (from, to) in [("\"cube\": 2", "\"cube\": 3"), ("\"m", "\"nobody m"), ("{", "")] {
        fs::write(&path, result.replacen(from, to, 1)).unwrap();
        let (code, text) = gamesat(&["join", &cut]);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("WRONG RESULT"), "{text}");
        assert_eq!(solve("2").0, Some(1));
    }
    fs::write(&path, result).unwrap();
    assert_eq!(gamesat(&["join", &cut]).0, Some(0));
    assert_eq!(split(&[]).0, Some(1), "a folder with results is kept");
    assert_eq!(gamesat(&["split", "line", "3x3", "3", "-o", "/proc/nowhere"]).0, Some(1));
}

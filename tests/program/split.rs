//! `split`, `solve --cube`, workers and `join` by processes: in any order, twice, with some missing, and with files that were spoiled.

use assert_cmd::Command;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

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

/// What is in the folder of results and should not be there.
fn half_written(folder: &str) -> Vec<String> {
    let names = fs::read_dir(format!("{folder}/results")).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).filter(|name| name.starts_with('.')).collect()
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
        // In some order, one of them twice; the folder knows that proofs are wanted.
        let mut order: Vec<usize> = (1..=count).chain([1]).filter(|&cube| cube <= count).collect();
        order.sort_by_key(|cube| cube * 7 % 11);
        for cube in order {
            let (code, text) = gamesat(&["solve", problem, "--cube", &cube.to_string(), "--manifest", &cut]);
            assert_eq!(code, Some(0), "{text}");
        }
        assert_eq!(half_written(&cut), [] as [&str; 0]);
        // What a killed worker leaves is gone once the answer is known.
        fs::write(format!("{cut}/results/.1.proof.9.0"), "half").unwrap();
        let whole = folder.path(proof);
        let (code, text) = gamesat(&["join", &cut, "--proof", &whole]);
        assert_eq!(code, expected, "{text}");
        assert_eq!(half_written(&cut), [] as [&str; 0]);
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
    for (from, to) in
        [("\"cube\": 2", "\"cube\": 3"), ("\"m", "\"nobody m"), ("{", ""), ("\"hash\": \"", "\"hash\": \"0")]
    {
        fs::write(&path, result.replacen(from, to, 1)).unwrap();
        let (code, text) = gamesat(&["join", &cut]);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("WRONG RESULT"), "{text}");
        // A worker sets it aside, and the cube is solved again.
        let (code, text) = solve("2");
        assert!(code == Some(0) && text.contains("2.json") && text.contains("set aside as"), "{text}");
        assert_eq!(gamesat(&["join", &cut]).0, Some(0));
    }
    assert_eq!(split(&[]).0, Some(1), "a folder with results is kept");
    assert_eq!(gamesat(&["split", "line", "3x3", "3", "-o", "/proc/nowhere"]).0, Some(1));
}

/// A board of which some cubes make others unnecessary, cut without proofs.
fn cut_board(folder: &Folder) -> (String, [&'static str; 4]) {
    let (cut, words) = (folder.path("cut"), ["hex", "4", "--moves", "a1"]);
    let (code, text) = gamesat(&[&["split"][..], &words, &["--cubes", "6", "--look-ahead", "0", "-o", &cut]].concat());
    assert_eq!(code, Some(0), "{text}");
    (cut, words)
}

fn solve(cut: &str, words: &[&str], cube: usize) -> (Option<i32>, String) {
    gamesat(&[&["solve"][..], words, &["--cube", &cube.to_string(), "--manifest", cut]].concat())
}

/// Whatever the order, the verdict is that of the whole board as soon as there is one, and nothing runs that is spared.
#[test]
fn any_order_leads_to_the_same_verdict() {
    let folder = Folder::new("orders");
    for (step, spares) in [(1, true), (5, true), (7, true)] {
        let (cut, words) = cut_board(&folder);
        let count = cubes(&cut);
        let expected = gamesat(&[&["solve"][..], &words].concat()).0;
        let (mut spared, mut known) = (0, false);
        for at in 0..count {
            let cube = at * step % count + 1;
            let (code, text) = solve(&cut, &words, cube);
            assert_eq!(code, Some(0), "{text}");
            spared += usize::from(text.contains("no longer needed"));
            let (code, text) = gamesat(&["join", &cut]);
            assert!(code == expected || !known && code == Some(0) && text.contains("c open"), "{code:?} {text}");
            known |= code == expected;
            let (_, prune) = gamesat(&["join", &cut, "--prune"]);
            assert!(prune.lines().all(|line| !text.contains(&format!("c open {line}\n"))), "{prune}\n{text}");
        }
        assert!(known && (spared > 0) == spares, "{spared} of {count} spared");
        fs::remove_dir_all(&cut).unwrap();
    }
}

#[test]
fn two_workers_on_one_cube_agree() {
    let folder = Folder::new("two");
    let (cut, words) = cut_board(&folder);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gamesat"));
    command.arg("solve").args(words).args(["--cube", "2", "--manifest", &cut]).stdout(std::process::Stdio::null());
    let workers: Vec<_> = (0..4).map(|_| command.spawn().unwrap()).collect();
    for mut worker in workers {
        assert_eq!(worker.wait().unwrap().code(), Some(0));
    }
    assert_eq!(half_written(&cut), [] as [&str; 0]);
    assert_eq!(gamesat(&["join", &cut]).0, Some(0));
    // An attempt that ran into a limit does not take the place of a winner, and a winner takes that of an attempt.
    let (code, text) =
        gamesat(&[&["solve"][..], &words, &["--cube", "3", "--manifest", &cut, "--node-limit", "0"]].concat());
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(solve(&cut, &words, 3).0, Some(0));
    assert!(fs::read_to_string(format!("{cut}/results/3.json")).unwrap().contains("\"winner\": \"m"));
}

/// Workers go on until the answer is known: after others, beside others, after one that was killed and one that ran out of time.
#[test]
fn workers_go_on_until_the_answer_is_known() {
    let folder = Folder::new("workers");
    let board = folder.path("board.hex");
    fs::write(&board, "hex 5\nturn white\n. . . . .\n. B . . .\n. . . . .\n. . . . .\n. . . . .\n").unwrap();
    let formula = folder.path("formula.qdimacs");
    fs::write(&formula, gamesat(&["generate", "random", "vars=12", "clauses=40", "--seed", "3"]).1).unwrap();
    for (problem, proof) in [(&board, "whole.strategy"), (&formula, "whole.aag")] {
        let cut = folder.path("cut");
        let _ = fs::remove_dir_all(&cut);
        let words = ["split", problem, "--cubes", "9", "-o", &cut, "--proofs", "--look-ahead", "0"];
        assert_eq!(gamesat(&words).0, Some(0));
        let work = |more: &[&str]| gamesat(&[&["solve", problem, "--manifest", &cut][..], more].concat());
        // What nobody can read, and what is of another question.
        fs::create_dir_all(format!("{cut}/workers/folder.news")).unwrap();
        fs::write(format!("{cut}/workers/spoilt.news"), b"gsnews1\nof another question").unwrap();
        fs::write(format!("{cut}/workers/empty.news"), b"").unwrap();
        fs::write(format!("{cut}/workers/old.json"), "[[0,1,1,1,true],[99,-1,2]").unwrap();
        // One that may do next to nothing, which is no failure; one cube that somebody has solved alone.
        let (code, text) = work(&["--node-limit", "0"]);
        let is_open = text.contains("c node limit") && text.contains("cubes are open");
        assert!(code == Some(0) && (is_open || problem == &formula), "{code:?} {text}");
        // Nor is a limit that is over before anything is read.
        assert_eq!(work(&["--time-limit", "0.000001"]).0, Some(0));
        assert_eq!(gamesat(&["solve", problem, "--cube", "2", "--manifest", &cut]).0, Some(0));
        // Three at once, each with two threads.
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gamesat"));
        command.args(["solve", problem, "--manifest", &cut, "--threads", "2"]).stdout(std::process::Stdio::null());
        let workers: Vec<_> = (0..3).map(|_| command.spawn().unwrap()).collect();
        for mut worker in workers {
            assert_eq!(worker.wait().unwrap().code(), Some(0));
        }
        assert_eq!(work(&[]), (Some(0), "c nothing is needed any more\n".to_owned()));
        assert_eq!(half_written(&cut), [] as [&str; 0]);
        let whole = folder.path(proof);
        let (code, text) = gamesat(&["join", &cut, "--proof", &whole]);
        assert_eq!(code, gamesat(&["solve", problem]).0, "{text}");
        let (code, text) = gamesat(&["check", problem, &whole]);
        assert_eq!(code, Some(0), "{problem}: {text}");
        assert!(!std::path::Path::new(&format!("{cut}/workers")).exists(), "what was told is tidied away");
    }
    let (code, text) = gamesat(&["solve", "hex", "4", "--manifest", &folder.path("cut")]);
    assert!(code == Some(1) && text.contains("another question"), "{text}");
}

/// Without proofs an answer to the whole question is enough. Whoever stops at a limit leaves what it has found out to the next one, and
/// what was spoilt of it is passed over.
#[test]
fn workers_go_on_from_what_others_have_told() {
    let folder = Folder::new("news");
    let cut = folder.path("cut");
    let words = ["hex", "6", "--moves", "b2"];
    assert_eq!(
        gamesat(&[&["split"][..], &words, &["--cubes", "16", "--look-ahead", "0", "-o", &cut]].concat()).0,
        Some(0)
    );
    let work = |more: &[&str]| gamesat(&[&["solve"][..], &words, &["--manifest", &cut], more].concat());
    let left = || -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(format!("{cut}/workers")).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let (code, text) = work(&["--node-limit", "50"]);
    assert!(code == Some(0) && text.contains("c node limit"), "{text}");
    let told = left();
    assert_eq!(told.len(), 1, "one thread is one worker");
    let bytes = fs::read(&told[0]).unwrap();
    assert!(bytes.len() > 200, "{}", bytes.len());
    assert_eq!(work(&["--node-limit", "5", "--threads", "2"]).0, Some(0));
    assert_eq!(left().len(), 3, "and each other one is another");
    // Half of it, a changed one, one with other switches, and one that says the opposite of the first position that was solved.
    fs::write(format!("{cut}/workers/half.news"), &bytes[..bytes.len() / 2 + 1]).unwrap();
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 4;
    fs::write(format!("{cut}/workers/changed.news"), &changed).unwrap();
    let (code, text) = work(&["--node-limit", "50", "--no-near-misses"]);
    assert!(code == Some(0) && text.contains("passed over, it is of another question or program"), "{text}");
    let (code, text) = work(&[]);
    assert!(code == Some(0) && text.contains("c nothing is needed any more\n"), "{text}");
    let expected = gamesat(&[&["solve"][..], &words].concat()).0;
    let (code, text) = gamesat(&["join", &cut, "--proof", &folder.path("whole.strategy")]);
    assert_eq!(code, expected, "{text}");
    assert!(text.contains("no proof written"), "{text}");
    assert!(!std::path::Path::new(&format!("{cut}/workers")).exists(), "what was told is tidied away");
    assert_eq!(work(&[]), (Some(0), "c nothing is needed any more\n".to_owned()));
    assert!(gamesat(&["join", &cut, "--prune"]).1.lines().count() <= cubes(&cut));
    // The answer to the whole is a result like the others: what was changed is shouted about, and so is a contradiction.
    let path = format!("{cut}/results/0.json");
    if let Ok(result) = fs::read_to_string(&path) {
        let turned = if expected == Some(10) { ["\"max\"", "\"min\""] } else { ["\"min\"", "\"max\""] };
        let turned = result.replace(turned[0], turned[1]);
        fs::write(&path, &turned).unwrap();
        let (code, text) = gamesat(&["join", &cut]);
        assert!(code == Some(1) && text.contains("WRONG RESULT") && text.contains("0.json"), "{text}");
    }
}

/// A cube whose limit is over before anything is read has a result, so that no scheduler tries it again.
#[test]
fn a_cube_at_its_limit_is_a_result() {
    let folder = Folder::new("limit");
    let (cut, words) = cut_board(&folder);
    let late = |cube: &str| {
        gamesat(&[&["solve"][..], &words, &["--cube", cube, "--manifest", &cut, "--time-limit", "0.000001"]].concat())
    };
    let (code, text) = late("2");
    assert!(code == Some(0) && text.contains("cube 2"), "{text}");
    assert!(fs::read_to_string(format!("{cut}/results/2.json")).unwrap().contains("\"stopped\": \"time limit"));
    assert_eq!(late("99999").0, Some(2));
    // A winner takes its place, and keeps it.
    assert_eq!(solve(&cut, &words, 2).0, Some(0));
    assert_eq!(late("2").0, Some(0));
    assert!(fs::read_to_string(format!("{cut}/results/2.json")).unwrap().contains("\"winner\": \"m"));
    assert_eq!(half_written(&cut), [] as [&str; 0]);
}

/// Where nothing can be written there is a message and a code that schedulers take for a failure, and what was there stays.
#[test]
fn a_full_disk_loses_nothing() {
    let folder = Folder::new("full");
    let (cut, words) = cut_board(&folder);
    assert_eq!(solve(&cut, &words, 1).0, Some(0));
    let before = fs::read_to_string(format!("{cut}/results/1.json")).unwrap();
    // No file may have a byte: a disk that is full.
    let line = format!(
        "trap '' XFSZ; ulimit -f 0; exec {} solve {} --cube 2 --manifest {cut}",
        env!("CARGO_BIN_EXE_gamesat"),
        words.join(" ")
    );
    let output = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("results/2.json") && text.contains("File too large"), "{text}");
    assert_eq!(half_written(&cut), [] as [&str; 0]);
    assert_eq!(fs::read_to_string(format!("{cut}/results/1.json")).unwrap(), before);
    assert_eq!(solve(&cut, &words, 2).0, Some(0));
    // A place that is no folder.
    fs::rename(format!("{cut}/results"), format!("{cut}/old")).unwrap();
    fs::write(format!("{cut}/results"), "").unwrap();
    let (code, text) = solve(&cut, &words, 3);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("Not a directory"), "{text}");
}

/// A cube that was cut again while somebody was at work on it: the answer counts, unless the pieces say otherwise.
#[test]
fn contradictions_are_shouted() {
    let folder = Folder::new("contradiction");
    let (cut, words) = cut_board(&folder);
    let count = cubes(&cut);
    assert_eq!(solve(&cut, &words, 1).0, Some(0));
    let result = fs::read_to_string(format!("{cut}/results/1.json")).unwrap();
    fs::remove_file(format!("{cut}/results/1.json")).unwrap();
    let (code, text) =
        gamesat(&["split", "--again", "1", "--cubes", "3", "--look-ahead", "0", "-o", &cut, "--slurm", "--parallel"]);
    assert_eq!(code, Some(0), "{text}");
    let script = fs::read_to_string(format!("{cut}/run.sbatch")).unwrap();
    let all = cubes(&cut);
    assert!(script.contains(&format!("--array=2-{all}\n")), "{script}");
    assert!(text.contains(&format!("seq 2 {all} | parallel -q --joblog")), "{text}");
    for cube in count + 1..=all {
        assert_eq!(solve(&cut, &words, cube).0, Some(0));
    }
    fs::write(format!("{cut}/results/1.json"), &result).unwrap();
    let (code, text) = gamesat(&["join", &cut]);
    assert_eq!(code, Some(0), "{text}");
    // A verdict that was turned round is not believed: neither as it stands nor with a sum that fits.
    let turned = turned(&result);
    fs::write(format!("{cut}/results/1.json"), &turned).unwrap();
    let (code, text) = gamesat(&["join", &cut]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("WRONG RESULT") && text.contains("checksum mismatch"), "{text}");
    fs::write(format!("{cut}/results/1.json"), summed(&turned)).unwrap();
    let (code, text) = gamesat(&["join", &cut]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("CONTRADICTION") && !text.contains("s gamesat"), "{text}");
}

/// SHA-256, in hexadecimal.
fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The result with the digest that belongs to it, as `src/cli/results.rs` makes it.
fn summed(result: &str) -> String {
    let mut value: serde_json::Value = serde_json::from_str(result).unwrap();
    let said = ["version", "hash", "cube", "moves", "winner", "stopped", "proof", "trace"];
    let said = serde_json::Value::from(said.map(|field| value[field].clone()).to_vec());
    value["sum"] = digest(said.to_string().as_bytes()).into();
    format!("{value:#}")
}

/// The same result with another winner.
fn turned(result: &str) -> String {
    let [max, min] = ["max", "min"].map(|player| format!("\"winner\": \"{player}\""));
    if result.contains(&max) { result.replace(&max, &min) } else { result.replace(&min, &max) }
}

/// Two workers come to different winners: whoever is second says so, fails, and changes nothing.
#[test]
fn the_second_of_two_winners_is_refused() {
    let folder = Folder::new("second");
    let (cut, words) = cut_board(&folder);
    assert_eq!(solve(&cut, &words, 2).0, Some(0));
    let path = format!("{cut}/results/2.json");
    let result = fs::read_to_string(&path).unwrap();
    // The result of a worker that is wrong, without the proof that a second run is asked for.
    let wrong = summed(&turned(&result));
    fs::write(&path, &wrong).unwrap();
    let (code, text) = gamesat(&[&["solve"][..], &words, &["--cube", "2", "--manifest", &cut, "--proofs"]].concat());
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("CONTRADICTION"), "{text}");
    assert_eq!(fs::read_to_string(&path).unwrap(), wrong, "nothing is lost that could tell what happened");
    assert_eq!(half_written(&cut), [] as [&str; 0]);
}

/// What is cut depends on the question and on nothing else.
#[test]
fn every_machine_cuts_alike() {
    let folder = Folder::new("alike");
    let formula = folder.path("formula.qdimacs");
    fs::write(&formula, gamesat(&["generate", "random", "vars=24", "clauses=130", "--seed", "3"]).1).unwrap();
    let game = folder.path("game.gsat");
    fs::write(&game, gamesat(&["generate", "game-random", "elements=14", "rows=20", "--seed", "2"]).1).unwrap();
    let questions: [&[&str]; 3] = [&["hex", "5", "--moves", "a2"], &[&formula], &[&game]];
    for (number, words) in questions.into_iter().enumerate() {
        // Without a look ahead much is left, with one little or nothing: both are the same everywhere.
        for look_ahead in ["0", "2"] {
            let mut written = Vec::new();
            for (place, threads) in [("here", "1"), ("elsewhere/far/away", "2"), ("again", "7")] {
                let cut = folder.path(&format!("{place}-{number}-{look_ahead}"));
                let mut command = Command::new(env!("CARGO_BIN_EXE_gamesat"));
                command.arg("split").args(words).args(["--cubes", "12", "--look-ahead", look_ahead, "-o", &cut]);
                command.env("RAYON_NUM_THREADS", threads).current_dir(&folder.0).assert().success();
                let bytes = |name| fs::read(format!("{cut}/{name}")).unwrap();
                written.push(["manifest.json", "cubes", "problem"].map(bytes));
            }
            assert!(look_ahead == "2" || !written[0][1].is_empty(), "there is something to cut in {words:?}");
            assert!(written.iter().all(|other| *other == written[0]), "{words:?}");
        }
    }
}

/// A question that is cut for proofs, with all of its cubes solved: the folder, and what `join` and `solve` say.
fn proven(folder: &Folder, name: &str, problem: &str, cubes: &str) -> (String, Option<i32>) {
    let cut = folder.path(name);
    let words = ["split", problem, "--cubes", cubes, "--look-ahead", "0", "--proofs", "-o", &cut];
    assert_eq!(gamesat(&words).0, Some(0));
    assert_eq!(gamesat(&["solve", problem, "--manifest", &cut]).0, Some(0));
    let count = self::cubes(&cut);
    assert!(count > 3, "{problem} is cut");
    let whole = folder.path("whole");
    let (code, text) = gamesat(&["join", &cut, "--proof", &whole]);
    assert_eq!(code, gamesat(&["solve", problem]).0, "{text}");
    let (code_of_check, text) = gamesat(&["check", problem, &whole]);
    assert_eq!(code_of_check, Some(0), "{text}");
    (cut, code)
}

/// The cubes that have a result.
fn solved(cut: &str) -> Vec<usize> {
    (1..=cubes(cut)).filter(|cube| Path::new(&format!("{cut}/results/{cube}.json")).exists()).collect()
}

/// Results and proofs that were damaged, exchanged or forged: a wrong verdict is never announced, and what is wrong is named.
#[test]
fn forged_results_are_refused_by_their_proofs() {
    let folder = Folder::new("forged");
    let random = &mut ChaCha8Rng::seed_from_u64(12);
    let board = folder.path("board.hex");
    // The player who loses has the first move, so that all moves have their proofs.
    fs::write(&board, "hex 3\nturn white\n. . .\n . B .\n  . . .\n").unwrap();
    let game = folder.path("game.gsat");
    fs::write(&game, gamesat(&["generate", "game-random", "elements=6", "rows=6", "--seed", "1"]).1).unwrap();
    let formula = folder.path("formula.qdimacs");
    fs::write(&formula, gamesat(&["generate", "random", "vars=8", "clauses=72", "--seed", "1"]).1).unwrap();
    let other = folder.path("other.qdimacs");
    fs::write(&other, gamesat(&["generate", "random", "vars=8", "clauses=60", "--seed", "7"]).1).unwrap();
    let of_another_problem = {
        let (cut, _) = proven(&folder, "another", &other, "8");
        format!("{cut}/results/{}.proof", solved(&cut)[0])
    };
    let (mut refused, mut harmless) = (0, 0);
    for (problem, number) in [(&board, "24"), (&game, "24"), (&formula, "8")] {
        let (cut, expected) = proven(
            &folder,
            &format!("cut-{number}-{}", Path::new(problem).extension().unwrap().display()),
            problem,
            number,
        );
        let solved = solved(&cut);
        assert!(solved.len() > 3, "{solved:?}");
        let result = |cube: usize| format!("{cut}/results/{cube}.json");
        let proof = |cube: usize| format!("{cut}/results/{cube}.proof");
        let names = |text: &str, cube: usize| {
            text.contains(&format!("results/{cube}.json")) || text.contains(&format!("results/{cube}.proof"))
        };
        for round in 0..40 {
            let cube = solved[random.random_range(0..solved.len())];
            let another = solved[random.random_range(0..solved.len())];
            let (said, proved) = (fs::read_to_string(result(cube)).unwrap(), fs::read(proof(cube)).unwrap());
            let named = |bytes: &[u8], result: &str| {
                let mut value: serde_json::Value = serde_json::from_str(result).unwrap();
                value["proof"] = digest(bytes).into();
                summed(&value.to_string())
            };
            // What is written, and whether it must be noticed: the proof of another cube may be one of this cube.
            let kind = round % 10;
            let (new_result, new_proof, is_noticed) = match kind {
                0 => (turned(&said), proved.clone(), true),
                1 => (summed(&turned(&said)), proved.clone(), true),
                2 => {
                    let mut value: serde_json::Value = serde_json::from_str(&turned(&said)).unwrap();
                    value["proof"] = serde_json::Value::Null;
                    (summed(&value.to_string()), proved.clone(), true)
                }
                3 => {
                    let bytes = fs::read(proof(another)).unwrap();
                    let is_other = bytes != proved;
                    (said.clone(), bytes, is_other)
                }
                4 => {
                    let bytes = fs::read(proof(another)).unwrap();
                    (named(&bytes, &said), bytes, false)
                }
                5 => {
                    let bytes = fs::read(&of_another_problem).unwrap();
                    (named(&bytes, &turned(&said)), bytes, true)
                }
                6 => (said[..random.random_range(0..said.trim_end().len())].to_owned(), proved.clone(), true),
                7 => (said.clone(), proved[..random.random_range(0..proved.len())].to_vec(), true),
                8 => {
                    let bytes = proved[..random.random_range(0..proved.len())].to_vec();
                    (named(&bytes, &turned(&said)), bytes, true)
                }
                _ => {
                    let mut bytes = said.clone().into_bytes();
                    let at = random.random_range(0..bytes.len());
                    bytes[at] = b"0123456789 maxin"[random.random_range(0..16)];
                    (String::from_utf8(bytes).unwrap(), proved.clone(), false)
                }
            };
            fs::write(result(cube), &new_result).unwrap();
            fs::write(proof(cube), &new_proof).unwrap();
            let whole = folder.path("whole");
            for more in [&[][..], &["--proof", &whole]] {
                let (code, text) = gamesat(&[&["join", &cut][..], more].concat());
                let what = format!("{problem}, cube {cube}, kind {kind}: {code:?} {text}\n{new_result}");
                if code == Some(1) {
                    assert!(names(&text, cube) && !text.contains("\ns ") && !text.starts_with("s "), "{what}");
                    refused += 1;
                } else {
                    assert!(code == expected && !is_noticed, "{what}");
                    harmless += 1;
                }
            }
            fs::write(result(cube), said).unwrap();
            fs::write(proof(cube), proved).unwrap();
        }
        // A result of another cube, under the right number, and one of another way to cut.
        let said = fs::read_to_string(result(solved[0])).unwrap();
        let mut value: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(result(solved[1])).unwrap()).unwrap();
        value["cube"] = solved[0].into();
        fs::write(result(solved[0]), summed(&value.to_string())).unwrap();
        let (code, text) = gamesat(&["join", &cut]);
        assert!(code == Some(1) && names(&text, solved[0]), "{text}");
        // Every file that is wrong is named.
        fs::write(result(solved[1]), "").unwrap();
        let (code, text) = gamesat(&["join", &cut]);
        assert!(code == Some(1) && names(&text, solved[0]) && names(&text, solved[1]), "{text}");
        fs::write(result(solved[0]), said).unwrap();
        // A tree that was changed is none.
        let manifest = fs::read_to_string(format!("{cut}/manifest.json")).unwrap();
        fs::write(format!("{cut}/manifest.json"), manifest.replacen("\"max\"", "\"min\"", 1)).unwrap();
        let (code, text) = gamesat(&["join", &cut]);
        assert!(code == Some(1) && text.contains("manifest.json"), "{text}");
    }
    assert!(refused > 150 && harmless > 5, "{refused} refused, {harmless} harmless");
}

/// A damaged result stops no worker: it is set aside, and its cube is solved again.
#[test]
fn a_truncated_result_is_set_aside_and_solved_again() {
    let folder = Folder::new("aside");
    let board = folder.path("board.hex");
    fs::write(&board, "hex 3\nturn white\n. . .\n . B .\n  . . .\n").unwrap();
    let formula = folder.path("formula.qdimacs");
    fs::write(&formula, gamesat(&["generate", "random", "vars=8", "clauses=72", "--seed", "1"]).1).unwrap();
    for (problem, name) in [(&board, "board"), (&formula, "formula")] {
        // The answer rests on every one of these cubes.
        let (cut, expected) = proven(&folder, name, problem, "8");
        let cube = solved(&cut)[0];
        let (path, proof) = (format!("{cut}/results/{cube}.json"), format!("{cut}/results/{cube}.proof"));
        let set_aside = || {
            let names = fs::read_dir(format!("{cut}/results")).unwrap().map(|entry| entry.unwrap().file_name());
            names.filter(|name| name.to_str().unwrap().contains(".wrong-")).count()
        };
        // The result itself, and a proof that is not the one that the result names.
        let result = fs::read_to_string(&path).unwrap();
        fs::write(&path, &result[..result.len() / 2]).unwrap();
        let (code, text) = gamesat(&["solve", problem, "--manifest", &cut]);
        assert!(code == Some(0) && text.contains(&path) && text.contains("set aside as"), "{text}");
        assert_eq!((gamesat(&["join", &cut]).0, set_aside()), (expected, 2));
        fs::write(&proof, "").unwrap();
        let (code, text) = gamesat(&["solve", problem, "--manifest", &cut]);
        assert!(code == Some(0) && text.contains(&path) && text.contains("set aside as"), "{text}");
        assert_eq!((gamesat(&["join", &cut]).0, set_aside()), (expected, 4));
        // A worker on this cube alone puts the pair right.
        fs::write(&proof, "").unwrap();
        let (code, text) = gamesat(&["solve", problem, "--cube", &cube.to_string(), "--manifest", &cut]);
        assert_eq!(code, Some(0), "{text}");
        assert_eq!((gamesat(&["join", &cut]).0, set_aside()), (expected, 4));
    }
}

/// What workers tell each other spares them work, and no more: where it cannot be written they go on.
#[test]
fn a_worker_that_cannot_tell_the_others_goes_on() {
    let folder = Folder::new("silent");
    let formula = folder.path("formula.qdimacs");
    fs::write(&formula, gamesat(&["generate", "random", "vars=8", "clauses=60", "--seed", "7"]).1).unwrap();
    for (name, words) in [("board", &["hex", "4", "--moves", "a1"][..]), ("formula", &[&formula])] {
        let cut = folder.path(name);
        let split = [&["split"][..], words, &["--cubes", "6", "--look-ahead", "0", "-o", &cut]].concat();
        assert_eq!(gamesat(&split).0, Some(0));
        fs::write(format!("{cut}/workers"), "").unwrap();
        let (code, text) = gamesat(&[&["solve"][..], words, &["--manifest", &cut]].concat());
        assert!(code == Some(0) && text.contains("workers/") && text.contains("going on without"), "{text}");
        let expected = gamesat(&[&["solve"][..], words].concat()).0;
        assert_eq!(gamesat(&["join", &cut]).0, expected);
    }
    // The disk is full for what grows, and not for results.
    let (cut, words) = (folder.path("full"), "hex 6 --moves b2");
    let line = |before: &str, command: &str| {
        let line = format!("{before} exec {} {command}", env!("CARGO_BIN_EXE_gamesat"));
        std::process::Command::new("sh").args(["-c", &line]).output().unwrap()
    };
    assert_eq!(line("", &format!("split {words} --cubes 2 --look-ahead 0 -o {cut}")).status.code(), Some(0));
    // A kilobyte: less than what a worker tells, more than a result.
    let output = line("trap '' XFSZ; ulimit -f 2;", &format!("solve {words} --manifest {cut}"));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(0) && text.contains("going on without telling the others"), "{text}");
    assert_eq!(gamesat(&["join", &cut]).0, Some(10));
}

/// Of several workers on one folder each takes other cubes.
#[test]
fn no_cube_of_a_formula_is_solved_twice() {
    let folder = Folder::new("claims");
    // With 1 TRUE it is false, with 1 FALSE true.
    let some = folder.path("some.qdimacs");
    fs::write(&some, "p cnf 3 4\ne 1 0\na 2 0\ne 3 0\n-1 2 3 0\n-1 2 -3 0\n1 -2 3 0\n1 2 -3 0\n").unwrap();
    let cut = folder.path("some");
    assert_eq!(gamesat(&["split", &some, "--cubes", "2", "--look-ahead", "0", "-o", &cut]).0, Some(0));
    assert_eq!(fs::read_to_string(format!("{cut}/cubes")).unwrap(), "a 1 0\na -1 0\n");
    let claim = |name: &str, text: &str| {
        fs::create_dir_all(format!("{cut}/workers")).unwrap();
        fs::write(format!("{cut}/workers/{name}.claim"), text).unwrap();
    };
    // Another worker is at the first one: this one takes the second, and that is enough.
    claim("1.1", "lease 600\nanother worker\n");
    let (code, text) = gamesat(&["solve", &some, "--manifest", &cut]);
    assert_eq!((code, text.as_str()), (Some(0), "c cube 2: true\nc nothing is needed any more\n"));
    assert!(!Path::new(&format!("{cut}/results/1.json")).exists());
    // One whose claim has lapsed keeps none away, and its file is gone.
    fs::remove_file(format!("{cut}/results/2.json")).unwrap();
    claim("1.1", "lease 0\na worker that was killed\n");
    let (code, text) = gamesat(&["solve", &some, "--manifest", &cut]);
    assert_eq!((code, text.as_str()), (Some(0), "c cube 1: false\nc cube 2: true\nc nothing is needed any more\n"));
    assert_eq!(fs::read_dir(format!("{cut}/workers")).unwrap().count(), 0);
    // Several at once.
    let formula = folder.path("formula.qdimacs");
    fs::write(&formula, gamesat(&["generate", "random", "vars=12", "clauses=40", "--seed", "3"]).1).unwrap();
    let cut = folder.path("many");
    assert_eq!(gamesat(&["split", &formula, "--cubes", "24", "--look-ahead", "0", "-o", &cut]).0, Some(0));
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gamesat"));
    command.args(["solve", &formula, "--manifest", &cut]).stdout(Stdio::piped());
    let workers: Vec<_> = (0..3).map(|_| command.spawn().unwrap()).collect();
    let mut lines = Vec::new();
    for worker in workers {
        let output = worker.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let text = String::from_utf8(output.stdout).unwrap();
        lines.extend(text.lines().filter(|line| line.starts_with("c cube ")).map(str::to_owned));
    }
    let count = lines.len();
    lines.sort();
    lines.dedup();
    assert!(count > 0 && lines.len() == count, "{lines:?}");
    assert_eq!(gamesat(&["join", &cut]).0, gamesat(&["solve", &formula]).0);
}

/// Formulas are true or false, in the words and with the numbers of `solve`.
#[test]
fn formulas_are_spoken_of_as_solve_does() {
    let folder = Folder::new("words");
    // One variable and one clause more in the header than in use, and one clause less.
    let cases = [
        ("true.qdimacs", "p cnf 9 3\ne 1 0\na 2 0\ne 3 0\n-1 2 3 0\n-1 2 -3 0\n1 -2 3 0\n1 2 -3 0\n", "true"),
        ("false.qdimacs", "p cnf 3 4\na 1 0\na 2 0\ne 3 0\n-1 2 3 0\n-1 2 -3 0\n1 -2 3 0\n1 2 -3 0\n", "false"),
        (
            "gates.qcir",
            "#QCIR-G14\nexists(v1)\nforall(v2)\nexists(v3)\noutput(g)\nh = xor(v2, v3)\ng = xor(v1, h)\n",
            "true",
        ),
    ];
    for (name, text, verdict) in cases {
        let (problem, cut) = (folder.path(name), folder.path(&format!("{name}-cut")));
        fs::write(&problem, text).unwrap();
        let line = |text: &str| text.lines().find(|line| line.starts_with("s ")).unwrap().to_owned();
        assert_eq!(gamesat(&["split", &problem, "--cubes", "2", "--look-ahead", "0", "-o", &cut]).0, Some(0));
        let unknown = line(&gamesat(&["solve", &problem, "--node-limit", "0", "--engine", "naive"]).1);
        assert_eq!(line(&gamesat(&["join", &cut]).1), unknown.replace("cnf 0", "cnf -1").replace("cnf 1", "cnf -1"));
        let said = |text: &str| -> serde_json::Value { serde_json::from_str(text).unwrap() };
        assert_eq!(said(&gamesat(&["join", &cut, "--json"]).1)["verdict"], "unknown");
        let mut told = String::new();
        for cube in 1..=cubes(&cut) {
            told += &gamesat(&["solve", &problem, "--cube", &cube.to_string(), "--manifest", &cut]).1;
            told += &gamesat(&["solve", &problem, "--cube", &cube.to_string(), "--manifest", &cut]).1;
        }
        assert!(told.contains("c cube 1") && !told.contains("wins") && !told.contains("max"), "{told}");
        assert_eq!(line(&gamesat(&["join", &cut]).1), line(&gamesat(&["solve", &problem]).1));
        let json = said(&gamesat(&["join", &cut, "--json"]).1);
        assert!(json["verdict"] == verdict && json.get("winner").is_none(), "{json}");
        // What is settled at once, and what is cut again although it is solved.
        let text =
            gamesat(&["split", &problem, "--cubes", "2", "--look-ahead", "1000", "-o", &folder.path("at-once")]).1;
        assert_eq!(text.lines().next(), Some(format!("nothing is left to solve: {verdict}").as_str()));
        let solved = (1..=cubes(&cut)).find(|cube| Path::new(&format!("{cut}/results/{cube}.json")).exists()).unwrap();
        let (code, text) = gamesat(&["split", "--again", &solved.to_string(), "-o", &cut]);
        assert!(code == Some(2) && !text.contains("wins"), "{text}");
    }
    let json = {
        let (cut, _) = cut_board(&folder);
        gamesat(&["join", &cut, "--json"]).1
    };
    assert!(json.contains("\"verdict\": \"unknown\"") && json.contains("\"winner\": null"), "{json}");
}

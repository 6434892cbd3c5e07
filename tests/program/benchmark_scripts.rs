//! The benchmark runner and report are Python scripts with tests of their own; this runs those.

use std::path::Path;
use std::process::Command;

/// Whether the scripts can be run here.
fn python() -> bool {
    let modern = ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"];
    let there = Command::new("python3").args(modern).status().is_ok_and(|status| status.success())
        && Path::new("/proc/self").exists();
    if !there {
        eprintln!("SKIPPED: the benchmark scripts want Python 3.11 and /proc");
    }
    there
}

/// All openings of 4x4 as one job array, two workers on each: those on the short diagonal win. What was solved is not solved
/// again.
#[test]
fn a_map_of_openings_is_one_job_array() {
    if !python() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("gamesat-map-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks/map");
    let map = |more: &[&str]| {
        let mut command = Command::new("python3");
        command.arg("-B").arg(&script).arg("4").arg(&folder).args(["--program", env!("CARGO_BIN_EXE_gamesat")]);
        let output = command.args(["--cubes", "3", "--look-ahead", "0", "--each", "2"]).args(more).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let open = map(&[]);
    assert!(open.contains("16 unknown; 0 of "), "{open}");
    let solved = map(&["--run", "2"]);
    let expected = "- - - +\n - - + -\n  - + - -\n   + - - -\nblack wins with 4 openings, loses with 12, 0 unknown";
    assert!(solved.starts_with(expected), "{solved}");
    assert_eq!(map(&["--run", "1"]), solved);
    let tasks = std::fs::read_to_string(folder.join("tasks")).unwrap().lines().count();
    let script = std::fs::read_to_string(folder.join("run.sbatch")).unwrap();
    assert_eq!(tasks, 16, "eight openings that no half turn maps onto each other");
    assert!(script.contains("--array=1-16\n"), "{script}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_scripts_pass_their_tests() {
    if !python() {
        return;
    }
    let benchmarks = Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks");
    let tests = Command::new("python3")
        .args(["-B", "-m", "unittest", "discover", "-s", "bench", "-t", "."])
        .current_dir(benchmarks)
        .output()
        .unwrap();
    assert!(tests.status.success(), "{}", String::from_utf8_lossy(&tests.stderr));
}

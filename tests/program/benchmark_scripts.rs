//! The benchmark runner and report are Python scripts with tests of their own; this runs those.

use std::path::Path;
use std::process::Command;

#[test]
fn the_scripts_pass_their_tests() {
    let modern = ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"];
    if !Command::new("python3").args(modern).status().is_ok_and(|status| status.success())
        || !Path::new("/proc/self").exists()
    {
        eprintln!("SKIPPED: the benchmark scripts want Python 3.11 and /proc");
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

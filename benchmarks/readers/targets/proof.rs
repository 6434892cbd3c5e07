//! Proofs of every kind. What is read can be written, and read again.
#![no_main]

use gamesat::format::{read_proof, write_proof};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(proof) = read_proof(&mut &*bytes, "text") else { return };
    let mut written = Vec::new();
    write_proof(&proof, true, &mut written).expect("memory takes everything");
    let again = read_proof(&mut &written[..], "text").expect("what is written can be read");
    let mut twice = Vec::new();
    write_proof(&again, true, &mut twice).expect("memory takes everything");
    assert_eq!(twice, written);
});

//! Problems in every format: the first byte chooses the format and strictness. What is read can be written, and read again.
#![no_main]

use gamesat::format::{Format, ReadOptions, read, to_string};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, text)) = bytes.split_first() else { return };
    let format = Format::all().get(usize::from(choice >> 1)).copied();
    let options = ReadOptions { format, strict: choice & 1 == 1, ..ReadOptions::default() };
    let Ok(parsed) = read(&mut &*text, "text", &options) else { return };
    if let Ok(written) = to_string(&parsed.problem, parsed.format) {
        let options = ReadOptions { format: Some(parsed.format), ..ReadOptions::default() };
        let again = read(&mut written.as_bytes(), "text", &options).expect("what is written can be read");
        assert_eq!(to_string(&again.problem, parsed.format).expect("it was written before"), written);
    }
});

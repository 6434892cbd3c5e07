//! Certificates of many random QBFs with random subsets of the techniques, each held to a truth table:
//! `cargo run --release --example certificates -- 100000 [first seed]`. It ends at the first that fails.

#[path = "../tests/support/mod.rs"]
mod support;

fn main() -> Result<(), std::num::ParseIntError> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let count = numbers.next().transpose()?.unwrap_or(100_000);
    let first = numbers.next().transpose()?.unwrap_or(0);
    for seed in first..first + count {
        let tried = std::panic::catch_unwind(|| support::certified::certify_random(seed));
        if tried.is_err() {
            eprintln!("seed {seed} fails");
            std::process::exit(1);
        }
    }
    println!("{count} certificates from seed {first} on win every play");
    Ok(())
}

//! A few seeds of every differential driver; `benchmarks/fuzz` runs the same ones at length.

use crate::support::drivers::{Case, DRIVERS};

/// One after the other: the budgets of the readers count the memory of the whole process.
#[test]
fn no_driver_finds_a_contradiction() {
    for driver in DRIVERS {
        let mut case = Case::default();
        for seed in 0..driver.cases {
            if let Err(message) = driver.run(seed, &mut case) {
                panic!("benchmarks/fuzz --only {} --seed {seed} --cases 1: {message}", driver.name);
            }
        }
        assert!(!case.counts().is_empty(), "{} has seen nothing", driver.name);
    }
}

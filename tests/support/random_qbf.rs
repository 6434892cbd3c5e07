//! Small random QBFs of every odd shape: free variables, empty blocks, tautologies, repeated literals, universal
//! innermost blocks, variables that occur nowhere.

use gamesat::formula::{ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub fn random_qbf(seed: u64) -> Qbf {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let vars = rng.random_range(1..=9usize);
    let blocks = rng.random_range(1..=6);
    // Numbers with gaps, so that nothing relies on density; some variables stay free.
    let stride = rng.random_range(1..=3usize);
    let var = |index: usize| Var::from_index(index * stride);
    let free = if rng.random_ratio(1, 4) { rng.random_range(0..=vars / 3) } else { 0 };
    let mut cuts: Vec<usize> = (1..blocks).map(|_| rng.random_range(free..=vars)).collect();
    cuts.extend([free, vars]);
    cuts.sort_unstable();
    let mut prefix = Prefix::new();
    let mut quantifier = if rng.random() { Quantifier::Exists } else { Quantifier::Forall };
    for pair in cuts.windows(2) {
        prefix.push_block(quantifier, (pair[0]..pair[1]).map(var));
        if !rng.random_ratio(1, 12) {
            quantifier = !quantifier;
        }
    }
    let mut clauses = ClauseArena::new();
    let count = rng.random_range(0..=3 * vars + 1);
    for _ in 0..count {
        let length = if rng.random_ratio(1, 200) { 0 } else { rng.random_range(1..=4) };
        let length = if length == 1 && !rng.random_ratio(1, 6) { 3 } else { length };
        let lits: Vec<Lit> = (0..length).map(|_| var(rng.random_range(0..vars)).lit(rng.random())).collect();
        clauses.push(&lits);
    }
    Qbf::new(&prefix, clauses).expect("no variable is bound twice")
}

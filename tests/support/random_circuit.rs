//! Small random QBFs that look like encodings: gates over inputs of several blocks, then a few clauses over the outputs.

use gamesat::formula::{ClauseArena, Prefix, Qbf, Quantifier, Var};
use rand::{Rng, RngExt};

pub fn random_circuit_qbf(rng: &mut impl Rng) -> Qbf {
    let inputs = rng.random_range(2..=5);
    let gates = rng.random_range(1..=4);
    let mut prefix = Prefix::new();
    for index in 0..inputs {
        let quantifier = if rng.random_bool(0.5) { Quantifier::Exists } else { Quantifier::Forall };
        prefix.push_var(quantifier, Var::from_index(index));
    }
    let mut matrix = ClauseArena::new();
    for index in inputs..inputs + gates {
        let quantifier = if rng.random_bool(0.95) { Quantifier::Exists } else { Quantifier::Forall };
        prefix.push_var(quantifier, Var::from_index(index));
        let pick = |rng: &mut dyn Rng| Var::from_index(rng.random_range(0..index)).lit(rng.random_bool(0.5));
        let (o, a, b, c) = (Var::from_index(index).positive(), pick(rng), pick(rng), pick(rng));
        match rng.random_range(0..4) {
            0 => [vec![!o, a], vec![!o, b], vec![o, !a, !b]].iter().for_each(|clause| matrix.push(clause)),
            1 => [vec![!o, a, b], vec![!o, !a, !b], vec![o, !a, b], vec![o, a, !b]]
                .iter()
                .for_each(|clause| matrix.push(clause)),
            2 => [vec![!o, !a, b], vec![!o, a, c], vec![o, !a, !b], vec![o, a, !c]]
                .iter()
                .for_each(|clause| matrix.push(clause)),
            _ => [vec![!o, a], vec![o, !a]].iter().for_each(|clause| matrix.push(clause)),
        }
    }
    for _ in 0..rng.random_range(1..=5) {
        for _ in 0..rng.random_range(1..=3) {
            matrix.push_lit(Var::from_index(rng.random_range(0..inputs + gates)).lit(rng.random_bool(0.5)));
        }
        matrix.finish();
    }
    Qbf::new(&prefix, matrix).unwrap()
}

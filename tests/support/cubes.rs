//! Cubes of literals, and the assignments that they stand for.

use gamesat::formula::{Lit, Var};

/// Every assignment of these variables.
pub fn assignments(vars: &[Var]) -> impl Iterator<Item = Vec<Lit>> + '_ {
    (0..1u32 << vars.len()).map(|bits| vars.iter().enumerate().map(|(at, var)| var.lit(bits >> at & 1 == 1)).collect())
}

/// Compares cubes with the assignments that `is_model` accepts; the number of models.
pub fn compare(vars: &[Var], cubes: &[Vec<Lit>], is_model: impl Fn(&[Lit]) -> bool, what: &str) -> usize {
    let mut models = 0;
    for assignment in assignments(vars) {
        let holding = cubes.iter().filter(|cube| cube.iter().all(|lit| assignment.contains(lit))).count();
        let expected = usize::from(is_model(&assignment));
        assert_eq!(holding, expected, "{what}: {assignment:?} {cubes:?}");
        models += expected;
    }
    models
}

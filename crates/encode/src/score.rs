//! A score as a question with two answers (*Set Colouring Games* 4.8): does MAX reach this amount? The rows are decided one
//! after the other, and what is left to reach after the first rows is a gate of its own, so that there are at most as many
//! gates as rows times amounts.

use gamesat_core::control::StopReason;
use gamesat_core::formula::{CircuitBuilder, Colouring, Game, GameMatrix, Lit};
use rustc_hash::FxHashMap;

/// Gates at most.
const MOST_GATES: usize = 1 << 20;

/// The two-coloured game that MAX wins by scoring at least so much in a two-coloured game with a score.
///
/// # Errors
/// The circuit would be too large.
pub fn threshold_game(game: &Colouring, amount: i64) -> Result<Game, StopReason> {
    let unsupported = |why: &str| StopReason::Unsupported(why.to_owned());
    if !game.has_truth_values() || game.is_restricted() {
        return Err(unsupported("only a two-coloured game has thresholds"));
    }
    let mut b = CircuitBuilder::new(game.elements());
    let weights = game.weights().map_or_else(|| vec![1; game.rows().len()], <[i64]>::to_vec);
    // 1. The rows.
    let mut rows: Vec<(Lit, i64)> = Vec::with_capacity(weights.len());
    for (row, &weight) in game.rows().iter().zip(&weights) {
        let lits: Vec<Lit> = row
            .iter()
            .map(|&lit| {
                let input = b.input(game.element(lit).index());
                if (game.colour(lit) == 0) == lit.is_positive() { input } else { !input }
            })
            .collect();
        rows.push((if game.is_conjunction() { b.or(&lits) } else { b.and(&lits) }, weight));
    }
    // 2. What can still be scored by the rows from each place on.
    let mut ranges = vec![(0i64, 0i64); rows.len() + 1];
    for at in (0..rows.len()).rev() {
        let (least, most) = ranges[at + 1];
        ranges[at] = (least + rows[at].1.min(0), most + rows[at].1.max(0));
    }
    // 3. From the last row back: whether the rest reaches an amount, for the amounts that are asked for.
    let mut asked: Vec<Vec<i64>> = vec![vec![amount]];
    for at in 0..rows.len() {
        let mut next: Vec<i64> = Vec::new();
        let (least, most) = ranges[at];
        for &amount in asked[at].iter().filter(|&&amount| least < amount && amount <= most) {
            next.extend([amount, amount - rows[at].1]);
        }
        next.sort_unstable();
        next.dedup();
        if next.len() > MOST_GATES / rows.len().max(1) {
            return Err(unsupported("the score has too many amounts for a formula"));
        }
        asked.push(next);
    }
    let mut reached: FxHashMap<i64, Lit> = FxHashMap::default();
    for at in (0..=rows.len()).rev() {
        let (least, most) = ranges[at];
        let mut here: FxHashMap<i64, Lit> = FxHashMap::default();
        for &amount in &asked[at] {
            let gate = if amount <= least {
                b.constant(true)
            } else if amount > most {
                b.constant(false)
            } else {
                let (row, weight) = rows[at];
                let (with, without) = (reached[&(amount - weight)], reached[&amount]);
                let with = b.and(&[row, with]);
                let without = b.and(&[!row, without]);
                b.or(&[with, without])
            };
            here.insert(amount, gate);
        }
        reached = here;
    }
    let circuit = b.finish(reached[&amount]);
    let mut plain = Game::new(game.elements(), GameMatrix::Circuit(circuit))
        .map_err(|error| StopReason::Unsupported(error.to_string()))?;
    let played: Vec<Lit> = game.played().iter().map(|&atom| game.element(atom).lit(game.colour(atom) == 0)).collect();
    plain.play(&played).map_err(|error| StopReason::Unsupported(error.to_string()))?;
    (plain.turn, plain.rule) = (game.turn, game.rule);
    plain.names = game.names.clone();
    Ok(plain)
}

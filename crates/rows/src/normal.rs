//! Normal forms of formulas: irredundant rows, filling in colours, CNF <-> DNF, prime forms.
//!
//! Two facts carry this file. *Absorption*: a row that contains another says nothing new. *Nelson's theorem* (1954):
//! multiplying out a CNF, dropping contradictory and absorbed terms, gives **all** prime implicants; for a prime
//! implicant meets every clause, and the literals by which it meets them form an implicant inside it. So [`dual`] yields
//! the prime DNF of any CNF, read dually the prime CNF of any DNF, and applied twice the prime form of either. Rows in which
//! no variable has both signs are prime once they are irredundant, and their dual is found as
//! [minimal hitting sets](super::dualise), without multiplying out.
//! Everything that can explode takes a limit on the number of rows and gives `None` beyond it.

use super::dualise::{Hitting, minimal_hitting_sets};
use super::mask::Mask;
use super::recognise::{circuit_cnf, circuit_dnf};
use super::terms::{LocalVars, Terms, sorted};
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{ClauseArena, Game, GameMatrix, Lit, Var};
use rustc_hash::FxHashMap;

/// The irredundant form of a set of clauses or terms: rows sorted inside, repeated literals, tautologies (rows with
/// `x` and `not x`) and rows that contain another row removed. The first of equal rows stays, in the given order.
///
/// # Errors
/// The reason to stop.
pub fn irredundant(rows: &ClauseArena, control: &Control) -> Result<ClauseArena, StopReason> {
    let mut poller = control.poller();
    let mut sorted = ClauseArena::new();
    for row in rows {
        poller.poll(0)?;
        sorted.push(row);
        if sorted.normalise_last() {
            sorted.pop();
        }
    }
    let keep = unabsorbed(&sorted, &mut poller)?;
    let mut result = ClauseArena::new();
    for (row, keep) in sorted.iter().zip(keep) {
        if keep {
            result.push(row);
        }
    }
    Ok(result)
}

/// Which rows contain no other row. Rows must be sorted inside and free of repetitions.
///
/// Rows are visited by length; each survivor is filed under its rarest literal only, so a row looks up its own literals
/// and meets every possible subset once.
fn unabsorbed(rows: &ClauseArena, poller: &mut Poller<'_>) -> Result<Vec<bool>, StopReason> {
    let mut counts: FxHashMap<Lit, u32> = FxHashMap::default();
    for &lit in rows.lits() {
        *counts.entry(lit).or_default() += 1;
    }
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&index| rows[index].len()); // stable: the first of equal rows stays
    let mut filed: FxHashMap<Lit, Vec<(u64, u32)>> = FxHashMap::default();
    let mut keep = vec![false; rows.len()];
    let mut empty = false;
    for index in order {
        let row = &rows[index];
        let signature = signature(row);
        let mut absorbed = empty;
        for candidates in row.iter().filter_map(|lit| filed.get(lit)) {
            // Long lists take as long as many short ones.
            for _ in 0..=candidates.len() / 256 {
                poller.poll(0)?;
            }
            absorbed |=
                candidates.iter().any(|&(other, at)| other & !signature == 0 && is_subset(&rows[at as usize], row));
            if absorbed {
                break;
            }
        }
        if absorbed {
            continue;
        }
        keep[index] = true;
        match row.iter().min_by_key(|lit| counts[lit]) {
            Some(&rarest) => filed.entry(rarest).or_default().push((signature, index as u32)),
            None => empty = true,
        }
    }
    Ok(keep)
}

fn signature(row: &[Lit]) -> u64 {
    row.iter().fold(0, |bits, lit| bits | 1 << (lit.code() as u32).wrapping_mul(0x9E37_79B1).wrapping_shr(26))
}

/// Whether every literal of `small` is in `large`; both sorted.
fn is_subset(small: &[Lit], large: &[Lit]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|lit| rest.by_ref().any(|other| other == lit))
}

/// Fills colours into a CNF: clauses with a true literal go, false literals go.
///
/// Read dually it fills colours into a DNF when every literal of `lits` is negated, since a term goes with a false
/// literal.
pub fn condition(rows: &ClauseArena, lits: &[Lit]) -> ClauseArena {
    shrinking_condition(rows, lits).0
}

/// The same, and whether a row that stays has lost a literal: if not, irredundant rows stay so.
pub fn shrinking_condition(rows: &ClauseArena, lits: &[Lit]) -> (ClauseArena, bool) {
    if lits.is_empty() {
        return (rows.clone(), false);
    }
    let values: FxHashMap<Var, Lit> = lits.iter().map(|&lit| (lit.var(), lit)).collect();
    let mut result = ClauseArena::new();
    let mut shrank = false;
    for row in rows {
        let filled = |lit: &Lit| values.get(&lit.var()).copied();
        if row.iter().any(|lit| filled(lit) == Some(*lit)) {
            continue;
        }
        for &lit in row {
            if filled(&lit).is_none() {
                result.push_lit(lit);
            } else {
                shrank = true;
            }
        }
        result.finish();
    }
    (result, shrank)
}

/// Whether no variable has both signs: then irredundant rows are prime.
pub fn is_unate(rows: &ClauseArena) -> bool {
    let mut signs: FxHashMap<Var, bool> = FxHashMap::default();
    rows.lits().iter().all(|lit| *signs.entry(lit.var()).or_insert(lit.is_positive()) == lit.is_positive())
}

/// All prime implicants of a CNF, or all prime implicates of a DNF: the same multiplication.
///
/// Gives `None` once more than `limit` rows are needed, for rows with both signs of a variable at any step.
///
/// # Errors
/// The reason to stop.
pub fn dual(rows: &ClauseArena, limit: usize, control: &Control) -> Result<Option<ClauseArena>, StopReason> {
    let rows = irredundant(rows, control)?;
    let local = LocalVars::new(rows.lits().iter().map(|lit| lit.var()));
    if is_unate(&rows) {
        let found = match local.len() {
            0..=64 => hitting_sets::<1>(&rows, &local, limit, control)?,
            65..=128 => hitting_sets::<2>(&rows, &local, limit, control)?,
            129..=512 => hitting_sets::<8>(&rows, &local, limit, control)?,
            _ => Hitting::Hard,
        };
        match found {
            Hitting::Sets(sets) => return Ok(Some(sets)),
            Hitting::Many => return Ok(None),
            Hitting::Hard => {}
        }
    }
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&index| rows[index].len());
    let mut terms = Terms::unit(local.width());
    let mut poller = control.poller();
    for index in order {
        let row: Vec<usize> = rows[index].iter().map(|&lit| local.code(lit)).collect();
        let Some(more) = terms.multiply(&row, limit, &mut poller)? else { return Ok(None) };
        terms = more;
    }
    Ok(Some(terms.into_arena(&local)))
}

/// The minimal hitting sets of irredundant rows in which no variable has both signs.
fn hitting_sets<const W: usize>(
    rows: &ClauseArena,
    local: &LocalVars,
    limit: usize,
    control: &Control,
) -> Result<Hitting<ClauseArena>, StopReason> {
    let mut positive = vec![true; local.len()];
    let mut masks: Vec<Mask<W>> = Vec::with_capacity(rows.len());
    for row in rows {
        masks.push(row.iter().map(|lit| local.number(lit.var())).collect());
        row.iter().for_each(|lit| positive[local.number(lit.var())] = lit.is_positive());
    }
    Ok(match minimal_hitting_sets(&masks, limit, control)? {
        Hitting::Sets(sets) => {
            let mut result = ClauseArena::new();
            for set in sets {
                set.iter().for_each(|number| result.push_lit(local.var(number).lit(positive[number])));
                result.finish();
            }
            Hitting::Sets(sorted(&result))
        }
        Hitting::Many => Hitting::Many,
        Hitting::Hard => Hitting::Hard,
    })
}

/// The prime form of a CNF (all prime implicates) or of a DNF (all prime implicants), or `None` beyond `limit` rows.
///
/// # Errors
/// The reason to stop.
pub fn prime(rows: &ClauseArena, limit: usize, control: &Control) -> Result<Option<ClauseArena>, StopReason> {
    let rows = irredundant(rows, control)?;
    if is_unate(&rows) {
        return Ok((rows.len() <= limit).then_some(rows));
    }
    match dual(&rows, limit, control)? {
        Some(other) => dual(&other, limit, control),
        None => Ok(None),
    }
}

/// Rows of a formula, in one form or the other.
enum Rows {
    Cnf(ClauseArena),
    Dnf(ClauseArena),
}

/// The rows of a game with the played colours filled in; of a circuit the form that is found, a CNF if both are.
fn game_rows(game: &Game, limit: usize, control: &Control) -> Result<Option<Rows>, StopReason> {
    let against: Vec<Lit> = game.played().iter().map(|&lit| !lit).collect();
    // Rows that contain no other are all there in the prime form, so more than the limit need not be looked at.
    if game.is_irredundant() && game.played().is_empty() && game.matrix_len() > limit {
        return Ok(None);
    }
    let cnf = |rows: &ClauseArena| Some(Rows::Cnf(condition(rows, game.played())));
    let dnf = |rows: &ClauseArena| Some(Rows::Dnf(condition(rows, &against)));
    Ok(match game.matrix() {
        GameMatrix::Cnf(rows) => cnf(rows),
        GameMatrix::Dnf(rows) => dnf(rows),
        GameMatrix::Circuit(circuit) => match circuit_cnf(circuit, limit, control)? {
            Some(rows) => cnf(&rows),
            None => circuit_dnf(circuit, limit, control)?.as_ref().and_then(dnf),
        },
    })
}

/// The prime CNF of a game's formula with the played colours filled in, or `None` beyond `limit` rows.
///
/// # Errors
/// The reason to stop.
pub fn game_cnf(game: &Game, limit: usize, control: &Control) -> Result<Option<ClauseArena>, StopReason> {
    match game_rows(game, limit, control)? {
        Some(Rows::Cnf(rows)) => prime(&rows, limit, control),
        Some(Rows::Dnf(rows)) => dual(&rows, limit, control),
        None => Ok(None),
    }
}

/// The prime DNF of a game's formula with the played colours filled in, or `None` beyond `limit` rows.
///
/// # Errors
/// The reason to stop.
pub fn game_dnf(game: &Game, limit: usize, control: &Control) -> Result<Option<ClauseArena>, StopReason> {
    match game_rows(game, limit, control)? {
        Some(Rows::Cnf(rows)) => dual(&rows, limit, control),
        Some(Rows::Dnf(rows)) => prime(&rows, limit, control),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(list: &[&[i32]]) -> ClauseArena {
        list.iter().map(|row| row.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>()).collect()
    }

    fn holds(cnf: &ClauseArena, bits: u32) -> bool {
        cnf.iter().all(|row| row.iter().any(|lit| (bits >> lit.var().index() & 1 != 0) == lit.is_positive()))
    }

    fn holds_dnf(dnf: &ClauseArena, bits: u32) -> bool {
        dnf.iter().any(|row| row.iter().all(|lit| (bits >> lit.var().index() & 1 != 0) == lit.is_positive()))
    }

    const VARS: usize = 6;

    fn random_rows() -> impl Strategy<Value = ClauseArena> {
        let lit = (0..VARS, any::<bool>()).prop_map(|(var, sign)| Var::from_index(var).lit(sign));
        prop::collection::vec(prop::collection::vec(lit, 0..5), 0..9).prop_map(|rows| rows.into_iter().collect())
    }

    #[test]
    fn irredundant_drops_tautologies_repetitions_and_supersets() {
        let given = rows(&[&[2, 1, 2], &[1, -1], &[1, 2, 3], &[3, 4], &[4, 3]]);
        assert_eq!(irredundant(&given, &Control::default()).unwrap(), rows(&[&[1, 2], &[3, 4]]));
        assert_eq!(irredundant(&rows(&[&[1], &[], &[2]]), &Control::default()).unwrap(), rows(&[&[]]));
    }

    #[test]
    fn only_the_prime_form_shows_a_dead_element() {
        assert_eq!(prime(&rows(&[&[1, 2], &[-1, 2]]), 100, &Control::default()).unwrap(), Some(rows(&[&[2]])));
    }

    #[test]
    fn limits_are_kept() {
        let pairs: ClauseArena = (0..20).map(|i| [Lit::from_code(4 * i), Lit::from_code(4 * i + 2)]).collect();
        assert_eq!(dual(&pairs, 1000, &Control::default()).unwrap(), None);
    }

    #[test]
    fn majority_is_its_own_dual() {
        let majority = rows(&[&[1, 2], &[1, 3], &[2, 3]]);
        assert_eq!(dual(&majority, 100, &Control::default()).unwrap(), Some(majority));
    }

    proptest! {
        #[test]
        fn irredundant_means_the_same(cnf in random_rows()) {
            let small = irredundant(&cnf, &Control::default()).unwrap();
            for bits in 0..1 << VARS {
                prop_assert_eq!(holds(&cnf, bits), holds(&small, bits));
            }
            for (i, a) in small.iter().enumerate() {
                for (j, b) in small.iter().enumerate() {
                    prop_assert!(i == j || !a.iter().all(|lit| b.contains(lit)));
                }
            }
        }

        #[test]
        fn dual_means_the_same_and_is_prime(cnf in random_rows()) {
            let dnf = dual(&cnf, 100_000, &Control::default()).unwrap().unwrap();
            for bits in 0..1 << VARS {
                prop_assert_eq!(holds(&cnf, bits), holds_dnf(&dnf, bits));
            }
            // Prime: no literal of a term can be left out.
            for term in &dnf {
                for skip in 0..term.len() {
                    let rest: Vec<Lit> =
                        term.iter().enumerate().filter(|&(i, _)| i != skip).map(|(_, &lit)| lit).collect();
                    let rest: ClauseArena = [rest].into_iter().collect();
                    prop_assert!((0..1 << VARS).any(|bits| holds_dnf(&rest, bits) && !holds(&cnf, bits)));
                }
            }
        }
    }
}

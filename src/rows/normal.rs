//! Normal forms of formulas: irredundant rows, filling in colours, CNF <-> DNF, prime forms, circuits to rows.
//!
//! Two facts carry this file. *Absorption*: a row that contains another says nothing new. *Nelson's theorem* (1954):
//! multiplying out a CNF, dropping contradictory and absorbed terms, gives **all** prime implicants; for a prime
//! implicant meets every clause, and the literals by which it meets them form an implicant inside it. So [`dual`] yields
//! the prime DNF of any CNF, read dually the prime CNF of any DNF, and applied twice the prime form of either.
//! Everything that can explode takes a limit on the number of rows and gives `None` beyond it.

use crate::formula::{Circuit, ClauseArena, Game, GameMatrix, GateKind, Lit, Var};
use rustc_hash::FxHashMap;

/// The irredundant form of a set of clauses or terms: rows sorted inside, repeated literals, tautologies (rows with
/// `x` and `not x`) and rows that contain another row removed. The first of equal rows stays, in the given order.
pub fn irredundant(rows: &ClauseArena) -> ClauseArena {
    let mut sorted = ClauseArena::new();
    for row in rows {
        sorted.push(row);
        if sorted.normalise_last() {
            sorted.pop();
        }
    }
    let keep = unabsorbed(&sorted);
    let mut result = ClauseArena::new();
    for (row, keep) in sorted.iter().zip(keep) {
        if keep {
            result.push(row);
        }
    }
    result
}

/// Which rows contain no other row. Rows must be sorted inside and free of repetitions.
///
/// Rows are visited by length; each survivor is filed under its rarest literal only, so a row looks up its own literals
/// and meets every possible subset once.
fn unabsorbed(rows: &ClauseArena) -> Vec<bool> {
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
        let absorbed = empty
            || row.iter().any(|lit| {
                filed.get(lit).is_some_and(|candidates| {
                    candidates.iter().any(|&(other, at)| other & !signature == 0 && is_subset(&rows[at as usize], row))
                })
            });
        if absorbed {
            continue;
        }
        keep[index] = true;
        match row.iter().min_by_key(|lit| counts[lit]) {
            Some(&rarest) => filed.entry(rarest).or_default().push((signature, index as u32)),
            None => empty = true,
        }
    }
    keep
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
    let values: FxHashMap<Var, Lit> = lits.iter().map(|&lit| (lit.var(), lit)).collect();
    let mut result = ClauseArena::new();
    for row in rows {
        let filled = |lit: &Lit| values.get(&lit.var()).copied();
        if row.iter().any(|lit| filled(lit) == Some(*lit)) {
            continue;
        }
        for lit in row.iter().filter(|lit| filled(lit).is_none()) {
            result.push_lit(*lit);
        }
        result.finish();
    }
    result
}

/// All prime implicants of a CNF, or all prime implicates of a DNF: the same multiplication.
///
/// Gives `None` once more than `limit` rows are needed at any step.
pub fn dual(rows: &ClauseArena, limit: usize) -> Option<ClauseArena> {
    let rows = irredundant(rows);
    let local = LocalVars::new(rows.lits().iter().map(|lit| lit.var()));
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&index| rows[index].len());
    let mut terms = Terms::unit(local.width());
    for index in order {
        let row: Vec<usize> = rows[index].iter().map(|&lit| local.code(lit)).collect();
        terms = terms.multiply(&row, limit)?;
    }
    Some(terms.into_arena(&local))
}

/// The prime form of a CNF (all prime implicates) or of a DNF (all prime implicants), or `None` beyond `limit` rows.
pub fn prime(rows: &ClauseArena, limit: usize) -> Option<ClauseArena> {
    dual(&dual(rows, limit)?, limit)
}

/// Some DNF of a circuit, or of its negation, with at most `limit` terms at every gate.
pub fn circuit_dnf(circuit: &Circuit, value: bool, limit: usize) -> Option<ClauseArena> {
    let local = LocalVars::new((0..circuit.inputs()).map(Var::from_index));
    let size = circuit.inputs() + circuit.num_gates();
    // Which literals of the circuit are needed, from the output down.
    let mut needed = vec![false; 2 * size];
    let root = if value { circuit.output() } else { !circuit.output() };
    needed[root.code()] = true;
    for index in (0..circuit.num_gates()).rev() {
        let gate = circuit.gate(index);
        let var = Var::from_index(circuit.inputs() + index);
        for sign in [true, false] {
            if !needed[var.lit(sign).code()] {
                continue;
            }
            for (position, &lit) in gate.operands.iter().enumerate() {
                let both = gate.kind == GateKind::Xor || gate.kind == GateKind::Ite && position == 0;
                needed[if sign { lit } else { !lit }.code()] = true;
                needed[lit.code()] |= both;
                needed[(!lit).code()] |= both;
            }
        }
    }
    let mut forms: Vec<Option<Terms>> = vec![None; 2 * size];
    for index in 0..circuit.inputs() {
        for lit in [Var::from_index(index).positive(), Var::from_index(index).negative()] {
            forms[lit.code()] = Some(Terms::single(local.width(), local.code(lit)));
        }
    }
    for index in 0..circuit.num_gates() {
        let gate = circuit.gate(index);
        let var = Var::from_index(circuit.inputs() + index);
        for sign in [true, false] {
            if !needed[var.lit(sign).code()] {
                continue;
            }
            let form = |lit: Lit| forms[lit.code()].as_ref().unwrap_or_else(|| unreachable!("operands come first"));
            let operands = || gate.operands.iter().map(|&lit| if sign { lit } else { !lit });
            let result = match (gate.kind, sign) {
                (GateKind::And, true) | (GateKind::Or, false) => {
                    operands().try_fold(Terms::unit(local.width()), |all, lit| all.product(form(lit), limit))?
                }
                (GateKind::Or, true) | (GateKind::And, false) => {
                    operands().try_fold(Terms::empty(local.width()), |all, lit| all.union(form(lit), limit))?
                }
                (GateKind::Ite, sign) => {
                    let (test, yes, no) = (gate.operands[0], gate.operands[1], gate.operands[2]);
                    let branch = |lit: Lit| if sign { lit } else { !lit };
                    let then = form(test).product(form(branch(yes)), limit)?;
                    then.union(&form(!test).product(form(branch(no)), limit)?, limit)?
                }
                (GateKind::Xor, sign) => {
                    // Parity so far: `odd` and its complement `even`.
                    let mut odd = Terms::empty(local.width());
                    let mut even = Terms::unit(local.width());
                    for &lit in gate.operands {
                        let flip = |p: &Terms, q: &Terms| -> Option<Terms> {
                            p.product(form(lit), limit)?.union(&q.product(form(!lit), limit)?, limit)
                        };
                        (odd, even) = (flip(&even, &odd)?, flip(&odd, &even)?);
                    }
                    if sign { odd } else { even }
                }
            };
            forms[var.lit(sign).code()] = Some(result);
        }
    }
    forms[root.code()].take().map(|terms| terms.into_arena(&local))
}

/// The prime CNF of a game's formula with the played colours filled in, or `None` beyond `limit` rows.
pub fn game_cnf(game: &Game, limit: usize) -> Option<ClauseArena> {
    match game.matrix() {
        GameMatrix::Cnf(rows) => prime(&condition(rows, game.played()), limit),
        GameMatrix::Dnf(_) | GameMatrix::Circuit(_) => dual(&game_some_dnf(game, limit)?, limit),
    }
}

/// The prime DNF of a game's formula with the played colours filled in, or `None` beyond `limit` rows.
pub fn game_dnf(game: &Game, limit: usize) -> Option<ClauseArena> {
    match game.matrix() {
        GameMatrix::Cnf(rows) => dual(&condition(rows, game.played()), limit),
        GameMatrix::Dnf(_) | GameMatrix::Circuit(_) => prime(&game_some_dnf(game, limit)?, limit),
    }
}

fn game_some_dnf(game: &Game, limit: usize) -> Option<ClauseArena> {
    let against: Vec<Lit> = game.played().iter().map(|&lit| !lit).collect();
    match game.matrix() {
        GameMatrix::Dnf(rows) => Some(condition(rows, &against)),
        GameMatrix::Circuit(circuit) => Some(condition(&circuit_dnf(circuit, true, limit)?, &against)),
        GameMatrix::Cnf(rows) => dual(&condition(rows, game.played()), limit),
    }
}

/// Occurring variables, numbered densely, so that a term is a short row of bits.
struct LocalVars {
    vars: Vec<Var>,
}

impl LocalVars {
    fn new(vars: impl Iterator<Item = Var>) -> Self {
        let mut vars: Vec<Var> = vars.collect();
        vars.sort_unstable();
        vars.dedup();
        LocalVars { vars }
    }

    /// Words in a term.
    fn width(&self) -> usize {
        (2 * self.vars.len()).div_ceil(64).max(1)
    }

    fn code(&self, lit: Lit) -> usize {
        let index = self.vars.binary_search(&lit.var()).unwrap_or_else(|_| unreachable!("all variables are listed"));
        2 * index + usize::from(lit.is_negative())
    }
}

/// A set of consistent terms without absorbed ones, as bit rows over literal codes.
#[derive(Clone)]
struct Terms {
    width: usize,
    bits: Vec<u64>,
}

impl Terms {
    /// No term: false.
    fn empty(width: usize) -> Self {
        Terms { width, bits: Vec::new() }
    }

    /// The empty term: true.
    fn unit(width: usize) -> Self {
        Terms { width, bits: vec![0; width] }
    }

    fn single(width: usize, code: usize) -> Self {
        let mut terms = Terms::unit(width);
        terms.bits[code / 64] |= 1 << (code % 64);
        terms
    }

    fn len(&self) -> usize {
        self.bits.len() / self.width
    }

    fn rows(&self) -> std::slice::ChunksExact<'_, u64> {
        self.bits.chunks_exact(self.width)
    }

    /// Multiplies by a clause, given as literal codes.
    ///
    /// A term that meets the clause stays. Another one, `t`, is extended by each literal `l` of the clause. `t + l` can be
    /// absorbed only by a staying term that contains `l`: were it another extension `s + l`, `s` would absorb `t`.
    fn multiply(&self, clause: &[usize], limit: usize) -> Option<Terms> {
        let has = |row: &[u64], code: usize| row[code / 64] >> (code % 64) & 1 != 0;
        let mut result = Terms::empty(self.width);
        let (stay, extend): (Vec<&[u64]>, Vec<&[u64]>) =
            self.rows().partition(|row| clause.iter().any(|&code| has(row, code)));
        for row in &stay {
            result.bits.extend_from_slice(row);
        }
        for &code in clause {
            let rivals: Vec<&[u64]> = stay.iter().copied().filter(|row| has(row, code)).collect();
            for row in &extend {
                if has(row, code ^ 1) {
                    continue;
                }
                let start = result.bits.len();
                result.bits.extend_from_slice(row);
                result.bits[start + code / 64] |= 1 << (code % 64);
                let (_, new) = result.bits.split_at(start);
                if rivals.iter().any(|rival| covers(rival, new)) {
                    result.bits.truncate(start);
                } else if result.len() > limit {
                    return None;
                }
            }
        }
        Some(result)
    }

    fn product(&self, other: &Terms, limit: usize) -> Option<Terms> {
        let mut result = Terms::empty(self.width);
        let mut row = vec![0; self.width];
        for left in self.rows() {
            for right in other.rows() {
                for (word, (a, b)) in row.iter_mut().zip(left.iter().zip(right)) {
                    *word = a | b;
                }
                let contradictory = row.iter().any(|word| word & word >> 1 & 0x5555_5555_5555_5555 != 0);
                if !contradictory {
                    result.insert(&row);
                    if result.len() > limit {
                        return None;
                    }
                }
            }
        }
        Some(result)
    }

    fn union(&self, other: &Terms, limit: usize) -> Option<Terms> {
        let mut result = self.clone();
        for row in other.rows() {
            result.insert(row);
            if result.len() > limit {
                return None;
            }
        }
        Some(result)
    }

    /// Adds a term unless one inside it is there; removes those it is inside of.
    fn insert(&mut self, row: &[u64]) {
        if self.rows().any(|old| covers(old, row)) {
            return;
        }
        let mut kept = 0;
        for index in 0..self.len() {
            let at = index * self.width;
            if !covers(row, &self.bits[at..at + self.width]) {
                self.bits.copy_within(at..at + self.width, kept);
                kept += self.width;
            }
        }
        self.bits.truncate(kept);
        self.bits.extend_from_slice(row);
    }

    fn into_arena(self, local: &LocalVars) -> ClauseArena {
        let mut rows: Vec<Vec<Lit>> = self
            .rows()
            .map(|row| {
                let codes = (0..2 * local.vars.len()).filter(|code| row[code / 64] >> (code % 64) & 1 != 0);
                codes.map(|code| local.vars[code / 2].lit(code % 2 == 0)).collect()
            })
            .collect();
        rows.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        rows.into_iter().collect()
    }
}

/// Whether the term `small` is contained in `large`, so that it absorbs it.
fn covers(small: &[u64], large: &[u64]) -> bool {
    small.iter().zip(large).all(|(s, l)| s & !l == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::CircuitBuilder;
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
        assert_eq!(irredundant(&given), rows(&[&[1, 2], &[3, 4]]));
        assert_eq!(irredundant(&rows(&[&[1], &[], &[2]])), rows(&[&[]]));
    }

    #[test]
    fn only_the_prime_form_shows_a_dead_element() {
        assert_eq!(prime(&rows(&[&[1, 2], &[-1, 2]]), 100), Some(rows(&[&[2]])));
    }

    #[test]
    fn limits_are_kept() {
        let pairs: ClauseArena = (0..20).map(|i| [Lit::from_code(4 * i), Lit::from_code(4 * i + 2)]).collect();
        assert_eq!(dual(&pairs, 1000), None);
    }

    #[test]
    fn majority_is_its_own_dual() {
        let majority = rows(&[&[1, 2], &[1, 3], &[2, 3]]);
        assert_eq!(dual(&majority, 100), Some(majority));
    }

    #[test]
    fn parity_has_all_its_terms() {
        let mut b = CircuitBuilder::new(3);
        let parity = b.gate(GateKind::Xor, &[b.input(0), b.input(1), b.input(2)]);
        let circuit = b.finish(parity);
        let dnf = circuit_dnf(&circuit, true, 100).unwrap();
        assert_eq!(dnf.len(), 4);
        assert!((0..8).all(|bits| holds_dnf(&dnf, bits) == (bits.count_ones() % 2 == 1)));
    }

    proptest! {
        #[test]
        fn irredundant_means_the_same(cnf in random_rows()) {
            let small = irredundant(&cnf);
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
            let dnf = dual(&cnf, 100_000).unwrap();
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

        #[test]
        fn circuits_expand_to_what_they_compute(
            gates in prop::collection::vec((0..4u8, prop::collection::vec((0..100usize, any::<bool>()), 3)), 1..8),
            value in any::<bool>(),
        ) {
            let mut b = CircuitBuilder::new(VARS);
            let mut last = b.input(0);
            for (index, (kind, operands)) in gates.iter().enumerate() {
                let lits: Vec<Lit> =
                    operands.iter().map(|&(i, sign)| Var::from_index(i % (VARS + index)).lit(sign)).collect();
                let kind = [GateKind::And, GateKind::Or, GateKind::Xor, GateKind::Ite][*kind as usize];
                last = b.gate(kind, &lits);
            }
            let circuit = b.finish(last);
            let dnf = circuit_dnf(&circuit, value, 100_000).unwrap();
            for bits in 0..1u32 << VARS {
                let inputs: Vec<bool> = (0..VARS).map(|i| bits >> i & 1 != 0).collect();
                prop_assert_eq!(circuit.evaluate(&inputs) == value, holds_dnf(&dnf, bits));
            }
        }
    }
}

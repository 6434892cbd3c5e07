//! Do some colours decide a formula, whatever becomes of the rest? Asked for every leaf of a strategy.
//!
//! What is given is a set of true literals and disjoint pairs of which one literal each is true. Two cases:
//! - *The winner must meet every row* (MAX in a CNF; MIN in a DNF, whose literals are then read negated). A row is met for
//!   certain iff it contains a given literal, or both literals of a pair, or an element in both colours: otherwise give
//!   its literals the wrong value; no given literal is among them and every pair still has one to be true. So the rows
//!   are counted off, and nothing else is needed.
//! - *The winner must fill one row* (MIN in a CNF, MAX in a DNF). If the given literals fill a row, that is all; but it may
//!   take several rows together, and that is a question for a SAT solver: is there a completion that fills none? Of a
//!   circuit it is always asked: is there a completion with the other value?

use super::autotree::Planted;
use super::gates::add_gates;
use super::judge::Judge;
use crate::solver::SatSolver;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Circuit, ClauseArena, Game, GameMatrix, Lit, Player, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// The formula of a game as one player sees it.
pub(super) enum Decided {
    /// The player must meet every row.
    Meet(Meet),
    /// The player must fill a row.
    Fill(Box<Fill>),
    /// The circuit must not have the other value.
    Gates(Solver),
}

impl Decided {
    /// # Errors
    /// The reason to stop.
    pub(super) fn new(game: &Game, winner: Player, judge: Judge, control: &Control) -> Result<Self, StopReason> {
        Ok(match (game.matrix(), winner) {
            (GameMatrix::Cnf(rows), Player::Max) => Decided::Meet(Meet::new(rows, |lit| lit)),
            (GameMatrix::Dnf(rows), Player::Min) => Decided::Meet(Meet::new(rows, |lit| !lit)),
            (GameMatrix::Cnf(rows), Player::Min) => Decided::Fill(Box::new(Fill::new(rows, |lit| !lit, judge))),
            (GameMatrix::Dnf(rows), Player::Max) => Decided::Fill(Box::new(Fill::new(rows, |lit| lit, judge))),
            (GameMatrix::Circuit(circuit), _) => {
                Decided::Gates(Solver::with_gates(circuit, winner != Player::Max, judge, control)?)
            }
        })
    }

    /// Whether the formula has the winner's value in every completion in which `holds` are true and of each two
    /// neighbours in `pairs` at least one. The elements must be different.
    ///
    /// # Errors
    /// The reason to stop before it was known.
    pub(super) fn by(&mut self, holds: &[Lit], pairs: &[Lit], control: &Control) -> Result<bool, StopReason> {
        match self {
            Decided::Meet(form) => Ok(form.by(holds, pairs)),
            Decided::Fill(form) => Ok(form.one_row(holds) || form.several_rows(holds, pairs, control)?),
            Decided::Gates(solver) => Ok(!solver.is_satisfiable(holds, pairs, control)?),
        }
    }
}

impl Decided {
    /// Whether the formula has the winner's value in every completion of the colours `played` and of every pick of a tree.
    ///
    /// # Errors
    /// The reason to stop before it was known.
    pub(super) fn by_tree(
        &mut self,
        tree: &Planted<'_>,
        played: &[Lit],
        control: &Control,
    ) -> Result<bool, StopReason> {
        let solver = match self {
            Decided::Meet(form) => {
                let rows = form.always.len() * 64;
                let mut poller = control.poller();
                for row in 0..rows as u32 {
                    poller.poll(0)?;
                    let is_met_by = |lit: Lit| form.columns.get(&lit).is_some_and(|column| column.contains(row));
                    let is_always = form.always[row as usize / 64] >> (row % 64) & 1 != 0;
                    if !is_always && !played.iter().any(|&lit| is_met_by(lit)) && !tree.meets(is_met_by) {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
            Decided::Fill(form) if form.has_empty_row => return Ok(true),
            Decided::Fill(form) => form.solver.get_or_insert_with(|| Solver::new(&form.rows, form.judge)),
            Decided::Gates(solver) => solver,
        };
        let vars = &solver.vars;
        tree.constrain(&mut *solver.backend, |_, lit| vars.get(&lit.var()).map(|var| var.lit(lit.is_positive())));
        Ok(!solver.is_satisfiable(played, &[], control)?)
    }
}

/// The rows that contain a literal, in whichever form is smaller.
enum Column {
    Bits(Vec<u64>),
    List(Vec<u32>),
}

impl Column {
    fn new(list: Vec<u32>, rows: usize) -> Self {
        if list.len() < rows.div_ceil(64) {
            return Column::List(list);
        }
        let mut bits = vec![0; rows.div_ceil(64)];
        list.iter().for_each(|&row| set(&mut bits, row));
        Column::Bits(bits)
    }

    fn contains(&self, row: u32) -> bool {
        match self {
            Column::Bits(bits) => bits[row as usize / 64] >> (row % 64) & 1 != 0,
            Column::List(list) => list.binary_search(&row).is_ok(),
        }
    }
}

fn set(bits: &mut [u64], row: u32) {
    bits[row as usize / 64] |= 1 << (row % 64);
}

/// Rows that must all be met.
pub(super) struct Meet {
    columns: FxHashMap<Lit, Column>,
    /// Rows that are always met, and the bits behind the last row.
    always: Vec<u64>,
    met: Vec<u64>,
}

impl Meet {
    fn new(rows: &ClauseArena, literal: impl Fn(Lit) -> Lit) -> Self {
        let mut lists: FxHashMap<Lit, Vec<u32>> = FxHashMap::default();
        let mut always = vec![0; rows.len().div_ceil(64)];
        for (index, row) in rows.iter().enumerate() {
            let index = index as u32;
            for &lit in row {
                let list = lists.entry(literal(lit)).or_default();
                if list.last() != Some(&index) {
                    list.push(index);
                }
                if lists.get(&!literal(lit)).is_some_and(|other| other.last() == Some(&index)) {
                    set(&mut always, index);
                }
            }
        }
        if !rows.len().is_multiple_of(64) {
            always[rows.len() / 64] |= u64::MAX << (rows.len() % 64);
        }
        let columns = lists.into_iter().map(|(lit, list)| (lit, Column::new(list, rows.len()))).collect();
        Meet { columns, met: Vec::with_capacity(always.len()), always }
    }

    fn by(&mut self, holds: &[Lit], pairs: &[Lit]) -> bool {
        let met = &mut self.met;
        met.clear();
        met.extend_from_slice(&self.always);
        for column in holds.iter().filter_map(|lit| self.columns.get(lit)) {
            match column {
                Column::Bits(bits) => met.iter_mut().zip(bits).for_each(|(word, bits)| *word |= bits),
                Column::List(list) => list.iter().for_each(|&row| set(met, row)),
            }
        }
        for pair in pairs.chunks_exact(2) {
            let (Some(one), Some(two)) = (self.columns.get(&pair[0]), self.columns.get(&pair[1])) else { continue };
            match (one, two) {
                (Column::Bits(one), Column::Bits(two)) => {
                    met.iter_mut().zip(one.iter().zip(two)).for_each(|(word, (one, two))| *word |= one & two);
                }
                (Column::List(list), other) | (other, Column::List(list)) => {
                    list.iter().filter(|&&row| other.contains(row)).for_each(|&row| set(met, row));
                }
            }
        }
        met.iter().all(|&word| word == u64::MAX)
    }
}

/// Rows of which one must be filled.
pub(super) struct Fill {
    rows: ClauseArena,
    /// Rows by the literal of them that occurs least.
    filed: FxHashMap<Lit, Vec<u32>>,
    has_empty_row: bool,
    judge: Judge,
    solver: Option<Solver>,
}

impl Fill {
    fn new(rows: &ClauseArena, literal: impl Fn(Lit) -> Lit, judge: Judge) -> Self {
        let mut rows = rows.clone();
        rows.lits_mut().iter_mut().for_each(|lit| *lit = literal(*lit));
        let mut counts: FxHashMap<Lit, u32> = FxHashMap::default();
        rows.lits().iter().for_each(|&lit| *counts.entry(lit).or_default() += 1);
        let mut filed: FxHashMap<Lit, Vec<u32>> = FxHashMap::default();
        let mut has_empty_row = false;
        for (index, row) in rows.iter().enumerate() {
            match row.iter().min_by_key(|&lit| counts[lit]) {
                Some(&rarest) => filed.entry(rarest).or_default().push(index as u32),
                None => has_empty_row = true,
            }
        }
        Fill { rows, filed, has_empty_row, judge, solver: None }
    }

    /// Whether the given literals fill a row.
    fn one_row(&self, holds: &[Lit]) -> bool {
        let given: FxHashSet<Lit> = holds.iter().copied().collect();
        let filled = |&row: &u32| self.rows[row as usize].iter().all(|lit| given.contains(lit));
        self.has_empty_row || holds.iter().filter_map(|lit| self.filed.get(lit)).any(|rows| rows.iter().any(filled))
    }

    /// Whether no completion leaves every row unfilled.
    fn several_rows(&mut self, holds: &[Lit], pairs: &[Lit], control: &Control) -> Result<bool, StopReason> {
        let solver = self.solver.get_or_insert_with(|| Solver::new(&self.rows, self.judge));
        Ok(!solver.is_satisfiable(holds, pairs, control)?)
    }
}

/// A SAT solver that knows what must not be: that no row is filled, or that the circuit has the other value.
pub(super) struct Solver {
    backend: Box<dyn SatSolver>,
    vars: FxHashMap<Var, Var>,
    /// For every pair that was asked about, the variable that switches it on.
    switches: FxHashMap<(Lit, Lit), Var>,
}

impl Solver {
    /// No row is filled.
    fn new(rows: &ClauseArena, judge: Judge) -> Self {
        let mut backend = judge.incremental();
        let mut vars: FxHashMap<Var, Var> = FxHashMap::default();
        let mut clause = Vec::new();
        for row in rows {
            clause.clear();
            for &lit in row {
                let var = *vars.entry(lit.var()).or_insert_with(|| backend.new_var());
                clause.push(var.lit(lit.is_negative()));
            }
            backend.add_clause(&clause);
        }
        Solver { backend, vars, switches: FxHashMap::default() }
    }

    /// The circuit has this value.
    fn with_gates(circuit: &Circuit, value: bool, judge: Judge, control: &Control) -> Result<Self, StopReason> {
        let mut backend = judge.incremental();
        let inputs: Vec<Lit> = (0..circuit.inputs()).map(|_| backend.new_var().positive()).collect();
        let output = add_gates(&mut *backend, circuit, &inputs, &mut control.poller())?;
        backend.add_clause(&[if value { output } else { !output }]);
        let vars = inputs.iter().enumerate().map(|(input, lit)| (Var::from_index(input), lit.var())).collect();
        Ok(Solver { backend, vars, switches: FxHashMap::default() })
    }

    fn is_satisfiable(&mut self, holds: &[Lit], pairs: &[Lit], control: &Control) -> Result<bool, StopReason> {
        let local = |lit: Lit| self.vars.get(&lit.var()).map(|var| var.lit(lit.is_positive()));
        let mut assumptions: Vec<Lit> = holds.iter().filter_map(|&lit| local(lit)).collect();
        for pair in pairs.chunks_exact(2) {
            // Where one literal does not occur it can be the true one, and nothing is known of the other.
            let (Some(one), Some(two)) = (local(pair[0]), local(pair[1])) else { continue };
            let switch = *self.switches.entry((one.min(two), one.max(two))).or_insert_with(|| {
                let switch = self.backend.new_var();
                self.backend.add_clause(&[switch.negative(), one, two]);
                switch
            });
            assumptions.push(switch.positive());
        }
        self.backend.solve(&assumptions, control)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::formula::CircuitBuilder;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const ELEMENTS: usize = 6;

    fn holds(form: &GameMatrix, bits: u32) -> bool {
        let holds = |lit: &Lit| (bits >> lit.var().index() & 1 != 0) == lit.is_positive();
        match form {
            GameMatrix::Cnf(rows) => rows.iter().all(|row| row.iter().any(holds)),
            GameMatrix::Dnf(rows) => rows.iter().any(|row| row.iter().all(holds)),
            GameMatrix::Circuit(circuit) => {
                circuit.evaluate(&(0..ELEMENTS).map(|i| bits >> i & 1 != 0).collect::<Vec<_>>())
            }
        }
    }

    fn random_matrix(random: &mut ChaCha8Rng) -> GameMatrix {
        let mut rows = ClauseArena::new();
        for _ in 0..random.random_range(0..8) {
            for _ in 0..random.random_range(1..4) {
                rows.push_lit(Lit::from_code(random.random_range(0..2 * ELEMENTS)));
            }
            rows.finish();
        }
        match random.random_range(0..3) {
            0 => GameMatrix::Cnf(rows),
            1 => GameMatrix::Dnf(rows),
            _ => {
                let mut b = CircuitBuilder::new(ELEMENTS);
                let gates: Vec<Lit> =
                    rows.iter().map(|row| if row.len() == 2 { b.xor(row[0], row[1]) } else { b.or(row) }).collect();
                let output = b.and(&gates);
                GameMatrix::Circuit(b.finish(output))
            }
        }
    }

    #[test]
    fn decided_means_decided_in_every_completion() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut seen = [0; 2];
        for _ in 0..3_000 {
            let game = Game::new(ELEMENTS, random_matrix(&mut random)).unwrap();
            let winner = if random.random_bool(0.5) { Player::Max } else { Player::Min };
            let mut decided = Decided::new(&game, winner, Judge::usual().unwrap(), &Control::default()).unwrap();
            for _ in 0..4 {
                let mut elements: Vec<usize> = (0..ELEMENTS).collect();
                for at in (1..ELEMENTS).rev() {
                    elements.swap(at, random.random_range(0..=at));
                }
                let lits: Vec<Lit> =
                    elements.iter().map(|&e| Var::from_index(e).lit(random.random_bool(0.5))).collect();
                let pairs = random.random_range(0..=ELEMENTS / 2);
                let (pairs, rest) = lits.split_at(2 * pairs);
                let given = &rest[..random.random_range(0..=rest.len())];
                let fits = |bits: &u32| {
                    let is_true = |lit: &Lit| (bits >> lit.var().index() & 1 != 0) == lit.is_positive();
                    given.iter().all(is_true) && pairs.chunks(2).all(|pair| pair.iter().any(is_true))
                };
                let expected =
                    (0..1 << ELEMENTS).filter(fits).all(|bits| holds(game.matrix(), bits) == (winner == Player::Max));
                let found = decided.by(given, pairs, &Control::default()).unwrap();
                assert_eq!(found, expected, "{game:?} {winner} {given:?} {pairs:?}");
                seen[usize::from(found)] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
    }
}

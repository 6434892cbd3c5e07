//! The universal player's functions from copies that cannot all be satisfied.
//!
//! That `exists X forall Y exists Z` is false is often found by expansion: for some universal moves `y` the matrix is copied with
//! `y` filled in and fresh innermost variables, and no `x` satisfies all copies. Then each `x` has a copy that cannot be
//! satisfied, and its `y` is the answer to that `x`. Which one it is can be read off a refutation by resolution: every
//! clause `C` of it gets a function from the outer variables to the copies, its *blame*, such that for all `x` that make the outer
//! literals of `C` false the blamed copy alone, under `x`, implies the part of `C` that is about its own variables.
//! * A clause of a copy blames that copy.
//! * After resolution on an outer variable the clause counts whose literal `x` makes false.
//! * After resolution on a variable of one copy: a clause that blames another copy keeps what it says, and counts; otherwise
//!   both say something about that copy, and so does the resolvent.
//!
//! The empty clause blames a copy that cannot be satisfied. This is interpolation (Krajíček 1997, Pudlák 1997) for more than two
//! parts, and the same thing as strategies from refutations by expansion (Beyersdorff, Chew and Janota 2015).

use super::engine::Wish;
use super::matrix::Matrix;
use super::signals::Signals;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Aig, Lit, Quantifier, Var};
use gamesat_sat::SatBackend;
use gamesat_sat::cdcl::{Cdcl, Origin, Proof, Step};
use rustc_hash::FxHashMap;

/// A universal move and what is known of it.
pub(super) struct Refuting {
    /// What the universal player does, as far as it matters.
    pub(super) plays: Vec<Lit>,
    /// Outer moves that falsify this clause fail against it.
    pub(super) clause: Vec<Lit>,
    /// Whether a copy of the matrix may be made for it; every universal variable has a value then.
    pub(super) copy: bool,
}

/// Gates that are too many, and if a refutation is as good.
const MAX_GATES: usize = 3_000_000;
pub(super) const SMALL_GATES: usize = 20_000;

/// Conflicts of a refutation whose functions are small, and literals of copies that have such refutations.
const SMALL_CONFLICTS: u64 = 1_000;
const SMALL_LITERALS: usize = 50_000;

/// Whether a solver with a proof finds out that its clauses cannot be satisfied; `None` if that takes so long that the functions will be
/// larger than what is wished for.
pub(super) fn is_refuted(solver: &mut Cdcl, wish: Wish, control: &Control) -> Result<Option<bool>, StopReason> {
    let found = solver.solve_limited(&[], wish.small.then_some(SMALL_CONFLICTS), control)?;
    Ok(found.map(|is_satisfied| !is_satisfied))
}

/// Whether copies with so many literals are tried.
pub(super) fn is_tried(literals: usize, wish: Wish) -> bool {
    !wish.small || literals <= SMALL_LITERALS
}

/// How many gates functions may have.
pub(super) fn most_gates(wish: Wish) -> usize {
    if wish.small { SMALL_GATES } else { MAX_GATES }
}

/// Functions of the universal variables if no outer move survives all of these. `None` if the functions would be too large, or
/// if some outer move survives.
///
/// # Errors
/// The reason to stop.
pub(super) fn herbrand(
    matrix: &Matrix,
    moves: &[Refuting],
    wish: Wish,
    control: &Control,
) -> Result<Option<Aig>, StopReason> {
    let num_copies = moves.iter().filter(|refuting| refuting.copy).count();
    if !is_tried(num_copies * matrix.clauses.num_lits(), wish) {
        return Ok(None);
    }
    control.log(|| format!("functions from a refutation of {num_copies} copies"));
    let mut copies = Copies::new(matrix);
    for (number, refuting) in moves.iter().enumerate() {
        copies.add(number as u32, refuting);
    }
    let Copies { mut solver, owners, roles, .. } = copies;
    if is_refuted(&mut solver, wish, control)? != Some(true) {
        return Ok(None);
    }
    let Some(proof) = solver.proof() else { return Ok(None) };
    let mut signals = Signals::new(matrix, false);
    let Some(blame) = blame(proof, &owners, &roles, &mut signals, most_gates(wish), control)? else { return Ok(None) };
    // The last that may be blamed needs no condition; nor does it matter that no two are blamed at once, so that a judge need
    // not find that out.
    let mut functions = vec![Aig::FALSE; matrix.original.len()];
    for (at, &(number, blamed)) in blame.iter().enumerate().rev() {
        let blamed = if at + 1 == blame.len() { Aig::TRUE } else { blamed };
        for &lit in &moves[number as usize].plays {
            let value = if lit.is_positive() { Aig::TRUE } else { Aig::FALSE };
            let function = &mut functions[lit.var().index()];
            *function = signals.aig.select(blamed, value, *function);
        }
    }
    for (index, &(quantifier, _)) in matrix.original.iter().enumerate() {
        if quantifier == Quantifier::Forall {
            signals.set(Var::from_index(index), functions[index]);
        }
    }
    Ok(Some(signals.finish_false(matrix)))
}

/// Whose variable one of the solver's is.
#[derive(Clone, Copy)]
pub(super) enum Role {
    /// The outer player's, with its dense number.
    Outer(Var),
    /// That of a copy.
    Copy(u32),
}

/// All copies together.
struct Copies<'a> {
    matrix: &'a Matrix,
    solver: Cdcl,
    /// By number of the clause: whose it is; of everybody, if it is about the outer block alone.
    owners: Vec<Option<u32>>,
    /// By variable of the solver.
    roles: Vec<Role>,
    outer: FxHashMap<Var, Var>,
}

impl<'a> Copies<'a> {
    fn new(matrix: &'a Matrix) -> Self {
        let mut copies = Copies {
            matrix,
            solver: Cdcl::with_proof(),
            owners: Vec::new(),
            roles: Vec::new(),
            outer: FxHashMap::default(),
        };
        for clause in &matrix.clauses {
            if clause.iter().any(|&lit| !copies.is_outer(lit)) {
                continue;
            }
            let lits = clause.iter().map(|&lit| copies.outer(lit)).collect();
            copies.clause(None, lits);
        }
        copies
    }

    fn is_outer(&self, lit: Lit) -> bool {
        self.matrix.level_of[lit.var().index()] == 0
    }

    fn new_var(&mut self, role: Role) -> Var {
        self.roles.push(role);
        self.solver.new_var()
    }

    fn outer(&mut self, lit: Lit) -> Lit {
        let var = match self.outer.get(&lit.var()) {
            Some(&var) => var,
            None => {
                let var = self.new_var(Role::Outer(lit.var()));
                self.outer.insert(lit.var(), var);
                var
            }
        };
        var.lit(lit.is_positive())
    }

    fn clause(&mut self, owner: Option<u32>, lits: Vec<Lit>) {
        self.owners.push(owner);
        self.solver.add_clause(&lits);
    }

    fn add(&mut self, number: u32, refuting: &Refuting) {
        let known = refuting.clause.iter().map(|&lit| self.outer(lit)).collect();
        self.clause(Some(number), known);
        if !refuting.copy {
            return;
        }
        let mut values: Vec<Option<bool>> = vec![None; self.matrix.level_of.len()];
        refuting.plays.iter().for_each(|lit| values[lit.var().index()] = Some(lit.is_positive()));
        let mut own: FxHashMap<Var, Var> = FxHashMap::default();
        let matrix = self.matrix;
        for clause in &matrix.clauses {
            let holds = clause.iter().any(|lit| values[lit.var().index()] == Some(lit.is_positive()));
            if holds || clause.iter().all(|&lit| self.is_outer(lit)) {
                continue;
            }
            let mut lits = Vec::with_capacity(clause.len());
            for &lit in clause.iter().filter(|lit| values[lit.var().index()].is_none()) {
                if self.is_outer(lit) {
                    lits.push(self.outer(lit));
                } else {
                    let var = *own.entry(lit.var()).or_insert_with(|| {
                        self.roles.push(Role::Copy(number));
                        self.solver.new_var()
                    });
                    lits.push(var.lit(lit.is_positive()));
                }
            }
            self.clause(Some(number), lits);
        }
    }
}

/// For some copies, in their order, where they are blamed: exactly one of the signals is true. Without any: whichever one likes.
pub(super) type Blame = Vec<(u32, Lit)>;

/// What the empty clause blames; `None` if that takes too many gates.
pub(super) fn blame(
    proof: &Proof,
    owners: &[Option<u32>],
    roles: &[Role],
    signals: &mut Signals,
    most: usize,
    control: &Control,
) -> Result<Option<Blame>, StopReason> {
    let Some(last) = proof.empty_clause() else { return Ok(None) };
    // 1. What it rests on: how often each clause is used.
    let mut uses = vec![0u32; last as usize + 1];
    uses[last as usize] = 1;
    for step in (0..=last).rev() {
        if let Origin::Resolved(first, links) = proof.origin(step)
            && uses[step as usize] > 0
        {
            links.iter().map(|&(other, _)| other).chain([first]).for_each(|other| uses[other as usize] += 1);
        }
    }
    // 2. Blame, clause by clause, kept as long as it is used.
    let mut poller = control.poller();
    let mut blames: Vec<Blame> = vec![Vec::new(); last as usize + 1];
    let take = |blames: &mut [Blame], uses: &mut [u32], step: Step| {
        uses[step as usize] -= 1;
        let blame = &mut blames[step as usize];
        if uses[step as usize] == 0 { std::mem::take(blame) } else { blame.clone() }
    };
    for step in 0..=last {
        if uses[step as usize] == 0 {
            continue;
        }
        blames[step as usize] = match proof.origin(step) {
            Origin::Added(number) => owners[number].map(|owner| (owner, Aig::TRUE)).into_iter().collect(),
            Origin::Resolved(first, links) => {
                let mut blame = take(&mut blames, &mut uses, first);
                for &(other, lit) in links {
                    poller.poll(signals.aig.num_nodes() as u64)?;
                    let other = take(&mut blames, &mut uses, other);
                    blame = match roles[lit.var().index()] {
                        Role::Outer(var) => {
                            // Where the literal is true it is the first clause whose literal is false.
                            let condition = signals.get(var.lit(lit.is_positive()));
                            select(&mut signals.aig, condition, blame, other)
                        }
                        Role::Copy(owner) => pass_on(&mut signals.aig, owner, blame, other),
                    };
                }
                blame
            }
        };
        if signals.aig.num_nodes() > most {
            return Ok(None);
        }
    }
    Ok(Some(std::mem::take(&mut blames[last as usize])))
}

/// The first where the condition is true, the second where it is false.
fn select(aig: &mut Aig, condition: Lit, then: Blame, otherwise: Blame) -> Blame {
    if then.is_empty() || then == otherwise {
        return otherwise;
    }
    if otherwise.is_empty() {
        return then;
    }
    merged(&then, &otherwise, |then, otherwise| aig.select(condition, then, otherwise))
}

/// The first unless that blames the owner, then the second; or the other way round, if that is simpler.
fn pass_on(aig: &mut Aig, owner: u32, first: Blame, second: Blame) -> Blame {
    let blames_owner = |blame: &Blame| blame.iter().find(|&&(number, _)| number == owner).map(|&(_, signal)| signal);
    let Some(one) = blames_owner(&first) else { return if first.is_empty() { second } else { first } };
    let Some(other) = blames_owner(&second) else { return if second.is_empty() { first } else { second } };
    let (condition, first, second) =
        if first.len() <= second.len() { (one, second, first) } else { (other, first, second) };
    select(aig, condition, first, second)
}

/// Two blames, copy by copy; who is not mentioned is not blamed.
fn merged(one: &Blame, other: &Blame, mut merge: impl FnMut(Lit, Lit) -> Lit) -> Blame {
    let (mut one, mut other) = (one.iter().copied().peekable(), other.iter().copied().peekable());
    let mut blame = Blame::new();
    loop {
        let next = match (one.peek(), other.peek()) {
            (None, None) => return blame,
            (Some(&(a, _)), Some(&(b, _))) => a.min(b),
            (Some(&(number, _)), None) | (None, Some(&(number, _))) => number,
        };
        let [a, b] = [&mut one, &mut other]
            .map(|side| side.next_if(|&(number, _)| number == next).map_or(Aig::FALSE, |(_, signal)| signal));
        let signal = merge(a, b);
        if signal != Aig::FALSE {
            blame.push((next, signal));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::formula::{Prefix, Qbf};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Random formulas, with copies for some or all universal moves: if no outer move survives them, each loses against the
    /// move that the functions make; otherwise there are no functions.
    #[test]
    fn functions_answer_every_outer_move() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut counts = [0; 2];
        for round in 0..1500 {
            let sizes = [rng.random_range(1..6), rng.random_range(1..4), rng.random_range(1..6)];
            let [outer, universal, inner] = sizes;
            let mut prefix = Prefix::new();
            let quantifiers = [Quantifier::Exists, Quantifier::Forall, Quantifier::Exists];
            let mut first = 0;
            for (quantifier, size) in quantifiers.into_iter().zip(sizes) {
                prefix.push_block(quantifier, (first..first + size).map(Var::from_index));
                first += size;
            }
            let clauses = (0..rng.random_range(first..4 * first)).map(|_| {
                // An innermost variable in each, so that universal reduction takes nothing.
                let last = outer + universal + rng.random_range(0..inner);
                let others = (0..rng.random_range(1..4)).map(|_| rng.random_range(0..outer + universal));
                let vars: Vec<usize> = others.chain([last]).collect();
                vars.into_iter().map(|var| Var::from_index(var).lit(rng.random())).collect::<Vec<Lit>>()
            });
            let clauses: Vec<Vec<Lit>> = clauses.collect();
            let qbf = Qbf::new(&prefix, clauses.iter().collect()).unwrap();
            let matrix = Matrix::new(&qbf);
            let bit = |bits: usize, var: usize| bits >> var & 1 == 1;
            let fails = |x: usize, y: usize| {
                (0..1usize << inner).all(|z| {
                    let all = x | y << outer | z << (outer + universal);
                    !clauses.iter().all(|clause| clause.iter().any(|l| bit(all, l.var().index()) == l.is_positive()))
                })
            };
            let universals = outer..outer + universal;
            let mut tried: Vec<usize> = (0..1 << universal).filter(|_| rng.random_ratio(3, 4)).collect();
            tried.sort_unstable();
            let moves = tried.iter().map(|&y| {
                let plays = universals.clone().map(|var| Var::from_index(var).lit(bit(y, var - outer)));
                // A failing outer move, if there is one, as the clause that is known.
                let failing = (0..1usize << outer).find(|&x| fails(x, y));
                let known = |x: usize| (0..outer).map(|var| Var::from_index(var).lit(!bit(x, var))).collect();
                let all = vec![Var::FIRST.positive(), Var::FIRST.negative()];
                Refuting { plays: plays.collect(), clause: failing.map_or(all, known), copy: rng.random_ratio(7, 8) }
            });
            let moves: Vec<Refuting> = moves.collect();
            let found = herbrand(&matrix, &moves, Wish::default(), &Control::default()).unwrap();
            let answered = |x: usize| {
                tried.iter().zip(&moves).any(|(&y, refuting)| {
                    let is = |lit: &Lit| bit(x, lit.var().index()) == lit.is_positive();
                    if refuting.copy { fails(x, y) } else { !refuting.clause.iter().any(is) }
                })
            };
            let expected = (0..1usize << outer).all(answered);
            assert_eq!(found.is_some(), expected, "round {round}");
            counts[usize::from(expected)] += 1;
            let Some(functions) = found else { continue };
            for x in 0..1usize << outer {
                let values = functions.evaluate(|var| var.index() < outer && bit(x, var.index()));
                let named = functions.outputs().iter().zip(values);
                let y = named.fold(0, |y, (&(var, _), value)| y | usize::from(value) << (var.index() - outer));
                assert!(fails(x, y), "round {round}: {x:b} {y:b}");
            }
        }
        assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    }
}

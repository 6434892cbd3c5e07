//! From a circuit to rows: what is a conjunction of clauses already is read off in linear time, and only the conjuncts
//! that are not are multiplied out, each for itself.
//!
//! Read for the negated output the same gives a DNF: its terms are the negations of the clauses of the negation.

use super::terms::{Limited, LocalVars, Terms};
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Circuit, ClauseArena, GateKind, Lit, Var};

/// Inputs of the conjuncts that are multiplied out, together: terms are rows of bits over them.
const MOST_INPUTS: usize = 8192;
/// Shared gates may make the rows so many times larger than the circuit.
const MOST_GROWTH: usize = 4;

/// Some CNF of a circuit, or `None` if it would take more than `limit` rows for some gate, or far more literals than the
/// circuit has.
///
/// # Errors
/// The reason to stop.
pub fn circuit_cnf(circuit: &Circuit, limit: usize, control: &Control) -> Result<Option<ClauseArena>, StopReason> {
    clauses(circuit, circuit.output(), limit, &mut control.poller())
}

/// Some DNF of a circuit, likewise.
///
/// # Errors
/// The reason to stop.
pub fn circuit_dnf(circuit: &Circuit, limit: usize, control: &Control) -> Result<Option<ClauseArena>, StopReason> {
    let mut rows = clauses(circuit, !circuit.output(), limit, &mut control.poller())?;
    if let Some(rows) = &mut rows {
        rows.lits_mut().iter_mut().for_each(|lit| *lit = !*lit);
    }
    Ok(rows)
}

/// What a literal of a circuit is at first sight.
enum Shape<'a> {
    Literal,
    /// Operands of a conjunction, to be negated if the flag says so.
    Conjunction(&'a [Lit], bool),
    /// Operands of a disjunction, likewise.
    Disjunction(&'a [Lit], bool),
    Other,
}

fn shape(circuit: &Circuit, lit: Lit) -> Shape<'_> {
    let Some(index) = lit.var().index().checked_sub(circuit.inputs()) else { return Shape::Literal };
    let gate = circuit.gate(index);
    match (gate.kind, lit.is_positive()) {
        (GateKind::And, true) => Shape::Conjunction(gate.operands, false),
        (GateKind::Or, false) => Shape::Conjunction(gate.operands, true),
        (GateKind::Or, true) => Shape::Disjunction(gate.operands, false),
        (GateKind::And, false) => Shape::Disjunction(gate.operands, true),
        (GateKind::Xor | GateKind::Ite, _) => Shape::Other,
    }
}

fn signed(operands: &[Lit], negate: bool) -> impl Iterator<Item = Lit> + '_ {
    operands.iter().map(move |&lit| if negate { !lit } else { lit })
}

/// Clauses whose conjunction is the literal `root`.
fn clauses(
    circuit: &Circuit,
    root: Lit,
    limit: usize,
    poller: &mut Poller<'_>,
) -> Result<Option<ClauseArena>, StopReason> {
    let size: usize = circuit.gates().map(|gate| gate.operands.len() + 1).sum::<usize>() + 1;
    let most = MOST_GROWTH * size + 1024;
    let mut rows = ClauseArena::new();
    let mut complex: Vec<Lit> = Vec::new();
    // Conjunctions inside conjunctions; each gate is opened once.
    let mut seen = vec![false; 2 * (circuit.inputs() + circuit.num_gates())];
    let mut open = vec![root];
    // The clause in which a literal was last met.
    let mut met = vec![0u32; seen.len()];
    let mut number = 0;
    let mut disjuncts: Vec<Lit> = Vec::new();
    while let Some(conjunct) = open.pop() {
        poller.poll(0)?;
        if std::mem::replace(&mut seen[conjunct.code()], true) {
            continue;
        }
        if let Shape::Conjunction(operands, negate) = shape(circuit, conjunct) {
            open.extend(signed(operands, negate).filter(|lit| !seen[lit.code()]));
            continue;
        }
        // A clause, or something else.
        number += 1;
        let (mut is_clause, mut holds) = (true, false);
        let before = rows.num_lits();
        disjuncts.clear();
        disjuncts.push(conjunct);
        let mut clause: Vec<Lit> = Vec::new();
        while let Some(lit) = disjuncts.pop() {
            if std::mem::replace(&mut met[lit.code()], number) == number {
                continue;
            }
            match shape(circuit, lit) {
                Shape::Literal => clause.push(lit),
                Shape::Disjunction(operands, negate) => disjuncts.extend(signed(operands, negate)),
                Shape::Conjunction([], _) => holds = true,
                Shape::Conjunction(&[single], negate) => disjuncts.push(if negate { !single } else { single }),
                Shape::Conjunction(..) | Shape::Other => {
                    is_clause = false;
                    break;
                }
            }
            if before + clause.len() > most {
                return Ok(None);
            }
        }
        if !is_clause {
            complex.push(conjunct);
        } else if !holds {
            clause.reverse();
            rows.push(&clause);
        }
    }
    if complex.is_empty() {
        return Ok(Some(rows));
    }
    // The clauses of a conjunct are the negated terms of its negation.
    let roots: Vec<Lit> = complex.iter().map(|&lit| !lit).collect();
    let Some((local, forms)) = distributed(circuit, &roots, limit, poller)? else { return Ok(None) };
    for terms in forms {
        terms.append_to(&local, &mut rows, |lit| !lit);
    }
    Ok(Some(rows))
}

/// DNFs of some literals of a circuit with at most `limit` terms at every gate.
fn distributed(
    circuit: &Circuit,
    roots: &[Lit],
    limit: usize,
    poller: &mut Poller<'_>,
) -> Result<Option<(LocalVars, Vec<Terms>)>, StopReason> {
    // 1. Which literals of the circuit are needed, from the roots down.
    let size = circuit.inputs() + circuit.num_gates();
    let mut needed = vec![false; 2 * size];
    roots.iter().for_each(|root| needed[root.code()] = true);
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
    let occurs = |var: &Var| needed[var.positive().code()] || needed[var.negative().code()];
    let local = LocalVars::new((0..circuit.inputs()).map(Var::from_index).filter(occurs));
    if local.len() > MOST_INPUTS {
        return Ok(None);
    }

    // 2. Their terms, from the inputs up.
    let width = local.width();
    let mut gates: Vec<Option<Terms>> = vec![None; 2 * circuit.num_gates()];
    for index in 0..circuit.num_gates() {
        let var = Var::from_index(circuit.inputs() + index);
        for sign in [true, false].into_iter().filter(|&sign| needed[var.lit(sign).code()]) {
            let lookup = Lookup { circuit, local: &local, gates: &gates };
            let Some(result) = gate_terms(&lookup, index, sign, width, limit, poller)? else { return Ok(None) };
            gates[2 * index + usize::from(!sign)] = Some(result);
        }
    }
    let lookup = Lookup { circuit, local: &local, gates: &gates };
    let forms = roots.iter().map(|&root| lookup.terms(root)).collect();
    Ok(Some((local, forms)))
}

/// Where the terms of operands are found.
struct Lookup<'a> {
    circuit: &'a Circuit,
    local: &'a LocalVars,
    gates: &'a [Option<Terms>],
}

impl Lookup<'_> {
    fn terms(&self, lit: Lit) -> Terms {
        match lit.var().index().checked_sub(self.circuit.inputs()) {
            None => Terms::single(self.local.width(), self.local.code(lit)),
            Some(index) => self.gates[2 * index + usize::from(lit.is_negative())]
                .clone()
                .unwrap_or_else(|| unreachable!("operands come first")),
        }
    }
}

fn gate_terms(
    lookup: &Lookup<'_>,
    index: usize,
    sign: bool,
    width: usize,
    limit: usize,
    poller: &mut Poller<'_>,
) -> Limited {
    let gate = lookup.circuit.gate(index);
    let branch = |lit: Lit| if sign { lit } else { !lit };
    /// Ends the function when there are too many terms.
    macro_rules! within {
        ($terms:expr) => {
            match $terms? {
                Some(terms) => terms,
                None => return Ok(None),
            }
        };
    }
    match (gate.kind, sign) {
        (GateKind::And, true) | (GateKind::Or, false) => {
            let mut all = Terms::unit(width);
            for &lit in gate.operands {
                all = within!(all.product(&lookup.terms(branch(lit)), limit, poller));
            }
            Ok(Some(all))
        }
        (GateKind::Or, true) | (GateKind::And, false) => {
            let mut all = Terms::empty(width);
            for &lit in gate.operands {
                all = within!(all.union(&lookup.terms(branch(lit)), limit, poller));
            }
            Ok(Some(all))
        }
        (GateKind::Ite, _) => {
            let (test, yes, no) = (gate.operands[0], branch(gate.operands[1]), branch(gate.operands[2]));
            let then = within!(lookup.terms(test).product(&lookup.terms(yes), limit, poller));
            let otherwise = within!(lookup.terms(!test).product(&lookup.terms(no), limit, poller));
            then.union(&otherwise, limit, poller)
        }
        (GateKind::Xor, _) => {
            // Parity so far: `odd` and its complement `even`.
            let (mut odd, mut even) = (Terms::empty(width), Terms::unit(width));
            for &lit in gate.operands {
                let (yes, no) = (lookup.terms(lit), lookup.terms(!lit));
                let mut flip = |p: &Terms, q: &Terms| -> Limited {
                    let (one, two) = (within!(p.product(&yes, limit, poller)), within!(q.product(&no, limit, poller)));
                    one.union(&two, limit, poller)
                };
                (odd, even) = (within!(flip(&even, &odd)), within!(flip(&odd, &even)));
            }
            Ok(Some(if sign { odd } else { even }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::formula::CircuitBuilder;
    use proptest::prelude::*;

    const VARS: usize = 6;

    fn is_true(lit: &Lit, bits: u32) -> bool {
        (bits >> lit.var().index() & 1 != 0) == lit.is_positive()
    }

    fn cnf_holds(cnf: &ClauseArena, bits: u32) -> bool {
        cnf.iter().all(|row| row.iter().any(|lit| is_true(lit, bits)))
    }

    fn dnf_holds(dnf: &ClauseArena, bits: u32) -> bool {
        dnf.iter().any(|row| row.iter().all(|lit| is_true(lit, bits)))
    }

    #[test]
    fn parity_has_all_its_terms() {
        let mut b = CircuitBuilder::new(3);
        let parity = b.gate(GateKind::Xor, &[b.input(0), b.input(1), b.input(2)]);
        let circuit = b.finish(parity);
        let dnf = circuit_dnf(&circuit, 100, &Control::default()).unwrap().unwrap();
        assert_eq!(dnf.len(), 4);
        assert!((0..8).all(|bits| dnf_holds(&dnf, bits) == (bits.count_ones() % 2 == 1)));
    }

    #[test]
    fn normal_forms_are_read_off_however_large() {
        let mut b = CircuitBuilder::new(3000);
        let clauses: Vec<Lit> =
            (0..1000).map(|i| b.or(&[b.input(3 * i), !b.input(3 * i + 1), b.input(3 * i + 2)])).collect();
        let all = b.and(&clauses);
        let circuit = b.finish(all);
        assert_eq!(circuit_cnf(&circuit, 10, &Control::default()).unwrap().unwrap().len(), 1000);
        assert_eq!(circuit_dnf(&circuit, 10, &Control::default()).unwrap(), None);
    }

    #[test]
    fn only_what_is_not_a_clause_is_multiplied_out() {
        let mut b = CircuitBuilder::new(2002);
        let mut parts: Vec<Lit> = (0..1000).map(|i| b.or(&[b.input(2 * i), b.input(2 * i + 1)])).collect();
        let differ = b.xor(b.input(2000), b.input(2001));
        parts.push(!differ);
        let all = b.and(&parts);
        let circuit = b.finish(all);
        assert_eq!(circuit_cnf(&circuit, 10, &Control::default()).unwrap().unwrap().len(), 1002);
    }

    proptest! {
        #[test]
        fn circuits_become_rows_of_what_they_compute(
            gates in prop::collection::vec((0..4u8, prop::collection::vec((0..100usize, any::<bool>()), 0..4)), 1..8),
            sign in any::<bool>(),
        ) {
            let mut b = CircuitBuilder::new(VARS);
            let mut last = b.input(0);
            for (index, (kind, operands)) in gates.iter().enumerate() {
                let lits: Vec<Lit> =
                    operands.iter().map(|&(i, sign)| Var::from_index(i % (VARS + index)).lit(sign)).collect();
                let kind = [GateKind::And, GateKind::Or, GateKind::Xor, GateKind::Ite][*kind as usize];
                let kind = if kind == GateKind::Ite && lits.len() != 3 { GateKind::Or } else { kind };
                last = b.gate(kind, &lits);
            }
            let circuit = b.finish(if sign { last } else { !last });
            let cnf = circuit_cnf(&circuit, 100_000, &Control::default()).unwrap();
            let dnf = circuit_dnf(&circuit, 100_000, &Control::default()).unwrap();
            for bits in 0..1u32 << VARS {
                let inputs: Vec<bool> = (0..VARS).map(|i| bits >> i & 1 != 0).collect();
                let value = circuit.evaluate(&inputs);
                prop_assert_eq!(cnf.as_ref().is_none_or(|cnf| cnf_holds(cnf, bits) == value), true);
                prop_assert_eq!(dnf.as_ref().is_none_or(|dnf| dnf_holds(dnf, bits) == value), true);
            }
        }
    }
}

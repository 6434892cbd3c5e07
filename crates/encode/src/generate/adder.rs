//! Completing a partial adder: is there a gate for the hole that makes it equal to a complete one?
//!
//! Two ripple-carry adders add the same universally quantified numbers. In one of them the carry out of the middle
//! position is replaced by a lookup table, whose entries are outermost existentials. If the table sees both bits and the
//! incoming carry, the majority fills it and the formula is true; if it sees the two bits only, nothing does, since the
//! carry of a position beyond the first depends on the carry before it. As partial-circuit equivalence checking and
//! diagnosis ask it: `exists table forall a, b: adder(a, b) = partial(a, b, table)`.

use super::{Family, GenerateError, Made, Parameter, Settings};
use gamesat_core::Problem;
use gamesat_core::formula::Quantifier::{Exists, Forall};
use gamesat_core::formula::{CircuitBuilder, GateKind, Lit, Names, Prefix, QuantifiedCircuit};

pub(super) const ADDER: Family = Family {
    name: "adder",
    about: "fill a hole in an adder by a lookup table; true if the table sees 3 signals, false if it sees 2; a circuit",
    source: "after A. Ayari, D. Basin: Bounded Model Construction for Monadic Second-order Logics. CAV 2000; and \
             C. Scholl, B. Becker: Checking Equivalence for Partial Implementations. DAC 2001",
    parameters: &[
        Parameter::number("bits", "width of the numbers", 8, 2, 100_000),
        Parameter::number("inputs", "signals the table sees", 3, 2, 3),
    ],
    seeded: false,
    build,
};

fn build(settings: &Settings) -> Result<Made, GenerateError> {
    let (bits, inputs) = (settings.number("bits"), settings.number("inputs"));
    let entries = 1 << inputs;
    let mut circuit = CircuitBuilder::new(entries + 2 * bits);
    let all: Vec<Lit> = (0..entries + 2 * bits).map(|i| circuit.input(i)).collect();
    let (table, numbers) = all.split_at(entries);
    let (a, b) = numbers.split_at(bits);

    let complete = sum(&mut circuit, a, b, &mut |circuit, _, signals| majority(circuit, signals));
    let hole = bits / 2;
    let partial = sum(&mut circuit, a, b, &mut |circuit, position, signals| {
        if position == hole { lookup(circuit, table, &signals[..inputs]) } else { majority(circuit, signals) }
    });
    let differences: Vec<Lit> = complete.iter().zip(&partial).map(|(&x, &y)| circuit.xor(x, y)).collect();
    let differ = circuit.or(&differences);

    let mut prefix = Prefix::new();
    prefix.push_block(Exists, table.iter().map(|lit| lit.var()));
    prefix.push_block(Forall, numbers.iter().map(|lit| lit.var()));
    let quantified = QuantifiedCircuit::new(&prefix, circuit.finish(!differ), Names::new())
        .expect("the prefix binds the inputs once each");
    Ok(Made { problem: Problem::Circuit(quantified), answer: Some(inputs == 3) })
}

/// The sum bits and the last carry, given how a position makes its carry from its two bits and the incoming carry.
fn sum(
    circuit: &mut CircuitBuilder,
    a: &[Lit],
    b: &[Lit],
    carry_out: &mut dyn FnMut(&mut CircuitBuilder, usize, [Lit; 3]) -> Lit,
) -> Vec<Lit> {
    let mut carry = circuit.constant(false);
    let mut sum = Vec::with_capacity(a.len() + 1);
    for (position, (&a, &b)) in a.iter().zip(b).enumerate() {
        sum.push(circuit.gate(GateKind::Xor, &[a, b, carry]));
        carry = carry_out(circuit, position, [a, b, carry]);
    }
    sum.push(carry);
    sum
}

fn majority(circuit: &mut CircuitBuilder, [a, b, carry]: [Lit; 3]) -> Lit {
    let both = circuit.and(&[a, b]);
    let one = circuit.or(&[a, b]);
    let passed = circuit.and(&[one, carry]);
    circuit.or(&[both, passed])
}

/// The table's entry at the number that the signals spell, the first signal being its lowest bit.
fn lookup(circuit: &mut CircuitBuilder, table: &[Lit], signals: &[Lit]) -> Lit {
    let mut row = table.to_vec();
    for &signal in signals {
        row = row.chunks(2).map(|pair| circuit.gate(GateKind::Ite, &[signal, pair[1], pair[0]])).collect();
    }
    row[0]
}

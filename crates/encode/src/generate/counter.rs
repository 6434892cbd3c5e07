//! Can a counter go from 0 to its last value within `2^k` steps? By iterative squaring.
//!
//! `reach(k, s, t)`, "from `s` to `t` in at most `2^k` steps", is "there is a middle `m` such that both halves can be done
//! in `2^(k-1)` steps". One copy of the half suffices: a universal bit `c` says which half is meant.
//!
//! ```text
//! reach(k, s, t) = exists m forall c: reach(k-1, if c then s else m, if c then m else t)
//! reach(0, s, t) = (t = s) or (t = s + 1)
//! ```
//!
//! An `n`-bit counter needs `2^n - 1` steps, so the answer is true exactly if `2^k >= 2^n - 1`. `2k` blocks and a matrix
//! of size `O(nk)`: many alternations, small formula.

use super::{Family, GenerateError, Made, Parameter, Settings, check_size};
use gamesat_core::Problem;
use gamesat_core::formula::Quantifier::{Exists, Forall};
use gamesat_core::formula::{CircuitBuilder, GateKind, Lit, Names, Prefix, QuantifiedCircuit, Var};

pub(super) const COUNTER: Family = Family {
    name: "counter",
    about: "a counter reaches its last value in at most 2^k steps, by squaring; true if k >= bits; 2k blocks; a circuit",
    source: "after T. Jussila, A. Biere: Compressing BMC Encodings with QBF. ENTCS 174, 2007; squaring as in W. J. \
             Savitch: Relationships between Nondeterministic and Deterministic Tape Complexities. JCSS 4, 1970",
    parameters: &[
        Parameter::number("bits", "width of the counter", 4, 1, 10_000),
        Parameter::number("squarings", "the k of 2^k steps", 4, 0, 10_000),
    ],
    seeded: false,
    build,
};

fn build(settings: &Settings) -> Result<Made, GenerateError> {
    let (bits, squarings) = (settings.number("bits"), settings.number("squarings"));
    check_size([bits, squarings + 4, 8])?;
    let mut circuit = CircuitBuilder::new(squarings * (bits + 1));
    let mut prefix = Prefix::new();
    let zero = circuit.constant(false);
    let (mut from, mut to) = (vec![zero; bits], vec![!zero; bits]);
    for level in 0..squarings {
        let first = level * (bits + 1);
        let middle: Vec<Lit> = (first..first + bits).map(|i| circuit.input(i)).collect();
        let half = circuit.input(first + bits);
        prefix.push_block(Exists, middle.iter().map(|lit| lit.var()));
        prefix.push_block(Forall, [Var::from_index(first + bits)]);
        for ((from, to), &middle) in from.iter_mut().zip(&mut to).zip(&middle) {
            *from = circuit.gate(GateKind::Ite, &[half, *from, middle]);
            *to = circuit.gate(GateKind::Ite, &[half, middle, *to]);
        }
    }
    let output = at_most_one_step(&mut circuit, &from, &to);
    let quantified = QuantifiedCircuit::new(&prefix, circuit.finish(output), Names::new())
        .expect("the prefix binds the inputs once each");
    Ok(Made { problem: Problem::Circuit(quantified), answer: Some(squarings >= bits || bits == 1) })
}

/// `to = from` or `to = from + 1`, lowest bit first; the last value has no successor.
fn at_most_one_step(circuit: &mut CircuitBuilder, from: &[Lit], to: &[Lit]) -> Lit {
    let mut carry = circuit.constant(true);
    let (mut stays, mut steps) = (Vec::new(), Vec::new());
    for (&from, &to) in from.iter().zip(to) {
        stays.push(!circuit.xor(from, to));
        steps.push(!circuit.gate(GateKind::Xor, &[from, to, carry]));
        carry = circuit.and(&[carry, from]);
    }
    steps.push(!carry);
    let stays = circuit.and(&stays);
    let steps = circuit.and(&steps);
    circuit.or(&[stays, steps])
}

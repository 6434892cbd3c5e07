//! A certificate held to the formula by truth table: every play of the loser, answered by the functions, must be won.

use gamesat::format::{AigerForm, write_aiger};
use gamesat::formula::{Aig, Qbf, Quantifier, Var};
use std::collections::HashMap;

/// A certificate as users get it.
pub fn text(certificate: &Aig) -> String {
    let mut text = Vec::new();
    write_aiger(certificate, AigerForm::Ascii, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Panics unless the text is a winning strategy for a formula with this verdict.
pub fn check_certificate(qbf: &Qbf, verdict: bool, text: &str) {
    let mut lines = text.lines();
    let mut numbers = || -> Vec<usize> {
        lines
            .next()
            .expect("a line")
            .trim_start_matches("aag ")
            .split(' ')
            .map(|n| n.parse().expect("a number"))
            .collect()
    };
    let [maximum, inputs, latches, outputs, gates] = numbers()[..] else { panic!("header") };
    assert_eq!((maximum, latches), (inputs + gates, 0));
    let inputs: Vec<usize> = (0..inputs).map(|_| numbers()[0]).collect();
    let outputs: Vec<usize> = (0..outputs).map(|_| numbers()[0]).collect();
    let gates: Vec<Vec<usize>> = (0..gates).map(|_| numbers()).collect();
    let symbols: HashMap<&str, i32> = lines
        .take_while(|&line| line != "c")
        .map(|line| line.split_once(' ').expect("symbol"))
        .map(|(s, n)| (s, n.parse().expect("variable")))
        .collect();
    let name = |kind: char, i: usize| Var::from_dimacs(symbols[format!("{kind}{i}").as_str()]);
    let input_vars: Vec<Var> = (0..inputs.len()).map(|i| name('i', i)).collect();
    let output_vars: Vec<Var> = (0..outputs.len()).map(|i| name('o', i)).collect();
    let winner = if verdict { Quantifier::Exists } else { Quantifier::Forall };
    let place: HashMap<Var, usize> = qbf.prefix().vars().iter().enumerate().map(|(i, &var)| (var, i)).collect();
    for (quantifier, var) in qbf.prefix().quantified() {
        assert_eq!(quantifier == winner, output_vars.contains(&var), "{var} is on the wrong side");
        assert_eq!(quantifier != winner, input_vars.contains(&var), "{var} is on the wrong side");
    }
    // The latest input in the cone of every signal.
    let block_of: Vec<usize> =
        qbf.prefix().blocks().enumerate().flat_map(|(i, block)| vec![i; block.vars.len()]).collect();
    let mut latest = vec![0; maximum + 1];
    for (i, var) in inputs.iter().zip(&input_vars) {
        latest[i / 2] = block_of[place[var]];
    }
    for gate in &gates {
        latest[gate[0] / 2] = latest[gate[1] / 2].max(latest[gate[2] / 2]);
    }
    for (signal, var) in outputs.iter().zip(&output_vars) {
        assert!(latest[signal / 2] <= block_of[place[var]], "the function of {var} looks ahead");
    }
    for play in 0..1u32 << inputs.len() {
        let mut values = vec![false; maximum + 1];
        for (i, signal) in inputs.iter().enumerate() {
            values[signal / 2] = play >> i & 1 == 1;
        }
        let value = |values: &[bool], signal: usize| values[signal / 2] != (signal % 2 == 1);
        for gate in &gates {
            values[gate[0] / 2] = value(&values, gate[1]) && value(&values, gate[2]);
        }
        let all = inputs.iter().zip(&input_vars).chain(outputs.iter().zip(&output_vars));
        let assigned: HashMap<Var, bool> = all.map(|(&signal, &var)| (var, value(&values, signal))).collect();
        let mut clauses = qbf.matrix().iter();
        let holds = clauses.all(|clause| clause.iter().any(|lit| assigned[&lit.var()] == lit.is_positive()));
        assert_eq!(holds, verdict, "{assigned:?} of {qbf:?}\n{text}");
    }
}

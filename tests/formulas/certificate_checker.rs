//! The certificate checker against brute force: what it accepts wins every play, what it rejects loses the one it shows.

use gamesat::check::{CertificateFlaw, Judge, evaluate_qbf};
use gamesat::control::{Control, Interrupt, Limits, StopReason};
use gamesat::formula::{Aig, ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};
use gamesat_check::steps::check_certificate;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

type Values = HashMap<Var, bool>;

fn lits(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().map(|&number| Lit::from_dimacs(number)).collect()
}

fn var(number: i32) -> Var {
    Var::from_dimacs(number)
}

fn qbf(blocks: &[(Quantifier, &[i32])], clauses: &[&[i32]]) -> Qbf {
    let mut prefix = Prefix::new();
    for (quantifier, vars) in blocks {
        prefix.push_block(*quantifier, vars.iter().map(|&number| var(number)));
    }
    let matrix: ClauseArena = clauses.iter().map(|clause| lits(clause)).collect();
    Qbf::new(&prefix, matrix).unwrap()
}

fn check(qbf: &Qbf, certificate: &Aig) -> Result<bool, CertificateFlaw> {
    check_certificate(qbf, certificate, Judge::usual().unwrap(), &Control::default()).unwrap()
}

fn matrix_holds(qbf: &Qbf, values: &Values) -> bool {
    qbf.matrix().iter().all(|clause| clause.iter().any(|lit| values[&lit.var()] == lit.is_positive()))
}

/// A random QBF: 1 to 5 blocks, sparse numbering, free variables now and then.
fn random_qbf(random: &mut ChaCha8Rng) -> Qbf {
    let vars: Vec<i32> = (1..=random.random_range(1..=7)).map(|i| 3 * i - 1).collect();
    let mut prefix = Prefix::new();
    for &number in &vars {
        if random.random_range(0..10) > 0 {
            let quantifier = if random.random() { Quantifier::Exists } else { Quantifier::Forall };
            prefix.push_var(quantifier, var(number));
        }
    }
    let mut matrix = ClauseArena::new();
    for _ in 0..random.random_range(0..12) {
        for _ in 0..random.random_range(1..4) {
            matrix.push_lit(var(vars[random.random_range(0..vars.len())]).lit(random.random()));
        }
        matrix.finish();
    }
    Qbf::new(&prefix, matrix).unwrap()
}

/// Functions that win for the player who wins, found by trying everything: for each of that player's variables the
/// disjunction of the plays before it in which it must be true.
fn winning_certificate(qbf: &Qbf, verdict: bool) -> Aig {
    let order: Vec<(Quantifier, Var)> = qbf.prefix().quantified().collect();
    let owner = if verdict { Quantifier::Exists } else { Quantifier::Forall };
    let mut graph = Aig::new(order.iter().map(|&(_, var)| var).collect());
    let mut functions = vec![Aig::FALSE; order.len()];
    let mut open: Vec<(Qbf, Vec<bool>)> = vec![(qbf.clone(), Vec::new())];
    while let Some((rest, play)) = open.pop() {
        let at = play.len();
        let Some(&(quantifier, var)) = order.get(at) else { continue };
        let next = |value: bool| {
            let mut play = play.clone();
            play.push(value);
            (rest.substitute(&[var.lit(value)]), play)
        };
        if quantifier != owner {
            open.extend([next(false), next(true)]);
            continue;
        }
        let value = evaluate_qbf(&next(true).0, &Control::default()).unwrap().0 == verdict;
        if value {
            let mut term = Aig::TRUE;
            for (index, &before) in play.iter().enumerate() {
                let input = graph.input(index);
                term = graph.and(term, if before { input } else { !input });
            }
            functions[at] = graph.or(functions[at], term);
        }
        open.push(next(value));
    }
    for (&(quantifier, var), signal) in order.iter().zip(functions) {
        if quantifier == owner {
            graph.output(var, signal);
        }
    }
    graph
}

/// Whether the functions win every play, by trying all values of the variables without a function.
fn wins(qbf: &Qbf, certificate: &Aig, verdict: bool) -> bool {
    let order: Vec<Var> = qbf.prefix().vars().to_vec();
    let made: HashMap<Var, usize> = certificate.outputs().iter().enumerate().map(|(at, &(var, _))| (var, at)).collect();
    let open: Vec<Var> = order.iter().copied().filter(|var| !made.contains_key(var)).collect();
    (0..1u32 << open.len()).all(|bits| {
        let mut values: Values = order.iter().map(|&var| (var, false)).collect();
        values.extend(open.iter().enumerate().map(|(at, &var)| (var, bits >> at & 1 != 0)));
        for var in &order {
            if let Some(&at) = made.get(var) {
                let value = certificate.evaluate(|input| values[&input])[at];
                values.insert(*var, value);
            }
        }
        matrix_holds(qbf, &values) == verdict
    })
}

/// A flaw that names a play must be right about it.
fn assert_loses(qbf: &Qbf, certificate: &Aig, flaw: &CertificateFlaw) {
    let Some(assignment) = flaw.assignment() else { return };
    let values: Values = assignment.iter().map(|lit| (lit.var(), lit.is_positive())).collect();
    assert_eq!(values.len(), qbf.prefix().vars().len());
    for ((var, _), value) in certificate.outputs().iter().zip(certificate.evaluate(|input| values[&input])) {
        assert_eq!(values[var], value, "the play follows the functions");
    }
    match flaw {
        CertificateFlaw::ClauseFalsified { clause, lits, .. } => {
            assert_eq!(&qbf.matrix()[*clause], &lits[..]);
            assert!(!lits.iter().any(|lit| values[&lit.var()] == lit.is_positive()));
        }
        _ => assert!(matrix_holds(qbf, &values)),
    }
}

/// A copy with one signal replaced by a random one, or one output negated, exchanged or left out.
fn corrupt(graph: &Aig, random: &mut ChaCha8Rng) -> Aig {
    let mut outputs = graph.outputs().to_vec();
    let mut ands = graph.ands().to_vec();
    let pick =
        |random: &mut ChaCha8Rng, bound: usize| Var::from_index(random.random_range(0..bound)).lit(random.random());
    match random.random_range(0..4) {
        0 if !ands.is_empty() => {
            let at = random.random_range(0..ands.len());
            ands[at][random.random_range(0..2)] = pick(random, 1 + graph.inputs().len() + at);
        }
        1 if outputs.len() > 1 => {
            let (one, other) = (random.random_range(0..outputs.len()), random.random_range(0..outputs.len()));
            let signal = outputs[one].1;
            outputs[one].1 = outputs[other].1;
            outputs[other].1 = signal;
        }
        2 if outputs.len() > 1 => {
            outputs.remove(random.random_range(0..outputs.len()));
        }
        _ => {
            let at = random.random_range(0..outputs.len());
            outputs[at].1 = if random.random() { !outputs[at].1 } else { pick(random, graph.num_nodes()) };
        }
    }
    let mut copy = Aig::new(graph.inputs().to_vec());
    for [left, right] in ands {
        copy.push_and(left, right);
    }
    for (var, signal) in outputs {
        copy.output(var, signal);
    }
    copy
}

/// The first function, if any, that reads what does not stand before it, by following the graph.
fn reads_too_much(qbf: &Qbf, graph: &Aig) -> bool {
    let place = |var: Var| qbf.prefix().vars().iter().position(|&other| other == var).unwrap();
    graph.outputs().iter().any(|&(var, signal)| {
        let mut open = vec![signal.var().index()];
        while let Some(node) = open.pop() {
            if (1..=graph.inputs().len()).contains(&node) && place(graph.inputs()[node - 1]) >= place(var) {
                return true;
            }
            if node > graph.inputs().len() {
                open.extend(graph.ands()[node - 1 - graph.inputs().len()].iter().map(|lit| lit.var().index()));
            }
        }
        false
    })
}

#[test]
fn certificates_are_accepted_exactly_if_they_win() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut accepted, mut lost, mut unread, mut verdicts) = (0, 0, 0, [0, 0]);
    for _ in 0..400 {
        let qbf = random_qbf(&mut random);
        let (verdict, _) = evaluate_qbf(&qbf, &Control::default()).unwrap();
        let certificate = winning_certificate(&qbf, verdict);
        assert_eq!(check(&qbf, &certificate), Ok(verdict), "{qbf:?} {certificate:?}");
        verdicts[usize::from(verdict)] += 1;
        if certificate.outputs().is_empty() {
            continue;
        }
        for _ in 0..5 {
            let wrong = corrupt(&certificate, &mut random);
            let judge = Judge::ALL[random.random_range(0..Judge::ALL.len())];
            let answer = check_certificate(&qbf, &wrong, judge, &Control::default()).unwrap();
            if reads_too_much(&qbf, &wrong) {
                assert!(matches!(answer, Err(CertificateFlaw::ReadsTooMuch { .. })), "{qbf:?} {wrong:?} {answer:?}");
                unread += 1;
                continue;
            }
            assert_eq!(answer.is_ok(), wins(&qbf, &wrong, verdict), "{qbf:?} {wrong:?} {answer:?}");
            match answer {
                Ok(shown) => {
                    assert_eq!(shown, verdict);
                    accepted += 1;
                }
                Err(flaw) => {
                    assert_loses(&qbf, &wrong, &flaw);
                    lost += 1;
                }
            }
        }
    }
    assert!(
        accepted > 100 && lost > 100 && unread > 50 && verdicts.iter().all(|&count| count > 50),
        "every branch is met: {accepted} {lost} {unread} {verdicts:?}"
    );
}

/// No certificate shows the opposite of the truth, whatever it says.
#[test]
fn random_functions_never_show_the_opposite() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut shown = 0;
    for _ in 0..1000 {
        let qbf = random_qbf(&mut random);
        let owner = if random.random() { Quantifier::Exists } else { Quantifier::Forall };
        let mut graph = Aig::new(qbf.prefix().vars().to_vec());
        for (at, (quantifier, var)) in qbf.prefix().quantified().enumerate() {
            if quantifier == owner {
                let signal = Var::from_index(random.random_range(0..=at)).lit(random.random());
                graph.output(var, signal);
            }
        }
        if let Ok(verdict) = check_certificate(&qbf, &graph, Judge::usual().unwrap(), &Control::default()).unwrap() {
            assert_eq!(verdict, evaluate_qbf(&qbf, &Control::default()).unwrap().0, "{qbf:?} {graph:?}");
            shown += 1;
        }
    }
    assert!(shown > 100, "{shown}");
}

#[test]
fn a_cycle_between_functions_is_not_accepted() {
    // exists 1 2: (1 or 2) and (not 1 or not 2) and (1 or not 2) and (not 1 or 2) is false. The functions 1 = not 2 and
    // 2 = 1 contradict each other, so that nothing that follows them falsifies a clause.
    let qbf = qbf(&[(Quantifier::Exists, &[1, 2])], &[&[1, 2], &[-1, -2], &[1, -2], &[-1, 2]]);
    let mut graph = Aig::new(vec![var(1), var(2)]);
    let (one, two) = (graph.input(0), graph.input(1));
    graph.output(var(1), !two);
    graph.output(var(2), one);
    assert_eq!(check(&qbf, &graph), Err(CertificateFlaw::ReadsTooMuch { function: var(1), reads: var(2) }));
}

#[test]
fn flaws_say_where() {
    use Quantifier::{Exists, Forall};
    let equal = qbf(&[(Forall, &[1]), (Exists, &[2])], &[&[1, -2], &[-1, 2]]);
    let mut good = Aig::new(vec![var(1)]);
    good.output(var(2), good.input(0));
    assert_eq!(check(&equal, &good), Ok(true));

    let mut wrong = Aig::new(vec![var(1)]);
    wrong.output(var(2), !wrong.input(0));
    let flaw = check(&equal, &wrong).unwrap_err();
    assert!(flaw.to_string().starts_with("the functions falsify clause "), "{flaw}");

    let swapped = qbf(&[(Exists, &[2]), (Forall, &[1])], &[&[1, -2], &[-1, 2]]);
    let flaw = check(&swapped, &good).unwrap_err();
    assert_eq!(flaw.to_string(), "the function of variable 2 reads variable 1, which is not quantified before it");
    let mut copy = Aig::new(vec![var(2)]);
    copy.output(var(1), copy.input(0));
    let flaw = check(&swapped, &copy).unwrap_err();
    assert!(matches!(flaw, CertificateFlaw::MatrixSatisfied { .. }), "{flaw}");
    assert_loses(&swapped, &copy, &flaw);
    let mut negated = Aig::new(vec![var(2)]);
    negated.output(var(1), !negated.input(0));
    assert_eq!(check(&swapped, &negated), Ok(false));

    let mut stranger = Aig::new(vec![var(9)]);
    stranger.output(var(2), Aig::TRUE);
    assert_eq!(check(&equal, &stranger), Err(CertificateFlaw::NotInFormula(var(9))));
    let mut both = Aig::new(vec![]);
    both.output(var(1), Aig::TRUE);
    both.output(var(2), Aig::TRUE);
    assert_eq!(check(&equal, &both), Err(CertificateFlaw::BothPlayers { existential: var(2), universal: var(1) }));
}

#[test]
fn without_functions_either_verdict_can_be_shown() {
    let valid = qbf(&[(Quantifier::Forall, &[1])], &[&[1, -1]]);
    assert_eq!(check(&valid, &Aig::default()), Ok(true));
    let unsatisfiable = qbf(&[(Quantifier::Exists, &[1])], &[&[1], &[-1]]);
    assert_eq!(check(&unsatisfiable, &Aig::default()), Ok(false));
    let open = qbf(&[(Quantifier::Exists, &[1])], &[&[1]]);
    assert!(matches!(check(&open, &Aig::default()), Err(CertificateFlaw::ClauseFalsified { .. })));
    let empty_clause = qbf(&[], &[&[]]);
    assert_eq!(check(&empty_clause, &Aig::default()), Ok(false));
    assert_eq!(check(&qbf(&[], &[]), &Aig::default()), Ok(true));
}

#[test]
fn checking_can_be_stopped() {
    let interrupt = Interrupt::new();
    interrupt.trigger();
    let control = Control::new(Limits::default(), interrupt);
    let open = qbf(&[(Quantifier::Exists, &[1])], &[&[1]]);
    let stopped = check_certificate(&open, &Aig::default(), Judge::usual().unwrap(), &control);
    assert_eq!(stopped, Err(StopReason::Interrupted));
}

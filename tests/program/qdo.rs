//! `--qdo` as a user sees it: the printed values of the outermost block, put into the formula, leave the verdict as it was.

use crate::support::ask::solve;
use assert_cmd::Command;
use gamesat::Problem;
use gamesat::format::{Format, write};
use gamesat::formula::{Lit, Qbf, Quantifier};
use gamesat::generate::generate;
use gamesat::solve::{Options, Verdict};

/// Exit code and `V` lines of `gamesat solve - --qdo`.
fn printed(qbf: &Qbf) -> (i32, Vec<Lit>) {
    let mut text = Vec::new();
    write(&Problem::Qbf(qbf.clone()), Format::Qdimacs, &mut text).unwrap();
    let output =
        Command::cargo_bin("gamesat").unwrap().args(["solve", "-", "--qdo"]).write_stdin(text).output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let value = |line: &str| line.strip_prefix("V ")?.strip_suffix(" 0")?.parse().ok().map(Lit::from_dimacs);
    (output.status.code().unwrap(), lines.lines().filter_map(value).collect())
}

#[test]
fn printed_values_win() {
    let random = |line: &str| (0..12).map(|seed| (line.to_owned(), seed)).collect::<Vec<_>>();
    let mut instances = [
        random("random 26 blocks=3 vars=6 exists=2 forall=1"),
        random("random 30 blocks=4 vars=5 exists=2 forall=1"),
        random("random 60 blocks=2 vars=12 exists=2 forall=1"),
    ]
    .concat();
    instances.extend(["pigeonhole 4 holes=3", "pigeonhole 5 holes=3", "kbkf 4"].map(|line| (line.to_owned(), 0)));
    let mut witnesses = [0, 0];
    for (line, seed) in instances {
        let mut words = line.split(' ');
        let family = words.next().unwrap();
        let Problem::Qbf(qbf) = generate(family, &words.collect::<Vec<_>>(), seed).unwrap().problem else { panic!() };
        let (code, values) = printed(&qbf);
        let verdict = if code == 10 { Verdict::True } else { Verdict::False };
        assert!(code == 10 || code == 20, "{line} seed {seed}: exit code {code}");
        let outermost = qbf.prefix().blocks().next().unwrap();
        if (outermost.quantifier == Quantifier::Exists) != (verdict == Verdict::True) {
            assert_eq!(values, [], "{line} seed {seed}: the loser's block");
            continue;
        }
        witnesses[usize::from(verdict == Verdict::True)] += 1;
        let vars: Vec<_> = values.iter().map(|lit| lit.var()).collect();
        assert_eq!(vars, outermost.vars, "{line} seed {seed}");
        let rest = Problem::Qbf(qbf.substitute(&values));
        assert_eq!(solve(&rest, &Options::default()).verdict, verdict, "{line} seed {seed}");
    }
    assert!(witnesses.iter().all(|&count| count >= 3), "false and true formulas with a witness: {witnesses:?}");
}

//! Numbers and examples of the theory that are known from elsewhere, one test for each subject: classes, punctuated formulas,
//! traces, zero forms, classes of products, variants, positions that are the same to both players.

use crate::support::ask::ask;
use gamesat::Problem;
use gamesat::analyse::{Scope, analyse, classify, look_at};
use gamesat::control::Control;
use gamesat::encode::{Form, Rows, Target, lower};
use gamesat::formula::{ClauseArena, Game, GameMatrix, Lit, Player, Rule, Var};
use gamesat::rules::Side;
use gamesat::solve::{Options, Trace, Verdict, Wanted};
use gamesat::theory::canonical::{CanonicalForm, census};
use gamesat::theory::evaluate::row_statistics;
use std::collections::BTreeSet;

fn options() -> Options {
    let mut options = Options::default();
    options.game.table = 1;
    options
}

fn game(text: &str, rule: Rule) -> Game {
    let Ok(Problem::Game(mut game)) = gamesat::parse(text) else { panic!("{text}") };
    game.rule = rule;
    game
}

/// Class without and with a star.
fn classes(text: &str, rule: Rule) -> String {
    let found = classify(&Problem::Game(game(text, rule)), &options(), &Control::default()).unwrap();
    format!("{}/{}", found.outcome.unwrap(), found.with_star.unwrap())
}

#[test]
fn classes_with_and_without_a_star() {
    for (text, expected) in [
        ("x | y", "positive/positive"),
        ("x & y", "negative/negative"),
        ("x", "regular/regular"),
        ("x == y", "misère/regular"),
        ("x | (y == z)", "regular/positive"),
        ("x & (y == z)", "regular/negative"),
        ("(x == y) & (z == w)", "misère/regular"),
    ] {
        assert_eq!(classes(text, Rule::Any), expected, "{text}");
    }
    for (text, expected) in [("!x", "misère/regular"), ("!x | y", "regular/positive"), ("x ^ y", "positive/positive")]
    {
        assert_eq!(classes(text, Rule::Own), expected, "{text}");
    }
    // With the star MAX wins by the star alone.
    let mut starred = game("x ^ y", Rule::Own);
    starred.add_stars(1);
    let all = Wanted::default().and_all_moves();
    let answer = ask(&Problem::Game(starred), &all, &options(), &Control::default());
    assert_eq!(answer.moves, [Lit::from_dimacs(3)]);
}

/// f = (x0 | !x1)(!x0 | x2)(!x2 | !x3).
#[test]
fn punctuated_formulas() {
    let problem = gamesat::parse("(x0 | !x1) & (!x0 | x2) & (!x2 | !x3)").unwrap();
    let look = |set: &[usize]| {
        let set: Vec<Var> = set.iter().map(|&element| Var::from_index(element)).collect();
        look_at(&problem, &set, &Control::default()).unwrap()
    };
    // Cut down to {x0, x1} the clauses say (x0 | !x1)(!x0), or the same in other words: both FALSE.
    let cut = look(&[0, 1]).clauses.unwrap();
    let holds = |x: usize, lit: &Lit| (x >> lit.var().index() & 1 != 0) == lit.is_positive();
    let satisfying: Vec<usize> =
        (0..4).filter(|&x| cut.iter().all(|row| row.iter().any(|lit| holds(x, lit)))).collect();
    assert_eq!(satisfying, [0]);
    let whole = look(&[0, 1, 2, 3]);
    let spoken = |lits: &Vec<Lit>| lits.iter().map(|lit| if lit.is_positive() { 'T' } else { 'F' }).collect::<String>();
    let maximal: BTreeSet<String> = whole.maximal.iter().map(spoken).collect();
    let minimal: BTreeSet<String> = whole.minimal.iter().map(spoken).collect();
    assert_eq!(maximal, ["FFFF", "FFFT", "FFTF", "TFTF", "TTTF"].map(str::to_owned).into());
    assert_eq!(minimal.len(), 11);
    assert!(maximal.is_disjoint(&minimal));
}

/// 3x3 Hex after a2: filled in, four clauses and five terms are left, and a3 dominates everything.
#[test]
fn hex_after_one_stone() {
    let problem = board("hex 3", &["a2"]);
    let found = analyse(&problem, Scope { only_static: true, set_size: 2 }, &options(), &Control::default()).unwrap();
    assert_eq!(found.rows, [Some(4), Some(5)]);
    let a3 = Var::from_index(6);
    // Of Black's moves only a3 is left.
    let dropped: BTreeSet<Var> = found
        .dominated
        .iter()
        .filter(|one| one.player == Player::Max)
        .map(|one| one.element)
        .chain(found.losing.iter().filter(|one| one.player == Player::Max).map(|one| one.choice.var()))
        .collect();
    let filled: BTreeSet<Var> = found.fills.iter().flat_map(|fill| &fill.literals).map(|lit| lit.var()).collect();
    let left: Vec<Var> = (0..9)
        .map(Var::from_index)
        .filter(|var| var.index() != 3 && !dropped.contains(var) && !filled.contains(var))
        .collect();
    assert_eq!(left, [a3]);
}

fn board(text: &str, black: &[&str]) -> Problem {
    let Ok(Problem::Board(mut board)) = gamesat::parse(text) else { panic!("{text}") };
    for name in black {
        board.place(board.find(name).unwrap(), Side::First).unwrap();
    }
    Problem::Board(board)
}

fn shrunk(problem: &Problem) -> Vec<Var> {
    let wanted = Wanted::default().and_trace(Trace::Small);
    let mut trace = ask(problem, &wanted, &options(), &Control::default()).trace.unwrap();
    trace.sort_unstable();
    trace
}

#[test]
fn edge_templates_are_traces() {
    let names = |text: &str| -> Vec<String> {
        let problem = gamesat::parse(text).unwrap();
        let Problem::Board(board) = &problem else { panic!() };
        shrunk(&problem).iter().map(|var| board.name(var.index())).collect()
    };
    let walls = "W W W W B W W W W\n";
    let third = format!("hex 9x4\nturn white\n{walls}. . . . B . . . .\n. . . . . . . . .\n. . . . . . . . .\n");
    assert_eq!(names(&third), ["d2", "c3", "d3", "e3", "b4", "c4", "d4", "e4"]);
    let second = format!("hex 9x4\nturn white\n{walls}{walls}. . . . B . . . .\n. . . . . . . . .\n");
    assert_eq!(names(&second).len(), 2);
    let mut any = game("a | b | c | d | e", Rule::Any);
    any.turn = Player::Min;
    assert_eq!(shrunk(&Problem::Game(any)).len(), 2);
}

/// An even form under rule `any` is the zero iff no option is T* or F*, an odd one iff none is T or F; under rule `own` an odd
/// one iff MAX cannot move to T nor MIN to F.
#[test]
fn zero_forms_by_their_options() {
    let forms = |rule: Rule, odd: bool| CanonicalForm::all(rule, odd).collect::<Vec<_>>();
    let subset = |all: &[CanonicalForm], set: usize| -> Vec<CanonicalForm> {
        (0..8).filter(|at| set >> at & 1 != 0).map(|at| all[at]).collect()
    };
    for odd in [false, true] {
        let options = forms(Rule::Any, !odd);
        for set in 1..256 {
            let list = subset(&options, set);
            let Some(form) = CanonicalForm::from_options(Rule::Any, odd, [&list, &list]) else { continue };
            let is_zero = form.name() == if odd { "Z□*" } else { "Z□" };
            let won = |form: &CanonicalForm| form.name() == options[0].name() || form.name() == options[7].name();
            assert_eq!(is_zero, !list.iter().any(won), "{list:?}");
        }
    }
    let options = forms(Rule::Own, false);
    for max in 1..256 {
        for min in 1..256 {
            let (left, right) = (subset(&options, max), subset(&options, min));
            let form = CanonicalForm::from_options(Rule::Own, true, [&left, &right]).unwrap();
            let quiet = left.iter().all(|form| form.name() != "T") && right.iter().all(|form| form.name() != "F");
            assert_eq!(form.name() == "Z△", quiet, "{left:?} {right:?}");
        }
    }
}

/// The classes of rule `any`, by the class without and with a star: P, R, N, and p, z, n, which the star makes regular. Products
/// of forms have the class that those of their factors say.
#[test]
fn classes_multiply() {
    let class = |form: CanonicalForm| -> char {
        let even = if form.is_odd() { form.with_star() } else { form };
        let spoken = (even.outcome().to_string(), even.with_star().outcome().to_string());
        match (spoken.0.as_str(), spoken.1.as_str()) {
            ("positive", "positive") => 'P',
            ("regular", "regular") => 'R',
            ("negative", "negative") => 'N',
            ("positive", "regular") => 'p',
            ("misère", "regular") => 'z',
            ("negative", "regular") => 'n',
            other => panic!("{other:?}"),
        }
    };
    let product = |one: char, other: char| match (one, other) {
        ('P', x) | (x, 'P') => x,
        ('N', _) | (_, 'N') => 'N',
        ('R', 'R') | ('R', 'n') | ('n', 'R') | ('n', 'n') => 'N',
        ('R', _) | (_, 'R') => 'n',
        ('n', _) | (_, 'n') => 'n',
        _ => 'z',
    };
    let dual = |class: char| match class {
        'P' => 'N',
        'N' => 'P',
        'p' => 'n',
        'n' => 'p',
        other => other,
    };
    for one in [false, true].into_iter().flat_map(|odd| CanonicalForm::all(Rule::Any, odd)) {
        for other in [false, true].into_iter().flat_map(|odd| CanonicalForm::all(Rule::Any, odd)) {
            assert_eq!(class(one.and(other)), product(class(one), class(other)), "{one} {other}");
            assert_eq!(class(one.or(other)), dual(product(dual(class(one)), dual(class(other)))), "{one} {other}");
        }
    }
}

/// Misère Hex, MAX first: min, max, min, max on boards of side 1 to 4; the single cell is Z△.
#[test]
fn misere_hex() {
    assert_eq!(
        classify(&Problem::Game(game("!x", Rule::Own)), &options(), &Control::default())
            .unwrap()
            .form
            .form()
            .unwrap()
            .name(),
        "Z△"
    );
    for (side, expected) in (1..=4).zip([Player::Min, Player::Max, Player::Min, Player::Max]) {
        let rows = crate::support::known_boards::hex(side);
        let negated: ClauseArena = rows.iter().map(|row| row.iter().map(|&lit| !lit).collect::<Vec<_>>()).collect();
        // MAX must own no winning set: in each of them an element is not MAX's.
        let mut misere = Game::new(side * side, GameMatrix::Cnf(negated)).unwrap();
        misere.rule = Rule::Own;
        let answer = ask(&Problem::Game(misere), &Wanted::default(), &options(), &Control::default());
        assert_eq!(answer.verdict, Verdict::from(expected), "{side}");
    }
}

/// Whoever is to move wins what is the same to both players.
#[test]
fn positions_that_are_the_same_to_both_players() {
    let first_wins = |problem: &Problem| {
        for turn in [Player::Max, Player::Min] {
            let mut problem = problem.clone();
            match &mut problem {
                Problem::Game(game) => game.turn = turn,
                Problem::Board(board) => board.turn = if turn == Player::Max { board.max } else { !board.max },
                _ => panic!(),
            }
            let mut options = options();
            // On a large board no search is to be waited for.
            options.engine = matches!(problem, Problem::Board(_)).then(|| "theorem".to_owned());
            let answer = ask(&problem, &Wanted::default(), &options, &Control::default());
            assert_eq!(answer.verdict, Verdict::from(turn), "{problem:?}");
        }
    };
    for text in ["hex 8", "hex 11", "hex 19", "y 9", "y 14"] {
        first_wins(&gamesat::parse(text).unwrap());
    }
    for side in [3, 5, 12] {
        let Ok(Problem::Board(mut board)) = gamesat::parse(&format!("hex {side}")) else { panic!() };
        board.place(board.find("b3").unwrap(), Side::First).unwrap();
        board.place(board.find("c2").unwrap(), Side::Second).unwrap();
        first_wins(&Problem::Board(board));
    }
    let dnf = |elements: usize, rows: &[&[i32]]| {
        let rows = rows.iter().map(|row| row.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>()).collect();
        Problem::Game(Game::new(elements, GameMatrix::Dnf(rows)).unwrap())
    };
    // The Fano plane, and the majority of five.
    first_wins(&dnf(7, &[&[1, 2, 3], &[1, 4, 5], &[1, 6, 7], &[2, 4, 6], &[2, 5, 7], &[3, 4, 7], &[3, 5, 6]]));
    let threes: Vec<Vec<i32>> = (0u32..32)
        .filter(|set| set.count_ones() == 3)
        .map(|set| (1..=5).filter(|e| set >> (e - 1) & 1 != 0).collect())
        .collect();
    first_wins(&dnf(5, &threes.iter().map(Vec::as_slice).collect::<Vec<_>>()));
}

/// The clauses of a function of seven elements, by its values.
fn clauses(values: u128) -> impl Iterator<Item = Vec<Lit>> {
    (0..128usize)
        .filter(move |x| values >> x & 1 == 0)
        .map(|x| (0..7).map(|e| Var::from_index(e).lit(x >> e & 1 == 0)).collect::<Vec<Lit>>())
}

/// Games of seven elements whose form is none of the sixteen, see `benchmarks/questions.md`: one that MAX wins whoever begins,
/// and one that the second player wins, although its number of elements is odd. They are told apart, and beside other parts
/// they are solved as they should be.
#[test]
fn forms_beyond_the_sixteen() {
    let values = [0xb5f6_a78a_a6b6_3ece_b7fc_43dd_2488_3ff6, 0x130f_10ff_1300_baaa_534f_5040_dbc8_d8c8];
    for (values, expected) in values.into_iter().zip(["positive/positive", "misère/regular"]) {
        let alone = Game::new(7, GameMatrix::Cnf(clauses(values).collect())).unwrap();
        let found = classify(&Problem::Game(alone), &options(), &Control::default()).unwrap();
        assert_eq!(found.form.form(), None);
        assert_eq!(format!("{}/{}", found.outcome.unwrap(), found.with_star.unwrap()), expected);
        let others: [&[&[i32]]; 4] =
            [&[&[8, -9], &[-8, 9]], &[&[8]], &[&[8, 9, -10], &[8, -9, 10]], &[&[8], &[9, -10], &[-9, 10]]];
        for other in others {
            let rows: Vec<Vec<Lit>> =
                other.iter().map(|row| row.iter().map(|&n| Lit::from_dimacs(n)).collect()).collect();
            let elements = rows.iter().flatten().map(|lit| lit.var().index() + 1).max().unwrap();
            let matrix = GameMatrix::Cnf(clauses(values).chain(rows).collect());
            for turn in [Player::Max, Player::Min] {
                let mut game = Game::new(elements, matrix.clone()).unwrap();
                game.turn = turn;
                let answer = ask(&Problem::Game(game.clone()), &Wanted::default(), &options(), &Control::default());
                let expected = crate::support::games::tabulate(&game).winner(&[], turn);
                assert_eq!(answer.verdict, Verdict::from(expected), "{other:?} {turn}");
            }
        }
    }
}

/// Black's winning paths on empty boards of Hex: how many, their mean length in hundredths, and the longest.
#[test]
fn paths_of_hex() {
    let published = [(6, 3_848, 1126, 16), (7, 68_914, 1563, 23), (8, 2_195_830, 2083, 30)];
    for (side, count, mean, longest) in published {
        let rows = Rows { form: Some(Form::Dnf), ..Rows::default() };
        let board = board(&format!("hex {side}"), &[]);
        let Problem::Game(game) = lower(&board, Target::Rows(rows), &Control::default()).unwrap().problem else {
            panic!()
        };
        let GameMatrix::Dnf(paths) = game.matrix() else { panic!() };
        let found = row_statistics(paths);
        assert_eq!((found.rows, (found.mean() * 100.0).round() as usize, found.longest()), (count, mean, longest));
    }
}

/// The forms of all 2^27 functions of three elements with three colours.
#[test]
fn functions_with_three_colours() {
    let found = census(3, 3, Rule::Any, &Control::default()).unwrap();
    let count = |name: &str| found.forms.iter().find(|(form, _)| form.name() == name).map(|&(_, count)| count);
    for (name, expected) in [
        ("X", 97_487_730),
        ("T|Z□", 16_340_454),
        ("Z□|F", 16_340_454),
        ("T*", 1_884_799),
        ("F*", 1_884_799),
        ("Z□*", 279_492),
    ] {
        assert_eq!(count(name), Some(expected), "{name}");
    }
    assert_eq!((found.forms.len(), found.unknown), (6, 0));
}

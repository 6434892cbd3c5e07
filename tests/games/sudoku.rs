//! Sudoku by SAT: solutions are solutions, their number is right, and the selection functions agree.

use gamesat::Problem;
use gamesat::format::{Format, ReadError, ReadOptions, read, to_string};
use gamesat::formula::Lit;
use gamesat::rules::Sudoku;
use gamesat::selection::{any_true, play};
use gamesat::solve::{Options, Solver, Verdict};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn grid(text: &str, side: usize) -> Sudoku {
    Sudoku::new(text.chars().map(|symbol| Sudoku::digit(symbol, side).unwrap()).collect()).unwrap()
}

/// The verdict, the number of solutions up to a limit, and the first of them.
fn solved(sudoku: &Sudoku, limit: usize) -> (Verdict, usize, Option<Sudoku>) {
    let mut options = Options::default();
    options.sequential.solutions = limit;
    let answer = Solver::new(Problem::Sudoku(sudoku.clone())).with_options(options).solve().unwrap();
    let filled = answer.outer_model.as_ref().map(|model| {
        let mut cells = sudoku.cells().to_vec();
        for lit in model.iter().filter(|lit: &&Lit| lit.is_positive()) {
            cells[lit.var().index() / sudoku.side()] = (lit.var().index() % sudoku.side()) as u8 + 1;
        }
        Sudoku::new(cells).unwrap()
    });
    (answer.verdict, answer.statistics.get("solutions") as usize, filled)
}

/// Solutions by trying everything, up to a limit.
fn count(sudoku: &Sudoku, limit: usize) -> usize {
    let units = sudoku.units();
    fn fill(cells: &mut Vec<u8>, units: &[Vec<usize>], side: usize, limit: usize) -> usize {
        let clash = |cells: &[u8]| {
            units.iter().any(|unit| {
                let given: Vec<u8> = unit.iter().map(|&cell| cells[cell]).filter(|&digit| digit > 0).collect();
                (1..given.len()).any(|at| given[..at].contains(&given[at]))
            })
        };
        if clash(cells) {
            return 0;
        }
        let Some(gap) = cells.iter().position(|&cell| cell == 0) else { return 1 };
        let mut found = 0;
        for digit in 1..=side as u8 {
            cells[gap] = digit;
            found += fill(cells, units, side, limit - found);
            if found >= limit {
                break;
            }
        }
        cells[gap] = 0;
        found
    }
    fill(&mut sudoku.cells().to_vec(), &units, sudoku.side(), limit)
}

#[test]
fn small_grids_have_as_many_solutions_as_trying_finds() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut seen = [0; 3];
    for _ in 0..150 {
        let mut cells = grid("1234341221434321", 4).cells().to_vec();
        for _ in 0..random.random_range(5..40) {
            cells[random.random_range(0..16)] = 0;
        }
        if random.random_bool(0.3) {
            cells[random.random_range(0..16)] = random.random_range(1..=4);
        }
        let sudoku = Sudoku::new(cells).unwrap();
        let right = count(&sudoku, 20);
        let (verdict, found, filled) = solved(&sudoku, 20);
        assert_eq!((verdict, found), (Verdict::from(right > 0), right), "{}", sudoku.draw());
        if let Some(filled) = filled {
            assert!(filled.is_solved(), "{}", filled.draw());
            let kept = sudoku.cells().iter().zip(filled.cells()).all(|(given, cell)| *given == 0 || given == cell);
            assert!(kept, "{}", filled.draw());
        }
        seen[right.min(2)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 10), "none, one and several: {seen:?}");
}

const SEVENTEEN: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";

#[test]
fn seventeen_clues_have_one_solution() {
    let (verdict, found, filled) = solved(&grid(SEVENTEEN, 9), 5);
    assert_eq!((verdict, found), (Verdict::True, 1));
    assert!(filled.unwrap().is_solved());
}

#[test]
fn selection_functions_fill_the_same_gaps() {
    let full = solved(&grid(SEVENTEEN, 9), 1).2.unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..20 {
        let mut cells = full.cells().to_vec();
        for _ in 0..random.random_range(1..5) {
            cells[random.random_range(0..81)] = 0;
        }
        let wrong = random.random_bool(0.3);
        if wrong {
            let at = random.random_range(0..81);
            cells[at] = cells[at] % 9 + 1;
        }
        let sudoku = Sudoku::new(cells).unwrap();
        let gaps: Vec<usize> = (0..81).filter(|&cell| sudoku.cells()[cell] == 0).collect();
        let plan = |history: &[u8]| (history.len() < gaps.len()).then(|| any_true((1..=9).collect()));
        let filled = |digits: &[u8]| {
            let mut cells = sudoku.cells().to_vec();
            gaps.iter().zip(digits).for_each(|(&gap, &digit)| cells[gap] = digit);
            Sudoku::new(cells).unwrap().is_solved()
        };
        assert_eq!(Verdict::from(play(&plan, &filled).value), solved(&sudoku, 1).0, "{}", sudoku.draw());
    }
}

#[test]
fn rows_and_lines_are_read_and_mistakes_have_a_place() {
    let parse = |text: &str| match read(&mut text.as_bytes(), "t", &ReadOptions::default()) {
        Ok(parsed) => Ok(parsed.problem),
        Err(ReadError::Syntax(error)) => Err(error.to_string()),
        Err(error) => panic!("{error}"),
    };
    let one = parse("sudoku\n12..\n....\n.0.3\n4...\n").unwrap();
    assert_eq!(one, parse("Sudoku 12.......0.34...").unwrap());
    assert_eq!(to_string(&one, Format::Sudoku).unwrap(), "sudoku\n12..\n....\n...3\n4...\n");
    // Two equal digits in a row are a puzzle without a solution.
    assert_eq!(Solver::new(parse("sudoku 11..............").unwrap()).solve().unwrap().verdict, Verdict::False);
    for (text, words) in [
        ("sudoku\n12..\n...x\n", "t:3:4: 'x' is no digit"),
        ("sudoku\n12..\n", "there are 4 cells"),
        ("sudoku 15..............", "is too large for 16 cells"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.contains(words), "{error}: {words}");
    }
}

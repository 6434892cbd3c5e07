//! Open questions of the theory, asked by exhaustion or by chance for a bounded time; `benchmarks/questions.md` has the answers.
//!
//! ```sh
//! cargo run --release --example questions -- duals 7          # Shannon graphs without a dual
//! cargo run --release --example questions -- seventh 60       # another canonical form with seven elements? for so many seconds
//! cargo run --release --example questions -- patterns 5       # irreducible patterns of Hex with so many cells
//! cargo run --release --example questions -- equalised 6 100  # first stones of equalised Hex, so many million nodes each
//! cargo run --release --example questions -- autotrees 4      # least autotrees of small Hex, up to fifteen
//! cargo run --release --example questions -- representations  # division games as GAME-SAT games, by their forms
//! ```

#[path = "questions/autotrees.rs"]
mod autotrees;
#[path = "questions/duals.rs"]
mod duals;
#[path = "questions/equalised.rs"]
mod equalised;
#[path = "questions/patterns.rs"]
mod patterns;
#[path = "questions/representations.rs"]
mod representations;

use gamesat::formula::Rule;
use gamesat::theory::canonical::CanonicalForm;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<usize>().ok());
    match (words.first().map(String::as_str), number(1), number(2)) {
        (Some("duals"), Some(vertices @ 1..=7), _) => duals::duals(vertices),
        (Some("seventh"), Some(seconds), _) => seventh(Duration::from_secs(seconds as u64)),
        (Some("patterns"), Some(cells @ 1..=7), _) => patterns::patterns(cells),
        (Some("equalised"), Some(side @ 1..=7), Some(millions)) => equalised::equalised(side, millions as u64),
        (Some("autotrees"), Some(side @ 2..=4), _) => autotrees::autotrees(side),
        (Some("representations"), ..) => representations::representations(),
        _ => {
            eprintln!(
                "duals VERTICES (1 to 7), seventh SECONDS, patterns CELLS (1 to 7), equalised SIDE (1 to 7) MILLIONS, \
                 autotrees SIDE (2 to 4) or representations"
            );
            std::process::exit(2);
        }
    }
}

/// Forms of functions under rule `any`, by rank: the place in the order from the best for MAX to the worst.
struct Forms {
    /// By parity and set of options' ranks; 8 if it is none of the sixteen.
    ranks: [[u8; 256]; 2],
    /// Of all functions of four elements.
    four: Vec<u8>,
}

impl Forms {
    fn new() -> Self {
        let all = [false, true].map(|odd| CanonicalForm::all(Rule::Any, odd).collect::<Vec<_>>());
        let mut ranks = [[8u8; 256]; 2];
        for odd in [false, true] {
            for (set, slot) in ranks[usize::from(odd)].iter_mut().enumerate().skip(1) {
                let options: Vec<CanonicalForm> =
                    (0..8).filter(|rank| set >> rank & 1 != 0).map(|rank| all[usize::from(!odd)][rank]).collect();
                if let Some(form) = CanonicalForm::from_options(Rule::Any, odd, [&options, &options]) {
                    let rank = all[usize::from(odd)].iter().position(|&other| other == form);
                    *slot = rank.expect("one of the sixteen") as u8;
                }
            }
        }
        let mut forms = Forms { ranks, four: Vec::new() };
        forms.four = (0..1u128 << 16).map(|f| forms.slow(f, 4)).collect();
        forms
    }

    fn slow(&self, f: u128, elements: usize) -> u8 {
        if elements == 0 {
            return if f & 1 != 0 { 0 } else { 7 };
        }
        let set = (0..elements).fold(0usize, |set, e| {
            [false, true]
                .iter()
                .fold(set, |set, &colour| set | 1 << self.slow(cofactor(f, elements, e, colour), elements - 1))
        });
        self.ranks[elements % 2][set]
    }

    /// The rank of a function of four to seven elements; 8 if it is new, or one of its positions is.
    fn rank(&self, f: u128, elements: usize) -> u8 {
        if elements == 4 {
            return self.four[f as usize];
        }
        let mut set = 0usize;
        for e in 0..elements {
            for colour in [false, true] {
                let rank = self.rank(cofactor(f, elements, e, colour), elements - 1);
                if rank == 8 {
                    return 8;
                }
                set |= 1 << rank;
            }
        }
        self.ranks[elements % 2][set]
    }
}

/// The function with an element coloured, on the others.
fn cofactor(f: u128, elements: usize, element: usize, colour: bool) -> u128 {
    // Blocks of 2^element values: every other one is kept, and they move together.
    let mut f = if colour { f >> (1 << element) } else { f };
    for level in element..elements - 1 {
        let block = 1u32 << level;
        let mut mask = 0u128;
        let mut at = 0;
        while at < 1 << elements {
            mask |= ((1u128 << block) - 1) << at;
            at += 4 * block;
        }
        f = f & mask | f >> block & mask << block;
    }
    if elements == 7 { f & (u128::MAX >> 64) } else { f & ((1u128 << (1 << (elements - 1))) - 1) }
}

/// Is there a function of seven elements all of whose fourteen options are T*|Z□*, T*||Z□|F or X* (ranks 1, 2, 3)? Then its form
/// is none of the sixteen; the mirror image is the same question about the negated function. And one all of whose options are
/// X*? Whoever moves second would win it, in an odd game. First every function that stays the same when all seven elements move
/// one place on in a circle, then chance.
fn seventh(time: Duration) {
    let forms = Forms::new();
    let is_new = |rank: u8| (1..=3).contains(&rank);
    // 1. All seven in a circle: two options to look at.
    let start = Instant::now();
    let orbits = turned(7);
    let (mut found, mut misere) = (Vec::new(), Vec::new());
    for choice in 0..1u64 << orbits.len() {
        let f = united(&orbits, choice);
        let ranks = [false, true].map(|colour| forms.rank(cofactor(f, 7, 0, colour), 6));
        if ranks.iter().all(|&rank| is_new(rank)) {
            found.push(f);
            misere.extend((ranks == [3, 3]).then_some(f));
        }
    }
    let first = |list: &[u128]| list.first().map_or(String::new(), |f| format!(", the first {f:032x}"));
    println!("circular: {} functions, {} with a new form{}", 1u64 << orbits.len(), found.len(), first(&found));
    println!("          {} of them with X* alone{}, {:?}", misere.len(), first(&misere), start.elapsed());
    // 2. By chance: single values are changed as long as that does not make more options wrong.
    for (what, wanted) in [("a new form", &is_new as &dyn Fn(u8) -> bool), ("X* alone", &|rank| rank == 3)] {
        let wrong = |f: u128| {
            let options = (0..7).flat_map(|e| [false, true].map(|colour| cofactor(f, 7, e, colour)));
            options.filter(|&option| !wanted(forms.rank(option, 6))).count()
        };
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed >> 33
        };
        let begun = Instant::now();
        let (mut tries, mut done) = (0u64, false);
        let mut least: BTreeMap<usize, u64> = BTreeMap::new();
        while !done && begun.elapsed() < time {
            let mut f = (0..4).fold(0u128, |f, _| f << 32 | u128::from(random() as u32));
            let mut now = wrong(f);
            for _ in 0..3000 {
                let other = f ^ 1 << (random() % 128);
                let after = wrong(other);
                tries += 1;
                if after <= now || random() % 200 == 0 {
                    (f, now) = (other, after);
                }
                if now == 0 {
                    println!("{what}: {f:032x}, after {tries} functions");
                    done = true;
                    break;
                }
            }
            *least.entry(now).or_default() += 1;
        }
        println!(
            "{what}: {tries} functions, {:?}; climbs by their wrong options at the end {least:?}",
            begun.elapsed()
        );
    }
}

/// The orbits of colourings when all elements move one place on in a circle.
fn turned(elements: usize) -> Vec<u128> {
    let turn = |x: usize| (x << 1 | x >> (elements - 1)) & ((1 << elements) - 1);
    let mut seen = vec![false; 1 << elements];
    let mut orbits = Vec::new();
    for x in 0..1usize << elements {
        let (mut orbit, mut y) = (0u128, x);
        while !seen[y] {
            seen[y] = true;
            orbit |= 1 << y;
            y = turn(y);
        }
        if orbit != 0 {
            orbits.push(orbit);
        }
    }
    orbits
}

fn united(orbits: &[u128], choice: u64) -> u128 {
    orbits.iter().enumerate().filter(|&(at, _)| choice >> at & 1 != 0).fold(0, |f, (_, orbit)| f | orbit)
}

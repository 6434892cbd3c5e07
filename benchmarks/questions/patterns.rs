//! Patterns of Hex: connected sets of empty cells with states of the cells around them (any, White, Black), and what their local
//! game says.
//!
//! In White's view White's stones conduct, Black's are gone, and what is around the set is a terminal: every group of White's
//! stones, and every cell that may be anything, which does not conduct. After the set is coloured White has won if every two
//! terminals that can be joined through the set are joined, Black if no two are that were not joined before. *Captured* by
//! White: White wins moving second, the set padded to an even number. *Dominated* by White: White wins moving first, padded to
//! an odd number. A pattern is *irreducible* if no stone can be left out and no smaller set inside it is captured by anybody or
//! dead; a dominated one if, besides, no smaller set of two cells or more is dominated by White.
//!
//! The test is the same for Black with colours exchanged, as Cut in White's view; for sets of four cells and more the two views may
//! differ, and a pattern counts if either of them shows it. The captured ones are then put on boards at random, with a few more
//! empty cells, and played out with and without the set filled in.
//!
//! Less is known of a cell that may be anything than of a stone, so leaving out stones never makes a set captured: all patterns
//! are found by leaving out stones one by one, from boards full of them.

use std::collections::{BTreeSet, HashSet};

type Cell = (i32, i32);

const STEPS: [Cell; 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// The twelve turns and mirror images.
fn image((x, y): Cell, which: usize) -> Cell {
    let (mut x, mut y) = if which >= 6 { (y, x) } else { (x, y) };
    for _ in 0..which % 6 {
        (x, y) = (-y, x + y);
    }
    (x, y)
}

fn near((x, y): Cell) -> [Cell; 6] {
    STEPS.map(|(dx, dy)| (x + dx, y + dy))
}

/// Connected sets of cells up to the twelve images.
fn shapes(size: usize) -> Vec<Vec<Cell>> {
    let mut all: BTreeSet<Vec<Cell>> = BTreeSet::from([vec![(0, 0)]]);
    for _ in 1..size {
        let mut next = BTreeSet::new();
        for shape in &all {
            for cell in shape.iter().flat_map(|&cell| near(cell)).filter(|cell| !shape.contains(cell)) {
                let mut larger = shape.clone();
                larger.push(cell);
                next.insert((0..12).map(|which| moved(&larger, which)).min().expect("twelve"));
            }
        }
        all = next;
    }
    all.into_iter().collect()
}

fn moved(shape: &[Cell], which: usize) -> Vec<Cell> {
    let mut cells: Vec<Cell> = shape.iter().map(|&cell| image(cell, which)).collect();
    cells.sort_unstable();
    let (x, y) = cells[0];
    cells.iter().map(|&(u, v)| (u - x, v - y)).collect()
}

/// State of a cell around the set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum State {
    Any,
    White,
    Black,
}

/// A set, the cells around it, and who is next to whom.
struct Place {
    set: Vec<Cell>,
    around: Vec<Cell>,
    /// By cell, the set's first: its neighbours.
    near: Vec<u32>,
}

impl Place {
    fn new(set: &[Cell]) -> Self {
        let mut around: Vec<Cell> =
            set.iter().flat_map(|&cell| near(cell)).filter(|cell| !set.contains(cell)).collect();
        around.sort_unstable();
        around.dedup();
        let all: Vec<Cell> = set.iter().chain(&around).copied().collect();
        let next = |&cell: &Cell| {
            let near = near(cell);
            all.iter().enumerate().filter(|(_, other)| near.contains(other)).fold(0, |mask, (at, _)| mask | 1 << at)
        };
        Place { set: set.to_vec(), near: all.iter().map(next).collect(), around }
    }

    /// The local game's end by colouring of the set (bits: White's cells): 1 White has won, 2 Black, 3 both (nothing depends
    /// on it), 0 a draw.
    fn results(&self, states: &[State]) -> Vec<u8> {
        let (inside, total) = (self.set.len(), self.set.len() + self.around.len());
        let of = |state: State| {
            (inside..total).filter(|&at| states[at - inside] == state).fold(0u32, |mask, at| mask | 1 << at)
        };
        let (stones, open) = (of(State::White), of(State::Any));
        let spread = |from: u32, through: u32| {
            let (mut reached, mut edge) = (from, from);
            while edge != 0 {
                let mut next = 0;
                while edge != 0 {
                    next |= self.near[edge.trailing_zeros() as usize];
                    edge &= edge - 1;
                }
                edge = next & through & !reached;
                reached |= edge;
            }
            reached
        };
        // Terminals: single cells, and groups by one of their stones.
        let mut terminals: Vec<u32> = Vec::new();
        let mut left = stones;
        while left != 0 {
            let group = spread(left & left.wrapping_neg(), stones);
            terminals.push(group);
            left &= !group;
        }
        terminals.extend((inside..total).map(|at| 1u32 << at).filter(|cell| cell & open != 0));
        // Which terminals each one is joined to.
        let joined = |white: u32| -> Vec<u32> {
            terminals
                .iter()
                .map(|&terminal| {
                    // A cell that may be anything is where a chain ends.
                    let reached = spread(terminal, stones | white);
                    let touched = (0..total as u32)
                        .filter(|at| reached >> at & 1 != 0)
                        .fold(reached, |all, at| all | self.near[at as usize]);
                    terminals
                        .iter()
                        .enumerate()
                        .filter(|(_, other)| *other & touched != 0)
                        .fold(0, |mask, (at, _)| mask | 1 << at)
                })
                .collect()
        };
        let (before, most) = (joined(0), joined((1 << inside) - 1));
        (0..1u32 << inside)
            .map(|white| {
                let now = joined(white);
                u8::from(now == most) | u8::from(now == before) << 1
            })
            .collect()
    }
}

/// What a local game says of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Verdict {
    dead: bool,
    captured: [bool; 2],
    dominated: [bool; 2],
}

fn verdict(results: &[u8], size: usize) -> Verdict {
    let dead = results.iter().all(|&result| result == 3);
    let game = |player: u8, first: bool| {
        // Whoever moves first: this player or the other; padded to odd if it is this player, else to even.
        let star = (size % 2 == 1) != first;
        let total = size + usize::from(star);
        let mut known: Vec<Option<bool>> = vec![None; 2 * 3usize.pow(size as u32)];
        wins(results, size, player, (first, total), (0, 0, star), &mut known)
    };
    let alive = !dead;
    Verdict {
        dead,
        captured: [1, 2].map(|player| alive && game(player, false)),
        dominated: [1, 2].map(|player| alive && game(player, true)),
    }
}

/// Whether the player reaches its result.
fn wins(
    results: &[u8],
    size: usize,
    player: u8,
    start: (bool, usize),
    (coloured, white, star): (u32, u32, bool),
    known: &mut Vec<Option<bool>>,
) -> bool {
    let left = size - coloured.count_ones() as usize + usize::from(star);
    if left == 0 {
        return results[white as usize] & player != 0;
    }
    let digits = (0..size)
        .rev()
        .fold(0, |number, at| number * 3 + if coloured >> at & 1 == 0 { 0 } else { 1 + (white >> at & 1) as usize });
    let key = 2 * digits + usize::from(star);
    if let Some(known) = known[key] {
        return known;
    }
    let own = (start.1 - left).is_multiple_of(2) == start.0;
    let paints_white = own == (player == 1);
    let mut found = star && wins(results, size, player, start, (coloured, white, false), known) == own;
    for at in 0..size {
        if !found && coloured >> at & 1 == 0 {
            let after = if paints_white { white | 1 << at } else { white };
            found = wins(results, size, player, start, (coloured | 1 << at, after, star), known) == own;
        }
    }
    let value = found == own;
    known[key] = Some(value);
    value
}

/// The pattern of a smaller set inside a larger one: the rest of it may be anything.
fn within(place: &Place, states: &[State], part: u32) -> Verdict {
    let set: Vec<Cell> = (0..place.set.len()).filter(|&at| part >> at & 1 != 0).map(|at| place.set[at]).collect();
    let inner = Place::new(&set);
    let states: Vec<State> = inner
        .around
        .iter()
        .map(|cell| place.around.iter().position(|other| other == cell).map_or(State::Any, |at| states[at]))
        .collect();
    verdict(&inner.results(&states), set.len())
}

fn is_connected(place: &Place, part: u32) -> bool {
    let mut reached = part & part.wrapping_neg();
    loop {
        let next = (0..place.set.len())
            .filter(|at| reached >> at & 1 != 0)
            .fold(reached, |all, at| all | place.near[at] & part);
        if next == reached {
            return reached == part;
        }
        reached = next;
    }
}

/// Counts of all patterns by class, for sets of up to three cells.
fn classes(size: usize) {
    for shape in shapes(size) {
        let place = Place::new(&shape);
        let mut counts = [0u32; 7];
        for number in 0..3usize.pow(place.around.len() as u32) {
            let states: Vec<State> = (0..place.around.len())
                .map(|at| [State::Any, State::White, State::Black][number / 3usize.pow(at as u32) % 3])
                .collect();
            let verdict = verdict(&place.results(&states), size);
            let class = match verdict {
                Verdict { dead: true, .. } => 0,
                Verdict { captured: [true, _], .. } => 1,
                Verdict { captured: [_, true], .. } => 2,
                Verdict { dominated: [true, true], .. } => 5,
                Verdict { dominated: [true, false], .. } => 3,
                Verdict { dominated: [false, true], .. } => 4,
                _ => 6,
            };
            counts[class] += 1;
        }
        let [dead, white, black, by_white, by_black, both, undetermined] = counts;
        println!(
            "{shape:?}: dead {dead}, captured {white} and {black}, dominated {by_white} and {by_black}, both {both}, \
             undetermined {undetermined}"
        );
    }
}

/// Irreducible patterns of sets of so many cells: captured or dominated by Short, who is White, or by Cut.
fn irreducible(size: usize, capture: bool) {
    let mut views: Vec<BTreeSet<Vec<(Cell, char)>>> = Vec::new();
    for view in 0..2 {
        let mut found = BTreeSet::new();
        let (mut tested, mut held) = (0u64, 0u64);
        for shape in shapes(size) {
            in_shape(&shape, capture, view, &mut found, [&mut tested, &mut held]);
        }
        let (what, player) = (if capture { "captured" } else { "dominated" }, ["Short", "Cut"][view]);
        println!(
            "{size} cells: {} irreducible patterns {what} by {player} ({held} {what} ones, {tested} local games)",
            found.len()
        );
        views.push(found);
    }
    let either: BTreeSet<_> = views[0].union(&views[1]).collect();
    println!("  {} in one view or the other", either.len());
    for pattern in either.iter().take(60) {
        let words: Vec<String> = pattern.iter().map(|((x, y), state)| format!("{x},{y}{state}")).collect();
        println!("  {}", words.join(" "));
    }
    if capture {
        let mut seed = 1;
        let played: usize = either.iter().map(|pattern| embedded(pattern, 40, &mut seed)).sum();
        println!("  {played} positions on boards of 7x7 played out, with the same winner for both players to move");
    }
}

/// Puts a pattern that White has captured on random boards and holds the winner with the set filled in to the one without.
fn embedded(pattern: &[(Cell, char)], times: usize, seed: &mut u64) -> usize {
    const SIDE: i32 = 7;
    let mut random = |below: usize| {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 33) as usize % below
    };
    let mut done = 0;
    for _ in 0..20 * times {
        let (which, x, y) = (random(12), random(7) as i32, random(7) as i32);
        let placed: Vec<(Cell, char)> = pattern
            .iter()
            .map(|&(cell, state)| {
                let (u, v) = image(cell, which);
                ((u + x, v + y), state)
            })
            .collect();
        // Outside the board White has left and right, Black top and bottom; corners are nobody's.
        let fits = |&((x, y), state): &(Cell, char)| {
            let (inside_x, inside_y) = ((0..SIDE).contains(&x), (0..SIDE).contains(&y));
            match (inside_x, inside_y) {
                (true, true) => true,
                (false, true) => state == 'W',
                (true, false) => state == 'B',
                _ => false,
            }
        };
        if !placed.iter().all(fits) {
            continue;
        }
        let at = |(x, y): Cell| (0..SIDE).contains(&x) && (0..SIDE).contains(&y);
        let bit = |(x, y): Cell| 1u64 << (y * SIDE + x);
        let mut own = [0u64; 2];
        let mut set = 0u64;
        for &(cell, state) in placed.iter().filter(|(cell, _)| at(*cell)) {
            match state {
                'W' => own[0] |= bit(cell),
                'B' => own[1] |= bit(cell),
                _ => set |= bit(cell),
            }
        }
        let mut free = set;
        for cell in 0..SIDE * SIDE {
            if (own[0] | own[1] | free) >> cell & 1 == 0 {
                own[random(2)] |= 1 << cell;
            }
        }
        // Some of the cells that are not of the pattern are empty.
        let known: u64 = placed.iter().filter(|(cell, _)| at(*cell)).fold(0, |mask, &(cell, _)| mask | bit(cell));
        for _ in 0..4 {
            let cell = 1u64 << random((SIDE * SIDE) as usize);
            if known & cell == 0 {
                own = own.map(|cells| cells & !cell);
                free |= cell;
            }
        }
        for mover in 0..2 {
            let plain = white_wins(own, free, mover, &mut std::collections::HashMap::new());
            let filled = white_wins([own[0] | set, own[1]], free & !set, mover, &mut std::collections::HashMap::new());
            assert_eq!(plain, filled, "{pattern:?} {own:?} {free}");
        }
        done += 1;
        if done == times {
            break;
        }
    }
    done
}

/// Whether White, who joins left and right on a board of 7x7, wins under best play.
fn white_wins(own: [u64; 2], free: u64, mover: usize, known: &mut std::collections::HashMap<(u64, u64), bool>) -> bool {
    if free == 0 {
        let cell = |x: i32, y: i32| 1u64 << (7 * y + x);
        let mut reached: u64 = (0..7).fold(0, |mask, y| mask | cell(0, y)) & own[0];
        loop {
            let mut next = reached;
            for y in 0..7 {
                for x in (0..7).filter(|&x| reached & cell(x, y) != 0) {
                    for (u, v) in near((x, y)).into_iter().filter(|&(u, v)| (0..7).contains(&u) && (0..7).contains(&v))
                    {
                        next |= cell(u, v) & own[0];
                    }
                }
            }
            if next == reached {
                return (0..7).any(|y| reached & cell(6, y) != 0);
            }
            reached = next;
        }
    }
    if let Some(&wins) = known.get(&(own[0], free)) {
        return wins;
    }
    let mut left = free;
    let mut wins = mover == 1;
    while left != 0 {
        let cell = left & left.wrapping_neg();
        left &= left - 1;
        let mut after = own;
        after[mover] |= cell;
        if white_wins(after, free & !cell, 1 - mover, known) == (mover == 0) {
            wins = mover == 0;
            break;
        }
    }
    known.insert((own[0], free), wins);
    wins
}

/// The irreducible patterns of one shape, in the colours of White as captor.
fn in_shape(
    shape: &[Cell],
    capture: bool,
    view: usize,
    found: &mut BTreeSet<Vec<(Cell, char)>>,
    [tested, held]: [&mut u64; 2],
) {
    let size = shape.len();
    let place = Place::new(shape);
    let around = place.around.len();
    let is_so = |states: &[State]| {
        let verdict = verdict(&place.results(states), size);
        if capture { verdict.captured[view] } else { verdict.dominated[view] && verdict.captured == [false; 2] }
    };
    let mut level: HashSet<Vec<State>> = HashSet::new();
    for number in 0..1usize << around {
        let states: Vec<State> =
            (0..around).map(|at| if number >> at & 1 == 0 { State::White } else { State::Black }).collect();
        *tested += 1;
        if is_so(&states) {
            level.insert(states);
        }
    }
    while !level.is_empty() {
        let mut next: HashSet<Vec<State>> = HashSet::new();
        let mut refused: HashSet<Vec<State>> = HashSet::new();
        for states in &level {
            *held += 1;
            let mut minimal = true;
            for at in (0..around).filter(|&at| states[at] != State::Any) {
                let mut fewer = states.clone();
                fewer[at] = State::Any;
                if next.contains(&fewer) {
                    minimal = false;
                } else if !refused.contains(&fewer) {
                    *tested += 1;
                    if is_so(&fewer) {
                        minimal = false;
                        next.insert(fewer);
                    } else {
                        refused.insert(fewer);
                    }
                }
            }
            let reduces = |part: u32| {
                let inner = within(&place, states, part);
                inner.dead
                    || inner.captured != [false; 2]
                    || !capture && part.count_ones() >= 2 && inner.dominated[view]
            };
            let whole = (1u32 << size) - 1;
            if minimal && !(1..whole).any(|part| is_connected(&place, part) && reduces(part)) {
                found.insert(canonical(&place, states, view));
            }
        }
        level = next;
    }
}

/// A pattern up to the twelve images, as cells and states, `e` for those of the set.
fn canonical(place: &Place, states: &[State], view: usize) -> Vec<(Cell, char)> {
    let stones = place.around.iter().zip(states).filter(|(_, state)| **state != State::Any);
    let stones = stones.map(|(&cell, state)| (cell, if (*state == State::White) == (view == 0) { 'W' } else { 'B' }));
    let all: Vec<(Cell, char)> = place.set.iter().map(|&cell| (cell, 'e')).chain(stones).collect();
    let images = (0..12).map(|which| {
        let mut cells: Vec<(Cell, char)> = all.iter().map(|&(cell, state)| (image(cell, which), state)).collect();
        let first = cells.iter().filter(|(_, state)| *state == 'e').map(|&(cell, _)| cell).min().expect("a cell");
        cells.iter_mut().for_each(|(cell, _)| *cell = (cell.0 - first.0, cell.1 - first.1));
        cells.sort_unstable();
        cells
    });
    images.min().expect("twelve")
}

/// Answers for sets of so many cells.
pub fn patterns(size: usize) {
    if size <= 3 {
        classes(size);
    }
    irreducible(size, true);
    if (2..=4).contains(&size) {
        irreducible(size, false);
    }
}

//! What a judge needs to know to follow the way back of a true formula.
//!
//! A step of the way back makes a literal `l` true if a clause `C` is false otherwise. It breaks no other clause `D` because where `D`
//! would be false, without its `-l`, some literal of `C` is true. Often that is one whose negation is in `D`; otherwise it follows from
//! what the formula was after `C` had gone, a resolvent say. So the lemmas are: each clause of the formula, as soon as it holds on
//! the way back (that is, in the reverse of the order of time, when it went) and again where it came from; before each step, for each `D` of
//! the second kind, that `D` without `-l` is true, or `l` is, or `C`; and after it, each `D`.
//!
//! Some of these are not true: a clause that went *because* of a step holds only after it. They do no harm, a judge drops what it
//! cannot see.

use super::simplify::{Lives, Step};
use gamesat_core::formula::Lit;
use rustc_hash::FxHashMap;

/// Literals of lemmas that are too many.
const TOO_MANY: usize = 2_000_000;
/// Longer clauses are mentioned only if they last, and where they are in danger: there is one in many formulas, about all of their gates.
const LONG: usize = 150;

/// The clauses that lemmas are made of.
pub(super) struct Lemmas<'a> {
    clauses: Vec<&'a [Lit]>,
    /// By number of steps before: clauses that came or went, in the order of time.
    turns: Vec<Vec<u32>>,
    /// By step: clauses with the negation of its literal, and whether something else must save them.
    touched: Vec<Vec<(u32, bool)>>,
}

impl<'a> Lemmas<'a> {
    /// The lemmas of steps, in the order of time. `None` if there are too many.
    pub(super) fn new(steps: &[Step<'_>], lives: &'a Lives) -> Option<Self> {
        let none = || Vec::new();
        let mut lemmas = Lemmas {
            clauses: Vec::new(),
            turns: std::iter::repeat_with(none).take(steps.len() + 1).collect(),
            touched: vec![Vec::new(); steps.len()],
        };
        // Clauses that are there now: how often, and their numbers.
        let mut now: FxHashMap<&[Lit], (u32, u32)> = FxHashMap::default();
        let mut is_there: Vec<bool> = Vec::new();
        let mut occurrences: FxHashMap<Lit, Vec<u32>> = FxHashMap::default();
        let mut events = lives.events().peekable();
        let mut lits = 0;
        for time in 0..=steps.len() {
            while let Some((_, came, clause)) = events.next_if(|&(steps, ..)| steps <= time) {
                let (count, number) = now.entry(clause).or_default();
                match (came, *count) {
                    (true, 0) => {
                        *number = lemmas.clauses.len() as u32;
                        lemmas.clauses.push(clause);
                        is_there.push(true);
                        clause.iter().for_each(|&lit| occurrences.entry(lit).or_default().push(*number));
                        // What the formula began with is what the judge asks for in the end.
                        if time > 0 {
                            lemmas.turns[time].push(*number);
                            lits += clause.len();
                        }
                    }
                    (false, 1) => {
                        is_there[*number as usize] = false;
                        if clause.len() > LONG && lemmas.turns[time].contains(number) {
                            lemmas.turns[time].retain(|other| other != number);
                            lits -= clause.len();
                        } else {
                            lemmas.turns[time].push(*number);
                            lits += clause.len();
                        }
                    }
                    _ => {}
                }
                *count = if came { *count + 1 } else { count.saturating_sub(1) };
            }
            let Some(&Step::Unless(lit, others)) = steps.get(time) else { continue };
            let Some(numbers) = occurrences.get_mut(&!lit) else { continue };
            numbers.retain(|&number| is_there[number as usize]);
            lemmas.touched[time].extend(numbers.iter().filter_map(|&number| {
                let clause = lemmas.clauses[number as usize];
                let in_danger = !clause.iter().any(|&other| other != !lit && others.contains(&!other));
                let counts = in_danger || clause.len() <= LONG;
                lits += if counts { 2 * clause.len() } else { 0 };
                counts.then_some((number, in_danger))
            }));
            if lits > TOO_MANY {
                return None;
            }
        }
        Some(lemmas)
    }

    /// Clauses that came or went after so many steps, the last first.
    pub(super) fn turns(&self, steps: usize) -> impl Iterator<Item = &'a [Lit]> {
        self.turns[steps].iter().rev().map(|&number| self.clauses[number as usize])
    }

    /// Clauses with the negation of the literal of a step, and whether something else must save them.
    pub(super) fn touched(&self, step: usize) -> impl Iterator<Item = (&'a [Lit], bool)> {
        self.touched[step].iter().map(|&(number, in_danger)| (self.clauses[number as usize], in_danger))
    }
}

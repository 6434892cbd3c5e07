//! Refutations by expansion: why a quantified formula is false, step by step.
//!
//! A *play* gives every universal variable a value. Under a play a clause of the matrix whose universal literals are all false
//! speaks of copies of its existential variables: one for each sequence of values of the universal variables before it, so that plays
//! that begin alike share the copies of what is quantified before they part. Skolem functions of a true formula would give every copy its value and
//! satisfy all of these clauses. So the formula is false if resolution derives the empty clause from some of them (Janota and
//! Marques-Silva, *Expansion-based QBF solving versus Q-resolution*, 2015).
//!
//! Steps are numbered from 0. A resolvent is a list of earlier steps: the first clause is resolved with the second one, what comes out
//! with the third, and so on; the variable is the only one in which they clash.

use super::Lit;

/// A refutation; `check::verify` judges it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refutation {
    plays: Vec<Vec<Lit>>,
    /// A clause and a play, or the steps that are resolved.
    numbers: Vec<u32>,
    /// Of each step: where its numbers end, and whether it is a resolvent.
    ends: Vec<(usize, bool)>,
}

/// One step of a [`Refutation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefutationStep<'a> {
    /// A clause of the matrix, by its position, under a play.
    Clause {
        /// The clause.
        clause: u32,
        /// The play.
        play: u32,
    },
    /// What is left of the first of these steps after resolution with the others.
    Resolvent(&'a [u32]),
}

impl Refutation {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The plays. A universal variable that a play does not mention is false in it.
    pub fn plays(&self) -> &[Vec<Lit>] {
        &self.plays
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A step.
    ///
    /// # Panics
    /// If there is no such step.
    pub fn step(&self, index: usize) -> RefutationStep<'_> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before].0);
        let (end, is_resolvent) = self.ends[index];
        match &self.numbers[start..end] {
            &[clause, play] if !is_resolvent => RefutationStep::Clause { clause, play },
            steps => RefutationStep::Resolvent(steps),
        }
    }

    /// All steps, in order.
    pub fn steps(&self) -> impl Iterator<Item = RefutationStep<'_>> {
        (0..self.len()).map(|index| self.step(index))
    }

    /// Adds a play and returns its number.
    pub fn play(&mut self, lits: Vec<Lit>) -> u32 {
        self.plays.push(lits);
        self.plays.len() as u32 - 1
    }

    /// Adds a clause of the matrix under a play, and returns the number of the step.
    pub fn take(&mut self, clause: u32, play: u32) -> u32 {
        self.numbers.extend([clause, play]);
        self.end(false)
    }

    /// Adds a resolvent and returns the number of the step.
    pub fn resolve(&mut self, steps: impl IntoIterator<Item = u32>) -> u32 {
        self.numbers.extend(steps);
        self.end(true)
    }

    fn end(&mut self, is_resolvent: bool) -> u32 {
        self.ends.push((self.numbers.len(), is_resolvent));
        self.ends.len() as u32 - 1
    }

    /// The steps that one of them rests on, with that one last, and the plays that these need.
    ///
    /// # Panics
    /// If there is no such step.
    #[must_use]
    pub fn restricted_to(&self, last: u32) -> Refutation {
        let mut used = vec![false; last as usize + 1];
        used[last as usize] = true;
        for index in (0..=last as usize).rev() {
            if let (true, RefutationStep::Resolvent(steps)) = (used[index], self.step(index)) {
                steps.iter().for_each(|&step| used[step as usize] = true);
            }
        }
        let mut rest = Refutation::new();
        let mut plays: Vec<Option<u32>> = vec![None; self.plays.len()];
        let mut here = vec![0; used.len()];
        for index in (0..used.len()).filter(|&index| used[index]) {
            here[index] = match self.step(index) {
                RefutationStep::Clause { clause, play } => {
                    let own = plays[play as usize];
                    let own = own.unwrap_or_else(|| rest.play(self.plays[play as usize].clone()));
                    plays[play as usize] = Some(own);
                    rest.take(clause, own)
                }
                RefutationStep::Resolvent(steps) => rest.resolve(steps.iter().map(|&step| here[step as usize])),
            };
        }
        rest
    }
}

//! A formula that is asked about again and again, with clauses that come and go, and what was learnt about it.
//!
//! Learnt clauses follow from the matrix, so that they stay true when clauses are added. Clauses that may go again (those of an
//! open level) are given a literal more, `-s` with a variable `s` of their own in the outermost block: while the level is open,
//! `s` is assumed, and what was learnt from its clauses says `-s` itself, so it goes with them (Lonsing & Egly, "Incremental
//! QBF solving", 2014). Learnt cubes do not survive new clauses and are not kept, but [plays](super::plays) that were won are.
//!
//! One thing has to be looked at: a search leaves out literals of variables that are fixed at level 0. If cubes fix a universal
//! variable there, what is learnt as a clause rests on these cubes. Then nothing is kept of that question.
//!
//! Variables are numbered as they come; their places in the prefix are told by levels, of which the outermost is always
//! existential and may have variables of no block of the formula's.

use super::plays::Plays;
use super::{Search, TRUE};
use crate::matrix::{Matrix, existential_depth};
use crate::options::QcdclOptions;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Qbf, Quantifier, Var};
use rustc_hash::FxHashMap;

/// A formula and what is known about it.
pub struct Session {
    pub(super) matrix: Matrix,
    number: FxHashMap<Var, Var>,
    /// Open levels: the variable that is assumed, and the clauses before it.
    levels: Vec<(Var, usize)>,
    learnt: Vec<Vec<Lit>>,
    pub(super) plays: Plays,
    /// The values that variables had last.
    phases: Vec<bool>,
    /// A clause without literals that never goes.
    refuted: bool,
    /// Variables of the formula's outermost block, if that is existential.
    outer: Vec<Var>,
}

/// What a question led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Whether the formula is true under the assumptions.
    pub verdict: bool,
    /// If it is and the outermost block is existential: values of that block that show it.
    pub outer_model: Vec<Lit>,
}

/// Learnt clauses that are kept, shortest first.
const MAX_LEARNT: usize = 4000;
/// Won plays of a question until circuits are looked for: to find them takes longer than most questions do.
const BRIEF: u64 = 64;

impl Session {
    /// A session about a formula; the clauses from each of these numbers on belong to one level more.
    pub fn new(qbf: &Qbf, levels: &[usize]) -> Self {
        let mut session = Session {
            matrix: Matrix::empty(),
            number: FxHashMap::default(),
            levels: Vec::new(),
            learnt: Vec::new(),
            plays: Plays::default(),
            phases: Vec::new(),
            refuted: false,
            outer: Vec::new(),
        };
        for block in qbf.prefix().blocks() {
            session.add_block(block.quantifier, block.vars);
        }
        let mut levels = levels.iter().peekable();
        for (index, clause) in qbf.matrix().iter().enumerate() {
            while levels.next_if(|&&start| start <= index).is_some() {
                session.push();
            }
            session.add_clause(clause);
        }
        levels.for_each(|_| session.push());
        session
    }

    /// Appends an innermost block.
    pub fn add_block(&mut self, quantifier: Quantifier, vars: &[Var]) {
        let last = self.matrix.quantifiers.len() - 1;
        // The last level is existential; it is empty if the formula's innermost block is universal.
        let is_empty = last > 0 && !self.matrix.level_of.contains(&(last as u32));
        let level = match quantifier {
            Quantifier::Exists => last,
            Quantifier::Forall if is_empty => last - 1,
            Quantifier::Forall => {
                self.matrix.quantifiers.extend([Quantifier::Forall, Quantifier::Exists]);
                last + 1
            }
        };
        vars.iter().for_each(|&var| {
            self.add_var(quantifier, level, var);
        });
    }

    fn add_var(&mut self, quantifier: Quantifier, level: usize, var: Var) -> Var {
        let number = self.new_var(quantifier, level, var);
        self.number.insert(var, number);
        if level == 0 {
            self.outer.push(var);
        }
        number
    }

    fn new_var(&mut self, quantifier: Quantifier, level: usize, var: Var) -> Var {
        let number = Var::from_index(self.matrix.original.len());
        self.matrix.original.push((quantifier, var));
        self.matrix.level_of.push(level as u32);
        number
    }

    /// Adds a clause. Variables that are not bound become outermost existentials.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        let mut lits: Vec<Lit> = Vec::with_capacity(clause.len() + 1);
        for lit in clause {
            let known = self.number.get(&lit.var()).copied();
            let number = known.unwrap_or_else(|| self.add_var(Quantifier::Exists, 0, lit.var()));
            lits.push(number.lit(lit.is_positive()));
        }
        lits.extend(self.levels.last().map(|(switch, _)| switch.negative()));
        let Matrix { level_of, original, .. } = &self.matrix;
        let level = |var: Var| level_of[var.index()];
        lits.sort_unstable_by_key(|lit| (level(lit.var()), lit.code()));
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            lits.clear();
        } else {
            let if_existential = |var: Var| (original[var.index()].0 == Quantifier::Exists).then(|| level(var));
            let depth = existential_depth(&lits, if_existential);
            lits.retain(|lit| depth.is_some_and(|depth| level(lit.var()) <= depth));
            self.refuted |= lits.is_empty();
        }
        // A tautology leaves an empty place, so that clauses are counted as the formula counts them.
        self.matrix.clauses.push(&lits);
    }

    /// Opens a level.
    pub fn push(&mut self) {
        let switch = self.new_var(Quantifier::Exists, 0, Var::FIRST);
        self.levels.push((switch, self.matrix.clauses.len()));
    }

    /// Closes a level and forgets its clauses.
    pub fn pop(&mut self) {
        let Some((switch, clauses)) = self.levels.pop() else { return };
        while self.matrix.clauses.len() > clauses {
            self.matrix.clauses.pop();
        }
        self.plays.truncate(clauses);
        self.learnt.retain(|clause| !clause.contains(&switch.negative()));
        self.matrix.level_of[switch.index()] = Matrix::ABSENT;
    }

    /// Whether the formula is true when literals of its outermost block, which must be existential if there are any, are; `None` if that takes more than so much work.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn solve(&mut self, assumptions: &[Lit], work: u64, control: &Control) -> Result<Option<Reply>, StopReason> {
        if self.refuted {
            return Ok(Some(Reply { verdict: false, outer_model: Vec::new() }));
        }
        let used: Matrix = self.matrix.without_empty_clauses();
        let mut search = Search::new(&used, &QcdclOptions::default(), false);
        search.phases[..self.phases.len()].copy_from_slice(&self.phases);
        search.allowance = work;
        search.brief = BRIEF;
        search.assumptions.extend(self.levels.iter().map(|(switch, _)| switch.positive()));
        let assumed = assumptions.iter().filter_map(|lit| Some(self.number.get(&lit.var())?.lit(lit.is_positive())));
        search.assumptions.extend(assumed);
        let loser = match self.resume_plays(&mut search) {
            Ok(true) => search.resume(&self.learnt, control),
            Ok(false) => Ok(Quantifier::Forall),
            Err(reason) => Err(reason),
        };
        self.plays.keep(std::mem::take(&mut search.won), self.matrix.clauses.len());
        let fixed = search.decisions.first().copied().unwrap_or(search.trail.len());
        let rests_on_cubes =
            search.trail[..fixed].iter().any(|lit| search.owner[lit.var().index()] == Quantifier::Forall);
        if !rests_on_cubes {
            let mut learnt = search.known_clauses();
            learnt.sort_by_key(Vec::len);
            learnt.truncate(MAX_LEARNT);
            self.learnt = learnt;
        }
        let loser = match loser {
            Ok(loser) => loser,
            Err(_) if search.work >= search.allowance => return Ok(None),
            Err(reason) => return Err(reason),
        };
        let verdict = loser == Quantifier::Forall;
        let values = search.first_move(loser);
        let value = |var: &Var| var.lit(values[self.number[var].index()]);
        let outer_model = if verdict { self.outer.iter().map(value).collect() } else { Vec::new() };
        self.phases = values;
        Ok(Some(Reply { verdict, outer_model }))
    }
}

/// An assumption was made, or fails for the player who owns it.
pub(super) enum Assumed {
    Made,
    Fails(Quantifier),
}

impl Search<'_> {
    /// Runs with clauses that were learnt before.
    fn resume(&mut self, learnt: &[Vec<Lit>], control: &Control) -> Result<Quantifier, StopReason> {
        for clause in learnt {
            if !self.add_known(clause, Quantifier::Exists)? {
                return Ok(Quantifier::Exists);
            }
        }
        self.run(control)
    }

    /// Adds a constraint that follows from the matrix, its owner's first two literals (or a literal and the other player's
    /// outermost one) in front. False if it fails at level 0.
    pub(super) fn add_known(&mut self, known: &[Lit], owner: Quantifier) -> Result<bool, StopReason> {
        let is_owned = |lit: &Lit| self.owner[lit.var().index()] == owner;
        let block = |lit: &Lit| self.block[lit.var().index()];
        let mut lits = known.to_vec();
        lits.sort_by_key(|lit| (!is_owned(lit), block(lit)));
        let owned = lits.iter().filter(|lit| is_owned(lit)).count();
        if owned == 0 {
            return Ok(false);
        }
        if owned == 1 && lits.get(1).is_none_or(|other| block(other) > block(&lits[0])) {
            let unit = lits[0];
            return Ok(match self.values[unit.code()] {
                TRUE => true,
                super::OPEN => {
                    self.enqueue(unit, None);
                    true
                }
                _ => false,
            });
        }
        // Nothing but literals without conditions has a value yet, and what these falsify is found when they are propagated.
        let place = self.constraints.push(&lits, owner, true, 2).ok_or(StopReason::Memory)?;
        self.learnt[owner as usize] += 1;
        self.watch(place);
        Ok(true)
    }

    /// The clauses that were learnt, those of one literal among them.
    fn known_clauses(&self) -> Vec<Vec<Lit>> {
        let places = self.constraints.places().into_iter();
        let kept = places
            .filter(|&place| self.constraints.is_learnt(place) && self.constraints.owner(place) == Quantifier::Exists);
        let mut known: Vec<Vec<Lit>> = kept.map(|place| self.constraints.lits(place).to_vec()).collect();
        let fixed = self.decisions.first().copied().unwrap_or(self.trail.len());
        known.extend(self.trail[..fixed].iter().map(|&lit| vec![lit]));
        known
    }

    /// Whether the question may still turn out to be a short one.
    pub(super) fn is_brief(&self) -> bool {
        self.counters.solutions < self.brief
    }

    /// Makes the next assumption that is open.
    pub(super) fn assume(&mut self) -> Option<Assumed> {
        if self.decisions.len() > self.assumed {
            return None;
        }
        for at in 0..self.assumptions.len() {
            let lit = self.assumptions[at];
            match self.values[lit.code()] {
                TRUE => {}
                super::OPEN => {
                    self.decisions.push(self.trail.len());
                    self.assumed = self.decisions.len();
                    self.enqueue(lit, None);
                    return Some(Assumed::Made);
                }
                _ => return Some(Assumed::Fails(self.owner[lit.var().index()])),
            }
        }
        self.assumed = self.decisions.len();
        None
    }
}

//! The first part of a confirmation: clauses that come and go. What each row must satisfy, and why, is said in
//! [`Confirmation`](gamesat_core::formula::Confirmation).

use super::trouble::{Said, Trouble, wrong};
use gamesat_core::control::{Poller, StopReason};
use gamesat_core::formula::{Lit, Qbf, Quantifier, Var};
use rustc_hash::FxHashMap;

/// A variable as the judge sees it.
#[derive(Clone, Copy)]
pub(super) struct Variable {
    pub(super) exists: bool,
    pub(super) level: u32,
}

/// A literal as it is given.
fn given(number: i32) -> Option<Lit> {
    (number != 0 && number != i32::MIN).then(|| Lit::from_dimacs(number))
}

/// What a hint says under some assumptions.
enum Hint {
    /// Nothing.
    Satisfied,
    /// That a literal is true.
    Unit(Lit),
    /// That they are contradictory.
    False,
}

/// The formula as it is now. Variables are numbered as they come.
pub(super) struct Clauses {
    names: FxHashMap<Var, Var>,
    pub(super) vars: Vec<Variable>,
    lits: Vec<Lit>,
    /// Of each clause: where its literals are, and whether it is there.
    ranges: Vec<(usize, usize, bool)>,
    /// By literal: the clauses that had it when they came.
    occurrences: Vec<Vec<u32>>,
    /// By literal: whether it is false, and what was made so.
    is_false: Vec<bool>,
    falsified: Vec<Lit>,
    is_marked: Vec<bool>,
    /// Reasons for the next blocked clause: the other clause, whether the outer literals of the blocked one are meant, and hints.
    beside: FxHashMap<u32, (bool, Vec<u32>)>,
}

impl Clauses {
    pub(super) fn new(qbf: &Qbf, poller: &mut Poller<'_>) -> Result<Self, StopReason> {
        let mut clauses = Clauses {
            names: FxHashMap::default(),
            vars: Vec::new(),
            lits: Vec::new(),
            ranges: Vec::new(),
            occurrences: Vec::new(),
            is_false: Vec::new(),
            falsified: Vec::new(),
            is_marked: Vec::new(),
            beside: FxHashMap::default(),
        };
        for (block, level) in qbf.prefix().blocks().zip(1..) {
            let exists = block.quantifier == Quantifier::Exists;
            for &var in block.vars {
                clauses.introduce(var, Variable { exists, level });
            }
        }
        for clause in qbf.matrix() {
            poller.poll(clauses.ranges.len() as u64)?;
            // Every variable of a formula is in its prefix.
            let own = clause.iter().map(|lit| clauses.names[&lit.var()].lit(lit.is_positive())).collect();
            clauses.push(own);
        }
        Ok(clauses)
    }

    fn introduce(&mut self, name: Var, variable: Variable) -> Var {
        let var = Var::from_index(self.vars.len());
        self.names.insert(name, var);
        self.vars.push(variable);
        for _ in 0..2 {
            self.occurrences.push(Vec::new());
            self.is_false.push(false);
            self.is_marked.push(false);
        }
        var
    }

    fn push(&mut self, mut clause: Vec<Lit>) {
        clause.sort_unstable();
        clause.dedup();
        let (number, start) = (self.ranges.len() as u32, self.lits.len());
        clause.iter().for_each(|lit| self.occurrences[lit.code()].push(number));
        self.lits.append(&mut clause);
        self.ranges.push((start, self.lits.len(), true));
    }

    /// How many clauses there were so far.
    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// The literals of a clause that is there.
    pub(super) fn clause(&self, number: u32) -> Option<&[Lit]> {
        let &(start, end, is_there) = self.ranges.get(number as usize)?;
        is_there.then(|| &self.lits[start..end])
    }

    fn level(&self, lit: Lit) -> u32 {
        self.vars[lit.var().index()].level
    }

    /// Whether the row before said something about a clause that is going to be blocked.
    pub(super) fn expects_blocked(&self) -> bool {
        !self.beside.is_empty()
    }

    /// The judge's literal for a number.
    pub(super) fn lit(&self, number: i32) -> Result<Lit, Trouble> {
        let known = given(number).and_then(|lit| self.names.get(&lit.var()).map(|var| var.lit(lit.is_positive())));
        known.ok_or_else(|| Trouble::Wrong(format!("variable {} is not in the formula", number.unsigned_abs())))
    }

    /// The number of a clause that is there, from 0.
    pub(super) fn number(&self, number: i32) -> Result<u32, Trouble> {
        let found = u32::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let found = found.filter(|&number| self.clause(number).is_some());
        found.ok_or_else(|| Trouble::Wrong(format!("there is no clause {number}")))
    }

    fn numbers(&self, numbers: &[i32]) -> Result<Vec<u32>, Trouble> {
        numbers.iter().map(|&number| self.number(number)).collect()
    }

    pub(super) fn add(&mut self, lits: &[i32]) -> Said {
        let lits = lits.iter().map(|&lit| self.lit(lit)).collect::<Result<Vec<Lit>, Trouble>>()?;
        self.push(lits);
        Ok(())
    }

    /// A clause that follows from others goes.
    pub(super) fn drop_implied(&mut self, row: &[i32], poller: &mut Poller<'_>) -> Said {
        let (&clause, hints) = row.split_first().ok_or("which clause?")?;
        let (clause, hints) = (self.number(clause)?, self.numbers(hints)?);
        let (start, end, _) = self.ranges[clause as usize];
        self.follows(self.lits[start..end].to_vec(), &hints, clause, poller)?;
        self.ranges[clause as usize].2 = false;
        Ok(())
    }

    /// Why the next clause is blocked, as far as another one is concerned.
    pub(super) fn note_beside(&mut self, row: &[i32]) -> Said {
        let (&other, hints) = row.split_first().ok_or("which clause?")?;
        let (number, hints) = (self.number(other.saturating_abs())?, self.numbers(hints)?);
        if self.beside.insert(number, (other < 0, hints)).is_some() {
            return wrong(format!("clause {} has two reasons", number + 1));
        }
        Ok(())
    }

    /// A blocked clause goes.
    pub(super) fn drop_blocked(&mut self, row: &[i32], poller: &mut Poller<'_>) -> Said {
        let &[clause, lit] = row else { return wrong("a clause and a literal are wanted") };
        let (clause, name, lit) = (self.number(clause)?, lit, self.lit(lit)?);
        let (start, end, _) = self.ranges[clause as usize];
        let own = self.lits[start..end].to_vec();
        if !own.contains(&lit) || !self.vars[lit.var().index()].exists {
            return wrong(format!("{name} is not an existential literal of clause {}", clause + 1));
        }
        let mut reasons = std::mem::take(&mut self.beside);
        own.iter().for_each(|lit| self.is_marked[lit.code()] = true);
        let mut others = std::mem::take(&mut self.occurrences[(!lit).code()]);
        poller.spend(others.len())?;
        others.retain(|&other| self.clause(other).is_some());
        self.occurrences[(!lit).code()].clone_from(&others);
        let mut said = Ok(());
        for other in others {
            said = self.is_harmless(clause, &own, lit, other, &mut reasons, poller);
            if said.is_err() {
                break;
            }
        }
        own.iter().for_each(|lit| self.is_marked[lit.code()] = false);
        said?;
        if let Some(other) = reasons.keys().next() {
            return wrong(format!("clause {} needs no reason", other + 1));
        }
        self.ranges[clause as usize].2 = false;
        Ok(())
    }

    /// Whether a clause with the negation does not mind the literal of the blocked (and marked) clause being made true.
    fn is_harmless(
        &mut self,
        clause: u32,
        own: &[Lit],
        lit: Lit,
        other: u32,
        reasons: &mut FxHashMap<u32, (bool, Vec<u32>)>,
        poller: &mut Poller<'_>,
    ) -> Said {
        let Some(others) = self.clause(other).filter(|_| other != clause) else { return Ok(()) };
        poller.spend(others.len())?;
        let level = self.level(lit);
        let is_outer = |other: Lit| self.level(other) <= level;
        if let Some((of_own, hints)) = reasons.remove(&other) {
            let mut whole: Vec<Lit> =
                others.iter().copied().filter(|&k| k != !lit && (of_own || is_outer(k))).collect();
            whole.extend(own.iter().filter(|&&k| !of_own || is_outer(k)));
            whole.push(lit);
            return self.follows(whole, &hints, clause, poller).map_err(|trouble| match trouble {
                Trouble::Wrong(why) => Trouble::Wrong(format!("beside clause {}: {why}", other + 1)),
                stopped @ Trouble::Stopped(_) => stopped,
            });
        }
        if others.iter().any(|&k| k != !lit && is_outer(k) && self.is_marked[(!k).code()]) {
            return Ok(());
        }
        wrong(format!("clause {} is not blocked beside clause {}", clause + 1, other + 1))
    }

    /// An existential variable moves outwards.
    pub(super) fn move_outwards(&mut self, row: &[i32]) -> Said {
        let &[var, level] = row else { return wrong("a variable and a level are wanted") };
        let index = self.lit(var)?.var().index();
        let variable = self.vars[index];
        let Some(level) = u32::try_from(level).ok().and_then(|level| level.checked_sub(1)) else {
            return wrong(format!("there is no level {level}"));
        };
        if !variable.exists || level > variable.level {
            return wrong(format!("variable {} cannot move outwards to there", var.unsigned_abs()));
        }
        self.vars[index].level = level;
        Ok(())
    }

    /// A universal variable is expanded.
    pub(super) fn expand(&mut self, row: &[i32], poller: &mut Poller<'_>) -> Said {
        let copies = self.copies(row)?;
        let Some(u) = row.first().and_then(|&u| self.lit(u).ok()).map(Lit::var) else { return Ok(()) };
        let mut touched: Vec<u32> = Vec::new();
        for var in copies.keys().copied().chain([u]) {
            for lit in [var.positive(), var.negative()] {
                let has = |&&number: &&u32| self.clause(number).is_some_and(|clause| clause.contains(&lit));
                poller.spend(self.occurrences[lit.code()].len())?;
                touched.extend(self.occurrences[lit.code()].iter().filter(has));
            }
        }
        touched.sort_unstable();
        touched.dedup();
        for number in touched {
            let (start, end, _) = self.ranges[number as usize];
            poller.spend(end - start)?;
            let old = self.lits[start..end].to_vec();
            let [is_true, is_false] = [u.positive(), u.negative()].map(|lit| old.contains(&lit));
            let rest = || old.iter().copied().filter(|lit| lit.var() != u);
            // 1. The part with `u` false.
            self.ranges[number as usize].2 = !is_false;
            if is_true && !is_false {
                let kept: Vec<Lit> = rest().collect();
                self.ranges[number as usize].1 = start + kept.len();
                self.lits[start..start + kept.len()].copy_from_slice(&kept);
            }
            // 2. The part with `u` true.
            if !is_true {
                let copy = |lit: Lit| copies.get(&lit.var()).map_or(lit, |copy| copy.lit(lit.is_positive()));
                self.push(rest().map(copy).collect());
            }
        }
        Ok(())
    }

    /// What is copied, and by what.
    fn copies(&mut self, row: &[i32]) -> Result<FxHashMap<Var, Var>, Trouble> {
        let (&u, pairs) = row.split_first().ok_or("which variable?")?;
        let variable = self.vars[self.lit(u)?.var().index()];
        if u < 0 || variable.exists || pairs.len() % 2 == 1 {
            return wrong("a universal variable and pairs of variables are wanted");
        }
        let mut copies = FxHashMap::default();
        for pair in pairs.chunks_exact(2) {
            let old = self.lit(pair[0])?.var();
            let found = self.vars[old.index()];
            if pair[0] < 0 || !found.exists || found.level < variable.level {
                return wrong(format!("variable {} does not stand behind {u}", pair[0]));
            }
            let new = given(pair[1]).filter(|lit| lit.is_positive()).map(Lit::var);
            let Some(new) = new.filter(|new| !self.names.contains_key(new)) else {
                return wrong(format!("{} is not a new variable", pair[1]));
            };
            let copy = self.introduce(new, found);
            if copies.insert(old, copy).is_some() {
                return wrong(format!("variable {} has two copies", pair[0]));
            }
        }
        Ok(copies)
    }

    /// Whether a clause follows from hints, of which one must not be a certain clause.
    fn follows(&mut self, clause: Vec<Lit>, hints: &[u32], but: u32, poller: &mut Poller<'_>) -> Said {
        let innermost = clause.iter().map(|&lit| self.level(lit)).max().unwrap_or(0);
        let mut said = None;
        for lit in clause {
            if self.is_false[(!lit).code()] {
                said = Some(Ok(()));
            }
            self.falsify(lit);
        }
        for &hint in hints {
            if said.is_some() {
                break;
            }
            said = match self.look_at(hint, but, innermost, poller) {
                Ok(Hint::Unit(lit)) => {
                    self.falsify(!lit);
                    None
                }
                Ok(Hint::Satisfied) => None,
                Ok(Hint::False) => Some(Ok(())),
                Err(why) => Some(Err(why)),
            };
        }
        for lit in self.falsified.drain(..) {
            self.is_false[lit.code()] = false;
        }
        said.unwrap_or_else(|| wrong("the hints are not enough"))
    }

    fn falsify(&mut self, lit: Lit) {
        if !std::mem::replace(&mut self.is_false[lit.code()], true) {
            self.falsified.push(lit);
        }
    }

    /// What a hint says.
    fn look_at(&self, hint: u32, but: u32, innermost: u32, poller: &mut Poller<'_>) -> Result<Hint, Trouble> {
        let Some(lits) = self.clause(hint).filter(|_| hint != but) else {
            return wrong(format!("clause {} cannot be a hint", hint + 1));
        };
        poller.spend(lits.len())?;
        let (mut open, mut reduced, mut last) = (None, u32::MAX, None);
        for &lit in lits.iter().filter(|lit| !self.is_false[lit.code()]) {
            let Variable { exists, level } = self.vars[lit.var().index()];
            if self.is_false[(!lit).code()] {
                return Ok(Hint::Satisfied);
            }
            if !exists && level > innermost {
                // Literals are sorted. A universal variable cannot be left out where both of its literals are: the clause always holds.
                if last.replace(lit.var()) == Some(lit.var()) {
                    return Ok(Hint::Satisfied);
                }
                reduced = reduced.min(level);
            } else if open.replace(lit).is_some() {
                return wrong(format!("hint {} has more than one open literal", hint + 1));
            }
        }
        match open {
            Some(lit) if self.level(lit) >= reduced => {
                wrong(format!("hint {} has a universal literal that cannot be left out", hint + 1))
            }
            Some(lit) => Ok(Hint::Unit(lit)),
            None => Ok(Hint::False),
        }
    }
}

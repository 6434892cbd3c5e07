//! The second part of a confirmation: rules of the existential player, and what they leave to the universal one. What each row must satisfy, and
//! why, is said in [`Confirmation`](gamesat_core::formula::Confirmation).

use super::super::resolution::{Broken, Resolution};
use super::clauses::Clauses;
use super::trouble::{Said, Trouble, wrong};
use gamesat_core::control::{Poller, StopReason};
use gamesat_core::formula::{Lit, Var};
use rustc_hash::FxHashMap;

/// A node: what a clause says up to some level.
struct Node {
    before: Option<u32>,
    level: usize,
    /// Its literals at its own level.
    lits: Vec<Lit>,
}

/// A clause that is to be satisfied at the level where it ends.
struct End {
    clause: u32,
    node: u32,
    /// The literal on which it is blocked, if it is saved.
    saved: Option<Lit>,
}

/// The rules of what is left.
pub(super) struct Rules {
    /// By variable: its level, if it occurs.
    level_of: Vec<Option<usize>>,
    /// By level: whether it is existential.
    exists: Vec<bool>,
    nodes: Vec<Node>,
    /// By level: the clauses that end there.
    ends: Vec<Vec<End>>,
    /// By clause: its node, and where it stands among those that end at the innermost level.
    last_nodes: FxHashMap<u32, u32>,
    places: FxHashMap<u32, usize>,
    /// Nodes by their numbers.
    named: Vec<u32>,
    /// Clauses that were saved so far, in their order.
    saved: Vec<u32>,
    picks: Option<Vec<Lit>>,
    /// The clauses of this part; nodes are variables after those of the formula. And the level that each is about, one too many: that of a rule of
    /// level 0 is 0.
    resolution: Resolution,
    about: Vec<usize>,
    /// By literal, and by node.
    is_picked: Vec<bool>,
    is_satisfied: Vec<bool>,
}

impl Rules {
    /// Makes levels and nodes of what is left.
    pub(super) fn new(clauses: &Clauses, poller: &mut Poller<'_>) -> Result<Self, Trouble> {
        let there = || (0..clauses.len() as u32).filter_map(|number| Some((number, clauses.clause(number)?)));
        // 1. The levels: at the same level universal variables come first.
        let mut occurs = vec![false; clauses.vars.len()];
        for (number, clause) in there() {
            poller.poll(u64::from(number))?;
            clause.iter().for_each(|lit| occurs[lit.var().index()] = true);
        }
        let mut order: Vec<usize> = (0..occurs.len()).filter(|&var| occurs[var]).collect();
        order.sort_by_key(|&var| (clauses.vars[var].level, clauses.vars[var].exists));
        let (mut level_of, mut exists): (Vec<Option<usize>>, Vec<bool>) = (vec![None; occurs.len()], Vec::new());
        for var in order {
            if exists.last() != Some(&clauses.vars[var].exists) {
                exists.push(clauses.vars[var].exists);
            }
            level_of[var] = Some(exists.len() - 1);
        }
        let mut rules = Rules {
            level_of,
            nodes: Vec::new(),
            ends: exists.iter().map(|_| Vec::new()).collect(),
            exists,
            last_nodes: FxHashMap::default(),
            places: FxHashMap::default(),
            named: Vec::new(),
            saved: Vec::new(),
            picks: None,
            resolution: Resolution::default(),
            about: Vec::new(),
            is_picked: vec![false; 2 * clauses.vars.len()],
            is_satisfied: Vec::new(),
        };
        // 2. The nodes.
        let mut table: FxHashMap<(Option<u32>, Vec<Lit>), u32> = FxHashMap::default();
        for (number, clause) in there() {
            poller.poll(u64::from(number))?;
            let mut lits: Vec<(usize, Lit)> = clause.iter().map(|&lit| (rules.level(lit), lit)).collect();
            lits.sort_unstable();
            let mut before = None;
            for part in lits.chunk_by(|a, b| a.0 == b.0) {
                let (level, lits) = (part[0].0, part.iter().map(|&(_, lit)| lit).collect::<Vec<Lit>>());
                let nodes = &mut rules.nodes;
                before = Some(*table.entry((before, lits)).or_insert_with_key(|(before, lits)| {
                    nodes.push(Node { before: *before, level, lits: lits.clone() });
                    nodes.len() as u32 - 1
                }));
            }
            let Some(node) = before else { return wrong(format!("clause {} is empty", number + 1)) };
            let level = rules.nodes[node as usize].level;
            if !rules.exists[level] {
                return wrong(format!("clause {} ends with universal literals", number + 1));
            }
            if level + 1 == rules.exists.len() {
                rules.places.insert(number, rules.ends[level].len());
            }
            rules.ends[level].push(End { clause: number, node, saved: None });
            rules.last_nodes.insert(number, node);
        }
        rules.is_satisfied = vec![false; rules.nodes.len()];
        Ok(rules)
    }

    /// The level of a literal that occurs.
    fn level(&self, lit: Lit) -> usize {
        self.level_of[lit.var().index()].unwrap_or(usize::MAX)
    }

    /// Whether picks wait for their rule.
    pub(super) fn expects_rule(&self) -> bool {
        self.picks.is_some()
    }

    /// Whether the existential player is shown to win.
    pub(super) fn is_won(&self) -> bool {
        let last = self.resolution.len().checked_sub(1);
        let is_outermost = |last: usize| self.about[last] == 0 || (self.about[last] == 1 && !self.exists[0]);
        last.is_some_and(|last| is_outermost(last) && self.resolution.clause(last).is_empty())
    }

    /// A clause of the innermost level is saved: it is blocked as far as those are concerned which are saved later.
    pub(super) fn save(&mut self, clauses: &Clauses, row: &[i32]) -> Said {
        let &[number, lit] = row else { return wrong("a clause and a literal are wanted") };
        let (number, name, lit) = (clauses.number(number)?, lit, clauses.lit(lit)?);
        if !self.named.is_empty() || self.resolution.len() > 0 {
            return wrong("clauses are saved before anything else");
        }
        let Some(&place) = self.places.get(&number) else {
            return wrong(format!("clause {} does not end at the innermost level", number + 1));
        };
        let innermost = self.exists.len() - 1;
        let end = &mut self.ends[innermost][place];
        if end.saved.is_some() {
            return wrong(format!("clause {} is saved already", number + 1));
        }
        if !self.nodes[end.node as usize].lits.contains(&lit) {
            return wrong(format!("{name} is not a literal of the innermost level in clause {}", number + 1));
        }
        end.saved = Some(lit);
        self.saved.push(number);
        Ok(())
    }

    /// Whether every clause that is saved is blocked beside those that are saved after it.
    pub(super) fn is_saving(&mut self, clauses: &Clauses, poller: &mut Poller<'_>) -> Said {
        // By literal of the innermost level: clauses that are saved later. From the last to the first.
        let mut later: FxHashMap<Lit, Vec<u32>> = FxHashMap::default();
        let Some(innermost) = self.exists.len().checked_sub(1) else { return Ok(()) };
        let mut is_in = vec![false; self.is_picked.len()];
        for &number in self.saved.iter().rev() {
            poller.poll(u64::from(number))?;
            let end = &self.ends[innermost][self.places[&number]];
            let (Some(lit), Some(own)) = (end.saved, clauses.clause(number)) else { continue };
            own.iter().for_each(|lit| is_in[lit.code()] = true);
            // All literals that occur are outer ones, seen from the innermost level.
            for &other in later.get(&!lit).into_iter().flatten() {
                let lits = clauses.clause(other).unwrap_or_default();
                poller.spend(lits.len())?;
                if lits.iter().any(|&k| k != !lit && is_in[(!k).code()]) {
                    continue;
                }
                return wrong(format!("clause {} is not blocked beside clause {}", number + 1, other + 1));
            }
            own.iter().for_each(|lit| is_in[lit.code()] = false);
            for &lit in &self.nodes[end.node as usize].lits {
                later.entry(lit).or_default().push(number);
            }
        }
        Ok(())
    }

    /// A node gets a number.
    pub(super) fn name(&mut self, clauses: &Clauses, row: &[i32]) -> Said {
        let &[number, cut] = row else { return wrong("a clause and a cut are wanted") };
        let number = clauses.number(number)?;
        let mut chain = Vec::new();
        let mut next = self.last_nodes.get(&number).copied();
        while let Some(node) = next {
            chain.push(node);
            next = self.nodes[node as usize].before;
        }
        let place = usize::try_from(cut).ok().and_then(|cut| chain.len().checked_sub(cut)).filter(|_| cut > 0);
        let Some(&node) = place.and_then(|place| chain.get(place)) else {
            return wrong(format!("clause {} has no cut {cut}", number + 1));
        };
        self.named.push(node);
        Ok(())
    }

    fn node(&self, number: i32) -> Result<u32, Trouble> {
        let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        place
            .and_then(|place| self.named.get(place))
            .copied()
            .ok_or_else(|| Trouble::Wrong(format!("there is no node {number}")))
    }

    /// The literal that says that a node is satisfied.
    fn satisfied(&self, node: u32) -> Lit {
        Var::from_index(self.level_of.len() + node as usize).positive()
    }

    /// A definition of a node of a universal level.
    pub(super) fn define(&mut self, clauses: &Clauses, row: &[i32]) -> Said {
        let (&node, lit) = row.split_first().ok_or("which node?")?;
        let node = self.node(node)?;
        let Node { before, level, ref lits } = self.nodes[node as usize];
        if self.exists[level] {
            return wrong("the node ends at an existential level");
        }
        let way = match *lit {
            [] => before.map(|before| self.satisfied(before)).ok_or("there is no node before")?,
            [lit] => Some(clauses.lit(lit)?).filter(|lit| lits.contains(lit)).ok_or("the node has no such literal")?,
            _ => return wrong("one literal is wanted at most"),
        };
        self.add(vec![self.satisfied(node), !way], level + 1)
    }

    fn add(&mut self, clause: Vec<Lit>, about: usize) -> Said {
        self.resolution.add(clause).map_err(|_| "the clause has a literal and its negation")?;
        self.about.push(about);
        Ok(())
    }

    /// What the next rule picks.
    pub(super) fn pick(&mut self, clauses: &Clauses, row: &[i32]) -> Said {
        self.picks = Some(row.iter().map(|&lit| clauses.lit(lit)).collect::<Result<Vec<Lit>, Trouble>>()?);
        Ok(())
    }

    /// A rule of the innermost level.
    pub(super) fn last_rule(&mut self, row: &[i32], poller: &mut Poller<'_>) -> Said {
        let level = self.exists.len().checked_sub(1).ok_or("no clause is left")?;
        self.rule(level, None, row, poller)
    }

    /// A rule of another level.
    pub(super) fn other_rule(&mut self, row: &[i32], poller: &mut Poller<'_>) -> Said {
        let (&earlier, nodes) = row.split_first().ok_or("which clause?")?;
        let place = usize::try_from(earlier).ok().and_then(|number| number.checked_sub(1));
        let Some(place) = place.filter(|&place| place < self.resolution.len()) else {
            return wrong(format!("there is no clause {earlier} in this part"));
        };
        // It is about the universal level behind that of the rule.
        match self.about[place].checked_sub(2) {
            Some(level) if self.exists[level] => self.rule(level, Some(place), nodes, poller),
            _ => wrong(format!("clause {earlier} is not about a level behind an existential one")),
        }
    }

    fn rule(&mut self, level: usize, earlier: Option<usize>, row: &[i32], poller: &mut Poller<'_>) -> Said {
        let nodes = row.iter().map(|&node| self.node(node)).collect::<Result<Vec<u32>, Trouble>>()?;
        if nodes.iter().any(|&node| self.nodes[node as usize].level >= level) {
            return wrong("a node does not end before the level of the rule");
        }
        let picks = self.picks.take().unwrap_or_default();
        if picks.iter().any(|&lit| self.level(lit) != level) {
            return wrong("something is picked that is not at the level of the rule");
        }
        picks.iter().for_each(|lit| self.is_picked[lit.code()] = true);
        nodes.iter().for_each(|&node| self.is_satisfied[node as usize] = true);
        let said = self.wins(level, earlier, &picks, poller);
        picks.iter().for_each(|lit| self.is_picked[lit.code()] = false);
        nodes.iter().for_each(|&node| self.is_satisfied[node as usize] = false);
        said?;
        self.add(nodes.into_iter().map(|node| !self.satisfied(node)).collect(), level)
    }

    /// Whether the picks win where the nodes are satisfied.
    fn wins(&self, level: usize, earlier: Option<usize>, picks: &[Lit], poller: &mut Poller<'_>) -> Said {
        if picks.iter().any(|&lit| self.is_picked[(!lit).code()]) {
            return wrong("a literal and its negation are picked");
        }
        let is_innermost = level + 1 == self.exists.len();
        for &End { clause, node, saved } in &self.ends[level] {
            let may_follow = is_innermost && saved.is_some_and(|lit| !self.is_picked[(!lit).code()]);
            if !may_follow && !self.is_won_at(node, level, poller)? {
                return wrong(format!("clause {} is not satisfied", clause + 1));
            }
        }
        for &lit in earlier.map(|earlier| self.resolution.clause(earlier)).unwrap_or_default() {
            let node = lit.var().index().checked_sub(self.level_of.len()).filter(|_| lit.is_negative());
            let Some(node) = node.filter(|&node| self.nodes[node].level <= level) else {
                return wrong("the earlier clause is not only about nodes up to this level");
            };
            if !self.is_won_at(node as u32, level, poller)? {
                return wrong("a node of the earlier clause is not satisfied");
            }
        }
        Ok(())
    }

    /// Whether a node up to a level is satisfied by picks of this level or by satisfied nodes.
    fn is_won_at(&self, node: u32, level: usize, poller: &mut Poller<'_>) -> Result<bool, StopReason> {
        let mut next = Some(node);
        while let Some(node) = next {
            let Node { before, level: own, ref lits } = self.nodes[node as usize];
            if self.is_satisfied[node as usize] || (own == level && lits.iter().any(|lit| self.is_picked[lit.code()])) {
                return Ok(true);
            }
            poller.spend(lits.len())?;
            next = before;
        }
        Ok(false)
    }

    /// A resolvent of clauses about the same level.
    pub(super) fn resolve(&mut self, row: &[i32], poller: &mut Poller<'_>) -> Said {
        let numbers = || row.iter().map(|&number| u32::try_from(number).ok().and_then(|number| number.checked_sub(1)));
        let Some(about) = numbers().next().flatten().and_then(|first| self.about.get(first as usize)).copied() else {
            return wrong("there is nothing to resolve");
        };
        if numbers().flatten().any(|number| self.about.get(number as usize).is_some_and(|&other| other != about)) {
            return wrong("the clauses are about different levels");
        }
        let chain = numbers().map(|number| number.unwrap_or(u32::MAX));
        match self.resolution.resolve(chain, poller)? {
            Ok(()) => {
                self.about.push(about);
                Ok(())
            }
            Err(Broken::Nothing) => wrong("there is nothing to resolve"),
            Err(Broken::NotThere(number)) => {
                wrong(format!("there is no clause {} in this part", u64::from(number) + 1))
            }
            Err(Broken::Clash(with, variables)) => wrong(format!(
                "clause {} clashes in {variables} variables with what is left of those before it, instead of one",
                u64::from(with) + 1
            )),
        }
    }
}

//! Equivalent literals: strongly connected components of the binary implication graph.
//!
//! A clause `a | b` says `-a -> b` and `-b -> a`; literals on a cycle are equal in every model of the matrix. Each
//! component is replaced by its outermost literal, which its other variables may copy. The formula is false if a
//! component contains a literal and its negation (the matrix has no model), two universal variables (the universal
//! player makes them different), or a universal variable and an existential one to its left (which cannot know it).
//!
//! Tarjan's algorithm with an explicit stack: chains may be as long as the input.

use super::store::{Halt, Simplifier};
use gamesat_core::formula::Lit;

/// Not yet visited.
const UNSEEN: u32 = u32::MAX;
/// In a finished component.
const DONE: u32 = u32::MAX - 1;

pub(super) fn run(s: &mut Simplifier<'_>) -> Result<(), Halt> {
    for component in components(s)? {
        merge(s, component)?;
    }
    s.propagate()
}

/// Literals that imply the same things, two or more at a time. Of a component and its mirror image only one is given.
fn components(s: &mut Simplifier<'_>) -> Result<Vec<Vec<Lit>>, Halt> {
    // Implications as one flat list: those of literal `l` are `targets[starts[l]..starts[l + 1]]`.
    let codes = 2 * s.num_vars();
    let mut starts = vec![0u32; codes + 1];
    let binaries: Vec<[Lit; 2]> =
        s.live_clause_ids().filter_map(|id| <[Lit; 2]>::try_from(s.clause(id)).ok()).collect();
    // Linear in the formula, so that only limits of the whole run can end it.
    s.effort += (s.num_clauses() + codes) as u64;
    s.poll()?;
    for [a, b] in &binaries {
        starts[(!*a).code() + 1] += 1;
        starts[(!*b).code() + 1] += 1;
    }
    for code in 0..codes {
        starts[code + 1] += starts[code];
    }
    let mut targets = vec![0u32; 2 * binaries.len()];
    let mut filled = starts.clone();
    for &[a, b] in &binaries {
        for (from, to) in [(!a, b), (!b, a)] {
            targets[filled[from.code()] as usize] = to.code() as u32;
            filled[from.code()] += 1;
        }
    }

    let mut found = Vec::new();
    let mut low = vec![UNSEEN; codes];
    let mut next_number = 0;
    let mut open: Vec<u32> = Vec::new();
    // Frames of the depth-first search: literal, its number, the next edge to follow.
    let mut frames: Vec<(u32, u32, u32)> = Vec::new();
    for root in 0..codes {
        if low[root] != UNSEEN || starts[root] == starts[root + 1] {
            continue;
        }
        frames.push((root as u32, next_number, starts[root]));
        low[root] = next_number;
        next_number += 1;
        open.push(root as u32);
        while let Some(&(code, number, edge)) = frames.last() {
            let here = code as usize;
            if edge < starts[here + 1] {
                frames.last_mut().expect("just looked at").2 += 1;
                let to = targets[edge as usize] as usize;
                if low[to] == UNSEEN {
                    frames.push((to as u32, next_number, starts[to]));
                    low[to] = next_number;
                    next_number += 1;
                    open.push(to as u32);
                } else if low[to] != DONE {
                    low[here] = low[here].min(low[to]);
                }
                continue;
            }
            frames.pop();
            if let Some(&(parent, ..)) = frames.last() {
                let parent = parent as usize;
                low[parent] = low[parent].min(low[here]);
            }
            if low[here] == number {
                let first = open.iter().rposition(|&member| member == code).expect("a root is open");
                let members: Vec<Lit> = open.drain(first..).map(|member| Lit::from_code(member as usize)).collect();
                for member in &members {
                    low[member.code()] = DONE;
                }
                // The mirror image has the same variables with the other signs; keep the one whose least variable
                // is positive.
                let least = members.iter().min_by_key(|lit| lit.var()).expect("a component has members");
                let contradicts = members.len() > 1 && members.iter().any(|lit| members[0] == !*lit);
                if members.len() > 1 && (least.is_positive() || contradicts) {
                    found.push(members);
                }
            }
        }
    }
    s.effort += (codes + targets.len()) as u64;
    s.poll()?;
    Ok(found)
}

/// Replaces every literal of a component by its outermost one.
fn merge(s: &mut Simplifier<'_>, mut component: Vec<Lit>) -> Result<(), Halt> {
    component.sort_by_key(|lit| (s.level(lit.var()), lit.var()));
    if component.windows(2).any(|pair| pair[0].var() == pair[1].var()) {
        return Err(Halt::Decided(false));
    }
    let representative = component[0];
    for &member in &component[1..] {
        if !s.exists(member.var()) {
            // Give the universal player the values that break the equivalence: the member first, and it has to differ
            // from the representative if that is his as well.
            s.record_equal(member.var(), if member.is_positive() { !representative } else { representative });
            return Err(Halt::Decided(false));
        }
    }
    for &member in &component[1..] {
        if s.is_active(member.var()) && s.is_active(representative.var()) {
            substitute(s, member, representative)?;
        }
    }
    Ok(())
}

/// Writes `by` for `old` everywhere.
pub(super) fn substitute(s: &mut Simplifier<'_>, old: Lit, by: Lit) -> Result<(), Halt> {
    let positive = if old.is_positive() { by } else { !by };
    s.record_equal(old.var(), positive);
    let mut buffer = Vec::new();
    for (from, to) in [(old, by), (!old, !by)] {
        for id in s.take_occurrences(from) {
            buffer.clear();
            buffer.extend(s.clause(id).iter().map(|&lit| if lit == from { to } else { lit }));
            s.remove_clause(id);
            s.effort += buffer.len() as u64;
            s.add_clause(&buffer)?;
        }
    }
    // A new unit may have assigned the variable's old self already; otherwise it is gone.
    if s.is_active(old.var()) {
        s.set_gone(old.var());
    }
    Ok(())
}

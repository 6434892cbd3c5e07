//! Which clauses the formula had while it was simplified, and when: between which steps of the way back. Whoever wants to see that the
//! way back is right needs them.

use crate::formula::Lit;

/// Longer clauses are not mentioned.
const LONGEST: usize = 1_000;
/// Literals that are too many: nothing is known then.
const TOO_MANY: usize = 4_000_000;

/// Clauses that came and went, in the order of time.
#[derive(Clone, Debug, Default)]
pub(in crate::engine::qbf) struct Lives {
    events: Vec<Event>,
    lits: Vec<Lit>,
    too_many: bool,
}

#[derive(Clone, Copy, Debug)]
struct Event {
    /// Steps that were recorded before.
    steps: u32,
    came: bool,
    /// Where the clause ends.
    end: u32,
}

impl Lives {
    /// A clause comes or goes after so many steps.
    pub(super) fn push(&mut self, steps: usize, came: bool, clause: &[Lit]) {
        if self.too_many || clause.len() > LONGEST {
            return;
        }
        if self.lits.len() + clause.len() > TOO_MANY {
            *self = Lives { too_many: true, ..Lives::default() };
            return;
        }
        self.lits.extend_from_slice(clause);
        self.events.push(Event { steps: steps as u32, came, end: self.lits.len() as u32 });
    }

    /// All literals of all clauses.
    pub(super) fn lits_mut(&mut self) -> &mut [Lit] {
        &mut self.lits
    }

    /// How many steps were recorded before, whether a clause came, and the clause, sorted when it came.
    pub(in crate::engine::qbf) fn events(&self) -> impl Iterator<Item = (usize, bool, &[Lit])> {
        let starts = std::iter::once(0).chain(self.events.iter().map(|event| event.end));
        let events = self.events.iter().zip(starts);
        events.map(|(event, start)| (event.steps as usize, event.came, &self.lits[start as usize..event.end as usize]))
    }
}

//! Which clauses the formula had while it was simplified, and when: between which steps of the way back. Whoever wants to see that the
//! way back is right needs them.

use gamesat_core::formula::{Lit, Var};

/// Longer clauses are not mentioned.
const LONGEST: usize = 1_000;
/// Literals that are too many: nothing is known then.
const TOO_MANY: usize = 4_000_000;

/// Clauses that came and went, in the order of time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lives {
    events: Vec<Event>,
    lits: Vec<Lit>,
    /// Existential variables that moved outwards, after so many events: right behind a universal one, or before all.
    moves: Vec<(usize, Var, Option<Var>)>,
    /// Events, by number, that took a clause away because its variable is defined: whether the clause belongs to the definition.
    defined: Vec<(usize, bool)>,
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

    /// An existential variable moves outwards, to right behind a universal one or before all.
    pub(super) fn push_move(&mut self, var: Var, behind: Option<Var>) {
        self.moves.push((self.events.len(), var, behind));
    }

    /// The next clause goes because one of its variables is defined; whether it belongs to the definition.
    pub(super) fn push_defined(&mut self, belongs: bool) {
        self.defined.push((self.events.len(), belongs));
    }

    /// Renames every variable.
    pub(super) fn rename(&mut self, name: impl Fn(Var) -> Var) {
        for lit in &mut self.lits {
            *lit = name(lit.var()).lit(lit.is_positive());
        }
        for (_, var, behind) in &mut self.moves {
            *var = name(*var);
            *behind = behind.map(&name);
        }
    }

    /// Whether there is something to tell.
    pub(crate) fn is_known(&self) -> bool {
        !self.too_many
    }

    /// Events, by number, that took a clause away because its variable is defined: whether the clause belongs to the definition.
    pub(crate) fn defined(&self) -> impl Iterator<Item = (usize, bool)> {
        self.defined.iter().copied()
    }

    /// Existential variables that moved outwards: after how many events, and behind which universal variable.
    pub(crate) fn moves(&self) -> impl Iterator<Item = (usize, Var, Option<Var>)> {
        self.moves.iter().copied()
    }

    /// How many steps were recorded before, whether a clause came, and the clause, sorted when it came.
    pub(crate) fn events(&self) -> impl Iterator<Item = (usize, bool, &[Lit])> {
        let starts = std::iter::once(0).chain(self.events.iter().map(|event| event.end));
        let events = self.events.iter().zip(starts);
        events.map(|(event, start)| (event.steps as usize, event.came, &self.lits[start as usize..event.end as usize]))
    }
}

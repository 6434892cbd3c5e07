//! Clause memory: header and literals of every long clause in one flat vector, and the watch lists.

use gamesat_core::formula::Lit;

/// Where a clause begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClauseRef(u32);

impl ClauseRef {
    pub(super) fn place(self) -> u32 {
        self.0
    }
}

/// An entry of a watch list. The blocker is some other literal of the clause: if it is true the clause need not be
/// looked at. Of a binary clause it is *the* other literal, and the clause has no other memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    clause: u32,
    pub(super) blocker: Lit,
}

impl Watch {
    const BINARY: u32 = u32::MAX;

    pub(super) fn binary(other: Lit) -> Self {
        Watch { clause: Self::BINARY, blocker: other }
    }

    pub(super) fn long(clause: ClauseRef, blocker: Lit) -> Self {
        Watch { clause: clause.0, blocker }
    }

    #[inline]
    pub(super) fn clause(self) -> Option<ClauseRef> {
        (self.clause != Self::BINARY).then_some(ClauseRef(self.clause))
    }
}

/// Why a literal is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// It was decided or assumed, or follows from nothing (level 0).
    Decision,
    /// The other literal of a binary clause is false.
    Binary(Lit),
    /// The other literals of a clause are false; the true one is its first.
    Clause(ClauseRef),
}

/// Long clauses. Two header words precede the literals, spelled as literals so that the vector has one type:
/// `2 * length + learned`, and the glue (or, while collecting garbage, the new place).
#[derive(Clone, Debug, Default)]
pub(super) struct ClauseStore {
    words: Vec<Lit>,
}

const HEADER: usize = 2;

impl ClauseStore {
    pub(super) fn push(&mut self, lits: &[Lit], learned: bool, glue: u32) -> ClauseRef {
        let place = self.words.len();
        assert!(place + HEADER + lits.len() < (u32::MAX >> 1) as usize, "clause memory exhausted");
        self.words.push(Lit::from_code(2 * lits.len() + usize::from(learned)));
        self.words.push(Lit::from_code(glue as usize));
        self.words.extend_from_slice(lits);
        ClauseRef(place as u32)
    }

    #[inline]
    pub(super) fn lits(&self, clause: ClauseRef) -> &[Lit] {
        let start = clause.0 as usize;
        let len = self.words[start].code() >> 1;
        &self.words[start + HEADER..start + HEADER + len]
    }

    #[inline]
    pub(super) fn lits_mut(&mut self, clause: ClauseRef) -> &mut [Lit] {
        let start = clause.0 as usize;
        let len = self.words[start].code() >> 1;
        &mut self.words[start + HEADER..start + HEADER + len]
    }

    pub(super) fn is_learned(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize].code() & 1 != 0
    }

    pub(super) fn glue(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 1].code() as u32
    }

    pub(super) fn set_glue(&mut self, clause: ClauseRef, glue: u32) {
        self.words[clause.0 as usize + 1] = Lit::from_code(glue as usize);
    }

    pub(super) fn refs(&self) -> Vec<ClauseRef> {
        let (mut all, mut place) = (Vec::new(), 0);
        while place < self.words.len() {
            all.push(ClauseRef(place as u32));
            place += HEADER + (self.words[place].code() >> 1);
        }
        all
    }

    /// Copies the clauses that `keep` wants into a new store and leaves a note where each went: see
    /// [`moved_to`](Self::moved_to).
    pub(super) fn collect(&mut self, mut keep: impl FnMut(&Self, ClauseRef) -> bool) -> ClauseStore {
        let mut new = ClauseStore::default();
        for clause in self.refs() {
            let to = if keep(self, clause) {
                new.push(self.lits(clause), self.is_learned(clause), self.glue(clause)).0
            } else {
                Self::GONE
            };
            self.set_glue(clause, to);
        }
        new
    }

    const GONE: u32 = u32::MAX >> 2;

    /// After [`collect`](Self::collect), asked of the old store: where the clause is in the new one, if it was kept.
    pub(super) fn moved_to(&self, clause: ClauseRef) -> Option<ClauseRef> {
        let to = self.glue(clause);
        (to != Self::GONE).then_some(ClauseRef(to))
    }
}

//! Memory of both players' constraints.
//!
//! A *constraint* of a player is a set of literals of which one must become true, or that player loses. Those of the
//! existential player are clauses. Those of the universal player are cubes, each written as the negation of what makes
//! the matrix true: if every literal here is false, the cube holds and the existential player wins. So all rules about
//! cubes are rules about clauses with the players exchanged, and one code serves both.
//!
//! Header and literals stand in one flat vector; the first two literals are watched.

use gamesat_core::formula::{Lit, Quantifier};

/// Where a constraint begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place(u32);

/// An entry of a watch list: if the blocker, some literal of the constraint, is true, there is nothing to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    pub(super) constraint: Place,
    pub(super) blocker: Lit,
}

/// Two header words precede the literals, spelled as literals so that the vector has one type: the length with two bits
/// for owner and origin, and the glue (or, while garbage is collected, the new place).
#[derive(Debug, Default)]
pub(super) struct Constraints {
    words: Vec<Lit>,
}

const HEADER: usize = 2;
const UNIVERSAL: usize = 1;
const LEARNT: usize = 2;

impl Constraints {
    /// The most words the memory can hold.
    const CAPACITY: usize = (u32::MAX >> 2) as usize;

    /// Keeps a constraint, or does not if there is no room for it.
    pub(super) fn push(&mut self, lits: &[Lit], owner: Quantifier, learnt: bool, glue: u32) -> Option<Place> {
        let place = self.words.len();
        if place + HEADER + lits.len() > Self::CAPACITY {
            return None;
        }
        let owner = if owner == Quantifier::Forall { UNIVERSAL } else { 0 };
        let origin = if learnt { LEARNT } else { 0 };
        self.words.push(Lit::from_code(lits.len() << 2 | owner | origin));
        self.words.push(Lit::from_code(glue as usize));
        self.words.extend_from_slice(lits);
        Some(Place(place as u32))
    }

    fn header(&self, Place(place): Place) -> usize {
        self.words[place as usize].code()
    }

    #[inline]
    pub(super) fn lits(&self, place: Place) -> &[Lit] {
        let start = place.0 as usize + HEADER;
        &self.words[start..start + (self.header(place) >> 2)]
    }

    #[inline]
    pub(super) fn lits_mut(&mut self, place: Place) -> &mut [Lit] {
        let start = place.0 as usize + HEADER;
        let len = self.header(place) >> 2;
        &mut self.words[start..start + len]
    }

    #[inline]
    pub(super) fn owner(&self, place: Place) -> Quantifier {
        if self.header(place) & UNIVERSAL != 0 { Quantifier::Forall } else { Quantifier::Exists }
    }

    pub(super) fn is_learnt(&self, place: Place) -> bool {
        self.header(place) & LEARNT != 0
    }

    /// Over how many decision levels the literals were spread when the constraint was learnt (Audemard & Simon 2009).
    pub(super) fn glue(&self, place: Place) -> u32 {
        self.words[place.0 as usize + 1].code() as u32
    }

    fn set_glue(&mut self, place: Place, glue: u32) {
        self.words[place.0 as usize + 1] = Lit::from_code(glue as usize);
    }

    /// All of them, oldest first.
    pub(super) fn places(&self) -> Vec<Place> {
        let (mut all, mut place) = (Vec::new(), 0);
        while place < self.words.len() {
            all.push(Place(place as u32));
            place += HEADER + (self.words[place].code() >> 2);
        }
        all
    }

    const GONE: u32 = u32::MAX >> 2;

    /// Copies what `keep` wants into a new memory and leaves a note where each constraint went.
    pub(super) fn collect(&mut self, mut keep: impl FnMut(&Self, Place) -> bool) -> Constraints {
        let mut new = Constraints::default();
        for place in self.places() {
            let kept = if keep(self, place) {
                new.push(self.lits(place), self.owner(place), self.is_learnt(place), self.glue(place))
            } else {
                None
            };
            self.set_glue(place, kept.map_or(Self::GONE, |Place(to)| to));
        }
        new
    }

    /// After [`collect`](Self::collect), asked of the old memory: where the constraint is in the new one.
    pub(super) fn moved_to(&self, place: Place) -> Option<Place> {
        let to = self.glue(place);
        (to != Self::GONE).then_some(Place(to))
    }
}

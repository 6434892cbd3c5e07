//! The way into a position, the same for every search: count it, reduce it, look whether it is known, decided by pairs, or
//! falls into parts. What is left has to be searched.

use super::decompose::parts;
use super::mask::Mask;
use super::position::index;
use super::reduce::Reduced;
use super::search::{Key, Search};
use super::table::Value;
use gamesat_core::control::StopReason;
use gamesat_core::formula::Player;

/// A position that was entered.
pub(super) enum Entry<const W: usize> {
    /// It is solved.
    Solved(Value<W>),
    /// It has to be searched.
    Open(Open<W>),
}

/// A position that has to be searched.
pub(super) struct Open<const W: usize> {
    /// What reducing it gave.
    pub(super) reduced: Reduced<W>,
    /// Where it is filed.
    pub(super) key: Key,
    /// The move that is returned has to win before any reduction: nothing is captured, nothing dominated.
    pub(super) careful: bool,
    /// Whether it is the game itself, unreduced, so that the game's symmetries are its own.
    pub(super) symmetric: bool,
    /// Positions counted when it was entered.
    began: u64,
}

impl<const W: usize> Open<W> {
    /// A value of the reduced position as one of the position that was entered.
    pub(super) fn raise(&self, value: Value<W>) -> Value<W> {
        raise(&self.reduced, value)
    }
}

fn raise<const W: usize>(reduced: &Reduced<W>, mut value: Value<W>) -> Value<W> {
    value.trace |= reduced.carriers[index(value.winner)];
    value.choice = reduced.first.or(value.choice);
    value
}

impl<const W: usize> Search<'_, W> {
    /// Counts and reduces the position on top of the stack, and asks the table.
    ///
    /// With `root` set, the move that is returned wins in the position as it was, before any reduction: in games that are
    /// not isotone nothing is captured there, and the table not asked.
    #[inline]
    pub(super) fn arrive(&mut self, root: bool) -> Result<Entry<W>, StopReason> {
        self.count()?;
        let began = self.nodes;
        let careful = root && !self.position.occurrence(&self.position.scan()).isotone;
        let initial = self.position.is_initial();
        let reduced = self.reduce(!careful);
        if let Some(winner) = reduced.winner {
            let value = Value { winner, trace: Mask::default(), choice: None };
            return Ok(Entry::Solved(raise(&reduced, value)));
        }
        let key = self.key(&reduced.occurrence);
        if !careful && let Some(value) = self.recall(key) {
            return Ok(Entry::Solved(raise(&reduced, value)));
        }
        let symmetric = initial && reduced.first.is_none() && reduced.carriers.iter().all(Mask::is_empty);
        Ok(Entry::Open(Open { reduced, key, careful, symmetric, began }))
    }

    /// The same, and looks for pairs.
    #[inline]
    pub(super) fn enter(&mut self, root: bool) -> Result<Entry<W>, StopReason> {
        let entry = self.arrive(root)?;
        if let Entry::Open(open) = &entry
            && !open.careful
            && let Some(value) = self.paired()
        {
            return Ok(Entry::Solved(open.raise(value)));
        }
        Ok(entry)
    }

    /// The parts the position falls into, and the player who needs all of them.
    #[inline]
    pub(super) fn parts(&self, open: &Open<W>) -> Option<(Player, Vec<Mask<W>>)> {
        if self.options.decompose && open.reduced.occurrence.isotone { parts(self.position) } else { None }
    }

    /// Files the value of a position that was searched; gives the value of the position that was entered.
    #[inline]
    pub(super) fn leave(&mut self, open: &Open<W>, value: &Value<W>) -> Value<W> {
        self.remember(open.key, value, self.nodes - open.began);
        open.raise(*value)
    }
}

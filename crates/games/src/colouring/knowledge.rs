//! What a search has found out about a game, and keeps for the next question about it.

use super::history::History;
use super::mask::Mask;
use super::position::Position;
use super::proof_number::Bounds;
use super::symmetry::{Permutation, automorphisms};
use super::table::Table;
use crate::options::GameOptions;
use std::sync::Arc;

/// The table of solved positions, the moves that won, the game's symmetries. All of it holds for every position of a game,
/// so that it survives moves and their undoing.
pub(super) struct Knowledge<const W: usize> {
    pub(super) table: Table<W>,
    pub(super) history: History,
    /// Symmetries of the game at the bottom of the stack.
    pub(super) symmetries: Arc<[Permutation]>,
    /// What proof-number search needs, if that is the one to use.
    pub(super) bounds: Option<Bounds>,
}

impl<const W: usize> Knowledge<W> {
    /// Nothing yet but the symmetries of the game.
    pub(super) fn new(position: &Position<W>, options: &GameOptions) -> Self {
        let symmetries = match position.form(position.shorter()) {
            Some(form) if options.symmetry && !position.is_signed() => automorphisms(form, position.live().len()),
            _ => Vec::new(),
        };
        // Proof numbers guide a search that comes back to positions again and again: it cannot do without.
        let mebibytes = if options.proof_number { options.table.max(1) } else { options.table };
        let table = if options.threads > 1 { Table::for_threads(mebibytes) } else { Table::new(mebibytes) };
        Self::with(table, symmetries.into(), options)
    }

    /// The same table and symmetries for one more thread.
    pub(super) fn share(&self, options: &GameOptions) -> Self {
        Self::with(self.table.share(), Arc::clone(&self.symmetries), options)
    }

    fn with(table: Table<W>, symmetries: Arc<[Permutation]>, options: &GameOptions) -> Self {
        let bounds = options.proof_number.then(|| Bounds::new(options.table));
        Knowledge { table, history: History::new(Mask::<W>::BITS), symmetries, bounds }
    }
}

//! Any legal move.

use super::{Lots, Player};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::rules::sequential::{Move, Sequential};

pub(super) struct Random(Lots);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(Lots::new(seed))
    }
}

impl Player for Random {
    fn choose(&mut self, game: &Sequential, _: &Control) -> Result<Move, StopReason> {
        Ok(self.0.one_of(&game.moves()).unwrap_or_default())
    }
}

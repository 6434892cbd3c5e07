//! The most points at once, else any legal move.

use super::{Lots, Player};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::rules::sequential::{Move, Sequential};

pub(super) struct Greedy(Lots);

impl Greedy {
    pub(super) fn new(seed: u64) -> Self {
        Greedy(Lots::new(seed))
    }
}

impl Player for Greedy {
    fn choose(&mut self, game: &Sequential, _: &Control) -> Result<Move, StopReason> {
        let mover = game.mover();
        let gain = |mv: Move| {
            let mut next = game.clone();
            let gain = next.play(mv);
            // A game that ends in a win pays at its end.
            gain + if next.mover().is_none() && mover.is_some() { -next.end() } else { 0 }
        };
        let moves: Vec<(Move, i64)> = game.moves().into_iter().map(|mv| (mv, gain(mv))).collect();
        let most = moves.iter().map(|&(_, gain)| gain).max().unwrap_or(0);
        let best: Vec<Move> = moves.iter().filter(|&&(_, gain)| gain == most).map(|&(mv, _)| mv).collect();
        Ok(self.0.one_of(&best).unwrap_or_default())
    }
}

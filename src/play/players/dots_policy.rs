//! Dots-and-Boxes by the table of priorities of [`Policy`]: any string of the highest priority.
//! (D. Murphy: *Simulation of Mathematical Games using Functional Programming*, 2015.)

use super::{Lots, Player};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::rules::sequential::chains::Policy;
use gamesat_core::rules::sequential::{Move, Sequential};

pub(super) struct DotsPolicy(Lots);

impl DotsPolicy {
    pub(super) fn new(seed: u64) -> Self {
        DotsPolicy(Lots::new(seed))
    }
}

impl Player for DotsPolicy {
    fn choose(&mut self, game: &Sequential, _: &Control) -> Result<Move, StopReason> {
        let Sequential::Dots(dots) = game else {
            return Err(StopReason::Unsupported("the policy plays Dots-and-Boxes".to_owned()));
        };
        let policy = Policy::new(dots);
        let scored: Vec<(Move, i32)> =
            dots.moves().into_iter().map(|string| (string, policy.priority(string.into()))).collect();
        let most = scored.iter().map(|&(_, priority)| priority).max().unwrap_or(0);
        let best: Vec<Move> = scored.iter().filter(|&&(_, priority)| priority == most).map(|&(mv, _)| mv).collect();
        Ok(self.0.one_of(&best).unwrap_or_default())
    }
}

//! The search as a player: one ply ahead, then two and so on, until the time for the move is over or the value is proven.

use super::Player;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::rules::sequential::{Move, Rules, Sequential, Visitor};
use gamesat_games::options::SequentialOptions;
use gamesat_games::sequential::Session;
use std::time::Duration;

pub(super) struct Searcher {
    time: Duration,
    options: SequentialOptions,
}

impl Searcher {
    pub(super) fn new(time: Duration) -> Self {
        let mut options = SequentialOptions::default();
        // A table is made for every move: what a fraction of a second can fill is enough.
        options.sequential_table = 4;
        Searcher { time, options }
    }
}

impl Player for Searcher {
    fn choose(&mut self, game: &Sequential, control: &Control) -> Result<Move, StopReason> {
        game.visit(Choosing { searcher: self, control })
    }
}

struct Choosing<'a> {
    searcher: &'a Searcher,
    control: &'a Control,
}

impl Visitor for Choosing<'_> {
    type Output = Result<Move, StopReason>;

    fn visit<R: Rules>(self, rules: R) -> Self::Output {
        let session = Session::new(&rules, &self.searcher.options, 1);
        let mv = session.choose(&rules, &self.control.with_budget(self.searcher.time));
        // Only somebody outside ends the game.
        match self.control.stop_reason(0) {
            Some(reason) => Err(reason),
            None => Ok(mv),
        }
    }
}

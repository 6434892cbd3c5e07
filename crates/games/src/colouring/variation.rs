//! A line of best play, as far as the table knows it: the winner's moves are the winning ones found, the loser's those that
//! took the most work to refute.

use super::moves::Root;
use super::position::Move;
use gamesat_core::formula::{Lit, Player};

impl<const W: usize> Root<'_, '_, W> {
    /// The line that begins with `first`, or with a move of the loser.
    pub(super) fn variation(&mut self, winner: Player, first: Option<Lit>) -> Vec<Lit> {
        let mut line = Vec::new();
        let mut next = match first {
            Some(lit) => self.prepared.choice(lit),
            None => self.resist(winner),
        };
        let depth = self.search.position.depth();
        while let Some(choice) = next {
            match choice {
                Move::Colour(element, colour) => line.push(self.prepared.lit(usize::from(element), colour)),
                // Which dead element is played does not matter, but none may be played twice.
                Move::Pass => break,
            }
            self.search.position.push();
            self.search.position.play(choice);
            next = if self.search.position.turn() == winner { self.look_up(winner) } else { self.resist(winner) };
        }
        while self.search.position.depth() > depth {
            self.search.position.pop();
        }
        line
    }

    /// The winning move that the table knows.
    fn look_up(&mut self, winner: Player) -> Option<Move> {
        let live = self.search.position.live();
        self.search.position.push();
        let reduced = self.search.reduce(true);
        let choice = reduced.first.or_else(|| {
            let key = self.search.key(&reduced.occurrence);
            let value = self.search.recall(key).filter(|value| reduced.winner.is_none() && value.winner == winner)?;
            value.choice
        });
        self.search.position.pop();
        choice.filter(|&choice| match choice {
            Move::Colour(element, _) => live.contains(usize::from(element)),
            Move::Pass => true,
        })
    }

    /// The forced move of a lost position, or the move whose refutation the table knows.
    fn resist(&mut self, winner: Player) -> Option<Move> {
        self.search.position.push();
        let reduced = self.search.reduce(true);
        let mut choice = reduced.first;
        if choice.is_none() && reduced.winner.is_none() {
            let loser = self.search.position.turn();
            for element in self.search.position.live().iter() {
                let colour = reduced.occurrence.rising.contains(element) == loser.colour();
                let candidate = Move::Colour(element as u16, colour);
                if !self.game.rule.allows(loser, colour) {
                    continue;
                }
                self.search.position.push();
                self.search.position.play(candidate);
                let known = self.look_up(winner).is_some();
                self.search.position.pop();
                if known {
                    choice = Some(candidate);
                    break;
                }
            }
        }
        self.search.position.pop();
        choice
    }
}

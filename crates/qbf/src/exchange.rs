//! What engines at work on one formula tell each other: clauses about the outermost block.
//!
//! If that block is existential, every refinement of its player, and everything learnt that is about the block alone, is a clause
//! that every winning first move satisfies. It is true whoever found it, so that all others may add it to what they know: the
//! verdict and the first move stay right. Nobody keeps a proof of somebody else's clause: conflict-driven search does not listen
//! while it keeps one, and abstraction listens if Herbrand functions are not wanted. Its wins stand on their own feet, however
//! the first move was found.
//!
//! A message is written and read between two looks at the control. So with one thread, whose engines take turns at looks, what
//! everybody hears is the same every time.

use gamesat_core::formula::Lit;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Longer clauses rule out too little to be worth a message: with up to eight literals random formulas take a third longer.
const LONGEST: usize = 3;

/// A place for messages; without one nobody hears anything.
#[derive(Clone, Debug, Default)]
pub struct Exchange {
    board: Option<Arc<Board>>,
}

#[derive(Debug, Default)]
struct Board {
    /// Who says it, and what.
    messages: Mutex<Vec<(usize, Box<[Lit]>)>>,
    /// How many there are, to be read without waiting.
    written: AtomicUsize,
    members: AtomicUsize,
}

impl Exchange {
    /// A place where engines meet.
    pub(super) fn open() -> Self {
        Exchange { board: Some(Arc::default()) }
    }

    /// Takes part in it, if there is one.
    pub(super) fn join(&self) -> Option<Member> {
        let board = self.board.clone()?;
        let number = board.members.fetch_add(1, Ordering::Relaxed);
        Some(Member { board, number, read: 0, told: 0, heard: 0 })
    }
}

/// One engine's part.
#[derive(Debug)]
pub(super) struct Member {
    board: Arc<Board>,
    number: usize,
    /// Messages that were read.
    read: usize,
    pub(super) told: u64,
    pub(super) heard: u64,
}

impl Member {
    /// Tells the others a clause about the outermost block, unless it is long.
    pub(super) fn tell(&mut self, clause: impl Iterator<Item = Lit>) {
        let mut lits = [None; LONGEST];
        for (place, lit) in clause.enumerate() {
            let Some(slot) = lits.get_mut(place) else { return };
            *slot = Some(lit);
        }
        let mut messages = self.board.messages.lock().unwrap_or_else(PoisonError::into_inner);
        messages.push((self.number, lits.into_iter().flatten().collect()));
        self.board.written.store(messages.len(), Ordering::Release);
        self.told += 1;
    }

    /// Reads what the others have told since the last time.
    pub(super) fn hear(&mut self, mut listen: impl FnMut(&[Lit])) {
        if self.board.written.load(Ordering::Acquire) == self.read {
            return;
        }
        let messages = self.board.messages.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, clause) in messages[self.read..].iter().filter(|(who, _)| *who != self.number) {
            listen(clause);
            self.heard += 1;
        }
        self.read = messages.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::formula::Var;

    #[test]
    fn everybody_hears_the_others_once() {
        let exchange = Exchange::open();
        let (mut one, mut two) = (exchange.join().unwrap(), exchange.join().unwrap());
        let lit = |index: usize| Var::from_index(index).positive();
        one.tell([lit(1), lit(2)].into_iter());
        two.tell([lit(3)].into_iter());
        one.tell((0..=LONGEST).map(lit));
        let heard = |member: &mut Member| {
            let mut all = Vec::new();
            member.hear(|clause| all.push(clause.to_vec()));
            all
        };
        assert_eq!(heard(&mut one), [[lit(3)]]);
        assert_eq!(heard(&mut two), [[lit(1), lit(2)]]);
        assert!(heard(&mut one).is_empty() && heard(&mut two).is_empty());
        assert!(Exchange::default().join().is_none());
    }
}

//! Several searches share the time of one thread: each runs in a thread of its own, but only while it is its turn.
//!
//! A search that looks at its [`Control`](crate::control::Control) counts one *look*; after some looks the turn passes to
//! the next search, and this one sleeps where it stands. Nothing is lost that way, as it would be by starting again under a
//! larger limit. Looks are counted and never timed, and searches look at their control after fixed amounts of work, so one
//! run is like the other.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What one of the searches gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Looks in its first turn; zero if it has no trial and waits for its second turn instead.
    pub trial: u64,
    /// Looks of all searches together before that trial.
    pub since: u64,
    /// Looks in each later turn.
    pub looks: u64,
    /// Looks of all searches together before its second turn, unless all others are done.
    pub after: u64,
}

/// The searches that take turns.
#[derive(Debug)]
struct Turns {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    shares: Vec<Share>,
    /// Who has nothing to do any more.
    done: Vec<bool>,
    /// Whose turn it is, and how many looks it still has.
    turn: usize,
    left: u64,
    /// Looks of all so far, and of each.
    looks: u64,
    looks_of: Vec<u64>,
    /// Everybody shall stop: all may run.
    over: bool,
}

impl State {
    /// Passes the turn to the next search that wants it.
    fn pass(&mut self) {
        let count = self.shares.len();
        let following = || (1..=count).map(|step| (self.turn + step) % count).filter(|&next| !self.done[next]);
        let is_new = |next: usize| {
            self.looks_of[next] == 0 && self.shares[next].trial > 0 && self.looks >= self.shares[next].since
        };
        let next = following().find(|&next| is_new(next) || self.looks >= self.shares[next].after);
        if let Some(next) = next.or_else(|| following().min_by_key(|&next| self.shares[next].after)) {
            self.left = if is_new(next) { self.shares[next].trial } else { self.shares[next].looks };
            self.turn = next;
        }
    }
}

/// The place of one search among those that take turns. When it is dropped the search is done.
#[derive(Debug)]
pub struct Seat {
    turns: Arc<Turns>,
    index: usize,
}

/// A control's view of a [`Seat`].
#[derive(Clone, Debug)]
pub struct Turn {
    turns: Arc<Turns>,
    index: usize,
}

/// One seat for each share; the first search begins.
pub fn seats(shares: Vec<Share>) -> Vec<Seat> {
    let count = shares.len();
    let left = shares.first().map_or(0, |share| share.trial);
    let state =
        State { done: vec![false; count], shares, turn: 0, left, looks: 0, looks_of: vec![0; count], over: false };
    let turns = Arc::new(Turns { state: Mutex::new(state), changed: Condvar::new() });
    (0..count).map(|index| Seat { turns: Arc::clone(&turns), index }).collect()
}

impl Seat {
    /// For the control of the search.
    pub fn turn(&self) -> Turn {
        Turn { turns: Arc::clone(&self.turns), index: self.index }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut state = self.turns.lock();
        state.done[self.index] = true;
        if state.turn == self.index {
            state.pass();
        }
        drop(state);
        self.turns.changed.notify_all();
    }
}

impl Turn {
    /// Sleeps until it is this search's turn.
    pub fn wait(&self) {
        drop(self.turns.wait(self.turns.lock(), self.index));
    }

    /// Counts a look. If that was the last of this turn, sleeps until the next.
    pub fn look(&self) {
        let mut state = self.turns.lock();
        if state.over {
            return;
        }
        state.looks += 1;
        state.looks_of[self.index] += 1;
        state.left = state.left.saturating_sub(1);
        if state.left == 0 {
            state.pass();
            if state.turn != self.index {
                self.turns.changed.notify_all();
                drop(self.turns.wait(state, self.index));
            }
        }
    }

    /// How often this search has looked at its control.
    pub fn looks(&self) -> u64 {
        self.turns.lock().looks_of[self.index]
    }

    /// Wakes everybody: whoever looks at its control from now on is not held up.
    pub fn end(&self) {
        self.turns.lock().over = true;
        self.turns.changed.notify_all();
    }
}

impl Turns {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is plain numbers, valid at any time.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, index: usize) -> MutexGuard<'a, State> {
        let is_waiting = |state: &mut State| !state.over && state.turn != index;
        self.changed.wait_while(state, is_waiting).unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets searches of given lengths, in looks, take turns and notes who looked when.
    fn play(shares: &[[u64; 4]], lengths: &[usize]) -> Vec<usize> {
        let shares = shares.iter().map(|&[trial, since, looks, after]| Share { trial, since, looks, after }).collect();
        let order = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for (seat, &length) in seats(shares).into_iter().zip(lengths) {
                let order = &order;
                scope.spawn(move || {
                    let turn = seat.turn();
                    turn.wait();
                    for _ in 0..length {
                        order.lock().unwrap().push(seat.index);
                        turn.look();
                    }
                });
            }
        });
        order.into_inner().unwrap()
    }

    #[test]
    fn turns_have_the_lengths_of_the_shares() {
        assert_eq!(play(&[[2, 0, 2, 0], [1, 0, 1, 0]], &[6, 3]), [0, 0, 1, 0, 0, 1, 0, 0, 1]);
        assert_eq!(play(&[[3, 0, 1, 0], [2, 0, 1, 0]], &[5, 4]), [0, 0, 0, 1, 1, 0, 1, 0, 1]);
    }

    #[test]
    fn after_the_trial_some_wait_for_their_time_or_for_nobody_else() {
        assert_eq!(play(&[[1, 0, 2, 0], [1, 0, 2, 5]], &[8, 3]), [0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0]);
        assert_eq!(play(&[[2, 0, 2, 0], [1, 0, 2, 100]], &[4, 3]), [0, 0, 1, 0, 0, 1, 1]);
    }

    #[test]
    fn a_trial_may_begin_later() {
        assert_eq!(play(&[[1, 0, 2, 0], [3, 3, 1, 6]], &[7, 5]), [0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 1]);
    }

    #[test]
    fn nobody_is_held_up_after_the_end() {
        let all = seats(vec![Share { trial: 1, since: 0, looks: 1, after: 0 }; 2]);
        all[0].turn().end();
        all[1].turn().wait();
        all[0].turn().look();
        all[0].turn().look();
    }
}

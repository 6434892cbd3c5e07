//! Moves that refuted something elsewhere come earlier: the history heuristic (Schaeffer, 1983). Those that win when something
//! must be won are others than those that hold what is there, so both have a history of their own.

/// How often moves were best, by slot, where a gain was asked for and where it was not.
#[derive(Clone, Debug)]
pub(super) struct History {
    scores: [Vec<i32>; 2],
}

impl History {
    /// Beyond this everything is halved, so that the recent past counts more.
    const MOST: i32 = 1 << 14;

    pub(super) fn new(slots: usize) -> Self {
        History { scores: [vec![0; slots], vec![0; slots]] }
    }

    #[inline]
    pub(super) fn get(&self, gain: bool, slot: usize) -> i32 {
        self.scores[usize::from(gain)][slot]
    }

    /// A move was as good as the window asked for, or was tried before one that was.
    #[inline]
    pub(super) fn add(&mut self, gain: bool, slot: usize, amount: i32) {
        let scores = &mut self.scores[usize::from(gain)];
        scores[slot] += amount;
        if scores[slot].abs() > Self::MOST {
            scores.iter_mut().for_each(|score| *score /= 2);
        }
    }
}

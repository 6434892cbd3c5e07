//! Moves that refuted something elsewhere come earlier: the history heuristic (Schaeffer, 1983).

/// How often moves were best, by slot.
#[derive(Clone, Debug)]
pub(super) struct History {
    scores: Vec<i32>,
}

impl History {
    /// Beyond this everything is halved, so that the recent past counts more.
    const MOST: i32 = 1 << 14;

    pub(super) fn new(slots: usize) -> Self {
        History { scores: vec![0; slots] }
    }

    #[inline]
    pub(super) fn get(&self, slot: usize) -> i32 {
        self.scores[slot]
    }

    /// A move was as good as the window asked for, or was tried before one that was.
    #[inline]
    pub(super) fn add(&mut self, slot: usize, amount: i32) {
        self.scores[slot] += amount;
        if self.scores[slot].abs() > Self::MOST {
            self.scores.iter_mut().for_each(|score| *score /= 2);
        }
    }
}

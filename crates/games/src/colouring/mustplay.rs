//! Mustplay: the moves that refuted ones leave, and the trace of a position in which every move is refuted.
//!
//! A *trace* of a won position is a set of uncoloured elements that suffices for the winner: with the elements outside it
//! quantified against the winner, and the same number of elements, the winner still wins. The rules (*Set Colouring Games*
//! ch. 9, corrected for moves in elements that are not monotone):
//! 1. decided position: the empty trace;
//! 2. winning move on `v` with child trace P: P and `v`;
//! 3. a rational move that loses with child trace P: every move outside P loses, too, so P is a *mustplay*;
//! 4. a move in an element that is not monotone gives no mustplay, its element joins the trace of a lost position;
//! 5. when nothing is left to try, the trace is the union of the child traces (and of those elements).

use super::mask::Mask;
use super::position::Move;
use super::reduce::element;

/// What is left to try in a position, and what refuted the rest.
pub(super) struct Mustplay<const W: usize> {
    /// Elements outside which every move loses.
    elements: Mask<W>,
    /// Whether passing may still win.
    pass: bool,
    /// Whether refuted moves rule out others.
    narrows: bool,
    /// Rule 5 so far.
    lost: Mask<W>,
}

impl<const W: usize> Mustplay<W> {
    /// Everything is still to be tried.
    pub(super) fn new(live: Mask<W>, narrows: bool) -> Self {
        Mustplay { elements: live, pass: true, narrows, lost: Mask::default() }
    }

    /// Whether a move may still win.
    #[inline]
    pub(super) fn allows(&self, choice: Move) -> bool {
        match choice {
            Move::Colour(element, _) => self.elements.contains(usize::from(element)),
            Move::Pass => self.pass,
        }
    }

    /// A move lost; the opponent needs no more than `trace`. Says whether that narrowed the mustplay.
    #[inline]
    pub(super) fn refute(&mut self, choice: Move, rational: bool, trace: Mask<W>) -> bool {
        self.lost |= trace;
        if !rational {
            self.lost |= element(choice);
        } else if self.narrows {
            self.elements &= trace;
            self.pass = false;
        }
        rational && self.narrows
    }

    /// The image of a refuted move under a symmetry of the position is refuted by the image of its trace.
    pub(super) fn refute_image(&mut self, trace: Mask<W>) {
        self.lost |= trace;
        if self.narrows {
            self.elements &= trace;
        }
    }

    /// The opponent's trace, should every move be refuted.
    pub(super) fn lost(&self) -> Mask<W> {
        self.lost
    }
}

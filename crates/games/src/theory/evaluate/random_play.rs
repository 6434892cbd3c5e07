//! Rational random play (*Set Colouring Games* 11.3, 12.5): the players take turns, each giving a random element the own colour.
//!
//! That makes a random balanced set: half of the elements, the odd one for whoever moves. The order of moves does not
//! matter, so every element that the mover got counts as a first move. Small games are counted exactly.

use super::sample::{EXACT_ELEMENTS, Estimate, Random, Sampled, not_full, poll_rows};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Game, Player, Var};
use gamesat_core::rules::Board;

/// The outcome of random play.
#[derive(Clone, Debug)]
pub struct Playouts {
    /// Playouts that the player to move wins.
    pub mover: Estimate,
    /// By element: those among the playouts in which the mover got it.
    pub elements: Vec<(Var, Estimate)>,
}

/// Plays a position out, in all ways or in so many samples.
///
/// # Errors
/// The formula has no affordable normal form, or the run was to stop.
pub fn random_play(game: &Game, samples: u64, seed: u64, control: &Control) -> Result<Playouts, StopReason> {
    played_out(&Sampled::new(game, control)?, (game.uncoloured(), game.turn), samples, seed, control)
}

/// The same of a board, whose winning sets need not be listed.
///
/// # Errors
/// The game does not end with a full board, or the run was to stop.
pub fn random_play_on_board(board: &Board, samples: u64, seed: u64, control: &Control) -> Result<Playouts, StopReason> {
    let left = (board.free().count(), board.player(board.turn));
    played_out(&Sampled::of_board(board).ok_or_else(not_full)?, left, samples, seed, control)
}

/// With so many elements left, some perhaps outside the formula, and this player to move.
fn played_out(
    sampled: &Sampled,
    (uncoloured, turn): (usize, Player),
    samples: u64,
    seed: u64,
    control: &Control,
) -> Result<Playouts, StopReason> {
    let count = sampled.elements.len();
    // Elements outside the formula take part, but only their number matters.
    let outside = uncoloured - count;
    let exact = count <= EXACT_ELEMENTS && outside == 0;
    let mut tally = Tally { wins: 0, total: 0, elements: vec![(0, 0); count] };
    let mut poller = control.poller();
    let mut colouring = vec![0u64; sampled.words()];
    let mover_share = uncoloured.div_ceil(2);
    if exact {
        for own in (0..1u64 << count).filter(|own| own.count_ones() as usize == mover_share) {
            poll_rows(&mut poller, tally.total, sampled)?;
            colouring[0] = if turn == Player::Max { own } else { !own & ((1 << count) - 1) };
            tally.add(&[own], sampled.value(&colouring) == (turn == Player::Max));
        }
    } else {
        let mut random = Random::new(seed);
        let mut own = vec![0u64; sampled.words()];
        for _ in 0..samples {
            poll_rows(&mut poller, tally.total, sampled)?;
            own.fill(0);
            // One element after the other: how many of those left does the mover still get?
            let (mut left, mut share) = (uncoloured, mover_share);
            for element in 0..count {
                if random.below(left) < share {
                    own[element / 64] |= 1 << (element % 64);
                    share -= 1;
                }
                left -= 1;
            }
            for (word, own) in colouring.iter_mut().zip(&own) {
                *word = if turn == Player::Max { *own } else { !own };
            }
            tally.add(&own, sampled.value(&colouring) == (turn == Player::Max));
        }
    }
    let estimate = |wins, total| Estimate { wins, total, exact };
    Ok(Playouts {
        mover: estimate(tally.wins, tally.total),
        elements: sampled
            .elements
            .iter()
            .zip(tally.elements)
            .map(|(&var, (wins, total))| (var, estimate(wins, total)))
            .collect(),
    })
}

struct Tally {
    wins: u64,
    total: u64,
    elements: Vec<(u64, u64)>,
}

impl Tally {
    fn add(&mut self, own: &[u64], won: bool) {
        self.wins += u64::from(won);
        self.total += 1;
        for (element, (wins, total)) in self.elements.iter_mut().enumerate() {
            if own[element / 64] >> (element % 64) & 1 != 0 {
                *wins += u64::from(won);
                *total += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::evaluate::cases::hex;
    use gamesat_encode::Rows;

    #[test]
    fn published_playouts() {
        let found = random_play(&hex(3, &[], Rows::default()), 0, 0, &Control::default()).unwrap();
        assert!(found.mover.exact);
        assert_eq!((found.mover.wins, found.mover.total), (84, 126));
        let wins: Vec<u64> = found.elements.iter().map(|(_, estimate)| estimate.wins).collect();
        assert!(found.elements.iter().all(|(_, estimate)| estimate.total == 70));
        assert_eq!(wins, [41, 45, 51, 47, 52, 47, 51, 45, 41]);
    }

    /// Samples of a game that can be counted come out as counted.
    #[test]
    fn samples_agree_with_the_count() {
        let mut game = hex(3, &[], Rows::default());
        let exact = random_play(&game, 0, 0, &Control::default()).unwrap();
        // Two dead elements make it one that is sampled; they change what is balanced, so a wide margin.
        game.add_stars(2);
        let found = random_play(&game, 20_000, 1, &Control::default()).unwrap();
        assert!(!found.mover.exact && found.mover.error() > 0.0);
        assert!((found.mover.share() - exact.mover.share()).abs() < 0.1);
    }
}

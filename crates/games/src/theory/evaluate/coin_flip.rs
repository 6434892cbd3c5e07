//! A coin says who moves (*Set Colouring Games* 4.8; Peres, Schramm, Sheffield and Wilson, "Random-turn Hex", 2007).
//!
//! In an isotone game with a fair coin before each move both players want the same element, the one that is pivotal in
//! most colourings, and the value under best play is the share of colourings that MAX wins. Exact by counting for few
//! elements, by samples with their error beyond.

use super::sample::{EXACT_ELEMENTS, Estimate, Random, Sampled, not_full, poll_rows};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Game, Var};
use gamesat_core::rules::Board;

/// The value of a game in which a coin says who moves.
#[derive(Clone, Debug)]
pub struct CoinFlip {
    /// The colourings that MAX wins.
    pub value: Estimate,
    /// By element: the colourings of the others in which its colour decides.
    pub pivotal: Vec<(Var, Estimate)>,
}

/// The value of a position and of its elements. That it is the value under best play holds for isotone games.
///
/// # Errors
/// The formula has no affordable normal form, or the run was to stop.
pub fn coin_flip(game: &Game, samples: u64, seed: u64, control: &Control) -> Result<CoinFlip, StopReason> {
    flipped(&Sampled::new(game, control)?, samples, seed, control)
}

/// The same of a board, whose winning sets need not be listed.
///
/// # Errors
/// The game does not end with a full board, or the run was to stop.
pub fn coin_flip_on_board(board: &Board, samples: u64, seed: u64, control: &Control) -> Result<CoinFlip, StopReason> {
    flipped(&Sampled::of_board(board).ok_or_else(not_full)?, samples, seed, control)
}

fn flipped(sampled: &Sampled, samples: u64, seed: u64, control: &Control) -> Result<CoinFlip, StopReason> {
    let count = sampled.elements.len();
    let exact = count <= EXACT_ELEMENTS;
    let mut poller = control.poller();
    let (mut wins, mut total) = (0, 0);
    let mut pivots = vec![0u64; count];
    if exact {
        // The values of all colourings as bits: neighbours differ in one element.
        let mut values = vec![0u64; (1usize << count).div_ceil(64)];
        for colouring in 0..1u64 << count {
            poll_rows(&mut poller, colouring, sampled)?;
            if sampled.value(&[colouring]) {
                values[(colouring / 64) as usize] |= 1 << (colouring % 64);
                wins += 1;
            }
        }
        total = 1 << count;
        let value = |colouring: u64| values[(colouring / 64) as usize] >> (colouring % 64) & 1;
        for (element, pivots) in pivots.iter_mut().enumerate() {
            for colouring in (0..1u64 << count).filter(|colouring| colouring >> element & 1 == 0) {
                *pivots += u64::from(value(colouring) != value(colouring | 1 << element));
            }
            poller.poll(0)?;
        }
    } else {
        let mut random = Random::new(seed);
        let mut colouring = vec![0u64; sampled.words()];
        for _ in 0..samples {
            colouring.iter_mut().for_each(|word| *word = random.next());
            let value = sampled.value(&colouring);
            (wins, total) = (wins + u64::from(value), total + 1);
            for (element, pivots) in pivots.iter_mut().enumerate() {
                poll_rows(&mut poller, total, sampled)?;
                colouring[element / 64] ^= 1 << (element % 64);
                *pivots += u64::from(sampled.value(&colouring) != value);
                colouring[element / 64] ^= 1 << (element % 64);
            }
        }
    }
    let others = if exact { total / 2 } else { total };
    let pivotal = sampled.elements.iter().zip(pivots);
    Ok(CoinFlip {
        value: Estimate { wins, total, exact },
        pivotal: pivotal.map(|(&var, wins)| (var, Estimate { wins, total: others, exact })).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::evaluate::cases::hex;
    use gamesat_core::problem::Problem;
    use gamesat_encode::{Rows, Target, lower};

    #[test]
    fn published_values() {
        let found = coin_flip(&hex(3, &[], Rows::default()), 0, 0, &Control::default()).unwrap();
        assert_eq!((found.value.wins, found.value.total), (256, 512));
        let pivotal: Vec<u64> = found.pivotal.iter().map(|(_, estimate)| estimate.wins).collect();
        assert_eq!(pivotal, [26, 52, 78, 52, 82, 52, 78, 52, 26]);
        let found = coin_flip(&hex(3, &[4], Rows::default()), 0, 0, &Control::default()).unwrap();
        assert_eq!((found.value.wins, found.value.total), (169, 256));
    }

    /// By the board's own goal the same is counted as by its rows, stones and both ways to be MAX included.
    #[test]
    fn boards_by_their_goal() {
        for (text, moves) in [("hex 3", 0), ("hex 3x4", 2), ("y 4", 1), ("bridgit 2", 0), ("line 3x3 3", 1)] {
            let Ok(Problem::Board(mut board)) = gamesat_format::parse(text) else { panic!("{text}") };
            for _ in 0..moves {
                let element = board.free().next().unwrap();
                board.play(element).unwrap();
            }
            for max in [board.max, !board.max] {
                board.max = max;
                let lowered = lower(&Problem::Board(board.clone()), Target::Rows(Rows::default()), &Control::default());
                let Problem::Game(game) = lowered.unwrap().problem else { panic!() };
                let rows = coin_flip(&game, 0, 0, &Control::default()).unwrap();
                let goal = coin_flip_on_board(&board, 0, 0, &Control::default()).unwrap();
                let share = |found: &CoinFlip| found.value.share();
                assert_eq!(share(&rows), share(&goal), "{text}");
                for (var, estimate) in &rows.pivotal {
                    let other = goal.pivotal.iter().find(|(other, _)| other == var).unwrap().1;
                    assert_eq!(estimate.share(), other.share(), "{text} {var}");
                }
            }
        }
    }

    #[test]
    fn samples_come_with_their_error() {
        let found = coin_flip(&hex(5, &[], Rows::default()), 400, 3, &Control::default()).unwrap();
        assert!(!found.value.exact);
        assert!((found.value.share() - 0.5).abs() < 5.0 * found.value.error());
    }
}

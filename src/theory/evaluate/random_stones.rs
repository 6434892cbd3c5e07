//! [Random play](super::random_play) on a board where one side joins terminals: both players put stones on random cells
//! until none is free. No formula is needed, so boards of any size will do.
//!
//! The first side has won a full board iff its stones join its terminals, and the second one iff not, which is the rule of
//! all these games.

use super::random_play::Playouts;
use super::sample::{Estimate, Random};
use crate::control::{Control, StopReason};
use crate::formula::Var;
use crate::rules::{Board, Goal, Side};

/// Fills a board so many times; every cell that the mover got counts as a first move. `None` where nothing is joined, or
/// the order of moves is not the usual one.
///
/// # Errors
/// The run was to stop.
pub fn random_stones(
    board: &Board,
    samples: u64,
    seed: u64,
    control: &Control,
) -> Result<Option<Playouts>, StopReason> {
    let Some(Goal::Vertices { graph, terminals }) = board.goal(Side::First) else { return Ok(None) };
    if board.is_race() || board.schedule.is_some() {
        return Ok(None);
    }
    let adjacency = graph.adjacency();
    let mut free: Vec<usize> = board.free().collect();
    let share = free.len().div_ceil(2);
    let mut tallies = vec![(0u64, 0u64); board.elements()];
    let (mut random, mut poller) = (Random::new(seed), control.poller());
    let mut stones = board.stones().to_vec();
    let (mut reached, mut stack) = (vec![0u64; graph.vertices()], Vec::new());
    let (mut wins, mut total) = (0, 0);
    for sample in 1..=samples {
        poller.poll(sample)?;
        // 1. The mover's cells come to the front.
        for at in 0..share {
            let other = at + random.below(free.len() - at);
            free.swap(at, other);
        }
        for (at, &cell) in free.iter().enumerate() {
            stones[cell] = Some(if at < share { board.turn } else { !board.turn });
        }
        // 2. Whose board it is.
        stack.push(terminals[0]);
        reached[terminals[0]] = sample;
        while let Some(vertex) = stack.pop() {
            for &(next, _) in adjacency.of(vertex) {
                let next = next as usize;
                let is_own = terminals.contains(&next) || stones.get(next).is_some_and(|&s| s == Some(Side::First));
                if is_own && reached[next] != sample {
                    reached[next] = sample;
                    stack.push(next);
                }
            }
        }
        let first_wins = terminals.iter().all(|&terminal| reached[terminal] == sample);
        let won = first_wins == (board.turn == Side::First);
        // 3. What it says about the cells.
        wins += u64::from(won);
        total += 1;
        for &cell in &free[..share] {
            tallies[cell].0 += u64::from(won);
            tallies[cell].1 += 1;
        }
    }
    let estimate = |(wins, total): (u64, u64)| Estimate { wins, total, exact: false };
    let elements = board.free().map(|cell| (Var::from_index(cell), estimate(tallies[cell]))).collect();
    Ok(Some(Playouts { mover: estimate((wins, total)), elements }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Grid, Hex};

    /// The counts of *Set Colouring Games* for 3x3 Hex, within four standard errors.
    #[test]
    fn samples_agree_with_published_counts() {
        let board = Board::new(Hex(Grid { columns: 3, rows: 3 }));
        let found = random_stones(&board, 40_000, 1, &Control::default()).unwrap().unwrap();
        let near = |found: Estimate, exact: f64| (found.share() - exact).abs() < 4.0 * found.error();
        assert!(near(found.mover, 84.0 / 126.0), "{found:?}");
        for ((_, found), wins) in found.elements.into_iter().zip([41, 45, 51, 47, 52, 47, 51, 45, 41]) {
            assert!(near(found, f64::from(wins) / 70.0), "{found:?} {wins}");
        }
    }

    #[test]
    fn stones_count_for_their_owners() {
        let mut board = Board::new(Hex(Grid { columns: 2, rows: 2 }));
        for name in ["a1", "b1"] {
            board.play(board.find(name).unwrap()).unwrap();
        }
        // Black has a1, White b1: whoever takes a2 wins, and Black moves.
        let found = random_stones(&board, 1_000, 1, &Control::default()).unwrap().unwrap();
        let shares: Vec<f64> = found.elements.iter().map(|(_, estimate)| estimate.share()).collect();
        assert_eq!(shares, [1.0, 0.0]);
        let line = "line 3x3 3\n".parse::<crate::Problem>().unwrap();
        let crate::Problem::Board(line) = line else { panic!("a board") };
        assert!(random_stones(&line, 10, 1, &Control::default()).unwrap().is_none());
    }
}

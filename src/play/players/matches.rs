//! Matches: so many games between two players, who begin in turn.
//!
//! Points are counted as the game gives them; the end of the game counts too. Games are played on several threads, each with
//! players of its own, seeded by the number of the game, so that the tally does not depend on the threads as long as the
//! players do not look at the clock.

use super::{Entry, Lots, Player, Setting};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::rules::sequential::dominoes::double_six;
use gamesat_core::rules::sequential::{Dominoes, Sequential};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Wins, draws and losses of the first named player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Net points over all games.
    pub points: i64,
}

impl Tally {
    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of the first player, a draw counting half, in percent.
    pub fn share(&self) -> f64 {
        100.0 * (self.wins as f64 + self.draws as f64 / 2.0) / (self.games().max(1) as f64)
    }

    /// An interval that contains the true share with a probability of 95 %, in percent (E. Wilson, 1927).
    pub fn interval(&self) -> (f64, f64) {
        let (n, z) = (self.games().max(1) as f64, 1.96_f64);
        let p = self.share() / 100.0;
        let middle = p + z * z / (2.0 * n);
        let width = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        let scale = 100.0 / (1.0 + z * z / n);
        ((middle - width) * scale, (middle + width) * scale)
    }

    /// Counts a game with these net points.
    pub fn add(&mut self, points: i64) {
        *(match points {
            1.. => &mut self.wins,
            0 => &mut self.draws,
            _ => &mut self.losses,
        }) += 1;
        self.points += points;
    }
}

/// Plays a game to its end, `first` moving for the side that is to move now; what is dealt follows the lots. Returns the net
/// points of `first`.
///
/// # Errors
/// The reason to stop, and a player who makes a move that is not allowed.
pub fn game(
    mut position: Sequential,
    first: &mut dyn Player,
    second: &mut dyn Player,
    lots: &mut Lots,
    control: &Control,
) -> Result<i64, StopReason> {
    if let Sequential::Dominoes(undealt) = &position
        && undealt.is_undealt()
    {
        return dominoes(undealt.clone(), first, second, lots, control);
    }
    rounds(&mut position, first, second, control)
}

/// Tiles that a hand of dominoes has.
const HAND: usize = 7;

/// A game of dominoes: one deal after the other, begun in turn, until a score is the target.
fn dominoes(
    mut game: Dominoes,
    first: &mut dyn Player,
    second: &mut dyn Player,
    lots: &mut Lots,
    control: &Control,
) -> Result<i64, StopReason> {
    let (own, mut starter, mut set) = (game.turn(), game.turn(), double_six());
    while game.score(own) != game.target() && game.score(!own) != game.target() {
        lots.shuffle(&mut set);
        let mut round = Sequential::Dominoes(game.dealt(&set, HAND, starter));
        if starter == own {
            rounds(&mut round, first, second, control)?;
        } else {
            rounds(&mut round, second, first, control)?;
        }
        if let Sequential::Dominoes(played) = round {
            game = played;
        }
        starter = !starter;
    }
    Ok(i64::from(game.score(own)) - i64::from(game.score(!own)))
}

/// Plays from a position to the end, `first` moving for the side that is to move now.
fn rounds(
    position: &mut Sequential,
    first: &mut dyn Player,
    second: &mut dyn Player,
    control: &Control,
) -> Result<i64, StopReason> {
    let Some(own) = position.mover() else { return Ok(0) };
    let mut points = 0;
    while let Some(mover) = position.mover() {
        if let Some(reason) = control.stop_reason(0) {
            return Err(reason);
        }
        let player: &mut dyn Player = if mover == own { &mut *first } else { &mut *second };
        let mv = player.choose(position, control)?;
        if !position.moves().contains(&mv) {
            return Err(StopReason::Contradiction(format!("a player makes the move {mv}, which is not allowed")));
        }
        let sign = if mover == own { 1 } else { -1 };
        points += sign * position.play(mv);
        if position.mover().is_none() {
            points -= sign * position.end();
        }
    }
    Ok(points)
}

/// Plays a match from this position; the players begin in turn, the first named in the first game.
///
/// # Errors
/// The reason to stop before its end.
pub fn run(
    position: &Sequential,
    entries: [&'static Entry; 2],
    games: usize,
    setting: Setting,
    threads: usize,
    control: &Control,
) -> Result<Tally, StopReason> {
    let (next, tally) = (AtomicUsize::new(0), Mutex::new((Tally::default(), 0u64, None)));
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, games.max(1)) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= games {
                        break;
                    }
                    let seed = |player: u64| {
                        let own = Setting { seed: setting.seed ^ mixed(2 * number as u64 + player), ..setting };
                        entries[player as usize].player(own)
                    };
                    let (mut one, mut two) = (seed(0), seed(1));
                    // Whoever begins, pairs of games have the same deals.
                    let mut lots = Lots::new(setting.seed ^ mixed(!(number as u64 / 2)));
                    let result = if number % 2 == 0 {
                        game(position.clone(), &mut *one, &mut *two, &mut lots, control)
                    } else {
                        game(position.clone(), &mut *two, &mut *one, &mut lots, control).map(|points| -points)
                    };
                    let mut tally = tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    match result {
                        Ok(points) => tally.0.add(points),
                        Err(reason) => tally.2 = Some(reason),
                    }
                    tally.1 += 1;
                    control.progress().set_steps(tally.1, games as u64);
                    if tally.2.is_some() {
                        break;
                    }
                }
            });
        }
    });
    let (tally, _, stopped) = tally.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    stopped.map_or(Ok(tally), Err)
}

/// Seeds that are next to each other shall not be alike.
fn mixed(number: u64) -> u64 {
    Lots::new(number).draw()
}

//! A referee: two contestants, one game, the rules and the clock.
//!
//! Whoever makes a move that is not allowed, answers too late or does not answer at all loses that game, and the match goes on.
//! In quantified formulas the contestants are asked for the winner first, and whoever claims to win has to: a game that is lost
//! exposes a wrong claim.

use super::{Outcome, Position, Round};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::Player;
use std::time::{Duration, Instant};

/// Somebody who plays any game.
pub trait Contestant: Send {
    /// A new game begins.
    ///
    /// # Errors
    /// Why the contestant cannot play it.
    fn begin(&mut self, _start: &Position) -> Result<(), String> {
        Ok(())
    }

    /// The opponent's move.
    ///
    /// # Errors
    /// Why the contestant cannot go on.
    fn told(&mut self, _round: &Round, _name: &str) -> Result<(), String> {
        Ok(())
    }

    /// Who wins, as the contestant says before the first move, if it says anything.
    fn claim(&mut self, _start: &Round, _time: Duration) -> Option<Player> {
        None
    }

    /// A move, by its name, within this time.
    ///
    /// # Errors
    /// Why there is none.
    fn choose(&mut self, round: &Round, time: Duration, control: &Control) -> Result<String, String>;
}

/// How a game went.
#[derive(Clone, Debug)]
pub struct Record {
    /// The game with all its moves.
    pub round: Round,
    /// How it ended.
    pub outcome: Outcome,
    /// Who has lost it other than by the rules of the game, and why.
    pub fault: Option<(Player, String)>,
    /// Who said before the first move that they would win, and did not: MAX, MIN.
    pub exposed: [bool; 2],
}

/// How much later than its time an answer may come: what it takes to say it.
pub const GRACE: Duration = Duration::from_millis(500);

/// Lets MAX and MIN play.
///
/// # Errors
/// The reason to stop before the end of the game.
pub fn referee(
    start: Round,
    mut contestants: [&mut dyn Contestant; 2],
    time: Duration,
    control: &Control,
) -> Result<Record, StopReason> {
    let mut round = start;
    let mut claims = [false; 2];
    let exposed = |claims: [bool; 2], outcome: Outcome| {
        [Player::Max, Player::Min]
            .map(|player| claims[usize::from(player == Player::Min)] && outcome != Outcome::Win(player))
    };
    let lost = |round: &Round, player: Player, why: String, claims: [bool; 2]| {
        let outcome = Outcome::Win(!player);
        Ok(Record { round: round.clone(), outcome, fault: Some((player, why)), exposed: exposed(claims, outcome) })
    };
    for (contestant, player) in contestants.iter_mut().zip([Player::Max, Player::Min]) {
        if let Err(why) = contestant.begin(round.position()) {
            return lost(&round, player, why, claims);
        }
    }
    if round.position().is_formula() {
        for (at, player) in [Player::Max, Player::Min].into_iter().enumerate() {
            claims[at] = contestants[at].claim(&round, time) == Some(player);
        }
    }
    while let Some(turn) = round.position().turn() {
        if let Some(reason) = control.stop_reason(0) {
            return Err(reason);
        }
        let at = usize::from(turn == Player::Min);
        let began = Instant::now();
        let name = match contestants[at].choose(&round, time, control) {
            Ok(name) => name,
            Err(_) if control.stop_reason(0).is_some() => return Err(StopReason::Interrupted),
            Err(why) => return lost(&round, turn, why, claims),
        };
        if began.elapsed() > time + GRACE {
            return lost(&round, turn, format!("{name} comes after {:.1} s", began.elapsed().as_secs_f64()), claims);
        }
        let before = round.clone();
        if let Err(error) = round.play(&name) {
            return lost(&before, turn, error.to_string(), claims);
        }
        if let Err(why) = contestants[1 - at].told(&round, &name) {
            return lost(&round, !turn, why, claims);
        }
    }
    let outcome = round.position().outcome().unwrap_or(Outcome::Draw);
    Ok(Record { round, outcome, fault: None, exposed: exposed(claims, outcome) })
}

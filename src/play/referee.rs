//! A referee: two contestants, one game, the rules and the clock.
//!
//! Whoever makes a move that is not allowed, answers too late or does not answer at all loses that game, and the match goes on.

use super::{Outcome, Position, Round};
use crate::control::{Control, StopReason};
use crate::formula::Player;
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
    let lost = |round: &Round, player: Player, why: String| {
        Ok(Record { round: round.clone(), outcome: Outcome::Win(!player), fault: Some((player, why)) })
    };
    for (contestant, player) in contestants.iter_mut().zip([Player::Max, Player::Min]) {
        if let Err(why) = contestant.begin(round.position()) {
            return lost(&round, player, why);
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
            Err(why) => return lost(&round, turn, why),
        };
        if began.elapsed() > time + GRACE {
            return lost(&round, turn, format!("{name} comes after {:.1} s", began.elapsed().as_secs_f64()));
        }
        let before = round.clone();
        if let Err(error) = round.play(&name) {
            return lost(&before, turn, error.to_string());
        }
        if let Err(why) = contestants[1 - at].told(&round, &name) {
            return lost(&round, !turn, why);
        }
    }
    let outcome = round.position().outcome().unwrap_or(Outcome::Draw);
    Ok(Record { round, outcome, fault: None })
}

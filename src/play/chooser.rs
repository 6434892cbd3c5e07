//! A player: the proven move where the solver finishes in time, a [guess](super::guess) where not.
//!
//! The solver thinks in a thread of its own, because no engine can promise to stop at once: whoever waits for a move gets
//! one when the time is over, and a solver that has not come back by then is left alone and replaced. Between moves it
//! follows the game, so that what it has learnt stays.

use super::guess::guess;
use super::{PlayError, Round};
use crate::solve::{Answer, Options, Solver, SolverError, StopReason, Verdict, Wanted};
use gamesat_core::control::{Interrupt, Limits};
use gamesat_core::formula::{Lit, Player};
use gamesat_core::problem::Problem;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Searches are recursive in the depth of the game; only pages that are touched cost memory.
const STACK: usize = 256 << 20;
/// How often the clock and the interrupt are looked at.
const TICK: Duration = Duration::from_millis(5);
/// With more moves than this few positions are solved in the time people wait.
const LIKELY: usize = 60;
/// How long a guess may take where nobody set a time.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a solver may take to notice that it should stop.
const GRACE: Duration = Duration::from_millis(100);

/// What is known about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prospect {
    /// It wins.
    Wins,
    /// It keeps a draw, and there is no better one.
    Draws,
    /// Every move loses against best play.
    Loses,
    /// The best score, for the player to move.
    Scores(i64),
    /// Nothing: it is a guess.
    Unknown,
}

/// A move and what is known about it.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The move.
    pub lit: Lit,
    /// What it is called.
    pub name: String,
    /// What is known about it.
    pub prospect: Prospect,
}

/// Chooses moves.
pub struct Chooser {
    options: Options,
    /// In bytes.
    memory: Option<u64>,
    /// A solver, the problem it began with, and the moves it has followed.
    following: Option<(Solver, Problem, Vec<Lit>)>,
    /// Values for the rest of a block, which win.
    plan: Vec<Lit>,
}

impl Default for Chooser {
    fn default() -> Self {
        Chooser::new(Options::default(), None)
    }
}

impl Chooser {
    /// A player that thinks with these options, and this much memory in bytes.
    pub fn new(options: Options, memory: Option<u64>) -> Self {
        Chooser { options, memory, following: None, plan: Vec::new() }
    }

    /// A move for the player whose turn it is.
    ///
    /// # Errors
    /// The game is over, nobody can choose a move in such a problem, or the interrupt came; the game is as it was.
    pub fn choose(
        &mut self,
        round: &Round,
        time: Option<Duration>,
        interrupt: &Interrupt,
    ) -> Result<Choice, PlayError> {
        let position = round.position();
        let mover = position.turn().ok_or(PlayError::Over)?;
        let choice = |lit: Lit, prospect: Prospect| Choice { lit, name: position.name(lit), prospect };
        let moves = position.moves();
        // 1. The rest of a plan.
        let planned = self.plan.iter().copied().find(|lit| moves.contains(lit));
        if let (Some(lit), true) = (planned, position.chosen().last().is_none_or(|last| self.plan.contains(last))) {
            return Ok(choice(lit, Prospect::Wins));
        }
        self.plan.clear();
        // 2. What the solver says.
        let wanted = Wanted { outer_model: position.is_formula(), ..Wanted::default() };
        // Part of the time is kept for a guess where the board is so large that one is likely.
        let began = Instant::now();
        let share = match position.given() {
            Problem::Sequential(_) => 0.5,
            _ if moves.len() > LIKELY => 0.5,
            _ => 0.9,
        };
        let answer = self.ask(round, &wanted, time.map(|time| time.mul_f64(share)), interrupt)?;
        let won = answer.verdict.winner() == Some(mover);
        let prospect = match answer.verdict {
            Verdict::True | Verdict::False => {
                if won {
                    Prospect::Wins
                } else {
                    Prospect::Loses
                }
            }
            Verdict::Draw => Prospect::Draws,
            Verdict::Value(value) => Prospect::Scores(value),
            _ => Prospect::Unknown,
        };
        if let (true, Some(model)) = (won, answer.outer_model) {
            self.plan = model;
        }
        let proven = answer.moves.iter().chain(&self.plan).copied().find(|lit| moves.contains(lit));
        if let Some(lit) = proven {
            return Ok(choice(lit, prospect));
        }
        // 3. Nothing proven: the best guess. A theorem may know the winner and name no move.
        let prospect = if prospect == Prospect::Wins { Prospect::Unknown } else { prospect };
        let deadline = began + time.map_or(PATIENCE, |time| time.mul_f64(0.95));
        let left = deadline.saturating_duration_since(Instant::now());
        let guessed = guess(position, left, &|| interrupt.is_triggered() || Instant::now() >= deadline);
        if interrupt.is_triggered() {
            return Err(PlayError::Interrupted);
        }
        guessed.map(|lit| choice(lit, prospect)).ok_or(PlayError::Over)
    }

    /// Everything that is wanted about the present position, as far as it is found in time; an interrupt is an error.
    ///
    /// # Errors
    /// No engine answers, or the interrupt came.
    pub fn ask(
        &mut self,
        round: &Round,
        wanted: &Wanted,
        time: Option<Duration>,
        interrupt: &Interrupt,
    ) -> Result<Answer, PlayError> {
        let began = Instant::now();
        let (mut solver, start, followed) = self.follow(round);
        solver.set_limits(Limits { time, memory: self.memory, nodes: None });
        solver.resume();
        let handle = solver.interrupt_handle();
        let (sender, receiver) = sync_channel(1);
        let wanted = wanted.clone();
        let thinking = thread::Builder::new().name("player".into()).stack_size(STACK).spawn(move || {
            let answer = solver.ask(&wanted);
            let _ = sender.send((solver, answer));
        });
        if thinking.is_err() {
            return Ok(Answer::stopped(StopReason::Interrupted));
        }
        loop {
            let over = time.is_some_and(|time| began.elapsed() >= time);
            if over || interrupt.is_triggered() {
                handle.trigger();
            }
            match receiver.recv_timeout(TICK) {
                Ok((solver, answer)) => {
                    self.following = Some((solver, start, followed));
                    if interrupt.is_triggered() {
                        return Err(PlayError::Interrupted);
                    }
                    let mut answer = answer.map_err(|error| match error {
                        SolverError::Refused(refusal) => PlayError::Refused(refusal),
                        other => PlayError::Unknown(other.to_string()),
                    })?;
                    if over && answer.stop == Some(StopReason::Interrupted) {
                        answer.stop = Some(StopReason::Time);
                    }
                    return Ok(answer);
                }
                Err(RecvTimeoutError::Timeout) if interrupt.is_triggered() => return Err(PlayError::Interrupted),
                Err(RecvTimeoutError::Timeout) if time.is_some_and(|time| began.elapsed() > time + GRACE) => {
                    return Ok(Answer::stopped(StopReason::Time));
                }
                Err(RecvTimeoutError::Timeout) => {}
                // It panicked, and has said so: this move is guessed.
                Err(RecvTimeoutError::Disconnected) => return Ok(Answer::stopped(StopReason::Interrupted)),
            }
        }
    }

    /// A solver at the present position: the one that followed the game so far, if there is one.
    fn follow(&mut self, round: &Round) -> (Solver, Problem, Vec<Lit>) {
        let moves: Vec<Lit> = round.literals().collect();
        if let Some((mut solver, start, mut followed)) = self.following.take()
            && start == *round.start().given()
            && !matches!(start, Problem::Qbf(_) | Problem::Circuit(_))
        {
            let common = followed.iter().zip(&moves).take_while(|(a, b)| a == b).count();
            while followed.len() > common && solver.undo() {
                followed.pop();
            }
            while followed.len() < moves.len() && solver.play(moves[followed.len()]).is_ok() {
                followed.push(moves[followed.len()]);
            }
            if followed == moves {
                return (solver, start, followed);
            }
        }
        let problem = round.position().problem();
        let mut solver = Solver::new(round.start().given().clone()).with_options(self.options.clone());
        if matches!(problem, Problem::Qbf(_) | Problem::Circuit(_))
            || !moves.iter().all(|&lit| solver.play(lit).is_ok())
        {
            solver = Solver::new(problem).with_options(self.options.clone());
        }
        (solver, round.start().given().clone(), moves)
    }
}

/// Who is bound to win, if that is known.
impl Prospect {
    /// The winner, given who is to move.
    pub fn winner(self, mover: Player) -> Option<Player> {
        match self {
            Prospect::Wins => Some(mover),
            Prospect::Loses => Some(!mover),
            Prospect::Scores(score) if score != 0 => Some(if score > 0 { mover } else { !mover }),
            _ => None,
        }
    }
}

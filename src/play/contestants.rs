//! Contestants inside the program: a die, two that only look at the position, the solver, and the players of games with an
//! order.

use super::guess::guess;
use super::referee::Contestant;
use super::{Chooser, Position, Round};
use crate::play::players::{Entry, Player, Setting, find, players};
use crate::solve::Wanted;
use gamesat_core::control::{Control, Interrupt, StopReason};
use gamesat_core::formula::{Player as Winner, Var};
use gamesat_core::problem::Problem;
use gamesat_encode::generate::Random;
use gamesat_games::theory::evaluate::{random_play, random_play_on_board};
use std::time::Duration;

/// A contestant inside the program, as the list has it.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The name.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Whoever plays any game, or says what it does not play.
    Any(Create),
    /// A player of games with an order.
    Ordered(&'static Entry),
}

impl Named {
    /// A contestant of this kind.
    pub fn contestant(&self, setting: Setting) -> Box<dyn Contestant> {
        match self.kind {
            Kind::Any(create) => create(setting.seed),
            Kind::Ordered(entry) => Box::new(Ordered { entry, player: entry.player(setting) }),
        }
    }

    /// The player of games with an order that it is, or that plays like it.
    pub fn ordered(&self) -> Option<&'static Entry> {
        match self.kind {
            Kind::Any(_) => find(self.name),
            Kind::Ordered(entry) => Some(entry),
        }
    }
}

/// How a player of any game is made, of a seed.
type Create = fn(u64) -> Box<dyn Contestant>;

/// Everybody who plays: those who play any game, and then those of games with an order.
pub fn named() -> Vec<Named> {
    let any: [(&str, &str, Create); 4] = [
        ("random", "any legal move", |seed| Box::new(Die(Random::new(seed)))),
        ("glance", "what looks best without any search", |_| Box::new(Glance)),
        ("playouts", "the cell or element that wins most games of random play, without any search", |seed| {
            Box::new(RandomPlay(Random::new(seed)))
        }),
        ("solver", "the proven move, or a good one when the time is over", |_| Box::new(Solving::default())),
    ];
    let any = any.into_iter().map(|(name, about, create)| Named { name, about, kind: Kind::Any(create) });
    let ordered = players().iter().filter(|entry| entry.name != "random");
    let ordered = ordered.map(|entry| Named { name: entry.name, about: entry.about, kind: Kind::Ordered(entry) });
    any.chain(ordered).collect()
}

/// Any legal move.
struct Die(Random);

impl Contestant for Die {
    fn choose(&mut self, round: &Round, _: Duration, _: &Control) -> Result<String, String> {
        let moves = round.position().moves();
        Ok(round.position().name(moves[self.0.below(moves.len())]))
    }
}

/// What looks best at once.
struct Glance;

impl Contestant for Glance {
    fn choose(&mut self, round: &Round, _: Duration, _: &Control) -> Result<String, String> {
        let lit = guess(round.position(), Duration::ZERO, &|| true).ok_or("the game is over")?;
        Ok(round.position().name(lit))
    }
}

/// Games of random play that are looked at before a move.
const PLAYOUTS: u64 = 10_000;

/// What is best if both go on at random.
struct RandomPlay(Random);

impl Contestant for RandomPlay {
    fn begin(&mut self, start: &Position) -> Result<(), String> {
        match start.given() {
            Problem::Board(_) | Problem::Game(_) => Ok(()),
            _ => Err("it plays boards and games on formulas only".to_owned()),
        }
    }

    fn choose(&mut self, round: &Round, _: Duration, control: &Control) -> Result<String, String> {
        let (position, seed) = (round.position(), self.0.draw());
        let failed = |reason: StopReason| reason.to_string();
        let found = match position.given() {
            Problem::Board(board) => random_play_on_board(board, PLAYOUTS, seed, control).map_err(failed)?,
            Problem::Game(game) => random_play(game, PLAYOUTS, seed, control).map_err(failed)?,
            _ => return Err("another game".to_owned()),
        };
        let best = found.elements.into_iter().reduce(|best, next| {
            let better = next.1.share() > best.1.share();
            if better { next } else { best }
        });
        // What the formula does not contain is left in the end.
        let own = position.moves().into_iter().filter(|lit| best.is_none_or(|(var, _)| lit.var() == var));
        let colour = position.turn() == Some(Winner::Max);
        let lit = own.max_by_key(|lit| lit.is_positive() == colour).ok_or("the game is over")?;
        Ok(position.name(lit))
    }
}

/// The solver.
#[derive(Default)]
struct Solving(Chooser);

impl Contestant for Solving {
    fn claim(&mut self, start: &Round, time: Duration) -> Option<Winner> {
        let answer = self.0.ask(start, &Wanted::default(), Some(time), &Interrupt::new()).ok()?;
        answer.verdict.winner()
    }

    fn choose(&mut self, round: &Round, time: Duration, _: &Control) -> Result<String, String> {
        let choice = self.0.choose(round, Some(time), &Interrupt::new());
        choice.map(|choice| choice.name).map_err(|error| error.to_string())
    }
}

/// A player of games with an order.
struct Ordered {
    entry: &'static Entry,
    player: Box<dyn Player>,
}

impl Contestant for Ordered {
    fn begin(&mut self, start: &Position) -> Result<(), String> {
        match start.given() {
            Problem::Sequential(game) if (self.entry.plays)(game) => Ok(()),
            Problem::Sequential(game) => Err(format!("it does not play {}", game.word())),
            _ => Err("it plays sequential games only".to_owned()),
        }
    }

    fn choose(&mut self, round: &Round, _: Duration, control: &Control) -> Result<String, String> {
        let Problem::Sequential(game) = round.position().given() else { return Err("another game".to_owned()) };
        let chosen = self.player.choose(game, control).map_err(|reason| reason.to_string())?;
        Ok(round.position().name(Var::from_index(usize::from(chosen)).positive()))
    }
}

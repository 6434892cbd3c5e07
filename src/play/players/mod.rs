//! Players of games with an order, by name, and matches between them.
//!
//! A player is asked for a move, again and again, until the game is over. Whoever can say a move can be one: a policy, a
//! search, or somebody outside of this program. A new player is one file and one line in [`players`].

mod domino_players;
mod dots_phases;
mod dots_policy;
mod greedy;
mod matches;
mod random;
mod search;

pub use dots_phases::{cycle_is_dealt, double_crosses, wants_even_chains};
pub use matches::{Tally, game, run};

pub use gamesat_encode::generate::Random as Lots;

use gamesat_core::control::{Control, StopReason};
use gamesat_core::rules::sequential::{Move, Sequential};
use std::time::Duration;

/// Somebody who plays.
pub trait Player: Send {
    /// A move in a position in which somebody moves.
    ///
    /// # Errors
    /// The reason to stop without one.
    fn choose(&mut self, game: &Sequential, control: &Control) -> Result<Move, StopReason>;
}

/// A player as the list has it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Whether it plays this game.
    pub plays: fn(&Sequential) -> bool,
    create: fn(Setting) -> Box<dyn Player>,
}

/// What a player is given before the first game.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Where its random choices begin.
    pub seed: u64,
    /// How long it may think about a move, if it searches.
    pub time: Duration,
}

impl Entry {
    /// A player of this kind.
    pub fn player(&self, setting: Setting) -> Box<dyn Player> {
        (self.create)(setting)
    }
}

/// Every player.
pub fn players() -> &'static [Entry] {
    static PLAYERS: &[Entry] = &[
        Entry {
            name: "random",
            about: "any legal move",
            plays: |_| true,
            create: |setting| Box::new(random::Random::new(setting.seed)),
        },
        Entry {
            name: "greedy",
            about: "the most points at once, else any legal move",
            plays: |_| true,
            create: |setting| Box::new(greedy::Greedy::new(setting.seed)),
        },
        Entry {
            name: "search",
            about: "the best move that is found in the time for a move, sooner if it is proven; of dominoes it sees all hands",
            plays: |_| true,
            create: |setting| Box::new(search::Searcher::new(setting.time)),
        },
        Entry {
            name: "policy",
            about: "Dots-and-Boxes by a table of priorities and the short-chain rule",
            plays: |game| matches!(game, Sequential::Dots(_)),
            create: |setting| Box::new(dots_policy::DotsPolicy::new(setting.seed)),
        },
        Entry {
            name: "phases",
            about: "Dots-and-Boxes in phases, by the long-chain rule",
            plays: |game| matches!(game, Sequential::Dots(_)),
            create: |setting| Box::new(dots_phases::DotsPhases::new(setting.seed)),
        },
        Entry {
            name: "midway",
            about: "dominoes by what a play scores, less a fifth of the best reply",
            plays: |game| matches!(game, Sequential::Dominoes(_)),
            create: |_| Box::new(domino_players::Midway),
        },
        Entry {
            name: "smart",
            about: "dominoes as midway does, but finishing and blocking near the target",
            plays: |game| matches!(game, Sequential::Dominoes(_)),
            create: |_| Box::new(domino_players::Smart),
        },
        Entry {
            name: "guesser",
            about: "dominoes by searching hands that the other side may hold",
            plays: |game| matches!(game, Sequential::Dominoes(_)),
            create: |setting| Box::new(domino_players::Guesser::new(setting.seed)),
        },
    ];
    PLAYERS
}

/// The player of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    players().iter().find(|entry| entry.name == name)
}

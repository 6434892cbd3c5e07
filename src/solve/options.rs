//! How a solver shall go about it. Nothing here changes an answer.

use crate::options::{AbstractionOptions, GameOptions, SimplifyOptions, Technique, tables};

/// Options of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Name of the engine, or `None` for the best one; [`engines`](super::engines) lists them.
    pub engine: Option<String>,
    /// Seed of everything random. The same seed and one thread give the same search.
    pub seed: u64,
    /// Number of threads the engine may use.
    pub threads: usize,
    /// The set colouring engine.
    pub game: GameOptions,
    /// The QBF simplifier.
    pub simplify: SimplifyOptions,
    /// Clausal abstraction.
    pub abstraction: AbstractionOptions,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            engine: None,
            seed: 0,
            threads: 1,
            game: GameOptions::default(),
            simplify: SimplifyOptions::default(),
            abstraction: AbstractionOptions::default(),
        }
    }
}

impl Options {
    /// Every technique of every engine.
    pub fn techniques() -> impl Iterator<Item = &'static Technique> {
        tables().iter().copied().flatten()
    }

    /// Switches the technique of this name; false if there is none of this name.
    pub fn set(&mut self, name: &str, on: bool) -> bool {
        self.game.set(name, on) || self.simplify.set(name, on) || self.abstraction.set(name, on)
    }

    /// Whether the technique of this name is on; `None` if there is none of this name.
    pub fn get(&self, name: &str) -> Option<bool> {
        self.game.get(name).or_else(|| self.simplify.get(name)).or_else(|| self.abstraction.get(name))
    }
}

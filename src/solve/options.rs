//! What a caller can ask of a solver.

use crate::options::GameOptions;

/// Options of a run. [`Options::default`] asks for the verdict alone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Name of the engine, or `None` for the best one; [`engines`](super::engines) lists them.
    pub engine: Option<String>,
    /// Seed of everything random. The same seed and one thread give the same search.
    pub seed: u64,
    /// Number of threads the engine may use.
    pub threads: usize,
    /// Games: find every winning move, not just one.
    pub all_moves: bool,
    /// Games: find elements that suffice for the winner.
    pub trace: bool,
    /// Games: make that set as small as giving elements away one by one can.
    pub shrink_trace: bool,
    /// Games: find a winning strategy.
    pub strategy: bool,
    /// Games: switches of the engine.
    pub game: GameOptions,
    /// QBF: find values of the outermost block.
    pub outer_model: bool,
    /// QBF: make a certificate of the verdict.
    pub certificate: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            engine: None,
            seed: 0,
            threads: 1,
            all_moves: false,
            trace: false,
            shrink_trace: false,
            strategy: false,
            game: GameOptions::default(),
            outer_model: false,
            certificate: false,
        }
    }
}

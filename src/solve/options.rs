//! How a solver shall go about it. Nothing here changes an answer.

use gamesat_core::options::Technique;
use gamesat_games::options::{GameOptions, GraphOptions, SequentialOptions};
use gamesat_qbf::options::{AbstractionOptions, PortfolioOptions, QcdclOptions, SimplifyOptions};

/// Options of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Name of the engine, or `None` for the best one; [`engines`](super::engines) lists them.
    pub engine: Option<String>,
    /// Number of threads the engine may use.
    pub threads: usize,
    /// The set colouring engine.
    pub game: GameOptions,
    /// The graph engine.
    pub graph: GraphOptions,
    /// The QBF simplifier.
    pub simplify: SimplifyOptions,
    /// Clausal abstraction.
    pub abstraction: AbstractionOptions,
    /// Conflict-driven search.
    pub qcdcl: QcdclOptions,
    /// The portfolio of engines for QBFs.
    pub portfolio: PortfolioOptions,
    /// Games with an order.
    pub sequential: SequentialOptions,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            engine: None,
            threads: 1,
            game: GameOptions::default(),
            graph: GraphOptions::default(),
            simplify: SimplifyOptions::default(),
            abstraction: AbstractionOptions::default(),
            qcdcl: QcdclOptions::default(),
            portfolio: PortfolioOptions::default(),
            sequential: SequentialOptions::default(),
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
        self.game.set(name, on)
            || self.graph.set(name, on)
            || self.simplify.set(name, on)
            || self.abstraction.set(name, on)
            || self.qcdcl.set(name, on)
            || self.portfolio.set(name, on)
            || self.sequential.set(name, on)
    }

    /// Whether the technique of this name is on; `None` if there is none of this name.
    pub fn get(&self, name: &str) -> Option<bool> {
        let tables = [
            self.game.get(name),
            self.graph.get(name),
            self.simplify.get(name),
            self.abstraction.get(name),
            self.qcdcl.get(name),
            self.portfolio.get(name),
            self.sequential.get(name),
        ];
        tables.into_iter().flatten().next()
    }
}

/// Every table of techniques, one for each engine.
pub fn tables() -> &'static [&'static [Technique]] {
    &[
        GameOptions::TECHNIQUES,
        GraphOptions::TECHNIQUES,
        SimplifyOptions::TECHNIQUES,
        AbstractionOptions::TECHNIQUES,
        QcdclOptions::TECHNIQUES,
        PortfolioOptions::TECHNIQUES,
        SequentialOptions::TECHNIQUES,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_stands_in_two_tables() {
        let names: Vec<&str> = Options::techniques().map(|technique| technique.name).collect();
        let mut different = names.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), names.len());
    }
}

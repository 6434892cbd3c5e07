//! Prenex QBF: simplification and engines.

//! Set colouring games and games with an order: engines, traces, strategies, sessions.

#[path = "../support/mod.rs"]
mod support;

mod analysis;
mod circuit;
mod colours;
mod connect;
mod domino_vectors;
mod dominoes;
mod dots;
mod dots_search;
mod encodings;
mod minichess;
mod parts;
mod random;
mod reduction;
mod session;
mod signature;
mod specification;
mod strategies;
mod strategy_checker;
mod sudoku;
mod threads;
mod turn_orders;
mod vectors;

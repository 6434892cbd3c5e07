//! Evaluation functions: numbers for positions and cells that cost no search. They guess; nothing is proved by them.

pub mod resistance;

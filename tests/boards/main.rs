//! Boards: their rules, their encodings, and the engine on graphs.

#[path = "../support/mod.rs"]
mod support;

mod autotrees;
mod drawn_formats;
mod encode;
mod encode_qbf;
mod graph_engine;
mod graph_strategy;
mod graph_theorem;
mod graph_threads;
mod known;
mod misere;
mod openings;
mod rules;
mod trees;

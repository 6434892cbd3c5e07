//! What several test files share.
#![allow(dead_code)] // each of them uses its part

pub mod boards;
pub mod quantified;

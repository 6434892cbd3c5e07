//! Boards: what a position is, who has won, what its cells are called.

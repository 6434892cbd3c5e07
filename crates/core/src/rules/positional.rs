//! Positional games: named elements, what Black wants, and in a race what White wants.

use super::{Goal, Rules, Side};

/// A positional game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Positional {
    /// The elements' names, all different.
    pub names: Vec<String>,
    /// What Black wants: sets, or a connection of vertices.
    pub goal: Goal,
    /// In a race: White wins by owning one of these sets first, and without a complete set it is a draw. No set colouring
    /// game expresses that.
    pub race: Option<Vec<Vec<usize>>>,
}

impl Rules for Positional {
    fn word(&self) -> &'static str {
        "pg"
    }

    fn elements(&self) -> usize {
        self.names.len()
    }

    fn goal(&self, side: Side) -> Option<Goal> {
        match side {
            Side::First => Some(self.goal.clone()),
            Side::Second => self.race.clone().map(Goal::Sets),
        }
    }

    fn is_race(&self) -> bool {
        self.race.is_some()
    }

    fn name(&self, element: usize) -> String {
        self.names[element].clone()
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }
}

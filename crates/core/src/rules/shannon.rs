//! Shannon's games on the vertices or the edges of a graph: Short joins the terminals, Cut prevents it. On vertices there
//! may be three terminals, as in the game of Y: then one chain of Short's has to touch all of them.

use super::{Goal, Rules, Side};
use crate::graph::Graph;

/// Shannon's game on a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shannon {
    /// The board.
    pub graph: Graph,
    /// What Short joins; two different vertices, or three if the elements are vertices.
    pub terminals: Vec<usize>,
    /// Whether the elements are edges.
    pub edges: bool,
}

/// What Short and Cut are called.
pub const SIDES: [&str; 2] = ["short", "cut"];

impl Rules for Shannon {
    fn word(&self) -> &'static str {
        "shannon"
    }

    fn elements(&self) -> usize {
        if self.edges { self.graph.edges().len() } else { self.graph.vertices() }
    }

    fn goal(&self, side: Side) -> Option<Goal> {
        (side == Side::First).then(|| {
            if self.edges {
                Goal::Edges { graph: self.graph.clone(), terminals: [self.terminals[0], self.terminals[1]] }
            } else {
                Goal::Vertices { graph: self.graph.clone(), terminals: self.terminals.clone() }
            }
        })
    }

    fn is_terminal(&self, element: usize) -> bool {
        !self.edges && self.terminals.contains(&element)
    }

    fn has_names(&self) -> bool {
        false
    }

    fn side_names(&self) -> [&'static str; 2] {
        SIDES
    }

    /// Short's, unless somebody says so: graphs come from everywhere, and their stones may be no sign.
    fn turn(&self, _: usize, _: usize) -> Side {
        Side::First
    }
}

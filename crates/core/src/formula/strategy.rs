//! A winning strategy of a set colouring game: a graph without cycles, every node a thing to do.
//!
//! What a node *claims* is not stored: it follows from its children, and [`gamesat_check`] derives it again. So a strategy
//! is little more than its moves, and there is nothing in it that could be believed by mistake. Nodes come in
//! topological order, children first, the root last; literals and children lie in two flat vectors.

use super::{Lit, Player};

/// A node of a [`Strategy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyNode<'a> {
    /// These colours, together with one true literal of each pair, decide the game for the winner. Whoever moves, the
    /// winner can see to the pairs: after a reply in one, play the other.
    Leaf {
        /// Colours that are on the board already.
        holds: &'a [Lit],
        /// Literals of uncoloured elements, each two neighbours a pair.
        pairs: &'a [Lit],
    },
    /// The winner gives an element a colour.
    Move {
        /// The element and its colour.
        lit: Lit,
        /// What is left then.
        child: u32,
    },
    /// The winner plays any element on which nothing rests.
    Spare {
        /// What is left then.
        child: u32,
    },
    /// The loser has moved. One child may serve many replies: all those outside the elements it needs.
    Replies {
        /// Children that serve every reply which leaves them the elements they need.
        any: &'a [u32],
        /// Replies that are answered by a child of their own, which may rely on the reply's colour.
        lits: &'a [Lit],
        /// The children of these replies.
        after: &'a [u32],
    },
}

impl<'a> StrategyNode<'a> {
    /// The children.
    pub fn children(self) -> impl Iterator<Item = u32> + use<'a> {
        let (first, second, one): (&[u32], &[u32], _) = match self {
            StrategyNode::Leaf { .. } => (&[], &[], None),
            StrategyNode::Move { child, .. } | StrategyNode::Spare { child } => (&[], &[], Some(child)),
            StrategyNode::Replies { any, after, .. } => (any, after, None),
        };
        first.iter().chain(second).copied().chain(one)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Leaf,
    Move,
    Spare,
    Replies,
}

/// Where a node's literals and children end, and how many of the literals come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Record {
    kind: Kind,
    lits_end: u32,
    children_end: u32,
    split: u32,
}

/// A winning strategy of one player. The last node is the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    winner: Player,
    records: Vec<Record>,
    lits: Vec<Lit>,
    children: Vec<u32>,
}

impl Strategy {
    /// The most literals and the most children a strategy can hold.
    pub const LIMIT: usize = u32::MAX as usize;

    /// A strategy without nodes yet.
    pub fn new(winner: Player) -> Self {
        Strategy { winner, records: Vec::new(), lits: Vec::new(), children: Vec::new() }
    }

    /// The player whose strategy it is.
    pub fn winner(&self) -> Player {
        self.winner
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Number of literals and of children in all nodes together: the larger one of them.
    pub fn size(&self) -> usize {
        self.lits.len().max(self.children.len())
    }

    /// Appends a node and returns its number.
    ///
    /// # Panics
    /// If a child is not there yet, a pair is incomplete, a reply has no child, or there are more than
    /// [`Strategy::LIMIT`] literals or children.
    pub fn push(&mut self, node: StrategyNode<'_>) -> u32 {
        let number = u32::try_from(self.len()).expect("strategy overflow");
        assert!(node.children().all(|child| child < number), "a child before its parent");
        self.children.extend(node.children());
        let mut split = 0;
        let kind = match node {
            StrategyNode::Leaf { holds, pairs } => {
                assert!(pairs.len() % 2 == 0, "an incomplete pair");
                self.lits.extend_from_slice(holds);
                self.lits.extend_from_slice(pairs);
                split = holds.len() as u32;
                Kind::Leaf
            }
            StrategyNode::Move { lit, .. } => {
                self.lits.push(lit);
                Kind::Move
            }
            StrategyNode::Spare { .. } => Kind::Spare,
            StrategyNode::Replies { lits, after, .. } => {
                assert!(lits.len() == after.len(), "every reply has its child");
                self.lits.extend_from_slice(lits);
                Kind::Replies
            }
        };
        let end = |length: usize| u32::try_from(length).expect("strategy overflow");
        self.records.push(Record {
            kind,
            lits_end: end(self.lits.len()),
            children_end: end(self.children.len()),
            split,
        });
        number
    }

    /// The node of this number.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn node(&self, number: usize) -> StrategyNode<'_> {
        let record = self.records[number];
        let (lits_start, children_start) = match number.checked_sub(1) {
            Some(before) => (self.records[before].lits_end as usize, self.records[before].children_end as usize),
            None => (0, 0),
        };
        let lits = &self.lits[lits_start..record.lits_end as usize];
        let children = &self.children[children_start..record.children_end as usize];
        match record.kind {
            Kind::Leaf => {
                let (holds, pairs) = lits.split_at(record.split as usize);
                StrategyNode::Leaf { holds, pairs }
            }
            Kind::Move => StrategyNode::Move { lit: lits[0], child: children[0] },
            Kind::Spare => StrategyNode::Spare { child: children[0] },
            Kind::Replies => {
                let (any, after) = children.split_at(children.len() - lits.len());
                StrategyNode::Replies { any, lits, after }
            }
        }
    }

    /// The same strategy with the players and the colours exchanged.
    pub fn exchanged(&self) -> Self {
        let mut other = Strategy::new(!self.winner());
        let negated = |lits: &[Lit]| lits.iter().map(|&lit| !lit).collect::<Vec<_>>();
        for node in self.nodes() {
            match node {
                StrategyNode::Leaf { holds, pairs } => {
                    other.push(StrategyNode::Leaf { holds: &negated(holds), pairs: &negated(pairs) })
                }
                StrategyNode::Move { lit, child } => other.push(StrategyNode::Move { lit: !lit, child }),
                StrategyNode::Spare { child } => other.push(StrategyNode::Spare { child }),
                StrategyNode::Replies { any, lits, after } => {
                    other.push(StrategyNode::Replies { any, lits: &negated(lits), after })
                }
            };
        }
        other
    }

    /// The nodes in order, the root last.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = StrategyNode<'_>> {
        (0..self.len()).map(|number| self.node(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_come_back_as_they_were_pushed() {
        let lits: Vec<Lit> = [1, -2, 3, 4].map(Lit::from_dimacs).to_vec();
        let nodes = [
            StrategyNode::Leaf { holds: &lits[..2], pairs: &lits[2..] },
            StrategyNode::Leaf { holds: &[], pairs: &[] },
            StrategyNode::Move { lit: lits[1], child: 1 },
            StrategyNode::Spare { child: 0 },
            StrategyNode::Replies { any: &[0, 2], lits: &lits[2..], after: &[3, 1] },
            StrategyNode::Replies { any: &[3], lits: &[], after: &[] },
        ];
        let mut strategy = Strategy::new(Player::Min);
        for (number, &node) in nodes.iter().enumerate() {
            assert_eq!(strategy.push(node) as usize, number);
        }
        assert!(strategy.nodes().eq(nodes));
        assert_eq!(strategy.node(4).children().collect::<Vec<_>>(), [0, 2, 3, 1]);
        assert_eq!(strategy.exchanged().winner(), Player::Max);
        assert_ne!(strategy.exchanged(), strategy);
        assert_eq!(strategy.exchanged().exchanged(), strategy);
    }
}

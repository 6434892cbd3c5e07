//! The clauses as a tree: a node stands for what a clause says up to some level of the prefix.
//!
//! Cut a clause at the boundaries of the quantifier levels. The part up to a level is a *node*; its parent is the part up
//! to the level before that has a literal in the clause. Clauses that begin alike share nodes, so a strategy that speaks
//! of nodes speaks of many clauses at once, and a clause that skips a thousand levels costs them nothing.

use gamesat_core::formula::{ClauseArena, Lit};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A node of the [`ClauseTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Node(u32);

impl Node {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug)]
pub(super) struct ClauseTree {
    parents: Vec<Option<Node>>,
    levels: Vec<u32>,
    /// Literals of a node at its own level: `lits[starts[n]..starts[n + 1]]`.
    lits: Vec<Lit>,
    starts: Vec<u32>,
    /// Whether some clause ends here.
    ends: Vec<bool>,
    by_level: Vec<Vec<Node>>,
    /// By level: nodes where clauses end.
    ends_by_level: Vec<Vec<Node>>,
    /// Where each clause ends; an empty one has no node.
    end_of: Vec<Option<Node>>,
}

impl ClauseTree {
    /// Builds the tree of clauses whose literals are sorted by level; `level_of` gives the level of each variable.
    pub(super) fn new(clauses: &ClauseArena, level_of: &[u32], levels: usize) -> Self {
        let mut tree = ClauseTree {
            parents: Vec::new(),
            levels: Vec::new(),
            lits: Vec::new(),
            starts: vec![0],
            ends: Vec::new(),
            by_level: vec![Vec::new(); levels],
            ends_by_level: Vec::new(),
            end_of: Vec::with_capacity(clauses.len()),
        };
        let mut table: HashTable<Node> = HashTable::new();
        for clause in clauses {
            let mut parent = None;
            let segments = clause.chunk_by(|a, b| level_of[a.var().index()] == level_of[b.var().index()]);
            for segment in segments {
                let level = level_of[segment[0].var().index()];
                parent = Some(tree.child(&mut table, parent, level, segment));
            }
            if let Some(Node(last)) = parent {
                tree.ends[last as usize] = true;
            }
            tree.end_of.push(parent);
        }
        let ends = |nodes: &Vec<Node>| nodes.iter().copied().filter(|&node| tree.is_end(node)).collect();
        tree.ends_by_level = tree.by_level.iter().map(ends).collect();
        tree
    }

    fn child(&mut self, table: &mut HashTable<Node>, parent: Option<Node>, level: u32, segment: &[Lit]) -> Node {
        let hash = |parent: Option<Node>, segment: &[Lit]| {
            let mut hasher = FxHasher::default();
            (parent, segment).hash(&mut hasher);
            hasher.finish()
        };
        let wanted = hash(parent, segment);
        if let Some(&node) = table.find(wanted, |&n| self.parent(n) == parent && self.lits(n) == segment) {
            return node;
        }
        let node = Node(self.parents.len() as u32);
        self.parents.push(parent);
        self.levels.push(level);
        self.lits.extend_from_slice(segment);
        self.starts.push(self.lits.len() as u32);
        self.ends.push(false);
        self.by_level[level as usize].push(node);
        table.insert_unique(wanted, node, |&n| hash(self.parent(n), self.lits(n)));
        node
    }

    pub(super) fn node(&self, index: usize) -> Node {
        debug_assert!(index < self.len());
        Node(index as u32)
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// The node of the clause's outer part, `None` if there is no outer part.
    #[inline]
    pub(super) fn parent(&self, node: Node) -> Option<Node> {
        self.parents[node.index()]
    }

    #[inline]
    pub(super) fn level(&self, node: Node) -> usize {
        self.levels[node.index()] as usize
    }

    /// The node's literals at its own level.
    #[inline]
    pub(super) fn lits(&self, node: Node) -> &[Lit] {
        &self.lits[self.starts[node.index()] as usize..self.starts[node.index() + 1] as usize]
    }

    /// Whether a clause ends here, so that the node itself must be satisfied.
    #[inline]
    pub(super) fn is_end(&self, node: Node) -> bool {
        self.ends[node.index()]
    }

    /// The node where the clause with this index ends, `None` if the clause is empty.
    pub(super) fn end_of(&self, clause: usize) -> Option<Node> {
        self.end_of[clause]
    }

    /// The nodes of a level where clauses end.
    pub(super) fn ends_at(&self, level: usize) -> &[Node] {
        &self.ends_by_level[level]
    }

    pub(super) fn at_level(&self, level: usize) -> &[Node] {
        &self.by_level[level]
    }
}

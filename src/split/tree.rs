//! The tree of a question that was cut.

use crate::formula::{Lit, Player};

/// A node of the tree; nodes come after their children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A question of its own, by its number.
    Cube(usize),
    /// Decided while the question was cut.
    Known(Player),
    /// This player chooses; moves that are not listed are no better.
    Choice(Player, Vec<(Lit, usize)>),
}

/// A question that was cut. The last node is the question itself.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Tree {
    /// The nodes, children first.
    pub nodes: Vec<Node>,
    /// The moves that lead to each cube.
    pub cubes: Vec<Vec<Lit>>,
}

impl Tree {
    /// Whether the tree is one: children before their parents, every cube there.
    pub fn is_sound(&self) -> bool {
        let sound = |(number, node): (usize, &Node)| match node {
            Node::Cube(cube) => *cube < self.cubes.len(),
            Node::Known(_) => true,
            Node::Choice(_, children) => !children.is_empty() && children.iter().all(|&(_, child)| child < number),
        };
        !self.nodes.is_empty() && self.nodes.iter().enumerate().all(sound)
    }

    /// The winner at each node, as far as these winners of cubes decide it.
    pub fn winners(&self, cubes: &[Option<Player>]) -> Vec<Option<Player>> {
        let mut winners: Vec<Option<Player>> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            winners.push(match node {
                Node::Cube(cube) => cubes.get(*cube).copied().flatten(),
                Node::Known(winner) => Some(*winner),
                Node::Choice(player, children) => {
                    let mut results = children.iter().map(|&(_, child)| winners[child]);
                    if results.clone().any(|result| result == Some(*player)) {
                        Some(*player)
                    } else {
                        results.all(|result| result == Some(!*player)).then_some(!*player)
                    }
                }
            });
        }
        winners
    }

    /// The winner of the question, if these winners of cubes decide it.
    pub fn winner(&self, cubes: &[Option<Player>]) -> Option<Player> {
        self.winners(cubes).last().copied().flatten()
    }

    /// The cubes that are not solved and whose answer can still matter, ascending.
    pub fn needed(&self, cubes: &[Option<Player>]) -> Vec<usize> {
        let winners = self.winners(cubes);
        let mut wanted = vec![false; self.nodes.len()];
        if let Some(root) = wanted.last_mut() {
            *root = true;
        }
        let mut needed = Vec::new();
        for number in (0..self.nodes.len()).rev().filter(|&number| winners[number].is_none()) {
            if !wanted[number] {
                continue;
            }
            match &self.nodes[number] {
                Node::Cube(cube) => needed.push(*cube),
                Node::Known(_) => {}
                Node::Choice(_, children) => children.iter().for_each(|&(_, child)| wanted[child] = true),
            }
        }
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Some moves that lead to each node.
    pub fn paths(&self) -> Vec<Vec<Lit>> {
        let mut paths: Vec<Option<Vec<Lit>>> = vec![None; self.nodes.len()];
        if let Some(root) = paths.last_mut() {
            *root = Some(Vec::new());
        }
        for number in (0..self.nodes.len()).rev() {
            if let (Node::Choice(_, children), Some(path)) = (&self.nodes[number], paths[number].clone()) {
                for &(lit, child) in children {
                    paths[child].get_or_insert_with(|| path.iter().copied().chain([lit]).collect());
                }
            }
        }
        paths.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// Puts the tree of a cube that was cut again in its place. Its cubes get the next numbers; that of the old one stays and
    /// is needed no more.
    pub fn graft(&mut self, cube: usize, branch: &Tree) {
        let Some(place) = self.nodes.iter().position(|node| *node == Node::Cube(cube)) else { return };
        let (before, first) = (self.cubes[cube].clone(), self.cubes.len());
        // The branch comes right before the node it replaces, so that children still come first.
        let moved = |number: usize| if number >= place { number + branch.nodes.len() - 1 } else { number };
        let mut nodes: Vec<Node> = self.nodes[..place].to_vec();
        nodes.extend(branch.nodes.iter().map(|node| match node {
            Node::Cube(number) => Node::Cube(first + number),
            Node::Known(winner) => Node::Known(*winner),
            Node::Choice(player, children) => {
                Node::Choice(*player, children.iter().map(|&(lit, child)| (lit, place + child)).collect())
            }
        }));
        nodes.extend(self.nodes[place + 1..].iter().map(|node| match node {
            Node::Choice(player, children) => {
                Node::Choice(*player, children.iter().map(|&(lit, child)| (lit, moved(child))).collect())
            }
            other => other.clone(),
        }));
        self.nodes = nodes;
        self.cubes.extend(branch.cubes.iter().map(|path| before.iter().chain(path).copied().collect()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lit(number: i32) -> Lit {
        Lit::from_dimacs(number)
    }

    /// MAX chooses between cube 0 and a node where MIN chooses between cubes 1 and 2.
    fn tree() -> Tree {
        let nodes = vec![
            Node::Cube(0),
            Node::Cube(1),
            Node::Cube(2),
            Node::Choice(Player::Min, vec![(lit(-2), 1), (lit(-3), 2)]),
            Node::Choice(Player::Max, vec![(lit(1), 0), (lit(4), 3)]),
        ];
        Tree { nodes, cubes: vec![vec![lit(1)], vec![lit(4), lit(-2)], vec![lit(4), lit(-3)]] }
    }

    #[test]
    fn the_answer_is_known_as_early_as_can_be() {
        let (max, min) = (Some(Player::Max), Some(Player::Min));
        let tree = tree();
        assert!(tree.is_sound());
        assert_eq!(tree.needed(&[None, None, None]), [0, 1, 2]);
        assert_eq!(tree.winner(&[max, None, None]), max);
        assert_eq!(tree.needed(&[max, None, None]), [] as [usize; 0]);
        assert_eq!(tree.needed(&[None, min, None]), [0]);
        assert_eq!(tree.winner(&[min, None, min]), min);
        assert_eq!(tree.winner(&[min, max, None]), None);
    }

    #[test]
    fn a_cube_that_is_cut_again_is_replaced() {
        let mut tree = tree();
        tree.graft(
            1,
            &Tree {
                nodes: vec![
                    Node::Cube(0),
                    Node::Known(Player::Min),
                    Node::Choice(Player::Max, vec![(lit(5), 0), (lit(6), 1)]),
                ],
                cubes: vec![vec![lit(5)]],
            },
        );
        assert!(tree.is_sound());
        assert_eq!(tree.cubes[3], [lit(4), lit(-2), lit(5)]);
        let (max, min) = (Some(Player::Max), Some(Player::Min));
        assert_eq!(tree.needed(&[None; 4]), [0, 2, 3]);
        assert_eq!(tree.winner(&[min, None, max, max]), max);
        assert_eq!(tree.winner(&[min, None, max, min]), min);
    }
}

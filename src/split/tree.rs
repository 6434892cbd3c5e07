//! The tree of a question that was cut.
//!
//! On a board, whoever has refuted a move inside some cells, the *trace*, has refuted every move outside of them as well:
//! one cube that is solved can make its siblings unnecessary. A trace passes on to the move of the winner that leads to it;
//! beyond a choice of the loser it would have to contain what was ruled out when the question was cut, and is dropped.

use gamesat_core::formula::{Lit, Player, Var};

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

/// What is known about a cube or a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Won {
    /// Who wins.
    pub winner: Player,
    /// Elements inside which the winner wins whatever happens elsewhere, where that is known.
    pub trace: Option<Vec<Var>>,
}

impl Won {
    /// A win without a trace.
    pub fn plain(winner: Player) -> Self {
        Won { winner, trace: None }
    }
}

/// The children that can still help the player who chooses: not refuted, and in what all refutations have in common.
pub(super) fn open_children(player: Player, children: &[(Lit, usize)], outcomes: &[Option<Won>]) -> Vec<usize> {
    let refuted = |child: usize| outcomes[child].as_ref().filter(|won| won.winner != player);
    let traces: Vec<&Vec<Var>> = children.iter().filter_map(|&(_, child)| refuted(child)?.trace.as_ref()).collect();
    let helps = |lit: Lit| traces.iter().all(|trace| trace.contains(&lit.var()));
    children.iter().filter(|&&(lit, child)| refuted(child).is_none() && helps(lit)).map(|&(_, child)| child).collect()
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
        let plain: Vec<Option<Won>> = cubes.iter().map(|winner| winner.map(Won::plain)).collect();
        self.outcomes(&plain).iter().map(|won| won.as_ref().map(|won| won.winner)).collect()
    }

    /// The winner and perhaps a trace at each node, as far as these outcomes of cubes decide it. Behind them there may be the
    /// outcome of the whole question.
    pub fn outcomes(&self, cubes: &[Option<Won>]) -> Vec<Option<Won>> {
        let retired = self.retired(cubes);
        let mut outcomes: Vec<Option<Won>> = Vec::with_capacity(self.nodes.len());
        for (number, node) in self.nodes.iter().enumerate() {
            let by_itself = match node {
                Node::Cube(cube) => cubes.get(*cube).cloned().flatten(),
                Node::Known(winner) => Some(Won::plain(*winner)),
                Node::Choice(player, children) => {
                    let won = |child: usize| outcomes[child].as_ref().filter(|won| won.winner == *player);
                    match children.iter().find_map(|&(lit, child)| Some((lit, won(child)?))) {
                        Some((lit, won)) => {
                            let with = |trace: &Vec<Var>| trace.iter().copied().chain([lit.var()]).collect();
                            Some(Won { winner: *player, trace: won.trace.as_ref().map(with) })
                        }
                        None => open_children(*player, children, &outcomes).is_empty().then(|| Won::plain(!*player)),
                    }
                }
            };
            let old = retired.iter().find(|&&(place, _)| place == number);
            outcomes.push(by_itself.or_else(|| cubes[old?.1].clone()));
        }
        outcomes
    }

    /// A cube that was cut again and whose pieces say that it is won by another player than it says itself; or the whole
    /// question, by its place behind the cubes.
    pub fn contradiction(&self, cubes: &[Option<Won>]) -> Option<usize> {
        let retired = self.retired(cubes);
        let mut alone = cubes.to_vec();
        retired.iter().for_each(|&(_, cube)| alone[cube] = None);
        let outcomes = self.outcomes(&alone);
        let differ = |&&(place, cube): &&(usize, usize)| match (&outcomes[place], &cubes[cube]) {
            (Some(pieces), Some(whole)) => pieces.winner != whole.winner,
            _ => false,
        };
        retired.iter().find(differ).map(|&(_, cube)| cube)
    }

    /// Cubes that were cut again and are solved all the same, and where their nodes are now: such an answer counts, too, and so
    /// does that of the whole question.
    fn retired(&self, cubes: &[Option<Won>]) -> Vec<(usize, usize)> {
        let mut used = vec![false; self.cubes.len()];
        for node in &self.nodes {
            if let Node::Cube(cube) = node {
                used[*cube] = true;
            }
        }
        let solved = |&cube: &usize| !used[cube] && cubes.get(cube).is_some_and(Option::is_some);
        let again = (0..self.cubes.len()).filter(solved);
        let mut retired: Vec<(usize, usize)> =
            again.filter_map(|cube| Some((self.place(&self.cubes[cube])?, cube))).collect();
        if let (Some(Some(_)), Some(root)) = (cubes.get(self.cubes.len()), self.nodes.len().checked_sub(1)) {
            retired.push((root, self.cubes.len()));
        }
        retired
    }

    /// The node that some moves lead to.
    fn place(&self, path: &[Lit]) -> Option<usize> {
        path.iter().try_fold(self.nodes.len().checked_sub(1)?, |number, lit| match &self.nodes[number] {
            Node::Choice(_, children) => children.iter().find(|(other, _)| other == lit).map(|&(_, child)| child),
            _ => None,
        })
    }

    /// The winner of the question, if these winners of cubes decide it.
    pub fn winner(&self, cubes: &[Option<Player>]) -> Option<Player> {
        self.winners(cubes).last().copied().flatten()
    }

    /// The cubes that are not solved and whose answer can still matter, ascending.
    pub fn needed(&self, cubes: &[Option<Won>]) -> Vec<usize> {
        let outcomes = self.outcomes(cubes);
        let mut wanted = vec![false; self.nodes.len()];
        if let Some(root) = wanted.last_mut() {
            *root = true;
        }
        let mut needed = Vec::new();
        for number in (0..self.nodes.len()).rev().filter(|&number| outcomes[number].is_none()) {
            if !wanted[number] {
                continue;
            }
            match &self.nodes[number] {
                Node::Cube(cube) => needed.push(*cube),
                Node::Known(_) => {}
                Node::Choice(player, children) => {
                    open_children(*player, children, &outcomes).into_iter().for_each(|child| wanted[child] = true);
                }
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
        let plain = |player: Player| Some(Won::plain(player));
        assert_eq!(tree.needed(&[None, None, None]), [0, 1, 2]);
        assert_eq!(tree.winner(&[max, None, None]), max);
        assert_eq!(tree.needed(&[plain(Player::Max), None, None]), [] as [usize; 0]);
        assert_eq!(tree.needed(&[None, plain(Player::Min), None]), [0]);
        assert_eq!(tree.winner(&[min, None, min]), min);
        assert_eq!(tree.winner(&[min, max, None]), None);
    }

    #[test]
    fn what_a_refutation_does_not_meet_is_refuted_too() {
        let tree = tree();
        let within = |winner: Player, elements: &[i32]| {
            Some(Won { winner, trace: Some(elements.iter().map(|&number| Var::from_dimacs(number)).collect()) })
        };
        // MAX at 1 is refuted inside {5, 6}: 4 does not help either.
        let found = [within(Player::Min, &[5, 6]), None, None];
        assert_eq!(tree.outcomes(&found).last().cloned().flatten().map(|won| won.winner), Some(Player::Min));
        assert_eq!(tree.needed(&found), [] as [usize; 0]);
        // Inside {4, 5}: 4 has to be looked at. There MIN at 2 is refuted, and 3 does not meet that.
        let found = [within(Player::Min, &[4, 5]), None, None];
        assert_eq!(tree.needed(&found), [1, 2]);
        let found = [within(Player::Min, &[4, 5]), within(Player::Max, &[6]), None];
        assert_eq!(tree.outcomes(&found).last().cloned().flatten().map(|won| won.winner), Some(Player::Max));
    }

    #[test]
    fn the_answer_to_the_whole_needs_no_cube() {
        let tree = tree();
        let plain = |player: Player| Some(Won::plain(player));
        let found = [None, None, None, plain(Player::Min)];
        assert_eq!(tree.outcomes(&found).last().cloned().flatten().map(|won| won.winner), Some(Player::Min));
        assert_eq!(tree.needed(&found), [] as [usize; 0]);
        assert_eq!(tree.contradiction(&found), None);
        assert_eq!(tree.contradiction(&[plain(Player::Max), None, None, plain(Player::Min)]), Some(3));
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
        assert_eq!(tree.needed(&[const { None }; 4]), [0, 2, 3]);
        assert_eq!(tree.winner(&[min, None, max, max]), max);
        assert_eq!(tree.winner(&[min, None, max, min]), min);
        // Whoever was still at work on the old cube has not worked for nothing, if the pieces do not say otherwise.
        assert_eq!(tree.winner(&[min, max, max, None]), max);
        let plain = |players: &[Option<Player>]| players.iter().map(|p| p.map(Won::plain)).collect::<Vec<_>>();
        assert_eq!(tree.contradiction(&plain(&[min, max, max, None])), None);
        assert_eq!(tree.contradiction(&plain(&[min, max, max, max])), None);
        assert_eq!(tree.contradiction(&plain(&[min, max, max, min])), Some(1));
    }
}

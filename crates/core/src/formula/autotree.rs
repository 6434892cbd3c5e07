//! Autotrees: strategies that people can read (van Rijswijck 2006).
//!
//! A *plan* is an element that the winner plays, or nothing, and any number of *choices* that are all kept up at the same
//! time; a choice is a list of plans. When the opponent plays an element of a choice, the winner goes on with a plan of that
//! choice in which the element does not occur. What makes such a tree a proof is said in `crates/check/src/proof/autotree.rs`.
//!
//! `c2 (b3 | c3) (d1 | c1)` is: play c2; whenever the opponent takes one of b3 and c3, take the other, and so with d1 and c1.

use super::{Lit, Player, Strategy, StrategyNode};

/// A piece of an [`Autotree`], in the order in which it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutotreePart {
    /// A plan begins: the winner plays this element, by its place among the labels.
    Play(u32),
    /// A plan begins without a move.
    Keep,
    /// A choice of the plan before begins.
    Open,
    /// Another plan of the choice follows.
    Or,
    /// The choice ends.
    Close,
}

/// A strategy as a tree. Elements are words: names, or numbers from 1; a minus before them is the opponent's colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Autotree {
    winner: Player,
    labels: Vec<String>,
    parts: Vec<AutotreePart>,
}

impl Autotree {
    /// The most pieces of a tree that is unfolded.
    pub const LIMIT: usize = 1 << 22;

    /// A tree of these pieces; `None` if they do not make one.
    pub fn new(winner: Player, labels: Vec<String>, parts: Vec<AutotreePart>) -> Option<Self> {
        let (mut depth, mut wants_plan) = (0usize, true);
        for part in &parts {
            match (part, wants_plan) {
                (AutotreePart::Play(label), true) if (*label as usize) < labels.len() => wants_plan = false,
                (AutotreePart::Keep, true) => wants_plan = false,
                (AutotreePart::Open, false) => (depth, wants_plan) = (depth + 1, true),
                (AutotreePart::Or, false) if depth > 0 => wants_plan = true,
                (AutotreePart::Close, false) if depth > 0 => depth -= 1,
                _ => return None,
            }
        }
        (depth == 0 && !wants_plan).then_some(Autotree { winner, labels, parts })
    }

    /// What an element is called in a tree: its name if that is a plain word, else its number from 1.
    pub fn word(name: &str, index: usize) -> String {
        let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if plain { name.to_owned() } else { (index + 1).to_string() }
    }

    /// Whose strategy it is.
    pub fn winner(&self) -> Player {
        self.winner
    }

    /// What the plans play.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The pieces in the order in which they are written.
    pub fn parts(&self) -> &[AutotreePart] {
        &self.parts
    }

    /// Number of plans and choices.
    pub fn size(&self) -> usize {
        let counts = |part: &&AutotreePart| !matches!(part, AutotreePart::Or | AutotreePart::Close);
        self.parts.iter().filter(counts).count()
    }

    /// The tree of a strategy, elements named as `name` says. `None` if a move relies on a colour of the opponent's, which a
    /// tree cannot say, or if the tree would be too large.
    pub fn unfold(strategy: &Strategy, name: impl Fn(Lit) -> String) -> Option<Self> {
        enum Step {
            Plan(u32),
            Choices(u32),
            Part(AutotreePart),
        }
        let root = strategy.len().checked_sub(1)? as u32;
        let mut tree = Autotree { winner: strategy.winner(), labels: Vec::new(), parts: Vec::new() };
        let mut steps = vec![Step::Plan(root)];
        while let Some(step) = steps.pop() {
            if tree.parts.len() + steps.len() > Self::LIMIT {
                return None;
            }
            let play = |lit: Lit, labels: &mut Vec<String>| {
                labels.push(name(lit));
                AutotreePart::Play(labels.len() as u32 - 1)
            };
            match step {
                Step::Part(part) => tree.parts.push(part),
                Step::Plan(number) => match strategy.node(number as usize) {
                    StrategyNode::Move { lit, child } => {
                        let part = play(lit, &mut tree.labels);
                        tree.parts.push(part);
                        steps.push(Step::Choices(child));
                    }
                    StrategyNode::Spare { child } => {
                        tree.parts.push(AutotreePart::Keep);
                        steps.push(Step::Choices(child));
                    }
                    StrategyNode::Leaf { .. } | StrategyNode::Replies { .. } => {
                        tree.parts.push(AutotreePart::Keep);
                        steps.push(Step::Choices(number));
                    }
                },
                Step::Choices(number) => match strategy.node(number as usize) {
                    StrategyNode::Leaf { pairs, .. } => {
                        for pair in pairs.chunks_exact(2) {
                            tree.parts.push(AutotreePart::Open);
                            let one = play(pair[0], &mut tree.labels);
                            let two = play(pair[1], &mut tree.labels);
                            tree.parts.extend([one, AutotreePart::Or, two, AutotreePart::Close]);
                        }
                    }
                    StrategyNode::Replies { any, lits: [], .. } => {
                        tree.parts.push(AutotreePart::Open);
                        steps.push(Step::Part(AutotreePart::Close));
                        for (at, &child) in any.iter().enumerate().rev() {
                            steps.push(Step::Plan(child));
                            if at > 0 {
                                steps.push(Step::Part(AutotreePart::Or));
                            }
                        }
                    }
                    _ => return None,
                },
            }
        }
        Autotree::new(tree.winner, tree.labels, tree.parts)
    }
}

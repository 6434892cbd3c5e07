//! One proof of the proofs of cubes.
//!
//! Functions: where the winner chose a value it is a constant; where the loser chose, the functions of both values are there,
//! and the variable selects. Strategies: where the winner moved there is a move, where the loser moved there are replies.

use super::{Node, Tree};
use gamesat_core::formula::{Aig, Lit, Player, Proof, Strategy, StrategyNode, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The proof of the whole from proofs of the leaves that the winner needs, by their numbers among the nodes. `inputs` are the
/// variables of a formula. On a board, which is isotone, what answers one reply answers every other one that it can spare.
pub fn assemble(
    tree: &Tree,
    winner: Player,
    winners: &[Option<Player>],
    proofs: &BTreeMap<usize, Proof>,
    inputs: &[Var],
    isotone: bool,
) -> Option<Proof> {
    if proofs.values().all(|proof| matches!(proof, Proof::Functions(_))) {
        functions_of(tree, winner, winners, proofs, inputs)
    } else {
        strategy_of(tree, winner, winners, proofs, isotone)
    }
}

/// The leaves on which the winner's proof rests.
pub fn leaves(tree: &Tree, winner: Player, winners: &[Option<Player>]) -> Vec<usize> {
    let wanted = wanted(tree, winner, winners);
    let is_leaf = |&number: &usize| wanted[number] && !matches!(tree.nodes[number], Node::Choice(..));
    (0..tree.nodes.len()).filter(is_leaf).collect()
}

/// The nodes on which the winner's proof rests.
fn wanted(tree: &Tree, winner: Player, winners: &[Option<Player>]) -> Vec<bool> {
    let mut wanted = vec![false; tree.nodes.len()];
    if let Some(root) = wanted.last_mut() {
        *root = true;
    }
    for number in (0..tree.nodes.len()).rev() {
        if wanted[number] {
            let children = rests_on(tree, winner, winners, number).unwrap_or_default();
            children.iter().for_each(|&(_, child)| wanted[child] = true);
        }
    }
    wanted
}

/// For each node that the winner needs, the children that it rests on.
fn rests_on(tree: &Tree, winner: Player, winners: &[Option<Player>], number: usize) -> Option<Vec<(Lit, usize)>> {
    let Node::Choice(player, children) = &tree.nodes[number] else { return Some(Vec::new()) };
    if *player == winner {
        children.iter().copied().find(|&(_, child)| winners[child] == Some(winner)).map(|child| vec![child])
    } else {
        Some(children.clone())
    }
}

fn functions_of(
    tree: &Tree,
    winner: Player,
    winners: &[Option<Player>],
    proofs: &BTreeMap<usize, Proof>,
    inputs: &[Var],
) -> Option<Proof> {
    let wanted = wanted(tree, winner, winners);
    let mut graph = Aig::new(inputs.to_vec());
    let index: FxHashMap<Var, usize> = inputs.iter().enumerate().map(|(index, &var)| (var, index)).collect();
    let signals: Vec<Lit> = (0..inputs.len()).map(|index| graph.input(index)).collect();
    // The winner's functions at each node.
    let mut at: Vec<Option<FxHashMap<Var, Lit>>> = vec![None; tree.nodes.len()];
    for number in 0..tree.nodes.len() {
        if !wanted[number] {
            continue;
        }
        at[number] = match &tree.nodes[number] {
            Node::Choice(..) => {
                let children = rests_on(tree, winner, winners, number)?;
                match children[..] {
                    [(lit, child)] => {
                        let mut functions = at[child].clone()?;
                        functions.insert(lit.var(), if lit.is_positive() { Aig::TRUE } else { Aig::FALSE });
                        Some(functions)
                    }
                    [(lit, one), (_, other)] => {
                        let (then, otherwise) = if lit.is_positive() { (one, other) } else { (other, one) };
                        let condition = graph.input(*index.get(&lit.var())?);
                        let (then, otherwise) = (at[then].clone()?, at[otherwise].clone()?);
                        let mut vars: Vec<Var> = then.keys().chain(otherwise.keys()).copied().collect();
                        vars.sort_unstable();
                        vars.dedup();
                        let value = |functions: &FxHashMap<Var, Lit>, var: Var| {
                            functions.get(&var).copied().unwrap_or(Aig::FALSE)
                        };
                        let chosen =
                            |var: Var| (var, graph.select(condition, value(&then, var), value(&otherwise, var)));
                        Some(vars.into_iter().map(chosen).collect())
                    }
                    _ => return None,
                }
            }
            _ => {
                let Some(Proof::Functions(proof)) = proofs.get(&number) else { continue };
                let inputs = |var: Var| index.get(&var).map_or(Aig::FALSE, |&index| signals[index]);
                let signals = graph.import(proof, inputs);
                Some(proof.outputs().iter().map(|&(var, _)| var).zip(signals).collect())
            }
        };
    }
    let functions = at.pop().flatten()?;
    let mut outputs: Vec<(Var, Lit)> = functions.into_iter().collect();
    outputs.sort_unstable();
    outputs.into_iter().for_each(|(var, signal)| graph.output(var, signal));
    graph.retain_used();
    Some(Proof::Functions(graph))
}

fn strategy_of(
    tree: &Tree,
    winner: Player,
    winners: &[Option<Player>],
    proofs: &BTreeMap<usize, Proof>,
    isotone: bool,
) -> Option<Proof> {
    let mut whole = Strategy::new(winner);
    let (wanted, paths) = (wanted(tree, winner, winners), tree.paths());
    let mut roots: Vec<Option<u32>> = vec![None; tree.nodes.len()];
    for number in 0..tree.nodes.len() {
        if !wanted[number] {
            continue;
        }
        roots[number] = match &tree.nodes[number] {
            Node::Choice(player, _) => {
                let children = rests_on(tree, winner, winners, number)?;
                if *player == winner {
                    let &(lit, child) = children.first()?;
                    let child = roots[child]?;
                    Some(whole.push(StrategyNode::Move { lit, child }))
                } else {
                    let lits: Vec<Lit> = children.iter().map(|&(lit, _)| lit).collect();
                    let after: Vec<u32> = children.iter().map(|&(_, child)| roots[child]).collect::<Option<_>>()?;
                    Some(whole.push(if isotone {
                        StrategyNode::Replies { any: &after, lits: &[], after: &[] }
                    } else {
                        StrategyNode::Replies { any: &[], lits: &lits, after: &after }
                    }))
                }
            }
            _ => {
                let Some(Proof::Strategy(part)) = proofs.get(&number) else { continue };
                let base = whole.len() as u32;
                for node in part.nodes() {
                    let moved = |child: u32| child + base;
                    match node {
                        StrategyNode::Leaf { holds, pairs } => {
                            // What was on the board of the cube has to be said on the board of the whole: in an isotone game the
                            // winner's own moves, which are all that a leaf can rest on.
                            let mut holds = holds.to_vec();
                            let rests = |lit: &Lit| !isotone || lit.is_positive() == (winner == Player::Max);
                            holds.extend(paths[number].iter().copied().filter(rests));
                            holds.sort_unstable();
                            holds.dedup();
                            whole.push(StrategyNode::Leaf { holds: &holds, pairs })
                        }
                        StrategyNode::Move { lit, child } => {
                            whole.push(StrategyNode::Move { lit, child: moved(child) })
                        }
                        StrategyNode::Spare { child } => whole.push(StrategyNode::Spare { child: moved(child) }),
                        StrategyNode::Replies { any, lits, after } => {
                            let any: Vec<u32> = any.iter().map(|&child| moved(child)).collect();
                            let after: Vec<u32> = after.iter().map(|&child| moved(child)).collect();
                            whole.push(StrategyNode::Replies { any: &any, lits, after: &after })
                        }
                    };
                }
                (whole.len() as u32).checked_sub(1).filter(|_| !part.is_empty())
            }
        };
    }
    roots.last().copied().flatten()?;
    Some(Proof::Strategy(whole))
}

//! Is this autotree a win?
//!
//! **Conditions.** Let `W` be the player whose tree it is.
//! 1. Every element is uncoloured, and `W` may give it that colour. If the other player is to move, the first plan has no
//!    move.
//! 2. The choices of one plan have no element in common with each other or with the plan's own move.
//! 3. No element is in all plans of a choice.
//! 4. *Pick* one plan in every choice, from the root on: whatever is picked, the formula, or the board, has `W`'s value
//!    whenever the moves of the plans that were reached are made, no matter who gets the rest.
//!
//! **Theorem.** *Then `W` wins.* `W` keeps a set of choices that are open, without elements in common, all elements of which
//! are uncoloured; at the beginning, after the first plan's move, its choices. An element that the opponent colours is in at
//! most one of them, by 2, and by 3 there is a plan of that choice without it. `W` picks it, makes its move, if it has one, and
//! instead of the choice those of the plan are open: subsets of it, so still apart from the others and uncoloured. If the
//! opponent plays elsewhere, or the plan has no move, `W` picks a plan of any open choice, and once more until a move is made;
//! if no choice is open any more, everything was picked, the value is settled by 4, and `W` moves anywhere. At the end of the
//! game every element is coloured, so no choice is open. ∎ Nothing was said about the formula but 4, so this holds in every
//! set colouring game.
//!
//! The fourth condition row by row: where `W` must meet every row, a plan meets a row if its move does or one of its choices,
//! and a choice if all of its plans do. Otherwise it is a question for the SAT solver that knows every completion that `W` does
//! not win: is there one with a pick?

use super::board_decided::BoardDecided;
use super::decided::Decided;
use super::judge::Judge;
use crate::solver::SatSolver;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Autotree, AutotreePart, Game, Lit, Player, Rule, Var};
use gamesat_core::rules::Board;
use rustc_hash::{FxHashMap, FxHashSet};

/// A tree whose labels are elements of a problem.
pub(super) struct Planted<'a> {
    pub(super) parts: &'a [AutotreePart],
    pub(super) lits: Vec<Lit>,
}

/// What a judge of trees finds: nothing wrong, or why it is.
type Found = Result<(), String>;

/// Judges a tree of a game.
///
/// # Errors
/// The reason to stop before it is known.
pub(super) fn check_game_autotree(
    game: &Game,
    tree: &Autotree,
    judge: Judge,
    control: &Control,
) -> Result<Found, StopReason> {
    let played: FxHashSet<Var> = game.played().iter().map(|lit| lit.var()).collect();
    let find = |word: &str| game.names.find(word).or_else(|| number(word)).filter(|var| var.index() < game.elements());
    let lits = match planted(tree, find, |var| !played.contains(&var), game.rule, game.turn) {
        Ok(lits) => lits,
        Err(why) => return Ok(Err(why)),
    };
    let tree_of = Planted { parts: tree.parts(), lits };
    if let Err(why) = apart(&tree_of, control)? {
        return Ok(Err(why));
    }
    let mut decided = Decided::new(game, tree.winner(), judge, control)?;
    Ok(settled(decided.by_tree(&tree_of, game.played(), control)?))
}

/// Judges a tree of a board.
///
/// # Errors
/// The reason to stop before it is known, and a game that does not end with a full board.
pub(super) fn check_board_autotree(
    board: &Board,
    tree: &Autotree,
    judge: Judge,
    control: &Control,
) -> Result<Found, StopReason> {
    let mut decided = BoardDecided::new(board, tree.winner(), judge)?;
    let by_number = |word: &str| number(word).filter(|var| var.index() < board.elements());
    let find = |word: &str| board.find(word).map(Var::from_index).or_else(|| by_number(word));
    let turn = board.player(board.turn);
    let lits = match planted(tree, find, |var| board.is_free(var.index()), Rule::Own, turn) {
        Ok(lits) => lits,
        Err(why) => return Ok(Err(why)),
    };
    let tree = Planted { parts: tree.parts(), lits };
    if let Err(why) = apart(&tree, control)? {
        return Ok(Err(why));
    }
    Ok(settled(decided.by_tree(&tree, control)?))
}

fn settled(decided: bool) -> Found {
    if decided { Ok(()) } else { Err("a pick of plans does not settle the game".to_owned()) }
}

fn number(word: &str) -> Option<Var> {
    word.parse().ok().filter(|&number: &i32| number > 0).map(Var::from_dimacs)
}

/// The elements of the labels, by the first condition.
fn planted(
    tree: &Autotree,
    find: impl Fn(&str) -> Option<Var>,
    is_open: impl Fn(Var) -> bool,
    rule: Rule,
    turn: Player,
) -> Result<Vec<Lit>, String> {
    let winner = tree.winner();
    if turn != winner && matches!(tree.parts().first(), Some(AutotreePart::Play(_))) {
        return Err(format!("{winner} is not to move, but the tree begins with a move"));
    }
    let lit = |word: &String| {
        let own = word.strip_prefix('-');
        let colour = winner.colour() == own.is_none();
        let var = find(own.unwrap_or(word)).ok_or_else(|| format!("there is no element '{word}'"))?;
        if !is_open(var) {
            return Err(format!("'{word}' has its colour already"));
        }
        if !rule.allows(winner, colour) {
            return Err(format!("{winner} may not play '{word}'"));
        }
        Ok(var.lit(colour))
    };
    tree.labels().iter().map(lit).collect()
}

/// A plan or a choice that is being read.
enum Level {
    /// Elements so far.
    Plan(FxHashSet<Var>),
    /// In how many plans so far each element is, and how many plans there are.
    Choice(FxHashMap<Var, usize>, usize),
}

/// The second and the third condition.
fn apart(tree: &Planted<'_>, control: &Control) -> Result<Found, StopReason> {
    let mut poller = control.poller();
    let mut levels: Vec<Level> = Vec::new();
    // A plan is complete: it counts in its choice. A choice is complete: it must be apart from the rest of its plan.
    fn end_plan(levels: &mut Vec<Level>, poller: &mut gamesat_core::control::Poller<'_>) -> Result<(), StopReason> {
        if let (Some(Level::Plan(elements)), Some(Level::Choice(counts, plans))) = (levels.pop(), levels.last_mut()) {
            *plans += 1;
            for element in elements {
                poller.poll(0)?;
                *counts.entry(element).or_insert(0) += 1;
            }
        }
        Ok(())
    }
    for part in tree.parts {
        poller.poll(0)?;
        match part {
            AutotreePart::Play(label) => {
                levels.push(Level::Plan(FxHashSet::from_iter([tree.lits[*label as usize].var()])));
            }
            AutotreePart::Keep => levels.push(Level::Plan(FxHashSet::default())),
            AutotreePart::Open => levels.push(Level::Choice(FxHashMap::default(), 0)),
            AutotreePart::Or => end_plan(&mut levels, &mut poller)?,
            AutotreePart::Close => {
                end_plan(&mut levels, &mut poller)?;
                let (Some(Level::Choice(counts, plans)), Some(Level::Plan(elements))) =
                    (levels.pop(), levels.last_mut())
                else {
                    return Ok(Err("this is no tree".to_owned()));
                };
                for (element, count) in counts {
                    poller.poll(0)?;
                    if count == plans {
                        return Ok(Err(format!("element {element} is in all plans of a choice")));
                    }
                    if !elements.insert(element) {
                        return Ok(Err(format!("element {element} is in two parts that are kept up together")));
                    }
                }
                // A choice without an element can be picked at any time, and says nothing.
            }
        }
    }
    Ok(Ok(()))
}

impl Planted<'_> {
    /// Whether every pick meets a row.
    pub(super) fn meets(&self, is_met_by: impl Fn(Lit) -> bool) -> bool {
        // Of a plan: whether it meets the row so far. Of a choice: whether all plans so far do.
        let mut levels: Vec<bool> = Vec::new();
        for part in self.parts {
            match part {
                AutotreePart::Play(label) => levels.push(is_met_by(self.lits[*label as usize])),
                AutotreePart::Keep => levels.push(false),
                AutotreePart::Open => levels.push(true),
                AutotreePart::Or | AutotreePart::Close => {
                    let plan = levels.pop().unwrap_or(false);
                    if let Some(choice) = levels.last_mut() {
                        *choice &= plan;
                    }
                    if *part == AutotreePart::Close {
                        let choice = levels.pop().unwrap_or(false);
                        if let Some(plan) = levels.last_mut() {
                            *plan |= choice;
                        }
                    }
                }
            }
        }
        levels.pop().unwrap_or(false)
    }

    /// Clauses that are satisfied by the picks: a variable for every plan and choice that is reached. `local` is the
    /// solver's literal of a move; a move of which it knows nothing does not matter.
    pub(super) fn constrain(
        &self,
        backend: &mut dyn SatSolver,
        mut local: impl FnMut(&mut dyn SatSolver, Lit) -> Option<Lit>,
    ) {
        // The variables of the plan or choice that is being read; of a choice also those of its plans.
        let mut levels: Vec<(Lit, Vec<Lit>)> = Vec::new();
        for part in self.parts {
            match part {
                AutotreePart::Play(_) | AutotreePart::Keep => {
                    let plan = backend.new_var().positive();
                    match levels.last_mut() {
                        Some((_, plans)) => plans.push(plan),
                        None => backend.add_clause(&[plan]),
                    }
                    if let AutotreePart::Play(label) = part
                        && let Some(lit) = local(backend, self.lits[*label as usize])
                    {
                        backend.add_clause(&[!plan, lit]);
                    }
                    levels.push((plan, Vec::new()));
                }
                AutotreePart::Open => {
                    let choice = backend.new_var().positive();
                    if let Some((plan, _)) = levels.last() {
                        backend.add_clause(&[!*plan, choice]);
                    }
                    levels.push((choice, Vec::new()));
                }
                AutotreePart::Or => {
                    levels.pop();
                }
                AutotreePart::Close => {
                    levels.pop();
                    if let Some((choice, mut plans)) = levels.pop() {
                        plans.push(!choice);
                        backend.add_clause(&plans);
                    }
                }
            }
        }
    }
}

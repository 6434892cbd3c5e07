//! The explicit encoding: what MAX owns after each of its moves is written cell by cell.
//!
//! In the style of the corrective encoding of positional games (Mayer-Eichberger and Saffidine 2020). In an isotone game
//! a pass never helps, so nothing has to be forbidden:
//! - MIN's move is a binary number; if it names no cell, or one that is taken, it simply has no effect;
//! - MAX's ownership is claimed, and bounded from above: a cell that is new after a move must be the one that the move
//!   names, and a cell that MIN took first is not MAX's at the end. A move that breaks these gains nothing.
//!
//! Only the final claim is used, so one clause per cell and move of MIN is enough, without any state of MIN.

use super::layout::{Formula, Layout, bits, differs, equals};
use super::target::Target;
use gamesat_core::formula::{CircuitBuilder, Lit, Player, Quantifier};

/// The formula that is true exactly if MAX reaches the target within these plies.
pub(super) fn explicit(names: &[String], target: &Target<'_>, plies: &[Player]) -> Formula {
    let size = names.len();
    let mut layout = Layout::default();
    // Variables: after move `a` of MAX `own[a]`; `choice[a]` names the cell; `reply` is (moves of MAX before it, number).
    let mut own: Vec<Vec<Lit>> = Vec::new();
    let mut choice: Vec<Vec<Lit>> = Vec::new();
    let mut replies: Vec<(usize, Vec<Lit>)> = Vec::new();
    for &player in plies {
        let number = own.len() + 1;
        match player {
            Player::Max => {
                let after = |name: &String| format!("{name}_{number}");
                own.push(names.iter().map(|name| layout.named(Quantifier::Exists, after(name))).collect());
                choice.push(layout.number(Quantifier::Exists, size, &format!("max{number}")));
            }
            Player::Min => {
                let name = format!("min{}", replies.len() + 1);
                replies.push((own.len(), layout.number(Quantifier::Forall, size, &name)));
            }
        }
    }
    let witness = target.witness(&mut layout, own.len());

    let mut b = CircuitBuilder::new(layout.size());
    let mut all = Vec::new();
    for (a, now) in own.iter().enumerate() {
        for cell in 0..size {
            let before = a.checked_sub(1).map(|previous| own[previous][cell]);
            // What is new is what was chosen.
            for bit in equals(&choice[a], cell) {
                let mut clause = vec![!now[cell], bit];
                clause.extend(before);
                all.push(b.or(&clause));
            }
            // What MAX owns it keeps; not needed, but it lets solvers look back.
            if let Some(before) = before {
                all.push(b.or(&[!before, now[cell]]));
            }
        }
    }
    let nothing;
    let last = match own.last() {
        Some(last) => last,
        None => {
            let no = b.constant(false);
            nothing = vec![no; size];
            &nothing
        }
    };
    for (moves, number) in &replies {
        if *moves == own.len() {
            continue; // MAX moves no more
        }
        debug_assert_eq!(number.len(), bits(size));
        for cell in 0..size {
            let mut clause: Vec<Lit> = differs(number, cell).collect();
            clause.push(!last[cell]);
            if let Some(previous) = moves.checked_sub(1) {
                clause.push(own[previous][cell]);
            }
            all.push(b.or(&clause));
        }
    }
    target.constrain(&mut b, &witness, last, &mut all);
    let output = b.and(&all);
    layout.finish(b.finish(output))
}

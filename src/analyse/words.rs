//! Reasons in words, for every way to show an analysis.

use super::{Analysis, Sign};
use gamesat_core::formula::{Lit, Names, Player, Var};

/// How moves and elements are spoken of.
pub struct Speech<'a> {
    /// The names of the elements.
    pub names: &'a Names,
    /// What MAX and MIN are called.
    pub players: [&'a str; 2],
    /// Whether a move is a stone, so that its colour need not be named.
    pub stones: bool,
}

impl Speech<'_> {
    /// What a player is called.
    pub fn player(&self, player: Player) -> &str {
        self.players[usize::from(player == Player::Min)]
    }

    /// An element.
    pub fn element(&self, var: Var) -> String {
        self.names.display(var)
    }

    /// A move.
    pub fn choice(&self, lit: Lit) -> String {
        if self.stones {
            return self.element(lit.var());
        }
        format!("{}={}", self.element(lit.var()), if lit.is_positive() { "TRUE" } else { "FALSE" })
    }

    /// Several moves.
    pub fn choices(&self, lits: &[Lit]) -> String {
        lits.iter().map(|&lit| self.choice(lit)).collect::<Vec<_>>().join(" ")
    }

    /// Several elements.
    pub fn elements(&self, vars: &[Var]) -> String {
        vars.iter().map(|&var| self.element(var)).collect::<Vec<_>>().join(" ")
    }

    /// A set.
    pub fn set(&self, vars: &[Var]) -> String {
        format!("{{{}}}", vars.iter().map(|&var| self.element(var)).collect::<Vec<_>>().join(","))
    }
}

/// Everything that is worth saying about an element.
pub fn reasons(analysis: &Analysis, element: Var, speech: &Speech<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if analysis.elements.iter().any(|report| report.element == element && report.sign == Sign::Dead) {
        lines.push("dead: the outcome does not depend on it".to_owned());
    }
    if let Some(fill) = analysis.fill_of(element) {
        let set: Vec<Var> = fill.literals.iter().map(|lit| lit.var()).collect();
        lines.push(format!(
            "captured by {} with {}, round {}",
            speech.player(fill.captor),
            speech.set(&set),
            fill.round
        ));
    }
    for found in analysis.dominated.iter().filter(|found| found.element == element) {
        lines.push(format!(
            "for {} dominated by {} in {}",
            speech.player(found.player),
            speech.choices(&found.by),
            speech.set(&found.set)
        ));
    }
    for found in analysis.losing.iter().filter(|found| found.choice.var() == element) {
        let what = if speech.stones { String::new() } else { format!("{} ", speech.choice(found.choice)) };
        lines.push(format!(
            "for {} {what}locally losing in {}: rather {}",
            speech.player(found.player),
            speech.set(&found.set),
            speech.choices(&found.instead)
        ));
    }
    if let Some(side) = analysis.side() {
        if side.moves.iter().any(|lit| lit.var() == element) {
            let won: Vec<Lit> = side.moves.iter().copied().filter(|lit| lit.var() == element).collect();
            lines.push(format!("wins for {}: {}", speech.player(side.first), speech.choices(&won)));
        }
        if side.trace.contains(&element) {
            lines.push(format!("in the trace of {}", speech.player(side.winner)));
        }
    }
    if analysis.mustplay.as_ref().is_some_and(|mustplay| mustplay.contains(&element)) {
        lines.push(format!("in the mustplay of {}", speech.player(analysis.turn)));
    }
    lines
}

//! Do some colours decide a game with any number of colours, whatever becomes of the rest? A question for a SAT solver that
//! knows what a completion is (every element has exactly one of its colours) and that the formula has the other value: is there
//! one in which the given atoms are true, and of each pair one?

use super::judge::Judge;
use crate::solver::SatSolver;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Colouring, Lit, Player, Var};
use rustc_hash::FxHashMap;

/// The formula of a game as one player's opponent would like it.
pub(super) struct ColouringDecided {
    backend: Box<dyn SatSolver>,
    atoms: FxHashMap<Var, Var>,
    /// Whether the other value is impossible.
    never: bool,
}

impl ColouringDecided {
    /// # Errors
    /// The reason to stop.
    pub(super) fn new(game: &Colouring, winner: Player, judge: Judge, control: &Control) -> Result<Self, StopReason> {
        let mut poller = control.poller();
        let mut backend = judge.incremental();
        let mut atoms: FxHashMap<Var, Var> = FxHashMap::default();
        // 1. Every element of the formula has exactly one of its colours.
        for &lit in game.rows().lits() {
            poller.poll(0)?;
            let element = game.element(lit);
            let first = game.atom(element, 0).var();
            if atoms.contains_key(&first) {
                continue;
            }
            let vars: Vec<Var> = (0..game.colours()).map(|_| backend.new_var()).collect();
            for (colour, &var) in vars.iter().enumerate() {
                atoms.insert(game.atom(element, colour).var(), var);
                if game.domain(element) >> colour & 1 == 0 {
                    backend.add_clause(&[var.negative()]);
                }
                vars[..colour].iter().for_each(|other| backend.add_clause(&[var.negative(), other.negative()]));
            }
            backend.add_clause(&vars.iter().map(|var| var.positive()).collect::<Vec<_>>());
        }
        // 2. The formula has the loser's value: every row is met, or one is not.
        let local = |lit: Lit| atoms[&lit.var()].lit(lit.is_positive());
        let every_row = game.is_conjunction() == (winner == Player::Min);
        let mut never = false;
        if every_row {
            for row in game.rows() {
                poller.poll(0)?;
                let meant = row.iter().map(|&lit| if game.is_conjunction() { local(lit) } else { !local(lit) });
                let clause: Vec<Lit> = meant.collect();
                never |= clause.is_empty();
                if !clause.is_empty() {
                    backend.add_clause(&clause);
                }
            }
        } else {
            let mut some = Vec::with_capacity(game.rows().len());
            for row in game.rows() {
                poller.poll(0)?;
                let chosen = backend.new_var();
                for &lit in row {
                    let meant = if game.is_conjunction() { !local(lit) } else { local(lit) };
                    backend.add_clause(&[chosen.negative(), meant]);
                }
                some.push(chosen.positive());
            }
            never = some.is_empty();
            if !some.is_empty() {
                backend.add_clause(&some);
            }
        }
        Ok(ColouringDecided { backend, atoms, never })
    }

    /// Whether the formula has the winner's value in every completion in which `holds` are true and of each two neighbours in
    /// `pairs` at least one. The elements must be different.
    ///
    /// # Errors
    /// The reason to stop before it was known.
    pub(super) fn by(&mut self, holds: &[Lit], pairs: &[Lit], control: &Control) -> Result<bool, StopReason> {
        if self.never {
            return Ok(true);
        }
        let mut assumptions: Vec<Lit> =
            holds.iter().filter_map(|lit| self.atoms.get(&lit.var())).map(|var| var.positive()).collect();
        for pair in pairs.chunks_exact(2) {
            // Where one atom does not occur it can be the true one, and nothing is known of the other.
            let (Some(one), Some(two)) = (self.atoms.get(&pair[0].var()), self.atoms.get(&pair[1].var())) else {
                continue;
            };
            let switch = self.backend.new_var();
            self.backend.add_clause(&[switch.negative(), one.positive(), two.positive()]);
            assumptions.push(switch.positive());
        }
        Ok(!self.backend.solve(&assumptions, control)?)
    }
}

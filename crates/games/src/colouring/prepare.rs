//! From a [`Game`] to rows: colours filled in, elements renumbered, decreasing elements flipped, the other form computed.
//!
//! Both forms are wanted, because each player's captured sets and unit rows show in the own form only, and both prime,
//! because only then signs and dead elements are what they seem. Rows of an increasing formula are prime once none contains
//! another; for other formulas primes are computed up to a limit. Where the second form is not affordable the search
//! goes on with one: everything stays sound, less is seen.

use super::dualise::{Hitting, minimal_hitting_sets};
use super::mask::Mask;
use super::position::{Move, Position, Setup};
use crate::options::GameOptions;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{ClauseArena, Game, GameMatrix, Lit, Player, Rule, Var};
use gamesat_rows::normal::{self, shrinking_condition};
use gamesat_rows::recognise::{circuit_cnf, circuit_dnf};
use rustc_hash::FxHashMap;

/// Rows up to which prime forms of formulas that are not monotone are computed.
const PRIME_LIMIT: usize = 4096;
/// Terms at every gate up to which circuits are multiplied out.
const CIRCUIT_LIMIT: usize = 2048;
/// The second form may have this many times the rows of the first (and a few thousand).
const DUAL_FACTOR: usize = 8;
/// Bytes that the bit masks and columns of one form may take.
const FORM_BYTES: usize = 1 << 29;

/// A game ready to be solved: local numbers for the elements that occur.
#[derive(Debug)]
pub struct Prepared {
    /// The elements that occur, by local number.
    pub(super) elements: Vec<Var>,
    /// Whether colours of an element are exchanged, by local number.
    flipped: Vec<bool>,
    /// Whether literals need a sign.
    pub(super) signed: bool,
    pub(super) rule: Rule,
    pub(super) turn: Player,
    /// Number of uncoloured elements that do not occur.
    pub(super) outside: usize,
    cnf: Option<ClauseArena>,
    dnf: Option<ClauseArena>,
}

/// How many ways an element can matter.
fn signs(rows: &ClauseArena) -> FxHashMap<Var, (bool, bool)> {
    let mut signs: FxHashMap<Var, (bool, bool)> = FxHashMap::default();
    for lit in rows.lits() {
        let seen = signs.entry(lit.var()).or_default();
        seen.0 |= lit.is_positive();
        seen.1 |= lit.is_negative();
    }
    signs
}

impl Prepared {
    /// Prepares a game.
    ///
    /// # Errors
    /// The reason to stop: a limit, or a formula that has no affordable normal form.
    pub fn new(game: &Game, options: &GameOptions, control: &Control) -> Result<Self, StopReason> {
        // 1. One form, with the colours filled in and irredundant.
        let circuit;
        let (given, is_cnf, irredundant) = match game.matrix() {
            GameMatrix::Cnf(rows) => (rows, true, game.is_irredundant()),
            GameMatrix::Dnf(rows) => (rows, false, game.is_irredundant()),
            GameMatrix::Circuit(gates) => {
                let cnf = circuit_cnf(gates, CIRCUIT_LIMIT, control)?;
                let dnf = circuit_dnf(gates, CIRCUIT_LIMIT, control)?;
                let size = |rows: &Option<ClauseArena>| rows.as_ref().map_or(usize::MAX, ClauseArena::num_lits);
                let is_cnf = size(&cnf) <= size(&dnf);
                let Some(rows) = (if is_cnf { cnf } else { dnf }) else {
                    let why = "the circuit has no affordable normal form";
                    return Err(StopReason::Unsupported(why.to_owned()));
                };
                circuit = rows;
                (&circuit, is_cnf, false)
            }
        };
        let literals: Vec<Lit> = game.played().iter().map(|&lit| if is_cnf { lit } else { !lit }).collect();
        let (mut rows, shrank) = shrinking_condition(given, &literals);
        if shrank || !irredundant {
            rows = normal::irredundant(&rows, control)?;
        }

        // 2. If it is not monotone, the prime forms.
        let monotone = |rows: &ClauseArena| match game.rule {
            Rule::Any => normal::is_unate(rows),
            Rule::Own => rows.lits().iter().all(|lit| lit.is_positive()),
        };
        let mut signed = !monotone(&rows);
        let mut other = None;
        if signed
            && let Some(dual) = normal::dual(&rows, PRIME_LIMIT, control)?
            && let Some(same) = normal::dual(&dual, PRIME_LIMIT, control)?
        {
            (rows, other) = (same, Some(dual));
        }
        let (cnf, dnf) = if is_cnf { (Some(rows), other) } else { (other, Some(rows)) };
        let some = cnf.as_ref().or(dnf.as_ref()).unwrap_or_else(|| unreachable!("one form is there"));
        signed = signed && !monotone(some);

        // 3. The elements.
        let signs = signs(some);
        let mut elements: Vec<Var> = signs.keys().copied().collect();
        elements.sort_unstable();
        let flipped = elements.iter().map(|var| !signed && signs[var].1).collect();
        let outside = game.uncoloured() - elements.len();
        let mut prepared = Prepared { elements, flipped, signed, rule: game.rule, turn: game.turn, outside, cnf, dnf };
        if !options.both_forms {
            // Keep what was given.
            if is_cnf {
                prepared.dnf = None;
            } else {
                prepared.cnf = None;
            }
        }
        Ok(prepared)
    }

    /// Words a mask needs.
    pub fn words(&self) -> usize {
        (self.elements.len() * if self.signed { 2 } else { 1 }).div_ceil(64).max(1)
    }

    /// The literal of the game for a local element and colour.
    pub(super) fn lit(&self, element: usize, colour: bool) -> Lit {
        self.elements[element].lit(colour != self.flipped[element])
    }

    /// A literal of the game as a move, if its element occurs.
    pub(super) fn choice(&self, lit: Lit) -> Option<Move> {
        let element = self.elements.binary_search(&lit.var()).ok()?;
        Some(Move::Colour(element as u16, self.lit(element, true) == lit))
    }

    /// The position, with masks of `W` words.
    ///
    /// # Errors
    /// It does not fit into memory.
    pub fn position<const W: usize>(
        &self,
        options: &GameOptions,
        control: &Control,
    ) -> Result<Position<W>, StopReason> {
        let local: FxHashMap<Var, usize> = self.elements.iter().enumerate().map(|(i, &var)| (var, i)).collect();
        let half = Mask::<W>::BITS / 2;
        let masks = |rows: &ClauseArena, negate: bool| -> Vec<Mask<W>> {
            let row = |row: &[Lit]| {
                let mut mask = Mask::default();
                for &lit in row {
                    let element = local[&lit.var()];
                    mask.insert(if self.signed && lit.is_negative() != negate { element + half } else { element });
                }
                mask
            };
            rows.iter().map(row).collect()
        };
        for rows in self.cnf.iter().chain(&self.dnf) {
            let columns = if self.signed { half + self.elements.len() } else { self.elements.len() };
            let bytes = rows.len().saturating_mul(8 * W + columns.div_ceil(8));
            if bytes > FORM_BYTES {
                let what =
                    format!("{} rows on {} elements are too many for bit masks", rows.len(), self.elements.len());
                return Err(StopReason::Unsupported(what));
            }
        }
        let mut rows =
            [self.cnf.as_ref().map(|rows| masks(rows, false)), self.dnf.as_ref().map(|rows| masks(rows, true))];
        if options.both_forms && !self.signed {
            let dual = |rows: &Vec<Mask<W>>| {
                Ok::<_, StopReason>(match minimal_hitting_sets(rows, DUAL_FACTOR * (rows.len() + 512), control)? {
                    Hitting::Sets(sets) => Some(sets),
                    Hitting::Many | Hitting::Hard => None,
                })
            };
            rows = match rows {
                [Some(max), None] => {
                    let min = dual(&max)?;
                    [Some(max), min]
                }
                [None, Some(min)] => [dual(&min)?, Some(min)],
                both => both,
            };
        }
        Ok(Position::new(Setup {
            signed: self.signed,
            rule: self.rule,
            turn: self.turn,
            elements: self.elements.len(),
            odd: (self.elements.len() + self.outside) % 2 == 1,
            rows,
        }))
    }
}

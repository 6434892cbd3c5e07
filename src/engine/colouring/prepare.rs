//! From a [`Game`] to rows: colours filled in, elements renumbered, decreasing elements flipped, the other form computed.
//!
//! Both forms are wanted, because each player's captured sets and unit rows show in the own form only, and both prime,
//! because only then signs and dead elements are what they seem. Rows of an increasing formula are prime once none contains
//! another; for other formulas primes are computed up to a limit. Where the second form is not affordable the search
//! goes on with one: everything stays sound, less is seen.

use super::dualise::minimal_hitting_sets;
use super::mask::Mask;
use super::position::{Move, Position, Setup};
use crate::control::{Control, StopReason};
use crate::formula::{ClauseArena, Game, GameMatrix, Lit, Player, Rule, Var};
use crate::options::GameOptions;
use crate::rows::normal;
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
pub(super) struct Prepared {
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
    pub(super) fn new(game: &Game, options: &GameOptions) -> Result<Self, StopReason> {
        let against: Vec<Lit> = game.played().iter().map(|&lit| !lit).collect();
        let (mut cnf, mut dnf, prime) = match game.matrix() {
            GameMatrix::Cnf(rows) => (Some(normal::irredundant(&normal::condition(rows, game.played()))), None, false),
            GameMatrix::Dnf(rows) => (None, Some(normal::irredundant(&normal::condition(rows, &against))), false),
            GameMatrix::Circuit(_) => {
                let (cnf, dnf) = (normal::game_cnf(game, CIRCUIT_LIMIT), normal::game_dnf(game, CIRCUIT_LIMIT));
                if cnf.is_none() && dnf.is_none() {
                    let why = "the circuit has no affordable normal form";
                    return Err(StopReason::Unsupported(why.to_owned()));
                }
                (cnf, dnf, true)
            }
        };
        let monotone = |rows: &ClauseArena| {
            let signs = signs(rows);
            match game.rule {
                Rule::Any => signs.values().all(|&(positive, negative)| !(positive && negative)),
                Rule::Own => signs.values().all(|&(_, negative)| !negative),
            }
        };
        let some = |cnf: &Option<ClauseArena>, dnf: &Option<ClauseArena>| -> ClauseArena {
            cnf.as_ref().or(dnf.as_ref()).cloned().unwrap_or_default()
        };
        let mut signed = !monotone(&some(&cnf, &dnf));
        if signed && !prime {
            let rows = some(&cnf, &dnf);
            let other = normal::dual(&rows, PRIME_LIMIT);
            let same = other.as_ref().and_then(|other| normal::dual(other, PRIME_LIMIT));
            if let (Some(same), Some(other)) = (same, other) {
                (cnf, dnf) = if cnf.is_some() { (Some(same), Some(other)) } else { (Some(other), Some(same)) };
                signed = !monotone(&some(&cnf, &dnf));
            }
        }
        let mut elements: Vec<Var> = some(&cnf, &dnf).lits().iter().map(|lit| lit.var()).collect();
        elements.sort_unstable();
        elements.dedup();
        let of_elements = signs(&some(&cnf, &dnf));
        let flipped = elements.iter().map(|var| !signed && of_elements[var].1).collect();
        let outside = game.uncoloured() - elements.len();
        let mut prepared = Prepared { elements, flipped, signed, rule: game.rule, turn: game.turn, outside, cnf, dnf };
        if !options.both_forms {
            // Keep what was given, of a circuit the CNF.
            if !matches!(game.matrix(), GameMatrix::Dnf(_)) && prepared.cnf.is_some() {
                prepared.dnf = None;
            } else if prepared.dnf.is_some() {
                prepared.cnf = None;
            }
        }
        Ok(prepared)
    }

    /// Words a mask needs.
    pub(super) fn words(&self) -> usize {
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
    pub(super) fn position<const W: usize>(
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
            let dual = |rows: &Vec<Mask<W>>| minimal_hitting_sets(rows, DUAL_FACTOR * (rows.len() + 512), control);
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

//! Independent parts of a game that is not isotone.
//!
//! If the rows of a player A fall into groups without common elements, A has to win every group and the opponent B one of
//! them; but who is to move in a group, and how many moves are left elsewhere, counts here.
//!
//! **Parts with few elements** are tabulated: their [canonical forms](crate::theory::canonical) multiply (*Set Colouring Games* 7.9),
//! the product says who wins, and the move that wins is found by exchanging one factor. The theorem holds for parts all
//! of whose positions have one of the sixteen known forms; if one had not, the ordinary search would go on.
//!
//! **Larger parts** are solved, padded with a dead element where parity asks for it, as far as these rules decide (6.4):
//! - (a) B wins a part with the mover and the parity of the whole: B wins the whole, by playing there as if everything
//!   else were dead, and two dead elements cancel;
//! - (b) B is to move in an even game, and A moving second wins every part padded to even: A wins by answering in the part
//!   in which B has moved, and a move in the padding by another one there;
//! - (c) A is to move, and there are two parts that B, moving first, wins at the other parity: whatever A does, one of them
//!   is left untouched, and (a) applies;
//! - (d) A is to move in an odd game, wins one part moving first, padded to odd, and the others moving second, padded to
//!   even: after that move (b) applies.
//!
//! Trace: the elements of all parts; where one part decides, of that part.

use super::decompose::parts;
use super::entry::Open;
use super::mask::Mask;
use super::position::{Move, Position, index};
use super::search::Search;
use super::table::Value;
use crate::theory::canonical::{CanonicalForm, MOST_ELEMENTS, Tabulated};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Player, Rule};
use gamesat_rows::form::{fold, hash_row};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Forms remembered before all are forgotten.
const REMEMBERED: usize = 1 << 14;

/// A part with its form and the forms after each move in it.
struct Factor {
    form: CanonicalForm,
    options: Vec<(Move, CanonicalForm)>,
}

/// The forms of parts that were met, `None` if one of the positions in a part has no known form.
pub(super) struct Factors {
    known: FxHashMap<(u64, u64), Option<Rc<Factor>>>,
}

impl Factors {
    pub(super) fn new() -> Self {
        Factors { known: FxHashMap::default() }
    }

    /// The form of the part of a player's rows on these elements.
    fn of<const W: usize>(
        &mut self,
        position: &Position<W>,
        player: Player,
        part: Mask<W>,
    ) -> Result<Option<Rc<Factor>>, StopReason> {
        let Some(form) = position.form(player) else { return Ok(None) };
        let rows: Vec<Mask<W>> = form.rows().filter(|&row| position.elements(row).intersects(&part)).collect();
        // A set of rows: what comes first does not matter.
        let start = (1 + index(player) as u64, hash_row(&part).0);
        let key = rows.iter().map(hash_row).fold(start, |sum, row| {
            (
                sum.0.wrapping_add(fold(row.0, 0x9E37_79B9_7F4A_7C15)),
                sum.1.wrapping_add(fold(row.1, 0xC2B2_AE3D_27D4_EB4F)),
            )
        });
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let elements: Vec<usize> = part.iter().collect();
        let mut bits: Vec<[usize; 2]> = Vec::with_capacity(rows.len());
        for row in &rows {
            let with = |colour| {
                let present = elements.iter().enumerate().filter(|&(_, &e)| row.contains(position.literal(e, colour)));
                present.fold(0, |bits, (at, _)| bits | 1 << at)
            };
            bits.push([with(true), with(false)]);
        }
        let hits = |colouring: usize| bits.iter().all(|[high, low]| high & colouring | low & !colouring != 0);
        // The rows of MIN are those of the negated formula.
        let function = |colouring: usize| hits(colouring) == (player == Player::Max);
        // Short enough to be waited for.
        let tabulated = Tabulated::new(elements.len(), position.rule(), function, &Control::default())?;
        let factor = tabulated.form().map(|form| {
            let moves = (0..elements.len()).flat_map(|at| [(at, true), (at, false)]);
            let options = moves.filter_map(|(at, colour)| {
                Some((Move::Colour(elements[at] as u16, colour), tabulated.after(at, colour)?))
            });
            Rc::new(Factor { form, options: options.collect() })
        });
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(key, factor.clone());
        Ok(factor)
    }
}

/// The forms of a whole game's parts, and how they are combined.
struct Product<'a> {
    player: Player,
    factors: &'a [Rc<Factor>],
    rule: Rule,
}

impl Product<'_> {
    /// The form of the whole, padded to a parity, with one factor exchanged.
    fn form(&self, odd: bool, exchanged: Option<(usize, CanonicalForm)>) -> CanonicalForm {
        let all = self.factors.iter().enumerate().map(|(at, factor)| match exchanged {
            Some((which, form)) if which == at => form,
            _ => factor.form,
        });
        let whole = all.fold(CanonicalForm::decided(self.rule, self.player == Player::Max), |product, form| {
            if self.player == Player::Max { product.and(form) } else { product.or(form) }
        });
        padded(whole, odd)
    }
}

fn padded(form: CanonicalForm, odd: bool) -> CanonicalForm {
    if form.is_odd() == odd { form } else { form.with_star() }
}

impl<const W: usize> Search<'_, W> {
    /// Solves a position that is not isotone and falls into parts, if the parts decide it.
    pub(super) fn solve_factors(&mut self, open: &Open<W>) -> Result<Option<Value<W>>, StopReason> {
        if !self.options.decompose || open.reduced.occurrence.isotone {
            return Ok(None);
        }
        let Some((player, parts)) = parts(self.position).filter(|(_, parts)| parts.len() > 1) else { return Ok(None) };
        let most = self.options.part_size.min(MOST_ELEMENTS);
        let value = if parts.last().is_some_and(|part| part.len() <= most) {
            self.multiply(player, &parts)?
        } else {
            self.by_rules(player, &parts, open.careful)?
        };
        self.counters.decompositions += u64::from(value.is_some());
        Ok(value)
    }

    /// By the forms of all parts.
    fn multiply(&mut self, player: Player, parts: &[Mask<W>]) -> Result<Option<Value<W>>, StopReason> {
        let mut factors = Vec::with_capacity(parts.len());
        for &part in parts {
            let Some(factor) = self.factors.of(self.position, player, part)? else { return Ok(None) };
            factors.push(factor);
        }
        let (mover, odd, rule) = (self.position.turn(), self.position.is_odd(), self.position.rule());
        let product = Product { player, factors: &factors, rule };
        let winner = product.form(odd, None).winner(mover);
        let everything = parts.iter().fold(Mask::default(), |all, &part| all | part);

        // 1. A part that decides alone.
        let alone = (winner != player)
            .then(|| factors.iter().position(|factor| padded(factor.form, odd).winner(mover) == winner))
            .flatten();
        if winner != mover {
            let trace = alone.map_or(everything, |at| parts[at]);
            return Ok(Some(Value { winner, trace, choice: None }));
        }
        let allowed = |choice: Move| match choice {
            Move::Colour(_, colour) => rule.allows(mover, colour),
            Move::Pass => true,
        };
        let wins = |form: CanonicalForm| form.winner(!mover) == mover;
        if let Some(at) = alone {
            let options = factors[at].options.iter().filter(|(choice, _)| allowed(*choice));
            let found = options.filter(|(_, form)| wins(padded(*form, !odd))).map(|&(choice, _)| choice).next();
            if let Some(choice) = found {
                return Ok(Some(Value { winner, trace: parts[at], choice: Some(choice) }));
            }
        }

        // 2. Some move.
        for (at, factor) in factors.iter().enumerate() {
            for &(choice, form) in factor.options.iter().filter(|(choice, _)| allowed(*choice)) {
                if wins(product.form(!odd, Some((at, form)))) {
                    return Ok(Some(Value { winner, trace: everything, choice: Some(choice) }));
                }
            }
        }
        let dead = self.position.live().minus(everything).lowest();
        let pass = dead.map(|element| Move::Colour(element as u16, mover.colour()));
        let pass = pass.or(self.position.has_star().then_some(Move::Pass));
        if pass.is_some() && wins(product.form(!odd, None)) {
            return Ok(Some(Value { winner, trace: everything, choice: pass }));
        }
        debug_assert!(false, "a won position has a winning move");
        Ok(None)
    }

    /// By the rules for parts of any size. With `careful` set, a win has to come with its move.
    fn by_rules(&mut self, player: Player, parts: &[Mask<W>], careful: bool) -> Result<Option<Value<W>>, StopReason> {
        let (mover, odd, other) = (self.position.turn(), self.position.is_odd(), !player);
        let Some(whole) = self.position.form(other).and_then(|form| form.rows().next()) else { return Ok(None) };
        // Makes every row of `player` true.
        let filling = whole.negated();

        // 1. One part that the opponent wins.
        for &part in parts {
            let value = self.solve_padded(filling, part, mover, odd)?;
            if value.winner == other {
                let usable = mover != other || !careful || matches!(value.choice, Some(Move::Colour(..)));
                return Ok(usable.then_some(value));
            }
        }
        if mover == other {
            // 2. Every part won moving second.
            if odd {
                return Ok(None);
            }
            // They were just solved so.
            let mut all = Value { winner: player, trace: Mask::default(), choice: None };
            for &part in parts {
                all.trace |= self.solve_padded(filling, part, other, false)?.trace;
            }
            return Ok(Some(all));
        }
        // 3. Two parts that the opponent wins moving first.
        let mut threats: Option<Value<W>> = None;
        for &part in parts {
            let value = self.solve_padded(filling, part, other, !odd)?;
            if value.winner == other {
                if let Some(one) = threats {
                    return Ok(Some(Value { winner: other, trace: one.trace | value.trace, choice: None }));
                }
                threats = Some(value);
            }
        }
        // 4. One part to be won at once, the others moving second.
        if !odd {
            return Ok(None);
        }
        let mut needed: Option<Mask<W>> = None;
        let mut all = Value { winner: player, trace: Mask::default(), choice: None };
        for &part in parts {
            let value = self.solve_padded(filling, part, other, false)?;
            if value.winner == player {
                all.trace |= value.trace;
            } else if needed.replace(part).is_some() {
                return Ok(None);
            }
        }
        let first = needed.unwrap_or(parts[0]);
        let value = self.solve_padded(filling, first, player, true)?;
        if value.winner != player || !matches!(value.choice, Some(Move::Colour(..))) {
            return Ok(None);
        }
        Ok(Some(Value { winner: player, trace: all.trace | value.trace, choice: value.choice }))
    }

    /// Solves one part with `turn` to move, everything else filled in so that its rows hold, and dead elements beside it as
    /// the parity asks.
    fn solve_padded(
        &mut self,
        filling: Mask<W>,
        part: Mask<W>,
        turn: Player,
        odd: bool,
    ) -> Result<Value<W>, StopReason> {
        let outside = self.position.live().minus(part);
        let mut literals = filling & self.position.literals(outside);
        for element in outside.minus(self.position.elements(literals)).iter() {
            literals.insert(self.position.literal(element, true));
        }
        self.position.push();
        self.position.fill([literals, Mask::default()]);
        self.position.set_turn(turn);
        self.position.set_odd(odd);
        let value = self.solve(false);
        self.position.pop();
        value
    }
}

//! A position: the rows each player has to hit, the elements left, the parity of their number, the player to move.
//!
//! MAX has to make a literal true in every clause of the CNF, MIN a literal false in every term of the DNF. The DNF is kept
//! with its literals negated (it is then the CNF of the negated formula), so both players *hit rows by making literals true*
//! and everything about players can be said once. A player with no row left has won; one with an empty row has lost.
//!
//! If the formula increases in every element (flip decreasing ones first where the rule allows it), literals are
//! *unsigned*: bit `e` in the rows of MAX means `e` is TRUE, in the rows of MIN that it is FALSE. Otherwise they are
//! *signed*, see [`Mask`].
//!
//! Positions form a stack: [`push`](Position::push) opens a copy that can be changed in place, [`pop`](Position::pop)
//! goes back exactly.

use super::form::{Form, Scan, fold, hash_row};
use super::mask::Mask;
use super::symmetry::{Permutation, hash_image};
use gamesat_core::formula::{Player, Rule};

/// Colouring one element, by its local number, or passing by colouring one on which nothing depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// An element gets a colour.
    Colour(u16, bool),
    /// A dead element gets one.
    Pass,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct State<const W: usize> {
    /// Uncoloured elements that are not known to be dead.
    live: Mask<W>,
    /// Whether the number of uncoloured elements, dead ones included, is odd.
    odd: bool,
    turn: Player,
}

/// A stack of positions.
#[derive(Clone, Debug)]
pub struct Position<const W: usize> {
    signed: bool,
    rule: Rule,
    /// The rows of MAX and of MIN, or `None` if that form is too large to be kept.
    forms: [Option<Form<W>>; 2],
    states: Vec<State<W>>,
    #[cfg(debug_assertions)]
    fingerprints: Vec<Fingerprint<W>>,
}

#[cfg(debug_assertions)]
type Fingerprint<const W: usize> = (State<W>, [Option<(usize, usize, bool, (u64, u64))>; 2]);

/// Everything a position is made from.
pub(super) struct Setup<const W: usize> {
    pub(super) signed: bool,
    pub(super) rule: Rule,
    pub(super) turn: Player,
    pub(super) elements: usize,
    pub(super) odd: bool,
    pub(super) rows: [Option<Vec<Mask<W>>>; 2],
}

/// How the elements occur, with literals as MAX sees them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence<const W: usize> {
    /// Elements in which the formula rises somewhere.
    pub(super) rising: Mask<W>,
    /// Elements in which it falls somewhere.
    pub(super) falling: Mask<W>,
    /// Whether everything that holds for isotone games holds here.
    pub(super) isotone: bool,
}

impl<const W: usize> Position<W> {
    /// How many elements such a mask has room for.
    pub(super) fn capacity(signed: bool) -> usize {
        if signed { Mask::<W>::BITS / 2 } else { Mask::<W>::BITS }
    }

    pub(super) fn new(setup: Setup<W>) -> Self {
        debug_assert!(setup.elements <= Self::capacity(setup.signed));
        debug_assert!(setup.rows.iter().any(Option::is_some));
        let state = State { live: Mask::first(setup.elements), odd: setup.odd, turn: setup.turn };
        Position {
            signed: setup.signed,
            rule: setup.rule,
            forms: setup.rows.map(|rows| rows.map(|rows| Form::new(&rows))),
            states: vec![state],
            #[cfg(debug_assertions)]
            fingerprints: Vec::new(),
        }
    }

    #[inline]
    fn state(&self) -> &State<W> {
        self.states.last().expect("there is a position")
    }

    #[inline]
    fn state_mut(&mut self) -> &mut State<W> {
        self.states.last_mut().expect("there is a position")
    }

    /// Who is to move.
    #[inline]
    pub fn turn(&self) -> Player {
        self.state().turn
    }

    /// Says who is to move: for questions about parts of an isotone game, where parity does not count.
    pub(super) fn set_turn(&mut self, turn: Player) {
        self.state_mut().turn = turn;
    }

    /// Says how many elements are left, as far as it counts: for questions about parts of a game, padded by dead elements.
    pub(super) fn set_odd(&mut self, odd: bool) {
        self.state_mut().odd = odd;
    }

    /// Whether the number of uncoloured elements, dead ones included, is odd.
    #[inline]
    pub(super) fn is_odd(&self) -> bool {
        self.state().odd
    }

    #[inline]
    pub(super) fn rule(&self) -> Rule {
        self.rule
    }

    /// Uncoloured elements that are not known to be dead.
    #[inline]
    pub fn live(&self) -> Mask<W> {
        self.state().live
    }

    /// Whether an odd number of dead elements is left beside the live ones.
    #[inline]
    pub(super) fn has_star(&self) -> bool {
        self.state().odd != (self.state().live.len() % 2 == 1)
    }

    /// The player who makes the last move of the game.
    #[inline]
    pub(super) fn last_mover(&self) -> Player {
        if self.state().odd { self.turn() } else { !self.turn() }
    }

    /// The rows the player has to hit, if they are kept.
    #[inline]
    pub(super) fn form(&self, player: Player) -> Option<&Form<W>> {
        self.forms[index(player)].as_ref()
    }

    /// The winner, if every continuation has the same one.
    #[inline]
    pub(super) fn decided(&self) -> Option<Player> {
        [Player::Max, Player::Min].into_iter().find_map(|player| {
            let form = self.form(player)?;
            if form.is_broken() { Some(!player) } else { form.is_empty().then_some(player) }
        })
    }

    /// The element of a literal in somebody's rows.
    #[inline]
    pub(super) fn element(&self, literal: usize) -> usize {
        if self.signed { literal % (Mask::<W>::BITS / 2) } else { literal }
    }

    /// The elements of a set of literals.
    #[inline]
    pub(super) fn elements(&self, literals: Mask<W>) -> Mask<W> {
        if self.signed { (literals | literals.negated()).lower() } else { literals }
    }

    /// Every literal of a set of elements.
    #[inline]
    pub(super) fn literals(&self, elements: Mask<W>) -> Mask<W> {
        if self.signed { elements | elements.negated() } else { elements }
    }

    /// Whether literals have signs.
    #[inline]
    pub(super) fn is_signed(&self) -> bool {
        self.signed
    }

    /// The move by which a player makes a literal of the own rows true.
    #[inline]
    pub(super) fn hit(&self, player: Player, literal: usize) -> Move {
        let colour = if self.signed { literal < Mask::<W>::BITS / 2 } else { player.colour() };
        Move::Colour(self.element(literal) as u16, colour)
    }

    /// The literal that a move makes true in a player's rows; with unsigned literals a move hits only rows of the player
    /// whose colour it is.
    #[inline]
    pub(super) fn literal(&self, element: usize, colour: bool) -> usize {
        if self.signed && !colour { element + Mask::<W>::BITS / 2 } else { element }
    }

    /// The literal by which a player's rows are hit at an element in which the formula is monotone.
    #[inline]
    pub(super) fn rational_literal(&self, player: Player, element: usize, occurrence: &Occurrence<W>) -> usize {
        let flip = self.signed && !occurrence.rising.contains(element);
        self.literal(element, !self.signed || player.colour() != flip)
    }

    /// The literals of a player's rows that the player is allowed to make true.
    #[inline]
    pub(super) fn allowed(&self, player: Player, literals: Mask<W>) -> Mask<W> {
        match (self.rule, self.signed, player) {
            (Rule::Any, _, _) | (_, false, _) => literals,
            (Rule::Own, true, Player::Max) => literals.lower(),
            (Rule::Own, true, Player::Min) => literals.minus(literals.lower()),
        }
    }

    /// The player with fewer rows: the shorter form is the one to look through.
    #[inline]
    pub(super) fn shorter(&self) -> Player {
        match (&self.forms[0], &self.forms[1]) {
            (Some(max), Some(min)) if max.len() <= min.len() => Player::Max,
            (Some(_), None) => Player::Max,
            _ => Player::Min,
        }
    }

    /// One pass over the rows of both players.
    pub(super) fn scan(&self) -> [Option<Scan<W>>; 2] {
        self.forms.each_ref().map(|form| form.as_ref().map(Form::scan))
    }

    /// Literals of the rows of `!player` that the player can make false.
    #[inline]
    pub(super) fn breakable(&self, player: Player, literals: Mask<W>) -> Mask<W> {
        if self.signed { self.allowed(player, literals.negated()).negated() } else { literals }
    }

    /// The move by which a player makes a literal of the opponent's rows false.
    #[inline]
    pub(super) fn break_row(&self, player: Player, literal: usize) -> Move {
        let colour = if self.signed { literal >= Mask::<W>::BITS / 2 } else { player.colour() };
        Move::Colour(self.element(literal) as u16, colour)
    }

    /// How the elements occur. Exact if the forms are prime, which they are if both are kept.
    pub(super) fn occurrence(&self, scans: &[Option<Scan<W>>; 2]) -> Occurrence<W> {
        let (present, negate) = match scans {
            [Some(max), _] => (max.present, false),
            [None, Some(min)] => (min.present, true),
            [None, None] => (Mask::default(), false),
        };
        if !self.signed {
            return Occurrence { rising: present, falling: Mask::default(), isotone: true };
        }
        let present = if negate { present.negated() } else { present };
        let (rising, falling) = (present.lower(), present.negated().lower());
        let isotone = match self.rule {
            Rule::Any => !rising.intersects(&falling),
            Rule::Own => falling.is_empty(),
        };
        Occurrence { rising, falling, isotone }
    }

    /// Forgets elements that occur in no row. Their parity stays.
    #[inline]
    pub(super) fn drop_dead(&mut self, occurrence: &Occurrence<W>) {
        self.state_mut().live &= occurrence.rising | occurrence.falling;
    }

    /// Fills in colours without a move being made: `literals[p]` become true in the rows of player `p`. With signed
    /// literals both sets mean the same and are joined. The parity of the uncoloured elements is kept, as if a dead element
    /// had been added for an odd number of them.
    pub(super) fn fill(&mut self, literals: [Mask<W>; 2]) {
        let (drops, shrinks) = if self.signed {
            let all = literals[0] | literals[1];
            ([all; 2], [all.negated(); 2])
        } else {
            (literals, [literals[1], literals[0]])
        };
        let gone = self.elements(literals[0] | literals[1]);
        let state = self.state_mut();
        state.live = state.live.minus(gone);
        for (form, (drop, shrink)) in self.forms.iter_mut().zip(drops.into_iter().zip(shrinks)) {
            if let Some(form) = form {
                form.assign(drop, shrink);
            }
        }
    }

    /// Makes a move in place.
    pub fn play(&mut self, choice: Move) {
        if let Move::Colour(element, colour) = choice {
            let literal = Mask::single(self.literal(usize::from(element), colour));
            let mut literals = [Mask::default(); 2];
            literals[usize::from(!colour)] = literal;
            self.fill(literals);
        }
        let state = self.state_mut();
        state.odd = !state.odd;
        state.turn = !state.turn;
    }

    /// Opens a position that starts as a copy of the present one.
    pub fn push(&mut self) {
        #[cfg(debug_assertions)]
        self.fingerprints.push(self.fingerprint());
        let state = *self.state();
        self.states.push(state);
        self.forms.iter_mut().flatten().for_each(Form::push);
    }

    /// Goes back to the position before [`push`](Self::push).
    pub fn pop(&mut self) {
        self.states.pop();
        self.forms.iter_mut().flatten().for_each(Form::pop);
        #[cfg(debug_assertions)]
        {
            let before = self.fingerprints.pop();
            debug_assert_eq!(before, Some(self.fingerprint()), "undo must restore the position");
        }
    }

    #[cfg(debug_assertions)]
    fn fingerprint(&self) -> Fingerprint<W> {
        (*self.state(), self.forms.each_ref().map(|form| form.as_ref().map(Form::fingerprint)))
    }

    /// Two independent hashes of everything the winner and the winning move depend on. In an isotone game that is the
    /// formula and the player to move, otherwise also the parity; and the elements outside the formula, where they were
    /// not dropped and so may be moved in.
    pub(super) fn hash(&self, occurrence: &Occurrence<W>) -> (u64, u64) {
        self.hash_by(occurrence, Form::hash, |dead| dead)
    }

    /// The same of the position's image under a permutation of the elements.
    pub(super) fn hash_image(&self, occurrence: &Occurrence<W>, permutation: &Permutation) -> (u64, u64) {
        self.hash_by(occurrence, |form| hash_image(form, permutation), |dead| permutation.apply(dead))
    }

    fn hash_by(
        &self,
        occurrence: &Occurrence<W>,
        hash: impl Fn(&Form<W>) -> (u64, u64),
        image: impl Fn(Mask<W>) -> Mask<W>,
    ) -> (u64, u64) {
        let shorter = self.shorter();
        let (a, b) = self.form(shorter).map_or((0, 0), hash);
        let tag =
            1 + index(shorter) + 2 * index(self.turn()) + 4 * usize::from(!occurrence.isotone && self.state().odd);
        let tag = tag as u64;
        let (mut a, mut b) = (a ^ tag.wrapping_mul(0xD6E8_FEB8_6659_FD93), b ^ tag.wrapping_mul(0xA24B_AED4_963E_E407));
        let dead = self.live().minus(occurrence.rising | occurrence.falling);
        if !dead.is_empty() {
            let (more, even_more) = hash_row(&image(dead));
            // Folded before they meet: a row and a dead element are hashed alike, and must not change places.
            a = fold(a, 0x9E37_79B9_7F4A_7C15) ^ more;
            b = fold(b, 0xC2B2_AE3D_27D4_EB4F) ^ even_more;
        }
        (a, b)
    }

    /// Whether nothing was coloured since the bottom of the stack.
    pub(super) fn is_initial(&self) -> bool {
        self.states.first() == self.states.last()
    }

    /// Positions below this one on the stack.
    #[inline]
    pub(super) fn depth(&self) -> usize {
        self.states.len()
    }

    /// Number of rows in the shorter form.
    #[inline]
    pub(super) fn rows(&self) -> usize {
        self.form(self.shorter()).map_or(0, Form::len)
    }
}

/// 0 for MAX, 1 for MIN.
#[inline]
pub(super) fn index(player: Player) -> usize {
    usize::from(player == Player::Min)
}

//! The sixteen forms of each rule.
//!
//! In order from the best for MAX to the worst, with T = +1, F = -1, X = {T|F}, a star behind a name for one dead element
//! beside it, Z△ = {F|T} and Z□ = {X|X} (both second-player wins), and `A|B||C` for {{A|B}|C}:
//!
//! | own, even | own, odd | any, even | any, odd |
//! |---|---|---|---|
//! | T | T* | T | T* |
//! | T*\|Z△ | T\|Z△* | T*\|Z□* | T\|Z□ |
//! | T*\|\|Z△*\|F | T\|\|Z△\|F* | T*\|\|Z□\|F | T\|\|Z□*\|F* |
//! | X* | X | X* | X |
//! | Z△* | Z△ | Z□ | Z□* |
//! | T\|Z△*\|\|F* | T*\|Z△\|\|F | T\|Z□\|\|F* | T*\|Z□*\|\|F |
//! | Z△\|F* | Z△*\|F | Z□*\|F* | Z□\|F |
//! | F | F* | F | F* |
//!
//! Games under rule `own` have no other form, whatever their size: every pair of sets of even forms gives a known odd form,
//! every pair of sets of odd forms a known even form or the number 0, and an even game under rule `own` is no second-player
//! win. Under rule `any` there is none with another form up to six elements; with seven there are some, all of whose options are
//! T*|Z□*, T*||Z□|F or X*, or all of whose options are the negations of these.

use super::Outcome;
use super::table::tables;
use gamesat_core::formula::{Player, Rule};
use std::fmt;

/// How many forms a rule and a parity have.
pub(super) const RANKS: usize = 8;

const NAMES: [[[&str; RANKS]; 2]; 2] = [
    [
        ["T", "T*|Z□*", "T*||Z□|F", "X*", "Z□", "T|Z□||F*", "Z□*|F*", "F"],
        ["T*", "T|Z□", "T||Z□*|F*", "X", "Z□*", "T*|Z□*||F", "Z□|F", "F*"],
    ],
    [
        ["T", "T*|Z△", "T*||Z△*|F", "X*", "Z△*", "T|Z△*||F*", "Z△|F*", "F"],
        ["T*", "T|Z△*", "T||Z△|F*", "X", "Z△", "T*|Z△||F", "Z△*|F", "F*"],
    ],
];

/// The value of a game under one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CanonicalForm {
    rule: Rule,
    odd: bool,
    /// Place in the table above, 0 for the best for MAX.
    rank: u8,
}

impl CanonicalForm {
    pub(super) fn new(rule: Rule, odd: bool, rank: u8) -> Self {
        debug_assert!(usize::from(rank) < RANKS);
        CanonicalForm { rule, odd, rank }
    }

    /// The eight forms of a rule and a parity, the best for MAX first.
    pub fn all(rule: Rule, odd: bool) -> impl Iterator<Item = CanonicalForm> {
        (0..RANKS as u8).map(move |rank| CanonicalForm::new(rule, odd, rank))
    }

    /// The form of a decided game without elements.
    pub fn decided(rule: Rule, value: bool) -> Self {
        CanonicalForm::new(rule, false, if value { 0 } else { RANKS as u8 - 1 })
    }

    /// The form of a game from those of its options, MAX's and MIN's; `None` if it is none of the sixteen. Options have
    /// the same rule and the same parity; without any the game is over and has no form from options.
    pub fn from_options(rule: Rule, odd: bool, options: [&[CanonicalForm]; 2]) -> Option<Self> {
        let [max, min] = options.map(|side| side.iter().fold(0u8, |set, form| set | 1 << form.rank));
        let rank = tables().rank(rule, odd, max, min)?;
        Some(CanonicalForm::new(rule, odd, rank))
    }

    /// The rule under which it is a value.
    pub fn rule(self) -> Rule {
        self.rule
    }

    /// Whether games with this form have an odd number of elements.
    pub fn is_odd(self) -> bool {
        self.odd
    }

    /// The form with one dead element more.
    pub fn with_star(self) -> Self {
        CanonicalForm { odd: !self.odd, ..self }
    }

    /// The form with the roles of the players exchanged.
    pub fn negated(self) -> Self {
        const REVERSED: [u8; RANKS] = [7, 6, 5, 3, 4, 2, 1, 0];
        CanonicalForm { rank: REVERSED[usize::from(self.rank)], ..self }
    }

    /// The form of the conjunction of two games on different elements.
    ///
    /// # Panics
    /// If the rules differ.
    pub fn and(self, other: Self) -> Self {
        assert_eq!(self.rule, other.rule, "one rule for the whole game");
        let rank = tables().product(self.rule, self.rank, other.rank);
        CanonicalForm { rank, odd: self.odd != other.odd, ..self }
    }

    /// The form of the disjunction of two games on different elements.
    ///
    /// # Panics
    /// If the rules differ.
    pub fn or(self, other: Self) -> Self {
        self.negated().and(other.negated()).negated()
    }

    /// Who wins games with this form.
    pub fn outcome(self) -> Outcome {
        let chain = (self.rule == Rule::Any) != self.odd;
        match (chain, self.rank) {
            (_, 0) => Outcome::Positive,
            (_, 7) => Outcome::Negative,
            (false, _) | (true, 3) => Outcome::Regular,
            (true, 4) => Outcome::Misere,
            (true, rank) if rank < 3 => Outcome::Positive,
            (true, _) => Outcome::Negative,
        }
    }

    /// Who wins games with this form if this player starts.
    pub fn winner(self, first: Player) -> Player {
        self.outcome().winner(first)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.rule == Rule::Own)][usize::from(self.odd)][usize::from(self.rank)]
    }
}

impl fmt::Display for CanonicalForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

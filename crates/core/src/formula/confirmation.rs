//! Confirmations: why a quantified formula is true, step by step.
//!
//! A confirmation has two parts. In the first one the formula is *made stronger or kept as strong*, until it is a simple one: if what is left is
//! true, so was the formula before each step. So a clause may be added at any time, and an existential variable may move outwards; a clause may
//! go if it follows from the others, or if it is blocked. In the second part *rules* of the existential player show that what is left is true
//! (Rabe and Tentrup, *CAQE: a certifying QBF solver*, 2015).
//!
//! **Levels.** Each variable has a level: at first the number of its block, counted from 1. A universal variable is *before* an existential one if
//! its level is not larger. *Outer* literals of a clause, seen from a literal `l`, are those whose level is not larger than that of `l`.
//!
//! **Clauses** are numbered from 1: those of the formula, then those that are added, or come from an expansion, in the order in which they come.
//!
//! **Following.** A clause `R` follows from clauses that are named, its *hints*, if unit propagation with universal reduction says so: the literals
//! of `R` are assumed to be false; each hint but the last has one open literal, which becomes true, or a true one, and then says nothing; the last has none. Universal literals
//! beyond the innermost level of `R` do not count as open, but must then be beyond the level of the one that is; other universal literals
//! count like existential ones (QRAT+; Lonsing and Egly 2018). Why that is right: a play by Skolem functions of the other clauses that makes `R` false would be
//! a position in which the rest is lost.
//!
//! **Blocked** is a clause `C` on its existential literal `l` if for each clause `D` with `-l`: `C` has an outer literal other than `l` whose negation is in
//! `D`, or `C` with the outer literals of `D` but `-l` follows from the clauses without `C`, or `D` without `-l` together with `l` and the outer literals of `C` does.
//! Where some later play makes `C` false, `l` is made true; neither `C` nor any `D` minds.
//!
//! **Expansion** of a universal variable `u`: of each clause with `u` or a variable that is copied the part with `u` false keeps the number of the clause (or is gone, if `-u` is in
//! it), and the part with `u` true, with copies, is a new clause (unless `u` is in it): in the order of the numbers. What is copied is beyond `u`; what is not, serves
//! both parts. A clause without both stays as it is.
//!
//! **Rules.** Let the levels of what is left be joined as far as they are of one player, and numbered from 0, outermost first; at the same level universal variables
//! come first. A *node* is what a clause says up to some of its levels: its *cut* is the number of levels of this kind at which it has literals. A node is satisfied if a
//! literal of it is true. A clause of the second part is about universal literals and about nodes: each is either of these:
//! - *definition*, of a universal level: node `n` is satisfied, or a literal of its last level is false; or it is satisfied, or the node before it (with a cut smaller by one) is not;
//! - *rule*, of an existential level: if all of some nodes before it are satisfied, the existential player wins what is left, by *picks*, literals of
//!   this level. Namely each clause that ends at this level has a pick or is satisfied by one of the nodes; and so is each node in an earlier clause, which is about the level behind
//!   (there is none at the innermost level). The clause of the rule says that one of the nodes before is not satisfied; it is about the universal level before it;
//! - *resolvent* of clauses about the same level: the first is resolved with the second, what comes out with the third, and so on.
//!
//! A clause without literals of its own level tells the existential level before what the universal player cannot do. The last one is empty: a rule without nodes, or, if the
//! outermost level is universal, a resolvent.
//!
//! At the innermost level some clauses may be *saved*: each is blocked on a literal of that level, one after the other, as far as those are concerned which are saved, too, and not yet gone.
//! A rule need not satisfy those whose literal's negation is not picked.

/// What a row of a [`Confirmation`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfirmationRow {
    /// A clause is added: its literals.
    Added,
    /// A clause that follows from others goes: its number, and hints.
    Implied,
    /// Why a clause that is going to be blocked is: the number of a clause `D`, negated if the outer literals of `C` are meant and not those of `D`; and
    /// hints.
    Beside,
    /// A blocked clause goes: its number, and the literal.
    Blocked,
    /// An existential variable moves outwards: the variable, and its new level plus 1.
    Moved,
    /// A universal variable is expanded: the variable, and pairs of variables and their copies.
    Expanded,
    /// A clause is saved: its number, and the literal.
    Saved,
    /// A node gets the next number, from 1: the number of a clause, and the cut.
    Node,
    /// A definition, the next clause of the second part (numbered from 1): a node, and a literal of its last level, if it is not about the node before.
    Definition,
    /// What the next rule picks: literals.
    Picks,
    /// A rule of the innermost level, the next clause of the second part: nodes.
    Last,
    /// A rule of another level, the next clause of the second part: the number of an earlier clause of that part, and nodes.
    Rule,
    /// The next clause of the second part: the numbers of clauses of that part.
    Resolvent,
}

/// Rows of numbers, as they are written down; `check::verify` judges what they say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confirmation {
    numbers: Vec<i32>,
    rows: Vec<(ConfirmationRow, usize)>,
}

impl Confirmation {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a row. Literals are numbers as in DIMACS; none is 0.
    pub fn push(&mut self, row: ConfirmationRow, numbers: impl IntoIterator<Item = i32>) {
        self.numbers.extend(numbers);
        self.rows.push((row, self.numbers.len()));
    }

    /// All rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = (ConfirmationRow, &[i32])> {
        let starts = std::iter::once(0).chain(self.rows.iter().map(|&(_, end)| end));
        self.rows.iter().zip(starts).map(|(&(row, end), start)| (row, &self.numbers[start..end]))
    }
}

//! Two tables, computed once from the definitions: the form of a game from the sets of forms of its options, and the
//! products of forms.
//!
//! A game's value depends on its options' values only, so with eight forms a parity a table of 2^8 entries (rule `any`,
//! where both players have the same options) or 2^16 (rule `own`) says everything. The product of two games is
//! {Gᴸ∧H, G∧Hᴸ | Gᴿ∧H, G∧Hᴿ}; that the form of the product depends on the forms alone holds for all games with known
//! forms, because the tables are commutative and monotone, which makes the induction step a finite check.

use super::form::RANKS;
use super::values::{Id, Values};
use gamesat_core::formula::Rule;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// No form of the sixteen.
pub(super) const UNKNOWN: u8 = u8::MAX;

/// The tables of both rules.
pub(super) struct Tables {
    /// By parity: the rank of a game from the set of its options' ranks.
    any: [[u8; 256]; 2],
    /// By parity: the same from MAX's and, times 256, MIN's options.
    own: [Box<[u8; 65536]>; 2],
    /// By rule: ranks of products of even forms.
    products: [[[u8; RANKS]; RANKS]; 2],
    /// By rule, parity and forms: whether one is ≤ another.
    #[cfg(test)]
    order: [[[[bool; RANKS]; RANKS]; 2]; 2],
}

impl Tables {
    /// The rank of a game with these sets of options, which have the other parity.
    #[inline]
    pub(super) fn rank(&self, rule: Rule, odd: bool, max: u8, min: u8) -> Option<u8> {
        let rank = match rule {
            Rule::Any => self.any[usize::from(odd)][usize::from(max | min)],
            Rule::Own => self.own[usize::from(odd)][usize::from(max) | usize::from(min) << 8],
        };
        (rank != UNKNOWN).then_some(rank)
    }

    /// The rank of a game under rule `any` by the set of its options.
    pub(super) fn any(&self, odd: bool) -> &[u8; 256] {
        &self.any[usize::from(odd)]
    }

    /// The rank of a game under rule `own` by the sets of both players' options.
    pub(super) fn own(&self, odd: bool) -> &[u8; 65536] {
        &self.own[usize::from(odd)]
    }

    pub(super) fn product(&self, rule: Rule, one: u8, other: u8) -> u8 {
        self.products[usize::from(rule == Rule::Own)][usize::from(one)][usize::from(other)]
    }

    #[cfg(test)]
    pub(super) fn le(&self, rule: Rule, odd: bool, one: u8, other: u8) -> bool {
        self.order[usize::from(rule == Rule::Own)][usize::from(odd)][usize::from(one)][usize::from(other)]
    }
}

/// The tables.
pub(super) fn tables() -> &'static Tables {
    static TABLES: LazyLock<Tables> = LazyLock::new(build);
    &TABLES
}

/// A game as a tree over T and F.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Tree {
    Leaf(bool),
    Node(Vec<Tree>, Vec<Tree>),
}

impl Tree {
    fn node(left: &Tree, right: &Tree) -> Tree {
        Tree::Node(vec![left.clone()], vec![right.clone()])
    }

    /// The game with a dead element beside: {Gᴸ*, G | Gᴿ*, G}.
    fn star(&self) -> Tree {
        let side = |options: &[Tree]| options.iter().map(Tree::star).chain([self.clone()]).collect();
        match self {
            Tree::Leaf(_) => Tree::node(self, self),
            Tree::Node(lefts, rights) => Tree::Node(side(lefts), side(rights)),
        }
    }

    fn options(&self, side: usize) -> &[Tree] {
        match self {
            Tree::Leaf(_) => &[],
            Tree::Node(lefts, rights) => [lefts, rights][side],
        }
    }
}

/// A tree for each form of a rule, even ones and odd ones; see [`form`](super::form).
fn trees(rule: Rule) -> [[Tree; RANKS]; 2] {
    let (t, f) = (Tree::Leaf(true), Tree::Leaf(false));
    let (ts, fs) = (t.star(), f.star());
    let x = Tree::node(&t, &f);
    let xs = x.star();
    let node = Tree::node;
    match rule {
        Rule::Any => {
            let z = node(&x, &x);
            let zs = z.star();
            let even = [
                t.clone(),
                node(&ts, &zs),
                node(&ts, &node(&z, &f)),
                xs,
                z.clone(),
                node(&node(&t, &z), &fs),
                node(&zs, &fs),
                f.clone(),
            ];
            let odd = [
                ts.clone(),
                node(&t, &z),
                node(&t, &node(&zs, &fs)),
                x,
                zs.clone(),
                node(&node(&ts, &zs), &f),
                node(&z, &f),
                fs,
            ];
            [even, odd]
        }
        Rule::Own => {
            let z = node(&f, &t);
            let zs = z.star();
            let even = [
                t.clone(),
                node(&ts, &z),
                node(&ts, &node(&zs, &f)),
                xs,
                zs.clone(),
                node(&node(&t, &zs), &fs),
                node(&z, &fs),
                f.clone(),
            ];
            let odd = [
                ts.clone(),
                node(&t, &zs),
                node(&t, &node(&z, &fs)),
                x,
                z.clone(),
                node(&node(&ts, &z), &f),
                node(&zs, &f),
                fs,
            ];
            [even, odd]
        }
    }
}

#[derive(Default)]
struct Builder {
    values: Values,
    known: FxHashMap<Tree, Id>,
    products: FxHashMap<(Tree, Tree), Id>,
}

impl Builder {
    fn value(&mut self, tree: &Tree) -> Id {
        if let Some(&known) = self.known.get(tree) {
            return known;
        }
        let value = match tree {
            Tree::Leaf(value) => self.values.unit(*value),
            Tree::Node(lefts, rights) => {
                let [lefts, rights] = [lefts, rights].map(|side| side.iter().map(|tree| self.value(tree)).collect());
                self.values.canonical(lefts, rights)
            }
        };
        self.known.insert(tree.clone(), value);
        value
    }

    /// By set of ranks: those of its members that no other one is above, or, in reverse, below.
    fn antichains(&mut self, ids: &[Id], reverse: bool) -> Vec<u8> {
        let mut above = [[false; RANKS]; RANKS];
        for (one, &g) in ids.iter().enumerate() {
            for (other, &h) in ids.iter().enumerate().filter(|&(other, _)| other != one) {
                above[one][other] = if reverse { self.values.le(g, h) } else { self.values.le(h, g) };
            }
        }
        let has = |set: usize, rank: usize| set >> rank & 1 != 0;
        let stays = |set: usize, rank: usize| !(0..RANKS).any(|other| has(set, other) && above[other][rank]);
        let kept = |set: usize, rank: usize| u8::from(has(set, rank) && stays(set, rank)) << rank;
        (0..256).map(|set| (0..RANKS).fold(0, |bits, rank| bits | kept(set, rank))).collect()
    }

    /// The value of the conjunction of two trees.
    fn product(&mut self, one: &Tree, other: &Tree) -> Id {
        if let (Tree::Leaf(a), Tree::Leaf(b)) = (one, other) {
            return self.values.unit(*a && *b);
        }
        let pair = (one.clone(), other.clone());
        if let Some(&known) = self.products.get(&pair) {
            return known;
        }
        let [lefts, rights] = [0, 1].map(|side| {
            let first: Vec<Id> = one.options(side).iter().map(|option| self.product(option, other)).collect();
            let second = other.options(side).iter().map(|option| self.product(one, option));
            first.into_iter().chain(second.collect::<Vec<_>>()).collect::<Vec<Id>>()
        });
        let value = self.values.canonical(lefts, rights);
        self.products.insert(pair, value);
        value
    }
}

fn build() -> Tables {
    let mut builder = Builder::default();
    let own = || vec![UNKNOWN; 65536].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("2^16 entries"));
    let mut tables = Tables {
        any: [[UNKNOWN; 256]; 2],
        own: [own(), own()],
        products: [[[UNKNOWN; RANKS]; RANKS]; 2],
        #[cfg(test)]
        order: [[[[false; RANKS]; RANKS]; 2]; 2],
    };
    for rule in [Rule::Any, Rule::Own] {
        let trees = trees(rule);
        let ids: [Vec<Id>; 2] = [0, 1].map(|parity| trees[parity].iter().map(|tree| builder.value(tree)).collect());
        let rank = |ids: &[Id], value: Id| ids.iter().position(|&id| id == value).map_or(UNKNOWN, |rank| rank as u8);
        for parity in 0..2 {
            let options = |set: u8| -> Vec<Id> {
                (0..RANKS).filter(|rank| set >> rank & 1 != 0).map(|rank| ids[1 - parity][rank]).collect()
            };
            // Dominated options do not count, so few of the pairs of sets differ.
            let [best, worst] = [false, true].map(|reverse| builder.antichains(&ids[1 - parity], reverse));
            let mut known: FxHashMap<(u8, u8), u8> = FxHashMap::default();
            let mut value = |max: usize, min: usize| {
                let pair = (best[max], worst[min]);
                *known.entry(pair).or_insert_with(|| {
                    let value = builder.values.canonical(options(pair.0), options(pair.1));
                    rank(&ids[parity], value)
                })
            };
            for max in 1..256 {
                match rule {
                    Rule::Any => tables.any[parity][max] = value(max, max),
                    Rule::Own => (1..256).for_each(|min| tables.own[parity][max | min << 8] = value(max, min)),
                }
            }
        }
        for (one, tree) in trees[0].iter().enumerate() {
            for (other, second) in trees[0].iter().enumerate() {
                let value = builder.product(tree, second);
                tables.products[usize::from(rule == Rule::Own)][one][other] = rank(&ids[0], value);
            }
        }
        #[cfg(test)]
        for (parity, ids) in ids.iter().enumerate() {
            for (one, &g) in ids.iter().enumerate() {
                for (other, &h) in ids.iter().enumerate() {
                    tables.order[usize::from(rule == Rule::Own)][parity][one][other] = builder.values.le(g, h);
                }
            }
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::canonical::{CanonicalForm, Outcome};

    /// The product tables of *Set Colouring Games* 7.9, rows and columns from T*|Z to Z|F*; T is neutral and F absorbs.
    #[test]
    fn products_are_the_published_ones() {
        let any: [[u8; 6]; 6] = [
            [4, 4, 5, 4, 6, 6],
            [4, 4, 6, 4, 6, 6],
            [5, 6, 7, 6, 7, 7],
            [4, 4, 6, 4, 6, 6],
            [6, 6, 7, 6, 7, 7],
            [6, 6, 7, 6, 7, 7],
        ];
        let own: [[u8; 6]; 6] = [
            [4, 5, 5, 6, 6, 7],
            [5, 6, 6, 6, 7, 7],
            [5, 6, 7, 6, 7, 7],
            [6, 6, 6, 7, 7, 7],
            [6, 7, 7, 7, 7, 7],
            [7, 7, 7, 7, 7, 7],
        ];
        for (rule, table) in [(Rule::Any, any), (Rule::Own, own)] {
            for (one, row) in table.iter().enumerate() {
                for (other, &product) in row.iter().enumerate() {
                    assert_eq!(tables().product(rule, one as u8 + 1, other as u8 + 1), product, "{rule} {one} {other}");
                }
            }
            for rank in 0..RANKS as u8 {
                assert_eq!(tables().product(rule, 0, rank), rank);
                assert_eq!(tables().product(rule, rank, 0), rank);
                assert_eq!(tables().product(rule, 7, rank), 7);
                assert_eq!(tables().product(rule, rank, 7), 7);
            }
        }
    }

    /// A chain with one incomparable pair, and negation turns it round.
    #[test]
    fn the_order_is_a_chain_but_for_one_pair() {
        for rule in [Rule::Any, Rule::Own] {
            for odd in [false, true] {
                for one in 0..8 {
                    for other in 0..8 {
                        let expected = one >= other && (one, other) != (4, 3);
                        assert_eq!(tables().le(rule, odd, one, other), expected, "{rule} {odd} {one} {other}");
                    }
                }
            }
        }
    }

    /// Six classes under each rule: the outcomes without and with padding to an odd number.
    #[test]
    fn outcomes_follow_the_relation_to_zero() {
        use Outcome::{Misere as M, Negative as N, Positive as P, Regular as R};
        let outcomes = |rule, odd| CanonicalForm::all(rule, odd).map(CanonicalForm::outcome).collect::<Vec<_>>();
        assert_eq!(outcomes(Rule::Any, false), [P, P, P, R, M, N, N, N]);
        assert_eq!(outcomes(Rule::Any, true), [P, R, R, R, R, R, R, N]);
        assert_eq!(outcomes(Rule::Own, false), [P, R, R, R, R, R, R, N]);
        assert_eq!(outcomes(Rule::Own, true), [P, P, P, R, M, N, N, N]);
    }

    /// Which sets of options lead out of the sixteen forms: none to an odd game under rule `own`; under rule `any` exactly
    /// the subsets of {T*|Z□*, T*||Z□|F, X*} and of their negations lead to an unknown odd game.
    #[test]
    fn closure() {
        for max in 1..256usize {
            assert_ne!(tables().any(false)[max], UNKNOWN);
            let subset = |of: usize| max & !of == 0;
            let escapes = subset(0b0000_1110) || subset(0b0110_1000);
            assert_eq!(tables().any(true)[max] == UNKNOWN, escapes, "{max:b}");
            for min in 1..256usize {
                assert_ne!(tables().own(true)[max | min << 8], UNKNOWN);
            }
        }
    }

    /// The order of two games is told by who wins the larger or the negation of the smaller, under rule `own` and for games of
    /// any parity (*Set Colouring Games* 14.3, a conjecture there); under rule `any` it is not.
    #[test]
    fn the_order_by_outcomes() {
        use Outcome::{Misere, Negative, Positive};
        let mut wrong = [0; 2];
        for rule in [Rule::Any, Rule::Own] {
            let mut builder = Builder::default();
            let trees = trees(rule);
            let forms: Vec<(CanonicalForm, Id)> = [false, true]
                .into_iter()
                .flat_map(|odd| CanonicalForm::all(rule, odd).zip(&trees[usize::from(odd)]))
                .map(|(form, tree)| (form, builder.value(tree)))
                .collect();
            for &(g, of_g) in &forms {
                for &(h, of_h) in &forms {
                    let [or, and] = [(g, h.negated()), (g.negated(), h)].map(|(a, b)| (a.or(b), a.and(b)));
                    let told = if g.is_odd() == h.is_odd() {
                        or.0.outcome() == Positive && and.1.outcome() == Negative
                    } else {
                        [Positive, Misere].contains(&or.1.outcome()) && [Negative, Misere].contains(&and.0.outcome())
                    };
                    wrong[usize::from(rule == Rule::Own)] += u32::from(builder.values.le(of_h, of_g) != told);
                }
            }
        }
        assert_eq!(wrong[1], 0);
        assert!(wrong[0] > 0, "{wrong:?}");
    }

    /// Half of the values of games under rule `own` are values of games under rule `any`.
    #[test]
    fn values_of_both_rules() {
        let mut builder = Builder::default();
        let of_any: Vec<Id> = trees(Rule::Any).iter().flatten().map(|tree| builder.value(tree)).collect();
        let trees = trees(Rule::Own);
        let forms = [false, true].map(|odd| CanonicalForm::all(Rule::Own, odd).zip(&trees[usize::from(odd)]));
        let shared = forms.into_iter().flatten().filter(|(_, tree)| of_any.contains(&builder.value(tree)));
        let shared: Vec<&str> = shared.map(|(form, _)| form.name()).collect();
        assert_eq!(shared, ["T", "X*", "Z△*", "F", "T*", "X", "Z△", "F*"]);
    }
}

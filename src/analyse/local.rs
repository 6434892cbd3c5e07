//! One set of elements under the glass: the punctuated formulas, optimal colourings, and the local game.
//!
//! Let S be a set of uncoloured elements of a formula with prime clauses C and prime terms D (*Set Colouring Games* 8.1-8.8):
//! - C|S is C with the literals outside S struck out, without empty clauses. A colouring of S is *maximal*, best for MAX
//!   whatever the others are, iff it satisfies C|S;
//! - D|S likewise. A colouring is *minimal*, best for MIN, iff it falsifies every term of D|S;
//! - in the *local game* the players colour S in turn; MAX has won if the result is maximal, MIN if it is minimal.
//!
//! S is *captured* by a player who wins moving second, S padded with a dead element to an even number, and *dominated* by
//! one who wins moving first, padded to an odd number. Both tests are exact for prime forms, and sound for others.

use gamesat_core::formula::{ClauseArena, Lit, Player, Rule, Var};
use std::fmt;

/// Elements of a set at most: 3^8 positions.
pub(super) const MOST: usize = 8;

/// The result of a local game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LocalResult {
    /// The colouring is minimal.
    Min,
    /// It is neither.
    Draw,
    /// It is maximal.
    Max,
}

impl fmt::Display for LocalResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            LocalResult::Min => "min",
            LocalResult::Draw => "draw",
            LocalResult::Max => "max",
        })
    }
}

impl LocalResult {
    pub(super) fn of(player: Player) -> Self {
        if player == Player::Max { LocalResult::Max } else { LocalResult::Min }
    }
}

/// A set and its punctuated formulas.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) elements: Vec<Var>,
    rule: Rule,
    /// By colouring, bit `e` for element `e`.
    maximal: Vec<bool>,
    minimal: Vec<bool>,
}

/// Rows cut down to a set: without empty ones, each once, in order of appearance.
pub(super) fn punctuated(rows: &ClauseArena, set: &[Var]) -> ClauseArena {
    let mut seen: Vec<Vec<Lit>> = Vec::new();
    for row in rows {
        let inside: Vec<Lit> = row.iter().copied().filter(|lit| set.contains(&lit.var())).collect();
        if !inside.is_empty() && !seen.contains(&inside) {
            seen.push(inside);
        }
    }
    seen.into_iter().collect()
}

impl Local {
    /// The local game on a set, from punctuated clauses and terms; `None` for a form that is not known.
    pub(super) fn new(set: &[Var], rule: Rule, clauses: Option<&ClauseArena>, terms: Option<&ClauseArena>) -> Self {
        debug_assert!(set.len() <= MOST);
        let holds = |colouring: usize, lit: &Lit| {
            let at = set.iter().position(|&var| var == lit.var());
            at.is_some_and(|at| (colouring >> at & 1 != 0) == lit.is_positive())
        };
        let all = 0..1usize << set.len();
        let maximal = |colouring: usize| {
            clauses.is_some_and(|rows| rows.iter().all(|row| row.iter().any(|lit| holds(colouring, lit))))
        };
        let minimal = |colouring: usize| {
            terms.is_some_and(|rows| rows.iter().all(|row| row.iter().any(|lit| !holds(colouring, lit))))
        };
        Local {
            elements: set.to_vec(),
            rule,
            maximal: all.clone().map(maximal).collect(),
            minimal: all.map(minimal).collect(),
        }
    }

    /// The colourings that are best for a player.
    pub(super) fn optimal(&self, player: Player) -> impl Iterator<Item = usize> + '_ {
        let list = if player == Player::Max { &self.maximal } else { &self.minimal };
        list.iter().enumerate().filter(|&(_, &best)| best).map(|(colouring, _)| colouring)
    }

    /// A colouring as literals.
    pub(super) fn literals(&self, colouring: usize) -> Vec<Lit> {
        self.elements.iter().enumerate().map(|(at, var)| var.lit(colouring >> at & 1 != 0)).collect()
    }

    /// The shortest rows of which every optimal colouring for a player makes a literal true, and no other one does in all.
    pub(super) fn promised(&self, player: Player) -> Vec<Vec<Lit>> {
        let optimal: Vec<usize> = self.optimal(player).collect();
        // A row by the elements in it and their colours; shorter ones first.
        let all = 0..1usize << self.elements.len();
        let mut rows: Vec<(usize, usize)> =
            all.clone().flat_map(|set| all.clone().map(move |colours| (set, colours))).collect();
        rows.retain(|&(set, colours)| {
            let is_met = |&colouring: &usize| !(colouring ^ colours) & set != 0;
            colours & !set == 0 && optimal.iter().all(is_met)
        });
        rows.sort_by_key(|&(set, _)| set.count_ones());
        let mut shortest: Vec<(usize, usize)> = Vec::new();
        for (set, colours) in rows {
            let holds = |&(inner, same): &(usize, usize)| inner & set == inner && colours & inner == same;
            if !shortest.iter().any(holds) {
                shortest.push((set, colours));
            }
        }
        let literals = |(set, colours): (usize, usize)| {
            let inside = self.elements.iter().enumerate().filter(|&(at, _)| set >> at & 1 != 0);
            inside.map(|(at, var)| var.lit(colours >> at & 1 != 0)).collect()
        };
        shortest.into_iter().map(literals).collect()
    }

    /// Whether nothing depends on the set.
    pub(super) fn is_dead(&self) -> bool {
        self.maximal.iter().all(|&best| best) && self.minimal.iter().all(|&best| best)
    }

    /// The result under best play with this player first, the set padded to an even or an odd number; and the result
    /// after each first move in the set.
    pub(super) fn play(&self, first: Player, odd: bool) -> (LocalResult, Vec<(Lit, LocalResult)>) {
        let elements = self.elements.len();
        let star = (elements % 2 == 1) != odd;
        let powers: Vec<usize> = (0..=elements as u32).map(|exponent| 3usize.pow(exponent)).collect();
        let positions = powers[elements];
        let total = elements + usize::from(star);
        // By the dead element being there and position.
        let mut results = vec![LocalResult::Draw; 2 * positions];
        for with_star in 0..=usize::from(star) {
            for position in 0..positions {
                let digit = |element: usize| position / powers[element] % 3;
                let free: Vec<usize> = (0..elements).filter(|&e| digit(e) == 2).collect();
                let left = free.len() + with_star;
                let turn = if (total - left).is_multiple_of(2) { first } else { !first };
                let result = if left == 0 {
                    let colouring = (0..elements).fold(0, |bits, e| bits | digit(e) << e);
                    match (self.maximal[colouring], self.minimal[colouring]) {
                        (true, false) => LocalResult::Max,
                        (false, true) => LocalResult::Min,
                        _ => LocalResult::Draw,
                    }
                } else {
                    let moves = free.iter().flat_map(|&e| [(e, true), (e, false)]);
                    let moves = moves.filter(|&(_, colour)| self.rule.allows(turn, colour));
                    let after = moves.map(|(e, colour)| position - (2 - usize::from(colour)) * powers[e]);
                    let values = after.map(|next| results[with_star * positions + next]);
                    let pass = (with_star == 1).then(|| results[position]);
                    let values = values.chain(pass);
                    let best = if turn == Player::Max { values.max() } else { values.min() };
                    best.unwrap_or(LocalResult::Draw)
                };
                results[with_star * positions + position] = result;
            }
        }
        let base = usize::from(star) * positions;
        let whole = positions - 1;
        let moves = (0..elements).flat_map(|e| [(e, true), (e, false)]);
        let moves = moves.filter(|&(_, colour)| self.rule.allows(first, colour)).map(|(e, colour)| {
            let after = whole - (2 - usize::from(colour)) * powers[e];
            (self.elements[e].lit(colour), results[base + after])
        });
        (results[base + whole], moves.collect())
    }

    /// Whether a player has captured the set.
    pub(super) fn is_captured(&self, captor: Player) -> bool {
        self.play(!captor, false).0 == LocalResult::of(captor)
    }

    /// Whether a player dominates the set.
    pub(super) fn is_dominated(&self, player: Player) -> bool {
        self.play(player, true).0 == LocalResult::of(player)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::control::Control;
    use gamesat_rows::normal;

    fn rows(list: &[&[i32]]) -> ClauseArena {
        list.iter().map(|row| row.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>()).collect()
    }

    /// f = (x0 | !x1)(!x0 | x2)(!x2 | !x3): maximal and minimal colourings of every set.
    #[test]
    fn published_optimal_colourings() {
        let control = Control::default();
        let given = rows(&[&[1, -2], &[-1, 3], &[-3, -4]]);
        let cnf = normal::prime(&given, 100, &control).unwrap().unwrap();
        let dnf = normal::dual(&given, 100, &control).unwrap().unwrap();
        let of = |set: &[usize]| {
            let set: Vec<Var> = set.iter().map(|&e| Var::from_index(e)).collect();
            let local = Local::new(&set, Rule::Any, Some(&punctuated(&cnf, &set)), Some(&punctuated(&dnf, &set)));
            let spoken = |colouring: usize| -> String {
                (0..set.len()).map(|at| if colouring >> at & 1 != 0 { 'T' } else { 'F' }).collect()
            };
            let list = |player| {
                let mut all: Vec<String> = local.optimal(player).map(spoken).collect();
                all.sort();
                if all.is_empty() { "-".to_owned() } else { all.join(" ") }
            };
            format!("{}/{}", list(Player::Max), list(Player::Min))
        };
        for (set, expected) in [
            (&[0][..], "-/-"),
            (&[1], "F/T"),
            (&[2], "-/-"),
            (&[3], "F/T"),
            (&[0, 1], "FF/FT"),
            (&[0, 2], "-/TF"),
            (&[0, 3], "-/TT"),
            (&[1, 2], "-/TF"),
            (&[1, 3], "FF/TT"),
            (&[2, 3], "TF/TT"),
            (&[0, 1, 2], "FFF/FTF FTT TFF TTF"),
            (&[0, 1, 3], "FFF/FTF FTT TFT TTT"),
            (&[0, 2, 3], "TTF/FTT TFF TFT TTT"),
            (&[1, 2, 3], "FTF/FTT TFF TFT TTT"),
        ] {
            assert_eq!(of(set), expected, "{set:?}");
        }
        assert!(of(&[0, 1, 2, 3]).starts_with("FFFF FFFT FFTF TFTF TTTF/"));
    }

    /// Maximal means what its name says: refilling the set never turns TRUE into FALSE.
    #[test]
    fn optimal_colourings_by_definition() {
        let mut seed = 7u64;
        let mut next = |bound: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % bound
        };
        let control = Control::default();
        for _ in 0..150 {
            let given: ClauseArena = (0..1 + next(5))
                .map(|_| {
                    let lit = |bits: u64| Var::from_index((bits % 5) as usize).lit(bits >= 5);
                    (0..1 + next(3)).map(|_| lit(next(10))).collect::<Vec<_>>()
                })
                .collect();
            let cnf = normal::prime(&given, 1000, &control).unwrap().unwrap();
            let dnf = normal::dual(&given, 1000, &control).unwrap().unwrap();
            let value = |bits: usize| {
                given.iter().all(|row| row.iter().any(|lit| (bits >> lit.var().index() & 1 != 0) == lit.is_positive()))
            };
            let set = [0, 2, 3].map(Var::from_index);
            let local = Local::new(&set, Rule::Any, Some(&punctuated(&cnf, &set)), Some(&punctuated(&dnf, &set)));
            for colouring in 0..8usize {
                let refilled = |bits: usize| bits & 0b10010 | colouring & 1 | (colouring & 0b110) << 1;
                let maximal = (0..32).all(|bits| value(refilled(bits)) || !value(bits));
                let minimal = (0..32).all(|bits| !value(refilled(bits)) || value(bits));
                assert_eq!(local.optimal(Player::Max).any(|best| best == colouring), maximal, "{given:?}");
                assert_eq!(local.optimal(Player::Min).any(|best| best == colouring), minimal, "{given:?}");
            }
        }
    }
}

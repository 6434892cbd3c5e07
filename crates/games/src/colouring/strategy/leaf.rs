//! Leaves of a strategy: positions that are decided, or that pairs decide.
//!
//! If every row that the winner still has to hit contains both literals of one of some disjoint pairs, the winner needs
//! no more plan than that: whenever the loser takes one of a pair, take the other.

use super::{Builder, index};
use crate::colouring::mask::Mask;
use gamesat_core::formula::{ClauseArena, Game, GameMatrix, Lit, Player, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// Pairs are looked for among at most this many rows,
const MOST_ROWS: usize = 400;
/// and with so many wrong tries.
const TRIES: usize = 60;

/// The colours already played that a leaf has to mention beside those of the rows, which do not show them any more.
pub(super) fn background(game: &Game, winner: Player) -> Vec<Lit> {
    let played: FxHashMap<Var, Lit> = game.played().iter().map(|&lit| (lit.var(), lit)).collect();
    let colour = |lit: &Lit| played.get(&lit.var()).copied();
    let (rows, cnf) = match game.matrix() {
        GameMatrix::Cnf(rows) => (rows, true),
        GameMatrix::Dnf(rows) => (rows, false),
        GameMatrix::Circuit(circuit) => {
            return game.played().iter().copied().filter(|lit| lit.var().index() < circuit.inputs()).collect();
        }
    };
    // What settles a row: a true literal settles a clause, a false one a term.
    let settles = |lit: &Lit| colour(lit).filter(|&played| (played == *lit) == cnf);
    if cnf == (winner == Player::Max) {
        return hitting(rows, settles);
    }
    let mut relied: FxHashSet<Lit> = FxHashSet::default();
    for row in rows.iter().filter(|row| !row.iter().any(|lit| settles(lit).is_some())) {
        relied.extend(row.iter().filter_map(colour));
    }
    game.played().iter().copied().filter(|lit| relied.contains(lit)).collect()
}

/// Some of the played literals that settle every row which is settled.
fn hitting(rows: &ClauseArena, settles: impl Fn(&Lit) -> Option<Lit>) -> Vec<Lit> {
    let mut chosen: Vec<Lit> = Vec::new();
    for row in rows {
        if !row.iter().filter_map(&settles).any(|lit| chosen.contains(&lit)) {
            chosen.extend(row.iter().find_map(&settles));
        }
    }
    chosen.sort_unstable();
    chosen
}

impl<const W: usize> Builder<'_, '_, '_, W> {
    /// If the present position needs no further plan: literals that are true, and pairs, that decide it together.
    pub(super) fn leaf(&self) -> Option<(Mask<W>, Vec<[u16; 2]>)> {
        let position = &self.search.position;
        if position.decided() == Some(self.winner) {
            return Some((self.filled_row().or_else(|| self.needed(&[]))?, Vec::new()));
        }
        let form = position.form(self.winner)?;
        if form.len() > MOST_ROWS || form.is_broken() {
            return None;
        }
        let rows: Vec<Mask<W>> = form.rows().map(|row| position.allowed(self.winner, row)).collect();
        let mut pairs = Vec::new();
        let twins = |literal: usize| {
            let element = position.element(literal);
            Mask::single(position.literal(element, true)) | Mask::single(position.literal(element, false))
        };
        if !pair_up(&rows, &twins, &mut pairs, &mut { TRIES }) {
            return None;
        }
        Some((self.needed(&pairs)?, pairs))
    }

    /// The smallest row of the loser that the winner has broken: what it took to break it decides the formula.
    fn filled_row(&self) -> Option<Mask<W>> {
        let rows = self.rows[index(!self.winner)].as_ref()?;
        let against = |row: &Mask<W>| if self.signed { row.negated() } else { *row };
        rows.iter().map(against).filter(|row| row.is_subset(&self.coloured)).min_by_key(Mask::len)
    }

    /// True literals that hit every row of the winner which contains none of the pairs: those without a choice first,
    /// then the one that hits most.
    fn needed(&self, pairs: &[[u16; 2]]) -> Option<Mask<W>> {
        let pairs: Vec<Mask<W>> =
            pairs.iter().map(|&[a, b]| Mask::single(usize::from(a)) | Mask::single(usize::from(b))).collect();
        let rows = self.rows[index(self.winner)].as_ref()?;
        let open_rows = rows.iter().filter(|row| !pairs.iter().any(|pair| pair.is_subset(row)));
        let mut hits: Vec<Mask<W>> = open_rows.map(|&row| row & self.coloured).collect();
        if hits.iter().any(Mask::is_empty) {
            return None;
        }
        let mut chosen = Mask::default();
        let mut counts = vec![0u32; Mask::<W>::BITS];
        while !hits.is_empty() {
            let forced = hits.iter().filter(|hit| hit.len() == 1).fold(Mask::default(), |forced, &hit| forced | hit);
            if forced.is_empty() {
                counts.fill(0);
                hits.iter().flat_map(|hit| hit.iter()).for_each(|literal| counts[literal] += 1);
                let best = self.coloured.iter().max_by_key(|&literal| counts[literal])?;
                chosen.insert(best);
            } else {
                chosen |= forced;
            }
            hits.retain(|hit| !hit.intersects(&chosen));
        }
        Some(chosen)
    }
}

/// Finds disjoint pairs of literals such that every row contains one. `twins` are the literals of a literal's element.
fn pair_up<const W: usize>(
    rows: &[Mask<W>],
    twins: &impl Fn(usize) -> Mask<W>,
    pairs: &mut Vec<[u16; 2]>,
    tries: &mut usize,
) -> bool {
    let Some(shortest) = rows.iter().min_by_key(|row| row.len()).copied() else { return true };
    let mut candidates = Vec::new();
    for one in shortest.iter() {
        for two in shortest.iter().filter(|&two| two > one) {
            if twins(one).contains(two) {
                continue;
            }
            let pair = Mask::single(one) | Mask::single(two);
            candidates.push((rows.iter().filter(|row| pair.is_subset(row)).count(), one, two));
        }
    }
    candidates.sort_unstable_by(|a, b| b.cmp(a));
    for (_, one, two) in candidates {
        if *tries == 0 {
            return false;
        }
        let pair = Mask::single(one) | Mask::single(two);
        let taken = twins(one) | twins(two);
        let rest: Vec<Mask<W>> = rows.iter().filter(|row| !pair.is_subset(row)).map(|row| row.minus(taken)).collect();
        pairs.push([one as u16, two as u16]);
        if rest.iter().all(|row| row.len() >= 2) && pair_up(&rest, twins, pairs, tries) {
            return true;
        }
        *tries = tries.saturating_sub(1);
        pairs.pop();
    }
    false
}

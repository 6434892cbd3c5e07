//! A pairing strategy that can be shown: disjoint pairs of literals such that every row of a player contains a pair. The
//! player answers in the pair, and so hits every row, whoever moves first, isotone or not.
//!
//! Found greedily: a row with two usable literals left is a pair of necessity; otherwise the shortest row gives the pair
//! that serves most rows.

use gamesat_core::formula::{ClauseArena, Lit, Player, Rule};

/// Rows beyond which none is looked for.
const ROWS: usize = 2000;

/// The pairs of a player who has to make a literal true in every row.
pub(super) fn pairing(rows: &ClauseArena, player: Player, rule: Rule) -> Option<Vec<[Lit; 2]>> {
    if rows.len() > ROWS {
        return None;
    }
    let mut open: Vec<Vec<Lit>> = rows
        .iter()
        .map(|row| row.iter().copied().filter(|lit| rule.allows(player, lit.is_positive())).collect())
        .collect();
    let mut pairs: Vec<[Lit; 2]> = Vec::new();
    while !open.is_empty() {
        let row = open.iter().min_by_key(|row| row.len())?;
        let candidates =
            row.iter().enumerate().flat_map(|(at, &one)| row[at + 1..].iter().map(move |&other| [one, other]));
        let served = |pair: &[Lit; 2]| open.iter().filter(|row| pair.iter().all(|lit| row.contains(lit))).count();
        let pair = candidates.max_by_key(served)?;
        pairs.push(pair);
        open.retain(|row| !pair.iter().all(|lit| row.contains(lit)));
        open.iter_mut().for_each(|row| row.retain(|lit| pair.iter().all(|taken| taken.var() != lit.var())));
    }
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_serve_every_row() {
        let rows: ClauseArena = [vec![1, 2], vec![3, -4, 1], vec![2, 1, 3]]
            .map(|row| row.into_iter().map(Lit::from_dimacs).collect::<Vec<_>>())
            .into_iter()
            .collect();
        let pairs = pairing(&rows, Player::Max, Rule::Any).unwrap();
        assert_eq!(pairs.len(), 2);
        assert!(rows.iter().all(|row| pairs.iter().any(|pair| pair.iter().all(|lit| row.contains(lit)))));
        // Under rule own MAX cannot make an element FALSE.
        assert_eq!(pairing(&rows, Player::Max, Rule::Own), None);
    }
}

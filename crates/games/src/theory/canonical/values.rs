//! Short combinatorial games after Conway (*On Numbers and Games*, 1976): compared, and brought to canonical form, in which
//! equal games are identical.
//!
//! A game is a set of left and a set of right options, each a game. G ≤ H if no left option of G is ≥ H and no right option
//! of H is ≤ G. A game keeps its value if an option is dropped that another one dominates, and if a left option that has a
//! right option of its own which is ≤ the game (Right can reverse it) is replaced by the left options of that one; dually
//! for right options. When neither can be done the game is canonical. The games here are small and few: nothing is tuned.

use rustc_hash::FxHashMap;

/// A game by its number. Only canonical games have one, so equal numbers mean equal values.
pub(super) type Id = u32;

/// All games made so far.
#[derive(Default)]
pub(super) struct Values {
    games: Vec<[Vec<Id>; 2]>,
    by_options: FxHashMap<[Vec<Id>; 2], Id>,
    compared: FxHashMap<(Id, Id), bool>,
}

impl Values {
    /// The number +1 or -1.
    pub(super) fn unit(&mut self, positive: bool) -> Id {
        let zero = self.canonical(Vec::new(), Vec::new());
        if positive { self.canonical(vec![zero], Vec::new()) } else { self.canonical(Vec::new(), vec![zero]) }
    }

    /// G ≤ H.
    pub(super) fn le(&mut self, g: Id, h: Id) -> bool {
        if g == h {
            return true;
        }
        if let Some(&known) = self.compared.get(&(g, h)) {
            return known;
        }
        let lefts = self.games[g as usize][0].clone();
        let rights = self.games[h as usize][1].clone();
        let holds =
            !lefts.into_iter().any(|left| self.le(h, left)) && !rights.into_iter().any(|right| self.le(right, g));
        self.compared.insert((g, h), holds);
        holds
    }

    /// The canonical game with these options.
    pub(super) fn canonical(&mut self, lefts: Vec<Id>, rights: Vec<Id>) -> Id {
        let mut options = [lefts, rights];
        loop {
            options.iter_mut().for_each(|side| {
                side.sort_unstable();
                side.dedup();
            });
            if let Some(&known) = self.by_options.get(&options) {
                return known;
            }
            let before = options.clone();
            for side in 0..2 {
                self.drop_dominated(&mut options, side);
                self.bypass_reversible(&mut options, side);
            }
            if options == before {
                let id = self.games.len() as Id;
                self.games.push(options.clone());
                self.by_options.insert(options, id);
                return id;
            }
        }
    }

    /// Whether one option of a side is at least as good for that side as another.
    fn better(&mut self, side: usize, one: Id, other: Id) -> bool {
        if side == 0 { self.le(other, one) } else { self.le(one, other) }
    }

    fn drop_dominated(&mut self, options: &mut [Vec<Id>; 2], side: usize) {
        let all = options[side].clone();
        options[side].retain(|&option| !all.iter().any(|&other| other != option && self.better(side, other, option)));
    }

    fn bypass_reversible(&mut self, options: &mut [Vec<Id>; 2], side: usize) {
        let mut result = Vec::new();
        for &option in &options[side] {
            let replies = self.games[option as usize][1 - side].clone();
            match replies.into_iter().find(|&reply| self.reverses(options, side, reply)) {
                Some(reply) => result.extend_from_slice(&self.games[reply as usize][side]),
                None => result.push(option),
            }
        }
        options[side] = result;
    }

    /// Whether a reply to an option of a side is at least as good for the other side as the game with these options, which
    /// has no number yet.
    fn reverses(&mut self, options: &[Vec<Id>; 2], side: usize, reply: Id) -> bool {
        // For side 0: reply ≤ G, that is: no left option of the reply is ≥ G, and no right option of G is ≤ the reply.
        let onwards = self.games[reply as usize][side].clone();
        !options[1 - side].iter().any(|&option| self.better(1 - side, option, reply))
            && !onwards.into_iter().any(|next| self.covers(options, side, next))
    }

    /// Whether a game is at least as good for a side as the game with these options.
    fn covers(&mut self, options: &[Vec<Id>; 2], side: usize, game: Id) -> bool {
        // For side 0: G ≤ game, that is: no left option of G is ≥ the game, and no right option of the game is ≤ G.
        let replies = self.games[game as usize][1 - side].clone();
        !options[side].iter().any(|&option| self.better(side, option, game))
            && !replies.into_iter().any(|reply| self.reverses(options, side, reply))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textbook_values() {
        let mut values = Values::default();
        let zero = values.canonical(vec![], vec![]);
        let (one, minus) = (values.unit(true), values.unit(false));
        let star = values.canonical(vec![zero], vec![zero]);
        // {-1 | 1} = 0, {* | *} = 0, {0, * | 0} has a dominated nothing but * reverses: up star is no number.
        assert_eq!(values.canonical(vec![minus], vec![one]), zero);
        assert_eq!(values.canonical(vec![star], vec![star]), zero);
        let half = values.canonical(vec![zero], vec![one]);
        assert!(values.le(zero, half) && values.le(half, one) && !values.le(one, half) && !values.le(half, zero));
        let switch = values.canonical(vec![one], vec![minus]);
        assert!(!values.le(switch, zero) && !values.le(zero, switch));
        // {1|-1} both ways again is zero.
        assert_eq!(values.canonical(vec![switch], vec![switch]), zero);
        // {0, -1 | 1, 0} loses what is dominated.
        assert_eq!(values.canonical(vec![zero, minus], vec![one, zero]), star);
    }
}

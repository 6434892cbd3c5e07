//! Games with more colours that are two-coloured games in disguise (*Set Colouring Games* 5.2, 5.5).
//!
//! Colour c is as good as d for MAX in an element if exchanging d for c never hurts MAX: so it is if every row that says that
//! the element has a colour out of a set with d has c in that set, too. If one colour is as good as all others for MAX, and one
//! for MIN, nobody needs another one there: whoever plays d would not be worse off with c in the same element, whatever the rest
//! of the game is. The same holds of an element that has two colours to begin with. Where every element of the formula is such,
//! TRUE stands for MAX's colour, or the first, and FALSE for MIN's, or the second, and the winners are the same for both turns.
//!
//! The way back: a move is a move in the colour that its truth value stands for, and so is a strategy if it does not rely on
//! the loser's colours, which no strategy of an isotone game does; replies in other colours then have the same answer.

use gamesat_core::formula::{ClauseArena, Colouring, Game, GameMatrix, Lit, Player, Rule, Strategy, StrategyNode, Var};
use rustc_hash::FxHashMap;

/// Which colours TRUE and FALSE stand for.
#[derive(Clone, Debug)]
pub(super) struct TwoColours {
    game: Colouring,
    /// Of the elements that the formula depends on.
    pairs: FxHashMap<Var, [usize; 2]>,
}

/// What a game is that has no two-coloured form.
pub(super) fn other_kind(game: &Colouring) -> &'static str {
    if game.weights().is_some() {
        "a game with a score"
    } else if game.is_restricted() {
        "a game with restricted elements"
    } else if game.rule != Rule::Any {
        "a game with more than two colours under rule own"
    } else {
        "a game with more than two colours"
    }
}

/// The two-coloured game, and the way back; `None` if there is none.
pub(super) fn two_colours(game: &Colouring) -> Option<(Game, TwoColours)> {
    if game.weights().is_some() || game.is_restricted() || game.rule != Rule::Any {
        return None;
    }
    let played: FxHashMap<Var, usize> = game.played().iter().map(|&a| (game.element(a), game.colour(a))).collect();
    // 1. Open rows: for each element the colours with which the row holds, by itself or as far as it is concerned.
    let mut rows: Vec<Vec<(Var, u64)>> = Vec::with_capacity(game.rows().len());
    'rows: for row in game.rows() {
        let mut masks: FxHashMap<Var, u64> = FxHashMap::default();
        for &lit in row {
            let mask = masks.entry(game.element(lit)).or_insert(if game.is_conjunction() { 0 } else { u64::MAX });
            *mask = if game.is_conjunction() { *mask | game.mask(lit) } else { *mask & game.mask(lit) };
        }
        let mut open = Vec::with_capacity(masks.len());
        for (var, mask) in masks {
            // In a clause true settles the row, in a term false.
            match played.get(&var) {
                Some(&colour) if (mask >> colour & 1 != 0) == game.is_conjunction() => continue 'rows,
                Some(_) => {}
                None => open.push((var, mask & game.domain(var))),
            }
        }
        open.sort_unstable();
        rows.push(open);
    }
    // 2. What each element's colours are worth: every mask that it has, and that of the rows without it.
    let mut masks: FxHashMap<Var, Vec<u64>> = FxHashMap::default();
    for &(var, mask) in rows.iter().flatten() {
        let list = masks.entry(var).or_default();
        if !list.contains(&mask) {
            list.push(mask);
        }
    }
    let mut pairs: FxHashMap<Var, [usize; 2]> = FxHashMap::default();
    for (&var, masks) in &masks {
        pairs.insert(var, pair(game, var, masks)?);
    }
    // 3. The rows with truth values.
    let mut clauses = ClauseArena::new();
    'open: for row in &rows {
        let mut lits = Vec::with_capacity(row.len());
        for &(var, mask) in row {
            let [first, second] = pairs[&var].map(|colour| mask >> colour & 1 != 0);
            match (first, second) {
                (true, false) => lits.push(var.positive()),
                (false, true) => lits.push(var.negative()),
                (value, _) if value == game.is_conjunction() => continue 'open,
                _ => {}
            }
        }
        clauses.push(&lits);
    }
    let matrix = if game.is_conjunction() { GameMatrix::Cnf(clauses) } else { GameMatrix::Dnf(clauses) };
    let mut plain = Game::new(game.elements(), matrix).ok()?;
    plain.play(&played.keys().map(|var| var.positive()).collect::<Vec<_>>()).ok()?;
    plain.turn = game.turn;
    plain.names = game.names.clone();
    Some((plain, TwoColours { game: game.clone(), pairs }))
}

/// The two colours that an element needs.
fn pair(game: &Colouring, var: Var, masks: &[u64]) -> Option<[usize; 2]> {
    let colours: Vec<usize> = (0..game.colours()).filter(|&colour| game.domain(var) >> colour & 1 != 0).collect();
    let serves = |c: usize, d: usize| masks.iter().all(|mask| mask >> d & 1 == 0 || mask >> c & 1 != 0);
    let best = |player: Player| {
        let as_good = |c: usize, d: usize| if player == Player::Max { serves(c, d) } else { serves(d, c) };
        colours.iter().copied().find(|&c| colours.iter().all(|&d| as_good(c, d)))
    };
    match (best(Player::Max), best(Player::Min)) {
        (Some(max), Some(min)) => Some([max, min]),
        _ if colours.len() == 2 => Some([colours[0], colours[1]]),
        _ => None,
    }
}

impl TwoColours {
    /// Whether every strategy has a way back: the game is isotone, or no element has a third colour.
    pub(super) fn carries_strategies(&self, game: &Game) -> bool {
        let isotone = match game.matrix() {
            GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows) => rows.lits().iter().all(|lit| lit.is_positive()),
            GameMatrix::Circuit(_) => false,
        };
        isotone || self.game.colours() == 2
    }

    /// The move that a literal stands for.
    pub(super) fn choice(&self, lit: Lit) -> Lit {
        let var = lit.var();
        let [first, second] = self.pairs.get(&var).copied().unwrap_or_else(|| {
            let first = self.game.domain(var).trailing_zeros() as usize;
            [first, first]
        });
        self.game.atom(var, if lit.is_positive() { first } else { second })
    }

    /// The strategy in colours: a reply in a colour that nobody needs is answered like the loser's own.
    pub(super) fn strategy(&self, strategy: &Strategy) -> Strategy {
        let loser = !strategy.winner();
        let choices = |lits: &[Lit]| lits.iter().map(|&lit| self.choice(lit)).collect::<Vec<_>>();
        let mut result = Strategy::new(strategy.winner());
        for node in strategy.nodes() {
            match node {
                StrategyNode::Leaf { holds, pairs } => {
                    // What was played before was filled in, so that no leaf speaks of it.
                    let mut holds = choices(holds);
                    let coloured = |atom: &Lit| {
                        self.game.played().iter().any(|&a| self.game.element(a) == self.game.element(*atom))
                    };
                    holds.retain(|atom| !coloured(atom));
                    holds.extend_from_slice(self.game.played());
                    result.push(StrategyNode::Leaf { holds: &holds, pairs: &choices(pairs) })
                }
                StrategyNode::Move { lit, child } => result.push(StrategyNode::Move { lit: self.choice(lit), child }),
                StrategyNode::Spare { child } => result.push(StrategyNode::Spare { child }),
                StrategyNode::Replies { any, lits, after } => {
                    let (mut all, mut children): (Vec<Lit>, Vec<u32>) = (Vec::new(), Vec::new());
                    // The loser's own colour last, so that it speaks for what is still open then.
                    let mut order: Vec<usize> = (0..lits.len()).collect();
                    order.sort_by_key(|&at| lits[at].is_positive() == loser.colour());
                    for at in order {
                        let own = self.choice(lits[at]);
                        let mut replies = vec![own];
                        if lits[at].is_positive() == loser.colour() {
                            let var = lits[at].var();
                            let colours = (0..self.game.colours()).filter(|c| self.game.domain(var) >> c & 1 != 0);
                            replies.extend(colours.map(|colour| self.game.atom(var, colour)));
                        }
                        for reply in replies {
                            if !all.contains(&reply) {
                                all.push(reply);
                                children.push(after[at]);
                            }
                        }
                    }
                    result.push(StrategyNode::Replies { any, lits: &all, after: &children })
                }
            };
        }
        result
    }
}

//! Isotone games in which the players do not simply take turns: an order says who moves when (*Set Colouring Games* 4.8).
//! Equalised Hex is `1,2*`: one stone first, then two each.
//!
//! The argument behind traces and mustplay does not ask who moves how often: if a move was refuted and the winner's trace
//! does not contain some other element, a move there is refuted in the same way. So this is the plain search with traces,
//! and a position is filed with its place in the order.
//!
//! An element on which nothing depends is never better to colour than another one, in whatever order: the one that was left
//! takes its place from then on, and to own that one does no harm. So the search leaves such elements out, and a move there is
//! a move that leaves everything as it is.

use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{ClauseArena, Game, Lit, Player, Rule, TurnOrder, Var};
use gamesat_rows::mask::bits;
use gamesat_rows::normal;
use rustc_hash::{FxHashMap, FxHashSet};

/// Rows up to which both forms are computed.
const ROWS: usize = 20_000;
/// Of elements on which nothing depends at most this many are listed as winning moves: there can be billions.
const LISTED: usize = 1 << 16;
/// Positions remembered before all are forgotten.
const REMEMBERED: usize = 1 << 23;

/// The outcome in an order.
#[derive(Clone, Debug)]
pub struct Found {
    /// Who wins.
    pub winner: Player,
    /// Winning first moves of the first mover: one, or all if they were asked for.
    pub moves: Vec<Lit>,
    /// How many more moves win, beside those listed: in elements on which nothing depends, all alike.
    pub omitted: usize,
    /// Why there may be more winning moves than these, though all were asked for.
    pub unlisted: Option<StopReason>,
    /// Elements that suffice for the winner.
    pub trace: Vec<Var>,
    /// Positions searched.
    pub nodes: u64,
}

/// Solves an isotone game of at most 64 elements in the formula, whose moves the order covers. `None` if it is not isotone: a
/// move may hurt its player.
///
/// # Errors
/// The game is too large, or the run was to stop.
pub fn solve(game: &Game, order: &TurnOrder, all_moves: bool, control: &Control) -> Result<Option<Found>, StopReason> {
    let unsupported = |why: &str| Err(StopReason::Unsupported(why.to_owned()));
    let (Some(cnf), Some(dnf)) = (normal::game_cnf(game, ROWS, control)?, normal::game_dnf(game, ROWS, control)?)
    else {
        return unsupported("the formula has too many rows for another order of turns");
    };
    let flipped = |lit: &Lit| lit.is_negative();
    if !normal::is_unate(&cnf) || game.rule == Rule::Own && cnf.lits().iter().any(flipped) {
        return Ok(None);
    }
    let elements = cnf.vars();
    if elements.len() > 64 {
        return unsupported("other orders of turns are searched for games of up to 64 elements");
    }
    let at = |lit: &Lit| elements.binary_search(&lit.var()).map_or(0, |at| 1u64 << at);
    let masks = |rows: &ClauseArena| -> Vec<u64> {
        rows.iter().map(|row| row.iter().fold(0, |mask, lit| mask | at(lit))).collect()
    };
    let mut search = Search {
        order,
        // MAX has to hit every clause, MIN every term.
        rows: [masks(&cnf), masks(&dnf)],
        known: FxHashMap::default(),
        poller: control.poller(),
        nodes: 0,
    };
    let free = if elements.len() == 64 { u64::MAX } else { (1 << elements.len()) - 1 };
    let value = search.solve(free, [0, 0], 0)?;
    let first = order.mover(0).unwrap_or(game.turn);
    let lit = |element: usize| {
        let var = elements[element];
        let falling = cnf.lits().iter().any(|lit| lit.var() == var && lit.is_negative());
        var.lit((first == Player::Max) != falling)
    };
    let played: FxHashSet<Var> = game.played().iter().map(|lit| lit.var()).collect();
    let dead = (0..game.elements()).map(Var::from_index);
    let dead = dead.filter(|var| elements.binary_search(var).is_err() && !played.contains(var));
    let mut dead = dead.map(|var| var.lit(first.colour()));
    let (mut moves, mut omitted, mut unlisted): (Vec<Lit>, usize, Option<StopReason>) = (Vec::new(), 0, None);
    if value.winner == first && all_moves {
        for element in bits(free) {
            let mut own = [0, 0];
            own[usize::from(first == Player::Min)] = 1u64 << element;
            match search.solve(free & !(1 << element), own, 1) {
                Ok(after) if after.winner == first => moves.push(lit(element)),
                Ok(_) => {}
                Err(reason) => {
                    unlisted = Some(reason);
                    break;
                }
            }
        }
        let outside = game.uncoloured() - elements.len();
        match (outside > 0).then(|| search.solve(free, [0, 0], 1)) {
            Some(Ok(after)) if after.winner == first => {
                moves.extend(dead.take(LISTED));
                omitted = outside.saturating_sub(LISTED);
            }
            Some(Err(reason)) => unlisted = unlisted.or(Some(reason)),
            _ => {}
        }
        // The move that won is known, whatever there was no time for.
        moves.extend(value.choice.map(lit).filter(|_| unlisted.is_some()));
        moves.sort_unstable();
        moves.dedup();
    } else if value.winner == first {
        // Without a choice the game is decided, and any move will do.
        let any = || bits(free).next().map(lit).or_else(|| dead.next());
        moves.extend(value.choice.map(lit).or_else(any));
    }
    let trace = bits(value.trace).map(|element| elements[element]).collect();
    Ok(Some(Found { winner: value.winner, moves, omitted, unlisted, trace, nodes: search.nodes }))
}

#[derive(Clone, Copy)]
struct Value {
    winner: Player,
    trace: u64,
    choice: Option<usize>,
}

struct Search<'a> {
    order: &'a TurnOrder,
    rows: [Vec<u64>; 2],
    known: FxHashMap<(u64, u64, usize), Value>,
    poller: Poller<'a>,
    nodes: u64,
}

impl Search<'_> {
    /// The winner, with what each player owns and the place in the order. As deep as there are elements, 64 at most.
    fn solve(&mut self, free: u64, own: [u64; 2], place: usize) -> Result<Value, StopReason> {
        self.nodes += 1;
        self.poller.poll(self.nodes)?;
        // 1. Decided? A player who cannot hit a row any more has lost.
        for (at, player) in [Player::Max, Player::Min].into_iter().enumerate() {
            if self.rows[at].iter().any(|row| row & (own[at] | free) == 0) {
                return Ok(Value { winner: !player, trace: 0, choice: None });
            }
        }
        let decided = [Player::Max, Player::Min]
            .into_iter()
            .enumerate()
            .find(|&(at, _)| self.rows[at].iter().all(|row| row & own[at] != 0));
        if let Some((_, winner)) = decided {
            return Ok(Value { winner, trace: 0, choice: None });
        }
        let key = (free, own[0], self.order.canonical(place));
        if let Some(&value) = self.known.get(&key) {
            return Ok(value);
        }
        let Some(mover) = self.order.mover(place) else {
            return Err(StopReason::Unsupported("the order ends before the game".to_owned()));
        };
        let at = usize::from(mover == Player::Min);
        // 2. Moves by the weight of their rows.
        let mut weights = [0u64; 64];
        for (side, rows) in self.rows.iter().enumerate() {
            for row in rows.iter().filter(|&&row| row & own[side] == 0) {
                let open = row & free;
                let weight = 1u64 << 40 >> open.count_ones().min(40);
                bits(open).for_each(|element| weights[element] += weight);
            }
        }
        let mut moves: Vec<usize> = bits(free).collect();
        moves.sort_by_key(|&element| std::cmp::Reverse(weights[element]));
        // 3. Try them inside the mustplay.
        let (mut mustplay, mut trace) = (free, 0);
        let mut won = None;
        for element in moves {
            if mustplay >> element & 1 == 0 {
                continue;
            }
            let mut after = own;
            after[at] |= 1 << element;
            let child = self.solve(free & !(1 << element), after, place + 1)?;
            if child.winner == mover {
                won = Some(Value { winner: mover, trace: child.trace | 1 << element, choice: Some(element) });
                break;
            }
            mustplay &= child.trace;
            trace |= child.trace;
        }
        let value = won.unwrap_or(Value { winner: !mover, trace, choice: None });
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(key, value);
        Ok(value)
    }
}

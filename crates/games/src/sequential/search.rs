//! Alpha-beta for games with an order, as numbered steps.
//!
//! The value of a position is what its mover wins from here on. A window goes down shifted by the gain of the move; it is
//! turned round, and so is the value that comes back, exactly if the mover changes. Values are fail-soft: below the window
//! they are upper bounds, above it lower ones. Knuth and Moore, *An analysis of alpha-beta pruning*, 1975.

use super::history::History;
use super::table::{COMPLETE, Facts, Table};
use crate::options::SequentialOptions;
use gamesat_core::control::{Poller, StopReason};
use gamesat_core::rules::Side;
use gamesat_core::rules::sequential::{MOST, Move, Place, Rules};

/// One thread's search.
pub(super) struct Search<'a> {
    pub(super) options: &'a SequentialOptions,
    pub(super) table: &'a Table,
    pub(super) poller: Poller<'a>,
    pub(super) history: History,
    pub(super) nodes: u64,
    pub(super) hits: u64,
    /// Positions that were written into the large table and that it was not told of.
    remembered: usize,
    /// Moves with their order, of all positions on the way here.
    stack: Vec<(i32, Move)>,
    spare: Vec<Move>,
    /// Whether some position was estimated instead of searched.
    pub(super) estimated: bool,
    /// What such a position counts.
    pub(super) horizon: Horizon,
}

/// Bytes of what the way to a position may carry along. Only boards with thousands of lines come near, which no search decides.
const CARRIED: usize = 64 << 20;

/// So many positions are looked up at once.
const TOGETHER: usize = 4;

/// What a position counts that is not searched, because it lies beyond the plies that are looked ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Horizon {
    /// What it looks like.
    Estimate,
    /// The least that the rules prove for this side, so that the whole is a lower bound of its value.
    Worst(Side),
}

impl<'a> Search<'a> {
    pub(super) fn new(options: &'a SequentialOptions, table: &'a Table, poller: Poller<'a>, history: History) -> Self {
        Search {
            options,
            table,
            poller,
            history,
            nodes: 0,
            hits: 0,
            remembered: 0,
            stack: Vec::new(),
            spare: Vec::new(),
            estimated: false,
            horizon: Horizon::Estimate,
        }
    }

    /// The value of a position, in which somebody moves, within a window; `depth` is the number of plies that are looked
    /// ahead, `None` for all of them.
    pub(super) fn value<R: Rules>(
        &mut self,
        rules: &mut R,
        alpha: i32,
        beta: i32,
        depth: Option<u8>,
    ) -> Result<i32, StopReason> {
        // 1. Are we to stop?
        self.nodes += 1;
        self.poller.poll(self.nodes)?;
        if rules.carried() + size_of_val(&self.stack[..]) > CARRIED {
            return Err(StopReason::Memory);
        }
        let before = self.nodes;

        // 2. Look no further than we may, but through positions that are not worth remembering. A depth that reaches the end
        // of the game is no limit.
        let depth = depth.filter(|&depth| usize::from(depth) < rules.plies());
        if depth == Some(0) && rules.is_memorable() {
            return Ok(self.beyond(rules));
        }

        // 3. What the rules prove without search.
        let (mut least, mut greatest) = (-MOST, MOST);
        let mut insight = None;
        if self.options.rule_bounds {
            let (low, high, found) = rules.survey(alpha, beta);
            if low == high || low >= beta {
                return Ok(low);
            }
            if high <= alpha {
                return Ok(high);
            }
            (least, greatest, insight) = (low, high, Some(found));
        }

        // 4. What was found out before.
        let (mut key, mut seen) = (None, None);
        if self.options.seen_positions && rules.is_memorable() {
            let (own, image) = if self.options.mirror_images { rules.canonical() } else { (rules.key(), 0) };
            let place = Place { key: own, near: rules.is_near() };
            key = Some((place, image));
            if let Some(facts) = self.table.get(place) {
                // Looking less far ahead, or farther, may give another value; only the whole game is always right.
                if facts.depth == COMPLETE || depth == Some(facts.depth) {
                    self.estimated |= facts.depth != COMPLETE;
                    least = least.max(i32::from(facts.least));
                    greatest = greatest.min(i32::from(facts.greatest));
                    if least >= beta || least == greatest {
                        self.hits += 1;
                        return Ok(least);
                    }
                    if greatest <= alpha {
                        self.hits += 1;
                        return Ok(greatest);
                    }
                }
                // The best move of an image is another move here.
                seen = facts.best.map(|mv| rules.own_move(mv, image));
            }
        }
        let (low, high) = (alpha.max(least), beta.min(greatest));

        // 5. Moves, the promising ones first.
        let from = self.stack.len();
        let mut moves = std::mem::take(&mut self.spare);
        match insight {
            Some(insight) => rules.candidates(insight, &mut moves),
            None => rules.moves(&mut moves),
        }
        if let [only] = moves[..] {
            self.stack.push((0, only));
        } else {
            for &mv in &moves {
                self.stack.push((self.rank(rules, mv, seen, high), mv));
            }
            // Few moves: the stable order of equals is worth more than speed on many.
            self.stack[from..].sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
        }
        moves.clear();
        self.spare = moves;

        // 6. What was found out about the positions behind them may be enough, or leave some of them out.
        let (mut best, mut best_move) = (-MOST, None);
        if self.options.seen_replies
            && self.nodes > self.options.replies_from
            && let Some((place, image)) = key
            && !place.near
        {
            let (left_out, enough) = self.replies(rules, from, low, high);
            if let Some((value, mv)) = enough {
                self.hits += 1;
                self.stack.truncate(from);
                let facts = Facts {
                    least: value as i16,
                    greatest: greatest as i16,
                    best: Some(rules.image_move(mv, image)),
                    depth: COMPLETE,
                    work: 0,
                };
                self.table.put(place, facts);
                return Ok(value);
            }
            best = left_out;
        }

        // 7. Each of them, until one is enough.
        let mut bar = low;
        for at in from..self.stack.len() {
            let mv = self.stack[at].1;
            let promise = if self.options.rule_bounds { rules.promise(mv) } else { MOST };
            if promise <= bar {
                best = best.max(promise);
                continue;
            }
            let value = match self.after(rules, mv, bar, high, depth) {
                Ok(value) => value,
                Err(reason) => {
                    self.stack.truncate(from);
                    return Err(reason);
                }
            };
            if value > best {
                (best, best_move) = (value, Some(mv));
            }
            if best >= high {
                self.remember_order(rules, from, at, high);
                break;
            }
            bar = bar.max(best);
        }
        self.stack.truncate(from);

        // 8. Remember what was found out.
        if best >= high {
            least = least.max(best);
        } else {
            greatest = greatest.min(best);
            if best > low {
                least = least.max(best);
            }
        }
        // Estimates may be anything.
        if self.options.value_parity && depth.is_none() {
            (least, greatest) = rules.possible(least, greatest);
        }
        if let Some((place, image)) = key {
            let facts = Facts {
                least: least as i16,
                greatest: greatest as i16,
                best: best_move.filter(|_| best > low).or(seen).map(|mv| rules.image_move(mv, image)),
                depth: depth.unwrap_or(COMPLETE),
                work: (self.nodes - before).max(1).ilog2() as u8,
            };
            self.table.put(place, facts);
            if !place.near {
                self.remembered += 1;
                if self.remembered == 256 {
                    self.table.grow(std::mem::take(&mut self.remembered));
                }
            }
        }
        // A window that was narrowed by proven bounds loses nothing.
        Ok(best.max(least).min(greatest))
    }

    /// Looks up the positions behind the moves of the stack. Returns the most that moves are worth which are not better than
    /// `low`, and which are left out, and a move that is as good as `high` with its least value.
    fn replies<R: Rules>(&mut self, rules: &R, from: usize, low: i32, high: i32) -> (i32, Option<(i32, Move)>) {
        let Self { stack, table, options, .. } = self;
        let (mut best, mut kept) = (-MOST, from);
        let mut at = from;
        while at < stack.len() {
            let some = &stack[at..stack.len().min(at + TOGETHER)];
            let mut places = [None; TOGETHER];
            for (place, &(_, mv)) in places.iter_mut().zip(some) {
                *place = rules.place_behind(mv, options.mirror_images);
            }
            table.fetch(&places);
            for place in &places[..some.len()] {
                let facts = place.and_then(|behind| table.get(behind)).filter(|facts| facts.depth == COMPLETE);
                let (worst, most) =
                    facts.map_or((-MOST, MOST), |facts| (-i32::from(facts.greatest), -i32::from(facts.least)));
                if worst >= high {
                    return (best, Some((worst, stack[at].1)));
                }
                if most <= low {
                    best = best.max(most);
                } else {
                    stack[kept] = stack[at];
                    kept += 1;
                }
                at += 1;
            }
        }
        stack.truncate(kept);
        (best, None)
    }

    /// The value of a position that is not searched.
    fn beyond<R: Rules>(&mut self, rules: &R) -> i32 {
        let (low, high, _) = rules.survey(-MOST, MOST);
        let proven = self.options.rule_bounds || self.horizon != Horizon::Estimate;
        if proven && low == high {
            return low;
        }
        self.estimated = true;
        match self.horizon {
            Horizon::Estimate if proven => rules.estimate().clamp(low, high),
            Horizon::Estimate => rules.estimate(),
            Horizon::Worst(side) if rules.mover() == Some(side) => low,
            Horizon::Worst(_) => high,
        }
    }

    /// The move that was best when the position was seen before.
    pub(super) fn remembered_move<R: Rules>(&self, rules: &R) -> Option<Move> {
        if !self.options.seen_positions || !rules.is_memorable() {
            return None;
        }
        let (key, image) = if self.options.mirror_images { rules.canonical() } else { (rules.key(), 0) };
        let facts = self.table.get(Place { key, near: rules.is_near() })?;
        facts.best.map(|mv| rules.own_move(mv, image))
    }

    /// The mover's value of a move.
    pub(super) fn after<R: Rules>(
        &mut self,
        rules: &mut R,
        mv: Move,
        alpha: i32,
        beta: i32,
        depth: Option<u8>,
    ) -> Result<i32, StopReason> {
        #[cfg(debug_assertions)]
        let snapshot = rules.clone();
        let mover = rules.mover();
        let (gain, undo) = rules.make(mv);
        let depth = depth.map(|depth| depth.saturating_sub(1));
        let value = match rules.mover() {
            None => Ok(if mover == Some(Side::First) { rules.end() } else { -rules.end() }),
            next if next == mover => self.value(rules, alpha - gain, beta - gain, depth),
            _ => self.value(rules, gain - beta, gain - alpha, depth).map(|value| -value),
        };
        rules.unmake(mv, undo);
        #[cfg(debug_assertions)]
        assert_eq!(*rules, snapshot, "a move is taken back exactly");
        Ok(value? + gain)
    }

    /// The table's move first, then by what the rules think of a move, then by its past.
    #[inline]
    fn rank<R: Rules>(&self, rules: &R, mv: Move, best: Option<Move>, high: i32) -> i32 {
        if self.options.seen_moves && best == Some(mv) {
            return i32::MAX;
        }
        let worth = if self.options.rule_order { rules.worth(mv) } else { 0 };
        let past = if self.options.move_history { self.history.get(high > 0, rules.slot(mv)) } else { 0 };
        (worth << 16) + past
    }

    /// The move that was enough gains, those that were tried in vain before it lose.
    #[inline]
    fn remember_order<R: Rules>(&mut self, rules: &R, from: usize, enough: usize, high: i32) {
        if self.options.move_history {
            let Self { stack, history, .. } = self;
            for &(_, mv) in &stack[from..enough] {
                history.add(high > 0, rules.slot(mv), -1);
            }
            history.add(high > 0, rules.slot(stack[enough].1), (enough - from) as i32);
        }
    }
}

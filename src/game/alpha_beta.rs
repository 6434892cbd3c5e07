//! Alpha-beta search with traces: Algorithm 2 of *Set Colouring Games* with the corrected rules for moves in elements that
//! are not monotone.
//!
//! A *trace* of a won position is a set of uncoloured elements that suffices for the winner: with the elements outside it
//! quantified against the winner, and the same number of elements, the winner still wins. The rules:
//! 1. decided position: the empty trace;
//! 2. winning move on `v` with child trace P: P and `v`;
//! 3. a rational move that loses with child trace P: every move outside P loses, too, so P is a *mustplay*;
//! 4. a move in an element that is not monotone gives no mustplay, its element joins the trace of a lost position;
//! 5. when nothing is left to try, the trace is the union of the child traces (and of those elements).

use super::companions::Companions;
use super::domination::Dropped;
use super::mask::Mask;
use super::options::GameOptions;
use super::order::Weights;
use super::position::{Move, Occurrence, Position, index};
use super::reduce::{Counters, element, reduce};
use super::table::{Table, Value};
use crate::control::{Control, Poller, StopReason};
use crate::formula::{Player, Rule};

/// The state of a search.
pub(super) struct Search<'a, const W: usize> {
    pub(super) position: Position<W>,
    pub(super) options: &'a GameOptions,
    pub(super) table: Table<W>,
    pub(super) counters: Counters,
    pub(super) nodes: u64,
    poller: Poller<'a>,
    companions: Companions<W>,
    weights: Weights,
    dropped: Dropped<W>,
    /// Moves to try, of all positions on the path, each with its weight.
    moves: Vec<(u64, Move)>,
}

impl<'a, const W: usize> Search<'a, W> {
    pub(super) fn new(position: Position<W>, options: &'a GameOptions, control: &'a Control) -> Self {
        Search {
            position,
            options,
            table: Table::new(options.table),
            counters: Counters::default(),
            nodes: 0,
            poller: control.poller(),
            companions: Companions::new(Mask::<W>::BITS),
            weights: Weights::new(Mask::<W>::BITS),
            dropped: Dropped::new(),
            moves: Vec::new(),
        }
    }

    /// Solves the position on top of the stack, which it may change in place.
    ///
    /// With `root` set, the move that is returned wins in the position as it was, before any reduction: in games
    /// that are not isotone nothing is captured and nothing dominated there.
    pub(super) fn solve(&mut self, root: bool) -> Result<Value<W>, StopReason> {
        self.nodes += 1;
        self.poller.poll(self.nodes)?;
        let began = self.nodes;

        // 1. Reduce.
        let unsafe_root = root && !self.position.occurrence(&self.position.scan()).isotone;
        let reduced = reduce(&mut self.position, self.options, &mut self.companions, &mut self.counters, !unsafe_root);
        let with_carriers = |mut value: Value<W>| {
            value.trace |= reduced.carriers[index(value.winner)];
            value.choice = reduced.first.or(value.choice);
            value
        };
        if let Some(winner) = reduced.winner {
            return Ok(with_carriers(Value { winner, trace: Mask::default(), choice: None }));
        }
        let occurrence = reduced.occurrence;
        let mover = self.position.turn();

        // 2. Known?
        let key = self.position.hash(occurrence.isotone);
        if !unsafe_root && let Some(value) = self.table.probe(key) {
            return Ok(with_carriers(value));
        }

        // 3. Moves to try, best first.
        let dropped = self.dropped.mark();
        let mut kept = self.position.live();
        if self.options.domination && occurrence.isotone {
            kept = self.dropped.drop_isotone(&self.position, &self.companions);
            self.counters.dominated += (self.dropped.mark() - dropped) as u64;
        }
        let first = self.moves.len();
        self.list_moves(kept, &occurrence);

        // 4. Try them; each rational one that fails narrows the mustplay.
        let mut mustplay = self.position.live();
        let mut pass = true;
        let mut lost = Mask::default();
        let mut result = None;
        for at in first..self.moves.len() {
            let choice = self.moves[at].1;
            let inside = match choice {
                Move::Colour(element, _) => mustplay.contains(usize::from(element)),
                Move::Pass => pass,
            };
            if !inside {
                continue;
            }
            self.position.push();
            self.position.play(choice);
            let child = self.solve(false);
            self.position.pop();
            let child = child?;
            if child.winner == mover {
                result = Some(Value { winner: mover, trace: child.trace | element(choice), choice: Some(choice) });
                break;
            }
            lost |= child.trace;
            if !self.is_rational(choice, &occurrence) {
                lost |= element(choice);
            } else if self.options.mustplay {
                mustplay &= child.trace;
                pass = false;
            }
        }
        let value = result.unwrap_or_else(|| {
            self.dropped.close(dropped, &mut lost);
            Value { winner: !mover, trace: lost, choice: None }
        });

        // 5. Remember.
        self.moves.truncate(first);
        self.dropped.release(dropped);
        self.table.store(key, &value, self.nodes - began);
        Ok(with_carriers(value))
    }

    /// Whether a move is as good for the player to move as any other move in its element and as passing.
    pub(super) fn is_rational(&self, choice: Move, occurrence: &Occurrence<W>) -> bool {
        let Move::Colour(element, colour) = choice else { return true };
        let element = usize::from(element);
        let mover = self.position.turn();
        match (occurrence.rising.contains(element), occurrence.falling.contains(element)) {
            (true, true) => false,
            (true, false) => colour == mover.colour(),
            (false, true) => colour != mover.colour() && self.position.rule() == Rule::Any,
            (false, false) => true,
        }
    }

    /// Appends the moves in these elements to the list, best first.
    pub(super) fn list_moves(&mut self, elements: Mask<W>, occurrence: &Occurrence<W>) {
        let mover = self.position.turn();
        let first = self.moves.len();
        if self.options.order {
            self.weights.compute([self.position.form(Player::Max), self.position.form(Player::Min)]);
        }
        for element in elements.iter() {
            for colour in [mover.colour(), !mover.colour()] {
                let choice = Move::Colour(element as u16, colour);
                let dead = !occurrence.rising.contains(element) && !occurrence.falling.contains(element);
                let monotone = !(occurrence.rising.contains(element) && occurrence.falling.contains(element));
                let own_only = !self.position.rule().allows(mover, !mover.colour());
                // Unsigned literals know no irrational colour.
                let skip = if own_only || dead {
                    colour != mover.colour()
                } else {
                    monotone && self.options.rational && !self.is_rational(choice, occurrence)
                };
                if !skip {
                    let weight = if self.options.order { self.weight(element, colour) } else { 0 };
                    self.moves.push((weight, choice));
                }
            }
        }
        if !occurrence.isotone && self.position.has_star() {
            self.moves.push((0, Move::Pass));
        }
        if self.options.order {
            // Equal weights stay in the order of elements.
            self.moves[first..].sort_by_key(|&(weight, _)| std::cmp::Reverse(weight));
        }
    }

    /// What a move is worth to the player to move.
    fn weight(&self, element: usize, colour: bool) -> u64 {
        let mover = self.position.turn();
        let (hits, breaks) = (self.position.literal(element, colour), self.position.literal(element, !colour));
        self.weights.of(index(mover), hits) + self.weights.of(index(!mover), breaks)
    }
}

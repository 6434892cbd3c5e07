//! What every search shares: the position, the table, the reductions and everything else that ends a search early.

use super::captured_sets::CapturedSets;
use super::companions::Companions;
use super::crew::Crew;
use super::domination::Dropped;
use super::factors::Factors;
use super::knowledge::Knowledge;
use super::mask::Mask;
use super::order::Weights;
use super::pairing::Pairing;
use super::position::{Move, Occurrence, Position, index};
use super::reduce::{Counters, Reduced, reduce};
use super::table::Value;
use crate::options::GameOptions;
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Player, Rule};

/// Positions of at most this depth are identified with their images under symmetries,
const SYMMETRIC_DEPTH: usize = 6;
/// if that takes the hashing of at most this many rows.
const SYMMETRIC_ROWS: usize = 1 << 15;

/// A search: a position, what is known about the game, and room to work in.
pub(super) struct Search<'a, const W: usize> {
    pub(super) position: &'a mut Position<W>,
    pub(super) known: &'a mut Knowledge<W>,
    pub(super) options: &'a GameOptions,
    pub(super) counters: Counters,
    pub(super) nodes: u64,
    poller: Poller<'a>,
    pub(super) companions: Companions<W>,
    sets: CapturedSets,
    pub(super) weights: Weights,
    pub(super) dropped: Dropped<W>,
    pairing: Pairing<W>,
    pub(super) factors: Factors,
    /// Moves to try, of all positions on the path, each with its weight.
    pub(super) moves: Vec<(u64, Move)>,
    /// The threads this search works with, if it does not work alone.
    pub(super) crew: Option<&'a Crew>,
}

/// Where a position is filed: its hashes, and the symmetry that leads to the position they are of.
pub(super) type Key = ((u64, u64), Option<usize>);

impl<'a, const W: usize> Search<'a, W> {
    pub(super) fn new(
        position: &'a mut Position<W>,
        known: &'a mut Knowledge<W>,
        options: &'a GameOptions,
        control: &'a Control,
    ) -> Self {
        Search {
            position,
            known,
            options,
            counters: Counters::default(),
            nodes: 0,
            poller: control.poller(),
            companions: Companions::new(Mask::<W>::BITS),
            sets: CapturedSets::new(),
            weights: Weights::new(Mask::<W>::BITS),
            dropped: Dropped::new(),
            pairing: Pairing::new(),
            factors: Factors::new(),
            moves: Vec::new(),
            crew: None,
        }
    }

    /// Counts a position and looks whether it is time to stop, the more often the larger positions are.
    pub(super) fn count(&mut self) -> Result<(), StopReason> {
        self.nodes += 1;
        for _ in 0..=(self.position.rows() * W / 4096).min(256) {
            self.poller.poll(self.nodes)?;
        }
        Ok(())
    }

    /// Solves the position on top of the stack, which it may change in place, by the search that was chosen.
    pub(super) fn solve(&mut self, root: bool) -> Result<Value<W>, StopReason> {
        if self.known.bounds.is_some() { self.prove(root) } else { self.alpha_beta(root) }
    }

    /// Reduces the position on top of the stack in place.
    pub(super) fn reduce(&mut self, captures: bool) -> Reduced<W> {
        reduce(self.position, self.options, &mut self.companions, &mut self.sets, &mut self.counters, captures)
    }

    /// A pairing strategy of either player.
    pub(super) fn paired(&mut self) -> Option<Value<W>> {
        if !self.options.pairing {
            return None;
        }
        [Player::Max, Player::Min].into_iter().find_map(|winner| {
            let trace = self.pairing.find(self.position, winner)?;
            self.counters.pairings += 1;
            Some(Value { winner, trace, choice: None })
        })
    }

    /// A player of an isotone game who wins by taking the heaviest literal each time, by the weights just computed.
    pub(super) fn outweighed(&mut self) -> Option<Value<W>> {
        if !(self.options.potential && self.options.order) {
            return None;
        }
        let mover = self.position.turn();
        for winner in [Player::Max, Player::Min].into_iter().filter(|&player| self.position.form(player).is_some()) {
            if let Some(literal) = self.weights.suffices(index(winner), winner == mover) {
                self.counters.potentials += 1;
                let choice = (winner == mover).then(|| self.position.hit(winner, literal));
                return Some(Value { winner, trace: self.position.live(), choice });
            }
        }
        None
    }

    /// Drops dominated moves; returns the elements whose moves are left.
    pub(super) fn undominated(&mut self, occurrence: &Occurrence<W>) -> Mask<W> {
        if !self.options.domination {
            return self.position.live();
        }
        let before = self.dropped.mark();
        let kept = if occurrence.isotone {
            self.dropped.drop_isotone(self.position, &self.companions)
        } else {
            self.dropped.drop_general(self.position)
        };
        self.counters.dominated += self.dropped.since(before) as u64;
        kept
    }

    /// Solves a position that falls into independent parts, all of which `player` has to win.
    pub(super) fn solve_parts(&mut self, player: Player, parts: &[Mask<W>]) -> Result<Value<W>, StopReason> {
        self.counters.decompositions += 1;
        let other = !player;
        let mover = self.position.turn();
        let mut all = Value { winner: player, trace: Mask::default(), choice: None };
        let mut missing: Option<(Mask<W>, Mask<W>)> = None;
        for &part in parts {
            let value = self.solve_part(player, part, other)?;
            if value.winner == player {
                all.trace |= value.trace;
            } else if mover == other {
                return Ok(value);
            } else if let Some((_, trace)) = missing {
                return Ok(Value { winner: other, trace: trace | value.trace, choice: None });
            } else {
                missing = Some((part, value.trace));
            }
        }
        if let Some((part, _)) = missing {
            let value = self.solve_part(player, part, player)?;
            if value.winner == other {
                return Ok(Value { choice: None, ..value });
            }
            all.trace |= value.trace;
            all.choice = value.choice;
        }
        Ok(all)
    }

    /// Solves one part with `turn` to move, everything else filled in favour of `player`.
    fn solve_part(&mut self, player: Player, part: Mask<W>, turn: Player) -> Result<Value<W>, StopReason> {
        let occurrence = self.position.occurrence(&self.position.scan());
        let mut literals = [Mask::default(); 2];
        for element in self.position.live().minus(part).iter() {
            literals[index(player)].insert(self.position.rational_literal(player, element, &occurrence));
        }
        self.position.push();
        self.position.fill(literals);
        self.position.set_turn(turn);
        let value = self.solve(false);
        self.position.pop();
        value
    }

    /// Solves the position after a move.
    pub(super) fn solve_child(&mut self, choice: Move) -> Result<Value<W>, StopReason> {
        self.position.push();
        self.position.play(choice);
        let value = self.solve(false);
        self.position.pop();
        value
    }

    /// Where the position is filed: under the least hash of its images.
    pub(super) fn key(&self, occurrence: &Occurrence<W>) -> Key {
        let mut key = (self.position.hash(occurrence), None);
        let images = self.known.symmetries.len();
        if images > 0 && self.position.depth() <= SYMMETRIC_DEPTH && self.position.rows() * images <= SYMMETRIC_ROWS {
            for (number, symmetry) in self.known.symmetries.iter().enumerate() {
                let hash = self.position.hash_image(occurrence, symmetry);
                if hash < key.0 {
                    key = (hash, Some(number));
                }
            }
        }
        key
    }

    /// What the table knows about the position with this key.
    pub(super) fn recall(&mut self, (hash, symmetry): Key) -> Option<Value<W>> {
        let mut value = self.known.table.probe(hash)?;
        if let Some(number) = symmetry {
            let symmetry = &self.known.symmetries[number];
            value.trace = symmetry.undo(value.trace);
            value.choice = value.choice.map(|choice| map_element(choice, |element| symmetry.preimage(element)));
        }
        Some(value)
    }

    pub(super) fn remember(&mut self, (hash, symmetry): Key, value: &Value<W>, nodes: u64) {
        let mut value = *value;
        if let Some(number) = symmetry {
            let symmetry = &self.known.symmetries[number];
            value.trace = symmetry.apply(value.trace);
            value.choice = value.choice.map(|choice| map_element(choice, |element| symmetry.image(element)));
        }
        self.known.table.store(hash, &value, nodes);
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
            if self.options.history {
                self.known.history.adjust(self.position, mover, &mut self.moves[first..]);
            }
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

fn map_element(choice: Move, map: impl Fn(u16) -> u16) -> Move {
    match choice {
        Move::Colour(element, colour) => Move::Colour(map(element), colour),
        Move::Pass => Move::Pass,
    }
}

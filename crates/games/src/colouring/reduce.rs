//! Reductions to a fixpoint, in place: forced moves are played, dead elements forgotten, captured sets filled in, until the
//! position is decided or nothing changes.
//!
//! What the reductions rely on is collected for the trace (rules in [`capture`](super::capture) and
//! [`units`](super::units)): the carriers of a player join the trace if that player wins. A forced move's element joins it
//! whoever wins: as the winner's move, or as the mustplay that left the loser nothing else.

use super::captured_sets::CapturedSets;
use super::companions::Companions;
use super::mask::Mask;
use super::position::{Move, Occurrence, Position, index};
use super::{capture, local, units};
use crate::options::GameOptions;
use gamesat_core::formula::Player;

/// How often each reduction struck.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counters {
    pub(super) unit_wins: u64,
    pub(super) unit_losses: u64,
    pub(super) forced: u64,
    pub(super) captures: u64,
    pub(super) captured_sets: u64,
    pub(super) dominated: u64,
    pub(super) pairings: u64,
    pub(super) potentials: u64,
    pub(super) decompositions: u64,
}

/// What reducing a position gave.
pub(super) struct Reduced<const W: usize> {
    /// The winner, if the position is decided.
    pub(super) winner: Option<Player>,
    /// Elements that belong to the trace of MAX, of MIN, if that player wins.
    pub(super) carriers: [Mask<W>; 2],
    /// The first move, if it was forced or wins at once.
    pub(super) first: Option<Move>,
    /// How the elements occur in the reduced position.
    pub(super) occurrence: Occurrence<W>,
}

/// Reduces the position in place. Afterwards `companions` fit it if it is isotone and undecided.
pub(super) fn reduce<const W: usize>(
    position: &mut Position<W>,
    options: &GameOptions,
    companions: &mut Companions<W>,
    sets: &mut CapturedSets,
    counters: &mut Counters,
    captures: bool,
) -> Reduced<W> {
    let occurrence = Occurrence { rising: Mask::default(), falling: Mask::default(), isotone: true };
    let mut reduced = Reduced { winner: None, carriers: [Mask::default(); 2], first: None, occurrence };
    loop {
        // 1. Decided?
        if let Some(winner) = position.decided() {
            reduced.winner = Some(winner);
            return reduced;
        }
        let scans = position.scan();

        // 2. Rows of one element.
        if options.units {
            let mover = position.turn();
            match units::judge(position, &scans) {
                units::Verdict::Silent => {}
                units::Verdict::Win(choice) => {
                    counters.unit_wins += 1;
                    reduced.first.get_or_insert(choice);
                    reduced.carriers[index(mover)] |= element(choice);
                    reduced.winner = Some(mover);
                    return reduced;
                }
                units::Verdict::Loss(trace) => {
                    counters.unit_losses += 1;
                    reduced.carriers[index(!mover)] |= trace;
                    reduced.winner = Some(!mover);
                    return reduced;
                }
                units::Verdict::Forced(choice) => {
                    counters.forced += 1;
                    reduced.first.get_or_insert(choice);
                    reduced.carriers.iter_mut().for_each(|carrier| *carrier |= element(choice));
                    position.play(choice);
                    continue;
                }
            }
        }

        // 3. Dead elements.
        reduced.occurrence = position.occurrence(&scans);
        if options.dead {
            position.drop_dead(&reduced.occurrence);
        }

        // 4. Captured sets.
        let isotone = reduced.occurrence.isotone;
        if isotone && (options.capture || options.domination) {
            companions.compute(position, &reduced.occurrence);
        }
        if !(options.capture && captures) {
            return reduced;
        }
        let captured = if isotone {
            capture::isotone_pairs(position, companions, &reduced.occurrence)
        } else {
            capture::pairs(position)
        };
        counters.captures += u64::from(captured.is_some());
        let larger = || {
            let size = options.capture_size.min(local::MOST);
            let found = (size > 2).then(|| sets.find(position, &reduced.occurrence, size)).flatten();
            counters.captured_sets += u64::from(found.is_some());
            found
        };
        let Some(captured) = captured.or_else(larger) else { return reduced };
        for (carrier, more) in reduced.carriers.iter_mut().zip(captured.carriers) {
            *carrier |= more;
        }
        position.fill(captured.literals);
    }
}

/// The element of a move, as a set.
#[inline]
pub(super) fn element<const W: usize>(choice: Move) -> Mask<W> {
    match choice {
        Move::Colour(element, _) => Mask::single(usize::from(element)),
        Move::Pass => Mask::default(),
    }
}

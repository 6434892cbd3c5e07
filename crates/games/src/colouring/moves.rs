//! Questions about the position at the root: who wins, by one move or by which of all, on which elements the win rests.

use super::mask::Mask;
use super::mustplay::Mustplay;
use super::position::{Move, Occurrence};
use super::prepare::Prepared;
use super::reduce::element;
use super::search::Search;
use super::session::Answer;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Game, Lit, Player, Var};
use gamesat_core::statistics::Statistics;
use rustc_hash::FxHashSet;

/// Of elements that do not occur in the formula at most this many are listed as winning moves: there can be billions.
const LISTED: usize = 1 << 16;

/// Where a question is answered.
pub(super) struct Root<'s, 'b, const W: usize> {
    /// The position with the game's own literals.
    pub(super) game: &'s Game,
    pub(super) prepared: &'s Prepared,
    pub(super) search: &'s mut Search<'b, W>,
    pub(super) control: &'s Control,
    /// The number of this thread, and of all: each begins the list of all moves at another place.
    pub(super) rotation: (usize, usize),
}

/// What was found about the position.
struct Findings<const W: usize> {
    winner: Player,
    trace: Mask<W>,
    /// Winning moves.
    moves: Vec<Lit>,
    /// How many of these were not listed, since they are like others.
    omitted: usize,
    /// Why some moves were not looked at.
    unlisted: Option<StopReason>,
}

impl<const W: usize> Root<'_, '_, W> {
    pub(super) fn answer(&mut self, all_moves: bool) -> Result<Answer, StopReason> {
        let found = if all_moves { self.all_moves()? } else { self.one_move()? };
        let Findings { winner, trace, moves, omitted, unlisted } = found;
        let trace = trace.iter().map(|element| self.prepared.elements[element]).collect();
        let variation = self.variation(winner, moves.first().copied());
        let statistics = self.statistics();
        Ok(Answer { winner, moves, omitted, unlisted, variation, trace, strategy: None, unshrunk: None, statistics })
    }

    fn one_move(&mut self) -> Result<Findings<W>, StopReason> {
        let mover = self.search.position.turn();
        self.search.position.push();
        let value = self.search.solve(true);
        self.search.position.pop();
        let value = value?;
        if value.winner != mover {
            let (winner, trace) = (value.winner, value.trace);
            return Ok(Findings { winner, trace, moves: Vec::new(), omitted: 0, unlisted: None });
        }
        let occurrence = self.search.position.occurrence(&self.search.position.scan());
        let live = self.search.position.live();
        let choice = match value.choice {
            Some(choice @ Move::Colour(..)) => Some(choice),
            // Any dead element will do; one of the formula if there is no other.
            Some(Move::Pass) => None,
            // Won whatever is played: the position is decided, or isotone and won without a move.
            None => live.lowest().map(|element| {
                let colour = [mover.colour(), !mover.colour()].into_iter().find(|&colour| {
                    self.game.rule.allows(mover, colour)
                        && self.search.is_rational(Move::Colour(element as u16, colour), &occurrence)
                });
                Move::Colour(element as u16, colour.unwrap_or(mover.colour()))
            }),
        };
        let dead = live.minus(occurrence.rising | occurrence.falling).lowest();
        let dead = || dead.map(|element| Move::Colour(element as u16, mover.colour()));
        let lit = match choice {
            Some(Move::Colour(element, colour)) => Some(self.prepared.lit(usize::from(element), colour)),
            _ => match (self.outsiders().next(), dead()) {
                (Some(outsider), _) => Some(outsider),
                (None, Some(Move::Colour(element, colour))) => Some(self.prepared.lit(usize::from(element), colour)),
                _ => None,
            },
        };
        let moves = lit.into_iter().collect();
        Ok(Findings { winner: value.winner, trace: value.trace, moves, omitted: 0, unlisted: None })
    }

    /// The moves at the root that count: of a monotone element the rational colour, of a dead one the mover's.
    fn choices(&self, occurrence: &Occurrence<W>) -> Vec<Move> {
        let search = &*self.search;
        let mover = search.position.turn();
        let mut choices = Vec::new();
        for element in search.position.live().iter() {
            let (rising, falling) = (occurrence.rising.contains(element), occurrence.falling.contains(element));
            for colour in [true, false] {
                let choice = Move::Colour(element as u16, colour);
                let only = !search.position.rule().allows(mover, !colour);
                let counts = match (rising, falling) {
                    (true, true) => true,
                    (false, false) => self.prepared.lit(element, colour).is_positive() == mover.colour(),
                    _ => search.is_rational(choice, occurrence),
                };
                if search.position.rule().allows(mover, colour) && (only || counts) {
                    choices.push(choice);
                }
            }
        }
        if self.outside() > 0 {
            choices.push(Move::Pass);
        }
        choices
    }

    /// Every winning move, or those that were found when the run had to stop. Nothing is reduced at the root, but a refuted
    /// rational move rules out what is outside its trace.
    fn all_moves(&mut self) -> Result<Findings<W>, StopReason> {
        let mover = self.search.position.turn();
        let occurrence = self.search.position.occurrence(&self.search.position.scan());
        let mut choices = self.choices(&occurrence);
        let (number, threads) = self.rotation;
        let start = choices.len() * number / threads.max(1);
        choices.rotate_left(start);
        let search = &mut *self.search;
        let symmetries = if search.position.is_initial() { search.known.symmetries.clone() } else { [].into() };
        let decided = search.position.decided();
        let mut mustplay = Mustplay::new(search.position.live(), search.options.mustplay);
        let mut won = None;
        let mut moves = Vec::new();
        let mut passes = false;
        let mut unlisted = None;
        // Elements whose moves are known from an image under a symmetry.
        let mut settled = Mask::<W>::default();
        let total = choices.len() as u64;
        for (done, choice) in choices.into_iter().enumerate() {
            self.control.progress().set_steps(done as u64, total);
            if !mustplay.allows(choice) || settled.intersects(&element(choice)) {
                continue;
            }
            let child = match search.solve_child(choice) {
                Ok(child) => child,
                // A player with a winning move wins.
                Err(reason) if won.is_some() => {
                    unlisted = Some(reason);
                    break;
                }
                Err(reason) => return Err(reason),
            };
            let images = |element: u16| -> Vec<u16> {
                let mut images: Vec<u16> = symmetries.iter().map(|symmetry| symmetry.image(element)).collect();
                images.push(element);
                images.sort_unstable();
                images.dedup();
                images
            };
            if let Move::Colour(element, _) = choice
                && !search.position.is_signed()
            {
                images(element).into_iter().for_each(|image| settled.insert(usize::from(image)));
            }
            if child.winner == mover {
                won.get_or_insert(child.trace | element(choice));
                match choice {
                    Move::Colour(element, colour) => {
                        moves
                            .extend(images(element).iter().map(|&image| self.prepared.lit(usize::from(image), colour)));
                    }
                    Move::Pass => passes = true,
                }
                continue;
            }
            mustplay.refute(choice, search.is_rational(choice, &occurrence), child.trace);
            symmetries.iter().for_each(|symmetry| mustplay.refute_image(symmetry.apply(child.trace)));
        }
        let mut omitted = 0;
        if passes {
            let listed = moves.len();
            moves.extend(self.outsiders().take(LISTED));
            omitted = self.outside() - (moves.len() - listed);
        }
        moves.sort_unstable();
        moves.dedup(); // orbits may overlap where not all symmetries are known
        let (winner, trace) = match (decided, won) {
            (Some(winner), _) => (winner, Mask::default()),
            (None, Some(trace)) => (mover, trace),
            (None, None) => (!mover, mustplay.lost()),
        };
        Ok(Findings { winner, trace, moves, omitted, unlisted })
    }

    /// Number of uncoloured elements outside the formula.
    fn outside(&self) -> usize {
        self.game.uncoloured() - self.search.position.live().len()
    }

    /// The uncoloured elements outside the formula, in the mover's colour.
    fn outsiders(&self) -> impl Iterator<Item = Lit> + use<'_, W> {
        let taken: FxHashSet<Var> =
            self.prepared.elements.iter().copied().chain(self.game.played().iter().map(|lit| lit.var())).collect();
        let outside = (0..self.game.elements()).map(Var::from_index).filter(move |var| !taken.contains(var));
        outside.map(|var| var.lit(self.game.turn.colour()))
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        let counters = &self.search.counters;
        statistics.add("nodes", self.search.nodes);
        statistics.add("elements", self.prepared.elements.len() as u64);
        for (player, name) in [(Player::Max, "cnf_rows"), (Player::Min, "dnf_rows")] {
            statistics.add(name, self.search.position.form(player).map_or(0, |form| form.len() as u64));
        }
        statistics.add("table_hits", self.search.known.table.hits);
        statistics.add("table_stores", self.search.known.table.stores);
        statistics.add("unit_wins", counters.unit_wins);
        statistics.add("unit_losses", counters.unit_losses);
        statistics.add("forced_moves", counters.forced);
        statistics.add("captures", counters.captures);
        statistics.add("captured_sets", counters.captured_sets);
        statistics.add("dominated_moves", counters.dominated);
        statistics.add("pairings", counters.pairings);
        statistics.add("potential_wins", counters.potentials);
        statistics.add("symmetries", self.search.known.symmetries.len() as u64);
        statistics.add("decompositions", counters.decompositions);
        statistics
    }
}

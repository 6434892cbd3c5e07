//! Questions about a whole game: who wins, by which moves, on which elements the win rests.

use super::crew::Crew;
use super::mask::Mask;
use super::position::{Move, Position};
use super::prepare::Prepared;
use super::proof_number::Bounds;
use super::reduce::element;
use super::search::Search;
use super::strategy;
use super::table::Table;
use crate::control::{Control, StopReason};
use crate::formula::{Game, Lit, Player, Strategy, Var};
use crate::options::GameOptions;
use crate::statistics::Statistics;
use rustc_hash::FxHashSet;
use std::thread::ScopedJoinHandle;

/// Of elements that do not occur in the formula at most this many are listed as winning moves: there can be billions.
const LISTED: usize = 1 << 20;

/// An answer about a game.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Who wins.
    pub winner: Player,
    /// Winning moves of the player to move: one, or all if they were asked for.
    pub moves: Vec<Lit>,
    /// A line of best play.
    pub variation: Vec<Lit>,
    /// Elements that suffice for the winner.
    pub trace: Vec<Var>,
    /// What was counted.
    pub statistics: Statistics,
}

/// Solves a game.
///
/// # Errors
/// The reason why there is no answer.
pub fn solve(game: &Game, all_moves: bool, options: &GameOptions, control: &Control) -> Result<Answer, StopReason> {
    dispatch(game, Question { all_moves, strategy: false }, options, control).map(|(answer, _)| answer)
}

/// Solves a game and plays its winner's strategy out, or says why that could not be completed.
///
/// # Errors
/// The reason why there is no answer.
pub fn solve_with_strategy(
    game: &Game,
    all_moves: bool,
    options: &GameOptions,
    control: &Control,
) -> Result<(Answer, Result<Strategy, StopReason>), StopReason> {
    let (answer, strategy) = dispatch(game, Question { all_moves, strategy: true }, options, control)?;
    Ok((answer, strategy.unwrap_or_else(|| unreachable!("it was asked for"))))
}

/// What is to be answered.
#[derive(Clone, Copy)]
struct Question {
    all_moves: bool,
    strategy: bool,
}

type Answers = (Answer, Option<Result<Strategy, StopReason>>);

fn dispatch(game: &Game, question: Question, options: &GameOptions, control: &Control) -> Result<Answers, StopReason> {
    let prepared = Prepared::new(game, options)?;
    match prepared.words() {
        0..=1 => with_words::<1>(game, &prepared, question, options, control),
        2 => with_words::<2>(game, &prepared, question, options, control),
        3..=8 => with_words::<8>(game, &prepared, question, options, control),
        9..=256 => with_words::<256>(game, &prepared, question, options, control),
        _ => {
            let what = format!("{} elements are too many for bit masks", prepared.elements.len());
            Err(StopReason::Unsupported(what))
        }
    }
}

/// Bytes of stack for one move of the search, beside its masks, rounded up generously.
const STACK_PER_MOVE: usize = 2048;

fn with_words<const W: usize>(
    game: &Game,
    prepared: &Prepared,
    question: Question,
    options: &GameOptions,
    control: &Control,
) -> Result<Answers, StopReason> {
    let position = prepared.position::<W>(options, control)?;
    // The depth of the search is the number of elements; its masks live on the stack.
    let frame = STACK_PER_MOVE + 40 * size_of::<Mask<W>>();
    // Going to parts takes no element, but every part has one less; a strategy is played out to the same depth, with the
    // search on top.
    let depth = 2 * (prepared.elements.len() + 2) * if question.strategy { 4 } else { 1 };
    let stack = (1 << 21) + depth * frame * if cfg!(debug_assertions) { 4 } else { 1 };
    let place = Place { game, prepared, question, options, stack };
    if options.threads > 1 { place.together(&position, control) } else { place.alone(position, control) }
}

/// Where a search takes place, and what for.
struct Place<'a> {
    game: &'a Game,
    prepared: &'a Prepared,
    question: Question,
    options: &'a GameOptions,
    /// Bytes of stack.
    stack: usize,
}

impl Place<'_> {
    /// Searches with one thread.
    fn alone<const W: usize>(&self, position: Position<W>, control: &Control) -> Result<Answers, StopReason> {
        let run = || {
            let mut search = Search::new(position, self.options, control);
            search.proof = self.options.proof_number.then(|| Bounds::new(self.options.table));
            let answer = self.root(&mut search, control, 0).answer(self.question.all_moves)?;
            let strategy = self.play_out(&mut search, answer.winner, control);
            Ok((answer, strategy))
        };
        std::thread::scope(|scope| match self.spawn(scope, run) {
            Some(thread) => joined(thread),
            None => Err(StopReason::Memory),
        })
    }

    /// Searches with several threads on one table; see [`crew`](super::crew).
    fn together<const W: usize>(&self, position: &Position<W>, control: &Control) -> Result<Answers, StopReason> {
        let crew = &Crew::new();
        let table = Table::for_threads(self.options.table);
        let work = |number: usize, table: Table<W>| {
            // The first that is done stops the others.
            let control = control.with_interrupt(crew.done.clone());
            let mut search = Search::new(position.clone(), self.options, &control);
            search.proof = self.options.proof_number.then(|| Bounds::new(self.options.table));
            search.table = table;
            search.crew = Some(crew);
            let answer = self.root(&mut search, &control, number).answer(self.question.all_moves);
            if answer.is_ok() {
                crew.done.trigger();
            }
            (answer, search.nodes)
        };
        let work = &work;
        let results: Vec<_> = std::thread::scope(|scope| {
            let start = |number| {
                let table = table.share();
                self.spawn(scope, move || work(number, table))
            };
            let threads: Vec<_> = (0..self.options.threads).map_while(start).collect();
            threads.into_iter().map(joined).collect()
        });
        let (threads, nodes) = (results.len() as u64, results.iter().map(|(_, nodes)| nodes).sum::<u64>());
        let answers = results.into_iter().map(|(answer, _)| answer);
        let first = answers.reduce(|one, two| if one.is_ok() { one } else { two });
        let mut answer = first.unwrap_or(Err(StopReason::Memory))?;
        let own = answer.statistics.get("nodes") as u64;
        answer.statistics.add("nodes", nodes.saturating_sub(own));
        answer.statistics.add("threads", threads);

        let run = || {
            let mut search = Search::new(position.clone(), self.options, control);
            search.table = table;
            self.play_out(&mut search, answer.winner, control)
        };
        let strategy = self.question.strategy.then(|| {
            std::thread::scope(|scope| self.spawn(scope, run).and_then(joined).unwrap_or(Err(StopReason::Memory)))
        });
        Ok((answer, strategy))
    }

    fn root<'s, 'b, const W: usize>(
        &'s self,
        search: &'s mut Search<'b, W>,
        control: &'s Control,
        number: usize,
    ) -> Root<'s, 'b, W> {
        Root { game: self.game, prepared: self.prepared, search, control, rotation: (number, self.options.threads) }
    }

    /// The winner's strategy, if it was asked for.
    fn play_out<const W: usize>(
        &self,
        search: &mut Search<'_, W>,
        winner: Player,
        control: &Control,
    ) -> Option<Result<Strategy, StopReason>> {
        self.question.strategy.then(|| strategy::build(self.game, self.prepared, search, winner, control))
    }

    /// A thread with the stack it takes, if there is memory for it.
    fn spawn<'scope, T: Send + 'scope>(
        &self,
        scope: &'scope std::thread::Scope<'scope, '_>,
        run: impl FnOnce() -> T + Send + 'scope,
    ) -> Option<ScopedJoinHandle<'scope, T>> {
        std::thread::Builder::new().stack_size(self.stack).spawn_scoped(scope, run).ok()
    }
}

fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

struct Root<'a, 'b, const W: usize> {
    game: &'a Game,
    prepared: &'a Prepared,
    search: &'a mut Search<'b, W>,
    control: &'a Control,
    /// The number of this thread, and of all: each begins the list of all moves at another place.
    rotation: (usize, usize),
}

impl<const W: usize> Root<'_, '_, W> {
    fn answer(&mut self, all_moves: bool) -> Result<Answer, StopReason> {
        let (winner, trace, moves) = if all_moves { self.all_moves()? } else { self.one_move()? };
        let trace = trace.iter().map(|element| self.prepared.elements[element]).collect();
        let variation = self.variation(winner, moves.first().copied());
        Ok(Answer { winner, moves, variation, trace, statistics: self.statistics() })
    }

    fn one_move(&mut self) -> Result<(Player, Mask<W>, Vec<Lit>), StopReason> {
        let mover = self.search.position.turn();
        self.search.position.push();
        let value = self.search.solve(true);
        self.search.position.pop();
        let value = value?;
        if value.winner != mover {
            return Ok((value.winner, value.trace, Vec::new()));
        }
        let mut moves = match value.choice {
            Some(Move::Colour(element, colour)) => vec![self.prepared.lit(usize::from(element), colour)],
            Some(Move::Pass) => self.outsiders(1),
            // Won whatever is played: the position is decided, or isotone and won without a move.
            None if self.prepared.elements.is_empty() => self.outsiders(1),
            None => {
                let occurrence = self.search.position.occurrence(&self.search.position.scan());
                let colour = [mover.colour(), !mover.colour()].into_iter().find(|&colour| {
                    self.game.rule.allows(mover, colour)
                        && self.search.is_rational(Move::Colour(0, colour), &occurrence)
                });
                vec![self.prepared.lit(0, colour.unwrap_or(mover.colour()))]
            }
        };
        moves.truncate(1);
        Ok((value.winner, value.trace, moves))
    }

    /// Every winning move. Nothing is reduced at the root, but a refuted rational move rules out what is outside its trace.
    fn all_moves(&mut self) -> Result<(Player, Mask<W>, Vec<Lit>), StopReason> {
        let search = &mut *self.search;
        let mover = search.position.turn();
        let occurrence = search.position.occurrence(&search.position.scan());
        let mut choices = Vec::new();
        for element in search.position.live().iter() {
            for colour in [true, false] {
                let choice = Move::Colour(element as u16, colour);
                let monotone = !(occurrence.rising.contains(element) && occurrence.falling.contains(element));
                let only = !search.position.rule().allows(mover, !colour);
                if search.position.rule().allows(mover, colour)
                    && (only || !monotone || search.is_rational(choice, &occurrence))
                {
                    choices.push(choice);
                }
            }
        }
        if self.prepared.outside > 0 {
            choices.push(Move::Pass);
        }
        let (number, threads) = self.rotation;
        let start = choices.len() * number / threads.max(1);
        choices.rotate_left(start);
        let decided = search.position.decided();
        let mut mustplay = search.position.live();
        let mut pass = true;
        let (mut won, mut lost) = (None, Mask::default());
        let mut moves = Vec::new();
        let mut passes = false;
        // Elements whose moves are known from an image under a symmetry.
        let mut settled = Mask::<W>::default();
        let total = choices.len() as u64;
        for (done, choice) in choices.into_iter().enumerate() {
            self.control.progress().set_steps(done as u64, total);
            let inside = match choice {
                Move::Colour(element, _) => {
                    mustplay.contains(usize::from(element)) && !settled.contains(usize::from(element))
                }
                Move::Pass => pass,
            };
            if !inside {
                continue;
            }
            let child = search.solve_child(choice)?;
            let images = |element: u16| -> Vec<u16> {
                let mut images: Vec<u16> = search.symmetries.iter().map(|symmetry| symmetry.image(element)).collect();
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
            lost |= child.trace;
            if !search.is_rational(choice, &occurrence) {
                lost |= element(choice);
            } else if search.options.mustplay {
                mustplay &= child.trace;
                pass = false;
            }
            for symmetry in &search.symmetries {
                lost |= symmetry.apply(child.trace);
                if search.options.mustplay {
                    mustplay &= symmetry.apply(child.trace);
                }
            }
        }
        if passes {
            moves.extend(self.outsiders(LISTED));
        }
        moves.sort_unstable();
        moves.dedup(); // orbits may overlap where not all symmetries are known
        Ok(match (decided, won) {
            (Some(winner), _) => (winner, Mask::default(), moves),
            (None, Some(trace)) => (mover, trace, moves),
            (None, None) => (!mover, lost, moves),
        })
    }

    /// A line of best play, as far as the table knows it: the winner's moves are the winning ones found, the loser's those
    /// that took the most work to refute.
    fn variation(&mut self, winner: Player, first: Option<Lit>) -> Vec<Lit> {
        let mut line = Vec::new();
        let mut next = match first {
            Some(lit) => self.local(lit),
            None => self.resist(winner),
        };
        let depth = self.search.position.depth();
        while let Some(choice) = next {
            match choice {
                Move::Colour(element, colour) => line.push(self.prepared.lit(usize::from(element), colour)),
                // Which dead element is played does not matter, but none may be played twice.
                Move::Pass => break,
            }
            self.search.position.push();
            self.search.position.play(choice);
            next = if self.search.position.turn() == winner { self.look_up(winner) } else { self.resist(winner) };
        }
        while self.search.position.depth() > depth {
            self.search.position.pop();
        }
        line
    }

    /// A literal of the game as a move.
    fn local(&self, lit: Lit) -> Option<Move> {
        let element = self.prepared.elements.binary_search(&lit.var()).ok()?;
        Some(Move::Colour(element as u16, self.prepared.lit(element, true) == lit))
    }

    /// The winning move that the table knows.
    fn look_up(&mut self, winner: Player) -> Option<Move> {
        self.search.position.push();
        let reduced = self.search.reduce(true);
        let choice = reduced.first.or_else(|| {
            let key = self.search.key(&reduced.occurrence);
            let value = self.search.recall(key).filter(|value| reduced.winner.is_none() && value.winner == winner)?;
            value.choice
        });
        self.search.position.pop();
        choice
    }

    /// The forced move of a lost position, or the move whose refutation the table knows.
    fn resist(&mut self, winner: Player) -> Option<Move> {
        self.search.position.push();
        let reduced = self.search.reduce(true);
        let mut choice = reduced.first;
        if choice.is_none() && reduced.winner.is_none() {
            let loser = self.search.position.turn();
            for element in self.search.position.live().iter() {
                let colour = reduced.occurrence.rising.contains(element) == loser.colour();
                let candidate = Move::Colour(element as u16, colour);
                if !self.game.rule.allows(loser, colour) {
                    continue;
                }
                self.search.position.push();
                self.search.position.play(candidate);
                let known = self.look_up(winner).is_some();
                self.search.position.pop();
                if known {
                    choice = Some(candidate);
                    break;
                }
            }
        }
        self.search.position.pop();
        choice
    }

    /// The first uncoloured elements outside the formula, in the mover's colour.
    fn outsiders(&self, count: usize) -> Vec<Lit> {
        let taken: FxHashSet<Var> =
            self.prepared.elements.iter().copied().chain(self.game.played().iter().map(|lit| lit.var())).collect();
        let outside = (0..self.game.elements()).map(Var::from_index).filter(|var| !taken.contains(var));
        outside.take(count).map(|var| var.lit(self.game.turn.colour())).collect()
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        let counters = &self.search.counters;
        statistics.add("nodes", self.search.nodes);
        statistics.add("elements", self.prepared.elements.len() as u64);
        for (player, name) in [(Player::Max, "cnf_rows"), (Player::Min, "dnf_rows")] {
            statistics.add(name, self.search.position.form(player).map_or(0, |form| form.len() as u64));
        }
        statistics.add("table_hits", self.search.table.hits);
        statistics.add("table_stores", self.search.table.stores);
        statistics.add("unit_wins", counters.unit_wins);
        statistics.add("unit_losses", counters.unit_losses);
        statistics.add("forced_moves", counters.forced);
        statistics.add("captures", counters.captures);
        statistics.add("captured_sets", counters.captured_sets);
        statistics.add("dominated_moves", counters.dominated);
        statistics.add("pairings", counters.pairings);
        statistics.add("potential_wins", counters.potentials);
        statistics.add("symmetries", self.search.symmetries.len() as u64);
        statistics.add("decompositions", counters.decompositions);
        statistics
    }
}

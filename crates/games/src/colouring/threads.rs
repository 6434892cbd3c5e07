//! A question in threads of its own: with a stack as deep as the search can get, and several of them on one game where
//! that is wanted; see [`crew`](super::crew).

use super::crew::Crew;
use super::knowledge::Knowledge;
use super::mask::Mask;
use super::moves::Root;
use super::position::Position;
use super::prepare::Prepared;
use super::search::Search;
use super::session::{Answer, Question};
use super::strategy;
use crate::options::GameOptions;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Game, Player, Strategy};
use std::thread::ScopedJoinHandle;

/// Bytes of stack for one move of the search, beside its masks, rounded up generously.
const STACK_PER_MOVE: usize = 2048;

/// Where a question is asked.
pub(super) struct Place<'a> {
    pub(super) game: &'a Game,
    pub(super) prepared: &'a Prepared,
    pub(super) question: Question,
    pub(super) options: &'a GameOptions,
    pub(super) control: &'a Control,
}

impl Place<'_> {
    /// Answers the question about the position on top of the stack.
    pub(super) fn answer<const W: usize>(
        &self,
        position: &mut Position<W>,
        known: &mut Knowledge<W>,
    ) -> Result<Answer, StopReason> {
        (known.table.hits, known.table.stores) = (0, 0);
        if self.options.threads > 1 { self.together(position, known) } else { self.alone(position, known) }
    }

    /// Searches with one thread.
    fn alone<const W: usize>(
        &self,
        position: &mut Position<W>,
        known: &mut Knowledge<W>,
    ) -> Result<Answer, StopReason> {
        let run = || {
            let mut search = Search::new(position, known, self.options, self.control);
            let mut answer = self.root(&mut search, self.control, 0).answer(self.question.all_moves)?;
            answer.strategy = self.question.strategy.then(|| self.play_out(&mut search, answer.winner));
            Ok(answer)
        };
        std::thread::scope(|scope| match self.spawn::<W, _>(scope, run) {
            Some(thread) => joined(thread),
            None => Err(StopReason::Memory),
        })
    }

    /// Searches with several threads on one table.
    fn together<const W: usize>(
        &self,
        position: &mut Position<W>,
        known: &mut Knowledge<W>,
    ) -> Result<Answer, StopReason> {
        let crew = &Crew::new();
        let work = |number: usize, mut position: Position<W>, mut known: Knowledge<W>| {
            // The first that is done stops the others.
            let control = self.control.with_interrupt(crew.done.clone());
            let mut search = Search::new(&mut position, &mut known, self.options, &control);
            search.crew = Some(crew);
            let answer = self.root(&mut search, &control, number).answer(self.question.all_moves);
            if answer.as_ref().is_ok_and(|answer| answer.unlisted.is_none()) {
                crew.done.trigger();
            }
            (answer, search.nodes)
        };
        let work = &work;
        let results: Vec<_> = std::thread::scope(|scope| {
            let start = |number| {
                let (position, known) = (position.clone(), known.share(self.options));
                self.spawn::<W, _>(scope, move || work(number, position, known))
            };
            let threads: Vec<_> = (0..self.options.threads).map_while(start).collect();
            threads.into_iter().map(joined).collect()
        });
        let (threads, nodes) = (results.len() as u64, results.iter().map(|(_, nodes)| nodes).sum::<u64>());
        let answers = results.into_iter().map(|(answer, _)| answer);
        let first = answers.reduce(|one, two| match (one, two) {
            (Ok(one), Ok(two)) => Ok(together(one, two)),
            (one, two) => one.or(two),
        });
        let mut answer = first.unwrap_or(Err(StopReason::Memory))?;
        let own = answer.statistics.get("nodes") as u64;
        answer.statistics.add("nodes", nodes.saturating_sub(own));
        answer.statistics.add("threads", threads);

        let winner = answer.winner;
        let run = || self.play_out(&mut Search::new(position, known, self.options, self.control), winner);
        answer.strategy = self.question.strategy.then(|| {
            std::thread::scope(|scope| self.spawn::<W, _>(scope, run).map(joined).unwrap_or(Err(StopReason::Memory)))
        });
        Ok(answer)
    }

    fn root<'s, 'b, const W: usize>(
        &'s self,
        search: &'s mut Search<'b, W>,
        control: &'s Control,
        number: usize,
    ) -> Root<'s, 'b, W> {
        Root { game: self.game, prepared: self.prepared, search, control, rotation: (number, self.options.threads) }
    }

    /// The winner's strategy.
    fn play_out<const W: usize>(&self, search: &mut Search<'_, W>, winner: Player) -> Result<Strategy, StopReason> {
        strategy::build(self.game, self.prepared, search, winner, self.control)
    }

    /// A thread with the stack it takes, if there is memory for it.
    fn spawn<'scope, const W: usize, T: Send + 'scope>(
        &self,
        scope: &'scope std::thread::Scope<'scope, '_>,
        run: impl FnOnce() -> T + Send + 'scope,
    ) -> Option<ScopedJoinHandle<'scope, T>> {
        // The depth of the search is the number of elements, its masks live on the stack; going to parts takes no element,
        // but every part has one less.
        let frame = STACK_PER_MOVE + 40 * size_of::<Mask<W>>();
        let depth = 2 * (self.prepared.elements.len() + 2);
        let stack = (1 << 21) + depth * frame * if cfg!(debug_assertions) { 4 } else { 1 };
        std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, run).ok()
    }
}

/// Of the answers of two threads a complete one, or what both have found: each has begun the list of moves elsewhere.
fn together(mut one: Answer, two: Answer) -> Answer {
    if one.unlisted.is_none() || two.unlisted.is_none() {
        return if one.unlisted.is_none() { one } else { two };
    }
    one.moves.extend(two.moves);
    one.moves.sort_unstable();
    one.moves.dedup();
    one.omitted = one.omitted.max(two.omitted);
    one
}

fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

//! A game with an order under question: values, best moves and the line of best play, with what was found out before.

use super::history::History;
use super::search::{Horizon, Search};
use super::table::{COMPLETE, Table};
use crate::options::SequentialOptions;
use gamesat_core::control::{Control, Interrupt, StopReason};
use gamesat_core::rules::Side;
use gamesat_core::rules::sequential::{MOST, Move, Rules};
use gamesat_core::statistics::Statistics;
use std::sync::Mutex;

/// An answer about a position.
#[derive(Clone, Debug, Default)]
pub struct Solved {
    /// What the mover wins; of a game that is over, what its first player has from the end.
    pub value: i32,
    /// Whether the value is that of the whole game and not only of the plies that were looked ahead.
    pub exact: bool,
    /// What is proven of the value of the whole game: no less than the first, no more than the second.
    pub bounds: (i32, i32),
    /// A best line, unless the run was stopped while it was looked for.
    pub line: Vec<Move>,
    /// Every move with its value, the best first, if asked for.
    pub moves: Vec<(Move, i32)>,
    /// Why some moves have no value there, though all were asked for.
    pub unlisted: Option<StopReason>,
    /// What was counted.
    pub statistics: Statistics,
}

/// Keeps the table from one question to the next.
#[derive(Debug)]
pub struct Session {
    options: SequentialOptions,
    threads: usize,
    table: Table,
}

impl Session {
    /// A session for positions of one board, none with more plies to go than this one.
    pub fn new<R: Rules>(rules: &R, options: &SequentialOptions, threads: usize) -> Self {
        // Without a use for it the least table there is.
        let plies = if options.seen_positions { rules.plies() } else { 0 };
        let table = Table::new(options.sequential_table, plies);
        Session { options: options.clone(), threads: threads.max(1), table }
    }

    /// The value alone, of a position in which somebody moves, and the nodes that it took.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn value<R: Rules>(&self, rules: &R, control: &Control) -> Result<(i32, u64), StopReason> {
        self.table.restart();
        with_room(rules.plies(), || {
            let mut search = self.search(rules, control, 0);
            let value = self.exact(&mut search, &mut rules.clone())?;
            Ok((value, search.nodes))
        })
    }

    /// The value, the best line and, if asked for, the value of every move; looking `depth` plies ahead, or to the end.
    ///
    /// # Errors
    /// The reason to stop before the value is known.
    pub fn solve<R: Rules>(
        &self,
        rules: &R,
        depth: Option<u8>,
        all_moves: bool,
        control: &Control,
    ) -> Result<Solved, StopReason> {
        let mut solved = Solved { exact: true, ..Solved::default() };
        if rules.mover().is_none() {
            solved.value = rules.end();
            solved.bounds = (solved.value, solved.value);
            return Ok(solved);
        }
        with_room(rules.plies(), || self.solve_further(rules.clone(), depth, all_moves, control, solved))
    }

    /// The same where somebody moves.
    fn solve_further<R: Rules>(
        &self,
        mut rules: R,
        depth: Option<u8>,
        all_moves: bool,
        control: &Control,
        mut solved: Solved,
    ) -> Result<Solved, StopReason> {
        let mut search = self.search(&rules, control, 0);
        solved.value = match depth {
            Some(depth) => self.limited(&mut search, &mut rules, depth)?,
            None if self.threads > 1 => self.parallel(&mut search, &rules, control)?,
            None => self.exact(&mut search, &mut rules)?,
        };
        solved.exact = !search.estimated;
        solved.bounds = (solved.value, solved.value);
        if let (false, Some(depth), Some(mover)) = (solved.exact, depth, rules.mover()) {
            let mut move_made = Vec::new();
            let mut bound = |side| {
                // What is remembered of another horizon is of no use.
                let session = Session::new(&rules, &self.options, 1);
                let mut search = session.search(&rules, control, 0);
                search.horizon = Horizon::Worst(side);
                let value = session.limited(&mut search, &mut rules, depth)?;
                if side == mover {
                    let _ = session.line(&mut search, rules.clone(), value, Some(depth), &mut move_made);
                }
                Ok::<(i32, u64), StopReason>((value, search.nodes))
            };
            // The worst for the other side is the best for the mover.
            let (least, most) = (bound(mover)?, bound(!mover)?);
            solved.bounds = (least.0, most.0);
            search.nodes += least.1 + most.1;
            if least.0 == most.0 {
                // The move that is sure of the lower bound is best; what follows it may lie beyond.
                (solved.value, solved.exact) = (least.0, true);
                solved.line.extend(move_made.first());
                if all_moves {
                    search.nodes += self.bounded_moves(&mut rules, depth, control, &mut solved);
                }
                solved.statistics.add("nodes", search.nodes);
                return Ok(solved);
            }
        }
        if all_moves {
            let mut moves = Vec::new();
            rules.moves(&mut moves);
            // The one that was found to be best comes first, should there be time for no other.
            let seen = search.remembered_move(&rules);
            moves.sort_by_key(|&mv| seen != Some(mv));
            for mv in moves {
                match self.of_move(&mut search, &mut rules, mv, depth) {
                    Ok(value) => solved.moves.push((mv, value)),
                    Err(reason) => {
                        solved.unlisted = Some(reason);
                        break;
                    }
                }
            }
            solved.moves.sort_by_key(|&(mv, value)| (std::cmp::Reverse(value), mv));
        }
        // A line that is cut short by a limit is still a line.
        let _ = self.line(&mut search, rules, solved.value, depth, &mut solved.line);
        solved.statistics.add("nodes", search.nodes);
        solved.statistics.add("table_hits", search.hits);
        solved.statistics.add("table_lines", self.table.size() as u64);
        Ok(solved)
    }

    /// The moves whose values are proven by what is sure within so many plies: no less than with the worst for the mover beyond
    /// them, no more than with the worst for the other side. Gives the nodes that it took.
    fn bounded_moves<R: Rules>(&self, rules: &mut R, depth: u8, control: &Control, solved: &mut Solved) -> u64 {
        let Some(mover) = rules.mover() else { return 0 };
        // What is remembered of one horizon is of no use to the other.
        let sessions = [mover, !mover].map(|side| (side, Session::new(rules, &self.options, 1)));
        let mut searches = sessions.each_ref().map(|(side, session)| {
            let mut search = session.search(rules, control, 0);
            search.horizon = Horizon::Worst(*side);
            search
        });
        let mut moves = Vec::new();
        rules.moves(&mut moves);
        for mv in moves {
            let mut bound = |at: usize| searches[at].after(rules, mv, -MOST, MOST, Some(depth));
            match (bound(0), bound(1)) {
                (Ok(least), Ok(most)) if least == most => solved.moves.push((mv, least)),
                (Ok(_), Ok(_)) => solved.unlisted = solved.unlisted.take().or(Some(StopReason::Depth)),
                (Err(reason), _) | (_, Err(reason)) => {
                    solved.unlisted = Some(reason);
                    break;
                }
            }
        }
        solved.moves.sort_by_key(|&(mv, value)| (std::cmp::Reverse(value), mv));
        searches.iter().map(|search| search.nodes).sum()
    }

    /// Every move with its value, looking `depth` plies ahead behind it.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn values<R: Rules>(&self, rules: &R, depth: u8, control: &Control) -> Result<Vec<(Move, i32)>, StopReason> {
        let mut rules = rules.clone();
        let mut search = self.search(&rules, control, 0);
        let mut moves = Vec::new();
        rules.moves(&mut moves);
        let value = |mv| Ok((mv, search.after(&mut rules, mv, -MOST, MOST, Some(depth + 1))?));
        moves.into_iter().map(value).collect()
    }

    /// A good move in a position in which somebody moves: one ply ahead, then two and so on, until the control says stop or
    /// the value is proven.
    pub fn choose<R: Rules>(&self, rules: &R, control: &Control) -> Move {
        with_room(rules.plies(), || self.choose_further(rules.clone(), control))
    }

    fn choose_further<R: Rules>(&self, mut rules: R, control: &Control) -> Move {
        let mut search = self.search(&rules, control, 0);
        let mut moves = Vec::new();
        let (low, high, insight) = rules.survey(-MOST, MOST);
        if self.options.rule_bounds && low < high {
            rules.candidates(insight, &mut moves);
        } else {
            rules.moves(&mut moves);
        }
        let mut ranked: Vec<(i32, Move)> = moves.iter().map(|&mv| (rules.worth(mv), mv)).collect();
        for depth in 1..COMPLETE {
            ranked.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
            if ranked.len() < 2 || usize::from(depth) > rules.plies() {
                break;
            }
            search.estimated = false;
            let (mut best, mut stopped) = (-MOST, false);
            for at in 0..ranked.len() {
                let Ok(value) = search.after(&mut rules, ranked[at].1, best, MOST, Some(depth)) else {
                    stopped = true;
                    // What was better than the favourite of the last round is better; the rest is not known.
                    ranked[at..].iter_mut().for_each(|entry| entry.0 = -MOST);
                    if at == 0 {
                        ranked[0].0 = MOST;
                    }
                    break;
                };
                // A value that is not above the best is a bound, and no reason to prefer the move to one that is before it.
                ranked[at].0 = if value > best { value } else { -MOST + (ranked.len() - at).min(999) as i32 };
                best = best.max(value);
            }
            if stopped || !search.estimated {
                ranked.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
                break;
            }
        }
        ranked.first().map_or(0, |&(_, mv)| rules.step(mv))
    }

    fn search<'a, R: Rules>(&'a self, rules: &R, control: &'a Control, seed: u64) -> Search<'a> {
        let mut history = History::new(rules.slots());
        if seed > 0 {
            // Threads shall not all do the same.
            for slot in 0..rules.slots() {
                let lot = (slot as u64).wrapping_mul(seed.wrapping_mul(0x9e37_79b9) | 1) as i32 & 0xff;
                history.add(false, slot, lot);
                history.add(true, slot, lot);
            }
        }
        Search::new(&self.options, &self.table, control.poller(), history)
    }

    /// The value by questions with two answers: a narrow window cuts more than a wide one saves questions. Each question is
    /// next to the last answer (A. Plaat: *MTD(f)*, 1995), or halves what is possible, beginning near 0.
    fn exact<R: Rules>(&self, search: &mut Search<'_>, rules: &mut R) -> Result<i32, StopReason> {
        if !self.options.narrow_windows {
            return search.value(rules, -MOST, MOST, None);
        }
        let (mut low, mut high) = if self.options.rule_bounds {
            let (low, high, _) = rules.survey(-MOST, MOST);
            (low, high)
        } else {
            (-MOST, MOST)
        };
        let mut guess = rules.guess();
        while low < high {
            let mut middle = low + (high - low) / 2;
            if let Some(guess) = guess {
                middle = guess.clamp(low, high - 1);
            } else if middle <= 0 && low / 2 < middle {
                middle = low / 2;
            } else if middle >= 0 && high / 2 > middle {
                middle = high / 2;
            }
            let value = search.value(rules, middle, middle + 1, None)?;
            if value <= middle {
                (high, guess) = (value, guess.map(|_| value - 1));
            } else {
                (low, guess) = (value, guess.map(|_| value));
            }
        }
        Ok(low)
    }

    /// The value when no more than `depth` plies are looked ahead: first one ply, then two and so on, so that the table
    /// knows good moves.
    fn limited<R: Rules>(&self, search: &mut Search<'_>, rules: &mut R, depth: u8) -> Result<i32, StopReason> {
        let first = if self.options.deepening { 1.min(depth) } else { depth };
        let mut value = 0;
        for depth in first..=depth {
            search.estimated = false;
            value = search.value(rules, -MOST, MOST, Some(depth))?;
            if !search.estimated {
                break;
            }
        }
        Ok(value)
    }

    /// The same search on several threads with one table; the first that is done stops the others.
    fn parallel<R: Rules>(&self, search: &mut Search<'_>, rules: &R, control: &Control) -> Result<i32, StopReason> {
        let done = Interrupt::new();
        let shared = control.with_interrupt(done.clone());
        let found = Mutex::new((None, 0));
        std::thread::scope(|scope| {
            for thread in 0..self.threads {
                let (done, shared, found, mut rules) = (&done, &shared, &found, rules.clone());
                scope.spawn(move || {
                    let (result, nodes) = with_room(rules.plies(), || {
                        let mut search = self.search(&rules, shared, thread as u64);
                        (self.exact(&mut search, &mut rules), search.nodes)
                    });
                    let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    found.1 += nodes;
                    // What the winner interrupts has found nothing.
                    if result.is_ok() || found.0.is_none() && !done.is_triggered() {
                        found.0 = Some(result);
                        done.trigger();
                    }
                });
            }
        });
        let (result, nodes) = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        search.nodes += nodes;
        result.unwrap_or(Err(StopReason::Interrupted))
    }

    /// The mover's value of one move.
    fn of_move<R: Rules>(
        &self,
        search: &mut Search<'_>,
        rules: &mut R,
        mv: Move,
        depth: Option<u8>,
    ) -> Result<i32, StopReason> {
        if depth.is_some() {
            return search.after(rules, mv, -MOST, MOST, depth);
        }
        let mover = rules.mover();
        let (gain, undo) = rules.make(mv);
        let value = match rules.mover() {
            None => Ok(if mover == Some(Side::First) { rules.end() } else { -rules.end() }),
            next => self.exact(search, rules).map(|value| if next == mover { value } else { -value }),
        };
        rules.unmake(mv, undo);
        Ok(value? + gain)
    }

    /// Follows moves that keep the value, to the end of the game or of the plies that are looked ahead.
    fn line<R: Rules>(
        &self,
        search: &mut Search<'_>,
        mut rules: R,
        mut value: i32,
        mut depth: Option<u8>,
        line: &mut Vec<Move>,
    ) -> Result<(), StopReason> {
        let mut moves = Vec::new();
        while let Some(mover) = rules.mover().filter(|_| depth != Some(0)) {
            moves.clear();
            let (low, high, insight) = rules.survey(-MOST, MOST);
            if self.options.rule_bounds && low < high {
                rules.candidates(insight, &mut moves);
            } else {
                rules.moves(&mut moves);
            }
            // What the table thinks best has been found out before.
            let seen = search.remembered_move(&rules);
            moves.sort_by_key(|&mv| (seen != Some(mv), std::cmp::Reverse(rules.worth(mv))));
            let mut keeps =
                |rules: &mut R, mv| search.after(rules, mv, value - 1, value, depth).map(|found| found >= value);
            let mut chosen = None;
            for &mv in &moves {
                if keeps(&mut rules, mv)? {
                    // A candidate may be several moves of the game: the first of them, if it is a good one by itself.
                    let step = rules.step(mv);
                    if step == mv || keeps(&mut rules, step)? {
                        chosen = Some(step);
                    }
                    break;
                }
            }
            if chosen.is_none() {
                moves.clear();
                rules.moves(&mut moves);
                for &mv in &moves {
                    if keeps(&mut rules, mv)? {
                        chosen = Some(mv);
                        break;
                    }
                }
            }
            let Some(mv) = chosen else {
                return Err(StopReason::Contradiction(format!("no move keeps the value {value}")));
            };
            let (gain, _) = rules.make(mv);
            line.push(mv);
            value -= gain;
            if rules.mover().is_some_and(|next| next != mover) {
                value = -value;
            }
            depth = depth.map(|depth| depth - 1);
        }
        Ok(())
    }
}

/// The search is as deep as the game is long. Where that is longer than on usual boards, it runs on a stack of its own.
fn with_room<T: Send>(plies: usize, run: impl FnOnce() -> T + Send) -> T {
    const USUAL: usize = 200;
    const PLY: usize = 16 << 10;
    if plies <= USUAL {
        return run();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size((plies + USUAL) * PLY).spawn_scoped(scope, run);
        let joined = thread.expect("a thread can be started").join();
        joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

//! Games without an affordable normal form, or too wide for bit masks: alpha-beta search on the formula as it stands.
//!
//! Values are three-valued ([`gates`](super::gates)); signs, weights and hashes of what is left come from one pass over
//! the formula at every position. Traces and mustplay follow the rules in [`mustplay`](super::mustplay), which hold for
//! every formula; pairs of dead elements cancel, and in an isotone game all of them do (*Set Colouring Games* 5.4, 5.5).
//! There is no capture, no domination and no strategy here. What is there is enough for formulas that are wide and
//! simple, and the search keeps the limits on all others. Positions wait on a stack of their own: they can be as many as
//! there are elements.
//!
//! A parity of at least two elements is won by whoever makes the last move, under rule `any`: this player spends the dead
//! element, if there is one, as long as two elements are left, and so has the last word on the parity.

use super::gates::{Gates, Live, Survey};
use super::session::{Answer, Kept, Question};
use crate::options::GameOptions;
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Game, Lit, Player, Rule, Var};
use gamesat_core::statistics::Statistics;
use rustc_hash::{FxHashMap, FxHashSet};

/// Of dead elements at most this many are listed as winning moves.
const LISTED: usize = 1 << 16;

/// Colouring a live element, or passing by colouring one on which nothing depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Move {
    Colour(u32, bool),
    Pass,
}

/// What is known about a position.
#[derive(Clone, Debug)]
struct Value {
    winner: Player,
    /// Elements that suffice for the winner, in order.
    trace: Vec<u32>,
    choice: Option<Move>,
}

/// A game that is searched as it stands, with what was found out about it.
pub(super) struct CircuitSearch {
    gates: Gates,
    rule: Rule,
    turn: Player,
    /// Number of uncoloured elements, dead ones included.
    uncoloured: usize,
    survey: Survey,
    table: FxHashMap<(u64, u64), Value>,
    /// Bytes that the table may still take.
    room: usize,
    /// Moves of the session, with the marks to go back to.
    played: Vec<usize>,
}

/// A position that waits for the value of its child.
struct Waiting {
    mark: usize,
    key: (u64, u64),
    /// The move whose child is searched, and whether no other move in its element is better.
    choice: Move,
    rational: bool,
    tried: FxHashSet<Move>,
    /// Elements outside which every move loses, if there is such a set.
    mustplay: Option<Vec<u32>>,
    pass: bool,
    lost: Vec<u32>,
}

impl CircuitSearch {
    /// Takes the formula as it stands.
    ///
    /// # Errors
    /// It is too large to be numbered.
    pub(super) fn new(game: &Game, options: &GameOptions) -> Result<Self, StopReason> {
        let gates = Gates::new(game).ok_or(StopReason::Memory)?;
        Ok(CircuitSearch {
            gates,
            rule: game.rule,
            turn: game.turn,
            uncoloured: game.uncoloured(),
            survey: Survey::new(),
            table: FxHashMap::default(),
            room: options.table << 20,
            played: Vec::new(),
        })
    }

    fn make(&mut self, choice: Move) {
        if let Move::Colour(element, colour) = choice {
            self.gates.colour(element, colour);
        }
        self.turn = !self.turn;
        self.uncoloured -= 1;
    }

    fn take_back(&mut self, mark: usize) {
        self.gates.undo(mark);
        self.turn = !self.turn;
        self.uncoloured += 1;
    }

    /// Whether the formula is monotone in an element as the theory of isotone games wants it.
    fn is_monotone(&self, live: &Live) -> bool {
        match self.rule {
            Rule::Any => !(live.rising && live.falling),
            Rule::Own => !live.falling,
        }
    }

    /// Whether a move is as good for the player to move as any other move in its element and as passing.
    fn is_rational(&self, live: &Live, colour: bool) -> bool {
        self.is_monotone(live) && (live.rising == (colour == self.turn.colour()))
    }

    /// The moves in a live element that count.
    fn colours(&self, live: Live, options: &GameOptions) -> impl Iterator<Item = bool> + use<'_> {
        let narrow = options.rational && self.is_monotone(&live);
        let own = self.turn.colour();
        [own, !own].into_iter().filter(move |&colour| {
            self.rule.allows(self.turn, colour)
                && (!narrow || self.rule == Rule::Own || self.is_rational(&live, colour))
        })
    }

    /// Whether an odd number of dead elements is left, in a game where that counts.
    fn has_star(&self) -> bool {
        let isotone = self.survey.live.iter().all(|live| self.is_monotone(live));
        !isotone && (self.uncoloured - self.survey.live.len()) % 2 == 1
    }

    /// Solves the position, which is as it was afterwards.
    fn solve(&mut self, run: &mut Run<'_>) -> Result<Value, StopReason> {
        let mut waiting: Vec<Waiting> = Vec::new();
        let mut entered = self.enter(run, None);
        loop {
            let value = match entered {
                Err(reason) => {
                    if let Some(first) = waiting.first() {
                        let depth = waiting.len();
                        self.gates.undo(first.mark);
                        self.uncoloured += depth;
                        if depth % 2 == 1 {
                            self.turn = !self.turn;
                        }
                    }
                    return Err(reason);
                }
                Ok(Entered::Open(position)) => {
                    self.make(position.choice);
                    waiting.push(position);
                    entered = self.enter(run, None);
                    continue;
                }
                Ok(Entered::Solved(value)) => value,
            };
            let Some(mut position) = waiting.pop() else { return Ok(value) };
            self.take_back(position.mark);
            if value.winner == self.turn {
                let mut trace = value.trace;
                if let Move::Colour(element, _) = position.choice {
                    insert(&mut trace, element);
                }
                let won = Value { winner: value.winner, trace, choice: Some(position.choice) };
                self.remember(position.key, &won);
                entered = Ok(Entered::Solved(won));
                continue;
            }
            position.lost = union(&position.lost, &value.trace);
            if !position.rational {
                if let Move::Colour(element, _) = position.choice {
                    insert(&mut position.lost, element);
                }
            } else if run.options.mustplay {
                position.pass = false;
                position.mustplay = Some(match position.mustplay {
                    Some(elements) => intersection(&elements, &value.trace),
                    None => value.trace,
                });
            }
            entered = self.enter(run, Some(position));
        }
    }

    /// Looks at the position, or goes on with it after a move was refuted: its value, or the move to try next.
    fn enter(&mut self, run: &mut Run<'_>, again: Option<Waiting>) -> Result<Entered, StopReason> {
        run.nodes += u64::from(again.is_none());
        // The pass over the formula is the work.
        for _ in 0..=(self.gates.elements.len() / 4096).min(256) {
            run.poller.poll(run.nodes)?;
        }
        let solved = |winner| Ok(Entered::Solved(Value { winner, trace: Vec::new(), choice: None }));
        if let Some(value) = self.gates.value() {
            return solved(if value { Player::Max } else { Player::Min });
        }
        // Nothing left to try, and no need to look.
        let is_over = |position: &Waiting| !position.pass && position.mustplay.as_ref().is_some_and(Vec::is_empty);
        if !again.as_ref().is_some_and(is_over) {
            self.gates.survey(&mut self.survey);
        }
        let mut position = match again {
            Some(position) if is_over(&position) => return Ok(Entered::Solved(self.lose(position))),
            Some(position) => position,
            None => {
                let key = self.key();
                if let Some(value) = self.table.get(&key) {
                    run.hits += 1;
                    return Ok(Entered::Solved(value.clone()));
                }
                if let Some(value) = self.last_word() {
                    return Ok(Entered::Solved(value));
                }
                Waiting {
                    mark: self.gates.mark(),
                    key,
                    choice: Move::Pass,
                    rational: true,
                    tried: FxHashSet::default(),
                    mustplay: None,
                    pass: true,
                    lost: Vec::new(),
                }
            }
        };
        let Some((choice, rational)) = self.best(&position, run.options) else {
            return Ok(Entered::Solved(self.lose(position)));
        };
        (position.choice, position.rational) = (choice, rational);
        position.tried.insert(choice);
        Ok(Entered::Open(position))
    }

    /// The value of a position in which every move is refuted.
    fn lose(&mut self, position: Waiting) -> Value {
        let value = Value { winner: !self.turn, trace: position.lost, choice: None };
        self.remember(position.key, &value);
        value
    }

    /// Where the position that was surveyed is filed.
    fn key(&self) -> (u64, u64) {
        let tag = 1 + 2 * u64::from(self.turn == Player::Max) + u64::from(self.has_star());
        let (a, b) = self.survey.hash;
        (a ^ tag.wrapping_mul(0xD6E8_FEB8_6659_FD93), b ^ tag.wrapping_mul(0xA24B_AED4_963E_E407))
    }

    fn remember(&mut self, key: (u64, u64), value: &Value) {
        // The entry itself, its trace, and what the map adds.
        let bytes = 128 + 4 * value.trace.len();
        if self.room >= bytes && self.table.insert(key, value.clone()).is_none() {
            self.room -= bytes;
        }
    }

    /// A parity is won by the last move.
    fn last_word(&self) -> Option<Value> {
        let live = &self.survey.live;
        if !self.survey.parity || live.len() < 2 || self.rule != Rule::Any {
            return None;
        }
        let winner = if self.uncoloured % 2 == 1 { self.turn } else { !self.turn };
        let choice = match winner == self.turn {
            false => None,
            true if self.has_star() => Some(Move::Pass),
            true => Some(Move::Colour(live[0].element, self.turn.colour())),
        };
        Some(Value { winner, trace: live.iter().map(|live| live.element).collect(), choice })
    }

    /// The most promising move that is not tried and not ruled out, and whether it is rational.
    fn best(&self, position: &Waiting, options: &GameOptions) -> Option<(Move, bool)> {
        let mut best: Option<(f64, Move, bool)> = None;
        for live in &self.survey.live {
            if position.mustplay.as_ref().is_some_and(|elements| elements.binary_search(&live.element).is_err()) {
                continue;
            }
            let weight = if options.order { live.weight } else { 0.0 };
            if best.is_some_and(|(most, ..)| most >= weight) {
                continue;
            }
            let choices = self.colours(*live, options).map(|colour| (Move::Colour(live.element, colour), colour));
            if let Some((choice, colour)) = choices.into_iter().find(|(choice, _)| !position.tried.contains(choice)) {
                best = Some((weight, choice, self.is_rational(live, colour)));
            }
        }
        match best {
            Some((_, choice, rational)) => Some((choice, rational)),
            None if position.pass && self.has_star() && !position.tried.contains(&Move::Pass) => {
                Some((Move::Pass, true))
            }
            None => None,
        }
    }

    /// The value of the position after a move.
    fn solve_child(&mut self, choice: Move, run: &mut Run<'_>) -> Result<Value, StopReason> {
        let mark = self.gates.mark();
        self.make(choice);
        let value = self.solve(run);
        self.take_back(mark);
        value
    }

    /// Winner, trace, and one winning move.
    fn one_move(&mut self, run: &mut Run<'_>) -> Result<(Value, Vec<Move>), StopReason> {
        let value = self.solve(run)?;
        let mut moves = Vec::new();
        if value.winner == self.turn && self.uncoloured > 0 {
            // Without a choice the formula is decided, so that every element is dead.
            moves.push(value.choice.unwrap_or(Move::Pass));
        }
        Ok((value, moves))
    }

    /// Winner, trace, and every winning move that counts, or those that were found when the run had to stop.
    fn all_moves(&mut self, run: &mut Run<'_>) -> Result<(Value, Vec<Move>), StopReason> {
        let mut choices: Vec<(Move, bool)> = Vec::new();
        let decided = self.gates.value().map(|value| if value { Player::Max } else { Player::Min });
        if decided.is_none() {
            self.gates.survey(&mut self.survey);
            let rational = &GameOptions { rational: true, ..run.options.clone() };
            for live in &self.survey.live {
                for colour in self.colours(*live, rational) {
                    choices.push((Move::Colour(live.element, colour), self.is_rational(live, colour)));
                }
            }
        }
        let live = if decided.is_none() { self.survey.live.len() } else { 0 };
        if self.uncoloured > live {
            choices.push((Move::Pass, true));
        }
        let mut mustplay: Option<Vec<u32>> = None;
        let (mut won, mut lost, mut moves) = (None, Vec::new(), Vec::new());
        let total = choices.len() as u64;
        for (done, (choice, rational)) in choices.into_iter().enumerate() {
            run.control.progress().set_steps(done as u64, total);
            let allowed = match (choice, &mustplay) {
                (_, None) => true,
                (Move::Colour(element, _), Some(elements)) => elements.binary_search(&element).is_ok(),
                (Move::Pass, Some(_)) => false,
            };
            if !allowed {
                continue;
            }
            let value = match self.solve_child(choice, run) {
                Ok(value) => value,
                // A player with a winning move wins.
                Err(reason) if won.is_some() => {
                    run.unlisted = Some(reason);
                    break;
                }
                Err(reason) => return Err(reason),
            };
            if value.winner == self.turn {
                moves.push(choice);
                won.get_or_insert_with(|| {
                    let mut trace = value.trace;
                    if let Move::Colour(element, _) = choice {
                        insert(&mut trace, element);
                    }
                    trace
                });
                continue;
            }
            lost = union(&lost, &value.trace);
            if let (false, Move::Colour(element, _)) = (rational, choice) {
                insert(&mut lost, element);
            } else if run.options.mustplay {
                mustplay = Some(match mustplay {
                    Some(elements) => intersection(&elements, &value.trace),
                    None => value.trace,
                });
            }
        }
        let value = match (decided, won) {
            (Some(winner), _) => Value { winner, trace: Vec::new(), choice: None },
            (None, Some(trace)) => Value { winner: self.turn, trace, choice: None },
            (None, None) => Value { winner: !self.turn, trace: lost, choice: None },
        };
        Ok((value, moves))
    }

    /// The dead elements, of the formula and outside it, in the mover's colour.
    fn dead<'s>(&'s mut self, game: &'s Game) -> impl Iterator<Item = Lit> + use<'s> {
        let mut taken: FxHashSet<Var> = game.played().iter().map(|lit| lit.var()).collect();
        if self.gates.value().is_none() {
            self.gates.survey(&mut self.survey);
            taken.extend(self.survey.live.iter().map(|live| self.gates.elements[live.element as usize]));
        }
        let free = (0..game.elements()).map(Var::from_index).filter(move |var| !taken.contains(var));
        free.map(|var| var.lit(game.turn.colour()))
    }
}

/// What a question carries through the search.
struct Run<'a> {
    options: &'a GameOptions,
    control: &'a Control,
    poller: Poller<'a>,
    nodes: u64,
    hits: u64,
    /// Why some moves of the first position were not looked at.
    unlisted: Option<StopReason>,
}

enum Entered {
    Solved(Value),
    Open(Waiting),
}

impl Kept for CircuitSearch {
    fn play(&mut self, lit: Lit) {
        self.played.push(self.gates.mark());
        let choice = self.gates.element(lit.var()).map_or(Move::Pass, |e| Move::Colour(e, lit.is_positive()));
        self.make(choice);
    }

    fn undo(&mut self) {
        if let Some(mark) = self.played.pop() {
            self.take_back(mark);
        }
    }

    fn answer(
        &mut self,
        game: &Game,
        question: Question,
        options: &GameOptions,
        control: &Control,
    ) -> Result<Answer, StopReason> {
        let mut run = Run { options, control, poller: control.poller(), nodes: 0, hits: 0, unlisted: None };
        let (value, found) = if question.all_moves { self.all_moves(&mut run)? } else { self.one_move(&mut run)? };
        let mut moves: Vec<Lit> = Vec::new();
        let mut omitted = 0;
        for choice in found {
            match choice {
                Move::Colour(element, colour) => moves.push(self.gates.elements[element as usize].lit(colour)),
                Move::Pass if question.all_moves => {
                    let before = moves.len();
                    moves.extend(self.dead(game).take(LISTED));
                    let live = if self.gates.value().is_none() { self.survey.live.len() } else { 0 };
                    omitted = self.uncoloured - live - (moves.len() - before);
                }
                Move::Pass => moves.extend(self.dead(game).next()),
            }
        }
        moves.sort_unstable();
        let why = "positions without normal forms are not played out";
        let mut statistics = Statistics::default();
        statistics.add("nodes", run.nodes);
        statistics.add("elements", self.gates.elements.len() as u64);
        statistics.add("table_hits", run.hits);
        statistics.add("table_entries", self.table.len() as u64);
        Ok(Answer {
            winner: value.winner,
            variation: moves.first().copied().into_iter().collect(),
            moves,
            omitted,
            unlisted: run.unlisted,
            trace: value.trace.iter().map(|&element| self.gates.elements[element as usize]).collect(),
            strategy: question.strategy.then(|| Err(StopReason::Unsupported(why.to_owned()))),
            unshrunk: None,
            statistics,
        })
    }
}

fn insert(set: &mut Vec<u32>, element: u32) {
    if let Err(place) = set.binary_search(&element) {
        set.insert(place, element);
    }
}

fn union(one: &[u32], two: &[u32]) -> Vec<u32> {
    let mut all: Vec<u32> = one.iter().chain(two).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn intersection(one: &[u32], two: &[u32]) -> Vec<u32> {
    one.iter().copied().filter(|element| two.binary_search(element).is_ok()).collect()
}

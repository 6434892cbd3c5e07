//! Selection functions: the readable reference for games and quantifiers.
//!
//! A selection function is given a judge of candidates and picks one of them; its *quantifier* is the judgement of the one
//! it picks. With Boolean judgements these are the quantifiers of logic, [`any_true`] is "exists" and [`any_false`] is "for
//! all"; with scores they are the players of a game. A game is a [`Plan`] that says for each history whose turn it is to
//! select from which moves; its value and best play are the product of these selection functions over the judge at the end.
//! (M. Escardó, P. Oliva: *Selection functions, bar recursion and backward induction*, 2010; J. Hartmann: *Finding optimal
//! strategies in sequential games with the novel selection monad*, 2018.)
//!
//! Here a selection returns the candidate *and* its judgement, and judgements of histories carry the rest of the play along
//! ([`Play`]); so nothing is evaluated twice, where the textbook product searches the chosen move anew at every level.
//!
//! Every quantified formula is such a game:
//!
//! ```
//! use gamesat_games::selection::{Selection, any_false, any_true, play};
//!
//! // For all x there is a y that is equal to it.
//! let plan = |history: &[bool]| match history.len() {
//!     0 => Some(any_false(vec![false, true])),
//!     1 => Some(any_true(vec![false, true])),
//!     _ => None,
//! };
//! let equal = play(&plan, &|history: &[bool]| history[0] == history[1]);
//! assert!(equal.value);
//! ```
//!
//! So is a game for two. Connect Three on 4x3 after four stones, by outcome and plies: X wins with the ninth stone.
//!
//! ```
//! use gamesat_core::rules::Side;
//! use gamesat_core::rules::sequential::Connect;
//! use gamesat_games::selection::{Selection, parallel_tuple_max, parallel_tuple_min, play_after};
//!
//! let after = |columns: &[u16]| {
//!     let mut board = Connect::new(4, 3, 3).unwrap();
//!     columns.iter().for_each(|&column| board.play(column));
//!     board
//! };
//! let plan = |history: &[u16]| {
//!     let board = after(history);
//!     Some(match board.mover()? {
//!         Side::First => parallel_tuple_max(board.moves()),
//!         Side::Second => parallel_tuple_min(board.moves()),
//!     })
//! };
//! let outcome = |history: &[u16]| {
//!     let won = |side| i32::from(after(history).has_line(side));
//!     (won(Side::First) - won(Side::Second), history.len() as u32)
//! };
//! let rest = play_after(&[1, 2, 1, 1], &plan, &outcome);
//! assert_eq!((rest.value, rest.moves.len()), ((1, 9), 5));
//! ```
//!
//! And so is a puzzle for one, who only needs to find what fits: a Sudoku with four gaps.
//!
//! ```
//! use gamesat_core::rules::Sudoku;
//! use gamesat_games::selection::{Selection, any_true, play};
//!
//! let gaps = [1, 4, 7, 11];
//! let plan = |history: &[u8]| (history.len() < gaps.len()).then(|| any_true(vec![1, 2, 3, 4]));
//! let filled = play(&plan, &|digits: &[u8]| {
//!     let mut cells = vec![1, 0, 3, 4, 0, 4, 1, 0, 2, 1, 4, 0, 4, 3, 2, 1];
//!     gaps.iter().zip(digits).for_each(|(&gap, &digit)| cells[gap] = digit);
//!     Sudoku::new(cells).unwrap().is_solved()
//! });
//! assert!(filled.value);
//! assert_eq!(filled.moves, [2, 3, 2, 3]);
//! ```
//!
//! Mini-chess ends when a king is taken: White's rook mates, and takes the king two plies later.
//!
//! ```
//! use gamesat_core::Problem;
//! use gamesat_format::{ReadOptions, read};
//! use gamesat_core::rules::Side;
//! use gamesat_games::selection::{Selection, max, min, play};
//!
//! let text = "minichess 6k1/8/6K1/8/8/8/8/R7 w 3";
//! let Problem::Sequential(start) = read(&mut text.as_bytes(), "text", &ReadOptions::default()).unwrap().problem else {
//!     unreachable!("it is a game with an order")
//! };
//! let after = |history: &[u16]| {
//!     let mut game = start.clone();
//!     for &mv in history {
//!         game.play(mv);
//!     }
//!     game
//! };
//! let plan = |history: &[u16]| {
//!     let game = after(history);
//!     Some(if game.mover()? == Side::First { max(game.moves()) } else { min(game.moves()) })
//! };
//! // The end counts for whoever would move then.
//! let outcome = |history: &[u16]| after(history).end() * if history.len() % 2 == 0 { 1 } else { -1 };
//! let mate = play(&plan, &outcome);
//! assert_eq!((start.told(mate.value), start.move_name(mate.moves[0])), (3, "a1a8".to_owned()));
//! ```

#[cfg(feature = "rayon")]
use rayon::prelude::*;
use std::cmp::Ordering;

/// A judge of candidates.
pub type Judge<'j, X, R> = &'j (dyn Fn(&X) -> R + Sync + 'j);

/// A judgement: something with a value, and perhaps more.
pub trait Outcome {
    /// The value by which it is compared.
    type Value: Copy + Ord;

    /// The value.
    fn value(&self) -> Self::Value;
}

macro_rules! plain_outcomes {
    ($($type:ty),*) => {$(
        impl Outcome for $type {
            type Value = $type;

            fn value(&self) -> $type {
                *self
            }
        }
    )*};
}

plain_outcomes!(bool, i8, i16, i32, i64, (i32, u32));

/// A value and the play that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play<X, R> {
    /// The value of the end of the play.
    pub value: R,
    /// The moves, from the history in question to the end.
    pub moves: Vec<X>,
}

impl<X, R: Outcome> Outcome for Play<X, R> {
    type Value = R::Value;

    fn value(&self) -> R::Value {
        self.value.value()
    }
}

/// A selection function.
pub trait Selection<X, R> {
    /// Picks a candidate; returns it with its judgement.
    fn select(&self, judge: Judge<'_, X, R>) -> (X, R);

    /// What the judge says of the candidate that is picked.
    fn quantify(&self, judge: Judge<'_, X, R>) -> R {
        self.select(judge).1
    }
}

impl<X, R, F: Fn(Judge<'_, X, R>) -> (X, R)> Selection<X, R> for F {
    fn select(&self, judge: Judge<'_, X, R>) -> (X, R) {
        self(judge)
    }
}

/// Picks this, whatever the judge says.
pub fn unit<X: Clone, R>(candidate: X) -> impl Fn(Judge<'_, X, R>) -> (X, R) {
    move |judge| {
        let judgement = judge(&candidate);
        (candidate.clone(), judgement)
    }
}

/// Picks what `map` makes of a candidate, by what the judge says of that.
pub fn mapped<X, Y, R>(
    selection: impl Selection<X, R>,
    map: impl Fn(&X) -> Y + Sync,
) -> impl Fn(Judge<'_, Y, R>) -> (Y, R) {
    move |judge| {
        let (candidate, judgement) = selection.select(&|candidate| judge(&map(candidate)));
        (map(&candidate), judgement)
    }
}

/// Picks a pair: the first by a selection that foresees what the second, which may depend on it, will pick.
#[allow(clippy::type_complexity)] // the shape of a selection of pairs
pub fn product<X, Y, R, T>(
    first: impl Selection<X, Play<Y, R>>,
    second: impl Fn(&X) -> T + Sync,
) -> impl Fn(Judge<'_, (X, Y), R>) -> ((X, Y), R)
where
    X: Clone + Sync,
    Y: Clone,
    T: Selection<Y, R>,
{
    move |judge| {
        let foreseen = |one: &X| {
            let (two, value) = second(one).select(&|two: &Y| judge(&(one.clone(), two.clone())));
            Play { value, moves: vec![two] }
        };
        let (one, Play { value, mut moves }) = first.select(&foreseen);
        let two = moves.remove(0);
        ((one, two), value)
    }
}

/// Who selects after a history: `None` at the end of the game.
pub trait Plan<X, R>: Fn(&[X]) -> Option<Self::Selection> + Sync {
    /// The selection functions of the game.
    type Selection: Selection<X, Play<X, R>>;
}

impl<X, R, S: Selection<X, Play<X, R>>, F: Fn(&[X]) -> Option<S> + Sync> Plan<X, R> for F {
    type Selection = S;
}

/// The best play of a whole game and its value: the product of the selection functions of all histories.
///
/// The recursion is as deep as the game.
pub fn play<X: Clone + Sync, R>(plan: &impl Plan<X, R>, outcome: &(impl Fn(&[X]) -> R + Sync)) -> Play<X, R> {
    play_after(&[], plan, outcome)
}

/// The best play from a history on, and its value. Its first move is the next one.
pub fn play_after<X: Clone + Sync, R>(
    history: &[X],
    plan: &impl Plan<X, R>,
    outcome: &(impl Fn(&[X]) -> R + Sync),
) -> Play<X, R> {
    let Some(selection) = plan(history) else {
        return Play { value: outcome(history), moves: Vec::new() };
    };
    let (chosen, mut play) = selection.select(&|candidate: &X| {
        let mut longer = Vec::with_capacity(history.len() + 1);
        longer.extend_from_slice(history);
        longer.push(candidate.clone());
        play_after(&longer, plan, outcome)
    });
    play.moves.insert(0, chosen);
    play
}

/// Whether the least or the greatest is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Min,
    Max,
}

/// By any order of values.
#[derive(Clone, Copy, Debug)]
pub struct Generic;
/// By loss, draw and win, stopping at the best there can be.
#[derive(Clone, Copy, Debug)]
pub struct Three;
/// By truth, stopping at the first that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Boolean;
/// By outcome and number of plies: quick wins, slow losses.
#[derive(Clone, Copy, Debug)]
pub struct Tuple;
/// Like [`Generic`], all candidates at once.
#[derive(Clone, Copy, Debug)]
pub struct ParallelGeneric;
/// Like [`Tuple`], all candidates at once.
#[derive(Clone, Copy, Debug)]
pub struct ParallelTuple;

/// A selection from a list of candidates, of one of the six families. It panics if the list is empty.
#[derive(Clone, Debug)]
pub struct Choice<X, F> {
    candidates: Vec<X>,
    goal: Goal,
    _family: F,
}

macro_rules! families {
    ($($(#[$doc:meta])* $name:ident = $goal:ident, $family:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name<X>(candidates: Vec<X>) -> Choice<X, $family> {
            Choice { candidates, goal: Goal::$goal, _family: $family }
        }
    )*};
}

families! {
    /// The first of the least.
    min = Min, Generic;
    /// The last of the greatest.
    max = Max, Generic;
    /// The first of value -1; else the first of value 0; else the last.
    three_min = Min, Three;
    /// The first of value 1; else the first of value 0; else the last.
    three_max = Max, Three;
    /// The first that is false, else the last: "for all".
    any_false = Min, Boolean;
    /// The first that is true, else the last: "exists".
    any_true = Max, Boolean;
    /// By outcome and plies: the quickest of the least outcome, or the slowest if that is a win of the other side.
    tuple_min = Min, Tuple;
    /// By outcome and plies: the quickest of the greatest outcome, or the slowest if that is a win of the other side.
    tuple_max = Max, Tuple;
    /// The first of the least, all judged at once.
    parallel_min = Min, ParallelGeneric;
    /// The last of the greatest, all judged at once.
    parallel_max = Max, ParallelGeneric;
    /// [`tuple_min`], all judged at once.
    parallel_tuple_min = Min, ParallelTuple;
    /// [`tuple_max`], all judged at once.
    parallel_tuple_max = Max, ParallelTuple;
}

impl<X: Clone, F> Choice<X, F> {
    /// Every candidate with its judgement.
    fn judged<R>(&self, judge: Judge<'_, X, R>) -> Vec<R> {
        self.candidates.iter().map(judge).collect()
    }

    /// The same on all processors, in a build with the feature `rayon`.
    fn judged_at_once<R: Send>(&self, judge: Judge<'_, X, R>) -> Vec<R>
    where
        X: Sync,
    {
        #[cfg(feature = "rayon")]
        return self.candidates.par_iter().map(judge).collect();
        #[cfg(not(feature = "rayon"))]
        self.judged(judge)
    }

    /// The candidate of this number among its judgements.
    fn taken<R>(&self, at: usize, judgements: Vec<R>) -> (X, R) {
        let judgement = judgements.into_iter().nth(at);
        (self.candidates[at].clone(), judgement.unwrap_or_else(|| unreachable!("every candidate is judged")))
    }

    /// The first whose rank is 2, else the first of the greatest rank above 0, else the last.
    fn first_of<R>(&self, judge: Judge<'_, X, R>, rank: impl Fn(&R) -> u8) -> (X, R) {
        let mut kept: Option<(usize, u8, R)> = None;
        for (at, candidate) in self.candidates.iter().enumerate() {
            let judgement = judge(candidate);
            let rank = rank(&judgement);
            if kept.as_ref().is_none_or(|&(_, before, _)| rank > before || rank == 0 && before == 0) {
                kept = Some((at, rank, judgement));
            }
            if rank == 2 {
                break;
            }
        }
        let (at, _, judgement) = kept.expect("there is a candidate");
        (self.candidates[at].clone(), judgement)
    }

    /// The number of the first of the least values, or of the last of the greatest.
    fn extreme<V: Ord>(&self, values: impl Iterator<Item = V>) -> usize {
        let numbered = values.enumerate();
        let by = |one: &(usize, V), two: &(usize, V)| -> Ordering { one.1.cmp(&two.1) };
        let found = match self.goal {
            Goal::Min => numbered.min_by(by),
            Goal::Max => numbered.max_by(by),
        };
        found.expect("there is a candidate").0
    }

    /// The number of the best by outcome and plies.
    fn best_tuple(&self, values: &[(i32, u32)]) -> usize {
        let best = match self.goal {
            Goal::Min => values.iter().map(|value| value.0).min(),
            Goal::Max => values.iter().map(|value| value.0).max(),
        };
        let best = best.expect("there is a candidate");
        let lost = match self.goal {
            Goal::Min => best > 0,
            Goal::Max => best < 0,
        };
        let equals = values.iter().enumerate().filter(|(_, value)| value.0 == best);
        let found =
            if lost { equals.max_by_key(|(_, value)| value.1) } else { equals.min_by_key(|(_, value)| value.1) };
        found.expect("one has the best outcome").0
    }
}

impl<X: Clone, R: Outcome> Selection<X, R> for Choice<X, Generic> {
    fn select(&self, judge: Judge<'_, X, R>) -> (X, R) {
        let judgements = self.judged(judge);
        self.taken(self.extreme(judgements.iter().map(Outcome::value)), judgements)
    }
}

impl<X: Clone, R: Outcome<Value = i32>> Selection<X, R> for Choice<X, Three> {
    fn select(&self, judge: Judge<'_, X, R>) -> (X, R) {
        let sign = if self.goal == Goal::Max { 1 } else { -1 };
        self.first_of(judge, |judgement| (judgement.value().signum() * sign + 1) as u8)
    }
}

impl<X: Clone, R: Outcome<Value = bool>> Selection<X, R> for Choice<X, Boolean> {
    fn select(&self, judge: Judge<'_, X, R>) -> (X, R) {
        self.first_of(judge, |judgement| if judgement.value() == (self.goal == Goal::Max) { 2 } else { 0 })
    }
}

impl<X: Clone, R: Outcome<Value = (i32, u32)>> Selection<X, R> for Choice<X, Tuple> {
    fn select(&self, judge: Judge<'_, X, R>) -> (X, R) {
        let judgements = self.judged(judge);
        let values: Vec<(i32, u32)> = judgements.iter().map(Outcome::value).collect();
        self.taken(self.best_tuple(&values), judgements)
    }
}

impl<X: Clone + Sync, R: Outcome + Send> Selection<X, R> for Choice<X, ParallelGeneric> {
    fn select(&self, judge: Judge<'_, X, R>) -> (X, R) {
        let judgements = self.judged_at_once(judge);
        self.taken(self.extreme(judgements.iter().map(Outcome::value)), judgements)
    }
}

impl<X: Clone + Sync, R: Outcome<Value = (i32, u32)> + Send> Selection<X, R> for Choice<X, ParallelTuple> {
    fn select(&self, judge: Judge<'_, X, R>) -> (X, R) {
        let judgements = self.judged_at_once(judge);
        let values: Vec<(i32, u32)> = judgements.iter().map(Outcome::value).collect();
        self.taken(self.best_tuple(&values), judgements)
    }
}

//! Dominoes: the midway player, who weighs what a play scores against the best reply, the smart player, who also finishes
//! and blocks, and the player who guesses the other hand and searches.
//!
//! None of them looks at the other hand: they know their own, the table, the scores and how many tiles the other side holds.
//! (After S. Taseff. The weight of a reply is what the published rates need, a penalty.)

use super::{Lots, Player};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::rules::Side;
use gamesat_core::rules::sequential::dominoes::{End, Round, Row, Tile, average_pip, double_six};
use gamesat_core::rules::sequential::{Dominoes, Move, Sequential};
use gamesat_games::options::SequentialOptions;
use gamesat_games::sequential::Session;

/// What a side may know.
struct View<'a> {
    me: Side,
    hand: &'a [Tile],
    row: &'a Row,
    own: u32,
    other: u32,
    target: u32,
    /// How many tiles the other side holds.
    held: usize,
}

impl<'a> View<'a> {
    fn of(game: &'a Sequential) -> Result<(&'a Dominoes, Self), StopReason> {
        let Sequential::Dominoes(round) = game else {
            return Err(StopReason::Unsupported("this player plays dominoes".to_owned()));
        };
        let me = round.turn();
        let view = View {
            me,
            hand: round.hand(me),
            row: round.row(),
            own: round.score(me),
            other: round.score(!me),
            target: round.target(),
            held: round.hand(!me).len(),
        };
        Ok((round, view))
    }

    /// Tiles that the other side may hold.
    fn unseen(&self) -> Vec<Tile> {
        self.row.unseen(self.hand, &double_six(), self.me, true)
    }

    /// The play with the best score, less the weight times the best reply.
    fn midway(&self, weight: f64) -> Option<(Tile, End)> {
        let unseen = self.unseen();
        let mut best: Option<(f64, Tile, End)> = None;
        for &tile in self.hand {
            let Some((end, score)) = self.row.best_end(tile) else { continue };
            let Some(row) = self.row.play(self.me, tile, end) else { continue };
            let reply = row.best_response(&unseen).map_or(0, |(_, _, score)| score);
            let value = f64::from(score) - weight * f64::from(reply);
            if best.is_none_or(|(most, _, _)| value > most) {
                best = Some((value, tile, end));
            }
        }
        best.map(|(_, tile, end)| (tile, end))
    }

    /// Finishing near the target, blocking near the other one's, and the midway otherwise.
    fn smart(&self) -> Option<(Tile, End)> {
        let blocking = || self.row.blocking(self.hand, &double_six(), self.me, true);
        let target = f64::from(self.target);
        if f64::from(self.own) + average_pip(self.hand) * 2.1 >= target {
            return self.row.winning(self.hand, self.own, self.target).or_else(blocking);
        }
        if f64::from(self.other) + average_pip(&self.unseen()) * 0.3 >= target {
            return blocking();
        }
        self.midway(WEIGHT)
    }
}

/// What a point of the best reply counts against one's own.
const WEIGHT: f64 = 0.2;

/// A play as a move, or the only move there is.
fn as_move(round: &Dominoes, play: Option<(Tile, End)>) -> Move {
    let moves = round.moves();
    let wanted = play.and_then(|(tile, end)| Dominoes::move_of(tile, end));
    // On an empty table there is one end.
    let wanted = wanted.map(|mv| if moves.contains(&mv) { mv } else { mv & !1 });
    wanted.filter(|mv| moves.contains(mv)).or(moves.first().copied()).unwrap_or_default()
}

pub(super) struct Midway;

impl Player for Midway {
    fn choose(&mut self, game: &Sequential, _: &Control) -> Result<Move, StopReason> {
        let (round, view) = View::of(game)?;
        Ok(as_move(round, view.midway(WEIGHT)))
    }
}

pub(super) struct Smart;

impl Player for Smart {
    fn choose(&mut self, game: &Sequential, _: &Control) -> Result<Move, StopReason> {
        let (round, view) = View::of(game)?;
        Ok(as_move(round, view.smart()))
    }
}

/// Guesses the other hand some times, looks a few plies ahead in each of these rounds, and plays what is best on average.
pub(super) struct Guesser {
    lots: Lots,
    options: SequentialOptions,
}

/// How many hands are guessed, how many plies are looked ahead behind each move, and what the game is worth.
const GUESSES: usize = 16;
const DEPTH: u8 = 2;
const BONUS: i32 = 30;

impl Guesser {
    pub(super) fn new(seed: u64) -> Self {
        let mut options = SequentialOptions::default();
        // A few plies meet no position twice.
        (options.seen_positions, options.move_history) = (false, false);
        Guesser { lots: Lots::new(seed), options }
    }
}

impl Player for Guesser {
    fn choose(&mut self, game: &Sequential, control: &Control) -> Result<Move, StopReason> {
        let (round, view) = View::of(game)?;
        let moves = round.moves();
        if let [only] = moves[..] {
            return Ok(only);
        }
        let mut unseen = view.unseen();
        // Knocks may say more than there is left to say, if the row was written by somebody who does not know them.
        if unseen.len() < view.held {
            return Ok(as_move(round, view.smart()));
        }
        let mut sums = vec![0i64; moves.len()];
        let own = Round::new(round, BONUS);
        let session = Session::new(&own, &self.options, 1);
        for _ in 0..GUESSES {
            self.lots.shuffle(&mut unseen);
            let guess = own.clone().with_hand(!view.me, &unseen[..view.held]);
            for (mv, value) in session.values(&guess, DEPTH, control)? {
                if let Some(at) = moves.iter().position(|&other| other == mv) {
                    sums[at] += i64::from(value);
                }
            }
        }
        let best = (0..moves.len()).rev().max_by_key(|&at| sums[at]).unwrap_or(0);
        Ok(moves[best])
    }
}

//! Games with an order: what they pay depends on the order of the moves, a mover may move again, there are draws and scores.
//!
//! [`Rules`] is what the search of such games needs to know, one file per game. A move has a *gain*, points that its player
//! has at once, and a game has an *end*, points that the first player has when nobody moves any more. The value of a position
//! is what the player to move wins from here on: the greatest, over all moves, of the gain and what the position behind it
//! is worth, which is the mover's value if he moves again and its negative if the other one does. So the sign never turns
//! by itself, only with the mover, and what was won before is no part of a position.

pub mod chains;
mod columns;
pub mod connect;
pub mod dominoes;
pub mod dots;
pub mod endgame;
pub mod minichess;
mod stones;
pub mod strings;
mod word;

pub use connect::Connect;
pub use dominoes::Dominoes;
pub use dots::Dots;
pub use minichess::MiniChess;

use super::Side;
use std::fmt;

/// A move, numbered from 0 by its game.
pub type Move = u16;

/// The largest value, positive or negative, that a game may have.
pub const MOST: i32 = 30_000;

/// What identifies a position: equal for positions of equal value, and different for others but for a chance of one in
/// 2^64 at least, where a position does not fit into a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Where to look for it: well mixed.
    pub place: u64,
    /// How to recognise it there.
    pub check: u64,
}

/// Where a position is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// What identifies it.
    pub key: Key,
    /// Whether the game is so near to its end that a search of the rest takes no longer than the way to the main memory.
    pub near: bool,
}

/// A game with an order.
pub trait Rules: Clone + Send + Sync + PartialEq + fmt::Debug {
    /// What [`unmake`](Self::unmake) needs to know.
    type Undo: Copy;
    /// What [`survey`](Self::survey) has found out and [`candidates`](Self::candidates) can use.
    type Insight: Copy;

    /// Who moves; `None` when the game is over.
    fn mover(&self) -> Option<Side>;

    /// Appends every legal move: at least one if somebody moves.
    fn moves(&self, moves: &mut Vec<Move>);

    /// Makes a legal move. Returns what its player gains at once.
    fn make(&mut self, mv: Move) -> (i32, Self::Undo);

    /// Takes the last move back: the position is exactly as before.
    fn unmake(&mut self, mv: Move, undo: Self::Undo);

    /// What the first player has from the end of the game, beyond all gains. Only asked when the game is over.
    fn end(&self) -> i32;

    /// No line from here is longer than this.
    fn plies(&self) -> usize;

    /// Bytes that grow with the way from the position that was asked about to this one.
    fn carried(&self) -> usize {
        0
    }

    /// The position's key.
    fn key(&self) -> Key;

    /// A key of all positions that are the same to the game up to its symmetries, and which symmetry leads from here to the
    /// position whose moves are kept; 0 is none.
    fn canonical(&self) -> (Key, u8) {
        (self.key(), 0)
    }

    /// Whether the game is so near to its end that a search of the rest takes no longer than the way to the main memory.
    fn is_near(&self) -> bool {
        false
    }

    /// The place of the position behind a move that gains nothing and passes the turn, if it is known without making the move;
    /// of its least image if `canonical` is set.
    fn place_behind(&self, _mv: Move, _canonical: bool) -> Option<Place> {
        None
    }

    /// Whether the position is worth a place in the table. One that is not has no key.
    fn is_memorable(&self) -> bool {
        true
    }

    /// What a move is in an image of the position.
    fn image_move(&self, mv: Move, image: u8) -> Move;

    /// What a move of an image is in the position.
    fn own_move(&self, mv: Move, image: u8) -> Move;

    /// Proven bounds of the value, the lower one first, which need to be no sharper than the window between `alpha` and `beta`
    /// asks for. Equal bounds are the value.
    fn survey(&self, alpha: i32, beta: i32) -> (i32, i32, Self::Insight);

    /// Appends moves, one of which is as good as any, given what a [`survey`](Self::survey) of this position, one that left
    /// its bounds apart, has found.
    fn candidates(&self, insight: Self::Insight, moves: &mut Vec<Move>);

    /// Bounds of the value of the whole game, drawn together to values that it can have.
    fn possible(&self, least: i32, greatest: i32) -> (i32, i32) {
        (least, greatest)
    }

    /// A value to which most positions are close: it is looked for from there on, step by step. Without one the range of
    /// possible values is halved again and again.
    fn guess(&self) -> Option<i32> {
        None
    }

    /// A move is worth no more than this.
    fn promise(&self, _mv: Move) -> i32 {
        MOST
    }

    /// The move of the game with which a candidate begins, where one stands for several.
    fn step(&self, mv: Move) -> Move {
        mv
    }

    /// How promising a move looks: the greater, the earlier it is tried.
    fn worth(&self, _mv: Move) -> i32 {
        0
    }

    /// Where the history of a move is kept, less than [`slots`](Self::slots): the same for moves that mean the same.
    fn slot(&self, mv: Move) -> usize {
        usize::from(mv)
    }

    /// Number of slots.
    fn slots(&self) -> usize;

    /// What the position looks like, for the mover, where a search of limited depth must stop.
    fn estimate(&self) -> i32 {
        0
    }
}

/// Whoever treats positions of all games alike.
pub trait Visitor {
    /// What comes out.
    type Output;

    /// Treats a position.
    fn visit<R: Rules>(self, rules: R) -> Self::Output;
}

/// A position of one of the games with an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sequential {
    /// So many in a line, stones fall to the bottom of their column.
    Connect(Connect),
    /// Dots-and-Boxes, or Strings-and-Coins on a graph.
    Dots(Dots),
    /// Mini-chess.
    MiniChess(MiniChess),
    /// A round of dominoes, both hands on the table.
    Dominoes(Dominoes),
}

/// Why a move cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// There is no such move.
    #[error("there is no move '{0}'")]
    Unknown(String),
    /// The rules do not allow it now.
    #[error("'{0}' is not allowed here")]
    Illegal(String),
}

impl Sequential {
    /// The word that begins the text form of the game.
    pub fn word(&self) -> &'static str {
        match self {
            Sequential::Dots(dots) => {
                if dots.grid().is_some() {
                    "dots"
                } else {
                    "coins"
                }
            }
            Sequential::MiniChess(_) => "minichess",
            Sequential::Dominoes(_) => "dominoes",
            Sequential::Connect(_) => "connect",
        }
    }

    /// Who moves; `None` when the game is over.
    pub fn mover(&self) -> Option<Side> {
        match self {
            Sequential::Dots(dots) => dots.mover(),
            Sequential::MiniChess(chess) => chess.mover(),
            Sequential::Dominoes(round) => round.mover(),
            Sequential::Connect(connect) => connect.mover(),
        }
    }

    /// What a side is called.
    pub fn side_name(&self, side: Side) -> &'static str {
        match (self, side) {
            (Sequential::Dots(_), Side::First) => "A",
            (Sequential::Dots(_), Side::Second) => "B",
            (Sequential::MiniChess(_), Side::First) => "white",
            (Sequential::MiniChess(_), Side::Second) => "black",
            (Sequential::Dominoes(_), Side::First) => "A",
            (Sequential::Dominoes(_), Side::Second) => "B",
            (Sequential::Connect(_), Side::First) => "X",
            (Sequential::Connect(_), Side::Second) => "O",
        }
    }

    /// What has to be known before a player can move, if something has; such a position has no value.
    pub fn missing(&self) -> Option<&'static str> {
        match self {
            Sequential::Dominoes(round) if round.is_undealt() => {
                Some("nothing was dealt: the tiles of both hands are missing, lines 'first' and 'second'")
            }
            _ => None,
        }
    }

    /// Every legal move.
    pub fn moves(&self) -> Vec<Move> {
        match self {
            Sequential::Dots(dots) => dots.moves(),
            Sequential::MiniChess(chess) => chess.moves(),
            Sequential::Dominoes(round) => round.moves(),
            Sequential::Connect(connect) => connect.moves(),
        }
    }

    /// Numbers of moves are less than this.
    pub fn move_count(&self) -> usize {
        match self {
            Sequential::Dots(dots) => dots.strings().len(),
            Sequential::MiniChess(_) => 64 * 64,
            Sequential::Dominoes(_) => 57,
            Sequential::Connect(connect) => connect.columns(),
        }
    }

    /// What a move is called.
    pub fn move_name(&self, mv: Move) -> String {
        match self {
            Sequential::Dots(dots) => dots.move_name(mv),
            Sequential::MiniChess(_) => MiniChess::move_name(mv),
            Sequential::Dominoes(_) => Dominoes::move_name(mv),
            Sequential::Connect(_) => (mv + 1).to_string(),
        }
    }

    /// The names of the moves in a word: in Connect-k of at most nine columns each digit is one, as solvers of Connect Four
    /// write a line of play.
    pub fn names_in<'a>(&self, word: &'a str) -> Vec<&'a str> {
        match self {
            Sequential::Connect(connect)
                if connect.columns() < 10 && word.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                (0..word.len()).map(|at| &word[at..=at]).collect()
            }
            _ => vec![word],
        }
    }

    /// Makes a move by its name.
    ///
    /// # Errors
    /// It is none, or not allowed.
    pub fn play_named(&mut self, name: &str) -> Result<(), MoveError> {
        if self.mover().is_none() {
            return Err(MoveError::Over);
        }
        let found = match self {
            Sequential::Dots(dots) => dots.find(name),
            _ => (0..self.move_count() as Move).find(|&mv| self.move_name(mv) == name),
        };
        let mv = found.ok_or_else(|| MoveError::Unknown(name.to_owned()))?;
        if !self.moves().contains(&mv) {
            return Err(MoveError::Illegal(name.to_owned()));
        }
        self.play(mv);
        Ok(())
    }

    /// Makes a legal move. Returns what its player gains at once.
    pub fn play(&mut self, mv: Move) -> i64 {
        match self {
            Sequential::Dots(dots) => dots.play(mv) as i64,
            Sequential::MiniChess(chess) => {
                chess.play(mv);
                0
            }
            Sequential::Dominoes(round) => round.play(mv).into(),
            Sequential::Connect(connect) => {
                connect.play(mv);
                0
            }
        }
    }

    /// What the player who would move next has from the end of the game, beyond all gains.
    pub fn end(&self) -> i64 {
        match self {
            Sequential::Dots(_) | Sequential::Dominoes(_) => 0,
            Sequential::MiniChess(chess) => chess.end().into(),
            Sequential::Connect(connect) => connect.end().into(),
        }
    }

    /// Gives the rules of this position to whoever can use any.
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        match self {
            Sequential::Dots(dots) => dots.visit(visitor),
            Sequential::MiniChess(chess) => chess.visit(visitor),
            Sequential::Dominoes(round) => round.visit(visitor),
            Sequential::Connect(connect) => connect.visit(visitor),
        }
    }

    /// The position in lines of text.
    pub fn picture(&self) -> String {
        match self {
            Sequential::Dots(dots) => dots.draw(),
            Sequential::MiniChess(chess) => chess.draw(),
            Sequential::Dominoes(round) => round.draw(),
            Sequential::Connect(connect) => connect.draw(),
        }
    }

    /// The value as people are told it: in mini-chess the plies that it takes.
    pub fn told(&self, value: i64) -> i64 {
        match self {
            Sequential::MiniChess(chess) => chess.plies_of(value),
            _ => value,
        }
    }

    /// What a value that people are told means, in words: who wins, and how soon or by how much.
    pub fn in_words(&self, value: i64) -> String {
        match self {
            Sequential::Dots(dots) => dots.in_words(value),
            Sequential::MiniChess(chess) => chess.in_words(value),
            Sequential::Dominoes(round) => round.in_words(value),
            Sequential::Connect(connect) => connect.in_words(value),
        }
    }
}

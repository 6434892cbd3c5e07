//! Mini-chess: kings, queens, rooks and bishops on eight by eight squares. Who takes the enemy king wins; there is no check, no
//! mate and no stalemate, and after a number of plies nobody has won. (J. Hartmann, 2018, whose kings take their own pieces,
//! which they do not here.) A side that cannot move passes.
//!
//! [`MiniChess`] is a position as people write it, [`Pieces`] the same for the search. A win counts the plies that are left
//! before the king is taken, so that a sooner one is better; people are told the plies that it takes instead.
//!
//! What the search knows: who can take the king does; who cannot must not leave his own one where it is taken; and what is
//! not over by then takes two plies more.

use super::word::mixed;
use super::{Key, Move, Rules, Visitor};
use crate::rules::Side;

/// The most plies that a position can be looked ahead.
pub const MAX_PLIES: u8 = 60;

/// A man of either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Man {
    /// White is the first side.
    pub side: Side,
    /// What it is.
    pub kind: Kind,
}

/// What men there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One step in any direction.
    King,
    /// Any way in any direction.
    Queen,
    /// Any way along rows and columns.
    Rook,
    /// Any way along diagonals.
    Bishop,
}

impl Man {
    /// The man that a letter of FEN stands for.
    pub fn from_letter(letter: char) -> Option<Self> {
        let kind = match letter.to_ascii_uppercase() {
            'K' => Kind::King,
            'Q' => Kind::Queen,
            'R' => Kind::Rook,
            'B' => Kind::Bishop,
            _ => return None,
        };
        Some(Man { side: if letter.is_ascii_uppercase() { Side::First } else { Side::Second }, kind })
    }

    /// The letter of FEN.
    pub fn letter(self) -> char {
        let letter = match self.kind {
            Kind::King => 'K',
            Kind::Queen => 'Q',
            Kind::Rook => 'R',
            Kind::Bishop => 'B',
        };
        if self.side == Side::First { letter } else { letter.to_ascii_lowercase() }
    }

    /// Columns and rows of its steps, and whether it goes on.
    fn steps(self) -> (&'static [(i8, i8)], bool) {
        const ALL: [(i8, i8); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
        match self.kind {
            Kind::King => (&ALL, false),
            Kind::Queen => (&ALL, true),
            Kind::Rook => (&ALL[..4], true),
            Kind::Bishop => (&ALL[4..], true),
        }
    }

    /// A number less than 8.
    fn code(self) -> usize {
        self.kind as usize * 2 + usize::from(self.side == Side::Second)
    }
}

/// A position of mini-chess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MiniChess {
    /// From a8 to h8, then from a7 and so on, as FEN has them.
    squares: [Option<Man>; 64],
    turn: Side,
    /// Plies until nobody has won.
    left: u8,
}

/// Why men are no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MiniChessError {
    /// Not one king each.
    #[error("{0} has {1} kings")]
    Kings(&'static str, usize),
    /// A number of plies that is not looked ahead.
    #[error("{0} plies cannot be looked ahead")]
    Plies(u64),
}

impl MiniChess {
    /// A position with men, who moves, and how many plies there are.
    ///
    /// # Errors
    /// A side has no king, or several, or there are no plies or too many.
    pub fn new(squares: [Option<Man>; 64], turn: Side, plies: u64) -> Result<Self, MiniChessError> {
        for (side, name) in [(Side::First, "white"), (Side::Second, "black")] {
            let king = Some(Man { side, kind: Kind::King });
            let kings = squares.iter().filter(|&&man| man == king).count();
            if kings != 1 {
                return Err(MiniChessError::Kings(name, kings));
            }
        }
        match u8::try_from(plies) {
            Ok(left @ 1..=MAX_PLIES) => Ok(MiniChess { squares, turn, left }),
            _ => Err(MiniChessError::Plies(plies)),
        }
    }

    /// Plies until nobody has won.
    pub fn left(&self) -> u8 {
        self.left
    }

    /// Whose turn it is, or would be.
    pub fn turn(&self) -> Side {
        self.turn
    }

    fn has_king(&self, side: Side) -> bool {
        self.squares.contains(&Some(Man { side, kind: Kind::King }))
    }

    /// Who moves; `None` when a king is taken or no ply is left.
    pub fn mover(&self) -> Option<Side> {
        (self.left > 0 && self.has_king(self.turn)).then_some(self.turn)
    }

    /// Every move, as 64 times the square it comes from and the square it goes to; 0 is a pass.
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.mover().is_none() {
            return moves;
        }
        for (from, man) in self.squares.iter().enumerate().filter_map(|(from, man)| Some((from, (*man)?))) {
            if man.side == self.turn {
                targets(from, man, |to| self.squares[to], |to| moves.push((from * 64 + to) as Move));
            }
        }
        moves.sort_unstable();
        if moves.is_empty() {
            moves.push(0);
        }
        moves
    }

    /// Makes a move.
    pub fn play(&mut self, mv: Move) {
        let (from, to) = (usize::from(mv) / 64, usize::from(mv) % 64);
        if from != to {
            self.squares[to] = self.squares[from].take();
        }
        self.left -= 1;
        self.turn = !self.turn;
    }

    /// What the player who would move has from the end of the game.
    pub fn end(&self) -> i32 {
        if self.has_king(self.turn) { 0 } else { -i32::from(self.left) - 1 }
    }

    /// What a move is called.
    pub fn move_name(mv: Move) -> String {
        let square = |at: Move| format!("{}{}", char::from(b'a' + (at % 8) as u8), 8 - at / 8);
        if mv == 0 { "pass".to_owned() } else { square(mv / 64) + &square(mv % 64) }
    }

    /// The plies that a value of this position means, negative if the mover loses.
    pub fn plies_of(&self, value: i64) -> i64 {
        if value == 0 { 0 } else { (i64::from(self.left) + 1 - value.abs()) * value.signum() }
    }

    /// What that means.
    pub fn in_words(&self, plies: i64) -> String {
        let name = |side| if side == Side::First { "white" } else { "black" };
        let (mover, other) = (name(self.turn), name(!self.turn));
        match plies {
            0 => format!("no king is taken within {} plies, {mover} to move", self.left),
            1.. => format!("{mover} takes the king in {plies} plies, {mover} to move"),
            _ => format!("{other} takes the king in {} plies, {mover} to move", -plies),
        }
    }

    /// The placement as FEN has it.
    pub fn fen(&self) -> String {
        let mut text = String::new();
        for (row, squares) in self.squares.chunks(8).enumerate() {
            if row > 0 {
                text.push('/');
            }
            let mut empty = 0;
            for man in squares {
                match man {
                    None => empty += 1,
                    Some(man) => {
                        if empty > 0 {
                            text += &std::mem::take(&mut empty).to_string();
                        }
                        text.push(man.letter());
                    }
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
        }
        text
    }

    /// The rows from the eighth.
    pub fn draw(&self) -> String {
        let row =
            |squares: &[Option<Man>]| squares.iter().map(|man| man.map_or('.', Man::letter)).collect::<String>() + "\n";
        self.squares.chunks(8).map(row).collect()
    }

    /// The position for the search.
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        visitor.visit(Pieces::new(self))
    }
}

/// Where a man can go.
#[inline]
fn targets(from: usize, man: Man, on: impl Fn(usize) -> Option<Man>, mut to: impl FnMut(usize)) {
    let (steps, far) = man.steps();
    for &(right, down) in steps {
        let (mut column, mut row) = ((from % 8) as i8, (from / 8) as i8);
        loop {
            (column, row) = (column + right, row + down);
            if !(0..8).contains(&column) || !(0..8).contains(&row) {
                break;
            }
            let square = (row * 8 + column) as usize;
            let there = on(square);
            if there.is_none_or(|there| there.side != man.side) {
                to(square);
            }
            if there.is_some() || !far {
                break;
            }
        }
    }
}

/// A position for the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    squares: [Option<Man>; 64],
    kings: [u8; 2],
    turn: Side,
    left: u8,
    taken: bool,
    /// Two words for the men, and two for their reflection from left to right.
    code: [u64; 4],
}

/// The words of a man on a square.
fn words(man: Man, square: usize) -> [u64; 4] {
    let word = |square: usize, salt: u64| {
        mixed(((man.code() * 64 + square) as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ salt)
    };
    const SALT: u64 = 0x5851_f42d_4c95_7f2d;
    [word(square, 0), word(square, SALT), word(square ^ 7, 0), word(square ^ 7, SALT)]
}

impl Pieces {
    /// The position.
    pub fn new(chess: &MiniChess) -> Self {
        let mut pieces = Pieces {
            squares: [None; 64],
            kings: [64; 2],
            turn: chess.turn,
            left: chess.left,
            taken: !chess.has_king(chess.turn),
            code: [0; 4],
        };
        for (square, man) in chess.squares.iter().enumerate() {
            if let Some(man) = *man {
                pieces.put(square, man);
            }
        }
        pieces
    }

    #[inline]
    fn put(&mut self, square: usize, man: Man) {
        self.squares[square] = Some(man);
        if man.kind == Kind::King {
            self.kings[man.side as usize] = square as u8;
        }
        self.mix(words(man, square));
    }

    #[inline]
    fn mix(&mut self, words: [u64; 4]) {
        for (code, word) in self.code.iter_mut().zip(words) {
            *code ^= word;
        }
    }

    /// Whether a side's king can be taken by the other side's next move.
    fn is_attacked(&self, side: Side) -> bool {
        let king = usize::from(self.kings[side as usize]);
        // Whoever reaches the king from where he stands is reached from there.
        let all = Man { side, kind: Kind::Queen };
        let (steps, _) = all.steps();
        for (at, &(right, down)) in steps.iter().enumerate() {
            let (mut column, mut row) = ((king % 8) as i8, (king / 8) as i8);
            let mut near = true;
            loop {
                (column, row) = (column + right, row + down);
                if !(0..8).contains(&column) || !(0..8).contains(&row) {
                    break;
                }
                if let Some(man) = self.squares[(row * 8 + column) as usize] {
                    let reaches = match man.kind {
                        Kind::King => near,
                        Kind::Queen => true,
                        Kind::Rook => at < 4,
                        Kind::Bishop => at >= 4,
                    };
                    if man.side != side && reaches {
                        return true;
                    }
                    break;
                }
                near = false;
            }
        }
        false
    }

    /// Calls for every move, until one is enough.
    fn any_move(&self, mut enough: impl FnMut(Move) -> bool) -> bool {
        let mut found = false;
        let mut moves = false;
        for (from, man) in self.squares.iter().enumerate() {
            let Some(man) = man.filter(|man| man.side == self.turn) else { continue };
            targets(
                from,
                man,
                |to| self.squares[to],
                |to| {
                    moves = true;
                    found = found || enough((from * 64 + to) as Move);
                },
            );
            if found {
                return true;
            }
        }
        if moves { false } else { enough(0) }
    }

    /// Whether the own king can be taken after a move.
    fn is_safe_after(&self, mv: Move) -> bool {
        let mut next = self.clone();
        next.step_to(mv);
        !next.is_attacked(self.turn)
    }

    /// Moves a man.
    fn step_to(&mut self, mv: Move) {
        let (from, to) = (usize::from(mv) / 64, usize::from(mv) % 64);
        if from == to {
            return;
        }
        if let Some(man) = self.squares[to].take() {
            self.mix(words(man, to));
            self.taken = man.kind == Kind::King;
        }
        if let Some(man) = self.squares[from].take() {
            self.mix(words(man, from));
            self.put(to, man);
        }
    }
}

/// What was on the square that was entered.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    taken: Option<Man>,
    code: [u64; 4],
}

impl Rules for Pieces {
    type Undo = Undo;
    type Insight = ();

    #[inline]
    fn mover(&self) -> Option<Side> {
        (self.left > 0 && !self.taken).then_some(self.turn)
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        self.any_move(|mv| {
            moves.push(mv);
            false
        });
    }

    fn make(&mut self, mv: Move) -> (i32, Undo) {
        let undo = Undo { taken: self.squares[usize::from(mv) % 64], code: self.code };
        self.step_to(mv);
        self.left -= 1;
        self.turn = !self.turn;
        (0, undo)
    }

    fn unmake(&mut self, mv: Move, undo: Undo) {
        let (from, to) = (usize::from(mv) / 64, usize::from(mv) % 64);
        if from != to {
            if let Some(man) = self.squares[to] {
                self.put(from, man);
            }
            self.squares[to] = undo.taken;
            if let Some(man) = undo.taken.filter(|man| man.kind == Kind::King) {
                self.kings[man.side as usize] = to as u8;
            }
        }
        self.taken = false;
        self.code = undo.code;
        self.left += 1;
        self.turn = !self.turn;
    }

    fn end(&self) -> i32 {
        let value = if self.taken { i32::from(self.left) + 1 } else { 0 };
        if self.turn == Side::First { -value } else { value }
    }

    fn plies(&self) -> usize {
        if self.taken { 0 } else { self.left.into() }
    }

    fn key(&self) -> Key {
        let rest = mixed(u64::from(self.left) << 1 | u64::from(self.turn == Side::Second));
        Key { place: self.code[0] ^ rest, check: self.code[1].wrapping_add(rest) }
    }

    fn canonical(&self) -> (Key, u8) {
        if self.code[0] <= self.code[2] {
            return (self.key(), 0);
        }
        let mut image = self.clone();
        image.code = [self.code[2], self.code[3], self.code[0], self.code[1]];
        (image.key(), 1)
    }

    fn image_move(&self, mv: Move, image: u8) -> Move {
        if image == 0 || mv == 0 { mv } else { mv ^ (7 * 64 + 7) }
    }

    fn own_move(&self, mv: Move, image: u8) -> Move {
        self.image_move(mv, image)
    }

    fn survey(&self, _alpha: i32, _beta: i32) -> (i32, i32, ()) {
        let left = i32::from(self.left);
        if self.is_attacked(!self.turn) {
            return (left, left, ());
        }
        if left == 1 {
            return (0, 0, ());
        }
        if !self.any_move(|mv| self.is_safe_after(mv)) {
            return (1 - left, 1 - left, ());
        }
        ((3 - left).min(0), (left - 2).max(0), ())
    }

    fn candidates(&self, (): (), moves: &mut Vec<Move>) {
        self.any_move(|mv| {
            if self.is_safe_after(mv) {
                moves.push(mv);
            }
            false
        });
    }

    /// Attacks on the king first, then captures.
    fn worth(&self, mv: Move) -> i32 {
        let mut next = self.clone();
        next.step_to(mv);
        let price = |man: Man| match man.kind {
            Kind::King => 100,
            Kind::Queen => 9,
            Kind::Rook => 5,
            Kind::Bishop => 3,
        };
        let taken = self.squares[usize::from(mv) % 64].filter(|_| mv != 0).map_or(0, price);
        taken + if !next.taken && next.is_attacked(!self.turn) { 20 } else { 0 }
    }

    fn slot(&self, mv: Move) -> usize {
        usize::from(mv)
    }

    fn slots(&self) -> usize {
        4096
    }
}

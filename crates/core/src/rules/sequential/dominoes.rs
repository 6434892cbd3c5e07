//! Dominoes, Fives-and-Threes: after each play the pips at both ends of the row are added up, a double counting both halves,
//! and a multiple of five scores its fifth, a multiple of three its third; the last tile of a hand scores one more. Who
//! cannot play knocks. A game is won by reaching the target exactly: a play that would exceed it scores nothing.
//!
//! The functions here are those of a known assignment (S. Taseff's solution), on rows with their history; [`Dominoes`] is a
//! round with both hands on the table, which is a game with an order, and [`Round`] the same for the search.

use super::word::mixed;
use super::{Key, Move, Rules, Visitor};
use crate::rules::Side;

/// A tile, in the order in which it is held or lies.
pub type Tile = (u8, u8);

/// The two ends of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// The left one.
    Left,
    /// The right one.
    Right,
}

/// A tile of the row: how it lies, who played it, and when.
pub type Laid = (Tile, Side, usize);

/// A row of tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Row {
    /// Nothing was played.
    #[default]
    Empty,
    /// The first and the last tile, and all of them from left to right, as far as they are known.
    Tiles {
        /// The leftmost tile; its left half is the end.
        left: Tile,
        /// The rightmost tile; its right half is the end.
        right: Tile,
        /// Every tile from left to right.
        history: Vec<Laid>,
    },
}

/// Whether a tile that lies the other way round is the same.
fn same(one: Tile, two: Tile) -> bool {
    one == two || one == (two.1, two.0)
}

/// The double-six set, larger halves first.
pub fn double_six() -> Vec<Tile> {
    (0..=6).flat_map(|high| (0..=high).map(move |low| (high, low))).collect()
}

impl Row {
    /// A row of which only the ends are known.
    pub fn ends(left: Tile, right: Tile) -> Self {
        Row::Tiles { left, right, history: Vec::new() }
    }

    /// The pips at the two ends.
    pub fn pips(&self) -> Option<[u8; 2]> {
        match self {
            Row::Empty => None,
            Row::Tiles { left, right, .. } => Some([left.0, right.1]),
        }
    }

    /// The tiles from left to right.
    pub fn history(&self) -> &[Laid] {
        match self {
            Row::Empty => &[],
            Row::Tiles { history, .. } => history,
        }
    }

    /// What the row scores for whoever has played last, and whether that was his last tile.
    pub fn score(&self, last: bool) -> u32 {
        let Row::Tiles { left, right, history } = self else { return 0 };
        let half = |tile: &Tile, pip: u8| u32::from(pip) * if tile.0 == tile.1 { 2 } else { 1 };
        // One tile is both ends, and its halves count once.
        let single = left == right && history.len() <= 1;
        let total = if single { u32::from(left.0 + left.1) } else { half(left, left.0) + half(right, right.1) };
        points(total) + u32::from(last)
    }

    /// Whether a tile fits at an end.
    pub fn fits(&self, tile: Tile, end: End) -> bool {
        self.pips().is_none_or(|pips| {
            let pip = pips[end as usize];
            tile.0 == pip || tile.1 == pip
        })
    }

    /// Whether no tile of a hand fits anywhere.
    pub fn blocks(&self, hand: &[Tile]) -> bool {
        let fits = |&tile: &Tile| self.fits(tile, End::Left) || self.fits(tile, End::Right);
        if *self == Row::Empty { false } else { !hand.iter().any(fits) }
    }

    /// The row after a play; `None` if the tile does not fit there.
    pub fn play(&self, side: Side, tile: Tile, end: End) -> Option<Row> {
        let Row::Tiles { left, right, history } = self else {
            return Some(Row::Tiles { left: tile, right: tile, history: vec![(tile, side, 0)] });
        };
        if !self.fits(tile, end) {
            return None;
        }
        let pip = if end == End::Left { left.0 } else { right.1 };
        let tile = oriented(pip, end, tile)?;
        let mut history = history.clone();
        let laid = (tile, side, history.len());
        Some(match end {
            End::Left => {
                history.insert(0, laid);
                Row::Tiles { left: tile, right: *right, history }
            }
            End::Right => {
                history.push(laid);
                Row::Tiles { left: *left, right: tile, history }
            }
        })
    }

    /// The tiles of a hand that fit on the left, and those that fit on the right.
    pub fn plays(&self, hand: &[Tile]) -> [Vec<Tile>; 2] {
        [End::Left, End::Right].map(|end| hand.iter().copied().filter(|&tile| self.fits(tile, end)).collect())
    }

    /// The plays in the order in which they were made; the first tile is said to be played on the left.
    pub fn sequence(&self) -> Vec<(Tile, End, Side, usize)> {
        let history = self.history();
        let first = history.iter().position(|laid| laid.2 == 0).unwrap_or(0);
        let end = |at: usize| if at <= first { End::Left } else { End::Right };
        let mut plays: Vec<_> =
            history.iter().enumerate().map(|(at, &(tile, side, number))| (tile, end(at), side, number)).collect();
        plays.sort_by_key(|play| play.3);
        plays
    }

    /// The row that a sequence of plays makes; `None` if one does not fit.
    pub fn replayed(plays: &[(Tile, End, Side, usize)]) -> Option<Row> {
        plays.iter().try_fold(Row::Empty, |row, &(tile, end, side, _)| row.play(side, tile, end))
    }

    /// Ends that the opponent has knocked at: two plays of `me` in a row say so.
    pub fn knocks(&self, me: Side) -> Vec<u8> {
        let plays = self.sequence();
        let mut knocked = Vec::new();
        let mut row = Row::Empty;
        for (at, &(tile, end, side, _)) in plays.iter().enumerate() {
            let Some(next) = row.play(side, tile, end) else { break };
            row = next;
            if side == me && plays.get(at + 1).is_some_and(|play| play.2 == me) {
                knocked.extend(row.pips().into_iter().flatten());
            }
        }
        knocked.sort_unstable();
        knocked.dedup();
        knocked
    }

    /// Tiles of a set that the opponent of `me` may hold: not in my hand, not on the table, and without a pip at which he has
    /// knocked. `turned` says whether a tile that lies the other way round is recognised, as it should be.
    pub fn unseen(&self, hand: &[Tile], set: &[Tile], me: Side, turned: bool) -> Vec<Tile> {
        let knocked = self.knocks(me);
        let laid = |tile: Tile| {
            self.history().iter().any(|&(other, _, _)| if turned { same(tile, other) } else { tile == other })
        };
        let held = |tile: Tile| hand.iter().any(|&other| if turned { same(tile, other) } else { tile == other });
        let possible =
            |&tile: &Tile| !held(tile) && !laid(tile) && !knocked.contains(&tile.0) && !knocked.contains(&tile.1);
        set.iter().copied().filter(possible).collect()
    }

    /// Every play of these tiles with its score.
    pub fn responses(&self, tiles: &[Tile]) -> Vec<(Tile, End, u32)> {
        let mut plays = Vec::new();
        for &tile in tiles {
            for end in [End::Left, End::Right] {
                // On an empty table both ends are the same.
                if *self == Row::Empty && end == End::Right {
                    continue;
                }
                if let Some(row) = self.play(Side::Second, tile, end) {
                    plays.push((tile, end, row.score(false)));
                }
            }
        }
        plays
    }

    /// The response that scores most, if there is one.
    pub fn best_response(&self, tiles: &[Tile]) -> Option<(Tile, End, u32)> {
        self.responses(tiles).into_iter().rev().max_by_key(|play| play.2)
    }

    /// The better end for a tile, and its score; the left one if they are equal. `None` if it fits nowhere.
    pub fn best_end(&self, tile: Tile) -> Option<(End, u32)> {
        let score = |end| self.play(Side::First, tile, end).map(|row| (end, row.score(false)));
        match (score(End::Left), score(End::Right)) {
            (Some(left), Some(right)) => Some(if right.1 > left.1 { right } else { left }),
            (left, right) => left.or(right),
        }
    }

    /// The first play, those on the left first, that scores exactly what is missing.
    pub fn winning(&self, hand: &[Tile], score: u32, target: u32) -> Option<(Tile, End)> {
        let wins = |tile: Tile, end: End| {
            let row = self.play(Side::First, tile, end);
            row.is_some_and(|row| score + row.score(hand.len() == 1) == target)
        };
        let all = [End::Left, End::Right].into_iter().flat_map(|end| hand.iter().map(move |&tile| (tile, end)));
        all.into_iter().find(|&(tile, end)| wins(tile, end))
    }

    /// Whether a tile can be played so that a pip is at the end then, on the left and on the right.
    pub fn shows(&self, pip: u8, tile: Tile) -> [bool; 2] {
        let Some(pips) = self.pips() else { return [tile.0 == pip || tile.1 == pip; 2] };
        pips.map(|end| tile == (pip, end) || tile == (end, pip))
    }

    /// The play, those on the left first, that leaves the opponent the fewest replies, each with its end.
    pub fn blocking(&self, hand: &[Tile], set: &[Tile], me: Side, turned: bool) -> Option<(Tile, End)> {
        let mut best: Option<(usize, Tile, End)> = None;
        for end in [End::Left, End::Right] {
            for &tile in hand {
                let Some(row) = self.play(me, tile, end) else { continue };
                let rest: Vec<Tile> = hand.iter().copied().filter(|&other| other != tile).collect();
                let replies = row.responses(&row.unseen(&rest, set, me, turned)).len();
                if best.is_none_or(|(fewest, _, _)| replies < fewest) {
                    best = Some((replies, tile, end));
                }
            }
        }
        best.map(|(_, tile, end)| (tile, end))
    }
}

/// A fifth and a third of a total, where they divide it.
fn points(total: u32) -> u32 {
    let part = |divisor: u32| if total.is_multiple_of(divisor) { total / divisor } else { 0 };
    part(5) + part(3)
}

/// A tile turned so that a pip of it faces the row; `None` if it has no such pip.
pub fn oriented(pip: u8, end: End, tile: Tile) -> Option<Tile> {
    let (one, two) = tile;
    match end {
        End::Left if two == pip => Some((one, two)),
        End::Left if one == pip => Some((two, one)),
        End::Right if one == pip => Some((one, two)),
        End::Right if two == pip => Some((two, one)),
        _ => None,
    }
}

/// The mean of all halves.
pub fn average_pip(hand: &[Tile]) -> f64 {
    let sum: u32 = hand.iter().map(|&(one, two)| u32::from(one) + u32::from(two)).sum();
    if hand.is_empty() { 0.0 } else { f64::from(sum) / (2 * hand.len()) as f64 }
}

/// A round with both hands on the table, or before the deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominoes {
    /// The hands of both sides, sorted.
    hands: [Vec<Tile>; 2],
    row: Row,
    scores: [u32; 2],
    target: u32,
    turn: Side,
}

/// The move that is no play.
const KNOCK: Move = 56;

/// The largest target.
pub const MAX_TARGET: u32 = 1000;

/// The number of a tile of the double-six set.
fn number(tile: Tile) -> Option<usize> {
    let (low, high) = (tile.0.min(tile.1), tile.0.max(tile.1));
    (high <= 6).then(|| usize::from(high) * (usize::from(high) + 1) / 2 + usize::from(low))
}

/// Why tiles are no round.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DominoesError {
    /// A tile is in two places.
    #[error("the tile {0}{1} is there twice")]
    Twice(u8, u8),
    /// A tile is not in the set.
    #[error("there is no tile {0}{1}")]
    NoTile(u8, u8),
    /// Neighbours in the row do not match.
    #[error("the tile {0}{1} does not match its neighbour")]
    Mismatch(u8, u8),
    /// A score is the target or beyond, or the target is too large.
    #[error("the scores must be below the target, which is 1 to 1000")]
    Scores,
}

impl Dominoes {
    /// A game before its first deal.
    pub fn new(target: u32) -> Self {
        Dominoes { hands: [Vec::new(), Vec::new()], row: Row::Empty, scores: [0; 2], target, turn: Side::First }
    }

    /// A round: hands, the row from left to right, scores, and who moves.
    ///
    /// # Errors
    /// A tile that is not in the set or there twice, a row that does not match, or impossible scores.
    pub fn round(
        mut hands: [Vec<Tile>; 2],
        row: &[Tile],
        scores: [u32; 2],
        target: u32,
        turn: Side,
    ) -> Result<Self, DominoesError> {
        let mut seen = 0u32;
        for &(one, two) in hands.iter().flatten().chain(row) {
            let bit = 1 << number((one, two)).ok_or(DominoesError::NoTile(one, two))?;
            if seen & bit != 0 {
                return Err(DominoesError::Twice(one, two));
            }
            seen |= bit;
        }
        if let Some(pair) = row.windows(2).find(|pair| pair[0].1 != pair[1].0) {
            return Err(DominoesError::Mismatch(pair[1].0, pair[1].1));
        }
        if !(1..=MAX_TARGET).contains(&target) || scores.iter().any(|&score| score >= target) {
            return Err(DominoesError::Scores);
        }
        for hand in &mut hands {
            hand.iter_mut().for_each(|tile| *tile = (tile.0.max(tile.1), tile.0.min(tile.1)));
            hand.sort_unstable();
        }
        // Who played what is not known: in turn, as if from left to right, but with knocks nowhere.
        let laid = |(at, &tile): (usize, &Tile)| (tile, if at % 2 == 0 { Side::First } else { Side::Second }, at);
        let row = match (row.first(), row.last()) {
            (Some(&left), Some(&right)) => {
                Row::Tiles { left, right, history: row.iter().enumerate().map(laid).collect() }
            }
            _ => Row::Empty,
        };
        Ok(Dominoes { hands, row, scores, target, turn })
    }

    /// Whether nothing was dealt.
    pub fn is_undealt(&self) -> bool {
        self.hands.iter().all(Vec::is_empty) && self.row == Row::Empty
    }

    /// The hand of a side.
    pub fn hand(&self, side: Side) -> &[Tile] {
        &self.hands[side as usize]
    }

    /// The row.
    pub fn row(&self) -> &Row {
        &self.row
    }

    /// The score of a side.
    pub fn score(&self, side: Side) -> u32 {
        self.scores[side as usize]
    }

    /// The target.
    pub fn target(&self) -> u32 {
        self.target
    }

    /// Whose turn it is, or would be.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The next round of the same game: hands of the first tiles of a shuffled set, so many each.
    pub fn dealt(&self, set: &[Tile], size: usize, starter: Side) -> Dominoes {
        let hand = |from: usize| {
            let mut hand: Vec<Tile> = set.iter().copied().skip(from).take(size).collect();
            hand.sort_unstable();
            hand
        };
        Dominoes { hands: [hand(0), hand(size)], row: Row::Empty, turn: starter, ..self.clone() }
    }

    /// Who moves; `None` when the target is reached or both are blocked.
    pub fn mover(&self) -> Option<Side> {
        let over = self.scores.contains(&self.target)
            || self.is_undealt()
            || self.hands.iter().all(|hand| self.is_blocked(hand));
        (!over).then_some(self.turn)
    }

    fn is_blocked(&self, hand: &[Tile]) -> bool {
        hand.is_empty() || self.row.blocks(hand)
    }

    /// Every move: twice the number of the tile, and one more on the right; 56 is a knock.
    pub fn moves(&self) -> Vec<Move> {
        if self.mover().is_none() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        for &tile in self.hand(self.turn) {
            for end in [End::Left, End::Right] {
                // On an empty table both ends are the same.
                let twice = self.row == Row::Empty && end == End::Right;
                if let Some(number) = number(tile).filter(|_| !twice && self.row.fits(tile, end)) {
                    moves.push((2 * number + end as usize) as Move);
                }
            }
        }
        moves.sort_unstable();
        if moves.is_empty() {
            moves.push(KNOCK);
        }
        moves
    }

    /// The tile and the end of a move; `None` for a knock.
    pub fn play_of(mv: Move) -> Option<(Tile, End)> {
        let tile = double_six().into_iter().nth(usize::from(mv) / 2)?;
        Some((tile, if mv.is_multiple_of(2) { End::Left } else { End::Right }))
    }

    /// The move that plays a tile at an end.
    pub fn move_of(tile: Tile, end: End) -> Option<Move> {
        Some((2 * number(tile)? + end as usize) as Move)
    }

    /// Makes a move. Returns what it scores.
    pub fn play(&mut self, mv: Move) -> u32 {
        let turn = self.turn;
        self.turn = !turn;
        let Some((tile, end)) = Dominoes::play_of(mv) else { return 0 };
        let Some(row) = self.row.play(turn, tile, end) else { return 0 };
        self.row = row;
        let hand = &mut self.hands[turn as usize];
        hand.retain(|&other| other != tile);
        let points = self.row.score(hand.is_empty());
        let score = &mut self.scores[turn as usize];
        if *score + points > self.target {
            return 0;
        }
        *score += points;
        points
    }

    /// What a move is called.
    pub fn move_name(mv: Move) -> String {
        match Dominoes::play_of(mv) {
            None => "knock".to_owned(),
            Some(((one, two), End::Left)) => format!("{one}{two}L"),
            Some(((one, two), End::Right)) => format!("{one}{two}R"),
        }
    }

    /// Hands, row and scores.
    pub fn draw(&self) -> String {
        let list =
            |tiles: &mut dyn Iterator<Item = Tile>| tiles.map(|(one, two)| format!(" {one}{two}")).collect::<String>();
        let row = list(&mut self.row.history().iter().map(|laid| laid.0));
        let mut text = format!("target {}\nscores {} {}\n", self.target, self.scores[0], self.scores[1]);
        text += &format!("turn {}\n", if self.turn == Side::First { "A" } else { "B" });
        if !self.is_undealt() {
            let [first, second] = [0, 1].map(|side| list(&mut self.hands[side].iter().copied()));
            text += &format!("first{first}\nsecond{second}\n");
        }
        if !row.is_empty() {
            text += &format!("row{row}\n");
        }
        text
    }

    /// What a value means.
    pub fn in_words(&self, value: i64) -> String {
        let name = |side| if side == Side::First { "A" } else { "B" };
        let (mover, other) = (name(self.turn), name(!self.turn));
        match value {
            0 => format!("both score the same in the rest of the round, {mover} to move"),
            1.. => format!("{mover} scores {value} more than {other} in the rest of the round, {mover} to move"),
            _ => format!("{other} scores {} more than {mover} in the rest of the round, {mover} to move", -value),
        }
    }

    /// The round for the search.
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        visitor.visit(Round::new(self, 0))
    }
}

/// A round for the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    hands: [u32; 2],
    /// The pip at each end, and what it counts.
    ends: Option<[(u8, u8); 2]>,
    /// Whether one tile lies there, whose halves count once.
    single: u8,
    scores: [u32; 2],
    target: u32,
    turn: Side,
    /// What it is worth to reach the target, beyond the points.
    bonus: i32,
}

/// The tiles that have a pip, by number.
const WITH: [u32; 7] = {
    let mut with = [0; 7];
    let (mut high, mut number) = (0, 0);
    while high < 7 {
        let mut low = 0;
        while low <= high {
            with[high] |= 1 << number;
            with[low] |= 1 << number;
            number += 1;
            low += 1;
        }
        high += 1;
    }
    with
};

/// The halves of each tile, the larger first.
const HALVES: [(u8, u8); 28] = {
    let mut halves = [(0, 0); 28];
    let (mut high, mut number) = (0, 0);
    while high < 7 {
        let mut low = 0;
        while low <= high {
            halves[number] = (high, low);
            number += 1;
            low += 1;
        }
        high += 1;
    }
    halves
};

impl Round {
    /// The round, with what it is worth to reach the target beyond the points.
    pub fn new(dominoes: &Dominoes, bonus: i32) -> Self {
        let mask = |hand: &[Tile]| hand.iter().filter_map(|&tile| number(tile)).fold(0u32, |mask, n| mask | 1 << n);
        let (ends, single) = match &dominoes.row {
            Row::Empty => (None, 0),
            Row::Tiles { left, right, history } => {
                let end = |tile: &Tile, pip: u8| (pip, if tile.0 == tile.1 { 2 * pip } else { pip });
                (Some([end(left, left.0), end(right, right.1)]), u8::from(history.len() == 1))
            }
        };
        Round {
            hands: [mask(dominoes.hand(Side::First)), mask(dominoes.hand(Side::Second))],
            ends,
            single,
            scores: dominoes.scores,
            target: dominoes.target,
            turn: dominoes.turn,
            bonus,
        }
    }

    /// Gives the opponent of a side another hand.
    pub fn with_hand(mut self, side: Side, tiles: &[Tile]) -> Self {
        self.hands[side as usize] = tiles.iter().filter_map(|&tile| number(tile)).fold(0, |mask, n| mask | 1 << n);
        self
    }

    /// The tiles that fit somewhere.
    fn fitting(&self) -> u32 {
        self.ends.map_or(u32::MAX, |[left, right]| WITH[usize::from(left.0)] | WITH[usize::from(right.0)])
    }

    fn total(&self) -> u32 {
        match self.ends {
            None => 0,
            // The end counts of a single double would count it twice over.
            Some([left, right]) if self.single == 1 => u32::from(left.0) + u32::from(right.0),
            Some([left, right]) => u32::from(left.1) + u32::from(right.1),
        }
    }
}

/// What a play has changed.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    ends: Option<[(u8, u8); 2]>,
    single: u8,
    score: u32,
}

impl Rules for Round {
    type Undo = Undo;
    type Insight = ();

    fn mover(&self) -> Option<Side> {
        let fitting = self.fitting();
        let over = self.scores.contains(&self.target) || (self.hands[0] | self.hands[1]) & fitting == 0;
        (!over).then_some(self.turn)
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        let from = moves.len();
        let mut hand = self.hands[self.turn as usize];
        while hand != 0 {
            let tile = hand.trailing_zeros();
            hand &= hand - 1;
            match self.ends {
                None => moves.push(2 * tile as Move),
                Some(ends) => {
                    for (end, (pip, _)) in ends.into_iter().enumerate() {
                        if WITH[usize::from(pip)] >> tile & 1 != 0 {
                            moves.push((2 * tile as usize + end) as Move);
                        }
                    }
                }
            }
        }
        if moves.len() == from {
            moves.push(KNOCK);
        }
    }

    fn make(&mut self, mv: Move) -> (i32, Undo) {
        let side = self.turn as usize;
        let undo = Undo { ends: self.ends, single: self.single, score: self.scores[side] };
        self.turn = !self.turn;
        if mv == KNOCK {
            return (0, undo);
        }
        let tile = usize::from(mv) / 2;
        self.hands[side] &= !(1 << tile);
        let (high, low) = HALVES[tile];
        let count = |pip: u8| if high == low { 2 * pip } else { pip };
        match &mut self.ends {
            None => {
                self.ends = Some([(high, count(high)), (low, count(low))]);
                self.single = 1;
            }
            Some(ends) => {
                let end = usize::from(mv) % 2;
                let outer = if ends[end].0 == high { low } else { high };
                ends[end] = (outer, count(outer));
                self.single = 0;
            }
        }
        let gain = points(self.total()) + u32::from(self.hands[side] == 0);
        if self.scores[side] + gain > self.target {
            return (0, undo);
        }
        self.scores[side] += gain;
        let bonus = if self.scores[side] == self.target { self.bonus } else { 0 };
        (gain as i32 + bonus, undo)
    }

    fn unmake(&mut self, mv: Move, undo: Undo) {
        self.turn = !self.turn;
        let side = self.turn as usize;
        (self.ends, self.single, self.scores[side]) = (undo.ends, undo.single, undo.score);
        if mv != KNOCK {
            self.hands[side] |= 1 << (mv / 2);
        }
    }

    fn end(&self) -> i32 {
        0
    }

    fn plies(&self) -> usize {
        // After a knock somebody plays.
        2 * (self.hands[0] | self.hands[1]).count_ones() as usize
    }

    fn key(&self) -> Key {
        let ends = self.ends.map_or(0x3ff, |[left, right]| {
            u64::from(left.0) | u64::from(left.1) << 4 | u64::from(right.0) << 10 | u64::from(right.1) << 14
        });
        let hands = u64::from(self.hands[0]) | u64::from(self.hands[1]) << 28;
        let rest = ends | u64::from(self.single) << 20 | u64::from(self.turn == Side::Second) << 21;
        let rest = rest | u64::from(self.scores[0]) << 22 | u64::from(self.scores[1]) << 34;
        let place = mixed(hands ^ mixed(rest.wrapping_add(0x9e37_79b9_7f4a_7c15)));
        Key { place, check: mixed(rest ^ mixed(hands.wrapping_add(0x5851_f42d_4c95_7f2d))) }
    }

    fn image_move(&self, mv: Move, _image: u8) -> Move {
        mv
    }

    fn own_move(&self, mv: Move, _image: u8) -> Move {
        mv
    }

    fn survey(&self, _alpha: i32, _beta: i32) -> (i32, i32, ()) {
        // No total scores more than fifteen or twenty-four, eight points, and a last tile one more.
        let most = |side: usize| {
            let missing = self.target.saturating_sub(self.scores[side]) as i32;
            let tiles = self.hands[side].count_ones() as i32;
            (8 * tiles + 1).min(missing) + self.bonus
        };
        let own = self.turn as usize;
        (-most(1 - own), most(own), ())
    }

    fn candidates(&self, (): (), moves: &mut Vec<Move>) {
        self.moves(moves);
    }

    /// What the play scores.
    fn worth(&self, mv: Move) -> i32 {
        let mut next = self.clone();
        next.make(mv).0
    }

    fn slots(&self) -> usize {
        57
    }
}

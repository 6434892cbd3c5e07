//! Who wins, by search with traces (*Set Colouring Games* 9.2, 11.2).
//!
//! The rules for traces are those of two colours, and their proofs do not ask how many there are: a move in the winner's
//! strategy adds its element to the trace; a refuted *rational* move, or one in a dead element, leaves a mustplay, the trace of
//! its refutation; any other refuted move leaves none, and its element joins the trace. Dead elements cancel in pairs, and where
//! every element has a rational colour for both players they do not matter at all (5.4, 5.5). So a position is filed under its
//! open rows, whether one dead element is left over, and who moves.

use super::rows::{Board, Row};
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Colouring, Lit, Player, Var};
use gamesat_rows::mask::bits;
use rustc_hash::FxHashMap;

/// Positions that are remembered before all are forgotten.
const REMEMBERED: usize = 1 << 21;

/// Of dead elements at most this many moves are listed: a short text can announce millions.
const LISTED: usize = 1 << 16;

/// A move: an element of the rows and a colour, or `None` for a dead element.
pub(super) type Choice = Option<(usize, usize)>;

/// What was found about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) winner: Player,
    /// Elements of the rows that suffice for the winner.
    pub(super) trace: u64,
    /// A winning move of the player to move.
    pub(super) choice: Option<Choice>,
}

/// The answer about a game.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Who wins.
    pub winner: Player,
    /// Winning moves of the player to move: one, or all if they were asked for.
    pub moves: Vec<Lit>,
    /// How many more moves win, beside those listed: in dead elements, all alike.
    pub omitted: usize,
    /// Why there may be more winning moves than these, though all were asked for.
    pub unlisted: Option<StopReason>,
    /// Elements that suffice for the winner.
    pub trace: Vec<Var>,
}

/// A search that remembers what it found.
pub struct Search<'a> {
    pub(super) game: &'a Colouring,
    pub(super) board: Board,
    known: FxHashMap<(Vec<Row>, bool, Player), Value>,
    poller: Poller<'a>,
    pub(super) nodes: u64,
}

impl<'a> Search<'a> {
    /// Prepares a game in which both players may colour everything.
    ///
    /// # Errors
    /// There are too many elements in its rows.
    pub fn new(game: &'a Colouring, control: &'a Control) -> Result<Self, StopReason> {
        let too_many = || StopReason::Unsupported("a game with colours is searched up to 64 elements".to_owned());
        let board = Board::new(game).ok_or_else(too_many)?;
        Ok(Search { game, board, known: FxHashMap::default(), poller: control.poller(), nodes: 0 })
    }

    /// Positions searched.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Who wins; with every winning move, if asked for, in every colour.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn solve(&mut self, all_moves: bool) -> Result<Outcome, StopReason> {
        let rows = self.board.rows.clone();
        let left = self.game.uncoloured();
        let turn = self.game.turn;
        let value = self.value(&rows, left, turn)?;
        let trace = bits(value.trace).map(|element| self.board.elements[element]).collect();
        let (mut moves, mut omitted, mut unlisted) = (Vec::new(), 0, None);
        if value.winner == turn && left > 0 {
            if all_moves {
                unlisted = self.all_moves(&rows, left, &mut moves, &mut omitted).err();
                if let (Some(_), Some(Some((element, colour)))) = (&unlisted, value.choice) {
                    // The move that won is known, whatever there was no time for.
                    moves.push(self.game.atom(self.board.elements[element], colour));
                    moves.sort_unstable();
                    moves.dedup();
                }
            } else {
                moves.push(match value.choice.flatten() {
                    Some((element, colour)) => self.game.atom(self.board.elements[element], colour),
                    None => self.any_move(&rows),
                });
            }
        }
        Ok(Outcome { winner: value.winner, moves, omitted, unlisted, trace })
    }

    /// Lists every winning move. Where the rational colour of an element loses, every colour does.
    fn all_moves(
        &mut self,
        rows: &[Row],
        left: usize,
        moves: &mut Vec<Lit>,
        omitted: &mut usize,
    ) -> Result<(), StopReason> {
        let mut dead = 0;
        let turn = self.game.turn;
        let side = usize::from(turn == Player::Min);
        let wins_dead = self.value(rows, left - 1, !turn)?.winner == turn;
        for var in self.game.free().collect::<Vec<Var>>() {
            let number = self.board.elements.iter().position(|&other| other == var);
            let outlook = number.and_then(|number| Some((number, self.board.outlook(rows, number)?)));
            match outlook {
                None if wins_dead => {
                    for colour in bits(self.game.domain(var)) {
                        dead += 1;
                        if dead > LISTED {
                            *omitted += 1;
                        } else {
                            moves.push(self.game.atom(var, colour));
                        }
                    }
                }
                None => {}
                Some((number, outlook)) => {
                    let after = |search: &mut Self, colour: usize| -> Result<Player, StopReason> {
                        let after = search.board.after(rows, number, colour);
                        Ok(search.value(&after, left - 1, !turn)?.winner)
                    };
                    if let Some(colour) = outlook.rational[side]
                        && after(self, colour)? != turn
                    {
                        continue;
                    }
                    for colour in bits(self.board.domains[number]) {
                        if after(self, colour)? == turn {
                            moves.push(self.game.atom(var, colour));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// A move in a dead element, or anywhere if the game is decided.
    fn any_move(&self, rows: &[Row]) -> Lit {
        let is_dead = |var: &Var| match self.board.elements.iter().position(|other| other == var) {
            Some(number) => self.board.outlook(rows, number).is_none(),
            None => true,
        };
        let decided = self.board.decided(rows).is_some();
        let var = self.game.free().find(|var| decided || is_dead(var)).or_else(|| self.game.free().next());
        let var = var.unwrap_or_else(|| unreachable!("an element is left"));
        self.game.atom(var, first_colour(self.game, var))
    }

    /// The value of a position with so many uncoloured elements, dead ones included. As deep as there are elements in the
    /// rows, 64 at most, and a dead one.
    pub(super) fn value(&mut self, rows: &[Row], left: usize, turn: Player) -> Result<Value, StopReason> {
        self.nodes += 1;
        self.poller.poll(self.nodes)?;
        // 1. Decided?
        if let Some(winner) = self.board.decided(rows) {
            return Ok(Value { winner, trace: 0, choice: (winner == turn).then_some(None) });
        }
        // 2. What is alive, and whether a dead element is left over.
        let occurring = rows.iter().fold(0, |mask, row| mask | row.elements);
        let alive: Vec<_> =
            bits(occurring).filter_map(|element| Some((element, self.board.outlook(rows, element)?))).collect();
        let isotone = alive.iter().all(|(_, outlook)| outlook.rational.iter().all(Option::is_some));
        let dead = left.saturating_sub(alive.len());
        let star = !isotone && dead % 2 == 1;
        let key = (rows.to_vec(), star, turn);
        if let Some(&value) = self.known.get(&key) {
            return Ok(value);
        }
        // 3. Moves: elements in many and short rows first, the dead one last.
        let side = usize::from(turn == Player::Min);
        let weight = |element: usize| -> u64 {
            let of = rows.iter().filter(|row| row.elements >> element & 1 != 0);
            of.map(|row| 1u64 << 32 >> row.elements.count_ones().min(32)).sum()
        };
        let mut order: Vec<(u64, usize)> = (0..alive.len()).map(|at| (weight(alive[at].0), at)).collect();
        order.sort_unstable_by(|a, b| b.cmp(a));
        let count = alive.len() + usize::from(star);
        let (mut mustplay, mut trace) = (u64::MAX, 0u64);
        let mut won = None;
        for &(_, at) in &order {
            let (element, outlook) = alive[at];
            if mustplay >> element & 1 == 0 {
                continue;
            }
            let rational = outlook.rational[side];
            for colour in bits(rational.map_or(outlook.colours[side], |colour| 1 << colour)) {
                let after = self.board.after(rows, element, colour);
                let child = self.value(&after, count - 1, !turn)?;
                if child.winner == turn {
                    let choice = Some(Some((element, colour)));
                    won = Some(Value { winner: turn, trace: child.trace | 1 << element, choice });
                    break;
                }
                trace |= child.trace;
                if rational.is_some() {
                    mustplay &= child.trace;
                } else {
                    trace |= 1 << element;
                }
            }
            if won.is_some() {
                break;
            }
        }
        if won.is_none() && star {
            let child = self.value(rows, count - 1, !turn)?;
            if child.winner == turn {
                won = Some(Value { winner: turn, trace: child.trace, choice: Some(None) });
            } else {
                trace |= child.trace;
            }
        }
        let value = won.unwrap_or(Value { winner: !turn, trace, choice: None });
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(key, value);
        Ok(value)
    }
}

/// The first colour of an element.
pub(super) fn first_colour(game: &Colouring, var: Var) -> usize {
    game.domain(var).trailing_zeros() as usize
}

//! What random colourings need: a formula that is evaluated quickly, and numbers that come with their errors.

use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{ClauseArena, Game, GameMatrix, Lit, Var};
use gamesat_core::graph::Goal;
use gamesat_core::rules::Board;
use gamesat_rows::normal;

/// Uncoloured elements of the formula up to which colourings are counted instead of sampled.
pub const EXACT_ELEMENTS: usize = 22;

/// A share of colourings or playouts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// How many had the property,
    pub wins: u64,
    /// of how many.
    pub total: u64,
    /// Whether all of them were counted.
    pub exact: bool,
}

impl Estimate {
    /// The share.
    pub fn share(self) -> f64 {
        if self.total == 0 { 0.0 } else { self.wins as f64 / self.total as f64 }
    }

    /// Its standard error, 0 if it is exact.
    pub fn error(self) -> f64 {
        if self.exact || self.total == 0 {
            return 0.0;
        }
        let share = self.share();
        (share * (1.0 - share) / self.total as f64).sqrt()
    }
}

/// What is evaluated on colourings of the uncoloured elements, as words of bits.
pub(super) struct Sampled {
    pub(super) elements: Vec<Var>,
    words: usize,
    how: How,
}

enum How {
    Rows {
        /// Each row: what TRUE hits, then what FALSE hits.
        rows: Vec<u64>,
        conjunction: bool,
    },
    Board {
        goal: Goal,
        /// Whether it is MAX's goal.
        of_max: bool,
        /// Elements that have a stone: whether MAX has it.
        stones: Vec<Option<bool>>,
        /// The place of each element among the uncoloured ones.
        places: Vec<usize>,
    },
}

impl Sampled {
    /// The formula with the played colours filled in.
    ///
    /// # Errors
    /// A circuit without an affordable normal form, or the reason to stop.
    pub(super) fn new(game: &Game, control: &Control) -> Result<Self, StopReason> {
        let owned;
        let (rows, conjunction): (&ClauseArena, bool) = match game.matrix() {
            GameMatrix::Cnf(rows) => (rows, true),
            GameMatrix::Dnf(rows) => (rows, false),
            GameMatrix::Circuit(_) => {
                let limit = 1 << 16;
                match normal::game_cnf(game, limit, control)? {
                    Some(rows) => {
                        owned = rows;
                        (&owned, true)
                    }
                    None => match normal::game_dnf(game, limit, control)? {
                        Some(rows) => {
                            owned = rows;
                            (&owned, false)
                        }
                        None => {
                            let why = "the circuit has no affordable normal form";
                            return Err(StopReason::Unsupported(why.to_owned()));
                        }
                    },
                }
            }
        };
        let played: Vec<Lit> = game.played().iter().map(|&lit| if conjunction { lit } else { !lit }).collect();
        let rows = normal::irredundant(&normal::condition(rows, &played), control)?;
        let elements = rows.vars();
        let words = elements.len().div_ceil(64).max(1);
        let mut bits = Vec::with_capacity(rows.len() * words * 2);
        for row in &rows {
            let start = bits.len();
            bits.resize(start + 2 * words, 0);
            for lit in row {
                let at = elements.binary_search(&lit.var()).unwrap_or_else(|_| unreachable!("elements are listed"));
                bits[start + usize::from(lit.is_negative()) * words + at / 64] |= 1u64 << (at % 64);
            }
        }
        Ok(Sampled { elements, words, how: How::Rows { rows: bits, conjunction } })
    }

    /// A board as it stands, by its own goal: it may have far too many rows to list them. `None` if it ends otherwise than
    /// with a full board.
    pub(super) fn of_board(board: &Board) -> Option<Self> {
        if board.has_plies() || board.is_race() {
            return None;
        }
        let (goal, of_max) = match (board.goal(board.max), board.goal(!board.max)) {
            (Some(goal), _) => (goal.clone(), true),
            (None, goal) => (goal?.clone(), false),
        };
        let elements: Vec<Var> = board.free().map(Var::from_index).collect();
        let mut places = vec![0; board.elements()];
        elements.iter().enumerate().for_each(|(place, var)| places[var.index()] = place);
        let stones = (0..board.elements()).map(|element| Some(board.stone(element)? == board.max)).collect();
        let words = elements.len().div_ceil(64).max(1);
        Some(Sampled { elements, words, how: How::Board { goal, of_max, stones, places } })
    }

    /// How much work an evaluation is, in rows.
    fn work(&self) -> usize {
        match &self.how {
            How::Rows { rows, .. } => rows.len(),
            How::Board { stones, .. } => 16 * stones.len(),
        }
    }

    /// Words of a colouring.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Whether MAX wins with this colouring.
    pub(super) fn value(&self, colouring: &[u64]) -> bool {
        match &self.how {
            How::Rows { rows, conjunction } => {
                let row = |row: &[u64]| {
                    let (high, low) = row.split_at(self.words);
                    let mut words = high.iter().zip(low).zip(colouring);
                    if *conjunction {
                        words.any(|((high, low), colours)| high & colours | low & !colours != 0)
                    } else {
                        words.all(|((high, low), colours)| high & !colours | low & colours == 0)
                    }
                };
                let mut rows = rows.chunks_exact(2 * self.words);
                if *conjunction { rows.all(row) } else { rows.any(row) }
            }
            How::Board { goal, of_max, stones, places } => {
                let of = |place: usize| colouring[place / 64] >> (place % 64) & 1 != 0;
                // Vertices beyond the elements are nobody's.
                let owns = |element: usize| match stones.get(element) {
                    None => false,
                    Some(stone) => stone.unwrap_or_else(|| of(places[element])) == *of_max,
                };
                goal.is_reached(owns) == *of_max
            }
        }
    }
}

/// Why a board is not sampled.
pub(super) fn not_full() -> StopReason {
    StopReason::Unsupported("a race or a game of bounded length does not end with a full board".to_owned())
}

/// A seeded stream of numbers: SplitMix64.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below a small bound; the bias is below 2^-32.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        (((self.next() >> 32) * bound as u64) >> 32) as usize
    }
}

/// Polls for work that looks at many rows at once.
pub(super) fn poll_rows(poller: &mut Poller<'_>, done: u64, sampled: &Sampled) -> Result<(), StopReason> {
    for _ in 0..=sampled.work() / 1024 {
        poller.poll(done)?;
    }
    Ok(())
}

//! The strong solution of a small game: who wins each of its 3^n positions, with either player to move, as two bits each.
//!
//! A position is a number in base 3, a digit for each uncoloured element: FALSE, TRUE, uncoloured. Colouring an element makes it
//! smaller, so one pass from 0 up finds every winner from those of its successors. The file has a line of text, with a number
//! that identifies the formula, and then the bits: MAX wins with MAX to move, and with MIN to move.

use super::classify::rows_of;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Circuit, Game, GameMatrix, Lit, Player, Rule, Var};
use gamesat_core::problem::Problem;
use rustc_hash::FxHashMap;

/// Elements at most: 3^16 positions are 43 million, in 11 megabytes.
const MOST_ELEMENTS: usize = 16;
const HEADER: &str = "p bits";

/// Why there is no such table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrongError {
    /// There are too many elements.
    #[error("{0} elements are too many: every position is solved for up to {MOST_ELEMENTS}")]
    TooMany(usize),
    /// The file is no table.
    #[error("this is no table of bits")]
    NotATable,
    /// The file is about another game.
    #[error("this is a table of another game")]
    Other,
    /// The reason to stop.
    #[error("{0}")]
    Stopped(StopReason),
}

impl From<StopReason> for StrongError {
    fn from(reason: StopReason) -> Self {
        StrongError::Stopped(reason)
    }
}

/// Who wins every position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strong {
    /// The elements that are uncoloured at the beginning.
    elements: Vec<Var>,
    rule: Rule,
    /// What identifies the formula.
    mark: u64,
    /// Two bits for each position.
    bits: Vec<u8>,
}

impl Strong {
    /// Solves every position of a game or a board.
    ///
    /// # Errors
    /// It is too large, or the reason to stop.
    pub fn new(problem: &Problem, control: &Control) -> Result<Self, StrongError> {
        let game = game_of(problem, control)?;
        let (elements, values) = tabulated(&game, control)?;
        let powers: Vec<usize> = (0..=elements.len() as u32).map(|exponent| 3usize.pow(exponent)).collect();
        let positions = powers[elements.len()];
        let mut bits = vec![0u8; positions.div_ceil(4)];
        let mut digits = vec![0u8; elements.len()];
        let mut poller = control.poller();
        for position in 0..positions {
            poller.poll(position as u64)?;
            let (mut max, mut min, mut free) = (false, true, false);
            for element in (0..digits.len()).filter(|&element| digits[element] == 2) {
                free = true;
                let after = |colour: bool| position - powers[element] * if colour { 1 } else { 2 };
                for colour in [true, false] {
                    max |= game.rule.allows(Player::Max, colour) && get(&bits, after(colour), Player::Min);
                    min &= !game.rule.allows(Player::Min, colour) || get(&bits, after(colour), Player::Max);
                }
            }
            if !free {
                let colouring = digits.iter().enumerate().fold(0, |bits, (e, &digit)| bits | usize::from(digit) << e);
                (max, min) = (values[colouring], values[colouring]);
            }
            bits[position / 4] |= (u8::from(max) | u8::from(min) << 1) << (2 * (position % 4));
            for digit in &mut digits {
                *digit = (*digit + 1) % 3;
                if *digit != 0 {
                    break;
                }
            }
        }
        Ok(Strong { elements, rule: game.rule, mark: mark(&values), bits })
    }

    /// Number of positions.
    pub fn positions(&self) -> usize {
        3usize.pow(self.elements.len() as u32)
    }

    /// Positions that MAX wins with this player to move.
    pub fn won_by_max(&self, turn: Player) -> usize {
        (0..self.positions()).filter(|&position| get(&self.bits, position, turn)).count()
    }

    /// The winner of a game that began like the table's, and every winning move; `None` if it is another one.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn find(&self, problem: &Problem, control: &Control) -> Result<Option<(Player, Vec<Lit>)>, StrongError> {
        let game = game_of(problem, control)?;
        let mut cleared = Game::new(game.elements(), game.matrix().clone()).map_err(|_| StrongError::NotATable)?;
        cleared.rule = game.rule;
        let played: FxHashMap<Var, bool> = game.played().iter().map(|lit| (lit.var(), lit.is_positive())).collect();
        // What was played before the table's game began must be the same.
        let before: Vec<Lit> =
            game.played().iter().copied().filter(|lit| !self.elements.contains(&lit.var())).collect();
        cleared.play(&before).map_err(|_| StrongError::NotATable)?;
        if cleared.uncoloured() != self.elements.len() || game.rule != self.rule {
            return Ok(None);
        }
        let (elements, values) = tabulated(&cleared, control)?;
        if elements != self.elements || mark(&values) != self.mark {
            return Ok(None);
        }
        let digit = |var: &Var| played.get(var).map_or(2, |&colour| usize::from(colour));
        let position =
            self.elements.iter().enumerate().map(|(e, var)| digit(var) * 3usize.pow(e as u32)).sum::<usize>();
        let winner = |position: usize, turn: Player| {
            if get(&self.bits, position, turn) { Player::Max } else { Player::Min }
        };
        let mut moves = Vec::new();
        let fits = |colouring: usize| {
            let holds =
                |(e, var): (usize, &Var)| played.get(var).is_none_or(|&colour| (colouring >> e & 1 != 0) == colour);
            self.elements.iter().enumerate().all(holds)
        };
        let colourings: Vec<usize> = (0..values.len()).filter(|&colouring| fits(colouring)).collect();
        for (e, &var) in self.elements.iter().enumerate().filter(|(_, var)| !played.contains_key(var)) {
            // Of an element in which the formula is monotone only the rational colour counts, of a dead one the own.
            let low = || colourings.iter().copied().filter(|colouring| colouring >> e & 1 == 0);
            let rising = low().all(|colouring| values[colouring] <= values[colouring | 1 << e]);
            let falling = low().all(|colouring| values[colouring] >= values[colouring | 1 << e]);
            let own = game.turn.colour();
            let counts = |colour: bool| match (self.rule, rising, falling) {
                (Rule::Own, _, _) => colour == own,
                (Rule::Any, true, _) => colour == own,
                (Rule::Any, false, true) => colour != own,
                (Rule::Any, false, false) => true,
            };
            for colour in [true, false].into_iter().filter(|&colour| counts(colour)) {
                let after = position - 3usize.pow(e as u32) * if colour { 1 } else { 2 };
                if winner(after, !game.turn) == game.turn {
                    moves.push(var.lit(colour));
                }
            }
        }
        Ok(Some((winner(position, game.turn), moves)))
    }

    /// The table as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let elements: Vec<String> = self.elements.iter().map(ToString::to_string).collect();
        let mut bytes = format!("{HEADER} {} {:016x} {}\n", self.rule, self.mark, elements.join(" ")).into_bytes();
        bytes.extend_from_slice(&self.bits);
        bytes
    }

    /// Whether a file is a table.
    pub fn is_table(bytes: &[u8]) -> bool {
        bytes.starts_with(HEADER.as_bytes())
    }

    /// Reads a table.
    ///
    /// # Errors
    /// The file is none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StrongError> {
        let end = bytes.iter().take(4096).position(|&byte| byte == b'\n').ok_or(StrongError::NotATable)?;
        let header = std::str::from_utf8(&bytes[..end]).map_err(|_| StrongError::NotATable)?;
        let words: Vec<&str> = header.strip_prefix(HEADER).ok_or(StrongError::NotATable)?.split_whitespace().collect();
        let [rule, mark, elements @ ..] = &words[..] else { return Err(StrongError::NotATable) };
        let rule = [Rule::Any, Rule::Own].into_iter().find(|known| known.to_string() == *rule);
        let number = |word: &&str| word.parse().ok().filter(|&number: &i32| number > 0).map(Var::from_dimacs);
        let elements: Option<Vec<Var>> = elements.iter().map(number).collect();
        let mark = u64::from_str_radix(mark, 16).ok();
        let (Some(rule), Some(mark), Some(elements)) = (rule, mark, elements) else {
            return Err(StrongError::NotATable);
        };
        let bits = bytes[end + 1..].to_vec();
        if elements.len() > MOST_ELEMENTS || bits.len() != 3usize.pow(elements.len() as u32).div_ceil(4) {
            return Err(StrongError::NotATable);
        }
        Ok(Strong { elements, rule, mark, bits })
    }
}

/// Whether MAX wins a position.
fn get(bits: &[u8], position: usize, turn: Player) -> bool {
    bits[position / 4] >> (2 * (position % 4) + usize::from(turn == Player::Min)) & 1 != 0
}

fn game_of(problem: &Problem, control: &Control) -> Result<Game, StrongError> {
    match problem {
        Problem::Game(game) => Ok(game.clone()),
        Problem::Board(board) if board.free().count() > MOST_ELEMENTS => {
            Err(StrongError::TooMany(board.free().count()))
        }
        _ => Ok(rows_of(problem, control)?),
    }
}

/// The uncoloured elements, and the formula's value for each of their colourings.
fn tabulated(game: &Game, control: &Control) -> Result<(Vec<Var>, Vec<bool>), StrongError> {
    if game.uncoloured() > MOST_ELEMENTS {
        return Err(StrongError::TooMany(game.uncoloured()));
    }
    let played: FxHashMap<Var, bool> = game.played().iter().map(|lit| (lit.var(), lit.is_positive())).collect();
    let free: Vec<Var> = (0..game.elements()).map(Var::from_index).filter(|var| !played.contains_key(var)).collect();
    let mut poller = control.poller();
    let mut values = Vec::with_capacity(1 << free.len());
    for colouring in 0..1usize << free.len() {
        poller.poll(colouring as u64)?;
        let colour = |var: Var| match free.binary_search(&var) {
            Ok(at) => colouring >> at & 1 != 0,
            Err(_) => played.get(&var).copied().unwrap_or(false),
        };
        let holds = |lit: &Lit| colour(lit.var()) == lit.is_positive();
        values.push(match game.matrix() {
            GameMatrix::Cnf(rows) => rows.iter().all(|row| row.iter().any(holds)),
            GameMatrix::Dnf(rows) => rows.iter().any(|row| row.iter().all(holds)),
            GameMatrix::Circuit(circuit) => evaluated(circuit, colour),
        });
    }
    Ok((free, values))
}

fn evaluated(circuit: &Circuit, colour: impl Fn(Var) -> bool) -> bool {
    circuit.evaluate(&(0..circuit.inputs()).map(|input| colour(Var::from_index(input))).collect::<Vec<_>>())
}

/// A number that differs for different functions, but for a chance of 2^-64: FNV-1a.
fn mark(values: &[bool]) -> u64 {
    let step = |hash: u64, &value: &bool| (hash ^ u64::from(value)).wrapping_mul(0x0100_0000_01b3);
    values.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_check::evaluate_game;

    #[test]
    fn every_position_is_what_minimax_says() {
        let control = Control::default();
        for (text, rule) in [
            ("(a == (b | c)) & (d | e)", Rule::Any),
            ("x ^ y", Rule::Own),
            ("!x | y & !z", Rule::Own),
            ("(a & b) | (c & !d)", Rule::Any),
        ] {
            let Ok(Problem::Game(mut game)) = gamesat_format::parse(text) else { panic!("{text}") };
            game.rule = rule;
            let strong = Strong::new(&Problem::Game(game.clone()), &control).unwrap();
            let strong = Strong::from_bytes(&strong.to_bytes()).unwrap();
            for position in 0..strong.positions() {
                let mut after = game.clone();
                for element in 0..game.elements() {
                    let digit = position / 3usize.pow(element as u32) % 3;
                    if digit != 2 {
                        after.play(&[Var::from_index(element).lit(digit == 1)]).unwrap();
                    }
                }
                for turn in [Player::Max, Player::Min] {
                    after.turn = turn;
                    let expected = evaluate_game(&after, &control).unwrap();
                    let (winner, moves) = strong.find(&Problem::Game(after.clone()), &control).unwrap().unwrap();
                    assert_eq!(winner, expected.winner, "{text} {after:?}");
                    assert!(moves.iter().all(|lit| expected.winning_moves.contains(lit)), "{text} {after:?}");
                    let elements =
                        |lits: &[Lit]| lits.iter().map(|lit| lit.var()).collect::<std::collections::BTreeSet<_>>();
                    assert_eq!(elements(&moves), elements(&expected.winning_moves), "{text} {after:?}");
                }
            }
            let other = gamesat_format::parse("(a | b) & (c | d) & e").unwrap();
            assert_eq!(strong.find(&other, &control).unwrap(), None);
        }
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let control = Control::default();
        let bytes = Strong::new(&gamesat_format::parse("a & b").unwrap(), &control).unwrap().to_bytes();
        assert!(Strong::is_table(&bytes));
        for wrong in [&bytes[..bytes.len() - 1], b"p bits any 0 1\n", b"p bits", b"", b"p bits any x 1 2\n..."] {
            assert_eq!(Strong::from_bytes(wrong).unwrap_err(), StrongError::NotATable);
        }
        let large = gamesat_format::parse("hex 5").unwrap();
        assert_eq!(Strong::new(&large, &control).unwrap_err(), StrongError::TooMany(25));
    }
}

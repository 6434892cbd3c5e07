//! Isotone games in which the players do not simply take turns: a schedule says who moves when (*Set Colouring Games* 4.8).
//! Equalised Hex is `1,2*`: one stone first, then two each.
//!
//! The argument behind traces and mustplay does not ask who moves how often: if a move was refuted and the winner's trace
//! does not contain some other element, a move there is refuted in the same way. So this is the plain search with traces,
//! and a position is filed with its place in the schedule.

use crate::control::{Control, Poller, StopReason};
use crate::formula::{Game, Lit, Player, Rule, Var};
use crate::rows::normal;
use rustc_hash::FxHashMap;

/// Rows up to which both forms are computed.
const ROWS: usize = 20_000;
/// Positions remembered before all are forgotten.
const REMEMBERED: usize = 1 << 23;

/// Who moves when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The movers in order.
    movers: Vec<Player>,
    /// Where the part that is repeated for ever begins, if one is.
    repeats_from: Option<usize>,
}

/// Why a text is no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// Nobody moves.
    #[error("a schedule names at least one move")]
    Empty,
    /// A word that is neither a player nor a number of moves.
    #[error("'{0}' is neither max, min nor a number of moves; a '*' stands behind the last one")]
    Word(String),
}

impl Schedule {
    /// Reads a schedule: numbers of moves, the players taking turns (`1,2*`), or players (`max,min,min,max`). What stands
    /// before a final `*` is repeated for ever, with numbers by each player in turn.
    ///
    /// # Errors
    /// The text is no schedule.
    pub fn parse(text: &str, first: Player) -> Result<Self, ScheduleError> {
        let (mut movers, mut repeats_from) = (Vec::new(), None);
        let words: Vec<&str> = text.split([',', ' ']).filter(|word| !word.is_empty()).collect();
        let mut turn = first;
        for (at, &word) in words.iter().enumerate() {
            let wrong = || ScheduleError::Word(word.to_owned());
            let last = at + 1 == words.len();
            let plain = word.strip_suffix('*').filter(|_| last).unwrap_or(word);
            let start = movers.len();
            match plain {
                "max" => movers.push(Player::Max),
                "min" => movers.push(Player::Min),
                number => {
                    let count: usize = number.parse().map_err(|_| wrong())?;
                    if count == 0 || count > 1000 {
                        return Err(wrong());
                    }
                    movers.extend(std::iter::repeat_n(turn, count));
                    turn = !turn;
                    if plain != word {
                        // The other player has as many, and then it begins again.
                        movers.extend(std::iter::repeat_n(turn, count));
                    }
                }
            }
            if plain != word {
                repeats_from = Some(start);
            }
        }
        if movers.is_empty() { Err(ScheduleError::Empty) } else { Ok(Schedule { movers, repeats_from }) }
    }

    /// Who makes the move after so many others; `None` if the schedule has ended.
    pub fn mover(&self, place: usize) -> Option<Player> {
        match self.repeats_from {
            Some(from) if place >= self.movers.len() => {
                self.movers.get(from + (place - from) % (self.movers.len() - from)).copied()
            }
            _ => self.movers.get(place).copied(),
        }
    }

    /// The place itself, or an earlier one from which everything goes on in the same way.
    fn canonical(&self, place: usize) -> usize {
        match self.repeats_from {
            Some(from) if place >= from => from + (place - from) % (self.movers.len() - from),
            _ => place,
        }
    }
}

/// The outcome under a schedule.
#[derive(Clone, Debug)]
pub struct Ordered {
    /// Who wins.
    pub winner: Player,
    /// Winning first moves of the first mover: one, or all if they were asked for.
    pub moves: Vec<Lit>,
    /// Elements that suffice for the winner.
    pub trace: Vec<Var>,
    /// Positions searched.
    pub nodes: u64,
}

/// Solves an isotone game of at most 64 elements in the formula under a schedule.
///
/// # Errors
/// The game is not isotone, too large, or longer than the schedule (as text); or the run was to stop.
pub fn solve_in_order(
    game: &Game,
    schedule: &Schedule,
    all_moves: bool,
    control: &Control,
) -> Result<Ordered, StopReason> {
    let unsupported = |why: &str| Err(StopReason::Unsupported(why.to_owned()));
    let (Some(cnf), Some(dnf)) = (normal::game_cnf(game, ROWS, control)?, normal::game_dnf(game, ROWS, control)?)
    else {
        return unsupported("the formula has too many rows for a schedule");
    };
    let flipped = |lit: &Lit| lit.is_negative();
    if !normal::is_unate(&cnf) || game.rule == Rule::Own && cnf.lits().iter().any(flipped) {
        return unsupported("a schedule needs a game in which a move never hurts its player");
    }
    if schedule.repeats_from.is_none() && schedule.movers.len() < game.uncoloured() {
        let why = format!("the schedule ends after {} of {} moves", schedule.movers.len(), game.uncoloured());
        return Err(StopReason::Unsupported(why));
    }
    let mut elements: Vec<Var> = cnf.lits().iter().map(|lit| lit.var()).collect();
    elements.sort_unstable();
    elements.dedup();
    if elements.len() > 64 {
        return unsupported("a schedule is searched for games of up to 64 elements");
    }
    let at = |lit: &Lit| elements.binary_search(&lit.var()).map_or(0, |at| 1u64 << at);
    let masks = |rows: &crate::formula::ClauseArena| -> Vec<u64> {
        rows.iter().map(|row| row.iter().fold(0, |mask, lit| mask | at(lit))).collect()
    };
    let mut search = Search {
        schedule,
        // MAX has to hit every clause, MIN every term.
        rows: [masks(&cnf), masks(&dnf)],
        known: FxHashMap::default(),
        poller: control.poller(),
        nodes: 0,
    };
    let free = if elements.len() == 64 { u64::MAX } else { (1 << elements.len()) - 1 };
    let value = search.solve(free, [0, 0], 0)?;
    let first = schedule.mover(0).unwrap_or(game.turn);
    let lit = |element: u32| {
        let var = elements[element as usize];
        let falling = cnf.lits().iter().any(|lit| lit.var() == var && lit.is_negative());
        var.lit((first == Player::Max) != falling)
    };
    let mut moves: Vec<Lit> = Vec::new();
    if value.winner == first && all_moves {
        for element in bits(free) {
            let mut own = [0, 0];
            own[usize::from(first == Player::Min)] = 1u64 << element;
            if search.solve(free & !(1 << element), own, 1)?.winner == first {
                moves.push(lit(element));
            }
        }
    } else if value.winner == first {
        moves.extend(value.choice.map(lit));
    }
    let trace = bits(value.trace).map(|element| elements[element as usize]).collect();
    Ok(Ordered { winner: value.winner, moves, trace, nodes: search.nodes })
}

fn bits(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = mask.trailing_zeros();
        (mask != 0).then(|| {
            mask &= mask - 1;
            lowest
        })
    })
}

#[derive(Clone, Copy)]
struct Value {
    winner: Player,
    trace: u64,
    choice: Option<u32>,
}

struct Search<'a> {
    schedule: &'a Schedule,
    rows: [Vec<u64>; 2],
    known: FxHashMap<(u64, u64, usize), Value>,
    poller: Poller<'a>,
    nodes: u64,
}

impl Search<'_> {
    /// The winner, with what each player owns and the place in the schedule. As deep as there are elements, 64 at most.
    fn solve(&mut self, free: u64, own: [u64; 2], place: usize) -> Result<Value, StopReason> {
        self.nodes += 1;
        self.poller.poll(self.nodes)?;
        // 1. Decided? A player who cannot hit a row any more has lost.
        for (at, player) in [Player::Max, Player::Min].into_iter().enumerate() {
            if self.rows[at].iter().any(|row| row & (own[at] | free) == 0) {
                return Ok(Value { winner: !player, trace: 0, choice: None });
            }
        }
        let decided = [Player::Max, Player::Min]
            .into_iter()
            .enumerate()
            .find(|&(at, _)| self.rows[at].iter().all(|row| row & own[at] != 0));
        if let Some((_, winner)) = decided {
            return Ok(Value { winner, trace: 0, choice: None });
        }
        let key = (free, own[0], self.schedule.canonical(place));
        if let Some(&value) = self.known.get(&key) {
            return Ok(value);
        }
        let Some(mover) = self.schedule.mover(place) else {
            return Err(StopReason::Unsupported("the schedule ends before the game".to_owned()));
        };
        let at = usize::from(mover == Player::Min);
        // 2. Moves by the weight of their rows.
        let mut weights = [0u64; 64];
        for (side, rows) in self.rows.iter().enumerate() {
            for row in rows.iter().filter(|&&row| row & own[side] == 0) {
                let open = row & free;
                let weight = 1u64 << 40 >> open.count_ones().min(40);
                bits(open).for_each(|element| weights[element as usize] += weight);
            }
        }
        let mut moves: Vec<u32> = bits(free).collect();
        moves.sort_by_key(|&element| std::cmp::Reverse(weights[element as usize]));
        // 3. Try them inside the mustplay.
        let (mut mustplay, mut trace) = (free, 0);
        let mut won = None;
        for element in moves {
            if mustplay >> element & 1 == 0 {
                continue;
            }
            let mut after = own;
            after[at] |= 1 << element;
            let child = self.solve(free & !(1 << element), after, place + 1)?;
            if child.winner == mover {
                won = Some(Value { winner: mover, trace: child.trace | 1 << element, choice: Some(element) });
                break;
            }
            mustplay &= child.trace;
            trace |= child.trace;
        }
        let value = won.unwrap_or(Value { winner: !mover, trace, choice: None });
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(key, value);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{Rows, Target, lower};
    use crate::problem::Problem;
    use crate::rules::{Board, Grid, Hex};

    fn hex(side: usize) -> Game {
        let board = Problem::Board(Board::new(Hex(Grid { columns: side, rows: side })));
        match lower(&board, Target::Rows(Rows::default()), &Control::default()).unwrap().problem {
            Problem::Game(game) => game,
            _ => unreachable!(),
        }
    }

    fn openings(side: usize, order: &str) -> Vec<usize> {
        let schedule = Schedule::parse(order, Player::Max).unwrap();
        let found = solve_in_order(&hex(side), &schedule, true, &Control::default()).unwrap();
        assert_eq!(found.winner == Player::Max, !found.moves.is_empty());
        found.moves.iter().map(|lit| lit.var().index()).collect()
    }

    #[test]
    fn equalised_hex() {
        assert_eq!(openings(1, "1,2*"), [0]);
        assert_eq!(openings(2, "1,2*"), [0usize; 0]);
        assert_eq!(openings(3, "1,2*"), [4]);
    }

    #[test]
    fn taking_turns_gives_the_known_openings() {
        assert_eq!(openings(3, "1*"), [2, 3, 4, 5, 6]);
        assert_eq!(openings(3, "max,min*").len(), 0);
    }

    #[test]
    fn schedules_are_read() {
        use Player::{Max, Min};
        let movers = |text: &str| {
            let schedule = Schedule::parse(text, Max).unwrap();
            (0..7).map(|place| schedule.mover(place)).collect::<Vec<_>>()
        };
        let list = |players: [Player; 7]| players.map(Some).to_vec();
        assert_eq!(movers("1,2*"), list([Max, Min, Min, Max, Max, Min, Min]));
        assert_eq!(movers("1*"), list([Max, Min, Max, Min, Max, Min, Max]));
        assert_eq!(movers("max,min,min*"), list([Max, Min, Min, Min, Min, Min, Min]));
        assert_eq!(movers("min max")[..3], [Some(Min), Some(Max), None]);
        for wrong in ["", "0", "1,x", "1*,2", "black"] {
            assert!(Schedule::parse(wrong, Max).is_err(), "{wrong}");
        }
    }

    /// Against plain minimax, on random isotone games and schedules.
    #[test]
    fn random_games_by_definition() {
        fn plain(rows: &[u64], schedule: &Schedule, own: u64, free: u64, place: usize) -> bool {
            if free == 0 {
                return rows.iter().all(|row| row & own != 0);
            }
            let max = schedule.mover(place) == Some(Player::Max);
            let mut results = bits(free).map(|element| {
                let taken = 1u64 << element;
                plain(rows, schedule, if max { own | taken } else { own }, free & !taken, place + 1)
            });
            if max { results.any(|won| won) } else { results.all(|won| won) }
        }
        let mut seed = 5u64;
        let mut next = |bound: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % bound
        };
        for number in 0..120 {
            let rows: Vec<u64> = (0..1 + next(6)).map(|_| 1 + next(63)).collect();
            let clauses =
                rows.iter().map(|&row| bits(row).map(|e| Var::from_index(e as usize).positive()).collect::<Vec<_>>());
            let game = Game::new(6, crate::formula::GameMatrix::Cnf(clauses.collect())).unwrap();
            let order = ["1,2*", "2,1*", "1*", "max,max,min*", "min,max,max,min,min,max"][number % 5];
            let schedule = Schedule::parse(order, Player::Max).unwrap();
            let found = solve_in_order(&game, &schedule, false, &Control::default()).unwrap();
            // Elements outside the formula count as moves in the definition; nobody is better off there.
            let expected = plain(&rows, &schedule, 0, 63, 0);
            assert_eq!(found.winner == Player::Max, expected, "{order} {rows:?}");
        }
    }
}
